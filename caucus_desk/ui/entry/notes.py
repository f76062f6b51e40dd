"""Findings in the margin, each beside its row, as a reader writes them beside a ledger.

Notes stand level with the row they speak of; where two would cover each other the lower one gives
way. They keep their order, and a note that stays keeps its widget, so that nothing jumps.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QScrollArea, QWidget

from caucus_desk.ui import fonts, icons
from caucus_desk.ui.theme import theme

_PAD, _GAP, _ICON = 4, 3, 14
_TEXT_LEFT = _ICON + 16


@dataclass(frozen=True, slots=True)
class Note:
    """One note. `path` is the first field it speaks of; `word` names its kind (error, warning …)."""

    key: str
    path: str
    icon: str
    role: str
    word: str
    message: str
    ask: str = ""


class NoteView(QWidget):
    """Paints one note: icon, the sentence, and below it what to ask."""

    def __init__(self, note: Note, parent: QWidget) -> None:
        super().__init__(parent)
        self.note = note
        self._measured = (-1, 0)
        self._font, self._ask_font = fonts.body(fonts.SMALL_POINTS), fonts.body(fonts.SMALL_POINTS)
        self._ask_font.setItalic(True)
        self._word_font = fonts.body(fonts.SMALL_POINTS, bold=True)
        self.setAccessibleName(f"{note.word}: {note.message} {note.ask}".strip())

    def show_note(self, note: Note) -> None:
        if note != self.note:
            self.note = note
            self._measured = (-1, 0)
            self.setAccessibleName(f"{note.word}: {note.message} {note.ask}".strip())
            self.update()

    def height_for(self, width: int) -> int:
        if self._measured[0] != width:
            inner = width - _TEXT_LEFT - _PAD
            height = self._measure(self._font, self._full, inner)
            if self.note.ask:
                height += self._measure(self._ask_font, self._ask, inner)
            self._measured = (width, height + 2 * _PAD)
        return self._measured[1]

    @property
    def _full(self) -> str:
        return f"{self.note.word.capitalize()}. {self.note.message}"

    @property
    def _ask(self) -> str:
        return f"Ask: “{self.note.ask}”"

    @staticmethod
    def _measure(font: object, text: str, width: int) -> int:
        metrics = QFontMetrics(font)  # type: ignore[call-overload]
        wrap = int(Qt.TextFlag.TextWordWrap)
        rect: QRect = metrics.boundingRect(QRect(0, 0, width, 10_000), wrap, text)
        return rect.height()

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = theme()
        painter = QPainter(self)
        ground = {"bad": "bad_ground", "warn": "warn_ground"}.get(self.note.role, "note_ground")
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colours.colour(ground))
        painter.drawRoundedRect(self.rect(), 4, 4)
        painter.fillRect(QRect(0, 4, 3, self.height() - 8), colours.colour(self.note.role))
        painter.drawPixmap(QPoint(9, _PAD + 1), icons.pixmap(self.note.icon, self.note.role, _ICON))
        inner = QRect(_TEXT_LEFT, _PAD, self.width() - _TEXT_LEFT - _PAD, self.height())
        wrap = int(Qt.TextFlag.TextWordWrap)
        painter.setPen(QColor(colours.colours.text))
        painter.setFont(self._font)
        painter.drawText(inner, wrap, self._full)
        if self.note.ask:
            inner.setTop(inner.top() + self._measure(self._font, self._full, inner.width()))
            painter.setFont(self._ask_font)
            painter.setPen(QColor(colours.colours.muted))
            painter.drawText(inner, wrap, self._ask)
        painter.end()


class _Margin(QWidget):
    def sizeHint(self) -> QSize:
        return QSize(300, self.minimumHeight())


class MarginNotes(QScrollArea):
    """All notes, always: where they do not fit beside the sheet the margin scrolls."""

    def __init__(self, row_top: Callable[[str], int], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._row_top = row_top
        self._views: dict[str, NoteView] = {}
        self._order: tuple[str, ...] = ()
        self._flowing = False
        self._margin = _Margin()
        self._margin.setObjectName("clear")
        self.setWidget(self._margin)
        self.setWidgetResizable(False)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.viewport().setAutoFillBackground(False)

    @property
    def notes(self) -> tuple[Note, ...]:
        return tuple(self._views[key].note for key in self._order)

    def flow(self, flowing: bool) -> None:
        """Below the sheet: one after the other, as high as they are together, and the page scrolls."""
        self._flowing = flowing
        self.setMinimumHeight(0)
        self.arrange()

    def show_notes(self, notes: Sequence[Note]) -> None:
        """The notes in their order. Only what changed is touched."""
        if tuple(notes) == self.notes:
            return
        wanted = {note.key for note in notes}
        for key in [key for key in self._views if key not in wanted]:
            view = self._views.pop(key)
            view.hide()
            view.deleteLater()
        for note in notes:
            kept = self._views.get(note.key)
            if kept is None:
                self._views[note.key] = NoteView(note, self._margin)
            else:
                kept.show_note(note)
        self._order = tuple(note.key for note in notes)
        self.arrange()

    def arrange(self) -> None:
        width = self.viewport().width()
        heights = {key: self._views[key].height_for(width) for key in self._order}
        tops: dict[str, int] = {}
        free = 0
        ordered = sorted(self._order, key=self._wanted)
        if self._flowing:
            needed = sum(heights.values()) + _GAP * len(heights)
            if self.minimumHeight() != needed:
                self.setMinimumHeight(needed)
        for key in ordered:
            tops[key] = max(free, self._wanted(key))
            free = tops[key] + heights[key] + _GAP
        room = self.viewport().height()
        if free > room:  # push up what was pushed down too far
            floor = room
            for key in reversed(ordered):
                tops[key] = min(tops[key], floor - heights[key])
                floor = tops[key] - _GAP
            if floor < 0:
                shift = -floor - _GAP
                for key in tops:
                    tops[key] += shift
        bottom = max((tops[key] + heights[key] for key in tops), default=0)
        self._margin.resize(width, max(room, bottom))
        for key in self._order:
            view = self._views[key]
            view.setGeometry(0, tops[key], width, heights[key])
            view.show()

    def _wanted(self, key: str) -> int:
        return 0 if self._flowing else max(0, self._row_top(self._views[key].note.path))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.arrange()
