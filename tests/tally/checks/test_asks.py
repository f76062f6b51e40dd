"""What a clerk asks the caller: in words, with the figures that stand on the sheet."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caucus_desk.tally.checks import check_sheet
from caucus_desk.tally.roster import Precinct
from caucus_desk.tally.sheet import GroupCounts, ResultSheet

WITHOUT_A_FIGURE = {"C18", "C19", "C26", "C43", "C44", "C45", "C46"}
"""They ask for what is missing or was done, and no figure is in doubt."""
GROUPS = ("Biden", "Buttigieg", "Klobuchar", "Sanders", "Warren")


def test_late_people_are_asked_for_with_all_three_numbers(room):
    asked = room(120, 4, Biden=(55, 60, 2), Sanders=(50, 52, 2)).findings["C03"].ask
    assert asked == (
        "The final column adds to 112, the first to 105. Did 7 people line up late? Else please read me both"
        " columns again."
    )


@pytest.mark.parametrize(
    ("rows", "id", "said"),
    [
        ({"Sanders": (45, 5, 2), "Biden": (55, 95, 2)}, "C06", "Sanders first 45, final 5"),
        ({"Sanders": (45, 45, 2), "Biden": (55, 50, 2), "Yang": (0, 5, 0)}, "C10", "Yang with 5"),
        ({"Sanders": (45, 45, 2), "Biden": (50, 50, 1), "Yang": (5, 5, 1)}, "C11", "Yang with 5 people"),
        ({"Sanders": (45, 45, 4), "Biden": (55, 55, 0)}, "C13", "Biden with 55"),
        ({"Sanders": (45, 45, 3), "Biden": (55, 55, 1)}, "C16", "55 and 45"),
        ({"Sanders": (50, 50, 1), "Biden": (50, 50, 3)}, "C17", "50 people each"),
        ({"Sanders": (100, 0, 0)}, "C51", "100 people"),
    ],
)
def test_a_question_names_the_figures_it_is_about(room, rows, id, said):
    assert said in room(100, 4, **rows).findings[id].ask


@given(
    attendance=st.integers(0, 200),
    counts=st.lists(
        st.tuples(st.integers(0, 60), st.integers(0, 60), st.integers(0, 5)), min_size=5, max_size=5
    ),
    elects=st.integers(1, 9),
)
def test_any_question_carries_a_figure_and_ends_as_speech(iowa, attendance, counts, elects):
    rows = tuple(GroupCounts(name, *row) for name, row in zip(GROUPS, counts, strict=True))
    for finding in check_sheet(
        iowa, Precinct("p", "Polk", "P", delegates=elects), ResultSheet(attendance, rows)
    ):
        assert finding.ask.endswith((".", "?")), finding.id
        if finding.id not in WITHOUT_A_FIGURE:
            assert re.search(r"\d", finding.ask), (finding.id, finding.ask)
