"""A keyring for tests: in memory, and one that fails in every way."""

from collections.abc import Iterator
from contextlib import contextmanager

import keyring
from keyring.backend import KeyringBackend


class MemoryKeyring(KeyringBackend):
    priority = 1  # type: ignore[assignment]

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.kept[service, username]


class LockedKeyring(KeyringBackend):
    """Says that it is one, and then refuses: a person who pressed Cancel, or a broken service."""

    priority = 1  # type: ignore[assignment]

    def get_password(self, service: str, username: str) -> str | None:
        raise OSError("locked")

    def set_password(self, service: str, username: str, password: str) -> None:
        raise OSError("locked")

    def delete_password(self, service: str, username: str) -> None:
        raise OSError("locked")


@contextmanager
def using(backend: KeyringBackend) -> Iterator[None]:
    before = keyring.get_keyring()
    keyring.set_keyring(backend)
    try:
        yield
    finally:
        keyring.set_keyring(before)
