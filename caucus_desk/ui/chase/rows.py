"""What the Paper page shows of each missing worksheet, and of each county."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from caucus_desk.desk.chase import Age, CountyChase, Missing, Outcome, Stage
from caucus_desk.ui.widgets.table import ColumnSpec, room_for
from caucus_desk.ui.words import BLANK, Sign, number, tr

ALL_COUNTIES = ""
"""The key of the row above the counties."""


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A missing worksheet with the moment of showing: ages are as of `now` (UTC)."""

    missing: Missing
    now: datetime

    @property
    def id(self) -> str:
        return self.missing.precinct.id

    @property
    def age(self) -> Age:
        return self.missing.age(self.now)


@dataclass(frozen=True, slots=True)
class CountyRow:
    key: str
    name: str
    missing: int
    due: int
    keyed: int


def stage_sign(missing: Missing) -> Sign:
    if missing.paper_in:
        return Sign(tr("asked for"), "review", "warn")
    signs: Mapping[Stage, Sign] = {
        Stage.MISSING: Sign(tr("missing"), "awaiting", "muted"),
        Stage.TRIED: Sign(tr("tried"), "phone", "muted"),
        Stage.FETCHING: Sign(tr("runner out"), "person", "accent"),
        Stage.DUE: Sign(tr("here, to key"), "paper", "good"),
        Stage.KEYING: Sign(tr("being keyed"), "entry", "muted"),
    }
    return signs[missing.stage]


def age_sign(row: SheetRow) -> Sign | None:
    """A word and a drawing for what waits too long; None for what does not."""
    if row.age is Age.NEW:
        return None
    if row.missing.due_since is not None:
        return Sign(tr("lies here too long"), "bad", "bad")
    if row.age is Age.VERY_OLD:
        return Sign(tr("very late"), "bad", "bad")
    return Sign(tr("late"), "warn", "warn")


def outcome_words() -> Mapping[Outcome, str]:
    return {
        Outcome.NO_ANSWER: tr("no answer"),
        Outcome.WILL_SEND: tr("sends a photo"),
        Outcome.WILL_BRING: tr("brings it"),
        Outcome.ON_THE_WAY: tr("runner out"),
        Outcome.LOST: tr("sheet lost"),
        Outcome.OTHER: tr("other"),
    }


def lasted(time: timedelta | None) -> str:
    """`7 min`, `1 h 05 min`, `3 d 4 h`, `12 days`; a dash where nothing is known."""
    if time is None:
        return BLANK
    minutes = max(0, time // timedelta(minutes=1))
    hours, minutes = divmod(minutes, 60)
    if hours >= 240:
        return tr("{0} days").format(number(hours // 24))
    if hours >= 24:
        return tr("{0} d {1} h").format(number(hours // 24), hours % 24)
    if hours:
        return tr("{0} h {1:02d} min").format(hours, minutes)
    return tr("{0} min").format(minutes)


def short_clock(at: datetime) -> str:
    """`21:04`, local time."""
    return f"{at.astimezone():%H:%M}"


def done_text(missing: Missing) -> str:
    """`Rita Runner · no answer 21:40 (2 tries)`; a dash where nothing was done."""
    parts = []
    if missing.keying_by:
        parts.append(tr("{0} keys it").format(missing.keying_by))
    elif missing.received_step is not None:
        parts.append(tr("received {0}").format(short_clock(missing.received_step.at)))
    elif missing.photo_at is not None:
        parts.append(tr("photo attached {0}").format(short_clock(missing.photo_at)))
    if missing.runner:
        parts.append(missing.runner)
    attempt = missing.last_attempt
    if attempt is not None:
        tries = tr(" ({0} tries)").format(missing.attempts) if missing.attempts > 1 else ""
        parts.append(f"{attempt.note} {short_clock(attempt.at)}{tries}")
    return " · ".join(parts) or BLANK


def sheet_columns() -> tuple[ColumnSpec[SheetRow], ...]:
    return (
        ColumnSpec(
            tr("Worksheet"),
            118,
            lambda row: stage_sign(row.missing).word,
            lambda row: list(Stage).index(row.missing.stage),
            icon=_stage_icon,
            least=108,
        ),
        ColumnSpec(
            tr("Waits"),
            102,
            lambda row: lasted(row.missing.waited(row.now)),
            lambda row: -(row.missing.waited(row.now) or timedelta(0)),
            icon=_age_icon,
            colour=lambda row: sign.role if (sign := age_sign(row)) is not None else None,
            tip=lambda row: sign.word if (sign := age_sign(row)) is not None else "",
            least=96,
        ),
        ColumnSpec(
            tr("Precinct"),
            196,
            lambda row: row.missing.precinct.name,
            tip=lambda row: row.missing.precinct.name,
            bold=True,
            least=130,
        ),
        ColumnSpec(
            tr("County"),
            110,
            lambda row: row.missing.precinct.county,
            tip=lambda row: row.missing.precinct.county,
            least=76,
        ),
        ColumnSpec(
            tr("By phone"),
            74,
            lambda row: tr("in") if row.missing.phone_in else BLANK,
            lambda row: not row.missing.phone_in,
            icon=lambda row: ("good", "good") if row.missing.phone_in else None,
            least=66,
        ),
        ColumnSpec(
            tr("What is done"),
            230,
            lambda row: done_text(row.missing),
            tip=lambda row: done_text(row.missing),
            least=120,
        ),
    )


def _stage_icon(row: SheetRow) -> tuple[str, str]:
    sign = stage_sign(row.missing)
    return (sign.icon, sign.role)


def _age_icon(row: SheetRow) -> tuple[str, str] | None:
    sign = age_sign(row)
    return None if sign is None else (sign.icon, sign.role)


def sheet_search(row: SheetRow) -> str:
    missing = row.missing
    precinct = missing.precinct
    return (
        f"{precinct.id} {precinct.county} {precinct.name} {precinct.chair} {precinct.phone} {missing.runner}"
    )


def county_columns() -> tuple[ColumnSpec[CountyRow], ...]:
    def column(title: str, text: str, width: int) -> ColumnSpec[CountyRow]:
        return ColumnSpec(
            title,
            max(width, room_for(title)),
            lambda row: number(getattr(row, text)) if getattr(row, text) else BLANK,
            lambda row: -getattr(row, text),
            number=True,
        )

    return (
        ColumnSpec(tr("County"), 116, lambda row: row.name, tip=lambda row: row.name, least=84),
        column(tr("Missing"), "missing", 58),
        column(tr("Here"), "due", 44),
        column(tr("Keyed"), "keyed", 52),
    )


def county_rows(counties: tuple[CountyChase, ...]) -> tuple[CountyRow, ...]:
    """All counties together, then each one in the roster's order; `missing` counts what is asked for too."""
    rows = [
        CountyRow(one.county, one.county, one.missing + one.asked, one.due, one.keyed) for one in counties
    ]
    whole = CountyRow(
        ALL_COUNTIES,
        tr("All counties"),
        sum(row.missing for row in rows),
        sum(row.due for row in rows),
        sum(row.keyed for row in rows),
    )
    return (whole, *rows)
