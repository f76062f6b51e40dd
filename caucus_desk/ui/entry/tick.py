"""A box for yes, no, or not looked at. Y and N, or Space to go round; never a guess."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from caucus_desk.tally.form import NO, YES
from caucus_desk.ui.entry import keypad
from caucus_desk.ui.entry.count_edit import HEIGHT, Mark

_ROUND = {"": YES, YES: NO, NO: ""}


class TickEdit(QLineEdit):
    """Holds `yes`, `no` or nothing; looks and moves like a count."""

    onward = Signal(bool)
    back = Signal()
    touched = Signal()
    reached = Signal()

    def __init__(self, label: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.label = label
        self.setReadOnly(True)
        self.setAccessibleName(f"{label}: Y yes, N no, empty not looked at")
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setFixedSize(48, HEIGHT)
        self.setPlaceholderText("–")
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)

    def restore(self, text: str) -> None:
        blocked = self.blockSignals(True)
        self.setText(text if text in _ROUND else "")
        self.blockSignals(blocked)

    def set_mark(self, mark: Mark) -> None:
        self.setAccessibleDescription(mark.name.lower() if mark and mark.name else "")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, shift = event.key(), bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        of_the_pad = keypad.digit_of(event)
        if of_the_pad or keypad.is_point(event):
            if of_the_pad in ("0", "1"):
                self._put(YES if of_the_pad == "1" else NO)
        elif event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier):
            event.ignore()
        elif key == Qt.Key.Key_Up or (shift and key in (Qt.Key.Key_Return, Qt.Key.Key_Enter)):
            self.back.emit()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Down):
            self.onward.emit(key != Qt.Key.Key_Down and not event.isAutoRepeat())
        elif key in (Qt.Key.Key_Y, Qt.Key.Key_1):
            self._put(YES)
        elif key in (Qt.Key.Key_N, Qt.Key.Key_0):
            self._put(NO)
        elif key == Qt.Key.Key_Space:
            self._put(_ROUND[self.text()])
        elif key in (Qt.Key.Key_Backspace, Qt.Key.Key_Delete):
            self._put("")
        else:
            event.ignore()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        if event.button() == Qt.MouseButton.LeftButton:
            self._put(_ROUND[self.text()])

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.reached.emit()

    def _put(self, text: str) -> None:
        self.setText(text)
        self.touched.emit()
