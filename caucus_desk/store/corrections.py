"""Corrections: reports that took the place of another openly, with the reason that was given."""

from dataclasses import dataclass

from sqlalchemy import select

from caucus_desk.store.actions import Action
from caucus_desk.store.schema import report_correction
from caucus_desk.store.statements import Prepared
from caucus_desk.store.told import ToldReading, ToldWriting

_ALL = Prepared(select(report_correction).order_by(report_correction.c.seq))


@dataclass(frozen=True, slots=True)
class CorrectionRecord:
    """Beside the report itself: what it replaced, and why."""

    report_id: int
    seq: int
    """The audit event that tells of it; grows with time."""
    replaces: int | None
    """The report of the same channel that it took the place of; None where the channel had none."""
    reason: str
    was_verified: bool
    """Whether the precinct was verified when it came."""


class CorrectionReading(ToldReading):
    def correction_records(self) -> tuple[CorrectionRecord, ...]:
        """Every correction, oldest first."""
        return tuple(
            CorrectionRecord(report_id, seq, replaces, reason, bool(was_verified))
            for report_id, seq, replaces, reason, was_verified in self._rows(_ALL)
        )


class CorrectionWriting(CorrectionReading, ToldWriting):
    def add_correction(
        self,
        report_id: int,
        replaces: int | None,
        reason: str,
        was_verified: bool,
        *,
        by: str,
        precinct_id: str,
        sentence: str,
    ) -> None:
        """To be called in the unit that adds the report, right after it."""
        self._tell(
            Action.CORRECTED,
            sentence,
            by,
            {
                "report_id": report_id,
                "replaces": replaces,
                "reason": reason,
                "was_verified": int(was_verified),
            },
            precinct_id=precinct_id,
            report_id=report_id,
        )
