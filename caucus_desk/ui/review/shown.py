"""Everything that is shown of one case, read once, and what the person at the desk may do in it."""

from dataclasses import dataclass
from enum import StrEnum

from caucus_desk.desk import review
from caucus_desk.desk.attachments import Attachment, attachments
from caucus_desk.desk.cases import Effect, Hint, effects, hints, in_order
from caucus_desk.desk.corrections import corrections
from caucus_desk.desk.errands import Errand
from caucus_desk.desk.naming import same_person
from caucus_desk.desk.people import why_not
from caucus_desk.desk.roles import Job
from caucus_desk.tally.report import CHANNELS, Channel, Ruling
from caucus_desk.tally.results import SheetFinding
from caucus_desk.tally.state import State
from caucus_desk.ui.context import Context
from caucus_desk.ui.review.foot import Deed, send_deeds
from caucus_desk.ui.review.history import HistoryLine, history_of
from caucus_desk.ui.review.hold import claim_sentence, other_claim
from caucus_desk.ui.words import clock, decimal, state_sign, tr

CHANGED_SINCE = "C50"


class Doing(StrEnum):
    """What is to be done in a case."""

    CHOOSE = "choose"
    """Its reports differ."""
    APPROVE = "approve"
    """A ruling waits for a second person."""
    RULED = "ruled"
    ERRORS = "errors"
    """The figures are verified but for errors that nobody has accepted."""
    CHANGED = "changed"
    """It was verified and has changed since, which nobody has noted (C50)."""
    CALL = "call"
    """A report is not confirmed."""
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Shown:
    """One case as it was read."""

    case: review.Case
    doing: Doing
    closed: str
    """Why this person can do nothing here; "" where they can."""
    pending: Ruling | None
    errors: tuple[str, ...]
    """Ids of errors that nobody has accepted."""
    unconfirmed: tuple[Channel, ...]
    effects: tuple[Effect, ...]
    hints: tuple[Hint, ...]
    errands: tuple[Errand, ...]
    """Those that are open."""
    history: tuple[HistoryLine, ...]
    attached: tuple[Attachment, ...]
    findings: tuple[SheetFinding, ...]
    moved: tuple[str, ...]
    """What a correction of the verified precinct moved, in sentences."""

    @property
    def open(self) -> bool:
        return not self.closed

    def is_by(self, person: str) -> bool:
        """Whether the ruling that waits is this person's own."""
        return self.pending is not None and same_person(self.pending.by, person)


def read_case(context: Context, precinct_id: str) -> Shown:
    """Raises CaucusError where the store does not answer."""
    desk = context.desk
    case = review.case(desk, precinct_id)
    pending = None if case.waiting is None else case.waiting.ruling
    # What only the whole caucus shows (C35) is in the overview's result.
    errors = tuple(
        dict.fromkeys((*case.result.open_errors, *context.overview.results[precinct_id].open_errors))
    )
    changed = any(
        entry.finding.id == CHANGED_SINCE and entry.standing and entry.acknowledged is None
        for entry in context.overview.findings_of(precinct_id)
    )
    doing = _doing(case, pending, errors, changed)
    attached = attachments(desk, precinct_id)
    chosen = effects(desk, case) if doing in (Doing.CHOOSE, Doing.APPROVE) else ()
    moved: tuple[str, ...] = ()
    if case.result.changed_after_verified:
        told = corrections(desk)
        moved = tuple(one.sentence for one in told if one.precinct.id == precinct_id)[:1]
    waiting = {report.channel for report in case.heads.values() if not report.confirmed}
    return Shown(
        case=case,
        doing=doing,
        closed=_closed(context, case, doing, pending),
        pending=pending,
        errors=errors,
        unconfirmed=tuple(channel for channel in CHANNELS if channel in waiting),
        effects=chosen,
        hints=hints(context.rules, case),
        errands=tuple(errand for errand in case.errands if errand.open),
        history=history_of(context.rules, case, attached),
        attached=attached,
        findings=context.overview.findings_of(precinct_id),
        moved=moved,
    )


def _doing(case: review.Case, pending: Ruling | None, errors: tuple[str, ...], changed: bool) -> Doing:
    result = case.result
    if pending is not None:
        return Doing.APPROVE
    if result.standing.state is State.MISMATCHED:
        return Doing.CHOOSE
    if errors:
        return Doing.ERRORS
    if changed:
        return Doing.CHANGED
    if result.standing.ruling is not None:
        return Doing.RULED
    if any(not report.confirmed for report in case.heads.values()):
        return Doing.CALL
    return Doing.NOTHING


def _closed(context: Context, case: review.Case, doing: Doing, pending: Ruling | None) -> str:
    """The first reason for which nothing can be decided here by this person."""
    if context.desk.read_only:
        return tr("This store is open for looking only.")
    person, precinct_id = context.person, case.precinct.id
    refusal = why_not(context.desk, person, Job.APPROVE if doing is Doing.APPROVE else Job.REVIEW)
    if refusal:
        return refusal
    for key in in_order(case):
        report = case.heads[key]
        if same_person(report.by, person):
            sentence = tr("You keyed the {0} report: another person decides. You can compare.")
            return sentence.format(report.channel.value)
    if precinct_id in context.eyes.keying:
        return tr("You are keying this precinct: another person decides, or discard that sheet first.")
    claim = other_claim(context, precinct_id)
    if claim is not None:
        return claim_sentence(claim)
    if pending is not None and same_person(pending.by, person):
        return tr("You ruled here: another person approves it or refuses it. Until then it has no force.")
    return ""


def said_of(shown: Shown) -> str:
    """What stands in the place of the choices, in a case where none are to be made."""
    case, standing = shown.case, shown.case.result.standing
    if shown.pending is not None:
        ruling = shown.pending
        said = tr("{0} ruled at {1}: {2}.").format(ruling.by, clock(ruling.at)[:5], ruling.reason.rstrip("."))
        stake = None if case.waiting is None else case.waiting.stake
        if stake is not None:
            said += tr(" It moves up to {0} SDE, so a second person must approve it.").format(decimal(stake))
        return said
    if shown.doing is Doing.ERRORS:
        ids = ", ".join(shown.errors)
        return tr(
            "The figures that count break the rules: {0}. Accept with a reason, or ask the room."
        ).format(ids)
    if shown.doing is Doing.CHANGED:
        return tr("It was verified and has changed since. Look at what moved, and note it as seen.")
    if standing.ruling is not None:
        ruling = standing.ruling
        approved = tr(", approved by {0}").format(ruling.approved_by) if ruling.approved_by else ""
        return tr("{0} ruled at {1}{2}: {3}").format(ruling.by, clock(ruling.at)[:5], approved, ruling.reason)
    if shown.doing is Doing.CALL:
        names = ", ".join(channel.value for channel in shown.unconfirmed)
        return tr(
            "The {0} report is not confirmed: it verifies nothing until someone has called back."
        ).format(names)
    return tr("Nothing differs here: the precinct is {0}.").format(state_sign(standing.state).word)


def deeds_of(shown: Shown, person: str) -> tuple[Deed, ...]:
    """The letters that do something in a case where nothing is to be chosen."""
    onward = Deed("N", tr("next case"))
    if shown.is_by(person):
        return (Deed("W", tr("withdraw it")), onward)
    if shown.closed:
        return (onward,)
    send = {deed.letter: deed for deed in send_deeds()}
    by_doing = {
        Doing.APPROVE: (Deed("Y", tr("approve"), "good"), Deed("X", tr("refuse, with a reason"), "close")),
        Doing.CHANGED: (Deed("K", tr("note it as seen"), "good"),),
        Doing.ERRORS: (Deed("K", tr("accept with a reason"), "good"), send["C"], send["S"]),
        Doing.CALL: (send["C"],),
    }
    ruled = shown.case.result.standing.ruling is not None
    withdraw = (Deed("W", tr("withdraw the ruling"), "back"),) if ruled else ()
    return (*by_doing.get(shown.doing, ()), *withdraw, onward)


def sentence_of(shown: Shown) -> str:
    """What the foot says: why nothing can be done, after what stands."""
    if not shown.closed:
        return said_of(shown)
    if shown.doing in (Doing.APPROVE, Doing.RULED):
        return f"{said_of(shown)} {shown.closed}"
    return shown.closed
