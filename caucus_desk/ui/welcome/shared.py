"""Opening a shared store: where it lies, and its password, which nothing but this line ever holds."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCheckBox, QFrame, QHBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from caucus_desk.desk.places import (
    NotLetIn,
    forget_password,
    give_password,
    has_keyring,
    is_address,
    keep_password,
    lacking_keyring,
    taken,
)
from caucus_desk.rules.errors import CaucusError
from caucus_desk.ui.widgets.basics import STEP, button, heading, label, wrapped
from caucus_desk.ui.widgets.secret import SecretLine

EXAMPLE = "postgresql+psycopg://name@server/database"
_LONGEST = 1_000


class SharedStore(QWidget):
    """`open_wanted` carries an address without a password; `closed` says that nothing is to be opened."""

    open_wanted = Signal(str)
    closed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.address = QLineEdit()
        self.address.setPlaceholderText(EXAMPLE)
        self.address.setAccessibleName(self.tr("Address"))
        self.password = SecretLine(self.tr("Password"))
        self.password.setMaxLength(_LONGEST)
        self.keep = QCheckBox(self.tr("&Keep the password in this computer's keyring"))
        self.refusal = wrapped(role="bad")
        self.open = button(self.tr("Open"), role="primary")
        self.back = button(self.tr("Back"), role="quiet")
        self._to_keep: tuple[str, str] | None = None
        self._no_keyring = wrapped(role="muted")
        card = QFrame()
        card.setProperty("role", "card")
        inside = QVBoxLayout(card)
        inside.setContentsMargins(4 * STEP, 4 * STEP, 4 * STEP, 4 * STEP)
        inside.setSpacing(2 * STEP)
        inside.addWidget(heading(self.tr("Open a shared store")))
        inside.addWidget(
            wrapped(
                self.tr(
                    "A database that many desks work on at once. Whoever looks after the server tells you "
                    "the address, and which name and password are yours."
                ),
                "muted",
            )
        )
        for text, field in ((self.tr("&Address"), self.address), (self.tr("&Password"), self.password)):
            inside.addWidget(_named(text, field))
            inside.addWidget(field)
        inside.addWidget(
            wrapped(
                self.tr("Leave the password empty where this computer knows it already, or none is needed."),
                "muted",
            )
        )
        inside.addWidget(self.keep)
        inside.addWidget(self._no_keyring)
        inside.addWidget(self.refusal)
        row = QHBoxLayout()
        row.addWidget(self.open)
        row.addWidget(self.back)
        row.addStretch(1)
        inside.addLayout(row)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(card)
        whole.addStretch(1)
        self.refusal.hide()
        self.open.clicked.connect(self._open)
        self.back.clicked.connect(self._leave)
        self.address.returnPressed.connect(self._address_entered)
        self.password.returnPressed.connect(self._open)

    def ask(self, location: str = "", sentence: str = "") -> None:
        """Ask for an address, or for the password of this one; `sentence` says why."""
        able = has_keyring()
        self.keep.setVisible(able)
        said = self.tr("This computer has no keyring, so the password is asked for each time.")
        self._no_keyring.setText(f"{said} {lacking_keyring()}".strip())
        self._no_keyring.setVisible(not able)
        self.password.clear()
        self._to_keep = None
        if location:
            self.address.setText(location)
        self._refuse(sentence, self.password if location else self.address)

    def not_let_in(self, error: NotLetIn) -> None:
        """The server wants another password."""
        forget_password(error.location)
        kept = self.keep.isChecked()
        self.ask(error.location, error.sentence)
        self.keep.setChecked(kept)

    def opened(self, location: str) -> bool:
        """The store is open: the password is kept now, if that was wanted. False where it could not be."""
        wanted, self._to_keep = self._to_keep, None
        self.password.clear()
        return wanted is None or wanted[0] != location or keep_password(*wanted)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._leave()
        else:
            super().keyPressEvent(event)

    def _address_entered(self) -> None:
        if self._plain() is not None:
            self.password.setFocus()

    def _open(self) -> None:
        location = self._plain()
        if location is None:
            return
        if password := self.password.text():
            give_password(location, password)
            self._to_keep = (location, password) if self.keep.isChecked() else None
            self.password.clear()
        self.refusal.hide()
        self.open_wanted.emit(location)

    def _plain(self) -> str | None:
        """The address as it may be shown; a password typed in it is used, and goes out of the line."""
        typed = self.address.text().strip()
        if not is_address(typed):
            self._refuse(self.tr("An address looks like this: {0}").format(EXAMPLE), self.address)
            return None
        try:
            location = taken(typed)
        except CaucusError as error:
            self.address.clear()
            self._refuse(error.sentence, self.address)
            return None
        self.address.setText(location)
        return location

    def _refuse(self, sentence: str, field: QLineEdit) -> None:
        self.refusal.setText(sentence)
        self.refusal.setVisible(bool(sentence))
        field.setFocus()

    def _leave(self) -> None:
        self.password.clear()
        self.closed.emit()


def _named(text: str, field: QLineEdit) -> QLabel:
    made = label(text)
    made.setTextFormat(Qt.TextFormat.AutoText)
    made.setBuddy(field)
    return made
