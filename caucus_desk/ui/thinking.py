"""Work that nobody waits for: a second or two in a thread of its own, while the hands go on typing.

Unlike a job it is not announced, cannot be cancelled, and is thrown away where a newer one of the same
topic has been asked for meanwhile.
"""

import queue
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Signal

from caucus_desk.desk.session import Desk
from caucus_desk.rules.errors import CaucusError
from caucus_desk.tally.overview import Overview

T = TypeVar("T")
_LAST_SECONDS = 20.0


class Thinker(QObject):
    """One thread for a window's open caucus; it begins with the first question and ends at `rest`."""

    _answered = Signal(str, int, object)

    def __init__(self, desk: Desk, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._questions: queue.SimpleQueue[tuple[str, int, Callable[[Overview], Any]] | None] = (
            queue.SimpleQueue()
        )
        self._wanted: dict[str, tuple[int, Callable[[Any], None]]] = {}
        self._number = 0
        self._idle = threading.Event()
        self._idle.set()
        self._open = 0
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._answered.connect(self._deliver)

    def ask(self, topic: str, work: Callable[[Overview], T], answer: Callable[[T], None]) -> None:
        """`work` runs in the thread, with that thread's own overview of the figures as they stand then;
        `answer` on the main thread. An older question of the same topic is not answered any more."""
        self._number += 1
        self._wanted[topic] = (self._number, answer)
        with self._lock:
            self._open += 1
            self._idle.clear()
        self._questions.put((topic, self._number, work))
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="thinking", daemon=True)
            self._thread.start()

    def asked(self, topic: str) -> bool:
        """Whether an answer is still to come."""
        return topic in self._wanted

    def forget(self) -> None:
        """Nothing that was asked is answered any more."""
        self._wanted.clear()

    def rest(self) -> bool:
        """Waits until the thread has left the store, and lets it end: before the desk is closed."""
        self.forget()
        left = self._idle.wait(_LAST_SECONDS)
        if self._thread is not None:
            self._questions.put(None)
            self._thread = None
        return left

    def _run(self) -> None:
        while True:
            question = self._questions.get()
            if question is None:
                return
            topic, number, work = question
            try:
                if self._wanted.get(topic, (0, None))[0] == number:
                    self._tell(topic, number, self._think(work))
            finally:
                with self._lock:
                    self._open -= 1
                    if not self._open:
                        self._idle.set()

    def _think(self, work: Callable[[Overview], Any]) -> Any:
        try:
            return work(self._desk.overview())
        except BaseException as error:  # noqa: BLE001 - handed to the main thread, which raises what is not ours
            return error

    def _tell(self, topic: str, number: int, result: Any) -> None:
        with suppress(RuntimeError):  # the window has gone meanwhile
            self._answered.emit(topic, number, result)

    def _deliver(self, topic: str, number: int, result: Any) -> None:
        wanted, answer = self._wanted.get(topic, (0, None))
        if wanted != number or answer is None:
            return
        del self._wanted[topic]
        if isinstance(result, CaucusError):
            return  # the window's own look says what is wrong with the store
        if isinstance(result, BaseException):
            sys.excepthook(type(result), result, result.__traceback__)
            return
        answer(result)
