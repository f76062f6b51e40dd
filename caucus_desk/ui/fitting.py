"""Holding a window to the screen: nothing of it may open where nobody can reach it."""

from PySide6.QtCore import QMargins, QRect, QSize, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

USUAL = QSize(1280, 720)
"""What the window asks for, in logical pixels, where the screen has the room."""
SMALLEST = QSize(480, 320)
"""A laptop of 1366 x 768 at 200 % has 683 x 384 of these, less the panel and the frame."""
FRAME = QMargins(4, 40, 4, 4)
"""What a title bar and borders may take, before the window system has said what they do take."""


def available_area(window: QWidget) -> QRect:
    """The part of the window's screen that no panel covers, in logical pixels."""
    screen = QGuiApplication.screenAt(window.geometry().center()) or window.screen()
    return screen.availableGeometry()


def frame_of(window: QWidget) -> QMargins:
    """What the window system has put around the window, and `FRAME` before it did."""
    outside, inside = window.frameGeometry(), window.geometry()
    if not window.isVisible() or outside == inside:
        return FRAME
    return QMargins(
        inside.left() - outside.left(),
        inside.top() - outside.top(),
        outside.right() - inside.right(),
        outside.bottom() - inside.bottom(),
    )


def held_to(wanted: QRect, available: QRect, frame: QMargins) -> QRect:
    """`wanted` (without its frame), made smaller and moved until it lies in `available` with its frame."""
    room = available.marginsRemoved(frame)
    size = wanted.size().boundedTo(room.size())
    left = min(max(wanted.left(), room.left()), room.right() - size.width() + 1)
    top = min(max(wanted.top(), room.top()), room.bottom() - size.height() + 1)
    return QRect(left, top, size.width(), size.height())


def hold_to_screen(window: QWidget) -> None:
    """Make the window smaller and move it where it would stand out over its screen; else leave it alone."""
    if window.isMaximized() or window.isFullScreen():
        return
    available = available_area(window)
    frame = frame_of(window)
    window.setMinimumSize(SMALLEST.boundedTo(available.marginsRemoved(frame).size()))
    held = held_to(window.geometry(), available, frame)
    if held.size() != window.size():
        window.resize(held.size())
    # A window that was not placed yet is placed by the window system, and looked at again when it is shown.
    placed = window.isVisible() or window.testAttribute(Qt.WidgetAttribute.WA_Moved)
    if placed and held.topLeft() != window.geometry().topLeft():
        # move() counts with the frame, geometry() without it.
        window.move(held.left() - frame.left(), held.top() - frame.top())
