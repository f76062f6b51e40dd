"""Hearing of what other desks write, what is written beside the turn, and which windows run."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from threading import Thread

import pytest

from caucus_desk.store.actions import Action
from caucus_desk.store.beats import SILENT
from caucus_desk.store.errors import StoreLocked, StoreUnreachable
from caucus_desk.store.records import NewReport
from caucus_desk.store.shared import listening
from caucus_desk.store.store import Store
from caucus_desk.store.times import to_text
from caucus_desk.store.verifying import check_chain
from caucus_desk.store.watching import Watcher
from caucus_desk.tally.report import Channel

ROOT = Path(__file__).parents[2]
WRITER = """
import sys, time
from caucus_desk.store.actions import Action
from caucus_desk.store.store import Store

store = Store.open(sys.argv[1])
for _ in sys.stdin:
    with store.write() as unit:
        unit.log(Action.LOOKED, "Bo looked", actor="Bo", precinct_id="007")
    print(time.time(), flush=True)
store.close()
"""


@contextmanager
def watching(store: Store) -> Iterator[Watcher]:
    watcher = store.watcher()
    try:
        yield watcher
    finally:
        watcher.leave()


def address(store: Store) -> str:
    """Where others find it, with the password that the store itself never tells."""
    if not store.is_shared:
        return str(store.path)
    return store._place.url.render_as_string(hide_password=False)  # type: ignore[attr-defined]


def test_what_another_process_writes_is_heard_within_a_second(store: Store) -> None:
    other = subprocess.Popen(
        [sys.executable, "-c", WRITER, address(store)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT,
    )  # fmt: skip
    assert other.stdin is not None
    assert other.stdout is not None
    with watching(store) as watcher:
        for _ in range(4):
            other.stdin.write("go\n")
            other.stdin.flush()
            assert watcher.wait(30)
            heard = time.time()
            assert heard - float(other.stdout.readline()) < 1
        assert not watcher.wait(0.3), "once for each change"
    other.communicate()


def test_what_was_written_before_it_is_waited_for_is_heard_at_once(store: Store) -> None:
    with watching(store) as watcher:
        with store.write() as unit:
            unit.log(Action.LOOKED, "Ann looked", actor="Ann", precinct_id="007")
        begun = time.monotonic()
        assert watcher.wait(30)
        assert time.monotonic() - begun < 5
        assert not watcher.wait(0)


def test_a_key_in_a_draft_tells_nobody(store: Store) -> None:
    with store.write() as unit:
        draft = unit.claim_draft("007", Channel.PHONE, "Ann")
    with watching(store) as watcher:
        with store.write_aside() as unit:
            unit.save_draft_fields(draft.id, {"attendance": "21"})
        assert not watcher.wait(0.6)


def test_a_watcher_that_is_closed_ends_its_waiting(store: Store) -> None:
    with watching(store) as watcher:
        Thread(target=watcher.close).start()
        begun = time.monotonic()
        assert not watcher.wait(60)
        assert time.monotonic() - begun < 30


def test_where_the_server_tells_of_nothing_it_is_asked(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a copy for reading only does, which refuses LISTEN."""
    monkeypatch.setattr(listening, "CHANNEL", "no channel")
    with watching(store) as watcher:
        with store.write() as unit:
            unit.log(Action.LOOKED, "Ann looked", actor="Ann", precinct_id="007")
        begun = time.monotonic()
        assert watcher.wait(30)
        assert time.monotonic() - begun < 5
        assert not watcher.wait(0.7)


@pytest.mark.parametrize("said", ["99999999999999999999", "x", "", "-1", "9" * 5000])
def test_whatever_somebody_says_on_the_channel_events_are_heard(store: Store, said: str) -> None:
    """Any account of the server may say anything there."""
    if not store.is_shared:
        pytest.skip("a file has no channel")
    with watching(store) as watcher, store._engine.connect() as other:
        for _ in range(3):
            other.exec_driver_sql("SELECT pg_notify('caucus_desk', %s)", (said,))
        assert not watcher.wait(0.5), "nothing was written"
        with store.write() as unit:
            unit.log(Action.LOOKED, "Ann looked", actor="Ann", precinct_id="007")
        begun = time.monotonic()
        assert watcher.wait(30)
        assert time.monotonic() - begun < 1
        assert not watcher.wait(0.3), "once for each change"


# --- beside the turn ------------------------------------------------------------------------------


def test_drafts_are_saved_on_a_shared_store_while_another_desk_has_the_turn(store: Store) -> None:
    if not store.is_shared:
        pytest.skip("in a file everybody who writes takes turns")
    with store.write() as unit:
        draft = unit.claim_draft("007", Channel.PHONE, "Ann", "window 1")
    other = Store.open(address(store))
    with other, other.write() as busy:
        busy.log(Action.LOOKED, "Bo looked", actor="Bo", precinct_id="007")
        with store.write_aside() as unit:
            unit.lock_draft(draft.id)
            assert unit.save_draft_fields(draft.id, {"attendance": "21"}, "window 1")
        with store.write_aside(patient=False) as unit:
            unit.beat("window 1", "Ann")
    with store.read() as look:
        kept = look.draft(draft.id)
        assert kept is not None
        assert kept.fields == {"attendance": "21"}
        assert look.running_windows() == {"window 1"}
        assert check_chain(look) == ()


def test_a_submit_and_a_save_of_one_draft_do_not_lose_each_other(
    store: Store, new_report: Callable[..., NewReport]
) -> None:
    """Whoever comes second is told: the save that the draft is gone, or the submit that it must try again."""
    if not store.is_shared:
        pytest.skip("in a file everybody who writes takes turns")
    with store.write() as unit:
        draft = unit.claim_draft("007", Channel.PHONE, "Ann")

    def submit() -> None:
        with store.write() as unit:
            assert unit.draft(draft.id) is not None
            with Store.open(address(store)) as other, other.write_aside() as save:
                save.lock_draft(draft.id)
                assert save.save_draft_fields(draft.id, {"attendance": "21"})
            unit.add_report(new_report("007"))
            unit.delete_draft(draft.id)

    with pytest.raises(StoreLocked, match="at the very same moment"):
        submit()
    with store.read() as look:
        kept = look.draft(draft.id)
        assert kept is not None
        assert kept.fields == {"attendance": "21"}
        assert look.reports() == {}


def test_a_beat_does_not_wait_for_a_store_that_is_held(store: Store) -> None:
    if store.is_shared:
        pytest.skip("a beat on a shared store needs no turn")
    with Store.open(store.path) as other, other.write():
        begun = time.monotonic()
        with pytest.raises(StoreLocked), store.write_aside(patient=False) as unit:
            unit.beat("window 1", "Ann")
        assert time.monotonic() - begun < 2
    with store.write_aside(patient=False) as unit:
        unit.beat("window 1", "Ann")


# --- which windows run ------------------------------------------------------------------------------


def test_a_window_counts_as_gone_after_its_goodbye_or_a_long_silence(store: Store) -> None:
    with store.write_aside() as unit:
        for window in ("ends", "silent", "runs"):
            unit.beat(window, "Ann")
    with store.write_aside() as unit:
        unit.end_beats("ends")
        now = unit.now
        unit.tell_time(now - SILENT - timedelta(seconds=1))
        unit.beat("silent", "Ann")
        unit.tell_time(now - SILENT + timedelta(seconds=20))
        unit.beat("runs", "Ann")
    with store.read() as look:
        running = look.running_windows()
        if store.is_shared:  # nobody is silent for longer than the server runs: this one may just have begun
            begun = look._clock()[1]
            assert begun is not None
            if begun > now - SILENT:
                running -= {"silent"}
        assert running == {"runs"}


def test_windows_of_yesterday_are_forgotten(store: Store) -> None:
    with store.write_aside() as unit:
        now = unit.now
        unit.tell_time(now - timedelta(days=2))
        unit.beat("old", "Ann")
        unit.tell_time(now)
        unit.beat("new", "Ann")
        unit.forget_beats()
        rows = unit._cursor.execute("SELECT id, seen FROM desk_beat").fetchall()
    assert rows == [("new", to_text(now))]


# --- submits that are made once -----------------------------------------------------------------------


def test_a_token_stands_for_one_submit(store: Store, new_report: Callable[..., NewReport]) -> None:
    with store.write() as unit:
        report = unit.add_report(new_report())
        unit.add_submission("abc", report.id, "{}")
    with store.read() as look:
        assert look.submission("abc") == (report.id, "{}")
        assert look.submission("xyz") is None
    with pytest.raises(Exception, match=r"(?i)unique|duplicate"), store.write() as unit:
        unit.add_submission("abc", report.id, "{}")


def test_a_server_that_nobody_answers_at_is_not_tried_again_at_once(store: Store) -> None:
    if not store.is_shared:
        pytest.skip("about a server")
    lines = store._place.lines  # type: ignore[attr-defined]
    lines.say_gone(30)
    begun = time.monotonic()
    for _ in range(20):
        with pytest.raises(StoreUnreachable, match="does not answer"), store.read():
            pass
        with pytest.raises(StoreUnreachable, match="does not answer"), store.write():
            pass
    assert time.monotonic() - begun < 2
    with watching(store):  # whoever watches tries all the same, and says that it is back
        pass
    with store.read() as look:
        assert look.last_seq() > 0
