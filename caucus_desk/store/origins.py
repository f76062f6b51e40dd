"""Where reports came from that were made in another store, and what they took the place of there."""

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import bindparam, select

from caucus_desk.store.schema import county_key, report, report_origin
from caucus_desk.store.statements import Prepared
from caucus_desk.store.work import Work

COPY = "copy"
"""The origin of a report that came out of another copy of this store, under no key."""

_WITH_COUNTY = select(report_origin, county_key.c.county).outerjoin(
    county_key, county_key.c.key_id == report_origin.c.origin
)
_ALL = Prepared(_WITH_COUNTY.order_by(report_origin.c.report_id))
_OF_ONE = Prepared(
    _WITH_COUNTY.join(report, report.c.id == report_origin.c.report_id)
    .where(report.c.precinct_id == bindparam("precinct"))
    .order_by(report_origin.c.report_id)
)


@dataclass(frozen=True, slots=True)
class Origin:
    report_id: int
    uid: str
    origin: str
    """The key under which it came, or COPY."""
    packet: str
    """The digest of the packet, or of what was merged."""
    over: frozenset[int]
    """The reports here that it took the place of where it was made."""
    county: str
    """Whose key it is; empty for a copy's, or a key that this store does not know."""

    @property
    def words(self) -> str:
        """`Polk packet`."""
        return f"{self.county} packet" if self.county else "merged copy"


class OriginReading(Work):
    """What reports need to know of packets."""

    def origins(self, precinct_ids: Iterable[str] | None = None) -> dict[int, Origin]:
        """By report; those that were made in this store are not in it."""
        found = {}
        for number, _, uid, origin, packet, over, county in self._chosen(_ALL, _OF_ONE, precinct_ids):
            below = frozenset(map(int, over.split()))
            found[number] = Origin(number, uid, origin, packet, below, county or "")
        return found
