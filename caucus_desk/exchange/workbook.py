"""A workbook in one pass: values, formulas without values, hidden rows, merged cells, bounded memory."""

import posixpath
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from types import TracebackType
from xml.etree.ElementTree import Element

from caucus_desk.exchange.archive import DAMAGED, Archive
from caucus_desk.exchange.cells import ID_DATE_EXPECTED, Flawed
from caucus_desk.exchange.folding import column_index, column_letter
from caucus_desk.exchange.numberformats import PLAIN, NumberLook, look_of, shown

MAX_ROWS, MAX_COLUMNS = 1_048_576, 16_384
_LONGEST_ROW = MAX_COLUMNS * 6
"""Elements within one row or one string; more of them are no workbook."""
_AFTER_DATA = 5_000_000
"""Elements that may follow the rows: links, validations, formats."""
_MAX_STRINGS = 256 << 20
_DIGITS = "0123456789"
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
_NOT_CALCULATED = (
    "a value: this is a formula that was never calculated. Open the file in a spreadsheet program, save it, "
    "and try again"
)
_FAILED = "a value: this formula ends in a fault"


@dataclass(frozen=True, slots=True)
class SheetPart:
    name: str
    part: str
    hidden: bool


@dataclass(frozen=True, slots=True)
class MergedRange:
    """Rows are numbered as shown, columns from 0; both ends included."""

    first_row: int
    last_row: int
    first_column: int
    last_column: int

    def __str__(self) -> str:
        start = f"{column_letter(self.first_column)}{self.first_row}"
        return f"{start}:{column_letter(self.last_column)}{self.last_row}"


@dataclass
class SheetNotes:
    """What was met while the rows of a sheet were read; complete after the last row."""

    hidden_rows: list[int] = field(default_factory=list)
    hidden_columns: set[int] = field(default_factory=set)
    merged: list[MergedRange] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _SheetTags:
    """Element names with the namespace that this workbook uses (strict or transitional)."""

    data: str
    row: str
    column: str
    merge: str

    @classmethod
    def beside(cls, root: str) -> "_SheetTags":
        space = root[: root.index("}") + 1] if "}" in root else ""
        return cls(f"{space}sheetData", f"{space}row", f"{space}col", f"{space}mergeCell")


class Workbook:
    """An open workbook. Close it (or use it in `with`) when the rows are read."""

    def __init__(self, path: Path) -> None:
        self._archive = Archive(path)
        try:
            self._open()
        except BaseException:
            self._archive.close()
            raise

    def __enter__(self) -> "Workbook":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._archive.close()

    def rows(
        self, sheet: SheetPart, notes: SheetNotes, read: Callable[[int, int], None] | None = None
    ) -> Iterator[tuple[int, list[str]]]:
        """Row number and cells of each row that the sheet holds; absent rows are left out.

        `read` hears of the bytes read and the bytes in all. Memory stays that of a few rows.
        """
        size = self._archive.size(sheet.part) if self._archive.has(sheet.part) else 0
        told = (lambda done: read(done, size)) if read is not None else None
        batches = self._archive.events(sheet.part, ("start", "end"), read=told)
        tags: _SheetTags | None = None
        sheet_data: Element | None = None
        number = since = 0
        for event, element in chain.from_iterable(batches):
            if event == "start":
                if tags is None:
                    tags = _SheetTags.beside(element.tag)
                elif element.tag == tags.data:
                    sheet_data = element
                continue
            assert tags is not None
            since += 1
            if element.tag == tags.row and sheet_data is not None:
                number = self._row_number(element, number)
                cells = self._cells(element)
                if any(cells):
                    if element.get("hidden") in ("1", "true"):
                        notes.hidden_rows.append(number)
                    yield number, cells
                sheet_data.clear()
                since = 0
            elif element.tag == tags.merge:
                if merged := _merged(element.get("ref", "")):
                    notes.merged.append(merged)
            elif element.tag == tags.column and element.get("hidden") in ("1", "true"):
                first, last = _number(element.get("min")), _number(element.get("max"))
                notes.hidden_columns.update(range(first - 1, min(last, 500)))
            elif element.tag == tags.data:
                since = -_AFTER_DATA
            elif since > _LONGEST_ROW:
                raise self._archive.bad(DAMAGED, sheet.name)

    def _row_number(self, row: Element, before: int) -> int:
        text = row.get("r")
        number = int(text) if text and text.isdigit() and len(text) < 9 else before + 1
        if number <= before or number > MAX_ROWS:
            raise self._archive.bad(DAMAGED)
        return number

    def _cells(self, row: Element) -> list[str]:
        cells: list[str] = []
        columns = self._columns
        for cell in row:
            reference = cell.get("r")
            if reference is None:
                index = len(cells)
            else:
                letters = reference.rstrip(_DIGITS)
                found = columns.get(letters)
                if found is None:
                    found = columns[letters] = self._column(letters)
                index = found
            if index < len(cells):
                raise self._archive.bad(DAMAGED)
            if index > len(cells):
                cells.extend([""] * (index - len(cells)))
            cells.append(self._text(cell))
        return cells

    def _column(self, letters: str) -> int:
        if letters.isascii() and letters.isalpha() and letters.isupper() and len(letters) <= 3:
            index = column_index(letters)
            if index < MAX_COLUMNS:
                return index
        raise self._archive.bad(DAMAGED)

    def _text(self, cell: Element) -> str:
        value = formula = inline = None
        for part in cell:
            local = part.tag[part.tag.find("}") + 1 :]
            if local == "v":
                value = part.text
            elif local == "f":
                formula = part.text or ""
            elif local == "is":
                inline = _runs(part)
        kind = cell.get("t", "n")
        if value is None:
            if formula is not None and kind != "str":
                return Flawed(f"={formula}", _NOT_CALCULATED)
            return inline or ""
        if kind == "n":
            style = cell.get("s")
            place = _number(style) if style else -1
            look = self._looks[place] if 0 <= place < len(self._looks) else PLAIN
            return shown(value, look, self._since_1904)
        if kind == "s":
            index = _number(value)
            if index >= len(self._strings):
                raise self._archive.bad(DAMAGED)
            return self._strings[index]
        if kind == "b":
            return "TRUE" if value == "1" else "FALSE"
        if kind == "e":
            return Flawed(value, _FAILED)
        if kind == "d":
            return Flawed(value, ID_DATE_EXPECTED)
        return _unescaped(value)

    def _open(self) -> None:
        archive = self._archive
        main = self._target("_rels/.rels", "", "/officeDocument") or "xl/workbook.xml"
        if not archive.has(main):
            raise archive.bad("This file holds no workbook. Save it as .xlsx in a spreadsheet program.")
        folder = posixpath.dirname(main)
        relations = f"{folder}/_rels/{posixpath.basename(main)}.rels"
        root = archive.root(main)
        parts = self._relations(relations, folder)
        self._columns: dict[str, int] = {}
        self._since_1904 = any(
            _local(element) == "workbookPr" and element.get("date1904") in ("1", "true") for element in root
        )
        self.sheets: tuple[SheetPart, ...] = tuple(self._sheets(root, parts))
        if not self.sheets:
            raise archive.bad("The workbook has no worksheet.")
        self._strings = self._shared_strings(self._target(relations, folder, "/sharedStrings"))
        self._looks = self._number_looks(self._target(relations, folder, "/styles"))

    def _sheets(self, root: Element, parts: dict[str, tuple[str, str]]) -> Iterator[SheetPart]:
        for element in root.iter():
            if _local(element) != "sheet":
                continue
            relation = next((v for k, v in element.attrib.items() if k.endswith("}id")), "")
            kind, part = parts.get(relation, ("", ""))
            if kind.endswith("/worksheet") and self._archive.has(part):
                yield SheetPart(element.get("name", ""), part, element.get("state", "visible") != "visible")

    def _relations(self, part: str, folder: str) -> dict[str, tuple[str, str]]:
        """Relation id to its type and the part that it names."""
        if not self._archive.has(part):
            return {}
        found = {}
        for element in self._archive.root(part):
            target = element.get("Target", "")
            place = target.lstrip("/") if target.startswith("/") else posixpath.normpath(f"{folder}/{target}")
            found[element.get("Id", "")] = (element.get("Type", ""), place.lstrip("/"))
        return found

    def _target(self, relations: str, folder: str, kind: str) -> str | None:
        return next((p for t, p in self._relations(relations, folder).values() if t.endswith(kind)), None)

    def _shared_strings(self, part: str | None) -> list[str]:
        strings: list[str] = []
        if part is None or not self._archive.has(part):
            return strings
        since = 0
        for element in self._archive.elements(part, largest=_MAX_STRINGS):
            since += 1
            if _local(element) == "si":
                strings.append(_runs(element))
                element.clear()
                since = 0
            elif since > _LONGEST_ROW:
                raise self._archive.bad(DAMAGED)
        return strings

    def _number_looks(self, part: str | None) -> list[NumberLook]:
        if part is None or not self._archive.has(part):
            return []
        root = self._archive.root(part)
        custom = {}
        for element in root.iter():
            if _local(element) == "numFmt" and element.get("numFmtId", "").isdigit():
                custom[_number(element.get("numFmtId"))] = element.get("formatCode", "")
        formats = next((element for element in root if _local(element) == "cellXfs"), None)
        known: dict[int, NumberLook] = {}
        looks = []
        for element in formats if formats is not None else ():
            number = _number(element.get("numFmtId"))
            if number not in known:
                known[number] = look_of(number, custom)
            looks.append(known[number])
        return looks


def _local(element: Element) -> str:
    return element.tag.rpartition("}")[2]


def _runs(element: Element) -> str:
    """The text of a string, its formatted runs joined, without phonetic hints."""
    if len(element) == 1 and element[0].tag.endswith("}t"):
        return _unescaped(element[0].text or "")
    texts = []
    for part in element:
        local = _local(part)
        if local == "t":
            texts.append(part.text or "")
        elif local == "r":
            texts += [inner.text or "" for inner in part if _local(inner) == "t"]
    return _unescaped("".join(texts))


def _unescaped(text: str) -> str:
    """Characters that XML cannot hold are written as _x000B_."""
    return _ESCAPED.sub(_character, text) if "_x" in text else text


def _character(found: re.Match[str]) -> str:
    code = int(found[1], 16)
    return "\ufffd" if 0xD800 <= code <= 0xDFFF else chr(code)


def _number(text: str | None) -> int:
    """A small number in an attribute; 0 where there is none."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 10 else 0


def _merged(reference: str) -> MergedRange | None:
    match = re.fullmatch(r"\$?([A-Z]{1,3})\$?([0-9]{1,7}):\$?([A-Z]{1,3})\$?([0-9]{1,7})", reference)
    if match is None:
        return None
    return MergedRange(int(match[2]), int(match[4]), column_index(match[1]), column_index(match[3]))
