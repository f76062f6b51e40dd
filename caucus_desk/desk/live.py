"""A window's ear and pulse: it hears what other desks save, knows whether the store answers, and is heard of.

Both run in threads of their own, so that a window never waits for a server that has gone.
"""

import logging
import secrets
import threading
from collections.abc import Callable

from caucus_desk.desk.session import Desk
from caucus_desk.rules.errors import CaucusError
from caucus_desk.store.errors import StoreLocked, StoreUnreachable

BEAT_EVERY = 10.0
"""Seconds between two signs of life of a window."""
AGAIN_AFTER = 0.5
"""Seconds between two tries to reach a store that does not answer."""
_LISTEN = 5.0
_BEAT_AGAIN = 1.0
_GOODBYE = 1.5

_log = logging.getLogger(__name__)


class Live:
    """Of one open caucus in one window. The callbacks come from other threads, and must return at once."""

    def __init__(
        self,
        desk: Desk,
        *,
        changed: Callable[[], None],
        reachable: Callable[[bool, str], None],
    ) -> None:
        """`changed`: another desk, or this one, has saved something. `reachable`: whether the store answers,
        told when it changes, with the sentence that says why not."""
        self.window = secrets.token_hex(16)
        """By this the store knows which sheets this window has open."""
        self.by = ""
        """Who sits at it."""
        self._desk = desk
        self._changed, self._reachable = changed, reachable
        self._answers = True
        self._stopping = threading.Event()
        self._beat_now = threading.Event()
        self._watcher_lock = threading.Lock()
        self._close_watcher: Callable[[], None] = lambda: None
        self._threads = [threading.Thread(target=self._watch, name="watching the store", daemon=True)]
        if not desk.read_only:
            self._threads.append(threading.Thread(target=self._beat, name="signs of life", daemon=True))

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Says goodbye, where the store can be reached at once. Nothing is called back after this."""
        self._stopping.set()
        self._beat_now.set()
        with self._watcher_lock:
            self._close_watcher()
        for thread in self._threads:
            if thread.ident is not None:
                thread.join(_GOODBYE)

    # ---- hearing ----

    def _watch(self) -> None:
        while not self._stopping.is_set():
            try:
                self._listen()
            except CaucusError as error:
                self._tell_reachable(False, error.sentence)
            except Exception:  # noqa: BLE001 - a thread must not end without a word
                _log.exception("watching the store failed")
                self._tell_reachable(False, f"{self._desk.location} cannot be watched.")
            self._stopping.wait(AGAIN_AFTER)

    def _listen(self) -> None:
        watcher = self._desk.store.watcher()
        try:
            with self._watcher_lock:
                self._close_watcher = watcher.close
            if not self._answers:
                self._beat_now.set()  # before anybody takes this window for gone
            self._tell_reachable(True, "")
            self._tell_changed()  # what came before it listened
            while not self._stopping.is_set():
                if watcher.wait(_LISTEN):
                    self._tell_changed()
        finally:
            with self._watcher_lock:
                self._close_watcher = lambda: None
            watcher.leave()

    def _tell_changed(self) -> None:
        if not self._stopping.is_set():
            self._changed()

    def _tell_reachable(self, answers: bool, why_not: str) -> None:
        if answers != self._answers and not self._stopping.is_set():
            self._answers = answers
            self._reachable(answers, why_not)

    # ---- being heard of ----

    def _beat(self) -> None:
        store = self._desk.store
        first = True
        while not self._stopping.is_set():
            wait = BEAT_EVERY
            try:
                with store.write_aside(patient=False) as unit:
                    unit.beat(self.window, self.by)
                    if first:
                        unit.forget_beats()
                first = False
            except (StoreLocked, StoreUnreachable):
                wait = _BEAT_AGAIN
            except CaucusError:
                return  # this account may not say that it is here
            except Exception:  # noqa: BLE001 - the same
                _log.exception("a sign of life could not be given")
            self._beat_now.wait(wait)
            if not self._stopping.is_set():
                self._beat_now.clear()
        try:
            with store.write_aside(patient=False) as unit:
                unit.end_beats(self.window)
        except CaucusError:
            pass  # nobody hears it; in a while it counts as gone all the same
        except Exception:  # noqa: BLE001 - the same
            _log.exception("a window could not say goodbye")
