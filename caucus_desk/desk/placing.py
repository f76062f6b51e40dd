"""New files that a desk writes: whole or not at all, and never in another file's place."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EACCES, EDQUOT, ENOSPC, EPERM, EROFS
from pathlib import Path
from typing import IO

from caucus_desk.rules.errors import Refused
from caucus_desk.store.copying import sync_folder


class NewFile:
    """A file that is being made. It has its name only once `place` was called."""

    def __init__(self, path: Path, making: Path, handle: IO[bytes]) -> None:
        self.path, self.handle = path, handle
        self.making = making
        """Where its bytes lie until then."""
        self.placed = False

    def place(self) -> None:
        self.handle.flush()
        os.fsync(self.handle.fileno())
        try:
            os.link(self.making, self.path)
        except FileExistsError as error:
            raise _taken(self.path) from error
        except OSError:
            # A disk without hard links (memory sticks): take the name first, then put the file there.
            try:
                os.close(os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
            except FileExistsError as error:
                raise _taken(self.path) from error
            self.handle.close()
            os.replace(self.making, self.path)
        self.placed = True
        sync_folder(self.path.parent)

    def take_back(self) -> None:
        """What the file tells of was not saved after all."""
        if self.placed:
            with suppress(OSError):
                self.path.unlink()
            self.placed = False


@contextmanager
def new_file(path: Path) -> Iterator[NewFile]:
    """An open, empty file beside `path`. Raises Refused where nothing can be written there.

    What is raised within takes the file away again, also after it was placed.
    """
    if os.path.lexists(path):
        raise _taken(path)
    making = path.with_name(f".{path.name}.{secrets.token_hex(4)}.new")
    try:
        with making.open("x+b") as handle:
            made = NewFile(path, making, handle)
            try:
                yield made
            except BaseException:
                made.take_back()
                raise
    except OSError as error:
        raise _cannot_write(error, path) from error
    finally:
        with suppress(OSError):
            making.unlink()


def free_name(path: Path) -> Path:
    """The path, or the first of `name 2`, `name 3`, … that no file has."""
    count, found = 1, path
    while os.path.lexists(found):
        count += 1
        found = path.with_name(f"{path.stem} {count}{path.suffix}")
    return found


def plain_name(*parts: str) -> str:
    """A file's name that every system can have: letters, digits, and what is between them."""
    text = " ".join(parts)
    kept = "".join(letter if letter.isalnum() or letter in " .-_" else " " for letter in text)
    return " ".join(kept.split())[:120].strip(" .") or "caucus"


def _taken(path: Path) -> Refused:
    return Refused(f"There is a file {path} already, and it was left as it is. Choose another name.")


def _cannot_write(error: OSError, path: Path) -> Refused:
    if error.errno in (ENOSPC, EDQUOT):
        return Refused(
            f"The disk of {path} is full, so nothing was written. Free some space, or take another."
        )
    if error.errno in (EACCES, EPERM, EROFS):
        return Refused(f"Nothing may be written in {path.parent}. Choose another folder.")
    return Refused(f"{path} cannot be written: {error.strerror or error}. Choose another place.")
