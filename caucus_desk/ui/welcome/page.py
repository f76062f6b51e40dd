"""The welcome page: a new caucus, an existing store, or the sample caucus."""

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPixmap, QShowEvent
from PySide6.QtWidgets import (
    QFileDialog,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from caucus_desk import paths
from caucus_desk.desk.places import NotLetIn, taken
from caucus_desk.desk.sample import make_sample
from caucus_desk.desk.session import Desk
from caucus_desk.rules.errors import CaucusError
from caucus_desk.tally.progress import Progress
from caucus_desk.ui import icons
from caucus_desk.ui.rail import ThemeButton
from caucus_desk.ui.settings import Settings
from caucus_desk.ui.status import JobStrip
from caucus_desk.ui.welcome.kit import BeginFromKit
from caucus_desk.ui.welcome.new import NewCaucus
from caucus_desk.ui.welcome.shared import SharedStore
from caucus_desk.ui.widgets.basics import (
    STEP,
    ElidedLabel,
    Places,
    button,
    heading,
    label,
    scrolling,
    title,
    wrapped,
)
from caucus_desk.ui.widgets.jobs import Jobs
from caucus_desk.ui.widgets.notice import NoticeBar
from caucus_desk.ui.words import on_button

_WIDTH = 150 * STEP


class WelcomePage(QWidget):
    """`desk_made` carries an open desk and who made it, `told` what is to be said of that; `open_wanted` the
    location of a store."""

    desk_made = Signal(object, str)
    open_wanted = Signal(str)
    told = Signal(str)

    def __init__(self, jobs: Jobs, settings: Settings) -> None:
        super().__init__()
        self._jobs, self._settings = jobs, settings
        self.notices = NoticeBar()
        self.new_button = button(self.tr("New caucus…"), role="primary")
        self.kit_button = button(self.tr("Begin from a county kit…"))
        self.open_field = QLineEdit()
        self.open_field.setPlaceholderText(self.tr("path of a store"))
        self.open_field.setAccessibleName(self.tr("Store to open"))
        self.browse = button(self.tr("Browse…"), "folder")
        self.open_button = button(self.tr("Open"))
        self.shared_button = button(self.tr("Open a shared store…"))
        self.sample_button = button(self.tr("Make and open the sample"))
        self.new = NewCaucus(jobs)
        self.kit = BeginFromKit(jobs)
        self.shared = SharedStore()
        self._recent = QVBoxLayout()
        self._start = QWidget()
        self._places = Places()
        self._lay_out()
        self.new_button.clicked.connect(self._show_new)
        self.new.closed.connect(self.show_start)
        self.new.made.connect(self._made)
        self.kit_button.clicked.connect(self._show_kit)
        self.kit.closed.connect(self.show_start)
        self.kit.made.connect(self._made)
        self.kit.told.connect(self.told)
        self.shared_button.clicked.connect(self._show_shared)
        self.shared.closed.connect(self.show_start)
        self.shared.open_wanted.connect(self.open_wanted)
        self.browse.clicked.connect(self._browse)
        self.open_button.clicked.connect(self._open)
        self.open_field.returnPressed.connect(self._open)
        self.sample_button.clicked.connect(self._sample)
        self.show_start()

    # ---- building ----

    def _lay_out(self) -> None:
        mark = QLabel()
        picture: QPixmap = icons.window_icon().pixmap(48, 48)
        mark.setPixmap(picture)
        names = QVBoxLayout()
        names.setSpacing(0)
        names.addWidget(title(self.tr("Caucus Desk")))
        names.addWidget(label(self.tr("Two people, two sources, and results that can be defended"), "muted"))
        head = QHBoxLayout()
        head.setSpacing(2 * STEP)
        head.addWidget(mark)
        head.addLayout(names, 1)
        head.addWidget(ThemeButton(), 0, Qt.AlignmentFlag.AlignTop)
        self._cards = QHBoxLayout()
        self._cards.setSpacing(3 * STEP)
        new = self._card(
            "new",
            self.tr("New"),
            self.tr("A store for one caucus, from your roster; or a county's own, from its kit."),
        )
        new.addWidget(self.new_button)
        new.addWidget(self.kit_button)
        opening = self._card("folder", self.tr("Open"), self.tr("A store that is already there."))
        opening.addWidget(self.open_field)
        row = QHBoxLayout()
        row.addWidget(self.browse)
        row.addWidget(self.open_button)
        row.addStretch(1)
        opening.addLayout(row)
        opening.addWidget(self.shared_button)
        sample = self._card(
            "sample",
            self.tr("Sample"),
            self.tr(
                "An invented night, half-way through, with every kind of trouble in it. To look and to learn."
            ),
        )
        sample.addWidget(self.sample_button)
        start = QVBoxLayout(self._start)
        start.setContentsMargins(0, 0, 0, 0)
        start.setSpacing(3 * STEP)
        start.addLayout(self._cards)
        self._recent_title = label(self.tr("Opened lately"), bold=True)
        start.addWidget(self._recent_title)
        self._recent.setSpacing(0)
        start.addLayout(self._recent)
        start.addStretch(1)
        self._places.addWidget(self._start)
        self._places.addWidget(self.new)
        self._places.addWidget(self.kit)
        self._places.addWidget(self.shared)
        middle = QWidget()
        middle.setMaximumWidth(_WIDTH)
        column = QVBoxLayout(middle)
        column.setContentsMargins(4 * STEP, 5 * STEP, 4 * STEP, 3 * STEP)
        column.setSpacing(3 * STEP)
        column.addLayout(head)
        column.addWidget(self.notices)
        column.addWidget(self._places, 1)
        inside = QWidget()
        centre = QHBoxLayout(inside)
        centre.setContentsMargins(0, 0, 0, 0)
        centre.addStretch(1)
        centre.addWidget(middle, 100)
        centre.addStretch(1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(scrolling(inside), 1)
        whole.addWidget(JobStrip(self._jobs))

    def _card(self, icon: str, name: str, text: str) -> QVBoxLayout:
        card = QFrame()
        card.setProperty("role", "card")
        inside = QVBoxLayout(card)
        inside.setContentsMargins(3 * STEP, 3 * STEP, 3 * STEP, 3 * STEP)
        inside.setSpacing(2 * STEP)
        top = QHBoxLayout()
        top.setSpacing(2 * STEP)
        top.addWidget(icons.IconLabel(icon, "accent", 24))
        top.addWidget(heading(name), 1)
        inside.addLayout(top)
        inside.addWidget(wrapped(text, "muted"))
        inside.addStretch(1)
        self._cards.addWidget(card, 1)
        return inside

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._places.currentWidget() is self._start:
            self.new_button.setFocus()

    # ---- places ----

    def show_start(self) -> None:
        self._show_recent()
        self._places.setCurrentWidget(self._start)
        self.new_button.setFocus()

    def _show_new(self) -> None:
        self.notices.clear()
        self._places.setCurrentWidget(self.new)
        self.new.take_focus()

    def _show_shared(self) -> None:
        self.notices.clear()
        self._places.setCurrentWidget(self.shared)
        self.shared.ask()

    def not_opened(self, error: CaucusError) -> None:
        """Says why a store was not opened; where it wants a password, it is asked for here."""
        if isinstance(error, NotLetIn):
            self._places.setCurrentWidget(self.shared)
            self.shared.not_let_in(error)
        else:
            self.notices.refuse(error.sentence)

    def _show_kit(self) -> None:
        self.notices.clear()
        self._places.setCurrentWidget(self.kit)
        self.kit.take_focus()

    def _show_recent(self) -> None:
        while (item := self._recent.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        recent = [place for place in self._settings.recent if "://" in place or Path(place).exists()]
        self._recent_title.setVisible(bool(recent))
        for place in recent:
            line = QWidget()
            row = QHBoxLayout(line)
            row.setContentsMargins(0, 0, 0, 0)
            row.setSpacing(2 * STEP)
            opener = button(on_button(Path(place).name), "store", role="quiet")
            opener.clicked.connect(lambda _=False, place=place: self.open_wanted.emit(place))
            where = ElidedLabel(str(Path(place).parent) if "://" not in place else place)
            where.setProperty("role", "muted")
            row.addWidget(opener)
            row.addWidget(where, 1)
            self._recent.addWidget(line)

    # ---- what the person does ----

    def _browse(self) -> None:
        chosen, _ = QFileDialog.getOpenFileName(self, self.tr("Open a store"), self.open_field.text())
        if chosen:
            self.open_field.setText(chosen)
            self._open()

    def _open(self) -> None:
        location = self.open_field.text().strip()
        if not location:
            self.open_field.setFocus()
            return
        try:
            plain = taken(location)
        except CaucusError as error:
            self.open_field.clear()
            self.notices.refuse(error.sentence)
            return
        self.open_field.setText(plain)  # without a password that was typed in it
        self.open_wanted.emit(plain)

    def _sample(self) -> None:
        folder = paths.data_dir() / "sample"

        def work(progress: Progress) -> Path:
            return make_sample(folder, progress)

        self.sample_button.setEnabled(False)
        self._jobs.run(
            self.tr("Making the sample caucus"),
            work,
            self._sampled,
            failed=self._sample_failed,
            cancelled=lambda: self.sample_button.setEnabled(True),
        )

    def _sampled(self, location: Path) -> None:
        self.sample_button.setEnabled(True)
        self.open_wanted.emit(str(location))

    def _sample_failed(self, error: CaucusError) -> None:
        self.sample_button.setEnabled(True)
        self.notices.refuse(error.sentence)

    def _made(self, desk: Desk, person: str) -> None:
        self.show_start()
        self.desk_made.emit(desk, person)
