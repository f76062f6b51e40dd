"""The look: a calm ledger. One accent; amber and red only where a person is needed, with a word."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.cell.cell import Cell
from openpyxl.formatting.rule import ColorScaleRule, FormulaRule, Rule
from openpyxl.styles import Alignment, Border, Font, NamedStyle, PatternFill, Side
from openpyxl.utils.indexed_list import IndexedList
from openpyxl.worksheet.worksheet import Worksheet

from caucus_desk.reports.plan import Column, Kind, Tone, column_letter

FACE = "Arial"
"""On every desk; its figures are all of one width."""
SIZE = 10

INK = "1E2A30"
SOFT = "5C6B73"
ACCENT = "1F5A66"
ACCENT_PALE = "E9F0F1"
RULE = "DCE2E4"
AMBER, AMBER_INK = "FCEFC9", "6B4A00"
RED, RED_INK = "F9DAD6", "8C1D18"
GREEN_INK = "1E6B45"
SCALE_LEAST, SCALE_MOST = "FFFFFF", "8FBAC1"
"""Shades of shares: the figures on them stay easy to read."""
TABS = {"": ACCENT, "amber": "D9A520", "grey": "9AA7AD"}

_THIN = Side(style="thin", color=RULE)
_GROUP = Side(style="thin", color="AEBCC1")
_WORD_STYLES: dict[str, dict[str, Any]] = {
    "amber": {"fill": PatternFill(bgColor=AMBER, fill_type="solid"), "font": Font(color=AMBER_INK)},
    "red": {"fill": PatternFill(bgColor=RED, fill_type="solid"), "font": Font(color=RED_INK, bold=True)},
    "green": {"font": Font(color=GREEN_INK)},
}


def set_styles(workbook: Workbook, digits: int) -> None:
    """The face of every cell that has no style of its own, and the named styles, which a person can change
    for the whole workbook at once. `digits` are those of the units (SDEs).

    openpyxl has no other way to the first; it must happen before any cell is styled.
    """
    book = cast(Any, workbook)
    book._fonts = IndexedList([_font()])
    book._named_styles["Normal"].font = _font()
    formats = Formats(digits)
    for tone, kind in _NAMED:
        look = _look(kind, tone, False, False)
        style = NamedStyle(name=style_name(kind, tone), number_format=formats.of(kind), **look)
        workbook.add_named_style(style)


def style_name(kind: Kind, tone: Tone) -> str:
    """`Desk heading`, `Desk count`: what the style of a cell is called."""
    if tone in (Tone.DATA, Tone.TOTAL):
        word = kind.name.replace("_", " ").lower()
        return f"Desk {'total ' if tone is Tone.TOTAL else ''}{word}"
    return f"Desk {tone.name.replace('_', ' ').lower()}"


def _font(**changes: object) -> Font:
    values: dict[str, Any] = {"name": FACE, "sz": SIZE, "color": INK, **changes}
    return Font(**values)


@dataclass(frozen=True, slots=True)
class Formats:
    """Number formats by kind. `digits` are those of the units (SDEs)."""

    digits: int

    def of(self, kind: Kind) -> str:
        units = "#,##0" + (f".{'0' * self.digits}" if self.digits else "")
        return {
            Kind.ID: "@",
            Kind.COUNT: "#,##0",
            Kind.COUNT_CHANGE: "+#,##0;-#,##0;0",
            Kind.UNITS: units,
            Kind.EITHER: units,
            Kind.UNITS_CHANGE: f"+{units};-{units};{units[4:]}",
            Kind.SHARE: "0.0%",
            Kind.TIME: "yyyy-mm-dd hh:mm",
        }.get(kind, "General")


class Stamps:
    """One styled cell for each look, used again and again: styling each cell anew is what costs time.

    A cell may be used again as soon as its row is written, so never hold one over.
    """

    def __init__(self, sheet: Worksheet, formats: Formats, top: bool) -> None:
        self._sheet = sheet
        self._formats = formats
        self._top = top
        self._made: dict[tuple[Kind, Tone, bool, bool, bool], Cell] = {}

    def get(
        self,
        kind: Kind,
        tone: Tone = Tone.DATA,
        *,
        quoted: bool = False,
        starts_group: bool = False,
        empty: bool = False,
    ) -> Cell:
        """`quoted`: text that Excel would take for a formula once a person edits it. `empty`: a cell that
        never gets a value."""
        key = (kind, tone, quoted, starts_group, empty)
        cell = self._made.get(key)
        if cell is None:
            cell = self._made[key] = self._make(kind, tone, quoted, starts_group)
        return cell

    def _make(self, kind: Kind, tone: Tone, quoted: bool, starts_group: bool) -> Cell:
        cell = WriteOnlyCell(self._sheet)
        cell.style = style_name(kind, tone)
        if tone in (Tone.DATA, Tone.TOTAL, Tone.STRONG):
            cell.number_format = self._formats.of(kind)
        if quoted:
            cell.quotePrefix = True
        look = _look(kind, tone, self._top, starts_group)
        for name, value in look.items():
            setattr(cell, name, value)
        return cell


def _look(kind: Kind, tone: Tone, top: bool, starts_group: bool) -> dict[str, Any]:
    """What is special about a cell: font, fill, alignment, border."""
    found: dict[str, Any] = {}
    font, fill = _TONES.get(tone, ({}, None))
    found["font"] = _font(**font)
    if fill:
        found["fill"] = PatternFill(fgColor=fill, fill_type="solid")
    alignment = _alignment(kind, tone, top)
    if alignment:
        found["alignment"] = Alignment(**alignment)
    border = _border(tone, starts_group)
    if border is not None:
        found["border"] = border
    return found


_TONES: dict[Tone, tuple[dict[str, object], str | None]] = {
    Tone.TOTAL: ({"b": True}, ACCENT_PALE),
    Tone.HEADING: ({"b": True, "color": ACCENT, "sz": 9}, ACCENT_PALE),
    Tone.BANNER: ({"b": True, "color": AMBER_INK, "sz": 11}, AMBER),
    Tone.BANNER_COMPLETE: ({"b": True, "color": "FFFFFF", "sz": 11}, ACCENT),
    Tone.CAPTION: ({"b": True, "color": ACCENT, "sz": 14}, None),
    Tone.NOTE: ({"color": SOFT, "sz": 9}, None),
    Tone.LEAD: ({"b": True, "sz": 12}, None),
    Tone.SECTION: ({"b": True, "color": ACCENT, "sz": 12}, None),
    Tone.STRONG: ({"b": True}, None),
    Tone.LINK: ({"color": ACCENT, "u": "single"}, None),
}


_NAMED = (
    *((tone, kind) for tone in (Tone.DATA, Tone.TOTAL) for kind in Kind),
    *((tone, Kind.TEXT) for tone in Tone if tone not in (Tone.DATA, Tone.TOTAL)),
)

# Numbers keep off the words in the next column.
_RIGHT: dict[str, Any] = {"horizontal": "right", "indent": 1}


def _alignment(kind: Kind, tone: Tone, top: bool) -> dict[str, Any]:
    if tone is Tone.HEADING:
        wrapped = {"vertical": "bottom", "wrap_text": True}
        if kind.numeric:
            return {**wrapped, **_RIGHT}
        return {**wrapped, "horizontal": "left", "indent": 1 if kind is Kind.WORD else 0}
    if tone in (Tone.BANNER, Tone.BANNER_COMPLETE):
        return {"vertical": "center", "indent": 1}
    if tone in (Tone.CAPTION, Tone.LEAD, Tone.SECTION):
        return {"vertical": "center"}
    found: dict[str, Any] = {"vertical": "top"} if top else {}
    if kind is Kind.LONG:
        found["wrap_text"] = True
    if kind is Kind.WORD:
        found.update(horizontal="left", indent=1)
    if kind.numeric and tone in (Tone.DATA, Tone.TOTAL):
        found.update(_RIGHT)
    return found


def _border(tone: Tone, starts_group: bool) -> Border | None:
    left = _GROUP if starts_group and tone in (Tone.HEADING, Tone.TOTAL) else None
    if tone is Tone.HEADING:
        return Border(bottom=Side(style="medium", color=ACCENT), left=left)
    if tone is Tone.TOTAL:
        return Border(bottom=_THIN, top=_THIN, left=left)
    return None


def ledger_rules(sheet: Worksheet, columns: Sequence[Column], first: int, last: int) -> None:
    """Lines and colours by rule, not by cell: a thin line under each row, one before each candidate, and a
    colour where a cell says what needs a person. `first` and `last` are the rows of the data."""
    if last < first:
        return
    starts = []
    for index, column in enumerate(columns):
        letter = column_letter(index)
        cells = f"{letter}{first}:{letter}{last}"
        if column.starts_group:
            starts.append(cells)
        for word, style in column.words:
            formula = f'LEFT({letter}{first},{len(word)})="{word}"'
            sheet.conditional_formatting.add(cells, _rule(formula, **_WORD_STYLES[style]))
        if column.differs_from is not None:
            other = column_letter(column.differs_from)
            formula = f"AND(ISNUMBER({letter}{first}),{letter}{first}<>${other}{first})"
            sheet.conditional_formatting.add(cells, _rule(formula, **_WORD_STYLES["amber"]))
    scaled = [column_letter(index) for index, column in enumerate(columns) if column.scaled]
    if scaled:
        shades: Rule = ColorScaleRule(  # type: ignore[no-untyped-call]
            start_type="num", start_value=0, start_color=SCALE_LEAST, end_type="max", end_color=SCALE_MOST
        )
        cells = " ".join(f"{letter}{first}:{letter}{last}" for letter in scaled)
        sheet.conditional_formatting.add(cells, shades)
    if starts:
        rule = _rule("TRUE", border=Border(left=_GROUP, bottom=_THIN))
        sheet.conditional_formatting.add(" ".join(starts), rule)
    whole = f"A{first}:{column_letter(len(columns) - 1)}{last}"
    sheet.conditional_formatting.add(whole, _rule("TRUE", border=Border(bottom=_THIN)))


def amber_rule(formula: str) -> Rule:
    """Where the formula holds, a cell needs a person."""
    return _rule(formula, **_WORD_STYLES["amber"])


def _rule(formula: str, **style: Any) -> Rule:
    return cast(Rule, FormulaRule([formula], **style))  # type: ignore[no-untyped-call]
