"""Drafts: what is being keyed, raw text as typed. Holding one is the claim on precinct and channel."""

import re
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta

from sqlalchemy import bindparam, delete, func, literal_column, null, select, update

from caucus_desk.store.names import same_person
from caucus_desk.store.records import Claimed, DraftRecord
from caucus_desk.store.schema import draft, draft_field, draft_typist, report
from caucus_desk.store.statements import Prepared, Upsert, putting
from caucus_desk.store.times import from_text, to_text
from caucus_desk.store.work import Row, Work
from caucus_desk.tally.report import Channel

_UNKEPT = re.compile("[\0\ud800-\udfff]")
"""NUL and half characters: some engine cannot keep them, and no key types them."""

_ADD = Upsert(
    lambda insert: insert(draft)
    .values(
        precinct_id=bindparam("p"), channel=bindparam("c"), by_name=bindparam("b"), since=bindparam("s"),
        updated=bindparam("u"),
        desk=bindparam("d"),
        begun_after=select(func.coalesce(func.max(report.c.id), literal_column("0"))).scalar_subquery(),
    )
    .on_conflict_do_nothing(index_elements=["precinct_id", "channel"])
)  # fmt: skip
_ALL = Prepared(select(draft).order_by(draft.c.since, draft.c.id))
_ONE = Prepared(select(draft).where(draft.c.id == bindparam("draft")))
_OF = Prepared(
    select(draft).where(draft.c.precinct_id == bindparam("precinct"), draft.c.channel == bindparam("ch"))
)
_FIELDS = Prepared(
    select(draft_field.c.path, draft_field.c.text).where(draft_field.c.draft_id == bindparam("draft"))
)
_SET_FIELD = putting(draft_field)
_DROP_FIELD = Prepared(
    delete(draft_field).where(
        draft_field.c.draft_id == bindparam("draft"), draft_field.c.path == bindparam("p")
    )
)
_UPDATED = Prepared(select(draft.c.updated).where(draft.c.id == bindparam("draft")))
_TOUCH = Prepared(
    update(draft).values(updated=bindparam("u"), desk=bindparam("d")).where(draft.c.id == bindparam("draft"))
)
_LOCK = Prepared(select(draft.c.id).where(draft.c.id == bindparam("draft")).with_for_update())
_HAND_OVER = Prepared(
    update(draft)
    .values(by_name=bindparam("b"), updated=bindparam("u"), free=literal_column("0"), desk=bindparam("d"))
    .where(draft.c.id == bindparam("draft"))
)
_LEAVE = Prepared(
    update(draft).values(free=literal_column("1"), desk=null()).where(draft.c.id == bindparam("draft"))
)
_HOLD = Prepared(update(draft).values(desk=bindparam("d")).where(draft.c.id == bindparam("draft")))
_TIE = Prepared(update(draft).values(errand_id=bindparam("e")).where(draft.c.id == bindparam("draft")))
_ADD_TYPIST = Upsert(lambda insert: insert(draft_typist).on_conflict_do_nothing())
_TYPISTS = Prepared(
    select(draft_typist.c.name)
    .where(draft_typist.c.draft_id == bindparam("draft"))
    .order_by(draft_typist.c.name)
)
_HOLDER_TYPED = Upsert(
    lambda insert: (
        insert(draft_typist)
        .from_select(
            ["draft_id", "name"], select(draft.c.id, draft.c.by_name).where(draft.c.id == bindparam("draft"))
        )
        .on_conflict_do_nothing()
    )
)
_DELETE_TYPISTS = Prepared(delete(draft_typist).where(draft_typist.c.draft_id == bindparam("draft")))
_DELETE_FIELDS = Prepared(delete(draft_field).where(draft_field.c.draft_id == bindparam("draft")))
_DELETE = Prepared(delete(draft).where(draft.c.id == bindparam("draft")))


class DraftReading(Work):
    def drafts(self, by: str | None = None) -> tuple[DraftRecord, ...]:
        """Unfinished drafts, oldest first; of one person (names compared folded) or of all."""
        rows = self._rows(_ALL)
        return tuple(self._draft(row) for row in rows if by is None or same_person(row[3], by))

    def left_drafts(self, running: Collection[str]) -> tuple[DraftRecord, ...]:
        """Those that were left for anybody, or by a window that is not among the `running` ones."""
        return tuple(self._draft(row) for row in self._rows(_ALL) if row[7] or _deserted(row[9], running))

    def draft(self, draft_id: int) -> DraftRecord | None:
        row = self._one(_ONE, draft_id)
        return None if row is None else self._draft(row)

    def draft_of(self, precinct_id: str, channel: Channel) -> DraftRecord | None:
        row = self._one(_OF, precinct_id, str(channel))
        return None if row is None else self._draft(row)

    def _draft(self, row: Row) -> DraftRecord:
        number, precinct_id, channel, by, since, updated, begun_after, free, errand_id, desk = row
        return DraftRecord(
            id=number,
            precinct_id=precinct_id,
            channel=Channel(channel),
            by=by,
            since=from_text(since),
            updated=from_text(updated),
            fields=dict(self._rows(_FIELDS, number)),
            typists=tuple(name for (name,) in self._rows(_TYPISTS, number)),
            begun_after=begun_after,
            free=bool(free),
            errand_id=errand_id,
            desk=desk,
        )


def _deserted(window: str | None, running: Collection[str]) -> bool:
    return window is not None and window not in running


class DraftWriting(DraftReading):
    def claim_draft(
        self, precinct_id: str, channel: Channel, by: str, window: str | None = None
    ) -> DraftRecord:
        """A new draft, held by a window if one is named. Raises Claimed where one is held already, by
        whomever."""
        now = self._now_text
        taken = self._run(_ADD, precinct_id, str(channel), by, now, now, window) == 0
        held = self.draft_of(precinct_id, channel)
        assert held is not None
        if taken:
            raise Claimed(held)
        return held

    def lock_draft(self, draft_id: int) -> None:
        """Nobody else changes this draft before the unit ends. To be called first where the unit does not
        hold the turn to write."""
        if self._dialect.name == "postgresql":
            self._one(_LOCK, draft_id)

    def hold_draft(self, draft_id: int, window: str) -> None:
        """This window has it open now."""
        self._run(_HOLD, window, draft_id)

    def save_draft_fields(
        self, draft_id: int, changes: Mapping[str, str], window: str | None = None
    ) -> datetime | None:
        """Writes the fields that changed; empty text takes a field away. None: the draft is gone.

        The time given back is never the one that stood there before, whatever the clock does: two windows
        tell by it whose text they know.
        """
        before = self._one(_UPDATED, draft_id)
        if before is None:
            return None
        changes = {_UNKEPT.sub("", path): _UNKEPT.sub("", text) for path, text in changes.items()}
        at = self.now
        if before[0] == self._now_text:
            at += timedelta(microseconds=1)
        self._run(_TOUCH, to_text(at), window, draft_id)
        self._run(_HOLDER_TYPED, draft_id)
        self._many(_SET_FIELD, [(draft_id, path, text) for path, text in changes.items() if text])
        self._many(_DROP_FIELD, [(draft_id, path) for path, text in changes.items() if not text])
        return at

    def hand_over_draft(self, draft_id: int, by: str, window: str | None = None) -> None:
        """To another person, with what was typed and who typed it."""
        self._run(_HAND_OVER, by, self._now_text, window, draft_id)

    def count_as_typist(self, draft_id: int, by: str) -> None:
        """Among those who typed in it: they know what is in it."""
        self._run(_ADD_TYPIST, draft_id, by)

    def begin_rekeying(
        self, draft_id: int, errand_id: int, texts: Mapping[str, str], typists: Iterable[str]
    ) -> DraftRecord:
        """Ties a new draft to the errand that it answers, with what was keyed before and who keyed it."""
        self._run(_TIE, errand_id, draft_id)
        self._many(_SET_FIELD, [(draft_id, path, text) for path, text in texts.items()])
        self._many(_ADD_TYPIST, [(draft_id, name) for name in dict.fromkeys(typists)])
        found = self.draft(draft_id)
        assert found is not None
        return found

    def leave_draft(self, draft_id: int, without: Iterable[str] = ()) -> None:
        """For anybody to take up, with what was typed but the fields named, and who typed it."""
        self._run(_LEAVE, draft_id)
        self._many(_DROP_FIELD, [(draft_id, path) for path in without])

    def empty_draft(self, draft_id: int) -> None:
        """Takes out what was typed, and with it who typed it; the claim stays."""
        self._run(_DELETE_FIELDS, draft_id)
        self._run(_DELETE_TYPISTS, draft_id)

    def delete_draft(self, draft_id: int) -> None:
        self.empty_draft(draft_id)
        self._run(_DELETE, draft_id)
