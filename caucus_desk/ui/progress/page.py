"""The Progress page: how the night goes, in five sections, and the wall screen."""

from datetime import UTC, datetime

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QHideEvent, QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from caucus_desk.desk.evening import evening
from caucus_desk.rules.errors import CaucusError
from caucus_desk.ui.context import Context
from caucus_desk.ui.page import Page
from caucus_desk.ui.progress.counties import CountiesSection
from caucus_desk.ui.progress.moved import MovedSection
from caucus_desk.ui.progress.night import NightSection
from caucus_desk.ui.progress.persons import PersonsSection
from caucus_desk.ui.progress.waits import WaitsSection
from caucus_desk.ui.progress.wall import WallScreen
from caucus_desk.ui.widgets.basics import STEP, Choices, Places, Toolbar, button
from caucus_desk.ui.words import tr

REFRESH_EVERY = 5_000
"""Milliseconds: time passes also while nothing comes in."""


class ProgressPage(Page):
    """One section at a time, by the keys 1 to 5."""

    name = "progress"
    icon = "progress"

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.night = NightSection()
        self.counties = CountiesSection()
        self.waits = WaitsSection(context)
        self.moved = MovedSection(context)
        self.persons = PersonsSection(context)
        self._sections: dict[str, QWidget] = {
            "night": self.night,
            "counties": self.counties,
            "waits": self.waits,
            "moved": self.moved,
            "people": self.persons,
        }
        self.sections = Choices(
            [
                ("night", self.tr("1 Night")),
                ("counties", self.tr("2 Counties")),
                ("waits", self.tr("3 Waiting")),
                ("moved", self.tr("4 Corrections")),
                ("people", self.tr("5 People")),
            ],
            self.tr("Section"),
        )
        self.wall_button = button(self.tr("Wall screen (F11)"), "progress")
        self.wall = WallScreen(context, self)
        self._places = Places()
        for section in self._sections.values():
            self._places.addWidget(section)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(3 * STEP, 3 * STEP, 3 * STEP, 2 * STEP)
        whole.setSpacing(2 * STEP)
        whole.addWidget(Toolbar([self.sections], [self.wall_button]))
        whole.addWidget(self._places, 1)
        self.sections.chosen.connect(self._chosen)
        self.wall_button.clicked.connect(self.begin_wall)
        self.wall.left.connect(self._wall_left)
        self.counties.opened.connect(context.show_county)
        for place, key in enumerate(self._sections):
            self._key(QKeySequence(str(place + 1))).activated.connect(lambda key=key: self._jump(key))
        self._key(QKeySequence(Qt.Key.Key_F11)).activated.connect(self.begin_wall)
        self._timer = QTimer(self)
        self._timer.setInterval(REFRESH_EVERY)
        self._timer.timeout.connect(self.refresh)

    def _key(self, sequence: QKeySequence) -> QShortcut:
        made = QShortcut(sequence, self)
        made.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        return made

    @classmethod
    def title(cls) -> str:
        return tr("Progress")

    # ---- showing ----

    def refresh(self) -> None:
        if self.wall.running:
            return  # nobody sees the page; the wall refreshes itself
        here = self._has_focus()
        self._fill()
        if here and not self._has_focus():
            self.take_focus()  # what had it is empty now, and hidden

    def _has_focus(self) -> bool:
        focus = QApplication.focusWidget()
        return focus is not None and self.isAncestorOf(focus)

    def _fill(self) -> None:
        now = datetime.now(UTC)
        try:
            if self.sections.key == "moved":
                self.moved.show_night()
            elif self.sections.key == "people":
                self.persons.show_night()
            else:
                night = evening(self.context.desk, now)
                if self.sections.key == "night":
                    self.night.show_evening(night)
                elif self.sections.key == "counties":
                    self.counties.show_evening(night)
                else:
                    self.waits.show_evening(night)
        except CaucusError as error:
            self.context.notices.refuse(error.sentence)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._timer.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._timer.stop()

    def take_focus(self) -> None:
        section = self._sections[self.sections.key]
        if section is self.night or not section.take_focus():  # type: ignore[attr-defined]
            self.sections.take_focus()

    def person_changed(self) -> None:
        self.sections.choose("night")

    # ---- what the person does ----

    def _jump(self, key: str) -> None:
        self.sections.choose(key)
        self.take_focus()

    def _chosen(self, key: str) -> None:
        self._places.setCurrentWidget(self._sections[key])
        self.refresh()

    def begin_wall(self) -> None:
        if not self.wall.running:
            self._hold(True)
            self.wall.begin()

    def _wall_left(self) -> None:
        self.refresh()
        self.window().activateWindow()
        self._hold(False)  # after a long time on the wall the desk locks now
        if self.isVisible():
            self.take_focus()

    def _hold(self, on: bool) -> None:
        """The desk is not locked while the wall is shown: it shows nothing that a lock would hide."""
        widget: QWidget | None = self.parentWidget()
        while widget is not None:
            hold = getattr(widget, "hold_unlocked", None)
            if hold is not None:
                hold(on)
                return
            widget = widget.parentWidget()

    def leaving(self) -> None:
        self.wall.end()
