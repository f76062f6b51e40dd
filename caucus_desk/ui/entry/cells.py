"""The cells beside the boxes: viable or not, and a figure with a word. Painted, and only when they change."""

from enum import Enum

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from caucus_desk.ui import fonts, icons
from caucus_desk.ui.theme import theme

_ICON = 12
_GAP = 4


class Viability(Enum):
    """What stands beside a count: an icon, a word, and the colour's role."""

    UNKNOWN = ("", "", "muted")
    VIABLE = ("good", "viable", "good")
    BELOW = ("close", "too few", "muted")


class Cell(QWidget):
    """A small text, with an icon before it where there is one."""

    def __init__(
        self,
        width: int,
        *,
        align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
        small: bool = False,
        bold: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._text, self._icon, self._role = "", "", "text"
        self._align = align
        self._font = fonts.body(fonts.SMALL_POINTS if small else fonts.BODY_POINTS, bold=bold)
        self.setMinimumWidth(width)
        self._width = width
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    @property
    def text(self) -> str:
        return self._text

    def show_text(self, text: str, role: str = "text", icon: str = "") -> None:
        """Repaints only what changed."""
        if (text, role, icon) == (self._text, self._role, self._icon):
            return
        self._text, self._role, self._icon = text, role, icon
        self.setAccessibleName(text)
        self.update()

    def show_viability(self, viability: Viability) -> None:
        icon, text, role = viability.value
        self.show_text(text, role, icon)

    def use_font(self, font: QFont) -> None:
        self._font = font
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._width, 22)

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._text and not self._icon:
            return
        painter = QPainter(self)
        painter.setFont(self._font)
        painter.setPen(QColor(getattr(theme().colours, self._role)))
        area = QRect(self.rect())
        metrics = painter.fontMetrics()
        taken = _ICON + _GAP if self._icon else 0
        text = metrics.elidedText(self._text, Qt.TextElideMode.ElideRight, area.width() - taken)
        if self._icon:
            left = 0
            if self._align & Qt.AlignmentFlag.AlignRight:
                left = max(0, area.width() - metrics.horizontalAdvance(text) - taken)
            top = (self.height() - _ICON) // 2
            painter.drawPixmap(QPoint(left, top), icons.pixmap(self._icon, self._role, _ICON))
            area.setLeft(left + taken)
        painter.drawText(area, self._align | Qt.AlignmentFlag.AlignVCenter, text)
        painter.end()
