"""Loading the published results against parsing the file and a bare bulk insert of the same rows."""

import shutil
import sqlite3
from pathlib import Path

from caucus_desk.desk.creating import create_caucus
from caucus_desk.desk.loading import load_results
from caucus_desk.desk.session import open_desk
from caucus_desk.exchange.results import read_results
from caucus_desk.tally.report import Channel

from .conftest import say, seconds

TABLES = ("report", "report_row", "report_extra", "report_chance", "precinct_state", "audit")


def test_loading_the_published_results(iowa2020: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty.sqlite"
    create_caucus(str(empty), "iowa-2020", iowa2020 / "precincts.csv", by="Bench Mark").desk.close()
    results = iowa2020 / "results_final.csv"
    ratios = []
    for turn in range(3):
        store, twin = tmp_path / f"store{turn}.sqlite", tmp_path / f"twin{turn}.sqlite"
        shutil.copy(empty, store)
        shutil.copy(empty, twin)
        desk = open_desk(str(store))
        ours = seconds(lambda: load_results(desk, results, channel=Channel.APP, by="Bench Mark"))  # noqa: B023
        parsing = seconds(lambda: read_results(results, desk.rules, desk.precincts))  # noqa: B023
        desk.close()
        rows = _rows(store)
        assert len(rows["report_row"]) > 10_000
        inserting = seconds(lambda: _insert(twin, rows))  # noqa: B023
        ratios.append((ours / (parsing + inserting), ours, parsing + inserting))
    _, ours, bare = sorted(ratios)[1]
    say("Loading the published results", ours, bare, 3.0)


def _rows(store: Path) -> dict[str, list[tuple[object, ...]]]:
    connection = sqlite3.connect(store)
    rows = {table: connection.execute(f"SELECT * FROM {table}").fetchall() for table in TABLES}
    connection.close()
    return rows


def _insert(twin: Path, rows: dict[str, list[tuple[object, ...]]]) -> None:
    connection = sqlite3.connect(twin, isolation_level=None)
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("BEGIN IMMEDIATE")
    for table, lines in rows.items():
        if lines:
            marks = ",".join("?" * len(lines[0]))
            connection.executemany(f"INSERT OR REPLACE INTO {table} VALUES ({marks})", lines)
    connection.execute("COMMIT")
    connection.close()
