"""Sheets in a line: a room, its precinct, and what the checks say of it."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from caucus_desk.rules.loading import parse_rule_set
from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.tally.checks import check_sheet
from caucus_desk.tally.finding import Finding
from caucus_desk.tally.roster import Precinct, PrecinctKind
from caucus_desk.tally.sheet import GroupCounts, ResultSheet

RULES = Path(__file__).parents[3] / "resources" / "rules"
Row = tuple[int | None, int | None, int | None]


@pytest.fixture(scope="session")
def iowa() -> RuleSet:
    return parse_rule_set((RULES / "iowa-2020.toml").read_text(encoding="utf-8"), "iowa-2020.toml")


@pytest.fixture(scope="session")
def nevada() -> RuleSet:
    return parse_rule_set((RULES / "nevada-2020.toml").read_text(encoding="utf-8"), "nevada-2020.toml")


class Room:
    """Builds one precinct's sheet and asks the checks: `room(100, 4, Biden=(40, 44, 2)).ids`."""

    def __init__(self, rules: RuleSet, precinct: Precinct, sheet: ResultSheet) -> None:
        self.rules, self.precinct, self.sheet = rules, precinct, sheet

    @property
    def findings(self) -> dict[str, Finding]:
        found = check_sheet(self.rules, self.precinct, self.sheet)
        by_id = {finding.id: finding for finding in found}
        assert len(by_id) == len(found), "one finding for a sheet and an id"
        assert list(by_id) == sorted(by_id)
        return by_id

    @property
    def ids(self) -> set[str]:
        return set(self.findings)

    def says(self, id: str) -> str:
        return self.findings[id].message

    def but(self, **changes: object) -> "Room":
        """The same sheet with other values beside the counts."""
        return Room(self.rules, self.precinct, replace(self.sheet, **changes))

    def at(self, **changes: object) -> "Room":
        """The same sheet at another precinct."""
        return Room(self.rules, replace(self.precinct, **changes), self.sheet)

    def under(self, **severities: str) -> "Room":
        return Room(replace(self.rules, severities=severities), self.precinct, self.sheet)


@pytest.fixture
def room(iowa: RuleSet) -> Callable[..., Room]:
    def build(attendance: int | None, elects: int | None, rules: RuleSet = iowa, **rows: Row) -> Room:
        groups = tuple(GroupCounts(group, *counts) for group, counts in rows.items())
        precinct = Precinct("77-01", "Polk", "Ankeny 1", delegates=elects)
        return Room(rules, precinct, ResultSheet(attendance, groups))

    return build


@pytest.fixture
def site(iowa: RuleSet) -> Callable[..., Room]:
    """A satellite site; its delegates are the band of its attendance unless the roster says otherwise."""

    def build(attendance: int | None, signed_in: int | None, elects: int | None = None, **rows: Row) -> Room:
        groups = tuple(GroupCounts(group, *counts) for group, counts in rows.items())
        precinct = Precinct(
            "SAT-1", "CD1 Satellite", "Library", PrecinctKind.SATELLITE, "1", elects, attendance=signed_in
        )
        return Room(iowa, precinct, ResultSheet(attendance, groups))

    return build


@pytest.fixture
def good(room: Callable[..., Room]) -> Room:
    """A sheet with which nothing is wrong: 100 people, 4 delegates, 15 needed."""
    return room(100, 4, Biden=(40, 44, 2), Sanders=(30, 33, 1), Warren=(20, 23, 1), Yang=(10, 0, 0))
