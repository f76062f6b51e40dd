"""Writes what is typed into the draft from a thread of its own, so that typing never waits for a disk."""

import logging
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime

from PySide6.QtCore import QObject, Signal, SignalInstance

from caucus_desk.rules.errors import CaucusError

_log = logging.getLogger(__name__)

GATHER_SECONDS = 0.04
"""Keys of this long are written together; a key is in the draft well within half a second."""
_RETRY_SECONDS = 1.0

_KEPT_AFTER = 0.2
"""Seconds that the store has, before what it owes to a draft is kept in a file of this computer."""
_KEPT_STEP = 0.1

Save = Callable[[int, Mapping[str, str]], datetime]
"""Saves changes of one draft, from any thread, and gives the time of the commit (UTC)."""
Keep = Callable[[int, Mapping[str, str]], datetime | None]
"""Keeps on this computer what of a draft is not in the store; the time, None where nothing need be kept."""
Forget = Callable[[int], None]
"""The store has all of a draft."""


class DraftWriter(QObject):
    """Threads for the life of the page. `put` returns at once; `saved` comes after the commit.

    What was typed is kept for each draft until the store has it, also when its sheet was left meanwhile;
    where the store does not take it at once, on the disk of this computer too.
    """

    saved = Signal(object)
    """When (a datetime, UTC)."""
    failed = Signal(str, bool)
    """A sentence, and whether it will be tried again. The boxes keep what was typed."""
    kept = Signal(object)
    """What the store has not taken is in a file of this computer: when (a datetime, UTC)."""
    not_kept = Signal(str)
    """Nor is it in a file of this computer: why."""

    def __init__(
        self,
        save: Save,
        parent: QObject | None = None,
        *,
        keep: Keep = lambda draft, owed: None,
        forget: Forget = lambda draft: None,
    ) -> None:
        super().__init__(parent)
        self._save, self._keep, self._forget = save, keep, forget
        self._draft: int | None = None
        self._changes: dict[int, dict[str, str]] = {}
        self._busy: int | None = None
        self._under_way: Mapping[str, str] = {}
        self._owed_since: float | None = None
        self._on_disk: dict[int, Mapping[str, str]] = {}
        self._refused = ""
        self._closing = False
        self._away = False
        self._hurry = threading.Event()
        self._again = threading.Event()
        self._state = threading.Condition()
        self._thread = threading.Thread(target=self._run, name="draft writer", daemon=True)
        self._thread.start()
        self._keeper = threading.Thread(target=self._run_keeper, name="draft keeper", daemon=True)
        self._keeper.start()

    def begin(self, draft_id: int) -> None:
        """From now on changes belong to this draft; what is owed to another one is still written."""
        with self._state:
            self._draft = draft_id
            self._refused = ""

    def put(self, path: str, text: str) -> None:
        with self._state:
            if self._draft is None or self._closing:
                return
            first = not self._changes
            if self._owed_since is None:
                self._owed_since = time.monotonic()
            self._changes.setdefault(self._draft, {})[path] = text
            if first:  # waking the thread costs the typing hand time; once for each batch is enough
                self._state.notify_all()

    @property
    def refused(self) -> str:
        """Why what was typed in this draft is not in the store and is not tried again; "" when it is."""
        with self._state:
            return self._refused

    @property
    def owing(self) -> bool:
        """Something that was typed is not in the store yet."""
        with self._state:
            return bool(self._changes) or self._busy is not None

    @property
    def all_kept(self) -> bool:
        """What is not in the store is at least in a file of this computer."""
        with self._state:
            return self._all_kept

    @property
    def _all_kept(self) -> bool:
        return all(self._on_disk.get(draft) == texts for draft, texts in self._owed().items())

    @property
    def _written(self) -> bool:
        return not self._changes and self._busy is None

    @property
    def drafts_owed(self) -> frozenset[int]:
        """Drafts of which the store does not have all."""
        with self._state:
            return frozenset(self._owed())

    def owed(self, draft_id: int) -> Mapping[str, str]:
        """What the store does not have of a draft, so far as is known."""
        with self._state:
            return self._owed().get(draft_id, {})

    def kept_already(self, draft_id: int, owed: Mapping[str, str]) -> None:
        """What was put is in a file of an earlier window: it goes once the store has it."""
        with self._state:
            self._on_disk.setdefault(draft_id, owed)
            self._state.notify_all()

    def store_answers(self, answers: bool) -> None:
        """It does again: what is owed is tried now. Or it does not: nobody need wait for it."""
        with self._state:
            self._away = not answers
            self._state.notify_all()
        self._again.set()

    def flush(self, seconds: float = 6.0) -> bool:
        """Wait until all is written. False where the store did not take it in time, or is known to be away;
        it is then in a file of this computer, as a rule."""
        with self._state:
            self._hurry.set()
            self._again.set()
            self._state.notify_all()
            self._state.wait_for(lambda: self._written or (self._away and self._all_kept), seconds)
            self._hurry.clear()
            return self._written

    def let_go(self) -> None:
        """The sheet is left: nothing more is typed in it, and what was is still written."""
        with self._state:
            self._draft = None
            self._refused = ""

    def end(self) -> None:
        """The draft is finished with: what is not written yet is not written any more."""
        with self._state:
            draft, self._draft = self._draft, None
            self._refused = ""
            if draft is None:
                return
            self._changes.pop(draft, None)
            self._state.wait_for(lambda: self._busy != draft, 6.0)
            self._changes.pop(draft, None)
            self._nothing_owed()
            kept = self._on_disk.pop(draft, None)
        if kept is not None:
            self._forget(draft)

    def stop(self) -> None:
        """End the thread; what is to be kept was flushed before. Touches no Qt object: it may come last."""
        with self._state:
            self._closing = True
            self._changes = {}
            self._hurry.set()
            self._again.set()
            self._state.notify_all()

    def _run(self) -> None:
        while True:
            with self._state:
                self._state.wait_for(lambda: self._closing or bool(self._changes))
            self._hurry.wait(GATHER_SECONDS)
            with self._state:
                if self._closing:
                    return
                if not self._changes:
                    continue
                draft = self._draft if self._draft in self._changes else next(iter(self._changes))
                assert draft is not None
                changes = self._under_way = self._changes.pop(draft)
                self._busy = draft
            again = self._write(draft, changes)
            with self._state:
                self._busy, self._under_way = None, {}
                if again and not self._closing:
                    self._changes[draft] = {**changes, **self._changes.get(draft, {})}
                self._nothing_owed()
                self._state.notify_all()
            if again:
                self._again.wait(_RETRY_SECONDS)
                self._again.clear()

    # ---- on this computer ----

    def _owed(self) -> dict[int, Mapping[str, str]]:
        """What of each draft is not known to be in the store. The state is held."""
        owed: dict[int, Mapping[str, str]] = dict(self._changes)
        if self._busy is not None:
            owed[self._busy] = {**self._under_way, **self._changes.get(self._busy, {})}
        return {draft: dict(texts) for draft, texts in owed.items()}

    def _nothing_owed(self) -> None:
        if self._written:
            self._owed_since = None

    def _run_keeper(self) -> None:
        while True:
            with self._state:
                self._state.wait_for(lambda: self._closing or self._owed_since is not None or self._on_disk)
                if self._closing:
                    return
                since = self._owed_since
                owed = self._owed()
                late = since is not None and time.monotonic() - since >= _KEPT_AFTER
                new = {draft: texts for draft, texts in owed.items() if self._on_disk.get(draft) != texts}
                done = [draft for draft in self._on_disk if draft not in owed]
                for draft in done:
                    del self._on_disk[draft]
            for draft in done:
                self._forget(draft)
            if late:
                for draft, texts in new.items():
                    self._keep_one(draft, texts)
            time.sleep(_KEPT_STEP)

    def _keep_one(self, draft: int, texts: Mapping[str, str]) -> None:
        try:
            at = self._keep(draft, texts)
        except CaucusError as refusal:
            self._tell(self.not_kept, refusal.sentence)
            return
        except Exception as fault:  # noqa: BLE001 - a thread must not end without a word
            _log.exception("a draft could not be kept on this computer")
            self._tell(self.not_kept, f"What is typed could not be kept on this computer: {fault}")
            return
        if at is not None:
            with self._state:
                self._on_disk[draft] = texts
                self._state.notify_all()
                ours = draft == self._draft
            if ours:
                self._tell(self.kept, at)

    def _write(self, draft: int, changes: Mapping[str, str]) -> bool:
        """True where it should be tried again."""
        try:
            at = self._save(draft, changes)
        except CaucusError as refusal:
            again = refusal.exit_code == 4  # the store is busy or out of reach, the draft is still ours
            if not again:
                self._not_taken(draft, refusal.sentence)
            self._tell(self.failed, refusal.sentence, again)
            return again
        except Exception as fault:  # noqa: BLE001 - a thread must not end without a word
            _log.exception("a draft could not be saved")
            self._tell(self.failed, f"The draft could not be saved: {fault}", True)
            return True
        self._tell(self.saved, at)
        return False

    def _not_taken(self, draft: int, sentence: str) -> None:
        with self._state:
            if draft == self._draft:
                self._refused = sentence

    @staticmethod
    def _tell(signal: SignalInstance, *what: object) -> None:
        with suppress(RuntimeError):  # the page was closed meanwhile: there is nobody to tell
            signal.emit(*what)
