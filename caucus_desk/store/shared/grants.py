"""Who may do what in a shared store's database itself, whatever program they use.

A clerk's account can add what the program adds and keep the working tables, and has no right to change or
take out what was said. The guards of the tables belong to whoever owns them, so that nobody else can take
them off. A viewer's account can only read.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from caucus_desk.store.schema import ONLY_ADDED, metadata

WORKING: Mapping[str, str] = {
    "draft": "INSERT, UPDATE, DELETE",
    "draft_field": "INSERT, UPDATE, DELETE",
    "draft_typist": "INSERT, UPDATE, DELETE",
    "precinct_state": "INSERT, UPDATE, DELETE",
    "case_claim": "INSERT, UPDATE, DELETE",
    "desk_beat": "INSERT, UPDATE, DELETE",
    "turn": "SELECT, UPDATE",
    "person": "UPDATE (seq, secret, failed, failed_at)",
}
"""What a clerk may do beyond adding. `turn` is only ever locked; wrong PINs of an account are counted, and
everybody may give themselves another one."""

LEADS_ADD = (
    *("control_total", "release", "release_pass", "release_approval", "release_precinct", "release_row"),
    *("release_basis", "release_line", "recanvass", "recanvass_end", "county_key", "county_key_end"),
    *("own_key", "headquarters_key", "packet_taken", "report_origin", "identity"),
)
"""Tables that only leads and administrators add to."""
LEADS_CHANGE: Mapping[str, str] = {
    "person": "INSERT, UPDATE (seq, role, secret, closed, failed, failed_at)",
    "setting": "INSERT, UPDATE, DELETE",
}
SECRET = ("own_key", "headquarters_key")
"""What is signed with: read by leads only."""


@dataclass(frozen=True, slots=True)
class Rights:
    """Group roles of the server. Without leads, the clerks' role may do the leads' work too."""

    clerks: str
    viewers: str
    leads: str | None = None

    @property
    def all(self) -> tuple[str, ...]:
        return tuple(role for role in (self.clerks, self.leads, self.viewers) if role is not None)


def quoted(name: str) -> str:
    """A name of the server's, as it is written in a statement."""
    return '"' + name.replace('"', '""') + '"'


def making(rights: Rights, there: frozenset[str]) -> tuple[str, ...]:
    """Makes those roles that are not there: groups, as which nobody can log in."""
    return tuple(f"CREATE ROLE {quoted(role)} NOLOGIN" for role in rights.all if role not in there)


def granting(rights: Rights, schema: str, database: str) -> Iterator[str]:
    """Every statement, in order; made again they give the same. What a role had before is taken first."""
    clerks = quoted(rights.clerks)
    leads = quoted(rights.leads or rights.clerks)
    place = quoted(schema)
    everybody = ", ".join(map(quoted, rights.all))
    yield f"REVOKE ALL ON ALL TABLES IN SCHEMA {place} FROM PUBLIC, {everybody}"
    yield f"REVOKE ALL ON ALL SEQUENCES IN SCHEMA {place} FROM PUBLIC, {everybody}"
    yield f"REVOKE CREATE ON SCHEMA {place} FROM PUBLIC, {everybody}"
    # Temporary tables could stand in for the store's own.
    yield f"REVOKE TEMPORARY ON DATABASE {quoted(database)} FROM PUBLIC, {everybody}"
    yield f"GRANT CONNECT ON DATABASE {quoted(database)} TO {everybody}"
    yield f"GRANT USAGE ON SCHEMA {place} TO {everybody}"
    tables = sorted({*metadata.tables, "alembic_version", "audit_counter"} - set(SECRET))
    yield f"GRANT SELECT ON {_listed(tables)} TO {everybody}"
    yield f"GRANT SELECT ON {_listed(SECRET)} TO {leads}"
    yield f"GRANT SELECT ON ALL SEQUENCES IN SCHEMA {place} TO {everybody}"
    workers = clerks if rights.leads is None else f"{clerks}, {leads}"
    yield f"GRANT INSERT ON {_listed(sorted(set(ONLY_ADDED) - set(LEADS_ADD)))} TO {workers}"
    for table, what in WORKING.items():
        yield f"GRANT {what} ON {table} TO {workers}"
    yield f"GRANT USAGE ON SEQUENCE draft_id_seq TO {workers}"
    yield f"GRANT INSERT ON {_listed(LEADS_ADD)} TO {leads}"
    for table, what in LEADS_CHANGE.items():
        yield f"GRANT {what} ON {table} TO {leads}"


def _listed(names: tuple[str, ...] | list[str]) -> str:
    return ", ".join(names)


STANDING = (
    "SELECT current_schema, current_database(), "
    "(SELECT rolcreaterole OR rolsuper FROM pg_roles WHERE rolname = current_user), "
    "pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = 'report'::regclass), 'USAGE')"
)
ROLES = "SELECT rolname FROM pg_roles"
TOO_STRONG = (
    "SELECT rolname FROM pg_roles WHERE rolname = ANY(%(names)s) AND (rolsuper OR oid IN "
    "(SELECT relowner FROM pg_class WHERE relnamespace = current_schema::regnamespace) "
    "OR pg_has_role(oid, (SELECT relowner FROM pg_class WHERE oid = 'report'::regclass), 'MEMBER'))"
)
