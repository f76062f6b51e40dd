"""Two bars for each group: its people in the first alignment, hatched, and below them in the final, solid."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from caucus_desk.ui.theme import theme
from caucus_desk.ui.widgets.basics import STEP
from caucus_desk.ui.words import number

_BAR = 8
_PAIR = 4 * STEP


@dataclass(frozen=True, slots=True)
class Pair:
    """People of one group in both alignments."""

    label: str
    first: int
    final: int

    @property
    def change(self) -> str:
        moved = self.final - self.first
        return f"+{number(moved)}" if moved > 0 else f"−{number(-moved)}" if moved < 0 else "±0"


class PairBars(QWidget):
    """One scale for all bars; the change stands beside each pair."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pairs: tuple[Pair, ...] = ()
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme().changed.connect(self.update)

    @property
    def pairs(self) -> tuple[Pair, ...]:
        return self._pairs

    def set_pairs(self, pairs: Sequence[Pair]) -> None:
        if tuple(pairs) != self._pairs:
            self._pairs = tuple(pairs)
            said = (f"{p.label} {number(p.first)} → {number(p.final)}" for p in self._pairs)
            self.setAccessibleDescription(", ".join(said))
            self.updateGeometry()
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(320, len(self._pairs) * _PAIR)

    def minimumSizeHint(self) -> QSize:
        return QSize(240, len(self._pairs) * _PAIR)

    def paintEvent(self, event: QPaintEvent) -> None:
        colours, painter = theme(), QPainter(self)
        metrics = QFontMetrics(self.font())
        names = max((metrics.horizontalAdvance(pair.label) for pair in self._pairs), default=0) + 2 * STEP
        figures = max((metrics.horizontalAdvance(pair.change) for pair in self._pairs), default=0) + STEP
        room = max(10.0, float(self.width() - names - figures - STEP))
        top = max((max(pair.first, pair.final) for pair in self._pairs), default=0)
        middle = Qt.AlignmentFlag.AlignVCenter
        for place, pair in enumerate(self._pairs):
            y = float(place * _PAIR)
            painter.setPen(colours.colour("text"))
            painter.drawText(QRectF(0, y, names, _PAIR), middle | Qt.AlignmentFlag.AlignLeft, pair.label)
            side = QRectF(self.width() - figures, y, figures, _PAIR)
            painter.drawText(side, middle | Qt.AlignmentFlag.AlignRight, pair.change)
            if not top:
                continue
            start = y + (_PAIR - 2 * _BAR - 1) / 2
            first = QRectF(names, start, room * pair.first / top, _BAR)
            final = QRectF(names, start + _BAR + 1, room * pair.final / top, _BAR)
            painter.setPen(QPen(colours.colour("bar"), 1))
            painter.setBrush(QBrush(colours.colour("bar"), Qt.BrushStyle.BDiagPattern))
            painter.drawRect(first.adjusted(0, 0.5, -0.5, -0.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.fillRect(final, colours.colour("bar"))
        painter.end()
