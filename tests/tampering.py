"""Altering a store behind the program's back, wherever it lies."""

import sqlite3
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.postgres import at, server


def is_shared(store: Any) -> bool:
    return "://" in _location(store)


def administrator(store: Any) -> psycopg.Connection[Any]:
    """A connection to a shared store that may do everything."""
    address = at(server(), _location(store).rsplit("/", 1)[1])
    return psycopg.connect(address.replace("+psycopg", "", 1), autocommit=True)


def tamper(store: Any, *statements: str) -> None:
    """Runs these on a store (a Store, a Desk or where it lies), guards and rules taken off. Each must hit."""
    if is_shared(store):
        with administrator(store) as connection:
            connection.execute("SET session_replication_role = replica")
            checks = connection.execute(
                "SELECT conrelid::regclass::text, conname FROM pg_constraint "
                "WHERE contype = 'c' AND conrelid <> 0 AND connamespace = current_schema::regnamespace"
            ).fetchall()
            for table, check in checks:
                connection.execute(f"ALTER TABLE {table} DROP CONSTRAINT {check}".encode())
            for statement in statements:
                assert connection.execute(statement.encode()).rowcount > 0, statement
        return
    raw = sqlite3.connect(_location(store), isolation_level=None)
    for (name,) in raw.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
        raw.execute(f"DROP TRIGGER {name}")
    raw.execute("PRAGMA ignore_check_constraints = ON")
    for statement in statements:
        assert raw.execute(statement).rowcount > 0, statement
    raw.close()


def refuses(store: Any, statement: str, why: str = ".") -> None:
    """Asserts that the database itself does not take this, whoever says it."""
    if is_shared(store):
        with administrator(store) as connection, pytest.raises(psycopg.Error, match=why):
            connection.execute(statement.encode())
        return
    raw = sqlite3.connect(_location(store), isolation_level=None)
    try:
        raw.execute("PRAGMA foreign_keys = ON")
        with pytest.raises(sqlite3.IntegrityError, match=why):
            raw.execute(statement)
    finally:
        raw.close()


def first_column(store: Any, table: str) -> str:
    if is_shared(store):
        with administrator(store) as connection:
            cursor = connection.execute(f"SELECT * FROM {table} LIMIT 0".encode())
            return str(cursor.description[0].name)  # type: ignore[index]
    raw = sqlite3.connect(_location(store))
    name = raw.execute(f"SELECT * FROM {table} LIMIT 0").description[0][0]
    raw.close()
    return str(name)


def _location(store: Any) -> str:
    if isinstance(store, str | Path):
        return str(store)
    return str(store.location)
