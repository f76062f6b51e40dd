"""Rulings and acknowledgements."""

from collections.abc import Iterable
from datetime import datetime
from fractions import Fraction

from sqlalchemy import bindparam, select

from caucus_desk.store.actions import Action
from caucus_desk.store.chain import content_digest
from caucus_desk.store.records import StoredRuling
from caucus_desk.store.reports import withdrawal_digest
from caucus_desk.store.schema import (
    acknowledgement,
    ruling,
    ruling_approval,
    ruling_chance,
    ruling_extra,
    ruling_pending,
    ruling_row,
    ruling_withdrawal,
)
from caucus_desk.store.sheets import SheetReading, SheetRows, SheetTables, from_rows, to_rows
from caucus_desk.store.statements import Prepared, adding, highest
from caucus_desk.store.times import from_text, to_text
from caucus_desk.store.told import ToldReading, ToldWriting
from caucus_desk.store.trail import NewEvent, Points
from caucus_desk.store.work import Row
from caucus_desk.tally.report import Acknowledgement, Ruling
from caucus_desk.tally.sheet import ResultSheet

_TABLES = SheetTables(ruling, ruling_row, ruling_extra, ruling_chance)
_ADD, _ADD_WITHDRAWAL, _ADD_ACK = adding(ruling), adding(ruling_withdrawal), adding(acknowledgement)
_LAST_ID = highest(ruling.c.id)
_LAST_ACK = highest(acknowledgement.c.id)
_LEFT = ruling_withdrawal
_HEADS = (
    select(ruling, _LEFT.c.by_name, _LEFT.c.at, _LEFT.c.reason)
    .outerjoin(_LEFT, _LEFT.c.ruling_id == ruling.c.id)
    .order_by(ruling.c.id)
)
_WHOLE = Prepared(_HEADS)
_OF_ONE = Prepared(_HEADS.where(ruling.c.precinct_id == bindparam("precinct")))
_PRECINCT_OF = Prepared(select(ruling.c.precinct_id).where(ruling.c.id == bindparam("ruling")))
_SAID = ruling_approval
_NEEDED = select(ruling_pending.c.ruling_id, ruling_pending.c.stake, _SAID.c.by_name, _SAID.c.at).outerjoin(
    _SAID, _SAID.c.ruling_id == ruling_pending.c.ruling_id
)
_APPROVALS = Prepared(_NEEDED.order_by(ruling_pending.c.ruling_id))
_APPROVALS_OF_ONE = Prepared(
    _NEEDED.join(ruling, ruling.c.id == ruling_pending.c.ruling_id)
    .where(ruling.c.precinct_id == bindparam("precinct"))
    .order_by(ruling_pending.c.ruling_id)
)
_WAITING = Prepared(
    _NEEDED.add_columns(ruling.c.precinct_id)
    .join(ruling, ruling.c.id == ruling_pending.c.ruling_id)
    .outerjoin(_LEFT, _LEFT.c.ruling_id == ruling_pending.c.ruling_id)
    .where(_SAID.c.ruling_id.is_(None), _LEFT.c.ruling_id.is_(None))
    .order_by(ruling_pending.c.ruling_id)
)
_ACKS = Prepared(select(acknowledgement).order_by(acknowledgement.c.id))
_ACKS_OF_ONE = Prepared(
    select(acknowledgement)
    .where(acknowledgement.c.precinct_id == bindparam("precinct"))
    .order_by(acknowledgement.c.id)
)


class RulingReading(SheetReading, ToldReading):
    def rulings(self, precinct_ids: Iterable[str] | None = None) -> dict[str, Ruling]:
        """The newest ruling of each precinct that is not withdrawn; whether it still holds, tally says."""
        return {
            stored.ruling.precinct_id: stored.ruling
            for stored in self._stored_rulings(precinct_ids)
            if not stored.withdrawn
        }

    def ruling(self, ruling_id: int) -> StoredRuling | None:
        row = self._one(_PRECINCT_OF, ruling_id)
        if row is None:
            return None
        return next(one for one in self._stored_rulings([row[0]]) if one.ruling.id == ruling_id)

    def ruling_history(self, precinct_id: str) -> tuple[StoredRuling, ...]:
        """Oldest first, withdrawn ones too."""
        return tuple(self._stored_rulings([precinct_id]))

    def unapproved(self) -> tuple[StoredRuling, ...]:
        """Rulings that wait for a second person and are not withdrawn, oldest first; whether a newer report
        has overtaken one, the state of its precinct says."""
        ids = {row[0] for row in self._rows(_WAITING)}
        places = [row[-1] for row in self._rows(_WAITING)]
        return tuple(one for one in self._stored_rulings(places) if one.ruling.id in ids) if ids else ()

    def acknowledgements(self, precinct_ids: Iterable[str] | None = None) -> dict[str, list[Acknowledgement]]:
        found: dict[str, list[Acknowledgement]] = {}
        for row in self._chosen(_ACKS, _ACKS_OF_ONE, precinct_ids):
            _, precinct_id, finding, fingerprint, by, at, reason, at_desk = row
            found.setdefault(precinct_id, []).append(
                Acknowledgement(precinct_id, finding, fingerprint, by, from_text(at), reason, bool(at_desk))
            )
        return found

    def _stored_rulings(self, precinct_ids: Iterable[str] | None) -> list[StoredRuling]:
        ids = None if precinct_ids is None else list(dict.fromkeys(precinct_ids))
        heads = self._chosen(_WHOLE, _OF_ONE, ids)
        if not heads:
            return []
        parts = self._parts(_TABLES, ids)
        keys = self._ballot.keys
        needed = {row[0]: row[1:] for row in self._chosen(_APPROVALS, _APPROVALS_OF_ONE, ids)}
        stored = []
        for row in heads:
            number, precinct_id, seen, by, at, reason, approved, *rest = row
            stake, approver, approved_at = needed.get(number, (None, approved, None))
            *head, gone_by, gone_at, gone_reason = rest
            sheet = from_rows(number, tuple(head), parts, keys)
            pending = stake is not None and approver is None
            one = Ruling(number, precinct_id, sheet, seen, by, from_text(at), reason, approver, pending)
            stored.append(
                StoredRuling(
                    one,
                    gone_by,
                    None if gone_at is None else from_text(gone_at),
                    gone_reason or "",
                    None if stake is None else Fraction(stake),
                    None if approved_at is None else from_text(approved_at),
                )
            )
        return stored

    def ruling_digests(self) -> dict[int, str]:
        parts = self._parts(_TABLES, None)
        return {
            row[0]: ruling_digest(
                row[:-3], SheetRows((), parts.rows[row[0]], parts.extras[row[0]], parts.chance[row[0]])
            )
            for row in self._rows(_WHOLE)
        }

    def ruling_withdrawal_digests(self) -> dict[int, str]:
        return {
            row[0]: withdrawal_digest("ruling", row[0], *row[-3:])
            for row in self._rows(_WHOLE)
            if row[-3] is not None
        }

    def acknowledgement_digests(self) -> dict[int, str]:
        return {row[0]: content_digest("acknowledgement", row) for row in self._rows(_ACKS)}


class RulingWriting(RulingReading, ToldWriting):
    def add_ruling(
        self,
        precinct_id: str,
        sheet: ResultSheet,
        *,
        seen_report: int,
        by: str,
        reason: str,
        approved_by: str | None = None,
        stake: Fraction | None = None,
        sentence: str,
    ) -> Ruling:
        """With a `stake` (SDEs) the ruling has no force before `approve_ruling`."""
        number: int = self._rows(_LAST_ID)[0][0] + 1
        rows = to_rows(number, sheet, self._ballot)
        head = (number, precinct_id, seen_report, by, self._now_text, reason, approved_by, *rows.head)
        self._run(_ADD, *head)
        self._many(_TABLES.add_row, rows.rows)
        self._many(_TABLES.add_extra, rows.extras)
        self._many(_TABLES.add_chance, rows.chance)
        points = Points(precinct_id, ruling_id=number)
        self._append([NewEvent(Action.RULED, by, sentence, points, ruling_digest(head, rows))])
        pending = stake is not None
        if pending:
            needed = f"The ruling on {precinct_id} waits for a second person: {stake} SDE are at stake"
            columns = {"ruling_id": number, "stake": str(stake)}
            self._tell(Action.APPROVAL_NEEDED, needed, by, columns, precinct_id=precinct_id, ruling_id=number)
        return Ruling(number, precinct_id, sheet, seen_report, by, self.now, reason, approved_by, pending)

    def approve_ruling(self, ruling: Ruling, *, by: str, sentence: str) -> None:
        """From now on the ruling has force."""
        columns = {"ruling_id": ruling.id, "by_name": by, "at": self._now_text}
        self._tell(
            Action.APPROVED, sentence, by, columns, precinct_id=ruling.precinct_id, ruling_id=ruling.id
        )

    def withdraw_ruling(self, ruling: Ruling, *, by: str, reason: str, sentence: str) -> None:
        """The ruling stays on record and has no force."""
        self._run(_ADD_WITHDRAWAL, ruling.id, by, self._now_text, reason)
        content = withdrawal_digest("ruling", ruling.id, by, self._now_text, reason)
        points = Points(ruling.precinct_id, ruling_id=ruling.id)
        self._append([NewEvent(Action.RULING_WITHDRAWN, by, sentence, points, content)])

    def acknowledge(
        self,
        precinct_id: str,
        finding: str,
        fingerprint: str,
        *,
        by: str,
        reason: str,
        at_desk: bool,
        sentence: str,
        at: datetime | None = None,
    ) -> Acknowledgement:
        """Bound to the figures with this fingerprint. `at`: when it was given in another store."""
        given = at or self.now
        number: int = self._rows(_LAST_ACK)[0][0] + 1
        row: Row = (number, precinct_id, finding, fingerprint, by, to_text(given), reason, int(at_desk))
        self._run(_ADD_ACK, *row)
        points = Points(precinct_id, acknowledgement_id=number)
        content = content_digest("acknowledgement", row)
        self._append([NewEvent(Action.ACKNOWLEDGED, by, sentence, points, content)])
        return Acknowledgement(precinct_id, finding, fingerprint, by, given, reason, at_desk)


def ruling_digest(head: Row, sheet: SheetRows) -> str:
    return content_digest("ruling", head, sheet.rows, sheet.extras, sheet.chance)
