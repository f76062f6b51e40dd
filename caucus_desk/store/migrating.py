"""Bringing a store from its schema to the newest one, inside one transaction."""

from pathlib import Path
from types import ModuleType

from sqlalchemy import Connection

import caucus_desk.store.shared.types  # noqa: F401 - says how the tables are written for PostgreSQL
from caucus_desk.store.schema import HEAD

MIGRATIONS = Path(__file__).parent / "migrations"

VERSION_TABLE = "alembic_version"

_HAS_VERSION = {
    "sqlite": f"SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = '{VERSION_TABLE}'",
    "postgresql": f"SELECT count(*) FROM pg_tables WHERE schemaname = current_schema AND tablename = "
    f"'{VERSION_TABLE}'",
}


def version_of(connection: Connection) -> str | None:
    """The schema's version as the store tells it; None where it has none."""
    if not connection.exec_driver_sql(_HAS_VERSION[connection.dialect.name]).scalar_one():
        return None
    return connection.exec_driver_sql(f"SELECT version_num FROM {VERSION_TABLE}").scalar()


def is_newer(version: str) -> bool:
    """Versions count up; one that is no number comes from a program that we do not know."""
    return not version.isdecimal() or int(version) > int(HEAD)


def migrate(connection: Connection, *, to: str = HEAD, folder: Path = MIGRATIONS) -> tuple[str, ...]:
    """Takes every step up to version `to`. The caller holds the transaction and commits it.

    Returns the versions that were reached. Alembic is loaded only here, where it is needed.
    """
    from alembic.operations import Operations
    from alembic.runtime.migration import MigrationContext
    from alembic.script import ScriptDirectory

    script = ScriptDirectory(str(folder))
    context = MigrationContext.configure(connection, opts={"transactional_ddl": True})
    done = context.get_current_revision()
    steps = list(script.iterate_revisions(to, done or "base"))
    for step in reversed(steps):
        module: ModuleType = step.module
        with Operations.context(context):
            module.upgrade()
        context.stamp(script, step.revision)
    return tuple(step.revision for step in reversed(steps))
