"""The XML of worksheets and shared strings, turned into rows and texts while it streams by.

No tree is built: a sheet of a million rows needs the memory of a few hundred.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol
from xml.parsers.expat import XMLParserType

from caucus_desk.exchange.cells import ID_DATE_EXPECTED, Flawed
from caucus_desk.exchange.folding import column_index, column_letter
from caucus_desk.exchange.numberformats import PLAIN, NumberLook, shown

MAX_ROWS, MAX_COLUMNS = 1_048_576, 16_384
SEPARATOR = " "
"""Stands between an element's namespace and its name."""

_MAX_TEXT = 1 << 20
"""Characters of one cell; spreadsheets allow 32,767."""
_MAX_RUNS = 1 << 15
"""Formatted pieces of one text."""
_DEEPEST = 64
"""Elements within each other."""
_DIGITS = "0123456789"
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
_NOT_CALCULATED = (
    "a value: this is a formula that was never calculated. Open the file in a spreadsheet program, save it, "
    "and try again"
)
_FAILED = "a value: this formula ends in a fault"

Attributes = dict[str, str]


class Damaged(Exception):
    """XML that no spreadsheet writes. Caught where the file's name is known."""


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


class Listener(Protocol):
    """Hears the elements of one part."""

    def attach(self, parser: XMLParserType) -> None: ...

    def check(self) -> None:
        """Called after each stretch of bytes; raises Damaged where something grows without end."""


class _TextListener:
    """Collects the characters of the elements that matter, and of no others."""

    def __init__(self) -> None:
        self._buffer: list[str] = []
        self._depth = 0

    def attach(self, parser: XMLParserType) -> None:
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        self._parser = parser

    def check(self) -> None:
        if self._buffer and sum(map(len, self._buffer)) > _MAX_TEXT:
            raise Damaged

    def _deeper(self) -> None:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise Damaged

    def _collect(self) -> None:
        self._buffer.clear()
        self._parser.CharacterDataHandler = self._buffer.append

    def _collected(self) -> str:
        self._parser.CharacterDataHandler = None
        text = "".join(self._buffer)
        self._buffer.clear()
        return text

    def _start(self, name: str, attributes: Attributes) -> None:
        raise NotImplementedError

    def _end(self, name: str) -> None:
        raise NotImplementedError

    def _names(self, root: str, names: str) -> list[str]:
        """Full names in the root's namespace, which is one of two (strict or transitional)."""
        space = root.rpartition(SEPARATOR)[0]
        return [f"{space}{SEPARATOR}{name}" if space else name for name in names.split()]


class StringsListener(_TextListener):
    """The shared strings: formatted runs joined, phonetic hints left out."""

    def __init__(self) -> None:
        super().__init__()
        self.strings: list[str] = []
        self._parts: list[str] = []
        self._hint = False
        self._item = self._text = self._phonetic = ""

    def _start(self, name: str, attributes: Attributes) -> None:
        self._deeper()
        if name == self._text:
            self._collect()
        elif name == self._phonetic:
            self._hint = True
        elif not self._item:
            self._item, self._text, self._phonetic = self._names(name, "si t rPh")

    def _end(self, name: str) -> None:
        self._depth -= 1
        if name == self._text:
            text = self._collected()
            if not self._hint:
                self._parts.append(text)
        elif name == self._phonetic:
            self._hint = False
        elif name == self._item:
            self.strings.append(unescaped("".join(self._parts)))
            self._parts.clear()

    def check(self) -> None:
        super().check()
        if len(self._parts) > _MAX_RUNS:
            raise Damaged


class SheetListener(_TextListener):
    """The rows of a worksheet. `rows` fills as the XML goes by, and is emptied by who reads it."""

    def __init__(
        self, strings: Sequence[str], looks: Sequence[NumberLook], since_1904: bool, notes: SheetNotes
    ) -> None:
        super().__init__()
        self.rows: list[tuple[int, list[str]]] = []
        self._strings, self._looks, self._since_1904, self._notes = strings, looks, since_1904, notes
        self._columns: dict[str, int] = {}
        self._cells: list[str] = []
        self._cell: Attributes = {}
        self._number = 0
        self._hidden = self._hint = False
        self._value: str | None = None
        self._formula: str | None = None
        self._inline = ""
        self._row_tag = self._cell_tag = self._value_tag = self._formula_tag = self._text_tag = ""
        self._hint_tag = self._merge_tag = self._column_tag = ""

    def _start(self, name: str, attributes: Attributes) -> None:
        self._deeper()
        if name == self._cell_tag:
            self._cell = attributes
            self._value = self._formula = None
            self._inline = ""
        elif name in (self._value_tag, self._text_tag, self._formula_tag):
            self._collect()
        elif name == self._row_tag:
            self._begin_row(attributes)
        elif name == self._hint_tag:
            self._hint = True
        elif name == self._merge_tag:
            if merged := _merged(attributes.get("ref", "")):
                self._notes.merged.append(merged)
        elif name == self._column_tag and attributes.get("hidden") in ("1", "true"):
            first, last = small_number(attributes.get("min")), small_number(attributes.get("max"))
            self._notes.hidden_columns.update(range(first - 1, min(last, 500)))
        elif not self._row_tag:
            names = self._names(name, "row c v f t rPh mergeCell col")
            self._row_tag, self._cell_tag, self._value_tag, self._formula_tag, *others = names
            self._text_tag, self._hint_tag, self._merge_tag, self._column_tag = others

    def _end(self, name: str) -> None:
        self._depth -= 1
        if name == self._value_tag:
            self._value = self._collected()
        elif name == self._cell_tag:
            self._end_cell()
        elif name == self._text_tag:
            text = self._collected()
            if not self._hint:
                self._inline += text
        elif name == self._formula_tag:
            self._formula = self._collected()
        elif name == self._row_tag:
            if any(self._cells):
                if self._hidden:
                    self._notes.hidden_rows.append(self._number)
                self.rows.append((self._number, self._cells))
            self._cells = []
        elif name == self._hint_tag:
            self._hint = False

    def check(self) -> None:
        super().check()
        if len(self._inline) > _MAX_TEXT:
            raise Damaged

    def _begin_row(self, attributes: Attributes) -> None:
        text = attributes.get("r")
        number = small_number(text) if text else self._number + 1
        if not self._number < number <= MAX_ROWS:
            raise Damaged
        self._number, self._cells = number, []
        self._hidden = attributes.get("hidden") in ("1", "true")

    def _end_cell(self) -> None:
        cells, reference = self._cells, self._cell.get("r")
        if reference is not None:
            letters = reference.rstrip(_DIGITS)
            index = self._columns.get(letters)
            if index is None:
                index = self._columns[letters] = _column(letters)
            gap = index - len(cells)
            if gap < 0:
                raise Damaged
            if gap:
                cells.extend([""] * gap)
        elif len(cells) >= MAX_COLUMNS:
            raise Damaged
        cells.append(self._text())

    def _text(self) -> str:
        value, kind = self._value, self._cell.get("t", "n")
        if not value:
            if self._formula is not None and kind != "str":
                return Flawed(f"={self._formula}", _NOT_CALCULATED)
            return unescaped(self._inline)
        if kind == "n":
            style = self._cell.get("s")
            place = small_number(style) if style else -1
            look = self._looks[place] if 0 <= place < len(self._looks) else PLAIN
            return shown(value, look, self._since_1904)
        if kind == "s":
            index = small_number(value)
            if index >= len(self._strings) or not value.isdigit():
                raise Damaged
            return self._strings[index]
        if kind == "b":
            return "TRUE" if value == "1" else "FALSE"
        if kind == "e":
            return Flawed(value, _FAILED)
        if kind == "d":
            return Flawed(value, ID_DATE_EXPECTED)
        return unescaped(value)


def small_number(text: str | None) -> int:
    """A small number in an attribute; 0 where there is none."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 10 else 0


def unescaped(text: str) -> str:
    """Characters that XML cannot hold are written as _x000B_."""
    return _ESCAPED.sub(_character, text) if "_x" in text else text


def _character(found: re.Match[str]) -> str:
    code = int(found[1], 16)
    return "\ufffd" if 0xD800 <= code <= 0xDFFF else chr(code)


def _column(letters: str) -> int:
    if letters.isascii() and letters.isalpha() and letters.isupper() and len(letters) <= 3:
        index = column_index(letters)
        if index < MAX_COLUMNS:
            return index
    raise Damaged


def _merged(reference: str) -> MergedRange | None:
    match = re.fullmatch(r"\$?([A-Z]{1,3})\$?([0-9]{1,7}):\$?([A-Z]{1,3})\$?([0-9]{1,7})", reference)
    if match is None:
        return None
    return MergedRange(int(match[2]), int(match[4]), column_index(match[1]), column_index(match[3]))
