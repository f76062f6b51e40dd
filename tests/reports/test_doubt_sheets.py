"""What needs a person: side by side, with what is at stake, and with the working."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from caucus_desk.reports.leadership import write_leadership
from caucus_desk.tally.assess import assess
from caucus_desk.tally.catalogue import FINDINGS
from caucus_desk.tally.editions import Edition
from caucus_desk.tally.overview import Overview
from caucus_desk.tally.report import Channel
from caucus_desk.tally.results import Counting

from .conftest import RULES, SEEN, Written, a_night, adair, app, clean, polk, reported, sheet, write, wrong


def test_mismatches_show_the_sources_side_by_side(night: Written) -> None:
    rows = night.table("Mismatches", "Precinct id")
    assert [row["Field"] for row in rows] == ["Sanders delegates", "Warren delegates"]
    first = rows[0]
    assert (first["Phone says"], first["Paper says"], first["App says"]) == (3, 2, "–")
    assert (first["Counted now"], first["Counted from"], first["Says otherwise"]) == (2, "paper", "phone")
    assert (first["Phone keyed by"], first["Paper keyed by"], first["App keyed by"]) == ("Ann", "Bo", "")
    assert first["One delegate is, SDE"] == 0.0784


def test_a_blank_beside_a_number_is_a_word_and_no_zero(tmp_path: Path) -> None:
    partly = sheet(130, Sanders=(78, 78, 3), Warren=(52, None, 2))
    result = reported(adair(1), (Channel.PHONE, clean(13), "Ann"), (Channel.PAPER, partly, "Bo"))
    written = write(Overview(RULES, "Test", [result]), tmp_path / "w.xlsx")
    (row,) = written.table("Mismatches", "Precinct id")
    assert (row["Phone says"], row["Paper says"], row["Says otherwise"]) == (52, "blank", "phone")


@pytest.mark.parametrize("edition", [Edition.LEADERSHIP, Edition.PRESS])
def test_a_second_report_of_a_channel_stands_in_a_column_of_its_own(tmp_path: Path, edition: Edition) -> None:
    result = reported(adair(1), (Channel.PHONE, clean(13), "Ann"), (Channel.PAPER, clean(13), "Bo"))
    other = replace(
        result.reports[Channel.PAPER],
        id=9,
        by="Cy",
        sheet=sheet(130, Sanders=(78, 78, 3), Warren=(51, 52, 2)),
        at=SEEN - timedelta(hours=1),
        over=frozenset(),
        origin="Polk packet",
    )
    result = assess(RULES, result.precinct, [*result.reports.values(), other], None, ())
    path, overview = tmp_path / "w.xlsx", Overview(RULES, "Test", [result])
    written = Written(
        path, write_leadership(path, overview, as_of=SEEN, counting=Counting.REPORTED, edition=edition)
    )
    (row,) = written.table("Mismatches", "Precinct id")
    assert (row["Phone says"], row["Paper says"], row["Counted now"]) == (52, 52, 52)
    assert row["Says otherwise"] == "another paper"
    named = "paper (Polk packet, Cy): 51" if edition is Edition.LEADERSHIP else "paper: 51"
    assert row["Other reports of a channel say"] == named


def test_with_one_report_a_channel_there_is_no_such_column(night: Written) -> None:
    assert "Other reports of a channel say" not in night.table("Mismatches", "Precinct id")[0]


def test_findings_stand_with_the_most_at_stake_first(night: Written) -> None:
    rows = night.table("Findings", "At stake")
    stakes = [row["At stake, SDE"] for row in rows]
    assert stakes == sorted(stakes, reverse=True)
    over = next(row for row in rows if row["Finding"] == "C14" and row["Precinct id"] == "005")
    assert (over["Severity"], over["Acknowledged by"], over["Reason"]) == ("error", "Dee", "the room insists")
    assert "6" in str(over["What the sheet shows"])
    assert "5" in str(over["What the sheet shows"])
    assert over["Sheet"] == "paper"
    other = next(row for row in rows if row["Precinct id"] == "002")
    assert other["Acknowledged by"] == ""


def test_a_finding_on_a_sheet_that_does_not_count_says_so(night: Written) -> None:
    rows = [row for row in night.table("Findings", "At stake") if row["Precinct id"] == "004"]
    assert {row["Sheet"] for row in rows} == {"paper"}
    swapped = reported(adair(1), (Channel.PHONE, wrong(13), "Ann"), (Channel.PAPER, clean(13), "Bo"))
    overview = Overview(RULES, "Test", [swapped])
    said = {entry.standing for entry in overview.findings()}
    assert said == {False}


def test_missing_paper_is_listed_by_county(night: Written) -> None:
    rows = night.table("Missing paper", "County")
    counties = [str(row["County"]) for row in rows]
    assert counties == sorted(counties)
    adair_rows = [row for row in rows if row["County"] == "Adair"]
    assert [row["Precinct id"] for row in adair_rows] == ["002", "003"]
    assert {row["Missing in the county"] for row in adair_rows} == {2}
    assert {row["Precincts in the county"] for row in adair_rows} == {5}
    assert [row["In by"] for row in adair_rows] == ["app", "–"]
    assert adair_rows[0]["Is worth, SDE"] == 0.3922


def test_as_computed_says_what_it_moves(night: Written) -> None:
    rows = night.table("As computed", "Precinct id")
    moves = {
        (row["Precinct id"], row["Group"]): row["Computed moves, delegates"] for row in rows if row["Group"]
    }
    assert moves["002", "Sanders"] == 1
    assert moves["002", "Warren"] == -1
    assert moves["005", "Sanders"] == -1
    what = {str(row["Precinct id"]): str(row["What"]) for row in rows}
    assert what["1-2"].startswith("not computed, counted as reported")
    assert what["1-1"].startswith("toss not recorded: ")
    assert "001" not in what
    note = str(night.rows("As computed")[2][0])
    for line in a_night().tally().rows[0].groups:
        move = line.sde_computed - line.sde
        sign = "+" if move > 0 else "−"
        assert (f"{line.group} {sign}{abs(float(move)):.4f}" in note) == bool(move)


def test_the_working_of_a_precinct_is_printed_with_the_rule(tmp_path: Path) -> None:
    """Five people, three delegates, groups of 3, 1 and 1: one each, which the public took for a mistake."""
    ocheyedan = replace(adair(1, delegates=3), name="Ocheyedan")
    figures = sheet(5, Buttigieg=(3, 3, 2), Klobuchar=(1, 1, 1), Sanders=(1, 1, 0))
    written = write(Overview(RULES, "Test", [app(ocheyedan, figures)]), tmp_path / "w.xlsx")
    steps = [str(row["By the rules"]) for row in written.table("Working", "Precinct id")]
    assert "1/6 of 5" in steps[0]
    assert any("Buttigieg: 3 × 3 / 5" in step for step in steps)
    assert steps[-1] == "Delegates: Buttigieg 1, Klobuchar 1, Sanders 1. Together 3 of 3."


def test_the_method_sheet_reads_the_one_catalogue_and_the_decisions(night: Written) -> None:
    rows = night.rows("Method")
    first = [str(row[0]) for row in rows]
    assert set(FINDINGS) <= set(first)
    assert set(RULES.decisions) <= set(first)
    texts = [str(row[1]) for row in rows]
    for kind in FINDINGS.values():
        assert any(kind.predicate in text for text in texts)
    counted = {str(row[0]): row[3] for row in rows if str(row[0]) in FINDINGS}
    expected = {
        entry.precinct.id for entry in a_night().findings() if entry.finding.id == "C14" and entry.precinct
    }
    assert counted["C14"] == len(expected) > 0


def test_the_summary_says_who_leads(tmp_path: Path) -> None:
    night = write(a_night(), tmp_path / "night.xlsx")
    state = a_night().tally().rows[0]
    first, second = sorted(state.groups, key=lambda line: -line.sde)[:2]
    margin = first.sde - second.sde
    assert night.rows("Summary")[2][0] == (
        f"{first.group} leads {second.group} by {float(margin):.4f} SDEs "
        f"({float(100 * margin / state.sde_total):.2f} points of the share of SDE)."
    )
    rows = {row["Group"]: row for row in night.table("Summary", "Group")}
    assert rows[first.group]["Behind the leader, SDE"] == "leads"
    assert rows[second.group]["Behind the leader, SDE"] == round(float(margin), 4)
    level = [app(polk(1, delegates=2), sheet(10, Sanders=(5, 5, 1), Warren=(5, 5, 1)))]
    alike = write(Overview(RULES, "Test", level), tmp_path / "level.xlsx")
    assert alike.rows("Summary")[2][0] == "Sanders, Warren are level with 0.2798 SDEs each."
    county = alike.table("Counties", "County")[0]
    assert county["Leads"] == "Sanders = Warren"
    alone = [app(polk(1, delegates=1), sheet(10, Sanders=(10, 10, 1)))]
    single = write(Overview(RULES, "Test", alone), tmp_path / "alone.xlsx")
    assert single.rows("Summary")[2][0] == "Sanders has all 0.2798 SDEs."


def test_the_summary_counts_what_is_in_doubt(night: Written) -> None:
    rows = {str(row[0]): row[1] for row in night.rows("Summary")}
    assert rows["Precincts reporting"] == 11
    assert rows["No report yet"] == 1
    assert rows["Sources differ"] == 1
    assert rows["Merged with another"] == 1
    assert rows["Fields that differ"] == 2
    assert rows["Paper still missing"] == len(a_night().missing_paper())
    assert rows["Findings: error"] == sum(entry.severity == "error" for entry in a_night().findings())


def test_a_field_that_both_leave_blank_is_said_to_be_so(tmp_path: Path) -> None:
    """A partly blank row equals nothing, not even the same row blank in the same place."""
    partly = sheet(130, Sanders=(78, 78, 3), Warren=(52, None, 2))
    result = reported(adair(1), (Channel.PHONE, partly, "Ann"), (Channel.PAPER, partly, "Bo"))
    written = write(Overview(RULES, "Test", [result]), tmp_path / "w.xlsx")
    (row,) = written.table("Mismatches", "Precinct id")
    assert (row["Phone says"], row["Paper says"], row["Counted now"]) == ("blank", "blank", "")
    assert row["Says otherwise"] == "blank in both"
