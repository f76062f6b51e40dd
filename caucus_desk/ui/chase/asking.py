"""The line at the foot of the page: which keys there are, or the one thing that is asked now."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFileDialog, QFrame, QHBoxLayout, QLabel, QPushButton

from caucus_desk.desk.chase import Outcome
from caucus_desk.ui.chase.rows import outcome_words
from caucus_desk.ui.entry.lines import Answer, AskBar, TextLine
from caucus_desk.ui.widgets.basics import STEP, Places, button, label, wrapped


class AskLine(QFrame):
    """One line of text: Enter gives it, Esc leaves it."""

    given = Signal(str)
    escaped = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("notice")
        self.prompt = label(bold=True)
        self.field = TextLine("")
        self.browse: QPushButton = button(self.tr("Browse…"), "folder")
        self.hint = label(self.tr("Enter saves · Esc leaves it"), "small")
        row = QHBoxLayout(self)
        row.setContentsMargins(2 * STEP, 3, 2 * STEP, 3)
        row.setSpacing(STEP)
        row.addWidget(self.prompt)
        row.addWidget(self.field, 1)
        row.addWidget(self.browse)
        row.addWidget(self.hint)
        self.field.onward.connect(lambda: self.given.emit(self.field.text().strip()))
        self.browse.clicked.connect(self._browse)
        self._filter = ""

    def ask(self, prompt: str, text: str, filter: str = "") -> None:
        """`filter` is a file dialog's: the text is then a file's path."""
        self.prompt.setText(prompt)
        self.field.setAccessibleName(prompt)
        self.field.setText(text)
        self.field.selectAll()
        self._filter = filter
        self.browse.setVisible(bool(filter))

    def _browse(self) -> None:
        chosen, _ = QFileDialog.getOpenFileName(self, self.prompt.text(), self.field.text(), self._filter)
        if chosen:
            self.field.setText(chosen)
        self.field.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
        else:
            super().keyPressEvent(event)


class Foot(Places):
    """Shows the keys; asks, and calls back with the answer. `left`: nothing is asked any more."""

    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.keys: QLabel = wrapped(role="small")
        self.bar = AskBar("phone", "note")
        self.line = AskLine()
        for widget in (self.keys, self.bar, self.line):
            self.addWidget(widget)
        self._then: Callable[[str], None] | None = None
        self.line.given.connect(self._given)
        self.line.escaped.connect(self.leave)
        self.bar.escaped.connect(self.leave)
        self.bar.answered.connect(self._given)

    @property
    def asking(self) -> bool:
        return self.currentWidget() is not self.keys

    def show_keys(self, text: str) -> None:
        self.keys.setText(text)

    def ask(self, prompt: str, then: Callable[[str], None], text: str = "", filter: str = "") -> None:
        self._then = then
        self.line.ask(prompt, text, filter)
        self.setCurrentWidget(self.line)
        self.line.field.setFocus()

    def ask_which(self, prompt: str, answers: Sequence[Answer], then: Callable[[str], None]) -> None:
        """One of several answers, by its key."""
        self._then = then
        self.bar.ask(prompt, answers)
        self.setCurrentWidget(self.bar)
        self.bar.setFocus()

    def ask_outcome(self, prompt: str, then: Callable[[str], None]) -> None:
        """How an attempt ended, by a digit."""
        words = outcome_words()
        answers: Sequence[Answer] = [
            Answer(str(place), words[outcome], outcome.value)
            for place, outcome in enumerate(Outcome, start=1)
        ]
        self.ask_which(prompt, answers, then)

    def leave(self) -> None:
        self._then = None
        self.setCurrentWidget(self.keys)
        self.left.emit()

    def _given(self, text: str) -> None:
        then, self._then = self._then, None
        if then is not None:
            then(text)
