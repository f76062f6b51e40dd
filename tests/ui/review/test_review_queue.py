"""The queue of mismatches: two lines a precinct, and how many of how many."""

import pytest
from PySide6.QtCore import Qt


@pytest.fixture
def page(window, desk, report, good, south):
    report(desk, "A-1", good, 100, "phone", "clerk 01")
    report(desk, "A-1", {**good, "Biden": (14, 17, 1)}, 100, "paper", "clerk 02")
    report(desk, "A-2", south, 60, "phone", "clerk 01")
    report(desk, "A-2", {**south, "Sanders": (24, 25, 2)}, 60, "paper", "clerk 02")
    window.shell.context.after_change()
    window.shell.show_page("review")
    return window.shell.pages["review"]


def test_the_head_says_how_many_of_how_many(qtbot, page):
    assert page.count_text == "2 precincts"
    qtbot.keyClicks(page.filter, "south")
    assert page.count_text == "1 of 2"
    assert page.queue.rowHeight(0) >= 40, "still two lines"
    qtbot.keyClick(page.filter, Qt.Key.Key_Escape)
    assert page.count_text == "2 precincts"


def test_nothing_that_fits_is_said(qtbot, page):
    qtbot.keyClicks(page.filter, "zzz")
    assert page.count_text == "0 of 2"
    assert page._no_fit.isVisible()
    assert not page.queue.isVisible()
    page.filter.clear()
    assert page.queue.isVisible()


def test_down_goes_from_the_filter_into_the_list(qtbot, page):
    page.filter.setFocus()
    qtbot.keyClicks(page.filter, "ward")
    qtbot.keyClick(page.filter, Qt.Key.Key_Down)
    assert page.queue.hasFocus()
    assert page.queue.current_key == "A-1"
