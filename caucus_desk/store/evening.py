"""Reading the night in the order in which it happened, for figures of progress. Writes nothing."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam, literal_column, select

from caucus_desk.store.actions import Action
from caucus_desk.store.records import StoredReport
from caucus_desk.store.reports import ReportReading
from caucus_desk.store.schema import audit, call, draft, report
from caucus_desk.store.statements import Prepared
from caucus_desk.store.times import from_text

_TOLD = (
    Action.REPORTED, Action.REPORT_WITHDRAWN, Action.REPORT_CONFIRMED, Action.REPORT_CALLED, Action.RULED,
    Action.RULING_WITHDRAWN, Action.APPROVAL_NEEDED, Action.APPROVED, Action.VERIFIED, Action.CALL,
    Action.REPORT_TAKEN, Action.PACKET_TAKEN,
)  # fmt: skip
_EVENTS = Prepared(
    select(audit.c.seq, audit.c.at, audit.c.actor, audit.c.action, audit.c.precinct_id, audit.c.report_id,
           audit.c.ruling_id)
    .where(audit.c.seq > bindparam("seq"), audit.c.action.in_([literal_column(f"'{one}'") for one in _TOLD]))
    .order_by(audit.c.seq)
)  # fmt: skip
_CALLS = Prepared(
    select(call.c.seq, call.c.at, call.c.ended).where(call.c.seq > bindparam("seq")).order_by(call.c.seq)
)
_LOADED = Prepared(
    select(report.c.id)
    .where(report.c.id > bindparam("report"), report.c.source != literal_column("''"))
    .order_by(report.c.id)
)
_BEGUN = Prepared(select(draft.c.since).order_by(draft.c.since))


@dataclass(frozen=True, slots=True)
class NightEvent:
    """One line of the trail that tells of a report, a ruling, a verification, a call or a packet."""

    seq: int
    at: datetime
    by: str
    action: Action
    precinct_id: str | None
    report_id: int | None
    ruling_id: int | None


@dataclass(frozen=True, slots=True)
class CallTime:
    seq: int
    at: datetime
    """When it came, or was made."""
    ended: str


class EveningReading(ReportReading):
    def night_events(self, after: int) -> tuple[NightEvent, ...]:
        """Those after event number `after`, in the order in which they were written."""
        return tuple(
            NightEvent(seq, from_text(at), by, Action(action), precinct_id, report_id, ruling_id)
            for seq, at, by, action, precinct_id, report_id, ruling_id in self._rows(_EVENTS, after)
        )

    def call_times(self, after: int) -> tuple[CallTime, ...]:
        return tuple(CallTime(seq, from_text(at), ended) for seq, at, ended in self._rows(_CALLS, after))

    def loaded_reports(self, after: int) -> frozenset[int]:
        """Reports after number `after` that came from a file: nobody keyed them."""
        return frozenset(row[0] for row in self._rows(_LOADED, after))

    def drafts_begun(self) -> tuple[datetime, ...]:
        """When each unfinished sheet was begun, oldest first."""
        return tuple(from_text(row[0]) for row in self._rows(_BEGUN))

    def stored_reports(self, precinct_ids: Iterable[str] | None) -> tuple[StoredReport, ...]:
        """Everything that ever came in for these precincts, or for all; of each precinct oldest first."""
        return tuple(self._stored_reports(precinct_ids))
