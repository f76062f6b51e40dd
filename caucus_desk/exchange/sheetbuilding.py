"""Result sheets in the making: what the rows of a file say of each precinct, until all rows are read."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from typing import TypeVar

from caucus_desk.exchange.ballot import Ballot
from caucus_desk.exchange.cells import CellFault, count, decimal, yes_no
from caucus_desk.exchange.problems import Problem
from caucus_desk.exchange.tables import Table
from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.tally.roster import Precinct
from caucus_desk.tally.sheet import ChanceRecord, GroupCounts, ResultSheet

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Facts:
    """What a row says of its whole precinct; None where it says nothing."""

    attendance: int | None = None
    second_attendance: int | None = None
    threshold: int | None = None
    delegates_to_elect: int | None = None
    chance: tuple[ChanceRecord, ...] | None = None
    chair_signed: bool | None = None
    secretary_signed: bool | None = None
    overwritten: bool | None = None
    extras: tuple[tuple[str, int], ...] = ()


FACT_COLUMNS = tuple(each.name for each in fields(Facts) if each.name != "extras")
NO_FACTS = Facts()


@dataclass(slots=True)
class SheetInProgress:
    """One precinct's rows so far. `bad` once a row of it cannot be read: then none of it is used."""

    precinct: Precinct
    table: Table
    row: int
    groups: dict[str, tuple[GroupCounts, int]] = field(default_factory=dict)
    facts: Facts = NO_FACTS
    fact_rows: dict[str, int] = field(default_factory=dict)
    raw_facts: tuple[str, ...] | None = None
    bad: bool = False

    @property
    def empty(self) -> bool:
        """Not a count anywhere: a line prepared for a precinct that has not reported.

        An attendance of 0 is a result: nobody came. Any other says only that people did.
        """
        return self.facts.attendance != 0 and all(
            counts.blank and counts.sde is None for counts, _ in self.groups.values()
        )

    def sheet(self, ballot: Ballot) -> ResultSheet:
        """The sheet, groups in ballot order, those without a figure left out (they are blank)."""
        rows = [
            c for c, _ in self.groups.values() if not c.blank or c.sde is not None or c.signed is not None
        ]
        order = ballot.order
        rows.sort(key=lambda counts: order[counts.group])
        facts = self.facts
        return ResultSheet(
            attendance=facts.attendance,
            groups=tuple(rows),
            extras=facts.extras,
            threshold=facts.threshold,
            delegates_to_elect=facts.delegates_to_elect,
            second_attendance=facts.second_attendance,
            chance=facts.chance or (),
            chair_signed=facts.chair_signed,
            secretary_signed=facts.secretary_signed,
            overwritten=facts.overwritten,
        )


class CellReader:
    """Reads single cells of one table's rows; what is wrong goes to the problems."""

    def __init__(self, table: Table, rules: RuleSet, ballot: Ballot, problems: list[Problem]) -> None:
        self.table, self._ballot, self._problems = table, ballot, problems
        self._extras = tuple(each.key for each in rules.fields)
        # The same few numbers stand in most cells: each is worked out once.
        self._counted: dict[str, int | None] = {"": None}
        self._decimals: dict[str, Fraction | None] = {"": None}
        self._indexes = {name: heading.index for name, heading in table.columns.items()}

    def text(self, row: list[str], column: str) -> str:
        index = self._indexes.get(column)
        return "" if index is None or index >= len(row) else row[index]

    def cell(self, number: int, row: list[str], column: str, parse: Callable[[str], T]) -> T | None:
        """The cell's meaning; None where blank, and where it is wrong, which is noted."""
        text = self.text(row, column)
        if not text:
            return None
        try:
            return parse(text)
        except CellFault as fault:
            self.bad(number, column, text, fault.expected)
            return None

    def bad(self, number: int | None, column: str | None, value: str, expected: str) -> None:
        self._problems.append(self.table.problem(number, column, value, expected))

    def counts(
        self, number: int, row: list[str], group: str, columns: dict[str, str]
    ) -> tuple[GroupCounts, bool]:
        """A group's counts, and whether every cell could be read. `columns` says where each one stands."""
        before = len(self._problems)
        first = self._count(number, row, columns["first"])
        final = self._count(number, row, columns["final"])
        delegates = self._count(number, row, columns["delegates"])
        sde = self._decimal(number, row, columns["sde"])
        signed = self.cell(number, row, columns["signed"], yes_no)
        return GroupCounts(group, first, final, delegates, sde, signed), len(self._problems) == before

    def _count(self, number: int, row: list[str], column: str) -> int | None:
        text, known = self.text(row, column), self._counted
        if text in known:
            return known[text]
        before = len(self._problems)
        value = self.cell(number, row, column, lambda text: count(text, self.table.numbers))
        if len(self._problems) == before:
            known[text] = value
        return value

    def _decimal(self, number: int, row: list[str], column: str) -> Fraction | None:
        text, known = self.text(row, column), self._decimals
        if text in known:
            return known[text]
        before = len(self._problems)
        value = self.cell(number, row, column, lambda text: decimal(text, self.table.numbers))
        if len(self._problems) == before:
            known[text] = value
        return value

    def facts(self, number: int, row: list[str]) -> tuple[Facts, bool]:
        """What the row says of its precinct, and whether every cell could be read."""
        before = len(self._problems)
        extras = [(key, self._count(number, row, key)) for key in self._extras]
        facts = Facts(
            attendance=self._count(number, row, "attendance"),
            second_attendance=self._count(number, row, "second_attendance"),
            threshold=self._count(number, row, "threshold"),
            delegates_to_elect=self._count(number, row, "delegates_to_elect"),
            chance=self.cell(number, row, "chance", self._ballot.chance) or None,
            chair_signed=self.cell(number, row, "chair_signed", yes_no),
            secretary_signed=self.cell(number, row, "secretary_signed", yes_no),
            overwritten=self.cell(number, row, "overwritten", yes_no),
            extras=tuple((key, value) for key, value in extras if value is not None),
        )
        return facts, len(self._problems) == before

    def merge(self, sheet: SheetInProgress, number: int, row: list[str], facts: Facts) -> bool:
        """Adds a row's facts to its precinct's; False where they contradict an earlier row."""
        good = True
        for column in FACT_COLUMNS:
            value = getattr(facts, column)
            if value is None:
                continue
            known = getattr(sheet.facts, column)
            if known is None:
                sheet.facts = replace(sheet.facts, **{column: value})
                sheet.fact_rows[column] = number
            elif known != value:
                self._contradiction(sheet, number, column, self.text(row, column), known)
                good = False
        known_extras = dict(sheet.facts.extras)
        for key, extra in facts.extras:
            earlier = known_extras.setdefault(key, extra)
            sheet.fact_rows.setdefault(key, number)
            if earlier != extra:
                self._contradiction(sheet, number, key, self.text(row, key), earlier)
                good = False
        if facts.extras:
            ordered = ((key, known_extras[key]) for key in self._extras if key in known_extras)
            sheet.facts = replace(sheet.facts, extras=tuple(ordered))
        return good

    def _contradiction(
        self, sheet: SheetInProgress, number: int, column: str, value: str, known: object
    ) -> None:
        if isinstance(known, bool):
            said = "yes, as" if known else "no, as"
        else:
            said = f"{known}, as" if isinstance(known, int) else "the same as"
        first = sheet.fact_rows[column]
        self.bad(number, column, value, f"{said} row {first} says of {sheet.precinct.id}, or a blank cell")


@dataclass(slots=True)
class LooseRow:
    """A row that belongs to no precinct that can be told, with its neighbours in the file.

    Mistyped, it may be a row of the precinct before or after it, whose sheet would then lack a group.
    """

    number: int
    group: str | None
    before: SheetInProgress | None
    after: SheetInProgress | None = None

    def suspects(self, usual_groups: int) -> Iterator[SheetInProgress]:
        """Neighbours that lack just this row's group (or any group, where the row's own is not known)."""
        for sheet in (self.before, self.after):
            if sheet is None or sheet.bad:
                continue
            lacks = len(sheet.groups) < usual_groups if self.group is None else self.group not in sheet.groups
            if lacks:
                yield sheet
