"""Backups are verified copies, and nothing is ever restored over a store."""

import sqlite3
import threading
from pathlib import Path

import pytest

from caucus_desk.desk.integrity import check_store
from caucus_desk.desk.keeping import backup, restore
from caucus_desk.desk.session import Desk, open_desk
from caucus_desk.desk.settling import settle
from caucus_desk.rules.errors import Cancelled, Refused
from caucus_desk.store.errors import (
    NotAStore,
    StoreDamaged,
    StoreError,
    StoreExists,
    StoreMissing,
    StoreTooNew,
)
from caucus_desk.store.records import NewReport
from caucus_desk.tally.report import Channel
from caucus_desk.tally.sheet import ResultSheet


def report(desk: Desk, sheet: ResultSheet, precinct_id: str = "A-1") -> None:
    with desk.store.write() as unit:
        unit.add_report(NewReport(precinct_id, Channel.PHONE, sheet, "Ann"))
        settle(unit, desk.rules, [precinct_id])


def names(folder: Path) -> set[str]:
    return {one.name for one in folder.iterdir()}


def test_a_backup_and_its_restoration_are_the_store(
    desk: Desk, good_sheet: ResultSheet, tmp_path: Path
) -> None:
    report(desk, good_sheet)
    steps: list[str] = []
    copy = backup(desk.location, tmp_path / "Kopie #1.db", lambda done, total, what: steps.append(what))
    report(desk, good_sheet, "A-2")
    assert {"Copying the store", "Checking the copy"} <= set(steps)
    restored = restore(copy, tmp_path / "again.db")
    with open_desk(str(restored)) as other:
        assert other.overview().coverage().reporting == 1
        assert other.overview().results["A-1"].reports[Channel.PHONE].sheet.count("Biden.final") == 16
        assert all(line.ok for line in check_store(other))
        report(other, good_sheet, "77-DM42")
    assert desk.overview().coverage().reporting == 2
    assert not [name for name in names(tmp_path) if name.endswith("-wal") and "small" not in name]


def test_never_over_an_existing_file(desk: Desk, tmp_path: Path) -> None:
    copy = backup(desk.location, tmp_path / "b.db")
    before = copy.read_bytes()
    with pytest.raises(StoreExists, match="already exists"):
        backup(desk.location, copy)
    with pytest.raises(StoreExists, match=r"already"):
        restore(copy, desk.location)
    with pytest.raises((StoreExists, Refused), match=r"already exists|A backup is a file"):
        backup(desk.location, desk.location)
    (tmp_path / "lost.db-wal").write_bytes(b"left over by a lost store")
    with pytest.raises(StoreExists, match=r"lost\.db-wal already exists"):
        restore(copy, tmp_path / "lost.db")
    assert copy.read_bytes() == before
    assert "lost.db" not in names(tmp_path)


def test_a_backup_while_others_write(desk: Desk, good_sheet: ResultSheet, tmp_path: Path) -> None:
    stop = threading.Event()
    failures: list[Exception] = []

    def work() -> None:
        try:
            while not stop.is_set():
                report(desk, good_sheet)
        except Exception as error:  # noqa: BLE001 - told to the test's own thread
            failures.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        copies = [backup(desk.location, tmp_path / f"{number}.db") for number in range(3)]
    finally:
        stop.set()
        thread.join()
    assert failures == []
    for copy in copies:
        with open_desk(str(copy)) as other:
            assert all(line.ok for line in check_store(other))


def test_cancelling_leaves_no_copy(desk: Desk, tmp_path: Path) -> None:
    before = names(tmp_path)
    for stop in ("Copying the store", "Checking the copy"):

        def progress(done: int, total: int, what: str, stop: str = stop) -> None:
            if what == stop:
                raise Cancelled("Stopped.")

        with pytest.raises(Cancelled):
            backup(desk.location, tmp_path / "b.db", progress)
        assert names(tmp_path) == before


@pytest.mark.parametrize("kind", ["missing", "letter", "cut", "altered", "no folder"])
def test_what_cannot_be_restored(desk: Desk, good_sheet: ResultSheet, tmp_path: Path, kind: str) -> None:
    report(desk, good_sheet)
    copy = tmp_path / "b.db"
    out = tmp_path / "out.db"
    expected: type[StoreError] = StoreDamaged
    if kind == "missing":
        expected = StoreMissing
    elif kind == "letter":
        copy.write_text("Dear chair")
        expected = NotAStore
    else:
        backup(desk.location, copy)
    if kind == "cut":
        copy.write_bytes(copy.read_bytes()[: 4096 * 3])
    elif kind == "altered":
        altered = sqlite3.connect(copy, isolation_level=None)
        altered.execute("DROP TRIGGER report_row_no_update")
        altered.execute("UPDATE report_row SET final = 99 WHERE report_id = 1 AND final = 24")
        altered.close()
    elif kind == "no folder":
        out = tmp_path / "no" / "out.db"
        expected = StoreMissing
    before = names(tmp_path)
    with pytest.raises(expected) as caught:
        restore(copy, out)
    assert caught.value.exit_code == 4
    if kind == "altered":
        assert "report 1 is not as event 2 recorded it" in caught.value.sentence
    assert names(tmp_path) == before


def test_a_sealed_disk_can_still_be_copied_from(
    desk: Desk, good_sheet: ResultSheet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    report(desk, good_sheet)
    copy = backup(desk.location, tmp_path / "b.db")
    monkeypatch.setattr("caucus_desk.store.copying.untouchable", lambda path: path == copy)
    restored = restore(copy, tmp_path / "r.db")
    assert not (tmp_path / "b.db-shm").exists()
    with open_desk(str(restored)) as other:
        assert other.overview().coverage().reporting == 1


@pytest.mark.a_file
def test_a_backup_of_a_newer_store_names_that_store(desk: Desk, tmp_path: Path) -> None:
    desk.close()
    newer = sqlite3.connect(desk.location)
    newer.execute("UPDATE alembic_version SET version_num = '9999'")
    newer.commit()
    newer.close()
    before = names(tmp_path)
    for job in (backup, restore):
        with pytest.raises(StoreTooNew) as refused:
            job(desk.location, tmp_path / "copy.db")
        assert refused.value.sentence.startswith(f"{desk.location} was made by a newer Caucus Desk")
    assert names(tmp_path) == before


@pytest.mark.parametrize("tail", ["-wal", "-shm", "-journal"])
def test_a_copy_is_never_named_like_the_journal_of_a_store(desk: Desk, tmp_path: Path, tail: str) -> None:
    with pytest.raises(StoreExists, match="the name of the journal"):
        backup(desk.location, tmp_path / f"other.db{tail}")
