"""`math`: the delegates of one precinct, step by step, as a chair checks a worksheet."""

import argparse
from collections.abc import Iterable

from caucus_desk.commands.output import Output, decimal, exact
from caucus_desk.commands.running import DONE, WrongUse
from caucus_desk.rules.apportion import Apportionment
from caucus_desk.rules.sde import decimal_text


def run_math(arguments: argparse.Namespace, out: Output) -> int:
    from caucus_desk.desk.creating import rule_set
    from caucus_desk.desk.worksheet import remarks, work_out

    rules = rule_set(arguments.rules)
    worked = work_out(rules, arguments.delegates, arguments.attendance, _finals(arguments.finals))
    said = remarks(worked, rules)
    out.document({**_document(worked), "remarks": list(said)})
    for step in worked.steps:
        out.line(step)
    if worked.steps:
        out.line()
    shares = worked.groups
    out.table(
        ("group", "final", "viable", "share", "rounded", "delegates"),
        [
            (
                share.group,
                f"{share.final:,}",
                "yes" if share.viable else "no",
                "" if share.quotient is None else decimal_text(share.quotient, 4),
                "" if share.rounded is None else str(share.rounded),
                str(share.delegates),
            )
            for share in shares
        ],
        numbers=(1, 3, 4, 5),
    )
    if worked.tie is not None:
        tie = worked.tie
        verb = "loses" if tie.kind == "lose" else "gains"
        verb = verb if tie.k == 1 else tie.kind
        out.line(f"Only a game of chance can decide: {tie.k} of {', '.join(tie.groups)} {verb} one delegate.")
    for remark in said:
        out.line(f"Remark: {remark}")
    return DONE


def _finals(texts: Iterable[str]) -> dict[str, int]:
    finals: dict[str, int] = {}
    for text in texts:
        name, equals, count = text.rpartition("=")
        if not equals or not name.strip():
            raise WrongUse(
                f"{text!r} is no group with its final count: write GROUP=FINAL, such as Warren=42."
            )
        if not (count.isascii() and count.strip().isdigit()):
            raise WrongUse(f"{text!r}: the final count of {name} must be a whole number, not {count!r}.")
        if name in finals:
            raise WrongUse(f"{name} is named twice: give each group one final count.")
        finals[name] = int(count)
    return finals


def _document(worked: Apportionment) -> dict[str, object]:
    tie = worked.tie
    document: dict[str, object] = {
        "viability": worked.threshold,
        "delegates": worked.delegates,
        "groups": [
            {
                "group": share.group,
                "final": share.final,
                "viable": share.viable,
                "quotient": None if share.quotient is None else decimal(worked.rules, share.quotient),
                "quotient_exact": None if share.quotient is None else exact(share.quotient),
                "rounded": share.rounded,
                "delegates": share.delegates,
            }
            for share in worked.groups
        ],
        "steps": list(worked.steps),
        "ties": [] if tie is None else [list(tie.groups)],
    }
    if tie is not None:
        document["tie"] = {"kind": tie.kind, "k": tie.k, "groups": list(tie.groups)}
    return document
