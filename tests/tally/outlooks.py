"""Small rosters, and the real results of 2020, for the tests of what follows from an overview."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from caucus_desk.exchange.results import read_results
from caucus_desk.exchange.roster import read_roster
from caucus_desk.paths import resources
from caucus_desk.rules.loading import parse_rule_set
from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.tally.assess import assess
from caucus_desk.tally.overview import Overview
from caucus_desk.tally.report import Channel, Report
from caucus_desk.tally.results import PrecinctResult
from caucus_desk.tally.roster import Precinct, PrecinctKind
from caucus_desk.tally.sheet import GroupCounts, ResultSheet

FILE = resources() / "rules" / "iowa-2020.toml"
RULES: RuleSet = parse_rule_set(FILE.read_text(encoding="utf-8"), FILE.name)
NOON = datetime(2020, 2, 4, 18, 0, tzinfo=UTC)
IOWA = Path(__file__).parents[2] / ".." / "shared" / "data" / "iowa2020"
FINAL, RELEASE_71, RELEASE_92 = (
    "results_final.csv", "results_20200204_71pct.csv", "results_20200205_92pct.csv",
)  # fmt: skip


def sheet(attendance: int | None, **rows: tuple[int | None, int | None, int | None]) -> ResultSheet:
    return ResultSheet(attendance, tuple(GroupCounts(group, *counts) for group, counts in rows.items()))


def given(attendance: int | None = None, **delegates: int) -> ResultSheet:
    """A sheet of which only the delegates (and the attendance) matter."""
    return sheet(attendance, **{group: (9, 9, count) for group, count in delegates.items()})


def precinct(
    id: str, delegates: int | None, state: int | None = 4, total: int | None = 40, **more: object
) -> Precinct:
    county = str(more.pop("county", "Adair"))
    district = str(more.pop("district", "3"))
    return Precinct(
        id, county, f"Precinct {id}", district=district, delegates=delegates,
        county_state_delegates=state, county_total_delegates=40, **more,  # type: ignore[arg-type]
    )  # fmt: skip


def site(id: str, people: int | None, state: int | None = 6, pool: str = "CD1 Satellite") -> Precinct:
    return Precinct(id, pool, f"Site {id}", PrecinctKind.SATELLITE, "1", None, state, None, people)


def report(precinct: Precinct, figures: ResultSheet | None, rules: RuleSet = RULES) -> PrecinctResult:
    """In by app only: reported, not verified."""
    reports = [Report(1, precinct.id, Channel.APP, figures, "Cy", NOON)] if figures else []
    return assess(rules, precinct, reports, None, ())


def pair(
    precinct: Precinct, phone: ResultSheet, paper: ResultSheet, rules: RuleSet = RULES
) -> PrecinctResult:
    reports = [
        Report(1, precinct.id, Channel.PHONE, phone, "Ann", NOON),
        Report(2, precinct.id, Channel.PAPER, paper, "Bo", NOON),
    ]
    return assess(rules, precinct, reports, None, ())


def overview(*results: PrecinctResult, rules: RuleSet = RULES) -> Overview:
    return Overview(rules, "Test", results)


def iowa_roster() -> Mapping[str, Precinct]:
    if not IOWA.is_dir():
        pytest.skip("the published 2020 results (shared/data/iowa2020) are not on this machine")
    return {row.precinct.id: row.precinct for row in read_roster(IOWA / "precincts.csv", RULES).rows}


def iowa_sheets(name: str, roster: Mapping[str, Precinct]) -> Mapping[str, ResultSheet]:
    return {entry.precinct_id: entry.sheet for entry in read_results(IOWA / name, RULES, roster).sheets}


def iowa(name: str, leave_out: Iterable[str] = ()) -> Overview:
    roster = iowa_roster()
    sheets = iowa_sheets(name, roster)
    out = set(leave_out)
    return overview(*(report(p, None if id in out else sheets.get(id)) for id, p in roster.items()))
