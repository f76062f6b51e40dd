"""The leadership workbook out of a desk: written, read back and compared before anyone hears "done"."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from caucus_desk.desk.evening import evening
from caucus_desk.desk.naming import clean_name, folded, one_line
from caucus_desk.desk.noting import can_note, note_export
from caucus_desk.desk.people import require
from caucus_desk.desk.recanvassing import accounts_now, accounts_of_release
from caucus_desk.desk.releasefiles import outgoing
from caucus_desk.desk.roles import Job
from caucus_desk.desk.session import Desk
from caucus_desk.reports.book import Book
from caucus_desk.reports.errors import CannotWrite
from caucus_desk.reports.leadership import write_leadership
from caucus_desk.reports.naming import file_name
from caucus_desk.reports.plan import Page
from caucus_desk.reports.recanvass import recanvass_pages
from caucus_desk.reports.stamp import ReleaseStamp
from caucus_desk.reports.totals import WorkbookTotals
from caucus_desk.rules.errors import Refused
from caucus_desk.tally.editions import Edition
from caucus_desk.tally.evening import Point
from caucus_desk.tally.part import CountyOverview
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
    noted: bool = True
    """False where the store can only be read, so that its trail does not know of the file."""


def suggested_name(
    desk: Desk,
    at: datetime,
    *,
    edition: Edition = Edition.LEADERSHIP,
    county: str = "",
    release: int | None = None,
) -> str:
    """What the file of a workbook made at a time is best called."""
    return file_name(desk.caucus, at.astimezone(), edition=edition, county=county, release=release)


def placed(
    desk: Desk,
    out: Path,
    at: datetime,
    *,
    edition: Edition = Edition.LEADERSHIP,
    county: str = "",
    release: int | None = None,
) -> Path:
    """`out`, or in it the suggested name where it is a folder."""
    if out.suffix.lower() == ".xlsx" or not out.is_dir():
        return out
    return out / suggested_name(desk, at, edition=edition, county=county, release=release)


def county_named(desk: Desk, name: str) -> str:
    """A county or pool as the roster writes it. Raises Refused, naming those that are alike."""
    counties = dict.fromkeys(precinct.county for precinct in desk.precincts.values())
    if name in counties:
        return name
    if not name.strip():
        raise Refused("Name the county, or the pool of satellite sites, as the roster does.")
    same = [county for county in counties if folded(county) == folded(name)]
    if len(same) == 1:
        return same[0]
    alike = [county for county in counties if folded(name) in folded(county)][:5]
    hint = f" Do you mean {', '.join(alike)}?" if alike else " Check how the roster spells it."
    raise Refused(f"There is no county {one_line(name)} in this caucus.{hint}")


def write_workbook(
    desk: Desk,
    out: Path | str,
    counting: Counting = Counting.REPORTED,
    progress: Progress | None = None,
    by: str = "",
    release: int | None = None,
    *,
    edition: Edition = Edition.LEADERSHIP,
    county: str = "",
) -> Written:
    """Writes the workbook to `out`, whole or not at all; what stood there before survives any failure.

    Where `out` is a folder the file gets a name of its own in it. The county edition needs a `county`, or
    pool of satellite sites, named as in the roster without regard to case and accents.

    The file is read back, and its control totals compared with the desk's, before it takes its place.
    With `by` the export is in the audit trail before the file is in its place: none goes out that the trail
    does not know, unless the store can only be read. With `release` it is that release's workbook, counting
    as the release does, and the same to the byte whenever it is written; refused while the release waits
    for its second person.

    Raises CannotWrite (with another name to offer), DoesNotAddUp, StoreError where the trail cannot be
    written, and Cancelled from `progress`.
    """
    by = clean_name(by) if by else ""
    require(desk, by, Job.EXPORT)
    as_of = datetime.now(UTC)
    county = county_named(desk, county) if edition is Edition.COUNTY else ""
    curve: Sequence[Point] = ()
    released: ReleaseStamp | None = None
    if release is None:
        overview = desk.overview()
        curve = evening(desk, as_of).curve if edition.whole else ()
    else:
        one = outgoing(desk, release)
        overview, counting, released, as_of = one.overview, one.counting, one.stamp, one.stamp.made_at
    if county:
        overview = CountyOverview(overview, county)
    more: Sequence[Page] = ()
    if edition.whole:
        accounts = accounts_now(desk) if release is None else accounts_of_release(desk, release)
        more = recanvass_pages(Book.of(overview, as_of, counting, released, edition), accounts)
    path = placed(desk, Path(out), as_of, edition=edition, county=county, release=release)
    replaced = path.exists()
    what = "the workbook"
    if edition is Edition.PRESS:
        what = "the workbook for the press"
    elif county:
        what = f"the workbook of {county}"
    if release is not None:
        what += f" (release {release})"
    said = False

    def known(totals: WorkbookTotals) -> None:
        nonlocal said
        if by:
            note_export(desk, by, f"{by} wrote {what} {one_line(path.name)}: {totals.banner}")
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
            released=released,
            edition=edition,
            curve=curve,
            more=more,
        )
    except CannotWrite:
        if said:
            note_export(
                desk,
                by,
                f"The workbook {one_line(path.name)} was not put in its place, and what stood there stands",
            )
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
        noted=can_note(desk),
    )
