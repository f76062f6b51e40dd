"""Is the outcome settled? The Outlook and Delegates sections, and the queue in their order."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from caucus_desk.tally.bounds import outlook
from caucus_desk.tally.projection import LABEL
from caucus_desk.tally.seats import next_seat, seat_outlooks
from caucus_desk.tally.seatwords import move_sentence
from caucus_desk.tally.settled import settled_sentence


def press(key, modifier=Qt.KeyboardModifier.NoModifier):
    QTest.keyClick(QApplication.focusWidget(), key, modifier)


@pytest.fixture
def page(window, desk, report, good, south):
    for channel, by in (("phone", "clerk 01"), ("paper", "clerk 02")):
        report(desk, "A-1", good, 100, channel, by)
        report(desk, "A-2", south, 60, channel, by)
    window.shell.context.after_change()
    window.activateWindow()
    window.shell.show_page("results")
    return window.shell.pages["results"]


def wait(qtbot, page, topic):
    qtbot.waitUntil(lambda: not page.context.thinker.asked(topic), timeout=20_000)


def test_the_sentence_the_bounds_and_the_next_precincts(qtbot, page, desk):
    press(Qt.Key.Key_5)
    wait(qtbot, page, "outlook")
    section, found = page.ahead, outlook(desk.overview())
    assert section.settled.text() == settled_sentence(found)
    assert section.settled.text().startswith("Leader can still change: yes, through 1 precinct")
    bars = {bar.label: bar for bar in section.bars.bars}
    assert next(iter(bars)) == "Sanders", "who has most stands first"
    for one in found.ranges:
        bar = bars[desk.rules.label(one.group)]
        assert (bar.least, bar.now, bar.most) == (one.least, one.now, one.most)
    assert [line.key for line in section.next_model.rows] == ["77-DM42", "77-T01"]
    assert "Of 2 open precincts" in section.next_remark.text()
    assert QApplication.focusWidget() is section.next
    press(Qt.Key.Key_Return)
    assert page.window().shell.current is page.window().shell.pages["precincts"]


def test_t_turns_to_the_pairs_and_to_the_projection_which_stands_apart(qtbot, page, desk):
    press(Qt.Key.Key_5)
    wait(qtbot, page, "outlook")
    section = page.ahead
    press(Qt.Key.Key_T)
    assert QApplication.focusWidget() is section.races
    assert section.races.isVisible()
    assert not section.guess.isVisible()
    assert len(section.race_model.rows) == len(desk.rules.groups) - 1
    press(Qt.Key.Key_T)
    assert section.guess.isVisible()
    assert not section.next.isVisible()
    assert section.choice.text_of("guess") == LABEL
    assert section.guess_note.text().startswith("PROJECTION, not a result and not a bound")
    assert section.sentences()[0].startswith("PROJECTION")


def test_it_is_kept_up_with_the_figures(qtbot, page, window, desk, report):
    press(Qt.Key.Key_5)
    wait(qtbot, page, "outlook")
    for channel, by in (("phone", "clerk 01"), ("paper", "clerk 02")):
        report(desk, "77-DM42", {"Sanders": (40, 40, 4)}, 40, channel, by)
        report(desk, "77-T01", {"Sanders": (40, 40, 1)}, 40, channel, by)
    window.shell.context.after_change()
    wait(qtbot, page, "outlook")
    assert page.ahead.settled.text() == settled_sentence(outlook(desk.overview()))
    assert page.ahead.settled.text().startswith("Leader can still change: no")
    assert page.ahead.next_remark.text() == "No precinct is open."


def test_nothing_is_worked_out_while_another_section_is_shown(qtbot, page):
    asked = []
    page.context.thinker.ask = lambda topic, work, answer: asked.append(topic)
    press(Qt.Key.Key_4)
    press(Qt.Key.Key_1)
    page.refresh()
    assert asked == []


def test_a_covered_precinct_tells_nothing_by_what_it_can_move(qtbot, page, window, desk, report):
    report(desk, "77-DM42", {"Biden": (30, 30, 2), "Yang": (30, 30, 2)}, 60, "phone", "clerk 01")
    report(desk, "77-DM42", {"Biden": (30, 31, 2), "Yang": (30, 29, 2)}, 60, "paper", "clerk 02")
    window.shell.context.after_change()
    press(Qt.Key.Key_5)
    wait(qtbot, page, "outlook")
    line = next(line for line in page.ahead.next_model.rows if line.key == "77-DM42")
    assert line.against is None
    press(Qt.Key.Key_Home, Qt.KeyboardModifier.ControlModifier)
    page.ahead.next.select_key("77-DM42")
    press(Qt.Key.Key_Return)
    assert window.shell.current is window.shell.pages["review"], "reports differ: it is settled there"


def test_national_delegates_with_thresholds_remainders_and_the_next_seat(qtbot, page, desk):
    press(Qt.Key.Key_6)
    wait(qtbot, page, "seats")
    section = page.delegates
    pools = seat_outlooks(desk.overview().national())
    move = next_seat(pools)
    assert section.head.text() == f"The seat next to move: {move_sentence(desk.rules, move)}"
    assert [line.key for line in section.pool_model.rows] == [pool.id for pool in desk.rules.pools]
    press(Qt.Key.Key_Home, Qt.KeyboardModifier.ControlModifier)
    assert section.name.text() == "District 1: 7 seats"
    by_group = {line.key: line for line in section.group_model.rows}
    # 4/11 SDE each: Sanders has 4 of 11 delegates, Klobuchar 3; 15 % of 4 SDEs is 0.6.
    assert by_group["Sanders"].qualified
    assert by_group["Sanders"].entitled == pools[0].allocation.shares["Sanders"]
    assert not by_group["Warren"].qualified
    assert section.rule.text().startswith("Needed to share the seats: 0.6000 SDEs (15.0% of 4.0000).")
    before = section.name.text()
    press(Qt.Key.Key_Down)
    assert section.name.text() != before


def test_the_queue_by_what_can_still_change_who_leads(qtbot, page, window, desk, report, good):
    for channel, by, sanders in (("phone", "clerk 01", 4), ("paper", "clerk 02", 3)):
        counts = {"Sanders": (20, 20, sanders), "Klobuchar": (20, 20, 4 - sanders)}
        report(desk, "77-DM42", counts, 40, channel, by)
        report(desk, "77-T01", {"Biden": (10, 10, 1), "Sanders": (9, sanders, 0)}, 20, channel, by)
    window.shell.context.after_change()
    window.shell.show_page("review")
    review = window.shell.pages["review"]
    usual = [row.id for row in review.side.shown]
    review.side.take_focus()
    press(Qt.Key.Key_O)
    assert review.side.filter.order.key == "outcome"
    qtbot.waitUntil(lambda: not page.context.thinker.asked("order of the queue"), timeout=20_000)
    order = [swing.open.precinct.id for swing in outlook(desk.overview()).swings()]
    shown = [row.id for row in review.side.shown]
    assert [id for id in shown if id in order] == [id for id in order if id in shown]
    assert sorted(shown) == sorted(usual)
    press(Qt.Key.Key_O)
    assert [row.id for row in review.side.shown] == usual
