"""The strip about the caller: who calls, from which number, and what the caller proved it with."""

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from caucus_desk.tally.roster import Precinct
from caucus_desk.ui.entry.lines import TextLine
from caucus_desk.ui.widgets.basics import STEP, ElidedLabel, label

NAME, NUMBER, CHECK = "caller.name", "caller.number", "caller.check"


class CallerStrip(QWidget):
    """Three lines, in the traffic of the sheet. What the roster says of the chair stands beside."""

    edited = Signal(str, str)
    finished = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(STEP, 0, 0, 0)
        row.setSpacing(STEP)
        self.lines: dict[str, TextLine] = {}
        for path, text, width in (
            (NAME, self.tr("Caller"), 190),
            (NUMBER, self.tr("Call back"), 130),
            (CHECK, self.tr("PIN or worksheet id"), 110),
        ):
            line = TextLine(text)
            line.setMinimumWidth(width // 2 + STEP)
            line.setMaximumWidth(width)
            name = label(text, "muted")
            name.setBuddy(line)
            row.addWidget(name)
            row.addWidget(line)
            row.addSpacing(STEP)
            self.lines[path] = line
            line.textChanged.connect(lambda now, path=path: self.edited.emit(path, now))
            line.onward.connect(lambda path=path: self._step(path, 1))
            line.back.connect(lambda path=path: self._step(path, -1))
        self._on_file = ElidedLabel()
        self._on_file.setProperty("role", "muted")
        self._on_file.setMinimumWidth(0)
        row.addWidget(self._on_file, 1)

    def start(self, precinct: Precinct, texts: Mapping[str, str]) -> None:
        for path, line in self.lines.items():
            blocked = line.blockSignals(True)
            line.setText(texts.get(path, ""))
            line.blockSignals(blocked)
        chair = ", ".join(part for part in (precinct.chair, precinct.phone) if part)
        self._on_file.set_text(self.tr("on file: {0}").format(chair) if chair else "")

    def take_focus(self, *, last: bool = False) -> None:
        lines = list(self.lines.values())
        lines[-1 if last else 0].setFocus(Qt.FocusReason.TabFocusReason)

    def _step(self, path: str, by: int) -> None:
        paths = list(self.lines)
        place = paths.index(path) + by
        if place == len(paths):
            self.finished.emit()
        elif place >= 0:
            self.lines[paths[place]].setFocus(Qt.FocusReason.TabFocusReason)
