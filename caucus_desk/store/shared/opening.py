"""Opening and making shared stores: versions, and what an account may do."""

from collections.abc import Callable

from caucus_desk.store.connecting import BUSY_SECONDS
from caucus_desk.store.errors import (
    NotAStore,
    NotLetIn,
    StoreExists,
    StoreReadOnly,
    StoreTooNew,
)
from caucus_desk.store.migrating import is_newer, migrate, version_of
from caucus_desk.store.schema import HEAD
from caucus_desk.store.shared.address import parse_address
from caucus_desk.store.shared.guards import FUNCTIONS
from caucus_desk.store.shared.passwords import forget, from_keyring
from caucus_desk.store.shared.place import SharedPlace, Standing
from caucus_desk.store.units import WriteUnit
from caucus_desk.store.work import Ballot

Fill = Callable[[WriteUnit], None]


def open_shared(location: str, busy_seconds: float, *, looking: bool) -> tuple[SharedPlace, bool]:
    """The place, and whether it can only be read, which is refused unless `looking`."""
    place, standing = _reached(location, busy_seconds)
    try:
        if not standing.has_store:
            raise NotAStore(
                f"There is no caucus in {place.location} yet. Make one in it with `new`, "
                "or copy one there with `move`."
            )
        if not standing.may_write and not looking:
            raise StoreReadOnly(
                f"{place.location} can only be read"
                + (": it is a replica." if standing.replica else " with your database account.")
            )
        _bring_up_to_date(place, writable=standing.may_write)
        return place, not standing.may_write
    except BaseException:
        place.engine.dispose()
        raise


def check_shared_free(location: str) -> None:
    """Refuses, before any work is done, a database in which something already is."""
    place, standing = _reached(location)
    try:
        _check_free(place, standing)
    finally:
        place.engine.dispose()


def make_shared(location: str, begin: Fill) -> None:
    """Makes a new store in an empty database, whole or not at all."""
    place, standing = _reached(location)
    try:
        _check_free(place, standing)
        with place.told(), place.engine.connect() as connection:
            connection.exec_driver_sql("BEGIN ISOLATION LEVEL SERIALIZABLE")
            migrate(connection)
            unit = WriteUnit(connection.connection, place.engine.dialect, Ballot())
            begin(unit)
            unit.finish()
            connection.exec_driver_sql("COMMIT")
    finally:
        place.engine.dispose()


def unmake_shared(location: str) -> None:
    """Leaves the database as empty as `make_shared` found it."""
    place, standing = _reached(location)
    try:
        if standing.has_store:
            with place.told(), place.engine.connect() as connection:
                connection.exec_driver_sql("BEGIN")
                names = connection.exec_driver_sql(
                    "SELECT tablename FROM pg_tables WHERE schemaname = current_schema"
                ).scalars()
                connection.exec_driver_sql(f"DROP TABLE {', '.join(names)} CASCADE")
                connection.exec_driver_sql(f"DROP FUNCTION IF EXISTS {', '.join(FUNCTIONS)}")
                connection.exec_driver_sql("COMMIT")
    finally:
        place.engine.dispose()


def _reached(location: str, busy_seconds: float = BUSY_SECONDS) -> tuple[SharedPlace, Standing]:
    """The place and what this account may do there.

    A password that is neither in the address nor known to the server's own client library is looked for in
    the keyring.
    """
    place = SharedPlace(parse_address(location), busy_seconds=busy_seconds)
    try:
        return place, place.standing()
    except NotLetIn:
        place.engine.dispose()
        if place.url.password is not None:
            forget(location)  # one that is not right is not tried again
            raise
        kept = from_keyring(place.url)
        if kept is None:
            raise
        place = SharedPlace(place.url.set(password=kept), busy_seconds=busy_seconds)
        try:
            return place, place.standing()
        except BaseException:
            forget(location)
            place.engine.dispose()
            raise
    except BaseException:
        place.engine.dispose()
        raise


def _check_free(place: SharedPlace, standing: Standing) -> None:
    if standing.has_store:
        raise StoreExists(
            f"{place.location} holds a caucus already, and a store never takes the place of another. "
            "Make an empty database for it."
        )
    if not standing.empty:
        raise StoreExists(
            f"{place.location} holds another program's tables. Make an empty database for the caucus."
        )
    if standing.replica:
        raise StoreReadOnly(f"{place.location} is a copy for reading only, so nothing can be made there.")


def _bring_up_to_date(place: SharedPlace, *, writable: bool) -> None:
    with place.told(), place.engine.connect() as connection:
        version = version_of(connection)
        if version is None:
            raise NotAStore(f"{place.location} holds another program's tables, not a caucus.")
        if is_newer(version):
            raise StoreTooNew(
                f"{place.location} was made by a newer Caucus Desk (store version {version}, this one knows "
                f"{HEAD}). Install the newer version to open it."
            )
        if version == HEAD:
            return
        if not writable:
            raise StoreReadOnly(
                f"{place.location} is of an older version. Whoever owns the database opens it once; "
                "that brings it up to date."
            )
        connection.exec_driver_sql("BEGIN ISOLATION LEVEL SERIALIZABLE")
        connection.exec_driver_sql("LOCK TABLE turn IN ACCESS EXCLUSIVE MODE")
        if version_of(connection) != HEAD:
            migrate(connection)
        connection.exec_driver_sql("COMMIT")
