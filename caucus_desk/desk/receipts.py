"""Receipts that headquarters gives for packets: what it has of the county, precinct by precinct."""

from dataclasses import dataclass
from pathlib import Path

from caucus_desk.desk.again import again
from caucus_desk.desk.kits import headquarters_only
from caucus_desk.desk.naming import clean_name
from caucus_desk.desk.packing import packed
from caucus_desk.desk.people import allow, require
from caucus_desk.desk.placing import free_name, new_file, plain_name
from caucus_desk.desk.roles import Job
from caucus_desk.desk.session import Desk
from caucus_desk.exchange.packet import short_code
from caucus_desk.exchange.packetkeys import check_installed
from caucus_desk.exchange.packetreceipt import ENDING, PrecinctReceipt, Receipt, receipt_bytes
from caucus_desk.rules.errors import Refused
from caucus_desk.store.actions import Action
from caucus_desk.store.packets import TakenPacket
from caucus_desk.store.units import ReadUnit
from caucus_desk.tally.state import State


@dataclass(frozen=True, slots=True)
class WrittenReceipt:
    path: Path
    county: str
    number: int
    code: str
    """Says the same over the telephone: headquarters has this packet, all of it."""


@again
def write_receipt(desk: Desk, digest: str, out: Path | str, *, by: str) -> WrittenReceipt:
    """Writes a receipt for a packet that was taken, with the states as they are now.

    Where `out` is a folder the file gets a name of its own in it. A file that is there is left alone.
    """
    by = clean_name(by)
    check_installed()
    require(desk, by, Job.PACKETS)
    headquarters_only(desk, "receipts are made")
    with desk.store.read() as unit:
        taken = _taken(unit, digest)
        own = unit.headquarters_key()
        assert own is not None  # no packet can be taken before a kit was made
        receipt = _receipt(desk, unit, taken, by)
    path = Path(out).expanduser()
    if path.is_dir():
        path = free_name(path / plain_name(taken.county, f"packet {taken.number} receipt{ENDING}"))
    sentence = f"{by} wrote a receipt for packet {taken.number} of {taken.county}: {path.name}"
    with new_file(path) as file, desk.store.write() as unit:
        allow(desk, unit, by, Job.PACKETS)
        unit.log(Action.EXPORTED, sentence, actor=by)
        file.handle.write(receipt_bytes(receipt, own[0]))
        file.place()
    return WrittenReceipt(path, taken.county, taken.number, short_code(digest))


def _taken(unit: ReadUnit, digest: str) -> TakenPacket:
    taken = unit.packet_taken(digest)
    if taken is None or not taken.key_id:
        raise Refused("This packet was not taken in here, so there is no receipt for it.")
    return taken


def _receipt(desk: Desk, unit: ReadUnit, taken: TakenPacket, by: str) -> Receipt:
    ids = [one.id for one in desk.precincts.values() if one.county == taken.county and not one.merged]
    states = unit.states(ids)
    uids: dict[str, set[str]] = {}
    for one in packed(unit, ids).contents.reports:
        uids.setdefault(one.precinct_id, set()).add(one.uid)
    return Receipt(
        unit.identity(),
        taken.county,
        taken.digest,
        taken.number,
        taken.at,
        unit.now,
        by,
        tuple(
            PrecinctReceipt(
                one,
                frozenset(uids.get(one, ())),
                states[one].state if one in states else State.AWAITING,
                one in states and states[one].verified,
            )
            for one in ids
        ),
    )
