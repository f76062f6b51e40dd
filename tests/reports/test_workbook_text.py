"""Whatever people wrote stays text, as they wrote it, or the file says what had to go."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from openpyxl import load_workbook

from caucus_desk.reports.leadership import read_back
from caucus_desk.reports.text import HEADER_LIMIT, Cleaner, distinct, one_line, print_header
from caucus_desk.tally.overview import Overview
from caucus_desk.tally.report import Acknowledgement, Channel

from .conftest import (
    OVER,
    RULES,
    SEEN,
    Written,
    adair,
    app,
    pair,
    reported,
    sheet,
    with_labels,
    write,
    wrong,
)

DANGEROUS = (
    '=HYPERLINK("http://x.example","click")',
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "\t=1+1",
    "#N/A",
    "#REF!",
    "1-4",
    "0123",
    "1e5",
    "TRUE",
    "'quoted",
    "_x0041_",
    "_x005F_",
    "Pct 01 - WL/HV",
    "<b>&amp;</b>",
    "O'Brien",
    "Ünïted ☂ 😀",
)


def in_names(text: str, path: Path) -> Written:
    """A workbook of one precinct whose every name is `text`."""
    precinct = replace(adair(1), id=text or "x", county=text or "x", name=text)
    return write(Overview(RULES, text, [app(precinct, wrong(10))]), path)


@pytest.mark.parametrize("text", DANGEROUS)
def test_a_name_never_becomes_a_formula_a_date_or_an_error(text: str, tmp_path: Path) -> None:
    written = in_names(text, tmp_path / "names.xlsx")
    row = written.table("Precincts", "Precinct id")[0]
    assert [row["Precinct id"], row["County"], row["Precinct"]] == [text] * 3
    xml = written.xml("Precincts")
    assert "<f>" not in xml
    assert 't="e"' not in xml
    assert read_back(written.path) == written.totals


def test_text_that_looks_like_a_formula_stays_text_when_edited(tmp_path: Path) -> None:
    written = in_names("=1+1", tmp_path / "names.xlsx")
    cell = load_workbook(written.path)["Precincts"]["A6"]
    assert (cell.value, cell.data_type, cell.quotePrefix) == ("=1+1", "s", True)


def test_only_the_checks_sheet_has_formulas(night: Written) -> None:
    with_formulas = [name for name in night.book.sheet_names if "<f>" in night.xml(name)]
    assert with_formulas == ["Checks"]


@pytest.mark.parametrize("labels", [("Other", "other", "OTHER "), ("Smith", "smith", "Smith (2)")])
def test_candidates_alike_but_for_case_have_columns_of_their_own(
    labels: tuple[str, ...], tmp_path: Path
) -> None:
    rules = with_labels(labels)
    figures = sheet(100, G0=(60, 60, 3), G1=(40, 40, 2), G2=(0, 0, 0))
    result = reported(adair(1), (Channel.APP, figures, "Cy"), rules=rules)
    written = write(Overview(rules, "Test", [result]), tmp_path / "w.xlsx")
    headings = [str(cell) for cell in written.rows("Precincts")[4]]
    assert len({heading.casefold() for heading in headings}) == len(headings)
    groups = [line.group for line in read_back(written.path).sheet("Precincts").groups]
    assert groups == list(distinct(labels))
    assert read_back(written.path) == written.totals


@pytest.mark.parametrize("label", ['=HYPERLINK("x")', "@cmd", "_x0041_", "Total", "A\x0bB", "first"])
def test_a_candidate_may_be_called_anything(label: str, tmp_path: Path) -> None:
    rules = with_labels([label, "Warren"])
    result = reported(adair(1), (Channel.APP, sheet(100, G0=(60, 60, 4), G1=(40, 40, 1)), "Cy"), rules=rules)
    written = write(Overview(rules, "Test", [result]), tmp_path / "w.xlsx")
    assert read_back(written.path) == written.totals
    assert written.table("Summary", "Group")[0]["Group"] == one_line(label)
    done = [row["Result when written"] for row in written.table("Checks", "Check")]
    assert set(done) == {"OK"}


def test_a_control_character_in_a_remark_is_removed_and_said(tmp_path: Path) -> None:
    given_for = Acknowledgement(
        "001", "C14", OVER.fingerprint, "Dee\x0b", SEEN, "pasted\x0bfrom a chat\x00", True
    )
    overview = Overview(RULES, "Test", [pair(adair(1), OVER, acknowledged=[given_for])])
    written = write(overview, tmp_path / "w.xlsx")
    row = next(row for row in written.table("Findings", "At stake") if row["Finding"] == "C14")
    assert (row["Acknowledged by"], row["Reason"]) == ("Dee", "pastedfrom a chat")
    (note,) = written.totals.notes
    assert note.startswith("3 control characters were removed, which a cell can't hold: Findings ")
    assert note in [cell for row in written.rows("Method") for cell in row]


def test_nothing_is_said_where_nothing_was_removed(night: Written) -> None:
    assert night.totals.notes == ()
    assert not any("control character" in str(c) for row in night.rows("Method") for c in row)


def test_a_remark_longer_than_a_cell_is_cut_and_said(tmp_path: Path) -> None:
    given_for = Acknowledgement("001", "C14", OVER.fingerprint, "Dee", SEEN, "long " * 9_000, True)
    overview = Overview(RULES, "Test", [pair(adair(1), OVER, acknowledged=[given_for])])
    written = write(overview, tmp_path / "w.xlsx")
    row = next(row for row in written.table("Findings", "At stake") if row["Finding"] == "C14")
    assert len(str(row["Reason"])) < 32_768
    assert str(row["Reason"]).endswith("… (cut)")
    assert "longer than a cell" in written.totals.notes[0]


@settings(max_examples=25)
@given(text=st.text(st.characters(codec=None), min_size=1, max_size=60))
@example(text="\x00")
@example(text="=\x01")
@example(text="\ud800")
@example(text="a\r\nb\rc\x85d")
@example(text="\ufffe\uffff")
@example(text="_x000D_")
def test_any_text_comes_back_as_text(text: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    written = in_names(text, tmp_path_factory.mktemp("text") / "w.xlsx")
    kept = Cleaner().cell(text, "")
    cell = load_workbook(written.path)["Precincts"]["C6"]
    assert (cell.value or "") == kept
    assert cell.value is None or cell.data_type == "s"
    # The independent reader drops cells of spaces only, and reads escapes as Excel does.
    if kept.strip():
        row = written.table("Precincts", "Precinct id")[0]
        assert row["Precinct"] == kept.replace("_x005F_", "_")
    assert read_back(written.path) == written.totals


@given(text=st.text(st.characters(codec=None)))
def test_cleaning_takes_away_control_characters_only(text: str) -> None:
    account = Cleaner()
    kept = account.cell(text, "Findings A1").replace("_x005F_", "_")
    if text.isprintable():
        assert kept == text
    lost = len(text.replace("\r\n", "\n")) - len(kept)
    assert lost == account.removed
    assert bool(account.account()) == bool(account.removed)


@given(*[st.text(max_size=300)] * 3)
def test_a_print_header_is_short_enough_and_says_the_banner(left: str, center: str, right: str) -> None:
    parts = print_header(left, center, right)
    whole = f"&L{parts[0]}&C{parts[1]}&R{parts[2]}"
    assert len(whole) < HEADER_LIMIT
    for part in parts:
        assert "&" not in part.replace("&&", "")
        assert part.isprintable() or part == one_line(part)
    banner = "UNOFFICIAL, PARTIAL: 1,094 of 1,765 precincts (62.0%), 80 of 99 counties"
    assert print_header(left, banner, right)[1] == banner


def test_distinct_names_differ_in_more_than_case() -> None:
    assert distinct(["Other", "other", " OTHER", ""]) == ("Other", "other (2)", "OTHER (3)", "unnamed")
