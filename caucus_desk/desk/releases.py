"""Releases as they were made: each a frozen list of precincts with the exact sheets that it counts.

What is read here never changes: later reports, another roster or other rules touch no release.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from caucus_desk.desk.session import Desk
from caucus_desk.tally.comparison import Comparison
from caucus_desk.tally.overview import Overview
from caucus_desk.tally.results import Counting
from caucus_desk.tally.sheet import ResultSheet
from caucus_desk.tally.state import State


@dataclass(frozen=True, slots=True)
class Pass:
    """What the gate held back and a lead passed: the gate's item, what it found, the lead's reason."""

    item: str
    found: str
    reason: str


@dataclass(frozen=True, slots=True)
class Release:
    """One release, without its precincts. `at`, `approved_at` are UTC."""

    number: int
    counting: Counting
    note: str
    by: str
    at: datetime
    needs_approval: bool
    approved_by: str | None
    approved_at: datetime | None
    newest_report: int
    """The newest report of the whole store when it was made; 0: there was none."""
    digest: str
    """64 hex digits, of everything that it counts."""
    passes: tuple[Pass, ...]
    seq: int = 0
    """The audit event that tells of it; grows with time."""

    @property
    def waiting(self) -> bool:
        """Nothing of it may go out before a second person has approved it."""
        return self.needs_approval and self.approved_at is None

    @property
    def digest_short(self) -> str:
        """`1a2b 3c4d 5e6f 7a8b`, as it is printed on every sheet."""
        return " ".join(self.digest[at : at + 4] for at in range(0, 16, 4))


@dataclass(frozen=True, slots=True)
class FrozenPrecinct:
    """One precinct as a release froze it; also one that it does not count."""

    precinct_id: str
    state: State
    verified: bool
    counted: bool
    report_id: int | None
    ruling_id: int | None
    reports: tuple[int, ...]
    """Ids of the reports that stood, also of those that were withdrawn since."""
    sheet: ResultSheet | None
    fingerprint: str


def releases(desk: Desk) -> tuple[Release, ...]:
    """Every release, the oldest first."""
    raise NotImplementedError


def release(desk: Desk, number: int) -> Release:
    """Refused where there is none of this number."""
    raise NotImplementedError


def frozen(desk: Desk, number: int) -> Mapping[str, FrozenPrecinct]:
    """By precinct id, in the roster's order at the time; merged precincts are not among them."""
    raise NotImplementedError


def released_overview(desk: Desk, number: int) -> Overview:
    """The tally exactly as released, from the frozen sheets alone. It belongs to the calling thread."""
    raise NotImplementedError


def compare(desk: Desk, older: int, newer: int | None = None) -> Comparison:
    """What moved from one release to another, or (None) to what stands now, counted as `older` counts."""
    raise NotImplementedError


def reasons(desk: Desk, comparison: Comparison, older: int, newer: int | None = None) -> Mapping[str, str]:
    """Why a precinct moved, in the words that were given at the time, by precinct id: of a correction, a
    ruling, a withdrawal. Precincts that simply came in are not among them."""
    raise NotImplementedError
