"""Running one command: its exit code, its refusals, and what happens when something breaks."""

import argparse
import errno
import io
import logging
import os
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from logging.handlers import RotatingFileHandler
from pathlib import Path

from caucus_desk import paths
from caucus_desk.commands.addresses import SEEN_BY_OTHERS, Addresses, ask_password
from caucus_desk.commands.output import Output
from caucus_desk.exchange.problems import BadInput
from caucus_desk.rules.errors import CaucusError

DONE, NEEDS_A_PERSON, WRONG_USE, REFUSED, STORE_UNUSABLE = 0, 1, 2, 3, 4
FAULT = 70
INTERRUPTED = 130
PIPE_CLOSED = 141

Handler = Callable[[argparse.Namespace, Output], int]


class WrongUse(CaucusError):
    """What was asked for cannot be read as a command: exit code 2."""

    exit_code = WRONG_USE


def run(handler: Handler, arguments: argparse.Namespace, addresses: Addresses | None = None) -> int:
    """Runs `handler` and answers with the exit code of commands.md. Never lets a traceback out."""
    out = Output(arguments.json)
    _speak_plainly()
    try:
        if addresses is not None:
            if addresses.had_password:
                out.complain(SEEN_BY_OTHERS)
            if addresses.fault is not None:
                raise addresses.fault
        code = _let_in(handler, arguments, out)
        _flush()
    except CaucusError as error:
        return _refusal(out, error)
    except KeyboardInterrupt:
        # An interrupt that passed through code made from text (a dataclass, say) leaves a mark in the
        # interpreter, which would then end by the signal and not with our exit code. This takes it off.
        exec("")
        out.complain("Stopped. What was not yet saved is left as it was.")
        return INTERRUPTED
    except BrokenPipeError:
        _close_quietly()
        return PIPE_CLOSED
    except OSError as error:
        return _system_refusal(out, error, arguments)
    except Exception as error:  # noqa: BLE001 - the last net: a fault of the program is told in one sentence
        return _fault(out, error, arguments.debug)
    return code


def _let_in(handler: Handler, arguments: argparse.Namespace, out: Output) -> int:
    """Begins again with the password that a shared store asks for, where somebody can be asked.

    A store that lets nobody in is refused before anything is done.
    """
    asked: set[str] = set()
    while True:
        try:
            return handler(arguments, out)
        except CaucusError as error:
            if not ask_password(error, asked):
                raise


def _refusal(out: Output, error: CaucusError) -> int:
    problems = error.problems if isinstance(error, BadInput) else ()
    try:
        out.document(
            {"error": error.typed_sentence, "exit_code": error.exit_code, "problems": problem_rows(problems)}
        )
        out.complain(error.typed_sentence)  # the problems stand in it
        _flush()
    except BrokenPipeError:
        _close_quietly()
    return error.exit_code


def problem_rows(problems: tuple[object, ...]) -> list[dict[str, object]]:
    """Bad rows for a JSON document: file, sheet, row, column, value and what was expected."""
    keys = ("file", "sheet", "row", "column", "value", "expected")
    return [{key: getattr(problem, key) for key in keys} for problem in problems]


def _system_refusal(out: Output, error: OSError, arguments: argparse.Namespace) -> int:
    """The machine says no: a folder that may not be written, a full disk. The person's to mend."""
    if error.errno == errno.EPIPE:
        _close_quietly()
        return PIPE_CLOSED
    if error.strerror is None:
        return _fault(out, error, arguments.debug)
    record(error)
    if arguments.debug:
        traceback.print_exc()
    sentence = _system_sentence(error, arguments.command)
    out.document({"error": sentence, "exit_code": REFUSED, "problems": []})
    out.complain(sentence)
    return REFUSED


def _system_sentence(error: OSError, command: str | None) -> str:
    """What was tried, where the machine said no, and what to do."""
    place = str(error.filename) if error.filename else ""
    reason, remedy = f"the system says: {error.strerror}", "Check the disk and the folder, then try again."
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        reason = "this may not be written or read"
        remedy = "Choose another place, or ask for the right to use this one."
        if command == "demo":
            remedy = "Choose another folder with --dir."
    elif error.errno in (errno.ENOSPC, errno.EDQUOT):
        reason, remedy = "the disk is full", "Free some space, then try again."
    elif error.errno in (errno.ENOENT, errno.ENOTDIR):
        reason, remedy = "there is no such file or folder", "Check the name."
    elif error.errno in (errno.EEXIST, errno.EISDIR):
        reason, remedy = "something else has this name already", "Choose another name."
    return f"{command or 'The command'} stopped{f' at {place}' if place else ''}: {reason}. {remedy}"


def _fault(out: Output, error: Exception, debug: bool) -> int:
    log = record(error)
    if debug:
        traceback.print_exception(error)
    where = (
        f"What happened is in {log}." if log else "The log could not be written either; --debug shows more."
    )
    sentence = f"Something went wrong in Caucus Desk itself ({type(error).__name__}). {where}"
    out.document({"error": sentence, "exit_code": FAULT, "problems": []})
    out.complain(sentence)
    return FAULT


def log_file() -> Path:
    return paths.data_dir() / "logs" / "caucus-desk.log"


def record(error: BaseException) -> Path | None:
    """Writes the fault with its traceback to the log; None where even that cannot be done."""
    path = log_file()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handler = RotatingFileHandler(path, maxBytes=1_000_000, backupCount=3, encoding="utf-8")
    except OSError:
        return None
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    logger = logging.getLogger("caucus_desk.commands")
    logger.addHandler(handler)
    try:
        logger.error("the command failed", exc_info=error)
    finally:
        logger.removeHandler(handler)
        handler.close()
    return path


def _speak_plainly() -> None:
    """A name that the terminal's alphabet lacks is written with an escape instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _flush() -> None:
    if sys.stdout is not None:  # started from a desktop's menu there may be none
        sys.stdout.flush()


def _close_quietly() -> None:
    """The reader has gone (`| head`): nothing more is written, not even while the program ends."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
