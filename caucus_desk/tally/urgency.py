"""What comes first in the review queue: how much a case can move, how close it is, how long it waits."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from itertools import combinations
from typing import TypeVar

from caucus_desk.rules.apportion import apportion
from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.rules.viability import threshold
from caucus_desk.tally.assess import computable
from caucus_desk.tally.basis import attendance_basis, delegates_to_elect
from caucus_desk.tally.effects import apart, if_stood
from caucus_desk.tally.mismatch import differing_fields
from caucus_desk.tally.overview import Overview
from caucus_desk.tally.report import HeadKey, Report
from caucus_desk.tally.results import PrecinctResult
from caucus_desk.tally.roster import Precinct
from caucus_desk.tally.sheet import ResultSheet, completed

Key = TypeVar("Key", bound=HeadKey)


@dataclass(frozen=True, slots=True)
class Urgency:
    """How urgent a case is. `order` sorts the worst first: most SDEs at stake, then the fewest people
    between two outcomes, then the longest wait. What cannot be worked out comes after what can."""

    at_stake: Fraction | None
    """SDEs; None where the roster does not let them be worked out."""
    closeness: int | None
    """People; None where nothing is computed."""
    waits_since: datetime

    @property
    def order(self) -> tuple[bool, Fraction, bool, int, datetime]:
        return (
            self.at_stake is None,
            -(self.at_stake or Fraction(0)),
            self.closeness is None,
            self.closeness or 0,
            self.waits_since,
        )


def at_stake(
    overview: Overview, result: PrecinctResult, others: Iterable[ResultSheet] = ()
) -> Fraction | None:
    """SDEs that a choice among the standing reports can move at most.

    The greatest distance between two of the sheets that could stand: each report's, completed by what it
    leaves out and another states, and `others` (a ruling that waits for approval). The distance of two
    sheets is the SDEs that change hands between them (total variation: one delegate taken from Warren
    and given to Sanders counts once), as reported or as computed, whichever is more. Example: where phone
    gives Sanders 2 and Warren 1 and paper Sanders 1 and Warren 2, one delegate is at stake; where a
    delegate is worth 4/11 SDE, that is 4/11. 0 where the sheets differ only in what moves no delegate.
    None where a county's delegates have no worth in the roster.
    """
    if result.precinct.county in overview.unscaled_counties:
        return None
    sheets = [*whole_sheets(result.heads).values(), *others]
    distinct = list({sheet.fingerprint: sheet for sheet in sheets}.values())
    ways = [if_stood(overview, result, sheet) for sheet in distinct]
    return max((apart(overview, one, other) for one, other in combinations(ways, 2)), default=Fraction(0))


def whole_sheets(reports: Mapping[Key, Report]) -> dict[Key, ResultSheet]:
    """What would stand for each report: its own sheet, with what it does not state from the others."""
    return {
        key: completed(report.sheet, (other.sheet for one, other in reports.items() if one != key))
        for key, report in reports.items()
    }


def differ_since(reports: Mapping[Key, Report], groups: Iterable[str]) -> datetime | None:
    """Since when two of the standing reports differ: the later of the two that did so first."""
    keys = tuple(groups)
    times = [
        max(one.at, other.at)
        for one, other in combinations(reports.values(), 2)
        if differing_fields(one.sheet, other.sheet, keys)
    ]
    return min(times, default=None)


# ---- closeness ----


def closeness(rules: RuleSet, precinct: Precinct, sheet: ResultSheet | None) -> int | None:
    """The fewest people whose move from one group to another, in the final alignment, changes the
    delegates that the rules give in this precinct.

    A tie that only chance decides is an outcome of its own, so that any move out of it changes something.
    The attendance stays as it is. Example: 40 people elect 4, and Sanders 22, Warren 18 give 2 and 2. When
    3 have gone to Sanders (25 x 4 / 40 = 2.5, rounded up) both claim the fourth delegate: closeness 3.
    None where nothing can be computed: nobody came, a count is blank, no delegates are elected, or no
    move changes anything.
    """
    if sheet is None:
        return None
    basis = attendance_basis(rules, precinct, sheet)
    elects = delegates_to_elect(rules, precinct, basis.count)
    if not basis.count or not elects or not computable(sheet, basis.source):
        return None
    finals = {row.group: row.final for row in sheet.groups if row.final}
    room = _Room(rules, elects, basis.count, finals)
    return room.closest()


class _Room:
    """One precinct's final alignment, in which people can be moved."""

    def __init__(self, rules: RuleSet, delegates: int, attendance: int, finals: Mapping[str, int]) -> None:
        self._rules = rules
        self._delegates = delegates
        self._attendance = attendance
        self._finals = dict(finals)
        self._now = self._awards(self._finals)

    def closest(self) -> int | None:
        best: int | None = None
        for giving, taking in self._pairs():
            most = self._finals[giving] if best is None else min(self._finals[giving], best - 1)
            # What one group loses and another gains only ever grows with the number of people who move, so
            # that a move that changes nothing at its largest changes nothing before.
            if most < 1 or not self._changes(giving, taking, most):
                continue
            low, high = 1, most
            while low < high:
                middle = (low + high) // 2
                if self._changes(giving, taking, middle):
                    high = middle
                else:
                    low = middle + 1
            best = high
            if best == 1:
                return 1
        return best

    def _pairs(self) -> list[tuple[str, str]]:
        """Groups to move people between. Of groups too small for delegates only the two largest can matter,
        and one that has nobody yet: what reaches the threshold first does so from there."""
        needed = threshold(self._rules, self._delegates, self._attendance)
        barred = self._rules.never_viable
        sizes = {**self._finals}
        empty = [key for key in self._rules.keys if key not in sizes and key not in barred]
        sizes.update(dict.fromkeys(empty[:1], 0))
        viable = [g for g, count in sizes.items() if count and count >= needed and g not in barred]
        small = sorted((g for g in sizes if g not in viable), key=lambda g: -sizes[g])
        may_grow = [g for g in small if g not in barred][:2]
        matter = list(dict.fromkeys((*viable, *may_grow, *small[:2])))
        return [(a, b) for a in matter for b in matter if a != b and sizes[a]]

    def _changes(self, giving: str, taking: str, people: int) -> bool:
        finals = dict(self._finals)
        finals[giving] -= people
        finals[taking] = finals.get(taking, 0) + people
        return self._awards(finals) != self._now

    def _awards(self, finals: Mapping[str, int]) -> object:
        worked = apportion(self._rules, self._delegates, self._attendance, finals)
        given = frozenset((group, count) for group, count in worked.awards.items() if count)
        tie = worked.tie
        return given, None if tie is None else (tie.kind, tie.k, frozenset(tie.groups))
