"""Writes an invented night into a store, event by event, as the desk itself would have written it."""

import hashlib
from collections.abc import Mapping
from datetime import datetime, timedelta

from caucus_desk.desk.calls import CHECK, STARTED
from caucus_desk.desk.invented.events import (
    Acked,
    Approved,
    Chased,
    Happening,
    Keyed,
    OpenDraft,
    Photographed,
    Rang,
    RangBack,
    Ruled,
    SentBack,
)
from caucus_desk.desk.invented.review import WEIGHTY, stake_of
from caucus_desk.desk.wording import place
from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.store.attachments import Staged
from caucus_desk.store.records import Caller, NewReport
from caucus_desk.store.units import WriteUnit
from caucus_desk.tally.call import Call, CallEnd, CheckKind, Outcome
from caucus_desk.tally.chase import StepKind
from caucus_desk.tally.errand import Errand, ErrandKind
from caucus_desk.tally.mismatch import differing_fields
from caucus_desk.tally.receipt import receipt_code
from caucus_desk.tally.report import Channel, Report, Ruling
from caucus_desk.tally.roster import Precinct


class Player:
    """`later`: by how much the night is moved on. What happens at one moment must be settled before what
    follows from it is played."""

    def __init__(
        self,
        unit: WriteUnit,
        rules: RuleSet,
        roster: Mapping[str, Precinct],
        picture: tuple[str, bytes, Staged],
        later: timedelta,
    ) -> None:
        self._unit, self._rules, self._roster = unit, rules, roster
        self._picture, self._later = picture, later
        self._standing: dict[str, dict[Channel, Report]] = {}
        self._unconfirmed: dict[str, tuple[Call, Report]] = {}
        self._asked: dict[str, Call] = {}
        self._errands: dict[str, Errand] = {}
        self._rulings: dict[str, Ruling] = {}

    def play(self, event: Happening) -> bool:
        """Whether the precinct's state is to be worked out again."""
        self._unit.tell_time(self._at(event))
        match event:
            case Keyed():
                self._key(event, self._roster[event.precinct_id])
            case Ruled():
                self._rule(event, self._roster[event.precinct_id])
            case Approved():
                self._look_twice(event, self._roster[event.precinct_id])
            case Acked():
                self._acknowledge(event)
            case RangBack():
                self._ring_back(event, self._roster[event.precinct_id])
            case Rang():
                self._end_call(event)
                return False
            case SentBack():
                self._send_back(event, self._roster[event.precinct_id])
                return False
            case Chased():
                self._chase(event, self._roster[event.precinct_id])
                return False
            case Photographed():
                self._attach(event, self._roster[event.precinct_id])
                return False
            case OpenDraft():
                self._begin(event)
                return False
        return True

    def _at(self, event: Happening) -> datetime:
        return event.at + self._later

    # ---- reports and their calls ----

    def _key(self, event: Keyed, precinct: Precinct) -> None:
        unit, where = self._unit, place(precinct)
        standing = self._standing.setdefault(precinct.id, {})
        old = standing.get(event.channel)
        phone = event.channel is Channel.PHONE
        checked = f"{event.kind} {event.outcome}"
        caller = Caller(precinct.chair, precinct.phone, checked) if phone else Caller()
        what = f"{event.by} keyed the {event.channel} report of {where}"
        if event.correcting:
            what += f", as a correction: {event.correcting}"
        report = unit.add_report(
            NewReport(
                precinct_id=precinct.id,
                channel=event.channel,
                sheet=event.sheet,
                by=event.by,
                receipt=receipt_code(precinct.id, event.sheet),
                source="app export" if event.channel is Channel.APP else "",
                caller=caller,
                typists=(old.by,) if event.again and old is not None and old.by != event.by else (),
                replaces=None if old is None else old.id,
                sentence=what,
            )
        )
        standing[event.channel] = report
        if event.correcting:
            state = unit.states([precinct.id]).get(precinct.id)
            unit.add_correction(
                report.id,
                None if old is None else old.id,
                event.correcting,
                state is not None and state.verified,
                by=event.by,
                precinct_id=precinct.id,
                sentence=f"{event.by} corrected {where}: {event.correcting}",
            )
        if phone:
            self._tie(event, precinct, caller, report, checked)
        if event.again:
            errand = self._errands.pop(precinct.id)
            same = old is not None and not differing_fields(old.sheet, report.sheet, self._rules.keys)
            outcome = "the same figures" if same else "other figures"
            sentence = f"{event.by} keyed the {event.channel} sheet of {where} again as {errand.by} asked: "
            unit.end_errand(
                errand, outcome=f"keyed again: {outcome}", by=event.by, sentence=sentence + outcome
            )

    def _tie(self, event: Keyed, precinct: Precinct, caller: Caller, report: Report, checked: str) -> None:
        """The call that the report came by, and whether it is confirmed."""
        unit, where = self._unit, place(precinct)
        call = unit.add_call(
            Call(
                0, unit.now - event.lasted, unit.now, event.by, precinct.id, caller.name, caller.number,
                event.kind, event.outcome, CallEnd.RESULTS, report.id, None, "",
            ),
            f"{event.by} took the results of {where} from {caller.name}; the check: {checked}",
        )  # fmt: skip
        said = "confirmed" if event.proved else "not confirmed"
        unit.tie_report(
            call,
            report,
            confirmed=event.proved,
            sentence=f"The phone report of {where} is {said} ({checked})",
        )
        if not event.proved:
            self._unconfirmed[precinct.id] = (call, report)

    def _end_call(self, event: Rang) -> None:
        unit, id = self._unit, event.precinct_id
        about = f" about {place(self._roster[id])}" if id is not None else ""
        what = f"{event.by} took a call{about} that ended: {event.ended}"
        call = unit.add_call(
            Call(
                0, unit.now - event.lasted, unit.now, event.by, id, event.caller, event.number, event.kind,
                event.outcome, event.ended, None, None, event.notes,
            ),
            what + (f" ({event.notes})" if event.notes else ""),
        )  # fmt: skip
        if event.ended is CallEnd.CALL_BACK and id is not None:
            self._asked[id] = call

    def _ring_back(self, event: RangBack, precinct: Precinct) -> None:
        unit, where, id = self._unit, place(precinct), precinct.id
        errand = self._errands.get(id)
        open_one = self._unconfirmed.get(id)
        about = errand.id if errand is not None else open_one[0].seq if open_one else self._asked[id].seq
        confirmed = event.ended is CallEnd.CONFIRMED
        unit.add_call(
            Call(
                0, unit.now - timedelta(minutes=2), unit.now, event.by, id, precinct.chair, precinct.phone,
                CheckKind.CALL_BACK, Outcome.PASSED if confirmed else Outcome.NOT_ASKED, event.ended, None,
                about, event.notes,
            ),
            f"{event.by} called back about {where}: {event.ended} ({event.notes})",
        )  # fmt: skip
        if not confirmed:
            return
        if errand is not None:
            del self._errands[id]
            unit.end_errand(
                errand,
                outcome=event.notes,
                by=event.by,
                sentence=f"{event.by} ended the errand about {where}: {event.notes}",
            )
        elif open_one is not None:
            del self._unconfirmed[id]
            unit.confirm_report(
                open_one[1].id,
                by=event.by,
                how=event.notes,
                precinct_id=id,
                sentence=f"{event.by} called back and confirmed the phone report of {where}: {event.notes}",
            )

    # ---- review ----

    def _rule(self, event: Ruled, precinct: Precinct) -> None:
        reports = self._standing[precinct.id]
        sheet = reports[event.takes].sheet
        stake = max(stake_of(precinct, sheet, report.sheet) for report in reports.values())
        self._rulings[precinct.id] = self._unit.add_ruling(
            precinct.id,
            sheet,
            seen_report=max(report.id for report in reports.values()),
            by=event.by,
            reason=event.reason,
            stake=stake if stake > WEIGHTY else None,
            sentence=f"{event.by} ruled on {place(precinct)}: {event.reason}",
        )

    def _look_twice(self, event: Approved, precinct: Precinct) -> None:
        ruling, where = self._rulings[precinct.id], place(precinct)
        if event.refused:
            self._unit.withdraw_ruling(
                ruling,
                by=event.by,
                reason=event.refused,
                sentence=f"{event.by} withdrew the ruling on {where}: {event.refused}",
            )
        else:
            sentence = f"{event.by} approved {ruling.by}'s ruling on {where}: {ruling.reason}"
            self._unit.approve_ruling(ruling, by=event.by, sentence=sentence)

    def _send_back(self, event: SentBack, precinct: Precinct) -> None:
        reports = self._standing[precinct.id]
        fields: tuple[str, ...] = ()
        whither = {ErrandKind.CALL_BACK: "to the call-back list", ErrandKind.FETCH: "to the paper chase"}
        if event.channel is not None:
            phone, paper = reports[Channel.PHONE].sheet, reports[Channel.PAPER].sheet
            fields = differing_fields(phone, paper, self._rules.keys)
        self._errands[precinct.id] = self._unit.add_errand(
            precinct.id,
            event.kind,
            channel=event.channel,
            fields=fields,
            note=event.note,
            by=event.by,
            sentence=f"{event.by} sent {place(precinct)} back {whither.get(event.kind, 'to a clerk')}",
        )

    def _acknowledge(self, event: Acked) -> None:
        precinct = self._roster[event.precinct_id]
        self._unit.acknowledge(
            precinct.id,
            event.finding,
            self._standing[precinct.id][Channel.PAPER].sheet.bound_to(event.finding),
            by=event.by,
            reason=event.reason,
            at_desk=False,
            sentence=f"{event.by} acknowledged {event.finding} of {place(precinct)}: {event.reason}",
        )

    # ---- paper ----

    def _chase(self, event: Chased, precinct: Precinct) -> None:
        where = place(precinct)
        said = {
            StepKind.ASSIGNED: f"sent {event.runner} for the sheet of {where}",
            StepKind.ATTEMPT: f"tried to get the sheet of {where}: {event.note}",
            StepKind.RECEIVED: f"received the sheet of {where}",
        }.get(event.kind, f"noted on {where}: {event.note}")
        self._unit.add_chase_step(
            precinct.id,
            event.kind,
            runner=event.runner,
            note=event.note,
            by=event.by,
            sentence=f"{event.by} {said}",
        )

    def _attach(self, event: Photographed, precinct: Precinct) -> None:
        name, data, staged = self._picture
        attached = self._unit.add_attachment(
            precinct.id,
            name=name,
            sha256=hashlib.sha256(data).hexdigest(),
            size=len(data),
            by=event.by,
            sentence=f"{event.by} attached {name} to {place(precinct)}",
        )
        staged.place(attached.file_name)

    # ---- half keyed ----

    def _begin(self, event: OpenDraft) -> None:
        draft = self._unit.claim_draft(event.precinct_id, event.channel, event.by)
        began = {} if event.channel is Channel.PAPER else {STARTED: self._at(event).isoformat()}
        self._unit.save_draft_fields(draft.id, {**event.fields, **began})
        if event.left:
            self._unit.leave_draft(draft.id, (CHECK, STARTED))
