"""The first sheet: who leads, on how much of the vote, what is missing, what is in doubt."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from caucus_desk.reports.book import SUMMED, Book, Measure, share
from caucus_desk.reports.plan import NOT_KNOWN, Block, Column, Kind, Page, Row, SheetLink, Value
from caucus_desk.rules.national import NationalDelegates
from caucus_desk.tally.finding import Severity
from caucus_desk.tally.state import State

SUMMARY = "Summary"
GROUP_BLOCK = 0
DOUBT_BLOCK = 1
"""The chart stands to the right of it."""
FIRST_MEASURE = 1
"""Index of the first measure's column in the block of groups."""

_STATE_WORDS = {
    State.AWAITING: "No report yet",
    State.SINGLE: "Not yet two sources that verify, by two people",
    State.MISMATCHED: "Sources differ",
    State.MATCHED: "Two sources and two people agree",
    State.RULED: "A reviewer ruled",
}


@dataclass(frozen=True, slots=True)
class SummaryPage:
    page: Page
    keys: tuple[str, ...]

    @property
    def first_group_row(self) -> int:
        """The sheet's row, from 1, of the first group."""
        return self.page.block_data_row(GROUP_BLOCK)

    def cell(self, group: str, measure: Measure) -> tuple[int, int]:
        """Row, from 1, and column, from 0, of a group's figure."""
        return (
            self.first_group_row + self.keys.index(group),
            FIRST_MEASURE + (*SUMMED, Measure.SHARE).index(measure),
        )

    def written(self, group: str, measure: Measure) -> Value:
        row = self.page.blocks[GROUP_BLOCK].rows[self.keys.index(group)]
        return row[FIRST_MEASURE + (*SUMMED, Measure.SHARE).index(measure)]


def summary(book: Book, allocation: NationalDelegates | None, contents: Sequence[Page]) -> SummaryPage:
    """`contents` are the other sheets, in their order. Without `allocation` nothing is said of national
    delegates: a part of the caucus has none."""
    page = Page(
        SUMMARY,
        book.overview.caucus or book.rules.title,
        leader_sentence(book),
        (_groups(book, allocation), _standing(book), _contents(contents)),
        table=False,
        leads=True,
    )
    return SummaryPage(page, book.rules.keys)


def leader_sentence(book: Book) -> str:
    """Who leads, by how much, on how much of the vote."""
    ranking = book.ranking
    if book.lacks_units:
        return book.unscaled_sentence
    if not ranking:
        seen = book.coverage
        are = "precinct is" if seen.total == 1 else "precincts are"
        return f"Nothing is counted yet: {seen.reporting:,} of {seen.total:,} {are} in."
    first = ranking[0]
    level = [line for line in ranking if line.sde == first.sde]
    if len(level) > 1:
        names = ", ".join(book.labels[line.group] for line in level)
        return f"{names} are level with {book.decimals.text(first.sde)} {book.units} each."
    if len(ranking) == 1:
        return f"{book.labels[first.group]} has all {book.decimals.text(first.sde)} {book.units}."
    second = ranking[1]
    margin = first.sde - second.sde
    points = float(100 * margin / book.state.sde_total)
    return (
        f"{book.labels[first.group]} leads {book.labels[second.group]} by {book.decimals.text(margin)} "
        f"{book.units} ({points:.2f} points of the share of {book.unit})."
    )


def _groups(book: Book, allocation: NationalDelegates | None) -> Block:
    total = book.state.sde_total
    leader = book.ranking[0].sde if book.ranking else Fraction(0)
    measures = (*SUMMED, Measure.SHARE)
    columns = (
        Column("Group", Kind.TEXT),
        *(Column(_sentence_case(book.words(m)), m.kind, starts_group=m is Measure.UNITS) for m in measures),
        Column(f"Behind the leader, {book.unit}", Kind.UNITS),
        Column(f"Computed moves, {book.unit}", Kind.UNITS_CHANGE),
        *((Column("National delegates"),) if allocation is not None else ()),
    )
    rows = [
        (
            book.labels[line.group],
            *book.cells(book.state, line, measures, total),
            _behind(book, leader, line.sde),
            book.units_cell(book.state, line.sde_computed - line.sde),
            *((allocation.total.get(line.group, 0),) if allocation is not None else ()),
        )
        for line in book.state.groups
    ]
    computed = sum((line.sde_computed for line in book.state.groups), Fraction(0))
    return Block(
        columns,
        rows,
        total=(
            "Total",
            book.state.first_total,
            book.state.final_total,
            book.state.delegates_total,
            sum(line.delegates_computed for line in book.state.groups),
            book.units_cell(book.state, total),
            book.units_cell(book.state, computed),
            share(total, total),
            None,
            book.units_cell(book.state, computed - total),
            *((sum(allocation.total.values()),) if allocation is not None else ()),
        ),
        title=f"The groups, in {book.unit_long}",
        note=(
            "As reported: the delegates on the sheets. Computed: the delegates that the rules give for the "
            f"same people. Share of {book.unit}: of what is in, as reported."
        ),
        strong_first=True,
    )


def _behind(book: Book, leader: Fraction, value: Fraction) -> Value:
    if not leader:
        return NOT_KNOWN
    return "leads" if value == leader else book.decimals.cell(leader - value)


def _standing(book: Book) -> Block:
    """Where the night stands: what is in, what is missing, what is in doubt."""
    overview, seen = book.overview, book.coverage
    states = Counter(result.standing.state for result in book.results if not result.precinct.merged)
    rows: list[Row] = [
        ("Precincts reporting", seen.reporting, f"of {seen.total:,}"),
        ("Counties reporting", seen.counties_reporting, f"of {seen.counties:,}"),
        ("Precincts verified", seen.verified, "agreed by two people or ruled, no open error"),
        ("Precincts counted here", book.state.counted, book.counting_text),
        *((_STATE_WORDS[state], states[state], f"precincts {state}") for state in State),
    ]
    merged = sum(result.precinct.merged for result in book.results)
    if merged:
        rows.append(("Merged with another", merged, "precincts outside all totals"))
    mismatches = overview.mismatches()
    rows.append(("Fields that differ", len(mismatches), "between the sources of one precinct"))
    findings = overview.findings()
    for severity in Severity:
        found = [entry for entry in findings if entry.severity is severity]
        opened = sum(entry.acknowledged is None for entry in found)
        after = "" if severity is Severity.NOTE else f"{opened:,} not acknowledged"
        rows.append((f"Findings: {severity}", len(found), after or None))
    differing = overview.differs()
    rows.append(("Delegates not as the rules give", len(differing), "precincts; see As computed"))
    rows.append(("Paper still missing", len(overview.missing_paper()), "precincts without a paper report"))
    if overview.unscaled_counties:
        rows.append(
            (
                f"Counties and pools without {book.unit}",
                len(overview.unscaled_counties),
                "the roster lacks their county_state_delegates; see Method",
            )
        )
    unweighed = overview.unweighed_sites()
    if unweighed:
        rows.append(
            (f"Sites without {book.unit}", len(unweighed), "nobody has stated their attendance; see Method")
        )
    columns = (Column("What", Kind.TEXT), Column("Figure"), Column("", Kind.TEXT))
    return Block(columns, rows, title="What is in, what is missing, what is in doubt", strong_first=True)


def _contents(pages: Sequence[Page]) -> Block:
    columns = (Column("Sheet", Kind.TEXT), Column("Rows"), Column("What it shows", Kind.TEXT))
    rows: list[Row] = [
        (
            SheetLink(page.name),
            len(page.blocks[0].rows) if page.table else NOT_KNOWN,
            page.title,
        )
        for page in pages
    ]
    return Block(columns, rows, title="Sheets")


def _sentence_case(text: str) -> str:
    return text[0].upper() + text[1:] if text.islower() or not text[0].isupper() else text
