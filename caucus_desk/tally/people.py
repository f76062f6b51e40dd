"""Names of people: kept as given, compared folded, so that no spelling makes two people of one.

Two names are one person's where they differ only by case, accents, spaces, punctuation or by what
cannot be seen. Refusing two people whose names look alike costs a question; taking one for two would
let one person verify a precinct alone.
"""

import unicodedata
from functools import lru_cache

_IGNORED = (
    (0x00AD, 0x00AD), (0x034F, 0x034F), (0x061C, 0x061C), (0x115F, 0x1160), (0x17B4, 0x17B5),
    (0x180B, 0x180F), (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x2800, 0x2800),
    (0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFFB),
    (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
)  # fmt: skip
"""What Unicode calls default-ignorable, and the blank braille cell: nothing of it is seen."""

_PLAIN = str.maketrans(
    {
        "ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ȷ": "j",
        "ħ": "h", "ŧ": "t", "ŋ": "n", "ĸ": "k", "ə": "e", "ɨ": "i", "ƶ": "z", "ƀ": "b", "ɓ": "b", "ɗ": "d",
    }
)  # fmt: skip
"""Letters that Unicode does not take apart into a plain one and its mark."""

_LOOKALIKE = str.maketrans(
    "авекмнорстухіјѕԁһԛԝьαβεηικνορτυχωγϲ",
    "abekmhopctyxijsdhqwbabenikvoptuxwyc",
)
"""Cyrillic and Greek letters that stand for a Latin one on a screen."""


def invisible(letter: str) -> bool:
    """Whether a character takes no place on a screen: format characters and what is ignored by default."""
    code = ord(letter)
    if code < 0xAD:
        return False
    return unicodedata.category(letter) == "Cf" or any(low <= code <= high for low, high in _IGNORED)


@lru_cache(maxsize=4096)
def folded(name: str) -> str:
    """The name as it is compared: `Zoë O’Brien 07` and `zoe obrien07` are one person. Letters and digits."""
    parts = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", name).casefold())
    kept = "".join(letter for letter in parts if letter.isalnum() and not invisible(letter))
    return kept.translate(_PLAIN).translate(_LOOKALIKE)


def same_person(one: str, other: str) -> bool:
    return folded(one) == folded(other)
