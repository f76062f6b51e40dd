"""What the sample's reviewers did where reports differ: sent back, ruled with a second look, corrected."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction

from caucus_desk.desk.invented.counties import PAPER_CLERKS, PHONE_CLERKS, REVIEWERS
from caucus_desk.desk.invented.events import END, Approved, Happening, Keyed, RangBack, Ruled, SentBack
from caucus_desk.tally.call import CallEnd
from caucus_desk.tally.errand import ErrandKind
from caucus_desk.tally.report import Channel
from caucus_desk.tally.roster import Precinct
from caucus_desk.tally.sheet import ResultSheet

WEIGHTY = Fraction(1, 4)
"""SDEs above which a ruling in the sample needs a second person."""


@dataclass(frozen=True, slots=True)
class SecondLook:
    """Who takes which sheet; who looks at the ruling afterwards, "" for nobody yet, and why it is refused."""

    takes: Channel
    by: str
    other: str = ""
    refused: str = ""


SECOND_LOOKS = (
    SecondLook(Channel.PHONE, REVIEWERS[0]),
    SecondLook(Channel.PAPER, REVIEWERS[1]),
    SecondLook(Channel.PHONE, REVIEWERS[2], REVIEWERS[0]),
    SecondLook(Channel.PAPER, REVIEWERS[0], REVIEWERS[1], "the chair must be asked first"),
)


@dataclass(frozen=True, slots=True)
class Undecided:
    """Reports that differ, on which nobody has ruled."""

    id: str
    last: datetime
    sheets: Mapping[Channel, ResultSheet]
    channels: str


def worth_of(precinct: Precinct) -> Fraction:
    """State delegates for one delegate of this precinct; 0 where that is not known here."""
    if precinct.is_satellite or not precinct.county_total_delegates:
        return Fraction(0)
    return Fraction(precinct.county_state_delegates or 0, precinct.county_total_delegates)


def stake_of(precinct: Precinct, one: ResultSheet, other: ResultSheet) -> Fraction:
    """SDEs that change hands between two sheets, as reported."""
    groups = {row.group for row in (*one.groups, *other.groups)}
    moved = [(one.row(group).delegates or 0) - (other.row(group).delegates or 0) for group in groups]
    gained, lost = sum(m for m in moved if m > 0), -sum(m for m in moved if m < 0)
    return max(gained, lost) * worth_of(precinct)


def ruled_twice(id: str, last: datetime, look: SecondLook) -> list[Happening]:
    """A ruling that needs a second person, and that person's answer."""
    at = min(last + timedelta(minutes=9), END - timedelta(minutes=25))
    at = max(at, last + timedelta(minutes=1))
    reason = "The chair was called back on the number of the roster."
    made: list[Happening] = [Ruled(at, id, look.takes, look.by, reason)]
    if look.other:
        made.append(Approved(at + timedelta(minutes=5), id, look.other, look.refused))
    return made


def on_the_way(rng: random.Random, keys: Sequence[str], undecided: Sequence[Undecided]) -> list[Happening]:
    """Errands of every kind, open and done, and clerks who saw their own slip and keyed the sheet anew."""
    both = [one for one in undecided if one.channels == "phone paper"]
    rng.shuffle(both)
    both.sort(key=lambda one: one.last)
    made: list[Happening] = []
    for place, one in enumerate(both[:4]):
        made += _keyed_again(rng, one, place)
    for one in both[4:6]:
        made += _corrected(rng, one)
    made += _asked_and_ruled(rng, both[6])
    late = both[7:]
    for place, one in enumerate(late[-8:]):
        kind, channel, note = _OPEN[place % len(_OPEN)]
        at = one.last + timedelta(minutes=rng.randint(3, 9))
        made.append(SentBack(min(at, END), one.id, kind, rng.choice(REVIEWERS), note, channel))
    return made


_OPEN = (
    (ErrandKind.REKEY, Channel.PAPER, "the figures are hard to read, look twice"),
    (ErrandKind.CALL_BACK, None, "have the third row read again"),
    (ErrandKind.FETCH, None, "the photo is blurred, the sheet itself is wanted"),
    (ErrandKind.REKEY, Channel.PHONE, ""),
)


def _keyed_again(rng: random.Random, one: Undecided, place: int) -> list[Happening]:
    """Another clerk keys the paper again, and it agrees with the phone now, or says the same once more."""
    at = one.last + timedelta(minutes=rng.randint(4, 12))
    sheet = one.sheets[Channel.PHONE if place % 2 == 0 else Channel.PAPER]
    sent = SentBack(at, one.id, ErrandKind.REKEY, REVIEWERS[place % 3], "compare row by row", Channel.PAPER)
    done = at + timedelta(minutes=rng.randint(5, 14))
    return [sent, Keyed(done, one.id, Channel.PAPER, PAPER_CLERKS[place], sheet, again=True)]


def _corrected(rng: random.Random, one: Undecided) -> list[Happening]:
    """The chair rings again: what was read out before was wrong."""
    at = one.last + timedelta(minutes=rng.randint(15, 40))
    why = "the chair called again, two rows were read in the wrong order"
    sheet = one.sheets[Channel.PAPER]
    return [Keyed(at, one.id, Channel.PHONE, rng.choice(PHONE_CLERKS), sheet, correcting=why)]


def _asked_and_ruled(rng: random.Random, one: Undecided) -> list[Happening]:
    """The chair was rung about it, and then it was ruled on."""
    by, at = REVIEWERS[1], one.last + timedelta(minutes=6)
    ring = at + timedelta(minutes=rng.randint(5, 15))
    told = "the chair read the whole sheet: as on the paper"
    return [
        SentBack(at, one.id, ErrandKind.CALL_BACK, by, "is the attendance before or after the late comers?"),
        RangBack(ring, one.id, PHONE_CLERKS[5], CallEnd.CONFIRMED, told),
        Ruled(
            ring + timedelta(minutes=3), one.id, Channel.PAPER, by, "The chair was called back, see the call."
        ),
    ]
