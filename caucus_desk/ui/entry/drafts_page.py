"""The sheets that a person has under way: their drafts, their saving, what another window saved.

The base of the Entry page; what the shell asks is answered from here.
"""

from collections.abc import Mapping
from datetime import datetime

from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from caucus_desk.desk import entry
from caucus_desk.desk.keptdrafts import KeptDraft
from caucus_desk.desk.people import why_not
from caucus_desk.desk.roles import Job
from caucus_desk.rules.errors import CaucusError, Refused
from caucus_desk.tally.report import Channel
from caucus_desk.ui.context import Context
from caucus_desk.ui.entry.draft_writer import DraftWriter
from caucus_desk.ui.entry.find_step import DraftOffer, FindStep
from caucus_desk.ui.entry.kept import Keeping
from caucus_desk.ui.entry.receipt_step import ReceiptStep
from caucus_desk.ui.entry.sheet_step import SheetStep
from caucus_desk.ui.page import Page
from caucus_desk.ui.store_calls import StoreCalls
from caucus_desk.ui.widgets.basics import EmptyState
from caucus_desk.ui.words import clock, tr

_CLOSING_SECONDS = 1.0
"""How long a window that closes waits for the store, before it says that something is not saved."""


class DraftsPage(Page):
    """The steps of Entry and the drafts behind them. `opening_page` leads from one to the next."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._draft: entry.Draft | None = None
        self._drafts: tuple[entry.Draft, ...] = ()
        self._left: tuple[entry.Draft, ...] = ()
        """Sheets that others left for anybody."""
        self._again: tuple[entry.Errand, ...] = ()
        """Sheets that review sent back, which this person may key again."""
        self._keeping = Keeping(context.desk, context.window)
        self._known = self._keeping.known
        self._files: tuple[KeptDraft, ...] = ()
        """What this person typed on this computer and the store never took."""
        self._lists_of = ""
        """Whose lists these are; "" where they were not read yet."""
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
        self.shut: EmptyState | None = None
        """What stands in the place of Entry on a store that can only be read."""
        if context.desk.read_only:
            self.shut = EmptyState("entry", self.tr("This store can only be read: no sheet is keyed here."))
            self._stack.hide()
            column.addWidget(self.shut, 100)
        self._writer = DraftWriter(self._save, self, keep=self._keeping.keep, forget=self._keeping.forget)
        self._calls = StoreCalls(self)
        self._calls.waiting.connect(self._wait)
        writer, calls = self._writer, self._calls
        self.destroyed.connect(lambda: writer.stop())
        self.destroyed.connect(lambda: calls.stop())
        self._writer.saved.connect(self._saved)
        self._writer.failed.connect(self._not_saved)
        self._writer.kept.connect(self._kept_here)
        self._writer.not_kept.connect(self._not_kept)
        context.reachable_changed.connect(self._reachable_changed)

    # --- what the shell asks ------------------------------------------------------------------

    @classmethod
    def title(cls) -> str:
        return tr("Entry")

    @classmethod
    def waiting(cls, context: Context) -> int | None:
        desk, person = context.desk, context.person
        if not person or desk.read_only:
            return None
        mine, left, again = (
            entry.drafts(desk, person),
            entry.open_drafts(desk),
            entry.to_key_again(desk, person),
        )
        return len(mine) + len(left) + len(again) or None

    def count(self) -> int | None:
        if self.shut is not None:
            return None
        return len(self._drafts) + len(self._left) + len(self._again) or None

    def refresh(self) -> None:
        if self.shut is not None:
            return
        self._load_drafts()
        overview = self.context.overview
        kept = {(one.precinct_id, one.channel) for one in self._files}
        offers = [DraftOffer(one.precinct_id, one.channel, one.at, kept_here=True) for one in self._files]
        begun = [(draft, "") for draft in self._drafts] + [(draft, draft.by) for draft in self._left]
        offers += [
            DraftOffer(draft.precinct_id, draft.channel, draft.updated, left_by)
            for draft, left_by in begun
            if (draft.precinct_id, draft.channel) not in kept
        ]
        offers += [
            DraftOffer(one.precinct_id, one.channel, one.at, sent_by=one.by)
            for one in self._again
            if one.channel is not None
        ]
        self.finder.show_role(why_not(self.context.desk, self.context.person, Job.KEY))
        self.finder.show_results(lambda: tuple(overview.results.values()), offers)
        if self._draft is not None:
            self._sheet.show_result(overview.results[self._draft.precinct_id])

    def take_focus(self) -> None:
        if self.shut is not None:
            self.setFocus()
            return
        shown = self._stack.currentWidget()
        if isinstance(shown, FindStep | SheetStep):
            shown.take_focus()
        else:
            self.receipt.setFocus()

    def find_precinct(self) -> None:
        """To the line in which a precinct is spelled, with all of it selected. A sheet that is open stays."""
        if self.shut is not None:
            return
        if self._draft is not None:
            self._say_open()
            return
        self._stack.setCurrentWidget(self.finder)
        self.refresh()
        self.finder.back_to_search()
        self.finder.search.selectAll()

    def _say_open(self) -> None:
        self.context.notices.say(
            self.tr("A sheet is open here. Submit it, or leave it with Esc, then open the other one.")
        )

    def open_precinct(self, precinct_id: str) -> None:
        if self.shut is not None:
            return
        if self._draft is not None:
            if self._draft.precinct_id != precinct_id:
                self._say_open()
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
                    "{0} What {1} typed last is not saved yet. It is tried again until it is; leave this "
                    "window open."
                ).format(self._why_not(), self._owed)
            )
        self._close_sheet()
        self._forget_lists()
        self.finder.begin()

    def _forget_lists(self) -> None:
        """They were the last person's. Read anew with the next refresh, or once the store answers."""
        self._drafts, self._left, self._again, self._files = (), (), (), ()
        self._lists_of = ""
        self.finder.show_results(lambda: tuple(self.context.overview.results.values()), ())

    def leaving(self) -> None:
        """Raises where something that was typed is not in the store, with the reason."""
        if not self._writer.flush(_CLOSING_SECONDS):
            raise Refused(" ".join(part for part in (self._why_not(), self._where_kept()) if part))
        if self._draft is not None and self._writer.refused:
            raise Refused(self._writer.refused)

    def _why_not(self) -> str:
        if not self.context.reachable:
            return self.tr("The store does not answer.")
        return self.tr("The store is held by another program.")

    def _where_kept(self) -> str:
        if not self._writer.all_kept:
            return ""
        return self.tr("What you typed last is kept on this computer, and is offered here at the next start.")

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
            at = entry.save_draft(
                self.context.desk, draft_id, changes, known.by, known.seen, self.context.window
            )
        except entry.StaleWindow:
            known.stale = True
            raise
        known.seen = at
        known.texts.update(changes)
        return at

    def _saved(self, at: datetime) -> None:
        if self._owed and not self._writer.owing:
            self.context.notices.done(self.tr("What {0} typed last is saved now.").format(self._owed))
            self._owed = ""
        if self._draft is not None:
            self._sheet.show_saved(at)
            self.context.saved.emit(at)

    def _not_saved(self, sentence: str, again: bool) -> None:
        """Where the store does not answer at all, the window's own line says so, and the file is kept."""
        if self._draft is None:
            return
        if self._stale:
            self._show_other_window()
        if not again:
            self._sheet.show_not_saved(sentence)
            self.context.notices.refuse(sentence + self.tr(" What is typed stays here."))
        elif self.context.reachable and not self._writer.all_kept:
            self._sheet.show_not_saved(sentence)

    def _kept_here(self, at: datetime) -> None:
        self.context.kept_here.emit(True)
        if self._draft is not None and self._writer.owing:
            self._sheet.show_kept(at)

    def _not_kept(self, sentence: str) -> None:
        self.context.kept_here.emit(False)
        if self._draft is not None:
            self._sheet.show_not_saved(sentence)
            self.context.notices.refuse(sentence)

    def _reachable_changed(self, answers: bool) -> None:
        self._writer.store_answers(answers)
        if not answers and self._draft is not None:
            self._sheet.show_gone()
        if answers and self._lists_of != self.context.person:
            self.refresh()

    def _load_drafts(self) -> None:
        before = self.count()
        person = self.context.person
        held = {draft.id for draft in (self._draft,) if draft is not None} | self._writer.drafts_owed
        if not self.context.reachable:
            # The last ones that are known stay, and what this computer keeps needs no store.
            self._files = self._keeping.offered(person, held)
            return
        try:
            self._drafts = entry.drafts(self.context.desk, person) if person else ()
            left = entry.open_drafts(self.context.desk) if person else ()
            mine = {draft.id for draft in self._drafts}
            self._left = tuple(draft for draft in left if draft.id not in mine)
            self._files = self._keeping.offered(person, held)
            self._again = entry.to_key_again(self.context.desk, person) if person else ()
            self._lists_of = person
        except CaucusError as error:
            self.context.notices.refuse(error.sentence)
        if self.count() != before:
            self.count_changed.emit()

    @property
    def _sheet(self) -> SheetStep:
        assert self._draft is not None
        return self._sheets[self._draft.channel]

    @property
    def store_is_busy(self) -> bool:
        """A claim or a submit has not been answered yet."""
        return self._calls.busy

    def _wait(self, waiting: bool) -> None:
        """Another program holds the store: said, and nothing can be typed into what is being saved."""
        shown = self._stack.currentWidget()
        if isinstance(shown, SheetStep):
            shown.lock_boxes(waiting)
        if waiting:
            self.context.notices.say(
                self.tr("Waiting for the store, which another program holds…")
                if self.context.reachable
                else self.tr("Waiting for the store…")
            )
        else:
            self.context.notices.clear()

    def _close_sheet(self) -> None:
        self._writer.end()
        self._draft = None
        self._stack.setCurrentWidget(self.finder)

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
