"""Opening and making stores that are files: damage, versions, copies before migrating."""

import os
import secrets
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from sqlalchemy import Connection, Engine

from caucus_desk.store.connecting import connect, engine_for
from caucus_desk.store.copying import copy_file, move_into_place, remove_with_journals, told
from caucus_desk.store.errors import NotAStore, StoreTooNew, damaged, old_and_read_only
from caucus_desk.store.file_place import FilePlace
from caucus_desk.store.location import (
    check_file,
    check_folder,
    check_free,
    check_mark,
    check_sqlite,
    journals,
    os_error,
    store_path,
    untouchable,
)
from caucus_desk.store.migrating import is_newer, migrate, version_of
from caucus_desk.store.schema import APPLICATION_ID, HEAD
from caucus_desk.store.times import utc_now
from caucus_desk.store.units import WriteUnit
from caucus_desk.store.work import Ballot

Fill = Callable[[WriteUnit], None]


def open_file(location: str | Path, busy_seconds: float) -> tuple[FilePlace, Path | None]:
    """For reading and writing; an older store is copied and migrated, and the copy is given back."""
    path = store_path(location)
    check_sqlite()
    check_file(path)
    place = FilePlace(path, busy_seconds=busy_seconds)
    try:
        with told(path):
            return place, _examine(place.engine, path)
    except BaseException:
        place.engine.dispose()
        raise


def open_file_to_read(location: str | Path, busy_seconds: float) -> FilePlace:
    """Where the file or its folder may not be written."""
    path = store_path(location)
    check_mark(path)
    # Without a journal beside it nobody has it open, and SQLite must not leave one there either.
    mode = "ro" if any(os.path.lexists(one) for one in journals(path)) else "ro&immutable=1"
    place = FilePlace(path, mode=mode, busy_seconds=busy_seconds)
    try:
        with told(path), place.engine.connect() as connection:
            _check_sound(connection, path)
            if version_of(connection) != HEAD:
                raise old_and_read_only(str(path))
    except BaseException:
        place.engine.dispose()
        raise
    return place


def make_file(location: str | Path, begin: Fill) -> Path:
    """Makes a new store; the file appears under its name only when it is whole."""
    path = store_path(location)
    check_sqlite()
    check_folder(path)
    check_free(path)
    making = path.with_name(f".{path.name}.{secrets.token_hex(4)}.new")
    try:
        with told(path):
            _make(making, begin)
            move_into_place(making, path)
    except OSError as error:
        raise os_error(error, path) from error
    finally:
        remove_with_journals(making)
    return path


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


def _make(path: Path, begin: Fill) -> None:
    with closing(connect(path, mode="rwc")) as first:
        first.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        first.execute("PRAGMA journal_mode = WAL")
    engine = engine_for(path)
    try:
        with engine.connect() as connection:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
            migrate(connection)
            begin(WriteUnit(connection.connection, engine.dialect, Ballot()))
            connection.commit()
    finally:
        engine.dispose()
