"""The window opens within its screen, whatever the screen, its scale and what was remembered."""

import pytest
from PySide6.QtCore import QMargins, QRect
from PySide6.QtWidgets import QApplication

from caucus_desk.ui import fitting
from caucus_desk.ui.app import build_window

SCREENS = [(1366, 768), (1280, 720), (911, 512), (683, 384), (800, 600)]
"""Logical sizes: 1366 x 768 is 911 x 512 at 150 % and 683 x 384 at 200 %."""


def settle():
    for _ in range(5):
        QApplication.processEvents()


def within(window, width, height):
    frame = fitting.frame_of(window)
    whole = window.geometry().marginsAdded(frame)
    return QRect(0, 0, width, height).contains(whole), (window.geometry(), frame)


@pytest.mark.parametrize("size", SCREENS)
def test_the_window_opens_within_the_screen_with_its_title_bar(qtbot, desk, screen, size):
    screen(*size)
    window = build_window(desk, person="clerk 07")
    qtbot.addWidget(window)
    assert window.width() < size[0]
    assert window.height() < size[1] - 30, "there is room for a title bar before anyone knows its height"
    window.show()
    settle()
    fits, where = within(window, *size)
    assert fits, where
    status = window.shell.status
    assert status.mapTo(window, status.rect().bottomLeft()).y() <= window.height()
    assert window.shell.header.width() == window.width(), "the header is not wider than the window"


def test_where_there_is_room_it_has_its_usual_size(qtbot, screen):
    screen(1920, 1080)
    window = build_window()
    qtbot.addWidget(window)
    window.show()
    settle()
    assert (window.width(), window.height()) == (1280, 720)


def test_what_was_remembered_from_a_larger_screen_is_held_to_this_one(qtbot, screen):
    before = build_window()
    before.setGeometry(QRect(1400, 700, 1800, 1000))
    before.show()
    settle()
    before.close()
    screen(911, 512)
    again = build_window()
    qtbot.addWidget(again)
    again.show()
    settle()
    fits, where = within(again, 911, 512)
    assert fits, where


def test_a_frame_larger_than_was_thought_is_given_its_room(qtbot, screen, monkeypatch):
    screen(1280, 720)
    window = build_window()
    qtbot.addWidget(window)
    monkeypatch.setattr(fitting, "frame_of", lambda window: QMargins(10, 80, 10, 10))
    window.show()
    settle()
    assert window.height() <= 720 - 90
    assert window.width() <= 1280 - 20


def test_holding_moves_before_it_shrinks():
    screen, frame = QRect(0, 0, 1000, 700), QMargins(2, 30, 2, 2)
    assert fitting.held_to(QRect(900, 600, 400, 300), screen, frame) == QRect(598, 398, 400, 300)
    assert fitting.held_to(QRect(-50, -50, 400, 300), screen, frame) == QRect(2, 30, 400, 300)
    assert fitting.held_to(QRect(100, 100, 400, 300), screen, frame) == QRect(100, 100, 400, 300)
    assert fitting.held_to(QRect(0, 0, 1280, 720), screen, frame) == QRect(2, 30, 996, 668)
