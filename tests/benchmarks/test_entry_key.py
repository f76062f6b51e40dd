"""A key press in the entry sheet: live checks, draft and painting included."""

import importlib.util
import statistics
import sys
import time
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from caucus_desk.tally.report import Channel


@pytest.fixture
def keyboard(tmp_path, monkeypatch):
    monkeypatch.setenv("CAUCUS_DESK_DATA", str(tmp_path / "data"))
    name = "caucus_tests_keyboard"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, Path(__file__).parents[1] / "keyboard.py")
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
    return sys.modules[name]


@pytest.mark.benchmark
def test_a_key_press_takes_less_than_four_milliseconds_at_the_median(qapp, tmp_path, keyboard):
    desk = keyboard.small_caucus(tmp_path)
    clerk = keyboard.Clerk(desk, "clerk 07")
    clerk.open("77-DM14", Channel.PAPER)
    taken = []

    def press(key):
        begun = time.perf_counter()
        QTest.keyClick(QApplication.focusWidget(), key)
        QApplication.processEvents()
        taken.append((time.perf_counter() - begun) * 1000)

    for count in (161, *(c for g in desk.rules.keys for c in keyboard.DM14.get(g, (None,) * 3))):
        for digit in "" if count is None else str(count):
            press(digit)
        press(Qt.Key.Key_Return)
    clerk.leave()
    desk.close()
    median, late = statistics.median(taken), statistics.quantiles(taken, n=20)[-1]
    print(f"\n{len(taken)} keys: median {median:.2f} ms, 95 % under {late:.1f} ms")
    assert median < 4


@pytest.mark.benchmark
def test_a_key_is_in_the_draft_within_half_a_second(qapp, tmp_path, keyboard):
    desk = keyboard.small_caucus(tmp_path)
    clerk = keyboard.Clerk(desk, "clerk 07")
    clerk.open("77-DM14", Channel.PHONE)
    taken = []
    for digits in range(1, 21):
        clerk.key(Qt.Key.Key_Backspace)
        begun = time.perf_counter()
        clerk.keys(str(digits % 10))
        while keyboard.drafts(desk)[0].fields.get("attendance") != str(digits % 10):
            QTest.qWait(5)
        taken.append((time.perf_counter() - begun) * 1000)
    clerk.leave()
    desk.close()
    print(f"\nkey to draft: median {statistics.median(taken):.0f} ms, worst {max(taken):.0f} ms")
    assert statistics.median(taken) < 500
