"""Recanvasses and recounts: opened, keyed into, ended. Only ever added to; the tally never reads them."""

from datetime import datetime

from sqlalchemy import select

from caucus_desk.store.actions import Action
from caucus_desk.store.chain import content_digest
from caucus_desk.store.schema import (
    recanvass,
    recanvass_end,
    recanvass_report,
    recanvass_report_chance,
    recanvass_report_extra,
    recanvass_report_row,
)
from caucus_desk.store.sheets import SHEET_COLUMNS, SheetReading, SheetRows, SheetTables, from_rows, to_rows
from caucus_desk.store.statements import Prepared, highest
from caucus_desk.store.times import from_text, to_text
from caucus_desk.store.told import ToldReading, ToldWriting
from caucus_desk.store.work import Row
from caucus_desk.tally.recanvass import (
    ChosenPrecinct,
    Recanvass,
    RecanvassEnd,
    RecanvassKind,
    RecanvassSheet,
)
from caucus_desk.tally.sheet import ResultSheet

_TABLES = SheetTables(recanvass_report, recanvass_report_row, recanvass_report_extra, recanvass_report_chance)
_HEADS = Prepared(select(recanvass).order_by(recanvass.c.seq))
_SHEETS = Prepared(select(recanvass_report).order_by(recanvass_report.c.id))
_ENDS = Prepared(select(recanvass_end))
_LAST_SHEET = highest(recanvass_report.c.id)
_NAMES = recanvass_report.columns.keys()
_BEFORE_SHEET = len(_NAMES) - SHEET_COLUMNS


class RecanvassReading(SheetReading, ToldReading):
    def recanvasses(self) -> tuple[Recanvass, ...]:
        """Every one with all that was keyed, oldest first: their numbers count from 1."""
        heads = self._rows(_HEADS)
        if not heads:
            return ()
        sheets: dict[int, list[RecanvassSheet]] = {}
        keys = self._ballot.keys
        parts = self._parts(_TABLES, None)
        for row in self._rows(_SHEETS):
            number, seq, of, precinct_id, by, at, note, _ = row[:_BEFORE_SHEET]
            sheet = from_rows(number, row[_BEFORE_SHEET:], parts, keys)
            sheets.setdefault(of, []).append(
                RecanvassSheet(number, seq, precinct_id, sheet, by, from_text(at), note)
            )
        ends = {
            of: RecanvassEnd(seq, by, from_text(at), outcome)
            for of, seq, by, at, outcome in self._rows(_ENDS)
        }
        return tuple(
            _recanvass(number, row, tuple(sheets.get(row[0], ())), ends.get(row[0]))
            for number, row in enumerate(heads, start=1)
        )

    def recanvass_faults(self) -> list[str]:
        """What is wrong with the counts that were keyed again; their heads are told by events."""
        parts = self._parts(_TABLES, None)
        faults = []
        known = set()
        for row in self._rows(_SHEETS):
            number, digest = row[0], row[_BEFORE_SHEET - 1]
            known.add(number)
            found = SheetRows((), parts.rows[number], parts.extras[number], parts.chance[number])
            if counts_digest(found) != digest:
                faults.append(f"the counts of recanvass sheet {number} are not as they were keyed")
        return faults


class RecanvassWriting(RecanvassReading, ToldWriting):
    def open_recanvass(
        self,
        kind: RecanvassKind,
        *,
        release: int | None,
        requested_by: str,
        reason: str,
        deadline: datetime,
        chosen: tuple[ChosenPrecinct, ...],
        by: str,
        sentence: str,
    ) -> int:
        """Its number."""
        columns = {
            "kind": str(kind),
            "release_id": release,
            "requested_by": requested_by,
            "reason": reason,
            "deadline": to_text(deadline),
            "by_name": by,
            "at": self._now_text,
            "precincts": "\n".join(map(_line, chosen)),
        }
        self._tell(Action.RECANVASS, sentence, by, columns)
        return len(self._rows(_HEADS))

    def add_recanvass_sheet(
        self, of: Recanvass, precinct_id: str, sheet: ResultSheet, *, note: str, by: str, sentence: str
    ) -> RecanvassSheet:
        number = int(self._rows(_LAST_SHEET)[0][0]) + 1
        rows = to_rows(number, sheet, self._ballot)
        head = (number, of.seq, precinct_id, by, self._now_text, note, counts_digest(rows), *rows.head)
        names = [name for name in _NAMES if name != "seq"]
        columns = dict(zip(names, head, strict=True))
        seq = self._tell(Action.RECANVASSED, sentence, by, columns, precinct_id=precinct_id)
        self._many(_TABLES.add_row, rows.rows)
        self._many(_TABLES.add_extra, rows.extras)
        self._many(_TABLES.add_chance, rows.chance)
        return RecanvassSheet(number, seq, precinct_id, sheet, by, self.now, note)

    def end_recanvass(self, of: Recanvass, *, outcome: str, by: str, sentence: str) -> None:
        columns = {"recanvass_id": of.seq, "by_name": by, "at": self._now_text, "outcome": outcome}
        self._tell(Action.RECANVASS_ENDED, sentence, by, columns)


def counts_digest(sheet: SheetRows) -> str:
    return content_digest("recanvass counts", sheet.rows, sheet.extras, sheet.chance)


def _recanvass(
    number: int, row: Row, sheets: tuple[RecanvassSheet, ...], end: RecanvassEnd | None
) -> Recanvass:
    seq, kind, release, requested_by, reason, deadline, by, at, precincts = row
    return Recanvass(
        number,
        seq,
        RecanvassKind(kind),
        release,
        requested_by,
        reason,
        from_text(deadline),
        by,
        from_text(at),
        tuple(map(_chosen, precincts.split("\n"))),
        sheets,
        end,
    )


def _line(one: ChosenPrecinct) -> str:
    """The id; then, parted by tabs, what stood where no release has a sheet of it."""
    if one.released:
        return one.id
    ruling = "" if one.ruling is None else str(one.ruling)
    return "\t".join((one.id, " ".join(map(str, one.reports)), ruling))


def _chosen(line: str) -> ChosenPrecinct:
    id, *rest = line.split("\t")
    if not rest:
        return ChosenPrecinct(id)
    reports, ruling = rest
    return ChosenPrecinct(id, tuple(map(int, reports.split())), int(ruling) if ruling else None)
