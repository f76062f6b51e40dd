"""Calls are records; a caller who proves nothing leaves a report that verifies nothing until a call back."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from caucus_desk.desk import calls
from caucus_desk.desk.callbacks import Why
from caucus_desk.desk.calls import (
    CallEnd,
    Caller,
    Checked,
    CheckKind,
    Outcome,
    call_backs,
    call_of_report,
    check_caller,
    confirm_report,
    end_call,
    end_call_back,
    fits_receipt,
    leave_for_anybody,
    record_call,
)
from caucus_desk.desk.entry import (
    Barred,
    Submitted,
    claim,
    drafts,
    open_drafts,
    save_draft,
    submit,
    to_key_again,
)
from caucus_desk.desk.errands import errands, send_back
from caucus_desk.desk.integrity import check_store
from caucus_desk.desk.session import Desk
from caucus_desk.desk.settings import CALLER_CHECK, change_setting
from caucus_desk.rules.errors import Refused
from caucus_desk.store.schema import metadata
from caucus_desk.tally.report import Channel
from caucus_desk.tally.sheet import ResultSheet
from caucus_desk.tally.state import State
from tests.tampering import administrator

PHONE, PAPER = Channel.PHONE, Channel.PAPER
RANG = datetime(2020, 2, 4, 2, 1, tzinfo=UTC)


def key(
    desk: Desk, sheet: ResultSheet, channel: Channel, by: str, precinct_id: str = "A-1", check: str = ""
) -> Submitted:
    draft = claim(desk, precinct_id, channel, by)
    return submit(
        desk, draft.id, sheet, by, reasons=_reasons(), confirmed=True, caller=Caller("Ada", "", check)
    )


def everything(desk: Desk) -> str:
    """Every text that the store holds, of a file all of its bytes."""
    if desk.store.is_shared:
        with administrator(desk) as connection:
            return "".join(
                str(connection.execute(f"SELECT string_agg(t::text, ' ') FROM {table} t".encode()).fetchone())
                for table in metadata.tables
            )
    with open(desk.location, "rb") as file:
        held = file.read()
    try:
        with open(desk.location + "-wal", "rb") as file:
            held += file.read()
    except FileNotFoundError:
        pass
    return held.decode("latin-1")


# ---- the check ----


@pytest.mark.parametrize(
    ("precinct_id", "said", "number", "kind", "outcome"),
    [
        ("A-1", "123456", "", CheckKind.PIN, Outcome.PASSED),
        ("A-1", " 123 456 ", "515-555-0999", CheckKind.PIN, Outcome.PASSED),
        ("A-1", "123457", "515-555-0101", CheckKind.PIN, Outcome.FAILED),
        ("A-1", "", "(515) 555 0101", CheckKind.NUMBER, Outcome.PASSED),
        ("A-1", "", "+1 515 555 0101", CheckKind.NUMBER, Outcome.PASSED),
        ("A-1", "", "515-555-0999", CheckKind.CALL_BACK, Outcome.NOT_ASKED),
        ("A-2", "123456", "515-555-0102", CheckKind.NUMBER, Outcome.PASSED),
        ("A-2", "123456", "515-555-0999", CheckKind.NUMBER, Outcome.FAILED),
        ("A-2", "", "", CheckKind.CALL_BACK, Outcome.NOT_ASKED),
        ("77-T01", "123456", "515-555-0999", CheckKind.NONE, Outcome.NOT_ASKED),
    ],
)
def test_a_caller_is_checked_by_pin_or_by_the_number_on_file(
    desk: Desk, precinct_id: str, said: str, number: str, kind: CheckKind, outcome: Outcome
) -> None:
    result = check_caller(desk, precinct_id, said, number, "Anna")
    assert (result.kind, result.outcome) == (kind, outcome)


def test_each_failed_check_is_in_the_trail_and_never_what_was_said(desk: Desk) -> None:
    for _ in range(2):
        check_caller(desk, "A-1", "777888", "", "Anna")
    check_caller(desk, "A-1", "123456", "", "Anna")
    with desk.store.read() as unit:
        told = [event.sentence for event in unit.audit_trail("A-1") if event.action == "caller refused"]
    assert told == ["A caller for North Ward, Alpha failed the check of the PIN; Anna was on the line"] * 2
    assert "777888" not in everything(desk)
    assert "123456" not in everything(desk)


def test_what_is_typed_as_a_check_is_not_kept(desk: Desk, good_sheet: ResultSheet) -> None:
    draft = claim(desk, "A-1", PHONE, "Anna")
    done = submit(
        desk, draft.id, good_sheet, "Anna", reasons={}, caller=Caller("Ada", "515-555-0101", "123456")
    )
    with desk.store.read() as unit:
        (stored,) = unit.history("A-1")
    assert stored.caller.check == "number passed", "the number on file proves the caller"
    assert done.confirmed
    assert "123456" not in everything(desk)


def test_a_number_proves_only_itself(desk: Desk, good_sheet: ResultSheet) -> None:
    draft = claim(desk, "A-2", PHONE, "Anna")
    caller = Caller("Ben", "515-555-0999", "number passed")
    done = submit(desk, draft.id, good_sheet, "Anna", reasons=_reasons(), caller=caller)
    assert not done.confirmed


def _reasons() -> dict[str, str]:
    return {f"C{number:02}": "read twice" for number in range(1, 54)}


# ---- reports ----


def test_a_report_has_its_call(desk: Desk, good_sheet: ResultSheet) -> None:
    draft = claim(desk, "A-1", PHONE, "Anna")
    save_draft(desk, draft.id, {"call.started": RANG.isoformat(), "caller.name": "Ada"})
    done = submit(desk, draft.id, good_sheet, "Anna", reasons={}, caller=Caller("Ada", "1", "pin passed"))
    call = call_of_report(desk, done.report_id)
    assert call is not None
    assert (call.at, call.ended_at, call.by) == (RANG, done.at, "Anna")
    assert (call.precinct_id, call.report_id, call.ended) == ("A-1", done.report_id, CallEnd.RESULTS)
    assert (call.caller_name, call.caller_number) == ("Ada", "1")
    assert (call.check_kind, call.outcome) == (CheckKind.PIN, Outcome.PASSED)
    assert calls.calls(desk) == (call,)
    paper = key(desk, good_sheet, PAPER, "Bo")
    assert paper.verified
    assert call_of_report(desk, paper.report_id) is None
    assert len(calls.calls(desk)) == 1


@pytest.mark.parametrize("check", ["pin failed", "number failed", "call back not asked", ""])
def test_an_unproved_report_verifies_nothing_until_somebody_calls_back(
    desk: Desk, good_sheet: ResultSheet, check: str
) -> None:
    phone = key(desk, good_sheet, PHONE, "Anna", check=check)
    assert not phone.confirmed
    assert not key(desk, good_sheet, PAPER, "Bo").verified
    assert desk.overview().results["A-1"].standing.state is State.SINGLE
    assert not desk.overview().results["A-1"].reports[PHONE].confirmed
    (back,) = call_backs(desk)
    assert (back.why, back.precinct_id, back.report_id) == (Why.UNCONFIRMED, "A-1", phone.report_id)
    confirm_report(desk, phone.report_id, by="Cy", how="the code fits")
    result = desk.overview().results["A-1"]
    assert (result.standing.state, result.verified) == (State.MATCHED, True)
    assert call_backs(desk) == ()
    with pytest.raises(Refused, match="confirmed already"):
        confirm_report(desk, phone.report_id, by="Cy", how="again")
    assert all(line.ok for line in check_store(desk))


def test_where_nothing_can_be_asked_a_report_counts_at_once(desk: Desk, good_sheet: ResultSheet) -> None:
    draft = claim(desk, "77-T01", PHONE, "Anna")
    done = submit(desk, draft.id, good_sheet, "Anna", reasons=_reasons(), caller=Caller("Pat", "5"))
    assert done.confirmed


def test_where_the_caucus_asks_for_no_check_nothing_is_unconfirmed(
    desk: Desk, good_sheet: ResultSheet
) -> None:
    change_setting(desk, CALLER_CHECK, "none", by="lead")
    assert key(desk, good_sheet, PHONE, "Anna").confirmed
    assert not key(desk, good_sheet, PHONE, "Anna", check="pin failed").confirmed, "it was asked and failed"


def test_a_proved_report_in_its_place_ends_the_wait(desk: Desk, good_sheet: ResultSheet) -> None:
    key(desk, good_sheet, PHONE, "Anna", check="pin failed")
    assert len(call_backs(desk)) == 1
    key(desk, good_sheet, PHONE, "Anna", check="call back passed")
    assert call_backs(desk) == ()
    assert key(desk, good_sheet, PAPER, "Bo").verified


def test_an_unproved_report_takes_a_verified_precinct_back(desk: Desk, good_sheet: ResultSheet) -> None:
    key(desk, good_sheet, PHONE, "Anna", check="pin passed")
    assert key(desk, good_sheet, PAPER, "Bo").verified
    draft = claim(desk, "A-1", PHONE, "Anna")
    caller = Caller("Somebody", "", "pin failed")
    submit(desk, draft.id, good_sheet, "Anna", reasons={}, correcting="the chair called again", caller=caller)
    assert not desk.overview().results["A-1"].verified


# ---- calls without results ----


def test_a_call_without_a_precinct_is_kept(desk: Desk) -> None:
    made = record_call(desk, by="Anna", ended=CallEnd.NUISANCE, at=RANG, notes="sang a song")
    assert (made.precinct_id, made.ended, made.notes, made.at) == (
        None,
        CallEnd.NUISANCE,
        "sang a song",
        RANG,
    )
    assert calls.calls(desk) == (made,)
    assert all(line.ok for line in check_store(desk))


def test_what_is_written_down_of_a_caller_is_tidy(desk: Desk) -> None:
    who = Caller("Ada\0 B\ud800\n", " 515\t555 ")
    made = record_call(desk, by="Anna", ended=CallEnd.QUESTION, at=RANG, caller=who, notes="a\ud800b")
    assert (made.caller_name, made.caller_number, made.notes) == ("Ada B", "515 555", "a b")
    with pytest.raises(Refused, match="call-back number has 3,000 letters"):
        record_call(desk, by="Anna", ended=CallEnd.QUESTION, at=RANG, caller=Caller("Ada", "5" * 3000))
    draft = claim(desk, "A-1", PHONE, "Anna")
    save_draft(desk, draft.id, {"caller.name": "A\ud800d\0a", "Warren.first": "3\udfff9"}, by="Anna")
    (kept,) = drafts(desk, "Anna")
    assert kept.fields == {"caller.name": "Ada", "Warren.first": "39"}


def test_calls_are_listed_newest_first_and_by_page(desk: Desk) -> None:
    made = [
        record_call(desk, by="Anna", ended=CallEnd.QUESTION, at=RANG, precinct_id=where)
        for where in ("A-1", None, "A-1", "A-2")
    ]
    assert calls.calls(desk) == tuple(reversed(made))
    assert calls.calls(desk, limit=2, before=made[3].seq) == (made[2], made[1])
    assert calls.calls(desk, precinct_id="A-1") == (made[2], made[0])


def test_a_nuisance_call_takes_its_counts_with_it(desk: Desk) -> None:
    draft = claim(desk, "A-1", PHONE, "Anna")
    save_draft(
        desk, draft.id, {"attendance": "999", "caller.name": "Nobody", "call.started": RANG.isoformat()}
    )
    made = end_call(desk, draft.id, "Anna", ended=CallEnd.NUISANCE)
    assert (made.precinct_id, made.caller_name, made.at) == ("A-1", "Nobody", RANG)
    assert drafts(desk, "Anna") == () == open_drafts(desk)
    with desk.store.read() as unit:
        assert any("a nuisance call" in event.sentence for event in unit.audit_trail("A-1"))


def test_another_end_leaves_the_counts_for_anybody(desk: Desk) -> None:
    draft = claim(desk, "A-1", PHONE, "Anna")
    save_draft(desk, draft.id, {"attendance": "100"})
    end_call(desk, draft.id, "Anna", ended=CallEnd.CALL_BACK, notes="the chair counts again")
    (left,) = open_drafts(desk)
    assert (left.by, left.fields) == ("Anna", {"attendance": "100"})
    (back,) = call_backs(desk)
    assert (back.why, back.what) == (Why.ASKED, "the chair counts again")


def test_a_cut_off_sheet_is_taken_up_at_once_by_anybody(desk: Desk, good_sheet: ResultSheet) -> None:
    draft = claim(desk, "A-1", PHONE, "Anna")
    save_draft(desk, draft.id, {"attendance": "100", "caller.name": "Ada", "caller.check": "pin passed"})
    made = leave_for_anybody(desk, draft.id, "Anna")
    assert made is not None
    assert (made.ended, made.outcome) == (CallEnd.CUT_OFF, Outcome.PASSED)
    assert drafts(desk, "Anna") == ()
    taken = claim(desk, "A-1", PHONE, "Bo")
    assert (taken.id, taken.by, taken.free) == (draft.id, "Bo", False)
    assert taken.fields == {"attendance": "100", "caller.name": "Ada"}, "the next caller is checked anew"
    assert open_drafts(desk) == ()
    assert drafts(desk, "Bo") == (taken,)


def test_who_left_it_takes_it_up_again(desk: Desk) -> None:
    draft = claim(desk, "A-1", PHONE, "Anna")
    save_draft(desk, draft.id, {"attendance": "100"})
    leave_for_anybody(desk, draft.id, "Anna")
    assert claim(desk, "A-1", PHONE, "Anna").free is False
    assert len(drafts(desk, "Anna")) == 1


def test_whoever_keyed_the_paper_does_not_take_up_the_phones_sheet(
    desk: Desk, good_sheet: ResultSheet
) -> None:
    draft = claim(desk, "A-1", PHONE, "Anna")
    save_draft(desk, draft.id, {"attendance": "100"})
    leave_for_anybody(desk, draft.id, "Anna")
    key(desk, good_sheet, PAPER, "Bo")
    with pytest.raises(Barred, match="must be keyed by another person"):
        claim(desk, "A-1", PHONE, "Bo")
    with pytest.raises(Barred, match="lies there for anybody"):
        claim(desk, "A-1", PAPER, "Anna")


def test_only_who_holds_a_sheet_ends_its_call(desk: Desk) -> None:
    draft = claim(desk, "A-1", PHONE, "Anna")
    for end in (leave_for_anybody, lambda *rest: end_call(*rest, ended=CallEnd.NUISANCE)):
        with pytest.raises(Refused, match="Anna has taken this draft over"):
            end(desk, draft.id, "Bo")
    assert calls.calls(desk) == ()


def test_a_call_back_needs_a_precinct(desk: Desk) -> None:
    with pytest.raises(Refused, match="Find the precinct first"):
        record_call(desk, by="Anna", ended=CallEnd.CALL_BACK, at=RANG)


# ---- call-backs ----


def test_the_oldest_is_called_back_first_and_tries_are_counted(desk: Desk, good_sheet: ResultSheet) -> None:
    key(desk, good_sheet, PHONE, "Anna", check="pin failed")
    record_call(desk, by="Anna", ended=CallEnd.CALL_BACK, at=RANG, precinct_id="A-2")
    first, second = call_backs(desk)
    assert (first.precinct_id, second.precinct_id) == ("A-1", "A-2")
    end_call_back(desk, first, by="Bo", ended=CallEnd.NOT_REACHED, notes="no answer")
    end_call_back(desk, first, by="Bo", ended=CallEnd.WRONG_NUMBER)
    again = call_backs(desk)[0]
    assert [call.ended for call in again.tried] == [CallEnd.NOT_REACHED, CallEnd.WRONG_NUMBER]
    end_call_back(desk, second, by="Bo", ended=CallEnd.CONFIRMED)
    assert call_backs(desk) == (again,)


def test_the_receipt_code_confirms_a_report(desk: Desk, good_sheet: ResultSheet) -> None:
    done = key(desk, good_sheet, PHONE, "Anna", check="pin failed")
    spelled = " ".join(done.receipt).lower()
    assert fits_receipt(desk, done.report_id, spelled)
    assert not fits_receipt(desk, done.report_id, "AAAAA")
    (back,) = call_backs(desk)
    with pytest.raises(Refused, match="Say how it was confirmed"):
        end_call_back(desk, back, by="Bo", ended=CallEnd.CONFIRMED)
    made = end_call_back(desk, back, by="Bo", ended=CallEnd.CONFIRMED, notes="the code fits")
    assert (made.ended, made.about, made.caller_number) == (CallEnd.CONFIRMED, back.about, "515-555-0101")
    assert desk.overview().results["A-1"].reports[PHONE].confirmed


def test_two_who_call_back_at_once_confirm_once(desk: Desk, good_sheet: ResultSheet) -> None:
    key(desk, good_sheet, PHONE, "Anna", check="pin failed")
    (back,) = call_backs(desk)
    end_call_back(desk, back, by="Bo", ended=CallEnd.CONFIRMED, notes="the code fits")
    with pytest.raises(Refused, match="confirmed already"):
        end_call_back(desk, back, by="Cy", ended=CallEnd.CONFIRMED, notes="the code fits")
    assert len(calls.calls(desk)) == 2


def test_results_that_come_later_answer_who_asked_for_a_call(desk: Desk, good_sheet: ResultSheet) -> None:
    record_call(desk, by="Anna", ended=CallEnd.CALL_BACK, at=RANG, precinct_id="A-1")
    assert len(call_backs(desk)) == 1
    key(desk, good_sheet, PHONE, "Bo", check="pin passed")
    assert call_backs(desk) == ()


def test_old_texts_say_of_no_check(desk: Desk) -> None:
    assert Checked.of("1234") == Checked()
    assert Checked.of("PIN") == Checked()
    for kind in (CheckKind.PIN, CheckKind.NUMBER, CheckKind.CALL_BACK):
        for outcome in Outcome:
            assert Checked.of(Checked(kind, outcome).words) == Checked(kind, outcome)


def test_a_call_that_began_before_the_clock_was_set_is_kept(desk: Desk) -> None:
    later = datetime.now(UTC) + timedelta(hours=2)
    made = record_call(desk, by="Anna", ended=CallEnd.QUESTION, at=later)
    assert made.at == later


# ---- a chair calls again, and what review sends back ----


def test_a_chair_who_calls_again_corrects_openly(desk: Desk, good_sheet: ResultSheet) -> None:
    first = key(desk, good_sheet, PHONE, "Anna", check="pin passed")
    assert key(desk, good_sheet, PAPER, "Bo").verified
    moved = tuple(replace(row, first=15) if row.group == "Biden" else row for row in good_sheet.groups)
    draft = claim(desk, "A-1", PHONE, "Anna")
    submit(
        desk,
        draft.id,
        replace(good_sheet, groups=moved),
        "Anna",
        reasons=_reasons(),
        confirmed=True,
        correcting="the chair counted again",
        caller=Caller("Ada", "", "pin passed"),
    )
    with desk.store.read() as unit:
        (told,) = unit.correction_records()
        assert [stored.report.id for stored in unit.history("A-1")] == [1, 2, 3], "all stay"
    assert (told.replaces, told.reason, told.was_verified) == (
        first.report_id,
        "the chair counted again",
        True,
    )
    assert desk.overview().results["A-1"].standing.state is State.MISMATCHED
    assert [call.ended for call in calls.calls(desk)] == [CallEnd.RESULTS, CallEnd.RESULTS]


def test_what_review_sends_back_is_called_or_keyed_again(desk: Desk, good_sheet: ResultSheet) -> None:
    moved = tuple(replace(row, first=15) if row.group == "Biden" else row for row in good_sheet.groups)
    key(desk, replace(good_sheet, groups=moved), PHONE, "Anna", check="pin passed")
    key(desk, good_sheet, PAPER, "Bo")
    send_back(desk, "A-1", "call back", note="ask for Biden", by="Rae")
    (back,) = call_backs(desk)
    assert (back.why, back.what, back.by) == (Why.ERRAND, "ask for Biden", "Rae")
    end_call_back(desk, back, by="Cy", ended=CallEnd.CONFIRMED, notes="the chair reads it again")
    assert call_backs(desk) == ()
    assert errands(desk) == ()

    send_back(desk, "A-1", "rekey", channel=PHONE, by="Rae")
    assert [one.precinct_id for one in to_key_again(desk, "Anna")] == ["A-1"]
    assert to_key_again(desk, "Bo") == (), "who keyed the paper does not key the phone's sheet"
    draft = claim(desk, "A-1", PHONE, "Anna")
    assert to_key_again(desk, "Anna") == ()
    assert draft.fields.get("Biden.first") is None
    done = submit(desk, draft.id, good_sheet, "Anna", reasons={})
    assert done.confirmed, "no other call came: it is as confirmed as the report it replaces"
    assert done.verified
    call = call_of_report(desk, done.report_id)
    assert call is not None
    assert call.report_id == 1
    assert all(line.ok for line in check_store(desk))


def test_a_call_back_that_was_settled_meanwhile_is_refused(desk: Desk, good_sheet: ResultSheet) -> None:
    record_call(desk, by="Ann", ended=CallEnd.CALL_BACK, at=datetime.now(UTC), precinct_id="A-2")
    (asked,) = call_backs(desk)
    end_call_back(desk, asked, by="Bo", ended=CallEnd.CONFIRMED)
    for ended in (CallEnd.CONFIRMED, CallEnd.NOT_REACHED):
        with pytest.raises(Refused, match="Nobody waits for a call back"):
            end_call_back(desk, asked, by="Cy", ended=ended)
    key(desk, good_sheet, PHONE, "Anna", check="call back not asked")
    (first,) = call_backs(desk)
    key(desk, good_sheet, PHONE, "Anna", check="call back not asked")
    with pytest.raises(Refused, match="A newer phone report of North Ward"):
        end_call_back(desk, first, by="Bo", ended=CallEnd.CONFIRMED, notes="the code fits")
    (second,) = call_backs(desk)
    with pytest.raises(Refused, match="in a few words"):
        end_call_back(desk, second, by="Bo", ended=CallEnd.CONFIRMED, notes="12")
    end_call_back(desk, second, by="Bo", ended=CallEnd.CONFIRMED, notes="the code fits")
    assert call_backs(desk) == ()


@pytest.mark.parametrize("ended", [CallEnd.RESULTS, CallEnd.CONFIRMED])
def test_no_call_is_written_down_for_results_that_it_did_not_bring(desk: Desk, ended: CallEnd) -> None:
    with pytest.raises(Refused, match="does not end"):
        record_call(desk, by="Ann", ended=ended, at=datetime.now(UTC), precinct_id="A-1")
    assert calls.calls(desk) == ()
