"""What a packet says: reports with their people and times, and what else was said of them.

A report's `uid` is the digest of all that it says, also of which reports it took the place of, so that the
same report is known again in every store, whatever its number there.
"""

import hashlib
from dataclasses import dataclass, field
from datetime import datetime

from caucus_desk.exchange.packetjson import as_bytes, time_text
from caucus_desk.tally.call import CallEnd, CheckKind, Outcome
from caucus_desk.tally.report import Channel
from caucus_desk.tally.results import ControlTotal
from caucus_desk.tally.sheet import ResultSheet


@dataclass(frozen=True, slots=True)
class Said:
    """Who said something, when (UTC), and the words."""

    by: str
    at: datetime
    words: str


@dataclass(frozen=True, slots=True)
class PacketCall:
    """The call by which a phone report came."""

    at: datetime
    ended_at: datetime
    by: str
    caller_name: str
    caller_number: str
    check_kind: CheckKind
    outcome: Outcome
    ended: CallEnd
    notes: str
    confirmed: bool
    """Whether the caller was known at once, so that nobody need call back."""


@dataclass(frozen=True, slots=True)
class PacketCorrection:
    """Why a report took the place of another openly."""

    replaces: str
    """The uid of that report, or empty."""
    reason: str
    was_verified: bool


@dataclass(frozen=True, slots=True)
class PacketReport:
    precinct_id: str
    channel: Channel
    sheet: ResultSheet
    by: str
    at: datetime
    typists: tuple[str, ...] = ()
    receipt: str = ""
    source: str = ""
    caller: tuple[str, str, str] = ("", "", "")
    """Name, number, and how the caller was checked."""
    over: tuple[str, ...] = ()
    """Uids of the reports of its channel that it superseded where it was made, sorted."""
    withdrawal: Said | None = None
    call: PacketCall | None = None
    confirmation: Said | None = None
    correction: PacketCorrection | None = None
    origin: tuple[str, str] = ("", "")
    """The key and the packet by which it came to the store that tells of it; empty: it was made there."""
    uid: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "uid", hashlib.sha256(as_bytes(_said(self))).hexdigest())


@dataclass(frozen=True, slots=True)
class PacketAcknowledgement:
    precinct_id: str
    finding: str
    fingerprint: str
    by: str
    at: datetime
    reason: str
    at_desk: bool


@dataclass(frozen=True, slots=True)
class PacketAttachment:
    precinct_id: str
    name: str
    sha256: str
    size: int
    by: str
    at: datetime
    withdrawal: Said | None = None

    @property
    def member(self) -> str:
        """Its name in the packet: by what it holds, so that the same file is there once."""
        return f"attachments/{self.sha256}{self.ending}"

    @property
    def ending(self) -> str:
        """`.pdf`, `.png` or `.jpg`, as the store writes it."""
        dot = self.name.rfind(".")
        ending = self.name[dot:].lower() if dot >= 0 else ""
        return ".jpg" if ending == ".jpeg" else ending


@dataclass(frozen=True, slots=True)
class PacketTotals:
    """What a county's own summary states, as it was loaded last: who loaded it, and when."""

    county: str
    by: str
    at: datetime
    totals: tuple[ControlTotal, ...]
    """In the order of the ballot."""


@dataclass(frozen=True, slots=True)
class Contents:
    """All that a store says of the precincts of a packet; reports in the order in which they came there."""

    reports: tuple[PacketReport, ...]
    acknowledgements: tuple[PacketAcknowledgement, ...] = ()
    attachments: tuple[PacketAttachment, ...] = ()
    totals: tuple[PacketTotals, ...] = ()

    @property
    def precinct_ids(self) -> tuple[str, ...]:
        ids = [one.precinct_id for one in self.reports]
        ids += [one.precinct_id for one in self.acknowledgements]
        ids += [one.precinct_id for one in self.attachments]
        return tuple(dict.fromkeys(ids))


def contents_bytes(contents: Contents) -> bytes:
    """The member `reports.json`. Where a report came from another store is left to that store."""
    return as_bytes(
        {
            "reports": [_report(one) for one in contents.reports],
            "acknowledgements": [
                {
                    "precinct": one.precinct_id,
                    "finding": one.finding,
                    "fingerprint": one.fingerprint,
                    "by": one.by,
                    "at": time_text(one.at),
                    "reason": one.reason,
                    "at_desk": one.at_desk,
                }
                for one in contents.acknowledgements
            ],
            "attachments": [
                {
                    "precinct": one.precinct_id,
                    "name": one.name,
                    "sha256": one.sha256,
                    "size": one.size,
                    "by": one.by,
                    "at": time_text(one.at),
                    "withdrawal": _said_json(one.withdrawal),
                }
                for one in contents.attachments
            ],
            "control_totals": [
                {
                    "county": one.county,
                    "by": one.by,
                    "at": time_text(one.at),
                    "totals": [[row.group, row.first, row.final, row.delegates] for row in one.totals],
                }
                for one in contents.totals
            ],
        }
    )


def _said(one: PacketReport) -> dict[str, object]:
    """Everything in a report but its number: what its uid is made of."""
    name, number, check = one.caller
    return {
        "precinct": one.precinct_id,
        "channel": str(one.channel),
        "by": one.by,
        "at": time_text(one.at),
        "typists": list(one.typists),
        "caller": {"name": name, "number": number, "check": check},
        "receipt": one.receipt,
        "source": one.source,
        "sheet": sheet_json(one.sheet),
        "over": list(one.over),
    }


def _report(one: PacketReport) -> dict[str, object]:
    call, correction = one.call, one.correction
    return {
        "uid": one.uid,
        **_said(one),
        "withdrawal": _said_json(one.withdrawal),
        "call": None
        if call is None
        else {
            "at": time_text(call.at),
            "ended_at": time_text(call.ended_at),
            "by": call.by,
            "caller_name": call.caller_name,
            "caller_number": call.caller_number,
            "check_kind": str(call.check_kind),
            "outcome": str(call.outcome),
            "ended": str(call.ended),
            "notes": call.notes,
            "confirmed": call.confirmed,
        },
        "confirmation": _said_json(one.confirmation),
        "correction": None
        if correction is None
        else {
            "replaces": correction.replaces,
            "reason": correction.reason,
            "was_verified": correction.was_verified,
        },
    }


def sheet_json(sheet: ResultSheet) -> dict[str, object]:
    """Every count as it stands on the sheet; null where it is blank, which is not zero."""
    return {
        "attendance": sheet.attendance,
        "groups": [
            {
                "group": row.group,
                "first": row.first,
                "final": row.final,
                "delegates": row.delegates,
                "sde": None if row.sde is None else f"{row.sde.numerator}/{row.sde.denominator}",
                "signed": row.signed,
            }
            for row in sheet.groups
        ],
        "extras": [[key, value] for key, value in sheet.extras],
        "threshold": sheet.threshold,
        "delegates_to_elect": sheet.delegates_to_elect,
        "second_attendance": sheet.second_attendance,
        "chance": [{"groups": list(one.groups), "winners": list(one.winners)} for one in sheet.chance],
        "chair_signed": sheet.chair_signed,
        "secretary_signed": sheet.secretary_signed,
        "overwritten": sheet.overwritten,
    }


def _said_json(said: Said | None) -> dict[str, object] | None:
    return None if said is None else {"by": said.by, "at": time_text(said.at), "words": said.words}
