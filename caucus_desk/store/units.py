"""The two kinds of unit of work, with everything that can be read or written in one."""

from caucus_desk.store.corrections import CorrectionReading, CorrectionWriting
from caucus_desk.store.drafts import DraftReading, DraftWriting
from caucus_desk.store.reports import ReportReading, ReportWriting
from caucus_desk.store.rosters import RosterReading, RosterWriting
from caucus_desk.store.rulings import RulingReading, RulingWriting
from caucus_desk.store.states import StateReading, StateWriting
from caucus_desk.store.told import ToldReading, ToldWriting


class ReadUnit(
    RosterReading, ReportReading, RulingReading, StateReading, DraftReading, CorrectionReading, ToldReading
):
    """One consistent view of the store: what others save meanwhile is not seen."""


class WriteUnit(
    RosterWriting,
    ReportWriting,
    RulingWriting,
    StateWriting,
    DraftWriting,
    CorrectionWriting,
    ToldWriting,
    ReadUnit,
):
    """One transaction, alone in writing: all of it is saved or nothing."""
