"""Who sits at the desk: asked in the page before any work, and when people change places."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from caucus_desk.desk.naming import clean_name
from caucus_desk.rules.errors import Refused
from caucus_desk.ui.widgets.basics import STEP, button, heading, label, wrapped


class PersonPage(QWidget):
    """Asks for a name. `named` carries it; `kept` says that the one at the desk stays."""

    named = Signal(str)
    kept = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.name_field = QLineEdit()
        self.name_field.setMaxLength(60)
        self.name_field.setAccessibleName(self.tr("Name"))
        self.name_field.setPlaceholderText(self.tr("for example: clerk 07, or Ana Ruiz"))
        self.refusal = wrapped(role="bad")
        self.sit = button(self.tr("Sit down"), role="primary")
        self.stay = button(self.tr("Go on as before"), role="quiet")
        card = QFrame()
        card.setProperty("role", "card")
        card.setFixedWidth(480)
        inside = QVBoxLayout(card)
        inside.setContentsMargins(4 * STEP, 4 * STEP, 4 * STEP, 4 * STEP)
        inside.setSpacing(2 * STEP)
        inside.addWidget(heading(self.tr("Who is at the desk?")))
        inside.addWidget(
            wrapped(
                self.tr(
                    "Everything that is keyed, ruled or loaded is kept with this name. "
                    "Two different people have to key each precinct, so use your own."
                ),
                "muted",
            )
        )
        name_label = label(self.tr("&Name"))
        name_label.setTextFormat(Qt.TextFormat.AutoText)
        name_label.setBuddy(self.name_field)
        inside.addWidget(name_label)
        inside.addWidget(self.name_field)
        inside.addWidget(self.refusal)
        row = QHBoxLayout()
        row.addWidget(self.sit)
        row.addWidget(self.stay)
        row.addStretch(1)
        inside.addLayout(row)
        whole = QVBoxLayout(self)
        whole.addStretch(2)
        whole.addWidget(card, 0, Qt.AlignmentFlag.AlignHCenter)
        whole.addStretch(3)
        self.refusal.hide()
        self.sit.clicked.connect(self._sit)
        self.stay.clicked.connect(self.kept)
        self.name_field.returnPressed.connect(self._sit)

    def ask(self, present: str) -> None:
        """Empty the field; `present` is who is at the desk now, "" for nobody."""
        self.name_field.clear()
        self.refusal.hide()
        self.stay.setVisible(bool(present))
        if present:
            self.stay.setText(self.tr("Go on as {0}").format(present))

    def take_focus(self) -> None:
        self.name_field.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and not self.stay.isHidden():
            self.kept.emit()
        else:
            super().keyPressEvent(event)

    def _sit(self) -> None:
        try:
            name = clean_name(self.name_field.text())
        except Refused as refusal:
            self.refusal.setText(refusal.sentence)
            self.refusal.show()
            self.name_field.setFocus()
            return
        self.named.emit(name)
