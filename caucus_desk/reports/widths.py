"""Column widths from headings and contents, so that no number shows as ##### and no name fills the screen."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from caucus_desk.reports.plan import Block, Column, Formula, Kind, Page, Row, SheetLink, Value

NARROWEST = 7.0
_PADDING = 2.0
_LINE = 12.5
"""Points that a line of a heading takes."""


def column_widths(page: Page, digits: int) -> list[float]:
    """Widths in characters of the base face, by column, over all blocks of a page."""
    widths: list[float] = []
    for block in page.blocks:
        for index, width in enumerate(_block_widths(page, block, digits)):
            if index == len(widths):
                widths.append(NARROWEST)
            widths[index] = max(widths[index], width)
    return widths


def heading_height(columns: Sequence[Column], widths: Sequence[float]) -> float:
    """Points, for as many lines as the longest heading wraps to."""
    lines = max(
        (_lines(column.heading, width) for column, width in zip(columns, widths, strict=False)), default=1
    )
    return lines * _LINE + 6


def _block_widths(page: Page, block: Block, digits: int) -> Iterable[float]:
    every: list[Row] = [*block.rows, *([block.total] if block.total is not None else [])]
    for index, column in enumerate(block.columns):
        # Words in the last column of a block may run on to the right, where nothing stands.
        runs_on = not page.table and column.kind is Kind.TEXT and index + 1 == len(block.columns)
        longest = max((len(word) for word in column.heading.split()), default=0) * 1.15
        values = (row[index] for row in every if index < len(row))
        content = 0.0 if runs_on else _content(values, column, digits)
        yield max(NARROWEST, min(max(longest, content) + _PADDING, column.widest + _PADDING))


def _content(values: Iterable[Value], column: Column, digits: int) -> float:
    """Characters of the longest value as it is shown."""
    most, text = 0.0, 0
    fraction = False
    for value in values:
        kind = type(value)
        if kind is int or kind is float:
            size = abs(value)  # type: ignore[arg-type]
            if size > most:
                most = size
            fraction = fraction or kind is float
        elif kind is str:
            if len(value) > text:  # type: ignore[arg-type]
                text = _longest_line(value)  # type: ignore[arg-type]
        elif isinstance(value, datetime):
            text = max(text, 16)
        elif isinstance(value, SheetLink):
            text = max(text, len(value.sheet))
        elif isinstance(value, Formula) and value.kind is Kind.WORD:
            text = max(text, 8)
    return max(_number_width(most, column.kind, fraction, digits), text * 1.05)


def _longest_line(text: str) -> int:
    return max(len(line) for line in text.split("\n"))


def _number_width(most: float, kind: Kind, fraction: bool, digits: int) -> float:
    if kind is Kind.SHARE:
        return 6.0
    whole = len(f"{int(most):,}") + (kind in (Kind.COUNT_CHANGE, Kind.UNITS_CHANGE))
    decimals = kind in (Kind.UNITS, Kind.UNITS_CHANGE) or (kind is Kind.EITHER and fraction)
    return whole + (digits + 1 if decimals and digits else 0)


def _lines(heading: str, width: float) -> int:
    """Lines that a heading wraps to: words fill lines one after another."""
    room, lines, used = max(width - 1.0, 1.0), 1, 0.0
    for word in heading.split():
        length = len(word) * 1.12
        if used and used + 1 + length > room:
            lines, used = lines + 1, length
        else:
            used += length + (1 if used else 0)
    return lines
