"""Finding a precinct while a caller spells it: any part of id, county and name, at each key.

A word is looked for as it stands, shortened or begun; then with one slip of the hand or as letters of a
name. The words of the whole roster are few, so each typed word is compared with each of them once.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from caucus_desk.desk import spelling
from caucus_desk.desk.spelling import NOISE, fold, words_of
from caucus_desk.desk.vocabulary import Vocabulary
from caucus_desk.tally.roster import Precinct

__all__ = ["exact_precinct", "find_precincts", "fold", "prepare"]

_NEVER = 1e9
_MARGIN = 3.0
"""Nothing is listed that costs so much more than the best: a slip is no guess where something fits."""
_LOOKED_AT = 150
"""So many of the likeliest are compared closely."""
_WORDS_KEPT = 400

# What a typed word costs in addition, by where it was found or how it was put together.
_IN_COUNTY, _IN_ID, _RUN_TOGETHER, _INITIALS = 0.1, 0.5, 0.3, 0.5
_JOINED, _SAID_AS_INITIALS, _UNHEARD = 0.3, 2.6, 1.2


def find_precincts(precincts: Iterable[Precinct], text: str, limit: int = 30) -> tuple[Precinct, ...]:
    """The precincts that `text` may mean, best first, at most `limit`; without text the first of the roster.

    Each typed word must be found in county, name or id: as a word or another way to write it, as the
    start of one, as the initials of several ("dm" is Des Moines), as letters of one in order ("dsm"), or
    with one slip. Words like "precinct" may be found nowhere. Equal fits stand in roster order.
    A whole id names one precinct, and nothing else is listed then.
    """
    return _index(precincts).find(text, limit)


def exact_precinct(precincts: Iterable[Precinct], text: str) -> Precinct | None:
    """The one precinct that `text` names in full: by id, by county and name, or by a name that only it has.

    What Enter may take without a look at the list; None where nothing or more than one fits. Spaces,
    hyphens and leading zeros of a name make no difference.
    """
    return _index(precincts).exact(text)


def prepare(precincts: Iterable[Precinct]) -> None:
    """Sort the words of a roster beforehand, so that the first key is as quick as the others."""
    _index(precincts)


@dataclass(frozen=True, slots=True)
class _Site:
    """One precinct as it is compared."""

    id: str
    tight_id: str
    name: str
    whole: str
    spoken: str
    """County and name word by word, a space before and after."""
    words: tuple[str, ...]
    """Of the name, in order."""
    county: tuple[str, ...]
    numbers: tuple[str, ...]
    """Of the name, in order."""
    all_numbers: tuple[tuple[str, ...], ...]
    """Those of county and name, and those of the id, which often says the same again."""


@dataclass(slots=True)
class _Index:
    """The words of a roster, and where each stands."""

    precincts: tuple[Precinct, ...]
    sites: list[_Site] = field(default_factory=list)
    places: dict[str, dict[int, float]] = field(default_factory=dict)
    """A word to the precincts that have it, with what it costs to have meant it there."""
    derived: dict[str, dict[int, float]] = field(default_factory=dict)
    """Runs of words written together, and first letters of runs."""
    kept: dict[str, dict[int, float]] = field(default_factory=dict)
    near: dict[str, dict[str, float]] = field(default_factory=dict)
    vocabulary: Vocabulary = field(default_factory=Vocabulary)

    def build(self) -> None:
        for place, precinct in enumerate(self.precincts):
            site = _site(precinct)
            self.sites.append(site)
            for words, more in ((site.words, 0.0), (site.county, _IN_COUNTY), (words_of(site.id), _IN_ID)):
                for word in words:
                    _put(self.places, word, place, more)
                    number = spelling.as_number((word,))
                    if number:
                        _put(self.places, number, place, more)
            for before, word in pairwise(site.words):
                if before in ("ward", "w") and spelling.roman(word):
                    _put(self.places, spelling.roman(word), place, 0.0)
            for words, more in ((site.words, 0.0), (site.county, 0.0), (words_of(site.id), _IN_ID)):
                self._put_runs(words, place, more)
        self.vocabulary.fill(self.places, self.derived)

    def _put_runs(self, words: Sequence[str], place: int, more: float) -> None:
        for start in range(len(words)):
            for end in range(start + 2, min(start + 4, len(words)) + 1):
                run = words[start:end]
                if len({word.isdigit() for word in run}) > 1:
                    break
                if end - start < 4:
                    _put(self.derived, "".join(run), place, _RUN_TOGETHER + more)
                if run[0].isalpha() and not more:
                    _put(self.derived, "".join(word[0] for word in run), place, _INITIALS)

    # --- looking up ---------------------------------------------------------------------------

    def find(self, text: str, limit: int) -> tuple[Precinct, ...]:
        wanted = fold(text)
        if not wanted:
            return self.precincts[:limit]
        for site, precinct in zip(self.sites, self.precincts, strict=True):
            if wanted == site.id:
                return (precinct,)
        typed = words_of(wanted)
        costs = self._costs(typed) if typed else {}
        tight = _tight(wanted)
        for place, site in enumerate(self.sites):
            if wanted == site.whole:
                costs[place] = -2.0
            elif wanted == site.name or site.id.startswith(wanted) or (tight and tight == site.tight_id):
                costs[place] = -1.0
        if not costs:
            return ()
        bound = max(0.0, min(costs.values())) + _MARGIN
        likely = sorted((cost, place) for place, cost in costs.items() if cost <= bound)
        looked_at = [(self._closely(cost, place, typed), place) for cost, place in likely[:_LOOKED_AT]]
        looked_at.sort()
        ordered = [place for _, place in looked_at] + [place for _, place in likely[_LOOKED_AT:]]
        return tuple(self.precincts[place] for place in ordered[:limit])

    def exact(self, text: str) -> Precinct | None:
        wanted = fold(text)
        if not wanted:
            return None
        typed = tuple(words_of(wanted))
        by_id, by_name = [], []
        for site, precinct in zip(self.sites, self.precincts, strict=True):
            if wanted == site.id:
                by_id.append(precinct)
            elif typed and typed in (site.words, (*site.county, *site.words)):
                by_name.append(precinct)
        found = by_id or by_name
        return found[0] if len(found) == 1 else None

    def _costs(self, typed: Sequence[str]) -> dict[int, float]:
        """Each precinct in which all words are found, with the least that they cost together."""
        best: list[dict[int, float] | None] = [None]
        for end in range(1, len(typed) + 1):
            reached: dict[int, float] = {}
            for start in range(max(0, end - 3), end):
                found = self._run(typed[start:end])
                before = best[start]
                noise = end - start == 1 and typed[start] in NOISE
                if before is None:
                    _least(reached, found)
                    if noise:
                        _least(reached, dict.fromkeys(range(len(self.sites)), _UNHEARD))
                elif noise:
                    heard = {p: min(found.get(p, _UNHEARD), _UNHEARD) for p in before}
                    _least(reached, {p: cost + heard[p] for p, cost in before.items()})
                elif len(before) < len(found):
                    _least(reached, {p: cost + found[p] for p, cost in before.items() if p in found})
                else:
                    _least(reached, {p: cost + before[p] for p, cost in found.items() if p in before})
            best.append(reached)
        return dict(best[-1] or {})

    def _run(self, words: Sequence[str]) -> dict[int, float]:
        """The precincts in which one word stands, or several that are meant as one."""
        number = spelling.as_number(words)
        if len(words) == 1:
            found = self._word(words[0])
            if number:
                found = {**found}
                _least(found, self._word(number))
            return found
        found = {}
        if number:
            _least(found, self.places.get(number, {}))
        if all(word.isdigit() or spelling.as_number((word,)) for word in words):
            joined = "".join(spelling.as_number((word,)) or word for word in words)
            _least(found, self.places.get(joined, {}), 2 * _JOINED)
        elif all(word.isalpha() for word in words):
            for written, cost in self.vocabulary.begun("".join(words)).items():
                _least(found, self.places.get(written, {}), cost + _JOINED)
            first = "".join(word[0] for word in words)
            _least(found, self.places.get(first, {}), _SAID_AS_INITIALS)
        return found

    def _word(self, word: str) -> dict[int, float]:
        found = self.kept.get(word)
        if found is None:
            found = {}
            for written, cost in self._near(word).items():
                _least(found, self.places.get(written, {}), cost)
                _least(found, self.derived.get(written, {}), cost)
            if len(self.kept) > _WORDS_KEPT:
                self.kept.clear()
            self.kept[word] = found
        return found

    def _near(self, word: str) -> dict[str, float]:
        """The words of the roster that a typed word may mean, each with its cost."""
        found = self.near.get(word)
        if found is None:
            found = self.vocabulary.near(word)
            if len(self.near) > _WORDS_KEPT:
                self.near.clear()
            self.near[word] = found
        return found

    def _closely(self, cost: float, place: int, typed: Sequence[str]) -> float:
        """The cost with what the words alone do not say: what is left over, how often, in which order."""
        if cost < 0:
            return cost
        site = self.sites[place]
        heard = [self._near(word) for word in typed]
        numbers = [spelling.as_number((word,)) or word for word in typed]
        numbers = [number for number in numbers if number.isdigit()]
        left = [word for word in site.words if word not in NOISE and not any(word in near for near in heard)]
        cost += min(0.6, 0.12 * sum(word.isalpha() for word in left))
        cost += 0.35 * sum(max(0, site.numbers.count(n) - numbers.count(n)) for n in {*site.numbers})
        for number in {*numbers}:
            cost += max(0, numbers.count(number) - max(said.count(number) for said in site.all_numbers))
        if len(numbers) > 1 and not _in_this_order([n for n in numbers if n in site.numbers], site.numbers):
            cost += 0.5
        said_twice = {word for word in typed if word.isalpha() and typed.count(word) > 1}
        written = (*site.county, *site.words)
        cost += 0.5 * sum(max(0, typed.count(word) - written.count(word)) for word in said_twice)
        return cost - (0.2 if f" {' '.join(typed)} " in site.spoken else 0.0)


def _site(precinct: Precinct) -> _Site:
    id_, county, name = fold(precinct.id), fold(precinct.county), fold(precinct.name)
    words, of_county, of_id = words_of(name), words_of(county), words_of(id_)
    return _Site(
        id=id_,
        tight_id=_tight(id_),
        name=name,
        whole=f"{county} {name}",
        spoken=f" {' '.join((*of_county, *words))} ",
        words=tuple(words),
        county=tuple(of_county),
        numbers=_numbers(words),
        all_numbers=(_numbers((*of_county, *words)), _numbers(of_id)),
    )


def _numbers(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(word for word in words if word.isdigit())


def _tight(folded: str) -> str:
    return "".join(letter for letter in folded if letter.isalnum())


def _put(words: dict[str, dict[int, float]], word: str, place: int, cost: float) -> None:
    places = words.setdefault(word, {})
    places[place] = min(cost, places.get(place, _NEVER))


def _least(found: dict[int, float], other: dict[int, float], more: float = 0.0) -> None:
    for place, cost in other.items():
        if cost + more < found.get(place, _NEVER):
            found[place] = cost + more


def _in_this_order(numbers: Sequence[str], among: Sequence[str]) -> bool:
    rest = iter(among)
    return all(any(number == other for other in rest) for number in numbers)


_last: _Index | None = None


def _index(precincts: Iterable[Precinct]) -> _Index:
    """The index of a roster, made once and kept for as long as the same roster is asked about."""
    global _last
    roster = tuple(precincts)
    index = _last
    if index is None or index.precincts != roster:
        index = _Index(roster)
        index.build()
        _last = index
    return index
