"""A first look at a file before it is read: how it was understood, and its first rows."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from caucus_desk.exchange import candidates, roster
from caucus_desk.exchange.ballot import Ballot
from caucus_desk.exchange.headings import Heading, Vocabulary
from caucus_desk.exchange.opening import open_tables
from caucus_desk.exchange.resultcolumns import vocabulary
from caucus_desk.exchange.tables import Table
from caucus_desk.exchange.textfile import DELIMITERS
from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.tally.progress import no_progress


@dataclass(frozen=True, slots=True)
class PreviewRow:
    row: int
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PreviewTable:
    """One table: `complete` if its heading has the needed columns. `sheet` is None for a text file."""

    sheet: str | None
    heading_row: int
    headings: tuple[Heading, ...]
    complete: bool
    rows: tuple[PreviewRow, ...]


@dataclass(frozen=True, slots=True)
class Preview:
    """`encoding` and `delimiter` are words for people, None for a workbook."""

    file: str
    encoding: str | None
    delimiter: str | None
    tables: tuple[PreviewTable, ...]
    warnings: tuple[str, ...]


def preview(path: Path, rules: RuleSet | None = None, limit: int = 20) -> Preview:
    """How a roster (with `rules` also a results file) is understood, and each table's first `limit` rows.

    A heading that lacks columns is shown all the same (`complete` says so).

    Raises:
        BadInput: the file cannot be opened as rows at all.
    """
    known = [roster.VOCABULARY, candidates.VOCABULARY]
    if rules is not None:
        known.insert(0, vocabulary(rules, Ballot(rules)))
    with open_tables(path, _any_of(known), no_progress, "Looking at the file", complete=False) as source:
        tables = tuple(_shown(table, limit) for table in source.tables)
        first = source.tables[0] if source.tables else None
        delimiter = DELIMITERS.get(first.delimiter or "") if first else None
        return Preview(
            source.file, first.encoding if first else None, delimiter, tables, tuple(source.warnings)
        )


def _shown(table: Table, limit: int) -> PreviewTable:
    rows = tuple(
        PreviewRow(number, tuple(str(cell) for cell in row)) for number, row in islice(table.rows([]), limit)
    )
    return PreviewTable(table.sheet, table.heading_row, table.found.headings, table.found.complete, rows)


def _any_of(known: Iterable[Vocabulary]) -> Vocabulary:
    """What stands in any of them; where they differ, the first one's meaning."""
    every = list(known)
    fields = {heading: field for each in reversed(every) for heading, field in each.fields.items()}
    # A heading is complete by the vocabulary that it is written in: `label` here is `candidate` there.
    return Vocabulary(
        fields,
        lambda found: any(each.complete(found) for each in every),
        ", or ".join(each.needed for each in every),
    )
