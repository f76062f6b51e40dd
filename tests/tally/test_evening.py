"""How the night goes is what its events say: it ends at what is now, and nothing is counted twice."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from caucus_desk.rules.loading import parse_rule_set
from caucus_desk.tally.assess import assess
from caucus_desk.tally.evening import (
    QUARTER,
    Evening,
    Ring,
    evening_of,
    floor_to,
    people_of,
    waits_of,
)
from caucus_desk.tally.history import Event, Happened, Wait, story_of
from caucus_desk.tally.report import CHANNELS, Channel, Report, Ruling
from caucus_desk.tally.results import PrecinctResult
from caucus_desk.tally.roster import Precinct, PrecinctKind
from caucus_desk.tally.sheet import GroupCounts, ResultSheet
from caucus_desk.tally.state import State

FILE = Path(__file__).parents[2] / "resources" / "rules" / "iowa-2020.toml"
RULES = parse_rule_set(FILE.read_text(encoding="utf-8"), FILE.name)
BEGIN = datetime(2020, 2, 4, 1, 0, tzinfo=UTC)
MINUTE = timedelta(minutes=1)

ONE = ResultSheet(
    60,
    (GroupCounts("Klobuchar", 30, 35, 3), GroupCounts("Sanders", 25, 25, 2), GroupCounts("Steyer", 5, 0, 0)),
)
OTHER = ResultSheet(
    60,
    (GroupCounts("Klobuchar", 30, 34, 3), GroupCounts("Sanders", 25, 26, 2), GroupCounts("Steyer", 5, 0, 0)),
)
PLACES = {
    id: Precinct(id, county, f"Ward {id}", delegates=5, county_state_delegates=4, county_total_delegates=15)
    for id, county in (("P1", "Alpha"), ("P2", "Alpha"), ("P3", "Beta"))
}
MERGED = Precinct("M1", "Beta", "Gone", delegates=0)
SITE = Precinct("S1", "Sites", "Library", PrecinctKind.SATELLITE, attendance=30)


class Night:
    """A store in little: writes events as the real one does, and can say how it stands at any time."""

    def __init__(self) -> None:
        self.at = BEGIN
        self.events: list[Event] = []
        self.reports: dict[int, Report] = {}
        self.rulings: dict[int, Ruling] = {}
        self.gone: set[tuple[str, int]] = set()
        self.last: dict[str, tuple[State, str]] = {}
        self.was_verified: dict[str, bool] = {}
        self.unapproved: set[int] = set()
        self.counts: list[tuple[datetime, int, int]] = []

    def present(self, id: str) -> tuple[list[Report], list[Ruling]]:
        """Reports and rulings of a precinct that nobody withdrew."""
        reports = [r for r in self.reports.values() if ("r", r.id) not in self.gone]
        rulings = [r for r in self.rulings.values() if ("u", r.id) not in self.gone]
        return [r for r in reports if r.precinct_id == id], [r for r in rulings if r.precinct_id == id]

    def results(self) -> dict[str, PrecinctResult]:
        found = {}
        for id, precinct in PLACES.items():
            reports = [
                r for r in self.reports.values() if r.precinct_id == id and ("r", r.id) not in self.gone
            ]
            rulings = [
                r for r in self.rulings.values() if r.precinct_id == id and ("u", r.id) not in self.gone
            ]
            found[id] = assess(RULES, precinct, reports, rulings[-1] if rulings else None, ())
        return found

    def _tell(self, what: Happened, precinct_id: str, by: str, **ids: int) -> None:
        self.events.append(Event(len(self.events) + 1, self.at, by, what, precinct_id, **ids))

    def _settle(self, precinct_id: str, by: str) -> None:
        result = self.results()[precinct_id]
        if result.verified:
            assert result.standing.sheet is not None
            now = (result.standing.state, result.standing.sheet.fingerprint)
            if not self.was_verified.get(precinct_id) or self.last.get(precinct_id) != now:
                self.last[precinct_id] = now
                self._tell(Happened.VERIFIED, precinct_id, by)
        self.was_verified[precinct_id] = result.verified
        now_all = self.results().values()
        self.counts.append((self.at, sum(r.reporting for r in now_all), sum(r.verified for r in now_all)))

    def report(self, precinct_id: str, channel: Channel, sheet: ResultSheet, by: str) -> Report:
        self.at += MINUTE
        number = len(self.reports) + 1
        report = Report(number, precinct_id, channel, sheet, by, self.at)
        self.reports[number] = report
        self._tell(Happened.REPORTED, precinct_id, by, report_id=number)
        self._settle(precinct_id, by)
        return report

    def withdraw_report(self, number: int) -> None:
        self.at += MINUTE
        self.gone.add(("r", number))
        self._tell(Happened.REPORT_WITHDRAWN, self.reports[number].precinct_id, "lead", report_id=number)
        self._settle(self.reports[number].precinct_id, "lead")

    def rule(self, precinct_id: str, sheet: ResultSheet) -> Ruling:
        self.at += MINUTE
        seen = max(r.id for r in self.reports.values() if r.precinct_id == precinct_id)
        number = len(self.rulings) + 1
        ruling = Ruling(number, precinct_id, sheet, seen, "rev", self.at, "rang the chair")
        self.rulings[number] = ruling
        self._tell(Happened.RULED, precinct_id, "rev", ruling_id=number)
        self._settle(precinct_id, "rev")
        return ruling

    def withdraw_ruling(self, number: int) -> None:
        self.at += MINUTE
        self.gone.add(("u", number))
        self._tell(Happened.RULING_WITHDRAWN, self.rulings[number].precinct_id, "rev", ruling_id=number)
        self._settle(self.rulings[number].precinct_id, "rev")

    def stories(self):  # type: ignore[no-untyped-def]
        return {
            id: story_of(
                id,
                [event for event in self.events if event.precinct_id == id],
                self.reports,
                self.rulings,
                RULES.keys,
                RULES.verifying_pairs,
            )
            for id in {event.precinct_id for event in self.events}
        }

    def evening(self, calls: tuple[Ring, ...] = ()) -> Evening:
        return evening_of(self.results().values(), self.stories(), calls, (), self.at + MINUTE)


@st.composite
def nights(draw: st.DrawFn) -> Night:
    night = Night()
    for _ in range(draw(st.integers(0, 25))):
        id = draw(st.sampled_from(sorted(PLACES)))
        own = [r.id for r in night.reports.values() if r.precinct_id == id and ("r", r.id) not in night.gone]
        ruled = [
            r.id for r in night.rulings.values() if r.precinct_id == id and ("u", r.id) not in night.gone
        ]
        what = draw(st.sampled_from(["report", "report", "report", "withdraw", "rule", "unrule"]))
        if what == "withdraw" and own:
            night.withdraw_report(draw(st.sampled_from(own)))
        elif what == "rule" and own:
            night.rule(id, draw(st.sampled_from([ONE, OTHER])))
        elif what == "unrule" and ruled:
            night.withdraw_ruling(draw(st.sampled_from(ruled)))
        else:
            night.report(
                id,
                draw(st.sampled_from(CHANNELS)),
                draw(st.sampled_from([ONE, OTHER])),
                draw(st.sampled_from(["Ann", "Bo", "Cy", "ann"])),
            )
    return night


@given(nights())
def test_the_curve_is_at_each_time_what_stood_then_and_ends_at_what_is_now(night: Night) -> None:
    evening = night.evening()
    results = night.results().values()
    now = (sum(r.reporting for r in results), sum(r.verified for r in results))
    last = evening.curve[-1] if evening.curve else None
    assert ((last.reporting, last.verified) if last is not None else (0, 0)) == now
    for at, reporting, verified in night.counts:
        before = [point for point in evening.curve if point.at <= at]
        assert (before[-1].reporting, before[-1].verified) == (reporting, verified)
    assert [p.at for p in evening.curve] == sorted({p.at for p in evening.curve})


@given(nights())
def test_mismatches_wait_until_something_ends_them(night: Night) -> None:
    waits = night.evening().waits
    open_now = {r.precinct.id for r in night.results().values() if r.standing.state is State.MISMATCHED}
    assert {wait.precinct_id for wait in waits.open} == open_now
    assert len(waits.open) == len(open_now)
    everything = [wait for story in night.stories().values() for wait in story.waits]
    assert waits.closed + len(waits.open) == len(everything)
    assert all(wait.until is None or wait.until > wait.since for wait in everything)


@given(nights())
def test_every_report_is_somebodys_and_counted_once(night: Night) -> None:
    people = people_of(one for story in night.stories().values() for one in story.compared)
    assert sum(person.entries for person in people) == len(night.reports)
    for person in people:
        assert person.differed <= person.compared <= person.entries
        assert sum(hour.entries for hour in person.hours) == person.entries
        assert sum(hour.differed for hour in person.hours) == person.differed
    assert len({person.name.casefold() for person in people}) == len(people), "Ann and ann are one"


@given(st.lists(st.tuples(st.integers(0, 40 * 60), st.booleans()), max_size=40))
def test_every_call_falls_into_one_quarter_hour(minutes: list[tuple[int, bool]]) -> None:
    calls = tuple(Ring(BEGIN + minute * MINUTE, came) for minute, came in minutes)
    evening = evening_of((), {}, calls, (), BEGIN + timedelta(hours=41))
    assert sum(quarter.calls for quarter in evening.quarters) == evening.calls
    assert sum(quarter.calls + quarter.call_backs for quarter in evening.quarters) == len(calls)
    begins = [quarter.begin for quarter in evening.quarters]
    assert all(later - earlier == QUARTER for earlier, later in pairwise(begins))


def test_losing_verification_shows_and_gaining_it_again_too() -> None:
    night = Night()
    night.report("P1", Channel.PHONE, ONE, "Ann")
    night.report("P1", Channel.PAPER, ONE, "Bo")
    night.report("P1", Channel.PHONE, OTHER, "Ann")
    night.rule("P1", ONE)
    night.withdraw_ruling(1)
    night.report("P1", Channel.PAPER, OTHER, "Bo")
    verified = [(point.reporting, point.verified) for point in night.evening().curve]
    assert verified == [(1, 0), (1, 1), (1, 0), (1, 1), (1, 0), (1, 1)]
    waits = night.evening().waits
    assert (waits.open, waits.closed, waits.median, waits.longest) == ((), 2, MINUTE, MINUTE)
    changes = night.stories()["P1"].changes
    assert [(c.event.what, c.was_verified, c.still_verified) for c in changes] == [
        (Happened.REPORTED, False, False),
        (Happened.REPORTED, True, False),
        (Happened.RULED, False, False),
        (Happened.RULING_WITHDRAWN, True, False),
        (Happened.REPORTED, False, False),
    ]


def test_a_third_channel_that_agrees_leaves_it_verified() -> None:
    night = Night()
    for channel, by in ((Channel.PHONE, "Ann"), (Channel.PAPER, "Bo"), (Channel.APP, "feed")):
        night.report("P1", channel, ONE, by)
    assert [point.verified for point in night.evening().curve] == [0, 1]
    assert night.stories()["P1"].changes[-1].still_verified


def test_an_unconfirmed_report_verifies_only_when_someone_has_called_back() -> None:
    report = Report(1, "P1", Channel.PHONE, ONE, "Ann", BEGIN)
    paper = Report(2, "P1", Channel.PAPER, ONE, "Bo", BEGIN + MINUTE)
    events = [
        Event(1, BEGIN, "Ann", Happened.REPORTED, "P1", report_id=1),
        Event(2, BEGIN + MINUTE, "Bo", Happened.REPORTED, "P1", report_id=2),
        Event(3, BEGIN + 2 * MINUTE, "Cy", Happened.REPORT_CONFIRMED, "P1", report_id=1),
        Event(4, BEGIN + 2 * MINUTE, "Cy", Happened.VERIFIED, "P1"),
    ]
    story = story_of("P1", events, {1: report, 2: paper}, {}, RULES.keys, RULES.verifying_pairs)
    assert [(step.seq, step.verified) for step in story.steps] == [(1, False), (4, True)]


def test_a_ruling_that_waits_for_approval_ends_no_wait() -> None:
    reports = {
        1: Report(1, "P1", Channel.PHONE, ONE, "Ann", BEGIN),
        2: Report(2, "P1", Channel.PAPER, OTHER, "Bo", BEGIN),
    }
    ruling = Ruling(1, "P1", ONE, 2, "rev", BEGIN, "rang", pending=False)
    events = [
        Event(1, BEGIN, "Ann", Happened.REPORTED, "P1", report_id=1),
        Event(2, BEGIN + MINUTE, "Bo", Happened.REPORTED, "P1", report_id=2),
        Event(3, BEGIN + 2 * MINUTE, "rev", Happened.RULED, "P1", ruling_id=1),
        Event(4, BEGIN + 2 * MINUTE, "rev", Happened.APPROVAL_NEEDED, "P1", ruling_id=1),
        Event(5, BEGIN + 9 * MINUTE, "lead", Happened.APPROVED, "P1", ruling_id=1),
        Event(6, BEGIN + 9 * MINUTE, "lead", Happened.VERIFIED, "P1"),
    ]
    story = story_of("P1", events, reports, {1: ruling}, RULES.keys, RULES.verifying_pairs)
    assert story.waits == (Wait("P1", BEGIN + MINUTE, BEGIN + 9 * MINUTE),)
    assert story.steps[-1].verified


def test_an_empty_night() -> None:
    results = [assess(RULES, one, (), None, ()) for one in (*PLACES.values(), MERGED, SITE)]
    evening = evening_of(results, {}, (), (), BEGIN)
    assert (evening.total, evening.begin, evening.curve, evening.quarters) == (4, None, (), ())
    assert evening.waits == waits_of(())
    assert [(one.name, one.total, one.satellites) for one in evening.counties] == [
        ("Alpha", 2, False),
        ("Beta", 1, False),
        ("Sites", 1, True),
    ]
    assert evening_of((), {}, (), (), BEGIN).total == 0


def test_long_after_the_night_the_curve_is_not_drawn_on_to_today() -> None:
    night = Night()
    night.report("P1", Channel.PHONE, ONE, "Ann")
    results, stories = night.results().values(), night.stories()
    soon, late = night.at + timedelta(hours=1), night.at + timedelta(days=2000)
    assert evening_of(results, stories, (), (), soon).until == soon
    done = evening_of(results, stories, (), (), late)
    assert done.until == night.at
    assert len(done.quarters) == 1


def test_a_twin_elsewhere_takes_the_verification_away_when_it_came() -> None:
    night = Night()
    night.report("P1", Channel.PHONE, ONE, "Ann")
    night.report("P1", Channel.PAPER, ONE, "Bo")
    results = night.results()
    results["P1"] = replace(results["P1"], open_errors=("C35",))
    twin = night.at + 3 * MINUTE
    evening = evening_of(results.values(), night.stories(), (), (), night.at + 9 * MINUTE, {"P1": twin})
    assert [(point.at, point.verified) for point in evening.curve][-2:] == [(night.at, 1), (twin, 0)]


def test_the_night_the_clock_changes_has_each_quarter_hour_once() -> None:
    """2020-11-01 in Chicago: 01:00 to 02:00 comes twice; in UTC nothing does."""
    begin = datetime(2020, 11, 1, 5, 30, tzinfo=UTC)
    calls = tuple(Ring(begin + n * QUARTER) for n in range(12))
    evening = evening_of((), {}, calls, (), begin + 3 * timedelta(hours=1))
    assert [quarter.calls for quarter in evening.quarters] == [1] * 12 + [0]
    assert floor_to(begin + timedelta(minutes=14), QUARTER) == begin


def test_a_night_over_midnight_goes_on() -> None:
    begin = datetime(2020, 2, 4, 5, 50, tzinfo=UTC)  # 23:50 in Iowa
    calls = (Ring(begin), Ring(begin + timedelta(minutes=20)))
    evening = evening_of((), {}, calls, (begin,), begin + timedelta(minutes=30))
    assert [(quarter.calls, quarter.drafts) for quarter in evening.quarters] == [(1, 1), (1, 0), (0, 0)]
