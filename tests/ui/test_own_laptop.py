"""One person's own laptop: a second person sits down for the second source, right where it is wanted."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit

from caucus_desk.desk.loading import load_results
from caucus_desk.desk.people import mark_own_laptop
from caucus_desk.desk.session import Desk
from caucus_desk.tally.report import Channel
from tests.keyboard import DM14, DM14_PEOPLE, Clerk, reports, small_caucus

CHAIR = "Chair of Polk"


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """The chair keyed the phone report of Des Moines-14."""
    made = small_caucus(tmp_path)
    mark_own_laptop(made, CHAIR)
    file = tmp_path / "phone.csv"
    lines = ["precinct_id,candidate,first_alignment,final_alignment,county_delegates,attendance"]
    lines += [f"77-DM14,{group},{a},{b},{c},{DM14_PEOPLE}" for group, (a, b, c) in DM14.items()]
    file.write_text("\n".join(lines), encoding="utf-8")
    load_results(made, file, channel=Channel.PHONE, by=CHAIR)
    yield made
    made.close()


@pytest.fixture
def chair(desk: Desk) -> Iterator[Clerk]:
    made = Clerk(desk, "")
    assert made.window.shell.header.person_text == CHAIR
    yield made
    made.leave()


def at_desk(clerk: Clerk) -> str:
    return str(clerk.window.shell.context.person)


def test_the_second_source_is_a_second_persons_and_then_the_first_goes_on(chair: Clerk, desk: Desk) -> None:
    chair.find("77-DM14", Channel.PAPER)
    assert chair.sees("must be keyed by another person")
    assert chair.where == "Name of a second person"
    chair.keys("Neighbour Nell")
    chair.enter()
    assert at_desk(chair) == "Neighbour Nell"
    chair.fill(DM14_PEOPLE, DM14)
    chair.ctrl_enter()
    chair.wait_until(lambda: Channel.PAPER in reports(desk, "77-DM14"))
    assert reports(desk, "77-DM14")[Channel.PAPER].by == "Neighbour Nell"
    chair.enter()  # on to the next one
    assert at_desk(chair) == CHAIR
    assert desk.overview().results["77-DM14"].verified


def test_the_first_person_is_no_second_one_under_any_spelling(chair: Clerk) -> None:
    chair.find("77-DM14", Channel.PAPER)
    chair.keys("CHAIR of  polk")
    chair.enter()
    assert chair.sees("this sheet needs another person")
    assert at_desk(chair) == CHAIR
    chair.focus.clear()
    chair.enter()
    assert chair.sees("Nobody is named")
    chair.key(Qt.Key.Key_Escape)
    assert chair.where == "Find a precinct"
    assert at_desk(chair) == CHAIR


def test_a_second_persons_unfinished_sheet_is_gone_on_with(chair: Clerk) -> None:
    chair.find("77-DM14", Channel.PAPER)
    chair.keys("Nell")
    chair.enter()
    chair.keys("161")
    chair.key(Qt.Key.Key_Escape)
    chair.keys("k")  # kept as a draft
    chair.wait_until(lambda: chair.where == "Find a precinct")
    assert at_desk(chair) == CHAIR
    assert not chair.sees("161")
    chair.find("77-DM14", Channel.PAPER)
    chair.wait_until(lambda: chair.where == "Name of a second person")
    chair.keys("Nell")
    chair.enter()
    assert at_desk(chair) == "Nell"
    lines = chair.window.findChildren(QLineEdit)
    assert "161" in [line.text() for line in lines if line.isVisible()]


def test_who_may_key_both_is_not_asked(chair: Clerk) -> None:
    chair.find("77-DM42", Channel.PAPER)
    assert at_desk(chair) == CHAIR
    assert chair.where.startswith("Attendance")


def test_with_names_only_nobody_else_is_offered(tmp_path: Path) -> None:
    with small_caucus(tmp_path) as names:
        clerk = Clerk(names, "clerk 07")
        clerk.open("77-DM14", Channel.PAPER)
        clerk.fill(DM14_PEOPLE, DM14)
        clerk.ctrl_enter()
        clerk.wait_until(lambda: Channel.PAPER in reports(names, "77-DM14"))
        clerk.enter()
        clerk.find("77-DM14", Channel.PHONE)
        assert clerk.sees("must be keyed by another person")
        assert clerk.where != "Name of a second person"
        clerk.leave()
