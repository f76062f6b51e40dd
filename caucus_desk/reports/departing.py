"""The sheet "Departures": what counting as computed would move statewide, with and without chance."""

from collections.abc import Iterable, Mapping
from fractions import Fraction

from caucus_desk.reports.book import Book
from caucus_desk.reports.computed import AS_COMPUTED
from caucus_desk.reports.plan import Block, Column, Kind, Page, Row

DEPARTURES = "Departures"


def departing(book: Book) -> Page:
    blocks = [_groups(book), _steps(book)]
    if book.departures.tossed:
        blocks.append(_tossed(book))
    if book.departures.not_computed:
        blocks.append(_not_computed(book))
    return Page(
        DEPARTURES,
        "As reported, as computed",
        _sentence(book),
        tuple(blocks),
        table=False,
        leads=True,
        tab="amber",
    )


def _sentence(book: Book) -> str:
    """Who is ahead by either count."""
    if book.lacks_units:
        return book.unscaled_sentence
    if not book.ranking:
        return "Nothing is counted yet."
    reported = {line.group: line.sde for line in book.state.groups}
    computed = {line.group: line.sde_computed for line in book.state.groups}
    first, other = _ahead(book, reported), _ahead(book, computed)
    if first == other:
        return (
            f"By either count {first} is ahead: by {_margin(book, reported)} as reported, by "
            f"{_margin(book, computed)} as computed."
        )
    return (
        f"As reported {first} is ahead, by {_margin(book, reported)}; as computed it would be {other}, by "
        f"{_margin(book, computed)}."
    )


def _ahead(book: Book, values: Mapping[str, Fraction]) -> str:
    most = max(values.values())
    return " = ".join(book.labels[group] for group, value in values.items() if value == most)


def _margin(book: Book, values: Mapping[str, Fraction]) -> str:
    ordered = sorted(values.values(), reverse=True)
    lead = ordered[0] - (ordered[1] if len(ordered) > 1 else 0)
    return f"{book.decimals.text(lead)} {book.units}"


def _groups(book: Book) -> Block:
    found, unit = book.departures, book.unit
    columns = (
        Column("Group", Kind.TEXT),
        Column(f"{unit} as reported", Kind.UNITS),
        Column("Moves without chance", Kind.UNITS_CHANGE, starts_group=True),
        Column("Moves where a toss is open", Kind.UNITS_CHANGE),
        Column("All moves", Kind.UNITS_CHANGE),
        Column(f"{unit} as computed", Kind.UNITS, starts_group=True),
        Column("Other tosses: at least", Kind.UNITS_CHANGE),
        Column("Other tosses: at most", Kind.UNITS_CHANGE),
    )
    plain, chance, everything = found.moved(False), found.moved(True), found.moved()
    cell = book.decimals.cell
    rows: list[Row] = []
    for line in book.state.groups:
        group = line.group
        least, most = found.tosses(group)
        rows.append(
            (
                book.labels[group],
                book.units_cell(book.state, line.sde),
                cell(plain[group]),
                cell(chance[group]),
                cell(everything[group]),
                book.units_cell(book.state, line.sde_computed),
                cell(least),
                cell(most),
            )
        )
    whole = sum((line.sde_computed for line in book.state.groups), Fraction(0))
    return Block(
        columns,
        rows,
        total=(
            "Total",
            book.units_cell(book.state, book.state.sde_total),
            cell(sum(plain.values(), Fraction(0))),
            cell(sum(chance.values(), Fraction(0))),
            cell(sum(everything.values(), Fraction(0))),
            book.units_cell(book.state, whole),
            None,
            None,
        ),
        title="What counting as computed would move",
        note=(
            "Sheets are never corrected. Where only a toss can decide and the sheet shows none of its "
            "outcomes, computed is before the toss. Other tosses: what the tosses on the sheets could have "
            f"moved, had they gone otherwise. The precincts are on the sheet {AS_COMPUTED}."
        ),
        strong_first=True,
    )


def _steps(book: Book) -> Block:
    columns = (
        Column("Step of the worksheet", Kind.TEXT),
        Column("Precincts"),
        Column("Of them with an open toss"),
        Column("Delegates in another place"),
        Column(f"{book.unit} in another place", Kind.UNITS),
    )
    rows: list[Row] = []
    for step, entries in book.departures.by_step().items():
        if entries:
            astray = [sum(abs(move) for move in entry.delegates.values()) for entry in entries]
            rows.append(
                (
                    str(step),
                    len(entries),
                    sum(entry.tie is not None for entry in entries),
                    sum(-(-moved // 2) for moved in astray),
                    book.decimals.cell(sum((entry.size for entry in entries), Fraction(0))),
                )
            )
    return Block(
        columns,
        rows,
        title="At which step they part",
        note="" if rows else "Every sheet's delegates are those that the rules give.",
        strong_first=True,
    )


def _tossed(book: Book) -> Block:
    columns = (
        Column("Precinct id", Kind.ID),
        Column("County", Kind.TEXT, widest=22),
        Column("Precinct", Kind.TEXT, widest=30),
        Column("Tossed", Kind.TEXT),
        Column("Favoured", Kind.TEXT),
        Column(f"One delegate is, {book.unit}", Kind.UNITS),
    )
    rows: list[Row] = [
        (
            entry.precinct.id,
            entry.precinct.county,
            entry.precinct.name,
            f"{entry.tie.k} of {_names(book, entry.tie.groups)} to {entry.tie.kind}",
            _names(book, entry.winners),
            book.stake(entry.precinct.county, entry.worth),
        )
        for entry in book.departures.tossed
    ]
    return Block(columns, rows, title="Decided by a toss, as the sheet shows")


def _not_computed(book: Book) -> Block:
    columns = (
        Column("Precinct id", Kind.ID),
        Column("County", Kind.TEXT, widest=22),
        Column("Precinct", Kind.TEXT, widest=30),
    )
    rows: list[Row] = [(one.id, one.county, one.name) for one in book.departures.not_computed]
    return Block(
        columns,
        rows,
        title="Counted as reported, because nothing can be computed",
        note="A round is missing on the sheet, or nobody came.",
    )


def _names(book: Book, groups: Iterable[str]) -> str:
    return ", ".join(book.labels[group] for group in groups)
