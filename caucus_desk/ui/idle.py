"""How long nobody has touched the window: no key, no button, no wheel."""

import time

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtWidgets import QApplication

_TOUCHES = frozenset(
    {
        QEvent.Type.KeyPress,
        QEvent.Type.MouseButtonPress,
        QEvent.Type.MouseButtonDblClick,
        QEvent.Type.Wheel,
        QEvent.Type.TouchBegin,
        QEvent.Type.InputMethod,
    }
)
"""A mouse that is only pushed is none: a desk that shakes would keep the window open."""


class Idle(QObject):
    """`over` is emitted when nobody touched the window for `limit` seconds (0: never), once each time.

    Both the steady clock and the clock on the wall count, whichever shows more: the steady one may stand
    still while a laptop is closed. The first key after that is swallowed, not typed.
    """

    over = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.limit = 0.0
        self._on = False
        self._held = False
        self._since = (steady(), wall())

    def start(self, limit: float) -> None:
        """Somebody begins to work here."""
        self.limit = limit
        self._since = (steady(), wall())
        if not self._on:
            self._on = True
            _app().installEventFilter(self)

    def go_on(self, limit: float) -> None:
        """The limit as it is set now; begins where it had not begun and there is one."""
        if limit and not self._on:
            self.start(limit)
        self.limit = limit

    def stop(self) -> None:
        if self._on:
            self._on = False
            _app().removeEventFilter(self)

    @property
    def held(self) -> bool:
        return self._held

    def hold(self, held: bool) -> None:
        """While held it is never over. Afterwards the time of it counts as if nobody had been there: whoever
        ends the hold may be anybody."""
        self._held = held
        self.look()

    def look(self) -> None:
        """Looks at the clocks; to be called now and then."""
        if self._on and not self._held and self._gone():
            self._end()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() not in _TOUCHES or not self._on or self._held:
            return False
        if self._gone():
            self._end()
            return True
        self._since = (steady(), wall())
        return False

    def _gone(self) -> bool:
        passed = max(steady() - self._since[0], wall() - self._since[1])
        return 0 < self.limit <= passed

    def _end(self) -> None:
        self.stop()
        self.over.emit()


def steady() -> float:
    return time.monotonic()


def wall() -> float:
    return time.time()


def _app() -> QApplication:
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    return app
