"""The caucus itself, its groups and its precincts."""

import os
import secrets
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor

from sqlalchemy import bindparam, select

from caucus_desk.rules.ruleset import Group, GroupKind
from caucus_desk.store.actions import Action
from caucus_desk.store.chain import content_digest
from caucus_desk.store.errors import StoreDamaged
from caucus_desk.store.records import CaucusRecord
from caucus_desk.store.schema import caucus, identity, precinct, preference_group
from caucus_desk.store.secret import make_secret, secret_fits
from caucus_desk.store.statements import Prepared, adding
from caucus_desk.store.times import from_text
from caucus_desk.store.trail import NewEvent, Points, TrailWriting
from caucus_desk.store.work import Row, Work
from caucus_desk.tally.roster import Precinct, PrecinctKind

_ADD_CAUCUS, _ADD_GROUP, _ADD_PRECINCT = adding(caucus), adding(preference_group), adding(precinct)
_CAUCUS = Prepared(select(caucus))
_ADD_IDENTITY, _IDENTITY = adding(identity), Prepared(select(identity))
_GROUPS = Prepared(select(preference_group).order_by(preference_group.c.id))
_PRECINCTS = Prepared(select(precinct).order_by(precinct.c.position))
_PRECINCT = Prepared(select(precinct).where(precinct.c.id == bindparam("precinct")))

_COST = 2**10
"""A PIN has few digits and is no proof (a caller is rung back): the hash keeps it from being read
in passing. The cost is kept so low that a roster of 1,700 precincts loads in seconds."""


_UNREADABLE = (
    "This store is damaged: {}. Leave the file as it is and restore the last good backup to a new file."
)


class RosterReading(Work):
    def caucus(self) -> CaucusRecord:
        row = self._one(_CAUCUS)
        if row is None:
            raise StoreDamaged(_UNREADABLE.format("it names no caucus"))
        return CaucusRecord(row[1], row[2], row[3], from_text(row[4]), row[5])

    def identity(self) -> str:
        """32 hexadecimal digits, the same in every copy and every county store of this caucus."""
        row = self._one(_IDENTITY)
        if row is None:
            raise StoreDamaged(_UNREADABLE.format("it does not know which caucus it is a part of"))
        return str(row[1])

    def groups(self) -> tuple[Group, ...]:
        """In ballot order."""
        try:
            return tuple(
                Group(key, label, GroupKind(kind), bool(viable), bool(minor))
                for _, key, label, kind, viable, minor in self._rows(_GROUPS)
            )
        except ValueError as error:
            raise StoreDamaged(_UNREADABLE.format("a group is of no known kind")) from error

    def precincts(self) -> tuple[Precinct, ...]:
        """In the roster's order."""
        return tuple(_precinct(row) for row in self._rows(_PRECINCTS))

    def precinct(self, precinct_id: str) -> Precinct | None:
        row = self._one(_PRECINCT, precinct_id)
        return None if row is None else _precinct(row)

    def kept_pins(self) -> dict[str, str]:
        """By precinct: the PIN as it is kept, hashed; empty where there is none. Never for anybody to see."""
        return {row[0]: row[-1] for row in self._rows(_PRECINCTS)}

    def check_pin(self, precinct_id: str, pin: str) -> bool | None:
        """None where the roster has no PIN for the precinct."""
        row = self._one(_PRECINCT, precinct_id)
        if row is None or not row[-1]:
            return None
        return secret_fits(pin, row[-1])

    def roster_digest(self) -> str:
        """Of the caucus, its groups and its precincts as they stand in the store."""
        return content_digest("roster", self._rows(_CAUCUS), self._rows(_GROUPS), self._rows(_PRECINCTS))


class RosterWriting(RosterReading, TrailWriting):
    def add_caucus(
        self, name: str, rules_name: str, rules_text: str, by: str, identity: str | None = None
    ) -> None:
        """`identity`: of the caucus that this store is a part of, a new one where it is the first."""
        self._run(_ADD_CAUCUS, 1, name, rules_name, rules_text, self._now_text, by)
        self._run(_ADD_IDENTITY, 1, identity or secrets.token_hex(16))

    def add_groups(self, groups: Sequence[Group]) -> None:
        """In ballot order."""
        rows: list[Row] = [
            (place, group.key, group.label, str(group.kind), int(group.may_be_viable), int(group.minor))
            for place, group in enumerate(groups, start=1)
        ]
        self._many(_ADD_GROUP, rows)
        self._ballot.fill((row[0], row[1]) for row in rows)

    def add_precincts(
        self,
        precincts: Sequence[Precinct],
        pins: Sequence[str] = (),
        hashed: Callable[[int], None] | None = None,
        kept_pins: Sequence[str] | None = None,
    ) -> None:
        """In the roster's order; `pins` beside them (empty: none). `hashed` hears how many PINs are done.
        `kept_pins` are hashed already, in another store of this caucus."""
        if kept_pins is not None:
            stored = list(kept_pins)
        else:
            stored = _hash_pins(pins, hashed) if any(pins) else [""] * len(precincts)
        self._many(
            _ADD_PRECINCT,
            [
                (
                    one.id, place, one.county, one.name, str(one.kind), one.district, one.delegates,
                    one.county_state_delegates, one.county_total_delegates, one.attendance,
                    one.last_attendance, one.registered, one.chair, one.phone, pin,
                )
                for place, (one, pin) in enumerate(zip(precincts, stored, strict=True), start=1)
            ],
        )  # fmt: skip

    def log_created(self, sentence: str, by: str) -> None:
        """The first event: it covers caucus, groups and precincts."""
        self._append([NewEvent(Action.CREATED, by, sentence, Points(), self.roster_digest())])


def hash_pin(pin: str) -> str:
    """A caller's PIN as it is kept."""
    return make_secret(pin, _COST)


def _hash_pins(pins: Iterable[str], hashed: Callable[[int], None] | None) -> list[str]:
    """On all cores: scrypt runs outside the interpreter's lock."""
    stored = []
    pool = ThreadPoolExecutor(os.cpu_count() or 1)
    try:
        for done, pin in enumerate(pool.map(lambda pin: hash_pin(pin) if pin else "", pins), start=1):
            stored.append(pin)
            if hashed is not None:
                hashed(done)
    finally:
        pool.shutdown(cancel_futures=True)  # a person who cancels does not wait for the rest
    return stored


def _precinct(row: Row) -> Precinct:
    precinct_id, _, county, name, kind, *rest, _pin = row
    return Precinct(precinct_id, county, name, PrecinctKind(kind), *rest)
