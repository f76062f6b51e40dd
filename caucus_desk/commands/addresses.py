"""Addresses of shared stores on the command line: a password is taken out before anything sees it."""

import os
from collections.abc import Sequence

from caucus_desk.commands.person import ask_secretly, at_a_terminal
from caucus_desk.rules.errors import CaucusError

SEEN_BY_OTHERS = (
    "Note: a password in an address can be read by everybody on this computer while the command runs. "
    "Leave it out: it is then taken from PGPASSWORD, from ~/.pgpass or from the keyring, or asked for."
)


class Addresses:
    """The arguments without passwords. What is wrong with an address is told when the command runs."""

    def __init__(self, argv: Sequence[str]) -> None:
        self.argv: list[str] = []
        self.had_password = False
        self.fault: CaucusError | None = None
        for text in argv:
            self.argv.append(self._plain(text) if "://" in text else text)

    def _plain(self, text: str) -> str:
        from caucus_desk.desk.places import has_password, shown_location, taken

        front, equals, location = text.partition("=") if text.startswith("--") else ("", "", text)
        if "://" not in location:
            return text
        try:
            plain = taken(location)
        except CaucusError as error:
            self.fault = self.fault or error
            plain = shown_location(location)
        self.had_password = self.had_password or has_password(location)
        return f"{front}{equals}{plain}"


def ask_password(error: CaucusError, asked: set[str]) -> bool:
    """Asks for the password of the store that would not let us in. False where nobody can be asked.

    Once for each store: whoever mistypes it gives the command again.
    """
    from caucus_desk.desk.places import NotLetIn, give_password

    if not isinstance(error, NotLetIn) or error.location in asked or not at_a_terminal():
        return False
    if os.environ.get("PGPASSWORD"):
        return False  # it was given, and is not right
    asked.add(error.location)
    password = ask_secretly(f"Password for {error.location}: ")
    if not password:
        return False
    give_password(error.location, password)
    return True
