"""How many people make a group viable (rules.md 3)."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caucus_desk.rules.ruleset import Group, OneDelegate, RuleSet, Threshold
from caucus_desk.rules.viability import is_viable, threshold


@pytest.mark.parametrize(
    ("delegates", "attendance", "needed"),
    [
        (2, 40, 10),
        (3, 45, 8),
        (3, 5, 1),
        (3, 100, 17),
        (4, 100, 15),
        (2, 1, 1),
        (5, 25, 4),
        (8, 47, 8),
        (18, 60, 9),
        (8, 210, 32),
        (4, 20, 3),
        (7, 34, 6),
    ],
)
def test_the_published_thresholds(iowa: RuleSet, delegates: int, attendance: int, needed: int) -> None:
    assert threshold(iowa, delegates, attendance) == needed
    assert is_viable(iowa, delegates, attendance, needed)
    assert not is_viable(iowa, delegates, attendance, needed - 1)


@pytest.mark.parametrize("k", [1, 2, 7, 67, 100, 667, 1_000, 4_999])
def test_whole_fractions_are_not_rounded_up(iowa: RuleSet, k: int) -> None:
    """Where 0.166667 and 6.67 go wrong: a sixth of 6k is k, 15% of 20k is 3k, a quarter of 4k is k."""
    assert threshold(iowa, 2, 4 * k) == k
    assert threshold(iowa, 3, 6 * k) == k
    assert threshold(iowa, 4, 20 * k) == 3 * k
    assert threshold(iowa, 2, 4 * k + 1) == k + 1
    assert threshold(iowa, 3, 6 * k + 1) == k + 1
    assert threshold(iowa, 4, 20 * k + 1) == 3 * k + 1


def test_each_allotment_has_its_own_fraction(iowa: RuleSet) -> None:
    """A missing break once made every threshold 15%."""
    assert [threshold(iowa, delegates, 600) for delegates in range(7)] == [0, 0, 150, 100, 90, 90, 90]


def test_one_delegate_has_no_threshold_and_no_delegates_no_election(iowa: RuleSet) -> None:
    assert threshold(iowa, 1, 26) == 0
    assert is_viable(iowa, 1, 26, 1)
    assert not is_viable(iowa, 1, 26, 0)
    assert threshold(iowa, 0, 26) == 0
    assert not is_viable(iowa, 0, 26, 26)


def test_where_nobody_came_nobody_is_viable(iowa: RuleSet) -> None:
    assert threshold(iowa, 4, 0) == 0
    assert not is_viable(iowa, 4, 0, 0)
    assert not is_viable(iowa, 4, 0, 3)
    assert not is_viable(iowa, 1, 0, 3)


def test_a_group_without_people_is_never_viable(iowa: RuleSet) -> None:
    assert not is_viable(iowa, 5, 100, 0)


def test_the_thresholds_are_those_of_the_rule_set(iowa: RuleSet) -> None:
    half = replace(iowa, thresholds=(Threshold(2, Fraction(1, 2)), Threshold(10, Fraction(1, 5))))
    assert [threshold(half, delegates, 101) for delegates in (2, 9, 10, 30)] == [51, 51, 21, 21]
    late = replace(iowa, thresholds=(Threshold(3, Fraction(1, 2)),))
    assert [threshold(late, delegates, 101) for delegates in (2, 3)] == [0, 51]


def test_a_threshold_for_each_delegate(minnesota: RuleSet) -> None:
    """Minnesota's subcaucuses: attendance / delegates, rounded up, with one delegate as well."""
    assert [threshold(minnesota, delegates, 47) for delegates in range(7)] == [0, 47, 24, 16, 12, 10, 8]
    assert threshold(minnesota, 5, 45) == 9
    whole_room = replace(minnesota, one_delegate=OneDelegate.WHOLE_ROOM)
    assert threshold(whole_room, 1, 47) == 0


def test_a_group_that_may_not_be_viable_never_is(iowa: RuleSet) -> None:
    groups = (Group("Biden", "Biden"), Group("Uncommitted", "Uncommitted", may_be_viable=False))
    rules = replace(iowa, groups=groups)
    assert is_viable(rules, 4, 100, 90)
    assert is_viable(rules, 4, 100, 90, "Biden")
    assert is_viable(rules, 4, 100, 90, "somebody else")
    assert not is_viable(rules, 4, 100, 90, "Uncommitted")


@given(delegates=st.integers(2, 40), attendance=st.integers(1, 99_999))
def test_the_threshold_is_the_smallest_number_that_is_enough(
    iowa: RuleSet, delegates: int, attendance: int
) -> None:
    share = Fraction(1, 4) if delegates == 2 else Fraction(1, 6) if delegates == 3 else Fraction(15, 100)
    needed = threshold(iowa, delegates, attendance)
    assert Fraction(needed, attendance) >= share
    assert Fraction(needed - 1, attendance) < share


@given(delegates=st.integers(2, 40), attendance=st.integers(1, 99_999))
def test_a_viable_group_is_entitled_to_half_a_delegate_or_more(
    iowa: RuleSet, delegates: int, attendance: int
) -> None:
    assert 2 * threshold(iowa, delegates, attendance) * delegates >= attendance


@given(delegates=st.integers(2, 40), attendance=st.integers(1, 99_999))
def test_at_most_four_groups_are_viable_for_two_delegates_and_six_for_more(
    iowa: RuleSet, delegates: int, attendance: int
) -> None:
    assert attendance // threshold(iowa, delegates, attendance) <= (4 if delegates == 2 else 6)
