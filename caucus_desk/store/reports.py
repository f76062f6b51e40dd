"""Reports: added, withdrawn, never changed."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from sqlalchemy import Dialect, PoolProxiedConnection, bindparam, select

from caucus_desk.store.actions import Action
from caucus_desk.store.calls import Confirming
from caucus_desk.store.chain import content_digest
from caucus_desk.store.origins import OriginReading
from caucus_desk.store.records import Caller, NewReport, StoredReport
from caucus_desk.store.schema import (
    report,
    report_chance,
    report_extra,
    report_row,
    report_typist,
    report_withdrawal,
)
from caucus_desk.store.sheets import (
    SHEET_COLUMNS,
    SheetParts,
    SheetReading,
    SheetRows,
    SheetTables,
    from_rows,
    in_ballot_order,
    to_rows,
)
from caucus_desk.store.statements import Prepared, adding, highest
from caucus_desk.store.times import from_text, to_text
from caucus_desk.store.trail import NewEvent, Points, TrailWriting
from caucus_desk.store.work import Ballot, Row
from caucus_desk.tally.report import Channel, Report
from caucus_desk.tally.state import standing_reports

_TABLES = SheetTables(report, report_row, report_extra, report_chance)
_ADD, _ADD_WITHDRAWAL, _ADD_TYPIST = adding(report), adding(report_withdrawal), adding(report_typist)
_LAST_ID = highest(report.c.id)
_LEFT = report_withdrawal
_HEADS = (
    select(report, _LEFT.c.by_name, _LEFT.c.at, _LEFT.c.reason)
    .outerjoin(_LEFT, _LEFT.c.report_id == report.c.id)
    .order_by(report.c.id)
)
_TYPISTS = Prepared(select(report_typist).order_by(report_typist.c.report_id, report_typist.c.name))
_TYPISTS_OF_ONE = Prepared(
    select(report_typist)
    .join(report, report.c.id == report_typist.c.report_id)
    .where(report.c.precinct_id == bindparam("precinct"))
    .order_by(report_typist.c.report_id, report_typist.c.name)
)
_WHOLE = Prepared(_HEADS)
_PLACE = Prepared(select(report.c.precinct_id).where(report.c.id == bindparam("report")))
_OF_ONE = Prepared(_HEADS.where(report.c.precinct_id == bindparam("precinct")))


class ReportReading(SheetReading, Confirming, OriginReading):
    def __init__(self, connection: PoolProxiedConnection, dialect: Dialect, ballot: Ballot) -> None:
        super().__init__(connection, dialect, ballot)
        self._added: dict[int, Report] = {}
        """Reports that this very unit has written: no need to put them together again from their rows."""

    def reports(self, precinct_ids: Iterable[str] | None = None) -> dict[str, list[Report]]:
        """Reports that are not withdrawn, oldest first, superseded ones too."""
        found: dict[str, list[Report]] = {}
        for stored in self._stored_reports(precinct_ids):
            if not stored.withdrawn:
                found.setdefault(stored.report.precinct_id, []).append(stored.report)
        return found

    def report(self, report_id: int) -> Report | None:
        """One report; None where there is none of this number, or it is withdrawn."""
        row = self._one(_PLACE, report_id)
        found = [] if row is None else self.reports([row[0]]).get(row[0], [])
        return next((one for one in found if one.id == report_id), None)

    def standing_reports(self, precinct_ids: Iterable[str] | None = None) -> dict[str, dict[Channel, Report]]:
        """The newest report of each channel that is not withdrawn."""
        return {
            precinct_id: standing_reports(reports)
            for precinct_id, reports in self.reports(precinct_ids).items()
        }

    def typists(self, precinct_ids: Iterable[str] | None = None) -> dict[int, tuple[str, ...]]:
        """By report: who typed in its sheet before the one who submitted it. Most reports have nobody."""
        found: dict[int, tuple[str, ...]] = {}
        for number, name in self._chosen(_TYPISTS, _TYPISTS_OF_ONE, precinct_ids):
            found[number] = (*found.get(number, ()), name)
        return found

    def history(self, precinct_id: str) -> tuple[StoredReport, ...]:
        """Everything that came in for a precinct, oldest first."""
        return tuple(self._stored_reports([precinct_id]))

    def _stored_reports(self, precinct_ids: Iterable[str] | None) -> list[StoredReport]:
        ids = None if precinct_ids is None else list(dict.fromkeys(precinct_ids))
        heads = self._chosen(_WHOLE, _OF_ONE, ids)
        known = self._added
        parts = SheetParts() if all(row[0] in known for row in heads) else self._parts(_TABLES, ids)
        keys = self._ballot.keys
        unconfirmed = self.unconfirmed(ids) if heads else frozenset()
        origins = self.origins(ids) if heads else {}
        stored = []
        for row in heads:
            number, precinct_id, channel, by, at = row[:5]
            receipt, source, name, caller_number, check, gone_by, gone_at, reason = row[5 + SHEET_COLUMNS :]
            one = known.get(number)
            if one is None:
                sheet = from_rows(number, row[5 : 5 + SHEET_COLUMNS], parts, keys)
                one = Report(number, precinct_id, Channel(channel), sheet, by, from_text(at), receipt)
            if number in unconfirmed:
                one = replace(one, confirmed=False)
            if number in origins:
                one = replace(one, over=origins[number].over, origin=origins[number].words)
            caller = Caller(name, caller_number, check)
            if gone_by is None:
                stored.append(StoredReport(one, source, caller))
            else:
                stored.append(StoredReport(one, source, caller, gone_by, from_text(gone_at), reason))
        return stored

    def report_digests(self) -> dict[int, str]:
        """What each report's event must have recorded, from the rows as they stand now."""
        parts = self._parts(_TABLES, None)
        typists = self.typists()
        return {
            row[0]: report_digest(
                row[:-3],
                SheetRows((), parts.rows[row[0]], parts.extras[row[0]], parts.chance[row[0]]),
                typists.get(row[0], ()),
            )
            for row in self._rows(_WHOLE)
        }

    def report_withdrawal_digests(self) -> dict[int, str]:
        return {
            row[0]: withdrawal_digest("report", row[0], *row[-3:])
            for row in self._rows(_WHOLE)
            if row[-3] is not None
        }


class ReportWriting(ReportReading, TrailWriting):
    def add_report(self, new: NewReport) -> Report:
        return self.add_reports([new])[0]

    def add_reports(self, new: Iterable[NewReport]) -> tuple[Report, ...]:
        """Adds reports with their rows and an event for each."""
        number: int = self._rows(_LAST_ID)[0][0]
        heads: list[Row] = []
        rows: list[Row] = []
        extras: list[Row] = []
        chance: list[Row] = []
        typists: list[Row] = []
        events: list[NewEvent] = []
        added: list[Report] = []
        for one in new:
            number += 1
            sheet = to_rows(number, one.sheet, self._ballot)
            caller = one.caller
            at = one.at or self.now
            head: Row = (
                number, one.precinct_id, str(one.channel), one.by, to_text(at), *sheet.head,
                one.receipt, one.source, caller.name, caller.number, caller.check,
            )  # fmt: skip
            heads.append(head)
            rows += sheet.rows
            extras += sheet.extras
            chance += sheet.chance
            points = Points(one.precinct_id, number, one.replaces)
            sentence = one.sentence or _sentence(one)
            others = tuple(sorted(set(one.typists)))
            typists += [(number, name) for name in others]
            content = report_digest(head, sheet, others)
            events.append(NewEvent(Action.REPORTED, one.by, sentence, points, content))
            added.append(Report(number, one.precinct_id, one.channel, one.sheet, one.by, at, one.receipt))
            if in_ballot_order(one.sheet, self._ballot):
                self._added[number] = added[-1]
        self._many(_ADD, heads)
        self._many(_TABLES.add_row, rows)
        self._many(_TABLES.add_extra, extras)
        self._many(_TABLES.add_chance, chance)
        self._many(_ADD_TYPIST, typists)
        self._append(events)
        return tuple(added)

    def withdraw_report(
        self, report: Report, *, by: str, reason: str, sentence: str, at: datetime | None = None
    ) -> None:
        """The report stays, and counts no more. `at`: when it was withdrawn in another store."""
        when = to_text(at or self.now)
        self._run(_ADD_WITHDRAWAL, report.id, by, when, reason)
        content = withdrawal_digest("report", report.id, by, when, reason)
        points = Points(report.precinct_id, report.id)
        self._append([NewEvent(Action.REPORT_WITHDRAWN, by, sentence, points, content)])


def report_digest(head: Row, sheet: SheetRows, typists: tuple[str, ...] = ()) -> str:
    parts = (head, sheet.rows, sheet.extras, sheet.chance)
    return content_digest("report", *parts, *((typists,) if typists else ()))


def withdrawal_digest(owner: str, number: int, by: str, at: str, reason: str) -> str:
    return content_digest(f"{owner} withdrawal", number, by, at, reason)


def _sentence(new: NewReport) -> str:
    told = f"{new.channel.capitalize()} report of {new.precinct_id} by {new.by}"
    return told if new.replaces is None else f"{told}, in place of report {new.replaces}"
