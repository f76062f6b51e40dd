"""The sample's calls: how callers were checked, who was rung back, and the calls that brought no results."""

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from caucus_desk.desk.invented.counties import PHONE_CLERKS
from caucus_desk.desk.invented.events import END, START, Happening, Keyed, Rang, RangBack
from caucus_desk.tally.call import CallEnd, CheckKind, Outcome
from caucus_desk.tally.report import Channel
from caucus_desk.tally.roster import Precinct

_CHECKS = (
    (CheckKind.PIN, Outcome.PASSED, 80.0),
    (CheckKind.NUMBER, Outcome.PASSED, 13.0),
    (CheckKind.PIN, Outcome.FAILED, 3.5),
    (CheckKind.CALL_BACK, Outcome.NOT_ASKED, 3.5),
)
_QUESTIONS = (
    "asks which line the uncommitted go on",
    "asks whether people who came at 7:20 are counted",
    "lost the receipt code and wants it again; told to read the sheet",
    "asks where to bring the worksheet",
    "asks what to do with a tie of two groups",
    "asks for the number of the county chair",
)
_NUISANCES = ("laughs and hangs up", "music", "asks for a pizza", "says nothing", "reads out a newspaper", "")
_ASKED = (
    "looks for the sheet and will be at home in half an hour",
    "the secretary has the sheet; call her at the number on file",
    "cannot read the third row, finds somebody who can",
)
_VAIN = ("voice mail", "nobody answers", "line is busy")
_HOW = ("the receipt code fits", "the chair read the first two rows again", "the receipt code fits")


def checked(
    rng: random.Random, events: Iterable[Happening], quiet: frozenset[str], roster: Mapping[str, Precinct]
) -> list[Happening]:
    """The same events, the phone reports with how long their calls were and what the callers proved. Only
    in quiet precincts is anybody without proof, since elsewhere something is to be shown."""
    kinds = [(kind, outcome) for kind, outcome, _ in _CHECKS]
    weights = [weight for _, _, weight in _CHECKS]
    told: list[Happening] = []
    for event in events:
        if isinstance(event, Keyed) and event.channel is Channel.PHONE:
            many = len(event.sheet.groups)
            lasted = timedelta(seconds=rng.randint(90, 150) + many * rng.randint(14, 30))
            kind, outcome = rng.choices(kinds, weights)[0]
            if outcome is not Outcome.PASSED and (event.precinct_id not in quiet or event.correcting):
                kind, outcome = CheckKind.PIN, Outcome.PASSED
            event = replace(event, kind=kind, outcome=outcome, lasted=lasted)
        told.append(event)
    return told


def rung_back(rng: random.Random, events: Iterable[Happening]) -> list[Happening]:
    """Of those who proved nothing most have been rung back, some in vain at first; the last still wait."""
    made: list[Happening] = []
    for event in events:
        if not isinstance(event, Keyed) or event.channel is not Channel.PHONE or event.proved:
            continue
        at = event.at + timedelta(minutes=rng.randint(8, 60))
        if rng.random() < 0.3:
            if at < END:
                made.append(_back(rng, at, event.precinct_id, CallEnd.NOT_REACHED, _VAIN))
            at += timedelta(minutes=rng.randint(10, 50))
        if at < END and rng.random() < 0.85:
            made.append(_back(rng, at, event.precinct_id, CallEnd.CONFIRMED, _HOW))
    return made


def _back(
    rng: random.Random, at: datetime, precinct_id: str, ended: CallEnd, notes: Sequence[str]
) -> RangBack:
    return RangBack(at, precinct_id, rng.choice(PHONE_CLERKS), ended, rng.choice(notes))


def cut_off(at: datetime, precinct: Precinct, by: str) -> Rang:
    """The call of a sheet that lies half keyed for anybody."""
    return Rang(
        at + timedelta(seconds=1),
        precinct.id,
        by,
        CallEnd.CUT_OFF,
        timedelta(minutes=2),
        precinct.chair,
        precinct.phone,
        CheckKind.PIN,
        Outcome.PASSED,
    )


def without_results(
    rng: random.Random,
    events: Iterable[Happening],
    quiet: frozenset[str],
    awaiting: Sequence[str],
    roster: Mapping[str, Precinct],
) -> list[Happening]:
    """Nuisance, questions, wrong numbers and PINs; chairs who asked to be called back, of whom those whose
    results have come since wait no more."""
    came = {
        event.precinct_id: event
        for event in events
        if isinstance(event, Keyed) and event.channel is Channel.PHONE and event.precinct_id in quiet
    }
    later = [event for event in came.values() if event.at - START > timedelta(minutes=40)]
    made: list[Happening] = []
    for ended, count in (
        (CallEnd.NUISANCE, 31),
        (CallEnd.QUESTION, 17),
        (CallEnd.WRONG_NUMBER, 9),
        (CallEnd.WRONG_PIN, 6),
    ):
        made += [_rang(rng, ended, roster) for _ in range(count)]
    for event in rng.sample(later, 9):
        at = event.at - timedelta(minutes=rng.randint(12, 35))
        ended = rng.choice((CallEnd.CALL_BACK, CallEnd.CALL_BACK, CallEnd.CUT_OFF))
        made.append(_unfinished(rng, at, roster[event.precinct_id], ended))
    for place, id in enumerate(rng.sample(awaiting, 5)):
        at = END - timedelta(minutes=7 + 13 * place)
        made.append(_unfinished(rng, at, roster[id], CallEnd.CALL_BACK))
        if place in (2, 3):
            made.append(_back(rng, at + timedelta(minutes=11), id, CallEnd.NOT_REACHED, _VAIN))
    return made


def _rang(rng: random.Random, ended: CallEnd, roster: Mapping[str, Precinct]) -> Rang:
    at = START + (END - timedelta(minutes=1) - START) * rng.betavariate(1.7, 1.9)
    wrong_pin = ended is CallEnd.WRONG_PIN
    asks = ended is CallEnd.QUESTION
    named = wrong_pin or (asks and rng.random() < 0.5)
    chosen = rng.choice([one for one in roster.values() if not one.merged])
    notes = rng.choice(_QUESTIONS) if asks else rng.choice(_NUISANCES) if ended is CallEnd.NUISANCE else ""
    return Rang(
        at,
        chosen.id if named else None,
        rng.choice(PHONE_CLERKS),
        ended,
        timedelta(seconds=rng.randint(8, 160 if asks else 45)),
        "" if not named else "would not say" if wrong_pin else chosen.chair,
        f"515-555-{rng.randrange(10_000):04}" if wrong_pin else "",
        CheckKind.PIN if wrong_pin else CheckKind.NONE,
        Outcome.FAILED if wrong_pin else Outcome.NOT_ASKED,
        notes,
    )


def _unfinished(rng: random.Random, at: datetime, precinct: Precinct, ended: CallEnd) -> Rang:
    return Rang(
        at,
        precinct.id,
        rng.choice(PHONE_CLERKS),
        ended,
        timedelta(seconds=rng.randint(40, 150)),
        precinct.chair,
        precinct.phone,
        CheckKind.NUMBER,
        Outcome.PASSED,
        rng.choice(_ASKED) if ended is CallEnd.CALL_BACK else "",
    )
