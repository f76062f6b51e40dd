"""Recanvasses and recounts: above all of them, below the precincts of the chosen one and what they say."""

from collections.abc import Callable
from datetime import UTC, datetime

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from caucus_desk.desk.entry import EmptyBoxes
from caucus_desk.desk.people import why_not
from caucus_desk.desk.recanvass import NeedsNote, recanvasses, who_may_not
from caucus_desk.desk.recanvassing import account
from caucus_desk.desk.roles import Job
from caucus_desk.rules.errors import CaucusError
from caucus_desk.tally.recanvass import Account, Recanvass
from caucus_desk.ui.chase.asking import Foot
from caucus_desk.ui.chase.tables import KeyTable
from caucus_desk.ui.context import Context
from caucus_desk.ui.keys import hint
from caucus_desk.ui.recanvass.asking import Asking
from caucus_desk.ui.recanvass.keying import Keying
from caucus_desk.ui.recanvass.rows import (
    PrecinctRow,
    RecanvassRow,
    precinct_columns,
    recanvass_columns,
    row_text,
    whole_text,
)
from caucus_desk.ui.widgets.basics import STEP, EmptyState, Places, button, heading, label, wrapped
from caucus_desk.ui.widgets.table import TableModel

_KEYS = ("new", "key", "take", "end", "aside", "back")
_TOPIC = "recanvass"
_AGES_EVERY = 20_000
"""Milliseconds between two looks at the deadlines while the view is shown."""


class RecanvassView(QWidget):
    """A part of the Releases page. `left`: the hand wants back there."""

    left = Signal()
    keying_changed = Signal(bool)
    """A sheet is being keyed, or no longer: its keys are then its own."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context
        self._every: tuple[Recanvass, ...] = ()
        self._accounts: dict[tuple[int, int, str], Account] = {}
        self._barred: dict[str, str] = {}
        self.back = button(self.tr("Back to the releases (Esc)"), role="quiet")
        self.new = button(self.tr("Open one… (N)"))
        self.model = TableModel[RecanvassRow](
            recanvass_columns(), lambda row: str(row.one.number), None, self
        )
        self.table = KeyTable(self.model, self.tr("Recanvasses and recounts"))
        self.said = wrapped()
        self.precinct_model = TableModel[PrecinctRow](
            precinct_columns(context.rules), lambda row: row.precinct.id, None, self
        )
        self.precincts = KeyTable(self.precinct_model, self.tr("Precincts that are counted again"))
        self.detail = wrapped()
        self.nothing = EmptyState(
            "releases",
            self.tr("No recanvass was opened yet"),
            self.tr(
                "A campaign asks, a lead opens it: chosen precincts are keyed again by someone who keyed "
                "neither report, and compared with what was released. N opens one."
            ),
        )
        self.foot = Foot()
        self.keying = Keying(context.rules)
        self.asking = Asking(context, self.foot, self)
        self._list = QWidget(self)
        self._places = Places()
        self._lay_out()
        self._connect()
        self._timer = QTimer(self)
        self._timer.setInterval(_AGES_EVERY)
        self._timer.timeout.connect(self._show_all)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.addWidget(heading(self.tr("Recanvass and recount")))
        head.addStretch(1)
        head.addWidget(self.new)
        head.addWidget(self.back)
        self._tables = QWidget()
        tables = QVBoxLayout(self._tables)
        tables.setContentsMargins(0, 0, 0, 0)
        tables.setSpacing(STEP)
        tables.addWidget(self.table)
        tables.addWidget(self.said)
        tables.addWidget(label(self.tr("Precincts"), bold=True))
        tables.addWidget(self.precincts, 100)
        tables.addWidget(self.detail)
        tables.addStretch(1)
        column = QVBoxLayout(self._list)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(STEP)
        column.addLayout(head)
        column.addWidget(self._tables, 1)
        column.addWidget(self.nothing, 1)
        column.addWidget(self.foot)
        self._places.addWidget(self._list)
        self._places.addWidget(self.keying)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._places, 1)
        self.foot.show_keys(hint(*(f"recanvass.{name}" for name in _KEYS)))

    def _connect(self) -> None:
        self.back.clicked.connect(self.left)
        self.new.clicked.connect(lambda: self._letter("N"))
        self.table.selectionModel().currentRowChanged.connect(lambda *_: self._chosen_changed())
        self.table.opened.connect(lambda _: self._to_precincts())
        self.precincts.selectionModel().currentRowChanged.connect(lambda *_: self._show_detail())
        self.precincts.opened.connect(lambda _: self._key())
        for table, way in ((self.table, 1), (self.precincts, -1)):
            table.letter.connect(lambda letter, _: self._letter(letter))
            table.aside.connect(lambda to, way=way: self._aside(to, way))
        self.precincts.filter_wanted.connect(lambda: self._to_table())
        self.foot.left.connect(self._asked)
        self.asking.done.connect(self.refresh)
        self.asking.opened.connect(self._opened)
        self.keying.left.connect(self._leave_keying)
        self.keying.submit_wanted.connect(self._submit)
        self.context.covers_changed.connect(self._if_visible)

    # ---- what the page asks ----

    @property
    def store_is_busy(self) -> bool:
        return self.asking.busy

    @property
    def waiting(self) -> int:
        """Recanvasses that are not ended; as of the last look."""
        return sum(one.end is None for one in self._every)

    def refresh(self) -> None:
        try:
            self._every = recanvasses(self.context.desk)
        except CaucusError as error:
            self.context.notices.refuse(error.sentence)
            return
        self._read_barred()
        self._show_all()
        self._compare()

    def take_focus(self) -> bool:
        if self._places.currentWidget() is self.keying:
            self.keying.take_focus()
        elif self.foot.asking:
            line, bar = self.foot.line, self.foot.bar
            (line.field if self.foot.currentWidget() is line else bar).setFocus()
        elif self.precinct_model.shown and not self.table.hasFocus():
            self.precincts.setFocus(Qt.FocusReason.TabFocusReason)
        else:
            self._to_table()
        return True

    def person_changed(self) -> None:
        self.keying.forget()
        self._leave_keying()
        if self.foot.asking:
            self.foot.leave()
        self.refresh()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._timer.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._timer.stop()

    # ---- showing ----

    def _if_visible(self) -> None:
        if self.isVisible():
            self.refresh()

    def _show_all(self) -> None:
        now = datetime.now(UTC)
        self.model.set_rows([RecanvassRow(one, now) for one in reversed(self._every)])
        if self.model.shown and self.table.currentIndex().row() < 0:
            self.table.selectRow(0)
        self.table.fit_rows()
        self._tables.setVisible(bool(self._every))
        self.nothing.setVisible(not self._every)
        self._show_chosen()

    @property
    def chosen(self) -> Recanvass | None:
        row = self.model.row_at(self.table.currentIndex())
        return None if row is None else row.one

    def _found(self, one: Recanvass) -> Account | None:
        return self._accounts.get(_state(self.context, one))

    def _chosen_changed(self) -> None:
        self._read_barred()
        self._show_chosen()
        self._compare()

    def _read_barred(self) -> None:
        one, by = self.chosen, self.context.person
        self._barred = {}
        if one is not None and by:
            try:
                self._barred = who_may_not(self.context.desk, one.number, by)
            except CaucusError as error:
                self.context.notices.refuse(error.sentence)

    def _show_chosen(self) -> None:
        one = self.chosen
        if one is None:
            self.precinct_model.set_rows([])
            self.said.setText("")
            return
        found = self._found(one)
        done = one.standing()
        differences = (
            {} if found is None else {each.precinct.id: each for each in found.comparing.differences}
        )
        results, eyes = self.context.overview.results, self.context.eyes
        self.precinct_model.set_rows(
            [
                PrecinctRow(
                    self.context.desk.precinct(id),
                    done.get(id),
                    differences.get(id),
                    None if found is None else found.taken.get(id),
                    not eyes.may_see(results[id]),
                    self._barred.get(id, ""),
                )
                for id in one.ids
            ]
        )
        if self.precinct_model.shown and self.precincts.currentIndex().row() < 0:
            self.precincts.selectRow(0)
        self.precincts.fit_rows()
        self.said.setText(whole_text(self.context.rules, one, found))
        self._show_detail()

    def _show_detail(self) -> None:
        row = self.precinct_model.row_at(self.precincts.currentIndex())
        self.detail.setText("" if row is None else row_text(self.context.rules, row))

    def _compare(self) -> None:
        """A second or so on a whole state: nobody waits for it."""
        one = self.chosen
        if one is None or not one.sheets or self._found(one) is not None:
            return
        state, desk = _state(self.context, one), self.context.desk

        def compared(found: Account) -> None:
            self._accounts = {key: kept for key, kept in self._accounts.items() if key[0] != one.number}
            self._accounts[state] = found
            self._show_chosen()

        self.context.thinker.ask(_TOPIC, lambda _: account(desk, one.number), compared)

    # ---- going about ----

    def _asked(self) -> None:
        if self.isVisible():
            self.take_focus()

    def _to_table(self) -> None:
        (self.table if self.model.shown else self.new).setFocus(Qt.FocusReason.TabFocusReason)

    def _to_precincts(self) -> None:
        self.precincts.setFocus(Qt.FocusReason.TabFocusReason)

    def _aside(self, to: int, way: int) -> None:
        if to == way:
            self._to_precincts() if way > 0 else self._to_table()

    def _opened(self, number: int) -> None:
        self.refresh()
        self.table.select_key(str(number))
        self._to_precincts()

    def _letter(self, letter: str) -> None:
        if self.foot.asking or self.asking.busy:
            return
        one = self.chosen
        row = self.precinct_model.row_at(self.precincts.currentIndex())
        if letter == "N":
            self._if_allowed(Job.RECANVASS, lambda: self.asking.open())
        elif letter == "E" and one is not None:
            self._if_allowed(Job.RECANVASS, lambda: self.asking.end(one))
        elif letter == "T" and one is not None and row is not None:
            if row.sheet is None:
                self.context.notices.say(self.tr("It is not keyed yet: there is nothing to take."))
            else:
                self._if_allowed(Job.REVIEW, lambda: self.asking.take(one, row.precinct))

    def _if_allowed(self, job: Job, then: Callable[[], None]) -> None:
        said = why_not(self.context.desk, self.context.person, job)
        if said:
            self.context.notices.refuse(said)
        else:
            then()

    # ---- keying ----

    def _key(self) -> None:
        one = self.chosen
        row = self.precinct_model.row_at(self.precincts.currentIndex())
        if one is None or row is None:
            return
        notices = self.context.notices
        if one.end is not None:
            notices.say(self.tr("{0} has ended.").format(one.name))
        elif row.barred:
            notices.refuse(row.barred)
        else:
            self._if_allowed(Job.KEY, lambda: self._begin(one, row))

    def _begin(self, one: Recanvass, row: PrecinctRow) -> None:
        self.context.notices.clear()
        self._places.setCurrentWidget(self.keying)
        self.keying_changed.emit(True)
        self.keying.start(one, row.precinct, self.context.person)

    def _submit(self, note: str = "") -> None:
        keying = self.keying
        one, precinct = keying.recanvass, keying.precinct
        if one is None or precinct is None or self.asking.busy:
            return
        step = keying.step
        step.lock(True)
        said = "; ".join(part for part in (step.note, note) if part)

        def done() -> None:
            step.lock(False)
            keying.submitted()
            self._leave_keying()
            self.refresh()

        def failed(refusal: CaucusError) -> None:
            step.lock(False)
            if isinstance(refusal, EmptyBoxes):
                step.show_empty(refusal.fields, refusal.sentence)
            elif isinstance(refusal, NeedsNote) and step.read_back.missing:
                step.show_missing_reasons()
            elif isinstance(refusal, NeedsNote):
                self._ask_note(refusal)
            else:
                self.context.notices.refuse(refusal.sentence)

        self.asking.key(one, precinct, step.sheet, said, done, failed)

    def _ask_note(self, refusal: NeedsNote) -> None:
        """Keyed before by another person: why once more."""
        self.context.notices.warn(refusal.sentence)
        self.keying.ask_note(self.tr("Why is it keyed once more?"))

    def _leave_keying(self) -> None:
        if self._places.currentWidget() is self.keying:
            self._places.setCurrentWidget(self._list)
            self.keying_changed.emit(False)
            self.refresh()
            if self.isVisible():
                self._to_precincts()

    def escape(self) -> None:
        """Esc outside a sheet: what is asked is left, else the view."""
        if self.foot.asking:
            self.foot.leave()
        else:
            self.left.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self._places.currentWidget() is self._list:
            self.escape()
        elif event.text().upper() == "N" and self._places.currentWidget() is self._list:
            self._letter("N")
        else:
            super().keyPressEvent(event)


def _state(context: Context, one: Recanvass) -> tuple[int, int, str]:
    """What a comparison depends on: what is keyed, and whether it was taken as a report of its precinct."""
    results = context.overview.results
    reports = (",".join(str(report.id) for report in results[id].heads.values()) for id in one.ids)
    return one.number, len(one.sheets), "|".join(reports)
