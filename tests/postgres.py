"""Fresh databases on the private server that `.ci/cluster` starts.

Its address stands in CAUCUS_DESK_TEST_POSTGRES; where that is not set, what needs it is skipped and says so.
"""

import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

VARIABLE = "CAUCUS_DESK_TEST_POSTGRES"


def server() -> str:
    """The server's address, or the test is skipped."""
    address = os.environ.get(VARIABLE, "")
    if not address:
        pytest.skip(f"no PostgreSQL server for the tests: {VARIABLE} is not set (.ci/cluster starts one)")
    return address


def at(address: str, database: str, *, user: str = "", password: str = "") -> str:
    """The address of another database of the same server, for another account if one is named."""
    front, place = address.rsplit("@", 1)
    if user:
        front = f"{front.split('://', 1)[0]}://{user}:{password}"
    return f"{front}@{place.rsplit('/', 1)[0]}/{database}"


def run(address: str, *statements: str) -> None:
    """As the server's own administrator, outside any transaction."""
    import psycopg

    with psycopg.connect(address.replace("+psycopg", "", 1), autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement.encode())


@contextmanager
def database(like: str = "template1") -> Iterator[str]:
    """The address of a database, empty or a copy of another one. It is taken away again at the end."""
    address = server()
    name = f"caucus_{secrets.token_hex(6)}"
    run(address, f"CREATE DATABASE {name} TEMPLATE {like}")
    try:
        yield at(address, name)
    finally:
        run(address, f"DROP DATABASE {name} WITH (FORCE)")


_UNLESS_THERE = "DO $$ BEGIN {}; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$"
"""Another test may be making it at this moment."""
PASSWORD = "only-for-tests-9137"
"""Of every account that the tests make."""


def as_account(address: str, kind: str) -> str:
    """The address for a new-made account of that kind: `clerk`, `lead` or `viewer`, with the rights given."""
    from caucus_desk.store.shared.granting import grant
    from caucus_desk.store.shared.grants import Rights
    from caucus_desk.store.store import Store

    rights = Rights("caucus_test_clerks", "caucus_test_viewers", "caucus_test_leads")
    for role in rights.all:
        run(address, _UNLESS_THERE.format(f"CREATE ROLE {role} NOLOGIN"))
    account = f"caucus_test_{kind}"
    making = f"CREATE ROLE {account} LOGIN PASSWORD '{PASSWORD}' IN ROLE {account}s"
    run(address, _UNLESS_THERE.format(making))
    with Store.open(address) as store:
        grant(store, rights, do=True)
    return at(address, address.rsplit("/", 1)[1], user=account, password=PASSWORD)


_models: dict[object, str] = {}


def model(key: object, make: Callable[[str], None]) -> str:
    """The name of a database to copy, made once by `make`, which is given its address and closes it again."""
    if key not in _models:
        address = server()
        name = f"caucus_model_{secrets.token_hex(6)}"
        run(address, f"CREATE DATABASE {name}")
        make(at(address, name))
        _models[key] = name
    return _models[key]


def drop_models() -> None:
    for name in _models.values():
        run(server(), f"DROP DATABASE {name} WITH (FORCE)")
    _models.clear()
