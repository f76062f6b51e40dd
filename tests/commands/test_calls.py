"""`calls`: what came by telephone, and who is to be called back."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from caucus_desk.desk.calls import CallEnd, Caller, record_call
from caucus_desk.desk.entry import claim, submit
from caucus_desk.desk.session import open_desk
from caucus_desk.tally.report import Channel
from caucus_desk.tally.sheet import GroupCounts, ResultSheet

Run = Callable[..., Any]
SHEET = ResultSheet(61, (GroupCounts("Sanders", 41, 41, 4), GroupCounts("Warren", 20, 20, 2)))


@pytest.fixture
def called(run: Run, store: str) -> str:
    """A report of a caller with a wrong PIN, a question and a nuisance call."""
    with open_desk(store) as desk:
        draft = claim(desk, "A-1", Channel.PHONE, "Anna")
        submit(desk, draft.id, SHEET, "Anna", reasons={}, caller=Caller("Ada", "515", "pin failed"))
        now = datetime.now(UTC)
        record_call(desk, by="Bo", ended=CallEnd.NUISANCE, at=now)
        record_call(desk, by="Bo", ended=CallEnd.QUESTION, at=now, precinct_id="A-2", notes="where?")
    return store


def test_a_store_without_calls_says_so(run: Run, store: str) -> None:
    said = run("calls", store)
    assert said.code == 0
    assert "Nobody waits for a call back." in said.out
    assert "No call has been recorded." in said.out
    assert run("calls", store, "--json").json == {"call_backs": [], "calls": []}
    assert run("calls", store, "--open").code == 0


def test_calls_are_listed_newest_first(run: Run, called: str) -> None:
    said = run("calls", called)
    assert said.code == 0
    lines = [line for line in said.out.splitlines() if "  Bo" in line or "  Anna" in line]
    assert [line.split("  ")[1] for line in lines] == ["question", "nuisance", "results taken"]
    assert "pin failed" in lines[2]
    listed = run("calls", called, "--json").json
    assert [one["ended"] for one in listed["calls"]] == ["question", "nuisance", "results taken"]
    assert listed["calls"][1]["precinct_id"] is None
    assert (listed["calls"][2]["check"], listed["calls"][2]["outcome"]) == ("pin", "failed")


def test_open_call_backs_want_a_person(run: Run, called: str) -> None:
    said = run("calls", called, "--open")
    assert said.code == 1
    assert "1 call-back to be made" in said.out
    assert "the caller failed the check of the PIN" in said.out
    (back,) = run("calls", called, "--open", "--json").json["call_backs"]
    assert (back["precinct_id"], back["why"], back["tried"]) == ("A-1", "unconfirmed report", [])
    assert "calls" not in run("calls", called, "--open", "--json").json


def test_calls_of_one_precinct_and_a_limit(run: Run, called: str) -> None:
    assert [one["ended"] for one in run("calls", called, "--precinct", "A-2", "--json").json["calls"]] == [
        "question"
    ]
    assert len(run("calls", called, "--limit", 1, "--json").json["calls"]) == 1
    refused = run("calls", called, "--limit", 0)
    assert refused.code == 3
    assert "give 1 or more" in refused.err
    assert run("calls", called, "--precinct", "nowhere").code == 3
