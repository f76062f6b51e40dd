"""The delegate column, against the head counts and against what the rules compute."""

from dataclasses import replace

import pytest

from caucus_desk.tally.sheet import ChanceRecord


def test_a_group_below_the_threshold_with_a_delegate(room):
    found = room(34, 4, Biden=(5, 5, 1), Sanders=(29, 29, 3))
    assert found.says("C11") == "Biden has 5 of the 6 needed but is given 1 delegate."
    assert found.findings["C11"].fields == ("Biden.final", "Biden.delegates")
    assert "C12" not in found.ids
    assert "C11" not in room(34, 4, Biden=(6, 6, 1), Sanders=(28, 28, 3)).ids


def test_a_delegate_without_people(room):
    found = room(34, 4, Biden=(5, 0, 1), Sanders=(29, 29, 3))
    assert found.says("C12") == "Biden has 1 delegate and no people in the final alignment."
    assert "C11" in found.ids
    assert "C12" not in room(34, 4, Biden=(5, 1, 1), Sanders=(29, 29, 3)).ids


def test_a_viable_group_without_a_delegate(room):
    rows = {"Biden": (70, 70, 4), "Klobuchar": (30, 30, 0)}
    assert room(100, 4, **rows).findings["C13"].fields == ("Klobuchar.delegates",)
    assert "C13" not in room(100, 4, Biden=(86, 86, 4), Klobuchar=(14, 14, 0)).ids
    three = {"Biden": (6, 6, 1), "Buttigieg": (7, 7, 1), "Sanders": (6, 6, 0)}
    assert "C13" not in room(19, 2, **three).ids  # more viable groups than delegates
    assert "C13" in room(19, 3, **three).ids
    assert room(100, 4, Biden=(70, 70, 4), Other=(30, 30, 0)).findings["C13"].severity == "warning"


def test_too_many_and_too_few(room):
    rows = {"Biden": (60, 60, 3), "Sanders": (40, 40, 2)}
    assert room(100, 4, **rows).says("C14") == (
        "5 delegates given, 1 more than the 4 that this precinct elects."
    )
    assert not {"C14", "C15"} & room(100, 5, **rows).ids
    assert room(100, 7, **rows).says("C15") == (
        "5 delegates given, 2 fewer than the 7 that this precinct elects."
    )


def test_too_few_needs_somebody_viable(room):
    rows = dict.fromkeys(("Biden", "Buttigieg", "Klobuchar", "Sanders", "Warren", "Yang"), (14, 14, 0))
    found = room(100, 4, **rows)
    assert "C15" not in found.ids
    assert found.says("C27") == "No group reaches the 15 needed, so nobody gets a delegate."
    assert "C27" not in room(100, 4, **{**rows, "Biden": (15, 15, 4)}).ids


def test_more_people_but_fewer_delegates(room):
    found = room(100, 4, Biden=(51, 51, 1), Sanders=(49, 49, 3))
    assert found.says("C16") == (
        "Biden has more people than Sanders (51 and 49) but fewer delegates (1 and 3)."
    )
    assert "C16" not in room(100, 4, Biden=(50, 50, 1), Sanders=(50, 50, 3)).ids
    assert "C16" not in room(100, 4, Biden=(51, 51, 2), Sanders=(49, 49, 2)).ids
    assert room(100, 4, Other=(51, 51, 1), Sanders=(49, 49, 3)).findings["C16"].severity == "warning"


def test_equal_groups_with_unequal_delegates(room):
    rows = {"Biden": (50, 50, 2), "Sanders": (25, 25, 2), "Warren": (25, 25, 1)}
    found = room(100, 5, **rows)
    assert found.findings["C17"].fields == ("Sanders.delegates", "Warren.delegates")
    assert found.says("C17") == (
        "Sanders and Warren have 25 people each but unequal delegates: Sanders 2 and Warren 1. No game of"
        " chance is noted."
    )
    tossed = found.but(chance=(ChanceRecord(("Sanders", "Warren"), ("Sanders",)),))
    assert "C17" not in tossed.ids
    others = found.but(chance=(ChanceRecord(("Biden", "Warren"), ("Biden",)),))
    assert "C17" in others.ids
    assert "C17" not in room(100, 5, Biden=(50, 50, 2), Sanders=(26, 26, 2), Warren=(24, 24, 1)).ids


def test_a_tie_needs_a_game_of_chance(room):
    """Rules reference 5.4, example 15: 100, 50, 50 of 200 for six."""
    rows = {"Biden": (100, 100, 3), "Sanders": (50, 50, 2), "Warren": (50, 50, 1)}
    found = room(200, 6, **rows)
    assert found.findings["C18"].fields == ("Sanders.delegates", "Warren.delegates")
    assert found.says("C18") == (
        "Only a game of chance can decide which one of Sanders and Warren gives up a delegate; none is noted."
    )
    assert "C20" not in found.ids
    tossed = found.but(chance=(ChanceRecord(("Sanders", "Warren"), ("Sanders",)),))
    assert tossed.ids == set()
    assert "C18" not in room(200, 6, Biden=(99, 99, 3), Sanders=(51, 51, 2), Warren=(50, 50, 1)).ids


def test_a_game_of_chance_that_nothing_called_for(good):
    chance = (ChanceRecord(("Biden", "Sanders"), ("Biden",)),)
    assert good.but(chance=chance).findings["C19"].fields == ("Biden.delegates", "Sanders.delegates")
    assert "C19" not in good.ids


def test_equal_groups_of_which_one_must_realign_may_toss(room):
    rows = {"Biden": (6, 0, 0), "Buttigieg": (7, 11, 1), "Sanders": (6, 8, 1)}
    chance = (ChanceRecord(("Biden", "Sanders"), ("Sanders",)),)
    assert "C19" not in room(19, 2, **rows).but(chance=chance).ids
    unequal = {"Biden": (5, 0, 0), "Buttigieg": (8, 11, 1), "Sanders": (6, 8, 1)}
    assert "C19" in room(19, 2, **unequal).but(chance=chance).ids


def test_delegates_other_than_the_computed_ones(room):
    """Des Moines 14 as first published: Sanders 1 and Warren 2 (example 22): C16 speaks."""
    rows = {"Buttigieg": (52, 52, 2), "Sanders": (50, 50, 2), "Warren": (31, 31, 1), "Biden": (25, 25, 1)}
    assert not {"C16", "C20"} & room(161, 6, **rows).ids
    swapped = {**rows, "Sanders": (50, 50, 1), "Warren": (31, 31, 2)}
    assert {"C16", "C20"} & room(161, 6, **swapped).ids == {"C16"}
    moved = room(161, 6, **{**rows, "Buttigieg": (52, 52, 3), "Sanders": (50, 50, 1)})
    assert moved.says("C20") == (
        "By the counts the delegates should be Biden 1, Buttigieg 2, Sanders 2 and Warren 1; the sheet says"
        " Biden 1, Buttigieg 3, Sanders 1 and Warren 1."
    )
    assert moved.findings["C20"].fields == ("Buttigieg.delegates", "Sanders.delegates")
    assert moved.findings["C20"].severity == "error"


def test_a_viable_other_puts_the_computed_delegates_in_doubt(room):
    rows = {"Buttigieg": (52, 52, 3), "Sanders": (50, 50, 1), "Warren": (31, 31, 1), "Other": (25, 25, 1)}
    assert room(161, 6, **rows).findings["C20"].severity == "warning"


def test_either_outcome_of_a_toss_agrees_and_nothing_else_does(room):
    rows = {"Biden": (100, 100, 3), "Sanders": (50, 50, 1), "Warren": (50, 50, 2)}
    assert "C20" not in room(200, 6, **rows).ids
    assert "C20" in room(200, 6, **{**rows, "Biden": (100, 100, 4), "Warren": (50, 50, 1)}).ids


def test_worked_out_with_the_final_total(room):
    """Example 8: with the attendance of 94 it is 8, 7, 7; with the 70 who stayed 9, 7, 6."""
    rows = {"Biden": (28, 28, 9), "Buttigieg": (22, 22, 7), "Sanders": (20, 20, 6), "Yang": (14, 0, 0)}
    found = room(94, 22, **rows)
    assert {"C20", "C21"} <= found.ids
    assert "with the final total of 70 instead of the attendance of 94" in found.says("C21")
    right = {"Biden": (28, 28, 8), "Buttigieg": (22, 22, 7), "Sanders": (20, 20, 7), "Yang": (14, 0, 0)}
    assert not {"C20", "C21"} & room(94, 22, **right).ids


def test_rounding_left_at_that(room):
    """Example 3 rounds to 2, 1, 1, 1 of six; the correction makes it 2, 2, 1, 1."""
    finals = {"Biden": 38, "Buttigieg": 24, "Sanders": 22, "Warren": 16}

    def sheet(*given: int):
        return room(100, 6, **{g: (n, n, d) for (g, n), d in zip(finals.items(), given, strict=True)})

    assert (
        sheet(2, 1, 1, 1).says("C22")
        == "The shares are rounded and left at that: 5 delegates where 6 are to elect."
    )
    assert "the largest group takes what is left" in sheet(3, 1, 1, 1).says("C22")
    assert "C22" not in sheet(2, 2, 1, 1).ids
    assert "C22" not in sheet(2, 1, 2, 1).ids


def test_one_delegate_to_a_smaller_group(room):
    rows = {"Biden": (10, 10, 0), "Sanders": (9, 9, 1)}
    found = room(19, 1, **rows)
    assert found.ids == {"C24"}
    assert found.says("C24") == "The only delegate goes to Sanders with 9 people, although Biden has 10."
    assert found.findings["C24"].severity == "warning"
    assert room(19, 1, Biden=(10, 10, 1), Sanders=(9, 9, 0)).ids == set()


def test_a_tie_for_the_only_delegate(room):
    found = room(20, 1, Biden=(10, 10, 1), Sanders=(10, 10, 0))
    assert found.ids == {"C25"}
    assert found.says("C25") == "Biden and Sanders tie for the only delegate with 10 people each."


def test_a_one_delegate_precinct_has_no_alignment_to_check(room):
    """P13: a group may shrink, appear, and be small; only sums, the winner and blanks are looked at."""
    rows = {"Biden": (10, 5, 1), "Sanders": (8, 0, 0), "Warren": (0, 4, 0)}
    assert room(18, 1, **rows).ids == set()
    assert room(17, 1, **rows).ids == {"C01"}
    assert room(18, 1, **{**rows, "Biden": (10, 5, 2)}).ids == {"C14"}
    assert room(18, 1, **{**rows, "Biden": (10, 5, 0)}).ids == {"C15"}
    assert "C46" in room(18, 1, **{**rows, "Sanders": (8, None, 0)}).ids
    assert room(18, 1, Biden=(18, 0, 1)).ids == {"C51"}
    assert room(0, 1).ids == {"C26"}


def test_delegates_that_repeat_the_head_counts(room):
    assert "C34" in room(11, 4, Biden=(6, 6, 6), Sanders=(5, 5, 5)).ids
    assert "C34" not in room(10, 4, Biden=(5, 5, 5), Sanders=(5, 5, 5)).ids  # small rooms do
    assert "C34" not in room(11, 11, Biden=(6, 6, 6), Sanders=(5, 5, 5)).ids  # and these add up
    assert "C34" not in room(11, 4, Biden=(6, 6, 6), Sanders=(5, 5, 4)).ids
    first = room(20, 4, Biden=(12, 20, 12), Yang=(2, 0, 2), Sanders=(6, 0, 6))
    assert "of the first alignment" in first.says("C34")


@pytest.mark.parametrize("given", [(1, 1, 1, 1, 1), (2, 1, 1, 1, 1)])
def test_where_each_viable_group_keeps_a_delegate_the_total_may_grow(room, nevada, given):
    """Example 20 in Nevada: five viable groups for four delegates keep one each."""
    rules = replace(nevada, fields=())
    keys = [group.key for group in rules.groups if group.may_be_viable and group.kind == "candidate"][:5]
    finals = (24, 13, 13, 13, 13)
    rows = {key: (n, n, d) for key, n, d in zip(keys, finals, given, strict=True)}
    ids = room(76, 4, rules=rules, **rows).ids
    assert not {"C13", "C15", "C29"} & ids
    assert ("C14" in ids) is (sum(given) > 5)


def test_delegates_though_nobody_is_in_either_alignment(room):
    """People were counted, but none of them stands anywhere: nothing can be computed, and that is said."""
    assert room(16, 4, Biden=(0, 0, 3), Sanders=(0, 0, 1)).ids == {"C11", "C12", "C17", "C27"}
