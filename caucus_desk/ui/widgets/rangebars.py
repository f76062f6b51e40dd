"""Bars from the least to the most: solid up to what is certain, hatched up to what is possible."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from caucus_desk.ui.theme import theme
from caucus_desk.ui.widgets.basics import STEP

_LINE = 4 * STEP - 2
_BAR = 11


@dataclass(frozen=True, slots=True)
class RangeBar:
    """`least`, `most` and `now` in one unit; `figure` is what stands beside the bar, in words or numbers."""

    label: str
    least: Fraction
    most: Fraction
    figure: str
    now: Fraction | None = None


class RangeBars(QWidget):
    """One scale for all; each bar has its figures beside it, so that nothing is told by a pattern alone."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bars: tuple[RangeBar, ...] = ()
        self._line = _LINE
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme().changed.connect(self.update)

    @property
    def bars(self) -> tuple[RangeBar, ...]:
        return self._bars

    def set_bars(self, bars: Sequence[RangeBar]) -> None:
        if tuple(bars) == self._bars:
            return
        self._bars = tuple(bars)
        self.setAccessibleDescription(", ".join(f"{bar.label} {bar.figure}" for bar in self._bars))
        self.updateGeometry()
        self.update()

    def set_line_height(self, height: int) -> None:
        """Pixels from bar to bar."""
        if height != self._line:
            self._line = height
            self.updateGeometry()
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(max(320, self._needed), len(self._bars) * self._line)

    def minimumSizeHint(self) -> QSize:
        return QSize(self._needed, len(self._bars) * self._line)

    @property
    def _needed(self) -> int:
        names, figures = self._sides()
        return names + figures + 12 * STEP

    def _sides(self) -> tuple[int, int]:
        metrics = QFontMetrics(self.font())
        names = max((metrics.horizontalAdvance(bar.label) for bar in self._bars), default=0)
        figures = max((metrics.horizontalAdvance(bar.figure) for bar in self._bars), default=0)
        return names + 2 * STEP, figures + STEP

    def paintEvent(self, event: QPaintEvent) -> None:
        colours, painter = theme(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        names, figures = self._sides()
        room = max(10.0, float(self.width() - names - figures - STEP))
        top = max((max(bar.most, bar.now or Fraction(0)) for bar in self._bars), default=Fraction(0))
        middle = Qt.AlignmentFlag.AlignVCenter
        for place, bar in enumerate(self._bars):
            y = float(place * self._line)
            painter.setPen(colours.colour("text"))
            painter.drawText(QRectF(0, y, names, self._line), middle | Qt.AlignmentFlag.AlignLeft, bar.label)
            box = QRectF(names, y + (self._line - _BAR) / 2, room, _BAR)
            painter.fillRect(box, colours.colour("track"))
            if top:
                self._paint_bar(painter, box, bar, top)
            side = QRectF(self.width() - figures, y, figures, self._line)
            painter.setPen(colours.colour("text"))
            painter.drawText(side, middle | Qt.AlignmentFlag.AlignRight, bar.figure)
        painter.end()

    def _paint_bar(self, painter: QPainter, box: QRectF, bar: RangeBar, top: Fraction) -> None:
        colours = theme()
        least, most = (float(end / top) * box.width() for end in (bar.least, bar.most))
        painter.fillRect(QRectF(box.left(), box.top(), least, box.height()), colours.colour("bar"))
        if most > least:
            between = QRectF(box.left() + least, box.top(), most - least, box.height())
            painter.setPen(QPen(colours.colour("bar"), 1))
            painter.setBrush(QBrush(colours.colour("bar"), Qt.BrushStyle.BDiagPattern))
            painter.drawRect(between.adjusted(0, 0.5, -0.5, -0.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
        if bar.now is not None:
            at = box.left() + float(bar.now / top) * box.width()
            painter.setPen(QPen(colours.colour("text"), 2))
            painter.drawLine(QPointF(at, box.top() - 3), QPointF(at, box.bottom() + 3))
