"""The frame around the pages of one open caucus: header, rail, stack, notices, work in hand, status line."""

from collections.abc import Sequence
from datetime import UTC, datetime

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget
from shiboken6 import isValid

from caucus_desk.desk.keptdrafts import can_keep
from caucus_desk.desk.session import Desk
from caucus_desk.rules.errors import CaucusError
from caucus_desk.ui.context import Context
from caucus_desk.ui.entry.page import EntryPage
from caucus_desk.ui.header import Header
from caucus_desk.ui.help.page import HelpPage
from caucus_desk.ui.page import Page
from caucus_desk.ui.page_set import PageSet
from caucus_desk.ui.rail import Rail, page_key
from caucus_desk.ui.sitting import Sitting
from caucus_desk.ui.status import JobStrip, StatusLine
from caucus_desk.ui.welcome.person import PersonPage
from caucus_desk.ui.widgets.basics import STEP
from caucus_desk.ui.widgets.jobs import Jobs
from caucus_desk.ui.widgets.notice import NoticeBar
from caucus_desk.ui.words import tr

_NARROW = 1000
"""Below this width the rail gives its room to the page."""


def reading_words() -> str:
    """What is said of a store that can only be read."""
    return tr(
        "This store can only be read from here: everything is shown as it comes in, and nothing can be saved."
    )


class Shell(QWidget):
    """Holds the pages; shows the one that is wanted, and refreshes those that can be seen."""

    other_wanted = Signal()
    """The person wants another caucus."""

    def __init__(
        self, desk: Desk, pages: Sequence[type[Page]], jobs: Jobs, notices: NoticeBar, person: str = ""
    ) -> None:
        super().__init__()
        self.notices = notices
        self._warnings = (*desk.warnings, *((reading_words(),) if desk.read_only else ()))
        self.context = Context(desk, notices, jobs, self)
        self.header = Header(desk.caucus, read_only=desk.read_only)
        self.status = StatusLine(str(desk.location), read_only=desk.read_only)
        self.person_page = PersonPage()
        self.sitting = Sitting(self.context, self.person_page, self)
        self._focus_before: QWidget | None = None
        self._stack = QStackedWidget()
        self._stack.addWidget(self.person_page)
        self.pages = PageSet(pages, self.context, self._stack)
        self.pages.made.connect(self._page_made)
        self.rail = Rail([(kind.name, kind.title(), kind.icon) for kind in self.pages.kinds])
        self._stale = set(self.pages)
        self._current = next(iter(self.pages))
        self._job_strip = JobStrip(jobs)
        self._lay_out()
        self._connect()
        self._show_overview()
        self.sitting.begin(person)

    # ---- building ----

    def _lay_out(self) -> None:
        centre = QVBoxLayout()
        centre.setContentsMargins(0, 0, 0, 0)
        centre.setSpacing(0)
        self._notice_place = QWidget()
        place = QVBoxLayout(self._notice_place)
        place.setContentsMargins(3 * STEP, 2 * STEP, 3 * STEP, 0)
        place.addWidget(self.notices)
        self.notices.shown_changed.connect(self._show_notices)
        self._notice_place.setVisible(bool(self.notices.text))
        centre.addWidget(self._notice_place)
        centre.addWidget(self._stack, 1)
        centre.addWidget(self._job_strip)
        middle = QHBoxLayout()
        middle.setSpacing(0)
        middle.addWidget(self.rail)
        middle.addLayout(centre, 1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self.header)
        whole.addLayout(middle, 1)
        whole.addWidget(self.status)

    def _connect(self) -> None:
        self.context.changed.connect(self._changed)
        self.context.covers_changed.connect(self._refresh_pages)
        self.context.person_changed.connect(self._person_changed)
        self.context.saved.connect(self._saved)
        self.context.reachable_changed.connect(self._reachable_changed)
        self.context.kept_here.connect(self._kept_here)
        self.context.page_wanted.connect(self.show_page)
        self.header.person_clicked.connect(self.sitting.ask)
        self.sitting.covered.connect(self._cover)
        self.sitting.uncovered.connect(self._uncover)
        self.rail.chosen.connect(self.show_page)
        self.rail.other_wanted.connect(self.other_wanted)
        for place, name in enumerate(self.pages):
            if page_key(place):
                key = QShortcut(QKeySequence(page_key(place)), self)
                key.activated.connect(lambda name=name: self.show_page(name))
        QShortcut(QKeySequence("F8"), self).activated.connect(self.sitting.ask)
        QShortcut(QKeySequence("F1"), self).activated.connect(self._show_keys)
        QShortcut(QKeySequence("Ctrl+F"), self).activated.connect(self._find)

    def _page_made(self, page: Page) -> None:
        page.count_changed.connect(self._show_counts)
        if isinstance(page, HelpPage):
            page.name_pages([kind.title() for kind in self.pages.kinds])

    # ---- pages ----

    @property
    def _at_work(self) -> bool:
        """A page is shown, not the question who is at the desk."""
        return self.pages.shows(self._current)

    @property
    def current(self) -> Page:
        return self.pages[self._current]

    def show_page(self, name: str, precinct_id: str = "") -> None:
        """Show a page, refreshed; with `precinct_id`, on that precinct."""
        if self.sitting.locked:
            return
        if not self.context.person:
            self._current = name
            return
        if self._at_work and name != self._current:
            self.notices.leave_page()
        self.context.renew_eyes()  # begun in another window of the same person, a sheet covers here too
        self._current = name
        self.rail.choose(name)
        page = self.current
        if name in self._stale:
            self._stale.discard(name)
            page.refresh()
        self.pages.show(name)
        if precinct_id:
            page.open_precinct(precinct_id)
        page.take_focus()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.rail.set_narrow(self.width() < _NARROW)

    def _find(self) -> None:
        """Ctrl+F: whose sheet, from wherever the hand is."""
        page = self.pages.get(EntryPage.name)
        if isinstance(page, EntryPage) and not self.sitting.locked and self.context.person:
            self.show_page(EntryPage.name)
            page.find_precinct()

    def _show_keys(self) -> None:
        """F1: which keys there are."""
        self.show_page(HelpPage.name)
        page = self.current
        if isinstance(page, HelpPage):
            page.show_keys()

    def take_focus(self) -> None:
        """Where work begins: the name that is asked for, or the page that is shown."""
        if self._at_work:
            self.current.take_focus()
        else:
            self.person_page.take_focus()

    def close_pages(self) -> str:
        """Write aside what was typed; what could not be written, in a sentence, "" when all is well.

        The desk itself is closed by the window.
        """
        trouble = ""
        for page in self.pages.standing:
            try:
                page.leaving()
            except CaucusError as error:
                trouble = trouble or error.sentence
        return trouble

    def _changed(self) -> None:
        self.pages.forget_counts()
        self._show_overview()
        self._refresh_pages()

    def _refresh_pages(self) -> None:
        """Each page is filled anew when it is next shown; the one that is shown, now."""
        self._stale = set(self.pages)
        self.pages.forget_counts()
        if self._at_work:
            self._stale.discard(self._current)
            self.current.refresh()

    def _show_overview(self) -> None:
        overview = self.context.overview
        self.header.show_coverage(overview.banner(), overview.coverage())
        self._show_counts()

    def _show_counts(self) -> None:
        for name in self.pages:
            self.rail.set_count(name, self.pages.count(name))

    def _saved(self, at: datetime) -> None:
        self.status.show_saved(at)

    def _reachable_changed(self, answers: bool) -> None:
        since = self.context.gone_since
        if answers or since is None:
            self.status.show_back(datetime.now(UTC))
        else:
            self.status.show_gone(since, kept=can_keep())

    def _kept_here(self, kept: bool) -> None:
        since = self.context.gone_since
        if since is not None:
            self.status.show_gone(since, kept=kept)

    # ---- who is at the desk ----

    def hold_unlocked(self, held: bool) -> None:
        """For a wall screen: while held, the window never locks."""
        self.sitting.hold_unlocked(held)

    def _cover(self) -> None:
        """Nothing of the work is seen, nor of what was said about it, until somebody sits down."""
        if self._at_work:
            self._focus_before = self.focusWidget()
        for waits in filter(None, (page.what_waits() for page in self.pages.standing)):
            self.person_page.add(waits)
        self._stack.setCurrentWidget(self.person_page)
        self._show_locked()
        self.person_page.take_focus()

    def _uncover(self) -> None:
        """The same person goes on where the cursor stood."""
        self._show_locked()
        before = self._focus_before
        self._back_to_work()
        if before is not None and isValid(before) and before.isVisible() and before.isEnabled():
            before.setFocus(Qt.FocusReason.ActiveWindowFocusReason)

    def _show_locked(self) -> None:
        locked = self.sitting.locked
        self.rail.setEnabled(not locked)
        self._job_strip.setEnabled(not locked)
        self._show_notices(bool(self.notices.text))

    def _show_notices(self, shown: bool) -> None:
        self._notice_place.setVisible(shown and not self.sitting.locked)

    def _person_changed(self, name: str) -> None:
        self._focus_before = None
        self._show_locked()
        self.header.show_person(name)
        self.notices.clear()
        self._tell_warnings()
        self.context.thinker.forget()
        for page in self.pages.standing:
            page.person_changed()
        self.pages.forget_counts()
        self._stale = set(self.pages)
        self._back_to_work()
        self._show_counts()

    def _tell_warnings(self) -> None:
        """What is wrong with where the store lies: once, when the work begins."""
        if self._warnings:
            self.notices.warn(" ".join(self._warnings))
            self._warnings = ()

    def _back_to_work(self) -> None:
        self.show_page(self._current)
