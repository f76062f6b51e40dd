"""Apportionment of county delegates (rules.md 5).

Every comparison is of integers over one denominator, the share base, so that equal means equal.
A game of chance is named and never played. Quotients and the worksheet's lines are made only when
somebody looks: the checks apportion thousands of times.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Literal

from caucus_desk.rules.ruleset import Method, OneDelegate, OverViable, RuleSet, ShareBase, UnderAllocation
from caucus_desk.rules.viability import threshold as threshold_of


@dataclass(frozen=True, slots=True)
class Tie:
    """`k` of `groups` lose (or gain) one delegate, by a game of chance."""

    kind: Literal["lose", "gain"]
    k: int
    groups: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GroupShare:
    """One group's line of the worksheet."""

    group: str
    final: int
    viable: bool
    share: tuple[int, int] | None
    """Delegates it is entitled to, as (people x delegates, share base); None where no share is worked out."""
    rounded: int | None
    """Delegates before any correction."""
    delegates: int
    """Delegates before a game of chance."""

    @property
    def quotient(self) -> Fraction | None:
        return None if self.share is None else Fraction(*self.share)


@dataclass(frozen=True, slots=True)
class Correction:
    """One step from the rounded shares to the number of delegates to elect: each of `groups` moves by one."""

    kind: Literal["lose", "gain"]
    groups: tuple[str, ...]
    owed: int
    """What each of them was still owed before the step, in `base`-ths of a delegate (minus: had more)."""
    base: int
    over: int
    """How far the sum was from the number to elect before the step (above zero: too many)."""
    only_delegates: bool
    """No group held two or more, so the protection of an only delegate had ended (Q3)."""
    awards: Mapping[str, int]
    """The viable groups' delegates before the step."""


@dataclass(frozen=True)
class Apportionment:
    """What the rules give in one precinct. `awards` are the delegates before a game of chance."""

    rules: RuleSet
    delegates: int
    attendance: int
    finals: Mapping[str, int]
    threshold: int
    base: int
    """The share base in people; 0 where no share is worked out."""
    rounded: Mapping[str, int]
    """Delegates before any correction, by viable group."""
    sent_away: tuple[str, ...]
    """Viable groups that had to realign because more were viable than there are delegates."""
    awards: Mapping[str, int]
    tie: Tie | None

    @cached_property
    def viable(self) -> frozenset[str]:
        """Groups with enough people in the final alignment."""
        if self.delegates <= 0 or self.attendance <= 0:
            return frozenset()
        return frozenset(_viable(self.rules, self.threshold, self.finals))

    @cached_property
    def groups(self) -> tuple[GroupShare, ...]:
        """In the order of the input."""
        return tuple(
            GroupShare(
                group,
                final,
                group in self.viable,
                (final * self.delegates, self.base) if group in self.rounded else None,
                self.rounded.get(group),
                self.awards[group],
            )
            for group, final in self.finals.items()
        )

    @property
    def seats(self) -> int:
        """Delegates that are given once chance has spoken; more than `delegates` only where a rule set
        lets each viable group keep one; fewer where no group can have any, or where nobody gains twice."""
        moved = 0 if self.tie is None else self.tie.k if self.tie.kind == "gain" else -self.tie.k
        return sum(self.awards.values()) + moved

    def agrees(self, awarded: Mapping[str, int]) -> bool:
        """Whether a sheet's delegates are as the rules give (rules.md 5.2).

        With a tie: they differ from `awards` by exactly one, in the tie's direction, for exactly `k`
        of its groups. A group that `awarded` does not name has none.
        """
        step, tossed = 0, frozenset[str]()
        if self.tie is not None:
            step = 1 if self.tie.kind == "gain" else -1
            tossed = frozenset(self.tie.groups)
        moved = 0
        for group, due in self.awards.items():
            given = awarded.get(group, 0)
            if given == due:
                continue
            if group not in tossed or given != due + step:
                return False
            moved += 1
        if any(given and group not in self.awards for group, given in awarded.items()):
            return False
        return moved == (0 if self.tie is None else self.tie.k)

    @cached_property
    def corrections(self) -> tuple[Correction, ...]:
        """The steps between the rounded shares and `awards`, in order."""
        if not self.rounded:
            return ()
        trace: list[Correction] = []
        _correct(self.rules, self.delegates, self.base, self.finals, dict(self.rounded), trace)
        return tuple(trace)

    @cached_property
    def steps(self) -> tuple[str, ...]:
        """The lines of the worksheet, as a chair would check them on paper."""
        from caucus_desk.rules.explanation import apportionment_steps

        return apportionment_steps(self)


def apportion(rules: RuleSet, delegates: int, attendance: int, finals: Mapping[str, int]) -> Apportionment:
    """The delegates of one precinct.

    `delegates` to elect, `attendance` people counted before the first alignment, `finals` people of
    each group in the final alignment (groups outside the ballot are taken as candidates). Raises
    ValueError for a negative number.
    """
    return Apportionment(
        rules, delegates, attendance, finals, *_work_out(rules, delegates, attendance, finals)
    )


def plain_rounding(
    rules: RuleSet, delegates: int, attendance: int, finals: Mapping[str, int]
) -> dict[str, int]:
    """The shares rounded and left at that, the commonest slip on paper (C22)."""
    _, _, rounded, _, awards, _ = _work_out(rules, delegates, attendance, finals)
    return {group: rounded.get(group, 0) for group in finals} if rounded else awards


def _work_out(
    rules: RuleSet, delegates: int, attendance: int, finals: Mapping[str, int]
) -> tuple[int, int, dict[str, int], tuple[str, ...], dict[str, int], Tie | None]:
    """threshold, share base, rounded shares, groups sent to realign, awards, tie."""
    if delegates < 0 or attendance < 0 or min(finals.values(), default=0) < 0:
        raise ValueError("delegates, attendance and counts are not below zero")
    awards = dict.fromkeys(finals, 0)
    needed = threshold_of(rules, delegates, attendance)
    if delegates == 0 or attendance == 0:
        return needed, 0, {}, (), awards, None
    viable = _viable(rules, needed, finals)
    if not viable:
        return needed, 0, {}, (), awards, None
    if delegates == 1 and rules.one_delegate is not OneDelegate.FORMULA:
        return needed, 0, {}, (), awards, _to_the_largest(finals, viable, awards)

    sent_away: tuple[str, ...] = ()
    if len(viable) > delegates and rules.over_viable is OverViable.REALIGN:
        last = sorted((finals[group] for group in viable), reverse=True)[delegates - 1]
        stays = [group for group in viable if finals[group] >= last]
        sent_away = tuple(group for group in viable if finals[group] < last)
        if len(stays) > delegates:
            # Which of the equal groups must realign is for chance; whoever stays has one delegate.
            equal = tuple(group for group in stays if finals[group] == last)
            awards.update(dict.fromkeys(stays, 1))
            return needed, 0, {}, sent_away, awards, Tie("lose", len(stays) - delegates, equal)
        viable = stays

    base = _share_base(rules, attendance, finals, viable)
    rounded = _rounded(rules, delegates, base, finals, viable)
    settled = dict(rounded)
    tie = _correct(rules, delegates, base, finals, settled, None)
    awards.update(settled)
    return needed, base, rounded, sent_away, awards, tie


def _viable(rules: RuleSet, needed: int, finals: Mapping[str, int]) -> list[str]:
    barred = rules.never_viable
    return [group for group, count in finals.items() if count > 0 and count >= needed and group not in barred]


def _to_the_largest(finals: Mapping[str, int], viable: list[str], awards: dict[str, int]) -> Tie | None:
    most = max(finals[group] for group in viable)
    largest = tuple(group for group in viable if finals[group] == most)
    if len(largest) > 1:
        return Tie("gain", 1, largest)
    awards[largest[0]] = 1
    return None


def _share_base(rules: RuleSet, attendance: int, finals: Mapping[str, int], viable: list[str]) -> int:
    if rules.share_base is ShareBase.ATTENDANCE:
        return attendance
    if rules.share_base is ShareBase.FINAL_TOTAL:
        return sum(finals.values())
    return sum(finals[group] for group in viable)


def _rounded(
    rules: RuleSet, delegates: int, base: int, finals: Mapping[str, int], viable: list[str]
) -> dict[str, int]:
    if rules.method is Method.NEAREST_CORRECT:
        return {group: (2 * finals[group] * delegates + base) // (2 * base) for group in viable}
    if rules.method is Method.ONE_EACH_MOST_OWED:
        return dict.fromkeys(viable, 1)
    whole = {group: finals[group] * delegates // base for group in viable}
    if len(viable) > delegates and rules.over_viable is OverViable.EXPAND:
        return {group: max(1, seats) for group, seats in whole.items()}
    return whole


def _correct(
    rules: RuleSet,
    delegates: int,
    base: int,
    finals: Mapping[str, int],
    awards: dict[str, int],
    trace: list[Correction] | None,
) -> Tie | None:
    """Moves `awards` (viable groups) until they add to `delegates`; a Tie where only chance can go on."""
    owed = {group: finals[group] * delegates - given * base for group, given in awards.items()}
    over = sum(awards.values()) - delegates
    expands = len(awards) > delegates and rules.over_viable is OverViable.EXPAND
    while over > 0:
        only_delegates = False
        if rules.protect_only or expands:
            pool = [group for group, given in awards.items() if given >= 2]
            if not pool:
                if expands:
                    return None
                only_delegates = True
                pool = [group for group, given in awards.items() if given == 1]
        else:
            pool = [group for group, given in awards.items() if given >= 1]
        least = min(owed[group] for group in pool)
        losing = tuple(group for group in pool if owed[group] == least)
        if trace is not None:
            trace.append(Correction("lose", losing, least, base, over, only_delegates, dict(awards)))
        if len(losing) > over:
            return Tie("lose", over, losing)
        for group in losing:
            awards[group] -= 1
            owed[group] += base
        over -= len(losing)

    turn = list(awards)
    while over < 0 and turn:
        most = max(owed[group] for group in turn)
        gaining = tuple(group for group in turn if owed[group] == most)
        if trace is not None:
            trace.append(Correction("gain", gaining, most, base, over, False, dict(awards)))
        if len(gaining) > -over:
            return Tie("gain", -over, gaining)
        for group in gaining:
            awards[group] += 1
            owed[group] -= base
        over += len(gaining)
        if rules.under_allocation is UnderAllocation.ONCE:
            turn = [group for group in turn if group not in gaining]
    return None
