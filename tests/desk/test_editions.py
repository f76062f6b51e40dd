"""Editions of the workbook: nothing of people goes to the press, and a county gets its own figures only."""

import zipfile
from datetime import UTC, datetime
from html import unescape
from pathlib import Path
from types import ModuleType

import pytest
from python_calamine import CalamineWorkbook

from caucus_desk.desk.acknowledge import acknowledge
from caucus_desk.desk.attachments import attach
from caucus_desk.desk.calls import record_call
from caucus_desk.desk.chase import assign, attempt
from caucus_desk.desk.creating import create_caucus
from caucus_desk.desk.entry import Caller, claim, submit
from caucus_desk.desk.errands import send_back
from caucus_desk.desk.people import make_account, make_first_administrator, sign_in
from caucus_desk.desk.releasing import make_release
from caucus_desk.desk.review import rule
from caucus_desk.desk.roles import Role
from caucus_desk.desk.session import Desk
from caucus_desk.desk.workbook import county_named, suggested_name, write_workbook
from caucus_desk.rules.errors import Refused
from caucus_desk.tally.call import CallEnd, CheckKind, Outcome
from caucus_desk.tally.editions import Edition
from caucus_desk.tally.errand import ErrandKind
from caucus_desk.tally.finding import Severity
from caucus_desk.tally.report import Channel
from caucus_desk.tally.results import Counting
from caucus_desk.tally.sheet import GroupCounts, ResultSheet

pytestmark = pytest.mark.usefixtures("qapp")
SENTINEL = "zqx"
"""Stands in every name of a person and in everything that anybody wrote."""
NUMBERS = ("5550199", "5550188", "913377")
"""Phone numbers and a PIN, as digits."""
ROSTER = """county,precinct,precinct_id,county_delegates,kind,district,county_state_delegates,\
county_total_delegates,chair,phone,pin
Alpha,North Ward,A-1,6,precinct,1,4,11,Zqx Fitch,515-555-0199,913377
Alpha,South Ward,A-2,5,precinct,1,4,11,Ben Zqxman,515-555-0188,
Polk,DES MOINES-42,77-DM42,4,precinct,3,3,5,Cora Zqx,515-555-0188,
"""
WRONG = ResultSheet(100, (GroupCounts("Sanders", 60, 60, 2), GroupCounts("Warren", 40, 40, 3)))
REASONS = dict.fromkeys(("C01", "C14", "C15", "C16", "C18", "C20"), "the zqx room insists")


def parts_of(path: Path) -> dict[str, str]:
    with zipfile.ZipFile(path) as archive:
        return {name: unescape(archive.read(name).decode("utf-8", "replace")) for name in archive.namelist()}


def leaks(path: Path) -> set[str]:
    """What of people and their words stands anywhere in the file, or in the names of its parts."""
    found: set[str] = set()
    for name, text in parts_of(path).items():
        everything = f"{name} {text}".casefold()
        if SENTINEL in everything:
            found.add(SENTINEL)
        digits = everything.replace("-", "").replace(" ", "")
        found.update(number for number in NUMBERS if number in digits)
    return found


@pytest.fixture
def night(tmp_path: Path, good_sheet: ResultSheet, scans: ModuleType) -> Desk:
    """Accounts, callers, notes, reasons, runners and attachments that all carry the sentinel."""
    roster = tmp_path / "zqx-roster.csv"
    roster.write_text(ROSTER, encoding="utf-8")
    desk = create_caucus(str(tmp_path / "s.sqlite"), "iowa-2020", roster, by="Zqx Maker", name="Small").desk
    make_first_administrator(desk, "Zqxadmin", "804213")
    roles = {"Zqxphone": Role.CLERK, "Zqxpaper": Role.CLERK, "Zqxreview": Role.REVIEWER, "Zqxlead": Role.LEAD}
    for name, role in roles.items():
        make_account(desk, name, role, "804217", by="Zqxadmin")
        sign_in(desk, name, "804217")
    caller = Caller("Zqx Caller", "515 555 0199")
    draft = claim(desk, "A-1", Channel.PHONE, "Zqxphone")
    submit(desk, draft.id, good_sheet, "Zqxphone", reasons={}, caller=caller)
    draft = claim(desk, "A-1", Channel.PAPER, "Zqxpaper")
    other = ResultSheet(100, (*good_sheet.groups[:-1], GroupCounts("Yang", 3, 0, 0)))
    submit(desk, draft.id, other, "Zqxpaper", reasons=REASONS, confirmed=True)
    draft = claim(desk, "A-2", Channel.PAPER, "Zqxpaper")
    submit(desk, draft.id, WRONG, "Zqxpaper", reasons=REASONS, confirmed=True)
    record_call(
        desk, by="Zqxphone", ended=CallEnd.NUISANCE, at=datetime.now(UTC), precinct_id="A-2", caller=caller,
        check_kind=CheckKind.NUMBER, outcome=Outcome.FAILED, notes="zqx shouted 515-555-0188",
    )  # fmt: skip
    for entry in desk.overview().findings_of("A-2"):
        if entry.standing and entry.severity is Severity.ERROR and entry.acknowledged is None:
            acknowledge(desk, "A-2", entry.finding.id, reason="zqx says so", by="Zqxreview")
    send_back(desk, "A-1", ErrandKind.FETCH, note="zqx has the sheet", by="Zqxreview")
    assign(desk, "77-DM42", "Zqx Runner", by="Zqxpaper")
    attempt(desk, "77-DM42", "other", note="zqx was out, 515-555-0199", by="Zqxpaper")
    attach(desk, "A-1", scans.jpeg(tmp_path / "zqx sheet.jpg"), by="Zqxpaper")
    return desk


def rule_on_a1(desk: Desk) -> None:
    result = desk.overview().results["A-1"]
    choices = {mismatch.field: mismatch.values[Channel.PHONE] for mismatch in result.mismatches}
    newest = max(report.id for report in result.reports.values())
    rule(desk, "A-1", choices, seen_report=newest, reason="zqx rang the chair", by="Zqxreview")


@pytest.mark.parametrize("ruled", [False, True])
@pytest.mark.parametrize("counting", list(Counting))
def test_nothing_of_people_goes_to_the_press(
    night: Desk, tmp_path: Path, counting: Counting, ruled: bool
) -> None:
    if ruled:
        rule_on_a1(night)
    done = write_workbook(night, tmp_path / "press.xlsx", counting, by="Zqxlead", edition=Edition.PRESS)
    assert leaks(done.path) == set()
    whole = write_workbook(night, tmp_path / "whole.xlsx", counting, by="Zqxlead")
    assert leaks(whole.path) == {SENTINEL}, "leadership sees who; the test would find it"


def test_nothing_of_people_goes_to_the_press_with_a_release(night: Desk, tmp_path: Path) -> None:
    passes = dict.fromkeys(held(night), "zqx cannot wait")
    make_release(night, Counting.REPORTED, note="zqx first numbers", passes=passes, by="Zqxlead")
    rule_on_a1(night)
    passes = dict.fromkeys(held(night), "zqx cannot wait")
    second = make_release(night, Counting.REPORTED, note="zqx second", passes=passes, by="Zqxlead")
    press = write_workbook(
        night, tmp_path / "press.xlsx", by="Zqxlead", release=second.number, edition=Edition.PRESS
    )
    assert leaks(press.path) == set()
    assert "Release" in CalamineWorkbook.from_path(press.path).sheet_names
    whole = write_workbook(night, tmp_path / "whole.xlsx", by="Zqxlead", release=second.number)
    assert leaks(whole.path) == {SENTINEL}


def held(desk: Desk) -> list[str]:
    from caucus_desk.desk.releasing import gate

    return [item.id for item in gate(desk, Counting.REPORTED).items if item.holds]


def test_the_press_gets_the_figures_and_no_outlook(night: Desk, tmp_path: Path) -> None:
    press = write_workbook(night, tmp_path / "press.xlsx", by="Zqxlead", edition=Edition.PRESS)
    book = CalamineWorkbook.from_path(press.path)
    assert "Outlook" not in book.sheet_names
    assert {"Summary", "National delegates", "Counties", "Precincts", "Findings", "Checks"} <= set(
        book.sheet_names
    )
    rows = book.get_sheet_by_name("Findings").to_python()
    headings = next(row for row in rows if str(row[0]).startswith("At stake,"))
    assert "Acknowledged" in headings
    assert "Reason" not in headings
    assert {row[headings.index("Acknowledged")] for row in rows[rows.index(headings) + 1 :]} == {"yes", "no"}


def test_a_county_gets_its_own_precincts_and_adds_up(night: Desk, tmp_path: Path) -> None:
    done = write_workbook(
        night, tmp_path / "alpha.xlsx", by="Zqxlead", edition=Edition.COUNTY, county="ALPHA"
    )
    assert done.banner == "UNOFFICIAL, COMPLETE: 2 of 2 precincts (100.0%), 1 of 1 county"
    book = CalamineWorkbook.from_path(done.path)
    assert not {"National delegates", "Districts", "Counties", "Outlook"} & set(book.sheet_names)
    text = "".join(parts_of(done.path).values())
    assert "DES MOINES" not in text
    assert "77-DM42" not in text
    whole = night.overview()
    rows = book.get_sheet_by_name("Summary").to_python()
    at = next(i for i, row in enumerate(rows) if row[0] == "Group")
    sdes = {row[0]: row[rows[at].index("SDE")] for row in rows[at + 1 : at + 14]}
    for group in ("Sanders", "Warren", "Biden"):
        due = sum(whole.sde(id)[0].get(group, 0) for id in ("A-1", "A-2"))
        assert sdes[group] == pytest.approx(float(due), abs=0.00006)


def test_findings_that_only_the_whole_shows_stay_in_the_county_edition(
    night: Desk, tmp_path: Path, good_sheet: ResultSheet
) -> None:
    draft = claim(night, "77-DM42", Channel.APP, "Zqxphone")
    submit(night, draft.id, good_sheet, "Zqxphone", reasons=REASONS, confirmed=True)
    rule_on_a1(night)
    found = {entry.finding.id for entry in night.overview().findings_of("A-1")}
    assert "C35" in found, "the same sheet stands in another county"
    done = write_workbook(
        night, tmp_path / "alpha.xlsx", by="Zqxlead", edition=Edition.COUNTY, county="Alpha"
    )
    rows = CalamineWorkbook.from_path(done.path).get_sheet_by_name("Findings").to_python()
    assert any(row[1:2] == ["C35"] and "A-1" in row for row in rows)


def test_a_county_that_is_not_there_is_refused_with_what_is_alike(night: Desk, tmp_path: Path) -> None:
    assert county_named(night, "  pOLK ".strip()) == "Polk"
    with pytest.raises(Refused, match=r"no county olk in this caucus. Do you mean Polk\?"):
        county_named(night, "olk")
    with pytest.raises(Refused, match="Name the county"):
        write_workbook(night, tmp_path / "x.xlsx", by="Zqxlead", edition=Edition.COUNTY)
    assert not (tmp_path / "x.xlsx").exists()


def test_a_folder_gets_a_file_with_a_name_of_its_own(night: Desk, tmp_path: Path) -> None:
    done = write_workbook(night, tmp_path, by="Zqxlead", edition=Edition.COUNTY, county="polk")
    assert done.path.parent == tmp_path
    assert done.path.name == suggested_name(night, done.as_of, edition=Edition.COUNTY, county="Polk")
    assert done.path.name.startswith("Small Polk 20")
