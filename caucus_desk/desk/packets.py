"""A county's packets on their way to headquarters, and the receipts that come back."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from caucus_desk.desk.again import again
from caucus_desk.desk.kits import county_of
from caucus_desk.desk.known import known
from caucus_desk.desk.naming import clean_name
from caucus_desk.desk.packing import packed, rules_of
from caucus_desk.desk.people import allow, require
from caucus_desk.desk.placing import free_name, new_file, plain_name
from caucus_desk.desk.roles import Job
from caucus_desk.desk.scanbytes import sendable
from caucus_desk.desk.session import Desk
from caucus_desk.exchange.packet import (
    ENDING,
    PacketHead,
    open_packet,
    short_code,
    write_packet,
)
from caucus_desk.exchange.packetfile import BadPacket
from caucus_desk.exchange.packetkeys import check_installed, pair_of
from caucus_desk.exchange.packetreceipt import Receipt, read_receipt
from caucus_desk.exchange.packetreports import PacketReport
from caucus_desk.rules.errors import Refused
from caucus_desk.store.countykeys import OwnKey
from caucus_desk.tally.receipt import ALPHABET, spoken_code
from caucus_desk.tally.roster import Precinct
from caucus_desk.tally.state import State

_ONLY_THERE = "Receipts are read in the county's own store, whose packet they answer."
_EMPTY = (
    "Nothing is in it yet: no sheet was keyed in this store. Key one, and write another packet before you "
    "send it."
)
_SENT = "packet_"
"""Settings with the packets that this store wrote: `packet_3` holds digest and time."""


@dataclass(frozen=True, slots=True)
class WrittenPacket:
    """`code` is what headquarters says once it has taken this packet, all of it."""

    path: Path
    county: str
    number: int
    digest: str
    code: str
    reports: int
    """Withdrawn and superseded ones too."""
    precincts: int
    """With a report that counts."""
    attachments: int
    remarks: tuple[str, ...]
    """What could not go along, or that nothing did, in sentences."""


@dataclass(frozen=True, slots=True)
class SentPacket:
    """A packet that this store wrote; `at` is UTC."""

    number: int
    digest: str
    at: datetime

    @property
    def code(self) -> str:
        return short_code(self.digest)


@again
def export_packet(desk: Desk, out: Path | str, *, by: str) -> WrittenPacket:
    """Writes all that this county's store says as a packet for headquarters, read back before it is said.

    Where `out` is a folder the file gets a name of its own in it. Drafts are left out. A file that is there
    is left alone. Refused in any store but a county's own.
    """
    by = clean_name(by)
    check_installed()
    require(desk, by, Job.KEY)
    with desk.store.read() as unit:
        own = unit.own_key()
        if own is None:
            raise Refused(
                "This is no county's own store, so it has no key to sign a packet with. A county's store is "
                "begun from a kit that headquarters makes."
            )
        number = _next_number(unit.setting_values())
        going = sendable(desk, unit, packed(unit).contents)
        contents = going.contents
        trail = unit.all_events()
        head = PacketHead(unit.identity(), rules_of(unit), own.county, own.id, number, unit.now, by)
    path = Path(out).expanduser()
    if path.is_dir():
        path = free_name(path / plain_name(own.county, f"packet {number}{ENDING}"))
    with new_file(path) as file:
        digest = write_packet(file.handle, head, own.private, contents, trail, going.read)
        with open_packet(file.making) as written:
            written.verified(pair_of(own.private).public)
        sentence = f"{by} wrote packet {number} of {own.county} for headquarters: {path.name}"
        with desk.store.write() as unit:
            allow(desk, unit, by, Job.KEY)
            if _next_number(unit.setting_values()) != number:
                raise Refused("Another packet was written at the same moment. Write this one again.")
            value = f"{digest} {head.made_at.isoformat()}"
            unit.set_setting(f"{_SENT}{number}", value, by=by, sentence=sentence)
            file.place()
    return WrittenPacket(
        path,
        own.county,
        number,
        digest,
        short_code(digest),
        len(contents.reports),
        len({one.precinct_id for one in contents.reports if one.withdrawal is None}),
        len(contents.attachments),
        going.lost if contents.reports else (_EMPTY, *going.lost),
    )


def sent_packets(desk: Desk) -> tuple[SentPacket, ...]:
    """The packets that this store wrote, oldest first. Cheap."""
    return _sent(known(desk).values)


def _sent(values: Mapping[str, str]) -> tuple[SentPacket, ...]:
    found = []
    for key, value in values.items():
        number = key.removeprefix(_SENT)
        if number != key and number.isdecimal():
            digest, _, at = value.partition(" ")
            found.append(SentPacket(int(number), digest, datetime.fromisoformat(at)))
    return tuple(sorted(found, key=lambda one: one.number))


def _next_number(values: Mapping[str, str]) -> int:
    sent = _sent(values)
    return sent[-1].number + 1 if sent else 1


# ---- receipts, read by the county ----


@dataclass(frozen=True, slots=True)
class PrecinctThere:
    """What headquarters has of a precinct, beside what this store has."""

    precinct: Precinct
    here: int
    """Reports in this store that count; `there`: how many of them headquarters has."""
    there: int
    lacking: tuple[str, ...]
    """Channels of reports that count here and are not at headquarters yet."""
    others: int
    """Reports at headquarters that are not in this store: keyed there, or on another laptop."""
    state: State
    """As it stands at headquarters."""
    verified: bool

    @property
    def complete(self) -> bool:
        """Everything that this store says of it is there."""
        return not self.lacking

    @property
    def words(self) -> str:
        """In what state headquarters has it, in a few words."""
        if self.here == 0 and self.state is State.AWAITING:
            return "no report, here or at headquarters"
        if self.lacking:
            which = " and ".join(dict.fromkeys(self.lacking))
            return f"{which} report not at headquarters yet: write a new packet"
        if self.verified:
            return "at headquarters, verified"
        return f"at headquarters, {_STATES[self.state]}"


_STATES = {
    State.AWAITING: "awaiting a report",
    State.MISMATCHED: "reports differ: a reviewer decides",
    State.MATCHED: "two reports agree, a finding is open",
    State.SINGLE: "one source so far",
    State.RULED: "ruled on, a finding is open",
}


@dataclass(frozen=True, slots=True)
class ReceiptRead:
    receipt: Receipt
    code: str
    ours: SentPacket | None
    """The packet of this store that it answers; None: another laptop of the county wrote that one."""
    newest: bool
    """It answers the newest packet of this store."""
    precincts: tuple[PrecinctThere, ...]
    """In the roster's order, merged ones left out."""

    @property
    def lacking(self) -> tuple[PrecinctThere, ...]:
        return tuple(one for one in self.precincts if not one.complete)


def receipt(desk: Desk, path: Path | str) -> ReceiptRead:
    """Reads a receipt from headquarters and compares it with what this county's store holds now.

    Raises BadPacket where headquarters did not sign it, or it is another county's.
    """
    check_installed()
    path = Path(path).expanduser()
    with desk.store.read() as unit:
        own = unit.own_key()
        if own is None:
            raise Refused(_ONLY_THERE)
        said = read_receipt(path, own.headquarters)
        _is_ours(said, unit.identity(), own, path.name)
        here = packed(unit).contents.reports
    counting: dict[str, list[PacketReport]] = {}
    for one in here:
        if one.withdrawal is None:
            counting.setdefault(one.precinct_id, []).append(one)
    every = frozenset(one.uid for one in here)
    told = {one.precinct_id: one for one in said.precincts}
    lines = []
    for precinct in desk.precincts.values():
        if precinct.merged:
            continue
        there = told.get(precinct.id)
        uids = frozenset[str]() if there is None else there.reports
        mine = counting.get(precinct.id, [])
        lacking = tuple(str(one.channel) for one in mine if one.uid not in uids)
        lines.append(
            PrecinctThere(
                precinct,
                len(mine),
                len(mine) - len(lacking),
                lacking,
                len(uids - every),
                State.AWAITING if there is None else there.state,
                there is not None and there.verified,
            )
        )
    sent = sent_packets(desk)
    ours = next((one for one in sent if one.digest == said.packet), None)
    newest = ours is not None and ours == sent[-1]
    return ReceiptRead(said, short_code(said.packet), ours, newest, tuple(lines))


def looks_like_code(text: str, path: Path) -> bool:
    """Whether what was typed is meant as a code: letters, digits and dashes, and no such file."""
    return _CODE.fullmatch(text.strip()) is not None and not path.exists()


def packet_of_code(desk: Desk, code: str) -> SentPacket | None:
    """The packet of this store that headquarters says this code of; None: of none."""
    typed = spoken_code(code)
    return next((one for one in sent_packets(desk) if spoken_code(one.code) == typed), None)


def said_code(desk: Desk, code: str) -> SentPacket:
    """The packet of this store that headquarters says this code of. Refused with what is odd about the code
    where it is of none: it may have been misheard."""
    if not county_of(desk):
        raise Refused(_ONLY_THERE)
    found = packet_of_code(desk, code)
    if found is not None:
        return found
    code, typed, sent = code.strip(), spoken_code(code), sent_packets(desk)
    if not sent:
        raise Refused(f"{code} is no file, and the code of none: no packet was written here yet.")
    said = f"{code} is no file, and the code of no packet that was written here."
    odd = list(dict.fromkeys(letter for letter in typed if letter not in ALPHABET))
    near = min(sent, key=lambda one: (_apart(typed, one), -one.number))
    wrong = _apart(typed, near)
    again = "Ask headquarters to say it again, letter by letter."
    if wrong <= _MISHEARD:
        count = "one letter is another" if wrong == 1 else f"{wrong} letters are others"
        raise Refused(f"{said} Packet {near.number} has {near.code}: {count}. {again}")
    if len(typed) != len(spoken_code(near.code)):
        raise Refused(f"{said} A code has 8 letters and digits, such as {near.code}. {again}")
    if odd:
        raise Refused(f"{said} No code has {' or '.join(odd)} in it. {again}")
    raise Refused(f"{said} The newest, packet {sent[-1].number}, has {sent[-1].code}. {again}")


_CODE = re.compile(r"[A-Za-z0-9]+([ -]+[A-Za-z0-9]+)*")
_MISHEARD = 2
"""With so many letters wrong a code is still known for the one that was meant."""


def _apart(typed: str, packet: SentPacket) -> int:
    """In how many places a code differs from a packet's."""
    code = spoken_code(packet.code)
    return sum(map(str.__ne__, typed, code)) if len(typed) == len(code) else len(code)


def _is_ours(said: Receipt, caucus: str, own: OwnKey, file: str) -> None:
    if said.caucus != caucus:
        raise BadPacket(f"{file} is a receipt of another caucus. Ask headquarters for the right one.")
    if said.county != own.county:
        raise BadPacket(
            f"{file} is a receipt for {said.county}, and this is the store of {own.county}. Ask headquarters "
            "for the one that answers your packet."
        )
