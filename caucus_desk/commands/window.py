"""`open`: the window, and one sentence where there can be none. The only module that reaches the window."""

import argparse
import ctypes
import os
import socket
import sys
from pathlib import Path

from caucus_desk.commands.output import Output
from caucus_desk.commands.person import at_a_terminal
from caucus_desk.rules.errors import Refused

WINDOWLESS = (
    "demo, new, users, load, status, results, findings, ack, mismatches, report, check, backup, restore, "
    "move, audit, math"
)

# What Qt's window plugin for X11 loads; without one of them it would end the program with an abort.
_X11_LIBRARIES = {
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-shape.so.0": "libxcb-shape0",
}


class NoWindow(Refused):
    """There is no display, or Qt cannot use it."""


def run_open(arguments: argparse.Namespace, out: Output) -> int:
    return open_window(arguments.store, out)


def open_window(location: str | None, out: Output | None = None) -> int:
    """The window on a store, or on the last one used. NoWindow where this machine can show none."""
    reason = why_no_window()
    if reason:
        raise NoWindow(f"{reason}, so no window can open here; these commands need none: {WINDOWLESS}.")
    if location is not None:
        # Said here on the command line, before a window is built for a store that cannot be used.
        _try(location, out)
    try:
        from caucus_desk.ui.app import run
    except ImportError as error:
        if error.name and error.name.startswith("caucus_desk"):
            raise
        raise NoWindow(
            f"Qt cannot be loaded ({error}), so no window can open here; these commands need none: "
            f"{WINDOWLESS}."
        ) from error
    return run(location)


def _try(location: str, out: Output | None) -> None:
    """Raises the StoreError of a store that cannot be used. One that asks for a password where nobody is at
    a terminal is the window's to ask for."""
    from caucus_desk.desk.places import NotLetIn
    from caucus_desk.desk.session import open_desk

    try:
        with open_desk(location, looking="://" in location) as desk:
            for warning in desk.warnings:
                if out is not None:
                    out.complain(f"Note: {warning}")
    except NotLetIn:
        if at_a_terminal():
            raise


def why_no_window() -> str | None:
    """Why no window can open on this machine, in words; None if one can."""
    if not sys.platform.startswith(("linux", "freebsd")):
        return None
    platform = os.environ.get("QT_QPA_PLATFORM", "").partition(":")[0].partition(";")[0]
    if platform and platform not in ("xcb", "wayland"):
        return None
    if platform != "xcb" and _wayland_answers():
        return None
    if platform == "wayland" or not os.environ.get("DISPLAY"):
        return "There is no display"
    if not _x11_answers(os.environ["DISPLAY"]):
        return f"The display {os.environ['DISPLAY']} does not answer"
    for library, package in _X11_LIBRARIES.items():
        try:
            ctypes.CDLL(library)
        except OSError:
            return f"The system library {library} is missing (on Debian: apt install {package})"
    return None


def _wayland_answers() -> bool:
    name = os.environ.get("WAYLAND_DISPLAY")
    if not name:
        return False
    return _answers(socket.AF_UNIX, str(Path(os.environ.get("XDG_RUNTIME_DIR", "/")) / name))


def _x11_answers(display: str) -> bool:
    host, _, number = display.rpartition(":")
    screen = number.partition(".")[0]
    if not screen.isdigit():
        return False
    if host in ("", "unix"):
        path = f"/tmp/.X11-unix/X{screen}"
        return _answers(socket.AF_UNIX, "\0" + path) or _answers(socket.AF_UNIX, path)
    if host.startswith("/"):
        return True  # macOS and others name the socket itself; Qt knows better
    return _answers(socket.AF_INET, (host, 6000 + int(screen)))


def _answers(family: socket.AddressFamily, address: str | tuple[str, int]) -> bool:
    try:
        with socket.socket(family, socket.SOCK_STREAM) as line:
            line.settimeout(2)
            line.connect(address)
    except OSError:
        return False
    return True
