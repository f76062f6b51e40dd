"""What only the whole caucus shows: the same numbers twice, strength, county totals, late changes."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from caucus_desk.tally.assess import assess
from caucus_desk.tally.checks import county_findings, cross_findings, sheet_vectors
from caucus_desk.tally.report import Channel, Report
from caucus_desk.tally.results import ControlTotal
from caucus_desk.tally.roster import Precinct
from caucus_desk.tally.sheet import GroupCounts, ResultSheet


@pytest.fixture
def result(iowa):
    """One precinct's result from one app report, or awaiting where no rows are given."""
    ids = iter(range(1, 1000))

    def build(name, county="Polk", elects=4, attendance=None, changed=False, **rows):
        precinct = Precinct(name, county, name.upper(), delegates=elects)
        sheet = ResultSheet(attendance, tuple(GroupCounts(group, *counts) for group, counts in rows.items()))
        at = datetime(2020, 2, 4, 3, 0, tzinfo=UTC)
        reports = [Report(next(ids), name, Channel.APP, sheet, "Ada", at)] if rows else []
        return assess(iowa, precinct, reports, None, (), changed)

    return build


LARGE = {"Biden": (4000, 4000, 2), "Sanders": (4000, 4000, 2)}


def test_the_same_sheet_keyed_twice(iowa, result):
    rows = {"Biden": (6, 7, 2), "Sanders": (5, 4, 2)}
    found = cross_findings(
        iowa, [result("p1", **rows), result("p2", **rows), result("p3", **{**rows, "Sanders": (5, 5, 2)})]
    )
    (one,) = (f for f in found["p1"] if f.id == "C35")
    assert one.severity == "error"
    assert one.fields == ("Biden.first", "Biden.final", "Sanders.first", "Sanders.final")
    assert one.message == (
        "Both alignments are exactly those of P2, Polk, group by group (11 people in the final one). The same"
        " sheet seems to be keyed twice."
    )
    assert [f.id for f in found["p2"]] == ["C35", "C36"]
    assert [f.id for f in found["p3"]] == ["C36"]


def test_the_order_of_rows_and_blank_rows_hide_no_twin(iowa, result):
    one = result("p1", Biden=(6, 7, 2), Sanders=(5, 4, 2))
    other = result("p2", Yang=(0, 0, 0), Sanders=(5, 4, 1), Biden=(6, 7, 3))
    assert sheet_vectors(one.standing.sheet) == sheet_vectors(other.standing.sheet)
    assert {f.id for f in cross_findings(iowa, [one, other])["p1"]} == {"C35"}


def test_small_rooms_are_alike_by_chance(iowa, result):
    rows = {"Biden": (6, 6, 2), "Sanders": (4, 4, 2)}
    assert cross_findings(iowa, [result("p1", **rows), result("p2", **rows)]) == {}
    assert sheet_vectors(result("p1", **rows).standing.sheet) is None
    assert sheet_vectors(None) is None


def test_one_round_like_another_precincts(iowa, result):
    first = result("p1", Biden=(6, 7, 2), Sanders=(5, 4, 2))
    found = cross_findings(iowa, [first, result("p2", Biden=(6, 5, 2), Sanders=(5, 6, 2))])
    assert [f.id for f in found["p1"]] == ["C36"]
    assert found["p1"][0].message == (
        "The first alignment (11 people) is exactly that of P2, Polk, group by group."
    )
    assert found["p1"][0].fields == ("Biden.first", "Sanders.first")
    assert cross_findings(iowa, [first, result("p2", Biden=(5, 6, 2), Sanders=(6, 5, 2))]) == {}


def test_a_viable_group_without_strength_in_the_tally(iowa, result):
    rows = {"Biden": (40, 40, 2), "Steyer": (41, 41, 2)}
    found = cross_findings(iowa, [result("p1", **rows), result("p2", **LARGE)])
    assert [f.id for f in found["p1"]] == ["C32"]
    assert found["p1"][0].fields == ("Steyer.first", "Steyer.final")
    assert "Steyer (41 people of 8,081 statewide) is viable here" in found["p1"][0].message
    # 81 of 8,100 are exactly one in a hundred
    enough = {"Biden": (19, 19, 1), "Steyer": (81, 81, 3)}
    assert cross_findings(iowa, [result("p1", **enough), result("p2", **LARGE)]) == {}
    few = {"Biden": (86, 86, 4), "Steyer": (14, 14, 0)}
    assert cross_findings(iowa, [result("p1", **few), result("p2", **LARGE)]) == {}


def test_a_group_that_the_rule_set_lists_is_said_once(iowa, result):
    rows = {"Biden": (40, 40, 2), "Patrick": (41, 41, 2)}
    assert cross_findings(iowa, [result("p1", **rows), result("p2", **LARGE)]) == {}


def test_changed_after_it_was_verified(iowa, result):
    rows = {"Biden": (6, 6, 4)}
    found = cross_findings(iowa, [result("p1", changed=True, **rows), result("p2", **rows)])
    assert [f.id for f in found["p1"]] == ["C50"]
    assert "p2" not in found
    assert found["p1"][0].message == (
        "This precinct was verified and has changed since. The newest report came by app."
    )


def test_county_totals(iowa, result):
    results = [
        result("p1", Biden=(6, 7, 2), Sanders=(5, 4, 2)),
        result("p2", Biden=(10, 10, 4)),
        result("p3", county="Story", Biden=(99, 99, 4)),
        result("p4"),
    ]

    def totals(biden_final):
        return [
            ControlTotal("POLK ", "Biden", 16, biden_final, 6),
            ControlTotal("POLK ", "Sanders", 5, None, 2),
        ]

    assert county_findings(iowa, results, totals(17)) == ()
    ((county, found),) = county_findings(iowa, results, totals(18))
    assert county == "POLK "
    assert found.id == "C48"
    assert found.fields == ("Biden.final",)
    assert found.message == (
        "The county total of POLK  has Biden final 18, its precincts add to 17. 1 of its precincts is still"
        " awaited."
    )
    assert county_findings(iowa, results, ()) == ()


def test_a_later_county_total_replaces_an_earlier_one(iowa, result):
    results = [result("p1", Biden=(6, 7, 4))]
    totals = [ControlTotal("Polk", "Biden", 6, 8, 4), ControlTotal("Polk", "Biden", 6, 7, 4)]
    assert county_findings(iowa, results, totals) == ()


def test_severities_hold_for_the_whole_too(iowa, result):
    rows = {"Biden": (6, 7, 2), "Sanders": (5, 4, 2)}
    twins = [result("p1", changed=True, **rows), result("p2", **rows)]
    other = replace(iowa, severities={"C35": "off", "C50": "note"})
    (found,) = cross_findings(other, twins)["p1"]
    assert (found.id, found.severity) == ("C50", "note")
    off = replace(iowa, severities={"C48": "off"})
    assert county_findings(off, twins, [ControlTotal("Polk", "Biden", 1, 1, 1)]) == ()
