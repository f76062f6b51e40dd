"""Names of people at the desk: free text, tidied when given, compared folded."""

import unicodedata

from caucus_desk.rules.errors import Refused
from caucus_desk.store.names import folded, same_person

__all__ = ["clean_name", "folded", "same_person"]

LONGEST = 80
"""Letters in a name."""


def clean_name(name: str) -> str:
    """The name as it is kept: spaces tidied, nothing unprintable. Refused when nothing is left."""
    text = unicodedata.normalize("NFC", name)
    kept = "".join(letter if letter.isprintable() else " " for letter in text)
    tidy = " ".join(kept.split())
    if not folded(tidy):
        raise Refused("Nobody is named. Say who is at the desk: a name, such as clerk 07.")
    if len(tidy) > LONGEST:
        raise Refused(f"This name has {len(tidy)} letters; a name may have {LONGEST}. Shorten it.")
    return tidy
