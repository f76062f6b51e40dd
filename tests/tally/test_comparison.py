"""Two releases compared: every SDE that moved is explained by a precinct that changed."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st

from caucus_desk.rules.ruleset import Group
from caucus_desk.rules.sde import decimal_text
from caucus_desk.tally.comparison import Comparison, FieldChange, Kind, compare
from caucus_desk.tally.frozen import FrozenList, FrozenPrecinct
from caucus_desk.tally.results import Counting
from caucus_desk.tally.sheet import ResultSheet

from .outlooks import (
    FINAL,
    RELEASE_71,
    RELEASE_92,
    RULES,
    given,
    iowa_roster,
    iowa_sheets,
    overview,
    pair,
    precinct,
    report,
    sheet,
    site,
)

ONE, TWO = precinct("1", 6), precinct("2", 5)
A, B = site("A", 30), site("B", 10)


def frozen(*entries: FrozenPrecinct) -> FrozenList:
    return FrozenList(RULES, entries)


def counted(unit: object, figures: ResultSheet | None, ruling: int | None = None) -> FrozenPrecinct:
    return FrozenPrecinct(unit, figures, figures is not None, ruling)  # type: ignore[arg-type]


def only(found: Comparison) -> tuple[Kind, dict[str, Fraction]]:
    assert len(found.changes) == 1
    return found.changes[0].kind, dict(found.changes[0].sdes)


def test_the_same_list_twice_moves_nothing() -> None:
    one = frozen(counted(ONE, given(Sanders=4, Warren=2)), counted(TWO, None))
    found = compare(one, one)
    assert (found.changes, found.rank_changes, found.counted, found.on_roster) == ((), (), (1, 1), (2, 2))


def test_a_precinct_that_is_new() -> None:
    found = compare(frozen(counted(ONE, None)), frozen(counted(ONE, given(Sanders=6))))
    assert only(found) == (Kind.NEW, {"Sanders": Fraction(6, 10)})


def test_a_sheet_that_is_in_but_did_not_count_before_is_new() -> None:
    figures = given(Sanders=6)
    found = compare(frozen(FrozenPrecinct(ONE, figures)), frozen(counted(ONE, figures)))
    assert only(found) == (Kind.NEW, {"Sanders": Fraction(6, 10)})


def test_a_corrected_sheet_says_which_fields() -> None:
    before, after = (
        sheet(20, Sanders=(12, 12, 4), Warren=(8, 8, 2)),
        sheet(20, Sanders=(12, 12, 3), Warren=(8, 8, 3)),
    )
    found = compare(frozen(counted(ONE, before)), frozen(counted(ONE, after)))
    assert only(found) == (Kind.CORRECTED, {"Sanders": Fraction(-1, 10), "Warren": Fraction(1, 10)})
    assert found.changes[0].fields == (
        FieldChange("Sanders.delegates", 4, 3), FieldChange("Warren.delegates", 2, 3),
    )  # fmt: skip


def test_a_correction_that_moves_no_sde_is_still_said() -> None:
    before, after = sheet(20, Sanders=(12, 12, 6)), sheet(20, Sanders=(13, 12, 6))
    found = compare(frozen(counted(ONE, before)), frozen(counted(ONE, after)))
    assert only(found) == (Kind.CORRECTED, {})


def test_a_ruling_is_told_from_a_correction() -> None:
    before, after = given(Sanders=6), given(Warren=6)
    ruled = compare(frozen(counted(ONE, before)), frozen(counted(ONE, after, ruling=7)))
    assert ruled.changes[0].kind is Kind.RULED
    later = compare(frozen(counted(ONE, before, ruling=7)), frozen(counted(ONE, after)))
    assert later.changes[0].kind is Kind.CORRECTED


def test_a_sheet_that_only_states_more_is_completed() -> None:
    before, after = sheet(None, Sanders=(12, 12, None)), sheet(20, Sanders=(12, 12, 6))
    found = compare(frozen(counted(ONE, before)), frozen(counted(ONE, after)))
    assert only(found)[0] is Kind.COMPLETED
    assert FieldChange("attendance", None, 20) in found.changes[0].fields


def test_withdrawn_and_gone() -> None:
    before = frozen(counted(ONE, given(Sanders=6)), counted(TWO, given(Warren=5)))
    after = frozen(FrozenPrecinct(ONE, given(Sanders=6)))
    found = compare(before, after)
    assert [change.kind for change in found.changes] == [Kind.WITHDRAWN, Kind.GONE]
    assert [dict(change.sdes) for change in found.changes] == [
        {"Sanders": Fraction(-6, 10)}, {"Warren": Fraction(-5, 10)},
    ]  # fmt: skip
    assert (found.counted, found.on_roster) == ((2, 0), (2, 1))


def test_a_precinct_that_the_roster_did_not_have() -> None:
    found = compare(frozen(), frozen(counted(ONE, None), counted(TWO, given(Warren=5))))
    assert [change.kind for change in found.changes] == [Kind.ADDED, Kind.NEW]


def test_a_late_site_moves_the_others_of_its_pool() -> None:
    unknown = replace(B, attendance=None)
    before = frozen(counted(A, given(Sanders=5)), counted(unknown, None))
    after = frozen(counted(A, given(Sanders=5)), counted(unknown, given(10, Warren=4)))
    kinds = {change.precinct.id: change.kind for change in compare(before, after).changes}
    assert kinds == {"A": Kind.REWEIGHED, "B": Kind.NEW}
    move = next(m for m in compare(before, after).groups if m.group == "Sanders")
    assert dict(move.by_kind) == {Kind.REWEIGHED: Fraction(-6, 4)}


def test_groups_that_change_places() -> None:
    before = frozen(counted(ONE, given(Sanders=6)), counted(TWO, given(Warren=5)))
    after = frozen(counted(ONE, given(Sanders=4, Biden=2)), counted(TWO, given(Warren=5)))
    found = compare(before, after)
    assert [(m.group, m.before.rank, m.after.rank) for m in found.rank_changes] == [
        ("Warren", 2, 1), ("Sanders", 1, 2), ("Biden", None, 3),
    ]  # fmt: skip


def test_other_ballots_cannot_be_compared() -> None:
    other = FrozenList(replace(RULES, groups=(Group("X", "X"),)), ())
    with pytest.raises(ValueError, match="other groups"):
        compare(frozen(), other)


SHEETS = st.one_of(
    st.none(),
    st.builds(
        lambda s, w, people: sheet(people, Sanders=(s, s, s), Warren=(w, w, w)),
        st.integers(0, 3), st.integers(0, 3), st.sampled_from((None, 5, 40)),
    ),
)  # fmt: skip
UNITS = (ONE, TWO, precinct("3", 4, 7, county="Polk"), A, B, site("C", None))
LISTS = st.lists(
    st.tuples(SHEETS, st.booleans(), st.sampled_from((None, 1, 2)), st.booleans()), min_size=6, max_size=6
)


@settings(max_examples=120, deadline=None)
@drawn(LISTS, LISTS)
def test_every_sde_that_moved_is_explained(
    one: list[tuple[ResultSheet | None, bool, int | None, bool]],
    two: list[tuple[ResultSheet | None, bool, int | None, bool]],
) -> None:
    before, after = (
        frozen(
            *(
                FrozenPrecinct(unit, figures, is_in and figures is not None, ruling)
                for unit, (figures, is_in, ruling, there) in zip(UNITS, entries, strict=True)
                if there
            )
        )
        for entries in (one, two)
    )
    found, back = compare(before, after), compare(after, before)
    for move, reverse in zip(found.groups, back.groups, strict=True):
        assert move.sde == sum((change.sdes.get(move.group, 0) for change in found.changes), Fraction(0))
        assert move.sde == sum(move.by_kind.values(), Fraction(0)) == -reverse.sde
    assert {c.precinct.id for c in found.changes} == {c.precinct.id for c in back.changes}
    for change in found.changes:
        if change.kind is Kind.REWEIGHED:
            assert before.counted(change.precinct.id) is not None
            assert change.sdes


@pytest.mark.parametrize("counting", list(Counting))
def test_a_frozen_list_adds_up_to_the_tally(counting: Counting) -> None:
    figures = sheet(20, Sanders=(12, 12, 4), Warren=(8, 8, 2))
    base = overview(
        pair(ONE, figures, figures),
        pair(TWO, given(Sanders=5), given(Warren=5)),
        report(A, given(Sanders=3, Warren=2)),
        pair(B, given(20, Sanders=4), given(20, Sanders=4)),
        report(precinct("M", 0), None),
    )
    found = FrozenList.of(base, counting)
    row = base.tally(counting=counting).rows[0]
    assert set(found.precincts) == {"1", "2", "A", "B"}
    for line in row.groups:
        values = (found.sdes(id).get(line.group, 0) for id in found.precincts)
        assert sum(values, Fraction(0)) == line.sde
    for id in ("1", "2", "A", "B"):
        assert found.worth[id] == base.delegate_worth(id)


# ---- the releases of 2020 ----


def release(name: str) -> FrozenList:
    roster = iowa_roster()
    sheets = iowa_sheets(name, roster)
    return FrozenList(RULES, (counted(unit, sheets.get(id)) for id, unit in roster.items()))


def told(found: Comparison) -> dict[str, int]:
    return {kind.value: len(found.of(kind)) for kind in Kind if found.of(kind)}


def test_between_the_releases_of_71_and_92_percent_precincts_only_came_in() -> None:
    found = compare(release(RELEASE_71), release(RELEASE_92))
    assert (told(found), found.counted) == ({"new": 374}, (1250, 1624))
    moved = {m.group: decimal_text(m.sde, 4) for m in found.groups}
    assert (moved["Buttigieg"], moved["Sanders"]) == ("111.9874", "110.1683")


def test_between_92_percent_and_the_certified_results() -> None:
    found = compare(release(RELEASE_92), release(FINAL))
    assert told(found) == {"new": 141, "corrected": 70, "completed": 54}
    moves = {m.group: m for m in found.groups}
    sanders = {kind.value: decimal_text(value, 4) for kind, value in moves["Sanders"].by_kind.items()}
    assert sanders == {"new": "49.0856", "corrected": "-0.1495", "completed": "9.3943"}
    assert decimal_text(moves["Sanders"].sde, 4) == "58.3304"
    assert found.rank_changes == ()
    corrected = [change for change in found.largest if change.kind is Kind.CORRECTED]
    assert corrected[0].precinct.name == "Marion 08"
    fourteen = next(change for change in corrected if change.precinct.name == "DES MOINES-14")
    assert fourteen.fields == (
        FieldChange("Sanders.delegates", 1, 2), FieldChange("Warren.delegates", 2, 1),
    )  # fmt: skip
