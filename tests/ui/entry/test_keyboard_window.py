"""Keys that work from anywhere: Ctrl+F, Ctrl+1 to 9, F1; and what a whole call costs in keys."""

import sys

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTextBrowser

from caucus_desk.tally.report import Channel
from caucus_desk.ui.key_table import sections
from caucus_desk.ui.keys import as_markdown, hint, shortcut

CTRL = Qt.KeyboardModifier.ControlModifier


def kb():
    return sys.modules["caucus_tests_keyboard"]


@pytest.fixture
def clerk(sit):
    return sit("clerk 07")


def shown(clerk):
    return clerk.window.shell.current.name


def test_ctrl_f_from_any_page_goes_to_the_search_with_its_text_selected(clerk):
    clerk.keys("dm1")
    for name in list(clerk.window.shell.pages):
        clerk.page(name)
        clerk.key_on_window(Qt.Key.Key_F)
        assert (shown(clerk), clerk.where) == ("entry", "Find a precinct")
        assert clerk.focus.selectedText() == clerk.text == "dm1"
    clerk.keys("cr")
    assert clerk.text == "cr", "typing replaces what stood there"


def test_ctrl_f_leaves_the_question_for_the_channel(clerk):
    clerk.keys("77-DM14")
    clerk.enter()
    clerk.key_on_window(Qt.Key.Key_F)
    assert clerk.focus.selectedText() == "77-DM14"


def test_ctrl_f_keeps_a_sheet_that_is_open_and_says_so(clerk):
    clerk.open("77-DM14", Channel.PAPER)
    clerk.keys("161")
    clerk.enter()
    clerk.keys("5")
    clerk.page("results")
    clerk.key_on_window(Qt.Key.Key_F)
    assert (shown(clerk), clerk.where, clerk.text) == ("entry", "Bennet first", "5")
    assert clerk.sees("A sheet is open here. Submit it, or leave it with Esc")


def test_ctrl_and_a_digit_opens_each_page_from_inside_a_sheet(clerk):
    clerk.open("77-DM14", Channel.PAPER)
    clerk.keys("161")
    for name in list(clerk.window.shell.pages)[:9]:
        clerk.page(name)
        assert shown(clerk) == name
        clerk.page("entry")
        assert (clerk.where, clerk.text) == ("Attendance", "161")


def test_f1_lists_every_key_of_the_table(clerk):
    QTest.keyClick(clerk.focus, Qt.Key.Key_F1)
    assert shown(clerk) == "help"
    text = next(one for one in clerk.window.findChildren(QTextBrowser) if one.isVisible()).toPlainText()
    for section in sections():
        assert section.title in text
        for one in section.shortcuts:
            assert one.keys in text
    titles = [page.title() for page in clerk.window.shell.pages.values()]
    assert ", ".join(titles) in text


def test_the_hints_of_the_sheet_are_those_of_the_table(clerk):
    assert clerk.sees(hint("find.type"))
    clerk.open("77-DM14", Channel.PAPER)
    assert clerk.sees(hint("next", "back", "jump", "leave"))
    rows = dict(kb().DM14)
    rows["Sanders"], rows["Biden"] = (45, 50, 1), (20, 0, 0)
    clerk.fill(161, rows)
    assert clerk.sees(hint("submit", "back"))
    assert clerk.sees(hint("note"))
    clerk.enter()
    assert clerk.sees(hint("reason.pick", "reason.next"))


def test_the_table_names_each_key_once_and_knows_no_other():
    names = [one.name for section in sections() for one in section.shortcuts]
    assert len(names) == len(set(names))
    assert "{" not in as_markdown(["Entry", "Help"])
    with pytest.raises(KeyError):
        shortcut("no such key")


# --- what it costs -----------------------------------------------------------------------------------------


class Counting:
    """Counts key presses by what they are for."""

    def __init__(self, clerk):
        self.clerk, self.text, self.fields, self.more = clerk, 0, 0, 0

    def type(self, text):
        self.clerk.keys(text)
        self.text += len(text)

    def field(self):
        self.clerk.enter()
        self.fields += 1

    def press(self):
        self.clerk.enter()
        self.more += 1

    def answer(self, letter):
        self.clerk.answer(letter)
        self.more += 1


def test_a_full_sheet_costs_its_digits_one_key_a_field_and_at_most_six_more(clerk):
    """From the ringing phone to the receipt. Every group has all its counts; the caller says a PIN."""
    groups = clerk.desk.rules.keys
    assert len(groups) >= 12
    hand = Counting(clerk)
    hand.type("77-DM14")
    hand.press()
    hand.answer("p")
    while clerk.where != "Attendance":
        hand.press()
    rows = {group: kb().DM14.get(group, (0, 0, 0)) for group in groups}
    digits = 0
    for count in (161, *(count for group in groups for count in rows[group])):
        hand.type(str(count))
        digits += len(str(count))
        hand.field()
    hand.press()
    assert kb().reports(clerk.desk, "77-DM14")[Channel.PHONE].sheet.attendance == 161
    assert hand.fields == 1 + 3 * len(groups)
    assert hand.text == digits + len("77-DM14")
    assert hand.more <= 6
