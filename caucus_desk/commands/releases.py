"""`release`: the gate before a release, making one, and its files."""

import argparse
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from caucus_desk.commands.looking import looking, taking_out
from caucus_desk.commands.output import Json, Output, absolute, decimal, exact, many, utc
from caucus_desk.commands.person import person_for
from caucus_desk.commands.running import DONE, NEEDS_A_PERSON, WrongUse
from caucus_desk.commands.showing import show_national, show_row
from caucus_desk.rules.sde import decimal_text
from caucus_desk.tally.comparison import Comparison, Kind
from caucus_desk.tally.form import field_label
from caucus_desk.tally.results import By, Counting

if TYPE_CHECKING:
    from caucus_desk.desk.releases import Release
    from caucus_desk.desk.releasing import Gate

ITEMS = (
    *("changes", "share", "empty-counties", "doubt", "findings"),
    *("rulings", "unconfirmed", "totals", "audit"),
)
"""What the gate looks at, in its order."""


def run_gate(arguments: argparse.Namespace, out: Output) -> int:
    from caucus_desk.desk.releasing import gate

    with looking(arguments.store, out) as desk:
        found = gate(desk, Counting(arguments.counting))
    out.document(_gate(found))
    _show_gate(out, found)
    return NEEDS_A_PERSON if found.held else DONE


def _show_gate(out: Output, found: "Gate") -> None:
    for item in found.items:
        word = "HOLDS" if item.holds else "ok" if item.ok else "note"
        out.line(f"{word:5}  {item.id:14}  {item.detail}")
    if found.held:
        ids = ", ".join(item.id for item in found.held)
        out.line(f"Held back by {ids}: give a reason for each with --pass ITEM=REASON.")
    else:
        out.line("Nothing holds a release back.")


def _gate(found: "Gate") -> Json:
    return {
        "counting": found.counting.value,
        "since": found.since,
        "passable": found.passable,
        "items": [
            {
                "id": item.id,
                "title": item.title,
                "ok": item.ok,
                "holds": item.holds,
                "detail": item.detail,
                "figures": dict(item.figures),
                "precincts": list(item.precincts),
            }
            for item in found.items
        ],
        "changed": None if found.changed is None else _comparison(found.changed),
    }


def run_make(arguments: argparse.Namespace, out: Output) -> int:
    from caucus_desk.desk.releasing import make_release
    from caucus_desk.desk.session import open_desk

    passes = dict(_passed(text) for text in arguments.passes or ())
    with closing(open_desk(arguments.store)) as desk:
        by = person_for(desk, arguments.by)
        made = make_release(
            desk, Counting(arguments.counting), note=arguments.note or "", passes=passes, by=by
        )
    out.document({"release": _release(made)})
    out.line(f"{made.by} made release {made.number}, digest {made.digest_short}.")
    if made.waiting:
        out.line("It goes out when a second person has approved it: release approve.")
    return DONE


def _passed(text: str) -> tuple[str, str]:
    item, equals, reason = text.partition("=")
    if not equals or not item.strip():
        raise WrongUse(f'--pass {text!r} names no item: write ITEM=REASON, such as findings="all asked".')
    return item.strip(), reason


def run_list(arguments: argparse.Namespace, out: Output) -> int:
    from caucus_desk.desk.releases import releases

    with looking(arguments.store, out) as desk:
        made = releases(desk)
    out.document({"releases": [_release(one) for one in made]})
    out.table(
        ("release", "made", "by", "counting", "approved", "digest", "note"),
        [
            (
                str(one.number),
                utc(one.at),
                one.by,
                one.counting.value,
                one.approved_by or ("waits" if one.waiting else ""),
                one.digest_short,
                one.note,
            )
            for one in made
        ],
        numbers=(0,),
    )
    out.line(f"{many(len(made), 'release')}.")
    return DONE


def run_show(arguments: argparse.Namespace, out: Output) -> int:
    from caucus_desk.desk.document import results_document
    from caucus_desk.desk.recanvassing import told_in
    from caucus_desk.desk.releases import whole

    with looking(arguments.store, out) as desk:
        one = whole(desk, arguments.number)
        made = one.release
        document = results_document(one.overview, made.counting, By.STATE, made.at)
        out.document({**document, "release": _release(made), "digest": made.digest})
        out.line(f"Release {made.number}, made by {made.by} at {utc(made.at)}, counting {made.counting}.")
        out.line(f"Digest {made.digest}")
        if made.note:
            out.line(f"Note: {made.note}")
        out.line(one.overview.banner())
        show_row(out, one.overview, one.overview.tally(By.STATE, made.counting).rows[0])
        show_national(out, one.overview, one.overview.national(made.counting))
        for each in made.passes:
            out.line(f"Passed at the gate: {each.item}: {each.found} Reason: {each.reason}")
        for again in told_in(desk, made.number):
            how = f"ended: {again.end.outcome}" if again.end is not None else "not ended"
            out.line(f"{again.name}, asked for by {again.requested_by}, {how}")
        if one.digest != made.digest:
            out.complain("What the store holds of this release does not give its digest any more; see check.")
            return NEEDS_A_PERSON
    return DONE


def run_approve(arguments: argparse.Namespace, out: Output) -> int:
    from caucus_desk.desk.releasing import approve_release
    from caucus_desk.desk.session import open_desk

    with closing(open_desk(arguments.store)) as desk:
        by = person_for(desk, arguments.by)
        made = approve_release(desk, arguments.number, by=by)
    out.document({"release": _release(made)})
    out.line(f"{made.approved_by} approved release {made.number}, digest {made.digest_short}.")
    return DONE


def run_compare(arguments: argparse.Namespace, out: Output) -> int:
    from caucus_desk.desk.releases import compare, reasons

    with looking(arguments.store, out) as desk:
        found = compare(desk, arguments.older, arguments.newer)
        why = reasons(desk, found, arguments.older, arguments.newer)
    newer = f"release {arguments.newer}" if arguments.newer is not None else "what stands now"
    out.document(
        {
            "older": arguments.older,
            "newer": arguments.newer,
            **_comparison(found),
            "why": dict(why),
        }
    )
    rules, digits = found.rules, found.rules.rounding.digits
    out.line(
        f"Release {arguments.older} counts {many(found.counted[0], 'precinct')}, {newer} "
        f"{found.counted[1]:,}: {_kinds_text(found) or 'nothing changed'}."
    )
    out.table(
        ("group", "before", "now", "moved", "place", "was"),
        [
            (
                rules.label(move.group),
                decimal_text(move.before.sde, digits),
                decimal_text(move.after.sde, digits),
                _signed(decimal_text(move.sde, digits)),
                str(move.after.rank or ""),
                str(move.before.rank or ""),
            )
            for move in found.groups
            if move.before.sde or move.after.sde
        ],
        numbers=range(1, 6),
    )
    changed = [change for change in found.largest if change.kind is not Kind.NEW]
    out.table(
        ("precinct_id", "county", "precinct", "what", "most moved", "fields", "why"),
        [
            (
                change.precinct.id,
                change.precinct.county,
                change.precinct.name,
                change.kind.value,
                decimal_text(change.size, digits),
                ", ".join(field_label(rules, one.field) for one in change.fields[:4])
                + (f" and {len(change.fields) - 4} more" if len(change.fields) > 4 else ""),
                why.get(change.precinct.id, ""),
            )
            for change in changed
        ],
        numbers=(4,),
    )
    return DONE


def _kinds_text(found: Comparison) -> str:
    return ", ".join(f"{len(found.of(kind)):,} {kind.value}" for kind in Kind if found.of(kind))


def _signed(text: str) -> str:
    return text if text.startswith("-") else f"+{text}"


def _comparison(found: Comparison) -> dict[str, object]:
    rules = found.rules
    return {
        "counted": {"before": found.counted[0], "after": found.counted[1]},
        "kinds": {kind.value: len(found.of(kind)) for kind in Kind if found.of(kind)},
        "groups": [
            {
                "group": move.group,
                "sde_before": decimal(rules, move.before.sde),
                "sde_after": decimal(rules, move.after.sde),
                "sde_moved": decimal(rules, move.sde),
                "sde_moved_exact": exact(move.sde),
                "by_kind": {kind.value: decimal(rules, value) for kind, value in move.by_kind.items()},
                "rank_before": move.before.rank,
                "rank_after": move.after.rank,
            }
            for move in found.groups
        ],
        "precincts": [
            {
                "precinct_id": change.precinct.id,
                "county": change.precinct.county,
                "precinct": change.precinct.name,
                "kind": change.kind.value,
                "fields": [
                    {"field": one.field, "before": one.before, "after": one.after} for one in change.fields
                ],
                "sde": {group: decimal(rules, value) for group, value in change.sdes.items()},
            }
            for change in found.largest
        ],
    }


def run_export(arguments: argparse.Namespace, out: Output) -> int:
    from caucus_desk.desk.noting import can_note
    from caucus_desk.desk.releasefiles import export_release
    from caucus_desk.desk.workbook import write_workbook

    path = Path(arguments.out)
    with taking_out(arguments.store, out) as desk:
        by = person_for(desk, arguments.by)
        noted = can_note(desk)
        if path.suffix.lower() == ".xlsx":
            write_workbook(desk, path, progress=out.progress(), by=by, release=arguments.number)
        else:
            export_release(desk, arguments.number, path, by=by)
    out.document({"release": arguments.number, "file": absolute(path), "noted": noted})
    out.line(f"Wrote release {arguments.number} to {path} and read it back: its digest holds.")
    return DONE


def run_verify(arguments: argparse.Namespace, out: Output) -> int:
    from caucus_desk.desk.releasefiles import verify_file

    if arguments.against is None:
        found = verify_file(arguments.file)
    else:
        with looking(arguments.against, out) as desk:
            found = verify_file(arguments.file, desk)
    out.document(
        {
            "file": absolute(arguments.file),
            "kind": found.kind,
            "release": found.number,
            "made": found.made,
            "counting": found.counting,
            "counted": found.counted,
            "digest": found.stated,
            "digest_found": found.found,
            "ok": found.ok,
            "differences": list(found.differences),
        }
    )
    head = (
        f"{found.file}: release {found.number}, made {found.made}, {many(found.counted, 'precinct')} counted"
    )
    if found.ok:
        stored = ""
        if arguments.against is not None:
            stored = f", and they are those of release {found.number} in {arguments.against}"
        out.line(f"{head}. Its numbers are those of its digest, {found.digest_short}{stored}.")
        if arguments.against is None:
            out.line("Compare that digest with the one that was announced: the file alone cannot know it.")
        return DONE
    out.line(f"{head}. Its numbers are NOT those released:")
    for one in found.differences:
        out.line(f"  {one}")
    return NEEDS_A_PERSON


def _release(made: "Release") -> Json:
    return {
        "number": made.number,
        "counting": made.counting.value,
        "note": made.note,
        "by": made.by,
        "at": utc(made.at),
        "needs_approval": made.needs_approval,
        "approved_by": made.approved_by,
        "approved_at": None if made.approved_at is None else utc(made.approved_at),
        "newest_report": made.newest_report,
        "digest": made.digest,
        "digest_short": made.digest_short,
        "passes": [{"item": one.item, "found": one.found, "reason": one.reason} for one in made.passes],
    }
