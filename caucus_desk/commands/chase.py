"""`chase`: the missing worksheets, and what was done about them; `attach`: an image of one."""

import argparse
import shlex
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from caucus_desk.commands.calling import as_called
from caucus_desk.commands.looking import looking
from caucus_desk.commands.output import Output, absolute, many, utc
from caucus_desk.commands.person import person_for
from caucus_desk.commands.running import DONE, NEEDS_A_PERSON, WrongUse
from caucus_desk.rules.errors import Refused
from caucus_desk.tally.chase import ChaseStep, Missing, Outcome, by_county, of_county
from caucus_desk.tally.people import folded

if TYPE_CHECKING:
    from caucus_desk.desk.session import Desk

OUTCOMES = tuple(outcome.value for outcome in Outcome)
_DEEDS = ("received", "not_received", "attempt", "assign")
_HEADS = (
    "county",
    "id",
    "precinct",
    "stage",
    "minutes",
    "phone",
    "chair",
    "number",
    "runner",
    "last attempt",
)


def chase_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--county", metavar="COUNTY", help="of one county, or pool of satellite sites")
    parser.add_argument("--out", metavar="FILE.xlsx", help="write the list as a workbook that prints")
    does = parser.add_mutually_exclusive_group()
    does.add_argument("--received", metavar="PRECINCT_ID", help="its worksheet is here")
    does.add_argument("--not-received", metavar="PRECINCT_ID", help="it was marked received by mistake")
    does.add_argument("--attempt", metavar="PRECINCT_ID", help="somebody tried; needs --outcome")
    does.add_argument("--assign", metavar="RUNNER", help="who goes, for --precinct or a whole --county")
    parser.add_argument("--precinct", metavar="PRECINCT_ID", help="where the runner goes")
    parser.add_argument("--outcome", choices=OUTCOMES, help="how the attempt ended")
    parser.add_argument("--note", metavar="TEXT", help="in a few words")


def attach_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("precinct_id", metavar="PRECINCT_ID")
    parser.add_argument("file", metavar="FILE", help="a .png, .jpg or .pdf of its worksheet, at most 25 MB")


def run_chase(arguments: argparse.Namespace, out: Output) -> int:
    doing = next((name for name in _DEEDS if getattr(arguments, name) is not None), None)
    if doing is not None:
        return _do(doing, arguments, out)
    if arguments.out:
        return _write(arguments, out)
    return _list(arguments, out)


def _list(arguments: argparse.Namespace, out: Output) -> int:
    from caucus_desk.desk.chase import missing

    with looking(arguments.store, out) as desk:
        county = _county(desk, arguments.county)
        overview = desk.overview()
        rows = of_county(missing(desk, overview), county)
        every = by_county(overview.results.values(), rows)
        lines = [one for one in every if not county or one.county == county]
        caucus = desk.caucus
    now = datetime.now(UTC)
    out.document(
        {
            "caucus": caucus,
            "as_of": utc(now),
            "county": county,
            "missing": [_row(one, now) for one in rows],
            "counties": [
                {
                    "county": one.county,
                    "precincts": one.total,
                    "missing": one.missing,
                    "here": one.due,
                    "keyed": one.keyed,
                    "asked_for": one.asked,
                }
                for one in lines
            ],
        }
    )
    gone = sum(not one.here for one in rows)
    out.line(f"{many(gone, 'worksheet')} to fetch, {len(rows) - gone:,} here and not keyed.")
    out.table(
        (
            "county",
            "id",
            "precinct",
            "stage",
            "minutes",
            "phone",
            "chair",
            "number",
            "runner",
            "last attempt",
        ),
        [_cells(one, now) for one in rows],
        numbers=(4,),
    )
    return NEEDS_A_PERSON if rows else DONE


def _row(one: Missing, now: datetime) -> dict[str, object]:
    since = one.due_since or one.since
    return {
        "precinct_id": one.precinct.id,
        "county": one.precinct.county,
        "precinct": one.precinct.name,
        "chair": one.chair,
        "phone": one.phone,
        "stage": one.word,
        "phone_report": one.phone_in,
        "since": None if since is None else utc(since),
        "minutes": _minutes(one, now),
        "runner": one.runner,
        "attempts": [_step(step) for step in one.steps if step.kind == "attempt"],
        "received": one.received,
        "photos": one.photos,
        "keying_by": one.keying_by,
        "errand": one.errand_note,
    }


def _step(step: ChaseStep) -> dict[str, object]:
    return {
        "at": utc(step.at),
        "by": step.by,
        "kind": step.kind.value,
        "runner": step.runner,
        "note": step.note,
    }


def _cells(one: Missing, now: datetime) -> Sequence[str]:
    minutes = _minutes(one, now)
    attempt = one.last_attempt
    return (
        one.precinct.county,
        one.precinct.id,
        one.precinct.name,
        one.word,
        "" if minutes is None else f"{minutes:,}",
        "in" if one.phone_in else "",
        one.chair,
        one.phone,
        one.runner,
        "" if attempt is None else f"{attempt.at.astimezone():%H:%M} {attempt.note}",
    )


def _minutes(one: Missing, now: datetime) -> int | None:
    waited = one.waited(now)
    return None if waited is None else waited // timedelta(minutes=1)


def _write(arguments: argparse.Namespace, out: Output) -> int:
    from caucus_desk.desk.chase import write_list
    from caucus_desk.desk.session import open_desk

    with closing(open_desk(arguments.store)) as desk:
        by = person_for(desk, arguments.by)
        county = _county(desk, arguments.county)
        written = write_list(desk, county, Path(arguments.out), by=by, progress=out.progress())
    out.document(
        {"file": absolute(written.path), "county": county, "rows": written.rows, "notes": list(written.notes)}
    )
    out.line(f"Wrote {written.path}: {many(written.rows, 'missing worksheet')}.")
    for note in written.notes:
        out.complain(f"Note: {note}")
    return DONE


def _do(what: str, arguments: argparse.Namespace, out: Output) -> int:
    from caucus_desk.desk import chase
    from caucus_desk.desk.session import open_desk

    if not arguments.by:
        raise WrongUse("Say who does it, with --by NAME.")
    with closing(open_desk(arguments.store)) as desk:
        by = person_for(desk, arguments.by)
        steps: Sequence[ChaseStep]
        if what == "received":
            steps = chase.received(desk, arguments.received, note=arguments.note or "", by=by)
        elif what == "not_received":
            steps = [chase.not_received(desk, arguments.not_received, note=arguments.note or "", by=by)]
        elif what == "attempt":
            if not arguments.outcome:
                raise WrongUse(f"Say how it ended, with --outcome: {', '.join(OUTCOMES)}.")
            steps = [
                chase.attempt(desk, arguments.attempt, arguments.outcome, note=arguments.note or "", by=by)
            ]
        else:
            steps = chase.assign(desk, _to_send(desk, arguments), arguments.assign, by=by)
        names = [desk.precinct(step.precinct_id).name for step in steps]
    out.document({"steps": [{"precinct_id": step.precinct_id, **_step(step)} for step in steps]})
    said = {
        "received": "is here; its paper entry is due",
        "not_received": "is missing again",
        "attempt": f"was tried: {steps[-1].note}",
        "assign": f"is fetched by {steps[-1].runner}",
    }[what]
    for name, step in zip(names, steps, strict=True):
        out.line(f"The sheet of {name} ({step.precinct_id}) {said}.")
    return DONE


def _to_send(desk: "Desk", arguments: argparse.Namespace) -> str | list[str]:
    """One precinct, or what is missing in a county."""
    from caucus_desk.desk.chase import missing

    if arguments.precinct:
        return str(arguments.precinct)
    if not arguments.county:
        raise WrongUse("Say where the runner goes, with --precinct ID or --county COUNTY.")
    county = _county(desk, arguments.county)
    return [one.precinct.id for one in of_county(missing(desk), county) if not one.here]


def _county(desk: "Desk", text: str | None) -> str:
    """The county as the roster spells it, "" where none is named."""
    if not text:
        return ""
    counties = dict.fromkeys(precinct.county for precinct in desk.precincts.values())
    found = [county for county in counties if folded(county) == folded(text)]
    if not found:
        raise Refused(f"There is no county {text} in this caucus. Check how the roster spells it.")
    return found[0]


def run_attach(arguments: argparse.Namespace, out: Output) -> int:
    from caucus_desk.desk.attachments import attach
    from caucus_desk.desk.session import open_desk

    with closing(open_desk(arguments.store)) as desk:
        by = person_for(desk, arguments.by)
        given = attach(desk, arguments.precinct_id, Path(arguments.file), by=by)
        name = desk.precinct(given.precinct_id).name
    out.document(
        {
            "precinct_id": given.precinct_id,
            "name": given.name,
            "kind": given.kind,
            "size": given.size,
            "sha256": given.sha256,
            "by": given.by,
            "at": utc(given.at),
        }
    )
    out.line(f"Attached {given.name} to {name} ({given.precinct_id}).")
    out.line(f"Next: key it, `{as_called()} open {shlex.quote(arguments.store)}`.")
    return DONE
