"""Where a store may lie, and what can be said of a file before SQLite opens it."""

import os
import sqlite3
import sys
import tempfile
from errno import EACCES, EDQUOT, ENOSPC, EPERM, EROFS
from pathlib import Path

from caucus_desk.store.errors import (
    NotAStore,
    StoreError,
    StoreFull,
    StoreMissing,
    StoreUnreachable,
    StoreUnsupported,
    damaged,
    exists,
    journal_name,
    no_room_in,
    read_only,
)
from caucus_desk.store.schema import APPLICATION_ID

_MAGIC = b"SQLite format 3\0"
_HEADER = 100
OLDEST_SQLITE = (3, 37)
"""The first with STRICT tables."""
_NETWORK_KINDS = frozenset(
    {
        "nfs",
        "nfs4",
        "cifs",
        "smb3",
        "smbfs",
        "fuse.sshfs",
        "fuse.davfs",
        "davfs",
        "afpfs",
        "9p",
        "ncpfs",
        "afs",
    }
)
_REMOTE_DRIVE = 4


def check_sqlite() -> None:
    """Refuses an SQLite that would let text into columns of numbers."""
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        raise StoreUnsupported(
            f"This Python comes with SQLite {sqlite3.sqlite_version}, and stores need 3.37 or newer. "
            "Install a newer Python."
        )


def store_path(location: str | Path) -> Path:
    """The file that a location names. A database URL is refused."""
    text = str(location)
    if not text.strip():
        raise StoreMissing("No store was named. Give the path of a store, for example caucus.db.")
    if "://" in text:
        kind = text.split("://", 1)[0]
        raise StoreUnsupported(
            f"A store at a {kind} address cannot be used by this version. "
            "Give the path of a file on this computer."
        )
    try:
        return Path(os.path.abspath(Path(text).expanduser()))
    except (OSError, RuntimeError, ValueError) as error:
        raise StoreUnreachable(f"{text} cannot be the path of a store: {error}.") from error


def check_file(path: Path) -> None:
    """Refuses what is not there, not a store, damaged at sight, or not to be written."""
    check_mark(path)
    try:
        with path.open("r+b"):
            pass
    except OSError as error:
        raise os_error(error, path) from error
    check_folder(path)


def check_mark(path: Path) -> None:
    """Refuses what is not there, not a store, or damaged at sight; it need not be writable."""
    try:
        _check_there(path)
        with path.open("rb") as file:
            header = file.read(_HEADER)
            size = file.seek(0, os.SEEK_END)
    except OSError as error:
        raise os_error(error, path) from error
    _check_header(path, header, size)


def untouchable(path: Path) -> bool:
    """Whether nobody can write beside the file, and so nobody writes it either: a sealed disk."""
    if any(os.path.lexists(one) for one in journals(path)):
        return False
    try:
        check_folder(path)
    except StoreError:
        return True
    return False


def check_folder(path: Path) -> None:
    """Refuses a folder in which no file can be made: SQLite keeps its journal beside the store.

    Asking for permission bits is not enough (read-only disks, administrators), so a file is made.
    """
    folder = path.parent
    if not folder.is_dir():
        raise StoreMissing(f"The folder {folder} does not exist. Make it first, or choose another place.")
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise os_error(error, path) from error


def check_free(path: Path) -> None:
    """Refuses a place where something already is; a dangling link is something too.

    A journal left by a lost store of the same name counts: SQLite would play it into the new file.
    """
    if path.name.endswith(_JOURNAL_TAILS):
        raise journal_name(path)
    for taken in (path, *journals(path)):
        if os.path.lexists(taken):
            raise exists(taken)


_JOURNAL_TAILS = ("-wal", "-shm", "-journal")


def journals(path: Path) -> tuple[Path, ...]:
    """Files that SQLite may keep beside a store."""
    return tuple(path.with_name(path.name + tail) for tail in _JOURNAL_TAILS)


def os_error(error: OSError, path: Path) -> StoreError:
    """The sentence for what the operating system refused."""
    if error.errno in (EROFS, EACCES, EPERM):
        if not os.access(path if path.exists() else path.parent, os.R_OK):
            return StoreUnreachable(
                f"You may not read {path}. Ask for permission, or log in as the person who owns it."
            )
        return read_only(str(path)) if os.path.lexists(path) else no_room_in(path.parent)
    if error.errno in (ENOSPC, EDQUOT):
        return StoreFull(f"The disk that holds {path} is full. Free some space first.")
    return StoreUnreachable(f"{path} cannot be used: {error.strerror or error}.")


def _check_there(path: Path) -> None:
    if path.is_dir():
        raise NotAStore(f"{path} is a folder, not a store. Name the file in it.")
    if not path.exists():
        if not path.parent.is_dir():
            raise StoreMissing(f"There is no store {path}: the folder {path.parent} does not exist.")
        raise StoreMissing(f"There is no store {path}. Check the name, or make a new one.")
    if not path.is_file():
        raise NotAStore(f"{path} is not a file, so it cannot be a store.")


def _check_header(path: Path, header: bytes, size: int) -> None:
    if not header.startswith(_MAGIC):
        if header and _MAGIC.startswith(header):
            raise damaged(str(path), "only its first bytes are there")
        what = "is empty" if not header else "is not a Caucus Desk store"
        raise NotAStore(f"{path} {what}. Choose a store, or make a new one.")
    if len(header) < _HEADER:
        raise damaged(str(path), "only its first bytes are there")
    if int.from_bytes(header[68:72], "big") != APPLICATION_ID:
        raise NotAStore(f"{path} is another program's database, not a Caucus Desk store.")
    page = int.from_bytes(header[16:18], "big")
    page = 65536 if page == 1 else page
    if page == 0 or size % page:
        raise damaged(str(path), "it is cut off")


def network_warning(path: Path) -> str | None:
    """A sentence where the store lies on a network drive, as far as can be found out."""
    if not _on_network(path):
        return None
    return (
        f"{path} lies on a network drive. Several computers must not write such a store at once, and a lost "
        "connection can damage it; keep the store on this computer's own disk and share backups."
    )


def _on_network(path: Path) -> bool:
    if sys.platform == "win32":  # pragma: no cover - Windows only
        import ctypes

        if path.drive.startswith("\\\\"):
            return True
        return bool(ctypes.windll.kernel32.GetDriveTypeW(path.anchor) == _REMOTE_DRIVE)
    try:
        mounts = Path("/proc/self/mounts").read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return False
    return kind_of_mount(path, mounts) in _NETWORK_KINDS


def kind_of_mount(path: Path, mounts: str) -> str:
    """The file system type under a path, from the system's list of mounts; the deepest one holds."""
    best, kind = "", ""
    for line in mounts.splitlines():
        parts = line.split(" ")
        if len(parts) < 3:
            continue
        point = parts[1].replace("\\040", " ").replace("\\011", "\t").replace("\\134", "\\")
        if len(point) >= len(best) and path.is_relative_to(point):
            best, kind = point, parts[2]
    return kind
