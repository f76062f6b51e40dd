"""The step of the worksheet at which a sheet's delegates part from the rules (rules.md 3 and 5.1).

The steps are walked in their order: who is viable, what the shares round to, each correction while there
are too many or too few, chance. The sheet parts at the first step after which its delegates can no longer
come out of what the rules do next.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from enum import StrEnum

from caucus_desk.rules.apportion import Apportionment, Correction, apportion
from caucus_desk.rules.ruleset import OneDelegate, OverViable
from caucus_desk.rules.sde import decimal_text
from caucus_desk.tally.sheet import Column, ResultSheet


class Step(StrEnum):
    """In the order of the worksheet."""

    ONE_DELEGATE = "one delegate"
    """The room elects its only delegate as a whole (Q4): a difference is its right."""
    VIABILITY = "viability"
    """A group below the threshold has delegates."""
    OVER_VIABLE = "more viable groups than delegates"
    MINIMUM_ONE = "at least one each"
    """A viable group was left without its only delegate."""
    TOTAL = "number to elect"
    """Not as many were given as the precinct elects, and no step left out explains it."""
    ROUNDING = "rounding"
    TOO_MANY = "correction of too many"
    TOO_FEW = "correction of too few"
    CHANCE = "game of chance"
    """All as the rules give up to the toss; the sheet shows none of its outcomes."""


class Instead(StrEnum):
    """What makes the sheet come out right: each reads after "It works out with"."""

    FINAL_TOTAL = "the final total in place of the attendance"
    FIRST_ROUND = "the first alignment in place of the final"
    NO_CORRECTION = "rounding alone, without the correction"
    NO_PROTECTION = "an only delegate that is not safe"
    OTHER_NUMBER = "another number of delegates to elect"


def parting(work: Apportionment, given: Mapping[str, int]) -> tuple[Step, str]:
    """The step, and what happened there. `given` are the sheet's delegates; they differ from the rules'."""
    rules, viable = work.rules, work.viable
    total = sum(given.values())
    if work.delegates == 1 and rules.one_delegate is not OneDelegate.FORMULA:
        return Step.ONE_DELEGATE, _one_delegate(work, given)
    below = [group for group, number in given.items() if number and group not in viable]
    if below:
        who = _each(work, below, lambda group: f"{work.finals.get(group, 0):,}")
        return (
            Step.VIABILITY,
            f"{work.threshold:,} are needed to be viable; {who} {_have(below)} delegates all the same.",
        )
    expands = rules.over_viable is OverViable.EXPAND
    over_viable = len(viable) > work.delegates and not expands
    without = [group for group in viable if not given.get(group, 0)]
    if without and not over_viable:
        return Step.MINIMUM_ONE, f"{_names(work, without)} viable, and without a delegate."
    if work.tie is not None and all(given.get(g, 0) == due for g, due in work.awards.items()):
        return Step.CHANCE, f"The sheet gives what the rules give before the toss. {_toss(work)}"
    plain = work.rounded and all(given.get(g, 0) == number for g, number in work.rounded.items())
    due = max(work.delegates, len(viable)) if expands else work.delegates
    if total != due and not plain:
        return Step.TOTAL, f"{total} were given, {due} are to be elected."
    if not work.rounded or any(given.get(group, 0) for group in work.sent_away):
        return Step.OVER_VIABLE, _too_many_viable(work)
    return _after_rounding(work, given, over_viable)


def _after_rounding(work: Apportionment, given: Mapping[str, int], over_viable: bool) -> tuple[Step, str]:
    over = sum(work.rounded.values()) - work.delegates
    astray = [
        group
        for group, number in work.rounded.items()
        if (over >= 0 and given.get(group, 0) > number) or (over <= 0 and given.get(group, 0) < number)
    ]
    if astray:
        shares = {line.group: line.quotient for line in work.groups if line.quotient is not None}
        told = _each(
            work,
            astray,
            lambda g: f"{decimal_text(shares[g], 4)}, rounded {work.rounded[g]}, given {given.get(g, 0)}",
        )
        return Step.ROUNDING, f"Shares round to other numbers: {told}."
    settled = dict(work.rounded)
    for step in work.corrections:
        move = -1 if step.kind == "lose" else 1
        last = step is work.corrections[-1]
        if last and work.tie is not None:
            if over_viable and step.only_delegates:
                return Step.OVER_VIABLE, _too_many_viable(work)
            return Step.CHANCE, f"None of the outcomes of the toss is on the sheet. {_toss(work)}"
        missed = [g for g in step.groups if (given.get(g, 0) - settled[g]) * move < 1]
        if missed:
            if over_viable and step.only_delegates:
                return Step.OVER_VIABLE, _too_many_viable(work)
            return (Step.TOO_MANY if move < 0 else Step.TOO_FEW), _correction(work, step, missed)
        for group in step.groups:
            settled[group] += move
    return Step.TOTAL, f"{sum(given.values())} were given, {work.delegates} are to be elected."


def works_out_with(work: Apportionment, given: Mapping[str, int], sheet: ResultSheet) -> tuple[Instead, ...]:
    """What the sheet's delegates would agree with the rules on."""
    rules, finals, elects = work.rules, work.finals, work.delegates
    if elects == 1 and rules.one_delegate is not OneDelegate.FORMULA:
        return ()
    firsts = {group: count for group, count in sheet.values(Column.FIRST).items() if count}
    everybody, total = sum(finals.values()), sum(given.values())
    tries: dict[Instead, Callable[[], bool]] = {
        Instead.FINAL_TOTAL: lambda: apportion(rules, elects, everybody, finals).agrees(given),
        Instead.FIRST_ROUND: lambda: apportion(rules, elects, work.attendance, firsts).agrees(given),
        Instead.NO_CORRECTION: lambda: (
            bool(work.rounded) and all(given.get(g, 0) == work.rounded.get(g, 0) for g in {*given, *finals})
        ),
        Instead.NO_PROTECTION: lambda: apportion(
            replace(rules, protect_only=False), elects, work.attendance, finals
        ).agrees(given),
        Instead.OTHER_NUMBER: lambda: (
            total not in (elects, 0, 1) and apportion(rules, total, work.attendance, finals).agrees(given)
        ),
    }
    return tuple(instead for instead, agrees in tries.items() if agrees())


def _one_delegate(work: Apportionment, given: Mapping[str, int]) -> str:
    most = max(work.finals.values(), default=0)
    largest = [group for group, count in work.finals.items() if count == most]
    winners = [group for group, number in given.items() if number]
    if not most:
        return "Nobody stands with a group in the final alignment, and the only delegate was given."
    went = f"went to {_names(work, winners, verb=False)}" if winners else "was not given"
    equal = " are equal and largest" if len(largest) > 1 else " is the largest group"
    return f"The only delegate {went}; {_names(work, largest, verb=False)}{equal}, with {most}."


def _too_many_viable(work: Apportionment) -> str:
    loses = list(work.sent_away) or [g for step in work.corrections[-1:] for g in step.groups]
    gone = f"; {_names(work, loses, verb=False)} would go without" if loses and work.tie is None else ""
    toss = f" {_toss(work)}" if work.tie is not None else ""
    return f"{len(work.viable)} groups are viable for {work.delegates} delegates{gone}.{toss}"


def _correction(work: Apportionment, step: Correction, missed: Iterable[str]) -> str:
    start = sum(work.rounded.values())
    verb = "loses" if step.kind == "lose" else "gains"
    names = list(missed)
    verb = verb if len(names) == 1 else verb[:-1]
    return (
        f"Rounded there are {start} for {work.delegates}: {_names(work, names, verb=False)} {verb} one, "
        f"and on the sheet {'does' if len(names) == 1 else 'do'} not."
    )


def _toss(work: Apportionment) -> str:
    tie = work.tie
    if tie is None:
        return ""
    verb = f"{tie.kind}s one" if tie.k == 1 else f"{tie.kind} one each"
    return f"{tie.k} of {_names(work, tie.groups, verb=False)} {verb} by chance."


def _each(work: Apportionment, groups: Iterable[str], told: Callable[[str], str]) -> str:
    return ", ".join(f"{work.rules.name_of(group)} ({told(group)})" for group in groups)


def _have(groups: list[str]) -> str:
    return "has" if len(groups) == 1 else "have"


def _names(work: Apportionment, groups: Iterable[str], verb: bool = True) -> str:
    names = [work.rules.name_of(group) for group in groups]
    listed = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    return f"{listed} {'is' if len(names) == 1 else 'are'}" if verb else listed
