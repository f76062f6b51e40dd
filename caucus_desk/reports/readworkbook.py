"""Reads a release out of its workbook, as the digest needs it: by headings, whatever the order."""

import zipfile
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from xml.etree.ElementTree import ParseError

from caucus_desk.reports.places import COUNTIES, DISTRICTS, PRECINCTS
from caucus_desk.reports.plan import NOT_KNOWN, column_letter
from caucus_desk.reports.readreleased import ReadRelease, not_ours
from caucus_desk.reports.releasesheet import (
    BASIS,
    COUNTING,
    DECIMALS,
    DIGEST,
    KEYS,
    MADE,
    NUMBER,
    RELEASE,
    TOTALS,
)
from caucus_desk.reports.summary import SUMMARY
from caucus_desk.tally.digest import DigestHead, DigestRow, DigestSheet, TotalsLine, plain

if TYPE_CHECKING:
    from openpyxl import Workbook

Cells = Sequence[object]
_MEASURES = (
    ("delegates computed", "computed"), ("{unit} computed", "units_computed"), ("delegates", "delegates"),
    ("first", "first"), ("final", "final"), ("{unit}", "units"),
)  # fmt: skip
_SUMS = ("First, all groups", "Final, all groups", "Delegates, all groups")


def read_workbook(path: Path) -> ReadRelease:
    """Raises NotOurWorkbook where it is no workbook, or none of a release."""
    from openpyxl import load_workbook
    from openpyxl.utils.exceptions import InvalidFileException

    try:
        with path.open("rb") as stream:
            workbook = load_workbook(stream, read_only=True)
            try:
                return _Reader(workbook, path).read()
            finally:
                workbook.close()
    except (InvalidFileException, zipfile.BadZipFile, KeyError, ValueError, ParseError) as error:
        raise not_ours(path, f"it can't be read as one ({error!s:.80})") from error


class _Reader:
    def __init__(self, workbook: "Workbook", path: Path) -> None:
        self._workbook = workbook
        self._path = path
        self._groups: dict[str, str] = {}
        """Key by what it is called in headings."""
        self._fields: dict[str, str] = {}
        self._attendance = self._unit = ""
        self._total: tuple[int, Cells] = (0, ())
        """The total above the table that was begun last, with its row."""

    def read(self) -> ReadRelease:
        names = self._workbook.sheetnames
        missing = [name for name in (RELEASE, SUMMARY, DISTRICTS, COUNTIES, PRECINCTS) if name not in names]
        if missing:
            part = " (a county's edition is a part and has none)" if missing[0] == RELEASE else ""
            raise not_ours(self._path, f"it has no sheet {missing[0]}{part}")
        stated = self._head()
        digits = int(stated[DECIMALS])
        head = DigestHead(int(stated[NUMBER]), stated[MADE], stated[COUNTING], stated[BASIS])
        read = ReadRelease("workbook", head, stated[TOTALS], stated[DIGEST], [], digits=digits)
        read.totals = []
        self._precincts(read)
        self._summary(read)
        for name, kind in ((DISTRICTS, "district"), (COUNTIES, "county")):
            self._places(read, name, kind)
        return read

    def _rows(self, name: str) -> Iterator[tuple[int, Cells]]:
        sheet = cast(Any, self._workbook[name])
        return enumerate(sheet.iter_rows(values_only=True), start=1)

    def _head(self) -> dict[str, str]:
        stated: dict[str, str] = {}
        named = False
        for _, row in self._rows(RELEASE):
            cells = [_text(cell) for cell in row[:3]] + [""] * 3
            named |= cells[0] == KEYS
            if not named and cells[0] and cells[1]:
                stated.setdefault(cells[0], cells[1])
            elif named and cells[1]:
                if cells[0] == "group":
                    self._groups[cells[2]] = cells[1]
                elif cells[0] == "field":
                    self._fields[cells[2]] = cells[1]
                elif cells[0] == "attendance":
                    self._attendance = cells[2]
                elif cells[0] == "unit":
                    self._unit = cells[2]
        lacking = [
            key for key in (NUMBER, MADE, COUNTING, DIGEST, TOTALS, BASIS, DECIMALS) if key not in stated
        ]
        if lacking or not self._groups:
            raise not_ours(
                self._path, f"its sheet {RELEASE} does not state {lacking[0] if lacking else 'groups'}"
            )
        return stated

    def _table(self, name: str, first: str) -> tuple[list[str], Iterator[tuple[int, Cells]]]:
        rows = self._rows(name)
        self._total = (0, ())
        for number, row in rows:
            if row and _text(row[0]) == "Total":
                self._total = (number, row)
            if row and _text(row[0]) == first and sum(cell is not None for cell in row) > 1:
                return [_text(cell) for cell in row], rows
        raise not_ours(self._path, f"its sheet {name} has no column {first}")

    def _columns(self, headings: Sequence[str]) -> dict[int, tuple[str, str]]:
        """Column to group key and measure."""
        found = {}
        for index, heading in enumerate(headings):
            for words, measure in _MEASURES:
                ending = f" {words.format(unit=self._unit)}"
                key = self._groups.get(heading.removesuffix(ending)) if heading.endswith(ending) else None
                if key is not None:
                    found[index] = (key, measure)
                    break
        return found

    def _precincts(self, read: ReadRelease) -> None:
        headings, rows = self._table(PRECINCTS, "Precinct id")
        at = {heading: index for index, heading in enumerate(headings)}
        columns = self._columns(headings)
        self._total_row(read, PRECINCTS, columns)
        extras = {at[label]: key for label, key in self._fields.items() if label in at}
        for number, row in rows:
            if _value(row, at["Counted"]) != "yes":
                continue
            id = _text(_value(row, 0))
            counts: dict[str, dict[str, int | None]] = {key: {} for key in self._groups.values()}
            units = dict.fromkeys(counts, "")
            for index, (key, measure) in columns.items():
                cell = f"{PRECINCTS} {column_letter(index)}{number}"
                value = _value(row, index)
                if measure in ("first", "final", "delegates"):
                    counts[key][measure] = read.whole(value, cell, headings[index])
                    read.cells[id, key, measure] = cell
                elif measure == "units":
                    units[key] = self._units(read, value, cell, headings[index])
                    read.cells[id, key, measure] = cell
                elif measure == "computed":
                    read.computed[id, key] = read.whole(value, cell, headings[index]) or 0
            here = f"{PRECINCTS} {column_letter(at[self._attendance])}{number}"
            read.cells[id, "", "attendance"] = here
            attendance = read.whole(_value(row, at[self._attendance]), here, self._attendance)
            fields = tuple(
                (key, read.whole(_value(row, index), f"{PRECINCTS} {column_letter(index)}{number}", key))
                for index, key in extras.items()
            )
            groups = tuple(
                DigestRow(key, one.get("first"), one.get("final"), one.get("delegates"), units[key])
                for key, one in counts.items()
            )
            county, name = _text(_value(row, at["County"])), _text(_value(row, at["Precinct"]))
            read.sheets.append(DigestSheet(id, county, name, attendance, fields, groups))
            sums = tuple(_value(row, at[heading]) for heading in _SUMS if heading in at)
            read.row_sums[id] = (f"{PRECINCTS} {column_letter(at[_SUMS[0]])}{number}", sums)

    def _places(self, read: ReadRelease, name: str, kind: str) -> None:
        headings, rows = self._table(name, "District" if kind == "district" else "County")
        columns = self._columns(headings)
        self._total_row(read, name, columns)
        for number, row in rows:
            if not row or row[0] is None:
                break
            place = plain(_text(row[0]))
            by_group: dict[str, dict[str, tuple[object, str]]] = {}
            for index, (key, measure) in columns.items():
                cell = f"{name} {column_letter(index)}{number}"
                by_group.setdefault(key, {})[measure] = (_value(row, index), cell)
            self._lines(read, kind, place, by_group)

    def _total_row(self, read: ReadRelease, name: str, columns: dict[int, tuple[str, str]]) -> None:
        number, row = self._total
        for index, (key, measure) in columns.items() if row else ():
            cell, value = f"{name} {column_letter(index)}{number}", _value(row, index)
            found: int | str | None
            if measure.startswith("units"):
                found = self._units(read, value, cell, measure)
            else:
                found = read.whole(value, cell, measure)
            read.total_rows.append((cell, key, measure, found))

    def _summary(self, read: ReadRelease) -> None:
        headings, rows = self._table(SUMMARY, "Group")
        words = {w.format(unit=self._unit).casefold(): measure for w, measure in _MEASURES}
        columns = {i: words[h.casefold()] for i, h in enumerate(headings) if h.casefold() in words}
        for number, row in rows:
            key = self._groups.get(_text(row[0])) if row else None
            if key is None:
                break
            values = {
                measure: (_value(row, index), f"{SUMMARY} {column_letter(index)}{number}")
                for index, measure in columns.items()
            }
            self._lines(read, "state", "", {key: values})

    def _lines(
        self, read: ReadRelease, kind: str, place: str, by_group: dict[str, dict[str, tuple[object, str]]]
    ) -> None:
        assert read.totals is not None
        for key, values in by_group.items():
            for measure, (_, cell) in values.items():
                read.cells[f"{kind} {place}", key, measure] = cell
            whole = {
                measure: read.whole(*values.get(measure, (None, "")), measure) or 0
                for measure in ("first", "final", "delegates", "computed")
            }
            units = [
                self._units(read, *values.get(measure, (None, "")), measure)
                for measure in ("units", "units_computed")
            ]
            counts = (whole["first"], whole["final"], whole["delegates"], whole["computed"])
            read.totals.append(TotalsLine(kind, place, key, *counts, units[0], units[1]))

    def _units(self, read: ReadRelease, value: object, cell: str, what: str) -> str:
        """As the digest has it: with the rule set's digits; more than those were not written by us."""
        if value is None or value == NOT_KNOWN:
            return ""
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            read.faults.append(f"{cell}: {what} is {value!s:.40}, which is no number.")
            return ""
        shown = f"{value:.{read.digits}f}"
        if abs(Fraction(shown) - Fraction(value)) > Fraction(1, 10 ** (read.digits + 4)):
            return repr(value)
        return shown


def _value(row: Cells, index: int) -> object:
    return row[index] if index < len(row) else None


def _text(cell: object) -> str:
    return str(cell if cell is not None else "").replace("_x005F_", "_")
