"""Keying a sheet: claiming it, keeping each key in a draft, live checks, and the one submit.

A draft is the claim: one person holds one precinct and channel at a time. Submitting turns the draft
into a report in one transaction with its acknowledgements, its audit event and the new state, so a
draft can be submitted only once.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TypeAlias

from caucus_desk.desk.guards import (
    GONE,
    AlreadyVerified,
    DoesNotMatch,
    EmptyBoxes,
    NeedsReason,
    another_person,
    clock,
    electing,
    filled,
    held_by,
    matches,
    not_both,
    open_correction,
    place,
    reasoned,
    standing_draft,
)
from caucus_desk.desk.naming import clean_name, same_person
from caucus_desk.desk.session import Desk
from caucus_desk.desk.settling import settle
from caucus_desk.desk.sheetcheck import SheetCheck, check, findings_of
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
    "DoesNotMatch",
    "Draft",
    "EmptyBoxes",
    "NeedsReason",
    "SheetCheck",
    "Submitted",
    "check",
    "claim",
    "discard",
    "draft_at",
    "drafts",
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
    open_errors: tuple[str, ...] = field(default=())


def claim(desk: Desk, precinct_id: str, channel: Channel, by: str) -> Draft:
    """The draft for this precinct and channel, begun or, where `by` holds it already, as it was left.

    Refused where another person holds it (said who, and since when), for a merged precinct, and for
    whoever keyed the standing report of another channel.
    """
    by = clean_name(by)
    precinct = electing(desk, precinct_id)
    try:
        with desk.store.write() as unit:
            another_person(unit, precinct, channel, by)
            try:
                return unit.claim_draft(precinct_id, channel, by)
            except Claimed as held:
                if same_person(held.draft.by, by):
                    return held.draft
                raise Refused(
                    f"{held.draft.by} has the {channel} sheet of {place(precinct)} since "
                    f"{clock(held.draft.since)} (last key {clock(held.draft.updated)}). "
                    f"{_take_over_when(held.draft, unit.now)}"
                ) from None
    except Refused as refusal:
        _log_refusal(desk, refusal, by, precinct_id)
        raise


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
            if seen is not None and draft.updated > seen:
                raise Refused(
                    f"Another window saved this sheet at {clock(draft.updated)}. Nothing was overwritten: "
                    "open the sheet again to see what stands there."
                )
        at = unit.save_draft_fields(draft_id, changes)
        if at is None:
            raise Refused(GONE)
        return at


def discard(desk: Desk, draft_id: int, by: str) -> None:
    """Gives the claim back and drops what was typed; only whoever holds it may. Audited."""
    by = clean_name(by)
    with desk.store.write() as unit:
        draft = standing_draft(unit, draft_id)
        held_by(draft, by)
        unit.delete_draft(draft_id)
        unit.log(
            Action.DISCARDED,
            f"{by} discarded the {draft.channel} draft of {draft.precinct_id}",
            actor=by,
            precinct_id=draft.precinct_id,
        )


def take_over(desk: Desk, draft_id: int, by: str) -> Draft:
    """Hands a draft that had no key for 10 minutes to `by`, with what was typed. Audited."""
    by = clean_name(by)
    with desk.store.write() as unit:
        draft = standing_draft(unit, draft_id)
        if same_person(draft.by, by):
            return draft
        precinct = electing(desk, draft.precinct_id)
        another_person(unit, precinct, draft.channel, by)
        if unit.now - draft.updated < IDLE:
            raise Refused(
                f"{draft.by} is still keying this sheet: last key {clock(draft.updated)}. It can be taken "
                "over after 10 minutes without a key."
            )
        unit.hand_over_draft(draft_id, by)
        unit.log(
            Action.TAKEN_OVER,
            f"{by} took over the {draft.channel} draft of {draft.precinct_id} from {draft.by}",
            actor=by,
            precinct_id=draft.precinct_id,
        )
        return standing_draft(unit, draft_id)


def submit(
    desk: Desk,
    draft_id: int,
    sheet: ResultSheet,
    by: str,
    *,
    reasons: Mapping[str, str],
    confirmed: bool = False,
    correcting: str = "",
) -> Submitted:
    """Makes the draft a report, with its acknowledgements and the new state; saved when this returns.

    Refused, with nothing saved: a box that must not be empty (`EmptyBoxes`); a second report of the
    precinct by the same person; a verified precinct, unless `correcting` gives a reason
    (`AlreadyVerified`); a sheet that differs from another channel's and was not `confirmed`
    (`DoesNotMatch`); an error finding without a reason in `reasons` (`NeedsReason`). `reasons` maps a
    finding's id to what was said; for a warning an empty text is enough.
    """
    by = clean_name(by)
    precinct_id: str | None = None
    try:
        with desk.store.write() as unit:
            draft = standing_draft(unit, draft_id)
            precinct_id = draft.precinct_id
            held_by(draft, by)
            precinct = electing(desk, precinct_id)
            filled(desk, precinct, sheet)
            standing = unit.standing_reports([precinct_id]).get(precinct_id, {})
            not_both(standing, precinct, draft.channel, by)
            open_correction(unit, precinct, standing, correcting)
            found = findings_of(desk.rules, precinct, sheet)
            matches(desk, precinct, draft.channel, sheet, standing, found, confirmed)
            reasoned(found, reasons)
            return _save(desk, unit, draft, precinct, sheet, by, standing, found, reasons, correcting.strip())
    except DoesNotMatch as refusal:
        _log_refusal(desk, refusal, by, precinct_id, Action.DOES_NOT_MATCH)
        raise
    except (EmptyBoxes, NeedsReason):
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
) -> Submitted:
    old = standing.get(draft.channel)
    what = f"{by} keyed the {draft.channel} report of {place(precinct)}"
    if old is not None:
        what += f", in place of {old.by}'s of {clock(old.at)}"
    if correcting:
        what += f", correcting a verified precinct: {correcting}"
    report = unit.add_report(
        NewReport(
            precinct_id=precinct.id,
            channel=draft.channel,
            sheet=sheet,
            by=by,
            receipt=receipt_code(precinct.id, sheet),
            caller=_caller(draft),
            replaces=None if old is None else old.id,
            sentence=what,
        )
    )
    for finding in {entry.id: entry for entry in found}.values():
        if finding.id in reasons:
            reason = reasons[finding.id].strip()
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
    return Submitted(
        report_id=report.id,
        receipt=report.receipt,
        at=report.at,
        state=result.standing.state,
        verified=result.verified,
        superseded=None if old is None else old.id,
        open_errors=result.open_errors,
    )


def _caller(draft: Draft) -> Caller:
    fields = draft.fields
    return Caller(
        fields.get("caller.name", ""), fields.get("caller.number", ""), fields.get("caller.check", "")
    )


def _log_refusal(
    desk: Desk, refusal: Refused, by: str, precinct_id: str | None, action: Action = Action.REFUSED
) -> None:
    """Remembered in a transaction of its own, since the refused one was rolled back."""
    with desk.store.write() as unit:
        unit.log(action, refusal.sentence, actor=by, precinct_id=precinct_id)
