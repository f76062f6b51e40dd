"""The smallest set of open precincts that can turn a lead around.

Precincts outside satellite pools add up: what a set of them can move is the sum of what each can. Of all
sets of n the n largest therefore move most, and the smallest n whose largest n move more than the lead is
the smallest there is: taking the largest first is exact here, no set has to be searched for. Sites of a
pool do not add up (each shifts the weight of all), so for each number of a pool's sites the most that so
many can move is worked out exactly (tally.poolbounds), the pools are combined by trying every split of a
number among them, and the best of all splits between pools and the rest is taken.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

from caucus_desk.tally.poolbounds import ZERO, Factors, SatellitePool


@dataclass(frozen=True, slots=True)
class Step:
    """What one open precinct can move: never below zero, because it can also stay as it is."""

    id: str
    gain: Fraction


def smallest_set(
    lead: Fraction,
    steps: Iterable[Step],
    pools: Sequence[SatellitePool],
    factors: Factors,
    at_most: int | None = None,
) -> tuple[tuple[str, ...], Fraction] | None:
    """Ids of a smallest set that moves more than `lead`, and what it moves; None where even all do not, or
    no set of `at_most` does."""
    largest = sorted(steps, key=lambda step: -step.gain)
    sums = [ZERO, *accumulate(step.gain for step in largest)]
    # Without the pools so many are enough: no more sites than that need to be looked at.
    enough = next((number for number, gain in enumerate(sums) if number and gain > lead), None)
    limit = min((number for number in (enough, at_most) if number is not None), default=None)
    pooled = _pooled(pools, factors, limit)

    def best(number: int) -> tuple[Fraction, int]:
        """The most that `number` can move, and how many of them lie in pools."""
        splits = range(max(0, number - len(largest)), min(number, len(pooled) - 1) + 1)
        return max((sums[number - inside] + pooled[inside][0], -inside) for inside in splits)

    low, high = 1, len(largest) + len(pooled) - 1
    if limit is not None:
        high = min(high, limit)
    if high < 1 or best(high)[0] <= lead:
        return None
    while low < high:
        middle = (low + high) // 2
        if best(middle)[0] > lead:
            high = middle
        else:
            low = middle + 1
    gain, minus_inside = best(low)
    inside = -minus_inside
    return (*(step.id for step in largest[: low - inside]), *pooled[inside][1]), gain


def _pooled(
    pools: Sequence[SatellitePool], factors: Factors, limit: int | None
) -> list[tuple[Fraction, tuple[str, ...]]]:
    """For 0, 1, 2, ... sites over all pools (up to `limit`): the most that so many can move, and which."""
    best: list[tuple[Fraction, tuple[str, ...]]] = [(ZERO, ())]
    for pool in pools:
        now = pool.now(factors)
        sites = len(pool.open_sites) if limit is None else min(limit, len(pool.open_sites))
        own = [(ZERO, ())] + [
            (value - now, ids)
            for value, ids in (pool.most_through(factors, number) for number in range(1, sites + 1))
        ]
        combined: list[tuple[Fraction, tuple[str, ...]]] = []
        together = len(best) + len(own) - 2
        for number in range((together if limit is None else min(limit, together)) + 1):
            splits = range(max(0, number - len(best) + 1), min(number, len(own) - 1) + 1)
            chosen = max(splits, key=lambda n: best[number - n][0] + own[n][0])
            rest, mine = best[number - chosen], own[chosen]
            combined.append((rest[0] + mine[0], (*rest[1], *mine[1])))
        best = combined
    return best
