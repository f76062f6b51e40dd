"""The status line (which store, when it was last saved to) and the strip for work in hand."""

from datetime import datetime

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QWidget

from caucus_desk.ui import fonts
from caucus_desk.ui.icons import IconLabel
from caucus_desk.ui.widgets.basics import STEP, ElidedLabel, button, label
from caucus_desk.ui.widgets.jobs import Job, Jobs
from caucus_desk.ui.words import clock, number

_BACK_STAYS = 10_000
"""Milliseconds for which it is said that the server answers again."""


class StatusLine(QWidget):
    def __init__(self, location: str, *, read_only: bool = False) -> None:
        super().__init__()
        self.setObjectName("status")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(5 * STEP)
        self._location = location
        self._icon = IconLabel("store", "muted", 14)
        self._store = ElidedLabel(location)
        self._store.setProperty("role", "muted")
        self._store.setFont(fonts.body(fonts.SMALL_POINTS))
        self._store.setAccessibleName(self.tr("Store: {0}").format(location))
        self._said = ""
        self._back = QTimer(self, singleShot=True, interval=_BACK_STAYS)
        self._back.timeout.connect(self._show_store)
        nothing = self.tr("read only") if read_only else self.tr("nothing saved yet in this window")
        self.saved = label(nothing, "small")
        row = QHBoxLayout(self)
        row.setContentsMargins(3 * STEP, 0, 3 * STEP, 0)
        row.setSpacing(STEP)
        row.addWidget(self._icon)
        row.addWidget(self._store, 1)
        row.addWidget(self.saved)

    @property
    def _what(self) -> str:
        return self.tr("The server") if "://" in self._location else self.tr("The store")

    @property
    def text(self) -> str:
        """What the line says of the store, whole."""
        return self._said or self._location

    def show_saved(self, at: datetime) -> None:
        self.saved.setText(self.tr("saved {0}").format(clock(at)))

    def show_gone(self, since: datetime, *, kept: bool = True) -> None:
        """The store does not answer. Said in this line, which has its place already, so that nothing moves
        under a hand that types; it stays until the store answers. Not `kept`: nor does this computer's disk
        take what is typed."""
        self._back.stop()
        self.saved.hide()
        words = (
            self.tr(
                "{0} does not answer since {1}. Go on typing: sheets are kept on this computer until it does."
            )
            if kept
            else self.tr(
                "{0} does not answer since {1}, and this computer cannot keep what is typed: its folder for "
                "that cannot be written. Write it down."
            )
        )
        self._say(words.format(self._what, clock(since)), "warn", "warn")

    def show_back(self, at: datetime) -> None:
        self.saved.show()
        self._say(self.tr("{0} answers again since {1}.").format(self._what, clock(at)), "good", "good")
        self._back.start()

    def _show_store(self) -> None:
        self._say("", "", "muted")

    def _say(self, sentence: str, kind: str, role: str) -> None:
        self._said = sentence
        self._icon.show_icon(kind or "store", role)
        self._store.setFont(fonts.body(fonts.SMALL_POINTS, bold=bool(sentence)))
        self._store.set_text(sentence or self._location)
        self._store.setAccessibleName(sentence or self.tr("Store: {0}").format(self._location))
        self._store.setProperty("role", role)
        self.setProperty("kind", kind)
        for widget in (self, self._store):
            widget.style().unpolish(widget)
            widget.style().polish(widget)


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
