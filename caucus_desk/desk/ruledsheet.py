"""The sheet that a ruling makes, and how much hangs on it."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction

from caucus_desk.desk.session import Desk
from caucus_desk.desk.wording import listed
from caucus_desk.rules.errors import Refused
from caucus_desk.tally.effects import apart, if_stood
from caucus_desk.tally.form import Form, field_label, form_of
from caucus_desk.tally.overview import Overview
from caucus_desk.tally.report import CHANNELS
from caucus_desk.tally.results import PrecinctResult
from caucus_desk.tally.sheet import ATTENDANCE, COLUMNS, Column, GroupCounts, ResultSheet
from caucus_desk.tally.urgency import whole_sheets


def stake_of(overview: Overview, result: PrecinctResult, sheet: ResultSheet) -> Fraction:
    """SDEs that a ruling decides on: the most by which its sheet is apart from a report that stands."""
    ruled = if_stood(overview, result, sheet)
    others = (if_stood(overview, result, one) for one in whole_sheets(result.heads).values())
    return max((apart(overview, ruled, other) for other in others), default=Fraction(0))


def ruled_sheet(desk: Desk, result: PrecinctResult, choices: Mapping[str, int | None]) -> ResultSheet:
    """The sheet that stands with these values. Refused while a field that differs has none, and where a
    value cannot be one."""
    form = form_of(desk.rules)
    known = {entry.path for entry in form.counts}
    strange = [path for path in choices if path not in known]
    if strange:
        raise Refused(f"{strange[0]} is no field of this caucus's sheet.")
    open_fields = [mismatch.field for mismatch in result.mismatches if mismatch.field not in choices]
    if open_fields:
        names = listed([field_label(desk.rules, path) for path in open_fields])
        raise Refused(f"Choose a value for each field that differs; still open: {names}.")
    base = result.standing.sheet
    assert base is not None  # a mismatched precinct has reports
    leading = (result.reports[channel].sheet for channel in CHANNELS if channel in result.reports)
    sheets = [base, *leading, *(rival.sheet for rival in result.rivals)]

    def stands(path: str) -> int | None:
        if path in choices:
            return choices[path]
        return next((count for sheet in sheets if (count := sheet.count(path)) is not None), None)

    try:
        return _with_values(desk, base, form, stands)
    except ValueError as error:
        raise Refused(f"This cannot stand: {error}.") from error


def _with_values(
    desk: Desk, base: ResultSheet, form: Form, stands: Callable[[str], int | None]
) -> ResultSheet:
    """`base` with what `stands` gives for each path. Raises ValueError for what is no count."""
    rows = []
    for line in form.lines:
        counts = {column: stands(f"{line.group}.{column}") for column in Column}
        row = base.row(line.group)
        changed = counts[Column.DELEGATES] != row.delegates
        signed, sde = row.signed, None if changed else row.sde
        if any(count is not None for count in counts.values()) or signed is not None:
            first, final, delegates = (counts[column] for column in COLUMNS)
            rows.append(GroupCounts(line.group, first, final, delegates, sde, signed))
    extras = tuple((field.key, stands(field.key)) for field in desk.rules.fields)
    return replace(base, attendance=stands(ATTENDANCE), groups=tuple(rows), extras=extras)
