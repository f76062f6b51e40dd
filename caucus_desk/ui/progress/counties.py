"""The counties: a map, what is chosen on it, and where most is missing."""

from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from caucus_desk.tally.evening import CountyShare, Evening
from caucus_desk.ui.progress.wording import areas_of, county_text, gaps
from caucus_desk.ui.widgets.basics import STEP, label, wrapped
from caucus_desk.ui.widgets.countymap import CountyMap
from caucus_desk.ui.widgets.table import ColumnSpec, TableModel, TableView
from caucus_desk.ui.words import number, percent, tr


class CountiesSection(QWidget):
    opened = Signal(str)
    """A county, or a pool of satellite sites, by its name."""

    def __init__(self) -> None:
        super().__init__()
        self.map = CountyMap(self.tr("Counties by share of precincts reporting"))
        self.told = wrapped()
        self.hint = label(self.tr("Arrows: from county to county · Enter: its precincts"), "small")
        self.model = TableModel[CountyShare](_columns(), lambda one: one.name, parent=self)
        self.table = TableView(self.model, self.tr("Where most is missing"))
        self.complete = wrapped(self.tr("Every precinct of every county reports."), "good")
        self._by_key: Mapping[str, CountyShare] = {}
        left = QVBoxLayout()
        left.setSpacing(STEP)
        left.addWidget(self.map, 1)
        left.addWidget(self.told)
        left.addWidget(self.hint)
        side = QWidget()
        side.setFixedWidth(66 * STEP)
        right = QVBoxLayout(side)
        right.setContentsMargins(0, 0, 0, 0)
        right.setSpacing(STEP)
        right.addWidget(label(self.tr("Where most is missing"), bold=True))
        right.addWidget(self.table, 1)
        right.addWidget(self.complete)
        right.addStretch(0)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(3 * STEP)
        row.addLayout(left, 1)
        row.addWidget(side)
        self.map.chosen.connect(self._tell)
        self.map.opened.connect(lambda key: self.opened.emit(self._by_key[key].name))
        self.table.opened.connect(self.opened)

    def show_evening(self, evening: Evening) -> None:
        areas = areas_of(evening.counties)
        self._by_key = {area.key: one for area, one in zip(areas, evening.counties, strict=True)}
        self.map.set_areas(areas)
        lacking = gaps(evening.counties)
        self.model.set_rows(lacking)
        self.table.setVisible(bool(lacking))
        self.complete.setVisible(not lacking)
        self._tell()

    def _tell(self) -> None:
        one = self._by_key.get(self.map.current)
        if one is None:
            self.told.setText(self.tr("No county is chosen."))
        else:
            self.told.setText(f"{one.name}: {county_text(one)}")

    def take_focus(self) -> bool:
        self.map.setFocus()
        return True


def _columns() -> tuple[ColumnSpec[CountyShare], ...]:
    return (
        ColumnSpec(tr("County"), 156, lambda one: one.name, tip=lambda one: one.name, bold=True),
        ColumnSpec(tr("Missing"), 64, lambda one: number(one.missing), lambda one: one.missing, number=True),
        ColumnSpec(tr("Of"), 44, lambda one: number(one.total), lambda one: one.total, number=True),
        ColumnSpec(
            tr("In"),
            56,
            lambda one: percent(one.reporting, one.total),
            lambda one: one.reporting / one.total,
            number=True,
        ),
    )
