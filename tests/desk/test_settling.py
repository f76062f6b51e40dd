"""The cached state follows every change in its own transaction, and remembers what was once verified."""

from dataclasses import replace

import pytest

from caucus_desk.desk.integrity import check_store, rebuild_states
from caucus_desk.desk.session import Desk
from caucus_desk.desk.settling import settle
from caucus_desk.store.actions import Action
from caucus_desk.store.records import NewReport
from caucus_desk.store.units import WriteUnit
from caucus_desk.tally.report import Channel
from caucus_desk.tally.results import PrecinctResult
from caucus_desk.tally.sheet import GroupCounts, ResultSheet
from caucus_desk.tally.state import State


def report(
    desk: Desk, sheet: ResultSheet, channel: Channel, by: str, precinct_id: str = "A-1"
) -> PrecinctResult:
    with desk.store.write() as unit:
        unit.add_report(NewReport(precinct_id, channel, sheet, by))
        return settle(unit, desk.rules, [precinct_id])[precinct_id]


def changed(sheet: ResultSheet) -> ResultSheet:
    """Another sheet that is right too: one more in the room, who stands with nobody viable."""
    return replace(sheet, attendance=101)


def agree(desk: Desk) -> None:
    """Every state in the store is what the rows say."""
    assert all(line.ok for line in check_store(desk)), [line for line in check_store(desk) if not line.ok]


def verified_lines(desk: Desk, precinct_id: str = "A-1") -> list[str]:
    with desk.store.read() as unit:
        return [one.sentence for one in unit.audit_trail(precinct_id) if one.action == Action.VERIFIED]


def rule(unit: WriteUnit, desk: Desk, sheet: ResultSheet, seen: int) -> None:
    unit.add_ruling("A-1", sheet, seen_report=seen, by="Rae", reason="called back", sentence="Rae ruled")
    settle(unit, desk.rules, ["A-1"])


def test_two_people_two_sources_verify(desk: Desk, good_sheet: ResultSheet) -> None:
    assert report(desk, good_sheet, Channel.PHONE, "Ann").standing.state is State.SINGLE
    assert verified_lines(desk) == []
    result = report(desk, good_sheet, Channel.PAPER, "Bo")
    assert result.standing.state is State.MATCHED
    assert result.verified
    assert not result.changed_after_verified
    assert verified_lines(desk) == ["North Ward, Alpha (A-1) is verified: phone and paper agree"]
    with desk.store.read() as unit:
        state = unit.states(["A-1"])["A-1"]
        assert (state.state, state.verified, state.open_errors) == (State.MATCHED, True, 0)
        last = unit.audit_trail("A-1", limit=1)[0]
        assert last.actor == "Bo"
    agree(desk)


def test_a_third_channel_that_agrees_changes_nothing(desk: Desk, good_sheet: ResultSheet) -> None:
    report(desk, good_sheet, Channel.PHONE, "Ann")
    report(desk, good_sheet, Channel.PAPER, "Bo")
    result = report(desk, good_sheet, Channel.APP, "feed")
    assert result.verified
    assert not result.changed_after_verified
    assert len(verified_lines(desk)) == 1
    agree(desk)


def test_a_new_report_after_verified_is_told(desk: Desk, good_sheet: ResultSheet) -> None:
    report(desk, good_sheet, Channel.PHONE, "Ann")
    report(desk, good_sheet, Channel.PAPER, "Bo")
    result = report(desk, changed(good_sheet), Channel.PHONE, "Ann")
    assert result.standing.state is State.MISMATCHED
    assert result.changed_after_verified
    assert "C50" in {entry.finding.id for entry in desk.overview().findings_of("A-1")}
    again = report(desk, changed(good_sheet), Channel.PAPER, "Bo")
    assert again.verified
    assert again.changed_after_verified  # what was verified before was something else
    assert len(verified_lines(desk)) == 2
    agree(desk)


def test_a_newer_report_ends_a_rulings_force(desk: Desk, good_sheet: ResultSheet) -> None:
    report(desk, good_sheet, Channel.PHONE, "Ann")
    report(desk, changed(good_sheet), Channel.PAPER, "Bo")
    with desk.store.write() as unit:
        rule(unit, desk, good_sheet, seen=2)
    with desk.store.read() as unit:
        assert unit.states(["A-1"])["A-1"].state is State.RULED
        assert unit.states(["A-1"])["A-1"].verified
    assert verified_lines(desk) == ["North Ward, Alpha (A-1) is verified by a ruling"]
    result = report(desk, good_sheet, Channel.PAPER, "Bo")
    assert result.standing.state is State.MATCHED
    assert result.changed_after_verified
    agree(desk)


def test_a_withdrawn_ruling_gives_the_mismatch_back(desk: Desk, good_sheet: ResultSheet) -> None:
    report(desk, good_sheet, Channel.PHONE, "Ann")
    report(desk, changed(good_sheet), Channel.PAPER, "Bo")
    with desk.store.write() as unit:
        rule(unit, desk, good_sheet, seen=2)
    with desk.store.write() as unit:
        unit.withdraw_ruling(
            unit.rulings(["A-1"])["A-1"], by="Rae", reason="wrong sheet", sentence="withdrawn"
        )
        result = settle(unit, desk.rules, ["A-1"])["A-1"]
    assert result.standing.state is State.MISMATCHED
    assert result.changed_after_verified
    agree(desk)


def test_a_withdrawn_report_moves_the_state_back(desk: Desk, good_sheet: ResultSheet) -> None:
    report(desk, good_sheet, Channel.PHONE, "Ann")
    with desk.store.write() as unit:
        unit.withdraw_report(
            unit.reports(["A-1"])["A-1"][0], by="Ann", reason="wrong precinct", sentence="withdrawn"
        )
        result = settle(unit, desk.rules, ["A-1"])["A-1"]
    assert result.standing.state is State.AWAITING
    agree(desk)


def test_an_error_is_open_until_it_is_acknowledged(desk: Desk, good_sheet: ResultSheet) -> None:
    rows = (*good_sheet.groups[:2], GroupCounts("Sanders", 24, 20, 2), *good_sheet.groups[3:])
    wrong = replace(good_sheet, groups=rows)
    report(desk, wrong, Channel.PHONE, "Ann")
    result = report(desk, wrong, Channel.PAPER, "Bo")
    assert result.standing.state is State.MATCHED
    assert "C06" in result.open_errors
    assert not result.verified
    with desk.store.write() as unit:
        for finding in result.open_errors:
            unit.acknowledge(
                "A-1", finding, wrong.fingerprint, by="Rae", reason="as on paper", at_desk=False, sentence="s"
            )
        after = settle(unit, desk.rules, ["A-1"])["A-1"]
    assert after.verified
    with desk.store.read() as unit:
        assert unit.audit_trail("A-1", limit=1)[0].actor == "Rae"
    agree(desk)


@pytest.fixture
def twins(desk: Desk, good_sheet: ResultSheet) -> Desk:
    """A-1 is verified, then the same sheet comes in for A-2, on paper."""
    report(desk, good_sheet, Channel.PHONE, "Ann")
    assert report(desk, good_sheet, Channel.PAPER, "Bo").verified
    report(desk, good_sheet, Channel.PAPER, "Bo", "A-2")
    return desk


def test_one_sheet_in_two_precincts_counts_against_both(twins: Desk, good_sheet: ResultSheet) -> None:
    with twins.store.read() as unit:
        assert not unit.states(["A-1"])["A-1"].verified
    assert not twins.overview().results["A-1"].verified
    second = report(twins, good_sheet, Channel.PHONE, "Ann", "A-2")
    assert "C35" in second.open_errors
    agree(twins)


def test_and_no_more_when_the_other_sheet_is_corrected(twins: Desk, good_sheet: ResultSheet) -> None:
    other = replace(good_sheet, groups=(GroupCounts("Biden", 40, 41, 2), *good_sheet.groups[1:]))
    report(twins, other, Channel.PAPER, "Bo", "A-2")
    with twins.store.read() as unit:
        assert unit.states(["A-1"])["A-1"].verified
    assert twins.overview().results["A-1"].verified
    agree(twins)


def test_stale_states_are_found_and_rebuilt(desk: Desk, good_sheet: ResultSheet) -> None:
    with desk.store.write() as unit:  # a change that forgot to settle
        unit.add_report(NewReport("A-1", Channel.PHONE, good_sheet, "Ann"))
    bad = [line for line in check_store(desk) if not line.ok]
    assert [line.name for line in bad] == ["states", "control totals"]
    assert "A-1 is kept with state awaiting instead of single" in bad[0].detail
    assert "Biden first: 14 in the tally, 0 in the tables" in bad[1].detail
    assert rebuild_states(desk, "Lead") == 1
    agree(desk)
    assert rebuild_states(desk, "Lead") == 0
