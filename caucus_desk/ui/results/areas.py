"""The list from which one district, county or precinct is chosen: narrows at each key."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from caucus_desk.tally.results import PrecinctResult, TallyRow
from caucus_desk.ui.results.figures import share_in
from caucus_desk.ui.widgets.basics import STEP
from caucus_desk.ui.widgets.table import ColumnSpec, TableModel, TableView
from caucus_desk.ui.words import BLANK, tr


@dataclass(frozen=True, slots=True)
class Area:
    """One line: `search` is what the filter looks in."""

    key: str
    name: str
    share: str
    reporting: int
    search: str


def area_of(row: TallyRow) -> Area:
    return Area(row.key, row.name, share_in(row), row.reporting, f"{row.name} {row.key}")


def area_of_precinct(result: PrecinctResult) -> Area:
    precinct = result.precinct
    name = f"{precinct.county} · {precinct.name}"
    share = tr("in") if result.reporting else BLANK
    return Area(precinct.id, name, share, int(result.reporting), f"{name} {precinct.id}")


class FilterField(QLineEdit):
    """A filter: Down goes to the list, Escape empties it."""

    down = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Down:
            self.down.emit()
        elif event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        else:
            super().keyPressEvent(event)


class AreaList(QWidget):
    """`chosen` carries the key of the row that the person went to."""

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.filter = FilterField()
        self.filter.setPlaceholderText(self.tr("Type to narrow the list"))
        self.filter.setAccessibleName(self.tr("Narrow the list"))
        self.filter.setClearButtonEnabled(True)
        columns = (
            ColumnSpec[Area](tr("Area"), 224, lambda area: area.name, tip=lambda area: area.name),
            ColumnSpec[Area](tr("in"), 52, lambda area: area.share, lambda area: area.reporting, number=True),
        )
        self.model = TableModel[Area](columns, lambda area: area.key, lambda area: area.search, self)
        self.view = TableView(self.model, self.tr("Areas"))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(STEP)
        column.addWidget(self.filter)
        column.addWidget(self.view, 1)
        self.filter.textChanged.connect(self.model.set_filter)
        self.filter.down.connect(self._into_list)
        self.view.selectionModel().currentRowChanged.connect(self._moved)

    def set_areas(self, areas: Sequence[Area]) -> None:
        self.model.set_rows(areas)

    def _into_list(self) -> None:
        self.view.setFocus()
        if not self.view.currentIndex().isValid() and self.model.rowCount():
            self.view.selectRow(0)

    def _moved(self, current: QModelIndex, previous: QModelIndex) -> None:
        key = self.model.key_at(current)
        if key:
            self.chosen.emit(key)
