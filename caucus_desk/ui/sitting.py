"""Who sits at this window: asked at first, when people change places, and after nobody was there for long."""

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QApplication

from caucus_desk.desk.accounts import Known
from caucus_desk.desk.known import known
from caucus_desk.desk.naming import same_person
from caucus_desk.desk.people import (
    Account,
    SignIn,
    allowed,
    owner,
    sign_in,
    sign_in_kind,
    sign_out,
    tell_locked,
)
from caucus_desk.desk.roles import Job
from caucus_desk.desk.settings import settings
from caucus_desk.rules.errors import CaucusError
from caucus_desk.ui.context import Context
from caucus_desk.ui.idle import Idle
from caucus_desk.ui.store_calls import StoreCalls
from caucus_desk.ui.welcome.person import PersonPage

LOOK_EVERY = 5_000
"""Milliseconds between two looks at how long nobody was here, and whether the account still holds."""


class Sitting(QObject):
    """Leads the person page. A locked window shows nothing of the work, which is kept as it stands."""

    covered = Signal()
    """The person page is to be shown, and nothing else."""
    uncovered = Signal()
    """The same person goes on. Another one is told by the context."""

    def __init__(self, context: Context, page: PersonPage, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.context, self.page = context, page
        self.idle = Idle(self)
        self.idle.over.connect(self.lock)
        self._locked = False
        self._known = known(context.desk)
        self._leaving: list[str] = []
        self._signing = StoreCalls(self)
        self._telling = StoreCalls(self)
        self._looking = StoreCalls(self)
        self._signing.waiting.connect(page.wait)
        page.named.connect(self._named)
        page.signing.connect(self._sign_in)
        page.kept.connect(self.uncovered)
        context.person_changed.connect(self._sat_down)
        context.jobs.idle.connect(self._sign_out_those_who_left)
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_EVERY)
        self._timer.timeout.connect(self.look)
        self._timer.start()

    @property
    def locked(self) -> bool:
        """Nothing but name and PIN leads back to work."""
        return self._locked

    @property
    def signing_in(self) -> bool:
        """A name and a PIN are looked at."""
        return self._signing.busy

    def begin(self, person: str) -> None:
        """`person` sits down, where the store lets them; else it is asked who does."""
        desk = self.context.desk
        if person and allowed(desk, person, Job.LOOK):
            self.context.set_person(person)
        elif sign_in_kind(desk) is SignIn.OWN_LAPTOP and owner(desk):
            self.context.set_person(owner(desk))
        else:
            self.ask()

    def ask(self) -> None:
        """F8: where a name is enough it is asked for; where there are accounts the window locks."""
        if self.idle.held:
            return
        try:
            kind = sign_in_kind(self.context.desk)
        except CaucusError:
            kind = self._known.sign_in  # the store does not answer: as it was when it last did
        if kind is SignIn.ACCOUNTS:
            self.lock()
        else:
            self.page.ask(self.context.person)
            self.covered.emit()

    def lock(self) -> None:
        """At once, whatever the store does."""
        if self._locked:
            return
        self._locked = True
        self.idle.stop()
        _close_what_stands_in_front()
        desk, person = self.context.desk, self.context.person
        self.page.ask_pin(person)
        self.covered.emit()
        if person:
            self._telling.run(lambda: tell_locked(desk, person), lambda _: None, lambda _: None)

    def hold_unlocked(self, held: bool) -> None:
        """While held, as by a wall screen, the window does not lock."""
        self.idle.hold(held)

    def look(self) -> None:
        """Whether somebody has been away for too long, and whether the account still holds."""
        if not self.context.person or self._locked:
            return
        desk, person = self.context.desk, self.context.person
        # Where the store does not answer, the context says so; a window that was left locks all the same.
        self._looking.run(
            lambda: (allowed(desk, person, Job.LOOK), self._limit(), known(desk)),
            lambda found: self._looked(person, *found),
            lambda _: None,
        )
        self.idle.look()

    def _looked(self, person: str, holds: bool, limit: float, now: Known) -> None:
        if person != self.context.person or self._locked:
            return
        if not holds:
            self.idle.hold(False)
            self.lock()
            return
        self.idle.go_on(limit)
        self._tell_of_new_rights(now)
        self._sign_out_those_who_left()

    def _tell_of_new_rights(self, now: Known) -> None:
        """Another window changed who may do what: the pages look again."""
        if (now.accounts, now.values) != (self._known.accounts, self._known.values):
            self._known = now
            self.context.changed.emit()

    def stop(self) -> None:
        """The window leaves this caucus."""
        self._timer.stop()
        self.idle.stop()
        self._signing.stop()
        self._telling.stop()
        self._looking.stop()

    # ---- sitting down ----

    def _named(self, name: str) -> None:
        if sign_in_kind(self.context.desk) is SignIn.ACCOUNTS:
            self.lock()  # accounts were made while the name was typed
            return
        before = self.context.person
        self.context.set_person(name)
        if self.context.person == before:
            self.uncovered.emit()

    def _sign_in(self, name: str, pin: str) -> None:
        desk = self.context.desk
        self._signing.run(
            lambda: sign_in(desk, name, pin), self._let_in, lambda refusal: self.page.refuse(refusal.sentence)
        )

    def _let_in(self, account: Account) -> None:
        self.page.forget()
        self._locked = False
        before = self.context.person
        self._leaving = [name for name in self._leaving if not same_person(name, account.name)]
        if account.name == before:
            self._sat_down(before)
            self.uncovered.emit()
            return
        self.context.set_person(account.name)
        if before and not same_person(before, account.name):
            self._leaving.append(before)
            self._sign_out_those_who_left()

    def _sat_down(self, person: str) -> None:
        self._locked = False
        if sign_in_kind(self.context.desk) is SignIn.ACCOUNTS:
            self.idle.start(self._limit())

    def _sign_out_those_who_left(self) -> None:
        """Not before the work in hand, which is theirs, is done."""
        if self.context.jobs.busy or self._telling.busy or not self._leaving:
            return
        desk, leaving = self.context.desk, tuple(self._leaving)
        self._leaving.clear()

        def work() -> None:
            for name in leaving:
                sign_out(desk, name)

        self._telling.run(work, lambda _: None, lambda _: None)

    def _limit(self) -> float:
        now = settings(self.context.desk)
        return 60.0 * now.idle_minutes if now.sign_in is SignIn.ACCOUNTS else 0.0


def _close_what_stands_in_front() -> None:
    """Menus, lists that hang open and file dialogs would show what the lock hides."""
    for front in (QApplication.activePopupWidget, QApplication.activeModalWidget):
        for _ in range(10):
            widget = front()
            if widget is None or not widget.close():
                break
