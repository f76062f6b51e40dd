"""The command `calls`: every call that came, and who is to be called back. No figures of any sheet."""

import argparse
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from caucus_desk.commands.looking import looking
from caucus_desk.commands.output import Output, many, utc
from caucus_desk.commands.running import DONE, NEEDS_A_PERSON
from caucus_desk.rules.errors import Refused
from caucus_desk.tally.call import Call
from caucus_desk.tally.roster import Precinct

if TYPE_CHECKING:
    from caucus_desk.desk.callbacks import CallBack


def run_calls(arguments: argparse.Namespace, out: Output) -> int:
    """Exit code 1 under `--open` where somebody waits for a call back."""
    from caucus_desk.desk.callbacks import call_backs
    from caucus_desk.desk.calls import calls

    if arguments.limit < 1:
        raise Refused(f"--limit {arguments.limit} lists nothing; give 1 or more.")
    with looking(arguments.store, out) as desk:
        precincts = desk.precincts
        wanted = desk.precinct(arguments.precinct).id if arguments.precinct else None
        backs = tuple(one for one in call_backs(desk) if wanted in (None, one.precinct_id))
        made = () if arguments.open else calls(desk, precinct_id=wanted, limit=arguments.limit)
    document: dict[str, Any] = {"call_backs": [_back(one, precincts[one.precinct_id]) for one in backs]}
    if not arguments.open:
        document["calls"] = [_call(one) for one in made]
    out.document(document)
    _list_backs(out, backs, precincts)
    if arguments.open:
        return NEEDS_A_PERSON if backs else DONE
    out.line()
    _list_calls(out, made, precincts)
    return DONE


def _list_backs(out: Output, backs: "Iterable[CallBack]", precincts: Mapping[str, Precinct]) -> None:
    rows = []
    now = datetime.now(UTC)
    for one in backs:
        precinct = precincts[one.precinct_id]
        minutes = max(0, int((now - one.since).total_seconds() // 60))
        place = f"{precinct.name}, {precinct.county} ({precinct.id})"
        tried = str(len(one.tried)) if one.tried else ""
        rows.append((f"{minutes} min", place, precinct.phone or "none", one.why.value, tried, one.what))
    if not rows:
        out.line("Nobody waits for a call back.")
        return
    out.line(f"{many(len(rows), 'call-back')} to be made, oldest first:")
    out.table(("waits", "precinct", "number on file", "for", "tried", "what"), rows, (0, 4))


def _list_calls(out: Output, made: Iterable[Call], precincts: Mapping[str, Precinct]) -> None:
    from caucus_desk.desk.trail import told_at

    rows = []
    for one in made:
        precinct = precincts.get(one.precinct_id or "")
        place = "" if precinct is None else f"{precinct.name}, {precinct.county}"
        check = "" if one.check_kind == "none" else f"{one.check_kind} {one.outcome}"
        who = (one.caller_name, one.caller_number, check, one.by, one.notes)
        rows.append((told_at(one.at), str(one.ended), place, *who))
    if not rows:
        out.line("No call has been recorded.")
        return
    out.line(f"{many(len(rows), 'call')}, newest first:")
    out.table(("came", "ended", "precinct", "caller", "number", "check", "taken by", "note"), rows)


def _back(one: "CallBack", precinct: Precinct) -> dict[str, Any]:
    return {
        "precinct_id": one.precinct_id,
        "number_on_file": precinct.phone,
        "chair": precinct.chair,
        "why": one.why.value,
        "what": one.what,
        "since": utc(one.since),
        "caller_name": one.caller_name,
        "caller_number": one.caller_number,
        "by": one.by,
        "report_id": one.report_id,
        "tried": [{"at": utc(call.at), "by": call.by, "ended": call.ended.value} for call in one.tried],
    }


def _call(one: Call) -> dict[str, Any]:
    return {
        "call": one.seq,
        "at": utc(one.at),
        "ended_at": utc(one.ended_at),
        "by": one.by,
        "precinct_id": one.precinct_id,
        "caller_name": one.caller_name,
        "caller_number": one.caller_number,
        "check": one.check_kind.value,
        "outcome": one.outcome.value,
        "ended": one.ended.value,
        "report_id": one.report_id,
        "about": one.about,
        "note": one.notes,
    }
