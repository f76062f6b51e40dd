"""Why a store cannot be used: one plain sentence each, exit code 4, and nothing is lost.

SQLite's own result codes are sorted here into what a person can act on. What is left over (a broken
constraint, wrong SQL) is a fault of the program and is not caught.
"""

import sqlite3
from pathlib import Path
from typing import ClassVar

from caucus_desk.rules.errors import CaucusError


class StoreError(CaucusError):
    """The store cannot be used. Nothing was changed by what was refused."""

    exit_code: ClassVar[int] = 4


class StoreMissing(StoreError):
    """There is no such file or folder."""


class StoreExists(StoreError):
    """A file is already there; creating and restoring never overwrite. Nothing is wrong with a store."""

    exit_code = 3


class NotAStore(StoreError):
    """The file is something else, or another program's."""


class StoreDamaged(StoreError):
    """The file is cut off or its pages contradict each other."""


class StoreTooNew(StoreError):
    """A newer Caucus Desk made it."""


class StoreLocked(StoreError):
    """Another process held the store longer than the time-out."""


class StoreReadOnly(StoreError):
    """The file or its folder cannot be written."""


class StoreFull(StoreError):
    """No space left on the disk."""


class StoreUnreachable(StoreError):
    """The file cannot be opened or read: permission, a disk that went away."""


class NotLetIn(StoreUnreachable):
    """The server wants another name or password; `location` says where, as it is shown."""

    def __init__(self, sentence: str, location: str) -> None:
        super().__init__(sentence)
        self.location = location


class StoreUncertain(StoreUnreachable):
    """A shared store went away while it was saving: whether it was saved is not known."""


class Again(StoreLocked):
    """Another desk wrote at the same moment, and the whole step must be made again."""

    given_up = False
    """It was made again already, as often as it may be."""


class StoreUnsupported(StoreError):
    """A kind of location that this version cannot use."""


_PRIMARY = 0xFF
"""SQLite's extended codes carry the primary one in their low byte."""


def as_store_error(error: BaseException, location: str) -> StoreError | None:
    """The sentence for an error of the driver, or None where it is a fault of the program."""
    code = getattr(error, "sqlite_errorcode", None)
    if code is None:
        return None
    primary = code & _PRIMARY
    if primary in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return StoreLocked(
            f"{location} is being written by another program and stayed locked. Nothing was saved; "
            "try again when the other program has finished."
        )
    if primary == sqlite3.SQLITE_FULL:
        return StoreFull(
            f"The disk that holds {location} is full. Nothing was saved, nothing was lost; "
            "free some space and save again."
        )
    if primary == sqlite3.SQLITE_READONLY:
        return read_only(location)
    if primary in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return damaged(location)
    if primary in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH):
        return StoreUnreachable(
            f"{location} cannot be opened. Check that you may read and write the file and its folder."
        )
    if primary == sqlite3.SQLITE_IOERR:
        return StoreUnreachable(
            f"The disk that holds {location} did not answer. Nothing was saved; "
            "check the disk or the network."
        )
    return None


def exists(path: Path) -> StoreExists:
    return StoreExists(
        f"{path} already exists, and a store never takes the place of another file. Choose another name."
    )


def journal_name(path: Path) -> StoreExists:
    """SQLite would take a file of such a name for a part of the store beside it."""
    return StoreExists(
        f"{path.name} is the name of the journal that belongs to a store beside it. Choose another name, "
        f"such as {path.name.rsplit('-', 1)[0]}.backup."
    )


def no_room_in(folder: Path) -> StoreReadOnly:
    """For a store or a copy that is still to be made."""
    return StoreReadOnly(
        f"Nothing can be written into the folder {folder}, so no store can be made there. "
        "Choose another folder, or make this one writable."
    )


def read_only(location: str) -> StoreReadOnly:
    if "://" in location:  # a shared store is no file that anybody could make writable
        return StoreReadOnly(f"{location} can only be read with your database account. Nothing was saved.")
    return StoreReadOnly(
        f"{location} is read-only, the file or its folder. Make both writable, or copy the store elsewhere."
    )


def old_and_read_only(location: str) -> StoreReadOnly:
    return StoreReadOnly(
        f"{location} is of an older version and is read-only, so it cannot be brought up to date there. "
        "Copy it into a folder that can be written and open the copy."
    )


def damaged(location: str, detail: str = "") -> StoreDamaged:
    told = f" ({detail})" if detail else ""
    return StoreDamaged(
        f"{location} is damaged{told}. Leave the file as it is and "
        "restore the last good backup to a new file."
    )
