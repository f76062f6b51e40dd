"""Passwords of shared stores: from the address, from the server's own client library, from the keyring.

Each is known to this process for as long as it runs, by the address as it is shown, so that a store can be
opened again without asking. None is ever a part of anything that is shown or written.
"""

import importlib.util
import logging

from sqlalchemy import URL

from caucus_desk.rules.installing import how_to_install
from caucus_desk.store.shared.address import SECRETS, parse_address, shown

SERVICE = "Caucus Desk"

_given: dict[str, URL] = {}
"""Whole addresses by how they are shown."""


def completed(url: URL) -> URL:
    """With the password that was given for this address in this process, if it has none itself."""
    if url.password is not None or any(name in url.query for name in SECRETS):
        _given[shown(url)] = url
        return url
    return _given.get(shown(url), url)


def give(location: str, password: str) -> None:
    """From now on this process uses it for the address, whether that has a password in it or not."""
    url = parse_address(location)
    _given[shown(url)] = url.difference_update_query(["password"]).set(password=password)


def forget(location: str) -> None:
    """For this process; what the keyring keeps stays."""
    _given.pop(shown(parse_address(location)), None)


def from_keyring(url: URL) -> str | None:
    """What this computer's keyring keeps for the address; None where it keeps nothing, or there is none."""
    try:
        import keyring

        return keyring.get_password(SERVICE, shown(url))
    except Exception as error:  # noqa: BLE001 - every kind of keyring fails in its own way; it is only a help
        _silently(error)
        return None


def keep_in_keyring(location: str, password: str) -> bool:
    """Whether it is kept now."""
    address = shown(parse_address(location))
    try:
        import keyring

        keyring.set_password(SERVICE, address, password)
        return keyring.get_password(SERVICE, address) == password
    except Exception as error:  # noqa: BLE001
        _silently(error)
        return False


def has_keyring() -> bool:
    """Whether a password can be kept on this computer at all."""
    try:
        import keyring

        return float(keyring.get_keyring().priority) > 0
    except Exception as error:  # noqa: BLE001
        _silently(error)
        return False


def lacking_keyring() -> str:
    """What to install where the library for keyrings is not there; empty where it is."""
    if importlib.util.find_spec("keyring") is not None:
        return ""
    return f"The library for keyrings is not installed here. {how_to_install('shared')}"


def _silently(error: Exception) -> None:
    # The kind only: a keyring's own message may have anything in it.
    logging.getLogger(__name__).debug("no keyring: %s", type(error).__name__)
