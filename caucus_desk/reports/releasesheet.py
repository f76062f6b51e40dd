"""The sheet "Release": which release this is, its digest, and what the gate held back before it."""

from caucus_desk.reports.book import Book
from caucus_desk.reports.changes import changes
from caucus_desk.reports.plan import Block, Column, Kind, Page, Row
from caucus_desk.reports.stamp import ReleaseStamp
from caucus_desk.tally.digest import made_text
from caucus_desk.tally.form import column_label
from caucus_desk.tally.sheet import ATTENDANCE

RELEASE = "Release"
NUMBER, MADE, COUNTING = "Release", "Made, UTC", "Counting"
DIGEST, TOTALS, BASIS = "Digest", "Digest of the totals", "Digest of the basis"
DECIMALS = "Decimals"
KEYS = "How groups and fields are named"


def release_pages(book: Book, *, people: bool = True) -> list[Page]:
    """Changes since the release before, and the release's own sheet; none where it is no release.

    Without `people` nothing says who made it, who passed what, and why a precinct changed.
    """
    stamp = book.released
    if stamp is None:
        return []
    pages = []
    if stamp.changes is not None and stamp.since is not None:
        pages.append(changes(book, stamp.changes, stamp.since, stamp.why if people else {}))
    pages.append(release_sheet(book, stamp, people=people))
    return pages


def release_sheet(book: Book, stamp: ReleaseStamp, *, people: bool) -> Page:
    blocks = [_head(book, stamp, people), _names(book)]
    if people and stamp.passes:
        blocks.append(_passes(stamp))
    blocks.append(_how(book))
    return Page(
        RELEASE,
        f"Release {stamp.number}",
        "What is released here never changes. Compare the digest with the one that was announced.",
        tuple(blocks),
        table=False,
    )


def _head(book: Book, stamp: ReleaseStamp, people: bool) -> Block:
    rows: list[Row] = [
        (NUMBER, str(stamp.number)),
        (MADE, made_text(stamp.made_at)),
        (COUNTING, str(book.counting)),
        ("Precincts counted", f"{book.state.counted:,} of {book.state.precincts:,}"),
        (DIGEST, stamp.digest),
        ("Printed on every sheet", stamp.digest_short),
        (TOTALS, stamp.totals),
        (BASIS, stamp.basis),
        (DECIMALS, str(book.rules.rounding.digits)),
        ("Rules", book.rules.name),
    ]
    if people:
        rows.append(("Made by", stamp.by))
        if stamp.approved_by:
            rows.append(("Approved by", stamp.approved_by))
        if stamp.note:
            rows.append(("Note", stamp.note))
    columns = (Column("What", Kind.TEXT), Column("It is", Kind.ID, widest=70))
    return Block(columns, rows, strong_first=True)


def _names(book: Book) -> Block:
    """Headings show labels; the digest goes by keys, which never change."""
    rows: list[Row] = [("group", key, book.labels[key]) for key in book.rules.keys]
    rows += [("field", one.key, one.label) for one in book.rules.fields]
    rows.append(("attendance", ATTENDANCE, column_label(book.rules, ATTENDANCE)))
    rows.append(("unit", str(book.rules.unit), book.unit))
    columns = (Column("Kind", Kind.TEXT), Column("Key", Kind.ID), Column("In headings", Kind.TEXT))
    return Block(columns, rows, title=KEYS)


def _passes(stamp: ReleaseStamp) -> Block:
    columns = (
        Column("Held back", Kind.TEXT),
        Column("What was found", Kind.LONG, widest=70),
        Column("Released all the same, because", Kind.LONG, widest=60),
    )
    return Block(columns, list(stamp.passes), title="What the gate held back", strong_first=True)


def _how(book: Book) -> Block:
    rows: list[Row] = [
        ("The digest is the SHA-256 of a text that any program can make again from the CSV export.",),
        (
            "It begins with seven lines: caucus-desk release 1; release <number>; made <UTC>; "
            "counting <word>; precincts <number counted>; totals <digest>; basis <digest>.",
        ),
        (
            "Then for each precinct counted, by id: precinct, id, county, name, attendance, parted by tabs; "
            "then, by key, its groups with any count: group, key, first, final, delegates, "
            f"{book.unit} with {book.rules.rounding.digits} decimals.",
        ),
        ("A blank is nothing between two tabs. Lines end in a line feed; the text is UTF-8.",),
        ("caucus-desk release verify FILE does it, from this file alone.",),
    ]
    return Block((Column("How the digest is made", Kind.TEXT, runs_on=True),), rows)
