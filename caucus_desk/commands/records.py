"""Commands about the record: ack, audit, report."""

import argparse
from contextlib import closing

from caucus_desk.commands.output import Output, local, many, utc
from caucus_desk.commands.running import DONE
from caucus_desk.commands.stores import who
from caucus_desk.tally.results import Counting


def run_ack(arguments: argparse.Namespace, out: Output) -> int:
    from caucus_desk.desk.acknowledge import acknowledge
    from caucus_desk.desk.session import open_desk

    with closing(open_desk(arguments.store)) as desk:
        given = acknowledge(
            desk, arguments.precinct_id, arguments.finding, reason=arguments.reason, by=arguments.by
        )
        precinct = desk.precinct(arguments.precinct_id)
        verified = desk.overview().results[precinct.id].verified
    out.document(
        {
            "precinct_id": given.precinct_id,
            "finding": given.finding,
            "by": given.by,
            "at": utc(given.at),
            "reason": given.reason,
            "verified": verified,
        }
    )
    state = "verified" if verified else "not verified yet"
    out.line(
        f"{given.by} acknowledged {given.finding} of {precinct.name}, {precinct.county} ({precinct.id}): "
        f"it is {state}."
    )
    return DONE


def run_audit(arguments: argparse.Namespace, out: Output) -> int:
    from caucus_desk.desk.session import open_desk
    from caucus_desk.desk.trail import audit_trail

    with closing(open_desk(arguments.store)) as desk:
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
            (str(event.seq), local(event.at), event.actor, str(event.action), event.sentence)
            for event in page.events
        ],
        numbers=(0,),
    )
    more = f"; older ones with --before {page.older}" if page.older else ""
    out.line(f"{many(len(page.events), 'event')}, newest first{more}.")
    return DONE


def run_report(arguments: argparse.Namespace, out: Output) -> int:
    from caucus_desk.desk.session import open_desk
    from caucus_desk.desk.workbook import write_workbook

    counting = Counting(arguments.counting)
    with closing(open_desk(arguments.store)) as desk:
        written = write_workbook(desk, arguments.out, counting, out.progress(), by=arguments.by or who())
    out.document(
        {
            "workbook": str(written.path),
            "counting": counting.value,
            "as_of": utc(written.as_of),
            "banner": written.banner,
            "sheets": [{"sheet": sheet, "rows": rows} for sheet, rows in written.rows],
            "notes": list(written.notes),
        }
    )
    out.line(f"Wrote {written.path}, read it back, and it adds up: {written.banner}.")
    for note in written.notes:
        out.complain(f"Note: {note}")
    return DONE
