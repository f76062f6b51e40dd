"""Making a new caucus: a name, a rule set, a roster that is looked at first, and where the store goes."""

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from caucus_desk.desk import creating
from caucus_desk.desk.people import SignIn
from caucus_desk.desk.places import is_address, taken
from caucus_desk.desk.previewing import RosterPreview, preview_roster
from caucus_desk.rules.errors import CaucusError
from caucus_desk.tally.progress import Progress
from caucus_desk.tally.roster import Precinct
from caucus_desk.ui.documents import documents
from caucus_desk.ui.people.parts import PinPair
from caucus_desk.ui.widgets.basics import STEP, Choices, button, heading, wrapped
from caucus_desk.ui.widgets.jobs import Jobs
from caucus_desk.ui.widgets.problems import ProblemTable, problems_of
from caucus_desk.ui.widgets.table import ColumnSpec, TableModel, TableView
from caucus_desk.ui.words import number, tr


def _columns() -> tuple[ColumnSpec[Precinct], ...]:
    return (
        ColumnSpec(tr("County"), 130, lambda precinct: precinct.county),
        ColumnSpec(tr("Precinct"), 220, lambda precinct: precinct.name),
        ColumnSpec(tr("Id"), 110, lambda precinct: precinct.id),
        ColumnSpec(tr("District"), 66, lambda precinct: precinct.district or "–"),
        ColumnSpec(
            tr("Elects"),
            66,
            lambda precinct: number(precinct.delegates),
            lambda p: p.delegates or 0,
            number=True,
        ),
    )


class NewCaucus(QWidget):
    """`made` carries the open desk and who made it."""

    made = Signal(object, str)
    closed = Signal()

    def __init__(self, jobs: Jobs) -> None:
        super().__init__()
        self._jobs = jobs
        self.person = QLineEdit()
        self.rules = QComboBox()
        for name in creating.rule_set_names():
            self.rules.addItem(name)
        self.name_field = QLineEdit()
        self.roster = QLineEdit()
        self.candidates = QLineEdit()
        self.sign_in = Choices(
            [
                (SignIn.ACCOUNTS.value, self.tr("Accounts with a PIN")),
                (SignIn.OWN_LAPTOP.value, self.tr("One person, own laptop")),
                (SignIn.NAMES.value, self.tr("A name is enough")),
            ],
            self.tr("Who signs in"),
        )
        self.sign_in_means = wrapped(role="muted")
        self.pins = PinPair()
        self.location = QLineEdit(str(documents() / "caucus.sqlite"))
        self.look = button(self.tr("Look at the roster"), "search")
        self.make = button(self.tr("Make the caucus"), role="primary")
        self.back = button(self.tr("Back"), "back", role="quiet")
        self.outcome = wrapped()
        self.preview_model = TableModel[Precinct](_columns(), lambda precinct: precinct.id, parent=self)
        self.preview = TableView(self.preview_model, self.tr("The roster's first rows"))
        self.warnings = QPlainTextEdit()
        self.warnings.setReadOnly(True)
        self.warnings.setAccessibleName(self.tr("What is odd in the roster"))
        self.warnings.setMaximumHeight(100)
        self.problems = ProblemTable()
        self._lay_out()
        self.back.clicked.connect(self.closed)
        self.look.clicked.connect(self.look_at_roster)
        self.make.clicked.connect(self._make)
        self.rules.currentTextChanged.connect(self._name_from_rules)
        self.sign_in.chosen.connect(self._show_sign_in)
        self.pins.entered.connect(lambda: self._go_on(self.pins.again))
        self._name_from_rules(self.rules.currentText())
        self._show_parts()
        self._show_sign_in(self.sign_in.key)

    # ---- building ----

    def _lay_out(self) -> None:
        form = QGridLayout()
        form.setHorizontalSpacing(2 * STEP)
        form.setVerticalSpacing(2 * STEP)
        form.setColumnStretch(1, 1)
        self._line(form, 0, self.tr("&Your name"), self.person)
        who = QVBoxLayout()
        who.setSpacing(STEP)
        row = QHBoxLayout()
        row.addWidget(self.sign_in)
        row.addStretch(1)
        who.addLayout(row)
        who.addWidget(self.sign_in_means)
        who.addWidget(self.pins)
        form.addWidget(QLabel(self.tr("Who signs in")), 1, 0, Qt.AlignmentFlag.AlignTop)
        form.addLayout(who, 1, 1, 1, 2)
        self._line(form, 2, self.tr("&Rule set"), self.rules)
        self._line(form, 3, self.tr("Caucus &name"), self.name_field)
        self._line(form, 4, self.tr("Ros&ter file"), self.roster, self._browse_button(self.roster))
        self._line(
            form, 5, self.tr("C&andidates file"), self.candidates, self._browse_button(self.candidates)
        )
        self._line(form, 6, self.tr("&Store (new file)"), self.location, self._save_button())
        self.person.setPlaceholderText(self.tr("kept with what you make"))
        self.roster.setPlaceholderText(
            self.tr("a .csv or .xlsx file with county, precinct and county_delegates")
        )
        self.candidates.setPlaceholderText(self.tr("only if the ballot differs from the rule set's"))
        buttons = QHBoxLayout()
        buttons.setSpacing(2 * STEP)
        buttons.addWidget(self.back)
        buttons.addStretch(1)
        buttons.addWidget(self.look)
        buttons.addWidget(self.make)
        card = QFrame()
        card.setProperty("role", "card")
        inside = QVBoxLayout(card)
        inside.setContentsMargins(4 * STEP, 3 * STEP, 4 * STEP, 3 * STEP)
        inside.setSpacing(2 * STEP)
        inside.addWidget(heading(self.tr("A new caucus")))
        inside.addLayout(form)
        inside.addLayout(buttons)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(2 * STEP)
        whole.addWidget(card)
        whole.addWidget(self.outcome)
        whole.addWidget(self.problems, 1)
        whole.addWidget(self.preview, 1)
        whole.addWidget(self.warnings)
        whole.addStretch(0)

    def _line(
        self, form: QGridLayout, row: int, text: str, field: QWidget, browse: QPushButton | None = None
    ) -> None:
        name = QLabel(text)
        name.setBuddy(field)
        field.setAccessibleName(text.replace("&", ""))
        form.addWidget(name, row, 0)
        if browse is None:
            form.addWidget(field, row, 1, 1, 2)
        else:
            form.addWidget(field, row, 1)
            form.addWidget(browse, row, 2)

    def _browse_button(self, field: QLineEdit) -> QPushButton:
        made = button(self.tr("Browse…"), "folder")

        def browse() -> None:
            kinds = self.tr("Tables (*.csv *.xlsx);;All files (*)")
            chosen, _ = QFileDialog.getOpenFileName(self, self.tr("Choose a file"), field.text(), kinds)
            if chosen:
                field.setText(chosen)
                if field is self.roster:
                    self.look_at_roster()

        made.clicked.connect(browse)
        return made

    def _save_button(self) -> QPushButton:
        made = button(self.tr("Browse…"), "folder")

        def browse() -> None:
            kinds = self.tr("Caucus (*.sqlite);;All files (*)")
            chosen, _ = QFileDialog.getSaveFileName(
                self, self.tr("Where the store goes"), self.location.text(), kinds
            )
            if chosen:
                self.location.setText(chosen)

        made.clicked.connect(browse)
        return made

    # ---- who signs in ----

    def _show_sign_in(self, key: str) -> None:
        kind = SignIn(key)
        self.pins.setVisible(kind is SignIn.ACCOUNTS)
        self.sign_in_means.setText(
            {
                SignIn.NAMES: self.tr("Nobody proves who they are. Accounts can be made later."),
                SignIn.ACCOUNTS: self.tr(
                    "Many people, each with a role. You become the administrator, who makes the others and "
                    "keys no figures; this is your PIN:"
                ),
                SignIn.OWN_LAPTOP: self.tr(
                    "Nobody signs in. Where somebody else must key, a second name is asked for."
                ),
            }[kind]
        )

    # ---- keys ----

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter in a field goes on to the next that is wanted; when nothing is, it makes the caucus."""
        inside = self.focusWidget()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and isinstance(inside, QLineEdit | QComboBox):
            if not event.isAutoRepeat():
                self._go_on(inside)
            event.accept()
        else:
            super().keyPressEvent(event)

    def _go_on(self, inside: QWidget) -> None:
        if not self.make.isEnabled():
            return
        wanted: list[QWidget] = [self.person] if not self.person.text().strip() else []
        if self._accounts and self.pins.fault:
            wanted.append(self.pins)
        wanted += [field for field in (self.roster, self.location) if not field.text().strip()]
        if not wanted or inside in wanted or (wanted[0] is self.pins and inside is self.pins.again):
            self._make()  # says what is missing, beside its field
        elif wanted[0] is self.pins:
            self.pins.take_focus()
        else:
            wanted[0].setFocus()

    @property
    def _accounts(self) -> bool:
        return self.sign_in.key == SignIn.ACCOUNTS

    # ---- looking ----

    def take_focus(self) -> None:
        self.person.setFocus()

    def look_at_roster(self) -> None:
        """Read the roster and show what is in it, or everything that is wrong with it."""
        roster, rules = self.roster.text().strip(), self.rules.currentText()
        if not roster:
            self._say(self.tr("Name a roster file first."), "bad")
            self.roster.setFocus()
            return

        def work(progress: Progress) -> RosterPreview:
            return preview_roster(Path(roster).expanduser(), rules, progress)

        self._busy(True)
        self._jobs.run(
            self.tr("Reading the roster"), work, self._looked, failed=self._failed, cancelled=self._cancelled
        )

    def _looked(self, preview: RosterPreview) -> None:
        self._busy(False)
        self.preview_model.set_rows(preview.first)
        self.warnings.setPlainText("\n".join(preview.warnings))
        merged = self.tr(", {0} of them merged").format(number(preview.merged)) if preview.merged else ""
        said = self.tr("{0} precincts{1} in {2} counties, {3} satellite sites; {4} county delegates.").format(
            number(preview.precincts),
            merged,
            number(preview.counties),
            number(preview.satellites),
            number(preview.delegates),
        )
        self._say(said, "")
        self._show_parts(preview=True, warnings=bool(preview.warnings))

    # ---- making ----

    def _make(self) -> None:
        roster, location = self.roster.text().strip(), self.location.text().strip()
        person = " ".join(self.person.text().split())
        for text, field, what in (
            (person, self.person, self.tr("Say who you are: it is kept with the new caucus.")),
            (roster, self.roster, self.tr("Name a roster file first.")),
            (location, self.location, self.tr("Say where the store goes.")),
        ):
            if not text:
                self._say(what, "bad")
                field.setFocus()
                return
        if self._accounts and self.pins.fault:
            self._say(self.pins.fault, "bad")
            self.pins.take_focus()
            return
        administrator = creating.FirstAdministrator(person, self.pins.pin) if self._accounts else None
        own_laptop = self.sign_in.key == SignIn.OWN_LAPTOP
        rules, name = self.rules.currentText(), self.name_field.text().strip() or None
        candidates = self.candidates.text().strip()

        try:
            where = taken(location)
        except CaucusError as error:
            self.location.clear()  # it may have a password in it
            self._say(error.sentence, "bad")
            self.location.setFocus()
            return
        if is_address(where):
            self.location.setText(where)
        else:
            where = str(Path(where).expanduser())

        def work(progress: Progress) -> creating.Created:
            if not is_address(where):
                Path(where).parent.mkdir(parents=True, exist_ok=True)
            return creating.create_caucus(
                where,
                rules,
                Path(roster).expanduser(),
                by=person,
                name=name,
                candidates=Path(candidates).expanduser() if candidates else None,
                progress=progress,
                administrator=administrator,
                own_laptop=own_laptop,
            )

        self._busy(True)
        self._jobs.run(
            self.tr("Making the caucus"),
            work,
            lambda created: self._made(created, person),
            failed=self._failed,
            cancelled=self._cancelled,
        )

    def _made(self, created: creating.Created, person: str) -> None:
        self._busy(False)
        self.pins.clear()
        self.made.emit(created.desk, person)

    # ---- saying ----

    def _failed(self, error: CaucusError) -> None:
        self._busy(False)
        found = problems_of(error)
        if found:
            self.problems.set_problems(found)
            self._say(
                self.tr("Nothing was made. Problems in the file: {0}.").format(number(len(found))), "bad"
            )
        else:
            self._say(error.sentence, "bad")
        self._show_parts(problems=bool(found))

    def _cancelled(self) -> None:
        self._busy(False)
        self._say(self.tr("Cancelled. Nothing was made."), "muted")

    def _busy(self, busy: bool) -> None:
        self.look.setEnabled(not busy)
        self.make.setEnabled(not busy)

    def _show_parts(self, *, preview: bool = False, warnings: bool = False, problems: bool = False) -> None:
        self.preview.setVisible(preview)
        self.warnings.setVisible(warnings)
        self.problems.setVisible(problems)
        self.outcome.setVisible(bool(self.outcome.text()))

    def _say(self, text: str, role: str) -> None:
        self.outcome.setText(text)
        self.outcome.setProperty("role", role)
        self.outcome.style().polish(self.outcome)
        self.outcome.setVisible(bool(text))

    def _name_from_rules(self, rules_name: str) -> None:
        try:
            self.name_field.setPlaceholderText(creating.rule_set(rules_name).title)
        except CaucusError as error:
            self._say(error.sentence, "bad")
