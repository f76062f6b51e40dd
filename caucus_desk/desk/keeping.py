"""Backups: a copy of the store while the desk goes on, and a copy put where there is nothing yet.

A backup is always a file, also of a shared store.
"""

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from caucus_desk.desk.again import again
from caucus_desk.desk.carrying import carry, lost_in_words
from caucus_desk.desk.integrity import LASTING, check_store
from caucus_desk.desk.naming import clean_name, one_line
from caucus_desk.desk.people import SignIn, allow, sign_in_kind
from caucus_desk.desk.roles import Job, roles_listed
from caucus_desk.desk.session import Desk, open_desk
from caucus_desk.rules.errors import Refused
from caucus_desk.store.actions import Action
from caucus_desk.store.attachments import copy_files, folder_of, take_away
from caucus_desk.store.copying import copy_file, remove_with_journals
from caucus_desk.store.errors import StoreDamaged, damaged
from caucus_desk.store.files import check_known
from caucus_desk.store.location import check_mark, store_path
from caucus_desk.store.shared.address import is_address, shown_location
from caucus_desk.tally.progress import Progress, no_progress


@again
def backup(
    location: str | Path,
    out: str | Path,
    progress: Progress | None = None,
    *,
    desk: Desk | None = None,
    by: str = "",
    remarks: list[str] | None = None,
) -> Path:
    """A verified copy of a store, made while others go on writing it. Returns where it is.

    The copy is checked as `check` does before this says that it is done. An existing file is never
    overwritten. Raises StoreError, also where the store itself was altered behind the program's back,
    or Cancelled from `progress`; then there is no copy.

    Its attachments are copied along, into `<out>.attachments`. One that the store has lost does not
    hinder the rest: `remarks` is given a sentence that says so.

    A store with accounts is only copied for someone who may: `by`, signed in on its `desk`. Audited there.
    """
    if desk is not None:
        by = clean_name(by)
        with desk.store.write() as unit:
            allow(desk, unit, by, Job.BACK_UP)
            unit.log(Action.BACKED_UP, f"{by} began a backup: {one_line(Path(out).name)}", actor=by)
    if is_address(out):
        raise Refused(
            f"A backup is a file, and {shown_location(out)} is a shared store. "
            "To go on working there, use `move`; to put a backup there, `restore`."
        )
    if is_address(location):
        return _backup_shared(str(location), store_path(out), progress or no_progress, desk, remarks)
    return _copy(
        store_path(location),
        store_path(out),
        progress or no_progress,
        "Copying the store",
        nameless=desk is None,
        remarks=remarks,
    )


def restore(
    backup: str | Path,
    location: str | Path,
    progress: Progress | None = None,
    *,
    remarks: list[str] | None = None,
) -> str:
    """Makes a store again from a backup, with its attachments: where no file is yet, or in an empty
    database. Returns where it is.

    The backup is checked on the way and is not touched. `remarks` as for `backup`.
    """
    if is_address(backup):
        raise Refused(
            f"{shown_location(backup)} is a shared store and no backup. `backup` makes one of it, in a file."
        )
    if is_address(location):
        return _restore_shared(store_path(backup), str(location), progress or no_progress, remarks)
    restored = _copy(
        store_path(backup),
        store_path(location),
        progress or no_progress,
        "Restoring the store",
        remarks=remarks,
    )
    return str(restored)


def _backup_shared(
    location: str, out: Path, progress: Progress, desk: Desk | None, remarks: list[str] | None
) -> Path:
    with ExitStack() as opened:
        source = desk if desk is not None else opened.enter_context(open_desk(location, looking=True))
        if desk is None and sign_in_kind(source) is SignIn.ACCOUNTS:
            raise _nameless(source.location)
        lost = lost_in_words(carry(source, str(out), progress).lost)
    if lost and remarks is not None:
        remarks.append(lost)
    return out


def _restore_shared(backup: Path, location: str, progress: Progress, remarks: list[str] | None) -> str:
    check_mark(backup)
    check_known(backup)
    # An older backup is brought up to date on the way: in a copy, since it is not to be touched.
    with tempfile.TemporaryDirectory(prefix="caucus-desk-") as folder:
        passing = Path(folder) / "passing.caucus"
        copy_file(backup, passing, lambda done, total: progress(done, total, "Reading the backup"))
        with open_desk(str(passing)) as source:
            try:
                lost = lost_in_words(carry(source, location, progress, folder=folder_of(backup)).lost)
            except StoreDamaged as error:
                raise StoreDamaged(error.sentence.replace(str(passing), str(backup))) from error
    if lost and remarks is not None:
        remarks.append(lost)
    return shown_location(location)


def _nameless(location: object) -> Refused:
    return Refused(
        f"{location} has accounts: only {roles_listed(Job.BACK_UP)} may copy it. Say who does it, "
        "with --by NAME."
    )


def _copy(
    source: Path,
    out: Path,
    progress: Progress,
    what: str,
    *,
    nameless: bool = False,
    remarks: list[str] | None = None,
) -> Path:
    """`nameless`: the copy must be of a store that asks nobody who they are."""
    check_mark(source)
    check_known(source)
    copy_file(source, out, lambda done, total: progress(done, total, what))
    made: list[Path] = []
    try:
        with open_desk(str(out)) as desk:
            if nameless and sign_in_kind(desk) is SignIn.ACCOUNTS:
                raise _nameless(source)
            made = _copy_attachments(desk, source, progress, [] if remarks is None else remarks)
            progress(0, 0, "Checking the copy")
            faults = [line.detail for line in check_store(desk) if not line.ok and line.name in LASTING]
        if faults:
            raise damaged(str(source), "; ".join(faults))
    except BaseException:
        take_away(made, folder_of(out))
        remove_with_journals(out)
        raise
    return out


def _copy_attachments(desk: Desk, source: Path, progress: Progress, remarks: list[str]) -> list[Path]:
    """The files of the copy's rows; returns those that were made."""
    with desk.store.read() as unit:
        rows = unit.attachments()
    files = {one.file_name: one for one in rows}
    done = 0

    def each() -> Iterator[tuple[str, str]]:
        nonlocal done
        for name, one in files.items():
            progress(done, len(files), "Copying the attachments")
            yield name, one.sha256
            done += 1

    made, lost = copy_files(each(), folder_of(source), folder_of(Path(desk.location)))
    if lost:
        remarks.append(
            lost_in_words(tuple(f"{files[name].name} of {files[name].precinct_id}" for name in lost))
        )
    return made
