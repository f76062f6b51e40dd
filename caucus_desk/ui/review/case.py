"""One case by keys: choosing from whole sheets or field by field, the panels, the reason and the ruling."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from caucus_desk.desk.guards import WORDLESS, in_words
from caucus_desk.tally.form import field_label
from caucus_desk.tally.report import HeadKey
from caucus_desk.ui.context import Context
from caucus_desk.ui.review.case_showing import CaseShowing
from caucus_desk.ui.review.panel import FINDINGS, HISTORY, PICTURE

_PANELS = (FINDINGS, HISTORY, PICTURE)


class CaseView(CaseShowing):
    """Shows a case and takes its keys. What a letter ends, the page does: see `deed`."""

    rule_wanted = Signal()
    deed = Signal(str)
    """A letter that is none of the view's own: B, C, S, Y, X, W, K, N."""
    left = Signal()

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._connect()

    def _connect(self) -> None:
        self.table.letter.connect(self._letter)
        self.table.digit.connect(self._digit)
        self.table.erased.connect(self._erase)
        self.table.onward.connect(self.go_on)
        self.table.left.connect(self._escape)
        self.table.walked.connect(self._walked)
        self.table.handed = self._handed_on
        self.panel.left.connect(self.take_focus)
        self.panel.letter.connect(self._letter)
        self.panel.picture.withdraw.left.connect(self.take_focus)
        self.foot.pressed.connect(self._pressed)
        self.foot.words.escaped.connect(self.end_question)
        self.foot.ask.escaped.connect(self.end_question)
        self.reason.onward.connect(lambda: self.record.setFocus(Qt.FocusReason.TabFocusReason))
        self.reason.back.connect(self.take_focus)
        self.record.back.connect(lambda: self.reason.setFocus(Qt.FocusReason.TabFocusReason))
        self.record.clicked.connect(self._want_ruling)
        self.record.digit.connect(self._ran_on)
        self.reason.not_taken.connect(self._say)

    # --- keys ---------------------------------------------------------------------------------

    def _letter(self, letter: str, shift: bool) -> None:
        if self._shown is None:
            return
        taken = next((head.key for head in self._heads if head.letter == letter), None)
        if self.panel.shown == PICTURE and letter == PICTURE and shift:
            self.panel.picture.next()
        elif self.panel.shown == PICTURE and letter == "W" and shift:
            self.panel.picture.withdraw.ask()
        elif letter in _PANELS:
            self.panel.toggle(letter)
            if self.panel.shown in (FINDINGS, HISTORY):
                self.panel.take_focus()
            else:
                self.take_focus()
        elif letter == "D":
            self._whole_sheet = self._wanted = not self._whole_sheet
            key = self.table.current_key
            self._fill()
            self.table.select_key(key)
        elif letter == "R" and self.panel.shown == PICTURE:
            self.panel.picture.viewer.take_key(Qt.Key.Key_R)
        elif letter == "R" and self.can_choose:
            self.reason.setFocus(Qt.FocusReason.TabFocusReason)
        elif taken is not None and self.can_choose:
            self._take(taken, every=shift or not self._stepping)
        else:
            self.deed.emit(letter)

    def _pressed(self, letter: str) -> None:
        """A button of the foot, by the mouse."""
        if letter == "Enter":
            self.go_on()
        else:
            self._letter(letter, False)
            if not self.foot.asking:
                self.take_focus()

    def _handed_on(self, key: int, text: str) -> bool:
        """Keys that zoom and page in the picture, while the hand stays in the figures."""
        if self.panel.shown != PICTURE or key in (Qt.Key.Key_Up, Qt.Key.Key_Down) or text.isalnum():
            return False
        return self.panel.picture.viewer.take_key(key, text)

    def _escape(self) -> None:
        """One step back: from a field to whole sheets, from the picture to the queue beside it, out."""
        if self._stepping and self.can_choose:
            self._stepping = False
            self._show_progress()
        elif self.panel.shown == PICTURE:
            self.panel.turn_to(FINDINGS)
        else:
            self.left.emit()

    # --- choosing -----------------------------------------------------------------------------

    def _walked(self) -> None:
        """Going to a field by hand is choosing field by field from there."""
        if self.can_choose:
            self._stepping = True
            self._show_progress()

    def _take(self, key: HeadKey, *, every: bool) -> None:
        case = self.case
        if case is None or key not in case.heads:
            return
        line = self._current()
        if every:
            self.choices.take(case, key)
        elif line is not None:
            self.choices.take(case, key, line.path)
            self._to_next_open()
        self._fill()

    def _to_next_open(self) -> None:
        case = self.case
        if case is None:
            return
        still = self.choices.open(case)
        if still:
            order = [line.path for line in self.model.shown]
            here = order.index(self.table.current_key) if self.table.current_key in order else -1
            after = [path for path in still if order.index(path) > here]
            self.table.select_key((after or list(still))[0])

    def _digit(self, digit: str) -> None:
        line = self._current()
        if line is None or not self.can_choose:
            return
        self._stepping = True
        if self.choices.type_digit(line.path, digit):
            self._fill()

    def _erase(self) -> None:
        line = self._current()
        if line is not None and self.can_choose:
            self.choices.erase(line.path)
            self._fill()

    def go_on(self) -> None:
        """Field by field: to the next field that is still open, else to the reason."""
        case = self.case
        if case is None:
            return
        if not self.can_choose:
            self.deed.emit("Enter")
        elif self.choices.open(case):
            if self._stepping:
                self._to_next_open()
            else:
                self._stepping = True
                line = self._current()
                if line is None or line.path not in self.choices.open(case):
                    self._to_next_open()
            self._show_progress()
            self.take_focus()
        else:
            self.reason.setFocus(Qt.FocusReason.TabFocusReason)
            self._say("")

    def _want_ruling(self) -> None:
        """Asked for with something missing, the hand is led to what is missing."""
        if self.case is None or not self.can_choose:
            return
        if self.choices.open(self.case):
            self.go_on()
        elif not in_words(self.reason.text()):
            self.reason.setFocus(Qt.FocusReason.TabFocusReason)
            self._say(WORDLESS)
        else:
            self.rule_wanted.emit()

    def _ran_on(self, digit: str) -> None:
        self.reason.setFocus(Qt.FocusReason.TabFocusReason)
        self._say(self.tr("{0} was not taken: a value is typed in the table above.").format(digit))

    def _say(self, sentence: str) -> None:
        """Why a key was not taken, in the place of the progress; "" when it is over."""
        if sentence:
            self.foot.progress.set_text(sentence)
        elif self.reason.hasFocus():
            self.foot.progress.set_text(self.reason.picks)
        else:
            self._show_progress()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and control and not event.isAutoRepeat():
            self._want_ruling()
        elif event.key() == Qt.Key.Key_Escape:
            self.take_focus() if not self.table.hasFocus() else self._escape()
        else:
            super().keyPressEvent(event)

    def open_names(self) -> str:
        """The fields still open, in words."""
        if self.case is None:
            return ""
        return ", ".join(field_label(self._rules, path) for path in self.choices.open(self.case))
