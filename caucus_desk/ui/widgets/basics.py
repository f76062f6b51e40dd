"""Small pieces that every page is made of: headings, rules, rows of choices, an empty state."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QBoxLayout,
    QButtonGroup,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from caucus_desk.ui import fonts
from caucus_desk.ui.icons import LARGE, IconLabel, keep_icon
from caucus_desk.ui.words import tip

STEP = 6
"""The spacing step, in pixels: margins and gaps are whole steps."""


def label(text: str = "", role: str = "", points: float | None = None, *, bold: bool = False) -> QLabel:
    """A plain-text label; `role` is muted, small, warn, bad or good."""
    made = QLabel(text)
    made.setTextFormat(Qt.TextFormat.PlainText)
    if role:
        made.setProperty("role", role)
    if role == "small":
        points = fonts.SMALL_POINTS
    if points is not None or bold:
        made.setFont(fonts.body(points or fonts.BODY_POINTS, bold=bold))
    return made


def title(text: str) -> QLabel:
    return label(text, points=fonts.TITLE_POINTS, bold=True)


def heading(text: str) -> QLabel:
    return label(text, points=fonts.HEADING_POINTS, bold=True)


class WrappedLabel(QLabel):
    """Text over several lines that is never cut, however narrow it becomes."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def setText(self, text: str) -> None:
        super().setText(text)
        self._fit()

    def _fit(self) -> None:
        # heightForWidth never answers less than the minimum height, so that must go first.
        self.setMinimumHeight(0)
        self.setMinimumHeight(max(0, self.heightForWidth(self.width())) if self.text() else 0)


def wrapped(text: str = "", role: str = "") -> QLabel:
    made = WrappedLabel()
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setWordWrap(True)
    if role:
        made.setProperty("role", role)
    made.setText(text)
    return made


def rule() -> QFrame:
    """A thin horizontal line."""
    made = QFrame()
    made.setProperty("role", "rule")
    return made


def enter_presses(made: QAbstractButton, event: QKeyEvent) -> bool:
    """Enter presses a button that has the focus, once for each press of the key; whether it did."""
    if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
        return False
    held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    if held != Qt.KeyboardModifier.NoModifier:
        return False
    if not event.isAutoRepeat():
        made.click()
    event.accept()
    return True


class PressButton(QPushButton):
    """A button that Enter presses as Space does."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not enter_presses(self, event):
            super().keyPressEvent(event)


def button(text: str, icon: str = "", *, role: str = "") -> QPushButton:
    """`role` is "primary" (what to do next; one on a page), "quiet" or nothing."""
    made = PressButton(f" {text}" if icon and text else text)
    made.setAutoDefault(False)
    if text:
        made.setAccessibleName(text)
    if role:
        made.setProperty("role", role)
    if icon:
        keep_icon(made, icon, "on_accent" if role == "primary" else "text")
    return made


def scrolling(content: QWidget) -> QScrollArea:
    """On a small screen the content scrolls; nothing of it is ever out of reach."""
    frame = QScrollArea()
    frame.setWidgetResizable(True)
    frame.setFrameShape(QScrollArea.Shape.NoFrame)
    frame.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    content.setObjectName("clear")
    frame.setWidget(content)
    return frame


class Places(QStackedWidget):
    """One of several widgets at a time, and no larger than that one: what is hidden takes no room."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.currentChanged.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        shown = self.currentWidget()
        return shown.sizeHint() if shown is not None else super().sizeHint()

    def minimumSizeHint(self) -> QSize:
        shown = self.currentWidget()
        return shown.minimumSizeHint() if shown is not None else super().minimumSizeHint()


class Toolbar(QWidget):
    """Controls at the left and at the right of one line; in two lines where one has not the room."""

    def __init__(self, left: Sequence[QWidget], right: Sequence[QWidget]) -> None:
        super().__init__()
        self._parts = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._parts.setContentsMargins(0, 0, 0, 0)
        self._parts.setSpacing(2 * STEP)
        self._rows = (QHBoxLayout(), QHBoxLayout())
        for row, widgets in zip(self._rows, (left, right), strict=True):
            row.setSpacing(2 * STEP)
            for widget in widgets:
                row.addWidget(widget)
            self._parts.addLayout(row)
        self._rows[0].addStretch(1)

    def _widths(self) -> tuple[int, int]:
        return (self._rows[0].minimumSize().width(), self._rows[1].minimumSize().width())

    def minimumSizeHint(self) -> QSize:
        return QSize(max(self._widths()), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        fits = sum(self._widths()) + 2 * STEP <= self.width()
        wanted = QBoxLayout.Direction.LeftToRight if fits else QBoxLayout.Direction.TopToBottom
        if self._parts.direction() is not wanted:
            self._parts.setDirection(wanted)
            self.updateGeometry()


class ElidedLabel(QLabel):
    """One line that gives way when there is no room, in its middle as a rule; the tool tip says it whole."""

    def __init__(
        self,
        text: str = "",
        parent: QWidget | None = None,
        *,
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideMiddle,
    ) -> None:
        super().__init__(parent)
        self._mode = mode
        self._whole = text
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setMinimumWidth(60)
        self.set_text(text)

    @property
    def whole(self) -> str:
        return self._whole

    def set_text(self, text: str) -> None:
        self._whole = text
        self.setToolTip(tip(text))
        self.updateGeometry()
        self._fit()

    def sizeHint(self) -> QSize:
        width = QFontMetrics(self.font()).horizontalAdvance(self._whole)
        return QSize(width + 2, super().sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        fitting = QFontMetrics(self.font()).elidedText(self._whole, self._mode, self.width())
        if fitting != self.text():
            self.setText(fitting)


class Choices(QWidget):
    """A row of joined buttons of which one is down. `chosen` carries the key."""

    chosen = Signal(str)

    def __init__(
        self,
        choices: Sequence[tuple[str, str]],
        name: str,
        parent: QWidget | None = None,
        *,
        small: bool = False,
    ) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self._group = QButtonGroup(self)
        self._buttons: dict[str, QPushButton] = {}
        row = QHBoxLayout(self)
        row.setContentsMargins(1, 0, 0, 0)
        row.setSpacing(0)
        for key, text in choices:
            made = button(text, role="choice")
            if small:
                made.setProperty("small", True)
                made.setFont(fonts.body(fonts.SMALL_POINTS))
            made.setCheckable(True)
            made.setAccessibleName(f"{name}: {text}")
            self._group.addButton(made)
            self._buttons[key] = made
            row.addWidget(made)
        self._group.setExclusive(True)
        self._key = choices[0][0]
        self._buttons[self._key].setChecked(True)
        self._group.buttonClicked.connect(self._clicked)

    @property
    def key(self) -> str:
        return self._key

    def choose(self, key: str) -> None:
        """As if the person had pressed that button."""
        if key != self._key:
            self._key = key
            self._buttons[key].setChecked(True)
            self.chosen.emit(key)

    def turn(self) -> None:
        """On to the next choice that is offered, and from the last to the first."""
        keys = [key for key in self._buttons if self.is_offered(key)]
        self.choose(keys[(keys.index(self._key) + 1) % len(keys)])

    def take_focus(self) -> None:
        """To the button that is down."""
        self._buttons[self._key].setFocus()

    def text_of(self, key: str) -> str:
        return self._buttons[key].text()

    def set_text(self, key: str, text: str) -> None:
        self._buttons[key].setText(text)

    def is_offered(self, key: str) -> bool:
        return not self._buttons[key].isHidden()

    def set_visible(self, key: str, visible: bool) -> None:
        """A choice that leads to nothing need not stand there; the first one is taken in its place."""
        self._buttons[key].setVisible(visible)
        if not visible and self._key == key:
            self.choose(next(iter(self._buttons)))

    def _clicked(self) -> None:
        pressed = self._group.checkedButton()
        key = next(key for key, made in self._buttons.items() if made is pressed)
        if key != self._key:
            self._key = key
            self.chosen.emit(key)


class EmptyState(QWidget):
    """What a page shows when it has nothing to show: what is missing, and what to do."""

    def __init__(
        self,
        icon: str,
        text: str,
        advice: str = "",
        parent: QWidget | None = None,
        *,
        narrow: bool = False,
    ) -> None:
        super().__init__(parent)
        self._text = label(text, points=fonts.HEADING_POINTS, bold=True)
        self._advice = wrapped(advice, "muted")
        for line in (self._text, self._advice):
            line.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._advice.setFixedWidth(240 if narrow else 480)
        column = QVBoxLayout(self)
        column.setSpacing(2 * STEP)
        column.addStretch(2)
        column.addWidget(IconLabel(icon, "muted", LARGE), 0, Qt.AlignmentFlag.AlignHCenter)
        column.addWidget(self._text)
        column.addWidget(self._advice, 0, Qt.AlignmentFlag.AlignHCenter)
        self._column = column
        column.addStretch(3)

    def set_text(self, text: str, advice: str = "") -> None:
        self._text.setText(text)
        self._advice.setText(advice)

    def add_button(self, made: QPushButton) -> None:
        self._column.insertWidget(self._column.count() - 1, made, 0, Qt.AlignmentFlag.AlignHCenter)


class NoWheel(QObject):
    """The wheel scrolls the page and never changes a value (U-57). Installed on the application."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Wheel and isinstance(watched, QComboBox | QAbstractSpinBox):
            event.ignore()
            return True
        return super().eventFilter(watched, event)
