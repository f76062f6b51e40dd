"""The rows of results files, gathered into sheets; what cannot be read or placed goes to the problems."""

from bisect import bisect, bisect_left
from collections.abc import Callable
from operator import itemgetter

from caucus_desk.exchange.ballot import Ballot
from caucus_desk.exchange.cells import CellFault, ident, name
from caucus_desk.exchange.folding import fold, fold_name
from caucus_desk.exchange.matching import NotPlaced, PrecinctFinder
from caucus_desk.exchange.problems import Problem
from caucus_desk.exchange.resultcolumns import (
    COUNTS,
    GROUP_COLUMNS,
    KEYS,
    Form,
    form_of,
    strange_columns,
)
from caucus_desk.exchange.roster import TOTAL_WORDS
from caucus_desk.exchange.sheetbuilding import FACT_COLUMNS, CellReader, Facts, LooseRow, SheetInProgress
from caucus_desk.exchange.tables import Table
from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.tally.results import ControlTotal
from caucus_desk.tally.sheet import GroupCounts, field_path

_Raw = tuple[str, ...]
_Getter = Callable[[list[str]], _Raw]


def _getter(indexes: list[int | None]) -> _Getter:
    """A fast way to take cells from a row, always as a tuple."""
    present = [index for index in indexes if index is not None]
    if not present:
        return lambda row: ()
    if len(present) == 1:
        only = present[0]
        return lambda row: (row[only],)
    return itemgetter(*present)


class Reading:
    """The sheets of a whole file while its tables are read one after the other."""

    def __init__(self, rules: RuleSet, ballot: Ballot, finder: PrecinctFinder) -> None:
        self._rules, self._ballot, self._finder = rules, ballot, finder
        self.sheets: dict[str, SheetInProgress] = {}
        self.totals: dict[tuple[str, str], tuple[ControlTotal, int]] = {}
        self.problems: list[Problem] = []
        self._loose: list[LooseRow] = []
        self._open_loose: list[LooseRow] = []
        self._last: SheetInProgress | None = None
        self.other_names: dict[str, tuple[str, str, int]] = {}
        self.unusable = False

    def read(self, table: Table) -> None:
        cells = CellReader(table, self._rules, self._ballot, self.problems)
        self._last, self._open_loose = None, []
        if form_of(table) is Form.LONG:
            self._read_long(table, cells)
        else:
            self._read_wide(table, cells)
        self._settle_broken(table, cells)
        self._settle_merged(table)

    # Long form

    def _read_long(self, table: Table, cells: CellReader) -> None:
        """Where a large file spends its time: rows seen before in the same words cost two look-ups."""
        get_key = _getter([table.index(column) for column in KEYS])
        get_counts = _getter([table.index(column) for column in ("candidate", *GROUP_COLUMNS)])
        fact_columns = (*FACT_COLUMNS, *(each.key for each in self._rules.fields))
        get_facts = _getter([table.index(column) for column in fact_columns])
        places: dict[_Raw, SheetInProgress | str] = {}
        known: dict[_Raw, GroupCounts] = {}
        width = table.width
        for number, row in table.rows(self.problems, COUNTS):
            if len(row) < width:
                row = row + [""] * (width - len(row))
            key = get_key(row)
            place = places.get(key)
            if place is None:
                place = self._place(cells, number, row)
                if place is None:
                    self._add_loose(cells, number, row)
                    continue
                places[key] = place
            raw = get_counts(row)
            counts = known.get(raw)
            if counts is None:
                counts = self._long_counts(cells, number, row)
                if counts is None:
                    if isinstance(place, SheetInProgress):
                        place.bad = True
                        self._placed(place)
                    continue
                known[raw] = counts
            if isinstance(place, str):
                self._add_total(cells, number, place, counts)
                continue
            if place is not self._last:
                self._placed(place)
            if counts.group in place.groups:
                self._twice(cells, number, row, place, counts.group)
            else:
                place.groups[counts.group] = counts, number
            facts = get_facts(row)
            if facts != place.raw_facts:
                self._add_facts(cells, number, row, place, facts)

    def _long_counts(self, cells: CellReader, number: int, row: list[str]) -> GroupCounts | None:
        """The counts of one row; None, noted, where its group or a count cannot be read."""
        text = cells.text(row, "candidate")
        group = None
        try:
            group = self._ballot.group(text)
        except CellFault as fault:
            cells.bad(number, "candidate", text, fault.expected)
        counts, good = cells.counts(number, row, group or "", {column: column for column in GROUP_COLUMNS})
        return counts if good and group is not None else None

    def _twice(
        self, cells: CellReader, number: int, row: list[str], sheet: SheetInProgress, group: str
    ) -> None:
        first = sheet.groups[group][1]
        there = _row(first, sheet, cells)
        expected = f"one row for {group} in {sheet.precinct.id}: {there} is one already"
        cells.bad(number, "candidate", cells.text(row, "candidate"), expected)
        sheet.bad = True

    def _add_facts(
        self, cells: CellReader, number: int, row: list[str], sheet: SheetInProgress, raw: _Raw
    ) -> None:
        sheet.raw_facts = raw
        if not any(raw):
            return
        facts, good = cells.facts(number, row)
        if not (cells.merge(sheet, number, row, facts) and good):
            sheet.bad = True

    # Wide form

    def _read_wide(self, table: Table, cells: CellReader) -> None:
        for heading, expected in strange_columns(table, self._ballot):
            self.problems.append(
                Problem(
                    table.file,
                    table.sheet,
                    table.heading_row,
                    heading.text,
                    heading.text,
                    expected,
                    heading.letter,
                )
            )
            self.unusable = True
        columns = {
            group: {column: field_path(group, column) for column in GROUP_COLUMNS}
            for group in self._ballot.keys
        }
        present = {
            group: any(path in table.columns for path in paths.values()) for group, paths in columns.items()
        }
        paths = [columns[group][column] for group in columns for column in COUNTS]
        for number, row in table.rows(self.problems, paths):
            place = self._place(cells, number, row)
            read = [cells.counts(number, row, group, columns[group]) for group in columns if present[group]]
            good = all(fine for _, fine in read)
            if isinstance(place, str):
                for counts, fine in read:
                    if fine and not counts.blank:
                        self._add_total(cells, number, place, counts)
                continue
            facts, facts_good = cells.facts(number, row)
            if place is None:
                continue
            if place.groups or place.facts != Facts():
                there = _row(place.row, place, cells)
                expected = f"a precinct that stands once: {there} is {place.precinct.id} already"
                cells.bad(number, self._key_column(cells), place.precinct.id, expected)
                place.bad = True
                continue
            place.groups = {counts.group: (counts, number) for counts, _ in read}
            place.bad |= not (cells.merge(place, number, row, facts) and good and facts_good)

    def _key_column(self, cells: CellReader) -> str:
        return "precinct_id" if cells.table.index("precinct_id") is not None else "precinct"

    # Precincts

    def _place(self, cells: CellReader, number: int, row: list[str]) -> SheetInProgress | str | None:
        """The precinct's sheet, the county of a control total, or None, noted, where neither can be told."""
        before = len(self.problems)
        key = cells.cell(number, row, "precinct_id", ident) or ""
        county = cells.cell(number, row, "county", name) or ""
        called = cells.cell(number, row, "precinct", name) or ""
        if len(self.problems) > before:
            return None
        try:
            if not key and fold(called) in TOTAL_WORDS:
                return self._finder.county(county)
            precinct = self._finder.find(key, county, called)
        except NotPlaced as fault:
            cells.bad(number, fault.column, fault.value, fault.expected)
            return None
        if key and called and fold_name(called) != fold_name(precinct.name):
            self.other_names.setdefault(precinct.id, (called, precinct.name, number))
        sheet = self.sheets.get(precinct.id)
        if sheet is None:
            sheet = self.sheets[precinct.id] = SheetInProgress(precinct, cells.table, number)
        return sheet

    def _add_total(self, cells: CellReader, number: int, county: str, counts: GroupCounts) -> None:
        total = ControlTotal(county, counts.group, counts.first, counts.final, counts.delegates)
        known = self.totals.setdefault((county, counts.group), (total, number))
        if known[0] is not total and known[1] != number:
            column = "candidate" if cells.table.index("candidate") is not None else "precinct"
            expected = f"one total of {county} for {counts.group}: row {known[1]} is one already"
            cells.bad(number, column, counts.group, expected)

    # Rows that belong to no precinct

    def _placed(self, sheet: SheetInProgress) -> None:
        self._last = sheet
        if self._open_loose:
            for loose in self._open_loose:
                loose.after = sheet
            self._open_loose = []

    def _add_loose(self, cells: CellReader, number: int, row: list[str]) -> None:
        counts = self._long_counts(cells, number, row)
        if not cells.text(row, "precinct_id").strip() and fold(cells.text(row, "precinct")) in TOTAL_WORDS:
            return  # a county's total is no precinct's row, wherever it belongs
        loose = LooseRow(number, counts.group if counts else None, self._last)
        self._loose.append(loose)
        self._open_loose.append(loose)

    def _settle_broken(self, table: Table, cells: CellReader) -> None:
        """Rows with too many cells or too few: the precinct, where the row still tells it, is left out."""
        long = form_of(table) is Form.LONG
        rows, sheets = self._rows_of(table) if long and table.broken else ([], [])
        for number, row in table.broken:
            kept = len(self.problems)
            place = self._place(cells, number, row)
            del self.problems[kept:]
            if isinstance(place, SheetInProgress):
                place.bad = True
            elif long:
                after = bisect(rows, number)
                self._loose.append(
                    LooseRow(
                        number,
                        None,
                        sheets[after - 1] if after else None,
                        sheets[after] if after < len(sheets) else None,
                    )
                )

    def _settle_merged(self, table: Table) -> None:
        """A precinct with merged cells is left out: they look blank, and are not."""
        merged = list(table.merged_cells())
        if not merged:
            return
        rows, sheets = self._rows_of(table)
        for problem, span in merged:
            self.problems.append(problem)
            for sheet in sheets[bisect_left(rows, span.start) : bisect_left(rows, span.stop)]:
                sheet.bad = True

    def _rows_of(self, table: Table) -> tuple[list[int], list[SheetInProgress]]:
        """Every row of a table that belongs to a sheet, ascending, and beside it the sheet."""
        found = {sheet.row: sheet for sheet in self.sheets.values() if sheet.table is table}
        for sheet in list(found.values()):
            found.update((number, sheet) for _, number in sheet.groups.values())
        rows = sorted(found)
        return rows, [found[row] for row in rows]

    def settle_loose_rows(self) -> None:
        """Leaves out a precinct that lacks just the row that could not be placed beside it."""
        usual = max((len(sheet.groups) for sheet in self.sheets.values()), default=0)
        for loose in self._loose:
            for sheet in loose.suspects(usual):
                sheet.bad = True
                expected = (
                    f"all rows of {sheet.precinct.id}: row {loose.number}, which cannot be placed, may be one"
                )
                self.problems.append(sheet.table.problem(sheet.row, None, sheet.precinct.id, expected))


def _row(number: int, sheet: SheetInProgress, cells: CellReader) -> str:
    """A row named in a sentence about another one, with its worksheet where that is another."""
    return f"row {number}" if sheet.table is cells.table else f"row {number} of sheet {sheet.table.sheet}"
