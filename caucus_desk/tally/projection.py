"""A PROJECTION of the open precincts. A guess with its grounds, never mixed with the bounds or the tally.

Each open precinct is taken to divide as the counted ones of its county did: its SDE allotment times the
group's share of the county's counted SDEs. Where the county has nothing counted, the district's shares
stand in, then the state's; what was used is said. An open satellite pool's open part divides as its
counted sites did; a site whose people nobody knows yet is worth nothing here. Turnout does not move SDEs
(a county's delegates are fixed, rules.md 6); it moves people: an open precinct's people are its expected
turnout times what the counted precincts of its county had against theirs.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from caucus_desk.tally.basis import attendance_basis
from caucus_desk.tally.counting import counts
from caucus_desk.tally.outlook import Outlook
from caucus_desk.tally.overview import Overview
from caucus_desk.tally.poolbounds import ZERO
from caucus_desk.tally.results import PrecinctResult
from caucus_desk.tally.roster import Precinct

LABEL = "PROJECTION"
NOTE = (
    "PROJECTION, not a result and not a bound: open precincts are taken to divide as the counted precincts "
    "of their county did. Where they differ from them it is wrong."
)


class Ground(StrEnum):
    """What stood in for an open precinct."""

    COUNTY = "county"
    DISTRICT = "district"
    STATE = "state"


@dataclass(frozen=True, slots=True)
class CountyProjection:
    """What the open precincts of one county or pool are taken to add."""

    county: str
    ground: Ground
    precincts: int
    open_sdes: Fraction
    """What is open there, in the rule set's unit."""
    sdes: Mapping[str, Fraction]
    people: Fraction | None
    """People expected in the open precincts; None where no turnout is known to go by."""


@dataclass(frozen=True)
class Projection:
    """Say `note` wherever a figure of it is shown."""

    note: str
    counties: tuple[CountyProjection, ...]
    sdes: Mapping[str, Fraction]
    """What counts now and what is projected, together, by group."""
    people: Fraction
    """Counted attendance and what is expected on top."""
    without_turnout: tuple[Precinct, ...]
    """Open precincts for which no turnout can be expected; their people are left out."""
    without_shares: tuple[Precinct, ...]
    """Open precincts for which nothing at all is counted that could stand in."""


def projection(overview: Overview, outlook: Outlook, expected: Mapping[str, int] | None = None) -> Projection:
    """`expected`: turnout by precinct id in people, in place of the roster's last attendance."""
    is_open = outlook.entries
    settled = [
        result
        for id, result in overview.results.items()
        if id not in is_open and counts(result, outlook.counting)
    ]
    shares = _Shares(overview, settled)
    turnout = _Turnout(overview, settled, expected or {})
    total = {group: value - _open_now(outlook, group) for group, value in outlook.now.items()}
    people = sum((Fraction(turnout.counted(result) or 0) for result in settled), ZERO)
    counties: list[CountyProjection] = []
    no_turnout: list[Precinct] = []
    no_shares: list[Precinct] = []
    for county, precincts in _by_county(entry.precinct for entry in outlook.open).items():
        worth = _open_worth(overview, outlook, county)
        found = shares.of(precincts[0])
        if found is None:
            no_shares += precincts
            continue
        ground, share = found
        sdes = {group: part * worth for group, part in share.items()}
        guesses = [(precinct, turnout.of(precinct)) for precinct in precincts]
        no_turnout += [precinct for precinct, guess in guesses if guess is None]
        known = [guess for _, guess in guesses if guess is not None]
        in_county = sum(known, ZERO) if known else None
        counties.append(CountyProjection(county, ground, len(precincts), worth, sdes, in_county))
        people += in_county or ZERO
        for group, value in sdes.items():
            total[group] += value
    return Projection(NOTE, tuple(counties), total, people, tuple(no_turnout), tuple(no_shares))


def _open_now(outlook: Outlook, group: str) -> Fraction:
    """What open precincts have in the sums today; the projection puts its own figure in its place."""
    singles = sum((single.now.get(group, ZERO) for single in outlook.singles), ZERO)
    for pool in outlook.pools:
        weights = sum(site.weight for site in pool.sites)
        if weights:
            singles += pool.total * sum(
                (Fraction(site.weight, weights) * site.now({group: 1}) for site in pool.open_sites), ZERO
            )
    return singles


def _open_worth(overview: Overview, outlook: Outlook, county: str) -> Fraction:
    """SDEs of the open precincts of a county; of a pool, what its counted sites do not have today."""
    pool = next((pool for pool in outlook.pools if pool.name == county), None)
    if pool is None:
        return sum(
            (single.most for single in outlook.singles if single.entry.precinct.county == county), ZERO
        )
    weights = sum(site.weight for site in pool.sites)
    if not weights:
        return Fraction(pool.total)
    return Fraction(pool.total * sum(site.weight for site in pool.open_sites), weights)


def _by_county(precincts: Iterable[Precinct]) -> dict[str, list[Precinct]]:
    found: dict[str, list[Precinct]] = {}
    for precinct in precincts:
        found.setdefault(precinct.county, []).append(precinct)
    return found


class _Shares:
    """Groups' shares of the SDEs of settled precincts, by county, district and in the state."""

    def __init__(self, overview: Overview, settled: Iterable[PrecinctResult]) -> None:
        self._sums: dict[tuple[Ground, str], dict[str, Fraction]] = {}
        for result in settled:
            precinct = result.precinct
            for group, value in overview.sde(precinct.id)[0].items():
                for key in _keys(precinct):
                    sums = self._sums.setdefault(key, {})
                    sums[group] = sums.get(group, ZERO) + value

    def of(self, precinct: Precinct) -> tuple[Ground, Mapping[str, Fraction]] | None:
        for key in _keys(precinct):
            sums = self._sums.get(key, {})
            whole = sum(sums.values(), ZERO)
            if whole:
                return key[0], {group: value / whole for group, value in sums.items()}
        return None


class _Turnout:
    """People against what was expected, by county, district and in the state."""

    def __init__(
        self, overview: Overview, settled: Iterable[PrecinctResult], expected: Mapping[str, int]
    ) -> None:
        self._overview, self._expected = overview, expected
        self._sums: dict[tuple[Ground, str], tuple[int, int]] = {}
        for result in settled:
            people, before = self.counted(result), self._before(result.precinct)
            if people is None or not before:
                continue
            for key in _keys(result.precinct):
                here = self._sums.get(key, (0, 0))
                self._sums[key] = (here[0] + people, here[1] + before)

    def counted(self, result: PrecinctResult) -> int | None:
        sheet = result.standing.sheet
        return None if sheet is None else attendance_basis(self._overview.rules, result.precinct, sheet).count

    def _before(self, precinct: Precinct) -> int | None:
        return self._expected.get(precinct.id, precinct.last_attendance)

    def of(self, precinct: Precinct) -> Fraction | None:
        before = self._before(precinct)
        if precinct.is_satellite and precinct.attendance is not None:
            return Fraction(precinct.attendance)
        if before is None:
            return None
        for key in _keys(precinct):
            if key in self._sums:
                people, expected = self._sums[key]
                return Fraction(before * people, expected)
        return Fraction(before)


def _keys(precinct: Precinct) -> tuple[tuple[Ground, str], ...]:
    """Where to look for what stands in, the nearest first."""
    return (
        (Ground.COUNTY, precinct.county),
        (Ground.DISTRICT, precinct.district or ""),
        (Ground.STATE, ""),
    )
