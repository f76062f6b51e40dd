"""The overview adds up what counts, county by county, exactly, and keeps up with each change."""

from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caucus_desk.rules.loading import parse_rule_set
from caucus_desk.rules.ruleset import RoundedSum, RuleSet, Unit
from caucus_desk.tally.assess import assess
from caucus_desk.tally.finding import Severity
from caucus_desk.tally.overview import Overview, percent
from caucus_desk.tally.report import Acknowledgement, Channel, Report, Ruling
from caucus_desk.tally.results import By, Counting, PrecinctResult
from caucus_desk.tally.roster import Precinct, PrecinctKind
from caucus_desk.tally.sheet import GroupCounts, ResultSheet
from caucus_desk.tally.state import State

FILE = Path(__file__).parents[2] / "resources" / "rules" / "iowa-2020.toml"
RULES: RuleSet = parse_rule_set(FILE.read_text(encoding="utf-8"), FILE.name)
NOON = datetime(2020, 2, 4, 2, 0, tzinfo=UTC)

ADAIR = [Precinct(f"A{i}", "Adair", f"Adair {i}", district="3", delegates=5,
                  county_state_delegates=4, county_total_delegates=51) for i in (1, 2, 3)]  # fmt: skip
POLK = [Precinct(f"P{i}", "Polk", f"Des Moines-{i}", district="3", delegates=6,
                 county_state_delegates=392, county_total_delegates=1401) for i in (1, 2)]  # fmt: skip
LINN = [Precinct("L1", "Linn", "Cedar Rapids 1", district="1", delegates=5,
                 county_state_delegates=10, county_total_delegates=40)]  # fmt: skip
MERGED = Precinct("M1", "Linn", "Merged away", district="1", delegates=0)
SITES = [
    Precinct("S1", "CD1 Satellite", "Library", PrecinctKind.SATELLITE, "1", 5, 6, None, 24),
    Precinct("S2", "CD1 Satellite", "School", PrecinctKind.SATELLITE, "1", None, 6, None, 76),
    Precinct("S9", "Out of State Satellite", "Paris", PrecinctKind.SATELLITE, None, None, 4, None, None),
]
ROSTER = [*ADAIR, *POLK, *LINN, MERGED, *SITES]


def sheet(attendance: int | None, **rows: tuple[int | None, int | None, int | None]) -> ResultSheet:
    return ResultSheet(attendance, tuple(GroupCounts(group, *counts) for group, counts in rows.items()))


CLEAN = sheet(100, Sanders=(60, 60, 3), Warren=(40, 40, 2))
"""Agrees with the rules for five delegates: 3.0 and 2.0."""
WRONG = sheet(100, Sanders=(60, 60, 2), Warren=(40, 40, 3))
SIX = sheet(200, Sanders=(100, 100, 3), Warren=(50, 50, 2), Biden=(50, 50, 1))
"""A tie: one of Warren and Biden loses one; the sheet says who."""


def reported(precinct: Precinct, *sheets: tuple[Channel, ResultSheet, str], **more: object) -> PrecinctResult:
    reports = [Report(i, precinct.id, c, s, by, NOON) for i, (c, s, by) in enumerate(sheets, start=1)]
    return assess(RULES, precinct, reports, more.get("ruling"), more.get("acks", ()))  # type: ignore[arg-type]


def pair(precinct: Precinct, figures: ResultSheet, **more: object) -> PrecinctResult:
    return reported(precinct, (Channel.PHONE, figures, "Ann"), (Channel.PAPER, figures, "Bo"), **more)


def app(precinct: Precinct, figures: ResultSheet) -> PrecinctResult:
    return reported(precinct, (Channel.APP, figures, "Cy"))


def overview(*results: PrecinctResult) -> Overview:
    given_ids = {result.precinct.id: result for result in results}
    return Overview(RULES, "Test", [given_ids.get(p.id) or reported(p) for p in ROSTER])


def test_a_county_delegate_is_worth_its_countys_ratio() -> None:
    row = overview(pair(ADAIR[0], CLEAN)).tally().rows[0]
    assert row.group("Sanders").sde == Fraction(3 * 4, 51)
    assert row.group("Sanders").delegates == 3
    assert (row.first_total, row.final_total, row.delegates_total) == (100, 100, 5)


def test_as_reported_and_as_computed_stand_side_by_side() -> None:
    line = overview(pair(ADAIR[0], WRONG)).tally().rows[0].group("Sanders")
    assert (line.delegates, line.delegates_computed) == (2, 3)
    assert (line.sde, line.sde_computed) == (Fraction(8, 51), Fraction(12, 51))


def test_a_tie_that_the_sheet_settles_is_as_computed() -> None:
    result = pair(POLK[0], SIX)
    assert result.tie is None
    assert result.computed == {"Sanders": 3, "Warren": 2, "Biden": 1}


def test_a_tie_that_the_sheet_does_not_settle_stays_open() -> None:
    result = pair(POLK[0], sheet(200, Sanders=(100, 100, 4), Warren=(50, 50, 1), Biden=(50, 50, 1)))
    assert result.tie is not None
    assert (result.tie.kind, result.tie.k, set(result.tie.groups)) == ("lose", 1, {"Warren", "Biden"})
    assert result.computed == {"Sanders": 3, "Warren": 2, "Biden": 2}


def test_a_missing_round_counts_as_reported_and_is_listed() -> None:
    result = pair(ADAIR[0], sheet(100, Sanders=(60, 0, 3), Warren=(40, 0, 2)))
    assert result.not_computed
    assert result.computed == result.reported == {"Sanders": 3, "Warren": 2}


def test_a_blank_final_is_never_computed_as_zero() -> None:
    result = app(ADAIR[0], sheet(100, Sanders=(60, 60, 3), Warren=(40, None, 2)))
    assert result.not_computed


def test_verified_counting_leaves_out_what_two_people_have_not_keyed() -> None:
    seen = overview(pair(ADAIR[0], CLEAN), app(POLK[0], SIX))
    assert seen.tally(counting=Counting.REPORTED).rows[0].counted == 2
    verified = seen.tally(counting=Counting.VERIFIED).rows[0]
    assert (verified.counted, verified.first_total) == (1, 100)
    coverage = seen.coverage()
    assert (coverage.reporting, coverage.verified, coverage.total) == (2, 1, 9)


def test_a_mismatched_precinct_counts_with_its_paper_sheet() -> None:
    result = reported(ADAIR[0], (Channel.PHONE, CLEAN, "Ann"), (Channel.PAPER, WRONG, "Bo"))
    seen = overview(result)
    assert result.standing.state is State.MISMATCHED
    assert seen.tally().rows[0].group("Warren").delegates == 3
    assert [m.field for m in seen.mismatches()] == ["Sanders.delegates", "Warren.delegates"]


def test_an_open_error_keeps_a_match_from_verifying_until_someone_gives_a_reason() -> None:
    assert not pair(ADAIR[0], WRONG).verified
    for id in pair(ADAIR[0], WRONG).open_errors:
        assert id in {"C16", "C20"}
    acks = [
        Acknowledgement("A1", id, WRONG.fingerprint, "Di", NOON, "as on the paper", False)
        for id in pair(ADAIR[0], WRONG).open_errors
    ]
    assert pair(ADAIR[0], WRONG, acks=acks).verified
    other = [
        Acknowledgement(a.precinct_id, a.finding, CLEAN.fingerprint, a.by, a.at, a.reason, False)
        for a in acks
    ]
    assert not pair(ADAIR[0], WRONG, acks=other).verified, "an acknowledgement holds for its figures only"


def test_an_acknowledgement_falls_when_what_it_was_given_for_changes() -> None:
    """C40 reads the sheet's own number of delegates to elect, which is no figure of a group."""
    eight = replace(CLEAN, delegates_to_elect=8)
    ack = Acknowledgement("A1", "C40", eight.bound_to("C40"), "Di", NOON, "old form", False)
    assert pair(ADAIR[0], eight, acks=[ack]).verified
    assert pair(ADAIR[0], replace(CLEAN, delegates_to_elect=36), acks=[ack]).open_errors == ("C40",)
    assert eight.bound_to("C16") == CLEAN.bound_to("C16"), "other findings do not read it"


def test_a_blank_delegates_field_does_not_lose_the_toss() -> None:
    two = Precinct("T2", "Adair", "Two", delegates=2, county_state_delegates=4, county_total_delegates=51)
    rows = ResultSheet(
        19, (GroupCounts("Biden", 6, 6), GroupCounts("Buttigieg", 7, 7, 1), GroupCounts("Sanders", 6, 6, 1))
    )
    result = app(two, rows)
    assert result.computed == {"Biden": 1, "Buttigieg": 1, "Sanders": 1}
    assert result.tie is not None
    assert (result.tie.kind, result.tie.k, set(result.tie.groups)) == ("lose", 1, {"Biden", "Sanders"})


def test_a_first_alignment_with_a_blank_gives_no_weight_to_a_site() -> None:
    blank = ResultSheet(None, (GroupCounts("Biden", 20, 20, 2), GroupCounts("Sanders", None, 18, 2)))
    unknown = app(SITES[2], blank)
    seen = overview(unknown)
    assert unknown.delegates_to_elect is None
    assert seen.tally().rows[0].sde_total == 0
    assert seen.unweighed_sites() == (SITES[2],)


def test_a_pool_without_state_delegates_is_named() -> None:
    bare = Precinct("S1", "CD9 Satellite", "Hall", PrecinctKind.SATELLITE, "9", 5)
    seen = Overview(RULES, "Test", [app(bare, sheet(24, Sanders=(24, 24, 5)))])
    assert seen.unscaled_counties == ("CD9 Satellite",)


def test_a_ruling_counts_and_verifies() -> None:
    ruling = Ruling(1, "A1", CLEAN, seen_report=2, by="Di", at=NOON, reason="called the chair")
    result = reported(ADAIR[0], (Channel.PHONE, CLEAN, "Ann"), (Channel.PAPER, WRONG, "Bo"), ruling=ruling)
    assert result.standing.state is State.RULED
    assert result.verified
    assert overview(result).tally().rows[0].group("Sanders").delegates == 3


def test_merged_precincts_are_outside_every_count() -> None:
    seen = overview()
    assert seen.coverage().total == len(ROSTER) - 1
    assert MERGED not in seen.awaiting()
    assert MERGED not in seen.missing_paper()
    assert [row.precincts for row in seen.tally(By.COUNTY).rows if row.key == "Linn"] == [1]


def test_rows_have_the_keys_that_scripts_build_on() -> None:
    seen = overview()
    assert [row.key for row in seen.tally(By.STATE).rows] == ["state"]
    assert [row.key for row in seen.tally(By.DISTRICT).rows] == ["1", "3", "out-of-state"]
    assert "CD1 Satellite" in [row.key for row in seen.tally(By.COUNTY).rows]
    assert [row.key for row in seen.tally(By.PRECINCT).rows][:2] == ["A1", "A2"]


def test_satellite_pools_are_no_counties() -> None:
    seen = overview(app(SITES[0], sheet(24, Sanders=(24, 24, 5))))
    assert (seen.coverage().counties_reporting, seen.coverage().counties) == (0, 3)
    assert seen.coverage().reporting == 1


def test_a_site_is_weighed_by_attendance_and_a_late_site_moves_the_others() -> None:
    library = app(SITES[0], sheet(24, Sanders=(14, 14, 3), Warren=(10, 10, 2)))
    before = overview(library)
    assert before.sde("S1")[0]["Sanders"] == Fraction(6 * 24, 24 + 76) * Fraction(3, 5)
    school = app(SITES[1], sheet(96, Sanders=(96, 96, 8)))
    before.replace([school])
    assert before.sde("S1")[0]["Sanders"] == Fraction(6 * 24, 24 + 96) * Fraction(3, 5)
    assert before.results["S2"].delegates_to_elect == 8


def test_a_site_where_nobody_came_reports_without_a_division_by_zero() -> None:
    nobody = app(SITES[2], sheet(0, Sanders=(0, 0, 0)))
    seen = overview(nobody)
    assert seen.coverage().reporting == 1
    assert seen.tally().rows[0].sde_total == 0


def test_the_same_figures_in_two_precincts_keep_both_from_verifying() -> None:
    seen = overview(pair(ADAIR[0], CLEAN))
    assert seen.results["A1"].verified
    seen.replace([pair(ADAIR[1], CLEAN)])
    assert seen.results["A1"].open_errors == ("C35",)
    assert seen.results["A2"].open_errors == ("C35",)
    assert seen.coverage().verified == 0
    different = sheet(100, Sanders=(61, 61, 3), Warren=(39, 39, 2))
    seen.replace([pair(ADAIR[1], different)])
    assert seen.results["A1"].verified
    assert seen.coverage().verified == 2


def test_findings_are_said_once_and_name_the_sheet_that_counts() -> None:
    seen = overview(pair(ADAIR[0], WRONG))
    found = [f for f in seen.findings(Severity.ERROR) if f.finding.id == "C16"]
    assert len(found) == 1
    assert found[0].standing
    assert found[0].channel is Channel.PAPER
    assert found[0].sdes_at_stake == Fraction(4, 51)


def test_national_delegates_leave_out_of_state_sites_to_the_statewide_pools() -> None:
    paris = app(SITES[2], sheet(40, Yang=(40, 40, 5)))
    pools = {pool.pool.id: pool for pool in overview(pair(ADAIR[0], CLEAN), paris).national().pools}
    assert all(p.pool.district is None for p in pools.values() if p.seats.get("Yang"))
    assert any(p.seats.get("Yang") for p in pools.values())


def test_the_banner_says_what_is_in() -> None:
    assert overview(app(ADAIR[0], CLEAN)).banner() == (
        "UNOFFICIAL, PARTIAL: 1 of 9 precincts (11.1%), 1 of 3 counties"
    )
    alone = Overview(RULES, "Test", [app(ADAIR[0], CLEAN)])
    assert alone.banner() == "UNOFFICIAL, COMPLETE: 1 of 1 precinct (100.0%), 1 of 1 county"
    everything = overview(*(app(p, CLEAN) for p in ROSTER if not p.merged))
    assert everything.banner() == "UNOFFICIAL, COMPLETE: 9 of 9 precincts (100.0%), all 3 counties"


@pytest.mark.parametrize(
    ("part", "whole", "text"),
    [(1094, 1765, "62.0%"), (1764, 1765, "99.9%"), (5, 5, "100.0%"), (0, 7, "0.0%"), (0, 0, "n/a")],
)
def test_a_share_is_never_all_of_it_too_early(part: int, whole: int, text: str) -> None:
    assert percent(part, whole) == text


def test_a_county_without_state_delegates_in_the_roster_is_named_not_guessed() -> None:
    bare = Precinct("X1", "Clay", "Spencer", delegates=5)
    seen = Overview(RULES, "Test", [pair(bare, CLEAN)])
    assert seen.unscaled_counties == ("Clay",)
    assert seen.tally().rows[0].group("Sanders").delegates == 3


def test_a_roster_without_county_totals_adds_up_its_own() -> None:
    bare = [Precinct(f"X{i}", "Clay", f"Spencer {i}", delegates=5, county_state_delegates=2) for i in (1, 2)]
    seen = Overview(RULES, "Test", [pair(bare[0], CLEAN), reported(bare[1])])
    assert seen.tally().rows[0].group("Sanders").sde == Fraction(3 * 2, 10)


def test_rounded_sums_are_only_for_comparing_and_drift_as_the_public_page_did() -> None:
    one = sheet(100, Sanders=(100, 100, 5))
    seen = overview(app(ADAIR[0], one), app(ADAIR[1], one), app(ADAIR[2], one))
    exact = seen.tally().rows[0].group("Sanders").sde
    published = seen.tally(sums=RoundedSum.ROUNDED).rows[0].group("Sanders").sde
    assert exact == Fraction(15 * 4, 51)
    assert published == 3 * Fraction(3922, 10000)


def test_where_votes_are_reported_people_count_not_delegates() -> None:
    votes = replace(RULES, unit=Unit.VOTES)
    report = Report(1, "A1", Channel.APP, WRONG, "Ann", NOON)
    seen = Overview(votes, "Test", [assess(votes, ADAIR[0], [report], None, ())])
    assert seen.tally().rows[0].group("Sanders").sde == 60
    assert seen.sde("A1")[0]["Warren"] == 40


figures = st.builds(
    lambda a, b, d, e: sheet(a + b, Sanders=(a, a, d), Warren=(b, b, e)),
    st.integers(0, 300), st.integers(0, 300), st.integers(0, 9), st.integers(0, 9),
)  # fmt: skip
some_result = st.builds(
    lambda precinct, one, two: reported(
        precinct,
        *([(Channel.PHONE, one, "Ann")] if one else []),
        *([(Channel.PAPER, two, "Bo")] if two else []),
    ),
    st.sampled_from([p for p in ROSTER if not p.merged]),
    st.none() | figures,
    st.none() | figures,
)


@given(st.lists(some_result, max_size=12))
def test_keeping_up_gives_what_starting_again_gives(changes: list[PrecinctResult]) -> None:
    kept = overview()
    for change in changes:
        kept.tally(By.COUNTY)
        kept.replace([change])
    fresh = overview(*changes)
    for by in By:
        for counting in Counting:
            assert kept.tally(by, counting) == fresh.tally(by, counting)
    assert kept.findings() == fresh.findings()
    assert kept.coverage() == fresh.coverage()


@given(st.lists(some_result, max_size=12))
def test_every_level_adds_up_to_the_state(changes: list[PrecinctResult]) -> None:
    seen = overview(*changes)
    for counting in Counting:
        state = seen.tally(By.STATE, counting).rows[0]
        for by in (By.DISTRICT, By.COUNTY, By.PRECINCT):
            rows = seen.tally(by, counting).rows
            for line in state.groups:
                parts = [row.group(line.group) for row in rows]
                assert sum(part.first for part in parts) == line.first
                assert sum(part.final for part in parts) == line.final
                assert sum(part.delegates for part in parts) == line.delegates
                assert sum((part.sde for part in parts), Fraction(0)) == line.sde
                assert sum((part.sde_computed for part in parts), Fraction(0)) == line.sde_computed
