"""The audit trail: every change's event, chained by hash, written in the change's own transaction."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import Integer, Text, bindparam, literal_column, select, text

from caucus_desk.store.actions import Action
from caucus_desk.store.chain import BEGINNING, event_hash
from caucus_desk.store.records import AuditEvent, Changes, Look
from caucus_desk.store.schema import audit
from caucus_desk.store.statements import Prepared, adding, highest
from caucus_desk.store.times import from_text
from caucus_desk.store.work import Row, Work

_BEFORE = bindparam("before", type_=Integer)
_LIMIT = text("LIMIT :limit")
"""Written out, since the compiler would add an OFFSET parameter of its own."""
_PRECINCT = bindparam("precinct", type_=Text)
_ADD = adding(audit)
_LAST = Prepared(select(audit.c.seq, audit.c.hash).order_by(audit.c.seq.desc()).suffix_with(text("LIMIT 1")))
_LAST_SEQ = highest(audit.c.seq)
_SINCE = Prepared(
    select(audit.c.seq, audit.c.precinct_id, audit.c.action)
    .where(audit.c.seq > bindparam("seq"))
    .order_by(audit.c.seq)
)
_NEWEST = Prepared(
    select(audit).where(audit.c.seq < _BEFORE).order_by(audit.c.seq.desc()).suffix_with(_LIMIT)
)
_NEWEST_OF = Prepared(
    select(audit)
    .where(audit.c.precinct_id == _PRECINCT, audit.c.seq < _BEFORE)
    .order_by(audit.c.seq.desc())
    .suffix_with(_LIMIT)
)
_LOOK = select(audit.c.precinct_id, audit.c.actor, audit.c.at, audit.c.report_id, audit.c.content).where(
    audit.c.action == literal_column(f"'{Action.LOOKED}'")
)
_LOOKS = Prepared(_LOOK.order_by(audit.c.seq))
_LOOKS_OF = Prepared(_LOOK.where(audit.c.precinct_id == _PRECINCT).order_by(audit.c.seq))
_TRIES = Prepared(
    select(audit.c.actor, audit.c.content).where(
        audit.c.precinct_id == _PRECINCT,
        audit.c.action == literal_column(f"'{Action.DOES_NOT_MATCH}'"),
    )
)
_COUNTER = {
    "sqlite": Prepared(text("SELECT seq FROM sqlite_sequence WHERE name = 'audit'")),
    "postgresql": Prepared(text("SELECT last FROM audit_counter")),
}
_ALL = Prepared(select(audit).order_by(audit.c.seq))

_EVERYTHING = frozenset({Action.CREATED, Action.CONTROL_TOTALS})
_NOTHING_ELSE = 2**62


class Points(NamedTuple):
    """The rows that an event points at."""

    precinct_id: str | None = None
    report_id: int | None = None
    old_report_id: int | None = None
    ruling_id: int | None = None
    acknowledgement_id: int | None = None
    verification_id: int | None = None
    control_batch: int | None = None


@dataclass(frozen=True, slots=True)
class NewEvent:
    action: Action
    actor: str
    sentence: str
    points: Points
    content: str = ""


class TrailReading(Work):
    def last_seq(self) -> int:
        """Number of the newest event, 0 where there is none."""
        row = self._one(_LAST_SEQ)
        assert row is not None
        return int(row[0])

    def changes_since(self, seq: int) -> Changes:
        """Precincts with an event after `seq`, by any process."""
        rows = self._rows(_SINCE, seq)
        return Changes(
            last_seq=rows[-1][0] if rows else seq,
            precinct_ids=frozenset(row[1] for row in rows if row[1] is not None),
            everything=any(row[2] in _EVERYTHING for row in rows),
        )

    def audit_trail(
        self, precinct_id: str | None = None, limit: int = 200, before: int | None = None
    ) -> tuple[AuditEvent, ...]:
        """A page of the trail, newest first: events before number `before`."""
        ceiling = _NOTHING_ELSE if before is None else before
        if precinct_id is None:
            rows = self._rows(_NEWEST, ceiling, limit)
        else:
            rows = self._rows(_NEWEST_OF, precinct_id, ceiling, limit)
        return tuple(event_of(row) for row in rows)

    def looks(self, precinct_id: str | None = None) -> tuple[Look, ...]:
        """Who looked at the figures of a precinct, or of any, oldest first."""
        rows = self._rows(_LOOKS) if precinct_id is None else self._rows(_LOOKS_OF, precinct_id)
        return tuple(
            Look(where, by, from_text(at), report or 0, sheet) for where, by, at, report, sheet in rows
        )

    def tries(self, precinct_id: str) -> tuple[tuple[str, str], ...]:
        """Sheets of a precinct that were refused because they do not match: who tried, and the sheet's
        fingerprint."""
        return tuple((actor, content) for actor, content in self._rows(_TRIES, precinct_id))

    def event_counter(self) -> int:
        """The greatest number that the database ever gave to an event."""
        row = self._one(_COUNTER[self._dialect.name])
        return 0 if row is None else int(row[0])

    def all_events(self) -> list[Row]:
        """Every event as it stands, oldest first, for checking the chain."""
        return self._rows(_ALL)


class TrailWriting(TrailReading):
    _end: tuple[int, str] | None = None
    _actors: dict[str | None, str] | None = None

    def last_actor(self, precinct_id: str) -> str | None:
        """Who did the last thing in this unit: to this precinct, else to any. By order, not by the clock."""
        actors = self._actors or {}
        return actors.get(precinct_id, actors.get(None))

    def log(
        self,
        action: Action,
        sentence: str,
        *,
        actor: str,
        precinct_id: str | None = None,
        report_id: int | None = None,
        ruling_id: int | None = None,
        content: str = "",
    ) -> int:
        """An event that has no rows of its own. Returns its number."""
        points = Points(precinct_id, report_id, None, ruling_id)
        return self._append([NewEvent(action, actor, sentence, points, content)])

    def _append(self, events: Sequence[NewEvent]) -> int:
        """Chains the events on; the write lock is held, so nobody else can in between."""
        if self._end is None:
            last = self._one(_LAST)
            self._end = (0, BEGINNING) if last is None else (last[0], last[1])
        seq, previous = self._end
        rows: list[Row] = []
        if self._actors is None:
            self._actors = {}
        for event in events:
            seq += 1
            if event.action is not Action.VERIFIED:
                self._actors[event.points.precinct_id] = self._actors[None] = event.actor
            body = (
                seq,
                self._now_text,
                event.actor,
                str(event.action),
                *event.points,
                event.sentence,
                event.content,
            )
            chained = event_hash(previous, body)
            rows.append((*body, previous, chained))
            previous = chained
        self._many(_ADD, rows)
        self._end = (seq, previous)
        return seq


def event_of(row: Row) -> AuditEvent:
    seq, at, actor, action = row[:4]
    sentence, content, previous, chained = row[-4:]
    points = Points(*row[4:-4])
    return AuditEvent(seq, from_text(at), actor, action, sentence, *points, content, previous, chained)
