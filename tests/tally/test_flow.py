"""Realignment: every way of walking that fits the counts lies within the bounds, and some reach them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import pytest
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st

from caucus_desk.tally.flow import LEFT, NOWHERE, UNALIGNED, Between, RoomBounds, flow, room_flow
from caucus_desk.tally.results import Counting

from .outlooks import FINAL, RULES, iowa, overview, precinct, report, sheet


def test_a_group_that_fell_below_can_have_gone_to_whoever_grew() -> None:
    """100 people, 15 needed: Biden's 10 are free, Sanders grew by 6, Warren by 3, one left."""
    figures = sheet(100, Sanders=(50, 56, 3), Warren=(40, 43, 2), Biden=(10, 0, 0))
    room = room_flow(RULES, precinct("1", 5), figures)
    assert room is not None
    assert (room.below, room.fell, room.rose, room.locks_broken) == (("Biden",), (), (), False)
    assert room.ways["Biden", "Sanders"] == Between(6, 7)
    assert room.ways["Biden", "Warren"] == Between(3, 4)
    assert room.ways["Biden", LEFT] == Between(0, 1)
    assert room.ways["Sanders", "Sanders"] == Between(49, 50)
    assert ("Sanders", "Warren") not in room.ways


def test_people_who_stood_with_nobody_at_first_may_have_joined_later() -> None:
    figures = sheet(20, Sanders=(12, 14, 3), Warren=(6, 6, 1))
    room = room_flow(RULES, precinct("1", 4), figures)
    assert room is not None
    assert room.ways[UNALIGNED, "Sanders"] == Between(2, 2)
    assert not room.locks_broken


def test_a_sheet_on_which_locking_cannot_be_true_is_taken_without_it() -> None:
    figures = sheet(100, Sanders=(60, 70, 3), Warren=(40, 30, 2))
    room = room_flow(RULES, precinct("1", 5), figures)
    assert room is not None
    assert room.locks_broken
    assert room.ways["Warren", "Sanders"] == Between(10, 40)


def test_without_locking_a_viable_group_may_move() -> None:
    rules = replace(RULES, locked=False)
    figures = sheet(100, Sanders=(60, 70, 3), Warren=(40, 30, 2))
    room = room_flow(rules, precinct("1", 5), figures)
    assert room is not None
    assert not room.locks_broken


def test_more_people_than_were_counted_came_out_of_nowhere() -> None:
    room = room_flow(RULES, precinct("1", 5), sheet(None, Sanders=(50, 55, 3), Warren=(40, 40, 2)))
    assert room is not None
    assert room.ways[NOWHERE, "Sanders"] == Between(5, 5)


def test_who_realigned_because_too_many_were_viable_is_not_locked() -> None:
    figures = sheet(20, Sanders=(8, 8, 1), Warren=(7, 12, 1), Biden=(5, 0, 0))
    room = room_flow(RULES, precinct("1", 2), figures)
    assert room is not None
    assert (room.fell, room.locks_broken) == (("Biden",), False)
    assert room.ways["Biden", "Warren"] == Between(5, 5)


def test_one_delegate_has_no_viability_to_be_locked_by() -> None:
    room = room_flow(RULES, precinct("1", 1), sheet(9, Sanders=(6, 5, 1), Warren=(3, 4, 0)))
    assert room is not None
    assert (room.below, room.locks_broken) == ((), False)
    assert room.ways["Sanders", "Warren"] == Between(1, 4)


@pytest.mark.parametrize(
    "rows",
    [{"Sanders": (9, None, 5)}, {"Sanders": (9, 9, 3), "Warren": (None, 4, 2)}, {"Sanders": (9, 0, 5)}],
)
def test_a_missing_round_has_no_flow(rows: dict[str, tuple[int | None, int | None, int | None]]) -> None:
    base = overview(report(precinct("1", 5), sheet(None, **rows)))
    assert [entry.id for entry in flow(base).left_out] == ["1"]


def test_groups_over_all_precincts() -> None:
    base = overview(
        report(precinct("1", 5), sheet(100, Sanders=(50, 56, 3), Warren=(40, 43, 2), Biden=(10, 0, 0))),
        report(precinct("2", 5), sheet(100, Sanders=(50, 50, 2), Warren=(10, 0, 0), Biden=(40, 50, 3))),
    )
    found = flow(base)
    warren = next(line for line in found.groups if line.group == "Warren")
    assert (warren.first, warren.final, warren.net, warren.gained, warren.lost) == (50, 43, -7, 3, 10)
    assert (warren.released, warren.below_in, warren.fell_in, warren.rose_in) == (10, 1, 0, 0)
    assert found.away_from("Warren") == {"Biden": Between(10, 10), LEFT: Between(0, 1)}
    assert found.came_to("Warren") == {"Biden": Between(3, 4)}
    assert flow(base, Counting.VERIFIED).rooms == ()
    assert flow(base, district="1").rooms == ()


# ---- against every way there is ----

GROUPS = ("Sanders", "Warren", "Biden")
Matrix = dict[tuple[str, str], int]


def walks(rows: Mapping[str, int], columns: Mapping[str, int], locked: frozenset[str]) -> Iterator[Matrix]:
    """Every table of whole people with these sums."""

    def fill(left: Sequence[str], takes: dict[str, int]) -> Iterator[Matrix]:
        if not left:
            if not any(takes.values()):
                yield {}
            return
        row = left[0]
        ends = [row, LEFT] if row in locked else list(takes)

        def split(people: int, to: list[str], takes: dict[str, int], so_far: Matrix) -> Iterator[Matrix]:
            if not to:
                if not people:
                    for rest in fill(left[1:], takes):
                        yield {**so_far, **rest}
                return
            for number in range(min(people, takes[to[0]]) + 1):
                after = {**takes, to[0]: takes[to[0]] - number}
                yield from split(people - number, to[1:], after, {**so_far, (row, to[0]): number})

        yield from split(rows[row], ends, takes, {})

    yield from fill(tuple(rows), dict(columns))


PEOPLE = st.lists(st.integers(0, 4), min_size=3, max_size=3)


@settings(max_examples=150, deadline=None)
@drawn(PEOPLE, PEOPLE, st.integers(0, 2), st.frozensets(st.sampled_from(GROUPS)))
def test_the_bounds_are_those_of_all_ways_of_walking(
    firsts: list[int], finals: list[int], unaligned: int, locked: frozenset[str]
) -> None:
    first, final = dict(zip(GROUPS, firsts, strict=True)), dict(zip(GROUPS, finals, strict=True))
    bounds = RoomBounds(first, final, unaligned, locked)
    every = list(walks(bounds.rows, {**final, LEFT: bounds.left}, locked))
    assert bounds.possible is bool(every)
    if not every:
        return
    found = bounds.ways()
    for row in bounds.rows:
        for column in (*GROUPS, LEFT):
            numbers = [walk.get((row, column), 0) for walk in every]
            got = found.get((row, column), Between(0, 0))
            assert (got.least, got.most) == (min(numbers), max(numbers)), (row, column)


# ---- 2020 ----


def test_the_realignment_of_2020() -> None:
    found = flow(iowa(FINAL))
    assert len(found.rooms) + len(found.left_out) == 1765
    lines = {line.group: line for line in found.groups}
    assert lines["Biden"].net < 0 < lines["Buttigieg"].net
    assert lines["Sanders"].below_in > 0
    for line in found.groups:
        own = found.ways.get((line.group, line.group), Between(0, 0))
        assert own.least <= own.most <= line.first
        assert line.net == line.gained - line.lost
    assert (lines["Yang"].first, lines["Yang"].final, lines["Yang"].below_in) == (8912, 1758, 947)
    assert found.away_from("Yang")["Buttigieg"] == Between(92, 5721)
    assert len(found.locks_broken) == 15
    biden = found.away_from("Biden")
    assert sum(between.least for between in biden.values()) <= lines["Biden"].first
