"""One case: what to know first, the figures side by side, what each choice does, and how the case ends."""

from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from caucus_desk.desk.cases import effect_of
from caucus_desk.desk.guards import WORDLESS, in_words
from caucus_desk.desk.review import Case
from caucus_desk.desk.sheetcheck import SheetCheck, check_of
from caucus_desk.rules.errors import CaucusError
from caucus_desk.tally.finding import Severity
from caucus_desk.tally.form import field_label, form_of
from caucus_desk.tally.report import CHANNELS, Channel
from caucus_desk.tally.sheet import Column
from caucus_desk.ui.context import Context
from caucus_desk.ui.entry.wording import counted
from caucus_desk.ui.review.case_lines import CaseLines, lines_of
from caucus_desk.ui.review.choices import Choices
from caucus_desk.ui.review.effect_words import effect_line
from caucus_desk.ui.review.figures import LETTERS, CaseLine, CaseModel, CaseTable, case_columns
from caucus_desk.ui.review.foot import CaseFoot
from caucus_desk.ui.review.panel import FINDINGS, HISTORY, PICTURE, SidePanel
from caucus_desk.ui.review.shown import Doing, Shown, deeds_of, sentence_of
from caucus_desk.ui.widgets.basics import STEP, ElidedLabel, heading, label
from caucus_desk.ui.words import channel_sign, clock

_WIDE = 940
"""Pixels from which the panel stands beside the figures and not below them."""
_MOST = 700
"""Pixels that the figures may keep from a panel beside them."""
_TALL = 800
"""Pixels from which a whole sheet is shown from the first, and not only the groups that differ."""
_BY_LETTER = {letter: channel for channel, letter in LETTERS.items()}
_PANELS = (FINDINGS, HISTORY, PICTURE)


class CaseView(QWidget):
    """Shows a case and takes its keys. What a letter ends, the page does: see `deed`."""

    rule_wanted = Signal()
    deed = Signal(str)
    """A letter that is none of the view's own: B, C, S, Y, X, W, K, N."""
    left = Signal()
    room_wanted = Signal(bool)
    """The picture is looked at: the case needs what width there is."""
    dropped = Signal(list)
    """Paths of files that were dropped onto the case."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._rules = context.rules
        self._form = form_of(context.rules)
        self._shown: Shown | None = None
        self._check: SheetCheck | None = None
        self._whole_sheet = False
        self._stepping = False
        self._wide = False
        self._heads: list[tuple[Channel, str]] = []
        self.choices = Choices()
        self._where = ElidedLabel(mode=Qt.TextElideMode.ElideRight)
        self._where.setFont(heading("").font())
        self._about = label(role="muted")
        self._lines = CaseLines()
        self.model = CaseModel(case_columns(()), lambda line: line.path)
        self.table = CaseTable(self.model, self.tr("Fields of this precinct"))
        self.panel = SidePanel(context)
        self.foot = CaseFoot()
        self.reason, self.record = self.foot.reason, self.foot.record
        self.setAcceptDrops(True)
        self._lay_out()
        self._connect()
        self.panel.turn_to(FINDINGS)

    # --- building -----------------------------------------------------------------------------

    def _lay_out(self) -> None:
        self._outer = QHBoxLayout(self)
        self._outer.setContentsMargins(2 * STEP, 0, 0, 0)
        self._outer.setSpacing(3 * STEP)
        self._column = QVBoxLayout()
        self._column.setSpacing(STEP)
        head = QHBoxLayout()
        head.setSpacing(2 * STEP)
        head.addWidget(self._where, 1)
        head.addWidget(self._about)
        self._column.addLayout(head)
        self._column.addLayout(self._lines)
        self._column.addWidget(self.table, 1000)
        self._column.addWidget(self.panel, 700)
        self._column.addStretch(1)
        self._column.addWidget(self.foot)
        self._outer.addLayout(self._column, 3)

    def _connect(self) -> None:
        self.table.letter.connect(self._letter)
        self.table.digit.connect(self._digit)
        self.table.erased.connect(self._erase)
        self.table.onward.connect(self.go_on)
        self.table.left.connect(self._escape)
        self.table.walked.connect(self._walked)
        self.table.handed = self._handed_on
        self.panel.left.connect(self.take_focus)
        self.panel.letter.connect(self._letter)
        self.panel.turned.connect(self._turned)
        self.foot.pressed.connect(self._pressed)
        self.foot.words.escaped.connect(self.end_question)
        self.foot.ask.escaped.connect(self.end_question)
        self.reason.onward.connect(lambda: self.record.setFocus(Qt.FocusReason.TabFocusReason))
        self.reason.back.connect(self.take_focus)
        self.record.back.connect(lambda: self.reason.setFocus(Qt.FocusReason.TabFocusReason))
        self.record.clicked.connect(self._want_ruling)
        self.record.digit.connect(self._ran_on)
        self.reason.not_taken.connect(self._say)

    # --- showing ------------------------------------------------------------------------------

    @property
    def shown(self) -> Shown | None:
        return self._shown

    @property
    def case(self) -> Case | None:
        return None if self._shown is None else self._shown.case

    @property
    def can_choose(self) -> bool:
        return self._shown is not None and self._shown.doing is Doing.CHOOSE and self._shown.open

    def show_case(self, shown: Shown) -> None:
        """Choices and the reason are kept while the same case stays."""
        same = self.case is not None and self.case.precinct.id == shown.case.precinct.id
        could = self.can_choose
        could_approve = self._shown is not None and self._shown.pending is not None
        self._shown = shown
        case = shown.case
        if shown.pending is not None:
            self.choices.as_ruled(case, shown.pending.sheet)
        elif same and not could_approve:
            self.choices.keep_valid(case)
        else:
            self.choices = Choices()
        if not same:
            self.reason.clear()
            self._stepping = False
            self._whole_sheet = not case.differing or self.height() >= _TALL
            if self.panel.shown == PICTURE and not shown.attached:
                self.panel.turn_to(FINDINGS)
        precinct = case.precinct
        self._where.set_text(f"{precinct.name}  ·  {precinct.county}")
        elects = self.tr("by attendance") if precinct.delegates is None else str(precinct.delegates)
        self._about.setText(self.tr("{0}  ·  elects {1}").format(precinct.id, elects))
        heads = [
            (channel, f"{channel_sign(channel).word} {clock(report.at)[:5]}\n{_short(report.by)}")
            for channel, report in case.reports.items()
        ]
        heads.sort(key=lambda head: CHANNELS.index(head[0]))
        if heads != self._heads:
            self._heads = heads
            self.model.set_columns(case_columns(heads))
            self.table.set_widths()
            self._place_panel()
        self._lines.show_lines(lines_of(self._rules, shown))
        self._fill()
        self._show_panel(shown)
        if not (same and self.foot.asking and could == self.can_choose):
            self._show_foot()
        if not same and case.differing:
            self.table.select_key(case.differing[0])

    def clear(self) -> None:
        self._shown = None
        self.choices = Choices()
        self.reason.clear()
        self._stepping = False
        if self.panel.shown == PICTURE:
            self.panel.turn_to(FINDINGS)

    def _fill(self) -> None:
        case = self.case
        if case is None:
            return
        sheet = self.choices.sheet(case, self._form)
        self._check = check_of(self._rules, case.precinct, sheet) if case.reports else None
        lines = []
        shown_group: str | None = None
        for entry in case.fields:
            group, dot, column = entry.path.rpartition(".")
            if not self._worth_showing(case, group, entry.path):
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
        self.table.fit_rows()
        self._show_progress()
        self._show_effects()
        self.panel.findings.live.show_check(self._check, self._which_sheet(), case.said)

    def _worth_showing(self, case: Case, group: str, path: str) -> bool:
        """A group that nobody stood with on any sheet takes no room; short, only groups that differ do."""
        paths = {f"{group}.{column}" for column in Column} if group else {path}
        fields = [entry for entry in case.fields if entry.path in paths]
        touched = any(entry.differs or entry.path in self.choices.made for entry in fields)
        if not self._whole_sheet:
            return touched
        return touched or not group or any(any(entry.values.values()) for entry in fields)

    def _rules_give(self, group: str) -> str:
        check = self._check
        if check is None or not check.computed:
            return ""
        if check.tie is not None and group in check.tie.groups:
            return self.tr("{0}, toss").format(check.computed.get(group, 0))
        return str(check.computed.get(group, 0))

    def _show_progress(self) -> None:
        case = self.case
        if case is None:
            return
        left = len(self.choices.open(case))
        line = self._current()
        if not left:
            text = self.tr("all chosen: Enter, then the reason")
        elif self._stepping and line is not None:
            still = counted(left, self.tr("field open"), self.tr("fields open"))
            name = field_label(self._rules, line.path)
            text = self.tr("{0}: a letter, or digits. {1}. Esc: whole sheets again").format(name, still)
        else:
            still = counted(left, self.tr("field open"), self.tr("fields open"))
            text = self.tr("{0}: a letter takes that whole sheet; Enter goes field by field").format(still)
        self.foot.progress.set_text(text)
        field = line.path if self._stepping and line is not None else ""
        self.foot.show_takes(
            field, {} if line is None else {channel: line.value(channel) for channel, _ in line.values}
        )

    def _show_effects(self) -> None:
        """What each whole sheet does, and what the values do that were chosen so far."""
        shown = self._shown
        if shown is None or not self.can_choose:
            return
        effects = list(shown.effects)
        if self.choices.made:
            # Values that cannot stand together yet have no effect: the rules say so beside them.
            with suppress(CaucusError):
                effects.append(effect_of(self._context.desk, shown.case, self.choices.values()))
        lines = {effect.choice: effect_line(self._rules, effect) for effect in effects}
        lines.setdefault("choices", self.tr("nothing chosen yet"))
        self.foot.show_effects(lines, {effect.choice: effect.sentence for effect in effects})

    def _which_sheet(self) -> str:
        """Whose findings these are: nothing red here speaks of a report unless it says so."""
        if self._shown is not None and self._shown.pending is not None:
            return self.tr("Findings of the sheet as it would stand with the ruling:")
        if not self.can_choose:
            return self.tr("Findings of the sheet that stands:")
        if self.choices.made:
            return self.tr("Findings of the sheet as it would stand, with what is chosen above:")
        return self.tr("Findings of the sheet that stands while nothing is chosen:")

    def _show_panel(self, shown: Shown) -> None:
        live = shown.doing in (Doing.CHOOSE, Doing.APPROVE)
        self.panel.findings.show_live(live)
        self.panel.findings.show_findings(shown.case.precinct.id, shown.findings)
        self.panel.history.show_lines(shown.history)
        self.panel.picture.show_attached(shown.attached)
        found = len(shown.findings)
        if live:
            found = sum(f.severity is not Severity.NOTE for f in self._check.findings) if self._check else 0
        self.panel.show_counts(found, len(shown.history), len(shown.attached))

    def _show_foot(self) -> None:
        """The choices, or what stands in their place."""
        shown = self._shown
        if shown is None:
            return
        if self.can_choose:
            self.foot.show_choices(list(shown.case.reports))
        else:
            sign = ("ruled", "warn") if shown.doing is Doing.APPROVE else ("note", "muted")
            sentence = sentence_of(shown)
            if shown.pending is not None:
                sentence += " " + self._what_it_does(shown)
            self.foot.show_said(sentence, deeds_of(shown, self._context.person), *sign)

    def _what_it_does(self, shown: Shown) -> str:
        """The effect of a ruling that waits."""
        with suppress(CaucusError):
            effect = effect_of(self._context.desk, shown.case, self.choices.values())
            return self.tr("With it: {0}.").format(effect_line(self._rules, effect))
        return ""

    def end_question(self) -> None:
        """Back from a question to what stood there."""
        self._show_foot()
        self.take_focus()

    # --- room ---------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_panel()

    def _place_panel(self) -> None:
        wide = self.width() >= _WIDE
        self.table.setMinimumWidth(min(self.table.least_width + 16, _MOST) if wide else 0)
        if wide == self._wide:
            return
        self._wide = wide
        if wide:
            self._column.removeWidget(self.panel)
            self._outer.addWidget(self.panel, 2)
        else:
            self._outer.removeWidget(self.panel)
            self._column.insertWidget(self._column.indexOf(self.table) + 1, self.panel, 700)

    def _turned(self, name: str) -> None:
        self.room_wanted.emit(name == PICTURE)

    # --- keys ---------------------------------------------------------------------------------

    def take_focus(self) -> None:
        self.table.setFocus(Qt.FocusReason.TabFocusReason)

    def _letter(self, letter: str, shift: bool) -> None:
        channel = _BY_LETTER.get(letter)
        if self._shown is None:
            return
        if self.panel.shown == PICTURE and letter == PICTURE and shift:
            self.panel.picture.next()
        elif letter in _PANELS:
            self.panel.toggle(letter)
            if self.panel.shown in (FINDINGS, HISTORY):
                self.panel.take_focus()
            else:
                self.take_focus()
        elif letter == "D":
            self._whole_sheet = not self._whole_sheet
            key = self.table.current_key
            self._fill()
            self.table.select_key(key)
        elif letter == "R" and self.panel.shown == PICTURE:
            self.panel.picture.viewer.take_key(Qt.Key.Key_R)
        elif letter == "R" and self.can_choose:
            self.reason.setFocus(Qt.FocusReason.TabFocusReason)
        elif channel is not None and self.can_choose:
            self._take(channel, every=shift or not self._stepping)
        else:
            self.deed.emit(letter)

    def _pressed(self, letter: str) -> None:
        """A button of the foot, by the mouse."""
        if letter == "Enter":
            self.go_on()
        else:
            self._letter(letter, False)
            if not self.foot.asking:
                self.take_focus()

    def _handed_on(self, key: int, text: str) -> bool:
        """Keys that zoom and page in the picture, while the hand stays in the figures."""
        if self.panel.shown != PICTURE or key in (Qt.Key.Key_Up, Qt.Key.Key_Down) or text.isalnum():
            return False
        return self.panel.picture.viewer.take_key(key, text)

    def _escape(self) -> None:
        """One step back: from a field to whole sheets, from the picture to the queue beside it, out."""
        if self._stepping and self.can_choose:
            self._stepping = False
            self._show_progress()
        elif self.panel.shown == PICTURE:
            self.panel.turn_to(FINDINGS)
        else:
            self.left.emit()

    # --- choosing -----------------------------------------------------------------------------

    def _current(self) -> CaseLine | None:
        return self.model.row_at(self.table.currentIndex())

    def _walked(self) -> None:
        """Going to a field by hand is choosing field by field from there."""
        if self.can_choose:
            self._stepping = True
            self._show_progress()

    def _take(self, channel: Channel, *, every: bool) -> None:
        case = self.case
        if case is None or channel not in case.reports:
            return
        line = self._current()
        if every:
            self.choices.take(case, channel)
        elif line is not None:
            self.choices.take(case, channel, line.path)
            self._to_next_open()
        self._fill()

    def _to_next_open(self) -> None:
        case = self.case
        if case is None:
            return
        still = self.choices.open(case)
        if still:
            order = [line.path for line in self.model.shown]
            here = order.index(self.table.current_key) if self.table.current_key in order else -1
            after = [path for path in still if order.index(path) > here]
            self.table.select_key((after or list(still))[0])

    def _digit(self, digit: str) -> None:
        line = self._current()
        if line is None or not self.can_choose:
            return
        self._stepping = True
        if self.choices.type_digit(line.path, digit):
            self._fill()

    def _erase(self) -> None:
        line = self._current()
        if line is not None and self.can_choose:
            self.choices.erase(line.path)
            self._fill()

    def go_on(self) -> None:
        """Field by field: to the next field that is still open, else to the reason."""
        case = self.case
        if case is None:
            return
        if not self.can_choose:
            self.deed.emit("Enter")
        elif self.choices.open(case):
            if self._stepping:
                self._to_next_open()
            else:
                self._stepping = True
                line = self._current()
                if line is None or line.path not in self.choices.open(case):
                    self._to_next_open()
            self._show_progress()
            self.take_focus()
        else:
            self.reason.setFocus(Qt.FocusReason.TabFocusReason)
            self._say("")

    def _want_ruling(self) -> None:
        """Asked for with something missing, the hand is led to what is missing."""
        if self.case is None or not self.can_choose:
            return
        if self.choices.open(self.case):
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
            self.foot.progress.set_text(sentence)
        elif self.reason.hasFocus():
            self.foot.progress.set_text(self.reason.picks)
        else:
            self._show_progress()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and control and not event.isAutoRepeat():
            self._want_ruling()
        elif event.key() == Qt.Key.Key_Escape:
            self.take_focus() if not self.table.hasFocus() else self._escape()
        else:
            super().keyPressEvent(event)

    def open_names(self) -> str:
        """The fields still open, in words."""
        if self.case is None:
            return ""
        return ", ".join(field_label(self._rules, path) for path in self.choices.open(self.case))

    # --- dropping a picture -------------------------------------------------------------------

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if self._shown is not None and any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        if paths and self._shown is not None:
            event.acceptProposedAction()
            self.dropped.emit(paths)


def _short(name: str) -> str:
    return name if len(name) <= 14 else f"{name[:13]}…"
