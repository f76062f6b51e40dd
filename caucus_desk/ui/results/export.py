"""Writing the leadership workbook from the page: where to, and how it went."""

from datetime import UTC, datetime
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QFrame, QHBoxLayout, QLineEdit, QVBoxLayout

from caucus_desk.desk import workbook
from caucus_desk.rules.errors import CaucusError
from caucus_desk.tally.progress import Progress
from caucus_desk.tally.results import Counting
from caucus_desk.ui.context import Context
from caucus_desk.ui.results.missing import listed
from caucus_desk.ui.widgets.basics import STEP, button, label
from caucus_desk.ui.words import tr


def keying_refusal(context: Context) -> str:
    """Why no workbook is written now; "" where nothing hinders.

    It holds every sheet: nothing for who is keying one and must not see what others keyed there.
    """
    overview, keying = context.overview, context.eyes.keying
    if not keying:
        return ""
    names = listed([overview.results[id].precinct.name for id in keying if id in overview.results])
    return tr(
        "The workbook holds the figures of every precinct, also of {0}, which you are keying. Finish or "
        "leave the sheet first: submit it, or discard it."
    ).format(names)


class ExportPanel(QFrame):
    """A strip in the page, hidden until it is wanted."""

    closed = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self._context = context
        self._counting = Counting.REPORTED
        self.path_field = QLineEdit()
        self.path_field.setAccessibleName(self.tr("Workbook file"))
        self.browse = button(self.tr("Browse…"), "folder")
        self.write = button(self.tr("Write workbook"), "export", role="primary")
        self.close_button = button(self.tr("Close"), role="quiet")
        self.remark = label("", "muted")
        row = QHBoxLayout()
        row.setSpacing(STEP)
        row.addWidget(label(self.tr("Workbook")))
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
        self.close_button.clicked.connect(self._close)
        self.hide()

    def open(self, counting: Counting) -> None:
        self._counting = counting
        if not self.path_field.text():
            name = workbook.suggested_name(self._context.desk, datetime.now(UTC))
            self.path_field.setText(str(store_folder(str(self._context.desk.location)) / name))
        self._say_what_happens()
        self.show()
        self.path_field.setFocus()
        self.path_field.selectAll()

    def _say_what_happens(self) -> None:
        counting = {
            Counting.REPORTED: self.tr("It counts every standing sheet."),
            Counting.VERIFIED: self.tr("It counts verified precincts only."),
        }[self._counting]
        text = self.path_field.text().strip()
        there = bool(text) and Path(text).is_file()
        replaced = " " + self.tr("A file of that name is there and will be replaced.") if there else ""
        self.remark.setText(counting + replaced)

    def _browse(self) -> None:
        chosen, _ = QFileDialog.getSaveFileName(
            self,
            self.tr("Where to write the workbook"),
            self.path_field.text(),
            self.tr("Excel workbook (*.xlsx)"),
        )
        if chosen:
            self.path_field.setText(chosen)

    def _write(self) -> None:
        text = self.path_field.text().strip()
        if not text or not self.write.isEnabled():
            return
        self._context.renew_eyes()
        if refusal := keying_refusal(self._context):  # begun since the panel was opened
            self._context.notices.refuse(refusal)
            return
        out = Path(text).expanduser()
        if out.suffix.lower() != ".xlsx":
            out = out.with_name(out.name + ".xlsx")
        desk, counting, by = self._context.desk, self._counting, self._context.person
        self.write.setEnabled(False)

        def work(progress: Progress) -> Path:
            return Path(workbook.write_workbook(desk, out, counting=counting, progress=progress, by=by).path)

        self._context.jobs.run(
            self.tr("Writing the workbook"),
            work,
            self._written,
            failed=self._failed,
            cancelled=self._cancelled,
        )

    def _written(self, path: Path) -> None:
        self.write.setEnabled(True)
        self._context.notices.done(
            self.tr("The workbook is written, and its totals agree with the store: {0}").format(path)
        )
        self.path_field.clear()
        self._close()

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
        self._context.notices.say(self.tr("Cancelled. No workbook was written."))

    def _close(self) -> None:
        self.hide()
        self.closed.emit()


def store_folder(location: str) -> Path:
    """Beside the store where it is a file, else the person's home."""
    if "://" in location:
        return Path.home()
    folder = Path(location).resolve().parent
    return folder if folder.is_dir() else Path.home()
