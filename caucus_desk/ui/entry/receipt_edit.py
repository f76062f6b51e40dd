"""A box for the receipt code that the caller wrote on the paper, and whether the sheet fits it.

The code is made from the figures as they are keyed here, and from nothing else: it tells nobody what the
phone said.
"""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from caucus_desk.tally.receipt import LENGTH, receipt_code, spoken_code
from caucus_desk.tally.sheet import ResultSheet
from caucus_desk.ui.entry.tick import TickEdit
from caucus_desk.ui.icons import IconLabel
from caucus_desk.ui.widgets.basics import STEP, label

RECEIPT = "receipt"
"""Its path: in the draft only, never in a report."""


class ReceiptEdit(TickEdit):
    """Letters and digits of a code, in the traffic of the paper's boxes."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setAccessibleName(text)
        self.setFixedWidth(76)

    def restore(self, text: str) -> None:
        blocked = self.blockSignals(True)
        self.setText(spoken_code(text)[:LENGTH])
        self.blockSignals(blocked)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        letter = spoken_code(event.text())
        plain = not event.modifiers() & (
            Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
        )
        if plain and len(letter) == 1:
            if len(self.text()) < LENGTH:
                self._put(self.text() + letter)
        elif plain and event.key() == Qt.Key.Key_Backspace:
            self._put(self.text()[:-1])
        elif plain and event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Minus):
            event.accept()  # as the code is written: K 7 M
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)


class ReceiptFit(QWidget):
    """`receipt fits`, or `does not fit`, with its drawing; nothing while there is no whole code."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(STEP)
        self._sign = IconLabel("note", "muted")
        self._words = label()
        row.addWidget(self._sign)
        row.addWidget(self._words, 1)
        self._sign.hide()

    @property
    def words(self) -> str:
        return self._words.text()

    def show_fit(self, precinct_id: str, sheet: ResultSheet, code: str, *, finished: bool) -> None:
        """While the sheet is not finished it may still come to fit."""
        words, icon, role = "", "note", "muted"
        if len(code) == LENGTH:
            if receipt_code(precinct_id, sheet) == code:
                words, icon, role = self.tr("receipt fits"), "good", "good"
            elif finished:
                words, icon, role = self.tr("receipt does not fit"), "warn", "warn"
            else:
                words = self.tr("not yet: the sheet is not whole")
        self._words.setText(words)
        self._sign.setVisible(bool(words))
        self._sign.show_icon(icon, role)
