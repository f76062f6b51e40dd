"""Every total in the workbook is added up again from the precincts, by a reader that isn't openpyxl."""

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl import load_workbook

from caucus_desk.reports.errors import NotOurWorkbook
from caucus_desk.reports.leadership import read_back
from caucus_desk.tally.overview import Overview
from caucus_desk.tally.results import By, Counting
from caucus_desk.tally.sheet import GroupCounts, ResultSheet

from .conftest import (
    RULES,
    SHEETS,
    TABLES,
    Cell,
    Written,
    a_night,
    adair,
    app,
    pair,
    polk,
    reported,
    site,
    write,
)

MEASURES = ("first", "final", "delegates", "delegates computed", "SDE", "SDE computed")


def number(cell: Cell) -> float:
    return cell if isinstance(cell, (int, float)) else 0


def added(rows: list[dict[str, Cell]], heading: str) -> float:
    return round(sum(number(row[heading]) for row in rows), 4)


@pytest.mark.parametrize("counting", list(Counting))
def test_precincts_add_up_to_counties_to_districts_to_the_summary(counting: Counting, tmp_path: Path) -> None:
    overview = a_night()
    written = write(overview, tmp_path / "w.xlsx", counting)
    precincts = written.table("Precincts", "Precinct id")
    counties, districts = written.table("Counties", "County"), written.table("Districts", "District")
    summary = {row["Group"]: row for row in written.table("Summary", "Group")}
    assert len(precincts) == 13
    for group in RULES.keys:
        for measure in MEASURES:
            heading = f"{group} {measure}"
            total = number(summary[group][measure[0].upper() + measure[1:]])
            # SDEs are rounded in each row, so they may drift by half a last place a row.
            drift = 0.00005 * 14 if measure.startswith("SDE") else 0
            for rows in (precincts, counties, districts):
                assert abs(added(rows, heading) - total) <= drift + 1e-9, heading
            for county in counties:
                mine = [row for row in precincts if row["County"] == county["County"]]
                assert abs(added(mine, heading) - number(county[heading])) <= drift + 1e-9


def test_values_are_the_exact_ones_rounded_half_up_once(night: Written) -> None:
    overview = a_night()
    rows = {row["Precinct id"]: row for row in night.table("Precincts", "Precinct id")}
    seen = 0
    for id, result in overview.results.items():
        if not result.reporting:
            continue
        exact, computed = overview.sde(id)
        for group in result.reported:
            assert rows[id][f"{group} SDE"] == half_up(exact[group])
            seen += 1
        for group in result.computed:
            assert rows[id][f"{group} SDE computed"] == half_up(computed[group])
    assert seen > 10


def half_up(value: Fraction) -> float:
    return int(value * 10_000 + Fraction(1, 2)) / 10_000


def test_the_file_read_back_holds_what_the_store_holds(night: Written) -> None:
    assert night.totals.differences(read_back(night.path)) == ()
    assert read_back(night.path) == night.totals


def test_a_changed_number_is_named_when_read_back(night: Written, tmp_path: Path) -> None:
    book = load_workbook(night.path)
    page = book["Precincts"]
    headings = [cell.value for cell in page[5]]
    column = headings.index("Sanders final") + 1
    page.cell(6, column).value += 7
    changed = tmp_path / "changed.xlsx"
    book.save(changed)
    said = night.totals.differences(read_back(changed))
    assert said == ("Precincts: Sanders final should add up to 474 and adds up to 481.",)


def test_a_missing_row_and_a_missing_sheet_are_named(night: Written, tmp_path: Path) -> None:
    book = load_workbook(night.path)
    book["Missing paper"].delete_rows(6)
    del book["Findings"]
    changed = tmp_path / "changed.xlsx"
    book.save(changed)
    said = night.totals.differences(read_back(changed))
    assert any(line.startswith("Missing paper should have") for line in said)
    assert "The sheet Findings is missing." in said


def test_another_file_is_no_workbook_of_ours(tmp_path: Path) -> None:
    path = tmp_path / "notes.xlsx"
    path.write_text("not a workbook")
    with pytest.raises(NotOurWorkbook, match=r"notes\.xlsx can't be read back"):
        read_back(path)
    with pytest.raises(NotOurWorkbook, match="can't be read back"):
        read_back(tmp_path / "gone.xlsx")


def test_every_sheet_is_there_and_headings_are_unique(night: Written) -> None:
    assert tuple(night.book.sheet_names) == SHEETS
    for name in SHEETS:
        assert len(name) <= 31
        assert not set(name) & set("[]:*?/\\'")
    first = {"Districts": "District", "Counties": "County", "Precincts": "Precinct id"}
    for name, heading in first.items():
        row = next(row for row in night.rows(name) if row[0] == heading)
        folded = [str(cell).casefold() for cell in row]
        assert len(set(folded)) == len(folded)
        # Each candidate is named in each of its columns.
        assert sum(cell.startswith("warren ") for cell in folded) >= len(MEASURES)


def test_ids_stay_text_and_numbers_are_numbers(night: Written) -> None:
    rows = night.table("Precincts", "Precinct id")
    ids = [row["Precinct id"] for row in rows]
    assert ids[:3] == ["001", "002", "003"]
    assert "1-3" in ids
    page = load_workbook(night.path)["Precincts"]
    headings = {cell.value: cell.column for cell in page[5]}
    first = page.cell(6, headings["Sanders first"])
    assert (first.value, first.data_type, first.number_format) == (66, "n", "#,##0")
    units = page.cell(6, headings["Sanders SDE"])
    assert (units.value, units.number_format) == (0.2353, "#,##0.0000")
    assert (page["A6"].value, page["A6"].data_type, page["A6"].number_format) == ("001", "s", "@")
    share = load_workbook(night.path)["Counties"]
    shares = [cell for cell in share[6] if cell.number_format == "0.0%"]
    assert len(shares) == len(RULES.keys)


def test_blank_is_never_zero(night: Written) -> None:
    rows = {row["Precinct id"]: row for row in night.table("Precincts", "Precinct id")}
    assert rows["1-2"]["Sanders first"] == 30
    assert rows["1-2"]["Sanders final"] == ""
    assert rows["003"]["Attendance"] == rows["003"]["Sanders first"] == ""
    assert rows["S3"]["Attendance"] == 0
    assert rows["S3"]["Sanders first"] == 0


def test_states_and_words_of_each_precinct(night: Written) -> None:
    rows = {row["Precinct id"]: row for row in night.table("Precincts", "Precinct id")}
    said = {
        id: (r["State"], r["Verified"], r["Counted"], r["Standing sheet"], r["Rules agree"])
        for id, r in rows.items()
    }
    assert said["001"] == ("matched", "yes", "yes", "paper", "yes")
    assert said["002"] == ("single", "no", "yes", "app", "differs")
    assert said["003"] == ("awaiting", "no", "no", "–", "–")
    assert said["004"][0] == "mismatched"
    assert said["1-3"] == ("ruled", "yes", "yes", "ruling", "yes")
    assert said["1-1"][4] == "toss open"
    assert said["1-2"][4] == "not computed"
    assert said["M1"][:3] == ("merged", "no", "no")


def test_verified_counting_counts_only_what_is_verified(tmp_path: Path) -> None:
    overview = a_night()
    written = write(overview, tmp_path / "v.xlsx", Counting.VERIFIED)
    rows = {row["Precinct id"]: row for row in written.table("Precincts", "Precinct id")}
    assert rows["002"]["Sanders first"] == ""
    assert {id for id, row in rows.items() if row["Counted"] == "yes"} == {"001", "005", "1-3"}
    assert any("verified precincts only" in str(cell) for row in written.rows("Summary") for cell in row)
    assert read_back(written.path) == written.totals


counts = st.one_of(st.none(), st.integers(0, 400))
rows = st.dictionaries(st.sampled_from(RULES.keys), st.tuples(counts, counts, counts), max_size=6)
sheets = st.builds(
    lambda attendance, groups: ResultSheet(attendance, tuple(GroupCounts(k, *v) for k, v in groups.items())),
    counts,
    rows,
)


@st.composite
def nights(draw: st.DrawFn) -> Overview:
    results = []
    for number in range(draw(st.integers(1, 9))):
        make = draw(st.sampled_from([adair, polk, site]))
        precinct = make(number)
        figures = draw(sheets)
        results.append(
            draw(st.sampled_from([reported(precinct), app(precinct, figures), pair(precinct, figures)]))
        )
    return Overview(RULES, "Drawn", {r.precinct.id: r for r in results}.values())


@settings(max_examples=25)
@given(overview=nights(), counting=st.sampled_from(list(Counting)))
def test_any_night_adds_up_exactly(
    overview: Overview, counting: Counting, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The summary is the sum of the counties is the sum of the precincts: people and delegates to the last
    one, SDEs exactly before they are rounded and, once rounded, as the control totals say."""
    state = overview.tally(By.STATE, counting).rows[0]
    for line in state.groups:
        for by in (By.DISTRICT, By.COUNTY, By.PRECINCT):
            parts = [row.group(line.group) for row in overview.tally(by, counting).rows]
            assert line.sde == sum((part.sde for part in parts), Fraction(0))
            assert line.sde_computed == sum((part.sde_computed for part in parts), Fraction(0))
    path = tmp_path_factory.mktemp("drawn") / "drawn.xlsx"
    written = write(overview, path, counting)
    assert read_back(path) == written.totals
    summary = {row["Group"]: row for row in written.table("Summary", "Group")}
    for name, first in (("Districts", "District"), ("Counties", "County"), ("Precincts", "Precinct id")):
        table = written.table(name, first)
        for line in state.groups:
            assert added(table, f"{line.group} first") == line.first == summary[line.group]["First"]
            assert added(table, f"{line.group} final") == line.final == summary[line.group]["Final"]
            assert added(table, f"{line.group} delegates") == line.delegates
            assert added(table, f"{line.group} delegates computed") == line.delegates_computed
    done = [row["Result when written"] for row in written.table("Checks", "Check")]
    assert done
    assert set(done) == {"OK"}


def test_tables_have_their_rows(night: Written) -> None:
    overview = a_night()
    assert len(night.table("Mismatches", "Precinct id")) == len(overview.mismatches()) == 2
    assert len(night.table("Findings", "At stake")) == len(overview.findings())
    assert len(night.table("Missing paper", "County")) == len(overview.missing_paper())
    assert set(TABLES) < set(SHEETS)


@pytest.mark.parametrize("group", RULES.keys)
def test_every_candidates_delegates_are_watched(group: str, night: Written, tmp_path: Path) -> None:
    """Not one candidate's only: a delegate slipped in anywhere, for anyone, is named."""
    book = load_workbook(night.path)
    page = book["Precincts"]
    headings = [cell.value for cell in page[5]]
    cell = page.cell(6, headings.index(f"{group} delegates") + 1)
    cell.value = (cell.value or 0) + 1
    changed = tmp_path / "changed.xlsx"
    book.save(changed)
    (said,) = night.totals.differences(read_back(changed))
    assert said.startswith(f"Precincts: {group} delegates should add up to ")
