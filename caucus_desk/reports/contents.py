"""Which sheets a workbook has, and in which order, by whom it is for."""

from collections.abc import Sequence
from dataclasses import dataclass

from caucus_desk.reports import computed, doubts, method
from caucus_desk.reports.book import Book
from caucus_desk.reports.checks import Parts, checks
from caucus_desk.reports.departing import departing
from caucus_desk.reports.national import national
from caucus_desk.reports.outlookpage import outlook_page
from caucus_desk.reports.overtime import OverTime, over_time
from caucus_desk.reports.places import counties, districts, precincts
from caucus_desk.reports.plan import Page
from caucus_desk.reports.releasesheet import release_pages
from caucus_desk.reports.summary import SummaryPage, summary
from caucus_desk.reports.totals import WorkbookTotals
from caucus_desk.tally.bounds import outlook
from caucus_desk.tally.editions import Edition
from caucus_desk.tally.evening import Point
from caucus_desk.tally.outlook import Outlook


@dataclass(frozen=True, slots=True)
class Contents:
    """The sheets of a workbook. The method's is planned again at the end, with what could not be held."""

    first: SummaryPage
    middle: tuple[Page, ...]
    how: Page
    last: Page
    over_time: OverTime | None

    @property
    def pages(self) -> list[Page]:
        return [self.first.page, *self.middle, self.how, self.last]


def contents(
    book: Book,
    totals: WorkbookTotals,
    curve: Sequence[Point] = (),
    bounds: Outlook | None = None,
    more: Sequence[Page] = (),
) -> Contents:
    """Plans every sheet.

    `curve` says how the night went; without it there is no sheet of it. `bounds` are worked out here where
    they are not at hand. `more` are sheets to stand before the method's.
    """
    whole = book.edition.whole
    seats = national(book) if whole else None
    areas = (districts(book), counties(book)) if whole else ()
    places = (*areas, precincts(book))
    mismatches, findings = doubts.mismatches(book), doubts.findings(book)
    missing, differing = doubts.missing_paper(book), computed.as_computed(book)
    night = over_time(book, curve) if whole else None
    middle: list[Page] = []
    if seats is not None:
        middle.append(seats.page)
    if book.edition is Edition.LEADERSHIP:
        middle.append(outlook_page(book, bounds or outlook(book.overview, book.counting)))
    middle += (place.page for place in places)
    if night is not None:
        middle.append(night.page)
    middle += (mismatches, findings, missing, differing, departing(book), computed.working(book))
    if whole:
        middle += release_pages(book, people=book.people)
    middle += more
    how = method.method(book, ())
    allocation = seats.allocation if seats is not None else None
    first = summary(book, allocation, [*middle, how])
    last = checks(book, totals, Parts(first, places, seats, mismatches, findings, missing, differing))
    first = summary(book, allocation, [*middle, how, last])
    return Contents(first, tuple(middle), how, last, night)
