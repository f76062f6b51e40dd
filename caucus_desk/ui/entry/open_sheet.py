"""The open sheet: caller, boxes, what the rules say beside them and in the margin.

It holds what is typed and shows what is known of it; how the sheet is left stands in `sheet_way_out`.
"""

from itertools import pairwise

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from caucus_desk.desk.entry import Caller, Draft, SheetCheck
from caucus_desk.desk.sheetcheck import check_of
from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.tally.finding import Severity
from caucus_desk.tally.form import Form, form_of, texts_of
from caucus_desk.tally.report import Channel, Report
from caucus_desk.tally.results import PrecinctResult
from caucus_desk.tally.roster import Precinct
from caucus_desk.tally.sheet import ATTENDANCE, ResultSheet
from caucus_desk.ui.entry.caller import CHECK, NAME, NUMBER, CallerStrip
from caucus_desk.ui.entry.foot import Foot
from caucus_desk.ui.entry.history import History
from caucus_desk.ui.entry.live import Live, LiveCheck, marks_of, notes_of, show_live
from caucus_desk.ui.entry.matching import Mismatched
from caucus_desk.ui.entry.notes import Note
from caucus_desk.ui.entry.sheet_body import REFUSED, SheetBody
from caucus_desk.ui.entry.sheet_grid import group_of
from caucus_desk.ui.entry.strip import PrecinctStrip
from caucus_desk.ui.entry.typed import (
    Empty,
    Progress,
    empty_boxes,
    passed_in_draft,
    sheet_of,
)
from caucus_desk.ui.entry.wording import counted
from caucus_desk.ui.keys import hint
from caucus_desk.ui.widgets.basics import STEP, rule
from caucus_desk.ui.words import clock


class OpenSheet(QWidget):
    """One channel's sheet while it is typed. Built once and used for one precinct after the other."""

    typed = Signal(str, str)
    """A path and its text: for the draft."""

    def __init__(
        self, rules: RuleSet, channel: Channel, parent: QWidget | None = None, form: Form | None = None
    ) -> None:
        """`form` is the channel's own unless another one is given."""
        super().__init__(parent)
        self._rules, self.channel = rules, channel
        self.form = form or form_of(rules, channel)
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
        self._history = History()
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
        self.grid.told.connect(self.tell)
        self.grid.touched.connect(self._touched)
        self.grid.moved.connect(self._moved)
        if self.caller is not None:
            self.caller.edited.connect(self._edited_caller)
            self.caller.finished.connect(lambda: self.grid.focus(ATTENDANCE))

    # --- one precinct -------------------------------------------------------------------------

    def start(self, precinct: Precinct, draft: Draft) -> None:
        """Show a draft: new and empty, or as it was left."""
        self._precinct = precinct
        self._texts = dict(draft.fields)
        self._made = None
        self._at_end = False
        self._refusal, self._mismatched = None, Mismatched()
        self._history.forget()
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
        self._history.forget()
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
            self.grid.focus(self.grid.order[0])

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
        self._history.typed(path, self._texts.get(path, ""), text)
        self._take(path, text)
        self._refresh_live()

    def _take(self, path: str, text: str) -> None:
        """What a box holds now goes into the sheet and into its draft."""
        self._texts[path] = text
        self._made = None
        if self._mismatched.fields:
            self._mismatched.changed(path)
            self.foot.submit.setText(self.tr("Submit"))
        self.typed.emit(path, text)

    def _edited_caller(self, path: str, text: str) -> None:
        self._texts[path] = text
        self.typed.emit(path, text)

    def _touched(self) -> None:
        if self._refusal is not None:
            self._refusal = None
            self._show_notes()

    def _moved(self, path: str) -> None:
        self._mismatched.seen(self._left_box)
        if path != self._left_box:
            self._history.left()
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

    def tell(self, path: str, sentence: str) -> None:
        """What is worth knowing of a key that was taken, in the same place and for as long."""
        self._refusal = Note(REFUSED, path, "note", "muted", self.tr("note"), sentence)
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
        self.read_back.look(self._live.findings, self.sheet)
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
            return self.tr("Enter goes through the boxes that do not match") + " · " + hint("leave")
        keys = hint("next", "back", "jump", "leave")
        below = len(self.body.notes.notes) if self.body.stacked else 0
        if below:
            keys = counted(below, self.tr("finding below"), self.tr("findings below")) + " · " + keys
        return keys + self._warnings_hint()

    def _warnings_hint(self) -> str:
        findings = self._live.findings if self._live is not None else ()
        warned = any(finding.severity is Severity.WARNING for finding in findings)
        return " · " + hint("note") if warned else ""

    # --- while the store is waited for ----------------------------------------------------------

    def lock(self, locked: bool) -> None:
        """While a submit is under way no second one can begin. The button stays enabled, to keep the hand."""
        self._locked = locked

    def hold_boxes(self, held: bool) -> None:
        """Nothing can be typed while it is not known whether the sheet is in; Submit asks for it."""
        for part in (self.body, self.caller):
            if part is not None:
                part.setEnabled(not held)
        if held:
            self.foot.show_keys()
            self.foot.submit.setFocus(Qt.FocusReason.OtherFocusReason)

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
