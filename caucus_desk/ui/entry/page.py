"""The Entry page: leads from finding the precinct to the receipt; the only part of it that calls the desk."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from caucus_desk.desk import entry
from caucus_desk.desk.naming import same_person
from caucus_desk.rules.errors import CaucusError, Refused
from caucus_desk.tally.report import Channel, Report
from caucus_desk.tally.state import State
from caucus_desk.ui.context import Context
from caucus_desk.ui.entry.draft_writer import DraftWriter
from caucus_desk.ui.entry.find_step import DraftOffer, FindStep
from caucus_desk.ui.entry.receipt_step import ReceiptStep
from caucus_desk.ui.entry.sheet_step import SheetStep
from caucus_desk.ui.entry.waiting import StoreCalls
from caucus_desk.ui.page import Page
from caucus_desk.ui.words import clock, state_sign

_log = logging.getLogger(__name__)

_CLOSING_SECONDS = 1.0
"""How long a window that closes waits for the store, before it says that something is not saved."""


@dataclass
class _Known:
    """Who holds a draft, and the time of its last saving that this window knows of."""

    by: str
    seen: datetime
    stale: bool = False
    """Another window has saved since."""


class EntryPage(Page):
    """Find, key, submit, receipt; one after the other, by keyboard alone."""

    name = "entry"
    icon = "entry"

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._draft: entry.Draft | None = None
        self._drafts: tuple[entry.Draft, ...] = ()
        self._known: dict[int, _Known] = {}
        """Also of drafts that were left while something typed in them was not in the store yet."""
        self._owed = ""
        """The person whose sheet was left so."""
        self._replacing: int | None = None
        """The report of another person that came in meanwhile, once this clerk said to replace it."""
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
        self._calls = StoreCalls(self)
        self._calls.waiting.connect(self._wait)
        writer, calls = self._writer, self._calls
        self.destroyed.connect(lambda: writer.stop())
        self.destroyed.connect(lambda: calls.stop())
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
        """What the last person typed stays in that person's draft, or gets there as soon as it can."""
        by = self._draft.by if self._draft is not None else ""
        self._writer.flush(_CLOSING_SECONDS)
        self._writer.let_go()
        if self._writer.owing:
            self._owed = by or self._owed
            self.context.notices.warn(
                self.tr(
                    "The store is held by another program: what {0} typed last is not saved yet. It is tried "
                    "again until it is; leave this window open."
                ).format(self._owed)
            )
        self._close_sheet()
        self.finder.begin()

    def leaving(self) -> None:
        """Raises where something that was typed is not in the store, with the reason."""
        if not self._writer.flush(_CLOSING_SECONDS):
            raise Refused(self.tr("The store is held by another program."))
        if self._draft is not None and self._writer.refused:
            raise Refused(self._writer.refused)

    @property
    def writer(self) -> DraftWriter:
        return self._writer

    # --- drafts -------------------------------------------------------------------------------

    def _save(self, draft_id: int, changes: Mapping[str, str]) -> datetime:
        """In the writer's thread."""
        known = self._known.get(draft_id)
        if known is None:
            return entry.save_draft(self.context.desk, draft_id, changes)
        try:
            at = entry.save_draft(self.context.desk, draft_id, changes, known.by, known.seen)
        except entry.StaleWindow:
            known.stale = True
            raise
        known.seen = at
        return at

    def _saved(self, at: datetime) -> None:
        if self._owed and not self._writer.owing:
            self.context.notices.done(self.tr("What {0} typed last is saved now.").format(self._owed))
            self._owed = ""
        if self._draft is not None:
            self._sheet.show_saved(at)
            self.context.saved.emit(at)

    def _not_saved(self, sentence: str, again: bool) -> None:
        if self._draft is None:
            return
        self._sheet.show_not_saved(sentence)
        if self._stale:
            self._show_other_window()
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
            made.theirs_wanted.connect(self._take_theirs)
            made.mine_wanted.connect(self._take_mine)
            made.replace_wanted.connect(self._replace)
            self._stack.addWidget(made)
            self._sheets[channel] = made
        return self._sheets[channel]

    def _wait(self, waiting: bool) -> None:
        """Another program holds the store: said, and nothing can be typed into what is being saved."""
        shown = self._stack.currentWidget()
        if isinstance(shown, SheetStep):
            shown.lock_boxes(waiting)
        if waiting:
            self.context.notices.say(self.tr("Waiting for the store, which another program holds…"))
        else:
            self.context.notices.clear()

    def _open(self, precinct_id: str, channel_name: str) -> None:
        channel = Channel(channel_name)
        desk, person = self.context.desk, self.context.person
        self._calls.run(
            lambda: entry.claim(desk, precinct_id, channel, person),
            lambda draft: self._claimed(draft, person),
            lambda refusal: self._claim_refused(refusal, precinct_id, channel),
        )

    def _claimed(self, draft: entry.Draft, person: str) -> None:
        if person != self.context.person or self._draft is not None:
            self._load_drafts()  # another person sits here by now: it waits among the unfinished sheets
            return
        self._begin(draft)

    def _claim_refused(self, refusal: CaucusError, precinct_id: str, channel: Channel) -> None:
        """Another person has it. A draft that was left alone for long enough is taken over instead."""
        desk, person = self.context.desk, self.context.person
        self.finder.refuse(refusal.sentence)
        if isinstance(refusal, entry.Barred):
            if refusal.draft is not None:
                mine = refusal.draft
                self.finder.offer_discard(lambda: self._discard_barred(mine))
            return
        held = entry.draft_at(desk, precinct_id, channel)
        if held is not None and held.by != person and entry.idle(held):
            self.finder.offer_take_over(held.by, lambda: self._take_over(held.id, person))

    def _take_over(self, draft_id: int, person: str) -> None:
        desk = self.context.desk
        self._calls.run(
            lambda: entry.take_over(desk, draft_id, person),
            lambda draft: self._claimed(draft, person),
            lambda refusal: self.finder.refuse(refusal.sentence),
        )

    def _discard_barred(self, draft: entry.Draft) -> None:
        """A sheet that this person holds and must not key any more."""
        desk = self.context.desk
        self._calls.run(
            lambda: entry.discard(desk, draft.id, draft.by),
            lambda _: self._next(),
            lambda refusal: self.finder.refuse(refusal.sentence),
        )

    def _begin(self, draft: entry.Draft) -> None:
        self.context.notices.clear()
        sheet = self._sheet_for(draft.channel)
        self._draft, self._replacing = draft, None
        self._known[draft.id] = _Known(draft.by, draft.updated)
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
        self.context.renew_eyes()

    def _close_sheet(self) -> None:
        self._writer.end()
        self._draft = None
        self._stack.setCurrentWidget(self.finder)

    def _keep(self) -> None:
        self._calls.run(self._writer.flush, self._kept, lambda refusal: None)

    def _kept(self, written: bool) -> None:
        """The sheet is left only when all that was typed is in the draft."""
        if self._draft is None:
            return
        if not written:
            self.context.notices.refuse(self.tr("The draft could not be saved yet: the sheet stays open."))
        elif self._stale:
            self._ask_which_stands()
        elif self._writer.refused:
            self.context.notices.refuse(
                self.tr("{0} It cannot be kept: Esc, then D, leaves it.").format(self._writer.refused)
            )
        else:
            self._next()
            return
        self._sheet.take_focus()

    def _discard(self) -> None:
        assert self._draft is not None
        draft, desk = self._draft, self.context.desk

        def work() -> None:
            self._writer.end()
            entry.discard(desk, draft.id, draft.by)

        self._calls.run(work, lambda _: self._next(), lambda refusal: self._not_discarded(draft, refusal))

    def _not_discarded(self, draft: entry.Draft, refusal: CaucusError) -> None:
        self.context.notices.refuse(refusal.sentence)
        if isinstance(refusal, Refused):
            self._next()  # it is not this person's any more
        else:
            self._writer.begin(draft.id)
            self._sheet.take_focus()

    def _next(self) -> None:
        self._close_sheet()
        self.refresh()
        self.finder.begin()
        self.context.renew_eyes()

    # --- another window of the same person ------------------------------------------------------

    @property
    def _stale(self) -> bool:
        known = self._known.get(self._draft.id) if self._draft is not None else None
        return known is not None and known.stale

    def _stored(self) -> entry.Draft | None:
        """The draft as the store has it now."""
        assert self._draft is not None
        try:
            stored = entry.draft_at(self.context.desk, self._draft.precinct_id, self._draft.channel)
        except CaucusError:
            return None
        return stored if stored is not None and stored.id == self._draft.id else None

    def _show_other_window(self) -> None:
        """What the other window saved stands beside what stands here."""
        stored = self._stored()
        if stored is not None:
            self._sheet.show_other(stored.fields, clock(stored.updated))

    def _ask_which_stands(self) -> None:
        self._show_other_window()
        self._sheet.ask_which_stands()

    def _take_theirs(self) -> None:
        """The sheet again, as the other window saved it."""
        stored = self._stored()
        if stored is not None:
            self._begin(stored)

    def _take_mine(self) -> None:
        """What stands in this window goes over what the other one saved, on this person's word."""
        stored = self._stored()
        if stored is None:
            return
        self._known[stored.id] = _Known(stored.by, stored.updated)
        self._writer.begin(stored.id)
        self._sheet.save_over(stored.fields)
        self.context.notices.clear()

    # --- submitting ---------------------------------------------------------------------------

    def _submit(self) -> None:
        draft = self._draft
        if draft is None or self._calls.busy:
            return
        sheet, desk, known = self._sheet, self.context.desk, self._known[draft.id]
        sheet.lock(True)
        # As it stands on the screen at this key; nothing can be typed until the store has answered.
        figures, reasons, caller = sheet.sheet, dict(sheet.reasons), sheet.caller_named
        confirmed, correcting, replacing = sheet.confirmed, sheet.read_back.correcting, self._replacing

        held = self.tr("The store is held by another program. Nothing was submitted: try it again.")

        def work() -> entry.Submitted:
            if not self._writer.flush():
                raise CaucusError(held)
            return entry.submit(
                desk,
                draft.id,
                figures,
                draft.by,
                reasons=reasons,
                confirmed=confirmed,
                correcting=correcting,
                seen=known.seen,
                caller=caller,
                replacing=replacing,
            )

        def refused(refusal: CaucusError) -> None:
            sheet.lock(False)
            if self._draft is draft:
                self._refused(sheet, refusal)

        self._calls.run(work, lambda done: self._done(draft, done), refused)

    def _replace(self, report_id: int) -> None:
        """The clerk was told whose report came in meanwhile, and said that this one takes its place."""
        self._replacing = report_id
        self._submit()

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
            self.context.notices.warn(refusal.sentence)
            sheet.ask_replacing(refusal.report_id, refusal.by)
        elif isinstance(refusal, entry.StaleWindow):
            self.context.notices.refuse(refusal.sentence)
            if self._draft is not None:
                self._known[self._draft.id].stale = True
            self._ask_which_stands()
        elif isinstance(refusal, entry.Barred):
            self.context.notices.refuse(
                self.tr("{0} Esc, then D, discards this sheet.").format(refusal.sentence)
            )
        else:
            self.context.notices.refuse(refusal.sentence)

    def _done(self, draft: entry.Draft, done: entry.Submitted) -> None:
        if self._draft is not draft:  # another person sits here by now
            self.context.after_change(done.at)
            return
        self._writer.end()
        self._draft = None
        self._known.pop(draft.id, None)
        precinct = self.context.desk.precinct(draft.precinct_id)
        before = self.context.overview.results[draft.precinct_id].reports.get(draft.channel)
        self._stack.setCurrentWidget(self.receipt)
        self.receipt.show_receipt(
            precinct,
            draft.channel,
            done.receipt,
            clock(done.at),
            " ".join(part for part in (self._replaced_words(done, before), self._state_words(done)) if part),
        )
        self.context.after_change(done.at)

    def _replaced_words(self, done: entry.Submitted, before: Report | None) -> str:
        """Whose report this one takes the place of; "" where there was none."""
        if done.superseded_by and done.superseded_at is not None:
            by, at = done.superseded_by, done.superseded_at
        elif done.superseded is not None and before is not None and before.id == done.superseded:
            by, at = before.by, before.at
        else:
            return ""
        return self.tr("It takes the place of the report that {0} keyed at {1}.").format(by, clock(at))

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
