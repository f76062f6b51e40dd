"""A column or a block of a spreadsheet, pasted by Ctrl+V: whole where its shape fits, else not at all."""

import sys

import pytest
from PySide6.QtCore import Qt

from caucus_desk.tally.report import Channel
from caucus_desk.ui.entry.block import is_block

CTRL = Qt.KeyboardModifier.ControlModifier


def kb():
    return sys.modules["caucus_tests_keyboard"]


@pytest.fixture
def clerk(sit):
    """With the hand on Attendance of an empty paper sheet."""
    made = sit("clerk 07")
    made.open("77-DM14", Channel.PAPER)
    return made


def saved(clerk):
    """The draft, once all is written; empty boxes left out."""
    clerk.window.shell.pages["entry"].leaving()
    (draft,) = kb().drafts(clerk.desk)
    return {path: text for path, text in draft.fields.items() if text}


def whole_block(clerk):
    """DM14 as a spreadsheet copies it: a row for each group of the ballot, three columns."""
    rows = [kb().DM14.get(group, ("", "", "")) for group in clerk.desk.rules.keys]
    return "\r\n".join("\t".join(str(count) for count in row) for row in rows) + "\r\n"


def test_only_several_cells_are_a_block():
    assert not is_block("12\r\n")
    assert not is_block("1 234")
    assert is_block("1\t2")
    assert is_block("1\r\n2\r\n")
    assert is_block("1\r2")


def test_a_whole_block_fills_the_rows_and_the_hand_is_at_its_end(clerk):
    clerk.keys("161")
    clerk.enter()
    clerk.paste(whole_block(clerk))
    assert clerk.where == "Uncommitted delegates"
    groups = len(clerk.desk.rules.keys)
    assert clerk.sees(f"{groups} rows and 3 columns pasted, Bennet first to Uncommitted delegates.")
    clerk.enter(2)
    sheet = kb().reports(clerk.desk, "77-DM14")[Channel.PAPER].sheet
    for group, counts in kb().DM14.items():
        row = sheet.row(group)
        assert (row.first, row.final, row.delegates) == counts
    assert sheet.row("Bennet").blank, "an empty cell is blank, not zero"


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_a_column_fills_downwards_from_the_box_where_the_hand_is(clerk, ends):
    clerk.keys("w")
    clerk.enter()
    assert clerk.where == "Warren final"
    clerk.paste(ends.join(("31", "1,234", "")))
    kept = saved(clerk)
    after = clerk.desk.rules.keys[clerk.desk.rules.keys.index("Warren") + 1]
    assert kept == {"Warren.final": "31", f"{after}.final": "1234"}


def test_a_row_fills_to_the_right(clerk):
    clerk.keys("s")
    clerk.paste("45\t50\t2\r\n")
    assert saved(clerk) == {"Sanders.first": "45", "Sanders.final": "50", "Sanders.delegates": "2"}
    assert clerk.where == "Sanders delegates"


@pytest.mark.parametrize(
    ("letters", "text", "said"),
    [
        ("u", "1\n2\n", "has 2 rows and 1 column; from here the sheet has 1 row and 3 columns."),
        ("s", "1\t2\t3\t4", "has 1 row and 4 columns; from here the sheet has"),
        ("s", "1\t2\n3\n", "has 2 rows that are not equally long."),
        ("s", "1\t2\nx\t4", "has “x” in row 2, column 1, which is no whole number up to 99,999."),
        ("s", "1\n100000", "has “100000” in row 2, column 1"),
        ("s", "1\n-5", "has “-5” in row 2, column 1"),
        ("s", "Sanders\t45\t50\n", "has “Sanders” in row 1, column 1"),
        ("s", "\t\t\n", "has no number."),
        ("", "161\n20\n", "has 2 rows and 1 column, and here goes one number. Begin in the box of a group."),
    ],
)
def test_what_does_not_fit_changes_nothing_and_says_why(clerk, letters, text, said):
    clerk.keys("161")
    clerk.keys(letters)
    clerk.keys("88")
    here, before = clerk.where, clerk.text
    clerk.paste(text)
    assert (clerk.where, clerk.text) == (here, before)
    assert clerk.sees(said)
    assert clerk.sees("“" + " ".join(text.split()) + "”")
    assert clerk.sees("Nothing was changed.")
    assert set(saved(clerk).values()) <= {"161", "88", "16188"}
    clerk.keys("7") if before != "16188" else clerk.key(Qt.Key.Key_Backspace)
    assert not clerk.sees("Nothing was changed."), "the message ends with the next key that is taken"


def test_a_pasted_block_goes_back_as_one_step(clerk):
    clerk.keys("s")
    clerk.keys("9")
    clerk.key(Qt.Key.Key_Down)
    clerk.key(Qt.Key.Key_Up)
    clerk.paste("45\t50\t2")
    clerk.key(Qt.Key.Key_Z, CTRL)
    assert (clerk.where, clerk.text) == ("Sanders first", "9")
    assert saved(clerk) == {"Sanders.first": "9"}
    clerk.key(Qt.Key.Key_Y, CTRL)
    assert saved(clerk) == {"Sanders.first": "45", "Sanders.final": "50", "Sanders.delegates": "2"}


def test_findings_of_a_pasted_block_are_seen_at_once(clerk):
    clerk.keys("161")
    clerk.keys("s")
    clerk.paste("45\t5\t2")
    clerk.key(Qt.Key.Key_Down)
    assert "error" in clerk.marked()["Sanders final"]
