"""Backups: a copy of the store while the desk goes on, and a copy put where there is nothing yet."""

from pathlib import Path

from caucus_desk.desk.integrity import LASTING, check_store
from caucus_desk.desk.session import open_desk
from caucus_desk.store.copying import copy_file, remove_with_journals
from caucus_desk.store.errors import damaged
from caucus_desk.store.location import check_mark, store_path
from caucus_desk.store.store import check_known
from caucus_desk.tally.progress import Progress, no_progress


def backup(location: str | Path, out: str | Path, progress: Progress | None = None) -> Path:
    """A verified copy of a store, made while others go on writing it. Returns where it is.

    The copy is checked as `check` does before this says that it is done. An existing file is never
    overwritten. Raises StoreError, also where the store itself was altered behind the program's back,
    or Cancelled from `progress`; then there is no copy.
    """
    return _copy(store_path(location), store_path(out), progress or no_progress, "Copying the store")


def restore(backup: str | Path, location: str | Path, progress: Progress | None = None) -> Path:
    """Makes a store again from a backup, where no file is yet. Returns where it is.

    The backup is checked on the way and is not touched.
    """
    return _copy(store_path(backup), store_path(location), progress or no_progress, "Restoring the store")


def _copy(source: Path, out: Path, progress: Progress, what: str) -> Path:
    check_mark(source)
    check_known(source)
    copy_file(source, out, lambda done, total: progress(done, total, what))
    try:
        progress(0, 0, "Checking the copy")
        with open_desk(str(out)) as desk:
            faults = [line.detail for line in check_store(desk) if not line.ok and line.name in LASTING]
        if faults:
            raise damaged(str(source), "; ".join(faults))
    except BaseException:
        remove_with_journals(out)
        raise
    return out
