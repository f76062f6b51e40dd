"""Corrections, and precincts that changed after they were verified: what moved."""

from PySide6.QtWidgets import QVBoxLayout, QWidget

from caucus_desk.desk.corrections import Correction, corrections
from caucus_desk.desk.people import allowed
from caucus_desk.desk.roles import Job
from caucus_desk.desk.wording import place
from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.tally.history import Happened
from caucus_desk.ui.context import Context
from caucus_desk.ui.widgets.basics import STEP, EmptyState, label, wrapped
from caucus_desk.ui.widgets.table import ColumnSpec, TableModel, TableView
from caucus_desk.ui.words import Sign, day_clock, decimal, number, state_sign, tr

_SEE = (Job.REVIEW, Job.APPROVE, Job.SEE_PEOPLE_FIGURES)


class MovedSection(QWidget):
    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self.told = wrapped()
        self.model = TableModel[Correction](self._columns(), _key, parent=self)
        self.table = TableView(self.model, self.tr("Corrections"))
        self.empty = EmptyState(
            "good",
            self.tr("Nothing was corrected"),
            self.tr("A new report in place of a verified one, or a ruling that is withdrawn, is shown here."),
        )
        self.whole = wrapped()
        self.hint = label(self.tr("Enter: open the precinct"), "small")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2 * STEP)
        column.addWidget(self.told)
        column.addWidget(self.table, 1)
        column.addWidget(self.empty, 1)
        column.addWidget(self.whole)
        column.addWidget(self.hint)
        self.table.opened.connect(self._open)
        self.table.selectionModel().currentRowChanged.connect(self._tell)

    def show_night(self) -> None:
        found = corrections(self._context.desk)
        self.model.set_rows(found)
        fallen = len({one.precinct.id for one in found if one.was_verified and not one.verified_now})
        if fallen == 1:
            fell = self.tr("one precinct that was verified is not now.")
        elif fallen:
            fell = self.tr("{0} that were verified are not now.").format(fallen)
        else:
            fell = self.tr("none waits to be verified again.")
        self.told.setText(self.tr("Changed: {0}; {1}").format(number(len(found)), fell))
        for widget in (self.table, self.told, self.whole, self.hint):
            widget.setVisible(bool(found))
        self.empty.setVisible(not found)
        self._tell()

    def take_focus(self) -> bool:
        self.table.setFocus()
        if not self.table.currentIndex().isValid() and self.model.shown:
            self.table.selectRow(0)
        return bool(self.model.shown)

    def _tell(self) -> None:
        one = self.model.row_at(self.table.currentIndex())
        self.whole.setText(one.sentence if one is not None else "")

    def _open(self, key: str) -> None:
        one = next((one for one in self.model.rows if _key(one) == key), None)
        if one is not None:
            self._context.show_page("precincts", one.precinct.id)

    def _moved(self, one: Correction) -> str:
        """Covered as everywhere until the precinct is verified or the person has looked at it."""
        desk, person = self._context.desk, self._context.person
        if not any(allowed(desk, person, job) for job in _SEE):
            return self.tr("for reviewers and leads")
        if not self._context.eyes.may_see(one.result):
            return self.tr("covered: open the precinct to see it")
        return moved_text(self._context.rules, one)

    def _columns(self) -> tuple[ColumnSpec[Correction], ...]:
        return (
            ColumnSpec(tr("When"), 98, lambda one: day_clock(one.at), lambda one: one.at, number=True),
            ColumnSpec(tr("Precinct"), 196, _place, tip=_place, bold=True),
            ColumnSpec(tr("What"), 112, what_text),
            ColumnSpec(tr("Who"), 96, lambda one: one.by, tip=lambda one: one.by),
            ColumnSpec(tr("Was"), 84, lambda one: tr("verified") if one.was_verified else tr("not verified")),
            ColumnSpec(tr("Now"), 112, lambda one: _now(one).word, icon=_now_icon),
            ColumnSpec(tr("Moved"), 210, self._moved, tip=self._moved),
            ColumnSpec(tr("Reason"), 130, lambda one: one.reason, tip=lambda one: one.reason),
        )


def _place(one: Correction) -> str:
    return place(one.precinct)


def _now(one: Correction) -> Sign:
    return Sign(tr("verified"), "good", "good") if one.verified_now else state_sign(one.result.standing.state)


def _now_icon(one: Correction) -> tuple[str, str]:
    return _now(one).icon, _now(one).role


def what_text(one: Correction) -> str:
    if one.openly:
        return tr("correction")
    return {
        Happened.REPORTED: tr("new report"),
        Happened.REPORT_WITHDRAWN: tr("report withdrawn"),
        Happened.RULED: tr("ruling"),
        Happened.RULING_WITHDRAWN: tr("ruling withdrawn"),
    }.get(one.what, one.what.value)


def moved_text(rules: RuleSet, one: Correction) -> str:
    """`Warren −1 (−0.2798), Sanders +1 (+0.2798)`: delegates, and SDEs in brackets."""
    if not one.delegates:
        return tr("no delegate")
    return ", ".join(
        f"{rules.label(group)} {_signed(str(abs(count)), count)} "
        f"({_signed(decimal(abs(one.moved[group]), rules.rounding.digits), count)})"
        for group, count in one.delegates.items()
    )


def _signed(text: str, of: int) -> str:
    return f"+{text}" if of > 0 else f"−{text}"


def _key(one: Correction) -> str:
    return f"{one.precinct.id} {one.what} {one.report_id} {one.at.isoformat()}"
