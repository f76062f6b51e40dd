"""The sheet: a box for every count of the form, in the order of the paper, and the way from box to box.

Built from the one form description only. It knows no rules: the page tells it what stands beside.
"""

import time
from collections.abc import Mapping, Sequence

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QWidget

from caucus_desk.tally.form import Form, Kind
from caucus_desk.tally.sheet import Column
from caucus_desk.ui import fonts
from caucus_desk.ui.entry.cells import Cell, Viability
from caucus_desk.ui.entry.count_edit import CountEdit, Mark
from caucus_desk.ui.entry.tick import TickEdit
from caucus_desk.ui.theme import theme
from caucus_desk.ui.widgets.basics import label as plain

Box = CountEdit | TickEdit
_LETTERS_TOGETHER = 0.8
"""Seconds within which letters belong to one name."""
ROW_HEIGHT = 27
_LABEL_WIDTH, _SIDE_WIDTH, _RULES_WIDTH = 92, 98, 116
BOX_STYLE = (
    "CountEdit, TickEdit { padding: 0px 5px; min-height: 0px; }"
    "CountEdit:focus, TickEdit:focus { padding: 0px 4px; }"
)
_RIGHT = Qt.AlignmentFlag.AlignRight


def group_of(path: str) -> str | None:
    """The group of a count's path, None for a field of the whole sheet."""
    group, dot, _ = path.rpartition(".")
    return group if dot else None


class SheetGrid(QWidget):
    """Boxes, cells beside them, totals below. `order` is the reading order of the boxes."""

    edited = Signal(str, str)
    """A path, and its text now."""
    refused = Signal(str, str)
    """A path, and the sentence why a key or a paste was not taken."""
    told = Signal(str, str)
    """A path, and a sentence about a key that was taken."""
    block = Signal(str, str)
    """Several cells were pasted with the hand on a path."""
    touched = Signal()
    finished = Signal()
    """Enter on the last box."""
    moved = Signal(str)
    """The path that has the focus now."""

    def __init__(self, form: Form, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.form = form
        self.boxes: dict[str, Box] = {}
        self.order: tuple[str, ...] = tuple(field.path for field in form.counts)
        self.route: tuple[str, ...] | None = None
        """When set, Enter goes only through these boxes: those that do not match."""
        self.current: str | None = None
        self._passed: set[str] = set()
        self._letters, self._lettered = "", 0.0
        self._marks: dict[str, tuple[Cell, Cell]] = {}
        self._rules: dict[str, Cell] = {}
        self._rows: dict[str, QLabel] = {}
        self._labels = {line.group: line.label for line in form.lines}
        self.setStyleSheet(BOX_STYLE)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(6, 0, 6, 0)
        self._grid.setHorizontalSpacing(6)
        self._grid.setVerticalSpacing(0)
        self.threshold = Cell(220)
        self._build_top()
        self._build_head()
        for place, line in enumerate(form.lines):
            self._build_line(place + 2, line.group)
        self.totals = self._build_totals(len(form.lines) + 2)
        self._grid.setRowStretch(len(form.lines) + 3, 1)

    # --- building -----------------------------------------------------------------------------

    def _build_top(self) -> None:
        """The sheet's own counts stand above the groups, the first of them over the first column."""
        bar = QHBoxLayout()
        bar.setSpacing(6)
        for place, field in enumerate(self.form.sheet_fields):
            label = plain(field.label)
            box = self._add_box(field.path, field.label, Kind.COUNT)
            label.setBuddy(box)
            if place == 0:
                self._grid.addWidget(label, 0, 0)
                self._grid.addWidget(box, 0, 1)
            else:
                bar.addSpacing(12)
                bar.addWidget(label)
                bar.addWidget(box)
        bar.addSpacing(6)
        bar.addWidget(self.threshold)
        bar.addStretch(1)
        self._grid.addLayout(bar, 0, 2, 1, 6)
        self._grid.setRowMinimumHeight(0, ROW_HEIGHT + 2)

    def _build_head(self) -> None:
        for place, (_, text) in enumerate(self.form.columns):
            head = plain(text.removesuffix(" alignment"))
            head.setProperty("role", "muted")
            head.setFont(fonts.body(fonts.SMALL_POINTS))
            head.setAlignment(_RIGHT | Qt.AlignmentFlag.AlignVCenter)
            self._grid.addWidget(head, 1, 2 * place, 1, 2)
        rules = Cell(_RULES_WIDTH, align=_RIGHT, small=True)
        rules.show_text("rules give", "muted")
        self._grid.addWidget(rules, 1, 6)
        self._grid.setRowMinimumHeight(1, 18)
        self._grid.setColumnStretch(7, 1)

    def _build_line(self, row: int, group: str) -> None:
        line = next(line for line in self.form.lines if line.group == group)
        label = plain(line.label)
        label.setMinimumWidth(_LABEL_WIDTH)
        self._rows[group] = label
        self._grid.addWidget(label, row, 0)
        for place, field in enumerate(line.fields):
            self._grid.addWidget(self._add_box(field.path, field.label, Kind.COUNT), row, 1 + 2 * place)
        first, final = Cell(_SIDE_WIDTH, small=True), Cell(_SIDE_WIDTH, small=True)
        rules = Cell(_RULES_WIDTH, align=_RIGHT)
        self._marks[group], self._rules[group] = (first, final), rules
        for cell, column in ((first, 2), (final, 4), (rules, 6)):
            self._grid.addWidget(cell, row, column)
        self._grid.setRowMinimumHeight(row, ROW_HEIGHT)

    def _build_totals(self, row: int) -> Mapping[str, Cell]:
        label = plain("Total")
        label.setFont(fonts.body(bold=True))
        self._grid.addWidget(label, row, 0)
        cells = {}
        for name, column, width, right in (
            ("first", 1, 76, True), ("first side", 2, _SIDE_WIDTH, False), ("final", 3, 76, True),
            ("final side", 4, _SIDE_WIDTH, False), ("delegates", 5, 76, True),
            ("rules", 6, _RULES_WIDTH, True),
        ):  # fmt: skip
            figure = width == 76
            cell = Cell(
                width, align=_RIGHT if right else Qt.AlignmentFlag.AlignLeft, bold=figure, small=not figure
            )
            cells[name] = cell
            self._grid.addWidget(cell, row, column)
        self._grid.setRowMinimumHeight(row, ROW_HEIGHT)
        return cells

    def _add_box(self, path: str, label: str, kind: Kind) -> Box:
        box: Box = CountEdit(label, self) if kind is Kind.COUNT else TickEdit(label, self)
        self.adopt(path, box)
        return box

    def adopt(self, path: str, box: Box) -> None:
        """Take a box into the sheet's traffic, also one that stands elsewhere on the page."""
        self.boxes[path] = box
        box.textChanged.connect(lambda text, path=path: self.edited.emit(path, text))
        box.onward.connect(lambda enter, path=path: self._onward(path, enter))
        box.back.connect(lambda path=path: self._step(path, -1))
        box.touched.connect(self.touched)
        box.touched.connect(self._forget_letters)
        box.reached.connect(lambda path=path: self._arrive(path))
        if isinstance(box, CountEdit):
            box.refused.connect(lambda sentence, path=path: self.refused.emit(path, sentence))
            box.told.connect(lambda sentence, path=path: self.told.emit(path, sentence))
            box.block.connect(lambda text, path=path: self.block.emit(path, text))
            box.letter.connect(lambda letter, path=path: self._jump(path, letter))

    # --- the way from box to box --------------------------------------------------------------

    @property
    def passed(self) -> frozenset[str]:
        """Groups whose row the hand has been in and has left."""
        current = group_of(self.current) if self.current else None
        return frozenset(group for group in self._passed if group != current)

    def start(self, texts: Mapping[str, str], passed: frozenset[str]) -> None:
        """Show the texts of a draft (or none)."""
        self.route, self.current = None, None
        self._passed = set(passed)
        for path, box in self.boxes.items():
            box.restore(texts.get(path, ""))
            box.set_mark(Mark.NONE)

    def focus(self, path: str) -> None:
        box = self.boxes[path]
        there = box.hasFocus()
        box.setFocus(Qt.FocusReason.TabFocusReason)
        if there:  # nothing told the sheet, and landing on a box selects it
            box.selectAll()
            self._arrive(path)

    def end_here(self, path: str, typed: str) -> None:
        """Digits were typed past the end of the sheet: the last box says so and takes none."""
        box = self.boxes[path]
        if isinstance(box, CountEdit):
            box.end_here(typed)

    def set_route(self, paths: Sequence[str] | None) -> None:
        self.route = tuple(path for path in self.order if path in paths) if paths else None

    def _onward(self, path: str, enter: bool) -> None:
        if not self._step(path, 1) and enter:
            self.finished.emit()

    def _step(self, path: str, by: int) -> bool:
        """To the next box of the way, False at its end; there is no way round."""
        self._forget_letters()
        way = self._way(path)
        place = way.index(path) + by
        if not 0 <= place < len(way):
            return False
        self.focus(way[place])
        return True

    def _way(self, path: str) -> Sequence[str]:
        if self.route is not None and path in self.route:
            return self.route
        return self.order if path in self.order else self.extra_order

    extra_order: tuple[str, ...] = ()
    """The boxes outside the sheet's own order (what only paper shows)."""

    def _jump(self, path: str, letter: str) -> None:
        """To the next group whose name begins so, in the column where the hand is.

        Letters typed quickly narrow together ("bu" is Buttigieg); the same one again goes to the next group.
        """
        now, letter = time.monotonic(), letter.casefold()
        before = self._letters if now - self._lettered < _LETTERS_TOGETHER else ""
        wanted = before + letter
        narrows = bool(before) and set(wanted) != {letter}
        if not narrows or not self._jump_to(path, wanted, stay=True):
            wanted = letter * len(wanted) if not narrows else letter
            self._jump_to(path, letter, stay=False)
        self._letters, self._lettered = wanted, now

    def _jump_to(self, path: str, wanted: str, *, stay: bool) -> bool:
        """False where no group's name begins so. `stay`: the group where the hand is may be the one."""
        groups = list(self._labels)
        here = group_of(path)
        start = groups.index(here) + (not stay) if here in groups else 0
        column = path.rpartition(".")[2] if here in groups else Column.FIRST
        for group in (*groups[start:], *groups[:start]):
            if self._labels[group].casefold().startswith(wanted):
                self.focus(f"{group}.{column}")
                return True
        return False

    def _forget_letters(self) -> None:
        self._letters = ""

    def _arrive(self, path: str) -> None:
        before = group_of(self.current) if self.current else None
        self.current = path
        here = group_of(path)
        if here is not None:
            self._passed.add(here)
        if before != here:
            self._update_row(before)
            self._update_row(here)
        self.moved.emit(path)

    # --- what stands beside -------------------------------------------------------------------

    def show_viability(self, group: str, column: Column, viability: Viability) -> None:
        self._marks[group][0 if column is Column.FIRST else 1].show_viability(viability)

    def show_rules(self, group: str, text: str, role: str, icon: str) -> None:
        self._rules[group].show_text(text, role, icon)

    def show_marks(self, marks: Mapping[str, Mark]) -> None:
        for path, box in self.boxes.items():
            box.set_mark(marks.get(path, Mark.NONE))

    def row_top(self, path: str) -> int:
        """Where the row of a path begins, in pixels of this widget; "" is the totals' row."""
        if not path:
            return self.totals_top
        group = group_of(path)
        if group in self._rows:
            return self._row_rect(group).top()
        return (
            self.boxes[path].mapTo(self, self.boxes[path].rect().topLeft()).y() if path in self.order else 0
        )

    @property
    def totals_top(self) -> int:
        return self.totals["first"].y()

    def _row_rect(self, group: str) -> QRect:
        label = self._rows[group]
        middle = label.geometry().center().y()
        return QRect(0, middle - ROW_HEIGHT // 2, self.width(), ROW_HEIGHT)

    def _update_row(self, group: str | None) -> None:
        if group in self._rows:
            self.update(self._row_rect(group))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        colours = theme()
        here = group_of(self.current) if self.current else None
        for place, group in enumerate(self._rows):
            area = self._row_rect(group)
            if not event.rect().intersects(area):
                continue
            if group == here:
                painter.fillRect(area, colours.colour("hover"))
            elif place % 2 == 0:
                painter.fillRect(area, colours.colour("stripe"))
        top = self.totals_top - 3
        painter.fillRect(QRect(0, top, self.width(), 1), colours.colour("edge"))
        painter.end()
