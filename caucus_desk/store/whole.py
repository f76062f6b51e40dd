"""Whole tables, for a store that is copied into another kind of place."""

from collections.abc import Iterator
from typing import Any

from sqlalchemy import Table, select

from caucus_desk.store.schema import preference_group
from caucus_desk.store.statements import Prepared, adding
from caucus_desk.store.work import Row, Work

_BALLOT = Prepared(select(preference_group.c.id, preference_group.c.key))
_COUNTED_IN_FILE = "SELECT seq FROM sqlite_sequence WHERE name = ?"


class WholeReading(Work):
    def streamed(self, statement: Prepared, size: int) -> Iterator[list[Row]]:
        """The rows of a statement, so many at a time: a large table is never in memory whole."""
        shared = self._dialect.name == "postgresql"
        driver = self._cursor.connection
        cursor: Any = driver.cursor(name="streamed") if shared else driver.cursor()
        try:
            cursor.execute(statement.text(self._dialect))
            while rows := cursor.fetchmany(size):
                yield rows
        finally:
            cursor.close()

    def counted(self, table: str) -> int:
        """The highest number that a row of this table ever had, as far as the database knows."""
        if self._dialect.name == "sqlite":
            row = self._cursor.execute(_COUNTED_IN_FILE, (table,)).fetchone()
            return 0 if row is None else int(row[0])
        highest = self._cursor.execute(f"SELECT coalesce(max({_key(table)}), 0) FROM {table}").fetchone()[0]
        sequence = self._sequence(table)
        if sequence is None:
            return int(highest)
        last, used = self._cursor.execute(f"SELECT last_value, is_called FROM {sequence}").fetchone()
        return max(int(highest), int(last) if used else 0)

    def _sequence(self, table: str) -> str | None:
        found = self._cursor.execute("SELECT pg_get_serial_sequence(%s, %s)", (table, _key(table))).fetchone()
        return None if found is None or found[0] is None else str(found[0])


class WholeWriting(WholeReading):
    def put_rows(self, table: Table, rows: list[Row]) -> None:
        """Whole rows as they were read elsewhere, in the order of the table's columns."""
        if self._dialect.name == "sqlite":
            self._many(adding(table), rows)
            return
        names = ", ".join(f'"{name}"' for name in table.columns.keys())  # noqa: SIM118 - no mapping of ours
        with self._cursor.copy(f"COPY {table.name} ({names}) FROM STDIN") as copying:
            for row in rows:
                copying.write_row(row)

    def learn_ballot(self) -> None:
        """Reads the groups anew, after they were put in."""
        self._ballot.fill((row[0], row[1]) for row in self._rows(_BALLOT))

    def count_from(self, table: str, number: int) -> None:
        """The next row that is given a number by the database gets a higher one."""
        if number < 1:
            return
        if self._dialect.name == "sqlite":
            self._cursor.execute("DELETE FROM sqlite_sequence WHERE name = ?", (table,))
            self._cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (table, number))
            return
        sequence = self._sequence(table)
        if sequence is not None:
            self._cursor.execute("SELECT setval(%s::regclass, %s)", (sequence, number))


def _key(table: str) -> str:
    return "seq" if table == "audit" else "id"
