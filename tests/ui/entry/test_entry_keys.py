"""Every key in a count: what is taken, what is not, and where it leads. Read from the draft in the store."""

import string
import sys

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QInputMethodEvent, QKeyEvent, QWheelEvent
from PySide6.QtWidgets import QApplication

from caucus_desk.tally.report import Channel


def kb():
    return sys.modules["caucus_tests_keyboard"]


@pytest.fixture
def clerk(desk, sit):
    """With the hand on Attendance of an empty paper sheet."""
    made = sit("clerk 07")
    made.open("77-DM14", Channel.PAPER)
    return made


def saved(clerk, path):
    """What stands in the draft, once all is written."""
    clerk.window.shell.pages["entry"].leaving()
    (draft,) = kb().drafts(clerk.desk)
    return draft.fields.get(path, "")


def test_characters_that_are_no_digit_change_nothing(clerk):
    clerk.keys("12")
    for character in string.punctuation + " ":
        clerk.keys(character)
        assert clerk.text == "12", character
    for character in "´ß½²€Ⅳ一":
        clerk.press(character)
        assert not set(clerk.text) - set("12"), character
    assert saved(clerk, "attendance") == "12"


def test_letters_change_nothing_and_lead_to_their_group(clerk):
    clerk.keys("12")
    clerk.keys("w")
    assert clerk.where == "Warren first"
    clerk.keys("39")
    clerk.keys("b")
    assert clerk.where == "Bennet first"
    clerk.keys("b")
    assert clerk.where == "Biden first"
    clerk.key(Qt.Key.Key_Return)
    assert clerk.where == "Biden final"
    clerk.keys("s")
    assert clerk.where == "Sanders final"
    clerk.keys("x")
    assert clerk.where == "Sanders final", "no group begins so: the hand stays"
    assert saved(clerk, "attendance") == "12"
    assert saved(clerk, "Warren.first") == "39"


@pytest.mark.parametrize("typed", ["１２３", "١٢٣", "१२३"])
def test_digits_of_other_scripts_are_digits(clerk, typed):
    for character in typed:
        clerk.press(character)
    assert clerk.text == "123"
    assert saved(clerk, "attendance") == "123"


def test_one_digit_too_many_is_refused_with_the_limit_named(clerk):
    clerk.keys("99999")
    assert clerk.text == "99999"
    assert not clerk.sees("99,999.")
    clerk.keys("1")
    assert clerk.text == "99999"
    assert clerk.sees("Attendance: 999,991 is over the limit. A count is at most 99,999.")
    clerk.key(Qt.Key.Key_Backspace)
    clerk.keys("8")
    assert not clerk.sees("over the limit")
    assert saved(clerk, "attendance") == "99998"


@pytest.mark.parametrize(
    ("pasted", "becomes"),
    [
        ("1,234 ", "1234"),
        ("1 234", "1234"),
        ("12\r\n", "12"),
        (" 7", "7"),
        ("007", "7"),
        ("１２", "12"),
        ("0", "0"),
    ],
)
def test_a_well_formed_number_is_pasted(clerk, pasted, becomes):
    clerk.paste(pasted)
    assert clerk.text == becomes
    assert saved(clerk, "attendance") == becomes


@pytest.mark.parametrize(
    "pasted",
    [
        "12.345.678",
        "abc",
        "12a",
        "1,23",
        "1,2345",
        "-5",
        "1e5",
        "12.5",
        "1.234",
        "3\n4\n5",
        "1\t2",
        "100000",
        "1 2",
    ],
)
def test_anything_else_is_refused_whole_and_quoted(clerk, pasted):
    clerk.keys("88")
    clerk.paste(pasted)
    assert clerk.text == "88"
    assert clerk.sees("“" + " ".join(pasted.split()) + "”")
    assert saved(clerk, "attendance") == "88"


def test_a_paste_over_the_limit_beside_what_stands_there_is_refused(clerk):
    clerk.keys("1234")
    clerk.key(Qt.Key.Key_End)
    clerk.paste("567")
    assert clerk.text == "1234"
    assert clerk.sees("at most 99,999")


def test_a_message_ends_with_the_next_key_elsewhere(clerk):
    clerk.keys("161")
    clerk.keys("w")
    clerk.paste("no number")
    assert clerk.sees("no number")
    clerk.keys("b")
    clerk.keys("123")
    assert (clerk.where, clerk.text) == ("Bennet first", "123")
    assert not clerk.sees("no number")


def test_blank_and_zero_are_apart(clerk):
    clerk.keys("0")
    assert saved(clerk, "attendance") == "0"
    clerk.key(Qt.Key.Key_Backspace)
    assert saved(clerk, "attendance") == ""


def test_leading_zeros_go_when_the_hand_leaves(clerk):
    clerk.keys("007")
    clerk.enter()
    clerk.key(Qt.Key.Key_Up)
    assert clerk.text == "7"
    assert saved(clerk, "attendance") == "7"


def test_landing_on_a_field_selects_it_so_that_typing_replaces(clerk):
    clerk.keys("161")
    clerk.enter()
    clerk.key(Qt.Key.Key_Up)
    clerk.keys("7")
    assert clerk.text == "7"


def test_the_caret_stays_where_it_is_in_the_middle_of_a_number(clerk):
    clerk.keys("12345")
    for _ in range(2):
        clerk.key(Qt.Key.Key_Left)
    clerk.key(Qt.Key.Key_Backspace)
    clerk.keys("9")
    assert clerk.text == "12945"


def test_the_wheel_does_nothing(clerk):
    clerk.keys("120")
    for delta in (120, -120):
        middle = QPointF(clerk.focus.rect().center())
        event = QWheelEvent(
            middle, clerk.focus.mapToGlobal(middle), QPoint(), QPoint(0, delta), Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(clerk.focus, event)
    assert clerk.text == "120"


def test_an_input_method_composes_without_moving_on(clerk):
    QApplication.sendEvent(clerk.focus, QInputMethodEvent("12", []))
    clerk.enter()
    assert clerk.where == "Attendance"
    done = QInputMethodEvent("", [])
    done.setCommitString("１２")
    QApplication.sendEvent(clerk.focus, done)
    assert clerk.text == "12"
    clerk.enter()
    assert clerk.where == "Bennet first"
    QApplication.sendEvent(clerk.focus, QInputMethodEvent("か", []))
    done = QInputMethodEvent("", [])
    done.setCommitString("か")
    QApplication.sendEvent(clerk.focus, done)
    assert clerk.text == ""


def way(clerk, key, modifier=Qt.KeyboardModifier.NoModifier):
    """Names of the fields that the key leads through, until it leads no further."""
    names = [clerk.where]
    for _ in range(80):
        clerk.key(key, modifier)
        if clerk.where == names[-1]:
            break
        names.append(clerk.where)
    return names


def expected(desk):
    columns = ("first", "final", "delegates")
    return ["Attendance", *(f"{group} {column}" for group in desk.rules.keys for column in columns)]


def test_down_goes_through_the_paper_order_and_stops_at_the_end(clerk):
    assert way(clerk, Qt.Key.Key_Down) == expected(clerk.desk)


def test_enter_goes_through_the_paper_order_and_then_to_submit(clerk):
    names = [clerk.where]
    for _ in range(len(expected(clerk.desk)) - 1):
        clerk.enter()
        names.append(clerk.where)
    assert names == expected(clerk.desk)
    clerk.enter()
    assert clerk.focus.text() == "Submit"


@pytest.mark.parametrize(
    ("key", "modifier"),
    [(Qt.Key.Key_Up, Qt.KeyboardModifier.NoModifier), (Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)],
)
def test_back_goes_the_same_way_and_stops_at_the_first(clerk, key, modifier):
    way(clerk, Qt.Key.Key_Down)
    assert way(clerk, key, modifier) == expected(clerk.desk)[::-1]


def test_tab_follows_the_paper_both_ways(clerk):
    names = [clerk.where]
    for _ in range(len(expected(clerk.desk)) - 1):
        clerk.key(Qt.Key.Key_Tab)
        names.append(clerk.where)
    assert names == expected(clerk.desk)
    for name in expected(clerk.desk)[-2::-1]:
        clerk.key(Qt.Key.Key_Backtab)
        assert clerk.where == name


def test_a_held_enter_stops_before_submit(clerk):
    for _ in range(100):
        event = QKeyEvent(
            QKeyEvent.Type.KeyPress, Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier, "\r", True
        )
        QApplication.sendEvent(clerk.focus, event)
    assert clerk.where == "Uncommitted delegates"
    assert kb().reports(clerk.desk, "77-DM14") == {}


def test_enter_in_every_field_of_the_caller_only_moves_on(desk, sit):
    clerk = sit("clerk 07")
    clerk.find("77-DM14", Channel.PHONE)
    names = [clerk.where]
    for _ in range(3):
        clerk.enter()
        names.append(clerk.where)
    assert names == ["Caller", "Call back", "PIN or worksheet id", "Attendance"]
    assert len(kb().drafts(desk)) == 1
