"""One cell: what its text means as a count, a decimal, a yes or no, or an id.

A wrong number is worse than a refusal: what can be read in two ways is refused.
"""

import re
from dataclasses import dataclass
from fractions import Fraction

from caucus_desk.exchange.folding import fold, tidy
from caucus_desk.tally.sheet import MAX_COUNT

COUNT_EXPECTED = f"a whole number from 0 to {MAX_COUNT:,}, in digits only, or a blank cell"
DECIMAL_EXPECTED = "a number such as 0.1569, or a blank cell"
DIGITS = 15
"""Of a decimal, without the zeros before and after: as many as a spreadsheet keeps."""
MANY_DIGITS_EXPECTED = f"a number such as 0.1569, with {DIGITS} digits at most, or a blank cell"
YES_NO_EXPECTED = "yes or no, or a blank cell"
ID_DATE_EXPECTED = (
    "an id kept as text: a spreadsheet has turned this one into a date. Format the column as text "
    "and type the id again"
)
ID_NUMBER_EXPECTED = (
    "an id kept as text: a spreadsheet has turned this one into a number and may have changed it"
)


class Flawed(str):
    """A cell that a spreadsheet has spoiled: its text is what to show, `expected` what should be there.

    `only_text` says that the fault matters only where text such as an id is read, not for a count. Equal
    to nothing but itself, so that it never passes for a clean cell with the same text.
    """

    __slots__ = ("expected", "only_text")

    expected: str
    only_text: bool

    def __new__(cls, text: str, expected: str, only_text: bool = False) -> "Flawed":
        cell = super().__new__(cls, text)
        cell.expected, cell.only_text = expected, only_text
        return cell

    def __eq__(self, other: object) -> bool:
        return self is other

    def __ne__(self, other: object) -> bool:
        return self is not other

    __hash__ = object.__hash__


class CellFault(Exception):
    """A cell that is not what it should be. Caught by the readers, which know where it stands."""

    def __init__(self, expected: str) -> None:
        super().__init__(expected)
        self.expected = expected


@dataclass(frozen=True, slots=True)
class NumberStyle:
    """How a file writes numbers, as far as its delimiter tells.

    `comma_groups`: `1,234` is 1234, as in comma files and workbooks. Elsewhere it may be 1.234.
    `decimal_comma`: `0,5` is one half, as in semicolon files; a tab file may be either.
    """

    comma_groups: bool = True
    decimal_comma: bool = False


_FULL_WIDTH = {0xFF10 + digit: 0x30 + digit for digit in range(10)}
_WHOLE = re.compile(r"[0-9]+")
_WHOLE_DECIMAL = re.compile(r"([0-9]+)[.](0+)")
_WHOLE_DECIMAL_COMMA = re.compile(r"([0-9]+)[.,](0+)")
_GROUPED = re.compile(r"[0-9]{1,3}(,[0-9]{3})+([.]0{1,2})?")
_SPACED = re.compile(r"[0-9]{1,3}([\u00a0\u2009\u202f][0-9]{3})+")
_TWO_WAYS = re.compile(r"[0-9]{1,3}([.,][0-9]{3})+")


def usable(text: str, as_text: bool = False) -> str:
    """The tidied text of a cell.

    Raises:
        CellFault: the cell is one that a spreadsheet has spoiled.
    """
    if type(text) is Flawed and (as_text or not text.only_text):
        raise CellFault(text.expected)
    return tidy(text)


def count(text: str, style: NumberStyle) -> int | None:
    """A count of people or delegates, None where blank.

    Raises:
        CellFault: not a whole number from 0 to 99,999, or one that can be read in two ways.
    """
    if type(text) is str and len(text) < 6 and text.isascii() and text.isdigit():
        return int(text)
    plain = usable(text).translate(_FULL_WIDTH)
    if not plain:
        return None
    if not _WHOLE.fullmatch(plain):
        plain = _whole_digits(plain, str(text).strip(" \t\r\n").translate(_FULL_WIDTH), style)
    # Very long digits would be slow to turn into a number, and are out of range anyhow.
    if len(plain) > 30 or int(plain) > MAX_COUNT:
        raise CellFault(COUNT_EXPECTED)
    return int(plain)


def _whole_digits(plain: str, raw: str, style: NumberStyle) -> str:
    if _SPACED.fullmatch(raw):
        return re.sub(r"[^0-9]", "", raw)
    if _GROUPED.fullmatch(plain) and style.comma_groups:
        return plain.partition(".")[0].replace(",", "")
    if _TWO_WAYS.fullmatch(plain):
        raise CellFault(
            f"{COUNT_EXPECTED}. Here the sign could set off thousands or decimals: type the number without it"
        )
    pattern = _WHOLE_DECIMAL if style.comma_groups else _WHOLE_DECIMAL_COMMA
    if match := pattern.fullmatch(plain):
        return match[1]
    raise CellFault(COUNT_EXPECTED)


_DOT = re.compile(r"[0-9]*[.][0-9]+|[0-9]+[.]?")
_DOT_GROUPED = re.compile(r"[0-9]{1,3}(,[0-9]{3})+([.][0-9]+)?")
_COMMA = re.compile(r"[0-9]*,[0-9]+|[0-9]+")
_SCIENTIFIC = re.compile(r"[0-9]([.][0-9]+)?[eE][+-]?[0-9]{1,2}")


def decimal(text: str, style: NumberStyle) -> Fraction | None:
    """An exact decimal such as an SDE value, None where blank.

    Raises:
        CellFault: not a number of at least 0, one that can be read in two ways, or one with more digits than
            can be kept.
    """
    plain = usable(text).translate(_FULL_WIDTH)
    if not plain:
        return None
    if len(plain) > 40:
        raise CellFault(DECIMAL_EXPECTED)
    value = _decimal(plain, style)
    digits = re.sub("[^0-9]", "", re.split("[eE]", plain)[0]).strip("0")
    if len(digits) > DIGITS or max(value.numerator, value.denominator) > _KEPT:
        raise CellFault(MANY_DIGITS_EXPECTED)
    return value


_KEPT = 2**63 - 1
"""The largest number of a fraction that a store keeps."""


def _decimal(plain: str, style: NumberStyle) -> Fraction:
    if style.comma_groups and _DOT_GROUPED.fullmatch(plain):
        return Fraction(plain.replace(",", ""))
    if not style.comma_groups and _TWO_WAYS.fullmatch(plain) and not plain.startswith(("0.", "0,")):
        raise CellFault(f"{DECIMAL_EXPECTED}. Here the sign could set off thousands or decimals")
    if _DOT.fullmatch(plain):
        return Fraction(plain.rstrip("."))
    if not style.comma_groups and _COMMA.fullmatch(plain):
        return Fraction(plain.replace(",", "."))
    if _SCIENTIFIC.fullmatch(plain):
        return Fraction(plain)
    raise CellFault(DECIMAL_EXPECTED)


_YES = frozenset({"yes", "y", "true", "1", "x", "✓", "✔"})
_NO = frozenset({"no", "n", "false", "0"})


def yes_no(text: str) -> bool | None:
    """A tick, None where blank.

    Raises:
        CellFault: neither yes nor no.
    """
    word = usable(text).casefold()
    if not word:
        return None
    if word in _YES:
        return True
    if word in _NO:
        return False
    raise CellFault(YES_NO_EXPECTED)


_MONTHS = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    "|nov(?:ember)?|dec(?:ember)?"
)
_DATE_WORD = re.compile(
    # A spreadsheet writes 2-Jan, Jan-02, 2-Jan-20; a code of one's own such as MAR-01 stands in capitals.
    rf"[0-9]{{1,2}}[-/ .]+(?:{_MONTHS})\.?(?:[-/ .]+[0-9]{{2,4}})?"
    rf"|(?:{_MONTHS})\.?[-/ ]+[0-9]{{1,4}}",
    re.IGNORECASE,
)
_DATE_DIGITS = re.compile(
    r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[ T][0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?)?"
    r"|[0-9]{1,2}([/.])[0-9]{1,2}\1[0-9]{4}(?: [0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?)?"
    r"|[0-9]{1,2}/[0-9]{1,2}/[0-9]{2}"
)
_SHORT_NUMBER = re.compile(r"[0-9](?:[.,][0-9]+)?[eE][+][0-9]{2,3}")
_MAYBE_SPOILED = re.compile(r"[0-9]")


def looks_like_date(text: str) -> bool:
    """Text as a spreadsheet writes a date. `MAR-01` in capitals is a code, `Mar-01` a date."""
    if _DATE_DIGITS.fullmatch(text):
        return True
    return bool(_DATE_WORD.fullmatch(text)) and not text.isupper()


def ident(text: str) -> str:
    """An id, a PIN or another code: text, with its zeros and signs. Blank is "".

    Raises:
        CellFault: a spreadsheet has turned it into a date or a number.
    """
    plain = usable(unwrapped(text), as_text=True)
    if _MAYBE_SPOILED.search(plain):
        if looks_like_date(plain):
            raise CellFault(ID_DATE_EXPECTED)
        if _SHORT_NUMBER.fullmatch(plain):
            raise CellFault(ID_NUMBER_EXPECTED)
    return plain


def unwrapped(text: str) -> str:
    """`="0123"`, the way some programs keep zeros in a text file, is 0123."""
    if text.startswith('="') and text.endswith('"') and len(text) >= 3 and type(text) is str:
        return text[2:-1].replace('""', '"')
    return text


def name(text: str) -> str:
    """A name: tidied text.

    Raises:
        CellFault: a spreadsheet has turned it into a date or a number.
    """
    plain = usable(unwrapped(text), as_text=True)
    short = _SHORT_DATE.fullmatch(plain) and not plain.isupper()
    if short or _DATE_DIGITS.fullmatch(plain):
        raise CellFault(ID_DATE_EXPECTED.replace("an id", "a name"))
    return plain


_SHORT_DATE = re.compile(rf"[0-9]{{1,2}}-(?:{_MONTHS})|(?:{_MONTHS})-[0-9]{{2}}", re.IGNORECASE)


def one_of(text: str, words: dict[str, str]) -> str | None:
    """A word of a short list, given as folded word to meaning; None where blank.

    Raises:
        CellFault: another word.
    """
    plain = usable(text)
    if not plain:
        return None
    found = words.get(fold(plain))
    if found is None:
        raise CellFault(f"one of {', '.join(dict.fromkeys(words.values()))}")
    return found
