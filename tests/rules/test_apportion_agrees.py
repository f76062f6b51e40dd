"""When a sheet's delegates are as the rules give (rules.md 5.2), and the rooms where nothing can be given."""

import pytest

from caucus_desk.rules.apportion import Tie, apportion, plain_rounding
from caucus_desk.rules.ruleset import RuleSet


def test_without_a_tie_every_group_must_be_as_computed(iowa: RuleSet) -> None:
    work = apportion(iowa, 5, 73, {"Biden": 12, "Buttigieg": 14, "Sanders": 22, "Warren": 25, "Yang": 0})
    assert work.agrees({"Biden": 1, "Buttigieg": 1, "Sanders": 1, "Warren": 2, "Yang": 0})
    assert work.agrees({"Biden": 1, "Buttigieg": 1, "Sanders": 1, "Warren": 2})
    assert not work.agrees({"Biden": 1, "Buttigieg": 1, "Sanders": 2, "Warren": 1})
    assert not work.agrees({"Biden": 1, "Buttigieg": 1, "Sanders": 2, "Warren": 2})
    assert not work.agrees({"Biden": 1, "Buttigieg": 1, "Warren": 2})
    assert not work.agrees({})


def test_a_delegate_for_a_group_that_is_not_on_the_sheet_never_agrees(iowa: RuleSet) -> None:
    work = apportion(iowa, 3, 5, {"Buttigieg": 3, "Klobuchar": 1, "Sanders": 1})
    awarded = {"Buttigieg": 1, "Klobuchar": 1, "Sanders": 1}
    assert work.agrees(awarded)
    assert work.agrees({**awarded, "Warren": 0})
    assert not work.agrees({**awarded, "Warren": 1})


def test_a_lost_toss_takes_exactly_k_of_the_tied_groups(iowa: RuleSet) -> None:
    work = apportion(iowa, 18, 60, dict.fromkeys("ABCD", 15))
    assert work.tie == Tie("lose", 2, ("A", "B", "C", "D"))
    assert work.agrees({"A": 5, "B": 4, "C": 5, "D": 4})
    assert work.agrees({"A": 4, "B": 4, "C": 5, "D": 5})
    assert not work.agrees({"A": 5, "B": 5, "C": 5, "D": 5})
    assert not work.agrees({"A": 4, "B": 5, "C": 5, "D": 5})
    assert not work.agrees({"A": 4, "B": 4, "C": 4, "D": 5})
    assert not work.agrees({"A": 3, "B": 5, "C": 5, "D": 5})
    assert not work.agrees({"A": 6, "B": 4, "C": 4, "D": 4})
    assert not work.agrees({"A": 6, "B": 4, "C": 5, "D": 5})


def test_a_won_toss_gives_to_exactly_k_of_the_tied_groups(iowa: RuleSet) -> None:
    work = apportion(iowa, 7, 95, dict.fromkeys("ABCDE", 19))
    assert work.agrees({"A": 2, "B": 2, "C": 1, "D": 1, "E": 1})
    assert not work.agrees({"A": 3, "B": 1, "C": 1, "D": 1, "E": 1})
    assert not work.agrees({"A": 2, "B": 1, "C": 1, "D": 1, "E": 1})
    assert not work.agrees({"A": 0, "B": 0, "C": 1, "D": 1, "E": 1})


def test_a_toss_moves_nobody_outside_the_tie(iowa: RuleSet) -> None:
    """Arcadia: certified Buttigieg 1, Sanders 1."""
    work = apportion(iowa, 2, 19, {"Biden": 6, "Buttigieg": 7, "Sanders": 6})
    assert work.agrees({"Biden": 0, "Buttigieg": 1, "Sanders": 1})
    assert work.agrees({"Biden": 1, "Buttigieg": 1, "Sanders": 0})
    assert not work.agrees({"Biden": 1, "Buttigieg": 0, "Sanders": 1})


def test_one_delegate_goes_to_the_largest_group(iowa: RuleSet) -> None:
    work = apportion(iowa, 1, 26, {"A": 10, "B": 8, "C": 8})
    assert work.threshold == 0
    assert work.base == 0
    assert work.agrees({"A": 1})
    assert not work.agrees({"B": 1})
    assert not work.agrees({})
    assert [line.quotient for line in work.groups] == [None, None, None]
    assert [line.viable for line in work.groups] == [True, True, True]


def test_one_delegate_and_equal_groups_is_a_tie(iowa: RuleSet) -> None:
    work = apportion(iowa, 1, 26, {"A": 10, "B": 10, "C": 6})
    assert work.tie == Tie("gain", 1, ("A", "B"))
    assert work.agrees({"A": 1})
    assert work.agrees({"B": 1})
    assert not work.agrees({"C": 1})
    assert not work.agrees({"A": 1, "B": 1})
    assert not work.agrees({})
    assert work.seats == 1


@pytest.mark.parametrize(
    ("delegates", "attendance", "finals"),
    [
        (0, 40, {"A": 20, "B": 20}),
        (5, 0, {"A": 0, "B": 0}),
        (1, 0, {"A": 0, "B": 0}),
        (5, 0, {"A": 4, "B": 2}),
        (1, 0, {"A": 4, "B": 2}),
        (5, 100, {"A": 14, "B": 14}),
        (5, 100, {"A": 0, "B": 0}),
        (1, 10, {"A": 0, "B": 0}),
        (5, 100, {}),
    ],
)
def test_nothing_is_given_where_nothing_can_be(
    iowa: RuleSet, delegates: int, attendance: int, finals: dict[str, int]
) -> None:
    work = apportion(iowa, delegates, attendance, finals)
    assert dict(work.awards) == dict.fromkeys(finals, 0)
    assert work.tie is None
    assert work.seats == 0
    assert work.corrections == ()
    assert work.viable == frozenset()
    assert work.base == 0
    assert work.agrees({})
    assert [line.rounded for line in work.groups] == [None] * len(finals)
    assert plain_rounding(iowa, delegates, attendance, finals) == dict.fromkeys(finals, 0)


def test_fewer_people_than_delegates_is_legal(iowa: RuleSet) -> None:
    work = apportion(iowa, 4, 3, {"A": 2, "B": 1})
    assert work.threshold == 1
    assert dict(work.awards) == {"A": 3, "B": 1}


def test_people_of_a_group_that_is_not_viable_count_only_in_the_attendance(iowa: RuleSet) -> None:
    with_them = apportion(iowa, 8, 210, {"A": 60, "B": 80, "C": 45, "D": 25})
    without = apportion(iowa, 8, 210, {"A": 60, "B": 80, "C": 45})
    assert dict(with_them.awards) == {**without.awards, "D": 0}
    assert with_them.viable == frozenset("ABC")


@pytest.mark.parametrize(
    ("delegates", "attendance", "finals"), [(-1, 5, {"A": 1}), (2, -5, {"A": 1}), (2, 5, {"A": 1, "B": -1})]
)
def test_a_number_below_zero_is_a_fault_of_the_caller(
    iowa: RuleSet, delegates: int, attendance: int, finals: dict[str, int]
) -> None:
    for function in (apportion, plain_rounding):
        with pytest.raises(ValueError, match="below zero"):
            function(iowa, delegates, attendance, finals)
