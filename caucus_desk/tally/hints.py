"""Slips of copying that would explain why two reports of one precinct differ.

Each kind of slip is tried on the differing fields: where the change makes both sheets say the same in
every field that it touches, it is a hint. Nothing is decided by it; a reviewer reads it and looks.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations

from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.tally.checks import check_errors
from caucus_desk.tally.checks.wording import listing
from caucus_desk.tally.form import field_label
from caucus_desk.tally.mismatch import differing_fields
from caucus_desk.tally.report import CHANNELS, Channel, HeadKey
from caucus_desk.tally.roster import Precinct
from caucus_desk.tally.sheet import ATTENDANCE, COLUMNS, Column, ResultSheet, field_path


class HintKind(StrEnum):
    ROWS = "rows exchanged"
    SHIFTED = "rows shifted"
    COLUMNS = "columns exchanged"
    FIELDS = "fields exchanged"
    TRANSPOSED = "digits transposed"
    DROPPED = "digit dropped or doubled"


_BEFORE = {kind: place for place, kind in enumerate(HintKind)}
"""Of two hints that explain as much, the one that needs the fewer hands' errors is told."""

_NAMED = 3
"""So many rows are named in one sentence; the rest are counted."""


@dataclass(frozen=True, slots=True)
class Hint:
    """A slip that explains why two reports differ in `fields` (paths in worksheet order)."""

    kind: HintKind
    channel: HeadKey | None
    """Where the slip is likely, by channel or, of a rival, by id: the side whose sheet breaks the rules while
    the other's does not. None: not said."""
    fields: tuple[str, ...]
    sentence: str
    pair: tuple[HeadKey, HeadKey]
    explains_all: bool
    """Nothing else differs between the two."""


@dataclass(frozen=True, slots=True)
class _Slip:
    kind: HintKind
    fields: frozenset[str]
    """Fields that differ before and agree after."""
    words: str
    one_way: str = ""
    """How it is said when the slip is in the first sheet of the pair, and `other_way` in the second; empty
    where it is the same seen from both sides."""
    other_way: str = ""


def find_hints(
    rules: RuleSet,
    precinct: Precinct,
    sheets: Mapping[Channel, ResultSheet],
    rivals: Iterable[tuple[int, str, ResultSheet]] = (),
) -> tuple[Hint, ...]:
    """Hints for every two reports that differ, those that explain most first; each field explained once
    for a pair. Of pairs that would be told the same slip (phone and app agree against paper) the first is
    told. `rivals` are other reports that stand: id, name and sheet."""
    every: dict[HeadKey, ResultSheet] = {c: sheets[c] for c in CHANNELS if c in sheets}
    names: dict[HeadKey, str] = {channel: str(channel) for channel in every}
    for key, name, sheet in rivals:
        every[key], names[key] = sheet, name
    found: list[Hint] = []
    told: set[tuple[str, frozenset[str]]] = set()
    broken = {key: bool(check_errors(rules, precinct, sheet)) for key, sheet in every.items()}
    for one, other in combinations(every, 2):
        wrong = None if broken[one] is broken[other] else one if broken[one] else other
        pair = _Pair(rules, every[one], every[other], None if wrong is None else wrong == one)
        for slip in pair.slips():
            if (slip.words, slip.fields) in told:
                continue
            told.add((slip.words, slip.fields))
            fields = tuple(path for path in pair.differing if path in slip.fields)
            found.append(
                Hint(
                    slip.kind,
                    wrong,
                    fields,
                    _sentence(
                        slip,
                        names[one],
                        names[other],
                        None if wrong is None else wrong == one,
                        len(fields),
                        len(pair.differing),
                    ),
                    (one, other),
                    len(fields) == len(pair.differing),
                )
            )
    return tuple(sorted(found, key=lambda hint: (not hint.explains_all, -len(hint.fields))))


def _sentence(
    slip: _Slip, one: str, other: str, first_wrong: bool | None, explained: int, differing: int
) -> str:
    if first_wrong is None and slip.one_way:
        where = f"{slip.words}: {slip.one_way} in {one}, or {slip.other_way} in {other}"
    elif first_wrong is None:
        where = f"{slip.words} in {one} or in {other}"
    else:
        way, wrong = (slip.one_way, one) if first_wrong else (slip.other_way, other)
        where = f"{slip.words}: {way} in {wrong}" if way else f"{slip.words} in {wrong}"
    if explained == differing:
        return f"Looks like: {where}."
    return f"Looks like: {where}. This explains {explained} of the {differing} fields that differ."


Count = int | None


class _Pair:
    """Two sheets of one precinct, compared in what both of them state."""

    def __init__(
        self, rules: RuleSet, one: ResultSheet, other: ResultSheet, first_wrong: bool | None
    ) -> None:
        self.rules = rules
        self._first_wrong = first_wrong
        """Whether the slip is in the first sheet; None where that is not known."""
        self.groups: Sequence[str] = rules.keys
        self.differing = differing_fields(one, other, rules.keys)
        self._differ = frozenset(self.differing)
        self.columns = [column for column in COLUMNS if one.states(column) and other.states(column)]
        self._stated = (one, other)
        self._one = self._counts(one)
        self._other = self._counts(other)

    def _counts(self, sheet: ResultSheet) -> dict[str, Count]:
        """By path; a blank row as nobody there, as it is compared."""
        counts: dict[str, Count] = {ATTENDANCE: sheet.attendance}
        counts.update((field.key, sheet.count(field.key)) for field in self.rules.fields)
        for group in self.groups:
            row = sheet.row(group)
            for column in self.columns:
                counts[field_path(group, column)] = 0 if row.blank else row.count(column)
        return counts

    def slips(self) -> list[_Slip]:
        """The slips that together explain most, none of them twice."""
        if not self.differing:
            return []
        candidates = [
            *self._columns(),
            *self._rows(),
            *self._shifted(),
            *self._fields(),
            *self._digits(),
        ]
        candidates.sort(key=lambda slip: (-len(slip.fields), _BEFORE[slip.kind], len(slip.words)))
        chosen: list[_Slip] = []
        explained: set[str] = set()
        for slip in candidates:
            if not slip.fields & explained:
                chosen.append(slip)
                explained |= slip.fields
        return chosen

    # ---- exchanges ----

    def _crosswise(self, a: str, b: str) -> bool:
        """What stands at `a` on one sheet stands at `b` on the other, both ways."""
        return (
            None not in (self._one[a], self._one[b])
            and self._one[a] == self._other[b]
            and self._one[b] == self._other[a]
        )

    def _rows(self) -> Iterator[_Slip]:
        for a, b in combinations(self.groups, 2):
            fitting = [c for c in self.columns if self._crosswise(field_path(a, c), field_path(b, c))]
            fields = self._of(fitting, (a, b))
            if not fields:
                continue
            names = f"{self._label(a)} and {self._label(b)}"
            if len(fitting) == len(self.columns) and len(fitting) > 1:
                yield _Slip(HintKind.ROWS, fields, f"rows {names} exchanged")
            else:
                moved = [c for c in fitting if self._of([c], (a, b))]
                yield _Slip(HintKind.ROWS, fields, f"{self._column_words(moved)} of {names} exchanged")

    def _columns(self) -> Iterator[_Slip]:
        for a, b in combinations(self.columns, 2):
            if Column.DELEGATES in (a, b):
                continue
            fits = [g for g in self.groups if self._crosswise(field_path(g, a), field_path(g, b))]
            moved = [g for g in fits if self._of([a, b], (g,))]
            for group in moved:
                yield _Slip(
                    HintKind.COLUMNS,
                    self._of([a, b], (group,)),
                    f"{a} and {b} of {self._label(group)} exchanged",
                )
            if len(moved) < 2:
                continue
            fields = self._of([a, b], moved)
            if len(fits) == len(self.groups):
                words = f"the {a} and {b} columns exchanged"
            else:
                words = f"{a} and {b} exchanged in rows {self._row_names(moved)}"
            yield _Slip(HintKind.COLUMNS, fields, words)

    def _fields(self) -> Iterator[_Slip]:
        """Any two other fields, such as one group's first and another's final count."""
        for a, b in combinations(self.differing, 2):
            if self._crosswise(a, b) and not self._neighbours(a, b):
                names = f"{self._field(a)} and {self._field(b)}"
                yield _Slip(HintKind.FIELDS, frozenset((a, b)), f"{names} exchanged")

    @staticmethod
    def _neighbours(a: str, b: str) -> bool:
        """In one row or in one column: told as such."""
        group_a, dot_a, column_a = a.rpartition(".")
        group_b, dot_b, column_b = b.rpartition(".")
        if not (dot_a and dot_b):
            return False
        same_row = group_a == group_b and Column.DELEGATES not in (column_a, column_b)
        return same_row or column_a == column_b

    # ---- runs ----

    def _shifted(self) -> Iterator[_Slip]:
        for columns in (self.columns, *([column] for column in self.columns)):
            if len(columns) == 1 and columns == self.columns:
                continue
            for step, one_way, other_way in ((1, "up", "down"), (-1, "down", "up")):
                for run in self._runs(columns, step):
                    yield from self._run(columns, run, step, (one_way, other_way))

    def _runs(self, columns: Sequence[Column], step: int) -> Iterator[range]:
        """Longest runs of rows whose counts on the first sheet stand one row on (by `step`) on the other."""
        size = len(self.groups)
        start = None
        for place in range(size + 1):
            fits = place < size and 0 <= place + step < size and self._moved(columns, place, step)
            if fits and start is None:
                start = place
            elif not fits and start is not None:
                yield range(start, place)
                start = None

    def _moved(self, columns: Sequence[Column], place: int, step: int) -> bool:
        here, there = self.groups[place], self.groups[place + step]
        return all(
            (count := self._one[field_path(here, column)]) is not None
            and count == self._other[field_path(there, column)]
            for column in columns
        )

    def _run(
        self, columns: Sequence[Column], run: range, step: int, ways: tuple[str, str]
    ) -> Iterator[_Slip]:
        moving = [place for place in run if self._of(columns, (self.groups[place],))]
        if not moving:
            return
        rows = range(moving[0], moving[-1] + 1)
        real = [place for place in rows if any(self._one[field_path(self.groups[place], c)] for c in columns)]
        if len(real) < 2:
            return  # one row moved into an empty one is an exchange of two
        into, freed = (rows[-1] + step, rows[0]) if step > 0 else (rows[0] + step, rows[-1])
        # Put right in the second sheet, the run's own rows agree; in the first, those one row on do. Both
        # do where the count that the run ran into went to the row that became free.
        names = [self.groups[place] for place in rows]
        onward = [self.groups[place + step] for place in rows]
        if all(
            self._one[field_path(self.groups[into], c)] == self._other[field_path(self.groups[freed], c)]
            for c in columns
        ):
            names = onward = [*names, self.groups[into]]
        second, first = self._of(columns, names), self._of(columns, onward)
        fields = second & first if self._first_wrong is None else first if self._first_wrong else second
        if len(fields) < 2:
            return
        what = f"rows {self._label(self.groups[real[0]])} to {self._label(self.groups[real[-1]])}"
        if len(columns) < len(self.columns):
            what = f"{self._column_words(columns)} of {what}"
        one_way, other_way = (f"one row {way}" for way in ways)
        yield _Slip(HintKind.SHIFTED, fields, f"{what} slipped", one_way, other_way)

    # ---- digits ----

    def _digits(self) -> Iterator[_Slip]:
        for path in self.differing:
            one, other = (sheet.count(path) for sheet in self._stated)
            if one is None or other is None:
                continue  # nothing was typed there, so no digit of it went astray
            a, b = str(one), str(other)
            name = self._field(path)
            if _transposed(a, b):
                yield _Slip(
                    HintKind.TRANSPOSED,
                    frozenset((path,)),
                    f"two digits of {name} transposed ({one:,} and {other:,})",
                )
            elif (one_way := _one_more(a, b)) and (other_way := _one_more(b, a)):
                words = f"{name} ({one:,} and {other:,})"
                yield _Slip(HintKind.DROPPED, frozenset((path,)), words, one_way, other_way)

    # ---- words ----

    def _of(self, columns: Sequence[Column], groups: Sequence[str]) -> frozenset[str]:
        """The differing fields among these."""
        return frozenset(field_path(g, c) for g in groups for c in columns) & self._differ

    def _label(self, group: str) -> str:
        return self.rules.label(group)

    def _field(self, path: str) -> str:
        return field_label(self.rules, path)

    def _column_words(self, columns: Sequence[Column]) -> str:
        return listing([str(column) for column in columns])

    def _row_names(self, groups: Sequence[str]) -> str:
        names = [self._label(group) for group in groups]
        if len(names) <= _NAMED + 1:
            return listing(names)
        return f"{', '.join(names[:_NAMED])} and {len(names) - _NAMED} more"


def _transposed(a: str, b: str) -> bool:
    """Whether two neighbouring digits changed places."""
    if len(a) != len(b):
        return False
    off = [place for place in range(len(a)) if a[place] != b[place]]
    return len(off) == 2 and off[1] == off[0] + 1 and a[off[0]] == b[off[1]] and a[off[1]] == b[off[0]]


def _one_more(a: str, b: str) -> str:
    """What became of `a` if `b` is right: one digit dropped, typed twice, or too many; "" if neither."""
    if abs(len(a) - len(b)) != 1:
        return ""
    short, long = sorted((a, b), key=len)
    places = [place for place in range(len(long)) if long[:place] + long[place + 1 :] == short]
    if not places:
        return ""
    if short is a:
        return "a digit dropped"
    place = places[0]
    doubled = long[place] in (long[place - 1 : place], long[place + 1 : place + 2])
    return "a digit doubled" if doubled else "a digit too many"
