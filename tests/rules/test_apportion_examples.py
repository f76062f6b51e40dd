"""Every worked example of rules.md 5.4, with its shares, each correction, the result and the toss."""

from fractions import Fraction

import pytest

from caucus_desk.rules.apportion import Tie, apportion, plain_rounding
from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.rules.sde import decimal_text


def _groups(finals: str) -> dict[str, int]:
    """`14 19 18` as groups g1, g2, g3."""
    return {f"g{place}": int(count) for place, count in enumerate(finals.split(), start=1)}


def _row(text: str) -> list[int]:
    return [int(seats) for seats in text.split()]


# number, D, A, T, final, shares, delegates at each step from the rounded shares to the end, tie
EXAMPLES = [
    (1, 7, 79, 12, "14 19 18 12 16", "1.2405 1.6835 1.5949 1.0633 1.4177", ["1 2 2 1 1"], None),
    (2, 6, 26, 4, "8 4 5 5 4", "1.8462 0.9231 1.1538 1.1538 0.9231", ["2 1 1 1 1"], None),
    (3, 6, 100, 15, "38 24 22 16", "2.28 1.44 1.32 0.96", ["2 1 1 1", "2 2 1 1"], None),
    (4, 5, 73, 11, "12 14 22 25", "0.8219 0.9589 1.5068 1.7123", ["1 1 2 2", "1 1 1 2"], None),
    (5, 10, 75, 12, "23 27", "3.0667 3.6", ["3 4", "4 4", "4 5", "5 5"], None),
    (6, 3, 5, 1, "3 1 1", "1.8 0.6 0.6", ["2 1 1", "1 1 1"], None),
    (7, 8, 210, 32, "60 80 45 25", "2.2857 3.0476 1.7143 -", ["2 3 2 0", "3 3 2 0"], None),
    (
        8,
        22,
        94,
        15,
        "28 22 20",
        "6.5532 5.1489 4.6809",
        ["7 5 5", "7 6 5", "7 6 6", "8 6 6", "8 7 6", "8 7 7"],
        None,
    ),
    (
        9,
        7,
        204,
        31,
        "46 102 49 57",
        "1.5784 3.5 1.6814 1.9559",
        ["2 4 2 2", "2 3 2 2", "1 3 2 2", "1 3 1 2"],
        None,
    ),
    (10, 4, 13, 2, "6 3 2 2", "1.8462 0.9231 0.6154 0.6154", ["2 1 1 1", "1 1 1 1"], None),
    (11, 12, 650, 98, "110 146 140 247", "2.0308 2.6954 2.5846 4.56", ["2 3 3 5", "2 3 3 4"], None),
    (12, 4, 20, 3, "3 3 3 11", "0.6 0.6 0.6 2.2", ["1 1 1 2", "1 1 1 1"], None),
    (13, 5, 100, 15, "52 16 16 16", "2.6 0.8 0.8 0.8", ["3 1 1 1", "2 1 1 1"], None),
    (14, 3, 90, 15, "75 15", "2.5 0.5", ["3 1", "2 1"], None),
    (15, 6, 200, 30, "100 50 50", "3 1.5 1.5", ["3 2 2"], Tie("lose", 1, ("g2", "g3"))),
    (16, 18, 60, 9, "15 15 15 15", "4.5 4.5 4.5 4.5", ["5 5 5 5"], Tie("lose", 2, ("g1", "g2", "g3", "g4"))),
    (17, 8, 100, 15, "15 45 20 20", "1.2 3.6 1.6 1.6", ["1 4 2 2"], Tie("lose", 1, ("g2", "g3", "g4"))),
    (
        18,
        7,
        95,
        15,
        "19 19 19 19 19",
        "1.4 1.4 1.4 1.4 1.4",
        ["1 1 1 1 1"],
        Tie("gain", 2, ("g1", "g2", "g3", "g4", "g5")),
    ),
    (19, 2, 19, 5, "6 7 6", "0.6316 0.7368 0.6316", ["1 1 1"], Tie("lose", 1, ("g1", "g3"))),
    (
        20,
        4,
        76,
        12,
        "13 13 13 13 24",
        "0.6842 0.6842 0.6842 0.6842 1.2632",
        ["1 1 1 1 1"],
        Tie("lose", 1, ("g1", "g2", "g3", "g4")),
    ),
    (21, 1, 26, 0, "10 8 8", "- - -", ["1 0 0"], None),
    (21, 1, 26, 0, "10 10 6", "- - -", ["0 0 0"], Tie("gain", 1, ("g1", "g2"))),
    (22, 6, 161, 25, "52 50 31 25", "1.9379 1.8634 1.1553 0.9317", ["2 2 1 1"], None),
]


@pytest.mark.parametrize(
    ("number", "delegates", "attendance", "needed", "final", "shares", "path", "tie"),
    EXAMPLES,
    ids=[f"{row[0]}-{row[4]}" for row in EXAMPLES],
)
def test_worked_example(
    iowa: RuleSet,
    number: int,
    delegates: int,
    attendance: int,
    needed: int,
    final: str,
    shares: str,
    path: list[str],
    tie: Tie | None,
) -> None:
    finals = _groups(final)
    work = apportion(iowa, delegates, attendance, finals)
    assert work.threshold == needed
    assert [line.group for line in work.groups] == list(finals)
    assert [line.final for line in work.groups] == list(finals.values())
    for line, share in zip(work.groups, shares.split(), strict=True):
        assert (line.quotient is None) == (share == "-")
        if line.quotient is not None:
            assert line.quotient == Fraction(line.final * delegates, attendance)
            assert Fraction(decimal_text(line.quotient, 4)) == Fraction(share)
            assert line.viable

    assert list(work.awards.values()) == _row(path[-1])
    assert [line.delegates for line in work.groups] == _row(path[-1])
    assert work.tie == tie
    if delegates > 1:
        assert [line.rounded or 0 for line in work.groups] == _row(path[0])
        assert list(plain_rounding(iowa, delegates, attendance, finals).values()) == _row(path[0])
        met = [[step.awards.get(group, 0) for group in finals] for step in work.corrections]
        steps_taken = path if tie is not None else path[:-1]
        assert met == [_row(row) for row in steps_taken]
    # With the toss, or without one, the precinct sends what it elects.
    assert work.seats == delegates
    assert (sum(work.awards.values()) == delegates) == (tie is None)


def test_what_each_group_is_owed_in_example_4(iowa: RuleSet) -> None:
    work = apportion(iowa, 5, 73, _groups("12 14 22 25"))
    assert [line.final * 5 - (line.rounded or 0) * 73 for line in work.groups] == [-13, -3, -36, -21]
    (step,) = work.corrections
    assert (step.kind, step.groups, step.owed, step.base, step.over) == ("lose", ("g3",), -36, 73, 1)
    assert not step.only_delegates


def test_what_is_owed_at_each_step_of_example_5(iowa: RuleSet) -> None:
    work = apportion(iowa, 10, 75, _groups("23 27"))
    assert [(step.kind, step.groups, step.owed, step.over) for step in work.corrections] == [
        ("gain", ("g1",), 5, -3),
        ("gain", ("g2",), -30, -2),
        ("gain", ("g1",), -70, -1),
    ]
    assert not any(step.only_delegates for step in work.corrections)


def test_example_8_with_the_final_total_would_be_9_7_6(iowa: RuleSet) -> None:
    """The real precinct shows which number Iowa divided by (Q1)."""
    assert list(apportion(iowa, 22, 70, _groups("28 22 20")).awards.values()) == [9, 7, 6]


def test_the_sequence_of_example_12_is_not_what_the_partys_app_did(iowa: RuleSet) -> None:
    """Only the last has two, though it was rounded down: it loses, and nobody is sent away."""
    (step,) = apportion(iowa, 4, 20, _groups("3 3 3 11")).corrections
    assert (step.groups, step.owed, step.only_delegates) == (("g4",), 4, False)


def test_example_19_ends_the_protection(iowa: RuleSet) -> None:
    (step,) = apportion(iowa, 2, 19, _groups("6 7 6")).corrections
    assert (step.groups, step.owed, step.only_delegates) == (("g1", "g3"), -7, True)


def test_nevada_lets_each_viable_group_keep_one_in_example_20(nevada: RuleSet) -> None:
    work = apportion(nevada, 4, 76, _groups("13 13 13 13 24"))
    assert list(work.awards.values()) == [1, 1, 1, 1, 1]
    assert work.tie is None
    assert work.seats == 5


@pytest.mark.parametrize(
    ("delegates", "attendance", "final", "result", "tie"),
    [
        (7, 79, "14 19 18 12 16", "1 2 2 1 1", None),
        (6, 26, "8 4 5 5 4", "2 1 1 1 1", None),
        (6, 100, "38 24 22 16", "2 2 1 1", None),
        (5, 73, "12 14 22 25", "1 1 1 2", None),
        (10, 75, "23 27", "5 5", None),
        (8, 100, "15 45 20 20", "1 3 1 1", Tie("gain", 2, ("g2", "g3", "g4"))),
    ],
)
def test_nevadas_memo_by_nevadas_method(
    nevada: RuleSet, delegates: int, attendance: int, final: str, result: str, tie: Tie | None
) -> None:
    work = apportion(nevada, delegates, attendance, _groups(final))
    assert list(work.awards.values()) == _row(result)
    assert work.tie == tie
    assert [line.rounded for line in work.groups] == [1] * len(work.groups)


def test_counting_down_and_counting_up_have_the_same_outcomes_in_example_17(
    iowa: RuleSet, nevada: RuleSet
) -> None:
    finals = _groups("15 45 20 20")
    down, up = apportion(iowa, 8, 100, finals), apportion(nevada, 8, 100, finals)
    for outcome in ("1 3 2 2", "1 4 1 2", "1 4 2 1"):
        awarded = dict(zip(finals, _row(outcome), strict=True))
        assert down.agrees(awarded)
        assert up.agrees(awarded)
    for outcome in ("1 4 2 2", "1 3 1 1", "2 3 2 1", "1 5 1 1", "0 4 2 2", "1 3 2 1"):
        awarded = dict(zip(finals, _row(outcome), strict=True))
        assert not down.agrees(awarded)
        assert not up.agrees(awarded)
