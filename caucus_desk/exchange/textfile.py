"""Text files of rows: which characters, which delimiter, and the rows with their line numbers."""

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from caucus_desk.exchange.problems import BadInput, Problem

MAX_BYTES = 128 * 1024 * 1024
"""A whole state with every precinct and group is about one megabyte."""

DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab"}

_HEAD = 1 << 17
"""The heading must stand within so many characters."""

_UTF8_WITHIN = re.compile(rb"[\xc3-\xc5][\x80-\xbf]|\xe2\x80[\x90-\xbf]")
_TWICE_ENCODED = re.compile("[ÃÂ][\u0080-\u00bf]|â€")
_GUARD = re.compile(r"'+[=+\-@]")
_SEP_LINE = re.compile(r"\s*\"?sep=(.)\"?[;,\t]*\s*(?:\r\n|\r|\n)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class DecodedText:
    """The text of a file; `delimiter` is set where its first line states one (`sep=;`)."""

    file: str
    text: str
    encoding: str
    first_line: int = 1
    delimiter: str | None = None
    warnings: tuple[str, ...] = ()


def decode(data: bytes, file: str) -> DecodedText:
    """UTF-8 with or without a byte-order mark, UTF-16, else Windows-1252.

    Raises:
        BadInput: it is none of these, or a mixture.
    """
    text, encoding = _characters(data, file)
    if "\x00" in text:
        raise BadInput.whole_file(file, "This is not a text file. Save it as .csv (UTF-8) or .xlsx.")
    warnings = []
    if not text.isascii() and (found := _TWICE_ENCODED.search(text)):
        line = text.count("\n", 0, found.start()) + 1
        warnings.append(
            f"Letters such as “{found[0]}” in line {line} look as if the file was converted wrongly once. "
            "Check the names; saving again as UTF-8 from the source helps."
        )
    if "\ufffd" in text:
        line = text.count("\n", 0, text.index("\ufffd")) + 1
        warnings.append(
            f"A letter was lost (“\ufffd”) in line {line} before the file came here. Check the names."
        )
    match = _SEP_LINE.match(text)
    if match and match[1] in DELIMITERS:
        return DecodedText(file, text[match.end() :], encoding, 2, match[1], tuple(warnings))
    return DecodedText(file, text, encoding, 1, None, tuple(warnings))


def _characters(data: bytes, file: str) -> tuple[str, str]:
    for mark, codec, label in (
        (b"\xef\xbb\xbf", "utf-8", "UTF-8 with byte-order mark"),
        (b"\xff\xfe", "utf-16-le", "UTF-16"),
        (b"\xfe\xff", "utf-16-be", "UTF-16"),
    ):
        if data.startswith(mark):
            return _strictly(data[len(mark) :], codec, label, file), label
    if codec_without_mark := _utf16_without_mark(data):
        return _strictly(data, codec_without_mark, "UTF-16", file), "UTF-16"
    try:
        return data.decode("utf-8"), "UTF-8"
    except UnicodeDecodeError as error:
        first_bad = error.start
    if _UTF8_WITHIN.search(data):
        line = data.count(b"\n", 0, first_bad) + 1
        raise BadInput(
            file,
            [
                Problem(
                    file,
                    None,
                    line,
                    None,
                    "",
                    "This line is not UTF-8 although others are: a mixture. Open it in a spreadsheet, "
                    "put right the letters that look wrong, and save it as CSV UTF-8.",
                )
            ],
        )
    return _strictly(data, "cp1252", "Windows-1252", file), "Windows-1252"


def _strictly(data: bytes, codec: str, label: str, file: str) -> str:
    try:
        return data.decode(codec)
    except UnicodeDecodeError as error:
        where = data.count(b"\n", 0, error.start) + 1
        raise BadInput(
            file,
            [
                Problem(
                    file,
                    None,
                    where,
                    None,
                    "",
                    f"There are bytes here that are no letters in {label}. Open the file in a spreadsheet "
                    "and save it as CSV UTF-8.",
                )
            ],
        ) from None


def _utf16_without_mark(data: bytes) -> str | None:
    """Half of the bytes of Western text in UTF-16 are zero, all at odd or all at even places."""
    head = data[:2000]
    if len(head) < 4 or b"\x00" not in head or len(data) % 2:
        return None
    even, odd = head[::2].count(0), head[1::2].count(0)
    if even == 0 and odd * 4 > len(head):
        return "utf-16-le"
    if odd == 0 and even * 4 > len(head):
        return "utf-16-be"
    return None


def read_bytes(path: Path) -> bytes:
    """The whole file.

    Raises:
        BadInput: missing, a folder, not readable, empty or far too large.
    """
    file = path.name or str(path)
    try:
        if path.is_dir():
            raise BadInput.whole_file(file, "This is a folder. Choose a .csv or .xlsx file in it.")
        if not path.exists():
            raise BadInput.whole_file(file, f"There is no file {path}. Check the name and the folder.")
        if not path.is_file():
            raise BadInput.whole_file(file, "This is not an ordinary file. Choose a .csv or .xlsx file.")
        if path.stat().st_size > MAX_BYTES:
            raise BadInput.whole_file(
                file, f"The file is larger than {MAX_BYTES // 1024 // 1024} MB, far more than a caucus has."
            )
        data = path.read_bytes()
    except OSError as error:
        raise BadInput.whole_file(
            file,
            f"The file cannot be read ({error.strerror or error}). Close it elsewhere or check its rights.",
        ) from error
    if not data.strip(b"\x00\xef\xbb\xbf\xff\xfe \t\r\n"):
        raise BadInput.whole_file(file, "The file is empty. Choose the file that holds the rows.")
    return data


def first_rows(text: str, delimiter: str, limit: int) -> list[list[str]]:
    """The first rows as one delimiter gives them, whatever else is wrong with the file."""
    rows: list[list[str]] = []
    try:
        for row in csv.reader(io.StringIO(text[:_HEAD], newline=""), delimiter=delimiter):
            rows.append(row)
            if len(rows) >= limit:
                break
    except csv.Error:
        pass  # a cell larger than any heading: what came before it decides
    return rows


def all_rows(decoded: DecodedText, delimiter: str) -> tuple[Sequence[int], list[list[str]]]:
    """The numbers of the lines on which the rows begin, and the rows.

    Raises:
        BadInput: a quotation mark that is opened and never closed, or text after a closing one.
    """
    reader = csv.reader(io.StringIO(decoded.text, newline=""), delimiter=delimiter, strict=True)
    guards = _GUARD.search(decoded.text) is not None
    try:
        rows = [_unguarded(row) for row in reader] if guards else list(reader)
    except csv.Error:
        rows = None
    first = decoded.first_line
    if rows is not None and len(rows) == reader.line_num:
        return range(first, first + len(rows)), rows
    numbered = [(line, _unguarded(row)) for line, row in _numbered(decoded, delimiter)]
    return [number for number, _ in numbered], [row for _, row in numbered]


def _unguarded(row: list[str]) -> list[str]:
    """Our own CSV files, and others' by the same habit, put an apostrophe before what would be a formula."""
    return [cell[1:] if cell.startswith("'") and _GUARD.match(cell) else cell for cell in row]


def _numbered(decoded: DecodedText, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Row by row, for files in which a cell goes over several lines or a quotation mark is wrong."""
    reader = csv.reader(io.StringIO(decoded.text, newline=""), delimiter=delimiter, strict=True)
    while True:
        line = reader.line_num + decoded.first_line
        try:
            row = next(reader, None)
        except csv.Error as error:
            unclosed = "end of data" in str(error)
            told = (
                "A quotation mark is opened here and never closed. Close it or take it out"
                if unclosed
                else f"This row cannot be taken apart ({error}). Look at its quotation marks"
            )
            told += "; opening the file in a spreadsheet and saving it as CSV UTF-8 also helps."
            raise BadInput(decoded.file, [Problem(decoded.file, None, line, None, "", told)]) from error
        if row is None:
            return
        yield line, row
