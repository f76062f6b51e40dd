"""What every sheet needs: the figures, worked out once, and how they are named and rounded."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from enum import Enum
from fractions import Fraction
from functools import cached_property

from caucus_desk.reports.plan import NOT_KNOWN, Kind, Value
from caucus_desk.reports.stamp import ReleaseStamp
from caucus_desk.reports.text import distinct, one_line, shortened
from caucus_desk.rules.ruleset import RuleSet, Unit
from caucus_desk.tally.departures import Departures, departures
from caucus_desk.tally.editions import Edition
from caucus_desk.tally.overview import Overview
from caucus_desk.tally.report import Channel
from caucus_desk.tally.results import By, Counting, Coverage, GroupTally, PrecinctResult, TallyRow

LONGEST_LABEL = 120
"""Letters of a group's name in headings; a longer one ends in an ellipsis."""
_UNIT_WORDS = {Unit.SDE: "SDE", Unit.CCD: "CCD", Unit.VOTES: "votes"}
_UNIT_LONG = {
    Unit.SDE: "state delegate equivalents (SDEs)",
    Unit.CCD: "county convention delegates (CCDs)",
    Unit.VOTES: "votes",
}


class Measure(Enum):
    """What is said of a group. The value is the heading's last words; `{unit}` is SDE in Iowa."""

    FIRST = "first"
    FINAL = "final"
    DELEGATES = "delegates"
    COMPUTED = "delegates computed"
    UNITS = "{unit}"
    UNITS_COMPUTED = "{unit} computed"
    SHARE = "share of {unit}"

    @property
    def kind(self) -> Kind:
        if self is Measure.SHARE:
            return Kind.SHARE
        return Kind.UNITS if self in (Measure.UNITS, Measure.UNITS_COMPUTED) else Kind.COUNT


SUMMED = (
    Measure.FIRST,
    Measure.FINAL,
    Measure.DELEGATES,
    Measure.COMPUTED,
    Measure.UNITS,
    Measure.UNITS_COMPUTED,
)
"""The measures that add up from the precincts to the state."""


class Decimals:
    """Rounds exact values to `digits` decimals, as integers of the last place or as cell values.

    A half goes up, away from zero, or to the even digit where the rule set says so.
    """

    __slots__ = ("digits", "half_up", "scale")

    def __init__(self, digits: int, half_up: bool = True) -> None:
        self.digits = digits
        self.half_up = half_up
        self.scale: int = 10**digits

    def places(self, value: Fraction) -> int:
        """The rounded value in units of its last place: 562.95375 is 5,629,538 with four digits."""
        return self.places_of(value.numerator, value.denominator)

    def places_of(self, numerator: int, denominator: int) -> int:
        if numerator < 0:
            return -self.places_of(-numerator, denominator)
        nearest, rest = divmod(2 * numerator * self.scale + denominator, 2 * denominator)
        return nearest - 1 if not rest and not self.half_up and nearest % 2 else nearest

    def cell(self, value: Fraction) -> float:
        """The rounded value as the number that a cell holds."""
        return self.places(value) / self.scale

    def cell_of(self, places: int) -> float:
        return places / self.scale

    def exact_of(self, places: int) -> Fraction:
        return Fraction(places, self.scale)

    def text(self, value: Fraction) -> str:
        return f"{self.cell(value):,.{self.digits}f}"


@dataclass(frozen=True)
class Book:
    """One workbook's figures. `as_of` is UTC; cells and headings show it in `zone`."""

    overview: Overview
    counting: Counting
    as_of: datetime
    zone: timezone
    zone_name: str
    released: ReleaseStamp | None = None
    """The release whose figures these are; None: as they stand."""
    edition: Edition = Edition.LEADERSHIP

    @classmethod
    def of(
        cls,
        overview: Overview,
        as_of: datetime,
        counting: Counting,
        released: ReleaseStamp | None = None,
        edition: Edition = Edition.LEADERSHIP,
    ) -> "Book":
        """A release's book is as of its making, in its maker's zone, whenever and wherever it is written."""
        if as_of.tzinfo is None:
            raise ValueError("as_of needs its zone: pass an aware UTC time")
        if released is not None:
            at, zone = released.made_at.astimezone(UTC), released.zone
            return cls(overview, counting, at, zone, released.zone_name, released, edition)
        here = as_of.astimezone()
        offset = here.utcoffset() or timedelta()
        zone_name = zone_words(here, offset)
        return cls(overview, counting, as_of.astimezone(UTC), timezone(offset), zone_name, None, edition)

    # ---- names ----

    @property
    def rules(self) -> RuleSet:
        return self.overview.rules

    @cached_property
    def labels(self) -> Mapping[str, str]:
        """What each group is called in headings: its label, told apart where two differ only in case."""
        groups = self.rules.groups
        short = (shortened(one_line(group.label), LONGEST_LABEL) for group in groups)
        return dict(zip(self.rules.keys, distinct(short), strict=True))

    @property
    def people(self) -> bool:
        """Whether people may be named, and what they wrote may be quoted."""
        return self.edition.people

    @property
    def unit(self) -> str:
        return _UNIT_WORDS[self.rules.unit]

    @property
    def units(self) -> str:
        """In a sentence, after a number."""
        return self.unit if self.unit.islower() else f"{self.unit}s"

    @property
    def unit_long(self) -> str:
        return _UNIT_LONG[self.rules.unit]

    def words(self, measure: Measure) -> str:
        return measure.value.format(unit=self.unit)

    def heading(self, group: str, measure: Measure) -> str:
        """`Warren final`: each column names its candidate."""
        return f"{self.labels[group]} {self.words(measure)}"

    @cached_property
    def banner(self) -> str:
        return self.overview.banner()

    @property
    def complete(self) -> bool:
        seen = self.coverage
        return bool(seen.total) and seen.reporting == seen.total

    @property
    def as_of_text(self) -> str:
        return f"{self.local(self.as_of):%Y-%m-%d %H:%M} {self.zone_name}"

    @property
    def counting_text(self) -> str:
        if self.counting is Counting.VERIFIED:
            return "counting verified precincts only"
        return "counting every standing sheet (reported)"

    def local(self, moment: datetime) -> datetime:
        """Local time without a zone, as a cell can hold it; the zone stands in the heading."""
        return moment.astimezone(self.zone).replace(tzinfo=None)

    # ---- figures ----

    @cached_property
    def decimals(self) -> Decimals:
        return Decimals(self.rules.rounding.digits, self.rules.rounding.half_up)

    @cached_property
    def coverage(self) -> Coverage:
        return self.overview.coverage()

    @cached_property
    def state(self) -> TallyRow:
        return self.overview.tally(By.STATE, self.counting).rows[0]

    @cached_property
    def districts(self) -> tuple[TallyRow, ...]:
        return self.overview.tally(By.DISTRICT, self.counting).rows

    @cached_property
    def counties(self) -> tuple[TallyRow, ...]:
        return self.overview.tally(By.COUNTY, self.counting).rows

    @cached_property
    def results(self) -> tuple[PrecinctResult, ...]:
        return tuple(self.overview.results.values())

    @cached_property
    def departures(self) -> Departures:
        """Where the delegates on the sheets are not those that the rules give."""
        return departures(self.overview, self.counting)

    @cached_property
    def ranking(self) -> tuple[GroupTally, ...]:
        """Groups with anything at all, by SDEs as reported, the most first; equals in ballot order."""
        return ranked(self.state)

    @cached_property
    def unscaled(self) -> frozenset[str]:
        """Counties and satellite pools without SDEs."""
        return frozenset(self.overview.unscaled_counties)

    @cached_property
    def all_scaled(self) -> bool:
        """Whether every delegate's SDEs can be worked out."""
        return not self.unscaled and not self.overview.unweighed_sites()

    def without_units(self, row: TallyRow) -> bool:
        """Whether delegates are in and none of their SDEs can be worked out: then a dash, never zeros."""
        if self.all_scaled:
            return False
        has_delegates = row.delegates_total or any(line.delegates_computed for line in row.groups)
        return bool(has_delegates) and not any(line.sde or line.sde_computed for line in row.groups)

    @cached_property
    def lacks_units(self) -> bool:
        """Whether that is so of the whole state."""
        return self.without_units(self.state)

    @property
    def unscaled_sentence(self) -> str:
        """What is lacking, and how to mend it."""
        some = sorted(self.unscaled)[:6]
        more = len(self.unscaled) - len(some)
        if not some:
            return (
                f"No {self.units} can be worked out: nobody has stated the attendance of the satellite sites."
            )
        names = f"{', '.join(some)}{f' and {more:,} more' if more > 0 else ''}"
        return (
            f"No {self.units} can be worked out for {names}: the roster lacks their state delegates. "
            "Add the column county_state_delegates to the roster and make the store anew with it."
        )

    def units_cell(self, row: TallyRow, value: Fraction) -> Value:
        """SDEs of a tally's row."""
        return NOT_KNOWN if self.without_units(row) else self.decimals.cell(value)

    def stake(self, county: str, value: Fraction) -> Value:
        """SDEs of one county's or pool's precinct."""
        return NOT_KNOWN if not value and county in self.unscaled else self.decimals.cell(value)

    def cells(
        self, row: TallyRow, line: GroupTally, measures: Iterable[Measure], whole: Fraction
    ) -> list[Value]:
        """The measures of one group of a tally's row; `whole` is what a share is of."""
        lacking = self.without_units(row)
        return [
            NOT_KNOWN
            if lacking and measure in (Measure.UNITS, Measure.UNITS_COMPUTED)
            else self.measured(line, measure, whole)
            for measure in measures
        ]

    def measured(self, line: GroupTally, measure: Measure, total: Fraction = Fraction(0)) -> Value:
        """The cell for one measure of a tally's line; `total` is what a share is of."""
        if measure is Measure.FIRST:
            return line.first
        if measure is Measure.FINAL:
            return line.final
        if measure is Measure.DELEGATES:
            return line.delegates
        if measure is Measure.COMPUTED:
            return line.delegates_computed
        if measure is Measure.UNITS:
            return self.decimals.cell(line.sde)
        if measure is Measure.UNITS_COMPUTED:
            return self.decimals.cell(line.sde_computed)
        return share(line.sde, total)


def ranked(row: TallyRow) -> tuple[GroupTally, ...]:
    return tuple(sorted((line for line in row.groups if line.sde), key=lambda line: -line.sde))


def share(part: Fraction | int, whole: Fraction | int) -> Value:
    """A share as the number that a cell formats in percent; a dash of nothing."""
    return float(Fraction(part) / whole) if whole else NOT_KNOWN


def channel_word(channel: Channel | None) -> str:
    return str(channel) if channel is not None else "ruling"


def zone_words(here: datetime, offset: timedelta) -> str:
    """`CST, UTC−06:00`; the name only where it is the short one that people know."""
    minutes = int(offset.total_seconds()) // 60
    sign = "−" if minutes < 0 else "+"
    hours = f"UTC{sign}{abs(minutes) // 60:02d}:{abs(minutes) % 60:02d}" if minutes else "UTC"
    name = here.tzname() or ""
    known = name.isascii() and name.isalpha() and 2 < len(name) <= 5 and name != "UTC"
    return f"{name}, {hours}" if known else hours
