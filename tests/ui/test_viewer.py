"""The viewer of a worksheet's image or PDF: by keys, sharp at every size, and harmless to the wheel."""

from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QDesktopServices, QImage, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QHBoxLayout, QWidget

from caucus_desk.ui.theme import ThemeName, theme
from caucus_desk.ui.widgets.pictures import MOST_DOTS, ImageSource
from caucus_desk.ui.widgets.viewer import Viewer

Qt_ = Qt.Key


@pytest.fixture
def viewer(qtbot: Any) -> Iterator[Viewer]:
    host = QWidget()
    row = QHBoxLayout(host)
    row.setSizeConstraint(QHBoxLayout.SizeConstraint.SetNoConstraint)
    row.setContentsMargins(0, 0, 0, 0)
    made = Viewer()
    row.addWidget(made)
    qtbot.addWidget(host)
    host.resize(700, 700)
    host.show()
    qtbot.waitExposed(host)
    made.setFocus()
    yield made
    host.close()


def press(viewer: Viewer, *keys: Qt.Key) -> None:
    for key in keys:
        QTest.keyClick(viewer, key)


def shown(viewer: Viewer) -> QImage:
    return viewer.grab().toImage()


def red_at(viewer: Viewer) -> str:
    """In which quarter of what is shown the red corner is."""
    image = shown(viewer)
    found = [
        (x, y)
        for x in range(0, image.width(), 4)
        for y in range(0, image.height(), 4)
        if image.pixelColor(x, y) == QColor(200, 0, 0)
    ]
    assert found, "no red corner is to be seen"
    x = sum(one[0] for one in found) / len(found)
    y = sum(one[1] for one in found) / len(found)
    return f"{'upper' if y < image.height() / 2 else 'lower'} {'left' if x < image.width() / 2 else 'right'}"


def test_a_photo_is_fitted_and_turned_by_keys(viewer: Viewer, scans: ModuleType, tmp_path: Path) -> None:
    viewer.show_file(scans.png(tmp_path / "a.png", 1200, 900), "a.png")
    assert (viewer.name, viewer.page, viewer.pages, viewer.message) == ("a.png", 0, 1, "")
    assert viewer.fitted
    assert 0.4 < viewer.zoom < 0.7
    corners = [red_at(viewer)]
    for _ in range(3):
        press(viewer, Qt_.Key_R)
        corners.append(red_at(viewer))
    assert corners == ["upper left", "upper right", "lower right", "lower left"]
    press(viewer, Qt_.Key_R)
    assert viewer.turned == 0


@pytest.mark.parametrize(
    ("orientation", "corner"), [(1, "upper left"), (3, "lower right"), (6, "upper right"), (8, "lower left")]
)
def test_a_photo_stands_as_the_camera_was_held(
    viewer: Viewer, scans: ModuleType, tmp_path: Path, orientation: int, corner: str
) -> None:
    source = ImageSource(scans.jpeg(tmp_path / "a.jpg", 600, 450, orientation), "a.jpg")
    upright = orientation in (6, 8)
    assert (source.size(0).width() < source.size(0).height()) is upright
    image = source.picture(0, 1.0)
    width, height = image.width(), image.height()
    across, down = ("right" in corner) * 0.9 + 0.05, ("lower" in corner) * 0.9 + 0.05
    seen = image.pixelColor(int(width * across), int(height * down))
    assert seen.red() > 150
    assert seen.green() < 80
    viewer.show_file(tmp_path / "a.jpg", "a.jpg")
    assert viewer.message == ""


def test_zoom_keeps_the_middle_and_0_fits_again(viewer: Viewer, scans: ModuleType, tmp_path: Path) -> None:
    viewer.show_file(scans.png(tmp_path / "a.png", 1200, 900), "a.png")
    fitted = viewer.zoom
    press(viewer, Qt_.Key_Plus, Qt_.Key_Plus, Qt_.Key_Plus)
    assert viewer.zoom == pytest.approx(fitted * 1.25**3)
    assert not viewer.fitted
    assert viewer.offset.x() > 0
    press(viewer, Qt_.Key_Minus)
    assert viewer.zoom == pytest.approx(fitted * 1.25**2)
    press(viewer, Qt_.Key_0)
    assert viewer.fitted
    assert viewer.zoom == pytest.approx(fitted)
    for _ in range(60):
        press(viewer, Qt_.Key_Plus)
    assert viewer.zoom == 8.0
    for _ in range(60):
        press(viewer, Qt_.Key_Minus)
    assert 0 < viewer.zoom <= 0.05


def test_arrows_move_and_stop_at_the_edges(viewer: Viewer, scans: ModuleType, tmp_path: Path) -> None:
    viewer.show_file(scans.png(tmp_path / "a.png", 1200, 900), "a.png")
    press(viewer, Qt_.Key_Left, Qt_.Key_Up)
    assert viewer.offset == QPointF(0, 0)  # all of it is in view
    for _ in range(8):
        press(viewer, Qt_.Key_Plus)
    before = viewer.offset
    press(viewer, Qt_.Key_Right, Qt_.Key_Down)
    assert viewer.offset == before + QPointF(60, 60)
    for _ in range(400):
        press(viewer, Qt_.Key_Right, Qt_.Key_Down)
    end = viewer.offset
    press(viewer, Qt_.Key_Right, Qt_.Key_Down)
    assert viewer.offset == end
    for _ in range(800):
        press(viewer, Qt_.Key_Left, Qt_.Key_Up)
    assert viewer.offset == QPointF(0, 0)


@pytest.mark.parametrize("held", [Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier])
def test_the_wheel_scrolls_and_never_zooms_or_pages(
    viewer: Viewer, scans: ModuleType, tmp_path: Path, held: Qt.KeyboardModifier
) -> None:
    viewer.show_file(scans.pdf(tmp_path / "a.pdf"), "a.pdf")
    press(viewer, *[Qt_.Key_Plus] * 5)
    zoom, before = viewer.zoom, viewer.offset
    target = viewer.childAt(viewer.rect().center())
    for _ in range(100):
        wheel = QWheelEvent(
            QPointF(50, 50), QPointF(target.mapToGlobal(QPoint(50, 50))), QPoint(), QPoint(0, -120),
            Qt.MouseButton.NoButton, held, Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(target, wheel)
    assert viewer.zoom == zoom
    assert viewer.page == 0
    assert viewer.offset.y() > before.y()


def test_pages_of_a_pdf(viewer: Viewer, scans: ModuleType, tmp_path: Path) -> None:
    viewer.show_file(scans.pdf(tmp_path / "a.pdf", pages=3), "county.pdf")
    assert viewer.pages == 3
    press(viewer, Qt_.Key_PageUp)
    assert viewer.page == 0  # no wrap
    press(viewer, Qt_.Key_PageDown, Qt_.Key_PageDown, Qt_.Key_PageDown)
    assert viewer.page == 2
    assert "page 3 of 3" in viewer._where.text()


def test_a_pdf_is_drawn_anew_when_it_is_made_larger(
    viewer: Viewer, scans: ModuleType, tmp_path: Path, qtbot: Any
) -> None:
    viewer.show_file(scans.pdf(tmp_path / "a.pdf"), "a.pdf")
    assert viewer.sharp
    coarse = viewer._canvas._image.width()
    press(viewer, *[Qt_.Key_Plus] * 6)
    qtbot.waitUntil(lambda: viewer.sharp, timeout=20_000)
    assert viewer._canvas._image.width() > coarse * 3
    press(viewer, *[Qt_.Key_Plus] * 40)
    qtbot.waitUntil(lambda: viewer.sharp, timeout=20_000)
    image = viewer._canvas._image
    assert image.width() * image.height() <= MOST_DOTS * 1.01  # however far it is zoomed


def test_a_very_large_photo_is_held_smaller(scans: ModuleType, tmp_path: Path, qapp: object) -> None:
    big = QImage(8000, 6000, QImage.Format.Format_Grayscale8)
    big.fill(200)
    (tmp_path / "big.jpg").write_bytes(scans.encoded(big, "JPEG"))
    source = ImageSource(tmp_path / "big.jpg", "big.jpg")
    assert (source.size(0).width(), source.size(0).height()) == (8000, 6000)
    held = source.picture(0, 1.0)
    assert held.width() * held.height() <= MOST_DOTS
    small = source.picture(0, 0.05)
    assert 400 <= small.width() < 800


@pytest.mark.parametrize("kind", ["locked", "damaged", "gone", "letter"])
def test_what_cannot_be_shown_is_said_in_its_place(
    viewer: Viewer, scans: ModuleType, tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a.pdf"
    if kind == "locked":
        scans.locked_pdf(file)
    elif kind == "damaged":
        file.write_bytes(b"%PDF-1.4 and no more")
    elif kind == "letter":
        file.write_bytes(b"Dear chair")
    viewer.show_file(file, "sheet.pdf")
    assert viewer.message.startswith("sheet.pdf ")
    assert viewer.message.endswith("O opens it in the system's own viewer.")
    assert viewer.pages == 0
    press(viewer, Qt_.Key_Plus, Qt_.Key_R, Qt_.Key_PageDown)  # harmless
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toLocalFile()) or False)
    press(viewer, Qt_.Key_O)
    assert opened == [str(file)]
    assert "no viewer for it" in viewer.keys_line.whole
    viewer.show_file(scans.png(tmp_path / "b.png"), "b.png")
    assert viewer.message == ""


def test_other_keys_go_on_to_the_page(viewer: Viewer, scans: ModuleType, tmp_path: Path) -> None:
    viewer.show_file(scans.png(tmp_path / "a.png"), "a.png")
    assert not viewer.take_key(Qt_.Key_A, "a")
    assert not viewer.take_key(Qt_.Key_Return, "\r")
    assert viewer.take_key(Qt_.Key_Plus, "+")


@pytest.mark.parametrize("name", list(ThemeName))
def test_the_sheet_stays_white_in_every_theme(
    viewer: Viewer, scans: ModuleType, tmp_path: Path, name: ThemeName
) -> None:
    theme().apply(name)
    viewer.show_file(scans.pdf(tmp_path / "a.pdf"), "a.pdf")
    image = shown(viewer)
    assert image.pixelColor(image.width() // 2, image.height() // 2) == QColor("white")


def test_a_pages_file_can_be_replaced_while_it_is_shown(
    viewer: Viewer, scans: ModuleType, tmp_path: Path
) -> None:
    """The viewer keeps no file open: Windows would refuse to replace it."""
    file = scans.pdf(tmp_path / "a.pdf")
    viewer.show_file(file, "a.pdf")
    file.unlink()
    press(viewer, Qt_.Key_PageDown)
    assert viewer.page == 1
    assert viewer.message == ""
