"""Adding up standing sheets, a county at a time, so that a changed precinct re-adds only its county."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from caucus_desk.rules.ruleset import RoundedSum, RuleSet, Unit
from caucus_desk.rules.sde import rounded
from caucus_desk.tally.results import Counting, GroupTally, PrecinctResult, TallyRow


@dataclass(frozen=True, slots=True)
class Cell:
    """The sums of one county, or pool, in one district. Lists are in ballot order."""

    county: str
    district: str | None
    satellite: bool
    precincts: int
    reporting: int
    verified: int
    counted: int
    first: tuple[int, ...]
    final: tuple[int, ...]
    delegates: tuple[int, ...]
    computed: tuple[int, ...]
    sde: tuple[Fraction, ...]
    sde_computed: tuple[Fraction, ...]


def add_cell(
    rules: RuleSet,
    results: Sequence[PrecinctResult],
    worth: Mapping[str, Fraction],
    counting: Counting,
    sums: RoundedSum,
) -> Cell:
    """Add up the precincts of one county and district.

    `worth` is the SDEs of one delegate, by precinct id.
    """
    place = {key: index for index, key in enumerate(rules.keys)}
    size = len(place)
    people = [[0] * size, [0] * size]
    by_worth: dict[Fraction, tuple[list[int], list[int]]] = {}
    rounded_sums = ([Fraction(0)] * size, [Fraction(0)] * size)
    counted = 0
    for result in results:
        sheet = result.standing.sheet
        if not counts(result, counting) or sheet is None:
            continue
        counted += 1
        for row in sheet.groups:
            if row.first:
                people[0][place[row.group]] += row.first
            if row.final:
                people[1][place[row.group]] += row.final
        one = worth.get(result.precinct.id, Fraction(0))
        if one not in by_worth:
            by_worth[one] = ([0] * size, [0] * size)
        for which, awards in enumerate((result.reported, result.computed)):
            for group, delegates in awards.items():
                by_worth[one][which][place[group]] += delegates
                if sums is RoundedSum.ROUNDED:
                    rounded_sums[which][place[group]] += rounded(delegates * one, rules.rounding)
    exact = [
        tuple(_add(d[which][i] * one for one, d in by_worth.items() if d[which][i]) for i in range(size))
        for which in (0, 1)
    ]
    sdes = exact if sums is RoundedSum.EXACT else [tuple(line) for line in rounded_sums]
    if rules.unit is Unit.VOTES:
        sdes = [tuple(map(Fraction, people[1]))] * 2  # people of the final alignment are what is reported
    whole = [tuple(sum(d[which][i] for d in by_worth.values()) for i in range(size)) for which in (0, 1)]
    first = results[0].precinct
    return Cell(
        county=first.county,
        district=first.district,
        satellite=first.is_satellite,
        precincts=len(results),
        reporting=sum(result.reporting for result in results),
        verified=sum(result.verified for result in results),
        counted=counted,
        first=tuple(people[0]),
        final=tuple(people[1]),
        delegates=whole[0],
        computed=whole[1],
        sde=sdes[0],
        sde_computed=sdes[1],
    )


def counts(result: PrecinctResult, counting: Counting) -> bool:
    """Whether a precinct's standing sheet is in the sums."""
    if not result.reporting:
        return False
    return counting is Counting.REPORTED or result.verified


def row_of(rules: RuleSet, key: str, name: str, cells: Iterable[Cell]) -> TallyRow:
    """One row of the tally from the cells that belong to it."""
    cells = tuple(cells)
    lines = tuple(
        GroupTally(
            group=group,
            first=sum(cell.first[i] for cell in cells),
            final=sum(cell.final[i] for cell in cells),
            delegates=sum(cell.delegates[i] for cell in cells),
            delegates_computed=sum(cell.computed[i] for cell in cells),
            sde=_add(cell.sde[i] for cell in cells),
            sde_computed=_add(cell.sde_computed[i] for cell in cells),
        )
        for i, group in enumerate(rules.keys)
    )
    return TallyRow(
        key=key,
        name=name,
        precincts=sum(cell.precincts for cell in cells),
        reporting=sum(cell.reporting for cell in cells),
        verified=sum(cell.verified for cell in cells),
        counted=sum(cell.counted for cell in cells),
        first_total=sum(line.first for line in lines),
        final_total=sum(line.final for line in lines),
        delegates_total=sum(line.delegates for line in lines),
        groups=lines,
    )


def _add(values: Iterable[Fraction]) -> Fraction:
    """A sum of fractions over one common denominator at a time: much faster than one by one."""
    by_denominator: dict[int, int] = {}
    for value in values:
        if value:
            by_denominator[value.denominator] = by_denominator.get(value.denominator, 0) + value.numerator
    return sum((Fraction(n, d) for d, n in by_denominator.items()), Fraction(0))
