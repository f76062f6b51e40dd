"""Results of many precincts from a .csv or .xlsx file, in long or in wide form, as result sheets."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path

from caucus_desk.exchange.ballot import Ballot
from caucus_desk.exchange.cells import CellFault, ident, name
from caucus_desk.exchange.folding import fold, fold_name
from caucus_desk.exchange.matching import NotPlaced, PrecinctFinder
from caucus_desk.exchange.opening import open_tables
from caucus_desk.exchange.problems import Problem, shortened
from caucus_desk.exchange.resultcolumns import (
    COUNTS,
    GROUP_COLUMNS,
    KEYS,
    Form,
    form_of,
    strange_columns,
    vocabulary,
)
from caucus_desk.exchange.roster import TOTAL_WORDS
from caucus_desk.exchange.sheetbuilding import FACT_COLUMNS, CellReader, Facts, LooseRow, SheetInProgress
from caucus_desk.exchange.tables import Table
from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.tally.progress import Progress, no_progress
from caucus_desk.tally.results import ControlTotal
from caucus_desk.tally.roster import Precinct
from caucus_desk.tally.sheet import GroupCounts, ResultSheet, field_path

_EXAMPLES = 6


@dataclass(frozen=True, slots=True)
class LoadedSheet:
    """One precinct's sheet and the first row of the file that speaks of it."""

    precinct_id: str
    sheet: ResultSheet
    row: int


@dataclass(frozen=True)
class ResultsFile:
    """What a results file holds.

    A precinct with a bad row is left out of `sheets` as a whole: the rest of it would be a wrong sheet.
    """

    sheets: tuple[LoadedSheet, ...]
    control_totals: tuple[ControlTotal, ...]
    problems: tuple[Problem, ...]
    warnings: tuple[str, ...]


def read_results(
    path: Path, rules: RuleSet, precincts: Mapping[str, Precinct], progress: Progress | None = None
) -> ResultsFile:
    """Read the results of a caucus whose roster is `precincts` (by id).

    Columns that the file lacks are not stated. Rows that cannot be read are in `problems`, all of them.

    Raises:
        BadInput: the file cannot be read at all, or has no heading with the needed columns.
    """
    ballot = Ballot(rules)
    reading = _Reading(rules, ballot, PrecinctFinder(precincts))
    with open_tables(
        path, vocabulary(rules, ballot), progress or no_progress, "Reading the results"
    ) as source:
        warnings = list(source.warnings)
        for table in source.tables:
            reading.read(table)
            warnings += table.warnings()
    reading.settle_loose_rows()
    return reading.file(source.file, warnings)


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


class _Reading:
    """The sheets of a whole file while its tables are read one after the other."""

    def __init__(self, rules: RuleSet, ballot: Ballot, finder: PrecinctFinder) -> None:
        self._rules, self._ballot, self._finder = rules, ballot, finder
        self._sheets: dict[str, SheetInProgress] = {}
        self._totals: dict[tuple[str, str], tuple[ControlTotal, int]] = {}
        self._problems: list[Problem] = []
        self._loose: list[LooseRow] = []
        self._open_loose: list[LooseRow] = []
        self._last: SheetInProgress | None = None
        self._other_names: dict[str, tuple[str, str, int]] = {}
        self._unusable = False

    def read(self, table: Table) -> None:
        cells = CellReader(table, self._rules, self._ballot, self._problems)
        self._last, self._open_loose = None, []
        if form_of(table) is Form.LONG:
            self._read_long(table, cells)
        else:
            self._read_wide(table, cells)
        for number, row in table.broken:
            self._broken(cells, number, row)
        merged = list(table.merged_cells())
        self._problems += (problem for problem, _ in merged)
        for _, rows in merged:
            for sheet in self._sheets.values():
                if sheet.table is table and (
                    sheet.row in rows or any(row in rows for _, row in sheet.groups.values())
                ):
                    sheet.bad = True

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
        for number, row in table.rows(self._problems, COUNTS):
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
        expected = f"one row for {group} in {sheet.precinct.id}: row {first} is one already"
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
            self._problems.append(
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
            self._unusable = True
        columns = {
            group: {column: field_path(group, column) for column in GROUP_COLUMNS}
            for group in self._ballot.keys
        }
        present = {
            group: any(path in table.columns for path in paths.values()) for group, paths in columns.items()
        }
        paths = [columns[group][column] for group in columns for column in COUNTS]
        for number, row in table.rows(self._problems, paths):
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
                expected = f"a precinct that stands once: row {place.row} is {place.precinct.id} already"
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
        before = len(self._problems)
        key = cells.cell(number, row, "precinct_id", ident) or ""
        county = cells.cell(number, row, "county", name) or ""
        called = cells.cell(number, row, "precinct", name) or ""
        if len(self._problems) > before:
            return None
        try:
            if not key and fold(called) in TOTAL_WORDS:
                return self._finder.county(county)
            precinct = self._finder.find(key, county, called)
        except NotPlaced as fault:
            cells.bad(number, fault.column, fault.value, fault.expected)
            return None
        if key and called and fold_name(called) != fold_name(precinct.name):
            self._other_names.setdefault(precinct.id, (called, precinct.name, number))
        sheet = self._sheets.get(precinct.id)
        if sheet is None:
            sheet = self._sheets[precinct.id] = SheetInProgress(precinct, cells.table, number)
        return sheet

    def _add_total(self, cells: CellReader, number: int, county: str, counts: GroupCounts) -> None:
        total = ControlTotal(county, counts.group, counts.first, counts.final, counts.delegates)
        known = self._totals.setdefault((county, counts.group), (total, number))
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

    def _broken(self, cells: CellReader, number: int, row: list[str]) -> None:
        """A row whose cells are shifted: its precinct, where the first cells still tell it, is left out."""
        kept = len(self._problems)
        place = self._place(cells, number, row)
        del self._problems[kept:]
        if isinstance(place, SheetInProgress):
            place.bad = True
            return
        ordered = (
            sorted(
                (r, sheet)
                for sheet in self._sheets.values()
                if sheet.table is cells.table
                for _, r in sheet.groups.values()
            )
            if form_of(cells.table) is Form.LONG
            else []
        )
        before = next((sheet for r, sheet in reversed(ordered) if r < number), None)
        after = next((sheet for r, sheet in ordered if r > number), None)
        self._loose.append(LooseRow(number, None, before, after))

    def settle_loose_rows(self) -> None:
        """Leaves out a precinct that lacks just the row that could not be placed beside it."""
        usual = max((len(sheet.groups) for sheet in self._sheets.values()), default=0)
        for loose in self._loose:
            for sheet in loose.suspects(usual):
                sheet.bad = True
                expected = (
                    f"all rows of {sheet.precinct.id}: row {loose.number}, which cannot be placed, may be one"
                )
                self._problems.append(sheet.table.problem(sheet.row, None, sheet.precinct.id, expected))

    # The outcome

    def file(self, file: str, warnings: list[str]) -> ResultsFile:
        sheets, empty, left_out = [], [], []
        for sheet in self._sheets.values():
            if sheet.bad or self._unusable:
                left_out.append(sheet.precinct.id)
            elif sheet.empty:
                empty.append(sheet.precinct.id)
            else:
                sheets.append(LoadedSheet(sheet.precinct.id, sheet.sheet(self._ballot), sheet.row))
        texts = self._more_warnings(empty, left_out)
        problems = sorted(self._problems, key=lambda problem: (problem.sheet or "", problem.row or 0))
        return ResultsFile(
            tuple(sheets),
            tuple(total for total, _ in self._totals.values()),
            tuple(problems),
            (*warnings, *(f"{file}: {text}" for text in texts)),
        )

    def _more_warnings(self, empty: list[str], left_out: list[str]) -> Iterator[str]:
        if self._other_names:
            shown = [
                f"“{shortened(called)}” for {precinct_id}, {shortened(known)} (row {row})"
                for precinct_id, (called, known, row) in list(self._other_names.items())[:_EXAMPLES]
            ]
            yield (
                f"{_number(self._other_names, 'precinct is', 'precincts are')} named otherwise than in the "
                f"roster and matched by id: {', '.join(shown)}{_and_more(self._other_names)}."
            )
        if empty:
            yield (
                f"{_number(empty, 'precinct has', 'precincts have')} no figures and counts as not reported: "
                f"{', '.join(empty[:_EXAMPLES])}{_and_more(empty)}."
            )
        if left_out:
            yield (
                f"{_number(left_out, 'precinct', 'precincts')} with a row that cannot be read: "
                f"{', '.join(left_out[:_EXAMPLES])}{_and_more(left_out)}."
            )


def _number(things: Counter[str] | Mapping[str, object] | list[str], one: str, many: str) -> str:
    return f"{len(things):,} {one if len(things) == 1 else many}"


def _and_more(things: Mapping[str, object] | list[str]) -> str:
    return f" and {len(things) - _EXAMPLES:,} more" if len(things) > _EXAMPLES else ""
