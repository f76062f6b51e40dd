"""Taking packets in at headquarters: each report exactly once, with its own people and times, over nothing.

Whatever the order in which packets come, and however often, the same reports stand in the end. A report that
collides with another stands beside it, and the precinct is in the queue as a mismatch; until it is decided
there, what headquarters' own report of that channel says counts on.
"""

import hashlib
import os
from collections.abc import Callable, Collection, Iterable
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from caucus_desk.desk.again import again
from caucus_desk.desk.incoming import check_contents, check_head, check_trail
from caucus_desk.desk.intake import Came, Intake
from caucus_desk.desk.kits import county_of, headquarters_only
from caucus_desk.desk.naming import clean_name, one_line
from caucus_desk.desk.packing import packed, rules_of
from caucus_desk.desk.people import allow, require
from caucus_desk.desk.places import shown_location
from caucus_desk.desk.roles import Job
from caucus_desk.desk.scanbytes import sendable
from caucus_desk.desk.session import Desk, open_desk
from caucus_desk.desk.settling import settle
from caucus_desk.exchange.packet import open_packet, short_code
from caucus_desk.exchange.packetkeys import check_installed
from caucus_desk.exchange.packetreports import Contents, PacketAttachment, contents_bytes
from caucus_desk.rules.errors import CaucusError, Refused
from caucus_desk.store.packets import TakenPacket
from caucus_desk.store.units import ReadUnit, WriteUnit
from caucus_desk.store.work import MANY
from caucus_desk.tally.report import Ruling
from caucus_desk.tally.roster import Precinct
from caucus_desk.tally.state import State

__all__ = ["Taken", "TakenPacket", "merge_store", "packets_taken", "take_packet", "take_packets"]


_NAMED = 10
"""So many precincts are named in one sentence."""


@dataclass(frozen=True, slots=True)
class Taken:
    """What a packet brought. Everything is 0 and empty where it had been taken before: `before` is set."""

    file: str
    county: str
    """Empty for a merged copy."""
    number: int
    digest: str
    reports: int
    """In the packet."""
    new_reports: int
    came: Came
    collisions: tuple[Precinct, ...]
    """Precincts that it brought something of and whose reports differ now."""
    before: TakenPacket | None = None
    left: tuple[str, ...] = ()
    """What a merged copy has that was not taken, in sentences."""
    were_verified: frozenset[str] = frozenset()
    """Of the collisions, the ids of those that were verified before this came."""
    were_released: frozenset[str] = frozenset()
    """Of the collisions, the ids of those that `release` counts."""
    release: int | None = None
    """The newest one; None where there is none."""

    @property
    def of_weight(self) -> str:
        """`, of which 1 was verified: A-1; 1 is in release 3, the newest: A-1`: what of the collisions was
        held for certain, or told already. Empty where none was."""
        said = []
        for ids, one, several in (
            (self.were_verified, "was verified", "were verified"),
            (self.were_released, *(f"{be} in release {self.release}, the newest" for be in ("is", "are"))),
        ):
            named = [place.id for place in self.collisions if place.id in ids]
            if named:
                more = f" and {len(named) - _NAMED:,} more" if len(named) > _NAMED else ""
                what = one if len(named) == 1 else several
                said.append(f"{len(named):,} {what}: {', '.join(named[:_NAMED])}{more}")
        return f", of which {'; '.join(said)}" if said else ""

    @property
    def code(self) -> str:
        """To be said to the county: headquarters has this packet, all of it."""
        return short_code(self.digest)


@dataclass(frozen=True, slots=True)
class Refusal:
    """A file that was refused whole, and why."""

    file: str
    sentence: str


def take_packets(
    desk: Desk, paths: Iterable[Path | str], *, by: str, told: Callable[[int], None] | None = None
) -> tuple[Taken | Refusal, ...]:
    """Takes several packets, each whole or not at all, and says of each what came of it.

    `told` hears how many are done, and may raise Cancelled. Raises what concerns them all: who may not, a
    store that cannot be used.
    """
    by = clean_name(by)
    check_installed()
    require(desk, by, Job.PACKETS)
    headquarters_only(desk, "packets are taken in")
    results: list[Taken | Refusal] = []
    for done, path in enumerate(paths):
        if told is not None:
            told(done)
        try:
            results.append(take_packet(desk, path, by=by))
        except CaucusError as error:
            if error.exit_code != Refused.exit_code:
                raise  # the store itself: the next file fares no better
            results.append(Refusal(Path(path).name, error.sentence))
    return tuple(results)


@again
def take_packet(desk: Desk, path: Path | str, *, by: str) -> Taken:
    """Takes one packet in, whole; saved when this returns.

    Raises BadPacket and Unreadable with what is wrong, Refused where its key is unknown or revoked, or the
    packet is of another caucus or rule set. A packet that was taken before changes nothing.
    """
    by = clean_name(by)
    check_installed()
    require(desk, by, Job.PACKETS)
    headquarters_only(desk, "packets are taken in")
    with open_packet(Path(path).expanduser()) as opened:
        with desk.store.read() as unit:
            key = check_head(unit, opened)
        packet = opened.verified(key.public)
        check_contents(desk, packet.contents, packet.file, key.county, packet.head.made_at)
        check_trail(packet)
        what = f"packet {packet.head.number} of {key.county}"
        with desk.store.write() as unit:
            allow(desk, unit, by, Job.PACKETS)
            check_head(unit, opened)  # the key may have been revoked meanwhile
            return _take(
                desk,
                unit,
                Parcel(
                    opened.file, key.county, key.id, packet.head.number, packet.digest, packet.contents, what
                ),
                opened.attachment,
                by,
            )


@again
def merge_store(desk: Desk, location: str, *, by: str) -> Taken:
    """Takes in what another copy of this store says, by the same path; the other is not changed.

    Rulings, releases and drafts of the other are not taken. Refused where it is no copy of the same caucus.
    """
    by = clean_name(by)
    require(desk, by, Job.PACKETS)
    _is_another(desk, location)
    with closing(open_desk(location, looking=True)) as other:
        file = one_line(Path(location).name if "://" not in location else other.location)
        with other.store.read() as theirs:
            _is_copy(desk, other, theirs, file)
            going = sendable(other, theirs, packed(theirs).contents)
            with desk.store.read() as ours:
                left = _left(ours, theirs, going.lost)
        contents = going.contents
        check_contents(desk, contents, file, None)
        parcel = Parcel(file, "", "", 0, _digest(contents), contents, f"the copy {file}", left)
        with desk.store.write() as unit:
            allow(desk, unit, by, Job.PACKETS)
            return _take(desk, unit, parcel, going.read, by)


def packets_taken(desk: Desk) -> tuple[TakenPacket, ...]:
    """Oldest first; merged copies too, which have no county."""
    with desk.store.read() as unit:
        return unit.packets_taken()


@dataclass(frozen=True, slots=True)
class Parcel:
    """What is to be taken, and what the trail calls it."""

    file: str
    county: str
    key: str
    number: int
    digest: str
    contents: Contents
    what: str
    left: tuple[str, ...] = ()


def _take(
    desk: Desk, unit: WriteUnit, parcel: Parcel, read: Callable[[PacketAttachment], bytes], by: str
) -> Taken:
    """In the caller's transaction: all of it or nothing."""
    contents = parcel.contents
    before = unit.packet_taken(parcel.digest)
    if before is not None:
        return Taken(
            parcel.file,
            parcel.county,
            parcel.number,
            parcel.digest,
            len(contents.reports),
            0,
            Came(),
            (),
            before,
            parcel.left,
        )
    verified = _verified(unit, contents.precinct_ids)
    came = Intake(desk, unit, parcel.key, parcel.digest, parcel.what, by).take(contents, read)
    settle(unit, desk.rules, came.touched, desk.precincts)  # in one go: sheets that are alike see each other
    states = unit.states(came.touched)
    collisions = tuple(
        desk.precincts[one] for one in came.touched if one in states and states[one].state is State.MISMATCHED
    )
    sentence = f"{by} took {parcel.what}: {came.reports:,} new of {len(contents.reports):,} reports"
    unit.add_packet_taken(
        TakenPacket(
            0,
            parcel.digest,
            parcel.key,
            parcel.county,
            parcel.number,
            len(contents.reports),
            came.reports,
            by,
            unit.now,
        ),
        sentence,
    )
    return Taken(
        parcel.file,
        parcel.county,
        parcel.number,
        parcel.digest,
        len(contents.reports),
        came.reports,
        came,
        collisions,
        None,
        parcel.left,
        *_lost_by(unit, collisions, verified),
    )


def _verified(unit: ReadUnit, precinct_ids: Collection[str]) -> frozenset[str]:
    states = unit.states(None if len(precinct_ids) > MANY else precinct_ids)
    return frozenset(one for one, state in states.items() if state.verified)


def _lost_by(
    unit: ReadUnit, collisions: Iterable[Precinct], verified: frozenset[str]
) -> tuple[frozenset[str], frozenset[str], int | None]:
    """Which of these were verified, which the newest release counts, and its number."""
    ids = frozenset(one.id for one in collisions)
    releases = unit.releases() if ids else ()
    if not releases:
        return ids & verified, frozenset(), None
    newest = releases[-1].number
    return ids & verified, ids & unit.counted_in(newest), newest


def _is_another(desk: Desk, location: str) -> None:
    """Refused where both names are those of one store."""
    here = desk.location
    if "://" in here or "://" in location:
        same = _server(here) == _server(shown_location(location))
    else:
        try:
            same = os.path.samefile(Path(location).expanduser(), here)
        except OSError:
            return  # opening it says what is wrong
    if same:
        raise Refused(
            f"There is nothing to merge: that is this store, {here}. Name the copy whose reports are wanted."
        )


def _server(address: str) -> str:
    """An address without whose it is."""
    front, mark, rest = address.partition("://")
    return front + mark + rest.rpartition("@")[2]


def _is_copy(desk: Desk, other: Desk, theirs: ReadUnit, file: str) -> None:
    with desk.store.read() as unit:
        same = unit.identity() == theirs.identity()
        rules = rules_of(unit) == rules_of(theirs)
    if not same:
        raise Refused(f"{file} is a store of another caucus, no copy of this one. Nothing was taken from it.")
    if not rules:
        raise Refused(
            f"{file} counts by another rule set or ballot than this store. Nothing was taken from it."
        )
    if county_of(desk) != county_of(other):
        raise Refused(
            f"{file} is the own store of {county_of(other)}: let it write a packet, and take that in."
            if county_of(other)
            else f"{file} is headquarters' store, and this is the own store of {county_of(desk)}."
        )


def _left(ours: ReadUnit, theirs: ReadUnit, lost: Iterable[str]) -> tuple[str, ...]:
    """What the other has that is neither here nor taken, in sentences."""
    said = list(lost)
    here = ours.rulings()
    ruled = [
        place
        for place, one in theirs.rulings().items()
        if place not in here or _as_ruled(here[place]) != _as_ruled(one)
    ]
    if ruled:
        named = ", ".join(ruled[:_NAMED]) + (" and more" if len(ruled) > _NAMED else "")
        count = "One ruling of it was" if len(ruled) == 1 else f"{len(ruled):,} rulings of it were"
        said.append(f"{count} not taken ({named}): rule here again where it is needed.")
    made = {one.digest for one in ours.releases()}
    releases = sum(one.digest not in made for one in theirs.releases())
    if releases:
        count = "One release of it was" if releases == 1 else f"{releases:,} releases of it were"
        said.append(f"{count} not taken: a release is made here.")
    return tuple(said)


def _as_ruled(ruling: Ruling) -> Ruling:
    """What it says, without the numbers that each store gives for itself."""
    return replace(ruling, id=0, seen_report=0)


def _digest(contents: Contents) -> str:
    return hashlib.sha256(b"merged copy\n" + contents_bytes(contents)).hexdigest()
