"""`check` finds what was altered, and the trail is read a page at a time."""

import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from caucus_desk.desk.integrity import check_store
from caucus_desk.desk.session import Desk
from caucus_desk.desk.settling import settle
from caucus_desk.desk.trail import audit_trail, told_at
from caucus_desk.desk.wording import clock
from caucus_desk.rules.errors import Refused
from caucus_desk.store.actions import Action
from caucus_desk.store.records import NewReport
from caucus_desk.tally.report import Channel
from caucus_desk.tally.sheet import ResultSheet
from tests.tampering import tamper


@pytest.fixture
def busy(desk: Desk, good_sheet: ResultSheet) -> Desk:
    with desk.store.write() as unit:
        for precinct_id in ("A-1", "A-2", "77-DM42"):
            unit.add_report(NewReport(precinct_id, Channel.PHONE, good_sheet, "Ann"))
        settle(unit, desk.rules, ["A-1", "A-2", "77-DM42"])
    return desk


def failed(desk: Desk) -> dict[str, str]:
    return {line.name: line.detail for line in check_store(desk) if not line.ok}


def test_a_sound_store(busy: Desk) -> None:
    lines = check_store(busy)
    assert [line.name for line in lines] == [
        "database" if busy.store.is_shared else "file",
        "references",
        "audit chain",
        "figures",
        "attachments",
        "releases",
        "states",
        "control totals",
    ]
    assert all(line.ok for line in lines)
    assert "4 events" in lines[2].detail


def test_a_sheet_that_two_reports_complete_adds_up(desk: Desk, good_sheet: ResultSheet) -> None:
    rows = tuple(replace(row, delegates=None) for row in good_sheet.groups)
    with desk.store.write() as unit:
        unit.add_report(NewReport("A-1", Channel.PHONE, good_sheet, "Ann"))
        unit.add_report(NewReport("A-1", Channel.PAPER, replace(good_sheet, groups=rows), "Bo"))
        unit.add_report(NewReport("77-DM42", Channel.PAPER, good_sheet, "Bo"))
        settle(unit, desk.rules, ["A-1", "77-DM42"])
    (state,) = desk.overview().tally().rows
    assert state.delegates_total == 12, "the paper has no delegates, the phone report has six"
    assert failed(desk) == {}
    tamper(desk, "UPDATE precinct_state SET report_id = NULL WHERE precinct_id = '77-DM42'")
    assert "Biden delegates: 2 in the tally, 1 in the tables" in failed(desk)["control totals"]


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


def test_a_line_of_the_trail_cannot_forge_another(desk: Desk) -> None:
    with desk.store.write() as unit:
        unit.log(Action.REFUSED, "first\n   9  Bo ruled\x1b[8m\u202eabc", actor="A\tnn", precinct_id="A-1")
    (event, *_) = audit_trail(desk)
    assert event.sentence == "first\\n   9  Bo ruled\\x1b[8m\\u202eabc"
    assert event.actor == "A\\tnn"


@pytest.fixture
def central_time(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    if not hasattr(time, "tzset"):
        pytest.skip("this system's zone cannot be set for one process")
    monkeypatch.setenv("TZ", "America/Chicago")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.usefixtures("central_time")
def test_an_hour_that_comes_twice_is_told_apart() -> None:
    first = datetime(2026, 11, 1, 6, 50, tzinfo=UTC)
    second = first + timedelta(hours=1)
    assert told_at(first) == "2026-11-01 01:50:00 CDT"
    assert told_at(second) == "2026-11-01 01:50:00 CST"
    night = second + timedelta(hours=3)
    assert (clock(first, night), clock(second, night)) == ("01:50 CDT", "01:50 CST")
    assert clock(night, night) == "04:50"
    assert clock(night, night + timedelta(days=1)) == "04:50 on 2026-11-01"


def test_who_verified_is_told_by_order_and_not_by_the_clock(desk: Desk, good_sheet: ResultSheet) -> None:
    with desk.store.write() as unit:
        unit.add_report(NewReport("A-1", Channel.PHONE, good_sheet, "Ann"))
        settle(unit, desk.rules, ["A-1"])
    with desk.store.write() as unit:
        unit.set_clock(unit.now - timedelta(hours=1))  # the clock was set back
        unit.add_report(NewReport("A-1", Channel.PAPER, good_sheet, "Bo"))
        settle(unit, desk.rules, ["A-1"])
    (event, *_) = audit_trail(desk)
    assert (event.action, event.actor) == ("verified", "Bo")
