"""How a call ends without results: the keys for it, and the line that asks what there is to say of it."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QStackedWidget, QWidget

from caucus_desk.tally.call import CallEnd
from caucus_desk.ui import fonts
from caucus_desk.ui.entry.lines import Answer, AskBar, TextLine
from caucus_desk.ui.widgets.basics import STEP, button, label

CALL_BACK_KEY, OTHER_KEY, NUISANCE_KEY, CUT_OFF_KEY = (
    Qt.Key.Key_F2,
    Qt.Key.Key_F3,
    Qt.Key.Key_F9,
    Qt.Key.Key_F10,
)
OTHER = "other"
"""Not an end itself: asks which."""


class EndKeys(QWidget):
    """The ends of a call with their keys, shown where they work; for the mouse they are buttons."""

    wanted = Signal(str)
    """A CallEnd, or OTHER."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2)
        self.buttons = {}
        for end, text in (
            (CallEnd.CALL_BACK.value, self.tr("F2 Call back")),
            (CallEnd.CUT_OFF.value, self.tr("F10 Cut off")),
            (CallEnd.NUISANCE.value, self.tr("F9 Nuisance")),
            (OTHER, self.tr("F3 Other")),
        ):
            made = button(text, role="quiet")
            made.setFont(fonts.body(fonts.SMALL_POINTS))
            made.setStyleSheet("QPushButton { padding: 2px 4px; min-width: 0px; }")
            made.setToolTip(self.tr("Ends the call: it is recorded without results"))
            made.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            made.clicked.connect(lambda _=False, end=end: self.wanted.emit(end))
            row.addWidget(made)
            self.buttons[end] = made


class NoteLine(TextLine):
    """A line that Esc leaves."""

    escaped = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
        else:
            super().keyPressEvent(event)


class EndBar(QFrame):
    """Asks how a call ended, and what there is to say of it. Hidden while nothing is asked."""

    ended = Signal(str, str)
    """A CallEnd and the note."""
    escaped = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._end = ""
        self.ask = AskBar("phone", "note")
        self.note = NoteLine(self.tr("Note on the call"))
        self.note.setMaxLength(500)
        self._what = label(bold=True)
        line = QFrame()
        line.setObjectName("notice")
        line.setProperty("kind", "note")
        row = QHBoxLayout(line)
        row.setContentsMargins(2 * STEP, 3, 2 * STEP, 3)
        row.setSpacing(STEP)
        row.addWidget(self._what)
        row.addWidget(self.note, 1)
        row.addWidget(label(self.tr("Enter ends the call · Esc stays"), "muted"))
        self._places = QStackedWidget()
        self._places.addWidget(self.ask)
        self._places.addWidget(line)
        self._places.setFixedHeight(42)
        outer = QHBoxLayout(self)
        outer.setContentsMargins(3 * STEP, 0, 3 * STEP, STEP)
        outer.addWidget(self._places)
        self.ask.answered.connect(self._chosen)
        self.ask.escaped.connect(self._escape)
        self.note.onward.connect(self._said)
        self.note.escaped.connect(self._escape)
        self.hide()

    @property
    def end(self) -> str:
        """The end that is being asked about; "" while nothing is."""
        return "" if self.isHidden() else self._end

    def ask_which(self, ends: Sequence[CallEnd]) -> None:
        words = {
            CallEnd.QUESTION: ("Q", self.tr("A question")),
            CallEnd.WRONG_NUMBER: ("W", self.tr("Wrong number")),
            CallEnd.WRONG_PIN: ("P", self.tr("Wrong PIN")),
        }
        answers = [Answer(words[end][0], words[end][1], end.value) for end in ends]
        self.ask.ask(self.tr("How does the call end?"), [*answers, Answer("S", self.tr("Stay (or Esc)"), "")])
        self._open(OTHER, 0)

    def ask_note(self, end: CallEnd, question: str) -> None:
        self._what.setText(question)
        self.note.setAccessibleName(question)
        self.note.clear()
        self._open(end.value, 1)

    def ask_nuisance(self) -> None:
        """Counts were typed in the sheet: one more key, since they are thrown away."""
        self.ask.ask(
            self.tr("Counts were typed. A nuisance call all the same?"),
            (
                Answer("F9", self.tr("Yes: discard the sheet"), CallEnd.NUISANCE.value, True),
                Answer("S", self.tr("Stay (or Esc)"), ""),
            ),
        )
        self._open(CallEnd.NUISANCE.value, 0)

    def take_focus(self) -> None:
        (self.ask, self.note)[self._places.currentIndex()].setFocus(Qt.FocusReason.OtherFocusReason)

    def close_bar(self) -> None:
        self._end = ""
        self.hide()

    def _open(self, end: str, place: int) -> None:
        self._end = end
        self._places.setCurrentIndex(place)
        self.show()
        self.take_focus()

    def _chosen(self, name: str) -> None:
        if not name:
            self._escape()
        elif name == CallEnd.NUISANCE.value:
            self.close_bar()
            self.ended.emit(name, "")
        else:
            questions = {
                CallEnd.QUESTION.value: self.tr("What was asked?"),
                CallEnd.WRONG_NUMBER.value: self.tr("Wrong number: note"),
                CallEnd.WRONG_PIN.value: self.tr("Wrong PIN: note"),
            }
            self.ask_note(CallEnd(name), questions[name])

    def _said(self) -> None:
        end, note = self._end, self.note.text()
        self.close_bar()
        self.ended.emit(end, note)

    def _escape(self) -> None:
        self.close_bar()
        self.escaped.emit()
