"""Before anything is in, and where nobody came: a dash by choice, never NaN, and no chart of nothing."""

import math
from pathlib import Path

import pytest
from openpyxl import load_workbook

from caucus_desk.reports.leadership import read_back
from caucus_desk.tally.overview import Overview
from caucus_desk.tally.results import Counting, PrecinctResult

from .conftest import MERGED, NOBODY, RULES, SHEETS, Written, adair, app, pair, polk, reported, site, write

NIGHTS: dict[str, list[PrecinctResult]] = {
    "no precincts at all": [],
    "only a merged precinct": [reported(MERGED)],
    "nothing is in": [reported(adair(1)), reported(polk(1)), reported(site(1))],
    "nobody came": [pair(adair(1), NOBODY), app(site(1, attendance=0), NOBODY)],
    "a county without state delegates": [reported(adair(1, county_state_delegates=None))],
}


@pytest.mark.parametrize("counting", list(Counting))
@pytest.mark.parametrize("name", NIGHTS)
def test_an_empty_night_makes_a_sound_workbook(name: str, counting: Counting, tmp_path: Path) -> None:
    overview = Overview(RULES, "Test", NIGHTS[name])
    written = write(overview, tmp_path / "w.xlsx", counting)
    assert tuple(written.book.sheet_names) == SHEETS
    assert read_back(written.path) == written.totals
    for sheet in SHEETS:
        for row in written.rows(sheet):
            for cell in row:
                assert not (isinstance(cell, float) and not math.isfinite(cell))
                assert str(cell).casefold() not in ("nan", "inf", "#div/0!", "none")
    for row in written.table("Summary", "Group"):
        assert row["Share of SDE"] == "–"
    assert load_workbook(written.path)["Summary"]._charts == []
    done = [row["Result when written"] for row in written.table("Checks", "Check")]
    assert set(done) == {"OK"}


def test_the_first_sentence_says_that_nothing_is_counted(tmp_path: Path) -> None:
    written = write(Overview(RULES, "Test", NIGHTS["nothing is in"]), tmp_path / "w.xlsx")
    assert written.rows("Summary")[2][0] == "Nothing is counted yet: 0 of 3 precincts are in."
    assert written.rows("Mismatches")[2][0] == "No two sources differ."


def test_nobody_came_is_a_result_said_once(tmp_path: Path) -> None:
    written = write(Overview(RULES, "Test", NIGHTS["nobody came"]), tmp_path / "w.xlsx")
    rows = {row["Precinct id"]: row for row in written.table("Precincts", "Precinct id")}
    assert (rows["001"]["Attendance"], rows["001"]["Counted"]) == (0, "yes")
    assert rows["001"]["Rules agree"] == "not computed"


def test_a_later_export_has_the_later_numbers(tmp_path: Path) -> None:
    from .conftest import clean

    overview = Overview(RULES, "Test", [pair(adair(1), clean(10)), reported(adair(2))])
    path = tmp_path / "w.xlsx"
    before = write(overview, path).totals
    overview.replace([pair(adair(2), clean(12))])
    after = write(overview, path).totals
    assert read_back(path) == after != before
    sanders = {row["Group"]: row for row in Written(path, after).table("Summary", "Group")}["Sanders"]
    assert sanders["First"] == 60 + 72


def test_delegates_without_sdes_are_dashes_and_the_first_sentence_says_why(tmp_path: Path) -> None:
    from .conftest import clean, wrong

    bare = {"county_state_delegates": None}
    results = [pair(adair(1, **bare), clean(10)), app(adair(2, **bare), wrong(12))]
    written = write(Overview(RULES, "Test", results), tmp_path / "w.xlsx")
    assert read_back(written.path) == written.totals
    told = written.rows("Summary")[2][0]
    assert told == (
        "No SDEs can be worked out for Adair: the roster lacks their state delegates. Add the column "
        "county_state_delegates to the roster and make the store anew with it."
    )
    sanders = {row["Group"]: row for row in written.table("Summary", "Group")}["Sanders"]
    assert (sanders["SDE"], sanders["SDE computed"], sanders["Computed moves, SDE"]) == ("–", "–", "–")
    assert sanders["Delegates"] == 5
    (county,) = written.table("Counties", "County")
    assert (county["SDE, all groups"], county["Sanders SDE"]) == ("–", "–")
    precinct = written.table("Precincts", "Precinct id")[0]
    assert (precinct["Sanders delegates"], precinct["Sanders SDE"], precinct["Sanders SDE computed"]) == (
        3, "–", "–",
    )  # fmt: skip
    assert {row["At stake, SDE"] for row in written.table("Findings", "At stake")} <= {"–"}
    done = [row["Result when written"] for row in written.table("Checks", "Check")]
    assert set(done) == {"OK"}


def test_a_county_with_sdes_beside_one_without(tmp_path: Path) -> None:
    from .conftest import clean

    results = [pair(adair(1, county_state_delegates=None), clean(10)), pair(polk(1, delegates=5), clean(11))]
    written = write(Overview(RULES, "Test", results), tmp_path / "w.xlsx")
    counties = {row["County"]: row["Sanders SDE"] for row in written.table("Counties", "County")}
    assert counties["Adair"] == "–"
    assert counties["Polk"] == pytest.approx(3 * 392 / 1401, abs=1e-4)
    assert {row["Result when written"] for row in written.table("Checks", "Check")} == {"OK"}
