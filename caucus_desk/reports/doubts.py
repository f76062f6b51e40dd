"""Sheets of what needs a person: mismatches, findings, missing paper, delegates that the rules don't give."""

from collections import Counter
from collections.abc import Iterable, Mapping

from caucus_desk.reports.book import Book, channel_word
from caucus_desk.reports.plan import NOT_KNOWN, Block, Column, Kind, Page, Row, Value
from caucus_desk.rules.apportion import Tie, apportion
from caucus_desk.tally.basis import attendance_basis
from caucus_desk.tally.counting import counts
from caucus_desk.tally.finding import Severity
from caucus_desk.tally.form import field_label
from caucus_desk.tally.overview import same_awards
from caucus_desk.tally.report import CHANNELS, Channel
from caucus_desk.tally.results import PrecinctResult, SheetFinding

MISMATCHES, FINDINGS = "Mismatches", "Findings"
MISSING_PAPER, AS_COMPUTED = "Missing paper", "As computed"

_NOT_COMPUTED = "not computed, counted as reported: a count is missing or nobody came"
_PRECINCT = (
    Column("Precinct id", Kind.ID, widest=24),
    Column("County", Kind.TEXT, widest=22),
    Column("Precinct", Kind.TEXT, widest=30),
)


def mismatches(book: Book) -> Page:
    """A row a field, what each source says side by side."""
    columns = (
        *_PRECINCT,
        Column("Field", Kind.TEXT),
        *(
            Column(f"{str(channel).capitalize()} says", words=(("blank", "amber"),), differs_from=7)
            for channel in CHANNELS
        ),
        Column("Counted now"),
        Column("Counted from", Kind.WORD),
        Column("Says otherwise", Kind.TEXT),
        Column(f"One delegate is, {book.unit}", Kind.UNITS),
        *(Column(f"{str(channel).capitalize()} keyed by", Kind.TEXT) for channel in CHANNELS),
    )
    results = book.overview.results
    rows = []
    for mismatch in book.overview.mismatches():
        result = results[mismatch.precinct_id]
        stands = result.standing
        rows.append(
            (
                *_named(result),
                field_label(book.rules, mismatch.field),
                *(_said(result, channel, mismatch.values) for channel in CHANNELS),
                stands.sheet.count(mismatch.field) if stands.sheet is not None else None,
                channel_word(stands.channel),
                _otherwise(result, mismatch.field, mismatch.values),
                book.decimals.cell(book.overview.delegate_worth(mismatch.precinct_id)),
                *(result.reports[channel].by if channel in result.reports else None for channel in CHANNELS),
            )
        )
    return Page(
        MISMATCHES,
        "Fields in which the sources of a precinct differ",
        _or_none(
            rows,
            "Phone beside paper beside app. The precinct stays unverified until a reviewer rules.",
            "No two sources differ.",
        ),
        (Block(columns, rows),),
        frozen_columns=3,
        tab="amber",
    )


def _said(result: PrecinctResult, channel: Channel, values: Mapping[Channel, int | None]) -> Value:
    """The channel's number; `blank` where its sheet leaves the field open; a dash where it isn't in."""
    if channel not in values:
        return NOT_KNOWN
    value = values[channel]
    return "blank" if value is None else value


def _otherwise(result: PrecinctResult, field: str, values: Mapping[Channel, int | None]) -> str | None:
    """The channels that don't say what is counted: `phone and app`."""
    sheet = result.standing.sheet
    own = result.standing.channel
    counted = values[own] if own in values else sheet.count(field) if sheet is not None else None
    return " and ".join(str(c) for c in CHANNELS if c in values and c != own and values[c] != counted) or None


def findings(book: Book) -> Page:
    """Every finding, those with the most at stake first."""
    columns = (
        Column(f"At stake, {book.unit}", Kind.UNITS),
        Column("Finding", Kind.ID),
        Column("Severity", Kind.WORD, words=(("error", "red"), ("warning", "amber"))),
        *_PRECINCT,
        Column("Sheet", Kind.WORD),
        Column("What the sheet shows", Kind.LONG, widest=70),
        Column("Fields", Kind.TEXT, widest=30),
        Column("Acknowledged by", Kind.TEXT),
        Column("Reason", Kind.LONG, widest=40),
        Column(f"Acknowledged at ({book.zone_name})", Kind.TIME),
    )
    order = {severity: place for place, severity in enumerate(Severity)}
    entries = sorted(
        book.overview.findings(),
        key=lambda entry: (-entry.sdes_at_stake, order[entry.severity], entry.county, entry.finding.id),
    )
    return Page(
        FINDINGS,
        "What the rule checks say, most at stake first",
        _or_none(
            entries,
            f"At stake: half the {book.unit} by which reported and computed differ in that precinct, else one "
            "delegate there. The same stake stands at each finding of a precinct: don't add it up.",
            "No rule check has anything to say.",
        ),
        (Block(columns, [_finding_row(book, entry) for entry in entries]),),
        frozen_columns=3,
        tab="amber",
    )


def _finding_row(book: Book, entry: SheetFinding) -> Row:
    precinct, given = entry.precinct, entry.acknowledged
    where = "county total" if precinct is None else channel_word(entry.channel)
    if precinct is not None and not entry.standing:
        where += " (not counted)"
    return (
        book.decimals.cell(entry.sdes_at_stake),
        entry.finding.id,
        str(entry.severity),
        precinct.id if precinct is not None else None,
        entry.county,
        precinct.name if precinct is not None else None,
        where,
        entry.finding.message,
        ", ".join(field_label(book.rules, path) for path in entry.finding.fields),
        given.by if given is not None else None,
        given.reason or "noted" if given is not None else None,
        book.local(given.at) if given is not None else None,
    )


def missing_paper(book: Book) -> Page:
    """Precincts without a paper report, by county, for whoever drives."""
    precincts = book.overview.missing_paper()
    by_county = Counter(precinct.county for precinct in precincts)
    all_of = Counter(result.precinct.county for result in book.results if not result.precinct.merged)
    columns = (
        Column("County", Kind.TEXT, widest=22),
        Column("Missing in the county"),
        Column("Precincts in the county"),
        Column("Precinct id", Kind.ID, widest=24),
        Column("Precinct", Kind.TEXT, widest=34),
        Column("Delegates to elect"),
        Column(f"Is worth, {book.unit}", Kind.UNITS),
        Column("State", Kind.WORD, words=(("mismatched", "amber"), ("awaiting", "amber"))),
        Column("In by", Kind.WORD),
    )
    rows = []
    for precinct in sorted(precincts, key=lambda precinct: precinct.county.casefold()):
        result = book.overview.results[precinct.id]
        elects = result.delegates_to_elect
        worth = book.overview.delegate_worth(precinct.id) * (elects or 0)
        rows.append(
            (
                precinct.county,
                by_county[precinct.county],
                all_of[precinct.county],
                precinct.id,
                precinct.name,
                elects,
                book.decimals.cell(worth) if elects is not None and worth else NOT_KNOWN,
                str(result.standing.state),
                " and ".join(str(channel) for channel in CHANNELS if channel in result.reports) or NOT_KNOWN,
            )
        )
    return Page(
        MISSING_PAPER,
        "Precincts whose paper worksheet isn't in",
        _or_none(
            rows,
            f"{len(rows):,} of {sum(all_of.values()):,} precincts, in {len(by_county):,} counties and pools.",
            "Every precinct's paper is in.",
        ),
        (Block(columns, rows),),
        frozen_columns=1,
        tab="amber",
    )


def as_computed(book: Book) -> Page:
    """Where the delegates on the sheet are not those that the rules give, and what that moves."""
    columns = (
        *_PRECINCT,
        Column("What", Kind.LONG, widest=30, words=(("toss", "amber"),)),
        Column("Delegates to elect"),
        Column("Group", Kind.TEXT),
        Column("Final"),
        Column("Delegates reported"),
        Column("Delegates computed"),
        Column("Computed moves, delegates", Kind.COUNT_CHANGE),
        Column(f"Computed moves, {book.unit}", Kind.UNITS_CHANGE),
        Column("Working by the rules", Kind.LONG, widest=80),
    )
    rows: list[Row] = []
    moved = 0
    for result in book.results:
        what = _what(book, result)
        if what is None:
            continue
        lines = _moves(book, result)
        moved += what != _NOT_COMPUTED
        named = _named(result)
        working = "\n".join(_working(book, result))
        for place, line in enumerate(lines):
            rows.append((*named, what, result.delegates_to_elect, *line, working if place == 0 else None))
    net = _net(book)
    return Page(
        AS_COMPUTED,
        "Delegates that are not as the rules give",
        _or_none(
            rows,
            f"Sheets are never corrected. {moved:,} precincts differ; statewide that moves {net}.",
            "Every sheet's delegates are those that the rules give.",
        ),
        (Block(columns, rows),),
        frozen_columns=3,
        tab="amber",
    )


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
                book.decimals.cell((computed - reported) * worth),
            )
        )
    return lines or [(None,) * 6]


def _working(book: Book, result: PrecinctResult) -> tuple[str, ...]:
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
        return f"no {book.unit}"
    words = (
        f"{book.labels[group]} {'+' if move > 0 else '−'}{book.decimals.text(abs(move))}"
        for move, group in sorted(moves, key=lambda entry: -abs(entry[0]))
    )
    return f"{', '.join(words)} {book.unit}"


def _named(result: PrecinctResult) -> tuple[Value, Value, Value]:
    return (result.precinct.id, result.precinct.county, result.precinct.name)


def _or_none(rows: Iterable[object], some: str, none: str) -> str:
    return some if any(True for _ in rows) else none
