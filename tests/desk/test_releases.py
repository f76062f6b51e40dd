"""Releases: what the gate holds back, what is frozen, and that nothing later touches it."""

import csv
import hashlib
import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook

from caucus_desk.desk.creating import create_caucus
from caucus_desk.desk.integrity import check_store
from caucus_desk.desk.loading import load_results
from caucus_desk.desk.people import make_account, make_first_administrator
from caucus_desk.desk.releasefiles import export_release, verify_file
from caucus_desk.desk.releases import (
    Release,
    compare,
    frozen,
    reasons,
    release,
    released_overview,
    releases,
    whole,
)
from caucus_desk.desk.releasing import approve_release, gate, make_release
from caucus_desk.desk.review import rule
from caucus_desk.desk.roles import Role
from caucus_desk.desk.session import Desk, open_desk
from caucus_desk.desk.settings import change_setting, settings
from caucus_desk.desk.signing import sign_in
from caucus_desk.desk.workbook import write_workbook
from caucus_desk.exchange.textfile import decode
from caucus_desk.rules.errors import Refused
from caucus_desk.store.errors import StoreDamaged
from caucus_desk.tally.comparison import Kind
from caucus_desk.tally.report import Channel
from caucus_desk.tally.results import By, Counting
from caucus_desk.tally.state import State
from tests.tampering import tamper

HEAD = "precinct_id,candidate,first_alignment,final_alignment,county_delegates,attendance\n"
A1 = """A-1,Biden,14,16,1,100
A-1,Buttigieg,36,38,2,
A-1,Sanders,24,24,2,
A-1,Warren,22,22,1,
A-1,Yang,4,0,0,
"""
SAT = "SAT-1,Sanders,18,18,3,30\nSAT-1,Warren,12,12,2,\n"
DM = "77-DM42,Sanders,20,22,2,40\n77-DM42,Warren,18,18,2,\n77-DM42,Yang,2,0,0,\n"
TOWN = "77-T01,Warren,9,9,1,9\n"
R = Counting.REPORTED
Load = Callable[..., None]


@pytest.fixture
def load(desk: Desk, tmp_path: Path) -> Load:
    def go(rows: str, channel: Channel = Channel.PAPER, by: str = "Bo", correct: str | None = None) -> None:
        file = tmp_path / "results.csv"
        file.write_text(HEAD + rows, encoding="utf-8")
        load_results(desk, file, channel=channel, by=by, correct=correct)

    return go


@pytest.fixture
def some(desk: Desk, load: Load) -> Desk:
    """A-1 verified, the site in, DES MOINES-42 in by two channels that differ."""
    load(A1 + SAT + DM)
    load(A1 + SAT + DM.replace("20,22,2", "20,21,2"), Channel.PHONE, "Ann")
    return desk


def passes(desk: Desk, counting: Counting = R) -> dict[str, str]:
    return {item.id: f"known: {item.id}" for item in gate(desk, counting).held}


def make(desk: Desk, counting: Counting = R, by: str = "Lead", note: str = "") -> Release:
    return make_release(desk, counting, note=note, passes=passes(desk, counting), by=by)


# ---- the gate ----


def test_an_empty_night_is_held(desk: Desk) -> None:
    found = gate(desk, R)
    assert {item.id for item in found.held} == {"empty-counties"}
    assert not found.passable
    assert found.item("share").detail.startswith("0 of 5 precincts are counted (0.0%)")


def test_what_is_in_doubt_is_said_with_what_it_can_move(some: Desk) -> None:
    found = gate(some, R)
    doubt = found.item("doubt")
    assert (doubt.holds, doubt.precincts) == (True, ("77-DM42",))
    assert "1 precinct that is in is in doubt, 1 of them counted" in doubt.detail
    assert "At most they can take" in doubt.detail
    assert "Leader can still change" in doubt.detail
    verified = gate(some, Counting.VERIFIED).item("doubt")
    assert not verified.holds
    assert not verified.ok


def test_the_totals_come_out_a_second_way(some: Desk) -> None:
    for counting in Counting:
        assert gate(some, counting).item("totals").ok


def test_totals_that_do_not_come_out_hold(some: Desk) -> None:
    tamper(some, "UPDATE precinct_state SET report_id = 1 WHERE precinct_id = '77-DM42'")
    totals = gate(some, R).item("totals")
    assert totals.holds
    assert "in the tally" in totals.detail


def test_a_sheet_put_together_from_two_reports_adds_up(desk: Desk, load: Load) -> None:
    load("A-1,Biden,14,16,,100\nA-1,Sanders,86,84,,\n")
    load("A-1,Biden,14,16,1,100\nA-1,Sanders,86,84,5,\n", Channel.PHONE, "Ann")
    assert gate(desk, R).item("totals").ok
    made = make(desk)
    assert released_overview(desk, made.number).tally().rows[0].delegates_total == 6


def test_a_record_that_was_altered_holds(some: Desk) -> None:
    tamper(some, "UPDATE audit SET actor = 'Eve' WHERE seq = 3")
    found = gate(some, R).item("audit")
    assert found.holds
    assert "event 3 was altered" in found.detail


def test_share_by_precinct_and_by_expected_delegates(some: Desk) -> None:
    detail = gate(some, R).item("share").detail
    assert "3 of 5 precincts are counted (60.0%)" in detail
    assert "they elect 15 of 21 delegates" in detail


# ---- making ----


def test_what_is_held_goes_out_only_with_a_reason_for_it(some: Desk) -> None:
    with pytest.raises(Refused, match="a reason is needed for doubt"):
        make_release(some, R, passes={}, by="Lead")
    with pytest.raises(Refused, match="in a few words"):
        make_release(some, R, passes={"doubt": "12"}, by="Lead")
    with pytest.raises(Refused, match="no item doubts"):
        make_release(some, R, passes={"doubt": "asked the chair", "doubts": "asked"}, by="Lead")
    made = make_release(some, R, passes={"doubt": "the chair is being called"}, by="Lead", note="first")
    assert (made.number, made.by, made.note, made.waiting) == (1, "Lead", "first", False)
    (kept,) = made.passes
    assert (kept.item, kept.reason) == ("doubt", "the chair is being called")
    assert "in doubt" in kept.found
    assert release(some, 1) == made
    assert releases(some) == (made,)


def test_nothing_new_is_refused_kindly_unless_there_is_a_reason(some: Desk) -> None:
    make(some)
    with pytest.raises(Refused, match="Nothing has changed since release 1"):
        make_release(some, R, passes={"doubt": "still being called"}, by="Lead")
    again = make_release(
        some, R, passes={"doubt": "still being called", "changes": "the first file was lost"}, by="Lead"
    )
    assert again.number == 2
    assert again.digest != release(some, 1).digest


def test_what_the_lead_did_not_see_is_not_released(some: Desk, load: Load) -> None:
    seen = gate(some, R)
    load(TOWN)
    load(TOWN.replace("9,9,1,9", "8,8,1,8"), Channel.PHONE, "Ann")
    with pytest.raises(Refused, match="finds something else by now"):
        make_release(some, R, passes={"doubt": "being called"}, by="Lead", seen=seen)


def test_only_a_lead_makes_one_and_another_approves_where_asked(some: Desk) -> None:
    make_first_administrator(some, "Ada", "1111")
    for name, role in (("Lea", Role.LEAD), ("Lou", Role.LEAD), ("Cleo", Role.CLERK), ("Rev", Role.REVIEWER)):
        make_account(some, name, role, "2222", by="Ada")
        sign_in(some, name, "2222")
    for name in ("Cleo", "Rev", "Ada"):
        with pytest.raises(Refused, match="Only a lead may make or approve a release"):
            make_release(some, R, passes={"doubt": "being called"}, by=name)
    assert not settings(some).release_approval
    assert change_setting(some, "release_approval", "On", by="Lea").release_approval
    made = make_release(some, R, passes={"doubt": "being called"}, by="Lea")
    assert made.waiting
    with pytest.raises(Refused, match="waits for a second person"):
        export_release(some, 1, Path("out.csv"), by="Lea")
    with pytest.raises(Refused, match="waits for a second person"):
        write_workbook(some, Path("out.xlsx"), by="Lea", release=1)
    with pytest.raises(Refused, match="another person must approve"):
        approve_release(some, 1, by="lea")
    with pytest.raises(Refused, match="Only a lead"):
        approve_release(some, 1, by="Rev")
    assert approve_release(some, 1, by="Lou").approved_by == "Lou"
    with pytest.raises(Refused, match="already"):
        approve_release(some, 1, by="Lou")
    assert all(line.ok for line in check_store(some))


def test_approval_where_none_is_asked(some: Desk) -> None:
    make(some)
    with pytest.raises(Refused, match="needs no approval"):
        approve_release(some, 1, by="Lou")
    with pytest.raises(Refused, match="no release 2"):
        approve_release(some, 2, by="Lou")


# ---- it never changes ----


def picture(desk: Desk, number: int) -> object:
    overview = released_overview(desk, number)
    counting = release(desk, number).counting
    return (
        [overview.tally(by, counting) for by in By],
        overview.banner(),
        overview.findings(),
        overview.mismatches(),
        overview.national(counting),
    )


@pytest.mark.parametrize("counting", list(Counting))
def test_the_tally_of_a_release_is_that_of_its_moment(some: Desk, counting: Counting) -> None:
    now = some.overview()
    due = ([now.tally(by, counting) for by in By], now.banner(), now.findings(), now.mismatches(),
           now.national(counting))  # fmt: skip
    make(some, counting)
    assert picture(some, 1) == due


def test_later_reports_rulings_and_withdrawals_do_not_touch_it(some: Desk, load: Load) -> None:
    make(some)
    before, sheets = picture(some, 1), frozen(some, 1)
    assert sheets["77-DM42"].state is State.MISMATCHED
    rule(
        some, "77-DM42", {"Sanders.final": 21}, seen_report=max(sheets["77-DM42"].reports), by="Rev",
        reason="the chair said so",
    )  # fmt: skip
    load(TOWN + SAT.replace("18,18,3,30", "20,20,3,32"), correct="the site counted again")
    assert picture(some, 1) == before
    assert frozen(some, 1) == sheets
    with open_desk(some.location) as other:
        assert picture(other, 1) == before


def test_another_roster_or_other_rules_do_not_touch_it(some: Desk) -> None:
    make(some)
    before = picture(some, 1)
    tamper(some, "UPDATE precinct SET delegates = 9, county_state_delegates = 1 WHERE id = 'A-1'")
    tamper(some, "UPDATE caucus SET rules_text = replace(rules_text, 'digits = 4', 'digits = 2')")
    with open_desk(some.location) as other:
        assert picture(other, 1) == before
        assert other.rules.rounding.digits == 2


def test_an_uncounted_site_still_weighs_in_its_pool(desk: Desk, load: Load, tmp_path: Path) -> None:
    load(SAT)
    make(desk, Counting.VERIFIED)
    held = frozen(desk, 1)["SAT-1"]
    assert not held.counted
    assert held.sheet is not None
    assert held.sheet.attendance == 30
    assert released_overview(desk, 1).delegate_worth("SAT-1") == desk.overview().delegate_worth("SAT-1") > 0


def test_an_altered_release_is_found_and_does_not_go_out(some: Desk, tmp_path: Path) -> None:
    make(some)
    tamper(some, "UPDATE release_row SET final = 99 WHERE precinct_id = 'A-1' AND final = 38")
    line = next(line for line in check_store(some) if line.name == "releases")
    assert not line.ok
    assert "release 1 is not what its digest was made of" in line.detail
    with pytest.raises(StoreDamaged, match="does not give the digest"):
        export_release(some, 1, tmp_path / "out.csv", by="Lead")


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE release_precinct SET counted = 0 WHERE precinct_id = 'A-1'",
        "UPDATE release_precinct SET reports = '1' WHERE precinct_id = 'A-1'",
        "UPDATE release_row SET sde_num = sde_num + 1 WHERE precinct_id = 'A-1' AND delegates = 1",
        "UPDATE release_basis SET basis = replace(basis, 'Small', 'Large')",
        "UPDATE release_line SET line = replace(line, 'Ada Fitch', 'Eve') WHERE precinct_id = 'A-1'",
        "UPDATE release_pass SET reason = 'nobody knew'",
    ],
)
def test_whatever_of_it_is_altered_is_found(some: Desk, change: str) -> None:
    make(some)
    tamper(some, change)
    assert not next(line for line in check_store(some) if line.name == "releases").ok


# ---- comparing ----


def test_two_releases_compare_with_the_reasons_given(some: Desk, load: Load) -> None:
    make(some)
    newest = max(frozen(some, 1)["77-DM42"].reports)
    rule(some, "77-DM42", {"Sanders.final": 21}, seen_report=newest, by="Rev", reason="the chair said so")
    load(TOWN)
    load(A1.replace("22,22,1", "22,21,1"), correct="a figure misread")
    make(some)
    found = compare(some, 1, 2)
    assert {c.precinct.id: c.kind for c in found.changes} == {
        "A-1": Kind.CORRECTED, "77-DM42": Kind.RULED, "77-T01": Kind.NEW,
    }  # fmt: skip
    assert reasons(some, found, 1, 2) == {
        "A-1": "Corrected by Bo: a figure misread",
        "77-DM42": "Ruled by Rev: the chair said so",
    }
    assert compare(some, 1) == found
    assert compare(some, 2).changes == ()
    move = next(move for move in found.groups if move.group == "Warren")
    assert move.sde == Fraction(3, 5)
    with pytest.raises(Refused, match="no release 7"):
        compare(some, 7)


# ---- files ----


def test_a_csv_round_trips_and_another_program_gives_the_same_digest(
    some: Desk, small_roster: Path, tmp_path: Path
) -> None:
    made = make(some)
    file = export_release(some, 1, tmp_path / "one.csv", by="Lead")
    assert file.read_bytes().startswith(b"\xef\xbb\xbf")
    assert digest_by_hand(file) == made.digest
    found = verify_file(file)
    assert (found.ok, found.number, found.stated, found.counted) == (True, 1, made.digest, 3)
    assert verify_file(file, some).ok
    fresh = create_caucus(str(tmp_path / "fresh.sqlite"), "iowa-2020", small_roster, by="maker", name="Small")
    with fresh.desk as other:
        load_results(other, file, channel=Channel.APP, by="feed")
        again = other.overview().results["A-1"].reports[Channel.APP].sheet
        assert again.attendance == 100
        assert again.row("Buttigieg").final == 38
        assert again.row("Bennet").blank
        ours, theirs = released_overview(some, 1).tally(), other.overview().tally()
        assert [line.sde for line in ours.rows[0].groups] == [line.sde for line in theirs.rows[0].groups]


def digest_by_hand(file: Path) -> str:
    """As the README says it, and with nothing of ours."""
    with file.open(encoding="utf-8-sig", newline="") as lines:
        rows = list(csv.DictReader(lines))
    stamp = dict(part.split("=") for part in next(row["stamp"] for row in rows if row["stamp"]).split())
    precincts: dict[str, list[dict[str, str]]] = {}
    for row in rows:
        precincts.setdefault(row["precinct_id"], []).append(row)
    text = [
        "caucus-desk release 1", f"release {rows[0]['release']}", f"made {stamp['made']}",
        f"counting {stamp['counting']}", f"precincts {len(precincts)}", f"totals {stamp['totals']}",
        f"basis {stamp['basis']}",
    ]  # fmt: skip
    for id, groups in sorted(precincts.items()):
        attendance = next((row["attendance"] for row in groups if row["attendance"]), "")
        text.append("\t".join(("precinct", id, groups[0]["county"], groups[0]["precinct"], attendance)))
        for row in sorted(groups, key=lambda row: row["candidate"]):
            counts = [row[name] for name in ("first_alignment", "final_alignment", "county_delegates")]
            if any(counts):
                text.append("\t".join(("group", row["candidate"], *counts, row["sde"])))
    return hashlib.sha256("".join(f"{line}\n" for line in text).encode()).hexdigest()


def test_json_has_the_results_contract_and_the_digest(some: Desk, tmp_path: Path) -> None:
    made = make(some, note="goes out at nine")
    file = export_release(some, 1, tmp_path / "one.json", by="Lead")
    document = json.loads(file.read_text(encoding="utf-8"))
    assert (document["digest"], document["release"]["number"]) == (made.digest, 1)
    assert document["release"]["note"] == "goes out at nine"
    assert document["rows"][0]["key"] == "state"
    assert document["precincts"]["reporting"] == 3
    assert {"caucus", "rules", "counting", "as_of", "national_delegates"} <= document.keys()
    assert verify_file(file).ok
    document["sheets"][0]["groups"][0]["final"] += 1
    file.write_text(json.dumps(document), encoding="utf-8")
    told = " ".join(verify_file(file).differences)
    assert "its precincts add up to" in told


def test_a_changed_csv_is_found_and_the_row_named(some: Desk, tmp_path: Path) -> None:
    make(some)
    file = export_release(some, 1, tmp_path / "one.csv", by="Lead")
    text = file.read_text(encoding="utf-8-sig")
    file.write_text(text.replace("Buttigieg,36,38,2", "Buttigieg,36,83,2"), encoding="utf-8-sig")
    assert not verify_file(file).ok
    told = verify_file(file, some).differences[0]
    assert told.endswith("final of A-1 is 83; 38 was released.")
    assert told.startswith("row ")
    file.write_text(text.replace("A-1,Alpha", "A-1,Beta"), encoding="utf-8-sig")
    assert not verify_file(file).ok


@pytest.mark.parametrize(("was", "now"), [("A-1,Alpha", "A-1,Polk"), ("North Ward", "South Ward")])
def test_one_row_under_another_county_or_name_is_found(
    some: Desk, tmp_path: Path, was: str, now: str
) -> None:
    make(some)
    file = export_release(some, 1, tmp_path / "one.csv", by="Lead")
    lines = file.read_text(encoding="utf-8-sig").splitlines(keepends=True)
    place = next(number for number, line in enumerate(lines) if ",Sanders,24,24,2," in line)
    lines[place] = lines[place].replace(was, now)
    file.write_text("".join(lines), encoding="utf-8-sig")
    told = verify_file(file).differences[0]
    assert told.startswith(f"row {place + 1}: A-1 is ")
    assert told.endswith("and in its first row North Ward, Alpha.")


@pytest.mark.parametrize("sheet", ["Precincts", "Counties", "Districts"])
def test_a_changed_total_of_a_sheet_is_found(some: Desk, tmp_path: Path, sheet: str) -> None:
    make(some)
    file = tmp_path / "one.xlsx"
    write_workbook(some, file, counting=R, by="Lead", release=1)
    assert verify_file(file).ok
    cell = changed_cell(file, sheet, "Total", "Sanders final")
    told = verify_file(file).differences
    assert told == (f"{sheet} {cell}: the total of Sanders is 65, and the state's 64.",)


def test_changed_delegates_as_computed_are_found(some: Desk, tmp_path: Path) -> None:
    make(some)
    file = tmp_path / "one.xlsx"
    write_workbook(some, file, counting=R, by="Lead", release=1)
    changed_cell(file, "Precincts", "A-1", "Sanders delegates computed")
    told = verify_file(file).differences
    assert told == ("Sanders delegates computed of Alpha are 2, and its precincts add up to 3.",)


def changed_cell(file: Path, sheet: str, row: str, heading: str) -> str:
    """One more in the cell of this row and column; its name."""
    book = load_workbook(file)
    page: Any = book[sheet]
    headings = {cell.value: cell.column for cells in page.iter_rows(max_row=12) for cell in cells}
    place = next(cells[0].row for cells in page.iter_rows() if cells[0].value == row)
    cell = page.cell(place, headings[heading])
    cell.value += 1
    book.save(file)
    return str(cell.coordinate)


def test_a_release_of_nothing_has_no_csv(desk: Desk, tmp_path: Path) -> None:
    make(desk)
    with pytest.raises(Refused, match="counts nothing"):
        export_release(desk, 1, tmp_path / "one.csv", by="Lead")
    assert verify_file(export_release(desk, 1, tmp_path / "one.json", by="Lead")).ok


def test_other_names_are_refused(some: Desk, tmp_path: Path) -> None:
    make(some)
    with pytest.raises(Refused, match=r"\.csv, \.json or \.xlsx"):
        export_release(some, 1, tmp_path / "one.txt", by="Lead")


def test_what_would_be_a_formula_is_guarded_and_comes_back(tmp_path: Path) -> None:
    from caucus_desk.exchange.textfile import all_rows
    from caucus_desk.reports.released import guarded, unguarded

    for text in ("=1+1", "+x", "-x", "@x", "'=x", "''@x"):
        assert guarded(text) == f"'{text}"
        assert unguarded(guarded(text)) == text
        decoded = decode(f"id,name\n1,{guarded(text)}\n".encode(), "f.csv")
        assert all_rows(decoded, ",")[1][1] == ["1", text]
    for text in ("O'Brien", "'quoted'", "1-2", ""):
        assert guarded(text) == unguarded(text) == text


def test_a_digest_does_not_hang_on_what_stands_in_the_store_now(some: Desk, load: Load) -> None:
    made = make(some)
    load(TOWN)
    assert whole(some, 1).digest == made.digest
