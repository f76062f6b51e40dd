"""The Paper page by real keys: whom to ring, who goes, what came of it, and what lies here unkeyed."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTableView, QWidget

from caucus_desk.desk import chase
from caucus_desk.desk.attachments import attachments
from caucus_desk.desk.creating import create_caucus
from caucus_desk.desk.session import Desk
from caucus_desk.desk.trail import audit_trail
from caucus_desk.tally.report import Channel
from caucus_desk.ui.app import build_window
from caucus_desk.ui.chase import printing
from caucus_desk.ui.chase.page import PaperPage
from caucus_desk.ui.theme import ThemeName, theme
from caucus_desk.ui.window import MainWindow

K = Qt.Key
ROSTER = """county,precinct,precinct_id,county_delegates,kind,district,county_state_delegates,\
county_total_delegates,chair,phone
Alpha,North Ward,A-1,6,precinct,1,4,11,Ada Fitch,515-555-0101
Alpha,South Ward,A-2,5,precinct,1,4,11,Ben Quist,515-555-0102
Alpha,Old Mill,A-3,0,precinct,1,4,11,,
O'Brien,DES MOINES-42,77-DM42,4,precinct,3,3,5,Cora Yoder,515-555-0103
O'Brien,Walnut Township,77-T01,1,precinct,3,3,5,,
"""


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    file = tmp_path / "roster.csv"
    file.write_text(ROSTER, encoding="utf-8")
    made = create_caucus(str(tmp_path / "night.sqlite"), "iowa-2020", file, by="maker", name="Small")
    with made.desk as opened:
        yield opened


@pytest.fixture
def window(qtbot: Any, desk: Desk) -> Iterator[MainWindow]:
    made = build_window(desk, person="clerk 07")
    qtbot.addWidget(made)
    made.resize(1280, 720)
    made.show()
    qtbot.waitExposed(made)
    made.shell.show_page("paper")
    yield made
    made.jobs.cancel_all()
    made.jobs.wait(10_000)


@pytest.fixture
def page(window: MainWindow) -> PaperPage:
    found = window.shell.pages["paper"]
    assert isinstance(found, PaperPage)
    return found


def focus() -> QWidget:
    widget = QApplication.focusWidget()
    assert widget is not None, "no widget has the focus: the keyboard leads nowhere"
    return widget


def key(page: PaperPage, *keys: Qt.Key, held: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    for one in keys:
        QTest.keyClick(focus(), one, held)
        wait_for(lambda: not page.store_is_busy)


def keys(page: PaperPage, text: str) -> None:
    for letter in text:
        QTest.keyClick(focus(), letter)
        wait_for(lambda: not page.store_is_busy)


def wait_for(done: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not done():
        assert time.monotonic() < end, "it did not happen in time"
        QTest.qWait(20)


def rows(view: QTableView) -> list[list[str]]:
    model = view.model()
    return [
        [str(model.index(row, column).data() or "") for column in range(model.columnCount())]
        for row in range(model.rowCount())
    ]


def names(page: PaperPage) -> list[str]:
    return [row[2] for row in rows(page.table)]


def said(window: MainWindow) -> str:
    return window.shell.notices.text


def of(desk: Desk, precinct_id: str) -> chase.Missing:
    return next(one for one in chase.missing(desk) if one.precinct.id == precinct_id)


def test_every_missing_sheet_with_its_chair_and_number(page: PaperPage, window: MainWindow) -> None:
    assert names(page) == ["North Ward", "South Ward", "DES MOINES-42", "Walnut Township"]
    assert rows(page.county_table) == [
        ["All counties", "4", "–", "–"],
        ["Alpha", "2", "–", "–"],
        ["O'Brien", "2", "–", "–"],
    ]
    assert page.count() == 4
    assert focus() is page.table
    assert (page.panel.chair.whole, page.panel.number.text()) == ("Ada Fitch", "515-555-0101")
    key(page, K.Key_Down, K.Key_Down, K.Key_Down)
    assert page.panel.name.whole == "Walnut Township"
    assert page.panel.number.text() == "no number on file"


def test_a_runner_is_sent_and_taken_off(page: PaperPage, window: MainWindow, desk: Desk) -> None:
    key(page, K.Key_A)
    keys(page, "Rita Runner")
    key(page, K.Key_Return)
    assert said(window) == "Rita Runner goes for the sheet of North Ward."
    assert rows(page.table)[0][0] == "runner out"
    assert rows(page.table)[0][5] == "Rita Runner"
    assert focus() is page.table
    key(page, K.Key_Down, K.Key_A)
    assert focus().text() == "Rita Runner"  # type: ignore[attr-defined]
    key(page, K.Key_Return)  # the same again, with two keys
    assert of(desk, "A-2").runner == "Rita Runner"
    key(page, K.Key_A, K.Key_Delete, K.Key_Return)
    assert of(desk, "A-2").runner == ""
    key(page, K.Key_A, K.Key_Escape)
    assert focus() is page.table


def test_a_whole_county_at_once(page: PaperPage, window: MainWindow, desk: Desk) -> None:
    key(page, K.Key_A, held=Qt.KeyboardModifier.ShiftModifier)
    keys(page, "Otto")
    key(page, K.Key_Return)
    assert said(window) == "Otto goes for 2 sheets of Alpha."
    key(page, K.Key_Left)
    assert focus() is page.county_table
    key(page, K.Key_A)
    assert said(window).startswith("Choose a county first")
    key(page, K.Key_Down, K.Key_Down)
    assert names(page) == ["DES MOINES-42", "Walnut Township"]
    key(page, K.Key_A)
    key(page, K.Key_Return)
    assert {of(desk, one).runner for one in ("A-1", "A-2", "77-DM42", "77-T01")} == {"Otto"}
    key(page, K.Key_Left, K.Key_Return)
    assert focus() is page.table


def test_an_attempt_by_its_digit_with_a_note(page: PaperPage, window: MainWindow, desk: Desk) -> None:
    key(page, K.Key_T, K.Key_2)
    keys(page, "after nine")
    key(page, K.Key_Return)
    step = of(desk, "A-1").last_attempt
    assert step is not None
    assert (step.note, step.by) == ("will send a photo: after nine", "clerk 07")
    assert page.panel.lines[0].endswith("clerk 07: will send a photo: after nine")
    key(page, K.Key_T, K.Key_1, K.Key_Return)  # no answer, no note: three keys
    assert of(desk, "A-1").attempts == 2
    assert "(2 tries)" in rows(page.table)[0][5]
    key(page, K.Key_T, K.Key_6, K.Key_Return)
    assert "few words" in said(window)
    key(page, K.Key_T, K.Key_Escape)
    assert focus() is page.table
    assert of(desk, "A-1").attempts == 2


def test_received_leaves_the_list_and_the_hand_goes_on(
    page: PaperPage, window: MainWindow, desk: Desk
) -> None:
    key(page, K.Key_R)
    assert names(page) == ["South Ward", "DES MOINES-42", "Walnut Township"]
    assert page.panel.name.whole == "South Ward"
    assert page.count() == 3
    assert "paper entry is due" in said(window)
    key(page, K.Key_H)
    assert [row[:1] + row[2:3] for row in rows(page.table)] == [["here, to key", "North Ward"]]
    key(page, K.Key_H, K.Key_H)
    key(page, K.Key_U)  # the one that was marked last, though it is in another list
    assert names(page)[0] == "North Ward"
    assert said(window) == "The sheet of North Ward is missing again."
    assert [step.kind for step in of(desk, "A-1").steps] == ["received", "not received"]
    key(page, K.Key_U)
    assert "is not marked received" in said(window)


def test_what_lies_here_too_long_is_said_in_every_list(
    page: PaperPage, window: MainWindow, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    key(page, K.Key_R)
    assert page.late.isHidden()
    from datetime import timedelta

    monkeypatch.setattr("caucus_desk.tally.chase.DUE_TOO_LONG", timedelta(0))
    page.refresh()
    assert page.late.isVisible()
    assert "not keyed: North Ward" in page.late.text()
    key(page, K.Key_H)
    assert page.model.columns[1].icon(page.model.shown[0]) == ("bad", "bad")  # type: ignore[misc]
    assert "Lies here too long" in page.panel.status.text()


def test_enter_opens_the_paper_entry(page: PaperPage, window: MainWindow, desk: Desk) -> None:
    key(page, K.Key_Down, K.Key_Return)
    wait_for(lambda: window.shell.current.name == "entry" and not window.shell.current.store_is_busy)
    with desk.store.read() as unit:
        [draft] = unit.drafts()
    assert (draft.precinct_id, draft.channel, draft.by) == ("A-2", Channel.PAPER, "clerk 07")
    window.shell.show_page("paper")
    key(page, K.Key_H)
    assert [row[:1] + row[5:] for row in rows(page.table)] == [["being keyed", "clerk 07 keys it"]]


def test_a_sheet_that_is_keyed_leaves_the_list(
    page: PaperPage, desk: Desk, good: Any, report: Callable[..., Path], window: MainWindow
) -> None:
    report(desk, "A-1", good, 100, "phone", "clerk 01")
    window.shell.context.look()
    assert rows(page.table)[-1][4] == "–"
    assert [row[4] for row in rows(page.table) if row[2] == "North Ward"] == ["in"]
    report(desk, "A-1", good, 100, "paper", "clerk 02")
    window.shell.context.look()
    assert "North Ward" not in names(page)
    page.open_precinct("A-1")
    assert said(window) == "The worksheet of North Ward is in and keyed."


def test_the_filter_looks_in_all_counties(page: PaperPage, window: MainWindow) -> None:
    key(page, K.Key_Left, K.Key_Down, K.Key_Right)
    assert names(page) == ["North Ward", "South Ward"]
    keys(page, "/")
    assert focus() is page.filter
    keys(page, "yoder")
    assert names(page) == ["DES MOINES-42"]
    assert page.panel.number.text() == "515-555-0103"
    key(page, K.Key_Down)
    assert focus() is page.table
    key(page, K.Key_Up)
    assert focus() is page.filter
    keys(page, "xx")
    assert page.nothing.isVisible()
    key(page, K.Key_Escape)
    assert len(names(page)) == 4


def test_a_note_and_what_a_reviewer_asks(
    page: PaperPage, window: MainWindow, desk: Desk, good: Any, report: Callable[..., Path]
) -> None:
    key(page, K.Key_N)
    keys(page, "ring twice")
    key(page, K.Key_Return)
    assert page.panel.lines[0].endswith("ring twice")
    other = {**good, "Biden": (13, 16, 1)}
    report(desk, "A-1", good, 100, "phone", "clerk 01")
    report(desk, "A-1", other, 99, "paper", "clerk 02")
    from caucus_desk.desk.errands import send_back

    send_back(desk, "A-1", "fetch", note="Biden first cannot be read", by="reviewer")
    window.shell.context.look()
    page.open_precinct("A-1")
    assert rows(page.table)[page.table.currentIndex().row()][0] == "asked for"
    assert "Biden first cannot be read" in page.panel.errand.text()
    key(page, K.Key_Return)
    assert "Its paper report is in" in said(window)
    key(page, K.Key_R)
    assert "North Ward" not in names(page)


def test_an_image_is_attached_by_path_and_shown(
    page: PaperPage, window: MainWindow, desk: Desk, scans: ModuleType, tmp_path: Path
) -> None:
    scan = scans.pdf(tmp_path / "north ward.pdf", pages=2)
    key(page, K.Key_I)
    keys(page, str(scan))
    key(page, K.Key_Return)
    assert said(window) == "Attached to North Ward: north ward.pdf. V shows it."
    assert [one.name for one in attachments(desk, "A-1")] == ["north ward.pdf"]
    assert names(page)[0] == "South Ward"  # it can be keyed from the image: nobody need fetch it
    key(page, K.Key_H, K.Key_V)
    assert page.viewer.isVisible()
    assert page.viewer.viewer.pages == 2
    key(page, K.Key_PageDown)
    assert page.viewer.viewer.page == 1
    key(page, K.Key_Escape)
    assert focus() is page.table


def test_a_dropped_file_is_attached_to_the_chosen_precinct(
    page: PaperPage, window: MainWindow, desk: Desk, scans: ModuleType, tmp_path: Path
) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(scans.png(tmp_path / "a.png")))])
    drop = QDropEvent(
        QPointF(5, 5),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    key(page, K.Key_Down)
    page.dropEvent(drop)
    wait_for(lambda: not page.store_is_busy)
    assert [one.name for one in attachments(desk, "A-2")] == ["a.png"]
    (tmp_path / "b.txt").write_text("Dear chair")
    data.setUrls([QUrl.fromLocalFile(str(tmp_path / "b.txt"))])
    page.dropEvent(drop)
    wait_for(lambda: not page.store_is_busy)
    assert "no picture and no PDF" in said(window)


def test_the_list_is_exported(page: PaperPage, window: MainWindow, desk: Desk, tmp_path: Path) -> None:
    key(page, K.Key_Left, K.Key_Down, K.Key_X)
    field = page.export_panel.path_field
    assert focus() is field
    assert "Missing worksheets Alpha" in field.text()
    keys(page, str(tmp_path / "alpha.xlsx"))
    key(page, K.Key_Return)
    wait_for(lambda: (tmp_path / "alpha.xlsx").exists() and not window.jobs.busy)
    wait_for(lambda: "The list is written, 2 worksheets" in said(window))
    assert not page.export_panel.isVisible()
    assert audit_trail(desk).events[0].sentence == (
        "clerk 07 wrote the list of missing worksheets of Alpha: alpha.xlsx"
    )
    key(page, K.Key_X, K.Key_Escape)
    assert not page.export_panel.isVisible()


def test_where_no_printer_is_a_pdf_is_written(
    page: PaperPage, window: MainWindow, desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from caucus_desk.desk.pdf import Pdf

    monkeypatch.setattr(printing, "has_printer", lambda: False)
    out = tmp_path / "list.pdf"
    key(page, K.Key_P)
    keys(page, str(out))
    key(page, K.Key_Return)
    assert said(window) == f"The list is written: {out}"
    assert Pdf(out, "list").pages == 1
    assert Pdf(out, "list").size(0) == pytest.approx((792, 612), abs=1)
    out.write_text("somebody's letter")
    key(page, K.Key_P)
    keys(page, str(out))
    key(page, K.Key_Return)
    assert "is no PDF and is not replaced" in said(window)
    assert out.read_text() == "somebody's letter"


def test_with_a_printer_it_is_asked_first(
    page: PaperPage, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    printed: list[tuple[int, str]] = []
    monkeypatch.setattr(printing, "has_printer", lambda: True)
    monkeypatch.setattr(printing, "printer_name", lambda: "Office printer")
    monkeypatch.setattr(
        printing, "print_list", lambda rows, caucus, county, at: printed.append((len(rows), county)) or 1
    )
    key(page, K.Key_P, K.Key_N)
    assert printed == []
    key(page, K.Key_P, K.Key_Y)
    assert printed == [(4, "")]
    assert said(window) == "Sent to Office printer: 1 pages."


def test_a_long_list_has_several_pages(qapp: object, tmp_path: Path, desk: Desk) -> None:
    from datetime import UTC, datetime

    from caucus_desk.desk.pdf import Pdf
    from caucus_desk.ui.chase.rows import SheetRow

    now = datetime.now(UTC)
    many = [SheetRow(one, now) for one in chase.missing(desk)] * 30
    pages = printing.write_pdf(many, "Small", "", now, tmp_path / "long.pdf")
    assert pages == Pdf(tmp_path / "long.pdf", "long").pages > 2


def test_another_person_finds_nothing_of_the_last_one(page: PaperPage, window: MainWindow) -> None:
    key(page, K.Key_A)
    keys(page, "Rita")
    key(page, K.Key_Return)
    window.shell.context.set_person("clerk 08")
    window.shell.show_page("paper")
    key(page, K.Key_Down, K.Key_A)
    assert focus().text() == ""  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("size", "name"),
    [((1280, 720), ThemeName.LIGHT), ((1920, 1080), ThemeName.DARK), ((1024, 700), ThemeName.DARK)],
)
def test_it_is_drawn_in_every_theme_and_size(
    page: PaperPage, window: MainWindow, size: tuple[int, int], name: ThemeName
) -> None:
    theme().apply(name)
    window.resize(*size)
    key(page, K.Key_T)
    assert not window.grab().isNull()
    for made in page.foot.bar._buttons:
        assert made.width() >= made.minimumSizeHint().width()
    key(page, K.Key_Escape)
    assert page.panel.number.width() >= page.panel.number.sizeHint().width()
