"""How far the sites that are still open can move a satellite pool. Exact, in state delegates (rules.md 6).

A pool shares a fixed number of state delegates among its sites by their weight (attendance, or delegates
to elect where the rule set says so), so one open site moves every site of its pool: a site with many
people takes from all others, one where nobody came leaves everything to them. The bounds are therefore
those of a whole pool, never sums over its sites.

With weights w and s(g) = the share of its delegates that a site gives a group, a group has
S · Σ w·s / Σ w. What is asked for is the most of Σ w·s / Σ w where `s` is a sum over groups with factors
(+1 for one group: its own SDEs; +1 and −1: the lead of one over another). A freed site takes any weight
between its least and its most, and gives any group anything up to its whole. The quotient is monotone in
each freed weight, so the most lies at an end of each; which end, and which sites to free where only so
many may be, is found by Dinkelbach's method: for a quotient λ each site's best end is that with the
largest w·(s − λ), and λ rises to the quotient of that choice until it stays.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

Factors = Mapping[str, int]
"""Group to factor; a group that is not named has factor 0."""
ZERO = Fraction(0)


@dataclass(frozen=True, slots=True)
class PoolSite:
    """One site as it is counted now, and what it can become if it is open."""

    id: str
    weight: int
    """People (or delegates to elect) that it is weighted with now; 0 where that is not known."""
    counted: Mapping[str, Fraction]
    """Share of its delegates by group as counted now; empty where its sheet is not in the sums."""
    open: bool
    weights: tuple[int, int] = (0, 0)
    """Least and most weight that an open site can have."""
    whole: Fraction = Fraction(1)
    """The most that it can give of what it elects: 1, or more where its sheet gives more than it elects."""
    inside: bool = True
    """False: outside the area that is asked about; it weighs in its pool but counts for nobody."""

    def now(self, factors: Factors) -> Fraction:
        if not self.inside:
            return ZERO
        return sum((factors.get(group, 0) * share for group, share in self.counted.items()), ZERO)

    def best(self, factors: Factors) -> Fraction:
        return max(0, *factors.values()) * self.whole if self.inside else ZERO


@dataclass(frozen=True)
class SatellitePool:
    """The sites of one pool. `total`: its state delegates."""

    name: str
    total: int
    sites: tuple[PoolSite, ...]
    _kept: dict[tuple[frozenset[tuple[str, int]], int], tuple[Fraction, tuple[str, ...]]] = field(
        default_factory=dict, repr=False, compare=False
    )
    _nows: dict[frozenset[tuple[str, int]], "_Now"] = field(default_factory=dict, repr=False, compare=False)

    @property
    def open_sites(self) -> tuple[PoolSite, ...]:
        return tuple(site for site in self.sites if site.open)

    def now(self, factors: Factors) -> Fraction:
        """As counted now."""
        return self._value(factors, {})

    def most(self, factors: Factors, freed: Collection[str] | None = None) -> Fraction:
        """The most that it can be when the open sites `freed` (all where None) come in as they like and
        the others stay as they are counted now. Attained."""
        chosen = [site for site in self.open_sites if freed is None or site.id in freed]
        return self._most_with(factors, chosen, len(chosen))[0]

    def most_through(self, factors: Factors, number: int) -> tuple[Fraction, tuple[str, ...]]:
        """The most that `number` open sites can make it, and which."""
        key = (frozenset(factors.items()), number)
        if key not in self._kept:
            self._kept[key] = self._most_with(factors, self.open_sites, number)
        return self._kept[key]

    def _most_with(
        self, factors: Factors, candidates: Sequence[PoolSite], number: int
    ) -> tuple[Fraction, tuple[str, ...]]:
        best = {site.id: site.best(factors) for site in candidates}
        now = self._as_counted(factors).of_site
        found, chosen = self._value(factors, {}), dict[str, tuple[int, Fraction]]()
        while True:
            level = found / self.total if self.total else ZERO
            ends: list[tuple[Fraction, int, str]] = []
            for place, site in enumerate(candidates):
                gain, weight = max((w * (best[site.id] - level), w) for w in site.weights)
                ends.append((gain - site.weight * (now[site.id] - level), -place, site.id))
                chosen[site.id] = (weight, best[site.id])
            taken = [id for _, _, id in sorted(ends, reverse=True)[:number]]
            value = self._value(factors, {id: chosen[id] for id in taken})
            if value <= found:
                return found, tuple(taken)
            found = value

    def _value(self, factors: Factors, freed: Mapping[str, tuple[int, Fraction]]) -> Fraction:
        """S · Σ w·s / Σ w, with some sites' weight and share replaced; 0 where nobody came anywhere."""
        now = self._as_counted(factors)
        over, weights = now.over, now.weights
        for id, (weight, share) in freed.items():
            over += weight * share - now.weight_of_site[id] * now.of_site[id]
            weights += weight - now.weight_of_site[id]
        return self.total * over / weights if weights else ZERO

    def _as_counted(self, factors: Factors) -> "_Now":
        key = frozenset(factors.items())
        found = self._nows.get(key)
        if found is None:
            shares = {site.id: site.now(factors) for site in self.sites}
            found = self._nows[key] = _Now(
                shares,
                {site.id: site.weight for site in self.sites},
                sum((site.weight * shares[site.id] for site in self.sites), ZERO),
                sum(site.weight for site in self.sites),
            )
        return found


@dataclass(frozen=True, slots=True)
class _Now:
    """A pool as counted now, for one sum over groups: shares and weights by site, Σ w·s and Σ w."""

    of_site: Mapping[str, Fraction]
    weight_of_site: Mapping[str, int]
    over: Fraction
    weights: int
