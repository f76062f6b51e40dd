"""The certified results of 2020 in a workbook, added up by the csv module and another reader."""

import csv
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pytest

from caucus_desk.exchange.results import read_results
from caucus_desk.exchange.roster import read_roster
from caucus_desk.reports.leadership import read_back
from caucus_desk.tally.assess import assess
from caucus_desk.tally.overview import Overview
from caucus_desk.tally.report import Channel, Report

from .conftest import RULES, Written, write

AT = datetime(2020, 2, 29, 18, 0, tzinfo=UTC)


@pytest.fixture(scope="module")
def folder() -> Path:
    path = Path(__file__).parents[2] / ".." / "shared" / "data" / "iowa2020"
    if not path.is_dir():
        pytest.skip("the published 2020 results (shared/data/iowa2020) are not on this machine")
    return path


@pytest.fixture(scope="module")
def iowa(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Written:
    precincts = {row.precinct.id: row.precinct for row in read_roster(folder / "precincts.csv", RULES).rows}
    loaded = {
        sheet.precinct_id: sheet.sheet
        for sheet in read_results(folder / "results_final.csv", RULES, precincts).sheets
    }
    results = []
    for number, (id, precinct) in enumerate(precincts.items()):
        reports = [Report(number, id, Channel.APP, loaded[id], "loader", AT)] if id in loaded else []
        results.append(assess(RULES, precinct, reports, None, ()))
    overview = Overview(RULES, "Iowa 2020", results)
    return write(overview, tmp_path_factory.mktemp("iowa") / "iowa.xlsx")


def published(path: Path) -> dict[str, Counter[str]]:
    """First, final and delegates by candidate, added up from the file as it was published."""
    sums: dict[str, Counter[str]] = {"first": Counter(), "final": Counter(), "delegates": Counter()}
    with path.open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            for name, column in (
                ("first", "first_alignment"), ("final", "final_alignment"), ("delegates", "county_delegates"),
            ):  # fmt: skip
                sums[name][row["candidate"]] += int(row[column] or 0)
    return sums


def test_every_sheet_adds_up_to_the_published_file(iowa: Written, folder: Path) -> None:
    due = published(folder / "results_final.csv")
    tables = [
        iowa.table("Precincts", "Precinct id"),
        iowa.table("Counties", "County"),
        iowa.table("Districts", "District"),
    ]
    summary = {str(row["Group"]): row for row in iowa.table("Summary", "Group")}
    for group in RULES.keys:
        for name, sums in due.items():
            assert summary[group][name.capitalize()] == sums[group]
            for rows in tables:
                cells = [row[f"{group} {name}"] for row in rows]
                assert sum(cell for cell in cells if isinstance(cell, (int, float))) == sums[group]
    assert sum(due["first"].values()) == 176_352


def test_the_summary_has_the_sdes_and_delegates_of_the_official_totals(iowa: Written, folder: Path) -> None:
    summary = {str(row["Group"]): row for row in iowa.table("Summary", "Group")}
    with (folder / "official_totals.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == len(RULES.keys)
    for row in rows:
        line = summary[row["candidate"]]
        # The published totals are sums of rounded values: half a last place a precinct at most.
        assert line["SDE"] == pytest.approx(float(row["sde"] or 0), abs=0.005)
        assert line["National delegates"] == int(row["national_delegates"] or 0)
    seats = [
        summary[g]["National delegates"] for g in ("Buttigieg", "Sanders", "Warren", "Biden", "Klobuchar")
    ]
    assert seats == [14, 12, 8, 6, 1]


def test_the_last_seat_and_the_thresholds_of_2020(iowa: Written) -> None:
    rows = iowa.rows("National delegates")
    said = {str(row[0]): row for row in rows if "behind" in str(row[7])}
    last = said["Party leaders and elected officials"]
    assert last[2:4] == ["Buttigieg", "Sanders"]
    assert last[4] == pytest.approx(0.93, abs=0.01)
    assert said["District 3"][5] == "Biden"
    assert said["District 3"][6] == pytest.approx(1.19, abs=0.01)
    assert said["District 4"][5] == "Warren"
    assert said["District 4"][6] == pytest.approx(-2.14, abs=0.01)


def test_the_file_holds_what_it_should_and_every_check_holds(iowa: Written) -> None:
    assert iowa.totals.differences(read_back(iowa.path)) == ()
    checks = iowa.table("Checks", "Check")
    assert len(checks) > 400
    assert {check["Result when written"] for check in checks} == {"OK"}
    precincts = iowa.table("Precincts", "Precinct id")
    assert len(precincts) == 1_765
    # 1,506 of 1,556 precincts with two delegates or more come out as certified.
    more = [
        row
        for row in precincts
        if not str(row["Precinct id"]).startswith("SAT") and row["Delegates to elect"] not in (0, 1)
    ]
    assert sum(row["Rules agree"] == "yes" for row in more) == 1_506
    assert [row["Precinct"] for row in more if row["Rules agree"] == "not computed"] == ["DES MOINES-80"]
