"""National delegates: by how little the last seats of 2020 went where they went (rules.md 7)."""

from fractions import Fraction

import pytest

from caucus_desk.reports.book import Decimals
from caucus_desk.reports.national import last_seat, nearest_to_threshold
from caucus_desk.rules.national import allocate_pool
from caucus_desk.rules.ruleset import Pool, PoolScope

from .conftest import RULES

STATE = {
    "Buttigieg": "562.9538", "Sanders": "562.0214", "Warren": "388.4403", "Biden": "340.3238",
    "Klobuchar": "263.8689", "Yang": "21.8559", "Steyer": "6.6189", "Uncommitted": "3.7321",
    "Other": ".6931", "Bloomberg": ".2096", "Gabbard": ".1143",
}  # fmt: skip


def pool(seats: int, **sdes: str) -> Pool:
    return Pool("p", "Pool", PoolScope.STATE, seats)


def exact(**sdes: str) -> dict[str, Fraction]:
    return {group: Fraction(value) for group, value in sdes.items()}


def test_the_last_pleo_seat_hung_on_less_than_one_sde() -> None:
    allocation = allocate_pool(RULES, pool(5), exact(**STATE))
    seat = last_seat(allocation)
    assert seat is not None
    assert (seat.last, seat.next) == (("Buttigieg",), ("Sanders",))
    assert float(seat.behind) == pytest.approx(0.9324, abs=0.0001)


def test_biden_in_the_third_district_was_one_sde_above_the_threshold() -> None:
    third = exact(
        Buttigieg="164.2389", Sanders="159.2701", Warren="119.0656", Biden="92.8112", Klobuchar="75.4395"
    )
    found = nearest_to_threshold(allocate_pool(RULES, pool(8), third))
    assert found is not None
    assert found[0] == "Biden"
    assert float(found[1]) == pytest.approx(1.1874, abs=0.001)


def test_warren_in_the_fourth_district_was_two_sdes_below_it() -> None:
    fourth = exact(
        Buttigieg="106.8052", Sanders="99.6975", Biden="71.2529", Klobuchar="67.3540", Warren="60.1135",
        Yang="9.8139",
    )  # fmt: skip
    found = nearest_to_threshold(allocate_pool(RULES, pool(5), fourth))
    assert found is not None
    assert found[0] == "Warren"
    assert float(found[1]) == pytest.approx(-2.142, abs=0.001)


def test_no_margin_where_no_fraction_decided_anything() -> None:
    assert last_seat(allocate_pool(RULES, pool(5), exact(Sanders="10"))) is None
    assert last_seat(allocate_pool(RULES, pool(4), exact(Sanders="10", Warren="10"))) is None
    assert last_seat(allocate_pool(RULES, pool(5), {})) is None
    assert nearest_to_threshold(allocate_pool(RULES, pool(5), {})) is None


def test_equal_fractions_are_a_toss_between_equals() -> None:
    seat = last_seat(allocate_pool(RULES, pool(5), exact(Sanders="10", Warren="10")))
    assert seat is not None
    assert seat.last == seat.next == ("Sanders", "Warren")
    assert seat.behind == 0


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        (Fraction(4, 51), 0.0784), (Fraction(8, 51), 0.1569), (Fraction(1, 20000), 0.0001),
        (Fraction(-1, 20000), -0.0001), (Fraction(1, 20001), 0.0), (Fraction(0), 0.0), (Fraction(7), 7.0),
    ],
)  # fmt: skip
def test_units_are_rounded_half_up_to_four_decimals(value: Fraction, cell: float) -> None:
    assert Decimals(4).cell(value) == cell


def test_a_rule_set_may_round_halves_to_the_even_digit() -> None:
    assert Decimals(0, half_up=False).cell(Fraction(5, 2)) == 2
    assert Decimals(0, half_up=False).cell(Fraction(7, 2)) == 4
    assert Decimals(0).cell(Fraction(5, 2)) == 3
