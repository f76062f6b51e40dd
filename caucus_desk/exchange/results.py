"""Results of many precincts from a .csv or .xlsx file, in long or in wide form, as result sheets."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from caucus_desk.exchange.ballot import Ballot
from caucus_desk.exchange.matching import PrecinctFinder
from caucus_desk.exchange.opening import open_tables
from caucus_desk.exchange.problems import Problem, shortened
from caucus_desk.exchange.resultcolumns import vocabulary
from caucus_desk.exchange.resultreading import Reading
from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.tally.progress import Progress, no_progress
from caucus_desk.tally.results import ControlTotal
from caucus_desk.tally.roster import Precinct
from caucus_desk.tally.sheet import ResultSheet

_EXAMPLES = 6


@dataclass(frozen=True, slots=True)
class LoadedSheet:
    """One precinct's sheet and the first row of the file that speaks of it."""

    precinct_id: str
    sheet: ResultSheet
    row: int


@dataclass(frozen=True)
class ResultsFile:
    """What a results file holds.

    A precinct with a bad row is left out of `sheets` as a whole: the rest of it would be a wrong sheet.
    """

    sheets: tuple[LoadedSheet, ...]
    control_totals: tuple[ControlTotal, ...]
    problems: tuple[Problem, ...]
    warnings: tuple[str, ...]


def read_results(
    path: Path, rules: RuleSet, precincts: Mapping[str, Precinct], progress: Progress | None = None
) -> ResultsFile:
    """Read the results of a caucus whose roster is `precincts` (by id).

    Columns that the file lacks are not stated. Rows that cannot be read are in `problems`, all of them.

    Raises:
        BadInput: the file cannot be read at all, or has no heading with the needed columns.
    """
    ballot = Ballot(rules)
    reading = Reading(rules, ballot, PrecinctFinder(precincts))
    with open_tables(
        path, vocabulary(rules, ballot), progress or no_progress, "Reading the results"
    ) as source:
        warnings = list(source.warnings)
        for table in source.tables:
            reading.read(table)
            warnings += table.warnings()
    reading.settle_loose_rows()
    return _outcome(reading, ballot, source.file, warnings)


def _outcome(reading: Reading, ballot: Ballot, file: str, warnings: list[str]) -> ResultsFile:
    sheets, empty, left_out = [], [], []
    for sheet in reading.sheets.values():
        if sheet.bad or reading.unusable:
            left_out.append(sheet.precinct.id)
        elif sheet.empty:
            empty.append(sheet.precinct.id)
        else:
            sheets.append(LoadedSheet(sheet.precinct.id, sheet.sheet(ballot), sheet.row))
    texts = _more_warnings(reading, empty, left_out)
    problems = sorted(reading.problems, key=lambda problem: (problem.sheet or "", problem.row or 0))
    return ResultsFile(
        tuple(sheets),
        tuple(total for total, _ in reading.totals.values()),
        tuple(problems),
        (*warnings, *(f"{file}: {text}" for text in texts)),
    )


def _more_warnings(reading: Reading, empty: list[str], left_out: list[str]) -> Iterator[str]:
    if reading.other_names:
        shown = [
            f"“{shortened(called)}” for {precinct_id}, {shortened(known)} (row {row})"
            for precinct_id, (called, known, row) in list(reading.other_names.items())[:_EXAMPLES]
        ]
        yield (
            f"{_number(reading.other_names, 'precinct is', 'precincts are')} named otherwise than in the "
            f"roster and matched by id: {', '.join(shown)}{_and_more(reading.other_names)}."
        )
    if empty:
        yield (
            f"{_number(empty, 'precinct has no figures and counts', 'precincts have no figures and count')} "
            "as not reported: "
            f"{', '.join(empty[:_EXAMPLES])}{_and_more(empty)}."
        )
    if left_out:
        yield (
            f"{_number(left_out, 'precinct', 'precincts')} with a row that cannot be read: "
            f"{', '.join(left_out[:_EXAMPLES])}{_and_more(left_out)}."
        )


def _number(things: Mapping[str, object] | list[str], one: str, many: str) -> str:
    return f"{len(things):,} {one if len(things) == 1 else many}"


def _and_more(things: Mapping[str, object] | list[str]) -> str:
    return f" and {len(things) - _EXAMPLES:,} more" if len(things) > _EXAMPLES else ""
