"""Where a name is enough: what that means, and the two ways on from there."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from caucus_desk.desk.naming import LONGEST
from caucus_desk.desk.people import SignIn
from caucus_desk.ui.people.parts import Card, PinPair, line_label, name_line
from caucus_desk.ui.widgets.basics import STEP, button, wrapped


class BeginCards(QWidget):
    """`begin_wanted` carries the first administrator's name and PIN; `laptop_wanted` marks an own laptop."""

    begin_wanted = Signal(str, str)
    laptop_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.name_field = name_line(LONGEST)
        self.pins = PinPair()
        self.begin = button(self.tr("Make the first administrator"), role="primary")
        self.laptop = button(self.tr("This is my own laptop"))
        self.accounts = Card(self.tr("Accounts"))
        self.own = Card(self.tr("One person, own laptop"))
        self._lay_out()
        self.name_field.returnPressed.connect(self.pins.first.setFocus)
        self.pins.entered.connect(self._begin)
        self.begin.clicked.connect(self._begin)
        self.laptop.clicked.connect(self.laptop_wanted)

    def _lay_out(self) -> None:
        inside = self.accounts.inside
        inside.addWidget(
            wrapped(
                self.tr(
                    "For many people in one store: each has an account with a role and a PIN. The first one "
                    "is the administrator's, who makes the others and keys no figures. From then on "
                    "everybody signs in, in every window; there is no way back to names only."
                ),
                "muted",
            )
        )
        row = QHBoxLayout()
        row.setSpacing(2 * STEP)
        named = line_label(self.tr("&Name of the administrator"), self.name_field)
        row.addWidget(named)
        row.addWidget(self.name_field, 1)
        self.pins.align(named.sizeHint().width())
        inside.addLayout(row)
        inside.addWidget(self.pins)
        inside.addWidget(self.accounts.refusal)
        inside.addLayout(_left(self.begin))
        inside = self.own.inside
        inside.addWidget(
            wrapped(
                self.tr(
                    "For a county chair who works alone: nobody signs in. Where the second source of a "
                    "precinct must be keyed by somebody else, the page asks for a second person's name "
                    "right there."
                ),
                "muted",
            )
        )
        inside.addWidget(self.own.refusal)
        inside.addLayout(_left(self.laptop))
        whole = QHBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(3 * STEP)
        whole.addWidget(self.accounts, 3, Qt.AlignmentFlag.AlignTop)
        whole.addWidget(self.own, 2, Qt.AlignmentFlag.AlignTop)

    def show_kind(self, kind: SignIn) -> None:
        self.own.setVisible(kind is SignIn.NAMES)

    def forget(self) -> None:
        self.name_field.clear()
        self.pins.clear()
        self.accounts.refuse("")
        self.own.refuse("")

    def take_focus(self) -> None:
        self.name_field.setFocus()

    def _begin(self) -> None:
        if not self.name_field.text().strip():
            self.accounts.refuse(self.tr("Name the administrator."))
            self.name_field.setFocus()
        elif self.pins.fault:
            self.accounts.refuse(self.pins.fault)
            self.pins.take_focus()
        else:
            self.begin_wanted.emit(self.name_field.text(), self.pins.pin)


def _left(made: QWidget) -> QHBoxLayout:
    row = QHBoxLayout()
    row.addWidget(made)
    row.addStretch(1)
    return row
