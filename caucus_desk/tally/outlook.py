"""The bounds of one area, and the questions that can be put to them. tally.bounds makes one."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.tally.openness import OpenPrecinct
from caucus_desk.tally.passing import Step, smallest_set
from caucus_desk.tally.poolbounds import ZERO, Factors, SatellitePool
from caucus_desk.tally.results import Counting
from caucus_desk.tally.roster import Precinct


@dataclass(frozen=True, slots=True)
class Range:
    """What a group has now, and the least and the most it can end with."""

    group: str
    now: Fraction
    least: Fraction
    most: Fraction


@dataclass(frozen=True, slots=True)
class Race:
    """Whether `behind` can still pass `ahead`."""

    ahead: str
    behind: str
    lead: Fraction
    """What `ahead` has more now."""
    most: Fraction
    """The most by which `behind` can end ahead; below zero: by so much `ahead` is safe."""

    @property
    def can_pass(self) -> bool:
        return self.most > 0

    @property
    def can_draw_level(self) -> bool:
        return self.most >= 0


@dataclass(frozen=True, slots=True)
class Passing:
    """The fewest open precincts through which `behind` can pass `ahead`, the others staying as they are
    counted now. No smaller set can do it; others of the same size may."""

    ahead: str
    behind: str
    lead: Fraction
    precincts: tuple[OpenPrecinct, ...]
    gain: Fraction
    """What they can move between the two at most: more than `lead`."""

    @property
    def counties(self) -> tuple[str, ...]:
        """Counties and pools, those with most of the precincts first."""
        return by_number(entry.precinct.county for entry in self.precincts)


@dataclass(frozen=True, slots=True)
class Swing:
    """What one open precinct alone can move between two groups, all else as counted now."""

    open: OpenPrecinct
    ahead: str
    behind: str
    against: Fraction
    """The most by which the lead of `ahead` can fall."""
    towards: Fraction
    """The most by which it can rise."""

    @property
    def whole(self) -> Fraction:
        """Between one end and the other."""
        return self.against + self.towards


@dataclass(frozen=True)
class Single:
    """An open precinct that moves nothing but its own SDEs."""

    entry: OpenPrecinct
    most: Fraction
    now: Mapping[str, Fraction]

    def gain(self, factors: Factors) -> Fraction:
        """How much more than now a sum over groups can be through it."""
        return max(0, *factors.values()) * self.most - _sum(factors, self.now)


@dataclass(frozen=True)
class Outlook:
    """Bounds for one area: the state, or a district."""

    rules: RuleSet
    counting: Counting
    now: Mapping[str, Fraction]
    """Exact SDEs as counted, by group, in ballot order."""
    open: tuple[OpenPrecinct, ...]
    """In roster order; those of `unknown` are not among them."""
    unknown: tuple[Precinct, ...]
    """Open precincts without a known allotment or worth: the bounds leave them out, so say who they are."""
    singles: tuple[Single, ...]
    pools: tuple[SatellitePool, ...]
    """Pools with an open site."""
    entries: Mapping[str, OpenPrecinct]
    assumptions: tuple[str, ...]

    def most_of(self, factors: Factors) -> Fraction:
        """The most that a sum over groups with factors can still be."""
        value = _sum(factors, self.now)
        value += max(0, *factors.values()) * self._open_worth
        value -= _sum(factors, self._open_now)
        return value + sum((pool.most(factors) - pool.now(factors) for pool in self.pools), ZERO)

    @cached_property
    def _open_worth(self) -> Fraction:
        return sum((single.most for single in self.singles), ZERO)

    @cached_property
    def _open_now(self) -> Mapping[str, Fraction]:
        return {
            group: sum((single.now.get(group, ZERO) for single in self.singles), ZERO) for group in self.now
        }

    def range(self, group: str) -> Range:
        return Range(group, self.now[group], -self.most_of({group: -1}), self.most_of({group: 1}))

    @property
    def ranges(self) -> tuple[Range, ...]:
        """In ballot order."""
        return tuple(self.range(group) for group in self.now)

    @cached_property
    def order(self) -> tuple[str, ...]:
        """Groups by what they have now, the largest first; equal ones in ballot order."""
        return tuple(sorted(self.now, key=lambda group: -self.now[group]))

    @property
    def leaders(self) -> tuple[str, ...]:
        """The group with most, or all that are equal; empty while nothing is counted."""
        most = max(self.now.values(), default=ZERO)
        return tuple(group for group in self.order if most and self.now[group] == most)

    def race(self, ahead: str, behind: str) -> Race:
        return Race(
            ahead,
            behind,
            self.now[ahead] - self.now[behind],
            self.most_of({behind: 1, ahead: -1}),
        )

    def races(self) -> tuple[Race, ...]:
        """The leader against every other group, the closest first; empty while nothing is counted."""
        if not self.leaders:
            return ()
        return tuple(self.race(self.order[0], group) for group in self.order[1:])

    def passing(self, ahead: str, behind: str, at_most: int | None = None) -> Passing | None:
        """The smallest set of open precincts that can turn the two around, or None: nothing can (or no set
        of `at_most`).

        Where the two are level now, or `behind` is ahead already, the set may be a single precinct.
        """
        lead = self.now[ahead] - self.now[behind]
        factors = {behind: 1, ahead: -1}
        steps = [Step(single.entry.precinct.id, single.gain(factors)) for single in self.singles]
        found = smallest_set(lead, steps, self.pools, factors, at_most)
        if found is None:
            return None
        ids, gain = found
        return Passing(ahead, behind, lead, tuple(self.entries[id] for id in ids), gain)

    def leader_change(self) -> Passing | None:
        """The smallest set through which the leader can stop being the leader; None: it cannot change. Of
        equal sets the one for who is closest behind."""
        return self._leader_change

    @cached_property
    def _leader_change(self) -> Passing | None:
        best: Passing | None = None
        for race in self.races():
            fewer = None if best is None else len(best.precincts) - 1
            if not race.can_pass or fewer == 0:
                continue
            best = self.passing(race.ahead, race.behind, fewer) or best
        return best

    @property
    def closest(self) -> tuple[str, str] | None:
        """The leader and who is next; None while nothing is counted."""
        return (self.order[0], self.order[1]) if self.leaders and len(self.order) > 1 else None

    def swings(self, pair: tuple[str, str] | None = None) -> tuple[Swing, ...]:
        """Every open precinct by what it alone can take from the lead of the first of `pair` (by default
        the leader and the next), the most first, equal ones in roster order."""
        ahead, behind = pair or self.closest or (None, None)
        if ahead is None or behind is None:
            return ()
        against, towards = {behind: 1, ahead: -1}, {ahead: 1, behind: -1}
        moves = {
            single.entry.precinct.id: (single.gain(against), single.gain(towards)) for single in self.singles
        }
        for pool in self.pools:
            for site in pool.open_sites:
                moves[site.id] = (
                    pool.most(against, {site.id}) - pool.now(against),
                    pool.most(towards, {site.id}) - pool.now(towards),
                )
        swings = [Swing(entry, ahead, behind, *moves[entry.precinct.id]) for entry in self.open]
        return tuple(sorted(swings, key=lambda swing: (-swing.against, -swing.towards)))

    def check_next(self, number: int = 10, pair: tuple[str, str] | None = None) -> tuple[Swing, ...]:
        """The precincts that matter most to check next."""
        return self.swings(pair)[:number]


def by_number(names: Iterable[str]) -> tuple[str, ...]:
    """Each name once, the commonest first, equal ones as they came."""
    number: dict[str, int] = {}
    for name in names:
        number[name] = number.get(name, 0) + 1
    return tuple(sorted(number, key=lambda name: -number[name]))


def _sum(factors: Factors, values: Mapping[str, Fraction]) -> Fraction:
    return sum((factor * values.get(group, ZERO) for group, factor in factors.items()), ZERO)
