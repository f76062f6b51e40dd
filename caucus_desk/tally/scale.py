"""What a county delegate is worth: the SDEs of each precinct's delegates (rules.md 6).

A county's delegates are scaled by its state delegates over its county delegates. A satellite pool
shares its state delegates among its sites by attendance, so one late site moves every site of its
pool: nothing here is kept, it is worked out from all sites each time.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction

from caucus_desk.rules.ruleset import RuleSet, Unit
from caucus_desk.rules.satellite import SiteSize, group_ratio, site_values
from caucus_desk.rules.sde import county_ratio
from caucus_desk.tally.basis import attendance_basis
from caucus_desk.tally.results import PrecinctResult
from caucus_desk.tally.roster import Precinct


class Scale:
    """County ratios of a roster. Exact; a county without state delegates in the roster has none."""

    def __init__(self, rules: RuleSet, precincts: Iterable[Precinct]) -> None:
        self._rules = rules
        self._ratio: dict[str, Fraction | None] = {}
        totals: dict[str, int] = {}
        state: dict[str, int | None] = {}
        stated: dict[str, int | None] = {}
        self._pools: dict[str, int | None] = {}
        """State delegates of each satellite pool."""
        for precinct in precincts:
            if precinct.is_satellite:
                pool = precinct.county
                self._pools[pool] = _either(self._pools.get(pool), precinct.county_state_delegates)
                continue
            county = precinct.county
            totals[county] = totals.get(county, 0) + (precinct.delegates or 0)
            state[county] = _either(state.get(county), precinct.county_state_delegates)
            stated[county] = _either(stated.get(county), precinct.county_total_delegates)
        for county, total in totals.items():
            self._ratio[county] = self._county_ratio(state[county], stated[county] or total)

    def _county_ratio(self, state: int | None, total: int) -> Fraction | None:
        if self._rules.unit is not Unit.SDE:
            return Fraction(1)
        return county_ratio(state, total) if state is not None and total else None

    @property
    def unscaled(self) -> tuple[str, ...]:
        """Counties and satellite pools whose SDEs can't be worked out: no state delegates on the roster."""
        pools = [] if self._rules.unit is not Unit.SDE else [k for k, v in self._pools.items() if v is None]
        return (*(county for county, ratio in self._ratio.items() if ratio is None), *pools)

    def county(self, county: str) -> Fraction:
        """SDEs of one county delegate; 0 where it can't be worked out (see `unscaled`)."""
        return self._ratio.get(county) or Fraction(0)

    def pool(self, sites: Iterable[PrecinctResult]) -> Mapping[str, Fraction]:
        """SDEs of one delegate at each site of a satellite pool, by precinct id."""
        sites = tuple(sites)
        if self._rules.satellites is None or self._rules.unit is not Unit.SDE:
            return {site.precinct.id: Fraction(1) for site in sites}
        sizes: dict[str, SiteSize] = {}
        for site in sites:
            people = site_attendance(self._rules, site)
            if people is not None:
                sizes[site.precinct.id] = SiteSize(people, site.delegates_to_elect or 0)
        total = self._pools.get(sites[0].precinct.county) if sites else None
        values = site_values(self._rules, total or 0, sizes)
        return {
            site.precinct.id: group_ratio(
                values.get(site.precinct.id, Fraction(0)), site.delegates_to_elect or 0
            )
            for site in sites
        }


def site_attendance(rules: RuleSet, site: PrecinctResult) -> int | None:
    """A in people: the sheet's, else the roster's sign-in count, else the first alignment; None: unknown."""
    sheet = site.standing.sheet
    if sheet is None:
        return site.precinct.attendance
    return attendance_basis(rules, site.precinct, sheet).count


def _either(known: int | None, given: int | None) -> int | None:
    return known if known is not None else given
