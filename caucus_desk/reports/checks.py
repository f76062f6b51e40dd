"""The last sheet adds the others up again, with live formulas, and compares with the control totals.

A formula has no value until a program calculates it, so the result when written stands beside it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from caucus_desk.reports.book import SUMMED, Book, Measure
from caucus_desk.reports.computed import AS_COMPUTED
from caucus_desk.reports.national import NationalPage
from caucus_desk.reports.places import PRECINCTS, PlacePage
from caucus_desk.reports.plan import Block, Column, Formula, Kind, Page, Row, Value, column_letter
from caucus_desk.reports.summary import SUMMARY, SummaryPage
from caucus_desk.reports.totals import GroupSums, WorkbookTotals
from caucus_desk.tally.finding import Severity

CHECKS = "Checks"
OK, DIFFERS = "OK", "DIFFERS"
_RESULTS = ((OK, "green"), ("DIFFER", "red"))
_NOISE = 1e-6
"""Sums of decimals in floating point are off by less than this."""


@dataclass(frozen=True, slots=True)
class Check:
    """One line. `control` is what the store says, `written` what the sheet's values add up to."""

    what: str
    sheet: str
    group: str
    control: float
    written: float
    formula: str
    tolerance: float = 0.0

    @property
    def holds(self) -> bool:
        return abs(self.written - self.control) <= self.tolerance + _NOISE


@dataclass(frozen=True, slots=True)
class Parts:
    """The sheets that are added up again."""

    summary: SummaryPage
    places: Sequence[PlacePage]
    national: NationalPage | None
    mismatches: Page
    findings: Page
    missing_paper: Page
    as_computed: Page


def checks(book: Book, totals: WorkbookTotals, parts: Parts) -> Page:
    """The sheet of checks. Every line is a value, a live formula, and whether they agree."""
    lines = tuple(_all(book, totals, parts))
    columns = (
        Column("Check", Kind.TEXT, widest=44),
        Column("Sheet", Kind.TEXT),
        Column("Group", Kind.TEXT),
        Column("Control total", Kind.EITHER),
        Column("Added up when written", Kind.EITHER),
        Column("May differ by", Kind.UNITS),
        Column("Result when written", Kind.WORD, words=_RESULTS),
        Column("Added up now", Kind.EITHER, starts_group=True, narrowest=16),
        Column("Now differs by", Kind.EITHER, narrowest=12),
        Column("Result now", Kind.WORD, words=_RESULTS, narrowest=12),
        Column("What differs now, the first of it", Kind.TEXT, narrowest=60, runs_on=True),
    )
    first = 6  # banner, title, note, total, headings
    rows = [_row(line, first + place) for place, line in enumerate(lines)]
    last = first + len(lines) - 1
    held = sum(line.holds for line in lines)
    total: Row = (
        f"All {len(lines):,} checks",
        None,
        None,
        None,
        None,
        None,
        OK if held == len(lines) else f"{len(lines) - held:,} DIFFER",
        None,
        None,
        Formula(f'=IF(COUNTIF($J${first}:$J${last},"{OK}")={len(lines)},"{OK}","{DIFFERS}")'),
        Formula(_what_differs(first, last), Kind.TEXT),
    )
    page = Page(
        CHECKS,
        "Every sheet added up again",
        "Right of the line: formulas that count as soon as a program calculates this file. Left of it: "
        "the same as values, from when it was written. Control totals come from the store, not from these "
        "sheets.",
        (Block(columns, rows, total=total),),
        frozen_columns=1,
        tab="grey",
    )
    if page.first_data_row != first:
        raise AssertionError("the formulas would point at the wrong rows")
    return page


def _what_differs(first: int, last: int) -> str:
    """One line for whoever changed a number: `Precincts: Warren final should be 140 and is 143.`"""

    def at(letter: str) -> str:
        return f'INDEX(${letter}${first}:${letter}${last},MATCH("{DIFFERS}",$J${first}:$J${last},0))'

    def figure(letter: str) -> str:
        return f'TEXT({at(letter)},"#,##0.####")'

    more = f'COUNTIF($J${first}:$J${last},"{DIFFERS}")'
    return (
        f'=IF({more}=0,"Nothing: every sheet adds up.",'
        f'{at("B")}&": "&IF({at("C")}="","",{at("C")}&" ")&{at("A")}&" should be "&{figure("D")}&" and is "&'
        f'{figure("H")}&"."&IF({more}>1," And "&({more}-1)&" more below.",""))'
    )


def _row(line: Check, row: int) -> Row:
    kind = Kind.COUNT if isinstance(line.control, int) else Kind.UNITS
    formula = line.formula.replace("{row}", str(row))
    return (
        line.what,
        line.sheet,
        line.group or None,
        line.control,
        int(line.written) if kind is Kind.COUNT and not line.written % 1 else line.written,
        line.tolerance or None,
        OK if line.holds else DIFFERS,
        Formula(f"={formula}", kind),
        Formula(f"=H{row}-D{row}", kind),
        Formula(f'=IF(ABS(I{row})<=N(F{row})+{_NOISE:.6f},"{OK}","{DIFFERS}")'),
        None,
    )


def _all(book: Book, totals: WorkbookTotals, parts: Parts) -> Iterator[Check]:
    yield from _summary(book, totals.sheet(SUMMARY).groups, parts.summary)
    for place in parts.places:
        yield from _place(book, totals.sheet(place.page.name).groups, place)
    yield from _rounding(book, parts.places)
    yield from _counts(book, parts.places)
    if parts.national is not None:
        yield from _national(book, parts.national)
    yield from _moves(book, parts.as_computed)
    overview = book.overview
    yield _rows("Rows", parts.mismatches, 0, len(overview.mismatches()))
    yield _rows("Rows", parts.missing_paper, 3, len(overview.missing_paper()))
    by_severity = Counter(entry.severity for entry in overview.findings())
    for severity in Severity:
        yield _word(f"Findings: {severity}", parts.findings, 2, str(severity), by_severity[severity])


def _summary(book: Book, sums: Sequence[GroupSums], page: SummaryPage) -> Iterator[Check]:
    for key, line in zip(book.rules.keys, sums, strict=True):
        for measure in SUMMED:
            row, column = page.cell(key, measure)
            yield Check(
                book.words(measure),
                SUMMARY,
                book.labels[key],
                _control(line, measure),
                _number(page.written(key, measure)),
                # A dash, where there are no SDEs, counts as nothing.
                f"N('{SUMMARY}'!${column_letter(column)}${row})",
            )
    if book.state.sde_total:
        column = page.cell(book.rules.keys[0], Measure.SHARE)[1]
        letter, first = column_letter(column), page.first_group_row
        shares = [page.written(key, Measure.SHARE) for key in page.keys]
        yield Check(
            f"shares of {book.unit} make one",
            SUMMARY,
            "",
            1,
            _add(shares),
            f"SUM('{SUMMARY}'!${letter}${first}:${letter}${first + len(page.keys) - 1})",
        )


def _place(book: Book, sums: Sequence[GroupSums], place: PlacePage) -> Iterator[Check]:
    """Each group's columns add up to the state's total. SDEs are rounded in each row, so their control
    total is the exact sum of the rounded values."""
    for key, line in zip(book.rules.keys, sums, strict=True):
        for measure in SUMMED:
            column = place.column(key, measure)
            yield Check(
                book.words(measure),
                place.page.name,
                book.labels[key],
                _control(line, measure),
                place.written(column),
                f"SUM({place.range(column)})",
            )


def _rounding(book: Book, places: Sequence[PlacePage]) -> Iterator[Check]:
    """The total rounded once, against the sum of the rounded rows: apart by half a last place a row."""
    if book.rules.rounding.sum != "exact":
        return
    for place in places:
        tolerance = len(place.page.blocks[0].rows) / (2 * book.decimals.scale)
        for line in book.state.groups:
            column = place.column(line.group, Measure.UNITS)
            yield Check(
                f"{book.unit} rounded once or in each row",
                place.page.name,
                book.labels[line.group],
                book.decimals.cell(line.sde),
                place.written(column),
                f"SUM({place.range(column)})",
                tolerance,
            )


def _counts(book: Book, places: Sequence[PlacePage]) -> Iterator[Check]:
    seen, state = book.coverage, book.state
    due = {
        "Precincts": seen.total,
        "Reporting": seen.reporting,
        "Verified": seen.verified,
        "Counted": state.counted,
        "First, all groups": state.first_total,
        "Final, all groups": state.final_total,
        "Delegates, all groups": state.delegates_total,
    }
    for place in places:
        for heading in place.counts:
            column = place.column_of(heading)
            yield Check(
                heading,
                place.page.name,
                "",
                due[heading],
                place.written(column),
                f"SUM({place.range(column)})",
            )
        if place.page.name == PRECINCTS:
            yield _rows("Rows", place.page, 0, len(book.results))
            yield _word("Counted", place.page, place.column_of("Counted"), "yes", state.counted)
            yield _word("Verified", place.page, place.column_of("Verified"), "yes", seen.verified)


def _national(book: Book, national: NationalPage) -> Iterator[Check]:
    """The groups' seats add up to what was given, pool by pool."""
    block = national.page.blocks[national.seat_block]
    rows = block.rows[:-1]
    first = national.page.block_data_row(national.seat_block)
    for place, pool in enumerate(national.allocation.pools):
        letter = column_letter(1 + place)
        # Down to the headings, so that the range holds where no group has a seat yet.
        cells = f"'{national.page.name}'!${letter}${first - 1}:${letter}${first + len(rows) - 1}"
        seats = pool.pool.seats - pool.tie.k if pool.tie is not None else pool.pool.seats
        yield Check(
            f"Seats: {pool.pool.label}",
            national.page.name,
            "",
            0 if pool.empty else seats,
            _add(row[1 + place] for row in rows),
            f"SUM({cells})",
        )


def _moves(book: Book, page: Page) -> Iterator[Check]:
    """What the listed precincts move is the state's difference between computed and reported."""
    block = page.blocks[0]
    names, values = column_letter(5), column_letter(10)
    first, last = page.header_row, page.last_row
    tolerance = len(block.rows) / (2 * book.decimals.scale)
    moved: dict[Value, float] = {}  # in one reading: the rows of a long table are made anew each time
    for row in block.rows:
        moved[row[5]] = moved.get(row[5], 0.0) + _number(row[10])
    for line in book.state.groups:
        label = book.labels[line.group]
        move = line.sde_computed - line.sde
        if not move and label not in moved:
            continue
        yield Check(
            f"Computed moves, {book.unit}",
            AS_COMPUTED,
            label,
            book.decimals.cell(move),
            moved.get(label, 0.0),
            f"SUMPRODUCT(--('{AS_COMPUTED}'!${names}${first + 1}:${names}${last}=$C{{row}}),"
            f"'{AS_COMPUTED}'!${values}${first + 1}:${values}${last})",
            tolerance,
        )


def _rows(what: str, page: Page, column: int, due: int) -> Check:
    letter = column_letter(column)
    written = page.blocks[0].measured[column].filled
    cells = f"'{page.name}'!${letter}${page.header_row}:${letter}${page.last_row}"
    return Check(what, page.name, "", due, written, f"COUNTA({cells})-1")


def _word(what: str, page: Page, column: int, word: str, due: int) -> Check:
    letter = column_letter(column)
    written = page.blocks[0].measured[column].words[word]
    cells = f"'{page.name}'!${letter}${page.header_row}:${letter}${page.last_row}"
    return Check(what, page.name, "", due, written, f'COUNTIF({cells},"{word}")')


def _control(line: GroupSums, measure: Measure) -> float:
    values: dict[Measure, Fraction | int] = {
        Measure.FIRST: line.first,
        Measure.FINAL: line.final,
        Measure.DELEGATES: line.delegates,
        Measure.COMPUTED: line.delegates_computed,
        Measure.UNITS: line.units,
        Measure.UNITS_COMPUTED: line.units_computed,
    }
    value = values[measure]
    return value if isinstance(value, int) else float(value)


def _number(value: Value) -> float:
    return value if isinstance(value, (int, float)) else 0


def _add(values: Iterable[Value]) -> float:
    return sum(value for value in values if isinstance(value, (int, float)))
