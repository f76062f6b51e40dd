"""What a workbook's number formats make of a number: a plain number, or digits with zeros."""

import re
from dataclasses import dataclass
from enum import Enum

from caucus_desk.exchange.cells import ID_NUMBER_EXPECTED, Flawed

_TEXT_IN_FORMAT = re.compile(r'"[^"]*"|\\.|_.|\*.')
_BRACKETS = re.compile(r"\[[^\]]*\]")
_NO_SUCH_NUMBER = "a number that a spreadsheet can show"
_DIGITS = 15
"""So many digits a spreadsheet keeps; it has made zeros of the others."""


class Look(Enum):
    PLAIN = "plain"
    ZEROS = "zeros"
    """Only zeros, such as 000: the shown digits with their leading zeros are meant."""
    DRESSED = "dressed"
    """Other characters around the digits, such as 00-000: what is shown is more than the number."""


@dataclass(frozen=True, slots=True)
class NumberLook:
    look: Look
    width: int = 0


PLAIN = NumberLook(Look.PLAIN)


def look_of(code: str) -> NumberLook:
    """How numbers with this format are meant. Formats of dates are known before and do not come here."""
    bare = _BRACKETS.sub("", code.split(";")[0])
    signs = _TEXT_IN_FORMAT.sub("", bare).strip()
    if re.fullmatch(r"0{2,}", bare.strip()):
        return NumberLook(Look.ZEROS, len(bare.strip()))
    if re.search(r'["\\-]', bare.replace("_-", "").replace("* ", "")) and "0" in signs and "." not in signs:
        return NumberLook(Look.DRESSED)
    return PLAIN


def shown(number: float, look: NumberLook) -> str:
    """A numeric cell as text: `12` for 12.0, `007` for 7 shown as 000."""
    try:
        text = format(number, f".{_DIGITS}g")
    except OverflowError:
        text = "inf"
    if text in ("nan", "inf", "-inf"):
        return Flawed(text, _NO_SUCH_NUMBER)
    if not text.isdigit() or look.look is Look.DRESSED:
        return Flawed(text, ID_NUMBER_EXPECTED, only_text=True)
    return text.zfill(look.width)
