"""The Review page by keyboard: what differs, and a reviewer's ruling."""

import sys

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from caucus_desk.desk import entry, review
from caucus_desk.rules.errors import Refused
from caucus_desk.tally.catalogue import FINDINGS
from caucus_desk.tally.report import Channel
from caucus_desk.tally.sheet import GroupCounts, ResultSheet
from caucus_desk.tally.state import State


def kb():
    return sys.modules["caucus_tests_keyboard"]


def put(desk, precinct_id, channel, by, people=161, **fields):
    rows = {group: list(counts) for group, counts in kb().DM14.items()}
    for name, count in fields.items():
        group, column = name.split("_")
        rows[group][("first", "final", "delegates").index(column)] = count
    sheet = ResultSheet(people, tuple(GroupCounts(group, *counts) for group, counts in rows.items()))
    draft = entry.claim(desk, precinct_id, channel, by)
    reasons = {finding.id: "asked" for finding in entry.check(desk, precinct_id, sheet).findings}
    return entry.submit(
        desk, draft.id, sheet, by, reasons=reasons, confirmed=True, correcting="read it again"
    )


@pytest.fixture
def differing(desk):
    """Two precincts that differ, one that agrees, one with one report only."""
    put(desk, "77-DM14", Channel.PHONE, "clerk 07")
    put(desk, "77-DM14", Channel.PAPER, "clerk 12", Warren_final=30, Biden_first=19)
    put(desk, "77-DM42", Channel.PHONE, "clerk 07")
    put(desk, "77-DM42", Channel.PAPER, "clerk 12", people=162)
    put(desk, "57-CR01", Channel.PHONE, "clerk 07")
    put(desk, "57-CR01", Channel.PAPER, "clerk 12")
    put(desk, "56-K1", Channel.PHONE, "clerk 07")
    return desk


@pytest.fixture
def reviewer(differing, sit):
    made = sit("reviewer 3")
    made.page("review")
    return made


def state(desk, precinct_id="77-DM14"):
    return desk.overview().results[precinct_id].standing


def rulings(desk, precinct_id="77-DM14"):
    with desk.store.read() as unit:
        return unit.ruling_history(precinct_id)


def test_the_queue_holds_what_differs_with_count_and_fields(reviewer):
    rows = {row[0]: row for row in reviewer.listed() if row[0].startswith("Des Moines")}
    assert set(rows) == {"Des Moines-14\nPolk", "Des Moines-42\nPolk"}
    assert rows["Des Moines-14\nPolk"][1:] == ["2", "Biden first, Warren final"]
    assert rows["Des Moines-42\nPolk"][1:] == ["1", "Attendance"]
    assert not reviewer.sees("Cedar Rapids-01")


def test_channels_stand_beside_each_other_and_what_differs_is_marked_in_words(reviewer):
    reviewer.enter()
    assert reviewer.sees("clerk 07")
    assert reviewer.sees("clerk 12")
    lines = [row for row in reviewer.listed() if len(row) == 6]
    assert [row[2:4] for row in lines if row[-1] == "differs"] == [["20", "19"], ["31", "30"]]
    order = [row[0] for row in lines if row[0]]
    assert order == ["Biden", "Buttigieg", "Klobuchar", "Sanders", "Warren", "Yang"]


def test_field_by_field_with_a_reason(reviewer, differing):
    reviewer.enter()
    reviewer.keys("p")
    reviewer.enter()
    reviewer.keys("a")
    reviewer.enter()
    assert reviewer.where == "Reason"
    reviewer.keys("saw the sheet")
    reviewer.enter()
    reviewer.enter()
    assert state(differing).state is State.RULED
    sheet = state(differing).sheet
    assert (sheet.row("Biden").first, sheet.row("Warren").final) == (20, 30)
    (stored,) = rulings(differing)
    assert (stored.ruling.by, stored.ruling.reason) == ("reviewer 3", "saw the sheet")
    assert set(kb().reports(differing, "77-DM14")) == {Channel.PHONE, Channel.PAPER}, "reports stay"
    assert {row[0] for row in reviewer.listed() if row[0].startswith("Des")} == {"Des Moines-42\nPolk"}


def test_all_from_paper_with_one_key(reviewer, differing):
    reviewer.enter()
    reviewer.key(Qt.Key.Key_A, Qt.KeyboardModifier.ShiftModifier)
    reviewer.enter()
    reviewer.keys("the paper is signed")
    reviewer.ctrl_enter()
    sheet = state(differing).sheet
    assert (sheet.row("Biden").first, sheet.row("Warren").final) == (19, 30)


def test_a_value_that_neither_has_can_be_typed(reviewer, differing):
    reviewer.enter()
    reviewer.keys("18")
    reviewer.key(Qt.Key.Key_Backspace)
    reviewer.keys("7")
    reviewer.enter()
    reviewer.keys("p")
    reviewer.enter()
    reviewer.keys("chair called back")
    reviewer.ctrl_enter()
    assert state(differing).sheet.row("Biden").first == 17


def test_a_typed_value_over_the_limit_is_not_taken(reviewer, differing):
    reviewer.enter()
    reviewer.keys("123456")
    reviewer.enter()
    reviewer.keys("p")
    reviewer.enter()
    reviewer.keys("so it is")
    reviewer.ctrl_enter()
    assert state(differing).sheet.row("Biden").first == 12_345


@pytest.mark.parametrize("keys", ["", "p"])
def test_nothing_is_ruled_while_a_field_is_open(reviewer, differing, keys):
    reviewer.enter()
    reviewer.keys(keys)
    reviewer.ctrl_enter()
    reviewer.ctrl_enter()
    assert rulings(differing) == ()
    assert state(differing).state is State.MISMATCHED


def test_nothing_is_ruled_without_a_reason(reviewer, differing):
    reviewer.enter()
    reviewer.key(Qt.Key.Key_P, Qt.KeyboardModifier.ShiftModifier)
    reviewer.enter()
    reviewer.keys("   ")
    reviewer.ctrl_enter()
    reviewer.enter(3)
    assert rulings(differing) == ()
    assert reviewer.where == "Reason" or reviewer.focus.text() == "Record ruling"


def test_who_keyed_a_report_can_only_compare(differing, sit):
    clerk = sit("Clerk 12")
    clerk.page("review")
    clerk.enter()
    assert clerk.sees("another person decides")
    assert any(row[-1] == "differs" for row in clerk.listed())
    clerk.key(Qt.Key.Key_P, Qt.KeyboardModifier.ShiftModifier)
    clerk.ctrl_enter()
    clerk.keys("p")
    clerk.enter(3)
    assert rulings(differing) == ()


def test_a_newer_report_ends_the_case_on_the_screen(reviewer, differing):
    reviewer.enter()
    reviewer.key(Qt.Key.Key_P, Qt.KeyboardModifier.ShiftModifier)
    put(differing, "77-DM14", Channel.PAPER, "clerk 12", Warren_final=29)
    reviewer.enter()
    reviewer.keys("not seen yet")
    reviewer.ctrl_enter()
    assert rulings(differing) == ()
    assert reviewer.sees("newer")
    assert state(differing).state is State.MISMATCHED


def test_who_keys_a_precinct_does_not_see_the_others_numbers_here(differing, sit):
    clerk = sit("clerk 30")
    clerk.open("77-DM14", Channel.PAPER)
    clerk.keys("1")
    clerk.page("review")
    clerk.enter()
    assert clerk.sees("You are keying this precinct")
    assert not any(row[-1] == "differs" for row in clerk.listed())


def test_an_empty_queue_says_so(sit):
    clerk = sit("reviewer 3")
    clerk.page("review")
    assert clerk.sees("Nothing differs")


def test_the_filter_narrows_at_each_key(reviewer):
    reviewer.key(Qt.Key.Key_Backtab)
    assert reviewer.where == "Filter the queue"
    reviewer.keys("42")
    assert {row[0] for row in reviewer.listed() if row[0].startswith("Des")} == {"Des Moines-42\nPolk"}
    reviewer.enter()
    reviewer.enter()
    assert reviewer.sees("Attendance")


def test_whose_findings_are_shown_and_what_clerks_said(desk, sit):
    put(desk, "77-DM14", Channel.PHONE, "clerk 07")
    put(desk, "77-DM14", Channel.PAPER, "clerk 12", Sanders_final=5)
    reviewer = sit("reviewer 3")
    reviewer.page("review")
    reviewer.enter()
    QTest.qWait(20)
    assert reviewer.sees("clerk 12 submitted with the reason “asked”")
    assert reviewer.sees(FINDINGS["C06"].title)
    reviewer.keys("a")
    QTest.qWait(20)
    assert reviewer.sees("Findings of the sheet as it would stand, with what is chosen above")
    assert reviewer.sees("Ctrl+Enter")


def test_a_figure_is_no_reason_for_a_ruling(reviewer, differing):
    reviewer.enter()
    reviewer.key(Qt.Key.Key_P, Qt.KeyboardModifier.ShiftModifier)
    reviewer.enter()
    assert reviewer.where == "Reason"
    for _ in range(3):
        reviewer.keys("50")
        reviewer.enter()
    assert (reviewer.where, reviewer.text) == ("Reason", "")
    reviewer.ctrl_enter()
    assert rulings(differing) == ()
    assert reviewer.sees("A reason is said in words")
    with pytest.raises(Refused, match="in words"):
        review.rule(
            differing,
            "77-DM42",
            {"attendance": 161},
            seen_report=review.case(differing, "77-DM42").seen_report,
            reason="50",
            by="reviewer 3",
        )


def test_what_is_blank_in_both_is_to_be_asked(desk, sit):
    put(desk, "77-DM14", Channel.PHONE, "clerk 07", Yang_final=None)
    put(desk, "77-DM14", Channel.PAPER, "clerk 12", Yang_final=None)
    reviewer = sit("reviewer 3")
    reviewer.page("review")
    reviewer.enter()
    assert [row[-1] for row in reviewer.listed() if row[-1].startswith("blank")] == ["blank in both: ask"]


def looked(desk):
    with desk.store.read() as unit:
        return [(look.precinct_id, look.by) for look in unit.looks()]


def test_walking_through_the_queue_shows_no_figures_and_is_no_look(reviewer, differing):
    assert reviewer.sees("The figures are covered")
    reviewer.key(Qt.Key.Key_Down)
    reviewer.key(Qt.Key.Key_Up)
    assert not [row for row in reviewer.listed() if len(row) == 6]
    assert looked(differing) == []
    reviewer.enter()
    assert [row for row in reviewer.listed() if len(row) == 6]
    assert looked(differing) == [("77-DM14", "reviewer 3")]
    with pytest.raises(Refused, match="has looked at the figures"):
        entry.claim(differing, "77-DM14", Channel.APP, "reviewer 3")


def test_a_case_in_hand_stays_open_when_a_newer_report_comes_in(reviewer, differing):
    reviewer.enter()
    put(differing, "77-DM14", Channel.PAPER, "clerk 12", Warren_final=29, Biden_first=19)
    reviewer.window.shell.context.look()
    assert [row for row in reviewer.listed() if len(row) == 6]
    assert reviewer.sees("A newer report of")
    assert len(looked(differing)) == 2, "the trail knows that the newer one was seen too"


@pytest.mark.parametrize("page", ["review", "precincts", "results"])
def test_no_page_shows_the_other_clerks_figures_while_the_sheet_is_keyed(desk, sit, page):
    put(desk, "57-CR01", Channel.PHONE, "clerk 07", people=38_260, Biden_first=24_681)
    late = sit("clerk 12")
    # Going into a case on the Review page is looking: then there would be no keying.
    late.window.shell.show_page(page, "57-CR01" if page != "review" else "")
    late.page("entry")
    late.window.shell.current.finder.begin()
    late.open("57-CR01", Channel.PAPER)
    late.keys("5")
    late.window.shell.show_page(page, "57-CR01")
    late.key(Qt.Key.Key_S)
    assert not late.sees("24681")
    assert not late.sees("24,681")
    assert late.sees("You are keying this precinct")
    assert looked(desk) == []
