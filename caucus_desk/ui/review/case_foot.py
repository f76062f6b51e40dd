"""The foot of a case: the keys that choose, how much is open, the reason and the ruling."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from caucus_desk.tally.report import CHANNELS, Channel
from caucus_desk.ui.entry.foot import SubmitButton
from caucus_desk.ui.entry.read_back import ReasonLine
from caucus_desk.ui.icons import IconLabel
from caucus_desk.ui.review.case_table import LETTERS
from caucus_desk.ui.widgets.basics import STEP, ElidedLabel, button, label, wrapped
from caucus_desk.ui.words import channel_sign


class CaseFoot(QStackedWidget):
    """The controls, or in their place why nothing can be chosen here."""

    all_wanted = Signal(str)
    """Every field that differs is to be taken from this channel."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(84)
        self.closed = wrapped()
        self.reason = ReasonLine(self.tr("Reason"), ())
        self.reason.setPlaceholderText(self.tr("How you know: the sheet itself, a call back to the chair, …"))
        self.record = SubmitButton(self.tr("Record ruling"))
        self.takes: dict[Channel, QWidget] = {}
        self.progress = ElidedLabel()
        self.progress.setProperty("role", "muted")
        self.addWidget(self._closed_bar())
        self.addWidget(self._open_bar())

    def _closed_bar(self) -> QWidget:
        bar = QWidget()
        row = QHBoxLayout(bar)
        row.setContentsMargins(0, STEP, 0, 0)
        row.addWidget(IconLabel("note", "muted"), 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.closed, 1, Qt.AlignmentFlag.AlignTop)
        return bar

    def _open_bar(self) -> QWidget:
        bar = QWidget()
        column = QVBoxLayout(bar)
        column.setContentsMargins(0, STEP, 0, 0)
        column.setSpacing(STEP)
        keys = QHBoxLayout()
        keys.setSpacing(STEP)
        for channel in CHANNELS:
            text = self.tr("Shift+{0}  all {1}").format(LETTERS[channel], channel_sign(channel).word)
            made = button(text, channel.value)
            made.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            made.clicked.connect(lambda _=False, channel=channel: self.all_wanted.emit(channel.value))
            keys.addWidget(made)
            self.takes[channel] = made
        keys.addWidget(self.progress, 1)
        column.addLayout(keys)
        last = QHBoxLayout()
        last.setSpacing(STEP)
        name = label(self.tr("Reason"))
        name.setBuddy(self.reason)
        last.addWidget(name)
        last.addWidget(self.reason, 1)
        last.addWidget(label(self.tr("Ctrl+Enter"), "small"))
        last.addWidget(self.record)
        column.addLayout(last)
        return bar
