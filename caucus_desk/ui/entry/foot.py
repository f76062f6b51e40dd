"""The line below the sheet: which keys do what, when the draft was saved, and Submit."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QStackedWidget, QWidget

from caucus_desk.ui.entry import keypad
from caucus_desk.ui.entry.counts import typed
from caucus_desk.ui.entry.lines import ENTER, AskBar
from caucus_desk.ui.widgets.basics import STEP, ElidedLabel, button, label

HEIGHT = 42


class SubmitButton(QPushButton):
    """Enter presses it, once for each press of the key; a held key does not."""

    reached = Signal()
    back = Signal()
    digit = Signal(str)
    """A digit was typed here, where none is taken: the hand has not seen that the sheet ended."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setProperty("role", "primary")
        self.setAutoDefault(False)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.reached.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        plain = not event.modifiers() & (
            Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
        )
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        of_the_pad = keypad.digit_of(event)
        if of_the_pad or keypad.is_point(event):
            event.accept()
            if of_the_pad:
                self.digit.emit(of_the_pad)
        elif event.key() in ENTER and plain:
            if shift:
                self.back.emit()
            elif not event.isAutoRepeat():
                self.clicked.emit()
        elif event.key() == Qt.Key.Key_Up:
            self.back.emit()
        elif event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Right):
            event.accept()  # no way on from here
        elif plain and typed(event.text()):
            event.accept()
            self.digit.emit(typed(event.text()))
        else:
            super().keyPressEvent(event)


class Foot(QStackedWidget):
    """The keys and Submit, or in their place a question."""

    zeros_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(HEIGHT)
        self.submit = SubmitButton(self.tr("Submit"))
        self.submit.setMinimumWidth(120)
        self.zeros = button(self.tr("All remaining are 0 (F4)"), role="quiet")
        self.zeros.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.zeros.clicked.connect(self.zeros_wanted)
        self.zeros.hide()
        self._hint = ElidedLabel()
        self._hint.setProperty("role", "muted")
        self._saved = label(role="muted")
        bar = QWidget()
        row = QHBoxLayout(bar)
        row.setContentsMargins(STEP, 0, 0, 0)
        row.setSpacing(2 * STEP)
        row.addWidget(self._hint, 1)
        row.addWidget(self.zeros)
        row.addWidget(self._saved)
        row.addWidget(label(self.tr("Ctrl+Enter"), "small"))
        row.addWidget(self.submit)
        self.ask = AskBar()
        self.addWidget(bar)
        self.addWidget(self.ask)

    @property
    def asking(self) -> bool:
        return self.currentIndex() == 1

    def show_hint(self, text: str) -> None:
        if self._hint.whole != text:
            self._hint.set_text(text)

    def show_saved(self, text: str, role: str = "muted") -> None:
        self._saved.setText(text)
        if self._saved.property("role") != role:
            self._saved.setProperty("role", role)
            self._saved.style().unpolish(self._saved)
            self._saved.style().polish(self._saved)

    def show_question(self) -> None:
        self.setCurrentIndex(1)
        self.ask.setFocus()

    def show_keys(self) -> None:
        self.setCurrentIndex(0)
