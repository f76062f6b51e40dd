"""The counties by who leads in them: a colour, a pattern and the letters of the group, never one alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from caucus_desk.ui import fonts
from caucus_desk.ui.theme import theme
from caucus_desk.ui.widgets.basics import STEP
from caucus_desk.ui.widgets.countymap import Area, CountyMap, short_pool
from caucus_desk.ui.widgets.shapes import Placed

LEVEL = "="
"""Two groups or more are level at the top."""
_GROUNDS = (
    "#e8b04a", "#6fb1e0", "#79c29b", "#e3967a", "#c9a3d6", "#d8d27a", "#9fb3bf", "#d9b38c",
)  # fmt: skip
"""Told apart by people who see colours otherwise too; black reads on each."""
_PATTERNS = (
    Qt.BrushStyle.NoBrush,
    Qt.BrushStyle.BDiagPattern,
    Qt.BrushStyle.HorPattern,
    Qt.BrushStyle.Dense6Pattern,
    Qt.BrushStyle.FDiagPattern,
    Qt.BrushStyle.VerPattern,
    Qt.BrushStyle.CrossPattern,
    Qt.BrushStyle.Dense7Pattern,
)
_INK = "#14181c"


@dataclass(frozen=True, slots=True)
class Look:
    """How one group is drawn; `letters` stand in each county that it leads."""

    label: str
    letters: str
    place: int
    """Which colour and pattern."""

    @property
    def brushes(self) -> tuple[QBrush, ...]:
        ground = QBrush(QColor(_GROUNDS[self.place % len(_GROUNDS)]))
        pattern = _PATTERNS[(self.place + self.place // len(_GROUNDS)) % len(_PATTERNS)]
        if pattern == Qt.BrushStyle.NoBrush:
            return (ground,)
        over = QColor(_INK)
        over.setAlpha(110)
        return ground, QBrush(over, pattern)


@dataclass(frozen=True, slots=True)
class LedArea(Area):
    """`leader` is a group's key, LEVEL, or "" where nothing is counted or may be seen."""

    leader: str = ""


def letters_of(labels: Mapping[str, str]) -> dict[str, str]:
    """The shortest beginning, of one letter or more, by which each group differs from the others."""
    found = {}
    for key, label in labels.items():
        others = [other.casefold() for one, other in labels.items() if one != key]
        length = next(
            (n for n in range(1, len(label)) if not any(o.startswith(label[:n].casefold()) for o in others)),
            len(label),
        )
        found[key] = label[: max(length, 2)].capitalize()
    return found


class LeaderMap(CountyMap):
    """As the map of the counties: arrows go about, Enter opens one."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self._looks: Mapping[str, Look] = {}

    def set_looks(self, looks: Mapping[str, Look]) -> None:
        if looks != self._looks:
            self._looks = dict(looks)
            self.update()

    def _paint(self, painter: QPainter, area: Area, where: Placed) -> None:
        leader = area.leader if isinstance(area, LedArea) else ""
        look = self._looks.get(leader)
        painter.setPen(QPen(theme().colour("edge"), 1))
        brushes = look.brushes if look else (QBrush(theme().colour("base")),)
        for outline in where.outlines:
            for brush in brushes:
                painter.setBrush(brush)
                painter.drawPolygon(outline)
        text = look.letters if look else LEVEL if leader == LEVEL else ""
        if area.satellites or not self.is_map:  # tiles have no place by which they are known
            name = short_pool(area.name) if area.satellites else self._initials[area.key]
            text = f"{name}\n{text}" if text else name
        if not text:
            return
        painter.setFont(fonts.body(fonts.SMALL_POINTS, bold=True))
        metrics = QFontMetricsF(painter.font())
        lines = text.split("\n")
        wide = max(metrics.horizontalAdvance(line) for line in lines)
        high = metrics.height() * len(lines)
        box = QRectF(where.middle.x() - wide / 2, where.middle.y() - high / 2, wide, high)
        if look:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(look.brushes[0])
            painter.drawRoundedRect(box.adjusted(-2, 1, 2, -1), 2, 2)
        painter.setPen(QColor(_INK) if look else theme().colour("text"))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)

    def _paint_legend(self, painter: QPainter) -> None:
        """It stands beside the map, with how many counties each group leads."""


class LeaderLegend(QWidget):
    """Each leader's colour, pattern and letters, with its name and in how many counties it leads."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines: tuple[tuple[Look | None, str, str], ...] = ()
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme().changed.connect(self.update)

    def set_lines(self, lines: Sequence[tuple[Look | None, str, str]]) -> None:
        """Look (None for none), the letters, what is said."""
        if tuple(lines) != self._lines:
            self._lines = tuple(lines)
            self.setAccessibleDescription("; ".join(said for _, _, said in self._lines))
            self.updateGeometry()
            self.update()

    @property
    def told(self) -> tuple[str, ...]:
        return tuple(said for _, _, said in self._lines)

    def sizeHint(self) -> QSize:
        return QSize(220, len(self._lines) * 4 * STEP)

    def minimumSizeHint(self) -> QSize:
        return QSize(160, len(self._lines) * 4 * STEP)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        small: QFont = fonts.body(fonts.SMALL_POINTS, bold=True)
        for place, (look, letters, said) in enumerate(self._lines):
            box = QRectF(1, place * 4 * STEP + 3, 6 * STEP, 3 * STEP)
            painter.setPen(QPen(theme().colour("edge"), 1))
            for brush in look.brushes if look else (QBrush(theme().colour("base")),):
                painter.setBrush(brush)
                painter.drawRect(box)
            painter.setFont(small)
            if look:
                wide = QFontMetricsF(small).horizontalAdvance(letters)
                middle = box.center()
                painter.fillRect(
                    QRectF(middle.x() - wide / 2 - 2, box.top() + 2, wide + 4, box.height() - 4),
                    look.brushes[0],
                )
            painter.setPen(QColor(_INK) if look else theme().colour("text"))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, letters)
            painter.setFont(self.font())
            painter.setPen(theme().colour("text"))
            words = QRectF(box.right() + 2 * STEP, place * 4 * STEP, self.width(), 4 * STEP)
            painter.drawText(words, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, said)
        painter.end()
