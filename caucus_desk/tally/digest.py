"""The digest of a release: one text of everything that it counts, and its SHA-256.

Any program can make the text again from the CSV export. Lines end in a line feed, parts of a line are
parted by tabs, the text is UTF-8, and begins with seven lines:

    caucus-desk release 1
    release <number>
    made <UTC, such as 2020-02-04T05:00:00Z>
    counting <reported or verified>
    precincts <number counted>
    totals <64 hex digits>
    basis <64 hex digits>

Then, for each precinct that counts, in the order of the ids (by code point):

    precinct <id> <county> <name> <attendance>
    field <key> <count>                          (own counts of the rule set, by key, those stated)
    group <key> <first> <final> <delegates> <SDE>  (by key, those with any count)

A blank count is nothing between two tabs, never 0. SDEs have the rule set's digits (`0.0784`), rounded
once; blank where no delegates are stated or the roster cannot say what one is worth. Names are written
on one line: control characters out, any run of spaces one space.

`totals` is the SHA-256 of the text of `totals_text`, which the workbook's own sheets give again. `basis`
stands for what is in the store only: who made it, the note, what was passed at the gate, each standing
report, the roster and the rules.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction

from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.rules.sde import decimal_text, rounded
from caucus_desk.tally.counting import counts
from caucus_desk.tally.overview import Overview
from caucus_desk.tally.results import By, Counting, TallyRow

SHOWN = 16
"""Hex digits that are printed on every sheet, in groups of four."""
_LINE_ENDS = re.compile("\r\n?|\x85|\n|\t")
_UNFIT = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


@dataclass(frozen=True, slots=True)
class DigestHead:
    """What stands before the precincts. `made` as `made_text` gives it."""

    number: int
    made: str
    counting: str
    basis: str


@dataclass(frozen=True, slots=True)
class DigestRow:
    """One group: counts, and SDEs as text; None is blank."""

    group: str
    first: int | None
    final: int | None
    delegates: int | None
    units: str

    @property
    def blank(self) -> bool:
        return self.first is None and self.final is None and self.delegates is None


@dataclass(frozen=True, slots=True)
class DigestSheet:
    """One precinct that counts."""

    id: str
    county: str
    name: str
    attendance: int | None
    fields: tuple[tuple[str, int | None], ...]
    rows: tuple[DigestRow, ...]


@dataclass(frozen=True, slots=True)
class TotalsLine:
    """One group of one row of the tally. `kind`: state, district or county."""

    kind: str
    name: str
    group: str
    first: int
    final: int
    delegates: int
    computed: int
    units: str
    units_computed: str


def digest(head: DigestHead, totals: str, sheets: Iterable[DigestSheet]) -> str:
    """64 hex digits. `totals` is what `totals_digest` gives."""
    return _sha(release_text(head, totals, sheets))


def release_text(head: DigestHead, totals: str, sheets: Iterable[DigestSheet]) -> str:
    known = sorted(sheets, key=lambda sheet: sheet.id)
    return "".join(f"{line}\n" for line in _lines(head, totals, known))


def _lines(head: DigestHead, totals: str, sheets: list[DigestSheet]) -> Iterator[str]:
    yield "caucus-desk release 1"
    yield f"release {head.number}"
    yield f"made {head.made}"
    yield f"counting {head.counting}"
    yield f"precincts {len(sheets)}"
    yield f"totals {totals}"
    yield f"basis {head.basis}"
    for sheet in sheets:
        yield _joined("precinct", sheet.id, sheet.county, sheet.name, sheet.attendance)
        for key, count in sorted(sheet.fields):
            if count is not None:
                yield _joined("field", key, count)
        for row in sorted(sheet.rows, key=lambda row: row.group):
            if not row.blank:
                yield _joined("group", row.group, row.first, row.final, row.delegates, row.units)


def totals_digest(lines: Iterable[TotalsLine]) -> str:
    return _sha(totals_text(lines))


def totals_text(lines: Iterable[TotalsLine]) -> str:
    """`state|district|county <name> <group> <first> <final> <delegates> <computed> <SDE> <SDE computed>`,
    a line each, ordered by the first three; of every group of the ballot."""
    order = {"state": 0, "district": 1, "county": 2}
    known = sorted(lines, key=lambda line: (order[line.kind], line.name, line.group))
    return "".join(
        _joined(
            line.kind, line.name, line.group, line.first, line.final, line.delegates, line.computed,
            line.units, line.units_computed,
        )
        + "\n"
        for line in known
    )  # fmt: skip


def short(digest: str) -> str:
    """`1a2b 3c4d 5e6f 7a8b`."""
    return " ".join(digest[at : at + 4] for at in range(0, SHOWN, 4))


def made_text(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def plain(text: str) -> str:
    """On one line, as the digest has names."""
    return " ".join(_UNFIT.sub("", _LINE_ENDS.sub(" ", text)).split())


def _joined(*parts: object) -> str:
    return "\t".join(
        "" if part is None else plain(part) if isinstance(part, str) else str(part) for part in parts
    )


def _sha(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


# ---- out of an overview ----


def sheets_of(overview: Overview, counting: Counting) -> Iterator[DigestSheet]:
    """Every precinct that counts, in roster order."""
    rules = overview.rules
    without = frozenset(overview.unscaled_counties)
    for id, result in overview.results.items():
        sheet = result.standing.sheet
        if sheet is None or not counts(result, counting):
            continue
        precinct = result.precinct
        given = overview.sde(id)[0]
        lost = precinct.county in without and not overview.delegate_worth(id)
        rows = []
        for key in rules.keys:
            row = sheet.row(key)
            units = ""
            if row.delegates is not None and not (lost and row.delegates):
                units = units_text(rules, given.get(key, Fraction(0)))
            rows.append(DigestRow(key, row.first, row.final, row.delegates, units))
        extras = dict(sheet.extras)
        fields = tuple((field.key, extras.get(field.key)) for field in rules.fields)
        yield DigestSheet(id, precinct.county, precinct.name, sheet.attendance, fields, tuple(rows))


def totals_of(overview: Overview, counting: Counting) -> Iterator[TotalsLine]:
    """The state, the districts and the counties (and pools), each with every group."""
    rules = overview.rules
    for kind, by in (("state", By.STATE), ("district", By.DISTRICT), ("county", By.COUNTY)):
        for row in overview.tally(by, counting).rows:
            known = has_units(overview, row)
            for line in row.groups:
                yield TotalsLine(
                    kind,
                    "" if kind == "state" else row.name,
                    line.group,
                    line.first,
                    line.final,
                    line.delegates,
                    line.delegates_computed,
                    units_text(rules, line.sde) if known else "",
                    units_text(rules, line.sde_computed) if known else "",
                )


def has_units(overview: Overview, row: TallyRow) -> bool:
    """Not so where delegates are in and none of their SDEs can be worked out: then blank, never zero."""
    if not overview.unscaled_counties and not overview.unweighed_sites():
        return True
    has_delegates = row.delegates_total or any(line.delegates_computed for line in row.groups)
    return not has_delegates or any(line.sde or line.sde_computed for line in row.groups)


def units_text(rules: RuleSet, value: Fraction) -> str:
    """SDEs as they are published: `0.0784`."""
    return decimal_text(rounded(value, rules.rounding), rules.rounding.digits)


def by_kind(lines: Iterable[TotalsLine]) -> Mapping[tuple[str, str, str], TotalsLine]:
    """By kind, name on one line, and group."""
    return {(line.kind, plain(line.name), line.group): line for line in lines}
