"""What the foot of a case asks before something is done: a line of words, the usual ones by a digit."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from caucus_desk.desk.guards import WORDLESS, in_words
from caucus_desk.ui.entry.counts import typed
from caucus_desk.ui.entry.foot import SubmitButton
from caucus_desk.ui.entry.reason_line import ReasonLine
from caucus_desk.ui.icons import IconLabel
from caucus_desk.ui.widgets.basics import STEP, ElidedLabel, label, wrapped


class PickedReason(ReasonLine):
    """A reason, typed, or one of the usual ones by its digit while nothing is typed, or by Down and Up.

    A second digit takes the picked one back: figures that ran on into the wrong box are no reason.
    """

    def __init__(self, name: str, usual: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(name, usual, parent)
        self.setMaxLength(500)
        self._picks = tuple(usual)
        self._picked = ""

    @property
    def picks(self) -> str:
        """`1 the signed paper says so · 2 …`."""
        return "  ·  ".join(f"{place} {text}" for place, text in enumerate(self._picks, start=1))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        digit = typed(event.text())
        if digit and self._picked and self.text() == self._picked:
            self._picked = ""
            self.clear()
            event.accept()
            self.not_taken.emit(
                self.tr("{0} was not taken, nor the reason before it: figures are no reason.").format(digit)
            )
        elif digit and not self.text().strip() and 1 <= int(digit) <= len(self._picks):
            event.accept()
            self._picked = self._picks[int(digit) - 1]
            self.setText(self._picked)
        else:
            super().keyPressEvent(event)


class AskWords(QWidget):
    """A sentence, a line of words and the button that does it; Esc leaves without."""

    given = Signal(str)
    escaped = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._needed = True
        self._sign = IconLabel("note", "accent")
        self._sentence = wrapped()
        self._name = label()
        self.line = PickedReason("", ())
        self._hint = ElidedLabel(mode=Qt.TextElideMode.ElideRight)
        self._hint.setProperty("role", "muted")
        self.do = SubmitButton("")
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(STEP)
        head = QHBoxLayout()
        head.setSpacing(STEP)
        head.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignTop)
        head.addWidget(self._sentence, 1)
        self._column.addLayout(head)
        self._row = QHBoxLayout()
        self._row.setSpacing(STEP)
        self._row.addWidget(self._name)
        self._row.addWidget(self.line, 1)
        self._row.addWidget(self.do)
        self._column.addLayout(self._row)
        self._column.addWidget(self._hint)
        self._column.addStretch(1)
        self.do.back.connect(self.take_focus)
        self.do.clicked.connect(self._give)
        self.do.digit.connect(lambda _: self.take_focus())
        self._connect_line()

    def _connect_line(self) -> None:
        self.line.onward.connect(lambda: self.do.setFocus(Qt.FocusReason.TabFocusReason))
        self.line.not_taken.connect(self._say)

    def ask(
        self, sentence: str, name: str, do: str, usual: Sequence[str], *, needed: bool = True, text: str = ""
    ) -> None:
        """`needed`: the words must be a reason; else the line may stay empty."""
        self._needed = needed
        self._sentence.setText(sentence)
        self._name.setText(name)
        made = PickedReason(name, usual) if needed else _Note(name, usual)
        self._row.replaceWidget(self.line, made)
        self.line.hide()
        self.line.deleteLater()
        self.line = made
        made.show()  # at once, so that the very next key finds it
        self._connect_line()
        self._name.setBuddy(made)
        made.setText(text)
        self.do.setText(do)
        self.do.setAccessibleName(do)
        self._say("")
        self.take_focus()

    def take_focus(self) -> None:
        self.line.setFocus(Qt.FocusReason.TabFocusReason)

    def _say(self, sentence: str) -> None:
        picks = self.line.picks
        keys = self.tr("Enter goes on, Esc leaves it")
        self._hint.set_text(sentence or (f"{picks}  ·  {keys}" if picks else keys))

    def _give(self) -> None:
        text = self.line.text().strip()
        if self._needed and not in_words(text):
            self.take_focus()
            self._say(WORDLESS)
            return
        self.given.emit(text)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and control:
            if not event.isAutoRepeat():
                self._give()
        else:
            event.accept()  # letters that no box here takes must not reach the case


class _Note(PickedReason):
    """Words that need not be given: Enter goes on from an empty line too."""

    def walk(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not self.text().strip():
            if not event.isAutoRepeat():
                self.onward.emit()
            return
        super().walk(event)
