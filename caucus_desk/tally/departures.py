"""As reported, as computed: where a sheet's delegates are not what the rules give, at which step of the
worksheet the two part, and what that moves (rules.md 5, 5.2).

Sheets are never corrected (Q6); this is what the other answer would have been. Moves are computed less
reported, in delegates and in the rule set's unit (SDEs), exact. Where only a game of chance can decide,
computed is before the toss, so that its move is not an outcome but what is still open: those precincts
are summed apart. Where a toss decided and the sheet agrees with the rules nothing departs; what another
toss would have moved is kept beside it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from caucus_desk.rules.apportion import Apportionment, Tie, apportion
from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.tally.basis import attendance_basis
from caucus_desk.tally.counting import counts
from caucus_desk.tally.overview import Overview, same_awards
from caucus_desk.tally.parting import Instead, Step, parting, works_out_with
from caucus_desk.tally.results import Counting, PrecinctResult
from caucus_desk.tally.roster import Precinct

ZERO = Fraction(0)


@dataclass(frozen=True, slots=True)
class Departure:
    """One precinct whose delegates are not as the rules give."""

    precinct: Precinct
    elects: int
    """Delegates to elect."""
    reported: Mapping[str, int]
    computed: Mapping[str, int]
    """Before a toss where there is one."""
    step: Step
    """The first step of the worksheet at which the sheet is not what the rules give."""
    sentence: str
    works_out_with: tuple[Instead, ...]
    """What the sheet would be right with: a hint at the slip, not a finding."""
    tie: Tie | None
    """Set where only chance could decide, and the sheet shows none of the outcomes."""
    sdes: Mapping[str, Fraction]
    """What counting as computed would move, by group; the groups that it does not move are left out."""
    work: Apportionment
    """The arithmetic, with its steps for whoever checks it on paper."""

    @property
    def given(self) -> int:
        return sum(self.reported.values())

    @property
    def delegates(self) -> Mapping[str, int]:
        """Computed less reported, by group, in ballot order of the sheet's groups."""
        return moved_delegates(self.reported, self.computed)

    @property
    def size(self) -> Fraction:
        """Half of all that moves: a delegate that goes from one group to another counts once."""
        return sum((abs(value) for value in self.sdes.values()), ZERO) / 2


@dataclass(frozen=True, slots=True)
class Tossed:
    """A precinct whose sheet agrees with the rules through a game of chance."""

    precinct: Precinct
    tie: Tie
    winners: tuple[str, ...]
    """Those of the tie's groups that the toss favoured: they gained, or did not lose."""
    worth: Fraction
    """SDEs of one delegate here."""

    def other(self, group: str) -> Fraction:
        """What the other outcome would move for a group of the tie; 0 for the others."""
        if group not in self.tie.groups:
            return ZERO
        return -self.worth if group in self.winners else self.worth


@dataclass(frozen=True)
class Departures:
    """All of an area's precincts that depart from the rules."""

    rules: RuleSet
    all: tuple[Departure, ...]
    """In roster order. A sheet that shows the state before a toss is among them and moves nothing."""
    tossed: tuple[Tossed, ...]
    not_computed: tuple[Precinct, ...]
    """Counted as reported because nothing could be computed: a round is missing, or nobody came."""

    @property
    def differing(self) -> tuple[Departure, ...]:
        """Those in which at least one group has other delegates."""
        return tuple(entry for entry in self.all if entry.sdes or entry.delegates)

    @property
    def by_chance(self) -> tuple[Departure, ...]:
        return tuple(entry for entry in self.all if entry.tie is not None)

    def moved(self, chance: bool | None = None) -> Mapping[str, Fraction]:
        """Computed less reported SDEs by group, every group of the ballot: of all precincts, or only of
        those in which chance has (True) or has no (False) part."""
        entries = [e for e in self.all if chance is None or (e.tie is not None) is chance]
        return {group: sum((e.sdes.get(group, ZERO) for e in entries), ZERO) for group in self.rules.keys}

    def tosses(self, group: str) -> tuple[Fraction, Fraction]:
        """The least and the most that other tosses would have moved for a group, over all precincts."""
        moves = [entry.other(group) for entry in self.tossed]
        return sum((m for m in moves if m < 0), ZERO), sum((m for m in moves if m > 0), ZERO)

    def by_step(self) -> Mapping[Step, tuple[Departure, ...]]:
        return {step: tuple(entry for entry in self.all if entry.step is step) for step in Step}


def departures(
    overview: Overview, counting: Counting = Counting.REPORTED, district: str | None = None
) -> Departures:
    """Every counted precinct, against what the rules give on its own counts."""
    found: list[Departure] = []
    tossed: list[Tossed] = []
    not_computed: list[Precinct] = []
    for result in overview.results.values():
        if not counts(result, counting) or (district is not None and result.precinct.district != district):
            continue
        if result.not_computed:
            not_computed.append(result.precinct)
            continue
        work = _work(overview.rules, result)
        if work is None:
            continue
        if result.tie is None and same_awards(result.reported, result.computed):
            if work.tie is not None:
                tossed.append(_tossed(overview, result, work, work.tie))
        else:
            found.append(_departure(overview, result, work))
    return Departures(overview.rules, tuple(found), tuple(tossed), tuple(not_computed))


def moved_delegates(reported: Mapping[str, int], computed: Mapping[str, int]) -> dict[str, int]:
    groups: Iterable[str] = dict.fromkeys((*reported, *computed))
    moves = {group: computed.get(group, 0) - reported.get(group, 0) for group in groups}
    return {group: move for group, move in moves.items() if move}


def _work(rules: RuleSet, result: PrecinctResult) -> Apportionment | None:
    """The same arithmetic as in tally.assess."""
    sheet = result.standing.sheet
    if sheet is None or not result.delegates_to_elect:
        return None
    attendance = attendance_basis(rules, result.precinct, sheet).count
    if not attendance:
        return None
    finals = {row.group: row.final for row in sheet.groups if row.final}
    return apportion(rules, result.delegates_to_elect, attendance, finals)


def _departure(overview: Overview, result: PrecinctResult, work: Apportionment) -> Departure:
    sheet, worth = result.standing.sheet, overview.delegate_worth(result.precinct.id)
    step, sentence = parting(work, result.reported)
    moves = moved_delegates(result.reported, result.computed)
    return Departure(
        precinct=result.precinct,
        elects=work.delegates,
        reported=result.reported,
        computed=result.computed,
        step=step,
        sentence=sentence,
        works_out_with=works_out_with(work, result.reported, sheet) if sheet is not None else (),
        tie=result.tie,
        sdes={group: move * worth for group, move in moves.items() if worth},
        work=work,
    )


def _tossed(overview: Overview, result: PrecinctResult, work: Apportionment, tie: Tie) -> Tossed:
    changed = {group for group in tie.groups if result.reported.get(group, 0) != work.awards[group]}
    winners = tuple(group for group in tie.groups if (group in changed) is (tie.kind == "gain"))
    return Tossed(result.precinct, tie, winners, overview.delegate_worth(result.precinct.id))
