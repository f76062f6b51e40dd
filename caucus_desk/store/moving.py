"""A whole store copied row by row into another kind of place, with its trail, and compared afterwards."""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Table, select

from caucus_desk.store.copying import remove_with_journals
from caucus_desk.store.errors import StoreDamaged
from caucus_desk.store.files import make_file
from caucus_desk.store.schema import attachment_data, desk_beat, metadata, preference_group
from caucus_desk.store.shared.address import is_address
from caucus_desk.store.shared.opening import make_shared, unmake_shared
from caucus_desk.store.statements import Prepared
from caucus_desk.store.units import ReadUnit, WriteUnit

TABLES: tuple[Table, ...] = tuple(
    table for table in metadata.sorted_tables if table not in (desk_beat, attachment_data)
)
"""Every table but those that say which windows run now, and where the files of attachments lie."""

_BATCH = 2_000
_ALL = {table: Prepared(select(table).order_by(*table.primary_key.columns)) for table in TABLES}
_COUNTED = tuple(
    table
    for table in TABLES
    if len(table.primary_key.columns) == 1 and table.dialect_options["sqlite"]["autoincrement"]
)
"""Tables that never give a number twice, also where the row is gone."""

_as_text = json.JSONEncoder(ensure_ascii=True, separators=(",", ":")).encode


@dataclass(frozen=True, slots=True)
class TableCopy:
    """One table: how many rows, and the SHA-256 of all of them in the order of their key."""

    name: str
    rows: int
    digest: str


def table_digest(unit: ReadUnit, table: Table) -> TableCopy:
    """As the table stands in this unit; the same on both kinds of database."""
    digest, rows = hashlib.sha256(), 0
    for batch in unit.streamed(_ALL[table], _BATCH):
        rows += len(batch)
        _add(digest, batch)
    return TableCopy(table.name, rows, digest.hexdigest())


def copy_rows(
    source: ReadUnit, target: WriteUnit, progress: Callable[[int, int], None] | None = None
) -> tuple[TableCopy, ...]:
    """Every row into the empty tables of another store, then read there again and compared.

    `progress` is told tables done and in all. Raises StoreDamaged where what is read back differs.
    """
    copied = []
    for done, table in enumerate(TABLES):
        if progress is not None:
            progress(done, len(TABLES))
        digest, rows = hashlib.sha256(), 0
        for batch in source.streamed(_ALL[table], _BATCH):
            target.put_rows(table, batch)
            _add(digest, batch)
            rows += len(batch)
        if table is preference_group:
            target.learn_ballot()
        copied.append(TableCopy(table.name, rows, digest.hexdigest()))
    _go_on_counting(source, target)
    for before in copied:
        after = table_digest(target, metadata.tables[before.name])
        if after != before:
            raise StoreDamaged(
                f"The table {before.name} does not read back as it was copied: {before.rows:,} rows with "
                f"digest {before.digest[:12]}, then {after.rows:,} with {after.digest[:12]}."
            )
    return tuple(copied)


def make_at(location: str, fill: Callable[[WriteUnit], None]) -> None:
    """Makes a store in an empty place, whole or not at all."""
    if is_address(location):
        make_shared(location, fill)
    else:
        make_file(location, fill)


def unmake(location: str) -> None:
    """Takes away a store that was made by `make_at` and did not stand its check."""
    if is_address(location):
        unmake_shared(location)
    else:
        remove_with_journals(Path(location))


def _add(digest: Any, rows: Sequence[tuple[Any, ...]]) -> None:
    for row in rows:
        digest.update(_as_text(row).encode("ascii") + b"\n")


def _go_on_counting(source: ReadUnit, target: WriteUnit) -> None:
    """Numbers of rows that are gone (drafts) are not given again in the new store either."""
    for table in _COUNTED:
        target.count_from(table.name, source.counted(table.name))
