"""Which attendance the arithmetic uses, and how many delegates a precinct elects (rules.md 2, 4, 6)."""

from dataclasses import dataclass
from enum import StrEnum

from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.rules.satellite import band
from caucus_desk.tally.roster import Precinct
from caucus_desk.tally.sheet import Column, ResultSheet


class AttendanceSource(StrEnum):
    SHEET = "sheet"
    SIGN_IN = "sign-in"
    FIRST_SUM = "first alignment"


@dataclass(frozen=True, slots=True)
class Basis:
    """The attendance A in force, in people, and where it comes from. `count` is None where unknown."""

    count: int | None
    source: AttendanceSource

    @property
    def stated(self) -> bool:
        """Counted, not inferred: the checks that need a real attendance may speak."""
        return self.count is not None and self.source is not AttendanceSource.FIRST_SUM


def attendance_basis(rules: RuleSet, precinct: Precinct, sheet: ResultSheet) -> Basis:
    """The sheet's attendance, else a satellite's sign-in count, else the first-alignment sum.

    A first alignment with a blank in it cannot stand in for the attendance: the count is unknown then.

    Fields of the rule set that add to the attendance (early votes) are added to the sheet's own.
    A required one that is blank leaves the sheet's attendance unstated.
    """
    stated = _stated_attendance(rules, sheet)
    if stated is not None:
        return Basis(stated, AttendanceSource.SHEET)
    if precinct.is_satellite and precinct.attendance is not None:
        return Basis(precinct.attendance, AttendanceSource.SIGN_IN)
    complete = not any(row.first is None and not row.blank for row in sheet.groups)
    return Basis(sheet.total(Column.FIRST) if complete else None, AttendanceSource.FIRST_SUM)


def _stated_attendance(rules: RuleSet, sheet: ResultSheet) -> int | None:
    if sheet.attendance is None:
        return None
    total = sheet.attendance
    if rules.fields:
        counts = dict(sheet.extras)
        for field in rules.fields:
            if not field.adds_to_attendance:
                continue
            count = counts.get(field.key)
            if count is None:
                if field.required:
                    return None
                continue
            total += count
    return total


def delegates_to_elect(rules: RuleSet, precinct: Precinct, attendance: int | None) -> int | None:
    """D: the roster's allotment, else for a satellite the band of its attendance (None: unknown)."""
    if precinct.delegates is not None:
        return precinct.delegates
    if precinct.is_satellite and attendance is not None and rules.satellites is not None:
        return band(rules, attendance)
    return None
