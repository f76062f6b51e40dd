"""A line for a reason: typed in words, or one of the usual ones picked by one key."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QScrollArea, QWidget

from caucus_desk.desk.guards import WORDLESS, in_words
from caucus_desk.ui.entry.counts import typed
from caucus_desk.ui.entry.lines import ENTER, TextLine
from caucus_desk.ui.widgets.basics import STEP

_PICKS = (Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_3, Qt.Key.Key_4, Qt.Key.Key_5)


class ReasonLine(TextLine):
    """A reason, typed, or picked from the usual ones: Alt with its number, or Down and Up.

    A hand that keys figures may arrive here without seeing it: a text does not begin with a digit, so a
    number alone picks nothing, and Enter leaves only a reason in words.
    """

    reached = Signal(bool)
    """The hand is here, or has left for another place in the window."""
    not_taken = Signal(str)
    """A sentence for the person; "" when it is over."""

    def __init__(self, name: str, usual: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self._usual = tuple(usual)
        self._laid_out = QTimer(self, singleShot=True, interval=0)  # its own, so that it ends with it
        self._laid_out.timeout.connect(self._come_into_view)
        self.textChanged.connect(lambda _: self.not_taken.emit(""))

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.reached.emit(True)
        self._laid_out.start()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() not in (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason):
            self.reached.emit(False)

    def _come_into_view(self) -> None:
        around = self.parentWidget()
        while around is not None:
            if isinstance(around, QScrollArea):
                around.ensureWidgetVisible(self, 0, 6 * STEP)
            around = around.parentWidget()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.AltModifier and event.key() in _PICKS:
            event.accept()
            self._pick(_PICKS.index(Qt.Key(event.key())))
            return
        digit = typed(event.text())
        if digit and self._begins:
            event.accept()
            self._refuse_digit(digit)
            return
        super().keyPressEvent(event)

    @property
    def _begins(self) -> bool:
        """Whether the next key would be the first of the text."""
        return not self.text()[: self.cursorPosition()].strip() or self.selectionStart() == 0

    def _refuse_digit(self, digit: str) -> None:
        self.not_taken.emit(
            self.tr("{0} was not taken: here goes a reason, and it begins with a word.").format(digit)
        )

    def take_from_pad(self, digit: str) -> None:
        if digit and self._begins:
            self._refuse_digit(digit)
        else:
            super().take_from_pad(digit)

    def _pick(self, place: int) -> None:
        """The reason takes the place of what was typed: its key was pressed for it."""
        if place < len(self._usual):
            self.setText(self._usual[place])
            self.selectAll()

    @property
    def choices(self) -> str:
        """The usual reasons with their keys, one below the other."""
        return "\n".join(f"Alt+{place} {reason}" for place, reason in enumerate(self._usual, start=1))

    def walk(self, event: QKeyEvent) -> None:
        if event.key() in ENTER:
            shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            if shift or in_words(self.text()):
                super().walk(event)
            else:
                self.not_taken.emit(WORDLESS)
            return
        if not self._usual:
            super().walk(event)
            return
        here = self._usual.index(self.text()) if self.text() in self._usual else -1
        by = 1 if event.key() == Qt.Key.Key_Down else -1
        if here < 0:
            if self.text().strip():
                return  # what was typed is not thrown away by an arrow
            here = -1 if by > 0 else 0
        self.setText(self._usual[(here + by) % len(self._usual)])
        self.selectAll()
