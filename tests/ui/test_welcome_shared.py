"""A shared store is opened from the welcome page; its password is used, and seen nowhere."""

import logging
from pathlib import Path

import pytest
from keyring.backends import fail
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget

from caucus_desk.desk.places import forget_password, taken
from caucus_desk.ui.pages import PAGES
from caucus_desk.ui.settings import Settings
from tests.keyrings import LockedKeyring, MemoryKeyring, using
from tests.postgres import PASSWORD, as_account, database

pytestmark = pytest.mark.a_file


@pytest.fixture(autouse=True)
def no_keyring():
    with using(fail.Keyring()):
        yield


@pytest.fixture
def lead(roster, made_once, monkeypatch):
    """The address of a store for a lead's account; the password is in it, and is known nowhere else."""
    with database() as address:
        made_once.create(address, "iowa-2020", roster, by="maker", name="Small caucus").close()
        made = as_account(address, "lead")
        forget_password(made)
        monkeypatch.delenv("PGPASSWORD", raising=False)
        monkeypatch.setenv("PGPASSFILE", "/nowhere/pgpass")
        yield made
        forget_password(made)


def plain(address: str) -> str:
    front, place = address.rsplit("@", 1)
    return f"{front.rsplit(':', 1)[0]}@{place}"


def idle(qtbot, window):
    qtbot.waitUntil(lambda: not window.jobs.busy, timeout=60_000)


def asked(welcome):
    welcome.welcome.shared_button.click()
    return welcome.welcome.shared


def words_of(window: QWidget) -> str:
    said = [window.windowTitle()]
    for widget in [window, *window.findChildren(QWidget)]:
        said += [widget.accessibleName(), widget.accessibleDescription(), widget.toolTip()]
        if isinstance(widget, QLabel | QLineEdit):
            said.append(widget.text())
    return "\n".join(said)


def test_by_the_keyboard_with_a_password_that_is_kept(qtbot, welcome, lead, ui_data, caplog):
    caplog.set_level(logging.DEBUG)
    kept = MemoryKeyring()
    with using(kept):
        page = asked(welcome)
        assert page.address.hasFocus()
        qtbot.keyClicks(page.address, plain(lead))
        qtbot.keyClick(page.address, Qt.Key.Key_Return)
        assert page.password.hasFocus()
        qtbot.keyClicks(page.password, PASSWORD)
        page.keep.setChecked(True)
        qtbot.keyClick(page.password, Qt.Key.Key_Return)
        idle(qtbot, welcome)
    assert welcome.shell is not None
    assert list(kept.kept.values()) == [PASSWORD]
    assert list(kept.kept) == [("Caucus Desk", plain(lead))]
    assert Settings().recent[0] == plain(lead)
    assert welcome.shell.status.text == plain(lead)
    Settings().save()
    welcome._settings.save()
    assert PASSWORD not in words_of(welcome)
    assert PASSWORD not in caplog.text
    for file in ui_data.rglob("*"):
        assert not file.is_file() or PASSWORD.encode() not in file.read_bytes(), file


def test_what_the_keyring_keeps_is_not_asked_for(qtbot, welcome, lead):
    kept = MemoryKeyring()
    kept.set_password("Caucus Desk", plain(lead), PASSWORD)
    with using(kept):
        welcome.open_location(plain(lead))
        idle(qtbot, welcome)
    assert welcome.shell is not None


def test_a_wrong_password_is_asked_for_again(qtbot, welcome, lead):
    with using(LockedKeyring()):
        page = asked(welcome)
        page.address.setText(plain(lead))
        page.password.setText("not the one")
        page.open.click()
        idle(qtbot, welcome)
        assert welcome.shell is None
        assert page.isVisible()
        assert "the name or the password is not right" in page.refusal.text()
        assert page.password.text() == ""
        assert page.password.hasFocus()
        page.password.setText(PASSWORD)
        page.keep.setChecked(True)
        page.open.click()
        idle(qtbot, welcome)
    assert welcome.shell is not None
    assert "could not be kept" in welcome.notices.text


def test_one_opened_lately_asks_for_its_password(qtbot, welcome, lead):
    welcome.open_location(plain(lead))
    idle(qtbot, welcome)
    page = welcome.welcome.shared
    assert page.isVisible()
    assert page.address.text() == plain(lead)
    assert "asks for a password" in page.refusal.text()
    assert page.keep.isHidden(), "this computer has no keyring"


def test_a_password_typed_in_the_address_leaves_the_line(qtbot, welcome, lead):
    page = asked(welcome)
    page.address.setText(lead)
    qtbot.keyClick(page.address, Qt.Key.Key_Return)
    assert page.address.text() == plain(lead)
    page.back.click()
    forget_password(lead)
    welcome.welcome.open_field.setText(lead)
    welcome.welcome.open_button.click()
    assert welcome.welcome.open_field.text() == plain(lead)
    idle(qtbot, welcome)
    assert welcome.shell is not None
    assert PASSWORD not in words_of(welcome)


@pytest.mark.parametrize("typed", ["server/database", "mysql://u:hidden@h/d", "postgresql://u:hid@den@h/d"])
def test_what_is_no_address_is_said_beside_the_line(qtbot, welcome, typed):
    page = asked(welcome)
    page.address.setText(typed)
    page.open.click()
    assert page.refusal.isVisible()
    assert "hid" not in words_of(welcome)
    assert page.address.hasFocus()


def test_a_new_caucus_in_a_shared_store(qtbot, welcome, roster, tmp_path):
    welcome.welcome.new_button.click()
    form = welcome.welcome.new
    with database() as address:
        qtbot.keyClicks(form.person, "lead")
        form.roster.setText(str(roster))
        form.location.setText(address)
        form.sign_in.choose("names")
        form.make.click()
        assert form.location.text() == plain(address)
        idle(qtbot, welcome)
        assert welcome.shell is not None
        assert welcome.shell.context.desk.location == plain(address)
        assert not [one for one in Path.cwd().iterdir() if one.name.startswith("postgres")]
        welcome.show_welcome()
        forget_password(address)


def test_a_viewers_account_sees_every_page_and_is_told(qtbot, welcome, lead):
    from caucus_desk.desk.session import open_desk
    from tests.postgres import at, server

    database_name = lead.rsplit("/", 1)[1]
    with open_desk(at(server(), database_name)):
        viewer = as_account(at(server(), database_name), "viewer")
    welcome.open_location(taken(viewer))
    idle(qtbot, welcome)
    assert welcome.shell is not None
    desk = welcome.shell.context.desk
    assert desk.read_only
    assert "can only be read from here" in welcome.notices.text
    assert welcome.shell.status.saved.text() == "read only"
    welcome.shell.context.set_person("Vi")
    for page in PAGES:
        welcome.shell.show_page(page.name)
        qtbot.waitUntil(lambda page=page: isinstance(welcome.shell.current, page))
        assert "Something went wrong" not in welcome.notices.text
