"""The Results page: six sections, one at a time."""

from collections.abc import Sequence
from datetime import UTC, datetime

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QGuiApplication, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QApplication, QBoxLayout, QHBoxLayout, QVBoxLayout, QWidget

from caucus_desk.tally.results import By, Counting, PrecinctResult, TallyRow
from caucus_desk.ui.context import Context
from caucus_desk.ui.covering import Cover, CoverState, Looks, cover_of, cover_of_sum
from caucus_desk.ui.page import Page
from caucus_desk.ui.paper import Block, Document
from caucus_desk.ui.results.ahead import AheadSection
from caucus_desk.ui.results.areas import AreaList, area_of, area_of_precinct
from caucus_desk.ui.results.delegates import DelegatesSection
from caucus_desk.ui.results.departing import DepartingSection
from caucus_desk.ui.results.export import ExportPanel, keying_refusal
from caucus_desk.ui.results.figures import precinct_row, reporting_text
from caucus_desk.ui.results.leaders import LeadersSection
from caucus_desk.ui.results.missing import area_key
from caucus_desk.ui.results.panel import PrintPanel
from caucus_desk.ui.results.realign import RealignSection
from caucus_desk.ui.results.scope import AreaSection, Scope, Section, Shown
from caucus_desk.ui.results.tally import TallySection
from caucus_desk.ui.widgets.basics import STEP, Choices, ElidedLabel, Places, Toolbar, button, heading, label
from caucus_desk.ui.widgets.copying import mime
from caucus_desk.ui.widgets.table import ROW_HEIGHT
from caucus_desk.ui.words import tr

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


class ResultsPage(Page):
    """The figures as they stand, refreshed after each change. Keys 1 to 6 go to the sections."""

    name = "results"
    icon = "results"

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._rows: dict[str, TallyRow] = {}
        self._key = "state"
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
        self._looks = Looks(context, self)
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
        self._connect()

    @classmethod
    def title(cls) -> str:
        return tr("Results")

    # ---- building ----

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

    def _connect(self) -> None:
        self.sections.chosen.connect(self._section_chosen)
        self.by.chosen.connect(self._by_chosen)
        self.counting.chosen.connect(self.refresh)
        self.areas.chosen.connect(self._area_chosen)
        self.export_button.clicked.connect(self._export)
        self.print_button.clicked.connect(self._print)
        self.copy_button.clicked.connect(self._copy)
        self.cover.look_wanted.connect(self._look)
        self.leaders.opened.connect(self.show_county)
        for panel in (self.export, self.print_panel):
            panel.closed.connect(self.take_focus)
        for place, key in enumerate(self._sections):
            self._shortcut(str(place + 1)).activated.connect(lambda key=key: self._jump(key))
        for letter, does in (
            ("B", self._turn_by),
            ("C", self._turn_counting),
            ("T", self._turn_beside),
            ("P", self._print),
            ("X", self._export),
            ("/", self._to_filter),
        ):
            self._shortcut(letter).activated.connect(does)

    def _shortcut(self, keys: str) -> QShortcut:
        made = QShortcut(QKeySequence(keys), self)
        made.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        return made

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

    # ---- showing ----

    @property
    def store_is_busy(self) -> bool:
        return self._looks.waits()

    def refresh(self) -> None:
        here = self._has_focus()
        section, counting = self._section, Counting(self.counting.key)
        self.by.setVisible(self._is_by_area)
        if self._is_by_area:
            self._show_by_area(counting)
        elif (cover := cover_of_sum(self.context, self._counted(By.STATE, "state"))) is not None:
            # What follows from the state's sum is not shown where that is one covered precinct's own.
            self._places.setCurrentWidget(self._by_area)
            self._show_covered(cover)
        else:
            self.cover.show_cover(None)
            self._places.setCurrentWidget(section)
            self._can_copy(True)
            section.show_figures(counting)
        if here and not self._has_focus():
            self.take_focus()  # what had it is hidden now

    def _has_focus(self) -> bool:
        focus = QApplication.focusWidget()
        return focus is not None and focus.isVisible() and self.isAncestorOf(focus)

    def _show_by_area(self, counting: Counting) -> None:
        overview, by = self.context.overview, By(self.by.key)
        self._places.setCurrentWidget(self._by_area)
        self._bodies.setCurrentWidget(self._section)
        side = self._section.side if isinstance(self._section, AreaSection) else self.tally.side
        self._sides.setCurrentWidget(side)
        if by is By.PRECINCT:
            # A row for each of 1,765 precincts would cost a third of a second: only the chosen one is made.
            keys = [key for key, result in overview.results.items() if not result.precinct.merged]
            self._rows = {}
        else:
            self._rows = {row.key: row for row in overview.tally(by, counting).rows}
            keys = list(self._rows)
        if self._key not in keys:
            self._key = keys[0] if keys else ""
        is_state = by is By.STATE
        self.areas.setVisible(not is_state)
        if is_state:
            self.tally.show_national(counting)
        else:
            self._show_areas(by)
        self._show_row()

    def _show_areas(self, by: By) -> None:
        if by is By.PRECINCT:
            results = self.context.overview.results.values()
            self.areas.set_areas([area_of_precinct(r) for r in results if not r.precinct.merged])
        else:
            self.areas.set_areas([area_of(row) for row in self._rows.values()])
        self.areas.view.select_key(self._key)

    def _show_row(self) -> None:
        section, row, by = self._section, self._row(), By(self.by.key)
        if not isinstance(section, AreaSection):
            return
        if row is None:
            section.clear()
            return
        cover = self._cover_of(row)
        name = self._name_of(row)
        self.name_label.set_text(name)
        self.national.setVisible(by is By.STATE and not self._pools_covered(cover))
        if cover is not None:
            self._show_covered(cover)
            return
        self.cover.show_cover(None)
        self._bodies.setVisible(True)
        self._sides.setVisible(True)
        self._can_copy(True)
        section.show_scope(Scope(by, row, name, Counting(self.counting.key)))
        self._arrange()
        self.coverage.setText(reporting_text(row))

    def _show_covered(self, cover: Cover) -> None:
        self.cover.show_cover(cover)
        self._bodies.setVisible(False)
        self._sides.setVisible(False)
        self._can_copy(False)
        for section in (self.tally, self.realign):
            section.clear()
        for state_wide in (self.ahead, self.delegates):
            state_wide.clear()
        self.coverage.setText("")
        if not self._is_by_area:
            self.name_label.set_text(self.sections.text_of(self.sections.key))
            self.areas.hide()

    def _can_copy(self, may: bool) -> None:
        self.copy_button.setEnabled(may)
        self.print_button.setEnabled(may)

    def _counted(self, by: By, key: str) -> list[PrecinctResult]:
        """The precincts that are in the sums of one row, as is counted now."""
        verified_only = self.counting.key == Counting.VERIFIED
        return [
            result
            for result in self.context.overview.results.values()
            if result.reporting
            and (result.verified or not verified_only)
            and area_key(result.precinct, by) == key
        ]

    def _cover_of(self, row: TallyRow) -> Cover | None:
        """Figures that the person must not see are not shown, nor a sum that is one precinct's own."""
        if self.by.key == By.PRECINCT:
            result = self.context.overview.results[row.key]
            self._looks.keep(result)
            return cover_of(self.context, result)
        return cover_of_sum(self.context, self._counted(By(self.by.key), row.key))

    def _pools_covered(self, cover: Cover | None) -> bool:
        """A district's national delegates follow from its sum; that may be a precinct being keyed."""
        keying = self.context.eyes.keying
        if cover is not None or not keying:
            return cover is not None
        districts = {area_key(self.context.overview.results[id].precinct, By.DISTRICT) for id in keying}
        return any(
            cover_of_sum(self.context, self._counted(By.DISTRICT, district)) is not None
            for district in districts
        )

    def _look(self, precinct_id: str) -> None:
        def then(seen: bool) -> None:
            if seen:
                self.refresh()
                if self.isVisible():
                    self.take_focus()

        self._looks.uncover(precinct_id, then)

    def _row(self) -> TallyRow | None:
        if self.by.key == By.PRECINCT and self._key in self.context.overview.results:
            return precinct_row(self.context.overview, self._key, Counting(self.counting.key))
        return self._rows.get(self._key)

    def _name_of(self, row: TallyRow) -> str:
        if self.by.key == By.PRECINCT:
            precinct = self.context.overview.results[row.key].precinct
            return f"{precinct.county} · {precinct.name} · {precinct.id}"
        return row.name

    # ---- what the person does ----

    def take_focus(self) -> None:
        if self.cover.isHidden():
            if not self._section.take_focus():
                self.sections.take_focus()
        elif not self.cover.show_figures.isHidden():
            self.cover.show_figures.setFocus()
        else:
            self.sections.take_focus()

    def person_changed(self) -> None:
        for panel in (self.export, self.print_panel):
            panel.hide()
        for section in (self.realign, self.ahead, self.delegates):
            section.clear()

    def _jump(self, key: str) -> None:
        self.sections.choose(key)
        self.take_focus()

    def _section_chosen(self) -> None:
        self.print_panel.close_panel() if self.print_panel.isVisible() else None
        self.refresh()

    def _turn_by(self) -> None:
        if self._is_by_area:
            self.by.turn()

    def _turn_counting(self) -> None:
        self.counting.turn()
        self.take_focus()

    def _turn_beside(self) -> None:
        if self._section is self.ahead and self.ahead.isVisible():
            self.ahead.turn()

    def _to_filter(self) -> None:
        if self.areas.isVisible():
            self.areas.filter.setFocus()

    def _by_chosen(self) -> None:
        self.areas.filter.clear()
        self.refresh()
        if self.by.key != By.STATE:
            self.areas.filter.setFocus()
        else:
            self.take_focus()

    def _area_chosen(self, key: str) -> None:
        if key != self._key:
            self._key = key
            self.context.renew_eyes()
            self._show_row()

    def show_county(self, county: str) -> None:
        """The tally of one county."""
        self.sections.choose("tally")
        self._key = county
        self.by.choose(By.COUNTY)
        self.areas.view.select_key(county)
        self.areas.view.setFocus()

    def open_precinct(self, precinct_id: str) -> None:
        if not self._is_by_area:
            self.sections.choose("tally")
        self.by.choose(By.PRECINCT)
        if precinct_id in self.context.overview.results:
            self.areas.view.select_key(precinct_id)

    def _export(self) -> None:
        self.context.renew_eyes()
        if refusal := keying_refusal(self.context):
            self.context.notices.refuse(refusal)
            return
        self.print_panel.hide()
        self.export.open(Counting(self.counting.key))

    # ---- the clipboard and paper ----

    def _heading(self) -> str:
        what = self._section.heading()
        return f"{what}: {self.name_label.whole}" if self._is_by_area else what

    def _below(self) -> str:
        """What every copy and every sheet says of its figures."""
        counting = {
            Counting.REPORTED: self.tr("every standing sheet counts"),
            Counting.VERIFIED: self.tr("verified precincts only"),
        }[Counting(self.counting.key)]
        return f"{self.context.overview.banner()}; {counting}"

    def _shown(self) -> Sequence[Shown]:
        return self._section.shown() if self.cover.isHidden() else ()

    def _copy(self) -> None:
        shown = self._shown()
        if not shown:
            self.context.notices.say(self.tr("There is no table to copy here."))
            return
        focus = QApplication.focusWidget()
        views = self._section.tables()
        place = next((place for place, view in enumerate(views) if view is focus), 0)
        one = shown[min(place, len(shown) - 1)]
        made = mime([("", one.grid)], f"{self.context.desk.caucus}, {self._heading()}. {self._below()}.")
        QGuiApplication.clipboard().setMimeData(made)
        self.context.notices.done(self.tr("The table is in the clipboard: {0}.").format(one.title))

    def _print(self) -> None:
        shown = self._shown()
        if not shown:
            self.context.notices.say(self.tr("There is nothing to print here."))
            return
        self.export.hide()
        several = len(shown) > 1
        blocks = [Block(one.title if several else "", "", one.grid) for one in shown]
        blocks += [Block("", text) for text in self._section.sentences() if text]
        self.print_panel.open(
            Document(
                self.context.desk.caucus,
                self._heading(),
                self._below(),
                datetime.now(UTC),
                blocks,
            )
        )
