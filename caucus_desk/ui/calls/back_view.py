"""One call-back while it is made: whom to ring, what to ask, and what came of it. It shows no figures."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from caucus_desk.desk.callbacks import Why
from caucus_desk.tally.call import CallEnd
from caucus_desk.ui import fonts
from caucus_desk.ui.calls.rows import BackRow, end_words, waits, why_words
from caucus_desk.ui.entry.call_end import NoteLine
from caucus_desk.ui.entry.lines import Answer, AskBar
from caucus_desk.ui.icons import IconLabel
from caucus_desk.ui.widgets.basics import STEP, Places, heading, label, title, wrapped
from caucus_desk.ui.words import clock

_NUMBER_POINTS = 26.0
_KEY = "key the sheet"


class BackView(QWidget):
    """C confirmed, N not reached, W wrong number, R keys the sheet as the chair reads it; Esc leaves."""

    ended = Signal(str, str)
    """A CallEnd and the note."""
    code_said = Signal(str)
    """The receipt code that the chair reads from the paper."""
    sheet_wanted = Signal()
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.row: BackRow | None = None
        self._end = CallEnd.CONFIRMED
        self._where = title("")
        self._why = wrapped(role="muted")
        self._number = label(points=_NUMBER_POINTS, bold=True)
        self._number.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._chair = label(points=fonts.HEADING_POINTS)
        self._steps = wrapped()
        self._tried = wrapped(role="muted")
        self._said = wrapped(role="bad")
        self._said.hide()
        self.ask = AskBar("calls", "note")
        self.code, self.note = NoteLine(self.tr("Receipt code on the paper")), NoteLine(self.tr("Note"))
        self.code.setMaxLength(20)
        self.note.setMaxLength(500)
        self._code_bar, self._note_bar = QFrame(), QFrame()
        self._what = label(bold=True)
        keys = self.tr("Enter records it · Esc back")
        code_keys = self.tr("Enter compares it · without a code, Enter asks how it was confirmed")
        for bar, name, line, said in (
            (self._code_bar, label(self.tr("Receipt code"), bold=True), self.code, code_keys),
            (self._note_bar, self._what, self.note, keys),
        ):
            bar.setObjectName("notice")
            bar.setProperty("kind", "note")
            row = QHBoxLayout(bar)
            row.setContentsMargins(2 * STEP, 3, 2 * STEP, 3)
            row.setSpacing(STEP)
            row.addWidget(name)
            row.addWidget(line, 1)
            row.addWidget(label(said, "muted"))
        self._bar = Places()
        for one in (self.ask, self._code_bar, self._note_bar):
            self._bar.addWidget(one)
        self._bar.setFixedHeight(44)
        self._lay_out()
        self.ask.answered.connect(self._answered)
        self.ask.escaped.connect(self.left)
        self.code.onward.connect(self._code_given)
        self.code.escaped.connect(self.ask_what)
        self.note.onward.connect(lambda: self.ended.emit(self._end.value, self.note.text()))
        self.note.escaped.connect(self.ask_what)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.addWidget(IconLabel("calls", "accent", 24))
        head.addWidget(self._where)
        head.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(STEP)
        column.addLayout(head)
        column.addWidget(self._why)
        column.addSpacing(2 * STEP)
        column.addWidget(self._number)
        column.addWidget(self._chair)
        column.addSpacing(2 * STEP)
        column.addWidget(heading(self.tr("What to ask")))
        column.addWidget(self._steps)
        column.addWidget(self._tried)
        column.addStretch(1)
        column.addWidget(self._said)
        column.addWidget(self._bar)

    def show_row(self, row: BackRow) -> None:
        self.row = row
        one, precinct = row.one, row.precinct
        self._where.setText(f"{precinct.county}  ·  {precinct.name}  ·  {precinct.id}")
        self._why.setText(f"{why_words(one.why).capitalize()}: {self._reason(row)}")
        self._number.setText(precinct.phone or self.tr("No number is on file"))
        self._chair.setText(precinct.chair or self.tr("no chair is on file"))
        self._steps.setText("\n".join(f"{place}. {text}" for place, text in enumerate(self._asks(row), 1)))
        self._tried.setText(
            "\n".join(
                f"{clock(call.at)[:5]} {call.by}: {end_words(call.ended)}"
                + (f" ({call.notes})" if call.notes else "")
                for call in one.tried
            )
        )
        self.refuse("")
        self.ask_what()

    def _reason(self, row: BackRow) -> str:
        one = row.one
        name = one.caller_name or self.tr("somebody")
        who = f"{name}, {one.caller_number}" if one.caller_number else name
        if one.why is Why.UNCONFIRMED:
            return self.tr("{0} called at {1}, and {2}. Waits {3}.").format(
                who, clock(one.since)[:5], one.what, waits(row.minutes)
            )
        if one.why is Why.ASKED:
            return self.tr("{0} called; {1} took the call at {2}: {3}. Waits {4}.").format(
                who, one.by, clock(one.since)[:5], one.what, waits(row.minutes)
            )
        return self.tr("{0} at {1}: {2}. Waits {3}.").format(
            one.by, clock(one.since)[:5], one.what, waits(row.minutes)
        )

    def _asks(self, row: BackRow) -> list[str]:
        ring = (
            self.tr("Ring the number on file, not the one that the caller gave.")
            if row.precinct.phone
            else self.tr("No number is on file: find it elsewhere, and say in the note where.")
        )
        if row.one.why is Why.UNCONFIRMED:
            return [
                ring,
                self.tr("“Did somebody report the results of {0} for you at {1}?”").format(
                    row.precinct.name, clock(row.one.since)[:5]
                ),
                self.tr("“Which receipt code stands on your worksheet?” C, then type it: the desk compares."),
                self.tr("Without a code: R, and have the whole sheet read again. Tell no numbers yourself."),
            ]
        if row.one.why is Why.ASKED:
            return [
                ring,
                self.tr("Ask what is needed. R keys the sheet, if the results can be read now."),
            ]
        return [
            ring,
            self.tr("Ask what review wants to know. Tell no numbers yourself: let the chair read them."),
            self.tr("R keys the sheet again as the chair reads it."),
        ]

    # --- keys -----------------------------------------------------------------------------------

    def ask_what(self) -> None:
        """The first question: what came of the ringing."""
        done = self.row is not None and self.row.one.why is Why.UNCONFIRMED
        self.ask.ask(
            self.tr("What came of it?"),
            (
                Answer("C", self.tr("Confirmed") if done else self.tr("Done"), CallEnd.CONFIRMED.value, True),
                Answer("N", self.tr("Not reached"), CallEnd.NOT_REACHED.value),
                Answer("W", self.tr("Wrong number"), CallEnd.WRONG_NUMBER.value),
                Answer("R", self.tr("Key the sheet"), _KEY, icon="phone"),
            ),
        )
        self._show(0)

    def ask_note(self, end: CallEnd, question: str) -> None:
        self._end = end
        self._what.setText(question)
        self.note.setAccessibleName(question)
        self.note.clear()
        self._show(2)

    def refuse(self, sentence: str) -> None:
        """Why it was not recorded; the hand stays where it is."""
        self._said.setText(sentence)
        self._said.setVisible(bool(sentence))

    def take_focus(self) -> None:
        (self.ask, self.code, self.note)[self._bar.currentIndex()].setFocus(Qt.FocusReason.OtherFocusReason)

    def _show(self, place: int) -> None:
        self._bar.setCurrentIndex(place)
        if self.isVisible():
            self.take_focus()

    def _answered(self, name: str) -> None:
        self.refuse("")
        if self.row is None:
            return
        if name == _KEY:
            self.sheet_wanted.emit()
        elif name == CallEnd.CONFIRMED.value and self.row.one.why is Why.UNCONFIRMED:
            self.code.clear()
            self._show(1)
        else:
            questions = {
                CallEnd.CONFIRMED.value: self.tr("What was settled?"),
                CallEnd.NOT_REACHED.value: self.tr("Not reached: note"),
                CallEnd.WRONG_NUMBER.value: self.tr("Wrong number: note"),
            }
            self.ask_note(CallEnd(name), questions[name])

    def _code_given(self) -> None:
        self.refuse("")
        if self.code.text().strip():
            self.code_said.emit(self.code.text())
        else:
            self.ask_note(CallEnd.CONFIRMED, self.tr("How was it confirmed?"))
