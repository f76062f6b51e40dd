"""Where a store lies, as it may be shown: an address loses its password, which this process remembers."""

from caucus_desk.store.errors import NotLetIn
from caucus_desk.store.shared.address import is_address, parse_address, shown, shown_location
from caucus_desk.store.shared.passwords import (
    completed,
    forget,
    give,
    has_keyring,
    keep_in_keyring,
    lacking_keyring,
)

__all__ = [
    "NotLetIn",
    "forget_password",
    "give_password",
    "has_keyring",
    "has_password",
    "is_address",
    "keep_password",
    "lacking_keyring",
    "shown_location",
    "taken",
]


def taken(location: str) -> str:
    """The location as it may be shown, stored and passed on; its password is used when it is opened.

    Raises StoreError where it is an address and cannot be read as one; then nothing of it is said.
    """
    if not is_address(location):
        return location
    return shown(completed(parse_address(location)))


def has_password(location: str) -> bool:
    """Whether one stands in this text, as far as it can be read as an address."""
    front = location.split("://", 1)[-1].rpartition("@")[0]
    return ":" in front or "password=" in location


def give_password(location: str, password: str) -> None:
    """Uses it for this address until the program ends."""
    give(location, password)


def forget_password(location: str) -> None:
    """One that was not right."""
    forget(location)


def keep_password(location: str, password: str) -> bool:
    """In this computer's keyring. False where it has none, or refuses."""
    return keep_in_keyring(location, password)
