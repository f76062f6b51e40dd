"""The sample caucus: whole, the same at every run, and with every kind of trouble in it."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from caucus_desk import paths
from caucus_desk.desk import approving, attachments, calls, cases, chase, corrections, errands
from caucus_desk.desk.creating import create_caucus, rule_set
from caucus_desk.desk.evening import evening
from caucus_desk.desk.integrity import check_store
from caucus_desk.desk.invented.events import END, START, Keyed
from caucus_desk.desk.invented.faults import FAULTS
from caucus_desk.desk.invented.night import make_night
from caucus_desk.desk.invented.slips import SLIPS
from caucus_desk.desk.loading import load_results
from caucus_desk.desk.people import SignIn, sign_in_kind
from caucus_desk.desk.sample import LATE_NAME, PICTURE, ROSTER_NAME, make_sample
from caucus_desk.desk.session import Desk, open_desk
from caucus_desk.rules.errors import Cancelled
from caucus_desk.tally.catalogue import FINDINGS
from caucus_desk.tally.report import Channel
from caucus_desk.tally.state import State


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sample")
    make_sample(folder, ends=END)
    return folder


@pytest.fixture
def sample(folder: Path) -> Iterator[Desk]:
    with open_desk(str(folder / "sample-caucus.sqlite")) as desk:
        yield desk


def test_it_is_a_whole_state_half_way_through_the_night(sample: Desk) -> None:
    coverage = sample.overview().coverage()
    assert coverage.counties == 99
    assert 1_700 <= coverage.total <= 1_850
    assert 0.5 < coverage.reporting / coverage.total < 0.8
    assert 0 < coverage.verified < coverage.reporting
    states = Counter(result.standing.state for result in sample.overview().results.values())
    assert all(states[state] >= 10 for state in State)
    assert sum(precinct.merged for precinct in sample.precincts.values()) == 3
    pools = {precinct.county for precinct in sample.precincts.values() if precinct.is_satellite}
    assert len(pools) == 5


def test_every_finding_of_the_catalogue_is_in_it(sample: Desk) -> None:
    shown = {entry.finding.id for entry in sample.overview().findings()}
    assert set(FINDINGS) - shown == {"C49"}, "C49 is a mismatch, and stands among those"


def test_each_fault_shows_where_it_was_planted(sample: Desk) -> None:
    planted = make_night(sample.rules).planted
    assert set(planted) >= {*FAULTS, *SLIPS, "C35", "C36", "C50"}
    overview = sample.overview()
    for name, precinct_id in planted.items():
        if name in SLIPS:
            assert overview.results[precinct_id].standing.state is State.MISMATCHED, name
        else:
            assert name in {entry.finding.id for entry in overview.findings_of(precinct_id)}, name


def test_mismatches_are_of_every_kind(sample: Desk) -> None:
    fields = {mismatch.field.rpartition(".")[2] for mismatch in sample.overview().mismatches()}
    assert fields == {"attendance", "first", "final", "delegates"}
    channels = {frozenset(mismatch.values) for mismatch in sample.overview().mismatches()}
    assert {
        frozenset({Channel.PHONE, Channel.PAPER}),
        frozenset({Channel.PHONE, Channel.APP}),
        frozenset(Channel),
    } <= channels


def test_people_sit_at_the_desk(sample: Desk) -> None:
    overview = sample.overview()
    people = {report.by for result in overview.results.values() for report in result.reports.values()}
    assert len(people) > 20
    for result in overview.results.values():
        by = [report.by for report in result.reports.values()]
        assert len(set(by)) == len(by), "nobody keys one precinct twice"
    answered = [entry for entry in overview.findings() if entry.acknowledged]
    assert len(answered) > 10
    with sample.store.read() as unit:
        assert len(unit.drafts()) == 7
        assert any(len(draft.fields) > 5 for draft in unit.drafts())
        assert sum(draft.free for draft in unit.drafts()) == 2
    assert sign_in_kind(sample) is SignIn.NAMES, "it opens at once, for anybody"


def test_it_all_happened_that_evening(sample: Desk) -> None:
    times = [report.at for result in sample.overview().results.values() for report in result.reports.values()]
    assert min(times).isoformat()[:13] == "2020-02-04T01"
    assert max(times).isoformat()[:13] == "2020-02-04T05"


def test_it_ends_when_it_is_made_unless_somebody_says(tmp_path: Path) -> None:
    """So that what waits in it has waited for minutes or hours."""
    before = datetime.now(UTC)
    with open_desk(str(make_sample(tmp_path))) as made:
        reports = [
            report for result in made.overview().results.values() for report in result.reports.values()
        ]
        newest = max(report.at for report in reports)
        assert (
            timedelta(0) < datetime.now(UTC) - newest < timedelta(minutes=10) + (datetime.now(UTC) - before)
        )
        assert max(report.at for report in reports) - min(report.at for report in reports) < END - START


def test_the_telephone_rings_all_evening(sample: Desk) -> None:
    taken = calls.calls(sample, limit=5_000)
    ended = Counter(call.ended for call in taken)
    assert ended["results taken"] > 800
    assert all(ended[end] >= 5 for end in calls.CallEnd), "every way in which a call can end"
    assert {(call.check_kind, call.outcome) for call in taken} >= {
        ("pin", "passed"), ("pin", "failed"), ("number", "passed"), ("call back", "not asked"),
        ("call back", "passed"), ("none", "not asked"),
    }  # fmt: skip
    assert any(call.precinct_id is None for call in taken)
    waiting = calls.call_backs(sample)
    assert {one.why for one in waiting} == {
        "unconfirmed report",
        "asked for by a call",
        "sent back by review",
    }
    assert any(one.tried for one in waiting)
    unconfirmed = [
        report
        for result in sample.overview().results.values()
        for report in result.reports.values()
        if not report.confirmed
    ]
    assert 3 <= len(unconfirmed) <= 20
    assert all(not sample.overview().results[report.precinct_id].verified for report in unconfirmed)


def test_review_has_every_kind_of_work(sample: Desk) -> None:
    kinds = {kind for item in cases.queue(sample, sample.overview()) for kind in item.kinds}
    assert kinds == {"mismatch", "error", "approval", "unconfirmed", "correction"}
    told = Counter((one.kind, one.open) for one in errands.errands(sample, open_only=False))
    assert told["rekey", True] >= 2
    assert told["rekey", False] >= 2
    assert told["call back", True] >= 1
    assert told["call back", False] >= 1
    assert told["fetch", True] >= 1
    assert len(approving.pending(sample)) >= 2
    with sample.store.read() as unit:
        rulings = [ruling for id in sample.precincts for ruling in unit.ruling_history(id)]
    assert any(stored.ruling.approved_by for stored in rulings)
    assert any(stored.withdrawn for stored in rulings)
    assert cases.claims(sample) == {}
    told_again = corrections.corrections(sample)
    assert {one.was_verified for one in told_again if one.openly} == {True, False}


def test_worksheets_are_chased(sample: Desk) -> None:
    missing = chase.missing(sample)
    stages = Counter(one.stage for one in missing)
    assert all(stages[stage] for stage in chase.Stage if stage is not chase.Stage.KEYING)
    assert sum(one.received for one in missing) >= 10
    late = [one for one in missing if one.due_since and END - one.due_since > timedelta(minutes=20)]
    assert late, "some lie here too long"
    assert any(one.attempts > 1 for one in missing)


def test_the_curve_is_that_of_an_evening(sample: Desk) -> None:
    night = evening(sample, END)
    shares = {}
    for hour in range(1, 5):
        until = START + timedelta(hours=hour)
        shares[hour] = max(point.reporting for point in night.curve if point.at <= until)
    steps = [shares[1], shares[2] - shares[1], shares[3] - shares[2], shares[4] - shares[3]]
    assert steps[1] > steps[0] > 50, "it begins slowly"
    assert steps[1] > steps[2] > steps[3] > 30, "and it still goes on at the end"
    verified = [point.verified for point in night.curve]
    assert max(b - a for a, b in pairwise(verified)) < 30, "no great leaps"


def test_a_picture_shows_who_is_right(sample: Desk) -> None:
    """The worksheet's numbers are those of the phone report; on paper two rows were exchanged."""
    id = make_night(sample.rules).pictured
    assert set(attachments.attachment_counts(sample)) == {id}
    (attached,) = attachments.attachments(sample, id)
    result = sample.overview().results[id]
    assert result.standing.state is State.MISMATCHED
    (hint,) = cases.find_hints(sample.rules, result.precinct, {c: r.sheet for c, r in result.reports.items()})
    assert "exchanged" in hint.sentence
    drawn = attachments.file_of(sample, attached).read_bytes()
    assert drawn == (paths.resources() / "sample" / PICTURE).read_bytes()
    assert hashlib.sha256(drawn).hexdigest() == attached.sha256
    said = re.search(rb"tEXtSheet\0([^\0]+?)(?=.{4}\0\0)", drawn, re.DOTALL)
    assert said is not None
    assert said[1].decode() == f"{id} {result.reports[Channel.PHONE].sheet.fingerprint}", (
        "run tests/tools/draw_sample_worksheet.py again"
    )


def test_the_numbers_are_plausible(sample: Desk) -> None:
    (row,) = sample.overview().tally().rows
    assert 100_000 < row.first_total < 150_000
    assert 0.95 < row.final_total / row.first_total < 1
    strong = {line.group for line in row.groups if line.sde > row.sde_total / 10}
    assert strong == {"Biden", "Buttigieg", "Klobuchar", "Sanders", "Warren"}
    right = [r for r in sample.overview().results.values() if r.reporting]
    assert len(sample.overview().differs()) < len(right) / 10


def test_its_store_is_sound(sample: Desk) -> None:
    assert [line.name for line in check_store(sample) if not line.ok] == []


def test_the_night_is_the_same_at_every_run() -> None:
    rules = rule_set("iowa-2020")
    one, other = make_night(rules), make_night(rules)
    assert one == other
    times = [event.at for event in one.events]
    assert times == sorted(times)
    assert sum(isinstance(event, Keyed) for event in one.events) > 1_500


def test_a_store_that_is_there_is_left_alone(folder: Path) -> None:
    before = (folder / "sample-caucus.sqlite").stat().st_mtime_ns
    assert make_sample(folder).name == "sample-caucus-2.sqlite"
    assert (folder / "sample-caucus.sqlite").stat().st_mtime_ns == before
    assert (folder / "sample-caucus-2.sqlite.attachments").is_dir()


def test_cancelling_leaves_no_store(tmp_path: Path) -> None:
    def stop(done: int, total: int, what: str) -> None:
        if what == "Keying the reports" and done > 500:
            raise Cancelled("Stopped.")

    with pytest.raises(Cancelled):
        make_sample(tmp_path, stop)
    assert {file.name for file in tmp_path.iterdir()} == {ROSTER_NAME, LATE_NAME}


def test_its_files_can_be_tried(folder: Path, tmp_path: Path) -> None:
    """The roster makes a store of its own, and the late results load into the sample."""
    made = create_caucus(str(tmp_path / "own.sqlite"), "iowa-2020", folder / ROSTER_NAME, by="Anna")
    with made.desk as own:
        assert made.warnings == ()
        assert dict(own.precincts) == {p.id: p for p in make_night(own.rules).roster}
        done = load_results(own, folder / LATE_NAME, channel=Channel.APP, by="app feed")
        assert (done.new, done.refused, done.warnings) == (120, (), ())
        errors = [entry for entry in own.overview().findings() if entry.severity == "error"]
        assert errors == [], "these rooms reckoned right"
