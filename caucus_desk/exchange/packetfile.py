"""The file that a packet or a kit is: a ZIP archive that says itself whether it is whole.

Its comment is the SHA-256 of all the bytes before it, so that a file that was cut short or altered on its way
is known as such before anything is read out of it; every member's size and SHA-256 stand in `manifest.json`,
which is what the signature covers. Whoever made it, it is opened with distrust.
"""

import hashlib
import re
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from caucus_desk.exchange.packetjson import Fields, as_bytes, parsed
from caucus_desk.rules.errors import CaucusError

MANIFEST, SIGNATURE = "manifest.json", "signature"
_COMMENT = 64
_TIME = (1980, 1, 1, 0, 0, 0)
"""Of every member: what a file says does not hang on when its parts were put into it."""
_MAX_MANIFEST = 16 << 20
_MAX_TEXT = 64 << 20
"""Bytes of one JSON member, unpacked: a whole state's night has a fifth of it."""
_MAX_SCAN = 32 << 20
"""Bytes of one image or PDF; the desk takes none above 25 MB."""
_MAX_WHOLE = 8 << 30
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*(/[A-Za-z0-9][A-Za-z0-9_.-]*)?")
_CHUNK = 1 << 20
_UNREADABLE = (zipfile.BadZipFile, zlib.error, EOFError, ValueError, RuntimeError, OSError)
"""What zipfile raises over a damaged archive; NotImplementedError is a RuntimeError."""


class BadPacket(CaucusError):
    """A packet, kit or receipt that is refused whole. Nothing was changed."""


@dataclass(frozen=True, slots=True)
class Member:
    """One part of the file, as its manifest states it."""

    name: str
    size: int
    sha256: str


def write_archive(
    out: IO[bytes],
    head: Mapping[str, object],
    members: Iterable[tuple[str, bytes]],
    sign: Callable[[bytes], str],
) -> bytes:
    """Writes the archive into an open, empty file that can be read back; returns the manifest's bytes.

    `head` is what the manifest says beside its list of members; `sign` is given the manifest.
    """
    stated: list[dict[str, object]] = []
    with zipfile.ZipFile(out, "w", allowZip64=True) as archive:
        for name, data in members:
            stated.append({"name": name, "size": len(data), "sha256": hashlib.sha256(data).hexdigest()})
            _put(archive, name, data)
        manifest = as_bytes({**head, "files": stated})
        _put(archive, MANIFEST, manifest)
        _put(archive, SIGNATURE, sign(manifest).encode("ascii"))
        archive.comment = b"0" * _COMMENT
    out.seek(-_COMMENT, 2)
    end = out.tell()
    out.seek(0)
    digest = hashlib.sha256()
    while left := end - out.tell():
        digest.update(out.read(min(_CHUNK, left)))
    out.write(digest.hexdigest().encode("ascii"))
    out.flush()
    return manifest


def _put(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    info = zipfile.ZipInfo(name, _TIME)
    info.external_attr = 0o600 << 16
    # Images and PDFs are packed already.
    packed = name.endswith((".jpg", ".png", ".pdf", ".xlsx"))
    archive.writestr(info, data, zipfile.ZIP_STORED if packed else zipfile.ZIP_DEFLATED, 9)


class OpenArchive:
    """A file that is whole as its own checksum says. What its manifest states is still to be believed only
    once the signature was verified; `read` compares each member with it."""

    def __init__(self, archive: zipfile.ZipFile, file: str) -> None:
        self._archive, self.file = archive, file
        self._infos = _infos(archive, file)
        self.manifest = self._bytes(MANIFEST, _MAX_MANIFEST)
        self.signature = self._bytes(SIGNATURE, 1000).decode("ascii", "replace")
        self.digest = hashlib.sha256(self.manifest).hexdigest()

    def fields(self) -> Fields:
        """What the manifest says, its list of files left out: see `members`."""
        return parsed(self.manifest, self.file)

    def check_members(self, given: Fields) -> dict[str, Member]:
        """The members by name, as the manifest states them: all that are there, and each of them once."""
        members: dict[str, Member] = {}
        for one in given.rows("files"):
            member = Member(one.text("name"), one.number("size", 2**40), one.hex("sha256", 64))
            one.done()
            if member.name in members or member.name in (MANIFEST, SIGNATURE):
                raise damaged(self.file)
            members[member.name] = member
        if members.keys() != self._infos.keys() - {MANIFEST, SIGNATURE}:
            raise damaged(self.file)
        if any(self._infos[name].file_size != one.size for name, one in members.items()):
            raise damaged(self.file)
        return members

    def read(self, member: Member, largest: int = _MAX_TEXT) -> bytes:
        data = self._bytes(member.name, largest)
        if len(data) != member.size or hashlib.sha256(data).hexdigest() != member.sha256:
            raise damaged(self.file)
        return data

    def read_scan(self, member: Member) -> bytes:
        return self.read(member, _MAX_SCAN)

    def _bytes(self, name: str, largest: int) -> bytes:
        info = self._infos.get(name)
        if info is None:
            raise foreign(self.file)
        if info.file_size > largest:
            raise too_large(self.file)
        try:
            # zipfile reads no more than the stated size, so it can be relied on.
            return self._archive.read(info)
        except _UNREADABLE as error:
            raise damaged(self.file) from error


@contextmanager
def open_archive(path: Path) -> Iterator[OpenArchive]:
    """Raises BadPacket with what is wrong, first of all where the file is not whole."""
    try:
        with path.open("rb") as handle:
            _check_whole(handle, path.name)
            try:
                archive = zipfile.ZipFile(handle)
            except _UNREADABLE as error:
                raise damaged(path.name) from error
            with archive:
                yield OpenArchive(archive, path.name)
    except FileNotFoundError as error:
        raise BadPacket(f"There is no file {path}. Check the name.") from error
    except IsADirectoryError as error:
        raise BadPacket(f"{path} is a folder. Name the file in it.") from error
    except PermissionError as error:
        raise BadPacket(f"{path} may not be read. Ask for the right to read it, or for a copy.") from error


def _check_whole(handle: IO[bytes], file: str) -> None:
    size = handle.seek(0, 2)
    if size > _MAX_WHOLE:
        raise too_large(file)
    handle.seek(0)
    if handle.read(4) != b"PK\x03\x04":
        if size < 4:
            raise cut_short(file)
        raise foreign(file)
    handle.seek(0)
    digest, left = hashlib.sha256(), size - _COMMENT
    if left < 0:
        raise cut_short(file)
    while left:
        chunk = handle.read(min(_CHUNK, left))
        if not chunk:
            raise cut_short(file)
        digest.update(chunk)
        left -= len(chunk)
    if handle.read() != digest.hexdigest().encode("ascii"):
        raise cut_short(file)
    handle.seek(0)


def _infos(archive: zipfile.ZipFile, file: str) -> dict[str, zipfile.ZipInfo]:
    found: dict[str, zipfile.ZipInfo] = {}
    for info in archive.infolist():
        plain = info.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) and not info.flag_bits & 1
        if info.filename in found or not plain or not _NAME.fullmatch(info.filename):
            raise damaged(file)
        found[info.filename] = info
    if sum(info.file_size for info in found.values()) > _MAX_WHOLE:
        raise too_large(file)
    return found


def cut_short(file: str) -> BadPacket:
    return BadPacket(
        f"{file} is not whole: it was cut short or altered on its way. Nothing was taken from it; ask for "
        "the file again."
    )


def damaged(file: str) -> BadPacket:
    return BadPacket(
        f"{file} is not as Caucus Desk writes such a file: a part is missing, altered or put in. Nothing was "
        "taken from it; ask for the file again."
    )


def foreign(file: str) -> BadPacket:
    return BadPacket(
        f"{file} is no file of Caucus Desk's. Nothing was taken from it; check which file it is."
    )


def too_large(file: str) -> BadPacket:
    return BadPacket(
        f"{file} unpacks to far more than a caucus has. Nothing was taken from it; ask who sent it."
    )
