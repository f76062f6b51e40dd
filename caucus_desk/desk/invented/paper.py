"""The sample's paper chase: runners, attempts, what lies at the desk unkeyed, and one picture of a sheet."""

import random
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta

from caucus_desk.desk.invented.counties import PAPER_CLERKS
from caucus_desk.desk.invented.events import END, START, Chased, Happening, Keyed, Photographed
from caucus_desk.tally.chase import Outcome, StepKind
from caucus_desk.tally.report import Channel
from caucus_desk.tally.roster import Precinct

_RUNNERS = {"Story": "Dee Alvarez", "Johnson": "Max Thorne", "Scott": "Lena Hart", "Lee": "Roy Vogel"}
"""Who was sent for all that is missing in these counties."""
_FETCHED = 60
_TRIED = 70
_HERE = 17
_NOTES = ("the school is locked, use the back door", "the chair drives to the office himself")


def chased(
    rng: random.Random,
    events: Iterable[Happening],
    quiet: frozenset[str],
    awaiting: Sequence[str],
    roster: Mapping[str, Precinct],
) -> list[Happening]:
    keyed = [event for event in events if isinstance(event, Keyed)]
    paper = {event.precinct_id: event.at for event in keyed if event.channel is Channel.PAPER}
    other = {event.precinct_id: event.at for event in keyed if event.channel is not Channel.PAPER}
    missing = [id for id in other if id in quiet and id not in paper]
    rng.shuffle(missing)
    made: list[Happening] = []
    for county, runner in _RUNNERS.items():
        sent = END - timedelta(minutes=rng.randint(35, 90))
        for id in (*missing, *awaiting[127:]):
            if roster[id].county == county and other.get(id, START) < sent:
                made.append(_step(rng, sent, id, StepKind.ASSIGNED, runner=runner))
                sent += timedelta(seconds=2)
    tried = [id for id in missing if roster[id].county not in _RUNNERS]
    for place, id in enumerate(tried[:_TRIED]):
        made += _attempts(rng, id, other[id], place)
    for place, id in enumerate(tried[_TRIED : _TRIED + _HERE]):
        at = max(END - timedelta(minutes=1 + 2 * place), other[id])
        made.append(_step(rng, at, id, StepKind.RECEIVED, note="" if place % 4 else "by car"))
    fetched = [id for id in paper if id in quiet and paper[id] - START > timedelta(minutes=50)]
    for id in rng.sample(sorted(fetched), _FETCHED):
        came = paper[id] - timedelta(minutes=rng.randint(3, 18))
        made.append(_step(rng, came - timedelta(minutes=20), id, StepKind.ASSIGNED, runner=_runner(rng)))
        made.append(_step(rng, came, id, StepKind.RECEIVED))
    return made


def _attempts(rng: random.Random, id: str, since: datetime, place: int) -> list[Happening]:
    """One or two calls to the chair; sometimes a runner goes, or somebody notes what helps."""
    made: list[Happening] = []
    at = since + timedelta(minutes=rng.randint(15, 50))
    for _ in range(rng.choice((1, 1, 2))):
        if at >= END:
            break
        outcome = rng.choice((Outcome.NO_ANSWER, Outcome.WILL_SEND, Outcome.WILL_BRING, Outcome.ON_THE_WAY))
        made.append(_step(rng, at, id, StepKind.ATTEMPT, note=str(outcome)))
        at += timedelta(minutes=rng.randint(12, 40))
    if made and place % 5 == 0 and at < END:
        made.append(_step(rng, at, id, StepKind.ASSIGNED, runner=_runner(rng)))
    if made and place % 9 == 0 and at < END:
        made.append(_step(rng, at, id, StepKind.NOTE, note=rng.choice(_NOTES)))
    return made


def photographed(events: Iterable[Happening], id: str) -> Photographed:
    """The chair sends a picture of the sheet whose rows were exchanged when it was keyed."""
    at = max(event.at for event in events if isinstance(event, Keyed) and event.precinct_id == id)
    return Photographed(min(at + timedelta(minutes=14), END), id, PAPER_CLERKS[0])


def _step(
    rng: random.Random, at: datetime, id: str, kind: StepKind, *, runner: str = "", note: str = ""
) -> Chased:
    return Chased(at, id, kind, rng.choice(PAPER_CLERKS), runner, note)


def _runner(rng: random.Random) -> str:
    return rng.choice(tuple(_RUNNERS.values()))
