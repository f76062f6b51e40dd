"""Hearing of what other desks write in a PostgreSQL database: the server says it, and is asked whether it
lives."""

import selectors
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from sqlalchemy import Engine

from caucus_desk.store.errors import StoreUnreachable
from caucus_desk.store.shared.lines import Lines
from caucus_desk.store.watching import NEWEST, Watcher, own_connection

CHANNEL = "caucus_desk"
ASK_EVERY = 1.0
"""Seconds without a word after which the server is asked whether it is there, and what came last."""
ASK_EVERY_COPY = 0.5
"""The same where the server tells of nothing by itself: a copy for reading only."""
ANSWER_WITHIN = 3.0
"""Seconds in which a server that is there has answered."""
GONE_FOR = 6.0
"""Seconds for which other calls fail at once; longer than one more try to reach the server takes."""
_STEP = 0.25


class SharedWatcher(Watcher):
    """A connection of its own, which nothing else ever waits for."""

    def __init__(
        self,
        engine: Engine,
        lines: Lines,
        told: Callable[[], AbstractContextManager[None]],
        gone: Callable[[], StoreUnreachable],
    ) -> None:
        """`told` turns what the driver says into a StoreError, `gone` says that there is no answer."""
        super().__init__()
        self._lines, self._told, self._gone = lines, told, gone
        try:
            with lines.trying(), told():
                self._begin(engine)
        except StoreUnreachable:
            lines.say_gone(GONE_FOR)
            raise
        lines.say_back()

    def _begin(self, engine: Engine) -> None:
        self._driver = own_connection(engine)
        self._lines.forget(self._driver)
        try:
            self._pg = self._driver.pgconn
            self._ask_every = ASK_EVERY if self._listen() else ASK_EVERY_COPY
            self._newest = self._ask(NEWEST)
            self._asked = time.monotonic()
        except BaseException:
            self._driver.close()
            raise

    def wait(self, seconds: float) -> bool:
        end = time.monotonic() + seconds
        try:
            with self._told():
                while not self._closed.is_set():
                    if self._heard() or self._asked_and_new():
                        return True
                    left = end - time.monotonic()
                    if left <= 0:
                        return False
                    self._readable(min(left, _STEP))
        except StoreUnreachable:
            self._lines.say_gone(GONE_FOR)
            raise
        return False

    def leave(self) -> None:
        self._driver.close()

    # ---- what the server says ----

    def _listen(self) -> bool:
        """False where it refuses, as a copy for reading only does."""
        self._pg.send_query(f"LISTEN {CHANNEL}".encode())
        return all(not result.error_message for result in self._results())

    def _heard(self) -> bool:
        self._pg.consume_input()
        return self._take(self._told_numbers())

    def _told_numbers(self) -> int:
        newest = 0
        while (told := self._pg.notifies()) is not None:
            newest = max(newest, int(told.extra or b"0"))
        return newest

    def _asked_and_new(self) -> bool:
        """Asks when it is time to: also what was told while nobody listened is found so."""
        if time.monotonic() - self._asked < self._ask_every:
            return False
        newest = self._ask(NEWEST)
        self._asked = time.monotonic()
        return self._take(newest)

    def _take(self, number: int) -> bool:
        if number <= self._newest:
            return False
        self._newest = number
        return True

    def _ask(self, statement: str) -> int:
        self._pg.send_query(statement.encode())
        number = 0
        for result in self._results():
            if result.error_message:
                raise self._gone()
            value = result.get_value(0, 0)
            number = int(value or b"0")
        return number

    def _results(self) -> list[Any]:
        end = time.monotonic() + ANSWER_WITHIN
        found: list[Any] = []
        while True:
            while self._pg.flush():
                self._patient(end)
            while self._pg.is_busy():
                self._patient(end)
                self._pg.consume_input()
            result = self._pg.get_result()
            if result is None:
                return found
            found.append(result)

    def _patient(self, end: float) -> None:
        left = end - time.monotonic()
        if left <= 0:
            raise self._gone()
        self._readable(min(left, _STEP))

    def _readable(self, seconds: float) -> None:
        with selectors.DefaultSelector() as selector:
            selector.register(self._pg.socket, selectors.EVENT_READ)
            selector.select(seconds)
