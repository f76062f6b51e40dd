"""National delegates: each pool's seats, and by how little the last of them went where it went."""

from dataclasses import dataclass, replace
from fractions import Fraction

from caucus_desk.reports.book import Book, share
from caucus_desk.reports.plan import NOT_KNOWN, Block, Column, Kind, Page, Row, Value
from caucus_desk.reports.seatmoves import arithmetic, next_seats
from caucus_desk.rules.national import NationalDelegates, PoolAllocation
from caucus_desk.tally.seats import PoolOutlook, least_change, seat_outlook

NATIONAL = "National delegates"
_RUN_ON = 6
"""Columns that the sentence in words may run over."""


@dataclass(frozen=True, slots=True)
class Margin:
    """How the last seat of a pool was decided. `behind` is in the rule set's unit (SDEs), exact."""

    last: tuple[str, ...]
    next: tuple[str, ...]
    behind: Fraction


@dataclass(frozen=True, slots=True)
class NationalPage:
    page: Page
    allocation: NationalDelegates
    seat_block: int = 0


def national(book: Book) -> NationalPage:
    allocation = book.overview.national(book.counting)
    outlooks = tuple(_outlook(pool) for pool in allocation.pools)
    page = Page(
        NATIONAL,
        "Pledged national delegates",
        "From the sheets as reported. Each pool is shared on its own; a group needs "
        f"{_percent(book.rules.pool_threshold)} of the pool to take part.",
        (
            _seats(book, allocation),
            _margins(book, allocation),
            next_seats(book, outlooks),
            _working(book, allocation),
            arithmetic(book, outlooks),
        ),
        table=False,
        repeated_block=3,
    )
    return NationalPage(page, allocation)


def _outlook(pool: PoolAllocation) -> PoolOutlook:
    """With one shift: between the two that the last seat lay between."""
    seat = last_seat(pool)
    found = seat_outlook(pool, shifts=False)
    if seat is None or pool.tie is not None:
        return found
    return replace(found, shift=least_change(pool, seat.next[0], seat.last[0]))


def _seats(book: Book, allocation: NationalDelegates) -> Block:
    pools = allocation.pools
    columns = (
        Column("Group", Kind.TEXT),
        *(Column(pool.pool.label, Kind.COUNT) for pool in pools),
        Column("All pools", Kind.COUNT, starts_group=True),
    )
    rows: list[Row] = [
        (book.labels[key], *(pool.seats.get(key, 0) for pool in pools), allocation.total.get(key, 0))
        for key in book.rules.keys
        if allocation.total.get(key, 0)
    ]
    given = [sum(pool.seats.values()) for pool in pools]
    of = [pool.pool.seats for pool in pools]
    rows.append(("Given", *given, sum(given)))
    open_seats = sum(of) - sum(given)
    note = ""
    if open_seats:
        note = (
            f"{open_seats:,} of {sum(of):,} seats are not given: see how each pool's last seat stands, below."
        )
    return Block(
        columns,
        rows,
        total=("Seats to give", *of, sum(of)),
        title="Seats",
        note=note,
        strong_first=True,
    )


def _margins(book: Book, allocation: NationalDelegates) -> Block:
    """Seats that would change, and by how much less."""
    columns = (
        Column("Pool", Kind.TEXT),
        Column("Seats"),
        Column("Last seat went to", Kind.TEXT),
        Column("Next in line", Kind.TEXT),
        Column(f"Behind by, {book.unit}", Kind.UNITS),
        Column("Nearest to the threshold", Kind.TEXT),
        Column(f"Above or below it by, {book.unit}", Kind.UNITS_CHANGE),
        Column("In words", Kind.TEXT, runs_on=True),
        # The sentence goes on over these; their headings carry the band along above it.
        *[Column("", Kind.TEXT)] * _RUN_ON,
    )
    rows = []
    for pool in allocation.pools:
        seat = last_seat(pool)
        edge = nearest_to_threshold(pool)
        rows.append(
            (
                pool.pool.label,
                pool.pool.seats,
                _names(book, seat.last) if seat else NOT_KNOWN,
                _names(book, seat.next) if seat else NOT_KNOWN,
                book.decimals.cell(seat.behind) if seat else NOT_KNOWN,
                book.labels[edge[0]] if edge else NOT_KNOWN,
                book.decimals.cell(edge[1]) if edge else NOT_KNOWN,
                _sentence(book, pool, seat),
                *[None] * _RUN_ON,
            )
        )
    return Block(
        columns,
        rows,
        title="How close the last seats are",
        note=f"Behind by: the difference of the two fractions of a seat, in {book.units} of that pool.",
        strong_first=True,
    )


def _working(book: Book, allocation: NationalDelegates) -> Block:
    columns = (
        Column("Pool", Kind.TEXT),
        Column("Group", Kind.TEXT),
        Column(book.unit, Kind.UNITS),
        Column("Share of the pool", Kind.SHARE),
        Column(f"Needed, {book.unit}", Kind.UNITS),
        Column("Above or below", Kind.UNITS_CHANGE),
        Column("Takes part", Kind.WORD),
        Column("Share of the seats", Kind.UNITS),
        Column("Whole seats"),
        Column("By fraction"),
        Column("Seats"),
    )
    rows: list[Row] = []
    for pool in allocation.pools:
        needed = threshold(pool)
        standing = sorted(
            (key for key in book.rules.keys if pool.sdes.get(key)), key=lambda key: -pool.sdes[key]
        )
        for key in standing:
            value = pool.sdes[key]
            entitled = pool.shares.get(key)
            whole = entitled.__floor__() if entitled is not None else 0
            quotient: Value = book.decimals.cell(entitled) if entitled is not None else NOT_KNOWN
            rows.append(
                (
                    pool.pool.label,
                    book.labels[key],
                    book.decimals.cell(value),
                    share(value, pool.total),
                    book.decimals.cell(needed),
                    book.decimals.cell(value - needed),
                    "yes" if key in pool.qualified else "no",
                    quotient,
                    whole,
                    pool.seats.get(key, 0) - whole,
                    pool.seats.get(key, 0),
                )
            )
    return Block(
        columns,
        rows,
        title="Working, pool by pool",
        note="Whole seats first; what is left goes to the largest fractions. The largest group comes first.",
    )


def threshold(pool: PoolAllocation) -> Fraction:
    """What a group needed in this pool, in the rule set's unit."""
    if pool.lowered:
        return max(pool.sdes.values(), default=Fraction(0)) / 2
    return pool.rules.pool_threshold * pool.total


def nearest_to_threshold(pool: PoolAllocation) -> tuple[str, Fraction] | None:
    """The group nearest to the threshold and its distance, above zero where it got in."""
    if not pool.total:
        return None
    needed = threshold(pool)
    distances = {key: value - needed for key, value in pool.sdes.items() if value}
    key = min(distances, key=lambda key: abs(distances[key]))
    return key, distances[key]


def last_seat(pool: PoolAllocation) -> Margin | None:
    """Who got the last seat by fraction and who came next. None where no fraction decided anything.

    `behind` is what the next group would have needed on top to draw level, taken as the difference of
    the fractions times the value of a seat.
    """
    if pool.tie is not None:
        return Margin(pool.tie.groups, pool.tie.groups, Fraction(0))
    fractions = {key: entitled - entitled.__floor__() for key, entitled in pool.shares.items()}
    with_seat = [key for key in fractions if pool.seats[key] > pool.shares[key].__floor__()]
    without = [key for key in fractions if key not in with_seat]
    if not with_seat or not without or not pool.pool.seats:
        return None
    least = min(fractions[key] for key in with_seat)
    most = max(fractions[key] for key in without)
    base = sum((pool.sdes[key] for key in pool.qualified), Fraction(0))
    return Margin(
        tuple(key for key in with_seat if fractions[key] == least),
        tuple(key for key in without if fractions[key] == most),
        (least - most) * base / pool.pool.seats,
    )


def _sentence(book: Book, pool: PoolAllocation, seat: Margin | None) -> str:
    if not pool.total:
        if book.lacks_units:
            return f"No {book.units} can be worked out, so no seat is given."
        return "Nothing is in yet, so no seat is given."
    if pool.empty:
        return "Nobody reaches the threshold, so no seat is given."
    if pool.tie is not None:
        seats = "1 seat is" if pool.tie.k == 1 else f"{pool.tie.k} seats are"
        return (
            f"{seats} open: the fractions of {_names(book, pool.tie.groups)} are equal, and only a toss or "
            "the state party can decide."
        )
    lowered = (
        "Nobody reached the threshold, so half of the leader's share was enough. " if pool.lowered else ""
    )
    if seat is None:
        return f"{lowered}No fraction decided a seat."
    return (
        f"{lowered}{_names(book, seat.next)} is {book.decimals.text(seat.behind)} {book.units} behind "
        f"{_names(book, seat.last)} for the last seat."
    )


def _names(book: Book, keys: tuple[str, ...]) -> str:
    return " = ".join(book.labels[key] for key in keys)


def _percent(value: Fraction) -> str:
    return f"{float(value * 100):g}%"
