"""A clerk for the tests: sits at a real window and does everything by keys. No mouse, no inner calls."""

import importlib.util
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import ModuleType

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QTableView, QWidget

from caucus_desk.desk.session import Desk
from caucus_desk.store.records import DraftRecord
from caucus_desk.store.store import Store
from caucus_desk.tally.report import CHANNELS, Channel, Report
from caucus_desk.ui.app import build_window
from caucus_desk.ui.entry.lines import HOLD_MS

ROSTER = """\
county,precinct,precinct_id,county_delegates,kind,district,county_state_delegates,county_total_delegates
Polk,Des Moines-14,77-DM14,6,precinct,3,392,1401
Polk,Des Moines-42,77-DM42,9,precinct,3,392,1401
Polk,Clive-1,77-CL1,1,precinct,3,392,1401
Linn,Cedar Rapids-01,57-CR01,4,precinct,1,100,400
Lee,Keokuk 1,56-K1,3,precinct,2,50,100
Lee,Keokuk 2 (merged),56-K2,0,precinct,2,50,100
"""

Counts = Mapping[str, tuple[int | None, int | None, int | None]]

# Des Moines-14 as certified in the end: 161 people, 6 delegates, threshold 25.
DM14: Counts = {
    "Biden": (20, 25, 1),
    "Buttigieg": (48, 52, 2),
    "Klobuchar": (17, 0, 0),
    "Sanders": (45, 50, 2),
    "Warren": (28, 31, 1),
    "Yang": (3, 0, 0),
}
DM14_PEOPLE = 161


def small_caucus(
    folder: Path,
    rules: str = "iowa-2020",
    roster: str = ROSTER,
    place_for: Callable[..., str] | None = None,
) -> Desk:
    """A store with six precincts; with the fixture `place_for`, wherever the tests' stores lie."""
    file = folder / "roster.csv"
    file.write_text(roster, encoding="utf-8")
    if place_for is None:
        return _made_once().create(folder / "night.caucus", rules, file, by="lead", name="A night")
    return _made_once().create_at(place_for, folder / "night.caucus", rules, file, by="lead", name="A night")


def _made_once() -> ModuleType:
    """The module beside this one; test folders are no packages, so it is loaded by its path."""
    name = "caucus_tests_made_once"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name("made_once.py"))
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
    return sys.modules[name]


class Clerk:
    """One person at one window, who looks at the screen before the next key: where the store is slow to
    answer, the hand waits. `hasty` people don't."""

    hasty = False

    def __init__(self, desk: Desk, name: str, *, size: tuple[int, int] = (1280, 720)) -> None:
        self.desk, self.name = desk, name
        self.window = build_window(desk, person=name)
        self.window.resize(*size)
        self.window.show()
        QTest.qWaitForWindowActive(self.window)
        # These people read the receipt before they press Enter, and are quick at it.
        self.window.shell.pages["entry"].receipt.nervous_seconds = 0.0
        self.page("entry")

    # --- keys ---------------------------------------------------------------------------------

    @property
    def focus(self) -> QWidget:
        widget = QApplication.focusWidget()
        assert widget is not None, "no widget has the focus: the keyboard leads nowhere"
        return widget

    @property
    def where(self) -> str:
        """What a screen reader would say of the widget with the focus."""
        return self.focus.accessibleName()

    @property
    def text(self) -> str:
        """The text in the field with the focus."""
        widget = self.focus
        assert isinstance(widget, QLineEdit), f"{widget} is no field"
        return widget.text()

    def key(self, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        QTest.keyClick(self.focus, key, modifier)
        self.rest()

    def keys(self, text: str) -> None:
        for letter in text:
            QTest.keyClick(self.focus, letter)
        self.rest()

    def rest(self) -> None:
        """Until the store has answered: a busy machine answers late, as a held store does."""
        if self.hasty or self.window.shell is None:
            return
        pages, sitting = self.window.shell.pages, self.window.shell.sitting
        if sitting.signing_in:
            self.wait_until(lambda: not sitting.signing_in)
        if any(page.store_is_busy for page in pages.standing):
            self.wait_until(lambda: not any(page.store_is_busy for page in pages.standing))
        receipt = pages["entry"].receipt
        if receipt.isVisible():
            self.wait_until(lambda: receipt.seen or not receipt.isVisible())

    def press(self, text: str) -> None:
        """One key press that carries this text, as a keyboard of another language sends it."""
        for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
            event = QKeyEvent(kind, Qt.Key.Key_unknown, Qt.KeyboardModifier.NoModifier, text)
            QApplication.sendEvent(self.focus, event)

    def enter(self, times: int = 1) -> None:
        for _ in range(times):
            self.key(Qt.Key.Key_Return)

    def ctrl_enter(self) -> None:
        self.key(Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)

    def paste(self, text: str) -> None:
        QApplication.clipboard().setText(text)
        self.key(Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)

    def page(self, name: str) -> None:
        names = list(self.window.shell.pages)
        self.key_on_window(Qt.Key(Qt.Key.Key_0 + (names.index(name) + 1) % 10))
        self.rest()

    def key_on_window(self, key: Qt.Key) -> None:
        widget = QApplication.focusWidget() or self.window
        QTest.keyClick(widget, key, Qt.KeyboardModifier.ControlModifier)

    # --- what can be read on the screen ---------------------------------------------------------

    def screen(self) -> str:
        """Every text that can be seen in the window now, with what is painted by our own cells and notes."""
        QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)  # a person sees what is laid out
        texts = []
        for widget in self.window.findChildren(QWidget):
            if not widget.isVisible():
                continue
            for read in (getattr(widget, "text", None),):
                if isinstance(read, str):
                    texts.append(read)
                elif callable(read):
                    with suppress(TypeError):
                        texts.append(str(read()))
            if type(widget).__name__ in ("NoteView", "Cell", "AskBar"):
                texts.append(widget.accessibleName())
            if isinstance(widget, QTableView):
                texts += [" | ".join(row) for row in (heads_of(widget), *rows_of(widget))]
        return "\n".join(texts)

    def listed(self) -> list[list[str]]:
        """The rows of the list that can be seen now."""
        return [
            row for view in self.window.findChildren(QTableView) if view.isVisible() for row in rows_of(view)
        ]

    def sees(self, text: str) -> bool:
        return text in self.screen()

    def marked(self) -> dict[str, str]:
        """Boxes that are marked, by what a screen reader says of the mark."""
        return {
            box.accessibleName(): box.accessibleDescription()
            for box in self.window.findChildren(QLineEdit)
            if box.isVisible() and box.accessibleDescription()
        }

    # --- jobs ---------------------------------------------------------------------------------

    def find(self, precinct_id: str, channel: Channel) -> None:
        self.keys(precinct_id)
        self.enter()
        self.answer("p" if channel is Channel.PHONE else "a")

    def answer(self, letter: str) -> None:
        """Phone or paper, as a hand answers: a letter that others follow at once is a scanner's."""
        asked = self.focus
        self.keys(letter)
        QTest.qWait(HOLD_MS + 15)
        self.wait_until(lambda: not any(timer.isActive() for timer in asked.findChildren(QTimer)))
        self.rest()

    def open(self, precinct_id: str, channel: Channel) -> None:
        """Find, choose the channel and, on the phone, name the caller."""
        self.find(precinct_id, channel)
        if channel is Channel.PHONE:
            for line in ("Jane Doe", "515 555 0142", "1234"):
                self.keys(line)
                self.enter()

    def fill(self, people: int | None, rows: Counts, groups: Iterable[str] | None = None) -> None:
        """Every box of the sheet in reading order; a group that is not in `rows` is passed with Enter."""
        self._count(people)
        for group in groups or self.desk.rules.keys:
            for count in rows.get(group, (None, None, None)):
                self._count(count)

    def _count(self, count: int | None) -> None:
        if count is not None:
            self.keys(str(count))
        self.enter()

    def key_sheet(self, precinct_id: str, channel: Channel, people: int, rows: Counts) -> None:
        """The whole sheet, up to and with the hand on Submit."""
        self.open(precinct_id, channel)
        self.fill(people, rows)

    def give_reasons(self, reason: str = "read twice") -> None:
        """For each error that asks for a reason, while the hand is led there."""
        for _ in range(20):
            if not self.where.startswith("Reason for"):
                break
            self.keys(reason)
            self.enter()

    def wait_until(self, done: Callable[[], bool], milliseconds: int = 20_000) -> None:
        end = time.monotonic() + milliseconds / 1000
        while not done():
            assert time.monotonic() < end, "it did not happen in time"
            QTest.qWait(20)

    def leave(self) -> None:
        """Close the window as a person does."""
        self.window.close()
        self.window.deleteLater()
        QApplication.processEvents()


@contextmanager
def held(desk: Desk) -> Iterator[None]:
    """Another program is in the midst of writing the store, and people type on."""
    with Store.open(desk.location) as other, suppress(_LetGo), other.write():
        Clerk.hasty = True
        try:
            yield
        finally:
            Clerk.hasty = False
        raise _LetGo  # nothing of it is saved


class _LetGo(Exception):
    pass


def rows_of(view: QTableView) -> list[list[str]]:
    model = view.model()
    return [
        [str(model.index(row, column).data() or "") for column in range(model.columnCount())]
        for row in range(model.rowCount())
    ]


def heads_of(view: QTableView) -> list[str]:
    model = view.model()
    across = Qt.Orientation.Horizontal
    return [str(model.headerData(column, across) or "") for column in range(model.columnCount())]


def drafts(desk: Desk) -> list[DraftRecord]:
    with desk.store.read() as unit:
        return list(unit.drafts())


def reports(desk: Desk, precinct_id: str) -> dict[Channel, Report]:
    """The standing reports in the store."""
    with desk.store.read() as unit:
        standing = unit.standing_reports([precinct_id]).get(precinct_id, {})
    return {channel: standing[channel] for channel in CHANNELS if channel in standing}
