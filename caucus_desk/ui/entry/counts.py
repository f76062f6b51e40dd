"""Reading a count as typed or pasted: a whole number from 0 to 99,999, or blank, and never anything else.

Nothing is cut to fit and nothing is cleaned silently, apart from the grouping of thousands in a
paste that is well formed. What cannot be read is refused in words that quote it, and the field
keeps what it had.
"""

import re
import unicodedata
from dataclasses import dataclass

from caucus_desk.tally.sheet import MAX_COUNT

MOST = MAX_COUNT
MAX_DIGITS = len(str(MAX_COUNT))
_GROUPED = re.compile(r"\d{1,3}(?P<mark>[,' ’])\d{3}(?:(?P=mark)\d{3})*")
_QUOTE_LETTERS = 40


@dataclass(frozen=True, slots=True)
class Reading:
    """What a text reads as: the plain digits to show, or why it is refused."""

    digits: str
    refusal: str = ""


def digits_only(text: str) -> str:
    """The decimal digits of any script as ASCII; every other character is left out."""
    return "".join(str(unicodedata.decimal(letter)) for letter in text if letter.isdecimal())


def typed(character: str) -> str:
    """The ASCII digit that one typed character stands for, "" where it is no digit."""
    return digits_only(character) if len(character) == 1 else ""


def limit_refusal(label: str, digits: str) -> str:
    return f"{label}: {_grouped(digits)} is over the limit. A count is at most {MAX_COUNT:,}."


def within_limit(digits: str) -> bool:
    """At most 99,999 after leading zeros; "" is blank and fits."""
    plain = digits.lstrip("0")
    return len(plain) <= MAX_DIGITS and int(plain or "0") <= MAX_COUNT


def pasted(text: str, label: str) -> Reading:
    """A pasted text as digits: `1,234 ` reads as 1234; letters or a broken number are refused whole.

    One line end at the end is ignored; several cells of a spreadsheet are `block`'s.
    """
    plain = _ascii(text).strip()
    if not plain:
        return Reading("", f"{label}: nothing to paste. The field is as it was.")
    if plain.isdigit():
        digits = plain
    elif _GROUPED.fullmatch(plain):
        digits = digits_only(plain)
    else:
        return Reading("", f"{label}: “{quoted(text)}” is not one whole number. The field is as it was.")
    if not within_limit(digits):
        return Reading("", f"{label}: “{quoted(text)}” is over the limit. A count is at most {MAX_COUNT:,}.")
    return Reading(digits.lstrip("0") or "0")


def value(text: str) -> int | None:
    """The count that a field's text means; None where blank. A field holds nothing but digits."""
    return int(text) if text.isascii() and text.isdigit() and within_limit(text) else None


def _ascii(text: str) -> str:
    """Digits of any script as ASCII, every kind of space as a plain one."""
    made = []
    for letter in text:
        if letter.isdecimal():
            made.append(str(unicodedata.decimal(letter)))
        elif letter.isspace() and letter not in "\n\r\t":
            made.append(" ")
        else:
            made.append(letter)
    return "".join(made)


def quoted(text: str) -> str:
    """As it is shown in a refusal: on one line, and not longer than fits."""
    shown = " ".join(text.split())
    return shown if len(shown) <= _QUOTE_LETTERS else f"{shown[:_QUOTE_LETTERS]}…"


def _grouped(digits: str) -> str:
    return f"{int(digits):,}" if len(digits) <= 12 else f"{digits[:12]}…"
