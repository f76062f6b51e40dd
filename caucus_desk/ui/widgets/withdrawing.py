"""Withdrawing a picture that is shown: one button, and the reason in its place once it is pressed."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from caucus_desk.desk.attachments import Attachment, withdraw_attachment
from caucus_desk.desk.people import why_not
from caucus_desk.desk.roles import Job
from caucus_desk.rules.errors import CaucusError
from caucus_desk.ui.context import Context
from caucus_desk.ui.entry.lines import TextLine
from caucus_desk.ui.store_calls import StoreCalls, waiting_words
from caucus_desk.ui.widgets.basics import STEP, button, wrapped

_LONGEST = 500


class WithdrawStrip(QWidget):
    """Below a picture, for whoever may attach one. Enter withdraws it, Esc leaves it as it is."""

    withdrawn = Signal()
    """It is shown no more: what is shown is to be read anew."""
    left = Signal()
    """Nothing is asked any more: the hand goes back to the picture."""

    def __init__(self, context: Context, keys: str) -> None:
        """`keys` is what asks, as it stands on the button."""
        super().__init__()
        self._context = context
        self._one: Attachment | None = None
        self._calls = calls = StoreCalls(self)
        self.destroyed.connect(lambda: calls.stop())
        self._calls.waiting.connect(self._wait)
        self.begin = button(self.tr("Withdraw the picture… ({0})").format(keys), role="quiet")
        self.begin.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.reason = TextLine(self.tr("Why the picture is withdrawn"))
        self.reason.setPlaceholderText(self.tr("Why: it is another precinct's, it cannot be read…"))
        self.reason.setMaxLength(_LONGEST)
        self.do = button(self.tr("Withdraw it"), role="primary")
        self.said = wrapped(role="muted")
        self._asking = QWidget()
        row = QHBoxLayout(self._asking)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(STEP)
        row.addWidget(self.reason, 1)
        row.addWidget(self.do)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(STEP // 2)
        column.addWidget(self.begin, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self._asking)
        column.addWidget(self.said)
        self.begin.clicked.connect(self.ask)
        self.reason.onward.connect(self._withdraw)
        self.do.clicked.connect(self._withdraw)
        self.show_attached(None)

    @property
    def asking(self) -> bool:
        return not self._asking.isHidden()

    @property
    def busy(self) -> bool:
        """The store has not answered yet."""
        return self._calls.busy

    def show_attached(self, one: Attachment | None) -> None:
        """The picture that is shown now; nothing is asked of another one than it was begun for."""
        if one is not None and self._one is not None and one.id == self._one.id and self.asking:
            return
        self._one = one
        self._close()

    def ask(self) -> None:
        if self._one is None or self.begin.isHidden():
            return
        self.reason.clear()
        self.begin.hide()
        self._asking.show()
        self._say(
            self.tr("{0} is shown no more and stays on record with your reason. Esc: it stays.").format(
                self._one.name
            )
        )
        self.reason.setFocus(Qt.FocusReason.TabFocusReason)

    def _close(self) -> None:
        self._asking.hide()
        self._say("")
        desk, person = self._context.desk, self._context.person
        may = self._one is not None and not desk.read_only and not why_not(desk, person, Job.ATTACH)
        self.begin.setVisible(may)

    def _say(self, sentence: str) -> None:
        self.said.setText(sentence)
        self.said.setVisible(bool(sentence))

    def _withdraw(self) -> None:
        one, desk, person = self._one, self._context.desk, self._context.person
        if one is None or self._calls.busy:
            return
        reason = self.reason.text()

        def done(_: None) -> None:
            if self._context.person == person:
                self._context.notices.done(self.tr("{0} is withdrawn; it stays on record.").format(one.name))
            if self._one is one:
                self._one = None
                had = self.reason.hasFocus() or self.do.hasFocus()
                self._close()
                if had:
                    self.left.emit()
            self._context.after_change()
            self.withdrawn.emit()

        def refused(refusal: CaucusError) -> None:
            if self._one is one and self.asking:
                self._say(refusal.sentence)
                self.reason.setFocus(Qt.FocusReason.TabFocusReason)
            elif self._context.person == person:
                self._context.notices.refuse(refusal.sentence)

        self._calls.run(lambda: withdraw_attachment(desk, one.id, reason=reason, by=person), done, refused)

    def _wait(self, waiting: bool) -> None:
        self.reason.setReadOnly(waiting)
        self.do.setEnabled(not waiting)
        self._say(waiting_words() if waiting else "")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.asking:
            if not self._calls.busy:
                self._close()
                self.left.emit()
        else:
            super().keyPressEvent(event)
