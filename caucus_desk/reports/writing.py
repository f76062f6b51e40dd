"""Puts the workbook together: plans the sheets, writes them one by one, and saves."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast
from zipfile import ZIP_DEFLATED, ZipFile

from openpyxl import Workbook
from openpyxl.writer.excel import ExcelWriter

from caucus_desk.reports import method
from caucus_desk.reports.book import Book
from caucus_desk.reports.chart import add_chart
from caucus_desk.reports.contents import contents
from caucus_desk.reports.curve import add_curve
from caucus_desk.reports.look import set_styles
from caucus_desk.reports.pages import PageWriter
from caucus_desk.reports.plan import Page
from caucus_desk.reports.stamp import TimedArchive
from caucus_desk.reports.text import Cleaner, one_line
from caucus_desk.reports.totals import WorkbookTotals, expected
from caucus_desk.tally.evening import Point
from caucus_desk.tally.outlook import Outlook
from caucus_desk.tally.progress import Progress


def write_book(
    path: Path,
    book: Book,
    progress: Progress,
    curve: Sequence[Point] = (),
    bounds: Outlook | None = None,
    more: Sequence[Page] = (),
) -> WorkbookTotals:
    """Write the workbook to `path` as it is; what it must add up to is returned. For `curve`, `bounds` and
    `more` see `contents`."""
    progress(0, 0, "Adding up")
    totals = expected(book)
    progress(0, 0, "Laying out the sheets")
    planned = contents(book, totals, curve, bounds, more)

    workbook = Workbook(write_only=True)
    set_styles(workbook, book.decimals.digits)
    _describe(workbook, book)
    cleaner = Cleaner()
    meter = _Meter(progress, planned.pages)
    night = planned.over_time
    try:
        sheet = PageWriter(workbook, planned.first.page, book, cleaner, meter.of(planned.first.page)).write()
        add_chart(sheet, book, planned.first)
        for page in planned.middle:
            sheet = PageWriter(workbook, page, book, cleaner, meter.of(page)).write()
            if night is not None and page is night.page:
                add_curve(sheet, book, night)
        how = method.method(book, cleaner.account())
        PageWriter(workbook, how, book, cleaner, meter.of(how)).write()
        PageWriter(workbook, planned.last, book, cleaner, meter.of(planned.last)).write()
        progress(meter.total, meter.total, "Saving")
        save(workbook, path, book.released.made_at if book.released is not None else None)
    finally:
        _tidy(workbook)
    return WorkbookTotals(totals.banner, totals.sheets, cleaner.account())


def write_pages(
    path: Path, book: Book, about: str, pages: Sequence[Page], progress: Progress
) -> tuple[str, ...]:
    """Write a workbook of these sheets to `path` as it is: a list, no results, so nothing has to add up.

    Returns what a cell could not hold, in sentences.
    """
    workbook = Workbook(write_only=True)
    set_styles(workbook, book.decimals.digits)
    _describe(workbook, book)
    workbook.properties.title = one_line(f"{book.overview.caucus}: {about}, as of {book.as_of_text}")[:250]
    cleaner = Cleaner()
    meter = _Meter(progress, list(pages))
    try:
        for page in pages:
            PageWriter(workbook, page, book, cleaner, meter.of(page)).write()
        progress(meter.total, meter.total, "Saving")
        save(workbook, path)
    finally:
        _tidy(workbook)
    return cleaner.account()


class _Meter:
    """Turns rows written into steps of the whole workbook."""

    def __init__(self, progress: Progress, pages: list[Page]) -> None:
        self._progress = progress
        self._done = 0
        self.total = sum(len(block.rows) for page in pages for block in page.blocks)

    def of(self, page: Page) -> "_Tick":
        return _Tick(self, page.name)

    def add(self, rows: int, what: str) -> None:
        self._done = min(self._done + rows, self.total)
        self._progress(self._done, self.total, what)


class _Tick:
    def __init__(self, meter: _Meter, name: str) -> None:
        self._meter, self._what = meter, f"Writing {name}"

    def __call__(self, rows: int) -> None:
        self._meter.add(rows, self._what)


def _describe(workbook: Workbook, book: Book) -> None:
    """The document's properties, as a file manager shows them."""
    properties = workbook.properties
    properties.title = one_line(f"{book.overview.caucus}: results as of {book.as_of_text}")[:250]
    properties.subject = book.banner
    if book.released is not None:
        properties.title = one_line(f"{book.overview.caucus}: {book.released.words}")[:250]
        properties.version = str(book.released.number)
    properties.creator = "Caucus Desk"
    properties.lastModifiedBy = "Caucus Desk"
    properties.description = f"{book.banner}. {book.counting_text}."
    properties.keywords = "caucus, results, unofficial"
    properties.created = book.as_of.replace(tzinfo=None)
    workbook.calculation.fullCalcOnLoad = True


def save(workbook: Workbook, path: Path, at: datetime | None = None) -> None:
    """As `workbook.save` does, but the archive is closed also when the disk is full half-way.

    With `at`, UTC, nothing in the file tells of another time.
    """
    moment = (datetime.now(UTC) if at is None else at.astimezone(UTC)).replace(microsecond=0)
    workbook.properties.modified = moment.replace(tzinfo=None)
    with (
        ZipFile(path, "w", ZIP_DEFLATED, allowZip64=True) if at is None else TimedArchive(path, at)
    ) as archive:
        ExcelWriter(workbook, archive).save()


def _tidy(workbook: Workbook) -> None:
    """openpyxl keeps a file a sheet in the system's temporary folder, and leaves it there after a failure.

    What is half written is closed from the inside out; whatever that raises comes second to the failure.
    """
    for sheet in workbook.worksheets:
        inner = cast(Any, sheet)
        writer: Any = getattr(inner, "_writer", None)
        if writer is None:
            continue
        rows: Any = getattr(inner, "_rows", None)
        for close in (rows.close if rows is not None else None, writer.close, writer.cleanup):
            if close is not None:
                with suppress(Exception):
                    close()
