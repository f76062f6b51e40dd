"""No text of a case is cut, whatever there is to be done in it, at both sizes and in each theme."""

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QLineEdit, QScrollArea, QWidget

from caucus_desk.desk import cases, review
from caucus_desk.desk.settings import change_setting
from caucus_desk.tally.report import Channel
from caucus_desk.ui.rail import RailButton
from caucus_desk.ui.theme import ThemeName, theme
from caucus_desk.ui.widgets.basics import ElidedLabel


def cut(widget):
    found = []
    for part in widget.findChildren(QLabel) + widget.findChildren(QAbstractButton):
        if not part.isVisible() or not part.text() or isinstance(part, ElidedLabel | RailButton):
            continue
        if isinstance(part, QLabel) and part.wordWrap():
            short = part.heightForWidth(part.width()) > part.height() + 1
        else:
            need = part.sizeHint()
            short = need.width() > part.width() + 1 or need.height() > part.height() + 1
        if short:
            found.append(f"{type(part).__name__} {part.text()!r}: {part.size()} < {part.sizeHint()}")
    return found


def overlapping(widget):
    """Labels, buttons and fields that stand on each other."""
    parts = [
        part
        for part in widget.findChildren(QWidget)
        if part.isVisible() and isinstance(part, QLabel | QAbstractButton | QLineEdit)
    ]
    places = {part: QRect(part.mapTo(widget, QPoint(0, 0)), part.size()) for part in parts}
    return [
        f"{one.text()!r} {places[one]} on {other.text()!r} {places[other]}"
        for place, one in enumerate(parts)
        for other in parts[place + 1 :]
        if places[one].intersects(places[other]) and not one.isAncestorOf(other)
    ]


def settle():
    for _ in range(6):
        QApplication.processEvents()


def frame_of(page):
    around = page.parentWidget()
    while not isinstance(around, QScrollArea):
        around = around.parentWidget()
    return around


@pytest.fixture
def three(swapped, put):
    """Three channels, a slip that is found, and a state in which little changes who leads."""
    put("77-DM14", "app", "app feed")
    return swapped


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
@pytest.mark.parametrize(
    "what", ["choose", "field", "history", "picture", "question", "note", "approve", "own"]
)
def test_nothing_is_cut(three, sit, size, what):
    if what == "approve":
        change_setting(three, "approval_stake", "0.1", by="lead")
        case = review.case(three, "77-DM14")
        taken = cases.take(case, Channel.PHONE)
        review.rule(
            three,
            "77-DM14",
            taken,
            seen_report=case.seen_report,
            reason="the chair was called back and read the sheet twice",
            by="reviewer 1",
        )
    clerk = sit("clerk 12" if what == "own" else "reviewer 3", size=size)
    clerk.page("review")
    clerk.enter()
    if what == "field":
        clerk.key(Qt.Key.Key_Down)
    clerk.keys({"history": "h", "picture": "i", "question": "b", "note": "ba"}.get(what, ""))
    page = clerk.window.shell.pages["review"]
    for name in ThemeName:
        theme().apply(name)
        settle()
        assert not cut(page)
        assert not overlapping(page.view.foot)
    assert not frame_of(page).horizontalScrollBar().isVisible()
    assert not frame_of(page).verticalScrollBar().isVisible()
    assert not page.view.table.horizontalScrollBar().isVisible()
    assert not page.side.table.horizontalScrollBar().isVisible()
