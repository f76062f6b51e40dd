"""Mismatches that wait for a person, the oldest first."""

from dataclasses import dataclass
from datetime import timedelta

from PySide6.QtWidgets import QVBoxLayout, QWidget

from caucus_desk.tally.evening import Evening
from caucus_desk.ui.context import Context
from caucus_desk.ui.progress.wording import span, waits_text
from caucus_desk.ui.widgets.basics import STEP, EmptyState, label, wrapped
from caucus_desk.ui.widgets.table import ColumnSpec, TableModel, TableView
from caucus_desk.ui.widgets.timeaxis import label as time_label
from caucus_desk.ui.words import number, tr


@dataclass(frozen=True, slots=True)
class WaitRow:
    id: str
    name: str
    county: str
    since: str
    age: timedelta
    fields: int


class WaitsSection(QWidget):
    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self.told = wrapped()
        self.model = TableModel[WaitRow](_columns(), lambda row: row.id, parent=self)
        self.table = TableView(self.model, self.tr("Mismatches that wait"))
        self.empty = EmptyState("good", self.tr("No mismatch waits"))
        self.hint = label(self.tr("Enter: open it under Review"), "small")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2 * STEP)
        column.addWidget(self.told)
        column.addWidget(self.table, 1)
        column.addWidget(self.empty, 1)
        column.addWidget(self.hint)
        self.table.opened.connect(lambda id: context.show_page("review", id))

    def show_evening(self, evening: Evening) -> None:
        self.told.setText(waits_text(evening.waits, evening.until))
        results = self._context.overview.results
        rows = [
            WaitRow(
                id=wait.precinct_id,
                name=results[wait.precinct_id].precinct.name,
                county=results[wait.precinct_id].precinct.county,
                since=time_label(wait.since),
                age=evening.until - wait.since,
                fields=len(results[wait.precinct_id].mismatches),
            )
            for wait in evening.waits.open
            if wait.precinct_id in results
        ]
        self.model.set_rows(rows)
        for widget in (self.table, self.hint):
            widget.setVisible(bool(rows))
        self.empty.setVisible(not rows)

    def take_focus(self) -> bool:
        self.table.setFocus()
        if not self.table.currentIndex().isValid() and self.model.shown:
            self.table.selectRow(0)
        return bool(self.model.shown)


def _columns() -> tuple[ColumnSpec[WaitRow], ...]:
    return (
        ColumnSpec(tr("Waits"), 100, lambda row: span(row.age), lambda row: row.age, number=True),
        ColumnSpec(tr("Since"), 90, lambda row: row.since, lambda row: -row.age, number=True),
        ColumnSpec(tr("Precinct"), 260, lambda row: row.name, tip=lambda row: row.name, bold=True),
        ColumnSpec(tr("County"), 160, lambda row: row.county, tip=lambda row: row.county),
        ColumnSpec(tr("Id"), 130, lambda row: row.id, tip=lambda row: row.id),
        ColumnSpec(
            tr("Fields that differ"), 120, lambda row: number(row.fields), lambda row: row.fields, number=True
        ),
    )
