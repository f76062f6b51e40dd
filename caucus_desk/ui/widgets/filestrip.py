"""Where a file goes: a strip in a page, hidden until it is wanted. What is written, each page says."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFileDialog, QFrame, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from caucus_desk.rules.errors import CaucusError
from caucus_desk.tally.progress import Progress
from caucus_desk.ui.context import Context
from caucus_desk.ui.widgets.basics import STEP, button, label

T = TypeVar("T")


def store_folder(location: str) -> Path:
    """Beside the store where it is a file, else the person's home."""
    if "://" in location:
        return Path.home()
    folder = Path(location).resolve().parent
    return folder if folder.is_dir() else Path.home()


@dataclass(frozen=True, slots=True)
class StripWords:
    """What the strip says of its file."""

    file: str
    """The name of the field, for screen readers."""
    write: str
    """On the button."""
    where: str
    """Above the list of folders."""
    kinds: str
    """For the list of folders: `Excel workbook (*.xlsx)`."""
    none: str
    """After cancelling."""


class FileStrip(QFrame):
    """The file's name, and below it what is written; Enter writes, Esc closes. Subclasses say what stands
    in the file with `about` and write it with `write_to`."""

    closed = Signal()

    def __init__(
        self, context: Context, words: StripWords, lead: QWidget, endings: tuple[str, ...], *more: QWidget
    ) -> None:
        """`lead` stands before the field, `more` behind the button that writes. Of `endings` the first is
        added where a name has none of them."""
        super().__init__()
        self.setProperty("role", "card")
        self._context, self._words, self._endings = context, words, endings
        self.path_field = QLineEdit()
        self.path_field.setAccessibleName(words.file)
        self.browse = button(self.tr("Browse…"), "folder")
        self.write = button(words.write, "export", role="primary")
        self.close_button = button(self.tr("Close"), role="quiet")
        self.remark = label("", "muted")
        row = QHBoxLayout()
        row.setSpacing(STEP)
        row.addWidget(lead)
        row.addWidget(self.path_field, 1)
        for made in (self.browse, self.write, *more, self.close_button):
            row.addWidget(made)
        column = QVBoxLayout(self)
        column.setContentsMargins(2 * STEP, 2 * STEP, 2 * STEP, 2 * STEP)
        column.setSpacing(STEP)
        column.addLayout(row)
        column.addWidget(self.remark)
        self.browse.clicked.connect(self._browse)
        self.write.clicked.connect(self._write)
        self.path_field.returnPressed.connect(self._write)
        self.path_field.textChanged.connect(self.say)
        self.close_button.clicked.connect(self.close_panel)
        self.hide()

    # ---- for subclasses ----

    def about(self) -> str:
        """What will stand in the file, in sentences."""
        raise NotImplementedError

    def write_to(self, out: Path) -> None:
        """Writes it, or says why not; work that takes long with `run`."""
        raise NotImplementedError

    def ending(self) -> str:
        """What a name without an ending gets."""
        return self._endings[0]

    def show_strip(self, suggested: Path | None) -> None:
        """With another name in it, where one is suggested, and the hand on the name."""
        if suggested is not None:
            self.path_field.setText(str(suggested))
        self.say()
        self.show()
        self.path_field.setFocus()
        self.path_field.selectAll()

    def run(self, what: str, work: Callable[[Progress], T], said: Callable[[T], str]) -> None:
        """Work in hand; when it is done, `said` is said and the strip closes."""
        self.write.setEnabled(False)

        def written(result: T) -> None:
            self.write.setEnabled(True)
            self._context.notices.done(said(result))
            self.close_panel()

        self._context.jobs.run(what, work, written, failed=self._failed, cancelled=self._cancelled)

    # ---- what the person does ----

    def say(self) -> None:
        """What is written, and what it would replace."""
        said, text = self.about(), self.path_field.text().strip()
        if text and Path(text).is_file():
            said += " " + self.tr("A file of that name is there and will be replaced.")
        self.remark.setText(said.strip())

    def _browse(self) -> None:
        chosen, _ = QFileDialog.getSaveFileName(
            self, self._words.where, self.path_field.text(), self._words.kinds
        )
        if chosen:
            self.path_field.setText(chosen)

    def _write(self) -> None:
        text = self.path_field.text().strip()
        if not text or not self.write.isEnabled():
            return
        out = Path(text).expanduser()
        if out.suffix.lower() not in self._endings:
            out = out.with_name(out.name + self.ending())
        self.write_to(out)

    def _failed(self, error: CaucusError) -> None:
        self.write.setEnabled(True)
        self._context.notices.refuse(error.sentence)
        free = getattr(error, "free", None)
        if isinstance(free, Path):
            # Perhaps Excel holds the file: another name is one key away.
            self.path_field.setText(str(free))
        self.path_field.setFocus()

    def _cancelled(self) -> None:
        self.write.setEnabled(True)
        self._context.notices.say(self._words.none)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_panel()
        else:
            super().keyPressEvent(event)

    def close_panel(self) -> None:
        self.hide()
        self.closed.emit()
