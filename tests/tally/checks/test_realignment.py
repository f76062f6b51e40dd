"""What may change between the alignments (P4 to P11)."""

from dataclasses import replace

import pytest


def test_a_viable_group_may_not_shrink(room):
    rows = {"Biden": (71, 72, 3), "Warren": (29, 28, 1)}
    found = room(100, 4, **rows).findings["C06"]
    assert found.severity == "error"
    assert found.fields == ("Warren.first", "Warren.final")
    assert found.message == (
        "Warren had 29 and cannot drop to 28: members of a viable group stay with it (15 needed)."
    )
    assert "C06" not in room(100, 4, Biden=(71, 71, 3), Warren=(29, 29, 1)).ids


def test_a_group_one_below_the_threshold_is_free_to_go(room):
    assert "C06" in room(100, 4, Biden=(85, 86, 4), Warren=(15, 14, 0)).ids
    assert "C06" not in room(100, 4, Biden=(86, 87, 4), Warren=(14, 13, 0)).ids


def test_a_viable_group_may_not_vanish(room):
    found = room(100, 4, Biden=(75, 75, 4), Sanders=(25, 0, 0)).findings["C07"]
    assert found.severity == "error"
    assert found.message.startswith("Sanders was viable with 25 and now has nobody:")
    assert "C07" not in room(100, 4, Biden=(86, 86, 4), Sanders=(14, 0, 0)).ids


def test_an_unknown_attendance_makes_shrinking_a_warning(room):
    assert room(None, 4, Biden=(71, 72, 3), Warren=(29, 28, 1)).findings["C06"].severity == "warning"
    assert room(None, 4, Biden=(75, 75, 4), Sanders=(25, 0, 0)).findings["C07"].severity == "warning"


def test_other_is_a_bucket_so_its_viability_is_only_a_warning(room):
    assert room(100, 4, Biden=(71, 72, 3), Other=(29, 28, 1)).findings["C06"].severity == "warning"
    both = room(100, 4, Biden=(40, 44, 2), Warren=(30, 28, 1), Other=(30, 28, 1))
    assert both.findings["C06"].severity == "error"


def test_the_smallest_is_sent_away_where_more_are_viable_than_there_are_delegates(room):
    """Two delegates, three viable groups: one of the smallest may go, ties included; nobody else."""
    found = room(19, 2, Biden=(6, 0, 0), Buttigieg=(7, 10, 1), Sanders=(6, 9, 1))
    assert "C08" in found.ids
    assert found.findings["C08"].fields == ("Biden.first", "Biden.final")
    assert found.findings["C08"].severity == "note"
    assert "C07" not in found.ids
    other = room(19, 2, Biden=(6, 9, 1), Buttigieg=(7, 0, 0), Sanders=(6, 10, 1))
    assert {"C07", "C08"} & other.ids == {"C07"}
    kept = room(19, 2, Biden=(6, 5, 1), Buttigieg=(7, 8, 1), Sanders=(6, 6, 0))
    assert {"C06", "C07", "C08"} & kept.ids == {"C06"}
    enough = room(19, 3, Biden=(6, 0, 0), Buttigieg=(7, 10, 2), Sanders=(6, 9, 1))
    assert {"C07", "C08"} & enough.ids == {"C07"}


def test_gains_come_from_people_who_were_free(room):
    rows = {"Biden": (50, 56, 2), "Sanders": (30, 34, 2), "Yang": (10, 0, 0)}
    assert "C09" not in room(90, 4, **rows).ids
    over = room(90, 4, **{**rows, "Sanders": (30, 35, 2)})
    assert over.says("C09") == (
        "2 groups gained 11 people (Biden by 6 and Sanders by 5), but only 10 were free to move."
    )
    assert over.findings["C09"].fields == ("Biden.final", "Sanders.final")
    assert "C09" not in room(91, 4, **{**rows, "Sanders": (30, 35, 2)}).ids  # one stood with nobody


def test_gains_from_a_viable_other_are_only_a_warning(room):
    rows = {"Biden": (60, 80, 3), "Sanders": (20, 20, 1), "Other": (20, 0, 0)}
    assert room(100, 4, **rows).findings["C09"].severity == "warning"
    assert room(100, 4, **{**rows, "Biden": (60, 81, 3)}).findings["C09"].severity == "error"


def test_people_who_stay_below_the_threshold(room):
    assert "C10" not in room(100, 4, Biden=(85, 85, 3), Yang=(15, 15, 1)).ids
    found = room(100, 4, Biden=(85, 85, 4), Yang=(15, 14, 0))
    assert found.says("C10") == "Yang with 14 stays below the 15 needed and gets no delegate."
    assert found.findings["C10"].severity == "note"


def test_more_viable_groups_than_delegates(room):
    rows = {"Biden": (6, 6, 1), "Buttigieg": (7, 7, 1), "Sanders": (6, 6, 0)}
    assert room(19, 2, **rows).says("C29") == (
        "3 groups are viable in the final alignment for 2 delegates: Biden 6, Buttigieg 7 and Sanders 6."
    )
    assert "C29" not in room(19, 3, **rows).ids


def test_a_viable_group_out_of_nothing(room):
    found = room(100, 4, Biden=(50, 50, 2), Yang=(50, 0, 0), Warren=(0, 50, 2)).findings["C30"]
    assert found.fields == ("Warren.first", "Warren.final")
    assert found.message.startswith("Warren goes from 0 to 50 and is viable")
    assert "C30" not in room(100, 4, Biden=(50, 50, 2), Yang=(49, 0, 0), Warren=(1, 50, 2)).ids
    assert "C30" not in room(100, 4, Biden=(86, 86, 4), Yang=(14, 0, 0), Warren=(0, 14, 0)).ids


def test_nobody_moved_though_someone_was_not_viable(room):
    assert "C33" in room(100, 4, Biden=(86, 86, 4), Yang=(14, 14, 0)).ids
    assert "C33" not in room(100, 4, Biden=(85, 85, 3), Yang=(15, 15, 1)).ids
    assert "C33" not in room(100, 4, Biden=(86, 86, 4), Yang=(14, 13, 0)).ids


def test_everyone_was_viable_yet_someone_gained(room):
    assert "C52" in room(100, 4, Biden=(50, 51, 2), Sanders=(50, 49, 2)).ids
    assert "C52" not in room(100, 4, Biden=(50, 50, 2), Sanders=(50, 49, 2)).ids  # departures are allowed
    assert "C52" not in room(100, 4, Biden=(49, 50, 2), Sanders=(50, 50, 2), Yang=(1, 0, 0)).ids


@pytest.mark.parametrize(
    ("attendance", "elects", "enough"), [(60, 2, 15), (60, 3, 10), (60, 4, 9), (100, 4, 15), (18, 3, 3)]
)
def test_thresholds_are_exact_at_their_multiples(room, attendance, elects, enough):
    rest = attendance - enough
    assert "C10" not in room(attendance, elects, Biden=(rest, rest, 1), Yang=(enough, enough, 1)).ids
    less = enough - 1
    assert "C10" in room(attendance, elects, Biden=(rest, rest, 1), Yang=(less, less, 1)).ids


def test_a_caucus_without_locked_groups_lets_them_move(room, iowa):
    free = replace(iowa, locked=False)
    moved = room(100, 4, rules=free, Biden=(50, 80, 3), Sanders=(30, 20, 1), Warren=(20, 0, 0))
    assert not {"C06", "C07", "C08", "C09", "C52"} & moved.ids
