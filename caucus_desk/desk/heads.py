"""The reports that stand in the store, also those that came from another store and stand beside ours."""

from collections.abc import Iterable

from caucus_desk.store.units import ReadUnit
from caucus_desk.tally.heads import Heads, heads
from caucus_desk.tally.report import CHANNELS, Report


def heads_of(unit: ReadUnit, precinct_id: str) -> Heads:
    """By channel, every report of a precinct that stands, the leading one first."""
    return heads(unit.reports([precinct_id]).get(precinct_id, ()))


def all_heads(unit: ReadUnit, precinct_ids: Iterable[str] | None = None) -> dict[str, Heads]:
    """Of several precincts, or of all."""
    return {one: heads(reports) for one, reports in unit.reports(precinct_ids).items()}


def each(standing: Heads) -> tuple[Report, ...]:
    """Every one of them, in the channels' order."""
    return tuple(report for channel in CHANNELS for report in standing.get(channel, ()))
