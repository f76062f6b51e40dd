"""Connections to a PostgreSQL database: what each one must have set."""

import importlib.util
from typing import Any

from sqlalchemy import URL, Engine, create_engine, event

from caucus_desk.rules.installing import how_to_install
from caucus_desk.store.errors import StoreUnsupported

CONNECT_SECONDS = 4
"""How long a desk waits for a server that does not answer at all."""


def check_driver() -> None:
    """Refuses where the driver is not installed."""
    if importlib.util.find_spec("psycopg") is None:
        raise StoreUnsupported(
            "A shared store needs the driver for PostgreSQL, which is not installed here. "
            + how_to_install("shared")
        )


def arguments(url: URL, busy_seconds: float) -> dict[str, Any]:
    """What libpq is told beside the address: a cable that is pulled out must be noticed in seconds."""
    options = (
        f"-c lock_timeout={int(busy_seconds * 1000)} -c timezone=UTC "
        "-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3"
    )
    return {
        "connect_timeout": int(url.query.get("connect_timeout", CONNECT_SECONDS)),  # type: ignore[arg-type]
        "keepalives_idle": 5,
        "keepalives_interval": 2,
        "keepalives_count": 3,
        "tcp_user_timeout": 10_000,
        "application_name": "Caucus Desk",
        "options": options,
    }


def engine_for_address(url: URL, busy_seconds: float) -> Engine:
    """A pool; transactions are begun and ended by the place itself."""
    engine = create_engine(
        url,
        isolation_level="AUTOCOMMIT",
        connect_args=arguments(url, busy_seconds),
        pool_size=4,
        max_overflow=12,
        pool_timeout=busy_seconds,
        pool_pre_ping=True,
        hide_parameters=True,
    )
    event.listen(engine, "connect", _set_up)
    return engine


def _set_up(connection: Any, _record: object) -> None:
    from psycopg.types.numeric import IntLoader

    # Sums of whole numbers come as `numeric`; here every one of them is whole, or this fails.
    connection.adapters.register_loader("numeric", IntLoader)
