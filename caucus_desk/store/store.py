"""A store holds one caucus, in a file or in a shared database. Open it, read it, write it."""

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path

from caucus_desk.store.connecting import BUSY_SECONDS
from caucus_desk.store.errors import StoreLocked, StoreReadOnly, read_only
from caucus_desk.store.files import make_file, open_file, open_file_to_read
from caucus_desk.store.location import check_folder, check_free, store_path
from caucus_desk.store.place import FileFaults, Place
from caucus_desk.store.saves import count_save
from caucus_desk.store.schema import preference_group
from caucus_desk.store.shared.address import is_address
from caucus_desk.store.shared.opening import check_shared_free, make_shared, open_shared
from caucus_desk.store.units import AsideUnit, ReadUnit, WriteUnit
from caucus_desk.store.watching import Watcher
from caucus_desk.store.work import Ballot


class Store:
    """Safe to use from several threads: each unit of work has its own connection and transaction."""

    def __init__(self, place: Place, migrated_from: Path | None = None, *, read_only: bool = False) -> None:
        self.location = place.location
        """For people to read; never with a password."""
        self.is_shared = place.shared
        self.migrated_from = migrated_from
        """The copy that was made before an older store was migrated, or None."""
        self.warnings = place.warnings
        self.read_only = read_only
        """Every unit of writing is refused then."""
        self._place = place
        self._engine = place.engine
        self._busy_seconds = place.busy_seconds
        self._writing = threading.Lock()
        self._writer: int | None = None
        self._ballot = Ballot()
        try:
            with place.told():
                self._read_ballot()
        except BaseException:
            self._engine.dispose()
            raise

    @property
    def path(self) -> Path:
        """The file. A fault of the program where there is none: ask `is_shared` first."""
        if self._place.path is None:
            raise RuntimeError("a shared store is no file")
        return self._place.path

    @classmethod
    def open(cls, location: str | Path, *, busy_seconds: float = BUSY_SECONDS) -> "Store":
        """Opens a store, or raises a StoreError that says why not; then nothing was changed.

        An older store is migrated; a file is copied beside itself first.
        """
        if is_address(location):
            place, _ = open_shared(str(location), busy_seconds, looking=False)
            return cls(place)
        file, copied = open_file(location, busy_seconds)
        return cls(file, copied)

    @classmethod
    def open_to_look(cls, location: str | Path, *, busy_seconds: float = BUSY_SECONDS) -> "Store":
        """Opens a store for reading. Where it may not be written, a read-only one.

        One that may be written is opened as usual. Raises StoreError as `open` does, also for an older
        store that would have to be migrated where nothing may be written.
        """
        if is_address(location):
            place, only_read = open_shared(str(location), busy_seconds, looking=True)
            return cls(place, read_only=only_read)
        try:
            return cls.open(location, busy_seconds=busy_seconds)
        except StoreReadOnly:
            return cls(open_file_to_read(location, busy_seconds), read_only=True)

    @staticmethod
    def check_free(location: str | Path) -> None:
        """Refuses a place where no store can be made, before any work is done for one."""
        if is_address(location):
            check_shared_free(str(location))
            return
        path = store_path(location)
        check_folder(path)
        check_free(path)

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
        identity: str | None = None,
        busy_seconds: float = BUSY_SECONDS,
    ) -> "Store":
        """Makes a new store; `fill` adds groups and precincts in the same step.

        Whole or not at all: a failure leaves nothing, and what is there already is never touched.
        `identity` is of the caucus that this store is a part of, a new one where it is the first.
        """

        def begin(unit: WriteUnit) -> None:
            unit.add_caucus(caucus, rules_name, rules_text, by, identity)
            if fill is not None:
                fill(unit)
            unit.log_created(f"{caucus} begun under the rules {rules_name} by {by}", by)

        if is_address(location):
            make_shared(str(location), begin)
            return cls.open(location, busy_seconds=busy_seconds)
        return cls.open(make_file(location, begin), busy_seconds=busy_seconds)

    def close(self) -> None:
        """Gives all connections back; the last one writes SQLite's journal into the file."""
        self._engine.dispose()

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def in_hand(self) -> AbstractContextManager[None]:
        """Around a wait for another thread that reads: a server that is gone is found out in good time."""
        return self._place.in_hand()

    @contextmanager
    def read(self) -> Iterator[ReadUnit]:
        """One consistent view."""
        self._place.check_line()
        with self._place.told(), closing(self._engine.raw_connection()) as connection:
            try:
                self._place.begin_reading(connection.cursor())
                unit = ReadUnit(connection, self._engine.dialect, self._ballot)
                try:
                    yield unit
                finally:
                    unit.finish()
            except BaseException as error:
                if self._place.broken_by(error):
                    connection.invalidate(error)
                raise

    @contextmanager
    def write(self) -> Iterator[WriteUnit]:
        """One transaction that holds the turn to write from its first moment.

        Saved when the block has ended without an error, and only then; any error undoes it all.
        """
        self._check_writing()
        if not self._writing.acquire(timeout=self._busy_seconds):
            raise StoreLocked(
                f"{self.location} is busy with long work. Nothing was saved; try again in a moment."
            )
        try:
            self._writer = threading.get_ident()
            # A connection given back to the pool is rolled back unless it was committed.
            with self._place.told(), closing(self._engine.raw_connection()) as connection:
                try:
                    at = self._place.begin_writing(connection.cursor())
                    unit = WriteUnit(connection, self._engine.dialect, self._ballot)
                    if at is not None:
                        unit.tell_time(at)
                    try:
                        yield unit
                    finally:
                        unit.finish()
                    self._place.commit(connection)
                    count_save()
                except BaseException as error:
                    if self._place.broken_by(error):
                        connection.invalidate(error)
                    raise
        finally:
            self._writer = None
            self._writing.release()

    @contextmanager
    def write_aside(self, *, patient: bool = True) -> Iterator[AsideUnit]:
        """One transaction for what leaves no event: drafts' texts, and which windows run.

        On a shared store it needs no turn to write, so that many desks can type at once. Not `patient`:
        refused with StoreLocked where it would have to wait.
        """
        self._check_writing()
        if not self.is_shared and not self._writing.acquire(timeout=self._busy_seconds if patient else 0):
            raise StoreLocked(
                f"{self.location} is busy with long work. Nothing was saved; try again in a moment."
            )
        try:
            with self._place.told(), closing(self._engine.raw_connection()) as connection:
                cursor = connection.cursor()
                try:
                    at = self._place.begin_aside(cursor, patient=patient)
                    unit = AsideUnit(connection, self._engine.dialect, self._ballot)
                    if at is not None:
                        unit.tell_time(at)
                    try:
                        yield unit
                    finally:
                        unit.finish()
                    self._place.commit(connection)
                    count_save()
                    self._place.finish_aside(cursor)
                except BaseException as error:
                    if not patient or self._place.broken_by(error):
                        connection.invalidate(error)
                    raise
        finally:
            if not self.is_shared:
                self._writing.release()

    def _check_writing(self) -> None:
        if self.read_only:
            raise read_only(self.location)
        if self._writer == threading.get_ident():
            raise RuntimeError("a unit of writing inside another one in the same thread")
        self._place.check_line()

    def watcher(self) -> Watcher:
        """Hears of what other desks write. Raises StoreError where the store is out of reach."""
        return self._place.watcher()

    def integrity(self) -> FileFaults:
        """What the database's own checks find wrong."""
        return self._place.integrity()

    def _read_ballot(self) -> None:
        with self._engine.connect() as connection:
            rows = connection.exec_driver_sql(f"SELECT id, key FROM {preference_group.name}").all()
            self._ballot.fill((row[0], row[1]) for row in rows)
