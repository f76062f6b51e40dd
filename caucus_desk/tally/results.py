"""What a precinct, a row of the tally and the whole tally are. The adding up is in tally.counting."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from caucus_desk.rules.apportion import Tie
from caucus_desk.tally.finding import Finding, Severity
from caucus_desk.tally.heads import by_key
from caucus_desk.tally.mismatch import Mismatch
from caucus_desk.tally.report import Acknowledgement, Channel, HeadKey, Report
from caucus_desk.tally.roster import Precinct
from caucus_desk.tally.state import Standing


class Counting(StrEnum):
    """`reported`: every standing sheet, also while reports differ; `verified`: verified precincts only."""

    REPORTED = "reported"
    VERIFIED = "verified"


class By(StrEnum):
    STATE = "state"
    DISTRICT = "district"
    COUNTY = "county"
    PRECINCT = "precinct"


@dataclass(frozen=True)
class PrecinctResult:
    """One precinct as it stands: everything derived from its reports, rulings and acknowledgements."""

    precinct: Precinct
    reports: Mapping[Channel, Report]
    """The standing report of each channel; where several stand, the one that leads."""
    standing: Standing
    mismatches: tuple[Mismatch, ...]
    acknowledgements: tuple[Acknowledgement, ...]
    """Those bound to the figures of the standing sheet."""
    open_errors: tuple[str, ...]
    """Ids of unacknowledged error findings; worked out for matched and ruled precincts only."""
    delegates_to_elect: int | None
    """D in force: the roster's, or a satellite's band."""
    reported: Mapping[str, int]
    """Delegates as the standing sheet states them, by group."""
    computed: Mapping[str, int]
    """Delegates that the rules give (rules.md 5.2), by group; as reported where nothing is computed."""
    tie: Tie | None
    """Set where only chance can decide and the sheet does not say (then `computed` is before the toss)."""
    not_computed: bool
    """Nothing could be computed (a round is missing, attendance 0): counted as reported and listed."""
    changed_after_verified: bool
    rivals: tuple[Report, ...] = ()
    """Reports from other stores that stand beside the leading one of their channel."""

    @property
    def heads(self) -> Mapping[HeadKey, Report]:
        """Every report that stands: by channel, and the rivals by id."""
        return by_key(self.reports, self.rivals)

    @property
    def verified(self) -> bool:
        return self.standing.state in ("matched", "ruled") and not self.open_errors

    @property
    def reporting(self) -> bool:
        return self.standing.sheet is not None and not self.precinct.merged


@dataclass(frozen=True, slots=True)
class SheetFinding:
    """A finding with where it was found; `precinct` is None for a finding about a county total (C48)."""

    precinct: Precinct | None
    county: str
    channel: Channel | None
    """None for a ruling's sheet."""
    standing: bool
    """It is about the sheet that counts, not about another channel's that differs from it."""
    finding: Finding
    acknowledged: Acknowledgement | None
    sdes_at_stake: Fraction
    """Half the sum of |as reported - as computed| SDEs where they differ, else the precinct's largest
    possible move by one delegate."""

    @property
    def severity(self) -> Severity:
        return self.finding.severity


@dataclass(frozen=True, slots=True)
class GroupTally:
    """One group's line. SDEs are exact; `first` and `final` are people, `delegates` county delegates."""

    group: str
    first: int
    final: int
    delegates: int
    delegates_computed: int
    sde: Fraction
    sde_computed: Fraction


@dataclass(frozen=True, slots=True)
class TallyRow:
    """`key`: `state`, the district's number or `out-of-state`, the county's name, the precinct's id."""

    key: str
    name: str
    precincts: int
    reporting: int
    verified: int
    counted: int
    """Precincts whose sheet is in this row's sums under the chosen counting."""
    first_total: int
    final_total: int
    delegates_total: int
    groups: tuple[GroupTally, ...]
    """Every group of the ballot, in ballot order."""

    @property
    def sde_total(self) -> Fraction:
        return sum((line.sde for line in self.groups), Fraction(0))

    def group(self, key: str) -> GroupTally:
        return next(line for line in self.groups if line.group == key)


@dataclass(frozen=True, slots=True)
class ControlTotal:
    """What a county's own summary states for one group; only compared with its precincts (C48)."""

    county: str
    group: str
    first: int | None
    final: int | None
    delegates: int | None


@dataclass(frozen=True, slots=True)
class Coverage:
    """Merged precincts are outside; satellite sites are in `total` but their pools are no counties."""

    total: int
    reporting: int
    verified: int
    counties_reporting: int
    counties: int


@dataclass(frozen=True, slots=True)
class Tally:
    counting: Counting
    by: By
    coverage: Coverage
    rows: tuple[TallyRow, ...]
    """District rows include `out-of-state`; county rows include satellite pools, named as in the roster."""
