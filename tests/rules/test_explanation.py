"""The lines of a worksheet: a chair can check each of them on paper."""

import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caucus_desk.rules.apportion import apportion
from caucus_desk.rules.national import allocate_pool
from caucus_desk.rules.ruleset import (
    Group,
    Method,
    OneDelegate,
    OverViable,
    Pool,
    PoolScope,
    RuleSet,
    ShareBase,
    UnderAllocation,
)
from caucus_desk.rules.sde import decimal_text

Changed = Callable[..., RuleSet]


def test_a_worksheet_with_a_correction(iowa: RuleSet) -> None:
    """Nevada memo 2b, example 4."""
    work = apportion(iowa, 5, 73, {"Biden": 12, "Buttigieg": 14, "Sanders": 22, "Warren": 25, "Yang": 0})
    assert work.steps == (
        "Viability with 5 delegates: 3/20 of 73 = 73 × 3 / 20 = 10.9500, rounded up to 11.",
        "Viable, with 11 or more: Biden 12, Buttigieg 14, Sanders 22, Warren 25.",
        "Share = people × 5 / 73 (people counted before the first alignment). "
        "Shares are rounded to the nearest whole number, one half up.",
        "Biden: 12 × 5 / 73 = 60/73 = 0.8219, rounded to 1.",
        "Buttigieg: 14 × 5 / 73 = 70/73 = 0.9589, rounded to 1.",
        "Sanders: 22 × 5 / 73 = 110/73 = 1.5068, rounded to 2.",
        "Warren: 25 × 5 / 73 = 125/73 = 1.7123, rounded to 2.",
        "Together 6, 5 to elect: 1 too many.",
        "Sanders loses one: 2 → 1 (an only delegate is safe; of the others furthest above its share, "
        "by 0.4932 (36/73)).",
        "Delegates: Biden 1, Buttigieg 1, Sanders 1, Warren 2. Together 5 of 5.",
    )


def test_a_worksheet_with_too_few(iowa: RuleSet) -> None:
    """The older public guide, example 7; and Fremont-Atkins, example 8, round and round."""
    steps = apportion(iowa, 8, 210, {"Biden": 60, "Sanders": 80, "Warren": 45, "Yang": 25}).steps
    assert "Not viable, no delegates: Yang 25." in steps
    assert steps[-3:] == (
        "Together 7, 8 to elect: 1 left to give.",
        "Biden gains one: 2 → 3 (owed most, 0.2857 (60/210)).",
        "Delegates: Biden 3, Sanders 3, Warren 2. Together 8 of 8.",
    )
    steps = apportion(iowa, 22, 94, {"Biden": 28, "Buttigieg": 22, "Sanders": 20}).steps
    assert steps[-6:-1] == (
        "Buttigieg gains one: 5 → 6 (owed most, 0.1489 (14/94)).",
        "Sanders gains one: 5 → 6 (least above its share, by 0.3191 (30/94)).",
        "Biden gains one: 7 → 8 (least above its share, by 0.4468 (42/94)).",
        "Buttigieg gains one: 6 → 7 (least above its share, by 0.8511 (80/94)).",
        "Sanders gains one: 6 → 7 (least above its share, by 1.3191 (124/94)).",
    )


def test_a_worksheet_without_correction(iowa: RuleSet) -> None:
    steps = apportion(iowa, 6, 26, {"A": 8, "B": 4, "C": 5, "D": 5, "E": 4}).steps
    assert steps[-2:] == (
        "Together 6, the number to elect: no correction.",
        "Delegates: A 2, B 1, C 1, D 1, E 1. Together 6 of 6.",
    )


def test_equal_groups_move_together_where_there_is_enough(iowa: RuleSet) -> None:
    # 6.4 and 6.4 of 16 round to 6 and 6: four left, so both gain, twice.
    steps = apportion(iowa, 16, 100, {"A": 40, "B": 40}).steps
    assert steps[-3:-1] == (
        "A and B gain one each: 6 → 7, 6 → 7 (owed most, 0.4000 (40/100) each).",
        "A and B gain one each: 7 → 8, 7 → 8 (least above its share, by 0.6000 (60/100) each).",
    )


def test_a_tie_is_named_and_not_decided(iowa: RuleSet) -> None:
    work = apportion(iowa, 6, 200, {"Biden": 100, "Sanders": 50, "Warren": 50})
    assert work.steps[0].endswith("= 200 × 3 / 20 = 30.0000, so 30.")
    assert work.steps[-3:] == (
        "Next to lose one: Sanders and Warren (furthest above its share, by 0.5000 (100/200) each).",
        "Tie: Sanders and Warren have the same claim, and 1 of them loses one delegate. Only a game of "
        "chance can decide: coin toss. Two groups toss a coin; more than two draw straws or cards.",
        "Delegates before that: Biden 3, Sanders 2, Warren 2.",
    )
    steps = apportion(iowa, 7, 95, dict.fromkeys("ABCDE", 19)).steps
    assert "Next to gain one: A, B, C, D and E (owed most, 0.4000 (38/95) each)." in steps
    assert any("2 of them gain one delegate each. Only a game of chance" in line for line in steps)
    steps = apportion(iowa, 18, 60, dict.fromkeys("ABCD", 15)).steps
    assert any("2 of them lose one delegate each." in line for line in steps)


def test_why_protection_matters_is_said(iowa: RuleSet, changed: Changed) -> None:
    assert (
        "D loses one: 2 → 1 (an only delegate is safe; "
        "of the others least below its share, by 0.2000 (4/20))."
        in apportion(iowa, 4, 20, {"A": 3, "B": 3, "C": 3, "D": 11}).steps
    )
    steps = apportion(iowa, 2, 19, {"A": 6, "B": 7, "C": 6}).steps
    assert (
        "Next to lose one: A and C (no group has two, so an only delegate is no longer safe; "
        "furthest above its share, by 0.3684 (7/19) each)." in steps
    )
    steps = apportion(changed(protect_only=False), 3, 90, {"A": 75, "B": 15}).steps
    assert "Next to lose one: A and B (furthest above its share, by 0.5000 (45/90) each)." in steps


@pytest.mark.parametrize(
    ("delegates", "attendance", "finals", "lines"),
    [
        (0, 40, {"A": 40}, ("This precinct elects no delegates: there is nothing to work out.",)),
        (5, 0, {"A": 0}, ("Nobody attended: none of the 5 delegates can be given.",)),
        (1, 0, {"A": 0}, ("Nobody attended: none of the 1 delegate can be given.",)),
        (
            5,
            100,
            {"A": 14, "B": 0},
            (
                "Viability with 5 delegates: 3/20 of 100 = 100 × 3 / 20 = 15.0000, so 15.",
                "No group has 15 or more, so no delegate can be given.",
                "Not viable, no delegates: A 14.",
            ),
        ),
        (
            1,
            26,
            {"A": 10, "B": 8, "C": 8},
            (
                "One delegate: no threshold and no realignment. The whole room elects.",
                "The largest group is A, with 10.",
                "The room may have chosen somebody else: that is its right, and is asked, not corrected.",
                "Delegates: A 1. Together 1 of 1.",
            ),
        ),
        (
            1,
            26,
            {"A": 10, "B": 10, "C": 6},
            (
                "One delegate: no threshold and no realignment. The whole room elects.",
                "The largest groups are equal: A and B, with 10 each.",
                "The room may have chosen somebody else: that is its right, and is asked, not corrected.",
                "Tie: A and B have the same claim, and 1 of them gains one delegate. Only a game of "
                "chance can decide: coin toss. Two groups toss a coin; more than two draw straws or cards.",
            ),
        ),
        (
            1,
            26,
            {"A": 0},
            (
                "One delegate: no threshold and no realignment. The whole room elects.",
                "Nobody stands with a group, so no delegate can be given.",
            ),
        ),
    ],
)
def test_rooms_with_little_to_work_out(
    iowa: RuleSet, delegates: int, attendance: int, finals: dict[str, int], lines: tuple[str, ...]
) -> None:
    assert apportion(iowa, delegates, attendance, finals).steps == lines


def test_nevada_explains_its_own_method(nevada: RuleSet) -> None:
    steps = apportion(
        nevada, 4, 76, {"Biden": 13, "Buttigieg": 13, "Sanders": 13, "Warren": 13, "Yang": 24}
    ).steps
    assert steps[2] == (
        "Share = people × 4 / 76 (people counted before the first alignment, with: Early votes). "
        "Each viable group has one delegate first; the others go to who is owed most."
    )
    assert steps[3] == "Biden: 13 × 4 / 76 = 52/76 = 0.6842, has 1, 0.3158 more than its share."
    assert steps[7] == "Yang: 24 × 4 / 76 = 96/76 = 1.2632, has 1, owed 0.2632."
    assert steps[-2:] == (
        "Every viable group keeps one delegate, so this precinct sends 5 instead of 4.",
        "Delegates: Biden 1, Buttigieg 1, Sanders 1, Warren 1, Yang 1. Together 5.",
    )
    assert apportion(nevada, 1, 20, {"Biden": 12, "Yang": 8}).steps == (
        "One delegate: no threshold and no realignment. The largest group has it.",
        "The largest group is Biden, with 12.",
        "Delegates: Biden 1. Together 1 of 1.",
    )
    steps = apportion(nevada, 8, 100, {"Biden": 15, "Sanders": 45, "Warren": 20, "Yang": 20}).steps
    assert any("high card. Shuffle seven times; aces are high" in line for line in steps)


def test_a_subcaucus_explains_its_own_method(minnesota: RuleSet) -> None:
    steps = apportion(minnesota, 5, 47, {"A": 20, "B": 10, "C": 10, "D": 7}).steps
    assert (
        steps[0] == "Viability with 5 delegates: attendance / delegates = 47 / 5 = 9.4000, rounded up to 10."
    )
    assert steps[3] == (
        "Share = people × 5 / 40 (people in viable groups). "
        "Each group has the whole part of its share; the others go to the largest remainders."
    )
    assert steps[4] == "A: 20 × 5 / 40 = 100/40 = 2.5000, whole part 2."
    assert steps[-2] == "A gains one: 2 → 3 (owed most, 0.5000 (20/40))."


def test_edges_of_what_is_said(iowa: RuleSet, changed: Changed) -> None:
    """Three delegates have their own fraction; one person below; exactly enough; exactly on the share."""
    steps = apportion(iowa, 3, 90, {"A": 75, "B": 14, "C": 1}).steps
    assert steps[0] == "Viability with 3 delegates: 1/6 of 90 = 90 × 1 / 6 = 15.0000, so 15."
    assert "Not viable, no delegates: B 14, C 1." in steps
    barred = changed(groups=(Group("A", "A"), Group("B", "B", may_be_viable=False)))
    steps = apportion(barred, 4, 20, {"A": 8, "B": 3}).steps
    assert "Never viable under these rules, whatever the number: B 3." in steps
    assert "Never viable" not in " ".join(apportion(barred, 4, 20, {"A": 8, "B": 2}).steps)
    # 6.0 and 3.0 of ten: each on its share, one left to give.
    steps = apportion(iowa, 10, 100, {"A": 60, "B": 30}).steps
    assert "Next to gain one: A and B (exactly on its share each)." in steps
    steps = apportion(iowa, 10, 100, {"A": 60, "B": 29}).steps
    assert "A gains one: 6 → 7 (exactly on its share)." in steps
    # 2.0, 3.3 and 0.9 of four, more aligned than came: 2 3 1, two too many.
    steps = apportion(iowa, 4, 100, {"A": 50, "B": 82, "C": 23}).steps
    assert "A loses one: 2 → 1 (an only delegate is safe; of the others exactly on its share)." in steps
    steps = apportion(changed(over_viable=OverViable.REALIGN), 3, 100, {"A": 20, "B": 20, "C": 60}).steps
    assert not any("realign" in line for line in steps)


def test_a_pool_whose_whole_parts_are_all(iowa: RuleSet) -> None:
    pool = Pool("x", "At large", PoolScope.STATE, 4)
    assert allocate_pool(iowa, pool, {"Biden": Fraction(3), "Warren": Fraction(1)}).steps == (
        "At large: 4 seats. SDEs in all: 4; 3/20 of it is 0.6000.",
        "Qualified: Biden and Warren, together 4.",
        "Biden: 4 × 3 / 4 = 3, whole part 3.",
        "Warren: 4 × 1 / 4 = 1, whole part 1.",
        "Seats: Biden 3, Warren 1.",
    )


def test_other_parameters_are_explained(changed: Changed) -> None:
    finals = {"A": 18, "B": 17, "C": 19, "D": 46}
    steps = apportion(changed(over_viable=OverViable.REALIGN), 3, 100, finals).steps
    assert "4 groups are viable for 3 delegates: the smallest must realign until 3 are left." in steps
    assert "Sent to realign: B." in steps
    tied = apportion(changed(over_viable=OverViable.REALIGN), 2, 20, {"A": 7, "B": 5, "D": 7, "E": 7}).steps
    assert "Each group that stays has one delegate; A, D and E are of equal size." in tied
    assert tied[-1] == "Delegates before that: A 1, D 1, E 1."
    steps = apportion(changed(share_base=ShareBase.FINAL_TOTAL), 5, 73, {"A": 30, "B": 30}).steps
    assert any("people × 5 / 60 (people counted in the final alignment)" in line for line in steps)
    once = apportion(
        changed(under_allocation=UnderAllocation.ONCE), 22, 94, {"A": 28, "B": 22, "C": 20}
    ).steps
    assert once[-2:] == (
        "No group gains twice under these rules: 2 of 22 stay open.",
        "Delegates: A 8, B 6, C 6. Together 20 of 22.",
    )
    barred = changed(groups=(Group("A", "Ann"), Group("B", "Bob", may_be_viable=False)))
    steps = apportion(barred, 4, 20, {"A": 8, "B": 12}).steps
    assert "Viable, with 3 or more: Ann 8." in steps
    assert "Never viable under these rules, whatever the number: Bob 12." in steps
    raised = changed(over_viable=OverViable.EXPAND, method=Method.LARGEST_REMAINDER)
    steps = apportion(raised, 3, 100, {"A": 17, "B": 17, "C": 20, "D": 46}).steps
    assert "A: 17 × 3 / 100 = 51/100 = 0.5100, raised to 1." in steps
    steps = apportion(changed(one_delegate=OneDelegate.FORMULA), 1, 20, {"A": 12, "B": 8}).steps
    assert steps[0] == "Viability with 1 delegate: no threshold."


def test_a_pool_is_explained(iowa: RuleSet) -> None:
    pool = next(pool for pool in iowa.pools if pool.id == "CD4")
    values = {
        "Buttigieg": Fraction("106.8052"),
        "Sanders": Fraction("99.6975"),
        "Warren": Fraction("60.1135"),
        "Biden": Fraction("71.2529"),
        "Klobuchar": Fraction("67.3540"),
        "Yang": Fraction("9.8139"),
    }
    assert allocate_pool(iowa, pool, values).steps == (
        "District 4: 5 seats. SDEs in all: 415.0370; 3/20 of it is 62.2556.",
        "Qualified: Biden, Buttigieg, Klobuchar and Sanders, together 345.1096.",
        "Biden: 5 × 71.2529 / 345.1096 = 1.0323, whole part 1.",
        "Buttigieg: 5 × 106.8052 / 345.1096 = 1.5474, whole part 1.",
        "Klobuchar: 5 × 67.3540 / 345.1096 = 0.9758, whole part 0.",
        "Sanders: 5 × 99.6975 / 345.1096 = 1.4444, whole part 1.",
        "The whole parts add to 3; 2 left for the largest fractions.",
        "One more for Buttigieg and Klobuchar.",
        "Seats: Biden 1, Buttigieg 2, Klobuchar 1, Sanders 1.",
    )


def test_pools_with_little_to_give_are_explained(iowa: RuleSet, nevada: RuleSet) -> None:
    pool = Pool("x", "At large", PoolScope.STATE, 1)
    assert allocate_pool(iowa, pool, {}).steps == (
        "At large: 1 seat. Nothing has been counted in this pool, so no seat can be given.",
    )
    tied = Pool("x", "At large", PoolScope.STATE, 5)
    assert allocate_pool(nevada, tied, {"Biden": Fraction(3), "Warren": Fraction(3)}).steps == (
        "At large: 5 seats. County convention delegates in all: 6; 3/20 of it is 0.9000.",
        "Qualified: Biden and Warren, together 6.",
        "Biden: 5 × 3 / 6 = 2.5000, whole part 2.",
        "Warren: 5 × 3 / 6 = 2.5000, whole part 2.",
        "The whole parts add to 4; 1 left for the largest fractions.",
        "Tie for the last seat: the fractions of Biden and Warren are equal. "
        "The rules do not say who gains; the state party decides.",
        "Seats before the tie is settled: Biden 2, Warren 2.",
    )
    low = dict.fromkeys(iowa.keys[:12], Fraction(8)) | {"Biden": Fraction(12)}
    lines = allocate_pool(iowa, pool, low).steps
    assert lines[1] == "No group reaches that. Half of the leader's 12 is enough: 6."
    lines = allocate_pool(replace(iowa, empty_rule="nothing"), pool, low).steps
    assert lines[1:] == ("No group reaches that, so no seat is given.",)


@given(
    delegates=st.integers(2, 20),
    sizes=st.lists(st.integers(0, 50), min_size=1, max_size=6),
    absent=st.integers(0, 20),
)
def test_what_the_lines_say_is_what_was_worked_out(
    iowa: RuleSet, delegates: int, sizes: list[int], absent: int
) -> None:
    """Read back from the text: shares, rounding, every move and the result agree with the figures."""
    finals = {f"g{place}": size for place, size in enumerate(sizes)}
    work = apportion(iowa, delegates, sum(sizes) + absent, finals)
    text = "\n".join(work.steps)
    for line in work.groups:
        if line.quotient is not None:
            assert (
                f"{line.group}: {line.final} × {delegates} / {work.attendance} = {line.final * delegates}/"
                f"{work.attendance} = {decimal_text(line.quotient, 4)}, rounded to {line.rounded}." in text
            )
    now = {line.group: line.rounded for line in work.groups if line.rounded is not None}
    for who, moves in re.findall(
        r"^(.+) (?:gains? one|loses? one)(?: each)?: ([0-9→, ]+) \(", text, re.MULTILINE
    ):
        groups = re.split(", | and ", who)
        for group, move in zip(groups, moves.split(", "), strict=True):
            before, after = move.split(" → ")
            assert now[group] == int(before)
            now[group] = int(after)
    assert now == {group: work.awards[group] for group in now}
    assert ("Only a game of chance can decide" in text) == (work.tie is not None)
    if work.viable:
        result = re.search(r"^Delegates(?: before that)?: (.*?)\.(?: Together|$)", text, re.MULTILINE)
        assert result is not None
        said = dict(item.split(" ") for item in result[1].split(", "))
        assert {group: int(seats) for group, seats in said.items()} == {
            group: seats for group, seats in work.awards.items() if seats
        }
