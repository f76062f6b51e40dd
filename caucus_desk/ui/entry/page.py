"""The Entry page: leads from finding the precinct to the receipt; the only part of it that calls the desk."""

import logging
from collections.abc import Mapping
from datetime import datetime

from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from caucus_desk.desk import entry
from caucus_desk.desk.naming import same_person
from caucus_desk.rules.errors import CaucusError
from caucus_desk.tally.report import Channel
from caucus_desk.tally.state import State
from caucus_desk.ui.context import Context
from caucus_desk.ui.entry.draft_writer import DraftWriter
from caucus_desk.ui.entry.find_step import DraftOffer, FindStep
from caucus_desk.ui.entry.receipt_step import ReceiptStep
from caucus_desk.ui.entry.sheet_step import SheetStep
from caucus_desk.ui.page import Page
from caucus_desk.ui.words import clock, state_sign

_log = logging.getLogger(__name__)


class EntryPage(Page):
    """Find, key, submit, receipt; one after the other, by keyboard alone."""

    name = "entry"
    icon = "entry"

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._draft: entry.Draft | None = None
        self._drafts: tuple[entry.Draft, ...] = ()
        self._seen: datetime | None = None
        self._replacing: int | None = None
        """The report of another person that came in meanwhile, once this clerk was told of it."""
        self.finder = FindStep()
        self.receipt = ReceiptStep()
        self._sheets: dict[Channel, SheetStep] = {}
        self._stack = QStackedWidget()
        self._stack.addWidget(self.finder)
        self._stack.addWidget(self.receipt)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._stack)
        self._writer = DraftWriter(self._save, self)
        writer = self._writer
        self.destroyed.connect(lambda: writer.stop())
        self._writer.saved.connect(self._saved)
        self._writer.failed.connect(self._not_saved)
        self.finder.chosen.connect(self._open)
        self.receipt.next_wanted.connect(self._next)

    # --- what the shell asks ------------------------------------------------------------------

    def title(self) -> str:
        return self.tr("Entry")

    def count(self) -> int | None:
        return len(self._drafts) or None

    def refresh(self) -> None:
        self._load_drafts()
        overview = self.context.overview
        offers = [DraftOffer(draft.precinct_id, draft.channel, draft.updated) for draft in self._drafts]
        self.finder.show_results(lambda: tuple(overview.results.values()), offers)
        if self._draft is not None:
            self._sheet.show_result(overview.results[self._draft.precinct_id])

    def take_focus(self) -> None:
        shown = self._stack.currentWidget()
        if isinstance(shown, FindStep | SheetStep):
            shown.take_focus()
        else:
            self.receipt.setFocus()

    def open_precinct(self, precinct_id: str) -> None:
        if self._draft is not None:
            if self._draft.precinct_id != precinct_id:
                self.context.notices.say(
                    self.tr("A sheet is open here. Submit it, or leave it with Esc, then open the other one.")
                )
            return
        self._stack.setCurrentWidget(self.finder)
        self.refresh()
        if precinct_id in self.context.overview.results:
            self.finder.take(precinct_id)

    def person_changed(self) -> None:
        """What the last person typed stays in that person's draft."""
        self._writer.flush()
        self._close_sheet()
        self.finder.begin()

    def leaving(self) -> None:
        self._writer.flush()

    @property
    def writer(self) -> DraftWriter:
        return self._writer

    # --- drafts -------------------------------------------------------------------------------

    def _save(self, draft_id: int, changes: Mapping[str, str]) -> datetime:
        """In the writer's thread."""
        draft, seen = self._draft, self._seen
        by = draft.by if draft is not None and draft.id == draft_id else None
        at = entry.save_draft(self.context.desk, draft_id, changes, by, seen if by is not None else None)
        if by is not None:
            self._seen = at
        return at

    def _saved(self, at: datetime) -> None:
        if self._draft is not None:
            self._sheet.show_saved(at)
            self.context.saved.emit(at)

    def _not_saved(self, sentence: str, again: bool) -> None:
        if self._draft is None:
            return
        self._sheet.show_not_saved(sentence)
        more = (
            self.tr(" It is tried again; what is typed stays here.")
            if again
            else self.tr(" What is typed stays here.")
        )
        self.context.notices.refuse(sentence + more)

    def _load_drafts(self) -> None:
        before = len(self._drafts)
        person = self.context.person
        try:
            self._drafts = entry.drafts(self.context.desk, person) if person else ()
        except CaucusError as error:
            self.context.notices.refuse(error.sentence)
        if len(self._drafts) != before:
            self.count_changed.emit()

    # --- opening and leaving ------------------------------------------------------------------

    @property
    def _sheet(self) -> SheetStep:
        assert self._draft is not None
        return self._sheets[self._draft.channel]

    def _sheet_for(self, channel: Channel) -> SheetStep:
        if channel not in self._sheets:
            made = SheetStep(self.context.rules, channel)
            made.typed.connect(self._writer.put)
            made.submit_wanted.connect(self._submit)
            made.kept.connect(self._keep)
            made.discarded.connect(self._discard)
            self._stack.addWidget(made)
            self._sheets[channel] = made
        return self._sheets[channel]

    def _open(self, precinct_id: str, channel_name: str) -> None:
        channel = Channel(channel_name)
        desk, person = self.context.desk, self.context.person
        try:
            draft = entry.claim(desk, precinct_id, channel, person)
        except CaucusError as refusal:
            self._claim_refused(refusal, precinct_id, channel)
            return
        self._begin(draft)

    def _claim_refused(self, refusal: CaucusError, precinct_id: str, channel: Channel) -> None:
        """Another person has it. A draft that was left alone for long enough is taken over instead."""
        desk, person = self.context.desk, self.context.person
        self.finder.refuse(refusal.sentence)
        held = entry.draft_at(desk, precinct_id, channel)
        if held is not None and datetime.now(held.updated.tzinfo) - held.updated >= entry.IDLE:
            self.finder.offer_take_over(held.by, lambda: self._take_over(held.id, person))

    def _take_over(self, draft_id: int, person: str) -> None:
        try:
            self._begin(entry.take_over(self.context.desk, draft_id, person))
        except CaucusError as refusal:
            self.finder.refuse(refusal.sentence)

    def _begin(self, draft: entry.Draft) -> None:
        self.context.notices.clear()
        sheet = self._sheet_for(draft.channel)
        self._draft, self._seen, self._replacing = draft, draft.updated, None
        self._writer.begin(draft.id)
        result = self.context.overview.results[draft.precinct_id]
        sheet.start(self.context.desk.precinct(draft.precinct_id), draft)
        sheet.show_result(result)
        own = result.reports.get(draft.channel)
        if own is not None and not draft.fields and not result.verified and same_person(own.by, draft.by):
            sheet.fill_in(own)
        self._stack.setCurrentWidget(sheet)
        sheet.take_focus()
        if draft.note:
            self.context.notices.warn(draft.note)

    def _close_sheet(self) -> None:
        self._writer.end()
        self._draft = self._seen = None
        self._stack.setCurrentWidget(self.finder)

    def _keep(self) -> None:
        if not self._writer.flush():
            self.context.notices.refuse(self.tr("The draft could not be saved yet: the sheet stays open."))
            return
        self._next()

    def _discard(self) -> None:
        assert self._draft is not None
        draft = self._draft
        self._writer.end()
        try:
            entry.discard(self.context.desk, draft.id, draft.by)
        except CaucusError as refusal:
            self.context.notices.refuse(refusal.sentence)
        self._next()

    def _next(self) -> None:
        self._close_sheet()
        self.refresh()
        self.finder.begin()

    # --- submitting ---------------------------------------------------------------------------

    def _submit(self) -> None:
        draft = self._draft
        if draft is None:
            return
        sheet = self._sheet
        sheet.lock(True)
        self._writer.flush()
        try:
            done = entry.submit(
                self.context.desk,
                draft.id,
                sheet.sheet,
                draft.by,
                reasons=sheet.reasons,
                confirmed=sheet.confirming,
                correcting=sheet.read_back.correcting,
                replacing=self._replacing,
            )
        except CaucusError as refusal:
            sheet.lock(False)
            self._refused(sheet, refusal)
            return
        self._done(draft, done)

    def _refused(self, sheet: SheetStep, refusal: CaucusError) -> None:
        """Each refusal leads to the box that it is about; what was typed stays."""
        if isinstance(refusal, entry.EmptyBoxes):
            sheet.show_empty(refusal.fields, refusal.sentence)
        elif isinstance(refusal, entry.DoesNotMatch):
            sheet.show_mismatch(refusal.fields, refusal.sentence)
        elif isinstance(refusal, entry.NeedsReason):
            sheet.show_missing_reasons()
        elif isinstance(refusal, entry.NeedsCorrection):
            sheet.ask_correction(refusal.sentence)
        elif isinstance(refusal, entry.KeyedMeanwhile):
            self._replacing = refusal.report_id
            self.context.notices.refuse(refusal.sentence)
        else:
            self.context.notices.refuse(refusal.sentence)

    def _done(self, draft: entry.Draft, done: entry.Submitted) -> None:
        self._writer.end()
        self._draft = self._seen = None
        precinct = self.context.desk.precinct(draft.precinct_id)
        self._stack.setCurrentWidget(self.receipt)
        self.receipt.show_receipt(
            precinct,
            draft.channel,
            done.receipt,
            clock(done.at),
            self._state_words(done),
        )
        self.context.after_change(done.at)

    def _state_words(self, done: entry.Submitted) -> str:
        """The precinct's state after this report, and what it waits for."""
        if done.verified:
            return self.tr("Both sources agree: the precinct is verified.")
        if done.open_errors:
            return self.tr("The sources agree. Somebody else must acknowledge: {0}.").format(
                ", ".join(done.open_errors)
            )
        if done.state is State.MISMATCHED:
            return self.tr("It does not match the other source: a reviewer decides.")
        if done.state is State.SINGLE:
            return self.tr("It waits for a second person and another source.")
        return self.tr("The precinct is {0}.").format(state_sign(done.state).word)
