"""A chair rings again with new numbers: both reports stay, the precinct falls back to its true state, and
the lead sees what moved."""

from dataclasses import replace
from datetime import timedelta
from fractions import Fraction
from pathlib import Path

import pytest

from caucus_desk.desk.corrections import Correction, corrections
from caucus_desk.desk.creating import create_caucus
from caucus_desk.desk.entry import Caller, claim, submit
from caucus_desk.desk.evening import evening, people_figures
from caucus_desk.desk.guards import AlreadyVerified
from caucus_desk.desk.integrity import check_store
from caucus_desk.desk.loading import load_results
from caucus_desk.desk.people import make_account, make_first_administrator, sign_in
from caucus_desk.desk.review import rule, withdraw_ruling
from caucus_desk.desk.roles import Role
from caucus_desk.desk.session import Desk, open_desk
from caucus_desk.rules.errors import Refused
from caucus_desk.store import work
from caucus_desk.tally.catalogue import FINDINGS
from caucus_desk.tally.history import Happened
from caucus_desk.tally.report import Channel
from caucus_desk.tally.sheet import ResultSheet
from caucus_desk.tally.state import State

PHONE, PAPER, APP = Channel.PHONE, Channel.PAPER, Channel.APP


def key(
    desk: Desk, sheet: ResultSheet, channel: Channel, by: str, *, correcting: str = "", reasons: str = ""
) -> int:
    draft = claim(desk, "A-1", channel, by)
    return submit(
        desk,
        draft.id,
        sheet,
        by,
        reasons=dict.fromkeys(FINDINGS, reasons) if reasons else {},
        confirmed=True,
        correcting=correcting,
        caller=Caller(check="pin passed"),
    ).report_id


def counts(sheet: ResultSheet, **groups: tuple[int, int, int]) -> ResultSheet:
    rows = tuple(
        replace(row, first=groups[row.group][0], final=groups[row.group][1], delegates=groups[row.group][2])
        if row.group in groups
        else row
        for row in sheet.groups
    )
    return replace(sheet, groups=rows)


@pytest.fixture
def other(good_sheet: ResultSheet) -> ResultSheet:
    """Two more people came to Biden late: 6 delegates fall otherwise, and nothing in it is wrong."""
    return counts(good_sheet, Buttigieg=(36, 37, 2), Biden=(14, 17, 1))


def verified(desk: Desk, sheet: ResultSheet) -> None:
    key(desk, sheet, PHONE, "Anna")
    key(desk, sheet, PAPER, "Bo")
    assert desk.overview().results["A-1"].verified


def only(desk: Desk) -> Correction:
    (one,) = corrections(desk)
    return one


def test_a_second_call_with_new_numbers(desk: Desk, good_sheet: ResultSheet, other: ResultSheet) -> None:
    verified(desk, good_sheet)
    assert corrections(desk) == ()
    with pytest.raises(AlreadyVerified):
        key(desk, other, PHONE, "Cy")
    assert corrections(desk) == (), "what was refused moved nothing"
    with desk.store.write() as unit:
        unit.delete_draft(unit.drafts()[0].id)
    new = key(desk, other, PHONE, "Cy", correcting="the chair read the wrong column")
    result = desk.overview().results["A-1"]
    assert result.standing.state is State.MISMATCHED
    assert not result.verified
    one = only(desk)
    assert (one.precinct.id, one.by, one.openly, one.was_verified) == ("A-1", "Cy", True, True)
    assert one.report_id == new
    assert one.replaces is not None
    assert one.reason == "the chair read the wrong column"
    assert not one.verified_now
    assert one.moved == {}, "paper stands, and it did not change"
    assert "It was verified then and is mismatched now." in one.sentence
    with desk.store.read() as unit:
        assert [stored.report.by for stored in unit.history("A-1")] == ["Anna", "Bo", "Cy"], "both stay"
    assert [line for line in check_store(desk) if not line.ok] == []
    curve = evening(desk).curve
    assert [point.verified for point in curve] == [0, 1, 0]


def test_when_the_paper_follows_it_is_verified_again_and_what_moved_is_told(
    desk: Desk, good_sheet: ResultSheet
) -> None:
    verified(desk, good_sheet)
    moved = counts(good_sheet, Buttigieg=(36, 38, 1), Sanders=(24, 24, 3))
    key(desk, moved, PHONE, "Cy", correcting="the chair rang again", reasons="read twice by the chair")
    key(desk, moved, PAPER, "Di", correcting="the sheet says so too", reasons="it stands there")
    newest, older = corrections(desk)
    assert (newest.by, older.by) == ("Di", "Cy")
    assert newest.was_verified is False
    one_delegate = Fraction(4, 11)
    assert newest.delegates == {"Buttigieg": -1, "Sanders": 1}
    assert newest.moved == {"Buttigieg": -one_delegate, "Sanders": one_delegate}
    assert older.moved == newest.moved, "from what stood before it to what stands now"
    assert newest.verified_now
    assert newest.sentence.endswith("It was not verified then and is matched, verified now.")
    assert sum(newest.moved.values()) == 0


def test_a_third_channel_that_differs_ends_the_verification_without_a_correction(
    desk: Desk, good_sheet: ResultSheet, other: ResultSheet
) -> None:
    verified(desk, good_sheet)
    key(desk, other, APP, "Cy", correcting="a late app report")
    one = only(desk)
    assert one.was_verified
    assert one.result.standing.state is State.MISMATCHED


def test_a_ruling_that_is_withdrawn_shows_too(
    desk: Desk, good_sheet: ResultSheet, other: ResultSheet
) -> None:
    key(desk, good_sheet, PHONE, "Anna")
    key(desk, other, PAPER, "Bo")
    result = desk.overview().results["A-1"]
    seen = max(report.id for report in result.reports.values())
    choices = {m.field: m.values[PHONE] for m in result.mismatches}
    ruling = rule(desk, "A-1", choices, seen_report=seen, reason="the chair confirms", by="Rev")
    assert desk.overview().results["A-1"].verified
    assert corrections(desk) == ()
    withdraw_ruling(desk, ruling.id, "the chair rang again", "Rev")
    one = only(desk)
    assert (one.what, one.openly, one.reason) == (Happened.RULING_WITHDRAWN, False, "the chair rang again")
    assert (one.was_verified, one.verified_now) == (True, False)
    night = evening(desk)
    assert night.waits.closed == 1
    assert [wait.precinct_id for wait in night.waits.open] == ["A-1"]


def test_a_file_that_corrects_is_listed_with_its_reason(
    desk: Desk, good_sheet: ResultSheet, tmp_path: Path
) -> None:
    verified(desk, good_sheet)
    file = tmp_path / "recount.csv"
    head = "precinct_id,candidate,first_alignment,final_alignment,county_delegates,attendance\n"
    rows = "".join(
        f"A-1,{row.group},{row.first},{row.final},{row.delegates},100\n"
        for row in counts(good_sheet, Biden=(15, 17, 1), Warren=(21, 21, 1)).groups
    )
    file.write_text(head + rows, encoding="utf-8")
    with pytest.raises(Refused, match="in a few words"):
        load_results(desk, file, channel=PAPER, by="Bo", correct="7")
    load_results(desk, file, channel=PAPER, by="Bo", correct="recount of 9 February")
    one = only(desk)
    assert (one.reason, one.was_verified, one.by) == ("recount of 9 February", True, "Bo")
    assert one.delegates == {}, "people moved, and no delegate"
    people = {person.name: person.entries for person in people_figures(desk, "lead")}
    assert people == {"Anna": 1, "Bo": 1}, "nobody keyed what came from a file"


def test_another_window_sees_it_and_reading_again_changes_nothing(
    desk: Desk, good_sheet: ResultSheet, other: ResultSheet
) -> None:
    verified(desk, good_sheet)
    before = evening(desk)
    with open_desk(desk.location) as second:
        key(second, other, PHONE, "Cy", correcting="the chair rang again")
        there = evening(second, before.until)
    here = evening(desk, before.until)
    assert here == there
    assert here == evening(desk, before.until)
    assert [one.report_id for one in corrections(desk)] == [3]


def test_a_clock_that_was_set_back_makes_no_time_run_backwards(
    desk: Desk, good_sheet: ResultSheet, other: ResultSheet, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = work.utc_now()
    key(desk, good_sheet, PHONE, "Anna")
    monkeypatch.setattr(work, "utc_now", lambda: now - timedelta(hours=1))
    key(desk, other, PAPER, "Bo")
    night = evening(desk, now + timedelta(minutes=5))
    assert [point.reporting for point in night.curve] == [1]
    (wait,) = night.waits.open
    assert night.until - wait.since >= timedelta(0)
    assert wait.since >= now


def test_figures_of_people_are_for_leads(desk: Desk, good_sheet: ResultSheet) -> None:
    key(desk, good_sheet, PHONE, "Anna")
    assert [person.name for person in people_figures(desk, "anybody")] == ["Anna"]
    make_first_administrator(desk, "Ada", "4711-ada")
    for name, role in (("Lee", Role.LEAD), ("Cal", Role.CLERK)):
        make_account(desk, name, role, "2468-pin", by="Ada")
        sign_in(desk, name, "2468-pin")
    assert [person.entries for person in people_figures(desk, "Lee")] == [1]
    with pytest.raises(Refused, match="see the figures of each person"):
        people_figures(desk, "Cal")


def test_a_roster_without_reports_has_an_empty_night(tmp_path: Path, small_roster: Path) -> None:
    made = create_caucus(str(tmp_path / "empty.sqlite"), "iowa-2020", small_roster, by="maker")
    with made.desk as desk:
        night = evening(desk)
        assert (night.begin, night.curve, night.calls, night.total) == (None, (), 0, 5)
        assert corrections(desk) == ()
        assert people_figures(desk, "lead") == ()
