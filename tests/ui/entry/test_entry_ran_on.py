"""A hand that did not see where the sheet ends: nothing it types there makes or explains a report."""

import sys

import pytest
from PySide6.QtCore import Qt

from caucus_desk.desk import entry
from caucus_desk.tally.report import Channel


def kb():
    return sys.modules["caucus_tests_keyboard"]


@pytest.fixture
def clerk(sit):
    made = sit("clerk 07")
    made.open("77-DM14", Channel.PAPER)
    return made


def paper(clerk):
    return kb().reports(clerk.desk, "77-DM14").get(Channel.PAPER)


def wrong():
    """Two delegates in the wrong rows: two errors at once."""
    rows = dict(kb().DM14)
    rows["Sanders"], rows["Warren"] = (45, 50, 1), (28, 3, 2)
    return rows


def test_figures_of_one_line_too_many_submit_nothing(clerk):
    clerk.fill(161, kb().DM14)
    assert clerk.focus.text() == "Submit"
    for count in ("46", "50", "3"):
        clerk.keys(count)
        clerk.enter()
    assert paper(clerk) is None
    assert (clerk.where, clerk.text) == ("Uncommitted delegates", ""), "no digit got into the last box"
    assert clerk.sees("The sheet ends here: 3 was not taken.")


def test_after_a_look_the_sheet_goes_on_as_usual(clerk):
    clerk.fill(161, kb().DM14)
    clerk.keys("4")
    clerk.enter()
    clerk.key(Qt.Key.Key_Up)
    assert clerk.where == "Uncommitted final"
    clerk.enter(2)
    assert clerk.focus.text() == "Submit"
    assert not clerk.sees("The sheet ends here")
    clerk.enter()
    assert paper(clerk) is not None


def test_the_last_box_can_be_corrected_after_backspace(clerk):
    clerk.fill(161, kb().DM14)
    clerk.keys("4")
    clerk.key(Qt.Key.Key_Backspace)
    clerk.keys("0")
    assert (clerk.where, clerk.text) == ("Uncommitted delegates", "0")


def test_ctrl_enter_still_submits_after_digits_too_many(clerk):
    clerk.fill(161, kb().DM14)
    clerk.keys("4")
    clerk.ctrl_enter()
    assert paper(clerk) is not None


def test_figures_are_no_reason(clerk):
    clerk.fill(161, wrong())
    clerk.enter()
    where = clerk.where
    assert where.startswith("Reason for")
    for count in ("50", "3", "12"):
        clerk.keys(count)
        clerk.enter()
    assert (clerk.where, clerk.text) == (where, "")
    assert clerk.sees("Give the reason in a few words")
    assert paper(clerk) is None
    clerk.keys("x 5")
    clerk.enter()
    assert clerk.where == where
    clerk.keys(" people left")
    clerk.enter()
    assert clerk.where != where


def test_the_desk_takes_no_figure_for_a_reason(clerk):
    clerk.fill(161, wrong())
    (draft,) = entry.drafts(clerk.desk, "clerk 07")
    sheet = clerk.window.shell.current._sheet.sheet
    ids = {finding.id for finding in entry.check(clerk.desk, "77-DM14", sheet).findings}
    with pytest.raises(entry.NeedsReason):
        entry.submit(clerk.desk, draft.id, sheet, "clerk 07", reasons=dict.fromkeys(ids, "50"))
    assert paper(clerk) is None


def test_one_reason_for_all_errors_with_one_key(clerk):
    clerk.fill(161, wrong())
    clerk.enter()
    assert clerk.sees("Ctrl+Enter gives this reason to all errors")
    clerk.keys("the sheet says so")
    clerk.ctrl_enter()
    assert paper(clerk) is None, "the reasons can be seen first"
    assert clerk.focus.text() == "Submit"
    clerk.enter()
    assert paper(clerk) is not None
    with clerk.desk.store.read() as unit:
        given = unit.acknowledgements(["77-DM14"])["77-DM14"]
    assert len(given) > 1
    assert {one.reason for one in given if one.reason} == {"the sheet says so"}


# --- leaving ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("typed", ["des moines", "dm42", "sioux 5", "d", "dd m"])
def test_a_name_typed_at_the_question_discards_nothing(clerk, typed):
    clerk.keys("161")
    clerk.key(Qt.Key.Key_Escape)
    clerk.keys(typed)
    if typed != "d":
        clerk.enter()
    clerk.wait_until(lambda: kb().drafts(clerk.desk)[0].fields.get("attendance") == "161")
    assert paper(clerk) is None


def test_taking_over_asks_for_enter(desk, sit, monkeypatch):
    first = sit("clerk 07")
    first.open("77-DM14", Channel.PAPER)
    first.keys("161")
    monkeypatch.setattr(entry, "IDLE", entry.IDLE * 0)
    other = sit("clerk 12", beside=True)
    other.find("77-DM14", Channel.PAPER)
    assert other.sees("it can be taken over now")
    other.keys("tama")
    other.enter()
    assert kb().drafts(desk)[0].by == "clerk 07"
    other.keys("t")
    other.enter()
    assert kb().drafts(desk)[0].by == "clerk 12"


def test_who_holds_a_sheet_and_when_it_can_be_taken_over(desk, sit):
    clerk = sit("clerk 07")
    clerk.open("77-DM14", Channel.PAPER)
    clerk.keys("161")
    other = sit("clerk 12", beside=True)
    other.find("77-DM14", Channel.PAPER)
    free = (kb().drafts(desk)[0].updated + entry.IDLE).astimezone().strftime("%H:%M")
    assert other.sees(f"after 10 minutes without a key, at {free}, it can be taken over")


# --- jumping ----------------------------------------------------------------------------------------


def test_letters_typed_quickly_narrow_together(clerk):
    clerk.keys("bu")
    assert clerk.where == "Buttigieg first"
    clerk.keys("5")
    clerk.keys("st")
    assert clerk.where == "Steyer first"


def test_the_same_letter_again_goes_to_the_next_such_group(clerk):
    seen = []
    for _ in range(5):
        clerk.keys("b")
        seen.append(clerk.where)
    assert seen == [f"{name} first" for name in ("Bennet", "Biden", "Bloomberg", "Buttigieg", "Bennet")]


def test_on_paper_nobody_is_asked(clerk):
    clerk.fill(161, wrong())
    assert clerk.sees("Error")
    assert not clerk.sees("Ask")
    assert not clerk.sees("Could you")


def test_noting_the_warnings_leaves_the_hand_in_the_reason(clerk):
    """Two errors and a warning: F7 in a reason made the line anew and the keys went nowhere."""
    rows = dict(wrong())
    rows["Yang"] = (rows.get("Yang", (0, 0, 0))[0], 0, 0)
    clerk.fill(200, rows)
    clerk.enter()
    here = clerk.where
    assert clerk.sees("F7 notes the warnings as read")
    clerk.keys("asked")
    clerk.key(Qt.Key.Key_F7)
    assert (clerk.where, clerk.text) == (here, "asked")
    clerk.keys(" twice")
    assert clerk.text == "asked twice"
    clerk.ctrl_enter()
    clerk.enter()
    assert paper(clerk) is not None
