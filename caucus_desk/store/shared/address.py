"""The address of a shared store. A password in it is used and never shown."""

from sqlalchemy import URL
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from caucus_desk.store.errors import StoreMissing, StoreUnsupported

DRIVER = "postgresql+psycopg"
_NAMES = ("postgresql+psycopg", "postgresql", "postgres")
SECRETS = frozenset({"password", "sslpassword"})
_EXAMPLE = f"{DRIVER}://name@server/database"


def is_address(location: object) -> bool:
    """Whether this is the address of a database, and not the path of a file."""
    return "://" in str(location)


def parse_address(location: str) -> URL:
    """Raises StoreUnsupported for another kind of database, StoreMissing where none is named in it."""
    try:
        url = make_url(location)
    except (ArgumentError, ValueError) as error:
        raise StoreUnsupported(
            f"This is no address of a shared store. It looks like this: {_EXAMPLE}."
        ) from error
    if url.drivername not in _NAMES:
        raise StoreUnsupported(
            f"A store at a {url.drivername} address cannot be used. Give the path of a file on this "
            f"computer, or the address of a PostgreSQL database: {_EXAMPLE}."
        )
    if _torn(url):
        raise StoreUnsupported(
            "This address cannot be read. In a password, write % as %25, @ as %40, : as %3A and / as %2F; "
            "or leave it out, it is asked for."
        )
    if not url.database:
        raise StoreMissing(f"The address names no database. It looks like this: {_EXAMPLE}.")
    return url.set(drivername=DRIVER)


def shown(url: URL) -> str:
    """The address without any password: for people, the log and the list of stores opened lately."""
    if _torn(url):
        return f"{url.drivername}://…"
    # `URL.set` cannot take a password away, so the address is put together anew without one.
    plain = URL.create(url.drivername, url.username, None, url.host, url.port, url.database, url.query)
    return plain.difference_update_query(SECRETS).render_as_string(hide_password=False)


def _torn(url: URL) -> bool:
    """Whether a password with letters that an address keeps for itself was read as something else."""
    return any("@" in part for part in (url.host or "", url.database or ""))


def shown_location(location: object) -> str:
    """A location as it may be shown, whatever it is: an address loses its password."""
    text = str(location)
    if not is_address(text):
        return text
    try:
        return shown(make_url(text))
    except (ArgumentError, ValueError):
        return f"{text.split('://', 1)[0]}://…"
