"""Our own drawings (resources/icons), painted in the colours of the theme."""

from functools import cache

from PySide6.QtCore import QByteArray, QObject, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget

from caucus_desk import paths
from caucus_desk.ui.theme import theme

SMALL, NORMAL, LARGE = 16, 20, 40


@cache
def _drawing(name: str) -> str:
    return (paths.resources() / "icons" / f"{name}.svg").read_text(encoding="utf-8")


@cache
def _painted(name: str, colour: str, side: int, ratio: float) -> QPixmap:
    renderer = QSvgRenderer(QByteArray(_drawing(name).replace("currentColor", colour).encode()))
    pixels = round(side * ratio)
    pixmap = QPixmap(QSize(pixels, pixels))
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    renderer.render(painter, QRectF(0, 0, pixels, pixels))
    painter.end()
    pixmap.setDevicePixelRatio(ratio)
    return pixmap


def pixmap(name: str, role: str = "text", side: int = SMALL, ratio: float = 2.0) -> QPixmap:
    """The drawing in a colour of the theme (a name in `Colours`), sharp on screens up to `ratio`."""
    return _painted(name, str(getattr(theme().colours, role)), side, ratio)


def icon(name: str, role: str = "text", side: int = NORMAL) -> QIcon:
    return QIcon(pixmap(name, role, side))


@cache
def _steady(name: str, colour: str, side: int) -> QIcon:
    image = _painted(name, colour, side, 2.0)
    made = QIcon(image)
    made.addPixmap(image, QIcon.Mode.Selected)
    return made


def steady_icon(name: str, role: str = "text", side: int = SMALL) -> QIcon:
    """For rows of tables: keeps its colour when the row is selected."""
    return _steady(name, str(getattr(theme().colours, role)), side)


def window_icon() -> QIcon:
    """The program's own mark, in its own colours whatever the theme."""
    renderer = QSvgRenderer(QByteArray(_drawing("caucus-desk").encode()))
    made = QIcon()
    for side in (16, 32, 48, 128, 256):
        image = QPixmap(side, side)
        image.fill(Qt.GlobalColor.transparent)
        painter = QPainter(image)
        renderer.render(painter, QRectF(0, 0, side, side))
        painter.end()
        made.addPixmap(image)
    return made


class IconLabel(QLabel):
    """A drawing that follows the theme."""

    def __init__(
        self, name: str = "", role: str = "text", side: int = SMALL, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._name, self._role, self._side = name, role, side
        self.setFixedSize(side, side)
        theme().changed.connect(self._paint)
        self._paint()

    def show_icon(self, name: str, role: str) -> None:
        self._name, self._role = name, role
        self._paint()

    def _paint(self) -> None:
        if self._name:
            self.setPixmap(pixmap(self._name, self._role, self._side))


class _Follower(QObject):
    """Repaints one button's drawing; lives and dies with the button."""

    def __init__(self, button: QAbstractButton, name: str, role: str, side: int) -> None:
        super().__init__(button)
        self._button, self._name, self._role, self._side = button, name, role, side
        theme().changed.connect(self.paint)
        self.paint()

    def paint(self) -> None:
        self._button.setIcon(icon(self._name, self._role, self._side))


def keep_icon(button: QAbstractButton, name: str, role: str = "text", side: int = SMALL) -> None:
    """Give a button a drawing that follows the theme for as long as the button lives."""
    button.setIconSize(QSize(side, side))
    _Follower(button, name, role, side)
