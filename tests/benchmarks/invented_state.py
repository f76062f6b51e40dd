"""A whole state's night for the call center: who keys what, which slips are planted, and what it comes to.

Everything is worked out without the program, from one seed, in whole numbers and fractions.
"""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from tests.e2e import iowa_night as iowa

COUNTIES = 99
_OWN_ROOMS = 5_000
PHONE, PAPER = "phone", "paper"


@dataclass(frozen=True)
class Entry:
    """One sheet to be keyed by one person; `first_thought` is submitted before they change their mind."""

    precinct_id: str
    channel: str
    by: str
    sheet: iowa.Sheet
    number: str
    first_thought: iowa.Sheet | None = None

    @property
    def submits(self) -> int:
        return 1 if self.first_thought is None else 2


@dataclass(frozen=True)
class State:
    roster: tuple[iowa.Place, ...]
    state_delegates: Mapping[str, int]
    truth: Mapping[str, iowa.Sheet]
    entries: tuple[Entry, ...]
    slips: Mapping[str, str]
    """Precincts in which one copy is wrong, and the channel of that copy."""

    def of(self, channel: str) -> dict[str, Entry]:
        return {one.precinct_id: one for one in self.entries if one.channel == channel}


def roster_csv(state: State) -> str:
    totals: dict[str, int] = {}
    for place in state.roster:
        totals[place.county] = totals.get(place.county, 0) + place.delegates
    lines = [
        "county,precinct,precinct_id,county_delegates,district,county_state_delegates,county_total_delegates,"
        "chair,phone"
    ]
    lines += [
        f"{one.county},{one.name},{one.id},{one.delegates},{one.district},{state.state_delegates[one.county]},"
        f"{totals[one.county]},{one.chair},{one.phone}"
        for one in state.roster
    ]
    return "\n".join(lines) + "\n"


def make_state(
    precincts: int, people: int, *, seed: int = 2020, slips: float = 0.05, minds: float = 0.04
) -> State:
    """`people` key every precinct twice: its phone report one of them, its paper report another."""
    rng = random.Random(seed)
    roster = tuple(_roster(rng, precincts))
    kinds: dict[int, list[iowa.Sheet]] = {}
    truth = {}
    for place in roster:
        # Of a very large state rooms are drawn from a stock: inventing each anew would take longer than the
        # night. (A sheet that two precincts have is held back by C35, so elsewhere each has its own.)
        stock = kinds.setdefault(place.delegates, [])
        if len(stock) < _OWN_ROOMS // 10:
            sheet = iowa.room(rng, place, lambda sheet, known=stock: sheet not in known)
            stock.append(sheet)
            truth[place.id] = sheet
        else:
            truth[place.id] = rng.choice(stock)
    wrong = {place.id: rng.choice((PHONE, PAPER)) for place in rng.sample(roster, int(precincts * slips))}
    entries = []
    for place in roster:
        callers = rng.sample(range(people), 2) if people > 1 else [0, 0]
        for channel, who in zip((PHONE, PAPER), callers, strict=True):
            sheet = truth[place.id]
            if wrong.get(place.id) == channel:
                sheet = _slip(rng, sheet)
            thought = _slip(rng, sheet) if rng.random() < minds else None
            entries.append(Entry(place.id, channel, f"clerk {who:02}", sheet, place.phone, thought))
    rng.shuffle(entries)
    shares = {county: rng.randint(3, 60) for county in dict.fromkeys(one.county for one in roster)}
    return State(roster, shares, truth, tuple(entries), wrong)


def _roster(rng: random.Random, precincts: int) -> Iterator[iowa.Place]:
    for number in range(precincts):
        county = number % COUNTIES
        yield iowa.Place(
            f"{county:02}-{number // COUNTIES:04}",
            f"County {county:02}",
            f"Ward {number // COUNTIES:04}",
            rng.randint(2, 11),
            str(1 + county % 4),
            f"Chair {number}",
            f"515-{200 + number // 10_000:03}-{number % 10_000:04}",
            "",
        )


def _slip(rng: random.Random, sheet: iowa.Sheet) -> iowa.Sheet:
    """One copy goes wrong so that two copies differ; it may break the worksheet's own arithmetic too."""
    group = sheet.by_final()[0]
    people, final, delegates = sheet.rows[group]
    kind = rng.randrange(3)
    if kind == 0 and len(sheet.by_final()) > 1:
        swapped = iowa.swapped_rows(sheet)
        if swapped.rows != sheet.rows:
            return swapped
    if kind == 1:
        return sheet.with_count(group, iowa.FINAL, final + 9)
    return sheet.with_row(group, (people, final, delegates + 1))


def sums(state: State) -> tuple[dict[str, list[int]], dict[str, Fraction]]:
    """Of the paper sheets, which stand: first, final and delegates by group, and SDEs as reported."""
    papers = state.of(PAPER)
    totals: dict[str, int] = {}
    for place in state.roster:
        totals[place.county] = totals.get(place.county, 0) + place.delegates
    counts: dict[str, list[int]] = {group: [0, 0, 0] for group in iowa.BALLOT}
    sdes = dict.fromkeys(iowa.BALLOT, Fraction(0))
    for place in state.roster:
        for group, row in papers[place.id].sheet.rows.items():
            counts[group] = [a + b for a, b in zip(counts[group], row, strict=True)]
            sdes[group] += Fraction(
                row[iowa.DELEGATES] * state.state_delegates[place.county], totals[place.county]
            )
    return counts, sdes
