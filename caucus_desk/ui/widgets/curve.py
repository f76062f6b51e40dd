"""Two shares over the night, as lines of steps: precincts reporting, and verified."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from caucus_desk.ui.theme import theme
from caucus_desk.ui.widgets.basics import STEP
from caucus_desk.ui.widgets.timeaxis import ticks
from caucus_desk.ui.words import percent

_GRID = (0, 25, 50, 75, 100)


@dataclass(frozen=True, slots=True)
class Mark:
    """From `at` (UTC) on."""

    at: datetime
    values: tuple[int, ...]


class Curve(QWidget):
    """Lines of whole numbers against a total; each is named and counted at its right end. The first is
    drawn through, the others broken, so that they differ without their colour."""

    def __init__(self, name: str, labels: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._labels = tuple(labels)
        self._marks: tuple[Mark, ...] = ()
        self._total = 0
        self._begin: datetime | None = None
        self._end: datetime | None = None
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        theme().changed.connect(self.update)

    def set_marks(
        self, marks: Sequence[Mark], total: int, begin: datetime | None, end: datetime | None
    ) -> None:
        """In order of time. What was before `begin` shows as the height at which the lines begin."""
        given = (tuple(marks), total, begin, end)
        if given == (self._marks, self._total, self._begin, self._end):
            return
        self._marks, self._total, self._begin, self._end = given
        self.setAccessibleDescription("; ".join(self._ends()))
        self.update()

    def _ends(self) -> list[str]:
        values = self._marks[-1].values if self._marks else (0,) * len(self._labels)
        return [
            f"{label} {value:,} ({percent(value, self._total)})"
            for label, value in zip(self._labels, values, strict=True)
        ]

    def sizeHint(self) -> QSize:
        return QSize(640, 180)

    def minimumSizeHint(self) -> QSize:
        return QSize(320, 120)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = QFont(self.font())
        metrics = QFontMetricsF(font)
        ends = self._ends()
        bold = QFont(font)
        bold.setWeight(QFont.Weight.DemiBold)
        words = max(QFontMetricsF(bold).horizontalAdvance(part) for text in ends for part in _parts(text))
        left = metrics.horizontalAdvance("100%") + STEP
        area = QRectF(
            left,
            metrics.height() / 2 + 2,
            max(20.0, self.width() - left - words - 2 * STEP),
            max(20.0, self.height() - 2 * metrics.height() - STEP),
        )
        self._paint_grid(painter, area, metrics)
        if self._begin is not None and self._end is not None and self._total:
            self._paint_lines(painter, area)
        self._paint_ends(painter, area, bold, ends)
        painter.end()

    def _paint_grid(self, painter: QPainter, area: QRectF, metrics: QFontMetricsF) -> None:
        muted, line = theme().colour("muted"), theme().colour("line")
        height = metrics.height()
        for share in _GRID:
            y = area.bottom() - area.height() * share / 100
            painter.setPen(QPen(line, 1))
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
            painter.setPen(muted)
            if area.height() > 5 * height or share in (0, 100):
                box = QRectF(0, y - height / 2, area.left() - STEP, height)
                painter.drawText(
                    box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, f"{share}%"
                )
        if self._begin is None or self._end is None:
            return
        wide = metrics.horizontalAdvance("00:00 XXX") + STEP
        for at, text in ticks(self._begin, self._end, int(area.width() / wide)):
            x = self._x(area, at)
            painter.setPen(QPen(line, 1))
            painter.drawLine(QPointF(x, area.bottom()), QPointF(x, area.bottom() + 4))
            painter.setPen(muted)
            box = QRectF(x - wide / 2, area.bottom() + 5, wide, height)
            painter.drawText(box, Qt.AlignmentFlag.AlignHCenter, text)

    def _x(self, area: QRectF, at: datetime) -> float:
        assert self._begin is not None
        assert self._end is not None
        span = (self._end - self._begin).total_seconds()
        if span <= 0:
            return area.right()
        share = (at - self._begin).total_seconds() / span
        return area.left() + area.width() * min(1.0, max(0.0, share))

    def _y(self, area: QRectF, value: int) -> float:
        return area.bottom() - area.height() * value / self._total

    def _paint_lines(self, painter: QPainter, area: QRectF) -> None:
        for place in range(len(self._labels)):
            line = QPolygonF()
            last = area.bottom()
            for mark in self._marks:
                x, y = self._x(area, mark.at), self._y(area, mark.values[place])
                line.append(QPointF(x, last))
                line.append(QPointF(x, y))
                last = y
            line.append(QPointF(area.right(), last))
            pen = QPen(theme().colour("bar" if place == 0 else "accent"), 2.5)
            if place:
                pen.setStyle(Qt.PenStyle.DashLine)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(pen)
            painter.drawPolyline(line)

    def _paint_ends(self, painter: QPainter, area: QRectF, bold: QFont, ends: Sequence[str]) -> None:
        """The name and the number of each line where it ends, apart enough to be read."""
        painter.setFont(bold)
        height = QFontMetricsF(bold).height() * 2
        values = self._marks[-1].values if self._marks else (0,) * len(ends)
        wanted = [self._y(area, value) if self._total else area.bottom() for value in values]
        tops: list[float] = []
        floor = self.height() - height
        for y in sorted(wanted):
            top = min(max(0.0, y - height / 2), floor)
            tops.append(max(top, tops[-1] + height) if tops else top)
        over = max(0.0, (tops[-1] if tops else 0.0) - floor)
        order = sorted(range(len(ends)), key=lambda place: (wanted[place], place))
        for top, place in zip(tops, order, strict=True):
            painter.setPen(theme().colour("text"))
            box = QRectF(area.right() + STEP, top - over, self.width() - area.right() - STEP, height)
            painter.drawText(
                box,
                Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter,
                "\n".join(_parts(ends[place])),
            )


def _parts(text: str) -> tuple[str, str]:
    """`reporting 1,199 (67.5%)` over two lines: the word, the figures."""
    word, _, figures = text.partition(" ")
    return word, figures
