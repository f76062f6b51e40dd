"""One precinct: its sheets side by side, what the checks say, and where it stands. Read only."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from caucus_desk.tally.report import CHANNELS
from caucus_desk.tally.results import PrecinctResult
from caucus_desk.tally.state import State
from caucus_desk.ui.context import Context
from caucus_desk.ui.covering import CoverState, Looks, cover_of
from caucus_desk.ui.icons import IconLabel
from caucus_desk.ui.precincts.findings import FindingsPanel
from caucus_desk.ui.precincts.rows import MERGED
from caucus_desk.ui.precincts.sheets import SheetRow, columns_for, rows_for
from caucus_desk.ui.widgets.basics import STEP, ElidedLabel, EmptyState, button, heading, label, wrapped
from caucus_desk.ui.widgets.table import TableModel, TableView
from caucus_desk.ui.words import channel_sign, day_clock, number, state_sign


class PrecinctDetail(QWidget):
    """`closed` when the person wants the list again."""

    closed = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._id = ""
        self.back = button(self.tr("All precincts"), "back")
        self.back.setToolTip(self.tr("Back to the list (Esc)"))
        self.name_label = ElidedLabel()
        self.name_label.setFont(heading("").font())
        self.state_icon = IconLabel()
        self.state_label = label(bold=True)
        self.facts = wrapped(role="muted")
        self.to_mismatch = button(self.tr("Review it"), "review")
        self.sheet_model = TableModel[SheetRow]((), lambda row: row.key or "total", parent=self)
        self.sheet_table = TableView(self.sheet_model, self.tr("Sheets side by side"))
        self.sheet_table.set_dense()
        self.sheet_table.setSortingEnabled(False)
        self.findings = FindingsPanel(context)
        self.empty = EmptyState("awaiting", self.tr("No report of this precinct has come in yet"), "")
        self.cover = CoverState(self)
        self._looks = Looks(context, self)
        self._lay_out()
        self.cover.look_wanted.connect(self._look)
        self.back.clicked.connect(self.closed)
        self.to_mismatch.clicked.connect(lambda: context.show_page("review", self._id))

    @property
    def precinct_id(self) -> str:
        return self._id

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.setSpacing(2 * STEP)
        top.addWidget(self.back)
        top.addWidget(self.name_label, 1)
        top.addWidget(self.state_icon)
        top.addWidget(self.state_label)
        top.addWidget(self.to_mismatch)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(2 * STEP)
        whole.addLayout(top)
        whole.addWidget(self.facts)
        whole.addWidget(self.empty, 1)
        whole.addWidget(self.cover, 1)
        whole.addWidget(self.sheet_table, 1000)
        whole.addWidget(self.findings, 260)
        whole.addStretch(1)

    @property
    def busy(self) -> bool:
        """A look or an acknowledgement waits for the store."""
        return self._looks.waits() or self.findings.busy

    def show_precinct(self, precinct_id: str) -> None:
        """Show one precinct; its figures stay covered where the person may not see them."""
        result = self._context.overview.results[precinct_id]
        if precinct_id == self._id:
            self._looks.keep(result)
        self._id = precinct_id
        precinct = result.precinct
        self.name_label.set_text(f"{precinct.county} · {precinct.name} · {precinct.id}")
        self._show_state(result)
        cover = cover_of(self._context, result)
        self.cover.show_cover(cover)
        shown = bool(result.reports) and cover is None
        self.empty.setVisible(not shown and cover is None)
        for widget in (self.sheet_table, self.findings):
            widget.setVisible(shown)
        if not shown:
            # A site's delegates follow from the attendance that was keyed.
            elects = result.delegates_to_elect if cover is None else result.precinct.delegates
            self.facts.setText(self._elects(elects))
            self.findings.show_findings(precinct_id, ())
            self.sheet_model.set_rows(())
            self._show_nothing(result)
            return
        self.facts.setText(self._facts(result))
        specs = columns_for(self._context.rules, result)
        if [spec.title for spec in specs] != [spec.title for spec in self.sheet_model.columns]:
            self.sheet_model.set_columns(specs)
            self.sheet_table.set_widths()
        rows, total = rows_for(self._context.rules, result)
        self.sheet_model.set_rows(rows, [total])
        self.sheet_table.fit_rows()
        self.findings.show_findings(precinct_id, self._context.overview.findings_of(precinct_id))

    def _show_state(self, result: PrecinctResult) -> None:
        if result.precinct.merged:
            self.state_icon.show_icon(MERGED, "muted")
            self.state_label.setText(self.tr("merged"))
        else:
            sign = state_sign(result.standing.state)
            self.state_icon.show_icon(sign.icon, sign.role)
            verified = self.tr(", verified") if result.verified else self.tr(", not verified")
            self.state_label.setText(sign.word + (verified if result.reports else ""))
        decided = result.standing.state is State.RULED
        self.to_mismatch.setVisible(decided or needs_review(result))

    def _show_nothing(self, result: PrecinctResult) -> None:
        if result.precinct.merged:
            self.empty.set_text(
                self.tr("Merged into another precinct"),
                self.tr("It elects nobody, and no report is taken for it."),
            )
        else:
            chair = " ".join(part for part in (result.precinct.chair, result.precinct.phone) if part)
            self.empty.set_text(
                self.tr("No report of this precinct has come in yet"),
                self.tr("Chair: {0}").format(chair)
                if chair
                else self.tr("Key it on the Entry page (Ctrl+1)."),
            )

    def _elects(self, delegates: int | None) -> str:
        if delegates is None:
            return self.tr("Elects by the band of its attendance.")
        return self.tr("Elects {0}.").format(number(delegates))

    def take_focus(self) -> None:
        """To the sheets, or to what would show them."""
        if not self.cover.isHidden() and not self.cover.show_figures.isHidden():
            self.cover.show_figures.setFocus()
        elif not self.sheet_table.isHidden():
            self.sheet_table.setFocus()
        else:
            self.back.setFocus()

    def _look(self, precinct_id: str) -> None:
        def then(seen: bool) -> None:
            if seen and self._id == precinct_id:
                self.show_precinct(precinct_id)
                if self.isVisible():
                    self.take_focus()

        self._looks.uncover(precinct_id, then)

    def _facts(self, result: PrecinctResult) -> str:
        parts = [self._elects(result.delegates_to_elect)]
        for channel in CHANNELS:
            report = result.reports.get(channel)
            if report is not None:
                receipt = self.tr(", receipt {0}").format(report.receipt) if report.receipt else ""
                parts.append(f"{channel_sign(channel).word}: {report.by}, {day_clock(report.at)}{receipt}.")
        for rival in result.rivals:
            receipt = self.tr(", receipt {0}").format(rival.receipt) if rival.receipt else ""
            whose = f"{rival.by}, {rival.origin}" if rival.origin else rival.by
            parts.append(
                self.tr("Beside it {0}: {1}, {2}{3}.").format(
                    channel_sign(rival.channel).word, whose, day_clock(rival.at), receipt
                )
            )
        ruling = result.standing.ruling
        if ruling is not None:
            parts.append(
                self.tr("Ruled by {0}, {1}: {2}").format(ruling.by, day_clock(ruling.at), ruling.reason)
            )
        elif result.standing.channel is not None:
            parts.append(
                self.tr("What counts is the {0} sheet.").format(channel_sign(result.standing.channel).word)
            )
        if result.tie is not None:
            groups = ", ".join(self._context.rules.label(key) for key in result.tie.groups)
            parts.append(self.tr("Only chance decides between {0}.").format(groups))
        return "  ".join(parts)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)


def needs_review(result: PrecinctResult) -> bool:
    """Whether the precinct may wait on the Review page."""
    unconfirmed = any(not report.confirmed for report in result.heads.values())
    mismatched = result.standing.state is State.MISMATCHED
    return mismatched or bool(result.open_errors) or unconfirmed or result.changed_after_verified
