"""Any file of rows as one kind of table: cells as text, with the row and column where each stands."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from caucus_desk.exchange.cells import NumberStyle
from caucus_desk.exchange.folding import column_letter, fold
from caucus_desk.exchange.headings import Heading, HeadingFound
from caucus_desk.exchange.problems import Problem, row_list
from caucus_desk.exchange.textfile import DELIMITERS
from caucus_desk.exchange.workbook import SheetNotes

Rows = Iterator[tuple[int, list[str]]]


@dataclass
class Table:
    """One table of a file, to be read once from top to bottom.

    Rows come with their number as a spreadsheet or an editor shows it, without blank rows and repeated
    headings; they may be shorter than the heading. `warnings()` is complete after the last row.
    """

    file: str
    sheet: str | None
    found: HeadingFound
    heading_row: int
    numbers: NumberStyle
    encoding: str | None
    delimiter: str | None
    _raw: Rows
    _heading_texts: tuple[tuple[str, ...], ...]
    seen: tuple[str, ...] = ()
    """What stands in the row that was taken for the heading, or in the first row."""
    notes: SheetNotes = field(default_factory=SheetNotes)
    _blank: list[int] = field(default_factory=list)
    _repeated: list[int] = field(default_factory=list)
    _beyond: list[int] = field(default_factory=list)
    last_row: int = 0
    broken: list[tuple[int, list[str]]] = field(default_factory=list)
    """Rows that were left out because they have too many cells or too few."""

    def __post_init__(self) -> None:
        self.columns: dict[str, Heading] = {}
        for heading in self.found.headings:
            if heading.field is not None:
                self.columns.setdefault(heading.field, heading)
        self.width = max((h.index + 1 for h in self.found.headings if h.text), default=0)

    def index(self, name: str) -> int | None:
        """The place of a field's cell in each row, None where the file lacks the column."""
        heading = self.columns.get(name)
        return None if heading is None else heading.index

    def problem(self, row: int | None, name: str | None, value: str, expected: str) -> Problem:
        """A problem in the column of a field (None: the whole row)."""
        heading = self.columns.get(name) if name is not None else None
        if heading is None:
            return Problem(self.file, self.sheet, row, name, str(value), expected)
        return Problem(self.file, self.sheet, row, heading.text, str(value), expected, heading.letter)

    def rows(self, problems: list[Problem], counts: Iterable[str] = ()) -> Rows:
        """The data rows.

        A row of a text file with more cells than headings, or one that ends before the last column of
        `counts`, adds a problem and is left out (`broken`). A workbook leaves out blank cells at the end.
        """
        used = sorted(heading.index for heading in self.columns.values()) or [0]
        first, width = used[0], self.width
        last = max((self.columns[name].index for name in counts if name in self.columns), default=-1)
        least = 0 if self.delimiter is None else last + 1
        repeated = {texts: place for place, texts in enumerate(self._heading_texts)}
        leads = {texts[first] for texts in repeated if len(texts) > first}
        folded: dict[str, str] = {}
        skipped: list[int] = []
        for number, row in self._raw:
            lead = row[first] if len(row) > first else ""
            if (not lead or lead.isspace()) and not any(row[i].strip() for i in used if i < len(row)):
                if any(cell.strip() for cell in row[width:]):
                    self._beyond.append(number)
                skipped.append(number)
                continue
            if skipped:
                self._blank += skipped
                skipped = []
            key = folded.get(lead)
            if key is None:
                key = folded[lead] = fold(lead)
            if key in leads and folded_row(row) in repeated:
                self._repeated.append(number)
                continue
            if len(row) > width and any(cell.strip() for cell in row[width:]):
                self._beyond.append(number)
                if self.delimiter is not None:
                    problems.append(self._shifted(number, row))
                    self.broken.append((number, row))
                    continue
            if len(row) < least:
                problems.append(self._cut_off(number, row))
                self.broken.append((number, row))
                continue
            self.last_row = number
            yield number, row

    def _cut_off(self, number: int, row: list[str]) -> Problem:
        told = f"there are only {len(row)} cells where the heading has {self.width}: the row is cut off"
        return Problem(self.file, self.sheet, number, None, "", told)

    def _shifted(self, number: int, row: list[str]) -> Problem:
        return Problem(
            self.file,
            self.sheet,
            number,
            None,
            "",
            f"there are {len(row)} cells where the heading has {self.width}. "
            f"A {DELIMITERS[self.delimiter or ',']} inside a value shifts what follows: put the value in "
            "quotation marks or leave the sign out",
        )

    def warnings(self) -> Iterator[str]:
        """What a person should know of a file that was read all the same; call it after the last row."""
        where = f"{self.file}, sheet {self.sheet}" if self.sheet else self.file
        unread = [f"“{h.text}” ({h.letter})" for h in self.found.headings if h.field is None and h.text]
        if unread:
            word = "Column" if len(unread) == 1 else "Columns"
            yield f"{where}: {word} not known and not read: {', '.join(unread)}."
        if self.notes.hidden_rows:
            yield f"{where}: hidden rows were read like the others: {row_list(self.notes.hidden_rows)}."
        hidden = [h for h in self.columns.values() if h.index in self.notes.hidden_columns]
        if hidden:
            names = ", ".join(f"“{h.text}” ({h.letter})" for h in hidden)
            yield f"{where}: hidden columns were read like the others: {names}."
        if self._repeated:
            yield f"{where}: the heading stands again and was skipped: {row_list(self._repeated)}."
        blank = sum(1 for number in self._blank if number < self.last_row)
        if blank:
            word = "row was" if blank == 1 else "rows were"
            yield f"{where}: {blank} blank {word} skipped: {row_list(self._blank)}."
        if self._beyond and self.delimiter is None:
            yield f"{where}: cells outside the columns with headings were not read: {row_list(self._beyond)}."

    def merged_cells(self) -> Iterator[tuple[Problem, range]]:
        """Merged cells among the rows, and which rows: only the first cell holds the value."""
        used = {heading.index for heading in self.columns.values()}
        for merged in self.notes.merged:
            inside = self.heading_row < merged.min_row <= self.last_row
            if inside and used.intersection(range(merged.min_col - 1, merged.max_col)):
                first = merged.min_col - 1
                heading = next((h for h in self.found.headings if h.index == first), None)
                problem = Problem(
                    self.file,
                    self.sheet,
                    merged.min_row,
                    heading.text if heading else None,
                    merged.coord,
                    "cells of their own: these are merged. Unmerge them and fill in each",
                    column_letter(first),
                )
                yield problem, range(merged.min_row, merged.max_row + 1)


def folded_row(row: Sequence[str]) -> tuple[str, ...]:
    """A row as headings are compared, without what is blank at its end."""
    texts = [fold(text) for text in row]
    while texts and not texts[-1]:
        texts.pop()
    return tuple(texts)
