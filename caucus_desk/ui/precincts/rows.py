"""What the Precincts page shows of each precinct."""

from collections.abc import Mapping
from dataclasses import dataclass

from caucus_desk.desk.looking import Eyes
from caucus_desk.tally.finding import Severity
from caucus_desk.tally.overview import Overview
from caucus_desk.tally.report import CHANNELS
from caucus_desk.tally.state import State
from caucus_desk.ui.widgets.table import ColumnSpec
from caucus_desk.ui.words import BLANK, Sign, channel_sign, number, severity_sign, state_sign, tr

MERGED = "merged"
_STATE_ORDER = (State.MISMATCHED, State.SINGLE, State.AWAITING, State.MATCHED, State.RULED)


@dataclass(frozen=True, slots=True)
class PrecinctRow:
    id: str
    county: str
    name: str
    delegates: int | None
    state: str
    """A state, or `merged`."""
    verified: bool
    channels: tuple[str, ...]
    errors: int
    """Findings on the standing sheet that nobody has acknowledged, by severity."""
    warnings: int
    notes: int
    finding_ids: str

    @property
    def sign(self) -> Sign:
        if self.state == MERGED:
            return Sign(tr("merged"), "merged", "muted")
        return state_sign(State(self.state))

    @property
    def state_rank(self) -> int:
        """What needs a person first."""
        return _STATE_ORDER.index(State(self.state)) if self.state != MERGED else len(_STATE_ORDER)


def rows_of(overview: Overview, eyes: Eyes) -> tuple[PrecinctRow, ...]:
    """A row for each precinct of the roster, merged ones too, in roster order.

    Of a precinct that `eyes` may not see nothing is said that follows from its figures.
    """
    counts = _open_findings(overview)
    rows = []
    for id, result in overview.results.items():
        precinct = result.precinct
        covered = not eyes.may_see(result)
        found = counts.get(id, {}) if id not in eyes.keying else {}
        rows.append(
            PrecinctRow(
                id=id,
                county=precinct.county,
                name=precinct.name,
                delegates=result.delegates_to_elect
                if result.delegates_to_elect is not None and not covered
                else precinct.delegates,
                state=MERGED if precinct.merged else result.standing.state.value,
                verified=result.verified,
                channels=tuple(c.value for c in CHANNELS if c in result.reports),
                errors=len(found.get(Severity.ERROR, ())),
                warnings=len(found.get(Severity.WARNING, ())),
                notes=len(found.get(Severity.NOTE, ())),
                finding_ids=""
                if covered
                else ", ".join(id for severity in Severity for id in found.get(severity, ())),
            )
        )
    return tuple(rows)


def _open_findings(overview: Overview) -> Mapping[str, Mapping[Severity, list[str]]]:
    counts: dict[str, dict[Severity, list[str]]] = {}
    for entry in overview.findings():
        if entry.precinct is not None and entry.standing and entry.acknowledged is None:
            counts.setdefault(entry.precinct.id, {}).setdefault(entry.severity, []).append(entry.finding.id)
    return counts


def _state_icon(row: PrecinctRow) -> tuple[str, str]:
    return (row.sign.icon, row.sign.role)


def _worst(row: PrecinctRow) -> tuple[str, str] | None:
    for severity, count in (
        (Severity.ERROR, row.errors),
        (Severity.WARNING, row.warnings),
        (Severity.NOTE, row.notes),
    ):
        if count:
            sign = severity_sign(severity)
            return (sign.icon, sign.role)
    return None


def findings_text(row: PrecinctRow) -> str:
    """`2 errors, 1 warning`; a dash when there are none."""
    parts = [
        one.format(count) if count == 1 else many.format(count)
        for count, one, many in (
            (row.errors, tr("{0} error"), tr("{0} errors")),
            (row.warnings, tr("{0} warning"), tr("{0} warnings")),
            (row.notes, tr("{0} note"), tr("{0} notes")),
        )
        if count
    ]
    return ", ".join(parts) or BLANK


def columns() -> tuple[ColumnSpec[PrecinctRow], ...]:
    return (
        ColumnSpec(
            tr("State"),
            124,
            lambda row: row.sign.word,
            lambda row: (row.state_rank, row.county, row.name),
            icon=_state_icon,
        ),
        ColumnSpec(
            tr("Verified"),
            76,
            lambda row: tr("yes") if row.verified else BLANK,
            lambda row: not row.verified,
            icon=lambda row: ("verified", "good") if row.verified else None,
        ),
        ColumnSpec(tr("County"), 136, lambda row: row.county, tip=lambda row: row.county),
        ColumnSpec(tr("Precinct"), 236, lambda row: row.name, tip=lambda row: row.name, bold=True),
        ColumnSpec(tr("Id"), 116, lambda row: row.id, tip=lambda row: row.id),
        ColumnSpec(
            tr("Elects"), 58, lambda row: number(row.delegates), lambda row: row.delegates or 0, number=True
        ),
        ColumnSpec(
            tr("Came in by"),
            138,
            lambda row: " · ".join(channel_words()[c] for c in row.channels) or BLANK,
            lambda row: (len(row.channels), row.channels),
        ),
        ColumnSpec(
            tr("Findings open"),
            160,
            findings_text,
            lambda row: (-row.errors, -row.warnings, -row.notes),
            icon=_worst,
            tip=lambda row: row.finding_ids,
        ),
    )


def channel_words() -> Mapping[str, str]:
    return {channel.value: channel_sign(channel).word for channel in CHANNELS}


def search_text(row: PrecinctRow) -> str:
    return f"{row.id} {row.county} {row.name}"
