"""Which national delegate is next to move, to whom, and by how much; and the arithmetic in full."""

from collections.abc import Iterator, Sequence

from caucus_desk.reports.book import Book
from caucus_desk.reports.plan import NOT_KNOWN, Block, Column, Kind, Row, Value
from caucus_desk.tally.seats import Cause, PoolOutlook, SeatMove, next_seat
from caucus_desk.tally.seatwords import move_sentence, pool_lines

_CAUSES = {Cause.THRESHOLD: "threshold", Cause.FRACTION: "fractions"}
_RUN_ON = 5
"""Columns that the sentence in words may run over."""


def next_seats(book: Book, outlooks: Sequence[PoolOutlook]) -> Block:
    """The least changes that move a seat, the smallest first."""
    columns = (
        Column("Pool", Kind.TEXT),
        Column("If", Kind.TEXT),
        Column(f"By, {book.unit}", Kind.UNITS),
        Column("Seat goes from", Kind.TEXT),
        Column("Seat goes to", Kind.TEXT),
        Column("Through", Kind.WORD),
        Column("What would move it", Kind.TEXT, runs_on=True),
        *[Column("", Kind.TEXT)] * _RUN_ON,
    )
    moves = [move for outlook in outlooks for move in _moves(outlook)]
    rows = [_row(book, move) for move in sorted(moves, key=lambda move: move.amount)]
    least = next_seat(outlooks)
    return Block(
        columns,
        rows,
        title="The next seat to move",
        note="Next: " + move_sentence(book.rules, least) if least is not None else "No seat can move.",
        strong_first=True,
    )


def arithmetic(book: Book, outlooks: Sequence[PoolOutlook]) -> Block:
    """Thresholds and remainders, step by step, as somebody checks them on paper."""
    columns = (
        Column("Pool", Kind.TEXT),
        Column("Step"),
        Column("By the rules", Kind.TEXT, runs_on=True),
        *[Column("", Kind.TEXT)] * (_RUN_ON + 3),
    )
    rows: list[Row] = [
        (outlook.allocation.pool.label, step, text, *[None] * (_RUN_ON + 3))
        for outlook in outlooks
        for step, text in enumerate(pool_lines(outlook), start=1)
    ]
    return Block(columns, rows, title="The arithmetic, step by step", strong_first=True)


def _moves(outlook: PoolOutlook) -> Iterator[SeatMove]:
    yield from (move for move in (outlook.gain, outlook.loss, outlook.shift) if move is not None)


def _row(book: Book, move: SeatMove) -> Row:
    if move.gains is not None and move.loses is not None:
        what = f"{book.labels[move.loses]} loses to {book.labels[move.gains]}"
    elif move.gains is not None:
        what = f"{book.labels[move.gains]} gains"
    else:
        what = f"{book.labels[move.loses or '']} loses"
    return (
        move.pool.label,
        what,
        book.decimals.cell(move.amount),
        _names(book, move.seat_from),
        _names(book, move.seat_to if move.tie_after is None else move.tie_after.groups),
        _CAUSES[move.cause],
        move_sentence(book.rules, move),
        *[None] * _RUN_ON,
    )


def _names(book: Book, keys: Sequence[str]) -> Value:
    return ", ".join(book.labels[key] for key in keys) or NOT_KNOWN
