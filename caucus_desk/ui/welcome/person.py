"""Who sits at the desk: asked in the page before any work, and when people change places."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from caucus_desk.desk.naming import LONGEST, clean_name
from caucus_desk.rules.errors import Refused
from caucus_desk.ui.widgets.basics import STEP, button, heading, label, wrapped
from caucus_desk.ui.widgets.secret import SecretLine


class PersonPage(QWidget):
    """Asks for a name, and for its PIN where the store has accounts.

    `named` carries a name; `signing` a name and what was typed for its PIN; `kept` says that the one at
    the desk stays.
    """

    named = Signal(str)
    signing = Signal(str, str)
    kept = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._needs_pin = False
        self.name_field = QLineEdit()
        self.name_field.setMaxLength(LONGEST)
        self.name_field.setAccessibleName(self.tr("Name"))
        self.name_field.setPlaceholderText(self.tr("for example: clerk 07, or Ana Ruiz"))
        self.pin_field = SecretLine(self.tr("PIN or password"))
        self.refusal = wrapped(role="bad")
        self.sit = button(self.tr("Sit down"), role="primary")
        self.stay = button(self.tr("Go on as before"), role="quiet")
        self._heading = heading("")
        self._why = wrapped("", "muted")
        self._pin_label = _named(self.tr("&PIN or password"), self.pin_field)
        card = QFrame()
        card.setProperty("role", "card")
        card.setFixedWidth(480)
        inside = QVBoxLayout(card)
        inside.setContentsMargins(4 * STEP, 4 * STEP, 4 * STEP, 4 * STEP)
        inside.setSpacing(2 * STEP)
        inside.addWidget(self._heading)
        inside.addWidget(self._why)
        inside.addWidget(_named(self.tr("&Name"), self.name_field))
        inside.addWidget(self.name_field)
        inside.addWidget(self._pin_label)
        inside.addWidget(self.pin_field)
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
        self.name_field.returnPressed.connect(self._name_entered)
        self.pin_field.returnPressed.connect(self._sit)

    @property
    def needs_pin(self) -> bool:
        """A name is not enough here."""
        return self._needs_pin

    def ask(self, present: str) -> None:
        """Ask for a name; `present` is who is at the desk now, "" for nobody."""
        self._show(needs_pin=False)
        self._heading.setText(self.tr("Who is at the desk?"))
        self._why.setText(
            self.tr(
                "Everything that is keyed, ruled or loaded is kept with this name. "
                "Two different people have to key each precinct, so use your own."
            )
        )
        self.name_field.clear()
        self.stay.setVisible(bool(present))
        if present:
            self.stay.setText(self.tr("Go on as {0}").format(present))

    def ask_pin(self, last: str) -> None:
        """Ask for name and PIN; `last` is who sat here last, "" for nobody."""
        self._show(needs_pin=True)
        if last:
            self._heading.setText(self.tr("Locked"))
            self._why.setText(
                self.tr(
                    "What was begun here is kept. It opens again for {0}; anybody else begins with their own "
                    "name, and sees nothing of it."
                ).format(last)
            )
        else:
            self._heading.setText(self.tr("Who is at the desk?"))
            self._why.setText(
                self.tr(
                    "This caucus has accounts: give the name and the PIN of yours. Who has none asks an "
                    "administrator."
                )
            )
        self.name_field.setText(last)
        self.stay.hide()

    def add(self, sentence: str) -> None:
        """What is to be known before another person sits down."""
        self._why.setText(f"{self._why.text()}\n\n{sentence}")

    def refuse(self, sentence: str) -> None:
        """Why nobody was let in; the PIN is typed anew."""
        self.wait(False)
        self.pin_field.clear()
        self._say(sentence)
        self.take_focus()

    def wait(self, waiting: bool) -> None:
        """The store has not answered yet."""
        for field in (self.name_field, self.pin_field, self.sit):
            field.setEnabled(not waiting)
        if waiting:
            self._say(self.tr("Waiting for the store, which another program holds…"))
        else:
            self.refusal.hide()

    def forget(self) -> None:
        """Nothing that was typed stays in the boxes."""
        self.pin_field.clear()
        self.refusal.hide()

    def take_focus(self) -> None:
        if self._needs_pin and self.name_field.text().strip():
            self.pin_field.setFocus()
        else:
            self.name_field.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and not self.stay.isHidden():
            self.kept.emit()
        else:
            super().keyPressEvent(event)

    def _show(self, *, needs_pin: bool) -> None:
        self._needs_pin = needs_pin
        self._pin_label.setVisible(needs_pin)
        self.pin_field.setVisible(needs_pin)
        self.sit.setText(self.tr("Sign in") if needs_pin else self.tr("Sit down"))
        self.sit.setAccessibleName(self.sit.text())
        self.forget()

    def _name_entered(self) -> None:
        if self._needs_pin and not self.pin_field.text():
            self.pin_field.setFocus()
        else:
            self._sit()

    def _sit(self) -> None:
        try:
            name = clean_name(self.name_field.text())
        except Refused as refusal:
            self._say(refusal.sentence)
            self.name_field.setFocus()
            return
        if not self._needs_pin:
            self.named.emit(name)
        elif not self.pin_field.text():
            self._say(self.tr("Type the PIN, then Enter."))
            self.pin_field.setFocus()
        else:
            self.signing.emit(name, self.pin_field.text())

    def _say(self, sentence: str) -> None:
        self.refusal.setText(sentence)
        self.refusal.show()


def _named(text: str, field: QLineEdit) -> QLabel:
    made = label(text)
    made.setTextFormat(Qt.TextFormat.AutoText)
    made.setBuddy(field)
    return made
