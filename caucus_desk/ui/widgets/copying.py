"""A table for the clipboard: as a spreadsheet takes it, and as an e-mail shows it.

Excel and LibreOffice prefer the HTML where there is one, so each cell of it carries its bare value beside
the text: `1,502.0000` is read in a letter, and 1502 arrives in the cell, whatever the separators of the
country. Text is marked as text: an id keeps its zeros, and no name becomes a formula.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from re import fullmatch

from PySide6.QtCore import QMimeData

from caucus_desk.ui.theme import LIGHT
from caucus_desk.ui.words import BLANK

_SHOWN_NUMBER = r"[−-]?[0-9]{1,3}(,?[0-9]{3})*(\.[0-9]+)?%?"
_FONT = "font-family:Calibri,Arial,sans-serif;font-size:10pt"
_CELL = f"padding:2px 8px;border-bottom:1px solid {LIGHT.line};color:{LIGHT.text};white-space:nowrap"
_BREAK = '<br style="mso-data-placement:same-cell">'


@dataclass(frozen=True)
class Grid:
    """A table as it is shown: `numbers` says which columns are figures, `totals` how many of the last rows
    are sums."""

    heads: Sequence[str]
    numbers: Sequence[bool]
    rows: Sequence[Sequence[str]]
    totals: int = 0


def plain_cell(text: str, number: bool) -> str:
    """A cell as a spreadsheet should take it: bare figures, and no text that would become a formula."""
    text = text.replace("\t", " ").replace("\n", " ")
    if number:
        return "" if text == BLANK else text.replace(",", "").replace("−", "-")
    return f"'{text}" if text[:1] in ("=", "+", "-", "@") else text


def as_text(grid: Grid) -> str:
    """Tab-separated, with the heads."""
    head = "\t".join(title.replace("\n", " ") for title in grid.heads)
    rows = (
        "\t".join(plain_cell(text, number) for text, number in zip(row, grid.numbers, strict=True))
        for row in grid.rows
    )
    return "\n".join([head, *rows]) + "\n"


def as_html(grids: Iterable[tuple[str, Grid]], below: str = "") -> str:
    """Tables with their titles ("" for none), one under the other, and a sentence below them."""
    parts = []
    for title, grid in grids:
        if title:
            parts.append(f'<p style="{_FONT};font-weight:bold;margin:8px 0 4px">{escape(title)}</p>')
        parts.append(_table(grid))
    if below:
        parts.append(f'<p style="{_FONT};color:{LIGHT.muted};margin:4px 0">{escape(below)}</p>')
    return (
        '<html xmlns:x="urn:schemas-microsoft-com:office:excel"><head><meta charset="utf-8"></head>'
        f"<body>{''.join(parts)}</body></html>"
    )


def mime(grids: Sequence[tuple[str, Grid]], below: str = "") -> QMimeData:
    """The tables for the clipboard, in both kinds."""
    made = QMimeData()
    texts = [f"{title}\n{as_text(grid)}" if title else as_text(grid) for title, grid in grids]
    made.setText("\n".join(texts))
    made.setHtml(as_html(grids, below))
    return made


def value_of(text: str) -> tuple[str, str] | None:
    """The bare number of a shown figure and its format: `22.5%` is 0.225 as `0.0%`; None where it is none."""
    if not fullmatch(_SHOWN_NUMBER, text):
        return None
    sign = "-" if text[0] in "−-" else ""
    bare = text.lstrip("−-").replace(",", "")
    is_share = bare.endswith("%")
    whole, _, rest = bare.rstrip("%").partition(".")
    if not is_share:
        value = f"{sign}{whole}.{rest}" if rest else f"{sign}{whole}"
        return value, "#,##0" + (f".{'0' * len(rest)}" if rest else "")
    digits = f"{whole}{rest}".rjust(len(rest) + 3, "0")
    cut = len(digits) - len(rest) - 2
    return f"{sign}{digits[:cut]}.{digits[cut:]}", "0" + (f".{'0' * len(rest)}" if rest else "") + "%"


def _table(grid: Grid) -> str:
    head = "".join(
        f'<th style="{_CELL};{_side(number)};vertical-align:bottom;border-bottom:1px solid {LIGHT.edge};'
        f'background:{LIGHT.rail}">{_text(title)}</th>'
        for title, number in zip(grid.heads, grid.numbers, strict=True)
    )
    first_total = len(grid.rows) - grid.totals
    body = "".join(
        f"<tr>{''.join(_cell(text, number, place, place >= first_total) for text, number in line)}</tr>"
        for place, line in enumerate(zip(row, grid.numbers, strict=True) for row in grid.rows)
    )
    return f'<table style="border-collapse:collapse;{_FONT}"><tr>{head}</tr>{body}</table>'


def _cell(text: str, number: bool, row: int, total: bool) -> str:
    ground = LIGHT.track if total else LIGHT.stripe if row % 2 else LIGHT.base
    style = f"{_CELL};{_side(number)};background:{ground}"
    if total:
        style += f";font-weight:bold;border-top:1px solid {LIGHT.edge}"
    value = value_of(text) if number else None
    if value is None:
        return f'<td sdnum="1033;0;@" style="{style};mso-number-format:\'\\@\'">{_text(text)}</td>'
    bare, shape = value
    shown = shape.replace(",", "\\,").replace(".", "\\.")
    return (
        f'<td x:num="{bare}" sdval="{bare}" sdnum="1033;0;{shape}" '
        f"style=\"{style};mso-number-format:'{shown}'\">{_text(text)}</td>"
    )


def _side(number: bool) -> str:
    return f"text-align:{'right' if number else 'left'}"


def _text(text: str) -> str:
    return escape(text).replace("\n", _BREAK)
