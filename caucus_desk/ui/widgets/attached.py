"""The images and PDFs of one precinct's worksheet, one at a time in the viewer."""

from pathlib import Path

from PySide6.QtCore import QCoreApplication, QMimeData, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from caucus_desk.desk.attachments import Attachment, attachments, file_of
from caucus_desk.rules.errors import CaucusError
from caucus_desk.ui.context import Context
from caucus_desk.ui.widgets.basics import STEP, ElidedLabel
from caucus_desk.ui.widgets.viewer import Viewer
from caucus_desk.ui.widgets.withdrawing import WithdrawStrip
from caucus_desk.ui.words import day_clock


def FILES() -> str:
    """What a file dialog offers to be attached."""
    return QCoreApplication.translate("words", "Images and PDFs (*.png *.jpg *.jpeg *.pdf)")


def files_of(data: QMimeData) -> list[Path]:
    """The files of this computer that are dragged."""
    return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]


class AttachedView(QWidget):
    """`,` and `.` go to the file before and after; W withdraws it, with a reason; Esc leaves; the other keys
    are the viewer's."""

    left = Signal()

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._attached: tuple[Attachment, ...] = ()
        self._place = 0
        self.precinct_id = ""
        self.viewer = Viewer()
        self.withdraw = WithdrawStrip(context, "W")
        self.which = ElidedLabel(mode=Qt.TextElideMode.ElideRight)
        self.which.setProperty("role", "muted")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(STEP // 2)
        column.addWidget(self.which)
        column.addWidget(self.viewer, 1)
        column.addWidget(self.withdraw)
        self.withdraw.left.connect(self.take_focus)
        self.withdraw.withdrawn.connect(lambda: self.show_precinct(self.precinct_id))

    @property
    def any(self) -> bool:
        return bool(self._attached)

    @property
    def shown(self) -> Attachment | None:
        return self._attached[self._place] if self._attached else None

    def show_precinct(self, precinct_id: str) -> None:
        """The newest one; the one that is shown stays where it is the same precinct's."""
        try:
            attached = attachments(self._context.desk, precinct_id) if precinct_id else ()
        except CaucusError as error:
            self.viewer.show_message(error.sentence)
            return
        if precinct_id == self.precinct_id and attached == self._attached and attached:
            return
        self.precinct_id, self._attached = precinct_id, attached
        self._place = max(0, len(attached) - 1)
        self._load()

    def take_focus(self) -> None:
        self.viewer.setFocus(Qt.FocusReason.TabFocusReason)

    def go(self, step: int) -> None:
        place = min(max(self._place + step, 0), len(self._attached) - 1)
        if self._attached and place != self._place:
            self._place = place
            self._load()

    def _load(self) -> None:
        one = self.shown
        self.withdraw.show_attached(one)
        if one is None:
            self.which.set_text("")
            self.viewer.show_message(
                self.tr("No image of this worksheet is attached. Drop an image or a PDF onto the page.")
            )
            return
        place = self._context.desk.precinct(one.precinct_id)
        said = self.tr("{0}, {1} · attached by {2}, {3}").format(
            place.name, place.county, one.by, day_clock(one.at)
        )
        if len(self._attached) > 1:
            said += self.tr(" · {0} of {1}, the comma and the point go to the others").format(
                self._place + 1, len(self._attached)
            )
        self.which.set_text(said)
        try:
            self.viewer.show_file(file_of(self._context.desk, one), one.name)
        except CaucusError as error:
            self.viewer.show_message(error.sentence)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        elif event.text() in (",", "."):
            self.go(-1 if event.text() == "," else 1)
        elif event.text().upper() == "W" and not event.isAutoRepeat():
            self.withdraw.ask()
        else:
            super().keyPressEvent(event)
