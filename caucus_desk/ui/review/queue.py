"""The queue: every precinct whose reports differ, with what differs and how much of it."""

from collections.abc import Sequence
from dataclasses import dataclass

from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.tally.form import field_label
from caucus_desk.tally.overview import Overview
from caucus_desk.tally.report import CHANNELS, Channel
from caucus_desk.tally.results import PrecinctResult
from caucus_desk.tally.state import State
from caucus_desk.ui.widgets.table import ColumnSpec
from caucus_desk.ui.words import clock

_NAMED = 4


@dataclass(frozen=True, slots=True)
class QueueRow:
    """One precinct of the queue."""

    id: str
    county: str
    name: str
    count: int
    differs: str
    channels: tuple[Channel, ...]
    since: str
    """When the newest of its reports came in, local time."""


def is_mismatched(result: PrecinctResult) -> bool:
    return result.standing.state is State.MISMATCHED and not result.precinct.merged


def waiting(overview: Overview) -> int:
    return sum(is_mismatched(result) for result in overview.results.values())


def queue_of(overview: Overview) -> list[QueueRow]:
    """In roster order; a person sorts as is needed."""
    return [_row(overview.rules, result) for result in overview.results.values() if is_mismatched(result)]


def _row(rules: RuleSet, result: PrecinctResult) -> QueueRow:
    precinct = result.precinct
    names = [field_label(rules, mismatch.field) for mismatch in result.mismatches]
    more = len(names) - _NAMED
    newest = max(result.reports.values(), key=lambda report: report.id)
    return QueueRow(
        id=precinct.id,
        county=precinct.county,
        name=precinct.name,
        count=len(names),
        differs=", ".join(names[:_NAMED]) + (f" and {more} more" if more > 0 else ""),
        channels=tuple(channel for channel in CHANNELS if channel in result.reports),
        since=clock(newest.at)[:5],
    )


def queue_columns() -> Sequence[ColumnSpec[QueueRow]]:
    return (
        ColumnSpec(
            "Precinct",
            168,
            lambda row: f"{row.name}\n{row.county}",
            bold=True,
            tip=lambda row: row.id,
            least=166,
        ),
        ColumnSpec("Fields", 50, lambda row: str(row.count), sort=lambda row: row.count, number=True),
        ColumnSpec("Differs in", 138, lambda row: row.differs, tip=_tip, least=92),
    )


def _tip(row: QueueRow) -> str:
    channels = ", ".join(channel.value for channel in row.channels)
    return f"{row.differs} ({channels}; newest report {row.since})"


def search_text(row: QueueRow) -> str:
    return f"{row.county} {row.name} {row.id} {row.differs}"
