"""The words of a roster, sorted so that those which a typed word may mean are found without reading all."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence

from caucus_desk.desk import spelling


class Vocabulary:
    """Some thousand words. `derived` ones are runs of words, which nobody shortens."""

    def __init__(self) -> None:
        self._sorted: list[str] = []
        self._own: frozenset[str] = frozenset()
        self._by_first: dict[str, list[str]] = {}
        self._by_second: dict[tuple[str, int], list[str]] = {}
        self._text = ""

    def fill(self, own: Iterable[str], derived: Iterable[str]) -> None:
        self._own = frozenset(own)
        self._sorted = sorted(self._own | frozenset(derived))
        for word in self._sorted:
            if word.isalpha():
                self._by_first.setdefault(word[0], []).append(word)
                for letter in word[:2]:
                    self._by_second.setdefault((letter, len(word)), []).append(word)
        self._text = "\n" + "\n".join(word for word in self._sorted if word.isalpha()) + "\n"

    def near(self, word: str) -> dict[str, float]:
        """Each word that may be meant, with what it costs to mean it."""
        found = self.begun(word)
        if word.isdigit():
            return found
        for other in spelling.other_forms(word) & self._own:
            found[other] = min(spelling.SHORT, found.get(other, spelling.SHORT))
        for written in self._by_first.get(word[0], ()):
            if written not in found:
                cost = spelling.likeness(word, written, derived=written not in self._own)
                if cost is not None:
                    found[written] = cost
        if len(word) >= 4:
            self._slips_at_the_start(word, found)
        if len(word) >= 2:
            for written in self._with(word):
                found.setdefault(written, spelling.INSIDE)
        return found

    def begun(self, word: str) -> dict[str, float]:
        """The word itself, and those that begin so. A number is heard whole: 4 is hardly 42."""
        found: dict[str, float] = {}
        number, one = word.isdigit(), len(word) == 1
        for place in range(bisect_left(self._sorted, word), len(self._sorted)):
            written = self._sorted[place]
            if not written.startswith(word):
                break
            more = len(written) - len(word)
            if not more:
                found[written] = spelling.SAME
            elif not number:
                found[written] = spelling.START + (0.5 if one else 0.0) + min(0.4, 0.02 * more)
            elif written in self._own:
                found[written] = spelling.NUMBER_START + 0.05 * more
        return found

    def _slips_at_the_start(self, word: str, found: dict[str, float]) -> None:
        for length in range(len(word) - 1, len(word) + 2):
            for letter in word[:2]:
                for written in self._by_second.get((letter, length), ()):
                    if written not in found and spelling.one_slip(word, written):
                        found[written] = spelling.SLIP

    def _with(self, word: str) -> Sequence[str]:
        """The words that have it inside."""
        found, text = [], self._text
        place = text.find(word)
        while place >= 0:
            end = text.find("\n", place)
            found.append(text[text.rfind("\n", 0, place) + 1 : end])
            place = text.find(word, end)
        return found
