"""A county's worksheet form: printed or filled as a workbook, and back in as paper results."""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest
from openpyxl import load_workbook
from openpyxl.worksheet.worksheet import Worksheet

from caucus_desk.desk.forms import write_form
from caucus_desk.desk.loading import load_results
from caucus_desk.desk.session import Desk
from caucus_desk.exchange.problems import BadInput
from caucus_desk.exchange.results import read_results
from caucus_desk.reports.forms import form_columns, write_county_form
from caucus_desk.rules.errors import Refused
from caucus_desk.rules.loading import with_groups
from caucus_desk.rules.ruleset import Group
from caucus_desk.tally.report import Channel
from caucus_desk.tally.roster import Precinct
from caucus_desk.tally.sheet import MAX_COUNT, ResultSheet

MADE = datetime(2020, 2, 3, 18, tzinfo=UTC)
Typed = Mapping[str, Mapping[str, object]]


def headings(page: Worksheet) -> dict[str, int]:
    """`Biden first`, `Attendance`: each column by the words over it."""
    top = next(row for row in range(1, 20) if page.cell(row, 1).value == "Precinct id")
    found, over = {}, ""
    for column in range(1, page.max_column + 1):
        over = str(page.cell(top, column).value or over)
        under = page.cell(top + 1, column).value
        found[f"{over} {under}" if under else over] = column
    return found


def fill(path: Path, typed: Typed) -> Path:
    """Types numbers into the form, as somebody at a spreadsheet does; returns another file."""
    book = load_workbook(path)
    page = book.worksheets[0]
    columns = headings(page)
    rows = {page.cell(row, 1).value: row for row in range(8, page.max_row + 1)}
    for id, cells in typed.items():
        for heading, value in cells.items():
            cell = page.cell(rows[id], columns[heading])
            assert not cell.protection.locked, "only what may be typed is typed"
            cell.value = value
    filled = path.with_name("filled.xlsx")
    book.save(filled)
    return filled


def as_typed(sheet: ResultSheet) -> dict[str, object]:
    cells: dict[str, object] = {"Attendance": sheet.attendance}
    for row in sheet.groups:
        for word, value in (("first", row.first), ("final", row.final), ("delegates", row.delegates)):
            if value is not None:
                cells[f"{row.group} {word}"] = value
    return cells


@pytest.fixture
def form(desk: Desk, tmp_path: Path) -> Path:
    return write_form(desk, "alpha", tmp_path / "alpha.xlsx", by="Anna").path


def test_what_was_typed_comes_back_as_paper_reports(desk: Desk, form: Path, good_sheet: ResultSheet) -> None:
    cells = {**as_typed(good_sheet), "Chair signed": "yes", "Secretary signed": "no"}
    filled = fill(form, {"A-1": cells})
    done = load_results(desk, filled, channel=Channel.PAPER, by="Bo")
    assert (done.new, done.refused) == (1, ())
    stands = desk.overview().results["A-1"].standing
    assert stands.channel is Channel.PAPER
    assert stands.sheet is not None
    assert stands.sheet.fingerprint == good_sheet.fingerprint
    assert (stands.sheet.chair_signed, stands.sheet.secretary_signed) == (True, False)
    assert not desk.overview().results["A-2"].reporting, "an empty row has not reported"
    again = load_results(desk, filled, channel=Channel.PAPER, by="Bo")
    assert (again.new, again.unchanged) == (0, 1)


def test_a_form_that_was_not_filled_says_so_and_changes_nothing(desk: Desk, form: Path) -> None:
    read = read_results(form, desk.rules, desk.precincts)
    assert (read.sheets, read.problems) == ((), ())
    (said,) = read.warnings
    assert "2 precincts have no figures and count as not reported: A-1, A-2" in said


def test_a_half_filled_group_comes_in_half_filled_and_is_asked_about(
    desk: Desk, form: Path, good_sheet: ResultSheet
) -> None:
    cells = as_typed(good_sheet)
    del cells["Warren final"]
    load_results(desk, fill(form, {"A-1": cells}), channel=Channel.PAPER, by="Bo")
    sheet = desk.overview().results["A-1"].standing.sheet
    assert sheet is not None
    row = sheet.row("Warren")
    assert (row.first, row.final, row.delegates) == (22, None, 1)
    assert "C46" in {entry.finding.id for entry in desk.overview().findings_of("A-1")}


def test_people_without_an_attendance_are_loaded_with_none_stated(
    desk: Desk, form: Path, good_sheet: ResultSheet
) -> None:
    cells = as_typed(good_sheet)
    del cells["Attendance"]
    load_results(desk, fill(form, {"A-1": cells}), channel=Channel.PAPER, by="Bo")
    sheet = desk.overview().results["A-1"].standing.sheet
    assert sheet is not None
    assert sheet.attendance is None


def test_nobody_came_is_an_attendance_of_0(desk: Desk, form: Path) -> None:
    load_results(desk, fill(form, {"A-2": {"Attendance": 0}}), channel=Channel.PAPER, by="Bo")
    result = desk.overview().results["A-2"]
    assert result.reporting
    assert result.standing.sheet is not None
    assert result.standing.sheet.attendance == 0


def test_a_toss_is_read_too(desk: Desk, form: Path, good_sheet: ResultSheet) -> None:
    cells = {**as_typed(good_sheet), "Chance": "Biden|Warren>Warren"}
    load_results(desk, fill(form, {"A-1": cells}), channel=Channel.PAPER, by="Bo")
    sheet = desk.overview().results["A-1"].standing.sheet
    assert sheet is not None
    (toss,) = sheet.chance
    assert (toss.groups, toss.winners) == (("Biden", "Warren"), ("Warren",))


@pytest.mark.parametrize("value", ["twelve", -1, MAX_COUNT + 1, 2.5])
def test_what_was_pasted_past_the_validation_is_refused_with_its_cell(
    desk: Desk, form: Path, value: object, good_sheet: ResultSheet
) -> None:
    filled = fill(form, {"A-1": {**as_typed(good_sheet), "Biden first": value}})
    with pytest.raises(BadInput) as caught:
        load_results(desk, filled, channel=Channel.PAPER, by="Bo")
    (problem,) = caught.value.problems
    page = load_workbook(form).worksheets[0]
    assert (problem.sheet, problem.column) == ("Alpha", "Biden first")
    assert page[f"{problem.letter}{problem.row}"].protection.locked is False
    assert page.cell(problem.row, 1).value == "A-1"


def test_cells_take_whole_numbers_only_and_ids_are_locked(desk: Desk, form: Path) -> None:
    page = load_workbook(form).worksheets[0]
    assert page.protection.sheet
    columns = headings(page)
    row = next(row for row in range(1, 20) if page.cell(row, 1).value == "A-1")
    for heading, column in columns.items():
        locked = heading in ("Precinct id", "Precinct", "Delegates to elect")
        assert page.cell(row, column).protection.locked is locked, heading
    rules = {rule.type: rule for rule in page.data_validations.dataValidation}
    whole = rules["whole"]
    assert (whole.formula1, whole.formula2, whole.allow_blank) == ("0", str(MAX_COUNT), True)
    counts = {column for cells in whole.sqref.ranges for column in range(cells.min_col, cells.max_col + 1)}
    assert counts == {
        column for heading, column in columns.items()
        if heading == "Attendance" or heading.rpartition(" ")[2] in ("first", "final", "delegates")
    }  # fmt: skip
    assert {cells.min_row for cells in whole.sqref.ranges} == {row}
    assert rules["list"].formula1 == '"yes,no"'


def test_it_prints_on_letter_paper_with_headings_on_each_page(form: Path) -> None:
    page = load_workbook(form).worksheets[0]
    assert (page.page_setup.orientation, int(page.page_setup.paperSize)) == ("landscape", 1)
    assert page.print_title_rows == "$7:$8"
    assert page.print_title_cols == "$A:$C"
    assert page.freeze_panes == "D9"
    assert "&P of &N" in page.oddFooter.center.text
    assert "not a result" in page.oddHeader.right.text


def test_merged_precincts_are_not_on_it_and_satellites_are(desk: Desk, tmp_path: Path) -> None:
    made = write_form(desk, "Alpha", tmp_path / "a.xlsx")
    assert made.precincts == 2
    pool = write_form(desk, "satellite DISTRICT 3", tmp_path, by="Anna")
    assert (pool.precincts, pool.path.name) == (1, "Small Satellite district 3 worksheet form.xlsx")
    with pytest.raises(Refused, match="no county Beta"):
        write_form(desk, "Beta", tmp_path / "b.xlsx")


def test_names_that_look_like_formulas_and_ids_with_zeros_stay_text(desk: Desk, tmp_path: Path) -> None:
    odd = with_groups(desk.rules, (Group("A", "=1+1"), Group("B", "@SUM(A1)"), Group("Other", "Other")))
    county = "St. Mary's: north/south [old] county"
    precincts = [
        Precinct("007", county, '=HYPERLINK("x")', delegates=3),
        Precinct("1-2", county, "-1\x0bend", delegates=2),
    ]
    path = tmp_path / "odd.xlsx"
    notes = write_county_form(path, odd, "+Caucus", county, precincts, made_at=MADE)
    assert notes
    assert "1 control character was removed" in notes[0]
    page = load_workbook(path).worksheets[0]
    assert page.title == "St. Mary's north south old cou…"
    assert len(page.title) == 31
    assert [(page.cell(9, 1).value, page.cell(9, 1).data_type), page.cell(10, 1).value] == [
        ("007", "s"),
        "1-2",
    ]
    assert (page.cell(9, 2).value, page.cell(9, 2).data_type) == ('=HYPERLINK("x")', "s")
    columns = headings(page)
    for heading in ("=1+1 first", "@SUM(A1) final"):
        assert heading in columns
    book = load_workbook(path)
    for column, value in ((columns["=1+1 first"], 5), (columns["Attendance"], 5)):
        book.worksheets[0].cell(9, column).value = value
    book.save(path)
    read = read_results(path, odd, {one.id: one for one in precincts})
    assert [(one.precinct_id, one.sheet.row("A").first) for one in read.sheets] == [("007", 5)]


def test_equal_arguments_give_equal_bytes(desk: Desk, tmp_path: Path) -> None:
    precincts = [one for one in desk.precincts.values() if one.county == "Alpha"]
    for name in ("one.xlsx", "two.xlsx"):
        write_county_form(tmp_path / name, desk.rules, "Small", "Alpha", precincts, made_at=MADE)
    assert (tmp_path / "one.xlsx").read_bytes() == (tmp_path / "two.xlsx").read_bytes()


def test_every_column_has_a_heading_of_its_own(desk: Desk) -> None:
    names = [f"{column.over} {column.under}".strip() for column in form_columns(desk.rules)]
    assert len({name.casefold() for name in names}) == len(names)
