"""`release`: the gate, making, comparing and verifying, as scripts use them."""

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from caucus_desk.commands.releases import ITEMS
from caucus_desk.desk.gating import TITLES, title_of

Run = Callable[..., Any]
HELD = ("--pass", "doubt=the chair is being called")


@pytest.fixture
def made(run: Run, reported: str) -> str:
    done = run(
        "release", "make", reported, *HELD, "--pass", "findings=asked", "--by", "Lead", "--note", "one"
    )
    assert done.code == 0, done.err
    return reported


def test_the_gate_holds_and_says_what_by(run: Run, reported: str) -> None:
    found = run("release", "gate", reported)
    assert found.code == 1
    assert "HOLDS  doubt" in found.out
    assert "--pass ITEM=REASON" in found.out
    document = run("release", "gate", reported, "--json").json
    assert document["passable"] is False
    assert [item["id"] for item in document["items"]] == [
        "changes", "share", "empty-counties", "doubt", "findings", "rulings", "unconfirmed", "totals",
        "audit",
    ]  # fmt: skip
    refused = run("release", "make", reported, "--by", "Lead")
    assert refused.code == 3
    assert "The gate holds this release back" in refused.err
    assert run("release", "make", reported, "--pass", "doubt", "--by", "Lead").code == 2


def test_a_gate_that_holds_nothing_ends_with_0(run: Run, store: str) -> None:
    rows = Path("results.csv").read_text(encoding="utf-8") + "A-2,Sanders,50,50,5,50\n007,Warren,9,9,1,9\n"
    Path("all.csv").write_text(rows, encoding="utf-8")
    assert run("load", store, "all.csv", "--channel", "phone", "--by", "Anna").code == 0
    found = run("release", "gate", store)
    assert (found.code, "Nothing holds a release back" in found.out) == (0, True), found.out


def test_a_release_from_its_making_to_its_files(run: Run, made: str) -> None:
    listed = run("release", "list", made, "--json").json["releases"]
    assert [(one["number"], one["by"], one["note"]) for one in listed] == [(1, "Lead", "one")]
    shown = run("release", "show", made, "1")
    assert (shown.code, listed[0]["digest"] in shown.out) == (0, True)
    document = run("release", "show", made, "1", "--json").json
    assert document["digest"] == listed[0]["digest"]
    assert document["rows"] == run("results", made, "--json").json["rows"]
    for name in ("out.csv", "out.json", "out.xlsx"):
        assert run("release", "export", made, "1", name, "--by", "Lead").code == 0, name
        found = run("release", "verify", name)
        assert (found.code, listed[0]["digest_short"] in found.out) == (0, True), found.out
        assert run("release", "verify", name, "--store", made, "--json").json["ok"] is True
        against = run("release", "verify", name, "--store", made).out
        assert against.endswith(f"and they are those of release 1 in {made}.\n")
    assert run("report", made, "again.xlsx", "--release", "1", "--by", "Zoe").code == 0
    assert Path("again.xlsx").read_bytes() == Path("out.xlsx").read_bytes()


def test_a_changed_file_ends_with_1(run: Run, made: str) -> None:
    assert run("release", "export", made, "1", "out.csv", "--by", "Lead").code == 0
    text = Path("out.csv").read_text(encoding="utf-8-sig").replace("Buttigieg,36,38", "Buttigieg,36,39")
    Path("out.csv").write_text(text, encoding="utf-8-sig")
    found = run("release", "verify", "out.csv")
    assert (found.code, "NOT those released" in found.out) == (1, True)
    assert "39; 38 was released" in run("release", "verify", "out.csv", "--store", made).out
    none = run("release", "verify", "roster.csv")
    assert (none.code, "is not a release of Caucus Desk" in none.err) == (3, True)


def test_compare(run: Run, made: str) -> None:
    Path("more.csv").write_text(
        "precinct_id,candidate,first_alignment,final_alignment,county_delegates,attendance\n007,Warren,9,9,1,9\n",
        encoding="utf-8",
    )
    assert run("load", made, "more.csv", "--channel", "paper", "--by", "Bo").code == 0
    found = run("release", "compare", made, "1", "--json").json
    assert found["kinds"] == {"new": 1}
    assert found["precincts"][0]["precinct_id"] == "007"
    said = run("release", "compare", made, "1")
    assert "1 new" in said.out
    assert "+0.6000" in said.out
    assert run("release", "compare", made, "1", "1").out.startswith("Release 1 counts 3 precincts")
    assert run("release", "compare", made, "1", "4").code == 3


def test_approve_where_none_is_needed(run: Run, made: str) -> None:
    refused = run("release", "approve", made, "1", "--by", "Second")
    assert (refused.code, "needs no approval" in refused.err) == (3, True)


# ---- the releases of 2020 ----

CHECKED = "they were asked for and are on their way"


@pytest.mark.timeout(400)  # the whole state a dozen times; on a busy machine it takes minutes
def test_three_releases_of_2020(run: Run, iowa2020: Path) -> None:
    """As the party released them: 71 %, 92 %, then the certified results."""
    folder = iowa2020.resolve()
    assert run("new", "i.sqlite", "--rules", "iowa-2020", "--roster", folder / "precincts.csv").code == 0
    gates = []
    for name in ("20200204_71pct", "20200205_92pct", "final"):
        done = run("load", "i.sqlite", folder / f"results_{name}.csv", "--channel", "app", "--by", "feed")
        assert done.code == 0, done.err
        gates.append(run("release", "gate", "i.sqlite", "--json").json)
        held = [item["id"] for item in gates[-1]["items"] if item["holds"]]
        passed = [word for item in held for word in ("--pass", f"{item}={CHECKED}")]
        made = run("release", "make", "i.sqlite", *passed, "--by", "Lead")
        assert made.code == 0, made.err
    items = [{item["id"]: item for item in gate["items"]} for gate in gates]
    assert [gate["passable"] for gate in gates] == [False] * 3
    assert all(one["totals"]["ok"] and one["audit"]["ok"] for one in items)
    assert items[0]["share"]["figures"]["Precincts"] == "1,250 of 1,765 (70.8%)"
    assert items[1]["share"]["figures"]["Precincts"] == "1,624 of 1,765 (92.0%)"
    assert items[0]["empty-counties"]["figures"] == {"Counties": "99", "With nothing": "5"}
    assert items[1]["changes"]["detail"] == "Since release 1: 374 new."
    assert items[1]["changes"]["figures"]["Buttigieg"] == "+111.9874 SDE"
    assert items[1]["changes"]["figures"]["Sanders"] == "+110.1683 SDE"
    assert items[2]["changes"]["detail"] == "Since release 2: 141 new, 70 corrected, 54 completed."
    assert items[2]["empty-counties"]["ok"]
    assert "Leader can still change: no" in items[2]["doubt"]["detail"]

    first = run("release", "compare", "i.sqlite", "1", "2", "--json").json
    assert first["kinds"] == {"new": 374}
    second = run("release", "compare", "i.sqlite", "2", "3", "--json").json
    assert second["kinds"] == {"new": 141, "corrected": 70, "completed": 54}
    corrected = [one for one in second["precincts"] if one["kind"] == "corrected"]
    assert sum(not one["sde"] for one in corrected) == 28
    moved = {one["group"]: one["by_kind"] for one in second["groups"]}
    assert moved["Sanders"] == {"new": 49.0856, "corrected": -0.1495, "completed": 9.3943}

    assert run("release", "export", "i.sqlite", "3", "final.csv", "--by", "Lead").code == 0
    assert run("release", "verify", "final.csv", "--store", "i.sqlite").code == 0
    ours, theirs = published("final.csv", "utf-8-sig"), published(folder / "results_final.csv", "utf-8")
    assert ours.keys() == theirs.keys()
    assert [key for key in theirs if ours[key][:2] != theirs[key][:2]] == []
    assert run("check", "i.sqlite").code == 0


def published(file: Path | str, encoding: str) -> dict[tuple[str, str], tuple[str, str, str]]:
    with Path(file).open(encoding=encoding, newline="") as lines:
        return {
            (row["precinct_id"], row["candidate"]): (
                row["first_alignment"], row["final_alignment"], row["county_delegates"],
            )
            for row in csv.DictReader(lines)
        }  # fmt: skip


def test_the_help_names_the_items_of_the_gate(run: Run) -> None:
    assert set(ITEMS) == set(TITLES)
    for words in (("release", "gate", "--help"), ("release", "make", "--help")):
        said = " ".join(run(*words).out.split())
        assert ", ".join(ITEMS) in said.replace("empty- counties", "empty-counties")


def test_an_item_by_the_name_that_it_had_before_is_still_known(run: Run, reported: str) -> None:
    held = [one["id"] for one in run("release", "gate", reported, "--json").json["items"] if one["holds"]]
    passes = [word for id in held for word in ("--pass", f"{id}=it is only a trial")]
    made = run("release", "make", reported, *passes, "--pass", "nothing=asked for", "--by", "Lead")
    assert made.code == 0, made.err
    assert title_of("nothing") == title_of("empty-counties") == "Counties with nothing"
