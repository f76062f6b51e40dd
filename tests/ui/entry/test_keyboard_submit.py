"""Submitting: from wherever the hand is, once, and never by a key that is held."""

import sys

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication

from caucus_desk.tally.report import Channel

CTRL, NONE = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.NoModifier


def kb():
    return sys.modules["caucus_tests_keyboard"]


def history(clerk):
    with clerk.desk.store.read() as unit:
        return unit.history("77-DM14")


def held(clerk, modifier=NONE, times=30):
    """The key repeats by itself: presses without a release."""
    for _ in range(times):
        event = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Return, modifier, "\r", True)
        QApplication.sendEvent(clerk.focus, event)


@pytest.fixture
def clerk(sit):
    return sit("clerk 07")


def test_a_key_held_on_submit_submits_nothing(clerk):
    clerk.key_sheet("77-DM14", Channel.PAPER, 161, kb().DM14)
    held(clerk)
    held(clerk, CTRL)
    clerk.rest()
    assert not history(clerk)
    clerk.enter()
    assert len(history(clerk)) == 1


def test_a_key_that_submitted_and_is_still_held_leaves_the_receipt_on_the_screen(clerk):
    clerk.key_sheet("77-DM14", Channel.PAPER, 161, kb().DM14)
    clerk.enter()
    held(clerk)
    assert clerk.where.startswith("Receipt code")
    assert len(history(clerk)) == 1


def test_two_presses_in_a_row_submit_once(clerk):
    clerk.key_sheet("77-DM14", Channel.PAPER, 161, kb().DM14)
    submit = clerk.focus
    for _ in range(2):
        for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
            QApplication.sendEvent(submit, QKeyEvent(kind, Qt.Key.Key_Return, NONE, "\r"))
    clerk.rest()
    assert len(history(clerk)) == 1


@pytest.mark.parametrize("place", ["threshold", "chair_signed", "Sanders.final", "attendance"])
def test_ctrl_enter_submits_a_paper_sheet_from_any_box(clerk, place):
    clerk.key_sheet("77-DM14", Channel.PAPER, 161, kb().DM14)
    grid = clerk.window.shell.current._sheet.grid
    if place in grid.extra_order:
        clerk.key(Qt.Key.Key_F6)
        while clerk.focus is not grid.boxes[place]:
            clerk.key(Qt.Key.Key_Down)
    else:
        while clerk.focus is not grid.boxes[place]:
            clerk.key(Qt.Key.Key_Up)
    clerk.ctrl_enter()
    assert len(history(clerk)) == 1


@pytest.mark.parametrize("line", ["Caller", "Call back", "PIN or worksheet id"])
def test_ctrl_enter_submits_a_phone_sheet_from_the_callers_lines(clerk, line):
    clerk.key_sheet("77-DM14", Channel.PHONE, 161, kb().DM14)
    clerk.key(Qt.Key.Key_Up)
    clerk.key(Qt.Key.Key_Backtab)
    while clerk.where != line:
        clerk.key(Qt.Key.Key_Backtab)
    clerk.ctrl_enter()
    assert len(history(clerk)) == 1


def test_ctrl_enter_in_a_question_answers_nothing(clerk):
    clerk.key_sheet("77-DM14", Channel.PAPER, 161, kb().DM14)
    clerk.key(Qt.Key.Key_Escape)
    clerk.ctrl_enter()
    assert clerk.sees("Leave this sheet?")
    assert not history(clerk)


def test_shift_enter_leads_back_from_submit(clerk):
    clerk.key_sheet("77-DM14", Channel.PAPER, 161, kb().DM14)
    clerk.key(Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert clerk.where == "Uncommitted delegates"
