"""The list on paper: through the system's printer, or as a PDF where it has none."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QIODevice, QMarginsF, QRectF, QSaveFile, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPageLayout, QPageSize, QPainter, QPdfWriter
from PySide6.QtPrintSupport import QPrinter, QPrinterInfo

from caucus_desk.rules.errors import Refused
from caucus_desk.ui import fonts
from caucus_desk.ui.chase.rows import SheetRow, done_text, lasted, stage_sign
from caucus_desk.ui.words import BLANK, number, tr

_MARGIN_POINTS = 36.0
_COLUMNS = (
    ("county", 0.11), ("precinct", 0.20), ("chair", 0.16), ("number", 0.13), ("stage", 0.10), ("waits", 0.10),
    ("done", 0.20),
)  # fmt: skip
_POINTS, _TITLE_POINTS = 9.0, 14.0


def has_printer() -> bool:
    return not QPrinterInfo.defaultPrinter().isNull()


def printer_name() -> str:
    return QPrinterInfo.defaultPrinter().description() or QPrinterInfo.defaultPrinter().printerName()


def print_list(rows: Sequence[SheetRow], caucus: str, county: str, at: datetime) -> int:
    """Prints on the default printer; how many pages that were. Raises Refused where it does not take it."""
    printer = QPrinter(QPrinterInfo.defaultPrinter(), QPrinter.PrinterMode.HighResolution)
    printer.setDocName(tr("Missing worksheets"))
    return _draw(printer, rows, caucus, county, at)


def write_pdf(rows: Sequence[SheetRow], caucus: str, county: str, at: datetime, out: Path) -> int:
    """The same as a PDF file, whole or not at all; only a PDF is ever replaced. Raises Refused."""
    if out.exists() and not _is_pdf(out):
        raise Refused(tr("{0} is no PDF and is not replaced. Choose another name.").format(out))
    file = QSaveFile(str(out))
    if not file.open(QIODevice.OpenModeFlag.WriteOnly):
        raise Refused(_not_written(out, file.errorString()))
    writer = QPdfWriter(file)
    writer.setTitle(tr("Missing worksheets"))
    writer.setResolution(300)
    pages = _draw(writer, rows, caucus, county, at)
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


def _draw(
    device: QPdfWriter | QPrinter, rows: Sequence[SheetRow], caucus: str, county: str, at: datetime
) -> int:
    device.setPageLayout(
        QPageLayout(
            QPageSize(QPageSize.PageSizeId.Letter),
            QPageLayout.Orientation.Landscape,
            QMarginsF(_MARGIN_POINTS, _MARGIN_POINTS, _MARGIN_POINTS, _MARGIN_POINTS),
            QPageLayout.Unit.Point,
        )
    )
    painter = QPainter()
    if not painter.begin(device):
        raise Refused(tr("The printer does not take it. Look whether it is switched on, or print to a PDF."))
    try:
        return _Paper(painter, device, caucus, county, at).draw(rows)
    finally:
        painter.end()


class _Paper:
    """Draws in points of the page, whatever the device's dots."""

    def __init__(
        self, painter: QPainter, device: QPdfWriter | QPrinter, caucus: str, county: str, at: datetime
    ) -> None:
        self._painter, self._device = painter, device
        self._caucus, self._county, self._at = caucus, county, at
        area = device.pageLayout().paintRect(QPageLayout.Unit.Point)
        self._width, self._height = area.width(), area.height()
        dots = device.logicalDpiX() / 72
        painter.scale(dots, dots)
        self._page = 1

    def draw(self, rows: Sequence[SheetRow]) -> int:
        line = QFontMetricsF(_font(_POINTS)).height() + 4
        y = self._head(len(rows))
        for row in rows:
            if y + line > self._height - line:
                self._foot()
                self._device.newPage()
                self._page += 1
                y = self._head(len(rows))
            self._row(row, y, line)
            y += line
        self._foot()
        return self._page

    def _head(self, count: int) -> float:
        where = self._county or tr("all counties")
        title = tr("Missing worksheets: {0}").format(where)
        self._text(title, QRectF(0, 0, self._width * 0.6, 20), _TITLE_POINTS, bold=True)
        said = tr("{0} · {1} worksheets · as of {2}").format(
            self._caucus, number(count), f"{self._at.astimezone():%Y-%m-%d %H:%M}"
        )
        right = QRectF(self._width * 0.5, 4, self._width * 0.5, 16)
        self._text(said, right, _POINTS, align=Qt.AlignmentFlag.AlignRight)
        heads = {
            "county": tr("County"),
            "precinct": tr("Precinct, id"),
            "chair": tr("Chair"),
            "number": tr("Number"),
            "stage": tr("Worksheet"),
            "waits": tr("Waits"),
            "done": tr("What is done"),
        }
        self._cells(heads, 26, 16, bold=True)
        self._painter.drawLine(0, 43, int(self._width), 43)
        return 46

    def _row(self, row: SheetRow, y: float, height: float) -> None:
        missing = row.missing
        precinct = missing.precinct
        texts = {
            "county": precinct.county,
            "precinct": f"{precinct.name}, {precinct.id}",
            "chair": precinct.chair or BLANK,
            "number": precinct.phone or BLANK,
            "stage": stage_sign(missing).word,
            "waits": lasted(missing.waited(row.now)),
            "done": done_text(missing),
        }
        self._cells(texts, y, height)

    def _cells(self, texts: dict[str, str], y: float, height: float, *, bold: bool = False) -> None:
        x = 0.0
        for key, share in _COLUMNS:
            width = self._width * share
            self._text(texts[key], QRectF(x, y, width - 6, height), _POINTS, bold=bold)
            x += width

    def _foot(self) -> None:
        text = tr("Page {0}").format(self._page)
        self._text(
            text, QRectF(0, self._height - 14, self._width, 14), _POINTS, align=Qt.AlignmentFlag.AlignRight
        )

    def _text(
        self,
        text: str,
        place: QRectF,
        points: float,
        *,
        bold: bool = False,
        align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
    ) -> None:
        font = _font(points, bold=bold)
        fitting = QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideRight, place.width())
        self._painter.setFont(font)
        flags = align | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
        self._painter.drawText(place, int(flags), fitting)


def _font(points: float, *, bold: bool = False) -> QFont:
    """Pixels are points here: the painter is scaled so."""
    font = fonts.body(points, bold=bold)
    font.setPixelSize(round(points))
    return font
