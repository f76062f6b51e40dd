"""Names of sheets, files and groups: short enough, told apart, and nothing that a program forbids."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import load_workbook

from caucus_desk.reports.book import LONGEST_LABEL
from caucus_desk.reports.errors import TooManyRows
from caucus_desk.reports.leadership import read_back
from caucus_desk.reports.naming import file_name
from caucus_desk.reports.plan import HELD, MAX_ROWS, Block, Column, MadeRows, ManyRows, Page, rows_of
from caucus_desk.reports.text import SHEET_NAME_LIMIT, sheet_name
from caucus_desk.tally.editions import Edition
from caucus_desk.tally.overview import Overview

from .conftest import adair, reported, with_labels, write

AT = datetime(2020, 2, 4, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("Polk", "Polk"),
        ("Pct 01 - WL/HV", "Pct 01 - WL HV"),
        ("[a]:b*c?d\\e", "a b c d e"),
        ("", "Sheet"),
        ("'quoted'", "quoted"),
        ("History", "History_"),
        ("x" * 40, "x" * 30 + "…"),
        ("two\nlines\x0b", "two lines"),
    ],
)
def test_sheets_get_a_name_that_excel_takes(given: str, name: str) -> None:
    assert sheet_name(given) == name


@given(st.lists(st.text(max_size=45), max_size=12))
def test_no_two_sheets_have_one_name(names: list[str]) -> None:
    taken: list[str] = []
    for name in names:
        made = sheet_name(name, taken)
        assert 0 < len(made) <= SHEET_NAME_LIMIT
        assert not set(made) & set("[]:*?/\\")
        assert made[0] != "'"
        assert made[-1] != "'"
        assert made.casefold() not in {each.casefold() for each in taken}
        taken.append(made)


@pytest.mark.parametrize(
    ("more", "name"),
    [
        ({}, "Iowa 2020 20200204 0112.xlsx"),
        ({"release": 3}, "Iowa 2020 release 3 20200204 0112.xlsx"),
        ({"edition": Edition.PRESS, "release": 3}, "Iowa 2020 press edition release 3 20200204 0112.xlsx"),
        ({"edition": Edition.COUNTY, "county": "O'Brien"}, "Iowa 2020 O Brien 20200204 0112.xlsx"),
    ],
)
def test_a_file_says_which_edition_which_release_and_when(more: dict[str, object], name: str) -> None:
    assert file_name("Iowa 2020", AT, **more) == name  # type: ignore[arg-type]


def test_a_file_name_carries_nothing_that_a_file_system_forbids() -> None:
    assert file_name('../a:b|c*"d"<e>?\0', AT) == "a b c d e 20200204 0112.xlsx"
    assert file_name("", AT) == "Caucus 20200204 0112.xlsx"
    assert len(file_name("y" * 500, AT, edition=Edition.COUNTY, county="z" * 500)) < 150


def test_an_over_long_group_ends_in_an_ellipsis_and_still_adds_up(tmp_path: Path) -> None:
    long = "The Committee for a Very Long Name " * 20
    overview = Overview(with_labels([long, long.upper(), "Other", "other"]), "Test", [])
    rules = overview.rules
    overview = Overview(rules, "Test", [reported(adair(1), rules=rules)])
    written = write(overview, tmp_path / "w.xlsx")
    assert written.totals.differences(read_back(written.path)) == ()
    (found,) = load_workbook(written.path)["Precincts"].tables.values()
    assert all(len(name) <= 255 for name in found.column_names)
    assert len({name.casefold() for name in found.column_names}) == len(found.column_names)
    assert max(len(str(row[0])) for row in written.rows("Summary")[5:9]) <= LONGEST_LABEL + 4


def test_more_rows_than_a_sheet_has_are_met_with_a_sentence() -> None:
    rows = MadeRows(range(MAX_ROWS - 3), lambda number: (number,))
    with pytest.raises(TooManyRows) as caught:
        Page("Precincts", "", "", (Block((Column("Number"),), rows),))
    assert caught.value.sentence == (
        "The sheet Precincts would need 1,048,579 rows, and an Excel sheet has 1,048,576. The workbook was "
        "not written; write one county at a time (the county edition)."
    )
    fits = MadeRows(range(MAX_ROWS - 6), lambda number: (number,))
    assert Page("Precincts", "", "", (Block((Column("Number"),), fits),)).last_row == MAX_ROWS - 2


def test_long_tables_are_not_held() -> None:
    made = []

    def make(number: int) -> tuple[int]:
        made.append(number)
        return (number,)

    assert rows_of(range(3), make) == [(0,), (1,), (2,)]
    assert made == [0, 1, 2]
    long = rows_of(range(HELD + 1), make)
    assert made == [0, 1, 2], "made only when they are read"
    assert (len(long), long[-1], [row[0] for row in long[5:7]]) == (HELD + 1, (HELD,), [5, 6])
    assert sum(row[0] for row in long) == HELD * (HELD + 1) // 2  # type: ignore[misc]


def test_several_rows_a_thing_are_counted_and_found() -> None:
    rows = ManyRows((1, 0, 3), lambda number: [(number, place) for place in range(number)])
    assert len(rows) == 4
    assert list(rows) == [(1, 0), (3, 0), (3, 1), (3, 2)]
    assert (rows[1], rows[-1], rows[2:]) == ((3, 0), (3, 2), [(3, 1), (3, 2)])
