"""The reviewer's case, rulings, and acknowledging findings."""

from dataclasses import replace
from pathlib import Path

import pytest

from caucus_desk.desk.acknowledge import acknowledge
from caucus_desk.desk.entry import check, claim, submit
from caucus_desk.desk.loading import load_results
from caucus_desk.desk.review import case, rule, withdraw_ruling
from caucus_desk.desk.session import Desk
from caucus_desk.rules.errors import Refused
from caucus_desk.tally.report import Channel
from caucus_desk.tally.sheet import Column, ResultSheet
from caucus_desk.tally.state import State

PHONE, PAPER, APP = Channel.PHONE, Channel.PAPER, Channel.APP


def key(
    desk: Desk,
    sheet: ResultSheet,
    channel: Channel,
    by: str,
    precinct_id: str = "A-1",
    correcting: str = "",
) -> int:
    draft = claim(desk, precinct_id, channel, by)
    reasons = {finding.id: "asked twice" for finding in check(desk, precinct_id, sheet).findings}
    done = submit(desk, draft.id, sheet, by, reasons=reasons, confirmed=True, correcting=correcting)
    return done.report_id


def changed(sheet: ResultSheet, group: str, **counts: int | None) -> ResultSheet:
    rows = tuple(replace(row, **counts) if row.group == group else row for row in sheet.groups)
    return replace(sheet, groups=rows)


@pytest.fixture
def differing(desk: Desk, good_sheet: ResultSheet) -> Desk:
    """Phone hears Biden 13 in the first round and 101 people; the paper says 14 and 100."""
    key(desk, replace(changed(good_sheet, "Biden", first=13), attendance=101), PHONE, "Anna")
    key(desk, good_sheet, PAPER, "Bo")
    return desk


def test_a_case_shows_the_channels_side_by_side(differing: Desk) -> None:
    seen = case(differing, "A-1")
    assert seen.result.standing.state is State.MISMATCHED
    assert seen.differing == ("attendance", "Biden.first")
    biden = next(field for field in seen.fields if field.path == "Biden.first")
    assert (dict(biden.values), biden.stands, biden.label) == ({PHONE: 13, PAPER: 14}, 14, "Biden first")
    delegates = next(field for field in seen.fields if field.path == "Buttigieg.delegates")
    assert delegates.computed == 2
    assert seen.seen_report == 2
    assert [stored.report.by for stored in seen.history] == ["Anna", "Bo"]


def test_a_case_of_an_awaited_precinct_is_empty(desk: Desk) -> None:
    seen = case(desk, "A-1")
    assert (seen.reports, seen.check, seen.seen_report, seen.differing) == ({}, None, 0, ())


def test_a_ruling_ends_the_mismatch_field_by_field(differing: Desk) -> None:
    ruling = rule(
        differing,
        "A-1",
        {"attendance": 101, "Biden.first": 14},
        seen_report=2,
        reason="the photo shows it",
        by="Cy",
    )
    assert (ruling.sheet.attendance, ruling.sheet.row("Biden").first) == (101, 14)
    result = differing.overview().results["A-1"]
    assert (result.standing.state, result.verified) == (State.RULED, True)
    assert result.standing.sheet is not None
    assert result.standing.sheet.total(Column.FINAL) == 100
    assert len(case(differing, "A-1").history) == 2, "the reports stay as they were"


def test_a_value_that_no_report_has_may_stand(differing: Desk) -> None:
    ruling = rule(
        differing, "A-1", {"attendance": 102, "Biden.first": 14}, seen_report=2, reason="called back", by="Cy"
    )
    assert ruling.sheet.attendance == 102


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"by": "ANNA"}, "Anna keyed the phone report"),
        ({"by": "Bo"}, "Bo keyed the paper report"),
        ({"reason": "  "}, "needs a reason"),
        ({"choices": {"attendance": 101}}, "still open: Biden first"),
        ({"seen_report": 1}, "newer paper report"),
        ({"choices": {"attendance": 101, "Biden.first": 14, "Nobody.first": 1}}, "no field"),
        ({"choices": {"attendance": 100_000, "Biden.first": 14}}, "cannot stand"),
    ],
)
def test_what_a_ruling_may_not_be(differing: Desk, change: dict[str, object], sentence: str) -> None:
    asked: dict[str, object] = {
        "choices": {"attendance": 101, "Biden.first": 14},
        "seen_report": 2,
        "reason": "the photo shows it",
        "by": "Cy",
        **change,
    }
    choices = asked.pop("choices")
    with pytest.raises(Refused, match=sentence):
        rule(differing, "A-1", choices, **asked)  # type: ignore[arg-type]
    assert differing.overview().results["A-1"].standing.state is State.MISMATCHED


def test_nothing_to_rule_on(desk: Desk, good_sheet: ResultSheet) -> None:
    key(desk, good_sheet, PHONE, "Anna")
    with pytest.raises(Refused, match="Nothing differs"):
        rule(desk, "A-1", {}, seen_report=1, reason="why not", by="Cy")


def test_a_newer_report_ends_the_rulings_force(differing: Desk, good_sheet: ResultSheet) -> None:
    choices = {"attendance": 101, "Biden.first": 14}
    rule(differing, "A-1", choices, seen_report=2, reason="the photo", by="Cy")
    key(differing, changed(good_sheet, "Biden", first=12), PHONE, "Anna", correcting="the chair rang again")
    result = differing.overview().results["A-1"]
    assert result.standing.state is State.MISMATCHED
    assert result.changed_after_verified
    assert "C50" in {entry.finding.id for entry in differing.overview().findings_of("A-1")}


def test_a_withdrawn_ruling_stays_on_record(differing: Desk) -> None:
    choices = {"attendance": 101, "Biden.first": 14}
    ruling = rule(differing, "A-1", choices, seen_report=2, reason="the photo", by="Cy")
    with pytest.raises(Refused, match="ruled on North Ward, Alpha at"):
        rule(differing, "A-1", choices, seen_report=2, reason="again", by="Di")
    with pytest.raises(Refused, match="needs a reason"):
        withdraw_ruling(differing, ruling.id, "", "Cy")
    with pytest.raises(Refused, match="keyed the phone report"):
        withdraw_ruling(differing, ruling.id, "mine is right", "Anna")
    withdraw_ruling(differing, ruling.id, "wrong photo", "Di")
    seen = case(differing, "A-1")
    assert seen.result.standing.state is State.MISMATCHED
    (kept,) = seen.rulings
    assert (kept.ruling.reason, kept.withdrawn_by, kept.withdrawn_reason) == (
        "the photo",
        "Di",
        "wrong photo",
    )
    with pytest.raises(Refused, match="withdrew this ruling already"):
        withdraw_ruling(differing, ruling.id, "again", "Cy")
    with pytest.raises(Refused, match="no ruling 99"):
        withdraw_ruling(differing, 99, "again", "Cy")


# ---- acknowledging ----


def test_an_error_is_answered_by_another_person(desk: Desk, good_sheet: ResultSheet, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.csv"
    lines = ["precinct_id,candidate,first_alignment,final_alignment,county_delegates,attendance"]
    for row in changed(good_sheet, "Buttigieg", delegates=3).groups:
        lines.append(f"A-1,{row.group},{row.first},{row.final},{row.delegates},100")
    wrong.write_text("\n".join(lines), encoding="utf-8")
    load_results(desk, wrong, channel=PAPER, by="Bo")
    load_results(desk, wrong, channel=APP, by="app feed")
    assert desk.overview().results["A-1"].open_errors == ("C14",)
    for by in ("Bo", "APP FEED"):
        with pytest.raises(Refused, match="another person must acknowledge C14"):
            acknowledge(desk, "A-1", "C14", reason="it is so", by=by)
    with pytest.raises(Refused, match="needs a reason"):
        acknowledge(desk, "A-1", "C14", reason=" ", by="Cy")
    given = acknowledge(desk, "A-1", "c14", reason="the chair confirms", by="Cy")
    assert (given.finding, given.at_desk) == ("C14", False)
    assert desk.overview().results["A-1"].verified
    with pytest.raises(Refused, match="already"):
        acknowledge(desk, "A-1", "C14", reason="once more", by="Di")


def test_only_what_the_standing_sheet_shows_is_acknowledged(desk: Desk, good_sheet: ResultSheet) -> None:
    with pytest.raises(Refused, match="has no report yet"):
        acknowledge(desk, "A-1", "C07", reason="why", by="Cy")
    key(desk, good_sheet, PHONE, "Anna")
    with pytest.raises(Refused, match="does not show C07"):
        acknowledge(desk, "A-1", "C07", reason="why", by="Cy")
    with pytest.raises(Refused, match="no finding C99"):
        acknowledge(desk, "A-1", "C99", reason="why", by="Cy")
    with pytest.raises(Refused, match="no precinct Z-9"):
        acknowledge(desk, "Z-9", "C07", reason="why", by="Cy")


def test_an_acknowledgement_falls_with_the_figures(desk: Desk, good_sheet: ResultSheet) -> None:
    late = changed(changed(good_sheet, "Yang", first=2), "Biden", first=14)
    draft = claim(desk, "A-1", PHONE, "Anna")
    submit(desk, draft.id, late, "Anna", reasons={})
    acknowledge(desk, "A-1", "C03", reason="", by="Cy")
    assert desk.overview().results["A-1"].acknowledgements
    draft = claim(desk, "A-1", PHONE, "Anna")
    submit(desk, draft.id, changed(late, "Yang", first=1), "Anna", reasons={})
    assert not desk.overview().results["A-1"].acknowledgements


def test_a_sheet_keyed_twice_is_acknowledged_too(desk: Desk, good_sheet: ResultSheet) -> None:
    key(desk, good_sheet, PHONE, "Anna", "A-1")
    key(desk, good_sheet, PHONE, "Anna", "A-2")
    assert "C35" in {entry.finding.id for entry in desk.overview().findings_of("A-1")}
    acknowledge(desk, "A-1", "C35", reason="two rooms, the same counts: both chairs confirm", by="Cy")
    (found,) = [entry for entry in desk.overview().findings_of("A-1") if entry.finding.id == "C35"]
    assert found.acknowledged is not None
