"""A file appears whole or not at all: written beside its place, flushed to the disk, then moved there."""

import errno
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from caucus_desk.reports.errors import CannotWrite


@contextmanager
def replacing(path: Path, ending: str = ".xlsx") -> Iterator[Path]:
    """Gives a temporary path in the folder of `path`; moves it into place when the block ends well.

    `ending` is what the name must end in: a workbook's, `.csv` or `.json`.

    Whatever is raised inside, what stood at `path` stands there still and nothing is left beside it.
    Raises CannotWrite, before the block where it can be known by then.
    """
    target = _checked(path, ending)
    temporary = _temporary(target)
    try:
        try:
            yield temporary
            _settle(temporary, target)
        except OSError as error:
            raise refusal(error, target) from error
    finally:
        with suppress(OSError):
            temporary.unlink()


def free_name(path: Path) -> Path | None:
    """`results (2).xlsx` beside `results.xlsx`: the first name that is not taken. None: the folder can't be
    read."""
    for number in range(2, 1000):
        candidate = path.with_name(f"{path.stem} ({number}){path.suffix}")
        try:
            if not os.path.lexists(candidate):
                return candidate
        except OSError:
            return None
    return None


def refusal(error: OSError, path: Path) -> CannotWrite:
    """The sentence for what the system said."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return CannotWrite(
            f"The disk is full, so {path.name} was not written. Make room, or choose another disk.", path
        )
    if error.errno == errno.EROFS:
        return _read_only_folder(path)
    if isinstance(error, PermissionError):
        return in_use(path)
    if error.errno == errno.ENAMETOOLONG:
        return CannotWrite(f"The name {path.name[:40]}… is too long. Choose a shorter one.", path)
    reason = error.strerror or type(error).__name__
    return CannotWrite(f"{path} can't be written: {reason}. Choose another place.", path)


def in_use(path: Path) -> CannotWrite:
    """The target itself refuses: usually held open by Excel, else made read-only by someone."""
    free = free_name(path)
    other = f' save it as "{free.name}"' if free else " choose another name"
    return CannotWrite(
        f"{path.name} can't be replaced: it is open in another program, such as Excel, or is read-only. "
        f"Close it there and write it again, or{other}.",
        path,
        free,
    )


def _checked(path: Path, ending: str) -> Path:
    """The real place of the file, after every refusal that can be known before any work is done."""
    if path.suffix.lower() != ending:
        return _refuse_name(path, ending)
    try:
        target = Path(os.path.realpath(path))
        folder = target.parent
        if not folder.is_dir():
            raise CannotWrite(
                f"There is no folder {folder}. Make it, or choose another place for {path.name}.", path
            )
        if target.is_dir():
            free = free_name(path)
            other = f', for example "{free.name}"' if free else ""
            raise CannotWrite(f"{path} is a folder, not a file. Choose another name{other}.", path, free)
        if target.exists():
            if not os.access(target, os.W_OK):
                raise in_use(path)
            # Windows refuses to open for writing what Excel holds: better known now than at the end.
            with target.open("r+b") as file:
                _refuse_other(path, file.read(16), ending)
        elif target.suffix.lower() != ending:
            return _refuse_link(path, target, ending)
    except OSError as error:
        raise refusal(error, path) from error
    except ValueError as error:  # a null character in the name
        raise CannotWrite("The file's name holds a character that no name can have.", path) from error
    return target


def _refuse_name(path: Path, ending: str) -> Path:
    better = path.with_name(f"{path.stem or 'results'}{ending}")
    what = "A workbook" if ending == ".xlsx" else "Such a file"
    raise CannotWrite(
        f'{what}\'s name ends in {ending}, and "{path.name}" does not. Use "{better.name}".', path, better
    )


def _refuse_other(path: Path, beginning: bytes, ending: str) -> None:
    """Only a file of the same kind, or an empty one, is ever replaced: never a store, whatever its name."""
    archive = beginning.startswith((b"PK\x03\x04", b"PK\x05\x06"))
    if not beginning or (archive if ending == ".xlsx" else not archive and b"\0" not in beginning):
        return
    free = free_name(path)
    other = f', for example "{free.name}"' if free else ""
    what = "a database (a store is one)" if beginning == b"SQLite format 3\0" else _NO[ending]
    raise CannotWrite(f"{path} is {what} and is not replaced. Choose another name{other}.", path, free)


_NO = {".xlsx": "no workbook", ".csv": "no text file", ".json": "no text file"}


def _refuse_link(path: Path, target: Path, ending: str) -> Path:
    free = free_name(path)
    other = f', for example "{free.name}"' if free else ""
    raise CannotWrite(
        f"{path} is a link to {target}, whose name does not end in {ending}. Choose another name{other}.",
        path,
        free,
    )


def _temporary(target: Path) -> Path:
    """An empty file of our own in the folder of the target: it must be on the same disk to be moved."""
    while True:
        path = target.with_name(f".{target.stem[:40]}.{secrets.token_hex(4)}.tmp")
        try:
            # Not mkstemp: the finished file should have the rights that any new file gets here.
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
        except FileExistsError:
            continue
        except OSError as error:
            if isinstance(error, PermissionError):
                raise _read_only_folder(target) from error
            raise refusal(error, target) from error
        return path


def _read_only_folder(path: Path) -> CannotWrite:
    return CannotWrite(
        f"Nothing can be written into the folder {path.parent}. Choose another folder for {path.name}.", path
    )


def _settle(temporary: Path, target: Path) -> None:
    """Bytes to the disk, then the name: a power cut leaves the old file or the new one."""
    with temporary.open("r+b") as file:
        os.fsync(file.fileno())
    if target.exists():
        with suppress(OSError):
            shutil.copymode(target, temporary)
    os.replace(temporary, target)
    if os.name == "posix":
        with suppress(OSError):
            folder = os.open(target.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
