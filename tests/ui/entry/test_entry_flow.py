"""The main job by keyboard: two people key one precinct from two sources."""

import sys

from caucus_desk.tally.report import Channel
from caucus_desk.tally.state import State


def kb():
    return sys.modules["caucus_tests_keyboard"]


def test_two_people_phone_and_paper_to_verified(desk, sit):
    clerk = sit("clerk 07")
    clerk.key_sheet("77-DM14", Channel.PHONE, kb().DM14_PEOPLE, kb().DM14)
    clerk.enter()
    phone = kb().reports(desk, "77-DM14")[Channel.PHONE]
    assert phone.by == "clerk 07"
    assert phone.sheet.attendance == 161
    assert phone.sheet.row("Warren").final == 31
    assert phone.sheet.row("Bennet").blank
    assert clerk.sees(" ".join(phone.receipt)), "the receipt code stands on the screen, letter by letter"
    assert desk.overview().results["77-DM14"].standing.state is State.SINGLE

    other = sit("clerk 12")
    other.key_sheet("77-DM14", Channel.PAPER, kb().DM14_PEOPLE, kb().DM14)
    other.enter()
    result = desk.overview().results["77-DM14"]
    assert result.standing.state is State.MATCHED
    assert result.verified
    assert other.sees("verified")
    with desk.store.read() as unit:
        caller = next(stored.caller for stored in unit.history("77-DM14") if stored.report.channel == "phone")
    assert (caller.name, caller.number, caller.check) == ("Jane Doe", "515 555 0142", "")


def test_the_second_sheet_begins_at_its_beginning(desk, sit):
    """However the first one was submitted, and though it is the same page."""
    clerk = sit("clerk 07")
    clerk.key_sheet("77-DM14", Channel.PHONE, kb().DM14_PEOPLE, kb().DM14)
    clerk.enter(2)
    clerk.find("77-DM42", Channel.PHONE)
    assert clerk.where == "Caller"
    for text in ("Jane Doe", "515 555 0142", "1234", "200", "0", "0", "0", "9"):
        clerk.keys(text)
        clerk.enter()
    assert not clerk.sees("Error."), "what only a whole sheet shows is not said of the second one's first row"
    clerk.ctrl_enter()  # leads to the boxes of the row that were left empty
    for text in ("9", "0"):
        clerk.keys(text)
        clerk.enter()
    clerk.ctrl_enter()
    clerk.give_reasons()
    clerk.ctrl_enter()
    assert Channel.PHONE in kb().reports(desk, "77-DM42")
    clerk.enter()
    clerk.find("56-K1", Channel.PHONE)
    assert clerk.where == "Caller", "the hand is not where it left the sheet before"


def test_what_must_be_known_first_is_not_wiped_off_by_the_check_of_the_caller(desk, sit):
    for person, channel in (("clerk 07", Channel.PHONE), ("clerk 12", Channel.PAPER)):
        clerk = sit(person)
        clerk.key_sheet("77-DM14", channel, kb().DM14_PEOPLE, kb().DM14)
        clerk.enter()
    assert desk.overview().results["77-DM14"].verified
    clerk = sit("clerk 07")
    clerk.open("77-DM14", Channel.PHONE)
    assert clerk.where == "Attendance"
    assert clerk.sees("Another report is a correction and needs a reason.")
