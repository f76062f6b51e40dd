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
