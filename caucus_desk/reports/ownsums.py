"""Which cells of a release's file do not fit the others: its rows against its own sums."""

from collections.abc import Iterable, Iterator
from fractions import Fraction

from caucus_desk.reports.readreleased import ReadRelease
from caucus_desk.tally.digest import TotalsLine, plain

_NAMES = ("first", "final", "delegates")


def own_sums(read: ReadRelease) -> Iterator[str]:
    """In sentences, the narrowest first: a precinct's row, its county, the state."""
    if read.totals is None:
        return
    yield from _rows(read)
    yield from _total_rows(read, read.totals)
    yield from _computed(read, read.totals)
    sums: dict[tuple[str, str], dict[str, int]] = {}
    units: dict[tuple[str, str], list[Fraction]] = {}
    for sheet in read.sheets:
        for row in sheet.rows:
            for where in (f"county {plain(sheet.county)}", "state "):
                at = sums.setdefault((where, row.group), dict.fromkeys(_NAMES, 0))
                for name in _NAMES:
                    at[name] += getattr(row, name) or 0
                units.setdefault((where, row.group), []).append(_number(row.units))
    half = Fraction(1, 2 * 10**read.digits)
    for line in read.totals:
        if line.kind == "district":
            continue
        where = f"{line.kind} {plain(line.name)}"
        added = sums.get((where, line.group), dict.fromkeys(_NAMES, 0))
        for name in _NAMES:
            if getattr(line, name) != added[name]:
                cell = read.cells.get((where, line.group, name), "")
                yield (
                    f"{f'{cell}: ' if cell else ''}{line.group} {name} of {line.name or 'the state'} is "
                    f"{getattr(line, name):,}, and its precincts add up to {added[name]:,}."
                )
        given = units.get((where, line.group), [])
        distance = abs(sum(given, Fraction(0)) - _number(line.units))
        if line.units and distance > half * (len(given) + 1):
            cell = read.cells.get((where, line.group, "units"), "")
            yield (
                f"{f'{cell}: ' if cell else ''}{line.group} SDE of {line.name or 'the state'} is "
                f"{line.units}, and its precincts add up to {float(sum(given, Fraction(0))):.{read.digits}f}."
            )


def _rows(read: ReadRelease) -> Iterator[str]:
    for sheet in read.sheets:
        if sheet.id not in read.row_sums:
            continue
        cell, stated = read.row_sums[sheet.id]
        for name, sum_of in zip(_NAMES, stated, strict=False):
            added = sum(getattr(row, name) or 0 for row in sheet.rows)
            if (sum_of or 0) != added:
                yield (
                    f"{cell}: the groups' {name} of {sheet.id} add up to {added:,}; the row says {sum_of}."
                )


def _total_rows(read: ReadRelease, totals: Iterable[TotalsLine]) -> Iterator[str]:
    """The total above a sheet's rows is that of the state."""
    state = {line.group: line for line in totals if line.kind == "state"}
    for cell, group, measure, value in read.total_rows:
        line = state.get(group)
        due = "" if line is None else getattr(line, measure)
        if value not in (None, "") and due != "" and value != due:
            yield f"{cell}: the total of {group} is {value}, and the state's {due}."


def _computed(read: ReadRelease, totals: Iterable[TotalsLine]) -> Iterator[str]:
    """Delegates as computed: a county's precincts add up to it."""
    if not read.computed:
        return
    sums: dict[tuple[str, str], int] = {}
    county = {sheet.id: plain(sheet.county) for sheet in read.sheets}
    for (id, group), count in read.computed.items():
        at = (county[id], group)
        sums[at] = sums.get(at, 0) + count
    for line in totals:
        added = sums.get((plain(line.name), line.group), 0)
        if line.kind == "county" and line.computed != added:
            yield (
                f"{line.group} delegates computed of {line.name} are {line.computed:,}, and its precincts "
                f"add up to {added:,}."
            )


def _number(text: str) -> Fraction:
    try:
        return Fraction(text or 0)
    except ValueError:
        return Fraction(0)
