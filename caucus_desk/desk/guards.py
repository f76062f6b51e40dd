"""What must hold before a sheet may be keyed or submitted, each with the sentence of its refusal."""

from collections.abc import Collection, Mapping
from datetime import datetime

from caucus_desk.desk.again import again
from caucus_desk.desk.heads import each, heads_of
from caucus_desk.desk.naming import same_person
from caucus_desk.desk.session import Desk
from caucus_desk.desk.two_people import keyed
from caucus_desk.desk.wording import clock, listed, place
from caucus_desk.rules.errors import Refused
from caucus_desk.store.actions import Action
from caucus_desk.store.drafts import DraftReading
from caucus_desk.store.records import CachedState, DraftRecord
from caucus_desk.store.units import ReadUnit
from caucus_desk.tally.finding import Finding, Severity
from caucus_desk.tally.form import field_label, form_of
from caucus_desk.tally.heads import Heads
from caucus_desk.tally.mismatch import differing_fields
from caucus_desk.tally.report import Channel, Report
from caucus_desk.tally.roster import Precinct
from caucus_desk.tally.sheet import ATTENDANCE, COLUMNS, Column, ResultSheet
from caucus_desk.tally.state import State

GONE = (
    "This draft is no longer there: it was submitted or discarded, here or in another window. Look at the "
    "precinct before keying it again."
)

WORDLESS = "Give the reason in a few words."
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

    `findings` are the errors of the keyed sheet itself, so that both can be marked at once. `fields` is
    empty once a person has tried often: the next sheet is then taken as it is.
    """

    def __init__(
        self, sentence: str, fields: tuple[str, ...], findings: tuple[Finding, ...], tried: str = ""
    ) -> None:
        super().__init__(sentence)
        self.fields = fields
        self.findings = findings
        self.tried = tried
        """Fingerprint of the refused sheet, for the trail."""


class NeedsReason(Refused):
    """Errors on the sheet that were given no reason in words: `findings`."""

    def __init__(self, findings: tuple[Finding, ...]) -> None:
        ids = ", ".join(finding.id for finding in findings)
        super().__init__(
            f"This sheet cannot be right ({ids}). Ask the caller again, or give a reason in words for each "
            "and submit it as it is."
        )
        self.findings = findings


class NeedsCorrection(Refused):
    """Only an open correction, with a reason in words, may go in."""


class AlreadyVerified(NeedsCorrection):
    """The precinct is verified."""


class OwnMismatch(NeedsCorrection):
    """The reports of the precinct differ, and this person keyed one of them: keying it again so that it
    matches is said openly."""


class Supersedes(NeedsCorrection):
    """Another person's report of the same channel stands already: a chair who calls again, say."""


class StaleWindow(Refused):
    """Another window saved the draft since this one last knew it. Nothing was overwritten."""


class KeyedMeanwhile(Refused):
    """Another person's report of the same channel came in while this sheet was being keyed."""

    def __init__(self, sentence: str, report: Report) -> None:
        super().__init__(sentence)
        self.report_id, self.by, self.at = report.id, report.by, report.at


def standing_draft(unit: DraftReading, draft_id: int) -> DraftRecord:
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


def not_stale(draft: DraftRecord, seen: datetime | None, window: str | None = None) -> None:
    """Whether the window knows the draft as it stands. By inequality: a clock may be set back. What `window`
    itself saved last it knows, also where it never heard that it was saved."""
    if window is not None and draft.desk == window:
        return
    if seen is not None and draft.updated != seen:
        raise StaleWindow(
            f"Another window saved this sheet at {clock(draft.updated)}. Nothing was overwritten: "
            "open the sheet again to see what stands there."
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
    unit: ReadUnit,
    precinct: Precinct,
    standing: Heads,
    by: str,
    correcting: str,
    draft: DraftRecord,
) -> None:
    if in_words(correcting):
        return
    state = unit.states([precinct.id]).get(precinct.id)
    if state is None:
        return
    if state.verified:
        raise AlreadyVerified(
            f"{_verified_by(unit, precinct, standing, state)} Nothing was saved; to correct it openly, "
            "give a reason in words."
        )
    own = keyed(unit, precinct.id, [by])
    if own is not None and state.state in (State.MISMATCHED, State.RULED):
        raise OwnMismatch(
            f"{own} of {place(precinct)}, and the reports of that precinct differ. Nothing was saved; to "
            "key it again, give a reason in words."
        )
    others = [
        old
        for old in standing.get(draft.channel, ())
        if not same_person(old.by, by) and not came_meanwhile(draft, old, by)
    ]
    if others:
        raise Supersedes(
            f"{_stands_already(precinct, others[0])} Nothing was saved; to put this one in its place, say "
            "why in words, such as: the chair called again with new numbers."
        )


def _stands_already(precinct: Precinct, report: Report) -> str:
    return f"{report.by} keyed the {report.channel} report of {place(precinct)} at {clock(report.at)}."


def note_of(unit: ReadUnit, precinct: Precinct, channel: Channel, by: str) -> str:
    """What whoever begins a sheet of this precinct must know first; empty when there is nothing."""
    state = unit.states([precinct.id]).get(precinct.id)
    if state is None:
        return ""
    if state.verified:
        standing = heads_of(unit, precinct.id)
        known = _verified_by(unit, precinct, standing, state)
        return f"{known} Another report is a correction and needs a reason."
    own = keyed(unit, precinct.id, [by])
    if own is not None and state.state in (State.MISMATCHED, State.RULED):
        return (
            f"{own} of {place(precinct)}, and the reports of that precinct differ. Keying it again needs a "
            "reason."
        )
    alike = heads_of(unit, precinct.id).get(channel, ())
    for old in alike:
        if not same_person(old.by, by):
            place_of = "its place" if len(alike) == 1 else f"the place of all {len(alike)} that stand"
            return f"{_stands_already(precinct, old)} Another one takes {place_of} and needs a reason."
    return ""


def _verified_by(unit: ReadUnit, precinct: Precinct, standing: Heads, state: CachedState) -> str:
    verified = unit.verifications([precinct.id]).get(precinct.id, [])
    when = f" at {clock(verified[-1].at)}" if verified else ""
    ruling = unit.rulings([precinct.id]).get(precinct.id) if state.state is State.RULED else None
    who = [ruling.by] if ruling else [f"{report.by} ({report.channel})" for report in each(standing)]
    return f"{place(precinct)} was verified{when} by {listed(who)}."


def not_meanwhile(
    draft: DraftRecord,
    precinct: Precinct,
    standing: Heads,
    by: str,
    replacing: int | None,
) -> None:
    """Nobody else's report of this channel came in since the draft was begun, or `replacing` names it: the
    newest, where several did."""
    report = newest_meanwhile(draft, standing, by)
    if report is None or report.id == replacing:
        return
    raise KeyedMeanwhile(
        f"{report.by} keyed the {draft.channel} sheet of {place(precinct)} at {clock(report.at)} while you "
        "were typing. Nothing was saved: submit again only if yours must take the place of that report.",
        report,
    )


def newest_meanwhile(draft: DraftRecord, standing: Heads, by: str) -> Report | None:
    """The report of another person that came in last, of those that came after the draft was begun."""
    came = [report for report in standing.get(draft.channel, ()) if came_meanwhile(draft, report, by)]
    return max(came, key=lambda report: report.id, default=None)


def came_meanwhile(draft: DraftRecord, report: Report, by: str) -> bool:
    """Whether it is another person's, and came after the draft was begun."""
    return report.id > draft.begun_after and not same_person(report.by, by)


TRIES = 3
"""So many different sheets of one person are compared field by field with the other channel."""


def matches(
    desk: Desk,
    unit: ReadUnit,
    precinct: Precinct,
    channel: Channel,
    sheet: ResultSheet,
    standing: Heads,
    found: tuple[Finding, ...],
    confirmed: bool | Collection[str],
    by: str,
) -> None:
    """It differs from no other channel's report, but in fields that were `confirmed` (True: in any).

    Nobody finds the other's numbers by asking again and again: after three different sheets the fields
    are not named any more, and the sheet after that is taken whether it matches or not.
    """
    if confirmed is True:
        return
    fields: dict[str, None] = {}
    for other in each(standing):
        if other.channel is not channel:
            fields.update(dict.fromkeys(differing_fields(sheet, other.sheet, desk.rules.keys)))
    if not fields.keys() <= set(confirmed or ()):
        order = [entry.path for entry in form_of(desk.rules).counts]
        paths = tuple(sorted(fields, key=order.index))
        names = listed([field_label(desk.rules, path) for path in paths])
        errors = tuple(finding for finding in found if finding.severity is Severity.ERROR)
        tried = sheet.fingerprint
        before = {content for actor, content in unit.tries(precinct.id) if same_person(actor, by)}
        if len(before | {tried}) <= TRIES:
            raise DoesNotMatch(f"Does not match in: {names}. Check what you keyed.", paths, errors, tried)
        if len(before) <= TRIES:
            says = "the caller says" if channel is Channel.PHONE else f"the {channel} says"
            raise DoesNotMatch(
                f"It still does not match. Submit what {says}; a reviewer decides.", (), errors, tried
            )


def reasoned(found: tuple[Finding, ...], reasons: Mapping[str, str]) -> None:
    without = tuple(
        finding
        for finding in found
        if finding.severity is Severity.ERROR and not in_words(reasons.get(finding.id, ""))
    )
    if without:
        raise NeedsReason(without)


@again
def remember(
    desk: Desk, refusal: Refused, by: str, precinct_id: str | None, action: Action = Action.REFUSED
) -> None:
    """Remembered in a transaction of its own, since the refused one was rolled back."""
    tried = refusal.tried if isinstance(refusal, DoesNotMatch) else ""
    with desk.store.write() as unit:
        unit.log(action, refusal.sentence, actor=by, precinct_id=precinct_id, content=tried)
