"""Reports that were made in another store: brought in beside what was keyed here."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

import pytest

from caucus_desk.desk.session import Desk
from caucus_desk.desk.settling import settle
from caucus_desk.store.records import NewReport, StoredReport
from caucus_desk.store.reports import ReportReading
from caucus_desk.tally.receipt import receipt_code
from caucus_desk.tally.report import Channel
from caucus_desk.tally.sheet import ResultSheet


@dataclass(frozen=True)
class _Made:
    over: frozenset[int]
    origin: str
    earlier: timedelta


@dataclass
class Elsewhere:
    """What the store knows of reports that were made elsewhere: read with each, as from its table."""

    known: dict[int, _Made] = field(default_factory=dict)

    def watch(self, monkeypatch: pytest.MonkeyPatch) -> "Elsewhere":
        read = ReportReading._stored_reports

        def with_origin(unit: ReportReading, precinct_ids: Iterable[str] | None) -> list[StoredReport]:
            return [self._told(stored) for stored in read(unit, precinct_ids)]

        monkeypatch.setattr(ReportReading, "_stored_reports", with_origin)
        return self

    def _told(self, stored: StoredReport) -> StoredReport:
        made = self.known.get(stored.report.id)
        if made is None:
            return stored
        at: datetime = stored.report.at - made.earlier
        return replace(stored, report=replace(stored.report, over=made.over, origin=made.origin, at=at))

    def bring(
        self,
        desk: Desk,
        precinct_id: str,
        channel: str,
        sheet: ResultSheet,
        by: str,
        *,
        over: Iterable[int] = (),
        origin: str = "Polk packet",
        minutes: int = 60,
        typists: tuple[str, ...] = (),
    ) -> int:
        """One report of another store comes in; it was made `minutes` before. Its id here."""
        with desk.store.write() as unit:
            report = unit.add_report(
                NewReport(
                    precinct_id,
                    Channel(channel),
                    sheet,
                    by,
                    receipt=receipt_code(precinct_id, sheet),
                    typists=typists,
                )
            )
            self.known[report.id] = _Made(frozenset(over), origin, timedelta(minutes=minutes))
            settle(unit, desk.rules, [precinct_id], desk.precincts)
        return report.id

    def withdraw(self, desk: Desk, precinct_id: str, report_id: int) -> None:
        with desk.store.write() as unit:
            report = unit.report(report_id)
            assert report is not None
            unit.withdraw_report(report, by="lead", reason="another precinct's", sentence="withdrawn")
            settle(unit, desk.rules, [precinct_id], desk.precincts)
