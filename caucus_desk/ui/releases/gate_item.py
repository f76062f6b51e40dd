"""One item of the gate: what it found, and the reason for which it may go out all the same."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout

from caucus_desk.desk.releasing import GateItem
from caucus_desk.ui.entry.lines import TextLine
from caucus_desk.ui.icons import IconLabel
from caucus_desk.ui.releases.rows import gate_sign
from caucus_desk.ui.widgets.basics import STEP, label, wrapped

LONGEST = 500
"""Letters of a reason or a note."""


class ItemFrame(QFrame):
    """One item. Up and Down go from item to item, Enter to the next that wants something."""

    entered = Signal(str)
    """The hand came to it: its id."""
    onward = Signal(str)
    walked = Signal(int)
    typed = Signal()

    def __init__(self, item: GateItem) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.item = item
        self.sign_place = QHBoxLayout()
        self.sign_place.setSpacing(STEP)
        self._icon: IconLabel | None = None
        self._word = label(bold=True)
        self._title = label(bold=True)
        self._detail = wrapped()
        self.reason = TextLine(self.tr("Reason: {0}").format(item.title))
        self.reason.setPlaceholderText(self.tr("Why it may go out all the same"))
        self.reason.setMaxLength(LONGEST)
        self.sign_place.addWidget(self._title)
        self.sign_place.addStretch(1)
        self.sign_place.addWidget(self._word)
        column = QVBoxLayout(self)
        column.setContentsMargins(2 * STEP, STEP, 2 * STEP, STEP)
        column.setSpacing(3)
        column.addLayout(self.sign_place)
        column.addWidget(self._detail)
        column.addWidget(self.reason)
        self.reason.onward.connect(lambda: self.onward.emit(self.item.id))
        self.reason.back.connect(lambda: self.walked.emit(-1))
        self.reason.textChanged.connect(lambda: self.typed.emit())
        self.reason.installEventFilter(self)
        self.show_item(item, True)

    def show_item(self, item: GateItem, may: bool) -> None:
        """What was typed stays."""
        self.item = item
        sign = gate_sign(item)
        if self._icon is not None:
            self.sign_place.removeWidget(self._icon)
            self._icon.deleteLater()
        self._icon = IconLabel(sign.icon, sign.role)
        self.sign_place.insertWidget(0, self._icon)
        self._word.setText(sign.word)
        self._word.setProperty("role", sign.role if sign.role in ("good", "warn", "bad") else "muted")
        self._word.style().polish(self._word)
        self._title.setText(item.title)
        self._detail.setText(item.detail)
        self.reason.setVisible(item.holds)
        self.reason.setEnabled(may)
        self.setAccessibleName(f"{item.title}: {sign.word}")
        self.setAccessibleDescription(item.detail)

    @property
    def given(self) -> str:
        return self.reason.text().strip() if self.item.holds else ""

    @property
    def wants(self) -> bool:
        return self.item.holds and not self.given

    def take_focus(self) -> None:
        if self.item.holds and self.reason.isEnabled():
            self.reason.setFocus(Qt.FocusReason.TabFocusReason)
        else:
            self.setFocus(Qt.FocusReason.TabFocusReason)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.entered.emit(self.item.id)

    def eventFilter(self, watched: object, event: object) -> bool:
        if isinstance(event, QFocusEvent) and event.gotFocus():
            self.entered.emit(self.item.id)
        return False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers():
            self.onward.emit(self.item.id)
        elif event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self.walked.emit(1 if event.key() == Qt.Key.Key_Down else -1)
        else:
            super().keyPressEvent(event)
