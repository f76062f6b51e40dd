"""Opening a store only to look: also a copy in an archive that nobody may write."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from caucus_desk.commands.output import Output

if TYPE_CHECKING:
    from caucus_desk.desk.session import Desk


@contextmanager
def looking(location: str, out: Output) -> "Iterator[Desk]":
    """The desk of a store, closed at the end. Says so where the store may only be read."""
    from caucus_desk.desk.session import open_desk

    with open_desk(location, looking=True) as desk:
        if desk.read_only:
            out.complain(f"Note: {desk.location} is read-only; nothing can be saved in it.")
        yield desk


@contextmanager
def taking_out(location: str, out: Output) -> "Iterator[Desk]":
    """The desk of a store out of which a file is written, closed at the end. Where the store may only be
    read it is written all the same, and it is said that the trail does not know of it."""
    from caucus_desk.desk.noting import UNNOTED, can_note
    from caucus_desk.desk.session import open_desk

    with open_desk(location, looking=True) as desk:
        yield desk
        if not can_note(desk):
            out.complain(f"Note: {UNNOTED}")
