"""Writes a planned page as a worksheet: row by row, in openpyxl's write-only mode."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, cast

from openpyxl import Workbook
from openpyxl.cell.cell import ERROR_CODES, Cell
from openpyxl.worksheet.header_footer import HeaderFooterItem
from openpyxl.worksheet.hyperlink import Hyperlink
from openpyxl.worksheet.properties import PageSetupProperties
from openpyxl.worksheet.worksheet import Worksheet

from caucus_desk.reports.book import Book
from caucus_desk.reports.look import TABS, Formats, Stamps, ledger_rules
from caucus_desk.reports.plan import (
    Block,
    Column,
    Formula,
    Kind,
    Page,
    Row,
    SheetLink,
    Tone,
    Value,
    column_letter,
)
from caucus_desk.reports.tables import LONGEST_NAME, add_table
from caucus_desk.reports.text import Cleaner, distinct, print_header
from caucus_desk.reports.widths import column_widths, heading_height, pages_wide, row_height

Tick = Callable[[int], None]
_RISKY = ("=", "+", "-", "@")
_REMEMBERED = 20_000
"""Texts that are known to be fit for a cell."""
_BATCH = 100
"""Rows between two ticks."""


class PageWriter:
    """Writes one page. `tick` is called with the number of rows written since the last call."""

    def __init__(self, workbook: Workbook, page: Page, book: Book, cleaner: Cleaner, tick: Tick) -> None:
        self._page, self._book, self._tick = page, book, tick
        self._sheet = cast(Worksheet, workbook.create_sheet(page.name))
        wraps = any(column.kind is Kind.LONG for block in page.blocks for column in block.columns)
        stamps = Stamps(self._sheet, Formats(book.decimals.digits), top=wraps)
        self._painter = Painter(self._sheet, page, stamps, cleaner, plain=not wraps)
        self._row = 0
        self._headings: list[str] = []
        self._widths = column_widths(page, book.decimals.digits)

    def write(self) -> Worksheet:
        """Write everything; a chart can still be added to the sheet that is returned."""
        self._set_up()
        wide = max(len(block.columns) for block in self._page.blocks)
        self._height(1, 22)
        tone = Tone.BANNER_COMPLETE if self._book.complete else Tone.BANNER
        self._line(self._book.banner, tone, wide)
        self._height(2, 26)
        self._line(self._caption(), Tone.CAPTION)
        if self._page.leads:
            self._height(3, 22)
        self._line(self._page.note, Tone.LEAD if self._page.leads else Tone.NOTE)
        for block in self._page.blocks:
            if self._page.table:
                self._table(block)
            else:
                self._block(block)
        return self._sheet

    def _caption(self) -> str:
        book = self._book
        about = f"{self._page.title} · " if self._page.title else ""
        stamp = f" · {book.released.words}" if book.released is not None else ""
        return f"{about}as of {book.as_of_text}{stamp}"

    # ---- blocks ----

    def _table(self, block: Block) -> None:
        page = self._page
        if block.total is not None:
            self._append(self._painter.cells(block, block.total, Tone.TOTAL))
        self._heading(block)
        self._rows(block)
        ledger_rules(self._sheet, block.columns, page.first_data_row, page.last_row)
        last = column_letter(len(block.columns) - 1)
        cells = f"A{page.header_row}:{last}{page.last_row}"
        if page.data_table and block.rows:
            add_table(self._sheet, page.name, cells, self._headings)
        else:
            self._sheet.auto_filter.ref = cells

    def _block(self, block: Block) -> None:
        if block.title:
            self._height(self._row + 1, 22)
            self._line(block.title, Tone.SECTION)
        if block.note:
            self._line(block.note, Tone.NOTE)
        self._heading(block)
        first = self._row + 1
        self._rows(block)
        ledger_rules(self._sheet, block.columns, first, self._row)
        if block.total is not None:
            self._append(self._painter.cells(block, block.total, Tone.TOTAL))
        for _ in range(block.room_below + 1):
            self._append(())

    def _heading(self, block: Block) -> None:
        self._height(self._row + 1, heading_height(block.columns, self._widths))
        headings = [column.heading for column in block.columns]
        if self._page.data_table:
            # Excel mends, and complains about, a table in which two columns have one name (U-51).
            headings = list(distinct(heading[:LONGEST_NAME] for heading in headings))
        self._headings = headings
        self._append(self._painter.headings(block.columns, headings, self._row + 1))

    def _rows(self, block: Block) -> None:
        waiting = 0
        wraps = any(column.kind is Kind.LONG for column in block.columns)
        for row in block.rows:
            if wraps and (height := row_height(block.columns, row, self._widths)) is not None:
                self._height(self._row + 1, height)
            self._append(self._painter.cells(block, row, Tone.DATA))
            waiting += 1
            if waiting == _BATCH:
                self._tick(waiting)
                waiting = 0
        self._tick(waiting)

    def _line(self, text: str, tone: Tone, wide: int = 1) -> None:
        self._append(self._painter.line(text, tone, wide, self._row + 1))

    def _append(self, cells: Iterator[object] | tuple[()]) -> None:
        self._row += 1
        self._painter.row = self._row
        cast(Any, self._sheet).append(cells)

    def _height(self, row: int, points: float) -> None:
        self._sheet.row_dimensions[row].height = points

    # ---- the sheet itself ----

    def _set_up(self) -> None:
        sheet, page, book = self._sheet, self._page, self._book
        for index, width in enumerate(self._widths):
            sheet.column_dimensions[column_letter(index)].width = width
        sheet.sheet_view.showGridLines = False
        sheet.sheet_properties.tabColor = TABS[page.tab]
        sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
        if page.table:
            sheet.freeze_panes = f"{column_letter(page.frozen_columns)}{page.first_data_row}"
            sheet.print_title_rows = f"{page.header_row}:{page.header_row}"
            if page.frozen_columns and page.wide:
                sheet.print_title_cols = f"A:{column_letter(page.frozen_columns - 1)}"
        else:
            sheet.freeze_panes = "A4"
            if page.repeated_block is not None:
                repeated = page.block_data_row(page.repeated_block) - 1
                sheet.print_title_rows = f"{repeated}:{repeated}"
        sheet.page_setup.orientation = "landscape"
        sheet.page_setup.paperSize = 1  # letter
        sheet.page_setup.fitToWidth = pages_wide(page, self._widths)
        sheet.page_setup.fitToHeight = 0  # as many as it takes
        margins = sheet.page_margins
        margins.left = margins.right = 0.4
        margins.top, margins.bottom = 0.75, 0.6
        margins.header = margins.footer = 0.3
        head = cast(HeaderFooterItem, sheet.oddHeader)
        foot = cast(HeaderFooterItem, sheet.oddFooter)
        head.left.text, head.center.text, head.right.text = print_header(
            book.overview.caucus, book.banner, book.counting_text
        )
        left, _, right = print_header(
            page.name, "", book.released.words if book.released is not None else f"as of {book.as_of_text}"
        )
        foot.left.text, foot.center.text, foot.right.text = left, "Page &P of &N", right


class Painter:
    """Turns values into cells. Numbers and plain text are nearly all there is: they go the short way."""

    def __init__(self, sheet: Worksheet, page: Page, stamps: Stamps, cleaner: Cleaner, plain: bool) -> None:
        self._sheet, self._page, self._stamps, self._cleaner = sheet, page, stamps, cleaner
        self._plain = plain
        self._kept: dict[str, tuple[str, bool]] = {}
        self._of: tuple[int, Tone] | None = None
        self.row = 0
        """The row being written, from 1; for the account of what was removed."""

    def line(self, text: str, tone: Tone, wide: int, row: int) -> Iterator[object]:
        """A line of text in the first column, its look over `wide` columns."""
        self.row = row
        yield self._write(Kind.TEXT, tone, False, *self._keep(text, 0))
        for _ in range(wide - 1):
            yield self._stamps.get(Kind.TEXT, tone, empty=True)

    def headings(self, columns: Sequence[Column], texts: Sequence[str], row: int) -> Iterator[object]:
        self.row = row
        for index, (column, text) in enumerate(zip(columns, texts, strict=True)):
            yield self._write(column.kind, Tone.HEADING, column.starts_group, *self._keep(text, index))

    def cells(self, block: Block, row: Row, tone: Tone) -> Iterator[object]:
        if self._of != (id(block), tone):
            self._take_up(block, tone)
        whole, decimal, kept, plain = self._whole, self._decimal, self._kept, self._plain_columns
        total = tone is Tone.TOTAL
        for index, value in enumerate(row):
            kind = type(value)
            if kind is int:
                stamp = whole[index]
                stamp.value = value  # type: ignore[assignment]
                yield stamp
            elif kind is float:
                stamp = decimal[index]
                stamp.value = value  # type: ignore[assignment]
                yield stamp
            elif value is None:
                yield self._empty(block, index) if total else None
            elif kind is str:
                known = kept.get(value)  # type: ignore[arg-type]
                if known is None:
                    known = self._keep(value, index)  # type: ignore[arg-type]
                if plain[index] and not known[1]:
                    yield known[0] or None
                else:
                    yield self._write(
                        block.columns[index].kind,
                        self._tones[index],
                        block.columns[index].starts_group,
                        *known,
                    )
            else:
                yield self._other(block, index, value)

    def _take_up(self, block: Block, tone: Tone) -> None:
        """The cells that this block's numbers are written with."""
        self._of = (id(block), tone)
        self._tones = [
            Tone.STRONG if tone is Tone.DATA and block.strong_first and index == 0 else tone
            for index in range(len(block.columns))
        ]
        either = {Kind.EITHER: (Kind.COUNT, Kind.UNITS)}
        pairs = [either.get(column.kind, (column.kind, column.kind)) for column in block.columns]
        stamps = self._stamps
        self._whole, self._decimal = (
            [
                stamps.get(pair[which], self._tones[index], starts_group=block.columns[index].starts_group)
                for index, pair in enumerate(pairs)
            ]
            for which in (0, 1)
        )
        self._plain_columns = [
            self._plain and self._tones[index] is Tone.DATA and column.kind is Kind.TEXT
            for index, column in enumerate(block.columns)
        ]

    def _empty(self, block: Block, index: int) -> Cell:
        column = block.columns[index]
        return self._stamps.get(column.kind, Tone.TOTAL, starts_group=column.starts_group, empty=True)

    def _keep(self, text: str, index: int) -> tuple[str, bool]:
        """The text as a cell can hold it, and whether a program would take it for something else."""
        if len(self._kept) > _REMEMBERED:
            self._kept.clear()  # so that names of a very large caucus don't pile up
        kept = self._cleaner.cell(text, f"{self._page.name} {column_letter(index)}{self.row}")
        known = (kept, kept.startswith(_RISKY) or kept in ERROR_CODES)
        self._kept[text] = known
        return known

    def _write(self, kind: Kind, tone: Tone, starts_group: bool, text: str, risky: bool) -> Cell | None:
        if not text:
            return self._stamps.get(kind, tone, starts_group=starts_group, empty=True)
        stamp = self._stamps.get(kind, tone, quoted=risky, starts_group=starts_group)
        stamp.value = text
        stamp.data_type = "s"  # never a formula, never an error value
        return stamp

    def _other(self, block: Block, index: int, value: Value) -> object:
        if isinstance(value, Formula):
            stamp = self._stamps.get(
                value.kind, self._tones[index], starts_group=block.columns[index].starts_group
            )
            stamp.value = value.text
            return stamp
        if isinstance(value, SheetLink):
            stamp = self._stamps.get(Kind.TEXT, Tone.LINK)
            stamp.value = value.sheet
            stamp.hyperlink = Hyperlink(ref="", location=f"'{value.sheet}'!A1")
            return stamp
        stamp = self._stamps.get(Kind.TIME, self._tones[index])
        stamp.value = cast("str", value)
        return stamp
