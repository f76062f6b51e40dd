"""Findings while the caller is on the line: what to ask, reasons by one key, and how long they hold."""

import sys

import pytest
from PySide6.QtCore import Qt

from caucus_desk.desk.guards import in_words
from caucus_desk.desk.reasons import MOST, usual_reasons
from caucus_desk.tally.catalogue import FINDINGS
from caucus_desk.tally.finding import Severity
from caucus_desk.tally.report import Channel

ALT = Qt.KeyboardModifier.AltModifier


def kb():
    return sys.modules["caucus_tests_keyboard"]


@pytest.fixture
def clerk(sit):
    made = sit("clerk 07")
    made.open("77-DM14", Channel.PAPER)
    return made


def report(clerk, channel=Channel.PAPER):
    return kb().reports(clerk.desk, "77-DM14").get(channel)


def given(clerk):
    with clerk.desk.store.read() as unit:
        return {one.finding: one.reason for one in unit.acknowledgements(["77-DM14"])["77-DM14"]}


def slips(**fields):
    rows = {group: list(counts) for group, counts in kb().DM14.items()}
    for name, count in fields.items():
        group, column = name.split("_")
        rows[group][("first", "final", "delegates").index(column)] = count
    return {group: tuple(counts) for group, counts in rows.items()}


TOO_FEW = {"Sanders_delegates": 1}
"""One delegate missing: one error, of the delegates' sum."""


# --- what to ask --------------------------------------------------------------------------------------


def test_the_page_says_what_to_ask_with_the_numbers(sit):
    clerk = sit("clerk 07")
    clerk.open("77-DM14", Channel.PHONE)
    clerk.fill(170, slips(Biden_final=32))
    asked = (
        "The final column adds to 165, the first to 161. Did 4 people line up late? Else please read me both"
        " columns again."
    )
    assert clerk.sees(asked), "while it is read back"
    clerk.key(Qt.Key.Key_Up)
    assert clerk.sees(asked), "and beside the sheet"


# --- one key -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("place", [1, 3])
def test_a_usual_reason_is_picked_by_its_number(clerk, place):
    clerk.fill(161, slips(**TOO_FEW))
    clerk.enter()
    usual = usual_reasons("C15", Channel.PAPER)
    for number, reason in enumerate(usual, start=1):
        assert clerk.sees(f"Alt+{number} {reason}")
    clerk.key(Qt.Key(Qt.Key.Key_0 + place), ALT)
    assert clerk.text == usual[place - 1]
    clerk.enter()
    assert clerk.focus.text() == "Submit"
    clerk.enter()
    assert given(clerk)["C15"] == usual[place - 1]


def test_another_pick_takes_the_place_of_the_first_and_of_what_was_typed(clerk):
    clerk.fill(161, slips(**TOO_FEW))
    clerk.enter()
    clerk.key(Qt.Key.Key_1, ALT)
    clerk.key(Qt.Key.Key_2, ALT)
    assert clerk.text == usual_reasons("C15", Channel.PAPER)[1]
    clerk.keys("the chair is sure")
    assert clerk.text == "the chair is sure", "typing takes the place of a pick"


def test_every_error_has_reasons_that_pass_as_reasons():
    for kind in FINDINGS.values():
        for channel in (Channel.PHONE, Channel.PAPER):
            usual = usual_reasons(kind.id, channel)
            assert 3 <= len(usual) <= MOST
            assert len(set(usual)) == len(usual)
            assert all(in_words(reason) and not reason.endswith(".") for reason in usual)
    errors = [kind.id for kind in FINDINGS.values() if kind.severity is Severity.ERROR]
    always = usual_reasons("", Channel.PHONE)
    assert all(usual_reasons(id_, Channel.PHONE)[: len(always)] != always for id_ in errors), "suits it"
    assert "caller" not in " ".join(usual_reasons("C15", Channel.PAPER))


def test_the_warnings_are_noted_from_the_sheet_with_one_key(clerk):
    clerk.fill(161, slips(Biden_final=0, Biden_delegates=0, Warren_delegates=2))
    clerk.key(Qt.Key.Key_Up)
    assert clerk.sees("F7 notes the warnings as read")
    clerk.key(Qt.Key.Key_F7)
    clerk.key(Qt.Key.Key_Down)
    clerk.enter()
    assert clerk.sees("Noted")


# --- for the numbers it was given for --------------------------------------------------------------------


def accepted(clerk):
    clerk.fill(161, slips(**TOO_FEW))
    clerk.enter()
    clerk.keys("asked twice")
    clerk.enter()
    assert clerk.focus.text() == "Submit"


def test_an_acceptance_falls_with_its_numbers_even_when_nobody_looks_at_it(clerk):
    accepted(clerk)
    clerk.key(Qt.Key.Key_Up)
    clerk.keys("w")
    assert clerk.where == "Warren delegates"
    clerk.keys("0")
    clerk.ctrl_enter()
    assert report(clerk) is None
    assert clerk.where.startswith("Reason for")
    assert clerk.text == ""


def test_an_acceptance_falls_where_the_sum_stays_but_its_parts_do_not(clerk):
    accepted(clerk)
    clerk.key(Qt.Key.Key_Up)
    clerk.keys("s")
    assert clerk.where == "Sanders delegates"
    clerk.keys("0")
    clerk.keys("w")
    assert clerk.where == "Warren delegates"
    clerk.keys("2")
    clerk.ctrl_enter()
    assert report(clerk) is None
    assert clerk.where.startswith("Reason for")


def test_keys_that_change_no_number_leave_the_acceptance(clerk):
    accepted(clerk)
    clerk.key(Qt.Key.Key_Up)
    clerk.keys("s")
    clerk.keys("1")  # the same digit again
    for key in (Qt.Key.Key_Control, Qt.Key.Key_Shift, Qt.Key.Key_Tab, Qt.Key.Key_Backtab, Qt.Key.Key_Right):
        clerk.key(key)
    clerk.key(Qt.Key.Key_Backspace)
    clerk.keys("1")
    clerk.key(Qt.Key.Key_Up)
    clerk.ctrl_enter()
    assert report(clerk) is not None
    assert given(clerk)["C15"] == "asked twice"


def test_it_holds_again_when_the_numbers_are_put_back(clerk):
    accepted(clerk)
    clerk.key(Qt.Key.Key_Up)
    clerk.keys("s")
    clerk.keys("2")
    clerk.key(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    clerk.ctrl_enter()
    assert given(clerk)["C15"] == "asked twice"


# --- all messages, and none too early ----------------------------------------------------------------------


def test_an_error_and_a_mismatch_on_one_field_are_both_shown(sit):
    first = sit("clerk 12")
    first.key_sheet("77-DM14", Channel.PHONE, 161, kb().DM14)
    first.enter()
    assert report(first, Channel.PHONE) is not None
    clerk = sit("clerk 07")
    clerk.key_sheet("77-DM14", Channel.PAPER, 161, slips(Sanders_final=5))
    clerk.enter()
    assert clerk.where == "Sanders final"
    mark = clerk.marked()["Sanders final"]
    assert "error" in mark
    assert "does not match" in mark
    assert clerk.sees("Sanders had 45")
    assert clerk.sees("Does not match in: Sanders final.")


def test_an_untouched_sheet_says_nothing_and_later_the_order_stays(clerk):
    notes = clerk.window.shell.current._sheet.body.notes
    assert notes.notes == ()
    clerk.keys("161")
    clerk.keys("s")
    for count in ("45", "5", "2"):
        clerk.keys(count)
        clerk.enter()
    clerk.keys("28")
    clerk.enter()
    clerk.keys("90")
    clerk.enter()
    order = [note.key for note in notes.notes]
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Tab):
        clerk.key(key)
        now = [note.key for note in notes.notes]
        assert [one for one in now if one in order] == [one for one in order if one in now]
