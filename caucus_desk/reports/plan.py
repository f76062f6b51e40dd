"""What a workbook says, before it is a workbook: pages of blocks of rows. Knows nothing of openpyxl."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum, auto
from functools import cached_property
from itertools import chain, islice
from typing import Generic, TypeVar, overload

from caucus_desk.reports.errors import TooManyRows

MAX_ROWS = 1_048_576
"""Rows that an Excel sheet has."""
NOT_KNOWN = "–"
"""Where a share of nothing would stand: a dash by choice, never NaN."""


class Kind(Enum):
    """How a column's values are shown."""

    TEXT = auto()
    LONG = auto()
    """Sentences: wrapped."""
    ID = auto()
    """Text that a spreadsheet would love to turn into a number or a date."""
    WORD = auto()
    """A short word: yes, no, a state."""
    COUNT = auto()
    COUNT_CHANGE = auto()
    UNITS = auto()
    """SDEs, or what the state reports in."""
    UNITS_CHANGE = auto()
    EITHER = auto()
    """Whole numbers as counts, others as units."""
    SHARE = auto()
    TIME = auto()
    """Local time, no zone in the cell: the zone stands in the heading."""

    @property
    def numeric(self) -> bool:
        return self not in (Kind.TEXT, Kind.LONG, Kind.ID, Kind.WORD)


class Tone(Enum):
    """What a row or cell is."""

    DATA = auto()
    TOTAL = auto()
    HEADING = auto()
    BANNER = auto()
    BANNER_COMPLETE = auto()
    CAPTION = auto()
    NOTE = auto()
    LEAD = auto()
    SECTION = auto()
    STRONG = auto()
    LINK = auto()


@dataclass(frozen=True, slots=True)
class Formula:
    """A live formula, `=…`. The only way that one gets into a workbook: text never becomes one."""

    text: str
    kind: Kind = Kind.WORD
    """How its value is shown."""


@dataclass(frozen=True, slots=True)
class SheetLink:
    """The name of another sheet, to click on."""

    sheet: str


Value = str | int | float | datetime | Formula | SheetLink | None
"""None is an empty cell: blank, not stated. Never zero."""
Row = Sequence[Value]
Thing = TypeVar("Thing")
HELD = 20_000
"""Longer tables are not held in memory: their rows are made when they are needed, and again if need be."""


class MadeRows(Sequence[Row], Generic[Thing]):
    """Rows that are made from things each time they are read, so that only one is there at a time."""

    def __init__(self, things: Sequence[Thing], make: Callable[[Thing], Row]) -> None:
        self._things, self._make = things, make

    def __len__(self) -> int:
        return len(self._things)

    def __iter__(self) -> Iterator[Row]:
        return map(self._make, self._things)

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Row]: ...
    def __getitem__(self, index: int | slice) -> Row | Sequence[Row]:
        if isinstance(index, slice):
            return MadeRows(self._things[index], self._make)
        return self._make(self._things[index])


def rows_of(things: Sequence[Thing], make: Callable[[Thing], Row]) -> Sequence[Row]:
    """A row for each thing, held where there are few of them."""
    return [make(thing) for thing in things] if len(things) <= HELD else MadeRows(things, make)


class ManyRows(Sequence[Row], Generic[Thing]):
    """As MadeRows, with several rows for each thing."""

    def __init__(self, things: Sequence[Thing], make: Callable[[Thing], Sequence[Row]]) -> None:
        self._things, self._make = things, make
        self._number = sum(len(make(thing)) for thing in things)

    def __len__(self) -> int:
        return self._number

    def __iter__(self) -> Iterator[Row]:
        return chain.from_iterable(map(self._make, self._things))

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Row]: ...
    def __getitem__(self, index: int | slice) -> Row | Sequence[Row]:
        if isinstance(index, slice):
            return list(self)[index]
        return next(islice(self, range(self._number)[index], None))


def many_rows(things: Sequence[Thing], make: Callable[[Thing], Sequence[Row]]) -> Sequence[Row]:
    """Some rows for each thing, held where there are few of them."""
    if len(things) > HELD // 10:
        return ManyRows(things, make)
    return [row for thing in things for row in make(thing)]


@dataclass(slots=True)
class Measured:
    """What one reading of a column's cells finds."""

    most: float = 0
    """The largest number, without its sign."""
    fraction: bool = False
    text: int = 0
    """Characters of the longest line of text."""
    total: float = 0
    """The numbers added up."""
    filled: int = 0
    """Cells with anything in them."""
    words: Counter[str] = field(default_factory=Counter)
    """How often each word stands there; of columns of words only."""


@dataclass(frozen=True, slots=True)
class Column:
    heading: str
    kind: Kind = Kind.COUNT
    starts_group: bool = False
    """A candidate's first column: a line before it."""
    widest: int = 34
    """Characters; longer text wraps."""
    narrowest: float = 7.0
    words: tuple[tuple[str, str], ...] = ()
    """Beginnings that colour a cell: (word, `amber`, `red` or `green`)."""
    runs_on: bool = False
    """Its words go on over the empty cells to the right, and do not make the column wider."""
    differs_from: int | None = None
    """Index of a column; a number that isn't that column's is amber."""
    scaled: bool = False
    """Cells are shaded by their size; all such columns of a table share one scale."""


@dataclass(frozen=True)
class Block:
    """A table. `total` stands above the headings where the table is the page's (so that sorting leaves it
    alone), else under the rows."""

    columns: tuple[Column, ...]
    rows: Sequence[Row]
    total: Row | None = None
    title: str = ""
    note: str = ""
    strong_first: bool = False
    """The first column names the row and is set bold."""
    room_below: int = 0
    """Rows left free under the block, for a chart."""

    @property
    def height(self) -> int:
        """Rows that the block takes on a page of several blocks."""
        titled = bool(self.title) + bool(self.note)
        return titled + 1 + len(self.rows) + (self.total is not None) + 1 + self.room_below

    @cached_property
    def measured(self) -> tuple[Measured, ...]:
        """Each column's cells without the total, all read in one go."""
        found = tuple(Measured() for _ in self.columns)
        counted = [column.kind is Kind.WORD for column in self.columns]
        for row in self.rows:
            for index, value in enumerate(row):
                if value is None:
                    continue
                one = found[index]
                one.filled += 1
                kind = type(value)
                if kind is int or kind is float:
                    one.total += value  # type: ignore[operator]
                    size = abs(value)  # type: ignore[arg-type]
                    if size > one.most:
                        one.most = size
                    if kind is float:
                        one.fraction = True
                else:
                    length = shown_length(value)
                    if length > one.text:
                        one.text = length
                    if counted[index] and kind is str:
                        one.words[value] += 1  # type: ignore[index]
        return found


@dataclass(frozen=True)
class Page:
    """One sheet. `table` pages hold one long table with its headings frozen; others hold blocks."""

    name: str
    title: str
    note: str
    blocks: tuple[Block, ...]
    table: bool = True
    frozen_columns: int = 0
    wide: bool = False
    """Printed on several sheets of paper side by side; the frozen columns are repeated on each."""
    leads: bool = False
    """The note is the sheet's one sentence to read first."""
    repeated_block: int | None = None
    """Of a page of blocks: the block whose headings are repeated on every printed page below it."""
    tab: str = ""
    data_table: bool = False
    """A table that Excel knows as one, by the sheet's name: filters, and formulas that name its columns."""

    def __post_init__(self) -> None:
        rows = self.first_row + sum(block.height for block in self.blocks)
        if rows > MAX_ROWS:
            raise TooManyRows(
                f"The sheet {self.name} would need {rows:,} rows, and an Excel sheet has {MAX_ROWS:,}. "
                "The workbook was not written; write one county at a time (the county edition)."
            )

    @property
    def first_row(self) -> int:
        """The row, from 1, where the first block begins: after banner, title and note."""
        return 4

    @property
    def header_row(self) -> int:
        """Of a table page: the row of its headings."""
        return self.first_row + (self.blocks[0].total is not None)

    @property
    def first_data_row(self) -> int:
        return self.header_row + 1

    @property
    def last_row(self) -> int:
        """Of a table page; the heading's row where there are no rows, so that a range is never empty."""
        return self.header_row + len(self.blocks[0].rows)

    def block_row(self, index: int) -> int:
        """Of a page of blocks: the row, from 1, where a block begins with its title or headings."""
        return self.first_row + sum(block.height for block in self.blocks[:index])

    def block_data_row(self, index: int) -> int:
        """The row of a block's first data row."""
        block = self.blocks[index]
        return self.block_row(index) + bool(block.title) + bool(block.note) + 1


def shown_length(value: Value) -> int:
    """Characters of a value that is no number, as it is shown: of its longest line."""
    if type(value) is str:
        return len(value) if "\n" not in value else max(len(line) for line in value.split("\n"))
    if isinstance(value, datetime):
        return 16
    if isinstance(value, SheetLink):
        return len(value.sheet)
    return 8 if isinstance(value, Formula) and value.kind is Kind.WORD else 0


def column_letter(index: int) -> str:
    """`A` for 0, `AA` for 26."""
    letters = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        letters = chr(65 + rest) + letters
    return letters
