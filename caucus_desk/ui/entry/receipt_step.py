"""After the submit: the receipt code, big enough to be read out, and the way to the next precinct."""

import time

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QPaintEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from caucus_desk.tally.receipt import code_words
from caucus_desk.tally.report import Channel
from caucus_desk.tally.roster import Precinct
from caucus_desk.ui import fonts
from caucus_desk.ui.entry.lines import ENTER
from caucus_desk.ui.icons import LARGE, IconLabel
from caucus_desk.ui.widgets.basics import STEP, button, label, wrapped

_CODE_POINTS = 44.0
NERVOUS_SECONDS = 0.6
"""An Enter so soon after the receipt came into sight was meant for the sheet."""


class ReceiptStep(QWidget):
    """Shown only after the commit."""

    next_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.nervous_seconds = NERVOUS_SECONDS
        self._seen_at: float | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._where = label(points=fonts.HEADING_POINTS)
        self.code = label(points=_CODE_POINTS, bold=True)
        self._words = label(points=fonts.HEADING_POINTS)
        self.code.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._advice = wrapped(role="muted")
        self._advice.setFixedWidth(520)
        self._saved = label(role="muted")
        self._state = label()
        onward = button(self.tr("Next precinct (Enter)"), role="primary")
        onward.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        onward.clicked.connect(self.next_wanted)
        middle = Qt.AlignmentFlag.AlignHCenter
        for line in (self._where, self.code, self._words, self._advice, self._saved, self._state):
            line.setAlignment(middle)
        column = QVBoxLayout(self)
        column.setSpacing(2 * STEP)
        column.addStretch(2)
        column.addWidget(IconLabel("good", "good", LARGE), 0, middle)
        column.addWidget(self._where, 0, middle)
        column.addWidget(self.code, 0, middle)
        column.addWidget(self._words, 0, middle)
        column.addWidget(self._advice, 0, middle)
        column.addWidget(self._saved, 0, middle)
        column.addWidget(self._state, 0, middle)
        column.addSpacing(2 * STEP)
        column.addWidget(onward, 0, middle)
        column.addStretch(3)

    def show_receipt(self, precinct: Precinct, channel: Channel, code: str, saved: str, state: str) -> None:
        self._where.setText(f"{precinct.county} · {precinct.name}")
        self.code.setText(" ".join(code))
        self._words.setText(" · ".join(code_words(code)) if channel is Channel.PHONE else "")
        self.setAccessibleName(self.tr("Receipt code {0}").format(" ".join(code)))
        self._advice.setText(
            self.tr("Receipt code. Read it to the caller, who writes it on the paper sheet.")
            if channel is Channel.PHONE
            else self.tr(
                "Receipt code of these figures. If another one is written on the paper, "
                "the phone call had other figures."
            )
        )
        self._saved.setText(self.tr("saved {0}").format(saved))
        self._state.setText(state)
        self._seen_at = None
        self.update()
        self.setFocus()

    @property
    def seen(self) -> bool:
        """Whether the receipt has stood on the screen long enough for Enter to mean that it was read."""
        return self._seen_at is not None and time.monotonic() - self._seen_at >= self.nervous_seconds

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._seen_at is None:
            self._seen_at = time.monotonic()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() not in ENTER:
            super().keyPressEvent(event)
        elif (
            self.seen
            and not event.isAutoRepeat()
            and not event.modifiers() & Qt.KeyboardModifier.ControlModifier
        ):
            self.next_wanted.emit()
