"""A store that can only be read, in the window: it is shown, files go out, and nothing else is offered."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from caucus_desk.desk.session import Desk, open_desk
from caucus_desk.store import files
from caucus_desk.store.errors import read_only
from caucus_desk.ui.chase.page import PaperPage
from caucus_desk.ui.entry.page import EntryPage
from caucus_desk.ui.people.page import PeoplePage
from caucus_desk.ui.results.page import ResultsPage
from tests.keyboard import Clerk, small_caucus


@pytest.fixture
def sealed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    made = small_caucus(tmp_path)
    location = str(made.location)
    made.close()

    def refuse(path: Path) -> None:
        raise read_only(str(path))

    monkeypatch.setattr(files, "check_file", refuse)
    with open_desk(location, looking=True) as desk:
        assert desk.read_only
        yield desk


@pytest.fixture
def viewer(sealed: Desk) -> Iterator[Clerk]:
    made = Clerk(sealed, "Vi")
    yield made
    made.leave()


def test_it_is_said_in_the_header_and_when_somebody_sits_down(viewer: Clerk) -> None:
    shell = viewer.window.shell
    assert shell.header.reading.isVisible()
    assert shell.header.reading.text() == "Can only be read"
    assert "nothing can be saved" in shell.notices.text


def test_entry_closes_its_door(viewer: Clerk) -> None:
    viewer.page("entry")
    page = viewer.window.shell.pages["entry"]
    assert isinstance(page, EntryPage)
    assert page.shut is not None
    assert page.shut.isVisible()
    assert not page.finder.isVisible()
    viewer.key(Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    viewer.keys("A-1")
    viewer.key(Qt.Key.Key_Return)
    assert page.shut.isVisible()
    assert page.finder.search.text() == ""


def test_paper_offers_no_deeds(viewer: Clerk) -> None:
    viewer.page("paper")
    page = viewer.window.shell.pages["paper"]
    assert isinstance(page, PaperPage)
    for letter in (Qt.Key.Key_A, Qt.Key.Key_R, Qt.Key.Key_N, Qt.Key.Key_I, Qt.Key.Key_Return):
        viewer.window.shell.notices.clear()
        viewer.key(letter)
        assert not page.foot.asking
        assert "nothing can be saved" in viewer.window.shell.notices.text
        assert page.isVisible()


def test_people_changes_nothing(viewer: Clerk) -> None:
    viewer.page("people")
    page = viewer.window.shell.pages["people"]
    assert isinstance(page, PeoplePage)
    assert not page.begin.isVisible()
    assert not page.settings.save.isEnabled()
    assert "nothing can be saved" in page.settings.why_not.text()


def test_the_workbook_is_written_all_the_same(viewer: Clerk, tmp_path: Path) -> None:
    viewer.page("results")
    page = viewer.window.shell.pages["results"]
    assert isinstance(page, ResultsPage)
    viewer.key(Qt.Key.Key_X)
    viewer.keys(str(tmp_path / "out.xlsx"))
    viewer.key(Qt.Key.Key_Return)
    viewer.wait_until(lambda: not page.export.isVisible())
    assert (tmp_path / "out.xlsx").exists()
    assert "this store can only be read" in viewer.window.shell.notices.text
