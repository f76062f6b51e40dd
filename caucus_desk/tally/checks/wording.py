"""How findings speak: numbers with their nouns, lists of names, grammatical for one and for many."""

from collections.abc import Sequence


def people(count: int) -> str:
    return "1 person" if count == 1 else f"{count:,} people"


def delegates(count: int) -> str:
    return "1 delegate" if count == 1 else f"{count:,} delegates"


def groups(count: int) -> str:
    return "1 group" if count == 1 else f"{count:,} groups"


def was(count: int) -> str:
    return "was" if count == 1 else "were"


def s(count: int) -> str:
    """The ending of a verb after a subject of that number: `1 group gains`, `2 groups gain`."""
    return "s" if count == 1 else ""


def listing(words: Sequence[str], last: str = "and") -> str:
    """`A`, `A and B`, `A, B and C`."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"
