"""Control totals of a workbook: what it should hold, and what a written file does hold."""

import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, cast
from xml.etree.ElementTree import ParseError

from caucus_desk.reports.book import Book
from caucus_desk.reports.doubts import FINDINGS, MISMATCHES, MISSING_PAPER
from caucus_desk.reports.errors import NotOurWorkbook
from caucus_desk.reports.places import COUNTIES, DISTRICTS, PRECINCTS
from caucus_desk.reports.summary import SUMMARY
from caucus_desk.tally.counting import counts
from caucus_desk.tally.results import TallyRow

if TYPE_CHECKING:
    from openpyxl import Workbook
    from openpyxl.worksheet.worksheet import Worksheet

# A heading's last words and the sum that the column belongs to, the longest first.
_MEASURES = (
    ("delegates computed", "delegates_computed"),
    *((f"{unit} computed", "units_computed") for unit in ("SDE", "CCD", "votes")),
    ("delegates", "delegates"),
    ("first", "first"),
    ("final", "final"),
    *((unit, "units") for unit in ("SDE", "CCD", "votes")),
)
_FIRST_HEADINGS = {
    SUMMARY: "Group",
    DISTRICTS: "District",
    COUNTIES: "County",
    PRECINCTS: "Precinct id",
    MISMATCHES: "Precinct id",
    FINDINGS: "At stake, ",
    MISSING_PAPER: "County",
}
_PLACES = 10**9


@dataclass(frozen=True, slots=True)
class GroupSums:
    """One group's sums over the rows of a sheet. People, county delegates, and units (SDEs) as the sheet
    shows them: rounded in each row, then added exactly."""

    group: str
    first: int = 0
    final: int = 0
    delegates: int = 0
    delegates_computed: int = 0
    units: Fraction = Fraction(0)
    units_computed: Fraction = Fraction(0)


@dataclass(frozen=True, slots=True)
class SheetTotals:
    """`rows` counts the sheet's rows; `groups` is empty on sheets that add nothing up."""

    sheet: str
    rows: int
    groups: tuple[GroupSums, ...] = ()


@dataclass(frozen=True, slots=True)
class WorkbookTotals:
    """Equal for what should be in a file and what was read from it, or the file is not sound."""

    banner: str
    sheets: tuple[SheetTotals, ...]
    notes: tuple[str, ...] = field(default=(), compare=False)
    """What the file could not hold as it was, in sentences (control characters); not read back."""

    def sheet(self, name: str) -> SheetTotals:
        return next(sheet for sheet in self.sheets if sheet.sheet == name)

    def differences(self, found: "WorkbookTotals") -> tuple[str, ...]:
        """In sentences, what a file's totals lack of these; empty where they are equal."""
        said = []
        if self.banner != found.banner:
            said.append(f'The banner should say "{self.banner}" and says "{found.banner}".')
        there = {sheet.sheet: sheet for sheet in found.sheets}
        for sheet in self.sheets:
            if sheet.sheet not in there:
                said.append(f"The sheet {sheet.sheet} is missing.")
            elif sheet != there[sheet.sheet]:
                said.extend(_sheet_differences(sheet, there[sheet.sheet]))
        said.extend(
            f"The sheet {name} should not be there."
            for name in there
            if name not in {sheet.sheet for sheet in self.sheets}
        )
        return tuple(said)


def _sheet_differences(due: SheetTotals, found: SheetTotals) -> Iterator[str]:
    if due.rows != found.rows:
        yield f"{due.sheet} should have {due.rows:,} rows and has {found.rows:,}."
    there = {line.group: line for line in found.groups}
    for line in due.groups:
        other = there.pop(line.group, None)
        if other is None:
            yield f"{due.sheet} lacks {line.group}."
            continue
        for name in ("first", "final", "delegates", "delegates_computed", "units", "units_computed"):
            mine, theirs = getattr(line, name), getattr(other, name)
            if mine != theirs:
                words = name.replace("_", " ")
                yield (
                    f"{due.sheet}: {line.group} {words} should add up to {float(mine):,.10g} and adds up to "
                    f"{float(theirs):,.10g}."
                )
    for group in there:
        yield f"{due.sheet} has a group {group} that should not be there."


def expected(book: Book) -> WorkbookTotals:
    """What the overview says must be in the file, straight from its exact sums."""
    sheets = _expected_sheets(book)
    if not book.edition.whole:
        sheets = tuple(sheet for sheet in sheets if sheet.sheet not in (DISTRICTS, COUNTIES))
    return WorkbookTotals(book.banner, sheets)


def _expected_sheets(book: Book) -> tuple[SheetTotals, ...]:
    state = (book.state,)
    people = {line.group: line for line in book.state.groups}

    def sums(units: dict[str, tuple[int, int]]) -> tuple[GroupSums, ...]:
        return tuple(
            GroupSums(
                book.labels[key],
                line.first,
                line.final,
                line.delegates,
                line.delegates_computed,
                book.decimals.exact_of(units[key][0]),
                book.decimals.exact_of(units[key][1]),
            )
            for key, line in people.items()
        )

    overview = book.overview
    return (
        SheetTotals(SUMMARY, len(people), sums(_rounded(book, state))),
        SheetTotals(DISTRICTS, len(book.districts), sums(_rounded(book, book.districts))),
        SheetTotals(COUNTIES, len(book.counties), sums(_rounded(book, book.counties))),
        SheetTotals(PRECINCTS, len(book.results), sums(_rounded_precincts(book))),
        SheetTotals(MISMATCHES, len(overview.mismatches())),
        SheetTotals(FINDINGS, len(overview.findings())),
        SheetTotals(MISSING_PAPER, len(overview.missing_paper())),
    )


def _rounded(book: Book, rows: Iterable[TallyRow]) -> dict[str, tuple[int, int]]:
    """By group, the sums of the rounded SDEs, reported and computed, in units of the last place."""
    places = book.decimals.places
    found = dict.fromkeys(book.rules.keys, (0, 0))
    for row in rows:
        for line in row.groups:
            one, other = found[line.group]
            found[line.group] = (one + places(line.sde), other + places(line.sde_computed))
    return found


def _rounded_precincts(book: Book) -> dict[str, tuple[int, int]]:
    places = book.decimals.places
    found = [dict.fromkeys(book.rules.keys, 0), dict.fromkeys(book.rules.keys, 0)]
    for result in book.results:
        if counts(result, book.counting):
            for sums, values in zip(found, book.overview.sde(result.precinct.id), strict=True):
                for group, value in values.items():
                    sums[group] += places(value)
    return {key: (found[0][key], found[1][key]) for key in book.rules.keys}


def read(path: Path) -> WorkbookTotals:
    """The control totals that a written file holds, found by its headings. Raises NotOurWorkbook."""
    from openpyxl import load_workbook
    from openpyxl.utils.exceptions import InvalidFileException

    try:
        # As a stream: openpyxl would go by the name, and a file that isn't in its place yet has another.
        with path.open("rb") as stream:
            workbook = load_workbook(stream, read_only=True)
            try:
                return _read_book(workbook, path)
            finally:
                workbook.close()
    except (InvalidFileException, zipfile.BadZipFile, KeyError, ValueError, ParseError) as error:
        raise NotOurWorkbook(f"{path.name} can't be read back as a workbook.") from error
    except OSError as error:
        raise NotOurWorkbook(f"{path.name} can't be read back: {error.strerror or error}.") from error


def _read_book(workbook: "Workbook", path: Path) -> WorkbookTotals:
    banner = ""
    sheets: list[SheetTotals] = []
    groups: frozenset[str] = frozenset()
    for name, heading in _FIRST_HEADINGS.items():
        if name not in workbook.sheetnames:
            continue
        rows = cast("Worksheet", workbook[name]).iter_rows(values_only=True)
        first = next(rows, ())
        if name == SUMMARY:
            banner = str(first[0]) if first else ""
        sheets.append(_read_sheet(name, heading, rows, groups))
        groups = groups or frozenset(line.group for line in sheets[-1].groups)
    if not sheets:
        raise NotOurWorkbook(f"{path.name} has none of the sheets of a leadership workbook.")
    return WorkbookTotals(banner, tuple(sheets))


def _read_sheet(
    name: str, heading: str, rows: Iterator[tuple[object, ...]], known: frozenset[str]
) -> SheetTotals:
    """`known` are the groups that the summary names; other columns may end in the same words."""
    headings: tuple[object, ...] = ()
    for row in rows:
        if row and str(row[0] or "").startswith(heading) and len([cell for cell in row if cell]) > 1:
            headings = row
            break
    columns = _summed_columns(name, headings, known)
    sums: dict[tuple[str, str], int] = {}
    groups: dict[str, None] = {group: None for group, _ in columns.values()}
    lines = _block(rows)[:-1] if name == SUMMARY else [row for row in rows if any(c is not None for c in row)]
    for row in lines:
        for index, (group, measure) in columns.items():
            value = row[index] if index < len(row) else None
            if name == SUMMARY:
                group = _as_read(row[0])
                groups[group] = None
            if isinstance(value, (int, float)):
                sums[group, measure] = sums.get((group, measure), 0) + round(value * _PLACES)
    return SheetTotals(name, len(lines), tuple(_group_sums(group, sums) for group in groups if group))


def _block(rows: Iterator[tuple[object, ...]]) -> list[tuple[object, ...]]:
    """The rows up to the first empty one; the last is the block's total."""
    return list(takewhile(lambda row: any(cell is not None for cell in row), rows))


def _summed_columns(
    name: str, headings: tuple[object, ...], known: frozenset[str]
) -> dict[int, tuple[str, str]]:
    """Column index to group and measure; on the summary the group is the row's."""
    columns = {}
    for index, cell in enumerate(headings):
        text = _as_read(cell)
        for words, measure in _MEASURES:
            if name == SUMMARY and text.casefold() == words.casefold():
                columns[index] = ("", measure)
                break
            if name in (DISTRICTS, COUNTIES, PRECINCTS) and text.endswith(f" {words}"):
                group = text[: -len(words) - 1]
                if group in known or (not known and not group.endswith(" share of")):
                    columns[index] = (group, measure)
                break
    return columns


def _as_read(cell: object) -> str:
    """A cell's text as Excel shows it; openpyxl leaves escaped underscores as they are in the file."""
    return str(cell or "").replace("_x005F_", "_")


def _group_sums(group: str, sums: dict[tuple[str, str], int]) -> GroupSums:
    def whole(measure: str) -> int:
        return -(-sums.get((group, measure), 0) // _PLACES)

    def exact(measure: str) -> Fraction:
        return Fraction(sums.get((group, measure), 0), _PLACES)

    return GroupSums(
        group,
        whole("first"),
        whole("final"),
        whole("delegates"),
        whole("delegates_computed"),
        exact("units"),
        exact("units_computed"),
    )
