"""What a store says of its precincts, as a packet says it: reports by what they say, not by number."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from caucus_desk.exchange.packet import rules_digest
from caucus_desk.exchange.packetreports import (
    Contents,
    PacketAcknowledgement,
    PacketAttachment,
    PacketCall,
    PacketCorrection,
    PacketReport,
    PacketTotals,
    Said,
)
from caucus_desk.store.attachments import Attachment
from caucus_desk.store.records import StoredReport
from caucus_desk.store.units import ReadUnit
from caucus_desk.tally.call import Call
from caucus_desk.tally.report import Acknowledgement, Channel


@dataclass(frozen=True, slots=True)
class Packed:
    """`numbers` gives the number that a report, named by its uid, has in this store."""

    contents: Contents
    numbers: Mapping[str, int]


def packed(unit: ReadUnit, precinct_ids: Iterable[str] | None = None) -> Packed:
    """All that the store says of these precincts, or of all; drafts, rulings and errands are left out."""
    ids = None if precinct_ids is None else tuple(dict.fromkeys(precinct_ids))
    reports, numbers = _reports(unit, ids)
    known = set(ids or ())
    return Packed(
        Contents(
            reports,
            tuple(
                packed_acknowledgement(one) for given in unit.acknowledgements(ids).values() for one in given
            ),
            tuple(
                packed_attachment(one)
                for one in _attachments(unit, ids)
                if ids is None or one.precinct_id in known
            ),
            packed_totals(unit) if ids is None else (),
        ),
        numbers,
    )


def _attachments(unit: ReadUnit, ids: tuple[str, ...] | None) -> Iterable[Attachment]:
    if ids is None or len(ids) > 1:
        return unit.attachments()
    return unit.attachments(ids[0]) if ids else ()


def _reports(unit: ReadUnit, ids: tuple[str, ...] | None) -> tuple[tuple[PacketReport, ...], dict[str, int]]:
    around = _Around(unit, ids)
    uids: dict[int, str] = {}
    earlier: dict[tuple[str, Channel], list[int]] = {}
    found = []
    for stored in unit.stored_reports(ids):
        report = stored.report
        before = earlier.setdefault((report.precinct_id, report.channel), [])
        over = before if report.over is None else report.over
        one = around.packed(stored, [uids[number] for number in over], uids)
        uids[report.id] = one.uid
        before.append(report.id)
        found.append(one)
    return tuple(found), {uid: number for number, uid in uids.items()}


class _Around:
    """What lies in other tables beside the reports."""

    def __init__(self, unit: ReadUnit, ids: tuple[str, ...] | None) -> None:
        self._unit = unit
        self._typists = unit.typists(ids)
        self._origins = unit.origins(ids)
        self._called = unit.calls_of_reports(ids)
        self._said = unit.confirmations(ids)
        self._corrections = {one.report_id: one for one in unit.correction_records()}
        self._calls: dict[int, Call | None] = {}

    def packed(self, stored: StoredReport, over: list[str], uids: Mapping[int, str]) -> PacketReport:
        report, number = stored.report, stored.report.id
        said, correction, origin = (
            self._said.get(number),
            self._corrections.get(number),
            self._origins.get(number),
        )
        withdrawal = None
        if stored.withdrawn_by is not None and stored.withdrawn_at is not None:
            withdrawal = Said(stored.withdrawn_by, stored.withdrawn_at, stored.withdrawn_reason)
        return PacketReport(
            precinct_id=report.precinct_id,
            channel=report.channel,
            sheet=report.sheet,
            by=report.by,
            at=report.at,
            typists=self._typists.get(number, ()),
            receipt=report.receipt,
            source=stored.source,
            caller=(stored.caller.name, stored.caller.number, stored.caller.check),
            over=tuple(sorted(over)),
            withdrawal=withdrawal,
            call=self._call(number),
            confirmation=None if said is None else Said(said.by, said.at, said.how),
            correction=None
            if correction is None
            else PacketCorrection(
                uids.get(correction.replaces or 0, ""), correction.reason, correction.was_verified
            ),
            origin=("", "") if origin is None else (origin.origin, origin.packet),
        )

    def _call(self, number: int) -> PacketCall | None:
        seq, confirmed = self._called.get(number, (0, True))
        if seq and seq not in self._calls:
            self._calls[seq] = self._unit.call(seq)
        call = self._calls.get(seq)
        return None if call is None else packed_call(call, confirmed)


def packed_totals(unit: ReadUnit) -> tuple[PacketTotals, ...]:
    """What each county states, by county, with the time at which it was loaded, be it in another store."""
    values, stated = unit.setting_values(), unit.control_totals()
    found = []
    for county, (batch, at, by) in sorted(unit.total_batches().items()):
        elsewhere = values.get(totals_time(batch))
        when = at if elsewhere is None else datetime.fromisoformat(elsewhere)
        totals = tuple(one for one in stated if one.county == county)
        found.append(PacketTotals(county, by, when, totals))
    return tuple(found)


def totals_time(batch: int) -> str:
    """The setting that says when totals that came from another store were loaded there."""
    return f"control_totals_{batch}"


def packed_call(call: Call, confirmed: bool) -> PacketCall:
    return PacketCall(
        call.at,
        call.ended_at,
        call.by,
        call.caller_name,
        call.caller_number,
        call.check_kind,
        call.outcome,
        call.ended,
        call.notes,
        confirmed,
    )


def packed_acknowledgement(one: Acknowledgement) -> PacketAcknowledgement:
    return PacketAcknowledgement(
        one.precinct_id, one.finding, one.fingerprint, one.by, one.at, one.reason, one.at_desk
    )


def packed_attachment(one: Attachment) -> PacketAttachment:
    withdrawal = None
    if one.withdrawn_at is not None:
        withdrawal = Said(one.withdrawn_by, one.withdrawn_at, one.withdrawn_reason)
    return PacketAttachment(one.precinct_id, one.name, one.sha256, one.size, one.by, one.at, withdrawal)


def rules_of(unit: ReadUnit) -> str:
    """The digest of the rule set and the ballot of a store."""
    return rules_digest(unit.caucus().rules_text, unit.groups())
