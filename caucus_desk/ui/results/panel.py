"""Printing what is shown: on the system's printer, or as a PDF."""

from datetime import UTC, datetime
from pathlib import Path

from caucus_desk.rules.errors import CaucusError
from caucus_desk.ui.context import Context
from caucus_desk.ui.paper import Document, has_printer, print_document, printer_name, write_pdf
from caucus_desk.ui.widgets.basics import button, label
from caucus_desk.ui.widgets.filestrip import FileStrip, StripWords, store_folder
from caucus_desk.ui.words import number, tr


def plain_name(*parts: str) -> str:
    """Words for a file's name: nothing in it that a file system forbids."""
    text = " ".join(part for part in parts if part)
    plain = "".join(letter if letter.isalnum() or letter in " -_" else " " for letter in text)
    return " ".join(plain.split()) or "Caucus"


class PrintPanel(FileStrip):
    """The PDF's name, and the printer where there is one."""

    def __init__(self, context: Context) -> None:
        self._document: Document | None = None
        self.to_printer = button(tr("Print"), "paper")
        words = StripWords(
            file=tr("PDF file"),
            write=tr("Write PDF"),
            where=tr("Where to write the PDF"),
            kinds=tr("PDF (*.pdf)"),
            none="",  # it is written at once
        )
        super().__init__(context, words, label(tr("PDF")), (".pdf",), self.to_printer)
        self.to_printer.clicked.connect(self._print)

    def open(self, document: Document) -> None:
        """What is shown at this moment; it does not change while the panel is open."""
        self._document = document
        at = datetime.now(UTC).astimezone()
        name = f"{plain_name(document.caucus, document.title)} {at:%Y%m%d %H%M}.pdf"
        self.to_printer.setVisible(has_printer())
        self.show_strip(store_folder(str(self._context.desk.location)) / name)

    def about(self) -> str:
        said = self.tr("Letter paper, landscape, with the banner on each page.")
        if has_printer():
            said += " " + self.tr("Print goes to {0}.").format(printer_name())
        return said

    def write_to(self, out: Path) -> None:
        if self._document is None:
            return
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

    def close_panel(self) -> None:
        self._document = None
        super().close_panel()
