"""Tidying text and comparing names without regard to how they were typed."""

import re
import unicodedata

_SPACES = re.compile(r"[\s\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")
_INVISIBLE = re.compile(r"[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")


def tidy(text: str) -> str:
    """Outer spaces gone, runs of any kind of space made one, invisible characters removed."""
    if text.isascii() and text.isprintable():
        stripped = text.strip()
        return " ".join(stripped.split()) if "  " in stripped else stripped
    text = _CONTROL.sub("", _INVISIBLE.sub("", text))
    return unicodedata.normalize("NFC", _SPACES.sub(" ", text).strip())


def fold(text: str) -> str:
    """The key of headings and groups: letters and digits only, without case or accents."""
    if not text.isascii():
        decomposed = unicodedata.normalize("NFKD", text)
        text = "".join(mark for mark in decomposed if not unicodedata.combining(mark))
    return "".join(filter(str.isalnum, text.casefold()))


def fold_name(text: str) -> str:
    """The key of a precinct's name: spaces tidied, without case or accents. `#1-2` is not `#12`."""
    text = tidy(text)
    if text.isascii():
        return text.casefold()
    text = text.replace("’", "'").replace("‘", "'").replace("ʼ", "'")
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(mark for mark in decomposed if not unicodedata.combining(mark)).casefold()


def fold_county(text: str) -> str:
    """The key of a county's name: `O'Brien`, `O’BRIEN`, `OBrien` and `O'Brien County` are one county."""
    key = fold(text)
    shorter = key.removesuffix("county")
    return shorter or key


def fold_id(text: str) -> str:
    """The key of a precinct id: spaces tidied, without case. Zeros and signs count."""
    return tidy(text).casefold()


def column_letter(index: int) -> str:
    """Column 0 is A, 25 Z, 26 AA."""
    letters = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        letters = chr(65 + rest) + letters
    return letters
