"""The call by keyboard: who rings is checked, a call ends by a key, and what waits is called back."""

import re
import sys
import time

import pytest
from PySide6.QtCore import Qt

from caucus_desk.tally.report import Channel

ROSTER = """\
county,precinct,precinct_id,county_delegates,kind,district,county_state_delegates,county_total_delegates,\
chair,phone,pin
Polk,Des Moines-14,77-DM14,6,precinct,3,392,1401,Ada Fitch,515-555-0142,4711
Polk,Des Moines-42,77-DM42,9,precinct,3,392,1401,Ben Quist,515-555-0143,
Linn,Cedar Rapids-01,57-CR01,4,precinct,1,100,400,,,
"""
PHONE, PAPER = Channel.PHONE, Channel.PAPER
Key = Qt.Key


def kb():
    return sys.modules["caucus_tests_keyboard"]


@pytest.fixture
def desk(tmp_path):
    made = kb().small_caucus(tmp_path, roster=ROSTER)
    yield made
    made.close()


@pytest.fixture
def clerk(sit):
    return sit("clerk 07")


def calls(desk):
    with desk.store.read() as unit:
        return unit.calls()


def drafts_in(desk):
    return [(draft.by, draft.free, dict(draft.fields)) for draft in kb().drafts(desk)]


def ring(clerk, precinct_id, *said):
    """Find the precinct and say who rings."""
    clerk.find(precinct_id, PHONE)
    for text in said:
        clerk.keys(text)
        clerk.enter()


# --- the check ------------------------------------------------------------------------------------------


def test_the_right_pin_is_said_and_does_not_stay(desk, clerk):
    ring(clerk, "77-DM14", "Jane Doe", "319 555 0199", "4711")
    assert clerk.where == "Attendance"
    assert clerk.sees("PIN passed")
    assert not clerk.sees("4711")
    clerk.fill(161, kb().DM14)
    clerk.enter()
    assert kb().reports(desk, "77-DM14")[PHONE].confirmed
    (call,) = calls(desk)
    assert (call.caller_name, call.check_kind, call.outcome, call.ended) == (
        "Jane Doe",
        "pin",
        "passed",
        "results taken",
    )


def test_a_wrong_pin_is_asked_for_again_and_the_caller_may_still_report(desk, clerk):
    ring(clerk, "77-DM14", "Jane Doe", "", "9998")
    assert clerk.where == "PIN or worksheet id", "it may be said again"
    assert clerk.text == ""
    assert clerk.sees("PIN failed")
    assert clerk.sees("unconfirmed until somebody has called back")
    clerk.keys("9997")
    clerk.enter()
    clerk.enter()
    assert clerk.where == "Attendance"
    clerk.fill(161, kb().DM14)
    clerk.enter()
    assert clerk.sees("Not confirmed: it verifies nothing until somebody has called back.")
    assert not kb().reports(desk, "77-DM14")[PHONE].confirmed
    paper = clerk.window
    assert paper is not None
    with desk.store.read() as unit:
        told = [event.action for event in unit.audit_trail("77-DM14")]
    assert told.count("caller refused") == 2


def test_the_number_on_file_is_a_proof_and_another_one_is_none(desk, clerk):
    ring(clerk, "77-DM42", "Ben", "515.555.0143", "")
    assert clerk.sees("number passed")
    clerk.key(Key.Key_Up)
    assert clerk.where == "Attendance", "there is no way round"
    clerk.key(Key.Key_Escape)
    clerk.keys("d")
    clerk.enter()
    ring(clerk, "77-DM42", "Ben", "319 555 0100", "")
    assert clerk.sees("number failed")


def test_where_nothing_is_on_file_the_page_says_so(desk, clerk):
    ring(clerk, "57-CR01", "Pat", "319 555 0100", "1234")
    assert clerk.sees("no PIN on file")
    assert clerk.where == "Attendance"
    assert "1234" not in str(drafts_in(desk))


def test_what_was_typed_as_pin_is_in_no_draft(desk, clerk):
    clerk.find("77-DM14", PHONE)
    for text in ("Jane", "1"):
        clerk.keys(text)
        clerk.enter()
    clerk.keys("471")  # and never finished
    clerk.wait_until(lambda: bool(kb().drafts(desk)[0].fields))
    clerk.key(Key.Key_Escape)
    clerk.keys("k")
    ((_, _, fields),) = drafts_in(desk)
    assert not any("471" in text for path, text in fields.items() if path != "call.started")
    assert fields["caller.name"] == "Jane"
    assert fields["call.started"].startswith("20")


# --- how a call ends ------------------------------------------------------------------------------------


def test_one_key_ends_a_nuisance_call_before_and_after_the_precinct_is_named(desk, clerk):
    clerk.key(Key.Key_F9)
    clerk.keys("des moines-14")
    clerk.key(Key.Key_F9)
    assert (clerk.where, clerk.text) == ("Find a precinct", "")
    ring(clerk, "77-DM14", "Ha ha")
    clerk.key(Key.Key_F9)
    assert clerk.where == "Find a precinct"
    assert [(call.precinct_id, call.caller_name, call.ended) for call in calls(desk)] == [
        ("77-DM14", "Ha ha", "nuisance"),
        ("77-DM14", "", "nuisance"),
        (None, "", "nuisance"),
    ]
    assert drafts_in(desk) == []


def test_counts_are_thrown_away_only_by_a_second_key(desk, clerk):
    ring(clerk, "77-DM14", "Ha", "", "")
    clerk.keys("161")
    clerk.enter()
    clerk.key(Key.Key_F9)
    assert clerk.sees("A nuisance call all the same?")
    assert calls(desk) == ()
    clerk.key(Key.Key_Escape)
    assert clerk.where == "Bennet first"
    clerk.key(Key.Key_F9)
    clerk.key(Key.Key_F9)
    assert [call.ended for call in calls(desk)] == ["nuisance"]
    assert drafts_in(desk) == []


def test_a_cut_off_call_is_taken_up_by_anybody_at_once(desk, sit):
    clerk = sit("clerk 07")
    ring(clerk, "77-DM14", "Jane Doe", "1", "4711")
    for text in ("161", "", "", "", "20"):
        clerk.keys(text)
        clerk.enter()
    clerk.key(Key.Key_F10)
    assert clerk.sees("The call was cut off.")
    assert clerk.sees("left by clerk 07")
    ((by, free, fields),) = drafts_in(desk)
    assert (by, free, fields["attendance"], fields["Biden.first"]) == ("clerk 07", True, "161", "20")
    other = sit("clerk 12")
    assert other.sees("left by clerk 07"), "who had it, and since when"
    other.key(Key.Key_Down)
    other.enter()
    assert other.where == "Biden final"
    assert not other.sees("PIN passed"), "the next caller is checked anew"
    assert [(by, free) for by, free, _ in drafts_in(desk)] == [("clerk 12", False)]
    assert [call.ended for call in calls(desk)] == ["cut off"]


def test_a_question_is_recorded_with_its_note(desk, clerk):
    clerk.keys("x")
    clerk.key(Key.Key_F3)
    clerk.keys("q")
    clerk.keys("where is the caucus?")
    clerk.enter()
    (call,) = calls(desk)
    assert (call.ended, call.notes) == ("question", "where is the caucus?")
    assert (clerk.where, clerk.text) == ("Find a precinct", "")


def test_a_wrong_pin_ends_a_call(desk, clerk):
    ring(clerk, "77-DM14", "Mallory", "1", "0000")
    clerk.key(Key.Key_F3)
    clerk.keys("p")
    clerk.enter()
    (call,) = calls(desk)
    assert (call.ended, call.outcome, call.caller_name) == ("wrong PIN", "failed", "Mallory")


def test_escape_stays_in_the_call(desk, clerk):
    ring(clerk, "77-DM14", "Jane", "1", "4711")
    for key in (Key.Key_F2, Key.Key_F3):
        clerk.key(key)
        clerk.key(Key.Key_Escape)
        assert clerk.where == "Attendance"
    assert calls(desk) == ()


def test_the_keys_of_a_call_do_nothing_on_paper(desk, clerk):
    clerk.find("77-DM14", PAPER)
    for key in (Key.Key_F2, Key.Key_F3, Key.Key_F9, Key.Key_F10):
        clerk.key(key)
    assert clerk.where == "Attendance"
    assert calls(desk) == ()
    assert not clerk.sees("F9 Nuisance")


def test_a_call_back_needs_its_precinct(desk, clerk):
    clerk.key(Key.Key_F2)
    assert clerk.sees("Find the precinct first, then F2")
    assert calls(desk) == ()
    clerk.keys("des moines-42")
    clerk.key(Key.Key_F2)
    clerk.keys("looks for the sheet")
    clerk.enter()
    (call,) = calls(desk)
    assert (call.ended, call.precinct_id, call.notes) == ("call back", "77-DM42", "looks for the sheet")


# --- only what a caller may hear --------------------------------------------------------------------------


def test_the_call_page_tells_no_figure_and_no_name_that_is_not_the_callers(desk, sit):
    """The paper says quite other numbers, keyed by somebody else."""
    paper = sit("Zoe Paperclerk")
    paper.find("77-DM14", PAPER)
    paper.fill(977, {"Biden": (811, 844, 6), "Sanders": (166, 133, 0)})
    paper.enter()
    paper.give_reasons()
    if PAPER not in kb().reports(desk, "77-DM14"):
        paper.enter()
    assert PAPER in kb().reports(desk, "77-DM14")
    clerk = sit("clerk 07")
    clerk.keys("des moines-14")
    assert_hides(clerk)
    clerk.enter()
    assert_hides(clerk)
    clerk.answer("p")
    for text in ("Jane", "1", "4711"):
        clerk.keys(text)
        clerk.enter()
        assert_hides(clerk)
    clerk.fill(161, kb().DM14)
    assert clerk.sees("Read back")
    assert_hides(clerk)
    clerk.enter()
    assert clerk.sees("Does not match in")
    assert_hides(clerk)
    for key in (Key.Key_F2, Key.Key_F3):
        clerk.key(key)
        assert_hides(clerk)
        clerk.key(Key.Key_Escape)
    clerk.page("calls")
    assert_hides(clerk)


def assert_hides(clerk):
    screen = clerk.screen()
    for secret in ("977", "811", "844", "166", "133"):
        assert not re.search(rf"(?<!\d){secret}(?!\d)", screen), secret
    assert "Zoe" not in screen


# --- calling back -----------------------------------------------------------------------------------------


@pytest.fixture
def waiting(desk, sit):
    """An unconfirmed report, and a precinct that is to be called back; at the Calls page."""
    clerk = sit("clerk 07")
    ring(clerk, "77-DM14", "Jane Doe", "1", "0000")
    clerk.enter()
    clerk.fill(161, kb().DM14)
    clerk.enter()
    clerk.enter()
    clerk.keys("des moines-42")
    clerk.key(Key.Key_F2)
    clerk.keys("looks for the sheet")
    clerk.enter()
    clerk.page("calls")
    return clerk


def test_the_calls_page_lists_who_waits_and_every_call(desk, waiting):
    assert waiting.window.shell.pages["calls"].count() == 2
    rows = waiting.listed()
    assert [row[1] for row in rows[:2]] == ["Des Moines-14", "Des Moines-42"], "the oldest first"
    assert rows[0][3] == "515-555-0142", "the number on file, not the caller's"
    assert [row[1] for row in rows[2:]] == ["call back", "results taken"], "the newest first"
    waiting.page("entry")
    waiting.key(Key.Key_F9)
    waiting.page("calls")
    assert [row[1] for row in waiting.listed()[2:]] == ["nuisance", "call back", "results taken"]


def test_the_receipt_code_confirms_by_keys_alone(desk, waiting):
    code = kb().reports(desk, "77-DM14")[PHONE].receipt
    assert waiting.where == "To call back"
    waiting.enter()
    assert waiting.sees("515-555-0142")
    assert waiting.sees("Ring the number on file, not the one that the caller gave.")
    assert not waiting.sees(code), "the chair says it, not the desk"
    assert not re.search(r"(?<!\d)161(?!\d)", waiting.screen())
    waiting.keys("c")
    waiting.keys("aaaaa")
    waiting.enter()
    assert waiting.sees("This code does not fit the report.")
    assert not kb().reports(desk, "77-DM14")[PHONE].confirmed
    waiting.keys(code.lower())
    waiting.enter()
    assert kb().reports(desk, "77-DM14")[PHONE].confirmed
    assert waiting.where == "To call back"
    assert waiting.window.shell.pages["calls"].count() == 1


def test_not_reached_stays_in_the_list_with_its_try(desk, waiting):
    waiting.enter()
    waiting.keys("n")
    waiting.keys("voice mail")
    waiting.enter()
    assert waiting.listed()[0][6].startswith("not reached ")
    assert waiting.window.shell.pages["calls"].count() == 2
    waiting.enter()
    assert waiting.sees("clerk 07: not reached (voice mail)")
    waiting.key(Key.Key_Escape)
    assert waiting.where == "To call back"


def test_the_whole_sheet_is_keyed_again_as_the_chair_reads_it(desk, waiting):
    waiting.enter()
    waiting.keys("r")
    assert waiting.where == "Caller"
    assert waiting.text == "Ada Fitch"
    assert waiting.sees("called back")
    assert not re.search(r"(?<!\d)161(?!\d)", waiting.screen()), "nothing is filled in"
    waiting.enter(3)
    assert waiting.where == "Attendance"
    waiting.fill(161, kb().DM14)
    waiting.enter()
    report = kb().reports(desk, "77-DM14")[PHONE]
    assert report.confirmed
    assert waiting.window.shell.pages["calls"].count() == 1


def test_typing_narrows_both_lists(waiting):
    waiting.key(Key.Key_Backtab, Qt.KeyboardModifier.ShiftModifier)
    assert waiting.where == "Filter the calls"
    waiting.keys("looks")
    assert [row[1] for row in waiting.listed()] == ["Des Moines-42", "call back"]
    waiting.key(Key.Key_Escape)
    assert len(waiting.listed()) == 4


# --- the receipt on the paper ----------------------------------------------------------------------------


@pytest.mark.parametrize(("biden", "said"), [(20, "receipt fits"), (21, "receipt does not fit")])
def test_the_receipt_on_the_paper_fits_the_sheet_or_does_not(desk, sit, biden, said):
    clerk = sit("clerk 07")
    ring(clerk, "77-DM14", "Jane", "", "4711")
    clerk.fill(161, kb().DM14)
    clerk.enter()
    code = kb().reports(desk, "77-DM14")[PHONE].receipt
    other = sit("clerk 12")
    other.find("77-DM14", PAPER)
    other.fill(161, {**kb().DM14, "Biden": (biden, 25, 1)})
    other.key(Key.Key_F6)
    other.enter(6)
    assert other.where == "Receipt on the paper"
    other.keys(" ".join(code[:4]).lower())
    assert not other.sees("receipt ")
    other.keys(code[4])
    assert other.sees(said)
    other.enter()
    assert other.focus.text() == "Submit"


# --- what review sends back ------------------------------------------------------------------------------


def test_a_sheet_to_be_keyed_again_stands_where_work_begins(desk, sit):
    from caucus_desk.desk.errands import send_back

    first = sit("clerk 07")
    ring(first, "77-DM14", "Jane", "", "4711")
    first.fill(161, {**kb().DM14, "Biden": (21, 25, 1)})
    first.enter()
    first.give_reasons()
    if PHONE not in kb().reports(desk, "77-DM14"):
        first.enter()
    second = sit("clerk 12")
    second.find("77-DM14", PAPER)
    second.fill(161, kb().DM14)
    second.enter()
    second.enter(3)
    assert set(kb().reports(desk, "77-DM14")) == {PHONE, PAPER}
    send_back(desk, "77-DM14", "rekey", channel=PHONE, by="Rae")
    third = sit("clerk 31")
    assert [row[-1] for row in third.listed()] == ["phone: key again"]
    third.key(Key.Key_Down)
    third.enter()
    assert third.sees("sent this phone sheet back")
    assert [fields.get("Biden.first") for _, _, fields in drafts_in(desk)] == [None]
    assert not re.search(r"(?<![\d:])21(?![\d:])", third.screen())
    other = sit("clerk 12", beside=True)
    assert other.listed() == [], "not for who keyed the paper"


def test_a_call_back_that_ends_while_the_store_is_held_waits_and_is_not_lost(desk, waiting):
    waiting.page("calls")
    waiting.enter()
    waiting.keys("n")
    waiting.keys("engaged")
    with kb().held(desk):
        began = time.monotonic()
        waiting.enter()
        assert time.monotonic() - began < 3, "the window stood still"
        assert waiting.sees("Waiting for the store")
        waiting.enter()  # again, out of impatience: it is recorded once
    waiting.wait_until(lambda: [call.notes for call in calls(desk)].count("engaged") == 1)
    waiting.wait_until(lambda: waiting.where == "To call back")
    assert [call.notes for call in calls(desk)].count("engaged") == 1
