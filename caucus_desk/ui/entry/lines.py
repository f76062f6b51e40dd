"""Small inputs that the steps of the page share: a text line, and a question answered by one key."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QInputMethodEvent, QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QPushButton, QWidget

from caucus_desk.ui.entry import keypad
from caucus_desk.ui.icons import IconLabel
from caucus_desk.ui.widgets.basics import STEP, button, label

HOLD_MS = 60
"""A key that is followed by another within this time comes from a scanner, not from a hand."""
QUIET_MS = 300
"""So long nothing must come after a scan before a key counts again."""

ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class TextLine(QLineEdit):
    """A line of text in the sheet's traffic: Enter and Down go on, Shift+Enter and Up back.

    Enter that ends the word of an input method belongs to the input method.
    """

    onward = Signal()
    back = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._composing = False
        self.setAccessibleName(name)

    @property
    def composing(self) -> bool:
        return self._composing

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        self._composing = bool(event.preeditString())
        super().inputMethodEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        digit = "" if self._composing else keypad.digit_of(event)
        if digit or keypad.is_point(event):
            event.accept()
            self.take_from_pad(digit)
            return
        if event.key() in (*ENTER, Qt.Key.Key_Down, Qt.Key.Key_Up):
            if self._composing:
                event.accept()
            elif event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier):
                event.ignore()
            else:
                self.walk(event)
            return
        super().keyPressEvent(event)

    def take_from_pad(self, digit: str) -> None:
        """A digit of the number pad while NumLock is off, or "" for its point."""
        if digit:
            self.insert(digit)

    def walk(self, event: QKeyEvent) -> None:
        """Enter, Down or Up without Ctrl."""
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.key() == Qt.Key.Key_Up or (shift and event.key() in ENTER):
            self.back.emit()
        elif not event.isAutoRepeat():
            self.onward.emit()


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer: its key (`P`), what it says, and whether it is what to do next."""

    key: str
    text: str
    name: str
    primary: bool = False
    icon: str = ""
    confirm: bool = False
    """Its key only chooses it and Enter, as the very next key, confirms: for what cannot be undone, and
    where somebody may be typing a name already."""


class AskBar(QFrame):
    """A question in the page. Each answer has a key; Enter only confirms one that was chosen by its key."""

    answered = Signal(str)
    """The `name` of an answer."""
    escaped = Signal()

    def __init__(
        self,
        icon: str = "warn",
        kind: str = "warn",
        parent: QWidget | None = None,
        *,
        typed_by_hand: bool = False,
    ) -> None:
        """`typed_by_hand`: where a code may be scanned twice, the second scan is no answer."""
        super().__init__(parent)
        self._by_hand = typed_by_hand
        self._held: Answer | None = None
        self._last, self._hurried = 0.0, False
        self._hold = QTimer(self, singleShot=True, interval=HOLD_MS)
        self._hold.timeout.connect(self._give)
        self._quiet = QTimer(self, singleShot=True, interval=QUIET_MS)
        self.setObjectName("notice")
        self.setProperty("kind", kind)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._answers: tuple[Answer, ...] = ()
        self._buttons: list[QPushButton] = []
        self._chosen: Answer | None = None
        self._sign = IconLabel(icon, "warn" if kind == "warn" else "text")
        self._words = label(bold=True)
        self._words.setWordWrap(True)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(2 * STEP, 3, 3, 3)
        self._row.setSpacing(STEP)
        self._row.addWidget(self._sign)
        self._row.addWidget(self._words, 1)

    @property
    def sentence(self) -> str:
        return self._words.text()

    def ask(self, sentence: str, answers: Sequence[Answer]) -> None:
        for made in self._buttons:
            self._row.removeWidget(made)
            made.deleteLater()
        self._answers = tuple(answers)
        self._chosen = None
        self._held = None
        self._hold.stop()
        self._words.setText(sentence)
        self.setAccessibleName(sentence)
        self._buttons = []
        for answer in answers:
            made = button(_said(answer), answer.icon, role="primary" if answer.primary else "")
            made.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            made.clicked.connect(lambda _=False, name=answer.name: self.answered.emit(name))
            self._row.addWidget(made)
            self._buttons.append(made)

    def _choose(self, chosen: Answer | None) -> None:
        """Shows which answer Enter would confirm; None for none."""
        if chosen is self._chosen:
            return
        self._chosen = chosen
        for answer, made in zip(self._answers, self._buttons, strict=True):
            more = f": {self.tr('Enter confirms')}" if answer is chosen else ""
            made.setText(_said(answer) + more)
            primary = answer is chosen if chosen is not None else answer.primary
            made.setProperty("role", "primary" if primary else "")
            made.style().unpolish(made)
            made.style().polish(made)
        name = self.sentence
        if chosen is not None:
            name += f" {chosen.text}: {self.tr('Enter confirms')}"
        self.setAccessibleName(name)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
            return
        if event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier):
            event.ignore()
            return
        event.accept()
        if self._scanned(event):
            return
        chosen = self._chosen
        if event.key() in ENTER:
            if chosen is not None and not event.isAutoRepeat():
                self.answered.emit(chosen.name)
            return
        if event.key() in (Qt.Key.Key_Shift, Qt.Key.Key_CapsLock):
            return
        pressed = event.text().casefold()
        answer = next((one for one in self._answers if pressed == one.key.casefold()), None)
        if answer is None or answer.confirm:
            self._choose(answer)
        elif self._by_hand:
            if not self._hurried:
                self._held = answer
                self._hold.start()
        else:
            self.answered.emit(answer.name)

    def _scanned(self, event: QKeyEvent) -> bool:
        """Whether the key belongs to a burst that no hand types; an answer held back falls with it."""
        if not self._by_hand or event.key() in (Qt.Key.Key_Shift, Qt.Key.Key_CapsLock):
            return False
        before, self._last = self._last, time.monotonic()
        if self._held is None and not self._quiet.isActive():
            # The last letter of a scan, with nothing after it, is no answer either.
            self._hurried = self._last - before < HOLD_MS / 1000
            return False
        self._held = None
        self._hold.stop()
        self._quiet.start()
        return True

    def _give(self) -> None:
        answer, self._held = self._held, None
        if answer is not None:
            self.answered.emit(answer.name)


def _said(answer: Answer) -> str:
    return f"{answer.key}  {answer.text}"
