"""Hearing of what other desks write, without asking for it again and again."""

import sqlite3
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from sqlalchemy import Engine

LOOK_EVERY = 0.25
"""Seconds between two looks at a file: far cheaper than a read, since only one counter is asked for."""
NEWEST = "SELECT coalesce(max(seq), 0) FROM audit"


def own_connection(engine: Engine) -> Any:
    """A driver's connection that no pool knows of; whoever asked for it closes it."""
    pooled = engine.raw_connection()
    driver = pooled.driver_connection
    pooled.detach()
    pooled.invalidate()
    return driver


class Watcher(ABC):
    """Waits for new events of the audit trail, by whichever program; one thread's at a time.

    What leaves no event (a key in a draft, who has a case open) is not told of.
    """

    def __init__(self) -> None:
        self._closed = threading.Event()

    @abstractmethod
    def wait(self, seconds: float) -> bool:
        """Whether an event was added since this was asked last, or since the watcher was made.

        True at once where there was, else False after `seconds`, or when the watcher is closed meanwhile.
        Raises StoreError as soon as the store is out of reach; the watcher is then of no use any more.
        """

    def close(self) -> None:
        """From any thread; a `wait` under way ends soon."""
        self._closed.set()

    @abstractmethod
    def leave(self) -> None:
        """Gives the connection back: the last thing that the watching thread does."""


class FileWatcher(Watcher):
    """Of a store in a file: the counter that SQLite keeps of the file's changes."""

    def __init__(self, engine: Engine, told: Callable[[], AbstractContextManager[None]]) -> None:
        """`told` turns what the driver says into a StoreError."""
        super().__init__()
        self._told = told
        with told():
            self._driver: sqlite3.Connection = own_connection(engine)
        try:
            with told():
                self._version = self._number("PRAGMA data_version")
                self._newest = self._number(NEWEST)
        except BaseException:
            self._driver.close()
            raise

    def wait(self, seconds: float) -> bool:
        end = time.monotonic() + seconds
        with self._told():
            while True:
                if self._changed():
                    return True
                left = end - time.monotonic()
                if left <= 0 or self._closed.wait(min(left, LOOK_EVERY)):
                    return False

    def _changed(self) -> bool:
        version = self._number("PRAGMA data_version")
        if version == self._version:
            return False
        self._version = version
        before, self._newest = self._newest, self._number(NEWEST)
        return self._newest != before

    def leave(self) -> None:
        self._driver.close()

    def _number(self, statement: str) -> int:
        number: int = self._driver.execute(statement).fetchall()[0][0]
        return number
