"""A sheet made ready for checking: its counts by group, and what follows from them.

Each value is worked out at its first use and kept, because the checks run at each key press and the
search for slips tries hundreds of variants of one sheet. Blank is never zero: a group blank in all
fields has nobody, a field blank in a row with other counts is None, and so is a whole column that
no group states.
"""

from collections.abc import Callable, Iterable
from typing import Generic, TypeVar, overload

from caucus_desk.rules.apportion import Apportionment, apportion
from caucus_desk.rules.ruleset import GroupKind, OneDelegate, OverViable, RuleSet
from caucus_desk.rules.viability import threshold
from caucus_desk.tally.basis import AttendanceSource, Basis, attendance_basis, delegates_to_elect
from caucus_desk.tally.roster import Precinct
from caucus_desk.tally.sheet import ATTENDANCE, Column, ResultSheet, field_path

Counts = list[int | None]
Places = tuple[int, ...]
"""Places of groups in `Facts.keys`."""
_Value = TypeVar("_Value")


class lazy(Generic[_Value]):  # noqa: N801 - reads as a decorator
    """Worked out once. Half the cost of functools.cached_property, which takes a lock."""

    def __init__(self, work: Callable[..., _Value]) -> None:
        self._work = work
        self.__doc__ = work.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, facts: None, owner: type) -> "lazy[_Value]": ...
    @overload
    def __get__(self, facts: object, owner: type) -> _Value: ...
    def __get__(self, facts: object | None, owner: type) -> "_Value | lazy[_Value]":
        if facts is None:
            return self
        value = facts.__dict__[self._name] = self._work(facts)
        return value


class Facts:
    """One sheet of one precinct under a rule set. `first`, `final`, `delegates` go by `keys`."""

    def __init__(self, rules: RuleSet, precinct: Precinct, sheet: ResultSheet) -> None:
        self.rules = rules
        self.precinct = precinct
        self.sheet = sheet
        self._apportioned: dict[tuple[object, ...], Apportionment] = {}
        self.attendance_change = 0
        """A variant's attendance less the sheet's."""
        rows = sheet.by_group
        keys = rules.keys
        if not rows.keys() <= rules.by_key.keys():
            keys = (*keys, *(key for key in rows if key not in rules.by_key))
        self.keys = keys
        states = sheet.stated_columns
        self.states_first = Column.FIRST in states
        self.states_final = Column.FINAL in states
        self.states_delegates = Column.DELEGATES in states
        first: Counts = []
        final: Counts = []
        delegates: Counts = []
        for key in keys:
            row = rows.get(key)
            if row is None or (row.first is None and row.final is None and row.delegates is None):
                first.append(0)
                final.append(0)
                delegates.append(0)
                continue
            first.append(row.first)
            final.append(row.final)
            delegates.append(row.delegates)
        self.blank_fields = (
            (self.states_first and None in first)
            or (self.states_final and None in final)
            or (self.states_delegates and None in delegates)
        )
        """A field is blank in a row that has others, in a column that is stated."""
        nothing: Counts = [None] * len(keys)
        self.first = first if self.states_first else nothing
        self.final = final if self.states_final else nothing
        self.delegates = delegates if self.states_delegates else nothing

    def variant(
        self,
        *,
        first: Counts | None = None,
        final: Counts | None = None,
        delegates: Counts | None = None,
        attendance_change: int | None = None,
    ) -> "Facts":
        """The same sheet with other counts; what does not depend on them is taken over."""
        other = Facts.__new__(Facts)
        known = other.__dict__
        known.update(self.__dict__)
        stale: set[str] = set()
        if first is not None:
            other.first = first
            stale |= _ON_FIRST if self.basis.source is AttendanceSource.FIRST_SUM else _ON_FIRST_ALONE
        if final is not None:
            other.final = final
            stale |= _ON_FINAL
        if delegates is not None:
            other.delegates = delegates
            stale |= _ON_DELEGATES
        if attendance_change is not None:
            other.attendance_change = attendance_change
            stale |= _ON_ATTENDANCE
        for name in stale:
            known.pop(name, None)
        return other

    # ---- sums; a blank field adds nothing, so that a sum of an incomplete column is a lower bound ----

    @lazy
    def first_total(self) -> int | None:
        return sum(filter(None, self.first)) if self.states_first else None

    @lazy
    def final_total(self) -> int | None:
        return sum(filter(None, self.final)) if self.states_final else None

    @lazy
    def delegates_total(self) -> int | None:
        return sum(filter(None, self.delegates)) if self.states_delegates else None

    @lazy
    def first_complete(self) -> bool:
        return self.states_first and not (self.blank_fields and None in self.first)

    @lazy
    def final_complete(self) -> bool:
        return self.states_final and not (self.blank_fields and None in self.final)

    @lazy
    def delegates_complete(self) -> bool:
        return self.states_delegates and not (self.blank_fields and None in self.delegates)

    @lazy
    def round_missing(self) -> bool:
        """One round has people and the other has none or is not stated (C51)."""
        return bool(self.first_total) is not bool(self.final_total)

    # ---- attendance, delegates to elect, viability ----

    @lazy
    def _sheet_basis(self) -> Basis:
        return attendance_basis(self.rules, self.precinct, self.sheet)

    @lazy
    def basis(self) -> Basis:
        """The attendance in force. A first round with a blank in it cannot stand in for it."""
        stated = self._sheet_basis
        if stated.source is AttendanceSource.FIRST_SUM:
            return Basis(self.first_total if self.first_complete else None, stated.source)
        if stated.count is None or not self.attendance_change:
            return stated
        return Basis(stated.count + self.attendance_change, stated.source)

    @lazy
    def attendance(self) -> int | None:
        return self.basis.count

    @lazy
    def counted(self) -> int | None:
        """The attendance where somebody counted it; None where the first alignment stands in for it."""
        return self.basis.count if self.basis.stated else None

    @lazy
    def on_sheet(self) -> int | None:
        """The attendance that the sheet itself states: a sign-in list is another paper (C42)."""
        return self.basis.count if self.basis.source is AttendanceSource.SHEET else None

    @lazy
    def inferred(self) -> bool:
        """The first alignment stands in for the attendance: C06 and C07 are one step weaker."""
        return not self.basis.stated

    @lazy
    def elects(self) -> int | None:
        """D, the delegates to elect; None where it is not known."""
        return delegates_to_elect(self.rules, self.precinct, self.attendance)

    @lazy
    def whole_room(self) -> bool:
        """One delegate, elected by the room as a whole: there is no viability (Q4, P13)."""
        return self.elects == 1 and self.rules.one_delegate is not OneDelegate.FORMULA

    @lazy
    def threshold(self) -> int | None:
        """T, the people that a group needs. None where D or the attendance is not known or D is 0."""
        if self.attendance is None or not self.elects:
            return None
        return threshold(self.rules, self.elects, self.attendance)

    def _viable(self, counts: Counts) -> Places:
        if self.threshold is None or not self.attendance:
            return ()
        needed = max(1, self.threshold)
        barred = self.rules.never_viable
        return tuple(
            place
            for place, count in enumerate(counts)
            if count is not None and count >= needed and self.keys[place] not in barred
        )

    @lazy
    def viable_first(self) -> Places:
        """V1."""
        return self._viable(self.first)

    @lazy
    def viable_final(self) -> Places:
        """V2."""
        return self._viable(self.final)

    @lazy
    def sent_away(self) -> frozenset[int]:
        """Viable groups that may have had to realign because more were viable than there are
        delegates: the smallest, ties included, with nobody left (P5)."""
        if not self.elects or self.expands or len(self.viable_first) <= self.elects:
            return frozenset()
        sizes = sorted(self.first[place] or 0 for place in self.viable_first)
        largest_to_go = sizes[len(sizes) - self.elects - 1]
        return frozenset(
            place
            for place in self.viable_first
            if (self.first[place] or 0) <= largest_to_go and self.final[place] == 0
        )

    @lazy
    def expands(self) -> bool:
        """Each viable group keeps a delegate, even beyond D (Nevada)."""
        return self.rules.over_viable is OverViable.EXPAND

    @lazy
    def seats(self) -> int | None:
        """Delegates that the sheet should give in all: D, or more where the rule set lets it grow."""
        if self.elects is None or not self.expands:
            return self.elects
        return max(self.elects, len(self.viable_final)) if self.elects else 0

    # ---- what the rules give ----

    @lazy
    def finals(self) -> dict[str, int]:
        return {key: count for key, count in zip(self.keys, self.final, strict=True) if count}

    @lazy
    def awarded(self) -> dict[str, int]:
        """Delegates as the sheet states them."""
        return {key: count for key, count in zip(self.keys, self.delegates, strict=True) if count}

    @lazy
    def computed(self) -> Apportionment | None:
        """None where nothing can be computed: nobody came, a round is missing, a count is blank."""
        if not self.attendance or not self.elects or not self.final_total or not self.final_complete:
            return None
        if self.round_missing:
            return None
        counts = self.final
        # Variants of one sheet mostly leave alone what the awards depend on.
        key = (self.elects, self.attendance, self.final_total, *((p, counts[p]) for p in self.viable_final))
        known = self._apportioned.get(key)
        if known is None:
            known = self._apportioned[key] = apportion(self.rules, self.elects, self.attendance, self.finals)
        return known

    @lazy
    def agrees(self) -> bool:
        """The stated delegates are what the rules give (rules.md 5.2), or cannot be compared."""
        if self.computed is None or not self.delegates_complete:
            return True
        return self.computed.agrees(self.awarded)

    # ---- words and fields ----

    @lazy
    def other(self) -> frozenset[int]:
        """Places of the bucket "Other", which may hide several groups (rules.md 2)."""
        groups = self.rules.by_key
        return frozenset(
            place
            for place, key in enumerate(self.keys)
            if key in groups and groups[key].kind is GroupKind.OTHER
        )

    def only_other(self, places: Iterable[int]) -> bool:
        return all(place in self.other for place in places)

    def label(self, place: int) -> str:
        key = self.keys[place]
        return self.rules.label(key) if key in self.rules.by_key else key

    def labels(self, places: Iterable[int]) -> list[str]:
        return [self.label(place) for place in places]

    def fields(self, places: Iterable[int], *columns: Column) -> tuple[str, ...]:
        """Field paths, group by group."""
        return tuple(field_path(self.keys[place], column) for place in places for column in columns)

    def filled(self, column: Column) -> tuple[str, ...]:
        """Fields of a column that hold people or delegates."""
        counts = {Column.FIRST: self.first, Column.FINAL: self.final, Column.DELEGATES: self.delegates}
        return self.fields((place for place, count in enumerate(counts[column]) if count), column)

    @lazy
    def attendance_field(self) -> tuple[str, ...]:
        """The field to look at again where the attendance is in doubt."""
        return (ATTENDANCE,)

    @lazy
    def basis_note(self) -> str:
        """Which count was used, where the sheet does not state the attendance; "" where it does."""
        if self.basis.source is AttendanceSource.SHEET or self.attendance is None:
            return ""
        used = "the first alignment's sum" if self.inferred else "the sign-in count"
        return f" (Attendance is not stated: {used}, {self.attendance:,}, was used.)"


_ON_ATTENDANCE = {
    "basis", "attendance", "counted", "on_sheet", "inferred", "elects", "whole_room", "threshold",
    "viable_first", "viable_final", "sent_away", "seats", "computed", "agrees", "basis_note",
}  # fmt: skip
_ON_FIRST_ALONE = {
    "first_total", "first_complete", "round_missing", "viable_first", "sent_away", "computed", "agrees",
}  # fmt: skip
_ON_FIRST = _ON_ATTENDANCE | _ON_FIRST_ALONE
_ON_FINAL = {
    "final_total", "final_complete", "round_missing", "viable_final", "sent_away", "seats", "finals",
    "computed", "agrees",
}  # fmt: skip
_ON_DELEGATES = {"delegates_total", "delegates_complete", "awarded", "agrees"}
