"""What the tables themselves refuse, whoever writes: nothing said is changed, nothing is not a count."""

import sqlite3
from collections.abc import Callable, Iterator

import pytest

from caucus_desk.store.records import NewReport, Verification
from caucus_desk.store.store import Store
from caucus_desk.tally.report import Channel
from caucus_desk.tally.results import ControlTotal
from caucus_desk.tally.sheet import ChanceRecord, ResultSheet
from caucus_desk.tally.state import State

APPEND_ONLY = (
    "report",
    "report_row",
    "report_extra",
    "report_chance",
    "report_withdrawal",
    "ruling",
    "ruling_row",
    "ruling_extra",
    "ruling_chance",
    "ruling_withdrawal",
    "acknowledgement",
    "control_total",
    "verification",
    "audit",
)

pytestmark = pytest.mark.a_file


@pytest.fixture
def raw(
    store: Store, new_report: Callable[..., NewReport], sheet_of: Callable[..., ResultSheet]
) -> Iterator[sqlite3.Connection]:
    """A store with a row in every append-only table, seen with a plain connection."""
    full = ResultSheet(
        90,
        sheet_of().groups,
        extras=(("early_votes", 12),),
        chance=(ChanceRecord(("Biden", "Warren"), ("Warren",)),),
    )
    with store.write() as unit:
        report = unit.add_report(NewReport("77-DM42", Channel.PAPER, full, "Bo"))
        unit.withdraw_report(report, by="Bo", reason="wrong precinct", sentence="withdrawn")
        ruling = unit.add_ruling("77-DM42", full, seen_report=1, by="Cy", reason="seen", sentence="ruled")
        unit.withdraw_ruling(ruling, by="Cy", reason="again", sentence="withdrawn")
        unit.acknowledge("77-DM42", "C06", "f", by="D", reason="r", at_desk=False, sentence="s")
        unit.set_control_totals([ControlTotal("Polk", "Biden", 1, 2, 3)], by="D", sentence="s")
        unit.add_verifications([(Verification("77-DM42", State.RULED, "f", 1, unit.now), "D", "s")])
    connection = sqlite3.connect(store.path, isolation_level=None)
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA recursive_triggers = ON")
    yield connection
    connection.close()


@pytest.mark.parametrize("table", APPEND_ONLY)
def test_what_was_said_stays(raw: sqlite3.Connection, table: str) -> None:
    rows = raw.execute(f"SELECT * FROM {table}").fetchall()
    assert rows
    column = raw.execute(f"SELECT name FROM pragma_table_info('{table}') ORDER BY cid DESC").fetchone()[0]
    for change in (f"UPDATE {table} SET {column} = {column}", f"DELETE FROM {table}"):
        with pytest.raises(sqlite3.IntegrityError, match="only ever added to"):
            raw.execute(change)
    marks = ", ".join("?" * len(rows[0]))
    with pytest.raises(sqlite3.IntegrityError, match="only ever added to"):
        raw.execute(f"INSERT OR REPLACE INTO {table} VALUES ({marks})", rows[0])
    assert raw.execute(f"SELECT * FROM {table}").fetchall() == rows


@pytest.mark.parametrize("value", ["12x", "1,234", 1.5, -1, 100_000, b"1"])
def test_a_count_is_a_whole_number_from_0_to_99_999(raw: sqlite3.Connection, value: object) -> None:
    for column in ("first", "final", "delegates"):
        with pytest.raises(sqlite3.IntegrityError):
            raw.execute(f"INSERT INTO report_row (report_id, group_id, {column}) VALUES (1, 4, ?)", (value,))
    with pytest.raises(sqlite3.IntegrityError):
        raw.execute(
            "INSERT INTO report (precinct_id, channel, by_name, at, receipt, source, caller_name, "
            "caller_number, caller_check, attendance) "
            "VALUES ('007', 'phone', 'A', '2020-02-03T00:00:00+00:00', '', '', '', '', '', ?)",
            (value,),
        )


def test_blank_stays_blank(raw: sqlite3.Connection) -> None:
    raw.execute("INSERT INTO report_row (report_id, group_id, first, final) VALUES (1, 4, 0, 99999)")
    stored = raw.execute("SELECT first, final, delegates FROM report_row WHERE group_id = 4").fetchone()
    assert stored == (0, 99999, None)


def test_every_table_is_strict_and_keeps_its_figures_out_of_json(raw: sqlite3.Connection) -> None:
    for name, sql in raw.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'table'").fetchall():
        if name in ("sqlite_sequence", "alembic_version"):
            continue
        assert "STRICT" in sql.rsplit(")", 1)[1], name
        assert "JSON" not in sql.upper(), name


def test_a_time_without_a_zone_is_refused(raw: sqlite3.Connection) -> None:
    with pytest.raises(sqlite3.IntegrityError, match="ck_verification_at"):
        raw.execute("INSERT INTO verification VALUES (9, '007', 'matched', 'f', 1, '2020-02-03T20:00:00')")


def test_a_precinct_with_reports_cannot_be_deleted(raw: sqlite3.Connection) -> None:
    with pytest.raises(sqlite3.IntegrityError, match="FOREIGN KEY"):
        raw.execute("DELETE FROM precinct WHERE id = '77-DM42'")


def test_one_draft_a_precinct_and_channel(raw: sqlite3.Connection) -> None:
    at = "2020-02-03T00:00:00+00:00"
    add = "INSERT INTO draft (precinct_id, channel, by_name, since, updated) VALUES ('007', 'phone', ?, ?, ?)"
    raw.execute(add, ("Ann", at, at))
    with pytest.raises(sqlite3.IntegrityError, match="UNIQUE"):
        raw.execute(add, ("Bo", at, at))


def test_every_connection_has_foreign_keys_on_and_saves_for_good(store: Store) -> None:
    units = [store.read() for _ in range(6)]
    for one in units:
        unit = one.__enter__()
        for pragma, value in (("foreign_keys", 1), ("synchronous", 2), ("recursive_triggers", 1)):
            assert unit._cursor.execute(f"PRAGMA {pragma}").fetchall() == [(value,)]
        assert unit._cursor.execute("PRAGMA journal_mode").fetchall() == [("wal",)]
        assert unit._cursor.execute("PRAGMA busy_timeout").fetchall() == [(5000,)]
    for one in units:
        one.__exit__(None, None, None)
