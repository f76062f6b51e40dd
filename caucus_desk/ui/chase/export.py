"""Writing the list of missing worksheets: where to, and how it went."""

from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QStandardPaths

from caucus_desk.desk.chase import ListWritten, write_list
from caucus_desk.tally.progress import Progress
from caucus_desk.ui.context import Context
from caucus_desk.ui.widgets.basics import label
from caucus_desk.ui.widgets.filestrip import FileStrip, StripWords
from caucus_desk.ui.words import tr


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


class ListPanel(FileStrip):
    """The list of one county, or of all."""

    def __init__(self, context: Context) -> None:
        self._county = ""
        words = StripWords(
            file=tr("File for the list"),
            write=tr("Write list"),
            where=tr("Where to write the list"),
            kinds=tr("Excel workbook (*.xlsx)"),
            none=tr("Cancelled. No list was written."),
        )
        super().__init__(context, words, label(tr("List")), (".xlsx",))

    def open(self, county: str) -> None:
        self._county = county
        self.show_strip(documents() / default_name(county, datetime.now().astimezone(), ".xlsx"))

    def about(self) -> str:
        if self._county:
            return self.tr("The missing worksheets of {0}.").format(self._county)
        return self.tr("The missing worksheets of all counties.")

    def write_to(self, out: Path) -> None:
        desk, county, by = self._context.desk, self._county, self._context.person

        def work(progress: Progress) -> ListWritten:
            return write_list(desk, county, out, by=by, progress=progress)

        self.run(self.tr("Writing the list"), work, self._written)

    def _written(self, written: ListWritten) -> str:
        said = self.tr("The list is written, {0} worksheets: {1}").format(f"{written.rows:,}", written.path)
        return " ".join((said, *written.notes))
