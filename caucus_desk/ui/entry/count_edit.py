"""The box for one count: digits only, blank and zero apart, made for one hand on the number pad."""

from enum import Flag, auto

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QClipboard,
    QColor,
    QContextMenuEvent,
    QFocusEvent,
    QGuiApplication,
    QInputMethodEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QWheelEvent,
)
from PySide6.QtWidgets import QLineEdit, QWidget

from caucus_desk.tally.finding import Severity
from caucus_desk.ui import icons
from caucus_desk.ui.entry import block, counts, keypad
from caucus_desk.ui.theme import theme

WIDTH, HEIGHT = 76, 25
_MARK_SIDE = 12
_SELECTION_MARGIN = 4


class Mark(Flag):
    """What a box is marked with. Several may hold at once and all are shown."""

    NONE = 0
    NOTE = auto()
    WARNING = auto()
    ERROR = auto()
    MISMATCH = auto()


MARK_OF = {Severity.NOTE: Mark.NOTE, Severity.WARNING: Mark.WARNING, Severity.ERROR: Mark.ERROR}
_ICONS = ((Mark.MISMATCH, "mismatched", "bad"), (Mark.ERROR, "bad", "bad"), (Mark.WARNING, "warn", "warn"))
_WORDS = (
    (Mark.ERROR, "error"),
    (Mark.WARNING, "warning"),
    (Mark.NOTE, "note"),
    (Mark.MISMATCH, "does not match"),
)
_NAVIGATION = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Down, Qt.Key.Key_Up)
_MODIFIERS = (
    Qt.Key.Key_Shift,
    Qt.Key.Key_Control,
    Qt.Key.Key_Alt,
    Qt.Key.Key_AltGr,
    Qt.Key.Key_Meta,
    Qt.Key.Key_NumLock,
    Qt.Key.Key_CapsLock,
)


def is_undo(event: QKeyEvent) -> bool:
    return event.key() == Qt.Key.Key_Z and _with_control(event) and not _with_shift(event)


def is_redo(event: QKeyEvent) -> bool:
    """Both ways to ask for it, on every platform."""
    if not _with_control(event):
        return False
    return event.key() == Qt.Key.Key_Y or (event.key() == Qt.Key.Key_Z and _with_shift(event))


def _with_control(event: QKeyEvent) -> bool:
    held = event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier)
    return held == Qt.KeyboardModifier.ControlModifier


def _with_shift(event: QKeyEvent) -> bool:
    return bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)


class CountEdit(QLineEdit):
    """A line edit that can only ever hold ASCII digits within the limit, or nothing.

    Keys that are no digits change nothing. A paste is taken whole or refused whole; one of several cells
    is the sheet's, and so are undo and redo.
    """

    onward = Signal(bool)
    """To the next box. True for Enter, which may leave the sheet for the Submit button; Down stays in it."""
    back = Signal()
    letter = Signal(str)
    """A letter was pressed: the sheet jumps to the group whose name begins with it."""
    refused = Signal(str)
    """A sentence for the person; the box is as it was."""
    told = Signal(str)
    """A sentence for the person about a key that was taken."""
    block = Signal(str)
    """Several cells were pasted."""
    touched = Signal()
    """A key was accepted: what was said about an earlier one is over."""
    reached = Signal()

    def __init__(self, label: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.label = label
        self._mark = Mark.NONE
        self._composing = False
        self._select_on_release = False
        self._ended = False
        self.setAccessibleName(label)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setFixedSize(WIDTH, HEIGHT)
        self.setAcceptDrops(False)
        self.setDragEnabled(False)
        self.setInputMethodHints(Qt.InputMethodHint.ImhDigitsOnly)
        self.setProperty("count", True)
        self.textEdited.connect(self.touched)

    @property
    def count(self) -> int | None:
        return counts.value(self.text())

    @property
    def mark(self) -> Mark:
        return self._mark

    def set_mark(self, mark: Mark) -> None:
        """Repaints only when the mark changes."""
        if mark is self._mark or mark == self._mark:
            return
        self._mark = mark
        words = [word for flag, word in _WORDS if flag & mark]
        self.setAccessibleDescription(", ".join(words))
        self.update()

    def restore(self, text: str) -> None:
        """Put back a text from a draft, without a signal; anything but a count is left out."""
        digits = counts.digits_only(text)
        blocked = self.blockSignals(True)
        self.setText(digits if counts.within_limit(digits) else "")
        self.blockSignals(blocked)

    def end_here(self, typed: str) -> None:
        """The sheet ended, and digits were typed on: they and Enter count for nothing until another key."""
        self._ended = True
        self._refuse_more(typed)

    def _refuse_more(self, typed: str) -> None:
        self.refused.emit(
            f"The sheet ends here: {typed} was not taken. Is a line missing or keyed twice? ↑ goes back; "
            "Ctrl+Enter submits."
        )

    def take_paste(self, text: str) -> None:
        if block.is_block(text):
            self.block.emit(text)
            return
        reading = counts.pasted(text, self.label)
        if reading.refusal:
            self.refused.emit(reading.refusal)
            return
        self._put(reading.digits)

    # --- keys ---------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._composing:
            event.accept()  # the key belongs to the input method; Enter ends its word and moves nothing
            return
        digit = keypad.digit_of(event)
        if digit or keypad.is_point(event):
            event.accept()
            self._from_the_pad(digit)
            return
        if self._ended and self._runs_on(event):
            event.accept()
            return
        if event.matches(QKeySequence.StandardKey.Paste):
            self.take_paste(QGuiApplication.clipboard().text())
            event.accept()
            return
        if is_undo(event) or is_redo(event):
            event.ignore()  # the sheet's: over all its boxes
            return
        held = event.modifiers() & ~(Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier)
        if event.key() in _NAVIGATION:
            self._navigate(event, bool(held))
            return
        text = event.text()
        if held and not (held == Qt.KeyboardModifier.GroupSwitchModifier and text.isprintable()):
            self._pass_on(event)
        elif text and text.isprintable():
            self._type(text)
            event.accept()
        else:
            self._pass_on(event)

    def _from_the_pad(self, digit: str) -> None:
        """A key of the number pad while NumLock is off."""
        if self._ended:
            if digit:
                self._refuse_more(digit)
            return
        if digit:
            self._put(digit)
        self.told.emit(keypad.numlock_is_off())

    def _runs_on(self, event: QKeyEvent) -> bool:
        """Whether this key is still the hand that did not see the end of the sheet."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            return not event.modifiers() & (
                Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
            )
        digit = counts.typed(event.text())
        if digit:
            self._refuse_more(digit)
            return True
        if event.text().isprintable() and event.text() and not event.text().isalpha():
            return True
        if event.key() not in _MODIFIERS:
            self._ended = False
        return False

    def _pass_on(self, event: QKeyEvent) -> None:
        """Editing keys to the line edit; what could put foreign text in is not passed."""
        if event.text().isprintable() and event.text():
            event.ignore()
            return
        super().keyPressEvent(event)

    def _navigate(self, event: QKeyEvent, held: bool) -> None:
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if held:
            event.ignore()  # Ctrl+Enter is the page's
            return
        event.accept()
        if event.key() == Qt.Key.Key_Up or (enter and shift):
            self.back.emit()
        else:
            # A held key may run through the sheet, but not out of it to the Submit button.
            self.onward.emit(enter and not event.isAutoRepeat())

    def _type(self, text: str) -> None:
        digit = counts.typed(text)
        if digit:
            self._put(digit)
        elif text.isalpha():
            self.letter.emit(text)

    def _put(self, digits: str) -> None:
        """Insert at the caret, over the selection, unless the count would be over the limit."""
        start = self.selectionStart()
        now = self.text()
        if start < 0:
            start = end = self.cursorPosition()
        else:
            end = start + len(self.selectedText())
        made = now[:start] + digits + now[end:]
        if not counts.within_limit(made):
            self.refused.emit(counts.limit_refusal(self.label, made))
            return
        self.insert(digits)
        self.touched.emit()  # also where the same digits are typed over themselves

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        self._composing = bool(event.preeditString())
        committed = event.commitString()
        if not committed:
            super().inputMethodEvent(event)
            return
        super().inputMethodEvent(QInputMethodEvent("", []))  # takes the composed text away
        digits = counts.digits_only(committed)
        if digits and len(digits) == len(committed.strip()):
            self._put(digits)

    # --- mouse and focus ----------------------------------------------------------------------

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        event.accept()  # the usual menu pastes past our reading

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() == Qt.FocusReason.MouseFocusReason:
            self._select_on_release = True
        elif event.reason() not in (
            Qt.FocusReason.ActiveWindowFocusReason,
            Qt.FocusReason.PopupFocusReason,
        ):
            self.selectAll()
        self.reached.emit()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._composing = False
        if event.reason() != Qt.FocusReason.ActiveWindowFocusReason:
            self._ended = False
        super().focusOutEvent(event)
        plain = self.text().lstrip("0") or "0"
        if self.text() and plain != self.text():
            self.setText(plain)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._ended = False
        if event.button() == Qt.MouseButton.MiddleButton:
            clipboard = QGuiApplication.clipboard()
            if clipboard.supportsSelection():
                self.take_paste(clipboard.text(QClipboard.Mode.Selection))
            event.accept()
            return
        super().mouseReleaseEvent(event)
        if self._select_on_release and not self.hasSelectedText():
            self.selectAll()
        self._select_on_release = False

    # --- painting -----------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._mark is Mark.NONE or self._mark == Mark.NOTE:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        role = "bad" if self._mark & (Mark.ERROR | Mark.MISMATCH) else "warn"
        pen = QPen(QColor(getattr(theme().colours, role)), 2 if self.hasFocus() else 1.5)
        painter.setPen(pen)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 3, 3)
        left = _SELECTION_MARGIN + 1
        for flag, name, colour in _ICONS:
            if self._mark & flag:
                top = (self.height() - _MARK_SIDE) / 2
                painter.drawPixmap(QPointF(left, top), icons.pixmap(name, colour, _MARK_SIDE))
                left += _MARK_SIDE + 2
        painter.end()

    def sizeHint(self) -> QSize:
        return QSize(WIDTH, HEIGHT)
