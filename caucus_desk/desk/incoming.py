"""What must be right of a packet before anything of it is taken, each with the sentence of its refusal."""

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta

from caucus_desk.desk.naming import folded, one_line
from caucus_desk.desk.packing import rules_of
from caucus_desk.desk.session import Desk
from caucus_desk.desk.wording import clock
from caucus_desk.exchange.packet import OpenPacket, Packet, TrailRow
from caucus_desk.exchange.packetfile import BadPacket
from caucus_desk.exchange.packetreports import Contents, PacketReport
from caucus_desk.store.actions import Action
from caucus_desk.store.chain import BEGINNING, event_hash
from caucus_desk.store.countykeys import CountyKey
from caucus_desk.store.units import ReadUnit
from caucus_desk.tally.catalogue import FINDINGS
from caucus_desk.tally.sheet import ResultSheet

_NOTHING = "Nothing was taken from it"
_UNFIT = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
"""Line ends, control characters, and those that turn the writing round: no name that was typed has any."""
_EARLIEST = datetime(2000, 1, 1, tzinfo=UTC)
_LATE = timedelta(days=1)
_COLUMNS = 15
"""Of a row of the trail: from `seq` to `hash`."""


def check_head(unit: ReadUnit, opened: OpenPacket) -> CountyKey:
    """Whether the packet is for this caucus, by these rules, under a key that holds; the key."""
    head, file = opened.head, opened.file
    if head.caucus != unit.identity():
        raise BadPacket(
            f"{file} is a packet of another caucus. {_NOTHING}; check which store and which file are meant."
        )
    if head.rules != rules_of(unit):
        raise BadPacket(
            f"{file} was counted by another rule set or ballot than this caucus. {_NOTHING}; make a new kit "
            f"for {head.county}."
        )
    key = unit.county_key(head.key)
    if key is None:
        raise BadPacket(
            f"{file} is signed with a key that headquarters never gave out ({head.key}). {_NOTHING}; ask "
            f"{head.county} which kit its store was begun from."
        )
    if key.ended_at is not None:
        raise BadPacket(
            f"{file} is signed with the key {key.id} of {key.county}, which {key.ended_by} revoked at "
            f"{clock(key.ended_at)}: {key.reason}. {_NOTHING}."
        )
    if head.county != key.county:
        raise BadPacket(
            f"{file} says that it is from {head.county}, but is signed with a key of {key.county}. "
            f"{_NOTHING}; ask both counties."
        )
    return key


def check_contents(
    desk: Desk, contents: Contents, file: str, county: str | None, made: datetime | None = None
) -> None:
    """Whether all of it is of precincts that this store has, of this county only, and on its ballot.

    `county` is None for a copy of this store, which may speak of all; `made` is when a packet was made.
    """
    for precinct_id in contents.precinct_ids:
        precinct = desk.precincts.get(precinct_id)
        if precinct is None:
            raise BadPacket(f"{file} speaks of {precinct_id}, which is not in the roster. {_NOTHING}.")
        if county is not None and precinct.county != county:
            raise BadPacket(
                f"{file} is a packet of {county} and speaks of {precinct.name} ({precinct_id}), which is in "
                f"{precinct.county}. {_NOTHING}; ask {county} who made it."
            )
    _check_totals(desk, contents, file, county)
    places = {key: place for place, key in enumerate(desk.rules.keys)}
    fields = {field.key for field in desk.rules.fields}
    for one in contents.reports:
        if desk.precincts[one.precinct_id].merged:
            raise BadPacket(
                f"{file} has a report of {one.precinct_id}, which was merged into another precinct and "
                f"elects nobody. {_NOTHING}."
            )
        if not (_fits(one.sheet, places, fields) and _people(one)):
            raise BadPacket(
                f"{file} has a report of {one.precinct_id} that is not as Caucus Desk writes it. {_NOTHING}; "
                "ask the county who made the file."
            )
        _check_words(one, file)
    _check_times(contents, file, made or datetime.now(UTC))
    for given in contents.acknowledgements:
        if given.finding not in FINDINGS or not folded(given.by):
            raise BadPacket(f"{file} acknowledges {given.finding}, and there is no such finding. {_NOTHING}.")


def _check_words(one: PacketReport, file: str) -> None:
    """Whether its names can be shown, and no stated number is below nothing."""
    names = [*_names(one), one.source, one.receipt, *one.caller]
    if one.call is not None:
        names += [one.call.caller_name, one.call.caller_number]
    for name in names:
        if _UNFIT.search(name):
            raise BadPacket(
                f"{file} has a report of {one.precinct_id} with a name that is no line of text: "
                f"“{one_line(name)}”. {_NOTHING}; ask the county who made the file."
            )
    for row in one.sheet.groups:
        if row.sde is not None and row.sde < 0:
            raise BadPacket(
                f"{file} has a report of {one.precinct_id} that states {row.sde} state delegate equivalents "
                f"for {row.group}. {_NOTHING}; ask the county who made the file."
            )


def _check_times(contents: Contents, file: str, made: datetime) -> None:
    """Whether all was said at a time at which it can have been said, as far as clocks may differ."""
    for where, at in _times(contents):
        if at < _EARLIEST or at > made + _LATE:
            raise BadPacket(
                f"{file} has something of {one_line(where)} that was made at {at:%Y-%m-%d %H:%M} UTC, and is "
                f"itself of {made:%Y-%m-%d %H:%M} UTC. {_NOTHING}; ask the county to see to the clock of its "
                "computer."
            )


def _times(contents: Contents) -> Iterator[tuple[str, datetime]]:
    """Every time that is told, and of what."""
    for one in contents.reports:
        yield one.precinct_id, one.at
        said = (one.withdrawal, one.confirmation)
        yield from ((one.precinct_id, each.at) for each in said if each is not None)
        if one.call is not None:
            yield one.precinct_id, one.call.at
            yield one.precinct_id, one.call.ended_at
    yield from ((one.precinct_id, one.at) for one in contents.acknowledgements)
    for given in contents.attachments:
        yield given.precinct_id, given.at
        if given.withdrawal is not None:
            yield given.precinct_id, given.withdrawal.at
    yield from ((one.county, one.at) for one in contents.totals)


def _check_totals(desk: Desk, contents: Contents, file: str, county: str | None) -> None:
    counties = {one.county for one in desk.precincts.values()}
    for one in contents.totals:
        if one.county not in counties or (county is not None and one.county != county):
            raise BadPacket(
                f"{file} states totals of {one_line(one.county)}, which it cannot speak for. {_NOTHING}; "
                "ask the county who made it."
            )
        if not set(desk.rules.keys).issuperset(total.group for total in one.totals) or not folded(one.by):
            raise BadPacket(
                f"{file} states totals of {one.county} that are not as Caucus Desk writes them. {_NOTHING}; "
                "ask the county who made the file."
            )


def _fits(sheet: ResultSheet, places: dict[str, int], fields: set[str]) -> bool:
    """Whether a sheet is of this ballot, and just as a store would read it back."""
    keys = [row.group for row in sheet.groups]
    played = [group for game in sheet.chance for group in (*game.groups, *game.winners)]
    if not all(key in places for key in (*keys, *played)):
        return False
    if [places[key] for key in keys] != sorted({places[key] for key in keys}):
        return False
    extras = [key for key, _ in sheet.extras]
    if extras != sorted(set(extras)) or not fields.issuperset(extras):
        return False
    return all(
        game.winners == tuple(group for group in game.groups if group in game.winners)
        and len(set(game.groups)) == len(game.groups) > 0
        for game in sheet.chance
    )


def _people(one: PacketReport) -> bool:
    return all(folded(name) for name in _names(one))


def _names(one: PacketReport) -> list[str]:
    names = [one.by, *one.typists]
    names += [said.by for said in (one.withdrawal, one.confirmation) if said is not None]
    if one.call is not None:
        names.append(one.call.by)
    return names


def check_trail(packet: Packet) -> None:
    """Whether the county's audit trail is one chain, and tells of as many reports as the packet has."""
    previous = BEGINNING
    for number, row in enumerate(packet.trail, start=1):
        if len(row) != _COLUMNS or row[0] != number or row[-2] != previous or not _follows(row):
            raise BadPacket(
                f"{packet.file}: the audit trail of {packet.head.county} was altered (event {number}). "
                f"{_NOTHING}; ask the county to check its store."
            )
        previous = str(row[-1])
    if _told(packet.trail) != len(packet.contents.reports):
        raise BadPacket(
            f"{packet.file}: the audit trail of {packet.head.county} tells of other reports than the packet "
            f"has. {_NOTHING}; ask the county to check its store."
        )


def _follows(row: TrailRow) -> bool:
    return row[-1] == event_hash(str(row[-2]), row[:-2])


def _told(trail: Iterable[TrailRow]) -> int:
    return sum(row[3] == Action.REPORTED for row in trail)
