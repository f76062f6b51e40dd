"""What is new in a packet goes into the store, beside what is there: nothing is changed or put aside."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from caucus_desk.desk.attachments import keeping
from caucus_desk.desk.packing import Packed, packed, packed_totals, totals_time
from caucus_desk.desk.session import Desk
from caucus_desk.desk.wording import place
from caucus_desk.exchange.packetjson import time_text
from caucus_desk.exchange.packetreports import Contents, PacketAttachment, PacketCall, PacketReport
from caucus_desk.store.origins import COPY, Origin
from caucus_desk.store.packets import Confirmation
from caucus_desk.store.records import Caller, NewReport
from caucus_desk.store.units import WriteUnit
from caucus_desk.tally.call import Call
from caucus_desk.tally.report import Report


@dataclass
class Came:
    """How much was new."""

    reports: int = 0
    withdrawals: int = 0
    confirmations: int = 0
    acknowledgements: int = 0
    attachments: int = 0
    control_totals: int = 0
    """Counties whose totals are new."""
    touched: dict[str, None] = field(default_factory=dict)
    """Precincts of which anything was new."""

    def touch(self, precinct_id: str) -> None:
        self.touched[precinct_id] = None


class Intake:
    """One parcel in one transaction. `key` is empty for a merged copy; `what` names it in the trail."""

    def __init__(self, desk: Desk, unit: WriteUnit, key: str, digest: str, what: str, by: str) -> None:
        self._desk, self._unit, self._key, self._digest = desk, unit, key, digest
        self._what, self._by = what, by
        self._came = Came()
        self._calls: dict[tuple[str, PacketCall], int] = {}
        """By precinct and call, a report here that came by it: one call may bring several."""

    def take(self, contents: Contents, read: Callable[[PacketAttachment], bytes]) -> Came:
        here = packed(self._unit, contents.precinct_ids)
        self._take_reports(contents, here)
        self._take_acknowledgements(contents, here)
        self._take_attachments(contents, read)
        self._take_totals(contents)
        return self._came

    # ---- reports ----

    def _take_reports(self, contents: Contents, here: Packed) -> None:
        known = {one.uid: one for one in here.contents.reports}
        new = [one for one in contents.reports if one.uid not in known]
        self._calls = {
            (one.precinct_id, _call_itself(one.call)): here.numbers[one.uid]
            for one in here.contents.reports
            if one.call is not None
        }
        added = self._unit.add_reports(map(self._new_report, new))
        numbers = {**here.numbers, **{one.uid: report.id for one, report in zip(new, added, strict=True)}}
        for one, report in zip(new, added, strict=True):
            self._came.reports += 1
            self._came.touch(one.precinct_id)
            self._tell_origin(one, report, numbers)
            self._take_call(one, report)
            self._take_correction(one, report, numbers)
        reports = {report.id: report for report in added}
        for one in contents.reports:
            number = numbers[one.uid]
            was = known.get(one.uid)
            confirmed = was is not None and was.confirmation is not None
            withdrawn = was is not None and was.withdrawal is not None
            if (one.confirmation is None or confirmed) and (one.withdrawal is None or withdrawn):
                continue
            standing = reports.get(number) or self._unit.report(number)
            if standing is not None:
                self._take_what_was_said(one, standing, confirmed)

    def _new_report(self, one: PacketReport) -> NewReport:
        name, number, check = one.caller
        return NewReport(
            precinct_id=one.precinct_id,
            channel=one.channel,
            sheet=one.sheet,
            by=one.by,
            receipt=one.receipt,
            source=one.source,
            caller=Caller(name, number, check),
            typists=one.typists,
            sentence=f"{one.by} made the {one.channel} report of {self._place(one)}; it came in {self._what}",
            at=one.at,
        )

    def _tell_origin(self, one: PacketReport, report: Report, numbers: dict[str, int]) -> None:
        key, packet = one.origin if one.origin[0] else (self._key or COPY, self._digest)
        origin = Origin(report.id, one.uid, key, packet, frozenset(numbers[below] for below in one.over), "")
        what = f"the {one.channel} report of {self._place(one)} by {one.by}"
        sentence = f"{self._by} took {what} from {self._what}"
        self._unit.tell_origin(report, origin, by=self._by, sentence=sentence)

    def _take_call(self, one: PacketReport, report: Report) -> None:
        given = one.call
        if given is None:
            return
        shared = (one.precinct_id, _call_itself(given))
        before = self._calls.get(shared)
        call = None if before is None else self._unit.call_of_report(before)
        if call is None:
            made = self._call_of(one, report)
            call = self._unit.call(
                self._unit.add_taken_call(made, f"{given.by} took the call for {self._place(one)}")
            )
            assert call is not None
        self._calls[shared] = report.id
        known = "was known" if given.confirmed else "proved nothing, so somebody calls back"
        self._unit.tie_report(
            call,
            report,
            confirmed=given.confirmed,
            sentence=f"The phone report of {self._place(one)} came by a call; the caller {known}",
        )

    @staticmethod
    def _call_of(one: PacketReport, report: Report) -> Call:
        given = one.call
        assert given is not None
        return Call(
            0,
            given.at,
            given.ended_at,
            given.by,
            one.precinct_id,
            given.caller_name,
            given.caller_number,
            given.check_kind,
            given.outcome,
            given.ended,
            report.id,
            None,
            given.notes,
        )

    def _take_correction(self, one: PacketReport, report: Report, numbers: dict[str, int]) -> None:
        given = one.correction
        if given is None:
            return
        self._unit.add_correction(
            report.id,
            numbers[given.replaces] if given.replaces else None,
            given.reason,
            given.was_verified,
            by=one.by,
            precinct_id=one.precinct_id,
            sentence=f"{one.by} corrected {self._place(one)}: {given.reason}",
        )

    def _take_what_was_said(self, one: PacketReport, report: Report, confirmed: bool) -> None:
        """Somebody confirmed or withdrew the report there; both are said once and for all."""
        if one.confirmation is not None and not confirmed:
            said = one.confirmation
            self._unit.confirm_taken(
                report,
                Confirmation(said.by, said.at, said.words),
                f"{said.by} confirmed the report of {self._place(one)}: {said.words}",
            )
            self._came.confirmations += 1
        if one.withdrawal is not None:
            gone = one.withdrawal
            self._unit.withdraw_report(
                report,
                by=gone.by,
                reason=gone.words,
                sentence=f"{gone.by} withdrew the {one.channel} report of {self._place(one)}: {gone.words}",
                at=gone.at,
            )
            self._came.withdrawals += 1
        self._came.touch(one.precinct_id)

    # ---- the rest ----

    def _take_acknowledgements(self, contents: Contents, here: Packed) -> None:
        known = set(here.contents.acknowledgements)
        for one in contents.acknowledgements:
            if one in known:
                continue
            known.add(one)
            reason = f": {one.reason}" if one.reason else ""
            where = place(self._desk.precincts[one.precinct_id])
            self._unit.acknowledge(
                one.precinct_id,
                one.finding,
                one.fingerprint,
                by=one.by,
                reason=one.reason,
                at_desk=one.at_desk,
                sentence=f"{one.by} acknowledged {one.finding} of {where}; it came in {self._what}{reason}",
                at=one.at,
            )
            self._came.acknowledgements += 1
            self._came.touch(one.precinct_id)

    def _take_attachments(self, contents: Contents, read: Callable[[PacketAttachment], bytes]) -> None:
        ids = {one.precinct_id for one in contents.attachments}
        here = {
            (one.precinct_id, one.sha256, one.by, one.at): (one.id, one.withdrawn)
            for precinct_id in ids
            for one in self._unit.attachments(precinct_id)
        }
        for one in contents.attachments:
            name = (one.precinct_id, one.sha256, one.by, one.at)
            where = place(self._desk.precincts[one.precinct_id])
            if name not in here:
                with keeping(self._desk, read(one)) as keep:
                    keep(self._unit, one.sha256 + one.ending)
                number = self._unit.add_taken_attachment(
                    one.precinct_id,
                    name=one.name,
                    sha256=one.sha256,
                    size=one.size,
                    by=one.by,
                    at=one.at,
                    sentence=f"{one.by} attached {one.name} to {where}; it came in {self._what}",
                )
                here[name] = (number, False)
                self._came.attachments += 1
            number, withdrawn = here[name]
            if one.withdrawal is not None and not withdrawn:
                gone = one.withdrawal
                self._unit.withdraw_taken_attachment(
                    number,
                    one.precinct_id,
                    by=gone.by,
                    at=gone.at,
                    reason=gone.words,
                    sentence=f"{gone.by} withdrew {one.name} of {where}: {gone.words}",
                )
                here[name] = (number, True)

    def _take_totals(self, contents: Contents) -> None:
        """What a county states holds as it was loaded last, wherever that was."""
        here = {one.county: one for one in packed_totals(self._unit)}
        for one in contents.totals:
            was = here.get(one.county)
            if was is not None and was.at >= one.at:
                continue
            words = f"control totals of {one.county}"
            batch = self._unit.set_control_totals(
                one.totals, by=one.by, sentence=f"{one.by} loaded {words}; they came in {self._what}"
            )
            self._unit.set_setting(
                totals_time(batch),
                time_text(one.at),
                by=self._by,
                sentence=f"{self._by} took {words} from {self._what}",
            )
            self._came.control_totals += 1

    def _place(self, one: PacketReport) -> str:
        return place(self._desk.precincts[one.precinct_id])


def _call_itself(call: PacketCall) -> PacketCall:
    """The call, whatever was known of its caller when a report came by it."""
    return replace(call, confirmed=True)
