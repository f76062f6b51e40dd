"""The roster: every precinct and satellite site of a caucus, read from a .csv or .xlsx file."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from caucus_desk.exchange.cells import (
    CellFault,
    NumberStyle,
    count,
    ident,
    name,
    one_of,
    unwrapped,
    usable,
)
from caucus_desk.exchange.counties import Spellings, count_mismatches, county_facts
from caucus_desk.exchange.folding import fold, fold_name, tidy
from caucus_desk.exchange.headings import Vocabulary
from caucus_desk.exchange.identities import settle_ids
from caucus_desk.exchange.opening import open_tables
from caucus_desk.exchange.problems import BadInput, Problem, row_list, shortened
from caucus_desk.exchange.rosterlines import RosterFile, RosterLine, RosterRow
from caucus_desk.exchange.tables import Table
from caucus_desk.rules.ruleset import RuleSet, Unit
from caucus_desk.tally.progress import Progress, no_progress
from caucus_desk.tally.roster import Precinct, PrecinctKind

COLUMNS = (
    "county",
    "precinct",
    "precinct_id",
    "county_delegates",
    "kind",
    "district",
    "county_state_delegates",
    "county_total_delegates",
    "attendance",
    "last_attendance",
    "registered",
    "chair",
    "phone",
    "pin",
)
NEEDED = frozenset({"county", "precinct", "county_delegates"})
VOCABULARY = Vocabulary(
    {fold(column): column for column in COLUMNS}, NEEDED.issubset, "county, precinct and county_delegates"
)
MAX_NAME = 200
TOTAL_WORDS = frozenset({"total", "totals", "countytotal", "countytotals"})
"""Folded names of a line that adds up its county."""

_KINDS = {"precinct": "precinct", "satellite": "satellite", "satellitesite": "satellite"}
_EXAMPLES = 8

T = TypeVar("T")


def read_roster(path: Path, rules: RuleSet, progress: Progress | None = None) -> RosterFile:
    """Read the roster of a caucus.

    Ids and names stay text. A county typed in several ways gets one spelling; what was changed stands in the
    warnings. `progress` may raise to cancel.

    Raises:
        BadInput: with every problem of the file; nothing of it is used then.
    """
    problems: list[Problem] = []
    lines: list[RosterLine] = []
    with open_tables(path, VOCABULARY, progress or no_progress, "Reading the roster") as source:
        warnings = list(source.warnings)
        for table in source.tables:
            reader = _RowReader(table, rules, problems)
            lines += (line for number, row in table.rows(problems) if (line := reader.line(number, row)))
            problems += (problem for problem, _ in table.merged_cells())
            warnings += table.warnings()
            warnings += reader.warnings()
    if not lines and not problems:
        raise BadInput.whole_file(
            source.file, "There is a heading but no row below it: the roster has no precinct."
        )
    spellings = Spellings((line.precinct.county, line.row) for line in lines)
    lines = [
        replace(line, precinct=replace(line.precinct, county=spellings.of(line.precinct.county)))
        for line in lines
    ]
    lines = county_facts(lines, problems)
    lines = settle_ids(lines, problems)
    if problems:
        raise BadInput(source.file, sorted(problems, key=_place))
    about = [*spellings.warnings(), *count_mismatches(lines), *_about_units(lines, rules)]
    warnings += [f"{source.file}: {text}" for text in about]
    return RosterFile(tuple(RosterRow(line.precinct, line.pin, line.row) for line in lines), tuple(warnings))


def _place(problem: Problem) -> tuple[str, int]:
    return problem.sheet or "", problem.row or 0


def _about_units(lines: list[RosterLine], rules: RuleSet) -> list[str]:
    """Without a county's state delegates there are no SDEs of its precincts."""
    if rules.unit is not Unit.SDE:
        return []
    lacking = dict.fromkeys(
        line.precinct.county
        for line in lines
        if line.precinct.county_state_delegates is None and not line.precinct.merged
    )
    if not lacking:
        return []
    names = ", ".join(list(lacking)[:_EXAMPLES]) + (" and others" if len(lacking) > _EXAMPLES else "")
    return [
        f"no county_state_delegates for {names}: their state delegate equivalents cannot be worked out. "
        "Add the column county_state_delegates to the roster and make the store anew with it."
    ]


class _RowReader:
    """Reads the cells of one table's rows; what is wrong goes to the problems."""

    def __init__(self, table: Table, rules: RuleSet, problems: list[Problem]) -> None:
        self._table, self._rules, self._problems = table, rules, problems
        self._index = {column: table.index(column) for column in COLUMNS}
        self._districts = frozenset(pool.district for pool in rules.pools if pool.district is not None)
        self._tidied: dict[tuple[str, str], int] = {}
        self._no_district: list[int] = []
        self._signed_in: list[int] = []

    def line(self, number: int, row: list[str]) -> RosterLine | None:
        style = self._table.numbers
        kind = PrecinctKind(self._cell(number, row, "kind", _kind) or "precinct")
        satellite = kind is PrecinctKind.SATELLITE
        if satellite and self._rules.satellites is None:
            self._bad(number, row, "kind", f"precinct: the rules {self._rules.name} have no satellite sites")
        county = self._named(number, row, "county", "the county’s name")
        called = self._named(number, row, "precinct", "the precinct’s name")
        key = self._cell(number, row, "precinct_id", ident) or ""
        if len(key) > MAX_NAME:
            self._bad(number, row, "precinct_id", f"an id of at most {MAX_NAME} characters")
        if not key and fold(called) in TOTAL_WORDS:
            self._bad(number, row, "precinct", "a precinct: a line of totals has no place in the roster")
        counts = {column: self._count(number, row, column, style) for column in _COUNT_COLUMNS}
        if not satellite and not tidy(self._text(row, "county_delegates")):
            self._bad(
                number, row, "county_delegates", "the number of county delegates that the precinct elects"
            )
        if counts["attendance"] is not None and not satellite:
            self._signed_in.append(number)
        precinct = Precinct(
            id=key,
            county=county,
            name=called,
            kind=kind,
            district=self._district(number, row, satellite),
            delegates=counts["county_delegates"],
            county_state_delegates=counts["county_state_delegates"],
            county_total_delegates=None if satellite else counts["county_total_delegates"],
            attendance=counts["attendance"] if satellite else None,
            last_attendance=counts["last_attendance"],
            registered=counts["registered"],
            chair=self._cell(number, row, "chair", _plain_text) or "",
            phone=self._cell(number, row, "phone", _plain_text) or "",
        )
        pin = self._cell(number, row, "pin", ident) or ""
        # Lines with a bad cell still take part in the checks of names and ids, if they have a name.
        return RosterLine(self._table, number, precinct, pin) if county and called else None

    def warnings(self) -> list[str]:
        texts = []
        where = f"{self._table.file}, sheet {self._table.sheet}" if self._table.sheet else self._table.file
        if self._tidied:
            shown = [
                f"“{shortened(old)}” is read as “{shortened(new)}” (row {row})"
                for (old, new), row in list(self._tidied.items())[:_EXAMPLES]
            ]
            more = len(self._tidied) - len(shown)
            texts.append(
                f"{where}: spaces were tidied: {', '.join(shown)}{f' and {more:,} more' if more else ''}."
            )
        if self._no_district and self._index["district"] is not None:
            texts.append(f"{where}: no district, so counted statewide only: {row_list(self._no_district)}.")
        if self._signed_in:
            texts.append(
                f"{where}: attendance is kept for satellite sites only and was not read: "
                f"{row_list(self._signed_in)}."
            )
        return texts

    def _text(self, row: list[str], column: str) -> str:
        index = self._index[column]
        return "" if index is None or index >= len(row) else row[index]

    def _cell(self, number: int, row: list[str], column: str, parse: Callable[[str], T]) -> T | None:
        text = self._text(row, column)
        try:
            return parse(text)
        except CellFault as fault:
            expected = fault.expected
            if column == "county_delegates":
                expected = expected.replace(", or a blank cell", "")
            self._problems.append(self._table.problem(number, column, text, expected))
            return None

    def _bad(self, number: int, row: list[str], column: str, expected: str) -> None:
        self._problems.append(self._table.problem(number, column, self._text(row, column), expected))

    def _named(self, number: int, row: list[str], column: str, expected: str) -> str:
        """A name that must be there; "" once a problem is noted."""
        raw = self._text(row, column)
        found = self._cell(number, row, column, name)
        if found is None:
            return ""
        if not fold_name(found):
            self._bad(number, row, column, expected)
            return ""
        if len(found) > MAX_NAME:
            self._bad(number, row, column, f"a name of at most {MAX_NAME} characters")
            return ""
        if found != raw and unwrapped(raw) == raw:
            self._tidied.setdefault((raw, found), number)
        return found

    def _count(self, number: int, row: list[str], column: str, style: NumberStyle) -> int | None:
        return self._cell(number, row, column, lambda text: count(text, style))

    def _district(self, number: int, row: list[str], satellite: bool) -> str | None:
        """The district's id as the rule set names it; None where blank or out of state."""
        text = self._cell(number, row, "district", ident)
        if not text or fold(text) == "outofstate":
            if text is not None and not satellite:
                self._no_district.append(number)
            return None
        if not self._districts or text in self._districts:
            return text
        # `CD 1`, `01` and `District 1` can only mean district 1.
        digits = "".join(sign for sign in text if sign.isdigit()).lstrip("0")
        word = "".join(sign for sign in fold(text) if not sign.isdigit())
        if digits in self._districts and word in ("", "cd", "district", "congressionaldistrict"):
            return digits
        allowed = ", ".join(sorted(self._districts))
        self._bad(
            number, row, "district", f"one of the districts {allowed}, or a blank cell for out of state"
        )
        return None


_COUNT_COLUMNS = (
    "county_delegates",
    "county_state_delegates",
    "county_total_delegates",
    "attendance",
    "last_attendance",
    "registered",
)


def _kind(text: str) -> str:
    return one_of(text, _KINDS) or "precinct"


def _plain_text(text: str) -> str:
    return usable(unwrapped(text))
