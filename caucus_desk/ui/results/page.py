"""The Results page."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QVBoxLayout, QWidget

from caucus_desk.tally.results import By, Counting, PrecinctResult, TallyRow
from caucus_desk.ui.context import Context
from caucus_desk.ui.covering import Cover, CoverState, cover_of, cover_of_sum, keep_looking, uncover
from caucus_desk.ui.icons import IconLabel
from caucus_desk.ui.page import Page
from caucus_desk.ui.results.areas import AreaList, area_of, area_of_precinct
from caucus_desk.ui.results.export import ExportPanel, keying_refusal
from caucus_desk.ui.results.figures import (
    Line,
    Seats,
    bars_of,
    columns_for,
    lines_of,
    precinct_row,
    reporting_text,
    seat_columns,
    seats_of,
    total_of,
    unit_word,
)
from caucus_desk.ui.results.missing import area_key, listed, missing_in, sentences
from caucus_desk.ui.widgets.barchart import BarChart
from caucus_desk.ui.widgets.basics import STEP, Choices, ElidedLabel, Toolbar, button, heading, label, wrapped
from caucus_desk.ui.widgets.table import ROW_HEIGHT, TableModel, TableView
from caucus_desk.ui.words import number

_SIDE = 50 * STEP
_AREAS_STACKED = 28 * STEP
_AROUND_TABLE = 38 * STEP
"""Pixels of the page's height that are not the table's rows."""
_ROW_MOST = 6 * STEP + 2


class ResultsPage(Page):
    """The tally as it stands, refreshed after each change."""

    name = "results"
    icon = "results"

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._rows: dict[str, TallyRow] = {}
        self._key = "state"
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
        self.copy_button = button(self.tr("Copy table"), "copy")
        self.export_button = button(self.tr("Export workbook…"), "export")
        self.export = ExportPanel(context)
        self.name_label = ElidedLabel()
        self.name_label.setFont(heading("").font())
        self.coverage = label(role="muted")
        self.model = TableModel[Line](columns_for(context.rules), lambda line: line.key, parent=self)
        self.table = TableView(self.model, self.tr("Results by group"))
        self.missing_sign = IconLabel("warn", "warn")
        self.missing = wrapped(role="warn")
        self.remark = wrapped(role="muted")
        self.cover = CoverState(self)
        self.areas = AreaList()
        self.chart_title = label(bold=True)
        self.chart = BarChart(self.tr("Shares of the groups"))
        self.legend = label(self.tr("bar: as reported    | as the rules give"), "small")
        self.seat_model = TableModel[Seats](seat_columns(context.rules), lambda seats: seats.key, parent=self)
        self.seat_table = TableView(self.seat_model, self.tr("National delegates"))
        self.seat_remark = wrapped(role="muted")
        self._lay_out()
        self.by.chosen.connect(self._by_chosen)
        self.counting.chosen.connect(self.refresh)
        self.areas.chosen.connect(self._area_chosen)
        self.export_button.clicked.connect(self._export)
        self.cover.look_wanted.connect(self._look)
        self.copy_button.clicked.connect(self._copy)

    def title(self) -> str:
        return self.tr("Results")

    def take_focus(self) -> None:
        if self.cover.isHidden():
            self.table.setFocus()
        elif not self.cover.show_figures.isHidden():
            self.cover.show_figures.setFocus()
        else:
            self.by.take_focus()

    # ---- building ----

    def _lay_out(self) -> None:
        names = QHBoxLayout()
        names.setSpacing(2 * STEP)
        names.addWidget(self.name_label, 1)
        names.addWidget(self.coverage, 0, Qt.AlignmentFlag.AlignBottom)
        left = QVBoxLayout()
        left.setSpacing(2 * STEP)
        left.addLayout(names)
        left.addWidget(self.table, 1000)
        missing = QHBoxLayout()
        missing.setSpacing(STEP)
        missing.addWidget(self.missing_sign, 0, Qt.AlignmentFlag.AlignTop)
        missing.addWidget(self.missing, 1)
        left.addLayout(missing)
        left.addWidget(self.remark)
        left.addWidget(self.cover, 1)
        left.addStretch(1)
        self.national = QWidget()
        seats = QVBoxLayout(self.national)
        seats.setContentsMargins(0, 0, 0, 0)
        seats.setSpacing(STEP)
        seats.addWidget(label(self.tr("National delegates, if this stood"), bold=True))
        seats.addWidget(self.seat_table)
        seats.addWidget(self.seat_remark)
        side = QWidget()
        side.setMinimumWidth(_SIDE)
        self._beside = side
        self._side = QVBoxLayout(side)
        self._side.setContentsMargins(0, 0, 0, 0)
        self._side.setSpacing(STEP)
        self._side.addWidget(self.areas, 1000)
        self._side.addWidget(self.chart_title)
        self._side.addWidget(self.chart)
        self._side.addWidget(self.legend)
        self._side.addSpacing(STEP)
        self._side.addWidget(self.national)
        self._side.addStretch(1)
        self._middle = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._middle.setSpacing(3 * STEP)
        self._middle.addLayout(left, 3)
        self._middle.addWidget(side, 1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(3 * STEP, 3 * STEP, 3 * STEP, 2 * STEP)
        whole.setSpacing(2 * STEP)
        whole.addWidget(Toolbar([self.by, self.counting], [self.copy_button, self.export_button]))
        whole.addWidget(self.export)
        whole.addLayout(self._middle, 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def minimumSizeHint(self) -> QSize:
        """As narrow as the table and the side under each other: they stand so where the room is small."""
        across = max(self.table.minimumWidth(), self._beside.minimumWidth()) + 6 * STEP
        return QSize(across, super().minimumSizeHint().height())

    def _arrange(self) -> None:
        """Table and side beside each other where there is room, else one under the other; on a large
        screen the rows stand further apart."""
        needed = self.table.minimumWidth() + self._beside.minimumWidth() + 9 * STEP
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
        lines = self.model.rowCount() + 1
        frame = self.parentWidget()  # the page itself grows with its table; what is seen does not
        seen = frame.height() if frame is not None else self.height()
        roomy = (seen - _AROUND_TABLE) // max(lines, 10)
        height = min(max(roomy, ROW_HEIGHT), _ROW_MOST)
        self.table.set_row_height(height)
        self.table.fit_rows(whole=True)
        self.seat_table.set_row_height(height)
        self.seat_table.fit_rows(whole=True)
        self.chart.set_line_height(height - 2)

    # ---- showing ----

    def refresh(self) -> None:
        overview = self.context.overview
        counting = Counting(self.counting.key)
        by = By(self.by.key)
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
            self._show_national(counting)
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
        row = self._row()
        if row is None:
            self.model.set_rows(())
            return
        cover = self._cover_of(row)
        self.cover.show_cover(cover)
        self.table.setVisible(cover is None)
        self.copy_button.setEnabled(cover is None)
        self.national.setVisible(self.by.key == By.STATE and not self._pools_covered(cover))
        if cover is not None:
            self._cover(row)
            return
        missing = missing_in(self.context.overview, By(self.by.key), row.key)
        unit = unit_word(self.context.rules)
        # Where nothing is known 0.0000 would be a figure that nobody worked out.
        scaled = not missing or row.sde_total > 0
        self._say_missing(sentences(missing, unit, known=scaled))
        lines = lines_of(self.context.rules, row, scaled=scaled)
        self.model.set_rows(lines, [total_of(row, scaled=scaled)])
        self.table.setMinimumWidth(self.table.least_width)
        self._arrange()
        self.name_label.set_text(self._name_of(row))
        self.coverage.setText(reporting_text(row))
        bars = bars_of(lines)
        if bars:
            self.chart_title.setText(self.tr("Share of {0}").format(unit))
        elif scaled:
            self.chart_title.setText(self.tr("No {0} counted here yet").format(unit))
        else:
            self.chart_title.setText(self.tr("No {0} known here").format(unit))
        self.chart.set_bars(bars)
        self.legend.setVisible(any(bar.mark != bar.share for bar in bars))
        self.remark.setText(self._remark(lines))

    def _say_missing(self, text: str) -> None:
        self.missing.setText(text)
        self.missing.setVisible(bool(text))
        self.missing_sign.setVisible(bool(text))

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
            keep_looking(self.context, result)
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

    def _cover(self, row: TallyRow) -> None:
        self.model.set_rows(())
        self.chart.set_bars(())
        self.chart_title.setText("")
        self.legend.hide()
        self.name_label.set_text(self._name_of(row))
        self.coverage.setText("")
        self.remark.setText("")
        self._say_missing("")

    def _look(self, precinct_id: str) -> None:
        if uncover(self.context, precinct_id):
            self._show_row()
            self.table.setFocus()

    def _row(self) -> TallyRow | None:
        if self.by.key == By.PRECINCT and self._key in self.context.overview.results:
            return precinct_row(self.context.overview, self._key, Counting(self.counting.key))
        return self._rows.get(self._key)

    def _name_of(self, row: TallyRow) -> str:
        if self.by.key == By.PRECINCT:
            precinct = self.context.overview.results[row.key].precinct
            return f"{precinct.county} · {precinct.name} · {precinct.id}"
        return row.name

    def _remark(self, lines: tuple[Line, ...]) -> str:
        differing = [line.label for line in lines if line.differs]
        if not differing:
            return self.tr("The rules give the same delegates as the sheets state.")
        if self.by.key == By.STATE:
            precincts = len(self.context.overview.differs())
            return self.tr(
                "On {0} sheets the rules give other delegates than the sheet states; it stands as reported, "
                "and both are shown."
            ).format(number(precincts))
        return self.tr("The rules give other delegates than reported for: {0}.").format(", ".join(differing))

    def _show_national(self, counting: Counting) -> None:
        national = self.context.overview.national(counting)
        seats = seats_of(self.context.rules, national)
        self.seat_model.set_rows(seats)
        self.seat_table.setVisible(bool(seats))
        self._beside.setMinimumWidth(max(_SIDE, self.seat_table.least_width))
        self.seat_table.fit_rows(whole=True)
        open_seats = [
            self.tr("{0}: {1} to be settled between {2}").format(
                pool.pool.label,
                pool.tie.k,
                ", ".join(self.context.rules.label(key) for key in pool.tie.groups),
            )
            for pool in national.pools
            if pool.tie is not None
        ]
        lacking = missing_in(self.context.overview, By.STATE, "state")
        if lacking.places:
            without = self.tr("Without {0}: see below the table.").format(listed(lacking.places))
            open_seats.insert(0, without)
        elif not seats:
            open_seats = [self.tr("Nothing to divide yet.")]
        self.seat_remark.setText("\n".join(open_seats))
        self.seat_remark.setVisible(bool(open_seats))

    # ---- what the person does ----

    def _by_chosen(self) -> None:
        self.areas.filter.clear()
        self.refresh()
        if self.by.key != By.STATE:
            self.areas.filter.setFocus()

    def _area_chosen(self, key: str) -> None:
        if key != self._key:
            self._key = key
            self.context.renew_eyes()
            self._show_row()

    def open_precinct(self, precinct_id: str) -> None:
        self.by.choose(By.PRECINCT)
        if precinct_id in self.context.overview.results:
            self.areas.view.select_key(precinct_id)

    def _export(self) -> None:
        self.context.renew_eyes()
        if refusal := keying_refusal(self.context):
            self.context.notices.refuse(refusal)
            return
        self.export.open(Counting(self.counting.key))

    def _copy(self) -> None:
        self.table.copy()
        self.context.notices.done(self.tr("The table is in the clipboard."))
