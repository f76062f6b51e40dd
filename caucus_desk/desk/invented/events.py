"""What can happen on the sample's night, each with its moment. Nothing here touches a store."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import TypeAlias

from caucus_desk.tally.call import CallEnd, CheckKind, Outcome
from caucus_desk.tally.chase import StepKind
from caucus_desk.tally.errand import ErrandKind
from caucus_desk.tally.report import Channel
from caucus_desk.tally.results import ControlTotal
from caucus_desk.tally.roster import Precinct
from caucus_desk.tally.sheet import ResultSheet

SEED = 20_200_203
START = datetime(2020, 2, 3, 19, 30, tzinfo=timezone(timedelta(hours=-6)))
END = datetime(2020, 2, 3, 23, 58, tzinfo=timezone(timedelta(hours=-6)))


@dataclass(frozen=True, slots=True)
class Keyed:
    """One report as it came in; a phone report with its call."""

    at: datetime
    precinct_id: str
    channel: Channel
    by: str
    sheet: ResultSheet
    kind: CheckKind = CheckKind.PIN
    outcome: Outcome = Outcome.PASSED
    lasted: timedelta = timedelta(minutes=5)
    """How long the call was; it ended when the report was submitted."""
    correcting: str = ""
    """Why it takes the place of the one before, where that is said."""
    again: bool = False
    """Review sent the sheet back, and this answers it."""

    @property
    def proved(self) -> bool:
        """The caller proved who rang, so that the report counts at once."""
        return self.outcome is Outcome.PASSED


@dataclass(frozen=True, slots=True)
class Rang:
    """A call that ended without results."""

    at: datetime
    precinct_id: str | None
    by: str
    ended: CallEnd
    lasted: timedelta
    caller: str = ""
    number: str = ""
    kind: CheckKind = CheckKind.NONE
    outcome: Outcome = Outcome.NOT_ASKED
    notes: str = ""


@dataclass(frozen=True, slots=True)
class RangBack:
    """The desk rings the chair whose report is not confirmed, or about an errand."""

    at: datetime
    precinct_id: str
    by: str
    ended: CallEnd
    notes: str


@dataclass(frozen=True, slots=True)
class Ruled:
    """A reviewer takes the sheet of one channel."""

    at: datetime
    precinct_id: str
    takes: Channel
    by: str
    reason: str


@dataclass(frozen=True, slots=True)
class Approved:
    """Another reviewer looks at a ruling that moves much: approves it, or refuses it with a reason."""

    at: datetime
    precinct_id: str
    by: str
    refused: str = ""


@dataclass(frozen=True, slots=True)
class SentBack:
    """A reviewer has something done first. `channel`: whose sheet is keyed again."""

    at: datetime
    precinct_id: str
    kind: ErrandKind
    by: str
    note: str
    channel: Channel | None = None


@dataclass(frozen=True, slots=True)
class Acked:
    at: datetime
    precinct_id: str
    finding: str
    by: str
    reason: str


@dataclass(frozen=True, slots=True)
class Chased:
    """Something is done about a worksheet that is not here."""

    at: datetime
    precinct_id: str
    kind: StepKind
    by: str
    runner: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Photographed:
    """The picture of a worksheet comes in."""

    at: datetime
    precinct_id: str
    by: str


@dataclass(frozen=True, slots=True)
class OpenDraft:
    """A sheet half keyed when the night stops; `left` for anybody, as the call was cut off."""

    at: datetime
    precinct_id: str
    channel: Channel
    by: str
    fields: Mapping[str, str]
    left: bool = False


Happening: TypeAlias = (
    Keyed | Rang | RangBack | Ruled | Approved | SentBack | Acked | Chased | Photographed | OpenDraft
)


@dataclass(frozen=True, slots=True)
class Night:
    roster: tuple[Precinct, ...]
    events: tuple[Happening, ...]
    """In order of time."""
    control_totals: tuple[ControlTotal, ...]
    late: Mapping[str, ResultSheet]
    """App sheets of precincts that are still awaited, for a file to try `load` with."""
    planted: Mapping[str, str]
    """Finding id to the precinct that shows it; slip name to the precinct that has it."""
    pictured: str
    """The precinct whose paper was keyed with two rows exchanged, and whose sheet was photographed."""
