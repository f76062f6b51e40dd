"""Errands: what reviewers sent back, and how it ended. Only ever added to."""

from collections.abc import Iterable

from sqlalchemy import bindparam, select

from caucus_desk.store.actions import Action
from caucus_desk.store.schema import errand, errand_end
from caucus_desk.store.statements import Prepared
from caucus_desk.store.times import from_text
from caucus_desk.store.told import ToldReading, ToldWriting
from caucus_desk.store.work import Row
from caucus_desk.tally.errand import Errand, ErrandEnd, ErrandKind
from caucus_desk.tally.report import Channel

_END = errand_end
_HEADS = select(errand, _END.c.by_name, _END.c.at, _END.c.outcome).outerjoin(
    _END, _END.c.errand_id == errand.c.seq
)
_EVERY = Prepared(_HEADS.order_by(errand.c.seq))
_OPEN = Prepared(_HEADS.where(_END.c.errand_id.is_(None)).order_by(errand.c.seq))
_OF = Prepared(_HEADS.where(errand.c.precinct_id == bindparam("precinct")).order_by(errand.c.seq))
_ONE = Prepared(_HEADS.where(errand.c.seq == bindparam("seq")))


class ErrandReading(ToldReading):
    def errands(self, precinct_id: str | None = None) -> tuple[Errand, ...]:
        """Every errand, of one precinct or of all, oldest first."""
        rows = self._rows(_EVERY) if precinct_id is None else self._rows(_OF, precinct_id)
        return tuple(_errand(row) for row in rows)

    def open_errands(self, precinct_ids: Iterable[str] | None = None) -> tuple[Errand, ...]:
        """Errands that nobody has ended yet, oldest first."""
        found = tuple(_errand(row) for row in self._rows(_OPEN))
        if precinct_ids is None:
            return found
        asked = set(precinct_ids)
        return tuple(one for one in found if one.precinct_id in asked)

    def errand(self, errand_id: int) -> Errand | None:
        row = self._one(_ONE, errand_id)
        return None if row is None else _errand(row)


class ErrandWriting(ErrandReading, ToldWriting):
    def add_errand(
        self,
        precinct_id: str,
        kind: ErrandKind,
        *,
        channel: Channel | None,
        fields: tuple[str, ...],
        note: str,
        by: str,
        sentence: str,
    ) -> Errand:
        columns = {
            "precinct_id": precinct_id,
            "kind": str(kind),
            "channel": None if channel is None else str(channel),
            "fields": "\n".join(fields),
            "note": note,
            "by_name": by,
            "at": self._now_text,
        }
        seq = self._tell(Action.SENT_BACK, sentence, by, columns, precinct_id=precinct_id)
        return Errand(seq, precinct_id, kind, channel, fields, note, by, self.now)

    def end_errand(self, one: Errand, *, outcome: str, by: str, sentence: str) -> ErrandEnd:
        columns = {"errand_id": one.id, "by_name": by, "at": self._now_text, "outcome": outcome}
        self._tell(Action.ERRAND_ENDED, sentence, by, columns, precinct_id=one.precinct_id)
        return ErrandEnd(by, self.now, outcome)


def _errand(row: Row) -> Errand:
    seq, precinct_id, kind, channel, fields, note, by, at, end_by, end_at, outcome = row
    return Errand(
        seq,
        precinct_id,
        ErrandKind(kind),
        None if channel is None else Channel(channel),
        tuple(fields.split("\n")) if fields else (),
        note,
        by,
        from_text(at),
        None if end_by is None else ErrandEnd(end_by, from_text(end_at), outcome),
    )
