"""Review: one precinct's reports side by side, and the ruling that ends a mismatch."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from caucus_desk.desk.again import again
from caucus_desk.desk.claiming import not_another_s, released
from caucus_desk.desk.guards import WORDLESS, in_words, remember
from caucus_desk.desk.naming import clean_name, clean_text, same_person
from caucus_desk.desk.people import allow
from caucus_desk.desk.roles import Job
from caucus_desk.desk.ruledsheet import ruled_sheet, stake_of
from caucus_desk.desk.session import Desk
from caucus_desk.desk.settings import settings
from caucus_desk.desk.settling import derive, settle
from caucus_desk.desk.sheetcheck import SheetCheck, check_of
from caucus_desk.desk.two_people import not_their_own
from caucus_desk.desk.wording import clock, place
from caucus_desk.rules.errors import Refused
from caucus_desk.store.records import StoredReport, StoredRuling
from caucus_desk.store.units import ReadUnit
from caucus_desk.tally.call import Call
from caucus_desk.tally.errand import Errand
from caucus_desk.tally.form import form_of
from caucus_desk.tally.report import CHANNELS, Acknowledgement, Channel, HeadKey, Report, Ruling
from caucus_desk.tally.results import PrecinctResult
from caucus_desk.tally.roster import Precinct
from caucus_desk.tally.sheet import Column
from caucus_desk.tally.state import State


@dataclass(frozen=True, slots=True)
class CaseField:
    """One field, in worksheet order. `values` has every channel that reported (None: blank); of a channel
    with several reports that stand, what the leading one says."""

    path: str
    label: str
    values: Mapping[Channel, int | None]
    differs: bool
    stands: int | None
    """The value of the standing sheet."""
    computed: int | None
    """What the rules give, for a group's delegates; None elsewhere."""
    rivals: Mapping[int, int | None] = field(default_factory=dict)
    """By id, what each report says that stands beside the leading one of its channel."""

    @property
    def by_key(self) -> Mapping[HeadKey, int | None]:
        """What every report that stands says."""
        found: dict[HeadKey, int | None] = dict(self.values.items())
        found.update(self.rivals.items())
        return found


@dataclass(frozen=True, slots=True)
class Case:
    """Everything that a reviewer looks at for one precinct."""

    precinct: Precinct
    result: PrecinctResult
    reports: Mapping[Channel, Report]
    fields: tuple[CaseField, ...]
    check: SheetCheck | None
    """Of the standing sheet; None while awaiting."""
    seen_report: int
    """The newest standing report; a ruling must name it, so that none goes unseen. 0 while awaiting."""
    history: tuple[StoredReport, ...]
    rulings: tuple[StoredRuling, ...]
    """Every report and ruling that there ever was, also superseded and withdrawn ones, oldest first."""
    said: tuple[Acknowledgement, ...] = ()
    """What clerks gave as reasons when they submitted the reports that stand, oldest first."""
    calls: tuple[Call, ...] = ()
    """Every call about the precinct, oldest first."""
    errands: tuple[Errand, ...] = ()
    """Everything that was sent back, oldest first, ended or not."""

    @property
    def heads(self) -> Mapping[HeadKey, Report]:
        """Every report that stands: the leading one of each channel, then the rivals by id."""
        return self.result.heads

    @property
    def rivals(self) -> tuple[Report, ...]:
        """Reports from other stores that stand beside the leading one of their channel."""
        return self.result.rivals

    @property
    def approvals(self) -> tuple[StoredRuling, ...]:
        """The rulings that needed a second person, with who approved them, oldest first."""
        return tuple(stored for stored in self.rulings if stored.stake is not None)

    @property
    def waiting(self) -> StoredRuling | None:
        """The ruling that has no force before somebody approves it; None where a newer report has overtaken
        it, or there is none."""
        last = next((stored for stored in reversed(self.rulings) if not stored.withdrawn), None)
        if last is None or not last.ruling.pending or last.ruling.seen_report < self.seen_report:
            return None
        return last

    @property
    def differing(self) -> tuple[str, ...]:
        """Paths of the fields that a ruling must choose."""
        return tuple(entry.path for entry in self.fields if entry.differs)


def case(desk: Desk, precinct_id: str) -> Case:
    """The precinct as it stands, its reports side by side, and its whole history."""
    precinct = desk.precinct(precinct_id)
    with desk.store.read() as unit:
        result = derive(unit, desk.rules, [precinct_id], desk.precincts)[precinct_id]
        history = unit.history(precinct_id)
        rulings = unit.ruling_history(precinct_id)
        acknowledged = unit.acknowledgements([precinct_id]).get(precinct_id, [])
        calls = unit.calls(precinct_id)
        errands = unit.errands(precinct_id)
    sheet = result.standing.sheet
    checked = None if sheet is None else check_of(desk.rules, precinct, sheet)
    differing = {mismatch.field: mismatch for mismatch in result.mismatches}
    fields = tuple(
        CaseField(
            path=entry.path,
            label=entry.label,
            values=differing[entry.path].values
            if entry.path in differing
            else {c: result.reports[c].sheet.count(entry.path) for c in CHANNELS if c in result.reports},
            differs=entry.path in differing,
            stands=None if sheet is None else sheet.count(entry.path),
            computed=_computed(checked, entry.group) if entry.column is Column.DELEGATES else None,
            rivals=dict(differing[entry.path].rivals)
            if entry.path in differing
            else {rival.id: rival.sheet.count(entry.path) for rival in result.rivals},
        )
        for entry in form_of(desk.rules).counts
    )
    return Case(
        precinct=precinct,
        result=result,
        reports=result.reports,
        fields=fields,
        check=checked,
        seen_report=_newest(result.heads.values()),
        history=history,
        rulings=rulings,
        said=tuple(given for given in acknowledged if _of_a_report(given, result.heads.values())),
        calls=calls[::-1],
        errands=errands,
    )


def _of_a_report(given: Acknowledgement, reports: Iterable[Report]) -> bool:
    return (
        given.at_desk
        and bool(given.reason)
        and any(
            same_person(report.by, given.by) and report.sheet.bound_to(given.finding) == given.fingerprint
            for report in reports
        )
    )


def _computed(checked: SheetCheck | None, group: str | None) -> int | None:
    if checked is None or group is None or not checked.computed:
        return None
    return checked.computed.get(group, 0)


def _newest(reports: Iterable[Report]) -> int:
    return max((report.id for report in reports), default=0)


@again
def rule(
    desk: Desk,
    precinct_id: str,
    choices: Mapping[str, int | None],
    *,
    seen_report: int,
    reason: str,
    by: str,
) -> Ruling:
    """Decides which value stands for each field that differs; saved when this returns.

    `choices` maps field paths to the value that stands (None: blank); every differing field must be
    among them, and others may be, where a call-back brought a figure that no report has. Refused for
    whoever keyed a standing report, without a reason, where nothing differs, while another reviewer has
    the case, and when a report newer than `seen_report` has come in. The reports stay as they are.

    Where more is at stake than the caucus lets one person decide (`settings.approval_stake`, in SDEs, held
    against the greatest distance between the ruling and a report), the ruling is `pending`: it has no
    force before another person approves it.
    """
    by = clean_name(by)
    reason = _reason(reason, "ruling")
    precinct = desk.precinct(precinct_id)
    overview, limit = desk.overview(), settings(desk).approval_stake
    try:
        with desk.store.write() as unit:
            allow(desk, unit, by, Job.REVIEW)
            result = derive(unit, desk.rules, [precinct_id], desk.precincts)[precinct_id]
            not_their_own(unit, precinct, by)
            not_another_s(unit, precinct, by)
            _can_be_ruled(unit, result, seen_report)
            sheet = ruled_sheet(desk, result, choices)
            stake = stake_of(overview, result, sheet)
            needs = limit is not None and stake > limit
            ruling = unit.add_ruling(
                precinct_id,
                sheet,
                seen_report=seen_report,
                by=by,
                reason=reason,
                stake=stake if needs else None,
                sentence=f"{by} ruled on {place(precinct)}: {reason}",
            )
            released(unit, precinct_id, by)
            settle(unit, desk.rules, [precinct_id], desk.precincts)
            return ruling
    except Refused as refusal:
        remember(desk, refusal, by, precinct_id)
        raise


@again
def withdraw_ruling(desk: Desk, ruling_id: int, reason: str, by: str) -> None:
    """Ends a ruling; it stays on record with who withdrew it and why, and the state is worked out again."""
    by = clean_name(by)
    reason = _reason(reason, "withdrawal")
    precinct_id: str | None = None
    try:
        with desk.store.write() as unit:
            allow(desk, unit, by, Job.REVIEW)
            stored = unit.ruling(ruling_id)
            if stored is None:
                raise Refused(f"There is no ruling {ruling_id}.")
            ruling = stored.ruling
            precinct_id = ruling.precinct_id
            if stored.withdrawn_at is not None:
                raise Refused(
                    f"{stored.withdrawn_by} withdrew this ruling already, at {clock(stored.withdrawn_at)}."
                )
            precinct = desk.precinct(precinct_id)
            not_their_own(unit, precinct, by)
            not_another_s(unit, precinct, by)
            unit.withdraw_ruling(
                ruling,
                by=by,
                reason=reason,
                sentence=f"{by} withdrew the ruling on {place(precinct)}: {reason}",
            )
            settle(unit, desk.rules, [precinct_id], desk.precincts)
    except Refused as refusal:
        remember(desk, refusal, by, precinct_id)
        raise


def _reason(text: str, what: str) -> str:
    reason = clean_text(text)
    if not reason:
        raise Refused(f"A {what} needs a reason: say how you know which figure is right.")
    if not in_words(reason):
        raise Refused(WORDLESS)
    return reason


def _can_be_ruled(unit: ReadUnit, result: PrecinctResult, seen_report: int) -> None:
    where = place(result.precinct)
    newer = [report for report in result.heads.values() if report.id > seen_report]
    if newer:
        report = max(newer, key=lambda entry: entry.id)
        raise Refused(
            f"A newer {report.channel} report of {where} came in at {clock(report.at)}, by {report.by}. "
            "Nothing was saved; look at the precinct again."
        )
    ruling = result.standing.ruling
    if ruling is not None:
        raise Refused(
            f"{ruling.by} ruled on {where} at {clock(ruling.at)}. Withdraw that ruling first, with a reason."
        )
    waiting = unit.rulings([result.precinct.id]).get(result.precinct.id)
    if waiting is not None and waiting.pending and waiting.seen_report >= seen_report:
        raise Refused(
            f"{waiting.by} ruled on {where} at {clock(waiting.at)}, and that ruling waits for a second "
            "person. Approve it, or withdraw it first, with a reason."
        )
    if result.standing.state is not State.MISMATCHED:
        raise Refused(
            f"Nothing differs in {where}: it is {result.standing.state}, and there is nothing to rule on."
        )
