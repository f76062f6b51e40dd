"""The published results of 2020 through the command line: the same totals, to the last head."""

import csv
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]


@pytest.fixture
def iowa(run: Run, iowa2020: Path) -> str:
    made = run("new", "iowa.sqlite", "--rules", "iowa-2020", "--roster", iowa2020.resolve() / "precincts.csv")
    assert made.code == 0, made.err
    done = run(
        "load",
        "iowa.sqlite",
        iowa2020.resolve() / "results_final.csv",
        "--channel",
        "app",
        "--by",
        "feed",
        "--json",
    )
    assert done.code == 0, done.err
    assert done.json["new"] == 1_765
    return "iowa.sqlite"


def test_the_published_totals_come_out(run: Run, iowa: str, iowa2020: Path) -> None:
    with (iowa2020 / "official_totals.csv").open(encoding="utf-8") as file:
        official = {line["candidate"]: line for line in csv.DictReader(file)}
    document = run("results", iowa, "--json").json
    assert document["precincts"]["reporting"] == 1_765
    (row,) = document["rows"]
    assert len(row["groups"]) == len(official)
    for group in row["groups"]:
        published = official[group["group"]]
        assert group["first"] == int(published["first_alignment"]), group["group"]
        assert group["final"] == int(published["final_alignment"]), group["group"]
        # Published totals are sums of values rounded to 4 decimals in 1,765 rows; ours are exact.
        assert abs(Fraction(group["sde_exact"]) - Fraction(published["sde"])) < Fraction(3, 1_000)
        seats = document["national_delegates"]["total"].get(group["group"], 0)
        assert seats == int(published["national_delegates"]), group["group"]


def test_what_the_checks_find(run: Run, iowa: str) -> None:
    counts = run("findings", iowa, "--json").json["counts"]
    known = {"C06": 6, "C07": 17, "C12": 1, "C14": 8, "C15": 7, "C17": 115, "C18": 127, "C20": 22}
    assert {id: counts.get(id) for id in known} == known
    # 79 sites count more people in the final than in the first alignment, one of them more than came at all.
    assert counts["C03"] + counts["C02"] == 79


def test_precincts_by_row_add_up_to_the_state(run: Run, iowa: str) -> None:
    rows = run("results", iowa, "--by", "precinct", "--json").json["rows"]
    (state,) = run("results", iowa, "--json").json["rows"]
    assert len(rows) == 1_765
    for key in ("first_total", "final_total", "delegates_total"):
        assert sum(row[key] for row in rows) == state[key]
