"""A bar chart that the program paints: a line for each group, its share, and where the rules would put it."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from caucus_desk.ui.theme import theme
from caucus_desk.ui.widgets.basics import STEP
from caucus_desk.ui.words import percent

_LINE = 4 * STEP
_BAR = 12


@dataclass(frozen=True, slots=True)
class Bar:
    """`share` and `mark` are parts of the whole, 0 to 1; `mark` None paints no mark."""

    label: str
    share: Fraction
    mark: Fraction | None = None


class BarChart(QWidget):
    """Bars from one edge on one scale; the longest bar fills the room, and each has its figure beside it."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bars: tuple[Bar, ...] = ()
        self._line = _LINE
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme().changed.connect(self.update)

    @property
    def bars(self) -> tuple[Bar, ...]:
        return self._bars

    def set_bars(self, bars: Sequence[Bar]) -> None:
        if tuple(bars) == self._bars:
            return
        self._bars = tuple(bars)
        said = (f"{bar.label} {percent(bar.share, 1)}" for bar in self._bars)
        self.setAccessibleDescription(", ".join(said))
        self.updateGeometry()
        self.update()

    def set_line_height(self, height: int) -> None:
        """Pixels from bar to bar."""
        if height != self._line:
            self._line = height
            self.updateGeometry()
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(280, max(1, len(self._bars)) * self._line)

    def minimumSizeHint(self) -> QSize:
        return QSize(180, max(1, len(self._bars)) * self._line)

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        metrics = QFontMetrics(self.font())
        names = max((metrics.horizontalAdvance(bar.label) for bar in self._bars), default=0) + STEP
        bold = QFont(self.font())
        bold.setWeight(QFont.Weight.DemiBold)
        figures = QFontMetrics(bold).horizontalAdvance("100.0%") + STEP
        room = max(10.0, self.width() - names - figures - STEP)
        top = max((max(bar.share, bar.mark or Fraction(0)) for bar in self._bars), default=Fraction(0))
        for place, bar in enumerate(self._bars):
            y = float(place * self._line)
            painter.setPen(colours.colour("text"))
            painter.setFont(self.font())
            middle = Qt.AlignmentFlag.AlignVCenter
            painter.drawText(QRectF(0, y, names, self._line), middle | Qt.AlignmentFlag.AlignLeft, bar.label)
            width = float(bar.share / top) * room if top else 0.0
            area = QRectF(names, y + (self._line - _BAR) / 2, max(width, 1.0), _BAR)
            painter.fillRect(area, colours.colour("bar"))
            if bar.mark is not None and bar.mark != bar.share and top:
                at = names + float(bar.mark / top) * room
                painter.setPen(QPen(colours.colour("text"), 2))
                painter.drawLine(int(at), int(area.top() - 3), int(at), int(area.bottom() + 3))
            painter.setFont(bold)
            painter.setPen(colours.colour("text"))
            figure = QRectF(self.width() - figures, y, figures, self._line)
            painter.drawText(figure, middle | Qt.AlignmentFlag.AlignRight, percent(bar.share, 1))
        painter.end()
