"""Locking: one key covers everything, name and PIN lead back, and what was typed is as it was."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit

from caucus_desk.desk import people, signing
from caucus_desk.desk.people import allowed, make_account, make_first_administrator, mark_own_laptop, sign_in
from caucus_desk.desk.roles import Job, Role
from caucus_desk.desk.session import Desk, open_desk
from caucus_desk.desk.settings import change_setting
from caucus_desk.desk.trail import audit_trail
from caucus_desk.tally.report import Channel
from caucus_desk.ui import idle
from caucus_desk.ui.app import build_window
from caucus_desk.ui.window import MainWindow
from tests.keyboard import Clerk, small_caucus

PIN = "4711"


@pytest.fixture(autouse=True)
def _no_tries() -> Iterator[None]:
    signing._tries.clear()
    yield
    signing._tries.clear()


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """Ada administers; Cleo and Dan are clerks; nobody is signed in."""
    made = small_caucus(tmp_path)
    make_first_administrator(made, "Ada", PIN)
    for name, role in (("Cleo", Role.CLERK), ("Dan", Role.CLERK)):
        make_account(made, name, role, PIN, by="Ada")
    people.sign_out(made)
    yield made
    made.close()


@pytest.fixture
def cleo(desk: Desk) -> Iterator[Clerk]:
    sign_in(desk, "Cleo", PIN)
    made = Clerk(desk, "Cleo")
    yield made
    made.leave()


class Clocks:
    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.steady = 1000.0
        self.wall = 5000.0
        monkeypatch.setattr(idle, "steady", lambda: self.steady)
        monkeypatch.setattr(idle, "wall", lambda: self.wall)

    def wait(self, minutes: float) -> None:
        self.steady += 60 * minutes
        self.wall += 60 * minutes


@pytest.fixture
def clocks(monkeypatch: pytest.MonkeyPatch) -> Clocks:
    return Clocks(monkeypatch)


def locked(clerk: Clerk) -> bool:
    return clerk.window.shell.person_page.isVisible() and clerk.window.shell.sitting.locked


def lock(clerk: Clerk) -> None:
    clerk.key(Qt.Key.Key_F8)
    assert locked(clerk)


def unlock(clerk: Clerk, pin: str = PIN) -> None:
    clerk.keys(pin)
    clerk.enter()
    clerk.wait_until(lambda: not locked(clerk))


def boxes(clerk: Clerk) -> dict[str, str]:
    return {
        box.accessibleName(): box.text() for box in clerk.window.findChildren(QLineEdit) if box.isVisible()
    }


def test_one_key_locks_and_the_pin_leads_back_to_the_same_box(cleo: Clerk) -> None:
    cleo.open("77-DM14", Channel.PAPER)
    cleo.keys("161")
    cleo.enter()
    cleo.keys("20")
    before, where = boxes(cleo), cleo.where
    lock(cleo)
    seen = cleo.screen()
    assert "161" not in seen
    assert "Des Moines-14" not in seen
    assert "77-DM14" not in seen
    assert "77-DM14" not in cleo.window.windowTitle()
    assert cleo.where == "PIN or password"  # the name is there, only the PIN is wanted
    unlock(cleo)
    assert (boxes(cleo), cleo.where) == (before, where)
    cleo.keys("5")
    assert cleo.text == "205" or cleo.text == "5"


def test_what_was_said_of_the_work_is_hidden_too_and_comes_back(cleo: Clerk) -> None:
    cleo.window.shell.notices.warn("The sheet of 77-DM14 differs.")
    lock(cleo)
    assert not cleo.sees("77-DM14")
    cleo.window.shell.notices.refuse("Something else of 77-DM14.")  # said meanwhile by work in hand
    assert not cleo.sees("77-DM14")
    unlock(cleo)
    assert cleo.sees("Something else of 77-DM14.")


def test_no_other_key_leads_anywhere_while_it_is_locked(cleo: Clerk) -> None:
    cleo.page("entry")
    lock(cleo)
    control = Qt.KeyboardModifier.ControlModifier
    for place in range(1, 10):
        QTest.keyClick(cleo.focus, Qt.Key(Qt.Key.Key_0 + place), control)
        assert locked(cleo)
    for key in (Qt.Key.Key_F1, Qt.Key.Key_F8, Qt.Key.Key_Escape):
        cleo.key(key)
        assert locked(cleo)
    QTest.keyClick(cleo.focus, Qt.Key.Key_F, control)
    assert locked(cleo)
    unlock(cleo)
    assert cleo.window.shell.current.name == "entry"


def test_a_wrong_pin_opens_nothing_and_is_said(cleo: Clerk) -> None:
    lock(cleo)
    cleo.keys("0000")
    cleo.enter()
    cleo.wait_until(lambda: cleo.sees("do not belong together"))
    assert locked(cleo)
    assert cleo.where == "PIN or password"
    assert cleo.text == ""
    for _ in range(2):
        cleo.keys("0000")
        cleo.enter()
        cleo.wait_until(lambda: cleo.text == "")
    cleo.keys(PIN)
    cleo.enter()
    cleo.wait_until(lambda: cleo.sees("Too many wrong tries"))
    assert locked(cleo)


def test_another_person_sits_down_and_sees_nothing_of_the_sheet(cleo: Clerk, desk: Desk) -> None:
    cleo.open("77-DM14", Channel.PAPER)
    cleo.keys("161")
    lock(cleo)
    cleo.key(Qt.Key.Key_Backtab)
    assert cleo.where == "Name"
    cleo.focus.selectAll()
    cleo.keys("dan")
    cleo.enter()
    assert cleo.where == "PIN or password"
    unlock(cleo)
    assert cleo.window.shell.context.person == "Dan"
    assert not cleo.sees("161")
    cleo.wait_until(lambda: not allowed(desk, "Cleo", Job.KEY))  # signed out when another took the place
    lock(cleo)
    cleo.key(Qt.Key.Key_Backtab)
    cleo.focus.selectAll()
    cleo.keys("Cleo")
    cleo.enter()
    unlock(cleo)
    cleo.key(Qt.Key.Key_Down)  # among the unfinished sheets
    cleo.enter()
    cleo.wait_until(lambda: "161" in boxes(cleo).values())


def test_ten_minutes_without_a_key_lock_and_the_text_is_there_afterwards(cleo: Clerk, clocks: Clocks) -> None:
    cleo.window.shell.sitting.idle.start(600)
    cleo.open("77-DM14", Channel.PAPER)
    cleo.keys("161")
    clocks.wait(9)
    cleo.window.shell.sitting.look()
    assert not locked(cleo)
    cleo.enter()  # a key: somebody is there
    cleo.keys("48")
    clocks.wait(9)
    cleo.window.shell.sitting.look()
    assert not locked(cleo)
    clocks.wait(1.1)
    cleo.window.shell.sitting.look()
    assert locked(cleo)
    assert not cleo.sees("161")
    unlock(cleo)
    assert {"161", "48"} <= set(boxes(cleo).values())


def test_the_first_key_after_a_closed_lid_is_not_typed(cleo: Clerk, clocks: Clocks) -> None:
    cleo.window.shell.sitting.idle.start(600)
    cleo.open("77-DM14", Channel.PAPER)
    cleo.keys("161")
    clocks.wall += 3600  # the steady clock stood still
    QTest.keyClick(cleo.focus, "9")
    assert locked(cleo)
    assert cleo.text == ""
    unlock(cleo)
    assert "161" in boxes(cleo).values()


def test_a_mouse_that_is_only_pushed_keeps_nothing_open(cleo: Clerk, clocks: Clocks) -> None:
    cleo.window.shell.sitting.idle.start(600)
    clocks.wait(9)
    QTest.mouseMove(cleo.window)
    clocks.wait(2)
    cleo.window.shell.sitting.look()
    assert locked(cleo)


@pytest.mark.parametrize(("minutes", "after"), [("0", False), ("2", True)])
def test_the_time_is_a_setting(cleo: Clerk, desk: Desk, clocks: Clocks, minutes: str, after: bool) -> None:
    with open_desk(desk.location) as other:
        sign_in(other, "Ada", PIN)
        change_setting(other, "idle_minutes", minutes, by="Ada")
    cleo.window.shell.sitting.idle.start(600)
    cleo.window.shell.sitting.look()  # it holds for windows that are open
    clocks.wait(2)
    cleo.window.shell.sitting.look()
    assert locked(cleo) is after
    clocks.wait(6000)
    cleo.window.shell.sitting.look()
    assert locked(cleo) is after


def test_a_wall_screen_never_locks_and_whoever_ends_it_may_be_anybody(cleo: Clerk, clocks: Clocks) -> None:
    shell = cleo.window.shell
    shell.sitting.idle.start(600)
    shell.hold_unlocked(True)
    clocks.wait(300)
    shell.sitting.look()
    cleo.key(Qt.Key.Key_F8)
    assert not locked(cleo)
    shell.hold_unlocked(False)
    assert locked(cleo)


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_a_list_that_hangs_open_is_closed_by_the_lock(cleo: Clerk) -> None:
    page = cleo.window.shell.current
    box = QComboBox(page)
    box.addItems(["one", "two"])
    box.show()
    box.showPopup()
    assert QApplication.activePopupWidget() is not None
    cleo.window.shell.sitting.lock()
    assert QApplication.activePopupWidget() is None
    assert locked(cleo)


def test_a_closed_account_ends_at_its_window(cleo: Clerk, desk: Desk) -> None:
    with open_desk(desk.location) as other:
        sign_in(other, "Ada", PIN)
        people.close_account(other, "Cleo", by="Ada")
    cleo.window.shell.sitting.look()
    assert locked(cleo)
    cleo.keys(PIN)
    cleo.enter()
    cleo.wait_until(lambda: cleo.sees("do not belong together"))


def test_locks_and_tries_are_in_the_trail(cleo: Clerk, desk: Desk) -> None:
    lock(cleo)
    cleo.keys("0000")
    cleo.enter()
    cleo.wait_until(lambda: cleo.sees("do not belong together"))
    unlock(cleo)
    cleo.wait_until(
        lambda: (
            [str(event.action) for event in audit_trail(desk).events[:3]]
            == ["signed in", "sign-in refused", "signed out"]
        )
    )


def test_the_pin_is_never_readable(cleo: Clerk) -> None:
    lock(cleo)
    cleo.keys(PIN)
    field = cleo.focus
    assert isinstance(field, QLineEdit)
    assert PIN not in field.displayText()
    QApplication.clipboard().setText("before")
    field.selectAll()
    cleo.key(Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    cleo.key(Qt.Key.Key_X, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.clipboard().text() == "before"
    unlock(cleo)


def test_a_window_on_accounts_asks_for_name_and_pin(desk: Desk) -> None:
    clerk = Clerk(desk, "Cleo")  # named, and not signed in: the window asks all the same
    assert locked(clerk)
    assert clerk.where == "Name"
    clerk.keys("CLEO")
    clerk.enter()
    unlock(clerk)
    assert clerk.window.shell.header.person_text == "Cleo"  # as the account is written
    clerk.leave()


def test_names_only_asks_for_the_name_as_ever_and_never_locks(tmp_path: Path, clocks: Clocks) -> None:
    with small_caucus(tmp_path) as names:
        clerk = Clerk(names, "clerk 07")
        clocks.wait(600)
        clerk.window.shell.sitting.look()
        assert clerk.window.shell.current.isVisible()
        clerk.key(Qt.Key.Key_F8)
        assert not clerk.window.shell.sitting.locked
        assert clerk.where == "Name"
        clerk.key(Qt.Key.Key_Escape)
        assert clerk.window.shell.current.isVisible()
        clerk.leave()


def test_accounts_made_elsewhere_are_asked_for_here_too(tmp_path: Path) -> None:
    with small_caucus(tmp_path) as names:
        clerk = Clerk(names, "clerk 07")
        with open_desk(names.location) as other:
            make_first_administrator(other, "Ada", PIN)
        clerk.window.shell.sitting.look()
        assert locked(clerk)
        clerk.leave()


def test_an_own_laptop_asks_nobody(tmp_path: Path, qtbot: object) -> None:
    with small_caucus(tmp_path) as own:
        mark_own_laptop(own, "Chair of Polk")
        window: MainWindow = build_window(own)
        window.show()
        assert window.shell is not None
        assert window.shell.context.person == "Chair of Polk"
        assert window.shell.current.isVisible()
        window.close()
        window.deleteLater()


def test_keys_that_belong_to_an_input_method_count_as_somebody(cleo: Clerk, clocks: Clocks) -> None:
    cleo.window.shell.sitting.idle.start(600)
    clocks.wait(9)
    QApplication.sendEvent(
        cleo.focus, QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_unknown, Qt.KeyboardModifier.NoModifier, "1")
    )
    clocks.wait(9)
    cleo.window.shell.sitting.look()
    assert not locked(cleo)


@pytest.fixture
def held(desk: Desk) -> Iterator[Callable[[], None]]:
    """Another program writes for as long as this lasts."""
    import sqlite3

    other = sqlite3.connect(desk.location, isolation_level=None)
    yield lambda: other.execute("BEGIN IMMEDIATE") and None
    other.close()


def test_a_held_store_does_not_keep_the_window_open(cleo: Clerk, held: Callable[[], None]) -> None:
    held()
    lock(cleo)
