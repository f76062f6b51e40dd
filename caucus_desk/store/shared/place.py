"""A store in a PostgreSQL database.

Writers take turns, as they do in SQLite: each locks the table `turn` before its first look at anything, so
that it sees all that was saved before it, and the chain of events stays one chain. The transactions are
serializable all the same: whoever writes past the program cannot slip in between.
"""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import URL
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from caucus_desk.store import schema
from caucus_desk.store.connecting import BUSY_SECONDS
from caucus_desk.store.errors import StoreLocked, StoreUncertain
from caucus_desk.store.place import FileFaults, Place
from caucus_desk.store.shared.address import shown
from caucus_desk.store.shared.errors import as_shared_error, gone, is_driver_error, lost
from caucus_desk.store.shared.guards import faults_of_guards
from caucus_desk.store.shared.lines import Lines
from caucus_desk.store.shared.listening import SharedWatcher
from caucus_desk.store.shared.passwords import completed
from caucus_desk.store.shared.server import check_driver, engine_for_address
from caucus_desk.store.watching import Watcher

_READ = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
_WRITE = (
    "BEGIN ISOLATION LEVEL SERIALIZABLE; "
    "SET LOCAL idle_in_transaction_session_timeout = '60s'; "
    "LOCK TABLE turn IN EXCLUSIVE MODE; "
    "SELECT clock_timestamp()"
)
"""A desk that hangs with the turn in its hand loses it after a minute."""
_ASIDE = (
    "BEGIN ISOLATION LEVEL READ COMMITTED; "
    "SET LOCAL idle_in_transaction_session_timeout = '60s'; "
    "SELECT clock_timestamp()"
)
"""Beside the turn: what it writes is guarded by the lock of its own row."""
_AT_ONCE = "SET LOCAL lock_timeout = '200ms'"


def _references() -> Iterator[tuple[str, str, str]]:
    """Which table refers to which, and a statement that says whether a reference leads nowhere."""
    for table in schema.metadata.sorted_tables:
        for key in sorted(table.foreign_keys, key=lambda one: one.parent.name):
            child, parent, column = table.name, key.column.table.name, key.parent.name
            yield (
                child,
                parent,
                f"SELECT EXISTS (SELECT FROM {child} c WHERE c.{column} IS NOT NULL AND NOT EXISTS "
                f"(SELECT FROM {parent} p WHERE p.{key.column.name} = c.{column}))",
            )


class SharedPlace(Place):
    path = None
    shared = True
    warnings = ()

    def __init__(self, url: URL, *, busy_seconds: float = BUSY_SECONDS) -> None:
        check_driver()
        self.url = url = completed(url)
        self.location = shown(url)
        self.busy_seconds = busy_seconds
        self.engine = engine_for_address(url, busy_seconds)
        self.lines = Lines(self.engine)

    def begin_reading(self, cursor: Any) -> None:
        cursor.execute(_READ)

    def begin_writing(self, cursor: Any) -> datetime | None:
        return self._begin(cursor, _WRITE)

    def begin_aside(self, cursor: Any, *, patient: bool) -> datetime | None:
        at = self._begin(cursor, _ASIDE)
        if not patient:
            cursor.execute(_AT_ONCE)
        return at

    def finish_aside(self, cursor: Any) -> None:
        """What was set holds for the transaction only."""

    def check_line(self) -> None:
        if self.lines.dead:
            raise gone(self.location)

    def watcher(self) -> Watcher:
        return SharedWatcher(self.engine, self.lines, self._worded, lambda: gone(self.location))

    @staticmethod
    def _begin(cursor: Any, statements: str) -> datetime:
        cursor.execute(statements)
        while cursor.nextset():
            pass
        at: datetime = cursor.fetchone()[0]
        return at.astimezone(UTC)

    def commit(self, connection: Any) -> None:
        driver = connection.driver_connection
        if driver.info.transaction_status.name == "INERROR":
            raise RuntimeError("a transaction that failed in part would be committed")
        try:
            connection.commit()
        except Exception as error:
            if is_driver_error(error) and lost(error):
                raise StoreUncertain(
                    f"The server of {self.location} went away while it was saving, so it is not known "
                    "whether this was saved. Look before you do it again."
                ) from error
            raise

    def broken_by(self, error: BaseException) -> bool:
        if isinstance(error, StoreUncertain):
            return True
        return is_driver_error(error) and lost(error)

    def in_hand(self) -> AbstractContextManager[None]:
        return self.lines.in_hand()

    @contextmanager
    def told(self) -> Iterator[None]:
        with self.lines.in_hand(), self._worded():
            yield

    @contextmanager
    def _worded(self) -> Iterator[None]:
        try:
            yield
        except PoolTimeout as error:
            raise StoreLocked(
                f"{self.location} is busy with long work. Nothing was saved; try again in a moment."
            ) from error
        except DBAPIError as error:
            known = None if error.orig is None else as_shared_error(error.orig, self.location)
            if known is None:
                raise
            raise known from error
        except Exception as error:
            known = as_shared_error(error, self.location)
            if known is None:
                raise
            raise known from error

    def integrity(self) -> FileFaults:
        """Whether every guard and rule of ours is still on, and whether all references lead somewhere.

        The server looks after its own pages.
        """
        with self.told(), self.engine.connect() as connection:
            wrong = connection.exec_driver_sql(
                "SELECT conrelid::regclass::text, conname FROM pg_constraint "
                "WHERE connamespace = current_schema::regnamespace AND NOT convalidated"
            ).all()
            guards = list(faults_of_guards(connection))
            loose = [
                (child, parent)
                for child, parent, statement in _references()
                if connection.exec_driver_sql(statement).scalar()
            ]
        return FileFaults(
            (
                *guards,
                *(f"{table}: the rule {name} is not checked" for table, name in wrong),
            ),
            tuple(
                f"a row of {child} refers to a row of {parent} that is not there" for child, parent in loose
            ),
        )

    def standing(self) -> "Standing":
        """What this account may do here. Raises StoreError where the server cannot be reached."""
        with self.told(), self.engine.connect() as connection:
            replica, forced, report, adding, changing, empty = connection.exec_driver_sql(
                "SELECT pg_is_in_recovery(), current_setting('transaction_read_only') = 'on', "
                "to_regclass('report') IS NOT NULL, "
                "coalesce(has_table_privilege(to_regclass('audit'), 'INSERT'), false), "
                "coalesce(has_table_privilege(to_regclass('turn'), 'UPDATE'), false), "
                "NOT EXISTS (SELECT FROM pg_tables WHERE schemaname = current_schema)"
            ).one()
        return Standing(bool(replica or forced), report, adding and changing, empty)


class Standing:
    """A database as an account finds it."""

    __slots__ = ("empty", "has_store", "may_write", "replica")

    def __init__(self, replica: bool, has_store: bool, may_write: bool, empty: bool) -> None:
        self.replica = replica
        """For reading only, whoever asks: a replica, or set so."""
        self.has_store = has_store
        self.may_write = may_write and not replica
        self.empty = empty
