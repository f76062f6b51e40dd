"""The state of a precinct, from its reports and rulings, by one function (design.md, States)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations

from caucus_desk.tally.heads import beside, heads, leading
from caucus_desk.tally.mismatch import differing_fields
from caucus_desk.tally.people import same_person
from caucus_desk.tally.report import Channel, Report, Ruling
from caucus_desk.tally.sheet import Column, ResultSheet, completed

__all__ = ["Standing", "State", "heads", "rivals", "standing", "standing_reports"]


class State(StrEnum):
    AWAITING = "awaiting"
    MISMATCHED = "mismatched"
    MATCHED = "matched"
    SINGLE = "single"
    RULED = "ruled"


@dataclass(frozen=True, slots=True)
class Standing:
    """What stands for one precinct: its state, and the sheet that counts (None while awaiting).

    `sheet` is that of `report`, completed by what it does not state and another standing report does.
    `channel` is where it came from, None for a ruling's.
    """

    state: State
    sheet: ResultSheet | None = None
    channel: Channel | None = None
    report: Report | None = None
    ruling: Ruling | None = None


def standing_reports(reports: Iterable[Report]) -> dict[Channel, Report]:
    """The leading report of each channel, which within one store is its newest; withdrawn reports must be
    left out by the caller."""
    return leading(heads(reports))


def rivals(reports: Iterable[Report]) -> tuple[Report, ...]:
    """The reports that stand beside the leading one of their channel: made in another store, neither over
    the other. None where every report was made here."""
    return beside(heads(reports))


_PREFERRED = (Channel.PAPER, Channel.PHONE, Channel.APP)


def standing(
    reports: Mapping[Channel, Report],
    ruling: Ruling | None,
    groups: Iterable[str],
    verifying_pairs: Iterable[frozenset[str]],
    rivals: Iterable[Report] = (),
) -> Standing:
    """State and standing sheet from the standing reports and the newest ruling that is not withdrawn.

    `rivals` stand beside the leading reports: where any two of all these differ, of one channel or of two,
    nothing is matched; and a ruling holds only if the reviewer saw them too.
    """
    known = _in_preference(reports, tuple(rivals))
    if ruling is not None and not ruling.pending and all(report.id <= ruling.seen_report for report in known):
        return Standing(State.RULED, ruling.sheet, ruling=ruling)
    if not known:
        return Standing(State.AWAITING)
    keys = tuple(groups)
    best = known[0]
    sheet = completed(best.sheet, (report.sheet for report in known[1:]))
    pairs = tuple(combinations(known, 2))
    if any(differing_fields(one.sheet, other.sheet, keys) for one, other in pairs):
        return Standing(State.MISMATCHED, sheet, best.channel, best)
    allowed = set(verifying_pairs)
    for one, other in pairs:
        if (
            frozenset((one.channel, other.channel)) in allowed
            and one.confirmed
            and other.confirmed
            and _two_people(one, other)
            and _both_state_all(one.sheet, other.sheet)
        ):
            return Standing(State.MATCHED, sheet, best.channel, best)
    return Standing(State.SINGLE, sheet, best.channel, best)


def _in_preference(reports: Mapping[Channel, Report], rivals: tuple[Report, ...]) -> list[Report]:
    """Whose sheet counts first: paper before phone before app, of each channel the leading one."""
    known = []
    for channel in _PREFERRED:
        if channel in reports:
            known.append(reports[channel])
            known += [rival for rival in rivals if rival.channel is channel]
    return known


def _two_people(one: Report, other: Report) -> bool:
    """Nobody had a hand in both."""
    return not any(
        same_person(name, another)
        for name in (one.by, *one.typists)
        for another in (other.by, *other.typists)
    )


def _both_state_all(one: ResultSheet, other: ResultSheet) -> bool:
    """A column that only one of them states has been copied only once and verifies nothing; nor do two
    sheets that state no result, unless both say that nobody came."""
    if one.stated_columns != other.stated_columns:
        return False
    nobody_came = one.attendance == 0 and other.attendance == 0
    return nobody_came or one.stated_columns >= {Column.FINAL, Column.DELEGATES}
