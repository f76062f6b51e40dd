"""The Precincts page: the list, one precinct, and loading results."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from caucus_desk.desk.people import why_not
from caucus_desk.desk.roles import Job
from caucus_desk.tally.people import folded
from caucus_desk.tally.state import State
from caucus_desk.ui.context import Context
from caucus_desk.ui.page import Page
from caucus_desk.ui.precincts.detail import PrecinctDetail
from caucus_desk.ui.precincts.load import LoadPanel
from caucus_desk.ui.precincts.rows import MERGED, PrecinctRow, columns, rows_of, search_text
from caucus_desk.ui.results.areas import FilterField
from caucus_desk.ui.widgets.basics import STEP, Choices, EmptyState, Places, Toolbar, button, label
from caucus_desk.ui.widgets.table import TableModel, TableView
from caucus_desk.ui.words import number, on_button, state_sign, tip, tr

_ALL = "all"


class PrecinctsPage(Page):
    """Every precinct with its state; a filter that narrows at each key."""

    name = "precincts"
    icon = "precincts"

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.filter = FilterField()
        self.filter.setPlaceholderText(self.tr("Type any part of county, precinct or id"))
        self.filter.setAccessibleName(self.tr("Find precincts"))
        self.filter.setClearButtonEnabled(True)
        states = [State.AWAITING, State.SINGLE, State.MISMATCHED, State.MATCHED, State.RULED]
        self.states = Choices(
            [
                (_ALL, self.tr("all")),
                *((state.value, state_sign(state).word) for state in states),
                (MERGED, self.tr("merged")),
            ],
            self.tr("State"),
        )
        self.county_button = button("", "close")
        self.county_button.hide()
        self._county = ""
        self.shown_label = label(role="muted")
        self.load_button = button(self.tr("Load results…"), "load")
        self.load_panel = LoadPanel(context)
        self.model = TableModel[PrecinctRow](columns(), lambda row: row.id, search_text, self)
        self.table = TableView(self.model, self.tr("Precincts"))
        self.nothing = EmptyState(
            "search", self.tr("No precinct fits"), self.tr("Change what you typed, or choose another state.")
        )
        self.detail = PrecinctDetail(context)
        self._list = QWidget()
        self._places = Places()
        self._lay_out()
        self.filter.textChanged.connect(self.model.set_filter)
        self.filter.returnPressed.connect(self._enter)
        self.filter.down.connect(self._into_list)
        self.states.chosen.connect(self._state_chosen)
        self.model.filtered.connect(self._say_shown)
        self.table.opened.connect(self.open_precinct)
        self.detail.closed.connect(self._back_to_list)
        self.county_button.clicked.connect(lambda: self.show_county(""))
        context.county_wanted.connect(self.show_county)
        self.load_button.clicked.connect(self.load_panel.open)
        self.load_panel.closed.connect(self.load_button.setFocus)

    @classmethod
    def title(cls) -> str:
        return tr("Precincts")

    def take_focus(self) -> None:
        if self._places.currentWidget() is self.detail:
            self.detail.take_focus()
        else:
            self.filter.setFocus()
            self.filter.selectAll()

    def _lay_out(self) -> None:
        first = QHBoxLayout()
        first.setSpacing(2 * STEP)
        first.addWidget(self.filter, 1)
        first.addWidget(self.county_button)
        first.addWidget(self.load_button)
        column = QVBoxLayout(self._list)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2 * STEP)
        column.addLayout(first)
        column.addWidget(self.load_panel)
        column.addWidget(Toolbar([self.states], [self.shown_label]))
        column.addWidget(self.table, 1)
        column.addWidget(self.nothing, 1)
        self.nothing.hide()
        self._places.addWidget(self._list)
        self._places.addWidget(self.detail)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(3 * STEP, 3 * STEP, 3 * STEP, 2 * STEP)
        whole.addWidget(self._places)

    # ---- showing ----

    @property
    def store_is_busy(self) -> bool:
        return self.detail.busy

    def refresh(self) -> None:
        rows = rows_of(self.context.overview, self.context.eyes)
        self.model.set_rows(rows)
        for state in State:
            count = sum(row.state == state.value for row in rows)
            self.states.set_text(state.value, f"{state_sign(state).word} {number(count)}")
        merged = sum(row.state == MERGED for row in rows)
        self.states.set_text(MERGED, self.tr("merged {0}").format(number(merged)))
        self.states.set_visible(MERGED, merged > 0)
        self.states.set_text(_ALL, self.tr("all {0}").format(number(len(rows))))
        refusal = why_not(self.context.desk, self.context.person, Job.LOAD)
        self.load_button.setEnabled(not refusal)
        self.load_button.setToolTip(tip(refusal))
        self.load_button.setAccessibleDescription(refusal)
        if refusal:
            self.load_panel.hide()
        if self._places.currentWidget() is self.detail:
            self._show_detail(self.detail.precinct_id)

    def open_precinct(self, precinct_id: str) -> None:
        if precinct_id in self.context.overview.results:
            self.context.renew_eyes()
            self._show_detail(precinct_id)
            self._places.setCurrentWidget(self.detail)
            self.take_focus()

    def person_changed(self) -> None:
        self.show_county("")

    def _show_detail(self, precinct_id: str) -> None:
        self.detail.show_precinct(precinct_id)

    # ---- what the person does ----

    def _say_shown(self) -> None:
        shown = len(self.model.shown)
        merged = sum(row.state == MERGED for row in self.model.shown)
        said = self.tr("{0} shown").format(number(shown))
        if 0 < merged < shown:
            # The header counts without them: a merged precinct has no report of its own.
            said = self.tr("{0} shown · {1} merged").format(number(shown), number(merged))
        self.shown_label.setText(said)
        self.table.setVisible(shown > 0)
        self.nothing.setVisible(shown == 0)

    def show_county(self, county: str) -> None:
        """Only this county's precincts, until the button beside the filter is pressed; "" for all."""
        self._county = county
        self.county_button.setText(" " + on_button(self.tr("Only {0}").format(county)))
        self.county_button.setAccessibleName(self.tr("Only {0}: press to show all counties").format(county))
        self.county_button.setVisible(bool(county))
        self.filter.clear()
        self._sift()
        self._back_to_list()

    def _state_chosen(self, key: str) -> None:
        self._sift()

    def _sift(self) -> None:
        state, county = self.states.key, folded(self._county)
        if state == _ALL and not county:
            self.model.set_keep(None)
            return
        self.model.set_keep(
            lambda row: (state in (_ALL, row.state)) and (not county or folded(row.county) == county)
        )

    def _into_list(self) -> None:
        self.table.setFocus(Qt.FocusReason.TabFocusReason)
        if not self.table.currentIndex().isValid() and self.model.shown:
            self.table.selectRow(0)

    def _enter(self) -> None:
        """Enter opens the only precinct that is left, or goes into the list; never an unseen first one."""
        if len(self.model.shown) == 1:
            self.open_precinct(self.model.shown[0].id)
        else:
            self._into_list()

    def _back_to_list(self) -> None:
        self._places.setCurrentWidget(self._list)
        self.filter.setFocus()
