"""The leadership workbook: one file that says who leads, on how much of the vote, and what is in doubt."""

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

from caucus_desk.reports.book import Book
from caucus_desk.reports.errors import DoesNotAddUp, NotOurWorkbook
from caucus_desk.reports.plan import Page
from caucus_desk.reports.stamp import ReleaseStamp
from caucus_desk.reports.totals import WorkbookTotals
from caucus_desk.tally.editions import Edition
from caucus_desk.tally.evening import Point
from caucus_desk.tally.outlook import Outlook
from caucus_desk.tally.overview import Overview
from caucus_desk.tally.progress import Progress, no_progress
from caucus_desk.tally.results import Counting


def write_leadership(
    path: Path,
    overview: Overview,
    *,
    as_of: datetime,
    counting: Counting,
    progress: Progress = no_progress,
    verify: bool = False,
    before_placing: Callable[[WorkbookTotals], None] | None = None,
    released: ReleaseStamp | None = None,
    edition: Edition = Edition.LEADERSHIP,
    curve: Sequence[Point] = (),
    bounds: Outlook | None = None,
    more: Sequence[Page] = (),
) -> WorkbookTotals:
    """Write the workbook to `path`, whole or not at all, and say what its sheets must add up to.

    `as_of` is UTC and aware; cells show local time. The totals come from the overview, not from the
    file: compare them with `read_back(path)`. With `verify` that is done here, before the file takes
    its place. `before_placing` is called when all is well and the file is about to take its place. A
    `Cancelled` raised by `progress`, like any other failure, leaves what stood at `path`.

    With `released`, `overview` is that release's, and the file is the same to the byte whenever it is
    written: `as_of` is not used then.

    The county edition takes that county's overview (tally.part). `curve` says how the night went, in times
    of UTC; `bounds` are those of `overview`, worked out here where they are not at hand; `more` are sheets
    to stand before the method's.

    Raises CannotWrite (with another name to offer), TooManyRows, and DoesNotAddUp with `verify`.
    """
    from caucus_desk.reports.saving import replacing

    with replacing(path) as temporary:
        # openpyxl takes a while to load, so it is loaded when there is something to write.
        from caucus_desk.reports.writing import write_book

        book = Book.of(overview, as_of, counting, released, edition)
        totals = write_book(temporary, book, progress, curve, bounds, more)
        if verify:
            progress(0, 0, "Reading it back")
            try:
                differences = totals.differences(read_back(temporary))
            except NotOurWorkbook as error:
                raise DoesNotAddUp(("It can't be read.",)) from error
            if differences:
                raise DoesNotAddUp(differences)
        if before_placing is not None:
            before_placing(totals)
        return totals


def read_back(path: Path) -> WorkbookTotals:
    """The control totals that the file at `path` holds, read from its cells. Raises NotOurWorkbook."""
    from caucus_desk.reports.totals import read

    return read(path)
