"""State delegate equivalents: exact inside, rounded once (rules.md 6)."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caucus_desk.rules.ruleset import Rounding, RuleSet
from caucus_desk.rules.sde import county_ratio, decimal_text, rounded, sde


@pytest.mark.parametrize(
    ("state", "county", "ratio"),
    [
        (4, 51, "4/51"),
        (392, 1401, "392/1401"),
        (162, 400, "81/200"),
        (58, 140, "29/70"),
        (3, 40, "3/40"),
        (0, 7, "0"),
        (1, 1, "1"),
    ],
)
def test_a_county_ratio_is_exact(state: int, county: int, ratio: str) -> None:
    assert county_ratio(state, county) == Fraction(ratio)


@pytest.mark.parametrize(("state", "county"), [(4, 0), (4, -51), (-4, 51)])
def test_a_county_without_delegates_has_no_ratio(state: int, county: int) -> None:
    with pytest.raises(ValueError, match="county delegates"):
        county_ratio(state, county)


def test_adair_as_published() -> None:
    ratio = county_ratio(4, 51)
    assert [decimal_text(sde(d, ratio), 4) for d in range(4)] == ["0.0000", "0.0784", "0.1569", "0.2353"]


def test_a_county_total_is_exact_and_the_published_one_drifts(iowa: RuleSet) -> None:
    """Adair, Buttigieg: .1569 + .3922 + .1569 was published as .7060; exact it is 36/51."""
    values = [sde(delegates, county_ratio(4, 51)) for delegates in (2, 5, 2)]
    assert sum(values) == Fraction(36, 51)
    assert decimal_text(sum(values, Fraction(0)), 4) == "0.7059"
    assert sum(rounded(value, iowa.rounding) for value in values) == Fraction("0.7060")


def test_rounding_follows_the_rule_set() -> None:
    assert rounded(Fraction(1, 8), Rounding(digits=2)) == Fraction("0.13")
    assert rounded(Fraction(1, 8), Rounding(digits=2, half_up=False)) == Fraction("0.12")
    assert rounded(Fraction(3, 8), Rounding(digits=2, half_up=False)) == Fraction("0.38")
    assert rounded(Fraction(126, 1000), Rounding(digits=2, half_up=False)) == Fraction("0.13")
    assert rounded(Fraction(-1, 8), Rounding(digits=2)) == Fraction("-0.13")
    assert rounded(Fraction(5, 2), Rounding(digits=0)) == 3
    assert rounded(Fraction(5, 2), Rounding(digits=0, half_up=False)) == 2
    assert rounded(Fraction(2, 3), Rounding()) == Fraction("0.6667")


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (Fraction(1, 3), 4, "0.3333"),
        (Fraction(2, 3), 4, "0.6667"),
        (Fraction(5, 100_000), 4, "0.0001"),
        (Fraction(49, 1_000_000), 4, "0.0000"),
        (Fraction(-5, 100_000), 4, "-0.0001"),
        (Fraction(-49, 1_000_000), 4, "0.0000"),
        (Fraction(-7, 4), 1, "-1.8"),
        (Fraction(-7, 4), 0, "-2"),
        (Fraction(-1, 4), 0, "0"),
        (Fraction(199_996, 10_000), 3, "20.000"),
        (Fraction(1_999_949, 100_000), 4, "19.9995"),
        (12, 4, "12.0000"),
        (12, 0, "12"),
        (0, 2, "0.00"),
    ],
)
def test_decimals_as_printed(value: Fraction | int, digits: int, text: str) -> None:
    assert decimal_text(value, digits) == text


@given(value=st.fractions(-1000, 1000), digits=st.integers(0, 8))
def test_a_printed_value_is_off_by_half_of_the_last_digit_at_most(value: Fraction, digits: int) -> None:
    printed = Fraction(decimal_text(value, digits))
    assert abs(printed - value) <= Fraction(1, 2 * 10**digits)
    assert printed == rounded(value, Rounding(digits=digits))
    assert decimal_text(printed, digits) == decimal_text(value, digits)
