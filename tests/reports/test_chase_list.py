"""The list of missing worksheets: for a person with a phone or a car, on letter paper."""

from datetime import timedelta
from pathlib import Path

import pytest
from openpyxl import load_workbook

from caucus_desk.reports.chaselist import SHEET, write_chase_list
from caucus_desk.reports.errors import CannotWrite
from caucus_desk.tally.chase import ChaseStep, Missing, StepKind, missing_sheets
from caucus_desk.tally.errand import Errand, ErrandKind
from caucus_desk.tally.overview import Overview
from caucus_desk.tally.report import Channel

from .conftest import MERGED, RULES, SEEN, PrecinctResult, adair, assess, clean, pair, polk

BEFORE = SEEN - timedelta(minutes=100)


def nothing(precinct: object) -> PrecinctResult:
    return assess(RULES, precinct, (), None, ())  # type: ignore[arg-type]


def night() -> Overview:
    results = [
        nothing(adair(1, chair='=HYPERLINK("x")', phone="515-555-0101")),
        nothing(adair(2, chair="Ben Quist", phone="0042")),
        pair(adair(3), clean(10)),
        nothing(polk(4, chair="Cora\x0bYoder")),
        nothing(MERGED),
    ]
    return Overview(RULES, "Test caucus & friends", results)


def steps(precinct_id: str, *kinds: tuple[StepKind, str, str]) -> list[ChaseStep]:
    return [
        ChaseStep(
            number, precinct_id, kind, runner, note, "clerk 07", BEFORE + timedelta(minutes=60 + number)
        )
        for number, (kind, runner, note) in enumerate(kinds, start=1)
    ]


def rows_of(overview: Overview, **more: object) -> tuple[Missing, ...]:
    return missing_sheets(
        overview.results.values(),
        steps={
            "001": steps("001", (StepKind.ASSIGNED, "Rita", ""), (StepKind.ATTEMPT, "", "no answer")),
            "1-4": steps("1-4", (StepKind.RECEIVED, "", "")),
        },
        night_began=BEFORE,
        **more,  # type: ignore[arg-type]
    )


def written(
    path: Path, overview: Overview, rows: tuple[Missing, ...], county: str = ""
) -> list[list[object]]:
    write_chase_list(path, overview, rows, county=county, as_of=SEEN)
    sheet = load_workbook(path)[SHEET]
    return [[cell.value for cell in row] for row in sheet.iter_rows()]


def test_a_row_says_whom_to_ring_and_what_was_tried(tmp_path: Path) -> None:
    overview = night()
    found = written(tmp_path / "list.xlsx", overview, rows_of(overview))
    assert found[0][0].startswith("UNOFFICIAL, PARTIAL: ")  # type: ignore[union-attr]
    assert found[1][0].startswith("Worksheets that are missing · as of ")  # type: ignore[union-attr]
    assert found[2][0] == "2 to fetch, 1 here and not keyed, in 2 counties and pools."
    assert found[3] == [
        "County", "Precinct id", "Precinct", "Chair", "Chair's number", "Stage", "Missing or here since",
        "Minutes", "Phone report", "Runner", "Attempts", "Last attempt, what is asked", "Got it",
    ]  # fmt: skip
    lines = {row[1]: row for row in found[4:]}
    assert lines["001"][3:6] == ['=HYPERLINK("x")', "515-555-0101", "runner out"]
    assert lines["001"][7:11] == [100, "not in", "Rita", 1]
    assert lines["001"][11].endswith("no answer")  # type: ignore[union-attr]
    assert lines["1-4"][5] == "entry due"
    assert lines["1-4"][7] == 39  # since it lies here, not since the night began
    assert lines["1-4"][3] == "CoraYoder"
    assert list(lines) == ["001", "002", "1-4"]


def test_text_stays_text_and_numbers_are_numbers(tmp_path: Path) -> None:
    overview = night()
    write_chase_list(tmp_path / "list.xlsx", overview, rows_of(overview), as_of=SEEN)
    sheet = load_workbook(tmp_path / "list.xlsx")[SHEET]
    row = next(row for row in sheet.iter_rows() if row[1].value == "001")
    assert [row[place].data_type for place in (1, 3, 4, 7)] == ["s", "s", "s", "n"]
    other = next(row for row in sheet.iter_rows() if row[1].value == "002")
    assert other[4].value == "0042"


def test_it_prints_on_letter_paper_with_its_heading_on_each_page(tmp_path: Path) -> None:
    overview = night()
    rows = rows_of(overview)
    write_chase_list(tmp_path / "polk.xlsx", overview, rows, county="Adair", as_of=SEEN)
    sheet = load_workbook(tmp_path / "polk.xlsx")[SHEET]
    assert (sheet.page_setup.paperSize, sheet.page_setup.orientation) == (1, "landscape")
    assert sheet.print_title_rows == "$4:$4"
    assert sheet.freeze_panes == "D5"
    assert sheet["A2"].value.startswith("Worksheets that are missing: Adair · as of ")
    assert "Test caucus && friends" in str(sheet.oddHeader.left.text)


def test_a_sheet_that_a_reviewer_asks_for(tmp_path: Path) -> None:
    overview = Overview(RULES, "Test", [pair(adair(3), clean(10))])
    errand = Errand(9, "003", ErrandKind.FETCH, None, (), "Warren final cannot be read", "reviewer", BEFORE)
    rows = rows_of(overview, errands=[errand])
    assert rows[0].phone_in is (Channel.PHONE in overview.results["003"].reports)
    found = written(tmp_path / "list.xlsx", overview, rows)
    assert found[4][5] == "asked for"
    assert found[4][11] == "Asked for by reviewer: Warren final cannot be read"


def test_nothing_missing_is_said(tmp_path: Path) -> None:
    overview = Overview(RULES, "Test", [pair(adair(3), clean(10))])
    found = written(tmp_path / "list.xlsx", overview, (), "Adair")
    assert found[2][0] == "Every worksheet of Adair is in and keyed."


def test_what_stood_there_stands_where_it_cannot_be_written(tmp_path: Path) -> None:
    overview = night()
    (tmp_path / "list.xlsx").write_text("somebody's notes")
    with pytest.raises(CannotWrite, match="is no workbook and is not replaced"):
        write_chase_list(tmp_path / "list.xlsx", overview, rows_of(overview), as_of=SEEN)
    assert (tmp_path / "list.xlsx").read_text() == "somebody's notes"
    with pytest.raises(CannotWrite, match=r"ends in \.xlsx"):
        write_chase_list(tmp_path / "list.ods", overview, (), as_of=SEEN)
