"""Accounts of people. An account is never taken out, so its name is never another person's."""

from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import bindparam, select, update

from caucus_desk.store.actions import Action
from caucus_desk.store.names import folded
from caucus_desk.store.schema import person
from caucus_desk.store.statements import Prepared, adding
from caucus_desk.store.times import from_text, to_text
from caucus_desk.store.told import ToldReading, ToldWriting
from caucus_desk.store.work import Row

_ALL = Prepared(select(person).order_by(person.c.id))
_OF = Prepared(select(person).where(person.c.folded == bindparam("f")))
_ADD = adding(person)
_CHANGE = Prepared(
    update(person)
    .values(
        seq=bindparam("s"), role=bindparam("r"), secret=bindparam("x"), closed=bindparam("c"),
        failed=bindparam("n"), failed_at=bindparam("a"),
    )
    .where(person.c.id == bindparam("i"))
)  # fmt: skip
_CHANGE_SECRET = Prepared(
    update(person)
    .values(seq=bindparam("s"), secret=bindparam("x"), failed=bindparam("n"), failed_at=bindparam("a"))
    .where(person.c.id == bindparam("i"))
)
"""One's own PIN: a clerk's database account has the right to no more of an account."""
_TRIED = Prepared(
    update(person)
    .values(failed=bindparam("n"), failed_at=bindparam("a"))
    .where(person.c.id == bindparam("i"))
)


@dataclass(frozen=True, slots=True)
class PersonRecord:
    """An account as the store keeps it. Times are UTC; `failed` tries were wrong since the last right one."""

    id: int
    name: str
    role: str
    secret: str
    created: datetime
    closed: datetime | None = None
    failed: int = 0
    failed_at: datetime | None = None


class PeopleReading(ToldReading):
    def people(self) -> tuple[PersonRecord, ...]:
        """Every account, closed ones too, in the order in which they were made."""
        return tuple(_record(row) for row in self._rows(_ALL))

    def person_named(self, name: str) -> PersonRecord | None:
        """The account of this name, whatever its case, spaces and accents."""
        row = self._one(_OF, folded(name))
        return None if row is None else _record(row)


class PeopleWriting(PeopleReading, ToldWriting):
    def add_person(self, name: str, role: str, secret: str, *, by: str, sentence: str) -> PersonRecord:
        """A new account; nobody may have the name, which the caller has made sure of."""
        there = self.people()
        number = max((one.id for one in there), default=0) + 1
        made = PersonRecord(number, name, role, secret, self.now)
        seq = self._renewed(Action.PERSON, sentence, by, map(_row, (*there, made)))
        self._run(_ADD, *_row(made, seq))
        return made

    def change_person(self, changed: PersonRecord, *, by: str, sentence: str) -> None:
        """Writes the account's role, secret and closing."""
        before = self.people()
        there = (changed if one.id == changed.id else one for one in before)
        seq = self._renewed(Action.PERSON, sentence, by, map(_row, there))
        tries = (changed.failed, _text(changed.failed_at), changed.id)
        (was,) = (one for one in before if one.id == changed.id)
        if (was.role, was.closed) == (changed.role, changed.closed):
            self._run(_CHANGE_SECRET, seq, changed.secret, *tries)
            return
        self._run(
            _CHANGE, seq, changed.role, changed.secret, _text(changed.closed), *tries,
        )  # fmt: skip

    def person_tried(self, who: PersonRecord, failed: int, at: datetime | None) -> PersonRecord:
        """Counts tries; the caller writes their event."""
        self._run(_TRIED, failed, _text(at), who.id)
        return replace(who, failed=failed, failed_at=at)


def _row(one: PersonRecord, seq: int | None = None) -> Row:
    return (
        one.id, seq, one.name, folded(one.name), one.role, one.secret, to_text(one.created),
        _text(one.closed), one.failed, _text(one.failed_at),
    )  # fmt: skip


def _record(row: Row) -> PersonRecord:
    number, _, name, _, role, secret, created, closed, failed, failed_at = row
    return PersonRecord(
        number, name, role, secret, from_text(created), _time(closed), failed, _time(failed_at)
    )


def _text(at: datetime | None) -> str | None:
    return None if at is None else to_text(at)


def _time(text: str | None) -> datetime | None:
    return None if text is None else from_text(text)
