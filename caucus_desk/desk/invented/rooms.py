"""What happened in the rooms of the sample: who came, where they stood, whom they elected, by the rules."""

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from caucus_desk.rules.apportion import apportion
from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.rules.viability import threshold
from caucus_desk.tally.basis import delegates_to_elect
from caucus_desk.tally.roster import Precinct
from caucus_desk.tally.sheet import ChanceRecord, GroupCounts, ResultSheet

# Strength in the state, in ballot order of iowa-2020; invented.
_STRENGTH = {
    "Bennet": 0.2,
    "Biden": 17.0,
    "Bloomberg": 0.3,
    "Buttigieg": 21.5,
    "Delaney": 0.1,
    "Gabbard": 0.4,
    "Klobuchar": 14.0,
    "Patrick": 0.1,
    "Sanders": 22.0,
    "Steyer": 2.6,
    "Warren": 16.5,
    "Yang": 4.4,
    "Other": 0.2,
    "Uncommitted": 0.7,
}


@dataclass(frozen=True, slots=True)
class Room:
    """One precinct with the sheet that its chair wrote: what truly happened there."""

    precinct: Precinct
    sheet: ResultSheet
    delegates: int
    """Delegates that this room elects: the roster's, or a site's band."""


def hold_caucus(rules: RuleSet, precincts: Iterable[Precinct], rng: random.Random) -> dict[str, Room]:
    """A room for every precinct that is not merged, by id."""
    rooms: dict[str, Room] = {}
    tastes: dict[str, dict[str, float]] = {}
    for precinct in precincts:
        if precinct.merged:
            continue
        if precinct.county not in tastes:
            tastes[precinct.county] = {
                key: weight * rng.gammavariate(7, 1 / 7)
                for key, weight in _STRENGTH.items()
                if key in rules.by_key
            }
        rooms[precinct.id] = _room(rules, precinct, tastes[precinct.county], rng)
    return rooms


def _room(rules: RuleSet, precinct: Precinct, taste: Mapping[str, float], rng: random.Random) -> Room:
    attendance = _attendance(precinct, rng)
    delegates = delegates_to_elect(rules, precinct, attendance) or 0
    here = {key: weight * rng.gammavariate(4, 1 / 4) for key, weight in taste.items()}
    undecided = rng.choice((1, 1, 2)) if attendance > 30 and rng.random() < 0.06 else 0
    first = _draw(here, attendance - undecided, rng)
    final = first if delegates < 2 else realign(rules, delegates, attendance, first, here, rng)
    return Room(precinct, sheet_by_rules(rules, attendance, delegates, first, final, rng), delegates)


def _attendance(precinct: Precinct, rng: random.Random) -> int:
    if precinct.is_satellite:
        return 0 if rng.random() < 0.03 else precinct.attendance or 0
    usual = precinct.last_attendance or 20
    return max(2, round(usual * rng.uniform(0.8, 1.2)))


def _draw(weights: Mapping[str, float], people: int, rng: random.Random) -> dict[str, int]:
    keys = list(weights)
    drawn = rng.choices(keys, cum_weights=list(accumulate(weights.values())), k=max(0, people))
    counts = dict.fromkeys(keys, 0)
    for key in drawn:
        counts[key] += 1
    return {key: count for key, count in counts.items() if count}


def realign(
    rules: RuleSet,
    delegates: int,
    attendance: int,
    first: Mapping[str, int],
    taste: Mapping[str, float],
    rng: random.Random,
) -> dict[str, int]:
    """The final alignment by rules.md 4: the viable are locked in, the others move, join up or go home."""
    needed = threshold(rules, delegates, attendance)
    final = {key: count for key, count in first.items() if count >= needed}
    loose = {key: count for key, count in first.items() if count < needed}
    if len(final) > delegates:
        smallest = min(final, key=lambda key: (final[key], key))
        loose[smallest] = final.pop(smallest)
    moving = attendance - sum(final.values())
    for key in sorted(loose, key=lambda key: -loose[key]):
        missing = needed - loose[key]
        # A group close to the line talks others over; it may not take the room past its delegates.
        near = 0 < missing <= min(moving - loose[key], max(1, needed // 3))
        if near and len(final) < delegates and rng.random() < 0.6:
            final[key] = needed
            moving -= needed
    if not final and moving >= needed:
        key = max(loose, key=lambda key: loose[key])
        final[key] = needed
        moving -= needed
    stay = rng.random() < 0.1
    leaving = sum(rng.random() < 0.06 for _ in range(moving)) if final else 0
    joined = _draw({key: taste.get(key, 1.0) for key in final}, moving - leaving, rng) if final else {}
    for key, count in joined.items():
        final[key] += count
    if stay and final:
        stubborn = next(
            (key for key, count in loose.items() if key not in final and 2 <= count < needed), None
        )
        giver = max(joined, key=lambda key: joined[key], default=None)
        if stubborn is not None and giver is not None and joined[giver] >= 2:
            final[giver] -= 2
            final[stubborn] = 2
    return final


def sheet_by_rules(
    rules: RuleSet,
    attendance: int,
    delegates: int,
    first: Mapping[str, int],
    final: Mapping[str, int],
    rng: random.Random,
) -> ResultSheet:
    """The worksheet of a room that reckons right; where only a coin can decide, it is tossed and noted."""
    awards: dict[str, int] = {}
    chance: tuple[ChanceRecord, ...] = ()
    if attendance and delegates:
        worked = apportion(rules, delegates, attendance, dict(final))
        awards = {key: count for key, count in worked.awards.items() if count}
        if worked.tie is not None:
            chosen = tuple(rng.sample(worked.tie.groups, k=worked.tie.k))
            step = -1 if worked.tie.kind == "lose" else 1
            for key in chosen:
                awards[key] = awards.get(key, 0) + step
            lucky = set(chosen) if step > 0 else set(worked.tie.groups) - set(chosen)
            winners = tuple(key for key in worked.tie.groups if key in lucky)
            chance = (ChanceRecord(worked.tie.groups, winners),)
    return sheet_of(rules.keys, attendance, first, final, awards, chance)


def sheet_of(
    keys: Sequence[str],
    attendance: int,
    first: Mapping[str, int],
    final: Mapping[str, int],
    awards: Mapping[str, int],
    chance: tuple[ChanceRecord, ...] = (),
) -> ResultSheet:
    """A sheet in ballot order: a group with nobody at all is left blank, as chairs leave it."""
    rows = []
    for key in keys:
        counts = (first.get(key, 0), final.get(key, 0), awards.get(key, 0))
        if any(counts) or not attendance:
            rows.append(GroupCounts(key, *counts))
    return ResultSheet(attendance, tuple(rows), chance=chance)
