"""Saving a report, checks and audit included, against a bare transaction that writes the same rows."""

import shutil
import sqlite3
import statistics
from pathlib import Path

from caucus_desk.desk import entry
from caucus_desk.desk.session import open_desk
from caucus_desk.rules.apportion import apportion
from caucus_desk.tally.finding import Severity
from caucus_desk.tally.report import Channel
from caucus_desk.tally.sheet import GroupCounts, ResultSheet

from .conftest import say, seconds

Rows = dict[str, list[tuple[object, ...]]]
GROWING = {
    "report": "id",
    "report_row": "report_id",
    "report_extra": "report_id",
    "report_chance": "report_id",
    "acknowledgement": "id",
    "verification": "id",
    "audit": "seq",
}
"""Tables that a save adds to, each with the number that grows."""


def clean_sheet(desk: object, delegates: int, place: int) -> ResultSheet:
    """A sheet that the rules agree with, other figures for each place."""
    people = 90 + place
    finals = {"Sanders": people // 2, "Warren": people - people // 2}
    awards = apportion(desk.rules, delegates, people, finals)  # type: ignore[attr-defined]
    counts = dict(awards.awards)
    for group in awards.tie.groups[: awards.tie.k] if awards.tie else ():
        counts[group] += 1 if awards.tie and awards.tie.kind == "gain" else -1
    rows = tuple(
        GroupCounts(key, finals.get(key, 0), finals.get(key, 0), counts.get(key, 0))
        for key in desk.rules.keys  # type: ignore[attr-defined]
    )
    return ResultSheet(people, rows)


def newest(bare: sqlite3.Connection) -> dict[str, int]:
    return {
        table: bare.execute(f"SELECT coalesce(max({number}), 0) FROM {table}").fetchone()[0]
        for table, number in GROWING.items()
    }


def test_saving_a_report(sample: Path, tmp_path: Path) -> None:
    store, twin = tmp_path / "store.sqlite", tmp_path / "twin.sqlite"
    shutil.copy(sample, store)
    shutil.copy(sample, twin)
    reading = sqlite3.connect(store)
    bare = sqlite3.connect(twin, isolation_level=None)
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
        bare.execute(f"PRAGMA {pragma}")
    desk = open_desk(str(store))
    try:
        ours, theirs = [], []
        free = {(draft.precinct_id, draft.channel) for draft in _all_drafts(desk)}
        waiting = [
            p
            for p in desk.overview().awaiting()
            if (p.delegates or 0) > 1 and (p.id, Channel.PHONE) not in free
        ][:220]
        for place, precinct in enumerate(waiting):
            sheet = clean_sheet(desk, precinct.delegates or 0, place)
            draft = entry.claim(desk, precinct.id, Channel.PHONE, "Bench Mark")
            found = entry.check(desk, precinct.id, sheet).findings
            reasons = {f.id: "as on the sheet" for f in found if f.severity is Severity.ERROR}
            before = newest(reading)
            kept = reading.execute("SELECT * FROM draft WHERE id = ?", (draft.id,)).fetchone()
            bare.execute(f"INSERT INTO draft VALUES ({','.join('?' * len(kept))})", kept)
            ours.append(
                seconds(lambda: entry.submit(desk, draft.id, sheet, "Bench Mark", reasons=reasons))  # noqa: B023
            )
            rows = {t: _since(reading, t, before[t]) for t in GROWING}
            state = reading.execute(
                "SELECT * FROM precinct_state WHERE precinct_id = ?", (precinct.id,)
            ).fetchone()
            assert len(rows["report"]) == 1
            assert rows["report_row"]
            assert rows["audit"]
            theirs.append(seconds(lambda: _write(bare, rows, state, draft.id)))  # noqa: B023
    finally:
        desk.close()
        reading.close()
        bare.close()
    say("Saving a report", statistics.median(ours[20:]), statistics.median(theirs[20:]), 3.0)


def _all_drafts(desk: object) -> list[entry.Draft]:
    with desk.store.read() as unit:  # type: ignore[attr-defined]
        return list(unit.drafts())


def _since(connection: sqlite3.Connection, table: str, last: int) -> list[tuple[object, ...]]:
    number = GROWING[table]
    return connection.execute(
        f"SELECT * FROM {table} WHERE {number} > ? ORDER BY {number}", (last,)
    ).fetchall()


def _write(bare: sqlite3.Connection, rows: Rows, state: tuple[object, ...], draft_id: int) -> None:
    """The least that durably writes the same: the rows, the cached state, and the draft that they end."""
    bare.execute("BEGIN IMMEDIATE")
    for table, lines in rows.items():
        if lines:
            marks = ",".join("?" * len(lines[0]))
            bare.executemany(f"INSERT INTO {table} VALUES ({marks})", lines)
    marks = ",".join("?" * len(state))
    bare.execute(f"INSERT OR REPLACE INTO precinct_state VALUES ({marks})", state)
    bare.execute("DELETE FROM draft_field WHERE draft_id = ?", (draft_id,))
    bare.execute("DELETE FROM draft WHERE id = ?", (draft_id,))
    bare.execute("COMMIT")
