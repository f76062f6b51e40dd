"""The other channel is in: what does not match is named, and the other's numbers are not."""

import re
import sys

import pytest
from PySide6.QtCore import Qt

from caucus_desk.tally.report import Channel
from caucus_desk.tally.state import State


def kb():
    return sys.modules["caucus_tests_keyboard"]


def changed(**fields):
    rows = {group: list(counts) for group, counts in kb().DM14.items()}
    for name, count in fields.items():
        group, column = name.split("_")
        rows[group][("first", "final", "delegates").index(column)] = count
    return {group: tuple(counts) for group, counts in rows.items()}


@pytest.fixture
def phoned(desk, sit):
    """clerk 07 has keyed the phone report."""
    clerk = sit("clerk 07")
    clerk.key_sheet("77-DM14", Channel.PHONE, 161, kb().DM14)
    clerk.enter()
    return desk


def test_the_same_figures_go_straight_on(phoned, sit):
    clerk = sit("clerk 12")
    clerk.key_sheet("77-DM14", Channel.PAPER, 161, kb().DM14)
    clerk.enter()
    assert not clerk.sees("Does not match")
    assert phoned.overview().results["77-DM14"].verified


def test_what_does_not_match_is_named_and_marked_without_the_others_number(phoned, sit):
    clerk = sit("clerk 12")
    clerk.key_sheet("77-DM14", Channel.PAPER, 161, changed(Warren_final=37))
    clerk.enter()
    assert list(kb().reports(phoned, "77-DM14")) == [Channel.PHONE], "nothing was saved yet"
    assert clerk.sees("Does not match in: Warren final. Check what you keyed.")
    assert clerk.where == "Warren final"
    assert "does not match" in clerk.marked()["Warren final"]
    numbers = re.findall(r"\b31\b", clerk.screen())
    assert not numbers, "31 is what the phone report says"
    clerk.keys("31")
    clerk.ctrl_enter()
    assert phoned.overview().results["77-DM14"].verified


def test_only_the_differing_fields_are_keyed_again(phoned, sit):
    clerk = sit("clerk 12")
    slips = changed(Biden_first=21, Sanders_final=51, Yang_first=4)
    clerk.key_sheet("77-DM14", Channel.PAPER, 161, slips)
    clerk.enter()
    clerk.give_reasons()
    strokes = 0
    for name, right in (("Biden first", "20"), ("Sanders final", "50"), ("Yang first", "3")):
        assert clerk.where == name
        assert "does not match" in clerk.marked()[name], "a corrected box takes no other's mark away"
        clerk.keys(right)
        clerk.enter()
        strokes += len(right) + 1
    assert clerk.focus.text() == "Submit"
    clerk.enter()
    assert strokes < 12
    assert phoned.overview().results["77-DM14"].standing.state is State.MATCHED


def test_as_keyed_after_a_look_goes_to_the_reviewer(phoned, sit):
    clerk = sit("clerk 12")
    clerk.key_sheet("77-DM14", Channel.PAPER, 161, changed(Warren_final=30))
    clerk.enter()
    clerk.enter()
    assert clerk.focus.text() == "Submit as keyed"
    clerk.enter()
    result = phoned.overview().results["77-DM14"]
    assert result.standing.state is State.MISMATCHED
    assert [mismatch.field for mismatch in result.mismatches] == ["Warren.final"]


def test_a_second_press_without_a_look_confirms_nothing(phoned, sit):
    clerk = sit("clerk 12")
    clerk.key_sheet("77-DM14", Channel.PAPER, 161, changed(Warren_final=30, Yang_first=4))
    clerk.ctrl_enter()
    clerk.ctrl_enter()
    clerk.ctrl_enter()
    assert list(kb().reports(phoned, "77-DM14")) == [Channel.PHONE]
    assert clerk.sees("Does not match in")


def test_an_error_and_a_mismatch_on_one_field_are_both_shown(phoned, sit):
    clerk = sit("clerk 12")
    clerk.key_sheet("77-DM14", Channel.PAPER, 161, changed(Buttigieg_final=5))
    clerk.enter()
    clerk.give_reasons()
    if not clerk.sees("Does not match"):
        clerk.enter()
    words = clerk.marked()["Buttigieg final"]
    assert "error" in words
    assert "does not match" in words
    assert clerk.sees("Does not match in: Buttigieg final")
    assert clerk.sees("Buttigieg had 48")


def test_the_other_persons_numbers_are_nowhere_on_the_page_before_submitting(desk, sit):
    odd = {"Biden": (24_681, 24_682, 6), "Sanders": (13_579, 13_578, 0)}
    clerk = sit("clerk 07")
    clerk.key_sheet("77-DM14", Channel.PHONE, 38_260, odd)
    clerk.enter()
    clerk.give_reasons()
    clerk.enter()
    assert Channel.PHONE in kb().reports(desk, "77-DM14")
    other = sit("clerk 12")
    seen = ""
    for step in ("77-DM14", "\r", "=a", "\r", "1", "\x1b"):
        if step == "\x1b":
            other.key(Qt.Key.Key_Escape)
        elif step == "\r":
            other.enter()
        elif step == "=a":
            other.answer("a")
        else:
            other.keys(step)
        seen += other.screen()
    assert "phone: in" in seen
    assert not re.search(r"24,?68[12]|13,?57[89]|38,?260", seen)
