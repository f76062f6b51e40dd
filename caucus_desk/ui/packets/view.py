"""County packets, in the place of the list of worksheets: the county's side or headquarters'."""

from itertools import pairwise

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from caucus_desk.desk.kits import county_of
from caucus_desk.ui.context import Context
from caucus_desk.ui.packets.county import CountyPackets
from caucus_desk.ui.packets.headquarters import HeadquartersPackets
from caucus_desk.ui.widgets.basics import STEP, button, title


class PacketsView(QWidget):
    """Made with its page, filled when it is first opened. Esc goes back."""

    left = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self.side: CountyPackets | HeadquartersPackets | None = None
        self.back = button(self.tr("Back (Esc)"), "back", role="quiet")
        head = QHBoxLayout()
        head.setSpacing(2 * STEP)
        head.addWidget(self.back)
        head.addWidget(title(self.tr("County packets")), 1)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(2 * STEP)
        self._column.addLayout(head)
        self._said = ""
        self.back.clicked.connect(self.leave)
        context.notices.said.connect(self._heard)

    def open(self) -> None:
        if self.side is None:
            county = county_of(self._context.desk)
            self.side = CountyPackets(self._context) if county else HeadquartersPackets(self._context)
            self._column.addWidget(self.side, 1)
            self.side.show()
            # What comes into a window later has no place in its order of Tab.
            for one, after in pairwise((self.back, *self.side.by_tab)):
                QWidget.setTabOrder(one, after)
        self.side.open()

    def _heard(self, _kind: str, text: str) -> None:
        if self.isVisible():
            self._said = text

    def hideEvent(self, event: QHideEvent) -> None:
        """What was said here is not left standing over another page."""
        super().hideEvent(event)
        notices = self._context.notices
        if not event.spontaneous() and self._said and notices.text == self._said:
            notices.clear()
        self._said = ""

    def leave(self) -> None:
        if isinstance(self.side, HeadquartersPackets):
            self.side.leave()
        self.left.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.leave()
        else:
            super().keyPressEvent(event)
