"""Acknowledging a finding of the standing sheet: the figures stay, and someone says why."""

from caucus_desk.desk.again import again
from caucus_desk.desk.guards import WORDLESS, in_words, remember
from caucus_desk.desk.naming import clean_name, clean_text, same_person
from caucus_desk.desk.people import allow
from caucus_desk.desk.roles import Job
from caucus_desk.desk.session import Desk
from caucus_desk.desk.settling import derive, settle
from caucus_desk.desk.sheetcheck import findings_of
from caucus_desk.desk.two_people import keyed
from caucus_desk.desk.wording import clock, place
from caucus_desk.rules.errors import Refused
from caucus_desk.store.units import ReadUnit
from caucus_desk.tally.catalogue import FINDINGS
from caucus_desk.tally.finding import Finding, Severity
from caucus_desk.tally.report import Acknowledgement
from caucus_desk.tally.results import PrecinctResult


@again
def acknowledge(desk: Desk, precinct_id: str, finding_id: str, *, reason: str, by: str) -> Acknowledgement:
    """Accepts one finding for the figures that stand now; saved when this returns.

    An error needs a reason and another person than whoever keyed one of the standing reports; a
    warning may go without a reason. Refused where the standing sheet does not have the finding, or
    somebody has acknowledged it already.
    """
    by = clean_name(by)
    finding_id = finding_id.strip().upper()
    if finding_id not in FINDINGS:
        raise Refused(f"There is no finding {finding_id}. They are named C01 to C53.")
    precinct = desk.precinct(precinct_id)
    whole = _found_in_the_whole(desk, precinct_id, finding_id)
    reason = clean_text(reason)
    try:
        with desk.store.write() as unit:
            allow(desk, unit, by, Job.REVIEW)
            result = derive(unit, desk.rules, [precinct_id], desk.precincts)[precinct_id]
            finding = _finding(desk, result, finding_id) or whole
            _can_be_given(unit, result, finding, finding_id, reason, by)
            sheet = result.standing.sheet
            assert sheet is not None  # a finding stands on a sheet
            given = unit.acknowledge(
                precinct_id,
                finding_id,
                sheet.bound_to(finding_id),
                by=by,
                reason=reason,
                at_desk=False,
                sentence=f"{by} acknowledged {finding_id} of {place(precinct)}"
                + (f": {reason}" if reason else ""),
            )
            settle(unit, desk.rules, [precinct_id], desk.precincts)
            return given
    except Refused as refusal:
        remember(desk, refusal, by, precinct_id)
        raise


def _found_in_the_whole(desk: Desk, precinct_id: str, finding_id: str) -> Finding | None:
    """A finding that only the whole caucus shows, such as a sheet keyed under two precincts (C35)."""
    for entry in desk.overview().findings_of(precinct_id):
        if entry.standing and entry.finding.id == finding_id:
            return entry.finding
    return None


def _finding(desk: Desk, result: PrecinctResult, finding_id: str) -> Finding | None:
    sheet = result.standing.sheet
    if sheet is None:
        return None
    found = findings_of(desk.rules, result.precinct, sheet)
    return next((finding for finding in found if finding.id == finding_id), None)


def _can_be_given(
    unit: ReadUnit, result: PrecinctResult, finding: Finding | None, finding_id: str, reason: str, by: str
) -> None:
    where = place(result.precinct)
    if finding is None:
        what = "has no report yet" if result.standing.sheet is None else f"does not show {finding_id}"
        raise Refused(f"{where} {what}, so there is nothing to acknowledge.")
    for given in result.acknowledgements:
        if given.finding == finding_id and (given.reason or finding.severity is not Severity.ERROR):
            raise Refused(f"{given.by} acknowledged {finding_id} of {where} at {clock(given.at)} already.")
    if finding.severity is not Severity.ERROR:
        return
    if not reason:
        raise Refused(f"{finding_id} is an error: acknowledging it needs a reason.")
    if not in_words(reason):
        raise Refused(WORDLESS)
    own = keyed(unit, result.precinct.id, [by])
    if own is not None:
        raise Refused(f"{own} of {where}: another person must acknowledge {finding_id}.")
    ruling = result.standing.ruling
    if ruling is not None and same_person(ruling.by, by):
        raise Refused(
            f"{ruling.by} ruled on {where}, so the figures are theirs: another person must acknowledge "
            f"{finding_id}."
        )
