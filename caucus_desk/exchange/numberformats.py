"""What a workbook's number formats make of a number: a plain number, a date, or digits with zeros."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum

from caucus_desk.exchange.cells import ID_DATE_EXPECTED, ID_NUMBER_EXPECTED, Flawed

_BUILT_IN_DATES = frozenset({*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)})
_TEXT_IN_FORMAT = re.compile(r'"[^"]*"|\\.|_.|\*.')
_BRACKETS = re.compile(r"\[[^\]]*\]")
_ELAPSED = re.compile(r"\[(h+|m+|s+)\]", re.IGNORECASE)
_NO_SUCH_NUMBER = "a number that a spreadsheet can show"


class Look(Enum):
    PLAIN = "plain"
    DATE = "date"
    ZEROS = "zeros"
    """Only zeros, such as 000: the shown digits with their leading zeros are meant."""
    DRESSED = "dressed"
    """Other characters around the digits, such as 00-000: what is shown is more than the number."""


@dataclass(frozen=True, slots=True)
class NumberLook:
    look: Look
    width: int = 0


PLAIN = NumberLook(Look.PLAIN)


def look_of(format_id: int, custom: Mapping[int, str]) -> NumberLook:
    """How numbers with this format are meant."""
    code = custom.get(format_id)
    if code is None:
        return NumberLook(Look.DATE) if format_id in _BUILT_IN_DATES else PLAIN
    first = code.split(";")[0]
    if _ELAPSED.search(first):
        return NumberLook(Look.DATE)
    bare = _BRACKETS.sub("", first)
    signs = _TEXT_IN_FORMAT.sub("", bare).strip()
    if signs.casefold() in ("general", "standard", "@", ""):
        return PLAIN
    if re.search(r"[dmyhs]", signs, re.IGNORECASE):
        return NumberLook(Look.DATE)
    if re.fullmatch(r"0{2,}", bare.strip()):
        return NumberLook(Look.ZEROS, len(bare.strip()))
    if re.search(r'["\\-]', bare.replace("_-", "").replace("* ", "")) and "0" in signs and "." not in signs:
        return NumberLook(Look.DRESSED)
    return PLAIN


def shown(value: str, look: NumberLook, since_1904: bool) -> str:
    """A numeric cell as text: `12` for 12.0, `007` for 7 shown as 000; a date is flawed everywhere."""
    if look.look is Look.PLAIN and value.isdigit() and len(value) < 16:
        return value
    try:
        number = float(value)
    except ValueError:
        return Flawed(value, _NO_SUCH_NUMBER)
    if number != number or number in (float("inf"), float("-inf")):
        return Flawed(value, _NO_SUCH_NUMBER)
    if look.look is Look.DATE:
        return Flawed(_date_text(number, since_1904), ID_DATE_EXPECTED)
    text = format(number, ".15g")
    if not text.isdigit():
        return Flawed(text, ID_NUMBER_EXPECTED, only_text=True)
    if look.look is Look.ZEROS:
        return text.zfill(look.width)
    if look.look is Look.DRESSED:
        return Flawed(text, ID_NUMBER_EXPECTED, only_text=True)
    return text


def _date_text(number: float, since_1904: bool) -> str:
    start = datetime(1904, 1, 1) if since_1904 else datetime(1899, 12, 30)  # noqa: DTZ001 (a cell has no zone)
    try:
        moment = start + timedelta(days=number)
    except OverflowError:
        return format(number, ".15g")
    return moment.strftime("%Y-%m-%d") if number == int(number) else moment.strftime("%Y-%m-%d %H:%M:%S")
