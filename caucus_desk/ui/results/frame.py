"""What stands on the Results page, and where: beside each other where there is room, else stacked."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QVBoxLayout, QWidget

from caucus_desk.tally.results import By, Counting
from caucus_desk.ui.context import Context
from caucus_desk.ui.covering import CoverState
from caucus_desk.ui.page import Page
from caucus_desk.ui.results.ahead import AheadSection
from caucus_desk.ui.results.areas import AreaList
from caucus_desk.ui.results.delegates import DelegatesSection
from caucus_desk.ui.results.departing import DepartingSection
from caucus_desk.ui.results.export import ExportPanel
from caucus_desk.ui.results.leaders import LeadersSection
from caucus_desk.ui.results.panel import PrintPanel
from caucus_desk.ui.results.realign import RealignSection
from caucus_desk.ui.results.scope import AreaSection, Section
from caucus_desk.ui.results.tally import TallySection
from caucus_desk.ui.widgets.basics import STEP, Choices, ElidedLabel, Places, Toolbar, button, heading, label
from caucus_desk.ui.widgets.table import ROW_HEIGHT

_SIDE = 50 * STEP
_AREAS_STACKED = 28 * STEP
_AREAS_ABOVE = 34 * STEP
"""Where there is much below the list."""
_NO_LIMIT = 16_777_215
"""Qt's own word for a height without limit."""
_AROUND_TABLE = 45 * STEP
"""Pixels of the page's height that are not the table's rows."""
_ROW_MOST = 6 * STEP + 2


class Sections(Places):
    """No higher than the section that is shown: the others, though hidden, would ask for their height."""

    def hasHeightForWidth(self) -> bool:
        return False


class ResultsFrame(Page):
    """Sections, the choices above them, the strips for files. Knows no figure."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.tally = TallySection(context)
        self.realign = RealignSection(context)
        self.leaders = LeadersSection(context)
        self.departing = DepartingSection(context)
        self.ahead = AheadSection(context)
        self.delegates = DelegatesSection(context)
        self._sections: dict[str, Section] = {
            "tally": self.tally,
            "realign": self.realign,
            "leaders": self.leaders,
            "departing": self.departing,
            "ahead": self.ahead,
            "delegates": self.delegates,
        }
        self.sections = Choices(
            [
                ("tally", self.tr("1 Tally")),
                ("realign", self.tr("2 Realignment")),
                ("leaders", self.tr("3 Map")),
                ("departing", self.tr("4 Departures")),
                ("ahead", self.tr("5 Outlook")),
                ("delegates", self.tr("6 Delegates")),
            ],
            self.tr("Section"),
        )
        self.by = Choices(
            [
                (By.STATE, self.tr("State")),
                (By.DISTRICT, self.tr("District")),
                (By.COUNTY, self.tr("County")),
                (By.PRECINCT, self.tr("Precinct")),
            ],
            self.tr("By"),
        )
        self.counting = Choices(
            [(Counting.REPORTED, self.tr("Reported")), (Counting.VERIFIED, self.tr("Verified only"))],
            self.tr("Counting"),
        )
        self.copy_button = button(self.tr("Copy"), "copy")
        self.print_button = button(self.tr("Print…"), "paper")
        self.export_button = button(self.tr("Workbook…"), "export")
        self.export = ExportPanel(context)
        self.print_panel = PrintPanel(context)
        self.name_label = ElidedLabel()
        self.name_label.setFont(heading("").font())
        self.coverage = label(role="muted")
        self.cover = CoverState(self)
        self.areas = AreaList()
        # The tally's own parts, under the names by which they are known.
        self.model, self.table, self.remark = self.tally.model, self.tally.table, self.tally.remark
        self.missing, self.missing_sign = self.tally.missing, self.tally.missing_sign
        self.chart, self.chart_title, self.legend = (
            self.tally.chart,
            self.tally.chart_title,
            self.tally.legend,
        )
        self.seat_model, self.seat_table = self.tally.seat_model, self.tally.seat_table
        self.seat_remark, self.national = self.tally.seat_remark, self.tally.national
        self._lay_out()

    def _lay_out(self) -> None:
        names = QHBoxLayout()
        names.setSpacing(2 * STEP)
        names.addWidget(self.name_label, 1)
        names.addWidget(self.coverage, 0, Qt.AlignmentFlag.AlignBottom)
        self._bodies, self._sides = Sections(), Sections()
        for section in (self.tally, self.realign):
            self._bodies.addWidget(section)
            self._sides.addWidget(section.side)
        left = QVBoxLayout()
        left.setSpacing(2 * STEP)
        left.addLayout(names)
        left.addWidget(self._bodies, 1)
        left.addWidget(self.cover, 1)
        side = QWidget()
        side.setMinimumWidth(_SIDE)
        self._beside = side
        beside = QVBoxLayout(side)
        beside.setContentsMargins(0, 0, 0, 0)
        beside.setSpacing(STEP)
        beside.addWidget(self.areas, 1000)
        beside.addWidget(self._sides)
        beside.addStretch(1)
        by_area = QWidget()
        self._middle = QBoxLayout(QBoxLayout.Direction.LeftToRight, by_area)
        self._middle.setContentsMargins(0, 0, 0, 0)
        self._middle.setSpacing(3 * STEP)
        self._middle.addLayout(left, 3)
        self._middle.addWidget(side, 1)
        self._by_area = by_area
        self._places = Sections()
        self._places.addWidget(by_area)
        for whole_state in (self.leaders, self.departing, self.ahead, self.delegates):
            self._places.addWidget(whole_state)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(3 * STEP, 2 * STEP, 3 * STEP, 2 * STEP)
        whole.setSpacing(2 * STEP - 2)
        whole.addWidget(Toolbar([self.sections], [self.copy_button, self.print_button, self.export_button]))
        whole.addWidget(Toolbar([self.by, self.counting], []))
        whole.addWidget(self.export)
        whole.addWidget(self.print_panel)
        whole.addWidget(self._places, 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def minimumSizeHint(self) -> QSize:
        """As narrow as the table and the side under each other: they stand so where the room is small."""
        hint = super().minimumSizeHint()
        if not self._is_by_area:
            return hint
        table = self._table_of_area
        across = max(table.minimumWidth(), self._beside.minimumWidth(), self.sections.sizeHint().width())
        return QSize(across + 6 * STEP, hint.height())

    @property
    def _section(self) -> Section:
        return self._sections[self.sections.key]

    @property
    def _is_by_area(self) -> bool:
        return isinstance(self._section, AreaSection)

    @property
    def _table_of_area(self) -> QWidget:
        return self.realign.table if self._section is self.realign else self.tally.table

    def _arrange(self) -> None:
        """Table and side beside each other where there is room, else one under the other; on a large
        screen the rows stand further apart."""
        section = self._section
        if not isinstance(section, AreaSection):
            return
        self._beside.setMinimumWidth(max(_SIDE, self.seat_table.least_width))
        needed = self._table_of_area.minimumWidth() + self._beside.minimumWidth() + 9 * STEP
        if self.width() >= needed:
            wanted = QBoxLayout.Direction.LeftToRight
        elif self.by.key == By.STATE:
            wanted = QBoxLayout.Direction.TopToBottom
        else:
            wanted = QBoxLayout.Direction.BottomToTop  # the list from which one chooses comes first
        if self._middle.direction() is not wanted:
            self._middle.setDirection(wanted)
        stacked = wanted is not QBoxLayout.Direction.LeftToRight
        self.areas.setMinimumHeight(_AREAS_STACKED if stacked else 0)
        self.areas.setMaximumHeight(_AREAS_ABOVE if section is self.realign else _NO_LIMIT)
        lines = len(self.context.rules.groups) + 2
        frame = self.parentWidget()  # the page itself grows with its table; what is seen does not
        seen = frame.height() if frame is not None else self.height()
        roomy = (seen - _AROUND_TABLE) // max(lines, 10)
        section.set_row_height(min(max(roomy, ROW_HEIGHT), _ROW_MOST))
