"""A whole store carried into another kind of place: every row, every file, compared before it is said to
be done."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from caucus_desk.desk.integrity import LASTING, check_store
from caucus_desk.desk.session import Desk, open_desk
from caucus_desk.desk.wording import listed
from caucus_desk.store.attachments import Attachment, digest_of, folder_of, staged, take_away
from caucus_desk.store.errors import damaged
from caucus_desk.store.location import store_path
from caucus_desk.store.moving import TableCopy, copy_rows, make_at, unmake
from caucus_desk.store.shared.address import is_address
from caucus_desk.store.store import Store
from caucus_desk.store.units import ReadUnit, WriteUnit
from caucus_desk.store.verifying import check_chain, check_figures
from caucus_desk.tally.progress import Progress

_NAMED = 5


@dataclass(frozen=True, slots=True)
class Carried:
    """What came over: each table with its rows and digest, the events among them, and files."""

    location: str
    tables: tuple[TableCopy, ...]
    attachments: int
    attachment_bytes: int
    lost: tuple[str, ...]
    """Attachments that the store itself has lost or that were altered there, in words."""

    @property
    def rows(self) -> int:
        return sum(table.rows for table in self.tables)

    @property
    def events(self) -> int:
        return next(table.rows for table in self.tables if table.name == "audit")


def carry(
    source: Desk,
    to: str,
    progress: Progress,
    *,
    folder: Path | None = None,
    last: Callable[[WriteUnit], object] | None = None,
) -> Carried:
    """Copies a store, as it stands at one moment, into an empty place; the store itself is not touched.

    Every table is read back and compared by its digest, the trail and the figures are checked, and only
    then it is saved; `last` may add to it after that. Then it is opened and checked as `check` does. Any
    error, also an interruption, leaves nothing there. `folder`: where the files of a store in a file lie,
    if not beside it. Raises StoreError, or Cancelled from `progress`.
    """
    Store.check_free(to)
    shared = is_address(to)
    files = _Files(source, None if shared else folder_of(store_path(to)), folder)
    carried: list[Carried] = []

    def fill(unit: WriteUnit) -> None:
        with source.store.read() as reading:
            tables = copy_rows(reading, unit, lambda done, total: progress(done, total, "Copying the store"))
            progress(0, 0, "Checking the copy")
            faults = (*check_chain(unit), *check_figures(unit))
            if faults:
                raise damaged(source.location, "; ".join(faults[:_NAMED]))
            files.carry(reading, unit, progress)
        if last is not None:
            last(unit)
        carried.append(Carried(to, tables, files.count, files.size, tuple(files.lost)))

    made = False
    try:
        make_at(to, fill)
        made = True
        progress(0, 0, "Checking the new store")
        with open_desk(to) as desk:
            faults = [line.detail for line in check_store(desk) if not line.ok and line.name in LASTING]
            if faults:
                raise damaged(source.location, "; ".join(faults))
    except BaseException:
        files.undo()
        if made:
            unmake(to)
        raise
    return carried[0]


def lost_in_words(lost: tuple[str, ...]) -> str:
    """For a remark; empty where nothing is lost."""
    if not lost:
        return ""
    more = f" and {len(lost) - _NAMED:,} more" if len(lost) > _NAMED else ""
    return (
        "Not in the copy, because the store has lost them or they were altered there: "
        f"{listed(list(lost[:_NAMED]))}{more}."
    )


class _Files:
    """The files of attachments, from a folder or a table into a folder or a table."""

    def __init__(self, source: Desk, out: Path | None, folder: Path | None) -> None:
        shared = source.store.is_shared
        self._from = None if shared else folder or folder_of(source.store.path)
        self._out = out
        self._made: list[Path] = []
        self.count = self.size = 0
        self.lost: list[str] = []

    def carry(self, reading: ReadUnit, unit: WriteUnit, progress: Progress) -> None:
        given = {one.file_name: one for one in reading.attachments()}
        for done, (name, one) in enumerate(given.items()):
            progress(done, len(given), "Copying the attachments")
            data = self._read(reading, one)
            if data is None or hashlib.sha256(data).hexdigest() != one.sha256:
                self.lost.append(f"{one.name} of {one.precinct_id}")
                continue
            if self._out is None:
                unit.keep_bytes(one.sha256, data)
            else:
                self._put(self._out, name, one.sha256, data)
            self.count += 1
            self.size += len(data)

    def _read(self, reading: ReadUnit, one: Attachment) -> bytes | None:
        if self._from is None:
            return reading.kept_bytes(one.sha256)
        try:
            return (self._from / one.file_name).read_bytes()
        except OSError:
            return None

    def _put(self, out: Path, name: str, sha256: str, data: bytes) -> None:
        path = out / name
        if path.is_file() and digest_of(path) == sha256:
            return
        with staged(out, data) as file:
            file.place(name)
        self._made.append(path)

    def undo(self) -> None:
        if self._out is not None:
            take_away(self._made, self._out)
