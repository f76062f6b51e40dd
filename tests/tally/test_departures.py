"""As reported, as computed: which step a sheet departs at, and what that moves."""

from fractions import Fraction

import pytest
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st

from caucus_desk.paths import resources
from caucus_desk.rules.apportion import apportion
from caucus_desk.rules.loading import parse_rule_set
from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.rules.sde import decimal_text
from caucus_desk.tally.departures import Departure, departures
from caucus_desk.tally.parting import Instead, Step, parting, works_out_with
from caucus_desk.tally.results import Counting
from caucus_desk.tally.sheet import ResultSheet

from .outlooks import FINAL, RULES, given, iowa, overview, precinct, report, sheet, site

NEVADA = parse_rule_set(
    (resources() / "rules" / "nevada-2020.toml").read_text(encoding="utf-8"), "nevada-2020.toml"
)


def departs(elects: int, figures: ResultSheet) -> Departure:
    found = departures(overview(report(precinct("1", elects), figures))).all
    assert len(found) == 1
    return found[0]


def final(attendance: int, **rows: tuple[int, int]) -> ResultSheet:
    """Each group's people in both alignments, and its delegates."""
    return sheet(attendance, **{group: (n, n, d) for group, (n, d) in rows.items()})


@pytest.mark.parametrize(
    ("elects", "figures", "step", "sentence"),
    [
        (1, final(9, Sanders=(6, 0), Warren=(3, 1)), Step.ONE_DELEGATE,
         "The only delegate went to Warren; Sanders is the largest group, with 6."),
        (4, final(100, Sanders=(60, 2), Warren=(30, 1), Biden=(10, 1)), Step.VIABILITY,
         "15 are needed to be viable; Biden (10) has delegates all the same."),
        (3, final(90, Sanders=(75, 3), Warren=(15, 0)), Step.MINIMUM_ONE,
         "Warren is viable, and without a delegate."),
        (5, final(100, Sanders=(60, 4), Warren=(40, 2)), Step.TOTAL, "6 were given, 5 are to be elected."),
        (5, final(100, Sanders=(60, 2), Warren=(40, 3)), Step.ROUNDING,
         "Shares round to other numbers: Sanders (3.0000, rounded 3, given 2), "
         "Warren (2.0000, rounded 2, given 3)."),
        (5, final(73, Biden=(12, 1), Sanders=(14, 1), Warren=(22, 2), Yang=(25, 1)), Step.TOO_MANY,
         "Rounded there are 6 for 5: Warren loses one, and on the sheet does not."),
        (5, final(73, Biden=(12, 1), Sanders=(14, 1), Warren=(22, 2), Yang=(25, 2)), Step.TOO_MANY,
         "Rounded there are 6 for 5: Warren loses one, and on the sheet does not."),
        (6, final(100, Biden=(38, 2), Sanders=(24, 1), Warren=(22, 2), Yang=(16, 1)), Step.TOO_FEW,
         "Rounded there are 5 for 6: Sanders gains one, and on the sheet does not."),
        (6, final(200, Biden=(100, 4), Sanders=(50, 1), Warren=(50, 1)), Step.ROUNDING,
         "Shares round to other numbers: Biden (3.0000, rounded 3, given 4)."),
        (6, final(200, Biden=(100, 3), Sanders=(50, 2), Warren=(50, 2)), Step.CHANCE,
         "The sheet gives what the rules give before the toss. 1 of Sanders and Warren loses one by chance."),
        (2, final(19, Biden=(6, 1), Buttigieg=(7, 0), Sanders=(6, 1)), Step.OVER_VIABLE,
         "3 groups are viable for 2 delegates. 1 of Biden and Sanders loses one by chance."),
    ],
)  # fmt: skip
def test_the_step_at_which_a_sheet_parts_from_the_rules(
    elects: int, figures: ResultSheet, step: Step, sentence: str
) -> None:
    found = departs(elects, figures)
    assert (found.step, found.sentence) == (step, sentence)


def test_what_a_sheet_would_be_right_with() -> None:
    left_out = departs(5, final(73, Biden=(12, 1), Sanders=(14, 1), Warren=(22, 2), Yang=(25, 2)))
    assert Instead.NO_CORRECTION in left_out.works_out_with
    other = departs(5, final(100, Sanders=(60, 4), Warren=(40, 2)))
    assert other.works_out_with == (Instead.OTHER_NUMBER,)
    unsafe = departs(3, final(90, Sanders=(75, 3), Warren=(15, 0)))
    assert unsafe.works_out_with == (Instead.NO_PROTECTION,)


def test_moves_are_computed_less_reported() -> None:
    found = departs(5, final(100, Sanders=(60, 2), Warren=(40, 3)))
    assert dict(found.delegates) == {"Sanders": 1, "Warren": -1}
    assert dict(found.sdes) == {"Sanders": Fraction(1, 10), "Warren": Fraction(-1, 10)}
    assert (found.size, found.given, found.elects) == (Fraction(1, 10), 5, 5)


def test_a_toss_that_the_sheet_shows_departs_from_nothing_and_could_have_gone_otherwise() -> None:
    tossed = report(precinct("1", 6), final(200, Biden=(100, 3), Sanders=(50, 2), Warren=(50, 1)))
    found = departures(overview(tossed))
    assert found.all == ()
    assert [entry.winners for entry in found.tossed] == [("Sanders",)]
    assert found.tosses("Sanders") == (Fraction(-1, 10), 0)
    assert found.tosses("Warren") == (0, Fraction(1, 10))
    assert found.tosses("Biden") == (0, 0)


def test_what_cannot_be_computed_is_listed_and_not_guessed() -> None:
    base = overview(
        report(precinct("1", 5), sheet(50, Sanders=(50, None, 5))),
        report(precinct("2", 5), None),
        report(site("S", 0), given(0)),
    )
    found = departures(base)
    assert [entry.id for entry in found.not_computed] == ["1", "S"]
    assert found.all == ()


def test_only_what_counts_departs() -> None:
    base = overview(report(precinct("1", 5), final(100, Sanders=(60, 2), Warren=(40, 3))))
    assert len(departures(base).all) == 1
    assert departures(base, Counting.VERIFIED).all == ()
    assert departures(base, district="4").all == ()


COUNTS = st.lists(st.integers(0, 30), min_size=2, max_size=5)


@settings(max_examples=300, deadline=None)
@drawn(st.sampled_from((RULES, NEVADA)), st.integers(1, 8), st.integers(0, 20), COUNTS, st.data())
def test_every_sheet_that_is_not_as_the_rules_give_parts_somewhere(
    rules: RuleSet, elects: int, left: int, counts: list[int], data: st.DataObject
) -> None:
    groups = ("Biden", "Sanders", "Warren", "Yang", "Other")[: len(counts)]
    awarded = [data.draw(st.integers(0, 4)) for _ in counts]
    finals = {group: count for group, count in zip(groups, counts, strict=True) if count}
    work = apportion(rules, elects, sum(counts) + left, finals)
    awards = {group: number for group, number in zip(groups, awarded, strict=True) if number}
    if work.agrees(awards):
        return
    step, sentence = parting(work, awards)
    assert step in Step
    assert sentence.endswith(".")
    rows = {group: (count, count, n) for group, count, n in zip(groups, counts, awarded, strict=True)}
    assert all(instead in Instead for instead in works_out_with(work, awards, sheet(None, **rows)))


@settings(max_examples=80, deadline=None)
@drawn(st.lists(st.tuples(st.integers(1, 6), COUNTS, st.lists(st.integers(0, 4), min_size=5, max_size=5)),
                min_size=1, max_size=5))  # fmt: skip
def test_the_moves_add_up_to_what_the_tally_says(drawn_rooms: list[tuple[int, list[int], list[int]]]) -> None:
    groups = ("Biden", "Sanders", "Warren", "Yang", "Other")
    results = []
    for number, (elects, counts, awards) in enumerate(drawn_rooms):
        rows = {g: (n, n, d) for g, n, d in zip(groups, counts, awards, strict=False)}
        results.append(report(precinct(str(number), elects), sheet(None, **rows)))
    base = overview(*results)
    found, row = departures(base), base.tally().rows[0]
    for group, moved in found.moved().items():
        assert moved == row.group(group).sde_computed - row.group(group).sde
        assert moved == found.moved(True)[group] + found.moved(False)[group]
    assert {entry.precinct.id for entry in found.differing} == {r.precinct.id for r in base.differs()}
    assert sum(len(entries) for entries in found.by_step().values()) == len(found.all)


def test_the_certified_results_of_2020_against_the_rules() -> None:
    base = iowa(FINAL)
    found = departures(base)
    differing = found.differing
    assert len(differing) == 68
    assert sum(entry.elects == 1 for entry in differing) == 16
    several = [entry for entry in differing if entry.elects >= 2]
    assert (len(several), sum(entry.precinct.is_satellite for entry in several)) == (52, 4)
    assert sum(entry.tie is not None for entry in differing) == 10
    assert len(found.all) == 70
    moved = {group: decimal_text(value, 4) for group, value in found.moved().items() if value}
    assert moved == {
        "Buttigieg": "2.6965", "Sanders": "0.9510", "Steyer": "0.2128", "Yang": "-0.0784", "Other": "-0.2467",
        "Uncommitted": "-0.3182", "Klobuchar": "-1.2266", "Warren": "-1.3613", "Biden": "-2.0459",
    }  # fmt: skip
    chance = {group: decimal_text(value, 4) for group, value in found.moved(True).items() if value}
    assert chance == {"Biden": "0.1690", "Klobuchar": "-0.7702", "Sanders": "-0.4133", "Warren": "0.1000"}
    steps = {step.value: len(entries) for step, entries in found.by_step().items() if entries}
    assert steps == {
        "one delegate": 16, "viability": 11, "more viable groups than delegates": 1, "at least one each": 6,
        "number to elect": 9, "correction of too many": 12, "correction of too few": 9, "game of chance": 6,
    }  # fmt: skip
    assert len(found.tossed) == 130
