"""A county's worksheet form as a workbook: printed and filled by hand, or filled here and loaded back.

A row is a precinct. Its headings are those of the wide form of a results file (exchange), so that what was
typed comes back in as paper results: a blank group is nobody there, a blank row a precinct that has not
reported, and a half-filled group stays half-filled, for the checks to ask about.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum, auto
from pathlib import Path

from caucus_desk.reports.naming import plain
from caucus_desk.reports.plan import MAX_ROWS, column_letter
from caucus_desk.reports.text import sheet_name
from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.tally.progress import Progress, no_progress
from caucus_desk.tally.roster import Precinct
from caucus_desk.tally.sheet import COLUMNS

INSTRUCTIONS = (
    "Write what stands on each precinct's paper worksheet, in digits. Work nothing out and correct nothing.",
    "A group with nobody: leave its cells empty. A group that is there has all three: 0 where the sheet says "
    "0. Amber: something of it is missing.",
    "A precinct that has not reported: leave its row empty. Nobody came: attendance 0.",
    "Chance, where a toss decided: who tossed and who won, such as Sanders|Warren>Warren.",
    "When some or all is filled, load this file as paper results. It can be loaded again when there is more: "
    "what is the same is skipped.",
)


class Input(Enum):
    """What may be typed into a column."""

    NOTHING = auto()
    """Filled in from the roster, and locked."""
    COUNT = auto()
    TICK = auto()
    TEXT = auto()


@dataclass(frozen=True, slots=True)
class FormColumn:
    """`over` is the heading's upper line: the group's name over its three columns, else the heading."""

    over: str
    under: str = ""
    input: Input = Input.COUNT
    width: float = 7.0


def form_columns(rules: RuleSet) -> tuple[FormColumn, ...]:
    """In the order of the sheet of paper. Headings are those by which exchange knows the columns."""
    return (
        FormColumn("Precinct id", input=Input.NOTHING, width=16),
        FormColumn("Precinct", input=Input.NOTHING, width=26),
        FormColumn("Delegates to elect", input=Input.NOTHING, width=10),
        FormColumn("Attendance", width=11),
        *(FormColumn(field.label, width=11) for field in rules.fields),
        *(FormColumn(group.label, str(column), width=8.6) for group in rules.groups for column in COLUMNS),
        FormColumn("Chance", input=Input.TEXT, width=20),
        FormColumn("Chair signed", input=Input.TICK, width=9),
        FormColumn("Secretary signed", input=Input.TICK, width=10),
        FormColumn("Overwritten", input=Input.TICK, width=12),
    )


def form_name(caucus: str, county: str) -> str:
    """`Iowa 2020 Polk worksheet form.xlsx`."""
    return f"{plain(caucus) or 'Caucus'} {plain(county)} worksheet form.xlsx"


def write_county_form(
    path: Path,
    rules: RuleSet,
    caucus: str,
    county: str,
    precincts: Sequence[Precinct],
    *,
    made_at: datetime,
    progress: Progress = no_progress,
    before_placing: Callable[[], None] | None = None,
) -> tuple[str, ...]:
    """Write the form to `path`, whole or not at all; returns what it could not hold, in sentences.

    `made_at` is UTC and aware: equal arguments give equal bytes. Raises CannotWrite and TooManyRows.
    """
    from caucus_desk.reports.errors import TooManyRows
    from caucus_desk.reports.saving import replacing

    if len(precincts) > MAX_ROWS - len(INSTRUCTIONS) - 3:
        raise TooManyRows(
            f"{county} has {len(precincts):,} precincts, and an Excel sheet has {MAX_ROWS:,} rows. No form "
            "was written."
        )
    with replacing(path) as temporary:
        # openpyxl takes a while to load, so it is loaded when there is something to write.
        from caucus_desk.reports.formsheet import write_form_book

        notes = write_form_book(temporary, rules, caucus, county, precincts, made_at, progress)
        if before_placing is not None:
            before_placing()
        return notes


def form_sheet_name(county: str) -> str:
    return sheet_name(county)


def triples(columns: Sequence[FormColumn]) -> Iterable[tuple[str, str]]:
    """The first and last column of each group, as letters."""
    width = len(COLUMNS)
    starts = [index for index, column in enumerate(columns) if column.under == str(COLUMNS[0])]
    return [(column_letter(index), column_letter(index + width - 1)) for index in starts]
