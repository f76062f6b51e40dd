"""Sheets of what needs a person: mismatches, findings, missing paper."""

from collections import Counter
from collections.abc import Iterable, Mapping

from caucus_desk.reports.book import Book, channel_word
from caucus_desk.reports.plan import NOT_KNOWN, Block, Column, Kind, Page, Row, Value, rows_of
from caucus_desk.tally.finding import Severity
from caucus_desk.tally.form import field_label
from caucus_desk.tally.mismatch import Mismatch
from caucus_desk.tally.report import CHANNELS, Acknowledgement, Channel
from caucus_desk.tally.results import PrecinctResult, SheetFinding
from caucus_desk.tally.roster import Precinct

MISMATCHES, FINDINGS = "Mismatches", "Findings"
MISSING_PAPER = "Missing paper"

PRECINCT_COLUMNS = (
    Column("Precinct id", Kind.ID, widest=24),
    Column("County", Kind.TEXT, widest=22),
    Column("Precinct", Kind.TEXT, widest=30),
)


def mismatches(book: Book) -> Page:
    """A row a field, what each source says side by side; where a channel has several reports that stand,
    its column has what the leading one says, and a column of its own what the others do."""
    channels = CHANNELS if book.people else ()
    found = book.overview.mismatches()
    several = any(mismatch.rivals for mismatch in found)
    columns = (
        *PRECINCT_COLUMNS,
        Column("Field", Kind.TEXT),
        *(
            Column(f"{str(channel).capitalize()} says", words=(("blank", "amber"),), differs_from=7)
            for channel in CHANNELS
        ),
        Column("Counted now"),
        Column("Counted from", Kind.WORD),
        Column("Says otherwise", Kind.TEXT),
        *((Column("Other reports of a channel say", Kind.LONG, widest=44),) if several else ()),
        Column(f"One delegate is, {book.unit}", Kind.UNITS),
        *(Column(f"{str(channel).capitalize()} keyed by", Kind.TEXT) for channel in channels),
    )
    results = book.overview.results
    rows = []
    for mismatch in found:
        result = results[mismatch.precinct_id]
        stands = result.standing
        rows.append(
            (
                *named(result),
                field_label(book.rules, mismatch.field),
                *(_said(result, channel, mismatch.values) for channel in CHANNELS),
                stands.sheet.count(mismatch.field) if stands.sheet is not None else None,
                channel_word(stands.channel),
                _otherwise(result, mismatch),
                *((_others_say(book, result, mismatch),) if several else ()),
                book.stake(result.precinct.county, book.overview.delegate_worth(mismatch.precinct_id)),
                *(result.reports[channel].by if channel in result.reports else None for channel in channels),
            )
        )
    return Page(
        MISMATCHES,
        "Fields in which the sources of a precinct differ",
        some_or_none(
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


def _otherwise(result: PrecinctResult, mismatch: Mismatch) -> str | None:
    """The channels that don't say what is counted: `phone and app`; `another paper` for a second report."""
    sheet, values = result.standing.sheet, mismatch.values
    own = result.standing.channel
    counted = sheet.count(mismatch.field) if sheet is not None else None
    if own is not None and own in values:
        counted = values[own]
    others = [str(c) for c in CHANNELS if c in values and c != own and values[c] != counted]
    differing = {id for id, value in mismatch.rivals if value != counted}
    others += dict.fromkeys(f"another {one.channel}" for one in result.rivals if one.id in differing)
    return " and ".join(others) or "blank in both"


def _others_say(book: Book, result: PrecinctResult, mismatch: Mismatch) -> str:
    """`paper (Polk packet, Bob): 31`; people only where they may be named."""
    said = dict(mismatch.rivals)
    return "; ".join(
        f"{rival.told_apart if book.people else rival.channel}: {_figure(said[rival.id])}"
        for rival in result.rivals
    )


def _figure(value: int | None) -> str:
    return "blank" if value is None else f"{value:,}"


def findings(book: Book) -> Page:
    """Every finding, those with the most at stake first."""
    columns = (
        Column(f"At stake, {book.unit}", Kind.UNITS),
        Column("Finding", Kind.ID),
        Column("Severity", Kind.WORD, words=(("error", "red"), ("warning", "amber"))),
        *PRECINCT_COLUMNS,
        Column("Sheet", Kind.WORD),
        Column("What the sheet shows", Kind.LONG, widest=70),
        *(
            (Column("Acknowledged by", Kind.TEXT), Column("Reason", Kind.LONG, widest=40))
            if book.people
            else (Column("Acknowledged", Kind.WORD),)
        ),
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
        some_or_none(
            entries,
            f"At stake: half the {book.units} by which reported and computed differ in that precinct, else "
            "one delegate there. The same stake stands at each finding of a precinct: don't add it up.",
            "No rule check has anything to say.",
        ),
        (Block(columns, rows_of(entries, lambda entry: _finding_row(book, entry))),),
        frozen_columns=3,
        tab="amber",
    )


def _finding_row(book: Book, entry: SheetFinding) -> Row:
    precinct, given = entry.precinct, entry.acknowledged
    where = "county total" if precinct is None else channel_word(entry.channel)
    if precinct is not None and not entry.standing:
        where += " (not counted)"
    return (
        book.stake(entry.county, entry.sdes_at_stake),
        entry.finding.id,
        str(entry.severity),
        precinct.id if precinct is not None else None,
        entry.county,
        precinct.name if precinct is not None else None,
        where,
        entry.finding.message,
        *_answered(book, given),
        book.local(given.at) if given is not None else None,
    )


def _answered(book: Book, given: Acknowledgement | None) -> tuple[Value, ...]:
    if not book.people:
        return ("no" if given is None else "yes",)
    return (None, None) if given is None else (given.by, given.reason or "noted")


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

    def row(precinct: Precinct) -> Row:
        result = book.overview.results[precinct.id]
        elects = result.delegates_to_elect
        worth = book.overview.delegate_worth(precinct.id) * (elects or 0)
        return (
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

    rows = rows_of(sorted(precincts, key=lambda precinct: precinct.county.casefold()), row)
    return Page(
        MISSING_PAPER,
        "Precincts whose paper worksheet isn't in",
        some_or_none(
            rows,
            f"{len(rows):,} of {sum(all_of.values()):,} precincts, in {len(by_county):,} counties and pools.",
            "Every precinct's paper is in.",
        ),
        (Block(columns, rows),),
        frozen_columns=1,
        tab="amber",
    )


def named(result: PrecinctResult) -> tuple[Value, Value, Value]:
    return (result.precinct.id, result.precinct.county, result.precinct.name)


def some_or_none(rows: Iterable[object], some: str, none: str) -> str:
    return some if next(iter(rows), None) is not None else none
