"""One case: the reports side by side, a choice for each field that differs, a reason, the ruling."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from caucus_desk.desk.guards import WORDLESS, in_words
from caucus_desk.desk.review import Case
from caucus_desk.desk.sheetcheck import SheetCheck, check_of
from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.tally.form import field_label, form_of
from caucus_desk.tally.report import CHANNELS, Channel
from caucus_desk.tally.sheet import Column
from caucus_desk.ui.entry.wording import counted
from caucus_desk.ui.review.case_findings import CaseFindings
from caucus_desk.ui.review.case_foot import CaseFoot
from caucus_desk.ui.review.case_table import (
    LETTERS,
    CaseLine,
    CaseModel,
    CaseTable,
    case_columns,
)
from caucus_desk.ui.review.choices import Choices
from caucus_desk.ui.widgets.basics import STEP, heading, label
from caucus_desk.ui.words import channel_sign, clock


class CaseView(QWidget):
    """Read-only for who keyed one of the reports. `ruled` carries nothing: the page asks for the choices."""

    rule_wanted = Signal()
    left = Signal()

    def __init__(self, rules: RuleSet, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rules = rules
        self._form = form_of(rules)
        self._case: Case | None = None
        self._check: SheetCheck | None = None
        self._only_differing = False
        self.choices = Choices()
        self._where = heading("")
        self._about = label(role="muted")
        self.model = CaseModel(case_columns(()), lambda line: line.path)
        self.table = CaseTable(self.model, self.tr("Fields of this precinct"))
        self._findings = CaseFindings()
        self._foot = CaseFoot()
        self.reason, self.record = self._foot.reason, self._foot.record
        self._lay_out()
        self._connect()

    # --- building -----------------------------------------------------------------------------

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(2 * STEP, 0, 0, 0)
        column.setSpacing(STEP)
        head = QHBoxLayout()
        head.addWidget(self._where)
        head.addStretch(1)
        head.addWidget(self._about)
        column.addLayout(head)
        column.addWidget(self.table, 1)
        column.addLayout(self._findings)
        column.addWidget(self._foot)

    def _connect(self) -> None:
        self.table.taken.connect(self._take)
        self._foot.all_wanted.connect(lambda channel: self._take(channel, True))
        self.table.digit.connect(self._digit)
        self.table.erased.connect(self._erase)
        self.table.onward.connect(self.go_on)
        self.table.left.connect(self.left)
        self.reason.onward.connect(lambda: self.record.setFocus(Qt.FocusReason.TabFocusReason))
        self.reason.back.connect(lambda: self.table.setFocus(Qt.FocusReason.TabFocusReason))
        self.record.back.connect(lambda: self.reason.setFocus(Qt.FocusReason.TabFocusReason))
        self.record.clicked.connect(self._want_ruling)
        self.record.digit.connect(self._ran_on)
        self.reason.not_taken.connect(self._say)

    # --- showing ------------------------------------------------------------------------------

    @property
    def case(self) -> Case | None:
        return self._case

    def show_case(self, case: Case, closed: str) -> None:
        """`closed` says why nothing can be chosen here; "" where it can."""
        same = self._case is not None and self._case.precinct.id == case.precinct.id
        self._case = case
        if same:
            self.choices.keep_valid(case)
        else:
            self.choices = Choices()
            self.reason.clear()
        self.table.choosing = not closed
        self._foot.closed.setText(closed)
        self._foot.setCurrentIndex(0 if closed else 1)
        precinct = case.precinct
        self._where.setText(f"{precinct.name}  ·  {precinct.county}")
        elects = self.tr("by attendance") if precinct.delegates is None else str(precinct.delegates)
        self._about.setText(self.tr("{0}  ·  elects {1}").format(precinct.id, elects))
        for channel, made in self._foot.takes.items():
            made.setVisible(channel in case.reports)
        heads = [
            (channel, f"{channel_sign(channel).word} {clock(report.at)[:5]}\n{_short(report.by)}")
            for channel, report in case.reports.items()
        ]
        heads.sort(key=lambda head: CHANNELS.index(head[0]))
        self.model.set_columns(case_columns(heads))
        self.table.set_widths()
        self._fill()
        if not same and case.differing:
            self.table.select_key(case.differing[0])

    def clear(self) -> None:
        self._case = None
        self.choices = Choices()
        self.reason.clear()

    def _fill(self) -> None:
        case = self._case
        if case is None:
            return
        sheet = self.choices.sheet(case, self._form)
        self._check = check_of(self._rules, case.precinct, sheet) if case.reports else None
        lines = []
        shown_group: str | None = None
        for entry in case.fields:
            group, dot, column = entry.path.rpartition(".")
            if dot and not self._worth_showing(case, group):
                continue
            line = CaseLine(
                path=entry.path,
                group=self._rules.label(group) if dot else "",
                column=column if dot else entry.label,
                values=tuple(entry.values.items()),
                differs=entry.differs,
                rules=self._rules_give(group) if column == Column.DELEGATES else "",
                stands=entry.stands,
                choice=self.choices.made.get(entry.path),
                first_of_group=group != shown_group,
            )
            shown_group = group
            lines.append(line)
        self.model.set_rows(lines)
        self._show_progress()
        self._findings.show_check(self._check, self._which_sheet(), case.said)

    def _worth_showing(self, case: Case, group: str) -> bool:
        """A group that nobody stood with on any sheet takes no room."""
        paths = {f"{group}.{column}" for column in Column}
        return any(
            entry.differs or any(entry.values.values()) or entry.path in self.choices.made
            for entry in case.fields
            if entry.path in paths
        )

    def _rules_give(self, group: str) -> str:
        check = self._check
        if check is None or not check.computed:
            return ""
        if check.tie is not None and group in check.tie.groups:
            return self.tr("{0}, toss").format(check.computed.get(group, 0))
        return str(check.computed.get(group, 0))

    def _show_progress(self) -> None:
        case = self._case
        if case is None:
            return
        left = len(self.choices.open(case))
        keys = [
            f"{LETTERS[channel]} {channel_sign(channel).word}"
            for channel in CHANNELS
            if channel in case.reports
        ]
        if left:
            still = counted(left, self.tr("field open"), self.tr("fields open"))
            text = f"{still} · {', '.join(keys)}" + self.tr(", digits type a value")
        else:
            text = self.tr("all chosen: Enter, then the reason")
        self._foot.progress.set_text(text)

    def _which_sheet(self) -> str:
        """Whose findings these are: nothing red here speaks of a report unless it says so."""
        case = self._case
        if case is None or not self.table.choosing:
            return self.tr("Findings of the sheet that stands:")
        if self.choices.made:
            return self.tr("Findings of the sheet as it would stand, with what is chosen above:")
        return self.tr("Findings of the sheet that stands while nothing is chosen:")

    # --- choosing -----------------------------------------------------------------------------

    def take_focus(self) -> None:
        self.table.setFocus(Qt.FocusReason.TabFocusReason)

    def _current(self) -> CaseLine | None:
        return self.model.row_at(self.table.currentIndex())

    def _take(self, channel_name: str, every: bool) -> None:
        case, channel = self._case, Channel(channel_name)
        if case is None:
            return
        line = self._current()
        wanted = set(case.differing) if every else {line.path} if line is not None else set()
        for entry in case.fields:
            if entry.path in wanted:
                self.choices.take(entry, channel)
        self._fill()

    def _digit(self, digit: str) -> None:
        line = self._current()
        if line is not None and self.choices.type_digit(line.path, digit):
            self._fill()

    def _erase(self) -> None:
        line = self._current()
        if line is not None:
            self.choices.erase(line.path)
            self._fill()

    def go_on(self) -> None:
        """To the next field that is still open, else to the reason."""
        if self._case is None:
            return
        still = self.choices.open(self._case)
        if not self.table.choosing:
            return
        if still:
            order = [line.path for line in self.model.shown]
            here = order.index(self.table.current_key) if self.table.current_key in order else -1
            after = [path for path in still if order.index(path) > here]
            self.table.select_key((after or list(still))[0])
            self.take_focus()
        else:
            self.reason.setFocus(Qt.FocusReason.TabFocusReason)

    def _want_ruling(self) -> None:
        """Asked for with something missing, the hand is led to what is missing."""
        if self._case is None or not self.table.choosing:
            return
        if self.choices.open(self._case):
            self.go_on()
        elif not in_words(self.reason.text()):
            self.reason.setFocus(Qt.FocusReason.TabFocusReason)
            self._say(WORDLESS)
        else:
            self.rule_wanted.emit()

    def _ran_on(self, digit: str) -> None:
        self.reason.setFocus(Qt.FocusReason.TabFocusReason)
        self._say(self.tr("{0} was not taken: a value is typed in the table above.").format(digit))

    def _say(self, sentence: str) -> None:
        """Why a key was not taken, in the place of the progress; "" when it is over."""
        if sentence:
            self._foot.progress.set_text(sentence)
        else:
            self._show_progress()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and control and not event.isAutoRepeat():
            self._want_ruling()
        elif event.key() == Qt.Key.Key_Escape:
            self.take_focus() if not self.table.hasFocus() else self.left.emit()
        else:
            super().keyPressEvent(event)

    def open_names(self) -> str:
        """The fields still open, in words."""
        if self._case is None:
            return ""
        return ", ".join(field_label(self._rules, path) for path in self.choices.open(self._case))


def _short(name: str) -> str:
    return name if len(name) <= 14 else f"{name[:13]}…"
