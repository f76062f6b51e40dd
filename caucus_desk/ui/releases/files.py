"""A release as a file: the workbook, CSV or JSON."""

from pathlib import Path

from caucus_desk.desk import workbook
from caucus_desk.desk.releasefiles import export_release
from caucus_desk.desk.releases import Release
from caucus_desk.tally.progress import Progress
from caucus_desk.ui.context import Context
from caucus_desk.ui.results.export import keying_refusal, with_unnoted
from caucus_desk.ui.widgets.basics import Choices
from caucus_desk.ui.widgets.filestrip import FileStrip, StripWords, store_folder
from caucus_desk.ui.words import tr

KINDS = (".xlsx", ".csv", ".json")


class FilePanel(FileStrip):
    """The file's kind and name."""

    def __init__(self, context: Context) -> None:
        self._release: Release | None = None
        self.kind = Choices(
            [(".xlsx", tr("Workbook")), (".csv", "CSV"), (".json", "JSON")], tr("Kind of file")
        )
        words = StripWords(
            file=tr("File for the release"),
            write=tr("Write file"),
            where=tr("Where to write the release"),
            kinds=tr("Release (*.xlsx *.csv *.json)"),
            none=tr("Cancelled. No file was written."),
        )
        super().__init__(context, words, self.kind, KINDS)
        self.kind.chosen.connect(self._kind_chosen)

    def open(self, release: Release) -> None:
        self._release = release
        name = workbook.suggested_name(self._context.desk, release.at, release=release.number)
        self.show_strip((store_folder(str(self._context.desk.location)) / name).with_suffix(self.kind.key))

    def ending(self) -> str:
        return self.kind.key

    def _kind_chosen(self, ending: str) -> None:
        path = Path(self.path_field.text().strip())
        if path.suffix.lower() in KINDS:
            self.path_field.setText(str(path.with_suffix(ending)))
        self.path_field.setFocus()

    def about(self) -> str:
        if self._release is None:
            return ""
        return self.tr("Release {0}, digest {1}; the file says both.").format(
            self._release.number, self._release.digest_short
        )

    def write_to(self, out: Path) -> None:
        if self._release is None:
            return
        self._context.renew_eyes()
        if refusal := keying_refusal(self._context):
            self._context.notices.refuse(refusal)
            return
        desk, by, number = self._context.desk, self._context.person, self._release.number

        def work(progress: Progress) -> Path:
            if out.suffix.lower() == ".xlsx":
                written = workbook.write_workbook(desk, out, progress=progress, by=by, release=number)
                return Path(written.path)
            return export_release(desk, number, out, by=by)

        self.run(
            self.tr("Writing release {0}").format(number),
            work,
            lambda path: with_unnoted(
                self._context,
                self.tr("The file is written, and its digest is the release's: {0}").format(path),
            ),
        )

    def close_panel(self) -> None:
        self._release = None
        super().close_panel()
