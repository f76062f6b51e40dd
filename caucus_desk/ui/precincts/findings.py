"""What the checks say of one precinct's sheets, and acknowledging it, with a reason, by another person."""

from collections.abc import Sequence
from datetime import datetime

from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QSizePolicy, QVBoxLayout, QWidget

from caucus_desk.desk.acknowledge import acknowledge
from caucus_desk.rules.errors import CaucusError
from caucus_desk.tally.finding import Severity
from caucus_desk.tally.results import SheetFinding
from caucus_desk.ui.context import Context
from caucus_desk.ui.store_calls import StoreCalls, waiting_words
from caucus_desk.ui.widgets.basics import STEP, button, label, wrapped
from caucus_desk.ui.widgets.table import ColumnSpec, TableModel, TableView, room_for
from caucus_desk.ui.words import channel_sign, severity_sign, tr

_FEW = 3
"""So few findings stand whole; a longer list scrolls."""


def _columns(narrow: bool = False) -> tuple[ColumnSpec[SheetFinding], ...]:
    return (
        ColumnSpec(
            tr("Finding"),
            room_for("", f"C00 {tr('warning')}") + 22,
            lambda entry: f"{entry.finding.id} {severity_sign(entry.severity).word}",
            icon=lambda entry: (severity_sign(entry.severity).icon, severity_sign(entry.severity).role),
        ),
        ColumnSpec(
            tr("Sheet"),
            62,
            lambda entry: tr("ruling") if entry.channel is None else channel_sign(entry.channel).word,
        ),
        ColumnSpec(
            tr("What the check says"),
            220 if narrow else 640,
            lambda entry: entry.finding.message,
            tip=lambda entry: entry.finding.message,
        ),
        ColumnSpec(tr("Acknowledged"), 108 if narrow else 230, _acknowledged, tip=_acknowledged),
    )


def _acknowledged(entry: SheetFinding) -> str:
    if entry.acknowledged is not None:
        return f"{entry.acknowledged.by}: {entry.acknowledged.reason or tr('seen')}"
    if not entry.standing:
        return tr("this sheet does not count")
    return tr("not needed") if entry.severity is Severity.NOTE else tr("no")


class FindingsPanel(QWidget):
    """The findings of one precinct; the chosen one in full, with what to ask and a way to acknowledge it."""

    def __init__(self, context: Context, *, narrow: bool = False) -> None:
        """`narrow`: beside something else, where a line has not the room for a whole sentence."""
        super().__init__()
        self._context = context
        self._precinct_id = ""
        self.title = label(bold=True)
        self.model = TableModel[SheetFinding](
            _columns(narrow),
            lambda entry: f"{entry.finding.id}|{entry.channel}|{entry.finding.fields}",
            parent=self,
        )
        self.table = TableView(self.model, self.tr("Findings"))
        self.table.set_dense()
        self.table.setMinimumHeight(84)
        self.full = wrapped()
        self.reason = QLineEdit()
        self.reason.setMaxLength(500)
        self.reason.setAccessibleName(self.tr("Reason"))
        self.acknowledge = button("")
        self.refusal = wrapped(role="bad")
        self._answer = QWidget()
        row = QHBoxLayout(self._answer)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(STEP)
        row.addWidget(self.reason, 1)
        row.addWidget(self.acknowledge)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(STEP)
        column.addWidget(self.title)
        column.addWidget(self.table, 1000)
        column.addWidget(self.full)
        column.addWidget(self._answer)
        column.addWidget(self.refusal)
        column.addStretch(1)
        self._calls = calls = StoreCalls(self)
        self.destroyed.connect(lambda: calls.stop())
        self._calls.waiting.connect(self._wait)
        self.table.selectionModel().currentRowChanged.connect(self._chosen)
        self.table.opened.connect(self._to_reason)
        self.reason.returnPressed.connect(self._acknowledge)
        self.acknowledge.clicked.connect(self._acknowledge)

    @property
    def busy(self) -> bool:
        """An acknowledgement waits for the store."""
        return self._calls.busy

    def show_findings(self, precinct_id: str, found: Sequence[SheetFinding]) -> None:
        """Keeps what was typed while the same precinct stays."""
        if precinct_id != self._precinct_id:
            self._precinct_id = precinct_id
            self.reason.clear()
            self.model.set_rows(())
        order = list(Severity)
        self.model.set_rows(sorted(found, key=lambda entry: order.index(entry.severity)))
        self.table.fit_rows(whole=len(found) <= _FEW)
        policy = QSizePolicy.Policy.Preferred if found else QSizePolicy.Policy.Maximum
        self.setSizePolicy(QSizePolicy.Policy.Preferred, policy)
        self.table.setVisible(bool(found))
        count = len(found)
        self.title.setText(
            self.tr("The checks found nothing on the sheet that counts")
            if not count
            else self.tr("1 finding")
            if count == 1
            else self.tr("{0} findings").format(count)
        )
        self._chosen()

    def _entry(self) -> SheetFinding | None:
        return self.model.row_at(self.table.currentIndex())

    def _chosen(self) -> None:
        entry = self._entry()
        self.refusal.setVisible(self._calls.busy)
        self.full.setVisible(entry is not None)
        may = (
            entry is not None
            and entry.standing
            and entry.acknowledged is None
            and entry.severity is not Severity.NOTE
        )
        self._answer.setVisible(may)
        if entry is None:
            return
        ask = self.tr(" Ask: “{0}”").format(entry.finding.ask) if entry.finding.ask else ""
        given = entry.acknowledged
        answer = self.tr(" Acknowledged by {0}.").format(_acknowledged(entry)) if given is not None else ""
        self.full.setText(entry.finding.message + ask + answer)
        self.acknowledge.setText(self.tr("Acknowledge {0}").format(entry.finding.id))
        self.reason.setPlaceholderText(
            self.tr("reason: why the figures stand all the same")
            if entry.severity is Severity.ERROR
            else self.tr("reason, if there is one")
        )

    def _to_reason(self) -> None:
        if self._answer.isVisible():
            self.reason.setFocus()

    def _acknowledge(self) -> None:
        entry = self._entry()
        if entry is None or not self._answer.isVisible() or self._calls.busy:
            return
        desk, person, precinct_id = self._context.desk, self._context.person, self._precinct_id
        reason = self.reason.text()

        def refused(error: CaucusError) -> None:
            if self._context.person != person:
                return
            if self._precinct_id != precinct_id:
                self._context.notices.refuse(error.sentence)
                return
            self.refusal.setText(error.sentence)
            self.refusal.show()
            self.reason.setFocus()

        self._calls.run(
            lambda: acknowledge(desk, precinct_id, entry.finding.id, reason=reason, by=person),
            lambda given: self._acknowledged(precinct_id, person, entry.finding.id, given.at),
            refused,
        )

    def _acknowledged(self, precinct_id: str, person: str, finding_id: str, at: datetime) -> None:
        here = self._precinct_id == precinct_id and self._context.person == person
        if here:
            self.reason.clear()
        if self._context.person == person:
            self._context.notices.done(self.tr("{0} is acknowledged.").format(finding_id))
        self._context.after_change(at)
        if here and self.isVisible():
            self.table.setFocus()

    def _wait(self, waiting: bool) -> None:
        """Another program holds the store: said, and the reason that is on its way stays as it is."""
        self.reason.setReadOnly(waiting)
        self.acknowledge.setEnabled(not waiting)
        self.refusal.setText(waiting_words() if waiting else "")
        self.refusal.setVisible(waiting)
