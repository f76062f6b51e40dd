"""Parameters of a rule set that Iowa does not use: every one changes what is worked out."""

from collections.abc import Callable

import pytest

from caucus_desk.rules.apportion import Tie, apportion
from caucus_desk.rules.ruleset import (
    Group,
    Method,
    OneDelegate,
    OverViable,
    RuleSet,
    ShareBase,
    UnderAllocation,
)

Changed = Callable[..., RuleSet]


def _awards(
    rules: RuleSet, delegates: int, attendance: int, *finals: int
) -> tuple[list[int], tuple[str, int, str] | None]:
    work = apportion(rules, delegates, attendance, dict(zip("ABCDEFGH", finals, strict=False)))
    tie = None if work.tie is None else (work.tie.kind, work.tie.k, "".join(work.tie.groups))
    return list(work.awards.values()), tie


def test_a_subcaucus_takes_whole_parts_and_largest_remainders(minnesota: RuleSet) -> None:
    # 47 people, 5 delegates: 10 to be viable; 40 people in viable groups, so 8 for each delegate.
    work = apportion(minnesota, 5, 47, {"A": 20, "B": 10, "C": 10, "D": 7})
    assert work.threshold == 10
    assert work.base == 40
    assert [line.rounded for line in work.groups] == [2, 1, 1, None]
    assert [line.delegates for line in work.groups] == [3, 1, 1, 0]
    assert work.tie is None


def test_equal_remainders_are_for_the_draw(minnesota: RuleSet) -> None:
    assert _awards(minnesota, 3, 40, 20, 20) == ([1, 1], ("gain", 1, "AB"))
    assert _awards(minnesota, 4, 40, 20, 20) == ([2, 2], None)


def test_a_subcaucus_with_one_delegate_follows_the_same_formula(minnesota: RuleSet) -> None:
    assert _awards(minnesota, 1, 10, 6, 4) == ([0, 0], None)
    assert _awards(minnesota, 1, 10, 10, 0) == ([1, 0], None)


@pytest.mark.parametrize("who", [OneDelegate.WHOLE_ROOM, OneDelegate.LARGEST])
def test_one_delegate_for_the_largest_group_under_other_methods(changed: Changed, who: OneDelegate) -> None:
    for method in Method:
        rules = changed(one_delegate=who, method=method)
        assert _awards(rules, 1, 20, 8, 12) == ([0, 1], None)
        assert _awards(rules, 1, 20, 10, 10) == ([0, 0], ("gain", 1, "AB"))


def test_one_delegate_by_the_formula(changed: Changed, iowa: RuleSet) -> None:
    """Without a threshold for one delegate every group with people is viable; the largest keeps the seat."""
    rules = changed(one_delegate=OneDelegate.FORMULA)
    assert _awards(rules, 1, 20, 12, 5, 3) == ([1, 0, 0], None)
    # Nobody rounds up to one: the largest unmet share.
    assert _awards(rules, 1, 20, 9, 8, 3) == ([1, 0, 0], None)


def test_what_people_are_divided_by(changed: Changed) -> None:
    """94 counted before the first alignment, 76 in the final one, 70 of them viable (5.4 example 8)."""
    finals = (28, 22, 20, 6)
    assert _awards(changed(), 22, 94, *finals)[0] == [8, 7, 7, 0]
    assert _awards(changed(share_base=ShareBase.FINAL_TOTAL), 22, 94, *finals)[0] == [9, 7, 6, 0]
    assert _awards(changed(share_base=ShareBase.VIABLE_TOTAL), 22, 94, *finals)[0] == [9, 7, 6, 0]
    work = apportion(
        changed(share_base=ShareBase.FINAL_TOTAL), 22, 94, dict(zip("ABCD", finals, strict=True))
    )
    assert work.base == 76
    assert work.threshold == 15
    work = apportion(
        changed(share_base=ShareBase.VIABLE_TOTAL), 22, 94, dict(zip("ABCD", finals, strict=True))
    )
    assert work.base == 70
    assert work.threshold == 15


def test_without_protection_an_only_delegate_can_be_lost(changed: Changed) -> None:
    # 2.6 and three of 0.8 round to 3 1 1 1, one too many: .4 above its share each against .2.
    assert _awards(changed(protect_only=False), 5, 100, 52, 16, 16, 16) == ([2, 1, 1, 1], None)
    # 2.5 and 0.5: both half a delegate above; only protection decides it without a toss.
    assert _awards(changed(), 3, 90, 75, 15) == ([2, 1], None)
    assert _awards(changed(protect_only=False), 3, 90, 75, 15) == ([3, 1], ("lose", 1, "AB"))
    # 2.2 and three of 0.6: the small ones are furthest above their shares.
    assert _awards(changed(), 4, 20, 3, 3, 3, 11) == ([1, 1, 1, 1], None)
    assert _awards(changed(protect_only=False), 4, 20, 3, 3, 3, 11) == ([1, 1, 1, 2], ("lose", 1, "ABC"))


def test_who_loses_without_protection_holds_something(changed: Changed) -> None:
    """A group that has lost its only delegate cannot lose another."""
    rules = changed(protect_only=False)
    # 5 viable groups for 2 delegates (more people aligned than came): 1 each, three too many.
    assert _awards(rules, 2, 20, 9, 8, 7, 6, 5) == ([1, 1, 0, 0, 0], None)


def test_more_viable_groups_than_delegates(changed: Changed) -> None:
    """Four groups for three delegates: the smallest loses, must realign, or keeps one all the same."""
    finals = (18, 19, 20, 43)
    assert _awards(changed(over_viable=OverViable.CHANCE), 3, 100, *finals) == ([0, 1, 1, 1], None)
    assert _awards(changed(over_viable=OverViable.REALIGN), 3, 100, *finals) == ([0, 1, 1, 1], None)
    assert _awards(changed(over_viable=OverViable.EXPAND), 3, 100, *finals) == ([1, 1, 1, 1], None)
    assert apportion(changed(), 3, 100, dict(zip("ABCD", finals, strict=True))).sent_away == ()


def test_who_must_realign(changed: Changed) -> None:
    rules = changed(over_viable=OverViable.REALIGN)
    work = apportion(rules, 3, 100, {"A": 18, "B": 17, "C": 19, "D": 46})
    assert work.sent_away == ("B",)
    assert dict(work.awards) == {"A": 1, "B": 0, "C": 1, "D": 1}
    assert work.viable == frozenset("ABCD")
    assert [line.rounded for line in work.groups] == [1, None, 1, 1]
    # Five viable for two (more aligned than came): B and C go, which of A, D, E goes too is for chance.
    work = apportion(rules, 2, 20, {"A": 7, "B": 5, "C": 6, "D": 7, "E": 7})
    assert work.sent_away == ("B", "C")
    assert work.tie == Tie("lose", 1, ("A", "D", "E"))
    assert work.base == 0
    assert dict(work.awards) == {"A": 1, "B": 0, "C": 0, "D": 1, "E": 1}
    assert work.seats == 2
    assert work.agrees({"A": 1, "D": 1})
    assert not work.agrees({"A": 1, "B": 1})
    # The largest is safe; two of three equal ones must go.
    work = apportion(rules, 2, 20, {"A": 5, "B": 7, "C": 5, "D": 5})
    assert work.tie == Tie("lose", 2, ("A", "C", "D"))
    assert work.seats == 2


def test_as_many_viable_groups_as_delegates_is_no_case_for_realignment(changed: Changed) -> None:
    rules = changed(over_viable=OverViable.REALIGN)
    work = apportion(rules, 3, 100, {"A": 20, "B": 20, "C": 60})
    assert work.sent_away == ()
    assert dict(work.awards) == {"A": 1, "B": 1, "C": 1}
    assert work.tie is None


def test_realignment_also_counts_without_protection(changed: Changed) -> None:
    rules = changed(over_viable=OverViable.REALIGN, protect_only=False)
    assert _awards(rules, 3, 100, 18, 19, 20, 43) == ([0, 1, 1, 1], None)


def test_each_keeps_one_also_without_protection(changed: Changed) -> None:
    rules = changed(over_viable=OverViable.EXPAND, protect_only=False)
    # 1.53 rounds to 2: it loses down to one, and there the surplus stands.
    assert _awards(rules, 3, 100, 17, 17, 17, 51) == ([1, 1, 1, 1], None)
    # No more viable groups than delegates: nothing to expand, so the ordinary rule.
    assert _awards(rules, 4, 20, 3, 3, 3, 11) == ([1, 1, 1, 2], ("lose", 1, "ABC"))


def test_expansion_under_largest_remainder_raises_to_one(changed: Changed) -> None:
    rules = changed(over_viable=OverViable.EXPAND, method=Method.LARGEST_REMAINDER)
    assert _awards(rules, 3, 100, 17, 17, 20, 46) == ([1, 1, 1, 1], None)
    raised = apportion(rules, 3, 100, {"A": 17, "B": 17, "C": 20, "D": 46})
    assert [line.rounded for line in raised.groups] == [1, 1, 1, 1]
    # As many viable groups as delegates: nothing to expand.
    assert _awards(rules, 3, 100, 17, 66, 17) == ([0, 2, 0], ("gain", 1, "AC"))
    chance = changed(method=Method.LARGEST_REMAINDER)
    assert _awards(chance, 3, 100, 17, 18, 20, 45) == ([0, 1, 1, 1], None)
    assert _awards(chance, 3, 100, 17, 17, 20, 46) == ([0, 0, 1, 1], ("gain", 1, "AB"))
    # Enough delegates for everybody: whole parts stay as they are.
    assert _awards(rules, 5, 100, 16, 44, 40) == ([1, 2, 2], None)


def test_largest_remainder_over_the_attendance(changed: Changed) -> None:
    """Shares .64 (whole part 0), 2.0 and 1.36 of four: the largest remainder gains, and with too many
    people aligned the whole parts can exceed the allotment."""
    rules = changed(method=Method.LARGEST_REMAINDER)
    assert _awards(rules, 4, 100, 16, 50, 34) == ([1, 2, 1], None)
    assert _awards(rules, 4, 100, 60, 80) == ([2, 2], None)


def test_one_each_then_the_most_owed(changed: Changed) -> None:
    rules = changed(method=Method.ONE_EACH_MOST_OWED)
    assert _awards(rules, 7, 100, 55, 15, 30) == ([4, 1, 2], None)
    # More viable than delegates: the smallest loses by Iowa's rule, keeps it by Nevada's.
    assert _awards(rules, 3, 100, 18, 19, 20, 43) == ([0, 1, 1, 1], None)
    nevada = changed(method=Method.ONE_EACH_MOST_OWED, over_viable=OverViable.EXPAND)
    assert _awards(nevada, 3, 100, 18, 19, 20, 43) == ([1, 1, 1, 1], None)


def test_who_gains_while_delegates_are_left(changed: Changed) -> None:
    """The real precinct of 5.4 example 8: 22 to elect, 24 of 94 people in no viable group."""
    once = changed(under_allocation=UnderAllocation.ONCE)
    assert _awards(changed(), 22, 94, 28, 22, 20) == ([8, 7, 7], None)
    assert _awards(once, 22, 94, 28, 22, 20) == ([8, 6, 6], None)
    work = apportion(once, 22, 94, {"A": 28, "B": 22, "C": 20})
    assert work.seats == 20
    assert work.agrees({"A": 8, "B": 6, "C": 6})
    assert not work.agrees({"A": 8, "B": 7, "C": 7})
    # A tie for the first gain is a tie all the same.
    assert _awards(once, 7, 95, 19, 19, 19, 19, 19) == ([1, 1, 1, 1, 1], ("gain", 2, "ABCDE"))


def test_a_group_that_may_not_be_viable_gets_nothing(changed: Changed) -> None:
    rules = changed(groups=(Group("A", "A"), Group("B", "B", may_be_viable=False)))
    work = apportion(rules, 4, 20, {"A": 8, "B": 12})
    assert dict(work.awards) == {"A": 4, "B": 0}
    assert work.viable == frozenset("A")
    assert dict(apportion(rules, 1, 20, {"A": 8, "B": 12}).awards) == {"A": 1, "B": 0}
