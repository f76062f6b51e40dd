"""The call center in small: desks as real processes on one store, killed in mid-save; then all adds up."""

from pathlib import Path

import pytest

from caucus_desk.desk.session import open_desk
from caucus_desk.store.records import NewReport
from tests.benchmarks import call_center
from tests.benchmarks.call_center import Plan
from tests.benchmarks.invented_state import make_state


@pytest.mark.timeout(300)
def test_desks_of_one_laptop_share_a_file(tmp_path: Path) -> None:
    plan = Plan(desks=3, precincts=24, kills=3, seed=7)
    with call_center.place(tmp_path, sqlite=True) as (location, server):
        outcome = call_center.run(plan, location, tmp_path, server)
    assert outcome.faults == []
    assert outcome.kills == 3
    assert len(outcome.saved) >= 48


@pytest.mark.timeout(300)
def test_desks_share_a_server_that_goes_down(tmp_path: Path) -> None:
    if not call_center.has_server():
        pytest.skip("no PostgreSQL server is installed here")
    plan = Plan(desks=3, precincts=16, kills=2, restarts=1, seed=8)
    with call_center.place(tmp_path, sqlite=False) as (location, server):
        outcome = call_center.run(plan, location, tmp_path, server)
    assert outcome.faults == []
    assert (outcome.kills, outcome.restarts) == (2, 1)
    assert len(outcome.saved) >= 32


def test_what_is_wrong_is_found(tmp_path: Path) -> None:
    """What holds the night together is no ornament: a report too many, and one that is lost."""
    plan = Plan(desks=2, precincts=6, kills=0, seed=9)
    state = make_state(plan.precincts, plan.desks, seed=plan.seed)
    with call_center.place(tmp_path, sqlite=True) as (location, server):
        outcome = call_center.run(plan, location, tmp_path, server)
        assert outcome.faults == []
        with open_desk(location) as desk:
            entry = state.of("paper")[state.roster[0].id]
            with desk.store.write() as unit:
                (old,) = [
                    one
                    for one in unit.reports([entry.precinct_id])[entry.precinct_id]
                    if one.channel == "paper"
                ]
                twice = unit.add_report(NewReport(entry.precinct_id, old.channel, old.sheet, old.by))
            found = call_center.faults(desk, state, state.entries, outcome)
            assert [one for one in found if "were keyed" in one] == [
                f"{twice.id} reports are there and {twice.id - 1} were keyed"
            ]
            with desk.store.write() as unit:
                unit.withdraw_report(twice, by="Eve", reason="x", sentence="x")
                for one in unit.reports([entry.precinct_id])[entry.precinct_id]:
                    if one.id != twice.id:
                        unit.withdraw_report(one, by="Eve", reason="x", sentence="x")
            found = call_center.faults(desk, state, state.entries, outcome)
            assert any("was acknowledged and is not there" in one for one in found)
            assert any("where" in one and "were planned" in one for one in found)
