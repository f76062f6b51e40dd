"""The state of a precinct, from its reports and rulings, by one function (design.md, States)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from caucus_desk.tally.mismatch import differing_fields
from caucus_desk.tally.people import same_person
from caucus_desk.tally.report import Channel, Report, Ruling
from caucus_desk.tally.sheet import Column, ResultSheet, completed


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
    """The newest report of each channel; withdrawn reports must be left out by the caller."""
    newest: dict[Channel, Report] = {}
    for report in reports:
        if report.channel not in newest or report.id > newest[report.channel].id:
            newest[report.channel] = report
    return newest


def standing(
    reports: Mapping[Channel, Report],
    ruling: Ruling | None,
    groups: Iterable[str],
    verifying_pairs: Iterable[frozenset[str]],
) -> Standing:
    """State and standing sheet from the standing reports and the newest ruling that is not withdrawn."""
    if (
        ruling is not None
        and not ruling.pending
        and all(report.id <= ruling.seen_report for report in reports.values())
    ):
        return Standing(State.RULED, ruling.sheet, ruling=ruling)
    if not reports:
        return Standing(State.AWAITING)
    keys = tuple(groups)
    present = [channel for channel in (Channel.PAPER, Channel.PHONE, Channel.APP) if channel in reports]
    best = reports[present[0]]
    sheet = completed(best.sheet, (reports[channel].sheet for channel in present[1:]))
    pairs = [(a, b) for place, a in enumerate(present) for b in present[place + 1 :]]
    if any(differing_fields(reports[a].sheet, reports[b].sheet, keys) for a, b in pairs):
        return Standing(State.MISMATCHED, sheet, best.channel, best)
    allowed = [pair for pair in pairs if frozenset(pair) in set(verifying_pairs)]
    for a, b in allowed:
        confirmed = reports[a].confirmed and reports[b].confirmed
        if (
            confirmed
            and _two_people(reports[a], reports[b])
            and _both_state_all(reports[a].sheet, reports[b].sheet)
        ):
            return Standing(State.MATCHED, sheet, best.channel, best)
    return Standing(State.SINGLE, sheet, best.channel, best)


def _two_people(one: Report, other: Report) -> bool:
    return not same_person(one.by, other.by)


def _both_state_all(one: ResultSheet, other: ResultSheet) -> bool:
    """A column that only one of them states has been copied only once and verifies nothing; nor do two
    sheets that state no result, unless both say that nobody came."""
    if one.stated_columns != other.stated_columns:
        return False
    nobody_came = one.attendance == 0 and other.attendance == 0
    return nobody_came or one.stated_columns >= {Column.FINAL, Column.DELEGATES}
