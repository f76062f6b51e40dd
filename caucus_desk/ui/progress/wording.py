"""Sentences and figures that the Progress page and the wall screen share."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from caucus_desk.tally.evening import CountyShare, Evening, Quarter, Waits
from caucus_desk.ui.widgets.columns import Bin
from caucus_desk.ui.widgets.countymap import Area
from caucus_desk.ui.widgets.curve import Mark
from caucus_desk.ui.widgets.timeaxis import label as time_label
from caucus_desk.ui.words import number, percent, tr

SHOWN_AT_MOST = timedelta(hours=16)
SHOWN_OF_LONG = timedelta(hours=12)
"""A longer night is shown from so long before its end on."""


def span(time: timedelta) -> str:
    """`24 min`, `1 h 13 min`, `3 days 2 h`; never less than nothing."""
    minutes = max(0, int(time.total_seconds()) // 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    if days:
        return tr("{0} d {1} h").format(days, hours)
    return tr("{0} h {1} min").format(hours, minutes) if hours else tr("{0} min").format(minutes)


def shown_from(evening: Evening) -> datetime | None:
    """Where the pictures of the night begin."""
    if evening.begin is None or evening.until - evening.begin <= SHOWN_AT_MOST:
        return evening.begin
    return evening.until - SHOWN_OF_LONG


def marks_of(evening: Evening) -> tuple[Mark, ...]:
    return tuple(Mark(point.at, (point.reporting, point.verified)) for point in evening.curve)


def bins_of(evening: Evening) -> tuple[Bin, ...]:
    begin = shown_from(evening)
    return tuple(
        Bin(quarter.begin, quarter.calls, quarter.drafts, _quarter_text(quarter))
        for quarter in evening.quarters
        if begin is None or quarter.begin + timedelta(minutes=15) > begin
    )


def _quarter_text(quarter: Quarter) -> str:
    text = tr("From {0}: {1} calls").format(time_label(quarter.begin), number(quarter.calls))
    if quarter.call_backs:
        text += tr(", {0} call-backs made").format(number(quarter.call_backs))
    if quarter.drafts:
        text += tr(", {0} sheets begun then still wait").format(number(quarter.drafts))
    return text


def areas_of(counties: Sequence[CountyShare]) -> tuple[Area, ...]:
    return tuple(
        Area(
            key=f"{'s' if one.satellites else 'c'} {one.name}",
            name=one.name,
            part=one.reporting,
            whole=one.total,
            satellites=one.satellites,
            told=county_text(one),
        )
        for one in counties
    )


def county_text(one: CountyShare) -> str:
    text = tr("{0} of {1} report ({2}), {3} verified").format(
        number(one.reporting), number(one.total), percent(one.reporting, one.total), number(one.verified)
    )
    return text + (tr(", {0} mismatched").format(number(one.mismatched)) if one.mismatched else "")


def gaps(counties: Sequence[CountyShare]) -> tuple[CountyShare, ...]:
    """Where precincts are missing, most first."""
    lacking = [one for one in counties if one.missing]
    return tuple(sorted(lacking, key=lambda one: (-one.missing, one.reporting / one.total, one.name)))


def waits_text(waits: Waits, now: datetime) -> str:
    parts = []
    if waits.open:
        oldest = span(now - waits.open[0].since)
        parts.append(tr("{0} wait, the oldest for {1}.").format(number(len(waits.open)), oldest))
    else:
        parts.append(tr("No mismatch waits."))
    if waits.median is not None and waits.longest is not None:
        parts.append(
            tr("{0} ended: half of them within {1}, the last after {2}.").format(
                number(waits.closed), span(waits.median), span(waits.longest)
            )
        )
    return " ".join(parts)
