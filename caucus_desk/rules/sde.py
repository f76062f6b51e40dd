"""From county delegates to what a state reports (rules.md 6): exact inside, rounded once when shown."""

from fractions import Fraction

from caucus_desk.rules.ruleset import Rounding


def county_ratio(state_delegates: int, total_delegates: int) -> Fraction:
    """State delegates of a county over its county delegates. ValueError without county delegates."""
    if state_delegates < 0 or total_delegates <= 0:
        raise ValueError("a county needs county delegates, and no number below zero")
    return Fraction(state_delegates, total_delegates)


def sde(delegates: int, ratio: Fraction) -> Fraction:
    """State delegate equivalents of `delegates` county delegates, exact."""
    return delegates * ratio


def rounded(value: Fraction, rounding: Rounding) -> Fraction:
    """`value` to the rule set's digits: a half goes up (away from zero), or to the even digit."""
    scale = 10**rounding.digits
    return Fraction(_scaled(Fraction(value), scale, rounding.half_up), scale)


def decimal_text(value: Fraction | int, digits: int) -> str:
    """`value` with exactly `digits` decimals, a half rounded up (away from zero): 4/51 is `0.0784`."""
    number = Fraction(value)
    whole, rest = divmod(abs(_scaled(number, 10**digits, half_up=True)), 10**digits)
    sign = "-" if number < 0 and (whole or rest) else ""
    return f"{sign}{whole}.{rest:0{digits}d}" if digits else f"{sign}{whole}"


def _scaled(value: Fraction, scale: int, half_up: bool) -> int:
    """`value` times `scale` as the nearest whole number."""
    num, den = abs(value.numerator) * scale, value.denominator
    nearest, rest = divmod(num, den)
    if 2 * rest > den or (2 * rest == den and (half_up or nearest % 2)):
        nearest += 1
    return -nearest if value < 0 else nearest
