"""Commands that only look: status, results, findings, mismatches."""

import argparse
from collections import Counter
from collections.abc import Iterable
from contextlib import closing
from fractions import Fraction

from caucus_desk.commands.output import Json, Output, as_of, decimal, exact, many
from caucus_desk.commands.running import DONE, NEEDS_A_PERSON
from caucus_desk.rules.national import NationalDelegates
from caucus_desk.rules.ruleset import PoolScope, RuleSet
from caucus_desk.rules.sde import decimal_text
from caucus_desk.tally.finding import Severity
from caucus_desk.tally.overview import Overview
from caucus_desk.tally.report import CHANNELS
from caucus_desk.tally.results import By, Counting, Coverage, GroupTally, SheetFinding, TallyRow
from caucus_desk.tally.state import State


def run_status(arguments: argparse.Namespace, out: Output) -> int:
    from caucus_desk.desk.session import open_desk

    with closing(open_desk(arguments.store)) as desk:
        overview = desk.overview()
        coverage = overview.coverage()
        live = [result for result in overview.results.values() if not result.precinct.merged]
        states = Counter(result.standing.state for result in live)
        counties: dict[str, Counter[str]] = {}
        for result in live:
            counts = counties.setdefault(result.precinct.county, Counter())
            counts.update(("total", result.standing.state.value))
            counts["reporting"] += result.reporting
            counts["verified"] += result.verified
        missing = overview.awaiting()
        out.document(
            {
                "caucus": desk.caucus,
                "rules": desk.rules.name,
                "as_of": as_of(),
                "banner": overview.banner(),
                "precincts": _coverage(coverage),
                "states": {state.value: states[state] for state in State},
                "counties": [
                    {"county": county, **{key: counts[key] for key in _COUNTY_KEYS}}
                    for county, counts in counties.items()
                ],
                "missing": [
                    {"precinct_id": precinct.id, "county": precinct.county, "precinct": precinct.name}
                    for precinct in missing
                ],
                "missing_paper": [precinct.id for precinct in overview.missing_paper()],
            }
        )
        out.line(f"{desk.caucus}: {overview.banner()}")
        out.line(
            ", ".join(f"{states[state]:,} {state.value}" for state in State)
            + f"; {coverage.verified:,} verified."
        )
        out.table(
            ("county", *_COUNTY_KEYS),
            [(county, *(f"{counts[key]:,}" for key in _COUNTY_KEYS)) for county, counts in counties.items()],
            numbers=range(1, 1 + len(_COUNTY_KEYS)),
        )
        out.line(f"Missing: {many(len(missing), 'precinct')}.")
        out.table(("precinct_id", "county", "precinct"), [(p.id, p.county, p.name) for p in missing])
    return DONE


_COUNTY_KEYS = ("total", "reporting", "verified", *(state.value for state in State))


def run_results(arguments: argparse.Namespace, out: Output) -> int:
    from caucus_desk.desk.session import open_desk

    counting, by = Counting(arguments.counting), By(arguments.by)
    with closing(open_desk(arguments.store)) as desk:
        overview = desk.overview()
        tally = overview.tally(by, counting)
        national = overview.national(counting)
        out.document(
            {
                "caucus": desk.caucus,
                "rules": desk.rules.name,
                "counting": counting.value,
                "as_of": as_of(),
                "precincts": _coverage(tally.coverage),
                "by": by.value,
                "rows": [_row(desk.rules, row) for row in tally.rows],
                "national_delegates": _national(desk.rules, national),
            }
        )
        out.line(f"{desk.caucus}: {overview.banner()}, counting {counting.value}")
        for row in tally.rows:
            show_row(out, desk.rules, row)
        show_national(out, national)
    return DONE


def show_row(out: Output, rules: RuleSet, row: TallyRow) -> None:
    """One line of the tally as a table: a line for each group that has anything, then the totals."""
    out.line()
    out.line(f"{row.name}: {row.counted:,} of {many(row.precincts, 'precinct')} counted")
    lines = [
        (
            rules.label(line.group),
            f"{line.first:,}",
            f"{line.final:,}",
            f"{line.delegates:,}",
            f"{line.delegates_computed:,}",
            _sde_text(rules, line.sde),
            _sde_text(rules, line.sde_computed),
        )
        for line in row.groups
        if line.first or line.final or line.delegates or line.delegates_computed
    ]
    computed = sum(line.delegates_computed for line in row.groups)
    sde_computed = sum((line.sde_computed for line in row.groups), Fraction(0))
    total = (
        "total",
        f"{row.first_total:,}",
        f"{row.final_total:,}",
        f"{row.delegates_total:,}",
        f"{computed:,}",
        _sde_text(rules, row.sde_total),
        _sde_text(rules, sde_computed),
    )
    unit = rules.unit.value
    headers = ("group", "first", "final", "delegates", "computed", unit, f"{unit} computed")
    out.table(headers, [*lines, total], numbers=range(1, len(headers)))


def show_national(out: Output, national: NationalDelegates) -> None:
    """National delegates in one line, the largest first; ties and empty pools are named."""
    seats = sorted(national.total.items(), key=lambda entry: -entry[1])
    won = ", ".join(f"{group} {count}" for group, count in seats if count)
    out.line()
    out.line(f"National delegates, from the sheets as reported: {won or 'none yet'}.")
    for pool in national.pools:
        if pool.tie is not None:
            out.line(f"{pool.pool.label}: a tie for the last seat among {', '.join(pool.tie.groups)}.")


def run_findings(arguments: argparse.Namespace, out: Output) -> int:
    from caucus_desk.desk.session import open_desk

    severity = Severity(arguments.severity) if arguments.severity else None
    with closing(open_desk(arguments.store)) as desk:
        findings = desk.overview().findings(severity)
        counts = _precincts_by_finding(findings)
        out.document({"findings": [_finding(entry) for entry in findings], "counts": counts})
        for entry in findings:
            where = f"{entry.precinct.id} {entry.precinct.name}, " if entry.precinct else ""
            done = f" (acknowledged by {entry.acknowledged.by})" if entry.acknowledged else ""
            what = f"{entry.finding.id} {entry.severity.value:7} {where}{entry.county}"
            out.line(f"{what}: {entry.finding.message}{done}")
        out.line(
            f"{many(len(findings), 'finding')}"
            + (": " + ", ".join(f"{id} {count:,}" for id, count in counts.items()) if counts else "")
            + "."
        )
    return NEEDS_A_PERSON if any(entry.acknowledged is None for entry in findings) else DONE


def _precincts_by_finding(findings: Iterable[SheetFinding]) -> dict[str, int]:
    """Counts count precincts (for C48, counties), however many of their reports say the same."""
    where = {(entry.finding.id, entry.precinct.id if entry.precinct else entry.county) for entry in findings}
    return dict(sorted(Counter(id for id, _ in where).items()))


def run_mismatches(arguments: argparse.Namespace, out: Output) -> int:
    from caucus_desk.desk.session import open_desk

    with closing(open_desk(arguments.store)) as desk:
        overview = desk.overview()
        out.document({"mismatches": mismatch_rows(overview)})
        show_mismatches(out, overview)
        return NEEDS_A_PERSON if overview.mismatches() else DONE


def mismatch_rows(overview: Overview) -> list[Json]:
    rows: list[Json] = []
    for mismatch in overview.mismatches():
        precinct = overview.results[mismatch.precinct_id].precinct
        rows.append(
            {
                "precinct_id": precinct.id,
                "county": precinct.county,
                "precinct": precinct.name,
                "field": mismatch.field,
                "group": mismatch.group,
                "values": {c.value: mismatch.values[c] for c in CHANNELS if c in mismatch.values},
            }
        )
    return rows


def show_mismatches(out: Output, overview: Overview) -> None:
    found = overview.mismatches()
    rows = []
    for mismatch in found:
        precinct = overview.results[mismatch.precinct_id].precinct
        rows.append(
            (
                precinct.id,
                precinct.county,
                precinct.name,
                mismatch.field,
                *(_count_text(mismatch.values[c]) if c in mismatch.values else "" for c in CHANNELS),
            )
        )
    if rows:
        out.table(
            ("precinct_id", "county", "precinct", "field", *(c.value for c in CHANNELS)), rows, range(4, 7)
        )
    precincts = len({mismatch.precinct_id for mismatch in found})
    out.line(
        f"{many(len(found), 'field')} in {many(precincts, 'precinct')} do not match."
        if found
        else "All reports match."
    )


def _count_text(count: int | None) -> str:
    return "blank" if count is None else f"{count:,}"


def _coverage(coverage: Coverage) -> Json:
    return {
        "total": coverage.total,
        "reporting": coverage.reporting,
        "verified": coverage.verified,
        "counties_reporting": coverage.counties_reporting,
        "counties": coverage.counties,
    }


def _row(rules: RuleSet, row: TallyRow) -> Json:
    return {
        "key": row.key,
        "name": row.name,
        "first_total": row.first_total,
        "final_total": row.final_total,
        "delegates_total": row.delegates_total,
        "groups": [_group(rules, line) for line in row.groups],
    }


def _group(rules: RuleSet, line: GroupTally) -> Json:
    return {
        "group": line.group,
        "first": line.first,
        "final": line.final,
        "delegates": line.delegates,
        "delegates_computed": line.delegates_computed,
        "sde": decimal(rules, line.sde),
        "sde_exact": exact(line.sde),
        "sde_computed": decimal(rules, line.sde_computed),
        "sde_computed_exact": exact(line.sde_computed),
    }


def _national(rules: RuleSet, national: NationalDelegates) -> Json:
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


def _finding(entry: SheetFinding) -> Json:
    precinct = entry.precinct
    return {
        "precinct_id": precinct.id if precinct else "",
        "county": entry.county,
        "precinct": precinct.name if precinct else "",
        "channel": entry.channel.value if entry.channel else None,
        "id": entry.finding.id,
        "severity": entry.severity.value,
        "fields": list(entry.finding.fields),
        "message": entry.finding.message,
    }


def _sde_text(rules: RuleSet, value: Fraction) -> str:
    return decimal_text(value, rules.rounding.digits)
