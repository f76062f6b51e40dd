"""SQLAlchemy statements compiled once to the driver's own text.

A clerk's save is a handful of small statements; building and looking up a compiled form for each
would cost more than SQLite needs to run it. The statements stay portable, only their text is kept.
"""

from collections.abc import Callable
from typing import Any

from sqlalchemy import Column, Dialect, Table, func, insert, literal_column, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.dialects.postgresql import psycopg2
from sqlalchemy.sql import ClauseElement

_DIALECTS: dict[str, Dialect] = {
    "sqlite": sqlite.dialect(),
    # Parameters by position, as for SQLite: `?` is written `%s`, and the database finds their types itself.
    # (SQLAlchemy's dialect for psycopg 3 writes casts to 32 bits; the older one's text is plain.)
    "postgresql": psycopg2.dialect(paramstyle="format"),  # type: ignore[no-untyped-call]
}


class Prepared:
    """A statement whose parameters are given by position, in the order in which they stand in it."""

    def __init__(self, statement: ClauseElement) -> None:
        self._statement = statement
        self._texts: dict[str, str] = {}

    def text(self, dialect: Dialect) -> str:
        found = self._texts.get(dialect.name)
        if found is None:
            found = self._texts[dialect.name] = self._compiled(dialect.name)
        return found

    def _compiled(self, kind: str) -> str:
        return str(self._statement.compile(dialect=_DIALECTS[kind]))


class Upsert(Prepared):
    """An insert that says what becomes of a row whose key is there already: each database has its own.

    `build` is given the database's own `insert`.
    """

    def __init__(self, build: Callable[[Any], ClauseElement]) -> None:
        super().__init__(build(sqlite.insert))
        self._build = build

    def _compiled(self, kind: str) -> str:
        if kind == "postgresql":
            return str(self._build(postgresql.insert).compile(dialect=_DIALECTS[kind]))
        return super()._compiled(kind)


def adding(table: Table) -> Prepared:
    """Insert whole rows: parameters in the order of the table's columns."""
    return Prepared(insert(table))


def putting(table: Table, *changing: str) -> Prepared:
    """Insert a whole row, or change these columns (None named: all but the key) of the one with its key."""
    key = [column.name for column in table.primary_key.columns]
    names = changing or tuple(column.name for column in table.columns if column.name not in key)

    def build(insert_into: Any) -> ClauseElement:
        new = insert_into(table)
        statement: ClauseElement = new.on_conflict_do_update(
            index_elements=key, set_={name: new.excluded[name] for name in names}
        )
        return statement

    return Upsert(build)


def highest(column: Column[Any]) -> Prepared:
    """The greatest number in a column, 0 where there is no row."""
    return Prepared(select(func.coalesce(func.max(column), literal_column("0"))))
