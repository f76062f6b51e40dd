"""Results files in: all or nothing, by one person a precinct, and verified precincts only with a reason."""

from pathlib import Path

import pytest

from caucus_desk.desk.creating import create_caucus
from caucus_desk.desk.integrity import check_store
from caucus_desk.desk.loading import load_results, same_sheet
from caucus_desk.desk.session import Desk
from caucus_desk.desk.settling import settle
from caucus_desk.desk.trail import audit_trail
from caucus_desk.exchange.problems import BadInput
from caucus_desk.rules.errors import Cancelled, Refused
from caucus_desk.store.actions import Action
from caucus_desk.store.records import NewReport
from caucus_desk.tally.report import Channel
from caucus_desk.tally.sheet import ChanceRecord, GroupCounts, ResultSheet
from caucus_desk.tally.state import State

HEAD = "precinct_id,candidate,first_alignment,final_alignment,county_delegates,attendance\n"
GOOD = {
    "Biden": (14, 16, 1),
    "Buttigieg": (36, 38, 2),
    "Sanders": (24, 24, 2),
    "Warren": (22, 22, 1),
    "Yang": (4, 0, 0),
}


def lines(precinct_id: str, attendance: int = 100, **changes: tuple[int, int, int]) -> str:
    rows = {**GOOD, **changes}
    return "".join(f"{precinct_id},{group},{a},{b},{d},{attendance}\n" for group, (a, b, d) in rows.items())


@pytest.fixture
def write(tmp_path: Path):  # type: ignore[no-untyped-def]
    def make(*parts: str, name: str = "night.csv") -> Path:
        path = tmp_path / name
        path.write_text(HEAD + "".join(parts), encoding="utf-8")
        return path

    return make


def counts(desk: Desk) -> dict[str, int]:
    with desk.store.read() as unit:
        return {precinct_id: len(reports) for precinct_id, reports in unit.reports().items()}


def sound(desk: Desk) -> None:
    assert [line for line in check_store(desk) if not line.ok] == []


def test_a_file_becomes_reports(desk: Desk, write) -> None:  # type: ignore[no-untyped-def]
    seen: list[str] = []
    loaded = load_results(
        desk,
        write(lines("A-1"), lines("A-2", Biden=(20, 22, 1))),
        channel=Channel.APP,
        by="feed",
        progress=lambda done, total, what: seen.append(what),
    )
    assert (loaded.new, loaded.superseded, loaded.unchanged, loaded.refused) == (2, 0, 0, ())
    result = desk.overview().results["A-1"]
    assert result.standing.state is State.SINGLE
    assert result.reports[Channel.APP].sheet.count("Sanders.final") == 24
    assert result.reports[Channel.APP].by == "feed"
    assert len(result.reports[Channel.APP].receipt) == 5
    events = audit_trail(desk).events
    assert events[0].sentence == "feed loaded night.csv as app: 2 new, 0 in place of older ones, 0 unchanged"
    assert [one.action for one in events[1:3]] == [Action.REPORTED, Action.REPORTED]
    assert "from night.csv, row 2" in events[2].sentence
    assert "Saving the reports" in seen
    sound(desk)


def test_equal_sheets_are_skipped_and_different_ones_supersede(desk: Desk, write) -> None:  # type: ignore[no-untyped-def]
    load_results(desk, write(lines("A-1"), lines("A-2")), channel=Channel.APP, by="feed")
    loaded = load_results(
        desk, write(lines("A-1"), lines("A-2", Yang=(5, 0, 0))), channel=Channel.APP, by="other feed"
    )
    assert (loaded.new, loaded.superseded, loaded.unchanged) == (0, 1, 1)
    assert counts(desk) == {"A-1": 1, "A-2": 2}
    event = audit_trail(desk, "A-2").events[0]
    assert (event.report_id, event.old_report_id) == (3, 2)
    assert "in place of report 2" in event.sentence
    sound(desk)


def test_a_row_of_noughts_is_the_same_as_no_row(desk: Desk, write) -> None:  # type: ignore[no-untyped-def]
    load_results(desk, write(lines("A-1")), channel=Channel.APP, by="feed")
    loaded = load_results(desk, write(lines("A-1", Steyer=(0, 0, 0))), channel=Channel.APP, by="feed")
    assert (loaded.superseded, loaded.unchanged) == (0, 1)


def test_what_a_sheet_says_beside_its_counts_is_not_lost(good_sheet: ResultSheet) -> None:
    from dataclasses import replace

    assert same_sheet(good_sheet, replace(good_sheet))
    assert not same_sheet(good_sheet, replace(good_sheet, threshold=16))
    assert not same_sheet(good_sheet, replace(good_sheet, overwritten=True))
    assert not same_sheet(
        good_sheet, replace(good_sheet, chance=(ChanceRecord(("Biden", "Yang"), ("Yang",)),))
    )
    signed = (GroupCounts("Biden", 14, 16, 1, signed=False), *good_sheet.groups[1:])
    assert not same_sheet(good_sheet, replace(good_sheet, groups=signed))


def test_another_channel_by_the_same_person_is_refused(desk: Desk, write) -> None:  # type: ignore[no-untyped-def]
    load_results(desk, write(lines("A-1")), channel=Channel.PHONE, by="Zoë Q")
    with pytest.raises(BadInput) as refused:
        load_results(desk, write(lines("A-2"), lines("A-1")), channel=Channel.PAPER, by="zoe  q")
    (problem,) = refused.value.problems
    assert (problem.row, problem.value) == (7, "A-1")
    assert "another person, because Zoë Q brought the phone report" in problem.expected
    assert refused.value.exit_code == 3
    assert counts(desk) == {"A-1": 1}


def test_a_merged_precinct_is_refused(desk: Desk, write) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(BadInput, match="merged") as refused:
        load_results(desk, write(lines("A-1"), lines("A-3")), channel=Channel.APP, by="feed")
    assert all(problem.row is not None and problem.row >= 7 for problem in refused.value.problems)
    assert counts(desk) == {}


def test_bad_rows_all_at_once_or_skipped_on_request(desk: Desk, write) -> None:  # type: ignore[no-untyped-def]
    file = write(
        lines("A-1"), "A-2,Biden,12x,3,1,90\n", "A-2,Nobody,1,3,1,90\n", lines("A-3"), lines("77-T01")
    )
    with pytest.raises(BadInput) as refused:
        load_results(desk, file, channel=Channel.APP, by="feed")
    assert len(refused.value.problems) >= 2
    assert counts(desk) == {}
    assert len(audit_trail(desk).events) == 1
    loaded = load_results(desk, file, channel=Channel.APP, by="feed", skip_bad=True)
    assert loaded.new == 2
    assert {problem.row for problem in loaded.refused} >= {7, 8}
    assert counts(desk) == {"A-1": 1, "77-T01": 1}
    assert "bad rows skipped" in audit_trail(desk).events[0].sentence
    sound(desk)


@pytest.fixture
def verified(desk: Desk, good_sheet: ResultSheet) -> Desk:
    with desk.store.write() as unit:
        unit.add_report(NewReport("A-1", Channel.PHONE, good_sheet, "Ann"))
        unit.add_report(NewReport("A-1", Channel.PAPER, good_sheet, "Bo"))
        assert settle(unit, desk.rules, ["A-1"])["A-1"].verified
    return desk


def test_a_verified_precinct_refuses_without_a_reason(verified: Desk, write) -> None:  # type: ignore[no-untyped-def]
    file = write(lines("A-1", Yang=(5, 0, 0)))
    with pytest.raises(BadInput, match="verified; give a reason"):
        load_results(verified, file, channel=Channel.PAPER, by="Bo")
    with pytest.raises(Refused, match="needs a reason"):
        load_results(verified, file, channel=Channel.PAPER, by="Bo", correct=" ")
    with pytest.raises(Refused, match="in a few words"):
        load_results(verified, file, channel=Channel.PAPER, by="Bo", correct="12")
    assert verified.overview().results["A-1"].verified
    loaded = load_results(verified, file, channel=Channel.PAPER, by="Bo", correct="recount of 9 February")
    assert loaded.superseded == 1
    result = verified.overview().results["A-1"]
    assert result.standing.state is State.MISMATCHED
    assert result.changed_after_verified
    corrected, reported, *_ = [one.sentence for one in audit_trail(verified, "A-1")]
    assert "correction of a verified precinct: recount of 9 February" in reported
    assert corrected == "Bo corrected A-1, which was verified: recount of 9 February"
    sound(verified)


def test_an_equal_sheet_of_a_verified_precinct_is_simply_skipped(verified: Desk, write) -> None:  # type: ignore[no-untyped-def]
    loaded = load_results(verified, write(lines("A-1")), channel=Channel.PAPER, by="Cy")
    assert (loaded.unchanged, loaded.refused) == (1, ())


@pytest.mark.parametrize("at", ["Reading", "Saving", "Working"])
def test_cancelling_leaves_nothing(desk: Desk, write, at: str) -> None:  # type: ignore[no-untyped-def]
    def progress(done: int, total: int, what: str) -> None:
        if what.startswith(at) and (at != "Saving" or done == total):
            raise Cancelled("Stopped.")

    with desk.store.read() as unit:
        before = unit.all_events()
    with pytest.raises(Cancelled):
        load_results(desk, write(lines("A-1")), channel=Channel.APP, by="feed", progress=progress)
    assert counts(desk) == {}
    with desk.store.read() as unit:
        assert unit.all_events() == before
        assert unit.states() == {}


def test_county_totals_are_kept_and_not_kept_twice(desk: Desk, write) -> None:  # type: ignore[no-untyped-def]
    head = "county,precinct,precinct_id,candidate,first_alignment,final_alignment,county_delegates\n"
    body = "Alpha,North Ward,A-1,Biden,14,16,1\nAlpha,Total,,Biden,15,17,2\n"
    file = write()
    file.write_text(head + body, encoding="utf-8")
    assert load_results(desk, file, channel=Channel.APP, by="feed").control_totals == 1
    (total,) = desk.overview().control_totals
    assert (total.county, total.first, total.final, total.delegates) == ("Alpha", 15, 17, 2)
    load_results(desk, file, channel=Channel.APP, by="feed")
    with desk.store.read() as unit:
        assert len(unit.control_digests()) == 1
    sound(desk)


def test_the_real_results(iowa2020: Path, tmp_path: Path) -> None:
    made = create_caucus(str(tmp_path / "a.db"), "iowa-2020", iowa2020 / "precincts.csv", by="Lead")
    with made.desk as desk:
        loaded = load_results(desk, iowa2020 / "results_final.csv", channel=Channel.APP, by="party feed")
        assert (loaded.new, loaded.unchanged, loaded.refused) == (1765, 0, ())
        assert (
            desk.overview().banner()
            == "UNOFFICIAL, COMPLETE: 1,765 of 1,765 precincts (100.0%), all 99 counties"
        )
        row = desk.overview().tally().rows[0]
        assert (row.group("Biden").first, row.group("Biden").final) == (26_291, 23_605)
        again = load_results(desk, iowa2020 / "results_final.csv", channel=Channel.APP, by="party feed")
        assert (again.new, again.superseded, again.unchanged) == (0, 0, 1765)
        sound(desk)


def test_who_typed_in_one_sheet_does_not_load_the_other(
    desk: Desk,
    write,  # type: ignore[no-untyped-def]
    good_sheet: ResultSheet,
) -> None:
    with desk.store.write() as unit:
        unit.add_report(NewReport("A-1", Channel.PHONE, good_sheet, "Bo", typists=("Anna",)))
    with pytest.raises(BadInput) as refused:
        load_results(desk, write(lines("A-1")), channel=Channel.PAPER, by="anna")
    (problem,) = refused.value.problems
    assert problem.expected == "another person, because Anna had a hand in the phone report of this precinct"


def test_the_name_of_a_file_cannot_break_a_line_of_the_trail(desk: Desk, write) -> None:  # type: ignore[no-untyped-def]
    load_results(desk, write(lines("A-1"), name="a\nb.csv"), channel=Channel.PHONE, by="Anna")
    with desk.store.read() as unit:
        assert all("\n" not in event.sentence for event in unit.audit_trail())
