"""Calls, the reports that came by them, and whether such a report is confirmed. Only ever added to."""

from collections.abc import Iterable

from sqlalchemy import Integer, Text, and_, bindparam, literal_column, select, text
from sqlalchemy.sql import Select

from caucus_desk.store.actions import Action
from caucus_desk.store.schema import call, precinct, report, report_call, report_confirmation
from caucus_desk.store.statements import Prepared
from caucus_desk.store.times import from_text, to_text
from caucus_desk.store.told import ToldReading, ToldWriting
from caucus_desk.store.work import Row, Work
from caucus_desk.tally.call import Call, CallEnd, CheckKind, Outcome
from caucus_desk.tally.report import Report

_BEFORE = bindparam("before", type_=Integer)
_LIMIT = text("LIMIT :limit")
_NEWEST = Prepared(select(call).where(call.c.seq < _BEFORE).order_by(call.c.seq.desc()).suffix_with(_LIMIT))
_NEWEST_OF = Prepared(
    select(call)
    .where(call.c.precinct_id == bindparam("precinct", type_=Text), call.c.seq < _BEFORE)
    .order_by(call.c.seq.desc())
    .suffix_with(_LIMIT)
)
_ONE = Prepared(select(call).where(call.c.seq == bindparam("seq")))
_OF_REPORT = Prepared(
    select(call)
    .join(report_call, report_call.c.call_seq == call.c.seq)
    .where(report_call.c.report_id == bindparam("report"))
)
_ASKED = Prepared(
    select(call).where(call.c.ended == literal_column(f"'{CallEnd.CALL_BACK}'")).order_by(call.c.seq)
)
_ANSWERS = Prepared(select(call).where(call.c.about.is_not(None)).order_by(call.c.seq))
_TAKEN = Prepared(
    select(call).where(call.c.ended == literal_column(f"'{CallEnd.RESULTS}'")).order_by(call.c.seq)
)


def _unconfirmed() -> Select[tuple[object]]:
    said = report_confirmation
    return (
        select(report_call.c.report_id)
        .outerjoin(said, said.c.report_id == report_call.c.report_id)
        .where(and_(report_call.c.confirmed == literal_column("0"), said.c.report_id.is_(None)))
    )


_UNCONFIRMED = Prepared(_unconfirmed())
_UNCONFIRMED_OF = Prepared(
    _unconfirmed()
    .join(report, report.c.id == report_call.c.report_id)
    .where(report.c.precinct_id == bindparam("precinct"))
)
_PIN = Prepared(select(precinct.c.pin).where(precinct.c.id == bindparam("precinct")))
_WITHOUT_END = 2**62


class Confirming(Work):
    """What reports need to know of calls."""

    def unconfirmed(self, precinct_ids: Iterable[str] | None = None) -> frozenset[int]:
        """Reports of callers who proved nothing, and whom nobody has called back yet."""
        return frozenset(row[0] for row in self._chosen(_UNCONFIRMED, _UNCONFIRMED_OF, precinct_ids))


class CallReading(Confirming, ToldReading):
    def calls(
        self, precinct_id: str | None = None, limit: int = 200, before: int | None = None
    ) -> tuple[Call, ...]:
        """Newest first: those before number `before`."""
        ceiling = _WITHOUT_END if before is None else before
        if precinct_id is None:
            rows = self._rows(_NEWEST, ceiling, limit)
        else:
            rows = self._rows(_NEWEST_OF, precinct_id, ceiling, limit)
        return tuple(call_of(row) for row in rows)

    def call(self, seq: int) -> Call | None:
        row = self._one(_ONE, seq)
        return None if row is None else call_of(row)

    def call_of_report(self, report_id: int) -> Call | None:
        """The call by which a report came; None where it did not come by one."""
        row = self._one(_OF_REPORT, report_id)
        return None if row is None else call_of(row)

    def asked_back(self) -> tuple[Call, ...]:
        """Every call that ended with "call back", oldest first."""
        return tuple(call_of(row) for row in self._rows(_ASKED))

    def answers(self) -> tuple[Call, ...]:
        """Every call that answers another or an errand, oldest first."""
        return tuple(call_of(row) for row in self._rows(_ANSWERS))

    def calls_with_results(self) -> tuple[Call, ...]:
        """Oldest first."""
        return tuple(call_of(row) for row in self._rows(_TAKEN))

    def has_pin(self, precinct_id: str) -> bool:
        row = self._one(_PIN, precinct_id)
        return row is not None and bool(row[0])


class CallWriting(CallReading, ToldWriting):
    def add_call(self, new: Call, sentence: str) -> Call:
        """A call that has ended. Its number and `ended_at` come from the store."""
        seq = self._tell(
            Action.CALL,
            sentence,
            new.by,
            {
                "at": to_text(new.at),
                "ended_at": self._now_text,
                "by_name": new.by,
                "precinct_id": new.precinct_id,
                "caller_name": new.caller_name,
                "caller_number": new.caller_number,
                "check_kind": str(new.check_kind),
                "outcome": str(new.outcome),
                "ended": str(new.ended),
                "report_id": new.report_id,
                "about": new.about,
                "notes": new.notes,
            },
            precinct_id=new.precinct_id,
            report_id=new.report_id,
        )
        written = self.call(seq)
        assert written is not None
        return written

    def tie_report(self, made: Call, new: Report, *, confirmed: bool, sentence: str) -> None:
        """The report came by this call; unconfirmed it verifies nothing."""
        self._tell(
            Action.REPORT_CALLED,
            sentence,
            new.by,
            {"report_id": new.id, "call_seq": made.seq, "confirmed": int(confirmed)},
            precinct_id=new.precinct_id,
            report_id=new.id,
        )

    def confirm_report(self, report_id: int, *, by: str, how: str, precinct_id: str, sentence: str) -> None:
        """Someone called back: from now on the report counts like any other."""
        self._tell(
            Action.REPORT_CONFIRMED,
            sentence,
            by,
            {"report_id": report_id, "by_name": by, "at": self._now_text, "how": how},
            precinct_id=precinct_id,
            report_id=report_id,
        )


def call_of(row: Row) -> Call:
    seq, at, ended_at, by, precinct_id, name, number, kind, outcome, ended, report_id, about, notes = row
    return Call(
        seq,
        from_text(at),
        from_text(ended_at),
        by,
        precinct_id,
        name,
        number,
        CheckKind(kind),
        Outcome(outcome),
        CallEnd(ended),
        report_id,
        about,
        notes,
    )
