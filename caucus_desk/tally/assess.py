"""A precinct as it stands: everything that follows from its reports, rulings and acknowledgements."""

from collections.abc import Iterable, Mapping

from caucus_desk.rules.apportion import Tie, apportion
from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.tally.basis import AttendanceSource, attendance_basis, delegates_to_elect
from caucus_desk.tally.checks import check_errors
from caucus_desk.tally.heads import beside, heads, leading
from caucus_desk.tally.mismatch import mismatches
from caucus_desk.tally.report import Acknowledgement, Report, Ruling
from caucus_desk.tally.results import PrecinctResult
from caucus_desk.tally.roster import Precinct
from caucus_desk.tally.sheet import Column, ResultSheet
from caucus_desk.tally.state import State, standing


def assess(
    rules: RuleSet,
    precinct: Precinct,
    reports: Iterable[Report],
    ruling: Ruling | None,
    acknowledgements: Iterable[Acknowledgement],
    changed_after_verified: bool = False,
) -> PrecinctResult:
    """Derive a precinct's result. Withdrawn reports and rulings must be left out by the caller."""
    known = heads(reports)
    newest, rivals = leading(known), beside(known)
    stands = standing(newest, ruling, rules.keys, rules.verifying_pairs, rivals)
    sheet = stands.sheet
    differing = mismatches(newest, rules.keys, rivals) if stands.state is State.MISMATCHED else ()
    given = tuple(
        entry
        for entry in acknowledgements
        if sheet is not None and entry.fingerprint == sheet.bound_to(entry.finding)
    )
    open_errors: tuple[str, ...] = ()
    if sheet is not None and stands.state in (State.MATCHED, State.RULED):
        answered = {entry.finding for entry in given if entry.reason}
        errors = dict.fromkeys(finding.id for finding in check_errors(rules, precinct, sheet))
        open_errors = tuple(id for id in errors if id not in answered)
    awards = Awards.of(rules, precinct, sheet)
    return PrecinctResult(
        precinct=precinct,
        reports=newest,
        standing=stands,
        mismatches=differing,
        acknowledgements=given,
        open_errors=open_errors,
        delegates_to_elect=awards.delegates_to_elect,
        reported=awards.reported,
        computed=awards.computed,
        tie=awards.tie,
        not_computed=awards.not_computed,
        changed_after_verified=changed_after_verified,
        rivals=rivals,
    )


class Awards:
    """The delegates of one sheet, as reported and as computed (rules.md 5.2)."""

    __slots__ = ("computed", "delegates_to_elect", "not_computed", "reported", "tie")

    def __init__(
        self,
        delegates: int | None,
        reported: Mapping[str, int],
        computed: Mapping[str, int],
        tie: Tie | None,
        not_computed: bool,
    ) -> None:
        self.delegates_to_elect = delegates
        self.reported = reported
        self.computed = computed
        self.tie = tie
        self.not_computed = not_computed

    @classmethod
    def of(cls, rules: RuleSet, precinct: Precinct, sheet: ResultSheet | None) -> "Awards":
        if sheet is None:
            return cls(precinct.delegates, {}, {}, None, False)
        reported = {row.group: row.delegates for row in sheet.groups if row.delegates}
        basis = attendance_basis(rules, precinct, sheet)
        elects = delegates_to_elect(rules, precinct, basis.count)
        attendance = basis.count
        if not attendance or not elects or not computable(sheet, basis.source):
            return cls(elects, reported, reported, None, True)
        finals = {row.group: row.final for row in sheet.groups if row.final}
        result = apportion(rules, elects, attendance, finals)
        if _complete(sheet, Column.DELEGATES) and result.agrees(reported):
            return cls(elects, reported, reported, None, False)
        return cls(elects, reported, {g: d for g, d in result.awards.items() if d}, result.tie, False)


def computable(sheet: ResultSheet, source: AttendanceSource) -> bool:
    """Whether the rules can be applied: both rounds are there, and no count they need is blank."""
    if not sheet.total(Column.FIRST) or not sheet.total(Column.FINAL):
        return False
    return _complete(sheet, Column.FINAL) and (
        source is not AttendanceSource.FIRST_SUM or _complete(sheet, Column.FIRST)
    )


def _complete(sheet: ResultSheet, column: Column) -> bool:
    """The column is stated, and for every group that has anybody."""
    return sheet.states(column) and not any(
        row.count(column) is None for row in sheet.groups if not row.blank
    )
