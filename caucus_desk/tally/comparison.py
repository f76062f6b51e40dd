"""Two releases compared: which precincts moved and why, what that moved for each group, who changed places.

The later list is compared with the earlier one precinct by precinct, by id. All sums are of exact values
and add up: what a group moved is the sum of what the changed precincts moved, kind by kind.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.tally.frozen import ZERO, FrozenList, FrozenPrecinct
from caucus_desk.tally.roster import Precinct
from caucus_desk.tally.sheet import ATTENDANCE, COLUMNS, Column, ResultSheet, field_path


class Kind(StrEnum):
    """What happened to a precinct between two releases."""

    NEW = "new"
    """Counts now and did not."""
    CORRECTED = "corrected"
    """Another sheet counts, from a report."""
    RULED = "ruled"
    """Another sheet counts, by a ruling that the earlier release did not have."""
    COMPLETED = "completed"
    """The counted sheet states columns that it did not, and nothing it stated has changed."""
    WITHDRAWN = "withdrawn"
    """Counted, and does not any more."""
    ADDED = "added"
    """New on the roster; nothing of it counts yet."""
    GONE = "gone"
    """No longer on the roster."""
    REWEIGHED = "reweighed"
    """The same sheet, but a delegate is worth other SDEs: another site of its satellite pool, or the
    roster, changed."""


@dataclass(frozen=True, slots=True)
class FieldChange:
    """`field` is a field path; None is blank or not counted."""

    field: str
    before: int | None
    after: int | None


@dataclass(frozen=True, slots=True)
class PrecinctChange:
    precinct: Precinct
    """As the later list has it; as the earlier had it where it is gone."""
    kind: Kind
    fields: tuple[FieldChange, ...]
    """What differs on the counted sheets; empty for a sheet that is new, withdrawn or gone as a whole."""
    sdes: Mapping[str, Fraction]
    """SDEs after less before, by group, those that moved."""

    @property
    def size(self) -> Fraction:
        """The most that it moved for any group."""
        return max((abs(value) for value in self.sdes.values()), default=ZERO)


@dataclass(frozen=True, slots=True)
class Sums:
    """Of one group in one list: people, delegates, SDEs, and its place (equal ones share it; 1 is most;
    None for nothing)."""

    first: int
    final: int
    delegates: int
    sde: Fraction
    share: Fraction
    rank: int | None


@dataclass(frozen=True, slots=True)
class GroupMove:
    group: str
    before: Sums
    after: Sums
    by_kind: Mapping[Kind, Fraction]
    """SDEs that each kind of change moved; they add to `sde`."""

    @property
    def sde(self) -> Fraction:
        return self.after.sde - self.before.sde

    @property
    def changed_place(self) -> bool:
        return self.before.rank != self.after.rank


@dataclass(frozen=True)
class Comparison:
    rules: RuleSet
    changes: tuple[PrecinctChange, ...]
    """In the order of the later list; those that are gone last."""
    groups: tuple[GroupMove, ...]
    """In ballot order."""
    counted: tuple[int, int]
    """Precincts that count, before and after."""
    on_roster: tuple[int, int]

    def of(self, kind: Kind) -> tuple[PrecinctChange, ...]:
        return tuple(change for change in self.changes if change.kind is kind)

    @property
    def rank_changes(self) -> tuple[GroupMove, ...]:
        """Groups in another place, by their place now."""
        moved = [move for move in self.groups if move.changed_place]
        return tuple(sorted(moved, key=lambda move: move.after.rank or len(self.groups) + 1))

    @property
    def largest(self) -> tuple[PrecinctChange, ...]:
        """All changes, the largest move of a group's SDEs first."""
        return tuple(sorted(self.changes, key=lambda change: -change.size))


def compare(before: FrozenList, after: FrozenList) -> Comparison:
    """What moved from `before` to `after`. ValueError where the ballots differ: there is nothing to compare.

    What a rule set says otherwise may have changed between the two; each list is added up by its own.
    """
    if before.rules.keys != after.rules.keys:
        raise ValueError("the two releases have other groups on the ballot")
    changes = [
        change
        for id, entry in after.precincts.items()
        if (change := _change(before, after, id, entry)) is not None
    ]
    changes += [
        PrecinctChange(entry.precinct, Kind.GONE, (), _moved(before, after, id))
        for id, entry in before.precincts.items()
        if id not in after.precincts
    ]
    old, new = _sums(before), _sums(after)
    return Comparison(
        after.rules,
        tuple(changes),
        tuple(GroupMove(g, old[g], new[g], _by_kind(g, changes)) for g in after.rules.keys),
        (_counted(before), _counted(after)),
        (len(before.precincts), len(after.precincts)),
    )


def _change(before: FrozenList, after: FrozenList, id: str, entry: FrozenPrecinct) -> PrecinctChange | None:
    was, now = before.counted(id), after.counted(id)
    moved = _moved(before, after, id)
    if was is None and now is None:
        return None if id in before.precincts else PrecinctChange(entry.precinct, Kind.ADDED, (), {})
    if was is None:
        return PrecinctChange(entry.precinct, Kind.NEW, (), moved)
    if now is None:
        return PrecinctChange(entry.precinct, Kind.WITHDRAWN, (), moved)
    fields = tuple(changed_fields(was, now, after.rules.keys))
    if fields:
        if entry.ruling is not None and entry.ruling != before.precincts[id].ruling:
            kind = Kind.RULED
        else:
            kind = Kind.COMPLETED if all(field.before is None for field in fields) else Kind.CORRECTED
        return PrecinctChange(entry.precinct, kind, fields, moved)
    return PrecinctChange(entry.precinct, Kind.REWEIGHED, (), moved) if moved else None


def changed_fields(before: ResultSheet, after: ResultSheet, groups: Iterable[str]) -> Iterable[FieldChange]:
    """Fields with other counts, in worksheet order. A group blank in all fields has nobody, and equals
    zeros in a stated column; a column that only one of the sheets states has changed."""
    if before.attendance != after.attendance:
        yield FieldChange(ATTENDANCE, before.attendance, after.attendance)
    ours, theirs = dict(before.extras), dict(after.extras)
    for key in dict.fromkeys((*ours, *theirs)):
        if ours.get(key) != theirs.get(key):
            yield FieldChange(key, ours.get(key), theirs.get(key))
    for group in groups:
        for column in COLUMNS:
            old, new = _count(before, group, column), _count(after, group, column)
            if old != new:
                yield FieldChange(field_path(group, column), old, new)


def _count(sheet: ResultSheet, group: str, column: Column) -> int | None:
    row = sheet.row(group)
    return (0 if sheet.states(column) else None) if row.blank else row.count(column)


def _moved(before: FrozenList, after: FrozenList, id: str) -> Mapping[str, Fraction]:
    old, new = before.sdes(id), after.sdes(id)
    moves = {g: new.get(g, ZERO) - old.get(g, ZERO) for g in after.rules.keys if g in old or g in new}
    return {group: move for group, move in moves.items() if move}


def _sums(frozen: FrozenList) -> Mapping[str, Sums]:
    groups = frozen.rules.keys
    people = {group: [0, 0, 0] for group in groups}
    sde = dict.fromkeys(groups, ZERO)
    for id in frozen.precincts:
        sheet = frozen.counted(id)
        if sheet is None:
            continue
        for row in sheet.groups:
            for place, column in enumerate(COLUMNS):
                people[row.group][place] += row.count(column) or 0
        for group, value in frozen.sdes(id).items():
            sde[group] += value
    whole = sum(sde.values(), ZERO)
    return {
        group: Sums(
            first=people[group][0],
            final=people[group][1],
            delegates=people[group][2],
            sde=sde[group],
            share=sde[group] / whole if whole else ZERO,
            rank=1 + sum(other > sde[group] for other in sde.values()) if sde[group] else None,
        )
        for group in groups
    }


def _by_kind(group: str, changes: Iterable[PrecinctChange]) -> Mapping[Kind, Fraction]:
    sums: dict[Kind, Fraction] = {}
    for change in changes:
        if group in change.sdes:
            sums[change.kind] = sums.get(change.kind, ZERO) + change.sdes[group]
    return sums


def _counted(frozen: FrozenList) -> int:
    return sum(frozen.counted(id) is not None for id in frozen.precincts)
