"""Opening a file of rows: which kind it is, how its text is written, and where its headings stand."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

from caucus_desk.exchange.archive import other_program
from caucus_desk.exchange.cells import NumberStyle
from caucus_desk.exchange.folding import tidy
from caucus_desk.exchange.headings import HEAD_ROWS, HeadingFound, Vocabulary, find_heading
from caucus_desk.exchange.problems import BadInput, Problem, shortened
from caucus_desk.exchange.tables import Rows, Table, folded_row
from caucus_desk.exchange.textfile import DELIMITERS, DecodedText, all_rows, decode, first_rows, read_bytes
from caucus_desk.exchange.workbook import SheetNotes, SheetPart, Workbook
from caucus_desk.tally.progress import Progress

_STEP = 1000
"""Progress is told every so many rows."""
_COLUMNS_TOLD = 12
_TEXT_ENDINGS = frozenset({".csv", ".txt", ".tsv", ".tab", ""})
_OTHER_PROGRAMS = {
    ".xls": "the Excel of before 2007",
    ".xlsb": "Excel’s binary form",
    ".ods": "LibreOffice",
    ".numbers": "Numbers",
}


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


def open_tables(
    path: Path, vocabulary: Vocabulary, progress: Progress, what: str, *, complete: bool = True
) -> OpenFile:
    """The file's tables with their headings found.

    A workbook gives one table for each visible sheet that has the needed columns; with `complete` off also
    those that lack some, for showing.

    Raises:
        BadInput: not a file that can be read, or no sheet with the needed columns.
    """
    data_kind = kind_of(path)
    if data_kind == "workbook":
        return _open_workbook(path, vocabulary, progress, what, complete)
    decoded = decode(read_bytes(path), path.name)
    table = _text_table(decoded, vocabulary, progress, what)
    if complete:
        _require(table, vocabulary)
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
                "The workbook is protected by a password, or is of the Excel of before 2007. Open it, take "
                "the password off, and save it as .xlsx.",
            )
        raise BadInput.whole_file(file, other_program(_OTHER_PROGRAMS[".xls"]))
    if ending in _OTHER_PROGRAMS:
        raise BadInput.whole_file(file, other_program(_OTHER_PROGRAMS[ending]))
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
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
    numbers, rows = all_rows(decoded, delimiter)
    first, last = found.first, found.last
    return Table(
        file=decoded.file,
        sheet=None,
        found=found,
        heading_row=numbers[last] if last < len(rows) else 1,
        numbers=NumberStyle(comma_groups=delimiter == ",", decimal_comma=delimiter == ";"),
        encoding=decoded.encoding,
        delimiter=delimiter,
        _raw=_told(numbers[last + 1 :], rows[last + 1 :], progress, what),
        _heading_texts=tuple(folded_row(row) for row in rows[first : last + 1]),
        seen=tuple(rows[last]) if last < len(rows) else (),
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


def _told(numbers: Sequence[int], rows: list[list[str]], progress: Progress, what: str) -> Rows:
    total = len(rows)
    for start in range(0, total, _STEP):
        progress(start, total, what)
        yield from zip(numbers[start : start + _STEP], rows[start : start + _STEP], strict=True)
    progress(total, total, what)


def _open_workbook(
    path: Path, vocabulary: Vocabulary, progress: Progress, what: str, complete: bool
) -> OpenFile:
    progress(0, 0, what)  # the last moment to cancel before the workbook is open
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
            if table.found.complete or not complete:
                tables.append(table)
            else:
                failed.append((sheet, table))
        if not tables:
            if not failed:
                raise BadInput.whole_file(
                    path.name, "The workbook is empty: no visible sheet holds anything."
                )
            table = max((table for _, table in failed), key=lambda table: len(table.found.fields))
            _require(table, vocabulary)
        for sheet, _ in failed:
            warnings.append(
                f"{path.name}: the sheet {sheet.name} was not read: no heading with {vocabulary.needed}."
            )
        for table in tables if complete else ():
            _require(table, vocabulary)
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
        _heading_texts=tuple(folded_row(row) for _, row in head[found.first : found.last + 1]),
        seen=tuple(str(cell) for cell in head[found.last][1]),
        notes=notes,
    )


def _gaps_as_blank_rows(last: int, rows: Iterable[tuple[int, list[str]]]) -> Rows:
    """A workbook leaves out its blank rows; one of a run stands for it here, so that it is counted."""
    for number, row in rows:
        for gap in range(last + 1, min(number, last + 1 + HEAD_ROWS)):
            yield gap, []
        yield number, row
        last = number


def _require(table: Table, vocabulary: Vocabulary) -> None:
    """Refuses a heading without the needed columns, or with two columns for one field."""
    found, file, sheet, row = table.found, table.file, table.sheet, table.heading_row
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
        reason = f"No row has the headings that are needed: {vocabulary.needed}.{_seen(table)}"
        problems.insert(0, Problem(file, sheet, None, None, "", reason))
    if problems:
        raise BadInput(file, problems)


def _seen(table: Table) -> str:
    """What stands in the row that comes nearest to a heading, what is known of it and what is not."""
    headings = table.found.headings
    known = [heading.text for heading in headings if heading.field is not None]
    unknown = [heading.text for heading in headings if heading.field is None and heading.text]
    if not headings:
        unknown = [shortened(text) for text in (tidy(cell) for cell in table.seen) if text]
    if not known and not unknown:
        return ""
    what = [f"has {', '.join(known)}"] if known else []
    if unknown:
        more = len(unknown) - _COLUMNS_TOLD
        listed = ", ".join(f"“{text}”" for text in unknown[:_COLUMNS_TOLD])
        listed += f" and {more:,} more" if more > 0 else ""
        what.append(f"also has {listed}, not known here" if known else f"has {listed}: none is known here")
    return f" Row {table.heading_row} {' and '.join(what)}."
