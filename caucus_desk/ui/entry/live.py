"""What the sheet shows by itself while it is typed: viability, delegates by the rules, totals, findings."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from caucus_desk.desk.entry import SheetCheck
from caucus_desk.tally.finding import Finding, Severity
from caucus_desk.tally.form import Form
from caucus_desk.tally.sheet import Column, ResultSheet
from caucus_desk.ui.entry.cells import Viability
from caucus_desk.ui.entry.count_edit import MARK_OF, Mark
from caucus_desk.ui.entry.notes import Note
from caucus_desk.ui.entry.sheet_grid import SheetGrid, group_of
from caucus_desk.ui.entry.typed import Progress, finished_part, is_complete, known, untouched
from caucus_desk.ui.words import severity_sign

TOTALS = ""
"""The path of a note that stands beside the totals."""
_MANY_GROUPS = 3
_SUMS = frozenset(("C01", "C02", "C03", "C04", "C05", "C09", "C14", "C15"))

Check = Callable[[ResultSheet], SheetCheck]


@dataclass(frozen=True, slots=True)
class Live:
    """One look at the sheet."""

    sheet: ResultSheet
    check: SheetCheck
    complete: bool
    findings: tuple[Finding, ...]


class LiveCheck:
    """Asks for a check of the whole sheet, and of its finished part only when that has changed."""

    def __init__(self, form: Form, check: Check) -> None:
        self._form, self._check = form, check
        self._part: ResultSheet | None = None
        self._part_check: SheetCheck | None = None
        self._last: tuple[ResultSheet, Progress, Live] | None = None

    def look(self, sheet: ResultSheet, progress: Progress) -> Live:
        if self._last is not None and self._last[0] == sheet and self._last[1] == progress:
            return self._last[2]
        same = self._last is not None and self._last[0] == sheet
        check = self._last[2].check if same and self._last is not None else self._check(sheet)
        part = finished_part(self._form, sheet, progress)
        if part is sheet:
            of_part = check
        elif self._part == part and self._part_check is not None:
            of_part = self._part_check
        else:
            of_part = self._check(part)
        self._part, self._part_check = part, of_part
        complete = is_complete(self._form, sheet, progress)
        findings: tuple[Finding, ...] = ()
        if not untouched(self._form, sheet):
            findings = known(
                of_part.findings,
                part,
                complete=complete,
                threshold=check.threshold,
                delegates=check.delegates_to_elect,
                viable={Column.FIRST: len(of_part.viable_first), Column.FINAL: len(of_part.viable_final)},
            )
        live = Live(sheet, check, complete, findings)
        self._last = (sheet, progress, live)
        return live


def show_live(grid: SheetGrid, live: Live, passed: frozenset[str]) -> None:
    """Tell the grid what stands beside each row. Cells repaint themselves only where something changed."""
    _show_threshold(grid, live)
    check, sheet = live.check, live.sheet
    many = bool(check.threshold)
    for line in grid.form.lines:
        row = sheet.row(line.group)
        for column, count, viable in (
            (Column.FIRST, row.first, check.viable_first),
            (Column.FINAL, row.final, check.viable_final),
        ):
            state = Viability.UNKNOWN
            if many and count and check.basis.stated:
                state = Viability.VIABLE if line.group in viable else Viability.BELOW
            grid.show_viability(line.group, column, state)
    _show_rules(grid, live, passed)
    _show_totals(grid, live)


def _show_threshold(grid: SheetGrid, live: Live) -> None:
    check = live.check
    if not check.basis.stated:
        grid.threshold.show_text("")
    elif check.delegates_to_elect == 1:
        grid.threshold.show_text("elects one: no threshold", "muted")
    elif check.threshold:
        elects = check.delegates_to_elect
        grid.threshold.show_text(f"viable with {check.threshold}  ·  elects {elects}")
    else:
        grid.threshold.show_text("")


def _show_rules(grid: SheetGrid, live: Live, passed: frozenset[str]) -> None:
    """The delegates by the rules depend on every final count; before all are in there is nothing to say."""
    check, sheet = live.check, live.sheet
    finals_in = live.complete or all(
        sheet.row(line.group).final is not None or line.group in passed for line in grid.form.lines
    )
    tied = set(check.tie.groups) if check.tie else set()
    step = 0 if check.tie is None else (-1 if check.tie.kind == "lose" else 1)
    for line in grid.form.lines:
        row = sheet.row(line.group)
        if not finals_in or not check.basis.count or not check.final_total:
            grid.show_rules(line.group, "", "muted", "")
            continue
        given = check.computed.get(line.group, 0)
        low, high = sorted((given, given + step)) if line.group in tied else (given, given)
        if not high:
            grid.show_rules(line.group, "–" if row.final is not None else "", "muted", "")
            continue
        text = str(given) if low == high else f"{low} or {high}, toss"
        differs = row.delegates is not None and not low <= row.delegates <= high
        grid.show_rules(line.group, text, "warn" if differs else "text", "warn" if differs else "")


def _show_totals(grid: SheetGrid, live: Live) -> None:
    check = live.check
    first, final, delegates = check.first_total, check.final_total, check.delegates_total
    totals = grid.totals
    totals["first"].show_text("" if first is None else str(first))
    totals["final"].show_text("" if final is None else str(final))
    totals["delegates"].show_text("" if delegates is None else str(delegates))
    room = check.basis.count if check.basis.stated else None
    totals["first side"].show_text(*_first_side(first, room, live.complete))
    totals["final side"].show_text(*_final_side(final, first, room, live.complete))
    totals["rules"].show_text(*_left(delegates, check.delegates_to_elect, live.complete))


Text = tuple[str, str, str]
_NOTHING: Text = ("", "muted", "")


def _first_side(first: int | None, room: int | None, complete: bool) -> Text:
    if first is None or room is None:
        return _NOTHING
    if first > room:
        return (f"{first - room} too many", "bad", "bad")
    if first == room:
        return ("= attendance", "good", "")
    return (f"{room - first} unaligned" if complete else f"{room - first} to go", "muted", "")


def _final_side(final: int | None, first: int | None, room: int | None, complete: bool) -> Text:
    if final is None or first is None:
        return _NOTHING
    if room is not None and final > room:
        return (f"{final - room} too many", "bad", "bad")
    if not complete:
        return _NOTHING
    if final > first:
        return (f"+{final - first} gained", "warn", "warn")
    return (f"{first - final} lost", "muted", "") if final < first else ("none lost", "muted", "")


def _left(delegates: int | None, elects: int | None, complete: bool) -> Text:
    if elects is None:
        return _NOTHING
    left = elects - (delegates or 0)
    if left < 0:
        return (f"of {elects}, {-left:,} over", "bad", "bad")
    if delegates is None and not complete:
        return (f"of {elects}", "muted", "")
    if left == 0:
        return (f"of {elects}", "good", "good")
    return (f"of {elects}, {left} left", "bad" if complete else "muted", "bad" if complete else "")


def notes_of(findings: Iterable[Finding], on_the_line: bool) -> list[Note]:
    """Findings as notes in the margin, in their order; what to ask only while somebody is there to answer."""
    notes = []
    for finding in findings:
        sign = severity_sign(finding.severity)
        notes.append(
            Note(
                finding.id,
                place_of(finding),
                sign.icon,
                sign.role,
                sign.word,
                finding.message,
                finding.ask if on_the_line else "",
            )
        )
    return notes


def place_of(finding: Finding) -> str:
    """The path beside which a finding stands; one about sums stands beside the totals."""
    groups = {group_of(path) for path in finding.fields}
    if not finding.fields or finding.id in _SUMS or len(groups) > _MANY_GROUPS:
        return TOTALS
    return finding.fields[0]


def marks_of(findings: Iterable[Finding], differing: Iterable[str]) -> Mapping[str, Mark]:
    """Every box that a finding or a mismatch speaks of is marked; both are shown where both hold."""
    marks: dict[str, Mark] = {}
    for finding in findings:
        if finding.severity is Severity.NOTE:
            continue
        for path in finding.fields:
            if finding.id in _SUMS and group_of(path) is not None:
                continue  # a sum is wrong, not each of its parts; the totals' row says so
            marks[path] = marks.get(path, Mark.NONE) | MARK_OF[finding.severity]
    for path in differing:
        marks[path] = marks.get(path, Mark.NONE) | Mark.MISMATCH
    return marks
