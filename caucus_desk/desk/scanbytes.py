"""Attached files on their way into a packet: those that this store still has as they were attached."""

from dataclasses import dataclass, replace

from caucus_desk.desk.attachments import Attachment, NotAsAttached, bytes_of
from caucus_desk.desk.session import Desk
from caucus_desk.desk.wording import place
from caucus_desk.exchange.packetreports import Contents, PacketAttachment
from caucus_desk.store.units import ReadUnit


@dataclass(frozen=True, slots=True)
class Sendable:
    """What can go along of a store's contents; `lost` is a sentence for each file that cannot."""

    desk: Desk
    contents: Contents
    lost: tuple[str, ...]
    files: dict[str, Attachment]

    def read(self, one: PacketAttachment) -> bytes:
        """Raises NotAsAttached where the file went meanwhile."""
        return bytes_of(self.desk, self.files[one.sha256])


def sendable(desk: Desk, unit: ReadUnit, contents: Contents) -> Sendable:
    """The contents without the attachments whose file is gone or was altered."""
    files: dict[str, Attachment] = {}
    gone: dict[str, str] = {}
    for one in unit.attachments():
        if one.sha256 in files or one.sha256 in gone:
            continue
        try:
            bytes_of(desk, one)
        except NotAsAttached:
            where = place(desk.precinct(one.precinct_id))
            gone[one.sha256] = f"{one.name} of {where} did not go along: its file is gone or was altered."
        else:
            files[one.sha256] = one
    kept = tuple(one for one in contents.attachments if one.sha256 in files)
    lost = dict.fromkeys(gone[one.sha256] for one in contents.attachments if one.sha256 in gone)
    return Sendable(desk, replace(contents, attachments=kept), tuple(lost), files)
