"""What comes first in the review queue."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caucus_desk.rules.apportion import apportion
from caucus_desk.rules.loading import parse_rule_set
from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.tally.assess import assess
from caucus_desk.tally.overview import Overview
from caucus_desk.tally.report import Channel, Report
from caucus_desk.tally.results import PrecinctResult
from caucus_desk.tally.roster import Precinct
from caucus_desk.tally.sheet import GroupCounts, ResultSheet
from caucus_desk.tally.urgency import Urgency, at_stake, closeness, differ_since

RESOURCES = Path(__file__).parents[2] / "resources" / "rules"
NOON = datetime(2020, 2, 4, 2, 0, tzinfo=UTC)
PHONE, PAPER, APP = Channel.PHONE, Channel.PAPER, Channel.APP


def load(name: str) -> RuleSet:
    file = RESOURCES / f"{name}.toml"
    return parse_rule_set(file.read_text(encoding="utf-8"), file.name)


IOWA, NEVADA = load("iowa-2020"), load("nevada-2020")
HERE = Precinct("A1", "Adair", "Adair 1", district="3", delegates=4,
                county_state_delegates=4, county_total_delegates=51)  # fmt: skip
UNKNOWN = Precinct("L1", "Linn", "Cedar Rapids 1", district="1", delegates=4)
WORTH = Fraction(4, 51)


def sheet(attendance: int | None, **rows: tuple[int | None, int | None, int | None]) -> ResultSheet:
    return ResultSheet(attendance, tuple(GroupCounts(group, *counts) for group, counts in rows.items()))


def room(sanders: int, warren: int, people: int = 40) -> ResultSheet:
    return sheet(people, Sanders=(22, 22, sanders), Warren=(18, 18, warren))


def case(precinct: Precinct = HERE, **sheets: ResultSheet) -> tuple[Overview, PrecinctResult]:
    reports = [
        Report(place, precinct.id, Channel(channel), one, "Ann", NOON + timedelta(minutes=place))
        for place, (channel, one) in enumerate(sheets.items(), start=1)
    ]
    result = assess(IOWA, precinct, reports, None, ())
    others = [one for one in (HERE, UNKNOWN) if one.id != precinct.id]
    return Overview(IOWA, "Test", [result, *(assess(IOWA, one, (), None, ()) for one in others)]), result


# ---- at stake ----


def test_one_delegate_between_two_reports() -> None:
    assert at_stake(*case(phone=room(2, 2), paper=room(3, 1))) == WORTH


def test_the_farthest_two_of_three_reports_count() -> None:
    assert at_stake(*case(phone=room(2, 2), paper=room(3, 1), app=room(0, 4))) == 3 * WORTH


def test_it_does_not_matter_which_stands() -> None:
    assert at_stake(*case(phone=room(3, 1), paper=room(2, 2))) == WORTH


def test_what_moves_no_delegate_has_nothing_at_stake() -> None:
    other = sheet(40, Sanders=(21, 22, 2), Warren=(18, 18, 2))
    assert at_stake(*case(phone=room(2, 2), paper=other)) == 0


def test_what_only_the_rules_would_give_counts_too() -> None:
    other = sheet(40, Sanders=(22, 30, 2), Warren=(18, 10, 2))
    assert at_stake(*case(phone=room(2, 2), paper=other)) == WORTH


def test_a_ruling_that_no_report_has_counts_with_them() -> None:
    seen, result = case(phone=room(2, 2), paper=room(3, 1))
    assert at_stake(seen, result, [room(0, 4)]) == 3 * WORTH


def test_where_the_roster_gives_no_worth_nothing_is_claimed() -> None:
    assert at_stake(*case(UNKNOWN, phone=room(2, 2), paper=room(3, 1))) is None


def test_what_a_channel_leaves_out_is_no_difference() -> None:
    no_delegates = ResultSheet(40, (GroupCounts("Sanders", 22, 22), GroupCounts("Warren", 18, 18)))
    assert at_stake(*case(phone=room(2, 2), app=no_delegates)) == 0


# ---- closeness ----


@pytest.mark.parametrize(
    ("finals", "people", "delegates", "close"),
    [
        ({"Sanders": 22, "Warren": 18}, 40, 4, 3),
        ({"Sanders": 25, "Warren": 15}, 40, 4, 1),  # both claim the fourth delegate: any move ends that
        ({"Sanders": 34, "Warren": 6}, 40, 4, 1),  # one person fewer, and Warren is not viable
        ({"Sanders": 35, "Warren": 5}, 40, 4, 1),  # one person more, and Warren is viable
        ({"Sanders": 21, "Warren": 19}, 40, 1, 1),  # one elects the largest group: 20 and 20 are a tie
        ({"Sanders": 25, "Warren": 15}, 40, 1, 5),
        ({"Sanders": 40}, 40, 4, 6),  # six leave for a group of their own
    ],
)
def test_closeness(finals: Mapping[str, int], people: int, delegates: int, close: int) -> None:
    precinct = Precinct("A1", "Adair", "Adair 1", delegates=delegates)
    figures = sheet(people, **{group: (count, count, 0) for group, count in finals.items()})
    assert closeness(IOWA, precinct, figures) == close


@pytest.mark.parametrize(
    "figures",
    [
        None,
        sheet(0, Sanders=(0, 0, 0)),
        sheet(40, Sanders=(22, None, 2), Warren=(18, 18, 2)),
        sheet(40, Sanders=(22, None, 2)),
    ],
)
def test_nothing_is_close_where_nothing_is_computed(figures: ResultSheet | None) -> None:
    assert closeness(IOWA, HERE, figures) is None


FINALS = st.lists(st.integers(0, 40), min_size=1, max_size=6)


@given(finals=FINALS, left=st.integers(0, 15), delegates=st.integers(1, 9), nevada=st.booleans())
def test_closeness_is_the_least_of_all_moves(
    finals: list[int], left: int, delegates: int, nevada: bool
) -> None:
    """Against trying every move of every number of people between any two groups."""
    rules = NEVADA if nevada else IOWA
    counts = dict(zip(rules.keys, finals, strict=False))
    people = sum(finals) + left
    precinct = Precinct("A1", "Adair", "Adair 1", delegates=delegates)
    extras = tuple((field.key, 0) for field in rules.fields)
    figures = ResultSheet(people, tuple(GroupCounts(g, c, c, 0) for g, c in counts.items()), extras)

    def given_out(these: Mapping[str, int]) -> object:
        worked = apportion(rules, delegates, people, {g: c for g, c in these.items() if c})
        awards = {(g, c) for g, c in worked.awards.items() if c}
        return awards, worked.tie and (worked.tie.kind, worked.tie.k, set(worked.tie.groups))

    now = given_out(counts)
    moves = [
        number
        for giving, has in counts.items()
        for taking in rules.keys
        if taking != giving
        for number in range(1, has + 1)
        if given_out({**counts, giving: has - number, taking: counts.get(taking, 0) + number}) != now
    ]
    expected = min(moves, default=None) if sum(finals) else None
    assert closeness(rules, precinct, figures) == expected


# ---- waiting, and the order ----


def test_it_waits_since_the_first_two_that_differ() -> None:
    _, result = case(phone=room(2, 2), paper=room(3, 1), app=room(2, 2))
    assert differ_since(result.reports, IOWA.keys) == NOON + timedelta(minutes=2)
    _, same = case(phone=room(2, 2), paper=room(2, 2))
    assert differ_since(same.reports, IOWA.keys) is None


def test_the_worst_comes_first() -> None:
    half, late = Fraction(1, 2), NOON + timedelta(hours=1)
    ordered = [
        Urgency(Fraction(1), None, late),
        Urgency(half, 1, late),
        Urgency(half, 4, NOON),
        Urgency(half, 4, late),
        Urgency(half, None, NOON),
        Urgency(Fraction(0), 1, NOON),
        Urgency(None, 1, NOON),
    ]
    mixed = ordered[3:] + ordered[:3]
    assert sorted(mixed, key=lambda one: one.order) == ordered
