"""The workbook out of a desk, and one precinct worked out without a store."""

import shutil
from pathlib import Path

import pytest

from caucus_desk.desk.creating import rule_set
from caucus_desk.desk.entry import claim, submit
from caucus_desk.desk.session import Desk
from caucus_desk.desk.workbook import write_workbook
from caucus_desk.desk.worksheet import group_key, work_out
from caucus_desk.reports import leadership, saving
from caucus_desk.reports.errors import CannotWrite, DoesNotAddUp
from caucus_desk.rules.errors import Cancelled, Refused
from caucus_desk.store.errors import StoreLocked
from caucus_desk.store.store import Store
from caucus_desk.tally.report import Channel
from caucus_desk.tally.results import Counting
from caucus_desk.tally.sheet import ResultSheet

LAST_NIGHT = b"PK\x05\x06" + bytes(18)
"""A ZIP archive without anything in it: what a workbook may take the place of."""


@pytest.fixture
def reported(desk: Desk, good_sheet: ResultSheet) -> Desk:
    draft = claim(desk, "A-1", Channel.PHONE, "Anna")
    submit(desk, draft.id, good_sheet, "Anna", reasons={})
    return desk


def test_done_is_said_of_a_file_that_adds_up(reported: Desk, tmp_path: Path) -> None:
    done = write_workbook(reported, tmp_path / "out.xlsx", Counting.REPORTED, by="Anna")
    assert done.path.exists()
    assert done.banner == "UNOFFICIAL, PARTIAL: 1 of 5 precincts (20.0%), 1 of 2 counties"
    assert dict(done.rows)["Precincts"] == 6, "the merged one is listed too"
    with reported.store.read() as unit:
        newest = unit.audit_trail(limit=1)[0]
    assert (newest.action, newest.actor) == ("exported", "Anna")
    assert "out.xlsx" in newest.sentence


def test_a_file_that_differs_from_the_desk_does_not_replace_a_good_one(
    reported: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out.xlsx"
    write_workbook(reported, out)
    before = out.read_bytes()
    old = tmp_path / "old.xlsx"
    shutil.copy(out, old)
    other = leadership.read_back(old)
    draft = claim(reported, "A-2", Channel.PHONE, "Anna")
    sheet = reported.overview().results["A-1"].standing.sheet
    assert sheet is not None
    submit(reported, draft.id, sheet, "Anna", reasons=dict.fromkeys(("C15", "C20", "C14"), "seen"))
    monkeypatch.setattr(leadership, "read_back", lambda path: other)
    with pytest.raises(DoesNotAddUp):
        write_workbook(reported, out)
    assert out.read_bytes() == before


def test_cancelling_keeps_the_file_that_was_there(reported: Desk, tmp_path: Path) -> None:
    out = tmp_path / "out.xlsx"
    out.write_bytes(LAST_NIGHT)

    def stop(done: int, total: int, what: str) -> None:
        raise Cancelled("Stopped.")

    with pytest.raises(Cancelled):
        write_workbook(reported, out, progress=stop)
    assert out.read_bytes() == LAST_NIGHT
    assert [file.name for file in tmp_path.iterdir() if file.suffix == ".tmp"] == []


def test_groups_are_known_by_key_or_label_in_any_case() -> None:
    rules = rule_set("iowa-2020")
    assert group_key(rules, " wARREN ") == "Warren"
    assert group_key(rules, "Waren") is None
    worked = work_out(rules, 4, 40, {"sanders": 22, "Somebody": 18})
    assert dict(worked.awards) == {"Sanders": 2, "Somebody": 2}


def test_impossible_counts_are_refused() -> None:
    rules = rule_set("iowa-2020")
    for delegates, attendance, finals in ((-1, 5, {}), (4, 100_000, {}), (4, 40, {"Warren": -1})):
        with pytest.raises(Refused, match="from 0 to 99,999"):
            work_out(rules, delegates, attendance, finals)
    with pytest.raises(Refused, match="named twice"):
        work_out(rules, 4, 40, {"Warren": 1, "warren ": 2})


@pytest.mark.a_file
def test_a_store_is_never_written_over(reported: Desk, tmp_path: Path) -> None:
    named_so = tmp_path / "night.xlsx"
    shutil.copy(reported.location, named_so)
    before = named_so.read_bytes()
    with pytest.raises(CannotWrite, match="a database"):
        write_workbook(reported, named_so, by="Anna")
    assert named_so.read_bytes() == before


def test_no_file_goes_out_that_the_trail_does_not_know(reported: Desk, tmp_path: Path) -> None:
    with Store.open(reported.location) as other, other.write(), pytest.raises(StoreLocked):
        write_workbook(reported, tmp_path / "out.xlsx", by="Anna")
    assert not (tmp_path / "out.xlsx").exists()


def test_a_file_that_could_not_take_its_place_is_said_to_be_so(
    reported: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def held_open(*_: object) -> None:
        raise PermissionError(13, "held open")

    monkeypatch.setattr(saving.os, "replace", held_open)
    with pytest.raises(CannotWrite):
        write_workbook(reported, tmp_path / "out.xlsx", by="Anna")
    with reported.store.read() as unit:
        newest, before = unit.audit_trail(limit=2)
    assert "Anna wrote the workbook out.xlsx" in before.sentence
    assert newest.sentence.startswith("The workbook out.xlsx was not put in its place")
