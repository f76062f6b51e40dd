"""Slips of the hand and of the ear: what makes two reports of one precinct differ."""

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from caucus_desk.desk.invented.rooms import Room
from caucus_desk.desk.invented.sheets import by_size, column, exchanged, transposed, with_counts
from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.tally.mismatch import differing_fields
from caucus_desk.tally.report import Channel
from caucus_desk.tally.sheet import Column, ResultSheet

Slip = Callable[[RuleSet, Room, random.Random], ResultSheet | None]


def slip(
    rules: RuleSet, name: str, rooms: Iterable[Room], rng: random.Random
) -> tuple[Room, Mapping[Channel, ResultSheet], str] | None:
    """The first room where this slip can happen, each channel's sheet, and the channels that came in."""
    make, slipped, channels = SLIPS[name]
    for room in rooms:
        if not room.sheet.attendance or room.delegates < 2:
            continue
        wrong = make(rules, room, rng)
        if wrong is None or not differing_fields(room.sheet, wrong, rules.keys):
            continue
        sheets = dict.fromkeys(Channel, room.sheet)
        sheets[slipped] = wrong
        if name == "three channels":
            second = _transposed_first(rules, room, rng)
            if second is None or not differing_fields(second, wrong, rules.keys):
                continue
            sheets[Channel.APP] = second
        return room, sheets, channels
    return None


def _attendance(rules: RuleSet, room: Room, rng: random.Random) -> ResultSheet | None:
    people = room.sheet.attendance or 0
    return with_counts(room.sheet, {"attendance": people + rng.choice((1, 2, 10))}, rules.keys)


def _one_off(name: Column) -> Slip:
    def make(rules: RuleSet, room: Room, rng: random.Random) -> ResultSheet | None:
        counts = by_size(column(room.sheet, name))
        if not counts:
            return None
        key = rng.choice(counts[:3])
        return with_counts(
            room.sheet, {f"{key}.{name}": (room.sheet.row(key).count(name) or 0) + 1}, rules.keys
        )

    return make


def _swapped_rows(rules: RuleSet, room: Room, rng: random.Random) -> ResultSheet | None:
    order = by_size(column(room.sheet, Column.FINAL))
    return exchanged(room.sheet, order[0], order[1], rules.keys) if len(order) > 1 else None


def _transposed(name: Column) -> Slip:
    def make(rules: RuleSet, room: Room, rng: random.Random) -> ResultSheet | None:
        for key in by_size(column(room.sheet, name)):
            wrong = transposed(room.sheet.row(key).count(name) or 0)
            if wrong is not None:
                return with_counts(room.sheet, {f"{key}.{name}": wrong}, rules.keys)
        return None

    return make


_transposed_first = _transposed(Column.FIRST)


def _left_out(rules: RuleSet, room: Room, rng: random.Random) -> ResultSheet | None:
    """A whole row was not heard."""
    order = by_size(column(room.sheet, Column.FIRST))
    if len(order) < 4:
        return None
    return replace(room.sheet, groups=tuple(row for row in room.sheet.groups if row.group != order[2]))


SLIPS: Mapping[str, tuple[Slip, Channel, str]] = {
    "attendance": (_attendance, Channel.PHONE, "phone paper"),
    "first": (_one_off(Column.FIRST), Channel.PHONE, "phone paper"),
    "final": (_one_off(Column.FINAL), Channel.PHONE, "phone paper"),
    "delegates": (_one_off(Column.DELEGATES), Channel.PAPER, "phone paper"),
    "swapped rows": (_swapped_rows, Channel.PAPER, "phone paper"),
    "transposed digits": (_transposed(Column.FINAL), Channel.PHONE, "phone paper"),
    "row left out": (_left_out, Channel.PHONE, "phone paper"),
    "phone against app": (_one_off(Column.FINAL), Channel.PHONE, "phone app"),
    "three channels": (_one_off(Column.FINAL), Channel.PHONE, "phone paper app"),
}
"""Name to the slip, the channel that has it, and the channels that came in."""
