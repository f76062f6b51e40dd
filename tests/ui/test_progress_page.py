"""The Progress page: five sections by keys, the same figures as everywhere, and nothing covered shown."""

from datetime import UTC, datetime, timedelta

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel

from caucus_desk.desk.entry import Caller, claim, submit
from caucus_desk.desk.people import make_account, make_first_administrator, sign_in
from caucus_desk.desk.roles import Role
from caucus_desk.tally.evening import evening_of
from caucus_desk.tally.report import Channel
from caucus_desk.tally.sheet import GroupCounts, ResultSheet
from caucus_desk.ui.progress.wording import bins_of, shown_from, span
from caucus_desk.ui.widgets.timeaxis import ticks

SHEET = ResultSheet(
    100,
    (
        GroupCounts("Biden", 14, 16, 1),
        GroupCounts("Buttigieg", 36, 38, 2),
        GroupCounts("Sanders", 24, 24, 2),
        GroupCounts("Warren", 22, 22, 1),
        GroupCounts("Yang", 4, 0, 0),
    ),
)
OTHER = ResultSheet(
    100,
    (
        GroupCounts("Biden", 14, 17, 1),
        GroupCounts("Buttigieg", 36, 37, 2),
        *SHEET.groups[2:],
    ),
)


def key(desk, sheet, channel, by, correcting=""):
    draft = claim(desk, "A-1", channel, by)
    return submit(
        desk,
        draft.id,
        sheet,
        by,
        reasons={},
        confirmed=True,
        correcting=correcting,
        caller=Caller(check="pin passed"),
    )


@pytest.fixture
def page(qtbot, window):
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.shell.show_page("progress")
    qtbot.waitUntil(lambda: QApplication.focusWidget() is not None)
    return window.shell.pages["progress"]


def press(qtbot, key):
    qtbot.keyClick(QApplication.focusWidget(), key)


def seen(page):
    return "\n".join(one.text() for one in page.findChildren(QLabel) if one.isVisible())


def again(page):
    page.context.look()
    page.refresh()


def test_the_keys_1_to_5_show_the_sections_from_wherever_the_focus_is(qtbot, page):
    for figure, section in ((2, page.counties), (3, page.waits), (4, page.moved), (5, page.persons)):
        press(qtbot, Qt.Key(Qt.Key.Key_0 + figure))
        assert section.isVisible()
        assert page.isAncestorOf(QApplication.focusWidget())
    press(qtbot, Qt.Key.Key_1)
    assert page.night.isVisible()
    assert not page.persons.isVisible()


def test_an_empty_night_says_what_to_do(qtbot, page):
    assert page.night.empty.isVisible()
    assert "Key it under Entry" in seen(page)
    assert page.night.reporting.text == "0.0% 0 of 4"
    for figure, words in ((3, "No mismatch waits"), (4, "Nothing was corrected"), (5, "Nobody has keyed")):
        press(qtbot, Qt.Key(Qt.Key.Key_0 + figure))
        assert words in seen(page)


def test_the_figures_are_those_of_the_overview(qtbot, page, desk):
    key(desk, SHEET, Channel.PHONE, "Ann")
    key(desk, SHEET, Channel.PAPER, "Bo")
    again(page)
    coverage = desk.overview().coverage()
    assert page.night.reporting.text == f"25.0% {coverage.reporting} of {coverage.total}"
    assert page.night.verified.text == f"25.0% {coverage.verified} of {coverage.total}"
    assert page.night.calls.text.startswith("1 ")
    assert sum(one.value for one in page.night.columns.bins) == 1
    assert page.night.curve.accessibleDescription() == "reporting 1 (25.0%); verified 1 (25.0%)"


def test_enter_on_the_map_opens_the_precincts_of_that_county_only(qtbot, window, page):
    press(qtbot, Qt.Key.Key_2)
    assert QApplication.focusWidget() is page.counties.map
    assert not page.counties.map.is_map, "there is no county Alpha in Iowa"
    press(qtbot, Qt.Key.Key_Right)
    press(qtbot, Qt.Key.Key_Right)
    assert "O'Brien: 0 of 2 report (0.0%), 0 verified" in seen(page)
    press(qtbot, Qt.Key.Key_Return)
    precincts = window.shell.pages["precincts"]
    assert precincts.isVisible()
    assert {row.county for row in precincts.model.shown} == {"O'Brien"}
    assert precincts.county_button.isVisible()
    assert "Only O'Brien" in precincts.county_button.text()
    precincts.county_button.setFocus()
    press(qtbot, Qt.Key.Key_Return)
    assert {row.county for row in precincts.model.shown} == {"Alpha", "O'Brien"}
    assert not precincts.county_button.isVisible()


def test_the_county_stays_chosen_beside_a_state(qtbot, window, page):
    window.shell.context.show_county("O'Brien")
    precincts = window.shell.pages["precincts"]
    precincts.states.choose("awaiting")
    assert {row.county for row in precincts.model.shown} == {"O'Brien"}
    precincts.states.choose("matched")
    assert precincts.model.shown == []


def test_mismatches_wait_oldest_first_and_enter_opens_the_review(qtbot, window, page, desk):
    key(desk, SHEET, Channel.PHONE, "Ann")
    key(desk, OTHER, Channel.PAPER, "Bo")
    again(page)
    assert page.night.mismatches.text.startswith("1 oldest")
    press(qtbot, Qt.Key.Key_3)
    (row,) = page.waits.model.shown
    assert (row.id, row.county, row.fields) == ("A-1", "Alpha", 2)
    assert "1 wait" in seen(page)
    press(qtbot, Qt.Key.Key_Return)
    assert window.shell.pages["review"].isVisible()


def test_a_correction_shows_what_moved_and_is_covered_until_the_person_looks(qtbot, window, page, desk):
    key(desk, SHEET, Channel.PHONE, "Ann")
    key(desk, SHEET, Channel.PAPER, "Bo")
    key(desk, OTHER, Channel.PAPER, "Bo", correcting="the sheet was misread")
    again(page)
    press(qtbot, Qt.Key.Key_4)
    (one,) = page.moved.model.shown
    assert page.moved._moved(one) == "covered: open the precinct to see it"
    assert "one precinct that was verified is not now" in seen(page)
    assert "the sheet was misread" in seen(page)
    press(qtbot, Qt.Key.Key_Return)
    precincts = window.shell.pages["precincts"]
    assert precincts.isVisible()
    assert precincts.detail.precinct_id == "A-1"
    from caucus_desk.desk.looking import look

    look(desk, "A-1", "clerk 07")
    page.context.renew_eyes()
    assert page.moved._moved(one) == "no delegate"


def test_where_there_are_roles_a_clerk_sees_no_figures_of_people_and_no_moves(qtbot, window, page, desk):
    key(desk, SHEET, Channel.PHONE, "Ann")
    key(desk, SHEET, Channel.PAPER, "Bo")
    key(desk, OTHER, Channel.PAPER, "Bo", correcting="the sheet was misread")
    again(page)
    press(qtbot, Qt.Key.Key_5)
    assert [one.name for one in page.persons.model.shown] == ["Ann", "Bo"]
    assert "everybody sees this" in seen(page)
    make_first_administrator(desk, "Ada", "4711-ada")
    for name, role in (("Lee", Role.LEAD), ("clerk 07", Role.CLERK)):
        make_account(desk, name, role, "2468-pin", by="Ada")
        sign_in(desk, name, "2468-pin")
    page.refresh()
    assert not page.persons.table.isVisible()
    assert "see the figures of each person" in seen(page)
    press(qtbot, Qt.Key.Key_4)
    assert page.moved._moved(page.moved.model.shown[0]) == "for reviewers and leads"


def test_another_person_begins_at_the_night(qtbot, window, page):
    press(qtbot, Qt.Key.Key_5)
    window.shell.context.set_person("clerk 12")
    assert page.sections.key == "night"


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
def test_nothing_is_cut_and_the_page_does_not_scroll(qtbot, window, page, desk, size):
    key(desk, SHEET, Channel.PHONE, "Ann")
    key(desk, OTHER, Channel.PAPER, "Bo")
    window.resize(*size)
    again(page)
    for figure in range(1, 6):
        press(qtbot, Qt.Key(Qt.Key.Key_0 + figure))
        QApplication.processEvents()
        frame = page.parentWidget()
        assert page.height() <= frame.height()
        assert page.width() <= frame.width()
        for one in page.findChildren(QLabel):
            if one.isVisible() and not one.wordWrap() and one.text():
                assert one.sizeHint().width() <= one.width() + 1, one.text()


def test_spans_are_said_as_people_say_them():
    assert span(timedelta(seconds=59)) == "0 min"
    assert span(timedelta(minutes=73)) == "1 h 13 min"
    assert span(timedelta(days=2, hours=3, minutes=9)) == "2 d 3 h"
    assert span(timedelta(seconds=-5)) == "0 min"


def test_a_night_of_days_is_shown_by_its_last_hours():
    begin = datetime(2020, 2, 4, 1, 0, tzinfo=UTC)
    from caucus_desk.tally.evening import Ring

    calls = (Ring(begin), Ring(begin + timedelta(days=6)))
    evening = evening_of((), {}, calls, (), begin + timedelta(days=6))
    assert shown_from(evening) == begin + timedelta(days=6) - timedelta(hours=12)
    assert len(bins_of(evening)) <= 50
    assert evening.calls == 2


@pytest.fixture
def chicago(monkeypatch):
    import time

    monkeypatch.setenv("TZ", "America/Chicago")
    if not hasattr(time, "tzset"):
        pytest.skip("this system cannot change its time zone for one process")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def test_times_stand_in_local_time_and_name_the_zone_of_an_hour_that_comes_twice(chicago):
    begin = datetime(2020, 11, 1, 5, 0, tzinfo=UTC)
    found = ticks(begin, begin + timedelta(hours=4), 5)
    assert [text for _, text in found] == ["00:00", "01:00 CDT", "01:00 CST", "02:00", "03:00"]
    assert [at for at, _ in found] == sorted(at for at, _ in found)


def test_ticks_are_round_and_few(chicago):
    begin = datetime(2020, 2, 4, 1, 7, tzinfo=UTC)
    for hours in (0.2, 1, 5, 12, 40, 400):
        found = ticks(begin, begin + timedelta(hours=hours), 8)
        assert len(found) <= 9
    assert [text for _, text in ticks(begin, begin + timedelta(hours=6), 8)] == [
        "20:00", "21:00", "22:00", "23:00", "00:00", "01:00",
    ]  # fmt: skip
