"""Printing what is shown: on the system's printer, or as a PDF. A strip in the page, hidden until wanted."""

from datetime import UTC, datetime
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFileDialog, QFrame, QHBoxLayout, QLineEdit, QVBoxLayout

from caucus_desk.rules.errors import CaucusError
from caucus_desk.ui.context import Context
from caucus_desk.ui.paper import Document, has_printer, print_document, printer_name, write_pdf
from caucus_desk.ui.results.export import store_folder
from caucus_desk.ui.widgets.basics import STEP, button, label
from caucus_desk.ui.words import number


def plain_name(*parts: str) -> str:
    """Words for a file's name: nothing in it that a file system forbids."""
    text = " ".join(part for part in parts if part)
    plain = "".join(letter if letter.isalnum() or letter in " -_" else " " for letter in text)
    return " ".join(plain.split()) or "Caucus"


class PrintPanel(QFrame):
    """The file's name; Enter writes the PDF, Esc closes."""

    closed = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self._context = context
        self._document: Document | None = None
        self.path_field = QLineEdit()
        self.path_field.setAccessibleName(self.tr("PDF file"))
        self.browse = button(self.tr("Browse…"), "folder")
        self.write = button(self.tr("Write PDF"), "export", role="primary")
        self.to_printer = button(self.tr("Print"), "paper")
        self.close_button = button(self.tr("Close"), role="quiet")
        self.remark = label("", "muted")
        row = QHBoxLayout()
        row.setSpacing(STEP)
        row.addWidget(label(self.tr("PDF")))
        row.addWidget(self.path_field, 1)
        for made in (self.browse, self.write, self.to_printer, self.close_button):
            row.addWidget(made)
        column = QVBoxLayout(self)
        column.setContentsMargins(2 * STEP, 2 * STEP, 2 * STEP, 2 * STEP)
        column.setSpacing(STEP)
        column.addLayout(row)
        column.addWidget(self.remark)
        self.browse.clicked.connect(self._browse)
        self.write.clicked.connect(self._write)
        self.to_printer.clicked.connect(self._print)
        self.path_field.returnPressed.connect(self._write)
        self.path_field.textChanged.connect(self._say)
        self.close_button.clicked.connect(self.close_panel)
        self.hide()

    def open(self, document: Document) -> None:
        """What is shown at this moment; it does not change while the panel is open."""
        self._document = document
        at = datetime.now(UTC).astimezone()
        name = f"{plain_name(document.caucus, document.title)} {at:%Y%m%d %H%M}.pdf"
        self.path_field.setText(str(store_folder(str(self._context.desk.location)) / name))
        self.to_printer.setVisible(has_printer())
        self._say()
        self.show()
        self.path_field.setFocus()
        self.path_field.selectAll()

    def _say(self) -> None:
        text = self.path_field.text().strip()
        said = self.tr("Letter paper, landscape, with the banner on each page.")
        if has_printer():
            said += " " + self.tr("Print goes to {0}.").format(printer_name())
        if text and Path(text).is_file():
            said += " " + self.tr("A file of that name is there and will be replaced.")
        self.remark.setText(said)

    def _browse(self) -> None:
        chosen, _ = QFileDialog.getSaveFileName(
            self, self.tr("Where to write the PDF"), self.path_field.text(), self.tr("PDF (*.pdf)")
        )
        if chosen:
            self.path_field.setText(chosen)

    def _write(self) -> None:
        text = self.path_field.text().strip()
        if not text or self._document is None:
            return
        out = Path(text).expanduser()
        if out.suffix.lower() != ".pdf":
            out = out.with_name(out.name + ".pdf")
        try:
            pages = write_pdf(self._document, out)
        except CaucusError as refusal:
            self._context.notices.refuse(refusal.sentence)
            self.path_field.setFocus()
            return
        said = self.tr("The PDF is written, pages: {0}. {1}").format(number(pages), out)
        self._context.notices.done(said)
        self.close_panel()

    def _print(self) -> None:
        if self._document is None:
            return
        try:
            pages = print_document(self._document)
        except CaucusError as refusal:
            self._context.notices.refuse(refusal.sentence)
            return
        self._context.notices.done(self.tr("Sent to {0}, pages: {1}.").format(printer_name(), number(pages)))
        self.close_panel()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_panel()
        else:
            super().keyPressEvent(event)

    def close_panel(self) -> None:
        self._document = None
        self.hide()
        self.closed.emit()
