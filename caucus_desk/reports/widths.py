"""Column widths from headings and contents, so that no number shows as ##### and no name fills the screen."""

import math
from collections.abc import Iterable, Sequence

from caucus_desk.reports.plan import Block, Column, Kind, Measured, Page, Row, shown_length

_PADDING = 2.4
_INDENT = 1.8
"""Numbers keep off the next column."""
_PAPER = 205.0
"""Characters across a letter page, landscape, at two thirds of the size on screen."""
_LINE = 12.5
"""Points that a line of a heading takes."""


def column_widths(page: Page, digits: int) -> list[float]:
    """Widths in characters of the base face, by column, over all blocks of a page."""
    widths: list[float] = []
    for block in page.blocks:
        for index, width in enumerate(_block_widths(page, block, digits)):
            if index == len(widths):
                widths.append(0.0)
            widths[index] = max(widths[index], width)
    return widths


def heading_height(columns: Sequence[Column], widths: Sequence[float]) -> float:
    """Points, for as many lines as the longest heading wraps to."""
    lines = max(
        (_lines(column.heading, width) for column, width in zip(columns, widths, strict=False)), default=1
    )
    return lines * _LINE + 6


def row_height(columns: Sequence[Column], row: Row, widths: Sequence[float]) -> float | None:
    """Points for a row with wrapped text; None where a line is enough. Programs don't all work it out."""
    most = 1.0
    for index, column in enumerate(columns):
        if column.kind is Kind.LONG and index < len(row):
            value = row[index]
            if type(value) is str and (len(value) > widths[index] - 2 or "\n" in value):
                room = max(widths[index] - 2, 1)
                most = max(most, sum(-(-len(line) // room) or 1 for line in value.split("\n")))
    return min(most * _LINE + 3, 400.0) if most > 1 else None


def pages_wide(page: Page, widths: Sequence[float]) -> int:
    """Sheets of paper side by side so that the print can still be read."""
    if not page.wide:
        return 1
    repeated = sum(widths[: page.frozen_columns])
    return max(1, math.ceil((sum(widths) - repeated) / max(_PAPER - repeated, 40.0)))


def _block_widths(page: Page, block: Block, digits: int) -> Iterable[float]:
    total = block.total or ()
    for index, (column, found) in enumerate(zip(block.columns, block.measured, strict=True)):
        # Words in the last column of a block may run on to the right, where nothing stands.
        last = not page.table and column.kind is Kind.TEXT and index + 1 == len(block.columns)
        runs_on = column.runs_on or last
        longest = max((len(word) for word in column.heading.split()), default=0) * 1.05
        content = 0.0 if runs_on else _content(found, total[index : index + 1], column, digits)
        room = _PADDING + (_INDENT if column.kind.numeric else 0.0)
        yield max(column.narrowest, min(max(longest, content), column.widest) + room)


def _content(found: Measured, total: Row, column: Column, digits: int) -> float:
    """Characters of the longest value as it is shown, that of the total among them."""
    most, text, fraction = found.most, found.text, found.fraction
    for value in total:
        if isinstance(value, (int, float)):
            most, fraction = max(most, abs(value)), fraction or isinstance(value, float)
        else:
            text = max(text, shown_length(value))
    return max(_number_width(most, column.kind, fraction, digits), text * 1.05)


def _number_width(most: float, kind: Kind, fraction: bool, digits: int) -> float:
    if kind is Kind.SHARE:
        return 6.0
    whole = len(f"{int(most):,}") + (kind in (Kind.COUNT_CHANGE, Kind.UNITS_CHANGE))
    decimals = kind in (Kind.UNITS, Kind.UNITS_CHANGE) or (kind is Kind.EITHER and fraction)
    return whole + (digits + 1 if decimals and digits else 0)


def _lines(heading: str, width: float) -> int:
    """Lines that a heading wraps to: words fill lines one after another."""
    # Headings are smaller than the base face, and their letters narrower than its figures.
    room, lines, used = max(width - 1.2, 1.0) / 0.94, 1, 0.0
    for word in heading.split():
        length = float(len(word))
        if used and used + 1 + length > room:
            lines, used = lines + 1, length
        else:
            used += length + (1 if used else 0)
    return lines
