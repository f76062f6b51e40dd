"""Reports, rulings and acknowledgements: what people said of a precinct, and when."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from caucus_desk.tally.sheet import ResultSheet


class Channel(StrEnum):
    PHONE = "phone"
    PAPER = "paper"
    APP = "app"


CHANNELS = (Channel.PHONE, Channel.PAPER, Channel.APP)

HeadKey = Channel | int
"""What names a report that stands: its channel where it leads there, its id where it is a rival."""


@dataclass(frozen=True, slots=True)
class Report:
    """A result sheet that came by a channel. Never changed; a newer one supersedes it.

    `id` grows over the whole store as reports come in, and says of a report that was made elsewhere only
    when it arrived; `at` is when it was made, UTC.
    """

    id: int
    precinct_id: str
    channel: Channel
    sheet: ResultSheet
    by: str
    at: datetime
    receipt: str = ""
    confirmed: bool = True
    """False while nobody has called back a caller who failed the check: it verifies nothing."""
    over: frozenset[int] | None = None
    """Ids of the reports of its channel that it supersedes, where it was made in another store; None where
    it was keyed or loaded here: every older one of its channel."""
    origin: str = ""
    """Where it was made, if not here, in words such as `Polk packet`. Of several reports of one channel that
    stand, those that were made here lead."""
    typists: tuple[str, ...] = ()
    """Who else typed in its sheet. Filled only where reports were made in several stores: within one store
    nobody who has a hand in one channel's sheet can key another's."""

    @property
    def told_apart(self) -> str:
        """`paper (Polk packet, Bob)`: its name where its channel has several that stand."""
        return f"{self.channel} ({', '.join(part for part in (self.origin, self.by) if part)})"


@dataclass(frozen=True, slots=True)
class Ruling:
    """A reviewer's decision: `sheet` holds the value that stands for each field.

    It holds while no report of the precinct is newer than `seen_report` (the newest report id that
    the reviewer saw); a newer one ends its force.
    """

    id: int
    precinct_id: str
    sheet: ResultSheet
    seen_report: int
    by: str
    at: datetime
    reason: str
    approved_by: str | None = None
    pending: bool = False
    """It waits for a second person's approval and has no force yet."""


@dataclass(frozen=True, slots=True)
class Acknowledgement:
    """Someone accepted a finding with a reason, for these figures only: `fingerprint` is what
    `ResultSheet.bound_to` gave for the finding."""

    precinct_id: str
    finding: str
    fingerprint: str
    by: str
    at: datetime
    reason: str
    at_desk: bool
    """Given at submit, by the person who keyed it."""
