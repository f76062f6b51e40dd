"""Satellite caucuses: delegates by attendance; a pool's state delegates shared among its sites (rules.md 6).

Every late count moves the values of all sites of its pool: work them out again, never keep them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from caucus_desk.rules.errors import CaucusError
from caucus_desk.rules.ruleset import RuleSet, Satellites, SatelliteWeight


@dataclass(frozen=True, slots=True)
class SiteSize:
    """`attendance`: the sign-in count. `delegates`: those the site elects (its band), not those awarded."""

    attendance: int
    delegates: int


def band(rules: RuleSet, attendance: int) -> int:
    """County delegates that a satellite site elects; none where nobody came.

    Raises CaucusError where the rule set has no satellite caucuses.
    """
    bands = _satellites(rules).bands
    if attendance < 0:
        raise ValueError("attendance is not below zero")
    if attendance == 0:
        return 0
    return next(step.delegates for step in bands if step.up_to is None or attendance <= step.up_to)


def site_values(rules: RuleSet, pool_total: int, sites: Mapping[str, SiteSize]) -> Mapping[str, Fraction]:
    """State delegates of each site of one pool, exact; they add to `pool_total` unless nobody came anywhere.

    `sites` holds every site of the pool whose attendance is known.
    """
    if _satellites(rules).weight is SatelliteWeight.ATTENDANCE:
        weights = {site: size.attendance for site, size in sites.items()}
    else:
        weights = {site: size.delegates for site, size in sites.items()}
    everything = sum(weights.values())
    if everything == 0:
        return dict.fromkeys(sites, Fraction(0))
    return {site: Fraction(pool_total * weight, everything) for site, weight in weights.items()}


def group_ratio(site_value: Fraction, site_delegates: int) -> Fraction:
    """State delegates for one county delegate of a site that elects `site_delegates`; 0 where none."""
    return site_value / site_delegates if site_delegates > 0 else Fraction(0)


def _satellites(rules: RuleSet) -> Satellites:
    if rules.satellites is None:
        raise CaucusError(f"The rules {rules.name} know no satellite caucuses: take the site off the roster.")
    return rules.satellites
