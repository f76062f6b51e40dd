"""What goes into the store and comes out of it, where tally has no type for it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction

from caucus_desk.store.actions import Action
from caucus_desk.tally.report import Channel, Report, Ruling
from caucus_desk.tally.sheet import ResultSheet
from caucus_desk.tally.state import State


@dataclass(frozen=True, slots=True)
class CaucusRecord:
    name: str
    rules_name: str
    rules_text: str
    """The rule set's TOML as it was when the store was made."""
    created: datetime
    created_by: str


@dataclass(frozen=True, slots=True)
class Caller:
    """Who rang, as the clerk wrote it down."""

    name: str = ""
    number: str = ""
    check: str = ""
    """How the caller was checked: `PIN`, `worksheet`, ... ("" : not at all)."""


@dataclass(frozen=True, slots=True)
class NewReport:
    """A report to be added; its id, and its time if it is made here, come from the store."""

    precinct_id: str
    channel: Channel
    sheet: ResultSheet
    by: str
    receipt: str = ""
    source: str = ""
    """Name of the file that it came from; empty when keyed at the desk."""
    caller: Caller = field(default_factory=Caller)
    typists: tuple[str, ...] = ()
    """Others who typed in the sheet, or had it before them, before `by` took it over."""
    replaces: int | None = None
    """The report of the same channel that this one supersedes, for the trail's old figures."""
    sentence: str = ""
    at: datetime | None = None
    """When it was made, where that was in another store; None: now."""


@dataclass(frozen=True, slots=True)
class StoredReport:
    report: Report
    source: str = ""
    caller: Caller = field(default_factory=Caller)
    withdrawn_by: str | None = None
    withdrawn_at: datetime | None = None
    withdrawn_reason: str = ""

    @property
    def withdrawn(self) -> bool:
        return self.withdrawn_by is not None


@dataclass(frozen=True, slots=True)
class StoredRuling:
    ruling: Ruling
    withdrawn_by: str | None = None
    withdrawn_at: datetime | None = None
    withdrawn_reason: str = ""
    stake: Fraction | None = None
    """SDEs for which it needed a second person's approval; None where it needed none."""
    approved_at: datetime | None = None

    @property
    def withdrawn(self) -> bool:
        return self.withdrawn_by is not None


@dataclass(frozen=True, slots=True)
class Verification:
    """A precinct became verified with these figures, when no report was newer than `newest_report`."""

    precinct_id: str
    state: State
    fingerprint: str
    newest_report: int
    at: datetime


@dataclass(frozen=True, slots=True)
class CachedState:
    """What the store keeps of a precinct's derived state."""

    precinct_id: str
    state: State
    verified: bool
    report_id: int | None
    """The report whose sheet stands, None for a ruling's or none."""
    ruling_id: int | None
    fingerprint: str
    """Of the standing sheet; empty while awaiting."""
    open_errors: int
    changed_after_verified: bool
    likeness: str = ""
    """The same for sheets that may be one sheet keyed for two precincts (C35)."""


@dataclass(frozen=True, slots=True)
class DraftRecord:
    """A sheet being keyed, raw text as typed; holding it is the claim on precinct and channel."""

    id: int
    precinct_id: str
    channel: Channel
    by: str
    since: datetime
    updated: datetime
    fields: Mapping[str, str]
    typists: tuple[str, ...] = ()
    """Everyone who typed in it, also before it was taken over, or was handed what others typed."""
    begun_after: int = 0
    """The newest report of the whole store when it was begun."""
    free: bool = False
    """Whoever had it left it for anybody to take up."""
    errand_id: int | None = None
    """The errand that it answers: a sheet that a reviewer sent back."""
    desk: str | None = None
    """The running window that has it open, as `desk_beat` knows it."""
    note: str = ""
    """What whoever opens it must know first; empty when there is nothing. Not kept in the store."""


class Claimed(Exception):
    """Someone holds the draft of this precinct and channel already."""

    def __init__(self, draft: DraftRecord) -> None:
        super().__init__(f"{draft.precinct_id} {draft.channel} is held by {draft.by}")
        self.draft = draft


@dataclass(frozen=True, slots=True)
class AuditEvent:
    """One line of the trail. The ids point at the rows that hold its figures."""

    seq: int
    at: datetime
    actor: str
    action: str
    sentence: str
    precinct_id: str | None = None
    report_id: int | None = None
    old_report_id: int | None = None
    ruling_id: int | None = None
    acknowledgement_id: int | None = None
    verification_id: int | None = None
    control_batch: int | None = None
    content: str = ""
    prev_hash: str = ""
    hash: str = ""

    @property
    def known_action(self) -> Action | None:
        """None for an action that this version does not know."""
        return Action(self.action) if self.action in set(Action) else None


@dataclass(frozen=True, slots=True)
class Look:
    """Someone opened the figures of a precinct that was not verified, `report_id` being its newest report.

    With a `channel` they saw no more than an unfinished sheet of it, which others had typed in.
    """

    precinct_id: str
    by: str
    at: datetime
    report_id: int
    channel: str = ""


@dataclass(frozen=True, slots=True)
class Changes:
    """What was changed after an event, by this process or another."""

    last_seq: int
    precinct_ids: frozenset[str]
    everything: bool
    """The roster or the control totals changed: read all again."""
