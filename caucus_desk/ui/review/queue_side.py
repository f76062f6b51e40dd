"""The left of the page: the filter and the queue, with how many of how many are shown."""

from collections.abc import Iterable, Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QHBoxLayout,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from caucus_desk.desk.cases import QueueItem
from caucus_desk.tally.overview import Overview
from caucus_desk.ui import fonts, icons
from caucus_desk.ui.entry.wording import counted
from caucus_desk.ui.review.queue_filter import QueueFilter
from caucus_desk.ui.review.queue_rows import QueueRow, queue_columns, rows_of, ruled_rows, search_text
from caucus_desk.ui.theme import theme
from caucus_desk.ui.widgets.basics import STEP, EmptyState, label, title
from caucus_desk.ui.widgets.table import Index, TableModel, TableView
from caucus_desk.ui.words import number

_NO_LIMIT = 16_777_215
"""Qt's own word for a height without limit."""


class TwoLines(QStyledItemDelegate):
    """A name and what belongs to it below, each cut where it ends and never run into the other."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        first, _, second = str(index.data() or "").partition("\n")
        whole = QStyleOptionViewItem(option)
        self.initStyleOption(whole, index)
        whole.text = ""
        style = whole.widget.style()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, whole, painter, whole.widget)
        area = option.rect.adjusted(icons.SMALL + 2 * STEP, 0, -3, 0)
        upper, lower = (
            area.adjusted(0, 3, 0, -area.height() // 2),
            area.adjusted(0, area.height() // 2, 0, -3),
        )
        selected = bool(whole.state & QStyle.StateFlag.State_Selected)
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.save()
        for text, place, font, role in (
            (first, upper, fonts.body(bold=True), "text"),
            (second, lower, fonts.body(), "muted"),
        ):
            painter.setFont(font)
            painter.setPen(theme().colour("on_selection" if selected else role))
            cut = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, place.width())
            painter.drawText(place, left, cut)
        painter.restore()


class QueueTable(TableView):
    """Letters are the page's: they turn the filter or go to the next case."""

    letter = Signal(str)
    filter_wanted = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        plain = not event.modifiers() & (
            Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
        )
        if plain and event.text() == "/":
            self.filter_wanted.emit()
        elif plain and event.text().isalpha():
            if not event.isAutoRepeat():
                self.letter.emit(event.text().upper())
        else:
            super().keyPressEvent(event)


class QueueSide(QWidget):
    """`opened` carries a precinct id; `walked` too, for a row that was only gone to."""

    opened = Signal(str)
    walked = Signal(str)
    letter = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._waiting = 0
        self._ranks: Mapping[str, int] | None = None
        self.filter = QueueFilter()
        self.model: TableModel[QueueRow] = TableModel(queue_columns(), lambda row: row.id, search_text)
        self.table = QueueTable(self.model, self.tr("Precincts that need a person"))
        self.table.setWordWrap(True)
        self.table.setItemDelegateForColumn(0, TwoLines(self.table))
        self.table.verticalHeader().setDefaultSectionSize(7 * STEP + 2)  # two lines a precinct
        self.no_fit = EmptyState(
            "search",
            self.tr("No precinct fits"),
            self.tr("Change what you typed, or press Esc."),
            narrow=True,
        )
        self._count = label(role="muted")
        self.keys = label(self.tr("Enter opens · / filter · K C T O turn the choices"), "small")
        self._lay_out()
        self.model.set_keep(self.filter.keeps)
        self.filter.words.textChanged.connect(self.model.set_filter)
        self.filter.changed.connect(lambda: self.model.set_keep(self.filter.keeps))
        self.filter.into_list.connect(self.take_focus)
        self.model.filtered.connect(self._say_count)
        self.table.opened.connect(self.opened)
        self.table.letter.connect(self._letter)
        self.table.filter_wanted.connect(lambda: self.filter.words.setFocus(Qt.FocusReason.TabFocusReason))
        self.table.selectionModel().currentRowChanged.connect(self._moved)

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, STEP, 0)
        column.setSpacing(STEP)
        head = QHBoxLayout()
        head.addWidget(title(self.tr("Review")))
        head.addStretch(1)
        head.addWidget(self._count)
        column.addLayout(head)
        column.addWidget(self.filter)
        column.addWidget(self.table, 1)
        column.addWidget(self.no_fit, 1)
        column.addWidget(self.keys)
        self.no_fit.hide()

    # --- showing ------------------------------------------------------------------------------

    def show_items(self, items: Iterable[QueueItem], overview: Overview, person: str) -> None:
        waiting = rows_of(items, person)
        self._waiting = len(waiting)
        rows = self._in_order([*waiting, *ruled_rows(overview)])
        if rows != list(self.model.rows):
            self.model.set_rows(rows)
        self._say_count()

    def set_ranks(self, ranks: Mapping[str, int] | None) -> None:
        """Places by precinct id, those without one after the others; None for the desk's own order."""
        self._ranks = ranks
        rows = self._in_order(self.model.rows)
        if rows != list(self.model.rows):
            self.model.set_rows(rows)

    def _in_order(self, rows: Iterable[QueueRow]) -> list[QueueRow]:
        ranks = self._ranks or {}
        return sorted(rows, key=lambda row: (ranks.get(row.id, len(ranks)), row.place))

    @property
    def waiting(self) -> int:
        """How many need a person, whatever the filter."""
        return self._waiting

    @property
    def any_rows(self) -> bool:
        """Also rulings that stand."""
        return bool(self.model.rows)

    @property
    def shown(self) -> Sequence[QueueRow]:
        return self.model.shown

    @property
    def count_text(self) -> str:
        """What the head says of how many are shown."""
        return self._count.text()

    def _say_count(self) -> None:
        """`39 precincts`; while the list is narrowed, `1 of 39`."""
        shown = len(self.model.shown)
        if self.filter.narrows and shown != self._waiting:
            self._count.setText(self.tr("{0} of {1}").format(number(shown), number(self._waiting)))
        else:
            self._count.setText(counted(shown, self.tr("precinct"), self.tr("precincts")))
        nothing = bool(self.model.rows) and not shown
        # The table keeps its head and the focus, so that the letters that turn the choices still work.
        head = self.table.horizontalHeader().sizeHint().height() + 4
        self.table.setMaximumHeight(head if nothing else _NO_LIMIT)
        self.no_fit.setVisible(nothing)
        if shown and self.table.hasFocus() and not self.table.selectionModel().hasSelection():
            self.table.selectRow(0)  # the next key finds a row

    # --- going about --------------------------------------------------------------------------

    def take_focus(self) -> None:
        self.table.setFocus(Qt.FocusReason.TabFocusReason)
        if not self.table.selectionModel().hasSelection() and self.model.shown:
            self.table.selectRow(max(0, self.table.currentIndex().row()))

    def place_of(self, precinct_id: str) -> int:
        return self.model.place_of(precinct_id)

    def select_place(self, place: int) -> None:
        """The row there, or the last one where the list is shorter now."""
        if self.model.shown:
            self.table.selectRow(min(max(place, 0), len(self.model.shown) - 1))

    def after(self, precinct_id: str) -> str:
        """The case after this one that nobody else has open; "" where there is none."""
        rows = list(self.model.shown)
        place = self.model.place_of(precinct_id)
        ordered = [*rows[place + 1 :], *rows[: max(place, 0)]]
        return next((row.id for row in ordered if not row.claimed_by), "")

    def show_all(self, precinct_id: str) -> None:
        """Takes the filter away where it hides this precinct."""
        if self.model.place_of(precinct_id) < 0 and any(row.id == precinct_id for row in self.model.rows):
            self.filter.clear()

    def _moved(self) -> None:
        key = self.table.current_key
        if key and self.table.hasFocus():
            self.walked.emit(key)

    def _letter(self, letter: str) -> None:
        if not self.filter.turn(letter):
            self.letter.emit(letter)
