"""Pledged national delegates, pool by pool (rules.md 7). Uncommitted counts like a candidate."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from caucus_desk.rules.apportion import Tie
from caucus_desk.rules.ruleset import Pool, PoolScope, RuleSet


@dataclass(frozen=True)
class PoolAllocation:
    """The seats of one pool. `seats` names every group, and is before a toss where there is a tie."""

    rules: RuleSet
    pool: Pool
    sdes: Mapping[str, Fraction]
    """What was counted in the pool, by group, in the rule set's unit."""
    total: Fraction
    qualified: tuple[str, ...]
    """Groups that share the seats, in ballot order."""
    lowered: bool
    """Nobody reached the threshold, so half of the leader's share was enough (rule 14.F)."""
    shares: Mapping[str, Fraction]
    """Seats that each qualified group is entitled to, exact."""
    seats: Mapping[str, int]
    tie: Tie | None
    """Equal fractions at the last seats: for the state party to decide."""

    @property
    def empty(self) -> bool:
        """Nothing was given: nobody has anything in the pool, or nobody qualifies."""
        return not self.qualified

    @cached_property
    def steps(self) -> tuple[str, ...]:
        """The allocation as it is checked on paper."""
        from caucus_desk.rules.explanation import pool_steps

        return pool_steps(self)


@dataclass(frozen=True)
class NationalDelegates:
    """Every pool of the rule set, in its order."""

    pools: tuple[PoolAllocation, ...]

    @cached_property
    def total(self) -> Mapping[str, int]:
        """Seats by group over all pools, before any toss."""
        seats: dict[str, int] = {}
        for pool in self.pools:
            for group, given in pool.seats.items():
                seats[group] = seats.get(group, 0) + given
        return seats


def allocate_pool(rules: RuleSet, pool: Pool, sdes: Mapping[str, Fraction]) -> PoolAllocation:
    """Largest remainder over the groups that reach the threshold. ValueError for a value below zero."""
    if any(value < 0 for value in sdes.values()):
        raise ValueError("a group has less than nothing")
    order = (*rules.keys, *(group for group in sdes if group not in rules.by_key))
    values = {group: Fraction(sdes.get(group, 0)) for group in order}
    whole = sum(values.values(), Fraction(0))
    qualified, lowered = _qualified(rules, values, whole)
    base = sum((values[group] for group in qualified), Fraction(0))
    shares = {group: pool.seats * values[group] / base for group in qualified}
    seats = dict.fromkeys(order, 0) | {group: share.__floor__() for group, share in shares.items()}
    tie = _give_the_rest(pool.seats, shares, seats) if qualified else None
    return PoolAllocation(rules, pool, values, whole, qualified, lowered, shares, seats, tie)


def national_delegates(
    rules: RuleSet, by_district: Mapping[str, Mapping[str, Fraction]], statewide: Mapping[str, Fraction]
) -> NationalDelegates:
    """All pools. District pools count their own district (in-state satellites included), the others
    `statewide`, which also holds what lies in no district."""
    return NationalDelegates(
        tuple(
            allocate_pool(
                rules,
                pool,
                by_district.get(pool.district or "", {}) if pool.scope is PoolScope.DISTRICT else statewide,
            )
            for pool in rules.pools
        )
    )


def _qualified(
    rules: RuleSet, values: Mapping[str, Fraction], whole: Fraction
) -> tuple[tuple[str, ...], bool]:
    if whole == 0:
        return (), False
    needed = rules.pool_threshold * whole
    reached = tuple(group for group, value in values.items() if value >= needed)
    if reached or rules.empty_rule != "half_of_leader":
        return reached, False
    leader = max(values.values())
    return tuple(group for group, value in values.items() if 2 * value >= leader), True


def _give_the_rest(seats: int, shares: Mapping[str, Fraction], given: dict[str, int]) -> Tie | None:
    """One more for the largest fractions, in `given`; a Tie where equal fractions do not all fit."""
    rest = seats - sum(given.values())
    fractions = {group: share - given[group] for group, share in shares.items()}
    for size in sorted(set(fractions.values()), reverse=True):
        equal = tuple(group for group, fraction in fractions.items() if fraction == size)
        if rest == 0:
            return None
        if len(equal) > rest:
            return Tie("gain", rest, equal)
        for group in equal:
            given[group] += 1
        rest -= len(equal)
    return None
