"""The columns of a results file: long form (a row a precinct and group) or wide (a row a precinct)."""

from collections.abc import Iterator
from enum import StrEnum

from caucus_desk.exchange.ballot import Ballot
from caucus_desk.exchange.folding import fold
from caucus_desk.exchange.headings import Heading, Vocabulary
from caucus_desk.exchange.tables import Table
from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.tally.sheet import field_path


class Form(StrEnum):
    LONG = "long"
    WIDE = "wide"


KEYS = ("precinct_id", "county", "precinct")
COUNTS = ("first", "final", "delegates")
GROUP_COLUMNS = (*COUNTS, "sde", "signed")
SHEET_COUNTS = ("attendance", "second_attendance", "threshold", "delegates_to_elect")
SHEET_TICKS = ("chair_signed", "secretary_signed", "overwritten")

_ENDINGS = {
    "firstalignment": "first",
    "first": "first",
    "finalalignment": "final",
    "final": "final",
    "countydelegates": "delegates",
    "delegates": "delegates",
    "sde": "sde",
    "signed": "signed",
}
_NO_GROUP = frozenset(
    {"", "total", "totals", "sum", "all", "county", "state", "national", "district", "precinct", "grandtotal"}
    | {"chair", "secretary", "captain"}
)
"""What may stand before `first`, `final` or `delegates` without being meant as a candidate."""


def vocabulary(rules: RuleSet, ballot: Ballot) -> Vocabulary:
    """All headings that a results file of this caucus may have."""
    fields = {fold(name): name for name in (*KEYS, *SHEET_COUNTS, *SHEET_TICKS, "chance", "candidate")}
    fields["group"] = fields["preferencegroup"] = "candidate"
    fields |= _ENDINGS
    for extra in rules.fields:
        fields[fold(extra.key)] = fields[fold(extra.label)] = extra.key
    for called, key in ballot.names():
        for ending, column in _ENDINGS.items():
            fields.setdefault(called + ending, field_path(key, column))
    wide = frozenset(field_path(key, column) for key in ballot.keys for column in COUNTS)

    def complete(found: frozenset[str]) -> bool:
        placed = "precinct_id" in found or {"county", "precinct"} <= found
        return placed and (_is_long(found) or not wide.isdisjoint(found))

    sample = ballot.keys[0] if ballot.keys else "candidate"
    needed = (
        "precinct_id (or county and precinct), and candidate with first_alignment, final_alignment or "
        f"county_delegates, or a column for each candidate such as “{sample} first”"
    )
    return Vocabulary(fields, complete, needed)


def form_of(table: Table) -> Form:
    """A column for the candidate makes it long."""
    return Form.LONG if _is_long(frozenset(table.columns)) else Form.WIDE


def _is_long(found: frozenset[str]) -> bool:
    return "candidate" in found and not found.isdisjoint(COUNTS)


def strange_columns(table: Table, ballot: Ballot) -> Iterator[tuple[Heading, str]]:
    """Columns of a wide table that would lose votes in silence: heading and what was expected.

    A candidate who is not on the ballot, and a group without a column that the other groups have.
    """
    for heading in table.found.headings:
        key = fold(heading.text)
        ending = next((e for e, c in _ENDINGS.items() if c in COUNTS and key.endswith(e)), None)
        if heading.field is None and ending and key.removesuffix(ending) not in _NO_GROUP:
            yield heading, f"a group of the ballot: {', '.join(ballot.keys)}"
    stated = [c for c in COUNTS if any(field_path(k, c) in table.columns for k in ballot.keys)]
    for key in ballot.keys:
        own = [c for c in stated if field_path(key, c) in table.columns]
        for column in stated:
            if own and column not in own:
                yield (
                    table.columns[field_path(key, own[0])],
                    f"a column “{key} {column}” too, as other groups have",
                )
