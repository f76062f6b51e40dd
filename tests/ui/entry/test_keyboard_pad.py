"""The number pad with NumLock off: its keys arrive as arrows marked as the pad's, and are read as digits."""

import sys

import pytest
from PySide6.QtCore import Qt

from caucus_desk.tally.report import Channel
from caucus_desk.ui.entry import keypad

PAD = Qt.KeyboardModifier.KeypadModifier
OFF = {
    "0": Qt.Key.Key_Insert, "1": Qt.Key.Key_End, "2": Qt.Key.Key_Down, "3": Qt.Key.Key_PageDown,
    "4": Qt.Key.Key_Left, "5": Qt.Key.Key_Clear, "6": Qt.Key.Key_Right, "7": Qt.Key.Key_Home,
    "8": Qt.Key.Key_Up, "9": Qt.Key.Key_PageUp,
}  # fmt: skip


def kb():
    return sys.modules["caucus_tests_keyboard"]


@pytest.fixture
def clerk(sit):
    made = sit("clerk 07")
    made.open("77-DM14", Channel.PAPER)
    return made


def pad(clerk, digits):
    for digit in digits:
        clerk.key(OFF[digit], PAD)


def test_the_pads_keys_are_the_digits_on_them_and_lead_nowhere(clerk):
    pad(clerk, "12345")
    assert (clerk.where, clerk.text) == ("Attendance", "12345")
    for _ in range(5):
        clerk.key(Qt.Key.Key_Backspace)
    pad(clerk, "67890")
    assert (clerk.where, clerk.text) == ("Attendance", "67890")
    assert clerk.sees("NumLock is off")
    clerk.key(Qt.Key.Key_Enter, PAD)
    assert clerk.where == "Bennet first"
    assert not clerk.sees("NumLock is off")


def test_the_pads_point_deletes_nothing(clerk):
    pad(clerk, "12")
    clerk.key(Qt.Key.Key_Delete, PAD)
    assert clerk.text == "12"


def test_the_keys_that_lie_apart_move_as_ever(clerk):
    clerk.keys("12")
    clerk.key(Qt.Key.Key_Down)
    assert clerk.where == "Bennet first"
    clerk.key(Qt.Key.Key_Up)
    clerk.key(Qt.Key.Key_End)
    clerk.key(Qt.Key.Key_Left)
    clerk.keys("7")
    assert clerk.text == "172"
    clerk.key(Qt.Key.Key_Delete)
    assert clerk.text == "17"


def test_with_numlock_on_the_pad_types_digits(clerk):
    for key in (Qt.Key.Key_1, Qt.Key.Key_6, Qt.Key.Key_1):
        clerk.key(key, PAD)
    assert clerk.text == "161"
    assert not clerk.sees("NumLock is off")


def test_the_pad_on_submit_is_a_hand_that_ran_on(clerk):
    clerk.fill(161, kb().DM14)
    pad(clerk, "8")
    assert clerk.sees("The sheet ends here: 8 was not taken.")
    pad(clerk, "2")
    assert (clerk.where, clerk.text) == ("Uncommitted delegates", "")
    assert clerk.sees("The sheet ends here: 2 was not taken.")


def test_the_pad_types_into_the_line_of_the_search(sit):
    clerk = sit("clerk 07")
    clerk.keys("dm")
    pad(clerk, "14")
    assert (clerk.where, clerk.text) == ("Find a precinct", "dm14")
    assert [row[0] for row in clerk.listed()] == ["77-DM14"]


def test_the_pad_begins_no_reason(clerk):
    rows = dict(kb().DM14)
    rows["Sanders"] = (45, 50, 1)
    clerk.fill(161, rows)
    clerk.enter()
    where = clerk.where
    pad(clerk, "82")
    assert (clerk.where, clerk.text) == (where, "")
    assert clerk.sees("2 was not taken: here goes a reason")


def test_where_every_arrow_is_marked_as_the_pads_they_move(clerk, monkeypatch):
    monkeypatch.setattr(keypad, "_MARKS_ARROWS", True)
    clerk.keys("12")
    clerk.key(Qt.Key.Key_Down, PAD)
    assert clerk.where == "Bennet first"
