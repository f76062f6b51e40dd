"""How precincts and times are named in the sentences of the desk."""

import time
from datetime import UTC, datetime

from caucus_desk.tally.roster import Precinct


def place(precinct: Precinct) -> str:
    """How a precinct is named in a sentence."""
    return f"{precinct.name}, {precinct.county}"


def clock(at: datetime, now: datetime | None = None) -> str:
    """The local time of day; with the date where it is another day's, with the zone where the clock of that
    night shows the hour twice. `now` is UTC and the present by default."""
    local = at.astimezone()
    text = local.strftime("%H:%M")
    if any(_wall(at.timestamp() + hour) == _wall(at.timestamp()) for hour in (-3600, 3600)):
        text += f" {zone_of(local)}"
    if local.date() != (now or datetime.now(UTC)).astimezone().date():
        text += f" on {local:%Y-%m-%d}"
    return text


def _wall(seconds: float) -> str:
    return time.strftime("%H:%M", time.localtime(seconds))


def zone_of(local: datetime) -> str:
    """`CST`, or `UTC-06:00` where the system has only a long name for its zone."""
    name = local.tzname() or ""
    if 3 <= len(name) <= 5 and name.isalpha():
        return name
    offset = local.strftime("%z")
    return f"UTC{offset[:3]}:{offset[3:5]}"


def listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
