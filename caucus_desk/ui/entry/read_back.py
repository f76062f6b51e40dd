"""Before the submit: what needs a reason, and the sheet in the order in which it is read aloud."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from caucus_desk.desk.guards import in_words
from caucus_desk.desk.reasons import usual_reasons
from caucus_desk.tally.finding import Finding
from caucus_desk.tally.form import Form
from caucus_desk.tally.receipt import spoken
from caucus_desk.tally.report import Channel
from caucus_desk.tally.sheet import COLUMNS, ResultSheet
from caucus_desk.ui.entry.accepted import Accepted
from caucus_desk.ui.entry.reason_line import ReasonLine
from caucus_desk.ui.icons import IconLabel
from caucus_desk.ui.keys import hint
from caucus_desk.ui.widgets.basics import STEP, heading, label, wrapped
from caucus_desk.ui.words import severity_sign


@dataclass(frozen=True, slots=True)
class Lines:
    """What is read aloud: the sheet's own counts, a line for each group that has any, and who has nobody."""

    own: tuple[tuple[str, str], ...]
    columns: tuple[str, ...]
    groups: tuple[tuple[str, tuple[str, ...]], ...]
    closing: str
    spoken: tuple[str, ...] = ()
    """Beside each group what is said to a caller; empty where the counts are compared with paper."""


def lines_of(form: Form, sheet: ResultSheet, closing: str, *, aloud: bool = False) -> Lines:
    """`aloud`: to be read to a caller, as it is said; else in columns, as on the paper."""
    own = tuple((field.label, _said(sheet.count(field.path))) for field in form.sheet_fields)
    groups = tuple(
        (line.label, tuple(_said(sheet.count(field.path)) for field in line.fields))
        for line in form.lines
        if not sheet.row(line.group).blank
    )
    columns = tuple(text.removesuffix(" alignment") for _, text in form.columns)
    spoken_lines = tuple(
        ", ".join(spoken(column, sheet.row(line.group).count(column)) for column in COLUMNS)
        for line in form.lines
        if not sheet.row(line.group).blank
    )
    return Lines(own, columns, groups, closing, spoken_lines if aloud else ())


def _said(count: int | None) -> str:
    return "blank" if count is None else str(count)


class ReadBack(QScrollArea):
    """Errors each with a reason line, warnings to be noted with one key, and the sheet line by line."""

    reason_changed = Signal()
    finished = Signal()
    """Enter in the last reason line."""
    back = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._accepted = Accepted()
        self._channel = Channel.PHONE
        self._lines: dict[str, ReasonLine] = {}
        self._shown: object = None
        self._correction = ""
        self._correcting = ""
        self._correcting_line: ReasonLine | None = None

    def forget(self) -> None:
        """Another sheet: reasons given for the last one are no longer of use."""
        self._accepted.forget()
        self._lines, self._shown = {}, None
        self._correction = self._correcting = ""
        self._correcting_line = None
        self.setWidget(QWidget())

    @property
    def whole_height(self) -> int:
        """What it needs to be seen whole at its width, in pixels."""
        body = self.widget()
        layout = body.layout() if body is not None else None
        if body is None or layout is None:
            return 0
        return max(body.sizeHint().height(), layout.totalHeightForWidth(self.viewport().width()))

    @property
    def reasons(self) -> Mapping[str, str]:
        """Finding id to the reason given; a warning that was noted has an empty one."""
        return self._accepted.reasons

    @property
    def missing(self) -> tuple[str, ...]:
        """Ids of errors that have no reason yet."""
        return self._accepted.missing

    @property
    def correcting(self) -> str:
        """Why a verified precinct is corrected; "" while nobody said."""
        return self._correcting.strip()

    def ask_correction(self, sentence: str) -> None:
        """The precinct is verified: only an open correction may go in."""
        self._correction = sentence
        self._shown = None

    def note_warnings(self) -> None:
        """One key: the warnings were read."""
        self._accepted.note_warnings()
        self._shown = None

    def look(self, findings: Sequence[Finding], sheet: ResultSheet) -> None:
        """At each key: what was accepted holds for the figures that it was given for, and for no others."""
        self._accepted.look(findings, sheet)

    def same_for_all(self) -> bool:
        """Gives the reason in the line with the focus to each error without one; False where none lacks it.

        The hand is led on to Submit and nothing is submitted yet: the reasons can be seen first.
        """
        here = next((line for line in self._lines.values() if line.hasFocus()), None)
        missing = self.missing
        if here is None or not in_words(here.text()) or not missing:
            return False
        for finding_id in missing:
            self._lines[finding_id].setText(here.text())
        self.finished.emit()
        return True

    def focus_missing(self) -> bool:
        if self._correcting_line is not None and not self.correcting:
            self._correcting_line.setFocus(Qt.FocusReason.TabFocusReason)
            self.ensureWidgetVisible(self._correcting_line)
            return True
        for finding_id in self.missing:
            if finding_id in self._lines:
                self._lines[finding_id].setFocus(Qt.FocusReason.TabFocusReason)
                self.ensureWidgetVisible(self._lines[finding_id])
                return True
        return False

    def show_sheet(self, lines: Lines, empties: str, title: str, channel: Channel) -> None:
        """The findings are those of the last `look`. A reason once given stays for as long as the figures
        that the finding names stay."""
        accepted = self._accepted
        key = (lines, accepted.errors, accepted.warnings, empties, title, accepted.all_noted)
        if key == self._shown:
            return
        self._shown = key
        held = next((one for one, line in self._lines.items() if line.hasFocus()), None)
        correcting = self._correcting_line is not None and self._correcting_line.hasFocus()
        self._channel = channel
        body = QWidget()
        body.setObjectName("clear")
        column = QVBoxLayout(body)
        column.setContentsMargins(2 * STEP, 0, STEP, 0)
        column.setSpacing(STEP)
        self._lines = {}
        self._correcting_line = None
        if self._correction:
            column.addWidget(self._verified())
        for finding in accepted.errors:
            column.addWidget(self._error(finding))
        if accepted.warnings:
            column.addWidget(self._warned())
        if empties:
            column.addWidget(wrapped(empties, "warn"))
        column.addWidget(heading(title))
        column.addLayout(_table(lines))
        column.addStretch(1)
        self.setWidget(body)
        self._hold(held, correcting)

    def _hold(self, finding_id: str | None, correcting: bool) -> None:
        """The hand stays where it was typing, though the line there is a new one."""
        line = self._lines.get(finding_id) if finding_id else self._correcting_line if correcting else None
        if line is not None:
            line.setFocus(Qt.FocusReason.OtherFocusReason)
            line.end(False)
        elif finding_id or correcting:
            self.finished.emit()  # that finding is gone: on to Submit, never nowhere

    def _verified(self) -> QFrame:
        card, column = _card("bad")
        column.addLayout(_headed("ruled", "bad", self._correction))
        line = ReasonLine(self.tr("Why a verified precinct is corrected"), ())
        line.setPlaceholderText(self.tr("Why it is corrected"))
        line.setText(self._correcting)
        column.addWidget(_refusal(line))
        line.textChanged.connect(self._keep_correcting)
        line.onward.connect(self.finished)
        line.back.connect(self.back)
        self._correcting_line = line
        column.insertWidget(column.count() - 1, line)
        return card

    def _keep_correcting(self, text: str) -> None:
        self._correcting = text
        self.reason_changed.emit()

    def _error(self, finding: Finding) -> QFrame:
        card, column = _card("bad")
        word = severity_sign(finding.severity).word.capitalize()
        column.addLayout(_headed("bad", "bad", f"{word}. {finding.message}"))
        if finding.ask and self._channel is Channel.PHONE:
            column.addWidget(_asking(finding))
        line = ReasonLine(
            self.tr("Reason for {0}").format(finding.message), usual_reasons(finding.id, self._channel)
        )
        line.setPlaceholderText(hint("reason.pick"))
        line.setText(self._accepted.given(finding.id))
        line.textChanged.connect(lambda text, id_=finding.id: self._keep(id_, text))
        line.onward.connect(lambda id_=finding.id: self._onward(id_))
        line.back.connect(self.back)
        self._lines[finding.id] = line
        column.addWidget(line)
        column.addWidget(_refusal(line))
        keys = line.choices
        if len(self._accepted.errors) > 1:
            keys += "\n" + hint("reason.next", "reason.all")
        choices = wrapped(keys, "small")
        choices.hide()
        line.reached.connect(choices.setVisible)
        column.addWidget(choices)
        return card

    def _warned(self) -> QFrame:
        card, column = _card("warn")
        warnings = self._accepted.warnings
        for finding in warnings:
            noted = self._accepted.noted(finding.id)
            word = self.tr("Noted") if noted else severity_sign(finding.severity).word.capitalize()
            look = "good" if noted else "warn"
            column.addLayout(_headed(look, look, f"{word}. {finding.message}"))
            if finding.ask and not noted and self._channel is Channel.PHONE:
                column.addWidget(_asking(finding))
        if len(self._accepted.all_noted) < len(warnings):
            column.addWidget(label(hint("note"), "small"))
        return card

    def _keep(self, finding_id: str, text: str) -> None:
        self._accepted.give(finding_id, text)
        self.reason_changed.emit()

    def _onward(self, finding_id: str) -> None:
        ids = list(self._lines)
        place = ids.index(finding_id) + 1
        if place < len(ids):
            line = self._lines[ids[place]]
            line.setFocus(Qt.FocusReason.TabFocusReason)
            self.ensureWidgetVisible(line)
        else:
            self.finished.emit()


def _card(kind: str) -> tuple[QFrame, QVBoxLayout]:
    card = QFrame()
    card.setObjectName("notice")
    card.setProperty("kind", kind)
    column = QVBoxLayout(card)
    column.setContentsMargins(2 * STEP, STEP, STEP, STEP)
    column.setSpacing(3)
    return card, column


def _refusal(line: ReasonLine) -> QLabel:
    """What the line did not take, shown below it until the next key that it takes."""
    shown = wrapped(role="bad")
    shown.hide()

    def say(sentence: str) -> None:
        shown.setText(sentence)
        shown.setVisible(bool(sentence))

    line.not_taken.connect(say)
    return shown


def _asking(finding: Finding) -> QLabel:
    """What to ask while the caller is on the line."""
    shown = wrapped(QCoreApplication.translate("ReadBack", "Ask: “{0}”").format(finding.ask), "muted")
    shown.setContentsMargins(4 * STEP, 0, 0, 0)
    return shown


def _headed(icon: str, role: str, text: str) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(STEP)
    row.addWidget(IconLabel(icon, role), 0, Qt.AlignmentFlag.AlignTop)
    row.addWidget(wrapped(text), 1)
    return row


def _table(lines: Lines) -> QGridLayout:
    """In columns, so that the eye keeps its place while reading aloud."""
    grid = QGridLayout()
    grid.setHorizontalSpacing(3 * STEP)
    grid.setVerticalSpacing(2)
    left, right = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight
    for place, (name, count) in enumerate(lines.own):
        grid.addWidget(label(name, bold=True), place, 0)
        grid.addWidget(label(count), place, 1, left if lines.spoken else right)
    if lines.spoken:
        return _speech(grid, lines)
    head = len(lines.own)
    for column, name in enumerate(lines.columns, start=1):
        grid.addWidget(label(name, "small"), head, column, right)
    for place, (name, counts) in enumerate(lines.groups, start=head + 1):
        grid.addWidget(label(name, bold=True), place, 0)
        for column, count in enumerate(counts, start=1):
            grid.addWidget(label(count), place, column, right)
    if lines.closing:
        grid.addWidget(wrapped(lines.closing, "muted"), head + len(lines.groups) + 1, 0, 1, 5)
    grid.setColumnStretch(4, 1)
    return grid


def _speech(grid: QGridLayout, lines: Lines) -> QGridLayout:
    """A sentence for each group: the name, then what is said of it."""
    head = len(lines.own)
    for place, ((name, _), said) in enumerate(zip(lines.groups, lines.spoken, strict=True), start=head):
        grid.addWidget(label(f"{name}:", bold=True), place, 0)
        grid.addWidget(label(f"{said}."), place, 1)
    if lines.closing:
        grid.addWidget(wrapped(lines.closing, "muted"), head + len(lines.groups), 0, 1, 3)
    grid.setColumnStretch(2, 1)
    return grid
