"""The lines of a worksheet: what was worked out, as a chair would check it on paper.

Plain text for the `math` command, the worksheet page and the method sheet. A tie is named, never decided.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from caucus_desk.rules.ruleset import Method, OneDelegate, OverViable, RuleSet, ShareBase, Unit
from caucus_desk.rules.sde import decimal_text

if TYPE_CHECKING:
    from caucus_desk.rules.apportion import Apportionment, Correction, Tie
    from caucus_desk.rules.national import PoolAllocation

DIGITS = 4
_BASES = {
    ShareBase.ATTENDANCE: "people counted before the first alignment",
    ShareBase.FINAL_TOTAL: "people counted in the final alignment",
    ShareBase.VIABLE_TOTAL: "people in viable groups",
}

_UNITS = {Unit.SDE: "SDEs", Unit.CCD: "County convention delegates", Unit.VOTES: "Votes"}


def apportionment_steps(work: "Apportionment") -> tuple[str, ...]:
    """Threshold, who is viable, each share, each correction and why, the result, what chance must decide."""
    rules, delegates = work.rules, work.delegates
    if delegates == 0:
        return ("This precinct elects no delegates: there is nothing to work out.",)
    if work.attendance == 0:
        return (f"Nobody attended: none of the {_delegates(delegates)} can be given.",)
    lines = [*_viability(work)]
    if work.viable:
        if work.base:
            lines += _sent_away(work)
            lines += _shares(work)
            lines += _corrections(work)
        elif delegates == 1 and rules.one_delegate is not OneDelegate.FORMULA:
            lines += _only_delegate(work)
        else:
            lines += _sent_away(work)
        lines += _result(work)
    elif not any(work.finals.values()):
        lines.append("Nobody stands with a group, so no delegate can be given.")
    return tuple(lines)


def pool_steps(allocation: "PoolAllocation") -> tuple[str, ...]:
    """The pool's total, its threshold, each share and the seats."""
    rules, pool = allocation.rules, allocation.pool
    head = f"{pool.label}: {pool.seats} {'seat' if pool.seats == 1 else 'seats'}"
    if allocation.total == 0:
        return (f"{head}. Nothing has been counted in this pool, so no seat can be given.",)
    needed = rules.pool_threshold * allocation.total
    lines = [
        f"{head}. {_UNITS[rules.unit]} in all: {_number(allocation.total)}; "
        f"{_share_text(rules.pool_threshold)} of it is {_number(needed)}."
    ]
    if allocation.empty:
        return (*lines, "No group reaches that, so no seat is given.")
    if allocation.lowered:
        leader = max(allocation.sdes.values())
        lines.append(
            f"No group reaches that. Half of the leader's {_number(leader)} is enough: {_number(leader / 2)}."
        )
    base = sum((allocation.sdes[group] for group in allocation.qualified), Fraction(0))
    lines.append(f"Qualified: {_names(rules, allocation.qualified)}, together {_number(base)}.")
    for group, share in allocation.shares.items():
        lines.append(
            f"{rules.name_of(group)}: {pool.seats} × {_number(allocation.sdes[group])} / {_number(base)} "
            f"= {_number(share)}, whole part {share.__floor__()}."
        )
    whole = sum(share.__floor__() for share in allocation.shares.values())
    if whole < pool.seats:
        lines.append(f"The whole parts add to {whole}; {pool.seats - whole} left for the largest fractions.")
    gained = [
        group for group, share in allocation.shares.items() if allocation.seats[group] > share.__floor__()
    ]
    if gained:
        lines.append(f"One more for {_names(rules, gained)}.")
    if allocation.tie is not None:
        lines.append(
            f"Tie for the last {_seats(allocation.tie.k)}: the fractions of "
            f"{_names(rules, allocation.tie.groups)} are equal. The rules do not say who gains; "
            f"the state party decides."
        )
    given = ", ".join(f"{rules.name_of(group)} {seats}" for group, seats in allocation.seats.items() if seats)
    if given:
        before = " before the tie is settled" if allocation.tie is not None else ""
        lines.append(f"Seats{before}: {given}.")
    return tuple(lines)


def _viability(work: "Apportionment") -> Iterable[str]:
    rules, people = work.rules, work.attendance
    delegates = _delegates(work.delegates)
    if work.delegates == 1 and rules.one_delegate is OneDelegate.WHOLE_ROOM:
        yield "One delegate: no threshold and no realignment. The whole room elects."
        return
    if work.delegates == 1 and rules.one_delegate is OneDelegate.LARGEST:
        yield "One delegate: no threshold and no realignment. The largest group has it."
        return
    if rules.per_delegate:
        exact = Fraction(people, work.delegates)
        yield (
            f"Viability with {delegates}: attendance / delegates = {people} / {work.delegates} "
            f"= {decimal_text(exact, DIGITS)}{_up(exact, work.threshold)}."
        )
    else:
        share = next(
            (step.share for step in reversed(rules.thresholds) if work.delegates >= step.delegates_from), None
        )
        if share is None:
            yield f"Viability with {delegates}: no threshold."
            return
        exact = people * share
        yield (
            f"Viability with {delegates}: {_share_text(share)} of {people} = {people} × {share.numerator} "
            f"/ {share.denominator} = {decimal_text(exact, DIGITS)}{_up(exact, work.threshold)}."
        )
    viable = [f"{rules.name_of(group)} {work.finals[group]}" for group in work.finals if group in work.viable]
    needed = f"{work.threshold} or more"
    if viable:
        yield f"Viable, with {needed}: {', '.join(viable)}."
    elif any(work.finals.values()):
        yield f"No group has {needed}, so no delegate can be given."
    short = [
        f"{rules.name_of(group)} {final}"
        for group, final in work.finals.items()
        if 0 < final < work.threshold
    ]
    if short:
        yield f"Not viable, no delegates: {', '.join(short)}."
    barred = [
        f"{rules.name_of(group)} {final}"
        for group, final in work.finals.items()
        if final >= max(1, work.threshold) and group not in work.viable
    ]
    if barred:
        yield f"Never viable under these rules, whatever the number: {', '.join(barred)}."


def _sent_away(work: "Apportionment") -> Iterable[str]:
    rules = work.rules
    over = len(work.viable) - work.delegates
    if over <= 0 or rules.over_viable is not OverViable.REALIGN:
        return
    yield (
        f"{len(work.viable)} groups are viable for {_delegates(work.delegates)}: "
        f"the smallest must realign until {work.delegates} are left."
    )
    if work.sent_away:
        yield f"Sent to realign: {_names(rules, work.sent_away)}."
    if work.tie is not None and not work.base:
        yield f"Each group that stays has one delegate; {_names(rules, work.tie.groups)} are of equal size."


def _shares(work: "Apportionment") -> Iterable[str]:
    rules, delegates = work.rules, work.delegates
    if rules.method is Method.ONE_EACH_MOST_OWED:
        how = "Each viable group has one delegate first; the others go to who is owed most"
    elif rules.method is Method.LARGEST_REMAINDER:
        how = "Each group has the whole part of its share; the others go to the largest remainders"
    else:
        how = "Shares are rounded to the nearest whole number, one half up"
    yield f"Share = people × {delegates} / {work.base} ({_base(rules)}). {how}."
    for group, start in work.rounded.items():
        final = work.finals[group]
        share = Fraction(final * delegates, work.base)
        if rules.method is Method.NEAREST_CORRECT:
            then = f"rounded to {start}"
        elif rules.method is Method.LARGEST_REMAINDER:
            then = f"whole part {start}" if start == share.__floor__() else f"raised to {start}"
        else:
            then = f"has {start}, {_owed(share - start)}"
        yield (
            f"{rules.name_of(group)}: {final} × {delegates} / {work.base} = {final * delegates}/{work.base} "
            f"= {decimal_text(share, DIGITS)}, {then}."
        )


def _corrections(work: "Apportionment") -> Iterable[str]:
    rules, delegates = work.rules, work.delegates
    start = sum(work.rounded.values())
    if start == delegates:
        yield f"Together {start}, the number to elect: no correction."
        return
    more = start > delegates
    difference = f"{abs(start - delegates)} {'too many' if more else 'left to give'}"
    yield f"Together {start}, {delegates} to elect: {difference}."
    corrections = work.corrections
    for position, step in enumerate(corrections):
        tied = work.tie is not None and position == len(corrections) - 1
        yield _correction(rules, step, tied)
    given = sum(work.awards.values())
    if given < delegates and work.tie is None:
        yield f"No group gains twice under these rules: {delegates - given} of {delegates} stay open."
    if given > delegates and work.tie is None:
        yield (
            f"Every viable group keeps one delegate, so this precinct sends {given} instead of {delegates}."
        )


def _correction(rules: RuleSet, step: "Correction", tied: bool) -> str:
    """One line; where chance must go on (`tied`) the toss itself stands in the result."""
    several = len(step.groups) > 1
    amount = Fraction(abs(step.owed), step.base)
    size = f"{decimal_text(amount, DIGITS)} ({abs(step.owed)}/{step.base})" + (" each" if several else "")
    if step.owed == 0:
        size = f"exactly on its share{' each' if several else ''}"
    if step.kind == "gain":
        reason = _claim(step, "owed most, ", "least above its share, by ", size)
    else:
        reason = _why_lose(rules, step, size)
    if tied:
        return f"Next to {step.kind} one: {_names(rules, step.groups)} ({reason})."
    by = 1 if step.kind == "gain" else -1
    moves = [f"{step.awards[group]} → {step.awards[group] + by}" for group in step.groups]
    verb = f"{step.kind} one each" if several else f"{step.kind}s one"
    return f"{_names(rules, step.groups)} {verb}: {', '.join(moves)} ({reason})."


def _why_lose(rules: RuleSet, step: "Correction", size: str) -> str:
    if step.only_delegates:
        protection = "no group has two, so an only delegate is no longer safe; "
    elif rules.protect_only and 1 in step.awards.values():
        protection = "an only delegate is safe; of the others "
    else:
        protection = ""
    return protection + _claim(step, "least below its share, by ", "furthest above its share, by ", size)


def _claim(step: "Correction", below: str, above: str, size: str) -> str:
    """How far the groups are below or above their share; `size` alone where they are on it."""
    return (below if step.owed > 0 else above if step.owed < 0 else "") + size


def _only_delegate(work: "Apportionment") -> Iterable[str]:
    most = max(work.finals[group] for group in work.viable)
    largest = [group for group in work.finals if work.finals[group] == most and group in work.viable]
    names = _names(work.rules, largest)
    if len(largest) > 1:
        yield f"The largest groups are equal: {names}, with {most} each."
    else:
        yield f"The largest group is {names}, with {most}."
    if work.rules.one_delegate is OneDelegate.WHOLE_ROOM:
        yield "The room may have chosen somebody else: that is its right, and is asked, not corrected."


def _result(work: "Apportionment") -> Iterable[str]:
    rules, total = work.rules, sum(work.awards.values())
    given = ", ".join(f"{rules.name_of(group)} {seats}" for group, seats in work.awards.items() if seats)
    if work.tie is None:
        of = f"Together {total} of {work.delegates}" if total <= work.delegates else f"Together {total}"
        yield f"Delegates: {given}. {of}."
        return
    yield _toss(rules, work.tie)
    if given:
        yield f"Delegates before that: {given}."


def _toss(rules: RuleSet, tie: "Tie") -> str:
    ending = "s one delegate" if tie.k == 1 else " one delegate each"
    order = f" {rules.chance.order}" if rules.chance.order else ""
    return (
        f"Tie: {_names(rules, tie.groups)} have the same claim, and {tie.k} of them {tie.kind}{ending}. "
        f"Only a game of chance can decide: {rules.chance.kind}.{order}"
    )


def _base(rules: RuleSet) -> str:
    adding = [field.label for field in rules.fields if field.adds_to_attendance]
    if rules.share_base is ShareBase.ATTENDANCE and adding:
        return f"{_BASES[rules.share_base]}, with: {', '.join(adding)}"
    return _BASES[rules.share_base]


def _names(rules: RuleSet, groups: Sequence[str]) -> str:
    names = [rules.name_of(group) for group in groups]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _delegates(count: int) -> str:
    return f"{count} {'delegate' if count == 1 else 'delegates'}"


def _seats(count: int) -> str:
    return "seat" if count == 1 else f"{count} seats"


def _share_text(share: Fraction) -> str:
    return f"{share.numerator}/{share.denominator}"


def _number(value: Fraction) -> str:
    """Whole numbers as they are (votes, county delegates), others to four decimals (SDEs)."""
    return decimal_text(value, 0 if value.denominator == 1 else DIGITS)


def _up(exact: Fraction, needed: int) -> str:
    return f", rounded up to {needed}" if exact != needed else f", so {needed}"


def _owed(rest: Fraction) -> str:
    if rest >= 0:
        return f"owed {decimal_text(rest, DIGITS)}"
    return f"{decimal_text(-rest, DIGITS)} more than its share"
