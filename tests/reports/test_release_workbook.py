"""The workbook of a release: the same to the byte whenever it is made, and true by itself."""

import shutil
import time
import zipfile
from pathlib import Path

import pytest
from openpyxl import load_workbook
from python_calamine import CalamineWorkbook

from caucus_desk.desk.creating import create_caucus
from caucus_desk.desk.loading import load_results
from caucus_desk.desk.releasefiles import verify_file
from caucus_desk.desk.releases import release
from caucus_desk.desk.releasing import gate, make_release
from caucus_desk.desk.session import Desk, open_desk
from caucus_desk.desk.workbook import write_workbook
from caucus_desk.reports.errors import NotOurWorkbook
from caucus_desk.tally.report import Channel
from caucus_desk.tally.results import Counting

ROSTER = """county,precinct,precinct_id,county_delegates,kind,district,county_state_delegates,\
county_total_delegates,chair,phone,attendance
Alpha,North  Ward,A-1,6,precinct,1,4,11,Ada Fitch,515-555-0101,
Alpha,=South Ward,A-2,5,precinct,1,4,11,Ben Quist,515-555-0102,
Alpha,Old Mill,A-3,0,precinct,1,4,11,,,
Polk,DES MOINES-42,77-DM42,4,precinct,3,3,5,Cora Yoder,515-555-0103,
Polk,Walnut Township,77-T01,1,precinct,3,3,5,,,
Satellite district 3,Union hall,SAT-1,,satellite,3,2,,,,30
Satellite district 3,Library,SAT-2,,satellite,3,2,,,,25
"""
HEAD = "precinct_id,candidate,first_alignment,final_alignment,county_delegates,attendance\n"
FIRST = """A-1,Biden,14,16,1,100
A-1,Buttigieg,36,38,2,
A-1,Sanders,24,24,2,
A-1,Warren,22,22,1,
A-1,Yang,4,0,0,
77-DM42,Sanders,20,22,2,40
77-DM42,Warren,18,18,2,
SAT-1,Sanders,18,18,3,30
SAT-1,Warren,12,12,2,
"""
LATER = """A-2,Sanders,30,30,3,50
A-2,Warren,20,20,2,
77-DM42,Sanders,20,22,3,40
77-DM42,Warren,18,18,1,
SAT-2,Warren,25,25,3,25
"""


def feed(desk: Desk, folder: Path, rows: str) -> None:
    file = folder / "rows.csv"
    file.write_text(HEAD + rows, encoding="utf-8")
    load_results(desk, file, channel=Channel.PAPER, by="Bo")


def make(desk: Desk, note: str = "") -> None:
    passes = {item.id: "we know of it" for item in gate(desk, Counting.REPORTED).held}
    make_release(desk, Counting.REPORTED, note=note, passes=passes, by="Lead")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a store of two releases, and the workbook of the first as it was then."""
    folder = tmp_path_factory.mktemp("released")
    (folder / "roster.csv").write_text(ROSTER, encoding="utf-8")
    created = create_caucus(str(folder / "s.sqlite"), "iowa-2020", folder / "roster.csv", by="m", name="Test")
    with created.desk as desk:
        feed(desk, folder, FIRST)
        make(desk, "at ten")
        write_workbook(desk, folder / "one.xlsx", by="Lead", release=1)
        feed(desk, folder, LATER)
        make(desk)
        write_workbook(desk, folder / "two.xlsx", by="Lead", release=2)
    return folder


def test_made_again_after_later_reports_it_is_the_same_to_the_byte(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    if hasattr(time, "tzset"):
        time.tzset()
    try:
        with open_desk(str(made / "s.sqlite")) as desk:
            write_workbook(desk, tmp_path / "again.xlsx", by="Someone else", release=1)
    finally:
        monkeypatch.undo()
        if hasattr(time, "tzset"):
            time.tzset()
    assert (tmp_path / "again.xlsx").read_bytes() == (made / "one.xlsx").read_bytes()


def test_nothing_in_the_file_tells_of_another_hour_than_the_releases(made: Path) -> None:
    with open_desk(str(made / "s.sqlite")) as desk:
        at = release(desk, 1).at
    with zipfile.ZipFile(made / "one.xlsx") as archive:
        times = {member.date_time for member in archive.infolist()}
    assert times == {(at.year, at.month, at.day, at.hour, at.minute, at.second // 2 * 2)}  # zip: two seconds
    properties = load_workbook(made / "one.xlsx").properties
    assert properties.created.replace(microsecond=0) == at.replace(tzinfo=None, microsecond=0)
    assert properties.modified == at.replace(tzinfo=None, microsecond=0)


def test_the_digest_stands_on_every_sheet_in_a_cell_and_in_print(made: Path) -> None:
    with open_desk(str(made / "s.sqlite")) as desk:
        short = release(desk, 2).digest_short
    book = load_workbook(made / "two.xlsx")
    for sheet in book.worksheets:
        top = " ".join(str(sheet.cell(row, 1).value) for row in (1, 2, 3))
        assert f"Release 2 · digest {short}" in top, sheet.title
        assert short in sheet.oddFooter.right.text, sheet.title


def test_a_later_release_says_what_changed(made: Path) -> None:
    book = CalamineWorkbook.from_path(made / "two.xlsx")
    assert "Changes" in book.sheet_names
    assert "Changes" not in CalamineWorkbook.from_path(made / "one.xlsx").sheet_names
    rows = book.get_sheet_by_name("Changes").to_python()
    told = {row[0]: row[3] for row in rows if row[0] in ("A-2", "77-DM42", "SAT-1", "SAT-2")}
    assert told == {"A-2": "new", "77-DM42": "corrected", "SAT-2": "new"}
    fields = [cell for cell in next(row for row in rows if row[0] == "77-DM42") if cell != ""][-1]
    assert fields == "Sanders delegates 2 to 3; Warren delegates 2 to 1"


@pytest.mark.parametrize("name", ["one.xlsx", "two.xlsx"])
def test_its_numbers_are_those_released(made: Path, name: str) -> None:
    found = verify_file(made / name)
    assert (found.ok, found.differences) == (True, ())
    assert found.stated == found.found
    with open_desk(str(made / "s.sqlite")) as desk:
        assert verify_file(made / name, desk).ok
        assert release(desk, found.number).digest == found.stated


def cell_of(sheet: object, heading: str, id: str) -> object:
    rows = list(sheet.iter_rows())  # type: ignore[attr-defined]
    at = next(row for row in rows if str(row[0].value) in ("Precinct id", "County", "Group"))
    column = next(cell.column for cell in at if cell.value == heading)
    row = next(row for row in rows if row[0].value == id)
    return row[column - 1]


@pytest.mark.parametrize(
    ("sheet", "id", "heading", "value", "told"),
    [
        ("Precincts", "A-1", "Buttigieg final", 83, "final of A-1 add up to 145"),
        ("Precincts", "A-1", "Buttigieg SDE", 0.9, "Buttigieg SDE of Alpha"),
        ("Precincts", "A-1", "Counted", "no", "its precincts add up to"),
        ("Precincts", "A-1", "Warren first", "22 or so", "which is no count"),
        ("Precincts", "A-1", "Precinct", "Another Ward", "are not those released"),
        ("Counties", "Polk", "Sanders delegates", 4, "Sanders delegates of Polk is 4"),
        ("Summary", "Warren", "Final", 1, "Warren final of the state is 1"),
        ("Summary", "Warren", "SDE", 99.5, "Warren SDE of the state is 99.5000"),
    ],
)
def test_a_changed_cell_is_found_from_the_file_alone(
    made: Path, tmp_path: Path, sheet: str, id: str, heading: str, value: object, told: str
) -> None:
    book = load_workbook(made / "two.xlsx")
    cell = cell_of(book[sheet], heading, id)
    cell.value = value  # type: ignore[attr-defined]
    book.save(tmp_path / "changed.xlsx")
    found = verify_file(tmp_path / "changed.xlsx")
    assert not found.ok
    assert told in " ".join(found.differences)
    with open_desk(str(made / "s.sqlite")) as desk:
        against = verify_file(tmp_path / "changed.xlsx", desk)
    assert not against.ok
    if heading not in ("Counted", "Precinct"):
        assert f"{sheet} {cell.coordinate}" in " ".join(against.differences)  # type: ignore[attr-defined]


def test_a_workbook_that_excel_saved_again_still_verifies(made: Path, tmp_path: Path) -> None:
    book = load_workbook(made / "two.xlsx")
    book.save(tmp_path / "saved.xlsx")
    assert verify_file(tmp_path / "saved.xlsx").ok


def test_what_is_no_release_is_refused(made: Path, tmp_path: Path) -> None:
    with open_desk(str(made / "s.sqlite")) as desk:
        write_workbook(desk, tmp_path / "now.xlsx", by="Lead")
    shutil.copy(made / "rows.csv", tmp_path / "rows.csv")
    (tmp_path / "bad.json").write_text("{}", encoding="utf-8")
    for name in ("now.xlsx", "rows.csv", "bad.json"):
        with pytest.raises(NotOurWorkbook, match="is not a release of Caucus Desk"):
            verify_file(tmp_path / name)
    with pytest.raises(NotOurWorkbook, match="can't be read"):
        verify_file(tmp_path / "missing.xlsx")
