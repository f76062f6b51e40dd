"""Result sheets as rows: the same three tables beside a report and beside a ruling."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from sqlalchemy import Table, Text, bindparam, select

from caucus_desk.store.statements import Prepared, adding
from caucus_desk.store.work import Ballot, Row, Work
from caucus_desk.tally.sheet import ChanceRecord, GroupCounts, ResultSheet

SHEET_COLUMNS = 7
"""attendance, threshold, delegates_to_elect, second_attendance, and the three ticks for signatures
and overwritten figures."""

_LARGEST = 2**63 - 1


@dataclass(frozen=True, slots=True)
class SheetRows:
    """A sheet as it stands in the tables, each part sorted by its key."""

    head: Row
    rows: list[Row]
    extras: list[Row]
    chance: list[Row]


class SheetTables:
    """The prepared statements for the sheets of one owner table (`report` or `ruling`)."""

    def __init__(self, owner: Table, rows: Table, extras: Table, chance: Table) -> None:
        self.add_row, self.add_extra, self.add_chance = adding(rows), adding(extras), adding(chance)
        self.whole = tuple(
            Prepared(select(table).order_by(*table.primary_key.columns)) for table in (rows, extras, chance)
        )
        one = bindparam("precinct", type_=Text)
        self.of_precinct = tuple(
            Prepared(
                select(table)
                .join(owner, owner.c.id == next(iter(table.columns)))
                .where(owner.c.precinct_id == one)
                .order_by(*table.primary_key.columns)
            )
            for table in (rows, extras, chance)
        )


@dataclass
class SheetParts:
    """Rows read, by the id of their owner."""

    rows: dict[int, list[Row]] = field(default_factory=lambda: defaultdict(list))
    extras: dict[int, list[Row]] = field(default_factory=lambda: defaultdict(list))
    chance: dict[int, list[Row]] = field(default_factory=lambda: defaultdict(list))

    def take(self, rows: Iterable[Row], extras: Iterable[Row], chance: Iterable[Row]) -> None:
        for into, read in ((self.rows, rows), (self.extras, extras), (self.chance, chance)):
            for row in read:
                into[row[0]].append(row)


class SheetReading(Work):
    def _parts(self, tables: SheetTables, precinct_ids: Iterable[str] | None) -> SheetParts:
        parts = SheetParts()
        if precinct_ids is None:
            rows, extras, chance = (self._rows(statement) for statement in tables.whole)
            parts.take(rows, extras, chance)
        else:
            for precinct_id in precinct_ids:
                rows, extras, chance = (self._rows(one, precinct_id) for one in tables.of_precinct)
                parts.take(rows, extras, chance)
        return parts


def to_rows(owner_id: int, sheet: ResultSheet, ballot: Ballot) -> SheetRows:
    """The rows of a sheet; a group that the ballot does not have is a fault of the caller."""
    ids = ballot.ids
    rows: list[Row] = []
    for one in sheet.groups:
        num, den = (None, None) if one.sde is None else (one.sde.numerator, one.sde.denominator)
        if num is not None and den is not None and max(abs(num), den) > _LARGEST:
            raise ValueError(f"{one.group}: an SDE with too many digits")
        rows.append(
            (owner_id, ids[one.group], one.first, one.final, one.delegates, num, den, _flag(one.signed))
        )
    rows.sort(key=_second)
    chance = [
        (owner_id, game, place, ids[group], int(group in record.winners))
        for game, record in enumerate(sheet.chance)
        for place, group in enumerate(record.groups)
    ]
    head = (
        sheet.attendance,
        sheet.threshold,
        sheet.delegates_to_elect,
        sheet.second_attendance,
        _flag(sheet.chair_signed),
        _flag(sheet.secretary_signed),
        _flag(sheet.overwritten),
    )
    return SheetRows(
        head, rows, sorted(((owner_id, key, value) for key, value in sheet.extras), key=_second), chance
    )


def in_ballot_order(sheet: ResultSheet, ballot: Ballot) -> bool:
    """Whether reading the sheet back gives the very same order of groups and extra counts."""
    places = [ballot.ids[row.group] for row in sheet.groups]
    return places == sorted(places) and list(sheet.extras) == sorted(sheet.extras, key=_first)


def from_rows(owner_id: int, head: Row, parts: SheetParts, keys: Mapping[int, str]) -> ResultSheet:
    """The sheet again, groups in ballot order."""
    attendance, threshold, delegates, second, chair, secretary, overwritten = head
    groups = tuple(
        GroupCounts(
            keys[group], first, final, won, None if num is None else Fraction(num, den), _bool(signed)
        )
        for _, group, first, final, won, num, den, signed in parts.rows.get(owner_id, ())
    )
    return ResultSheet(
        attendance,
        groups,
        tuple((key, value) for _, key, value in parts.extras.get(owner_id, ())),
        threshold,
        delegates,
        second,
        _chance(parts.chance.get(owner_id, ()), keys),
        _bool(chair),
        _bool(secretary),
        _bool(overwritten),
    )


def _chance(rows: Iterable[Row], keys: Mapping[int, str]) -> tuple[ChanceRecord, ...]:
    games: dict[int, tuple[list[str], list[str]]] = {}
    for _, game, _place, group, won in rows:
        played, winners = games.setdefault(game, ([], []))
        played.append(keys[group])
        if won:
            winners.append(keys[group])
    return tuple(ChanceRecord(tuple(played), tuple(winners)) for played, winners in games.values())


def _first(extra: tuple[str, int | None]) -> str:
    return extra[0]


def _second(row: Row) -> Any:
    return row[1]


def _flag(value: bool | None) -> int | None:
    return None if value is None else int(value)


def _bool(value: int | None) -> bool | None:
    return None if value is None else bool(value)
