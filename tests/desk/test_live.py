"""Windows that come and go: what they hold, what they hear, and submits that are made once."""

import threading
import time
from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest

from caucus_desk.desk import entry
from caucus_desk.desk.live import Live
from caucus_desk.desk.session import Desk
from caucus_desk.rules.errors import Refused
from caucus_desk.store.actions import Action
from caucus_desk.store.beats import SILENT
from caucus_desk.tally.report import Channel
from caucus_desk.tally.sheet import ResultSheet

PHONE, PAPER = Channel.PHONE, Channel.PAPER


def soon(done: Callable[[], object], seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.02)


def beat(desk: Desk, window: str, *, ago: timedelta = timedelta(0)) -> None:
    with desk.store.write_aside() as unit:
        unit.tell_time(unit.now - ago)
        unit.beat(window, "Ann")


def goodbye(desk: Desk, window: str) -> None:
    with desk.store.write_aside() as unit:
        unit.end_beats(window)


@pytest.fixture
def long_running_server(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests' server may have begun less than 45 seconds ago; here it runs since long."""
    from caucus_desk.store.beats import BeatReading

    clock = BeatReading._clock
    monkeypatch.setattr(BeatReading, "_clock", lambda self: (clock(self)[0], None))


# --- what a window holds --------------------------------------------------------------------------------


def test_a_sheet_is_its_windows_while_that_is_heard_of(desk: Desk) -> None:
    beat(desk, "w1")
    entry.claim(desk, "A-1", PHONE, "Ann", window="w1")
    assert entry.open_drafts(desk) == ()
    with pytest.raises(Refused, match="Ann has the phone sheet"):
        entry.claim(desk, "A-1", PHONE, "Bo", window="w2")


@pytest.mark.parametrize("how", ["goodbye", "silence"])
def test_a_sheet_whose_window_is_gone_is_for_anybody(desk: Desk, how: str, long_running_server: None) -> None:
    beat(desk, "w1")
    draft = entry.claim(desk, "A-1", PHONE, "Ann", window="w1")
    entry.save_draft(desk, draft.id, {"attendance": "100"}, "Ann", draft.updated, "w1")
    if how == "goodbye":
        goodbye(desk, "w1")
    else:
        beat(desk, "w1", ago=SILENT + timedelta(seconds=1))
    assert [one.id for one in entry.open_drafts(desk)] == [draft.id]
    assert [one.id for one in entry.drafts(desk, "Ann")] == [draft.id], "still hers, until another takes it"
    beat(desk, "w2")
    taken = entry.claim(desk, "A-1", PHONE, "Bo", window="w2")
    assert (taken.by, taken.desk, dict(taken.fields)) == ("Bo", "w2", {"attendance": "100"})
    assert set(taken.typists) == {"Ann", "Bo"}, "whoever has it before them knows it"
    with desk.store.read() as unit:
        last = unit.audit_trail(limit=1)[0]
    assert last.action == Action.TAKEN_OVER
    assert last.actor == "Bo"
    assert entry.open_drafts(desk) == ()
    with pytest.raises(Refused, match="Bo has taken this draft over"):
        entry.save_draft(desk, draft.id, {"attendance": "101"}, "Ann", None, "w1")


def test_it_is_her_own_again_in_another_window_without_a_word(desk: Desk) -> None:
    beat(desk, "w1")
    draft = entry.claim(desk, "A-1", PHONE, "Ann", window="w1")
    goodbye(desk, "w1")
    beat(desk, "w2")
    again = entry.claim(desk, "A-1", PHONE, "Ann", window="w2")
    assert again.id == draft.id
    assert entry.open_drafts(desk) == ()


def test_what_no_window_ever_had_open_is_kept_as_long_as_before(desk: Desk) -> None:
    draft = entry.claim(desk, "A-1", PHONE, "Ann")
    assert entry.open_drafts(desk) == ()
    with pytest.raises(Refused, match="after 10 minutes without a key"):
        entry.claim(desk, "A-1", PHONE, "Bo")
    with pytest.raises(Refused, match="still keying"):
        entry.take_over(desk, draft.id, "Bo")


def test_whoever_keyed_the_other_sheet_cannot_take_up_what_a_dead_window_left(
    desk: Desk, good_sheet: ResultSheet
) -> None:
    paper = entry.claim(desk, "A-1", PAPER, "Bo")
    entry.submit(desk, paper.id, good_sheet, "Bo", reasons={})
    entry.claim(desk, "A-1", PHONE, "Ann", window="never heard of")
    with pytest.raises(entry.Barred, match="another person"):
        entry.claim(desk, "A-1", PHONE, "Bo", window="w2")


def test_what_a_window_saved_itself_is_never_another_windows(desk: Desk) -> None:
    """The answer to a save got lost: the window tries again, and knows the draft all the same."""
    draft = entry.claim(desk, "A-1", PHONE, "Ann", window="w1")
    entry.save_draft(desk, draft.id, {"attendance": "1"}, "Ann", draft.updated, "w1")
    entry.save_draft(desk, draft.id, {"attendance": "10"}, "Ann", draft.updated, "w1")
    with pytest.raises(entry.StaleWindow):
        entry.save_draft(desk, draft.id, {"attendance": "11"}, "Ann", draft.updated, "w2")


# --- submits that are made once ---------------------------------------------------------------------------


def test_a_submit_that_is_sent_again_is_answered_as_it_was(desk: Desk, good_sheet: ResultSheet) -> None:
    draft = entry.claim(desk, "A-1", PAPER, "Ann")
    assert entry.answered(desk, "t1") is None
    first = entry.submit(desk, draft.id, good_sheet, "Ann", reasons={}, token="t1")
    seq = desk.saved_seq()
    for _ in range(2):
        assert entry.submit(desk, draft.id, good_sheet, "Ann", reasons={}, token="t1") == first
    assert entry.answered(desk, "t1") == first
    assert desk.saved_seq() == seq, "nothing was written"
    with pytest.raises(Refused, match="no longer there"):
        entry.submit(desk, draft.id, good_sheet, "Ann", reasons={}, token="t2")


def test_what_was_refused_is_asked_again_with_the_same_token(desk: Desk, good_sheet: ResultSheet) -> None:
    draft = entry.claim(desk, "A-1", PAPER, "Ann")
    with pytest.raises(entry.EmptyBoxes):
        entry.submit(desk, draft.id, ResultSheet(None, good_sheet.groups), "Ann", reasons={}, token="t1")
    assert entry.answered(desk, "t1") is None
    assert entry.submit(desk, draft.id, good_sheet, "Ann", reasons={}, token="t1").receipt


def test_two_that_are_sent_at_once_make_one_report(desk: Desk, good_sheet: ResultSheet) -> None:
    draft = entry.claim(desk, "A-1", PAPER, "Ann")
    answers = []

    def send() -> None:
        answers.append(entry.submit(desk, draft.id, good_sheet, "Ann", reasons={}, token="t1"))

    threads = [threading.Thread(target=send) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 4
    assert len(set(answers)) == 1
    with desk.store.read() as unit:
        assert len(unit.history("A-1")) == 1


# --- a window's ear and pulse ------------------------------------------------------------------------------


class Heard:
    def __init__(self, desk: Desk) -> None:
        self.changes = 0
        self.reached: list[bool] = []
        self.live = Live(
            desk, changed=self._changed, reachable=lambda answers, _: self.reached.append(answers)
        )

    def _changed(self) -> None:
        self.changes += 1


@pytest.fixture
def heard(desk: Desk) -> Iterator[Heard]:
    made = Heard(desk)
    made.live.by = "Ann"
    made.live.start()
    yield made
    made.live.stop()


def test_a_window_is_heard_of_until_it_says_goodbye(desk: Desk, heard: Heard) -> None:
    def running() -> frozenset[str]:
        with desk.store.read() as unit:
            return unit.running_windows()

    soon(lambda: running() == {heard.live.window})
    heard.live.stop()
    assert running() == frozenset()


def test_a_window_hears_what_is_saved(desk: Desk, heard: Heard) -> None:
    soon(lambda: heard.changes)
    before = heard.changes
    entry.claim(desk, "A-1", PHONE, "Bo")
    soon(lambda: heard.changes > before)
    assert heard.reached == []


def test_signs_of_life_are_no_events(desk: Desk, heard: Heard) -> None:
    seq = desk.saved_seq()

    def running() -> bool:
        with desk.store.read() as unit:
            return bool(unit.running_windows())

    soon(running)
    heard.live.stop()
    assert desk.saved_seq() == seq
