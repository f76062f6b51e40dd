"""The one submit: a draft becomes a report, with its acknowledgements, its event and the new state, or
nothing is saved at all."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from caucus_desk.desk.again import again
from caucus_desk.desk.caller import Checked, proved
from caucus_desk.desk.calls import caller_of, keep_call, same_call, started
from caucus_desk.desk.guards import (
    DoesNotMatch,
    EmptyBoxes,
    NeedsReason,
    StaleWindow,
    electing,
    filled,
    held_by,
    matches,
    newest_meanwhile,
    not_meanwhile,
    not_stale,
    open_correction,
    reasoned,
    remember,
    standing_draft,
)
from caucus_desk.desk.heads import heads_of
from caucus_desk.desk.naming import clean_name, clean_text, same_person
from caucus_desk.desk.people import allow
from caucus_desk.desk.rekeying import all_filled, keyed_again, not_fallen, reason_again
from caucus_desk.desk.roles import Job
from caucus_desk.desk.session import Desk
from caucus_desk.desk.settling import settle
from caucus_desk.desk.sheetcheck import findings_of
from caucus_desk.desk.submitted import Submitted, as_text, from_text
from caucus_desk.desk.two_people import Barred, not_both, not_looked
from caucus_desk.desk.wording import clock, listed, place
from caucus_desk.rules.errors import Refused
from caucus_desk.store.actions import Action
from caucus_desk.store.records import Caller, DraftRecord, NewReport
from caucus_desk.store.units import ReadUnit, WriteUnit
from caucus_desk.tally.finding import Finding
from caucus_desk.tally.heads import Heads
from caucus_desk.tally.receipt import receipt_code
from caucus_desk.tally.report import Channel, Report
from caucus_desk.tally.roster import Precinct
from caucus_desk.tally.sheet import ResultSheet


@dataclass(frozen=True, slots=True)
class Called:
    """The call that a phone sheet came by, while it is not a record yet."""

    at: datetime
    caller: Caller
    checked: Checked

    @property
    def nobody(self) -> bool:
        """Nothing is written down of any caller."""
        return not (self.caller.name or self.caller.number or self.checked != Checked())


@again
def submit(
    desk: Desk,
    draft_id: int,
    sheet: ResultSheet,
    by: str,
    *,
    reasons: Mapping[str, str],
    confirmed: bool | Collection[str] = False,
    correcting: str = "",
    seen: datetime | None = None,
    caller: Caller | None = None,
    replacing: int | None = None,
    window: str | None = None,
    token: str | None = None,
) -> Submitted:
    """Makes the draft a report, with its acknowledgements and the new state; saved when this returns.

    Refused, with nothing saved: a draft that another window saved since `seen` (`StaleWindow`); a box that
    must not be empty (`EmptyBoxes`); a second report of the precinct by someone who keyed or typed in
    another one, or looked at what others keyed (`Barred`); a verified precinct, or a mismatched one that
    `by` keyed a report of, unless `correcting` gives a reason (`AlreadyVerified`, `OwnMismatch`); another
    person's report of the channel that came in meanwhile, unless `replacing` is its id
    (`KeyedMeanwhile`); a sheet that differs from another channel's (`DoesNotMatch`) in fields that are not
    `confirmed`, by path or, with True, altogether; an error finding without a reason in `reasons`
    (`NeedsReason`). `reasons` maps a finding's id to what was said; for a warning an empty text is enough.
    `caller` is who rang as the screen shows it; None takes what the draft holds.

    `token` names this one submit: where it was made already, the answer is the one that it had, and nothing
    is saved again. So a desk that never heard the answer may ask again. `window` is whose draft it is.
    """
    by = clean_name(by)
    correcting = clean_text(correcting)
    reasons = {finding: clean_text(said) for finding, said in reasons.items()}
    precinct_id: str | None = None
    try:
        with desk.store.write() as unit:
            allow(desk, unit, by, Job.KEY)
            if token is not None:
                made = _made(unit, token)
                if made is not None:
                    return made
            draft = standing_draft(unit, draft_id)
            precinct_id = draft.precinct_id
            held_by(draft, by)
            not_stale(draft, seen, window)
            who, checked = caller_of(draft.fields, caller)
            precinct = electing(desk, precinct_id)
            checked = proved(precinct, who.number, checked)
            who = replace(who, check=checked.words)
            not_fallen(unit, precinct, draft)
            all_filled(unit, desk.rules, draft, sheet)
            filled(desk, precinct, sheet)
            standing = heads_of(unit, precinct_id)
            not_both(unit, precinct, draft.channel, (by, *draft.typists))
            not_looked(unit, precinct, by, draft.channel)
            correcting = correcting or reason_again(unit, desk.rules, draft)
            if correcting:
                allow(desk, unit, by, Job.CORRECT)
            open_correction(unit, precinct, standing, by, correcting, draft)
            not_meanwhile(draft, precinct, standing, by, replacing)
            found = findings_of(desk.rules, precinct, sheet)
            matches(desk, unit, precinct, draft.channel, sheet, standing, found, confirmed, by)
            reasoned(found, reasons)
            called = Called(started(draft), who, checked)
            done = _save(desk, unit, draft, precinct, sheet, by, standing, found, reasons, correcting, called)
            if token is not None:
                unit.add_submission(token, done.report_id, as_text(done))
            return done
    except DoesNotMatch as refusal:
        remember(desk, refusal, by, precinct_id, Action.DOES_NOT_MATCH)
        raise
    except Barred as refusal:
        refusal.draft = draft
        remember(desk, refusal, by, precinct_id)
        raise
    except (EmptyBoxes, NeedsReason, StaleWindow):
        raise  # said at the desk while the sheet is still being keyed; nothing to remember
    except Refused as refusal:
        remember(desk, refusal, by, precinct_id)
        raise


def answered(desk: Desk, token: str) -> Submitted | None:
    """What a submit with this token was answered; None where it was not made."""
    with desk.store.read() as unit:
        return _made(unit, token)


def _made(unit: ReadUnit, token: str) -> Submitted | None:
    found = unit.submission(token)
    return None if found is None else from_text(found[1])


def _save(
    desk: Desk,
    unit: WriteUnit,
    draft: DraftRecord,
    precinct: Precinct,
    sheet: ResultSheet,
    by: str,
    standing: Heads,
    found: tuple[Finding, ...],
    reasons: Mapping[str, str],
    correcting: str,
    called: Called,
) -> Submitted:
    alike = standing.get(draft.channel, ())
    old = alike[0] if alike else None
    what = f"{by} keyed the {draft.channel} report of {place(precinct)}"
    if alike:
        what += f", in place of {listed([_whose(one) for one in alike])}"
    others = tuple(name for name in draft.typists if not same_person(name, by))
    if others:
        what += f"; {listed(list(others))} had it before"
    if correcting:
        what += f", as a correction: {correcting}"
    report = unit.add_report(
        NewReport(
            precinct_id=precinct.id,
            channel=draft.channel,
            sheet=sheet,
            by=by,
            receipt=receipt_code(precinct.id, sheet),
            caller=called.caller,
            typists=others,
            replaces=None if old is None else old.id,
            sentence=what,
        )
    )
    if correcting:
        state = unit.states([precinct.id]).get(precinct.id)
        unit.add_correction(
            report.id,
            None if old is None else old.id,
            correcting,
            state is not None and state.verified,
            by=by,
            precinct_id=precinct.id,
            sentence=f"{by} corrected {place(precinct)}: {correcting}",
        )
    for finding in {entry.id: entry for entry in found}.values():
        if finding.id in reasons:
            reason = reasons[finding.id]
            unit.acknowledge(
                precinct.id,
                finding.id,
                sheet.bound_to(finding.id),
                by=by,
                reason=reason,
                at_desk=True,
                sentence=f"{by} acknowledged {finding.id} at the desk" + (f": {reason}" if reason else ""),
            )
    confirmed = True
    if draft.channel is Channel.PHONE:
        confirmed = (
            same_call(unit, precinct, old, report)
            if old is not None and draft.errand_id is not None and called.nobody
            else keep_call(
                desk, unit, precinct, report, at=called.at, caller=called.caller, checked=called.checked
            )
        )
    keyed_again(unit, precinct, draft, old, report)
    unit.delete_draft(draft.id)
    result = settle(unit, desk.rules, [precinct.id])[precinct.id]
    came = newest_meanwhile(draft, standing, by)
    return Submitted(
        report_id=report.id,
        receipt=report.receipt,
        at=report.at,
        state=result.standing.state,
        verified=result.verified,
        superseded=None if old is None else old.id,
        superseded_by="" if came is None else came.by,
        superseded_at=None if came is None else came.at,
        open_errors=result.open_errors,
        confirmed=confirmed,
    )


def _whose(report: Report) -> str:
    """`Ann's of 21:14`, with where it came from, if not from here."""
    origin = f" ({report.origin})" if report.origin else ""
    return f"{report.by}'s of {clock(report.at)}{origin}"
