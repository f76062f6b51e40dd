"""The Review page: left the queue of what needs a person, right the case."""

from collections.abc import Mapping
from dataclasses import replace

from PySide6.QtCore import QTimer
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from caucus_desk.desk.cases import CaseClaim, QueueItem, claims, queue
from caucus_desk.desk.naming import same_person
from caucus_desk.rules.errors import CaucusError
from caucus_desk.ui.context import Context
from caucus_desk.ui.covering import Looks, cover_of
from caucus_desk.ui.page import Page
from caucus_desk.ui.results.foresight import RANKS, ranks_by_outcome
from caucus_desk.ui.review.case import CaseView
from caucus_desk.ui.review.ends import CaseEnds
from caucus_desk.ui.review.hold import CaseHold
from caucus_desk.ui.review.queue_filter import OUTCOME
from caucus_desk.ui.review.queue_side import QueueSide
from caucus_desk.ui.review.shown import Doing, read_case
from caucus_desk.ui.store_calls import waiting_words
from caucus_desk.ui.widgets.basics import STEP, EmptyState, Places
from caucus_desk.ui.words import tr

_QUEUE_WIDTH = 372
_QUEUE_SMALL = 350
_QUEUE_LARGE = 460
_LARGE_PAGE = 1500
_SMALL_PAGE = 960
"""Pixels; a page narrower than this is on a small screen."""
_CLAIMS_EVERY = 2_000
"""Milliseconds between two looks at who has which case, while the page is shown."""


class _Whole(Places):
    """Asks for the least height in which all is reached, not for the one in which nothing scrolls: the
    tables in it scroll by themselves."""

    def hasHeightForWidth(self) -> bool:
        return False


class ReviewPage(Page):
    """Everything that needs a person waits here, worst first, until it is decided or sent back."""

    name = "review"
    icon = "review"

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._items: tuple[QueueItem, ...] | None = None
        self._claims: Mapping[str, CaseClaim] = {}
        self._opened = ""
        self._entering = ""
        """A case that is gone into as soon as the store knows of it."""
        self._blocked = False
        self._room = False
        self.side = QueueSide()
        self.view = CaseView(context)
        self._looks = Looks(context, self)
        self.hold = CaseHold(context, self)
        self.hold.watch(self.view)
        self.ends = CaseEnds(context, self.view, self)
        self._nothing = EmptyState(
            "matched",
            self.tr("Nothing needs a person"),
            self.tr(
                "Precincts whose reports differ, break the rules or are not confirmed wait here, and "
                "rulings for their approval."
            ),
        )
        self._pick = EmptyState("review", "", "", narrow=True)
        self._say_pick()
        self._case = Places()
        self._lay_out()
        self._timer = QTimer(self)
        self._timer.setInterval(_CLAIMS_EVERY)
        self._timer.timeout.connect(self._look_again)
        context.changed.connect(self._forget)
        context.covers_changed.connect(self._forget)
        self.side.opened.connect(self.open_precinct)
        self.side.walked.connect(self._walked)
        self.side.letter.connect(self._letter)
        self.side.filter.order_changed.connect(self._rank)
        self.view.left.connect(self._to_queue)
        self.view.room_wanted.connect(self._give_room)
        self.view.deed.connect(self._deed)
        self.hold.lost.connect(self._show_again)
        self.hold.answered.connect(self._show_again)
        self.ends.ended.connect(self._ended)
        self.ends.stays.connect(self._show_again)
        self.view.panel.picture.withdraw.withdrawn.connect(self._show_again)

    def _lay_out(self) -> None:
        for widget in (self._pick, self.view):
            self._case.addWidget(widget)
        self.side.setFixedWidth(_QUEUE_WIDTH)
        split = QWidget()
        beside = QHBoxLayout(split)
        beside.setContentsMargins(0, 0, 0, 0)
        beside.addWidget(self.side)
        beside.addWidget(self._case, 1)
        self._whole = _Whole()
        self._whole.addWidget(self._nothing)
        self._whole.addWidget(split)
        self._page = QVBoxLayout(self)
        self._page.setContentsMargins(4 * STEP, 3 * STEP, 4 * STEP, 2 * STEP)
        self._page.addWidget(self._whole)

    # --- what the shell asks ------------------------------------------------------------------

    @classmethod
    def title(cls) -> str:
        return tr("Review")

    @classmethod
    def waiting(cls, context: Context) -> int | None:
        return len(queue(context.desk, context.overview)) or None

    def count(self) -> int | None:
        return len(self._queue()) or None

    @property
    def store_is_busy(self) -> bool:
        panel = self.view.panel
        waits = panel.findings.panel.busy or panel.picture.withdraw.busy
        return waits or self.ends.busy or self._looks.waits() or not self.hold.settled

    def refresh(self) -> None:
        self._items = None
        self._rank(self.side.filter.order.key)
        self._show_queue()
        if self._opened:
            self._show(self._opened)
        self._whole.setCurrentIndex(1 if self.side.any_rows or self._opened else 0)
        self.count_changed.emit()

    def take_focus(self) -> None:
        if self._opened:
            self.view.take_focus()
        else:
            self.side.take_focus()

    def open_precinct(self, precinct_id: str) -> None:
        if precinct_id not in self.context.overview.results:
            return
        self._whole.setCurrentIndex(1)
        self.side.show_all(precinct_id)
        self.side.table.select_key(precinct_id)
        # Going into a case is looking on purpose; walking past it in the queue is not.
        if self._looks.waits():
            return
        self._entering = precinct_id
        if precinct_id in self.context.eyes.keying:
            self._enter(precinct_id)
            return
        self._looks.uncover(precinct_id, lambda _: self._enter(precinct_id))
        if self._looks.waits():
            self._close_case()
            self._show_pick(precinct_id)
            self.side.take_focus()

    def _enter(self, precinct_id: str) -> None:
        """Nobody is led into a case who has gone on while the store was held."""
        if self._entering != precinct_id or precinct_id not in self.context.overview.results:
            return
        self._entering = ""
        self._show(precinct_id)
        if self._opened:
            self.view.take_focus()
        else:
            self.side.take_focus()

    def person_changed(self) -> None:
        self._close_case()
        self._entering = ""
        self._items = None

    def leaving(self) -> None:
        self.hold.release()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._timer.start()
        if self._opened and not event.spontaneous():
            self._show(self._opened)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if not event.spontaneous():
            self._timer.stop()
            self._entering = ""
            self.hold.release()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """On a small screen the queue gives what it can spare to the case."""
        super().resizeEvent(event)
        small = self.width() < _SMALL_PAGE
        large = self.width() >= _LARGE_PAGE
        self.side.setFixedWidth(_QUEUE_SMALL if small else _QUEUE_LARGE if large else _QUEUE_WIDTH)
        side = 2 * STEP if small else 4 * STEP
        self._page.setContentsMargins(side, 3 * STEP, side, 2 * STEP)
        self._give_room(self._room)

    # --- the queue ----------------------------------------------------------------------------

    def _forget(self) -> None:
        self._items = None

    def _queue(self) -> tuple[QueueItem, ...]:
        """As of the last look; worked out anew only after a change."""
        if self._items is None:
            try:
                self._items = queue(self.context.desk, self.context.overview)
            except CaucusError as error:
                self.context.notices.refuse(error.sentence)
                return ()
        return self._items

    def _show_queue(self) -> None:
        self.side.show_items(self._queue(), self.context.overview, self.context.person)

    def _rank(self, order: str) -> None:
        """By what can still change who leads: worked out beside the hands, which go on."""
        if order == OUTCOME:
            self.context.thinker.ask(RANKS, ranks_by_outcome, self.side.set_ranks)
        else:
            self.side.set_ranks(None)

    def _look_again(self) -> None:
        """Who has which case leaves no event: it is asked for while the page is seen."""
        if self.context.jobs.busy:
            return
        try:
            now = claims(self.context.desk)
        except CaucusError:
            return  # the window's own look says so
        if now != self._claims:
            self._claims = now
            self._items = None
        self._show_queue()
        if self._opened and self._blocked != self._others(self._opened):
            self._show(self._opened)

    def _others(self, precinct_id: str) -> bool:
        """Whether another person has this case, as of the last look."""
        claim = self._claims.get(precinct_id)
        return claim is not None and not same_person(claim.by, self.context.person)

    def _walked(self, key: str) -> None:
        """Walking through the queue says what may be said of each case; Enter goes into it."""
        if key != self._entering:
            self._entering = ""
        if key != self._opened:
            self._close_case()
            self._show_pick(key)

    def _letter(self, letter: str) -> None:
        if letter == "N":
            key = self.side.table.current_key
            self.open_precinct(key if key and key != self._opened else self.side.after(key))

    # --- the case -----------------------------------------------------------------------------

    def _show(self, precinct_id: str) -> None:
        """Reads a case and shows it; it is claimed while it is seen and this person can do something."""
        result = self.context.overview.results[precinct_id]
        if precinct_id == self._opened:
            self._looks.keep(result)
        if cover_of(self.context, result) is not None:
            if precinct_id == self._opened and self._looks.waits():
                return  # it stays as it was seen until the store knows of the newer report
            self._close_case()
            self._show_pick(precinct_id)
            return
        try:
            shown = read_case(self.context, precinct_id)
            wanted = self.isVisible() and shown.open and shown.doing is not Doing.NOTHING
            held = self.hold.take(precinct_id) if wanted else True
            if held is None:
                shown = replace(shown, closed=waiting_words())
            elif not held:
                shown = read_case(self.context, precinct_id)  # somebody was faster
        except CaucusError as error:
            self.context.notices.refuse(error.sentence)
            return
        if not shown.open and held is not None:
            self.hold.release()
        self._claims = claims(self.context.desk)
        self._blocked = self._others(precinct_id)
        before = self.view.shown
        newer = (
            self._opened == precinct_id
            and before is not None
            and before.case.seen_report != shown.case.seen_report
        )
        self._opened = precinct_id
        self.view.show_case(shown)
        self._case.setCurrentWidget(self.view)
        if newer:
            self.context.notices.warn(
                self.tr("A newer report of {0} came in: look at the fields again.").format(
                    shown.case.precinct.name
                )
            )

    def _show_again(self) -> None:
        if self._opened:
            self._show(self._opened)

    def _show_pick(self, precinct_id: str) -> None:
        """In the place of the case, a row that was gone to but not into."""
        result = self.context.overview.results.get(precinct_id)
        cover = None if result is None else cover_of(self.context, result)
        if cover is None:
            self._say_pick()
        else:
            keys = self.tr("Enter shows the case. ") if cover.precinct_id else ""
            self._pick.set_text(cover.text, keys + cover.advice)
        self._case.setCurrentWidget(self._pick)

    def _say_pick(self) -> None:
        self._pick.set_text(self.tr("Choose a precinct"), self.tr("↓ ↑ in the list, Enter opens it."))

    def _close_case(self) -> None:
        self.hold.release()
        self._opened = ""
        self.view.clear()
        self._say_pick()
        self._case.setCurrentWidget(self._pick)

    def _to_queue(self) -> None:
        """The case is left: it is free for another."""
        key = self._opened
        self._close_case()
        self._look_again()
        self.side.table.select_key(key)
        self.side.take_focus()

    def _give_room(self, wanted: bool) -> None:
        """The queue steps aside while a picture is looked at on a screen that has not the room for both."""
        self._room = wanted
        self.side.setVisible(not wanted or self.width() >= _SMALL_PAGE * 3 // 2)

    def _deed(self, letter: str) -> None:
        if letter == "N":
            following = self.side.after(self._opened)
            if following:
                self.open_precinct(following)
            else:
                self._to_queue()
        else:
            self.ends.begin(letter)

    def _ended(self, precinct_id: str, sentence: str) -> None:
        """Something was decided: the next case is one key away, at the place where the last one was. While
        the store was held the hand may have gone on to another case, which stays."""
        if precinct_id != self._opened or not self.isVisible():
            if precinct_id == self._opened:
                self._close_case()
            self.context.after_change()
            self.context.notices.done(sentence)
            return
        place, following = self.side.place_of(self._opened), self.side.after(self._opened)
        self._close_case()
        self.context.after_change()
        self.context.notices.done(f"{sentence} {self._left_words()}")
        if self.side.shown:
            self.side.take_focus()
            if not self.side.table.select_key(following):
                self.side.select_place(place)

    def _left_words(self) -> str:
        left = self.side.waiting
        if not left:
            return self.tr("Nothing else needs a person.")
        many = self.tr("1 precinct") if left == 1 else self.tr("{0} precincts").format(left)
        return self.tr("{0} left: Enter or N opens the next.").format(many)
