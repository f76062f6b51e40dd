"""The open sheet: caller, boxes, what the rules say beside them, the margin, read-back and Submit.

It holds what is typed and shows what is known of it. Claiming, saving and submitting are the page's.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import pairwise

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from caucus_desk.desk.entry import Caller, Draft, SheetCheck
from caucus_desk.desk.sheetcheck import check_of
from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.tally.finding import Severity
from caucus_desk.tally.form import field_label, form_of
from caucus_desk.tally.receipt import read_back
from caucus_desk.tally.report import Channel, Report
from caucus_desk.tally.results import PrecinctResult
from caucus_desk.tally.roster import Precinct
from caucus_desk.tally.sheet import ATTENDANCE, ResultSheet
from caucus_desk.ui.entry.caller import CHECK, NAME, NUMBER, CallerStrip
from caucus_desk.ui.entry.foot import Foot
from caucus_desk.ui.entry.lines import Answer
from caucus_desk.ui.entry.live import Live, LiveCheck, marks_of, notes_of, show_live
from caucus_desk.ui.entry.matching import Mismatched
from caucus_desk.ui.entry.notes import Note
from caucus_desk.ui.entry.read_back import lines_of
from caucus_desk.ui.entry.sheet_body import REFUSED, SheetBody
from caucus_desk.ui.entry.sheet_grid import group_of
from caucus_desk.ui.entry.strip import PrecinctStrip
from caucus_desk.ui.entry.typed import (
    Empty,
    Progress,
    empty_boxes,
    passed_in_draft,
    sheet_of,
    texts_of,
)
from caucus_desk.ui.entry.wording import counted
from caucus_desk.ui.widgets.basics import STEP, rule
from caucus_desk.ui.words import BLANK, clock, tip

_NAMED = 6


class SheetStep(QWidget):
    """One channel's sheet. Built once and used for one precinct after the other."""

    typed = Signal(str, str)
    """A path and its text: for the draft."""
    submit_wanted = Signal()
    kept = Signal()
    discarded = Signal()
    theirs_wanted = Signal()
    mine_wanted = Signal()
    """Which of two windows' sheets is to stand, after `ask_which_stands`."""
    replace_wanted = Signal(int)
    """The report to be replaced, after `ask_replacing`."""

    def __init__(self, rules: RuleSet, channel: Channel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rules, self.channel = rules, channel
        self.form = form_of(rules, channel)
        self._precinct: Precinct | None = None
        self._texts: dict[str, str] = {}
        self._made: ResultSheet | None = None
        self._at_end = False
        self._locked = False
        self._mismatched = Mismatched()
        self._refusal: Note | None = None
        self._asked_empty: tuple[str, ...] = ()
        self._refilled: Report | None = None
        self._other: tuple[Note, ...] = ()
        self._replaced = 0
        self._held: QWidget | None = None
        self._live: Live | None = None
        self._checker = LiveCheck(self.form, self._check)
        self.strip = PrecinctStrip(channel)
        self.caller = CallerStrip() if channel is Channel.PHONE else None
        self.body = SheetBody(self.form)
        self.grid, self.read_back = self.body.grid, self.body.read_back
        self.foot = Foot()
        self._lay_out()
        self._connect()

    # --- building -----------------------------------------------------------------------------

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(3 * STEP, STEP, 3 * STEP, 0)
        column.setSpacing(STEP)
        column.addWidget(self.strip)
        if self.caller is not None:
            column.addWidget(self.caller)
        column.addWidget(rule())
        column.addWidget(self.body, 1)
        column.addWidget(rule())
        column.addWidget(self.foot)
        self._set_tab_order()

    def _set_tab_order(self) -> None:
        chain: list[QWidget] = list(self.caller.lines.values()) if self.caller is not None else []
        chain += [self.grid.boxes[path] for path in self.grid.order]
        chain += [self.grid.boxes[path] for path in self.grid.extra_order]
        chain.append(self.foot.submit)
        for one, other in pairwise(chain):
            QWidget.setTabOrder(one, other)

    def _connect(self) -> None:
        self.grid.edited.connect(self._edited)
        self.grid.refused.connect(self.show_refusal)
        self.grid.touched.connect(self._touched)
        self.grid.moved.connect(self._moved)
        self.grid.finished.connect(self._to_submit)
        if self.caller is not None:
            self.caller.edited.connect(self._edited_caller)
            self.caller.finished.connect(lambda: self.grid.focus(ATTENDANCE))
        self.foot.submit.reached.connect(self._at_submit)
        self.foot.submit.clicked.connect(self.try_submit)
        self.foot.submit.digit.connect(self._ran_on)
        self.foot.submit.back.connect(self._back_from_submit)
        self.foot.zeros_wanted.connect(self._ask_zeros)
        self.foot.ask.answered.connect(self._answered)
        self.foot.ask.escaped.connect(self._dismiss)
        self.read_back.finished.connect(self._to_submit)
        self.read_back.back.connect(lambda: self.grid.focus(self._last_box()))

    # --- one precinct -------------------------------------------------------------------------

    def start(self, precinct: Precinct, draft: Draft) -> None:
        """Show a draft: new and empty, or as it was left."""
        self._precinct = precinct
        self._texts = dict(draft.fields)
        self._made = None
        self._at_end = False
        self._refusal, self._mismatched = None, Mismatched()
        self._asked_empty = ()
        self._refilled = None
        self._other = ()
        self.lock_boxes(False)
        self._checker = LiveCheck(self.form, self._check)
        self.read_back.forget()
        self.strip.start(precinct, clock(draft.since)[:5])
        if self.caller is not None:
            self.caller.start(precinct, self._texts)
        self.grid.start(self._texts, passed_in_draft(self.form, self.sheet))
        self.foot.show_keys()
        self.foot.submit.setText(self.tr("Submit"))
        self._locked = False
        self.foot.show_saved(
            self.tr("draft of {0}").format(clock(draft.updated)) if self.anything_typed else ""
        )
        self.body.show_margin()
        self._refresh_live()

    def fill_in(self, own: Report) -> None:
        """The figures of this person's own report that stands, to be corrected; nobody else's ever."""
        for path, text in texts_of(self.form, own.sheet).items():
            self._texts[path] = text
            self.typed.emit(path, text)
        self._made = None
        self.grid.start(self._texts, passed_in_draft(self.form, self.sheet))
        self._refilled = own
        self._refresh_live()

    def show_result(self, result: PrecinctResult) -> None:
        self.strip.show_reports(result.reports)

    def take_focus(self) -> None:
        """Where typing goes on: the caller on a new phone sheet, else the first box without a count."""
        if self.foot.asking:
            self.foot.ask.setFocus()
            return
        if self.grid.current is not None:
            self.grid.focus(self.grid.current)
            return
        counted = [path for path in self.grid.order if self._texts.get(path)]
        if counted and self._refilled is None:
            place = self.grid.order.index(counted[-1])
            self.grid.focus(self.grid.order[min(place + 1, len(self.grid.order) - 1)])
        elif self.caller is not None and not any(self._texts.get(path) for path in self.caller.lines):
            self.caller.take_focus()
        else:
            self.grid.focus(ATTENDANCE)

    @property
    def sheet(self) -> ResultSheet:
        if self._made is None:
            self._made = sheet_of(self.form, self._texts)
        return self._made

    @property
    def empty(self) -> Empty:
        return empty_boxes(self.form, self.sheet)

    @property
    def anything_typed(self) -> bool:
        return any(self._texts.values())

    @property
    def confirmed(self) -> tuple[str, ...]:
        """The fields of which the clerk was told that they do not match, once the hand has been in each
        such box and changed nothing."""
        return self._mismatched.told if self._mismatched.confirmed else ()

    @property
    def caller_named(self) -> Caller | None:
        """Who rang, as it stands on the screen; None on a sheet without a caller."""
        if self.caller is None:
            return None
        return Caller(*(self._texts.get(path, "") for path in (NAME, NUMBER, CHECK)))

    # --- typing -------------------------------------------------------------------------------

    def _edited(self, path: str, text: str) -> None:
        self._texts[path] = text
        self._made = None
        if self._mismatched.fields:
            self._mismatched.changed(path)
            self.foot.submit.setText(self.tr("Submit"))
        self.typed.emit(path, text)
        self._refresh_live()

    def _edited_caller(self, path: str, text: str) -> None:
        self._texts[path] = text
        self.typed.emit(path, text)

    def _touched(self) -> None:
        if self._refusal is not None:
            self._refusal = None
            self._show_notes()

    def _moved(self, path: str) -> None:
        self._mismatched.seen(self._left_box)
        self._left_box = path
        self._refusal = None
        self.foot.show_keys()
        self.body.show_margin()
        self.body.show_box(path)
        self._refresh_live()

    _left_box = ""

    def show_refusal(self, path: str, sentence: str) -> None:
        """A refusal stands beside its box until the next key that is taken."""
        self._refusal = Note(REFUSED, path, "bad", "bad", self.tr("not taken"), sentence)
        self.body.show_margin()
        self._show_notes()

    # --- what is known ------------------------------------------------------------------------

    def _check(self, sheet: ResultSheet) -> SheetCheck:
        assert self._precinct is not None
        return check_of(self._rules, self._precinct, sheet)

    def _progress(self) -> Progress:
        current = group_of(self.grid.current) if self.grid.current else None
        return Progress(self.grid.passed, current, self._at_end)

    def _refresh_live(self) -> None:
        if self._precinct is None:
            return
        progress = self._progress()
        self._live = self._checker.look(self.sheet, progress)
        show_live(self.grid, self._live, progress.passed)
        self._show_notes()
        texts = self._texts
        filled = sum(bool(texts.get(path)) for path in self.grid.order)
        self.foot.zeros.setVisible(0 < filled < len(self.grid.order))
        self.foot.show_hint(self._hint())

    def _show_notes(self) -> None:
        if self._live is None:
            return
        notes = notes_of(self._live.findings, self.channel is Channel.PHONE)
        told = self._mismatched
        if told.fields:
            notes.insert(
                0, Note("mismatch", told.fields[0], "mismatched", "bad", self.tr("mismatch"), told.sentence)
            )
        notes[:0] = self._other
        if self._refilled is not None:
            notes.insert(0, self._refilled_note(self._refilled))
        if self._refusal is not None:
            notes.insert(0, self._refusal)
        self.grid.show_marks(marks_of(self._live.findings, told.fields))
        self.body.show_notes(notes)

    def _refilled_note(self, own: Report) -> Note:
        sentence = self.tr(
            "Filled in from your own report of {0}. Change what is wrong and submit: it replaces that one."
        )
        return Note(
            "refilled", ATTENDANCE, "note", "muted", self.tr("note"), sentence.format(clock(own.at)[:5])
        )

    def _hint(self) -> str:
        if self._mismatched.fields:
            return self.tr("Enter goes through the boxes that do not match · Esc leaves")
        keys = self.tr("Enter next · ↑ back · a letter jumps to its group · Esc leaves")
        below = len(self.body.notes.notes) if self.body.stacked else 0
        if below:
            keys = counted(below, self.tr("finding below"), self.tr("findings below")) + " · " + keys
        return keys + self._warnings_hint()

    def _warnings_hint(self) -> str:
        findings = self._live.findings if self._live is not None else ()
        warned = any(finding.severity is Severity.WARNING for finding in findings)
        return self.tr(" · F7 notes warnings") if warned else ""

    # --- the way out --------------------------------------------------------------------------

    def _back_from_submit(self) -> None:
        if not self._locked:
            self.grid.focus(self._last_box())

    def _last_box(self) -> str:
        return self.grid.current or self.grid.order[-1]

    def _to_submit(self) -> None:
        self.foot.show_keys()
        self.foot.submit.setFocus(Qt.FocusReason.TabFocusReason)

    def _at_submit(self) -> None:
        """Read back while the hand is on Submit: everything is known now."""
        self._mismatched.seen(self._left_box)
        self._at_end = True
        self._refresh_live()
        self.show_read_back()
        keys = (
            self.tr("Read it back, then Enter submits · ↑ back to the sheet")
            if self.channel is Channel.PHONE
            else self.tr("Compare with the paper, then Enter submits · ↑ back to the sheet")
        )
        self.foot.show_hint(keys + self._warnings_hint())

    def _ran_on(self, digit: str) -> None:
        """Digits on Submit: the hand has lost its line. Back to the end of the sheet, to look."""
        if self._locked:
            return
        path = (self.grid.route or self.grid.order)[-1]
        self.grid.focus(path)
        self.grid.end_here(path, digit)

    def show_read_back(self) -> None:
        if self._live is None:
            return
        title = self.tr("Read back") if self.channel is Channel.PHONE else self.tr("Compare with the paper")
        empty = self.empty
        words = ""
        if empty.partly:
            words = self.tr("Empty: {0}.").format(self._names(empty.partly))
        sheet = self.sheet
        closing = read_back(self._rules, sheet)[-1] if empty.rows else ""
        lines = lines_of(self.form, sheet, closing)
        self.read_back.show_sheet(lines, self._live.findings, words, title)
        self.body.show_read_back()

    def _names(self, paths: Sequence[str]) -> str:
        names = [field_label(self._rules, path) for path in paths[:_NAMED]]
        more = len(paths) - len(names)
        return ", ".join(names) + (self.tr(" and {0} more").format(more) if more else "")

    def try_submit(self) -> None:
        """Enter on Submit, or Ctrl+Enter from anywhere. Asks once about boxes that were forgotten."""
        if self._locked or self.foot.asking:
            return
        self._at_end = True
        self._refresh_live()
        path = self._mismatched.to_look_at
        if path:
            self.grid.focus(path)
            self.show_refusal(
                path, self.tr("Look at each box that does not match first: Enter goes to the next.")
            )
            return
        partly = self.empty.partly
        if partly and partly != self._asked_empty:
            self._asked_empty = partly
            self.grid.focus(partly[0])
            names = self._names(partly)
            self.show_refusal(
                partly[0],
                self.tr(
                    "Empty: {0}. Blank is not zero: type what was said, or F4 for “all remaining are 0”."
                ).format(names),
            )
            return
        self.submit_wanted.emit()

    def show_empty(self, fields: Sequence[str], sentence: str) -> None:
        """The desk refused boxes that must not be empty: there the hand goes."""
        path = next((path for path in self.grid.order if path in fields and not self._texts.get(path)), None)
        path = path or next((path for path in self.empty.boxes), ATTENDANCE)
        self.grid.focus(path)
        self.show_refusal(path, sentence)

    def show_mismatch(self, fields: Sequence[str], sentence: str) -> None:
        """Which boxes do not match; the hand goes through those only, and no further key is asked for."""
        marked = [path for path in self.grid.order if path in fields]
        self._mismatched.tell(marked, sentence, fields)
        self._left_box = ""
        self.grid.set_route(marked)
        self.foot.submit.setText(self.tr("Submit as keyed"))
        self.body.show_margin()
        self.grid.focus(marked[0])
        self._left_box = marked[0]
        self._refresh_live()

    def show_missing_reasons(self) -> None:
        self.show_read_back()
        self.read_back.focus_missing()
        keys = self.tr("A reason in words for each error, then Enter · ↓ picks a usual one")
        if len(self.read_back.missing) > 1:
            keys += self.tr(" · Ctrl+Enter gives the same for all")
        self.foot.show_hint(keys)

    def ask_correction(self, sentence: str) -> None:
        self.read_back.ask_correction(sentence)
        self.show_missing_reasons()

    def show_saved(self, at: datetime) -> None:
        self.foot.show_saved(self.tr("draft saved {0}").format(clock(at)))

    def show_not_saved(self, sentence: str) -> None:
        self.foot.show_saved(self.tr("draft not saved"), "bad")
        self.foot.setToolTip(tip(sentence))

    # --- questions ----------------------------------------------------------------------------

    def _ask_zeros(self) -> None:
        boxes = self.empty.boxes
        if not boxes or self._locked:
            return
        names = self._names(boxes)
        if len(boxes) > _NAMED:
            groups = dict.fromkeys(self._row_name(path) for path in boxes)
            many = counted(len(boxes), self.tr("empty box"), self.tr("empty boxes"))
            names = f"{many} ({', '.join(groups)})"
        self.foot.ask.ask(
            self.tr("Set to 0: {0}?").format(names),
            (Answer("Y", self.tr("Yes, all are 0"), "zeros", True), Answer("N", self.tr("No"), "stay")),
        )
        self.foot.show_question()

    def _row_name(self, path: str) -> str:
        group = group_of(path)
        return self._rules.label(group) if group else field_label(self._rules, path)

    def _fill_zeros(self) -> None:
        for path in self.empty.boxes:
            self.grid.boxes[path].restore("0")
            self._texts[path] = "0"
            self._made = None
            self.typed.emit(path, "0")
        self._asked_empty = ()
        self._refresh_live()
        self._to_submit()

    def ask_leave(self) -> None:
        """Esc. A sheet on which nothing was typed is given back without a question."""
        if not self.anything_typed:
            self.discarded.emit()
            return
        self.foot.ask.ask(
            self.tr("Leave this sheet?"),
            (
                Answer("K", self.tr("Keep the draft"), "keep", True),
                Answer("D", self.tr("Discard it"), "discard", confirm=True),
                Answer("S", self.tr("Stay (or Esc)"), "stay", confirm=True),
            ),
        )
        self.foot.show_question()

    # --- two windows, two reports ---------------------------------------------------------------

    def show_other(self, stored: Mapping[str, str], at: str) -> None:
        """What another window saved, beside each box in which something else stands here."""
        notes = []
        for path in (*self.grid.order, *self.grid.extra_order):
            here, there = self._texts.get(path, ""), stored.get(path, "")
            if here != there:
                sentence = self.tr("{0}: {1} here, {2} saved by the other window at {3}.").format(
                    field_label(self._rules, path), here or BLANK, there or BLANK, at
                )
                notes.append(Note(f"other {path}", path, "warn", "warn", self.tr("two windows"), sentence))
        self._other = tuple(notes)
        self.body.show_margin()
        self._show_notes()

    def ask_which_stands(self) -> None:
        self.foot.ask.ask(
            self.tr("Another window saved this sheet too: see beside the boxes. What stands?"),
            (
                Answer("W", self.tr("What the other window saved"), "theirs", confirm=True),
                Answer("M", self.tr("What stands here"), "mine", confirm=True),
                Answer("S", self.tr("Stay (or Esc)"), "stay", confirm=True),
            ),
        )
        self.foot.show_question()

    def save_over(self, stored: Mapping[str, str]) -> None:
        """What stands here goes into the draft, wherever the draft has something else."""
        self._other = ()
        for path in {**stored, **self._texts}:
            here = self._texts.get(path, "")
            if here != stored.get(path, ""):
                self.typed.emit(path, here)
        self._refresh_live()
        self.take_focus()

    def ask_replacing(self, report_id: int, by: str) -> None:
        """Another person's report of this channel came in while this one was typed."""
        self._replaced = report_id
        self.foot.ask.ask(
            self.tr("Is yours to take the place of the report that {0} keyed?").format(by),
            (
                Answer("R", self.tr("Replace it"), "replace", confirm=True),
                Answer("N", self.tr("No (or Esc)"), "stay", confirm=True),
            ),
        )
        self.foot.show_question()

    def _answered(self, name: str) -> None:
        self.foot.show_keys()
        if name == "zeros":
            self._fill_zeros()
        elif name == "keep":
            self.kept.emit()
        elif name == "discard":
            self.discarded.emit()
        elif name == "theirs":
            self.theirs_wanted.emit()
        elif name == "mine":
            self.mine_wanted.emit()
        elif name == "replace":
            self._to_submit()
            self.replace_wanted.emit(self._replaced)
        else:
            self._dismiss()

    def _dismiss(self) -> None:
        self.foot.show_keys()
        self.grid.focus(
            self._last_box()
        ) if self.grid.current or self.caller is None else self.caller.take_focus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._locked:
            return  # the store has not answered yet
        key, control = event.key(), bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and control:
            if not event.isAutoRepeat() and not self.read_back.same_for_all():
                self.try_submit()
        elif key == Qt.Key.Key_Escape:
            self.ask_leave()
        elif key == Qt.Key.Key_F4:
            self._ask_zeros()
        elif key == Qt.Key.Key_F6 and self.grid.extra_order:
            self.grid.focus(self.grid.extra_order[0])
        elif key == Qt.Key.Key_F7:
            self.read_back.note_warnings()
            if self.body.reading:
                self.show_read_back()
        else:
            super().keyPressEvent(event)

    @property
    def reasons(self) -> Mapping[str, str]:
        return self.read_back.reasons

    def lock(self, locked: bool) -> None:
        """While a submit is under way no second one can begin. The button stays enabled, to keep the hand."""
        self._locked = locked

    def lock_boxes(self, locked: bool) -> None:
        """While the store is waited for nothing can be typed: what is shown is what is being saved."""
        if locked == (self._held is not None):
            return
        if locked:
            self._held = self.focusWidget() or self.foot.submit
            self._locked = True
            self.foot.show_keys()
            self.foot.submit.setFocus(Qt.FocusReason.OtherFocusReason)
        for part in (self.body, self.caller):
            if part is not None:
                part.setEnabled(not locked)
        if not locked and self._held is not None:
            held, self._held = self._held, None
            self._locked = False
            if self.isVisible():
                held.setFocus(Qt.FocusReason.OtherFocusReason)
