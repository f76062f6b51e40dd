"""`recanvass`: chosen precincts counted again from paper or cards, and what came of it."""

import argparse
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from caucus_desk.commands.looking import looking
from caucus_desk.commands.output import Json, Output, decimal, exact, many, utc
from caucus_desk.commands.person import person_for
from caucus_desk.commands.running import DONE, NEEDS_A_PERSON, Handler
from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.rules.sde import decimal_text
from caucus_desk.tally.form import field_label
from caucus_desk.tally.recanvass import CARD_FIELDS, Account, Difference, Progress, Recanvass, RecanvassKind

if TYPE_CHECKING:
    from caucus_desk.desk.session import Desk

Add = Callable[[argparse.ArgumentParser], None]
HELP = "count chosen precincts again: open, list, show, load, take, end"


def add_to(add: Callable[..., None], store: Add, by: Add) -> None:
    """The commands under `recanvass`; `add(name, handler, help, *parts)` makes one."""
    commands: tuple[tuple[str, Handler, str, tuple[Add, ...]], ...] = (
        ("open", run_open, "open a recanvass or a recount of chosen precincts", (store, _open, by)),
        ("list", run_list, "list the recanvasses and recounts", (store,)),
        ("show", run_show, "show what was keyed again, beside what was released", (store, _number)),
        ("load", run_load, "load what was keyed again from a results file", (store, _number, _load, by)),
        ("take", run_take, "take a precinct keyed again as its paper report", (store, _number, _take, by)),
        ("end", run_end, "say how it ended", (store, _number, _end, by)),
    )
    for name, handler, help, parts in commands:
        add(name, handler, help, *parts)


def _number(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("number", metavar="N", type=_whole, help="the recanvass's number")


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number; write digits, such as 6") from None


def _open(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--recount", action="store_true", help="count the preference cards, not the worksheets"
    )
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--precinct", metavar="ID", nargs="+", help="these precincts")
    which.add_argument("--county", metavar="NAME", help="every precinct of a county")
    which.add_argument(
        "--ten", action="store_true", help="the ten that could take most from the leader's lead"
    )
    parser.add_argument(
        "--for", dest="requested_by", metavar="CAMPAIGN", required=True, help="who asked for it"
    )
    parser.add_argument("--reason", metavar="TEXT", required=True, help="the reason that was given")
    parser.add_argument(
        "--deadline",
        metavar="TIME",
        required=True,
        help="when the result is due, in local time, such as 2020-02-10T12:00",
    )


def _load(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file",
        metavar="FILE",
        help="results, .csv or .xlsx; in a recount's the column attendance holds the cards counted",
    )
    parser.add_argument("--note", metavar="TEXT", help="for sheets that cannot be right and yet say so")


def _take(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("precinct_id", metavar="PRECINCT_ID")
    parser.add_argument("--reason", metavar="TEXT", required=True, help="how you know which figure is right")


def _end(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--outcome", metavar="TEXT", required=True, help="what was found, and what follows")


# ---- what they do ----


def run_open(arguments: argparse.Namespace, out: Output) -> int:
    from caucus_desk.desk.recanvass import (
        cautions,
        deadline_of,
        of_county,
        open_recanvass,
        recanvasses,
        ten_that_matter,
    )
    from caucus_desk.desk.session import open_desk

    deadline = deadline_of(arguments.deadline)
    with closing(open_desk(arguments.store)) as desk:
        by = person_for(desk, arguments.by)
        if arguments.county is not None:
            ids = of_county(desk, arguments.county)
        else:
            ids = ten_that_matter(desk) if arguments.ten else tuple(arguments.precinct)
        one = open_recanvass(
            desk,
            RecanvassKind.RECOUNT if arguments.recount else RecanvassKind.RECANVASS,
            ids,
            requested_by=arguments.requested_by,
            reason=arguments.reason,
            deadline=deadline,
            by=by,
        )
        said = cautions(one, recanvasses(desk))
    out.document({"recanvass": _recanvass(one), "cautions": list(said)})
    out.line(f"{by} opened {one.name.lower()} of {many(len(one.ids), 'precinct')}: {', '.join(one.ids)}.")
    for caution in said:
        out.line(f"Note: {caution}")
    return DONE


def run_list(arguments: argparse.Namespace, out: Output) -> int:
    from caucus_desk.desk.recanvass import recanvasses

    with looking(arguments.store, out) as desk:
        found = recanvasses(desk)
    out.document({"recanvasses": [_recanvass(one) for one in found]})
    if not found:
        out.line("No recanvass was opened yet.")
        return DONE
    now = datetime.now(UTC)
    out.table(
        ("number", "kind", "asked for by", "keyed", "due", "state", "reason"),
        [
            (
                str(one.number),
                one.kind.value,
                one.requested_by,
                f"{len(one.ids) - len(one.left):,} of {len(one.ids):,}",
                utc(one.deadline),
                one.progress(now).value,
                one.reason,
            )
            for one in found
        ],
        numbers=(0,),
    )
    waiting = any(one.end is None for one in found)
    return NEEDS_A_PERSON if waiting else DONE


def run_show(arguments: argparse.Namespace, out: Output) -> int:
    from caucus_desk.desk.recanvassing import account

    with looking(arguments.store, out) as desk:
        found = account(desk, arguments.number)
        _show(desk, out, found)
    return NEEDS_A_PERSON if found.recanvass.end is None else DONE


def run_load(arguments: argparse.Namespace, out: Output) -> int:
    from caucus_desk.desk.recanvass import load_again
    from caucus_desk.desk.recanvassing import account
    from caucus_desk.desk.session import open_desk

    with closing(open_desk(arguments.store)) as desk:
        by = person_for(desk, arguments.by)
        kept = load_again(
            desk,
            arguments.number,
            Path(arguments.file),
            by=by,
            note=arguments.note or "",
            progress=out.progress(),
        )
        out.line(f"{by} keyed {many(len(kept), 'precinct')} again. The tally stays as it is.")
        _show(desk, out, account(desk, arguments.number))
    return DONE


def run_take(arguments: argparse.Namespace, out: Output) -> int:
    from caucus_desk.desk.recanvassing import take_as_correction
    from caucus_desk.desk.session import open_desk

    with closing(open_desk(arguments.store)) as desk:
        by = person_for(desk, arguments.by)
        done = take_as_correction(
            desk, arguments.number, arguments.precinct_id, reason=arguments.reason, by=by
        )
        result = desk.overview().results[arguments.precinct_id]
    state = result.standing.state.value
    out.document(
        {
            "precinct_id": arguments.precinct_id,
            "report_id": done.report_id,
            "reason": done.reason,
            "by": by,
            "at": utc(done.at),
            "state": state,
            "verified": result.verified,
        }
    )
    where = f"{result.precinct.name}, {result.precinct.county} ({result.precinct.id})"
    out.line(f"{by} took it as the paper report of {where}: it is {state} now.")
    if not result.verified:
        out.line("Review decides what stands.")
    return DONE


def run_end(arguments: argparse.Namespace, out: Output) -> int:
    from caucus_desk.desk.recanvass import end_recanvass
    from caucus_desk.desk.session import open_desk

    with closing(open_desk(arguments.store)) as desk:
        by = person_for(desk, arguments.by)
        one = end_recanvass(desk, arguments.number, outcome=arguments.outcome, by=by)
    out.document({"recanvass": _recanvass(one)})
    left = f", with {many(len(one.left), 'precinct')} not keyed" if one.left else ""
    out.line(f"{by} ended {one.name.lower()}{left}. The next release tells of it.")
    return DONE


# ---- what they say ----


def _show(desk: "Desk", out: Output, found: Account) -> None:
    one, rules = found.recanvass, desk.rules
    out.document(
        {
            "recanvass": _recanvass(one),
            "precincts": [_difference(rules, found, each) for each in found.comparing.differences],
            "moves": [
                {
                    "group": move.group,
                    "before": decimal(rules, move.before.sde),
                    "after": decimal(rules, move.after.sde),
                    "moved_exact": exact(move.sde),
                    "delegates": move.after.delegates - move.before.delegates,
                    "rank_before": move.before.rank,
                    "rank_after": move.after.rank,
                }
                for move in found.comparing.together.groups
                if move.before != move.after
            ],
        }
    )
    against = "what stood when it was opened" if one.release is None else f"release {one.release}"
    out.line(f"{one.name}, asked for by {one.requested_by}: {one.reason}")
    state = one.progress(datetime.now(UTC))
    done = len(one.ids) - len(one.left)
    out.line(f"{done:,} of {many(len(one.ids), 'precinct')} keyed again, due {utc(one.deadline)}: {state}.")
    if state is Progress.OVERDUE and one.left:
        out.line(f"Not keyed: {', '.join(one.left)}.")
    for each in found.comparing.differences:
        _say(out, rules, found, each)
    moved = [move for move in found.comparing.together.groups if move.sde]
    if moved:
        told = ", ".join(f"{rules.label(move.group)} {signed(rules, move.sde)}" for move in moved)
        out.line(f"Together, against {against}: {told} statewide.")
        for move in found.comparing.together.rank_changes:
            out.line(
                f"{rules.label(move.group)} would go from place {move.before.rank} to {move.after.rank}."
            )
    elif found.comparing.differences:
        out.line(f"Together, against {against}: nothing moves statewide.")
    if one.end is not None:
        out.line(f"Ended {utc(one.end.at)} by {one.end.by}: {one.end.outcome}")


def _say(out: Output, rules: RuleSet, found: Account, each: Difference) -> None:
    where = f"{each.precinct.name}, {each.precinct.county} ({each.precinct.id})"
    if each.same:
        out.line(f"  {where}: the same, keyed by {each.sheet.by}.")
        return
    fields = "; ".join(
        f"{_label(rules, change.field)} {_count(change.before)} to {_count(change.after)}"
        for change in each.fields
    )
    out.line(f"  {where}, keyed by {each.sheet.by}: {fields}.")
    if each.sdes:
        told = ", ".join(f"{rules.label(key)} {signed(rules, value)}" for key, value in each.sdes.items())
        out.line(f"    would move {told}")
    if not each.by_the_rules:
        out.line("    its delegates are not those that the rules give")
    if each.sheet.note:
        out.line(f"    note: {each.sheet.note}")
    if each.precinct.id in found.taken:
        taken = found.taken[each.precinct.id]
        out.line(f"    taken as paper report by {taken.by}: {taken.reason}")


def signed(rules: RuleSet, value: Fraction) -> str:
    return f"{'+' if value > 0 else '-'}{decimal_text(abs(value), rules.rounding.digits)}"


def _label(rules: RuleSet, path: str) -> str:
    return CARD_FIELDS.get(path) or field_label(rules, path)


def _count(count: int | None) -> str:
    return "blank" if count is None else f"{count:,}"


def _recanvass(one: Recanvass) -> Json:
    end = one.end
    return {
        "number": one.number,
        "kind": one.kind.value,
        "release": one.release,
        "requested_by": one.requested_by,
        "reason": one.reason,
        "deadline": utc(one.deadline),
        "by": one.by,
        "at": utc(one.at),
        "state": one.progress(datetime.now(UTC)).value,
        "precincts": list(one.ids),
        "left": list(one.left),
        "ended": None if end is None else {"by": end.by, "at": utc(end.at), "outcome": end.outcome},
    }


def _difference(rules: RuleSet, found: Account, each: Difference) -> Json:
    taken = found.taken.get(each.precinct.id)
    return {
        "precinct_id": each.precinct.id,
        "county": each.precinct.county,
        "precinct": each.precinct.name,
        "keyed_by": each.sheet.by,
        "at": utc(each.sheet.at),
        "note": each.sheet.note,
        "same": each.same,
        "fields": [
            {"field": change.field, "released": change.before, "keyed": change.after}
            for change in each.fields
        ],
        "delegates": {key: {"released": one, "keyed": other} for key, (one, other) in each.delegates.items()},
        "moves": {key: decimal(rules, value) for key, value in each.sdes.items()},
        "moves_exact": {key: exact(value) for key, value in each.sdes.items()},
        "by_the_rules": each.by_the_rules,
        "taken": None
        if taken is None
        else {"report_id": taken.report_id, "by": taken.by, "reason": taken.reason},
    }
