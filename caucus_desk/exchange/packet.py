"""County packets as files: what a county's store says, signed with the county's key."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO

from caucus_desk.exchange.packetfile import (
    BadPacket,
    Member,
    OpenArchive,
    damaged,
    foreign,
    open_archive,
    write_archive,
)
from caucus_desk.exchange.packetjson import Fields, as_bytes, parsed, time_text
from caucus_desk.exchange.packetkeys import sign, signed_by
from caucus_desk.exchange.packetreading import read_contents
from caucus_desk.exchange.packetreports import Contents, PacketAttachment, contents_bytes
from caucus_desk.rules.ruleset import Group
from caucus_desk.tally.receipt import ALPHABET

KIND = "Caucus Desk packet"
FORMAT = 1
ENDING = ".cdpacket"
_REPORTS, _TRAIL = "reports.json", "trail.json"
_PREFIX = b"Caucus Desk packet, signed by a county\n"


@dataclass(frozen=True, slots=True)
class PacketHead:
    """What a packet says of itself; `made_at` is UTC by the county's own clock."""

    caucus: str
    """The caucus's identity."""
    rules: str
    """The digest of its rule set and ballot."""
    county: str
    key: str
    number: int
    """1 for the first packet of a county's store, and so on."""
    made_at: datetime
    by: str


TrailRow = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Packet:
    """A packet that is whole and signed by the key that it names. `digest` names it."""

    file: str
    head: PacketHead
    digest: str
    contents: Contents
    trail: tuple[TrailRow, ...]
    """Rows of the county's audit trail, oldest first."""


def rules_digest(rules_text: str, groups: Iterable[Group]) -> str:
    """Of a rule set and the ballot that goes with it: two stores with the same count the same way."""
    ballot = [[one.key, one.label, str(one.kind), one.may_be_viable, one.minor] for one in groups]
    return hashlib.sha256(as_bytes({"rules": rules_text, "ballot": ballot})).hexdigest()


def short_code(digest: str) -> str:
    """What headquarters says of a packet once it has it all, such as `K7QX-94MT`: made from the packet."""
    number = int.from_bytes(hashlib.sha256(b"Caucus Desk receipt\n" + digest.encode()).digest()[:8], "big")
    letters = ""
    for _ in range(8):
        number, place = divmod(number, len(ALPHABET))
        letters += ALPHABET[place]
    return f"{letters[:4]}-{letters[4:]}"


def write_packet(
    out: IO[bytes],
    head: PacketHead,
    private: str,
    contents: Contents,
    trail: Sequence[TrailRow],
    read_attachment: Callable[[PacketAttachment], bytes],
) -> str:
    """Writes a packet into an open, empty file; returns its digest.

    `read_attachment` gives the bytes of each attachment that `contents` names, one at a time.
    """

    def members() -> Iterator[tuple[str, bytes]]:
        yield _REPORTS, contents_bytes(contents)
        yield _TRAIL, as_bytes({"events": [list(row) for row in trail]})
        for one in {one.member: one for one in contents.attachments}.values():
            yield one.member, read_attachment(one)

    stated = {
        "kind": KIND,
        "format": FORMAT,
        "caucus": head.caucus,
        "rules": head.rules,
        "county": head.county,
        "key": head.key,
        "number": head.number,
        "made_at": time_text(head.made_at),
        "by": head.by,
    }
    manifest = write_archive(out, stated, members(), lambda message: sign(private, _PREFIX + message))
    return hashlib.sha256(manifest).hexdigest()


class OpenPacket:
    """A packet file, read in two steps: what it says of itself, and, once its key is known, all of it."""

    def __init__(self, archive: OpenArchive) -> None:
        self._archive = archive
        self.file, self.digest = archive.file, archive.digest
        given = archive.fields()
        check_kind(given, KIND, FORMAT, self.file)
        self.head = PacketHead(
            given.hex("caucus", 32),
            given.hex("rules", 64),
            given.text("county"),
            given.hex("key", 16),
            given.number("number"),
            given.time("made_at"),
            given.text("by"),
        )
        self._members = archive.check_members(given)
        given.done()

    def verified(self, public: str) -> Packet:
        """All that it says, where the owner of this key signed it. Raises BadPacket."""
        if not signed_by(public, self._archive.signature, _PREFIX + self._archive.manifest):
            raise BadPacket(
                f"{self.file} was not signed with the key of {self.head.county} that it names. Nothing was "
                "taken from it; ask the county who made it."
            )
        contents = read_contents(self._archive.read(self._member(_REPORTS)), self.file)
        told = parsed(self._archive.read(self._member(_TRAIL)), self.file)
        trail = told.lists("events")
        told.done()
        files = {one.member: one for one in contents.attachments}
        if self._members.keys() != {_REPORTS, _TRAIL, *files}:
            raise damaged(self.file)
        for name, one in files.items():
            stated = self._members[name]
            if (stated.sha256, stated.size) != (one.sha256, one.size):
                raise damaged(self.file)
            self._archive.read_scan(stated)
        return Packet(self.file, self.head, self.digest, contents, trail)

    def attachment(self, one: PacketAttachment) -> bytes:
        """The bytes, compared with their digest again."""
        return self._archive.read_scan(self._member(one.member))

    def _member(self, name: str) -> Member:
        if name not in self._members:
            raise damaged(self.file)
        return self._members[name]


@contextmanager
def open_packet(path: Path) -> Iterator[OpenPacket]:
    """Raises BadPacket, or Unreadable, where it is no whole packet of a version that is known here."""
    with open_archive(path) as archive:
        yield OpenPacket(archive)


def check_kind(given: Fields, kind: str, known: int, file: str) -> None:
    """Whether a document is of this kind, and of a format that this version reads."""
    try:
        stated, version = given.text("kind"), given.number("format")
    except type(given.bad()) as error:
        raise foreign(file) from error
    if stated != kind:
        raise BadPacket(
            f"{file} is no {kind.removeprefix('Caucus Desk ')}: it is a file of another kind ({stated}). "
            "Nothing was taken from it; check which file it is."
        )
    if version > known:
        raise BadPacket(
            f"{file} was made by a newer Caucus Desk (its format is {version}, this version knows {known}). "
            "Nothing was taken from it; install the newer version here."
        )
    if version != known:
        raise damaged(file)
