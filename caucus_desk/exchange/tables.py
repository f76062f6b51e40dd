"""Any file of rows as one kind of table: cells as text, with the row and column where each stands."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path

from caucus_desk.exchange.archive import other_program
from caucus_desk.exchange.cells import NumberStyle
from caucus_desk.exchange.folding import column_letter, fold
from caucus_desk.exchange.headings import HEAD_ROWS, Heading, HeadingFound, Vocabulary, find_heading
from caucus_desk.exchange.problems import BadInput, Problem, row_list
from caucus_desk.exchange.textfile import DELIMITERS, DecodedText, all_rows, decode, first_rows, read_bytes
from caucus_desk.exchange.workbook import SheetNotes, SheetPart, Workbook
from caucus_desk.tally.progress import Progress

_STEP = 1000
"""Progress is told every so many rows."""
_TEXT_ENDINGS = frozenset({".csv", ".txt", ".tsv", ".tab", ""})
_OTHER_PROGRAMS = {
    ".xls": "the Excel of before 2007",
    ".xlsb": "Excel’s binary form",
    ".ods": "LibreOffice",
    ".numbers": "Numbers",
}

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
    notes: SheetNotes = field(default_factory=SheetNotes)
    _blank: list[int] = field(default_factory=list)
    _repeated: list[int] = field(default_factory=list)
    _beyond: list[int] = field(default_factory=list)
    last_row: int = 0
    broken: list[tuple[int, list[str]]] = field(default_factory=list)
    """Rows that were left out because they have more cells than the heading."""

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

    def rows(self, problems: list[Problem]) -> Rows:
        """The data rows. A row with more cells than headings adds a problem and is left out."""
        used = sorted(heading.index for heading in self.columns.values())
        first, width = used[0], self.width
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
            if key in leads and _folded(row) in repeated:
                self._repeated.append(number)
                continue
            if len(row) > width and any(cell.strip() for cell in row[width:]):
                self._beyond.append(number)
                if self.delimiter is not None:
                    problems.append(self._shifted(number, row))
                    self.broken.append((number, row))
                    continue
            self.last_row = number
            yield number, row

    def _shifted(self, number: int, row: list[str]) -> Problem:
        return Problem(
            self.file,
            self.sheet,
            number,
            None,
            "",
            f"there are {len(row)} cells where the heading has {self.width}. A {DELIMITERS[self.delimiter or ',']} "
            "inside a value shifts what follows: put the value in quotation marks or leave the sign out",
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
        """Merged cells among the rows, and their rows: only the first cell holds the value, the others look blank."""
        used = {heading.index for heading in self.columns.values()}
        for merged in self.notes.merged:
            inside = self.heading_row < merged.first_row <= self.last_row
            if inside and used.intersection(range(merged.first_column, merged.last_column + 1)):
                heading = next((h for h in self.found.headings if h.index == merged.first_column), None)
                problem = Problem(
                    self.file,
                    self.sheet,
                    merged.first_row,
                    heading.text if heading else None,
                    str(merged),
                    "cells of their own: these are merged. Unmerge them and fill in each",
                    column_letter(merged.first_column),
                )
                yield problem, range(merged.first_row, merged.last_row + 1)


def _folded(row: Sequence[str]) -> tuple[str, ...]:
    texts = [fold(text) for text in row]
    while texts and not texts[-1]:
        texts.pop()
    return tuple(texts)


@dataclass
class OpenFile:
    """The tables of one file. Use it in `with`: a workbook stays open while its rows are read."""

    file: str
    tables: list[Table]
    warnings: list[str]
    _workbook: Workbook | None = None

    def __enter__(self) -> "OpenFile":
        return self

    def __exit__(self, *_: object) -> None:
        if self._workbook is not None:
            self._workbook.close()


def open_tables(path: Path, vocabulary: Vocabulary, progress: Progress, what: str) -> OpenFile:
    """The file's tables with their headings found.

    A workbook gives one table for each visible sheet that has the needed columns.

    Raises:
        BadInput: not a file that can be read, or no sheet with the needed columns.
    """
    data_kind = kind_of(path)
    if data_kind == "workbook":
        return _open_workbook(path, vocabulary, progress, what)
    decoded = decode(read_bytes(path), path.name)
    table = _text_table(decoded, vocabulary, progress, what)
    _require(table.found, table.file, None, table.heading_row, vocabulary)
    return OpenFile(path.name, [table], [f"{path.name}: {text}" for text in decoded.warnings])


def kind_of(path: Path) -> str:
    """`workbook` or `text`, by the file's first bytes and its ending.

    Raises:
        BadInput: a file of another kind, with the sentence that says what to do.
    """
    file, ending = path.name, path.suffix.casefold()
    if ending in _OTHER_PROGRAMS and path.is_dir():
        raise BadInput.whole_file(file, other_program(_OTHER_PROGRAMS[ending]))
    head = _head(path)
    if head.startswith(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"):
        if ending != ".xls":
            raise BadInput.whole_file(
                file,
                "The workbook is protected by a password, or is of the Excel of before 2007. Open it, take the "
                "password off, and save it as .xlsx.",
            )
        raise BadInput.whole_file(file, other_program(_OTHER_PROGRAMS[".xls"]))
    if ending in _OTHER_PROGRAMS:
        raise BadInput.whole_file(file, other_program(_OTHER_PROGRAMS[ending]))
    if head.startswith(b"PK"):
        return "workbook"
    if ending in (".xlsx", ".xlsm"):
        raise BadInput.whole_file(
            file,
            "This is not a workbook although its name says so, or it is damaged. Save it again as .xlsx.",
        )
    if head.lstrip(b"\xef\xbb\xbf \t\r\n").lower().startswith((b"<", b"%pdf", b"{\\rtf")):
        raise BadInput.whole_file(
            file, "This is a document or a web page, not rows. Save it as .xlsx or as CSV UTF-8."
        )
    if ending not in _TEXT_ENDINGS:
        raise BadInput.whole_file(
            file, f"Files that end in {ending} are not read. Save it as .xlsx or as CSV UTF-8."
        )
    return "text"


def _head(path: Path) -> bytes:
    if not path.is_file():
        read_bytes(path)  # says what is wrong
    try:
        with path.open("rb") as stream:
            return stream.read(512)
    except OSError:
        return read_bytes(path)


def _text_table(decoded: DecodedText, vocabulary: Vocabulary, progress: Progress, what: str) -> Table:
    delimiter, found = _delimiter(decoded, vocabulary)
    rows = all_rows(decoded, delimiter)
    first, last = found.first, found.last
    return Table(
        file=decoded.file,
        sheet=None,
        found=found,
        heading_row=rows[last][0] if last < len(rows) else 1,
        numbers=NumberStyle(comma_groups=delimiter == ",", decimal_comma=delimiter == ";"),
        encoding=decoded.encoding,
        delimiter=delimiter,
        _raw=_told(rows[last + 1 :], progress, what),
        _heading_texts=tuple(_folded(row) for _, row in rows[first : last + 1]),
    )


def _delimiter(decoded: DecodedText, vocabulary: Vocabulary) -> tuple[str, HeadingFound]:
    """The delimiter with which the heading holds most of the known columns."""
    best: tuple[tuple[bool, int, int], str, HeadingFound] | None = None
    for delimiter in [decoded.delimiter] if decoded.delimiter else DELIMITERS:
        rows = first_rows(decoded.text, delimiter, HEAD_ROWS)
        found = find_heading(rows, vocabulary) or HeadingFound(0, 0, (), False)
        columns = max((len(row) for row in rows), default=0)
        rank = (found.complete, len(found.fields), columns)
        if best is None or rank > best[0]:
            best = (rank, delimiter, found)
    assert best is not None
    return best[1], best[2]


def _told(rows: list[tuple[int, list[str]]], progress: Progress, what: str) -> Rows:
    total = len(rows)
    for start in range(0, total, _STEP):
        progress(start, total, what)
        yield from rows[start : start + _STEP]
    progress(total, total, what)


def _open_workbook(path: Path, vocabulary: Vocabulary, progress: Progress, what: str) -> OpenFile:
    workbook = Workbook(path)
    try:
        tables: list[Table] = []
        warnings: list[str] = []
        failed: list[tuple[SheetPart, Table]] = []
        for sheet in workbook.sheets:
            if sheet.hidden:
                warnings.append(f"{path.name}: the hidden sheet {sheet.name} was not read.")
                continue
            table = _sheet_table(workbook, path.name, sheet, vocabulary, progress, what)
            if table is None:
                continue
            if table.found.complete:
                tables.append(table)
            else:
                failed.append((sheet, table))
        if not tables:
            if not failed:
                raise BadInput.whole_file(
                    path.name, "The workbook is empty: no visible sheet holds anything."
                )
            sheet, table = max(failed, key=lambda pair: len(pair[1].found.fields))
            _require(table.found, path.name, sheet.name, table.heading_row, vocabulary)
        for sheet, _ in failed:
            warnings.append(
                f"{path.name}: the sheet {sheet.name} has no heading with {vocabulary.needed}, so it was not read."
            )
        for table in tables:
            _require(table.found, path.name, table.sheet, table.heading_row, vocabulary)
    except BaseException:
        workbook.close()
        raise
    return OpenFile(path.name, tables, warnings, workbook)


def _sheet_table(
    workbook: Workbook, file: str, sheet: SheetPart, vocabulary: Vocabulary, progress: Progress, what: str
) -> Table | None:
    """None for a sheet that holds nothing."""
    notes = SheetNotes()

    def told(done: int, total: int) -> None:
        progress(done, total, what)

    stream = workbook.rows(sheet, notes, told)
    head = list(islice(stream, HEAD_ROWS))
    if not head:
        return None
    found = find_heading([row for _, row in head], vocabulary) or HeadingFound(0, 0, (), False)
    hidden_above = head[found.last][0]
    notes.hidden_rows[:] = [number for number in notes.hidden_rows if number > hidden_above]
    return Table(
        file=file,
        sheet=sheet.name,
        found=found,
        heading_row=head[found.last][0],
        numbers=NumberStyle(),
        encoding=None,
        delimiter=None,
        _raw=_gaps_as_blank_rows(head[found.last][0], chain(head[found.last + 1 :], stream)),
        _heading_texts=tuple(_folded(row) for _, row in head[found.first : found.last + 1]),
        notes=notes,
    )


def _gaps_as_blank_rows(last: int, rows: Iterable[tuple[int, list[str]]]) -> Rows:
    """A workbook leaves out its blank rows; one of a run stands for it here, so that it is counted."""
    for number, row in rows:
        for gap in range(last + 1, min(number, last + 1 + HEAD_ROWS)):
            yield gap, []
        yield number, row
        last = number


def _require(found: HeadingFound, file: str, sheet: str | None, row: int, vocabulary: Vocabulary) -> None:
    """Refuses a heading without the needed columns, or with two columns for one field."""
    problems = [
        Problem(
            file,
            sheet,
            row,
            second.text,
            second.text,
            f"one such column only: “{first.text}” ({first.letter}) is read as the same",
            second.letter,
        )
        for first, second in found.twice
    ]
    if not found.complete:
        known = ", ".join(h.text for h in found.headings if h.field is not None)
        seen = f" Row {row} has {known}." if known else ""
        reason = f"No row has the headings that are needed: {vocabulary.needed}.{seen}"
        problems.insert(0, Problem(file, sheet, None, None, "", reason))
    if problems:
        raise BadInput(file, problems)
