"""status, results, findings, mismatches: the JSON that scripts build on, and the text for people."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

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
    ]
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
    assert text.out.endswith("1 field in 1 precinct do not match.\n")


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
