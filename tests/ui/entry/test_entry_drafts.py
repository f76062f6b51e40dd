"""Every key is written aside: typing never waits, and after a crash the sheet is as it was."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from caucus_desk.desk.session import open_desk
from caucus_desk.store.records import NewReport
from caucus_desk.tally.report import Channel
from caucus_desk.tally.sheet import GroupCounts, ResultSheet


def kb():
    return sys.modules["caucus_tests_keyboard"]


@pytest.fixture
def clerk(sit):
    made = sit("clerk 07")
    made.open("77-DM14", Channel.PAPER)
    return made


def test_a_key_is_in_the_draft_within_half_a_second(clerk):
    clerk.keys("161")
    begun = time.monotonic()
    while kb().drafts(clerk.desk)[0].fields.get("attendance") != "161":
        assert time.monotonic() - begun < 0.5
        time.sleep(0.02)
    clerk.wait_until(lambda: clerk.sees("draft saved"))


@pytest.mark.a_file  # on a shared store a draft does not wait for who writes
def test_typing_never_waits_for_the_store_and_nothing_is_lost(clerk):
    clerk.wait_until(lambda: len(kb().drafts(clerk.desk)) == 1)
    other = sqlite3.connect(clerk.desk.location, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    begun = time.monotonic()
    clerk.fill(161, kb().DM14)
    typed_in = time.monotonic() - begun
    QTest.qWait(300)
    assert kb().drafts(clerk.desk)[0].fields == {}
    other.execute("ROLLBACK")
    other.close()
    assert typed_in < 3, "44 boxes by keys, while the store was locked"
    clerk.wait_until(lambda: kb().drafts(clerk.desk)[0].fields.get("Yang.delegates") == "0", 8000)
    clerk.enter()
    assert kb().reports(clerk.desk, "77-DM14")[Channel.PAPER].sheet.attendance == 161


def test_closing_the_window_at_once_loses_nothing(desk, sit):
    clerk = sit("clerk 07")
    clerk.open("77-DM14", Channel.PAPER)
    clerk.keys("161")
    clerk.enter()
    clerk.keys("9")
    again = sit("clerk 07")  # the first window is closed within the same moment
    (draft,) = kb().drafts(desk)
    assert (draft.fields["attendance"], draft.fields["Bennet.first"]) == ("161", "9")
    assert any("Des Moines-14" in " ".join(row) for row in again.listed()), "offered where work begins"


def test_another_person_at_the_same_window_does_not_get_the_sheet(clerk):
    clerk.keys("161")
    clerk.window.shell.context.set_person("clerk 12")
    assert clerk.where == "Find a precinct"
    assert clerk.listed() == []
    assert not clerk.sees("161")
    (draft,) = kb().drafts(clerk.desk)
    assert (draft.by, draft.fields["attendance"]) == ("clerk 07", "161")


def test_another_page_and_back_leaves_the_sheet_as_it_was(clerk):
    clerk.keys("161")
    clerk.enter()
    clerk.keys("4")
    clerk.page("results")
    clerk.page("entry")
    assert (clerk.where, clerk.text) == ("Bennet first", "4")


def test_an_older_window_cannot_save_over_a_newer_one(desk, sit):
    first = kb().Clerk(desk, "clerk 07")
    first.open("77-DM14", Channel.PAPER)
    first.keys("161")
    first.wait_until(lambda: first.sees("draft saved"))
    second_desk = open_desk(desk.location)
    second = kb().Clerk(second_desk, "clerk 07")
    second.open("77-DM14", Channel.PAPER)
    assert second.where == "Bennet first", "where the typing goes on"
    second.key(Qt.Key.Key_Up)
    second.keys("170")
    second.wait_until(lambda: kb().drafts(desk)[0].fields["attendance"].startswith("170"))
    first.window.activateWindow()
    QTest.qWaitForWindowActive(first.window)
    first.window.shell.current.take_focus()
    first.keys("9")
    first.wait_until(lambda: first.sees("Another window saved this sheet"))
    assert "9" in first.text, "what was typed stays in the box"
    assert kb().drafts(desk)[0].fields["attendance"].startswith("170")
    second.leave()
    first.leave()
    second_desk.close()


CHILD = """
import importlib.util, os, sys, time
from pathlib import Path
spec = importlib.util.spec_from_file_location("keyboard", sys.argv[2])
kb = importlib.util.module_from_spec(spec); sys.modules["keyboard"] = kb; spec.loader.exec_module(kb)
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from caucus_desk.desk.session import open_desk
from caucus_desk.tally.report import Channel
app = QApplication([])
clerk = kb.Clerk(open_desk(sys.argv[1]), "clerk 07")
clerk.open("77-DM14", Channel.PHONE)
for text in ("161", "", "", "", "20", "25"):
    clerk.keys(text)
    clerk.enter()
clerk.keys("1")
def kept():
    draft = kb.drafts(clerk.desk)[0].fields
    return draft.get("Biden.delegates") == "1"
while not kept():
    QTest.qWait(20)
print("typed", flush=True)
while True:
    QTest.qWait(100)
"""


def test_after_kill_9_the_sheet_comes_back_as_it_was(desk, sit):
    location = desk.location
    keyboard = Path(__file__).parents[2] / "keyboard.py"
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(location), str(keyboard)],
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
    )
    assert child.stdout is not None
    with child.stdout:
        assert child.stdout.readline().strip() == "typed"
        os.kill(child.pid, signal.SIGKILL)
        child.wait(10)
    clerk = sit("clerk 07")
    assert any("Des Moines-14" in " ".join(row) for row in clerk.listed())
    clerk.key(Qt.Key.Key_Down)
    clerk.enter()
    assert (clerk.where, clerk.text) == ("Bloomberg first", "")
    seen = []
    for _ in range(7):
        clerk.key(Qt.Key.Key_Up)
        seen.append((clerk.where, clerk.text))
    assert seen == [
        ("Biden delegates", "1"),
        ("Biden final", "25"),
        ("Biden first", "20"),
        ("Bennet delegates", ""),
        ("Bennet final", ""),
        ("Bennet first", ""),
        ("Attendance", "161"),
    ]
    assert clerk.sees("Jane Doe")


def test_a_report_that_came_in_meanwhile_is_said_and_replaced_only_on_the_clerks_word(clerk):
    clerk.fill(161, kb().DM14)
    sheet = ResultSheet(160, tuple(GroupCounts(group, *counts) for group, counts in kb().DM14.items()))
    with clerk.desk.store.write() as unit:
        unit.add_report(NewReport("77-DM14", Channel.PAPER, sheet, "Zed"))
    clerk.enter()
    assert clerk.sees("Zed keyed the paper sheet of")
    assert kb().reports(clerk.desk, "77-DM14")[Channel.PAPER].by == "Zed"
    clerk.enter(3)
    assert kb().reports(clerk.desk, "77-DM14")[Channel.PAPER].by == "Zed", "Enter alone is no answer"
    clerk.keys("r")
    clerk.enter()
    assert clerk.sees("It takes the place of the report that Zed keyed at ")
    assert kb().reports(clerk.desk, "77-DM14")[Channel.PAPER].by == "clerk 07"


def test_what_must_be_known_of_a_sheet_is_said_when_it_is_opened(desk, sit):
    for name, channel in (("clerk 07", Channel.PHONE), ("clerk 12", Channel.PAPER)):
        clerk = sit(name)
        clerk.key_sheet("77-DM14", channel, 161, kb().DM14)
        clerk.enter()
    late = sit("clerk 12")
    late.open("77-DM14", Channel.PAPER)
    assert late.sees("was verified")
