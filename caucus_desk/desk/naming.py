"""Names of people and what they write: tidied when given; names are compared folded."""

import unicodedata

from caucus_desk.rules.errors import Refused
from caucus_desk.tally.people import folded, invisible, same_person

__all__ = ["clean_name", "clean_text", "folded", "one_line", "same_person"]

LONGEST = 80
"""Letters in a name."""
LONGEST_TEXT = 500
"""Letters in a reason."""


def clean_name(name: str) -> str:
    """The name as it is kept: spaces tidied, nothing invisible. Refused when nothing is left."""
    tidy = one_line(name)
    if not folded(tidy):
        raise Refused("Nobody is named. Say who is at the desk: a name, such as clerk 07.")
    if len(tidy) > LONGEST:
        raise Refused(f"This name has {len(tidy)} letters; a name may have {LONGEST}. Shorten it.")
    return tidy


def clean_text(text: str, what: str = "reason", longest: int = LONGEST_TEXT) -> str:
    """What somebody wrote, as it is kept: one line of printable text. Refused when it is too long.

    `what` names it in the refusal: "This reason has 812 letters; ...".
    """
    tidy = one_line(text)
    if len(tidy) > longest:
        raise Refused(f"This {what} has {len(tidy):,} letters; it may have {longest:,}. Shorten it.")
    return tidy


def one_line(text: str) -> str:
    """Line ends, tabs and control characters become spaces; what cannot be seen is taken out."""
    seen = "".join(letter for letter in unicodedata.normalize("NFC", text) if not invisible(letter))
    return " ".join("".join(letter if letter.isprintable() else " " for letter in seen).split())
