"""Reading what a packet says: nothing is guessed, and whatever no store can have said is refused."""

from collections.abc import Iterable, Mapping
from fractions import Fraction

from caucus_desk.exchange.packetjson import Fields, parsed
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
from caucus_desk.tally.call import CallEnd, CheckKind, Outcome
from caucus_desk.tally.report import Channel
from caucus_desk.tally.results import ControlTotal
from caucus_desk.tally.sheet import MAX_COUNT, ChanceRecord, GroupCounts, ResultSheet

_NAME = 1_000
"""Letters of a name or an id."""
_TOTAL = 99_999_999
"""The most that a county's total may be."""
_FRACTION = 2**63 - 1
"""The largest number in a fraction that every store can keep."""


def read_contents(data: bytes, file: str) -> Contents:
    """The member `reports.json`. Raises Unreadable where anything in it cannot be what a store says."""
    given = parsed(data, file)
    known: dict[str, PacketReport] = {}
    for row in given.rows("reports"):
        one = _read_report(row, known)
        if one.uid in known:
            raise given.bad()
        known[one.uid] = one
    acknowledgements = tuple(map(_read_acknowledgement, given.rows("acknowledgements")))
    attachments = tuple(map(_read_attachment, given.rows("attachments")))
    totals = tuple(map(_read_totals, given.rows("control_totals")))
    given.done()
    if len({one.county for one in totals}) != len(totals):
        raise given.bad()
    return Contents(tuple(known.values()), acknowledgements, attachments, totals)


def _read_totals(row: Fields) -> PacketTotals:
    county, by, at = row.text("county", _NAME), row.text("by", _NAME), row.time("at")
    totals = []
    for one in row.lists("totals"):
        match one:
            case (str(group), *counts) if len(counts) == 3:
                if not all(type(count) in (int, type(None)) for count in counts):
                    raise row.bad()
                if not all(count is None or 0 <= count <= _TOTAL for count in counts):
                    raise row.bad()
                totals.append(ControlTotal(county, group, *counts))
            case _:
                raise row.bad()
    row.done()
    if not totals or len({one.group for one in totals}) != len(totals):
        raise row.bad()
    return PacketTotals(county, by, at, tuple(totals))


def _read_report(row: Fields, known: Mapping[str, PacketReport]) -> PacketReport:
    uid = row.hex("uid", 64)
    caller = row.inner("caller")
    try:
        one = PacketReport(
            precinct_id=row.text("precinct", _NAME),
            channel=Channel(row.text("channel", 10)),
            sheet=read_sheet(row.inner("sheet")),
            by=row.text("by", _NAME),
            at=row.time("at"),
            typists=row.texts("typists", _NAME),
            receipt=row.text("receipt", 40),
            source=row.text("source"),
            caller=(caller.text("name"), caller.text("number"), caller.text("check")),
            over=row.texts("over", 64),
            withdrawal=_read_said(row.optional_inner("withdrawal")),
            call=_read_call(row.optional_inner("call")),
            confirmation=_read_said(row.optional_inner("confirmation")),
            correction=_read_correction(row.optional_inner("correction")),
        )
    except ValueError as error:  # no channel, or no count, of ours
        raise row.bad() from error
    caller.done()
    row.done()
    replaced = () if one.correction is None or not one.correction.replaces else (one.correction.replaces,)
    for below in (*one.over, *replaced):
        other = known.get(below)  # only an earlier report can be superseded
        if other is None or (other.precinct_id, other.channel) != (one.precinct_id, one.channel):
            raise row.bad()
    sound = one.uid == uid and _sorted(one.over) and _sorted(one.typists)
    if not sound or (one.call is None and one.confirmation is not None):
        raise row.bad()
    return one


def _sorted(texts: tuple[str, ...]) -> bool:
    return list(texts) == sorted(set(texts))


def read_sheet(row: Fields) -> ResultSheet:
    """Raises ValueError where a count cannot be one."""
    groups = []
    for one in row.rows("groups"):
        groups.append(
            GroupCounts(
                one.text("group", _NAME),
                one.optional_number("first", MAX_COUNT),
                one.optional_number("final", MAX_COUNT),
                one.optional_number("delegates", MAX_COUNT),
                _read_fraction(one.optional_text("sde")),
                one.optional_flag("signed"),
            )
        )
        one.done()
    chance = []
    for one in row.rows("chance"):
        chance.append(ChanceRecord(one.texts("groups", _NAME), one.texts("winners", _NAME)))
        one.done()
    sheet = ResultSheet(
        row.optional_number("attendance", MAX_COUNT),
        tuple(groups),
        tuple(_read_extras(row.lists("extras"))),
        row.optional_number("threshold", MAX_COUNT),
        row.optional_number("delegates_to_elect", MAX_COUNT),
        row.optional_number("second_attendance", MAX_COUNT),
        tuple(chance),
        row.optional_flag("chair_signed"),
        row.optional_flag("secretary_signed"),
        row.optional_flag("overwritten"),
    )
    row.done()
    return sheet


def _read_extras(rows: Iterable[tuple[object, ...]]) -> Iterable[tuple[str, int | None]]:
    for row in rows:
        match row:
            case (str(key), int() | None as value):
                yield key, value
            case _:
                raise ValueError("no count of ours")


def _read_fraction(text: str | None) -> Fraction | None:
    if text is None:
        return None
    numerator, dash, denominator = text.partition("/")
    if not dash or len(text) > 40:
        raise ValueError("no fraction of ours")
    value = Fraction(int(numerator), int(denominator) or 1)
    if (
        f"{value.numerator}/{value.denominator}" != text
        or max(abs(value.numerator), value.denominator) > _FRACTION
    ):
        raise ValueError("no fraction of ours")
    return value


def _read_said(row: Fields | None) -> Said | None:
    if row is None:
        return None
    said = Said(row.text("by", _NAME), row.time("at"), row.text("words"))
    row.done()
    return said


def _read_call(row: Fields | None) -> PacketCall | None:
    if row is None:
        return None
    call = PacketCall(
        row.time("at"),
        row.time("ended_at"),
        row.text("by", _NAME),
        row.text("caller_name"),
        row.text("caller_number"),
        CheckKind(row.text("check_kind", 20)),
        Outcome(row.text("outcome", 20)),
        CallEnd(row.text("ended", 20)),
        row.text("notes"),
        row.flag("confirmed"),
    )
    row.done()
    return call


def _read_correction(row: Fields | None) -> PacketCorrection | None:
    if row is None:
        return None
    one = PacketCorrection(row.text("replaces", 64), row.text("reason"), row.flag("was_verified"))
    row.done()
    return one


def _read_acknowledgement(row: Fields) -> PacketAcknowledgement:
    one = PacketAcknowledgement(
        row.text("precinct", _NAME),
        row.text("finding", 10),
        row.hex("fingerprint", 32),
        row.text("by", _NAME),
        row.time("at"),
        row.text("reason"),
        row.flag("at_desk"),
    )
    row.done()
    return one


def _read_attachment(row: Fields) -> PacketAttachment:
    one = PacketAttachment(
        row.text("precinct", _NAME),
        row.text("name", _NAME),
        row.hex("sha256", 64),
        row.number("size", 2**32),
        row.text("by", _NAME),
        row.time("at"),
        _read_said(row.optional_inner("withdrawal")),
    )
    row.done()
    if one.ending not in (".png", ".jpg", ".pdf"):
        raise row.bad()
    return one
