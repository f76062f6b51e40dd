"""The left rail: the pages with their counts, the theme, and the way to another caucus."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QEnterEvent, QFont, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QAbstractButton,
    QButtonGroup,
    QMenu,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from caucus_desk.ui import fonts
from caucus_desk.ui.icons import NORMAL, keep_icon, pixmap
from caucus_desk.ui.settings import Settings
from caucus_desk.ui.theme import ThemeName, theme
from caucus_desk.ui.widgets.basics import STEP, button
from caucus_desk.ui.words import number, tr

WIDTH = 29 * STEP
_ROW = 7 * STEP


class RailButton(QAbstractButton):
    """One page: a drawing, its name, and how many things wait there."""

    def __init__(self, text: str, icon: str, key: str) -> None:
        super().__init__()
        self._icon, self._key, self._count = icon, key, ""
        self._over = False
        self.setText(text)
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setToolTip(f"{text} ({key})" if key else text)
        self.setAccessibleName(text)
        theme().changed.connect(self.update)

    @property
    def count_text(self) -> str:
        return self._count

    def set_count(self, count: int | None) -> None:
        text = "" if not count else number(count)
        if text != self._count:
            self._count = text
            self.setAccessibleDescription(self.tr("{0} waiting").format(text) if text else "")
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(WIDTH, _ROW)

    def enterEvent(self, event: QEnterEvent) -> None:
        self._over = True
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        self._over = False
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRectF(self.rect())
        down = self.isChecked()
        if down:
            painter.fillRect(area, colours.colour("window"))
            painter.fillRect(QRectF(0, 0, 3, area.height()), colours.colour("accent"))
        elif self._over:
            painter.fillRect(area, colours.colour("hover"))
        side = NORMAL
        top = int((area.height() - side) / 2)
        painter.drawPixmap(3 * STEP, top, side, side, pixmap(self._icon, "accent" if down else "muted", side))
        painter.setPen(colours.colour("text"))
        font = QFont(self.font())
        font.setWeight(QFont.Weight.DemiBold if down else QFont.Weight.Normal)
        painter.setFont(font)
        words = area.adjusted(3 * STEP + side + 2 * STEP, 0, -3 * STEP, 0)
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, self.text())
        if self._count:
            painter.setFont(fonts.body(fonts.SMALL_POINTS, bold=True))
            painter.setPen(colours.colour("text"))
            painter.drawText(words, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, self._count)
        if self.hasFocus():
            painter.setPen(QPen(colours.colour("accent"), 2))
            painter.drawRoundedRect(area.adjusted(5, 3, -3, -3), 3, 3)
        painter.end()


class Rail(QWidget):
    chosen = Signal(str)
    other_wanted = Signal()

    def __init__(self, pages: Sequence[tuple[str, str, str]]) -> None:
        super().__init__()
        self.setObjectName("rail")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedWidth(WIDTH)
        self.buttons: dict[str, RailButton] = {}
        self._group = QButtonGroup(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 2 * STEP, 1, 2 * STEP)
        column.setSpacing(0)
        for place, (name, text, icon) in enumerate(pages):
            made = RailButton(text, icon, f"Ctrl+{place + 1}" if place < 9 else "")
            made.clicked.connect(lambda _=False, name=name: self.chosen.emit(name))
            self._group.addButton(made)
            self.buttons[name] = made
            column.addWidget(made)
        column.addStretch(1)
        other = button(self.tr("Other caucus"), "folder", role="quiet")
        other.setToolTip(self.tr("Close this caucus and open or make another"))
        other.clicked.connect(self.other_wanted)
        foot = QVBoxLayout()
        foot.setContentsMargins(2 * STEP - 2, 0, 0, 0)
        foot.setSpacing(0)
        foot.addWidget(other, 0, Qt.AlignmentFlag.AlignLeft)
        foot.addWidget(ThemeButton(), 0, Qt.AlignmentFlag.AlignLeft)
        column.addLayout(foot)
        column.setContentsMargins(0, 2 * STEP, 1, 2 * STEP)

    def choose(self, name: str) -> None:
        self.buttons[name].setChecked(True)

    def set_count(self, name: str, count: int | None) -> None:
        self.buttons[name].set_count(count)


def theme_words(name: ThemeName) -> str:
    return {
        ThemeName.LIGHT: tr("Light"),
        ThemeName.DARK: tr("Dark"),
        ThemeName.CONTRAST: tr("High contrast"),
    }[name]


class ThemeButton(QPushButton):
    """Light, dark or high contrast; the choice is remembered."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "quiet")
        self.setAutoDefault(False)
        self.setToolTip(self.tr("Colours of the window"))
        keep_icon(self, "theme")
        menu = QMenu(self)
        self._group = QActionGroup(menu)
        self._actions: dict[ThemeName, QAction] = {}
        for name in ThemeName:
            action = menu.addAction(theme_words(name))
            action.setCheckable(True)
            action.setData(name.value)
            self._group.addAction(action)
            self._actions[name] = action
        self._group.triggered.connect(self._choose)
        self.setMenu(menu)
        theme().changed.connect(self._show)
        self._show()

    def choose(self, name: ThemeName) -> None:
        """As if the person had taken it from the menu."""
        theme().apply(name)
        Settings().theme = name.value

    def _choose(self, action: QAction) -> None:
        self.choose(ThemeName(str(action.data())))

    def _show(self) -> None:
        name = theme().name
        self._actions[name].setChecked(True)
        self.setText(" " + theme_words(name))
        self.setAccessibleName(self.tr("Colours: {0}").format(theme_words(name)))
