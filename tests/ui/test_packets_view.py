"""County kits, packets and receipts by real keys, from the welcome page to headquarters and back."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton, QWidget

from caucus_desk.desk.kits import county_keys, county_of, make_kit
from caucus_desk.desk.packets import export_packet, sent_packets
from caucus_desk.desk.receipts import write_receipt
from caucus_desk.desk.session import Desk
from caucus_desk.desk.taking import packets_taken, take_packet
from caucus_desk.tally.report import Channel
from caucus_desk.ui.app import build_window
from caucus_desk.ui.documents import documents
from caucus_desk.ui.packets.county import CountyPackets
from caucus_desk.ui.packets.headquarters import HeadquartersPackets
from caucus_desk.ui.theme import ThemeName, theme
from caucus_desk.ui.window import MainWindow
from tests.packets import county_store, report

K = Qt.Key
PAPER = Channel.PAPER


@pytest.fixture
def alpha(desk: Desk, tmp_path: Path) -> Iterator[Desk]:
    with county_store(desk, "Alpha", tmp_path) as county:
        yield county


@pytest.fixture
def shown(qtbot: Any) -> Iterator[Callable[[Desk, str], MainWindow]]:
    """A window on a store, at its Paper page."""
    made: list[MainWindow] = []

    def show(desk: Desk, person: str) -> MainWindow:
        window = build_window(desk, person=person)
        qtbot.addWidget(window)
        window.resize(1280, 720)
        window.show()
        qtbot.waitExposed(window)
        made.append(window)
        window.activateWindow()
        window.shell.show_page("paper")
        qtbot.waitUntil(lambda: QApplication.focusWidget() is not None)
        return window

    yield show
    for window in made:
        window.jobs.cancel_all()
        window.jobs.wait(10_000)


def focus() -> QWidget:
    widget = QApplication.focusWidget()
    assert widget is not None, "no widget has the focus: the keyboard leads nowhere"
    return widget


def key(*keys: Qt.Key) -> None:
    for one in keys:
        QTest.keyClick(focus(), one)


def typed(text: str) -> None:
    field = focus()
    assert isinstance(field, QLineEdit)
    field.selectAll()
    QTest.keyClicks(field, text)


def to(name: str) -> None:
    """Tab until the widget of this name has the focus."""
    for _ in range(40):
        widget = focus()
        if name in (widget.accessibleName(), getattr(widget, "text", lambda: "")().strip()):
            return
        QTest.keyClick(widget, K.Key_Tab)
    raise AssertionError(f"Tab does not lead to {name}")


def side_of(window: MainWindow) -> CountyPackets | HeadquartersPackets:
    page = window.shell.pages["paper"]
    side = page.packets.side  # type: ignore[attr-defined]
    assert side is not None
    return side  # type: ignore[no-any-return]


def test_a_chair_writes_a_packet_and_reads_the_receipt(
    qtbot: Any, desk: Desk, alpha: Desk, shown: Callable[[Desk, str], MainWindow], tmp_path: Path
) -> None:
    report(alpha, "A-1", PAPER, "Carol")
    window = shown(alpha, "Carol")
    key(K.Key_C)
    side = side_of(window)
    assert isinstance(side, CountyPackets)
    assert focus().accessibleName() == "File for the packet"
    typed(str(tmp_path))
    key(K.Key_Return)
    qtbot.waitUntil(lambda: bool(sent_packets(alpha)))
    qtbot.waitUntil(lambda: sent_packets(alpha)[0].code in side.written.text())
    packet = tmp_path / "Alpha packet 1.cdpacket"
    assert packet.is_file()
    assert "1 report of 1 precinct" in window.shell.notices.text

    report(alpha, "A-2", PAPER, "Carol")
    taken = take_packet(desk, packet, by="Lead")
    back = write_receipt(desk, taken.digest, tmp_path, by="Lead")
    to("Receipt or code")
    typed(str(back.path))
    key(K.Key_Return)
    qtbot.waitUntil(side.table.isVisible)
    assert "Reports of 1 precinct are not there yet" in side.read.text()
    assert [(one.precinct.id, one.there) for one in side.model.shown] == [("A-2", 0), ("A-1", 1)]
    assert "at headquarters, one source so far" in side.model.shown[1].words
    typed(taken.code.lower())
    key(K.Key_Return)
    assert side.read.text() == "Headquarters has all of packet 1."
    typed("AAAA-AAAA")
    key(K.Key_Return)
    assert "the code of no packet" in side.read.text()
    typed(str(packet))
    key(K.Key_Return)
    assert "Alpha packet 1.cdpacket is a packet, not a receipt" in side.read.text()
    key(K.Key_Escape)
    assert not side.isVisible()


def test_what_was_said_of_packets_does_not_stay_on_the_paper_page(
    qtbot: Any, desk: Desk, alpha: Desk, shown: Callable[[Desk, str], MainWindow], tmp_path: Path
) -> None:
    """An empty packet is warned of; the band goes with County packets, and the key line is in view."""
    window = shown(alpha, "Carol")
    page = window.shell.pages["paper"]
    assert "C packets" in page.foot.keys.text()  # type: ignore[attr-defined]
    key(K.Key_C)
    typed(str(tmp_path))
    key(K.Key_Return)
    qtbot.waitUntil(lambda: "Nothing is in it yet" in window.shell.notices.text)
    key(K.Key_Escape)
    assert window.shell.notices.text == ""
    keys = page.foot.keys  # type: ignore[attr-defined]
    qtbot.waitUntil(keys.isVisible)
    assert window.size().toTuple() == (1280, 720)
    assert keys.mapTo(window, keys.rect().bottomLeft()).y() < window.height()
    window.shell.notices.warn("The server is gone.")
    key(K.Key_C)
    key(K.Key_Escape)
    assert window.shell.notices.text == "The server is gone.", "said elsewhere, and still so"


def test_a_packet_is_never_written_over_a_file(
    qtbot: Any, alpha: Desk, shown: Callable[[Desk, str], MainWindow], tmp_path: Path
) -> None:
    there = tmp_path / "there.cdpacket"
    there.write_text("a letter")
    window = shown(alpha, "Carol")
    key(K.Key_C)
    typed(str(there))
    key(K.Key_Return)
    qtbot.waitUntil(lambda: "already" in window.shell.notices.text)
    assert there.read_text() == "a letter"
    assert focus().accessibleName() == "File for the packet"


def test_headquarters_takes_a_folder_of_packets_and_says_what_came_of_each(
    qtbot: Any, desk: Desk, alpha: Desk, shown: Callable[[Desk, str], MainWindow], tmp_path: Path
) -> None:
    report(desk, "A-1", PAPER, "Ann", 10)
    report(alpha, "A-1", PAPER, "Carol", 12)
    stick = tmp_path / "stick"
    stick.mkdir()
    first = export_packet(alpha, stick / "a.cdpacket", by="Carol")
    (stick / "b.cdpacket").write_bytes(first.path.read_bytes()[:-9])
    (stick / "c.cdpacket").write_bytes(first.path.read_bytes())
    window = shown(desk, "Lead")
    key(K.Key_C)
    side = side_of(window)
    assert isinstance(side, HeadquartersPackets)
    assert focus().accessibleName() == "Packets"
    typed(str(stick))
    key(K.Key_Return)
    qtbot.waitUntil(side.file_table.isVisible)
    rows = side.files.shown
    assert [row.sign[1] for row in rows] == ["warn", "bad", "muted"]
    assert rows[0].said == "packet 1: 1 report, new 1; reports differ in 1 precinct, for Review: North Ward."
    assert rows[0].code == first.code
    assert "b.cdpacket is not whole" in rows[1].said
    assert "taken before" in rows[2].said
    assert side.whole.text() == rows[1].said
    assert "New here: 1 report, from 2 files. Refused: 1" in window.shell.notices.text
    assert (stick / "Alpha packet 1 receipt.cdreceipt").is_file()
    assert [one.new_reports for one in packets_taken(desk)] == [1]
    assert [row.key.county for row in side.keys.shown] == ["Alpha"]
    typed(str(tmp_path / "stick" / "empty"))
    (stick / "empty").mkdir()
    key(K.Key_Return)
    assert "There is no packet in" in window.shell.notices.text


def test_a_kit_is_made_its_code_shown_once_and_its_key_revoked(
    qtbot: Any, desk: Desk, shown: Callable[[Desk, str], MainWindow], tmp_path: Path
) -> None:
    window = shown(desk, "Lead")
    key(K.Key_C)
    side = side_of(window)
    assert isinstance(side, HeadquartersPackets)
    to("County of the kit")
    QTest.keyClicks(focus(), "O")
    to("File or folder for the kit")
    typed(str(tmp_path))
    key(K.Key_Return)
    qtbot.waitUntil(lambda: bool(side.code.text()))
    assert len(side.code.text()) == 19
    assert side.code.isVisible()
    assert (tmp_path / "O Brien county kit.cdkit").is_file()
    assert [one.county for one in county_keys(desk)] == ["O'Brien"]
    assert focus() is side.told
    key(K.Key_Return)
    assert not side.code.isVisible()
    assert side.code.text() == ""
    side.key_table.setFocus()
    key(K.Key_Down, K.Key_Up)
    side.key_table.select_key(county_keys(desk)[0].id)
    to("Why the key is revoked")
    key(K.Key_Return)
    assert "needs a reason" in window.shell.notices.text
    typed("the laptop was stolen")
    key(K.Key_Return)
    assert county_keys(desk)[0].reason == "the laptop was stolen"
    assert "revoked" in side.keys.shown[0].state


def test_a_code_does_not_stay_on_the_screen(
    qtbot: Any, desk: Desk, shown: Callable[[Desk, str], MainWindow], tmp_path: Path
) -> None:
    window = shown(desk, "Lead")
    key(K.Key_C)
    side = side_of(window)
    assert isinstance(side, HeadquartersPackets)
    to("File or folder for the kit")
    typed(str(tmp_path))
    key(K.Key_Return)
    qtbot.waitUntil(lambda: bool(side.code.text()))
    key(K.Key_Escape)
    assert side.code.text() == ""


def test_a_county_begins_from_the_welcome_page(
    qtbot: Any, desk: Desk, welcome: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kit = make_kit(desk, "Alpha", tmp_path, by="Lead")
    page = welcome.welcome
    assert Path(page.kit.location.text()) == documents() / "county.caucus"
    assert Path(page.new.location.text()) == documents() / "caucus.sqlite"
    place = tmp_path / "My documents"
    place.mkdir()
    (place / "Alpha.caucus").write_text("another")
    monkeypatch.setattr("caucus_desk.ui.welcome.kit.documents", lambda: place)
    to("Begin from a county kit…")
    key(K.Key_Return)
    assert focus() is page.kit.kit
    typed(str(kit.path))
    key(K.Key_Return)
    assert focus() is page.kit.code
    typed("AAAA-AAAA-AAAA-AAAA")
    key(K.Key_Return)
    typed("Carol Jones")
    assert page.kit.location.text() == str(place / "Alpha 2.caucus")
    key(K.Key_Return)
    qtbot.waitUntil(page.kit.outcome.isVisible)
    assert "This is not the code" in page.kit.outcome.text()
    assert focus() is page.kit.code
    typed(kit.code.lower())
    key(K.Key_Return)
    qtbot.waitUntil(lambda: welcome.shell is not None and bool(welcome.shell.pages), timeout=20_000)
    assert county_of(welcome.shell.context.desk) == "Alpha"
    assert welcome.shell.context.person == "Carol Jones"
    assert page.kit.code.text() == ""
    (form,) = place.glob("*.xlsx")
    assert "The worksheet form of Alpha" in welcome.notices.text
    assert welcome.notices.text.endswith(str(form))


@pytest.mark.parametrize("look", [ThemeName.LIGHT, ThemeName.DARK])
@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
def test_nothing_is_cut(
    qtbot: Any,
    desk: Desk,
    alpha: Desk,
    shown: Callable[[Desk, str], MainWindow],
    look: ThemeName,
    size: tuple[int, int],
) -> None:
    theme().apply(look)
    for store, person in ((desk, "Lead"), (alpha, "Carol")):
        window = shown(store, person)
        window.resize(*size)
        key(K.Key_C)
        for made in side_of(window).findChildren(QPushButton):
            if made.isVisible():
                assert made.width() >= made.sizeHint().width(), made.text()
        window.close()
