"""Holding a case: claimed while it is open here, touched by keys, given back when it is left."""

import time

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtWidgets import QWidget

from caucus_desk.desk.cases import CASE_IDLE, CaseClaim, claim_case, claims, release_case, touch_case
from caucus_desk.desk.naming import same_person
from caucus_desk.rules.errors import CaucusError
from caucus_desk.ui.context import Context
from caucus_desk.ui.words import clock, tr

_TOUCH_EVERY = 20
"""Seconds: a key within this time of the last one that was told needs not be told."""


class CaseHold(QObject):
    """At most one case is held, by the person who opened it."""

    lost = Signal()
    """Somebody else has it now: no key was pressed here for too long."""

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._precinct_id, self._by = "", ""
        self._told = 0.0
        self.refusal = ""
        """Why the case that was asked for last is not held; "" where it is."""

    @property
    def precinct_id(self) -> str:
        return self._precinct_id

    def take(self, precinct_id: str) -> bool:
        """Claims a case for who is at the desk, and gives the last one back. Taking it again is fine."""
        person = self._context.person
        if self._precinct_id and (self._precinct_id, self._by) != (precinct_id, person):
            self.release()
        self.refusal = ""
        if not person or self._context.desk.read_only:
            return False
        try:
            claim_case(self._context.desk, precinct_id, person)
        except CaucusError as refusal:
            self._precinct_id = ""
            self.refusal = refusal.sentence
            return False
        self._precinct_id, self._by = precinct_id, person
        self._told = time.monotonic()
        return True

    def release(self) -> None:
        """Gives it back. What cannot be told now ends by itself when no key comes."""
        precinct_id, self._precinct_id = self._precinct_id, ""
        if not precinct_id:
            return
        try:
            release_case(self._context.desk, precinct_id, self._by)
        except CaucusError:
            return

    def watch(self, widget: QWidget) -> None:
        """Keys in this widget and in what is in it keep the claim alive."""
        for one in (widget, *widget.findChildren(QWidget)):
            one.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress and self._precinct_id:
            self._touch()
        return False

    def _touch(self) -> None:
        now = time.monotonic()
        if now - self._told < _TOUCH_EVERY:
            return
        self._told = now
        try:
            touch_case(self._context.desk, self._precinct_id, self._by)
        except CaucusError:
            self._precinct_id = ""
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
