"""The main window: the welcome page, or one open caucus; and how it closes."""

import time
from collections.abc import Sequence

from PySide6.QtCore import QTimer
from PySide6.QtGui import QCloseEvent, QShowEvent
from PySide6.QtWidgets import QMainWindow, QStackedWidget

from caucus_desk.desk.places import is_address
from caucus_desk.desk.session import Desk, open_desk
from caucus_desk.rules.errors import CaucusError
from caucus_desk.tally.progress import Progress
from caucus_desk.ui.fitting import USUAL, hold_to_screen
from caucus_desk.ui.page import Page
from caucus_desk.ui.settings import Settings
from caucus_desk.ui.shell import Shell, reading_words
from caucus_desk.ui.welcome.page import WelcomePage
from caucus_desk.ui.widgets.jobs import Jobs
from caucus_desk.ui.widgets.notice import NoticeBar

_CLOSE_AGAIN_SECONDS = 60.0
"""So long after it was said that something is not saved, closing again means to leave without it."""


class MainWindow(QMainWindow):
    """One window, at most one open caucus."""

    def __init__(self, pages: Sequence[type[Page]], settings: Settings | None = None) -> None:
        super().__init__()
        self._pages = tuple(pages)
        self._settings = settings or Settings()
        self._close_when_idle = False
        self._told_unwritten = -_CLOSE_AGAIN_SECONDS
        self.jobs = Jobs(self)
        self.jobs.idle.connect(self._idle)
        self.shell: Shell | None = None
        self._welcome: WelcomePage | None = None
        self._stack = QStackedWidget()
        self.setCentralWidget(self._stack)
        self.setWindowTitle(self.tr("Caucus Desk"))
        self.resize(USUAL)
        if not self._settings.geometry.isEmpty():
            self.restoreGeometry(self._settings.geometry)
        hold_to_screen(self)
        self._was_shown = False

    @property
    def welcome(self) -> WelcomePage:
        """Made when it is first wanted: a window that opens on a caucus does without."""
        if self._welcome is None:
            self._welcome = made = WelcomePage(self.jobs, self._settings)
            made.desk_made.connect(self.show_desk)
            made.open_wanted.connect(self.open_location)
            made.told.connect(lambda text: self.notices.say(text))
            self._stack.addWidget(made)
        return self._welcome

    @property
    def notices(self) -> NoticeBar:
        """The bar that can be seen now."""
        return self.shell.notices if self.shell is not None else self.welcome.notices

    # ---- opening and closing a caucus ----

    def show_welcome(self) -> None:
        """The page on which a caucus is made or opened."""
        self._stack.setCurrentWidget(self.welcome)
        self.setWindowTitle(self.tr("Caucus Desk"))
        self.welcome.show_start()

    def open_location(self, location: str) -> None:
        """Open a store in the background; the page says how it went."""

        def work(progress: Progress) -> Desk:
            progress(0, 0, location)
            desk = open_desk(location, looking=is_address(location))
            # Checking every sheet takes a second or two: here, so that no page waits for it.
            desk.overview().findings()
            return desk

        self.jobs.run(self.tr("Opening"), work, self.show_desk, failed=self._not_opened, cancellable=False)

    def show_desk(self, desk: Desk, person: str = "") -> None:
        """Take over an open desk; closing it is the window's job from here on."""
        if self.shell is not None:
            self.shell.close_pages()
        self._drop_shell()
        self.shell = Shell(desk, self._pages, self.jobs, NoticeBar(), person)
        self.shell.other_wanted.connect(self._back_to_welcome)
        self._stack.addWidget(self.shell)
        self._stack.setCurrentWidget(self.shell)
        self.shell.take_focus()
        self.setWindowTitle(f"{desk.caucus} – {self.tr('Caucus Desk')}")
        self._settings.remember_store(str(desk.location))
        if desk.read_only:
            self.notices.warn(reading_words())
        if self._welcome is not None and not self._welcome.shared.opened(desk.location):
            self.notices.warn(self.tr("The password could not be kept: this computer has no keyring for it."))
        self.shell.context.start_looking()

    def _not_opened(self, error: CaucusError) -> None:
        if self.shell is None:
            self.welcome.not_opened(error)
        else:
            self.notices.refuse(error.sentence)

    def _back_to_welcome(self) -> None:
        if self.jobs.busy:
            self.notices.warn(self.tr("Wait until the work in hand is done, or cancel it."))
            return
        if not self._pages_are_written():
            return
        self._drop_shell()
        self.show_welcome()

    def _drop_shell(self) -> None:
        if self.shell is None:
            return
        shell, self.shell = self.shell, None
        shell.context.stop_looking()
        shell.sitting.stop()
        shell.context.thinker.rest()
        self._stack.removeWidget(shell)
        shell.context.desk.close()
        shell.deleteLater()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self._was_shown:
            self._was_shown = True
            # Only now is it known how much the title bar and the borders take.
            QTimer.singleShot(0, self, lambda: hold_to_screen(self))

    # ---- closing the window ----

    def closeEvent(self, event: QCloseEvent) -> None:
        """While work goes on the window waits for it: the work is finished or cancelled, never cut off."""
        if self.jobs.busy:
            self._close_when_idle = True
            self.notices.warn(
                self.tr("The window closes when the work in hand is done. Cancel the work to close at once.")
            )
            event.ignore()
            return
        if not self._pages_are_written():
            event.ignore()
            return
        self._settings.geometry = self.saveGeometry()
        self._settings.save()
        self._drop_shell()
        self.jobs.wait()
        event.accept()

    def _pages_are_written(self) -> bool:
        """What was typed is in the store, or the person was told that it is not and leaves all the same."""
        trouble = self.shell.close_pages() if self.shell is not None else ""
        now = time.monotonic()
        if not trouble or now - self._told_unwritten < _CLOSE_AGAIN_SECONDS:
            return True
        self._told_unwritten = now
        self.notices.refuse(
            self.tr("{0} What you typed last is not saved. Close again to leave without it.").format(trouble)
        )
        return False

    def _idle(self) -> None:
        if self._close_when_idle:
            self._close_when_idle = False
            self.close()
