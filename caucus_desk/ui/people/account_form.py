"""One account: made new, or its role, its PIN and its closing."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from caucus_desk.desk.naming import LONGEST
from caucus_desk.desk.people import Account
from caucus_desk.desk.roles import Role
from caucus_desk.ui.people.parts import Card, PinPair, line_label, name_line, role_does, role_title
from caucus_desk.ui.widgets.basics import STEP, Choices, button, label, rule, wrapped
from caucus_desk.ui.words import day_clock


class AccountForm(Card):
    """Asks; the page does. Escape leads back to the list."""

    make_wanted = Signal(str, str, str)
    """Name, role, PIN."""
    role_wanted = Signal(str)
    pin_wanted = Signal(str)
    close_wanted = Signal()
    reopen_wanted = Signal()
    left = Signal()

    def __init__(self) -> None:
        super().__init__("")
        self._account: Account | None = None
        self._new_role = Role.CLERK
        self.name_field = name_line(LONGEST)
        self.role = Choices([(role.value, role_title(role)) for role in Role], self.tr("Role"), small=True)
        self.does = wrapped(role="muted")
        self.does.setMinimumHeight(11 * STEP)
        self.pins = PinPair()
        self.make = button(self.tr("Make the account"), role="primary")
        self.change = button(self.tr("Change the role"))
        self.set_pin = button(self.tr("Set this PIN"))
        self.close_it = button(self.tr("Close the account"))
        self.reopen = button(self.tr("Open it again"))
        self.closed = wrapped(role="muted")
        self.why_not = wrapped(role="muted")
        self._lay_out()
        self.role.chosen.connect(self._role_chosen)
        self.name_field.returnPressed.connect(self.role.take_focus)
        self.pins.entered.connect(self._pins_entered)
        self.make.clicked.connect(self._make)
        self.change.clicked.connect(lambda: self.role_wanted.emit(self.role.key))
        self.set_pin.clicked.connect(self._set_pin)
        self.close_it.clicked.connect(self.close_wanted)
        self.reopen.clicked.connect(self.reopen_wanted)
        self.ask_new()

    def _lay_out(self) -> None:
        self._name = QWidget()
        row = QHBoxLayout(self._name)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2 * STEP)
        row.addWidget(line_label(self.tr("&Name"), self.name_field))
        row.addWidget(self.name_field, 1)
        self._role_part = _column(label(self.tr("Role")), self.role, self.does, _left(self.change))
        self._pin_part = _column(self.pins, _left(self.make, self.set_pin))
        self._end_part = _column(self.closed, _left(self.close_it, self.reopen))
        self._rules = (rule(), rule())
        for widget in (
            self._name, self.why_not, self._role_part, self._rules[0], self._pin_part, self.refusal,
            self._rules[1], self._end_part,
        ):  # fmt: skip
            self.inside.addWidget(widget)

    # ---- what is shown ----

    @property
    def account(self) -> Account | None:
        """The account that is changed; None while a new one is made."""
        return self._account

    def ask_new(self, why_not: str = "") -> None:
        """For a new account: a clerk's, or of the role that the last new one had."""
        self._account = None
        self.role.choose(self._new_role.value)
        self.title.setText(self.tr("A new account"))
        self.name_field.clear()
        self.pins.clear()
        self.refuse("")
        self._show(may=not why_not, own=False, why_not=why_not)
        self._role_chosen(self.role.key)

    def ask_new_kept(self) -> None:
        """The new account as it is being typed."""
        self._show(may=True, own=False, why_not="")

    def show_account(self, account: Account, *, own: bool, why_not: str = "") -> None:
        """What is being typed stays where it is the same account."""
        same = self._account is not None and self._account.name == account.name
        changed = not same or self._account != account
        self._account = account
        self.title.setText(account.name)
        if changed:
            self.role.choose(account.role.value)
        if not same:
            self.pins.clear()
            self.refuse("")
        self._show(may=not why_not, own=own, why_not=why_not)
        self._role_chosen(self.role.key)

    def _show(self, *, may: bool, own: bool, why_not: str) -> None:
        account = self._account
        is_open = account is None or account.open
        self._name.setVisible(account is None)
        self._name.setEnabled(may)
        self.why_not.setText(why_not)
        self.why_not.setVisible(bool(why_not))
        self.role.setEnabled(may and is_open)
        self.make.setVisible(account is None)
        self.make.setEnabled(may)
        self.change.setVisible(account is not None and is_open and may)
        self._pin_part.setVisible(is_open and (may or own))
        self.set_pin.setVisible(account is not None)
        self.closed.setText(
            self.tr(
                "Closed {0}. The name stays in the audit trail and is nobody else's. Opened again, the "
                "account has its role and its PIN as before."
            ).format(day_clock(account.closed))
            if account is not None and account.closed is not None
            else ""
        )
        self.closed.setVisible(not is_open)
        self.close_it.setVisible(account is not None and is_open and may and not own)
        self.reopen.setVisible(account is not None and not is_open and may)
        self._end_part.setVisible(not self.close_it.isHidden() or not self.reopen.isHidden() or not is_open)
        self._rules[0].setVisible(account is not None and not self._pin_part.isHidden())
        self._rules[1].setVisible(account is not None and not self._end_part.isHidden())

    def _role_chosen(self, key: str) -> None:
        role = Role(key)
        if self._account is None and role is not Role.ADMINISTRATOR:  # nobody becomes one by habit
            self._new_role = role
        self.does.setText(f"{role_title(role)}. {role_does(role)}")
        self.change.setEnabled(self._account is not None and self._account.role is not role)

    def take_focus(self) -> None:
        if self._account is None:
            self.name_field.setFocus()
        elif self.role.isEnabled():
            self.role.take_focus()
        elif not self._pin_part.isHidden():
            self.pins.first.setFocus()
        elif not self.reopen.isHidden():
            self.reopen.setFocus()

    def made(self) -> None:
        """The account is there: on to the next one."""
        self.ask_new()
        self.name_field.setFocus()

    # ---- keys ----

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def _pins_entered(self) -> None:
        if self._account is None:
            self._make()
        else:
            self._set_pin()

    def _make(self) -> None:
        if not self.name_field.text().strip():
            self.refuse(self.tr("Name the person whose account it is."))
            self.name_field.setFocus()
        elif self.pins.fault:
            self.refuse(self.pins.fault)
            self.pins.take_focus()
        else:
            self.make_wanted.emit(self.name_field.text(), self.role.key, self.pins.pin)

    def _set_pin(self) -> None:
        if self.pins.fault:
            self.refuse(self.pins.fault)
            self.pins.take_focus()
        else:
            self.pin_wanted.emit(self.pins.pin)


def _column(*widgets: QWidget) -> QWidget:
    made = QWidget()
    column = QVBoxLayout(made)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(STEP)
    for widget in widgets:
        column.addWidget(widget)
    return made


def _left(*widgets: QWidget) -> QWidget:
    made = QWidget()
    row = QHBoxLayout(made)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(2 * STEP)
    for widget in widgets:
        row.addWidget(widget)
    row.addStretch(1)
    return made
