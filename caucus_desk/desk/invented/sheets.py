"""Small changes to a sheet, by which the sample's slips and faults are made."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from caucus_desk.tally.sheet import ATTENDANCE, COLUMNS, Column, GroupCounts, ResultSheet


def with_counts(sheet: ResultSheet, counts: Mapping[str, int | None], keys: Sequence[str]) -> ResultSheet:
    """The sheet with these field paths changed; groups stay in ballot order."""
    rows = dict(sheet.by_group)
    for path, count in counts.items():
        group, dot, column = path.rpartition(".")
        if dot:
            rows[group] = _put(rows.get(group, GroupCounts(group)), column, count)
        elif path == ATTENDANCE:
            sheet = replace(sheet, attendance=count)
        else:
            raise KeyError(path)
    filled = {key: _filled(row) for key, row in rows.items()}
    return replace(
        sheet, groups=tuple(filled[key] for key in keys if key in filled and not filled[key].blank)
    )


def _put(row: GroupCounts, column: str, count: int | None) -> GroupCounts:
    counts = {name: count if name == column else row.count(name) for name in COLUMNS}
    return replace(
        row, first=counts[Column.FIRST], final=counts[Column.FINAL], delegates=counts[Column.DELEGATES]
    )


def _filled(row: GroupCounts) -> GroupCounts:
    """A group that nobody stood with is blank; any other has all three counts (0 where it had none)."""
    if not any((row.first, row.final, row.delegates)):
        return replace(row, first=None, final=None, delegates=None)
    return replace(row, first=row.first or 0, final=row.final or 0, delegates=row.delegates or 0)


def exchanged(
    sheet: ResultSheet, one: str, other: str, keys: Sequence[str], columns: Sequence[Column] = COLUMNS
) -> ResultSheet:
    """Two groups' rows swapped, in the given columns."""
    a, b = sheet.row(one), sheet.row(other)
    counts: dict[str, int | None] = {}
    for column in columns:
        counts[f"{one}.{column}"] = b.count(column)
        counts[f"{other}.{column}"] = a.count(column)
    return with_counts(sheet, counts, keys)


def column(sheet: ResultSheet, name: Column) -> dict[str, int]:
    """The column's people or delegates, groups with nobody left out."""
    return {row.group: row.count(name) or 0 for row in sheet.groups if row.count(name)}


def put_column(
    sheet: ResultSheet, name: Column, values: Mapping[str, int], keys: Sequence[str]
) -> ResultSheet:
    """The sheet with one column replaced; a group that `values` does not name gets nothing there."""
    counts = {f"{key}.{name}": values.get(key, 0) for key in keys}
    return with_counts(sheet, counts, keys)


def by_size(values: Mapping[str, int]) -> list[str]:
    """Groups, the largest first; equal ones by name."""
    return sorted(values, key=lambda key: (-values[key], key))


def transposed(count: int) -> int | None:
    """The last two different neighbouring digits exchanged (138 for 183); None where there are none."""
    digits = list(str(count))
    for place in range(len(digits) - 1, 0, -1):
        if digits[place] != digits[place - 1] and not (place == 1 and digits[place] == "0"):
            digits[place - 1], digits[place] = digits[place], digits[place - 1]
            return int("".join(digits))
    return None
