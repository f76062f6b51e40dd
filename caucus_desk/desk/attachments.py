"""Attaching an image or a PDF of a worksheet to its precinct, and finding it again as it was."""

import hashlib
from pathlib import Path

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

__all__ = [
    "AlreadyAttached",
    "Attachment",
    "NotAsAttached",
    "attach",
    "attachment_counts",
    "attachments",
    "file_of",
    "folder",
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
    with staged(folder(desk), data) as file, desk.store.write() as unit:
        allow(desk, unit, by, Job.ATTACH)
        for given in unit.attachments(precinct_id):
            if given.sha256 == sha256 and not given.withdrawn:
                file.place(given.file_name)  # it may have been lost or altered meanwhile
                raise AlreadyAttached(
                    f"{name} is attached to {place(precinct)} already: {given.by} attached it at "
                    f"{clock(given.at)} as {given.name}.",
                    given,
                )
        attached = unit.add_attachment(
            precinct_id,
            name=name,
            sha256=sha256,
            size=len(data),
            by=by,
            sentence=f"{by} attached {name} to {place(precinct)}",
        )
        # In its place before the row is committed: a row without its file is never saved.
        file.place(attached.file_name)
    return attached


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
    """Where this store's attachments lie; it is made with the first one."""
    return folder_of(Path(desk.location))


def file_of(desk: Desk, attachment: Attachment) -> Path:
    """The file as it was attached, its hash compared. Raises NotAsAttached where it is not."""
    path = folder(desk) / attachment.file_name
    fault = fault_of(path, attachment)
    if fault:
        raise NotAsAttached(f"{fault} Attach it again, or put it back from a backup.")
    return path


def fault_of(path: Path, attachment: Attachment) -> str:
    """What is wrong with an attachment's file, in a sentence; "" where all is well."""
    try:
        same = digest_of(path) == attachment.sha256
    except FileNotFoundError:
        return f"The file of {attachment.name} is gone from {path.parent}."
    except OSError as error:
        return f"The file of {attachment.name} in {path.parent} cannot be read: {error.strerror or error}."
    return "" if same else f"The file of {attachment.name} in {path.parent} is not the one that was attached."


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
