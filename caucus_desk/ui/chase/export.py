"""Where the list goes: a workbook, or paper. A strip in the page, hidden until it is wanted."""

from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QStandardPaths, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFileDialog, QFrame, QHBoxLayout, QLineEdit, QVBoxLayout

from caucus_desk.desk.chase import ListWritten, write_list
from caucus_desk.rules.errors import CaucusError
from caucus_desk.tally.progress import Progress
from caucus_desk.ui.context import Context
from caucus_desk.ui.widgets.basics import STEP, button, label


def documents() -> Path:
    """The person's folder for documents, else their home."""
    found = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
    folder = Path(found) if found else Path.home()
    return folder if folder.is_dir() else Path.home()


def default_name(county: str, at: datetime, ending: str) -> str:
    """`Missing worksheets Polk 20200204 0112.xlsx`: nothing in it that a file system forbids."""
    plain = "".join(letter if letter.isalnum() or letter in " -_" else " " for letter in county)
    where = " ".join(plain.split())
    return f"Missing worksheets{f' {where}' if where else ''} {at:%Y%m%d %H%M}{ending}"


class ListPanel(QFrame):
    """The file's name and what is in it; Enter writes, Esc closes."""

    closed = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self._context = context
        self._county = ""
        self.path_field = QLineEdit()
        self.path_field.setAccessibleName(self.tr("File for the list"))
        self.browse = button(self.tr("Browse…"), "folder")
        self.write = button(self.tr("Write list"), "export", role="primary")
        self.close_button = button(self.tr("Close"), role="quiet")
        self.remark = label("", "muted")
        row = QHBoxLayout()
        row.setSpacing(STEP)
        row.addWidget(label(self.tr("List")))
        row.addWidget(self.path_field, 1)
        row.addWidget(self.browse)
        row.addWidget(self.write)
        row.addWidget(self.close_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(2 * STEP, 2 * STEP, 2 * STEP, 2 * STEP)
        column.setSpacing(STEP)
        column.addLayout(row)
        column.addWidget(self.remark)
        self.browse.clicked.connect(self._browse)
        self.write.clicked.connect(self._write)
        self.path_field.returnPressed.connect(self._write)
        self.path_field.textChanged.connect(self._say_what_happens)
        self.close_button.clicked.connect(self.close_panel)
        self.hide()

    def open(self, county: str) -> None:
        self._county = county
        name = default_name(county, datetime.now().astimezone(), ".xlsx")
        self.path_field.setText(str(documents() / name))
        self._say_what_happens()
        self.show()
        self.path_field.setFocus()
        self.path_field.selectAll()

    def _say_what_happens(self) -> None:
        what = (
            self.tr("The missing worksheets of {0}.").format(self._county)
            if self._county
            else self.tr("The missing worksheets of all counties.")
        )
        text = self.path_field.text().strip()
        if text and Path(text).is_file():
            what += " " + self.tr("A file of that name is there and will be replaced.")
        self.remark.setText(what)

    def _browse(self) -> None:
        chosen, _ = QFileDialog.getSaveFileName(
            self,
            self.tr("Where to write the list"),
            self.path_field.text(),
            self.tr("Excel workbook (*.xlsx)"),
        )
        if chosen:
            self.path_field.setText(chosen)

    def _write(self) -> None:
        text = self.path_field.text().strip()
        if not text or not self.write.isEnabled():
            return
        out = Path(text).expanduser()
        if out.suffix.lower() != ".xlsx":
            out = out.with_name(out.name + ".xlsx")
        desk, county, by = self._context.desk, self._county, self._context.person
        self.write.setEnabled(False)

        def work(progress: Progress) -> ListWritten:
            return write_list(desk, county, out, by=by, progress=progress)

        self._context.jobs.run(
            self.tr("Writing the list"), work, self._written, failed=self._failed, cancelled=self._cancelled
        )

    def _written(self, written: ListWritten) -> None:
        self.write.setEnabled(True)
        said = self.tr("The list is written, {0} worksheets: {1}").format(f"{written.rows:,}", written.path)
        self._context.notices.done(" ".join((said, *written.notes)))
        self.close_panel()

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
        self._context.notices.say(self.tr("Cancelled. No list was written."))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_panel()
        else:
            super().keyPressEvent(event)

    def close_panel(self) -> None:
        self.hide()
        self.closed.emit()
