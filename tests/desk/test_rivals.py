"""What came from another store stands beside what was keyed here, and every job at the desk knows of it."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from caucus_desk.desk import cases, errands, review
from caucus_desk.desk.approving import approve, pending
from caucus_desk.desk.callbacks import call_backs, confirm_report
from caucus_desk.desk.cases import QueueKind, effects, in_order, queue, take
from caucus_desk.desk.corrections import corrections
from caucus_desk.desk.entry import (
    Barred,
    Caller,
    DoesNotMatch,
    KeyedMeanwhile,
    OwnMismatch,
    Submitted,
    check,
    claim,
    discard,
    submit,
)
from caucus_desk.desk.evening import stories
from caucus_desk.desk.guards import Supersedes
from caucus_desk.desk.integrity import check_store
from caucus_desk.desk.loading import load_results
from caucus_desk.desk.looking import eyes, look
from caucus_desk.desk.releases import frozen, released_overview
from caucus_desk.desk.releasing import gate, make_release
from caucus_desk.desk.session import Desk
from caucus_desk.desk.settings import change_setting
from caucus_desk.desk.trail import audit_trail
from caucus_desk.exchange.problems import BadInput
from caucus_desk.rules.errors import Refused
from caucus_desk.tally.errand import ErrandKind
from caucus_desk.tally.report import Channel
from caucus_desk.tally.results import Counting, PrecinctResult
from caucus_desk.tally.sheet import ResultSheet
from caucus_desk.tally.state import State

PHONE, PAPER, APP = Channel.PHONE, Channel.PAPER, Channel.APP
CHECKED = Caller(check="pin passed")


def key(
    desk: Desk,
    sheet: ResultSheet,
    channel: Channel,
    by: str,
    *,
    correcting: str = "",
    caller: Caller = CHECKED,
) -> Submitted:
    draft = claim(desk, "A-1", channel, by)
    reasons = {finding.id: "asked twice" for finding in check(desk, "A-1", sheet).findings}
    return submit(
        desk, draft.id, sheet, by, reasons=reasons, confirmed=True, correcting=correcting, caller=caller
    )


def changed(sheet: ResultSheet, group: str, **counts: int | None) -> ResultSheet:
    rows = tuple(replace(row, **counts) if row.group == group else row for row in sheet.groups)
    return replace(sheet, groups=rows)


def result(desk: Desk) -> PrecinctResult:
    return desk.overview().results["A-1"]


@pytest.fixture
def other(good_sheet: ResultSheet) -> ResultSheet:
    """One supporter of Warren fewer in the final alignment."""
    return changed(good_sheet, "Biden", first=15)


def csv_of(tmp_path: Path, sheet: ResultSheet) -> Path:
    file = tmp_path / "sheets.csv"
    lines = ["precinct_id,candidate,first_alignment,final_alignment,county_delegates,attendance"]
    lines += [
        f"A-1,{row.group},{row.first},{row.final},{row.delegates},{sheet.attendance}" for row in sheet.groups
    ]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


# ---- never an overwrite ----


def test_a_collision_is_a_mismatch_in_the_queue_and_no_overwrite(
    desk: Desk, elsewhere: Any, good_sheet: ResultSheet, other: ResultSheet
) -> None:
    mine = key(desk, good_sheet, PAPER, "Ann").report_id
    theirs = elsewhere.bring(desk, "A-1", "paper", other, "Bob")
    found = result(desk)
    assert found.standing.state is State.MISMATCHED
    assert found.reports[PAPER].id == mine
    assert [rival.id for rival in found.rivals] == [theirs]
    (item,) = queue(desk, desk.overview())
    assert item.kinds == {QueueKind.MISMATCH}
    assert item.what == "differs in Biden first; 2 paper reports stand"


def test_a_verified_precinct_that_a_packet_contradicts_has_changed_since(
    desk: Desk, elsewhere: Any, good_sheet: ResultSheet, other: ResultSheet
) -> None:
    key(desk, good_sheet, PHONE, "Ann")
    key(desk, good_sheet, PAPER, "Bob")
    assert result(desk).verified
    elsewhere.bring(desk, "A-1", "paper", good_sheet, "Cy")
    assert result(desk).verified
    assert not result(desk).changed_after_verified  # it says the same
    elsewhere.bring(desk, "A-1", "phone", other, "Di")
    found = result(desk)
    assert (found.standing.state, found.verified, found.changed_after_verified) == (
        State.MISMATCHED,
        False,
        True,
    )
    assert "C50" in {entry.finding.id for entry in desk.overview().findings_of("A-1")}
    (item,) = queue(desk, desk.overview())
    assert item.kinds == {QueueKind.MISMATCH, QueueKind.CORRECTION}
    (told,) = corrections(desk)
    assert (told.by, told.was_verified, told.openly) == ("Di", True, False)


def test_a_report_keyed_here_takes_the_place_of_all_and_withdrawn_brings_all_back(
    desk: Desk, elsewhere: Any, good_sheet: ResultSheet, other: ResultSheet
) -> None:
    mine = key(desk, good_sheet, PAPER, "Ann").report_id
    theirs = elsewhere.bring(desk, "A-1", "paper", other, "Bob")
    with pytest.raises(OwnMismatch, match="the reports of that precinct differ"):
        key(desk, good_sheet, PAPER, "Ann")
    done = key(desk, good_sheet, PAPER, "Ann", correcting="the signed sheet lies here")
    assert done.superseded == mine
    assert result(desk).heads.keys() == {PAPER}
    assert result(desk).standing.state is State.SINGLE
    sentence = next(e.sentence for e in audit_trail(desk, "A-1").events if str(e.action) == "reported")
    assert "in place of Ann's of " in sentence
    assert "and Bob's of " in sentence
    assert "(Polk packet)" in sentence
    elsewhere.withdraw(desk, "A-1", done.report_id)
    assert {report.id for report in result(desk).heads.values()} == {mine, theirs}
    assert result(desk).standing.state is State.MISMATCHED


def test_whoever_begins_such_a_sheet_is_told_that_several_stand(
    desk: Desk, elsewhere: Any, good_sheet: ResultSheet
) -> None:
    key(desk, good_sheet, PAPER, "Ann")
    draft = claim(desk, "A-1", PAPER, "Ann")
    assert draft.note == ""
    discard(desk, draft.id, "Ann")
    elsewhere.bring(desk, "A-1", "paper", good_sheet, "Bob")
    said = claim(desk, "A-1", PAPER, "Ann").note
    assert said.startswith("Bob keyed the paper report of North Ward")
    assert said.endswith("Another one takes the place of all 2 that stand and needs a reason.")
    with pytest.raises(Supersedes, match="Bob keyed the paper report"):
        key(desk, good_sheet, PAPER, "Ann")


def test_the_kept_states_are_those_that_follow_from_the_reports(
    desk: Desk, elsewhere: Any, good_sheet: ResultSheet, other: ResultSheet
) -> None:
    key(desk, good_sheet, PHONE, "Ann")
    key(desk, good_sheet, PAPER, "Bob")
    elsewhere.bring(desk, "A-1", "paper", other, "Cy")
    assert all(line.ok for line in check_store(desk))


# ---- two people ----


@pytest.mark.parametrize("typists", [(), ("Bob",)])
def test_whoever_keyed_any_report_that_stands_keys_no_other_channel(
    desk: Desk, elsewhere: Any, good_sheet: ResultSheet, typists: tuple[str, ...]
) -> None:
    key(desk, good_sheet, PAPER, "Ann")
    elsewhere.bring(desk, "A-1", "paper", good_sheet, "Cy" if typists else "Bob", typists=typists)
    for name in ("Ann", "bob"):
        with pytest.raises(Barred, match="the phone report must be keyed by another person"):
            claim(desk, "A-1", PHONE, name)
    assert key(desk, good_sheet, PHONE, "Di").verified


def test_a_hand_in_both_sheets_verifies_nothing_where_they_come_from_two_stores(
    desk: Desk, elsewhere: Any, good_sheet: ResultSheet
) -> None:
    """No guard could keep them apart there."""
    key(desk, good_sheet, PHONE, "Ann")
    theirs = elsewhere.bring(desk, "A-1", "paper", good_sheet, "Bob", typists=("ANN",))
    assert result(desk).standing.state is State.SINGLE
    elsewhere.withdraw(desk, "A-1", theirs)
    elsewhere.bring(desk, "A-1", "paper", good_sheet, "Bob", typists=("Cy",))
    assert result(desk).verified


def test_whoever_keyed_a_rival_decides_nothing(
    desk: Desk, elsewhere: Any, good_sheet: ResultSheet, other: ResultSheet
) -> None:
    key(desk, good_sheet, PAPER, "Ann")
    elsewhere.bring(desk, "A-1", "paper", other, "Bob")
    seen = review.case(desk, "A-1")
    with pytest.raises(Refused, match="Bob keyed the paper report"):
        review.rule(
            desk, "A-1", take(seen, PAPER), seen_report=seen.seen_report, reason="the sheet says so", by="Bob"
        )
    with pytest.raises(Refused, match="Bob keyed the paper report"):
        errands.send_back(desk, "A-1", ErrandKind.FETCH, by="Bob")


def test_a_sheet_is_compared_with_every_report_of_the_other_channels(
    desk: Desk, elsewhere: Any, good_sheet: ResultSheet, other: ResultSheet
) -> None:
    key(desk, good_sheet, PAPER, "Ann")
    elsewhere.bring(desk, "A-1", "paper", other, "Bob")
    draft = claim(desk, "A-1", PHONE, "Cy")
    with pytest.raises(DoesNotMatch) as refused:
        submit(desk, draft.id, good_sheet, "Cy", reasons={}, caller=CHECKED)
    assert refused.value.fields == ("Biden.first",)


def test_reports_that_come_in_while_a_sheet_is_keyed_are_told_the_newest_stands_for_all(
    desk: Desk, elsewhere: Any, good_sheet: ResultSheet, other: ResultSheet
) -> None:
    draft = claim(desk, "A-1", PAPER, "Ann")
    elsewhere.bring(desk, "A-1", "paper", good_sheet, "Bob", minutes=10)
    second = elsewhere.bring(desk, "A-1", "paper", other, "Cy", minutes=50)
    with pytest.raises(KeyedMeanwhile) as refused:
        submit(desk, draft.id, good_sheet, "Ann", reasons={})
    assert (refused.value.report_id, refused.value.by) == (second, "Cy")
    third = elsewhere.bring(desk, "A-1", "paper", other, "Di", minutes=70)
    with pytest.raises(KeyedMeanwhile) as refused:
        submit(desk, draft.id, good_sheet, "Ann", reasons={}, replacing=second)
    assert refused.value.report_id == third
    done = submit(desk, draft.id, good_sheet, "Ann", reasons={}, replacing=third)
    assert done.superseded_by == "Di"
    assert result(desk).heads.keys() == {PAPER}


def test_figures_are_covered_again_when_a_rival_comes_in(
    desk: Desk, elsewhere: Any, good_sheet: ResultSheet, other: ResultSheet
) -> None:
    key(desk, good_sheet, PAPER, "Ann")
    look(desk, "A-1", "Di")
    assert eyes(desk, "Di").may_see(result(desk))
    elsewhere.bring(desk, "A-1", "paper", other, "Bob")
    assert not eyes(desk, "Di").may_see(result(desk))
    assert not eyes(desk, "Ann").may_see(result(desk))


# ---- rulings ----


def test_a_rival_is_a_column_of_the_case_and_can_be_taken(
    desk: Desk, elsewhere: Any, good_sheet: ResultSheet, other: ResultSheet
) -> None:
    mine = key(desk, good_sheet, PAPER, "Ann").report_id
    key(desk, good_sheet, PHONE, "Cy")
    theirs = elsewhere.bring(desk, "A-1", "paper", other, "Bob")
    seen = review.case(desk, "A-1")
    assert in_order(seen) == (PHONE, PAPER, theirs)
    assert seen.seen_report == theirs
    differing = {one.path: one for one in seen.fields if one.differs}
    assert differing["Biden.first"].by_key == {PHONE: 14, PAPER: 14, theirs: 15}
    same = next(one for one in seen.fields if one.path == "Sanders.first")
    assert same.by_key == {PHONE: 24, PAPER: 24, theirs: 24}
    assert take(seen, theirs) == {"Biden.first": 15}
    assert take(seen, PAPER) == {"Biden.first": 14}
    with pytest.raises(Refused, match="A newer paper report"):
        review.rule(desk, "A-1", take(seen, theirs), seen_report=mine, reason="the sheet says so", by="Di")
    review.rule(desk, "A-1", take(seen, theirs), seen_report=theirs, reason="the sheet says so", by="Di")
    found = result(desk)
    assert found.standing.state is State.RULED
    assert found.standing.sheet is not None
    assert found.standing.sheet.count("Biden.first") == 15
    assert len(found.rivals) == 1


def test_a_ruling_made_before_a_rival_came_in_holds_no_more(
    desk: Desk, elsewhere: Any, good_sheet: ResultSheet, other: ResultSheet
) -> None:
    key(desk, good_sheet, PAPER, "Ann")
    key(desk, other, PHONE, "Cy")
    seen = review.case(desk, "A-1")
    review.rule(
        desk, "A-1", take(seen, PAPER), seen_report=seen.seen_report, reason="the sheet says so", by="Di"
    )
    assert result(desk).verified
    late = elsewhere.bring(desk, "A-1", "paper", good_sheet, "Bob", origin="", over=())
    assert result(desk).standing.state is State.MISMATCHED
    assert result(desk).changed_after_verified
    elsewhere.withdraw(desk, "A-1", late)
    assert result(desk).verified


def test_what_was_corrected_before_it_came_ends_no_ruling(
    desk: Desk, elsewhere: Any, good_sheet: ResultSheet, other: ResultSheet
) -> None:
    """The correction comes in by one packet, what it corrects by a later one."""
    key(desk, other, PHONE, "Cy")
    correction = elsewhere.bring(desk, "A-1", "paper", good_sheet, "Bob", over=[3])
    seen = review.case(desk, "A-1")
    review.rule(desk, "A-1", take(seen, PAPER), seen_report=correction, reason="the sheet says so", by="Di")
    assert elsewhere.bring(desk, "A-1", "paper", other, "Bob", minutes=90) == 3
    found = result(desk)
    assert (found.standing.state, found.changed_after_verified) == (State.RULED, False)


def test_taking_a_rival_has_its_effect_and_its_stake(
    desk: Desk, elsewhere: Any, good_sheet: ResultSheet
) -> None:
    moved = changed(changed(good_sheet, "Buttigieg", delegates=1), "Sanders", delegates=3)
    key(desk, good_sheet, PAPER, "Ann")
    theirs = elsewhere.bring(desk, "A-1", "paper", moved, "Bob")
    change_setting(desk, "approval_stake", "0.1", by="maker")
    seen = review.case(desk, "A-1")
    paper, rival = effects(desk, seen)
    assert (paper.choice, rival.choice) == ("paper", str(theirs))
    assert not paper.moves
    assert rival.delegates["Sanders"] == (2, 3)
    assert rival.sentence.startswith("If paper (Polk packet, Bob) stands: ")
    (item,) = queue(desk, desk.overview())
    assert item.at_stake == rival.moves
    ruling = review.rule(
        desk, "A-1", take(seen, PAPER), seen_report=seen.seen_report, reason="the sheet says so", by="Di"
    )
    assert ruling.pending  # what it decides against is a rival of the same channel
    assert [stored.ruling.id for stored in pending(desk)] == [ruling.id]
    with pytest.raises(Refused, match="Bob keyed the paper report"):
        approve(desk, ruling.id, by="Bob")
    elsewhere.bring(desk, "A-1", "paper", moved, "Eve", minutes=99)
    assert pending(desk) == ()
    assert review.case(desk, "A-1").waiting is None
    with pytest.raises(Refused, match=r"A newer paper report .* by Eve"):
        approve(desk, ruling.id, by="Flo")


def test_slips_are_looked_for_between_two_of_one_channel(
    desk: Desk, elsewhere: Any, good_sheet: ResultSheet
) -> None:
    key(desk, good_sheet, PAPER, "Ann")
    elsewhere.bring(desk, "A-1", "paper", changed(good_sheet, "Biden", first=41), "Bob")
    (hint,) = cases.hints(desk.rules, review.case(desk, "A-1"))
    assert "Biden first transposed (14 and 41) in paper (Polk packet, Bob)" in hint.sentence


# ---- sent back, called back ----


def test_a_note_tells_no_number_that_a_rival_says(
    desk: Desk, elsewhere: Any, good_sheet: ResultSheet, other: ResultSheet
) -> None:
    key(desk, good_sheet, PAPER, "Ann")
    elsewhere.bring(desk, "A-1", "paper", other, "Bob")
    with pytest.raises(Refused, match="which the other paper report says in Biden first"):
        errands.send_back(desk, "A-1", ErrandKind.REKEY, channel=PAPER, note="is it 15?", by="Di")
    errands.send_back(desk, "A-1", ErrandKind.REKEY, channel=PAPER, note="look closely", by="Di")
    draft = claim(desk, "A-1", PAPER, "Eve")
    assert "Biden.first" not in draft.fields
    assert draft.fields["Sanders.first"] == "24"


def test_nothing_is_kept_of_a_sheet_whose_person_keyed_the_other_channel_too(
    desk: Desk, elsewhere: Any, good_sheet: ResultSheet, other: ResultSheet
) -> None:
    key(desk, good_sheet, PHONE, "Ann")
    elsewhere.bring(desk, "A-1", "paper", other, "Ann")
    errands.send_back(desk, "A-1", ErrandKind.REKEY, channel=PAPER, by="Di")
    draft = claim(desk, "A-1", PAPER, "Eve")
    assert draft.fields == {}
    assert "Key again: Biden first. Key the whole sheet" in draft.note
    done = submit(desk, draft.id, good_sheet, "Eve", reasons={})
    assert done.verified
    assert errands.errands(desk) == ()


def test_a_caller_who_proved_nothing_is_called_back_also_where_another_report_leads(
    desk: Desk, elsewhere: Any, good_sheet: ResultSheet
) -> None:
    mine = key(desk, good_sheet, PHONE, "Ann", caller=Caller(check="pin failed")).report_id
    key(desk, good_sheet, PAPER, "Bob")
    leads = elsewhere.bring(desk, "A-1", "phone", good_sheet, "Bob", minutes=-5, origin="")
    assert result(desk).reports[PHONE].id == leads
    assert [rival.id for rival in result(desk).rivals] == [mine]
    assert [one.report_id for one in call_backs(desk)] == [mine]
    (item,) = queue(desk, desk.overview())
    assert item.kinds == {QueueKind.UNCONFIRMED}
    confirm_report(desk, mine, by="Di", how="the receipt code")
    assert call_backs(desk) == ()
    assert result(desk).verified


# ---- files ----


def test_a_file_that_says_what_one_of_them_says_brings_nothing_new(
    desk: Desk, elsewhere: Any, good_sheet: ResultSheet, other: ResultSheet, tmp_path: Path
) -> None:
    load_results(desk, csv_of(tmp_path, good_sheet), channel=PAPER, by="Ann")
    theirs = elsewhere.bring(desk, "A-1", "paper", other, "Bob")
    for sheet in (good_sheet, other):
        done = load_results(desk, csv_of(tmp_path, sheet), channel=PAPER, by="Ann")
        assert (done.new, done.superseded, done.unchanged) == (0, 0, 1)
    third = changed(good_sheet, "Biden", first=13)
    with pytest.raises(BadInput) as refused:
        load_results(desk, csv_of(tmp_path, third), channel=PHONE, by="Bob")
    assert "Bob brought the paper report" in refused.value.problems[0].expected
    done = load_results(desk, csv_of(tmp_path, third), channel=PAPER, by="Ann")
    assert (done.new, done.superseded) == (0, 1)
    assert result(desk).heads.keys() == {PAPER}
    assert result(desk).reports[PAPER].id > theirs


# ---- releases and the evening ----


def test_a_release_keeps_every_report_that_stood(
    desk: Desk, elsewhere: Any, good_sheet: ResultSheet, other: ResultSheet, passed: Callable[..., Any]
) -> None:
    key(desk, good_sheet, PHONE, "Ann")
    key(desk, good_sheet, PAPER, "Cy")
    elsewhere.bring(desk, "A-1", "paper", other, "Bob")
    before = result(desk)
    number = passed(desk)
    key(desk, good_sheet, PAPER, "Cy", correcting="the signed sheet lies here")
    assert frozen(desk, number)["A-1"].reports == (1, 2, 3)
    then = released_overview(desk, number).results["A-1"]
    assert then.heads == before.heads
    assert then.mismatches == before.mismatches
    assert then.rivals == before.rivals
    assert result(desk).verified


@pytest.fixture
def passed() -> Callable[[Desk], int]:
    """Makes a release whatever the gate says."""

    def make(desk: Desk) -> int:
        held = gate(desk, Counting.REPORTED).held
        reasons = {item.id: "known and said so" for item in held}
        return make_release(desk, Counting.REPORTED, by="maker", passes=reasons).number

    return make


def test_the_story_of_the_night_sees_them_beside_each_other(
    desk: Desk, elsewhere: Any, good_sheet: ResultSheet, other: ResultSheet
) -> None:
    key(desk, good_sheet, PAPER, "Ann")
    elsewhere.bring(desk, "A-1", "paper", other, "Bob")
    story = stories(desk)["A-1"]
    assert [wait.until for wait in story.waits] == [None]
    assert [(one.report.by, one.differed) for one in story.compared] == [("Ann", True), ("Bob", True)]
