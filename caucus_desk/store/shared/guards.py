"""The guards of a shared store, as they must stand: triggers, and the functions behind them.

Whoever owns the database can put others in their place; `check` says so. The newest migration made them.
"""

from collections.abc import Iterable, Iterator

from sqlalchemy import Connection

from caucus_desk.store.schema import ONLY_ADDED

_BODIES = {
    "only_added": """
BEGIN
    RAISE EXCEPTION '% is only ever added to', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END """,
    "audit_follows": """
BEGIN
    UPDATE audit_counter SET last = NEW.seq, hash = NEW.hash
    WHERE last = NEW.seq - 1 AND hash = NEW.prev_hash;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'event % does not follow from the one before', NEW.seq
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END """,
    "audit_told": """
BEGIN
    PERFORM pg_notify('caucus_desk', '');
    RETURN NULL;
END """,
}
FUNCTIONS = tuple(_BODIES)
_AS_ITS_OWNER = "audit_follows"
"""The one function that may do what its caller may not: it keeps the counter of events."""
_EVERY_CHANGE, _EVERY_EVENT_FIRST, _EVERY_EVENT = 58, 7, 4
"""PostgreSQL's bits of a trigger: before any change; before each row that is added; after adding."""


def faults_of_guards(connection: Connection) -> Iterator[str]:
    """What is gone, switched off, altered, or put there by somebody else."""
    wanted = {(table, f"{table}_only_added"): ("only_added", _EVERY_CHANGE) for table in ONLY_ADDED}
    wanted["audit", "audit_follows"] = ("audit_follows", _EVERY_EVENT_FIRST)
    wanted["audit", "audit_told"] = ("audit_told", _EVERY_EVENT)
    found = {
        (table, name): (function, kind, on)
        for table, name, function, kind, on in connection.exec_driver_sql(
            "SELECT relname, tgname, proname, tgtype, tgenabled FROM pg_trigger "
            "JOIN pg_class ON pg_class.oid = tgrelid JOIN pg_proc ON pg_proc.oid = tgfoid "
            "WHERE relnamespace = current_schema::regnamespace AND NOT tgisinternal"
        )
    }
    for (table, name), (function, kind) in wanted.items():
        there = found.get((table, name))
        if there is None:
            yield f"the guard {name} of {table} is gone"
        elif there[2] != "O":
            yield f"the guard {name} of {table} is switched off"
        elif there[:2] != (function, kind):
            yield f"the guard {name} of {table} was altered"
    yield from (f"{table} has the foreign trigger {name}" for table, name in found.keys() - wanted.keys())
    yield from _references_off(connection)
    yield from _functions(connection)
    yield from _rules(connection)


def _references_off(connection: Connection) -> Iterable[str]:
    rows = connection.exec_driver_sql(
        "SELECT DISTINCT relname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid "
        "WHERE relnamespace = current_schema::regnamespace AND tgisinternal AND tgenabled <> 'O'"
    )
    return [f"references of {table} are not checked" for (table,) in rows]


def _functions(connection: Connection) -> Iterator[str]:
    schema = connection.exec_driver_sql("SELECT quote_ident(current_schema)").scalar_one()
    found = {
        name: (body, as_owner, list(settings or ()), owned)
        for name, body, as_owner, settings, owned in connection.exec_driver_sql(
            "SELECT proname, prosrc, prosecdef, proconfig, proowner = "
            "(SELECT relowner FROM pg_class WHERE oid = to_regclass('audit')) "
            "FROM pg_proc WHERE pronamespace = current_schema::regnamespace AND NOT EXISTS "
            "(SELECT FROM pg_depend WHERE classid = 'pg_proc'::regclass AND objid = pg_proc.oid "
            "AND deptype = 'e')"
        )
    }
    for name, body in _BODIES.items():
        if name not in found:
            yield f"the function {name} is gone"
        elif found[name] != (body, name == _AS_ITS_OWNER, [f"search_path={schema}, pg_temp"], True):
            yield f"the function {name} was altered"
    yield from (f"there is the foreign function {name}" for name in found.keys() - _BODIES.keys())


def _rules(connection: Connection) -> Iterable[str]:
    rows = connection.exec_driver_sql(
        "SELECT relname, rulename FROM pg_rewrite JOIN pg_class ON pg_class.oid = ev_class "
        "WHERE relnamespace = current_schema::regnamespace AND relkind = 'r'"
    )
    return [f"{table} has the foreign rule {name}" for table, name in rows]
