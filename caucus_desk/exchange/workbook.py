"""A workbook read by openpyxl: values, formulas without values, hidden rows, merged cells.

Neither of the two ways in which openpyxl loads a workbook as a whole will do. Its read-only mode leaves
out hidden rows and merged cells. Its normal mode keeps the last of two rows with one number and says
nothing, makes a cell for each place of a merged range (a million for a merged column), draws in charts and
pivot tables, whose faults would then be faults of the file, and cannot tell how far it is or be stopped. So
the reader of the workbook and the parser of its sheets, of which openpyxl makes both, are used by themselves.
"""

from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from caucus_desk.exchange.archive import DAMAGED, Archive
from caucus_desk.exchange.cells import ID_DATE_EXPECTED, Flawed
from caucus_desk.exchange.numberformats import PLAIN, NumberLook, look_of, shown

if TYPE_CHECKING:
    from openpyxl.worksheet._reader import WorkSheetParser
    from openpyxl.worksheet.cell_range import CellRange

_MAX_ROWS, _MAX_COLUMNS = 1_048_576, 16_384
_BATCH = 200
"""Rows taken from the parser at a time."""
_NOT_CALCULATED = (
    "a value: this is a formula that was never calculated. Open the file in a spreadsheet program, save it, "
    "and try again"
)
_FAILED = "a value: this formula ends in a fault"

Cell = dict[str, Any]
"""What openpyxl's parser says of a cell: column (from 1), value, data_type, style_id."""


@dataclass(frozen=True, slots=True)
class SheetPart:
    name: str
    part: str
    hidden: bool


@dataclass
class SheetNotes:
    """What was met while the rows of a sheet were read; complete after the last row.

    Rows are numbered as shown, columns from 0; those of openpyxl's merged ranges from 1.
    """

    hidden_rows: list[int] = field(default_factory=list)
    hidden_columns: set[int] = field(default_factory=set)
    merged: "list[CellRange]" = field(default_factory=list)


class Workbook:
    """An open workbook. Close it (or use it in `with`) when the rows are read.

    Opening takes in styles and shared texts in one go, without a stop; rows come as they are asked for.

    Raises:
        BadInput: the file is damaged, protected, of another kind, or far too large.
    """

    def __init__(self, path: Path) -> None:
        self._archive = Archive(path)
        try:
            with self._archive.distrust():
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
        self, sheet: SheetPart, notes: SheetNotes, told: Callable[[int, int], None] | None = None
    ) -> Iterator[tuple[int, list[str]]]:
        """Row number and cells of each row that holds anything; the others are left out.

        `told` hears of the bytes read and the bytes in all, and may raise to stop. Memory stays that of a
        few rows.

        Raises:
            BadInput: the sheet is damaged or far too large.
        """
        last = 0
        parsed = self._parsed(sheet, notes, told)
        with closing(parsed):
            while True:
                with self._archive.distrust():
                    batch = list(islice(parsed, _BATCH))
                if not batch:
                    return
                for number, hidden, cells, values in batch:
                    if not last < number <= _MAX_ROWS:
                        raise self._archive.bad(DAMAGED)
                    last = number
                    texts = self._texts(cells, values)
                    if any(texts):
                        if hidden:
                            notes.hidden_rows.append(number)
                        yield number, texts

    def _open(self) -> None:
        # Not sooner: it takes long to import, and most runs of the program open no workbook.
        from openpyxl.reader.excel import ExcelReader
        from openpyxl.styles.stylesheet import apply_stylesheet

        reader = ExcelReader(self._archive.handle, read_only=True, keep_links=False)
        reader.archive = self._archive
        try:
            reader.read_manifest()
            reader.read_strings()
            reader.read_workbook()
        except OSError as error:  # openpyxl's word for a package without a workbook
            raise self._archive.bad(
                "This file holds no workbook. Save it as .xlsx in a spreadsheet program."
            ) from error
        apply_stylesheet(self._archive, reader.wb)
        self._book: Any = reader.wb  # its styles are not in the type stubs
        self._strings = reader.shared_strings
        self._looks: dict[int, NumberLook] = {}
        self.sheets: tuple[SheetPart, ...] = tuple(
            SheetPart(sheet.name, relation.target, sheet.state != "visible")
            for sheet, relation in reader.parser.find_sheets()
            if relation.Type.endswith("/worksheet") and relation.target in reader.valid_files
        )
        if not self.sheets:
            raise self._archive.bad("The workbook has no worksheet.")

    def _parser(self, source: Any, data_only: bool) -> "WorkSheetParser":
        from openpyxl.worksheet._reader import WorkSheetParser

        book = self._book
        return WorkSheetParser(
            source, self._strings, data_only, book.epoch, book._date_formats, book._timedelta_formats
        )

    def _parsed(
        self, sheet: SheetPart, notes: SheetNotes, told: Callable[[int, int], None] | None
    ) -> Generator[tuple[int, bool, list[Cell], list[Cell]], None, None]:
        """Number, hidden or not, cells, and the cells with the values of formulas where there are any."""
        with self._archive.open_sheet(sheet.part, told) as source:
            parser = self._parser(source, data_only=False)
            values: Iterator[tuple[int, list[Cell]]] | None = None
            for done, (number, cells) in enumerate(parser.parse()):
                source.mark()
                if not done:
                    notes.hidden_columns |= _hidden_columns(parser.column_dimensions)
                hidden = parser.row_dimensions.pop(str(number), {}).get("hidden") in ("1", "true")
                if values is None and any(cell["data_type"] == "f" for cell in cells):
                    # The parser gives formulas or their values: from here on the sheet is parsed twice.
                    values = islice(self._values(sheet), done, None)
                yield number, hidden, cells, next(values)[1] if values is not None else cells
            if parser.merged_cells is not None:
                notes.merged += parser.merged_cells.mergeCell

    def _values(self, sheet: SheetPart) -> Iterator[tuple[int, list[Cell]]]:
        with self._archive.open_sheet(sheet.part) as source:
            for row in self._parser(source, data_only=True).parse():
                source.mark()
                yield row

    def _texts(self, cells: list[Cell], values: list[Cell]) -> list[str]:
        texts: list[str] = []
        for cell, value in zip(cells, values, strict=True):
            gap = cell["column"] - 1 - len(texts)
            if gap < 0 or cell["column"] > _MAX_COLUMNS:
                raise self._archive.bad(DAMAGED)
            if gap:
                texts.extend([""] * gap)
            if cell["data_type"] == "f" and value["value"] is None and value["data_type"] != "str":
                texts.append(Flawed(_formula(cell["value"]), _NOT_CALCULATED))
            else:
                texts.append(self._text(value))
        return texts

    def _text(self, cell: Cell) -> str:
        value, kind = cell["value"], cell["data_type"]
        if value is None:
            return ""
        if kind == "n":
            style = cell["style_id"]
            look = self._looks.get(style)
            if look is None:
                look = self._looks[style] = self._look(style)
            return shown(value, look)
        if kind == "b":
            return "TRUE" if value else "FALSE"
        if kind == "e":
            return Flawed(value, _FAILED)
        if kind == "d":
            return Flawed(str(value).removesuffix(" 00:00:00"), ID_DATE_EXPECTED)
        return _unescaped(value)

    def _look(self, style: int) -> NumberLook:
        from openpyxl.styles.numbers import BUILTIN_FORMATS, BUILTIN_FORMATS_MAX_SIZE

        # A damaged or careless file may name a style or a format that it does not hold.
        styles, formats = self._book._cell_styles, self._book._number_formats
        if not 0 <= style < len(styles):
            return PLAIN
        number = styles[style].numFmtId
        if number < BUILTIN_FORMATS_MAX_SIZE:
            return look_of(BUILTIN_FORMATS.get(number, ""))
        place = number - BUILTIN_FORMATS_MAX_SIZE
        return look_of(formats[place]) if place < len(formats) else PLAIN


def _hidden_columns(dimensions: dict[str, dict[str, str]]) -> set[int]:
    """Those of the first 500 columns; each entry stands for a run of columns."""
    return {
        index
        for entry in dimensions.values()
        if entry.get("hidden") in ("1", "true")
        for index in range(int(entry["min"]) - 1, min(int(entry["max"]), 500))
    }


def _formula(value: object) -> str:
    """A formula as it is typed; one that fills a range is an object of openpyxl's."""
    return str(value if isinstance(value, str) else getattr(value, "text", None) or "=")


def _unescaped(text: str) -> str:
    """Characters that XML cannot hold are written as _x000B_; halves of one stand for nothing."""
    if "_x" not in text:
        return text
    from openpyxl.utils.escape import unescape

    return unescape(text).encode("utf-8", "replace").decode("utf-8")
