"""What has been typed so far, as a sheet, and which findings can already be known of it.

A half-filled sheet breaks most rules of the caucus simply because it is half filled. A finding is
shown as soon as no later key can take it back except by changing what it speaks of, and no earlier.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from caucus_desk.tally.finding import Finding
from caucus_desk.tally.form import NO, YES, Form, GroupLine, Kind
from caucus_desk.tally.sheet import ATTENDANCE, COLUMNS, Column, GroupCounts, ResultSheet
from caucus_desk.ui.entry import counts

# Sums only grow and these speak of one box: true of a part, true of the whole.
_AT_ONCE = frozenset(
    ("C01", "C02", "C14", "C23", "C28", "C39", "C40", "C41", "C42", "C43", "C45", "C53"),
)
# True of a finished row, or of two, whatever the other rows will say.
_BY_ROW = frozenset(("C06", "C10", "C11", "C12", "C16", "C17", "C30", "C32", "C46"))
# True of a finished row unless so many more groups become viable that some have to move.
_UNLESS_CROWDED = {"C07": Column.FIRST, "C13": Column.FINAL}


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the typing is. `passed`: groups whose row the hand has been in and has left."""

    passed: frozenset[str] = frozenset()
    current: str | None = None
    """The group whose row has the focus."""
    at_end: bool = False
    """The clerk said that the sheet is finished."""


@dataclass(frozen=True, slots=True)
class Empty:
    """Boxes without a count. Blank rows are groups with nobody there; the others want an answer."""

    required: tuple[str, ...]
    partly: tuple[str, ...]
    """Paths that are blank in a row that has other counts."""
    rows: tuple[str, ...]
    """Groups blank in every field."""
    columns: tuple[Column, ...]
    """Columns in which no group has a count."""
    boxes: tuple[str, ...]
    """Every empty path of the above, in worksheet order."""


def sheet_of(form: Form, texts: Mapping[str, str]) -> ResultSheet:
    """The sheet that the boxes state. Every group of the ballot is named; blank stays blank."""

    def number(path: str) -> int | None:
        return counts.value(texts.get(path, ""))

    def tick(path: str) -> bool | None:
        return {YES: True, NO: False}.get(texts.get(path, ""))

    rows = tuple(_row(line, texts) for line in form.lines)
    extras = tuple(
        (field.path, number(field.path)) for field in form.sheet_fields if field.path != ATTENDANCE
    )
    sheet = ResultSheet(number(ATTENDANCE), rows, extras)
    if not form.paper_fields:
        return sheet
    numbers = {field.path: number(field.path) for field in form.paper_fields if field.kind is Kind.COUNT}
    ticks = {field.path: tick(field.path) for field in form.paper_fields if field.kind is Kind.TICK}
    return replace(sheet, **numbers, **ticks)  # type: ignore[arg-type]


def _row(line: GroupLine, texts: Mapping[str, str]) -> GroupCounts:
    first, final, delegates = (counts.value(texts.get(field.path, "")) for field in line.fields)
    return GroupCounts(line.group, first, final, delegates)


def empty_boxes(form: Form, sheet: ResultSheet) -> Empty:
    partly, rows, boxes = [], [], []
    required = [
        field.path for field in form.sheet_fields if field.required and sheet.count(field.path) is None
    ]
    boxes += [field.path for field in form.sheet_fields if sheet.count(field.path) is None]
    for line in form.lines:
        row = sheet.row(line.group)
        blank = [field.path for field in line.fields if sheet.count(field.path) is None]
        boxes += blank
        if row.blank:
            rows.append(line.group)
        else:
            partly += blank
    columns = [column for column in COLUMNS if not sheet.states(column)]
    return Empty(tuple(required), tuple(partly), tuple(rows), tuple(columns), tuple(boxes))


def untouched(form: Form, sheet: ResultSheet) -> bool:
    return all(sheet.count(field.path) is None for field in form.counts)


def finished_part(form: Form, sheet: ResultSheet, progress: Progress) -> ResultSheet:
    """The sheet without the row that is being typed at this moment and not full yet."""
    if progress.at_end or progress.current is None:
        return sheet
    row = sheet.row(progress.current)
    if row.blank or None not in (row.first, row.final, row.delegates):
        return sheet
    rows = tuple(GroupCounts(r.group) if r.group == progress.current else r for r in sheet.groups)
    return replace(sheet, groups=rows)


def is_complete(form: Form, sheet: ResultSheet, progress: Progress) -> bool:
    """Whether every row is full, or was passed over and meant to be blank."""
    if progress.at_end:
        return True
    for line in form.lines:
        row = sheet.row(line.group)
        full = None not in (row.first, row.final, row.delegates)
        passed = line.group in progress.passed and line.group != progress.current
        if not full and not passed:
            return False
    return True


def known(
    findings: Iterable[Finding],
    sheet: ResultSheet,
    *,
    complete: bool,
    threshold: int | None,
    delegates: int | None,
    viable: Mapping[Column, int],
) -> tuple[Finding, ...]:
    """Those that hold already. `viable`: how many groups are viable in the first and the final so far."""
    if complete:
        return tuple(findings)
    kept = []
    for finding in findings:
        if finding.id in _AT_ONCE or finding.id in _BY_ROW:
            kept.append(finding)
        elif finding.id in _UNLESS_CROWDED:
            column = _UNLESS_CROWDED[finding.id]
            if not _may_crowd(sheet, column, threshold, delegates, viable.get(column, 0)):
                kept.append(finding)
    return tuple(kept)


def _may_crowd(
    sheet: ResultSheet, column: Column, threshold: int | None, delegates: int | None, viable: int
) -> bool:
    """Whether the people not counted yet could still make more groups viable than there are delegates."""
    if sheet.attendance is None or not threshold or delegates is None:
        return True
    free = max(0, sheet.attendance - (sheet.total(column) or 0))
    return viable + free // threshold > delegates


def passed_in_draft(form: Form, sheet: ResultSheet) -> frozenset[str]:
    """The rows that a restored draft had reached: all up to the last one with a count."""
    reached = [place for place, line in enumerate(form.lines) if not sheet.row(line.group).blank]
    return frozenset(line.group for line in form.lines[: max(reached) + 1]) if reached else frozenset()
