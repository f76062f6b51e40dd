"""The form's sheet in openpyxl: cells that take whole numbers only, the others locked, ready to print."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, cast

from openpyxl import Workbook
from openpyxl.cell.cell import Cell
from openpyxl.styles import Alignment, Border, Font, PatternFill, Protection, Side
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.header_footer import HeaderFooterItem
from openpyxl.worksheet.properties import PageSetupProperties
from openpyxl.worksheet.worksheet import Worksheet

from caucus_desk.reports.forms import INSTRUCTIONS, FormColumn, Input, form_columns, form_sheet_name, triples
from caucus_desk.reports.look import ACCENT, ACCENT_PALE, FACE, INK, SIZE, SOFT, amber_rule, set_styles
from caucus_desk.reports.plan import column_letter
from caucus_desk.reports.text import Cleaner, one_line, print_header
from caucus_desk.reports.writing import save
from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.tally.progress import Progress
from caucus_desk.tally.roster import Precinct
from caucus_desk.tally.sheet import MAX_COUNT

TOP = len(INSTRUCTIONS) + 2
"""The row of the heading's upper line."""
FIRST = TOP + 2
"""The first precinct's row."""
_LINE = Side(style="thin", color="AEBCC1")
_THICK = Side(style="medium", color=ACCENT)
_LOCKED = PatternFill(fgColor="EEF1F2", fill_type="solid")
_HEAD = PatternFill(fgColor=ACCENT_PALE, fill_type="solid")
_RISKY = ("=", "+", "-", "@")
_FROZEN = 3
"""Columns that say which precinct it is."""
_PAPER = 175.0
"""Characters across a letter page, landscape, that can still be written into."""


def write_form_book(
    path: Path,
    rules: RuleSet,
    caucus: str,
    county: str,
    precincts: Sequence[Precinct],
    made_at: datetime,
    progress: Progress,
) -> tuple[str, ...]:
    """Write the form to `path` as it is; see `forms.write_county_form`."""
    workbook = Workbook()
    set_styles(workbook, rules.rounding.digits)
    _describe(workbook, caucus, county, made_at)
    sheet = cast(Worksheet, workbook.active)
    sheet.title = form_sheet_name(county)
    columns = form_columns(rules)
    cleaner = Cleaner()
    last = FIRST + len(precincts) - 1
    _head(sheet, caucus, county, columns, cleaner)
    for place, precinct in enumerate(precincts):
        if place % 100 == 0:
            progress(place, len(precincts), "Writing the form")
        _row(sheet, FIRST + place, precinct, columns, cleaner)
    _validate(sheet, columns, last)
    _mark(sheet, columns, last)
    _protect(sheet)
    _print(sheet, caucus, county, columns)
    progress(len(precincts), len(precincts), "Saving")
    save(workbook, path, made_at)
    return cleaner.account()


def _describe(workbook: Workbook, caucus: str, county: str, made_at: datetime) -> None:
    properties = workbook.properties
    properties.title = one_line(f"{caucus}: worksheet form of {county}")[:250]
    properties.subject = "A form to fill, not a result"
    properties.creator = properties.lastModifiedBy = "Caucus Desk"
    properties.created = made_at.replace(tzinfo=None, microsecond=0)


def _head(
    sheet: Worksheet, caucus: str, county: str, columns: Sequence[FormColumn], cleaner: Cleaner
) -> None:
    about = f"{caucus} · {county}" if caucus else county
    _text(sheet, 1, 0, f"{about}: results from the paper worksheets", cleaner).font = Font(
        name=FACE, sz=14, b=True, color=ACCENT
    )
    sheet.row_dimensions[1].height = 24
    for number, line in enumerate(INSTRUCTIONS, start=2):
        _text(sheet, number, 0, line, cleaner).font = Font(name=FACE, sz=9, color=SOFT)
    for index, column in enumerate(columns):
        starts = index == 0 or columns[index - 1].over != column.over or not column.under
        for row, text in ((TOP, column.over if starts else ""), (TOP + 1, column.under)):
            cell = _text(sheet, row, index, text, cleaner)
            cell.font = Font(name=FACE, sz=9, b=True, color=ACCENT)
            cell.fill = _HEAD
            cell.alignment = Alignment(horizontal="left", vertical="bottom", wrap_text=not column.under)
            cell.border = Border(left=_LINE if starts else None, bottom=_THICK if row == TOP + 1 else None)
        sheet.column_dimensions[column_letter(index)].width = column.width
    sheet.row_dimensions[TOP].height = 30
    for first, end in triples(columns):
        sheet.merge_cells(f"{first}{TOP}:{end}{TOP}")
    sheet.freeze_panes = f"{column_letter(_FROZEN)}{FIRST}"


def _row(
    sheet: Worksheet, row: int, precinct: Precinct, columns: Sequence[FormColumn], cleaner: Cleaner
) -> None:
    known: tuple[str | int | None, ...] = (precinct.id, precinct.name, precinct.delegates)
    sheet.row_dimensions[row].height = 20
    for index, column in enumerate(columns):
        value = known[index] if index < len(known) else None
        if isinstance(value, str):
            cell = _text(sheet, row, index, value, cleaner)
        else:
            cell = sheet.cell(row, index + 1, value)
        cell.font = Font(name=FACE, sz=SIZE, color=INK)
        cell.border = Border(left=_LINE, right=_LINE, top=_LINE, bottom=_LINE)
        cell.alignment = Alignment(
            vertical="center", horizontal="right" if column.input is Input.COUNT else None
        )
        if column.input is Input.NOTHING:
            cell.fill = _LOCKED
        else:
            cell.protection = Protection(locked=False)
            cell.number_format = "0" if column.input is Input.COUNT else "@"
    sheet.cell(row, 1).number_format = "@"


def _validate(sheet: Worksheet, columns: Sequence[FormColumn], last: int) -> None:
    """What can't be right is refused while it is typed."""
    count = DataValidation(
        type="whole",
        operator="between",
        formula1="0",
        formula2=str(MAX_COUNT),
        allow_blank=True,
        showErrorMessage=True,
        errorTitle="Not a count",
        error=f"A whole number from 0 to {MAX_COUNT:,}, or nothing.",
    )
    tick = DataValidation(
        type="list",
        formula1='"yes,no"',
        allow_blank=True,
        showErrorMessage=True,
        errorTitle="Yes or no",
        error="yes, no, or nothing where you did not look.",
    )
    for index, column in enumerate(columns):
        rule = {Input.COUNT: count, Input.TICK: tick}.get(column.input)
        if rule is not None:
            letter = column_letter(index)
            rule.add(f"{letter}{FIRST}:{letter}{last}")
    sheet.add_data_validation(count)
    sheet.add_data_validation(tick)


def _mark(sheet: Worksheet, columns: Sequence[FormColumn], last: int) -> None:
    """Amber: a group that is half there, and people without an attendance."""
    groups = list(triples(columns))
    for first, end in groups:
        here = f"${first}{FIRST}:${end}{FIRST}"
        half = f"AND(COUNT({here})>0,COUNT({here})<3)"
        sheet.conditional_formatting.add(f"{first}{FIRST}:{end}{last}", amber_rule(half))
    if groups:
        people = f"${groups[0][0]}{FIRST}:${groups[-1][1]}{FIRST}"
        lacks = f'AND($D{FIRST}="",COUNT({people})>0)'
        sheet.conditional_formatting.add(f"D{FIRST}:D{last}", amber_rule(lacks))


def _protect(sheet: Worksheet) -> None:
    """Without a password: it keeps ids from being typed over, and keeps nobody out."""
    protection = cast(Any, sheet.protection)
    protection.sheet = True
    protection.formatColumns = False
    protection.formatRows = False


def _print(sheet: Worksheet, caucus: str, county: str, columns: Sequence[FormColumn]) -> None:
    widths = [column.width for column in columns]
    repeated = sum(widths[:_FROZEN])
    pages = -(-int(sum(widths) - repeated) // int(_PAPER - repeated))
    sheet.sheet_view.showGridLines = False
    sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    sheet.page_setup.orientation = "landscape"
    sheet.page_setup.paperSize = 1  # letter
    sheet.page_setup.fitToWidth = max(pages, 1)
    sheet.page_setup.fitToHeight = 0
    sheet.print_title_rows = f"{TOP}:{TOP + 1}"
    sheet.print_title_cols = f"A:{column_letter(_FROZEN - 1)}"
    margins = sheet.page_margins
    margins.left = margins.right = 0.4
    margins.top, margins.bottom = 0.75, 0.6
    margins.header = margins.footer = 0.3
    head = cast(HeaderFooterItem, sheet.oddHeader)
    foot = cast(HeaderFooterItem, sheet.oddFooter)
    head.left.text, head.center.text, head.right.text = print_header(
        caucus, f"{county}: worksheet form", "a form to fill, not a result"
    )
    foot.left.text, foot.center.text = "Filled by:", "Page &P of &N"


def _text(sheet: Worksheet, row: int, index: int, text: str, cleaner: Cleaner) -> Cell:
    """Text that stays text, whatever it begins with."""
    cell = cast(Cell, sheet.cell(row, index + 1))
    kept = cleaner.cell(text, f"{sheet.title} {column_letter(index)}{row}")
    if kept:
        cell.value = kept
        cell.data_type = "s"
        if kept.startswith(_RISKY):
            cast(Any, cell).quotePrefix = True
    return cell
