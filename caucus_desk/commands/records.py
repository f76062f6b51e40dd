"""Commands about the record: ack, audit, report."""

import argparse
from collections.abc import Sequence
from contextlib import closing

from caucus_desk.commands.looking import looking, taking_out
from caucus_desk.commands.output import Output, absolute, many, utc
from caucus_desk.commands.person import person_for
from caucus_desk.commands.running import DONE, WrongUse
from caucus_desk.tally.editions import Edition
from caucus_desk.tally.finding import Severity
from caucus_desk.tally.overview import Overview
from caucus_desk.tally.results import Counting, PrecinctResult
from caucus_desk.tally.state import State


def run_ack(arguments: argparse.Namespace, out: Output) -> int:
    from caucus_desk.desk.acknowledge import acknowledge
    from caucus_desk.desk.session import open_desk

    with closing(open_desk(arguments.store)) as desk:
        by = person_for(desk, arguments.by)
        given = acknowledge(desk, arguments.precinct_id, arguments.finding, reason=arguments.reason, by=by)
        precinct = desk.precinct(arguments.precinct_id)
        overview = desk.overview()
        result = overview.results[precinct.id]
        verified = result.verified
        errors = open_errors(overview, precinct.id)
    out.document(
        {
            "precinct_id": given.precinct_id,
            "finding": given.finding,
            "by": given.by,
            "at": utc(given.at),
            "reason": given.reason,
            "verified": verified,
            "state": result.standing.state.value,
            "open_errors": errors,
        }
    )
    state = "verified" if verified else f"not verified yet, because {why_not_verified(result, errors)}"
    out.line(
        f"{given.by} acknowledged {given.finding} of {precinct.name}, {precinct.county} ({precinct.id}): "
        f"it is {state}."
    )
    return DONE


def open_errors(overview: Overview, precinct_id: str) -> list[str]:
    """Errors of the standing sheet that nobody has acknowledged."""
    return sorted(
        {
            entry.finding.id
            for entry in overview.findings_of(precinct_id)
            if entry.standing and entry.severity is Severity.ERROR and entry.acknowledged is None
        }
    )


def why_not_verified(result: PrecinctResult, errors: Sequence[str]) -> str:
    """What still stands between a precinct and being verified, after "because"."""
    reasons = []
    state = result.standing.state
    if state is State.MISMATCHED:
        reasons.append(f"its reports differ in {many(len(result.mismatches), 'field')}")
    elif state is State.AWAITING:
        reasons.append("no report is in")
    elif any(not report.confirmed for report in result.heads.values()):
        reasons.append("its phone report is not confirmed: nobody has called back yet")
    elif state is State.SINGLE and len(result.reports) == 1:
        (channel,) = result.reports
        reasons.append(
            f"only {channel} reports are in" if result.rivals else f"only the {channel} report is in"
        )
    elif state is State.SINGLE:
        reasons.append("no two of its reports, by two people, state the same columns")
    if errors:
        verb = "errors are" if len(errors) > 1 else "an error is"
        reasons.append(f"{verb} still open: {', '.join(errors)}")
    return " and ".join(reasons) or "a reviewer has to look at it again"


def run_audit(arguments: argparse.Namespace, out: Output) -> int:
    from caucus_desk.desk.trail import audit_trail, told_at

    with looking(arguments.store, out) as desk:
        page = audit_trail(desk, arguments.precinct, arguments.limit, arguments.before)
    out.document(
        {
            "events": [
                {
                    "seq": event.seq,
                    "at": utc(event.at),
                    "who": event.actor,
                    "action": str(event.action),
                    "precinct_id": event.precinct_id,
                    "what": event.sentence,
                }
                for event in page.events
            ],
            "older": page.older,
        }
    )
    out.table(
        ("event", "when", "who", "action", "what"),
        [
            (str(event.seq), told_at(event.at), event.actor, str(event.action), event.sentence)
            for event in page.events
        ],
        numbers=(0,),
    )
    more = f"; older ones with --before {page.older}" if page.older else ""
    out.line(f"{many(len(page.events), 'event')}, newest first{more}.")
    return DONE


def run_report(arguments: argparse.Namespace, out: Output) -> int:
    from caucus_desk.desk.workbook import write_workbook

    counting = Counting(arguments.counting)
    edition = Edition(arguments.edition)
    if (edition is Edition.COUNTY) is not bool(arguments.county):
        raise WrongUse("--county NAME and --edition county go together.")
    with taking_out(arguments.store, out) as desk:
        by = person_for(desk, arguments.by)
        written = write_workbook(
            desk,
            arguments.out,
            counting,
            out.progress(),
            by=by,
            release=arguments.release,
            edition=edition,
            county=arguments.county or "",
        )
    counting = written.counting
    out.document(
        {
            "workbook": absolute(written.path),
            "counting": counting.value,
            "release": arguments.release,
            "edition": edition.value,
            "county": arguments.county,
            "as_of": utc(written.as_of),
            "banner": written.banner,
            "sheets": [{"sheet": sheet, "rows": rows} for sheet, rows in written.rows],
            "notes": list(written.notes),
            "replaced": written.replaced,
            "noted": written.noted,
        }
    )
    counted = ""
    if counting is Counting.VERIFIED:
        counted = f"; counted in it: {many(written.counted, 'verified precinct')}"
    out.line(f"Wrote {written.path}, read it back, and it adds up: {written.banner}{counted}.")
    if written.replaced:
        out.line(f"It replaced the earlier {written.path.name}.")
    for note in written.notes:
        out.complain(f"Note: {note}")
    return DONE
