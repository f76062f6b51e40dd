"""How the night goes: one read model of times, from which the Progress page and the command take all.

Times are UTC here. Quarter hours and hours are counted in UTC too, so that the night the clock changes
has neither a gap nor an hour twice; showing them in local time is the window's business.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from caucus_desk.tally.history import Compared, Story, Wait
from caucus_desk.tally.people import folded
from caucus_desk.tally.results import PrecinctResult
from caucus_desk.tally.state import State

QUARTER = timedelta(minutes=15)
HOUR = timedelta(hours=1)
OVER_AFTER = timedelta(hours=6)
"""So long after the last event the night is over, and the curve is not drawn on to the present."""
LONGEST = timedelta(days=14)
"""Quarter hours are counted so far back at most: a store may be opened again years later."""


@dataclass(frozen=True, slots=True)
class Point:
    """From this time on so many precincts report, and are verified."""

    at: datetime
    reporting: int
    verified: int


@dataclass(frozen=True, slots=True)
class Ring:
    """`came`: somebody rang the desk; else the desk rang back."""

    at: datetime
    came: bool = True


@dataclass(frozen=True, slots=True)
class Quarter:
    """A quarter of an hour: calls that came, call-backs that were made, and of the sheets begun in it
    those that are still waiting to be finished."""

    begin: datetime
    calls: int
    call_backs: int
    drafts: int


@dataclass(frozen=True, slots=True)
class Waits:
    """Mismatches: the open ones, longest first, and how long those that ended had waited."""

    open: tuple[Wait, ...]
    closed: int
    median: timedelta | None
    """Of the closed ones; the lower of the two in the middle, where there are two."""
    longest: timedelta | None


@dataclass(frozen=True, slots=True)
class CountyShare:
    """A county, or a pool of satellite sites. Merged precincts are outside."""

    name: str
    satellites: bool
    total: int
    reporting: int
    verified: int
    mismatched: int

    @property
    def missing(self) -> int:
        return self.total - self.reporting


@dataclass(frozen=True, slots=True)
class HourOf:
    begin: datetime
    entries: int
    differed: int


@dataclass(frozen=True, slots=True)
class PersonFigures:
    """What one person keyed. `compared`: reports beside which another channel's stood at some time;
    `differed`: those of them that did not match it. Whose figure was right is not said."""

    name: str
    entries: int
    compared: int
    differed: int
    hours: tuple[HourOf, ...]
    """Hours with an entry, in order."""

    @property
    def busiest(self) -> int:
        """Entries in the fullest hour."""
        return max((hour.entries for hour in self.hours), default=0)


@dataclass(frozen=True, slots=True)
class Evening:
    total: int
    """Precincts, without merged ones."""
    begin: datetime | None
    """The first event; None before anything happened."""
    until: datetime
    """Now, or the last event where that is long ago."""
    curve: tuple[Point, ...]
    """In order of time; the last point is how it stands now. Empty before anything happened."""
    quarters: tuple[Quarter, ...]
    """Every quarter hour from the first event to `until`, in order."""
    calls: int
    drafts: int
    """Sheets begun and not finished, now."""
    waits: Waits
    counties: tuple[CountyShare, ...]
    """In roster order, pools of satellite sites among them."""


def evening_of(
    results: Iterable[PrecinctResult],
    stories: Mapping[str, Story],
    rings: Iterable[Ring],
    drafts: Iterable[datetime],
    now: datetime,
    lost: Mapping[str, datetime] | None = None,
) -> Evening:
    """The night up to `now`. `drafts` says when each unfinished sheet was begun.

    `lost` says since when a precinct is no longer verified through another precinct's sheet (C35), which
    its own story does not tell. `results` decide how it stands now.
    """
    known = [result for result in results if not result.precinct.merged]
    rung, begun = tuple(rings), tuple(drafts)
    curve = _curve(known, stories, now, lost or {})
    times = [point.at for point in curve[:1]] + [call.at for call in rung] + list(begun)
    begin = min(times, default=None)
    last = max([story.steps[-1].at for story in stories.values() if story.steps] + times, default=now)
    until = now if begin is None or now - last <= OVER_AFTER else last
    return Evening(
        total=len(known),
        begin=begin,
        until=until,
        curve=curve,
        quarters=_quarters(begin, until, rung, begun),
        calls=sum(call.came for call in rung),
        drafts=len(begun),
        waits=waits_of(wait for story in stories.values() for wait in story.waits),
        counties=county_shares(known),
    )


def _curve(
    results: Iterable[PrecinctResult],
    stories: Mapping[str, Story],
    now: datetime,
    lost: Mapping[str, datetime],
) -> tuple[Point, ...]:
    """Each change of a precinct moves the sums by one up or down; together they end at what is now."""
    moves: list[tuple[datetime, int, int, int]] = []
    for result in results:
        was_reporting = was_verified = False
        story = stories.get(result.precinct.id)
        seq, at = 0, None
        for step in story.steps if story is not None else ():
            seq, at = step.seq, step.at
            moves.append((at, seq, step.reporting - was_reporting, step.verified - was_verified))
            was_reporting, was_verified = step.reporting, step.verified
        if (was_reporting, was_verified) != (result.reporting, result.verified):
            # What its own events do not tell: the same sheet came in elsewhere, or came in just now.
            when = max(lost.get(result.precinct.id, now), at or lost.get(result.precinct.id, now))
            moves.append((when, seq + 1, result.reporting - was_reporting, result.verified - was_verified))
    moves.sort()
    points: list[Point] = []
    reporting = verified = 0
    for at, _, more, proven in moves:
        reporting, verified = reporting + more, verified + proven
        point = Point(at, reporting, verified)
        if points and points[-1].at == at:
            points[-1] = point
        else:
            points.append(point)
    return tuple(points)


def _quarters(
    begin: datetime | None, until: datetime, rings: Iterable[Ring], drafts: Iterable[datetime]
) -> tuple[Quarter, ...]:
    if begin is None:
        return ()
    first = floor_to(max(begin, until - LONGEST), QUARTER)
    number = max(0, (until - first) // QUARTER) + 1
    counts = [[0, 0, 0] for _ in range(number)]

    def add(at: datetime, column: int) -> None:
        place = (at - first) // QUARTER
        if 0 <= place < number:
            counts[place][column] += 1

    for call in rings:
        add(call.at, 0 if call.came else 1)
    for since in drafts:
        add(since, 2)
    return tuple(Quarter(first + place * QUARTER, *three) for place, three in enumerate(counts))


def floor_to(at: datetime, span: timedelta) -> datetime:
    """The begin of the quarter hour or the hour in which a time lies, in UTC."""
    start = datetime(2000, 1, 1, tzinfo=UTC)
    return start + (at - start) // span * span


def waits_of(waits: Iterable[Wait]) -> Waits:
    everything = tuple(waits)
    closed = sorted(wait.until - wait.since for wait in everything if wait.until is not None)
    return Waits(
        open=tuple(
            sorted((w for w in everything if w.until is None), key=lambda w: (w.since, w.precinct_id))
        ),
        closed=len(closed),
        median=closed[(len(closed) - 1) // 2] if closed else None,
        longest=closed[-1] if closed else None,
    )


def county_shares(results: Iterable[PrecinctResult]) -> tuple[CountyShare, ...]:
    cells: dict[tuple[str, bool], list[PrecinctResult]] = {}
    for result in results:
        precinct = result.precinct
        if not precinct.merged:
            cells.setdefault((precinct.county, precinct.is_satellite), []).append(result)
    return tuple(
        CountyShare(
            name=name,
            satellites=satellites,
            total=len(members),
            reporting=sum(result.reporting for result in members),
            verified=sum(result.verified for result in members),
            mismatched=sum(result.standing.state is State.MISMATCHED for result in members),
        )
        for (name, satellites), members in cells.items()
    )


def people_of(compared: Iterable[Compared]) -> tuple[PersonFigures, ...]:
    """Figures of each person who keyed one of these reports, by name; names are compared folded."""
    by_person: dict[str, list[Compared]] = {}
    for one in sorted(compared, key=lambda one: one.report.id):
        by_person.setdefault(folded(one.report.by), []).append(one)
    people = []
    for keyed in by_person.values():
        hours: dict[datetime, list[Compared]] = {}
        for one in keyed:
            hours.setdefault(floor_to(one.report.at, HOUR), []).append(one)
        people.append(
            PersonFigures(
                name=keyed[0].report.by,
                entries=len(keyed),
                compared=sum(one.beside_another for one in keyed),
                differed=sum(one.differed for one in keyed),
                hours=tuple(
                    HourOf(begin, len(ones), sum(one.differed for one in ones))
                    for begin, ones in sorted(hours.items())
                ),
            )
        )
    return tuple(sorted(people, key=lambda person: folded(person.name)))
