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
HAND_WAITS = 0.15
"""Seconds for which a hand at the window waits before the server is asked whether it is there."""
SOON = 0.35
"""Seconds in which a server whose answers are quick has answered such a question."""
_USUALLY = 4
"""How many times as long as usual an answer may take while a hand waits."""
_STEP = 0.1
_HINTS_APART = 0.1
"""Seconds between two looks at what came last, however often the server tells of something."""


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
        self._hinted = False
        self._sent = self._usual = 0.0
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
                    self._hear()
                    if self._asked_and_new():
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
        self._send(f"LISTEN {CHANNEL}")
        return all(not result.error_message for result in self._results())

    def _hear(self) -> None:
        """Any account may send a notice with any words: it is a hint to look what came last, no more."""
        self._pg.consume_input()
        while self._pg.notifies() is not None:
            self._hinted = True

    def _asked_and_new(self) -> bool:
        """Asks when it is time to: also what was told while nobody listened is found so."""
        if not self._is_time_to_ask(time.monotonic() - self._asked):
            return False
        self._hinted = False
        newest = self._ask(NEWEST)
        self._asked = time.monotonic()
        return self._take(newest)

    def _is_time_to_ask(self, since: float) -> bool:
        if since >= self._ask_every or (self._hinted and since >= _HINTS_APART):
            return True
        return since >= HAND_WAITS and self._lines.hand_waits(HAND_WAITS)

    def _take(self, number: int) -> bool:
        if number <= self._newest:
            return False
        self._newest = number
        return True

    def _ask(self, statement: str) -> int:
        self._send(statement)
        number = 0
        for result in self._results():
            if result.error_message:
                raise self._gone()
            value = result.get_value(0, 0)
            number = int(value or b"0")
        self._usual = max(time.monotonic() - self._sent, 0.8 * self._usual)
        return number

    def _send(self, statement: str) -> None:
        self._sent = time.monotonic()
        self._pg.send_query(statement.encode())

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
        now = time.monotonic()
        late = now - self._sent > max(SOON, _USUALLY * self._usual) and self._lines.hand_waits(HAND_WAITS)
        if (late or now >= end) and not self._readable(0):  # what came while this thread had no turn counts
            raise self._gone()
        self._readable(min(max(0, end - now), _STEP))

    def _readable(self, seconds: float) -> bool:
        with selectors.DefaultSelector() as selector:
            selector.register(self._pg.socket, selectors.EVENT_READ)
            return bool(selector.select(seconds))
