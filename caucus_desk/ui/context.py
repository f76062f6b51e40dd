"""What every page is given: the desk, who sits at it, and how to speak, to work and to hear of changes."""

from datetime import UTC, datetime

from PySide6.QtCore import QObject, QTimer, Signal

from caucus_desk.desk.looking import Eyes, eyes
from caucus_desk.desk.session import Desk
from caucus_desk.rules.errors import CaucusError
from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.tally.overview import Overview
from caucus_desk.ui.thinking import Thinker
from caucus_desk.ui.widgets.jobs import Jobs
from caucus_desk.ui.widgets.notice import NoticeBar

LOOK_EVERY = 2_000
"""Milliseconds between two looks for changes that other processes made."""


class Context(QObject):
    """One open caucus in one window.

    After a change a page calls `after_change()`; that asks the desk again and emits `changed`, upon
    which the shell calls `refresh()` of the visible page, and of the others when they are next shown.
    """

    changed = Signal()
    """The overview has changed, by this window or by another process."""
    covers_changed = Signal()
    """Other figures than before are covered for who is at the desk: see `eyes`."""
    person_changed = Signal(str)
    saved = Signal(datetime)
    """Something was committed at that time (UTC)."""
    page_wanted = Signal(str, str)
    """A page by its name, and a precinct id or ""."""
    sheet_wanted = Signal(str, str)
    """A precinct's sheet is to be keyed: its id, and the channel. The Entry page is shown already."""
    county_wanted = Signal(str)
    """The precincts of a county, or of a pool of satellite sites."""

    def __init__(self, desk: Desk, notices: NoticeBar, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.desk = desk
        self.notices = notices
        self.jobs = jobs
        self.thinker = Thinker(desk, self)
        """For what takes a second or two and nobody waits for."""
        self._person = ""
        self.on_the_line = ""
        """A precinct whose number on file this desk has just rung: that is the check of its next sheet."""
        self._trouble = ""
        self._overview = desk.overview()
        self._seen = self._figures()
        self._eyes = Eyes("", {}, frozenset())
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_EVERY)
        self._timer.timeout.connect(self._tick)

    @property
    def rules(self) -> RuleSet:
        return self.desk.rules

    @property
    def overview(self) -> Overview:
        """As of the last look; reading it costs nothing."""
        return self._overview

    @property
    def eyes(self) -> Eyes:
        """What the person at the desk may see, as of the last look; reading it costs nothing."""
        return self._eyes

    @property
    def person(self) -> str:
        """Who is at the desk; "" before anyone said."""
        return self._person

    def set_person(self, name: str) -> None:
        name = " ".join(name.split())
        if name != self._person:
            self._person = name
            self._eyes = self._read_eyes()
            self.person_changed.emit(name)

    def start_looking(self) -> None:
        self._timer.start()

    def stop_looking(self) -> None:
        self._timer.stop()

    def _tick(self) -> None:
        """Work in hand tells of its change when it is done; looking meanwhile would do its reading twice."""
        if not self.jobs.busy:
            self.look()

    def look(self) -> None:
        """Asks the desk whether anything changed; cheap when nothing did."""
        try:
            self._overview = self.desk.overview()
        except CaucusError as error:
            # Once for each kind of trouble, not every two seconds.
            if error.sentence != self._trouble:
                self._trouble = error.sentence
                self.notices.refuse(error.sentence)
            return
        if self._trouble:
            self._trouble = ""
            self.notices.done(self.tr("The store answers again."))
        figures, seen = self._figures(), self._seen
        if len(figures) != len(seen) or any(a is not b for a, b in zip(figures, seen, strict=True)):
            self._seen = figures
            self._eyes = self._read_eyes()
            self.changed.emit()
        else:
            self.renew_eyes()

    def renew_eyes(self) -> None:
        """Asks anew what the person may see: a sheet was begun or left, or somebody looked on purpose."""
        now = self._read_eyes()
        if now != self._eyes:
            self._eyes = now
            self.covers_changed.emit()

    def _read_eyes(self) -> Eyes:
        try:
            return eyes(self.desk, self._person)
        except CaucusError:
            # Nothing is known of this person then: everything that is not verified stays covered.
            known = self._eyes
            return known if known.by == self._person else Eyes(self._person, {}, frozenset())

    def _figures(self) -> tuple[object, ...]:
        """What pages show comes from these; results are frozen, so the same objects mean the same figures."""
        return (*self._overview.results.values(), self._overview.control_totals)

    def after_change(self, at: datetime | None = None) -> None:
        """Call after each change that the desk confirmed; `at` is when it was committed (UTC)."""
        self.saved.emit(at or datetime.now(UTC))
        self.look()

    def show_county(self, county: str) -> None:
        """Go to the precincts of a county."""
        self.show_page("precincts")
        self.county_wanted.emit(county)

    def show_page(self, name: str, precinct_id: str = "") -> None:
        """Go to a page by its name: entry, review, results, precincts, help."""
        self.page_wanted.emit(name, precinct_id)
