"""The People page by keys alone: accounts, roles, PINs, closing, settings, and the first administrator."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication

from caucus_desk.desk import people
from caucus_desk.desk.people import SignIn, account_of_name, accounts, make_account, make_first_administrator
from caucus_desk.desk.roles import MAY, Job, Role
from caucus_desk.desk.session import Desk, open_desk
from caucus_desk.desk.settings import settings
from caucus_desk.desk.trail import audit_trail
from caucus_desk.tally.report import Channel
from caucus_desk.ui.help.roles import roles_table
from caucus_desk.ui.people.page import PeoplePage
from caucus_desk.ui.people.parts import role_does
from tests.keyboard import Clerk, small_caucus

PIN = "4711"


@pytest.fixture
def names(tmp_path: Path) -> Iterator[Desk]:
    made = small_caucus(tmp_path)
    yield made
    made.close()


@pytest.fixture
def staffed(names: Desk) -> Desk:
    make_first_administrator(names, "Ada", PIN)
    make_account(names, "Cleo", Role.CLERK, "2222", by="Ada")
    return names


@pytest.fixture
def ada(staffed: Desk) -> Iterator[Clerk]:
    made = Clerk(staffed, "Ada")
    made.page("people")
    yield made
    made.leave()


@pytest.fixture
def cleo(staffed: Desk) -> Iterator[Clerk]:
    people.sign_in(staffed, "Cleo", "2222")
    made = Clerk(staffed, "Cleo")
    made.page("people")
    yield made
    made.leave()


def page(clerk: Clerk) -> PeoplePage:
    found = clerk.window.shell.pages["people"]
    assert isinstance(found, PeoplePage)
    return found


def on_to(clerk: Clerk, name: str) -> None:
    """With Tab to what a screen reader calls so."""
    for _ in range(30):
        if clerk.where == name:
            return
        clerk.key(Qt.Key.Key_Tab)
    raise AssertionError(f"Tab never came to {name}")


def choose(clerk: Clerk, name: str) -> None:
    """Down or up in the list to an account."""
    clerk.key(Qt.Key.Key_Home)
    for _ in range(20):
        if page(clerk).table.current_key == name:
            return
        clerk.key(Qt.Key.Key_Down)
    raise AssertionError(f"{name} is not in the list")


def test_an_account_is_made_by_keys_and_the_next_one_follows(ada: Clerk, staffed: Desk) -> None:
    ada.keys("n")
    for name in ("Zoë", "Bob & Sons"):
        assert ada.where == "Name"
        QApplication.clipboard().setText(name)
        ada.key(Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
        ada.enter()
        assert ada.where == "Role: Clerk"
        on_to(ada, "PIN or password")
        ada.keys("5555")
        ada.enter()
        assert ada.where == "The same again"
        ada.keys("5555")
        ada.enter()
        ada.wait_until(lambda name=name: account_of_name(staffed, name) is not None)
        assert account_of_name(staffed, name).role is Role.CLERK
        assert ada.sees(name)
    assert "5555" not in ada.screen()


def test_a_refusal_stands_in_the_page_and_nothing_is_lost(ada: Clerk, staffed: Desk) -> None:
    ada.keys("n")
    ada.keys("cleo")
    on_to(ada, "PIN or password")
    ada.keys("5555")
    ada.enter()
    ada.keys("5556")
    ada.enter()
    assert ada.sees("not the same")
    assert ada.where == "PIN or password"
    ada.keys("5555")
    ada.enter()
    ada.keys("5555")
    ada.enter()
    ada.wait_until(lambda: ada.sees("Cleo has an account already"))
    assert page(ada).form.name_field.text() == "cleo"
    assert len(accounts(staffed)) == 2


def test_role_pin_closing_and_opening_again(ada: Clerk, staffed: Desk) -> None:
    choose(ada, "Cleo")
    ada.enter()
    assert ada.where == "Role: Clerk"
    ada.key(Qt.Key.Key_Right)
    ada.key(Qt.Key.Key_Space)
    on_to(ada, "Change the role")
    ada.enter()
    ada.wait_until(lambda: account_of_name(staffed, "Cleo").role is Role.REVIEWER)
    on_to(ada, "PIN or password")
    ada.keys("a longer password")
    ada.enter()
    ada.keys("a longer password")
    ada.enter()
    ada.wait_until(lambda: ada.sees("has a new PIN"))
    people.sign_in(staffed, "Cleo", "a longer password")
    on_to(ada, "Close the account")
    ada.enter()
    ada.wait_until(lambda: not account_of_name(staffed, "Cleo").open)
    assert ada.sees("The name stays in the audit trail")
    on_to(ada, "Open it again")
    ada.enter()
    ada.wait_until(lambda: account_of_name(staffed, "Cleo").open)
    ada.key(Qt.Key.Key_Escape)
    assert ada.focus is page(ada).table


def test_the_last_administrator_is_told_why_not(ada: Clerk, staffed: Desk) -> None:
    choose(ada, "Ada")
    ada.enter()
    ada.key(Qt.Key.Key_Left)
    ada.key(Qt.Key.Key_Space)
    on_to(ada, "Change the role")
    ada.enter()
    ada.wait_until(lambda: ada.sees("last administrator"))
    assert account_of_name(staffed, "Ada").role is Role.ADMINISTRATOR
    assert not page(ada).form.close_it.isVisible()  # one's own account


def test_a_clerk_reads_the_list_and_sets_their_own_pin(cleo: Clerk, staffed: Desk) -> None:
    assert cleo.sees("Ada")
    assert cleo.sees("Only an administrator may manage accounts; Cleo is a clerk")
    cleo.keys("n")
    assert not page(cleo).form.name_field.isVisible() or not page(cleo).form.name_field.isEnabled()
    choose(cleo, "Ada")
    assert not page(cleo).form.pins.isVisible()
    choose(cleo, "Cleo")
    cleo.enter()
    assert cleo.where == "PIN or password"
    cleo.keys("7777")
    cleo.enter()
    cleo.keys("7777")
    cleo.enter()
    cleo.wait_until(lambda: cleo.sees("has a new PIN"))
    with open_desk(staffed.location) as other:
        people.sign_in(other, "Cleo", "7777")
    assert people.allowed(staffed, "Cleo", Job.KEY)  # and goes on working here
    assert not page(cleo).settings.save.isEnabled()
    assert cleo.sees("Only a lead or an administrator may change the settings")


def test_settings_are_saved_and_refused_in_the_page(ada: Clerk, staffed: Desk) -> None:
    on_to(ada, "Lock after minutes")
    ada.focus.selectAll()
    ada.keys("3")
    on_to(ada, "Second approval from")
    ada.keys("0.25")
    ada.enter()
    ada.wait_until(lambda: settings(staffed).idle_minutes == 3)
    assert str(settings(staffed).approval_stake) == "1/4"
    ada.focus.selectAll()
    ada.keys("much")
    ada.enter()
    ada.wait_until(lambda: ada.sees("is no number of state delegate equivalents"))
    assert ada.where == "Second approval from"
    assert ada.text == "much"
    assert str(settings(staffed).approval_stake) == "1/4"
    assert {event.action for event in audit_trail(staffed).events[:2]} == {"setting"}


def test_what_is_typed_stays_while_others_save(ada: Clerk, staffed: Desk) -> None:
    ada.keys("n")
    ada.keys("Half a na")
    on_to(ada, "Lock after minutes")
    ada.focus.selectAll()
    ada.keys("4")
    with open_desk(staffed.location) as other:
        people.sign_in(other, "Ada", PIN)
        make_account(other, "Dan", Role.CLERK, "3333", by="Ada")
    ada.window.shell.sitting.look()
    assert ada.sees("Dan")
    assert page(ada).form.name_field.text() == "Half a na"
    assert page(ada).settings.idle.text() == "4"


def test_a_new_role_shows_on_the_page_of_whom_it_was_given(cleo: Clerk, staffed: Desk) -> None:
    assert not page(cleo).new.isVisible()
    with open_desk(staffed.location) as other:
        people.sign_in(other, "Ada", PIN)
        people.change_role(other, "Cleo", Role.ADMINISTRATOR, by="Ada")
    cleo.window.shell.sitting.look()
    assert page(cleo).new.isVisible()


def test_a_second_person_for_releases_is_switched_on_by_keys(ada: Clerk, staffed: Desk) -> None:
    on_to(ada, "Approval of releases: a lead's word")
    ada.key(Qt.Key.Key_Right)
    ada.key(Qt.Key.Key_Space)
    on_to(ada, "Save the settings")
    ada.enter()
    ada.wait_until(lambda: settings(staffed).release_approval)
    assert "Ada set release approval to on (was off)" in [
        event.sentence for event in audit_trail(staffed).events
    ]


def test_a_clerk_cannot_switch_it(cleo: Clerk) -> None:
    assert not page(cleo).settings.release.isEnabled()


def test_names_only_says_what_it_means_and_makes_the_first_administrator(names: Desk) -> None:
    clerk = Clerk(names, "clerk 07")
    clerk.page("people")
    assert clerk.sees("nobody proves who they are")
    assert clerk.where == "Name of the administrator"
    clerk.keys("Ada")
    clerk.enter()
    clerk.keys("12")
    clerk.enter()
    clerk.keys("12")
    clerk.enter()
    clerk.wait_until(lambda: clerk.sees("A PIN has 4 digits or more"))
    page(clerk).begin.pins.take_focus()
    for _ in range(2):
        clerk.keys(PIN)
        clerk.enter()
    clerk.wait_until(lambda: people.sign_in_kind(names) is SignIn.ACCOUNTS)
    assert clerk.window.shell.header.person_text == "Ada"
    assert clerk.sees("make the other accounts now")
    assert page(clerk).table.isVisible()
    clerk.key(Qt.Key.Key_F8)
    assert clerk.window.shell.sitting.locked
    clerk.leave()


def test_an_own_laptop_is_marked_by_keys(names: Desk) -> None:
    clerk = Clerk(names, "Chair of Polk")
    clerk.page("people")
    on_to(clerk, "This is my own laptop")
    clerk.enter()
    clerk.wait_until(lambda: people.sign_in_kind(names) is SignIn.OWN_LAPTOP)
    assert clerk.sees("The own laptop of Chair of Polk")
    assert not page(clerk).begin.own.isVisible()
    clerk.leave()


def test_nothing_of_it_is_left_for_the_next_person(ada: Clerk) -> None:
    ada.keys("n")
    ada.keys("Half a na")
    on_to(ada, "PIN or password")
    ada.keys("55")
    people.sign_in(ada.desk, "Cleo", "2222")
    ada.window.shell.context.set_person("Cleo")
    assert page(ada).form.name_field.text() == ""
    assert page(ada).form.pins.pin == ""


def test_the_wheel_changes_no_role_and_no_setting(ada: Clerk) -> None:
    choose(ada, "Cleo")
    for widget in (page(ada).form.role, page(ada).settings.caller, page(ada).settings.idle):
        event = QWheelEvent(
            QPointF(5, 5), QPointF(5, 5), QPoint(0, 0), QPoint(0, -120), Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(widget, event)
    assert page(ada).form.role.key == "clerk"
    assert page(ada).settings.idle.text() == "10"


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
def test_nothing_is_cut_off(ada: Clerk, size: tuple[int, int]) -> None:
    ada.window.resize(*size)
    choose(ada, "Cleo")
    QApplication.processEvents()
    shown = page(ada)
    frame = shown.parentWidget()
    assert frame is not None
    assert shown.width() <= frame.width()
    assert shown.height() <= frame.height()


def test_the_tables_of_help_and_page_are_the_desks() -> None:
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in roles_table().splitlines()]
    assert rows[0][1:] == [role.value for role in Role]
    told = {row[0]: row[1:] for row in rows[2:]}
    for job in Job:
        assert told[job.words] == ["yes" if job in MAY[role] else "–" for role in Role]
    assert role_does(Role.REVIEWER) == (
        "May do what a clerk may, and: rule on a mismatch, acknowledge a finding or send a sheet back."
    )
    assert role_does(Role.VIEWER) == "May look at figures; write a workbook or a list."


def test_other_pages_say_what_the_role_may_not(staffed: Desk) -> None:
    make_account(staffed, "Vi", Role.VIEWER, "5555", by="Ada")
    people.sign_in(staffed, "Vi", "5555")
    clerk = Clerk(staffed, "Vi")
    assert clerk.sees("may key a sheet; Vi is a viewer")
    clerk.find("77-DM14", Channel.PAPER)
    assert clerk.where == "Find a precinct"  # refused by the desk, in the page
    clerk.page("precincts")
    load = clerk.window.shell.current.load_button
    assert not load.isEnabled()
    assert "Vi is a viewer" in load.accessibleDescription()
    clerk.leave()
