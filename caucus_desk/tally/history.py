"""What happened to one precinct, event after event: when it reported, was verified, was in doubt.

Events are taken in the order in which the store wrote them, never by the clock: a clock may be set back.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from itertools import groupby

from caucus_desk.tally.heads import beside, heads, leading
from caucus_desk.tally.mismatch import differing_fields
from caucus_desk.tally.report import Report, Ruling
from caucus_desk.tally.sheet import ResultSheet
from caucus_desk.tally.state import Standing, State, standing


class Happened(StrEnum):
    """What can move a precinct's state."""

    REPORTED = "reported"
    REPORT_WITHDRAWN = "report withdrawn"
    REPORT_CONFIRMED = "report confirmed"
    RULED = "ruled"
    RULING_WITHDRAWN = "ruling withdrawn"
    APPROVAL_NEEDED = "approval needed"
    APPROVED = "approved"
    VERIFIED = "verified"
    """It became verified with the figures that stood then. Written by the store each time it happens."""


@dataclass(frozen=True, slots=True)
class Event:
    """`seq` grows over the whole store; `at` is UTC and never earlier than that of the event before."""

    seq: int
    at: datetime
    by: str
    what: Happened
    precinct_id: str
    report_id: int | None = None
    ruling_id: int | None = None
    packet: int | None = None
    """The packet with which it came in: all that one brought happened here at once."""


@dataclass(frozen=True, slots=True)
class Step:
    """How the precinct stood from this event on."""

    seq: int
    at: datetime
    reporting: bool
    verified: bool


@dataclass(frozen=True, slots=True)
class Wait:
    """A mismatch: from the report that brought it about to the event that ended it (None: open)."""

    precinct_id: str
    since: datetime
    until: datetime | None


@dataclass(frozen=True, slots=True)
class Change:
    """An event that brought a report or a ruling, or took one away, after the first report."""

    event: Event
    was_verified: bool
    still_verified: bool
    before: ResultSheet | None
    """The sheet that stood before."""


@dataclass(frozen=True, slots=True)
class Compared:
    """One report: whether another that stands, of another channel or from another store, was ever beside
    it, and differed."""

    report: Report
    beside_another: bool
    differed: bool


@dataclass(frozen=True, slots=True)
class Story:
    precinct_id: str
    steps: tuple[Step, ...]
    waits: tuple[Wait, ...]
    changes: tuple[Change, ...]
    compared: tuple[Compared, ...]


def story_of(
    precinct_id: str,
    events: Iterable[Event],
    reports: Mapping[int, Report],
    rulings: Mapping[int, Ruling],
    groups: Sequence[str],
    verifying_pairs: Iterable[frozenset[str]],
) -> Story:
    """One precinct's story. `reports` and `rulings` hold, by id, all that the events name.

    Gaining verification is read from the store, which writes it down when it happens. Losing it is not
    written down: it is seen where, after an event, no two sources agree any more, no ruling holds, or
    another sheet stands than the one that was verified.
    """
    return _Telling(precinct_id, tuple(events), reports, rulings, groups, verifying_pairs).told()


class _Telling:
    def __init__(
        self,
        precinct_id: str,
        events: tuple[Event, ...],
        reports: Mapping[int, Report],
        rulings: Mapping[int, Ruling],
        groups: Sequence[str],
        verifying_pairs: Iterable[frozenset[str]],
    ) -> None:
        self._id, self._events = precinct_id, events
        self._reports, self._rulings = reports, rulings
        self._groups, self._pairs = groups, tuple(verifying_pairs)
        self._present: dict[int, Report] = {}
        self._in_force: dict[int, Ruling] = {}
        self._stands = Standing(State.AWAITING)
        self._verified = ""
        self._steps: list[Step] = []
        self._waits: list[Wait] = []
        self._since: datetime | None = None
        self._changes: list[Change] = []
        self._compared: dict[int, Compared] = {}
        self._unconfirmed = {
            event.report_id for event in events if event.what is Happened.REPORT_CONFIRMED
        } | {report.id for report in reports.values() if not report.confirmed}
        self._pending = {event.ruling_id for event in events if event.what is Happened.APPROVAL_NEEDED}

    def told(self) -> Story:
        for _, together in groupby(self._events, lambda event: (event.packet, event.packet or event.seq)):
            self._take(tuple(together))
        waits = self._waits
        if self._since is not None:
            waits = [*waits, Wait(self._id, self._since, None)]
        compared = tuple(self._compared.values())
        return Story(self._id, tuple(self._steps), tuple(waits), tuple(self._changes), compared)

    def _take(self, events: tuple[Event, ...]) -> None:
        """What happened at once: one event, or all that a packet brought. It is judged by how it ended."""
        before, was_verified = self._stands, bool(self._verified)
        changes = []
        for event in events:
            if event.what is not Happened.VERIFIED:
                if event.what in _CHANGING and self._stands.sheet is not None:
                    changes.append(Change(event, was_verified, was_verified, self._stands.sheet))
                self._apply(event)
        if self._verified and (
            self._stands.state not in (State.MATCHED, State.RULED)
            or self._stands.sheet is None
            or self._stands.sheet.fingerprint != self._verified
        ):
            self._verified = ""
        if changes:
            one = self._telling(changes, before.sheet)
            changes[one] = Change(
                changes[one].event, was_verified, bool(self._verified), before.sheet or changes[one].before
            )
        self._changes += changes
        for event in events:
            if event.what is Happened.REPORTED and event.report_id is not None:
                self._compare(self._reports[event.report_id])
        if any(event.what is Happened.VERIFIED for event in events):
            self._verified = "" if self._stands.sheet is None else self._stands.sheet.fingerprint
        self._note(events[-1])

    def _telling(self, changes: Sequence[Change], before: ResultSheet | None) -> int:
        """Which of several changes is to answer for what became of the precinct: the report that differs
        from what stood before, or the last."""
        for place, change in enumerate(changes[:-1]):
            report = self._present.get(change.event.report_id or 0)
            if change.event.what is Happened.REPORTED and report is not None and before is not None:
                standing_now = heads(self._present.values()).get(report.channel, ())
                if report.sheet.fingerprint != before.fingerprint and report in standing_now:
                    return place
        return len(changes) - 1

    def _apply(self, event: Event) -> None:
        if event.what is Happened.REPORTED and event.report_id is not None:
            report = self._reports[event.report_id]
            self._present[report.id] = replace(report, confirmed=report.id not in self._unconfirmed)
        elif event.what is Happened.REPORT_WITHDRAWN and event.report_id is not None:
            self._present.pop(event.report_id, None)
        elif event.what is Happened.REPORT_CONFIRMED and event.report_id in self._present:
            self._present[event.report_id] = replace(self._present[event.report_id], confirmed=True)
        elif event.what is Happened.RULED and event.ruling_id is not None:
            ruling = self._rulings[event.ruling_id]
            self._in_force[ruling.id] = replace(ruling, pending=ruling.id in self._pending)
        elif event.what is Happened.RULING_WITHDRAWN and event.ruling_id is not None:
            self._in_force.pop(event.ruling_id, None)
        elif event.what is Happened.APPROVED and event.ruling_id in self._in_force:
            self._in_force[event.ruling_id] = replace(self._in_force[event.ruling_id], pending=False)
        newest = max(self._in_force, default=None)
        ruling_now = None if newest is None else self._in_force[newest]
        known = heads(self._present.values())
        self._stands = standing(leading(known), ruling_now, self._groups, self._pairs, beside(known))

    def _compare(self, report: Report) -> None:
        """With what stood beside it when it came. Nobody knows yet who of the two is right, so a difference
        is noted of both."""
        self._compared.setdefault(report.id, Compared(report, False, False))
        standing_now = [one for alike in heads(self._present.values()).values() for one in alike]
        if all(one.id != report.id for one in standing_now):
            return  # it came in after the one that took its place elsewhere
        for other in standing_now:
            if other.id == report.id:
                continue
            differs = bool(differing_fields(report.sheet, other.sheet, self._groups))
            for one in (report, other):
                known = self._compared.get(one.id) or Compared(one, False, False)
                self._compared[one.id] = Compared(known.report, True, known.differed or differs)

    def _note(self, event: Event) -> None:
        reporting, verified = self._stands.sheet is not None, bool(self._verified)
        last = self._steps[-1] if self._steps else None
        if last is None or (last.reporting, last.verified) != (reporting, verified):
            self._steps.append(Step(event.seq, event.at, reporting, verified))
        if self._stands.state is State.MISMATCHED:
            self._since = self._since or event.at
        elif self._since is not None:
            self._waits.append(Wait(self._id, self._since, event.at))
            self._since = None


_CHANGING = frozenset(
    {Happened.REPORTED, Happened.REPORT_WITHDRAWN, Happened.RULED, Happened.RULING_WITHDRAWN}
)
