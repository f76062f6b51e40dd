"""Is the outcome settled? The least and the most that each group can still have. Bounds, not guesses.

What counts now is taken as it stands; what is open (tally.openness) can come in as it likes:

- a precinct gives its whole allotment to any one group, or to none (everybody in one group is a legal
  caucus, and so is nobody viable), times what its county's delegates are worth (rules.md 6);
- a satellite pool is bounded as a whole (tally.poolbounds), because an open site's attendance moves all
  sites. The roster's sign-in count is what weighs a site (rules.md 6.3); where it is known an open site
  weighs as much (or as much as its sheet states, where that differs: anything between the two). Where it
  is not known, or `sign_in_holds` is False, the site may have anybody from nobody to `site_people`.

What can be anything at all is not bounded but named: `unknown` has open precincts whose allotment, or
whose county's state delegates, the roster does not give. Two assumptions, also in `assumptions`: counted
sheets stay, and no sheet that comes in gives more delegates than its precinct elects (in 2020 eight of
1,765 did; one that does so already is taken at what it gives).

All values are exact, in the rule set's unit, and attained by some outcome.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from caucus_desk.rules.ruleset import RuleSet, SatelliteWeight
from caucus_desk.tally.basis import delegates_to_elect
from caucus_desk.tally.counting import counts
from caucus_desk.tally.openness import (
    OpenPrecinct,
    most_delegates,
    shares_a_pool,
    stated_delegates,
    why_open,
)
from caucus_desk.tally.outlook import Outlook, Single
from caucus_desk.tally.overview import Overview
from caucus_desk.tally.poolbounds import ZERO, PoolSite, SatellitePool
from caucus_desk.tally.results import Counting, PrecinctResult
from caucus_desk.tally.roster import Precinct
from caucus_desk.tally.scale import site_attendance
from caucus_desk.tally.sheet import MAX_COUNT

ASSUMPTIONS = (
    "What counts now stays as it is.",
    "No sheet still to come gives more delegates than its precinct elects.",
)
HELD_ATTENDANCE = "An open satellite site has the people that its sign-in count says, where that is known."
FREE_ATTENDANCE = "Any other open satellite site may have from nobody to {most:,} people."


def outlook(
    overview: Overview,
    counting: Counting = Counting.REPORTED,
    *,
    chosen: Collection[str] = (),
    district: str | None = None,
    sign_in_holds: bool = True,
    site_people: int = MAX_COUNT,
) -> Outlook:
    """Bounds on what stands in `overview`.

    Counting verified, everything that is not verified is open and counts for nothing yet; counting
    reported, what is not in and what has reports that differ, the latter counting as it stands until it
    changes. `chosen`: ids that are open besides (say those of a recanvass). `district`: only SDEs of that
    district; a pool's sites outside it still weigh in their pool. `sign_in_holds`, `site_people`: see above;
    the latter in people, by default the most that a sheet can state.
    """
    rules, chosen, limits = overview.rules, frozenset(chosen), _Limits(sign_in_holds, site_people)
    now = dict.fromkeys(rules.keys, ZERO)
    missing = frozenset(overview.unscaled_counties)
    open_entries: list[OpenPrecinct] = []
    unknown: list[Precinct] = []
    singles: list[Single] = []
    pools: dict[str, list[PoolSite]] = {}
    for id, result in overview.results.items():
        precinct = result.precinct
        inside = district is None or precinct.district == district
        pooled = shares_a_pool(rules, precinct)
        if precinct.merged or (not inside and not pooled):
            continue
        given = overview.sde(id)[0] if counts(result, counting) else {}
        if inside:
            for group, value in given.items():
                now[group] += value
        why = why_open(rules, result, counting, chosen)
        if why is not None and inside and precinct.county in missing:
            unknown.append(precinct)
        elif pooled:
            pools.setdefault(precinct.county, []).append(
                _site(rules, result, counting, why is not None and inside, inside, limits)
            )
            if why is not None and inside:
                open_entries.append(OpenPrecinct(precinct, why, None, None))
        elif why is not None:
            delegates = most_delegates(rules, result)
            if delegates is None:
                unknown.append(precinct)
            else:
                most = delegates * overview.delegate_worth(id)
                open_entries.append(OpenPrecinct(precinct, why, delegates, most))
                singles.append(Single(open_entries[-1], most, given))
    return Outlook(
        rules=rules,
        counting=counting,
        now=now,
        open=tuple(open_entries),
        unknown=tuple(unknown),
        singles=tuple(singles),
        pools=tuple(_open_pools(overview, pools)),
        entries={entry.precinct.id: entry for entry in open_entries},
        assumptions=(*ASSUMPTIONS, *(limits.assumptions if pools else ())),
    )


def _open_pools(overview: Overview, pools: Mapping[str, list[PoolSite]]) -> Iterable[SatellitePool]:
    for name, sites in pools.items():
        if any(site.open for site in sites):
            stated = (overview.results[site.id].precinct.county_state_delegates for site in sites)
            yield SatellitePool(name, next((one for one in stated if one is not None), 0), tuple(sites))


def _site(
    rules: RuleSet, result: PrecinctResult, counting: Counting, is_open: bool, inside: bool, limits: "_Limits"
) -> PoolSite:
    people, elects = site_attendance(rules, result), result.delegates_to_elect or 0
    by_attendance = rules.satellites is not None and rules.satellites.weight is SatelliteWeight.ATTENDANCE
    weight = 0 if people is None else people if by_attendance else elects
    counted: dict[str, Fraction] = {}
    whole = Fraction(1)
    if elects:
        if counts(result, counting):
            counted = {group: Fraction(given, elects) for group, given in result.reported.items()}
        if is_open:
            whole = max(whole, Fraction(stated_delegates(result), elects))
    weights = limits.weights(rules, result, by_attendance) if is_open else (weight, weight)
    return PoolSite(result.precinct.id, weight, counted, is_open, weights, whole, inside)


@dataclass(frozen=True, slots=True)
class _Limits:
    """What an open site's attendance can be."""

    sign_in_holds: bool
    site_people: int

    @property
    def assumptions(self) -> tuple[str, ...]:
        free = FREE_ATTENDANCE.format(most=self.site_people)
        return (HELD_ATTENDANCE, free) if self.sign_in_holds else (free,)

    def weights(self, rules: RuleSet, result: PrecinctResult, by_attendance: bool) -> tuple[int, int]:
        """The least and the most that an open site can weigh, its weight of today always between them."""
        precinct, today = result.precinct, site_attendance(rules, result)
        if self.sign_in_holds and precinct.attendance is not None:
            known = [people for people in (precinct.attendance, today) if people is not None]
            people = (min(known), max(known))
        else:
            people = (0, max(self.site_people, today or 0))
        if by_attendance:
            return people
        least, most = (delegates_to_elect(rules, precinct, number) or 0 for number in people)
        return (least if self.sign_in_holds and precinct.attendance is not None else 0, most)
