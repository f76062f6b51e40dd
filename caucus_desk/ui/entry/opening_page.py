"""Opening a sheet and leaving it: claimed, taken over, kept as a draft or discarded."""

from dataclasses import replace

from PySide6.QtWidgets import QWidget

from caucus_desk.desk import entry
from caucus_desk.desk.calls import STARTED
from caucus_desk.desk.keptdrafts import KeptDraft
from caucus_desk.desk.naming import same_person
from caucus_desk.desk.people import SignIn, sign_in_kind
from caucus_desk.rules.errors import CaucusError, Refused
from caucus_desk.tally.report import Channel
from caucus_desk.ui.context import Context
from caucus_desk.ui.entry.drafts_page import DraftsPage
from caucus_desk.ui.entry.kept import is_clean
from caucus_desk.ui.entry.sheet_step import SheetStep
from caucus_desk.ui.words import clock


def of_sheet(draft: entry.Draft) -> entry.Draft:
    """Without what the draft keeps of the call itself."""
    return replace(draft, fields={path: text for path, text in draft.fields.items() if path != STARTED})


class OpeningPage(DraftsPage):
    """From the precinct that was found to its sheet, and back."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._lender = ""
        self._beside: KeptDraft | None = None
        """What was kept of the sheet that is open, while it is asked whether it stands."""
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

    def _kept_for(self, precinct_id: str, channel: Channel) -> KeptDraft | None:
        """What this person typed of this sheet before, and the store never took."""
        for one in self._files:
            if (one.precinct_id, one.channel) == (precinct_id, channel):
                return one if same_person(one.by, self.context.person) else None
        return None

    def _connect_submit(self, sheet: SheetStep) -> None:
        """A new sheet: what its Submit leads to is the page's."""

    def _open(self, precinct_id: str, channel_name: str) -> None:
        channel = Channel(channel_name)
        desk, person, window = self.context.desk, self.context.person, self.context.window
        kept = self._kept_for(precinct_id, channel)

        def work() -> entry.Draft | entry.Submitted:
            made = None if kept is None else entry.answered(desk, kept.token)
            return made or entry.claim(desk, precinct_id, channel, person, window=window)

        def opened(found: entry.Draft | entry.Submitted) -> None:
            if not isinstance(found, entry.Submitted):
                self._claimed(found, person)
            elif kept is not None:
                self._made_already(kept, found)

        self._calls.run(
            work, opened, lambda refusal: self._claim_refused(refusal, precinct_id, channel, kept)
        )

    def _made_already(self, kept: KeptDraft, done: entry.Submitted) -> None:
        """The window was gone before it heard that the sheet is in."""
        self._keeping.drop_file(kept)
        self._load_drafts()
        self._stack.setCurrentWidget(self.receipt)
        self.receipt.show_receipt(
            self.context.desk.precinct(kept.precinct_id),
            kept.channel,
            done.receipt,
            clock(done.at),
            self.tr(
                "It was submitted already, before this window could say so. Nothing was submitted again."
            ),
        )

    def _sheet_wanted(self, precinct_id: str, channel_name: str) -> None:
        """Another page goes straight to a sheet; one that is open here stays."""
        if self._draft is None and self.shut is None:
            self._open(precinct_id, channel_name)

    def _claimed(self, draft: entry.Draft, person: str) -> None:
        if person != self.context.person or self._draft is not None:
            self._load_drafts()  # another person sits here by now: it waits among the unfinished sheets
            return
        kept = self._kept_for(draft.precinct_id, draft.channel)
        if kept is None:
            self._begin(draft)
        else:
            self._begin_kept(draft, kept)

    def _claim_refused(
        self, refusal: CaucusError, precinct_id: str, channel: Channel, kept: KeptDraft | None = None
    ) -> None:
        """Another person has it. A draft that was left alone for long enough is taken over instead."""
        self._give_back()
        desk, person = self.context.desk, self.context.person
        own_laptop = sign_in_kind(desk) is SignIn.OWN_LAPTOP
        self.finder.refuse(refusal.sentence)
        if kept is not None and isinstance(refusal, Refused):
            self.finder.offer_discard(
                lambda: self._drop_kept(kept),
                self.tr("Discard what you typed of it and is kept on this computer since {0}?").format(
                    clock(kept.at)
                ),
            )
            return
        if isinstance(refusal, entry.Barred):
            if refusal.draft is not None:
                mine = refusal.draft
                self.finder.offer_discard(lambda: self._discard_barred(mine))
            elif own_laptop:
                self.finder.offer_second_person(
                    person, lambda name: self._go_on_as(name, precinct_id, channel)
                )
            return
        if not isinstance(refusal, Refused):
            return  # the store does not take it now
        held = entry.draft_at(desk, precinct_id, channel)
        if own_laptop and held is not None and not same_person(held.by, person):
            self.finder.offer_go_on(held.by, lambda: self._go_on_as(held.by, precinct_id, channel))
            return
        if held is not None and held.by != person and entry.idle(held):
            self.finder.offer_take_over(held.by, lambda: self._take_over(held.id, person))

    def _drop_kept(self, kept: KeptDraft) -> None:
        self._keeping.drop_file(kept)
        self._next()

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
        desk, window = self.context.desk, self.context.window
        self._calls.run(
            lambda: entry.take_over(desk, draft_id, person, window=window),
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
        self._draft, self._replacing, self._beside = draft, None, None
        self._keeping.begin(draft)
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

    def _begin_kept(self, stored: entry.Draft, kept: KeptDraft) -> None:
        """The sheet as it stood when this computer kept it; of a draft that is gone meanwhile, all of it. It
        goes into the store's draft, unless another window has saved that since: then it is asked."""
        same = kept.draft_id == stored.id
        typed = dict(kept.owed if same else kept.texts)
        fields = {path: text for path, text in {**stored.fields, **typed}.items() if text}
        self._begin(replace(stored, fields=fields))
        known = self._known[stored.id]
        known.token, known.texts = kept.token, dict(stored.fields)
        self._files = tuple(one for one in self._files if one is not kept)
        if typed and same and not is_clean(kept, stored):
            known.stale, self._beside = True, kept
            self._ask_which_stands()
            return
        self._keeping.take_up(stored.id, kept)
        for path, text in typed.items():
            self._writer.put(path, text)
        self._writer.kept_already(stored.id, typed)
        if not stored.note:
            self.context.notices.say(
                self.tr("What was kept on this computer at {0} is in the sheet again.").format(clock(kept.at))
            )

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
            token = self._known[stored.id].token
            self._take_up_beside(stored)
            self._begin(stored)
            self._known[stored.id].token = token
            self._keeping.drop(stored.id)

    def _take_up_beside(self, stored: entry.Draft) -> None:
        """The question is answered: the file that it was about goes with the answer."""
        if self._beside is not None:
            self._keeping.take_up(stored.id, self._beside)
            self._beside = None

    def _take_mine(self) -> None:
        """What stands in this window goes over what the other one saved, on this person's word."""
        stored = self._stored()
        if stored is None:
            return
        token = self._known[stored.id].token
        self._take_up_beside(stored)
        self._keeping.begin(stored).token = token
        self._writer.begin(stored.id)
        self._sheet.save_over(of_sheet(stored).fields)
        self._writer.kept_already(stored.id, {})
        self.context.notices.clear()
