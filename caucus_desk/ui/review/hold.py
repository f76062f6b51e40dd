"""Holding a case: claimed while it is open here, touched by keys, given back when it is left."""

import time

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtWidgets import QWidget

from caucus_desk.desk.cases import CASE_IDLE, CaseClaim, claim_case, claims, release_case, touch_case
from caucus_desk.desk.naming import same_person
from caucus_desk.rules.errors import CaucusError
from caucus_desk.ui.context import Context
from caucus_desk.ui.store_calls import StoreCalls
from caucus_desk.ui.words import clock, tr

_TOUCH_EVERY = 20
"""Seconds: a key within this time of the last one that was told needs not be told."""

Claimed = tuple[str, str]
"""A precinct, and by whom."""


class CaseHold(QObject):
    """At most one case is held, by the person who opened it. A store that another program holds is not
    waited for: the answer comes later, and `answered` tells of it."""

    lost = Signal()
    """Somebody else has it now: no key was pressed here for too long."""
    answered = Signal()
    """The store was held when the case was asked for; now it is held here, or `refusal` says why not."""

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._wanted: Claimed | None = None
        self._held: Claimed | None = None
        self._late = False
        self._told = 0.0
        self._claims = claiming = StoreCalls(self)
        self._touches = touching = StoreCalls(self)
        self.destroyed.connect(lambda: claiming.stop())
        self.destroyed.connect(lambda: touching.stop())
        self.refusal = ""
        """Why the case that was asked for last is not held; "" where it is."""

    @property
    def precinct_id(self) -> str:
        return self._held[0] if self._held is not None else ""

    @property
    def settled(self) -> bool:
        """The store has answered, and knows of what was left."""
        return self._claims.settled and self._touches.settled

    def take(self, precinct_id: str) -> bool | None:
        """Claims a case for who is at the desk, and gives the last one back. Taking it again is fine. None
        where the store is held by another program: `answered` follows."""
        wanted = (precinct_id, self._context.person)
        if self._held is not None and self._held != wanted:
            self.release()
        self.refusal = ""
        if not wanted[1] or self._context.desk.read_only:
            self._wanted = None
            return False
        self._wanted = wanted
        self._ask()
        if self._claims.busy:
            return True if self._held == wanted else None
        return self._held == wanted

    def _ask(self) -> None:
        """One claim at a time: what is wanted while one waits is asked for when that is answered."""
        desk, asked = self._context.desk, self._wanted
        if asked is None or self._claims.busy:
            return
        self._claims.run(
            lambda: claim_case(desk, *asked),
            lambda _: self._answer(asked, ""),
            lambda refusal: self._answer(asked, refusal.sentence),
        )
        self._late = self._claims.busy

    def _answer(self, asked: Claimed, refusal: str) -> None:
        late, self._late = self._late, False
        if self._wanted != asked:
            # It was left while the store was held, or another case was opened.
            if not refusal:
                self._give_back(asked)
            self._ask()
            late = late and not self._claims.busy and self._wanted is not None
        else:
            self._held = None if refusal else asked
            self.refusal = refusal
            self._told = time.monotonic()
        if late:
            self.answered.emit()

    def release(self) -> None:
        """Gives it back. What cannot be told now ends by itself when no key comes."""
        held, self._held, self._wanted = self._held, None, None
        if held is not None:
            self._give_back(held)

    def _give_back(self, held: Claimed) -> None:
        desk = self._context.desk
        self._claims.tell(lambda: release_case(desk, *held))

    def watch(self, widget: QWidget) -> None:
        """Keys in this widget and in what is in it keep the claim alive."""
        for one in (widget, *widget.findChildren(QWidget)):
            one.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress and self._held is not None:
            self._touch()
        return False

    def _touch(self) -> None:
        now, desk, held = time.monotonic(), self._context.desk, self._held
        if held is None or self._touches.busy or now - self._told < _TOUCH_EVERY:
            return
        self._told = now
        self._touches.run(
            lambda: touch_case(desk, *held), lambda _: None, lambda refusal: self._not_touched(held, refusal)
        )

    def _not_touched(self, held: Claimed, refusal: CaucusError) -> None:
        if self._held == held:
            self._held = None
            self.refusal = refusal.sentence
            self.lost.emit()


def claim_sentence(claim: CaseClaim) -> str:
    """Who has a case, since when, and when it is free again."""
    minutes = int(CASE_IDLE.total_seconds()) // 60
    return tr(
        "{0} has this case open since {1}: you can look. It is free when they leave it, or {2} minutes after "
        "their last key."
    ).format(claim.by, clock(claim.since)[:5], minutes)


def other_claim(context: Context, precinct_id: str) -> CaseClaim | None:
    """Another person's claim on a case, while it counts."""
    claim = claims(context.desk).get(precinct_id)
    return None if claim is None or same_person(claim.by, context.person) else claim
