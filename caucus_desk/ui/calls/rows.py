"""The rows of the two lists: whom to call back, and the calls that came. No figures of any sheet."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from caucus_desk.desk.callbacks import CallBack, Why
from caucus_desk.desk.caller import Checked
from caucus_desk.tally.call import Call, CallEnd, Outcome
from caucus_desk.tally.roster import Precinct
from caucus_desk.ui.entry.caller import outcome_sign
from caucus_desk.ui.widgets.table import ColumnSpec
from caucus_desk.ui.words import BLANK, clock, tr

OLD, LATE = 15, 30
"""Minutes after which a call-back that waits is marked, and marked as late."""


@dataclass(frozen=True, slots=True)
class BackRow:
    """Somebody to be rung."""

    one: CallBack
    precinct: Precinct
    minutes: int

    @property
    def key(self) -> str:
        return self.one.key


@dataclass(frozen=True, slots=True)
class CallRow:
    call: Call
    precinct: Precinct | None

    @property
    def key(self) -> str:
        return str(self.call.seq)


def back_row(one: CallBack, precinct: Precinct, now: datetime | None = None) -> BackRow:
    """`now` is UTC and the present by default; a clock that was set back makes nothing negative."""
    waited = (now or datetime.now(UTC)) - one.since
    return BackRow(one, precinct, max(0, int(waited.total_seconds() // 60)))


def waits(minutes: int) -> str:
    """`12 min`, `2 h 05`."""
    if minutes < 60:
        return tr("{0} min").format(minutes)
    return f"{minutes // 60} h {minutes % 60:02}"


def why_words(why: Why) -> str:
    return {
        Why.UNCONFIRMED: tr("confirm a report"),
        Why.ASKED: tr("asked for by a call"),
        Why.ERRAND: tr("sent by review"),
    }[why]


def end_words(end: CallEnd) -> str:
    return {
        CallEnd.RESULTS: tr("results taken"),
        CallEnd.WRONG_PIN: tr("wrong PIN"),
        CallEnd.WRONG_NUMBER: tr("wrong number"),
        CallEnd.NUISANCE: tr("nuisance"),
        CallEnd.QUESTION: tr("question"),
        CallEnd.CUT_OFF: tr("cut off"),
        CallEnd.CALL_BACK: tr("call back"),
        CallEnd.CONFIRMED: tr("confirmed"),
        CallEnd.NOT_REACHED: tr("not reached"),
    }[end]


def back_columns() -> Sequence[ColumnSpec[BackRow]]:
    return (
        ColumnSpec(
            "Waits", 104, lambda row: waits(row.minutes), sort=lambda row: row.minutes, icon=_age_icon
        ),
        ColumnSpec(
            "Precinct", 186, lambda row: row.precinct.name, bold=True, tip=lambda row: row.precinct.id
        ),
        ColumnSpec("County", 104, lambda row: row.precinct.county),
        ColumnSpec("Number on file", 122, lambda row: row.precinct.phone or BLANK),
        ColumnSpec("Chair", 116, lambda row: row.precinct.chair or BLANK),
        ColumnSpec("For", 136, lambda row: why_words(row.one.why)),
        ColumnSpec("Tried", 130, _tried),
        ColumnSpec("What for", 150, lambda row: row.one.what, tip=lambda row: row.one.what),
    )


def call_columns() -> Sequence[ColumnSpec[CallRow]]:
    return (
        ColumnSpec("Came", 62, lambda row: clock(row.call.at)[:5], sort=lambda row: row.call.at),
        ColumnSpec("Ended", 116, lambda row: end_words(row.call.ended), bold=True),
        ColumnSpec("Precinct", 190, _where, tip=lambda row: row.precinct.id if row.precinct else ""),
        ColumnSpec("Caller", 130, lambda row: row.call.caller_name or BLANK),
        ColumnSpec("Number", 116, lambda row: row.call.caller_number or BLANK),
        ColumnSpec("Check", 130, _check, icon=_check_icon),
        ColumnSpec("Taken by", 104, lambda row: row.call.by),
        ColumnSpec("Note", 170, lambda row: row.call.notes, tip=lambda row: row.call.notes),
    )


def back_text(row: BackRow) -> str:
    """What the filter looks in."""
    parts = (row.precinct.id, row.precinct.county, row.precinct.name, row.precinct.chair, row.precinct.phone)
    return " ".join((*parts, row.one.what, why_words(row.one.why)))


def call_text(row: CallRow) -> str:
    call = row.call
    place = (row.precinct.id, row.precinct.county, row.precinct.name) if row.precinct is not None else ()
    mine = (call.caller_name, call.caller_number, end_words(call.ended), call.by, call.notes)
    return " ".join((*place, *mine, *_words_of_check(row)))


def _age_icon(row: BackRow) -> tuple[str, str] | None:
    if row.minutes < OLD:
        return None
    return ("warn", "warn") if row.minutes < LATE else ("bad", "bad")


def _tried(row: BackRow) -> str:
    if not row.one.tried:
        return BLANK
    last = row.one.tried[-1]
    times = f"{len(row.one.tried)}× " if len(row.one.tried) > 1 else ""
    return f"{times}{end_words(last.ended)} {clock(last.at)[:5]}"


def _where(row: CallRow) -> str:
    return BLANK if row.precinct is None else f"{row.precinct.name}, {row.precinct.county}"


def _checked(row: CallRow) -> Checked:
    return Checked(row.call.check_kind, row.call.outcome)


def _shown_check(row: CallRow) -> bool:
    asked = row.call.outcome is not Outcome.NOT_ASKED
    return asked or (row.call.about is None and _checked(row) != Checked())


def _words_of_check(row: CallRow) -> tuple[str, ...]:
    """Nothing was checked on a call that the desk made and nobody answered."""
    words, _, _ = outcome_sign(_checked(row))
    return (words,) if _shown_check(row) else ()


def _check(row: CallRow) -> str:
    return " ".join(_words_of_check(row)) or BLANK


def _check_icon(row: CallRow) -> tuple[str, str] | None:
    if not _shown_check(row):
        return None
    _, icon, role = outcome_sign(_checked(row))
    return icon, role
