"""A viewer for the image or PDF of a worksheet: zoom, turn, page through and move about by keys."""

from pathlib import Path

from PySide6.QtCore import QPointF, Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from caucus_desk.rules.errors import Refused
from caucus_desk.ui import fonts
from caucus_desk.ui.widgets.basics import STEP, ElidedLabel, label
from caucus_desk.ui.widgets.picture_canvas import PictureCanvas
from caucus_desk.ui.widgets.pictures import source_of

_STEP_OF_ZOOM = 1.25
_MOVE = 60
"""Pixels for one press of an arrow."""


class Viewer(QWidget):
    """Shows one file. Keys: + and - zoom, 0 fits, R turns, PgUp and PgDn page, arrows move, O opens it in the
    system's own viewer. The wheel scrolls and never zooms."""

    shown = Signal()
    """Another file, page, size or turn is shown."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._path: Path | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("Worksheet image"))
        self._name = ElidedLabel()
        self._where = label("", "muted")
        self.keys_line = ElidedLabel(
            self.tr("+ − zoom · 0 fit · R turn · PgUp PgDn page · arrows move · O open outside · Esc back"),
            mode=Qt.TextElideMode.ElideRight,
        )
        self.keys_line.setProperty("role", "small")
        self.keys_line.setFont(fonts.body(fonts.SMALL_POINTS))
        self._canvas = PictureCanvas(self)
        self._canvas.changed.connect(self._say_where)
        head = QHBoxLayout()
        head.setSpacing(2 * STEP)
        head.addWidget(self._name, 1)
        head.addWidget(self._where)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(STEP // 2)
        column.addLayout(head)
        column.addWidget(self._canvas, 1)
        column.addWidget(self.keys_line)
        self.clear()

    # ---- what is shown ----

    def show_file(self, path: Path | str, name: str) -> None:
        """Shows the first page, fitted. What cannot be shown is said in its place, in a sentence."""
        self._path = Path(path)
        try:
            source = source_of(self._path, name)
            self._canvas.show_source(source)
        except Refused as refusal:
            self._canvas.show_message(
                refusal.sentence + " " + self.tr("O opens it in the system's own viewer.")
            )
        self._name.set_text(name)
        self.setAccessibleDescription(name)
        self._say_where()

    def show_message(self, sentence: str) -> None:
        """A sentence in the place of a file: nothing is attached, or the file is lost."""
        self._path = None
        self._canvas.show_message(sentence)
        self._name.set_text("")
        self.setAccessibleDescription(sentence)
        self._say_where()

    def clear(self) -> None:
        self.show_message("")

    @property
    def message(self) -> str:
        """The sentence that is shown in the place of a file, or ""."""
        return self._canvas.message

    @property
    def path(self) -> Path | None:
        return self._path

    @property
    def name(self) -> str:
        return self._name.whole

    @property
    def page(self) -> int:
        """From 0."""
        return self._canvas.page

    @property
    def pages(self) -> int:
        return self._canvas.pages

    @property
    def zoom(self) -> float:
        """1.0 is the size of the paper, or one pixel for each dot of a photo."""
        return self._canvas.zoom

    @property
    def fitted(self) -> bool:
        return self._canvas.fitted

    @property
    def turned(self) -> int:
        """Degrees clockwise: 0, 90, 180 or 270."""
        return self._canvas.quarter * 90

    @property
    def offset(self) -> QPointF:
        """How far the picture is moved from where its upper left corner is in view."""
        return QPointF(self._canvas.offset)

    @property
    def sharp(self) -> bool:
        """What is shown is drawn for the size in which it is shown."""
        return self._canvas.sharp

    def _say_where(self) -> None:
        if not self._canvas.pages:
            self._where.setText("")
        else:
            parts = []
            if self._canvas.pages > 1:
                parts.append(self.tr("page {0} of {1}").format(self.page + 1, self.pages))
            parts.append(f"{round(self.zoom * 100)} %")
            if self.fitted:
                parts.append(self.tr("fitted"))
            self._where.setText(" · ".join(parts))
        self.shown.emit()

    # ---- keys ----

    def keyPressEvent(self, event: QKeyEvent) -> None:
        held = event.modifiers() & ~(Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier)
        if held == Qt.KeyboardModifier.NoModifier and self.take_key(event.key(), event.text()):
            event.accept()
        else:
            super().keyPressEvent(event)

    def _open_outside(self) -> None:
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._path))):
            self.keys_line.set_text(
                self.tr("This system has no viewer for it. The file is {0}").format(self._path)
            )

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._canvas.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._canvas.update()

    def take_key(self, key: int, text: str = "") -> bool:
        """What a key does here; whether it is one of the viewer's. For a page that hands keys on."""
        canvas, keys = self._canvas, Qt.Key
        if key == keys.Key_O and self._path is not None:
            self._open_outside()
        elif not canvas.pages:
            return False
        elif key in (keys.Key_Plus, keys.Key_Equal) or text == "+":
            canvas.zoom_by(_STEP_OF_ZOOM)
        elif key in (keys.Key_Minus, keys.Key_Underscore) or text == "-":
            canvas.zoom_by(1 / _STEP_OF_ZOOM)
        elif key == keys.Key_0:
            canvas.fit()
        elif key == keys.Key_R:
            canvas.turn()
        elif key in (keys.Key_PageDown, keys.Key_PageUp):
            canvas.go_to(canvas.page + (1 if key == keys.Key_PageDown else -1))
        elif key in _ARROWS:
            across, down = _ARROWS[Qt.Key(key)]
            canvas.move_by(across * _MOVE, down * _MOVE)
        else:
            return False
        return True


_ARROWS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}
