"""The figures of a case in worksheet order: the channels beside each other, the rules, the ruling."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QWidget

from caucus_desk.tally.report import Channel, HeadKey
from caucus_desk.ui import fonts
from caucus_desk.ui.entry.counts import typed
from caucus_desk.ui.review.choices import Choice
from caucus_desk.ui.review.heads import Head
from caucus_desk.ui.theme import theme
from caucus_desk.ui.widgets.table import ColumnSpec, Index, TableModel, TableView
from caucus_desk.ui.words import BLANK

_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


@dataclass(frozen=True, slots=True)
class CaseLine:
    """One field as it is shown. `rules` is what the rules give for the sheet as chosen."""

    path: str
    group: str
    column: str
    values: tuple[tuple[HeadKey, int | None], ...]
    differs: bool
    rules: str
    stands: int | None
    choice: Choice | None
    first_of_group: bool

    @property
    def blank_in_all(self) -> bool:
        """Nobody states it, in a row that is partly filled: nothing to choose from, somebody must ask."""
        return all(count is None for _, count in self.values)

    def value(self, key: HeadKey) -> str:
        count = dict(self.values).get(key)
        return BLANK if count is None else str(count)


class CaseModel(TableModel[CaseLine]):
    """Rows that differ stand out by a drawing, a word and weight, and then by colour."""

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        line = self.row_at(index)
        if line is not None and line.differs and role == Qt.ItemDataRole.FontRole:
            return fonts.body(bold=True)
        return super().data(index, role)


class CaseDelegate(QStyledItemDelegate):
    """Tints the rows that differ; the stylesheet of the house leaves an item's own ground out."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        model = index.model()
        line = model.row_at(index) if isinstance(model, CaseModel) else None
        if line is not None and line.differs:
            painter.fillRect(option.rect, theme().colour("warn_ground"))
        super().paint(painter, option, index)


class CaseTable(TableView):
    """Letters, digits and Enter are the case's; arrows walk through the fields."""

    letter = Signal(str, bool)
    """A letter, upper case, and whether Shift was held."""
    digit = Signal(str)
    erased = Signal()
    onward = Signal()
    left = Signal()
    walked = Signal()
    """The person went to a field by an arrow or the mouse."""

    def __init__(self, model: CaseModel, name: str, parent: QWidget | None = None) -> None:
        super().__init__(model, name, parent)
        self.setSortingEnabled(False)
        self.setAlternatingRowColors(False)
        self.setItemDelegate(CaseDelegate(self))
        self.horizontalHeader().setStretchLastSection(True)
        self.handed: Callable[[int, str], bool] = lambda key, text: False
        """Takes keys that are no letters and no digits, such as + and PgUp, before the table does."""
        self.clicked.connect(lambda _: self.walked.emit())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        held = event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier)
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        elif event.key() in _ENTER:
            if held:
                event.ignore()
            elif not event.isAutoRepeat():
                self.onward.emit()
        elif held:
            super().keyPressEvent(event)
        elif event.key() in (Qt.Key.Key_Backspace, Qt.Key.Key_Delete):
            self.erased.emit()
        elif typed(event.text()):
            self.digit.emit(typed(event.text()))
        elif self.handed(event.key(), event.text()):
            event.accept()
        elif event.text().isalpha():
            if not event.isAutoRepeat():
                shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
                self.letter.emit(event.text().upper(), shift)
        else:
            before = self.current_key
            super().keyPressEvent(event)
            if self.current_key != before:
                self.walked.emit()


def case_columns(heads: Sequence[Head]) -> Sequence[ColumnSpec[CaseLine]]:
    """A column for each report that stands; its title says who and when."""
    crowded = any(not isinstance(head.key, Channel) for head in heads)
    columns = [
        ColumnSpec[CaseLine](
            "Group", 82, lambda line: line.group if line.first_of_group else "", least=73 if crowded else 0
        ),
        ColumnSpec[CaseLine](
            "Field", 114, lambda line: line.column, icon=_differs, least=104 if crowded else 0
        ),
    ]
    for head in heads:
        columns.append(
            ColumnSpec[CaseLine](
                head.title,
                84,
                lambda line, key=head.key: line.value(key),  # type: ignore[misc]
                number=True,
                icon=lambda line, key=head.key: _chosen(line, key),  # type: ignore[misc]
            )
        )
    columns.append(ColumnSpec[CaseLine]("Rules\ngive", 50, lambda line: line.rules, number=True))
    columns.append(ColumnSpec[CaseLine]("Ruling", 84, _ruling, number=True, icon=_ruled, colour=_colour))
    return columns


def _differs(line: CaseLine) -> tuple[str, str] | None:
    return ("mismatched", "bad") if line.differs else None


def _chosen(line: CaseLine, key: HeadKey) -> tuple[str, str] | None:
    return ("good", "good") if line.choice is not None and line.choice.channel == key else None


def _ruling(line: CaseLine) -> str:
    if line.choice is None and line.differs:
        if line.blank_in_all:
            return "blank in both: ask" if len(line.values) == 2 else "blank in all: ask"
        return "differs"
    if line.choice is None:
        return BLANK if line.stands is None else str(line.stands)
    value = BLANK if line.choice.value is None else str(line.choice.value)
    return f"typed {value}" if line.choice.channel is None else value


def _ruled(line: CaseLine) -> tuple[str, str] | None:
    if line.choice is not None:
        return ("ruled", "good")
    return None


def _colour(line: CaseLine) -> str | None:
    if line.choice is not None:
        return "text"
    return "bad" if line.differs else "muted"
