"""A recanvass compared by itself: what differs, what it moves, and what cards cannot say."""

from datetime import UTC, datetime, timedelta
from fractions import Fraction

import pytest
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st

from caucus_desk.tally.overview import Overview
from caucus_desk.tally.recanvass import (
    CARDS,
    CARDS_MISSING,
    ChosenPrecinct,
    Comparing,
    Progress,
    Recanvass,
    RecanvassEnd,
    RecanvassKind,
    RecanvassSheet,
    as_paper,
    card_remarks,
    compare_sheets,
    recount_form,
)
from caucus_desk.tally.results import By, Counting
from caucus_desk.tally.sheet import GroupCounts, ResultSheet

from .outlooks import RULES, given, overview, precinct, report, sheet, site

AT = datetime(2020, 2, 8, tzinfo=UTC)
DUE = AT + timedelta(days=2)
ONE, TWO = precinct("1", 6), precinct("2", 5)


def keyed(id: str, figures: ResultSheet, number: int = 1) -> RecanvassSheet:
    return RecanvassSheet(number, number + 10, id, figures, "Fay", AT)


def found(
    whole: Overview, *pairs: tuple[RecanvassSheet, ResultSheet], kind: RecanvassKind = RecanvassKind.RECANVASS
) -> Comparing:
    return compare_sheets(whole, Counting.REPORTED, kind, pairs)


def whole(one: ResultSheet, two: ResultSheet) -> Overview:
    return overview(report(ONE, one), report(TWO, two))


@settings(max_examples=40)
@drawn(
    st.lists(st.integers(0, 6), min_size=2, max_size=2),
    st.lists(st.integers(0, 5), min_size=2, max_size=2),
)
def test_what_all_move_together_is_the_sum_of_what_each_moves(first: list[int], second: list[int]) -> None:
    before = given(Sanders=3, Warren=3), given(Sanders=2, Warren=3)
    after = given(Sanders=first[0], Warren=first[1]), given(Sanders=second[0], Warren=second[1])
    whole_ = whole(*before)
    both = found(whole_, (keyed("1", after[0]), before[0]), (keyed("2", after[1], 2), before[1]))
    for group in RULES.keys:
        together = next(move.sde for move in both.together.groups if move.group == group)
        assert together == sum((one.sdes.get(group, Fraction(0)) for one in both.differences), Fraction(0))
    then = whole(*after).tally(By.STATE).rows[0]
    assert {move.group: move.after.sde for move in both.together.groups} == {
        line.group: line.sde for line in then.groups
    }


def test_the_same_sheet_moves_nothing_and_is_listed_as_the_same() -> None:
    figures = given(Sanders=3, Warren=3)
    both = found(whole(figures, given(Sanders=5)), (keyed("1", figures), figures))
    assert both.differing == ()
    assert both.differences[0].same
    assert both.together.changes == ()


def test_a_blank_row_is_nobody_and_what_is_not_stated_is_as_it_was() -> None:
    before = sheet(100, Sanders=(60, 60, 4), Warren=(40, 40, 2), Yang=(0, 0, 0))
    after = ResultSheet(None, (GroupCounts("Sanders", 60, 60, 4), GroupCounts("Warren", 40, 40, 2)))
    both = found(whole(before, given(Sanders=5)), (keyed("1", after), before))
    assert both.differing == ()


def test_another_site_s_attendance_moves_its_pool() -> None:
    a, b = site("A", None), site("B", None)
    one, other = sheet(30, Sanders=(30, 30, 4)), sheet(30, Warren=(30, 30, 4))
    larger = sheet(90, Sanders=(90, 90, 4))
    both = found(overview(report(a, one), report(b, other)), (keyed("A", larger), one))
    then = overview(report(a, larger), report(b, other)).tally(By.STATE).rows[0]
    assert {move.group: move.after.sde for move in both.together.groups} == {
        line.group: line.sde for line in then.groups
    }
    assert any(move.group == "Warren" and move.sde < 0 for move in both.together.groups)


def test_cards_say_nothing_of_the_attendance() -> None:
    before = sheet(100, Sanders=(60, 60, 4), Warren=(40, 40, 2))
    cards = ResultSheet(
        None,
        (GroupCounts("Sanders", None, 55, 3), GroupCounts("Warren", None, 43, 3)),
        ((CARDS, 98), (CARDS_MISSING, 2)),
    )
    paper = as_paper(RecanvassKind.RECOUNT, cards, before)
    assert (paper.attendance, paper.extras) == (100, ())
    assert [(row.first, row.final, row.delegates) for row in paper.groups[:2]] == [(60, 55, 3), (40, 43, 3)]
    both = found(whole(before, given(Sanders=5)), (keyed("1", cards), before), kind=RecanvassKind.RECOUNT)
    assert [change.field for change in both.differences[0].fields] == [
        "Sanders.final", "Sanders.delegates", "Warren.final", "Warren.delegates",
    ]  # fmt: skip


def test_the_form_of_a_recount_asks_for_cards() -> None:
    form = recount_form(RULES, RecanvassKind.RECOUNT)
    assert [field.path for field in form.sheet_fields] == [CARDS, CARDS_MISSING]
    assert form.paper_fields == ()
    assert recount_form(RULES, RecanvassKind.RECANVASS).paper_fields


@pytest.mark.parametrize(("cards", "said"), [(100, 0), (99, 1), (None, 0)])
def test_more_people_than_cards_is_said(cards: int | None, said: int) -> None:
    figures = ResultSheet(None, (GroupCounts("Sanders", None, 100, 6),), ((CARDS, cards),))
    assert len(card_remarks(figures, ONE)) == said


def test_delegates_that_are_not_those_to_elect_are_said() -> None:
    figures = ResultSheet(None, (GroupCounts("Sanders", None, 90, 5),), ((CARDS, 90),))
    assert card_remarks(figures, ONE) == ("The delegates add up to 5; the precinct elects 6.",)


def one(*sheets: RecanvassSheet, end: RecanvassEnd | None = None) -> Recanvass:
    chosen = (ChosenPrecinct("1"), ChosenPrecinct("2"))
    return Recanvass(
        1, 5, RecanvassKind.RECANVASS, 1, "a campaign", "why", DUE, "Lea", AT, chosen, sheets, end
    )


def test_what_is_left_and_how_far_it_is() -> None:
    figures = given(Sanders=6)
    begun = one(keyed("2", figures))
    assert begun.left == ("1",)
    assert begun.progress(DUE) is Progress.OPEN
    assert begun.progress(DUE + timedelta(seconds=1)) is Progress.OVERDUE
    done = one(keyed("2", figures), keyed("1", figures, 2))
    assert done.progress(DUE) is Progress.KEYED
    assert done.progress(DUE + timedelta(seconds=1)) is Progress.OVERDUE
    ended = one(keyed("2", figures), end=RecanvassEnd(30, "Lea", AT, "as it was"))
    assert ended.progress(DUE + timedelta(days=9)) is Progress.ENDED
    assert ended.as_of(20).progress(DUE) is Progress.OPEN
    assert ended.as_of(10).sheets == ()
    assert ended.as_of(30).end is not None


def test_a_later_sheet_stands_in_the_place_of_an_earlier_one() -> None:
    last = keyed("1", given(Sanders=5, Warren=1), 2)
    assert one(keyed("1", given(Sanders=6)), last).standing() == {"1": last}
