"""`recanvass` as a person types it: opened, loaded, shown, taken, ended."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]

OPEN = (
    "--for",
    "Sanders",
    "--reason",
    "the totals look wrong",
    "--deadline",
    "2031-02-10T12:00",
    "--by",
    "Lea",
)
AGAIN = """precinct_id,candidate,first_alignment,final_alignment,county_delegates,attendance
A-1,Biden,14,16,1,100
A-1,Buttigieg,36,36,2,
A-1,Sanders,24,26,2,
A-1,Warren,22,22,1,
A-1,Yang,4,0,0,
"""


@pytest.fixture
def counted(run: Run, store: str) -> str:
    for channel, name in (("phone", "Anna"), ("paper", "Bo")):
        assert run("load", store, "results.csv", "--channel", channel, "--by", name).code == 0
    return store


def test_a_whole_recanvass(run: Run, counted: str) -> None:
    opened = run("recanvass", "open", counted, "--precinct", "A-1", "77-DM42", *OPEN)
    assert opened.code == 0, opened.err
    assert "Lea opened recanvass 1 of 2 precincts: A-1, 77-DM42." in opened.out
    assert "no release yet" in opened.out
    Path("again.csv").write_text(AGAIN, encoding="utf-8")
    refused = run("recanvass", "load", counted, 1, "again.csv", "--by", "Anna")
    assert refused.code == 3
    assert "keyed neither report" in refused.err
    loaded = run("recanvass", "load", counted, 1, "again.csv", "--by", "Fay")
    assert loaded.code == 0, loaded.err
    assert "Buttigieg final 38 to 36; Sanders final 24 to 26" in loaded.out
    listed = run("recanvass", "list", counted)
    assert listed.code == 1
    assert "1 of 2" in listed.out
    shown = run("recanvass", "show", counted, 1, "--json").json
    (one,) = shown["precincts"]
    assert one["fields"] == [
        {"field": "Buttigieg.final", "released": 38, "keyed": 36},
        {"field": "Sanders.final", "released": 24, "keyed": 26},
    ]
    assert shown["recanvass"]["left"] == ["77-DM42"]
    before = run("results", counted, "--json").json["rows"]
    taken = run("recanvass", "take", counted, 1, "A-1", "--reason", "the paper is plain", "--by", "Rita")
    assert taken.code == 0, taken.err
    assert "it is mismatched now" in taken.out
    assert run("results", counted, "--json").json["rows"] != before
    ended = run("recanvass", "end", counted, 1, "--outcome", "two people moved", "--by", "Lea")
    assert "with 1 precinct not keyed" in ended.out
    assert "Ended" in run("recanvass", "show", counted, 1).out
    held = [item["id"] for item in run("release", "gate", counted, "--json").json["items"] if item["holds"]]
    passes = [word for id in held for word in ("--pass", f"{id}=known and looked at")]
    assert run("release", "make", counted, *passes, "--by", "Lea").code == 0
    assert (
        "Recanvass 1, asked for by Sanders, ended: two people moved" in run("release", "show", counted, 1).out
    )
    assert run("check", counted).code == 0


def test_a_county_the_ten_and_a_recount(run: Run, counted: str) -> None:
    county = run("recanvass", "open", counted, "--county", "polk", *OPEN, "--json")
    assert county.code == 3, "nothing is in of Walnut Township"
    ten = run("recanvass", "open", counted, "--ten", *OPEN, "--json")
    assert set(ten.json["recanvass"]["precincts"]) == {"A-1", "77-DM42", "SAT-1"}
    recount = run("recanvass", "open", counted, "--recount", "--precinct", "A-1", *OPEN)
    assert "opened recount 2" in recount.out
    Path("cards.csv").write_text(AGAIN.replace("1,100", "1,98"), encoding="utf-8")
    assert run("recanvass", "load", counted, 2, "cards.csv", "--by", "Gus").code == 3
    loaded = run(
        "recanvass", "load", counted, 2, "cards.csv", "--by", "Gus", "--note", "as they were counted"
    )
    assert loaded.code == 0, loaded.err


def test_wrong_use_is_told(run: Run, counted: str) -> None:
    assert run("recanvass", "show", counted, 1).code == 3
    wrong = ("--for", "Sanders", "--reason", "looks wrong", "--deadline", "soon", "--by", "Lea")
    refused = run("recanvass", "open", counted, "--precinct", "A-1", *wrong)
    assert refused.code == 3
    assert "2020-02-10 12:00" in refused.err
    assert run("recanvass", "list", counted).out == "No recanvass was opened yet.\n"
