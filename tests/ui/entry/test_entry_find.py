"""Finding a precinct by keyboard: the list narrows, and nothing is taken that nobody chose."""

import sys

import pytest

from caucus_desk.tally.report import Channel


def kb():
    return sys.modules["caucus_tests_keyboard"]


def ids(clerk):
    return [row[0] for row in clerk.listed()]


def test_the_list_narrows_at_each_key(sit):
    clerk = sit("clerk 07")
    clerk.keys("p")
    first = ids(clerk)
    assert "77-DM14" in first
    clerk.keys("olk des")
    assert set(ids(clerk)) == {"77-DM14", "77-DM42"}
    clerk.keys(" 42")
    assert ids(clerk)[0] == "77-DM42"


@pytest.mark.parametrize("typed", ["L", "Le", "Polk", "Des Moines", "77"])
def test_enter_never_takes_an_unseen_first_row(desk, sit, typed):
    clerk = sit("clerk 07")
    clerk.keys(typed)
    clerk.enter()
    clerk.answer("p")
    assert kb().drafts(desk) == []
    assert clerk.where == "Find a precinct"


def test_enter_takes_the_row_that_was_highlighted(desk, sit):
    clerk = sit("clerk 07")
    clerk.keys("polk des")
    wanted = ids(clerk)[1]
    clerk.key(kb().Qt.Key.Key_Down)
    clerk.key(kb().Qt.Key.Key_Down)
    clerk.enter()
    clerk.answer("a")
    assert [(draft.precinct_id, draft.channel) for draft in kb().drafts(desk)] == [(wanted, Channel.PAPER)]


def test_typing_on_forgets_the_highlight(desk, sit):
    clerk = sit("clerk 07")
    clerk.keys("polk")
    clerk.key(kb().Qt.Key.Key_Down)
    clerk.keys(" d")
    clerk.enter()
    clerk.answer("a")
    assert kb().drafts(desk) == []


@pytest.mark.parametrize("typed", ["77-DM14", "77-dm14", "Polk Des Moines-14", "Des Moines-14"])
def test_a_name_in_full_is_taken(desk, sit, typed):
    clerk = sit("clerk 07")
    clerk.keys(typed)
    clerk.enter()
    clerk.answer("p")
    assert [draft.precinct_id for draft in kb().drafts(desk)] == ["77-DM14"]


def test_a_scanner_that_sends_the_code_twice_keys_nothing(desk, sit):
    clerk = sit("clerk 07")
    for _ in range(2):
        clerk.keys("77-DM14")
        clerk.enter()
    assert all(not draft.fields for draft in kb().drafts(desk))
    assert kb().reports(desk, "77-DM14") == {}


def test_the_second_report_by_the_same_person_is_refused_in_words(desk, sit):
    clerk = sit("clerk 07")
    clerk.key_sheet("77-DM14", Channel.PHONE, kb().DM14_PEOPLE, kb().DM14)
    clerk.enter()
    clerk.enter()
    other = sit("  CLERK 07 ")
    other.find("77-DM14", Channel.PAPER)
    assert kb().drafts(desk) == []
    assert other.sees("must be keyed by another person")
    assert list(kb().reports(desk, "77-DM14")) == [Channel.PHONE]


def test_who_has_a_sheet_and_since_when(desk, sit):
    clerk = sit("clerk 07")
    clerk.open("77-DM14", Channel.PAPER)
    clerk.keys("161")
    other = sit("clerk 12", beside=True)
    other.find("77-DM14", Channel.PAPER)
    assert other.sees("clerk 07 has the paper sheet of")
    assert other.sees(" since ")
    assert [draft.by for draft in kb().drafts(desk)] == ["clerk 07"]


def test_a_sheet_whose_window_was_closed_is_for_anybody_to_take_up(desk, sit):
    clerk = sit("clerk 07")
    clerk.open("77-DM14", Channel.PAPER)
    clerk.keys("161")
    other = sit("clerk 12")
    assert other.sees("left by clerk 07")
    other.find("77-DM14", Channel.PAPER)
    other.wait_until(lambda: other.window.shell.current._sheet.sheet.attendance == 161)
    (draft,) = kb().drafts(desk)
    assert draft.by == "clerk 12"
    assert set(draft.typists) == {"clerk 07", "clerk 12"}


def test_a_merged_precinct_is_refused(desk, sit):
    clerk = sit("clerk 07")
    clerk.find("56-K2", Channel.PAPER)
    assert kb().drafts(desk) == []
    assert clerk.sees("merged")


def test_escape_empties_the_line(sit):
    clerk = sit("clerk 07")
    clerk.keys("polk")
    clerk.key(kb().Qt.Key.Key_Escape)
    assert clerk.text == ""


def test_the_only_one_left_is_seen_to_be_chosen_and_enter_takes_it(desk, sit):
    clerk = sit("clerk 07")
    clerk.keys("ceda")
    assert ids(clerk) == ["57-CR01"]
    assert clerk.window.shell.current.finder.view.current_key == "57-CR01"
    assert clerk.sees("Enter takes it")
    clerk.enter()
    clerk.answer("a")
    assert [draft.precinct_id for draft in kb().drafts(desk)] == ["57-CR01"]


def test_where_nothing_fits_nothing_is_to_be_chosen(sit):
    clerk = sit("clerk 07")
    clerk.keys("zzyx")
    clerk.enter()
    assert ids(clerk) == []
    assert clerk.sees("No precinct fits “zzyx”")
    assert "↓" not in clerk.screen()
