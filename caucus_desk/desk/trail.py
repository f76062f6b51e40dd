"""Who did what when, a page at a time."""

from collections.abc import Iterator
from dataclasses import dataclass

from caucus_desk.desk.session import Desk
from caucus_desk.rules.errors import Refused
from caucus_desk.store.records import AuditEvent

MOST = 1_000
"""Events on one page."""


@dataclass(frozen=True, slots=True)
class Page:
    """Events, newest first; `older` is the `before` of the next page, None on the last one."""

    events: tuple[AuditEvent, ...]
    older: int | None

    def __iter__(self) -> Iterator[AuditEvent]:
        return iter(self.events)

    def __len__(self) -> int:
        return len(self.events)


def audit_trail(
    desk: Desk, precinct_id: str | None = None, limit: int = 200, before: int | None = None
) -> Page:
    """A page of the trail, of one precinct or of all: events older than number `before`."""
    if not 1 <= limit <= MOST:
        raise Refused(f"A page of the trail holds 1 to {MOST:,} events, not {limit:,}.")
    if before is not None and before < 1:
        raise Refused(f"There is no event number {before}; the first one is number 1.")
    if precinct_id is not None:
        desk.precinct(precinct_id)
    with desk.store.read() as unit:
        events = unit.audit_trail(precinct_id, limit + 1, before)
    more = len(events) > limit
    return Page(events[:limit], events[limit - 1].seq if more else None)
