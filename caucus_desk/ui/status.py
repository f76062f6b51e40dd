"""The status line (which store, when it was last saved to) and the strip for work in hand."""

from datetime import datetime

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QWidget

from caucus_desk.ui import fonts
from caucus_desk.ui.icons import IconLabel
from caucus_desk.ui.widgets.basics import STEP, ElidedLabel, button, label
from caucus_desk.ui.widgets.jobs import Job, Jobs
from caucus_desk.ui.words import clock, number


class StatusLine(QWidget):
    def __init__(self, location: str) -> None:
        super().__init__()
        self.setObjectName("status")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(5 * STEP)
        store = ElidedLabel(location)
        store.setProperty("role", "muted")
        store.setFont(fonts.body(fonts.SMALL_POINTS))
        store.setAccessibleName(self.tr("Store: {0}").format(location))
        self.saved = label(self.tr("nothing saved yet in this window"), "small")
        row = QHBoxLayout(self)
        row.setContentsMargins(3 * STEP, 0, 3 * STEP, 0)
        row.setSpacing(STEP)
        row.addWidget(IconLabel("store", "muted", 14))
        row.addWidget(store, 1)
        row.addWidget(self.saved)

    def show_saved(self, at: datetime) -> None:
        self.saved.setText(self.tr("saved {0}").format(clock(at)))


class JobStrip(QWidget):
    """Shown while work goes on: what, how far, and a way to stop it."""

    def __init__(self, jobs: Jobs) -> None:
        super().__init__()
        self.setObjectName("status")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(7 * STEP)
        self._title = label(bold=True)
        self._what = ElidedLabel()
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setFixedWidth(240)
        self._count = label(role="muted")
        self._count.setMinimumWidth(100)
        self._count.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.cancel = button(self.tr("Cancel"))
        self.cancel.clicked.connect(self._cancel)
        row = QHBoxLayout(self)
        row.setContentsMargins(3 * STEP, 0, 3 * STEP, 0)
        row.setSpacing(2 * STEP)
        row.addWidget(self._title)
        row.addWidget(self._what, 1)
        row.addWidget(self._count)
        row.addWidget(self._bar)
        row.addWidget(self.cancel)
        self._jobs = jobs
        jobs.started.connect(self._started)
        jobs.idle.connect(self.hide)
        self.hide()

    @property
    def count_text(self) -> str:
        """How far the work is, `1,094 of 1,765`."""
        return self._count.text()

    def _started(self, job: Job) -> None:
        self._title.setText(job.title)
        self._what.set_text("")
        self._count.setText("")
        self._bar.setRange(0, 0)
        self.cancel.setVisible(job.cancellable)
        self.cancel.setEnabled(True)
        job.progressed.connect(self._progressed)
        self.show()

    def _progressed(self, done: int, total: int, what: str) -> None:
        self._bar.setRange(0, total)
        self._bar.setValue(min(done, total))
        self._count.setText(self.tr("{0} of {1}").format(number(done), number(total)) if total else "")
        self._what.set_text(what)

    def _cancel(self) -> None:
        if self._jobs.current is not None:
            self._jobs.current.cancel()
            self.cancel.setEnabled(False)
            self._what.set_text(self.tr("stopping…"))
