"""The live check of one sheet: everything the entry page shows beside the boxes. Never reads the store."""

from collections.abc import Mapping
from dataclasses import dataclass

from caucus_desk.desk.session import Desk
from caucus_desk.rules.apportion import Tie, apportion
from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.rules.viability import is_viable, threshold
from caucus_desk.tally.basis import Basis, attendance_basis, delegates_to_elect
from caucus_desk.tally.checks import check_sheet
from caucus_desk.tally.finding import Finding
from caucus_desk.tally.roster import Precinct
from caucus_desk.tally.sheet import Column, ResultSheet


@dataclass(frozen=True, slots=True)
class SheetCheck:
    """What the rules say of a sheet, also while it is half typed."""

    threshold: int | None
    """People that a group needs; None while it cannot be known, 0 where there is no threshold."""
    basis: Basis
    delegates_to_elect: int | None
    viable_first: frozenset[str]
    viable_final: frozenset[str]
    computed: Mapping[str, int]
    """Delegates by group that the rules give; the sheet's own where chance decided and it says how."""
    tie: Tie | None
    """A game of chance that the sheet's delegates do not yet settle."""
    first_total: int | None
    """Totals are None where the column is empty."""
    final_total: int | None
    delegates_total: int | None
    findings: tuple[Finding, ...]


def check(desk: Desk, precinct_id: str, sheet: ResultSheet) -> SheetCheck:
    """Viability, delegates by the rules, totals and findings of a sheet."""
    return check_of(desk.rules, desk.precinct(precinct_id), sheet)


def check_of(rules: RuleSet, precinct: Precinct, sheet: ResultSheet) -> SheetCheck:
    basis = attendance_basis(rules, precinct, sheet)
    elects = delegates_to_elect(rules, precinct, basis.count)
    needed: int | None = None
    viable: dict[Column, frozenset[str]] = {Column.FIRST: frozenset(), Column.FINAL: frozenset()}
    computed: Mapping[str, int] = {}
    tie: Tie | None = None
    if basis.count is not None and elects is not None:
        needed = threshold(rules, elects, basis.count)
        if elects > 1:
            for column in viable:
                viable[column] = frozenset(
                    row.group
                    for row in sheet.groups
                    if is_viable(rules, elects, basis.count, row.count(column) or 0, row.group)
                )
        finals = {row.group: row.final for row in sheet.groups if row.final}
        if basis.count and elects and finals:
            worked = apportion(rules, elects, basis.count, finals)
            reported = {row.group: row.delegates for row in sheet.groups if row.delegates}
            if worked.tie is not None and worked.agrees(reported):
                computed = reported
            else:
                computed, tie = worked.awards, worked.tie
    return SheetCheck(
        threshold=needed,
        basis=basis,
        delegates_to_elect=elects,
        viable_first=viable[Column.FIRST],
        viable_final=viable[Column.FINAL],
        computed=computed,
        tie=tie,
        first_total=sheet.total(Column.FIRST),
        final_total=sheet.total(Column.FINAL),
        delegates_total=sheet.total(Column.DELEGATES),
        findings=findings_of(rules, precinct, sheet),
    )


def findings_of(rules: RuleSet, precinct: Precinct, sheet: ResultSheet) -> tuple[Finding, ...]:
    """Everything that this sheet alone can show, in worksheet order."""
    return check_sheet(rules, precinct, sheet)
