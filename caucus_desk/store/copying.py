"""Files of stores: copied while in use, put in place whole, and never over an existing file."""

import os
import secrets
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sqlalchemy.exc import DBAPIError

from caucus_desk.store.connecting import connect
from caucus_desk.store.errors import as_store_error, damaged, exists
from caucus_desk.store.location import check_folder, check_free, journals, os_error, untouchable


@contextmanager
def told(path: Path) -> Iterator[None]:
    """Turns what the driver says of the file into the sentence for a person."""
    try:
        yield
    except DBAPIError as error:
        known = as_store_error(error.orig, str(path)) if error.orig is not None else None
        if known is None:
            raise
        raise known from error
    except sqlite3.Error as error:
        known = as_store_error(error, str(path))
        if known is None:
            raise
        raise known from error


def copy_file(source: Path, out: Path, progress: Callable[[int, int], None] | None = None) -> None:
    """SQLite's online copy to a new file, whole or not at all; an existing file is refused.

    `progress` is told pages done and in all; an error raised from it leaves no file.
    """
    check_folder(out)
    check_free(out)
    making = out.with_name(f".{out.name}.{secrets.token_hex(4)}.new")
    try:
        with told(source):
            reading = connect(source, mode="ro&immutable=1" if untouchable(source) else "rw")
        try:
            _copy_pages(reading, making, source, out, progress)
        finally:
            reading.close()
        move_into_place(making, out)
    except OSError as error:
        raise os_error(error, out) from error
    finally:
        remove_with_journals(making)


def _copy_pages(
    reading: sqlite3.Connection,
    making: Path,
    source: Path,
    out: Path,
    progress: Callable[[int, int], None] | None,
) -> None:
    with told(source):
        if reading.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
            raise damaged(str(source))
    with told(out):
        writing = connect(making, mode="rwc")
        try:
            reading.backup(writing, pages=512 if progress else -1, progress=_paced(progress))
            if [row[0] for row in writing.execute("PRAGMA integrity_check")] != ["ok"]:
                raise damaged(str(out), "the copy does not read back")
        finally:
            writing.close()


def _paced(progress: Callable[[int, int], None] | None) -> Callable[[int, int, int], None] | None:
    if progress is None:
        return None
    return lambda _status, remaining, total: progress(total - remaining, total)


def move_into_place(made: Path, path: Path) -> None:
    """Gives a finished file its name without ever taking an existing file's place."""
    with made.open("rb+") as file:
        os.fsync(file.fileno())
    try:
        os.link(made, path)
    except FileExistsError as error:
        raise exists(path) from error
    except OSError:
        # A disk without hard links (memory sticks): take the name first, then put the file there.
        try:
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
        except FileExistsError as error:
            raise exists(path) from error
        os.replace(made, path)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """So that the new name survives a power cut; Windows has no such call."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def remove_with_journals(path: Path) -> None:
    for name in (path, *journals(path)):
        with suppress(FileNotFoundError):
            name.unlink()
