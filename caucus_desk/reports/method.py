"""How the figures came about: the rules, the decisions where sources are silent, the checks, the words."""

from collections import Counter
from collections.abc import Sequence

from caucus_desk.reports.book import Book
from caucus_desk.reports.plan import Block, Column, Kind, Page, Row
from caucus_desk.rules.ruleset import RoundedSum, RuleSet, SatelliteWeight, ShareBase, Unit
from caucus_desk.tally.catalogue import FINDINGS, severity_of
from caucus_desk.tally.results import Counting
from caucus_desk.tally.state import State

METHOD = "Method"

_WORDS = (
    (
        "precinct",
        "A reporting unit: a precinct caucus or a satellite site. Merged precincts are outside all totals.",
    ),
    (
        "standing sheet",
        "The sheet that counts for a precinct: a ruling's, else the matching reports', else paper, then "
        "phone, then app, the newest of each, also while they differ.",
    ),
    ("counting", "reported takes every standing sheet; verified takes verified precincts only."),
    (
        "verified",
        "Two sources and two people agree in every field, or a reviewer ruled, and no error finding is left "
        "without an acknowledgement.",
    ),
    (
        "as reported",
        "With the delegates that stand on the sheets. A worksheet is a legal record and is never corrected.",
    ),
    (
        "as computed",
        "With the delegates that the rules give for the people on the sheets. Where a round is missing or "
        "nobody came, the sheet's own; where only a toss can decide, those before the toss unless the sheet "
        "says how it went.",
    ),
    ("blank", "Not stated. Never zero: a cell is left empty."),
    ("mismatch", "A field in which two standing reports of one precinct differ."),
    (
        "finding",
        "What a rule check says of one sheet. It changes nothing; it is shown, acknowledged and counted.",
    ),
    (
        "at stake",
        "Half the sum of what moves between as reported and as computed in the precinct, else what one "
        "delegate there is worth.",
    ),
    (
        "behind by",
        "For the last seat of a pool: the difference of the two fractions of a seat, times what a seat costs "
        "in that pool.",
    ),
)


def method(book: Book, notes: Sequence[str]) -> Page:
    """`notes` say what this file could not hold as it was, for example removed control characters."""
    rules = book.rules
    blocks = [
        Block(
            _two("Rule", "In this caucus"),
            _rule_rows(book),
            title=f"The rules: {rules.title}",
            strong_first=True,
        ),
        Block(
            (Column("Key", Kind.ID), Column("Decision", Kind.LONG, widest=100)),
            list(rules.decisions.items()),
            title="Decided where the sources are silent",
            strong_first=True,
        ),
        Block(_two("Word", "What it means here"), list(_WORDS), title="Words", strong_first=True),
        _catalogue(book),
    ]
    if notes:
        blocks.insert(
            0, Block(_two("Note", "On this file"), [("note", note) for note in notes], title="Notes")
        )
    return Page(
        METHOD,
        "How these figures came about",
        "Values are exact inside and rounded once when written.",
        tuple(blocks),
        table=False,
        repeated_block=len(blocks) - 1,
    )


def _two(first: str, second: str) -> tuple[Column, ...]:
    return (Column(first, Kind.TEXT), Column(second, Kind.LONG, widest=100))


def _rule_rows(book: Book) -> list[Row]:
    rules = book.rules
    rounding = rules.rounding
    rows: list[Row] = [
        ("Rule set", f"{rules.name} ({rules.title}, {rules.year})"),
        ("Reported in", book.unit_long),
        ("Viability", _viability(rules)),
        ("Share of a group", _SHARE_BASES[rules.share_base]),
        ("Apportionment", _apportionment(rules)),
        ("One delegate", f"{_plain(rules.one_delegate)}: no threshold, the largest final group"),
        ("Chance", f"{_plain(rules.chance.kind)}; the program names a toss and never plays it"),
    ]
    if rules.unit is Unit.SDE:
        rows.append(("SDE", "county delegates times the county's state delegates, over its county delegates"))
    if rules.satellites is not None:
        weight = (
            "by attendance, so that a late site moves every site of its pool"
            if rules.satellites.weight is SatelliteWeight.ATTENDANCE
            else "by the sites' delegates"
        )
        rows.append(("Satellite sites", f"a pool's state delegates are shared among its sites {weight}"))
    if rules.pools:
        seats = sum(pool.seats for pool in rules.pools)
        rows.append(
            (
                "National delegates",
                f"{seats:,} in {len(rules.pools):,} pools, each on its own; "
                f"{float(rules.pool_threshold):.0%} of a pool to take part; whole seats, then the largest "
                "fractions",
            )
        )
    half = "up" if rounding.half_up else "to the even digit"
    sums = "exact" if rounding.sum is RoundedSum.EXACT else "rounded"
    rows.append(("Rounding", f"to {rounding.digits} decimals, a half {half}; sums are of {sums} values"))
    rows.append(("Counting", _counting(book)))
    pairs = sorted(" and ".join(sorted(pair)) for pair in rules.verifying_pairs)
    rows.append(("Verifies a precinct", "; ".join(pairs) or "no pair of sources"))
    if book.overview.unscaled_counties:
        names = ", ".join(book.overview.unscaled_counties)
        rows.append(
            (
                f"Counted without {book.unit}",
                f"the roster lacks the state delegates (county_state_delegates) of: {names}",
            )
        )
    unweighed = book.overview.unweighed_sites()
    if unweighed:
        names = "; ".join(f"{site.name} ({site.county})" for site in unweighed)
        rows.append((f"Counted without {book.unit}", f"nobody has stated the attendance of: {names}"))
    return rows


_SHARE_BASES = {
    ShareBase.ATTENDANCE: "its people in the final alignment over the attendance counted before the first",
    ShareBase.VIABLE_TOTAL: "its people in the final alignment over those of all viable groups",
}


def _viability(rules: RuleSet) -> str:
    if rules.per_delegate:
        return "the attendance divided by the delegates to elect, rounded up"
    parts = []
    for place, step in enumerate(rules.thresholds):
        last = place + 1 == len(rules.thresholds)
        start = f"{step.delegates_from} delegates{' or more' if last else ''}"
        parts.append(f"{start}: {step.share} of the attendance")
    return f"{'; '.join(parts)}; always rounded up"


def _apportionment(rules: RuleSet) -> str:
    safe = "; a group's only delegate is safe" if rules.protect_only else ""
    return f"{_plain(rules.method)}{safe}; more viable groups than delegates: {_plain(rules.over_viable)}"


def _plain(word: str) -> str:
    return str(word).replace("_", " ")


def _counting(book: Book) -> str:
    if book.counting is Counting.VERIFIED:
        return "verified precincts only; others show no figures"
    unsure = sum(r.standing.state in (State.MISMATCHED, State.SINGLE) for r in book.results)
    return f"every standing sheet, {unsure:,} of them from one source only or while sources differ"


def _catalogue(book: Book) -> Block:
    counted: dict[str, set[str]] = {}
    acknowledged: Counter[str] = Counter()
    for entry in book.overview.findings():
        place = entry.precinct.id if entry.precinct is not None else f"county {entry.county}"
        counted.setdefault(entry.finding.id, set()).add(place)
        acknowledged[entry.finding.id] += entry.acknowledged is not None
    columns = (
        Column("Finding", Kind.ID),
        Column("What must not be, in plain words", Kind.LONG, widest=100),
        Column("Severity", Kind.WORD),
        Column("Precincts here"),
        Column("Acknowledged"),
        Column("Rule", Kind.TEXT),
    )
    rows = []
    for id, kind in FINDINGS.items():
        severity = severity_of(book.rules, id)
        rows.append(
            (
                id,
                f"{kind.title}: {kind.predicate}",
                str(severity) if severity is not None else "mismatch" if kind.mismatch else "off",
                len(counted.get(id, ())),
                acknowledged[id],
                kind.rule,
            )
        )
    return Block(
        columns,
        rows,
        title="The checks",
        strong_first=True,
        note="Severity as in this caucus's rules. Counts are of precincts, on every source's sheet.",
    )
