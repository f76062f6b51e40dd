"""Where the delegates on a sheet are not those that the rules give: what that moves, and why."""

from caucus_desk.reports.book import Book
from caucus_desk.reports.doubts import PRECINCT_COLUMNS, named, some_or_none
from caucus_desk.reports.plan import Block, Column, Kind, Page, Row, Value, many_rows
from caucus_desk.rules.apportion import Tie, apportion
from caucus_desk.tally.basis import attendance_basis
from caucus_desk.tally.counting import counts
from caucus_desk.tally.departures import Departure
from caucus_desk.tally.overview import same_awards
from caucus_desk.tally.results import PrecinctResult

AS_COMPUTED, WORKING = "As computed", "Working"
_NOT_COMPUTED = "not computed, counted as reported: a count is missing or nobody came"


def as_computed(book: Book) -> Page:
    """Where the delegates on the sheet are not those that the rules give, and what that moves."""
    columns = (
        *PRECINCT_COLUMNS,
        Column("What", Kind.LONG, widest=30, words=(("toss", "amber"),)),
        Column("Delegates to elect"),
        Column("Group", Kind.TEXT),
        Column("Final"),
        Column("Delegates reported"),
        Column("Delegates computed"),
        Column("Computed moves, delegates", Kind.COUNT_CHANGE),
        Column(f"Computed moves, {book.unit}", Kind.UNITS_CHANGE),
        Column("Parts from the rules at", Kind.TEXT, widest=26),
        Column("How", Kind.LONG, widest=60),
        Column("It works out with", Kind.LONG, widest=40),
    )
    partings = {entry.precinct.id: entry for entry in book.departures.all}

    def lines(one: tuple[PrecinctResult, str]) -> list[Row]:
        result, what = one
        who, how = named(result), _how(partings.get(result.precinct.id))
        return [(*who, what, result.delegates_to_elect, *line, *how) for line in _moves(book, result)]

    listed = _listed(book)
    moved = sum(what != _NOT_COMPUTED for _, what in listed)
    rows = many_rows(listed, lines)
    net = _net(book)
    return Page(
        AS_COMPUTED,
        "Delegates that are not as the rules give",
        some_or_none(
            rows,
            f"Sheets are never corrected. {moved:,} precincts differ; statewide that moves {net}.",
            "Every sheet's delegates are those that the rules give.",
        ),
        (Block(columns, rows),),
        frozen_columns=3,
        tab="amber",
    )


def working(book: Book) -> Page:
    """The arithmetic of every precinct that stands on the sheet before, as a chair checks it on paper."""
    columns = (*PRECINCT_COLUMNS, Column("Step"), Column("By the rules", Kind.LONG, widest=124))

    def lines(one: tuple[PrecinctResult, str]) -> list[Row]:
        result, _ = one
        who = named(result)
        return [(*who, step, text) for step, text in enumerate(_steps(book, result), 1)]

    rows = many_rows(_listed(book), lines)
    return Page(
        WORKING,
        "What the rules give, step by step",
        some_or_none(
            rows,
            f"For each precinct on the sheet {AS_COMPUTED}. Short of the rule it can look like a mistake.",
            "No precinct needs it.",
        ),
        (Block(columns, rows),),
        frozen_columns=3,
    )


def _listed(book: Book) -> list[tuple[PrecinctResult, str]]:
    """The precincts on the sheet, with why they are."""
    pairs = ((result, _what(book, result)) for result in book.results)
    return [(result, what) for result, what in pairs if what is not None]


def _what(book: Book, result: PrecinctResult) -> str | None:
    """Why the precinct is on the sheet, or None where it isn't."""
    if not counts(result, book.counting):
        return None
    if result.tie is not None:
        return f"toss not recorded: {_toss(book, result.tie)}"
    if not same_awards(result.reported, result.computed):
        return "differs"
    if result.not_computed:
        return _NOT_COMPUTED
    return None


def _how(entry: Departure | None) -> tuple[Value, ...]:
    """The step of the worksheet at which the two part, what happened there, and a hint at the slip."""
    if entry is None:
        return (None, None, None)
    return (str(entry.step), entry.sentence, "; ".join(entry.works_out_with) or None)


def _toss(book: Book, tie: Tie) -> str:
    return f"{tie.k} of {', '.join(book.labels[group] for group in tie.groups)} to {tie.kind} one"


def _moves(book: Book, result: PrecinctResult) -> list[tuple[Value, ...]]:
    """A line for each group whose delegates differ; one empty line where none does."""
    sheet, worth = result.standing.sheet, book.overview.delegate_worth(result.precinct.id)
    lines: list[tuple[Value, ...]] = []
    for group in book.rules.keys:
        reported, computed = result.reported.get(group, 0), result.computed.get(group, 0)
        if reported == computed:
            continue
        lines.append(
            (
                book.labels[group],
                sheet.row(group).final if sheet is not None else None,
                reported,
                computed,
                computed - reported,
                book.stake(result.precinct.county, (computed - reported) * worth),
            )
        )
    return lines or [(None,) * 6]


def _steps(book: Book, result: PrecinctResult) -> tuple[str, ...]:
    """The worksheet's arithmetic as a chair checks it on paper."""
    sheet = result.standing.sheet
    if sheet is None or result.not_computed or not result.delegates_to_elect:
        return ()
    attendance = attendance_basis(book.rules, result.precinct, sheet).count
    if not attendance:
        return ()
    finals = {row.group: row.final for row in sheet.groups if row.final}
    return apportion(book.rules, result.delegates_to_elect, attendance, finals).steps


def _net(book: Book) -> str:
    """`Sanders +0.2798, Warren −0.2798`: what counting as computed would move statewide."""
    moves = [
        (line.sde_computed - line.sde, line.group)
        for line in book.state.groups
        if line.sde_computed != line.sde
    ]
    if not moves:
        return f"no {book.units}"
    words = (
        f"{book.labels[group]} {'+' if move > 0 else '−'}{book.decimals.text(abs(move))}"
        for move, group in sorted(moves, key=lambda entry: -abs(entry[0]))
    )
    return f"{', '.join(words)} {book.units}"
