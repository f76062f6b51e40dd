"""The workbook against openpyxl writing the same cells, with the same number formats, in the same mode."""

import shutil
from datetime import UTC, datetime
from pathlib import Path

from openpyxl import Workbook, load_workbook
from openpyxl.cell import WriteOnlyCell

from caucus_desk.desk.session import open_desk
from caucus_desk.reports.book import Book
from caucus_desk.reports.leadership import write_leadership
from caucus_desk.reports.outlookpage import outlook_page
from caucus_desk.tally.bounds import outlook
from caucus_desk.tally.editions import Edition
from caucus_desk.tally.results import Counting

from .conftest import in_turn, say

Cells = list[tuple[str, list[list[tuple[object, str]]]]]


def read_cells(path: Path) -> Cells:
    book = load_workbook(path)
    return [
        (sheet.title, [[(cell.value, cell.number_format) for cell in row] for row in sheet.iter_rows()])
        for sheet in book.worksheets
    ]


def write_bare(cells: Cells, path: Path) -> None:
    book = Workbook(write_only=True)
    for title, rows in cells:
        sheet = book.create_sheet(title)
        for row in rows:
            line: list[object] = []
            for value, number_format in row:
                if number_format == "General" or value is None:
                    line.append(value)
                else:
                    cell = WriteOnlyCell(sheet, value)
                    cell.number_format = number_format
                    line.append(cell)
            sheet.append(line)
    book.save(path)


def test_writing_the_workbook(sample: Path, tmp_path: Path) -> None:
    store = tmp_path / "store.sqlite"
    shutil.copy(sample, store)
    desk = open_desk(str(store))
    try:
        overview = desk.overview()
        overview.findings()
        out, bare = tmp_path / "ours.xlsx", tmp_path / "bare.xlsx"
        as_of = datetime.now(UTC)

        bounds = outlook(overview, Counting.REPORTED)

        def ours() -> None:
            write_leadership(out, overview, as_of=as_of, counting=Counting.REPORTED, bounds=bounds)

        def settled() -> None:
            found = outlook(overview, Counting.REPORTED)
            outlook_page(Book.of(overview, as_of, Counting.REPORTED, None, Edition.LEADERSHIP), found)

        ours()
        cells = read_cells(out)
        write_bare(cells, bare)
        say("Writing the workbook", *in_turn(ours, lambda: write_bare(cells, bare), 5), 1.3)
        # Whether the outcome is settled is the longest thing to work out in it, and is measured apart.
        say("Working out the outlook", *in_turn(settled, lambda: write_bare(cells, bare), 5), 0.5)
    finally:
        desk.close()
