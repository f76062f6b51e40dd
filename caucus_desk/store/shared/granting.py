"""Making roles of the server and giving them their rights, whole or not at all."""

from caucus_desk.rules.errors import Refused
from caucus_desk.store.errors import StoreReadOnly, StoreUnsupported
from caucus_desk.store.shared import grants
from caucus_desk.store.shared.grants import Rights
from caucus_desk.store.shared.place import SharedPlace
from caucus_desk.store.store import Store

_LONGEST = 63
"""Bytes of a role's name that PostgreSQL keeps."""


def grant(store: Store, rights: Rights, *, do: bool) -> tuple[str, ...]:
    """The statements that were made, or with `do` False would be. Raises Refused and StoreError."""
    place = store._place
    if not isinstance(place, SharedPlace):
        raise StoreUnsupported(
            f"{store.location} is a file: whoever may write the file can do everything with it. "
            "Rights in a database are of a shared store only; `move` makes one of a file."
        )
    _check_names(rights)
    with place.told(), place.engine.connect() as connection:
        connection.exec_driver_sql("BEGIN")
        schema, database, may_make, owns = connection.exec_driver_sql(grants.STANDING).one()
        there = frozenset(connection.exec_driver_sql(grants.ROLES).scalars())
        strong = connection.exec_driver_sql(grants.TOO_STRONG, {"names": list(rights.all)}).scalars().all()
        if strong:
            raise Refused(
                f"{strong[0]} owns the tables of this store or may do everything on the server, so nothing "
                "could be kept from it. Name other roles."
            )
        making = grants.making(rights, there)
        statements = (*making, *grants.granting(rights, schema, database))
        if do:
            if not owns:
                raise StoreReadOnly(
                    f"Only whoever owns the tables of {store.location} can give rights to them. Use the "
                    "account that made the store."
                )
            if making and not may_make:
                named = ", ".join(role for role in rights.all if role not in there)
                raise StoreReadOnly(
                    f"Your database account may not make roles. Ask whoever looks after the server to make "
                    f"{named}; `--print` shows the statements."
                )
            for statement in statements:
                connection.exec_driver_sql(statement)
            connection.exec_driver_sql("COMMIT")
    return statements


def _check_names(rights: Rights) -> None:
    for role in rights.all:
        if not role.strip() or "\0" in role or len(role.encode()) > _LONGEST or role.startswith("pg_"):
            raise Refused(
                f"{role!r} cannot be the name of a role: it needs 1 to {_LONGEST} letters and cannot begin "
                "with pg_."
            )
        if "%" in role:
            raise Refused("A role's name cannot have a % in it.")
    if len(set(rights.all)) < len(rights.all):
        raise Refused("Clerks, viewers and leads need roles of different names.")
