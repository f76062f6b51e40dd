"""A release as files: CSV and JSON out, and any of its files verified."""

from dataclasses import dataclass
from pathlib import Path

from caucus_desk.desk.document import results_document, row_json
from caucus_desk.desk.gating import title_of
from caucus_desk.desk.naming import clean_name, one_line
from caucus_desk.desk.noting import note_export
from caucus_desk.desk.people import require
from caucus_desk.desk.releases import (
    Release,
    Whole,
    compared,
    frozen_list,
    reasons,
    releases,
    whole,
)
from caucus_desk.desk.roles import Job
from caucus_desk.desk.session import Desk
from caucus_desk.reports.errors import DoesNotAddUp
from caucus_desk.reports.released import write_csv, write_json
from caucus_desk.reports.stamp import ReleaseStamp
from caucus_desk.reports.verified import Due, Verified, verify
from caucus_desk.rules.errors import Refused
from caucus_desk.store.errors import StoreDamaged
from caucus_desk.tally.comparison import Comparison
from caucus_desk.tally.digest import DigestHead, has_units, made_text, sheets_of, totals_of
from caucus_desk.tally.overview import Overview
from caucus_desk.tally.results import By, Counting

__all__ = ["Outgoing", "Verified", "export_release", "outgoing", "verify_file"]


@dataclass(frozen=True)
class Outgoing:
    """A release that may go out, with all that its files need."""

    release: Release
    overview: Overview
    counting: Counting
    stamp: ReleaseStamp


def outgoing(desk: Desk, number: int) -> Outgoing:
    """Refused while it waits for a second person. Raises StoreDamaged where the store's rows do not give
    the digest that the release was made with."""
    one = whole(desk, number)
    made = one.release
    if made.waiting:
        raise Refused(
            f"Release {number}, made by {made.by}, waits for a second person: nothing of it goes out before "
            "another lead has approved it."
        )
    if one.digest != made.digest:
        raise StoreDamaged(
            f"This store is damaged: what it holds of release {number} does not give the digest "
            f"{made.digest_short} that it was made with. Nothing of it was written; see `check`."
        )
    before = _before(desk, made)
    changes: Comparison | None = None
    why: dict[str, str] = {}
    if before is not None:
        try:
            changes = compared(frozen_list(whole(desk, before)), frozen_list(one))
            why = dict(reasons(desk, changes, before, number))
        except Refused:
            changes = None
    return Outgoing(made, one.overview, made.counting, _stamp(one, before, changes, why))


def _before(desk: Desk, made: Release) -> int | None:
    earlier = [other.number for other in releases(desk) if other.number < made.number]
    return earlier[-1] if earlier else None


def _stamp(one: Whole, before: int | None, changes: Comparison | None, why: dict[str, str]) -> ReleaseStamp:
    made = one.release
    return ReleaseStamp(
        number=made.number,
        digest=made.digest,
        made_at=made.at,
        totals=one.totals,
        basis=one.basis_digest,
        zone_minutes=one.basis.zone_minutes,
        zone_name=one.basis.zone_name,
        by=made.by,
        approved_by=made.approved_by or "",
        note=made.note,
        passes=tuple((title_of(each.item), each.found, each.reason) for each in made.passes),
        since=before,
        changes=changes,
        why=why,
    )


def export_release(desk: Desk, number: int, out: Path | str, *, by: str) -> Path:
    """Writes the release to `out`, `.csv` or `.json` by its name (a workbook is `write_workbook`'s), whole or
    not at all. It is noted in the trail, unless the store can only be read. The file is read back and its
    digest compared before anyone hears "done"."""
    by = clean_name(by)
    path = Path(out)
    require(desk, by, Job.EXPORT)
    ending = path.suffix.lower()
    if ending not in (".csv", ".json"):
        raise Refused(f"{path.name} is no name for a release's file. It ends in .csv, .json or .xlsx.")
    one = outgoing(desk, number)
    if ending == ".csv" and not any(True for _ in sheets_of(one.overview, one.counting)):
        raise Refused(
            f"Release {number} counts nothing, so a CSV of it would have no row. Take the workbook."
        )
    sentence = f"{by} wrote release {number} as {one_line(path.name)}, digest {one.release.digest[:16]}"
    note_export(desk, by, sentence)

    def read_back(temporary: Path) -> None:
        back = verify(temporary, ending=ending)
        if not back.ok or back.found != one.release.digest:
            raise DoesNotAddUp(back.differences or ("Its digest is another.",))

    if ending == ".csv":
        write_csv(path, one.overview, one.counting, one.stamp, read_back)
    else:
        write_json(path, _document(one), one.overview, one.counting, one.stamp, read_back)
    return path


def _document(one: Outgoing) -> dict[str, object]:
    document = results_document(one.overview, one.counting, By.STATE, one.release.at)
    for name, by in (("rows", By.STATE), ("districts", By.DISTRICT), ("counties", By.COUNTY)):
        document[name] = [
            {**row_json(one.overview.rules, row), "units_known": has_units(one.overview, row)}
            for row in one.overview.tally(by, one.counting).rows
        ]
    return document


def verify_file(path: Path | str, desk: Desk | None = None) -> Verified:
    """Whether the file's numbers are those released: from the file alone, or with `desk` against the
    release in its store. Raises NotOurWorkbook where it is no release's file."""
    if desk is None:
        return verify(Path(path))
    return verify(Path(path), lambda number: _due(desk, number))


def _due(desk: Desk, number: int) -> Due:
    one = whole(desk, number)
    made = one.release
    head = DigestHead(number, made_text(made.at), str(made.counting), one.basis_digest)
    return Due(
        head,
        made.digest,
        tuple(sheets_of(one.overview, made.counting)),
        tuple(totals_of(one.overview, made.counting)),
    )
