"""What a release holds: each precinct with the exact sheet that stood and whether it counted.

A frozen list is enough to add everything up again: worths of delegates come from the roster lines in it,
and a satellite pool from all sheets of its sites, those too that did not count but state an attendance.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from caucus_desk.rules.ruleset import RuleSet, Unit
from caucus_desk.tally.assess import Awards
from caucus_desk.tally.counting import counts
from caucus_desk.tally.overview import Overview
from caucus_desk.tally.results import Counting, PrecinctResult
from caucus_desk.tally.roster import Precinct
from caucus_desk.tally.scale import Scale
from caucus_desk.tally.sheet import ResultSheet
from caucus_desk.tally.state import Standing, State

ZERO = Fraction(0)


@dataclass(frozen=True, slots=True)
class FrozenPrecinct:
    """`sheet`: the standing sheet, None where nothing was in. `counted`: it is in the release's sums.
    `ruling`: the ruling that the sheet comes from, None where it comes from a report."""

    precinct: Precinct
    sheet: ResultSheet | None = None
    counted: bool = False
    ruling: int | None = None


class FrozenList:
    """One release's precincts under its rule set; merged precincts are left out. Never changes."""

    def __init__(self, rules: RuleSet, precincts: Iterable[FrozenPrecinct]) -> None:
        self.rules = rules
        self.precincts: Mapping[str, FrozenPrecinct] = {
            entry.precinct.id: entry for entry in precincts if not entry.precinct.merged
        }

    @classmethod
    def of(cls, overview: Overview, counting: Counting) -> "FrozenList":
        """What stands now, frozen."""
        return cls(
            overview.rules,
            (
                FrozenPrecinct(
                    result.precinct,
                    result.standing.sheet,
                    counts(result, counting),
                    result.standing.ruling.id if result.standing.ruling else None,
                )
                for result in overview.results.values()
            ),
        )

    def counted(self, id: str) -> ResultSheet | None:
        """The sheet that is in the sums, None where none is."""
        entry = self.precincts.get(id)
        return entry.sheet if entry is not None and entry.counted else None

    @cached_property
    def worth(self) -> Mapping[str, Fraction]:
        """SDEs of one delegate, by precinct id."""
        scale = Scale(self.rules, (entry.precinct for entry in self.precincts.values()))
        worth: dict[str, Fraction] = {}
        pools: dict[str, list[PrecinctResult]] = {}
        for id, entry in self.precincts.items():
            if entry.precinct.is_satellite:
                pools.setdefault(entry.precinct.county, []).append(self._result(entry))
            else:
                worth[id] = scale.county(entry.precinct.county)
        for sites in pools.values():
            worth.update(scale.pool(sites))
        return worth

    def _result(self, entry: FrozenPrecinct) -> PrecinctResult:
        awards = Awards.of(self.rules, entry.precinct, entry.sheet)
        return PrecinctResult(
            precinct=entry.precinct,
            reports={},
            standing=Standing(State.SINGLE if entry.sheet else State.AWAITING, entry.sheet),
            mismatches=(),
            acknowledgements=(),
            open_errors=(),
            delegates_to_elect=awards.delegates_to_elect,
            reported=awards.reported,
            computed=awards.computed,
            tie=awards.tie,
            not_computed=awards.not_computed,
            changed_after_verified=False,
        )

    def sdes(self, id: str) -> Mapping[str, Fraction]:
        """Counted SDEs of one precinct by group, exact; empty where it does not count."""
        sheet = self.counted(id)
        if sheet is None:
            return {}
        if self.rules.unit is Unit.VOTES:
            return {row.group: Fraction(row.final) for row in sheet.groups if row.final}
        worth = self.worth.get(id, ZERO)
        return {row.group: row.delegates * worth for row in sheet.groups if row.delegates and worth}
