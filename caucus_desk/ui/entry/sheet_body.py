"""The sheet with what stands to its right: the margin or the read-back, and what only paper shows."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from caucus_desk.tally.form import Form
from caucus_desk.ui.entry.notes import MarginNotes
from caucus_desk.ui.entry.paper_strip import PaperStrip
from caucus_desk.ui.entry.read_back import ReadBack
from caucus_desk.ui.entry.sheet_grid import SheetGrid
from caucus_desk.ui.widgets.basics import STEP

_GRID_WIDTH = 650
_SIDE_WIDTH = 660


class SheetBody(QScrollArea):
    """At large scales it scrolls rather than losing rows."""

    def __init__(self, form: Form, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.grid = SheetGrid(form)
        self.grid.setFixedWidth(_GRID_WIDTH)
        self.notes = MarginNotes(self.grid.row_top)
        self.read_back = ReadBack()
        self.paper = PaperStrip(form) if form.paper_fields else None
        self._side = QStackedWidget()
        self._side.addWidget(self.notes)
        self._side.addWidget(self.read_back)
        side = QWidget()
        side.setMaximumWidth(_SIDE_WIDTH)
        right = QVBoxLayout(side)
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
        middle = QHBoxLayout(body)
        middle.setContentsMargins(0, 0, 0, 0)
        middle.setSpacing(2 * STEP)
        middle.addWidget(self.grid)
        middle.addWidget(side, 100)
        middle.addStretch(1)
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(body)

    @property
    def reading(self) -> bool:
        """Whether the read-back is shown in the place of the margin."""
        return self._side.currentWidget() is self.read_back

    def show_margin(self) -> None:
        self._side.setCurrentWidget(self.notes)

    def show_read_back(self) -> None:
        self._side.setCurrentWidget(self.read_back)

    def show_box(self, path: str) -> None:
        self.ensureWidgetVisible(self.grid.boxes[path], 0, 30)
