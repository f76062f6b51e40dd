"""What each person keyed, hour by hour. For leads; where a name is enough to sit down, for everybody."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from PySide6.QtWidgets import QVBoxLayout, QWidget

from caucus_desk.desk.evening import people_figures
from caucus_desk.desk.people import SignIn, sign_in_kind, why_not
from caucus_desk.desk.roles import Job
from caucus_desk.tally.evening import PersonFigures
from caucus_desk.ui.context import Context
from caucus_desk.ui.widgets.basics import STEP, EmptyState, wrapped
from caucus_desk.ui.widgets.table import ColumnSpec, TableModel, TableView, room_for
from caucus_desk.ui.widgets.timeaxis import label as time_label
from caucus_desk.ui.words import BLANK, number, percent, tr

_HOURS = 8
"""Columns of hours; on a longer night the last ones."""


class PersonsSection(QWidget):
    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._hours: tuple[datetime, ...] = ()
        self.told = wrapped(role="muted")
        self.model = TableModel[PersonFigures](_columns(()), lambda one: one.name, parent=self)
        self.table = TableView(self.model, self.tr("Entries by person"))
        self.empty = EmptyState("person", "")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2 * STEP)
        column.addWidget(self.table, 1)
        column.addWidget(self.empty, 1)
        column.addWidget(self.told)

    def show_night(self) -> None:
        context = self._context
        refusal = why_not(context.desk, context.person, Job.SEE_PEOPLE_FIGURES)
        people = () if refusal else people_figures(context.desk, context.person)
        hours = tuple(sorted({hour.begin for one in people for hour in one.hours})[-_HOURS:])
        if hours != self._hours:
            self._hours = hours
            self.model.set_columns(_columns(hours))
        self.model.set_rows(people)
        self.table.setVisible(bool(people))
        self.table.set_widths()
        self.empty.setVisible(not people)
        if refusal:
            self.empty.set_text(self.tr("Not shown to everybody"), refusal)
        else:
            self.empty.set_text(self.tr("Nobody has keyed a report yet"))
        text = self.tr(
            "A report that did not match another channel's counts for both who keyed them: who was right is "
            "for the reviewer to say. Reports from files are not counted."
        )
        if not refusal and sign_in_kind(context.desk) is not SignIn.ACCOUNTS:
            text += " " + self.tr(
                "In this store a name is enough and there are no roles, so everybody sees this."
            )
        self.told.setText(text)
        self.told.setVisible(not refusal)

    def take_focus(self) -> bool:
        self.table.setFocus()
        return bool(self.model.shown)


def _in(one: PersonFigures, begin: datetime) -> tuple[int, int]:
    for hour in one.hours:
        if hour.begin == begin:
            return hour.entries, hour.differed
    return 0, 0


def _columns(hours: Sequence[datetime]) -> tuple[ColumnSpec[PersonFigures], ...]:
    def hour_column(begin: datetime) -> ColumnSpec[PersonFigures]:
        head = f"{time_label(begin)}–\n{time_label(begin + timedelta(hours=1))}"
        return ColumnSpec(
            head,
            room_for(head, "888"),
            lambda one: number(_in(one, begin)[0] or None),
            lambda one: _in(one, begin)[0],
            number=True,
            tip=lambda one: tr("{0} entries, {1} of them did not match").format(*_in(one, begin)),
        )

    return (
        ColumnSpec(tr("Person"), 170, lambda one: one.name, tip=lambda one: one.name, bold=True),
        ColumnSpec(tr("Entries"), 64, lambda one: number(one.entries), lambda one: one.entries, number=True),
        ColumnSpec(
            tr("Beside\nanother"), 70, lambda one: number(one.compared), lambda one: one.compared, number=True
        ),
        ColumnSpec(
            tr("Did not\nmatch"), 66, lambda one: number(one.differed), lambda one: one.differed, number=True
        ),
        ColumnSpec(
            tr("Share"),
            62,
            lambda one: percent(one.differed, one.compared) if one.compared else BLANK,
            lambda one: one.differed / one.compared if one.compared else -1.0,
            number=True,
        ),
        *map(hour_column, hours),
    )
