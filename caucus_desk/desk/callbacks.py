"""Who is to be called back: callers who proved nothing, who asked for it, and what review sends back."""

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from caucus_desk.desk.again import again
from caucus_desk.desk.guards import WORDLESS, in_words
from caucus_desk.desk.heads import all_heads
from caucus_desk.desk.naming import clean_name, clean_text
from caucus_desk.desk.people import allow
from caucus_desk.desk.roles import Job
from caucus_desk.desk.session import Desk
from caucus_desk.desk.settling import settle
from caucus_desk.desk.wording import place
from caucus_desk.rules.errors import Refused
from caucus_desk.store.units import ReadUnit, WriteUnit
from caucus_desk.tally.call import Call, CallEnd, CheckKind, Outcome
from caucus_desk.tally.errand import ErrandKind
from caucus_desk.tally.receipt import spoken_code
from caucus_desk.tally.report import Channel, Report


class Why(StrEnum):
    UNCONFIRMED = "unconfirmed report"
    ASKED = "asked for by a call"
    ERRAND = "sent back by review"


@dataclass(frozen=True, slots=True)
class CallBack:
    """Someone to be rung. It says nothing of any figures.

    `about` is what its answers point at: the call that asked, the call of the unconfirmed report, or the
    errand. `tried` are the calls that have been made for it in vain, oldest first.
    """

    why: Why
    precinct_id: str
    about: int
    since: datetime
    what: str
    caller_name: str = ""
    caller_number: str = ""
    by: str = ""
    report_id: int | None = None
    tried: tuple[Call, ...] = ()

    @property
    def key(self) -> str:
        return f"{self.why.name.lower()} {self.about}"


_IN_VAIN = (CallEnd.NOT_REACHED, CallEnd.WRONG_NUMBER)
_ENDS = (CallEnd.CONFIRMED, *_IN_VAIN)


def call_backs(desk: Desk) -> tuple[CallBack, ...]:
    """Whom the desk has to ring, oldest first."""
    with desk.store.read() as unit:
        found = _open(unit)
    return tuple(sorted(found, key=lambda one: (one.since, one.about)))


def _open(unit: ReadUnit) -> list[CallBack]:
    return [*_unconfirmed(unit), *_asked(unit), *_errands(unit)]


def _unconfirmed(unit: ReadUnit) -> list[CallBack]:
    open_reports = unit.unconfirmed()
    if not open_reports:
        return []
    tried = _tried(unit)
    found = []
    precincts = {report.precinct_id for one in open_reports if (report := unit.report(one)) is not None}
    standing = all_heads(unit, precincts)
    for report in (one for heads in standing.values() for one in heads.get(Channel.PHONE, ())):
        if report.confirmed:
            continue
        call = unit.call_of_report(report.id)
        assert call is not None  # by the table's own key
        found.append(
            CallBack(
                Why.UNCONFIRMED,
                report.precinct_id,
                call.seq,
                report.at,
                _unproved(call),
                call.caller_name,
                call.caller_number,
                report.by,
                report.id,
                tried.get(call.seq, ()),
            )
        )
    return found


def _unproved(call: Call) -> str:
    if call.outcome is Outcome.FAILED:
        how = "PIN" if call.check_kind is CheckKind.PIN else "number"
        return f"the caller failed the check of the {how}"
    return "nothing was checked"


def _asked(unit: ReadUnit) -> list[CallBack]:
    asked = unit.asked_back()
    if not asked:
        return []
    tried = _tried(unit)
    done = {one.about for one in unit.answers() if one.ended not in _IN_VAIN}
    newest = {one.precinct_id: one.seq for one in unit.calls_with_results()}
    return [
        CallBack(
            Why.ASKED,
            call.precinct_id,
            call.seq,
            call.ended_at,
            call.notes or "the caller asked to be called back",
            call.caller_name,
            call.caller_number,
            call.by,
            None,
            tried.get(call.seq, ()),
        )
        for call in asked
        if call.precinct_id is not None
        and call.seq not in done
        and newest.get(call.precinct_id, 0) < call.seq  # the results have come since: that is the answer
    ]


def _errands(unit: ReadUnit) -> list[CallBack]:
    found = [errand for errand in unit.open_errands() if errand.kind is ErrandKind.CALL_BACK]
    if not found:
        return []
    tried = _tried(unit)
    return [
        CallBack(
            Why.ERRAND,
            errand.precinct_id,
            errand.id,
            errand.at,
            errand.note or "review asks to have the sheet read again",
            by=errand.by,
            tried=tried.get(errand.id, ()),
        )
        for errand in found
    ]


def _tried(unit: ReadUnit) -> dict[int, tuple[Call, ...]]:
    found: dict[int, tuple[Call, ...]] = {}
    for one in unit.answers():
        if one.about is not None and one.ended in _IN_VAIN:
            found[one.about] = (*found.get(one.about, ()), one)
    return found


def fits_receipt(desk: Desk, report_id: int, code: str) -> bool:
    """Whether the code that a caller reads from the paper is this report's. Says nothing of its figures."""
    with desk.store.read() as unit:
        return _report(unit, report_id).receipt == spoken_code(code)


@again
def confirm_report(desk: Desk, report_id: int, *, by: str, how: str) -> None:
    """Somebody called back: the report counts from now on. `how` says what was compared, in words.

    Also whoever keyed it may: it is the call-back that counts, and who made it is in the trail.
    """
    by, how = clean_name(by), clean_text(how, "note")
    with desk.store.write() as unit:
        allow(desk, unit, by, Job.TAKE_CALLS)
        _confirm(desk, unit, _report(unit, report_id), by, how)


@again
def end_call_back(
    desk: Desk, one: CallBack, *, by: str, ended: CallEnd, at: datetime | None = None, notes: str = ""
) -> Call:
    """The desk rang: `CONFIRMED` settles it, `NOT_REACHED` and `WRONG_NUMBER` leave it to be tried again.

    `at` is when it was rung (UTC), the present by default. Refused where it was settled meanwhile.
    """
    by, notes = clean_name(by), clean_text(notes, "note")
    if ended not in _ENDS:
        raise Refused(f"A call-back does not end as “{ended}”: say confirmed, not reached or wrong number.")
    if ended is CallEnd.CONFIRMED and one.why is not Why.ASKED and not notes:
        raise Refused("Say how it was confirmed: the receipt code, or what was compared.")
    if ended is CallEnd.CONFIRMED and notes and not in_words(notes):
        raise Refused(WORDLESS)
    precinct = desk.precinct(one.precinct_id)
    with desk.store.write() as unit:
        allow(desk, unit, by, Job.TAKE_CALLS)
        _not_settled(desk, unit, one)
        outcome = Outcome.PASSED if ended is CallEnd.CONFIRMED else Outcome.NOT_ASKED
        made = unit.add_call(
            Call(
                0, at or datetime.now(UTC), unit.now, by, one.precinct_id, precinct.chair or one.caller_name,
                precinct.phone or one.caller_number, CheckKind.CALL_BACK, outcome, ended, None, one.about,
                notes,
            ),
            f"{by} called back about {place(precinct)}: {ended}" + (f" ({notes})" if notes else ""),
        )  # fmt: skip
        if ended is CallEnd.CONFIRMED:
            _settled(desk, unit, one, by, notes)
    return made


def _not_settled(desk: Desk, unit: WriteUnit, one: CallBack) -> None:
    """Refused where somebody has done it meanwhile, or a newer report has taken the place of that one."""
    if one.key in {still.key for still in _open(unit)}:
        return
    where = place(desk.precinct(one.precinct_id))
    if one.report_id is not None:
        _not_confirmed(desk, _report(unit, one.report_id))
        raise Refused(f"A newer phone report of {where} has come in since. Nothing was saved.")
    if one.why is Why.ERRAND:
        raise Refused("This errand has ended already. Nothing was saved.")
    raise Refused(f"Nobody waits for a call back about {where} any more. Nothing was saved.")


def _not_confirmed(desk: Desk, report: Report) -> None:
    if report.confirmed:
        where = place(desk.precinct(report.precinct_id))
        raise Refused(f"The phone report of {where} is confirmed already. Nothing was saved.")


def _settled(desk: Desk, unit: WriteUnit, one: CallBack, by: str, notes: str) -> None:
    if one.report_id is not None:
        _confirm(desk, unit, _report(unit, one.report_id), by, notes)
    elif one.why is Why.ERRAND:
        errand = unit.errand(one.about)
        if errand is None or errand.ended is not None:
            raise Refused("This errand has ended already. Nothing was saved.")
        where = place(desk.precinct(errand.precinct_id))
        unit.end_errand(
            errand, outcome=notes, by=by, sentence=f"{by} ended the errand about {where}: {notes}"
        )


def _report(unit: ReadUnit, report_id: int) -> Report:
    found = unit.report(report_id)
    if found is None:
        raise Refused("There is no such report any more: it was withdrawn.")
    return found


def _confirm(desk: Desk, unit: WriteUnit, report: Report, by: str, how: str) -> None:
    precinct = desk.precinct(report.precinct_id)
    _not_confirmed(desk, report)
    unit.confirm_report(
        report.id,
        by=by,
        how=how,
        precinct_id=precinct.id,
        sentence=f"{by} called back and confirmed the phone report of {place(precinct)}"
        + (f": {how}" if how else ""),
    )
    settle(unit, desk.rules, [precinct.id])
