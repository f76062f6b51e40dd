"""The Calls page: first whom to call back, then every call that came, newest first."""

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from caucus_desk.desk import calls
from caucus_desk.desk.callbacks import CallBack
from caucus_desk.rules.errors import CaucusError
from caucus_desk.tally.call import Call, CallEnd
from caucus_desk.ui.calls.back_view import BackView
from caucus_desk.ui.calls.rows import (
    BackRow,
    CallRow,
    back_columns,
    back_row,
    back_text,
    call_columns,
    call_text,
)
from caucus_desk.ui.context import Context
from caucus_desk.ui.entry.wording import counted
from caucus_desk.ui.page import Page
from caucus_desk.ui.results.areas import FilterField
from caucus_desk.ui.store_calls import StoreCalls
from caucus_desk.ui.widgets.basics import STEP, EmptyState, Places, heading, label, title
from caucus_desk.ui.widgets.table import ROW_HEIGHT, TableModel, TableView
from caucus_desk.ui.words import clock, tr

_LISTED = 500
"""Calls that are listed; the older ones are in the trail."""
_MOST_BACK = 7
"""Rows of the call-back list that are shown without scrolling."""
_AGE_EVERY = 20_000
"""Milliseconds after which waiting times, and calls that other desks took, are looked at again."""


class CallsPage(Page):
    """No figures are shown here, so nothing is covered: who called, what was proved, how it ended."""

    name = "calls"
    icon = "calls"
    waiting_is_told = False

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._backs: tuple[CallBack, ...] = ()
        self.filter = FilterField()
        self.filter.setClearButtonEnabled(True)
        self.filter.setPlaceholderText(self.tr("Any part of precinct, county, caller, number, end or note"))
        self.filter.setAccessibleName(self.tr("Filter the calls"))
        self.back_model: TableModel[BackRow] = TableModel(back_columns(), lambda row: row.key, back_text)
        self.backs = TableView(self.back_model, self.tr("To call back"))
        self.call_model: TableModel[CallRow] = TableModel(call_columns(), lambda row: row.key, call_text)
        self.calls = TableView(self.call_model, self.tr("Calls, newest first"))
        for view in (self.backs, self.calls):
            view.horizontalHeader().setStretchLastSection(True)
        self._none_back = label(self.tr("Nobody waits for a call back."), "muted")
        self._none = EmptyState(
            "calls",
            self.tr("No call yet"),
            self.tr("Each call is recorded when it ends, on Entry: with results, or by F2, F3, F9 or F10."),
        )
        self._back_count, self._count = label(role="muted"), label(role="muted")
        self.view = BackView()
        self._lay_out()
        self._store = store = StoreCalls(self)
        self.destroyed.connect(lambda: store.stop())
        self._store.waiting.connect(self._waits)
        self._ages = QTimer(self, interval=_AGE_EVERY)
        self._ages.timeout.connect(self._look_again)
        self.filter.textChanged.connect(self._filter)
        self.filter.down.connect(self._into_list)
        self.filter.returnPressed.connect(self._into_list)
        self.backs.opened.connect(self.open_back)
        self.calls.opened.connect(self._open_call)
        self.view.left.connect(self._leave)
        self.view.ended.connect(lambda end, note: self._end(CallEnd(end), note))
        self.view.code_said.connect(self._compare)
        self.view.sheet_wanted.connect(self._key_sheet)

    def _lay_out(self) -> None:
        lists = QWidget()
        column = QVBoxLayout(lists)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(STEP)
        head = QHBoxLayout()
        head.addWidget(title(self.tr("Calls")))
        head.addStretch(1)
        column.addLayout(head)
        column.addWidget(self.filter)
        column.addLayout(_headed(self.tr("To call back"), self._back_count))
        column.addWidget(self._none_back)
        column.addWidget(self.backs)
        column.addSpacing(STEP)
        column.addLayout(_headed(self.tr("Calls"), self._count))
        column.addWidget(self.calls, 1)
        column.addWidget(self._none, 1)
        keys = self.tr("↓ from the filter into the list · Tab to the other list · Enter opens")
        column.addWidget(label(keys, "muted"))
        self._places = Places()
        self._places.addWidget(lists)
        self._places.addWidget(self.view)
        page = QVBoxLayout(self)
        page.setContentsMargins(4 * STEP, 3 * STEP, 4 * STEP, 2 * STEP)
        page.addWidget(self._places)

    # --- what the shell asks --------------------------------------------------------------------

    @classmethod
    def title(cls) -> str:
        return tr("Calls")

    @classmethod
    def waiting(cls, context: Context) -> int | None:
        return len(calls.call_backs(context.desk)) or None

    def count(self) -> int | None:
        self._read_backs()
        return len(self._backs) or None

    def refresh(self) -> None:
        self._read_backs()
        desk = self.context.desk
        try:
            made = calls.calls(desk, limit=_LISTED)
        except CaucusError as error:
            self.context.notices.refuse(error.sentence)
            return
        precincts = desk.precincts
        self.call_model.set_rows([CallRow(one, precincts.get(one.precinct_id or "")) for one in made])
        self._show_ages()
        self._show_counts()
        self.count_changed.emit()

    def take_focus(self) -> None:
        if self._opened:
            self.view.take_focus()
        elif self.back_model.shown:
            self._into(self.backs)
        else:
            self.filter.setFocus(Qt.FocusReason.TabFocusReason)

    def open_precinct(self, precinct_id: str) -> None:
        """The call-back about it, if there is one; else its calls."""
        self._leave()
        found = next((row for row in self.back_model.rows if row.precinct.id == precinct_id), None)
        if found is not None:
            self.open_back(found.key)
        else:
            self.filter.setText(precinct_id)
            self.filter.setFocus(Qt.FocusReason.TabFocusReason)

    def person_changed(self) -> None:
        self.view.row = None
        self._places.setCurrentIndex(0)
        self.filter.clear()

    def showEvent(self, event: QShowEvent) -> None:
        """A call without a precinct changes no figures, so nobody tells of it."""
        super().showEvent(event)
        self.refresh()
        self._ages.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._ages.stop()

    def _look_again(self) -> None:
        if not self._opened:
            self.refresh()

    # --- the lists ------------------------------------------------------------------------------

    @property
    def _opened(self) -> bool:
        return self._places.currentIndex() == 1

    def _read_backs(self) -> None:
        """Where the store does not answer, the last known stay."""
        try:
            self._backs = calls.call_backs(self.context.desk)
        except CaucusError as error:
            self.context.notices.refuse(error.sentence)

    def _show_ages(self) -> None:
        precincts = self.context.desk.precincts
        self.back_model.set_rows([back_row(one, precincts[one.precinct_id]) for one in self._backs])
        self._fit_backs()

    def _fit_backs(self) -> None:
        """The list is as high as what is in it, up to a limit; the calls take the rest."""
        count = len(self.back_model.shown)
        self.backs.setVisible(bool(count))
        self._none_back.setVisible(not count)
        head = self.backs.horizontalHeader().sizeHint().height()
        self.backs.setFixedHeight(head + ROW_HEIGHT * min(max(count, 1), _MOST_BACK) + 4)

    def _show_counts(self) -> None:
        for words, model, one, many in (
            (self._back_count, self.back_model, self.tr("waits"), self.tr("wait")),
            (self._count, self.call_model, self.tr("call"), self.tr("calls")),
        ):
            shown, every = len(model.shown), len(model.rows)
            said = counted(every, one, many) if shown == every else self.tr("{0} of {1}").format(shown, every)
            words.setText(said if every else "")
        self.calls.setVisible(bool(self.call_model.rows))
        self._none.setVisible(not self.call_model.rows)

    def _filter(self, text: str) -> None:
        self.back_model.set_filter(text)
        self.call_model.set_filter(text)
        self._fit_backs()
        self._show_counts()

    def _into_list(self) -> None:
        self._into(self.backs if self.back_model.shown else self.calls)

    def _into(self, view: TableView) -> None:
        view.setFocus(Qt.FocusReason.TabFocusReason)
        if not view.selectionModel().hasSelection() and view.model().rowCount():
            view.selectRow(0)

    def _open_call(self, key: str) -> None:
        """A call that waits for a call back leads there; another one to its precinct."""
        row = next((row for row in self.call_model.shown if row.key == key), None)
        if row is None:
            return
        waiting = next((back for back in self.back_model.rows if str(back.one.about) == key), None)
        if waiting is not None:
            self.open_back(waiting.key)
        elif row.precinct is not None:
            self.context.show_page("precincts", row.precinct.id)

    # --- one call-back --------------------------------------------------------------------------

    def open_back(self, key: str) -> None:
        row = next((row for row in self.back_model.rows if row.key == key), None)
        if row is None:
            return
        self._places.setCurrentIndex(1)
        self.view.show_row(row)
        self.view.take_focus()

    def _leave(self) -> None:
        self.view.row = None
        self._places.setCurrentIndex(0)
        self.take_focus()

    def _compare(self, code: str) -> None:
        row = self.view.row
        if row is None or row.one.report_id is None:
            return
        try:
            fits = calls.fits_receipt(self.context.desk, row.one.report_id, code)
        except CaucusError as refusal:
            self.view.refuse(refusal.sentence)
            return
        if fits:
            self._end(CallEnd.CONFIRMED, self.tr("the receipt code fits"))
        else:
            self.view.refuse(
                self.tr(
                    "This code does not fit the report. Have it read again; if it stays so, R keys the whole "
                    "sheet as the chair reads it."
                )
            )
            self.view.code.selectAll()

    def _end(self, end: CallEnd, note: str) -> None:
        row, desk, person = self.view.row, self.context.desk, self.context.person
        if row is None:
            return

        def refused(refusal: CaucusError) -> None:
            if self.view.row is row:
                self.view.refuse(refusal.sentence)
            else:
                self.context.notices.refuse(refusal.sentence)
            self.context.look()

        self._store.run(
            lambda: calls.end_call_back(desk, row.one, by=person, ended=end, notes=note),
            lambda made: self._told(row, end, made),
            refused,
        )

    def _waits(self, waiting: bool) -> None:
        self.view.refuse(self.tr("Waiting for the store, which another program holds…") if waiting else "")

    def _told(self, row: BackRow, end: CallEnd, made: Call) -> None:
        """It is in the store; where another call-back was opened meanwhile, that one stays."""
        self.context.after_change(made.ended_at)
        self.refresh()
        if self.view.row is row:
            self._leave()
        words = self.tr("Confirmed") if end is CallEnd.CONFIRMED else self.tr("It stays in the list")
        self.context.notices.done(
            self.tr("{0}: {1}, {2}. Recorded at {3}.").format(
                words, row.precinct.name, row.precinct.county, clock(made.ended_at)[:5]
            )
        )

    def _key_sheet(self) -> None:
        """The chair is on the line: the sheet is keyed anew, and that the desk rang is its check."""
        row = self.view.row
        if row is None:
            return
        self._leave()
        self.context.on_the_line = row.precinct.id if calls.on_file(row.precinct) else ""
        self.context.show_page("entry")
        self.context.sheet_wanted.emit(row.precinct.id, "phone")


def _headed(text: str, count: QWidget) -> QHBoxLayout:
    row = QHBoxLayout()
    row.addWidget(heading(text))
    row.addWidget(count)
    row.addStretch(1)
    return row
