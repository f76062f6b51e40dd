"""What every page is given: the desk, who sits at it, and how to speak, to work and to hear of changes."""

import time
from contextlib import suppress
from datetime import UTC, datetime

from PySide6.QtCore import QObject, QTimer, Signal, SignalInstance

from caucus_desk.desk.live import Live
from caucus_desk.desk.looking import Eyes, eyes
from caucus_desk.desk.session import Desk
from caucus_desk.rules.errors import CaucusError
from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.tally.overview import Overview
from caucus_desk.ui.thinking import Thinker
from caucus_desk.ui.widgets.jobs import Jobs
from caucus_desk.ui.widgets.notice import NoticeBar

REST = 0.25
"""Seconds between two looks: where many desks save, what they changed is shown together."""
_TRY_AGAIN = 2_000
"""Milliseconds after a look that failed."""


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
    reachable_changed = Signal(bool)
    """The store does not answer any more, or answers again. Told before anything is looked for again."""
    kept_here = Signal(bool)
    """What the store does not take is on the disk of this computer, or cannot be written there either."""
    _heard = Signal()
    _reached = Signal(bool, str)

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
        self._gone_since: datetime | None = None
        self._live = Live(
            desk,
            changed=lambda: self._tell(self._heard),
            reachable=lambda answers, why: self._tell(self._reached, answers, why),
        )
        self._heard.connect(self._look_soon)
        self._reached.connect(self._answers)
        self._looked = 0.0
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._tick)
        jobs.idle.connect(self._look_after_work)
        self._owes_look = False

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
            self._person = self._live.by = name
            self._eyes = self._read_eyes()
            self.person_changed.emit(name)

    @property
    def window(self) -> str:
        """By this the store knows which sheets this window has open."""
        return self._live.window

    @property
    def reachable(self) -> bool:
        """Whether the store answers, so far as is known."""
        return self._gone_since is None

    @property
    def gone_since(self) -> datetime | None:
        """Since when the store does not answer (UTC); None while it does."""
        return self._gone_since

    def start_looking(self) -> None:
        """From here on the window hears what others change, and the store hears of the window."""
        self._live.start()

    def stop_looking(self) -> None:
        self._timer.stop()
        self._live.stop()

    @staticmethod
    def _tell(signal: SignalInstance, *what: object) -> None:
        with suppress(RuntimeError):  # the window was closed meanwhile: there is nobody to tell
            signal.emit(*what)

    def _answers(self, answers: bool, _why_not: str) -> None:
        if answers == self.reachable:
            return
        self._gone_since = None if answers else datetime.now(UTC)
        self.reachable_changed.emit(answers)

    def _look_soon(self) -> None:
        if not self._timer.isActive():
            self._timer.start(max(0, int(1000 * (self._looked + REST - time.monotonic()))))

    def _tick(self) -> None:
        """Work in hand tells of its change when it is done; looking meanwhile would do its reading twice."""
        self._owes_look = self.jobs.busy
        if not self._owes_look:
            self.look()

    def _look_after_work(self) -> None:
        if self._owes_look:
            self._look_soon()

    def look(self) -> None:
        """Asks the desk whether anything changed; cheap when nothing did. Nothing is asked while the store is
        known not to answer: that is said already, and the window must not wait."""
        if not self.reachable:
            return
        self._looked = time.monotonic()
        try:
            self._overview = self.desk.overview()
        except CaucusError as error:
            # Once for each kind of trouble.
            if error.sentence != self._trouble:
                self._trouble = error.sentence
                self.notices.refuse(error.sentence)
            self._timer.start(_TRY_AGAIN)
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
