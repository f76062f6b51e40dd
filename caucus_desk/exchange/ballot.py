"""Groups as files name them: by key or label, folded; a name that is not on the ballot is never Other."""

from collections.abc import Iterable

from caucus_desk.exchange.cells import CellFault, usable
from caucus_desk.exchange.folding import fold
from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.tally.sheet import ChanceRecord


class Ballot:
    """The groups of a rule set, to be found by what a file calls them."""

    def __init__(self, rules: RuleSet) -> None:
        self.keys = rules.keys
        self.order = {key: place for place, key in enumerate(rules.keys)}
        self._by_name: dict[str, str] = {}
        for group in rules.groups:
            for called in (group.key, group.label):
                self._by_name.setdefault(fold(called), group.key)
        self._known: dict[str, str] = {}
        """As written in files so far."""
        self._labels = ", ".join(group.label for group in rules.groups)

    def names(self) -> Iterable[tuple[str, str]]:
        """Folded name and key of every way to name a group."""
        return self._by_name.items()

    def group(self, text: str) -> str:
        """The key of the group that a cell names.

        Raises:
            CellFault: blank, or not on the ballot.
        """
        key = self._known.get(text)
        if key is None:
            key = self._by_name.get(fold(usable(text)))
            if key is not None:
                self._known[text] = key
        if key is None:
            raise CellFault(f"a group of the ballot: {self._labels}")
        return key

    def chance(self, text: str) -> tuple[ChanceRecord, ...]:
        """Games of chance: `A|B>A` says that A and B tossed and A won; several are parted by semicolons.

        Raises:
            CellFault: another form, or groups that are not on the ballot.
        """
        plain = usable(text)
        return tuple(self._toss(part) for part in plain.split(";") if part.strip())

    def _toss(self, text: str) -> ChanceRecord:
        form = CellFault("who tossed and who won, such as Sanders|Warren>Warren")
        played, arrow, won = text.partition(">")
        if not arrow or not played.strip() or not won.strip():
            raise form
        groups = tuple(self.group(part) for part in played.split("|"))
        winners = tuple(self.group(part) for part in won.split("|"))
        inside = set(winners) <= set(groups) and len(winners) < len(groups)
        if not inside or len(set(groups)) < len(groups) or len(set(winners)) < len(winners):
            raise form
        return ChanceRecord(groups, winners)
