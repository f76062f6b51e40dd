"""Satellite caucuses (rules.md 6)."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caucus_desk.rules.errors import CaucusError
from caucus_desk.rules.ruleset import RuleSet, SatelliteWeight
from caucus_desk.rules.satellite import SiteSize, band, group_ratio, site_values
from caucus_desk.rules.sde import decimal_text


@pytest.mark.parametrize(
    ("attendance", "delegates"),
    [
        (0, 0),
        (1, 4),
        (20, 4),
        (21, 5),
        (40, 5),
        (41, 6),
        (60, 6),
        (61, 7),
        (80, 7),
        (81, 8),
        (100, 8),
        (101, 9),
        (4_000, 9),
    ],
)
def test_a_site_elects_by_its_attendance(iowa: RuleSet, attendance: int, delegates: int) -> None:
    assert band(iowa, attendance) == delegates


def test_an_attendance_below_zero_is_a_fault_of_the_caller(iowa: RuleSet) -> None:
    with pytest.raises(ValueError, match="below zero"):
        band(iowa, -1)


def test_the_cedar_rapids_library(iowa: RuleSet) -> None:
    """24 of 452 people in district 1, which has 6 state delegates; 5 to elect, Sanders 2 of them."""
    sites = {"library": SiteSize(24, 5), "all others": SiteSize(428, 40)}
    values = site_values(iowa, 6, sites)
    assert values["library"] == Fraction(6 * 24, 452)
    one = group_ratio(values["library"], 5)
    assert decimal_text(2 * one, 4) == "0.1274"
    assert decimal_text(one, 4) == "0.0637"


def test_the_other_reading_weighs_by_delegates(iowa: RuleSet) -> None:
    assert iowa.satellites is not None
    other = replace(iowa, satellites=replace(iowa.satellites, weight=SatelliteWeight.DELEGATES))
    sites = {"small": SiteSize(10, 4), "large": SiteSize(90, 8)}
    assert site_values(iowa, 6, sites) == {"small": Fraction(6, 10), "large": Fraction(54, 10)}
    assert site_values(other, 6, sites) == {"small": Fraction(2), "large": Fraction(4)}


def test_a_late_site_moves_every_other_site_of_its_pool(iowa: RuleSet) -> None:
    early = site_values(iowa, 6, {"a": SiteSize(30, 5), "b": SiteSize(30, 5)})
    late = site_values(iowa, 6, {"a": SiteSize(30, 5), "b": SiteSize(30, 5), "c": SiteSize(60, 6)})
    assert early["a"] == 3
    assert late == {"a": Fraction(3, 2), "b": Fraction(3, 2), "c": Fraction(3)}


def test_a_site_where_nobody_came_has_nothing(iowa: RuleSet) -> None:
    assert site_values(iowa, 6, {"a": SiteSize(0, 0), "b": SiteSize(5, 4)}) == {"a": 0, "b": 6}
    assert site_values(iowa, 6, {"a": SiteSize(0, 0)}) == {"a": 0}
    assert site_values(iowa, 6, {}) == {}
    assert group_ratio(Fraction(0), 0) == 0
    assert group_ratio(Fraction(3), 1) == 3


@given(
    sizes=st.dictionaries(st.text(min_size=1, max_size=3), st.integers(0, 300), min_size=1, max_size=20),
    pool=st.integers(1, 30),
    weight=st.sampled_from(SatelliteWeight),
)
def test_the_sites_of_a_pool_add_to_its_total(
    iowa: RuleSet, sizes: dict[str, int], pool: int, weight: SatelliteWeight
) -> None:
    assert iowa.satellites is not None
    rules = replace(iowa, satellites=replace(iowa.satellites, weight=weight))
    sites = {site: SiteSize(people, band(rules, people)) for site, people in sizes.items()}
    values = site_values(rules, pool, sites)
    assert list(values) == list(sites)
    assert sum(values.values()) == (pool if any(sizes.values()) else 0)


def test_a_state_without_satellites_says_so(nevada: RuleSet) -> None:
    with pytest.raises(CaucusError, match="nevada-2020 know no satellite caucuses"):
        band(nevada, 24)
    with pytest.raises(CaucusError, match="no satellite"):
        site_values(nevada, 6, {})
