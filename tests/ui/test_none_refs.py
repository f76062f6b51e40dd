"""PySide6 6.12.0 on Python 3.11 loses a reference to None in each call that returns nothing, and a long
night ends in an abort. The cap in pyproject.toml keeps it out; lift it only while this test passes."""

import sys

from PySide6.QtWidgets import QLabel


def test_a_thousand_calls_that_return_nothing_cost_no_reference_to_none(qtbot):
    label = QLabel()
    qtbot.addWidget(label)
    label.setText("warm up")
    before = sys.getrefcount(None)
    for number in range(1_000):
        label.setText(str(number))
    lost = before - sys.getrefcount(None)
    assert lost < 100, f"{lost} references to None are gone after 1,000 calls"
