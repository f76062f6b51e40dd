"""An errand: what a reviewer sent back to be done before a case can be decided."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from caucus_desk.tally.report import Channel


class ErrandKind(StrEnum):
    REKEY = "rekey"
    """A clerk keys some fields of one channel's sheet again."""
    CALL_BACK = "call back"
    """Somebody rings the chair."""
    FETCH = "fetch"
    """The worksheet itself is wanted."""


@dataclass(frozen=True, slots=True)
class ErrandEnd:
    by: str
    at: datetime
    outcome: str


@dataclass(frozen=True, slots=True)
class Errand:
    """`id` is the number of its audit event. Times are UTC."""

    id: int
    precinct_id: str
    kind: ErrandKind
    channel: Channel | None
    """Whose sheet is to be keyed again; None for the other kinds."""
    fields: tuple[str, ...]
    """Paths of the fields that are asked for again."""
    note: str
    by: str
    at: datetime
    ended: ErrandEnd | None = None

    @property
    def open(self) -> bool:
        return self.ended is None
