"""Commands that only look: status, results, findings, mismatches."""

import argparse
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from fractions import Fraction

from caucus_desk.commands.looking import looking
from caucus_desk.commands.output import Json, Output, as_of, many
from caucus_desk.commands.running import DONE, NEEDS_A_PERSON
from caucus_desk.desk.document import coverage_json, results_document, unscaled
from caucus_desk.rules.national import NationalDelegates
from caucus_desk.rules.ruleset import RuleSet, Unit
from caucus_desk.rules.sde import decimal_text
from caucus_desk.tally.finding import Severity
from caucus_desk.tally.mismatch import Mismatch
from caucus_desk.tally.overview import Overview
from caucus_desk.tally.report import CHANNELS
from caucus_desk.tally.results import By, Counting, PrecinctResult, SheetFinding, TallyRow
from caucus_desk.tally.sheet import Column
from caucus_desk.tally.state import State

NOT_KNOWN = "–"
"""Where a figure cannot be worked out: a dash, never a zero."""


def run_status(arguments: argparse.Namespace, out: Output) -> int:
    with looking(arguments.store, out) as desk:
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
                "precincts": coverage_json(coverage),
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
    counting, by = Counting(arguments.counting), By(arguments.by)
    with looking(arguments.store, out) as desk:
        overview = desk.overview()
        tally = overview.tally(by, counting)
        national = overview.national(counting)
        out.document(results_document(overview, counting, by, datetime.now(UTC)))
        out.line(f"{desk.caucus}: {_headline(overview, counting)}")
        for row in tally.rows:
            show_row(out, overview, row)
        show_national(out, overview, national)
    return DONE


def _headline(overview: Overview, counting: Counting) -> str:
    """How much is in, and, where that is another number, how much of it is counted."""
    if counting is Counting.REPORTED:
        return f"{overview.banner()}, counting {counting.value}"
    counted = overview.tally(By.STATE, counting).rows[0].counted
    seen = overview.coverage()
    has = "has" if seen.total == 1 else "have"
    return (
        f"UNOFFICIAL, VERIFIED ONLY: {many(counted, 'verified precinct')} counted; "
        f"{seen.reporting:,} of {many(seen.total, 'precinct')} {has} reported"
    )


def show_row(out: Output, overview: Overview, row: TallyRow) -> None:
    """One line of the tally as a table: a line for each group that has anything, then the totals.

    Where delegates are in and their SDEs cannot be worked out there is a dash, never a zero.
    """
    rules, lacking = overview.rules, bool(unscaled(overview))

    def units(value: Fraction, delegates: int) -> str:
        return (
            NOT_KNOWN if lacking and delegates and not value else decimal_text(value, rules.rounding.digits)
        )

    out.line()
    out.line(f"{row.name}: {row.counted:,} of {many(row.precincts, 'precinct')} counted")
    lines = [
        (
            rules.label(line.group),
            f"{line.first:,}",
            f"{line.final:,}",
            f"{line.delegates:,}",
            f"{line.delegates_computed:,}",
            units(line.sde, line.delegates),
            units(line.sde_computed, line.delegates_computed),
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
        units(row.sde_total, row.delegates_total),
        units(sde_computed, computed),
    )
    unit = _unit(rules)
    headers = ("group", "first", "final", "delegates", "computed", unit, f"{unit} computed")
    out.table(headers, [*lines, total], numbers=range(1, len(headers)))


def show_national(out: Output, overview: Overview, national: NationalDelegates) -> None:
    """National delegates in one line, the largest first; ties, and what they lack, are named."""
    seats = sorted(national.total.items(), key=lambda entry: -entry[1])
    won = ", ".join(f"{group} {count}" for group, count in seats if count)
    out.line()
    none = "none can be worked out" if unscaled(overview) else "none yet"
    out.line(f"National delegates, from the sheets as reported: {won or none}.")
    for pool in national.pools:
        if pool.tie is not None:
            out.line(f"{pool.pool.label}: a tie for the last seat among {', '.join(pool.tie.groups)}.")
    _show_unscaled(out, overview)


def _show_unscaled(out: Output, overview: Overview) -> None:
    """What the SDEs lack, and how to mend it."""
    unit = _unit(overview.rules)
    if overview.unscaled_counties:
        out.line(
            f"No {unit}s of {_some(overview.unscaled_counties)}: the roster does not state their state "
            "delegates. Add the column county_state_delegates to the roster and make the store anew with it."
        )
    sites = overview.unweighed_sites()
    if sites:
        out.line(
            f"No {unit}s of {_some([site.name for site in sites])}: nobody has stated how many came. "
            "Give the attendance on the sheet or in the roster."
        )


def _unit(rules: RuleSet) -> str:
    """`SDE`, `CCD` or `votes`."""
    return rules.unit.value if rules.unit is Unit.VOTES else rules.unit.value.upper()


def _some(names: Sequence[str], most: int = 8) -> str:
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more:,} more" if more > 0 else "")


def run_findings(arguments: argparse.Namespace, out: Output) -> int:
    severity = Severity(arguments.severity) if arguments.severity else None
    with looking(arguments.store, out) as desk:
        findings = desk.overview().findings(severity)
        counts = _precincts_by_finding(findings)
        out.document({"findings": [_finding(entry) for entry in findings], "counts": counts})
        order = list(Severity)
        for entry in sorted(findings, key=lambda entry: order.index(entry.severity)):
            where = f"{entry.precinct.id} {entry.precinct.name}, " if entry.precinct else ""
            done = f" (acknowledged by {entry.acknowledged.by})" if entry.acknowledged else ""
            what = f"{entry.finding.id} {entry.severity.value:7} {where}{entry.county}"
            out.line(f"{what}: {entry.finding.message}{done}")
        if not findings:
            out.line("No findings.")
        else:
            out.line(f"{many(len(findings), 'finding')}: {by_severity(findings)}.")
            waiting = [e for e in findings if e.severity is not Severity.NOTE and e.acknowledged is None]
            out.line(f"Errors and warnings that nobody has acknowledged yet: {len(waiting):,}.")
            out.line(f"By kind: {', '.join(f'{id} {count:,}' for id, count in counts.items())}.")
    return NEEDS_A_PERSON if any(entry.acknowledged is None for entry in findings) else DONE


def by_severity(findings: Iterable[SheetFinding]) -> str:
    """`3 errors, 20 warnings, 1 note`."""
    counts = Counter(entry.severity for entry in findings)
    return ", ".join(many(counts[severity], severity.value) for severity in Severity)


def _precincts_by_finding(findings: Iterable[SheetFinding]) -> dict[str, int]:
    """Counts count precincts (for C48, counties), however many of their reports say the same."""
    where = {(entry.finding.id, entry.precinct.id if entry.precinct else entry.county) for entry in findings}
    return dict(sorted(Counter(id for id, _ in where).items()))


def run_mismatches(arguments: argparse.Namespace, out: Output) -> int:
    with looking(arguments.store, out) as desk:
        overview = desk.overview()
        out.document({"mismatches": mismatch_rows(overview)})
        show_mismatches(out, overview)
        return NEEDS_A_PERSON if overview.mismatches() else DONE


def mismatch_rows(overview: Overview) -> list[Json]:
    """Where a channel has several reports that stand, `rivals` says what stands beside the leading one."""
    rows: list[Json] = []
    for mismatch in overview.mismatches():
        result = overview.results[mismatch.precinct_id]
        precinct = result.precinct
        row: dict[str, object] = {
            "precinct_id": precinct.id,
            "county": precinct.county,
            "precinct": precinct.name,
            "field": mismatch.field,
            "group": mismatch.group,
            "values": {c.value: mismatch.values[c] for c in CHANNELS if c in mismatch.values},
        }
        if mismatch.rivals:
            said = dict(mismatch.rivals)
            row["rivals"] = [
                {
                    "report": rival.id,
                    "channel": rival.channel.value,
                    "by": rival.by,
                    "origin": rival.origin,
                    "value": said[rival.id],
                }
                for rival in result.rivals
            ]
        rows.append(row)
    return rows


def show_mismatches(out: Output, overview: Overview) -> None:
    found = overview.mismatches()
    several = any(mismatch.rivals for mismatch in found)
    partly = any(_left_blank_in_part(overview.results[one.precinct_id], one) for one in found)
    rows = []
    for mismatch in found:
        result = overview.results[mismatch.precinct_id]
        precinct, said = result.precinct, dict(mismatch.rivals)
        beside = [
            f"{rival.told_apart}, report {rival.id}: {_count_text(said[rival.id])}" for rival in result.rivals
        ]
        rows.append(
            (
                precinct.id,
                precinct.county,
                precinct.name,
                mismatch.field,
                *(_count_text(mismatch.values[c]) if c in mismatch.values else "" for c in CHANNELS),
                *(("; ".join(beside),) if several else ()),
                *((PARTLY_BLANK if _left_blank_in_part(result, mismatch) else "",) if partly else ()),
            )
        )
    if rows:
        more = (*(("beside them",) if several else ()), *(("why",) if partly else ()))
        out.table(
            ("precinct_id", "county", "precinct", "field", *(c.value for c in CHANNELS), *more),
            rows,
            range(4, 7),
        )
    precincts = len({mismatch.precinct_id for mismatch in found})
    verb = "does" if len(found) == 1 else "do"
    out.line(
        f"{many(len(found), 'field')} in {many(precincts, 'precinct')} {verb} not match."
        if found
        else "All reports match."
    )


PARTLY_BLANK = "a row left blank in part equals nothing"


def _left_blank_in_part(result: PrecinctResult, mismatch: Mismatch) -> bool:
    """Whether a report that stands leaves this count blank in a row of which it states another."""
    if mismatch.group is None:
        return False
    column = Column(mismatch.field.rpartition(".")[2])
    for report in result.heads.values():
        row = report.sheet.row(mismatch.group)
        if report.sheet.states(column) and not row.blank and row.count(column) is None:
            return True
    return False


def _count_text(count: int | None) -> str:
    return "blank" if count is None else f"{count:,}"


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
