"""Columns over time: a number for each quarter hour, and a second one hatched on top of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QFontMetricsF, QHelpEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from caucus_desk.ui.theme import theme
from caucus_desk.ui.widgets.basics import STEP
from caucus_desk.ui.widgets.timeaxis import ticks


@dataclass(frozen=True, slots=True)
class Bin:
    """One span of time, from `begin` (UTC)."""

    begin: datetime
    value: int
    hatched: int
    told: str


class ColumnChart(QWidget):
    """Upright columns with their time below and the greatest number at the side."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bins: tuple[Bin, ...] = ()
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        theme().changed.connect(self.update)

    @property
    def bins(self) -> tuple[Bin, ...]:
        return self._bins

    def set_bins(self, bins: Sequence[Bin]) -> None:
        if tuple(bins) != self._bins:
            self._bins = tuple(bins)
            self.setAccessibleDescription(self._bins[-1].told if self._bins else "")
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(640, 110)

    def minimumSizeHint(self) -> QSize:
        return QSize(320, 84)

    @property
    def _top(self) -> int:
        """The scale ends at a round number."""
        most = max((one.value + one.hatched for one in self._bins), default=0)
        size = 1
        while True:
            for step in (1, 2, 5):
                if most <= step * size * 4:
                    return max(step * size * 4, 4)
            size *= 10

    def _area(self) -> QRectF:
        metrics = QFontMetricsF(self.font())
        left = metrics.horizontalAdvance("100%") + STEP
        top = metrics.height() / 2 + 2
        return QRectF(left, top, self.width() - left - STEP, self.height() - top - metrics.height() - STEP)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        metrics = QFontMetricsF(self.font())
        area, top, height = self._area(), self._top, metrics.height()
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for share in (0, 2, 4) if area.height() > 3 * height else (0, 4):
            y = area.bottom() - area.height() * share / 4
            painter.setPen(QPen(theme().colour("line"), 1))
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
            painter.setPen(theme().colour("muted"))
            painter.drawText(
                QRectF(0, y - height / 2, area.left() - STEP, height), right, f"{top * share // 4:,}"
            )
        if self._bins:
            self._paint_bins(painter, area, top)
            self._paint_times(painter, area, metrics)
        painter.end()

    def _paint_bins(self, painter: QPainter, area: QRectF, top: int) -> None:
        wide = area.width() / len(self._bins)
        gap = min(3.0, wide / 6)
        for place, one in enumerate(self._bins):
            x = area.left() + place * wide + gap
            high = area.height() * one.value / top
            box = QRectF(x, area.bottom() - high, min(wide - 2 * gap, 20.0 * STEP), high)
            painter.fillRect(box, theme().colour("bar"))
            if one.hatched:
                more = area.height() * one.hatched / top
                upper = QRectF(x, box.top() - more, box.width(), more)
                painter.setPen(QPen(theme().colour("warn"), 1))
                painter.setBrush(QBrush(theme().colour("warn"), Qt.BrushStyle.BDiagPattern))
                painter.drawRect(upper)

    def _paint_times(self, painter: QPainter, area: QRectF, metrics: QFontMetricsF) -> None:
        begin = self._bins[0].begin
        each = (self._bins[1].begin - begin) if len(self._bins) > 1 else None
        end = self._bins[-1].begin if each is None else self._bins[-1].begin + each
        wide = metrics.horizontalAdvance("00:00 XXX") + STEP
        painter.setPen(theme().colour("muted"))
        for at, text in ticks(begin, end, int(area.width() / wide)):
            share = (at - begin) / (end - begin) if end > begin else 0.0
            left = min(area.left() + area.width() * share - wide / 2, self.width() - wide)
            box = QRectF(left, area.bottom() + 4, wide, metrics.height())
            painter.drawText(box, Qt.AlignmentFlag.AlignHCenter, text)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            area = self._area()
            place = (
                int((event.pos().x() - area.left()) / area.width() * len(self._bins)) if self._bins else -1
            )
            if 0 <= place < len(self._bins):
                QToolTip.showText(event.globalPos(), self._bins[place].told, self)
            else:
                QToolTip.hideText()
            return True
        return super().event(event)
