"""The review queue: everything that needs a person, the worst first, and who has which case open."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from fractions import Fraction
from pathlib import Path

import pytest

from caucus_desk.desk import cases
from caucus_desk.desk.acknowledge import acknowledge
from caucus_desk.desk.approving import approve
from caucus_desk.desk.callbacks import confirm_report
from caucus_desk.desk.cases import (
    CASE_IDLE,
    CaseTaken,
    QueueItem,
    QueueKind,
    claim_case,
    claims,
    effect_of,
    effects,
    hints,
    queue,
    release_case,
    take,
    touch_case,
)
from caucus_desk.desk.creating import create_caucus
from caucus_desk.desk.entry import Caller, check, claim, submit
from caucus_desk.desk.loading import load_results
from caucus_desk.desk.people import make_account, make_first_administrator, sign_in
from caucus_desk.desk.review import case, rule, withdraw_ruling
from caucus_desk.desk.roles import Role
from caucus_desk.desk.session import Desk
from caucus_desk.desk.settings import change_setting
from caucus_desk.rules.errors import Refused
from caucus_desk.tally.report import Channel
from caucus_desk.tally.sheet import GroupCounts, ResultSheet
from caucus_desk.tally.state import State

PHONE, PAPER, APP = Channel.PHONE, Channel.PAPER, Channel.APP
CHECKED = Caller(check="pin passed")
WORTH = Fraction(4, 11)
"""SDEs of one delegate in Alpha."""


def key(
    desk: Desk,
    sheet: ResultSheet,
    channel: Channel,
    by: str,
    precinct_id: str = "A-1",
    correcting: str = "",
    caller: Caller = CHECKED,
) -> int:
    draft = claim(desk, precinct_id, channel, by)
    reasons = {finding.id: "asked twice" for finding in check(desk, precinct_id, sheet).findings}
    done = submit(
        desk, draft.id, sheet, by, reasons=reasons, confirmed=True, correcting=correcting, caller=caller
    )
    return done.report_id


def changed(sheet: ResultSheet, group: str, **counts: int | None) -> ResultSheet:
    rows = tuple(replace(row, **counts) if row.group == group else row for row in sheet.groups)
    return replace(sheet, groups=rows)


@pytest.fixture
def swapped(good_sheet: ResultSheet) -> ResultSheet:
    return changed(changed(good_sheet, "Sanders", delegates=1), "Warren", delegates=2)


@pytest.fixture
def differing(desk: Desk, good_sheet: ResultSheet, swapped: ResultSheet) -> Desk:
    """In A-1 a delegate changes hands between phone and paper."""
    key(desk, good_sheet, PHONE, "Anna")
    key(desk, swapped, PAPER, "Bo")
    return desk


def waiting(desk: Desk) -> Mapping[str, QueueItem]:
    return {item.precinct.id: item for item in queue(desk, desk.overview())}


# ---- the queue ----


def test_a_mismatch_waits_with_what_is_at_stake(differing: Desk) -> None:
    item = waiting(differing)["A-1"]
    assert item.kinds == {"mismatch"}
    assert item.kinds == {QueueKind.MISMATCH}
    assert (item.at_stake, item.closeness) == (WORTH, 1)
    assert item.channels == (PHONE, PAPER)
    assert item.what == "differs in Sanders delegates and Warren delegates"
    report = differing.overview().results["A-1"].reports[PAPER]
    assert item.waits_since == report.at, "since the second report came"
    assert item.claimed is None


def test_many_fields_are_counted(differing: Desk, good_sheet: ResultSheet) -> None:
    key(differing, replace(changed(good_sheet, "Biden", first=13, final=15), attendance=101), APP, "Flo")
    assert waiting(differing)["A-1"].what == "differs in Attendance, Biden first and 3 more fields"


def test_what_a_person_has_decided_leaves_the_queue(differing: Desk) -> None:
    choices = take(case(differing, "A-1"), PHONE)
    ruling = rule(differing, "A-1", choices, seen_report=2, reason="the photo shows it", by="Cy")
    assert not waiting(differing)
    withdraw_ruling(differing, ruling.id, "wrong photo", "Cy")
    assert waiting(differing)["A-1"].kinds >= {QueueKind.MISMATCH}


def test_an_error_nobody_has_acknowledged_waits(desk: Desk, good_sheet: ResultSheet, tmp_path: Path) -> None:
    lines = ["precinct_id,candidate,first_alignment,final_alignment,county_delegates,attendance"]
    lines += [f"A-1,{r.group},{r.first},{r.final},{r.delegates},100" for r in good_sheet.groups]
    file = tmp_path / "wrong.csv"
    file.write_text("\n".join(lines).replace("Buttigieg,36,38,2", "Buttigieg,36,38,3"), encoding="utf-8")
    load_results(desk, file, channel=PAPER, by="Bo")
    load_results(desk, file, channel=APP, by="app feed")
    item = waiting(desk)["A-1"]
    assert (item.kinds, item.what) == ({QueueKind.ERROR}, "C14 not acknowledged")
    assert item.at_stake is not None
    assert item.at_stake > 0
    acknowledge(desk, "A-1", "C14", reason="the chair says so", by="Cy")
    assert not waiting(desk)


def test_a_ruling_that_needs_a_second_person_waits(differing: Desk) -> None:
    change_setting(differing, "approval_stake", "0.1", by="Lee")
    choices = take(case(differing, "A-1"), PAPER)
    ruling = rule(differing, "A-1", choices, seen_report=2, reason="the paper", by="Cy")
    item = waiting(differing)["A-1"]
    assert item.kinds == {QueueKind.MISMATCH, QueueKind.APPROVAL}
    assert item.what.startswith("Cy's ruling waits for approval; differs in ")
    approve(differing, ruling.id, by="Lee")
    assert not waiting(differing)


def test_an_unconfirmed_report_waits_until_somebody_has_called_back(
    desk: Desk, good_sheet: ResultSheet
) -> None:
    report = key(desk, good_sheet, PHONE, "Anna", caller=Caller(check="pin failed"))
    assert waiting(desk)["A-1"].kinds == {QueueKind.UNCONFIRMED}
    key(desk, good_sheet, PAPER, "Bo")
    item = waiting(desk)["A-1"]
    assert (item.kinds, item.what) == ({QueueKind.UNCONFIRMED}, "phone not confirmed: call back")
    assert desk.overview().results["A-1"].standing.state is State.SINGLE
    confirm_report(desk, report, by="Cy", how="the receipt code fits")
    assert not waiting(desk)
    assert desk.overview().results["A-1"].verified


def test_what_changed_after_it_was_verified_waits(desk: Desk, good_sheet: ResultSheet) -> None:
    key(desk, good_sheet, PHONE, "Anna")
    key(desk, good_sheet, PAPER, "Bo")
    assert not waiting(desk)
    later = changed(good_sheet, "Yang", first=3)
    key(desk, later, PHONE, "Anna", correcting="the chair rang again")
    item = waiting(desk)["A-1"]
    assert item.kinds == {QueueKind.MISMATCH, QueueKind.CORRECTION}
    key(desk, later, PAPER, "Bo", correcting="the sheet says so too")
    assert waiting(desk)["A-1"].kinds == {QueueKind.CORRECTION}
    acknowledge(desk, "A-1", "C50", reason="both say so now", by="Cy")
    assert not waiting(desk)


def test_the_worst_comes_first(differing: Desk, good_sheet: ResultSheet) -> None:
    """Two delegates in A-2 before one in A-1 before a first count in the one-delegate precinct."""
    one = ResultSheet(100, (GroupCounts("Sanders", 60, 60, 3), GroupCounts("Warren", 40, 40, 2)))
    two = ResultSheet(100, (GroupCounts("Sanders", 60, 60, 1), GroupCounts("Warren", 40, 40, 4)))
    small = ResultSheet(20, (GroupCounts("Sanders", 20, 20, 1),))
    key(differing, one, PHONE, "Anna", "A-2")
    key(differing, two, PAPER, "Bo", "A-2")
    key(differing, small, PHONE, "Anna", "77-T01")
    key(differing, replace(small, attendance=21), PAPER, "Bo", "77-T01")
    assert list(waiting(differing)) == ["A-2", "A-1", "77-T01"]
    assert [item.at_stake for item in waiting(differing).values()] == [2 * WORTH, WORTH, 0]


def test_a_quiet_night_has_no_queue(desk: Desk, good_sheet: ResultSheet) -> None:
    assert queue(desk, desk.overview()) == ()
    key(desk, good_sheet, PHONE, "Anna")
    assert queue(desk, desk.overview()) == (), "one report alone waits for the other, not for a reviewer"


# ---- who has it ----


def test_a_case_that_is_open_is_told_to_others(differing: Desk) -> None:
    held = claim_case(differing, "A-1", "Cy")
    assert held.by == "Cy"
    assert claims(differing) == {"A-1": held}
    assert waiting(differing)["A-1"].claimed == held
    with pytest.raises(
        CaseTaken, match=r"^Cy has the case of North Ward, Alpha open since .*last key"
    ) as told:
        claim_case(differing, "A-1", "Di")
    assert told.value.claim == held
    assert claim_case(differing, "A-1", "CY").since == held.since, "the same person, opened again"


def test_another_reviewer_does_not_rule_on_it(differing: Desk) -> None:
    claim_case(differing, "A-1", "Cy")
    choices = take(case(differing, "A-1"), PHONE)
    with pytest.raises(Refused, match="Cy has the case"):
        rule(differing, "A-1", choices, seen_report=2, reason="the photo", by="Di")
    assert differing.overview().results["A-1"].standing.state is State.MISMATCHED
    rule(differing, "A-1", choices, seen_report=2, reason="the photo", by="Cy")
    assert not claims(differing), "decided, it is left"


def age(desk: Desk, by: timedelta) -> None:
    with desk.store.write() as unit:
        held = unit.case_claim("A-1")
        assert held is not None
        unit.set_clock(unit.now - by)
        unit.set_case_claim("A-1", held.by, held.since)


def test_five_minutes_without_a_key_free_it(differing: Desk) -> None:
    claim_case(differing, "A-1", "Cy")
    age(differing, CASE_IDLE - timedelta(seconds=20))
    assert claims(differing)
    touched = touch_case(differing, "A-1", "Cy")
    assert touched.since < touched.touched
    age(differing, CASE_IDLE)
    assert not claims(differing)
    assert waiting(differing)["A-1"].claimed is None
    assert claim_case(differing, "A-1", "Di").by == "Di"
    with pytest.raises(CaseTaken, match="Di has the case"):
        touch_case(differing, "A-1", "Cy")


def test_an_idle_case_may_be_ruled_on_by_another(differing: Desk) -> None:
    claim_case(differing, "A-1", "Cy")
    age(differing, CASE_IDLE)
    rule(differing, "A-1", take(case(differing, "A-1"), PHONE), seen_report=2, reason="the photo", by="Di")


def test_a_clock_set_back_frees_nothing(differing: Desk) -> None:
    claim_case(differing, "A-1", "Cy")
    age(differing, timedelta(hours=-1))
    with pytest.raises(CaseTaken):
        claim_case(differing, "A-1", "Di")


def test_what_is_left_is_free(differing: Desk) -> None:
    claim_case(differing, "A-1", "Cy")
    release_case(differing, "A-1", "Di")
    assert claims(differing), "only whoever has it can leave it"
    release_case(differing, "A-1", "cy")
    assert not claims(differing)


def test_claims_leave_nothing_in_the_trail(differing: Desk) -> None:
    before = differing.saved_seq()
    claim_case(differing, "A-1", "Cy")
    touch_case(differing, "A-1", "Cy")
    release_case(differing, "A-1", "Cy")
    assert differing.saved_seq() == before


# ---- before a choice is made ----


def test_what_each_choice_would_do(differing: Desk) -> None:
    seen = case(differing, "A-1")
    phone, paper = effects(differing, seen)
    assert (phone.choice, paper.choice) == ("phone", "paper")
    assert phone.delegates["Sanders"] == (1, 2)
    assert phone.sdes == {"Sanders": WORTH, "Warren": -WORTH}
    assert paper.sdes == {}
    rule(differing, "A-1", take(seen, PHONE), seen_report=2, reason="the photo", by="Cy")
    assert differing.overview().results["A-1"].standing.sheet == phone.sheet


def test_field_by_field_what_is_not_chosen_stays(differing: Desk) -> None:
    seen = case(differing, "A-1")
    assert effect_of(differing, seen, {}).sdes == {}
    found = effect_of(differing, seen, {"Sanders.delegates": 2})
    assert found.choice == "choices"
    assert found.sdes == {"Sanders": WORTH}
    with pytest.raises(Refused, match="cannot stand"):
        effect_of(differing, seen, {"Sanders.delegates": 100_000})


def test_what_a_channel_does_not_state_comes_from_another(
    differing: Desk, good_sheet: ResultSheet, tmp_path: Path
) -> None:
    lines = ["precinct_id,candidate,first_alignment,final_alignment"]
    lines += [f"A-1,{r.group},{r.first},{r.final}" for r in changed(good_sheet, "Yang", first=3).groups]
    file = tmp_path / "app.csv"
    file.write_text("\n".join(lines), encoding="utf-8")
    load_results(differing, file, channel=APP, by="app feed")
    seen = case(differing, "A-1")
    assert take(seen, APP) == {"Sanders.delegates": 2, "Warren.delegates": 1, "Yang.first": 3}
    assert [one.choice for one in effects(differing, seen)] == ["phone", "paper", "app"]


def test_the_slip_behind_it_is_told(differing: Desk) -> None:
    (hint,) = hints(differing.rules, case(differing, "A-1"))
    assert hint.fields == ("Sanders.delegates", "Warren.delegates")
    assert hint.sentence == "Looks like: delegates of Sanders and Warren exchanged in paper."


def test_where_nothing_differs_there_is_nothing_to_choose(desk: Desk, good_sheet: ResultSheet) -> None:
    key(desk, good_sheet, PHONE, "Anna")
    seen = case(desk, "A-1")
    assert (effects(desk, seen), hints(desk.rules, seen)) == ((), ())


def test_a_case_shows_its_calls(differing: Desk) -> None:
    (call,) = case(differing, "A-1").calls
    assert (call.by, call.ended, call.report_id) == ("Anna", "results taken", 1)


# ---- roles ----


@pytest.fixture
def staffed(small_roster: Path, tmp_path: Path, good_sheet: ResultSheet, swapped: ResultSheet) -> Desk:
    made = create_caucus(str(tmp_path / "staffed.sqlite"), "iowa-2020", small_roster, by="maker")
    desk = made.desk
    key(desk, good_sheet, PHONE, "Anna")
    key(desk, swapped, PAPER, "Bo")
    make_first_administrator(desk, "Ada", "830517")
    for name, role in (("Cleo", Role.CLERK), ("Rae", Role.REVIEWER), ("Lee", Role.LEAD)):
        make_account(desk, name, role, "729164", by="Ada")
        sign_in(desk, name, "729164")
    return desk


def test_only_who_may_review_reviews(staffed: Desk) -> None:
    with staffed:
        change_setting(staffed, "approval_stake", "0.1", by="Lee")
        choices = take(case(staffed, "A-1"), PHONE)
        with pytest.raises(Refused, match="Only"):
            claim_case(staffed, "A-1", "Cleo")
        with pytest.raises(Refused, match="Only"):
            rule(staffed, "A-1", choices, seen_report=2, reason="the photo", by="Cleo")
        ruling = rule(staffed, "A-1", choices, seen_report=2, reason="the photo", by="Rae")
        with pytest.raises(Refused, match="Only"):
            approve(staffed, ruling.id, by="Rae")
        assert approve(staffed, ruling.id, by="Lee").approved_by == "Lee"


def test_the_names_that_pages_use_are_all_there() -> None:
    assert all(hasattr(cases, name) for name in cases.__all__)
