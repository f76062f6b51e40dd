"""What PostgreSQL answers, as a sentence that a person can act on."""

from caucus_desk.store.errors import (
    Again,
    NotLetIn,
    StoreError,
    StoreFull,
    StoreLocked,
    StoreMissing,
    StoreReadOnly,
    StoreUnreachable,
    StoreUnsupported,
)

_NO_STATE = object()

_AGAIN = ("40001", "40P01")
_LOCKED = ("55P03", "57014")
_FULL = ("53100", "53200")
_BUSY = ("53300", "53400", "57P03")
_REFUSED = ("28000", "28P01")
_FORBIDDEN = ("42501",)
_READ_ONLY = ("25006",)
_NO_DATABASE = ("3D000",)


def is_driver_error(error: BaseException) -> bool:
    """Whether the driver raised it; the driver need not be loaded to ask."""
    return type(error).__module__.split(".")[0] == "psycopg"


def lost(error: BaseException) -> bool:
    """Whether the connection is gone with it."""
    state = getattr(error, "sqlstate", None)
    if state is None:
        return type(error).__name__ in ("OperationalError", "InterfaceError", "ConnectionTimeout")
    return state[:2] == "08" or state in ("57P01", "57P02", "57P05", "25P03")


def as_shared_error(error: BaseException, location: str) -> StoreError | None:
    """None where it is a fault of the program, such as a broken constraint."""
    state = getattr(error, "sqlstate", _NO_STATE)
    if state is _NO_STATE or not is_driver_error(error):
        return None
    if state in _AGAIN:
        return Again(
            f"{location} was changed by another desk at the very same moment. Nothing was saved; try again."
        )
    if state in _LOCKED:
        return StoreLocked(
            f"{location} is being written by another desk and stayed locked. Nothing was saved; "
            "try again in a moment."
        )
    if state in _FULL:
        return StoreFull(
            f"The server of {location} has no space left. Nothing was saved, nothing was lost; "
            "ask whoever looks after the server."
        )
    if state in _REFUSED:
        return not_let_in(location)
    if state in _FORBIDDEN:
        return _forbidden(str(error), location)
    if state in _READ_ONLY:
        return StoreReadOnly(f"{location} is a copy for reading only. Nothing was saved.")
    if state in _NO_DATABASE:
        return no_database(location)
    if state in _BUSY:
        return full_house(location)
    if state is None and type(error).__name__ == "DataError":
        return _cannot_keep(location)
    if lost(error):
        return _turned_away(str(error), location) or gone(location)
    if isinstance(state, str) and state.startswith("22"):
        return _cannot_keep(location)
    return None


def _forbidden(text: str, location: str) -> StoreReadOnly:
    """Names what the server refused, where it says so: `permission denied for table setting`."""
    first = text.split("\n", 1)[0]
    _, denied, what = first.partition("permission denied for ")
    refused = f": it has no right to the {' '.join(what.split())}" if denied and what.strip() else ""
    return StoreReadOnly(
        f"Your database account may not do that in {location}{refused}. Nothing was saved; the account of a "
        "lead can, or whichever `users grants` gave the leads' rights."
    )


def _cannot_keep(location: str) -> StoreUnsupported:
    return StoreUnsupported(
        f"{location} cannot keep a character or number of what was given. Nothing was saved."
    )


def _turned_away(text: str, location: str) -> StoreError | None:
    """A server that answers and lets nobody in gives no code with it, only words (which have no password)."""
    if "no password supplied" in text:
        return no_password(location)
    _, fatal, said = text.partition("FATAL:")
    said = " ".join(said.split("\n", 1)[0].split())
    if not fatal:
        return None
    if "does not exist" in said and said.startswith("database"):
        return no_database(location)
    if "authentication failed" in said or said.startswith("role"):
        return not_let_in(location)
    if "slots" in said or "too many" in said:
        return full_house(location)
    return StoreUnreachable(f"The server of {location} refuses: {said}. Nothing was saved.")


def no_database(location: str) -> StoreMissing:
    return StoreMissing(
        f"There is no database {location}. Whoever looks after the server makes an empty one, with "
        "`createdb`; then make the store in it."
    )


def not_let_in(location: str) -> NotLetIn:
    return NotLetIn(
        f"The server does not let you in to {location}: the name or the password is not right.", location
    )


def no_password(location: str) -> NotLetIn:
    return NotLetIn(
        f"The server of {location} asks for a password. Put it into PGPASSWORD or into ~/.pgpass, or type it "
        "where it is asked for.",
        location,
    )


def full_house(location: str) -> StoreUnreachable:
    return StoreUnreachable(
        f"The server of {location} takes no further desks at the moment. Nothing was saved; "
        "try again in a moment."
    )


def gone(location: str) -> StoreUnreachable:
    return StoreUnreachable(
        f"The server of {location} does not answer. Nothing was saved; try again when it is back."
    )
