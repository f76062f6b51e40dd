"""Keying a sheet: claiming it, keeping each key in a draft, live checks, and the one submit.

A draft is the claim: one person holds one precinct and channel at a time. Submitting turns the draft
into a report in one transaction with its acknowledgements, its audit event and the new state, so a
draft can be submitted only once.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TypeAlias

from caucus_desk.desk.again import again
from caucus_desk.desk.calls import leave_for_anybody
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
    electing,
    held_by,
    not_stale,
    note_of,
    remember,
    standing_draft,
)
from caucus_desk.desk.naming import clean_name, same_person
from caucus_desk.desk.people import allow
from caucus_desk.desk.rekeying import begun, note_again
from caucus_desk.desk.roles import Job
from caucus_desk.desk.session import Desk
from caucus_desk.desk.sheetcheck import SheetCheck, check
from caucus_desk.desk.submitted import Submitted
from caucus_desk.desk.submitting import answered, submit
from caucus_desk.desk.two_people import Barred, keyed, may_key, seen_by_others, tell_seen
from caucus_desk.desk.wording import clock, place
from caucus_desk.rules.errors import Refused
from caucus_desk.store.actions import Action
from caucus_desk.store.errors import StoreLocked, StoreUncertain, StoreUnreachable
from caucus_desk.store.records import Caller, Claimed, DraftRecord
from caucus_desk.store.units import ReadUnit, WriteUnit
from caucus_desk.tally.errand import Errand, ErrandKind
from caucus_desk.tally.report import Channel
from caucus_desk.tally.roster import Precinct

__all__ = [
    "COMES_BACK",
    "AlreadyVerified",
    "Barred",
    "Caller",
    "DoesNotMatch",
    "Draft",
    "EmptyBoxes",
    "Errand",
    "KeyedMeanwhile",
    "NeedsCorrection",
    "NeedsReason",
    "OwnMismatch",
    "SheetCheck",
    "StaleWindow",
    "StoreUncertain",
    "Submitted",
    "answered",
    "check",
    "claim",
    "deserted",
    "discard",
    "draft_at",
    "drafts",
    "idle",
    "leave_for_anybody",
    "open_drafts",
    "save_draft",
    "submit",
    "take_over",
    "to_key_again",
]

Draft: TypeAlias = DraftRecord
"""A sheet being keyed. `fields` holds the raw text as typed, by field path, and of the call `caller.name`,
`caller.number`, `caller.check` (how and with what outcome, never a PIN) and `call.started`."""

COMES_BACK = (StoreLocked, StoreUnreachable)
"""Why a store does not take something now, and will later: it is held, or out of reach."""
IDLE = timedelta(minutes=10)
"""After this long without a key another person may take a draft over."""


@again
def claim(desk: Desk, precinct_id: str, channel: Channel, by: str, *, window: str | None = None) -> Draft:
    """The draft for this precinct and channel, begun or, where `by` holds it already, as it was left; or
    taken up, where whoever had it left it for anybody, or whoever's window is gone.

    `window` is the running window that has it open from now on, as `live` knows it, if one has.
    Refused where another person holds it (said who, and since when) and for a merged precinct. `Barred`
    for whoever keyed or is keying another channel's sheet of it, or has looked at what others keyed. The
    draft's `note` says what must be known first, such as that the precinct is verified.
    """
    by = clean_name(by)
    precinct = electing(desk, precinct_id)
    try:
        with desk.store.write() as unit:
            allow(desk, unit, by, Job.KEY)
            may_key(unit, precinct, channel, by)
            note = note_of(unit, precinct, channel, by)
            try:
                draft = begun(unit, desk.rules, unit.claim_draft(precinct_id, channel, by, window))
                note = note_again(unit, desk.rules, draft) or note
                unit.log(
                    Action.CLAIMED,
                    f"{by} began the {channel} sheet of {place(precinct)}",
                    actor=by,
                    precinct_id=precinct_id,
                )
                return replace(draft, note=note)
            except Claimed as held:
                mine = same_person(held.draft.by, by)
                if held.draft.free or (not mine and deserted(unit, held.draft)):
                    return _hand_over(unit, precinct, held.draft, by, window)
                if mine:
                    if window is not None:
                        unit.hold_draft(held.draft.id, window)
                    return replace(held.draft, note=note_again(unit, desk.rules, held.draft) or note)
                raise Refused(
                    f"{held.draft.by} has the {channel} sheet of {place(precinct)} since "
                    f"{clock(held.draft.since)} (last key {clock(held.draft.updated)}). "
                    f"{_take_over_when(held.draft, unit.now)}"
                ) from None
    except Refused as refusal:
        if isinstance(refusal, Barred):
            refusal.draft = _own(desk, precinct_id, channel, by)
        remember(desk, refusal, by, precinct_id)
        raise


def _own(desk: Desk, precinct_id: str, channel: Channel, by: str) -> Draft | None:
    draft = draft_at(desk, precinct_id, channel)
    return draft if draft is not None and same_person(draft.by, by) else None


def deserted(unit: ReadUnit, draft: Draft) -> bool:
    """Whether the window that had it open was closed, or has not been heard of for long. What no window
    ever had open is not."""
    return draft.desk is not None and draft.desk not in unit.running_windows()


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
    """This person's unfinished drafts, oldest first; not those that were left for anybody."""
    with desk.store.read() as unit:
        return tuple(draft for draft in unit.drafts(by) if not draft.free)


def open_drafts(desk: Desk) -> tuple[Draft, ...]:
    """Sheets that anybody at the desk may take up with `claim`, oldest first: left on purpose, or by a window
    that is gone. `by` is who had it, `updated` when its last key was."""
    with desk.store.read() as unit:
        return unit.left_drafts(unit.running_windows())


def to_key_again(desk: Desk, by: str) -> tuple[Errand, ...]:
    """Sheets that review sent back and that `by` may key again, oldest first; those that nobody has begun."""
    with desk.store.read() as unit:
        found = []
        for errand in unit.open_errands():
            if errand.kind is not ErrandKind.REKEY or errand.channel is None:
                continue
            if unit.draft_of(errand.precinct_id, errand.channel) is not None:
                continue
            with suppress(Barred):
                may_key(unit, desk.precinct(errand.precinct_id), errand.channel, by)
                found.append(errand)
    return tuple(found)


def draft_at(desk: Desk, precinct_id: str, channel: Channel) -> Draft | None:
    """Who is keying this sheet now; None where nobody is."""
    with desk.store.read() as unit:
        return unit.draft_of(precinct_id, channel)


@again
def save_draft(
    desk: Desk,
    draft_id: int,
    changes: Mapping[str, str],
    by: str | None = None,
    seen: datetime | None = None,
    window: str | None = None,
) -> datetime:
    """Keeps what was typed; the time of saving. Safe from a writer thread, and made beside the turn to
    write: many desks type at once.

    With `by`, refused once another person has taken the draft over; with `seen` (the `updated` that
    the window last knew), refused where another window than `window` has saved since. Refused when the
    draft has been submitted or discarded.
    """
    with desk.store.write_aside() as unit:
        unit.lock_draft(draft_id)
        if by is not None or seen is not None:
            draft = standing_draft(unit, draft_id)
            if by is not None:
                held_by(draft, by)
            not_stale(draft, seen, window)
        at = unit.save_draft_fields(draft_id, changes, window)
        if at is None:
            raise Refused(GONE)
        return at


@again
def discard(desk: Desk, draft_id: int, by: str) -> None:
    """Gives the claim back and drops what was typed; only whoever holds it may. Audited where anything was
    ever typed."""
    by = clean_name(by)
    with desk.store.write() as unit:
        allow(desk, unit, by, Job.KEY)
        draft = standing_draft(unit, draft_id)
        held_by(draft, by)
        tell_seen(unit, draft, by)
        unit.delete_draft(draft_id)
        if not draft.fields and not draft.typists:
            return
        unit.log(
            Action.DISCARDED,
            f"{by} discarded the {draft.channel} draft of {draft.precinct_id}",
            actor=by,
            precinct_id=draft.precinct_id,
        )


@again
def take_over(desk: Desk, draft_id: int, by: str, *, window: str | None = None) -> Draft:
    """Hands a draft that had no key for 10 minutes, or was left for anybody, or whose window is gone, to
    `by`, with what was typed. Audited.

    It comes empty, and its `note` says so, where someone who typed in it has keyed another channel's
    report since: figures of one person must not stand on both sides.
    """
    by = clean_name(by)
    with desk.store.write() as unit:
        allow(desk, unit, by, Job.TAKE_OVER)
        draft = standing_draft(unit, draft_id)
        if same_person(draft.by, by) and not draft.free:
            return draft
        precinct = electing(desk, draft.precinct_id)
        may_key(unit, precinct, draft.channel, by)
        if not draft.free and not idle(draft, unit.now) and not deserted(unit, draft):
            raise Refused(
                f"{draft.by} is still keying this sheet: last key {clock(draft.updated)}. It can be taken "
                "over after 10 minutes without a key."
            )
        return _hand_over(unit, precinct, draft, by, window)


def _hand_over(unit: WriteUnit, precinct: Precinct, draft: Draft, by: str, window: str | None) -> Draft:
    unit.hand_over_draft(draft.id, by, window)
    if seen_by_others(draft, by):
        # Who has it before them knows it, and cannot key another channel's.
        unit.count_as_typist(draft.id, by)
    sentence = f"{by} took over the {draft.channel} draft of {draft.precinct_id} from {draft.by}"
    note = note_of(unit, precinct, draft.channel, by)
    both = keyed(unit, precinct.id, draft.typists, but=draft.channel)
    if both is not None:
        unit.empty_draft(draft.id)
        sentence += f", emptied, because {both}"
        note = f"{both}, so what was typed here was taken out: key the whole sheet anew. {note}".strip()
    unit.log(Action.TAKEN_OVER, sentence, actor=by, precinct_id=draft.precinct_id)
    return replace(standing_draft(unit, draft.id), note=note)
