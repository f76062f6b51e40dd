"""What every unit of work stands on: one connection inside one transaction."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Dialect, PoolProxiedConnection

from caucus_desk.store.statements import Prepared
from caucus_desk.store.times import to_text, utc_now

Row = tuple[Any, ...]

MANY = 64
"""From this many precincts on, reading a table whole beats one look-up for each."""


class Ballot:
    """The groups' ids by key, read once: they do not change while a store is open."""

    def __init__(self) -> None:
        self.ids: dict[str, int] = {}
        self.keys: dict[int, str] = {}

    def fill(self, rows: Iterable[tuple[int, str]]) -> None:
        self.ids = {key: number for number, key in rows}
        self.keys = {number: key for key, number in self.ids.items()}


class Work:
    """Runs prepared statements. `now` is the one time of everything that the unit writes (UTC)."""

    def __init__(self, connection: PoolProxiedConnection, dialect: Dialect, ballot: Ballot) -> None:
        # The driver's own cursor: SQLAlchemy's result objects cost more than these small statements.
        self._cursor: Any = connection.cursor()
        self._dialect = dialect
        self._ballot = ballot
        self.now: datetime = utc_now()
        self._now_text = to_text(self.now)

    def tell_time(self, now: datetime) -> None:
        """Sets the time of what is written next; for the sample caucus, whose night is long over."""
        self.now = now
        self._now_text = to_text(now)

    def finish(self) -> None:
        """The unit is of no use any more, and holds nothing of the connection."""
        self._cursor.close()

    def set_clock(self, at: datetime) -> None:
        """From here on the unit writes with this time: for an invented night, never at a desk."""
        self.now = at
        self._now_text = to_text(at)

    def _rows(self, statement: Prepared, *parameters: object) -> list[Row]:
        rows: list[Row] = self._cursor.execute(statement.text(self._dialect), parameters).fetchall()
        return rows

    def _one(self, statement: Prepared, *parameters: object) -> Row | None:
        # All rows are fetched: a statement left half read would hold the store's journal open.
        rows = self._rows(statement, *parameters)
        return rows[0] if rows else None

    def _run(self, statement: Prepared, *parameters: object) -> int:
        """Rows touched."""
        touched: int = self._cursor.execute(statement.text(self._dialect), parameters).rowcount
        return touched

    def _many(self, statement: Prepared, parameters: Sequence[Row]) -> None:
        if parameters:
            self._cursor.executemany(statement.text(self._dialect), parameters)

    def _chosen(self, whole: Prepared, of_one: Prepared, precinct_ids: Iterable[str] | None) -> list[Row]:
        """Rows of the precincts named, or of all; `of_one` takes the precinct's id."""
        if precinct_ids is None:
            return self._rows(whole)
        ids = list(dict.fromkeys(precinct_ids))
        return [row for precinct_id in ids for row in self._rows(of_one, precinct_id)]
