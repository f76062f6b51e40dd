"""The sheet with what stands to its right: the margin or the read-back, and what only paper shows.

Where the page is too narrow for both, they stand below the sheet and the page scrolls.
"""

from collections.abc import Sequence

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from caucus_desk.tally.form import Form
from caucus_desk.ui.entry.notes import MarginNotes, Note, NoteView
from caucus_desk.ui.entry.paper_strip import PaperStrip
from caucus_desk.ui.entry.read_back import ReadBack
from caucus_desk.ui.entry.sheet_grid import ROW_HEIGHT, SheetGrid
from caucus_desk.ui.widgets.basics import STEP

GRID_WIDTH = 686
_SIDE_WIDTH = 660
_SIDE_LEAST = 260
"""Pixels; in less a sentence becomes a column of single words."""
_ANY = 16_777_215
REFUSED = "refused"
"""The key of the note that says why something was not taken."""


class SheetBody(QScrollArea):
    """At large scales it scrolls rather than losing rows."""

    def __init__(self, form: Form, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.stacked = False
        self._notes: tuple[Note, ...] = ()
        self._refused: NoteView | None = None
        self._box = ""
        self._laid_out = QTimer(self, singleShot=True, interval=0)
        self._laid_out.timeout.connect(self._show_box)
        self._read_back_laid_out = QTimer(self, singleShot=True, interval=0)
        self._read_back_laid_out.timeout.connect(self._to_read_back)
        self.grid = SheetGrid(form)
        self.grid.setFixedWidth(GRID_WIDTH)
        self.notes = MarginNotes(self.grid.row_top)
        self.read_back = ReadBack()
        self.paper = PaperStrip(form) if form.paper_fields else None
        self._side = QStackedWidget()
        self._side.addWidget(self.notes)
        self._side.addWidget(self.read_back)
        self._right = QWidget()
        self._right.setMaximumWidth(_SIDE_WIDTH)
        right = QVBoxLayout(self._right)
        right.setContentsMargins(0, 0, 0, 0)
        right.setSpacing(STEP)
        right.addWidget(self._side, 1)
        if self.paper is not None:
            right.addWidget(self.paper)
            for path, box in self.paper.boxes.items():
                self.grid.adopt(path, box)
            self.grid.extra_order = self.paper.order
        body = QWidget()
        body.setObjectName("clear")
        self._middle = QBoxLayout(QBoxLayout.Direction.LeftToRight, body)
        self._middle.setContentsMargins(0, 0, 0, 0)
        self._middle.setSpacing(2 * STEP)
        self._middle.addWidget(self.grid)
        self._middle.addWidget(self._right, 100)
        self._middle.addStretch(1)
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(body)

    # --- beside or below ----------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        stacked = self.width() < GRID_WIDTH + 2 * STEP + _SIDE_LEAST
        if stacked != self.stacked:
            self._stack(stacked)

    def _stack(self, stacked: bool) -> None:
        self.stacked = stacked
        way = QBoxLayout.Direction
        self._middle.setDirection(way.TopToBottom if stacked else way.LeftToRight)
        self._right.setMaximumWidth(_ANY if stacked else _SIDE_WIDTH)
        self.notes.flow(stacked)
        self.show_notes(self._notes)
        self._fit_read_back()

    def _fit_read_back(self) -> None:
        """Below the sheet the read-back is as high as it is whole, so that only the page scrolls."""
        shown = self.stacked and self.reading
        self.read_back.setMinimumHeight(self.read_back.whole_height if shown else 0)

    # --- what is shown ------------------------------------------------------------------------

    @property
    def reading(self) -> bool:
        """Whether the read-back is shown in the place of the margin."""
        return self._side.currentWidget() is self.read_back

    def show_margin(self) -> None:
        self._side.setCurrentWidget(self.notes)
        self.notes.flow(self.stacked)
        self._fit_read_back()

    def show_read_back(self) -> None:
        self._side.setCurrentWidget(self.read_back)
        self.notes.setMinimumHeight(0)
        self._fit_read_back()
        if self.stacked:
            self._read_back_laid_out.start()

    def _to_read_back(self) -> None:
        self._fit_read_back()
        if self.stacked and self.reading:
            self.verticalScrollBar().setValue(self._right.y())

    def show_notes(self, notes: Sequence[Note]) -> None:
        """In the margin; what was just refused stands below its box where the margin is far away."""
        self._notes = tuple(notes)
        refused = next((note for note in notes if note.key == REFUSED), None) if self.stacked else None
        self.notes.show_notes([note for note in notes if note is not refused])
        if self._refused is not None:
            self._refused.hide()
            self._refused.deleteLater()
            self._refused = None
        if refused is None:
            return
        view = NoteView(refused, self.grid)
        width = self.grid.width() - 20 * STEP
        height = view.height_for(width)
        top = self.grid.row_top(refused.path)
        below = top + ROW_HEIGHT + 1
        place = below if below + height <= self.grid.height() else top - height - 1
        view.setGeometry(18 * STEP, max(0, place), width, height)
        view.show()
        view.raise_()
        self._refused = view
        self.ensureWidgetVisible(view, 0, 0)

    def show_box(self, path: str) -> None:
        self._box = path
        self._show_box()
        if self.stacked:
            self._laid_out.start()  # again when what stands below has its new height

    def _show_box(self) -> None:
        self.ensureWidgetVisible(self.grid.boxes[self._box], 0, 2 * ROW_HEIGHT)
