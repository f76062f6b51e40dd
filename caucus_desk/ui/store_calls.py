"""Calls of the store that may have to wait for another program, without the window standing still."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Signal

from caucus_desk.rules.errors import CaucusError
from caucus_desk.ui.words import tr

AT_ONCE_SECONDS = 0.25
"""A store that answers within this time is waited for: nothing flickers. Else the window goes on."""

T = TypeVar("T")


def waiting_words() -> str:
    """What a page says meanwhile."""
    return tr("Waiting for the store, which another program holds…")


class StoreCalls(QObject):
    """One call at a time, in a thread of its own. The answer comes on the main thread, as a rule before
    `run` returns; where the store is held by another program, later, and `waiting` says so."""

    waiting = Signal(bool)
    _ended = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="store calls")
        self._call: Future[Any] | None = None
        self._answer: Callable[[Future[Any]], None] | None = None
        self._told: Future[Any] | None = None
        self._ended.connect(self._deliver)

    @property
    def busy(self) -> bool:
        """A call waits for the store: no other can begin."""
        return self._call is not None

    @property
    def settled(self) -> bool:
        """Nothing waits for the store, also nothing that was only told."""
        return not self.busy and (self._told is None or self._told.done())

    def run(
        self, work: Callable[[], T], done: Callable[[T], None], failed: Callable[[CaucusError], None]
    ) -> None:
        """One of the callbacks follows. Nothing is done while another call is waiting."""
        if self.busy:
            return

        def answer(call: Future[Any]) -> None:
            try:
                result = call.result()
            except CaucusError as refusal:
                failed(refusal)
            else:
                done(result)

        call: Future[Any] = self._pool.submit(work)
        wait([call], AT_ONCE_SECONDS)
        if call.done():
            answer(call)
            return
        self._call, self._answer = call, answer
        self.waiting.emit(True)
        call.add_done_callback(lambda _: self._tell())

    def tell(self, work: Callable[[], object]) -> None:
        """In its turn, also while another call is waiting. Nobody needs an answer, nor waits for it where the
        store is held; what is refused is let go."""
        self._told = self._pool.submit(work)
        wait([self._told], 0 if self.busy else AT_ONCE_SECONDS)

    def _tell(self) -> None:
        with suppress(RuntimeError):  # the page was closed meanwhile: there is nobody to tell
            self._ended.emit()

    def _deliver(self) -> None:
        call, answer = self._call, self._answer
        self._call = self._answer = None
        if call is not None and answer is not None:
            self.waiting.emit(False)
            answer(call)

    def stop(self) -> None:
        """No further calls; the one under way ends by itself. Touches no Qt object: it may come last."""
        self._pool.shutdown(wait=False)
