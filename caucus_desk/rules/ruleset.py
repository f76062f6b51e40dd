"""A rule set as data: what one state's caucus is, read from a TOML file (rules.md 10)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from functools import cached_property


class GroupKind(StrEnum):
    CANDIDATE = "candidate"
    UNCOMMITTED = "uncommitted"
    OTHER = "other"


class ShareBase(StrEnum):
    """What a group's people are divided by (Q1). Viability always goes by attendance."""

    ATTENDANCE = "attendance"
    """People counted before the first alignment."""
    FINAL_TOTAL = "final_total"
    """Everybody counted in the final alignment."""
    VIABLE_TOTAL = "viable_total"
    """People in viable groups of the final alignment."""


class Method(StrEnum):
    """How shares become whole delegates."""

    NEAREST_CORRECT = "nearest_correct"
    ONE_EACH_MOST_OWED = "one_each_most_owed"
    LARGEST_REMAINDER = "largest_remainder"


class OverViable(StrEnum):
    """What happens when more groups are viable than there are delegates (Q3)."""

    CHANCE = "chance"
    EXPAND = "expand"
    REALIGN = "realign"


class UnderAllocation(StrEnum):
    """Who gains while delegates are left to give (Q5)."""

    MOST_OWED = "most_owed"
    """The largest unmet share each time: one group may gain a second one."""
    ONCE = "once"
    """Nobody gains twice: what is left when every viable group gained one stays open."""


class OneDelegate(StrEnum):
    """Who elects the only delegate of a precinct (Q4)."""

    WHOLE_ROOM = "whole_room"
    """No viability, no alignment: the room as a whole; computed as the largest group, which is no rule."""
    LARGEST = "largest"
    """No viability: the largest group has it."""
    FORMULA = "formula"
    """As with any other number of delegates."""


class Unit(StrEnum):
    """The unit in which a state reports: SDEs (scaled by county), county delegates, or votes."""

    SDE = "sde"
    CCD = "ccd"
    VOTES = "votes"


class PoolScope(StrEnum):
    DISTRICT = "district"
    STATE = "state"


class SatelliteWeight(StrEnum):
    """How a pool's state delegates are shared among its sites (rules.md 6.3, 6.6)."""

    ATTENDANCE = "attendance"
    DELEGATES = "delegates"


class RoundedSum(StrEnum):
    EXACT = "exact"
    ROUNDED = "rounded"


@dataclass(frozen=True, slots=True)
class Group:
    """A preference group on the ballot. `key` is stable and names it in files and field paths."""

    key: str
    label: str
    kind: GroupKind = GroupKind.CANDIDATE
    may_be_viable: bool = True
    minor: bool = False
    """No statewide strength: being viable is worth a question (C32)."""


@dataclass(frozen=True, slots=True)
class Threshold:
    """From `delegates_from` delegates on, a group needs `share` of the attendance, rounded up."""

    delegates_from: int
    share: Fraction


@dataclass(frozen=True, slots=True)
class SheetField:
    """A count that this state's sheet carries beside attendance, for example early votes."""

    key: str
    label: str
    adds_to_attendance: bool
    required: bool = True


@dataclass(frozen=True, slots=True)
class Band:
    """A satellite site with at most `up_to` people (None: any number) elects `delegates`."""

    up_to: int | None
    delegates: int


@dataclass(frozen=True, slots=True)
class Satellites:
    bands: tuple[Band, ...]
    weight: SatelliteWeight


@dataclass(frozen=True, slots=True)
class Pool:
    """One pool of national delegates. `district` is None for a statewide pool."""

    id: str
    label: str
    scope: PoolScope
    seats: int
    district: str | None = None


@dataclass(frozen=True, slots=True)
class Chance:
    """The game of chance that the rules name; the program never plays it."""

    kind: str
    order: str = ""


@dataclass(frozen=True, slots=True)
class Rounding:
    """How published values are rounded; sums are of exact values unless `sum` says rounded."""

    digits: int = 4
    half_up: bool = True
    sum: RoundedSum = RoundedSum.EXACT


@dataclass(frozen=True)
class RuleSet:
    name: str
    title: str
    year: int
    groups: tuple[Group, ...]
    """In ballot order."""
    rounds: tuple[str, ...]
    locked: bool
    """Members of a group that is viable after the first alignment may not leave it."""
    thresholds: tuple[Threshold, ...]
    """Ascending by delegates_from; empty where `per_delegate` holds."""
    per_delegate: bool
    """The threshold is attendance / delegates, rounded up (Minnesota)."""
    share_base: ShareBase
    method: Method
    protect_only: bool
    """A group's only delegate is safe from corrections (Q2)."""
    over_viable: OverViable
    one_delegate: OneDelegate
    chance: Chance
    unit: Unit
    fields: tuple[SheetField, ...]
    satellites: Satellites | None
    pools: tuple[Pool, ...]
    pool_threshold: Fraction
    empty_rule: str
    """`half_of_leader` (rule 14.F) or `nothing`."""
    rounding: Rounding
    column_labels: Mapping[str, str]
    """Labels of the columns `first`, `final` and `delegates` and of `attendance`."""
    severities: Mapping[str, str] = field(default_factory=dict)
    """Finding id to `error`, `warning`, `note` or `off`, where it differs from the catalogue."""
    verifying_pairs: tuple[frozenset[str], ...] = ()
    """Pairs of channels whose agreement verifies a precinct."""
    decisions: Mapping[str, str] = field(default_factory=dict)
    """What was decided where the sources are silent (Q1 to Q6), in words, for the method sheet."""
    under_allocation: UnderAllocation = UnderAllocation.MOST_OWED
    """Q5."""
    correct_sheets: bool = False
    """Q6: always false. Stands in the file so that it is said, and a file that says otherwise is refused."""

    @cached_property
    def by_key(self) -> Mapping[str, Group]:
        return {group.key: group for group in self.groups}

    @cached_property
    def keys(self) -> tuple[str, ...]:
        return tuple(group.key for group in self.groups)

    def label(self, key: str) -> str:
        return self.by_key[key].label

    @cached_property
    def never_viable(self) -> frozenset[str]:
        """Keys of the groups that cannot be viable whatever their number."""
        return frozenset(group.key for group in self.groups if not group.may_be_viable)

    @cached_property
    def threshold_steps(self) -> tuple[tuple[int, int, int], ...]:
        """(delegates_from, numerator, denominator), the largest allotment first: for speed."""
        return tuple(
            (step.delegates_from, step.share.numerator, step.share.denominator)
            for step in reversed(self.thresholds)
        )

    def name_of(self, key: str) -> str:
        """The group's label, or the key itself for a group that is not on the ballot (worksheet sums)."""
        group = self.by_key.get(key)
        return key if group is None else group.label
