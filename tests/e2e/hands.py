"""People at real windows for the scripted evening: every deed by keys, and every wait for what is seen."""

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget

from caucus_desk.desk.session import Desk
from caucus_desk.tally.report import Channel, Report
from tests.e2e.iowa_night import BALLOT, DELEGATES, FINAL, FIRST, Place, Sheet
from tests.keyboard import Clerk, reports

CORRECTING = "Why a verified precinct is corrected"
Key = Qt.Key


@dataclass(frozen=True)
class Saved:
    """A report that a window said is saved, with the receipt that it showed."""

    precinct_id: str
    channel: Channel
    by: str
    receipt: str
    sheet: Sheet
    """What was keyed."""


class Seat(Clerk):
    """A desk with a window, at which one person after the other sits down. Several stand side by side."""

    def __init__(self, desk: Desk, saved: list[Saved]) -> None:
        super().__init__(desk, "")
        self.saved = saved

    # ---- the window ----

    def here(self) -> "Seat":
        """Turn to this window."""
        if QApplication.activeWindow() is not self.window:
            self.window.activateWindow()
            self.wait_until(lambda: QApplication.activeWindow() is self.window)
            self.wait_until(lambda: QApplication.focusWidget() is not None)
        return self

    @property
    def focus(self) -> QWidget:
        widget = super(Seat, self.here()).focus
        assert self.window.isAncestorOf(widget), f"{self.name} types at another window: {widget}"
        return widget

    def sit(self, name: str, pin: str) -> None:
        """At a window that asks for a name and a PIN; with F8 first where somebody else sits."""
        shell = self.here().window.shell
        if not shell.sitting.locked:
            self.key(Key.Key_F8)
        assert shell.sitting.locked
        if self.where == "PIN or password":
            self.key(Key.Key_Backtab, Qt.KeyboardModifier.ShiftModifier)
        assert self.where == "Name"
        self.key(Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        self.keys(name)
        self.enter()
        assert self.where == "PIN or password"
        self.keys(pin)
        self.enter()
        self.wait_until(lambda: not shell.sitting.locked)
        assert shell.context.person == name
        self.name = name
        self.go("entry")

    def go(self, name: str) -> None:
        self.here()
        self.page(name)
        assert self.window.shell.current.name == name

    @property
    def seen(self) -> str:
        """For what a failed test says: where the hand is, and what is on the screen."""
        return f"{self.name} at “{self.where}”: " + " | ".join(
            line for line in self.screen().split("\n") if line
        )

    # ---- the sheet ----

    def type_line(self, text: str) -> None:
        self.keys(text)
        self.enter()

    def jump(self, group: str) -> None:
        """To a group's row, by its letter, as often as it takes."""
        for _ in range(6):
            if self.where.startswith(f"{group} "):
                return
            self.keys(group[0].lower())
        raise AssertionError(f"no key leads to {group}: {self.where}")

    def read_out(self, sheet: Sheet, groups: int | None = None) -> None:
        """The counts in the order of the worksheet; only the first `groups` rows where not all are said."""
        if self.where == "Attendance":
            self.type_line(str(sheet.people))
        rows = [(group, sheet.rows[group]) for group in BALLOT if group in sheet.rows]
        for group, row in rows[:groups]:
            self.jump(group)
            for column, name in ((FIRST, "first"), (FINAL, "final"), (DELEGATES, "delegates")):
                assert self.where == f"{group} {name}", self.where
                self.type_line(str(row[column]))

    def submit(
        self, place: Place, channel: Channel, sheet: Sheet, why: str = "asked, and it stays so"
    ) -> str:
        """Ctrl+Enter, then what is asked for: a look at boxes that do not match, reasons, why it is
        corrected. Ends at the receipt, which is kept and answered."""
        before = self._report(place, channel)
        receipt = self.window.shell.pages["entry"].receipt
        self.ctrl_enter()
        for _ in range(60):
            if receipt.isVisible():
                break
            if self.where == CORRECTING or self.where.startswith("Reason for"):
                self.keys(why)
            self.enter()
        else:
            raise AssertionError(f"{place.name} is not taken: {self.seen}")
        now = self._report(place, channel)
        assert now is not None
        assert before is None or now.id > before.id
        code = receipt.code.text().replace(" ", "")
        assert code == now.receipt
        assert now.by == self.name
        self.saved.append(Saved(place.id, channel, self.name, code, sheet))
        said = self.screen()
        self.enter()
        return said

    def _report(self, place: Place, channel: Channel) -> Report | None:
        return reports(self.desk, place.id).get(channel)

    def paper(self, place: Place, sheet: Sheet) -> str:
        """One sheet of paper from finding the precinct to its receipt."""
        self.go("entry")
        self.find(place.id, Channel.PAPER)
        assert self.where == "Attendance", self.seen
        self.read_out(sheet)
        return self.submit(place, Channel.PAPER, sheet)

    # ---- the call ----

    def ring(self, place: Place, *said: str, name: str = "") -> None:
        """A call is taken: the precinct, the caller's name and number, what is said for the PIN."""
        self.go("entry")
        self.find(place.id, Channel.PHONE)
        assert self.where == "Caller", self.seen
        for text in (name or place.chair, *said):
            self.type_line(text)

    def phone(self, place: Place, sheet: Sheet) -> str:
        """One call from the precinct's name to the receipt; the chair knows the PIN."""
        self.ring(place, "515 555 0199", place.pin)
        assert self.sees("PIN passed")
        self.read_out(sheet)
        return self.submit(place, Channel.PHONE, sheet)

    def take_up(self, place: Place, channel: Channel) -> None:
        """Down in the list of unfinished sheets to this one, and Enter."""
        self.go("entry")
        finder = self.window.shell.pages["entry"].finder
        for _ in range(12):
            self.key(Key.Key_Down)
            row = next((row for row in finder.rows if row.key == finder.view.current_key), None)
            draft = None if row is None else row.draft
            if draft is not None and (draft.precinct_id, draft.channel) == (place.id, channel):
                self.enter()
                return
        raise AssertionError(f"the {channel} sheet of {place.name} is not among the unfinished ones")

    # ---- calling back ----

    def open_back(self, place: Place) -> None:
        """Opens the call-back about a precinct."""
        self.go("calls")
        page = self.window.shell.pages["calls"]
        self.wait_until(lambda: any(row.precinct.id == place.id for row in page.back_model.shown))
        for _ in range(20):
            row = page.back_model.row_at(page.backs.currentIndex())
            if row is not None and row.precinct.id == place.id:
                break
            self.key(Key.Key_Down)
        self.enter()
        assert place.phone in self.screen()

    # ---- review ----

    def open_case(self, place: Place) -> None:
        """The case of a precinct, through the filter of the queue; the window hears of it by itself."""
        self.go("review")
        side = self.window.shell.pages["review"].side
        view = self.window.shell.pages["review"].view
        self.wait_until(lambda: side.any_rows and side.isVisible())
        self.page("review")
        self.keys("/")
        assert self.where == "Filter the queue"
        self.key(Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        self.keys(place.id)
        self.wait_until(lambda: [row.id for row in side.shown] == [place.id])
        self.enter(2)
        self.wait_until(lambda: view.isVisible() and view.case is not None)
        assert view.case.precinct.id == place.id

    def rule(self, *letters: str) -> str:
        """A ruling by these keys, then a reason and Ctrl+Enter; what was said of it."""
        for letter in letters:
            self.keys(letter)
        self.enter()
        assert self.where == "Reason", self.seen
        self.keys("1")
        self.ctrl_enter()
        return self.window.shell.notices.text

    # ---- the paper chase ----

    def chase(self, place: Place, runner: str, attempts: Mapping[str, str]) -> None:
        """Sends a runner, notes attempts (a digit and a note), and marks the sheet received."""
        self.go("paper")
        page = self.window.shell.pages["paper"]
        self._list(page, "fetch")
        self.keys("/")
        self.key(Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        self.type_line(place.id)
        self.wait_until(lambda: page.table.current_key == place.id)
        for letter, text in (("a", runner), *((f"t{digit}", note) for digit, note in attempts.items())):
            self.keys(letter)
            self.key(Key.Key_A, Qt.KeyboardModifier.ControlModifier)
            self.type_line(text)
            self.wait_until(lambda: not page.store_is_busy and not page.foot.asking)
        self.keys("r")
        self.wait_until(lambda: not page.store_is_busy and self.sees("its paper entry is due"))

    def paper_received(self, place: Place, sheet: Sheet) -> str:
        """Keys a sheet from the list of those that lie here."""
        page = self.window.shell.pages["paper"]
        self._list(page, "here")
        self.wait_until(lambda: page.table.current_key == place.id)
        self.enter()
        self.wait_until(lambda: self.window.shell.current.name == "entry" and self.where == "Attendance")
        self.read_out(sheet)
        return self.submit(place, Channel.PAPER, sheet)

    def _list(self, page: QWidget, name: str) -> None:
        for _ in range(3):
            if page.which.key == name:
                return
            self.keys("h")
        raise AssertionError(f"H does not lead to the list {name}")
