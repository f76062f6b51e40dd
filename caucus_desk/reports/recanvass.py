"""The sheet "Recanvass": what was counted again, where it says something else, and what that moves."""

from collections.abc import Sequence
from datetime import datetime

from caucus_desk.reports.book import Book
from caucus_desk.reports.changes import fields_text
from caucus_desk.reports.plan import Block, Column, Kind, Page, Row, Value
from caucus_desk.tally.comparison import GroupMove
from caucus_desk.tally.recanvass import Account, Difference, cards_of

RECANVASS = "Recanvass"


def recanvass_pages(book: Book, accounts: Sequence[Account]) -> list[Page]:
    """One sheet of all of them; none where there are none, or where it is about one county only."""
    if not accounts or not book.edition.whole:
        return []
    return [
        Page(
            RECANVASS,
            "Recanvasses and recounts",
            _sentence(accounts),
            (_heads(book, accounts), _moves(book, accounts), _precincts(book, accounts)),
            table=False,
            repeated_block=2,
            wide=True,
        )
    ]


def _sentence(accounts: Sequence[Account]) -> str:
    keyed = sum(len(one.comparing.differences) for one in accounts)
    differ = sum(len(one.comparing.differing) for one in accounts)
    taken = sum(len(one.taken) for one in accounts)
    say = "says" if differ == 1 else "say"
    were = "precinct was" if keyed == 1 else "precincts were"
    return (
        f"{keyed:,} {were} counted again, {differ:,} {say} something else than was released, and "
        f"{taken:,} became a correction. Nothing here changes the tally by itself."
    )


def _heads(book: Book, accounts: Sequence[Account]) -> Block:
    columns = [
        Column("Name", Kind.TEXT),
        Column("Compared with", Kind.TEXT),
        Column("Precincts"),
        Column("Keyed again"),
        Column("Differ"),
        Column(f"Opened, {book.zone_name}", Kind.TIME),
        Column(f"Due, {book.zone_name}", Kind.TIME),
        Column("State", Kind.WORD, words=(("overdue", "red"), ("ended", "green"))),
    ]
    if book.people:
        columns += [
            Column("Asked for by", Kind.TEXT),
            Column("Reason", Kind.LONG, widest=50),
            Column("Outcome", Kind.LONG, widest=60),
        ]
    return Block(tuple(columns), [_head(book, one) for one in accounts], strong_first=True)


def _head(book: Book, one: Account) -> Row:
    about = one.recanvass
    row: list[Value] = [
        about.name,
        _basis(one),
        len(about.ids),
        len(one.comparing.differences),
        len(one.comparing.differing),
        book.local(about.at),
        book.local(about.deadline),
        str(about.progress(book.as_of)),
    ]
    if book.people:
        outcome = about.end.outcome if about.end is not None else None
        row += [about.requested_by, about.reason, outcome]
    return row


def _basis(one: Account) -> str:
    release = one.recanvass.release
    return "what stood then" if release is None else f"release {release}"


def _moves(book: Book, accounts: Sequence[Account]) -> Block:
    unit = book.unit
    columns = (
        Column("Name", Kind.TEXT),
        Column("Group", Kind.TEXT),
        Column(f"{unit} before", Kind.UNITS),
        Column(f"{unit} then", Kind.UNITS),
        Column(f"{unit} moved", Kind.UNITS_CHANGE),
        Column("Place before", Kind.EITHER),
        Column("Place then", Kind.EITHER),
        Column("Delegates moved", Kind.COUNT_CHANGE),
        Column("Final moved", Kind.COUNT_CHANGE),
        Column("First moved", Kind.COUNT_CHANGE),
    )
    rows = [
        _move(book, one, move)
        for one in accounts
        for move in one.comparing.together.groups
        if move.before != move.after
    ]
    return Block(
        columns,
        rows,
        title="What each of them would move statewide, all its differences together",
        note="Groups that would not move are left out.",
        strong_first=True,
    )


def _move(book: Book, one: Account, move: GroupMove) -> Row:
    cell = book.decimals.cell
    before, after = move.before, move.after
    return (
        one.recanvass.name,
        book.labels[move.group],
        cell(before.sde),
        cell(after.sde),
        cell(move.sde),
        before.rank,
        after.rank,
        after.delegates - before.delegates,
        after.final - before.final,
        after.first - before.first,
    )


def _precincts(book: Book, accounts: Sequence[Account]) -> Block:
    columns = [
        Column("Name", Kind.TEXT),
        Column("Precinct id", Kind.ID, widest=24),
        Column("County", Kind.TEXT, widest=22),
        Column("Precinct", Kind.TEXT, widest=30),
        Column("It says", Kind.WORD, words=(("something else", "amber"), ("not keyed", "red"))),
        Column("Released, and counted again", Kind.LONG, widest=60),
        Column("By the rules", Kind.WORD, words=(("no", "amber"),)),
        Column("Cards"),
        Column("Cards missing"),
        Column("Correction", Kind.WORD),
    ]
    if book.people:
        columns += [
            Column("Keyed by", Kind.TEXT),
            Column(f"Keyed, {book.zone_name}", Kind.TIME),
            Column("Note", Kind.LONG, widest=40),
            Column("Why it was taken", Kind.LONG, widest=50),
        ]
    columns += [Column(book.labels[key], Kind.UNITS_CHANGE) for key in book.rules.keys]
    rows = [_precinct(book, one, id) for one in accounts for id in one.recanvass.ids]
    return Block(
        tuple(columns),
        rows,
        title="The precincts",
        note=f"Under each group: the {book.units} that the precinct alone would move for it.",
    )


def _precinct(book: Book, one: Account, id: str) -> Row:
    found = next((each for each in one.comparing.differences if each.precinct.id == id), None)
    precinct = one.places[id]
    row: list[Value] = [one.recanvass.name, precinct.id, precinct.county, precinct.name]
    row.append("not keyed" if found is None else "the same" if found.same else "something else")
    row += _said(book, found)
    taken = one.taken.get(id)
    row.append(None if found is None else "taken" if taken is not None else "no")
    if book.people:
        when: datetime | None = None if found is None else book.local(found.sheet.at)
        row += [
            None if found is None else found.sheet.by,
            when,
            found.sheet.note or None if found is not None else None,
            taken.reason if taken is not None else None,
        ]
    cell = book.decimals.cell
    row += [
        cell(found.sdes[key]) if found is not None and key in found.sdes else None for key in book.rules.keys
    ]
    return row


def _said(book: Book, found: Difference | None) -> list[Value]:
    if found is None:
        return [None, None, None, None]
    cards, missing = cards_of(found.sheet.sheet)
    return [fields_text(book, found.fields) or None, "yes" if found.by_the_rules else "no", cards, missing]
