"""A network that a test can cut between a desk and its server."""

import selectors
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress


class Line:
    """Passes on what comes, on a port of its own, until it is cut."""

    def __init__(self, host: str, port: int) -> None:
        self._target = (host, port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._pairs: dict[socket.socket, socket.socket] = {}
        self._cut = threading.Event()
        self._refusing = threading.Event()
        self._swallowing = threading.Event()
        self._ended = threading.Event()
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def cut(self) -> None:
        """A cable that is pulled out: nothing passes any more, and nobody is told."""
        self._cut.set()

    def hang_up(self) -> None:
        """As a server that is stopped: every connection ends, and no new one is let in."""
        self._refusing.set()
        with self._lock:
            self._close_pairs()

    def swallow_answers(self) -> None:
        """What a desk sends still arrives; what is answered does not."""
        self._swallowing.set()

    def mend(self) -> None:
        """The cable is in again. What hung on the old one is over."""
        with self._lock:
            self._close_pairs()
        for flag in (self._cut, self._refusing, self._swallowing):
            flag.clear()

    def end(self) -> None:
        self._ended.set()
        self._thread.join(10)
        with self._lock:
            self._close_pairs()
        self._listener.close()

    def _close_pairs(self) -> None:
        for one in list(self._pairs):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
        self._pairs.clear()

    def _run(self) -> None:
        self._listener.settimeout(0.02)
        while not self._ended.is_set():
            with suppress(OSError):
                came, _ = self._listener.accept()
                if self._refusing.is_set():
                    came.close()
                elif self._cut.is_set():
                    with self._lock:
                        self._pairs[came] = came  # it is there, and hears nothing
                else:
                    self._join(came)

    def _join(self, came: socket.socket) -> None:
        there = socket.create_connection(self._target)
        with self._lock:
            self._pairs[came], self._pairs[there] = there, came
        for one in (came, there):
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        threading.Thread(target=self._carry, args=(came, there, False), daemon=True).start()
        threading.Thread(target=self._carry, args=(there, came, True), daemon=True).start()

    def _carry(self, one: socket.socket, other: socket.socket, answers: bool) -> None:
        with suppress(OSError, ValueError), selectors.DefaultSelector() as selector:
            selector.register(one, selectors.EVENT_READ)
            while not self._ended.is_set():
                if not selector.select(0.05) or self._cut.is_set():
                    self._ended.wait(0.02 if self._cut.is_set() else 0)
                    continue
                data = one.recv(65_536)
                if not data:
                    break
                if not (answers and self._swallowing.is_set()):
                    other.sendall(data)
        for end in (one, other):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


@contextmanager
def line(address: str) -> Iterator[tuple[str, Line]]:
    """The same address by way of a line that can be cut, and the line."""
    front, place = address.rsplit("@", 1)
    where, database = place.split("/", 1)
    host, port = where.rsplit(":", 1)
    made = Line(host, int(port))
    try:
        yield f"{front}@127.0.0.1:{made.port}/{database}", made
    finally:
        made.end()
