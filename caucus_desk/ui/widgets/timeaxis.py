"""A time axis in local time, with the zone named where the clock of that night shows an hour twice."""

from datetime import UTC, datetime, timedelta

from caucus_desk.desk.wording import clock
from caucus_desk.tally.evening import floor_to

_SPANS = tuple(
    timedelta(minutes=minutes)
    for minutes in (15, 30, 60, 120, 180, 360, 720, 1440, 2880, 7 * 1440, 28 * 1440)
)


def ticks(begin: datetime, end: datetime, most: int) -> tuple[tuple[datetime, str], ...]:
    """Not more than `most` round times from `begin` to `end`, with their labels in local time."""
    span = next((span for span in _SPANS if (end - begin) / span <= max(1, most)), _SPANS[-1])
    local = floor_to(begin.astimezone(UTC), timedelta(minutes=15))
    # Round by the local clock where whole hours are wanted: a zone may be half an hour off.
    minutes = int(span.total_seconds() // 60)
    found = []
    step = timedelta(minutes=15)
    while local <= end:
        here = local.astimezone()
        if local >= begin and (here.hour * 60 + here.minute) % min(minutes, 1440) == 0:
            found.append((local, label(local, minutes)))
        local += step
    if minutes > 1440:
        found = found[:: minutes // 1440]
    return tuple(found)


def label(at: datetime, minutes: int = 15) -> str:
    """`21:15`, `01:15 CST` where it comes twice that night; the date where ticks are days apart."""
    if minutes >= 1440:
        return f"{at.astimezone():%d %b}"
    return clock(at, at)
