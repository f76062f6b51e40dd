"""Long work in the background, one piece at a time, with progress and cancelling.

The work is a plain function without Qt in it that takes a `Progress`; what it returns, or the error
that ended it, comes back on the main thread. Pages never touch a widget from the work.
"""

import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import QObject, QRunnable, QThreadPool, Signal

from caucus_desk.rules.errors import Cancelled, CaucusError
from caucus_desk.tally.progress import Progress

T = TypeVar("T")
_TELL_EVERY = 0.05  # seconds between two progress signals; the window can't show more


class Job(QObject):
    """One piece of work. `ended` comes once, on the main thread, after the callbacks."""

    progressed = Signal(int, int, str)
    ended = Signal()
    _left_thread = Signal()

    def __init__(
        self,
        title: str,
        work: Callable[[Progress], object],
        done: Callable[[object], None],
        failed: Callable[[CaucusError], None],
        cancelled: Callable[[], None],
        cancellable: bool,
    ) -> None:
        super().__init__()
        self.title = title
        self.cancellable = cancellable
        self._work, self._done, self._failed, self._cancelled = work, done, failed, cancelled
        self._stop = threading.Event()
        self._told = 0.0
        self._result: object = None
        self._error: BaseException | None = None
        self._left_thread.connect(self._finish)

    @property
    def stopping(self) -> bool:
        return self._stop.is_set()

    def cancel(self) -> None:
        """Asks the work to stop; it does at its next progress call and leaves nothing half done."""
        if self.cancellable:
            self._stop.set()

    def execute(self) -> None:
        """Runs in the worker thread."""
        try:
            self._progress(0, 0, "")
            self._result = self._work(self._progress)
        except BaseException as error:  # noqa: BLE001 - handed to the main thread, which raises what is not ours
            self._error = error
        self._left_thread.emit()

    def _progress(self, done: int, total: int, what: str) -> None:
        if self._stop.is_set():
            raise Cancelled(self.tr("Cancelled. Nothing was changed."))
        now = time.monotonic()
        if now - self._told >= _TELL_EVERY or (total and done >= total):
            self._told = now
            self.progressed.emit(done, total, what)

    def _finish(self) -> None:
        try:
            if self._error is None:
                self._done(self._result)
            elif isinstance(self._error, Cancelled):
                self._cancelled()
            elif isinstance(self._error, CaucusError):
                self._failed(self._error)
            else:
                sys.excepthook(type(self._error), self._error, self._error.__traceback__)
        finally:
            self.ended.emit()


class _Runner(QRunnable):
    def __init__(self, job: Job) -> None:
        super().__init__()
        self._job = job

    def run(self) -> None:
        self._job.execute()


class Jobs(QObject):
    """The queue of a window. Two jobs never run at once, so they never wait for each other's locks."""

    started = Signal(Job)
    idle = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(1)
        self._queue: deque[Job] = deque()
        self._job: Job | None = None

    @property
    def busy(self) -> bool:
        return self._job is not None

    @property
    def current(self) -> Job | None:
        return self._job

    def run(
        self,
        title: str,
        work: Callable[[Progress], T],
        done: Callable[[T], None],
        *,
        failed: Callable[[CaucusError], None],
        cancelled: Callable[[], None] = lambda: None,
        cancellable: bool = True,
    ) -> Job:
        """Start `work` as soon as the queue is free; one of the callbacks follows, on the main thread.

        Whatever is not a CaucusError is a fault of the program and goes to `sys.excepthook`.
        """
        job = Job(title, work, done, failed, cancelled, cancellable)  # type: ignore[arg-type]
        self._queue.append(job)
        self._next()
        return job

    def cancel_all(self) -> None:
        self._queue.clear()
        if self._job is not None:
            self._job.cancel()

    def wait(self, milliseconds: int = -1) -> bool:
        """Block until the running work has left its thread: only for the very end of the program."""
        return self._pool.waitForDone(milliseconds)

    def _next(self) -> None:
        if self._job is not None or not self._queue:
            return
        self._job = self._queue.popleft()
        self._job.ended.connect(self._ended)
        self.started.emit(self._job)
        self._pool.start(_Runner(self._job))

    def _ended(self) -> None:
        if self._job is not None:
            self._job.deleteLater()
        self._job = None
        self._next()
        if self._job is None:
            self.idle.emit()
