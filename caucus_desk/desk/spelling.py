"""How near what is typed is to what is written: shortened words, number words, and one slip of the hand."""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

_WORD = re.compile(r"[a-z]+|[0-9]+")
_ORDINAL = re.compile(r"([0-9])(?:st|nd|rd|th)(?![a-z])")

SAME, SHORT, START, NUMBER_START, CUT, SLIP, LETTERS, INSIDE, START_SLIP = (
    0.0, 0.3, 0.6, 2.0, 2.0, 2.2, 2.6, 2.8, 3.0,
)  # fmt: skip
"""The costs of a word that is not written as typed; what is cheaper is the likelier."""

_SHORTENED = (
    ("township", "townships", "twp", "twps", "tp"), ("precinct", "precincts", "pct", "prec", "p"),
    ("ward", "wards", "wd", "w"), ("west", "w"), ("east", "e"), ("north", "n"), ("south", "s"),
    ("number", "no"), ("fort", "ft"), ("mount", "mt"), ("saint", "st"), ("street", "st"),
    ("heights", "hts"), ("center", "centre", "ctr", "cntr"), ("city", "cty"), ("creek", "crk", "cr"),
    ("county", "co"), ("grove", "grv"), ("valley", "vly"), ("room", "rm"), ("lake", "lk"), ("point", "pt"),
    ("river", "rv"), ("pleasant", "pl"), ("springs", "spgs"), ("junction", "jct"),
)  # fmt: skip

NOISE = frozenset(
    word
    for group in _SHORTENED
    if {"township", "precinct", "ward", "number", "city", "county"} & {*group}
    for word in group
    if len(word) > 1
) | {"of", "the", "and", "at", "in", "for"}
"""Words that people add or leave out: no precinct is missed for one of them."""

_ONES = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_ORDINALS = [
    "zeroth",
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
]
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_NUMBERS = {word: place for words in (_ONES, _ORDINALS) for place, word in enumerate(words)}
_NUMBERS |= {word: 10 * place for place, word in enumerate(_TENS, start=2)}
_NUMBERS |= {word[:-1] + "ieth": count for word, count in _NUMBERS.items() if word in _TENS}
_ROMAN = {"i": "1", "ii": "2", "iii": "3", "iv": "4", "v": "5", "vi": "6", "vii": "7", "viii": "8"}


def _groups() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for group in _SHORTENED:
        for word in group:
            found.setdefault(word, set()).update(group)
    return {word: frozenset(others - {word}) for word, others in found.items()}


_OTHER_FORMS = _groups()


@lru_cache(maxsize=20_000)
def fold(text: str) -> str:
    """Text as it is compared: without case, accents, apostrophes and extra spaces."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    kept = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return " ".join(kept.replace("'", "").replace("’", "").split())


def words_of(folded: str) -> list[str]:
    """Words and numbers in order, letters and digits apart: `dm042` is `dm`, `42`; `1st` is `1`."""
    return [_number(word) for word in _WORD.findall(_ORDINAL.sub(r"\1", folded.replace("&", " and ")))]


def _number(word: str) -> str:
    """042 and 42 are the same number to a caller."""
    return word.lstrip("0") or "0" if word.isdigit() else word


def other_forms(word: str) -> frozenset[str]:
    """What else the same word is written as: `twp` for `township`, and the other way round."""
    return _OTHER_FORMS.get(word, frozenset())


def as_number(words: Sequence[str]) -> str:
    """`forty two` as `42`; "" where the words are no number that is said so."""
    counts = [_NUMBERS.get(word) for word in words]
    if len(counts) == 1 and counts[0] is not None:
        return str(counts[0])
    if len(counts) == 2 and None not in counts:
        tens, ones = counts
        if tens is not None and ones is not None and tens >= 20 and tens % 10 == 0 and 0 < ones < 10:
            return str(tens + ones)
    return ""


def roman(word: str) -> str:
    """`iii` as `3`, "" for any other word."""
    return _ROMAN.get(word, "")


def likeness(word: str, written: str, *, derived: bool) -> float | None:
    """What it costs to read a typed word as another that begins with the same letter; None where it cannot
    be meant. Equal words, shortened ones and beginnings are cheaper and are not looked for here.

    `derived`: not a word of its own but a run of words or their first letters, which nobody shortens.
    """
    long, length = len(word), len(written)
    if long < 2 or length < 2:
        return None
    if length >= 4 and word.startswith(written):
        return CUT
    if long >= 3 and length >= 3 and max(long, length) >= 4:
        if abs(long - length) <= 1 and one_slip(word, written):
            return SLIP
        if long >= 4 and length > long and begins_with_a_slip(word, written):
            return START_SLIP
    if long <= 5 and in_order(word, written):
        return LETTERS
    if not derived and length <= 4 and in_order(written, word):
        return LETTERS + 0.2
    return None


def begins_with_a_slip(word: str, written: str) -> bool:
    """Whether a longer word begins nearly so: `sioxu` for `siouxcenter`."""
    long = len(word)
    return any(one_slip(word, written[:end]) for end in (long, long + 1, long - 1))


def one_slip(typed: str, meant: str) -> bool:
    """One letter dropped, added, exchanged for another, or two neighbours transposed."""
    place, short = 0, min(len(typed), len(meant))
    while place < short and typed[place] == meant[place]:
        place += 1
    rest, wanted = typed[place:], meant[place:]
    if rest[1:] == wanted[1:] or rest[1:] == wanted or rest == wanted[1:]:
        return True
    return len(rest) > 1 and rest[1] + rest[0] + rest[2:] == wanted


def in_order(letters: str, word: str) -> bool:
    """The letters stand in the word in this order: "dsm" in "desmoines"."""
    place = 0
    for letter in letters:
        place = word.find(letter, place) + 1
        if place == 0:
            return False
    return True
