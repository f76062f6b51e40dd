"""A ruling above a stake has no force before a second person approves it."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import pytest

from caucus_desk.desk.approving import approve, pending, refuse_approval
from caucus_desk.desk.entry import Barred, Caller, check, claim, discard, save_draft, submit
from caucus_desk.desk.integrity import check_store, rebuild_states
from caucus_desk.desk.review import case, rule, withdraw_ruling
from caucus_desk.desk.session import Desk
from caucus_desk.desk.settings import change_setting
from caucus_desk.rules.errors import Refused
from caucus_desk.tally.report import Channel, Ruling
from caucus_desk.tally.sheet import ResultSheet
from caucus_desk.tally.state import State

PHONE, PAPER, APP = Channel.PHONE, Channel.PAPER, Channel.APP
CHECKED = Caller(check="pin passed")
WORTH = Fraction(4, 11)
"""SDEs of one delegate of A-1."""
CHOICES = {"Sanders.delegates": 1, "Warren.delegates": 2}


def key(desk: Desk, sheet: ResultSheet, channel: Channel, by: str, correcting: str = "") -> int:
    draft = claim(desk, "A-1", channel, by)
    reasons = {finding.id: "asked twice" for finding in check(desk, "A-1", sheet).findings}
    done = submit(
        desk, draft.id, sheet, by, reasons=reasons, confirmed=True, correcting=correcting, caller=CHECKED
    )
    return done.report_id


def changed(sheet: ResultSheet, group: str, **counts: int | None) -> ResultSheet:
    rows = tuple(replace(row, **counts) if row.group == group else row for row in sheet.groups)
    return replace(sheet, groups=rows)


@pytest.fixture
def swapped(good_sheet: ResultSheet) -> ResultSheet:
    """The delegates of Sanders (2) and Warren (1) exchanged."""
    return changed(changed(good_sheet, "Sanders", delegates=1), "Warren", delegates=2)


@pytest.fixture
def differing(desk: Desk, good_sheet: ResultSheet, swapped: ResultSheet) -> Desk:
    key(desk, good_sheet, PHONE, "Anna")
    key(desk, swapped, PAPER, "Bo")
    return desk


def ruled(desk: Desk, by: str = "Cy", seen: int = 2) -> Ruling:
    return rule(desk, "A-1", CHOICES, seen_report=seen, reason="the paper says so", by=by)


@pytest.fixture
def waiting(differing: Desk) -> Ruling:
    change_setting(differing, "approval_stake", "0.3", by="Lee")
    return ruled(differing)


def state(desk: Desk) -> State:
    return desk.overview().results["A-1"].standing.state


def sound(desk: Desk) -> bool:
    return all(line.ok for line in check_store(desk)) and rebuild_states(desk, "Lee") == 0


@pytest.mark.parametrize(("limit", "needed"), [("", False), ("0.4", False), ("0.3636", True), ("0", True)])
def test_only_above_the_stake_a_second_person_is_needed(differing: Desk, limit: str, needed: bool) -> None:
    change_setting(differing, "approval_stake", limit, by="Lee")
    ruling = ruled(differing)
    assert ruling.pending is needed
    assert state(differing) is (State.MISMATCHED if needed else State.RULED)
    assert sound(differing)


def test_a_ruling_that_takes_what_stands_has_as_much_at_stake(differing: Desk, waiting: Ruling) -> None:
    """Paper stands already; taking it moves nothing, and is wrong by a delegate if phone is right."""
    (stored,) = pending(differing)
    assert stored.stake == WORTH


def test_where_no_delegate_moves_nobody_else_is_asked(desk: Desk, good_sheet: ResultSheet) -> None:
    change_setting(desk, "approval_stake", "0", by="Lee")
    key(desk, changed(good_sheet, "Yang", first=3), PHONE, "Anna")
    key(desk, good_sheet, PAPER, "Bo")
    ruling = rule(desk, "A-1", {"Yang.first": 4}, seen_report=2, reason="the paper", by="Cy")
    assert not ruling.pending


def test_while_it_waits_the_precinct_stays_as_it_is(differing: Desk, waiting: Ruling) -> None:
    seen = case(differing, "A-1")
    assert (state(differing), seen.result.verified) == (State.MISMATCHED, False)
    assert seen.waiting is not None
    assert seen.waiting.ruling == waiting
    assert [stored.stake for stored in seen.approvals] == [WORTH]
    assert [stored.ruling.id for stored in pending(differing)] == [waiting.id]
    with pytest.raises(Refused, match=r"Cy ruled on North Ward, Alpha at .* waits for a second person"):
        ruled(differing, "Di")
    assert sound(differing)


def test_approved_it_stands_with_both_names(differing: Desk, waiting: Ruling) -> None:
    approved = approve(differing, waiting.id, by="Lee")
    assert (approved.approved_by, approved.pending) == ("Lee", False)
    result = differing.overview().results["A-1"]
    assert result.standing.state is State.RULED
    assert result.standing.ruling == approved
    assert result.reported == {"Biden": 1, "Buttigieg": 2, "Sanders": 1, "Warren": 2}
    (stored,) = case(differing, "A-1").approvals
    assert stored.approved_at is not None
    assert not pending(differing)
    assert sound(differing)


@pytest.mark.parametrize(
    ("by", "sentence"),
    [
        ("CY", "Cy ruled on North Ward, Alpha: another person must approve"),
        ("Anna", "Anna keyed the phone report"),
        ("bo", "Bo keyed the paper report"),
    ],
)
def test_nobody_approves_their_own(differing: Desk, waiting: Ruling, by: str, sentence: str) -> None:
    with pytest.raises(Refused, match=sentence):
        approve(differing, waiting.id, by=by)
    assert state(differing) is State.MISMATCHED
    assert pending(differing)


def test_who_only_typed_in_a_report_does_not_approve_it(
    desk: Desk, good_sheet: ResultSheet, swapped: ResultSheet, monkeypatch: pytest.MonkeyPatch
) -> None:
    draft = claim(desk, "A-1", PHONE, "Eve")
    save_draft(desk, draft.id, {"attendance": "100"}, by="Eve")
    with desk.store.write() as unit:
        unit.hand_over_draft(draft.id, "Anna")
    submit(desk, draft.id, good_sheet, "Anna", reasons={}, caller=CHECKED)
    key(desk, swapped, PAPER, "Bo")
    change_setting(desk, "approval_stake", "0", by="Lee")
    ruling = ruled(desk)
    with pytest.raises(Refused, match="Eve had a hand in the phone report"):
        approve(desk, ruling.id, by="Eve")
    with pytest.raises(Refused, match="Eve had a hand in the phone report"):
        withdraw_ruling(desk, ruling.id, "not so", "Eve")


def test_a_newer_report_overtakes_it(differing: Desk, waiting: Ruling, swapped: ResultSheet) -> None:
    other = changed(swapped, "Yang", first=3)
    key(differing, other, APP, "Flo")
    assert not pending(differing)
    assert case(differing, "A-1").waiting is None
    with pytest.raises(Refused, match=r"A newer app report .* by Flo"):
        approve(differing, waiting.id, by="Lee")
    again = rule(
        differing, "A-1", {**CHOICES, "Yang.first": 4}, seen_report=3, reason="looked again", by="Di"
    )
    assert again.pending
    approve(differing, again.id, by="Lee")
    assert state(differing) is State.RULED
    assert sound(differing)


def test_who_approved_has_seen_the_figures_and_keys_none(differing: Desk, waiting: Ruling) -> None:
    approve(differing, waiting.id, by="Lee")
    with pytest.raises(Barred, match="Lee approved a ruling on North Ward, Alpha"):
        claim(differing, "A-1", APP, "Lee")


def test_refused_it_is_withdrawn_and_stays_on_record(differing: Desk, waiting: Ruling) -> None:
    with pytest.raises(Refused, match="needs a reason"):
        refuse_approval(differing, waiting.id, reason="", by="Lee")
    refuse_approval(differing, waiting.id, reason="the photo shows another precinct", by="Lee")
    assert not pending(differing)
    (kept,) = case(differing, "A-1").rulings
    assert (kept.withdrawn_by, kept.ruling.pending, kept.stake) == ("Lee", True, WORTH)
    with pytest.raises(Refused, match="Lee withdrew this ruling at"):
        approve(differing, waiting.id, by="Di")
    assert ruled(differing, "Di").pending
    assert sound(differing)


Again = Callable[[Desk, int], object]


@pytest.mark.parametrize(
    "again",
    [lambda desk, one: approve(desk, one, by="Di"), lambda d, o: refuse_approval(d, o, reason="no", by="Di")],
)
def test_what_is_approved_is_not_approved_again(differing: Desk, waiting: Ruling, again: Again) -> None:
    approve(differing, waiting.id, by="Lee")
    with pytest.raises(Refused, match="Lee approved this ruling at"):
        again(differing, waiting.id)
    assert state(differing) is State.RULED


def test_an_approved_ruling_is_withdrawn_as_any_other(differing: Desk, waiting: Ruling) -> None:
    approve(differing, waiting.id, by="Lee")
    withdraw_ruling(differing, waiting.id, "wrong photo", "Di")
    assert state(differing) is State.MISMATCHED
    assert not pending(differing)
    (kept,) = case(differing, "A-1").rulings
    assert (kept.ruling.approved_by, kept.withdrawn_by) == ("Lee", "Di")
    assert sound(differing)


def test_a_ruling_below_the_stake_needs_no_approval(differing: Desk) -> None:
    ruling = ruled(differing)
    with pytest.raises(Refused, match="Cy's ruling needs no approval"):
        approve(differing, ruling.id, by="Lee")
    with pytest.raises(Refused, match="no ruling 77"):
        approve(differing, 77, by="Lee")


def test_an_open_draft_of_the_precinct_is_in_the_way(differing: Desk, waiting: Ruling) -> None:
    draft = claim(differing, "A-1", APP, "Lee")
    with pytest.raises(Refused, match="You are keying the app sheet"):
        approve(differing, waiting.id, by="Lee")
    discard(differing, draft.id, "Lee")
    approve(differing, waiting.id, by="Lee")


def test_every_step_is_in_the_trail(differing: Desk, waiting: Ruling) -> None:
    approve(differing, waiting.id, by="Lee")
    with differing.store.read() as unit:
        actions = [event.action for event in unit.audit_trail("A-1")]
    told = [action for action in actions if action != "verified"]
    assert told[:3] == ["approved", "approval needed", "ruled"]
