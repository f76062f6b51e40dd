"""Commands about whole stores: new, load, check, backup, restore, move."""

import argparse
import shlex
from collections import Counter
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from caucus_desk.commands.calling import as_called
from caucus_desk.commands.looking import looking
from caucus_desk.commands.output import Output, absolute, many
from caucus_desk.commands.person import new_pin, person_for, who
from caucus_desk.commands.running import DONE, NEEDS_A_PERSON, problem_rows
from caucus_desk.rules.errors import Refused
from caucus_desk.tally.finding import Severity
from caucus_desk.tally.overview import Overview
from caucus_desk.tally.report import Channel
from caucus_desk.tally.results import SheetFinding


def run_new(arguments: argparse.Namespace, out: Output) -> int:
    from caucus_desk.desk.creating import FirstAdministrator, create_caucus, refuse_taken
    from caucus_desk.desk.people import sign_in_kind

    keeper = arguments.administrator
    refuse_taken(arguments.store)
    created = create_caucus(
        arguments.store,
        arguments.rules,
        _existing(arguments.roster),
        by=arguments.by or keeper or who(),
        name=arguments.name,
        candidates=_existing(arguments.candidates) if arguments.candidates else None,
        progress=out.progress(),
        administrator=FirstAdministrator(keeper, new_pin(keeper, own=True)) if keeper else None,
        own_laptop=arguments.own_laptop,
    )
    with closing(created.desk) as desk:
        out.document(
            {
                "store": absolute(desk.location),
                "caucus": desk.caucus,
                "rules": desk.rules.name,
                "precincts": created.precincts,
                "sign_in": sign_in_kind(desk).value,
                "warnings": [*created.warnings, *desk.warnings],
            }
        )
        out.line(f"Made {desk.location}: {desk.caucus}, {many(created.precincts, 'precinct')}.")
        warnings = (*created.warnings, *desk.warnings)
    _warn(out, warnings)
    return DONE


def run_load(arguments: argparse.Namespace, out: Output) -> int:
    from caucus_desk.desk.loading import load_results
    from caucus_desk.desk.session import open_desk

    with closing(open_desk(arguments.store)) as desk:
        loaded = load_results(
            desk,
            _existing(arguments.file),
            channel=Channel(arguments.channel),
            by=person_for(desk, arguments.by),
            skip_bad=arguments.skip_bad,
            correct=arguments.correct,
            progress=out.progress(),
        )
        overview = desk.overview()
    found = Counter(entry.severity for entry in _found(overview, loaded.precinct_ids))
    differing = sum(bool(overview.results[id].mismatches) for id in loaded.precinct_ids)
    out.document(
        {
            "channel": arguments.channel,
            "new": loaded.new,
            "superseded": loaded.superseded,
            "unchanged": loaded.unchanged,
            "control_totals": loaded.control_totals,
            "refused": problem_rows(loaded.refused),
            "warnings": list(loaded.warnings),
            "findings": {severity.value: found[severity] for severity in Severity},
            "mismatched": differing,
        }
    )
    refused = f"; {many(len(loaded.refused), 'row')} refused" if loaded.refused else ""
    out.line(
        f"Loaded {arguments.file} as {arguments.channel} reports: {loaded.new:,} new, "
        f"{loaded.superseded:,} in place of an older one, {loaded.unchanged:,} unchanged{refused}."
    )
    if loaded.precinct_ids:
        counts = ", ".join(many(found[severity], severity.value) for severity in Severity)
        differ = f"the reports of {many(differing, 'precinct')} differ" if differing else "no reports differ"
        out.line(f"In the precincts loaded: {counts}; {differ}.")
    worth_a_look = [name for name, count in (("mismatches", differing), ("findings", found.total())) if count]
    told = " and ".join(
        f"`{as_called()} {name} {shlex.quote(arguments.store)}`" for name in worth_a_look or ["results"]
    )
    out.line(f"Next: {told}.")
    _warn(out, loaded.warnings)
    for problem in loaded.refused:
        out.complain(f"  {problem}")
    return NEEDS_A_PERSON if loaded.refused else DONE


def _found(overview: Overview, precinct_ids: Iterable[str]) -> list[SheetFinding]:
    """Findings of these precincts, and of the counties' control totals."""
    loaded = set(precinct_ids)
    return [entry for entry in overview.findings() if entry.precinct is None or entry.precinct.id in loaded]


def run_check(arguments: argparse.Namespace, out: Output) -> int:
    from caucus_desk.desk.integrity import check_store

    if arguments.rebuild:
        _rebuild(arguments.store, arguments.by, out)
    with looking(arguments.store, out) as desk:
        lines = check_store(desk)
        location = desk.location
    bad = [line for line in lines if not line.ok]
    out.document(
        {
            "store": absolute(location),
            "ok": not bad,
            "checks": [{"name": line.name, "ok": line.ok, "detail": line.detail} for line in lines],
        }
    )
    for line in lines:
        out.line(f"{'ok ' if line.ok else 'BAD'} {line.name}: {line.detail}")
    if bad:
        out.line(f"{location} has {many(len(bad), 'failed check')}: restore a backup, or ask for help.")
    else:
        out.line(f"{location} is sound: {many(len(lines), 'check')}.")
    return NEEDS_A_PERSON if bad else DONE


def _rebuild(store: str, by: str | None, out: Output) -> None:
    from caucus_desk.desk.integrity import rebuild_states
    from caucus_desk.desk.session import open_desk

    with closing(open_desk(store)) as desk:
        mended = rebuild_states(desk, person_for(desk, by))
    out.line(f"Worked the cached states out again from reports and rulings: {mended:,} were not right.")


def run_backup(arguments: argparse.Namespace, out: Output) -> int:
    from caucus_desk.desk.keeping import backup
    from caucus_desk.desk.session import open_desk

    remarks: list[str] = []
    if arguments.by:
        with closing(open_desk(arguments.store)) as desk:
            by = person_for(desk, arguments.by)
            made = backup(arguments.store, arguments.out, out.progress(), desk=desk, by=by, remarks=remarks)
    else:
        made = backup(arguments.store, arguments.out, out.progress(), remarks=remarks)
    out.document({"store": absolute(arguments.store), "backup": absolute(made), "warnings": remarks})
    out.line(f"Copied {arguments.store} to {made} and checked the copy.")
    _warn(out, tuple(remarks))
    return DONE


def run_restore(arguments: argparse.Namespace, out: Output) -> int:
    from caucus_desk.desk.keeping import restore

    remarks: list[str] = []
    made = restore(arguments.backup, arguments.store, out.progress(), remarks=remarks)
    out.document({"backup": absolute(arguments.backup), "store": absolute(made), "warnings": remarks})
    out.line(f"Restored {arguments.backup} as {made} and checked it.")
    _warn(out, tuple(remarks))
    return DONE


def run_move(arguments: argparse.Namespace, out: Output) -> int:
    from caucus_desk.desk.carrying import lost_in_words
    from caucus_desk.desk.moving import move
    from caucus_desk.desk.session import open_desk

    with closing(open_desk(arguments.store, looking=True)) as desk:
        by = person_for(desk, arguments.by)
        moved = move(desk, arguments.to, by=by, progress=out.progress())
        old = desk.location
    lost = lost_in_words(moved.lost)
    out.document(
        {
            "from": absolute(old),
            "to": absolute(moved.location),
            "rows": moved.rows,
            "events": moved.events,
            "attachments": moved.attachments,
            "tables": [
                {"name": table.name, "rows": table.rows, "digest": table.digest} for table in moved.tables
            ],
            "warnings": [lost] if lost else [],
        }
    )
    full = sum(table.rows > 0 for table in moved.tables)
    files = f", {many(moved.attachments, 'attachment')}" if moved.attachments else ""
    out.line(
        f"Moved {old} to {moved.location}: {many(moved.rows, 'row')} in {many(full, 'table')}, "
        f"{many(moved.events, 'event')} among them{files}."
    )
    out.line("Every table reads back with the digest that it had, and the new store stood every check.")
    out.line(f"Go on in the new one: `{as_called()} open {shlex.quote(moved.location)}`.")
    out.line(f"{old} is as it was. What is saved there from now on is not in the new one.")
    _warn(out, (lost,) if lost else ())
    return DONE


def _existing(text: str) -> Path:
    path = Path(text)
    if not path.exists():
        raise Refused(f"There is no file {text}. Check the name and the folder.")
    return path


def _warn(out: Output, warnings: tuple[str, ...]) -> None:
    for warning in warnings:
        out.complain(f"Note: {warning}")
