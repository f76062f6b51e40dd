"""Forty precincts of our own making, what truly happened in each, and what it adds up to.

Everything here is worked out without the program: worksheets that are right by Iowa's rules, the slips by
which a copy of one goes wrong, and the sums. Only whole numbers and fractions, from one seed.
"""

import math
import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

BALLOT = (
    "Bennet", "Biden", "Bloomberg", "Buttigieg", "Delaney", "Gabbard", "Klobuchar", "Patrick", "Sanders",
    "Steyer", "Warren", "Yang", "Other", "Uncommitted",
)  # fmt: skip
_WEIGHTS = {
    "Biden": 15, "Buttigieg": 22, "Klobuchar": 13, "Sanders": 25, "Warren": 19, "Yang": 4, "Steyer": 2,
    "Uncommitted": 1,
}  # fmt: skip
FIRST, FINAL, DELEGATES = range(3)

Row = tuple[int, int, int]


@dataclass(frozen=True)
class Sheet:
    """People who came, and each group's first, final and delegates; a group that nobody joined is absent."""

    people: int
    rows: Mapping[str, Row]

    def with_row(self, group: str, row: Row | None) -> "Sheet":
        rows = {one: count for one, count in self.rows.items() if one != group}
        if row is not None:
            rows[group] = row
        return Sheet(self.people, {one: rows[one] for one in BALLOT if one in rows})

    def with_count(self, group: str, column: int, count: int) -> "Sheet":
        row = list(self.rows[group])
        row[column] = count
        return self.with_row(group, (row[0], row[1], row[2]))

    def by_final(self) -> list[str]:
        """Groups, the largest first; equal ones as on the ballot."""
        return sorted(self.rows, key=lambda group: (-self.rows[group][FINAL], BALLOT.index(group)))


@dataclass(frozen=True)
class Place:
    """One line of the roster."""

    id: str
    county: str
    name: str
    delegates: int
    district: str
    chair: str
    phone: str
    pin: str
    attendance: int | None = None
    """Of a satellite site: its sign-in count, which says how many delegates it elects."""

    @property
    def satellite(self) -> bool:
        return self.attendance is not None


@dataclass(frozen=True)
class County:
    name: str
    code: str
    district: str
    state_delegates: int
    allotments: tuple[int, ...]
    town: str


COUNTIES = (
    County("Polk", "77", "3", 7, (9, 7, 6, 5, 8, 4, 11, 6, 5, 7, 6, 8), "Des Moines"),
    County("Linn", "57", "1", 5, (6, 8, 4, 7, 5, 6, 9, 5, 7, 4), "Cedar Rapids"),
    County("Story", "85", "4", 4, (5, 7, 6, 4, 8, 5, 6, 3), "Ames"),
    County("Sioux", "84", "4", 44, (6, 5, 7, 4, 6), "Orange City"),
    County("Lee", "56", "2", 3, (4, 5, 3, 2), "Keokuk"),
)
"""Thirty-nine precincts; in Sioux one delegate is worth more than a state delegate."""
SATELLITE = "Satellite district 2"
_SITE = ("SAT-2-01", "Union hall", 34, 5, 4)
"""Id, name, people signed in, delegates of that band, state delegates of its pool (it is the only site)."""


def places() -> tuple[Place, ...]:
    """The roster in its order."""
    made = []
    for county in COUNTIES:
        for number, delegates in enumerate(county.allotments, start=1):
            place = len(made)
            made.append(
                Place(
                    f"{county.code}-{number:02}",
                    county.name,
                    f"{county.town}-{number:02}",
                    delegates,
                    county.district,
                    f"Chair {county.name} {number}",
                    f"515-555-{1000 + place:04}",
                    f"{4700 + 37 * place:04}",
                )
            )
    id, name, people, delegates, _ = _SITE
    made.append(Place(id, SATELLITE, name, delegates, "2", "Chair Union", "515-555-1999", "9071", people))
    return tuple(made)


def roster_csv(roster: Iterable[Place], *, no_proof: frozenset[str] = frozenset()) -> str:
    """The roster's file. Of those in `no_proof` neither chair, number nor PIN is known."""
    totals = {county.name: (county.state_delegates, sum(county.allotments)) for county in COUNTIES}
    lines = [
        "county,precinct,precinct_id,county_delegates,kind,district,county_state_delegates,"
        "county_total_delegates,chair,phone,pin,attendance"
    ]
    for one in roster:
        state, total = totals.get(one.county, (_SITE[4], ""))
        who = ("", "", "") if one.id in no_proof else (one.chair, one.phone, one.pin)
        cells = (
            one.county, one.name, one.id, "" if one.satellite else one.delegates,
            "satellite" if one.satellite else "precinct", one.district, state, total, *who,
            "" if one.attendance is None else one.attendance,
        )  # fmt: skip
        lines.append(",".join(str(cell) for cell in cells))
    return "\n".join(lines) + "\n"


# ---- what happened in a room ----


def room(rng: random.Random, place: Place, fits: Callable[[Sheet], bool] = lambda sheet: True) -> Sheet:
    """A sheet that is right whatever is asked of it: the rules' plain rounding gives each group at least one
    delegate and all of them together, so that no correction and no coin was needed."""
    for _ in range(20_000):
        people = place.attendance or rng.randint(14, 24) * place.delegates + rng.randint(0, 30)
        sheet = _room(rng, people, place.delegates)
        if sheet is not None and fits(sheet):
            return sheet
    raise AssertionError(f"no such room in {place.name}")


def _room(rng: random.Random, people: int, delegates: int) -> Sheet | None:
    first = dict.fromkeys(BALLOT, 0)
    for group in rng.choices(list(_WEIGHTS), list(_WEIGHTS.values()), k=people):
        first[group] += 1
    share = {2: Fraction(1, 4), 3: Fraction(1, 6)}.get(delegates, Fraction(3, 20))
    needed = math.ceil(share * people)
    viable = [group for group in BALLOT if first[group] >= needed]
    if not 2 <= len(viable) <= delegates:
        return None
    final = {group: first[group] for group in viable}
    for _ in range(people - sum(final.values())):
        final[rng.choice(viable)] += 1
    won = {}
    for group in viable:
        exact = Fraction(final[group] * delegates, people)
        if exact - math.floor(exact) == Fraction(1, 2):
            return None
        won[group] = round(exact)
    if min(won.values()) < 1 or sum(won.values()) != delegates:
        return None
    rows = {group: (first[group], final.get(group, 0), won.get(group, 0)) for group in BALLOT if first[group]}
    return Sheet(people, rows)


# ---- how a copy goes wrong ----

Slip = Callable[[Sheet], Sheet]


def swapped_rows(sheet: Sheet) -> Sheet:
    """The rows of the two largest groups exchanged."""
    a, b = sheet.by_final()[:2]
    return sheet.with_row(a, sheet.rows[b]).with_row(b, sheet.rows[a])


RUN = ("Sanders", "Steyer", "Warren")


def can_shift(sheet: Sheet) -> bool:
    return {"Sanders", "Warren"} <= set(sheet.rows) and "Yang" not in sheet.rows


def shifted_run(sheet: Sheet) -> Sheet:
    """Three rows of the ballot one row too low."""
    shifted = sheet
    for group in RUN:
        shifted = shifted.with_row(group, None)
    for group in RUN:
        if group in sheet.rows:
            shifted = shifted.with_row(BALLOT[BALLOT.index(group) + 1], sheet.rows[group])
    return shifted


def columns_exchanged(sheet: Sheet) -> Sheet:
    return Sheet(
        sheet.people, {group: (final, first, won) for group, (first, final, won) in sheet.rows.items()}
    )


def two_digits(sheet: Sheet) -> bool:
    """The largest first count has two digits, which differ, and the second is no 0."""
    first = str(sheet.rows[sheet.by_final()[0]][FIRST])
    return len(first) == 2 and first[0] != first[1] and first[1] != "0"


def transposed(sheet: Sheet) -> Sheet:
    top = sheet.by_final()[0]
    return sheet.with_count(top, FIRST, int(str(sheet.rows[top][FIRST])[::-1]))


def dropped_digit(sheet: Sheet) -> Sheet:
    top = sheet.by_final()[0]
    return sheet.with_count(top, FINAL, int(str(sheet.rows[top][FINAL])[:-1]))


def doubled_digit(sheet: Sheet) -> Sheet:
    top = sheet.by_final()[1]
    count = str(sheet.rows[top][FIRST])
    return sheet.with_count(top, FIRST, int(count + count[-1]))


def one_more(sheet: Sheet) -> Sheet:
    top = sheet.by_final()[0]
    return sheet.with_count(top, FIRST, sheet.rows[top][FIRST] + 1)


def one_fewer(sheet: Sheet) -> Sheet:
    top = sheet.by_final()[0]
    return sheet.with_count(top, FIRST, sheet.rows[top][FIRST] - 1)


def seven_more_came(sheet: Sheet) -> Sheet:
    return Sheet(sheet.people + 7, sheet.rows)


def uneven(sheet: Sheet) -> bool:
    """Two groups won different numbers of delegates."""
    return len({row[DELEGATES] for row in sheet.rows.values() if row[DELEGATES]}) > 1


def delegates_swapped(sheet: Sheet) -> Sheet:
    won = sorted((row[DELEGATES], group) for group, row in sheet.rows.items() if row[DELEGATES])
    (few, a), (many, b) = won[0], won[-1]
    return sheet.with_count(a, DELEGATES, many).with_count(b, DELEGATES, few)


def row_not_heard(sheet: Sheet) -> Sheet:
    """The smallest group's row left blank."""
    last = min(sheet.rows, key=lambda group: sheet.rows[group][FIRST])
    return sheet.with_row(last, None)


def two_figures_misread(sheet: Sheet) -> Sheet:
    a, b = sheet.by_final()[:2]
    wrong = sheet.with_count(a, FIRST, sheet.rows[a][FIRST] + 4)
    return wrong.with_count(b, FINAL, sheet.rows[b][FINAL] - 3)


# ---- what it adds up to ----


@dataclass
class Sums:
    """Of one group, in one county or in all."""

    first: int = 0
    final: int = 0
    delegates: int = 0
    sde: Fraction = Fraction(0)


def worth_of(place: Place) -> Fraction:
    """State delegates for one delegate of this precinct."""
    if place.satellite:
        return Fraction(_SITE[4], place.delegates)  # the only site of its pool
    county = next(one for one in COUNTIES if one.name == place.county)
    return Fraction(county.state_delegates, sum(county.allotments))


def add_up(roster: Iterable[Place], truth: Mapping[str, Sheet]) -> dict[str, dict[str, Sums]]:
    """By county, and of all under "": each group's sums."""
    sums: dict[str, dict[str, Sums]] = {}
    for place in roster:
        for key in ("", place.county):
            lines = sums.setdefault(key, {group: Sums() for group in BALLOT})
            for group, (first, final, won) in truth[place.id].rows.items():
                line = lines[group]
                line.first += first
                line.final += final
                line.delegates += won
                line.sde += won * worth_of(place)
    return sums
