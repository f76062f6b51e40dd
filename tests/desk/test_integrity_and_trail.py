"""`check` finds what was altered, and the trail is read a page at a time."""

import sqlite3

import pytest

from caucus_desk.desk.integrity import check_store
from caucus_desk.desk.session import Desk
from caucus_desk.desk.settling import settle
from caucus_desk.desk.trail import audit_trail
from caucus_desk.rules.errors import Refused
from caucus_desk.store.actions import Action
from caucus_desk.store.records import NewReport
from caucus_desk.tally.report import Channel
from caucus_desk.tally.sheet import ResultSheet


@pytest.fixture
def busy(desk: Desk, good_sheet: ResultSheet) -> Desk:
    with desk.store.write() as unit:
        for precinct_id in ("A-1", "A-2", "77-DM42"):
            unit.add_report(NewReport(precinct_id, Channel.PHONE, good_sheet, "Ann"))
        settle(unit, desk.rules, ["A-1", "A-2", "77-DM42"])
    return desk


def failed(desk: Desk) -> dict[str, str]:
    return {line.name: line.detail for line in check_store(desk) if not line.ok}


def tamper(desk: Desk, statement: str) -> None:
    raw = sqlite3.connect(desk.location, isolation_level=None)
    for (name,) in raw.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
        raw.execute(f"DROP TRIGGER {name}")
    raw.execute("PRAGMA ignore_check_constraints = ON")
    assert raw.execute(statement).rowcount > 0
    raw.close()


def test_a_sound_store(busy: Desk) -> None:
    lines = check_store(busy)
    assert [line.name for line in lines] == [
        "file",
        "references",
        "audit chain",
        "figures",
        "states",
        "control totals",
    ]
    assert all(line.ok for line in lines)
    assert "4 events" in lines[2].detail


def test_an_altered_figure(busy: Desk) -> None:
    tamper(busy, "UPDATE report_row SET final = 25 WHERE report_id = 2 AND final = 24")
    assert failed(busy)["figures"] == "report 2 is not as event 3 recorded it"


def test_an_altered_event(busy: Desk) -> None:
    tamper(busy, "UPDATE audit SET actor = 'Eve' WHERE seq = 3")
    assert failed(busy) == {"audit chain": "event 3 was altered"}


def test_an_altered_state(busy: Desk) -> None:
    tamper(busy, "UPDATE precinct_state SET verified = 1 WHERE precinct_id = 'A-1'")
    assert failed(busy) == {"states": "A-1 is kept with verified True instead of False"}


def test_a_report_that_was_deleted(busy: Desk) -> None:
    tamper(busy, "DELETE FROM report_row WHERE report_id = 3")
    tamper(busy, "DELETE FROM report WHERE id = 3")
    found = failed(busy)
    assert "report 3 of event 4 is gone" in found["figures"]
    assert "refers to a row of report that is not there" in found["references"]
    assert "77-DM42 is kept with" in found["states"]


def test_a_count_that_no_sheet_can_have_is_told_and_not_a_crash(busy: Desk) -> None:
    tamper(busy, "UPDATE report_row SET final = 123456 WHERE report_id = 3 AND final = 24")
    found = failed(busy)
    assert "report 3 is not as event 4 recorded it" in found["figures"]
    assert "cannot be worked out" in found["states"]


def test_many_faults_are_counted(busy: Desk) -> None:
    tamper(busy, "UPDATE audit SET actor = 'Eve'")
    tamper(busy, "UPDATE report_row SET final = 0 WHERE final > 0")
    assert failed(busy)["audit chain"].count(";") == 3
    assert failed(busy)["figures"].count("report") == 3


def test_the_trail_in_pages(busy: Desk) -> None:
    with busy.store.write() as unit:
        for number in range(25):
            unit.log(Action.REFUSED, f"refusal {number}", actor="Bo", precinct_id="A-2")
    seen = []
    page = audit_trail(busy, limit=10)
    while True:
        seen += [one.seq for one in page]
        if page.older is None:
            break
        page = audit_trail(busy, limit=10, before=page.older)
    assert seen == list(range(29, 0, -1))
    of_one = audit_trail(busy, "A-2", limit=26)
    assert len(of_one) == 26
    assert of_one.older is None
    assert of_one.events[-1].report_id == 2


@pytest.mark.parametrize(("limit", "before"), [(0, None), (-1, None), (1_000_001, None), (10, 0), (10, -5)])
def test_pages_that_there_are_not(busy: Desk, limit: int, before: int | None) -> None:
    with pytest.raises(Refused):
        audit_trail(busy, limit=limit, before=before)


def test_a_trail_of_an_unknown_precinct(busy: Desk) -> None:
    with pytest.raises(Refused, match="There is no precinct X"):
        audit_trail(busy, "X")
    assert audit_trail(busy, "SAT-1").events == ()
