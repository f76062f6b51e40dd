"""The paper chase: who is sent, what was tried, what has come, and what lies at the desk unkeyed."""

from datetime import timedelta
from pathlib import Path
from types import ModuleType

import pytest

from caucus_desk.desk import entry
from caucus_desk.desk.attachments import attach, attachment_counts
from caucus_desk.desk.chase import (
    Missing,
    Outcome,
    Stage,
    assign,
    attempt,
    counties,
    missing,
    not_received,
    note,
    received,
    unassign,
    write_list,
)
from caucus_desk.desk.errands import errands, send_back
from caucus_desk.desk.integrity import check_store
from caucus_desk.desk.people import make_account, make_first_administrator, sign_in
from caucus_desk.desk.roles import Role
from caucus_desk.desk.session import Desk
from caucus_desk.desk.settling import settle
from caucus_desk.desk.trail import audit_trail
from caucus_desk.rules.errors import Refused
from caucus_desk.store.records import NewReport
from caucus_desk.tally.chase import DUE_TOO_LONG, OLD_AFTER, VERY_OLD_AFTER, Age
from caucus_desk.tally.report import Channel, Report
from caucus_desk.tally.sheet import ResultSheet

EVERY = ["A-1", "A-2", "77-DM42", "77-T01", "SAT-1"]


def bring(desk: Desk, sheet: ResultSheet, channel: Channel, by: str, precinct_id: str = "A-1") -> Report:
    with desk.store.write() as unit:
        report = unit.add_report(NewReport(precinct_id, channel, sheet, by))
        settle(unit, desk.rules, [precinct_id])
    return report


def row(desk: Desk, precinct_id: str = "A-1") -> Missing:
    return next(one for one in missing(desk) if one.precinct.id == precinct_id)


def wanted(desk: Desk) -> list[str]:
    return [one.precinct.id for one in missing(desk)]


def test_every_sheet_is_wanted_until_its_paper_report_is_in(desk: Desk, good_sheet: ResultSheet) -> None:
    assert wanted(desk) == EVERY  # the merged precinct has none
    one = row(desk)
    assert (one.chair, one.phone) == ("Ada Fitch", "515-555-0101")
    assert (one.stage, one.phone_in, one.since, one.runner, one.attempts) == (
        Stage.MISSING,
        False,
        None,
        "",
        0,
    )
    phone = bring(desk, good_sheet, Channel.PHONE, "Ann")
    assert row(desk).phone_in
    assert row(desk).since == phone.at
    assert row(desk, "A-2").since == phone.at  # since the night began
    paper = bring(desk, good_sheet, Channel.PAPER, "Ben")
    assert "A-1" not in wanted(desk)
    with desk.store.write() as unit:
        unit.withdraw_report(paper, by="lead", reason="another precinct's", sentence="withdrawn")
        settle(unit, desk.rules, ["A-1"])
    assert "A-1" in wanted(desk)


def test_a_runner_is_sent_for_one_or_for_a_county(desk: Desk) -> None:
    assign(desk, "A-1", "Rita  Runner", by="clerk 07")
    assert row(desk).runner == "Rita Runner"
    assert row(desk).stage is Stage.FETCHING
    taken = assign(desk, ["A-1", "A-2"], "Rita Runner", by="clerk 07")
    assert [step.precinct_id for step in taken] == ["A-2"]  # the other is on her list already
    received(desk, "A-2", by="clerk 07")
    assert [step.precinct_id for step in assign(desk, ["A-1", "A-2"], "Otto", by="lead")] == ["A-1"]
    with pytest.raises(Refused, match="None of these sheets"):
        assign(desk, ["A-1", "A-2"], "Otto", by="lead")
    unassign(desk, "A-1", by="lead")
    assert row(desk).runner == ""
    assert row(desk).stage is Stage.MISSING
    with pytest.raises(Refused, match="Nobody is sent"):
        unassign(desk, "A-1", by="lead")
    with pytest.raises(Refused, match="Say who goes"):
        assign(desk, "A-1", " ", by="lead")
    assert [step.kind for step in row(desk).steps] == ["assigned", "assigned", "unassigned"]


def test_attempts_are_kept_with_time_and_note(desk: Desk) -> None:
    first = attempt(desk, "A-1", Outcome.NO_ANSWER, by="clerk 07")
    last = attempt(desk, "A-1", "will send a photo", note="after nine", by="clerk 08")
    one = row(desk)
    assert (one.attempts, one.stage) == (2, Stage.TRIED)
    assert one.last_attempt == last
    assert last.note == "will send a photo: after nine"
    assert one.steps == (first, last)
    with pytest.raises(Refused, match="few words"):
        attempt(desk, "A-1", Outcome.OTHER, by="clerk 07")
    attempt(desk, "A-1", Outcome.OTHER, note="dog ate it", by="clerk 07")
    assert row(desk).last_attempt.note == "dog ate it"  # type: ignore[union-attr]
    with pytest.raises(Refused, match="is no outcome"):
        attempt(desk, "A-1", "shrug", by="clerk 07")
    newest = audit_trail(desk, "A-1").events[0]
    assert newest.sentence == "clerk 07 tried to get the sheet of North Ward, Alpha: dog ate it"


def test_received_means_that_paper_entry_is_due(desk: Desk, good_sheet: ResultSheet) -> None:
    step = received(desk, "A-1", by="clerk 07")[0]
    one = row(desk)
    assert (one.received, one.stage, one.due_since) == (True, Stage.DUE, step.at)
    with pytest.raises(Refused, match=r"clerk 07 marked the sheet of .* received at .* already"):
        received(desk, "A-1", by="clerk 08")
    not_received(desk, "A-1", by="clerk 07")
    assert not row(desk).received
    with pytest.raises(Refused, match="is not marked received"):
        not_received(desk, "A-1", by="clerk 07")
    received(desk, "A-1", by="clerk 07")
    assert [one.kind for one in row(desk).steps] == ["received", "not received", "received"]
    bring(desk, good_sheet, Channel.PAPER, "Ben")
    assert "A-1" not in wanted(desk)
    for refused in (
        lambda: received(desk, "A-1", by="x"),
        lambda: attempt(desk, "A-1", Outcome.LOST, by="x"),
        lambda: assign(desk, "A-1", "Rita", by="x"),
    ):
        with pytest.raises(Refused, match=r"Ben keyed it at|already"):
            refused()


def test_what_lies_here_too_long_stands_out_and_age_tells(desk: Desk, good_sheet: ResultSheet) -> None:
    phone = bring(desk, good_sheet, Channel.PHONE, "Ann")
    one = row(desk)
    assert one.age(phone.at) is Age.NEW
    assert one.age(phone.at + OLD_AFTER) is Age.OLD
    assert one.age(phone.at + VERY_OLD_AFTER) is Age.VERY_OLD
    assert one.waited(phone.at - timedelta(hours=1)) == timedelta(0)  # a clock set back
    step = received(desk, "A-1", by="clerk 07")[0]
    one = row(desk)
    assert one.age(step.at + DUE_TOO_LONG - timedelta(seconds=1)) is Age.NEW
    assert one.age(step.at + DUE_TOO_LONG) is Age.VERY_OLD


def test_a_photo_is_as_good_as_the_sheet(desk: Desk, scans: ModuleType, tmp_path: Path) -> None:
    given = attach(desk, "A-1", scans.plain_pdf(tmp_path / "a.pdf"), by="clerk 07")
    one = row(desk)
    assert (one.photos, one.stage, one.due_since, one.received) == (1, Stage.DUE, given.at, False)


def test_who_is_keying_the_paper_sheet_is_said(desk: Desk) -> None:
    received(desk, "A-1", by="clerk 07")
    entry.claim(desk, "A-1", Channel.PAPER, "clerk 12")
    entry.claim(desk, "A-2", Channel.PHONE, "clerk 12")
    assert (row(desk).keying_by, row(desk).stage) == ("clerk 12", Stage.KEYING)
    assert row(desk, "A-2").keying_by == ""


def test_a_reviewer_who_wants_the_sheet_brings_it_back(desk: Desk, good_sheet: ResultSheet) -> None:
    from dataclasses import replace

    bring(desk, good_sheet, Channel.PHONE, "Ann")
    bring(desk, replace(good_sheet, attendance=101), Channel.PAPER, "Ben")
    received_before = len(errands(desk))
    assert "A-1" not in wanted(desk)
    send_back(desk, "A-1", "fetch", note="Sanders final cannot be read", by="reviewer")
    one = row(desk)
    assert (one.paper_in, one.errand_note, one.stage) == (True, "Sanders final cannot be read", Stage.MISSING)
    [alpha, *_] = counties(desk.overview(), missing(desk))
    assert (alpha.missing, alpha.keyed, alpha.asked) == (1, 1, 1)
    attempt(desk, "A-1", Outcome.WILL_BRING, by="clerk 07")
    received(desk, "A-1", by="clerk 07")
    assert "A-1" not in wanted(desk)
    assert len(errands(desk)) == received_before
    assert [one.ended.outcome for one in errands(desk, open_only=False) if one.ended] == [
        "the sheet has come"
    ]


def test_counties_add_up(desk: Desk, good_sheet: ResultSheet) -> None:
    bring(desk, good_sheet, Channel.PAPER, "Ann")
    received(desk, "A-2", by="clerk 07")
    rows = missing(desk)
    found = {
        one.county: (one.total, one.missing, one.due, one.keyed) for one in counties(desk.overview(), rows)
    }
    assert found == {
        "Alpha": (2, 0, 1, 1),
        "Polk": (2, 2, 0, 0),
        "Satellite district 3": (1, 1, 0, 0),
    }


def test_several_received_at_once(desk: Desk, good_sheet: ResultSheet) -> None:
    bring(desk, good_sheet, Channel.PAPER, "Ann")
    taken = received(desk, ["A-1", "A-2", "77-DM42"], by="clerk 07")
    assert [step.precinct_id for step in taken] == ["A-2", "77-DM42"]
    with pytest.raises(Refused, match="here already"):
        received(desk, ["A-1", "A-2"], by="clerk 07")


def test_a_merged_precinct_and_notes(desk: Desk) -> None:
    with pytest.raises(Refused, match="was merged"):
        received(desk, "A-3", by="clerk 07")
    with pytest.raises(Refused, match="Write the note"):
        note(desk, "A-1", "", by="clerk 07")
    note(desk, "A-1", "ring twice", by="clerk 07")
    assert row(desk).steps[-1].note == "ring twice"
    assert row(desk).stage is Stage.MISSING
    assert all(line.ok for line in check_store(desk))


def test_who_may_only_look_neither_chases_nor_attaches(desk: Desk, scans: ModuleType, tmp_path: Path) -> None:
    make_first_administrator(desk, "Ada", "123456")
    sign_in(desk, "Ada", "123456")
    for name, role in (("Vic", Role.VIEWER), ("Cy", Role.CLERK)):
        make_account(desk, name, role, "246810", by="Ada")
        sign_in(desk, name, "246810")
    scan = scans.plain_pdf(tmp_path / "a.pdf")
    for refused in (
        lambda: received(desk, "A-1", by="Vic"),
        lambda: assign(desk, "A-1", "Rita", by="Vic"),
        lambda: attach(desk, "A-1", scan, by="Vic"),
        lambda: received(desk, "A-1", by="Ada"),
    ):
        with pytest.raises(Refused, match="may"):
            refused()
    assert row(desk).steps == ()
    assert attachment_counts(desk) == {}
    received(desk, "A-1", by="Cy")
    attach(desk, "A-1", scan, by="Cy")
    assert write_list(desk, "Alpha", tmp_path / "alpha.xlsx", by="Vic").rows == 2


def test_the_list_is_in_the_trail_before_it_is_in_its_place(desk: Desk, tmp_path: Path) -> None:
    written = write_list(desk, "", tmp_path / "all.xlsx", by="clerk 07")
    assert (written.rows, written.notes, written.replaced) == (5, (), False)
    assert audit_trail(desk).events[0].sentence == (
        "clerk 07 wrote the list of missing worksheets of all counties: all.xlsx"
    )
    with pytest.raises(Refused, match="There is no county Nowhere"):
        write_list(desk, "Nowhere", tmp_path / "no.xlsx", by="clerk 07")
