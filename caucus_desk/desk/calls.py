"""Calls: each is a record, written when it ends, also without results and without a precinct."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime

from caucus_desk.desk.again import again
from caucus_desk.desk.callbacks import CallBack, call_backs, confirm_report, end_call_back, fits_receipt
from caucus_desk.desk.caller import Checked, CheckResult, check_caller, confirmed_by, on_file
from caucus_desk.desk.guards import held_by, standing_draft
from caucus_desk.desk.naming import LONGEST, clean_name, clean_text
from caucus_desk.desk.people import allow
from caucus_desk.desk.roles import Job
from caucus_desk.desk.session import Desk
from caucus_desk.desk.settings import settings
from caucus_desk.desk.two_people import tell_seen
from caucus_desk.desk.wording import place
from caucus_desk.rules.errors import Refused
from caucus_desk.store.actions import Action
from caucus_desk.store.records import Caller, DraftRecord
from caucus_desk.store.units import WriteUnit
from caucus_desk.tally.call import Call, CallEnd, CheckKind, Outcome
from caucus_desk.tally.report import Channel, Report
from caucus_desk.tally.roster import Precinct

__all__ = [
    "Call",
    "CallBack",
    "CallEnd",
    "Caller",
    "CheckKind",
    "CheckResult",
    "Checked",
    "Outcome",
    "call_backs",
    "call_of_report",
    "caller_of",
    "calls",
    "check_caller",
    "confirm_report",
    "end_call",
    "end_call_back",
    "fits_receipt",
    "keep_call",
    "leave_for_anybody",
    "on_file",
    "record_call",
    "same_call",
    "started",
]

NAME, NUMBER, CHECK, STARTED = "caller.name", "caller.number", "caller.check", "call.started"
"""Where a call's data lie in the draft while it goes on, so that a crash loses nothing of them."""


def calls(
    desk: Desk, *, precinct_id: str | None = None, limit: int = 200, before: int | None = None
) -> tuple[Call, ...]:
    """Calls that have ended, newest first; those before number `before`."""
    with desk.store.read() as unit:
        return unit.calls(precinct_id, limit, before)


def call_of_report(desk: Desk, report_id: int) -> Call | None:
    """The call by which a report came; None where it did not come by one."""
    with desk.store.read() as unit:
        return unit.call_of_report(report_id)


@again
def record_call(
    desk: Desk,
    *,
    by: str,
    ended: CallEnd,
    at: datetime,
    precinct_id: str | None = None,
    caller: Caller | None = None,
    check_kind: CheckKind = CheckKind.NONE,
    outcome: Outcome = Outcome.NOT_ASKED,
    notes: str = "",
    about: int | None = None,
) -> Call:
    """A call that ended without a report. `at` is when it came (UTC)."""
    by = clean_name(by)
    if ended is CallEnd.CALL_BACK and precinct_id is None:
        raise Refused("Find the precinct first: whom to call back is not known without it.")
    if ended in (CallEnd.RESULTS, CallEnd.CONFIRMED):
        raise Refused(f"A call does not end as “{ended}” by itself: that is said by what it brought.")
    checked, who = Checked(check_kind, outcome), _tidy(caller or Caller())
    with desk.store.write() as unit:
        allow(desk, unit, by, Job.TAKE_CALLS)
        return _add(desk, unit, by, ended, at, precinct_id, who, checked, notes, about)


@again
def end_call(
    desk: Desk, draft_id: int, by: str, *, ended: CallEnd, caller: Caller | None = None, notes: str = ""
) -> Call:
    """The call about a phone sheet ends without results: recorded, and the sheet is given back.

    Where counts were typed the sheet stays for anybody, but after a nuisance call, whose counts are
    nobody's. `caller` is who rang as the screen shows it; None takes what the draft holds.
    """
    by = clean_name(by)
    with desk.store.write() as unit:
        allow(desk, unit, by, Job.TAKE_CALLS)
        draft = standing_draft(unit, draft_id)
        held_by(draft, by)
        who, checked = caller_of(draft.fields, caller)
        at = started(draft)
        counted = any(not one.startswith(("caller.", "call.")) for one in draft.fields)
        keep = counted and ended is not CallEnd.NUISANCE
        made = _add(desk, unit, by, ended, at, draft.precinct_id, who, checked, notes, None)
        if keep:
            _let_go(desk, unit, draft, by)
        else:
            tell_seen(unit, draft, by)
            unit.delete_draft(draft.id)
            if counted:
                unit.log(
                    Action.DISCARDED,
                    f"{by} discarded the {draft.channel} draft of {draft.precinct_id}: a nuisance call",
                    actor=by,
                    precinct_id=draft.precinct_id,
                )
        return made


@again
def leave_for_anybody(
    desk: Desk,
    draft_id: int,
    by: str,
    *,
    ended: CallEnd = CallEnd.CUT_OFF,
    caller: Caller | None = None,
    notes: str = "",
) -> Call | None:
    """The sheet stays as it is and anybody at the desk may go on with it; a call is recorded as ended.

    A paper sheet has no call: None. What was proved by the last caller is not proved by the next.
    """
    by = clean_name(by)
    with desk.store.write() as unit:
        allow(desk, unit, by, Job.KEY)
        draft = standing_draft(unit, draft_id)
        held_by(draft, by)
        made = None
        if draft.channel is Channel.PHONE:
            who, checked = caller_of(draft.fields, caller)
            made = _add(desk, unit, by, ended, started(draft), draft.precinct_id, who, checked, notes, None)
        _let_go(desk, unit, draft, by)
        return made


def _let_go(desk: Desk, unit: WriteUnit, draft: DraftRecord, by: str) -> None:
    unit.leave_draft(draft.id, {CHECK: "", STARTED: ""})
    unit.log(
        Action.LEFT_FOR_ANYBODY,
        f"{by} left the {draft.channel} sheet of {place(desk.precinct(draft.precinct_id))} for anybody",
        actor=by,
        precinct_id=draft.precinct_id,
    )


def keep_call(
    desk: Desk,
    unit: WriteUnit,
    precinct: Precinct,
    report: Report,
    *,
    at: datetime,
    caller: Caller,
    checked: Checked,
) -> bool:
    """The call of a phone report that is being saved in this unit; whether the report is confirmed.

    To be called before the state is worked out again.
    """
    confirmed = confirmed_by(unit, precinct, checked, asks=asks_for_check(desk))
    who = caller.name or "somebody"
    made = unit.add_call(
        _new(report.by, CallEnd.RESULTS, at, precinct.id, caller, checked, "", None, report.id),
        f"{report.by} took the results of {place(precinct)} from {who}; the check: {_said(checked)}",
    )
    unit.tie_report(
        made,
        report,
        confirmed=confirmed,
        sentence=f"The phone report of {place(precinct)} is {'confirmed' if confirmed else 'not confirmed'}"
        f" ({_said(checked)})",
    )
    return confirmed


def same_call(unit: WriteUnit, precinct: Precinct, old: Report, new: Report) -> bool:
    """A sheet that was keyed again without another call came by the call of the report it replaces; whether
    it is confirmed as that one was."""
    call = unit.call_of_report(old.id)
    if call is not None:
        unit.tie_report(
            call,
            new,
            confirmed=old.confirmed,
            sentence=f"The phone report of {place(precinct)}, keyed again: by the call of report {old.id}",
        )
    return old.confirmed


def asks_for_check(desk: Desk) -> bool:
    """Whether the caucus asks its callers for a PIN."""
    return settings(desk).caller_check == "pin"


def caller_of(fields: Mapping[str, str], shown: Caller | None = None) -> tuple[Caller, Checked]:
    """Who rang, and the check: as the screen shows it, else as the draft holds it."""
    given = shown or Caller(fields.get(NAME, ""), fields.get(NUMBER, ""), fields.get(CHECK, ""))
    checked = Checked.of(given.check)
    return _tidy(replace(given, check=checked.words)), checked


def _tidy(caller: Caller) -> Caller:
    return replace(
        caller,
        name=clean_text(caller.name, "caller's name", LONGEST),
        number=clean_text(caller.number, "call-back number", LONGEST),
    )


def started(draft: DraftRecord) -> datetime:
    """When the call came that a draft's sheet is about (UTC)."""
    try:
        at = datetime.fromisoformat(draft.fields[STARTED]).astimezone(UTC)
    except (KeyError, ValueError):
        return draft.since
    return at


def _add(
    desk: Desk,
    unit: WriteUnit,
    by: str,
    ended: CallEnd,
    at: datetime,
    precinct_id: str | None,
    caller: Caller,
    checked: Checked,
    notes: str,
    about: int | None,
) -> Call:
    notes = clean_text(notes, "note")
    where = f" about {place(desk.precinct(precinct_id))}" if precinct_id is not None else ""
    what = f"{by} took a call{where} that ended: {ended}" + (f" ({notes})" if notes else "")
    return unit.add_call(_new(by, ended, at, precinct_id, caller, checked, notes, about), what)


def _new(
    by: str,
    ended: CallEnd,
    at: datetime,
    precinct_id: str | None,
    caller: Caller,
    checked: Checked,
    notes: str,
    about: int | None,
    report_id: int | None = None,
) -> Call:
    return Call(
        0, at, at, by, precinct_id, caller.name, caller.number, checked.kind, checked.outcome, ended,
        report_id, about, notes,
    )  # fmt: skip


def _said(checked: Checked) -> str:
    return checked.words or "nothing could be asked"
