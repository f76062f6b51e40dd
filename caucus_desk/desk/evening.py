"""How the night goes: the store's events made into curves, counts and waits, a change at a time."""

import threading
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from weakref import WeakKeyDictionary

from caucus_desk.desk.people import why_not
from caucus_desk.desk.roles import Job
from caucus_desk.desk.session import Desk
from caucus_desk.desk.settling import likeness
from caucus_desk.rules.errors import Refused
from caucus_desk.store.actions import Action
from caucus_desk.store.evening import NightEvent
from caucus_desk.store.units import ReadUnit
from caucus_desk.tally.call import CallEnd
from caucus_desk.tally.evening import Evening, PersonFigures, Ring, evening_of, people_of
from caucus_desk.tally.history import Event, Happened, Story, story_of
from caucus_desk.tally.report import Channel, Report, Ruling
from caucus_desk.tally.results import PrecinctResult

_WE_RANG = (CallEnd.CONFIRMED, CallEnd.NOT_REACHED)


def evening(desk: Desk, now: datetime | None = None) -> Evening:
    """How the night goes up to now. Reads only what was written since it was last asked for.

    A phone report without a call of its own (a store made by an older version) counts as one call.
    """
    with _lock:
        kept = _kept(desk)
        kept.catch_up()
        results = desk.overview().results
        return evening_of(
            results.values(),
            kept.stories,
            kept.calls(),
            kept.drafts,
            now or datetime.now(UTC),
            _lost(results, kept.stories),
        )


def people_figures(desk: Desk, by: str) -> tuple[PersonFigures, ...]:
    """What each person keyed, and how often it did not match. For those whose job it is to see it; in a
    store where a name is enough there are no roles, and everybody may."""
    refusal = why_not(desk, by, Job.SEE_PEOPLE_FIGURES)
    if refusal:
        raise Refused(refusal)
    with _lock:
        kept = _kept(desk)
        kept.catch_up()
        compared = (one for story in kept.stories.values() for one in story.compared)
        return people_of(one for one in compared if one.report.id not in kept.loaded)


def stories(desk: Desk) -> Mapping[str, Story]:
    """What happened to each precinct that anything happened to."""
    with _lock:
        kept = _kept(desk)
        kept.catch_up()
        return dict(kept.stories)


class _Kept:
    """What was read so far, so that the next look costs no more than what is new."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._seq = 0
        self._call_seq = 0
        self._newest_report = 0
        self._clock: datetime | None = None
        self._events: dict[str, list[Event]] = {}
        self._reports: dict[str, dict[int, Report]] = {}
        self._rulings: dict[str, dict[int, Ruling]] = {}
        self._phoned: dict[int, datetime] = {}
        self._by_call: set[int] = set()
        self._rung: list[Ring] = []
        self.loaded: set[int] = set()
        self.drafts: tuple[datetime, ...] = ()
        self.stories: dict[str, Story] = {}

    def calls(self) -> list[Ring]:
        loose = [at for id, at in self._phoned.items() if id not in self._by_call and id not in self.loaded]
        return [*self._rung, *(Ring(at) for at in loose)]

    def catch_up(self) -> None:
        results = self._desk.overview().results
        with self._desk.store.read() as unit:
            new = unit.night_events(self._seq)
            self.drafts = unit.drafts_begun()
            if not new:
                return
            self.loaded |= unit.loaded_reports(self._newest_report)
            for call in unit.call_times(self._call_seq):
                self._call_seq = call.seq
                self._rung.append(Ring(call.at, call.ended not in _WE_RANG))
            touched = self._sort(new)
            self._find(unit, touched, results)
        rules = self._desk.rules
        for one in touched:
            self.stories[one] = story_of(
                one,
                self._events[one],
                self._reports.get(one, {}),
                self._rulings.get(one, {}),
                rules.keys,
                rules.verifying_pairs,
            )

    def _sort(self, new: Iterable[NightEvent]) -> dict[str, None]:
        """Puts each event with its precinct; the precincts that anything happened to."""
        touched: dict[str, None] = {}
        new = tuple(new)
        packets = _packets(new)
        for event in new:
            self._seq = event.seq
            at = self._time_of(event)
            if event.action is Action.REPORT_CALLED and event.report_id is not None:
                self._by_call.add(event.report_id)
            if event.precinct_id is None or event.action not in _HAPPENED:
                continue
            if event.action is Action.REPORTED and event.report_id is not None:
                self._newest_report = max(self._newest_report, event.report_id)
            self._events.setdefault(event.precinct_id, []).append(
                Event(
                    event.seq,
                    at,
                    event.by,
                    _HAPPENED[event.action],
                    event.precinct_id,
                    event.report_id,
                    event.ruling_id,
                    packets.get(event.seq),
                )
            )
            touched[event.precinct_id] = None
        return touched

    def _time_of(self, event: NightEvent) -> datetime:
        """Never before the event that was written before it: a clock that was set back makes no time."""
        self._clock = event.at if self._clock is None else max(self._clock, event.at)
        return self._clock

    def _find(self, unit: ReadUnit, touched: Iterable[str], results: Mapping[str, PrecinctResult]) -> None:
        """The reports and rulings that the events name. Those that stand are at hand already."""
        lacking: list[str] = []
        for one in touched:
            reports, rulings = self._reports.setdefault(one, {}), self._rulings.setdefault(one, {})
            if one in results:
                reports.update((report.id, report) for report in results[one].heads.values())
                ruling = results[one].standing.ruling
                if ruling is not None:
                    rulings[ruling.id] = ruling
            named = {e.report_id for e in self._events[one] if e.what is Happened.REPORTED}
            if not named <= reports.keys():
                lacking.append(one)
            ruled = {e.ruling_id for e in self._events[one] if e.what is Happened.RULED}
            if not ruled <= rulings.keys():
                for stored in unit.ruling_history(one):
                    rulings[stored.ruling.id] = stored.ruling
        for stored_report in unit.stored_reports(lacking) if lacking else ():
            report = stored_report.report
            self._reports[report.precinct_id][report.id] = report
        for one in touched:
            for report in self._reports[one].values():
                if report.channel is Channel.PHONE:
                    self._phoned[report.id] = report.at


_HAPPENED = {Action(one.value): one for one in Happened}


def _packets(events: Iterable[NightEvent]) -> dict[int, int]:
    """By event that a packet brought, the event that told of its taking: the last of its unit, all of which
    were written at one time. No unit is read in part."""
    found: dict[int, int] = {}
    unit: list[NightEvent] = []
    for event in events:
        if unit and unit[-1].at != event.at:
            unit = []
        unit.append(event)
        if event.action is Action.PACKET_TAKEN:
            taken = {one.report_id for one in unit if one.action is Action.REPORT_TAKEN}
            news = (one.seq for one in unit if one.action is Action.REPORTED and one.report_id in taken)
            begin = min(news, default=unit[0].seq)
            found.update((one.seq, event.seq) for one in unit if one.seq >= begin)
            unit = []
    return found


_lock = threading.Lock()
_known: WeakKeyDictionary[Desk, _Kept] = WeakKeyDictionary()


def _kept(desk: Desk) -> _Kept:
    found = _known.get(desk)
    if found is None:
        found = _known[desk] = _Kept(desk)
    return found


def _lost(results: Mapping[str, PrecinctResult], stories: Mapping[str, Story]) -> dict[str, datetime]:
    """Since when a precinct is open through its twin (C35): the twin's last event."""
    open_ones = [id for id, result in results.items() if "C35" in result.open_errors]
    if not open_ones:
        return {}
    keys = {id: likeness(results[id]) for id in results if results[id].standing.sheet is not None}
    alike: dict[str, list[str]] = {}
    for id, key in keys.items():
        if key:
            alike.setdefault(key, []).append(id)
    lost = {}
    for id in open_ones:
        ends = [stories[one].steps[-1].at for one in alike.get(keys[id], ()) if one in stories]
        if ends:
            lost[id] = max(ends)
    return lost
