"""Section 1: the tally of the chosen part of the state, its shares as bars, national delegates."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from caucus_desk.tally.results import By, Counting
from caucus_desk.ui.context import Context
from caucus_desk.ui.icons import IconLabel
from caucus_desk.ui.results.figures import (
    Line,
    Seats,
    bars_of,
    columns_for,
    lines_of,
    seat_columns,
    seats_of,
    total_of,
    unit_word,
)
from caucus_desk.ui.results.missing import listed, missing_in, sentences
from caucus_desk.ui.results.scope import AreaSection, Scope
from caucus_desk.ui.widgets.barchart import BarChart
from caucus_desk.ui.widgets.basics import STEP, label, wrapped
from caucus_desk.ui.widgets.table import TableModel, TableView
from caucus_desk.ui.words import number


class TallySection(AreaSection):
    """First and final alignment, delegates and SDEs, as reported and as the rules give."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        rules = context.rules
        self.model = TableModel[Line](columns_for(rules), lambda line: line.key, parent=self)
        self.table = TableView(self.model, self.tr("Results by group"))
        self.missing_sign = IconLabel("warn", "warn")
        self.missing = wrapped(role="warn")
        self.remark = wrapped(role="muted")
        self.side = QWidget()
        self.chart_title = label(bold=True)
        self.chart = BarChart(self.tr("Shares of the groups"))
        self.legend = label(self.tr("bar: as reported    | as the rules give"), "small")
        self.national = QWidget()
        self.seat_model = TableModel[Seats](seat_columns(rules), lambda seats: seats.key, parent=self)
        self.seat_table = TableView(self.seat_model, self.tr("National delegates, if this stood"))
        self.seat_remark = wrapped(role="muted")
        self._lay_out()

    def _lay_out(self) -> None:
        missing = QHBoxLayout()
        missing.setSpacing(STEP)
        missing.addWidget(self.missing_sign, 0, Qt.AlignmentFlag.AlignTop)
        missing.addWidget(self.missing, 1)
        left = QVBoxLayout(self)
        left.setContentsMargins(0, 0, 0, 0)
        left.setSpacing(2 * STEP)
        left.addWidget(self.table, 1000)
        left.addLayout(missing)
        left.addWidget(self.remark)
        left.addStretch(1)
        seats = QVBoxLayout(self.national)
        seats.setContentsMargins(0, 0, 0, 0)
        seats.setSpacing(STEP)
        seats.addWidget(label(self.tr("National delegates, if this stood"), bold=True))
        seats.addWidget(self.seat_table)
        seats.addWidget(self.seat_remark)
        side = QVBoxLayout(self.side)
        side.setContentsMargins(0, 0, 0, 0)
        side.setSpacing(STEP)
        side.addWidget(self.chart_title)
        side.addWidget(self.chart)
        side.addWidget(self.legend)
        side.addSpacing(STEP)
        side.addWidget(self.national)
        side.addStretch(1)

    # ---- showing ----

    def show_scope(self, scope: Scope) -> None:
        context, row = self.context, scope.row
        missing = missing_in(context.overview, scope.by, row.key)
        unit = unit_word(context.rules)
        # Where nothing is known 0.0000 would be a figure that nobody worked out.
        scaled = not missing or row.sde_total > 0
        self._say_missing(sentences(missing, unit, known=scaled))
        lines = lines_of(context.rules, row, scaled=scaled)
        self.model.set_rows(lines, [total_of(row, scaled=scaled)])
        self.table.setMinimumWidth(self.table.least_width)
        bars = bars_of(lines)
        if bars:
            self.chart_title.setText(self.tr("Share of {0}").format(unit))
        elif scaled:
            self.chart_title.setText(self.tr("No {0} counted here yet").format(unit))
        else:
            self.chart_title.setText(self.tr("No {0} known here").format(unit))
        self.chart.set_bars(bars)
        self.legend.setVisible(any(bar.mark != bar.share for bar in bars))
        self.remark.setText(self._remark(lines, scope.by))

    def clear(self) -> None:
        self.model.set_rows(())
        self.chart.set_bars(())
        self.chart_title.setText("")
        self.legend.hide()
        self.remark.setText("")
        self._say_missing("")

    def _say_missing(self, text: str) -> None:
        self.missing.setText(text)
        self.missing.setVisible(bool(text))
        self.missing_sign.setVisible(bool(text))

    def _remark(self, lines: Sequence[Line], by: By) -> str:
        differing = [line.label for line in lines if line.differs]
        if not differing:
            return self.tr("The rules give the same delegates as the sheets state.")
        if by is By.STATE:
            precincts = len(self.context.overview.differs())
            return self.tr(
                "On {0} sheets the rules give other delegates than the sheet states; it stands as reported, "
                "and both are shown. Which ones: key 4."
            ).format(number(precincts))
        return self.tr("The rules give other delegates than reported for: {0}.").format(", ".join(differing))

    def show_national(self, counting: Counting) -> None:
        national = self.context.overview.national(counting)
        seats = seats_of(self.context.rules, national)
        self.seat_model.set_rows(seats)
        self.seat_table.setVisible(bool(seats))
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

    def set_row_height(self, height: int) -> None:
        for view in (self.table, self.seat_table):
            view.set_row_height(height)
            view.fit_rows(whole=True)
        self.chart.set_line_height(height - 2)

    # ---- for paper and the clipboard ----

    def heading(self) -> str:
        return self.tr("Results")

    def tables(self) -> Sequence[TableView]:
        return (self.table,) if self.national.isHidden() else (self.table, self.seat_table)

    def sentences(self) -> Sequence[str]:
        return [text for text in (self.missing.text(), self.remark.text()) if text]
