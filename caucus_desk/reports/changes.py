"""The sheet "Changes": what moved since the release before, precinct by precinct, and why."""

from collections.abc import Mapping
from fractions import Fraction

from caucus_desk.reports.book import Book
from caucus_desk.reports.plan import NOT_KNOWN, Block, Column, Page, Row, Value
from caucus_desk.reports.plan import Kind as Shown
from caucus_desk.tally.comparison import Comparison, FieldChange, GroupMove, Kind, PrecinctChange
from caucus_desk.tally.form import field_label

CHANGES = "Changes"
KIND_WORDS: Mapping[Kind, str] = {
    Kind.NEW: "came in",
    Kind.CORRECTED: "corrected",
    Kind.RULED: "ruled",
    Kind.COMPLETED: "completed",
    Kind.WITHDRAWN: "withdrawn",
    Kind.ADDED: "new on the roster",
    Kind.GONE: "no longer on the roster",
    Kind.REWEIGHED: "weighed otherwise",
}
_FIELDS = 8
"""So many are named in a cell; the others are counted."""


def changes(book: Book, found: Comparison, since: int, why: Mapping[str, str]) -> Page:
    """Groups first, then what each kind of change moved, then every precinct, the largest move first."""
    return Page(
        CHANGES,
        f"What moved since release {since}",
        _sentence(book, found, since),
        (_groups(book, found, since), _kinds(book, found), _precincts(book, found, why)),
        table=False,
        repeated_block=2,
        wide=True,
    )


def _sentence(book: Book, found: Comparison, since: int) -> str:
    before, after = found.counted
    told = ", ".join(f"{len(found.of(kind)):,} {KIND_WORDS[kind]}" for kind in Kind if found.of(kind))
    places = ", ".join(
        f"{book.labels[move.group]} is {_place(move.after.rank)} (was {_place(move.before.rank)})"
        for move in found.rank_changes
    )
    return (
        f"Release {since} counted {before:,} precincts, this one {after:,}: {told or 'nothing changed'}. "
        f"{f'Places: {places}.' if places else 'Nobody changed places.'}"
    )


def _place(rank: int | None) -> str:
    return "nowhere" if rank is None else f"number {rank}"


def _groups(book: Book, found: Comparison, since: int) -> Block:
    unit = book.unit
    columns = (
        Column("Group", Shown.TEXT),
        Column(f"{unit}, release {since}", Shown.UNITS),
        Column(f"{unit} now", Shown.UNITS),
        Column(f"{unit} moved", Shown.UNITS_CHANGE, starts_group=True),
        Column("Share before", Shown.SHARE),
        Column("Share now", Shown.SHARE),
        Column("Place before", Shown.EITHER),
        Column("Place now", Shown.EITHER),
        Column("First moved", Shown.COUNT_CHANGE, starts_group=True),
        Column("Final moved", Shown.COUNT_CHANGE),
        Column("Delegates moved", Shown.COUNT_CHANGE),
    )
    rows = [_group(book, move) for move in found.groups]
    total: list[Value] = ["Total"]
    before = sum((move.before.sde for move in found.groups), Fraction(0))
    after = sum((move.after.sde for move in found.groups), Fraction(0))
    cell = book.decimals.cell
    total += [cell(before), cell(after), cell(after - before), None, None, None, None]
    total += [sum(_moved(move)[at] for move in found.groups) for at in range(3)]
    return Block(columns, rows, total=total, title="The groups", strong_first=True)


def _group(book: Book, move: GroupMove) -> Row:
    cell = book.decimals.cell
    return (
        book.labels[move.group],
        cell(move.before.sde),
        cell(move.after.sde),
        cell(move.sde),
        float(move.before.share),
        float(move.after.share),
        move.before.rank if move.before.rank is not None else NOT_KNOWN,
        move.after.rank if move.after.rank is not None else NOT_KNOWN,
        *_moved(move),
    )


def _moved(move: GroupMove) -> tuple[int, int, int]:
    one, other = move.before, move.after
    return other.first - one.first, other.final - one.final, other.delegates - one.delegates


def _kinds(book: Book, found: Comparison) -> Block:
    columns = (
        Column("What happened", Shown.TEXT),
        Column("Precincts"),
        *(Column(book.labels[key], Shown.UNITS_CHANGE) for key in found.rules.keys),
    )
    cell = book.decimals.cell
    rows: list[Row] = [
        (
            KIND_WORDS[kind],
            len(found.of(kind)),
            *(cell(move.by_kind.get(kind, Fraction(0))) for move in found.groups),
        )
        for kind in Kind
        if found.of(kind)
    ]
    total: Row = ("Total", len(found.changes), *(cell(move.sde) for move in found.groups))
    return Block(
        columns,
        rows,
        total=total,
        title=f"What each kind of change moved, in {book.unit_long}",
        strong_first=True,
    )


def _precincts(book: Book, found: Comparison, why: Mapping[str, str]) -> Block:
    columns = (
        Column("Precinct id", Shown.ID, widest=24),
        Column("County", Shown.TEXT, widest=22),
        Column("Precinct", Shown.TEXT, widest=30),
        Column("What", Shown.WORD, words=(("withdrawn", "red"), ("corrected", "amber"))),
        Column("Most moved", Shown.UNITS),
        *(Column(book.labels[key], Shown.UNITS_CHANGE) for key in found.rules.keys),
        Column("Fields changed", Shown.LONG, widest=60),
        Column("Why", Shown.LONG, widest=60),
    )
    return Block(
        columns,
        [_precinct(book, found, change, why) for change in found.largest],
        title="The precincts, the largest move first",
        note=(
            f"Under each group: the {book.units} moved for it. Completed: the sheet states more than it did. "
            f"Reweighed: the same sheet, worth other {book.units}."
        ),
    )


def _precinct(book: Book, found: Comparison, change: PrecinctChange, why: Mapping[str, str]) -> Row:
    precinct = change.precinct
    return (
        precinct.id,
        precinct.county,
        precinct.name,
        str(change.kind),
        book.decimals.cell(change.size),
        *(book.decimals.cell(change.sdes[key]) if key in change.sdes else None for key in found.rules.keys),
        fields_text(book, change.fields) or None,
        why.get(precinct.id),
    )


def fields_text(book: Book, fields: tuple[FieldChange, ...]) -> str:
    """`Warren final 30 to 31; attendance blank to 120; 3 more`."""
    telling = [one for one in fields if one.before is not None or one.after]
    told = [
        f"{field_label(book.rules, one.field)} {_count(one.before)} to {_count(one.after)}"
        for one in telling[:_FIELDS]
    ]
    if len(telling) > _FIELDS:
        told.append(f"{len(telling) - _FIELDS:,} more")
    if len(fields) > len(telling):
        told.append(f"{len(fields) - len(telling):,} from blank to 0")
    return "; ".join(told)


def _count(count: int | None) -> str:
    return "blank" if count is None else f"{count:,}"
