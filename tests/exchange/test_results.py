"""Results files, long and wide, clean and dirty."""

import csv
import io
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from caucus_desk.exchange.problems import BadInput
from caucus_desk.exchange.results import LoadedSheet, read_results
from caucus_desk.exchange.roster import read_roster
from caucus_desk.tally.results import ControlTotal
from caucus_desk.tally.sheet import ChanceRecord, GroupCounts, ResultSheet

LONG = "precinct_id,candidate,first_alignment,final_alignment,county_delegates\n"


def said(found):
    return "\n".join(found.warnings)


def told(found):
    return [(p.row, p.column, p.value) for p in found.problems]


def test_long_form_with_everything(text_file, rules, precincts):
    text = (
        "Precinct ID,County,Precinct,Candidate,First_Alignment,final alignment,COUNTY DELEGATES,sde,"
        "attendance,second_attendance,threshold,delegates_to_elect,chance,"
        "chair_signed,secretary signed,overwritten,"
        "signed\n"
        "007,Adair,1NW,Warren,10,12,2,0.1569,40,41,6,8,Sanders|Warren>Warren,yes,no,no,yes\n"
        "007,Adair,1NW,bernie_sanders,1,2,3,,,,,,,,,,\n"
    )
    found = read_results(text_file(text), rules, precincts)
    assert told(found) == [(3, "Candidate", "bernie_sanders")]
    assert found.sheets == ()
    good = text.replace("bernie_sanders", " SANDERS\u00a0")
    found = read_results(text_file(good), rules, precincts)
    assert found.problems == ()
    assert found.sheets == (
        LoadedSheet(
            "007",
            ResultSheet(
                attendance=40,
                groups=(
                    GroupCounts("Sanders", 1, 2, 3),
                    GroupCounts("Warren", 10, 12, 2, Fraction(1569, 10_000), True),
                ),
                threshold=6,
                delegates_to_elect=8,
                second_attendance=41,
                chance=(ChanceRecord(("Sanders", "Warren"), ("Warren",)),),
                chair_signed=True,
                secretary_signed=False,
                overwritten=False,
            ),
            2,
        ),
    )


def test_wide_form(text_file, rules, precincts):
    text = (
        "county,precinct,attendance,warren_first,Warren Final,Warren delegates,Biden first,Biden final,"
        "Biden county delegates,Warren sde\n"
        "Adair,1nw,40,10,12,2,,,,0.1569\n"
        "Polk,Des Moines 42,,1,0,0,5,6,1,\n"
    )
    found = read_results(text_file(text), rules, precincts)
    assert found.problems == ()
    first, second = found.sheets
    assert (first.precinct_id, first.row, first.sheet.attendance) == ("007", 2, 40)
    assert first.sheet.groups == (GroupCounts("Warren", 10, 12, 2, Fraction(1569, 10_000)),)
    assert second.sheet.groups == (GroupCounts("Biden", 5, 6, 1), GroupCounts("Warren", 1, 0, 0))
    assert second.sheet.attendance is None


def test_columns_that_lack_are_not_stated(text_file, rules, precincts):
    found = read_results(text_file("precinct_id,candidate,final_alignment\n007,Warren,4\n"), rules, precincts)
    (loaded,) = found.sheets
    assert loaded.sheet.stated_columns == {"final"}
    assert loaded.sheet.attendance is None


def test_blank_is_not_zero_and_a_missing_row_is_blank(text_file, rules, precincts):
    found = read_results(text_file(LONG + "007,Warren,4,,0\n007,Biden,,,\n"), rules, precincts)
    sheet = found.sheets[0].sheet
    assert sheet.row("Warren") == GroupCounts("Warren", 4, None, 0)
    assert sheet.row("Biden").blank
    assert sheet.row("Yang").blank


def test_a_precinct_without_a_figure_has_not_reported(text_file, rules, precincts):
    text = LONG + "007,Warren,,,\n007,Biden,,,\nP1,Warren,1,1,1\n"
    found = read_results(text_file(text), rules, precincts)
    assert [loaded.precinct_id for loaded in found.sheets] == ["P1"]
    assert "1 precinct has no figures and counts as not reported: 007" in said(found)


def test_an_attendance_alone_is_no_result_unless_nobody_came(text_file, rules, precincts):
    head = LONG.rstrip("\n") + ",attendance,overwritten\n"
    found = read_results(text_file(head + "007,Warren,,,,80,no\nP1,Warren,,,,0,\n"), rules, precincts)
    assert [loaded.precinct_id for loaded in found.sheets] == ["P1"]
    assert "1 precinct has no figures and counts as not reported: 007" in said(found)


def test_all_bad_rows_are_listed_and_their_precincts_left_out(text_file, rules, precincts):
    text = LONG + (
        "007,Warren,12x,1,1\n"
        "007,Biden,1,1,1\n"
        "nope,Warren,1,1,1\n"
        "P1,Harris,1,1,1\n"
        "P1,Warren,-1,100000,1.5\n"
        "P2,Warren,1,1,1\n"
        "P2,warren,2,2,2\n"
        "OB1,,1,1,1\n"
        "2-Jan,Warren,1,1,1\n"
        ",Warren,1,1,1\n"
        "Adair-2,Warren,1,1,1\n"
        "Adair-2,Biden,2,2,1\n"
    )
    found = read_results(text_file(text), rules, precincts)
    assert told(found) == [
        (2, "first_alignment", "12x"),
        (4, "precinct_id", "nope"),
        (5, "candidate", "Harris"),
        (6, "first_alignment", "-1"),
        (6, "final_alignment", "100000"),
        (6, "county_delegates", "1.5"),
        (8, "candidate", "warren"),
        (9, "candidate", ""),
        (10, "precinct_id", "2-Jan"),
        (11, "precinct_id", ""),
    ]
    assert [loaded.precinct_id for loaded in found.sheets] == ["Adair-2"]
    assert "4 precincts with a row that cannot be read: 007, P1, P2, OB1" in said(found)
    by_row = {p.row: p.expected for p in found.problems}
    assert "a group of the ballot: Bennet, Biden" in by_row[5]
    assert "one row for Warren in P2: row 7 is one already" in by_row[8]
    assert "date" in by_row[10]


def test_a_row_that_cannot_be_placed_takes_the_neighbour_with_it_that_lacks_its_group(
    text_file, rules, precincts
):
    text = LONG + "007,Biden,1,1,1\n007,Sanders,2,2,1\n0O7,Warren,9,9,2\nP1,Biden,1,1,1\nP1,Warren,3,3,1\n"
    found = read_results(text_file(text), rules, precincts)
    assert [loaded.precinct_id for loaded in found.sheets] == ["P1"]
    assert told(found) == [(2, None, "007"), (4, "precinct_id", "0O7")]
    assert "row 4, which cannot be placed" in found.problems[0].expected


def test_ids_that_need_their_county(text_file, rules, precincts):
    text = "precinct_id,county,candidate,first,final,delegates\n2,ADAIR,Warren,1,1,1\n"
    text += "2,Polk County,Warren,2,2,2\n"
    found = read_results(text_file(text), rules, precincts)
    assert [(s.precinct_id, s.sheet.row("Warren").first) for s in found.sheets] == [
        ("Adair-2", 1),
        ("Polk-2", 2),
    ]
    found = read_results(text_file(LONG + "2,Warren,1,1,1\n"), rules, precincts)
    assert told(found) == [(2, "precinct_id", "2")]
    assert "Adair and Polk" in found.problems[0].expected
    found = read_results(text_file(LONG + "adair-2,Warren,1,1,1\n"), rules, precincts)
    assert found.sheets[0].precinct_id == "Adair-2"


def test_an_id_in_the_wrong_county_is_refused(text_file, rules, precincts):
    text = "precinct_id,county,candidate,first\n007,Polk,Warren,1\n"
    found = read_results(text_file(text), rules, precincts)
    assert told(found) == [(2, "county", "Polk")]
    assert "Adair" in found.problems[0].expected


def test_zeros_that_a_spreadsheet_dropped_are_pointed_out(workbook_file, rules, precincts):
    rows = [["precinct_id", "candidate", "first"], [7, "Warren", 1]]
    found = read_results(workbook_file(rows), rules, precincts)
    assert found.problems[0].value == "7"
    assert "it has 007: a spreadsheet may have dropped or added zeros" in found.problems[0].expected


def test_matching_by_name(text_file, rules, precincts):
    head = "county,precinct,candidate,first\n"
    text = (
        head + "OBRIEN,Council  Bluff\u00a004 ,Warren,1\nAdair,9XX,Warren,1\nLinn,A,Warren,1\n"
        "Polk,Clive,Warren,1\n"
    )
    text += "Polk,,Warren,1\n,Clive,Warren,1\n,,Warren,1\n"
    found = read_results(text_file(text), rules, precincts)
    assert [s.precinct_id for s in found.sheets] == ["OB1"]
    assert told(found) == [
        (3, "precinct", "9XX"),
        (4, "county", "Linn"),
        (5, "precinct", "Clive"),
        (6, "precinct", ""),
        (7, "county", ""),
        (8, "precinct_id", ""),
    ]
    assert "Polk has 2 precincts of this name" in found.problems[2].expected


def test_an_id_whose_name_is_another_is_matched_by_id_and_told(text_file, rules, precincts):
    text = "precinct_id,precinct,candidate,first\n007,Nowhere,Warren,1\n"
    found = read_results(text_file(text), rules, precincts)
    assert found.sheets[0].precinct_id == "007"
    assert "“Nowhere” for 007, 1NW (row 2)" in said(found)


def test_contradictions_between_rows_of_a_precinct(text_file, rules, nevada, precincts):
    text = (
        "precinct_id,candidate,first,attendance,chair_signed,chance\n"
        "007,Warren,1,40,yes,\n007,Biden,2,41,no,Biden|Warren>Biden\n007,Sanders,2,,,Biden|Warren>Warren\n"
        "P1,Warren,1,40,,\nP1,Biden,1,40,,\n"
    )
    found = read_results(text_file(text), rules, precincts)
    assert told(found) == [
        (3, "attendance", "41"),
        (3, "chair_signed", "no"),
        (4, "chance", "Biden|Warren>Warren"),
    ]
    assert "40, as row 2 says of 007" in found.problems[0].expected
    assert [s.precinct_id for s in found.sheets] == ["P1"]
    key = nevada.fields[0].key
    text = f"precinct_id,candidate,first,{key}\n007,Warren,1,5\n007,Biden,1,6\nP1,Warren,1,0\n"
    found = read_results(text_file(text), nevada, precincts)
    assert told(found) == [(3, key, "6")]
    assert found.sheets[0].sheet.extras == ((key, 0),)


@pytest.mark.parametrize(
    "chance",
    [
        "Warren",
        "Warren>",
        "Warren>Warren",
        "Warren|Biden>Yang",
        "A|B>A",
        "Warren|Warren>Warren",
        "Warren|Biden>Warren|Biden",
    ],
)
def test_a_game_of_chance_that_says_nothing_is_refused(text_file, rules, precincts, chance):
    found = read_results(
        text_file(f"precinct_id,candidate,first,chance\n007,Warren,1,{chance}\n"), rules, precincts
    )
    assert told(found) == [(2, "chance", chance)]


def test_several_games_of_chance(text_file, rules, precincts):
    text = "precinct_id,candidate,first,chance\n"
    text += '007,Warren,1,"Warren|Biden>Biden; yang|sanders|biden>yang|biden"\n'
    found = read_results(text_file(text), rules, precincts)
    assert found.sheets[0].sheet.chance == (
        ChanceRecord(("Warren", "Biden"), ("Biden",)),
        ChanceRecord(("Yang", "Sanders", "Biden"), ("Yang", "Biden")),
    )


def test_control_totals_long_and_wide(text_file, rules, precincts):
    text = (
        "precinct_id,county,precinct,candidate,first,final,delegates\n"
        "007,Adair,1NW,Warren,1,2,3\n,ADAIR,Total,Warren,1,2,3\n,Adair,County Total,Biden,,,0\n"
        ",Linn,total,Biden,1,1,1\n"
        ",Adair,totals,Warren,5,5,5\n"
    )
    found = read_results(text_file(text), rules, precincts)
    assert found.control_totals == (
        ControlTotal("Adair", "Warren", 1, 2, 3),
        ControlTotal("Adair", "Biden", None, None, 0),
    )
    assert told(found) == [(5, "county", "Linn"), (6, "candidate", "Warren")]
    assert len(found.sheets) == 1
    wide = "county,precinct,Warren first,Warren final,Biden first,Biden final\n"
    wide += "Adair,1NW,1,2,3,4\nAdair,TOTAL,1,2,3,4\n"
    found = read_results(text_file(wide), rules, precincts)
    assert found.problems == ()
    assert found.control_totals == (
        ControlTotal("Adair", "Biden", 3, 4, None),
        ControlTotal("Adair", "Warren", 1, 2, None),
    )


def test_wide_columns_that_would_lose_votes_are_refused(text_file, rules, precincts):
    text = "precinct_id,Warren first,Warren final,Harris first,Biden first,total first\n007,1,2,3,4,8\n"
    found = read_results(text_file(text), rules, precincts)
    assert told(found) == [(1, "Harris first", "Harris first"), (1, "Biden first", "Biden first")]
    assert "a column “Biden final” too" in found.problems[1].expected
    assert found.sheets == ()
    assert "“total first”" in said(found)


def test_a_precinct_twice_in_wide_form(text_file, rules, precincts):
    text = "precinct_id,Warren first,attendance\n007,1,3\nP1,1,\n007,,5\nP2,x,y\n"
    found = read_results(text_file(text), rules, precincts)
    assert told(found) == [(4, "precinct_id", "007"), (5, "Warren first", "x"), (5, "attendance", "y")]
    assert [s.precinct_id for s in found.sheets] == ["P1"]


def test_rows_that_are_shifted_or_cut_off(text_file, rules, precincts):
    text = LONG + "007,Warren,1,234,5,6\n007,Biden,1,1,1\nP1,Warren,1,1,1\nP1,Biden,1\nP2,Warren,1,1,1\n"
    found = read_results(text_file(text), rules, precincts)
    assert [p.row for p in found.problems] == [2, 5]
    assert "6 cells where the heading has 5" in found.problems[0].expected
    assert "only 3 cells" in found.problems[1].expected
    assert [s.precinct_id for s in found.sheets] == ["P2"]
    short = "precinct_id,candidate,first,attendance,sde\n007,Warren,1\n"
    assert read_results(text_file(short), rules, precincts).problems == ()


def test_a_broken_row_without_its_precinct_takes_its_neighbour(text_file, rules, precincts):
    text = (
        LONG + "007,Warren,1,1,1\n007,Biden,1,1,1\n?,Yang,1,1,1,1\n"
        "P1,Warren,1,1,1\nP2,Warren,1,1,1\nP2,Biden,1,1,1\n"
    )
    found = read_results(text_file(text), rules, precincts)
    assert [s.precinct_id for s in found.sheets] == ["007", "P2"]


def test_merged_cells_among_results(workbook_file, rules, precincts):
    rows = [
        ["precinct_id", "candidate", "first"],
        ["007", "Warren", 1],
        ["007", "Biden", None],
        ["P1", "Warren", 2],
    ]
    found = read_results(workbook_file(rows, change=lambda s: s.merge_cells("C2:C3")), rules, precincts)
    assert told(found) == [(2, "first", "C2:C3")]
    assert [s.precinct_id for s in found.sheets] == ["P1"]


def test_numbers_in_a_semicolon_file(text_file, rules, precincts):
    text = "precinct_id;candidate;first;final;sde\n007;Warren;1.234;12,0;0,1569\n007;Biden;1;2;0.1\n"
    found = read_results(text_file(text), rules, precincts)
    assert told(found) == [(2, "first", "1.234")]
    assert "thousands or decimals" in found.problems[0].expected
    found = read_results(text_file(text.replace("1.234", "1234")), rules, precincts)
    assert found.sheets[0].sheet.row("Warren") == GroupCounts(
        "Warren", 1234, 12, None, Fraction(1569, 10_000)
    )


def test_thousands_in_quotation_marks(text_file, rules, precincts):
    found = read_results(text_file(LONG + '007,Warren,"1,234",12.0,"2"\n'), rules, precincts)
    assert found.sheets[0].sheet.row("Warren") == GroupCounts("Warren", 1234, 12, 2)


def test_repeated_headings_and_blank_rows(text_file, rules, precincts):
    text = LONG + "007,Warren,1,1,1\n\n" + LONG + "P1,Warren,1,1,1\n"
    found = read_results(text_file(text), rules, precincts)
    assert len(found.sheets) == 2
    assert found.problems == ()
    assert "1 blank row was skipped: row 3" in said(found)


def test_a_file_without_the_needed_columns_is_refused(text_file, rules, precincts):
    for text in (
        "precinct_id,attendance\n007,3\n",
        "candidate,first\nWarren,1\n",
        "county,candidate,first\nA,Warren,1\n",
    ):
        with pytest.raises(BadInput, match="precinct_id \\(or county and precinct\\)"):
            read_results(text_file(text), rules, precincts)


def test_a_sheet_that_breaks_a_rule_is_not_bad_input(text_file, rules, precincts):
    found = read_results(text_file(LONG + "007,Warren,99,0,99\n"), rules, precincts)
    assert found.problems == ()
    assert found.sheets[0].sheet.row("Warren").delegates == 99


_count = st.none() | st.integers(0, 99_999)


@st.composite
def _sheets(draw):
    """A sheet for each of some precincts; groups that are blank all over are left out, as readers do."""
    keys = ("Biden", "Buttigieg", "Sanders", "Warren", "Other", "Uncommitted")
    ids = draw(
        st.lists(st.sampled_from(["007", "Adair-2", "Polk-2", "P1", "P2", "OB1"]), unique=True, min_size=1)
    )
    sheets = {}
    for precinct_id in ids:
        rows = [GroupCounts(key, draw(_count), draw(_count), draw(_count)) for key in keys]
        rows = tuple(row for row in rows if not row.blank)
        attendance = draw(_count)
        if rows or attendance is not None:
            sheets[precinct_id] = ResultSheet(attendance, rows)
    return sheets


def _blank(value):
    return "" if value is None else str(value)


def _long(sheets, delimiter):
    stream = io.StringIO()
    out = csv.writer(stream, delimiter=delimiter)
    out.writerow(
        ["precinct_id", "candidate", "first_alignment", "final_alignment", "county_delegates", "attendance"]
    )
    for precinct_id, sheet in sheets.items():
        rows = sheet.groups or (GroupCounts("Biden"),)
        for row in rows:
            counts = (row.first, row.final, row.delegates, sheet.attendance)
            out.writerow([precinct_id, row.group, *map(_blank, counts)])
    return stream.getvalue()


def _wide(sheets, delimiter):
    stream = io.StringIO()
    out = csv.writer(stream, delimiter=delimiter)
    keys = ("Biden", "Buttigieg", "Sanders", "Warren", "Other", "Uncommitted")
    columns = ("first", "final", "delegates")
    out.writerow(["precinct_id", "attendance", *(f"{key} {column}" for key in keys for column in columns)])
    for precinct_id, sheet in sheets.items():
        counts = (sheet.row(key).count(column) for key in keys for column in columns)
        out.writerow([precinct_id, _blank(sheet.attendance), *map(_blank, counts)])
    return stream.getvalue()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(
    sheets=_sheets(),
    delimiter=st.sampled_from(",;\t"),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
)
def test_what_is_written_in_long_or_wide_form_reads_back(
    sheets, delimiter, encoding, text_file, rules, precincts
):
    for write in (_long, _wide):
        found = read_results(text_file(write(sheets, delimiter), encoding=encoding), rules, precincts)
        if not sheets:
            assert found.sheets == ()
            continue
        assert found.problems == ()
        assert {loaded.precinct_id: loaded.sheet for loaded in found.sheets} == sheets


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(junk=st.text(max_size=200), head=st.booleans())
def test_whatever_stands_in_a_file_is_read_or_refused(junk, head, text_file, rules, precincts):
    path = text_file((LONG if head else "") + junk, encoding="utf-8")
    try:
        found = read_results(path, rules, precincts)
    except BadInput as error:
        refused = error
    else:
        assert all(loaded.precinct_id in precincts for loaded in found.sheets)
        return
    assert refused.problems
    assert refused.sentence


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.binary(max_size=300))
def test_whatever_bytes_a_file_has_are_read_or_refused(data, tmp_path, rules):
    for name in ("x.csv", "x.xlsx"):
        path = tmp_path / name
        path.write_bytes(data)
        with pytest.raises(BadInput):
            read_roster(path, rules)


@pytest.mark.parametrize(
    ("file", "sheets", "first"),
    [
        ("results_final.csv", 1765, 43_581),
        ("results_20200205_92pct.csv", 1624, None),
        ("results_20200204_71pct.csv", 1250, None),
    ],
)
def test_the_real_results(iowa2020, rules, file, sheets, first):
    precincts = {p.id: p for p in read_roster(iowa2020 / "precincts.csv", rules).precincts}
    found = read_results(iowa2020 / file, rules, precincts)
    assert len(found.sheets) == sheets
    assert found.problems == ()
    assert found.warnings == ()
    if first is not None:
        assert sum(s.sheet.row("Sanders").first or 0 for s in found.sheets) == first
        with (iowa2020 / "official_totals.csv").open(encoding="utf-8") as stream:
            official = list(csv.DictReader(stream))
        for line in official:
            rows = [s.sheet.row(line["candidate"]) for s in found.sheets]
            assert sum(row.first or 0 for row in rows) == int(line["first_alignment"])
            assert sum(row.final or 0 for row in rows) == int(line["final_alignment"])
            assert sum((row.sde or Fraction(0) for row in rows), Fraction(0)) == Fraction(line["sde"])
    else:
        assert all(
            not s.sheet.stated_columns & {"delegates"}
            for s in found.sheets
            if s.precinct_id.startswith("SAT-")
        )


def test_results_over_several_sheets(workbook_file, rules, precincts):
    head = ["precinct_id", "candidate", "first"]
    more = {"West": [head, ["P1", "Warren", 3], ["007", "Warren", 9]]}
    found = read_results(workbook_file([head, ["007", "Warren", 1]], more=more), rules, precincts)
    assert [s.precinct_id for s in found.sheets] == ["P1"]
    (problem,) = found.problems
    assert (problem.sheet, problem.row) == ("West", 3)
    assert "row 2 of sheet Sheet one is one already" in problem.expected


def test_half_of_all_rows_broken_is_still_quick(text_file, rules, precincts):
    rows = "".join(
        f"{precinct},{group},1,1,1\n?,x,1,1,1,1\n" for precinct in precincts for group in rules.keys
    )
    found = read_results(text_file(LONG + rows), rules, precincts)
    assert len(found.problems) == len(precincts) * len(rules.keys)
    assert len(found.sheets) == len(precincts)
