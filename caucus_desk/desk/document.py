"""The tally as one JSON document: what `results --json` prints and a release's JSON file begins with."""

from collections.abc import Mapping
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any

from caucus_desk.rules.national import NationalDelegates
from caucus_desk.rules.ruleset import PoolScope, RuleSet
from caucus_desk.rules.sde import rounded
from caucus_desk.tally.overview import Overview
from caucus_desk.tally.results import By, Counting, Coverage, GroupTally, TallyRow

Json = Mapping[str, Any]


def results_document(overview: Overview, counting: Counting, by: By, as_of: datetime) -> dict[str, Any]:
    """The keys are a contract: scripts of county parties build on them. `as_of` is UTC."""
    tally = overview.tally(by, counting)
    return {
        "caucus": overview.caucus,
        "rules": overview.rules.name,
        "counting": counting.value,
        "as_of": utc(as_of),
        "precincts": coverage_json(tally.coverage),
        "by": by.value,
        "rows": [row_json(overview.rules, row) for row in tally.rows],
        "national_delegates": national_json(overview.rules, overview.national(counting)),
        "unscaled": list(unscaled(overview)),
    }


def unscaled(overview: Overview) -> tuple[str, ...]:
    """Counties, satellite pools and sites whose SDEs cannot be worked out."""
    return (*overview.unscaled_counties, *(site.name for site in overview.unweighed_sites()))


def utc(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def decimal(rules: RuleSet, value: Fraction) -> float:
    """The value as it is published: rounded once, by the rule set's digits."""
    return float(rounded(value, rules.rounding))


def coverage_json(coverage: Coverage) -> Json:
    return {
        "total": coverage.total,
        "reporting": coverage.reporting,
        "verified": coverage.verified,
        "counties_reporting": coverage.counties_reporting,
        "counties": coverage.counties,
    }


def row_json(rules: RuleSet, row: TallyRow) -> Json:
    return {
        "key": row.key,
        "name": row.name,
        "first_total": row.first_total,
        "final_total": row.final_total,
        "delegates_total": row.delegates_total,
        "groups": [group_json(rules, line) for line in row.groups],
    }


def group_json(rules: RuleSet, line: GroupTally) -> Json:
    return {
        "group": line.group,
        "first": line.first,
        "final": line.final,
        "delegates": line.delegates,
        "delegates_computed": line.delegates_computed,
        "sde": decimal(rules, line.sde),
        "sde_exact": str(line.sde),
        "sde_computed": decimal(rules, line.sde_computed),
        "sde_computed_exact": str(line.sde_computed),
    }


def national_json(rules: RuleSet, national: NationalDelegates) -> Json:
    """Districts by their number, then each statewide pool by its id (at_large, pleo), then the total."""
    document: dict[str, object] = {"districts": {}}
    districts: dict[str, object] = {}
    for pool in national.pools:
        seats = {group: count for group, count in pool.seats.items() if count}
        if pool.pool.scope is PoolScope.DISTRICT:
            districts[pool.pool.district or pool.pool.id] = seats
        else:
            document[pool.pool.id] = seats
    document["districts"] = districts
    document["total"] = {group: count for group, count in national.total.items() if count}
    return document
