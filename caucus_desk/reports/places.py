"""Sheets by place: districts, counties, precincts. Each adds up to the same totals."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from caucus_desk.reports.book import SUMMED, Book, Measure, channel_word, ranked
from caucus_desk.reports.plan import NOT_KNOWN, Block, Column, Kind, Page, Row, Value, column_letter, rows_of
from caucus_desk.tally.counting import counts
from caucus_desk.tally.form import column_label
from caucus_desk.tally.overview import same_awards
from caucus_desk.tally.results import Counting, PrecinctResult, TallyRow
from caucus_desk.tally.sheet import ATTENDANCE, GroupCounts, ResultSheet
from caucus_desk.tally.sheet import Column as SheetColumn

DISTRICTS, COUNTIES, PRECINCTS = "Districts", "Counties", "Precincts"

_PLACE_COLUMNS = ("Precincts", "Reporting", "Verified", "Counted")
_WITH_SHARE = (*SUMMED, Measure.SHARE)


@dataclass(frozen=True, slots=True)
class PlacePage:
    """A page whose rows add up to the state's totals, and where each figure stands on it."""

    page: Page
    leading: int
    """Columns before the first group's."""
    measures: tuple[Measure, ...]
    keys: tuple[str, ...]
    counts: tuple[str, ...] = ()
    """Headings of columns that are checked too."""

    def column(self, group: str, measure: Measure) -> int:
        """Index, from 0, of a group's column."""
        return self.leading + self.keys.index(group) * len(self.measures) + self.measures.index(measure)

    def column_of(self, heading: str) -> int:
        columns = self.page.blocks[0].columns
        return next(index for index, column in enumerate(columns) if column.heading == heading)

    def range(self, column: int) -> str:
        """`'Counties'!$F$5:$F$108`: from the headings down, so that it holds without any row."""
        letter, page = column_letter(column), self.page
        return f"'{page.name}'!${letter}${page.header_row}:${letter}${page.last_row}"

    def written(self, column: int) -> float:
        """What the column's numbers add up to."""
        return self.page.blocks[0].measured[column].total


def districts(book: Book) -> PlacePage:
    return _tally_page(
        book,
        DISTRICTS,
        "By congressional district",
        "Satellite sites count in their district; sites outside the state have a row of their own.",
        "District",
        book.districts,
    )


def counties(book: Book) -> PlacePage:
    return _tally_page(
        book,
        COUNTIES,
        "By county",
        "Satellite pools stand in their place in the roster; they are no counties. The deeper the shade, the "
        "larger the share.",
        "County",
        book.counties,
    )


def group_columns(book: Book, measures: Sequence[Measure], scaled: bool = False) -> list[Column]:
    return [
        Column(
            book.heading(group, measure),
            measure.kind,
            starts_group=place == 0,
            scaled=scaled and measure is Measure.SHARE,
        )
        for group in book.rules.keys
        for place, measure in enumerate(measures)
    ]


def _tally_page(
    book: Book, name: str, title: str, note: str, first: str, rows: Sequence[TallyRow]
) -> PlacePage:
    leading = (
        Column(first, Kind.TEXT),
        Column("Leads", Kind.TEXT),
        *(Column(heading) for heading in _PLACE_COLUMNS),
        Column(f"{book.unit}, all groups", Kind.UNITS),
    )
    columns = (*leading, *group_columns(book, _WITH_SHARE, scaled=name == COUNTIES))
    return PlacePage(
        Page(
            name,
            title,
            note,
            (
                Block(
                    columns,
                    [_tally_row(book, row.name, row) for row in rows],
                    total=_tally_row(book, "Total", book.state),
                    strong_first=True,
                ),
            ),
            frozen_columns=1,
            wide=True,
            data_table=True,
        ),
        len(leading),
        _WITH_SHARE,
        book.rules.keys,
        _PLACE_COLUMNS,
    )


def _tally_row(book: Book, name: str, row: TallyRow) -> Row:
    total = row.sde_total
    cells: list[Value] = [
        name,
        leads(book, row),
        row.precincts,
        row.reporting,
        row.verified,
        row.counted,
        book.units_cell(row, total),
    ]
    for line in row.groups:
        cells.extend(book.cells(row, line, _WITH_SHARE, total))
    return cells


def leads(book: Book, row: TallyRow) -> str:
    """Who has the most SDEs there; all of them where they are level."""
    ranking = ranked(row)
    if not ranking:
        return NOT_KNOWN
    level = [book.labels[line.group] for line in ranking if line.sde == ranking[0].sde]
    return " = ".join(level)


def precincts(book: Book) -> PlacePage:
    """One row a precinct: what its standing sheet says, and what the rules give."""
    leading = (
        Column("Precinct id", Kind.ID, widest=24),
        Column("County", Kind.TEXT, widest=22),
        Column("Precinct", Kind.TEXT, widest=30),
        Column("District", Kind.ID),
        Column("State", Kind.WORD, words=(("mismatched", "amber"),)),
        Column("Verified", Kind.WORD),
        Column("Counted", Kind.WORD),
        Column("Standing sheet", Kind.WORD),
        Column("Rules agree", Kind.WORD, words=(("differs", "amber"), ("toss", "amber"))),
        Column(column_label(book.rules, ATTENDANCE)),
        *(Column(field.label) for field in book.rules.fields),
        Column("Delegates to elect"),
        Column("First, all groups"),
        Column("Final, all groups"),
        Column("Delegates, all groups"),
    )
    columns = (*leading, *group_columns(book, SUMMED))
    rows = rows_of(book.results, lambda result: _precinct_row(book, result))
    blank = "An empty cell is blank on the sheet, or the sheet isn't in: never zero."
    if book.counting is Counting.VERIFIED:
        blank += " Precincts that are not verified are not counted and show no figures."
    return PlacePage(
        Page(
            PRECINCTS,
            "By precinct",
            f"What each standing sheet says, and what the rules give for it. {blank}",
            (Block(columns, rows, total=_precinct_total(book, len(leading))),),
            frozen_columns=3,
            wide=True,
            data_table=True,
        ),
        len(leading),
        SUMMED,
        book.rules.keys,
        ("First, all groups", "Final, all groups", "Delegates, all groups"),
    )


def _precinct_row(book: Book, result: PrecinctResult) -> Row:
    precinct, stands = result.precinct, result.standing
    counted = counts(result, book.counting)
    cells: list[Value] = [
        precinct.id,
        precinct.county,
        precinct.name,
        precinct.district or ("out of state" if precinct.is_satellite else None),
        "merged" if precinct.merged else str(stands.state),
        "yes" if result.verified else "no",
        "yes" if counted else "no",
        channel_word(stands.channel) if stands.sheet is not None else NOT_KNOWN,
        _agreement(result),
    ]
    sheet = stands.sheet
    if not counted or sheet is None:
        return [*cells, None, *[None] * len(book.rules.fields), result.delegates_to_elect]
    cells += [
        sheet.attendance,
        *(sheet.count(field.key) for field in book.rules.fields),
        result.delegates_to_elect,
        sheet.total(SheetColumn.FIRST),
        sheet.total(SheetColumn.FINAL),
        sheet.total(SheetColumn.DELEGATES),
    ]
    worth = book.overview.delegate_worth(precinct.id)
    numerator, denominator, decimals = worth.numerator, worth.denominator, book.decimals
    computed_by = result.computed
    rows = sheet.by_group
    if not worth and precinct.county in book.unscaled:
        return [*cells, *_without_units(book, rows, computed_by)]
    for group in book.rules.keys:
        row = rows.get(group)
        computed = computed_by.get(group, 0)
        units_computed = (
            decimals.places_of(computed * numerator, denominator) / decimals.scale if computed else 0
        )
        if row is None:
            cells += (None, None, None, computed, None, units_computed)
            continue
        given = row.delegates
        units: float | None = given
        if given:
            units = (
                units_computed
                if given == computed
                else decimals.places_of(given * numerator, denominator) / decimals.scale
            )
        cells += (row.first, row.final, given, computed, units, units_computed)
    return cells


def _without_units(
    book: Book, rows: Mapping[str, GroupCounts], computed: Mapping[str, int]
) -> Iterator[Value]:
    """The groups' cells of a precinct whose SDEs cannot be worked out: a dash where delegates are."""
    for group in book.rules.keys:
        row, given = rows.get(group), computed.get(group, 0)
        reported = row.delegates if row is not None else None
        yield from (row.first, row.final, reported) if row is not None else (None, None, None)
        yield given
        yield NOT_KNOWN if reported else reported
        yield NOT_KNOWN if given else 0


def _agreement(result: PrecinctResult) -> str:
    """Whether the delegates on the sheet are those that the rules give."""
    if not result.reporting:
        return NOT_KNOWN
    if result.not_computed:
        return "not computed"
    if result.tie is not None:
        return "toss open"
    return "yes" if same_awards(result.reported, result.computed) else "differs"


def _stated_by_all(sheets: Sequence[ResultSheet], path: str) -> Value:
    """The sum, where every counted sheet states it: a blank is not zero people."""
    stated = [sheet.count(path) for sheet in sheets]
    return NOT_KNOWN if None in stated else sum(count for count in stated if count is not None)


def _precinct_total(book: Book, leading: int) -> Row:
    state = book.state
    people = (ATTENDANCE, *(field.key for field in book.rules.fields))
    sheets = [
        result.standing.sheet
        for result in book.results
        if result.standing.sheet is not None and counts(result, book.counting)
    ]
    cells: list[Value] = ["Total", *[None] * (leading - 5 - len(people))]
    cells += [
        *(_stated_by_all(sheets, path) for path in people),
        sum(r.delegates_to_elect or 0 for r in book.results),
        state.first_total,
        state.final_total,
        state.delegates_total,
    ]
    for line in state.groups:
        cells.extend(book.cells(state, line, SUMMED, Fraction(0)))
    return cells
