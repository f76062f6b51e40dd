"""Opening a sheet and leaving it: claimed, taken over, kept as a draft or discarded."""

from dataclasses import replace

from PySide6.QtWidgets import QWidget

from caucus_desk.desk import entry
from caucus_desk.desk.calls import STARTED
from caucus_desk.desk.naming import same_person
from caucus_desk.desk.people import SignIn, sign_in_kind
from caucus_desk.rules.errors import CaucusError, Refused
from caucus_desk.tally.report import Channel
from caucus_desk.ui.context import Context
from caucus_desk.ui.entry.drafts_page import DraftsPage, Known
from caucus_desk.ui.entry.sheet_step import SheetStep


def of_sheet(draft: entry.Draft) -> entry.Draft:
    """Without what the draft keeps of the call itself."""
    return replace(draft, fields={path: text for path, text in draft.fields.items() if path != STARTED})


class OpeningPage(DraftsPage):
    """From the precinct that was found to its sheet, and back."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._lender = ""
        self.finder.chosen.connect(self._open)
        self.receipt.next_wanted.connect(self._next)
        context.sheet_wanted.connect(self._sheet_wanted)

    # --- opening and leaving ------------------------------------------------------------------

    def _sheet_for(self, channel: Channel) -> SheetStep:
        if channel not in self._sheets:
            made = SheetStep(self.context.rules, channel)
            made.typed.connect(self._typed)
            made.kept.connect(self._keep)
            made.discarded.connect(self._discard)
            made.theirs_wanted.connect(self._take_theirs)
            made.mine_wanted.connect(self._take_mine)
            self._connect_submit(made)
            self._stack.addWidget(made)
            self._sheets[channel] = made
        return self._sheets[channel]

    def _typed(self, path: str, text: str) -> None:
        self._writer.put(path, text)

    def _connect_submit(self, sheet: SheetStep) -> None:
        """A new sheet: what its Submit leads to is the page's."""

    def _open(self, precinct_id: str, channel_name: str) -> None:
        channel = Channel(channel_name)
        desk, person = self.context.desk, self.context.person
        self._calls.run(
            lambda: entry.claim(desk, precinct_id, channel, person),
            lambda draft: self._claimed(draft, person),
            lambda refusal: self._claim_refused(refusal, precinct_id, channel),
        )

    def _sheet_wanted(self, precinct_id: str, channel_name: str) -> None:
        """Another page goes straight to a sheet; one that is open here stays."""
        if self._draft is None:
            self._open(precinct_id, channel_name)

    def _claimed(self, draft: entry.Draft, person: str) -> None:
        if person != self.context.person or self._draft is not None:
            self._load_drafts()  # another person sits here by now: it waits among the unfinished sheets
            return
        self._begin(draft)

    def _claim_refused(self, refusal: CaucusError, precinct_id: str, channel: Channel) -> None:
        """Another person has it. A draft that was left alone for long enough is taken over instead."""
        self._give_back()
        desk, person = self.context.desk, self.context.person
        own_laptop = sign_in_kind(desk) is SignIn.OWN_LAPTOP
        self.finder.refuse(refusal.sentence)
        if isinstance(refusal, entry.Barred):
            if refusal.draft is not None:
                mine = refusal.draft
                self.finder.offer_discard(lambda: self._discard_barred(mine))
            elif own_laptop:
                self.finder.offer_second_person(
                    person, lambda name: self._go_on_as(name, precinct_id, channel)
                )
            return
        held = entry.draft_at(desk, precinct_id, channel)
        if own_laptop and held is not None and not same_person(held.by, person):
            self.finder.offer_go_on(held.by, lambda: self._go_on_as(held.by, precinct_id, channel))
            return
        if held is not None and held.by != person and entry.idle(held):
            self.finder.offer_take_over(held.by, lambda: self._take_over(held.id, person))

    def _go_on_as(self, name: str, precinct_id: str, channel: Channel) -> None:
        """On one person's own laptop a second person keys this one sheet; then the first one goes on."""
        first = self.context.person
        self.context.set_person(name)
        self._lender = first
        self._open(precinct_id, channel.value)

    def _give_back(self) -> None:
        """The desk, to whose it is, after a second person's sheet."""
        first, self._lender = self._lender, ""
        if first:
            self.context.set_person(first)

    def person_changed(self) -> None:
        self._lender = ""
        super().person_changed()

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
        self._known[draft.id] = Known(draft.by, draft.updated)
        self._writer.begin(draft.id)
        # Shown first: with the page Qt gives the hand back to where it was in the sheet before.
        self._stack.setCurrentWidget(sheet)
        result = self.context.overview.results[draft.precinct_id]
        sheet.start(self.context.desk.precinct(draft.precinct_id), of_sheet(draft))
        sheet.show_result(result)
        own = result.reports.get(draft.channel)
        begun = bool(of_sheet(draft).fields)
        mine = own is not None and not begun and not result.verified and same_person(own.by, draft.by)
        if own is not None and mine and self._fills_in(draft):
            sheet.fill_in(own)
        sheet.take_focus()
        if draft.note:
            self.context.notices.warn(draft.note)
        self.context.renew_eyes()

    def _fills_in(self, draft: entry.Draft) -> bool:
        """Whether this person's own report, that stands, is filled in to be corrected."""
        return True

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
        self._give_back()
        self.refresh()
        self.finder.begin()
        self.context.renew_eyes()

    # --- which of two windows' sheets stands --------------------------------------------------

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
        self._known[stored.id] = Known(stored.by, stored.updated)
        self._writer.begin(stored.id)
        self._sheet.save_over(of_sheet(stored).fields)
        self.context.notices.clear()
