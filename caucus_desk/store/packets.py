"""Packets that were taken in, and what came with their reports: each with its own people and times."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam, select

from caucus_desk.store.actions import Action
from caucus_desk.store.origins import Origin
from caucus_desk.store.schema import packet_taken, report, report_call, report_confirmation
from caucus_desk.store.statements import Prepared
from caucus_desk.store.times import from_text, to_text
from caucus_desk.store.told import ToldReading, ToldWriting
from caucus_desk.store.work import Row
from caucus_desk.tally.call import Call
from caucus_desk.tally.report import Report

_TAKEN = Prepared(select(packet_taken).order_by(packet_taken.c.seq))
_ONE = Prepared(select(packet_taken).where(packet_taken.c.digest == bindparam("digest")))
_CALLED = select(report_call.c.report_id, report_call.c.call_seq, report_call.c.confirmed)
_CALLED_ALL = Prepared(_CALLED.order_by(report_call.c.report_id))
_CALLED_OF = Prepared(
    _CALLED.join(report, report.c.id == report_call.c.report_id)
    .where(report.c.precinct_id == bindparam("precinct"))
    .order_by(report_call.c.report_id)
)
_SAID = select(
    report_confirmation.c.report_id,
    report_confirmation.c.by_name,
    report_confirmation.c.at,
    report_confirmation.c.how,
)
_SAID_ALL = Prepared(_SAID.order_by(report_confirmation.c.report_id))
_SAID_OF = Prepared(
    _SAID.join(report, report.c.id == report_confirmation.c.report_id)
    .where(report.c.precinct_id == bindparam("precinct"))
    .order_by(report_confirmation.c.report_id)
)


@dataclass(frozen=True, slots=True)
class TakenPacket:
    """`key_id` and `county` are empty where a copy of this store was merged."""

    seq: int
    digest: str
    key_id: str
    county: str
    number: int
    reports: int
    new_reports: int
    by: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Confirmation:
    """Somebody rang the caller of a report back."""

    by: str
    at: datetime
    how: str


class PacketReading(ToldReading):
    def packets_taken(self) -> tuple[TakenPacket, ...]:
        """Oldest first."""
        return tuple(map(_taken, self._rows(_TAKEN)))

    def packet_taken(self, digest: str) -> TakenPacket | None:
        row = self._one(_ONE, digest)
        return None if row is None else _taken(row)

    def calls_of_reports(self, precinct_ids: Iterable[str] | None = None) -> dict[int, tuple[int, bool]]:
        """By report that came by a call: the call, and whether the caller was known at once."""
        rows = self._chosen(_CALLED_ALL, _CALLED_OF, precinct_ids)
        return {number: (seq, bool(confirmed)) for number, seq, confirmed in rows}

    def confirmations(self, precinct_ids: Iterable[str] | None = None) -> dict[int, Confirmation]:
        """By report."""
        rows = self._chosen(_SAID_ALL, _SAID_OF, precinct_ids)
        return {number: Confirmation(by, from_text(at), how) for number, by, at, how in rows}


class PacketWriting(PacketReading, ToldWriting):
    _added: dict[int, Report]
    """The reports that this unit has written, as `ReportReading` keeps them."""

    def add_packet_taken(self, new: TakenPacket, sentence: str) -> None:
        """Its number and time come from the store."""
        columns = {
            "digest": new.digest,
            "key_id": new.key_id,
            "county": new.county,
            "number": new.number,
            "reports": new.reports,
            "new_reports": new.new_reports,
            "by_name": new.by,
            "at": self._now_text,
        }
        self._tell(Action.PACKET_TAKEN, sentence, new.by, columns)

    def tell_origin(self, new: Report, origin: Origin, *, by: str, sentence: str) -> None:
        """Where a report came from that this unit added; `by` took the packet."""
        columns = {
            "report_id": new.id,
            "uid": origin.uid,
            "origin": origin.origin,
            "packet": origin.packet,
            "over": "\n".join(map(str, sorted(origin.over))),
        }
        self._tell(Action.REPORT_TAKEN, sentence, by, columns, precinct_id=new.precinct_id, report_id=new.id)
        self._added.pop(new.id, None)  # it is to be read with what was told just now

    def add_taken_call(self, call: Call, sentence: str) -> int:
        """A call that ended in another store. Returns its number here."""
        columns = {
            "at": to_text(call.at),
            "ended_at": to_text(call.ended_at),
            "by_name": call.by,
            "precinct_id": call.precinct_id,
            "caller_name": call.caller_name,
            "caller_number": call.caller_number,
            "check_kind": str(call.check_kind),
            "outcome": str(call.outcome),
            "ended": str(call.ended),
            "report_id": call.report_id,
            "about": None,
            "notes": call.notes,
        }
        return self._tell(
            Action.CALL,
            sentence,
            call.by,
            columns,
            precinct_id=call.precinct_id,
            report_id=call.report_id,
        )

    def confirm_taken(self, one: Report, said: Confirmation, sentence: str) -> None:
        columns = {"report_id": one.id, "by_name": said.by, "at": to_text(said.at), "how": said.how}
        self._tell(
            Action.REPORT_CONFIRMED,
            sentence,
            said.by,
            columns,
            precinct_id=one.precinct_id,
            report_id=one.id,
        )

    def add_taken_attachment(
        self, precinct_id: str, *, name: str, sha256: str, size: int, by: str, at: datetime, sentence: str
    ) -> int:
        """The row of a file that is in its place already. Returns its number."""
        columns = {
            "precinct_id": precinct_id,
            "name": name,
            "sha256": sha256,
            "size": size,
            "by_name": by,
            "at": to_text(at),
        }
        return self._tell(Action.ATTACHED, sentence, by, columns, precinct_id=precinct_id)

    def withdraw_taken_attachment(
        self, attachment_id: int, precinct_id: str, *, by: str, at: datetime, reason: str, sentence: str
    ) -> None:
        columns = {"attachment_id": attachment_id, "by_name": by, "at": to_text(at), "reason": reason}
        self._tell(Action.ATTACHMENT_WITHDRAWN, sentence, by, columns, precinct_id=precinct_id)


def _taken(row: Row) -> TakenPacket:
    seq, digest, key_id, county, number, reports, new_reports, by, at = row
    return TakenPacket(seq, digest, key_id, county, number, reports, new_reports, by, from_text(at))
