"""What single cells mean. A wrong number is worse than a refusal."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caucus_desk.exchange import cells
from caucus_desk.exchange.cells import CellFault, Flawed, NumberStyle

COMMA = NumberStyle()
SEMICOLON = NumberStyle(comma_groups=False, decimal_comma=True)
TAB = NumberStyle(comma_groups=False)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", None),
        ("   ", None),
        ("\u00a0", None),
        ("0", 0),
        ("215", 215),
        (" 215 ", 215),
        ("\u00a0215\u00a0", 215),
        ("\u200b215", 215),
        ("007", 7),
        ("12.0", 12),
        ("12.00", 12),
        ("1,234", 1234),
        ("12,345.0", 12345),
        ("1\u00a0234", 1234),
        ("1\u202f234", 1234),
        ("１２", 12),
        ("99999", 99_999),
        ("99,999", 99_999),
        ("000000000000012", 12),
    ],
)
def test_a_count_is_read(text, value):
    assert cells.count(text, COMMA) == value


@pytest.mark.parametrize(
    "text",
    [
        "12x", "x", "O", "-", "–", "n/a", "-5", "−5",
        "+5", "5.5", "1e3", "100000", "100,000", "1.234", "12.000",
        "1.000", "1,23", "1,2345", "1234,567", "12 345", "1 2", "1'234", "TRUE", "½", "1²", "٣", "12 people",
        "9" * 5000, "=1+1", "12.", ".0", "0x10", "1_000", "#REF!",
    ],
)  # fmt: skip
def test_a_count_that_is_none_or_not_certain_is_refused(text):
    with pytest.raises(CellFault, match="a whole number from 0 to 99,999"):
        cells.count(text, COMMA)


@pytest.mark.parametrize("style", [SEMICOLON, TAB])
@pytest.mark.parametrize("text", ["1.234", "1,234", "12,000", "12.000", "1.234.567"])
def test_thousands_or_decimals_is_not_guessed_where_the_comma_may_be_a_decimal_sign(text, style):
    with pytest.raises(CellFault, match="thousands or decimals"):
        cells.count(text, style)


@pytest.mark.parametrize(("text", "value"), [("12,0", 12), ("12.0", 12), ("12,00", 12), ("1\u00a0234", 1234)])
def test_whole_numbers_with_a_decimal_comma(text, value):
    assert cells.count(text, SEMICOLON) == value


def test_a_decimal_comma_is_no_whole_number_in_a_comma_file():
    with pytest.raises(CellFault):
        cells.count("12,0", COMMA)


@given(st.integers(0, 99_999))
def test_every_count_reads_back_however_it_is_written(number):
    for text in (str(number), f"{number:,}", f"{number}.0", f" {number}\u00a0", f"{number:06d}"):
        assert cells.count(text, COMMA) == number


@given(st.text(max_size=12))
def test_whatever_is_typed_gives_a_count_or_a_refusal(text):
    for style in (COMMA, SEMICOLON, TAB):
        try:
            value = cells.count(text, style)
        except CellFault:
            continue
        assert value is None or (type(value) is int and 0 <= value <= 99_999)


@pytest.mark.parametrize(
    ("text", "style", "value"),
    [
        ("", COMMA, None),
        ("0", COMMA, Fraction(0)),
        ("0.1569", COMMA, Fraction(1569, 10_000)),
        (".1569", COMMA, Fraction(1569, 10_000)),
        ("562.9538", COMMA, Fraction(5_629_538, 10_000)),
        ("2,150.8321", COMMA, Fraction(21_508_321, 10_000)),
        ("0,1569", SEMICOLON, Fraction(1569, 10_000)),
        ("0,157", SEMICOLON, Fraction(157, 1000)),
        ("0.1569", SEMICOLON, Fraction(1569, 10_000)),
        ("3", TAB, Fraction(3)),
        ("7.84e-05", COMMA, Fraction(784, 10_000_000)),
        ("0.123456789012345", COMMA, Fraction(123_456_789_012_345, 10**15)),
        ("0.1500000000000000000000", COMMA, Fraction(15, 100)),
    ],
)
def test_a_decimal_is_exact(text, style, value):
    assert cells.decimal(text, style) == value


@pytest.mark.parametrize(
    ("text", "style"),
    [
        ("0,1569", COMMA),
        ("1,234", SEMICOLON),
        ("1.234", SEMICOLON),
        ("-0.5", COMMA),
        ("1e999999999", COMMA),
        ("12%", COMMA),
        ("nan", COMMA),
        ("1" * 60, COMMA),
        ("0.1.2", COMMA),
        ("0.0012345678901234567", COMMA),
        ("0.1234567890123456", COMMA),
        ("0,1234567890123456", SEMICOLON),
        ("1e-40", COMMA),
        ("1e60", COMMA),
        ("0.00000000000000000001", COMMA),
    ],
)
def test_a_decimal_that_is_none_or_not_certain_is_refused(text, style):
    with pytest.raises(CellFault, match="a number such as"):
        cells.decimal(text, style)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", None),
        ("Yes", True),
        ("y", True),
        ("TRUE", True),
        ("1", True),
        ("x", True),
        ("no", False),
        ("0", False),
    ],
)
def test_yes_and_no(text, value):
    assert cells.yes_no(text) is value


def test_anything_else_is_neither_yes_nor_no():
    with pytest.raises(CellFault, match="yes or no"):
        cells.yes_no("perhaps")


@pytest.mark.parametrize(
    "text",
    ["2-Jan", "02-Jan", "Jan-02", "jan-02", "1-Apr", "2-Jan-20", "Sept-01", "2020-02-01 00:00:00",
     "2020-02-01", "2020-02-01T00:00:00", "1/4/2020", "01.04.2020", "1/4/20", "4. Apr", "January 2"],
)  # fmt: skip
def test_an_id_that_became_a_date_is_refused_and_said_so(text):
    with pytest.raises(CellFault, match="turned this one into a date"):
        cells.ident(text)


@pytest.mark.parametrize("text", ["1.2E+11", "1E+05"])
def test_an_id_that_became_a_number_is_refused(text):
    with pytest.raises(CellFault, match="turned this one into a number"):
        cells.ident(text)


@pytest.mark.parametrize(
    "text",
    ["1-2", "1-4", "007", "010000001", "01NW", "WL 2-4", "MAR-01", "1E5", "12-34-56", "197-BIG_6", "#4",
     "1/2", "1-Mayflower", "May City", "TRUE", "SAT-CD1-01", "2020"],
)  # fmt: skip
def test_an_id_stays_the_text_that_it_is(text):
    assert cells.ident(text) == text


def test_an_id_in_the_spelling_that_keeps_zeros_is_unwrapped():
    assert cells.ident('="0123"') == "0123"


@pytest.mark.parametrize("text", ["=1+1", '=HYPERLINK("x")', "@SUM", "-x"])
def test_a_name_that_looks_like_a_formula_is_a_name(text):
    assert cells.name(text) == text


def test_a_spoiled_cell_equals_nothing_but_itself():
    spoiled = Flawed("12", "something else")
    assert spoiled != "12"
    assert spoiled == spoiled
    assert {"12": 1}.get(spoiled) is None
    with pytest.raises(CellFault, match="something else"):
        cells.count(spoiled, COMMA)
    only_text = Flawed("12", "text", only_text=True)
    assert cells.count(only_text, COMMA) == 12
    with pytest.raises(CellFault):
        cells.ident(only_text)
