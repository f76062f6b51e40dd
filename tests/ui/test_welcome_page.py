"""The welcome page: a new caucus, an existing store, the sample."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QPushButton

from caucus_desk.desk.people import SignIn, sign_in_kind
from caucus_desk.desk.session import open_desk
from caucus_desk.ui.settings import Settings


def idle(qtbot, window):
    qtbot.waitUntil(lambda: not window.jobs.busy, timeout=60_000)


@pytest.fixture
def form(qtbot, welcome):
    welcome.welcome.new_button.click()
    return welcome.welcome.new


def test_the_keyboard_begins_at_the_first_button(qtbot, welcome):
    qtbot.waitUntil(welcome.welcome.new_button.hasFocus)


def test_a_new_caucus_from_a_roster(qtbot, welcome, form, roster, tmp_path):
    location = tmp_path / "new place" / "näıve caucus.sqlite"
    qtbot.keyClicks(form.person, "lead")
    form.roster.setText(str(roster))
    form.location.setText(str(location))
    form.sign_in.choose("names")
    form.look.click()
    idle(qtbot, welcome)
    assert (
        form.outcome.text()
        == "5 precincts, 1 of them merged in 2 counties, 0 satellite sites; 16 county delegates."
    )
    assert form.preview.isVisible()
    form.make.click()
    idle(qtbot, welcome)
    assert welcome.shell is not None
    assert welcome.shell.context.person == "lead"
    assert location.is_file()
    assert Settings().recent[0] == str(location)
    assert "Iowa" in welcome.windowTitle()


def test_a_roster_with_faults_is_listed_and_no_store_is_made(qtbot, welcome, form, tmp_path):
    roster = tmp_path / "bad.csv"
    roster.write_text("county,precinct,county_delegates\nLinn,CR-1,six\nLinn,CR-2,4\nLinn,CR-2,4\n")
    location = tmp_path / "x.sqlite"
    form.person.setText("lead")
    form.sign_in.choose("names")
    form.roster.setText(str(roster))
    form.location.setText(str(location))
    form.make.click()
    idle(qtbot, welcome)
    assert form.problems.isVisible()
    assert form.problems.problems.rowCount() >= 2
    assert "Nothing was made" in form.outcome.text()
    assert not location.exists()
    assert welcome.shell is None


@pytest.mark.parametrize("missing", ["person", "roster", "location"])
def test_what_is_missing_is_said_beside_its_field(qtbot, form, roster, tmp_path, missing):
    form.person.setText("lead")
    form.sign_in.choose("names")
    form.roster.setText(str(roster))
    form.location.setText(str(tmp_path / "x.sqlite"))
    getattr(form, missing).clear()
    form.make.click()
    assert form.outcome.isVisible()
    assert getattr(form, missing).hasFocus()
    assert not (tmp_path / "x.sqlite").exists()


def test_an_existing_store_is_never_overwritten(qtbot, welcome, form, roster, store):
    before = store.read_bytes()
    form.person.setText("lead")
    form.sign_in.choose("names")
    form.roster.setText(str(roster))
    form.location.setText(str(store))
    form.make.click()
    idle(qtbot, welcome)
    assert form.outcome.text()
    assert welcome.shell is None
    assert store.read_bytes() == before


def test_a_store_is_opened_by_its_path(qtbot, welcome, store):
    page = welcome.welcome
    qtbot.keyClicks(page.open_field, str(store))
    qtbot.keyClick(page.open_field, Qt.Key.Key_Return)
    idle(qtbot, welcome)
    assert welcome.shell.person_page.isVisible()
    assert "Small caucus" in welcome.windowTitle()


@pytest.mark.parametrize("content", [None, b"not a store at all", b""])
def test_what_is_no_store_is_refused_in_the_page(qtbot, welcome, tmp_path, content):
    file = tmp_path / "thing.sqlite"
    if content is not None:
        file.write_bytes(content)
    welcome.welcome.open_field.setText(str(file))
    welcome.welcome.open_button.click()
    idle(qtbot, welcome)
    assert welcome.shell is None
    assert str(file.name) in welcome.notices.text
    assert (file.read_bytes() if content is not None else None) == content


def test_stores_opened_lately_are_one_press_away(qtbot, welcome, store, tmp_path):
    Settings().remember_store(str(store))
    gone = tmp_path / "gone.sqlite"
    Settings().remember_store(str(gone))
    welcome.welcome.show_start()
    QApplication.processEvents()
    names = {made.text().strip(): made for made in welcome.findChildren(QPushButton) if made.isVisible()}
    assert gone.name not in names
    names[store.name].click()
    idle(qtbot, welcome)
    assert welcome.shell is not None


def test_the_sample_is_made_and_opened(qtbot, welcome, monkeypatch, roster):
    from caucus_desk.desk.creating import create_caucus
    from caucus_desk.ui.welcome import page

    def small_sample(folder: Path, progress):
        folder.mkdir(parents=True)
        location = folder / "sample.sqlite"
        create_caucus(str(location), "iowa-2020", roster, by="sample").desk.close()
        return location

    monkeypatch.setattr(page, "make_sample", small_sample)
    welcome.welcome.sample_button.click()
    idle(qtbot, welcome)
    qtbot.waitUntil(lambda: welcome.shell is not None, timeout=30_000)
    assert welcome.shell.person_page.isVisible()


def test_leaving_a_caucus_closes_its_store(qtbot, window, store):
    window.shell.other_wanted.emit()
    assert window.shell is None
    with open_desk(str(store)) as again:
        assert again.caucus == "Small caucus"


def test_enter_presses_the_button_with_the_focus(qtbot, welcome):
    page = welcome.welcome
    qtbot.waitUntil(page.new_button.hasFocus)
    qtbot.keyClick(page.new_button, Qt.Key.Key_Return)
    assert page.new.isVisible()
    page.new.back.setFocus()
    qtbot.keyClick(page.new.back, Qt.Key.Key_Enter)
    assert page.new_button.isVisible()


def test_enter_leads_through_a_new_caucus_and_makes_it(qtbot, welcome, form, roster, tmp_path):
    form.location.setText(str(tmp_path / "by keys.sqlite"))
    form.sign_in.take_focus()
    for _ in range(2):
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Right)
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Space)
    assert form.sign_in.key == "names"
    form.person.setFocus()
    qtbot.keyClick(form.person, Qt.Key.Key_Return)
    assert form.outcome.text().startswith("Say who you are")
    assert form.person.hasFocus()
    qtbot.keyClicks(form.person, "lead")
    qtbot.keyClick(form.person, Qt.Key.Key_Return)
    assert form.roster.hasFocus()
    form.rules.setFocus()
    qtbot.keyClick(form.rules, Qt.Key.Key_Return)
    assert form.roster.hasFocus(), "from any field on to what is wanted"
    qtbot.keyClicks(form.roster, str(roster))
    assert welcome.shell is None
    qtbot.keyClick(form.roster, Qt.Key.Key_Return)
    idle(qtbot, welcome)
    assert welcome.shell is not None
    assert (tmp_path / "by keys.sqlite").is_file()


def test_enter_on_look_only_looks(qtbot, welcome, form, roster, tmp_path):
    form.person.setText("lead")
    form.sign_in.choose("names")
    form.location.setText(str(tmp_path / "x.sqlite"))
    form.roster.setText(str(roster))
    form.look.setFocus()
    qtbot.keyClick(form.look, Qt.Key.Key_Return)
    idle(qtbot, welcome)
    assert form.preview.isVisible()
    form.preview.setFocus()
    qtbot.keyClick(form.preview, Qt.Key.Key_Return)
    assert not welcome.jobs.busy
    assert not (tmp_path / "x.sqlite").exists()


def test_a_new_caucus_with_accounts_by_keys(qtbot, welcome, form, roster, tmp_path):
    form.location.setText(str(tmp_path / "staffed.sqlite"))
    form.roster.setText(str(roster))
    qtbot.waitUntil(form.person.hasFocus)
    assert form.sign_in.key == "accounts"
    qtbot.keyClicks(form.person, "Ada")
    qtbot.keyClick(form.person, Qt.Key.Key_Return)
    assert form.pins.first.hasFocus(), "the PIN is wanted first"
    qtbot.keyClicks(form.pins.first, "4711")
    qtbot.keyClick(form.pins.first, Qt.Key.Key_Return)
    qtbot.keyClicks(form.pins.again, "4712")
    qtbot.keyClick(form.pins.again, Qt.Key.Key_Return)
    assert "not the same" in form.outcome.text()
    assert not (tmp_path / "staffed.sqlite").exists()
    qtbot.keyClicks(form.pins.first, "4711")
    qtbot.keyClick(form.pins.first, Qt.Key.Key_Return)
    qtbot.keyClicks(form.pins.again, "4711")
    qtbot.keyClick(form.pins.again, Qt.Key.Key_Return)
    idle(qtbot, welcome)
    assert welcome.shell is not None
    assert sign_in_kind(welcome.shell.context.desk) is SignIn.ACCOUNTS
    assert welcome.shell.context.person == "Ada"  # who made it is signed in
    assert not welcome.shell.sitting.locked
    assert form.pins.first.text() == ""


def test_a_new_caucus_on_an_own_laptop(qtbot, welcome, form, roster, tmp_path):
    form.location.setText(str(tmp_path / "own.sqlite"))
    form.roster.setText(str(roster))
    form.person.setText("Chair of Alpha")
    form.sign_in.choose("own laptop")
    assert not form.pins.isVisible()
    form.make.click()
    idle(qtbot, welcome)
    assert sign_in_kind(welcome.shell.context.desk) is SignIn.OWN_LAPTOP
    assert welcome.shell.context.person == "Chair of Alpha"
