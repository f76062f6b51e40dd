"""The frame of a case: what stands where, on a small screen and on a large one, and files dropped onto it."""

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from caucus_desk.ui.context import Context
from caucus_desk.ui.review.case_lines import CaseLines
from caucus_desk.ui.review.figures import CaseModel, CaseTable, case_columns
from caucus_desk.ui.review.foot import CaseFoot
from caucus_desk.ui.review.panel import FINDINGS, PICTURE, SidePanel
from caucus_desk.ui.widgets.basics import STEP, ElidedLabel, heading, label

_WIDE = 940
"""Pixels from which the panel stands beside the figures and not below them."""
_WIDE_CROWDED = 1300
"""The same, where more reports stand beside each other than usual."""
_MOST = 700
"""Pixels that the figures may keep from a panel beside them."""


class CaseFrame(QWidget):
    """Head, lines, figures, panel and foot. Knows of no case."""

    room_wanted = Signal(bool)
    """The picture is looked at, or many reports stand: the case needs what width there is."""
    dropped = Signal(list)
    """Paths of files that were dropped onto the case."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._wide = False
        self._crowded = False
        self._where = ElidedLabel(mode=Qt.TextElideMode.ElideRight)
        self._where.setFont(heading("").font())
        self._about = label(role="muted")
        self._lines = CaseLines()
        self.model = CaseModel(case_columns(()), lambda line: line.path)
        self.table = CaseTable(self.model, self.tr("Fields of this precinct"))
        self.panel = SidePanel(context)
        self.foot = CaseFoot()
        self.reason, self.record = self.foot.reason, self.foot.record
        self.setAcceptDrops(True)
        self._lay_out()
        self.panel.turned.connect(self._turned)
        self.panel.turn_to(FINDINGS)

    def _lay_out(self) -> None:
        self._outer = QHBoxLayout(self)
        self._outer.setContentsMargins(2 * STEP, 0, 0, 0)
        self._outer.setSpacing(3 * STEP)
        self._column = QVBoxLayout()
        self._column.setSpacing(STEP)
        head = QHBoxLayout()
        head.setSpacing(2 * STEP)
        head.addWidget(self._where, 1)
        head.addWidget(self._about)
        self._column.addLayout(head)
        self._column.addLayout(self._lines)
        self._column.addWidget(self.table, 1000)
        self._column.addWidget(self.panel, 700)
        self._column.addStretch(1)
        self._column.addWidget(self.foot)
        self._outer.addLayout(self._column, 3)

    def _turned(self, name: str) -> None:
        if not self._wide:
            self._column.setStretchFactor(self.panel, 700 if name == FINDINGS else 3000)
        self.room_wanted.emit(name == PICTURE or self._crowded)

    def _crowd(self, crowded: bool) -> None:
        """Whether more reports stand than have the room beside each other on a small screen."""
        if crowded is not self._crowded:
            self._crowded = crowded
            self.room_wanted.emit(crowded or self.panel.shown == PICTURE)
            self._place_panel()

    @property
    def accepts_files(self) -> bool:
        """Whether a picture can be dropped here now."""
        return True

    # --- room ---------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_panel()

    def _place_panel(self) -> None:
        wide = self.width() >= (_WIDE_CROWDED if self._crowded else _WIDE)
        self.table.setMinimumWidth(min(self.table.least_width + 16, _MOST) if wide else 0)
        if wide == self._wide:
            return
        self._wide = wide
        if wide:
            self._column.removeWidget(self.panel)
            self._outer.addWidget(self.panel, 2)
        else:
            self._outer.removeWidget(self.panel)
            self._column.insertWidget(self._column.indexOf(self.table) + 1, self.panel, 700)

    # --- dropping a picture -------------------------------------------------------------------

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if self.accepts_files and any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        if paths and self.accepts_files:
            event.acceptProposedAction()
            self.dropped.emit(paths)
