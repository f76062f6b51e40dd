"""A recanvass by real keys: opened on the Releases page, keyed by fresh eyes, compared, taken, ended."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from caucus_desk.desk.loading import load_results
from caucus_desk.desk.recanvass import recanvass, recanvasses
from caucus_desk.desk.releasing import gate, make_release
from caucus_desk.desk.session import Desk
from caucus_desk.tally.recanvass import CARDS, CARDS_MISSING, RecanvassKind
from caucus_desk.tally.report import Channel
from caucus_desk.tally.results import Counting
from caucus_desk.tally.state import State
from caucus_desk.ui.app import build_window
from caucus_desk.ui.recanvass.view import RecanvassView
from caucus_desk.ui.releases.page import ReleasesPage
from caucus_desk.ui.window import MainWindow

K = Qt.Key
CONTROL = Qt.KeyboardModifier.ControlModifier
RESULTS = """precinct_id,candidate,first_alignment,final_alignment,county_delegates,attendance
A-1,Biden,14,16,1,100
A-1,Buttigieg,36,38,2,
A-1,Sanders,24,24,2,
A-1,Warren,22,22,1,
A-1,Yang,4,0,0,
A-2,Biden,30,30,3,50
A-2,Sanders,20,20,2,
"""
AGAIN = {
    "Biden": (14, 16, 1), "Buttigieg": (36, 36, 2), "Sanders": (24, 26, 2), "Warren": (22, 22, 1),
    "Yang": (4, 0, 0),
}  # fmt: skip


@pytest.fixture
def desk(desk: Desk, tmp_path: Path) -> Desk:
    file = tmp_path / "results.csv"
    file.write_text(RESULTS, encoding="utf-8")
    for channel, name in ((Channel.PHONE, "Pia"), (Channel.PAPER, "Pat")):
        load_results(desk, file, channel=channel, by=name)
    held = {item.id: "known and looked at" for item in gate(desk, Counting.REPORTED).held}
    make_release(desk, Counting.REPORTED, passes=held, by="Lea")
    return desk


class Hand:
    """One person's hand at the window."""

    def __init__(self, window: MainWindow) -> None:
        self.window = window
        page = window.shell.pages["releases"]
        assert isinstance(page, ReleasesPage)
        self.page = page

    @property
    def view(self) -> RecanvassView:
        return self.page.recanvass

    def key(self, *keys: Qt.Key, held: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        for one in keys:
            QTest.keyClick(focus(), one, held)
            wait_for(lambda: not self.view.store_is_busy)

    def line(self, text: str) -> None:
        """A line of text and Enter."""
        QTest.keyClicks(focus(), text)
        self.key(K.Key_Return)

    def open(self, kind: Qt.Key = K.Key_W, ids: str = "A-1 A-2") -> None:
        self.key(K.Key_N, kind, K.Key_I)
        self.line(ids)
        self.line("Sanders campaign")
        self.line("the totals look wrong")
        self.line("23:59")

    def sheet(
        self, first: int | None, rows: dict[str, tuple[int | None, int, int]], *above: int | None
    ) -> None:
        """The boxes from the first to Submit; what `rows` does not name is passed over."""
        for count in (first, *above):
            if count is not None:
                QTest.keyClicks(focus(), str(count))
            self.key(K.Key_Return)
        for group in self.page.context.rules.keys:
            for count in rows.get(group, (None, None, None)):
                if count is not None:
                    QTest.keyClicks(focus(), str(count))
                self.key(K.Key_Return)

    def compared(self) -> str:
        wait_for(lambda: not self.page.context.thinker.asked("recanvass"))
        return self.view.detail.text()


def focus() -> QWidget:
    until = time.monotonic() + 5
    while QApplication.focusWidget() is None and time.monotonic() < until:
        QTest.qWait(5)
    widget = QApplication.focusWidget()
    assert widget is not None, "no widget has the focus: the keyboard leads nowhere"
    return widget


def wait_for(true: Callable[[], bool]) -> None:
    until = time.monotonic() + 20
    while not true():
        assert time.monotonic() < until, "it never came to that"
        QTest.qWait(5)


@pytest.fixture
def sit(qtbot: Any, desk: Desk) -> Iterator[Callable[[str], Hand]]:
    made: list[MainWindow] = []

    def at(name: str) -> Hand:
        if made:
            made[0].shell.context.set_person(name)
            hand = Hand(made[0])
        else:
            window = build_window(desk, person=name)
            qtbot.addWidget(window)
            window.resize(1280, 720)
            window.show()
            qtbot.waitExposed(window)
            window.shell.show_page("releases")
            made.append(window)
            hand = Hand(window)
        hand.page.take_focus()
        hand.key(K.Key_4)
        return hand

    yield at
    for window in made:
        window.jobs.cancel_all()
        window.jobs.wait(10_000)


def test_opened_keyed_compared_taken_and_ended_by_keys(desk: Desk, sit: Callable[[str], Hand]) -> None:
    lead = sit("Lea")
    lead.open()
    one = recanvass(desk, 1)
    assert (one.ids, one.requested_by, one.reason) == (
        ("A-1", "A-2"), "Sanders campaign", "the totals look wrong",
    )  # fmt: skip
    clerk = sit("Fay")
    clerk.key(K.Key_Return)
    assert clerk.view.keying.isVisible()
    shown = " ".join(box.text() for box in clerk.view.keying.step.grid.boxes.values())
    assert not shown.strip(" –"), "nothing of what was released stands in the boxes"
    clerk.sheet(100, AGAIN)
    clerk.key(K.Key_Return)
    assert recanvass(desk, 1).left == ("A-2",)
    assert "Buttigieg final 38 released, 36 keyed; Sanders final 24 released, 26 keyed" in clerk.compared()
    assert desk.overview().results["A-1"].verified, "nothing is counted by it"
    reviewer = sit("Rita")
    reviewer.key(K.Key_T)
    reviewer.line("the paper is plain")
    assert desk.overview().results["A-1"].standing.state is State.MISMATCHED
    assert "covered" in reviewer.view.detail.text(), "it is no longer verified, so it is covered again"
    lead = sit("Lea")
    lead.key(K.Key_E)
    lead.line("two people moved")
    ended = recanvass(desk, 1).end
    assert ended is not None
    assert (ended.outcome, ended.by) == ("two people moved", "Lea")


def test_who_keyed_a_report_is_refused_and_told_why(desk: Desk, sit: Callable[[str], Hand]) -> None:
    sit("Lea").open()
    clerk = sit("Pia")
    assert "keyed neither report" in clerk.view.detail.text()
    clerk.key(K.Key_Return)
    assert not clerk.view.keying.isVisible()


def test_what_cannot_be_right_needs_words(desk: Desk, sit: Callable[[str], Hand]) -> None:
    sit("Lea").open(ids="A-1")
    clerk = sit("Fay")
    clerk.key(K.Key_Return)
    clerk.sheet(100, {**AGAIN, "Warren": (22, 22, 5)})
    clerk.key(K.Key_Return)
    assert recanvass(desk, 1).sheets == ()
    for _ in clerk.view.keying.step.read_back.missing:
        QTest.keyClicks(focus(), "the sheet says so, read twice")
        clerk.key(K.Key_Return)
    clerk.key(K.Key_Return, held=CONTROL)
    assert "the sheet says so" in recanvass(desk, 1).sheets[0].note


def test_a_recount_has_its_own_form(desk: Desk, sit: Callable[[str], Hand]) -> None:
    sit("Lea").open(K.Key_C, "A-1")
    assert recanvasses(desk)[0].kind is RecanvassKind.RECOUNT
    clerk = sit("Fay")
    clerk.key(K.Key_Return)
    boxes = clerk.view.keying.step.grid.boxes
    assert "attendance" not in boxes
    assert focus() is boxes[CARDS]
    finals = {group: (None, final, won) for group, (_, final, won) in AGAIN.items()}
    clerk.sheet(100, finals, 2)
    clerk.key(K.Key_Return)
    (sheet,) = recanvass(desk, 1).sheets
    assert dict(sheet.sheet.extras) == {CARDS: 100, CARDS_MISSING: 2}
    assert sheet.sheet.attendance is None
    assert "38 released, 36 keyed" in clerk.compared()


def test_what_was_typed_waits_in_the_window_and_is_nobody_else_s(
    desk: Desk, sit: Callable[[str], Hand]
) -> None:
    sit("Lea").open(ids="A-1")
    clerk = sit("Fay")
    clerk.key(K.Key_Return)
    QTest.keyClicks(focus(), "77")
    clerk.key(K.Key_Return, K.Key_Escape, K.Key_K)
    assert not clerk.view.keying.isVisible()
    clerk.key(K.Key_Return)
    assert clerk.view.keying.step.grid.boxes["attendance"].text() == "77"
    clerk.key(K.Key_Escape, K.Key_K)
    other = sit("Gus")
    other.key(K.Key_Return)
    assert other.view.keying.step.grid.boxes["attendance"].text() == ""


def test_digits_on_submit_lead_to_no_other_section(desk: Desk, sit: Callable[[str], Hand]) -> None:
    sit("Lea").open(ids="A-1")
    clerk = sit("Fay")
    clerk.key(K.Key_Return)
    clerk.sheet(100, AGAIN)
    clerk.key(K.Key_1)
    assert clerk.page.sections.key == "recanvass"
    assert clerk.view.keying.isVisible()


def test_escape_goes_back_and_a_county_is_asked_for(desk: Desk, sit: Callable[[str], Hand]) -> None:
    lead = sit("Lea")
    lead.key(K.Key_N, K.Key_W, K.Key_C)
    lead.line("nowhere")
    assert "no county nowhere" in lead.window.shell.context.notices.text
    lead.key(K.Key_N, K.Key_Escape)
    lead.key(K.Key_N, K.Key_W, K.Key_T)
    lead.line("Warren campaign")
    lead.line("close to the threshold")
    lead.line("nonsense")
    lead.key(K.Key_Escape)
    assert recanvasses(desk) == ()
    lead.key(K.Key_Escape)
    assert lead.page.sections.key == "list"
