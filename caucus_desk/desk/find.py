"""Finding a precinct while a caller spells it: any part of id, county and name, at each key."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from caucus_desk.tally.roster import Precinct

_WORD = re.compile(r"[a-z]+|[0-9]+")
_GLUED = re.compile(r"[a-z]+|[0-9]+|[^a-z0-9]+")

# Cost of one typed word, smallest first. A word must be found somewhere, or the precinct is not listed.
_SAME, _START, _INSIDE, _INITIALS, _LETTERS = 0, 2, 6, 4, 9
_NOT_FOUND = 1_000


@dataclass(frozen=True, slots=True)
class _Folded:
    """What is compared: the whole fields, and the words of county, name and id."""

    id: str
    name: str
    whole: str
    words: tuple[str, ...]
    tight: str
    initials: tuple[str, ...]
    runs: tuple[str, ...]


def fold(text: str) -> str:
    """Text as it is compared: without case, accents, apostrophes and extra spaces."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    kept = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return " ".join(kept.replace("'", "").replace("’", "").split())


def find_precincts(precincts: Iterable[Precinct], text: str, limit: int = 30) -> tuple[Precinct, ...]:
    """The precincts that `text` may mean, best first, at most `limit`; without text the first of the roster.

    Each typed word must be found in county, name or id: as a word, as the start of one, inside one, as
    the initials of several ("dm" is Des Moines) or as letters of one in order ("dsm"). Equal fits stand
    in roster order.
    A whole id names one precinct, and nothing else is listed then.
    """
    wanted = fold(text)
    if not wanted:
        return tuple(precinct for precinct, _ in zip(precincts, range(limit), strict=False))
    typed = _typed_words(wanted)
    ranked: list[tuple[int, int, Precinct]] = []
    for place, precinct in enumerate(precincts):
        folded = _folded(precinct.id, precinct.county, precinct.name)
        if wanted == folded.id:
            return (precinct,)
        if wanted == folded.whole:
            cost = -2
        elif wanted == folded.name or folded.id.startswith(wanted):
            cost = -1
        else:
            cost = _cost(folded, typed)
        if cost < _NOT_FOUND:
            ranked.append((cost, place, precinct))
    ranked.sort(key=lambda entry: entry[:2])
    return tuple(precinct for _, _, precinct in ranked[:limit])


def exact_precinct(precincts: Iterable[Precinct], text: str) -> Precinct | None:
    """The one precinct that `text` names in full: by id, by county and name, or by a name that only it has.

    What Enter may take without a look at the list; None where nothing or more than one fits.
    """
    wanted = fold(text)
    if not wanted:
        return None
    by_id, by_name = [], []
    for precinct in precincts:
        folded = _folded(precinct.id, precinct.county, precinct.name)
        if wanted == folded.id:
            by_id.append(precinct)
        elif wanted in (folded.whole, folded.name):
            by_name.append(precinct)
    found = by_id or by_name
    return found[0] if len(found) == 1 else None


@lru_cache(maxsize=20_000)
def _folded(precinct_id: str, county: str, name: str) -> _Folded:
    id_, county_, name_ = fold(precinct_id), fold(county), fold(name)
    words = tuple(dict.fromkeys(_number(word) for word in _WORD.findall(f"{county_} {name_} {id_}")))
    letters = [_words_of(part) for part in (county_, name_)]
    return _Folded(
        id=id_,
        name=name_,
        whole=f"{county_} {name_}",
        words=words,
        tight=re.sub(r"[^a-z0-9|]", "", f"{county_}|{name_}|{id_}"),
        initials=tuple("".join(word[0] for word in part) for part in letters if len(part) > 1),
        runs=tuple("".join(part) for part in letters if part),
    )


def _words_of(text: str) -> list[str]:
    return [word for word in _WORD.findall(text) if word.isalpha()]


def _number(word: str) -> str:
    """042 and 42 are the same number to a caller."""
    return word.lstrip("0") or "0" if word.isdigit() else word


def _typed_words(wanted: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Each typed word with its parts where letters and digits are glued together ("dm42")."""
    typed = []
    for chunk in re.split(r"[^a-z0-9]+", wanted):
        if chunk:
            parts = tuple(_number(part) for part in _GLUED.findall(chunk))
            typed.append((_number(chunk), parts if len(parts) > 1 else ()))
    return tuple(typed)


def _cost(folded: _Folded, typed: Iterable[tuple[str, tuple[str, ...]]]) -> int:
    total = 0
    for word, parts in typed:
        cost = _word_cost(folded, word)
        if parts:
            split = sum(_word_cost(folded, part) for part in parts)
            cost = min(cost, split + 1)
        total += cost
        if total >= _NOT_FOUND:
            return _NOT_FOUND
    return total


def _word_cost(folded: _Folded, word: str) -> int:
    if word in folded.words:
        return _SAME
    # A number is heard whole: 4 is not the beginning of 42 unless nothing better is there.
    start = _START + 1 if word.isdigit() else _START
    if any(candidate.startswith(word) for candidate in folded.words):
        return start
    if word.isalpha():
        if any(initials.startswith(word) for initials in folded.initials):
            return _INITIALS
        if word in folded.tight:
            return _INSIDE
        if len(word) >= 2 and any(_letters_in_order(word, run) for run in folded.runs):
            return _LETTERS
    elif word in folded.tight:
        return _INSIDE
    return _NOT_FOUND


def _letters_in_order(word: str, run: str) -> bool:
    """The letters of `word` stand in `run` in this order, the first one first: "dsm" in "desmoines"."""
    if not run or run[0] != word[0]:
        return False
    place = 0
    for letter in word:
        place = run.find(letter, place) + 1
        if place == 0:
            return False
    return True
