"""The two tables of the page. Letters in them are jobs, not a search."""

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent

from caucus_desk.ui.widgets.table import TableModel, TableView


class KeyTable(TableView):
    """`letter` carries the large letter, and whether Shift was held. `aside` is Left (-1) or Right (1)."""

    letter = Signal(str, bool)
    aside = Signal(int)
    filter_wanted = Signal()

    def __init__(self, model: TableModel[Any], name: str) -> None:
        super().__init__(model, name)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        held = event.modifiers() & (
            Qt.KeyboardModifier.ControlModifier
            | Qt.KeyboardModifier.AltModifier
            | Qt.KeyboardModifier.MetaModifier
        )
        text, key = event.text(), event.key()
        if held:
            super().keyPressEvent(event)
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self.aside.emit(-1 if key == Qt.Key.Key_Left else 1)
        elif text == "/" or (key == Qt.Key.Key_Up and self.currentIndex().row() <= 0):
            self.filter_wanted.emit()
        elif text.isalpha():
            if not event.isAutoRepeat():
                self.letter.emit(text.upper(), bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        else:
            super().keyPressEvent(event)
