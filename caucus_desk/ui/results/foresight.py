"""What can still change: worked out beside the window's thread, for the Results and the Review page."""

from dataclasses import dataclass

from caucus_desk.tally.bounds import outlook
from caucus_desk.tally.outlook import Outlook, Race, Range, Swing
from caucus_desk.tally.overview import Overview
from caucus_desk.tally.projection import Projection, projection
from caucus_desk.tally.results import Counting
from caucus_desk.tally.seats import PoolOutlook, SeatMove, next_seat, seat_outlooks
from caucus_desk.tally.settled import settled_sentence

NEXT = 10
"""Precincts to check next."""
RANKS = "order of the queue"


@dataclass(frozen=True)
class Foresight:
    """Everything of the Outlook section, of one moment."""

    outlook: Outlook
    settled: str
    ranges: tuple[Range, ...]
    races: tuple[Race, ...]
    check_next: tuple[Swing, ...]
    projection: Projection | None
    """None where nothing is open."""


@dataclass(frozen=True)
class SeatSight:
    """National delegates with what moves them."""

    pools: tuple[PoolOutlook, ...]
    next: SeatMove | None


def foresee(overview: Overview, counting: Counting) -> Foresight:
    """About half a second on a whole state."""
    found = outlook(overview, counting)
    return Foresight(
        outlook=found,
        settled=settled_sentence(found),
        ranges=found.ranges,
        races=found.races(),
        check_next=found.check_next(NEXT),
        projection=projection(overview, found) if found.open else None,
    )


def foresee_seats(overview: Overview, counting: Counting) -> SeatSight:
    """About a second on a whole state."""
    pools = seat_outlooks(overview.national(counting))
    return SeatSight(pools, next_seat(pools))


def ranks_by_outcome(overview: Overview) -> dict[str, int]:
    """Places of open precincts, from 0 on, by what each alone can take from the leader's lead."""
    return {swing.open.precinct.id: place for place, swing in enumerate(outlook(overview).swings())}
