"""Each sheet says what it is made of, on screen and on paper, and prints on letter paper."""

import re
from datetime import UTC, datetime
from html import unescape
from pathlib import Path

import pytest
from openpyxl import load_workbook

from caucus_desk.reports.text import HEADER_LIMIT
from caucus_desk.tally.overview import Overview
from caucus_desk.tally.report import Acknowledgement

from .conftest import OVER, RULES, SEEN, SHEETS, TABLES, Written, a_night, adair, clean, pair, write

BANNER = "UNOFFICIAL, PARTIAL: 11 of 12 precincts (91.7%), all 2 counties"


def header_of(written: Written, name: str) -> str:
    found = re.search(r"<oddHeader>(.*?)</oddHeader>", written.xml(name), re.DOTALL)
    assert found is not None, name
    return unescape(found.group(1))


def test_the_banner_is_the_first_row_and_in_the_print_header_of_every_sheet(night: Written) -> None:
    assert a_night().banner() == BANNER
    for name in SHEETS:
        assert night.rows(name)[0][0] == BANNER
        header = header_of(night, name)
        assert f"&C{BANNER}" in header
        assert "&LTest caucus && friends" in header
        assert len(header) < HEADER_LIMIT


def test_a_complete_count_is_still_unofficial(tmp_path: Path) -> None:
    written = write(Overview(RULES, "Test", [pair(adair(1), clean(10))]), tmp_path / "w.xlsx")
    assert written.rows("Counties")[0][0] == "UNOFFICIAL, COMPLETE: 1 of 1 precinct (100.0%), 1 of 1 county"


@pytest.mark.parametrize("name", ["&" * 400, "A & B " * 80, "x" * 1_000, "&P&N&G", "&[Tab]", "2020 &12", ""])
def test_a_long_name_does_not_push_the_banner_out(name: str, tmp_path: Path) -> None:
    written = write(Overview(RULES, name, [pair(adair(1), clean(10))]), tmp_path / "w.xlsx")
    banner = written.rows("Summary")[0][0]
    for sheet in SHEETS:
        header = header_of(written, sheet)
        assert len(header) < HEADER_LIMIT
        assert f"&C{banner}&R" in header
        left = re.match(r"(?:&L(.*?))?&CUNOFFICIAL", header)
        assert left is not None
        assert "&" not in (left.group(1) or "").replace("&&", "")


def test_sheets_print_on_letter_paper_with_headings_and_page_numbers(night: Written) -> None:
    book = load_workbook(night.path)
    for page in book.worksheets:
        assert page.page_setup.orientation == "landscape"
        assert int(page.page_setup.paperSize) == 1
        assert page.sheet_properties.pageSetUpPr.fitToPage
        assert int(page.page_setup.fitToHeight) == 0
        assert "&P of &N" in page.oddFooter.center.text
    for name in TABLES:
        page = book[name]
        assert page.freeze_panes
        header = int(page.freeze_panes.lstrip("ABCDEFGH")) - 1
        assert page.print_title_rows == f"${header}:${header}"
        (table,) = page.tables.values() or (None,)
        cells = page.auto_filter.ref if table is None else table.autoFilter.ref
        assert cells.startswith(f"A{header}:")
    assert book["Precincts"].print_title_cols == "$A:$C"
    assert book["Precincts"].page_setup.fitToWidth > 1


def test_columns_are_wide_enough_for_their_numbers_and_capped_for_long_names(tmp_path: Path) -> None:
    long = "The Very Reverend Society of Friends of the Old Mill, " * 4
    figures = [pair(adair(n, name=long), clean(9000 + n)) for n in range(1, 4)]
    written = write(Overview(RULES, "Test", figures), tmp_path / "w.xlsx")
    page = load_workbook(written.path)["Precincts"]
    headings = {cell.value: cell.column_letter for cell in page[5]}
    assert page.column_dimensions[headings["Precinct"]].width < 40
    width = page.column_dimensions[headings["Sanders first"]].width
    assert width > len(f"{3 * 54_000 + 36:,}")
    assert page.row_dimensions[5].height > 20


def test_local_time_stands_in_cells_and_its_zone_in_headings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import time

    monkeypatch.setenv("TZ", "America/Chicago")
    time.tzset()
    try:
        given = Acknowledgement("001", "C14", OVER.fingerprint, "Dee", SEEN, "so it is", True)
        overview = Overview(RULES, "Test", [pair(adair(1), OVER, acknowledged=[given])])
        written = write(overview, tmp_path / "w.xlsx")
        rows = written.table("Findings", "At stake")
        heading = "Acknowledged at (CST, UTC−06:00)"
        assert next(row[heading] for row in rows if row["Finding"] == "C14") == datetime(2020, 2, 3, 21, 4)  # noqa: DTZ001
        assert written.rows("Summary")[1][0] == "Test · as of 2020-02-03 21:04 CST, UTC−06:00"
    finally:
        monkeypatch.undo()
        time.tzset()


def test_the_file_says_what_it_is(night: Written) -> None:
    properties = load_workbook(night.path).properties
    assert properties.title.startswith("Test caucus & friends: results as of 2020-02-0")
    assert properties.subject == BANNER
    assert properties.creator == "Caucus Desk"
    assert properties.created == SEEN.astimezone(UTC).replace(tzinfo=None)


def test_the_summary_has_a_chart_that_a_preview_can_draw(night: Written, tmp_path: Path) -> None:
    (chart,) = load_workbook(night.path)["Summary"]._charts
    (series,) = chart.series
    shares = [float(point.v) for point in series.val.numRef.numCache.pt]
    assert len(shares) == len(RULES.keys)
    assert abs(sum(shares) - 1) < 1e-9
    labels = [point.v for point in series.cat.strRef.strCache.pt]
    assert labels == [RULES.label(key) for key in RULES.keys]
    summary = {row["Group"]: row["Share of SDE"] for row in night.table("Summary", "Group")}
    for label, value in zip(labels, shares, strict=True):
        assert summary[label] == value


def test_the_sentence_on_a_last_seat_stands_under_its_heading(night: Written) -> None:
    """Over the columns that its heading's band covers, and not by making one of them wide."""
    sheet = load_workbook(night.path)["National delegates"]
    heading = next(cell for row in sheet.iter_rows() for cell in row if cell.value == "In words")
    band = [cell for cell in sheet[heading.row][heading.column - 1 :] if cell.fill.fill_type == "solid"]
    room = sum(sheet.column_dimensions[cell.column_letter].width for cell in band)
    sentence = sheet.cell(heading.row + 1, heading.column).value
    assert len("Sanders is 1,061.2882 SDEs behind Buttigieg for the last seat.") <= room
    assert sentence
    assert sheet.column_dimensions[heading.column_letter].width < 20
    yes = next(cell for row in sheet.iter_rows() for cell in row if cell.value == "yes")
    assert yes.alignment.indent == 1, "words keep off the number to their left"
