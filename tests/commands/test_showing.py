"""status, results, findings, mismatches: the JSON that scripts build on, and the text for people."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from caucus_desk.store import files
from caucus_desk.store.errors import read_only

Run = Callable[..., Any]

GROUP_KEYS = {
    "group",
    "first",
    "final",
    "delegates",
    "delegates_computed",
    "sde",
    "sde_exact",
    "sde_computed",
    "sde_computed_exact",
}


def test_results_has_the_promised_keys(run: Run, reported: str) -> None:
    said = run("results", reported, "--json")
    assert said.code == 0
    document = said.json
    assert list(document) == [
        "caucus",
        "rules",
        "counting",
        "as_of",
        "precincts",
        "by",
        "rows",
        "national_delegates",
        "unscaled",
    ]
    assert document["unscaled"] == []
    assert (document["caucus"], document["rules"], document["counting"]) == ("Small", "iowa-2020", "reported")
    assert document["precincts"] == {
        "total": 5,
        "reporting": 3,
        "verified": 2,
        "counties_reporting": 2,
        "counties": 2,
    }
    (row,) = document["rows"]
    assert set(row) == {"key", "name", "first_total", "final_total", "delegates_total", "groups"}
    assert (row["key"], row["first_total"], row["final_total"], row["delegates_total"]) == (
        "state",
        169,
        170,
        15,
    )
    assert all(set(group) == GROUP_KEYS for group in row["groups"])
    assert [group["group"] for group in row["groups"]][:4] == ["Bennet", "Biden", "Bloomberg", "Buttigieg"]
    warren = next(group for group in row["groups"] if group["group"] == "Warren")
    # 1 of the county's 11 for 4, 2 of 5 for 3, and 2 of the site's 5 for its pool's 2.
    assert (warren["sde_exact"], warren["sde"]) == ("26/11", 2.3636)


def test_national_delegates_stand_by_pool(run: Run, reported: str) -> None:
    pools = run("results", reported, "--json").json["national_delegates"]
    assert set(pools) == {"districts", "at_large", "pleo", "total"}
    assert set(pools["districts"]) == {"1", "2", "3", "4"}
    assert sum(pools["at_large"].values()) == 9
    assert sum(pools["pleo"].values()) == 5
    assert sum(pools["districts"]["1"].values()) == 6, "the seventh hangs on a tie, which nobody here decides"
    assert "a tie for the last seat among Buttigieg, Sanders" in run("results", reported).out
    assert pools["districts"]["2"] == {}, "nothing is in from there"
    summed: dict[str, int] = {}
    for seats in (*pools["districts"].values(), pools["at_large"], pools["pleo"]):
        for group, count in seats.items():
            summed[group] = summed.get(group, 0) + count
    assert pools["total"] == summed


def test_rows_by_district_county_and_precinct(run: Run, reported: str) -> None:
    def keys(by: str) -> list[str]:
        return [row["key"] for row in run("results", reported, "--by", by, "--json").json["rows"]]

    assert keys("district") == ["1", "3", "out-of-state"]
    assert keys("county") == ["Alpha", "Polk", "Satellite out of state"]
    assert keys("precinct") == ["A-1", "A-2", "77-DM42", "007", "SAT-1"]


def test_counting_verified_leaves_the_mismatch_out(run: Run, reported: str) -> None:
    document = run("results", reported, "--counting", "verified", "--json").json
    assert document["counting"] == "verified"
    assert document["rows"][0]["first_total"] == 70
    text = run("results", reported, "--counting", "verified").out
    assert text.startswith(
        "Small: UNOFFICIAL, VERIFIED ONLY: 2 verified precincts counted; 3 of 5 precincts have reported\n"
    )
    assert "Statewide: 2 of 5 precincts counted" in text


def test_the_text_names_each_group_and_the_banner(run: Run, reported: str) -> None:
    said = run("results", reported)
    assert "UNOFFICIAL, PARTIAL: 3 of 5 precincts (60.0%), all 2 counties, counting reported" in said.out
    assert "Buttigieg" in said.out
    assert "Klobuchar" not in said.out, "nobody there"


def test_mismatches_stand_channel_beside_channel(run: Run, reported: str) -> None:
    said = run("mismatches", reported, "--json")
    assert said.code == 1
    assert said.json == {
        "mismatches": [
            {
                "precinct_id": "A-1",
                "county": "Alpha",
                "precinct": "North Ward",
                "field": "Biden.first",
                "group": "Biden",
                "values": {"phone": 14, "paper": 13},
            }
        ]
    }
    text = run("mismatches", reported)
    assert text.code == 1
    assert text.out.endswith("1 field in 1 precinct does not match.\n")


def test_no_mismatch_is_0(run: Run, store: str) -> None:
    said = run("mismatches", store, "--json")
    assert (said.code, said.json) == (0, {"mismatches": []})


def test_findings_by_severity(run: Run, store: str) -> None:
    text = (
        Path("results.csv")
        .read_text(encoding="utf-8")
        .replace("A-1,Buttigieg,36,38,2", "A-1,Buttigieg,36,38,3")
    )
    Path("results.csv").write_text(text, encoding="utf-8")
    assert run("load", store, "results.csv", "--channel", "paper", "--by", "Bo").code == 0
    said = run("findings", store, "--severity", "error", "--json")
    assert said.code == 1
    assert said.json["counts"] == {"C14": 1}
    (found,) = said.json["findings"]
    assert set(found) == {
        "precinct_id",
        "county",
        "precinct",
        "channel",
        "id",
        "severity",
        "fields",
        "message",
    }
    assert (found["precinct_id"], found["channel"], found["severity"]) == ("A-1", "paper", "error")
    assert "7" in found["message"]
    assert "6" in found["message"]
    every = run("findings", store, "--json").json
    assert set(every["counts"]) > {"C14"}
    assert sum(every["counts"].values()) == len(every["findings"])
    assert "C14 error" in run("findings", store).out


def test_status_lists_states_counties_and_what_is_missing(run: Run, reported: str) -> None:
    said = run("status", reported, "--json")
    assert said.code == 0
    assert said.json["states"] == {"awaiting": 2, "mismatched": 1, "matched": 2, "single": 0, "ruled": 0}
    assert [entry["precinct_id"] for entry in said.json["missing"]] == ["A-2", "007"]
    alpha = said.json["counties"][0]
    assert (alpha["county"], alpha["total"], alpha["reporting"], alpha["mismatched"]) == ("Alpha", 2, 1, 1)
    assert "Missing: 2 precincts." in run("status", reported).out


BARE_ROSTER = "county,precinct,precinct_id,county_delegates\nAlpha,North,A-1,6\nPolk,DM42,77-DM42,4\n"
BARE_RESULTS = """precinct_id,candidate,first_alignment,final_alignment,county_delegates,attendance
A-1,Sanders,60,60,4,100
A-1,Warren,40,40,2,
"""


def test_sdes_that_cannot_be_worked_out_are_a_dash_and_not_zero(run: Run) -> None:
    Path("bare.csv").write_text(BARE_ROSTER, encoding="utf-8")
    Path("bare-results.csv").write_text(BARE_RESULTS, encoding="utf-8")
    made = run("new", "bare.sqlite", "--rules", "iowa-2020", "--roster", "bare.csv")
    assert "Add the column county_state_delegates to the roster" in made.err
    assert run("load", "bare.sqlite", "bare-results.csv", "--channel", "phone", "--by", "Anna").code == 0
    text = run("results", "bare.sqlite").out
    (warren,) = [line.split() for line in text.splitlines() if line.startswith("Warren")]
    assert warren == ["Warren", "40", "40", "2", "2", "–", "–"]
    (total,) = [line.split() for line in text.splitlines() if line.startswith("total")]
    assert total[-2:] == ["–", "–"]
    assert "0.0000" not in text
    assert "National delegates, from the sheets as reported: none can be worked out." in text
    assert "No SDEs of Alpha, Polk: the roster does not state their state delegates. Add the column" in text
    document = run("results", "bare.sqlite", "--json").json
    assert document["unscaled"] == ["Alpha", "Polk"]
    sanders = next(group for group in document["rows"][0]["groups"] if group["group"] == "Sanders")
    assert (sanders["sde"], sanders["sde_exact"]) == (0, "0"), "numbers stay numbers for scripts"
    assert run("report", "bare.sqlite", "bare.xlsx").code == 0


def test_findings_are_listed_by_severity_and_summed_up(run: Run, store: str) -> None:
    text = Path("results.csv").read_text(encoding="utf-8")
    text = text.replace("77-DM42,Sanders,20,22,2,40", "77-DM42,Sanders,20,22,3,40")
    text = text.replace("SAT-1,Warren,12,12,2", "SAT-1,Warren,22,12,2")
    Path("results.csv").write_text(text, encoding="utf-8")
    assert run("load", store, "results.csv", "--channel", "paper", "--by", "Bo").code == 0
    found = run("findings", store)
    lines = found.out.splitlines()
    words = [line.split()[1] for line in lines[:-3]]
    assert set(words) == {"error", "warning", "note"}
    assert words == sorted(words, key=["error", "warning", "note"].index)
    assert lines[-3].startswith(f"{len(words)} findings: {words.count('error')} error")
    assert lines[-2].startswith("Errors and warnings that nobody has acknowledged yet: ")
    assert lines[-1].startswith("By kind: C")
    Path("empty.csv").write_text(BARE_ROSTER, encoding="utf-8")
    assert run("new", "empty.sqlite", "--rules", "iowa-2020", "--roster", "empty.csv").code == 0
    nothing = run("findings", "empty.sqlite")
    assert (nothing.code, nothing.out) == (0, "No findings.\n")


def test_a_store_that_may_only_be_read_is_shown(
    run: Run, reported: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a disk that is sealed: nothing can be written beside the store."""

    def sealed(path: Path) -> None:
        raise read_only(str(path))

    monkeypatch.setattr(files, "check_file", sealed)
    before = Path(reported).read_bytes()
    for command in ("status", "results", "findings", "mismatches", "audit", "check"):
        shown = run(command, reported)
        assert shown.code in (0, 1), command
        assert shown.out
        assert shown.err == f"Note: {Path(reported).resolve()} is read-only; nothing can be saved in it.\n"
    for words in (
        ("ack", reported, "A-1", "C14", "--by", "Cy", "--reason", "the chair confirms"),
        ("load", reported, "results.csv", "--channel", "app", "--by", "Cy"),
    ):
        assert run(*words).code == 4
    for words in (("report", reported, "out.xlsx"), ("forms", reported, "Polk", "form.xlsx", "--by", "Cy")):
        written = run(*words)
        assert (written.code, Path(words[-1] if words[0] == "report" else words[3]).exists()) == (0, True)
        assert written.err == ("Note: Nothing could be noted in the trail: this store can only be read.\n")
    assert run("report", reported, "out.xlsx", "--json").json["noted"] is False
    assert Path(reported).read_bytes() == before


def test_a_release_goes_out_of_a_store_that_may_only_be_read(
    run: Run, reported: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    passes = [
        word
        for item in run("release", "gate", reported, "--json").json["items"]
        if item["holds"]
        for word in ("--pass", f"{item['id']}=all of it was asked for")
    ]
    assert run("release", "make", reported, *passes, "--by", "Cy").code == 0

    def sealed(path: Path) -> None:
        raise read_only(str(path))

    monkeypatch.setattr(files, "check_file", sealed)
    before = Path(reported).read_bytes()
    for name in ("one.csv", "one.json", "one.xlsx"):
        written = run("release", "export", reported, "1", name)
        assert written.code == 0, written.err
        assert "this store can only be read" in written.err
        assert run("release", "verify", name, "--store", reported).code == 0
    assert Path(reported).read_bytes() == before


def test_rows_left_blank_in_part_say_why_they_differ(run: Run, store: str) -> None:
    rows = Path("results.csv").read_text(encoding="utf-8").replace("A-1,Yang,4,0,0,", "A-1,Yang,4,,0,")
    Path("partly.csv").write_text(rows, encoding="utf-8")
    for channel, by in (("phone", "Anna"), ("paper", "Bo")):
        assert run("load", store, "partly.csv", "--channel", channel, "--by", by).code == 0
    lines = run("mismatches", store).out.splitlines()
    (told,) = [line for line in lines if "Yang.final" in line]
    assert told.count("blank") == 3, "both values, and why they differ all the same"
    assert told.endswith("a row left blank in part equals nothing")
    assert lines[0].endswith("why")
