"""Apportionment of county delegates (rules.md 5)."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Tie:
    """`k` of `groups` lose (or gain) one delegate, by a game of chance."""

    kind: Literal["lose", "gain"]
    k: int
    groups: tuple[str, ...]
