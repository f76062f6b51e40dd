"""Tables and sentences on paper: US letter, landscape, with the banner and the page number on each page."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QIODevice, QMarginsF, QRectF, QSaveFile, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPageLayout, QPageSize, QPainter, QPdfWriter, QPen
from PySide6.QtPrintSupport import QPrinter, QPrinterInfo

from caucus_desk.rules.errors import Refused
from caucus_desk.ui import fonts
from caucus_desk.ui.theme import LIGHT
from caucus_desk.ui.widgets.copying import Grid
from caucus_desk.ui.words import tr

_MARGIN = 36.0
_POINTS, _TITLE, _SMALL = 9.0, 14.0, 8.0
_GAP = 12.0
"""Between two columns."""


@dataclass(frozen=True)
class Block:
    """A title (or none), a sentence (or none), a table (or none), one below the other."""

    title: str = ""
    text: str = ""
    grid: Grid | None = None


@dataclass(frozen=True)
class Document:
    """What is printed. `at` is UTC; `banner` stands on every page."""

    caucus: str
    title: str
    banner: str
    at: datetime
    blocks: Sequence[Block]


def has_printer() -> bool:
    return not QPrinterInfo.defaultPrinter().isNull()


def printer_name() -> str:
    found = QPrinterInfo.defaultPrinter()
    return found.description() or found.printerName()


def print_document(document: Document) -> int:
    """On the default printer; how many pages that were. Raises Refused where it does not take it."""
    printer = QPrinter(QPrinterInfo.defaultPrinter(), QPrinter.PrinterMode.HighResolution)
    printer.setDocName(document.title)
    return _draw(printer, document)


def write_pdf(document: Document, out: Path) -> int:
    """A PDF file, whole or not at all; only a PDF is ever replaced. Raises Refused."""
    if out.exists() and not _is_pdf(out):
        raise Refused(tr("{0} is no PDF and is not replaced. Choose another name.").format(out))
    file = QSaveFile(str(out))
    if not file.open(QIODevice.OpenModeFlag.WriteOnly):
        raise Refused(_not_written(out, file.errorString()))
    writer = QPdfWriter(file)
    writer.setTitle(f"{document.caucus}: {document.title}")
    writer.setResolution(300)
    pages = _draw(writer, document)
    if not file.commit():
        raise Refused(_not_written(out, file.errorString()))
    return pages


def _not_written(out: Path, why: str) -> str:
    return tr("{0} cannot be written: {1}. Choose another place.").format(out, why)


def _is_pdf(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(5) in (b"%PDF-", b"")
    except OSError:
        return False


def _draw(device: QPdfWriter | QPrinter, document: Document) -> int:
    margins = QMarginsF(_MARGIN, _MARGIN, _MARGIN, _MARGIN)
    device.setPageLayout(
        QPageLayout(
            QPageSize(QPageSize.PageSizeId.Letter),
            QPageLayout.Orientation.Landscape,
            margins,
            QPageLayout.Unit.Point,
        )
    )
    painter = QPainter()
    if not painter.begin(device):
        raise Refused(tr("The printer does not take it. Look whether it is switched on, or write a PDF."))
    try:
        pages = _Paper(device, document, None, 0).draw()  # once without ink: how many pages there are
        return _Paper(device, document, painter, pages).draw()
    finally:
        painter.end()


class _Paper:
    """Draws in points of the page, whatever the device's dots; without a painter it only measures."""

    def __init__(
        self, device: QPdfWriter | QPrinter, document: Document, painter: QPainter | None, pages: int
    ) -> None:
        self._device, self._document, self._painter, self._pages = device, document, painter, pages
        area = device.pageLayout().paintRect(QPageLayout.Unit.Point)
        self._width, self._height = area.width(), area.height()
        if painter is not None:
            dots = device.logicalDpiX() / 72
            painter.scale(dots, dots)
        self._page, self._y = 1, 0.0

    def draw(self) -> int:
        self._head()
        for block in self._document.blocks:
            if block.title:
                self._room(50)
                self._words(block.title, 11.0, bold=True, before=8)
            if block.text:
                self._words(block.text, _POINTS, before=3)
            if block.grid is not None and block.grid.rows:
                self._grid(block.grid)
        self._foot()
        return self._page

    @property
    def _bottom(self) -> float:
        return self._height - 18

    def _room(self, height: float) -> bool:
        """Whether a new page was begun, because so many points were not left."""
        if self._y + height <= self._bottom:
            return False
        self._foot()
        if self._painter is not None:
            self._device.newPage()
        self._page += 1
        self._head()
        return True

    def _head(self) -> None:
        document = self._document
        self._text(document.title, QRectF(0, 0, self._width, 20), _TITLE, bold=True)
        self._text(document.banner, QRectF(0, 20, self._width, 14), _POINTS, bold=True)
        self._line(37)
        self._y = 40.0

    def _foot(self) -> None:
        document = self._document
        said = tr("{0} · as of {1}").format(document.caucus, f"{document.at.astimezone():%Y-%m-%d %H:%M %Z}")
        place = QRectF(0, self._height - 12, self._width, 12)
        self._text(said, place, _SMALL)
        page = tr("Page {0} of {1}").format(self._page, self._pages)
        self._text(page, place, _SMALL, right=True)

    def _words(self, text: str, points: float, *, bold: bool = False, before: float = 0) -> None:
        height = _wrapped(text, self._width, _font(points, bold=bold))
        self._room(height + before)
        self._y += before
        self._text(text, QRectF(0, self._y, self._width, height + 2), points, bold=bold, wrap=True)
        self._y += height + 2

    def _grid(self, grid: Grid) -> None:
        widths = _widths(grid, self._width)
        heads = self._row_height(grid.heads, widths, bold=True)
        self._room(heads + 40)
        self._y += 4
        self._heads(grid, widths, heads)
        first_total = len(grid.rows) - grid.totals
        for place, row in enumerate(grid.rows):
            bold = place >= first_total
            height = self._row_height(row, widths, bold=bold)
            if self._room(height):
                self._heads(grid, widths, heads)
            if place == first_total:
                self._line(self._y)
            self._cells(row, grid.numbers, widths, height, bold=bold)
        self._y += 4

    def _heads(self, grid: Grid, widths: Sequence[float], height: float) -> None:
        self._cells(grid.heads, grid.numbers, widths, height, bold=True)
        self._line(self._y)
        self._y += 2

    def _row_height(self, row: Sequence[str], widths: Sequence[float], *, bold: bool) -> float:
        font = _font(_POINTS, bold=bold)
        return max(_wrapped(text, wide, font) for text, wide in zip(row, widths, strict=True)) + 3

    def _cells(
        self,
        row: Sequence[str],
        numbers: Sequence[bool],
        widths: Sequence[float],
        height: float,
        *,
        bold: bool,
    ) -> None:
        x = 0.0
        for text, number, wide in zip(row, numbers, widths, strict=True):
            place = QRectF(x, self._y, wide, height)
            self._text(text, place, _POINTS, bold=bold, right=number, wrap=True)
            x += wide + _GAP
        self._y += height

    def _line(self, y: float) -> None:
        if self._painter is not None:
            self._painter.setPen(QPen(QColor(LIGHT.edge), 0.5))
            self._painter.drawLine(0, int(y), int(self._width), int(y))

    def _text(
        self,
        text: str,
        place: QRectF,
        points: float,
        *,
        bold: bool = False,
        right: bool = False,
        wrap: bool = False,
    ) -> None:
        if self._painter is None:
            return
        self._painter.setFont(_font(points, bold=bold))
        self._painter.setPen(QColor("#000000"))
        side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
        flags = side | Qt.AlignmentFlag.AlignTop
        kind = Qt.TextFlag.TextWordWrap if wrap else Qt.TextFlag.TextSingleLine
        self._painter.drawText(place, int(flags) | int(kind), text)


def _widths(grid: Grid, room: float) -> list[float]:
    """Figures get what they need, text shares the rest and is wrapped where that is too little."""
    plain, bold = QFontMetricsF(_font(_POINTS)), QFontMetricsF(_font(_POINTS, bold=True))
    wanted = []
    for place, head in enumerate(grid.heads):
        lines = [bold.horizontalAdvance(line) for line in head.split("\n")]
        for number, row in enumerate(grid.rows):
            metrics = bold if number >= len(grid.rows) - grid.totals else plain
            lines += [metrics.horizontalAdvance(line) for line in row[place].split("\n")]
        wanted.append(max(lines, default=0.0) + 2)
    room -= _GAP * (len(wanted) - 1)
    if sum(wanted) <= room:
        return wanted
    fixed = sum(wide for wide, number in zip(wanted, grid.numbers, strict=True) if number)
    words = [0.0 if number else wide for wide, number in zip(wanted, grid.numbers, strict=True)]
    left = max(room - fixed, room * 0.3)
    share = _fair(words, left)
    widths = [share[place] if not number else wanted[place] for place, number in enumerate(grid.numbers)]
    scale = min(1.0, room / sum(widths))
    return [wide * scale for wide in widths]


def _fair(wanted: Sequence[float], room: float) -> list[float]:
    """Columns that need little get it whole; the long ones share what is left."""
    given = [0.0] * len(wanted)
    open_places = [place for place, wide in enumerate(wanted) if wide]
    while open_places:
        each = room / len(open_places)
        small = [place for place in open_places if wanted[place] <= each]
        if not small:
            for place in open_places:
                given[place] = each
            break
        for place in small:
            given[place] = wanted[place]
            room -= wanted[place]
        open_places = [place for place in open_places if place not in small]
    return given


def _wrapped(text: str, width: float, font: QFont) -> float:
    flags = int(Qt.TextFlag.TextWordWrap)
    return (
        QFontMetricsF(font).boundingRect(QRectF(0, 0, max(width, 10.0), 10_000), flags, text or " ").height()
    )


def _font(points: float, *, bold: bool = False) -> QFont:
    """Pixels are points here: the painter is scaled so."""
    font = fonts.body(points, bold=bold)
    font.setPixelSize(round(points))
    return font
