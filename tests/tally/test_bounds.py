"""Whether the outcome is settled: bounds that no outcome breaks and some outcome reaches."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product

import pytest
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st

from caucus_desk.rules.ruleset import SatelliteWeight, Unit
from caucus_desk.tally.bounds import outlook
from caucus_desk.tally.openness import Why
from caucus_desk.tally.outlook import Outlook
from caucus_desk.tally.overview import By, Overview
from caucus_desk.tally.results import Counting
from caucus_desk.tally.roster import Precinct
from caucus_desk.tally.settled import settled_sentence
from caucus_desk.tally.sheet import ResultSheet

from .outlooks import (
    FINAL,
    RELEASE_71,
    RELEASE_92,
    RULES,
    given,
    iowa,
    overview,
    pair,
    precinct,
    report,
    sheet,
    site,
)

PAIR = ("Sanders", "Warren")


def test_a_precinct_not_in_gives_its_whole_allotment_to_anybody_or_to_nobody() -> None:
    seen = outlook(
        overview(report(precinct("1", 6), given(Sanders=4, Warren=2)), report(precinct("2", 5), None))
    )
    found = seen.range("Warren")
    assert (found.now, found.least, found.most) == (Fraction(2, 10), Fraction(2, 10), Fraction(7, 10))
    assert [(entry.precinct.id, entry.why) for entry in seen.open] == [("2", Why.NOT_IN)]


def test_a_precinct_in_doubt_counts_as_it_stands_and_may_become_anything() -> None:
    doubtful = pair(precinct("1", 6), given(Sanders=4, Warren=2), given(Sanders=2, Warren=4))
    seen = outlook(overview(doubtful))
    found = seen.range("Sanders")
    assert (found.now, found.least, found.most) == (Fraction(2, 10), 0, Fraction(6, 10))
    assert seen.open[0].why is Why.DIFFERS


def test_counting_verified_everything_unverified_is_open() -> None:
    base = overview(report(precinct("1", 6), given(Sanders=6)), report(precinct("2", 5), None))
    seen = outlook(base, Counting.VERIFIED)
    assert [entry.why for entry in seen.open] == [Why.UNVERIFIED, Why.NOT_IN]
    assert (seen.range("Sanders").now, seen.range("Sanders").most) == (0, Fraction(11, 10))
    assert not seen.leaders


def test_a_sheet_that_gives_more_than_the_allotment_is_taken_at_its_word() -> None:
    doubtful = pair(precinct("1", 6), given(Sanders=8), given(Sanders=3))
    assert outlook(overview(doubtful)).range("Warren").most == Fraction(8, 10)


def test_a_sheet_without_delegates_is_open() -> None:
    seen = outlook(overview(report(precinct("1", 6), sheet(30, Sanders=(30, 30, None)))))
    assert seen.open[0].why is Why.NO_DELEGATES
    assert seen.range("Warren").most == Fraction(6, 10)


def test_precincts_that_a_recanvass_looks_at_are_open_too() -> None:
    base = overview(report(precinct("1", 6), given(Sanders=6)), report(precinct("2", 5), given(Warren=5)))
    seen = outlook(base, chosen={"2"})
    assert [(entry.precinct.id, entry.why) for entry in seen.open] == [("2", Why.CHOSEN)]
    assert seen.range("Warren").least == 0


def test_what_the_roster_does_not_say_is_named_not_guessed() -> None:
    base = overview(
        report(precinct("1", 6), given(Sanders=6)),
        report(precinct("2", None), None),
        report(precinct("3", 5, None, county="Nowhere"), None),
    )
    seen = outlook(base)
    assert [entry.id for entry in seen.unknown] == ["2", "3"]
    assert not seen.open
    assert "2 open precincts are left out" in settled_sentence(seen)


def test_votes_have_no_bound() -> None:
    rules = replace(RULES, unit=Unit.VOTES)
    seen = outlook(overview(report(precinct("1", 6), None, rules), rules=rules))
    assert [entry.id for entry in seen.unknown] == ["1"]


def test_the_leader_can_change_through_the_largest_precincts() -> None:
    base = overview(
        report(precinct("1", 12), given(Sanders=12)),
        report(precinct("2", 6, county="Polk"), None),
        report(precinct("3", 2, county="Linn"), None),
        report(precinct("4", 7, county="Polk"), None),
    )
    seen = outlook(base)
    change = seen.leader_change()
    assert change is not None
    assert [entry.precinct.id for entry in change.precincts] == ["4", "2"]
    assert (change.lead, change.gain, change.counties) == (Fraction(12, 10), Fraction(13, 10), ("Polk",))
    assert settled_sentence(seen) == (
        "Leader can still change: yes, through 2 precincts in Polk: Bennet is 1.2000 behind Sanders, "
        "and they can move 1.3000."
    )


def test_a_leader_who_is_safe() -> None:
    base = overview(report(precinct("1", 12), given(Sanders=9, Warren=3)), report(precinct("2", 5), None))
    seen = outlook(base)
    assert seen.leader_change() is None
    assert (seen.races()[0].behind, seen.races()[0].most) == ("Warren", Fraction(-1, 10))
    assert settled_sentence(seen) == (
        "Leader can still change: no, Warren ends at least 0.1000 behind Sanders, whatever the one open "
        "precinct says."
    )


def test_drawing_level_is_not_passing() -> None:
    seen = outlook(overview(report(precinct("1", 5), given(Sanders=5)), report(precinct("2", 5), None)))
    race = seen.race("Sanders", "Warren")
    assert (race.most, race.can_pass, race.can_draw_level) == (0, False, True)
    assert seen.passing("Sanders", "Warren") is None
    assert "can draw level with Sanders, not pass" in settled_sentence(seen)


def test_what_matters_most_to_check_next() -> None:
    doubtful = pair(precinct("2", 4), given(Sanders=4), given(Warren=4))
    base = overview(
        report(precinct("1", 6), given(Sanders=3, Warren=2)),
        doubtful,
        report(precinct("3", 5), None),
        report(site("S", 10), None),
    )
    swings = {swing.open.precinct.id: swing for swing in outlook(base).check_next()}
    assert outlook(base).closest == ("Warren", "Sanders")
    assert list(swings) == ["S", "2", "3"]
    assert (swings["2"].against, swings["2"].towards) == (Fraction(8, 10), 0)
    assert (swings["3"].against, swings["3"].towards) == (Fraction(5, 10), Fraction(5, 10))
    assert swings["S"].whole == 12


def test_an_empty_night_has_no_leader() -> None:
    seen = outlook(overview(report(precinct("1", 6), None)))
    assert (seen.leaders, seen.closest, seen.check_next(), seen.races()) == ((), None, (), ())
    assert seen.leader_change() is None
    assert "nobody leads" in settled_sentence(seen)


# ---- satellites ----


def test_an_open_site_with_a_sign_in_count_takes_its_share_of_the_pool() -> None:
    base = overview(report(site("A", 30), given(Sanders=5)), report(site("B", 10), None))
    seen = outlook(base)
    assert seen.range("Sanders") == replace(
        seen.range("Sanders"), now=Fraction(18, 4), least=Fraction(18, 4), most=Fraction(6)
    )
    assert seen.range("Warren").most == Fraction(6, 4)


def test_an_open_site_of_which_nothing_is_known_can_take_nearly_the_whole_pool() -> None:
    base = overview(report(site("A", 30), given(Sanders=5)), report(site("B", None), None))
    seen = outlook(base, site_people=70)
    found = seen.range("Sanders")
    assert (found.now, found.least, found.most) == (6, Fraction(6 * 30, 100), 6)
    assert seen.range("Warren").most == Fraction(6 * 70, 100)
    assert "to 70 people" in seen.assumptions[-1]
    assert outlook(base).range("Warren").most == Fraction(6 * 99_999, 100_029)


def test_a_site_whose_sheet_differs_from_its_sign_in_count_weighs_between_the_two() -> None:
    first, second = given(60, Sanders=6), given(60, Warren=6)
    seen = outlook(overview(pair(site("A", 20), first, second), report(site("B", 20), given(Warren=4))))
    found = seen.range("Warren")
    assert found.least == Fraction(6 * 20, 80)
    assert seen.range("Sanders").most == Fraction(6 * 60, 80)


def test_the_other_reading_of_the_plan_weighs_by_delegates() -> None:
    assert RULES.satellites is not None
    rules = replace(RULES, satellites=replace(RULES.satellites, weight=SatelliteWeight.DELEGATES))
    base = overview(
        report(site("A", 30), given(Sanders=5), rules), report(site("B", None), None, rules), rules=rules
    )
    assert outlook(base).range("Warren").most == Fraction(6 * 9, 14)


# ---- against every outcome there is ----

Figures = Mapping[str, tuple[int, int]]
SINGLES = st.lists(
    st.tuples(st.integers(1, 3), st.integers(0, 3), st.sampled_from(("in", "out", "doubt"))),
    min_size=1, max_size=3,
)  # fmt: skip
SITES = st.lists(
    st.tuples(st.sampled_from((None, 3, 50)), st.integers(0, 2), st.booleans()), min_size=0, max_size=3
)
PEOPLE = 90


def night(singles: list[tuple[int, int, str]], sites: list[tuple[int | None, int, bool]]) -> Overview:
    """Precincts (allotment, of which to Sanders, how it is in) and sites (people, to Sanders, in)."""
    results = []
    for number, (delegates, sanders, how) in enumerate(singles):
        own = min(delegates, sanders)
        unit, figures = precinct(f"P{number}", delegates), given(Sanders=own, Warren=delegates - own)
        if how == "doubt":
            results.append(pair(unit, given(Warren=delegates), given(Sanders=delegates)))
        else:
            results.append(report(unit, figures if how == "in" else None))
    for number, (people, sanders, is_in) in enumerate(sites):
        unit = site(f"S{number}", people)
        elects = 4 if people is None or people <= 20 else 6
        figures = given(None if people else 10, Sanders=sanders, Warren=elects - sanders)
        results.append(report(unit, figures if is_in else None))
    return overview(*results)


def outcomes(base: Overview, seen: Outlook, freed: set[str]) -> Iterator[tuple[Fraction, Fraction]]:
    """(Sanders, Warren) for every way in which the open precincts of `freed` can come in, by plain sums."""
    ways: list[list[tuple[Precinct, ResultSheet | None]]] = []
    for id, result in base.results.items():
        unit = result.precinct
        if id not in freed:
            ways.append([(unit, result.standing.sheet)])
            continue
        peoples = [unit.attendance] if unit.attendance is not None else [0, 1, PEOPLE]
        if not unit.is_satellite:
            most = unit.delegates or 0
            gifts = [(s, w) for s in range(most + 1) for w in range(most + 1 - s)]
            ways.append([(unit, given(9, Sanders=s, Warren=w)) for s, w in gifts])
            continue
        ways.append([])
        for people in peoples:
            elects = 0 if not people else 4 if people <= 20 else 6 if people <= 60 else 8
            for s, w in {(0, 0), (elects, 0), (0, elects), (elects // 2, elects // 2)}:
                ways[-1].append((unit, given(people, Sanders=s, Warren=w)))
    for chosen in product(*ways):
        yield added_up(chosen)


def added_up(sheets: tuple[tuple[Precinct, ResultSheet | None], ...]) -> tuple[Fraction, Fraction]:
    sums = [Fraction(0), Fraction(0)]
    weights = 0
    in_pool = [Fraction(0), Fraction(0)]
    for unit, figures in sheets:
        people = unit.attendance
        if figures is not None and figures.attendance is not None:
            people = figures.attendance
        counts = [figures.row(g).delegates or 0 if figures else 0 for g in PAIR]
        if not unit.is_satellite:
            for i in (0, 1):
                sums[i] += Fraction(4 * counts[i], 40)
        elif people:
            elects = next(d for top, d in ((20, 4), (40, 5), (60, 6), (80, 7), (100, 8)) if people <= top)
            weights += people
            for i in (0, 1):
                in_pool[i] += people * Fraction(counts[i], elects)
    if weights:
        sums = [sums[i] + 6 * in_pool[i] / weights for i in (0, 1)]
    return sums[0], sums[1]


@settings(max_examples=60, deadline=None)
@drawn(SINGLES, SITES)
def test_no_outcome_breaks_a_bound_and_some_outcome_reaches_each(
    singles: list[tuple[int, int, str]], sites: list[tuple[int | None, int, bool]]
) -> None:
    base = night(singles, sites)
    seen = outlook(base, site_people=PEOPLE)
    row = base.tally().rows[0]
    assert all(row.group(group).sde == value for group, value in seen.now.items())
    found = set(outcomes(base, seen, {entry.precinct.id for entry in seen.open}))
    for place, group in enumerate(PAIR):
        got = seen.range(group)
        assert got.least == min(outcome[place] for outcome in found)
        assert got.most == max(outcome[place] for outcome in found)
    assert seen.race("Sanders", "Warren").most == max(w - s for s, w in found)
    assert seen.race("Warren", "Sanders").most == max(s - w for s, w in found)


@settings(max_examples=40, deadline=None)
@drawn(SINGLES, SITES)
def test_no_smaller_set_can_turn_two_groups_around(
    singles: list[tuple[int, int, str]], sites: list[tuple[int | None, int, bool]]
) -> None:
    base = night(singles, sites)
    seen = outlook(base, site_people=PEOPLE)
    ids = [entry.precinct.id for entry in seen.open]

    def most(freed: tuple[str, ...]) -> Fraction:
        return max(w - s for s, w in outcomes(base, seen, set(freed)))

    smallest = next(
        (n for n in range(1, len(ids) + 1) if any(most(some) > 0 for some in combinations(ids, n))), None
    )
    passing = seen.passing("Sanders", "Warren")
    if smallest is None:
        assert passing is None
    else:
        assert passing is not None
        chosen = tuple(entry.precinct.id for entry in passing.precincts)
        assert len(chosen) == smallest
        assert most(chosen) == passing.gain - passing.lead > 0
    if seen.leaders:
        all_passing = (seen.passing(seen.order[0], group) for group in seen.order[1:])
        sizes = [len(passing.precincts) for passing in all_passing if passing is not None]
        change = seen.leader_change()
        assert (None if change is None else len(change.precincts)) == min(sizes, default=None)
    for swing in seen.swings(PAIR):
        assert swing.against == most((swing.open.precinct.id,)) + passing_lead(seen)


def passing_lead(seen: Outlook) -> Fraction:
    return seen.now["Sanders"] - seen.now["Warren"]


# ---- the night of 2020 ----


def test_at_71_percent_the_leader_could_change_through_six_precincts() -> None:
    seen = outlook(iowa(RELEASE_71))
    assert (len(seen.open), seen.unknown) == (515, ())
    change = seen.leader_change()
    assert change is not None
    assert (change.ahead, change.behind, len(change.precincts)) == ("Buttigieg", "Sanders", 6)
    assert change.counties == ("Polk", "Johnson", "Linn")
    assert [swing.open.precinct.id for swing in seen.check_next(3)] == [
        "153-DM 062", "103-IC.17", "103-IC.23",
    ]  # fmt: skip
    assert seen.race("Buttigieg", "Klobuchar").can_pass


def test_at_92_percent_warren_could_lead_no_more() -> None:
    seen = outlook(iowa(RELEASE_92))
    assert not seen.race("Buttigieg", "Warren").can_pass
    assert seen.race("Buttigieg", "Sanders").can_pass
    assert {entry.why for entry in seen.open} == {Why.NOT_IN, Why.NO_DELEGATES}


@pytest.mark.parametrize("release", [RELEASE_71, RELEASE_92])
def test_what_was_certified_lies_within_the_bounds_of_what_was_not_in(release: str) -> None:
    """Sheets that the release had are taken as certified, so that only what came later is open."""
    final = iowa(FINAL)
    early = outlook(iowa(release))
    late = outlook(iowa(FINAL, (entry.precinct.id for entry in early.open)))
    assert len(late.open) == len(early.open)
    row = final.tally(By.STATE).rows[0]
    for found in late.ranges:
        assert found.least <= row.group(found.group).sde <= found.most
