"""Receipts as files: what headquarters has of a county, signed by headquarters. Two lines of text."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from caucus_desk.exchange.packet import check_kind
from caucus_desk.exchange.packetfile import BadPacket, cut_short, foreign, open_archive
from caucus_desk.exchange.packetjson import as_bytes, parsed, time_text
from caucus_desk.exchange.packetkeys import sign, signed_by
from caucus_desk.rules.errors import CaucusError
from caucus_desk.tally.state import State

KIND = "Caucus Desk receipt"
FORMAT = 1
ENDING = ".cdreceipt"
_PREFIX = b"Caucus Desk receipt, signed by headquarters\n"
_LARGEST = 64 << 20


@dataclass(frozen=True, slots=True)
class PrecinctReceipt:
    """One precinct as it stood at headquarters. `reports` are the uids of all that it has of it."""

    precinct_id: str
    reports: frozenset[str]
    state: State
    verified: bool


@dataclass(frozen=True, slots=True)
class Receipt:
    """Times are UTC by headquarters' clock: `taken_at` when the packet was taken first, `made_at` when the
    states were as `precincts` says."""

    caucus: str
    county: str
    packet: str
    """The digest of the packet that it answers."""
    number: int
    taken_at: datetime
    made_at: datetime
    by: str
    precincts: tuple[PrecinctReceipt, ...]


def _another(path: Path) -> BadPacket:
    """What a file is that is no receipt, as far as that can be known."""
    try:
        with open_archive(path) as archive:
            kind = archive.fields().text("kind").removeprefix("Caucus Desk ")
    except CaucusError:
        return foreign(path.name)
    return BadPacket(
        f"{path.name} is a {kind}, not a receipt. Headquarters sends the receipt back once it has taken a "
        f"packet; its name ends in {ENDING}."
    )


def receipt_bytes(receipt: Receipt, private: str) -> bytes:
    """The file, signed with headquarters' key."""
    said = as_bytes(
        {
            "kind": KIND,
            "format": FORMAT,
            "caucus": receipt.caucus,
            "county": receipt.county,
            "packet": receipt.packet,
            "number": receipt.number,
            "taken_at": time_text(receipt.taken_at),
            "made_at": time_text(receipt.made_at),
            "by": receipt.by,
            "precincts": [
                {
                    "id": one.precinct_id,
                    "reports": sorted(one.reports),
                    "state": str(one.state),
                    "verified": one.verified,
                }
                for one in receipt.precincts
            ],
        }
    )
    return said + b"\n" + sign(private, _PREFIX + said).encode("ascii") + b"\n"


def read_receipt(path: Path, headquarters: str) -> Receipt:
    """Raises BadPacket where it is no receipt that the owner of this key signed, or not whole."""
    file = path.name
    try:
        with path.open("rb") as handle:
            data = handle.read(_LARGEST)
    except FileNotFoundError as error:
        raise BadPacket(f"There is no file {path}. Check the name.") from error
    except OSError as error:
        raise BadPacket(f"{path} cannot be read: {error.strerror or error}.") from error
    said, line, rest = data.partition(b"\n")
    if not said.startswith(b'{"kind":'):
        raise _another(path)
    if not line or len(rest) != 129:
        raise cut_short(file)
    given = parsed(said, file)
    check_kind(given, KIND, FORMAT, file)
    if not rest.endswith(b"\n") or not signed_by(
        headquarters, rest[:-1].decode("ascii", "replace"), _PREFIX + said
    ):
        raise BadPacket(
            f"{file} was not signed by the headquarters that made this county's kit, or was altered on its "
            "way. Do not go by it; ask headquarters for the receipt again."
        )
    precincts = []
    receipt = Receipt(
        given.hex("caucus", 32),
        given.text("county"),
        given.hex("packet", 64),
        given.number("number"),
        given.time("taken_at"),
        given.time("made_at"),
        given.text("by"),
        (),
    )
    for row in given.rows("precincts"):
        try:
            state = State(row.text("state", 20))
        except ValueError as error:
            raise row.bad() from error
        precincts.append(
            PrecinctReceipt(row.text("id"), frozenset(row.texts("reports", 64)), state, row.flag("verified"))
        )
        row.done()
    given.done()
    return Receipt(
        receipt.caucus,
        receipt.county,
        receipt.packet,
        receipt.number,
        receipt.taken_at,
        receipt.made_at,
        receipt.by,
        tuple(precincts),
    )
