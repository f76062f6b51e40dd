"""A picture of a worksheet is withdrawn where it is shown, with a reason, by keys; it stays on record."""

import importlib.util
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from caucus_desk.desk.attachments import attach, attachments
from caucus_desk.desk.session import Desk
from caucus_desk.tally.report import Channel
from caucus_desk.ui.entry.photo_page import INTO_PHOTO_KEY

KEYBOARD = Path(__file__).parents[1] / "keyboard.py"


def kb() -> ModuleType:
    if "caucus_tests_keyboard" not in sys.modules:
        spec = importlib.util.spec_from_file_location("caucus_tests_keyboard", KEYBOARD)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules["caucus_tests_keyboard"] = module
        spec.loader.exec_module(module)
    return sys.modules["caucus_tests_keyboard"]


@pytest.fixture
def desk(tmp_path: Path, scans: ModuleType) -> Iterator[Desk]:
    """Two pictures of one worksheet."""
    made = kb().small_caucus(tmp_path)
    for name in ("first.png", "second.png"):
        attach(made, "77-DM14", scans.png(tmp_path / name, width=300 + len(name)), by="runner 1")
    yield made
    made.close()


@pytest.fixture
def sit(qapp: object, desk: Desk) -> Iterator[Callable[[str], object]]:
    seated = []

    def sit_down(name: str) -> object:
        seated.append(kb().Clerk(desk, name, size=(1600, 900)))
        return seated[-1]

    yield sit_down
    for clerk in seated:
        clerk.leave()


def at_the_picture(clerk, where: str) -> QWidget:
    """With the newest picture shown, and the strip below it."""
    if where == "paper":
        clerk.page("paper")
        page = clerk.window.shell.pages["paper"]
        clerk.keys("h")  # what is here, to be keyed
        assert page.table.select_key("77-DM14")
        clerk.keys("v")
        return page.viewer.withdraw
    if where == "entry":
        clerk.open("77-DM14", Channel.PAPER)
        photo = clerk.window.shell.pages["entry"].photo
        QTest.keySequence(clerk.focus, QKeySequence(INTO_PHOTO_KEY))
        assert photo.viewer.hasFocus()
        return photo.withdraw
    clerk.page("review")
    clerk.window.shell.context.show_page("review", "77-DM14")
    clerk.rest()
    clerk.keys("i")
    return clerk.window.shell.pages["review"].view.panel.picture.withdraw


def ask(clerk, where: str) -> None:
    if where == "review":
        clerk.key(Qt.Key.Key_W, Qt.KeyboardModifier.ShiftModifier)
    else:
        clerk.keys("w")


def names(desk: Desk) -> list[str]:
    return [one.name for one in attachments(desk, "77-DM14")]


@pytest.mark.parametrize("where", ["paper", "entry", "review"])
def test_a_picture_is_withdrawn_where_it_is_shown(sit, desk, where):
    clerk = sit("clerk 07")
    strip = at_the_picture(clerk, where)
    assert strip.begin.isVisible()
    ask(clerk, where)
    assert clerk.where == "Why the picture is withdrawn"
    assert clerk.sees("second.png is shown no more and stays on record with your reason")
    clerk.enter()
    assert clerk.sees("needs a reason")
    assert names(desk) == ["first.png", "second.png"]
    clerk.keys("another precinct's")
    clerk.enter()
    assert names(desk) == ["first.png"]
    assert clerk.sees("second.png is withdrawn; it stays on record.")
    assert not strip.asking
    with desk.store.read() as unit:
        (gone,) = [one for one in unit.attachments("77-DM14") if one.withdrawn_at is not None]
    assert (gone.name, gone.withdrawn_by, gone.withdrawn_reason) == (
        "second.png", "clerk 07", "another precinct's",
    )  # fmt: skip


@pytest.mark.parametrize("where", ["paper", "review"])
def test_the_last_one_leaves_none_and_nothing_more_is_asked(sit, desk, where):
    clerk = sit("clerk 07")
    strip = at_the_picture(clerk, where)
    for _ in range(2):
        ask(clerk, where)
        clerk.keys("cannot be read")
        clerk.enter()
    assert names(desk) == []
    assert not strip.begin.isVisible()
    ask(clerk, where)
    assert not strip.asking


@pytest.mark.parametrize("where", ["paper", "entry", "review"])
def test_esc_leaves_the_picture_as_it_is(sit, desk, where):
    clerk = sit("clerk 07")
    strip = at_the_picture(clerk, where)
    ask(clerk, where)
    clerk.keys("no")
    clerk.key(Qt.Key.Key_Escape)
    assert not strip.asking
    assert strip.begin.isVisible()
    assert strip.parentWidget().isVisible(), "only the question is left"
    assert names(desk) == ["first.png", "second.png"]


def test_while_the_store_is_held_it_waits_and_happens_once(sit, desk):
    clerk = sit("clerk 07")
    strip = at_the_picture(clerk, "paper")
    ask(clerk, "paper")
    clerk.keys("blurred")
    with kb().held(desk):
        clerk.enter()
        assert clerk.sees("Waiting for the store, which another program holds")
        clerk.keys(" and more")
        clerk.enter(2)
        clerk.key(Qt.Key.Key_Escape)
        assert strip.asking
        assert strip.reason.text() == "blurred"
    clerk.wait_until(lambda: names(desk) == ["first.png"])
    clerk.rest()
    assert not strip.asking
