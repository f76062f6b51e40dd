"""Recanvasses: opened with a reason, keyed by fresh eyes, compared with what was released, never counted by
themselves."""

from datetime import UTC, datetime, timedelta
from fractions import Fraction
from pathlib import Path

import pytest

from caucus_desk.desk.entry import claim, submit
from caucus_desk.desk.guards import EmptyBoxes
from caucus_desk.desk.integrity import check_store
from caucus_desk.desk.loading import load_results
from caucus_desk.desk.recanvass import (
    NeedsNote,
    RecanvassKind,
    cautions,
    deadline_of,
    end_recanvass,
    key_again,
    load_again,
    of_county,
    open_recanvass,
    recanvass,
    recanvasses,
    ten_that_matter,
    who_may_not,
)
from caucus_desk.desk.recanvassing import account, accounts_of_release, take_as_correction
from caucus_desk.desk.releases import compare, reasons
from caucus_desk.desk.releasing import gate, make_release
from caucus_desk.desk.review import case, rule
from caucus_desk.desk.session import Desk
from caucus_desk.desk.two_people import Barred
from caucus_desk.rules.errors import Refused
from caucus_desk.tally.recanvass import CARDS, CARDS_MISSING, Progress, Recanvass
from caucus_desk.tally.report import Channel
from caucus_desk.tally.results import Counting
from caucus_desk.tally.sheet import GroupCounts, ResultSheet
from caucus_desk.tally.state import State
from tests.tampering import tamper

RESULTS = """precinct_id,candidate,first_alignment,final_alignment,county_delegates,attendance
A-1,Biden,14,16,1,100
A-1,Buttigieg,36,38,2,
A-1,Sanders,24,24,2,
A-1,Warren,22,22,1,
A-1,Yang,4,0,0,
A-2,Biden,30,30,3,50
A-2,Sanders,20,20,2,
77-T01,Sanders,12,12,1,12
"""
DUE = datetime(2031, 2, 10, 18, 0, tzinfo=UTC)
ASKED = {"requested_by": "Sanders campaign", "reason": "the totals look wrong", "deadline": DUE, "by": "Lea"}


def right(**changed: tuple[int, int, int]) -> ResultSheet:
    rows = {
        "Biden": (14, 16, 1), "Buttigieg": (36, 38, 2), "Sanders": (24, 24, 2), "Warren": (22, 22, 1),
        "Yang": (4, 0, 0), **changed,
    }  # fmt: skip
    return ResultSheet(100, tuple(GroupCounts(group, *counts) for group, counts in rows.items()))


OTHER = right(Buttigieg=(36, 36, 2), Sanders=(24, 26, 2))
"""The paper says that two went to Sanders."""


@pytest.fixture
def counted(desk: Desk, tmp_path: Path) -> Desk:
    """Three precincts verified by phone (Pia) and paper (Pat)."""
    file = tmp_path / "results.csv"
    file.write_text(RESULTS, encoding="utf-8")
    load_results(desk, file, channel=Channel.PHONE, by="Pia")
    load_results(desk, file, channel=Channel.PAPER, by="Pat")
    return desk


def released(desk: Desk) -> int:
    held = {item.id: "known and looked at" for item in gate(desk, Counting.REPORTED).held}
    return make_release(desk, Counting.REPORTED, passes=held, by="Lea").number


def opened(desk: Desk, *ids: str, kind: RecanvassKind = RecanvassKind.RECANVASS) -> Recanvass:
    return open_recanvass(desk, kind, ids or ("A-1",), **ASKED)  # type: ignore[arg-type]


def test_it_is_opened_on_the_newest_release(counted: Desk) -> None:
    released(counted)
    one = opened(counted, "A-1", "A-2")
    assert (one.name, one.release, one.ids) == ("Recanvass 1", 1, ("A-1", "A-2"))
    assert (one.requested_by, one.deadline, one.left) == ("Sanders campaign", DUE, ("A-1", "A-2"))
    assert recanvasses(counted) == (one,)
    assert "asked for by Sanders campaign" in last_told(counted)


def last_told(desk: Desk) -> str:
    with desk.store.read() as unit:
        return unit.audit_trail(limit=1)[0].sentence


@pytest.mark.parametrize(
    ("ids", "changed", "said"),
    [
        ((), {}, "Choose the precincts"),
        (("A-1",), {"requested_by": " "}, "which campaign"),
        (("A-1",), {"reason": "7"}, "in a few words"),
        (("A-3",), {}, "was merged"),
        (("77-DM42",), {}, "Nothing is in of"),
        (("nowhere",), {}, "no precinct nowhere"),
    ],
)
def test_what_is_no_request_is_refused(
    counted: Desk, ids: tuple[str, ...], changed: dict[str, str], said: str
) -> None:
    with pytest.raises(Refused, match=said):
        open_recanvass(counted, RecanvassKind.RECANVASS, ids, **{**ASKED, **changed})  # type: ignore[arg-type]
    assert recanvasses(counted) == ()


def test_no_precinct_is_in_two_open_ones_of_a_kind(counted: Desk) -> None:
    opened(counted, "A-1")
    with pytest.raises(Refused, match="in recanvass 1 already"):
        opened(counted, "A-2", "A-1")
    opened(counted, "A-1", kind=RecanvassKind.RECOUNT)
    end_recanvass(counted, 1, outcome="the worksheet was not to be had", by="Lea")
    assert opened(counted, "A-1").number == 3


def test_a_county_and_the_ten_that_matter(counted: Desk) -> None:
    assert of_county(counted, "alpha") == ("A-1", "A-2")
    with pytest.raises(Refused, match="no county Zeta"):
        of_county(counted, "Zeta")
    assert set(ten_that_matter(counted)) == {"A-1", "A-2", "77-T01"}
    assert ten_that_matter(counted)[0] in ("A-1", "A-2")


@pytest.mark.parametrize("name", ["Pia", " pat "])
def test_who_keyed_a_report_does_not_key_it_again(counted: Desk, name: str) -> None:
    opened(counted)
    with pytest.raises(Barred, match="keyed neither report"):
        key_again(counted, 1, "A-1", OTHER, by=name)
    assert set(who_may_not(counted, 1, name)) == {"A-1"}
    assert recanvass(counted, 1).sheets == ()


def test_who_ruled_does_not_key_it_again(counted: Desk) -> None:
    draft = claim(counted, "A-1", Channel.PAPER, "Kim")
    submit(counted, draft.id, OTHER, "Kim", reasons={}, confirmed=True, correcting="read it once more")
    one = case(counted, "A-1")
    choices = {path: one.reports[Channel.PAPER].sheet.count(path) for path in one.differing}
    rule(counted, "A-1", choices, seen_report=one.seen_report, reason="the paper is plain", by="Rita")
    opened(counted)
    for name in ("Rita", "Kim", "Pat"):  # Pat's report was superseded; it is no less known to Pat
        with pytest.raises(Barred):
            key_again(counted, 1, "A-1", OTHER, by=name)
    assert who_may_not(counted, 1, "Fay") == {}


def test_what_is_keyed_again_changes_no_tally(counted: Desk) -> None:
    before = counted.overview().tally().rows[0]
    opened(counted)
    key_again(
        counted, 1, "A-1", right(Warren=(22, 22, 0), Sanders=(24, 24, 3)), by="Fay", note="as it stands"
    )
    assert counted.overview().tally().rows[0] == before
    assert counted.overview().results["A-1"].verified


def test_differences_are_listed_with_their_effect(counted: Desk) -> None:
    released(counted)
    opened(counted, "A-1", "A-2")
    key_again(
        counted, 1, "A-1", right(Warren=(22, 22, 0), Sanders=(24, 24, 3)), by="Fay", note="so it stands there"
    )
    found = account(counted, 1)
    (one,) = found.comparing.differences
    assert [(change.field, change.before, change.after) for change in one.fields] == [
        ("Sanders.delegates", 2, 3),
        ("Warren.delegates", 1, 0),
    ]
    assert one.delegates == {"Sanders": (2, 3), "Warren": (1, 0)}
    worth = Fraction(4, 11)
    assert one.sdes == {"Sanders": worth, "Warren": -worth}
    assert not one.by_the_rules
    assert one.computed["Warren"] == 1
    moves = {move.group: move.sde for move in found.comparing.together.groups if move.sde}
    assert moves == {"Sanders": worth, "Warren": -worth}
    assert found.recanvass.left == ("A-2",)


def test_the_same_figures_are_no_difference(counted: Desk) -> None:
    released(counted)
    opened(counted, "A-1")
    key_again(counted, 1, "A-1", right(), by="Fay")
    found = account(counted, 1).comparing
    assert found.differing == ()
    assert len(found.differences) == 1
    with pytest.raises(Refused, match="says the same already"):
        take_as_correction(counted, 1, "A-1", reason="to be sure of it", by="Rita")


def test_it_is_compared_with_the_release_whatever_came_since(counted: Desk) -> None:
    released(counted)
    opened(counted, "A-1")
    key_again(counted, 1, "A-1", OTHER, by="Fay")
    draft = claim(counted, "A-1", Channel.PAPER, "Kim")
    submit(counted, draft.id, OTHER, "Kim", reasons={}, confirmed=True, correcting="read it once more")
    (one,) = account(counted, 1).comparing.differing
    assert {change.field for change in one.fields} == {"Buttigieg.final", "Sanders.final"}


def test_without_a_release_it_is_compared_with_what_stood_at_its_opening(counted: Desk) -> None:
    one = opened(counted, "A-1")
    assert one.release is None
    assert any("no release yet" in said for said in cautions(one, ()))
    key_again(counted, 1, "A-1", OTHER, by="Fay")
    take_as_correction(counted, 1, "A-1", reason="the paper is plain", by="Rita")
    (difference,) = account(counted, 1).comparing.differing
    assert difference.before.row("Sanders").final == 24


def test_a_difference_is_taken_openly_and_review_decides(counted: Desk) -> None:
    number = released(counted)
    opened(counted, "A-1")
    key_again(counted, 1, "A-1", OTHER, by="Fay")
    done = take_as_correction(counted, 1, "A-1", reason="the paper is plain", by="Rita")
    result = counted.overview().results["A-1"]
    assert result.standing.state is State.MISMATCHED
    assert result.reports[Channel.PAPER].by == "Rita"
    assert result.reports[Channel.PAPER].sheet.row("Sanders").final == 26
    with counted.store.read() as unit:
        assert unit.typists(["A-1"])[done.report_id] == ("Fay",)
    assert account(counted, 1).taken["A-1"].reason == (
        "Recanvass 1, asked for by Sanders campaign: the paper is plain"
    )
    moved = compare(counted, number)
    assert "Recanvass 1, asked for by Sanders campaign" in reasons(counted, moved, number)["A-1"]
    with pytest.raises(Refused, match="already"):
        take_as_correction(counted, 1, "A-1", reason="once more, please", by="Ron")


@pytest.mark.parametrize(
    ("by", "said"), [("Fay", "Fay keyed .* again"), ("Pia", "Pia keyed the phone report")]
)
def test_nobody_takes_what_they_keyed(counted: Desk, by: str, said: str) -> None:
    opened(counted)
    key_again(counted, 1, "A-1", OTHER, by="Fay")
    with pytest.raises(Refused, match=said):
        take_as_correction(counted, 1, "A-1", reason="the paper is plain", by=by)


def test_nothing_is_taken_that_was_not_keyed(counted: Desk) -> None:
    opened(counted)
    with pytest.raises(Refused, match="nothing to take"):
        take_as_correction(counted, 1, "A-1", reason="the paper is plain", by="Rita")


def test_blank_is_not_zero_and_a_strange_sheet_needs_a_note(counted: Desk) -> None:
    opened(counted)
    with pytest.raises(EmptyBoxes):
        key_again(counted, 1, "A-1", ResultSheet(None, OTHER.groups), by="Fay")
    wrong = right(Warren=(22, 22, 5))
    with pytest.raises(NeedsNote) as refusal:
        key_again(counted, 1, "A-1", wrong, by="Fay")
    assert refusal.value.remarks
    key_again(counted, 1, "A-1", wrong, by="Fay", note="the 5 is written so")
    assert recanvass(counted, 1).standing()["A-1"].note == "the 5 is written so"


def test_keyed_once_more_it_needs_a_note_and_another_person(counted: Desk) -> None:
    opened(counted)
    key_again(counted, 1, "A-1", OTHER, by="Fay")
    with pytest.raises(Barred, match="Fay keyed"):
        key_again(counted, 1, "A-1", right(), by="Fay", note="read it wrongly")
    with pytest.raises(NeedsNote, match="Fay keyed"):
        key_again(counted, 1, "A-1", right(), by="Gus")
    key_again(counted, 1, "A-1", right(), by="Gus", note="the observers asked")
    assert len(recanvass(counted, 1).sheets) == 2
    assert account(counted, 1).comparing.differing == ()


def test_a_precinct_that_was_not_chosen_is_refused(counted: Desk) -> None:
    opened(counted, "A-1")
    with pytest.raises(Refused, match="not in recanvass 1"):
        key_again(counted, 1, "A-2", right(), by="Fay", note="as it stands")
    with pytest.raises(Refused, match="no recanvass 2"):
        key_again(counted, 2, "A-1", right(), by="Fay")


def cards(missing: int | None = None, total: int = 98, **changed: tuple[int | None, int, int]) -> ResultSheet:
    rows = {
        "Biden": (None, 16, 1), "Buttigieg": (None, 36, 2), "Sanders": (None, 24, 2),
        "Warren": (None, 22, 1), **changed,
    }  # fmt: skip
    groups = tuple(GroupCounts(group, *counts) for group, counts in rows.items())
    return ResultSheet(None, groups, ((CARDS, total), (CARDS_MISSING, missing)))


def test_a_recount_counts_cards_on_a_form_of_its_own(counted: Desk) -> None:
    released(counted)
    one = opened(counted, "A-1", kind=RecanvassKind.RECOUNT)
    assert any("no recanvass before" in said for said in cautions(one, recanvasses(counted)))
    key_again(counted, 1, "A-1", cards(2), by="Fay")
    (difference,) = account(counted, 1).comparing.differing
    assert [change.field for change in difference.fields] == ["Buttigieg.final"]
    assert difference.after.attendance == 100, "cards say nothing of who signed in"
    assert difference.after.row("Yang").final == 0
    assert dict(difference.after.extras).get(CARDS) is None
    take_as_correction(counted, 1, "A-1", reason="the cards are the evidence", by="Rita")
    paper = counted.overview().results["A-1"].reports[Channel.PAPER].sheet
    assert (paper.attendance, paper.row("Buttigieg").final, paper.row("Warren").first) == (100, 36, 22)


def test_a_recount_needs_the_number_of_cards_and_sums_that_can_be(counted: Desk) -> None:
    opened(counted, kind=RecanvassKind.RECOUNT)
    with pytest.raises(EmptyBoxes):
        key_again(counted, 1, "A-1", ResultSheet(None, cards().groups), by="Fay")
    with pytest.raises(NeedsNote, match="add up to 98, but 90 cards"):
        key_again(counted, 1, "A-1", cards(total=90), by="Fay")


def test_who_keyed_the_recanvass_does_not_count_the_cards(counted: Desk) -> None:
    opened(counted)
    key_again(counted, 1, "A-1", OTHER, by="Fay")
    opened(counted, kind=RecanvassKind.RECOUNT)
    with pytest.raises(Barred, match="recanvass 1"):
        key_again(counted, 2, "A-1", cards(), by="Fay")


def test_a_file_comes_in_whole_or_not_at_all(counted: Desk, tmp_path: Path) -> None:
    opened(counted, "A-1", "A-2")
    file = tmp_path / "again.csv"
    file.write_text(RESULTS, encoding="utf-8")
    with pytest.raises(Refused, match="not in recanvass 1"):
        load_again(counted, 1, file, by="Fay")
    assert recanvass(counted, 1).sheets == ()
    file.write_text(RESULTS.replace("77-T01,Sanders,12,12,1,12\n", ""), encoding="utf-8")
    assert len(load_again(counted, 1, file, by="Fay")) == 2
    assert recanvass(counted, 1).left == ()


def test_progress_goes_by_the_deadline(counted: Desk) -> None:
    one = opened(counted)
    assert one.progress(DUE - timedelta(minutes=1)) is Progress.OPEN
    assert one.progress(DUE + timedelta(minutes=1)) is Progress.OVERDUE
    key_again(counted, 1, "A-1", OTHER, by="Fay")
    assert recanvass(counted, 1).progress(DUE) is Progress.KEYED
    ended = end_recanvass(counted, 1, outcome="two people moved", by="Lea")
    assert ended.progress(DUE + timedelta(days=9)) is Progress.ENDED
    assert ended.end is not None
    assert ended.end.outcome == "two people moved"
    for late in (
        lambda: end_recanvass(counted, 1, outcome="once more", by="Lea"),
        lambda: key_again(counted, 1, "A-1", right(), by="Gus", note="too late"),
    ):
        with pytest.raises(Refused, match="ended at"):
            late()


def test_an_end_needs_words(counted: Desk) -> None:
    opened(counted)
    with pytest.raises(Refused, match="how it ended"):
        end_recanvass(counted, 1, outcome="ok", by="Lea")


def test_the_next_release_tells_of_it_and_never_of_what_came_later(counted: Desk) -> None:
    first = released(counted)
    opened(counted, "A-1")
    key_again(counted, 1, "A-1", OTHER, by="Fay")
    take_as_correction(counted, 1, "A-1", reason="the paper is plain", by="Rita")
    open_recanvass(counted, RecanvassKind.RECANVASS, ["A-2"], **ASKED)  # type: ignore[arg-type]
    end_recanvass(counted, 1, outcome="two people moved", by="Lea")
    second = released(counted)
    key_again(counted, 2, "A-2", ResultSheet(50, (GroupCounts("Biden", 50, 50, 5),)), by="Gus")
    end_recanvass(counted, 2, outcome="nothing like the sheet", by="Lea")
    third = released(counted)
    assert accounts_of_release(counted, first) == ()
    told = accounts_of_release(counted, second)
    assert [one.recanvass.name for one in told] == ["Recanvass 1", "Recanvass 2"]
    assert told[0].taken["A-1"].by == "Rita"
    assert told[1].recanvass.end is None
    assert told[1].comparing.differences == ()
    assert [one.recanvass.name for one in accounts_of_release(counted, third)] == ["Recanvass 2"]


def test_the_store_knows_when_a_count_was_altered(counted: Desk) -> None:
    opened(counted)
    key_again(counted, 1, "A-1", OTHER, by="Fay")
    assert all(line.ok for line in check_store(counted))
    tamper(counted, "UPDATE recanvass_report_row SET final = 27 WHERE final = 26")
    assert any("recanvass sheet 1" in line.detail for line in check_store(counted) if not line.ok)


@pytest.mark.parametrize("text", ["", "tomorrow", "2020-13-01", "12:00"])
def test_a_deadline_is_a_time(text: str) -> None:
    with pytest.raises(Refused, match="deadline"):
        deadline_of(text)


def test_a_deadline_is_local_and_a_date_lasts_to_its_end() -> None:
    assert deadline_of("2020-02-10 12:00") == datetime(2020, 2, 10, 12).astimezone(UTC)
    assert deadline_of("2020-02-10") == datetime(2020, 2, 10, 23, 59).astimezone(UTC)
    assert deadline_of("2020-02-10T12:00+00:00") == datetime(2020, 2, 10, 12, tzinfo=UTC)
