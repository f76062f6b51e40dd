"""Sheets for leadership: is it settled, which seat moves next, where sheets part from the rules."""

import re
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from openpyxl import load_workbook

from caucus_desk.reports.book import Book
from caucus_desk.reports.leadership import write_leadership
from caucus_desk.reports.outlookpage import OUTLOOK
from caucus_desk.reports.overtime import MOST_ROWS, over_time, sampled
from caucus_desk.tally.bounds import outlook
from caucus_desk.tally.departures import departures
from caucus_desk.tally.evening import Point
from caucus_desk.tally.overview import Overview
from caucus_desk.tally.projection import LABEL
from caucus_desk.tally.results import Counting
from caucus_desk.tally.seats import seat_outlooks
from caucus_desk.tally.seatwords import move_sentence
from caucus_desk.tally.settled import settled_sentence

from .conftest import RULES, SEEN, Cell, Written, a_night, adair, clean, pair, reported, table, write

BEGAN = SEEN - timedelta(hours=2)


def block(written: Written, sheet: str, title: str) -> list[dict[str, Cell]]:
    """A block's rows: those under the headings below its title."""
    rows = written.rows(sheet)
    at = next(i for i, row in enumerate(rows) if str(row[0]).startswith(title))
    first = rows[at + 1] if sum(cell != "" for cell in rows[at + 1]) > 1 else rows[at + 2]
    return table(rows[rows.index(first, at) :], str(first[0]))


def test_the_outlook_says_what_the_bounds_say(night: Written) -> None:
    overview = a_night()
    found = outlook(overview)
    assert night.rows(OUTLOOK)[2][0] == settled_sentence(found)
    bounds = {row["Group"]: row for row in block(night, OUTLOOK, "Bounds")}
    for line in found.ranges:
        row = bounds[RULES.label(line.group)]
        assert row["SDE now"] == round(float(line.now), 4)
        assert row["Least it can end with"] == round(float(line.least), 4)
        assert row["Most it can end with"] == pytest.approx(float(line.most), abs=0.00006)
    listed = [row["Precinct id"] for row in block(night, OUTLOOK, "The 10 precincts")]
    assert listed == [swing.open.precinct.id for swing in found.check_next()]
    assert listed


def test_the_projection_stands_apart_and_is_called_one_in_every_heading(night: Written) -> None:
    rows = night.rows(OUTLOOK)
    at = next(i for i, row in enumerate(rows) if str(row[0]).startswith(LABEL))
    assert str(rows[at + 1][0]).startswith(LABEL), "its note says so too"
    headings = [str(cell) for cell in rows[at + 2] if cell]
    assert [heading.startswith(LABEL) for heading in headings] == [False, False, True, True]
    above = [str(cell) for row in rows[:at] for cell in row]
    assert not any(LABEL in cell for cell in above)


def test_a_settled_night_says_so(tmp_path: Path) -> None:
    written = write(Overview(RULES, "Test", [pair(adair(1), clean(10))]), tmp_path / "w.xlsx")
    assert str(written.rows(OUTLOOK)[2][0]).startswith("Leader can still change: no")
    assert not any(str(row[0]).startswith(LABEL) for row in written.rows(OUTLOOK))


def test_the_next_seat_to_move_is_named_with_how_much_it_takes(night: Written) -> None:
    rows = night.rows("National delegates")
    said = [str(cell) for row in rows for cell in row if cell]
    outlooks = seat_outlooks(a_night().national())
    moves = [move for one in outlooks for move in (one.gain, one.loss) if move is not None]
    assert moves
    for move in moves:
        assert move_sentence(RULES, move) in said
    amounts = [row["By, SDE"] for row in block(night, "National delegates", "The next seat")]
    assert amounts == sorted(amounts, key=float)
    for one in outlooks:
        for step in one.allocation.steps:
            assert step in said, "thresholds and remainders stand there with their arithmetic"


def test_departures_add_up_with_and_without_chance(night: Written) -> None:
    found = departures(a_night())
    rows = {row["Group"]: row for row in block(night, "Departures", "What counting as computed")}
    for group in RULES.keys:
        row = rows[RULES.label(group)]
        plain, chance = row["Moves without chance"], row["Moves where a toss is open"]
        assert plain == pytest.approx(float(found.moved(False)[group]), abs=0.00006)
        assert chance == pytest.approx(float(found.moved(True)[group]), abs=0.00006)
        moved = float(str(row["SDE as computed"])) - float(str(row["SDE as reported"]))
        assert moved == pytest.approx(float(str(row["All moves"])), abs=0.0002)
    steps = {row["Step of the worksheet"]: row["Precincts"] for row in block(night, "Departures", "At which")}
    assert steps == {str(step): len(all) for step, all in found.by_step().items() if all}


def test_each_departing_precinct_says_at_which_step_it_parts(night: Written) -> None:
    partings = {entry.precinct.id: entry for entry in departures(a_night()).all}
    rows = [row for row in night.table("As computed", "Precinct id") if row["Precinct id"] in partings]
    assert {row["Precinct id"] for row in rows} == set(partings)
    for row in rows:
        entry = partings[str(row["Precinct id"])]
        assert (row["Parts from the rules at"], row["How"]) == (str(entry.step), entry.sentence)


def curve(minutes: int) -> list[Point]:
    return [Point(BEGAN + timedelta(minutes=m), m + 1, m // 2) for m in range(minutes)]


def test_reporting_over_time_has_even_steps_and_ends_at_what_is_now() -> None:
    points = sampled(curve(100))
    assert points[-1] == curve(100)[-1]
    gaps = {later.at - sooner.at for sooner, later in pairwise(points[1:-1])}
    assert gaps == {timedelta(minutes=5)}
    for point in points[1:-1]:
        assert point.reporting == (point.at - BEGAN) // timedelta(minutes=1) + 1
    assert len(sampled(curve(60 * 24 * 3))) <= MOST_ROWS
    assert sampled([]) == ()
    assert sampled(curve(1))[-1].reporting == 1


def test_what_came_after_the_workbooks_own_time_is_not_on_the_curve() -> None:
    book = Book.of(a_night(), SEEN, Counting.REPORTED)
    later = [*curve(30), Point(SEEN + timedelta(hours=1), 99, 99)]
    night = over_time(book, later)
    assert night is not None
    assert max(point.reporting for point in night.points) == 30
    assert over_time(book, later[-1:]) is None


def test_the_night_has_a_chart_that_a_preview_can_draw(tmp_path: Path) -> None:
    path = tmp_path / "w.xlsx"
    write_leadership(path, a_night(), as_of=SEEN, counting=Counting.REPORTED, curve=curve(60))
    page = load_workbook(path)["Over time"]
    (chart,) = page._charts
    reporting, verified = chart.series
    assert [float(p.v) for p in reporting.yVal.numRef.numCache.pt][-1] == 60
    assert [float(p.v) for p in verified.yVal.numRef.numCache.pt][-1] == 29
    first, last = re.findall(r"\d+", reporting.yVal.numRef.f)
    assert page[f"B{last}"].value == 60
    assert page.max_row == int(last)
    assert isinstance(page[f"A{first}"].value, datetime)


def test_precincts_and_counties_are_tables_that_excel_knows(night: Written) -> None:
    book = load_workbook(night.path)
    for name in ("Precincts", "Counties", "Districts"):
        (found,) = book[name].tables.values()
        assert found.displayName == name
        header = book[name][re.findall(r"\d+", found.ref)[0]]
        assert found.column_names == [cell.value for cell in header]
        assert found.autoFilter.ref == found.ref
        assert not book[name].auto_filter.ref, "two filters over one another make Excel repair the file"
        folded = [column.casefold() for column in found.column_names]
        assert len(set(folded)) == len(folded)


def test_a_table_without_rows_is_none(tmp_path: Path) -> None:
    written = write(Overview(RULES, "Test", []), tmp_path / "w.xlsx")
    assert not load_workbook(written.path)["Precincts"].tables


def test_shares_by_county_are_shaded_on_one_scale(night: Written) -> None:
    page = load_workbook(night.path)["Counties"]
    scales = [
        (cells.sqref, rule) for cells in page.conditional_formatting for rule in cells.rules
        if rule.type == "colorScale"
    ]  # fmt: skip
    ((cells, rule),) = scales
    headings = {cell.column: str(cell.value) for cell in page[5]}
    assert {headings[area.min_col] for area in cells.ranges} == {
        f"{group.label} share of SDE" for group in RULES.groups
    }
    assert [one.type for one in rule.colorScale.cfvo] == ["num", "max"]


def test_cells_have_named_styles(night: Written) -> None:
    page = load_workbook(night.path)["Precincts"]
    assert page["A1"].style == "Desk banner"
    assert page["A5"].style == "Desk heading"
    assert page["A6"].style == "Desk id"
    headings = {cell.value: cell.column for cell in page[5]}
    assert page.cell(6, headings["Sanders SDE"]).style == "Desk units"


def test_nothing_of_the_outlook_is_worked_out_twice(tmp_path: Path) -> None:
    overview = a_night()
    found = outlook(overview)
    path = tmp_path / "w.xlsx"
    write_leadership(path, overview, as_of=SEEN, counting=Counting.REPORTED, bounds=found)
    assert "_leader_change" in vars(found)
    assert found.leader_change() is found.leader_change()


def test_an_outlook_of_nothing(tmp_path: Path) -> None:
    written = write(Overview(RULES, "Test", [reported(adair(1))]), tmp_path / "w.xlsx")
    assert "nothing is counted yet" in str(written.rows(OUTLOOK)[2][0])
    assert written.rows("Departures")[2][0] == "Nothing is counted yet."
