"""From the ringing phone to the receipt: a full sheet costs what is typed, a key for each field, and six."""

import sys

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from caucus_desk.tally.report import Channel

ROSTER = """\
county,precinct,precinct_id,county_delegates,kind,district,county_state_delegates,county_total_delegates,\
chair,phone,pin
Polk,Des Moines-42,77-DM42,9,precinct,3,392,1401,Ada Fitch,515-555-0142,4711
Polk,Des Moines-14,77-DM14,6,precinct,3,392,1401,,,
"""
FEW_MORE = 6


def kb():
    return sys.modules["caucus_tests_keyboard"]


class Keys:
    """In the place of QTest: counts each press of a key, and passes it on to the window."""

    def __init__(self) -> None:
        self.count = 0

    def keyClick(self, widget, key, modifier=Qt.KeyboardModifier.NoModifier):
        self.count += 1
        QTest.keyClick(widget, key, modifier)

    def __getattr__(self, name):
        return getattr(QTest, name)


@pytest.fixture
def keys(monkeypatch):
    """Counts what the clerk presses from here on."""
    counter = Keys()
    monkeypatch.setattr(kb(), "QTest", counter)
    return counter


def full_sheet(groups):
    """Every group has a count in each field: everybody is there, and the sheet adds up as the rules give."""
    finals = {"Sanders": 80, "Warren": 70, "Buttigieg": 60}
    won = {"Sanders": 4, "Warren": 3, "Buttigieg": 2}
    rows = {}
    for group in groups:
        first = finals.get(group, 0) or 3
        rows[group] = (first, finals.get(group, 0), won.get(group, 0))
    firsts = sum(row[0] for row in rows.values())
    # Those of too small groups went to the three that stayed.
    small = firsts - sum(finals.values())
    rows["Sanders"] = (80, 80 + small, 4)
    return firsts, rows


@pytest.fixture
def desk(tmp_path):
    made = kb().small_caucus(tmp_path, roster=ROSTER)
    yield made
    made.close()


def test_a_full_sheet_costs_its_digits_one_key_a_field_and_at_most_six_more(desk, sit, keys):
    clerk = sit("clerk 07")
    people, rows = full_sheet(desk.rules.keys)
    typed = ["dm 42", "Ada Fitch", "515 555 0142", "4711"]
    digits = [str(people), *(str(count) for group in desk.rules.keys for count in rows[group])]
    fields = 1 + 3 * len(desk.rules.keys)
    assert len(digits) == fields, "no box is left empty"
    assert fields >= 1 + 3 * 12
    keys.count = 0
    clerk.keys(typed[0])
    clerk.enter()
    clerk.answer("p")
    for text in typed[1:]:
        clerk.keys(text)
        clerk.enter()
    clerk.fill(people, rows)
    clerk.enter()
    report = kb().reports(desk, "77-DM42")[Channel.PHONE]
    assert clerk.sees(" ".join(report.receipt)), "the receipt is on the screen"
    assert report.confirmed
    content = sum(map(len, typed)) + sum(map(len, digits))
    assert keys.count > content + fields, "the presses were seen"
    assert keys.count <= content + fields + FEW_MORE, (keys.count, content, fields)


def test_a_nuisance_call_costs_one_key(desk, sit, keys):
    clerk = sit("clerk 07")
    keys.count = 0
    clerk.key(Qt.Key.Key_F9)
    assert keys.count == 1
    with desk.store.read() as unit:
        (call,) = unit.calls()
    assert (call.ended, call.precinct_id, call.by) == ("nuisance", None, "clerk 07")
    assert clerk.where == "Find a precinct"
    assert clerk.sees("A nuisance call. Recorded at")
