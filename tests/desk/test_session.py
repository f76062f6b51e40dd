"""The overview keeps up with this process and others, reading again only what changed."""

import threading
from collections.abc import Iterable
from pathlib import Path

import pytest

from caucus_desk.desk import session
from caucus_desk.desk.creating import create_caucus
from caucus_desk.desk.session import Desk, open_desk
from caucus_desk.desk.settling import settle
from caucus_desk.rules.errors import Refused, RuleSetError
from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.store.records import NewReport
from caucus_desk.store.store import Store
from caucus_desk.store.units import ReadUnit
from caucus_desk.tally.report import Channel
from caucus_desk.tally.results import ControlTotal
from caucus_desk.tally.sheet import ResultSheet
from caucus_desk.tally.state import State


def report(desk: Desk, sheet: ResultSheet, precinct_id: str = "A-1", by: str = "Ann") -> None:
    with desk.store.write() as unit:
        unit.add_report(NewReport(precinct_id, Channel.PHONE, sheet, by))
        settle(unit, desk.rules, [precinct_id])


def test_a_desk_knows_its_caucus(desk: Desk) -> None:
    assert desk.caucus == "Small"
    assert desk.rules.name == "iowa-2020"
    assert list(desk.precincts) == ["A-1", "A-2", "A-3", "77-DM42", "77-T01", "SAT-1"]
    assert desk.precinct("77-DM42").county == "Polk"
    with pytest.raises(Refused, match="There is no precinct 77 in this caucus"):
        desk.precinct("77")


def test_the_overview_follows_each_save(desk: Desk, good_sheet: ResultSheet) -> None:
    assert desk.overview().coverage().reporting == 0
    report(desk, good_sheet)
    assert desk.overview().coverage().reporting == 1
    assert desk.overview().tally().rows[0].group("Biden").final == 16
    assert desk.overview() is desk.overview()


def test_only_what_changed_is_read_again(
    desk: Desk, good_sheet: ResultSheet, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.overview()
    asked: list[object] = []
    real = session.derive

    def spied(unit: ReadUnit, rules: RuleSet, ids: Iterable[str] | None, roster: object) -> object:
        asked.append(ids)
        return real(unit, rules, ids, roster)  # type: ignore[arg-type]

    monkeypatch.setattr(session, "derive", spied)
    report(desk, good_sheet)
    desk.overview()
    desk.overview()
    assert asked == [frozenset({"A-1"})]


def test_what_another_desk_saved_is_seen(desk: Desk, good_sheet: ResultSheet) -> None:
    with open_desk(desk.location) as other:
        assert other.overview().coverage().reporting == 0
        report(desk, good_sheet, "A-2")
        assert other.saved_seq() == desk.saved_seq() == 2
        assert other.overview().results["A-2"].standing.state is State.SINGLE
        report(other, good_sheet, "77-DM42")
        assert desk.overview().coverage().reporting == 2


def test_control_totals_reach_the_overview(desk: Desk) -> None:
    total = ControlTotal("Alpha", "Biden", 1, 2, 3)
    desk.overview()
    with desk.store.write() as unit:
        unit.set_control_totals([total], by="Lead", sentence="s")
    assert desk.overview().control_totals == (total,)


def test_three_threads_at_one_desk(desk: Desk, good_sheet: ResultSheet) -> None:
    failures: list[Exception] = []
    with desk.store.write() as unit:
        draft = unit.claim_draft("A-2", Channel.PAPER, "Bo")

    def run(work: object, times: int) -> threading.Thread:
        def loop() -> None:
            try:
                for number in range(times):
                    work(number)  # type: ignore[operator]
            except Exception as error:  # noqa: BLE001 - told to the test's own thread
                failures.append(error)

        thread = threading.Thread(target=loop)
        thread.start()
        return thread

    def keys(number: int) -> None:
        with desk.store.write() as unit:
            unit.save_draft_fields(draft.id, {"attendance": str(number)})

    def work(number: int) -> None:
        report(desk, good_sheet, ("A-1", "A-2", "77-DM42", "77-T01")[number % 4])

    def looks(_: int) -> None:
        overview = desk.overview()
        row = overview.tally().rows[0]
        assert row.group("Biden").final == 16 * overview.coverage().reporting

    threads = [run(keys, 40), run(work, 40), run(looks, 40)]
    for _ in range(40):
        looks(0)
    for thread in threads:
        thread.join()
    assert failures == []
    assert desk.overview().coverage().reporting == 4


def test_each_thread_has_an_overview_of_its_own(desk: Desk) -> None:
    found: list[object] = []
    thread = threading.Thread(target=lambda: found.append(desk.overview()))
    thread.start()
    thread.join()
    assert found[0] is not desk.overview()


def test_the_rule_set_is_the_stores_own(small_roster: Path, tmp_path: Path) -> None:
    candidates = tmp_path / "candidates.csv"
    candidates.write_text("candidate\nLincoln\nDouglas\nUncommitted\n", encoding="utf-8")
    made = create_caucus(
        str(tmp_path / "own.db"), "iowa-2020", small_roster, by="Lead", candidates=candidates
    )
    made.desk.close()
    with open_desk(str(tmp_path / "own.db")) as desk:
        assert desk.rules.keys == ("Lincoln", "Douglas", "Uncommitted")
        assert desk.caucus == "Iowa Democratic precinct caucuses, 3 February 2020"


def test_a_store_whose_rules_cannot_be_read_is_closed_again(tmp_path: Path) -> None:
    Store.create(tmp_path / "odd.db", caucus="x", rules_name="odd", rules_text="name = ", by="Lead").close()
    with pytest.raises(RuleSetError, match=r"odd in .*odd\.db"):
        open_desk(str(tmp_path / "odd.db"))
    assert [one.name for one in tmp_path.iterdir()] == ["odd.db"]
