"""The one place for messages of a window: a bar in the page, never a box in front of it."""

from enum import StrEnum

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QSizePolicy, QWidget

from caucus_desk.ui.icons import IconLabel, keep_icon
from caucus_desk.ui.widgets.basics import button

_GOOD_NEWS_STAYS = 8_000  # milliseconds


class Kind(StrEnum):
    NOTE = "note"
    GOOD = "good"
    WARN = "warn"
    BAD = "bad"


class NoticeBar(QFrame):
    """Shows one message until it is closed, replaced or cleared; good news leaves by itself.

    `said` repeats each message, so that a test can ask for the one that was shown.
    """

    said = Signal(str, str)
    shown_changed = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("notice")
        self._icon = IconLabel(side=20)
        self._text = QLabel()
        self._text.setWordWrap(True)
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._close = button("", role="quiet")
        self._close.setAccessibleName(self.tr("Close this message"))
        self._close.setToolTip(self.tr("Close this message"))
        self._close.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        keep_icon(self._close, "close")
        self._close.clicked.connect(self.clear)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 6, 6, 6)
        row.setSpacing(12)
        row.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self._text, 1)
        row.addWidget(self._close, 0, Qt.AlignmentFlag.AlignTop)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.clear)
        self.hide()

    @property
    def text(self) -> str:
        """The message that is shown, "" if none."""
        return "" if self.isHidden() else self._text.text()

    def refuse(self, sentence: str) -> None:
        """Something was not done, and why."""
        self._show(Kind.BAD, sentence)

    def warn(self, sentence: str) -> None:
        self._show(Kind.WARN, sentence)

    def say(self, sentence: str) -> None:
        self._show(Kind.NOTE, sentence)

    def done(self, sentence: str) -> None:
        """Something was done; only after it really was."""
        self._show(Kind.GOOD, sentence)
        self._timer.start(_GOOD_NEWS_STAYS)

    def clear(self) -> None:
        self._timer.stop()
        self.hide()
        self.shown_changed.emit(False)

    def leave_page(self) -> None:
        """The page where it was said is left: news of what was done there stays behind, trouble does not."""
        if self.property("kind") in (Kind.NOTE.value, Kind.GOOD.value):
            self.clear()

    def _show(self, kind: Kind, sentence: str) -> None:
        self._timer.stop()
        look = {
            Kind.NOTE: ("note", "text"),
            Kind.GOOD: ("good", "good"),
            Kind.WARN: ("warn", "warn"),
            Kind.BAD: ("bad", "bad"),
        }[kind]
        self._icon.show_icon(*look)
        self._text.setText(sentence)
        if self.property("kind") != kind.value:
            self.setProperty("kind", kind.value)
            self.style().unpolish(self)
            self.style().polish(self)
        self.shown_changed.emit(True)
        self.show()
        self.said.emit(kind.value, sentence)
