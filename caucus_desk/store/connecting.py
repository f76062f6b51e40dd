"""Connections to a store's file: what each one must have switched on."""

import sqlite3
from pathlib import Path

from sqlalchemy import Engine, create_engine
from sqlalchemy.pool import QueuePool

BUSY_SECONDS = 5.0
"""How long a save waits for another process before it is refused."""

_PRAGMAS = (
    "PRAGMA foreign_keys = ON",
    "PRAGMA synchronous = FULL",
    "PRAGMA recursive_triggers = ON",  # REPLACE then meets the triggers that refuse deleting
    "PRAGMA trusted_schema = OFF",
    "PRAGMA temp_store = MEMORY",
)


def uri_of(path: Path, mode: str) -> str:
    """SQLite's own address of a file; spaces, `#`, `?`, `%` and non-ASCII letters are safe in it."""
    address = path.as_uri()
    if not address.startswith("file:///"):  # a Windows share: SQLite wants no server's name there
        address = f"file:////{address.removeprefix('file://')}"
    return f"{address}?mode={mode}"


def connect(path: Path, *, mode: str = "rw", busy_seconds: float = BUSY_SECONDS) -> sqlite3.Connection:
    """A connection without hidden transactions. `rw` never creates a file; `rwc` does.

    `ro&immutable=1` reads a file that nobody can change, which needs no journal beside it.
    """
    connection = sqlite3.connect(
        uri_of(path, mode), uri=True, timeout=busy_seconds, isolation_level=None, check_same_thread=False
    )
    try:
        for pragma in _PRAGMAS:
            connection.execute(pragma)
    except BaseException:
        connection.close()
        raise
    return connection


def engine_for(path: Path, *, mode: str = "rw", busy_seconds: float = BUSY_SECONDS) -> Engine:
    """A pool of connections: each unit of work takes its own, in whatever thread it runs."""
    return create_engine(
        "sqlite://",
        creator=lambda: connect(path, mode=mode, busy_seconds=busy_seconds),
        poolclass=QueuePool,
        pool_size=4,
        max_overflow=12,
    )
