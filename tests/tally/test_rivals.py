"""Reports of one channel that were made in several stores stand beside each other."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caucus_desk import paths
from caucus_desk.rules.loading import parse_rule_set
from caucus_desk.tally.assess import assess
from caucus_desk.tally.heads import led
from caucus_desk.tally.hints import find_hints
from caucus_desk.tally.history import Event, Happened, story_of
from caucus_desk.tally.mismatch import mismatches
from caucus_desk.tally.openness import stated_delegates
from caucus_desk.tally.overview import Overview
from caucus_desk.tally.report import CHANNELS, Channel, Report, Ruling
from caucus_desk.tally.results import PrecinctResult
from caucus_desk.tally.roster import Precinct
from caucus_desk.tally.sheet import Column, GroupCounts, ResultSheet
from caucus_desk.tally.state import Standing, State, heads, rivals, standing, standing_reports
from caucus_desk.tally.urgency import at_stake, differ_since

_FILE = paths.resources() / "rules" / "iowa-2020.toml"
RULES = parse_rule_set(_FILE.read_text(encoding="utf-8"), _FILE.name)
PRECINCT = Precinct(
    "P1", "Polk", "One", delegates=5, district="3", county_state_delegates=10, county_total_delegates=50
)
NOON = datetime(2020, 2, 4, 2, 0, tzinfo=UTC)
PHONE, PAPER, APP = Channel.PHONE, Channel.PAPER, Channel.APP
ONE = ResultSheet(61, (GroupCounts("Sanders", 31, 31, 3), GroupCounts("Warren", 30, 30, 2)))
OTHER = ResultSheet(61, (GroupCounts("Sanders", 31, 31, 3), GroupCounts("Warren", 30, 29, 2)))
THIRD = ResultSheet(61, (GroupCounts("Sanders", 31, 31, 2), GroupCounts("Warren", 30, 30, 3)))


def at(minute: int) -> datetime:
    return NOON + timedelta(minutes=minute)


def here(id: int, channel: Channel, sheet: ResultSheet = ONE, by: str = "Ann", minute: int = 0) -> Report:
    return Report(id, "P1", channel, sheet, by, at(minute))


def away(
    id: int,
    channel: Channel,
    sheet: ResultSheet = ONE,
    by: str = "Bob",
    over: Iterable[int] = (),
    minute: int = 0,
) -> Report:
    return Report(id, "P1", channel, sheet, by, at(minute), over=frozenset(over), origin="Polk packet")


def result(*reports: Report, ruling: Ruling | None = None) -> PrecinctResult:
    return assess(RULES, PRECINCT, reports, ruling, ())


def ids(found: dict[Channel, tuple[Report, ...]], channel: Channel) -> list[int]:
    return [report.id for report in found[channel]]


# ---- which reports stand ----


def test_in_one_store_the_newest_of_each_channel_stands_alone() -> None:
    reports = [here(1, PHONE), here(2, PAPER), here(3, PHONE, OTHER), here(4, PHONE)]
    assert heads(reports) == {PHONE: (reports[3],), PAPER: (reports[1],)}
    assert rivals(reports) == ()
    assert list(heads([here(2, PAPER), here(1, PHONE)])) == [PAPER, PHONE]  # as they were always given


def test_a_report_from_elsewhere_stands_beside_what_was_keyed_here() -> None:
    mine, theirs = here(1, PAPER, minute=5), away(2, PAPER, minute=1)
    assert heads([mine, theirs]) == {PAPER: (mine, theirs)}
    assert rivals([theirs, mine]) == (theirs,)
    assert standing_reports([theirs, mine]) == {PAPER: mine}


def test_a_report_keyed_here_afterwards_takes_the_place_of_all_of_its_channel() -> None:
    reports = [here(1, PAPER), away(2, PAPER), away(3, PAPER, by="Cy"), away(4, PHONE), here(5, PAPER)]
    assert ids(heads(reports), PAPER) == [5]
    assert ids(heads(reports), PHONE) == [4]
    # Withdrawn it is as if it had never been: all stand again.
    assert set(ids(heads(reports[:-1]), PAPER)) == {1, 2, 3}


def test_a_correction_made_elsewhere_takes_the_place_of_what_it_names_and_no_other() -> None:
    reports = [away(1, PAPER), here(2, PAPER), away(3, PAPER, over=[1])]
    assert set(ids(heads(reports), PAPER)) == {2, 3} - {1}
    assert ids(heads([away(1, PAPER), here(2, PAPER), away(3, PAPER, over=[1, 2])]), PAPER) == [3]


def test_a_correction_that_comes_in_before_what_it_corrects() -> None:
    assert ids(heads([away(4, PAPER, over=[9]), away(9, PAPER)]), PAPER) == [4]


def test_what_a_withdrawn_correction_had_replaced_stands_again() -> None:
    """The last of three names both before it; the one between is withdrawn and left out."""
    assert ids(heads([away(1, PAPER), away(3, PAPER, over=[1, 2])]), PAPER) == [3]
    assert ids(heads([away(1, PAPER)]), PAPER) == [1]


def test_a_report_names_no_report_of_another_channel() -> None:
    assert set(heads([away(1, PAPER), away(2, PHONE, over=[1])])) == {PHONE, PAPER}


@pytest.mark.parametrize(
    "circle",
    [
        [away(1, PAPER, over=[1])],
        [away(1, PAPER, over=[2]), away(2, PAPER, over=[1])],
        [away(1, PAPER, over=[3]), away(2, PAPER, over=[1]), away(3, PAPER, over=[2])],
    ],
)
def test_reports_that_claim_to_replace_each_other_are_not_lost(circle: list[Report]) -> None:
    assert set(ids(heads(circle), PAPER)) == {report.id for report in circle}
    beside = here(7, PAPER)
    assert ids(heads([*circle, beside]), PAPER) == [7]
    assert set(ids(heads([*circle, away(8, PAPER)]), PAPER)) == {*(r.id for r in circle), 8}


@pytest.mark.parametrize(
    ("lead", "rival"),
    [
        (away(1, PAPER, minute=9, by="Al"), away(2, PAPER, minute=1, by="Zoe")),
        (away(1, PAPER, by="Zoe"), away(2, PAPER, by="Al")),
        (replace(away(1, PAPER), receipt="9"), replace(away(2, PAPER), receipt="1")),
    ],
)
def test_the_one_made_last_leads_whatever_the_numbers(lead: Report, rival: Report) -> None:
    assert heads([lead, rival])[PAPER] == (lead, rival)
    swapped = [replace(lead, id=rival.id), replace(rival, id=lead.id)]
    assert heads(swapped[::-1])[PAPER] == tuple(swapped)


def test_what_was_made_here_leads_whatever_comes_in_later() -> None:
    mine = here(1, PAPER, minute=1)
    theirs = [away(2, PAPER, OTHER, minute=9), away(3, PAPER, THIRD, by="Cy", minute=5)]
    assert heads([*theirs, mine])[PAPER] == (mine, *theirs)
    assert led([*theirs[::-1], mine]) == {PAPER: (mine, *theirs)}
    phone = here(4, PHONE, by="Di")
    before, after = result(mine, phone).standing, result(*theirs, phone, mine).standing
    assert (after.state, after.sheet, after.report) == (State.MISMATCHED, before.sheet, mine)


def test_of_alike_times_people_and_receipts_the_figures_decide() -> None:
    pair = [away(1, PAPER, ONE), away(2, PAPER, OTHER)]
    first = heads(pair)[PAPER][0].sheet
    assert heads([replace(pair[0], id=2), replace(pair[1], id=1)])[PAPER][0].sheet == first


def test_reports_known_to_stand_are_only_put_in_order() -> None:
    """As a release reads them again: nothing is superseded among them."""
    first, second = here(1, PAPER, minute=1), here(2, PAPER, minute=2)
    assert led([first, second]) == {PAPER: (second, first)}


# ---- the state ----


def test_rivals_that_differ_are_a_mismatch_of_one_channel() -> None:
    found = result(here(1, PAPER, minute=2), away(2, PAPER, OTHER))
    assert found.standing.state is State.MISMATCHED
    (mismatch,) = found.mismatches
    assert (mismatch.field, mismatch.values, mismatch.rivals) == ("Warren.final", {PAPER: 30}, ((2, 29),))
    assert mismatch.by_key == {PAPER: 30, 2: 29}
    assert not found.verified


def test_two_alike_of_one_channel_verify_nothing() -> None:
    assert result(here(1, PAPER), away(2, PAPER)).standing.state is State.SINGLE


def test_any_two_reports_of_a_pair_of_channels_by_two_people_verify_where_none_differs() -> None:
    """The leading paper is Ann's, as the phone is; the rival is Bob's."""
    phone, paper, rival = here(1, PHONE), here(2, PAPER, minute=9), away(3, PAPER)
    assert result(phone, paper).standing.state is State.SINGLE
    found = result(phone, paper, rival)
    assert found.standing.state is State.MATCHED
    assert found.standing.report == paper
    assert found.rivals == (rival,)


def test_one_rival_that_differs_unmakes_a_match() -> None:
    pair = (here(1, PHONE, by="Cy"), here(2, PAPER))
    assert result(*pair).verified
    found = result(*pair, away(3, PHONE, OTHER))
    assert found.standing.state is State.MISMATCHED
    assert found.standing.channel is PAPER
    assert [m.by_key for m in found.mismatches] == [{PHONE: 30, PAPER: 30, 3: 29}]


def test_a_rival_that_nobody_called_back_verifies_nothing_itself() -> None:
    rival = replace(away(3, PHONE, by="Cy"), confirmed=False)
    assert result(here(1, PHONE), here(2, PAPER), rival).standing.state is State.SINGLE
    assert result(here(1, PHONE), here(2, PAPER), replace(rival, confirmed=True)).verified


def test_whoever_had_a_hand_in_both_sheets_does_not_verify() -> None:
    phone, paper = here(1, PHONE), away(2, PAPER)
    assert result(phone, paper).verified
    assert not result(phone, replace(paper, typists=("ANN",))).verified
    assert not result(replace(phone, typists=("bob",)), paper).verified
    assert not result(replace(phone, typists=("Di",)), replace(paper, typists=("di",))).verified


def test_what_a_sheet_leaves_out_is_taken_from_a_rival_before_another_channel() -> None:
    bare = replace(ONE, attendance=None)
    sheets = {
        1: replace(bare, second_attendance=None),
        2: replace(bare, second_attendance=7),
        3: replace(bare, second_attendance=8),
    }
    lead, rival = here(1, PAPER, sheets[1], minute=3), away(2, PAPER, sheets[2])
    found = result(lead, rival, here(3, PHONE, sheets[3]))
    assert found.standing.report == lead
    assert found.standing.sheet is not None
    assert found.standing.sheet.second_attendance == 7


def test_a_ruling_holds_only_if_the_rivals_were_seen_too() -> None:
    phone, paper = here(1, PHONE), here(2, PAPER, OTHER, by="Cy", minute=5)
    ruling = Ruling(1, "P1", ONE, 2, "Di", NOON, "the sheet says so")
    assert result(phone, paper, ruling=ruling).standing.state is State.RULED
    found = result(phone, paper, away(3, PAPER, minute=1), ruling=ruling)
    assert found.standing.state is State.MISMATCHED
    assert found.reports[PAPER] == paper  # it does not even lead
    assert result(phone, paper, away(3, PAPER, minute=1), ruling=replace(ruling, seen_report=3)).verified


def test_a_superseded_report_that_comes_in_late_ends_no_ruling() -> None:
    phone, paper = here(1, PHONE), away(2, PAPER, OTHER, over=[3])
    ruling = Ruling(1, "P1", ONE, 2, "Di", NOON, "the sheet says so")
    assert result(phone, paper, away(3, PAPER), ruling=ruling).standing.state is State.RULED


# ---- whatever order packets come in ----

SHEETS = st.sampled_from(
    [ONE, OTHER, THIRD, replace(ONE, attendance=None), replace(ONE, second_attendance=9)]
)


ORIGINS = {1: "", 2: "Polk packet", 3: "merged copy"}


@st.composite
def foreign(draw: st.DrawFn) -> list[Report]:
    """Reports made in several stores, each correcting the earlier ones of its own store; no two alike."""
    made: list[Report] = []
    stores: dict[int, list[Report]] = {}
    for id in range(1, draw(st.integers(1, 7)) + 1):
        store = draw(st.integers(1, 3))
        channel = draw(st.sampled_from(CHANNELS))
        earlier = [one.id for one in stores.get(store, ()) if one.channel is channel]
        one = Report(
            id,
            "P1",
            channel,
            draw(SHEETS),
            draw(st.sampled_from(["Ann", "Bob", "Cy"])),
            at(draw(st.integers(0, 2))),
            f"{store}-{id}" if draw(st.booleans()) else "",
            draw(st.booleans()),
            frozenset(earlier),
            ORIGINS[store],
            tuple(draw(st.sets(st.sampled_from(["Ann", "Bob"]), max_size=1))),
        )
        content = replace(one, id=0, over=None)
        if any(replace(known, id=0, over=None) == content for known in made):
            continue
        made.append(one)
        stores.setdefault(store, []).append(one)
    # Withdrawn ones are left out, and bring back what they replaced.
    return [one for one in made if len(made) == 1 or draw(st.integers(0, 5))]


def renumbered(reports: Sequence[Report], numbers: Sequence[int]) -> list[Report]:
    new = {report.id: number for report, number in zip(reports, numbers, strict=True)}
    return [
        replace(one, id=new[one.id], over=frozenset(new.get(id, 100 + id) for id in one.over or ()))
        for one in reports
    ]


def content_of(report: Report) -> Report:
    return replace(report, id=0, over=None)


def told(reports: Sequence[Report]) -> tuple[object, ...]:
    """All that follows from some reports, with what they say in the place of their numbers."""
    found = assess(RULES, PRECINCT, reports, None, ())
    says: dict[object, Report] = {key: content_of(report) for key, report in found.heads.items()}
    stands = found.standing
    overview = Overview(RULES, "", [found])
    return (
        list(found.reports),
        {channel: content_of(report) for channel, report in found.reports.items()},
        [content_of(report) for report in found.rivals],
        stands.state,
        stands.channel,
        stands.sheet,
        None if stands.report is None else content_of(stands.report),
        [(m.field, m.values, [(says[id], value) for id, value in m.rivals]) for m in found.mismatches],
        found.open_errors,
        found.verified,
        [(entry.channel, entry.standing, entry.finding) for entry in overview.findings()],
        at_stake(overview, found),
        differ_since(found.heads, RULES.keys),
        stated_delegates(found),
    )


@given(foreign(), st.data())
def test_state_sheet_and_mismatches_hang_on_no_number_and_no_order(
    reports: list[Report], data: st.DataObject
) -> None:
    before = told(reports)
    numbers = data.draw(st.permutations(range(1, len(reports) + 1)))
    again = data.draw(st.permutations(renumbered(reports, numbers)))
    assert told(again) == before


@given(foreign())
def test_whatever_comes_in_changes_no_figure_that_counted(reports: list[Report]) -> None:
    """Of each channel that had a report here and was not superseded by what came in."""
    own = heads(one for one in reports if not one.origin)
    for channel, alike in heads(reports).items():
        if channel in own:
            assert alike[0] == own[channel][0]


@given(foreign())
def test_something_stands_of_every_channel_that_came_in(reports: list[Report]) -> None:
    found = heads(reports)
    assert set(found) == {report.channel for report in reports}
    for channel, alike in found.items():
        below = {id for one in reports if one.channel is channel for id in one.over or ()}
        assert {one.id for one in alike} == {r.id for r in reports if r.channel is channel} - below


@given(foreign(), SHEETS)
def test_one_keyed_here_over_them_stands_alone_in_its_channel(
    reports: list[Report], sheet: ResultSheet
) -> None:
    last = here(99, PAPER, sheet, "Di")
    found = heads([*reports, last])
    assert found[PAPER] == (last,)
    assert {c: a for c, a in found.items() if c is not PAPER} == {
        c: a for c, a in heads(reports).items() if c is not PAPER
    }


@given(foreign())
def test_a_match_needs_two_people_and_no_difference_anywhere(reports: list[Report]) -> None:
    found = result(*reports)
    every = list(found.heads.values())
    differ = bool(mismatches(found.reports, RULES.keys, found.rivals))
    assert (found.standing.state is State.MISMATCHED) is differ
    agree = any(
        frozenset((one.channel, other.channel)) in RULES.verifying_pairs
        and one.confirmed
        and other.confirmed
        and not {one.by, *one.typists} & {other.by, *other.typists}
        for one in every
        for other in every
    )
    assert (found.standing.state is State.MATCHED) is (bool(every) and agree and not differ)


# ---- what follows ----


def test_findings_of_a_rivals_sheet_are_told_too() -> None:
    wrong = ResultSheet(61, (GroupCounts("Sanders", 31, 31, 4), GroupCounts("Warren", 30, 30, 2)))
    lead, rival = here(1, PAPER, minute=5), away(2, PAPER, wrong)
    found = Overview(RULES, "", [result(lead, rival)]).findings_of("P1")
    beside = [entry for entry in found if not entry.standing]
    assert beside
    assert {entry.channel for entry in beside} == {PAPER}


def test_what_is_at_stake_counts_the_rivals() -> None:
    found = result(here(1, PAPER, minute=5), away(2, PAPER, THIRD))
    assert at_stake(Overview(RULES, "", [found]), found)
    assert differ_since(found.heads, RULES.keys) == at(5)


def test_a_slip_is_looked_for_between_two_of_one_channel() -> None:
    slipped = ResultSheet(61, (GroupCounts("Sanders", 31, 13, 3), GroupCounts("Warren", 30, 30, 2)))
    rival = away(2, PAPER, slipped)
    (hint,) = find_hints(RULES, PRECINCT, {PAPER: ONE}, [(2, rival.told_apart, slipped)])
    assert hint.pair == (PAPER, 2)
    assert hint.channel == 2  # 13 and 30 people are not 61
    assert "in paper (Polk packet, Bob)" in hint.sentence


def test_the_story_knows_that_two_stand_beside_each_other() -> None:
    reports = {
        1: here(1, PHONE),
        2: here(2, PAPER, by="Cy"),
        3: away(3, PAPER, OTHER),
        4: here(4, PAPER, by="Di"),
    }
    events = [
        Event(1, at(1), "Ann", Happened.REPORTED, "P1", 1),
        Event(2, at(2), "Cy", Happened.REPORTED, "P1", 2),
        Event(3, at(2), "Cy", Happened.VERIFIED, "P1"),
        Event(4, at(3), "Bob", Happened.REPORTED, "P1", 3),
        Event(5, at(4), "Di", Happened.REPORTED, "P1", 4),
        Event(6, at(4), "Di", Happened.VERIFIED, "P1"),
    ]
    story = story_of("P1", events, reports, {}, RULES.keys, RULES.verifying_pairs)
    assert [(step.seq, step.verified) for step in story.steps] == [
        (1, False),
        (3, True),
        (4, False),
        (6, True),
    ]
    assert [(wait.since, wait.until) for wait in story.waits] == [(at(3), at(4))]
    differed = {one.report.id: one.differed for one in story.compared}
    assert differed == {1: True, 2: True, 3: True, 4: False}


def test_a_story_compares_nothing_with_what_was_corrected_before_it_came() -> None:
    reports = {1: away(1, PAPER, over=[2]), 2: away(2, PAPER, OTHER), 3: here(3, PHONE)}
    events = [Event(n, at(n), "x", Happened.REPORTED, "P1", id) for n, id in enumerate([1, 3, 2], start=1)]
    story = story_of("P1", events, reports, {}, RULES.keys, RULES.verifying_pairs)
    assert {one.report.id: (one.beside_another, one.differed) for one in story.compared} == {
        1: (True, False),
        2: (False, False),
        3: (True, False),
    }


def test_a_standing_takes_rivals_beside_the_leading_reports() -> None:
    stands: Callable[..., Standing] = standing
    lead, rival = here(1, PAPER), away(2, PAPER, OTHER)
    assert stands({PAPER: lead}, None, RULES.keys, RULES.verifying_pairs).state is State.SINGLE
    assert stands({PAPER: lead}, None, RULES.keys, RULES.verifying_pairs, [rival]).state is State.MISMATCHED
    assert ONE.states(Column.FINAL)
