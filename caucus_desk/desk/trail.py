"""Who did what when, a page at a time."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from caucus_desk.desk.session import Desk
from caucus_desk.desk.wording import zone_of
from caucus_desk.rules.errors import Refused
from caucus_desk.store.records import AuditEvent
from caucus_desk.tally.people import invisible

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
    """A page of the trail, of one precinct or of all: events older than number `before`.

    Texts come on one line: what would move the cursor, hide or turn letters round is written out.
    """
    if not 1 <= limit <= MOST:
        raise Refused(f"A page of the trail holds 1 to {MOST:,} events, not {limit:,}.")
    if before is not None and before < 1:
        raise Refused(f"There is no event number {before}; the first one is number 1.")
    if precinct_id is not None:
        desk.precinct(precinct_id)
    with desk.store.read() as unit:
        events = tuple(map(_legible, unit.audit_trail(precinct_id, limit + 1, before)))
    more = len(events) > limit
    return Page(events[:limit], events[limit - 1].seq if more else None)


def told_at(at: datetime) -> str:
    """A time of the trail for a person: local, with its zone, so that no hour of any night comes twice."""
    local = at.astimezone()
    return f"{local:%Y-%m-%d %H:%M:%S} {zone_of(local)}"


def _legible(event: AuditEvent) -> AuditEvent:
    sentence, actor = escaped(event.sentence), escaped(event.actor)
    if (sentence, actor) == (event.sentence, event.actor):
        return event
    return replace(event, sentence=sentence, actor=actor)


def escaped(text: str) -> str:
    """The text with control and invisible characters written out: `\\n`, `\\x1b`, `\\u202e`."""
    if text.isprintable() and not any(map(invisible, text)):
        return text
    return "".join(
        letter if letter.isprintable() and not invisible(letter) else letter.encode("unicode_escape").decode()
        for letter in text
    )
