"""Sending a case back: to a clerk who keys some fields again, to the call-back list, to the paper chase."""

import re
from dataclasses import replace
from datetime import timedelta

import pytest

from caucus_desk.desk.cases import claim_case, queue
from caucus_desk.desk.entry import (
    Barred,
    Caller,
    DoesNotMatch,
    EmptyBoxes,
    check,
    claim,
    discard,
    save_draft,
    submit,
    take_over,
)
from caucus_desk.desk.errands import ErrandKind, end_errand, errands, send_back
from caucus_desk.desk.integrity import check_store
from caucus_desk.desk.looking import look
from caucus_desk.desk.review import case, rule
from caucus_desk.desk.session import Desk
from caucus_desk.rules.errors import Refused
from caucus_desk.store.records import DraftRecord
from caucus_desk.store.units import WriteUnit
from caucus_desk.tally.report import Channel
from caucus_desk.tally.sheet import ResultSheet
from caucus_desk.tally.state import State

PHONE, PAPER, APP = Channel.PHONE, Channel.PAPER, Channel.APP
CHECKED = Caller(check="pin passed")
SO = dict.fromkeys(("C01", "C02", "C03", "C06"), "so it says")


def key(desk: Desk, sheet: ResultSheet, channel: Channel, by: str, precinct_id: str = "A-1") -> int:
    draft = claim(desk, precinct_id, channel, by)
    reasons = {finding.id: "asked twice" for finding in check(desk, precinct_id, sheet).findings}
    return submit(desk, draft.id, sheet, by, reasons=reasons, confirmed=True, caller=CHECKED).report_id


def biden(sheet: ResultSheet, first: int | None) -> ResultSheet:
    rows = tuple(replace(row, first=first) if row.group == "Biden" else row for row in sheet.groups)
    return replace(sheet, groups=rows)


@pytest.fixture
def differing(desk: Desk, good_sheet: ResultSheet) -> Desk:
    """Anna hears 14 for Biden, Bo reads 41 in the first round."""
    key(desk, good_sheet, PHONE, "Anna")
    key(desk, biden(good_sheet, 41), PAPER, "Bo")
    return desk


def sent(desk: Desk, note: str = "") -> None:
    send_back(desk, "A-1", "rekey", channel=PAPER, note=note, by="Cy")


def without_clock(text: str) -> str:
    return re.sub(r"\d\d:\d\d(:\d\d)?", "", text)


def again(desk: Desk, by: str = "Dot") -> DraftRecord:
    return claim(desk, "A-1", PAPER, by)


# ---- what the clerk gets ----


def test_only_what_differs_is_keyed_again_and_it_is_blank(differing: Desk) -> None:
    sent(differing, "the pen slipped there")
    draft = again(differing)
    assert "Biden.first" not in draft.fields
    assert (draft.fields["Warren.final"], draft.fields["attendance"]) == ("22", "100")
    assert draft.errand_id is not None
    assert draft.note.startswith("Cy sent this paper sheet back at ")
    assert draft.note.endswith(
        ": “the pen slipped there”. Key again: Biden first. The other boxes are as they were keyed."
    )
    said = without_clock(draft.note)
    assert "14" not in said, "what the phone report says is not told"
    assert "41" not in said


def test_it_cannot_be_finished_unfilled(differing: Desk, good_sheet: ResultSheet) -> None:
    sent(differing)
    draft = again(differing)
    with pytest.raises(EmptyBoxes, match="Biden first is asked for again") as refusal:
        submit(differing, draft.id, biden(good_sheet, None), "Dot", reasons={}, confirmed=True)
    assert refusal.value.fields == ("Biden.first",)
    assert errands(differing)


def test_keyed_again_it_takes_the_old_report_s_place_and_ends_the_errand(
    differing: Desk, good_sheet: ResultSheet
) -> None:
    sent(differing, "the pen slipped there")
    done = submit(differing, again(differing).id, good_sheet, "Dot", reasons={})
    assert (done.state, done.verified, done.superseded) == (State.MATCHED, True, 2)
    assert not errands(differing)
    (errand,) = errands(differing, open_only=False)
    assert errand.ended is not None
    assert (errand.ended.by, errand.ended.outcome) == ("Dot", "keyed again: other figures")
    with differing.store.read() as unit:
        (correction,) = unit.correction_records()
        typists = unit.typists(["A-1"])[done.report_id]
    assert correction.reason == "sent back by Cy: the pen slipped there"
    assert "Bo" in typists, "who keyed the rest of the sheet has typed in it"
    assert all(line.ok for line in check_store(differing))


def test_whoever_keyed_it_may_key_it_again_and_the_same_figures_confirm_it(
    differing: Desk, good_sheet: ResultSheet
) -> None:
    sent(differing)
    done = submit(
        differing,
        again(differing, "Bo").id,
        biden(good_sheet, 41),
        "Bo",
        reasons=SO,
        confirmed=True,
    )
    assert done.state is State.MISMATCHED
    (errand,) = errands(differing, open_only=False)
    assert errand.ended is not None
    assert errand.ended.outcome == "keyed again: the same figures"


def test_who_keyed_another_channel_cannot_take_it(differing: Desk) -> None:
    sent(differing)
    with pytest.raises(Barred, match="Anna keyed the phone report"):
        again(differing, "anna")
    with pytest.raises(Barred, match="Cy sent North Ward, Alpha back"):
        again(differing, "Cy")


def test_whoever_has_looked_cannot_take_it(differing: Desk) -> None:
    look(differing, "A-1", "Dot")
    sent(differing)
    with pytest.raises(Barred, match="Dot has looked at the figures"):
        again(differing)


def test_who_keyed_the_rest_cannot_key_the_other_channel(differing: Desk, good_sheet: ResultSheet) -> None:
    """The rest of the sheet that Dot keyed again is Bo's: Bo must not stand on both sides."""
    sent(differing)
    submit(differing, again(differing).id, biden(good_sheet, 15), "Dot", reasons=SO, confirmed=True)
    with pytest.raises(Barred, match="Bo had a hand in the paper report"):
        claim(differing, "A-1", APP, "Bo")


def test_the_draft_opened_again_is_as_it_was_left(differing: Desk) -> None:
    sent(differing)
    draft = again(differing)
    save_draft(differing, draft.id, {"Biden.first": "1"}, by="Dot")
    same = again(differing)
    assert same.fields["Biden.first"] == "1"
    assert same.note == draft.note


def test_discarded_it_can_be_begun_once_more(differing: Desk) -> None:
    sent(differing)
    discard(differing, again(differing).id, "Dot")
    assert errands(differing)
    assert "Biden.first" not in again(differing, "Eve").fields


def test_taken_over_it_still_answers_the_errand(differing: Desk, good_sheet: ResultSheet) -> None:
    sent(differing)
    draft = again(differing)
    with differing.store.write() as unit:
        unit.set_clock(unit.now - timedelta(minutes=11))
        unit.save_draft_fields(draft.id, {"Biden.first": "1"})
    taken = take_over(differing, draft.id, "Eve")
    assert taken.errand_id == draft.errand_id
    with pytest.raises(EmptyBoxes):
        submit(differing, draft.id, biden(good_sheet, None), "Eve", reasons={})


def test_other_channels_and_precincts_are_keyed_as_ever(differing: Desk) -> None:
    sent(differing)
    assert claim(differing, "A-1", APP, "Dot").fields == {}
    assert claim(differing, "A-2", PAPER, "Dot").errand_id is None


# ---- what a reviewer may send ----


def test_the_note_must_not_tell_the_other_number(differing: Desk) -> None:
    with pytest.raises(Refused, match="The note tells 14, which the phone report says in Biden first"):
        sent(differing, "is it 14?")
    sent(differing, "you keyed 41, page 2")


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"by": "Anna"}, "Anna keyed the phone report"),
        ({"by": "BO"}, "Bo keyed the paper report"),
        ({"channel": None}, "Say which sheet"),
        ({"channel": APP}, "no app report"),
        ({"fields": ["Nobody.first"]}, "Nobody.first is no field"),
        ({"kind": "burn"}, "'burn' is no errand. There are: rekey, call back, fetch"),
        ({"note": "x" * 501}, "This note has 501 letters"),
    ],
)
def test_what_cannot_be_sent_back(differing: Desk, changes: dict[str, object], sentence: str) -> None:
    asked: dict[str, object] = {"kind": "rekey", "channel": PAPER, "by": "Cy", **changes}
    kind = asked.pop("kind")
    with pytest.raises(Refused, match=sentence):
        send_back(differing, "A-1", kind, **asked)  # type: ignore[arg-type]
    assert not errands(differing)


def test_fields_may_be_named(differing: Desk) -> None:
    errand = send_back(
        differing, "A-1", ErrandKind.REKEY, channel=PAPER, fields=["Biden.first", "attendance"], by="Cy"
    )
    assert errand.fields == ("attendance", "Biden.first")
    assert "attendance" not in again(differing).fields


def test_once_is_enough(differing: Desk) -> None:
    sent(differing)
    with pytest.raises(Refused, match="Cy sent North Ward, Alpha back to a clerk at"):
        sent(differing)
    send_back(differing, "A-1", "rekey", channel=PHONE, by="Cy")
    send_back(differing, "A-1", "call back", note="ask for Biden", by="Cy")
    send_back(differing, "A-1", "fetch", by="Cy")
    assert [(one.kind, one.channel) for one in errands(differing)] == [
        ("rekey", PAPER),
        ("rekey", PHONE),
        ("call back", None),
        ("fetch", None),
    ]
    assert [one.note for one in errands(differing, kind="call back")] == ["ask for Biden"]


def test_a_sheet_that_is_being_keyed_is_waited_for(differing: Desk) -> None:
    claim(differing, "A-1", PAPER, "Dot")
    with pytest.raises(Refused, match="Dot has the paper sheet of North Ward, Alpha open since"):
        sent(differing)


def test_a_case_of_another_reviewer_is_left_alone(differing: Desk) -> None:
    claim_case(differing, "A-1", "Di")
    with pytest.raises(Refused, match="Di has the case of North Ward, Alpha open since"):
        sent(differing)


def test_nothing_is_sent_back_of_what_is_decided_or_awaited(differing: Desk, good_sheet: ResultSheet) -> None:
    with pytest.raises(Refused, match="has no report yet"):
        send_back(differing, "A-2", "fetch", by="Cy")
    with pytest.raises(Refused, match="A-3"):
        send_back(differing, "A-3", "fetch", by="Cy")
    rule(differing, "A-1", {"Biden.first": 14}, seen_report=2, reason="the photo", by="Cy")
    with pytest.raises(Refused, match="Cy ruled on North Ward, Alpha at"):
        sent(differing)


# ---- how an errand ends ----


def test_an_errand_falls_when_the_precinct_is_ruled_on(differing: Desk, good_sheet: ResultSheet) -> None:
    sent(differing)
    send_back(differing, "A-1", "call back", by="Cy")
    draft = again(differing)
    rule(differing, "A-1", {"Biden.first": 14}, seen_report=2, reason="the photo", by="Di")
    assert not errands(differing)
    ends = [one.ended for one in errands(differing, open_only=False)]
    assert [(end.by, end.outcome) for end in ends if end] == [("Di", "fell: the precinct is ruled on")] * 2
    with pytest.raises(Barred, match="no longer needed: the errand ended at") as refusal:
        submit(differing, draft.id, good_sheet, "Dot", reasons={}, confirmed=True)
    assert refusal.value.draft is not None
    discard(differing, draft.id, "Dot")


def test_an_errand_falls_when_the_precinct_is_verified(differing: Desk, good_sheet: ResultSheet) -> None:
    send_back(differing, "A-1", "fetch", by="Cy")
    sent(differing)
    submit(differing, again(differing).id, good_sheet, "Dot", reasons={})
    outcomes = {one.kind: one.ended.outcome for one in errands(differing, open_only=False) if one.ended}
    assert outcomes == {
        "fetch": "fell: the precinct is verified",
        "rekey": "keyed again: other figures",
    }
    assert all(line.ok for line in check_store(differing))


def test_an_errand_is_ended_once(differing: Desk) -> None:
    errand = send_back(differing, "A-1", "fetch", by="Cy")
    with pytest.raises(Refused, match="Say how"):
        end_errand(differing, errand.id, outcome=" ", by="Ray")
    ended = end_errand(differing, errand.id, outcome="Ray brought it", by="Ray")
    assert ended.ended is not None
    with pytest.raises(Refused, match="by Ray: Ray brought it"):
        end_errand(differing, errand.id, outcome="again", by="Ray")
    with pytest.raises(Refused, match="no errand 9999"):
        end_errand(differing, 9999, outcome="why", by="Ray")


def test_the_case_and_the_queue_tell_of_it(differing: Desk) -> None:
    sent(differing)
    assert [one.kind for one in case(differing, "A-1").errands] == ["rekey"]
    (item,) = queue(differing, differing.overview())
    assert item.what == "differs in Biden first; sent back to a clerk for paper by Cy"
    assert [one.channel for one in item.errands] == [PAPER]


def test_nothing_is_left_of_an_errand_that_was_not_saved(
    differing: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(unit: WriteUnit, precinct_id: str) -> None:
        raise OSError("the disk is gone")

    monkeypatch.setattr(WriteUnit, "drop_case_claim", fail)
    claim_case(differing, "A-1", "Cy")
    with pytest.raises(Exception, match="disk"):
        sent(differing)
    assert not errands(differing)
    assert all(line.ok for line in check_store(differing))


# ---- asking without limit ----


def tried(desk: Desk, draft_id: int, sheet: ResultSheet) -> tuple[str, ...] | None:
    """The fields that a refusal names; None where the sheet was taken."""
    try:
        submit(desk, draft_id, sheet, "Dot", reasons=SO)
    except DoesNotMatch as refusal:
        return refusal.fields
    return None


def test_nobody_counts_up_to_the_other_number(desk: Desk, good_sheet: ResultSheet) -> None:
    key(desk, good_sheet, PHONE, "Anna")
    draft = claim(desk, "A-1", PAPER, "Dot")
    for first in (10, 11, 11, 12):
        assert tried(desk, draft.id, biden(good_sheet, first)) == ("Biden.first",)
    with pytest.raises(
        DoesNotMatch, match=r"^It still does not match. Submit what the paper says; a reviewer"
    ) as told:
        submit(desk, draft.id, biden(good_sheet, 13), "Dot", reasons={})
    assert told.value.fields == ()
    assert "14" not in without_clock(told.value.sentence)
    assert tried(desk, draft.id, biden(good_sheet, 15)) is None, "taken as it is, matching or not"
    assert desk.overview().results["A-1"].standing.state is State.MISMATCHED


def test_the_limit_is_each_persons_own(desk: Desk, good_sheet: ResultSheet) -> None:
    key(desk, good_sheet, PHONE, "Anna")
    draft = claim(desk, "A-1", PAPER, "Dot")
    for first in (10, 11, 12):
        tried(desk, draft.id, biden(good_sheet, first))
    discard(desk, draft.id, "Dot")
    other = claim(desk, "A-1", PAPER, "Eve")
    with pytest.raises(DoesNotMatch, match="Does not match in: Biden first"):
        submit(desk, other.id, biden(good_sheet, 13), "Eve", reasons={})
    discard(desk, other.id, "Eve")
    draft = claim(desk, "A-1", PAPER, "DOT")
    assert tried(desk, draft.id, biden(good_sheet, 13)) == (), "a new draft gives no new tries"


@pytest.mark.parametrize(
    ("kind", "note"), [("call back", "the paper says 41"), ("fetch", "the caller said 14"), ("fetch", "14?")]
)
def test_no_note_tells_whoever_keys_next_what_the_other_says(differing: Desk, kind: str, note: str) -> None:
    with pytest.raises(Refused, match="The note tells"):
        send_back(differing, "A-1", kind, note=note, by="Cy")
    send_back(differing, "A-1", kind, note="ask for Biden again, ring 515 555 0142", by="Cy")


def test_a_note_tells_no_thousands_either(desk: Desk, good_sheet: ResultSheet) -> None:
    key(desk, good_sheet, PHONE, "Anna")
    key(desk, replace(good_sheet, attendance=1100), PAPER, "Bo")
    for note in ("1,100 came", "1 100 came", "1100 came"):
        with pytest.raises(Refused, match="The note tells 1,100"):
            send_back(desk, "A-1", "rekey", channel=PHONE, note=note, by="Cy")
