"""The seat next to move: nothing less moves it, and what is said does."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import example, settings
from hypothesis import given as drawn
from hypothesis import strategies as st

from caucus_desk.rules.national import PoolAllocation, allocate_pool
from caucus_desk.rules.ruleset import Pool, PoolScope
from caucus_desk.rules.sde import decimal_text
from caucus_desk.tally.seats import (
    Cause,
    SeatMove,
    edges,
    least_change,
    next_seat,
    seat_outlook,
    seat_outlooks,
)
from caucus_desk.tally.seatwords import move_sentence, pool_lines

from .outlooks import FINAL, RELEASE_71, RELEASE_92, RULES, iowa

GROUPS = ("Sanders", "Warren", "Biden", "Klobuchar", "Steyer", "Yang", "Gabbard", "Bennet")
TINY = Fraction(1, 10**12)


def allocated(seats: int, *values: int | Fraction) -> PoolAllocation:
    pool = Pool("pool", "The pool", PoolScope.STATE, seats)
    return allocate_pool(RULES, pool, {g: Fraction(v) for g, v in zip(GROUPS, values, strict=False)})


def changed(pool: PoolAllocation, move: SeatMove, amount: Fraction) -> PoolAllocation:
    return moved(pool, move.gains, move.loses, amount)


def moved(pool: PoolAllocation, gains: str | None, loses: str | None, amount: Fraction) -> PoolAllocation:
    values = dict(pool.sdes)
    if gains is not None:
        values[gains] += amount
    if loses is not None:
        values[loses] -= amount
    return allocate_pool(pool.rules, pool.pool, values)


def same(one: PoolAllocation, other: PoolAllocation) -> bool:
    return one.seats == other.seats and one.tie == other.tie


def test_the_last_seat_by_fraction() -> None:
    """Five seats, 27 to 23: 2.7 and 2.3; the second gets a third seat once its fraction is larger."""
    found = seat_outlook(allocated(5, 27, 23))
    assert found.next is not None
    assert (found.next.seat_from, found.next.seat_to) == (("Sanders",), ("Warren",))
    assert found.shift is not None
    assert (found.shift.loses, found.shift.gains, found.shift.amount) == ("Sanders", "Warren", 2)
    assert found.next.amount == 4
    assert found.shift.cause is Cause.FRACTION


def test_who_is_just_below_the_threshold_moves_a_seat_by_reaching_it() -> None:
    pool = allocated(7, 46, 40, 14)
    move = least_change(pool, "Biden", None)
    assert move is not None
    assert (move.amount, move.reached, move.cause) == (Fraction(20, 17), True, Cause.THRESHOLD)
    assert move.seat_to == ("Biden",)
    assert edges(pool)[2].alone == Fraction(20, 17)
    assert edges(pool)[2].above == -1


def test_who_is_exactly_on_the_threshold_falls_below_with_anything_less() -> None:
    move = least_change(allocated(7, 45, 40, 15), None, "Biden")
    assert move is not None
    assert (move.amount, move.reached, move.cause) == (0, False, Cause.THRESHOLD)
    assert "with anything SDEs less" not in move_sentence(RULES, move)
    assert move_sentence(RULES, move).startswith("The pool: with any SDEs less for Biden")


def test_a_tie_is_settled_by_anything() -> None:
    pool = allocated(3, 20, 20)
    assert pool.tie is not None
    found = seat_outlook(pool)
    assert found.next is not None
    assert (found.next.amount, found.next.reached, found.next.cause) == (0, False, Cause.FRACTION)
    assert "gets a seat that was open" in move_sentence(RULES, found.next)


def test_a_pool_with_nothing_in_it() -> None:
    found = seat_outlook(allocated(3, 0, 0))
    assert (found.edges, found.loss, found.shift) == ((), None, None)
    assert found.gain is not None
    assert found.gain.amount == 0


def test_a_change_needs_a_group() -> None:
    with pytest.raises(ValueError, match="a change needs a group"):
        least_change(allocated(3, 1, 1), None, None)


def test_the_arithmetic_is_shown() -> None:
    lines = pool_lines(seat_outlook(allocated(7, 46, 40, 14)))
    assert lines[0].startswith("The pool: 7 seats.")
    assert "Biden is 1.0000 below the threshold: with 1.1765 more of its own it reaches it." in lines
    assert any(line.startswith("The pool: with 1.1765 SDEs on top for Biden, a seat goes") for line in lines)


# ---- against brute force ----

KINDS = st.sampled_from(("gain", "loss", "shift"))
VALUES = st.lists(st.integers(0, 40), min_size=2, max_size=8)


def grid(end: Fraction) -> Iterator[Fraction]:
    for step in range(1, 48):
        yield end * step / 48


@settings(max_examples=120, deadline=None)
@drawn(
    VALUES,
    st.integers(1, 5),
    st.integers(0, 7),
    st.sampled_from(("gain", "loss", "shift")),
    st.integers(0, 7),
)
@example([10] * 8, 3, 0, "gain", 1)
@example([12, 11, 10, 10, 10, 10, 10, 10], 4, 0, "loss", 1)
@example([40, 8], 3, 1, "gain", 0)
@example([33, 1, 32, 33], 1, 1, "shift", 2)
@example([33, 1, 32], 1, 1, "shift", 2)
def test_nothing_less_moves_a_seat_and_just_more_does(
    values: list[int], seats: int, first: int, kind: str, second: int
) -> None:
    pool = allocated(seats, *values)
    first, second = first % len(values), second % len(values)
    if kind == "shift" and first == second:
        return
    gains = GROUPS[first] if kind != "loss" else None
    loses = GROUPS[second] if kind == "shift" else GROUPS[first] if kind == "loss" else None
    move = least_change(pool, gains, loses)
    has = pool.sdes[loses] if loses is not None else Fraction(2000)
    if move is None:
        assert all(same(pool, moved(pool, gains, loses, amount)) for amount in (*grid(has), has))
        return
    assert move.amount <= has
    assert all(same(pool, changed(pool, move, amount)) for amount in grid(move.amount))
    at = changed(pool, move, move.amount)
    if move.reached:
        assert not same(pool, at)
        assert at.tie is None or (loses is not None and move.amount == has)
    else:
        after = changed(pool, move, move.amount + TINY)
        assert not same(pool, after)
        assert move.after == {group: number for group, number in after.seats.items() if number}
        assert at.tie is not None or at.seats == pool.seats


@settings(max_examples=60, deadline=None)
@drawn(st.lists(st.integers(0, 30), min_size=2, max_size=4), st.integers(1, 4))
def test_no_change_of_one_group_is_smaller_than_the_next(values: list[int], seats: int) -> None:
    pool = allocated(seats, *values)
    found = seat_outlook(pool)
    groups = list(RULES.keys)
    each = [least_change(pool, group, None) for group in groups]
    each += [least_change(pool, None, group) for group in groups if pool.sdes[group]]
    amounts = [move.amount for move in each if move is not None]
    assert (found.next.amount if found.next else None) == min(amounts, default=None)
    shifts = [
        least_change(pool, to, source)
        for source in groups if pool.sdes[source]
        for to in groups if to != source
    ]  # fmt: skip
    amounts = [move.amount for move in shifts if move is not None]
    assert (found.shift.amount if found.shift else None) == min(amounts, default=None)


@settings(max_examples=40, deadline=None)
@drawn(VALUES, st.integers(1, 5), st.integers(2, 9))
def test_the_same_in_any_unit(values: list[int], seats: int, times: int) -> None:
    one, other = allocated(seats, *values), allocated(seats, *(Fraction(value, times) for value in values))
    for gains, loses in (("Sanders", None), (None, "Warren"), ("Warren", "Sanders")):
        a, b = least_change(one, gains, loses), least_change(other, gains, loses)
        assert (a is None) == (b is None)
        if a is not None and b is not None:
            assert (a.amount, a.after, a.reached) == (b.amount * times, b.after, b.reached)


def test_edges_say_how_much_a_group_alone_needs() -> None:
    pool = allocated(5, 50, 30, 20)
    for edge in edges(pool):
        down = moved(pool, None, edge.group, edge.alone)
        assert edge.group in down.qualified
        assert edge.group not in moved(pool, None, edge.group, edge.alone + TINY).qualified
    lowered = allocated(3, *[10] * 7, 4)
    assert lowered.lowered
    short = next(edge for edge in edges(lowered) if not edge.qualified)
    assert (short.needed, short.alone) == (5, 1)


def test_half_of_the_leaders_share_ends_where_another_group_reaches_the_threshold() -> None:
    pool = allocated(5, 14, 14, 13, 13, 12, 11, 10, 9)
    assert pool.lowered, "14 of 96 are less than 15 %"
    first = edges(pool)[0]
    # With 8/3 less the total is 93 1/3, and 15 % of that is the other group's 14.
    assert first.alone == Fraction(8, 3)
    assert first.group in moved(pool, None, first.group, first.alone - TINY).qualified
    assert first.group not in moved(pool, None, first.group, first.alone).qualified


# ---- 2020 ----


def test_the_last_seat_of_2020_hung_on_less_than_one_sde() -> None:
    national = iowa(FINAL).national()
    given = {group: seats for group, seats in national.total.items() if seats}
    assert given == {"Buttigieg": 14, "Sanders": 12, "Warren": 8, "Biden": 6, "Klobuchar": 1}
    pools = {outlook.allocation.pool.id: outlook for outlook in seat_outlooks(national)}
    move = next_seat(pools.values())
    assert move is not None
    assert (move.pool.id, move.seat_from, move.seat_to) == ("pleo", ("Buttigieg",), ("Sanders",))
    assert decimal_text(move.amount, 4) == "0.9333"
    assert move_sentence(RULES, move) == (
        "Party leaders and elected officials: with more than 0.9333 SDEs on top for Sanders, a seat goes "
        "from Buttigieg to Sanders (the fractions change places)."
    )

    def least(pool: str) -> tuple[str | None, str | None, str, str]:
        found = pools[pool].next
        assert found is not None
        return found.gains, found.loses, decimal_text(found.amount, 4), found.cause

    assert least("CD1") == ("Warren", None, "7.2341", "fraction")
    assert least("CD2") == ("Biden", None, "12.2579", "threshold")
    assert least("CD3") == (None, "Biden", "1.3974", "threshold")
    assert least("CD4") == ("Warren", None, "2.5195", "threshold")
    assert least("at_large") == ("Biden", None, "14.1505", "fraction")


@pytest.mark.parametrize(
    ("release", "seats", "pool", "amount"),
    [
        (RELEASE_71, [14, 12, 8, 6, 1], "CD4", "0.3727"),
        (RELEASE_92, [14, 11, 8, 7, 1], "CD3", "1.9696"),
    ],
)
def test_the_seats_of_the_earlier_releases(release: str, seats: list[int], pool: str, amount: str) -> None:
    national = iowa(release).national()
    order = ("Buttigieg", "Sanders", "Warren", "Biden", "Klobuchar")
    assert [national.total[group] for group in order] == seats
    move = next_seat(seat_outlooks(national))
    assert move is not None
    assert (move.pool.id, decimal_text(move.amount, 4)) == (pool, amount)


def test_a_rule_set_with_another_threshold() -> None:
    rules = replace(RULES, pool_threshold=Fraction(1, 4))
    pool = allocate_pool(
        rules, Pool("p", "P", PoolScope.STATE, 3), {"Sanders": Fraction(80), "Warren": Fraction(20)}
    )
    move = least_change(pool, "Warren", None)
    assert move is not None
    assert (move.amount, move.reached) == (Fraction(20, 3), True)
