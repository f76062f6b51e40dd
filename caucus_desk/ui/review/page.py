"""The Review page: left the queue of precincts that differ, right the case."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from caucus_desk.desk import review
from caucus_desk.desk.naming import same_person
from caucus_desk.rules.errors import CaucusError
from caucus_desk.tally.report import CHANNELS
from caucus_desk.tally.state import State
from caucus_desk.ui.context import Context
from caucus_desk.ui.covering import cover_of, keep_looking, uncover
from caucus_desk.ui.entry.wording import counted
from caucus_desk.ui.page import Page
from caucus_desk.ui.results.areas import FilterField
from caucus_desk.ui.review.case_view import CaseView
from caucus_desk.ui.review.queue import QueueRow, queue_columns, queue_of, search_text, waiting
from caucus_desk.ui.widgets.basics import STEP, EmptyState, Places, label, title
from caucus_desk.ui.widgets.table import TableModel, TableView
from caucus_desk.ui.words import clock, number, state_sign

_QUEUE_WIDTH = 372
_QUEUE_SMALL = 350
_SMALL_PAGE = 960
"""Pixels; a page narrower than this is on a small screen."""


class ReviewPage(Page):
    """Every precinct whose reports differ waits here until a reviewer rules, or a new report ends it."""

    name = "review"
    icon = "review"

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.filter = FilterField()
        self.filter.setClearButtonEnabled(True)
        self.filter.setPlaceholderText(self.tr("Any part of county, precinct, id or field"))
        self.filter.setAccessibleName(self.tr("Filter the queue"))
        self.model: TableModel[QueueRow] = TableModel(queue_columns(), lambda row: row.id, search_text)
        self.queue = TableView(self.model, self.tr("Precincts that differ"))
        self.queue.setWordWrap(True)
        self.queue.verticalHeader().setDefaultSectionSize(7 * STEP + 2)  # two lines a precinct
        self.view = CaseView(context.rules)
        self._nothing = EmptyState(
            "matched",
            self.tr("Nothing differs"),
            self.tr(
                "When two reports of a precinct do not say the same, the precinct waits here for a ruling."
            ),
        )
        self._pick = EmptyState(
            "mismatched",
            self.tr("Choose a precinct"),
            self.tr("↓ ↑ in the list, Enter opens it."),
            narrow=True,
        )
        self._no_fit = EmptyState(
            "search",
            self.tr("No precinct fits"),
            self.tr("Change what you typed, or press Esc."),
            narrow=True,
        )
        self._case = Places()
        self._count = label(role="muted")
        self._opened = ""
        self._lay_out()
        self.filter.textChanged.connect(self.model.set_filter)
        self.filter.returnPressed.connect(self._from_filter)
        self.filter.down.connect(self._from_filter)
        self.model.filtered.connect(self._say_count)
        self.queue.opened.connect(self.open_precinct)
        self.queue.selectionModel().currentRowChanged.connect(self._selected)
        self.view.rule_wanted.connect(self._rule)
        self.view.left.connect(lambda: self.queue.setFocus(Qt.FocusReason.TabFocusReason))

    def _lay_out(self) -> None:
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, STEP, 0)
        column.setSpacing(STEP)
        head = QHBoxLayout()
        head.addWidget(title(self.tr("Review")))
        head.addStretch(1)
        head.addWidget(self._count)
        column.addLayout(head)
        column.addWidget(self.filter)
        column.addWidget(self.queue, 1)
        column.addWidget(self._no_fit, 1)
        self._no_fit.hide()
        for widget in (self._pick, self.view):
            self._case.addWidget(widget)
        self._left = left
        left.setFixedWidth(_QUEUE_WIDTH)
        self.queue.horizontalHeader().setStretchLastSection(True)
        split = QWidget()
        beside = QHBoxLayout(split)
        beside.setContentsMargins(0, 0, 0, 0)
        beside.addWidget(left)
        beside.addWidget(self._case, 1)
        self._whole = Places()
        self._whole.addWidget(self._nothing)
        self._whole.addWidget(split)
        self._page = QVBoxLayout(self)
        self._page.setContentsMargins(4 * STEP, 3 * STEP, 4 * STEP, 2 * STEP)
        self._page.addWidget(self._whole)

    # --- what the shell asks ------------------------------------------------------------------

    def title(self) -> str:
        return self.tr("Review")

    def count(self) -> int | None:
        return waiting(self.context.overview) or None

    def refresh(self) -> None:
        rows = queue_of(self.context.overview)
        self.model.set_rows(rows)
        if self._opened:
            self._show(self._opened)
        self._whole.setCurrentIndex(1 if rows or self._opened else 0)
        self.count_changed.emit()

    def take_focus(self) -> None:
        if self._opened:
            self.view.take_focus()
            return
        self.queue.setFocus(Qt.FocusReason.TabFocusReason)
        if not self.queue.selectionModel().hasSelection() and self.model.shown:
            self.queue.selectRow(max(0, self.queue.currentIndex().row()))

    def open_precinct(self, precinct_id: str) -> None:
        if precinct_id not in self.context.overview.results:
            return
        self._whole.setCurrentIndex(1)
        self.queue.select_key(precinct_id)
        # Going into a case is looking on purpose; walking past it in the queue is not.
        if precinct_id not in self.context.eyes.keying:
            uncover(self.context, precinct_id)
        self._show(precinct_id)
        if self._opened:
            self.view.take_focus()
        else:
            self.queue.setFocus(Qt.FocusReason.TabFocusReason)

    def person_changed(self) -> None:
        self.view.clear()
        self._opened = ""
        self._case.setCurrentWidget(self._pick)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """On a small screen the queue gives what it can spare to the case."""
        super().resizeEvent(event)
        small = self.width() < _SMALL_PAGE
        self._left.setFixedWidth(_QUEUE_SMALL if small else _QUEUE_WIDTH)
        side = 2 * STEP if small else 4 * STEP
        self._page.setContentsMargins(side, 3 * STEP, side, 2 * STEP)

    def _say_count(self) -> None:
        """`39 precincts`; while the list is narrowed, `1 of 39`."""
        shown, every = len(self.model.shown), len(self.model.rows)
        if shown == every:
            self._count.setText(counted(every, self.tr("precinct"), self.tr("precincts")))
        else:
            self._count.setText(self.tr("{0} of {1}").format(number(shown), number(every)))
        nothing = bool(every) and not shown
        self.queue.setVisible(not nothing)
        self._no_fit.setVisible(nothing)

    @property
    def count_text(self) -> str:
        """What the head says of how many are shown."""
        return self._count.text()

    # --- the case -----------------------------------------------------------------------------

    def _from_filter(self) -> None:
        self.queue.setFocus(Qt.FocusReason.TabFocusReason)
        if not self.queue.selectionModel().hasSelection() and self.model.shown:
            self.queue.selectRow(max(0, self.queue.currentIndex().row()))

    def _selected(self) -> None:
        """Walking through the queue shows each case that may be seen; Enter goes into it."""
        key = self.queue.current_key
        if key and key != self._opened and self.queue.hasFocus():
            self._show(key)

    def _show(self, precinct_id: str) -> None:
        result = self.context.overview.results[precinct_id]
        if precinct_id == self._opened:
            keep_looking(self.context, result)
        cover = cover_of(self.context, result)
        if cover is not None:
            self._opened = ""
            self.view.clear()
            keys = self.tr("Enter shows the case. ") if cover.precinct_id else ""
            self._pick.set_text(cover.text, keys + cover.advice)
            self._case.setCurrentWidget(self._pick)
            return
        try:
            case = review.case(self.context.desk, precinct_id)
        except CaucusError as error:
            self.context.notices.refuse(error.sentence)
            return
        newer = (
            self._opened == precinct_id
            and self.view.case is not None
            and self.view.case.seen_report != case.seen_report
        )
        self._opened = precinct_id
        self.view.show_case(case, self._closed(case))
        self._case.setCurrentWidget(self.view)
        if newer:
            self.context.notices.warn(
                self.tr("A newer report of {0} came in: look at the fields again.").format(case.precinct.name)
            )

    def _closed(self, case: review.Case) -> str:
        """Why nothing can be chosen in this case by this person; "" where it can."""
        for channel in CHANNELS:
            report = case.reports.get(channel)
            if report is not None and same_person(report.by, self.context.person):
                sentence = self.tr("You keyed the {0} report: another person decides. You can compare.")
                return sentence.format(channel.value)
        standing = case.result.standing
        if standing.ruling is not None:
            ruling = standing.ruling
            return self.tr("{0} ruled at {1}: {2}").format(ruling.by, clock(ruling.at)[:5], ruling.reason)
        if standing.state is not State.MISMATCHED:
            word = state_sign(standing.state).word
            return self.tr("Nothing differs here: the precinct is {0}.").format(word)
        return ""

    def _rule(self) -> None:
        case = self.view.case
        if case is None:
            return
        try:
            ruling = review.rule(
                self.context.desk,
                case.precinct.id,
                self.view.choices.values(),
                seen_report=case.seen_report,
                reason=self.view.reason.text(),
                by=self.context.person,
            )
        except CaucusError as refusal:
            self.context.notices.refuse(refusal.sentence)
            self.context.look()
            return
        row = self.model.place_of(case.precinct.id)
        self._opened = ""
        self.view.clear()
        self._pick.set_text(self.tr("Choose a precinct"), self.tr("↓ ↑ in the list, Enter opens it."))
        self._case.setCurrentWidget(self._pick)
        self.context.after_change(ruling.at)
        self.context.notices.done(
            self.tr("Ruled on {0}, {1}. {2}").format(
                case.precinct.name, case.precinct.county, self._left_words()
            )
        )
        if self.model.shown:
            self.queue.setFocus(Qt.FocusReason.TabFocusReason)
            self.queue.selectRow(min(max(row, 0), len(self.model.shown) - 1))

    def _left_words(self) -> str:
        left = len(self.model.shown)
        if not left:
            return self.tr("Nothing else differs.")
        return self.tr("{0} left.").format(counted(left, self.tr("precinct"), self.tr("precincts")))
