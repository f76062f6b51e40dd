"""What the roster says of a precinct."""

from dataclasses import dataclass
from enum import StrEnum


class PrecinctKind(StrEnum):
    PRECINCT = "precinct"
    SATELLITE = "satellite"


@dataclass(frozen=True, slots=True)
class Precinct:
    """A reporting unit. Match on `id`, never on name.

    `delegates` is the allotment D (county delegates to elect); None for a satellite whose D is the
    band of its attendance. D = 0 on a precinct: merged, outside totals, reports refused.
    For a satellite `county` names its pool, `county_state_delegates` is the pool's total and
    `county_total_delegates` is None.
    """

    id: str
    county: str
    name: str
    kind: PrecinctKind = PrecinctKind.PRECINCT
    district: str | None = None
    """Congressional district as text; None for out of state."""
    delegates: int | None = None
    county_state_delegates: int | None = None
    county_total_delegates: int | None = None
    attendance: int | None = None
    """A satellite's sign-in count."""
    last_attendance: int | None = None
    registered: int | None = None
    chair: str = ""
    phone: str = ""

    @property
    def is_satellite(self) -> bool:
        return self.kind is PrecinctKind.SATELLITE

    @property
    def merged(self) -> bool:
        return self.kind is PrecinctKind.PRECINCT and self.delegates == 0
