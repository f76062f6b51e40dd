"""The sheets of one precinct side by side, from the one description of the form."""

from collections.abc import Callable
from dataclasses import dataclass

from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.tally.form import FormField, Kind, form_of
from caucus_desk.tally.mismatch import mismatches
from caucus_desk.tally.report import CHANNELS, Channel
from caucus_desk.tally.results import PrecinctResult
from caucus_desk.tally.sheet import COLUMNS, Column, ResultSheet, field_path
from caucus_desk.ui.widgets.basics import STEP
from caucus_desk.ui.widgets.table import ColumnSpec, room_for
from caucus_desk.ui.words import BLANK, channel_sign, number, tr

STANDS = "stands"
"""The key of the standing sheet beside the channels' keys."""

_LONGEST = 10
"""Letters of a person's name in the head of a column."""


@dataclass(frozen=True, slots=True)
class Cell:
    text: str
    differs: bool = False


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A line of the form: `cells` by sheet and column, for example ("phone", "first")."""

    key: str
    label: str
    cells: dict[tuple[str, str], Cell]
    computed: str = ""
    computed_differs: bool = False

    def cell(self, sheet: str, column: str) -> Cell:
        return self.cells.get((sheet, column), Cell(""))


def sheets_of(result: PrecinctResult) -> dict[str, ResultSheet]:
    """The standing reports in the order of the channels, each followed by those that stand beside it, and
    what stands where that is a ruling's sheet. A channel's leading report has its name for a key, the others
    their ids."""
    sheets = {}
    for channel in CHANNELS:
        if channel in result.reports:
            sheets[channel.value] = result.reports[channel].sheet
        sheets.update((str(one.id), one.sheet) for one in result.rivals if one.channel is channel)
    if result.standing.ruling is not None:
        sheets[STANDS] = result.standing.ruling.sheet
    return sheets


def rows_for(rules: RuleSet, result: PrecinctResult) -> tuple[tuple[SheetRow, ...], SheetRow]:
    """The lines in worksheet order, and the line of totals."""
    form = form_of(rules, Channel.PAPER)
    sheets = sheets_of(result)
    # Also after a ruling: where the reports differed is what the ruling was about.
    differing = {mismatch.field for mismatch in mismatches(result.reports, rules.keys, result.rivals)}
    rows = [_whole_line(field, sheets, differing) for field in form.sheet_fields]
    for line in form.lines:
        cells = {
            (name, column.value): Cell(
                _count(sheet, line.group, column),
                field_path(line.group, column) in differing and name != STANDS,
            )
            for name, sheet in sheets.items()
            for column in COLUMNS
        }
        given = result.computed.get(line.group, 0)
        rows.append(
            SheetRow(
                line.group,
                line.label,
                cells,
                BLANK if result.not_computed else number(given),
                not result.not_computed and given != result.reported.get(line.group, 0),
            )
        )
    rows += [
        row
        for field in form.paper_fields
        if any(
            (row := _whole_line(field, sheets, differing)).cell(name, "first").text != BLANK
            for name in sheets
        )
    ]
    totals = {
        (name, column.value): Cell(number(sheet.total(column)))
        for name, sheet in sheets.items()
        for column in COLUMNS
    }
    total = "" if result.not_computed else number(sum(result.computed.values()))
    return tuple(rows), SheetRow("", tr("Total"), totals, total)


def _count(sheet: ResultSheet, group: str, column: Column) -> str:
    return number(sheet.row(group).count(column))


def _whole_line(field: FormField, sheets: dict[str, ResultSheet], differing: set[str]) -> SheetRow:
    """A field of the whole sheet stands in its first column."""
    cells = {
        (name, "first"): Cell(_stated(sheet, field), field.path in differing and name != STANDS)
        for name, sheet in sheets.items()
    }
    return SheetRow(field.path, field.label, cells)


def _stated(sheet: ResultSheet, field: FormField) -> str:
    if field.kind is Kind.TICK:
        ticked: bool | None = getattr(sheet, field.path)
        return BLANK if ticked is None else (tr("yes") if ticked else tr("no"))
    return number(sheet.count(field.path))


def columns_for(rules: RuleSet, result: PrecinctResult) -> tuple[ColumnSpec[SheetRow], ...]:
    """A column for the label, three for each sheet, and what the rules give."""
    short = {Column.FIRST: tr("first"), Column.FINAL: tr("final"), Column.DELEGATES: tr("delegates")}
    specs = [
        ColumnSpec[SheetRow](
            tr("Group"),
            room_for("", "Delegates to elect on the sheet") - 4 * STEP,
            lambda row: row.label,
            bold=True,
        )
    ]
    for name in sheets_of(result):
        word = _word(result, name)
        for column in COLUMNS:
            specs.append(
                ColumnSpec(
                    f"{word}\n{short[column]}",
                    78 if column is not Column.DELEGATES else 84,
                    _text(name, column.value),
                    number=True,
                    icon=_mark(name, column.value),
                    colour=_colour(name, column.value),
                )
            )
    specs.append(
        ColumnSpec(
            tr("rules\ngive"),
            76,
            lambda row: row.computed,
            number=True,
            colour=lambda row: "warn" if row.computed_differs else None,
            icon=lambda row: ("warn", "warn") if row.computed_differs else None,
        )
    )
    return tuple(specs)


def _word(result: PrecinctResult, sheet: str) -> str:
    """`paper`; with a line for whose it is, of a second one."""
    if sheet == STANDS:
        return tr("ruling")
    for rival in result.rivals:
        if str(rival.id) == sheet:
            by = rival.by if len(rival.by) <= _LONGEST else f"{rival.by[: _LONGEST - 1]}…"
            return f"{channel_sign(rival.channel).word}\n{by}"
    return channel_sign(Channel(sheet)).word


def _text(sheet: str, column: str) -> Callable[[SheetRow], str]:
    return lambda row: row.cell(sheet, column).text


def _mark(sheet: str, column: str) -> Callable[[SheetRow], tuple[str, str] | None]:
    return lambda row: ("mismatched", "bad") if row.cell(sheet, column).differs else None


def _colour(sheet: str, column: str) -> Callable[[SheetRow], str | None]:
    return lambda row: "bad" if row.cell(sheet, column).differs else None
