"""The sheet "Outlook": is the outcome settled? Bounds first; the projection apart from them, and labelled."""

from fractions import Fraction

from caucus_desk.reports.book import Book, share
from caucus_desk.reports.plan import NOT_KNOWN, Block, Column, Kind, Page, Row, Value
from caucus_desk.tally.outlook import Outlook, Passing
from caucus_desk.tally.projection import LABEL, projection
from caucus_desk.tally.settled import settled_sentence

OUTLOOK = "Outlook"
LISTED = 200
"""So many precincts of the smallest set that can change the leader are listed."""
CHECK_NEXT = 10

_PLACE = (
    Column("Precinct id", Kind.ID, widest=24),
    Column("County", Kind.TEXT, widest=22),
    Column("Precinct", Kind.TEXT, widest=30),
    Column("Open because it", Kind.TEXT),
)


def outlook_page(book: Book, found: Outlook) -> Page:
    blocks = [_bounds(book, found), _check_next(book, found)]
    change = found.leader_change()
    if change is not None:
        blocks.append(_passing(book, found, change))
    if found.unknown:
        blocks.append(_unknown(found))
    blocks.append(_assumptions(found))
    if found.open:
        blocks.append(_projection(book, found))
    return Page(
        OUTLOOK, "Is the outcome settled?", settled_sentence(found), tuple(blocks), table=False, leads=True
    )


def _bounds(book: Book, found: Outlook) -> Block:
    races = {race.behind: race for race in found.races()}
    columns = (
        Column("Group", Kind.TEXT),
        Column(f"{book.unit} now", Kind.UNITS),
        Column("Least it can end with", Kind.UNITS, starts_group=True),
        Column("Most it can end with", Kind.UNITS),
        Column("Behind the leader now", Kind.UNITS, starts_group=True),
        Column("Can end ahead of it by", Kind.UNITS_CHANGE),
        Column("Can pass the leader", Kind.WORD),
    )
    cell, rows = book.decimals.cell, []
    for line in found.ranges:
        race = races.get(line.group)
        against: tuple[Value, ...] = (NOT_KNOWN, NOT_KNOWN, NOT_KNOWN)
        if race is not None:
            against = (cell(race.lead), cell(race.most), "yes" if race.can_pass else "no")
        elif line.group in found.leaders:
            against = ("leads", NOT_KNOWN, NOT_KNOWN)
        rows.append((book.labels[line.group], cell(line.now), cell(line.least), cell(line.most), *against))
    number = len(found.open)
    are = "precinct is" if number == 1 else "precincts are"
    return Block(
        columns,
        rows,
        title="Bounds",
        note=f"{number:,} {are} open. Bounds, not guesses; what they take for granted stands below.",
        strong_first=True,
    )


def _check_next(book: Book, found: Outlook) -> Block:
    columns = (
        *_PLACE,
        Column("Delegates at most"),
        Column("Can take from the lead", Kind.UNITS),
        Column("Can add to the lead", Kind.UNITS),
    )
    cell = book.decimals.cell
    swings = found.check_next(CHECK_NEXT)
    rows: list[Row] = [
        (
            swing.open.precinct.id,
            swing.open.precinct.county,
            swing.open.precinct.name,
            str(swing.open.why),
            swing.open.delegates,
            cell(swing.against),
            cell(swing.towards),
        )
        for swing in swings
    ]
    if swings:
        ahead, behind = book.labels[swings[0].ahead], book.labels[swings[0].behind]
        note = f"What each alone can move between {ahead} and {behind}, in {book.units}, all else as it is."
    else:
        note = "Nothing is open." if not found.open else "Nobody leads yet."
    return Block(columns, rows, title=f"The {CHECK_NEXT} precincts that matter most to check next", note=note)


def _passing(book: Book, found: Outlook, change: Passing) -> Block:
    columns = (*_PLACE, Column("Delegates at most"), Column(f"Worth at most, {book.unit}", Kind.UNITS))
    rows: list[Row] = [
        (
            entry.precinct.id,
            entry.precinct.county,
            entry.precinct.name,
            str(entry.why),
            entry.delegates,
            book.decimals.cell(entry.most) if entry.most is not None else NOT_KNOWN,
        )
        for entry in change.precincts[:LISTED]
    ]
    more = len(change.precincts) - LISTED
    behind, ahead = book.labels[change.behind], book.labels[change.ahead]
    return Block(
        columns,
        rows,
        title=f"The fewest precincts through which {behind} can pass {ahead}",
        note=(
            f"{len(change.precincts):,} of {len(found.open):,} open ones; other sets of that size may do it "
            f"too.{f' {more:,} more are not listed.' if more > 0 else ''}"
        ),
    )


def _assumptions(found: Outlook) -> Block:
    rows: list[Row] = [(sentence,) for sentence in found.assumptions]
    return Block((Column("What the bounds take for granted", Kind.TEXT, runs_on=True),), rows)


def _unknown(found: Outlook) -> Block:
    rows: list[Row] = [(one.id, one.county, one.name) for one in found.unknown]
    return Block(
        _PLACE[:3],
        rows,
        title="Open, and in no bound",
        note="The roster does not say what these can give.",
    )


def _projection(book: Book, found: Outlook) -> Block:
    guess = projection(book.overview, found)
    total = sum(guess.sdes.values(), Fraction(0))
    columns = (
        Column("Group", Kind.TEXT),
        Column(f"{book.unit} counted", Kind.UNITS),
        Column(f"{LABEL}: {book.unit}", Kind.UNITS, starts_group=True),
        Column(f"{LABEL}: share", Kind.SHARE),
    )
    rows: list[Row] = [
        (
            book.labels[group],
            book.decimals.cell(found.now[group]),
            book.decimals.cell(value),
            share(value, total),
        )
        for group, value in guess.sdes.items()
    ]
    left_out = len(guess.without_shares)
    return Block(
        columns,
        rows,
        total=(
            "Total",
            book.decimals.cell(sum(found.now.values(), Fraction(0))),
            book.decimals.cell(total),
            share(total, total),
        ),
        title=f"{LABEL}: if the open precincts are like the others of their county",
        note=guess.note
        + (f" {left_out:,} open precincts have nothing to go by and are left out." if left_out else ""),
        strong_first=True,
    )
