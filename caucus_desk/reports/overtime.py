"""The sheet "Over time": how many precincts reported, and were verified, as the night went."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from caucus_desk.reports.book import Book, share
from caucus_desk.reports.plan import Block, Column, Kind, Page, Row
from caucus_desk.tally.evening import Point, floor_to

OVER_TIME = "Over time"
MOST_ROWS = 120
_STEPS = tuple(timedelta(minutes=m) for m in (5, 10, 15, 30, 60, 180, 360, 720, 1440))


@dataclass(frozen=True, slots=True)
class OverTime:
    page: Page
    points: tuple[Point, ...]
    """The rows, with times in UTC."""


def over_time(book: Book, curve: Sequence[Point]) -> OverTime | None:
    """None while there is nothing to show. What came after the workbook's own time is left out."""
    points = sampled([point for point in curve if point.at <= book.as_of])
    if not points:
        return None
    total = book.coverage.total
    columns = (
        Column(f"Time ({book.zone_name})", Kind.TIME),
        Column("Reporting"),
        Column("Verified"),
        Column("Share reporting", Kind.SHARE),
    )
    rows: list[Row] = [
        (book.local(point.at), point.reporting, point.verified, share(point.reporting, total))
        for point in points
    ]
    page = Page(
        OVER_TIME,
        "Reporting over time",
        f"Precincts of {total:,}, as they stood at each time.",
        (Block(columns, rows),),
        table=False,
        repeated_block=0,
    )
    return OverTime(page, points)


def sampled(points: Sequence[Point]) -> tuple[Point, ...]:
    """The curve at even times, as fine as `MOST_ROWS` allow; its last point stays the last."""
    if not points:
        return ()
    first, last = points[0].at, points[-1].at
    step = next((step for step in _STEPS if (last - first) / step < MOST_ROWS - 2), _STEPS[-1])
    found: list[Point] = [Point(floor_to(first, step), 0, 0)]
    place, at = 0, floor_to(first, step) + step
    while at < last:
        while place + 1 < len(points) and points[place + 1].at <= at:
            place += 1
        found.append(_at(points, place, at))
        at += step
    return (*found[-(MOST_ROWS - 1) :], points[-1])


def _at(points: Sequence[Point], place: int, at: datetime) -> Point:
    point = points[place]
    return Point(at, point.reporting, point.verified) if point.at <= at else Point(at, 0, 0)
