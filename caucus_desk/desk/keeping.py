"""Backups: a copy of the store while the desk goes on, and a copy put where there is nothing yet."""

from collections.abc import Iterator
from pathlib import Path

from caucus_desk.desk.integrity import LASTING, check_store
from caucus_desk.desk.naming import clean_name, one_line
from caucus_desk.desk.people import SignIn, allow, sign_in_kind
from caucus_desk.desk.roles import Job, roles_listed
from caucus_desk.desk.session import Desk, open_desk
from caucus_desk.desk.wording import listed
from caucus_desk.rules.errors import Refused
from caucus_desk.store.actions import Action
from caucus_desk.store.attachments import copy_files, folder_of, take_away
from caucus_desk.store.copying import copy_file, remove_with_journals
from caucus_desk.store.errors import damaged
from caucus_desk.store.files import check_known
from caucus_desk.store.location import check_mark, store_path
from caucus_desk.tally.progress import Progress, no_progress

_NAMED = 5


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
) -> Path:
    """Makes a store again from a backup, where no file is yet, with its attachments. Returns where it is.

    The backup is checked on the way and is not touched. `remarks` as for `backup`.
    """
    return _copy(
        store_path(backup),
        store_path(location),
        progress or no_progress,
        "Restoring the store",
        remarks=remarks,
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
                raise Refused(
                    f"{source} has accounts: only {roles_listed(Job.BACK_UP)} may copy it. Say who does it, "
                    "with --by NAME."
                )
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
        named = listed([f"{files[name].name} of {files[name].precinct_id}" for name in lost[:_NAMED]])
        more = f" and {len(lost) - _NAMED:,} more" if len(lost) > _NAMED else ""
        remarks.append(
            f"Not in the copy, because the store has lost them or they were altered there: {named}{more}."
        )
    return made
