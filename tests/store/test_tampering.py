"""Whatever is altered behind the program's back, a figure, a row or an event, the check finds it."""

from collections.abc import Callable

import pytest

from caucus_desk.store.records import NewReport, Verification
from caucus_desk.store.store import Store
from caucus_desk.store.verifying import check_chain, check_figures
from caucus_desk.tally.report import Channel
from caucus_desk.tally.results import ControlTotal
from caucus_desk.tally.sheet import ChanceRecord, ResultSheet
from caucus_desk.tally.state import State
from tests.tampering import tamper


@pytest.fixture
def full(store: Store, new_report: Callable[..., NewReport], sheet_of: Callable[..., ResultSheet]) -> Store:
    """A store with an event of every kind."""
    rich = ResultSheet(
        90,
        sheet_of().groups,
        extras=(("early_votes", 12),),
        chance=(ChanceRecord(("Biden", "Warren"), ("Warren",)),),
    )
    with store.write() as unit:
        unit.add_report(NewReport("77-DM42", Channel.PAPER, rich, "Bo"))
        unit.add_reports([new_report("007", base=base) for base in (10, 11)])
        unit.withdraw_report(unit.reports(["007"])["007"][0], by="Bo", reason="wrong", sentence="s")
        ruling = unit.add_ruling("77-DM42", rich, seen_report=1, by="Cy", reason="seen", sentence="s")
        unit.withdraw_ruling(ruling, by="Cy", reason="again", sentence="s")
        unit.acknowledge("77-DM42", "C06", "f", by="D", reason="r", at_desk=False, sentence="s")
        unit.set_control_totals([ControlTotal("Polk", "Biden", 1, 2, 3)], by="D", sentence="s")
        unit.add_verifications([(Verification("77-DM42", State.RULED, "f", 1, unit.now), "D", "s")])
    return store


def faults(store: Store) -> tuple[tuple[str, ...], tuple[str, ...]]:
    with store.read() as unit:
        return check_chain(unit), check_figures(unit)


def test_an_honest_store_has_no_fault(full: Store) -> None:
    assert faults(full) == ((), ())


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("UPDATE report_row SET final = 1 WHERE report_id = 1 AND group_id = 2", "report 1 is not as"),
        ("UPDATE report_row SET delegates = NULL WHERE report_id = 2 AND group_id = 1", "report 2 is not as"),
        ("UPDATE report_extra SET value = 13", "report 1 is not as"),
        ("UPDATE report_chance SET won = 1 - won WHERE report_id = 1 AND place = 0", "report 1 is not as"),
        ("UPDATE report SET attendance = 91 WHERE id = 1", "report 1 is not as"),
        ("UPDATE report SET by_name = 'Eve' WHERE id = 3", "report 3 is not as"),
        ("UPDATE report SET channel = 'app' WHERE id = 3", "report 3 is not as"),
        ("UPDATE report SET precinct_id = '77-DM42' WHERE id = 3", "report 3 is not as"),
        ("DELETE FROM report_row WHERE report_id = 3 AND group_id = 3", "report 3 is not as"),
        ("INSERT INTO report_row (report_id, group_id, final) VALUES (3, 4, 5)", "report 3 is not as"),
        ("UPDATE report_withdrawal SET reason = 'right'", "withdrawal of report 2 is not as"),
        ("DELETE FROM report_withdrawal", "withdrawal of report 2 of event"),
        (
            "INSERT INTO report_withdrawal VALUES (3, 'Eve', '2020-02-03T00:00:00+00:00', 'x')",
            "withdrawal of report 3 has no event",
        ),
        ("UPDATE ruling_row SET final = 0 WHERE group_id = 2", "ruling 1 is not as"),
        ("UPDATE ruling SET approved_by = 'Lead'", "ruling 1 is not as"),
        ("DELETE FROM ruling_withdrawal", "withdrawal of ruling 1 of event"),
        ("UPDATE acknowledgement SET reason = 'better'", "acknowledgement 1 is not as"),
        ("DELETE FROM acknowledgement", "acknowledgement 1 of event"),
        ("UPDATE control_total SET first = 2", "batch of control totals 1 is not as"),
        ("UPDATE verification SET fingerprint = 'g'", "verification 1 is not as"),
        ("UPDATE precinct SET delegates = 5 WHERE id = '007'", "roster"),
        ("UPDATE precinct SET pin = '' WHERE id = '77-DM42'", "roster"),
        ("UPDATE preference_group SET label = 'Joe' WHERE id = 1", "roster"),
        ("UPDATE caucus SET rules_text = 'name = 1'", "roster"),
        (
            "INSERT INTO report (id, precinct_id, channel, by_name, at, receipt, source, caller_name, "
            "caller_number, caller_check) "
            "VALUES (4, '007', 'app', 'Eve', '2020-02-03T00:00:00+00:00', '', '', '', '', '')",
            "report 4 has no event",
        ),
    ],
)  # fmt: skip
def test_an_altered_figure_or_row_is_found(full: Store, change: str, told: str) -> None:
    tamper(full, change)
    chain, figures = faults(full)
    assert chain == ()
    assert len(figures) == 1
    assert told in figures[0]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("UPDATE audit SET actor = 'Eve' WHERE seq = 3", "event 3 was altered"),
        ("UPDATE audit SET at = '2020-02-03T00:00:00+00:00' WHERE seq = 2", "event 2 was altered"),
        ("UPDATE audit SET sentence = sentence || '!' WHERE seq = 1", "event 1 was altered"),
        ("UPDATE audit SET old_report_id = 1 WHERE seq = 3", "event 3 was altered"),
        ("UPDATE audit SET content = hash WHERE seq = 3", "event 3 was altered"),
        ("UPDATE audit SET prev_hash = hash WHERE seq = 3", "event 3 does not follow"),
        ("UPDATE audit SET hash = content WHERE seq = 3", "event 4 does not follow"),
        ("DELETE FROM audit WHERE seq = 5", "event 5 is missing before event 6"),
        ("DELETE FROM audit WHERE seq = 10", "events after number 9 are missing"),
        ("UPDATE audit SET seq = 99 WHERE seq = 10", "event 10 is missing before event 99"),
    ],
)
def test_an_altered_event_is_found(full: Store, change: str, told: str) -> None:
    tamper(full, change)
    chain, _ = faults(full)
    assert any(told in fault for fault in chain)


def test_a_figure_altered_together_with_its_event_breaks_the_chain(full: Store) -> None:
    with full.read() as unit:
        before = unit.report_digests()[3]
    tamper(full, "UPDATE report_row SET final = 99 WHERE report_id = 3 AND group_id = 1")
    with full.read() as unit:
        after = unit.report_digests()[3]
    assert before != after
    tamper(full, f"UPDATE audit SET content = '{after}' WHERE report_id = 3")
    chain, figures = faults(full)
    assert figures == ()
    assert chain == ("event 4 was altered",)


def test_all_events_taken_away(full: Store) -> None:
    tamper(full, "DELETE FROM audit")
    chain, figures = faults(full)
    assert chain == ("there is no event at all",)
    assert len(figures) > 5
