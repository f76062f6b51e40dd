"""While another program holds the store, and while two windows hold one sheet: nothing typed is lost
without a word, and the window goes on answering."""

import sys
import time
from itertools import pairwise

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest

from caucus_desk.desk import entry
from caucus_desk.tally.report import Channel


def kb():
    return sys.modules["caucus_tests_keyboard"]


def held(desk):
    return kb().held(desk)


def draft(desk, channel=Channel.PAPER):
    return entry.draft_at(desk, "77-DM14", channel)


@pytest.fixture
def clerk(sit):
    made = sit("clerk 07")
    made.open("77-DM14", Channel.PAPER)
    return made


# --- leaving (on a shared store a draft never waits for who writes) -----------------------------------------


@pytest.mark.a_file
def test_closing_while_the_store_is_held_says_what_is_not_saved_and_stays(clerk, desk):
    with held(desk):
        clerk.keys("161")
        assert not clerk.window.close()
        assert clerk.window.isVisible()
        assert "not saved" in clerk.window.notices.text
        assert "Close again to leave without it" in clerk.window.notices.text
    clerk.wait_until(lambda: draft(desk).fields.get("attendance") == "161")


@pytest.mark.a_file
def test_closing_again_leaves_without_it(clerk, desk):
    with held(desk):
        clerk.keys("161")
        assert not clerk.window.close()
        assert clerk.window.close()


@pytest.mark.a_file
def test_another_person_sits_down_while_the_store_is_held_and_nothing_is_lost(clerk, desk):
    with held(desk):
        clerk.keys("161")
        clerk.key(Qt.Key.Key_F8)
        clerk.keys("clerk 12")
        clerk.enter()
        assert clerk.sees("What clerk 07 typed last is not saved yet")
        assert clerk.where == "Find a precinct"
        assert not clerk.window.close(), "it is still owed"
    clerk.wait_until(lambda: draft(desk).fields.get("attendance") == "161")
    assert draft(desk).by == "clerk 07"
    clerk.wait_until(lambda: clerk.sees("What clerk 07 typed last is saved now."))


# --- waiting --------------------------------------------------------------------------------------


def beats_while(work):
    """How often a clock of 20 ms ticks in the window while `work` goes on, and how long that took."""
    ticks = []
    clock = QTimer()
    clock.timeout.connect(lambda: ticks.append(time.monotonic()))
    clock.start(20)
    ticks.append(time.monotonic())
    work()
    clock.stop()
    return max(after - before for before, after in pairwise(ticks))


def test_submitting_while_the_store_is_held_waits_without_standing_still(clerk, desk):
    clerk.fill(161, kb().DM14)
    clerk.wait_until(lambda: draft(desk).fields.get("Yang.delegates") == "0")
    with held(desk):

        def submit_and_wait():
            clerk.enter()
            assert clerk.sees("Waiting for the store")
            clerk.enter()
            clerk.keys("7")
            QTest.qWait(800)

        longest = beats_while(submit_and_wait)
        assert longest < 0.6, "the window answered all the time"
        assert clerk.sees("Waiting for the store")
        assert not clerk.window.shell.current._sheet.body.isEnabled(), "what is being saved stays as it is"
    clerk.wait_until(lambda: Channel.PAPER in kb().reports(desk, "77-DM14"))
    clerk.wait_until(lambda: clerk.sees("Next precinct") and clerk.window.shell.current.receipt.seen)
    clerk.enter()
    assert clerk.where == "Find a precinct"
    assert kb().reports(desk, "77-DM14")[Channel.PAPER].sheet.row("Yang").delegates == 0


@pytest.mark.timeout(60)
def test_when_the_store_stays_held_the_hand_is_back_on_submit(clerk, desk):
    clerk.fill(161, kb().DM14)
    clerk.wait_until(lambda: draft(desk).fields.get("Yang.delegates") == "0")
    with held(desk):
        clerk.enter()
        clerk.wait_until(lambda: not clerk.sees("Waiting for the store"))
        assert clerk.window.notices.text
        assert clerk.focus.text() == "Submit"
        assert clerk.window.shell.current._sheet.body.isEnabled()
    clerk.enter()
    clerk.wait_until(lambda: Channel.PAPER in kb().reports(desk, "77-DM14"))


def test_opening_a_sheet_while_the_store_is_held_waits_and_then_opens(desk, sit):
    clerk = sit("clerk 07")
    with held(desk):
        longest = beats_while(lambda: (clerk.find("77-DM14", Channel.PAPER), QTest.qWait(500)))
        assert longest < 0.6
        assert clerk.sees("Waiting for the store")
    clerk.wait_until(lambda: clerk.where == "Attendance")


# --- two windows of one person ----------------------------------------------------------------------


def other_window(desk, **texts):
    """Another window of clerk 07 saves this."""
    now = draft(desk)
    changes = {path.replace("_", "."): text for path, text in texts.items()}
    entry.save_draft(desk, now.id, changes, "clerk 07", now.updated)


def test_a_sheet_that_another_window_saved_is_not_submitted_unseen(clerk, desk):
    clerk.fill(161, kb().DM14)
    clerk.wait_until(lambda: draft(desk).fields.get("Yang.delegates") == "0")
    other_window(desk, Yang_first="9")
    clerk.enter()
    assert kb().reports(desk, "77-DM14") == {}
    assert clerk.sees("Another window saved this sheet")
    assert clerk.sees("Yang first: 3 here, 9 saved by the other window at ")
    clerk.keys("w")
    clerk.enter()
    assert clerk.window.shell.current._sheet.sheet.row("Yang").first == 9


def test_what_stands_here_can_go_over_what_the_other_window_saved(clerk, desk):
    clerk.fill(161, kb().DM14)
    clerk.wait_until(lambda: draft(desk).fields.get("Yang.delegates") == "0")
    other_window(desk, Yang_first="9")
    clerk.enter()
    clerk.keys("m")
    clerk.enter()
    clerk.wait_until(lambda: draft(desk).fields["Yang.first"] == "3")
    clerk.ctrl_enter()
    assert kb().reports(desk, "77-DM14")[Channel.PAPER].sheet.row("Yang").first == 3


def test_keeping_a_sheet_that_another_window_saved_loses_nothing_silently(clerk, desk):
    clerk.keys("161")
    clerk.wait_until(lambda: draft(desk).fields.get("attendance") == "161")
    other_window(desk, Bennet_first="5")
    clerk.enter()
    clerk.keys("44")
    clerk.wait_until(lambda: clerk.sees("Another window saved this sheet"))
    assert clerk.sees("Bennet first: 44 here, 5 saved by the other window at ")
    clerk.key(Qt.Key.Key_Escape)
    clerk.keys("k")
    assert clerk.sees("What stands?"), "the sheet stays open until that is said"
    clerk.keys("m")
    clerk.enter()
    clerk.wait_until(lambda: draft(desk).fields["Bennet.first"] == "44")
    clerk.key(Qt.Key.Key_Escape)
    clerk.keys("k")
    assert clerk.where == "Find a precinct"


# --- what is sent -----------------------------------------------------------------------------------


def test_the_caller_on_the_screen_is_the_caller_of_the_report(desk, sit, monkeypatch):
    clerk = sit("clerk 07")
    clerk.open("77-DM14", Channel.PHONE)
    clerk.fill(161, kb().DM14)
    sent = []
    monkeypatch.setattr(
        entry, "submit", lambda *args, submit=entry.submit, **more: sent.append(more) or submit(*args, **more)
    )
    clerk.enter()
    assert sent[0]["caller"] == entry.Caller("Jane Doe", "515 555 0142", "")
    assert sent[0]["seen"] is not None


def test_only_fields_that_the_clerk_was_told_of_are_confirmed(desk, sit):
    def phone(**fields):
        rows = {group: list(counts) for group, counts in kb().DM14.items()}
        for name, count in fields.items():
            group, column = name.split("_")
            rows[group][("first", "final", "delegates").index(column)] = count
        from caucus_desk.tally.sheet import GroupCounts, ResultSheet

        sheet = ResultSheet(161, tuple(GroupCounts(group, *counts) for group, counts in rows.items()))
        begun = entry.claim(desk, "77-DM14", Channel.PHONE, "clerk 12")
        reasons = {finding.id: "asked" for finding in entry.check(desk, "77-DM14", sheet).findings}
        entry.submit(
            desk, begun.id, sheet, "clerk 12", reasons=reasons, confirmed=True, correcting="read it again"
        )

    phone(Warren_final=30)
    clerk = sit("clerk 07")
    clerk.key_sheet("77-DM14", Channel.PAPER, 161, kb().DM14)
    clerk.enter()
    assert clerk.sees("Does not match in: Warren final")
    phone(Warren_final=30, Sanders_final=49)
    clerk.enter(2)
    assert Channel.PAPER not in kb().reports(desk, "77-DM14")
    assert clerk.sees("Sanders final"), "told of what came to differ since"


# --- scanners ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", ["Adair-Alpha 2", "Polk-Clive-1"])
def test_a_code_that_is_scanned_twice_answers_nothing(tmp_path, sit, code):
    (tmp_path / "scan").mkdir()
    roster = "county,precinct,county_delegates\nPolk,Clive-1,3\nAdair,Alpha 2,4\n"
    desk = kb().small_caucus(tmp_path / "scan", roster=roster)
    clerk = sit("clerk 07", desk)
    for _ in range(2):
        clerk.keys(code)
        clerk.enter()
    QTest.qWait(150)
    assert kb().drafts(desk) == []
    QTest.qWait(300)
    clerk.answer("a")
    assert [(one.channel, dict(one.fields)) for one in kb().drafts(desk)] == [(Channel.PAPER, {})]


def test_the_question_about_zeros_names_the_groups(clerk):
    clerk.keys("161")
    clerk.key(Qt.Key.Key_F4)
    assert clerk.sees("empty boxes (Bennet, Biden, ")
