"""Rows that are told by one audit event each: written with it, and compared with it.

The event's `content` is the digest of the row, the row's `seq` is the event's number; so a row that
is altered behind the program's back no longer fits its event, and one that is taken out leaves it alone.
"""

from collections.abc import Iterable, Mapping

from sqlalchemy import Table, bindparam, select

from caucus_desk.store import schema
from caucus_desk.store.actions import Action
from caucus_desk.store.chain import content_digest
from caucus_desk.store.statements import Prepared, adding
from caucus_desk.store.trail import NewEvent, Points, TrailReading, TrailWriting
from caucus_desk.store.work import Row

TOLD: Mapping[Action, Table] = {
    Action.CALL: schema.call,
    Action.REPORT_CALLED: schema.report_call,
    Action.REPORT_CONFIRMED: schema.report_confirmation,
    Action.CORRECTED: schema.report_correction,
    Action.APPROVAL_NEEDED: schema.ruling_pending,
    Action.APPROVED: schema.ruling_approval,
    Action.SENT_BACK: schema.errand,
    Action.ERRAND_ENDED: schema.errand_end,
    Action.CHASE: schema.chase_step,
    Action.ATTACHED: schema.attachment,
    Action.ATTACHMENT_WITHDRAWN: schema.attachment_withdrawal,
    Action.RELEASED: schema.release,
    Action.RELEASE_APPROVED: schema.release_approval,
    Action.RECANVASS: schema.recanvass,
    Action.RECANVASSED: schema.recanvass_report,
    Action.RECANVASS_ENDED: schema.recanvass_end,
    Action.COUNTY_KEY: schema.county_key,
    Action.COUNTY_KEY_ENDED: schema.county_key_end,
    Action.PACKET_TAKEN: schema.packet_taken,
    Action.REPORT_TAKEN: schema.report_origin,
}
"""Tables that are only ever added to: each row has one event, each event one row."""

RENEWED: Mapping[Action, Table] = {Action.PERSON: schema.person, Action.SETTING: schema.setting}
"""Tables whose rows change: each event holds the whole table as the change left it, so that a row that
is altered or taken out no longer fits the newest event. `seq` is the event of the row's own last change."""

UNTOLD = frozenset({"failed", "failed_at"})
"""Columns that change without an event of the row's."""

_ADD = {table: adding(table) for table in TOLD.values()}
_WHOLE = {
    table: Prepared(select(table).order_by(*table.primary_key.columns))
    for table in (*TOLD.values(), *RENEWED.values())
}
_EVENT = Prepared(
    select(schema.audit.c.action, schema.audit.c.content).where(schema.audit.c.seq == bindparam("number"))
)


def told_digest(table: Table, row: Row) -> str:
    """Of a whole row in the order of the table's columns, but for `seq` and what is not told."""
    names = table.columns.keys()
    assert len(names) == len(row)
    kept = [value for name, value in zip(names, row, strict=True) if name != "seq" and name not in UNTOLD]
    return content_digest(table.name, kept)


def _whole_digest(table: Table, rows: Iterable[Row]) -> str:
    return content_digest(table.name, [told_digest(table, row) for row in rows])


class ToldReading(TrailReading):
    def told_rows(self, table: Table) -> list[Row]:
        """Every row of one of these tables, as it stands."""
        return self._rows(_WHOLE[table])

    def as_told(self, action: Action) -> bool:
        """Whether a table whose rows change (`RENEWED`) is as its newest event left it."""
        table = RENEWED[action]
        rows = self.told_rows(table)
        if not rows:
            return True
        place = table.columns.keys().index("seq")
        event = self._one(_EVENT, max(row[place] for row in rows))
        return event is not None and (event[0], event[1]) == (str(action), _whole_digest(table, rows))


class ToldWriting(ToldReading, TrailWriting):
    def _tell(
        self,
        action: Action,
        sentence: str,
        by: str,
        columns: Mapping[str, object],
        *,
        precinct_id: str | None = None,
        report_id: int | None = None,
        ruling_id: int | None = None,
    ) -> int:
        """Adds the row (every column but `seq`) and its event; the event's number."""
        table = TOLD[action]
        names = table.columns.keys()
        row = tuple(None if name == "seq" else columns[name] for name in names)
        points = Points(precinct_id, report_id, None, ruling_id)
        seq = self._append([NewEvent(action, by, sentence, points, told_digest(table, row))])
        self._run(_ADD[table], *(seq if name == "seq" else columns[name] for name in names))
        return seq

    def _renewed(self, action: Action, sentence: str, by: str, rows: Iterable[Row]) -> int:
        """The event of a row that is being changed; its number is to be written into the row's `seq`.

        `rows` is the whole table as it will stand, in the order of its key.
        """
        digest = _whole_digest(RENEWED[action], rows)
        return self._append([NewEvent(action, by, sentence, Points(), digest)])


def check_told(unit: ToldReading, events: Mapping[int, tuple[str, str]]) -> list[str]:
    """What is wrong with these tables; `events` has action and content by number."""
    faults = []
    for action, table in TOLD.items():
        place = table.columns.keys().index("seq")
        seen = set()
        for row in unit.told_rows(table):
            seq = row[place]
            seen.add(seq)
            if events.get(seq, ("", ""))[0] != action:
                faults.append(f"a row of {table.name} has no event")
            elif events[seq][1] != told_digest(table, row):
                faults.append(f"a row of {table.name} is not as event {seq} recorded it")
        gone = [seq for seq, (what, _) in events.items() if what == action and seq not in seen]
        faults += [f"the row of {table.name} that event {seq} tells of is gone" for seq in gone]
    for action, table in RENEWED.items():
        rows = unit.told_rows(table)
        newest = max((seq for seq, (what, _) in events.items() if what == action), default=None)
        if newest is None:
            faults += [f"a row of {table.name} has no event" for _ in rows]
        elif events[newest][1] != _whole_digest(table, rows):
            faults.append(f"the rows of {table.name} are not as event {newest} recorded them")
    return faults
