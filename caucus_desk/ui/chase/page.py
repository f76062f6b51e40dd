"""The Paper page: left the counties, right their missing worksheets, below whom to ring."""

from datetime import UTC, datetime
from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QHideEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from caucus_desk.desk.chase import Missing, counties, missing, of_county
from caucus_desk.desk.people import ONLY_READ
from caucus_desk.rules.errors import CaucusError
from caucus_desk.ui.chase.asking import Foot
from caucus_desk.ui.chase.deeds import Deeds
from caucus_desk.ui.chase.export import ListPanel
from caucus_desk.ui.chase.lists import ALL, FETCH, HERE, in_order, late_text, why_nothing
from caucus_desk.ui.chase.panel import SheetPanel
from caucus_desk.ui.chase.rows import (
    ALL_COUNTIES,
    CountyRow,
    SheetRow,
    county_columns,
    county_rows,
    sheet_columns,
    sheet_search,
)
from caucus_desk.ui.chase.tables import KeyTable
from caucus_desk.ui.context import Context
from caucus_desk.ui.keys import hint
from caucus_desk.ui.packets.view import PacketsView
from caucus_desk.ui.page import Page
from caucus_desk.ui.results.areas import FilterField
from caucus_desk.ui.widgets.attached import AttachedView, files_of
from caucus_desk.ui.widgets.basics import STEP, Choices, EmptyState, Places, button, label
from caucus_desk.ui.widgets.table import TableModel
from caucus_desk.ui.words import number, tr

_COUNTIES_WIDTH = 300
_AGES_EVERY = 20_000
"""Milliseconds between two looks at the clock while the page is shown."""
_KEYS = (
    "send", "county", "try", "received", "undo", "note", "key", "attach", "view", "lists", "filter",
    "counties", "export", "print", "packets",
)  # fmt: skip
_LOOKING = ("view", "lists", "filter", "counties", "export", "print")
"""Those that are left on a store that can only be read."""


class PaperPage(Page):
    """Everything by keys; the table of worksheets is where the hand rests."""

    name = "paper"
    icon = "paper"

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._missing: tuple[Missing, ...] | None = None
        self._county = ALL_COUNTIES
        self.filter = FilterField()
        self.filter.setPlaceholderText(self.tr("Type any part of precinct, county, chair, number or runner"))
        self.filter.setAccessibleName(self.tr("Find missing worksheets"))
        self.filter.setClearButtonEnabled(True)
        self.which = Choices(
            [(FETCH, self.tr("to fetch")), (HERE, self.tr("here, to key")), (ALL, self.tr("all"))],
            self.tr("Worksheets"),
        )
        self.export_button = button(self.tr("Export… (X)"), "export")
        self.print_button = button(self.tr("Print… (P)"), "paper")
        self.packets_button = button(self.tr("County packets… (C)"), "load")
        self.export_panel = ListPanel(context)
        self.late = label(role="bad", bold=True)
        self.county_model = TableModel[CountyRow](county_columns(), lambda row: row.key or "all", None, self)
        self.county_table = KeyTable(self.county_model, self.tr("Counties"))
        self.model = TableModel[SheetRow](sheet_columns(), lambda row: row.id, sheet_search, self)
        self.table = KeyTable(self.model, self.tr("Missing worksheets"))
        self.nothing = EmptyState("good", "", "")
        self.panel = SheetPanel()
        self.foot = Foot()
        self.viewer = AttachedView(context)
        self.packets = PacketsView(context)
        self.deeds = Deeds(context, self.foot, self)
        self._list = QWidget()
        self._places = Places()
        self._lay_out()
        self.setAcceptDrops(True)
        keys = _LOOKING if context.desk.read_only else _KEYS
        self.foot.show_keys(hint(*(f"chase.{name}" for name in keys)))
        self._connect()
        self._timer = QTimer(self)
        self._timer.setInterval(_AGES_EVERY)
        self._timer.timeout.connect(self._show_rows)

    def _lay_out(self) -> None:
        first = QHBoxLayout()
        first.setSpacing(2 * STEP)
        first.addWidget(self.filter, 1)
        first.addWidget(self.which)
        first.addWidget(self.export_button)
        first.addWidget(self.print_button)
        self.county_table.setFixedWidth(_COUNTIES_WIDTH)
        left = QVBoxLayout()
        left.setSpacing(STEP)
        left.addWidget(self.county_table, 1)
        left.addWidget(self.packets_button)
        right = QVBoxLayout()
        right.setSpacing(STEP)
        right.addWidget(self.table, 1)
        right.addWidget(self.nothing, 1)
        right.addWidget(self.panel)
        tables = QHBoxLayout()
        tables.setSpacing(2 * STEP)
        tables.addLayout(left)
        tables.addLayout(right, 1)
        column = QVBoxLayout(self._list)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(STEP)
        column.addLayout(first)
        column.addWidget(self.export_panel)
        column.addWidget(self.late)
        column.addLayout(tables, 1)
        self._places.addWidget(self._list)
        self._places.addWidget(self.viewer)
        self._places.addWidget(self.packets)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(3 * STEP, 2 * STEP, 3 * STEP, STEP)
        whole.setSpacing(STEP)
        whole.addWidget(self._places, 1)
        whole.addWidget(self.foot)
        self.nothing.hide()
        self.late.hide()

    def _connect(self) -> None:
        context = self.context
        context.changed.connect(self._forget)
        self.filter.textChanged.connect(self._filtered)
        self.filter.down.connect(self._to_table)
        self.filter.returnPressed.connect(self._to_table)
        self.which.chosen.connect(lambda _: self._show_rows())
        self.county_table.selectionModel().currentRowChanged.connect(self._county_moved)
        self.county_table.opened.connect(lambda _: self._to_table())
        self.county_table.aside.connect(lambda way: self._to_table() if way > 0 else None)
        self.county_table.letter.connect(lambda letter, _: self._county_letter(letter))
        self.table.selectionModel().currentRowChanged.connect(lambda *_: self._show_chosen())
        self.table.opened.connect(self._key_sheet)
        self.table.aside.connect(lambda way: self._to_counties() if way < 0 else None)
        self.table.letter.connect(self._letter)
        for table in (self.table, self.county_table):
            table.filter_wanted.connect(self._to_filter)
        self.model.filtered.connect(self._say_shown)
        self.export_button.clicked.connect(self._export)
        self.export_panel.closed.connect(self._to_table)
        self.print_button.clicked.connect(self._print)
        self.foot.left.connect(self._to_table)
        self.deeds.done.connect(self._deed_done)
        self.viewer.left.connect(self._leave_viewer)
        self.packets_button.clicked.connect(self._show_packets)
        self.packets.left.connect(self._leave_viewer)

    # ---- what the shell asks ----

    @classmethod
    def title(cls) -> str:
        return tr("Paper")

    @classmethod
    def waiting(cls, context: Context) -> int | None:
        return sum(not one.here for one in missing(context.desk, context.overview)) or None

    def count(self) -> int | None:
        return sum(not one.here for one in self._read()) or None

    def refresh(self) -> None:
        self._forget()
        self._show_rows()
        self.count_changed.emit()

    def take_focus(self) -> None:
        if self._places.currentWidget() is self.viewer:
            self.viewer.take_focus()
        elif self._places.currentWidget() is self.packets:
            self.packets.open()
        elif not self.foot.asking:
            self._to_table()

    def open_precinct(self, precinct_id: str) -> None:
        one = next((one for one in self._read() if one.precinct.id == precinct_id), None)
        if one is None:
            if precinct_id in self.context.overview.results:
                place = self.context.desk.precinct(precinct_id).name
                self.context.notices.say(self.tr("The worksheet of {0} is in and keyed.").format(place))
            return
        self._leave_viewer()
        self.filter.clear()
        self._choose_county(ALL_COUNTIES)
        self.which.choose(HERE if one.here else FETCH)
        self.table.select_key(precinct_id)

    def person_changed(self) -> None:
        self.deeds.forget()
        if self._places.currentWidget() is self.packets:
            self.packets.leave()
        self._leave_viewer()
        if self.foot.asking:
            self.foot.leave()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._timer.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._timer.stop()

    @property
    def store_is_busy(self) -> bool:
        """What was done has not been answered by the store yet."""
        return self.deeds.busy or self.viewer.withdraw.busy

    # ---- showing ----

    def _forget(self) -> None:
        self._missing = None

    def _read(self) -> tuple[Missing, ...]:
        if self._missing is None:
            try:
                self._missing = missing(self.context.desk, self.context.overview)
            except CaucusError as error:
                self.context.notices.refuse(error.sentence)
                return ()
        return self._missing

    def _show_rows(self) -> None:
        rows = [SheetRow(one, datetime.now(UTC)) for one in self._read()]
        lines = county_rows(counties(self.context.overview, (row.missing for row in rows)))
        self.county_model.set_rows(lines)
        if self.county_table.currentIndex().row() < 0:
            self.county_table.selectRow(0)
        here = [row for row in rows if row.missing.here]
        self.which.set_text(FETCH, self.tr("to fetch {0}").format(number(len(rows) - len(here))))
        self.which.set_text(HERE, self.tr("here, to key {0}").format(number(len(here))))
        self.which.set_text(ALL, self.tr("all {0}").format(number(len(rows))))
        self._say_late([row for row in here if row.age != "new"])
        # Where the chosen sheet leaves the list, the hand goes on to the one that takes its place.
        chosen, place = self.table.current_key, self.table.currentIndex().row()
        self.model.set_rows(in_order(rows, self.which.key, self._county))
        if not self.table.select_key(chosen) and self.model.shown:
            self.table.selectRow(min(max(0, place), len(self.model.shown) - 1))
        self._show_chosen()

    def _say_late(self, late: list[SheetRow]) -> None:
        """What lies at the desk too long is said whatever list is shown."""
        self.late.setVisible(bool(late))
        self.late.setText(late_text(late))

    def _say_shown(self) -> None:
        shown = bool(self.model.shown)
        self.table.setVisible(shown)
        self.panel.setVisible(shown)
        self.nothing.setVisible(not shown)
        if not shown:
            self.nothing.set_text(*why_nothing(bool(self.model.rows), self.which.key, self._county))

    def _show_chosen(self) -> None:
        self.panel.show_row(self._chosen())

    def _chosen(self) -> SheetRow | None:
        return self.model.row_at(self.table.currentIndex())

    # ---- going about ----

    def _filtered(self, text: str) -> None:
        if text.strip() and self._county:
            self._choose_county(ALL_COUNTIES)  # what is looked for may be in any of them
        self.model.set_filter(text)
        if self.model.shown and self.table.currentIndex().row() < 0:
            self.table.selectRow(0)
        self._show_chosen()

    def _to_table(self) -> None:
        if self.foot.asking or not self.isVisible():
            return
        if self.model.shown:
            self.table.setFocus(Qt.FocusReason.TabFocusReason)
            if self.table.currentIndex().row() < 0:
                self.table.selectRow(0)
        else:
            self.county_table.setFocus(Qt.FocusReason.TabFocusReason)

    def _to_counties(self) -> None:
        self.county_table.setFocus(Qt.FocusReason.TabFocusReason)

    def _to_filter(self) -> None:
        self.filter.setFocus(Qt.FocusReason.TabFocusReason)
        self.filter.selectAll()

    def _choose_county(self, county: str) -> None:
        self.county_table.select_key(county or "all")

    def _county_moved(self) -> None:
        row = self.county_model.row_at(self.county_table.currentIndex())
        if row is not None and row.key != self._county:
            self._county = row.key
            self._show_rows()

    def _next_list(self) -> None:
        order = (FETCH, HERE, ALL)
        self.which.choose(order[(order.index(self.which.key) + 1) % len(order)])
        self._to_table()

    def _key_sheet(self, precinct_id: str) -> None:
        """The paper entry of the chosen sheet."""
        row = self._chosen()
        if self.context.desk.read_only:
            self.context.notices.refuse(ONLY_READ)
            return
        if row is not None and row.missing.paper_in:
            self.context.notices.say(
                self.tr("Its paper report is in. When the sheet has come, press R: the reviewer is told.")
            )
            return
        self.context.show_page("entry", precinct_id)
        self.context.sheet_wanted.emit(precinct_id, "paper")

    # ---- jobs ----

    def _letter(self, letter: str, shift: bool) -> None:
        row = self._chosen()
        if letter in ("X", "P", "H", "C"):
            self._county_letter(letter)
        elif row is None:
            return
        elif letter == "A" and shift:
            self._send_county(row.missing.precinct.county)
        elif letter == "V":
            self._view(row)
        else:
            self.deeds.letter(letter, row.missing)

    def _county_letter(self, letter: str) -> None:
        """Jobs for the chosen county, or for all."""
        if letter == "A":
            self._send_county(self._county)
        elif letter == "X":
            self._export()
        elif letter == "P":
            self._print()
        elif letter == "H":
            self._next_list()
        elif letter == "C":
            self._show_packets()

    def _send_county(self, county: str) -> None:
        if not county:
            self.context.notices.say(self.tr("Choose a county first: a runner is sent for one county."))
            return
        self.deeds.send_county(county, of_county(self._read(), county))

    def _view(self, row: SheetRow) -> None:
        if row.id in self.context.eyes.keying:
            # Who keys the phone report must not read the paper meanwhile.
            said = self.tr(
                "You are keying a sheet of this precinct. Beside its paper sheet F5 shows the image."
            )
            self.context.notices.say(said)
            return
        self.viewer.show_precinct(row.missing.precinct.id)
        self._places.setCurrentWidget(self.viewer)
        self.foot.hide()
        self.viewer.take_focus()

    def _show_packets(self) -> None:
        self._places.setCurrentWidget(self.packets)
        self.foot.hide()
        self.packets.open()

    def _leave_viewer(self) -> None:
        if self._places.currentWidget() is not self._list:
            self._places.setCurrentWidget(self._list)
            self.foot.show()
            self._to_table()

    def _export(self) -> None:
        self.export_panel.open(self._county)

    def _print(self) -> None:
        now = datetime.now(UTC)
        rows = [SheetRow(one, now) for one in of_county(self._read(), self._county)]
        self.deeds.print_list(rows, self._county)

    def _deed_done(self) -> None:
        self._to_table()

    # ---- drag and drop ----

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if files_of(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        row = self._chosen()
        if row is None:
            self.context.notices.say(self.tr("Choose the precinct first, then drop its sheet onto the page."))
            return
        event.acceptProposedAction()
        self.attach(row.missing, files_of(event.mimeData()))

    def attach(self, one: Missing, files: list[Path]) -> None:
        self.deeds.attach(one, files)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self._places.currentWidget() is self.viewer:
            self._leave_viewer()
        else:
            super().keyPressEvent(event)
