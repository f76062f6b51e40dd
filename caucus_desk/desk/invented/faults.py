"""Worksheets that cannot be right, one way of going wrong for each finding of the catalogue.

Each maker takes a room that reckoned right and gives a sheet on which the finding may show, or None
where this room cannot show it. Whether it does is not taken on trust: `plant` asks the checks.
"""

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from fractions import Fraction

from caucus_desk.desk.invented.rooms import Room, sheet_by_rules, sheet_of
from caucus_desk.desk.invented.sheets import by_size, column, exchanged, put_column, transposed, with_counts
from caucus_desk.rules.apportion import apportion
from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.rules.viability import threshold
from caucus_desk.tally.checks import check_sheet
from caucus_desk.tally.sheet import ChanceRecord, Column, ResultSheet

Maker = Callable[[RuleSet, Room, random.Random], ResultSheet | None]


def plant(
    rules: RuleSet, id: str, rooms: Iterable[Room], rng: random.Random
) -> tuple[Room, ResultSheet] | None:
    """The first room in which the fault can be made so that the checks find it, with the faulty sheet."""
    make = FAULTS[id]
    for room in rooms:
        if not room.sheet.attendance:
            continue
        sheet = make(rules, room, rng)
        if sheet is not None and any(found.id == id for found in check_sheet(rules, room.precinct, sheet)):
            return room, sheet
    return None


# ---- counts and realignment ----


def _attendance_too_low(rules: RuleSet, room: Room, rng: random.Random) -> ResultSheet | None:
    people = room.sheet.total(Column.FIRST) or 0
    return with_counts(room.sheet, {"attendance": people - 6}, rules.keys) if people > 20 else None


def _final_grows(rules: RuleSet, room: Room, extra: int) -> ResultSheet | None:
    finals = column(room.sheet, Column.FINAL)
    if not finals or room.delegates < 2:
        return None
    largest = by_size(finals)[0]
    return with_counts(room.sheet, {f"{largest}.final": finals[largest] + extra}, rules.keys)


def _final_above_attendance(rules: RuleSet, room: Room, rng: random.Random) -> ResultSheet | None:
    missing = (room.sheet.attendance or 0) - (room.sheet.total(Column.FINAL) or 0)
    return _final_grows(rules, room, missing + 3)


def _late_aligners(rules: RuleSet, room: Room, rng: random.Random) -> ResultSheet | None:
    first, final = room.sheet.total(Column.FIRST) or 0, room.sheet.total(Column.FINAL) or 0
    return _final_grows(rules, room, first - final + 1) if first < (room.sheet.attendance or 0) else None


def _many_left(rules: RuleSet, room: Room, rng: random.Random) -> ResultSheet | None:
    first = column(room.sheet, Column.FIRST)
    needed = threshold(rules, room.delegates, room.sheet.attendance or 0)
    stayed = {key: count for key, count in first.items() if count >= needed}
    if room.delegates < 2 or not stayed:
        return None
    return sheet_by_rules(rules, room.sheet.attendance or 0, room.delegates, first, stayed, rng)


def _safe_group_shrinks(rules: RuleSet, room: Room, rng: random.Random) -> ResultSheet | None:
    first, final = column(room.sheet, Column.FIRST), column(room.sheet, Column.FINAL)
    for key in by_size(first)[1:]:
        needed = threshold(rules, room.delegates, room.sheet.attendance or 0)
        if room.delegates > 4 and first[key] >= needed + 3 and final.get(key):
            return with_counts(room.sheet, {f"{key}.final": first[key] - 3}, rules.keys)
    return None


def _row_to_neighbour(rules: RuleSet, room: Room, rng: random.Random) -> ResultSheet | None:
    first, final = column(room.sheet, Column.FIRST), column(room.sheet, Column.FINAL)
    needed = threshold(rules, room.delegates, room.sheet.attendance or 0)
    for key in by_size(first):
        place = rules.keys.index(key)
        if room.delegates < 2 or first[key] < needed or place == 0:
            continue
        neighbour = rules.keys[place - 1]
        if not final.get(neighbour) and not first.get(neighbour):
            return exchanged(room.sheet, key, neighbour, rules.keys, (Column.FINAL, Column.DELEGATES))
    return None


def _smallest_sent_away(rules: RuleSet, room: Room, rng: random.Random) -> ResultSheet | None:
    if room.delegates != 3 or room.precinct.is_satellite:
        return None
    first = dict(zip(_FRONT, (11, 10, 10, 8), strict=True))
    final = dict(zip(_FRONT, (14, 13, 12), strict=False))
    return sheet_by_rules(rules, 39, 3, first, final, rng)


_FRONT = ("Buttigieg", "Sanders", "Biden", "Warren")


def _more_gained_than_free(rules: RuleSet, room: Room, rng: random.Random) -> ResultSheet | None:
    return _final_grows(rules, room, 4)


def _stays_below(rules: RuleSet, room: Room, rng: random.Random) -> ResultSheet | None:
    first, final = column(room.sheet, Column.FIRST), dict(column(room.sheet, Column.FINAL))
    loose = [key for key in first if first[key] >= 2 and not final.get(key)]
    gained = [key for key in final if final[key] - first.get(key, 0) >= 2]
    if room.delegates < 2 or not loose or not gained:
        return None
    final[loose[0]] = 2
    final[gained[0]] -= 2
    return sheet_by_rules(rules, room.sheet.attendance or 0, room.delegates, first, final, rng)


def _one_went_up_from_nothing(rules: RuleSet, room: Room, rng: random.Random) -> ResultSheet | None:
    final = column(room.sheet, Column.FINAL)
    for key in by_size(final):
        place = rules.keys.index(key)
        if place and not room.sheet.row(rules.keys[place - 1]).first:
            return exchanged(
                room.sheet, key, rules.keys[place - 1], rules.keys, (Column.FINAL, Column.DELEGATES)
            )
    return None


def _rows_shifted(rules: RuleSet, room: Room, rng: random.Random) -> ResultSheet | None:
    final = column(room.sheet, Column.FINAL)
    for key in by_size(final):
        place = rules.keys.index(key)
        neighbour = rules.keys[place - 1] if place else rules.keys[place + 1]
        if not final.get(neighbour):
            return exchanged(room.sheet, key, neighbour, rules.keys, (Column.FINAL,))
    return None


def _minor_group_viable(rules: RuleSet, room: Room, rng: random.Random) -> ResultSheet | None:
    minor = next((group.key for group in rules.groups if group.minor), None)
    largest = by_size(column(room.sheet, Column.FINAL))
    if minor is None or not largest or room.sheet.row(minor).first:
        return None
    return exchanged(room.sheet, largest[0], minor, rules.keys)


def _nobody_moved(rules: RuleSet, room: Room, rng: random.Random) -> ResultSheet | None:
    first = column(room.sheet, Column.FIRST)
    return sheet_by_rules(rules, room.sheet.attendance or 0, room.delegates, first, first, rng)


def _rounds_exchanged(rules: RuleSet, room: Room, rng: random.Random) -> ResultSheet | None:
    first, final = column(room.sheet, Column.FIRST), column(room.sheet, Column.FINAL)
    return put_column(
        put_column(room.sheet, Column.FIRST, final, rules.keys), Column.FINAL, first, rules.keys
    )


def _one_digit(rules: RuleSet, room: Room, rng: random.Random) -> ResultSheet | None:
    for key in by_size(column(room.sheet, Column.FINAL)):
        wrong = transposed(room.sheet.row(key).final or 0)
        if wrong is not None and wrong > (room.sheet.row(key).final or 0):
            return with_counts(room.sheet, {f"{key}.final": wrong}, rules.keys)
    return None


def _moved_though_all_were_safe(rules: RuleSet, room: Room, rng: random.Random) -> ResultSheet | None:
    if room.delegates < 4 or room.precinct.is_satellite:
        return None
    return sheet_by_rules(
        rules, 60, room.delegates, dict(zip(_FRONT, (20, 15, 13, 12), strict=True)),
        dict(zip(_FRONT, (22, 15, 13, 10), strict=True)), rng,
    )  # fmt: skip


def _round_missing(rules: RuleSet, room: Room, rng: random.Random) -> ResultSheet | None:
    rows = tuple(replace(row, first=None) for row in room.sheet.groups if row.final)
    return replace(room.sheet, groups=rows)


def _blank_in_a_row(rules: RuleSet, room: Room, rng: random.Random) -> ResultSheet | None:
    rows = list(room.sheet.groups)
    if len(rows) < 3:
        return None
    rows[1] = replace(rows[1], first=None)
    return replace(room.sheet, groups=tuple(rows))


# ---- delegates ----


def _awards(rules: RuleSet, room: Room, change: Mapping[str, int]) -> ResultSheet:
    """The sheet with delegates moved: `change` maps a group to what it gets more or less."""
    counts = {f"{key}.delegates": (room.sheet.row(key).delegates or 0) + step for key, step in change.items()}
    return with_counts(room.sheet, counts, rules.keys)


def _for_nobody(rules: RuleSet, room: Room, rng: random.Random) -> ResultSheet | None:
    awards = by_size(column(room.sheet, Column.DELEGATES))
    empty = next((row.group for row in room.sheet.groups if not row.final), None)
    if room.delegates < 3 or not awards or empty is None:
        return None
    return _awards(rules, room, {awards[0]: -1, empty: 1})


def _below_the_line(rules: RuleSet, room: Room, rng: random.Random) -> ResultSheet | None:
    awards = column(room.sheet, Column.DELEGATES)
    low = next((row.group for row in room.sheet.groups if row.final and not row.delegates), None)
    if room.delegates < 3 or not awards or low is None:
        return None
    return _awards(rules, room, {by_size(awards)[0]: -1, low: 1})


def _viable_without(rules: RuleSet, room: Room, rng: random.Random) -> ResultSheet | None:
    awards = column(room.sheet, Column.DELEGATES)
    if len(awards) < 2 or room.delegates < 3:
        return None
    last, largest = by_size(awards)[-1], by_size(awards)[0]
    return _awards(rules, room, {last: -awards[last], largest: awards[last]})


def _one_too_many(rules: RuleSet, room: Room, rng: random.Random) -> ResultSheet | None:
    awards = by_size(column(room.sheet, Column.DELEGATES))
    return _awards(rules, room, {awards[0]: 1}) if awards and room.delegates > 2 else None


def _one_too_few(rules: RuleSet, room: Room, rng: random.Random) -> ResultSheet | None:
    awards = column(room.sheet, Column.DELEGATES)
    largest = by_size(awards)[0] if awards else None
    return _awards(rules, room, {largest: -1}) if largest and awards[largest] > 2 else None


def _delegates_exchanged(rules: RuleSet, room: Room, rng: random.Random) -> ResultSheet | None:
    awards = column(room.sheet, Column.DELEGATES)
    order = by_size(awards)
    if len(order) < 2 or awards[order[0]] == awards[order[1]]:
        return None
    return exchanged(room.sheet, order[0], order[1], rules.keys, (Column.DELEGATES,))


def _equal_without_coin(rules: RuleSet, room: Room, rng: random.Random) -> ResultSheet | None:
    return replace(room.sheet, chance=()) if room.sheet.chance else None


def _coin_for_nothing(rules: RuleSet, room: Room, rng: random.Random) -> ResultSheet | None:
    awards = by_size(column(room.sheet, Column.DELEGATES))
    if room.sheet.chance or len(awards) < 2 or room.delegates < 2:
        return None
    return replace(room.sheet, chance=(ChanceRecord((awards[0], awards[1]), (awards[0],)),))


def _not_by_the_rules(rules: RuleSet, room: Room, rng: random.Random) -> ResultSheet | None:
    awards, final = column(room.sheet, Column.DELEGATES), column(room.sheet, Column.FINAL)
    order = by_size(awards)
    for giver in order:
        for taker in order:
            more = final.get(taker, 0) > final.get(giver, 0)
            if more and awards[giver] >= 2:
                return _awards(rules, room, {giver: -1, taker: 1})
    return None


def _divided_by_final(rules: RuleSet, room: Room, rng: random.Random) -> ResultSheet | None:
    final = column(room.sheet, Column.FINAL)
    if sum(final.values()) >= (room.sheet.attendance or 0) or room.delegates < 2:
        return None
    worked = apportion(rules, room.delegates, sum(final.values()), final)
    return None if worked.tie else put_column(room.sheet, Column.DELEGATES, worked.awards, rules.keys)


def _rounding_left_out(rules: RuleSet, room: Room, rng: random.Random) -> ResultSheet | None:
    final = column(room.sheet, Column.FINAL)
    if room.delegates < 2 or not final:
        return None
    worked = apportion(rules, room.delegates, room.sheet.attendance or 0, final)
    if not worked.rounded or worked.tie:
        return None
    return put_column(room.sheet, Column.DELEGATES, worked.rounded, rules.keys)


def _heads_as_delegates(rules: RuleSet, room: Room, rng: random.Random) -> ResultSheet | None:
    if (room.sheet.attendance or 0) > 40:
        return None  # in a large room it would bend the whole tally
    return put_column(room.sheet, Column.DELEGATES, column(room.sheet, Column.FINAL), rules.keys)


# ---- rooms of one delegate, odd rooms ----


def _not_the_largest(rules: RuleSet, room: Room, rng: random.Random) -> ResultSheet | None:
    order = by_size(column(room.sheet, Column.FINAL))
    if room.delegates != 1 or len(order) < 2:
        return None
    return put_column(room.sheet, Column.DELEGATES, {order[1]: 1}, rules.keys)


def _tie_for_the_only(rules: RuleSet, room: Room, rng: random.Random) -> ResultSheet | None:
    if room.delegates != 1:
        return None
    people = {"Biden": 7, "Klobuchar": 7, "Sanders": 4}
    return sheet_by_rules(rules, 18, 1, people, people, rng)


def _nobody_came(rules: RuleSet, room: Room, rng: random.Random) -> ResultSheet | None:
    return (
        sheet_of(rules.keys, 0, {}, {}, {}) if room.delegates > 1 and not room.precinct.is_satellite else None
    )


def _nobody_viable(rules: RuleSet, room: Room, rng: random.Random) -> ResultSheet | None:
    if room.delegates < 4 or room.precinct.is_satellite:
        return None
    people = {group.key: 3 for group in rules.groups[:12]}
    return sheet_of(rules.keys, 36, people, people, {})


def _fewer_people_than_delegates(rules: RuleSet, room: Room, rng: random.Random) -> ResultSheet | None:
    if room.delegates != 4 or room.precinct.is_satellite:
        return None
    people = {"Sanders": 2, "Warren": 1}
    return sheet_by_rules(rules, 3, 4, people, people, rng)


def _more_viable_than_delegates(rules: RuleSet, room: Room, rng: random.Random) -> ResultSheet | None:
    if room.delegates != 2:
        return None
    people = {"Biden": 6, "Buttigieg": 7, "Sanders": 6}
    return sheet_by_rules(rules, 19, 2, people, people, rng)


# ---- what the paper shows beside the counts ----


def _beside(**shown: int | bool) -> Maker:
    return lambda rules, room, rng: replace(room.sheet, **shown)  # type: ignore[arg-type]


def _wrong_threshold(rules: RuleSet, room: Room, rng: random.Random) -> ResultSheet | None:
    needed = threshold(rules, room.delegates, room.sheet.attendance or 0)
    return replace(room.sheet, threshold=needed - 1) if needed > 3 else None


def _other_allotment(rules: RuleSet, room: Room, rng: random.Random) -> ResultSheet | None:
    return (
        replace(room.sheet, delegates_to_elect=room.delegates + 1) if not room.precinct.is_satellite else None
    )


def _captain_missing(rules: RuleSet, room: Room, rng: random.Random) -> ResultSheet | None:
    rows = tuple(
        replace(row, signed=place > 0) if row.delegates else row
        for place, row in enumerate(room.sheet.groups)
    )
    rows = tuple(replace(row, signed=False) if row.delegates else row for row in rows[:4]) + rows[4:]
    return replace(room.sheet, groups=rows)


def _wrong_published_value(rules: RuleSet, room: Room, rng: random.Random) -> ResultSheet | None:
    rows = tuple(
        replace(row, sde=Fraction(row.delegates, 7)) if row.delegates else row for row in room.sheet.groups
    )
    return replace(room.sheet, groups=rows) if not room.precinct.is_satellite else None


def _as_it_was(rules: RuleSet, room: Room, rng: random.Random) -> ResultSheet | None:
    """Faults that lie in the roster: the sheet is right."""
    return room.sheet


def _other_than_signed_in(rules: RuleSet, room: Room, rng: random.Random) -> ResultSheet | None:
    if not room.precinct.is_satellite or room.delegates < 4:
        return None
    first, final = column(room.sheet, Column.FIRST), column(room.sheet, Column.FINAL)
    return sheet_by_rules(rules, (room.sheet.attendance or 0) + 2, room.delegates, first, final, rng)


FAULTS: Mapping[str, Maker] = {
    "C01": _attendance_too_low,
    "C02": _final_above_attendance,
    "C03": _late_aligners,
    "C04": _many_left,
    "C05": _many_left,
    "C06": _safe_group_shrinks,
    "C07": _row_to_neighbour,
    "C08": _smallest_sent_away,
    "C09": _more_gained_than_free,
    "C10": _stays_below,
    "C11": _below_the_line,
    "C12": _for_nobody,
    "C13": _viable_without,
    "C14": _one_too_many,
    "C15": _one_too_few,
    "C16": _delegates_exchanged,
    "C17": _equal_without_coin,
    "C18": _equal_without_coin,
    "C19": _coin_for_nothing,
    "C20": _not_by_the_rules,
    "C21": _divided_by_final,
    "C22": _rounding_left_out,
    "C23": _wrong_threshold,
    "C24": _not_the_largest,
    "C25": _tie_for_the_only,
    "C26": _nobody_came,
    "C27": _nobody_viable,
    "C28": _fewer_people_than_delegates,
    "C29": _more_viable_than_delegates,
    "C30": _one_went_up_from_nothing,
    "C31": _rows_shifted,
    "C32": _minor_group_viable,
    "C33": _nobody_moved,
    "C34": _heads_as_delegates,
    "C37": _rounds_exchanged,
    "C38": _one_digit,
    "C39": _as_it_was,
    "C40": _other_allotment,
    "C41": _as_it_was,
    "C42": _other_than_signed_in,
    "C43": _beside(secretary_signed=False, chair_signed=True),
    "C44": _captain_missing,
    "C45": _beside(overwritten=True),
    "C46": _blank_in_a_row,
    "C47": _wrong_published_value,
    "C51": _round_missing,
    "C52": _moved_though_all_were_safe,
    "C53": _beside(second_attendance=41),
}
"""What one sheet can show. C35 and C36 need two precincts, C48 a county, C50 a history (see `night`)."""
