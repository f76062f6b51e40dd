"""The table of the house: fixed widths, figures right-aligned, whole rows, totals ruled off."""

from typing import Any

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from caucus_desk.ui import icons
from caucus_desk.ui.theme import theme
from caucus_desk.ui.widgets.basics import STEP
from caucus_desk.ui.widgets.copying import Grid, as_text, mime, plain_cell
from caucus_desk.ui.widgets.tablemodel import ColumnSpec, Index, Row, TableModel, room_for

__all__ = ["ROW_HEIGHT", "ColumnSpec", "Index", "Row", "TableModel", "TableView", "plain_cell", "room_for"]

ROW_HEIGHT = 4 * STEP + 2
_TIGHT = 90
"""Per cent of what a column of figures asks for, to which it may shrink if its own figures still fit."""


class _FooterDelegate(QStyledItemDelegate):
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        area: QRect = option.rect
        painter.fillRect(area.x(), area.y(), area.width(), 1, theme().colour("edge"))


class TableView(QTableView):
    """A quiet table: whole rows, one at a time, no grid; Enter opens, Ctrl+C copies the shown table."""

    opened = Signal(str)
    """The key of the row that was opened by Enter or a double click."""

    def __init__(self, model: TableModel[Any], name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._kept: tuple[str, int] = ("", 0)
        self.setModel(model)
        self.setAccessibleName(name)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setAlternatingRowColors(True)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setIconSize(QSize(icons.SMALL, icons.SMALL))
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(ROW_HEIGHT)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setHighlightSections(False)
        header.setSortIndicatorClearable(True)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.setSortingEnabled(True)
        model.modelAboutToBeReset.connect(self._remember)
        model.modelReset.connect(self._restore)
        self.doubleClicked.connect(lambda index: self.opened.emit(model.key_at(index)))
        self._ruled = -1
        self._footer_delegate = _FooterDelegate(self)
        self._plain_delegate = QStyledItemDelegate(self)
        model.filtered.connect(self._rule_footer)
        model.filtered.connect(self._content_changed)
        self._least = model.least_widths()
        self._spread = True
        self._spreading = False
        header.sectionResized.connect(self._resized_by_hand)
        theme().changed.connect(self._theme_changed)
        self.set_widths()

    def set_widths(self) -> None:
        """The widths that the columns ask for; where there is more room, or a little less, all give
        alike until a person sets one by hand. No figure is cut: where even that has not the room, the
        table scrolls sideways."""
        if not self._model.columns:
            return
        self._least = self._model.least_widths()
        asked = [max(spec.width, least) for spec, least in zip(self._model.columns, self._least, strict=True)]
        floors = self._floors()
        room = max(sum(floors), self.viewport().width()) if self._spread else sum(asked)
        more = room - sum(floors)
        shares = [wide - floor for wide, floor in zip(asked, floors, strict=True)]
        if more > sum(shares) or not sum(shares):
            floors, more, shares = asked, room - sum(asked), asked
        self._spreading = True
        given = done = 0
        for place, (floor, share) in enumerate(zip(floors, shares, strict=True)):
            done += share
            extra = more * done // sum(shares) - given
            given += extra
            self.setColumnWidth(place, floor + extra)
        self._spreading = False

    @property
    def least_width(self) -> int:
        """In pixels: with less the table scrolls sideways."""
        return sum(self._floors()) + 4

    def _floors(self) -> list[int]:
        return [
            max(spec.least or spec.width * (_TIGHT if spec.number else 96) // 100, least)
            for spec, least in zip(self._model.columns, self._least, strict=True)
        ]

    def _content_changed(self) -> None:
        least = self._model.least_widths()
        if least != self._least:
            self._least = least
            if self._spread:
                self.set_widths()

    def fit_rows(self, *, whole: bool = False) -> None:
        """Not higher than the rows need: an empty box below a short table is no table.

        With `whole` not lower either; the page scrolls then, and not the table in it.
        """
        rows = self.verticalHeader().defaultSectionSize() * self._model.rowCount()
        height = rows + self.horizontalHeader().sizeHint().height() + 4
        self.setMaximumHeight(height)
        self.setMinimumHeight(height if whole else 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._spread:
            self.set_widths()

    def _resized_by_hand(self) -> None:
        if not self._spreading:
            self._spread = False

    def _rule_footer(self) -> None:
        """A line above the totals, as in a ledger."""
        place = len(self._model.shown) if self._model.has_footer else -1
        if self._ruled != place:
            if self._ruled >= 0:
                self.setItemDelegateForRow(self._ruled, self._plain_delegate)
            self._ruled = place
            if place >= 0:
                self.setItemDelegateForRow(place, self._footer_delegate)

    def set_row_height(self, height: int) -> None:
        """In pixels; rows further apart where a short table has a large screen to itself."""
        if height != self.verticalHeader().defaultSectionSize():
            self.verticalHeader().setDefaultSectionSize(height)

    def set_dense(self) -> None:
        """Rows closer together, for a whole sheet at one glance."""
        self.verticalHeader().setDefaultSectionSize(ROW_HEIGHT - 4)

    @property
    def current_key(self) -> str:
        """The key of the selected row, "" if none is."""
        return self._model.key_at(self.currentIndex())

    def select_key(self, key: str) -> bool:
        place = self._model.place_of(key)
        if place < 0:
            return False
        self.selectRow(place)
        self.scrollTo(self._model.index(place, 0))
        return True

    def grid(self) -> Grid:
        """What is shown, as texts, with the totals last."""
        model = self._model
        return Grid(
            [spec.title for spec in model.columns],
            [spec.number for spec in model.columns],
            [
                [str(model.data(model.index(row, place))) for place in range(len(model.columns))]
                for row in range(model.rowCount())
            ],
            model.rowCount() - len(model.shown),
        )

    def as_text(self) -> str:
        """The shown table with its heads, tab-separated, as spreadsheets take it."""
        return as_text(self.grid())

    def copy(self, title: str = "", below: str = "") -> None:
        """The shown table into the clipboard, for a spreadsheet and for an e-mail."""
        made = mime([(title, self.grid())], below)
        made.setText(self.as_text())
        QGuiApplication.clipboard().setMimeData(made)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
            return
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.current_key:
            self.opened.emit(self.current_key)
            return
        super().keyPressEvent(event)

    def _remember(self) -> None:
        self._kept = (self.current_key, self.verticalScrollBar().value())

    def _restore(self) -> None:
        key, scroll = self._kept
        if key and (place := self._model.place_of(key)) >= 0:
            self.selectRow(place)
        self.verticalScrollBar().setValue(scroll)

    def _theme_changed(self) -> None:
        self.viewport().update()

    def row_position(self, key: str) -> QPoint:
        """Where a shown row is, in the viewport; for tests that click."""
        return self.visualRect(self._model.index(self._model.place_of(key), 0)).center()
