"""Section 1: every release, and what is to be known of the chosen one."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from caucus_desk.desk.gating import title_of
from caucus_desk.desk.people import why_not
from caucus_desk.desk.releases import Pass, Release, frozen, releases
from caucus_desk.desk.roles import Job
from caucus_desk.rules.errors import CaucusError
from caucus_desk.tally.overview import Overview
from caucus_desk.ui.context import Context
from caucus_desk.ui.releases.rows import (
    ReleaseLine,
    approval_sign,
    counting_words,
    made_at,
    pass_columns,
    release_columns,
)
from caucus_desk.ui.widgets.basics import STEP, EmptyState, button, heading, label, wrapped
from caucus_desk.ui.widgets.table import TableModel, TableView
from caucus_desk.ui.words import number

TOPIC = "coverage of releases"


class ReleaseTable(TableView):
    """Letters are the page's."""

    letter = Signal(str)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        plain = not event.modifiers() & (
            Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
        )
        if plain and event.text().isalpha() and not event.isAutoRepeat():
            self.letter.emit(event.text().upper())
        else:
            super().keyPressEvent(event)


class ListSection(QWidget):
    """`compare_wanted` carries a release's number; so do the others."""

    compare_wanted = Signal(int)
    write_wanted = Signal(int)
    approve_wanted = Signal(int)

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.context = context
        self._made: tuple[Release, ...] = ()
        self._counted: dict[int, tuple[int, int]] = {}
        self.nothing = EmptyState(
            "releases",
            self.tr("Nothing has been released yet"),
            self.tr("A lead makes release 1 at the gate: key 2. What is released is frozen, sheet by sheet."),
        )
        self.model = TableModel[ReleaseLine](release_columns(), lambda line: line.key, parent=self)
        self.table = ReleaseTable(self.model, self.tr("Releases"))
        self.name = heading("")
        self.approval = wrapped()
        self.told = wrapped(role="muted")
        self.note = wrapped()
        self.digest = label()
        self.digest.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.passes_title = label(self.tr("Passed at the gate"), bold=True)
        self.pass_model = TableModel[Pass](pass_columns(title_of), lambda one: one.item, parent=self)
        self.passes = TableView(self.pass_model, self.tr("Passed at the gate"))
        self.write = button(self.tr("Write file… (W)"), "export")
        self.approve = button(self.tr("Approve (A)"), "good")
        self.compare = button(self.tr("Compare (Enter)"), "mismatched")
        self.why = wrapped(role="muted")
        self._lay_out()
        self.table.selectionModel().currentRowChanged.connect(lambda: self._show_one())
        self.table.opened.connect(lambda key: self.compare_wanted.emit(int(key)))
        self.table.letter.connect(self._letter)
        self.write.clicked.connect(lambda: self._emit(self.write_wanted))
        self.approve.clicked.connect(lambda: self._emit(self.approve_wanted))
        self.compare.clicked.connect(lambda: self._emit(self.compare_wanted))

    def _lay_out(self) -> None:
        card = QFrame()
        card.setProperty("role", "card")
        self._card = card
        column = QVBoxLayout(card)
        column.setContentsMargins(2 * STEP, 2 * STEP, 2 * STEP, 2 * STEP)
        column.setSpacing(STEP)
        deeds = QHBoxLayout()
        deeds.setSpacing(STEP)
        for made in (self.write, self.approve, self.compare):
            deeds.addWidget(made)
        deeds.addStretch(1)
        for part in (self.name, self.told, self.approval, self.note, self.digest):
            column.addWidget(part)
        column.addLayout(deeds)
        column.addWidget(self.why)
        column.addWidget(self.passes_title)
        column.addWidget(self.passes)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(2 * STEP)
        whole.addWidget(self.nothing, 1)
        whole.addWidget(self.table, 1)
        whole.addWidget(card)
        whole.addStretch(1)
        self.table.setMinimumHeight(20 * STEP)

    # ---- showing ----

    @property
    def chosen(self) -> Release | None:
        key = self.table.current_key
        return next((one for one in self._made if str(one.number) == key), None)

    @property
    def made(self) -> tuple[Release, ...]:
        """Every release, the oldest first, as of the last look."""
        return self._made

    def show_releases(self) -> None:
        try:
            self._made = releases(self.context.desk)
        except CaucusError as error:
            self.context.notices.refuse(error.sentence)
            return
        self._fill()
        lacking = [one.number for one in self._made if one.number not in self._counted]
        if lacking:
            desk = self.context.desk

            def work(overview: Overview) -> dict[int, tuple[int, int]]:
                counts = {}
                for one in lacking:
                    held = frozen(desk, one).values()
                    counts[one] = (sum(entry.counted for entry in held), len(held))
                return counts

            self.context.thinker.ask(TOPIC, work, self._count)

    def _count(self, counts: dict[int, tuple[int, int]]) -> None:
        self._counted.update(counts)
        self._fill()

    def _fill(self) -> None:
        lines = [
            ReleaseLine(one, *self._counted.get(one.number, (None, None))) for one in reversed(self._made)
        ]
        self.model.set_rows(lines)
        self.nothing.setVisible(not lines)
        self.table.setVisible(bool(lines))
        self.table.fit_rows()
        self.table.setMinimumHeight(min(self.table.maximumHeight(), 30 * STEP))
        if lines and self.chosen is None:
            self.table.select_key(lines[0].key)
        self._show_one()

    def _show_one(self) -> None:
        one = self.chosen
        self._card.setVisible(one is not None)
        if one is None:
            return
        self.name.setText(self.tr("Release {0}").format(number(one.number)))
        self.told.setText(
            self.tr("Made {0} by {1}, counting {2}; newest report: {3}.").format(
                made_at(one.at), one.by, counting_words(one.counting), number(one.newest_report)
            )
        )
        sign = approval_sign(one)
        self.approval.setText(self.tr("Approval: {0}.").format(sign.word))
        self.note.setText(one.note)
        self.note.setVisible(bool(one.note))
        self.digest.setText(self.tr("Digest {0}").format(one.digest))
        self.pass_model.set_rows(one.passes)
        self.passes.fit_rows(whole=True)
        self.passes.setVisible(bool(one.passes))
        self.passes_title.setVisible(bool(one.passes))
        self._say_deeds(one)

    def _say_deeds(self, one: Release) -> None:
        desk, person = self.context.desk, self.context.person
        said = []
        export = why_not(desk, person, Job.EXPORT)
        self.write.setEnabled(not one.waiting and not export)
        if one.waiting:
            said.append(self.tr("Nothing of it goes out before another lead has approved it."))
            if refusal := why_not(desk, person, Job.RELEASE):
                said.append(refusal)
        elif export:
            said.append(export)
        self.approve.setVisible(one.waiting)
        self.approve.setEnabled(not why_not(desk, person, Job.RELEASE))
        self.why.setText(" ".join(said))
        self.why.setVisible(bool(said))

    # ---- what the person does ----

    def choose(self, release_number: int) -> None:
        self.table.select_key(str(release_number))

    def _letter(self, letter: str) -> None:
        made = {"W": self.write, "A": self.approve}.get(letter)
        if made is not None and made.isVisible():
            made.click()

    def _emit(self, signal: object) -> None:
        one = self.chosen
        if one is not None:
            signal.emit(one.number)  # type: ignore[attr-defined]

    def take_focus(self) -> bool:
        if not self._made:
            return False
        self.table.setFocus()
        return True
