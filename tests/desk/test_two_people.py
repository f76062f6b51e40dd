"""Two people key a precinct, and neither knows what the other keyed: every way round it that was found."""

from dataclasses import replace
from datetime import timedelta

import pytest

from caucus_desk.desk import entry, review
from caucus_desk.desk.acknowledge import acknowledge
from caucus_desk.desk.entry import (
    Barred,
    Caller,
    NeedsCorrection,
    OwnMismatch,
    Submitted,
    claim,
    discard,
    draft_at,
    leave_for_anybody,
    save_draft,
    submit,
    take_over,
)
from caucus_desk.desk.errands import send_back
from caucus_desk.desk.looking import eyes, look
from caucus_desk.desk.naming import clean_name, same_person
from caucus_desk.desk.session import Desk
from caucus_desk.rules.errors import Refused
from caucus_desk.store.records import NewReport
from caucus_desk.tally.report import Channel
from caucus_desk.tally.sheet import ResultSheet
from caucus_desk.tally.state import State

PHONE, PAPER, APP = Channel.PHONE, Channel.PAPER, Channel.APP
CHECKED = Caller(check="pin passed")


def key(
    desk: Desk, sheet: ResultSheet, channel: Channel, by: str, *, correcting: str = "", **reasons: str
) -> Submitted:
    draft = claim(desk, "A-1", channel, by)
    return submit(
        desk,
        draft.id,
        sheet,
        by,
        reasons=reasons,
        confirmed=True,
        correcting=correcting,
        caller=CHECKED,
    )


def biden(sheet: ResultSheet, first: int) -> ResultSheet:
    rows = tuple(replace(row, first=first) if row.group == "Biden" else row for row in sheet.groups)
    return replace(sheet, groups=rows)


def looks(desk: Desk) -> list[str]:
    with desk.store.read() as unit:
        return [entry.by for entry in unit.looks("A-1")]


@pytest.fixture
def mismatched(desk: Desk, good_sheet: ResultSheet) -> Desk:
    """Anna's phone report and Bo's paper report of A-1 differ in Biden's first count."""
    key(desk, good_sheet, PHONE, "Anna")
    key(desk, biden(good_sheet, 13), PAPER, "Bo")
    return desk


# ---- keying again to match ----


def test_keying_again_what_mismatched_is_an_open_correction(
    mismatched: Desk, good_sheet: ResultSheet
) -> None:
    draft = claim(mismatched, "A-1", PHONE, "Anna")
    assert draft.note == (
        "Anna keyed the phone report of North Ward, Alpha, and the reports of that precinct differ. "
        "Keying it again needs a reason."
    )
    again = biden(good_sheet, 13)
    for reason in ("", "13"):
        with pytest.raises(OwnMismatch, match="give a reason in words"):
            submit(mismatched, draft.id, again, "Anna", reasons={}, correcting=reason)
    done = submit(
        mismatched, draft.id, again, "Anna", reasons={}, correcting="the caller rang\nagain", caller=CHECKED
    )
    assert done.verified
    with mismatched.store.read() as unit:
        assert any("as a correction: the caller rang again" in event.sentence for event in unit.audit_trail())


def test_another_person_keys_a_mismatched_precinct_and_says_why(
    mismatched: Desk, good_sheet: ResultSheet
) -> None:
    assert "another one takes its place" in claim(mismatched, "A-1", PHONE, "Cy").note.casefold()
    draft = draft_at(mismatched, "A-1", PHONE)
    assert draft is not None
    sheet = biden(good_sheet, 13)
    with pytest.raises(NeedsCorrection):
        submit(mismatched, draft.id, sheet, "Cy", reasons={}, caller=CHECKED)
    why = "the chair called again"
    assert submit(mismatched, draft.id, sheet, "Cy", reasons={}, caller=CHECKED, correcting=why).verified


def test_whoever_looked_at_the_other_figures_keys_no_more(mismatched: Desk) -> None:
    look(mismatched, "A-1", "Anna")
    for channel in (PHONE, APP):
        with pytest.raises(Barred):
            claim(mismatched, "A-1", channel, " ANNA")
    with pytest.raises(Barred, match="Anna has looked at the figures of North Ward, Alpha at") as refused:
        claim(mismatched, "A-1", PHONE, "Anna")
    assert refused.value.sentence.endswith("another person must key it.")


# ---- looking ----


def test_figures_of_others_are_covered_until_looked_at_or_verified(
    desk: Desk, good_sheet: ResultSheet
) -> None:
    def sees(by: str) -> bool:
        return eyes(desk, by).may_see(desk.overview().results["A-1"])

    assert sees("Bo"), "nothing there"
    key(desk, good_sheet, PHONE, "Anna")
    assert (sees("Anna"), sees("Bo"), sees("")) == (True, False, False)
    look(desk, "A-1", "Cy")
    assert (sees("Cy"), sees("Bo")) == (True, False)
    key(desk, biden(good_sheet, 13), PAPER, "Bo")
    assert (sees("Cy"), sees("Bo")) == (False, False), "a newer report is covered again"
    draft = claim(desk, "A-1", PAPER, "Dee")
    submit(desk, draft.id, good_sheet, "Dee", reasons={}, correcting="read it again")
    assert desk.overview().results["A-1"].verified
    assert (sees("Bo"), sees("Cy"), sees("")) == (True, True, True)


def test_a_sum_that_is_one_covered_precincts_is_covered_too(desk: Desk, good_sheet: ResultSheet) -> None:
    key(desk, good_sheet, PHONE, "Anna")

    def shown(by: str) -> bool:
        return eyes(desk, by).may_see_sum(desk.overview().results.values())

    assert (shown("Anna"), shown("Bo")) == (True, False)
    with desk.store.write() as unit:
        unit.add_report(NewReport("A-2", PHONE, good_sheet, "Cy"))
    assert shown("Bo")


def test_a_look_is_said_once_for_each_newest_report(desk: Desk, good_sheet: ResultSheet) -> None:
    look(desk, "A-1", "Cy")
    key(desk, good_sheet, PHONE, "Anna")
    look(desk, "A-1", "Anna")
    assert looks(desk) == [], "nothing of another person's was there to see"
    for _ in range(2):
        look(desk, "A-1", "Cy")
        look(desk, "A-1", "cy ")
    assert looks(desk) == ["Cy"]
    key(desk, biden(good_sheet, 13), PAPER, "Bo")
    look(desk, "A-1", "Cy")
    look(desk, "A-1", "Cy")
    assert looks(desk) == ["Cy", "Cy"]
    draft = claim(desk, "A-1", PAPER, "Dee")
    submit(desk, draft.id, good_sheet, "Dee", reasons={}, correcting="read it again")
    look(desk, "A-1", "Eve")
    assert looks(desk) == ["Cy", "Cy"], "verified figures are no secret"


def test_nobody_looks_while_they_key(desk: Desk, good_sheet: ResultSheet) -> None:
    key(desk, good_sheet, PHONE, "Anna")
    draft = claim(desk, "A-1", PAPER, "Bo")
    assert eyes(desk, "Bo").keying == {"A-1"}
    with pytest.raises(Refused, match="Finish or leave the sheet first"):
        look(desk, "A-1", "Bo")
    assert looks(desk) == []
    discard(desk, draft.id, "Bo")
    look(desk, "A-1", "Bo")
    assert looks(desk) == ["Bo"]
    with pytest.raises(Barred):
        claim(desk, "A-1", PAPER, "Bo")


def test_who_ruled_has_seen_the_figures_too(mismatched: Desk) -> None:
    case = review.case(mismatched, "A-1")
    review.rule(
        mismatched,
        "A-1",
        {"Biden.first": 14},
        seen_report=case.seen_report,
        reason="the photo says so",
        by="Cy",
    )
    with pytest.raises(Barred, match="Cy ruled on North Ward, Alpha"):
        claim(mismatched, "A-1", APP, "Cy")


def test_nobody_rules_on_a_precinct_that_they_are_keying(mismatched: Desk) -> None:
    claim(mismatched, "A-1", APP, "Cy")
    case = review.case(mismatched, "A-1")
    with pytest.raises(Refused, match="You are keying the app sheet"):
        review.rule(
            mismatched, "A-1", {"Biden.first": 14}, seen_report=case.seen_report, reason="the photo", by="Cy"
        )


# ---- drafts that pass through several hands ----


def test_one_person_does_not_begin_both_sheets(desk: Desk) -> None:
    paper = claim(desk, "A-1", PAPER, "Anna")
    with pytest.raises(Barred, match="Anna is keying the paper sheet"):
        claim(desk, "A-1", PHONE, "anna")
    discard(desk, paper.id, "Anna")
    assert claim(desk, "A-1", PHONE, "Anna").channel is PHONE


def test_who_typed_in_a_sheet_that_was_taken_over_does_not_key_the_other(
    desk: Desk, good_sheet: ResultSheet, monkeypatch: pytest.MonkeyPatch
) -> None:
    draft = claim(desk, "A-1", PAPER, "Anna")
    save_draft(desk, draft.id, {"attendance": "100"}, "Anna")
    monkeypatch.setattr(entry, "IDLE", timedelta(0))
    taken = take_over(desk, draft.id, "Bo")
    assert (taken.fields, taken.typists) == ({"attendance": "100"}, ("Anna", "Bo"))
    with pytest.raises(Barred, match="Anna had a hand in the paper sheet"):
        claim(desk, "A-1", PHONE, "Anna")
    submit(desk, draft.id, good_sheet, "Bo", reasons={})
    with desk.store.read() as unit:
        assert "Anna had it before" in unit.audit_trail("A-1")[0].sentence
    for who in ("Anna", "Bo"):
        with pytest.raises(Barred, match="must be keyed by another person"):
            claim(desk, "A-1", PHONE, who)
    assert key(desk, good_sheet, PHONE, "Cy").verified


def test_figures_of_who_keyed_the_other_sheet_are_not_taken_over(
    desk: Desk, good_sheet: ResultSheet, monkeypatch: pytest.MonkeyPatch
) -> None:
    draft = claim(desk, "A-1", PAPER, "Anna")
    save_draft(desk, draft.id, {"attendance": "100"}, "Anna")
    with desk.store.write() as unit:  # as a file that is loaded meanwhile
        unit.add_report(NewReport("A-1", PHONE, good_sheet, "Anna"))
    with pytest.raises(Barred) as refused:
        claim(desk, "A-1", PAPER, "Anna")
    assert refused.value.draft is not None
    assert refused.value.draft.id == draft.id, "so that it can be discarded"
    monkeypatch.setattr(entry, "IDLE", timedelta(0))
    taken = take_over(desk, draft.id, "Bo")
    assert (taken.fields, taken.typists) == ({}, ())
    assert taken.note.startswith("Anna keyed the phone report, so what was typed here was taken out")
    assert submit(desk, draft.id, good_sheet, "Bo", reasons={}).verified


def test_a_report_typed_by_who_keyed_the_other_is_refused_at_submit(
    desk: Desk, good_sheet: ResultSheet, monkeypatch: pytest.MonkeyPatch
) -> None:
    draft = claim(desk, "A-1", PAPER, "Anna")
    save_draft(desk, draft.id, {"attendance": "100"}, "Anna")
    monkeypatch.setattr(entry, "IDLE", timedelta(0))
    take_over(desk, draft.id, "Bo")
    with desk.store.write() as unit:
        unit.add_report(NewReport("A-1", PHONE, good_sheet, "Anna"))
    with pytest.raises(Barred, match="Anna keyed the phone report") as refused:
        submit(desk, draft.id, good_sheet, "Bo", reasons={})
    assert refused.value.draft is not None, "so that it can be discarded"
    discard(desk, refused.value.draft.id, "Bo")
    assert claim(desk, "A-1", PAPER, "Bo").typists == ()


# ---- one's own ruling ----


def test_a_ruling_does_not_answer_for_its_own_figures(mismatched: Desk) -> None:
    case = review.case(mismatched, "A-1")
    review.rule(
        mismatched,
        "A-1",
        {"Biden.first": 14, "Warren.final": 99},
        seen_report=case.seen_report,
        reason="the chair says so",
        by="Cy",
    )
    result = mismatched.overview().results["A-1"]
    assert result.standing.state is State.RULED
    assert result.open_errors
    with pytest.raises(Refused, match="Cy ruled on North Ward, Alpha, so the figures are theirs"):
        acknowledge(mismatched, "A-1", result.open_errors[0], reason="it is right", by="cy")
    for finding in result.open_errors:
        acknowledge(mismatched, "A-1", finding, reason="read from the photo", by="Dee")
    assert mismatched.overview().results["A-1"].verified


# ---- names ----


@pytest.mark.parametrize(
    "name",
    ["Ana\ufe0f", "A\u034fna", "Ana\u115f", "An\u2060a", "\u200bAna", "Ana\u3164", "Ana\u00ad", "\u202eAna"],
)
def test_what_cannot_be_seen_is_no_part_of_a_name(name: str) -> None:
    assert clean_name(name) == "Ana"
    assert same_person(name, "ana")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Łukasz", "Lukasz"),
        ("Søren", "Soren"),
        ("O'Brien", "O\u2019Brien"),
        ("O'Brien", "o brien"),
        ("clerk07", "Clerk 07"),
        ("clerk-07", "clerk\u00a007"),
        ("İpek", "ıpek"),
        ("Straße", "STRASSE"),
        ("\u0410nn\u0430", "Anna"),
        ("Ａｎｎ", "Ann"),
    ],
)
def test_one_name_in_two_spellings_is_one_person(one: str, other: str) -> None:
    assert same_person(one, other)
    assert same_person(other, one)


def test_other_names_are_other_people() -> None:
    for one, other in (("clerk 07", "clerk 08"), ("Ann", "Anna"), ("Bo", "Bob"), ("王芳", "王伟")):
        assert not same_person(one, other)


def test_a_state_tells_people_apart_by_the_same_rule(desk: Desk, good_sheet: ResultSheet) -> None:
    with desk.store.write() as unit:
        unit.add_report(NewReport("A-1", PHONE, good_sheet, "O'Brien"))
        unit.add_report(NewReport("A-1", PAPER, good_sheet, "O\u2019Brien"))
    assert desk.overview().results["A-1"].standing.state is State.SINGLE


def test_who_took_up_a_sheet_and_left_it_does_not_key_the_other(desk: Desk, good_sheet: ResultSheet) -> None:
    draft = claim(desk, "A-1", PHONE, "Anna")
    save_draft(desk, draft.id, {"attendance": "100"}, "Anna")
    leave_for_anybody(desk, draft.id, "Anna")
    leave_for_anybody(desk, claim(desk, "A-1", PHONE, "Carl").id, "Carl")  # read, and not a key typed
    with pytest.raises(Barred, match="Carl had a hand in the phone sheet"):
        claim(desk, "A-1", PAPER, "Carl")
    again = claim(desk, "A-1", PHONE, "Anna")
    submit(desk, again.id, good_sheet, "Anna", reasons={}, caller=CHECKED)
    with pytest.raises(Barred, match="Carl had a hand in the phone report"):
        claim(desk, "A-1", PAPER, "Carl")
    assert key(desk, good_sheet, PAPER, "Bo").verified


def test_who_discarded_what_another_typed_does_not_key_the_other(desk: Desk, good_sheet: ResultSheet) -> None:
    draft = claim(desk, "A-1", PHONE, "Anna")
    save_draft(desk, draft.id, {"attendance": "100"}, "Anna")
    leave_for_anybody(desk, draft.id, "Anna")
    discard(desk, claim(desk, "A-1", PHONE, "Carl").id, "Carl")
    with pytest.raises(Barred, match="Carl had the phone sheet"):
        claim(desk, "A-1", PAPER, "Carl")
    key(desk, good_sheet, PHONE, "Bo")
    assert not eyes(desk, "Carl").may_see(desk.overview().results["A-1"]), "he saw nothing of Bo's"
    discard(desk, claim(desk, "A-1", PHONE, "Carl").id, "Carl")  # the same channel is no second source
    own = claim(desk, "A-2", PHONE, "Carl")
    save_draft(desk, own.id, {"attendance": "9"}, "Carl")
    discard(desk, own.id, "Carl")
    claim(desk, "A-2", PAPER, "Carl")  # of their own figures nobody learns anything


def test_who_read_a_sheet_that_was_sent_back_does_not_key_the_other(
    desk: Desk, good_sheet: ResultSheet
) -> None:
    key(desk, good_sheet, PHONE, "Anna")
    key(desk, biden(good_sheet, 41), PAPER, "Bo", C01="so it says", C06="so it says")
    send_back(desk, "A-1", "rekey", channel=PHONE, by="Rae")
    again = claim(desk, "A-1", PHONE, "Carl")
    assert again.fields["Sanders.final"] == "24"
    discard(desk, again.id, "Carl")
    with pytest.raises(Barred, match="Carl had the phone sheet"):
        claim(desk, "A-1", PAPER, "Carl")
