"""What a choice between reports does before it is made: to the precinct's delegates and the state's SDEs.

Everything is exact, as reported unless it says otherwise, and compared with what stands now. At a
satellite site another attendance moves every site of its pool, and that is counted in.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from caucus_desk.rules.ruleset import RoundedSum, Unit
from caucus_desk.rules.sde import decimal_text, rounded
from caucus_desk.tally.assess import Awards
from caucus_desk.tally.overview import Overview
from caucus_desk.tally.results import By, Counting, PrecinctResult
from caucus_desk.tally.sheet import ResultSheet
from caucus_desk.tally.state import Standing

Sums = Mapping[str, Fraction]
"""SDEs by group; a group that is not named has none, or does not move."""


@dataclass(frozen=True, slots=True)
class RankChange:
    """A group's place statewide by SDEs as reported; 1 leads, equal groups share a place."""

    group: str
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Effect:
    """What stands after a choice, against what stands now. Groups in ballot order."""

    choice: str
    """`phone`, `paper` or `app`, the id of a rival; `choices` where values were picked field by field."""
    delegates: Mapping[str, tuple[int, int]]
    """Delegates as reported, before and after, of every group that has any on either side."""
    computed: Mapping[str, tuple[int, int]]
    """Delegates that the rules give, before and after, likewise."""
    sdes: Sums
    """By how much each group's SDEs move statewide; groups that do not move are left out."""
    sdes_computed: Sums
    ranks: tuple[RankChange, ...]
    """Groups that change their place statewide."""
    leaders: tuple[tuple[str, ...], tuple[str, ...]]
    """Who leads the state before and after; more than one where they are equal."""
    sheet: ResultSheet
    """What would stand."""
    sentence: str

    @property
    def moves(self) -> Fraction:
        """SDEs that change hands, as reported."""
        return total_variation(self.sdes)

    @property
    def new_leader(self) -> bool:
        return set(self.leaders[0]) != set(self.leaders[1])


def effect(overview: Overview, precinct_id: str, choice: str, sheet: ResultSheet, name: str = "") -> Effect:
    """What it does if `sheet` stands in the precinct from now on. `name` is how the choice is called in the
    sentence, where not as `choice`."""
    now = overview.results[precinct_id]
    then = if_stood(overview, now, sheet)
    sdes = _difference(sums_of(overview, now), sums_of(overview, then))
    computed = _difference(sums_of(overview, now, computed=True), sums_of(overview, then, computed=True))
    keys = overview.rules.keys
    delegates = _before_and_after(keys, now.reported, then.reported)
    ranks, leaders = _places(overview, sdes)
    return Effect(
        choice=choice,
        delegates=delegates,
        computed=_before_and_after(keys, now.computed, then.computed),
        sdes=sdes,
        sdes_computed=computed,
        ranks=ranks,
        leaders=leaders,
        sheet=sheet,
        sentence=_sentence(overview, name or choice, sdes, ranks, leaders),
    )


def if_stood(overview: Overview, result: PrecinctResult, sheet: ResultSheet) -> PrecinctResult:
    """The result with another sheet standing: only its delegates, not its state, are worked out."""
    awards = Awards.of(overview.rules, result.precinct, sheet)
    return replace(
        result,
        standing=Standing(result.standing.state, sheet),
        delegates_to_elect=awards.delegates_to_elect,
        reported=awards.reported,
        computed=awards.computed,
        tie=awards.tie,
        not_computed=awards.not_computed,
    )


def sums_of(overview: Overview, result: PrecinctResult, computed: bool = False) -> Sums:
    """SDEs by group that hang on one precinct if it stands as `result`: its own, and for a satellite those
    of its whole pool, whose shares it moves."""
    rules = overview.rules
    sheet = result.standing.sheet
    if rules.unit is Unit.VOTES:
        return {row.group: Fraction(row.final) for row in sheet.groups if row.final} if sheet else {}
    precinct = result.precinct
    if not precinct.is_satellite or rules.satellites is None or rules.unit is not Unit.SDE:
        worth = {precinct.id: overview.delegate_worth(precinct.id)}
        members = [result]
    else:
        members = [result if one.precinct.id == precinct.id else one for one in overview.pool_of(precinct)]
        worth = dict(overview.pool_worth(members))
    sums: dict[str, Fraction] = {}
    for member in members:
        if not member.reporting:
            continue
        one = worth.get(member.precinct.id, Fraction(0))
        for group, count in (member.computed if computed else member.reported).items():
            value = count * one
            if rules.rounding.sum is RoundedSum.ROUNDED:
                value = rounded(value, rules.rounding)
            sums[group] = sums.get(group, Fraction(0)) + value
    return sums


def total_variation(moved: Sums) -> Fraction:
    """How much changes hands: what some lose and others gain is counted once, and what only comes or only
    goes is counted in full."""
    gained = sum((value for value in moved.values() if value > 0), Fraction(0))
    lost = -sum((value for value in moved.values() if value < 0), Fraction(0))
    return max(gained, lost)


def apart(overview: Overview, one: PrecinctResult, other: PrecinctResult) -> Fraction:
    """SDEs that change hands between two ways in which a precinct can stand: as reported or as computed,
    whichever is more."""
    return max(
        total_variation(_difference(sums_of(overview, one, computed), sums_of(overview, other, computed)))
        for computed in (False, True)
    )


def _difference(before: Sums, after: Sums) -> dict[str, Fraction]:
    moved = {
        group: after.get(group, Fraction(0)) - before.get(group, Fraction(0)) for group in {*before, *after}
    }
    return {group: value for group, value in moved.items() if value}


def _before_and_after(
    keys: Iterable[str], before: Mapping[str, int], after: Mapping[str, int]
) -> dict[str, tuple[int, int]]:
    return {key: (before.get(key, 0), after.get(key, 0)) for key in keys if before.get(key) or after.get(key)}


def _places(
    overview: Overview, moved: Sums
) -> tuple[tuple[RankChange, ...], tuple[tuple[str, ...], tuple[str, ...]]]:
    row = overview.tally(By.STATE, Counting.REPORTED).rows[0]
    before = {line.group: line.sde for line in row.groups}
    after = {group: value + moved.get(group, 0) for group, value in before.items()}
    old, new = _ranks(before), _ranks(after)
    changes = tuple(
        RankChange(group, old[group], new[group])
        for group in before
        if old[group] != new[group] and (before[group] or after[group])
    )
    return changes, (_leaders(before), _leaders(after))


def _ranks(sdes: Sums) -> dict[str, int]:
    values = sorted(sdes.values(), reverse=True)
    return {group: values.index(value) + 1 for group, value in sdes.items()}


def _leaders(sdes: Sums) -> tuple[str, ...]:
    most = max(sdes.values(), default=Fraction(0))
    return tuple(group for group, value in sdes.items() if value == most) if most else ()


def _sentence(
    overview: Overview,
    choice: str,
    sdes: Sums,
    ranks: tuple[RankChange, ...],
    leaders: tuple[tuple[str, ...], tuple[str, ...]],
) -> str:
    rules = overview.rules
    what = "With these values" if choice == "choices" else f"If {choice} stands"
    if not sdes:
        return f"{what}, the tally stays as it is."
    unit = {Unit.SDE: "SDE", Unit.CCD: "county delegates", Unit.VOTES: "votes"}[rules.unit]
    digits = rules.rounding.digits if rules.unit is Unit.SDE else 0
    order = {key: place for place, key in enumerate(rules.keys)}
    said = [
        f"{rules.label(group)} {'+' if value > 0 else '−'}{decimal_text(abs(value), digits)}"
        for group, value in sorted(sdes.items(), key=lambda line: (-abs(line[1]), order[line[0]]))
    ]
    told = f"{what}: {', '.join(said)} {unit} statewide."
    if set(leaders[0]) != set(leaders[1]):
        names = " and ".join(rules.label(group) for group in leaders[1]) or "nobody"
        return f"{told} Then {names} {'leads' if len(leaders[1]) < 2 else 'lead'} the state."
    for change in ranks:
        if change.after < change.before:
            return f"{told} {rules.label(change.group)} moves from place {change.before} to {change.after}."
    return told
