"""National delegates: which seat of a pool is next to move, to whom, and by how many SDEs (rules.md 7).

Three kinds of change are looked at, each in one pool with all else as it is: one group gains SDEs, one
group loses SDEs (the pool's total changes with it), or SDEs shift from one group to another. For each the
exact least amount is worked out at which the pool's seats are no longer what they are, whether because
fractions of a seat change their order or because a group crosses the threshold (15 %, or half of the
leader's share where nobody reaches it).

How: with d for the amount, every value is v + k·d with k of +1, 0 or −1. Seats can only change where a
group meets the threshold, where a share of the seats is a whole number, or where two shares differ by a
whole number (their fractions are equal); each of these is a linear equation in d while the same groups
qualify. The solutions cut the line into stretches on which the seats are constant, and the first stretch
whose allocation (by rules.national itself) differs ends the search. SDEs of a statewide pool are those of
all statewide pools: what moves a seat in one may move one in another as well.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from math import ceil, floor, lcm

from caucus_desk.rules.apportion import Tie
from caucus_desk.rules.national import NationalDelegates, PoolAllocation, allocate_pool
from caucus_desk.rules.ruleset import Pool

ZERO = Fraction(0)


class Cause(StrEnum):
    THRESHOLD = "threshold"
    FRACTION = "fraction"


@dataclass(frozen=True, slots=True)
class SeatMove:
    """The least change of one kind that moves a seat. `gains` or `loses` is None where only one group
    changes."""

    pool: Pool
    gains: str | None
    loses: str | None
    amount: Fraction
    """SDEs. More than this moves the seat; with `reached` exactly this does. A group that loses all it has
    cannot lose more: then reaching it may leave the last seats tied (`tie_after`)."""
    reached: bool
    cause: Cause
    before: Mapping[str, int]
    """Seats by group, before any toss; groups without are left out."""
    after: Mapping[str, int]
    tie_before: Tie | None
    tie_after: Tie | None

    @property
    def seat_to(self) -> tuple[str, ...]:
        """Groups that have more seats after it, in ballot order."""
        return tuple(g for g, seats in self.after.items() if seats > self.before.get(g, 0))

    @property
    def seat_from(self) -> tuple[str, ...]:
        return tuple(g for g, seats in self.before.items() if seats > self.after.get(g, 0))


@dataclass(frozen=True, slots=True)
class Edge:
    """Where one group stands to the threshold of its pool."""

    group: str
    value: Fraction
    needed: Fraction
    qualified: bool
    alone: Fraction
    """SDEs that this group alone must gain to reach it, or may lose and still keep it. The pool's total
    changes with it, so this is more than the plain difference."""

    @property
    def above(self) -> Fraction:
        """Its value less what is needed; below zero: it falls short."""
        return self.value - self.needed


@dataclass(frozen=True, slots=True)
class PoolOutlook:
    """One pool's seats, and the least changes that move one; None: no change of that kind does."""

    allocation: PoolAllocation
    edges: tuple[Edge, ...]
    """Groups with anything in the pool, the largest first."""
    gain: SeatMove | None
    loss: SeatMove | None
    shift: SeatMove | None

    @property
    def next(self) -> SeatMove | None:
        """The seat next to move by a change of one group alone."""
        return min((m for m in (self.gain, self.loss) if m), key=lambda move: move.amount, default=None)


def seat_outlook(allocation: PoolAllocation, *, shifts: bool = True) -> PoolOutlook:
    """Thresholds and the next seat to move of one pool. Shifts between two groups take most of the time
    that it takes; they can be left out."""
    groups = sorted(allocation.sdes, key=lambda group: -allocation.sdes[group])
    in_it = [group for group in groups if allocation.sdes[group]]
    shift = None
    if shifts:
        shift = _least_shift(allocation, groups, in_it)
    return PoolOutlook(
        allocation,
        edges(allocation),
        _least(allocation, ((group, None) for group in groups)),
        _least(allocation, ((None, group) for group in in_it)),
        shift,
    )


def _least_shift(allocation: PoolAllocation, groups: list[str], in_it: list[str]) -> SeatMove | None:
    shift = _least(allocation, ((to, source) for source in in_it for to in groups if to != source))
    if shift is not None:
        # Often only one end of it matters: then the other is whoever gets, or loses, the seat.
        same = [
            least_change(allocation, to, source)
            for source in dict.fromkeys((*shift.seat_from, shift.loses))
            for to in dict.fromkeys((*shift.seat_to, shift.gains))
            if to != source and source in in_it
        ]
        shift = next((move for move in same if move and move.amount == shift.amount), shift)
    return shift


def seat_outlooks(national: NationalDelegates) -> tuple[PoolOutlook, ...]:
    """Every pool, in the rule set's order."""
    return tuple(seat_outlook(pool) for pool in national.pools)


def next_seat(outlooks: Iterable[PoolOutlook]) -> SeatMove | None:
    """Of all pools the seat that the smallest change of one group moves."""
    moves = (outlook.next for outlook in outlooks)
    return min((move for move in moves if move), key=lambda move: move.amount, default=None)


def edges(allocation: PoolAllocation) -> tuple[Edge, ...]:
    """Every group's distance to the threshold, the largest group first."""
    values = {group: value for group, value in allocation.sdes.items() if value}
    if not values:
        return ()
    leader = max(values.values())
    share = allocation.rules.pool_threshold
    needed = leader / 2 if allocation.lowered else share * allocation.total

    def alone(value: Fraction) -> Fraction:
        if not allocation.lowered:
            return abs(value - needed) / (1 - share) if share != 1 else abs(value - needed)
        if value < needed:
            return needed - value
        others = sorted(values.values())
        others.remove(value)
        if not others:
            return value
        # As it loses, the total falls; once another group has the share, half of the leader's is not enough.
        ahead = allocation.total - others[-1] / share
        return min(value - others[-1] / 2, ahead)

    found = [
        Edge(group, value, needed, group in allocation.qualified, alone(value))
        for group, value in values.items()
    ]
    return tuple(sorted(found, key=lambda edge: -edge.value))


def least_change(
    allocation: PoolAllocation, gains: str | None, loses: str | None, limit: Fraction | None = None
) -> SeatMove | None:
    """The least amount that `gains` gets, or `loses` gives, or goes from `loses` to `gains`, and that
    changes the pool's seats. None where no amount (or none below `limit`) does: a group cannot lose more
    than it has. ValueError where both are None or the same."""
    if gains == loses:
        raise ValueError("a change needs a group, and two that differ")
    return _Search(allocation, gains, loses, limit).first()


def _least(allocation: PoolAllocation, changes: Iterable[tuple[str | None, str | None]]) -> SeatMove | None:
    best: SeatMove | None = None
    for gains, loses in changes:
        found = least_change(allocation, gains, loses, best.amount if best else None)
        if found is not None and (best is None or found.amount < best.amount):
            best = found
    return best


class _Search:
    """The first amount at which one change moves a seat. Values are scaled to whole numbers: for speed."""

    def __init__(
        self, allocation: PoolAllocation, gains: str | None, loses: str | None, limit: Fraction | None
    ) -> None:
        self._before, self._gains, self._loses = allocation, gains, loses
        self._scale = lcm(*(value.denominator for value in allocation.sdes.values()))
        self._values = {group: int(value * self._scale) for group, value in allocation.sdes.items()}
        self._rate = dict.fromkeys(self._values, 0)
        if gains is not None:
            self._values.setdefault(gains, 0)
            self._rate[gains] = 1
        if loses is not None:
            self._rate[loses] = -1
        self._end = Fraction(self._values[loses]) if loses is not None else None
        if limit is not None:
            self._end = min(limit * self._scale, self._end or limit * self._scale)
        self._active = [g for g, value in self._values.items() if value or self._rate.get(g)]

    def first(self) -> SeatMove | None:
        start = ZERO
        for end in self._stretches():
            if start:
                at = self._at(start)
                if at.tie is None and at.seats != self._before.seats:
                    return self._move(start, at, True)
            low = start
            for high in [*self._levels(start, end), end]:
                inside = self._at(low + 1 if high is None else (low + high) / 2)
                if self._differs(inside):
                    return self._move(low, inside, False)
                if high is not None:
                    low = high
            start = start if end is None else end
        if self._loses is not None and start == self._values[self._loses]:
            at = self._at(start)
            if self._differs(at):
                return self._move(start, at, True)
        return None

    def _differs(self, allocation: PoolAllocation) -> bool:
        return allocation.seats != self._before.seats or allocation.tie != self._before.tie

    def _move(self, amount: Fraction, after: PoolAllocation, reached: bool) -> SeatMove:
        same = (after.qualified, after.lowered) == (self._before.qualified, self._before.lowered)

        def some(seats: Mapping[str, int]) -> dict[str, int]:
            return {group: number for group, number in seats.items() if number}

        return SeatMove(
            pool=self._before.pool,
            gains=self._gains,
            loses=self._loses,
            amount=amount / self._scale,
            reached=reached,
            cause=Cause.FRACTION if same else Cause.THRESHOLD,
            before=some(self._before.seats),
            after=some(after.seats),
            tie_before=self._before.tie,
            tie_after=after.tie,
        )

    def _at(self, amount: Fraction) -> PoolAllocation:
        values = {group: value + self._rate[group] * amount for group, value in self._values.items()}
        return allocate_pool(self._before.rules, self._before.pool, values)

    def _stretches(self) -> Iterator[Fraction | None]:
        """Ends of the stretches on which the same groups qualify, ascending; None for no end."""
        share = self._before.rules.pool_threshold
        whole, whole_rate = sum(self._values.values()), sum(self._rate.values())
        meets = {
            _root(self._values[group] - share * whole, self._rate[group] - share * whole_rate)
            for group in self._active
        }
        start = ZERO
        for end in [*self._within(meets, ZERO, self._end), self._end]:
            if self._at(start + 1 if end is None else (start + end) / 2).lowered:
                yield from self._within(self._half_of_another(), start, end)
            yield end
            start = start if end is None else end

    def _half_of_another(self) -> set[Fraction | None]:
        """Where a group has half of another, or as much: who is the leader, and who has half of its share,
        can change there only."""
        return {
            _root(
                Fraction(times * self._values[group] - self._values[other]),
                Fraction(times * self._rate[group] - self._rate[other]),
            )
            for group in self._active
            for other in self._active
            for times in (1, 2)
        }

    def _within(
        self, amounts: Iterable[Fraction | None], start: Fraction, end: Fraction | None
    ) -> list[Fraction]:
        return sorted(a for a in amounts if a is not None and self._inside(a, start, end))

    def _levels(self, start: Fraction, end: Fraction | None) -> list[Fraction]:
        """Where a share, or the difference of two, is a whole number, strictly between two cuts."""
        among = self._at(start + 1 if end is None else (start + end) / 2).qualified
        base, base_rate = sum(self._values[g] for g in among), sum(self._rate[g] for g in among)
        found: set[Fraction] = set()
        for place, group in enumerate(among):
            found.update(self._whole(self._values[group], self._rate[group], base, base_rate, start, end))
            for other in among[place + 1 :]:
                value = self._values[group] - self._values[other]
                rate = self._rate[group] - self._rate[other]
                found.update(self._whole(value, rate, base, base_rate, start, end))
        return sorted(found)

    def _whole(
        self, value: int, rate: int, base: int, base_rate: int, start: Fraction, end: Fraction | None
    ) -> Iterator[Fraction]:
        """Amounts at which seats · (value + rate·d) / (base + base_rate·d) is whole."""
        seats = self._before.pool.seats

        def level(amount: Fraction) -> Fraction:
            under = base + base_rate * amount
            return seats * (value + rate * amount) / under if under else ZERO

        first = level(start)
        limit = Fraction(seats * rate, base_rate) if base_rate else first
        last = limit if end is None else level(end)
        for whole in range(floor(min(first, last)), ceil(max(first, last)) + 1):
            root = _root(Fraction(seats * value - whole * base), Fraction(seats * rate - whole * base_rate))
            if root is not None and self._inside(root, start, end):
                yield root

    @staticmethod
    def _inside(amount: Fraction, start: Fraction, end: Fraction | None) -> bool:
        return start < amount and (end is None or amount < end)


def _root(value: Fraction, rate: Fraction) -> Fraction | None:
    """Where value + rate·d is 0."""
    return -value / rate if rate else None
