"""What must hold before a sheet may be keyed or submitted, each with the sentence of its refusal."""

from collections.abc import Mapping
from datetime import datetime

from caucus_desk.desk.naming import same_person
from caucus_desk.desk.session import Desk
from caucus_desk.rules.errors import Refused
from caucus_desk.store.records import DraftRecord
from caucus_desk.store.units import ReadUnit
from caucus_desk.tally.finding import Finding, Severity
from caucus_desk.tally.form import field_label, form_of
from caucus_desk.tally.mismatch import differing_fields
from caucus_desk.tally.report import CHANNELS, Channel, Report
from caucus_desk.tally.roster import Precinct
from caucus_desk.tally.sheet import ATTENDANCE, COLUMNS, Column, ResultSheet
from caucus_desk.tally.state import State

GONE = (
    "This draft is no longer there: it was submitted or discarded, here or in another window. Look at the "
    "precinct before keying it again."
)

WORDLESS = "A reason is said in words; a number, a letter or two are none."
_LETTERS = 3


def in_words(text: str) -> bool:
    """Whether a text can be a reason. Figures that ran on into the wrong box are none."""
    return sum(letter.isalpha() for letter in text) >= _LETTERS


class EmptyBoxes(Refused):
    """Boxes that must not be empty; `fields` are their paths."""

    def __init__(self, sentence: str, fields: tuple[str, ...]) -> None:
        super().__init__(sentence)
        self.fields = fields


class DoesNotMatch(Refused):
    """The sheet differs from another channel's. Names the fields, never the other's numbers.

    `findings` are the errors of the keyed sheet itself, so that both can be marked at once.
    """

    def __init__(self, sentence: str, fields: tuple[str, ...], findings: tuple[Finding, ...]) -> None:
        super().__init__(sentence)
        self.fields = fields
        self.findings = findings


class NeedsReason(Refused):
    """Errors on the sheet that were given no reason in words: `findings`."""

    def __init__(self, findings: tuple[Finding, ...]) -> None:
        ids = ", ".join(finding.id for finding in findings)
        super().__init__(
            f"This sheet cannot be right ({ids}). Ask the caller again, or give a reason in words for each "
            "and submit it as it is."
        )
        self.findings = findings


class AlreadyVerified(Refused):
    """The precinct is verified; only an open correction with a reason may go in."""


def standing_draft(unit: ReadUnit, draft_id: int) -> DraftRecord:
    draft = unit.draft(draft_id)
    if draft is None:
        raise Refused(GONE)
    return draft


def held_by(draft: DraftRecord, by: str) -> None:
    if not same_person(draft.by, by):
        raise Refused(f"{draft.by} has taken this draft over; what {by} types is not saved there.")


def electing(desk: Desk, precinct_id: str) -> Precinct:
    precinct = desk.precinct(precinct_id)
    if precinct.merged:
        raise Refused(
            f"{place(precinct)} ({precinct.id}) was merged into another precinct and elects nobody: it has "
            "no report of its own."
        )
    return precinct


def another_person(unit: ReadUnit, precinct: Precinct, channel: Channel, by: str) -> None:
    not_both(unit.standing_reports([precinct.id]).get(precinct.id, {}), precinct, channel, by)


def not_both(standing: Mapping[Channel, Report], precinct: Precinct, channel: Channel, by: str) -> None:
    for other in CHANNELS:
        report = standing.get(other)
        if other is not channel and report is not None and same_person(report.by, by):
            raise Refused(
                f"{report.by} keyed the {other} report of {place(precinct)}: the {channel} report must be "
                "keyed by another person."
            )


def filled(desk: Desk, precinct: Precinct, sheet: ResultSheet) -> None:
    rules = desk.rules
    required = (ATTENDANCE, *(field.key for field in rules.fields if field.required))
    missing = tuple(path for path in required if sheet.count(path) is None)
    if missing:
        names = listed([field_label(rules, path) for path in missing])
        raise EmptyBoxes(
            f"{names} is empty. Blank is not zero: ask for it, and type 0 only if it is 0.", missing
        )
    if not sheet.attendance:
        return
    empty = [column for column in COLUMNS if not sheet.states(column)]
    if len(empty) == len(COLUMNS):
        raise EmptyBoxes(
            f"{sheet.attendance:,} people attended, but no group has a count. Type each group's counts; "
            "leave a group empty only if nobody stood with it.",
            (ATTENDANCE,),
        )
    if Column.DELEGATES in empty and precinct.delegates != 0:
        paths = tuple(f"{row.group}.{Column.DELEGATES}" for row in sheet.groups if not row.blank)
        raise EmptyBoxes(
            "The delegates column is empty. Type each group's delegates, 0 for a group that has none.", paths
        )


def open_correction(
    unit: ReadUnit, precinct: Precinct, standing: Mapping[Channel, Report], correcting: str
) -> None:
    state = unit.states([precinct.id]).get(precinct.id)
    if state is None or not state.verified or in_words(correcting):
        return
    verified = unit.verifications([precinct.id]).get(precinct.id, [])
    when = f" at {clock(verified[-1].at)}" if verified else ""
    ruling = unit.rulings([precinct.id]).get(precinct.id) if state.state is State.RULED else None
    who = [ruling.by] if ruling else [f"{standing[c].by} ({c})" for c in CHANNELS if c in standing]
    raise AlreadyVerified(
        f"{place(precinct)} was verified{when} by {listed(who)}. Nothing was saved; to correct it openly, "
        "give a reason in words."
    )


def matches(
    desk: Desk,
    precinct: Precinct,
    channel: Channel,
    sheet: ResultSheet,
    standing: Mapping[Channel, Report],
    found: tuple[Finding, ...],
    confirmed: bool,
) -> None:
    if confirmed:
        return
    fields: dict[str, None] = {}
    for other in CHANNELS:
        if other is not channel and other in standing:
            fields.update(dict.fromkeys(differing_fields(sheet, standing[other].sheet, desk.rules.keys)))
    if fields:
        order = [entry.path for entry in form_of(desk.rules).counts]
        paths = tuple(sorted(fields, key=order.index))
        names = listed([field_label(desk.rules, path) for path in paths])
        errors = tuple(finding for finding in found if finding.severity is Severity.ERROR)
        raise DoesNotMatch(f"Does not match in: {names}. Check what you keyed.", paths, errors)


def reasoned(found: tuple[Finding, ...], reasons: Mapping[str, str]) -> None:
    without = tuple(
        finding
        for finding in found
        if finding.severity is Severity.ERROR and not in_words(reasons.get(finding.id, ""))
    )
    if without:
        raise NeedsReason(without)


def place(precinct: Precinct) -> str:
    """How a precinct is named in a sentence."""
    return f"{precinct.name}, {precinct.county}"


def clock(at: datetime) -> str:
    return at.astimezone().strftime("%H:%M")


def listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
