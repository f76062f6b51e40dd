"""Keying from a photo: the attached image of the worksheet beside the paper sheet."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from caucus_desk.desk import entry
from caucus_desk.desk.attachments import attach
from caucus_desk.rules.errors import CaucusError
from caucus_desk.tally.report import Channel
from caucus_desk.ui.context import Context
from caucus_desk.ui.entry.calling_page import CallingPage
from caucus_desk.ui.entry.sheet_body import GRID_WIDTH
from caucus_desk.ui.widgets.attached import AttachedView, files_of
from caucus_desk.ui.widgets.basics import STEP

PHOTO_KEY = "F5"
INTO_PHOTO_KEY = "Shift+F5"
_SHEET = GRID_WIDTH + 8 * STEP + 30
"""Pixels: the boxes with their margins; what is said beside them stands below then."""
_SHEET_AND_NOTES = GRID_WIDTH + 420 + 8 * STEP
_LEAST = 340
"""An image that is narrower than this cannot be read."""


class PhotoPage(CallingPage):
    """F5 shows and hides the image, Shift+F5 goes into it and back; dropped files are attached."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._wanted = False
        """This person keys from the image: it is shown with each sheet that has one."""
        self.photo = AttachedView(context)
        self.photo.setContentsMargins(0, 2 * STEP, 3 * STEP, STEP)
        self.photo.hide()
        self.photo.left.connect(self._back_to_sheet)
        layout = self.layout()
        assert isinstance(layout, QVBoxLayout)
        place = layout.indexOf(self._stack)
        row = QHBoxLayout()
        row.setSpacing(0)
        row.addWidget(self._stack, 1)
        row.addWidget(self.photo)
        layout.insertLayout(place, row, 1)
        self._stack.currentChanged.connect(lambda _: self._show_photo())
        self.setAcceptDrops(True)
        for key, job in ((PHOTO_KEY, self._turn_photo), (INTO_PHOTO_KEY, self._into_photo)):
            shortcut = QShortcut(QKeySequence(key), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.setAutoRepeat(False)
            shortcut.activated.connect(job)

    def _begin(self, draft: entry.Draft) -> None:
        super()._begin(draft)
        self._show_photo()
        if self._paper and self.photo.any and self.photo.isHidden() and not draft.note:
            said = self.tr("An image of this worksheet is attached: {0} shows it beside the sheet.")
            self.context.notices.say(said.format(PHOTO_KEY))

    def refresh(self) -> None:
        super().refresh()
        self._show_photo()

    def person_changed(self) -> None:
        super().person_changed()
        self._wanted = False
        self._show_photo()

    @property
    def _paper(self) -> bool:
        """A paper sheet is open."""
        draft = self._draft
        return draft is not None and draft.channel is Channel.PAPER

    # --- showing ------------------------------------------------------------------------------

    def _show_photo(self) -> None:
        """Beside an open paper sheet, where this person wants it, there is one, and there is room."""
        paper = self._paper and self._stack.currentWidget() is self._sheets.get(Channel.PAPER)
        self.photo.show_precinct(self._draft.precinct_id if paper and self._draft is not None else "")
        shown = paper and self._wanted and self.photo.any and self._room() >= _LEAST
        if shown:
            self.photo.setFixedWidth(self._room())
        elif self.photo.isAncestorOf(self.focusWidget() or self):
            self._back_to_sheet()
        self.photo.setVisible(shown)

    def _room(self) -> int:
        """Pixels that the sheet can spare; with what is said beside its boxes, where both have room."""
        whole = self.width() - _SHEET_AND_NOTES
        return min(whole, self.width() // 2) if whole >= _LEAST else self.width() - _SHEET

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_photo()

    def _turn_photo(self) -> None:
        if not self._paper:
            return
        if not self.photo.any:
            self._say(self.tr("No image of this worksheet is attached. Drop one onto the sheet."))
        elif self.photo.isHidden() and self._room() < _LEAST:
            self._say(self.tr("The window is too narrow to show the image beside the sheet. Make it wider."))
        else:
            self._wanted = self.photo.isHidden()
            self.context.notices.leave_page()  # what was said of the image is done
            self._show_photo()

    def _into_photo(self) -> None:
        if self.photo.isHidden():
            self._turn_photo()
        if self.photo.isHidden():
            return
        if self.photo.viewer.hasFocus():
            self._back_to_sheet()
        else:
            self.photo.take_focus()

    def _back_to_sheet(self) -> None:
        if self._paper:
            self._sheet.take_focus()

    def _say(self, sentence: str) -> None:
        self.context.notices.say(sentence)

    # --- drag and drop ------------------------------------------------------------------------

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if self._paper and files_of(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        if self._paper:
            event.acceptProposedAction()
            self.attach_files(files_of(event.mimeData()))

    def attach_files(self, files: list[Path]) -> None:
        """To the precinct whose paper sheet is open; the image is shown then."""
        if not self._paper or self._draft is None or not files:
            return
        desk, by, precinct_id = self.context.desk, self.context.person, self._draft.precinct_id

        def work() -> list[str]:
            return [attach(desk, precinct_id, path, by=by).name for path in files]

        def attached(names: list[str]) -> None:
            self._wanted = True
            self._show_photo()
            self.context.notices.done(self.tr("Attached: {0}.").format(", ".join(names)))
            self.context.after_change()

        def refused(refusal: CaucusError) -> None:
            self._show_photo()
            self.context.notices.refuse(refusal.sentence)

        self._calls.run(work, attached, refused)
