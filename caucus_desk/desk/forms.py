"""A county's worksheet form out of a desk; it comes back in as paper results, through `load`."""

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from caucus_desk.desk.naming import clean_name, one_line
from caucus_desk.desk.noting import can_note, note_export
from caucus_desk.desk.people import require
from caucus_desk.desk.roles import Job
from caucus_desk.desk.session import Desk
from caucus_desk.desk.workbook import county_named
from caucus_desk.reports.forms import form_name, write_county_form
from caucus_desk.rules.errors import Refused
from caucus_desk.tally.progress import Progress, no_progress


@dataclass(frozen=True, slots=True)
class WrittenForm:
    path: Path
    county: str
    precincts: int
    notes: tuple[str, ...]
    """What the file could not hold as it was, in sentences."""
    replaced: bool
    """Whether it took the place of an earlier file of that name."""
    noted: bool = True
    """False where the store can only be read, so that its trail does not know of the file."""


def write_form(
    desk: Desk, county: str, out: Path | str, *, by: str = "", progress: Progress | None = None
) -> WrittenForm:
    """Writes the form of a county, or pool of satellite sites, whole or not at all.

    Where `out` is a folder the file gets a name of its own in it. Merged precincts are not on the form.
    Raises Refused where the county has no precincts, and CannotWrite with another name to offer.
    """
    by = clean_name(by) if by else ""
    require(desk, by, Job.EXPORT)
    county = county_named(desk, county)
    precincts = [one for one in desk.precincts.values() if one.county == county and not one.merged]
    if not precincts:
        raise Refused(f"Every precinct of {county} was merged into another: there is no sheet to fill.")
    path = Path(out)
    if path.suffix.lower() != ".xlsx" and path.is_dir():
        path = path / form_name(desk.caucus, county)
    replaced = path.exists()

    def say() -> None:
        if by:
            note_export(desk, by, f"{by} wrote the worksheet form of {county}: {one_line(path.name)}")

    notes = write_county_form(
        path,
        desk.rules,
        desk.caucus,
        county,
        precincts,
        made_at=datetime.now(UTC),
        progress=progress or no_progress,
        before_placing=say,
    )
    return WrittenForm(path, county, len(precincts), notes, replaced, can_note(desk))
