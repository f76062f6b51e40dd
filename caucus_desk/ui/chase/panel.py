"""The chosen worksheet: whom to ring, and what was done so far."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QVBoxLayout

from caucus_desk.desk.chase import ChaseStep, Missing, StepKind
from caucus_desk.ui import fonts
from caucus_desk.ui.chase.rows import SheetRow, age_sign, lasted, short_clock, stage_sign
from caucus_desk.ui.icons import IconLabel
from caucus_desk.ui.widgets.basics import STEP, ElidedLabel, label, wrapped
from caucus_desk.ui.words import tr

_NUMBER_POINTS = 21.0
_STEPS = 5
"""So many of the last steps are shown."""


class SheetPanel(QFrame):
    """Names the precinct, its chair and the chair's number, large enough to dial from."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self.name = ElidedLabel(mode=Qt.TextElideMode.ElideRight)
        self.name.setFont(fonts.body(fonts.HEADING_POINTS, bold=True))
        self.where = ElidedLabel(mode=Qt.TextElideMode.ElideRight)
        self.where.setProperty("role", "muted")
        self.chair = ElidedLabel(mode=Qt.TextElideMode.ElideRight)
        self.chair.setFont(fonts.body(fonts.HEADING_POINTS))
        self.number = label(points=_NUMBER_POINTS, bold=True)
        self.number.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.number.setAccessibleName(self.tr("Chair's number"))
        self._sign = IconLabel()
        self.status = wrapped()
        self.errand = wrapped(role="warn")
        self._errand_icon = IconLabel("warn", "warn")
        self._steps = [ElidedLabel(mode=Qt.TextElideMode.ElideRight) for _ in range(_STEPS)]
        self._lay_out()

    def _lay_out(self) -> None:
        left = QVBoxLayout()
        left.setSpacing(STEP // 2)
        for line in (self.name, self.where, self.chair, self.number):
            left.addWidget(line)
        left.addStretch(1)
        status = QGridLayout()
        status.setHorizontalSpacing(STEP)
        status.setVerticalSpacing(STEP // 2)
        status.addWidget(self._sign, 0, 0, Qt.AlignmentFlag.AlignTop)
        status.addWidget(self.status, 0, 1)
        status.addWidget(self._errand_icon, 1, 0, Qt.AlignmentFlag.AlignTop)
        status.addWidget(self.errand, 1, 1)
        status.setColumnStretch(1, 1)
        right = QVBoxLayout()
        right.setSpacing(STEP // 2)
        right.addLayout(status)
        for line in self._steps:
            line.setFont(fonts.body(fonts.SMALL_POINTS))
            right.addWidget(line)
        right.addStretch(1)
        row = QHBoxLayout(self)
        row.setContentsMargins(2 * STEP, STEP, 2 * STEP, STEP)
        row.setSpacing(4 * STEP)
        row.addLayout(left, 2)
        row.addLayout(right, 3)

    def show_row(self, row: SheetRow | None) -> None:
        """None empties it and keeps its place."""
        if row is None:
            for line in (self.name, self.where, self.chair, *self._steps):
                line.set_text("")
            for words in (self.number, self.status, self.errand):
                words.setText("")
            self._sign.hide()
            self._show_errand("")
            return
        missing = row.missing
        precinct = missing.precinct
        self.name.set_text(precinct.name)
        self.where.set_text(f"{precinct.county} · {precinct.id}")
        self.chair.set_text(precinct.chair or self.tr("The roster names no chair"))
        self.number.setText(precinct.phone or self.tr("no number on file"))
        self.number.setProperty("role", "" if precinct.phone else "muted")
        self.number.style().unpolish(self.number)
        self.number.style().polish(self.number)
        sign = age_sign(row) or stage_sign(missing)
        self._sign.show_icon(sign.icon, sign.role)
        self._sign.show()
        self.status.setText(status_text(row))
        self._show_errand(errand_text(missing))
        shown = list(reversed(missing.steps))[:_STEPS]
        more = len(missing.steps) - len(shown)
        for place, line in enumerate(self._steps):
            text = step_text(shown[place]) if place < len(shown) else ""
            if more and place == len(shown) - 1:
                text += self.tr(" · and {0} earlier").format(more)
            line.set_text(text)

    def _show_errand(self, text: str) -> None:
        self.errand.setText(text)
        self.errand.setVisible(bool(text))
        self._errand_icon.setVisible(bool(text))

    @property
    def lines(self) -> tuple[str, ...]:
        """What is shown of the steps, the newest first."""
        return tuple(line.whole for line in self._steps if line.whole)


def status_text(row: SheetRow) -> str:
    """Where the sheet is, and since when, in a sentence."""
    missing = row.missing
    time = lasted(missing.waited(row.now))
    sign = age_sign(row)
    tail = f" {sign.word[0].upper()}{sign.word[1:]}." if sign is not None else ""
    if missing.keying_by and not missing.paper_in:
        return tr("{0} is keying the paper sheet.").format(missing.keying_by)
    if missing.received_step is not None and missing.due_since is not None:
        step = missing.received_step
        said = tr(
            "The sheet is here since {0} ({1} received it): paper entry is due, Enter opens it."
        ).format(short_clock(step.at), step.by)
        return said + tail
    if missing.due_since is not None:
        said = tr("A photo of the sheet is attached since {0}: Enter keys it, V shows it.")
        return said.format(short_clock(missing.due_since)) + tail
    if missing.paper_in:
        return tr("Its paper report is in; the sheet itself is asked for.")
    if missing.since is None:
        return tr("Nothing has come in yet, by phone or on paper.")
    if missing.phone_in:
        return (
            tr("The phone report came at {0}; the sheet is missing since: {1}.").format(
                short_clock(missing.since), time
            )
            + tail
        )
    return tr("Nothing has come in; the night began {0} ago.").format(time) + tail


def errand_text(missing: Missing) -> str:
    errand = missing.errand
    if errand is None:
        return ""
    said = tr("{0} asks for the sheet ({1})").format(errand.by, short_clock(errand.at))
    return f"{said}: {errand.note}" if errand.note else f"{said}."


def step_text(step: ChaseStep) -> str:
    """`21:40 clerk 07: no answer`."""
    words = {
        StepKind.ASSIGNED: tr("{0} was sent"),
        StepKind.UNASSIGNED: tr("{0} is not sent any more"),
        StepKind.RECEIVED: tr("sheet received"),
        StepKind.NOT_RECEIVED: tr("not received after all"),
        StepKind.ATTEMPT: "",
        StepKind.NOTE: "",
    }
    what = words[step.kind].format(step.runner)
    said = ": ".join(part for part in (what, step.note) if part)
    return f"{short_clock(step.at)}  {step.by}: {said}"
