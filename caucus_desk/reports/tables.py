"""Tables that Excel knows as such: filters, a name, and columns that formulas can name."""

from collections.abc import Sequence
from typing import Any, cast

from openpyxl.worksheet.filters import AutoFilter
from openpyxl.worksheet.table import Table, TableColumn
from openpyxl.worksheet.worksheet import Worksheet

LONGEST_NAME = 240
"""Characters of a column's name; Excel takes 255, and some are needed to tell equal ones apart."""


def add_table(sheet: Worksheet, name: str, cells: str, headings: Sequence[str]) -> None:
    """Makes `cells`, with the headings in their first row, a table.

    `headings` as they stand in the cells, no two equal when case is set aside (else Excel "repairs" the
    file). A table without a row below its headings is not allowed either: don't make one.
    """
    table = Table(displayName="".join(c if c.isalnum() else "_" for c in name), ref=cells)
    table.autoFilter = AutoFilter(ref=cells)
    # The writer would take the names from the sheet, and a sheet that is streamed has forgotten them.
    table.tableColumns = [
        TableColumn(id=number, name=_escaped(heading)) for number, heading in enumerate(headings, start=1)
    ]
    # Not add_table: it warns that names must be given by hand, which they are.
    cast(Any, sheet).tables.add(table)


def _escaped(heading: str) -> str:
    """Line ends as Excel keeps them in the names of columns."""
    return heading.replace("\n", "_x000a_")
