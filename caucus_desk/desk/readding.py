"""Control totals by a second path: from the rows of the tables, without the tally's own adding up.

People and delegates are taken from the rows that the cached states point at; a county's SDEs are its
delegates times its ratio, one multiplication a county. Only sheets that two reports completed together,
and the worth of satellite delegates, come from the frozen list: neither stands in any one row.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction

from caucus_desk.rules.ruleset import RuleSet, Unit
from caucus_desk.store.releases import GroupSum, PlacedRow
from caucus_desk.tally.frozen import FrozenList
from caucus_desk.tally.overview import Overview
from caucus_desk.tally.results import Counting
from caucus_desk.tally.roster import Precinct

ZERO = Fraction(0)


def added_again(
    rules: RuleSet,
    roster: Iterable[Precinct],
    rows: Iterable[PlacedRow],
    held: FrozenList,
    overview: Overview,
    counting: Counting,
) -> Mapping[str, GroupSum]:
    """Sums by group over what counts."""
    precincts = {precinct.id: precinct for precinct in roster if not precinct.merged}
    completed = completed_ids(overview)
    people = {key: [0, 0, 0] for key in rules.keys}
    by_county: dict[tuple[str, str], int] = {}
    units = dict.fromkeys(rules.keys, ZERO)
    for row in rows:
        wanted = row.verified or counting is Counting.REPORTED
        if not wanted or row.precinct_id in completed or row.precinct_id not in precincts:
            continue
        for place, count in enumerate((row.first, row.final, row.delegates)):
            people[row.group][place] += count
        if row.satellite:
            units[row.group] += row.delegates * held.worth.get(row.precinct_id, ZERO)
        else:
            at = (row.county, row.group)
            by_county[at] = by_county.get(at, 0) + row.delegates
    for id in completed:
        sheet = held.counted(id)
        if sheet is None:
            continue
        for group in sheet.groups:
            for place, one in enumerate((group.first, group.final, group.delegates)):
                people[group.group][place] += one or 0
        for key, value in held.sdes(id).items():
            units[key] += value
    ratios = _ratios(rules, precincts.values())
    for (county, key), delegates in by_county.items():
        units[key] += delegates * ratios.get(county, ZERO)
    if rules.unit is Unit.VOTES:
        units = {key: Fraction(people[key][1]) for key in rules.keys}
    return {
        key: GroupSum(first, final, delegates, units[key])
        for key, (first, final, delegates) in people.items()
    }


def completed_ids(overview: Overview) -> frozenset[str]:
    """Precincts whose standing sheet is put together from more than one report."""
    return frozenset(
        id
        for id, result in overview.results.items()
        if result.standing.report is not None and result.standing.sheet != result.standing.report.sheet
    )


def _ratios(rules: RuleSet, precincts: Iterable[Precinct]) -> Mapping[str, Fraction]:
    """SDEs of a county delegate: state delegates over county delegates, as the roster says."""
    stated: dict[str, tuple[int | None, int | None, int]] = {}
    for precinct in precincts:
        if not precinct.is_satellite:
            state, total, sum_of = stated.get(precinct.county, (None, None, 0))
            stated[precinct.county] = (
                precinct.county_state_delegates if state is None else state,
                precinct.county_total_delegates if total is None else total,
                sum_of + (precinct.delegates or 0),
            )
    if rules.unit is not Unit.SDE:
        return dict.fromkeys(stated, Fraction(1))
    return {
        county: Fraction(state, total or sum_of)
        for county, (state, total, sum_of) in stated.items()
        if state is not None and (total or sum_of)
    }


def differences(overview: Overview, counting: Counting, again: Mapping[str, GroupSum]) -> list[str]:
    """What the tally says otherwise, in words; empty where the two agree."""
    found = []
    for line in overview.tally(counting=counting).rows[0].groups:
        other = again.get(line.group, GroupSum(0, 0, 0))
        for what in ("first", "final", "delegates"):
            ours, theirs = getattr(line, what), getattr(other, what)
            if ours != theirs:
                found.append(f"{line.group} {what}: {ours:,} in the tally, {theirs:,} in the tables")
        if line.sde != other.sde:
            found.append(f"{line.group} SDE: {line.sde} in the tally, {other.sde} in the tables")
    return found
