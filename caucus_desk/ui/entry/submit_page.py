"""The one submit of a sheet, also where the store does not answer: it then waits, and is made by itself.

However often it is sent, it is made once: every try carries the same token, and the store answers a second
one as it did the first.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from caucus_desk.desk import entry
from caucus_desk.rules.errors import CaucusError
from caucus_desk.tally.sheet import ResultSheet
from caucus_desk.ui.context import Context
from caucus_desk.ui.entry.photo_page import PhotoPage
from caucus_desk.ui.entry.sheet_step import SheetStep

_TRY_AGAIN = 2_000
"""Milliseconds between two tries of a submit while the store is there and does not take it."""


class _NotWritten(CaucusError):
    """What was typed last is not in the draft yet."""

    exit_code = 4


@dataclass(frozen=True, slots=True)
class Submit:
    """A sheet as it stood on the screen when Submit was pressed."""

    draft: entry.Draft
    figures: ResultSheet
    reasons: Mapping[str, str]
    caller: entry.Caller | None
    confirmed: bool | Collection[str]
    correcting: str
    replacing: int | None
    token: str


class SubmitPage(PhotoPage):
    """Sends a sheet. What comes of an answer is the page's."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._awaiting: Submit | None = None
        """What waits for the store."""
        self._uncertain = False
        """Whether it may have been made already: the answer never came."""
        self._try_again = QTimer(self, singleShot=True, interval=_TRY_AGAIN)
        self._try_again.timeout.connect(self._send_again)

    def _connect_submit(self, sheet: SheetStep) -> None:
        super()._connect_submit(sheet)
        sheet.submit_wanted.connect(self._submit)
        sheet.replace_wanted.connect(self._replace)

    def _done(self, draft: entry.Draft, done: entry.Submitted) -> None:
        """It is in the store."""

    def _refused(self, sheet: SheetStep, refusal: CaucusError) -> None:
        """It is not, and why."""

    def _replace(self, report_id: int) -> None:
        """The clerk was told whose report came in meanwhile, and said that this one takes its place."""
        self._replacing = report_id
        self._submit()

    def _submit(self) -> None:
        draft = self._draft
        if draft is None or self._calls.busy:
            return
        sheet = self._sheet
        if self._awaiting is None or not self._uncertain:
            # As it stands on the screen at this key; nothing can be typed until the store has answered.
            self._awaiting = Submit(
                draft,
                sheet.sheet,
                dict(sheet.reasons),
                sheet.caller_named,
                sheet.confirmed,
                sheet.read_back.correcting,
                self._replacing,
                self._known[draft.id].token,
            )
        if self.context.reachable:
            self._send(self._awaiting)
        else:
            self._wait_for_store(self._awaiting, uncertain=self._uncertain)

    def _send(self, submit: Submit) -> None:
        desk, window, sheet = self.context.desk, self.context.window, self._sheet
        draft, known = submit.draft, self._known[submit.draft.id]
        self._try_again.stop()
        sheet.lock(True)
        held = self.tr("The store is held by another program.")

        def work() -> entry.Submitted:
            if not self._writer.flush():
                raise _NotWritten(held)
            return entry.submit(
                desk,
                draft.id,
                submit.figures,
                draft.by,
                reasons=submit.reasons,
                confirmed=submit.confirmed,
                correcting=submit.correcting,
                seen=known.seen,
                caller=submit.caller,
                replacing=submit.replacing,
                window=window,
                token=submit.token,
            )

        def answered(done: entry.Submitted) -> None:
            self._no_longer_awaiting(draft.id)
            self._done(draft, done)
            self._keeping.drop(draft.id)

        def refused(refusal: CaucusError) -> None:
            sheet.lock(False)
            if self._draft is not draft:
                return
            if isinstance(refusal, (*entry.COMES_BACK, _NotWritten)):
                maybe = isinstance(refusal, entry.StoreUncertain) or self._uncertain
                self._wait_for_store(submit, uncertain=maybe)
                return
            self._no_longer_awaiting(draft.id)
            self._refused(sheet, refusal)

        self._calls.run(work, answered, refused)

    # --- while the store does not take it -----------------------------------------------------------

    def _wait_for_store(self, submit: Submit, *, uncertain: bool) -> None:
        """Said, kept on this computer, and sent again by itself."""
        known = self._known[submit.draft.id]
        self._awaiting, self._uncertain, known.submitting = submit, uncertain, True
        self._sheet.show_awaiting(True)
        self._sheet.hold_boxes(uncertain)
        try:
            at = self._keeping.keep(submit.draft.id, self._writer.owed(submit.draft.id))
        except CaucusError as refusal:
            self._not_kept(refusal.sentence)
        else:
            if at is not None:
                self._sheet.show_kept(at)
        self.context.notices.warn(self._why_it_waits())
        if self.context.reachable:
            self._try_again.start()

    def _why_it_waits(self) -> str:
        if self._uncertain:
            return self.tr(
                "The store went away while this sheet was submitted: whether it is in is not known yet. It "
                "is asked as soon as the store answers, and nothing is submitted twice."
            )
        return self.tr(
            "Nothing is submitted yet: {0} The sheet is kept here and submitted by itself once the store "
            "takes it. A changed box stops that."
        ).format(
            self.tr("the store does not answer.")
            if not self.context.reachable
            else self.tr("another program holds the store.")
        )

    def _send_again(self) -> None:
        if self._awaiting is None or self._draft is not self._awaiting.draft or not self.context.reachable:
            return
        if self._calls.busy:
            self._try_again.start()
        else:
            self._send(self._awaiting)

    def _reachable_changed(self, answers: bool) -> None:
        super()._reachable_changed(answers)
        if answers and self._awaiting is not None:
            self._send_again()

    def _typed(self, path: str, text: str) -> None:
        """A changed sheet is another one: it is not submitted by itself."""
        super()._typed(path, text)
        if self._awaiting is not None and not self._uncertain and self._draft is not None:
            self._no_longer_awaiting(self._draft.id)
            self.context.notices.say(
                self.tr("Changed, so it is not submitted by itself: press Submit again.")
            )

    def _no_longer_awaiting(self, draft_id: int) -> None:
        self._try_again.stop()
        self._awaiting, self._uncertain = None, False
        known = self._known.get(draft_id)
        if known is None:
            return
        was, known.submitting = known.submitting, False
        if self._draft is not None:
            self._sheet.show_awaiting(False)
            self._sheet.hold_boxes(False)
        if was and not self._writer.owed(draft_id):
            self._keeping.drop(draft_id)

    # --- where another person sits down meanwhile ---------------------------------------------------

    def what_waits(self) -> str:
        if self._awaiting is None:
            return ""
        return self.tr(
            "A sheet that {0} submitted waits for the store. It is submitted by itself as long as nobody "
            "else sits down here; else it waits until {0} is back and opens it again."
        ).format(self._awaiting.draft.by)

    def person_changed(self) -> None:
        """Nothing is submitted in somebody's name behind their back: the sheet waits for them in its file."""
        waiting = self._awaiting
        said = "" if waiting is None else self._set_aside(waiting)
        super().person_changed()
        if said:
            before = self.context.notices.text
            self.context.notices.warn(f"{before} {said}" if before else said)

    def _set_aside(self, submit: Submit) -> str:
        by, draft_id = submit.draft.by, submit.draft.id
        uncertain, self._uncertain = self._uncertain, True  # so that closing the sheet leaves the file
        try:
            self._keeping.keep(draft_id, self._writer.owed(draft_id))
        except CaucusError:
            return self.tr(
                "The sheet that {0} submitted is not in yet, and could not be kept on this computer. {0} has "
                "to submit it again."
            ).format(by)
        if uncertain:
            return self.tr(
                "Whether the sheet that {0} submitted last is in is not known. It is kept on this computer "
                "and asked for once {0} is back and opens it under Entry."
            ).format(by)
        return self.tr(
            "The sheet that {0} submitted last is not in. It is kept on this computer and offered to {0} "
            "under Entry, to be submitted again."
        ).format(by)

    def _close_sheet(self) -> None:
        """What is not known to be in stays in its file, and is asked for when the sheet is opened again."""
        if self._awaiting is not None and not self._uncertain:
            self._no_longer_awaiting(self._awaiting.draft.id)
        self._try_again.stop()
        self._awaiting, self._uncertain = None, False
        super()._close_sheet()
