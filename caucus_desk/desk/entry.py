"""Keying a sheet: claiming it, keeping each key in a draft, live checks, and the one submit.

A draft is the claim: one person holds one precinct and channel at a time. Submitting turns the draft
into a report in one transaction with its acknowledgements, its audit event and the new state, so a
draft can be submitted only once.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import TypeAlias

from caucus_desk.desk.guards import (
    GONE,
    AlreadyVerified,
    DoesNotMatch,
    EmptyBoxes,
    KeyedMeanwhile,
    NeedsCorrection,
    NeedsReason,
    OwnMismatch,
    StaleWindow,
    came_meanwhile,
    electing,
    filled,
    held_by,
    matches,
    not_meanwhile,
    not_stale,
    note_of,
    open_correction,
    reasoned,
    standing_draft,
)
from caucus_desk.desk.naming import LONGEST, clean_name, clean_text, same_person
from caucus_desk.desk.session import Desk
from caucus_desk.desk.settling import settle
from caucus_desk.desk.sheetcheck import SheetCheck, check, findings_of
from caucus_desk.desk.two_people import Barred, keyed, may_key, not_both, not_looked
from caucus_desk.desk.wording import clock, listed, place
from caucus_desk.rules.errors import Refused
from caucus_desk.store.actions import Action
from caucus_desk.store.records import Caller, Claimed, DraftRecord, NewReport
from caucus_desk.store.units import WriteUnit
from caucus_desk.tally.finding import Finding
from caucus_desk.tally.receipt import receipt_code
from caucus_desk.tally.report import Channel, Report
from caucus_desk.tally.roster import Precinct
from caucus_desk.tally.sheet import ResultSheet
from caucus_desk.tally.state import State

__all__ = [
    "AlreadyVerified",
    "Barred",
    "Caller",
    "DoesNotMatch",
    "Draft",
    "EmptyBoxes",
    "KeyedMeanwhile",
    "NeedsCorrection",
    "NeedsReason",
    "OwnMismatch",
    "SheetCheck",
    "StaleWindow",
    "Submitted",
    "check",
    "claim",
    "discard",
    "draft_at",
    "drafts",
    "idle",
    "save_draft",
    "submit",
    "take_over",
]

Draft: TypeAlias = DraftRecord
"""A sheet being keyed. `fields` holds the raw text as typed, by field path, and the caller's
`caller.name`, `caller.number` and `caller.check`."""

IDLE = timedelta(minutes=10)
"""After this long without a key another person may take a draft over."""


@dataclass(frozen=True, slots=True)
class Submitted:
    """What was saved. `superseded` is the report of the same channel that this one replaces."""

    report_id: int
    receipt: str
    at: datetime
    state: State
    verified: bool
    superseded: int | None = None
    superseded_by: str = ""
    superseded_at: datetime | None = None
    """Set where that report is another person's and came in while this sheet was being keyed."""
    open_errors: tuple[str, ...] = field(default=())


def claim(desk: Desk, precinct_id: str, channel: Channel, by: str) -> Draft:
    """The draft for this precinct and channel, begun or, where `by` holds it already, as it was left.

    Refused where another person holds it (said who, and since when) and for a merged precinct. `Barred`
    for whoever keyed or is keying another channel's sheet of it, or has looked at what others keyed. The
    draft's `note` says what must be known first, such as that the precinct is verified.
    """
    by = clean_name(by)
    precinct = electing(desk, precinct_id)
    try:
        with desk.store.write() as unit:
            may_key(unit, precinct, channel, by)
            note = note_of(unit, precinct, by)
            try:
                draft = unit.claim_draft(precinct_id, channel, by)
                unit.log(
                    Action.CLAIMED,
                    f"{by} began the {channel} sheet of {place(precinct)}",
                    actor=by,
                    precinct_id=precinct_id,
                )
                return replace(draft, note=note)
            except Claimed as held:
                if same_person(held.draft.by, by):
                    return replace(held.draft, note=note)
                raise Refused(
                    f"{held.draft.by} has the {channel} sheet of {place(precinct)} since "
                    f"{clock(held.draft.since)} (last key {clock(held.draft.updated)}). "
                    f"{_take_over_when(held.draft, unit.now)}"
                ) from None
    except Refused as refusal:
        if isinstance(refusal, Barred):
            refusal.draft = _own(desk, precinct_id, channel, by)
        _log_refusal(desk, refusal, by, precinct_id)
        raise


def _own(desk: Desk, precinct_id: str, channel: Channel, by: str) -> Draft | None:
    draft = draft_at(desk, precinct_id, channel)
    return draft if draft is not None and same_person(draft.by, by) else None


def idle(draft: Draft, now: datetime | None = None) -> bool:
    """Whether another person may take it over. A last key in the future, after the clock was set back, is
    no reason to."""
    return (now or datetime.now(UTC)) - draft.updated >= IDLE


def _take_over_when(draft: Draft, now: datetime) -> str:
    free = draft.updated + IDLE
    if free <= now:
        return "No key came for 10 minutes: it can be taken over now."
    return (
        f"Take another precinct, or come back: after 10 minutes without a key, at {clock(free)}, it can be "
        "taken over."
    )


def drafts(desk: Desk, by: str) -> tuple[Draft, ...]:
    """This person's unfinished drafts, oldest first."""
    with desk.store.read() as unit:
        return unit.drafts(by)


def draft_at(desk: Desk, precinct_id: str, channel: Channel) -> Draft | None:
    """Who is keying this sheet now; None where nobody is."""
    with desk.store.read() as unit:
        return unit.draft_of(precinct_id, channel)


def save_draft(
    desk: Desk, draft_id: int, changes: Mapping[str, str], by: str | None = None, seen: datetime | None = None
) -> datetime:
    """Keeps what was typed; the time of saving. Safe from a writer thread.

    With `by`, refused once another person has taken the draft over; with `seen` (the `updated` that
    the window last knew), refused where another window has saved since. Refused when the draft has
    been submitted or discarded.
    """
    with desk.store.write() as unit:
        if by is not None or seen is not None:
            draft = standing_draft(unit, draft_id)
            if by is not None:
                held_by(draft, by)
            not_stale(draft, seen)
        at = unit.save_draft_fields(draft_id, changes)
        if at is None:
            raise Refused(GONE)
        return at


def discard(desk: Desk, draft_id: int, by: str) -> None:
    """Gives the claim back and drops what was typed; only whoever holds it may. Audited where anything was
    ever typed."""
    by = clean_name(by)
    with desk.store.write() as unit:
        draft = standing_draft(unit, draft_id)
        held_by(draft, by)
        unit.delete_draft(draft_id)
        if not draft.fields and not draft.typists:
            return
        unit.log(
            Action.DISCARDED,
            f"{by} discarded the {draft.channel} draft of {draft.precinct_id}",
            actor=by,
            precinct_id=draft.precinct_id,
        )


def take_over(desk: Desk, draft_id: int, by: str) -> Draft:
    """Hands a draft that had no key for 10 minutes to `by`, with what was typed. Audited.

    It comes empty, and its `note` says so, where someone who typed in it has keyed another channel's
    report since: figures of one person must not stand on both sides.
    """
    by = clean_name(by)
    with desk.store.write() as unit:
        draft = standing_draft(unit, draft_id)
        if same_person(draft.by, by):
            return draft
        precinct = electing(desk, draft.precinct_id)
        may_key(unit, precinct, draft.channel, by)
        if not idle(draft, unit.now):
            raise Refused(
                f"{draft.by} is still keying this sheet: last key {clock(draft.updated)}. It can be taken "
                "over after 10 minutes without a key."
            )
        unit.hand_over_draft(draft_id, by)
        sentence = f"{by} took over the {draft.channel} draft of {draft.precinct_id} from {draft.by}"
        note = note_of(unit, precinct, by)
        both = keyed(unit, precinct.id, draft.typists, but=draft.channel)
        if both is not None:
            unit.empty_draft(draft_id)
            sentence += f", emptied, because {both}"
            note = f"{both}, so what was typed here was taken out: key the whole sheet anew. {note}".strip()
        unit.log(Action.TAKEN_OVER, sentence, actor=by, precinct_id=draft.precinct_id)
        return replace(standing_draft(unit, draft_id), note=note)


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
    """
    by = clean_name(by)
    correcting = clean_text(correcting)
    reasons = {finding: clean_text(said) for finding, said in reasons.items()}
    precinct_id: str | None = None
    try:
        with desk.store.write() as unit:
            draft = standing_draft(unit, draft_id)
            precinct_id = draft.precinct_id
            held_by(draft, by)
            not_stale(draft, seen)
            who = _tidied(caller or _caller(draft))
            precinct = electing(desk, precinct_id)
            filled(desk, precinct, sheet)
            standing = unit.standing_reports([precinct_id]).get(precinct_id, {})
            not_both(unit, precinct, draft.channel, (by, *draft.typists))
            not_looked(unit, precinct, by)
            open_correction(unit, precinct, standing, by, correcting)
            not_meanwhile(draft, precinct, standing, by, replacing)
            found = findings_of(desk.rules, precinct, sheet)
            matches(desk, precinct, draft.channel, sheet, standing, found, confirmed)
            reasoned(found, reasons)
            return _save(desk, unit, draft, precinct, sheet, by, standing, found, reasons, correcting, who)
    except DoesNotMatch as refusal:
        _log_refusal(desk, refusal, by, precinct_id, Action.DOES_NOT_MATCH)
        raise
    except Barred as refusal:
        refusal.draft = draft
        _log_refusal(desk, refusal, by, precinct_id)
        raise
    except (EmptyBoxes, NeedsReason, StaleWindow):
        raise  # said at the desk while the sheet is still being keyed; nothing to remember
    except Refused as refusal:
        _log_refusal(desk, refusal, by, precinct_id)
        raise


def _save(
    desk: Desk,
    unit: WriteUnit,
    draft: Draft,
    precinct: Precinct,
    sheet: ResultSheet,
    by: str,
    standing: Mapping[Channel, Report],
    found: tuple[Finding, ...],
    reasons: Mapping[str, str],
    correcting: str,
    caller: Caller,
) -> Submitted:
    old = standing.get(draft.channel)
    what = f"{by} keyed the {draft.channel} report of {place(precinct)}"
    if old is not None:
        what += f", in place of {old.by}'s of {clock(old.at)}"
    others = tuple(name for name in draft.typists if not same_person(name, by))
    if others:
        what += f"; {listed(list(others))} typed in it before"
    if correcting:
        what += f", as a correction: {correcting}"
    report = unit.add_report(
        NewReport(
            precinct_id=precinct.id,
            channel=draft.channel,
            sheet=sheet,
            by=by,
            receipt=receipt_code(precinct.id, sheet),
            caller=caller,
            typists=others,
            replaces=None if old is None else old.id,
            sentence=what,
        )
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
    unit.delete_draft(draft.id)
    result = settle(unit, desk.rules, [precinct.id])[precinct.id]
    told = old is not None and came_meanwhile(draft, old, by)
    return Submitted(
        report_id=report.id,
        receipt=report.receipt,
        at=report.at,
        state=result.standing.state,
        verified=result.verified,
        superseded=None if old is None else old.id,
        superseded_by=old.by if old is not None and told else "",
        superseded_at=old.at if old is not None and told else None,
        open_errors=result.open_errors,
    )


def _caller(draft: Draft) -> Caller:
    fields = draft.fields
    return Caller(
        fields.get("caller.name", ""), fields.get("caller.number", ""), fields.get("caller.check", "")
    )


def _tidied(caller: Caller) -> Caller:
    return Caller(
        clean_text(caller.name, "caller's name", LONGEST),
        clean_text(caller.number, "call-back number", LONGEST),
        clean_text(caller.check, "check of the caller", LONGEST),
    )


def _log_refusal(
    desk: Desk, refusal: Refused, by: str, precinct_id: str | None, action: Action = Action.REFUSED
) -> None:
    """Remembered in a transaction of its own, since the refused one was rolled back."""
    with desk.store.write() as unit:
        unit.log(action, refusal.sentence, actor=by, precinct_id=precinct_id)
