"""What an account is, and how people come to be at the desk of a store."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from caucus_desk.desk.roles import Role


class SignIn(StrEnum):
    """How a store knows who is at the desk."""

    NAMES = "names"
    """A name is enough. So are stores that were made before there were accounts."""
    ACCOUNTS = "accounts"
    """An account with a role, and its PIN."""
    OWN_LAPTOP = "own laptop"
    """One person's own machine: no sign-in; a second person is asked for where two are needed."""


@dataclass(frozen=True, slots=True)
class Account:
    """Times are UTC; `closed` is None while the person may sign in."""

    name: str
    role: Role
    created: datetime
    closed: datetime | None = None

    @property
    def open(self) -> bool:
        return self.closed is None


@dataclass(frozen=True, slots=True)
class Known:
    """Accounts and settings of a store, as they stood after event `seq`."""

    seq: int
    accounts: Mapping[str, Account]
    """By folded name, closed ones too, in the order in which they were made."""
    values: Mapping[str, str]
    """Settings that were ever set, by key."""

    @property
    def sign_in(self) -> SignIn:
        return SignIn(self.values.get(SIGN_IN, SignIn.NAMES))


SIGN_IN = "sign_in"
"""The setting that says how people come to be at the desk."""
OWNER = "owner"
"""The setting that names the person whose own laptop it is."""
