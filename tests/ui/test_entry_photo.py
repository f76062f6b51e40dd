"""A clerk keys from a photo: the attached image stands beside the paper sheet, by keys."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit

from caucus_desk.desk.attachments import attach, attachments
from caucus_desk.desk.session import Desk
from caucus_desk.ui.app import build_window
from caucus_desk.ui.entry.page import EntryPage
from caucus_desk.ui.window import MainWindow

K = Qt.Key


@pytest.fixture
def window(qtbot: Any, desk: Desk) -> Iterator[MainWindow]:
    made = build_window(desk, person="clerk 07")
    qtbot.addWidget(made)
    made.resize(1280, 720)
    made.show()
    qtbot.waitExposed(made)
    yield made
    made.jobs.cancel_all()
    made.jobs.wait(10_000)


def until(done: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not done():
        assert time.monotonic() < end, "it did not happen in time"
        QTest.qWait(20)


def open_sheet(window: MainWindow, precinct_id: str, channel: str = "paper") -> EntryPage:
    window.shell.show_page("entry", precinct_id)
    window.shell.context.sheet_wanted.emit(precinct_id, channel)
    page = window.shell.pages["entry"]
    assert isinstance(page, EntryPage)
    until(lambda: not page.store_is_busy and page._draft is not None)
    return page


def press(key: Qt.Key, held: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    widget = QApplication.focusWidget()
    assert widget is not None
    QTest.keyClick(widget, key, held)


def test_f5_shows_the_image_beside_the_sheet(
    window: MainWindow, desk: Desk, scans: ModuleType, tmp_path: Path
) -> None:
    attach(desk, "A-1", scans.pdf(tmp_path / "north.pdf"), by="clerk 03")
    page = open_sheet(window, "A-1")
    assert "F5 shows it" in window.shell.notices.text
    box = QApplication.focusWidget()
    assert isinstance(box, QLineEdit)
    press(K.Key_F5)
    assert page.photo.isVisible()
    assert page.photo.viewer.name == "north.pdf"
    assert QApplication.focusWidget() is box  # the hand stays in the sheet
    QTest.keyClick(box, "7")
    assert box.text() == "7"
    press(K.Key_F5, Qt.KeyboardModifier.ShiftModifier)
    assert page.photo.viewer.hasFocus()
    press(K.Key_PageDown)
    assert page.photo.viewer.page == 1
    press(K.Key_Escape)
    assert QApplication.focusWidget() is box
    press(K.Key_F5)
    assert not page.photo.isVisible()


def test_the_next_sheet_shows_its_image_at_once(
    window: MainWindow, desk: Desk, scans: ModuleType, tmp_path: Path
) -> None:
    for place in ("A-1", "A-2"):
        attach(desk, place, scans.plain_pdf(tmp_path / f"{place}.pdf", place), by="clerk 03")
    page = open_sheet(window, "A-1")
    press(K.Key_F5)
    press(K.Key_Escape)  # nothing was typed: the sheet is given back
    until(lambda: page._draft is None and not page.store_is_busy)
    assert not page.photo.isVisible()
    open_sheet(window, "A-2")
    assert page.photo.isVisible()
    assert page.photo.viewer.name == "A-2.pdf"
    window.shell.context.set_person("clerk 08")
    assert not page.photo.isVisible()


def test_no_image_no_room_and_the_phone_sheet(
    window: MainWindow, desk: Desk, scans: ModuleType, tmp_path: Path
) -> None:
    page = open_sheet(window, "A-2", "phone")
    attach(desk, "A-2", scans.plain_pdf(tmp_path / "a.pdf"), by="clerk 03")
    press(K.Key_F5)
    assert not page.photo.isVisible()  # who takes the call does not read the paper
    press(K.Key_Escape)
    until(lambda: page._draft is None and not page.store_is_busy)
    open_sheet(window, "A-1")
    press(K.Key_F5)
    assert "No image of this worksheet is attached" in window.shell.notices.text
    attach(desk, "A-1", scans.plain_pdf(tmp_path / "b.pdf", "b"), by="clerk 03")
    window.shell.context.look()
    window.resize(1000, 700)
    press(K.Key_F5)
    assert "too narrow" in window.shell.notices.text
    window.resize(1280, 720)
    press(K.Key_F5)
    assert page.photo.isVisible()
    assert page.photo.width() >= 340


def test_a_file_dropped_on_the_paper_sheet_is_attached_and_shown(
    window: MainWindow, desk: Desk, scans: ModuleType, tmp_path: Path
) -> None:
    page = open_sheet(window, "A-1")
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(scans.jpeg(tmp_path / "photo.jpg", orientation=6)))])
    left, nothing = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    page.dropEvent(QDropEvent(QPointF(5, 5), Qt.DropAction.CopyAction, data, left, nothing))
    until(lambda: not page.store_is_busy)
    assert [one.name for one in attachments(desk, "A-1")] == ["photo.jpg"]
    assert page.photo.isVisible()
    (tmp_path / "letter.txt").write_text("Dear chair")
    data.setUrls([QUrl.fromLocalFile(str(tmp_path / "letter.txt"))])
    page.dropEvent(QDropEvent(QPointF(5, 5), Qt.DropAction.CopyAction, data, left, nothing))
    until(lambda: not page.store_is_busy)
    assert "no picture and no PDF" in window.shell.notices.text
