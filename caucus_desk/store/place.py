"""Where a store lies: a file of this computer, or a database that many desks share."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Engine

from caucus_desk.store.watching import Watcher


@dataclass(frozen=True, slots=True)
class FileFaults:
    """Broken pages and indexes, and references that lead nowhere; empty when all is well."""

    pages: tuple[str, ...]
    references: tuple[str, ...]


class Place(ABC):
    """What differs between the two. Everything above it runs the same statements on both."""

    location: str
    """For people to read; never with a password."""
    path: Path | None
    """The file, None where there is none."""
    shared: bool
    engine: Engine
    warnings: tuple[str, ...]
    busy_seconds: float

    @abstractmethod
    def begin_reading(self, cursor: Any) -> None:
        """One consistent view until the transaction ends."""

    @abstractmethod
    def begin_writing(self, cursor: Any) -> datetime | None:
        """Waits for the turn to write, and holds it from the first moment. The place's own time, if any."""

    @abstractmethod
    def begin_aside(self, cursor: Any, *, patient: bool) -> datetime | None:
        """For what leaves no event, and so needs no turn. Not `patient`: refused where it would wait."""

    @abstractmethod
    def commit(self, connection: Any) -> None:
        """Saved when this returns."""

    def broken_by(self, error: BaseException) -> bool:
        """Whether the connection in use is of no use any more."""
        return False

    @abstractmethod
    def finish_aside(self, cursor: Any) -> None:
        """Whatever `begin_aside` changed in the connection is as it was."""

    @abstractmethod
    def check_line(self) -> None:
        """Raises StoreUnreachable at once where it is known that nobody answers."""

    @abstractmethod
    def watcher(self) -> Watcher:
        """A connection of its own that hears of new events."""

    def in_hand(self) -> AbstractContextManager[None]:
        """Around what may keep the window waiting for an answer, also where another thread asks for it."""
        return nullcontext()

    @contextmanager
    @abstractmethod
    def told(self) -> Iterator[None]:
        """Turns what the driver says into the sentence for a person, a StoreError."""

    @abstractmethod
    def integrity(self) -> FileFaults:
        """What the database's own checks find."""
