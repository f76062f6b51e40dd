"""Files of a shared store, brought to this computer to be looked at. They go when the program ends."""

import hashlib
import os
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

_lock = threading.Lock()
_folder: "tempfile.TemporaryDirectory[str] | None" = None


def fetched(name: str, sha256: str, fetch: Callable[[], bytes]) -> Path:
    """The file of that name with that digest; fetched once, and again where it was altered meanwhile."""
    path = _place() / name
    try:
        if hashlib.sha256(path.read_bytes()).hexdigest() == sha256:
            return path
    except OSError:
        pass  # not here yet
    data = fetch()
    making = path.with_name(f".{name}.{threading.get_ident()}")
    making.write_bytes(data)
    os.replace(making, path)
    return path


def _place() -> Path:
    """A folder that only this person can read, taken away at the end."""
    global _folder
    with _lock:
        if _folder is None or not Path(_folder.name).is_dir():
            _folder = tempfile.TemporaryDirectory(prefix="caucus-desk-", ignore_cleanup_errors=True)
        return Path(_folder.name)
