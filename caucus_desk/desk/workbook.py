"""The leadership workbook out of a desk: written, read back and compared before anyone hears "done"."""

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from caucus_desk.desk.naming import clean_name, one_line
from caucus_desk.desk.people import allow, require
from caucus_desk.desk.roles import Job
from caucus_desk.desk.session import Desk
from caucus_desk.reports.errors import CannotWrite
from caucus_desk.reports.leadership import write_leadership
from caucus_desk.reports.totals import WorkbookTotals
from caucus_desk.store.actions import Action
from caucus_desk.tally.progress import Progress, no_progress
from caucus_desk.tally.results import Counting


@dataclass(frozen=True, slots=True)
class Written:
    """A workbook that is in its place and adds up. `as_of` is UTC."""

    path: Path
    banner: str
    as_of: datetime
    counting: Counting
    rows: tuple[tuple[str, int], ...]
    """Each sheet with its number of rows, as read back from the file."""
    notes: tuple[str, ...]
    """What the file could not hold as it was, in sentences."""
    counted: int = 0
    """Precincts that are counted in it."""
    replaced: bool = False
    """Whether it took the place of an earlier file of that name."""


def write_workbook(
    desk: Desk,
    out: Path | str,
    counting: Counting = Counting.REPORTED,
    progress: Progress | None = None,
    by: str = "",
) -> Written:
    """Writes the workbook to `out`, whole or not at all; what stood there before survives any failure.

    The file is read back, and its control totals compared with the desk's, before it takes its place.
    With `by` the export is in the audit trail before the file is in its place: none goes out that the trail
    does not know. Raises CannotWrite (with another name to offer), DoesNotAddUp, StoreError where the trail
    cannot be written, and Cancelled from `progress`.
    """
    by = clean_name(by) if by else ""
    require(desk, by, Job.EXPORT)
    path = Path(out)
    as_of = datetime.now(UTC)
    replaced = path.exists()
    overview = desk.overview()
    said = False

    def say(what: str) -> None:
        with desk.store.write() as unit:
            allow(desk, unit, by, Job.EXPORT)
            unit.log(Action.EXPORTED, what, actor=by)

    def known(totals: WorkbookTotals) -> None:
        nonlocal said
        if by:
            say(f"{by} wrote the workbook {one_line(path.name)}: {totals.banner}")
            said = True

    try:
        totals = write_leadership(
            path,
            overview,
            as_of=as_of,
            counting=counting,
            progress=progress or no_progress,
            verify=True,
            before_placing=known,
        )
    except CannotWrite:
        if said:
            say(f"The workbook {one_line(path.name)} was not put in its place, and what stood there stands")
        raise
    return Written(
        path=path,
        banner=totals.banner,
        as_of=as_of,
        counting=counting,
        rows=tuple((sheet.sheet, sheet.rows) for sheet in totals.sheets),
        notes=totals.notes,
        counted=overview.tally(counting=counting).rows[0].counted,
        replaced=replaced,
    )
