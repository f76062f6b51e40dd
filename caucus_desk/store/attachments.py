"""Attachments: images and PDFs of worksheets. The rows lie in the store, the files in a folder beside it.

A file is named by its SHA-256, so the same file is kept once, and is on the disk before its row is saved.
Nothing ever takes a file away. A shared store has no folder: there the bytes lie in a table of their own.
"""

import hashlib
import os
import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from errno import EACCES, EDQUOT, ENOSPC, EPERM, EROFS
from pathlib import Path

from sqlalchemy import bindparam, func, literal_column, select

from caucus_desk.store.actions import Action
from caucus_desk.store.copying import sync_folder
from caucus_desk.store.errors import StoreError, StoreFull, StoreReadOnly, StoreUnreachable
from caucus_desk.store.schema import attachment, attachment_data, attachment_withdrawal
from caucus_desk.store.statements import Prepared, adding
from caucus_desk.store.times import from_text
from caucus_desk.store.told import ToldReading, ToldWriting
from caucus_desk.store.work import Row

_WITH_END = select(
    attachment,
    attachment_withdrawal.c.by_name,
    attachment_withdrawal.c.at,
    attachment_withdrawal.c.reason,
).join(attachment_withdrawal, attachment_withdrawal.c.attachment_id == attachment.c.seq, isouter=True)
_ALL = Prepared(_WITH_END.order_by(attachment.c.seq))
_OF = Prepared(_WITH_END.where(attachment.c.precinct_id == bindparam("precinct")).order_by(attachment.c.seq))
_ONE = Prepared(_WITH_END.where(attachment.c.seq == bindparam("seq")))

_KEEP = adding(attachment_data)
_IS_KEPT = Prepared(select(attachment_data.c.sha256).where(attachment_data.c.sha256 == bindparam("sha256")))
_KEPT = Prepared(select(attachment_data.c.data).where(attachment_data.c.sha256 == bindparam("sha256")))
_KEPT_DIGESTS = Prepared(
    select(
        attachment_data.c.sha256, func.encode(func.sha256(attachment_data.c.data), literal_column("'hex'"))
    )
)

FOLDER_TAIL = ".attachments"


@dataclass(frozen=True, slots=True)
class Attachment:
    """One image or PDF of a precinct's worksheet; `at` is UTC, `size` in bytes.

    `name` is the file's own name when it was attached and ends as its bytes are: .png, .jpg or .pdf.
    """

    id: int
    precinct_id: str
    name: str
    sha256: str
    size: int
    by: str
    at: datetime
    withdrawn_by: str = ""
    withdrawn_at: datetime | None = None
    withdrawn_reason: str = ""

    @property
    def kind(self) -> str:
        """`image` or `pdf`."""
        return "pdf" if self.ending == ".pdf" else "image"

    @property
    def ending(self) -> str:
        """`.pdf`, `.png` or `.jpg`."""
        ending = Path(self.name).suffix.lower()
        return ".jpg" if ending == ".jpeg" else ending

    @property
    def withdrawn(self) -> bool:
        return self.withdrawn_at is not None

    @property
    def file_name(self) -> str:
        """In the folder beside the store."""
        return self.sha256 + self.ending


class AttachmentReading(ToldReading):
    def attachments(self, precinct_id: str | None = None) -> tuple[Attachment, ...]:
        """Of one precinct or of all, oldest first, also those withdrawn."""
        rows = self._rows(_ALL) if precinct_id is None else self._rows(_OF, precinct_id)
        return tuple(map(_attachment, rows))

    def attachment(self, attachment_id: int) -> Attachment | None:
        row = self._one(_ONE, attachment_id)
        return None if row is None else _attachment(row)

    def kept_bytes(self, sha256: str) -> bytes | None:
        """Of a shared store: the file of this name as it is kept now, None where it is not."""
        row = self._one(_KEPT, sha256)
        return None if row is None else bytes(row[0])

    def kept_digests(self) -> dict[str, str]:
        """Of a shared store: the SHA-256 of each file as it is kept now, by its name. The server adds up."""
        return dict(self._rows(_KEPT_DIGESTS))


class AttachmentWriting(AttachmentReading, ToldWriting):
    def add_attachment(
        self, precinct_id: str, *, name: str, sha256: str, size: int, by: str, sentence: str
    ) -> Attachment:
        """The row of a file that is in its place already, or is put there by this unit."""
        columns = {
            "precinct_id": precinct_id,
            "name": name,
            "sha256": sha256,
            "size": size,
            "by_name": by,
            "at": self._now_text,
        }
        seq = self._tell(Action.ATTACHED, sentence, by, columns, precinct_id=precinct_id)
        return Attachment(seq, precinct_id, name, sha256, size, by, self.now)

    def keep_bytes(self, sha256: str, data: bytes) -> None:
        """Into a shared store's own table, unless it is there already."""
        if self._one(_IS_KEPT, sha256) is None:
            self._run(_KEEP, sha256, data)

    def withdraw_attachment(self, given: Attachment, *, by: str, reason: str, sentence: str) -> None:
        columns = {"attachment_id": given.id, "by_name": by, "at": self._now_text, "reason": reason}
        self._tell(Action.ATTACHMENT_WITHDRAWN, sentence, by, columns, precinct_id=given.precinct_id)


def _attachment(row: Row) -> Attachment:
    seq, precinct_id, name, sha256, size, by, at, gone_by, gone_at, reason = row
    withdrawn_at = None if gone_at is None else from_text(gone_at)
    return Attachment(
        seq, precinct_id, name, sha256, size, by, from_text(at), gone_by or "", withdrawn_at, reason or ""
    )


# ---- the folder ----


def folder_of(store: Path) -> Path:
    """Where a store keeps its attachments: `night.caucus.attachments` beside `night.caucus`."""
    return store.with_name(store.name + FOLDER_TAIL)


def digest_of(path: Path) -> str:
    """SHA-256 of a file. Raises OSError."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextmanager
def staged(folder: Path, data: bytes) -> Iterator["Staged"]:
    """The bytes on the disk under a passing name, to be put in place or, at the end, taken away again.

    Raises StoreError where nothing can be written there.
    """
    making = folder / f".{secrets.token_hex(8)}.new"
    try:
        try:
            if not folder.is_dir():
                folder.mkdir(exist_ok=True)
                sync_folder(folder.parent)
            with making.open("xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise _cannot_keep(error, folder) from error
        yield Staged(making)
    finally:
        with suppress(OSError):
            making.unlink()


@dataclass(frozen=True, slots=True)
class Staged:
    making: Path

    def place(self, file_name: str) -> None:
        """Gives the file its name. One that is there already is the same file, or was altered."""
        path = self.making.with_name(file_name)
        try:
            os.replace(self.making, path)
        except OSError as error:
            raise _cannot_keep(error, path.parent) from error
        sync_folder(path.parent)


def _cannot_keep(error: OSError, folder: Path) -> StoreError:
    if error.errno in (ENOSPC, EDQUOT):
        return StoreFull(f"The disk that holds {folder} is full, so nothing was attached. Free some space.")
    if error.errno in (EACCES, EPERM, EROFS):
        return StoreReadOnly(
            f"Nothing can be written into the folder {folder}, where this store keeps its attachments. "
            "Make it writable."
        )
    return StoreUnreachable(f"{folder} cannot be used: {error.strerror or error}. Nothing was attached.")


def copy_files(names: Iterable[tuple[str, str]], source: Path, out: Path) -> tuple[list[Path], list[str]]:
    """Copies attachments, each a file's name and its SHA-256, from one store's folder to another's.

    Returns the files that were made, and the names of those that the source has lost or that were altered
    there. A file that is in its place already and sound is left alone. Raises StoreError.
    """
    made: list[Path] = []
    lost: list[str] = []
    try:
        for name, sha256 in names:
            path = out / name
            if _sound(path, sha256):
                continue
            try:
                data = (source / name).read_bytes()
            except OSError:
                lost.append(name)
                continue
            if hashlib.sha256(data).hexdigest() != sha256:
                lost.append(name)
                continue
            with staged(out, data) as file:
                file.place(name)
            made.append(path)
    except BaseException:
        take_away(made, out)
        raise
    return made, lost


def take_away(made: Iterable[Path], folder: Path) -> None:
    """Undoes `copy_files`."""
    for path in made:
        with suppress(OSError):
            path.unlink()
    with suppress(OSError):
        folder.rmdir()


def _sound(path: Path, sha256: str) -> bool:
    try:
        return digest_of(path) == sha256
    except OSError:
        return False
