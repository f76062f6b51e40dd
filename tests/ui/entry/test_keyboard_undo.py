"""Undo and redo over the sheet, with real keys; the draft follows."""

import sys

import pytest
from PySide6.QtCore import Qt

from caucus_desk.tally.report import Channel
from caucus_desk.ui.entry.history import History

CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


def kb():
    return sys.modules["caucus_tests_keyboard"]


@pytest.fixture
def clerk(sit):
    made = sit("clerk 07")
    made.open("77-DM14", Channel.PAPER)
    return made


def saved(clerk):
    clerk.window.shell.pages["entry"].leaving()
    return {path: text for path, text in kb().drafts(clerk.desk)[0].fields.items() if text}


def undo(clerk):
    clerk.key(Qt.Key.Key_Z, CTRL)


def test_a_visit_to_a_box_is_one_step_and_the_hand_goes_with_it(clerk):
    clerk.keys("161")
    clerk.enter()
    clerk.keys("12")
    clerk.enter()
    clerk.keys("3")
    undo(clerk)
    assert (clerk.where, clerk.text) == ("Bennet final", "")
    undo(clerk)
    assert (clerk.where, clerk.text) == ("Bennet first", "")
    assert saved(clerk) == {"attendance": "161"}
    clerk.key(Qt.Key.Key_Z, CTRL | SHIFT)
    assert (clerk.where, clerk.text) == ("Bennet first", "12")
    clerk.key(Qt.Key.Key_Y, CTRL)
    assert (clerk.where, clerk.text) == ("Bennet final", "3")
    assert saved(clerk) == {"attendance": "161", "Bennet.first": "12", "Bennet.final": "3"}


def test_two_visits_to_a_box_are_two_steps(clerk):
    clerk.keys("161")
    clerk.enter()
    clerk.key(Qt.Key.Key_Up)
    clerk.keys("7")
    undo(clerk)
    assert (clerk.where, clerk.text) == ("Attendance", "161")
    undo(clerk)
    assert clerk.text == ""
    undo(clerk)
    assert clerk.sees("Nothing is left to undo on this sheet.")


def test_what_is_typed_after_an_undo_ends_the_redo(clerk):
    clerk.keys("161")
    clerk.enter()
    clerk.keys("5")
    undo(clerk)
    clerk.keys("6")
    clerk.key(Qt.Key.Key_Y, CTRL)
    assert clerk.text == "6"
    assert clerk.sees("Nothing was undone that could be done again.")


def test_all_remaining_are_zero_goes_back_as_one_step(clerk):
    clerk.keys("161")
    clerk.key(Qt.Key.Key_F4)
    clerk.keys("y")
    assert len(saved(clerk)) > 30
    undo(clerk)
    assert saved(clerk) == {"attendance": "161"}


def test_undo_never_reaches_into_another_sheet(clerk):
    clerk.fill(161, kb().DM14)
    clerk.enter(2)
    clerk.find("57-CR01", Channel.PAPER)
    undo(clerk)
    assert saved(clerk) == {}
    clerk.keys("9")
    undo(clerk)
    undo(clerk)
    assert saved(clerk) == {}
    assert kb().reports(clerk.desk, "77-DM14")[Channel.PAPER].sheet.attendance == 161


def test_undo_keeps_the_drafts_beginning(clerk, sit):
    """What another window or another evening typed is where this sheet began."""
    clerk.keys("161")
    clerk.key(Qt.Key.Key_Escape)
    clerk.keys("k")
    again = sit("clerk 07")
    again.key(Qt.Key.Key_Down)
    again.enter()
    undo(again)
    assert saved(again) == {"attendance": "161"}


def test_undo_in_a_question_or_in_words_leaves_the_figures(clerk):
    rows = dict(kb().DM14)
    rows["Sanders"] = (45, 50, 1)
    clerk.fill(161, rows)
    before = saved(clerk)
    clerk.key(Qt.Key.Key_Escape)
    undo(clerk)
    assert clerk.sees("Leave this sheet?")
    clerk.key(Qt.Key.Key_Escape)
    clerk.ctrl_enter()
    assert clerk.where.startswith("Reason for")
    clerk.keys("asked")
    undo(clerk)
    clerk.key(Qt.Key.Key_Y, CTRL)
    assert clerk.where.startswith("Reason for")
    assert saved(clerk) == before


def test_a_step_that_changes_nothing_is_none():
    history = History()
    history.typed("a", "", "5")
    history.typed("a", "5", "")
    assert history.undo() == {}
    history.several({"a": "1"}, {"a": "1"})
    assert history.undo() == {}


def test_a_step_goes_back_and_forth():
    history = History()
    history.typed("a", "", "1")
    history.typed("a", "1", "12")
    history.left()
    history.several({"a": "12"}, {"a": "0", "b": "0"})
    assert history.undo() == {"a": "12", "b": ""}
    assert history.undo() == {"a": ""}
    assert history.undo() == {}
    assert history.redo() == {"a": "12"}
    assert history.redo() == {"a": "0", "b": "0"}
    assert history.redo() == {}
    history.forget()
    assert history.undo() == {}
