"""A store: one SQLite file that holds one caucus. Open it, read it, write it, copy it."""

import os
import secrets
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, Engine

from caucus_desk.store.connecting import BUSY_SECONDS, connect, engine_for
from caucus_desk.store.copying import copy_file, move_into_place, remove_with_journals, told
from caucus_desk.store.errors import (
    NotAStore,
    StoreLocked,
    StoreReadOnly,
    StoreTooNew,
    damaged,
    old_and_read_only,
    read_only,
)
from caucus_desk.store.location import (
    check_file,
    check_folder,
    check_free,
    check_mark,
    check_sqlite,
    journals,
    network_warning,
    os_error,
    store_path,
    untouchable,
)
from caucus_desk.store.migrating import is_newer, migrate, version_of
from caucus_desk.store.schema import APPLICATION_ID, HEAD, preference_group
from caucus_desk.store.times import utc_now
from caucus_desk.store.units import ReadUnit, WriteUnit
from caucus_desk.store.work import Ballot


@dataclass(frozen=True, slots=True)
class FileFaults:
    """Broken pages and indexes, and references that lead nowhere; empty when all is well."""

    pages: tuple[str, ...]
    references: tuple[str, ...]


class Store:
    """Safe to use from several threads: each unit of work has its own connection and transaction."""

    def __init__(
        self,
        path: Path,
        engine: Engine,
        busy_seconds: float,
        migrated_from: Path | None,
        *,
        read_only: bool = False,
    ) -> None:
        self.path = path
        self.location = str(path)
        self.migrated_from = migrated_from
        """The copy that was made before an older store was migrated, or None."""
        warning = network_warning(path)
        self.warnings: tuple[str, ...] = () if warning is None else (warning,)
        self.read_only = read_only
        """Every unit of writing is refused then."""
        self._engine = engine
        self._busy_seconds = busy_seconds
        self._writing = threading.Lock()
        self._writer: int | None = None
        self._ballot = Ballot()

    @classmethod
    def open(cls, location: str | Path, *, busy_seconds: float = BUSY_SECONDS) -> "Store":
        """Opens a store, or raises a StoreError that says why not; then nothing was changed.

        An older store is copied beside itself and then migrated.
        """
        path = store_path(location)
        check_sqlite()
        check_file(path)
        engine = engine_for(path, busy_seconds=busy_seconds)
        try:
            with told(path):
                copied = _examine(engine, path)
                store = cls(path, engine, busy_seconds, copied)
                store._read_ballot()
        except BaseException:
            engine.dispose()
            raise
        return store

    @classmethod
    def open_to_look(cls, location: str | Path, *, busy_seconds: float = BUSY_SECONDS) -> "Store":
        """Opens a store for reading. Where the file or its folder may not be written, a read-only one.

        One that may be written is opened as usual. Raises StoreError as `open` does, also for an older
        store that would have to be migrated where nothing may be written.
        """
        try:
            return cls.open(location, busy_seconds=busy_seconds)
        except StoreReadOnly:
            return cls._open_read_only(store_path(location), busy_seconds)

    @classmethod
    def _open_read_only(cls, path: Path, busy_seconds: float) -> "Store":
        check_mark(path)
        # Without a journal beside it nobody has it open, and SQLite must not leave one there either.
        mode = "ro" if any(os.path.lexists(one) for one in journals(path)) else "ro&immutable=1"
        engine = engine_for(path, mode=mode, busy_seconds=busy_seconds)
        try:
            with told(path):
                with engine.connect() as connection:
                    _check_sound(connection, path)
                    if version_of(connection) != HEAD:
                        raise old_and_read_only(str(path))
                store = cls(path, engine, busy_seconds, None, read_only=True)
                store._read_ballot()
        except BaseException:
            engine.dispose()
            raise
        return store

    @classmethod
    def create(
        cls,
        location: str | Path,
        *,
        caucus: str,
        rules_name: str,
        rules_text: str,
        by: str,
        fill: Callable[[WriteUnit], None] | None = None,
        busy_seconds: float = BUSY_SECONDS,
    ) -> "Store":
        """Makes a new store; `fill` adds groups and precincts in the same step.

        The file appears under its name only when it is whole; a failure leaves no file. An existing
        file is never touched.
        """
        path = store_path(location)
        check_sqlite()
        check_folder(path)
        check_free(path)
        making = path.with_name(f".{path.name}.{secrets.token_hex(4)}.new")
        try:
            with told(path):
                _make(making, caucus, rules_name, rules_text, by, fill)
                move_into_place(making, path)
        except OSError as error:
            raise os_error(error, path) from error
        finally:
            remove_with_journals(making)
        return cls.open(path, busy_seconds=busy_seconds)

    def close(self) -> None:
        """Gives all connections back; the last one writes SQLite's journal into the file."""
        self._engine.dispose()

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def read(self) -> Iterator[ReadUnit]:
        """One consistent view."""
        with told(self.path), closing(self._engine.raw_connection()) as connection:
            connection.cursor().execute("BEGIN")
            unit = ReadUnit(connection, self._engine.dialect, self._ballot)
            try:
                yield unit
            finally:
                unit.finish()

    @contextmanager
    def write(self) -> Iterator[WriteUnit]:
        """One transaction that holds the write lock from its first moment.

        Saved when the block has ended without an error, and only then; any error undoes it all.
        """
        if self.read_only:
            raise read_only(self.location)
        if self._writer == threading.get_ident():
            raise RuntimeError("a unit of writing inside another one in the same thread")
        if not self._writing.acquire(timeout=self._busy_seconds):
            raise StoreLocked(
                f"{self.location} is busy with long work. Nothing was saved; try again in a moment."
            )
        try:
            self._writer = threading.get_ident()
            # A connection given back to the pool is rolled back unless it was committed.
            with told(self.path), closing(self._engine.raw_connection()) as connection:
                connection.cursor().execute("BEGIN IMMEDIATE")
                unit = WriteUnit(connection, self._engine.dialect, self._ballot)
                try:
                    yield unit
                finally:
                    unit.finish()
                connection.commit()
        finally:
            self._writer = None
            self._writing.release()

    def integrity(self) -> "FileFaults":
        """What SQLite's own checks find wrong with the file."""
        with told(self.path), self._engine.connect() as connection:
            pages = [str(row[0]) for row in connection.exec_driver_sql("PRAGMA integrity_check")]
            references = [
                f"{table}, row {row}: refers to a row of {parent} that is not there"
                for table, row, parent, _ in connection.exec_driver_sql("PRAGMA foreign_key_check")
            ]
        return FileFaults(tuple(line for line in pages if line != "ok"), tuple(references))

    def _read_ballot(self) -> None:
        with self._engine.connect() as connection:
            rows = connection.exec_driver_sql(f"SELECT id, key FROM {preference_group.name}")
            self._ballot.fill((row[0], row[1]) for row in rows)


def _examine(engine: Engine, path: Path) -> Path | None:
    """Damage, version, and whether the store can be written. Returns the copy made before migrating."""
    with engine.connect() as connection:
        _check_sound(connection, path)
        connection.exec_driver_sql("BEGIN IMMEDIATE")
        version = version_of(connection)
        connection.rollback()
    if version == HEAD:
        return None
    copy = _copy_before_migrating(path, version or "0")
    with engine.connect() as connection:
        connection.exec_driver_sql("BEGIN IMMEDIATE")
        migrate(connection)
        connection.commit()
    return copy


def _check_sound(connection: Connection, path: Path) -> None:
    """Refuses damaged pages, and a schema that this program does not know."""
    fault = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar()
    if fault != "ok":
        raise damaged(str(path))
    _check_version(connection, path)


def _check_version(connection: Connection, path: Path) -> None:
    version = version_of(connection)
    if version is None:
        raise NotAStore(f"{path} has the mark of a Caucus Desk store and nothing of one inside.")
    if is_newer(version):
        raise StoreTooNew(
            f"{path} was made by a newer Caucus Desk (store version {version}, this one knows {HEAD}). "
            "Install the newer version to open it."
        )


def check_known(path: Path) -> None:
    """Refuses a store of a newer version, by its own name, before anything is done with it."""
    engine = engine_for(path, mode="ro&immutable=1" if untouchable(path) else "rw")
    try:
        with told(path), engine.connect() as connection:
            _check_version(connection, path)
    finally:
        engine.dispose()


def _copy_before_migrating(path: Path, version: str) -> Path:
    stamp = utc_now().strftime("%Y%m%dT%H%M%SZ")
    copy = path.with_name(f"{path.name}.version-{version}-{stamp}.backup")
    for count in range(2, 100):
        if not os.path.lexists(copy):
            break
        copy = path.with_name(f"{path.name}.version-{version}-{stamp}-{count}.backup")
    copy_file(path, copy)
    return copy


def _make(
    path: Path,
    caucus: str,
    rules_name: str,
    rules_text: str,
    by: str,
    fill: Callable[[WriteUnit], None] | None,
) -> None:
    with closing(connect(path, mode="rwc")) as first:
        first.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        first.execute("PRAGMA journal_mode = WAL")
    engine = engine_for(path)
    try:
        with engine.connect() as connection:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
            migrate(connection)
            unit = WriteUnit(connection.connection, engine.dialect, Ballot())
            unit.add_caucus(caucus, rules_name, rules_text, by)
            if fill is not None:
                fill(unit)
            unit.log_created(f"{caucus} begun under the rules {rules_name} by {by}", by)
            connection.commit()
    finally:
        engine.dispose()
