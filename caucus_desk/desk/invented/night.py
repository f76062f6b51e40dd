"""The sample's night from half past seven to midnight: who keyed what, when, and what went wrong.

Nothing here touches a store. A `Night` is the whole story in order of time; `desk.sample` writes it. What is
done about what went wrong (review, calling back, fetching paper) stands in `review`, `telephone`, `paper`.
"""

import random
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from caucus_desk.desk.invented import paper, review, telephone
from caucus_desk.desk.invented.counties import APP_FEED, PAPER_CLERKS, PHONE_CLERKS, REVIEWERS
from caucus_desk.desk.invented.events import (
    END,
    SEED,
    START,
    Acked,
    Happening,
    Keyed,
    Night,
    OpenDraft,
    Ruled,
)
from caucus_desk.desk.invented.faults import FAULTS, plant
from caucus_desk.desk.invented.rooms import Room, hold_caucus, realign, sheet_by_rules
from caucus_desk.desk.invented.roster import make_roster
from caucus_desk.desk.invented.sheets import by_size, column, exchanged
from caucus_desk.desk.invented.slips import SLIPS, slip
from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.tally.report import Channel
from caucus_desk.tally.results import ControlTotal
from caucus_desk.tally.sheet import Column, ResultSheet

CONTROL_COUNTY = "Adams"
"""All in and clean, with a stated county total that is one too low (C48)."""

_PAPER_ONLY = frozenset({"C23", "C40", "C43", "C44", "C45", "C53"})
_SHARES = (
    ("awaiting", 36.0),
    ("phone", 12.0),
    ("paper", 5.0),
    ("app", 4.0),
    ("phone paper", 26.0),
    ("app paper", 9.0),
    ("phone app", 5.0),
    ("phone paper app", 3.0),
)


def make_night(rules: RuleSet) -> Night:
    """The same night at every call."""
    return _Writer(rules).write()


class _Writer:
    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.rng = random.Random(SEED)
        self.roster = {precinct.id: precinct for precinct in make_roster(self.rng)}
        self.rooms = hold_caucus(rules, self.roster.values(), self.rng)
        self.events: list[Happening] = []
        self.planted: dict[str, str] = {}
        self.used: set[str] = set()
        self.pictured = ""
        self.undecided: list[review.Undecided] = []
        self.quiet: list[str] = []
        # Which rooms are still free for a story of their own, in a random order.
        self.free = [id for id, room in self.rooms.items() if room.precinct.county != CONTROL_COUNTY]
        self.rng.shuffle(self.free)

    def write(self) -> Night:
        self._roster_faults()
        self._sheet_faults()
        self._same_numbers_twice()
        self._mismatches()
        self._weighty_mismatches()
        self._changed_after_verified()
        totals = self._control_county()
        awaiting = self._everyone_else()
        self._drafts(awaiting[:7])
        self._what_was_done(awaiting)
        late = {id: self.rooms[id].sheet for id in awaiting[7:127]}
        self.events.sort(key=lambda event: event.at)
        return Night(
            tuple(self.roster.values()), tuple(self.events), totals, late, self.planted, self.pictured
        )

    # ---- the pieces ----

    def _take(self, room: Room) -> Room:
        self.free.remove(room.precinct.id)
        return room

    def _time(self, early: float = 0.0, late: float = 1.0) -> datetime:
        """A moment of the night; most comes in about its middle."""
        share = early + (late - early) * self.rng.betavariate(1.6, 1.6)
        return START + (END - START) * share

    def _key(
        self, id: str, channels: str, sheets: Mapping[Channel, ResultSheet], until: float = 0.9
    ) -> datetime:
        """Keys one report for each channel by different people; the time of the last one."""
        names = channels.split()
        at = self._time(0.0, until * (0.97 if len(names) == 1 else 0.82))
        for name in names:
            channel = Channel(name)
            by = {
                Channel.PHONE: self.rng.choice(PHONE_CLERKS),
                Channel.PAPER: self.rng.choice(PAPER_CLERKS),
                Channel.APP: APP_FEED,
            }[channel]
            sheet = sheets[channel]
            if channel is not Channel.PAPER:
                sheet = _without_paper(sheet)
            self.events.append(Keyed(at, id, channel, by, sheet))
            last, lag = at, self.rng.randint(240, 2_400)
            at += timedelta(seconds=lag)
            if at > END - timedelta(minutes=12):
                at = last + (END - timedelta(minutes=4) - last) * (lag / 3_000)
        return last

    def _roster_faults(self) -> None:
        """C39: far more people than last time; C41: a site whose stated allotment is not its band."""
        for id in self.free:
            room = self.rooms[id]
            if room.precinct.is_satellite:
                if "C41" in self.planted or room.delegates < 5:
                    continue
                precinct = replace(room.precinct, delegates=room.delegates - 1)
                sheet = room.sheet
                first, final = column(sheet, Column.FIRST), column(sheet, Column.FINAL)
                sheet = sheet_by_rules(
                    self.rules, sheet.attendance or 0, room.delegates - 1, first, final, self.rng
                )
                changed = Room(precinct, sheet, room.delegates - 1)
                self.planted["C41"] = id
            elif "C39" not in self.planted and (room.sheet.attendance or 0) > 90:
                precinct = replace(room.precinct, last_attendance=(room.sheet.attendance or 0) // 5)
                changed = replace(room, precinct=precinct)
                self.planted["C39"] = id
            else:
                continue
            self.roster[id] = changed.precinct
            self.rooms[id] = changed
            if len(self.planted) == 2:
                break
        for finding in ("C39", "C41"):
            room = self.rooms[self.planted[finding]]
            self._take(room)
            self._key(room.precinct.id, "phone paper", _all(room.sheet))

    def _sheet_faults(self) -> None:
        """Three rooms for each fault that one sheet can show: matched, matched and answered, paper alone."""
        for finding in FAULTS:
            if finding in self.planted:
                continue
            for turn in range(3):
                found = plant(self.rules, finding, [self.rooms[id] for id in self.free], self.rng)
                if found is None:
                    break
                room, sheet = found
                if turn and sheet.fingerprint in self.used:
                    break  # a made-up sheet again: that would be the same numbers twice (C35)
                self.used.add(sheet.fingerprint)
                self._take(room)
                id = room.precinct.id
                self.planted.setdefault(finding, id)
                channels = "phone paper" if turn < 2 else "paper"
                last = self._key(id, channels, _all(sheet))
                if turn == 1:
                    self.events.append(
                        Acked(
                            last + timedelta(minutes=self.rng.randint(2, 9)),
                            id,
                            finding,
                            self.rng.choice(REVIEWERS),
                            self.rng.choice(_ANSWERS),
                        )
                    )

    def _same_numbers_twice(self) -> None:
        """C35: one sheet keyed under two precincts; C36: only its first column."""
        pairs = []
        for id in list(self.free):
            room = self.rooms[id]
            if (
                4 <= room.delegates <= 9
                and (room.sheet.attendance or 0) > 25
                and not room.precinct.is_satellite
            ):
                pairs.append(self._take(room))
            if len(pairs) == 4:
                break
        one, twin, other, half = pairs
        for room in (one, twin):
            self._key(room.precinct.id, "phone paper", _all(one.sheet))
        first, attendance = column(other.sheet, Column.FIRST), other.sheet.attendance or 0
        final = realign(self.rules, half.delegates, attendance, first, {}, self.rng)
        self._key(other.precinct.id, "phone paper", _all(other.sheet))
        sheet = sheet_by_rules(self.rules, attendance, half.delegates, first, final, self.rng)
        self._key(half.precinct.id, "phone", _all(sheet))
        self.planted |= {"C35": twin.precinct.id, "C36": half.precinct.id}

    def _mismatches(self) -> None:
        """Each kind of slip several times; of some a reviewer has ruled."""
        for name in SLIPS:
            for turn in range(6):
                made = slip(self.rules, name, [self.rooms[id] for id in self.free], self.rng)
                if made is None:
                    break
                room, sheets, channels = made
                self._take(room)
                id = room.precinct.id
                last = self._key(id, channels, sheets, until=0.8)
                if turn in (1, 4):
                    takes = Channel.PAPER if "paper" in channels else Channel.PHONE
                    reason = self.rng.choice(_RULINGS)
                    self.events.append(
                        Ruled(last + timedelta(minutes=6), id, takes, self.rng.choice(REVIEWERS), reason)
                    )
                    if turn == 4 and name == "final":
                        # A newer report ends the ruling's force.
                        late = Keyed(
                            END - timedelta(minutes=3),
                            id,
                            Channel.PHONE,
                            PHONE_CLERKS[0],
                            sheets[Channel.PHONE],
                        )
                        self.events.append(late)
                elif self.planted.setdefault(name, id) != id:
                    self.undecided.append(review.Undecided(id, last, sheets, channels))

    def _weighty_mismatches(self) -> None:
        """Rows exchanged where one delegate is worth much: a second person has to look at the ruling."""
        weighty = []
        for id in self.free:
            room = self.rooms[id]
            order = by_size(column(room.sheet, Column.FINAL))
            if len(order) > 1:
                wrong = exchanged(room.sheet, order[0], order[1], self.rules.keys)
                if review.stake_of(room.precinct, room.sheet, wrong) > review.WEIGHTY:
                    weighty.append(room)
        for look in (None, *review.SECOND_LOOKS):
            made = slip(self.rules, "swapped rows", weighty, self.rng)
            if made is None:
                return
            room, sheets, channels = made
            weighty.remove(room)
            id = self._take(room).precinct.id
            last = self._key(id, channels, sheets, until=0.8)
            if look is None:
                self.pictured = id  # the rows are as on the phone, and nobody has decided it yet
            else:
                self.events += review.ruled_twice(id, last, look)

    def _changed_after_verified(self) -> None:
        """C50: matched at nine; the chair calls again at eleven, and brings another sheet."""
        for _ in range(3):
            made = slip(self.rules, "attendance", [self.rooms[id] for id in self.free], self.rng)
            if made is None:
                return
            room, sheets, _ = made
            id = self._take(room).precinct.id
            self._key(id, "phone paper", _all(room.sheet), until=0.5)
            sheet = _without_paper(sheets[Channel.PHONE])
            for minutes, channel, by, why in (
                (40, Channel.PHONE, PHONE_CLERKS[-1], "the chair counted the cards again"),
                (31, Channel.PAPER, PAPER_CLERKS[-1], ""),
            ):
                at = END - timedelta(minutes=minutes)
                self.events.append(Keyed(at, id, channel, by, sheet, correcting=why))
            self.planted.setdefault("C50", id)

    def _control_county(self) -> tuple[ControlTotal, ...]:
        totals: dict[str, list[int]] = {key: [0, 0, 0] for key in self.rules.keys}
        for id, room in self.rooms.items():
            if room.precinct.county == CONTROL_COUNTY:
                self._key(id, "phone paper", _all(room.sheet))
                for row in room.sheet.groups:
                    counts = (row.first or 0, row.final or 0, row.delegates or 0)
                    totals[row.group] = [a + b for a, b in zip(totals[row.group], counts, strict=True)]
        largest = max(totals, key=lambda key: totals[key][1])
        totals[largest][1] -= 1
        return tuple(ControlTotal(CONTROL_COUNTY, key, *counts) for key, counts in totals.items())

    def _everyone_else(self) -> list[str]:
        """The quiet majority: one channel, two or three that agree, or nothing yet."""
        names = [name for name, _ in _SHARES]
        weights = [weight for _, weight in _SHARES]
        awaiting = []
        for id in self.free:
            story = self.rng.choices(names, weights)[0]
            if story == "awaiting":
                awaiting.append(id)
                continue
            sheet = self.rooms[id].sheet
            if self.rng.random() < 0.5 and "paper" in story:
                sheet = replace(sheet, chair_signed=True, secretary_signed=True)
            self._key(id, story, _all(sheet), until=1.0)
            self.quiet.append(id)
        return awaiting

    def _drafts(self, ids: list[str]) -> None:
        """Sheets half keyed; the first one has not been touched for an hour."""
        for place, id in enumerate(ids):
            room = self.rooms[id]
            channel = Channel.PAPER if place % 3 == 2 else Channel.PHONE
            left = place in (3, 6)
            by = PAPER_CLERKS[place] if channel is Channel.PAPER else PHONE_CLERKS[place]
            fields = {"attendance": str(room.sheet.attendance or 0)}
            for row in room.sheet.groups[: 2 + place]:
                fields[f"{row.group}.first"] = str(row.first or 0)
                if place % 2:
                    fields[f"{row.group}.final"] = str(row.final or 0)
            if channel is Channel.PHONE:
                fields |= {
                    "caller.name": room.precinct.chair,
                    "caller.number": room.precinct.phone,
                    "caller.check": "" if left else "pin passed",
                }
            at = END - timedelta(minutes=64 if place == 0 else 1 + place)
            self.events.append(OpenDraft(at, id, channel, by, fields, left))
            if left:
                self.events.append(telephone.cut_off(at, room.precinct, by))

    def _what_was_done(self, awaiting: list[str]) -> None:
        """Calls, call-backs, errands, corrections and the paper chase, from a seed of their own."""
        rng = random.Random(SEED + 1)
        self.events += review.on_the_way(rng, self.rules.keys, self.undecided)
        quiet = frozenset(self.quiet)
        self.events[:] = telephone.checked(rng, self.events, quiet, self.roster)
        self.events += telephone.rung_back(rng, self.events)
        self.events += telephone.without_results(rng, self.events, quiet, awaiting[127:], self.roster)
        self.events += paper.chased(rng, self.events, quiet, awaiting, self.roster)
        self.events.append(paper.photographed(self.events, self.pictured))


_ANSWERS = (
    "Read back to the chair twice; the sheet says so.",
    "Chair confirms the count, two people came in late.",
    "Called the secretary: the worksheet stands as it is.",
)
_RULINGS = (
    "The photo of the worksheet shows this figure.",
    "Called the chair back on the number of the roster.",
    "The paper is signed by the chair and the secretary.",
)


def _all(sheet: ResultSheet) -> dict[Channel, ResultSheet]:
    return dict.fromkeys(Channel, sheet)


def _without_paper(sheet: ResultSheet) -> ResultSheet:
    """What a caller reads out or an app sends: the counts, and who won a toss."""
    rows = tuple(replace(row, signed=None) for row in sheet.groups)
    return ResultSheet(sheet.attendance, rows, sheet.extras, chance=sheet.chance)
