"""ack, audit and report."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from python_calamine import CalamineWorkbook

Run = Callable[..., Any]


@pytest.fixture
def doubtful(run: Run, store: str) -> str:
    """One precinct gave a delegate too many; phone and paper agree on it."""
    text = (
        Path("results.csv")
        .read_text(encoding="utf-8")
        .replace("A-1,Buttigieg,36,38,2", "A-1,Buttigieg,36,38,3")
    )
    Path("results.csv").write_text(text, encoding="utf-8")
    for channel, by in (("phone", "Anna"), ("paper", "Bo")):
        assert run("load", store, "results.csv", "--channel", channel, "--by", by).code == 0
    return store


def test_ack_verifies_what_waited_for_it(run: Run, doubtful: str) -> None:
    assert run("results", doubtful, "--json").json["precincts"]["verified"] == 2
    refused = run("ack", doubtful, "A-1", "C14", "--by", "anna", "--reason", "the room insists")
    assert (refused.code, refused.out) == (3, "")
    assert refused.err == (
        "Anna keyed the phone report of North Ward, Alpha: another person must acknowledge C14.\n"
    )
    done = run("ack", doubtful, "A-1", "C14", "--by", "Cy", "--reason", "the chair confirms", "--json")
    assert done.code == 0
    assert (done.json["finding"], done.json["by"], done.json["verified"]) == ("C14", "Cy", True)
    assert (done.json["state"], done.json["open_errors"]) == ("matched", [])
    assert run("results", doubtful, "--json").json["precincts"]["verified"] == 3
    again = run("ack", doubtful, "A-1", "C14", "--by", "Di", "--reason", "heard it too", "--json")
    assert (again.code, again.json["exit_code"]) == (3, 3)
    assert "already" in again.json["error"]


def test_ack_of_what_is_not_there(run: Run, doubtful: str) -> None:
    for precinct, finding, word in (
        ("A-1", "C07", "does not show"),
        ("Z-9", "C14", "Z-9"),
        ("A-1", "X1", "X1"),
    ):
        refused = run("ack", doubtful, precinct, finding, "--by", "Cy", "--reason", "r")
        assert refused.code == 3
        assert word in refused.err


def test_the_trail_says_who_did_what_newest_first(run: Run, doubtful: str) -> None:
    run("ack", doubtful, "A-1", "C14", "--by", "Cy", "--reason", "the chair confirms")
    page = run("audit", doubtful, "--json").json
    assert page["older"] is None
    events = page["events"]
    assert [event["seq"] for event in events] == list(range(len(events), 0, -1))
    assert events[-1]["action"] == "created"
    given = next(event for event in events if event["action"] == "acknowledged")
    assert (given["who"], given["precinct_id"]) == ("Cy", "A-1")
    assert "the chair confirms" in given["what"]
    only = run("audit", doubtful, "--precinct", "SAT-1", "--json").json["events"]
    assert {event["precinct_id"] for event in only} == {"SAT-1"}
    assert "the chair confirms" in run("audit", doubtful).out


def test_the_trail_is_paged(run: Run, doubtful: str) -> None:
    first = run("audit", doubtful, "--limit", 3, "--json").json
    assert len(first["events"]) == 3
    then = run("audit", doubtful, "--limit", 3, "--before", first["older"], "--json").json
    assert then["events"][0]["seq"] == first["events"][-1]["seq"] - 1
    for wrong in (("--limit", 0), ("--before", 0), ("--precinct", "Z-9")):
        assert run("audit", doubtful, *wrong).code == 3


def test_report_writes_a_workbook_that_adds_up(run: Run, reported: str) -> None:
    done = run("report", reported, "out.xlsx", "--json")
    assert done.code == 0, done.err
    assert done.json["workbook"] == str(Path("out.xlsx").absolute())
    assert done.json["banner"] == "UNOFFICIAL, PARTIAL: 3 of 5 precincts (60.0%), all 2 counties"
    sheets = {sheet["sheet"]: sheet["rows"] for sheet in done.json["sheets"]}
    assert sheets["Precincts"] == 6, "the merged one is listed too"
    assert set(sheets) <= set(CalamineWorkbook.from_path("out.xlsx").sheet_names)
    plain = run("report", reported, "verified.xlsx", "--counting", "verified")
    assert plain.out.startswith("Wrote verified.xlsx, read it back, and it adds up: UNOFFICIAL")


def test_a_report_that_cannot_be_written_leaves_what_was_there(run: Run, reported: str) -> None:
    Path("folder.xlsx").mkdir()
    refused = run("report", reported, "folder.xlsx")
    assert refused.code == 3
    assert "folder" in refused.err
    missing = run("report", reported, "nosuch/out.xlsx")
    assert missing.code == 3
    assert "Traceback" not in missing.err


def test_ack_says_what_still_stands_in_the_way(run: Run, store: str) -> None:
    text = Path("results.csv").read_text(encoding="utf-8")
    text = text.replace("A-1,Buttigieg,36,38,2", "A-1,Buttigieg,36,68,3")
    Path("results.csv").write_text(text, encoding="utf-8")
    assert run("load", store, "results.csv", "--channel", "phone", "--by", "Anna").code == 0
    words = ("ack", store, "A-1", "C14", "--by", "Cy", "--reason", "the chair confirms")
    done = run(*words)
    assert done.code == 0, done.err
    assert "not verified yet, because only the phone report is in and " in done.out
    assert "C02" in done.out.partition("still open: ")[2]
    Path("paper.csv").write_text(text.replace("A-1,Biden,14,16", "A-1,Biden,13,16"), encoding="utf-8")
    assert run("load", store, "paper.csv", "--channel", "paper", "--by", "Bo").code == 0
    differing = run("ack", store, "A-1", "C02", "--by", "Cy", "--reason", "the chair confirms")
    assert "because its reports differ in 1 field" in differing.out, differing.err


def test_report_says_when_it_replaced_an_earlier_file(run: Run, reported: str) -> None:
    first = run("report", reported, "out.xlsx")
    assert "replaced" not in first.out
    again = run("report", reported, "out.xlsx")
    assert again.out.endswith("It replaced the earlier out.xlsx.\n")
    assert run("report", reported, "out.xlsx", "--json").json["replaced"] is True
    verified = run("report", reported, "verified.xlsx", "--counting", "verified")
    assert verified.out.endswith("; counted in it: 2 verified precincts.\n")
