"""Slips of the pen that would explain a sheet's errors: C31, C37, C38.

Each tries variants of the sheet and asks whether one clears every error. Only whole sheets are
tried: while counts are still missing, almost anything would.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from caucus_desk.rules.ruleset import ShareBase
from caucus_desk.tally.basis import AttendanceSource
from caucus_desk.tally.catalogue import severity_of
from caucus_desk.tally.checks.facts import Counts, Facts
from caucus_desk.tally.checks.plan import Broken, Course, Plan, is_clean
from caucus_desk.tally.checks.wording import listing
from caucus_desk.tally.finding import Finding
from caucus_desk.tally.form import field_label
from caucus_desk.tally.sheet import ATTENDANCE, MAX_COUNT, Column, field_path

_ENOUGH = 3
"""So many ways to clear the errors are named; more of them prove less."""

_BEYOND_SLIPS = frozenset({"C40", "C46", "C51", "C53"})
"""Errors that no other count in the table can clear."""
_BY_SUMS = frozenset({"C01", "C02", "C14", "C15"})
"""Errors of sums, which stay as they are when counts only change places in their column."""
_FIRST, _FINAL, _DELEGATES = frozenset({"first"}), frozenset({"final"}), frozenset({"delegates"})
_ATTENDANCE_ONLY = frozenset({ATTENDANCE})
_BEARS_ON = {
    "C01": _FIRST | _ATTENDANCE_ONLY,
    "C02": _FINAL | _ATTENDANCE_ONLY,
    "C06": _FIRST | _FINAL | _ATTENDANCE_ONLY,
    "C07": _FIRST | _FINAL | _ATTENDANCE_ONLY,
    "C09": _FIRST | _FINAL | _ATTENDANCE_ONLY,
    "C11": _FINAL | _DELEGATES | _ATTENDANCE_ONLY,
    "C12": _FINAL | _DELEGATES,
    "C13": _FINAL | _DELEGATES | _ATTENDANCE_ONLY,
    "C14": _DELEGATES,
    "C15": _DELEGATES,
    "C16": _FINAL | _DELEGATES,
    "C20": _FINAL | _DELEGATES | _ATTENDANCE_ONLY,
    "C34": _FINAL | _DELEGATES | _FIRST,
    "C41": _FIRST | _ATTENDANCE_ONLY,
}
"""The columns in which one other count can clear an error; any column for those not named."""
_ANYWHERE = _FIRST | _FINAL | _DELEGATES | _ATTENDANCE_ONLY


@dataclass(frozen=True, slots=True)
class Search:
    """A sheet with its errors, and how to tell whether a variant has none."""

    facts: Facts
    plan: Plan
    course: Course
    known: Broken

    @property
    def ids(self) -> frozenset[str]:
        return frozenset(step.check.id for step in self.known.errors)

    def clears(self, variant: Facts) -> bool:
        return is_clean(variant, self.plan, self.course, self.known)


def slips(search: Search) -> Iterator[Finding]:
    """Findings C31, C37 and C38 of a sheet that has errors."""
    facts, ids = search.facts, search.ids
    if not ids or ids & _BEYOND_SLIPS or not (facts.first_total and facts.final_total):
        return
    if not (facts.first_complete and facts.final_complete and facts.delegates_complete):
        return
    if not ids & _BY_SUMS:
        yield from _finding(facts, "C31", _tell_exchanged(facts, list(_exchanged_rows(search))))
    if search.clears(facts.variant(first=facts.final, final=facts.first)):
        yield from _finding(facts, "C37", _tell_columns(facts))
    yield from _finding(facts, "C38", _tell_digits(facts, list(_other_digits(search))))


_Told = tuple[tuple[str, ...], str, str]


def _finding(facts: Facts, id: str, told: _Told | None) -> Iterator[Finding]:
    severity = severity_of(facts.rules, id)
    if told is not None and severity is not None:
        yield Finding(id, severity, *told)


# ---- C31: rows ----


@dataclass(frozen=True, slots=True)
class _Move:
    """Counts that would stand in other rows of one alignment: places in order, and how it is said."""

    column: Column
    places: tuple[int, ...]
    shifted: bool


def _exchanged_rows(search: Search) -> Iterator[_Move]:
    found = 0
    for column in (Column.FIRST, Column.FINAL):
        if not all(column in _BEARS_ON.get(id, _ANYWHERE) for id in search.ids):
            continue
        for move, counts, order in _rearrangements(search.facts, column):
            if search.clears(_with(search.facts, column, counts)) or (
                column is Column.FINAL and search.clears(_with_delegates(search.facts, counts, order))
            ):
                yield move
                found += 1
                if found == _ENOUGH:
                    return


def _with(facts: Facts, column: Column, counts: Counts) -> Facts:
    return facts.variant(first=counts) if column is Column.FIRST else facts.variant(final=counts)


def _with_delegates(facts: Facts, finals: Counts, order: list[int]) -> Facts:
    """The delegates sit in the wrong rows together with the final counts."""
    return facts.variant(final=finals, delegates=[facts.delegates[place] for place in order])


def _rearrangements(facts: Facts, column: Column) -> Iterator[tuple[_Move, Counts, list[int]]]:
    """The column with two rows exchanged, or a run of rows moved by one; `order` says which row's count
    goes where."""
    counts = facts.first if column is Column.FIRST else facts.final
    size = len(counts)
    for a in range(size):
        for b in range(a + 1, size):
            if counts[a] != counts[b]:
                order = list(range(size))
                order[a], order[b] = b, a
                yield _Move(column, (a, b), False), [counts[place] for place in order], order
    for start, end in _runs(counts):
        for empty, run in ((start - 1, range(start, end)), (end, range(start, end))):
            if 0 <= empty < size and end - start > 1:
                order = list(range(size))
                if empty < start:
                    order[empty:end] = [*run, empty]
                else:
                    order[start : empty + 1] = [empty, *run]
                yield _Move(column, (*run,), True), [counts[place] for place in order], order


def _runs(counts: Counts) -> Iterator[tuple[int, int]]:
    """Stretches of rows with people, as [start, end)."""
    start = None
    for place, count in enumerate((*counts, 0)):
        if count and start is None:
            start = place
        elif not count and start is not None:
            yield start, place
            start = None


def _tell_exchanged(facts: Facts, moves: list[_Move]) -> _Told | None:
    if not moves:
        return None
    said = []
    for move in moves:
        counts = facts.first if move.column is Column.FIRST else facts.final
        names = [f"{facts.label(p)} ({counts[p]:,})" for p in move.places]
        what = "one row off" if move.shifted else "exchanged"
        said.append(f"{listing(names)} {what} in the {move.column} alignment")
    fields = tuple(dict.fromkeys(f for move in moves for f in facts.fields(move.places, move.column)))
    counts = facts.first if moves[0].column is Column.FIRST else facts.final
    asked = listing([f"{facts.label(p)} {counts[p]:,}" for p in moves[0].places])
    return (
        fields,
        f"Rows may have slipped: {listing(said, 'or')}; put right, the errors would be gone.",
        f"I have {asked} in the {moves[0].column} alignment. Please read me those rows again, one by one.",
    )


# ---- C37: columns ----


def _tell_columns(facts: Facts) -> _Told:
    return (
        (*facts.filled(Column.FIRST), *facts.filled(Column.FINAL)),
        f"First and final look exchanged: with {facts.final_total or 0:,} in the first alignment and"
        f" {facts.first_total or 0:,} in the final one the errors would be gone.",
        f"I have {facts.first_total or 0:,} first and {facts.final_total or 0:,} final. Which of the two is"
        " the first alignment?",
    )


# ---- C38: digits ----


@dataclass(frozen=True, slots=True)
class _Digit:
    field: str
    stated: int
    instead: int
    exchanged: bool


def _other_digits(search: Search) -> Iterator[_Digit]:
    facts = search.facts
    columns = _ANYWHERE
    for id in search.ids:
        columns &= _bears_on(facts, id)
    found = 0
    for exchanged in (True, False):
        if found:
            return  # an exchange of neighbours is the likelier slip
        for column in (ATTENDANCE, *Column):
            if column not in columns:
                continue
            for digit, variant in _variants(search, column, exchanged):
                if search.clears(variant):
                    yield digit
                    found += 1
                    if found == _ENOUGH + 1:
                        return


def _bears_on(facts: Facts, id: str) -> frozenset[str]:
    columns = _BEARS_ON.get(id, _ANYWHERE)
    if id in ("C14", "C15", "C12", "C16", "C34") and facts.precinct.delegates is None:
        columns |= _ATTENDANCE_ONLY  # a satellite elects by its attendance
    if facts.basis.source is AttendanceSource.FIRST_SUM and ATTENDANCE in columns:
        columns |= _FIRST
    if facts.expands and id in ("C14", "C15"):
        columns = _ANYWHERE
    return columns


def _variants(search: Search, column: str, exchanged: bool) -> Iterator[tuple[_Digit, Facts]]:
    facts = search.facts
    if column == ATTENDANCE:
        stated = facts.sheet.attendance
        if stated is not None and facts.basis.source is AttendanceSource.SHEET:
            for instead in _alternatives(stated, exchanged):
                yield (
                    _Digit(ATTENDANCE, stated, instead, exchanged),
                    facts.variant(attendance_change=instead - stated),
                )
        return
    counts = {"first": facts.first, "final": facts.final, "delegates": facts.delegates}[column]
    gap = _needed_change(facts) if column == Column.DELEGATES else None
    idle = _without_effect_below(search) if column == Column.FINAL else 0
    # A wrong digit is likelier in a number that was said than in a row with nobody.
    for place, count in sorted(enumerate(counts), key=lambda row: not row[1]):
        for instead in _alternatives(count or 0, exchanged):
            if gap is not None and instead - (count or 0) != gap:
                continue
            if idle and max(count or 0, instead) < idle:
                continue
            other = list(counts)
            other[place] = instead
            digit = _Digit(field_path(facts.keys[place], column), count or 0, instead, exchanged)
            if column == Column.FIRST:
                yield digit, facts.variant(first=other)
            elif column == Column.FINAL:
                yield digit, facts.variant(final=other)
            else:
                yield digit, facts.variant(delegates=other)


def _needed_change(facts: Facts) -> int | None:
    """By how much one group's delegates must change, because the sum must be D; None if that is no error."""
    if severity_of(facts.rules, "C14") != "error" or severity_of(facts.rules, "C15") != "error":
        return None
    if facts.seats is None or facts.delegates_total is None or not facts.viable_final:
        return None
    return facts.seats - facts.delegates_total


def _without_effect_below(search: Search) -> int:
    """Final counts below this, before and after, cannot bring the computed delegates to the stated ones."""
    facts = search.facts
    if facts.agrees or not search.plan.arithmetic or facts.rules.share_base is ShareBase.FINAL_TOTAL:
        return 0
    if any(place in facts.other for place in facts.viable_final):
        return 0  # then the difference may be no error
    return facts.threshold or 0


def _alternatives(count: int, exchanged: bool) -> Iterator[int]:
    """Counts that differ in one digit, or by an exchange of two neighbouring digits; of as many digits."""
    text = str(count)
    if exchanged:
        for place in range(len(text) - 1):
            a, b = text[place], text[place + 1]
            if a != b and not (place == 0 and b == "0"):
                yield int(f"{text[:place]}{b}{a}{text[place + 2 :]}")
        return
    power = 10 ** (len(text) - 1)
    found = []
    for place, digit in enumerate(text):
        for other in range(1 if place == 0 and len(text) > 1 else 0, 10):
            if other != int(digit):
                instead = count + (other - int(digit)) * power
                if instead <= MAX_COUNT:
                    found.append(instead)
        power //= 10
    yield from sorted(found, key=lambda instead: abs(instead - count))  # the nearest is asked about first


def _tell_digits(facts: Facts, digits: list[_Digit]) -> _Told | None:
    if not digits:
        return None
    named = digits[:_ENOUGH]
    said = [
        f"{field_label(facts.rules, digit.field)} {digit.instead:,} instead of {digit.stated:,}"
        for digit in named
    ]
    more = "" if len(digits) <= _ENOUGH else ", among others,"
    fields = tuple(dict.fromkeys(digit.field for digit in named))
    return (
        fields,
        f"{listing(said, 'or')}{more} would clear every error"
        f" ({'two digits exchanged' if digits[0].exchanged else 'one digit off'}).",
        f"Is it {said[0].replace(' instead of ', ', not ')}?",
    )
