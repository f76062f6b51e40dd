"""LibreOffice opens the workbook, calculates it, and finds that it adds up; and says what doesn't."""

from collections.abc import Callable
from pathlib import Path

import pytest
from openpyxl import load_workbook
from python_calamine import CalamineWorkbook

from caucus_desk.reports.leadership import read_back
from caucus_desk.tally.overview import Overview
from caucus_desk.tally.results import Counting

from .conftest import RULES, SHEETS, Cell, Written, a_night, adair, reported, table, with_labels, write

Office = Callable[[Path, str], Path]


def checks_of(path: Path) -> tuple[list[Cell], list[dict[str, Cell]]]:
    """The line of all checks, and the checks."""
    rows = CalamineWorkbook.from_path(path).get_sheet_by_name("Checks").to_python(skip_empty_area=False)
    return list(rows[3]), table(list(rows), "Check")


@pytest.mark.parametrize("counting", list(Counting))
def test_every_check_holds_once_calculated(counting: Counting, office: Office, tmp_path: Path) -> None:
    written = write(a_night(), tmp_path / "night.xlsx", counting)
    opened = office(written.path, "xlsx")
    whole, checks = checks_of(opened)
    assert len(checks) > 300
    for check in checks:
        assert check["Result now"] == check["Result when written"] == "OK", check
    assert whole[0] == f"All {len(checks)} checks"
    assert (whole[6], whole[9]) == ("OK", "OK")
    assert whole[10] == "Nothing: every sheet adds up."


def test_all_sheets_and_sums_survive_libreoffice(night: Written, office: Office) -> None:
    opened = office(night.path, "xlsx")
    assert tuple(CalamineWorkbook.from_path(opened).sheet_names) == SHEETS
    assert night.totals.differences(read_back(opened)) == ()


def test_a_tampered_number_is_found_by_the_live_formulas(
    night: Written, office: Office, tmp_path: Path
) -> None:
    book = load_workbook(night.path)
    page = book["Precincts"]
    headings = [cell.value for cell in page[5]]
    page.cell(6, headings.index("Warren final") + 1).value += 3
    page.cell(7, headings.index("Sanders SDE") + 1).value += 0.0001
    changed = tmp_path / "changed.xlsx"
    book.save(changed)
    whole, checks = checks_of(office(changed, "xlsx"))
    assert whole[9] == "DIFFERS"
    found = {
        (check["Check"], check["Sheet"], check["Group"]): round(float(str(check["Now differs by"])), 4)
        for check in checks
        if check["Result now"] != "OK"
    }
    assert found == {("final", "Precincts", "Warren"): 3.0, ("SDE", "Precincts", "Sanders"): 0.0001}
    assert whole[10] == "Precincts: Sanders SDE should be 3.9652 and is 3.9653. And 1 more below."
    # What was true when it was written still stands beside it.
    assert {check["Result when written"] for check in checks} == {"OK"}


def test_an_empty_night_calculates_too(office: Office, tmp_path: Path) -> None:
    written = write(Overview(RULES, "Test", [reported(adair(1))]), tmp_path / "empty.xlsx")
    whole, checks = checks_of(office(written.path, "xlsx"))
    assert [check for check in checks if check["Result now"] != "OK"] == []
    assert whole[9] == "OK"


def test_names_that_look_like_formulas_do_nothing(office: Office, tmp_path: Path) -> None:
    rules = with_labels(['=HYPERLINK("http://x.example","vote")', "@SUM(1+1)", "other", "Other"])
    overview = Overview(rules, "=1+1", [reported(adair(1, name="=1+1", county="+1+1"), rules=rules)])
    written = write(overview, tmp_path / "names.xlsx")
    opened = CalamineWorkbook.from_path(office(written.path, "xlsx"))
    rows = opened.get_sheet_by_name("Precincts").to_python()
    assert any(row[1:3] == ["+1+1", "=1+1"] for row in rows)
    summary = opened.get_sheet_by_name("Summary").to_python()
    assert '=HYPERLINK("http://x.example","vote")' in [row[0] for row in summary]
    assert {check["Result now"] for check in checks_of(office(written.path, "xlsx"))[1]} == {"OK"}


def test_it_prints_to_letter_pages_with_the_banner_on_each(night: Written, office: Office) -> None:
    made = office(night.path, "pdf").read_bytes()
    assert made.startswith(b"%PDF")
    assert b"/MediaBox[0 0 792 612]" in made.replace(b"/MediaBox [", b"/MediaBox[")
