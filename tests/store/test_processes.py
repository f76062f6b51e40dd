"""Several processes and threads on one store, and a process that is killed in the middle of a save."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from caucus_desk.store.records import NewReport
from caucus_desk.store.store import Store
from caucus_desk.store.verifying import check_chain, check_figures
from caucus_desk.tally.report import Channel

ROOT = Path(__file__).parents[2]

WRITER = """
import sys
from caucus_desk.store.records import NewReport
from caucus_desk.store.store import Store
from caucus_desk.tally.report import Channel
from caucus_desk.tally.sheet import GroupCounts, ResultSheet

location, by, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
store = Store.open(location)
for number in range(count):
    rows = tuple(GroupCounts(key, number % 900, number % 800, 1) for key in ("Biden", "Sanders", "Warren"))
    with store.write() as unit:
        report = unit.add_report(NewReport("007", Channel.PHONE, ResultSheet(number % 999, rows), by))
    print(report.id, number % 999, flush=True)  # "saved" is said after the commit, and only then
store.close()
"""


def start(path: str, by: str, count: int) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), by, str(count)], stdout=subprocess.PIPE, text=True, cwd=ROOT
    )


def sound(store: Store) -> None:
    assert store.integrity().pages == ()
    assert store.integrity().references == ()
    with store.read() as unit:
        assert check_chain(unit) == ()
        assert check_figures(unit) == ()


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs a system with kill -9")
@pytest.mark.parametrize("round_", range(3))
def test_kill_9_in_a_loop_of_saves_loses_nothing_that_was_said_to_be_saved(store: Store, round_: int) -> None:
    store.close()
    child = start(store.location, "Ann", 1_000_000)
    assert child.stdout is not None
    told = [child.stdout.readline().split() for _ in range(20 + 37 * round_)]
    os.kill(child.pid, signal.SIGKILL)
    told += [line.split() for line in child.stdout.read().splitlines() if len(line.split()) == 2]
    child.stdout.close()
    assert child.wait() == -signal.SIGKILL
    with Store.open(store.location) as again:
        with again.read() as unit:
            kept = {report.id: report for report in unit.reports()["007"]}
        for number, attendance in told:
            assert kept[int(number)].sheet.attendance == int(attendance)
        assert all(len(report.sheet.groups) == 3 for report in kept.values())  # none half saved
        assert len(kept) - len(told) in (0, 1)  # at most the one that was under way
        sound(again)


def test_two_processes_write_at_once(store: Store) -> None:
    children = [start(store.location, by, 60) for by in ("Ann", "Bo")]
    outputs = [child.communicate()[0].split("\n") for child in children]
    assert [child.returncode for child in children] == [0, 0]
    ids = [int(line.split()[0]) for output in outputs for line in output if line]
    assert sorted(ids) == list(range(1, 121))
    with store.read() as unit:
        reports = unit.reports()["007"]
        assert {by: sum(report.by == by for report in reports) for by in ("Ann", "Bo")} == {
            "Ann": 60,
            "Bo": 60,
        }
        assert unit.changes_since(1).last_seq == 121
        assert unit.changes_since(1).precinct_ids == {"007"}
    sound(store)


def test_a_process_waits_for_one_that_writes_for_three_seconds(
    store: Store, new_report: Callable[..., NewReport]
) -> None:
    code = (
        "import sys, time; from caucus_desk.store.store import Store\n"
        "store = Store.open(sys.argv[1])\n"
        "with store.write() as unit:\n"
        "    print('in', flush=True); time.sleep(3)\n"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", code, str(store.location)], stdout=subprocess.PIPE, text=True, cwd=ROOT
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "in\n"
    begun = time.monotonic()
    with store.write() as unit:
        unit.add_report(new_report())
    assert time.monotonic() - begun > 1
    child.stdout.close()
    assert child.wait() == 0


def test_a_writer_of_drafts_beside_saves_and_reads(
    store: Store, new_report: Callable[..., NewReport]
) -> None:
    failures: list[Exception] = []
    with store.write() as unit:
        draft = unit.claim_draft("007", Channel.PAPER, "Bo")

    def guarded(work: Callable[[int], None]) -> threading.Thread:
        def run() -> None:
            try:
                for number in range(60):
                    work(number)
            except Exception as error:  # noqa: BLE001 - told to the test's own thread
                failures.append(error)

        return threading.Thread(target=run)

    def keys(number: int) -> None:
        with store.write() as unit:
            unit.save_draft_fields(draft.id, {"attendance": str(number)})

    def saves(number: int) -> None:
        with store.write() as unit:
            unit.add_report(new_report(base=10 + number))

    def reads(_: int) -> None:
        with store.read() as unit:
            assert unit.last_seq() == 1 + len(unit.reports().get("77-DM42", ()))

    threads = [guarded(work) for work in (keys, saves, reads, reads)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    with store.read() as unit:
        kept = unit.draft(draft.id)
        assert kept is not None
        assert kept.fields == {"attendance": "59"}
        assert len(unit.reports()["77-DM42"]) == 60
    sound(store)
