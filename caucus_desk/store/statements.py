"""SQLAlchemy statements compiled once to the driver's own text.

A clerk's save is a handful of small statements; building and looking up a compiled form for each
would cost more than SQLite needs to run it. The statements stay portable, only their text is kept.
"""

from typing import Any

from sqlalchemy import Column, Dialect, Table, func, insert, literal_column, select
from sqlalchemy.sql import ClauseElement


class Prepared:
    """A statement whose parameters are given by position, in the order in which they stand in it."""

    def __init__(self, statement: ClauseElement) -> None:
        self._statement = statement
        self._texts: dict[str, str] = {}

    def text(self, dialect: Dialect) -> str:
        found = self._texts.get(dialect.name)
        if found is None:
            compiled: Any = self._statement.compile(dialect=dialect)
            found = self._texts[dialect.name] = str(compiled)
        return found


def adding(table: Table) -> Prepared:
    """Insert whole rows: parameters in the order of the table's columns."""
    return Prepared(insert(table))


def highest(column: Column[Any]) -> Prepared:
    """The greatest number in a column, 0 where there is no row."""
    return Prepared(select(func.coalesce(func.max(column), literal_column("0"))))
