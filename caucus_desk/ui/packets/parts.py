"""What both sides of a packet need: a line with a file's name and what is done with it."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from caucus_desk.desk.session import Desk
from caucus_desk.ui.widgets.basics import STEP, button, heading, wrapped
from caucus_desk.ui.words import number, tr


class FileLine(QWidget):
    """A field for a file, Browse, and the button that does it; Enter in the field does it too."""

    def __init__(self, name: str, action: str, icon: str, *, role: str = "") -> None:
        super().__init__()
        self.field = QLineEdit()
        self.field.setAccessibleName(name)
        self.browse = button(self.tr("Browse…"), "folder")
        self.act = button(action, icon, role=role)
        self._do: Callable[[], None] = lambda: None
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(0, 0, 0, 0)
        self.row.setSpacing(STEP)
        self.row.addWidget(self.field, 1)
        self.row.addWidget(self.browse)
        self.row.addWidget(self.act)
        self.act.clicked.connect(self._press)
        self.field.returnPressed.connect(self._press)

    def does(self, what: Callable[[], None]) -> None:
        self._do = what

    def _press(self) -> None:
        if self.act.isEnabled():
            if self.text:
                self._do()
            else:
                self.field.setFocus()

    @property
    def by_tab(self) -> tuple[QWidget, ...]:
        return (self.field, self.browse, self.act)

    @property
    def text(self) -> str:
        return self.field.text().strip()

    @property
    def path(self) -> Path:
        return Path(self.text).expanduser()

    def busy(self, busy: bool) -> None:
        self.act.setEnabled(not busy)


def card(name: str, about: str = "") -> tuple[QFrame, QVBoxLayout]:
    """A frame with its heading, and a sentence on what it is for."""
    frame = QFrame()
    frame.setProperty("role", "card")
    inside = QVBoxLayout(frame)
    inside.setContentsMargins(3 * STEP, 2 * STEP, 3 * STEP, 2 * STEP)
    inside.setSpacing(STEP)
    inside.addWidget(heading(name))
    if about:
        inside.addWidget(wrapped(about, "muted"))
    return frame, inside


def reports(count: int) -> str:
    """`1 report`, `1,678 reports`."""
    return tr("1 report") if count == 1 else tr("{0} reports").format(number(count))


def precincts(count: int) -> str:
    return tr("1 precinct") if count == 1 else tr("{0} precincts").format(number(count))


def folder_of(desk: Desk) -> Path:
    """Where files are looked for first: beside the store, if it is a file."""
    if "://" in desk.location:
        return Path.home()
    return Path(desk.location).parent
