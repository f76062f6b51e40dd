"""The sheet of recanvasses: in the workbook as it stands, in that of the next release, never in others."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from python_calamine import CalamineWorkbook

from caucus_desk.desk.loading import load_results
from caucus_desk.desk.recanvass import RecanvassKind, end_recanvass, key_again, open_recanvass
from caucus_desk.desk.recanvassing import take_as_correction
from caucus_desk.desk.releasing import gate, make_release
from caucus_desk.desk.session import Desk
from caucus_desk.desk.workbook import write_workbook
from caucus_desk.tally.editions import Edition
from caucus_desk.tally.report import Channel
from caucus_desk.tally.results import Counting
from caucus_desk.tally.sheet import GroupCounts, ResultSheet

RESULTS = """precinct_id,candidate,first_alignment,final_alignment,county_delegates,attendance
A-1,Biden,14,16,1,100
A-1,Buttigieg,36,38,2,
A-1,Sanders,24,24,2,
A-1,Warren,22,22,1,
A-1,Yang,4,0,0,
"""
AGAIN = ResultSheet(
    100,
    (
        GroupCounts("Biden", 14, 16, 1),
        GroupCounts("Buttigieg", 36, 38, 2),
        GroupCounts("Sanders", 24, 24, 3),
        GroupCounts("Warren", 22, 22, 0),
        GroupCounts("Yang", 4, 0, 0),
    ),
)


def released(desk: Desk) -> None:
    held = {item.id: "known and looked at" for item in gate(desk, Counting.REPORTED).held}
    make_release(desk, Counting.REPORTED, passes=held, by="Lea")


@pytest.fixture
def told(desk: Desk, tmp_path: Path) -> Desk:
    """Release 1; a recanvass of A-1 that moved a delegate and was taken; release 2."""
    file = tmp_path / "results.csv"
    file.write_text(RESULTS, encoding="utf-8")
    load_results(desk, file, channel=Channel.PHONE, by="Pia")
    load_results(desk, file, channel=Channel.PAPER, by="Pat")
    released(desk)
    open_recanvass(
        desk, RecanvassKind.RECANVASS, ["A-1"],
        requested_by="the Sanders campaign", reason="=SUM looks wrong",
        deadline=datetime(2031, 2, 10, 18, tzinfo=UTC), by="Lea",
    )  # fmt: skip
    key_again(desk, 1, "A-1", AGAIN, by="Fay", note="so it stands there")
    take_as_correction(desk, 1, "A-1", reason="the paper is plain", by="Rita")
    end_recanvass(desk, 1, outcome="one delegate moved", by="Lea")
    released(desk)
    return desk


def cells(path: Path) -> str:
    rows = CalamineWorkbook.from_path(path).get_sheet_by_name("Recanvass").to_python()
    return "\n".join("|".join(str(value) for value in row) for row in rows)


def sheets(path: Path) -> list[str]:
    return list(CalamineWorkbook.from_path(path).sheet_names)


def test_the_workbook_as_it_stands_has_it(told: Desk, tmp_path: Path) -> None:
    text = cells(write_workbook(told, tmp_path / "now.xlsx").path)
    assert "1 precinct was counted again" in text
    assert "Sanders delegates 2 to 3; Warren delegates 1 to 0" in text
    assert "0.3636" in text
    assert "one delegate moved" in text
    assert "=SUM looks wrong" in text
    assert "|taken|Fay|" in text


def test_the_next_release_has_it_and_the_one_before_does_not(told: Desk, tmp_path: Path) -> None:
    assert "Recanvass" not in sheets(write_workbook(told, tmp_path / "one.xlsx", release=1).path)
    second = write_workbook(told, tmp_path / "two.xlsx", release=2).path
    assert "one delegate moved" in cells(second)
    released(told)
    assert "Recanvass" not in sheets(write_workbook(told, tmp_path / "three.xlsx", release=3).path)
    again = write_workbook(told, tmp_path / "again.xlsx", release=2).path
    assert second.read_bytes() == again.read_bytes()


def test_the_press_reads_no_names_and_nothing_that_was_written(told: Desk, tmp_path: Path) -> None:
    text = cells(write_workbook(told, tmp_path / "press.xlsx", edition=Edition.PRESS).path)
    for word in ("Fay", "Rita", "Lea", "Sanders campaign", "looks wrong", "stands there", "delegate moved"):
        assert word not in text
    assert "Sanders delegates 2 to 3" in text


def test_without_one_there_is_no_such_sheet(desk: Desk, tmp_path: Path) -> None:
    assert "Recanvass" not in sheets(write_workbook(desk, tmp_path / "none.xlsx").path)


def test_a_county_s_chair_gets_none(told: Desk, tmp_path: Path) -> None:
    path = write_workbook(told, tmp_path / "c.xlsx", edition=Edition.COUNTY, county="Alpha").path
    assert "Recanvass" not in sheets(path)
