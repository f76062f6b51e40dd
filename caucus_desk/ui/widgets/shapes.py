"""Outlines of counties: from the maps in resources, or equal tiles for a state that has no map."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import ceil

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPolygonF

from caucus_desk import paths
from caucus_desk.tally.people import folded

_TILE_GAP = 0.12
"""Part of a tile that stays free around it."""


@dataclass(frozen=True)
class Shape:
    """One county. Its outlines in a plane, y downwards."""

    fips: str
    name: str
    rings: tuple[tuple[tuple[int, int], ...], ...]


@dataclass(frozen=True)
class StateMap:
    state: str
    width: int
    height: int
    shapes: tuple[Shape, ...]

    def by_name(self) -> dict[str, Shape]:
        """By name, folded: `O’BRIEN` is O'Brien."""
        return {folded(shape.name): shape for shape in self.shapes}


@cache
def maps() -> tuple[StateMap, ...]:
    """Every map that the program has."""
    found = []
    for file in sorted((paths.resources() / "maps").glob("*.json")):
        read = json.loads(file.read_text(encoding="utf-8"))
        shapes = tuple(
            Shape(
                county["fips"],
                county["name"],
                tuple(tuple(zip(ring[::2], ring[1::2], strict=True)) for ring in county["rings"]),
            )
            for county in read["counties"]
        )
        found.append(StateMap(read["state"], read["width"], read["height"], shapes))
    return tuple(found)


def map_for(counties: Sequence[str]) -> StateMap | None:
    """The map with a shape for every one of these counties: the roster says which state it is."""
    wanted = {folded(county) for county in counties}
    if not wanted:
        return None
    return next((one for one in maps() if wanted <= one.by_name().keys()), None)


@dataclass(frozen=True)
class Placed:
    """One area on the screen. Outlines in pixels; `middle` is where its figure stands, `room` how much."""

    key: str
    outlines: tuple[QPolygonF, ...]
    middle: QPointF
    room: QRectF

    def contains(self, at: QPointF) -> bool:
        from PySide6.QtCore import Qt

        return any(outline.containsPoint(at, Qt.FillRule.OddEvenFill) for outline in self.outlines)


def placed_on_map(found: StateMap, keys: Sequence[str], area: QRectF) -> tuple[Placed, ...]:
    """Each county of `keys` where it lies, the whole state as large as `area` allows."""
    scale = min(area.width() / found.width, area.height() / found.height)
    left = area.x() + (area.width() - found.width * scale) / 2
    shapes = found.by_name()
    placed = []
    for key in keys:
        outlines = tuple(
            QPolygonF([QPointF(left + x * scale, area.y() + y * scale) for x, y in ring])
            for ring in shapes[folded(key)].rings
        )
        bounds = QRectF()
        for outline in outlines:
            bounds = bounds.united(outline.boundingRect())
        placed.append(Placed(key, outlines, _centre(outlines[0]), bounds))
    return tuple(placed)


def placed_as_tiles(keys: Sequence[str], area: QRectF, *, largest: float = 138.0) -> tuple[Placed, ...]:
    """Equal squares in rows, in the order of `keys`, as large as `area` allows."""
    if not keys or area.width() <= 0 or area.height() <= 0:
        return ()

    def side_of(columns: int) -> float:
        return min(area.width() / columns, area.height() / ceil(len(keys) / columns), largest)

    # Of equally large ones the widest: rows are read more easily than columns.
    columns = max(range(1, len(keys) + 1), key=lambda columns: (side_of(columns), columns))
    side = side_of(columns)
    placed = []
    for place, key in enumerate(keys):
        row, column = divmod(place, columns)
        gap = side * _TILE_GAP / 2
        box = QRectF(
            area.x() + column * side + gap, area.y() + row * side + gap, side - 2 * gap, side - 2 * gap
        )
        placed.append(Placed(key, (QPolygonF(box),), box.center(), box))
    return tuple(placed)


def initials(name: str, names: Sequence[str]) -> str:
    """The shortest beginning of a name, from three letters up to five, that no other name shares."""
    own = [letter for letter in name if letter.isalnum()]
    others = [[letter for letter in other if letter.isalnum()] for other in names if other != name]
    for length in (3, 4, 5):
        begin = own[:length]
        if all(other[:length] != begin for other in others):
            break
    return "".join(own[:length])


def _centre(outline: QPolygonF) -> QPointF:
    """The centre of gravity of a polygon."""
    points = [outline.at(place) for place in range(outline.size())]
    area = x = y = 0.0
    for one, other in zip(points, [*points[1:], points[0]], strict=True):
        cross = one.x() * other.y() - other.x() * one.y()
        area += cross
        x += (one.x() + other.x()) * cross
        y += (one.y() + other.y()) * cross
    if abs(area) < 1e-9:
        return outline.boundingRect().center()
    return QPointF(x / (3 * area), y / (3 * area))
