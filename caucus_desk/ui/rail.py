"""The left rail: the pages with their counts, the theme, and the way to another caucus."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QEnterEvent, QFont, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QAbstractButton,
    QButtonGroup,
    QMenu,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from caucus_desk.ui import fonts
from caucus_desk.ui.icons import NORMAL, keep_icon, pixmap
from caucus_desk.ui.settings import Settings
from caucus_desk.ui.theme import ThemeName, theme
from caucus_desk.ui.widgets.basics import STEP, PressButton, button, enter_presses
from caucus_desk.ui.words import number, tr

WIDTH = 29 * STEP
NARROW = 9 * STEP
_ROW = 7 * STEP


class RailButton(QAbstractButton):
    """One page: a drawing, its name, its key, and how many things wait there; narrow, only the drawing
    and the count."""

    def __init__(self, text: str, icon: str, key: str) -> None:
        super().__init__()
        self._icon, self._key, self._count = icon, key, ""
        self._over = False
        self._narrow = False
        self.setText(text)
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setToolTip(f"{text} ({key})" if key else text)
        self.setAccessibleName(text)
        theme().changed.connect(self.update)

    @property
    def key_text(self) -> str:
        return self._key

    @property
    def narrow(self) -> bool:
        return self._narrow

    def set_narrow(self, narrow: bool) -> None:
        self._narrow = narrow
        self.updateGeometry()
        self.update()

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
        return QSize(NARROW if self._narrow else WIDTH, _ROW)

    def enterEvent(self, event: QEnterEvent) -> None:
        self._over = True
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not enter_presses(self, event):
            super().keyPressEvent(event)

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
        self._paint_drawing(painter, area)
        if not self._narrow:
            self._paint_words(painter, area)
        if self.hasFocus():
            painter.setPen(QPen(colours.colour("accent"), 2))
            painter.drawRoundedRect(area.adjusted(5, 3, -3, -3), 3, 3)
        painter.end()

    def _paint_drawing(self, painter: QPainter, area: QRectF) -> None:
        side = NORMAL
        left = int((area.width() - side) / 2) if self._narrow else 3 * STEP
        top = int((area.height() - side) / 2)
        if self._narrow and self._count:
            top -= STEP
            painter.setFont(fonts.body(fonts.SMALL_POINTS, bold=True))
            painter.setPen(theme().colour("text"))
            below = area.adjusted(0, 0, 0, -2)
            painter.drawText(below, Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignHCenter, self._count)
        role = "accent" if self.isChecked() else "muted"
        painter.drawPixmap(left, top, side, side, pixmap(self._icon, role, side))

    def _paint_words(self, painter: QPainter, area: QRectF) -> None:
        """The name, its key small below it, and the count."""
        colours = theme()
        font = QFont(self.font())
        font.setWeight(QFont.Weight.DemiBold if self.isChecked() else QFont.Weight.Normal)
        words = area.adjusted(3 * STEP + NORMAL + 2 * STEP, 0, -3 * STEP, 0)
        left, middle = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignVCenter
        painter.setFont(font)
        painter.setPen(colours.colour("text"))
        painter.drawText(words.adjusted(0, 0, 0, -14 if self._key else 0), middle | left, self.text())
        if self._key:
            painter.setFont(fonts.body(fonts.SMALL_POINTS))
            painter.setPen(colours.colour("muted"))
            painter.drawText(words.adjusted(0, 18, 0, 0), middle | left, self._key)
        if self._count:
            painter.setFont(fonts.body(fonts.SMALL_POINTS, bold=True))
            painter.setPen(colours.colour("text"))
            painter.drawText(words, middle | Qt.AlignmentFlag.AlignRight, self._count)


def page_key(place: int) -> str:
    """Ctrl+1 to Ctrl+9 for the first nine pages, Ctrl+0 for the tenth."""
    return f"Ctrl+{(place + 1) % 10}" if place < 10 else ""


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
            made = RailButton(text, icon, page_key(place))
            made.clicked.connect(lambda _=False, name=name: self.chosen.emit(name))
            self._group.addButton(made)
            self.buttons[name] = made
            column.addWidget(made)
        column.addStretch(1)
        self._other = button(self.tr("Other caucus"), "folder", role="quiet")
        self._other.setToolTip(self.tr("Close this caucus and open or make another"))
        self._other.clicked.connect(self.other_wanted)
        self._theme = ThemeButton()
        self._foot = QVBoxLayout()
        self._foot.setSpacing(0)
        self._foot.addWidget(self._other, 0, Qt.AlignmentFlag.AlignLeft)
        self._foot.addWidget(self._theme, 0, Qt.AlignmentFlag.AlignLeft)
        column.addLayout(self._foot)
        self._narrow = True
        self.set_narrow(False)

    @property
    def narrow(self) -> bool:
        return self._narrow

    def set_narrow(self, narrow: bool) -> None:
        """Only the drawings, with the names as tool tips, where the page needs the room."""
        if narrow == self._narrow:
            return
        self._narrow = narrow
        self.setFixedWidth(NARROW if narrow else WIDTH)
        for made in self.buttons.values():
            made.set_narrow(narrow)
        self._other.setText("" if narrow else " " + self._other.accessibleName())
        self._theme.set_narrow(narrow)
        self._foot.setContentsMargins(STEP if narrow else 2 * STEP - 2, 0, 0, 0)

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


class ThemeButton(PressButton):
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
        self._narrow = False
        self._group.triggered.connect(self._choose)
        self.setMenu(menu)
        theme().changed.connect(self._show)
        self._show()

    def set_narrow(self, narrow: bool) -> None:
        self._narrow = narrow
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
        self.setText("" if self._narrow else " " + theme_words(name))
        self.setAccessibleName(self.tr("Colours: {0}").format(theme_words(name)))
