"""What a rule check is: how it is found, how it is told, when it is one step weaker."""

from collections.abc import Callable
from dataclasses import dataclass

from caucus_desk.tally.checks.facts import Facts, Places


@dataclass(frozen=True, slots=True)
class Told:
    """A hit in words: the field paths, the sentence, and what to ask the room."""

    fields: tuple[str, ...]
    message: str
    ask: str = ""


def never(facts: Facts, hit: Places) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Check:
    """One id of the catalogue.

    `find` answers with the places of the groups concerned (empty where it is about the whole sheet)
    or with None where the predicate holds. `tell` is called for a hit only: finding must be cheap,
    as slips are searched by trying variants of a sheet. `softer` makes an error a warning.
    """

    id: str
    find: Callable[[Facts], Places | None]
    tell: Callable[[Facts, Places], Told]
    softer: Callable[[Facts, Places], bool] = never


HIT: Places = ()
"""The predicate is broken, by no group in particular."""
