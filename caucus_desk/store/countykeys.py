"""Keys by which stores know each other: the counties' at headquarters, and a county store's own."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam, select

from caucus_desk.store.actions import Action
from caucus_desk.store.schema import county_key, county_key_end, headquarters_key, own_key
from caucus_desk.store.statements import Prepared, adding
from caucus_desk.store.times import from_text
from caucus_desk.store.told import ToldReading, ToldWriting
from caucus_desk.store.work import Row

_END = county_key_end
_WITH_END = select(county_key, _END.c.by_name, _END.c.at, _END.c.reason).outerjoin(
    _END, _END.c.key == county_key.c.seq
)
_KEYS = Prepared(_WITH_END.order_by(county_key.c.seq))
_KEY = Prepared(_WITH_END.where(county_key.c.key_id == bindparam("key")))
_OWN, _ADD_OWN = Prepared(select(own_key)), adding(own_key)
_HQ, _ADD_HQ = Prepared(select(headquarters_key)), adding(headquarters_key)


@dataclass(frozen=True, slots=True)
class CountyKey:
    """A key that a county signs with; `ended_at` is None while its packets are taken."""

    seq: int
    id: str
    county: str
    public: str
    """Hexadecimal."""
    by: str
    at: datetime
    ended_by: str = ""
    ended_at: datetime | None = None
    reason: str = ""

    @property
    def revoked(self) -> bool:
        return self.ended_at is not None


@dataclass(frozen=True, slots=True)
class OwnKey:
    """What a county's own store signs with, and the key by which it knows headquarters' receipts."""

    county: str
    id: str
    private: str
    headquarters: str

    def __repr__(self) -> str:
        return f"OwnKey({self.county!r}, {self.id!r})"


class CountyKeyReading(ToldReading):
    def county_keys(self) -> tuple[CountyKey, ...]:
        """Oldest first, revoked ones too."""
        return tuple(map(_key, self._rows(_KEYS)))

    def county_key(self, key_id: str) -> CountyKey | None:
        row = self._one(_KEY, key_id)
        return None if row is None else _key(row)

    def own_key(self) -> OwnKey | None:
        """None in a store that is no county's own."""
        row = self._one(_OWN)
        return None if row is None else OwnKey(*row[1:])

    def headquarters_key(self) -> tuple[str, str] | None:
        """Private and public, hexadecimal; None where no kit was ever made."""
        row = self._one(_HQ)
        return None if row is None else (row[1], row[2])


class CountyKeyWriting(CountyKeyReading, ToldWriting):
    def add_county_key(self, key_id: str, county: str, public: str, *, by: str, sentence: str) -> None:
        columns = {
            "key_id": key_id,
            "county": county,
            "public": public,
            "by_name": by,
            "at": self._now_text,
        }
        self._tell(Action.COUNTY_KEY, sentence, by, columns)

    def end_county_key(self, key: CountyKey, *, by: str, reason: str, sentence: str) -> None:
        columns = {"key": key.seq, "by_name": by, "at": self._now_text, "reason": reason}
        self._tell(Action.COUNTY_KEY_ENDED, sentence, by, columns)

    def add_own_key(self, own: OwnKey) -> None:
        """Makes this store the county's own, for good."""
        self._run(_ADD_OWN, 1, own.county, own.id, own.private, own.headquarters)

    def add_headquarters_key(self, private: str, public: str) -> None:
        self._run(_ADD_HQ, 1, private, public)


def _key(row: Row) -> CountyKey:
    seq, key_id, county, public, by, at, ended_by, ended_at, reason = row
    ended = None if ended_at is None else from_text(ended_at)
    return CountyKey(seq, key_id, county, public, by, from_text(at), ended_by or "", ended, reason or "")
