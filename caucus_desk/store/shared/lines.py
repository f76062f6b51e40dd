"""The lines to a server: known to be dead, they are not tried by everybody one after the other.

A desk's window must never stand still because a cable was pulled out. Whoever watches the server says that
it is gone; calls then fail at once, and those that wait for an answer on a dead line are ended.
"""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from sqlalchemy import Engine, event

AFTER_A_FAILURE = 1.0
"""Seconds after a connection that failed in which no further one is tried."""


class Lines:
    """Every connection of one engine, and whether it is of any use to make another one."""

    def __init__(self, engine: Engine) -> None:
        self._gone_until = 0.0
        self._hand_since: float | None = None
        self._trying = threading.local()
        self._sockets: dict[int, socket.socket] = {}
        self._lock = threading.Lock()
        event.listen(engine, "do_connect", self._connect)
        event.listen(engine, "connect", self._connected)
        event.listen(engine, "close", self._closed)

    @property
    def dead(self) -> bool:
        """Whether a call is to fail at once, without being tried."""
        return time.monotonic() < self._gone_until and not getattr(self._trying, "allowed", False)

    @contextmanager
    def trying(self) -> Iterator[None]:
        """This thread tries all the same: it is the one that finds out."""
        self._trying.allowed = True
        try:
            yield
        finally:
            self._trying.allowed = False

    @contextmanager
    def in_hand(self) -> Iterator[None]:
        """A call of the store. While it is one of the window's own thread, nothing that is typed is seen."""
        before = self._hand_since
        if before is not None or threading.current_thread() is not threading.main_thread():
            yield
            return
        self._hand_since = time.monotonic()
        try:
            yield
        finally:
            self._hand_since = None

    def hand_waits(self, seconds: float) -> bool:
        """Whether the window has stood still for so long. Whoever watches the server then finds out at once
        whether it is there."""
        since = self._hand_since
        return since is not None and time.monotonic() - since >= seconds

    def say_gone(self, seconds: float) -> None:
        """The server does not answer. Holds for so long, and ends what waits for it on the old lines."""
        self._gone_until = time.monotonic() + seconds
        with self._lock:
            sockets = list(self._sockets.values())
        for one in sockets:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)

    def say_back(self) -> None:
        self._gone_until = 0.0

    def _connect(self, dialect: Any, _record: Any, arguments: Any, options: Any) -> Any:
        if self.dead:
            raise dialect.loaded_dbapi.OperationalError("the server did not answer a moment ago")
        try:
            return dialect.connect(*arguments, **options)
        except dialect.loaded_dbapi.OperationalError as error:
            if getattr(error, "sqlstate", None) is None:  # it never got as far as to be refused
                self._gone_until = max(self._gone_until, time.monotonic() + AFTER_A_FAILURE)
            raise

    def _connected(self, connection: Any, _record: Any) -> None:
        # A second handle of the same line: it stays the line's own whatever becomes of the number.
        line = socket.fromfd(connection.fileno(), socket.AF_INET, socket.SOCK_STREAM)
        with self._lock:
            self._sockets[id(connection)] = line

    def _closed(self, connection: Any, _record: Any) -> None:
        self.forget(connection)

    def forget(self, connection: Any) -> None:
        """A connection that was closed, or that is somebody's own from here on."""
        with self._lock:
            line = self._sockets.pop(id(connection), None)
        if line is not None:
            line.close()
