"""`progress`: the night's figures, in lines for people and as one document."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]


@pytest.fixture
def corrected(run: Run, reported: str) -> str:
    """77-DM42 was verified; then its paper comes again with other numbers."""
    head, *rows = Path("results.csv").read_text(encoding="utf-8").splitlines()
    other = [row.replace("20,22,2", "20,21,2") for row in rows if row.startswith("77-DM42")]
    Path("again.csv").write_text("\n".join([head, *other]) + "\n", encoding="utf-8")
    done = run(
        "load", reported, "again.csv", "--channel", "paper", "--by", "Bo", "--correct", "the chair rang again"
    )
    assert done.code == 0, done.err
    return reported


def test_an_empty_night(run: Run, store: str) -> None:
    said = run("progress", store)
    assert said.code == 0
    assert "Nothing has come in yet." in said.out
    document = run("progress", store, "--json").json
    assert document["begin"] is None
    assert document["curve"] == document["quarters"] == document["corrections"] == document["people"] == []
    assert document["precincts"] == {"total": 5, "reporting": 0, "verified": 0}


def test_the_document_agrees_with_status_and_mismatches(run: Run, reported: str) -> None:
    night = run("progress", reported, "--json").json
    status = run("status", reported, "--json").json
    for key in ("total", "reporting", "verified"):
        assert night["precincts"][key] == status["precincts"][key]
        assert sum(county[key] for county in night["counties"]) == night["precincts"][key]
    last = night["curve"][-1]
    assert (last["reporting"], last["verified"]) == (3, night["precincts"]["verified"])
    differing = {one["precinct_id"] for one in run("mismatches", reported, "--json").json["mismatches"]}
    assert {one["precinct_id"] for one in night["mismatches"]["open"]} == differing == {"A-1"}
    assert night["calls"] == 0, "a file is no call"
    assert night["people"] == [], "nobody keyed what came from files"


def test_a_correction_is_told_with_what_moved(run: Run, corrected: str) -> None:
    (one,) = run("progress", corrected, "--json").json["corrections"]
    assert (one["precinct_id"], one["what"], one["by"]) == ("77-DM42", "correction", "Bo")
    assert one["reason"] == "the chair rang again"
    assert (one["was_verified"], one["verified"], one["state"]) == (True, False, "mismatched")
    assert one["delegates_moved"] == one["sde_moved"] == {}
    said = run("progress", corrected).out
    assert "Bo corrected DES MOINES-42, Polk: the chair rang again." in said
    assert "It was verified then and is mismatched now. Delegates moved: none." in said
    assert "2 mismatches wait" in said


def test_where_most_is_missing_is_listed(run: Run, reported: str) -> None:
    lines = run("progress", reported).out.splitlines()
    first = lines[lines.index("Where most is missing:") + 2].split()
    assert first == ["Alpha", "1", "2", "50.0%"]
