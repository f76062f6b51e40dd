"""Which precincts are still open, why, and the most delegates that each can give."""

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from caucus_desk.rules.ruleset import RuleSet, Unit
from caucus_desk.tally.results import Counting, PrecinctResult
from caucus_desk.tally.roster import Precinct
from caucus_desk.tally.scale import site_attendance
from caucus_desk.tally.sheet import Column
from caucus_desk.tally.state import State


class Why(StrEnum):
    """Why a precinct's figures are not settled; each value reads after "it" in a sentence."""

    NOT_IN = "is not in"
    DIFFERS = "has reports that differ"
    UNVERIFIED = "is not verified"
    NO_DELEGATES = "has a sheet without delegates"
    NO_ATTENDANCE = "has no attendance to be weighed with"
    CHOSEN = "is to be looked at again"


@dataclass(frozen=True, slots=True)
class OpenPrecinct:
    """A precinct that can still change the outcome."""

    precinct: Precinct
    why: Why
    delegates: int | None
    """The most that it can give: its allotment, or what its sheet gives where that is more. None for a
    site of a satellite pool: the pool's state delegates bound it."""
    most: Fraction | None
    """The most it can add for one group, in the rule set's unit; None for a site of a satellite pool."""


def why_open(
    rules: RuleSet, result: PrecinctResult, counting: Counting, chosen: Collection[str]
) -> Why | None:
    """None where the precinct is settled: its sheet counts, and is not in doubt.

    Counting verified, whatever is not verified is open. Counting reported, a sheet that is in counts as
    it stands unless reports differ. A sheet that cannot be turned into SDEs (no delegates stated, a site
    without attendance) is open in both: it counts for nothing yet.
    """
    precinct = result.precinct
    if not result.reporting:
        return Why.NOT_IN
    if precinct.id in chosen:
        return Why.CHOSEN
    if result.standing.state is State.MISMATCHED:
        return Why.DIFFERS
    if counting is Counting.VERIFIED and not result.verified:
        return Why.UNVERIFIED
    sheet = result.standing.sheet
    nobody_came = sheet is not None and sheet.attendance == 0
    if sheet is not None and not sheet.states(Column.DELEGATES) and not nobody_came:
        return Why.NO_DELEGATES
    if shares_a_pool(rules, precinct) and any(result.reported.values()):
        return Why.NO_ATTENDANCE if site_attendance(rules, result) is None else None
    return None


def shares_a_pool(rules: RuleSet, precinct: Precinct) -> bool:
    """Its value depends on all sites of its pool (rules.md 6)."""
    return precinct.is_satellite and rules.satellites is not None and rules.unit is Unit.SDE


def most_delegates(rules: RuleSet, result: PrecinctResult) -> int | None:
    """The most that an open precinct can give: its allotment, the largest band for a site without one, or
    the most that one of its reports gives already. None where neither is known."""
    precinct = result.precinct
    allotted = precinct.delegates
    if allotted is None and precinct.is_satellite and rules.satellites is not None:
        allotted = max(step.delegates for step in rules.satellites.bands)
    if allotted is None or rules.unit is Unit.VOTES:
        return None
    return max(allotted, stated_delegates(result))


def stated_delegates(result: PrecinctResult) -> int:
    """The most delegates in all that one of its sheets gives; 0 where none does."""
    sheets = [report.sheet for report in result.heads.values()]
    if result.standing.sheet is not None:
        sheets.append(result.standing.sheet)
    return max((sum(row.delegates or 0 for row in sheet.groups) for sheet in sheets), default=0)
