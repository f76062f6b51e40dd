"""Who gives a command: a name, and on a store with accounts the PIN that belongs to it.

A PIN never stands in an argument, where every program on the machine could read it.
"""

import getpass
import os
import sys
from typing import TYPE_CHECKING

from caucus_desk.rules.errors import Refused

if TYPE_CHECKING:
    from caucus_desk.desk.session import Desk

PIN = "CAUCUS_DESK_PIN"
"""Environment variable with the PIN of whoever gives the command."""
NEW_PIN = "CAUCUS_DESK_NEW_PIN"
"""With the PIN that an account is given."""
KIT_CODE = "CAUCUS_DESK_KIT_CODE"
"""With the code of the kit that a county's store is begun from."""


def who() -> str:
    """The person at this machine, where a command does not name one."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # no such entry, or a system without user names
        return "command line"


def person_for(desk: "Desk", by: str | None) -> str:
    """Who does what follows, signed in where the store has accounts; the name as the account is written.

    Refused where a PIN is needed and there is none: the environment has no CAUCUS_DESK_PIN, and nobody is
    at a terminal who could be asked.
    """
    from caucus_desk.desk.people import SignIn, sign_in, sign_in_kind

    if sign_in_kind(desk) is not SignIn.ACCOUNTS:
        return by or who()
    if not by:
        raise Refused(
            f"{desk.location} has accounts: say who does this, with --by NAME. The PIN is then asked for, or "
            f"taken from {PIN}."
        )
    return sign_in(desk, by, _pin_of(by)).name


def new_pin(name: str, *, own: bool = False) -> str:
    """The PIN that the account of `name` is to have; asked for twice at a terminal.

    `own`: whoever gives the command has no PIN yet, so that CAUCUS_DESK_PIN may hold it too.
    """
    given = os.environ.get(NEW_PIN) or (os.environ.get(PIN) if own else None)
    if given:
        return given
    if not at_a_terminal():
        named = f"{PIN} or {NEW_PIN}" if own else NEW_PIN
        raise Refused(f"A PIN for {name} is needed. Put it into the environment variable {named}.")
    first = ask_secretly(f"New PIN or password of {name}: ")
    if ask_secretly("The same again: ") != first:
        raise Refused("The two are not the same, so nothing was changed.")
    return first


def kit_code(file: str) -> str:
    """The code of a county kit, as headquarters said it."""
    given = os.environ.get(KIT_CODE)
    if given:
        return given
    if not at_a_terminal():
        raise Refused(f"The code of {file} is needed. Put it into the environment variable {KIT_CODE}.")
    return ask_secretly(f"Code of {file}: ")


def _pin_of(name: str) -> str:
    given = os.environ.get(PIN)
    if given:
        return given
    if not at_a_terminal():
        raise Refused(
            f"This store has accounts, so the PIN of {name} is needed. Put it into the environment variable "
            f"{PIN}."
        )
    return ask_secretly(f"PIN or password of {name}: ")


def at_a_terminal() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()


def ask_secretly(prompt: str) -> str:
    try:
        return getpass.getpass(prompt)
    except EOFError:
        raise Refused("Nothing was typed, so nothing was changed.") from None
