"""The night at a glance: what is in, how it came, and what waits."""

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from caucus_desk.tally.evening import Evening
from caucus_desk.ui.progress.wording import bins_of, marks_of, shown_from, span, waits_text
from caucus_desk.ui.widgets.basics import STEP, EmptyState, label, wrapped
from caucus_desk.ui.widgets.columns import ColumnChart
from caucus_desk.ui.widgets.curve import Curve
from caucus_desk.ui.words import number, percent


class Figure(QWidget):
    """One large number with what it counts."""

    def __init__(self, caption: str, points: float = 20.0) -> None:
        super().__init__()
        self._value = label(points=points, bold=True)
        self._more = label(role="muted")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(label(caption, "muted"))
        column.addWidget(self._value)
        column.addWidget(self._more)

    def show_figure(self, value: str, more: str = "") -> None:
        self._value.setText(value)
        self._more.setText(more)

    @property
    def text(self) -> str:
        return f"{self._value.text()} {self._more.text()}".strip()


class NightSection(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self.reporting = Figure(self.tr("Reporting"))
        self.verified = Figure(self.tr("Verified"))
        self.calls = Figure(self.tr("Calls"))
        self.drafts = Figure(self.tr("Sheets begun and waiting"))
        self.mismatches = Figure(self.tr("Mismatches waiting"))
        self.curve = Curve(
            self.tr("Share of precincts over the night"), [self.tr("reporting"), self.tr("verified")]
        )
        self.columns = ColumnChart(self.tr("Calls per quarter hour"))
        self.curve_title = label(bold=True)
        self.columns_title = label(bold=True)
        self.waits = wrapped(role="muted")
        self.empty = EmptyState(
            "progress",
            self.tr("Nothing has come in yet"),
            self.tr("The curve begins with the first report or call. Key it under Entry."),
        )
        self._pictures = QWidget()
        self._lay_out()

    def _lay_out(self) -> None:
        figures = QHBoxLayout()
        figures.setSpacing(4 * STEP)
        for one in (self.reporting, self.verified, self.calls, self.drafts, self.mismatches):
            figures.addWidget(one, 1)
        pictures = QVBoxLayout(self._pictures)
        pictures.setContentsMargins(0, 0, 0, 0)
        pictures.setSpacing(STEP)
        pictures.addWidget(self.curve_title)
        pictures.addWidget(self.curve, 3)
        pictures.addSpacing(STEP)
        pictures.addWidget(self.columns_title)
        pictures.addWidget(self.columns, 2)
        pictures.addWidget(self.waits)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2 * STEP)
        column.addLayout(figures)
        column.addWidget(self._pictures, 1)
        column.addWidget(self.empty, 1)

    def show_evening(self, evening: Evening) -> None:
        last = evening.curve[-1] if evening.curve else None
        reporting, verified = (last.reporting, last.verified) if last is not None else (0, 0)
        self.reporting.show_figure(
            percent(reporting, evening.total),
            self.tr("{0} of {1}").format(number(reporting), number(evening.total)),
        )
        self.verified.show_figure(
            percent(verified, evening.total),
            self.tr("{0} of {1}").format(number(verified), number(evening.total)),
        )
        quarter = evening.quarters[-1] if evening.quarters else None
        self.calls.show_figure(
            number(evening.calls),
            self.tr("{0} in this quarter hour").format(number(quarter.calls if quarter is not None else 0)),
        )
        self.drafts.show_figure(number(evening.drafts))
        waits = evening.waits
        oldest = self.tr("oldest {0}").format(span(evening.until - waits.open[0].since)) if waits.open else ""
        self.mismatches.show_figure(number(len(waits.open)), oldest)
        begun = evening.begin is not None
        self._pictures.setVisible(begun)
        self.empty.setVisible(not begun)
        begin = shown_from(evening)
        short = begin != evening.begin
        when = self.tr(", the last 12 hours") if short else ""
        self.curve_title.setText(self.tr("Share of precincts reporting and verified") + when)
        self.columns_title.setText(
            self.tr("Calls per quarter hour; hatched: sheets begun then that still wait") + when
        )
        self.curve.set_marks(marks_of(evening), evening.total, begin, evening.until)
        self.columns.set_bins(bins_of(evening))
        self.waits.setText(self.tr("Mismatches: {0}").format(waits_text(waits, evening.until)))

    def take_focus(self) -> bool:
        return False
