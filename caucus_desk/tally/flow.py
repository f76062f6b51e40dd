"""Realignment: who gained, who fell below viability, and where their people can have gone. Bounds.

A sheet has the people of each group in both alignments, not who walked where. Every way of walking that
fits the counts is possible; for each pair of groups the least and the most people that can have gone from
one to the other are exact bounds over all of them (rules.md 4):

- Beside the groups there are, in the first alignment, people counted in the attendance who stood with
  nobody (`UNALIGNED`), and in the final alignment people who left or stood with nobody (`LEFT`). Where the
  final has more people than were ever counted, the rest came out of nowhere (`NOWHERE`).
- Where the rule set locks viable groups, their people stay or leave. A group that may have had to realign
  because more groups were viable than there are delegates is not locked (P5). A sheet on which locking
  cannot be true (C06, C07, C09) is taken without it, and named.

Let R be the groups that are free to move (with UNALIGNED and NOWHERE), N their people, and c(h) what column
h still takes after the locked people who stayed. Free rows and columns are a transportation problem
without forbidden ways, in which a way from g to h takes at most min(f(g), c(h)) and at least
max(0, f(g) + c(h) − N); c(h) itself moves between bounds with how many locked people left, and the extremes
of both are reached together. Statewide sums of least and of most over the precincts are exact too, because
each precinct is free of the others.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.tally.checks.facts import Facts
from caucus_desk.tally.counting import counts
from caucus_desk.tally.overview import Overview
from caucus_desk.tally.results import Counting, PrecinctResult
from caucus_desk.tally.roster import Precinct
from caucus_desk.tally.sheet import ResultSheet

UNALIGNED, LEFT, NOWHERE = "unaligned", "left", "nowhere"
"""Ends of a way that are no groups. A rule set's keys are names of groups and never these."""

Way = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Between:
    """People, at least and at most."""

    least: int
    most: int


@dataclass(frozen=True, slots=True)
class RoomFlow:
    """One precinct. `ways` has each pair (from, to) that at least one person can have gone."""

    precinct: Precinct
    first: Mapping[str, int]
    final: Mapping[str, int]
    ways: Mapping[Way, Between]
    below: tuple[str, ...]
    """Groups with people in the first alignment that were not viable then, in ballot order."""
    fell: tuple[str, ...]
    """Groups that were viable in the first alignment and are not in the final."""
    rose: tuple[str, ...]
    """Groups that were not viable and became so."""
    locks_broken: bool
    """The counts cannot be true if viable groups are locked: taken without."""


@dataclass(frozen=True, slots=True)
class GroupFlow:
    """One group over all precincts, in people."""

    group: str
    first: int
    final: int
    gained: int
    """Sum over the precincts where it grew."""
    lost: int
    """Sum over the precincts where it shrank."""
    released: int
    """People it had in first alignments in which it was not viable."""
    below_in: int
    """Precincts in which that was so."""
    fell_in: int
    rose_in: int

    @property
    def net(self) -> int:
        return self.final - self.first


@dataclass(frozen=True)
class Flow:
    """All precincts of an area whose sheets have both alignments."""

    rooms: tuple[RoomFlow, ...]
    groups: tuple[GroupFlow, ...]
    """In ballot order."""
    ways: Mapping[Way, Between]
    """Sums of least and most over the precincts."""
    locks_broken: tuple[Precinct, ...]
    left_out: tuple[Precinct, ...]
    """Counted, but a round is missing or a count is blank."""

    def away_from(self, group: str) -> Mapping[str, Between]:
        """Where a group's people can have gone, the largest most first; not how likely each is."""
        found = {
            to: between for (source, to), between in self.ways.items() if source == group and to != group
        }
        return dict(sorted(found.items(), key=lambda entry: (-entry[1].most, -entry[1].least)))

    def came_to(self, group: str) -> Mapping[str, Between]:
        """Where a group's new people can have come from."""
        found = {
            source: between for (source, to), between in self.ways.items() if to == group and source != group
        }
        return dict(sorted(found.items(), key=lambda entry: (-entry[1].most, -entry[1].least)))


def flow(overview: Overview, counting: Counting = Counting.REPORTED, district: str | None = None) -> Flow:
    """Realignment in every counted precinct of the state or a district."""
    results = (
        result
        for result in overview.results.values()
        if district is None or result.precinct.district == district
    )
    return flow_of(overview.rules, results, counting)


RoomOf = Callable[[RuleSet, Precinct, ResultSheet], "RoomFlow | None"]


def flow_of(
    rules: RuleSet, results: Iterable[PrecinctResult], counting: Counting, room_of: RoomOf | None = None
) -> Flow:
    """Realignment in those of these precincts that count. `room_of` is `room_flow`, or one that remembers
    what it has worked out."""
    room_of = room_of or room_flow
    rooms: list[RoomFlow] = []
    left_out: list[Precinct] = []
    for result in results:
        sheet = result.standing.sheet
        if sheet is None or not counts(result, counting):
            continue
        room = room_of(rules, result.precinct, sheet)
        if room is None:
            left_out.append(result.precinct)
        else:
            rooms.append(room)
    ways: dict[Way, Between] = {}
    for room in rooms:
        for way, between in room.ways.items():
            so_far = ways.get(way, Between(0, 0))
            ways[way] = Between(so_far.least + between.least, so_far.most + between.most)
    return Flow(
        tuple(rooms),
        tuple(_group(group, rooms) for group in rules.keys),
        ways,
        tuple(room.precinct for room in rooms if room.locks_broken),
        tuple(left_out),
    )


def room_flow(rules: RuleSet, precinct: Precinct, sheet: ResultSheet) -> RoomFlow | None:
    """One precinct; None where a round is missing or has a blank. A room where nobody came has no ways."""
    facts = Facts(rules, precinct, sheet)
    if not facts.first_complete or not facts.final_complete or facts.round_missing:
        return None
    first = {key: count or 0 for key, count in zip(facts.keys, facts.first, strict=True)}
    final = {key: count or 0 for key, count in zip(facts.keys, facts.final, strict=True)}
    # One delegate: the room elects as a whole, and there is no viability to be locked by (P13).
    viable = () if facts.whole_room else facts.viable_first
    viable_final = () if facts.whole_room else facts.viable_final
    locked = {facts.keys[p] for p in viable if rules.locked and p not in facts.sent_away}
    counted = facts.attendance or 0
    unaligned = max(0, counted - sum(first.values()))
    bounds = RoomBounds(first, final, unaligned, frozenset(locked))
    broken = not bounds.possible
    if broken:
        bounds = RoomBounds(first, final, unaligned, frozenset())
    was, now = {facts.keys[p] for p in viable}, {facts.keys[p] for p in viable_final}
    return RoomFlow(
        precinct=precinct,
        first=first,
        final=final,
        ways=bounds.ways(),
        below=() if facts.whole_room else tuple(key for key in facts.keys if first[key] and key not in was),
        fell=tuple(key for key in facts.keys if key in was - now),
        rose=tuple(key for key in facts.keys if key in now - was),
        locks_broken=broken,
    )


@dataclass(frozen=True)
class RoomBounds:
    """The ways of one room. `first`, `final`: people by group; `unaligned`: counted and with nobody at
    first; `locked`: groups whose people stay or leave."""

    first: Mapping[str, int]
    final: Mapping[str, int]
    unaligned: int
    locked: frozenset[str]
    _stay: dict[str, int] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        for group in self.locked:
            self._stay[group] = min(self.first.get(group, 0), self.final.get(group, 0))

    @property
    def rows(self) -> dict[str, int]:
        """People in the first alignment, with those who stood nowhere."""
        return {**self.first, UNALIGNED: self.unaligned, NOWHERE: self.nowhere}

    @property
    def nowhere(self) -> int:
        return max(0, sum(self.final.values()) - sum(self.first.values()) - self.unaligned)

    @property
    def left(self) -> int:
        return max(0, sum(self.first.values()) + self.unaligned - sum(self.final.values()))

    @property
    def slack(self) -> int:
        """People who may have left beyond the locked ones that must have; below zero: locking is broken."""
        return self.left - sum(self.first.get(group, 0) - stay for group, stay in self._stay.items())

    @property
    def possible(self) -> bool:
        return self.slack >= 0

    def ways(self) -> dict[Way, Between]:
        """Each pair that one person at least can have gone. Call where `possible`."""
        free = {row: people for row, people in self.rows.items() if row not in self.locked and people}
        people = sum(free.values())
        takes = self._takes()
        found: dict[Way, Between] = {}
        for row in self.rows:
            if row in self.locked:
                found.update(self._locked(row))
                continue
            for column, (least, most) in takes.items():
                here = free.get(row, 0)
                found[row, column] = Between(max(0, here + least - people), min(here, most))
        return {way: between for way, between in found.items() if between.most}

    def _takes(self) -> dict[str, tuple[int, int]]:
        """The least and the most that free people can fill of each column."""
        slack, takes = self.slack, {}
        for column, people in self.final.items():
            stay = self._stay.get(column, 0)
            takes[column] = (people - stay, people - max(0, stay - slack))
        takes[LEFT] = (max(0, slack - sum(self._stay.values())), slack)
        return takes

    def _locked(self, group: str) -> Iterable[tuple[Way, Between]]:
        """A locked group's people stay or leave."""
        stay, people = self._stay[group], self.first.get(group, 0)
        least = max(0, stay - self.slack)
        yield (group, group), Between(least, stay)
        yield (group, LEFT), Between(people - stay, people - least)


def _group(group: str, rooms: Iterable[RoomFlow]) -> GroupFlow:
    first = final = gained = lost = released = below = fell = rose = 0
    for room in rooms:
        before, after = room.first.get(group, 0), room.final.get(group, 0)
        first, final = first + before, final + after
        gained, lost = gained + max(0, after - before), lost + max(0, before - after)
        if group in room.below:
            released, below = released + before, below + 1
        fell += group in room.fell
        rose += group in room.rose
    return GroupFlow(group, first, final, gained, lost, released, below, fell, rose)
