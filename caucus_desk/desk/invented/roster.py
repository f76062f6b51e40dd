"""The sample's roster: about 1,700 precincts and 80 satellite sites in five pools, as roster rows."""

import csv
import io
import random
from collections.abc import Iterable
from dataclasses import replace

from caucus_desk.desk.invented.counties import (
    ABROAD,
    CHAIR_FIRST,
    CHAIR_LAST,
    DISTRICTS,
    LARGE,
    SITES,
    TOWNSHIPS,
)
from caucus_desk.tally.roster import Precinct, PrecinctKind

PEOPLE_PER_STATE_DELEGATE = 82
STATE_DELEGATES = 2_100
_POOLS = {"1": 6, "2": 11, "3": 18, "4": 4, None: 4}
_SITES_IN_POOL = {"1": 12, "2": 15, "3": 18, "4": 9, None: 26}


def make_roster(rng: random.Random) -> tuple[Precinct, ...]:
    """Every precinct and site, county by county in alphabetical order, then the pools."""
    district_of = {county: district for district, names in DISTRICTS.items() for county in names}
    counties = sorted(district_of)
    sizes = {county: LARGE[county][0] if county in LARGE else rng.randint(6, 14) for county in counties}
    weights = {county: sizes[county] ** 1.25 * rng.uniform(0.75, 1.25) for county in counties}
    scale = STATE_DELEGATES / sum(weights.values())
    precincts: list[Precinct] = []
    for number, county in enumerate(counties, start=1):
        state_delegates = max(3, round(weights[county] * scale))
        precincts += _county(rng, number, county, district_of[county], sizes[county], state_delegates)
    _merge(precincts)
    for place, (district, state_delegates) in enumerate(_POOLS.items(), start=1):
        precincts += _pool(rng, place, district, state_delegates)
    return tuple(precincts)


def _county(
    rng: random.Random, number: int, county: str, district: str, size: int, state_delegates: int
) -> list[Precinct]:
    allotments = [min(30, max(1, round(rng.lognormvariate(1.65, 0.75)))) for _ in range(size)]
    total = sum(allotments)
    rows = []
    for (code, name), allotment in zip(_names(rng, county, size), allotments, strict=True):
        people = allotment * state_delegates / total * PEOPLE_PER_STATE_DELEGATE
        last = max(3, round(people * rng.uniform(0.75, 1.35)))
        rows.append(
            Precinct(
                id=f"{number:02}-{code}",
                county=county,
                name=name,
                district=district,
                delegates=allotment,
                county_state_delegates=state_delegates,
                county_total_delegates=total,
                last_attendance=last,
                registered=round(last * rng.uniform(4.5, 9)) + 40,
                chair=f"{rng.choice(CHAIR_FIRST)} {rng.choice(CHAIR_LAST)}",
                phone=f"515-555-{rng.randrange(10_000):04}",
            )
        )
    return rows


def _names(rng: random.Random, county: str, size: int) -> Iterable[tuple[str, str]]:
    """Ids and names as real rosters have them: numbers in front, slashes, ampersands, shared codes."""
    names: list[tuple[str, str]] = []
    if county in LARGE:
        city = LARGE[county][1]
        code = "".join(word[0] for word in city.split()) if " " in city else city[:2]
        wards = size * 3 // 4
        names += [(f"{code}{ward:02}", f"{city}-{ward:02}") for ward in range(1, wards + 1)]
    townships = rng.sample(TOWNSHIPS, k=min(size - len(names), len(TOWNSHIPS)))
    for place, township in enumerate(townships, start=1):
        kind = rng.random()
        if kind < 0.12:
            other = rng.choice([name for name in TOWNSHIPS if name != township])
            names.append((f"T{place:02}", f"{township}/{other}"))
        elif kind < 0.18:
            names.append((f"{place:02}NW", f"{place}NW {township.upper()} & city"))
        else:
            names.append((f"T{place:02}", f"{township} Township"))
    return names[:size]


def _merge(precincts: list[Precinct]) -> None:
    """Three precincts were merged into a neighbour, which elects their delegates too."""
    for place in (57, 640, 1_201):
        gone, kept = precincts[place], precincts[place + 1]
        if gone.county != kept.county:
            kept = precincts[place - 1]
        added = (kept.delegates or 0) + (gone.delegates or 0)
        precincts[precincts.index(kept)] = replace(kept, delegates=added)
        precincts[place] = replace(gone, delegates=0)


def _pool(rng: random.Random, place: int, district: str | None, state_delegates: int) -> list[Precinct]:
    county = f"Satellite district {district}" if district else "Satellite out of state"
    names = [f"{site} {turn}" if turn > 1 else site for turn in (1, 2) for site in SITES]
    if district is None:
        names = [f"{town} {site.lower()}" for town in ABROAD for site in ("Library", "Union hall", "Campus")]
    return [
        Precinct(
            id=f"SAT-{place}-{number:02}",
            county=county,
            name=name,
            kind=PrecinctKind.SATELLITE,
            district=district,
            county_state_delegates=state_delegates,
            attendance=round(rng.lognormvariate(3.3, 0.8)) + 2,
            chair=f"{rng.choice(CHAIR_FIRST)} {rng.choice(CHAIR_LAST)}",
            phone=f"515-555-{rng.randrange(10_000):04}",
        )
        for number, name in enumerate(rng.sample(names, k=_SITES_IN_POOL[district]), start=1)
    ]


COLUMNS = (
    "county",
    "precinct",
    "precinct_id",
    "county_delegates",
    "kind",
    "district",
    "county_state_delegates",
    "county_total_delegates",
    "chair",
    "phone",
    "pin",
    "attendance",
    "last_attendance",
    "registered",
)


def roster_csv(precincts: Iterable[Precinct]) -> str:
    """The roster as a file that `new` reads."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for precinct in precincts:
        row = (
            precinct.county,
            precinct.name,
            precinct.id,
            precinct.delegates,
            precinct.kind.value,
            precinct.district,
            precinct.county_state_delegates,
            precinct.county_total_delegates,
            precinct.chair,
            precinct.phone,
            pin_of(precinct),
            precinct.attendance,
            precinct.last_attendance,
            precinct.registered,
        )
        writer.writerow("" if value is None else value for value in row)
    return text.getvalue()


def pin_of(precinct: Precinct) -> str:
    """Six digits, so that a caller can be checked: the digits of the id over and over."""
    digits = "".join(letter for letter in precinct.id if letter.isdigit())
    return (digits * 3)[:6]
