"""Keying a sheet: claims, drafts, what is refused and what is saved."""

from dataclasses import replace
from datetime import timedelta

import pytest

from caucus_desk.desk import entry
from caucus_desk.desk.corrections import corrections
from caucus_desk.desk.entry import (
    AlreadyVerified,
    Barred,
    Caller,
    DoesNotMatch,
    EmptyBoxes,
    KeyedMeanwhile,
    NeedsCorrection,
    NeedsReason,
    StaleWindow,
    Submitted,
    claim,
    discard,
    drafts,
    save_draft,
    submit,
    take_over,
)
from caucus_desk.desk.session import Desk, open_desk
from caucus_desk.rules.errors import Refused
from caucus_desk.store import work
from caucus_desk.store.records import NewReport
from caucus_desk.tally.report import Channel
from caucus_desk.tally.sheet import GroupCounts, ResultSheet
from caucus_desk.tally.state import State

PHONE, PAPER, APP = Channel.PHONE, Channel.PAPER, Channel.APP
CHECKED = Caller("Ada Fitch", "515-555-0101", "pin passed")


def key(
    desk: Desk,
    sheet: ResultSheet,
    channel: Channel,
    by: str,
    precinct_id: str = "A-1",
    *,
    reasons: dict[str, str] | None = None,
    confirmed: bool = False,
    correcting: str = "",
) -> Submitted:
    draft = claim(desk, precinct_id, channel, by)
    return submit(
        desk,
        draft.id,
        sheet,
        by,
        reasons=reasons or {},
        confirmed=confirmed,
        correcting=correcting,
        caller=CHECKED,
    )


def changed(sheet: ResultSheet, group: str, **counts: int | None) -> ResultSheet:
    rows = tuple(replace(row, **counts) if row.group == group else row for row in sheet.groups)
    return replace(sheet, groups=rows)


def trail(desk: Desk) -> list[tuple[str, str, str]]:
    with desk.store.read() as unit:
        return [(str(event.action), event.actor, event.sentence) for event in unit.audit_trail()]


def reports_of(desk: Desk, precinct_id: str = "A-1") -> int:
    with desk.store.read() as unit:
        return len(unit.history(precinct_id))


# ---- claims and drafts ----


def test_the_second_clerk_is_told_who_has_the_sheet_and_since_when(desk: Desk) -> None:
    held = claim(desk, "A-1", PHONE, "Anna")
    with pytest.raises(Refused) as refused:
        claim(desk, "A-1", PHONE, "Bo")
    assert "Anna has the phone sheet of North Ward, Alpha" in refused.value.sentence
    assert held.since.astimezone().strftime("%H:%M") in refused.value.sentence
    assert ("refused", "Bo", refused.value.sentence) in trail(desk)


def test_two_channels_of_a_precinct_can_be_keyed_at_once(desk: Desk) -> None:
    claim(desk, "A-1", PHONE, "Anna")
    assert claim(desk, "A-1", PAPER, "Bo").channel is PAPER


def test_claiming_again_gives_the_draft_as_it_was_left(desk: Desk) -> None:
    first = claim(desk, "A-1", PHONE, "Anna")
    save_draft(desk, first.id, {"attendance": "215", "caller.name": "Ada Fitch"})
    again = claim(desk, "A-1", PHONE, " anna ")
    assert again.id == first.id
    assert again.fields == {"attendance": "215", "caller.name": "Ada Fitch"}


def test_a_merged_precinct_takes_no_report(desk: Desk) -> None:
    with pytest.raises(Refused, match="merged into another precinct"):
        claim(desk, "A-3", PHONE, "Anna")


def test_an_unknown_precinct_and_a_nameless_clerk_are_refused(desk: Desk) -> None:
    with pytest.raises(Refused, match="no precinct Z-9"):
        claim(desk, "Z-9", PHONE, "Anna")
    with pytest.raises(Refused):
        claim(desk, "A-1", PHONE, "   ")


def test_a_draft_survives_the_program(desk: Desk) -> None:
    draft = claim(desk, "A-1", PHONE, "Anna")
    save_draft(desk, draft.id, {"attendance": "215", "Warren.first": "39"})
    desk.close()
    with open_desk(desk.location) as later:
        (found,) = drafts(later, "ANNA")
        assert found.fields == {"attendance": "215", "Warren.first": "39"}
        assert drafts(later, "Bo") == ()


def test_an_older_window_does_not_save_over_a_newer_text(desk: Desk) -> None:
    draft = claim(desk, "A-1", PHONE, "Anna")
    save_draft(desk, draft.id, {"attendance": "215"}, by="Anna", seen=draft.updated)
    with pytest.raises(Refused, match="Another window saved this sheet"):
        save_draft(desk, draft.id, {"attendance": "21"}, by="Anna", seen=draft.updated)
    assert drafts(desk, "Anna")[0].fields == {"attendance": "215"}


def test_discarding_frees_the_claim_and_is_remembered(desk: Desk) -> None:
    draft = claim(desk, "A-1", PHONE, "Anna")
    save_draft(desk, draft.id, {"attendance": "1"})
    with pytest.raises(Refused):
        discard(desk, draft.id, "Bo")
    discard(desk, draft.id, "Anna")
    assert claim(desk, "A-1", PHONE, "Bo").by == "Bo"
    assert any(action == "draft discarded" for action, _, _ in trail(desk))
    with pytest.raises(Refused, match="no longer there"):
        save_draft(desk, draft.id, {"attendance": "1"})


def test_a_draft_changes_hands_only_after_ten_minutes(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    draft = claim(desk, "A-1", PHONE, "Anna")
    save_draft(desk, draft.id, {"attendance": "215"})
    with pytest.raises(Refused, match="still keying"):
        take_over(desk, draft.id, "Bo")
    monkeypatch.setattr(entry, "IDLE", timedelta(0))
    taken = take_over(desk, draft.id, "Bo")
    assert (taken.by, taken.fields) == ("Bo", {"attendance": "215"})
    with pytest.raises(Refused, match="Bo has taken this draft over"):
        save_draft(desk, draft.id, {"attendance": "2"}, by="Anna")
    assert any(action == "draft taken over" for action, _, _ in trail(desk))


# ---- submitting ----


def test_two_people_and_two_sources_that_agree_verify_a_precinct(desk: Desk, good_sheet: ResultSheet) -> None:
    phone = key(desk, good_sheet, PHONE, "Anna")
    assert (phone.state, phone.verified, len(phone.receipt)) == (State.SINGLE, False, 5)
    paper = key(desk, good_sheet, PAPER, "Bo")
    assert (paper.state, paper.verified, paper.receipt) == (State.MATCHED, True, phone.receipt)
    result = desk.overview().results["A-1"]
    assert result.verified
    assert result.reported == {"Biden": 1, "Buttigieg": 2, "Sanders": 2, "Warren": 1}


def test_a_draft_can_be_submitted_only_once(desk: Desk, good_sheet: ResultSheet) -> None:
    draft = claim(desk, "A-1", PHONE, "Anna")
    submit(desk, draft.id, good_sheet, "Anna", reasons={})
    for _ in range(2):
        with pytest.raises(Refused, match="no longer there"):
            submit(desk, draft.id, good_sheet, "Anna", reasons={})
    assert reports_of(desk) == 1


def test_the_caller_stays_with_the_report(desk: Desk, good_sheet: ResultSheet) -> None:
    draft = claim(desk, "A-1", PHONE, "Anna")
    save_draft(
        desk,
        draft.id,
        {
            "caller.name": "Ada",
            "caller.number": "515-555-0101",
            "caller.check": "pin passed",
            "attendance": "100",
        },
    )
    submit(desk, draft.id, good_sheet, "Anna", reasons={})
    with desk.store.read() as unit:
        (stored,) = unit.history("A-1")
    assert (stored.caller.name, stored.caller.number, stored.caller.check) == (
        "Ada",
        "515-555-0101",
        "pin passed",
    )


@pytest.mark.parametrize("name", ["Anna", " anna", "ÁNNA", "ANNA"])
def test_the_second_report_of_a_precinct_needs_another_person(
    desk: Desk, good_sheet: ResultSheet, name: str
) -> None:
    key(desk, good_sheet, PHONE, "Anna")
    with pytest.raises(Refused, match="must be keyed by another person"):
        claim(desk, "A-1", PAPER, name)
    assert any(action == "refused" for action, _, _ in trail(desk))


def test_it_is_refused_at_submit_too(desk: Desk, good_sheet: ResultSheet) -> None:
    paper = claim(desk, "A-1", PAPER, "Anna")
    with desk.store.write() as unit:  # as a file that is loaded meanwhile
        unit.add_report(NewReport("A-1", PHONE, good_sheet, "anna"))
    with pytest.raises(Barred, match="must be keyed by another person"):
        submit(desk, paper.id, good_sheet, "Anna", reasons={})
    assert reports_of(desk) == 1


def test_one_may_key_ones_own_channel_again_as_a_correction(desk: Desk, good_sheet: ResultSheet) -> None:
    first = key(desk, changed(good_sheet, "Warren", first=21), PHONE, "Anna")
    second = key(desk, good_sheet, PHONE, "Anna")
    assert second.superseded == first.report_id
    assert reports_of(desk) == 2
    assert desk.overview().results["A-1"].reports[PHONE].id == second.report_id


def test_what_differs_is_named_and_the_other_figures_are_not(desk: Desk, good_sheet: ResultSheet) -> None:
    key(desk, good_sheet, PHONE, "Anna")
    slipped = replace(changed(good_sheet, "Warren", first=27, final=27), attendance=105)
    draft = claim(desk, "A-1", PAPER, "Bo")
    with pytest.raises(DoesNotMatch) as differs:
        submit(desk, draft.id, slipped, "Bo", reasons={"C20": "as written"})
    assert differs.value.fields == ("attendance", "Warren.first", "Warren.final")
    assert "Warren first and Warren final" in differs.value.sentence
    assert not any(letter.isdigit() for letter in differs.value.sentence)
    assert reports_of(desk) == 1
    assert drafts(desk, "Bo")
    assert [row for row in trail(desk) if row[0] == "does not match"] == [
        ("does not match", "Bo", differs.value.sentence)
    ]


def test_both_the_mismatch_and_the_error_can_be_marked(desk: Desk, good_sheet: ResultSheet) -> None:
    key(desk, good_sheet, PHONE, "Anna")
    draft = claim(desk, "A-1", PAPER, "Bo")
    with pytest.raises(DoesNotMatch) as differs:
        submit(desk, draft.id, changed(good_sheet, "Sanders", delegates=3), "Bo", reasons={})
    assert differs.value.fields == ("Sanders.delegates",)
    assert "C14" in {finding.id for finding in differs.value.findings}


def test_a_confirmed_difference_is_the_reviewers(desk: Desk, good_sheet: ResultSheet) -> None:
    key(desk, good_sheet, PHONE, "Anna")
    done = key(desk, changed(good_sheet, "Biden", first=13), PAPER, "Bo", confirmed=True)
    assert done.state is State.MISMATCHED
    (mismatch,) = desk.overview().mismatches()
    assert (mismatch.field, dict(mismatch.values)) == ("Biden.first", {PHONE: 14, PAPER: 13})


def test_a_blank_group_matches_zeros(desk: Desk, good_sheet: ResultSheet) -> None:
    key(desk, good_sheet, PHONE, "Anna")
    zeros = replace(good_sheet, groups=(*good_sheet.groups, GroupCounts("Steyer", 0, 0, 0)))
    assert key(desk, zeros, PAPER, "Bo").state is State.MATCHED


def test_an_error_needs_a_reason_and_then_counts_as_answered(desk: Desk, good_sheet: ResultSheet) -> None:
    wrong = changed(good_sheet, "Buttigieg", delegates=3)
    draft = claim(desk, "A-1", PHONE, "Anna")
    for reasons in ({}, {"C14": " "}):
        with pytest.raises(NeedsReason) as needs:
            submit(desk, draft.id, wrong, "Anna", reasons=reasons)
        assert [finding.id for finding in needs.value.findings] == ["C14"]
    assert reports_of(desk) == 0
    submit(desk, draft.id, wrong, "Anna", reasons={"C14": "the chair insists"}, caller=CHECKED)
    assert key(desk, wrong, PAPER, "Bo", reasons={"C14": "so it is written"}).verified
    (given, _) = desk.overview().results["A-1"].acknowledgements
    assert (given.finding, given.reason, given.by, given.at_desk) == (
        "C14",
        "the chair insists",
        "Anna",
        True,
    )


def test_a_warning_passes_and_one_key_records_it(desk: Desk, good_sheet: ResultSheet) -> None:
    late = changed(changed(good_sheet, "Yang", first=2), "Biden", first=14)
    found = {finding.id for finding in entry.check(desk, "A-1", late).findings}
    assert "C03" in found
    key(desk, late, PHONE, "Anna", reasons={"C03": ""})
    (given,) = desk.overview().results["A-1"].acknowledgements
    assert (given.finding, given.reason) == ("C03", "")


def test_attendance_must_be_typed(desk: Desk, good_sheet: ResultSheet) -> None:
    draft = claim(desk, "A-1", PHONE, "Anna")
    with pytest.raises(EmptyBoxes) as empty:
        submit(desk, draft.id, replace(good_sheet, attendance=None), "Anna", reasons={})
    assert empty.value.fields == ("attendance",)
    assert empty.value.sentence.startswith("Attendance is empty")
    assert reports_of(desk) == 0


def test_empty_boxes_are_named(desk: Desk, good_sheet: ResultSheet) -> None:
    draft = claim(desk, "A-1", PHONE, "Anna")
    with pytest.raises(EmptyBoxes, match="no group has a count"):
        submit(desk, draft.id, ResultSheet(100, ()), "Anna", reasons={})
    rows = tuple(replace(row, delegates=None) for row in good_sheet.groups)
    with pytest.raises(EmptyBoxes) as empty:
        submit(desk, draft.id, replace(good_sheet, groups=rows), "Anna", reasons={})
    assert "Warren.delegates" in empty.value.fields
    with pytest.raises(NeedsReason) as needs:
        submit(desk, draft.id, changed(good_sheet, "Warren", first=None), "Anna", reasons={})
    blank = next(finding for finding in needs.value.findings if finding.id == "C46")
    assert blank.fields == ("Warren.first",)


def test_nobody_came_is_a_result(desk: Desk) -> None:
    rows = tuple(GroupCounts(key, 0, 0, 0) for key in desk.rules.keys)
    done = key(desk, ResultSheet(0, rows), PHONE, "Anna")
    assert done.state is State.SINGLE
    assert desk.overview().coverage().reporting == 1


# ---- a precinct that was verified meanwhile ----


def test_a_sheet_for_a_precinct_verified_meanwhile_says_by_whom_and_when(
    desk: Desk, good_sheet: ResultSheet
) -> None:
    waiting = claim(desk, "A-1", APP, "Cy")
    key(desk, good_sheet, PHONE, "Anna")
    key(desk, good_sheet, PAPER, "Bo")
    with pytest.raises(AlreadyVerified) as refused:
        submit(desk, waiting.id, changed(good_sheet, "Biden", first=13), "Cy", reasons={}, confirmed=True)
    assert "was verified at" in refused.value.sentence
    assert "Anna (phone) and Bo (paper)" in refused.value.sentence
    assert reports_of(desk) == 2
    assert drafts(desk, "Cy"), "what was typed is kept"
    done = submit(
        desk,
        waiting.id,
        changed(good_sheet, "Biden", first=13),
        "Cy",
        reasons={},
        confirmed=True,
        correcting="the chair rang again",
    )
    assert done.state is State.MISMATCHED
    assert any("the chair rang again" in sentence for _, _, sentence in trail(desk))
    assert "C50" in {entry.finding.id for entry in desk.overview().findings_of("A-1")}


# ---- the live check ----


def test_the_live_check_needs_no_store(desk: Desk, good_sheet: ResultSheet) -> None:
    desk.close()
    seen = entry.check(desk, "A-1", good_sheet)
    assert (seen.threshold, seen.delegates_to_elect, seen.basis.count) == (15, 6, 100)
    assert seen.viable_first == {"Buttigieg", "Sanders", "Warren"}
    assert seen.viable_final == {"Biden", "Buttigieg", "Sanders", "Warren"}
    assert {group: count for group, count in seen.computed.items() if count} == {
        "Biden": 1,
        "Buttigieg": 2,
        "Sanders": 2,
        "Warren": 1,
    }
    assert (seen.first_total, seen.final_total, seen.delegates_total) == (100, 100, 6)
    assert seen.tie is None


def test_a_half_typed_sheet_is_checked_too(desk: Desk) -> None:
    assert entry.check(desk, "A-1", ResultSheet(None, ())).threshold is None
    begun = entry.check(desk, "A-1", ResultSheet(215, (GroupCounts("Warren", 39),)))
    assert (begun.threshold, begun.viable_first, begun.final_total) == (33, {"Warren"}, None)


def test_a_toss_that_the_sheet_settles_is_open_no_more(desk: Desk) -> None:
    people = {"Biden": 100, "Sanders": 50, "Warren": 50}

    def sheet(**awards: int) -> ResultSheet:
        rows = tuple(GroupCounts(key, count, count, awards.get(key)) for key, count in people.items())
        return ResultSheet(200, rows)

    before = entry.check(desk, "A-1", sheet())
    assert before.tie is not None
    assert before.tie.groups == ("Sanders", "Warren")
    after = entry.check(desk, "A-1", sheet(Biden=3, Sanders=2, Warren=1))
    assert after.tie is None
    assert after.computed == {"Biden": 3, "Sanders": 2, "Warren": 1}


# ---- two windows, two clerks, two clocks ----


def test_an_older_window_does_not_submit_over_a_newer_text(desk: Desk, good_sheet: ResultSheet) -> None:
    draft = claim(desk, "A-1", PHONE, "Anna")
    at = save_draft(desk, draft.id, {"attendance": "215"}, "Anna", draft.updated)
    with pytest.raises(StaleWindow, match="Another window saved this sheet"):
        submit(desk, draft.id, good_sheet, "Anna", reasons={}, seen=draft.updated)
    assert drafts(desk, "Anna")[0].fields == {"attendance": "215"}
    assert reports_of(desk) == 0
    submit(desk, draft.id, good_sheet, "Anna", reasons={}, seen=at)


def test_a_clock_set_back_hides_no_newer_text_and_leaves_no_draft_idle(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    draft = claim(desk, "A-1", PHONE, "Anna")
    at = save_draft(desk, draft.id, {"attendance": "1"}, "Anna", draft.updated)
    real = work.utc_now
    monkeypatch.setattr(work, "utc_now", lambda: real() - timedelta(hours=1))
    with pytest.raises(Refused, match="still keying"):
        take_over(desk, draft.id, "Bo")
    save_draft(desk, draft.id, {"attendance": "2"}, "Anna", at)
    with pytest.raises(StaleWindow):
        save_draft(desk, draft.id, {"attendance": "3"}, "Anna", at)
    assert drafts(desk, "Anna")[0].fields == {"attendance": "2"}


def test_the_caller_is_who_the_screen_shows(desk: Desk, good_sheet: ResultSheet) -> None:
    draft = claim(desk, "A-1", PHONE, "Anna")
    save_draft(desk, draft.id, {"caller.name": "Old"})
    with pytest.raises(Refused, match="caller's name has 81 letters; it may have 80"):
        submit(desk, draft.id, good_sheet, "Anna", reasons={}, caller=Caller("J" * 81))
    caller = Caller(" Jane\n Doe\x1b", "515 555\u200b 0142", "pin passed")
    submit(desk, draft.id, good_sheet, "Anna", reasons={}, caller=caller)
    with desk.store.read() as unit:
        (stored,) = unit.history("A-1")
    assert stored.caller == Caller("Jane Doe", "515 555 0142", "pin passed")


def test_a_report_of_the_channel_that_came_in_meanwhile_is_told(desk: Desk, good_sheet: ResultSheet) -> None:
    draft = claim(desk, "A-1", PAPER, "Cy")
    with desk.store.write() as unit:
        zed = unit.add_report(NewReport("A-1", PAPER, changed(good_sheet, "Biden", first=13), "Zed"))
    with pytest.raises(KeyedMeanwhile, match="Zed keyed the paper sheet of North Ward") as meanwhile:
        submit(desk, draft.id, good_sheet, "Cy", reasons={})
    assert (meanwhile.value.report_id, meanwhile.value.by) == (zed.id, "Zed")
    assert reports_of(desk) == 1
    done = submit(desk, draft.id, good_sheet, "Cy", reasons={}, replacing=zed.id)
    assert (done.superseded, done.superseded_by, done.superseded_at) == (zed.id, "Zed", zed.at)


def test_another_persons_report_is_superseded_with_a_reason_only(desk: Desk, good_sheet: ResultSheet) -> None:
    """A chair who calls again with new numbers, also before the precinct is verified (issue 3, 8)."""
    key(desk, changed(good_sheet, "Biden", first=13), PAPER, "Zed")
    draft = claim(desk, "A-1", PAPER, "Cy")
    assert "Zed keyed the paper report" in draft.note
    assert draft.note.endswith("needs a reason.")
    with pytest.raises(NeedsCorrection, match="Zed keyed the paper report"):
        submit(desk, draft.id, good_sheet, "Cy", reasons={})
    done = submit(desk, draft.id, good_sheet, "Cy", reasons={}, correcting="the chair brought a new sheet")
    (told,) = corrections(desk)
    assert (told.reason, told.was_verified) == ("the chair brought a new sheet", False)
    assert (done.superseded is not None, done.superseded_by) == (True, "")


def test_only_the_fields_that_were_shown_are_confirmed(desk: Desk, good_sheet: ResultSheet) -> None:
    key(desk, good_sheet, PHONE, "Anna")
    draft = claim(desk, "A-1", PAPER, "Bo")
    mine = changed(good_sheet, "Warren", first=21)
    with pytest.raises(DoesNotMatch) as first:
        submit(desk, draft.id, mine, "Bo", reasons={})
    with desk.store.write() as unit:
        unit.add_report(NewReport("A-1", PHONE, changed(good_sheet, "Sanders", first=25), "Anna"))
    with pytest.raises(DoesNotMatch) as second:
        submit(desk, draft.id, mine, "Bo", reasons={}, confirmed=first.value.fields)
    assert second.value.fields == ("Sanders.first", "Warren.first")
    with pytest.raises(DoesNotMatch):
        submit(desk, draft.id, mine, "Bo", reasons={}, confirmed=())
    assert (
        submit(desk, draft.id, mine, "Bo", reasons={}, confirmed=second.value.fields).state
        is State.MISMATCHED
    )


# ---- texts, and what the trail says ----


def test_reasons_are_one_line_of_bounded_length(desk: Desk, good_sheet: ResultSheet) -> None:
    wrong = changed(good_sheet, "Buttigieg", delegates=3)
    draft = claim(desk, "A-1", PHONE, "Anna")
    with pytest.raises(Refused, match="This reason has 501 letters; it may have 500"):
        submit(desk, draft.id, wrong, "Anna", reasons={"C14": "x" * 501})
    forged = "ok\n    9  2026-11-30  Bo  ruled\x1b[8m\u202e"
    submit(desk, draft.id, wrong, "Anna", reasons={"C14": forged})
    assert not any("\n" in line or "\x1b" in line or "\u202e" in line for _, _, line in trail(desk))
    (given,) = desk.overview().results["A-1"].acknowledgements
    assert given.reason == "ok 9 2026-11-30 Bo ruled [8m"


def test_beginning_is_in_the_trail_and_leaving_an_untouched_sheet_is_not(desk: Desk) -> None:
    draft = claim(desk, "A-1", PHONE, "Anna")
    claim(desk, "A-1", PHONE, "Anna")
    discard(desk, draft.id, "Anna")
    actions = [action for action, _, _ in trail(desk)]
    assert actions.count("draft begun") == 1
    assert "draft discarded" not in actions


def test_a_verified_precinct_is_said_to_be_so_when_it_is_opened(desk: Desk, good_sheet: ResultSheet) -> None:
    assert claim(desk, "A-1", APP, "Dee").note == ""
    key(desk, good_sheet, PHONE, "Anna")
    key(desk, good_sheet, PAPER, "Bo")
    note = claim(desk, "A-1", APP, "Dee").note
    assert note.startswith("North Ward, Alpha was verified at ")
    assert note.endswith("by Anna (phone) and Bo (paper). Another report is a correction and needs a reason.")
