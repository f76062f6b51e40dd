"""On one person's own laptop: a second person's name, where the second source must be somebody else's."""

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from caucus_desk.desk.naming import LONGEST, clean_name, same_person
from caucus_desk.rules.errors import Refused
from caucus_desk.ui.entry.lines import ENTER
from caucus_desk.ui.icons import IconLabel
from caucus_desk.ui.widgets.basics import STEP, label


class _Name(QLineEdit):
    entered = Signal()
    escaped = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
        elif event.key() in ENTER:
            if not event.isAutoRepeat():
                self.entered.emit()
        else:
            super().keyPressEvent(event)


class SecondPerson(QWidget):
    """Asks for the name; Enter goes on as that person, Escape goes back."""

    refused = Signal(str)
    """Why this is no second person's name."""
    escaped = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._first = ""
        self._go_on: Callable[[str], None] | None = None
        self.name_field = _Name()
        self.name_field.setMaxLength(LONGEST)
        self.name_field.setAccessibleName(self.tr("Name of a second person"))
        self.name_field.setPlaceholderText(self.tr("who keys this sheet"))
        row = QHBoxLayout(self)
        row.setContentsMargins(2 * STEP, 3, 3, 3)
        row.setSpacing(STEP)
        row.addWidget(IconLabel("person", "accent"))
        row.addWidget(label(self.tr("Let a second person sit down and key it. Name:")))
        row.addWidget(self.name_field, 1)
        row.addWidget(label(self.tr("Enter goes on as them · Esc goes back"), "muted"))
        self.name_field.entered.connect(self._entered)
        self.name_field.escaped.connect(self.escaped)

    def ask(self, first: str, go_on: Callable[[str], None]) -> None:
        """`first` is who must not key it; `go_on` is called with the other's name."""
        self._first, self._go_on = first, go_on
        self.name_field.clear()

    def take_focus(self) -> None:
        self.name_field.setFocus()

    def _entered(self) -> None:
        try:
            name = clean_name(self.name_field.text())
        except Refused as refusal:
            self.refused.emit(refusal.sentence)
            return
        if same_person(name, self._first):
            self.refused.emit(
                self.tr("{0} keyed the other source: this sheet needs another person.").format(self._first)
            )
        elif self._go_on is not None:
            self._go_on(name)
