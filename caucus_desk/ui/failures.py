"""What happens when the program itself fails: a plain notice for the person, everything else for the log."""

import logging
import sys
import threading
from collections.abc import Callable
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QCoreApplication

from caucus_desk import paths
from caucus_desk.rules.errors import CaucusError

log = logging.getLogger("caucus_desk")
_MOST_BYTES, _KEPT = 500_000, 3


def log_file() -> Path:
    return paths.data_dir() / "logs" / "caucus-desk.log"


def start_log() -> None:
    """A rotating log in the data folder; without it (read-only disk) the program still runs."""
    file = log_file()
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        handler = RotatingFileHandler(file, maxBytes=_MOST_BYTES, backupCount=_KEPT, encoding="utf-8")
    except OSError:
        return
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    log.addHandler(handler)
    log.setLevel(logging.INFO)


def sentence_for(error: BaseException) -> str:
    """What to show a person: the error's own sentence, or that the program failed and where the rest is."""
    if isinstance(error, CaucusError):
        return error.sentence
    text = QCoreApplication.translate(
        "failures",
        "The program made a mistake ({0}). What you saved is safe; if something looks wrong, start it again. "
        "The details are in {1}.",
    )
    return text.format(type(error).__name__, log_file())


def install(show: Callable[[str], None]) -> None:
    """Route whatever nobody handled to the log and, as one sentence, to `show` (on the main thread)."""

    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error, trace)
            return
        if not isinstance(error, CaucusError):
            log.error("unhandled", exc_info=(kind, error, trace))
        if threading.current_thread() is threading.main_thread():
            show(sentence_for(error))

    def thread_hook(arguments: threading.ExceptHookArgs) -> None:
        if arguments.exc_value is not None:
            hook(arguments.exc_type, arguments.exc_value, arguments.exc_traceback)

    sys.excepthook = hook
    threading.excepthook = thread_hook
