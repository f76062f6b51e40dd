"""Results files in: a report for each precinct in the file, all or nothing unless asked otherwise."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from caucus_desk.desk.again import again
from caucus_desk.desk.guards import WORDLESS, in_words
from caucus_desk.desk.heads import all_heads
from caucus_desk.desk.naming import clean_name, clean_text, one_line, same_person
from caucus_desk.desk.people import allow, require
from caucus_desk.desk.roles import Job
from caucus_desk.desk.session import Desk
from caucus_desk.desk.settling import settle
from caucus_desk.exchange.problems import BadInput, Problem
from caucus_desk.exchange.results import LoadedSheet, read_results
from caucus_desk.rules.errors import Refused
from caucus_desk.store.actions import Action
from caucus_desk.store.records import CachedState, NewReport
from caucus_desk.store.units import WriteUnit
from caucus_desk.tally.heads import Heads
from caucus_desk.tally.progress import Progress, no_progress
from caucus_desk.tally.receipt import receipt_code
from caucus_desk.tally.report import Channel, Report
from caucus_desk.tally.results import ControlTotal
from caucus_desk.tally.sheet import ResultSheet


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a load did. `refused` is empty unless bad rows were skipped on purpose."""

    new: int
    """First reports of their channel."""
    superseded: int
    """Reports that took the place of an older one of the channel."""
    unchanged: int
    """Sheets equal to the channel's standing report, or to one of several, skipped."""
    control_totals: int
    """Counties with a stated total."""
    refused: tuple[Problem, ...]
    warnings: tuple[str, ...]
    precinct_ids: tuple[str, ...] = ()
    """The precincts whose reports are new, or in place of an older one."""


@again
def load_results(
    desk: Desk,
    path: Path,
    *,
    channel: Channel,
    by: str,
    skip_bad: bool = False,
    correct: str | None = None,
    progress: Progress | None = None,
) -> Loaded:
    """Loads a results file as reports of `channel`, keyed by `by`.

    `correct` is the reason for which verified precincts may change. Raises BadInput with every bad row
    (cells that can't be read, merged precincts, another channel by the same person, verified precincts)
    unless `skip_bad`, and Cancelled from `progress`; then nothing was saved.
    """
    by = clean_name(by)
    if correct is not None and not correct.strip():
        raise Refused("A correction of verified precincts needs a reason. Say why these figures are right.")
    reason = clean_text(correct or "")
    if reason and not in_words(reason):
        raise Refused(WORDLESS)
    require(desk, by, Job.LOAD)
    tell = progress or no_progress
    read = read_results(path, desk.rules, desk.precincts, tell)
    if read.problems and not skip_bad:
        raise BadInput(path.name, read.problems)
    total = len(read.sheets)
    tell(0, total, "Saving the reports")
    with desk.store.write() as unit:
        allow(desk, unit, by, Job.LOAD)
        if reason:
            allow(desk, unit, by, Job.CORRECT)
        sorting = _Sorting(desk, unit, one_line(path.name), channel, by, reason)
        for sheet in read.sheets:
            sorting.take(sheet)
        problems = (*read.problems, *sorting.problems)
        if problems and not skip_bad:
            raise BadInput(path.name, problems)
        _remember_corrections(unit, unit.add_reports(sorting.reports), sorting, reason)
        tell(total // 2, total, "Working out the states")
        settle(unit, desk.rules, (report.precinct_id for report in sorting.reports), desk.precincts)
        totals = _new_totals(unit, read.control_totals, one_line(path.name), by)
        superseded = sum(report.replaces is not None for report in sorting.reports)
        done = Loaded(
            new=len(sorting.reports) - superseded,
            superseded=superseded,
            unchanged=sorting.unchanged,
            control_totals=totals,
            refused=problems,
            warnings=read.warnings,
            precinct_ids=tuple(report.precinct_id for report in sorting.reports),
        )
        unit.log(Action.LOADED, _told(one_line(path.name), channel, by, done), actor=by)
        tell(total, total, "Saving the reports")
    return done


class _Sorting:
    """Decides for each sheet of the file whether it becomes a report, changes nothing, or is refused."""

    def __init__(
        self, desk: Desk, unit: WriteUnit, file: str, channel: Channel, by: str, correct: str
    ) -> None:
        self._desk, self._file, self._channel, self._by, self._correct = desk, file, channel, by, correct
        self._standing = all_heads(unit)
        self._typists = unit.typists()
        self._states = unit.states()
        self._seen: dict[str, int] = {}
        self.reports: list[NewReport] = []
        self.corrected: set[str] = set()
        """Precincts that were verified before this file."""
        self.problems: list[Problem] = []
        self.unchanged = 0

    def take(self, loaded: LoadedSheet) -> None:
        precinct_id = loaded.precinct_id
        standing = self._standing.get(precinct_id, {})
        first = self._seen.setdefault(precinct_id, loaded.row)
        if first != loaded.row:
            self._refuse(loaded, f"one sheet a precinct; row {first} has it already")
            return
        alike = standing.get(self._channel, ())
        ours = alike[0] if alike else None
        if any(same_sheet(one.sheet, loaded.sheet) for one in alike):
            self.unchanged += 1
            return
        problem = self._problem(precinct_id, standing)
        if problem:
            self._refuse(loaded, problem)
            return
        precinct = self._desk.precincts[precinct_id]
        sentence = f"{self._by} loaded the {self._channel} report of {precinct.name}, {precinct.county}"
        sentence += f" ({precinct_id}) from {self._file}, row {loaded.row}"
        if ours is not None:
            sentence += f", in place of report {' and '.join(str(one.id) for one in alike)}"
        if self._verified(precinct_id):
            sentence += f"; correction of a verified precinct: {self._correct}"
            self.corrected.add(precinct_id)
        self.reports.append(
            NewReport(
                precinct_id,
                self._channel,
                loaded.sheet,
                self._by,
                receipt=receipt_code(precinct_id, loaded.sheet),
                source=self._file,
                replaces=None if ours is None else ours.id,
                sentence=sentence,
            )
        )

    def _problem(self, precinct_id: str, standing: Heads) -> str:
        if self._desk.precincts[precinct_id].merged:
            return "no report, because this precinct is merged into another one (it elects no delegates)"
        for channel, report in ((one, report) for one, alike in standing.items() for report in alike):
            if channel is self._channel:
                continue
            for name in (report.by, *self._typists.get(report.id, ())):
                if same_person(name, self._by):
                    did = "brought" if name == report.by else "had a hand in"
                    return f"another person, because {name} {did} the {channel} report of this precinct"
        if self._verified(precinct_id) and not self._correct:
            return "no change, because this precinct is verified; give a reason to correct it"
        return ""

    def _verified(self, precinct_id: str) -> bool:
        state: CachedState | None = self._states.get(precinct_id)
        return state is not None and state.verified

    def _refuse(self, loaded: LoadedSheet, expected: str) -> None:
        self.problems.append(
            Problem(self._file, None, loaded.row, "precinct_id", loaded.precinct_id, expected)
        )


def _remember_corrections(unit: WriteUnit, added: Iterable[Report], sorting: _Sorting, reason: str) -> None:
    replaced = {new.precinct_id: new.replaces for new in sorting.reports}
    for report in added:
        if report.precinct_id in sorting.corrected:
            unit.add_correction(
                report.id,
                replaced[report.precinct_id],
                reason,
                True,
                by=report.by,
                precinct_id=report.precinct_id,
                sentence=f"{report.by} corrected {report.precinct_id}, which was verified: {reason}",
            )


def same_sheet(one: ResultSheet, other: ResultSheet) -> bool:
    """Whether two sheets say the same in everything that is kept, blank rows being nobody there."""
    return one.fingerprint == other.fingerprint and _beside(one) == _beside(other)


def _beside(sheet: ResultSheet) -> tuple[object, ...]:
    """What a sheet states beside its counts."""
    rows = {
        row.group: (row.sde or None, row.signed) for row in sheet.groups if row.sde or row.signed is not None
    }
    return (
        sheet.threshold,
        sheet.delegates_to_elect,
        sheet.second_attendance,
        sheet.chance,
        sheet.chair_signed,
        sheet.secretary_signed,
        sheet.overwritten,
        rows,
    )


def _new_totals(unit: WriteUnit, stated: tuple[ControlTotal, ...], file: str, by: str) -> int:
    """Keeps the counties' totals that are not kept already; how many counties the file states."""
    if not stated:
        return 0
    known = set(unit.control_totals())
    counties = sorted({total.county for total in stated if total not in known})
    if counties:
        fresh = [total for total in stated if total.county in counties]
        sentence = f"{by} loaded control totals of {', '.join(counties)} from {file}"
        unit.set_control_totals(fresh, by=by, sentence=sentence)
    return len({total.county for total in stated})


def _told(file: str, channel: Channel, by: str, done: Loaded) -> str:
    told = f"{by} loaded {file} as {channel}: {done.new:,} new, {done.superseded:,} in place of older ones"
    told += f", {done.unchanged:,} unchanged"
    if done.refused:
        told += f", {len(done.refused):,} bad rows skipped"
    return told
