"""Rosters as people really send them."""

import pytest

from caucus_desk.exchange.changes import compare_rosters
from caucus_desk.exchange.problems import BadInput
from caucus_desk.exchange.roster import read_roster
from caucus_desk.rules.errors import Cancelled, CaucusError
from caucus_desk.tally.roster import Precinct, PrecinctKind

HEAD = "county,precinct,county_delegates\n"


def problems_of(path, rules):
    with pytest.raises(BadInput) as caught:
        read_roster(path, rules)
    return caught.value.problems


def said(warnings):
    return "\n".join(warnings)


def test_every_column_reaches_the_precinct(text_file, rules):
    text = (
        "County,Precinct,Precinct ID,County Delegates,KIND,district,county_state_delegates,"
        "countytotaldelegates,chair,phone,pin,last attendance,registered,attendance\n"
        "Adair,1NW,007,8,precinct,3,4,8,Ann Lee,515-555-0142,0042,120,300,\n"
        "CD1 Satellite,Library,S1,,Satellite,1,6,,,,,,,24\n"
        "Out of State Satellite,Paris,S2,5,satellite,,4,,,,,,,30\n"
    )
    roster = read_roster(text_file(text), rules)
    first, second, third = roster.rows
    assert first.precinct == Precinct(
        "007", "Adair", "1NW", PrecinctKind.PRECINCT, "3", 8, 4, 8, None, 120, 300, "Ann Lee", "515-555-0142"
    )
    assert (first.pin, first.row) == ("0042", 2)
    assert second.precinct == Precinct(
        "S1", "CD1 Satellite", "Library", PrecinctKind.SATELLITE, "1", None, 6, None, 24
    )
    assert third.precinct.district is None
    assert third.row == 4
    assert roster.precincts == (first.precinct, second.precinct, third.precinct)
    assert roster.warnings == ()


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize(
    ("encoding", "mark"),
    [
        ("utf-8", b""),
        ("utf-8", b"\xef\xbb\xbf"),
        ("utf-16-le", b"\xff\xfe"),
        ("utf-16-be", b"\xfe\xff"),
        ("utf-16-le", b""),
        ("utf-16-be", b""),
        ("cp1252", b""),
    ],
)
def test_encodings_and_delimiters(text_file, rules, encoding, mark, delimiter):
    text = "county,precinct,county_delegates\nAdair,Peña – North,8\n".replace(",", delimiter)
    roster = read_roster(text_file(text, encoding=encoding, mark=mark), rules)
    assert roster.rows[0].precinct.name == "Peña – North"
    assert roster.rows[0].precinct.id == "Adair-Peña – North"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends(text_file, rules, end):
    text = (HEAD + "Adair,A,1\nAdair,B,2\n").replace("\n", end)
    assert [row.row for row in read_roster(text_file(text), rules).rows] == [2, 3]


def test_the_delimiter_that_a_spreadsheet_states_in_the_first_line(text_file, rules):
    roster = read_roster(text_file("sep=;\ncounty;precinct;county_delegates\nAdair;A;1\n"), rules)
    assert (roster.rows[0].precinct.name, roster.rows[0].row) == ("A", 3)


def test_a_mixture_of_encodings_is_refused_with_its_line(text_file, rules, tmp_path):
    path = tmp_path / "mixed.csv"
    path.write_bytes(HEAD.encode() + "Adair,Peña,1\n".encode() + "Adair,Zoë,1\n".encode("cp1252"))
    (problem,) = problems_of(path, rules)
    assert problem.row == 3
    assert "mixture" in problem.expected


def test_bytes_that_are_no_letters_are_refused_with_their_line(tmp_path, rules):
    path = tmp_path / "odd.csv"
    path.write_bytes(HEAD.encode() + b"Adair,A\x81,1\n")
    (problem,) = problems_of(path, rules)
    assert problem.row == 2
    assert "no letters" in problem.expected


def test_letters_that_were_converted_wrongly_before_are_pointed_out(text_file, rules):
    roster = read_roster(text_file(HEAD + "Adair,PeÃ±a,1\n"), rules)
    assert "converted wrongly" in said(roster.warnings)
    assert "line 2" in said(roster.warnings)


def test_title_lines_blank_lines_and_repeated_headings(text_file, rules):
    text = (
        "Roster of the county parties,,\n\nprinted 1 February,,\n"
        "county,precinct,county_delegates\nAdair,A,1\n,,\n\n \nPolk,B,2\nCounty,Precinct,County_Delegates\n"
        "Polk,C,3\n\n\n"
    )
    roster = read_roster(text_file(text), rules)
    assert [(r.precinct.name, r.row) for r in roster.rows] == [("A", 5), ("B", 9), ("C", 11)]
    assert "3 blank rows were skipped: rows 6 to 8" in said(roster.warnings)
    assert "the heading stands again and was skipped: row 10" in said(roster.warnings)


def test_unknown_columns_are_named(text_file, rules):
    roster = read_roster(text_file("county,precinct,remark,county_delegates\nAdair,A,hello,1\n"), rules)
    assert "not known and not read: “remark” (C)" in said(roster.warnings)


def test_needed_columns_are_named_when_they_lack(text_file, rules):
    (problem,) = problems_of(text_file("county,precinct,delegates\nAdair,A,1\n"), rules)
    assert "county, precinct and county_delegates" in problem.expected
    assert "Row 1 has county, precinct and also has “delegates”, not known here." in problem.expected
    (problem,) = problems_of(text_file("Wahlkreis;Ort;;Sitze\nAdair;A;;1\n"), rules)
    assert "Row 1 has “Wahlkreis”, “Ort”, “Sitze”: none is known here." in problem.expected


def test_two_columns_for_one_thing_are_refused(text_file, rules):
    (problem,) = problems_of(text_file("county,precinct,county_delegates,County Delegates\nA,B,1,2\n"), rules)
    assert problem.letter == "D"
    assert "(C) is read as the same" in problem.expected


def test_spaces_of_all_kinds_make_no_second_precinct(text_file, rules):
    text = HEAD + "Polk,Council Bluff  04,1\nPolk ,Council\u00a0Bluff 05,1\n"
    roster = read_roster(text_file(text), rules)
    assert [row.precinct.name for row in roster.rows] == ["Council Bluff 04", "Council Bluff 05"]
    assert "“Council Bluff  04” is read as “Council Bluff 04” (row 2)" in said(roster.warnings)
    twins = text + "Polk,council bluff 04 ,1\n"
    (problem,) = problems_of(text_file(twins), rules)
    assert (problem.row, problem.column) == (4, "precinct")
    assert "row 2 has “Council Bluff 04” too" in problem.expected


def test_one_county_however_it_is_spelled(text_file, rules):
    text = HEAD + "OBrien,A,1\nO’Brien,B,1\nO'BRIEN,C,1\nObrien,D,1\nO'Brien,E,1\nO'Brien County,F,1\n"
    roster = read_roster(text_file(text), rules)
    assert {row.precinct.county for row in roster.rows} == {"O'Brien"}
    assert roster.rows[0].precinct.id == "O'Brien-A"
    for spelling in ("OBrien", "O’Brien", "O'BRIEN", "Obrien", "O'Brien County"):
        assert f"“{spelling}” (row" in said(roster.warnings)


def test_upper_case_counties_take_the_other_spelling(text_file, rules):
    roster = read_roster(text_file(HEAD + "ADAIR,A,1\nADAIR,B,1\nAdair,C,1\n"), rules)
    assert {row.precinct.county for row in roster.rows} == {"Adair"}
    assert "“ADAIR” (rows 2 to 3) is read as “Adair”" in said(roster.warnings)


def test_counties_that_differ_by_a_letter_are_asked_about_and_numbered_pools_are_not(text_file, rules):
    text = (
        "county,precinct,county_delegates,kind\nBuchanan,A,1,\nBuchannan,B,1,\nCD1 Satellite,C,4,satellite\n"
    )
    text += "CD2 Satellite,D,4,satellite\n"
    warnings = said(read_roster(text_file(text), rules).warnings)
    assert "“Buchanan” and “Buchannan” are kept apart" in warnings
    assert "CD1 Satellite” and" not in warnings


def test_two_precincts_of_one_name_need_ids(text_file, rules):
    (problem,) = problems_of(text_file(HEAD + "Polk,Clive,1\nPolk,X,1\nPolk,Clive,2\n"), rules)
    assert (problem.row, problem.value) == (4, "Clive")
    assert "row 2" in problem.expected
    good = "county,precinct,county_delegates,precinct_id\nPolk,Clive,1,P1\nPolk,Clive,2,P2\n"
    assert [r.precinct.id for r in read_roster(text_file(good), rules).rows] == ["P1", "P2"]
    half = "county,precinct,county_delegates,precinct_id\nPolk,Clive,1,P1\nPolk,Clive,2,\n"
    assert problems_of(text_file(half), rules)[0].row == 3


def test_one_id_twice_in_a_county_is_refused_with_both_rows(text_file, rules):
    text = "county,precinct,county_delegates,precinct_id\nPolk,A,1,010000001\nPolk,B,2,010000001\n"
    (problem,) = problems_of(text_file(text), rules)
    assert (problem.row, problem.column, problem.value) == (3, "precinct_id", "010000001")
    assert "row 2 has it too" in problem.expected


def test_an_id_in_several_counties_gets_its_county(text_file, rules):
    text = "county,precinct,county_delegates,precinct_id\nAdair,A,1,2\nPolk,B,2,2\nPolk,C,2,KE1\n"
    assert [r.precinct.id for r in read_roster(text_file(text), rules).rows] == ["Adair-2", "Polk-2", "KE1"]


def test_a_made_id_that_another_row_has_is_refused(text_file, rules):
    text = "county,precinct,county_delegates,precinct_id\nAdair,A,1,\nAdair,B,2,Adair-A\n"
    (problem,) = problems_of(text_file(text), rules)
    assert problem.row == 3
    assert "would also be the id of row 2" in problem.expected


def test_ids_stay_text(text_file, rules):
    text = (
        'county,precinct,county_delegates,precinct_id\nAdair,A,1,1-2\nAdair,B,1,007\nAdair,C,1,"=""0123"""\n'
    )
    assert [r.precinct.id for r in read_roster(text_file(text), rules).rows] == ["1-2", "007", "0123"]


@pytest.mark.parametrize("spoiled", ["2-Jan", "Jan-02", "2020-02-01 00:00:00"])
def test_ids_that_a_spreadsheet_spoiled_are_refused(text_file, rules, spoiled):
    text = f"county,precinct,county_delegates,precinct_id\nAdair,A,1,{spoiled}\n"
    (problem,) = problems_of(text_file(text), rules)
    assert problem.value == spoiled
    assert "date" in problem.expected


def test_a_name_that_became_a_date_is_refused(text_file, rules):
    (problem,) = problems_of(text_file(HEAD + "Adair,4-Jan,1\n"), rules)
    assert problem.column == "precinct"
    assert "a name kept as text" in problem.expected


def test_all_problems_of_a_file_are_told_together(text_file, rules):
    text = (
        "county,precinct,county_delegates,kind,district,precinct_id\n"
        "Adair,A,12x,,3,a1\n"
        "Adair,,3,,3,a2\n"
        "Adair,C,3,depot,3,a3\n"
        "Adair,D,3,,9,a4\n"
        "Adair,E,3,,3,2-Jan\n"
        "Adair,F,,,3,a6\n"
        "Adair,G,3,,3,a1\n"
        ",H,3,,3,a8\n"
    )
    problems = problems_of(text_file(text), rules)
    assert [(p.row, p.column, p.value) for p in problems] == [
        (2, "county_delegates", "12x"),
        (3, "precinct", ""),
        (4, "kind", "depot"),
        (5, "district", "9"),
        (6, "precinct_id", "2-Jan"),
        (7, "county_delegates", ""),
        (8, "precinct_id", "a1"),
        (9, "county", ""),
    ]
    for problem in problems:
        assert problem.expected
        assert problem.file == "file.csv"
    with pytest.raises(CaucusError) as caught:
        read_roster(text_file(text), rules)
    for row in range(2, 10):
        assert f"row {row}, column" in caught.value.sentence


def test_a_line_of_totals_is_no_precinct(text_file, rules):
    (problem,) = problems_of(text_file(HEAD + "Adair,A,3\nAdair,Total,3\n"), rules)
    assert (problem.row, problem.value) == (3, "Total")


def test_district_in_other_words(text_file, rules):
    text = "county,precinct,county_delegates,district\nA,A,1,CD 1\nB,B,1,02\nC,C,1,District 3\n"
    text += "D,D,1,out of state\n"
    assert [r.precinct.district for r in read_roster(text_file(text), rules).rows] == ["1", "2", "3", None]


def test_rows_of_a_county_must_agree_on_its_totals(text_file, rules):
    text = "county,precinct,county_delegates,county_state_delegates\nAdair,A,1,4\nAdair,B,1,\nAdair,C,1,5\n"
    (problem,) = problems_of(text_file(text), rules)
    assert (problem.row, problem.column, problem.value) == (4, "county_state_delegates", "5")
    assert "4, as row 2 says of Adair" in problem.expected


def test_a_total_stated_once_holds_for_the_county(text_file, rules):
    text = "county,precinct,county_delegates,county_state_delegates\nAdair,A,1,\nAdair,B,1,4\n"
    assert [r.precinct.county_state_delegates for r in read_roster(text_file(text), rules).rows] == [4, 4]


def test_a_county_total_that_does_not_add_up_is_a_warning(text_file, rules):
    text = "county,precinct,county_delegates,county_total_delegates\nAdair,A,20,51\nAdair,B,30,51\n"
    warnings = said(read_roster(text_file(text), rules).warnings)
    assert "elect 50 county delegates together, but county_total_delegates is 51" in warnings
    assert "state delegate equivalents cannot be worked out" in warnings
    assert "Add the column county_state_delegates to the roster" in warnings


def test_a_pool_may_not_be_named_like_a_county(text_file, rules):
    text = "county,precinct,county_delegates,kind\nAdair,A,1,\nAdair,B,4,satellite\n"
    (problem,) = problems_of(text_file(text), rules)
    assert (problem.row, problem.column) == (3, "county")


def test_satellites_need_rules_that_know_them(text_file, nevada):
    text = "county,precinct,county_delegates,kind\nClark,A,1,\nPool,B,4,satellite\n"
    if nevada.satellites is None:
        assert problems_of(text_file(text), nevada)[0].column == "kind"


def test_attendance_of_a_precinct_is_not_taken(text_file, rules):
    roster = read_roster(text_file("county,precinct,county_delegates,attendance\nAdair,A,1,55\n"), rules)
    assert roster.rows[0].precinct.attendance is None
    assert "for satellite sites only" in said(roster.warnings)


def test_a_comma_in_a_number_that_shifts_the_row_is_refused(text_file, rules):
    (problem,) = problems_of(text_file(HEAD + "Adair,A,1,234\nAdair,B,2\n"), rules)
    assert problem.row == 2
    assert "4 cells where the heading has 3" in problem.expected


def test_a_quotation_mark_never_closed_is_refused_with_its_line(text_file, rules):
    (problem,) = problems_of(text_file(HEAD + 'Adair,A,1\nAdair,"B,2\nAdair,C,3\n'), rules)
    assert problem.row == 3
    assert "never closed" in problem.expected


def test_a_cell_over_two_lines_keeps_the_line_numbers(text_file, rules):
    roster = read_roster(text_file(HEAD + 'Adair,"A\nupper",1\nAdair,B,2\n'), rules)
    assert [(r.precinct.name, r.row) for r in roster.rows] == [("A upper", 2), ("B", 4)]


@pytest.mark.parametrize("content", [b"", b"\n\n", b"\xef\xbb\xbf", b"\xff\xfe"])
def test_an_empty_file(tmp_path, rules, content):
    path = tmp_path / "empty.csv"
    path.write_bytes(content)
    assert "empty" in problems_of(path, rules)[0].expected


def test_a_heading_alone(text_file, rules):
    assert "no row below" in problems_of(text_file(HEAD), rules)[0].expected


def test_a_missing_file_and_a_folder(tmp_path, rules):
    assert "There is no file" in problems_of(tmp_path / "none.csv", rules)[0].expected
    assert "folder" in problems_of(tmp_path, rules)[0].expected


def test_a_heading_that_begins_like_a_zip_archive(text_file, rules):
    roster = read_roster(text_file("PKEY,county,precinct,county_delegates\n1,Adair,A,1\n"), rules)
    assert roster.rows[0].precinct.id == "Adair-A"


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("r.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "before 2007"),
        ("r.xlsx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "password"),
        ("r.ods", b"PK\x03\x04", "LibreOffice"),
        ("r.numbers", b"PK\x03\x04", "Numbers"),
        ("r.xlsb", b"PK\x03\x04", "binary"),
        ("r.xlsx", b"PK\x03\x04 broken", "damaged"),
        ("r.xlsx", b"county,precinct,county_delegates\n", "damaged"),
        ("r.csv", b"<html><table>", "web page"),
        ("r.csv", b"%PDF-1.4", "document"),
        ("r.json", b"{}", ".json"),
        ("r.csv", b"county,\x00\x01\x02\x03precinct", "not a text file"),
    ],
)
def test_files_of_other_kinds_are_refused_with_what_to_do(tmp_path, rules, name, content, told):
    path = tmp_path / name
    path.write_bytes(content)
    (problem,) = problems_of(path, rules)
    assert told in problem.expected
    assert "Save" in problem.expected or "save" in problem.expected


def test_a_file_that_may_not_be_read(text_file, rules, monkeypatch):
    path = text_file(HEAD + "Adair,A,1\n")

    def forbidden(*_args, **_more):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(type(path), "open", forbidden)
    monkeypatch.setattr(type(path), "read_bytes", forbidden)
    assert "Permission denied" in problems_of(path, rules)[0].expected


def test_reading_can_be_watched_and_cancelled(text_file, rules):
    path = text_file(HEAD + "".join(f"Adair,P{n},1\n" for n in range(3000)))
    steps = []
    read_roster(path, rules, lambda done, total, what: steps.append((done, total, what)))
    assert steps[0][:2] == (0, 3000)
    assert steps[-1][:2] == (3000, 3000)

    def stop(done, _total, _what):
        if done >= 1000:
            raise Cancelled("stopped")

    with pytest.raises(Cancelled):
        read_roster(path, rules, stop)


def test_two_rosters_side_by_side(text_file, rules):
    text = "county,precinct,county_delegates,precinct_id\nAdair,A,1,a\nAdair,B,2,b\nAdair,C,3,c\n"
    old = read_roster(text_file(text), rules).precincts
    assert compare_rosters(old, old).none
    new = read_roster(
        text_file(text.replace("B,2,b", "B,5,B").replace("C,3,c", "D,4,d"), name="new.csv"), rules
    ).precincts
    changes = compare_rosters(old, new)
    assert [p.id for p in changes.new] == ["d"]
    assert [p.id for p in changes.gone] == ["c"]
    (changed,) = changes.changed
    assert (changed.old.delegates, changed.new.delegates) == (2, 5)
    assert "delegates" in changed.fields


def test_the_real_roster(iowa2020, rules):
    roster = read_roster(iowa2020 / "precincts.csv", rules)
    precincts = roster.precincts
    assert len(precincts) == 1765
    assert roster.warnings == ()
    assert sum(p.is_satellite for p in precincts) == 87
    assert len({p.county for p in precincts if not p.is_satellite}) == 99
    assert sum(p.delegates for p in precincts if not p.is_satellite) == 11_402
    assert precincts[0] == Precinct("001-01NW", "Adair", "1NW ADAIR", PrecinctKind.PRECINCT, "3", 8, 4, 51)
