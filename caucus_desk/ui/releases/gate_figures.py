"""Beside the gate: the figures and the precincts of the item that the hand is on."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from caucus_desk.desk.releasing import GateItem
from caucus_desk.ui.context import Context
from caucus_desk.ui.widgets.basics import STEP, label
from caucus_desk.ui.widgets.table import ColumnSpec, TableModel, TableView
from caucus_desk.ui.words import number, tr

Figure = tuple[str, str]


class GateFigures(QWidget):
    """Nothing until an item is shown."""

    opened = Signal(str)
    """A precinct's id."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self.item_id = ""
        self.title = label(bold=True)
        self.figure_model = TableModel[Figure](_figure_columns(), lambda one: one[0], parent=self)
        self.figures = TableView(self.figure_model, self.tr("Figures of the item"))
        self.precinct_model = TableModel[tuple[str, str, str]](
            _precinct_columns(), lambda line: line[0], parent=self
        )
        self.precincts = TableView(self.precinct_model, self.tr("Precincts of the item"))
        self.more = label("", "muted")
        self.setFixedWidth(56 * STEP)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(STEP)
        for part in (self.title, self.figures, self.precincts, self.more):
            column.addWidget(part)
        column.addStretch(1)
        self.precincts.opened.connect(self.opened)
        self.clear()

    def clear(self) -> None:
        for part in (self.figures, self.precincts, self.more):
            part.hide()
        self.title.setText("")

    def show_item(self, item: GateItem) -> None:
        self.item_id, results = item.id, self._context.overview.results
        self.title.setText(item.title)
        self.figure_model.set_rows(item.figures)
        self.figures.setVisible(bool(item.figures))
        self.figures.fit_rows(whole=True)
        ids = [id for id in item.precincts if id in results]
        named = [(id, results[id].precinct.name, results[id].precinct.county) for id in ids]
        self.precinct_model.set_rows(named)
        self.precincts.setVisible(bool(named))
        self.precincts.fit_rows()
        self.precincts.setMinimumHeight(min(self.precincts.maximumHeight(), 40 * STEP))
        self.more.setVisible(bool(named))
        self.more.setText(self.tr("{0} precincts · Enter: opens one").format(number(len(named))))


def _figure_columns() -> tuple[ColumnSpec[Figure], ...]:
    return (
        ColumnSpec(tr("Figure"), 130, lambda one: one[0], tip=lambda one: one[0], least=110),
        ColumnSpec(tr("Value"), 160, lambda one: one[1], tip=lambda one: one[1], bold=True, least=110),
    )


def _precinct_columns() -> tuple[ColumnSpec[tuple[str, str, str]], ...]:
    return (
        ColumnSpec(tr("Precinct"), 160, lambda line: line[1], tip=lambda line: line[1], least=110),
        ColumnSpec(tr("County"), 110, lambda line: line[2], tip=lambda line: line[2], least=80),
    )
