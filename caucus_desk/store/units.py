"""The two kinds of unit of work, with everything that can be read or written in one."""

from caucus_desk.store.attachments import AttachmentReading, AttachmentWriting
from caucus_desk.store.beats import BeatReading, BeatWriting
from caucus_desk.store.calls import CallReading, CallWriting
from caucus_desk.store.chase import ChaseReading, ChaseWriting
from caucus_desk.store.claims import ClaimReading, ClaimWriting
from caucus_desk.store.corrections import CorrectionReading, CorrectionWriting
from caucus_desk.store.countykeys import CountyKeyReading, CountyKeyWriting
from caucus_desk.store.drafts import DraftReading, DraftWriting
from caucus_desk.store.errands import ErrandReading, ErrandWriting
from caucus_desk.store.evening import EveningReading
from caucus_desk.store.packets import PacketReading, PacketWriting
from caucus_desk.store.people import PeopleReading, PeopleWriting
from caucus_desk.store.recanvass import RecanvassReading, RecanvassWriting
from caucus_desk.store.releases import ReleaseReading, ReleaseWriting
from caucus_desk.store.reports import ReportReading, ReportWriting
from caucus_desk.store.rosters import RosterReading, RosterWriting
from caucus_desk.store.rulings import RulingReading, RulingWriting
from caucus_desk.store.settings import SettingReading, SettingWriting
from caucus_desk.store.states import StateReading, StateWriting
from caucus_desk.store.submissions import SubmissionReading, SubmissionWriting
from caucus_desk.store.told import ToldReading
from caucus_desk.store.whole import WholeReading, WholeWriting


class ReadUnit(
    RosterReading,
    EveningReading,
    RecanvassReading,
    ReleaseReading,
    ReportReading,
    RulingReading,
    StateReading,
    DraftReading,
    CallReading,
    CorrectionReading,
    ClaimReading,
    ErrandReading,
    PeopleReading,
    SettingReading,
    AttachmentReading,
    ChaseReading,
    CountyKeyReading,
    PacketReading,
    BeatReading,
    SubmissionReading,
    ToldReading,
    WholeReading,
):
    """One consistent view of the store: what others save meanwhile is not seen."""


class WriteUnit(
    RosterWriting,
    RecanvassWriting,
    ReleaseWriting,
    ReportWriting,
    RulingWriting,
    StateWriting,
    DraftWriting,
    CallWriting,
    CorrectionWriting,
    ClaimWriting,
    ErrandWriting,
    PeopleWriting,
    SettingWriting,
    AttachmentWriting,
    ChaseWriting,
    CountyKeyWriting,
    PacketWriting,
    BeatWriting,
    SubmissionWriting,
    WholeWriting,
    ReadUnit,
):
    """One transaction, alone in writing: all of it is saved or nothing."""


class AsideUnit(DraftWriting, BeatWriting):
    """One transaction beside the turn to write. It can add no event, so the chain of events stays one."""
