"""Workbooks: what spreadsheets do to a table."""

import datetime as dt
import random
import re
import tracemalloc
import zipfile

import pytest

from caucus_desk.exchange import archive
from caucus_desk.exchange.candidates import read_candidates
from caucus_desk.exchange.preview import preview
from caucus_desk.exchange.problems import BadInput
from caucus_desk.exchange.results import read_results
from caucus_desk.exchange.roster import read_roster
from caucus_desk.rules.errors import Cancelled

HEAD = ["county", "precinct", "county_delegates", "precinct_id"]


def problems_of(path, rules):
    with pytest.raises(BadInput) as caught:
        read_roster(path, rules)
    return caught.value.problems


def said(warnings):
    return "\n".join(warnings)


def test_a_workbook_is_read_like_a_text_file(workbook_file, rules):
    roster = read_roster(
        workbook_file([HEAD, ["Adair", "1NW", 8, "007"], ["Adair", "2NE", "4", "008"]]), rules
    )
    assert [(r.precinct.id, r.precinct.delegates, r.row) for r in roster.rows] == [
        ("007", 8, 2),
        ("008", 4, 3),
    ]
    assert all("county_state_delegates" in text for text in roster.warnings)


@pytest.mark.parametrize(
    ("value", "read"),
    [(12, 12), (12.0, 12), ("12", 12), ("12.0", 12), ("1,234", 1234), (" 12\u00a0", 12), ("１２", 12)],
)
def test_numbers_and_numbers_as_text(workbook_file, rules, value, read):
    roster = read_roster(workbook_file([HEAD, ["Adair", "A", value, "a"]]), rules)
    assert roster.rows[0].precinct.delegates == read


@pytest.mark.parametrize("value", [12.5, -3, 100_000, 1e20, True, "12x", dt.date(2020, 1, 12)])
def test_what_is_no_count_is_refused_with_its_cell(workbook_file, rules, value):
    (problem,) = problems_of(workbook_file([HEAD, ["Adair", "A", value, "a"]]), rules)
    assert (problem.sheet, problem.row, problem.column, problem.letter) == (
        "Sheet one",
        2,
        "county_delegates",
        "C",
    )


def test_numbers_shown_with_zeros_keep_them_as_ids(workbook_file, rules):
    def zeros(sheet):
        sheet["D2"].number_format = "000"
        sheet["D3"].number_format = "0"

    roster = read_roster(
        workbook_file([HEAD, ["Adair", "A", 1, 7], ["Adair", "B", 1, 12]], change=zeros), rules
    )
    assert [r.precinct.id for r in roster.rows] == ["007", "12"]


def test_a_number_with_other_signs_in_its_format_is_no_id(workbook_file, rules):
    def dressed(sheet):
        sheet["D2"].number_format = '"A-"000'

    (problem,) = problems_of(workbook_file([HEAD, ["Adair", "A", 1, 7]], change=dressed), rules)
    assert "id kept as text" in problem.expected


def test_a_number_format_that_the_file_does_not_hold_is_none(workbook_file, rules, tmp_path):
    def zeros(sheet):
        sheet["D2"].number_format = "000"

    path = workbook_file([HEAD, ["Adair", "A", 1, 7]], change=zeros)
    target = tmp_path / "careless.xlsx"
    with zipfile.ZipFile(path) as source, zipfile.ZipFile(target, "w") as made:
        for item in source.namelist():
            data = source.read(item)
            made.writestr(item, data.replace(b'<xf numFmtId="164"', b'<xf numFmtId="999"'))
    assert [r.precinct.id for r in read_roster(path, rules).rows] == ["007"]
    assert [r.precinct.id for r in read_roster(target, rules).rows] == ["7"]


def test_a_fraction_is_no_id(workbook_file, rules):
    (problem,) = problems_of(workbook_file([HEAD, ["Adair", "A", 1, 1.4]]), rules)
    assert (problem.column, problem.value) == ("precinct_id", "1.4")


@pytest.mark.parametrize("value", [dt.date(2020, 1, 4), dt.datetime(2020, 1, 4, 12, 30), dt.time(1, 4)])  # noqa: DTZ001
def test_an_id_that_is_a_date_cell_is_refused(workbook_file, rules, value):
    (problem,) = problems_of(workbook_file([HEAD, ["Adair", "A", 1, value]]), rules)
    assert problem.column == "precinct_id"
    assert "turned this one into a date" in problem.expected
    if isinstance(value, dt.date):
        assert problem.value.startswith("2020-01-04")


def test_a_name_that_is_a_date_cell_is_refused(workbook_file, rules):
    (problem,) = problems_of(workbook_file([HEAD, ["Adair", dt.date(2020, 1, 4), 1, "a"]]), rules)
    assert problem.column == "precinct"


def test_dates_counted_from_1904(bare_workbook, heading_cells, rules):
    sheet = f"<sheetData>{heading_cells('county,precinct,county_delegates,precinct_id')}<row>"
    sheet += '<c t="inlineStr"><is><t>A</t></is></c><c t="inlineStr"><is><t>B</t></is></c><c><v>1</v></c>'
    sheet += '<c t="d"><v>2020-01-04</v></c></row></sheetData>'
    path = bare_workbook(sheet, book='<workbookPr date1904="1"/>')
    assert problems_of(path, rules)[0].value == "2020-01-04"


def test_merged_headings_over_groups(workbook_file, rules, precincts):
    rows = [
        ["Results of the night"],
        ["precinct_id", "attendance", "Warren", None, None, "Biden", None, None],
        [None, None, "first", "final", "delegates", "first", "final", "delegates"],
        ["007", 40, 10, 12, 1, 8, 0, 0],
    ]

    def merge(sheet):
        for cells in ("A1:H1", "A2:A3", "B2:B3", "C2:E2", "F2:H2"):
            sheet.merge_cells(cells)

    found = read_results(workbook_file(rows, change=merge), rules, precincts)
    assert found.problems == ()
    (loaded,) = found.sheets
    assert loaded.sheet.attendance == 40
    assert loaded.sheet.row("Warren").final == 12
    assert loaded.sheet.row("Biden").first == 8
    assert loaded.row == 4


def test_merged_cells_among_the_rows_are_refused(workbook_file, rules):
    rows = [HEAD, ["Adair", "A", 1, "a"], [None, "B", 1, "b"], ["Polk", "C", 1, "c"]]
    problems = problems_of(workbook_file(rows, change=lambda sheet: sheet.merge_cells("A2:A3")), rules)
    assert [(p.row, p.value) for p in problems] == [(2, "A2:A3"), (3, "")]
    assert "Unmerge" in problems[0].expected


def test_hidden_rows_and_columns_are_read_and_named(workbook_file, rules):
    def hide(sheet):
        sheet.row_dimensions[3].hidden = True
        sheet.row_dimensions[4].hidden = True
        sheet.column_dimensions["D"].hidden = True

    rows = [HEAD, *(["Adair", name, 1, name.lower()] for name in "ABCD")]
    roster = read_roster(workbook_file(rows, change=hide), rules)
    assert len(roster.rows) == 4
    assert "hidden rows were read like the others: rows 3 to 4" in said(roster.warnings)
    assert "hidden columns were read like the others: “precinct_id” (D)" in said(roster.warnings)


def test_a_formula_that_was_never_calculated_is_refused(workbook_file, rules):
    (problem,) = problems_of(workbook_file([HEAD, ["Adair", "A", "=4+4", "a"]]), rules)
    assert (problem.row, problem.column, problem.value) == (2, "county_delegates", "=4+4")
    assert "Open the file in a spreadsheet program, save it" in problem.expected


def test_a_formula_with_its_value_counts_as_the_value(workbook_file, rules, tmp_path):
    path = workbook_file([HEAD, ["Adair", "A", "=4+4", "a"], ["Adair", "B", "=1/0", "b"]])
    calculated = tmp_path / "calculated.xlsx"
    with zipfile.ZipFile(path) as source, zipfile.ZipFile(calculated, "w") as target:
        for item in source.namelist():
            data = source.read(item)
            if item.endswith("sheet1.xml"):
                text = data.decode()
                for formula, value, kind in (("4+4", "8", ""), ("1/0", "#DIV/0!", ' t="e"')):
                    assert f"<f>{formula}</f>" in text
                    start, _, rest = text.partition(f"<f>{formula}</f>")
                    rest = rest.replace("<v></v>", "<v/>", 1)
                    assert rest.startswith(("<v/>", "<v />"))
                    rest = rest[rest.index(">") + 1 :]
                    start = start[: start.rindex("<c ")] + start[start.rindex("<c ") :].replace(
                        "<c ", f"<c{kind} "
                    )
                    text = f"{start}<f>{formula}</f><v>{value}</v>{rest}"
                data = text.encode()
            target.writestr(item, data)
    (problem,) = problems_of(calculated, rules)
    assert (problem.row, problem.value) == (3, "#DIV/0!")
    assert "fault" in problem.expected


def test_a_calculated_value_and_an_empty_text_from_a_formula(bare_workbook, heading_cells, rules):
    data = (
        '<row r="5"><c r="A5" t="str"><f>"Ad"&amp;"air"</f><v>Adair</v></c>'
        '<c r="B5" t="str"><f>X1</f><v>A</v></c>'
        '<c r="C5"><f>4+4</f><v>8</v></c><c r="D5" t="str"><f>IF(1,"","")</f><v></v></c></row>'
        '<row r="6"><c r="C6" t="str"><f>IF(A6="","",1)</f><v></v></c></row>'
    )
    heading = heading_cells("county,precinct,county_delegates,precinct_id")
    roster = read_roster(bare_workbook(f"<sheetData>{heading}{data}</sheetData>"), rules)
    (row,) = roster.rows
    assert (row.precinct.id, row.precinct.delegates, row.row) == ("Adair-A", 8, 5)


def test_shared_strings_with_formats_escapes_and_hints(bare_workbook, heading_cells, rules):
    strings = (
        '<si><r><t>Coun</t></r><r><t>cil</t></r><rPh sb="0" eb="7"><t>hint</t></rPh></si>'
        "<si><t>Pe_x00F1_a</t></si><si><t>_xD800_</t></si>"
    )
    data = '<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c><c><v>3</v></c><c t="s"><v>2</v></c></row>'
    heading = heading_cells("county,precinct,county_delegates,precinct_id")
    roster = read_roster(bare_workbook(f"<sheetData>{heading}{data}</sheetData>", strings=strings), rules)
    assert (roster.rows[0].precinct.county, roster.rows[0].precinct.name) == ("Council", "Peña")
    roster.rows[0].precinct.id.encode("utf-8")


def test_blank_rows_and_notes_beside_the_table(workbook_file, rules):
    rows = [
        ["A title"],
        [],
        HEAD,
        ["Adair", "A", 1, "a"],
        [],
        [],
        ["Adair", "B", 1, "b", None, "checked by Ann"],
    ]
    roster = read_roster(workbook_file(rows), rules)
    assert [r.row for r in roster.rows] == [4, 7]
    assert "2 blank rows were skipped: rows 5 to 6" in said(roster.warnings)
    assert "outside the columns with headings were not read: row 7" in said(roster.warnings)


def test_every_sheet_with_the_heading_is_read_and_others_are_named(workbook_file, rules):
    more = {"Second": [HEAD, ["Polk", "B", 2, "b"]], "Notes": [["Nothing of use"]], "Empty": []}
    roster = read_roster(workbook_file([HEAD, ["Adair", "A", 1, "a"]], more=more), rules)
    assert [r.precinct.id for r in roster.rows] == ["a", "b"]
    assert "sheet Notes was not read" in said(roster.warnings)
    twice = {"Copy": [HEAD, ["Adair", "A", 1, "a"]]}
    (problem,) = problems_of(workbook_file([HEAD, ["Adair", "A", 1, "a"]], more=twice), rules)
    assert (problem.sheet, problem.row) == ("Copy", 2)
    assert "row 2 of sheet Sheet one" in problem.expected


def test_hidden_sheets_are_left_out_and_named(workbook_file, rules):
    def hide(sheet):
        sheet.parent["Old"].sheet_state = "hidden"

    more = {"Old": [HEAD, ["Polk", "B", 2, "b"]]}
    roster = read_roster(workbook_file([HEAD, ["Adair", "A", 1, "a"]], more=more, change=hide), rules)
    assert len(roster.rows) == 1
    assert "hidden sheet Old was not read" in said(roster.warnings)


def test_an_empty_workbook(workbook_file, rules):
    assert "empty" in problems_of(workbook_file([]), rules)[0].expected


def test_a_workbook_without_the_columns(workbook_file, rules):
    (problem,) = problems_of(workbook_file([["county", "votes"], ["Adair", 3]]), rules)
    assert problem.sheet == "Sheet one"
    assert "county, precinct and county_delegates" in problem.expected


def test_a_cut_off_workbook(workbook_file, rules, tmp_path):
    whole = workbook_file([HEAD, *(["Adair", f"P{n}", 1, f"p{n}"] for n in range(500))]).read_bytes()
    for length in (len(whole) // 3, len(whole) - 30):
        path = tmp_path / "cut.xlsx"
        path.write_bytes(whole[:length])
        assert "damaged" in problems_of(path, rules)[0].expected


def test_a_workbook_with_damaged_parts(workbook_file, bare_workbook, heading_cells, rules, tmp_path):
    heading = heading_cells("county,precinct,county_delegates")
    bad = (
        "<sheetData><row></sheetData>",
        f'<sheetData>{heading}<row><c t="s"><v>7</v></c></row></sheetData>',
        f'<sheetData>{heading}<row r="1"><c><v>1</v></c></row></sheetData>',
        f'<sheetData>{heading}<row r="9999999"><c><v>1</v></c></row></sheetData>',
        f'<sheetData>{heading}<row><c r="ZZZZ2"><v>1</v></c></row></sheetData>',
        f'<sheetData>{heading}<row><c r="B2"><v>1</v></c><c r="A2"><v>1</v></c></row></sheetData>',
    )
    for number, sheet in enumerate(bad):
        path = bare_workbook(sheet, name=f"bad{number}.xlsx")
        assert "damaged" in problems_of(path, rules)[0].expected, sheet
    path = tmp_path / "flipped.xlsx"
    data = bytearray(workbook_file([HEAD, *(["Adair", f"P{n}", 1, f"p{n}"] for n in range(50))]).read_bytes())
    place = data.index(b"sheet1.xml") + 200
    data[place : place + 40] = bytes(40)
    path.write_bytes(bytes(data))
    assert problems_of(path, rules)


def test_a_zip_that_is_no_workbook_or_has_a_password(tmp_path, rules):
    path = tmp_path / "r.xlsx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("rows.csv", "county,precinct,county_delegates")
    assert "zip archive" in problems_of(path, rules)[0].expected
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
    assert "LibreOffice" in problems_of(path, rules)[0].expected
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
    assert "no workbook" in problems_of(path, rules)[0].expected
    data = bytearray(path.read_bytes())
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + offset] |= 1
    path.write_bytes(bytes(data))
    assert "password" in problems_of(path, rules)[0].expected


def test_entities_are_refused(bare_workbook, rules):
    bomb = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>'
    path = bare_workbook("<sheetData><row><c><v>&b;</v></c></row></sheetData>", prolog=bomb)
    assert "damaged" in problems_of(path, rules)[0].expected


def test_a_zip_bomb_does_not_fill_the_memory(bare_workbook, heading_cells, rules):
    flood = "A" * (20 << 20)
    paths = [
        bare_workbook(f"<sheetData><row><c><v>{flood}</v></c></row></sheetData>", name="text.xlsx"),
        bare_workbook(f"<sheetData><row>{'<c/>' * 2_000_000}</row></sheetData>", name="cells.xlsx"),
    ]
    del flood
    paths += [
        bare_workbook(f'<sheetData><row a="{"A" * (10 << 20)}"/></sheetData>', name="attribute.xlsx"),
        bare_workbook("<sheetData>" + "<c>" * 1_000_000, name="deep.xlsx"),
    ]
    texts = [
        bare_workbook("", name="strings.xlsx", strings=f"<si><t>{'A' * (2 << 20)}</t></si>"),
        bare_workbook("", name="runs.xlsx", strings=f"<si>{'<r><t/></r>' * 20_000}</si>"),
    ]
    tracemalloc.start()
    try:
        for path in paths:
            assert "damaged" in problems_of(path, rules)[0].expected
        for path in texts:
            assert "empty" in problems_of(path, rules)[0].expected
        assert tracemalloc.get_traced_memory()[1] < 120 << 20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("limit", ["_MAX_SHEET", "_MAX_OTHER"])
def test_what_unpacks_to_far_too_much_is_refused_before_it_is_unpacked(
    workbook_file, rules, monkeypatch, limit
):
    path = workbook_file([HEAD, *(["Adair", f"P{n}", 1, f"p{n}"] for n in range(500))])
    monkeypatch.setattr(archive, limit, 1000)
    (problem,) = problems_of(path, rules)
    assert "unpacks to far more than a caucus has" in problem.expected


def test_a_part_larger_than_it_says_is_damaged(workbook_file, rules):
    path = workbook_file([HEAD, *(["Adair", f"P{n}", 1, f"p{n}"] for n in range(500))])
    with zipfile.ZipFile(path) as source:
        size = source.getinfo("xl/worksheets/sheet1.xml").file_size
    data = path.read_bytes()
    told, lie = size.to_bytes(4, "little"), (size // 2).to_bytes(4, "little")
    assert told in data
    path.write_bytes(data.replace(told, lie))
    assert "damaged" in problems_of(path, rules)[0].expected


def test_one_far_cell_and_cells_merged_down_a_whole_sheet(workbook_file, rules):
    def stray(sheet):
        sheet["XFD1048576"] = "far"
        sheet.merged_cells.add("H1:XFD1048576")

    tracemalloc.start()
    try:
        path = workbook_file([HEAD, ["Adair", "A", 1, "a"]], change=stray)
        roster = read_roster(path, rules)
        assert tracemalloc.get_traced_memory()[1] < 40 << 20
    finally:
        tracemalloc.stop()
    assert [row.precinct.id for row in roster.rows] == ["a"]
    assert "outside the columns with headings were not read: row 1048576" in said(roster.warnings)


def test_a_long_workbook_in_little_memory_with_progress(bare_workbook, heading_cells, rules, precincts):
    rows = "".join(f"<row><c><v>{n}</v></c><c><v>1</v></c><c><v>2</v></c><c/></row>" for n in range(30_000))
    heading = heading_cells("county,precinct,county_delegates,precinct_id")
    path = bare_workbook(f"<sheetData>{heading}{rows}</sheetData>")
    del rows
    steps = []

    def stop(done, total, _what):
        steps.append((done, total))
        if done > total * 0.9:
            raise Cancelled("stopped")

    with pytest.raises(Cancelled):
        read_roster(path, rules, stop)
    assert len(steps) > 5
    assert steps == sorted(steps)
    tracemalloc.start()
    try:
        shown = preview(path, limit=3)
        assert tracemalloc.get_traced_memory()[1] < 20 << 20
    finally:
        tracemalloc.stop()
    assert len(shown.tables[0].rows) == 3


def test_strict_namespaces_and_prefixes(tmp_path, rules, bare_workbook):
    path = bare_workbook("")
    strict = "http://purl.oclc.org/ooxml/spreadsheetml/main"
    cells = "".join(f'<x:c t="inlineStr"><x:is><x:t>{w}</x:t></x:is></x:c>' for w in HEAD)
    data = "".join(f'<x:c t="inlineStr"><x:is><x:t>{w}</x:t></x:is></x:c>' for w in ("Adair", "A", "3", "a"))
    sheet = (
        f'<x:worksheet xmlns:x="{strict}"><x:sheetData><x:row hidden="true">{cells}</x:row>'
        f'<x:row hidden="true">{data}</x:row></x:sheetData></x:worksheet>'
    )
    target = tmp_path / "strict.xlsx"
    with zipfile.ZipFile(path) as source, zipfile.ZipFile(target, "w") as archive:
        for item in source.namelist():
            archive.writestr(item, sheet if item.endswith("sheet1.xml") else source.read(item))
    roster = read_roster(target, rules)
    assert roster.rows[0].precinct.id == "a"
    assert "row 2" in said(roster.warnings)


def test_the_strict_form_of_a_workbook(workbook_file, rules, tmp_path):
    def zeros(sheet):
        sheet["D2"].number_format = "000"

    book = workbook_file([HEAD, ["Adair", "A", 3, 7]], change=zeros)
    target = tmp_path / "strict.xlsx"
    with zipfile.ZipFile(book) as source, zipfile.ZipFile(target, "w") as made:
        for item in source.namelist():
            data = source.read(item)
            for space in (b"spreadsheetml", b"officeDocument"):
                plain = b"http://schemas.openxmlformats.org/" + space + b"/2006/"
                data = data.replace(plain, b"http://purl.oclc.org/ooxml/" + space + b"/")
            made.writestr(item, data)
    (row,) = read_roster(target, rules).rows
    assert (row.precinct.id, row.precinct.delegates) == ("007", 3)


def test_damaged_workbooks_are_read_or_refused(workbook_file, rules, tmp_path):
    """Parts changed in one place or a few, among them what openpyxl meets with errors of many kinds."""

    def dress(sheet):
        sheet.merge_cells("A1:D1")
        sheet.merge_cells("A9:A10")
        sheet.row_dimensions[5].hidden = True
        sheet["D5"].number_format = "000"
        sheet["C6"] = "=4+4"
        sheet["C7"] = dt.date(2020, 1, 4)
        sheet["C8"] = "#REF!"
        sheet.freeze_panes = "A3"
        sheet.auto_filter.ref = "A2:D20"

    book = workbook_file([["Title"], HEAD, *(["Adair", f"P{n}", n, n] for n in range(20))], change=dress)
    with zipfile.ZipFile(book) as source:
        whole = {name: source.read(name) for name in source.namelist()}
    path = tmp_path / "damaged.xlsx"
    chance = random.Random(2020)
    outcomes = set()
    for _ in range(300):
        hit = chance.choice(["xl/worksheets/sheet1.xml", "xl/workbook.xml", "xl/styles.xml", *whole])
        with zipfile.ZipFile(path, "w") as made:
            for name, data in whole.items():
                made.writestr(name, changed(data, chance) if name == hit else data)
        try:
            preview(path, rules)
            outcomes.add("read")
            read_roster(path, rules)
        except BadInput as error:
            outcomes.add(error.problems[0].expected)
    assert {"read", archive.DAMAGED} < outcomes


def changed(data, chance):
    """XML with a value, a text, an element or a byte changed, or without its end."""
    patterns = {
        rb'"[^"]*"': [
            b'""',
            b'"-1"',
            b'"A1:XFD1048576"',
            b'"e"',
            b'"s"',
            b'"true"',
            b'"' + b"9" * 5000 + b'"',
        ],
        rb"(?<=>)[^<]+(?=<)": [b"", b"nan", b"1e999", b"-1", b"9" * 400, b"_xD800_", b"2958466", b"&b;"],
        rb"<[^>]*>": [b"", b"<x/>", b'<c r="A1" t="s"><v>9</v></c>'],
        rb"(?s).": [b"<", b'"', b"\0", b"\xff", b" "],
    }
    for _ in range(chance.randint(1, 2)):
        pattern = chance.choice(list(patterns))
        if places := list(re.finditer(pattern, data)):
            place = chance.choice(places)
            data = data[: place.start()] + chance.choice(patterns[pattern]) + data[place.end() :]
    return data[: chance.randrange(len(data))] if chance.random() < 0.05 else data


def test_candidates(workbook_file, text_file):
    rows = [
        ["candidate", "kind", "minor", "may be viable"],
        ["Lee", None, "yes"],
        ["Uncommitted"],
        ["Write-in", "other", None, "no"],
    ]
    groups = read_candidates(workbook_file(rows))
    assert [(g.key, g.kind.value, g.minor, g.may_be_viable) for g in groups] == [
        ("Lee", "candidate", True, True),
        ("Uncommitted", "uncommitted", False, True),
        ("Write-in", "other", False, False),
    ]
    keyed = read_candidates(text_file("key,label\nlee,Ann Lee\nday,Bo Day\n"))
    assert [(g.key, g.label) for g in keyed] == [("lee", "Ann Lee"), ("day", "Bo Day")]


def test_candidates_that_cannot_be_told_apart_or_read(text_file):
    text = "candidate,kind,minor\nOther,,\nother,,\nA|B,,\nC,king,\nD,,perhaps\n" + "x" * 70 + ",,\n"
    with pytest.raises(BadInput) as caught:
        read_candidates(text_file(text))
    assert [(p.row, p.column) for p in caught.value.problems] == [
        (3, "candidate"), (4, "candidate"), (5, "kind"), (6, "minor"), (7, "candidate"),
    ]  # fmt: skip
    with pytest.raises(BadInput, match="at least two"):
        read_candidates(text_file("candidate\nLee\n"))


def test_a_preview_says_how_the_file_is_understood(text_file, workbook_file, rules):
    text = "A title;;\ncounty;precinct;county_delegates\nPolk;Peña;3\n"
    shown = preview(text_file(text, encoding="cp1252"))
    assert (shown.encoding, shown.delimiter) == ("Windows-1252", "semicolon")
    (table,) = shown.tables
    assert (table.heading_row, table.complete) == (2, True)
    assert [h.field for h in table.headings] == ["county", "precinct", "county_delegates"]
    assert table.rows[0].cells == ("Polk", "Peña", "3")
    book = preview(workbook_file([["precinct_id", "Warren first"], ["007", 3]]), rules)
    assert book.encoding is None
    assert (book.tables[0].sheet, book.tables[0].complete) == ("Sheet one", True)
    lacking = preview(text_file("county,votes\nPolk,3\n"))
    assert not lacking.tables[0].complete
    assert lacking.tables[0].rows[0].row == 2
    assert not preview(text_file("foo,bar\nPolk,3\n")).tables[0].complete
