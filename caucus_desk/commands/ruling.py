"""Commands of the review: queue, rule, approve."""

import argparse
from contextlib import closing
from fractions import Fraction
from typing import TYPE_CHECKING

from caucus_desk.commands.looking import looking
from caucus_desk.commands.output import Json, Output, decimal, exact, many, utc
from caucus_desk.commands.person import person_for
from caucus_desk.commands.records import open_errors, why_not_verified
from caucus_desk.commands.running import DONE, NEEDS_A_PERSON, WrongUse
from caucus_desk.rules.errors import Refused
from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.rules.sde import decimal_text
from caucus_desk.tally.form import field_label, form_of
from caucus_desk.tally.people import folded
from caucus_desk.tally.report import CHANNELS, Channel, HeadKey, Ruling

if TYPE_CHECKING:
    from caucus_desk.desk.casequeue import QueueItem
    from caucus_desk.desk.review import Case
    from caucus_desk.desk.session import Desk

BLANK = "blank"
"""Stands for no count at all, which is not 0."""


def run_queue(arguments: argparse.Namespace, out: Output) -> int:
    from caucus_desk.desk.cases import queue

    with looking(arguments.store, out) as desk:
        items = queue(desk, desk.overview())
        rules = desk.rules
    out.document({"queue": [_item(rules, item) for item in items]})
    if items:
        out.table(
            ("precinct_id", "county", "precinct", "at stake", "close", "since", "what"),
            [
                (
                    item.precinct.id,
                    item.precinct.county,
                    item.precinct.name,
                    _stake_text(rules, item.at_stake),
                    "" if item.closeness is None else f"{item.closeness:,}",
                    utc(item.waits_since),
                    item.what,
                )
                for item in items
            ],
            numbers=(3, 4),
        )
    verb = "waits" if len(items) == 1 else "wait"
    out.line(
        f"{many(len(items), 'precinct')} {verb} for a person." if items else "Nothing waits for a person."
    )
    return NEEDS_A_PERSON if items else DONE


def _item(rules: RuleSet, item: "QueueItem") -> Json:
    stake = item.at_stake
    return {
        "precinct_id": item.precinct.id,
        "county": item.precinct.county,
        "precinct": item.precinct.name,
        "kinds": sorted(item.kinds),
        "channels": [channel.value for channel in item.channels],
        "at_stake": None if stake is None else decimal(rules, stake),
        "at_stake_exact": None if stake is None else exact(stake),
        "closeness": item.closeness,
        "waits_since": utc(item.waits_since),
        "what": item.what,
        "claimed_by": None if item.claimed is None else item.claimed.by,
        "sent_back": [errand.kind.value for errand in item.errands],
    }


def _stake_text(rules: RuleSet, stake: Fraction | None) -> str:
    return "" if stake is None else decimal_text(stake, rules.rounding.digits)


def run_rule(arguments: argparse.Namespace, out: Output) -> int:
    from caucus_desk.desk.review import case, rule
    from caucus_desk.desk.session import open_desk

    with closing(open_desk(arguments.store)) as desk:
        seen = case(desk, arguments.precinct_id)
        choices = _choices(desk.rules, seen, arguments.take)
        by = person_for(desk, arguments.by)
        ruling = rule(
            desk,
            arguments.precinct_id,
            choices,
            seen_report=seen.seen_report,
            reason=arguments.reason,
            by=by,
        )
        _tell(desk, out, ruling, {**choices})
    return DONE


def run_approve(arguments: argparse.Namespace, out: Output) -> int:
    from caucus_desk.desk.approving import approve, refuse_approval
    from caucus_desk.desk.review import case
    from caucus_desk.desk.session import open_desk

    with closing(open_desk(arguments.store)) as desk:
        seen = case(desk, arguments.precinct_id)
        where = f"{seen.precinct.name}, {seen.precinct.county} ({seen.precinct.id})"
        if seen.waiting is None:
            raise Refused(f"No ruling on {where} waits for approval.")
        by = person_for(desk, arguments.by)
        number = seen.waiting.ruling.id
        if arguments.refuse is None:
            _tell(desk, out, approve(desk, number, by=by), {})
            return DONE
        refuse_approval(desk, number, reason=arguments.refuse, by=by)
    out.document({"precinct_id": seen.precinct.id, "ruling_id": number, "withdrawn_by": by})
    out.line(f"{by} did not approve {seen.waiting.ruling.by}'s ruling on {where}: it is withdrawn.")
    return DONE


def _tell(desk: "Desk", out: Output, ruling: Ruling, values: dict[str, int | None]) -> None:
    from caucus_desk.desk.review import case

    seen = case(desk, ruling.precinct_id)
    precinct, result = seen.precinct, desk.overview().results[ruling.precinct_id]
    errors = open_errors(desk.overview(), precinct.id)
    stored = next(one for one in seen.rulings if one.ruling.id == ruling.id)
    stake = stored.stake
    out.document(
        {
            "precinct_id": precinct.id,
            "ruling_id": ruling.id,
            "by": ruling.by,
            "at": utc(ruling.at),
            "reason": ruling.reason,
            "values": values,
            "pending": ruling.pending,
            "stake": None if stake is None else decimal(desk.rules, stake),
            "stake_exact": None if stake is None else exact(stake),
            "approved_by": ruling.approved_by,
            "state": result.standing.state.value,
            "verified": result.verified,
            "open_errors": errors,
        }
    )
    where = f"{precinct.name}, {precinct.county} ({precinct.id})"
    if ruling.pending:
        out.line(
            f"{ruling.by} ruled on {where}: {_stake_text(desk.rules, stake)} SDE are at stake, so it has no "
            "force before another person approves it."
        )
        return
    state = "verified" if result.verified else f"not verified yet, because {why_not_verified(result, errors)}"
    if ruling.approved_by:
        out.line(f"{ruling.approved_by} approved {ruling.by}'s ruling on {where}: it is {state}.")
    else:
        out.line(f"{ruling.by} ruled on {where}: it is {state}.")


# ---- what stands ----


def _choices(rules: RuleSet, seen: "Case", taken: list[str]) -> dict[str, int | None]:
    """A channel's name, or report:NUMBER, takes its whole sheet; FIELD=VALUE after it changes one field."""
    from caucus_desk.desk.cases import take

    choices: dict[str, int | None] = {}
    for word in taken:
        field, equals, value = word.partition("=")
        if not equals:
            choices.update(take(seen, _head(seen, field)))
            continue
        path = _path(rules, field)
        choices[path] = _value(rules, seen, path, value)
    return choices


_NUMBERED = "report:"


def _head(seen: "Case", word: str) -> HeadKey:
    """What names a report that stands: a channel, or `report:12`, also the one that leads its channel."""
    text = word.strip().casefold()
    if not text.startswith(_NUMBERED):
        return _channel(seen, word)
    for key, report in seen.heads.items():
        if text.removeprefix(_NUMBERED) == str(report.id):
            return key
    where = f"{seen.precinct.name}, {seen.precinct.county}"
    standing = ", ".join(f"{_NUMBERED}{one.id} ({one.told_apart})" for one in seen.heads.values())
    raise Refused(f"No report that stands of {where} is {word.strip()}. There are: {standing}.")


def _channel(seen: "Case", word: str) -> Channel:
    try:
        channel = Channel(word.strip().casefold())
    except ValueError:
        named = ", ".join(CHANNELS)
        raise WrongUse(
            f"{word!r} is nothing to take. Name a channel ({named}), or a field with its value, such as "
            "Warren.final=31."
        ) from None
    if channel not in seen.reports:
        where = f"{seen.precinct.name}, {seen.precinct.county}"
        raise Refused(f"There is no {channel} report of {where}, so it cannot be taken.")
    return channel


def _path(rules: RuleSet, field: str) -> str:
    """`Warren.final`, `warren final` or `Attendance`: the path of the one field meant."""
    for entry in form_of(rules).counts:
        if folded(field) in (folded(entry.path), folded(field_label(rules, entry.path))):
            return entry.path
    raise WrongUse(f"{field!r} is no field of this caucus's sheet. Write one such as Warren.final.")


def _value(rules: RuleSet, seen: "Case", path: str, value: str) -> int | None:
    text = value.strip().casefold()
    if text == BLANK:
        return None
    if text in set(CHANNELS) or text.startswith(_NUMBERED):
        return seen.heads[_head(seen, text)].sheet.count(path)
    if not (text.isascii() and text.isdecimal()):
        raise WrongUse(
            f"{value!r} is no count for {field_label(rules, path)}. Write digits, a channel's name, or "
            f"{BLANK}."
        )
    return int(text)
