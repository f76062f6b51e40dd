"""Attaching an image or a PDF of a worksheet to its precinct, and finding it again as it was."""

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from caucus_desk.desk.again import again
from caucus_desk.desk.fetched import fetched
from caucus_desk.desk.guards import WORDLESS, in_words
from caucus_desk.desk.naming import clean_name, clean_text, one_line
from caucus_desk.desk.people import allow
from caucus_desk.desk.roles import Job
from caucus_desk.desk.scans import read_scan
from caucus_desk.desk.session import Desk
from caucus_desk.desk.wording import clock, place
from caucus_desk.rules.errors import Refused
from caucus_desk.store.attachments import Attachment, digest_of, folder_of, staged
from caucus_desk.store.errors import read_only
from caucus_desk.store.units import ReadUnit, WriteUnit

__all__ = [
    "AlreadyAttached",
    "Attachment",
    "NotAsAttached",
    "attach",
    "attachment_counts",
    "attachments",
    "bytes_of",
    "faults_of",
    "file_of",
    "folder",
    "keeping",
    "withdraw_attachment",
]

_LONGEST = 120
"""Letters of a file's name that are kept."""


class AlreadyAttached(Refused):
    """The same file is attached to this precinct already: `attachment`."""

    def __init__(self, sentence: str, attachment: Attachment) -> None:
        super().__init__(sentence)
        self.attachment = attachment


class NotAsAttached(Refused):
    """The file is gone from the store's folder, or is not the one that was attached."""


@again
def attach(desk: Desk, precinct_id: str, path: Path | str, *, by: str) -> Attachment:
    """Keeps a copy of the file with the store; attached when this returns.

    Only PNG, JPEG and PDF, by their bytes, whole and of at most 25 MB; the file itself is not touched.
    Raises Refused with the reason, AlreadyAttached, and StoreError where the copy cannot be written.
    """
    by = clean_name(by)
    precinct = desk.precinct(precinct_id)
    if desk.read_only:
        raise read_only(desk.location)
    path = Path(path).expanduser()
    data, ending = read_scan(path)
    sha256 = hashlib.sha256(data).hexdigest()
    name = _kept_name(path.name, ending)
    with keeping(desk, data) as keep, desk.store.write() as unit:
        allow(desk, unit, by, Job.ATTACH)
        there = next(
            (one for one in unit.attachments(precinct_id) if one.sha256 == sha256 and not one.withdrawn), None
        )
        attached = there or unit.add_attachment(
            precinct_id,
            name=name,
            sha256=sha256,
            size=len(data),
            by=by,
            sentence=f"{by} attached {name} to {place(precinct)}",
        )
        # In its place before the row is committed: a row without its file is never saved. One that was there
        # may have been lost or altered meanwhile, and is put back.
        keep(unit, attached.file_name)
    if there is not None:
        raise AlreadyAttached(
            f"{name} is attached to {place(precinct)} already: {there.by} attached it at "
            f"{clock(there.at)} as {there.name}.",
            there,
        )
    return attached


@contextmanager
def keeping(desk: Desk, data: bytes) -> Iterator[Callable[[WriteUnit, str], None]]:
    """What puts the bytes in their place under an attachment's `file_name`, in the unit that adds its row.

    Raises StoreError where they cannot be written.
    """
    if desk.store.is_shared:
        sha256 = hashlib.sha256(data).hexdigest()
        yield lambda unit, _: unit.keep_bytes(sha256, data)
    else:
        with staged(folder(desk), data) as file:
            yield lambda _, name: file.place(name)


def attachments(desk: Desk, precinct_id: str, *, withdrawn: bool = False) -> tuple[Attachment, ...]:
    """Of a precinct, oldest first; with `withdrawn` also those that were withdrawn."""
    desk.precinct(precinct_id)
    with desk.store.read() as unit:
        found = unit.attachments(precinct_id)
    return tuple(one for one in found if withdrawn or not one.withdrawn)


def attachment_counts(desk: Desk) -> dict[str, int]:
    """How many attachments each precinct has, by its id; precincts without any are not in it."""
    counts: dict[str, int] = {}
    with desk.store.read() as unit:
        for one in unit.attachments():
            if not one.withdrawn:
                counts[one.precinct_id] = counts.get(one.precinct_id, 0) + 1
    return counts


def folder(desk: Desk) -> Path:
    """Where the attachments of a store in a file lie; it is made with the first one."""
    return folder_of(desk.store.path)


def file_of(desk: Desk, attachment: Attachment) -> Path:
    """The file as it was attached, its hash compared. Raises NotAsAttached where it is not.

    Of a shared store it is a copy, kept on this computer until the program ends.
    """
    if desk.store.is_shared:
        return fetched(attachment.file_name, attachment.sha256, lambda: bytes_of(desk, attachment))
    path = folder(desk) / attachment.file_name
    _refuse(_fault_in_folder(path, attachment))
    return path


def bytes_of(desk: Desk, attachment: Attachment) -> bytes:
    """The file's bytes as they were attached. Raises NotAsAttached."""
    if not desk.store.is_shared:
        path = folder(desk) / attachment.file_name
        _refuse(_fault_in_folder(path, attachment))
        return path.read_bytes()
    with desk.store.read() as unit:
        data = unit.kept_bytes(attachment.sha256)
    _refuse(_fault_in_table(None if data is None else hashlib.sha256(data).hexdigest(), attachment))
    assert data is not None
    return data


def faults_of(desk: Desk, unit: ReadUnit) -> list[str]:
    """A sentence for each attachment whose file is lost or altered, also of those that were withdrawn."""
    files = {one.file_name: one for one in unit.attachments()}
    if desk.store.is_shared:
        digests = unit.kept_digests() if files else {}
        found = [_fault_in_table(digests.get(one.sha256), one) for one in files.values()]
    else:
        place = folder(desk)
        found = [_fault_in_folder(place / name, one) for name, one in files.items()]
    return [fault for fault in found if fault]


def _refuse(fault: str) -> None:
    if fault:
        raise NotAsAttached(f"{fault} Attach it again, or put it back from a backup.")


def _fault_in_folder(path: Path, attachment: Attachment) -> str:
    """What is wrong with an attachment's file, in a sentence; "" where all is well."""
    try:
        same = digest_of(path) == attachment.sha256
    except FileNotFoundError:
        return f"The file of {attachment.name} is gone from {path.parent}."
    except OSError as error:
        return f"The file of {attachment.name} in {path.parent} cannot be read: {error.strerror or error}."
    return "" if same else f"The file of {attachment.name} in {path.parent} is not the one that was attached."


def _fault_in_table(digest: str | None, attachment: Attachment) -> str:
    if digest is None:
        return f"The file of {attachment.name} is gone from the store."
    same = digest == attachment.sha256
    return "" if same else f"The file of {attachment.name} in the store is not the one that was attached."


@again
def withdraw_attachment(desk: Desk, attachment_id: int, *, reason: str, by: str) -> None:
    """It is shown no more, and stays on record; its file stays where it is."""
    by = clean_name(by)
    reason = clean_text(reason)
    if not in_words(reason):
        raise Refused(WORDLESS if reason else "Withdrawing an attachment needs a reason.")
    with desk.store.write() as unit:
        allow(desk, unit, by, Job.ATTACH)
        given = unit.attachment(attachment_id)
        if given is None:
            raise Refused(f"There is no attachment {attachment_id}.")
        if given.withdrawn_at is not None:
            raise Refused(
                f"{given.withdrawn_by} withdrew {given.name} at {clock(given.withdrawn_at)} already."
            )
        where = place(desk.precinct(given.precinct_id))
        unit.withdraw_attachment(
            given, by=by, reason=reason, sentence=f"{by} withdrew {given.name} of {where}: {reason}"
        )


def _kept_name(name: str, ending: str) -> str:
    """The file's own name on one line, with the ending of what it is."""
    tidy = one_line(name)
    stem, suffix = Path(tidy).stem, Path(tidy).suffix
    if suffix.lower() not in ({".jpg", ".jpeg"} if ending == ".jpg" else {ending}):
        stem, suffix = tidy, ending
    return (stem or "scan")[: _LONGEST - len(suffix)] + suffix
