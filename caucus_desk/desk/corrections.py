"""What changed after it was reported or verified, and what that moved: for whoever answers for the tally."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction

from caucus_desk.desk.evening import stories
from caucus_desk.desk.session import Desk
from caucus_desk.desk.wording import place
from caucus_desk.rules.ruleset import Unit
from caucus_desk.store.corrections import CorrectionRecord
from caucus_desk.store.units import ReadUnit
from caucus_desk.tally.history import Change, Happened
from caucus_desk.tally.overview import Overview
from caucus_desk.tally.results import PrecinctResult
from caucus_desk.tally.roster import Precinct
from caucus_desk.tally.sheet import ResultSheet


@dataclass(frozen=True, slots=True)
class Correction:
    """A report that took the place of another openly, or whatever else ended a verification.

    `moved` and `delegates` say what became of the precinct: what stands now less what stood just before,
    for the groups for which that is not nothing. SDEs are exact (votes, where the rule set counts votes).
    """

    precinct: Precinct
    what: Happened
    report_id: int | None
    replaces: int | None
    by: str
    at: datetime
    reason: str
    """Empty where none was asked for: a first report of a further channel, say."""
    openly: bool
    """It was keyed or loaded as a correction; else something else ended the verification (C50)."""
    was_verified: bool
    moved: Mapping[str, Fraction]
    delegates: Mapping[str, int]
    result: PrecinctResult
    """The precinct as it stands now."""
    sentence: str

    @property
    def verified_now(self) -> bool:
        return self.result.verified


def corrections(desk: Desk) -> tuple[Correction, ...]:
    """Newest first: every correction, and every other event with which a verified precinct ceased to be
    so, be it a new report that differs or a ruling that was withdrawn."""
    told = stories(desk)
    overview = desk.overview()
    found: list[tuple[int, Correction]] = []
    with desk.store.read() as unit:
        records = {record.report_id: record for record in unit.correction_records()}
        for precinct_id, story in told.items():
            for change in story.changes:
                record = None
                if change.event.what is Happened.REPORTED and change.event.report_id is not None:
                    record = records.get(change.event.report_id)
                if record is None and (not change.was_verified or change.still_verified):
                    continue
                reason = record.reason if record is not None else _reason(unit, change)
                found.append((change.event.seq, _told(overview, precinct_id, change, record, reason)))
    found.sort(key=lambda entry: -entry[0])
    return tuple(correction for _, correction in found)


def _reason(unit: ReadUnit, change: Change) -> str:
    event = change.event
    if event.what is Happened.RULING_WITHDRAWN and event.ruling_id is not None:
        ruling = unit.ruling(event.ruling_id)
        return "" if ruling is None else ruling.withdrawn_reason
    if event.what is Happened.REPORT_WITHDRAWN:
        for stored in unit.history(event.precinct_id):
            if stored.report.id == event.report_id:
                return stored.withdrawn_reason
    return ""


def _told(
    overview: Overview, precinct_id: str, change: Change, record: CorrectionRecord | None, reason: str
) -> Correction:
    result = overview.results[precinct_id]
    delegates, moved = _moved(overview, result, change.before)
    event = change.event
    return Correction(
        precinct=result.precinct,
        what=event.what,
        report_id=event.report_id,
        replaces=None if record is None else record.replaces,
        by=event.by,
        at=event.at,
        reason=reason,
        openly=record is not None,
        was_verified=change.was_verified if record is None else record.was_verified,
        moved=moved,
        delegates=delegates,
        result=result,
        sentence=_sentence(result, change, record, reason),
    )


def _moved(
    overview: Overview, result: PrecinctResult, before: ResultSheet | None
) -> tuple[Mapping[str, int], Mapping[str, Fraction]]:
    def counts(sheet: ResultSheet | None) -> Mapping[str, int]:
        rows = () if sheet is None else sheet.groups
        if overview.rules.unit is Unit.VOTES:
            return {row.group: row.final or 0 for row in rows}
        return {row.group: row.delegates or 0 for row in rows}

    one = overview.delegate_worth(result.precinct.id)
    if overview.rules.unit is Unit.VOTES:
        one = Fraction(1)
    now, then = counts(result.standing.sheet), counts(before)
    differences = {group: now.get(group, 0) - then.get(group, 0) for group in overview.rules.keys}
    delegates = {group: difference for group, difference in differences.items() if difference}
    return delegates, {group: difference * one for group, difference in delegates.items()}


def _sentence(result: PrecinctResult, change: Change, record: CorrectionRecord | None, reason: str) -> str:
    """Who did what, and how the precinct stands now; no figures."""
    event, where = change.event, place(result.precinct)
    if record is not None:
        text = f"{event.by} corrected {where}"
    elif event.what is Happened.REPORTED:
        text = f"{event.by} brought another report of {where}, which differs"
    elif event.what is Happened.RULING_WITHDRAWN:
        text = f"{event.by} withdrew the ruling on {where}"
    elif event.what is Happened.REPORT_WITHDRAWN:
        text = f"{event.by} withdrew a report of {where}"
    else:
        text = f"{event.by} ruled on {where}"
    text += f": {reason.rstrip('.')}." if reason else "."
    was = change.was_verified if record is None else record.was_verified
    stands = f"{result.standing.state}, verified" if result.verified else f"{result.standing.state}"
    return f"{text} It was {'verified' if was else 'not verified'} then and is {stands} now."
