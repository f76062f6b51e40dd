"""The counties of a state, painted by how far they have come: on a map, or as tiles where there is none."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFont,
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from caucus_desk.tally.people import folded
from caucus_desk.ui.theme import theme
from caucus_desk.ui.widgets.basics import STEP
from caucus_desk.ui.widgets.shades import STEPS, brushes, ground, ink, is_hatched
from caucus_desk.ui.widgets.shapes import Placed, initials, map_for, placed_as_tiles, placed_on_map
from caucus_desk.ui.words import tip

_LEGEND = 4 * STEP
_SMALLEST = 8 * STEP
_ARROWS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}


@dataclass(frozen=True, slots=True)
class Area:
    """A county, or a pool of satellite sites: `part` of `whole` precincts."""

    key: str
    name: str
    part: int
    whole: int
    satellites: bool = False
    told: str = ""
    """What is said of it when it is chosen or pointed at."""

    @property
    def step(self) -> int:
        """Which of STEPS: 0 only for none at all, the last only for all of them."""
        if not self.part or not self.whole:
            return 0
        if self.part == self.whole:
            return 5
        return 1 + min(3, int(Fraction(4 * self.part, self.whole)))

    @property
    def figure(self) -> str:
        """Whole per cents, cut off: 100 only for all."""
        return str(100 * self.part // self.whole) if self.whole else ""


class CountyMap(QWidget):
    """Arrows go from county to county, Enter opens one. Shares differ by lightness and by hatching, the
    chosen county by its frame; each figure is in words too."""

    chosen = Signal(str)
    opened = Signal(str)

    def __init__(self, name: str, parent: QWidget | None = None, *, passive: bool = False) -> None:
        super().__init__(parent)
        self._areas: tuple[Area, ...] = ()
        self._placed: dict[str, Placed] = {}
        self._initials: dict[str, str] = {}
        self._on_map = False
        self._current = ""
        self._passive = passive
        self.setAccessibleName(name)
        if not passive:
            self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        theme().changed.connect(self.update)

    # ---- content ----

    @property
    def areas(self) -> tuple[Area, ...]:
        return self._areas

    @property
    def current(self) -> str:
        """The key of the chosen area, "" before one was."""
        return self._current

    @property
    def is_map(self) -> bool:
        """Whether there are shapes for these counties; else they stand as tiles."""
        return self._on_map

    def set_areas(self, areas: Sequence[Area]) -> None:
        areas = tuple(areas)
        if areas == self._areas:
            return
        anew = [area.key for area in areas] != [area.key for area in self._areas]
        self._areas = areas
        if anew:
            if self._current not in {area.key for area in areas}:
                self._current = ""
            self._place()
        self._describe()
        self.update()

    def choose(self, key: str) -> None:
        if key != self._current and self.area(key) is not None:
            self._current = key
            self._describe()
            self.update()
            self.chosen.emit(key)

    def area(self, key: str) -> Area | None:
        return next((area for area in self._areas if area.key == key), None)

    def _describe(self) -> None:
        area = self.area(self._current)
        self.setAccessibleDescription("" if area is None else f"{area.name}: {area.told}")

    # ---- where things are ----

    def sizeHint(self) -> QSize:
        return QSize(660, 400)

    def minimumSizeHint(self) -> QSize:
        return QSize(360, 280)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        """Map above, a row of satellite pools below it, the legend last."""
        whole = QRectF(2, 2, self.width() - 4, self.height() - _LEGEND - STEP - 4)
        self._placed = {}
        if whole.width() < _SMALLEST or whole.height() < _SMALLEST:
            return  # not laid out yet
        sites = [area for area in self._areas if area.satellites]
        row = min(64.0, whole.height() / 8) if sites else 0.0
        upper = QRectF(whole.x(), whole.y(), whole.width(), whole.height() - row - (STEP if sites else 0))
        counties = [area for area in self._areas if not area.satellites]
        found = map_for([area.name for area in counties])
        self._on_map = found is not None
        if found is not None:
            placed = placed_on_map(found, [area.name for area in counties], upper)
        else:
            counties.sort(key=lambda area: folded(area.name))
            names = [area.name for area in counties]
            self._initials = {area.key: initials(area.name, names) for area in counties}
            placed = placed_as_tiles([area.name for area in counties], upper)
        self._placed = {area.key: where for area, where in zip(counties, placed, strict=True)}
        if sites:
            ends = [where.room.bottom() for where in placed]
            below = max(ends, default=upper.bottom()) + STEP
            lower = QRectF(whole.x(), below, whole.width(), row)
            pools = placed_as_tiles([area.name for area in sites], lower, largest=row)
            self._placed |= {area.key: where for area, where in zip(sites, pools, strict=True)}

    def at(self, point: QPointF) -> str:
        """The key of the area at a point, "" where there is none."""
        return next((key for key, where in self._placed.items() if where.contains(point)), "")

    def middle(self, key: str) -> QPointF:
        return self._placed[key].middle

    # ---- what the person does ----

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if self._passive or not self._placed:
            super().keyPressEvent(event)
        elif key in _ARROWS and event.modifiers() in (
            Qt.KeyboardModifier.NoModifier,
            Qt.KeyboardModifier.KeypadModifier,
        ):
            self._go(*_ARROWS[key])
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            keys = list(self._placed)
            self.choose(keys[0] if key == Qt.Key.Key_Home else keys[-1])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._current:
            self.opened.emit(self._current)
        else:
            super().keyPressEvent(event)

    def _go(self, across: int, down: int) -> None:
        """To the nearest in that direction; straight ahead counts before far aside. Stays at the rim."""
        if not self._current:
            self.choose(next(iter(self._placed)))
            return
        here = self._placed[self._current].middle
        best, least = "", 0.0
        for key, where in self._placed.items():
            away = where.middle - here
            ahead = away.x() * across + away.y() * down
            aside = abs(away.x() * down) + abs(away.y() * across)
            if ahead <= 1.0 or aside > 2.5 * ahead:
                continue
            cost = ahead + 2 * aside
            if not best or cost < least:
                best, least = key, cost
        if best:
            self.choose(best)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        if not self._passive and (key := self.at(event.position())):
            self.choose(key)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if not self._passive and (key := self.at(event.position())):
            self.opened.emit(key)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            area = self.area(self.at(QPointF(event.pos())))
            if area is None:
                QToolTip.hideText()
            else:
                QToolTip.showText(event.globalPos(), tip(f"{area.name}: {area.told}"), self)
            return True
        return super().event(event)

    # ---- painting ----

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for area in self._areas:
            if area.key in self._placed:
                self._paint(painter, area, self._placed[area.key])
        if self._current in self._placed:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(theme().colour("accent"), 4 if self.hasFocus() else 2))
            for outline in self._placed[self._current].outlines:
                painter.drawPolygon(outline)
        self._paint_legend(painter)
        painter.end()

    def _paint(self, painter: QPainter, area: Area, where: Placed) -> None:
        painter.setPen(QPen(theme().colour("edge"), 1))
        for outline in where.outlines:
            for brush in brushes(area.step):
                painter.setBrush(brush)
                painter.drawPolygon(outline)
        tile = area.satellites or not self._on_map
        room = where.room.adjusted(2, 2, -2, -2)
        lines = [short_pool(area.name) if area.satellites else self._initials[area.key]] if tile else []
        if tile and not area.satellites and _fits(self.font(), area.name, room):
            lines = [area.name]
        if area.figure and room.height() > (32 if tile else 20):
            lines.append(f"{area.figure}%" if tile else area.figure)
        font = _fitting(self.font(), lines, room)
        if font is None:
            return
        painter.setFont(font)
        metrics = QFontMetricsF(font)
        height = metrics.height() * len(lines)
        widest = max(metrics.horizontalAdvance(line) for line in lines)
        box = QRectF(where.middle.x() - widest / 2, where.middle.y() - height / 2, widest, height)
        if is_hatched(area.step):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(ground(area.step))
            painter.drawRoundedRect(box.adjusted(-2, 0, 2, 0), 2, 2)
        painter.setPen(ink(area.step))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, "\n".join(lines))

    def _paint_legend(self, painter: QPainter) -> None:
        made = QFont(self.font())
        while True:
            metrics = QFontMetricsF(made)
            side = metrics.height() * 0.8
            each = side + STEP + max(metrics.horizontalAdvance(text) for text in STEPS) + 2 * STEP
            if each * len(STEPS) <= self.width() or made.pointSizeF() <= 6:
                break
            made.setPointSizeF(made.pointSizeF() - 1)
        painter.setFont(made)
        top = self.height() - _LEGEND + (_LEGEND - side) / 2
        for step, text in enumerate(STEPS):
            box = QRectF(1 + step * each, top, side, side)
            painter.setPen(QPen(theme().colour("edge"), 1))
            for brush in brushes(step):
                painter.setBrush(brush)
                painter.drawRect(box)
            painter.setPen(theme().colour("text"))
            place = QRectF(box.right() + STEP, self.height() - _LEGEND, each - side - STEP, _LEGEND)
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)


def _fitting(font: QFont, lines: Sequence[str], room: QRectF) -> QFont | None:
    """The font, smaller where there is little room, at least 7 points; None where not even that fits."""
    if not lines:
        return None
    for points in (font.pointSizeF(), 18.0, 15.0, 12.0, 10.0, 9.0, 8.0, 7.0):
        if points > font.pointSizeF():
            continue
        made = QFont(font)
        made.setPointSizeF(points)
        metrics = QFontMetricsF(made)
        widest = max(metrics.horizontalAdvance(line) for line in lines)
        if widest <= room.width() * 0.8 and metrics.height() * len(lines) <= room.height():
            return made
    return None


def _fits(font: QFont, text: str, room: QRectF) -> bool:
    return QFontMetricsF(font).horizontalAdvance(text) <= room.width() * 0.8


def short_pool(name: str) -> str:
    """A pool of sites by its number where it has one: `Satellite district 3` is `S3`."""
    digits = "".join(letter for letter in name if letter.isdecimal())
    if digits:
        return f"S{digits}"
    words = [word for word in name.split() if word]
    return "S " + "".join(word[0].upper() for word in words[1:] or words)
