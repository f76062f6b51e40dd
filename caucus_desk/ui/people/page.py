"""The People page: who has an account, what each may do, and how this caucus is set."""

from collections.abc import Callable
from datetime import UTC, datetime

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from caucus_desk.desk import people
from caucus_desk.desk.naming import same_person
from caucus_desk.desk.people import Account, SignIn
from caucus_desk.desk.roles import Job, Role
from caucus_desk.desk.settings import change_setting, settings
from caucus_desk.rules.errors import CaucusError
from caucus_desk.ui.context import Context
from caucus_desk.ui.page import Page
from caucus_desk.ui.people.account_form import AccountForm
from caucus_desk.ui.people.begin import BeginCards
from caucus_desk.ui.people.parts import role_title
from caucus_desk.ui.people.settings_card import SettingsCard
from caucus_desk.ui.store_calls import StoreCalls
from caucus_desk.ui.widgets.basics import STEP, button, label, title, wrapped
from caucus_desk.ui.widgets.table import ColumnSpec, TableModel, TableView
from caucus_desk.ui.words import day_clock, tr


def _columns() -> tuple[ColumnSpec[Account], ...]:
    roles = list(Role)
    return (
        ColumnSpec(tr("Name"), 200, lambda one: one.name, bold=True),
        ColumnSpec(tr("Role"), 110, lambda one: role_title(one.role), lambda one: roles.index(one.role)),
        ColumnSpec(tr("Since"), 110, lambda one: day_clock(one.created), lambda one: one.created),
        ColumnSpec(
            tr("Account"),
            140,
            lambda one: tr("open") if one.closed is None else tr("closed {0}").format(day_clock(one.closed)),
            lambda one: one.closed.timestamp() if one.closed is not None else 0.0,
            colour=lambda one: None if one.open else "muted",
        ),
    )


class PeoplePage(Page):
    """The list at the left, one account at the right, the settings below; all of it by key."""

    name = "people"
    icon = "person"

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._calls = StoreCalls(self)
        self._calls.waiting.connect(self._wait)
        self.how = wrapped()
        self.model = TableModel[Account](_columns(), lambda one: one.name, parent=self)
        self.table = TableView(self.model, self.tr("Accounts"))
        self.table.setMinimumHeight(24 * STEP)
        self.new = button(self.tr("New account"), "new")
        self.keys = label(role="muted")
        self.form = AccountForm()
        self.begin = BeginCards()
        self.settings = SettingsCard()
        self._list = QWidget()
        self._lay_out()
        self.table.selectionModel().currentRowChanged.connect(lambda *_: self._show_chosen())
        self.table.opened.connect(lambda _: self.form.take_focus())
        self.new.clicked.connect(self._ask_new)
        key = QShortcut(QKeySequence("N"), self.table)
        key.setContext(Qt.ShortcutContext.WidgetShortcut)
        key.activated.connect(self._ask_new)
        self.form.left.connect(self._back_to_list)
        self.form.make_wanted.connect(self._make)
        self.form.role_wanted.connect(self._change_role)
        self.form.pin_wanted.connect(self._change_pin)
        self.form.close_wanted.connect(self._close)
        self.form.reopen_wanted.connect(self._reopen)
        self.begin.begin_wanted.connect(self._begin)
        self.begin.laptop_wanted.connect(self._mark_laptop)
        self.settings.save_wanted.connect(self._save_settings)

    def _lay_out(self) -> None:
        foot = QHBoxLayout()
        foot.setSpacing(2 * STEP)
        foot.addWidget(self.new)
        foot.addWidget(self.keys, 1)
        left = QVBoxLayout()
        left.setSpacing(STEP)
        left.addWidget(self.table, 1)
        left.addLayout(foot)
        self.form.setFixedWidth(78 * STEP)
        right = QVBoxLayout()
        right.addWidget(self.form)
        right.addStretch(1)
        row = QHBoxLayout(self._list)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(3 * STEP)
        row.addLayout(left, 1)
        row.addLayout(right)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(4 * STEP, 3 * STEP, 4 * STEP, 3 * STEP)
        whole.setSpacing(2 * STEP)
        whole.addWidget(title(self.title()))
        whole.addWidget(self.how)
        whole.addWidget(self._list, 1)
        whole.addWidget(self.begin)
        whole.addWidget(self.settings)
        self._rest = QWidget()
        whole.addWidget(self._rest, 1)

    # ---- what the shell asks ----

    @classmethod
    def title(cls) -> str:
        return tr("People")

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def refresh(self) -> None:
        desk, person = self.context.desk, self.context.person
        try:
            kind, found, now = people.sign_in_kind(desk), people.accounts(desk), settings(desk)
            why_not = people.why_not(desk, person, Job.SETTINGS)
        except CaucusError as error:
            self.context.notices.refuse(error.sentence)
            return
        has_accounts = kind is SignIn.ACCOUNTS
        self.how.setText(_how(kind, people.owner(desk)))
        self._list.setVisible(has_accounts)
        self.begin.setVisible(not has_accounts and not desk.read_only)
        self._rest.setVisible(not has_accounts)
        self.begin.show_kind(kind)
        self.settings.show_settings(now, why_not)
        self.model.set_rows(found)
        if not has_accounts:
            return
        manages = not self._why_no_managing()
        self.new.setVisible(manages)
        if manages:
            keys = self.tr("↓ ↑ choose · Enter changes it · N makes a new one")
        else:
            keys = "" if desk.read_only else self.tr("↓ ↑ choose · Enter sets your own PIN")
        self.keys.setText(keys)
        if self.form.account is not None or not manages:
            self._show_chosen()
        else:
            self.form.ask_new_kept()

    def take_focus(self) -> None:
        if self.begin.isVisibleTo(self):
            self.begin.take_focus()
            return
        if not self.table.current_key:
            self.table.select_key(self.context.person)
        self.table.setFocus()

    def person_changed(self) -> None:
        self.form.ask_new()
        self.begin.forget()
        self.settings.forget()
        self.table.clearSelection()
        self.table.setCurrentIndex(QModelIndex())

    # ---- the account that is shown ----

    def _chosen(self) -> Account | None:
        key = self.table.current_key
        return next((one for one in self.model.rows if one.name == key), None)

    def _show_chosen(self) -> None:
        account = self._chosen()
        if account is None:
            self.form.ask_new(self._why_no_managing())
        else:
            own = same_person(account.name, self.context.person) and not self.context.desk.read_only
            self.form.show_account(account, own=own, why_not=self._why_no_managing())

    def _why_no_managing(self) -> str:
        return people.why_not(self.context.desk, self.context.person, Job.MANAGE_PEOPLE)

    def _ask_new(self) -> None:
        if not self._why_no_managing():
            self.form.ask_new()
            self.form.take_focus()

    def _back_to_list(self) -> None:
        self._show_chosen()
        self.table.setFocus()

    # ---- what is done ----

    def _make(self, name: str, role: str, pin: str) -> None:
        desk, by = self.context.desk, self.context.person

        def done(made: Account) -> None:
            self._changed(self.tr("{0} has an account now, as {1}.").format(made.name, made.role.words))
            self.form.made()

        self._run(lambda: people.make_account(desk, name, Role(role), pin, by=by), done)

    def _change_role(self, role: str) -> None:
        desk, by, name = self.context.desk, self.context.person, self._name()

        def done(changed: Account) -> None:
            self._changed(self.tr("{0} is {1} now.").format(changed.name, changed.role.words))
            self.form.take_focus()

        self._run(lambda: people.change_role(desk, name, Role(role), by=by), done)

    def _change_pin(self, pin: str) -> None:
        desk, by, name = self.context.desk, self.context.person, self._name()

        def done(changed: Account) -> None:
            self.form.pins.clear()
            self.form.refuse("")
            self._changed(self.tr("{0} has a new PIN.").format(changed.name))

        self._run(lambda: people.change_pin(desk, name, pin, by=by), done)

    def _close(self) -> None:
        desk, by, name = self.context.desk, self.context.person, self._name()

        def done(closed: Account) -> None:
            self._changed(
                self.tr("The account of {0} is closed. Its name stays in the audit trail.").format(
                    closed.name
                )
            )
            self.form.take_focus()

        self._run(lambda: people.close_account(desk, name, by=by), done)

    def _reopen(self) -> None:
        desk, by, name = self.context.desk, self.context.person, self._name()

        def done(opened: Account) -> None:
            self._changed(self.tr("The account of {0} is open again.").format(opened.name))
            self.form.take_focus()

        self._run(lambda: people.reopen_account(desk, name, by=by), done)

    def _name(self) -> str:
        account = self.form.account
        return "" if account is None else account.name

    def _begin(self, name: str, pin: str) -> None:
        desk = self.context.desk

        def done(made: Account) -> None:
            self.begin.forget()
            self.context.set_person(made.name)
            self._changed(
                self.tr(
                    "{0} is the administrator. From here on everybody signs in: make the other accounts now."
                ).format(made.name)
            )
            self.take_focus()

        self._run(lambda: people.make_first_administrator(desk, name, pin), done)

    def _mark_laptop(self) -> None:
        desk, by = self.context.desk, self.context.person
        self._run(
            lambda: people.mark_own_laptop(desk, by),
            lambda _: self._changed(
                self.tr("This is the own laptop of {0} now: nobody signs in.").format(by)
            ),
        )

    def _save_settings(self, changes: list[tuple[str, str]]) -> None:
        desk, by = self.context.desk, self.context.person
        if not changes:
            self.settings.saved()
            return
        trying = ""

        def work() -> None:
            nonlocal trying
            for key, text in changes:
                trying = key
                change_setting(desk, key, text, by=by)

        def done(_: None) -> None:
            self.settings.saved()
            self._changed(self.tr("The settings are saved."))

        self._calls.run(work, done, lambda refusal: self.settings.refuse_key(trying, refusal.sentence))

    def _run(self, work: Callable[[], object], done: Callable[..., None]) -> None:
        self._calls.run(work, done, self._refused)

    def _refused(self, refusal: CaucusError) -> None:
        if self.form.isVisibleTo(self):
            self.form.refuse(refusal.sentence)
        else:
            self.begin.accounts.refuse(refusal.sentence)

    def _changed(self, sentence: str) -> None:
        self.form.refuse("")
        self.context.saved.emit(datetime.now(UTC))
        self.context.changed.emit()  # what each may do can be another thing on every page
        self.context.notices.done(sentence)

    def _wait(self, waiting: bool) -> None:
        self.setEnabled(not waiting)
        if waiting:
            self.context.notices.say(self.tr("Waiting for the store, which another program holds…"))
        else:
            self.context.notices.clear()


def _how(kind: SignIn, owner: str) -> str:
    if kind is SignIn.ACCOUNTS:
        return tr("Everybody signs in with name and PIN (F8). One role a person; the desk holds to it.")
    if kind is SignIn.OWN_LAPTOP:
        said = tr("The own laptop of {0}: nobody signs in, and whoever sits here may do everything.")
        return said.format(owner)
    return tr(
        "A name is enough here: nobody proves who they are, and everybody may do everything. That two people "
        "key each precinct rests on their word."
    )
