"""A release as a file: the workbook, CSV or JSON. A strip in the page, hidden until it is wanted."""

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFileDialog, QFrame, QHBoxLayout, QLineEdit, QVBoxLayout

from caucus_desk.desk import workbook
from caucus_desk.desk.releasefiles import export_release
from caucus_desk.desk.releases import Release
from caucus_desk.rules.errors import CaucusError
from caucus_desk.tally.progress import Progress
from caucus_desk.ui.context import Context
from caucus_desk.ui.results.export import keying_refusal, store_folder
from caucus_desk.ui.widgets.basics import STEP, Choices, button, label

KINDS = (".xlsx", ".csv", ".json")


class FilePanel(QFrame):
    """The file's kind and name; Enter writes, Esc closes."""

    closed = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self._context = context
        self._release: Release | None = None
        self.kind = Choices(
            [(".xlsx", self.tr("Workbook")), (".csv", "CSV"), (".json", "JSON")], self.tr("Kind of file")
        )
        self.path_field = QLineEdit()
        self.path_field.setAccessibleName(self.tr("File for the release"))
        self.browse = button(self.tr("Browse…"), "folder")
        self.write = button(self.tr("Write file"), "export", role="primary")
        self.close_button = button(self.tr("Close"), role="quiet")
        self.remark = label("", "muted")
        row = QHBoxLayout()
        row.setSpacing(STEP)
        row.addWidget(self.kind)
        row.addWidget(self.path_field, 1)
        for made in (self.browse, self.write, self.close_button):
            row.addWidget(made)
        column = QVBoxLayout(self)
        column.setContentsMargins(2 * STEP, 2 * STEP, 2 * STEP, 2 * STEP)
        column.setSpacing(STEP)
        column.addLayout(row)
        column.addWidget(self.remark)
        self.kind.chosen.connect(self._kind_chosen)
        self.browse.clicked.connect(self._browse)
        self.write.clicked.connect(self._write)
        self.path_field.returnPressed.connect(self._write)
        self.path_field.textChanged.connect(self._say)
        self.close_button.clicked.connect(self.close_panel)
        self.hide()

    def open(self, release: Release) -> None:
        self._release = release
        name = workbook.suggested_name(self._context.desk, release.at, release=release.number)
        path = (store_folder(str(self._context.desk.location)) / name).with_suffix(self.kind.key)
        self.path_field.setText(str(path))
        self._say()
        self.show()
        self.path_field.setFocus()
        self.path_field.selectAll()

    def _kind_chosen(self, ending: str) -> None:
        path = Path(self.path_field.text().strip())
        if path.suffix.lower() in KINDS:
            self.path_field.setText(str(path.with_suffix(ending)))
        self.path_field.setFocus()

    def _say(self) -> None:
        if self._release is None:
            return
        said = self.tr("Release {0}, digest {1}; the file says both.").format(
            self._release.number, self._release.digest_short
        )
        text = self.path_field.text().strip()
        if text and Path(text).is_file():
            said += " " + self.tr("A file of that name is there and will be replaced.")
        self.remark.setText(said)

    def _browse(self) -> None:
        chosen, _ = QFileDialog.getSaveFileName(
            self,
            self.tr("Where to write the release"),
            self.path_field.text(),
            self.tr("Release (*.xlsx *.csv *.json)"),
        )
        if chosen:
            self.path_field.setText(chosen)

    def _write(self) -> None:
        text = self.path_field.text().strip()
        release = self._release
        if not text or release is None or not self.write.isEnabled():
            return
        self._context.renew_eyes()
        if refusal := keying_refusal(self._context):
            self._context.notices.refuse(refusal)
            return
        out = Path(text).expanduser()
        if out.suffix.lower() not in KINDS:
            out = out.with_name(out.name + self.kind.key)
        desk, by, number = self._context.desk, self._context.person, release.number
        self.write.setEnabled(False)

        def work(progress: Progress) -> Path:
            if out.suffix.lower() == ".xlsx":
                written = workbook.write_workbook(desk, out, progress=progress, by=by, release=number)
                return Path(written.path)
            return export_release(desk, number, out, by=by)

        self._context.jobs.run(
            self.tr("Writing release {0}").format(number),
            work,
            self._written,
            failed=self._failed,
            cancelled=self._cancelled,
        )

    def _written(self, path: Path) -> None:
        self.write.setEnabled(True)
        self._context.notices.done(
            self.tr("The file is written, and its digest is the release's: {0}").format(path)
        )
        self.close_panel()

    def _failed(self, error: CaucusError) -> None:
        self.write.setEnabled(True)
        self._context.notices.refuse(error.sentence)
        free = getattr(error, "free", None)
        if isinstance(free, Path):
            self.path_field.setText(str(free))
        self.path_field.setFocus()

    def _cancelled(self) -> None:
        self.write.setEnabled(True)
        self._context.notices.say(self.tr("Cancelled. No file was written."))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_panel()
        else:
            super().keyPressEvent(event)

    def close_panel(self) -> None:
        self._release = None
        self.hide()
        self.closed.emit()
