"""The wall screen: F11 shows it, it refreshes itself, shows no names, and Esc or F11 leaves it."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QApplication, QLabel, QLineEdit, QWidget

from caucus_desk.desk.entry import Caller, claim, submit
from caucus_desk.desk.evening import evening
from caucus_desk.desk.people import make_account, make_first_administrator, sign_in
from caucus_desk.desk.roles import Role
from caucus_desk.desk.session import Desk
from caucus_desk.store.errors import StoreError
from caucus_desk.tally.report import Channel
from caucus_desk.tally.sheet import GroupCounts, ResultSheet
from caucus_desk.ui import idle
from caucus_desk.ui.progress import wall as wall_module

SHEET = ResultSheet(
    60,
    (GroupCounts("Klobuchar", 30, 35, 3), GroupCounts("Sanders", 25, 25, 2), GroupCounts("Steyer", 5, 0, 0)),
)


def key(desk, channel, by):
    draft = claim(desk, "A-2", channel, by)
    submit(desk, draft.id, SHEET, by, reasons={}, confirmed=True, caller=Caller(check="pin passed"))


def texts(wall):
    return "\n".join(one.text() for one in wall.findChildren(QLabel) if one.isVisible() and one.text())


@pytest.fixture
def page(qtbot, window):
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.shell.show_page("progress")
    qtbot.waitUntil(lambda: QApplication.focusWidget() is not None)
    return window.shell.pages["progress"]


@pytest.fixture
def wall(qtbot, page):
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_F11)
    qtbot.waitUntil(page.wall.isVisible)
    return page.wall


def test_f11_shows_it_over_the_whole_screen_without_controls(wall):
    assert wall.isWindow()
    assert wall.isFullScreen()
    for kind in (QAbstractButton, QLineEdit, QAbstractItemView):
        assert wall.findChildren(kind) == []


@pytest.mark.parametrize("key", [Qt.Key.Key_Escape, Qt.Key.Key_F11])
def test_esc_or_f11_leaves_it_and_the_page_is_as_before(qtbot, window, page, wall, key):
    qtbot.keyClick(wall, key)
    assert not wall.isVisible()
    assert not wall.running
    assert page.isVisible()
    qtbot.waitUntil(lambda: window.isActiveWindow() and QApplication.focusWidget() is not None)
    assert page.isAncestorOf(QApplication.focusWidget())
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_F11)
    assert wall.isVisible(), "and it can be shown again"


def test_other_keys_do_nothing(qtbot, wall):
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Space, Qt.Key.Key_2, Qt.Key.Key_F8, Qt.Key.Key_Down):
        qtbot.keyClick(wall, key)
    assert wall.isVisible()
    assert not wall.map.current


def test_it_refreshes_itself(qtbot, wall, desk):
    assert "0 of 4 precincts report" in texts(wall)
    key(desk, Channel.PHONE, "Ann Quigley")
    wall._timer.timeout.emit()
    assert "1 of 4 precincts report" in texts(wall)
    key(desk, Channel.PAPER, "Bo Zwick")
    wall._timer.timeout.emit()
    assert "1 verified by two people" in texts(wall)
    assert wall._timer.isActive()


def test_it_shows_counts_of_precincts_and_no_names_of_people_or_groups(qtbot, window, wall, desk):
    key(desk, Channel.PHONE, "Ann Quigley")
    claim(desk, "A-1", Channel.PHONE, "Cy Young")
    wall.refresh()
    shown = texts(wall)
    for name in ("Ann", "Quigley", "Cy", "clerk 07", "maker", *(g.label for g in desk.rules.groups)):
        assert name not in shown.split()
        assert name not in wall.map.accessibleDescription()
    assert "O'Brien" in shown
    assert "2 of 2 missing" in shown
    assert "UNOFFICIAL, PARTIAL" in shown


def test_the_desk_is_not_locked_meanwhile(qtbot, window, page, monkeypatch):
    held = []
    monkeypatch.setattr(type(window.shell), "hold_unlocked", lambda shell, on: held.append(on), raising=False)
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_F11)
    qtbot.waitUntil(page.wall.isVisible)
    assert held == [True]
    qtbot.keyClick(page.wall, Qt.Key.Key_Escape)
    assert held == [True, False]


def test_after_hours_on_the_wall_whoever_ends_it_finds_the_desk_locked(
    qtbot, window, page, desk, monkeypatch
):
    make_first_administrator(desk, "Ada", "4711-ada")
    make_account(desk, "clerk 07", Role.LEAD, "2468-pin", by="Ada")
    sign_in(desk, "clerk 07", "2468-pin")
    window.shell.sitting.idle.start(600)
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_F11)
    qtbot.waitUntil(page.wall.isVisible)
    later = idle.steady() + 3 * 3600
    monkeypatch.setattr(idle, "steady", lambda: later)
    window.shell.sitting.look()
    assert page.wall.isVisible()
    assert not window.shell.sitting.locked
    qtbot.keyClick(page.wall, Qt.Key.Key_Escape)
    assert window.shell.sitting.locked
    assert not page.isVisible()


def test_a_store_that_does_not_answer_is_said_and_the_last_figures_stay(wall, desk, monkeypatch):
    key(desk, Channel.PHONE, "Ann")
    wall.refresh()

    def silent(*args: object) -> None:
        raise StoreError("The store does not answer. Try again.")

    monkeypatch.setattr(wall_module, "evening", silent)
    wall.refresh()
    assert wall.trouble.isVisible()
    assert "does not answer" in wall.trouble.text()
    assert "1 of 4 precincts report" in texts(wall)
    monkeypatch.setattr(wall_module, "evening", evening)
    wall.refresh()
    assert not wall.trouble.isVisible()


def test_closing_the_window_closes_the_wall(qtbot, window, wall):
    assert window.shell.close_pages() == ""
    assert not wall.isVisible()


def test_a_wall_of_1700_precincts_is_readable(qtbot, tmp_path, ui_data):
    """Every county has its figure on a common screen, no text is cut, and a look takes no second."""
    from caucus_desk.desk.sample import make_sample
    from caucus_desk.desk.session import open_desk
    from caucus_desk.ui.app import build_window

    desk: Desk = open_desk(str(make_sample(tmp_path)))
    window = build_window(desk, person="lead")
    qtbot.addWidget(window)
    window.resize(1280, 720)
    window.show()
    window.shell.show_page("progress")
    page = window.shell.pages["progress"]
    wall: QWidget = page.wall
    wall.refresh()
    wall.resize(1920, 1080)
    wall.show()
    QApplication.processEvents()
    assert wall.map.is_map
    night = evening(desk)
    assert len(wall.map.areas) == len(night.counties)
    assert sum(area.part for area in wall.map.areas) == night.curve[-1].reporting
    assert sum(area.whole for area in wall.map.areas) == night.total
    for one in wall.findChildren(QLabel):
        if one.isVisible() and one.text():
            assert one.sizeHint().width() <= one.width() + 1, one.text()
            assert one.font().pointSizeF() >= 15
    rows = [(name.text(), missing.text()) for name, missing in wall._rows]
    worst = max(night.counties, key=lambda one: one.missing)
    assert rows[0] == (worst.name, f"{worst.missing} of {worst.total} missing")
    wall.hide()
    page.wall.end()
    window.close()
