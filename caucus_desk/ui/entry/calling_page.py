"""The call behind a phone sheet: when it came, whether the caller is right, how it ends without results."""

from collections.abc import Callable
from datetime import UTC, datetime

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from caucus_desk.desk import calls, entry
from caucus_desk.desk.caller import CheckResult
from caucus_desk.desk.calls import STARTED
from caucus_desk.rules.errors import CaucusError
from caucus_desk.tally.call import Call, CallEnd, Outcome
from caucus_desk.tally.report import Channel
from caucus_desk.ui.context import Context
from caucus_desk.ui.entry.call_end import (
    CALL_BACK_KEY,
    CUT_OFF_KEY,
    NUISANCE_KEY,
    OTHER,
    OTHER_KEY,
    EndBar,
)
from caucus_desk.ui.entry.opening_page import OpeningPage
from caucus_desk.ui.entry.sheet_step import SheetStep
from caucus_desk.ui.words import clock


class CallingPage(OpeningPage):
    """Every call is recorded when it ends, whether or not a precinct was named."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        self._came: datetime | None = None
        """When the phone rang, so far as the first key tells it."""
        self._came_kept = False
        self._ends: list[QShortcut] = []
        super().__init__(context, parent)
        self.end_bar = EndBar()
        layout = self.layout()
        assert layout is not None
        layout.addWidget(self.end_bar)
        self.end_bar.ended.connect(lambda end, note: self._end_call(CallEnd(end), note))
        self.end_bar.escaped.connect(self.take_focus)
        self.finder.begun.connect(self._call_came)
        self.finder.ends.wanted.connect(self._end_wanted)
        for key, end in (
            (CALL_BACK_KEY, CallEnd.CALL_BACK.value),
            (OTHER_KEY, OTHER),
            (NUISANCE_KEY, CallEnd.NUISANCE.value),
            (CUT_OFF_KEY, CallEnd.CUT_OFF.value),
        ):
            shortcut = QShortcut(QKeySequence(key), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.setAutoRepeat(False)
            shortcut.activated.connect(lambda end=end: self._end_wanted(end))
            self._ends.append(shortcut)
        self._stack.currentChanged.connect(self._enable_ends)

    def _enable_ends(self) -> None:
        """On paper, and at the receipt, the keys are free for other things."""
        shown = self._stack.currentWidget()
        calls_here = shown is self.finder or (isinstance(shown, SheetStep) and shown.channel is Channel.PHONE)
        for shortcut in self._ends:
            shortcut.setEnabled(calls_here)

    # --- when it came ---------------------------------------------------------------------------

    def _call_came(self) -> None:
        if self._came is None and self._draft is None:
            self._came = datetime.now(UTC)

    def call_ended(self) -> None:
        self._came, self._came_kept = None, False
        self.end_bar.close_bar()

    def _typed(self, path: str, text: str) -> None:
        """With the first key of a phone sheet goes when its call came, so that a crash loses nothing."""
        super()._typed(path, text)
        draft = self._draft
        if not self._came_kept and draft is not None and draft.channel is Channel.PHONE:
            self._came_kept = True
            self._writer.put(STARTED, (self._came or draft.since).isoformat())

    def _begin(self, draft: entry.Draft) -> None:
        self._came_kept = STARTED in draft.fields
        self.end_bar.close_bar()
        sheet = self._sheet_for(draft.channel)
        if sheet.caller is not None:
            sheet.caller.ask_for_check(self._asks())
        super()._begin(draft)
        self._called_back(draft, sheet)

    def _fills_in(self, draft: entry.Draft) -> bool:
        """Not while the chair reads the whole sheet again: figures that stand there would be read back."""
        return self.context.on_the_line != draft.precinct_id

    def _asks(self) -> bool:
        try:
            return calls.asks_for_check(self.context.desk)
        except CaucusError:
            return True

    def _called_back(self, draft: entry.Draft, sheet: SheetStep) -> None:
        """The desk itself rang the number on file: that is the check."""
        line, self.context.on_the_line = self.context.on_the_line, ""
        if line != draft.precinct_id or sheet.caller is None:
            return
        precinct = self.context.desk.precinct(line)
        sheet.caller.rang(precinct)

    def _close_sheet(self) -> None:
        super()._close_sheet()
        self.call_ended()

    def person_changed(self) -> None:
        super().person_changed()
        self.call_ended()

    def take_focus(self) -> None:
        if self.end_bar.end:
            self.end_bar.take_focus()
        else:
            super().take_focus()

    # --- the check ------------------------------------------------------------------------------

    def _connect_submit(self, sheet: SheetStep) -> None:
        super()._connect_submit(sheet)
        if sheet.caller is not None:
            sheet.caller.check_wanted.connect(self._check_caller)
            sheet.caller.ends.wanted.connect(self._end_wanted)

    def _check_caller(self, said: str, number: str) -> None:
        draft, desk, person = self._draft, self.context.desk, self.context.person
        if draft is None or self._calls.busy:
            return
        strip = self._sheet.caller
        assert strip is not None

        def answer(result: CheckResult) -> None:
            if self._draft is not draft:
                return
            strip.show_check(result)
            if result.outcome is Outcome.FAILED:
                self.context.notices.warn(result.sentence)
            elif draft.note:
                self.context.notices.warn(draft.note)  # it is known first, and not wiped off by the check
            else:
                self.context.notices.clear()

        def failed(refusal: CaucusError) -> None:
            strip.check_failed()
            self.context.notices.refuse(refusal.sentence)

        self._calls.run(
            lambda: calls.check_caller(desk, draft.precinct_id, said, number, person), answer, failed
        )

    # --- the end --------------------------------------------------------------------------------

    @property
    def _on_the_phone(self) -> bool:
        """A call may be going on here: the precinct is being found, or its phone sheet is open."""
        if self._draft is not None:
            return self._draft.channel is Channel.PHONE
        return self._stack.currentWidget() is self.finder

    def _end_wanted(self, name: str) -> None:
        if not self._on_the_phone or self._calls.busy or not self.context.person:
            return
        if name == OTHER:
            ends = [CallEnd.QUESTION, CallEnd.WRONG_NUMBER]
            self.end_bar.ask_which([*ends, CallEnd.WRONG_PIN] if self._draft is not None else ends)
            return
        end = CallEnd(name)
        if end is CallEnd.NUISANCE and self._counted and self.end_bar.end != end.value:
            self.end_bar.ask_nuisance()
        elif end is CallEnd.CALL_BACK:
            if self._draft is None and not self.finder.named:
                self.finder.refuse(self.tr("Find the precinct first, then F2: whom to call back?"))
                return
            self.end_bar.ask_note(end, self.tr("Call back: what for?"))
        else:
            self._end_call(end, "")

    @property
    def _counted(self) -> bool:
        """Whether counts were typed in the open sheet."""
        return self._draft is not None and self._sheet.anything_counted

    def _end_call(self, end: CallEnd, note: str) -> None:
        desk, person, draft = self.context.desk, self.context.person, self._draft
        work: Callable[[], Call | None]
        if draft is None:
            came, precinct_id = self._came or datetime.now(UTC), self.finder.named or None

            def work() -> Call | None:
                return calls.record_call(
                    desk, by=person, ended=end, at=came, precinct_id=precinct_id, notes=note
                )
        else:
            caller, counted = self._sheet.caller_named, self._counted

            def work() -> Call | None:
                if not self._writer.flush():
                    raise CaucusError(self.tr("{0} Try it again.").format(self._why_not()))
                if end is CallEnd.CUT_OFF and counted:
                    return calls.leave_for_anybody(desk, draft.id, person, caller=caller)
                return calls.end_call(desk, draft.id, person, ended=end, caller=caller, notes=note)

        self._calls.run(work, lambda made: self._ended(draft, made), self._not_ended)

    def _not_ended(self, refusal: CaucusError) -> None:
        self.context.notices.refuse(refusal.sentence)
        self.take_focus()

    def _ended(self, draft: entry.Draft | None, made: Call | None) -> None:
        if self._draft is not draft:
            return
        left = draft is not None and self._counted and made is not None and made.ended is not CallEnd.NUISANCE
        self._next()
        at = made.ended_at if made is not None else datetime.now(UTC)
        self.context.after_change(at)
        words = self._words(made.ended if made is not None else CallEnd.CUT_OFF)
        if left:
            words += " " + self.tr("What was typed stands among the unfinished sheets, for anybody.")
        self.context.notices.done(self.tr("{0} Recorded at {1}.").format(words, clock(at)[:5]))

    def _words(self, end: CallEnd) -> str:
        return {
            CallEnd.NUISANCE: self.tr("A nuisance call."),
            CallEnd.CUT_OFF: self.tr("The call was cut off."),
            CallEnd.CALL_BACK: self.tr("To be called back: it stands in Calls."),
            CallEnd.QUESTION: self.tr("A question."),
            CallEnd.WRONG_NUMBER: self.tr("A wrong number."),
            CallEnd.WRONG_PIN: self.tr("A caller with a wrong PIN."),
        }.get(end, self.tr("The call ended."))
