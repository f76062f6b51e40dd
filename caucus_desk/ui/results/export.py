"""Writing the leadership workbook from the page: where to, and how it went."""

from datetime import UTC, datetime
from pathlib import Path

from caucus_desk.desk import workbook
from caucus_desk.desk.noting import UNNOTED, can_note
from caucus_desk.tally.progress import Progress
from caucus_desk.tally.results import Counting
from caucus_desk.ui.context import Context
from caucus_desk.ui.results.missing import listed
from caucus_desk.ui.widgets.basics import label
from caucus_desk.ui.widgets.filestrip import FileStrip, StripWords, store_folder
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


def with_unnoted(context: Context, said: str) -> str:
    """And that nothing stands in the trail of it, where the store can only be read."""
    return said if can_note(context.desk) else f"{said}. {UNNOTED}"


class ExportPanel(FileStrip):
    """The leadership workbook, counted as the page counts."""

    def __init__(self, context: Context) -> None:
        self._counting = Counting.REPORTED
        words = StripWords(
            file=tr("Workbook file"),
            write=tr("Write workbook"),
            where=tr("Where to write the workbook"),
            kinds=tr("Excel workbook (*.xlsx)"),
            none=tr("Cancelled. No workbook was written."),
        )
        super().__init__(context, words, label(tr("Workbook")), (".xlsx",))

    def open(self, counting: Counting) -> None:
        self._counting = counting
        desk, suggested = self._context.desk, None
        if not self.path_field.text():
            suggested = store_folder(str(desk.location)) / workbook.suggested_name(desk, datetime.now(UTC))
        self.show_strip(suggested)

    def about(self) -> str:
        return {
            Counting.REPORTED: self.tr("It counts every standing sheet."),
            Counting.VERIFIED: self.tr("It counts verified precincts only."),
        }[self._counting]

    def write_to(self, out: Path) -> None:
        self._context.renew_eyes()
        if refusal := keying_refusal(self._context):  # begun since the strip was opened
            self._context.notices.refuse(refusal)
            return
        desk, counting, by = self._context.desk, self._counting, self._context.person

        def work(progress: Progress) -> workbook.Written:
            return workbook.write_workbook(desk, out, counting=counting, progress=progress, by=by)

        self.run(self.tr("Writing the workbook"), work, self._written)

    def _written(self, written: workbook.Written) -> str:
        self.path_field.clear()
        said = self.tr("The workbook is written, and its totals agree with the store: {0}")
        return with_unnoted(self._context, said.format(written.path))
