"""The number pad while NumLock is off: its keys arrive as arrows and the like, and would lead the hand away.

A hand on the pad means digits. The keys that lie apart carry no mark of the pad and go on moving.
"""

import sys

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from caucus_desk.ui.words import tr

_DIGITS = {
    Qt.Key.Key_Insert: "0", Qt.Key.Key_End: "1", Qt.Key.Key_Down: "2", Qt.Key.Key_PageDown: "3",
    Qt.Key.Key_Left: "4", Qt.Key.Key_Clear: "5", Qt.Key.Key_Right: "6", Qt.Key.Key_Home: "7",
    Qt.Key.Key_Up: "8", Qt.Key.Key_PageUp: "9",
}  # fmt: skip
_Modifier = Qt.KeyboardModifier
_HELD = _Modifier.ControlModifier | _Modifier.AltModifier | _Modifier.MetaModifier
_MARKS_ARROWS = sys.platform == "darwin"
"""There every arrow key is marked as one of the pad, and the pad has no NumLock."""


def digit_of(event: QKeyEvent) -> str:
    """The digit that is printed on this key of the pad; "" for any other key."""
    return _DIGITS.get(Qt.Key(event.key()), "") if _of_pad(event) else ""


def is_point(event: QKeyEvent) -> bool:
    """The pad's point, which arrives as Delete and must delete nothing."""
    return _of_pad(event) and event.key() == Qt.Key.Key_Delete


def _of_pad(event: QKeyEvent) -> bool:
    held = event.modifiers()
    pad = bool(held & _Modifier.KeypadModifier) and not held & _HELD
    return pad and not event.text() and not _MARKS_ARROWS


def numlock_is_off() -> str:
    return tr("NumLock is off: the keys of the number pad are read as the digits printed on them.")
