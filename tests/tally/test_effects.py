"""What a choice would do to the precinct's delegates and the state's SDEs, before it is made."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caucus_desk.rules.loading import parse_rule_set
from caucus_desk.rules.ruleset import RoundedSum, RuleSet, Unit
from caucus_desk.tally.assess import assess
from caucus_desk.tally.effects import Effect, RankChange, effect, total_variation
from caucus_desk.tally.overview import Overview
from caucus_desk.tally.report import Channel, Report, Ruling
from caucus_desk.tally.results import PrecinctResult
from caucus_desk.tally.roster import Precinct, PrecinctKind
from caucus_desk.tally.sheet import GroupCounts, ResultSheet

FILE = Path(__file__).parents[2] / "resources" / "rules" / "iowa-2020.toml"
RULES: RuleSet = parse_rule_set(FILE.read_text(encoding="utf-8"), FILE.name)
NOON = datetime(2020, 2, 4, 2, 0, tzinfo=UTC)
PHONE, PAPER = Channel.PHONE, Channel.PAPER

ADAIR = [Precinct(f"A{i}", "Adair", f"Adair {i}", district="3", delegates=5,
                  county_state_delegates=4, county_total_delegates=51) for i in (1, 2)]  # fmt: skip
SITES = [
    Precinct("S1", "CD1 Satellite", "Library", PrecinctKind.SATELLITE, "1", 4, 6, None, None),
    Precinct("S2", "CD1 Satellite", "School", PrecinctKind.SATELLITE, "1", 4, 6, None, None),
]
LINN = Precinct("L1", "Linn", "Cedar Rapids 1", district="1", delegates=5)
"""No state delegates in the roster: its delegates have no worth."""
ROSTER = [*ADAIR, *SITES, LINN]
WORTH = Fraction(4, 51)
Rows = Mapping[str, tuple[int, int, int]]


def sheet(attendance: int | None, **rows: tuple[int, int, int]) -> ResultSheet:
    return ResultSheet(attendance, tuple(GroupCounts(group, *counts) for group, counts in rows.items()))


CLEAN = sheet(100, Sanders=(60, 60, 3), Warren=(40, 40, 2))
SWAPPED = sheet(100, Sanders=(60, 60, 2), Warren=(40, 40, 3))


def stands(precinct: Precinct, *sheets: ResultSheet, rules: RuleSet = RULES) -> PrecinctResult:
    reports = [
        Report(place, precinct.id, channel, one, "Ann", NOON)
        for place, (channel, one) in enumerate(zip((PAPER, PHONE), sheets, strict=False), start=1)
    ]
    return assess(rules, precinct, reports, None, ())


def overview(*results: PrecinctResult, rules: RuleSet = RULES) -> Overview:
    known = {result.precinct.id: result for result in results}
    return Overview(rules, "Test", [known.get(p.id) or stands(p, rules=rules) for p in ROSTER])


def of(seen: Overview, id: str, chosen: ResultSheet) -> Effect:
    return effect(seen, id, "phone", chosen)


def test_a_delegate_that_changes_hands() -> None:
    found = of(overview(stands(ADAIR[0], CLEAN, SWAPPED)), "A1", SWAPPED)
    assert found.delegates == {"Sanders": (3, 2), "Warren": (2, 3)}
    assert found.computed == {"Sanders": (3, 3), "Warren": (2, 2)}
    assert found.sdes == {"Sanders": -WORTH, "Warren": WORTH}
    assert found.sdes_computed == {}
    assert found.moves == WORTH
    assert found.leaders == (("Sanders",), ("Warren",))
    assert found.new_leader
    assert found.sentence == (
        "If phone stands: Sanders −0.0784, Warren +0.0784 SDE statewide. Then Warren leads the state."
    )


def test_what_stands_already_moves_nothing() -> None:
    found = effect(overview(stands(ADAIR[0], CLEAN, SWAPPED)), "A1", "paper", CLEAN)
    assert (found.sdes, found.moves, found.ranks) == ({}, 0, ())
    assert found.sentence == "If paper stands, the tally stays as it is."


def test_places_that_change_statewide() -> None:
    """Biden has two from the other precinct; with a third delegate gone there, Warren is level with him."""
    rest = sheet(100, Sanders=(60, 60, 3), Biden=(40, 40, 2))
    seen = overview(stands(ADAIR[0], CLEAN), stands(ADAIR[1], rest))
    chosen = sheet(100, Sanders=(60, 60, 2), Warren=(40, 40, 3))
    found = of(seen, "A1", chosen)
    assert found.leaders == (("Sanders",), ("Sanders",))
    assert found.ranks == (RankChange("Biden", 2, 3),)
    other = of(seen, "A1", sheet(100, Sanders=(60, 60, 4), Warren=(40, 40, 1)))
    assert other.ranks == (RankChange("Warren", 2, 3),)
    gains = of(seen, "A1", sheet(100, Sanders=(20, 20, 1), Warren=(80, 80, 4)))
    assert gains.ranks == (RankChange("Biden", 2, 3), RankChange("Warren", 2, 1))
    assert gains.leaders == (("Sanders",), ("Sanders", "Warren"))
    assert gains.sentence.endswith("Then Sanders and Warren lead the state.")


def test_a_count_that_moves_no_delegate_moves_what_the_rules_give() -> None:
    found = of(overview(stands(ADAIR[0], CLEAN)), "A1", sheet(100, Sanders=(60, 90, 3), Warren=(40, 10, 2)))
    assert found.sdes == {}
    assert found.computed == {"Sanders": (3, 5), "Warren": (2, 0)}
    assert found.sdes_computed == {"Sanders": 2 * WORTH, "Warren": -2 * WORTH}


def test_a_first_report_brings_its_delegates() -> None:
    found = of(overview(), "A1", CLEAN)
    assert found.sdes == {"Sanders": 3 * WORTH, "Warren": 2 * WORTH}
    assert found.moves == 5 * WORTH
    assert found.leaders == ((), ("Sanders",))


def site(people: int, sanders: int, warren: int) -> ResultSheet:
    half = people // 2
    return sheet(people, Sanders=(half, half, sanders), Warren=(people - half, people - half, warren))


def test_another_attendance_at_a_satellite_moves_every_site_of_its_pool() -> None:
    seen = overview(stands(SITES[0], site(40, 2, 2)), stands(SITES[1], site(40, 4, 0)))
    found = of(seen, "S1", site(120, 2, 2))
    before, after = seen.tally().rows[0], None
    seen.replace([stands(SITES[0], site(120, 2, 2))])
    after = seen.tally().rows[0]
    for group in ("Sanders", "Warren"):
        assert found.sdes[group] == after.group(group).sde - before.group(group).sde
    assert found.delegates == {"Sanders": (2, 2), "Warren": (2, 2)}
    assert sum(found.sdes.values()) == 0, "the pool's state delegates are the same"


def test_a_county_without_state_delegates_moves_nothing_that_is_known() -> None:
    assert of(overview(stands(LINN, CLEAN)), "L1", SWAPPED).sdes == {}


def test_a_state_that_adds_up_rounded_values() -> None:
    rules = replace(RULES, rounding=replace(RULES.rounding, sum=RoundedSum.ROUNDED))
    found = of(overview(stands(ADAIR[0], CLEAN, rules=rules), rules=rules), "A1", SWAPPED)
    assert found.sdes == {"Sanders": Fraction("-0.0784"), "Warren": Fraction("0.0784")}


def test_a_state_that_counts_people() -> None:
    rules = replace(RULES, unit=Unit.VOTES)
    seen = overview(stands(ADAIR[0], CLEAN, rules=rules), rules=rules)
    found = of(seen, "A1", sheet(100, Sanders=(60, 55, 3), Warren=(40, 44, 2)))
    assert found.sdes == {"Sanders": -5, "Warren": 4}
    assert found.moves == 5
    assert found.sentence == "If phone stands: Sanders −5, Warren +4 votes statewide."


def test_field_by_field_says_so() -> None:
    found = effect(overview(stands(ADAIR[0], CLEAN)), "A1", "choices", SWAPPED)
    assert found.sentence.startswith("With these values: Sanders −0.0784")


@pytest.mark.parametrize(
    ("moved", "total"),
    [({}, 0), ({"a": 1, "b": -1}, 1), ({"a": 2, "b": -1}, 2), ({"a": -3}, 3), ({"a": 1, "b": 1, "c": -2}, 2)],
)
def test_total_variation(moved: Mapping[str, int], total: int) -> None:
    assert total_variation({group: Fraction(value) for group, value in moved.items()}) == total


ROWS = st.dictionaries(
    st.sampled_from(RULES.keys),
    st.tuples(st.integers(0, 60), st.integers(0, 60), st.integers(0, 4)),
    max_size=5,
)


@given(now=ROWS, then=ROWS, where=st.sampled_from(["A1", "S1"]), people=st.integers(0, 200))
def test_what_is_foretold_is_what_the_tally_then_says(now: Rows, then: Rows, where: str, people: int) -> None:
    other = stands(SITES[1], site(40, 2, 2))
    precinct = next(one for one in ROSTER if one.id == where)
    seen = overview(stands(precinct, sheet(50, **now)), other)
    chosen = sheet(people, **then)
    found = of(seen, where, chosen)
    before = seen.tally().rows[0]
    ruling = Ruling(1, where, chosen, 1, "Cy", NOON, "looked")
    seen.replace(
        [assess(RULES, precinct, [*stands(precinct, sheet(50, **now)).reports.values()], ruling, ())]
    )
    after = seen.tally().rows[0]
    for key in RULES.keys:
        assert found.sdes.get(key, 0) == after.group(key).sde - before.group(key).sde
        moved = after.group(key).sde_computed - before.group(key).sde_computed
        assert found.sdes_computed.get(key, 0) == moved
