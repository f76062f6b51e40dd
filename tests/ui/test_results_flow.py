"""Realignment, the map of leaders and the departures, by the keys 2, 3 and 4."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from caucus_desk.desk import entry
from caucus_desk.desk.looking import look
from caucus_desk.tally.report import Channel
from caucus_desk.ui.widgets.leadermap import LEVEL, letters_of

WRONG = {"Klobuchar": (30, 35, 2), "Sanders": (25, 25, 3), "Steyer": (5, 0, 0)}
"""60 people in A-2, which elects 5: Klobuchar is owed 3 and Sanders 2."""


def press(key, modifier=Qt.KeyboardModifier.NoModifier):
    QTest.keyClick(QApplication.focusWidget(), key, modifier)


def table(view):
    model = view.model()
    rows = range(model.rowCount())
    return {
        str(model.index(row, 0).data()): [
            str(model.index(row, column).data()) for column in range(1, model.columnCount())
        ]
        for row in rows
    }


@pytest.fixture
def page(window, desk, report, good):
    report(desk, "A-1", good, 100, "phone", "clerk 01")
    report(desk, "A-1", good, 100, "paper", "clerk 02")
    report(desk, "A-2", WRONG, 60, "phone", "clerk 01")
    report(desk, "A-2", WRONG, 60, "paper", "clerk 02")
    look(desk, "A-2", "clerk 07")  # the error in it is open: else its figures would be covered
    window.shell.context.after_change()
    window.activateWindow()
    window.shell.show_page("results")
    return window.shell.pages["results"]


def settled(qtbot, page):
    qtbot.waitUntil(lambda: not page.context.thinker.asked("realignment"), timeout=20_000)


def test_first_and_final_stand_side_by_side_with_who_gained_and_who_fell(qtbot, page):
    press(Qt.Key.Key_2)
    assert page.sections.key == "realign"
    settled(qtbot, page)
    shown = table(page.realign.table)
    # Yang had 4 of 100 in A-1, below the 15 that are needed, and nobody at the end.
    assert shown["Yang"][:7] == ["4", "0", "−4", "0", "4", "1", "4"]
    assert shown["Klobuchar"][:3] == ["30", "35", "+5"]
    assert shown["Total"][:2] == ["160", "160"]
    assert [pair.label for pair in page.realign.pairs.pairs][:2] == ["Bennet", "Biden"]


def test_where_people_can_have_gone_are_bounds(qtbot, page):
    press(Qt.Key.Key_2)
    settled(qtbot, page)
    page.realign.table.select_key("Steyer")
    ways = {bar.label: bar.figure for bar in page.realign.from_bars.bars}
    # Steyer's five are the only free people in A-2, and Klobuchar grew by five.
    assert ways == {"Klobuchar": "5"}
    page.realign.table.select_key("Yang")
    ways = {bar.label: bar.figure for bar in page.realign.from_bars.bars}
    assert set(ways) == {"Biden", "Buttigieg"}
    assert "the least (solid) and the most (hatched)" in page.realign.remark.text()


def test_down_in_the_table_chooses_the_group_whose_ways_are_drawn(qtbot, page):
    press(Qt.Key.Key_2)
    settled(qtbot, page)
    page.take_focus()
    press(Qt.Key.Key_Home, Qt.KeyboardModifier.ControlModifier)
    before = page.realign.from_title.text()
    press(Qt.Key.Key_Down)
    assert page.realign.from_title.text() != before


def test_one_precinct_has_its_own_realignment_and_stays_covered(qtbot, page, window, desk, report, good):
    report(desk, "77-DM42", {"Biden": (30, 30, 2), "Yang": (30, 30, 2)}, 60, "phone", "clerk 01")
    window.shell.context.after_change()
    press(Qt.Key.Key_2)
    page.by.choose("precinct")
    page.areas.view.select_key("77-DM42")
    assert page.cover.isVisible()
    assert not page.realign.table.isVisible()
    assert page.realign.model.rowCount() == 0
    look(desk, "77-DM42", "clerk 07")
    window.shell.context.renew_eyes()
    settled(qtbot, page)
    assert table(page.realign.table)["Biden"][:2] == ["30", "30"]


def test_the_map_says_who_leads_by_letters_and_words(qtbot, page):
    press(Qt.Key.Key_3)
    leaders = page.leaders
    assert QApplication.focusWidget() is leaders.map
    lead = {lead.name: lead for lead in leaders.model.rows}["Alpha"]
    # 4/11 of an SDE each: Sanders 2 + 3 of 11 delegates.
    assert lead.names == "Sanders"
    assert leaders.legend.told[0] == "Sanders leads in 1"
    press(Qt.Key.Key_Right)
    press(Qt.Key.Key_Home)
    assert "Sanders leads with 45.5%" in leaders.told.text()
    assert [bar.label for bar in leaders.chart.bars][-1] == "Warren"
    press(Qt.Key.Key_Return)
    assert page.sections.key == "tally"
    assert page.name_label.whole == "Alpha"


def test_a_county_whose_only_precinct_is_covered_stays_blank(page, window, desk, report):
    report(desk, "77-DM42", {"Biden": (30, 30, 2), "Yang": (30, 30, 2)}, 60, "phone", "clerk 01")
    window.shell.context.after_change()
    press(Qt.Key.Key_3)
    lead = {lead.name: lead for lead in page.leaders.model.rows}["O'Brien"]
    assert lead.covered
    assert lead.leader == ""
    assert "covered: 1" in page.leaders.legend.told
    look(desk, "77-DM42", "clerk 07")
    window.shell.context.renew_eyes()
    lead = {lead.name: lead for lead in page.leaders.model.rows}["O'Brien"]
    assert lead.leader == LEVEL
    assert lead.names == "Biden, Yang"


def test_letters_tell_groups_apart():
    letters = letters_of({"Biden": "Biden", "Bennet": "Bennet", "Buttigieg": "Buttigieg", "Other": "Other"})
    assert letters == {"Biden": "Bi", "Bennet": "Be", "Buttigieg": "Bu", "Other": "Ot"}


def test_a_sheet_that_departs_is_told_with_its_step_and_what_it_moves(qtbot, page, window):
    press(Qt.Key.Key_4)
    section = page.departing
    lines = list(section.model.rows)
    assert [line.key for line in lines] == ["A-2"]
    assert lines[0].change == "Klobuchar 2 → 3, Sanders 3 → 2"
    assert section.head.text().startswith("1 of the counted sheets give other delegates")
    moves = table(section.moves)
    assert moves["Klobuchar"][:2] == ["+0.3636", "+0.3636"]
    assert moves["Sanders"][:2] == ["−0.3636", "−0.3636"]
    assert lines[0].sentence in section.told.text()
    press(Qt.Key.Key_Return)
    assert window.shell.current is window.shell.pages["precincts"]


def test_a_covered_departure_is_named_and_not_summed(page, window, desk, report):
    report(desk, "77-DM42", {"Biden": (30, 30, 1), "Yang": (30, 30, 3)}, 60, "phone", "clerk 01")
    window.shell.context.after_change()
    press(Qt.Key.Key_4)
    lines = {line.key: line for line in page.departing.model.rows}
    assert lines["77-DM42"].covered
    assert lines["77-DM42"].change == "–"
    assert table(page.departing.moves)["Yang"][0] == "0.0000"
    assert "not in these sums" in page.departing.move_remark.text()


def test_digits_in_the_filter_are_text(qtbot, page):
    page.by.choose("precinct")
    assert QApplication.focusWidget() is page.areas.filter
    qtbot.keyClicks(page.areas.filter, "42")
    assert page.areas.filter.text() == "42"
    assert page.sections.key == "tally"


def test_a_precinct_that_is_being_keyed_hides_the_whole_state_where_it_is_alone(qtbot, window, desk, report):
    report(desk, "77-DM42", {"Biden": (30, 30, 2), "Yang": (30, 30, 2)}, 60, "phone", "clerk 01")
    window.shell.context.after_change()
    entry.claim(desk, "77-DM42", Channel.PAPER, "clerk 07")
    window.activateWindow()
    window.shell.show_page("results")
    page = window.shell.pages["results"]
    for key in ("departing", "ahead", "delegates", "realign"):
        page.sections.choose(key)
        assert page.cover.isVisible(), key
        assert not page.copy_button.isEnabled()
    assert page.ahead.next_model.rowCount() == 0
