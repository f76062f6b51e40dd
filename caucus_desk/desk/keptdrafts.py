"""What was typed while the store did not take it, kept in a file of this computer until it does.

One file for each sheet and window, in the person's own data folder, where nobody else of this computer can
read it. It is offered to the person who typed it, for the store that it belongs to, and to nobody else.
"""

import hashlib
import json
import logging
import os
import tempfile
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

from caucus_desk import paths
from caucus_desk.desk.naming import same_person
from caucus_desk.desk.session import Desk
from caucus_desk.rules.errors import Refused
from caucus_desk.tally.people import folded
from caucus_desk.tally.report import Channel

_VERSION = 1
_LONGEST_NAME = 60
_MOST_BYTES = 1_000_000
_SHEET_BYTES = 32_768

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class KeptDraft:
    """A sheet as it stands in a window, and what of it the store does not have."""

    precinct_id: str
    channel: Channel
    by: str
    draft_id: int
    seen: datetime
    """When the store's draft was saved last, so far as this window knew (UTC)."""
    window: str
    """By which the store knows whose saving that was."""
    texts: Mapping[str, str]
    """The whole sheet, by field path."""
    owed: Mapping[str, str]
    """What the store does not have yet."""
    token: str
    """Of its submit, which is made once."""
    submitting: bool = False
    """Submit was pressed, and the answer has not come."""
    at: datetime = field(default_factory=lambda: datetime.now(UTC))


class KeptDrafts:
    """Of one store. Safe from several threads."""

    def __init__(self, desk: Desk) -> None:
        with desk.store.read() as unit:
            identity = unit.identity()
        digest = hashlib.sha256(f"{identity}\n{_where(desk)}".encode()).hexdigest()[:24]
        self.folder = _folder() / digest
        self._lock = threading.Lock()

    def keep(self, kept: KeptDraft) -> datetime:
        """On the disk when this returns; the time that stands in it. Refused where it cannot be written."""
        text = json.dumps(_to_json(kept), ensure_ascii=False, indent=1)
        with self._lock:
            try:
                self._write(self._file_of(kept), text)
            except OSError as error:
                raise Refused(
                    "What you type can be kept neither in the store nor on this computer "
                    f"({error.strerror}). Write it down."
                ) from error
        return kept.at

    def forget(self, precinct_id: str, channel: Channel, by: str, window: str) -> None:
        """The store has all that this window kept of it, or it is not wanted any more."""
        with self._lock:
            self._remove(self._file(precinct_id, channel, by, window))

    def forget_as_read(self, kept: KeptDraft) -> None:
        """The same, unless its window has kept something newer since."""
        with self._lock:
            file = self._file_of(kept)
            if file.exists() and _read(file) == kept:
                self._remove(file)

    def _remove(self, file: Path) -> None:
        with suppress(OSError):
            file.unlink(missing_ok=True)
            self.folder.rmdir()  # only where nothing else is in it

    def of(self, by: str) -> tuple[KeptDraft, ...]:
        """What this person typed, oldest first."""
        with self._lock:
            found = [kept for file in self._files() if (kept := _read(file)) and same_person(kept.by, by)]
        return tuple(sorted(found, key=lambda kept: kept.at))

    def _files(self) -> list[Path]:
        try:
            return sorted(self.folder.glob("*.json"))
        except OSError:
            return []

    def _file_of(self, kept: KeptDraft) -> Path:
        return self._file(kept.precinct_id, kept.channel, kept.by, kept.window)

    def _file(self, precinct_id: str, channel: Channel, by: str, window: str) -> Path:
        """Two windows of one person never write over each other's."""
        name = quote(precinct_id, safe=" ")[:_LONGEST_NAME]
        whose = hashlib.sha256(f"{precinct_id}\n{folded(by)}\n{window}".encode()).hexdigest()[:12]
        return self.folder / f"{name}-{channel}-{whose}.json"

    def _write(self, file: Path, text: str) -> None:
        """The old file or the new one, never half of one, whatever happens meanwhile."""
        making = _beside(self.folder, text)
        try:
            os.replace(making, file)
        except BaseException:
            with suppress(OSError):
                os.unlink(making)
            raise
        _sync(self.folder)


def can_keep() -> bool:
    """Whether a sheet could be kept on this computer now: found out by writing as much as a sheet takes."""
    try:
        os.unlink(_beside(_folder(), " " * _SHEET_BYTES))
    except OSError:
        return False
    return True


def _folder() -> Path:
    return paths.data_dir() / "drafts"


def _where(desk: Desk) -> str:
    """The same database is the same store under whatever name of its server, and of the account; a copy of a
    file, or of a database, is not."""
    place = str(desk.location)
    return place.partition("?")[0].rpartition("/")[2] if desk.store.is_shared else place


def _beside(folder: Path, text: str) -> str:
    """A new file with this text, on the disk, which only its owner can read."""
    for one in (_folder(), folder):
        one.mkdir(mode=0o700, parents=True, exist_ok=True)
    number, making = tempfile.mkstemp(prefix=".", suffix=".new", dir=folder)
    try:
        with os.fdopen(number, "w", encoding="utf-8") as out:
            out.write(text)
            out.flush()
            os.fsync(out.fileno())
    except BaseException:
        with suppress(OSError):
            os.unlink(making)
        raise
    return making


def _sync(folder: Path) -> None:
    """The name too is on the disk; where a system cannot do that for a folder it does it by itself."""
    with suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


def _to_json(kept: KeptDraft) -> dict[str, object]:
    return {
        "version": _VERSION,
        "precinct": kept.precinct_id,
        "channel": str(kept.channel),
        "by": kept.by,
        "draft": kept.draft_id,
        "seen": kept.seen.isoformat(),
        "window": kept.window,
        "texts": dict(kept.texts),
        "owed": dict(kept.owed),
        "token": kept.token,
        "submitting": kept.submitting,
        "at": kept.at.isoformat(),
    }


def _read(file: Path) -> KeptDraft | None:
    """None for what is no draft of ours, or of a version that this program does not know."""
    try:
        if file.stat().st_size > _MOST_BYTES:
            return None
        given = json.loads(file.read_text(encoding="utf-8"))
        if given["version"] != _VERSION:
            return None
        return KeptDraft(
            precinct_id=str(given["precinct"]),
            channel=Channel(given["channel"]),
            by=str(given["by"]),
            draft_id=int(given["draft"]),
            seen=datetime.fromisoformat(given["seen"]),
            window=str(given["window"]),
            texts={str(path): str(text) for path, text in given["texts"].items()},
            owed={str(path): str(text) for path, text in given["owed"].items()},
            token=str(given["token"]),
            submitting=bool(given["submitting"]),
            at=datetime.fromisoformat(given["at"]),
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        _log.warning("a draft kept on this computer cannot be read: %s", file.name)
        return None
