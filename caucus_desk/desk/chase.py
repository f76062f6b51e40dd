"""The paper chase: who is sent for a missing worksheet, what was tried, and that it has come."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from caucus_desk.desk.again import again
from caucus_desk.desk.entry import idle
from caucus_desk.desk.errands import end_errands
from caucus_desk.desk.naming import clean_name, clean_text, one_line
from caucus_desk.desk.noting import note_export
from caucus_desk.desk.people import allow
from caucus_desk.desk.roles import Job
from caucus_desk.desk.session import Desk
from caucus_desk.desk.wording import clock, place
from caucus_desk.reports.chaselist import write_chase_list
from caucus_desk.rules.errors import Refused
from caucus_desk.store.units import ReadUnit
from caucus_desk.tally.chase import (
    Age,
    ChaseStep,
    CountyChase,
    Missing,
    Outcome,
    Photos,
    Stage,
    StepKind,
    by_county,
    missing_sheets,
    of_county,
    received_step,
    runner_of,
)
from caucus_desk.tally.errand import ErrandKind
from caucus_desk.tally.overview import Overview
from caucus_desk.tally.progress import Progress, no_progress
from caucus_desk.tally.report import Channel
from caucus_desk.tally.roster import Precinct

__all__ = [
    "Age",
    "ChaseStep",
    "CountyChase",
    "ListWritten",
    "Missing",
    "Outcome",
    "Stage",
    "StepKind",
    "assign",
    "attempt",
    "counties",
    "missing",
    "not_received",
    "note",
    "of_county",
    "received",
    "tell_list",
    "unassign",
    "write_list",
]


def missing(desk: Desk, overview: Overview | None = None) -> tuple[Missing, ...]:
    """Every worksheet that is wanted, in the roster's order. One read of the store."""
    overview = desk.overview() if overview is None else overview
    photos: dict[str, Photos] = {}
    with desk.store.read() as unit:
        steps = unit.chase_steps()
        errands = unit.open_errands()
        began = unit.night_began()
        keying = {
            draft.precinct_id: draft.by
            for draft in unit.drafts()
            if draft.channel is Channel.PAPER and not draft.free and not idle(draft)
        }
        for one in unit.attachments():
            if not one.withdrawn:
                known = photos.get(one.precinct_id, Photos(0, one.at))
                photos[one.precinct_id] = Photos(known.count + 1, known.first)
    return missing_sheets(
        overview.results.values(),
        steps=steps,
        errands=errands,
        photos=photos,
        keying=keying,
        night_began=began,
    )


def counties(overview: Overview, rows: Iterable[Missing]) -> tuple[CountyChase, ...]:
    """Each county with how many of its worksheets are missing, lie here, and are keyed."""
    return by_county(overview.results.values(), rows)


@again
def assign(desk: Desk, precinct_ids: str | Iterable[str], runner: str, *, by: str) -> tuple[ChaseStep, ...]:
    """Sends a runner for one worksheet, or for those of a county; saved when this returns.

    Of several, those that have come meanwhile, or have this runner already, are passed over. Of one it is
    refused, with the reason.
    """
    by = clean_name(by)
    name = one_line(runner)
    if not name:
        raise Refused("Say who goes for the sheet: a name.")
    runner = clean_name(name)
    precincts, alone = _named(desk, precinct_ids)
    taken = []
    with desk.store.write() as unit:
        allow(desk, unit, by, Job.CHASE)
        for precinct in precincts:
            if not alone and (_here(unit, precinct) or _runner_of(unit, precinct) == runner):
                continue
            _wanted(unit, precinct)
            taken.append(
                unit.add_chase_step(
                    precinct.id,
                    StepKind.ASSIGNED,
                    runner=runner,
                    by=by,
                    sentence=f"{by} sent {runner} for the sheet of {place(precinct)}",
                )
            )
        if not taken:
            raise Refused("None of these sheets is to be fetched any more, or this runner has them already.")
    return tuple(taken)


@again
def unassign(desk: Desk, precinct_ids: str | Iterable[str], *, by: str) -> tuple[ChaseStep, ...]:
    """Nobody is sent any more. Refused where nobody was."""
    by = clean_name(by)
    precincts, alone = _named(desk, precinct_ids)
    taken = []
    with desk.store.write() as unit:
        allow(desk, unit, by, Job.CHASE)
        for precinct in precincts:
            runner = _runner_of(unit, precinct)
            if runner:
                taken.append(
                    unit.add_chase_step(
                        precinct.id,
                        StepKind.UNASSIGNED,
                        runner=runner,
                        by=by,
                        sentence=f"{by} took {runner} off the sheet of {place(precinct)}",
                    )
                )
        if not taken:
            raise Refused("Nobody is sent for this sheet." if alone else "Nobody is sent there.")
    return tuple(taken)


@again
def attempt(desk: Desk, precinct_id: str, outcome: Outcome | str, *, note: str = "", by: str) -> ChaseStep:
    """Somebody tried to get the sheet: how that ended, and a note. `other` needs the note."""
    by = clean_name(by)
    note = clean_text(note, "note")
    ended = _outcome(outcome)
    if ended is Outcome.OTHER and not note:
        raise Refused("Say in a few words how the attempt ended.")
    told = note if ended is Outcome.OTHER else f"{ended}: {note}" if note else str(ended)
    precinct = desk.precinct(precinct_id)
    with desk.store.write() as unit:
        allow(desk, unit, by, Job.CHASE)
        _wanted(unit, precinct)
        return unit.add_chase_step(
            precinct_id,
            StepKind.ATTEMPT,
            note=told,
            by=by,
            sentence=f"{by} tried to get the sheet of {place(precinct)}: {told}",
        )


@again
def received(
    desk: Desk, precinct_ids: str | Iterable[str], *, note: str = "", by: str
) -> tuple[ChaseStep, ...]:
    """The sheet lies at the desk: its paper entry is due. Ends a reviewer's errand to fetch it.

    Of several, those that are here already are passed over; of one it is refused, with the reason.
    """
    by = clean_name(by)
    note = clean_text(note, "note")
    precincts, alone = _named(desk, precinct_ids)
    taken = []
    with desk.store.write() as unit:
        allow(desk, unit, by, Job.CHASE)
        for precinct in precincts:
            asked = _asked(unit, precinct)
            step = _last_received(unit, precinct)
            if step is not None and not asked:
                if not alone:
                    continue
                raise Refused(
                    f"{step.by} marked the sheet of {place(precinct)} received at {clock(step.at)} already."
                )
            if not alone and not asked and _paper_in(unit, precinct):
                continue
            _wanted(unit, precinct)
            taken.append(
                unit.add_chase_step(
                    precinct.id,
                    StepKind.RECEIVED,
                    note=note,
                    by=by,
                    sentence=f"{by} received the sheet of {place(precinct)}" + (f" ({note})" if note else ""),
                )
            )
            end_errands(desk, unit, precinct.id, ErrandKind.FETCH, outcome="the sheet has come", by=by)
        if not taken:
            raise Refused("These sheets are here already.")
    return tuple(taken)


@again
def not_received(desk: Desk, precinct_id: str, *, note: str = "", by: str) -> ChaseStep:
    """It was marked received by mistake: a step of its own, both stay. Refused where it was not."""
    by = clean_name(by)
    note = clean_text(note, "note")
    precinct = desk.precinct(precinct_id)
    with desk.store.write() as unit:
        allow(desk, unit, by, Job.CHASE)
        if _last_received(unit, precinct) is None:
            raise Refused(f"The sheet of {place(precinct)} is not marked received.")
        _wanted(unit, precinct)
        return unit.add_chase_step(
            precinct_id,
            StepKind.NOT_RECEIVED,
            note=note,
            by=by,
            sentence=f"{by} took back that the sheet of {place(precinct)} was received"
            + (f" ({note})" if note else ""),
        )


@again
def note(desk: Desk, precinct_id: str, text: str, *, by: str) -> ChaseStep:
    """Something that whoever goes for the sheet should know."""
    by = clean_name(by)
    text = clean_text(text, "note")
    if not text:
        raise Refused("Write the note first.")
    precinct = desk.precinct(precinct_id)
    with desk.store.write() as unit:
        allow(desk, unit, by, Job.CHASE)
        return unit.add_chase_step(
            precinct_id, StepKind.NOTE, note=text, by=by, sentence=f"{by} noted on {place(precinct)}: {text}"
        )


@dataclass(frozen=True, slots=True)
class ListWritten:
    """A list that is in its place. `notes`: what a cell could not hold, in sentences."""

    path: Path
    rows: int
    notes: tuple[str, ...]
    replaced: bool


def write_list(
    desk: Desk, county: str, out: Path | str, *, by: str, progress: Progress | None = None
) -> ListWritten:
    """Writes the missing worksheets of a county, or of all with "", as a workbook that is ready to print.

    The export is in the audit trail before the file is in its place. Raises CannotWrite (with another name
    to offer), and StoreError where the trail cannot be written.
    """
    by = clean_name(by)
    path = Path(out)
    overview = desk.overview()
    if county and not any(one.county == county for one in desk.precincts.values()):
        raise Refused(f"There is no county {county} in this caucus. Check how the roster spells it.")
    rows = of_county(missing(desk, overview), county)
    replaced = path.exists()

    notes = write_chase_list(
        path,
        overview,
        rows,
        county=county,
        as_of=datetime.now(UTC),
        progress=progress or no_progress,
        before_placing=lambda: tell_list(desk, county, one_line(path.name), by=by),
    )
    return ListWritten(path, len(rows), notes, replaced)


def tell_list(desk: Desk, county: str, where_to: str, *, by: str) -> None:
    """Tells the trail that the list goes out, to a file or a printer. To be called before it does."""
    by = clean_name(by)
    what = f"{by} wrote the list of missing worksheets of {county or 'all counties'}: {where_to}"
    note_export(desk, by, what)


# ---- what stands in the store, inside the caller's transaction ----


def _named(desk: Desk, precinct_ids: str | Iterable[str]) -> tuple[list[Precinct], bool]:
    """The precincts, and whether one was named alone."""
    if isinstance(precinct_ids, str):
        return [desk.precinct(precinct_ids)], True
    return [desk.precinct(one) for one in dict.fromkeys(precinct_ids)], False


def _outcome(outcome: Outcome | str) -> Outcome:
    try:
        return Outcome(outcome)
    except ValueError:
        known = ", ".join(Outcome)
        raise Refused(f"{outcome!r} is no outcome of an attempt. There are: {known}.") from None


def _paper_in(unit: ReadUnit, precinct: Precinct) -> bool:
    return Channel.PAPER in unit.standing_reports([precinct.id]).get(precinct.id, {})


def _asked(unit: ReadUnit, precinct: Precinct) -> bool:
    """A reviewer wants the sheet itself."""
    return any(one.kind is ErrandKind.FETCH for one in unit.open_errands([precinct.id]))


def _wanted(unit: ReadUnit, precinct: Precinct) -> None:
    """Refuses where nothing is to be chased."""
    if precinct.merged:
        raise Refused(f"{place(precinct)} was merged into another precinct and has no worksheet.")
    report = unit.standing_reports([precinct.id]).get(precinct.id, {}).get(Channel.PAPER)
    if report is not None and not _asked(unit, precinct):
        raise Refused(
            f"The paper report of {place(precinct)} is in: {report.by} keyed it at {clock(report.at)}."
        )


def _here(unit: ReadUnit, precinct: Precinct) -> bool:
    """Nothing need be fetched there any more."""
    if precinct.merged:
        return True
    if _asked(unit, precinct):
        return False
    return _paper_in(unit, precinct) or _last_received(unit, precinct) is not None


def _runner_of(unit: ReadUnit, precinct: Precinct) -> str:
    return runner_of(unit.chase_steps(precinct.id).get(precinct.id, ()))


def _last_received(unit: ReadUnit, precinct: Precinct) -> ChaseStep | None:
    return received_step(unit.chase_steps(precinct.id).get(precinct.id, ()))
