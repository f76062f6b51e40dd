"""Names of people: kept as given, compared folded (case, spaces, accents)."""

import unicodedata
from functools import lru_cache


@lru_cache(maxsize=4096)
def folded(name: str) -> str:
    """The name as it is compared: `Zoë  Café` and `zoe cafe` are one person."""
    parts = unicodedata.normalize("NFKD", name.casefold())
    return " ".join("".join(letter for letter in parts if not unicodedata.combining(letter)).split())


def same_person(one: str, other: str) -> bool:
    return folded(one) == folded(other)
