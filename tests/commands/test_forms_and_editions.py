"""`report --edition` and `forms`, as they are typed."""

from pathlib import Path

import pytest
from openpyxl import load_workbook
from python_calamine import CalamineWorkbook

from .conftest import Run


def test_the_press_edition_and_a_county_edition(run: Run, reported: str) -> None:
    press = run("report", reported, "press.xlsx", "--edition", "press", "--json")
    assert press.code == 0
    assert (press.json["edition"], press.json["county"]) == ("press", None)
    assert "Outlook" not in [sheet["sheet"] for sheet in press.json["sheets"]]
    county = run("report", reported, "alpha.xlsx", "--edition", "county", "--county", "alpha")
    assert county.code == 0
    assert "1 of 1 county" in county.out
    assert "Counties" not in CalamineWorkbook.from_path(Path("alpha.xlsx")).sheet_names


@pytest.mark.parametrize("words", [["--edition", "county"], ["--county", "Alpha"]])
def test_a_county_and_its_edition_go_together(run: Run, reported: str, words: list[str]) -> None:
    refused = run("report", reported, "x.xlsx", *words)
    assert refused.code == 2
    assert "--county NAME and --edition county go together" in refused.err
    assert not Path("x.xlsx").exists()


def test_a_county_that_is_not_there(run: Run, reported: str) -> None:
    refused = run("report", reported, "x.xlsx", "--edition", "county", "--county", "Alp")
    assert refused.code == 3
    assert "Do you mean Alpha?" in refused.err


def test_a_folder_gets_a_file_named_by_caucus_and_time(run: Run, reported: str) -> None:
    Path("out").mkdir()
    done = run("report", reported, "out", "--json")
    assert done.code == 0
    (made,) = Path("out").iterdir()
    assert made.suffix == ".xlsx"
    assert Path(done.json["workbook"]) == Path("out").absolute() / made.name


def test_a_form_is_written_filled_and_loaded(run: Run, reported: str) -> None:
    done = run("forms", reported, "polk", "form.xlsx", "--by", "Anna")
    assert (done.code, done.out) == (0, "Wrote form.xlsx: the form of Polk, 2 precincts.\n")
    book = load_workbook("form.xlsx")
    page = book.worksheets[0]
    top = next(row for row in range(1, 20) if page.cell(row, 1).value == "Precinct id")
    over = [page.cell(top, column).value for column in range(1, page.max_column + 1)]
    row = next(row for row in range(top, 30) if page.cell(row, 1).value == "007")
    page.cell(row, over.index("Attendance") + 1).value = 12
    for offset, value in enumerate((12, 12, 1)):
        page.cell(row, over.index("Sanders") + 1 + offset).value = value
    book.save("form.xlsx")
    loaded = run("load", reported, "form.xlsx", "--channel", "paper", "--by", "Bo", "--json")
    assert (loaded.code, loaded.json["new"], loaded.json["refused"]) == (0, 1, [])
    again = run("forms", reported, "polk", "form.xlsx", "--json")
    assert (again.json["county"], again.json["precincts"], again.json["replaced"]) == ("Polk", 2, True)
    assert run("forms", reported, "Beta", "x.xlsx").code == 3
