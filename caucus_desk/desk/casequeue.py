"""The review queue: every precinct that needs a person, the worst first."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from fractions import Fraction
from weakref import WeakKeyDictionary

from caucus_desk.desk.approving import waiting_rulings
from caucus_desk.desk.claiming import open_claims
from caucus_desk.desk.session import Desk
from caucus_desk.desk.wording import listed
from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.store.claims import CaseClaim
from caucus_desk.store.records import StoredRuling
from caucus_desk.tally.catalogue import severity_of
from caucus_desk.tally.errand import Errand, ErrandKind
from caucus_desk.tally.form import field_label
from caucus_desk.tally.overview import Overview
from caucus_desk.tally.report import CHANNELS, Channel
from caucus_desk.tally.results import PrecinctResult
from caucus_desk.tally.roster import Precinct
from caucus_desk.tally.sheet import ResultSheet
from caucus_desk.tally.state import State
from caucus_desk.tally.urgency import Urgency, at_stake, closeness, differ_since


class QueueKind(StrEnum):
    MISMATCH = "mismatch"
    ERROR = "error"
    """Matched or ruled, and kept from being verified by errors that nobody has acknowledged."""
    APPROVAL = "approval"
    """A ruling waits for a second person."""
    UNCONFIRMED = "unconfirmed"
    """A caller proved nothing, and nobody has called back."""
    CORRECTION = "correction"
    """It was verified and has changed since (C50), which nobody has acknowledged."""


@dataclass(frozen=True, slots=True)
class QueueItem:
    """One precinct of the queue, with everything in it that needs a person."""

    precinct: Precinct
    kinds: frozenset[QueueKind]
    channels: tuple[Channel, ...]
    """Those that have reported."""
    at_stake: Fraction | None
    """SDEs (tally.urgency.at_stake; without a mismatch, what its findings can move); None where the roster
    does not let them be worked out."""
    closeness: int | None
    """People (tally.urgency.closeness)."""
    waits_since: datetime
    what: str
    claimed: CaseClaim | None
    """The reviewer who has it open now."""
    errands: tuple[Errand, ...] = ()
    """What was sent back and is not done yet."""


def queue(desk: Desk, overview: Overview) -> tuple[QueueItem, ...]:
    """Everything that needs a person, the worst first: most SDEs at stake, then the closest, then the
    longest wait. One item a precinct."""
    with desk.store.read() as unit:
        waiting = {stored.ruling.precinct_id: stored for stored in waiting_rulings(unit)}
        claimed = open_claims(unit, unit.now)
        errands: dict[str, list[Errand]] = {}
        for errand in unit.open_errands():
            errands.setdefault(errand.precinct_id, []).append(errand)
    heeds_changes = severity_of(desk.rules, "C50") is not None
    found = []
    for precinct_id, result in overview.results.items():
        kinds = _kinds(result, waiting, heeds_changes)
        if not kinds:
            continue
        urgency = _urgency(desk, overview, result, kinds, waiting.get(precinct_id))
        item = QueueItem(
            precinct=result.precinct,
            kinds=kinds,
            channels=tuple(channel for channel in CHANNELS if channel in result.reports),
            at_stake=urgency.at_stake,
            closeness=urgency.closeness,
            waits_since=urgency.waits_since,
            what=_what(desk.rules, result, kinds, waiting.get(precinct_id), errands.get(precinct_id, [])),
            claimed=claimed.get(precinct_id),
            errands=tuple(errands.get(precinct_id, ())),
        )
        found.append((urgency.order, item))
    return tuple(item for _, item in sorted(found, key=lambda line: line[0]))


def _kinds(
    result: PrecinctResult, waiting: Mapping[str, StoredRuling], heeds_changes: bool
) -> frozenset[QueueKind]:
    if not result.reports or result.precinct.merged:
        return frozenset()
    kinds = set()
    state = result.standing.state
    if state is State.MISMATCHED:
        kinds.add(QueueKind.MISMATCH)
        if result.precinct.id in waiting:
            kinds.add(QueueKind.APPROVAL)
    if result.open_errors:
        kinds.add(QueueKind.ERROR)
    confirmed = all(report.confirmed for report in result.heads.values())
    if not confirmed and state is not State.RULED and not result.verified:
        kinds.add(QueueKind.UNCONFIRMED)
    answered = any(given.finding == "C50" for given in result.acknowledgements)
    if heeds_changes and result.changed_after_verified and not answered:
        kinds.add(QueueKind.CORRECTION)
    return frozenset(kinds)


def _urgency(
    desk: Desk,
    overview: Overview,
    result: PrecinctResult,
    kinds: frozenset[QueueKind],
    waiting: StoredRuling | None,
) -> Urgency:
    stakes: list[Fraction | None] = []
    if QueueKind.MISMATCH in kinds:
        ruled = () if waiting is None else (waiting.ruling.sheet,)
        stakes.append(at_stake(overview, result, ruled))
    if kinds - {QueueKind.MISMATCH, QueueKind.APPROVAL}:
        unknown = result.precinct.county in overview.unscaled_counties
        stakes.append(None if unknown else overview.sdes_at_stake(result.precinct.id))
    known = [stake for stake in stakes if stake is not None]
    sheet = result.standing.sheet
    return Urgency(
        at_stake=max(known) if known else None,
        closeness=_closeness(desk, result.precinct, sheet),
        waits_since=_since(desk.rules, result, kinds, waiting),
    )


_close: WeakKeyDictionary[Desk, dict[str, tuple[ResultSheet | None, int | None]]] = WeakKeyDictionary()
"""By desk and precinct, the sheet looked at last with what came out: the queue is asked for after each
change, and nearly all of it stands as before."""


def _closeness(desk: Desk, precinct: Precinct, sheet: ResultSheet | None) -> int | None:
    kept = _close.setdefault(desk, {})
    known = kept.get(precinct.id)
    if known is None or known[0] is not sheet:
        known = kept[precinct.id] = (sheet, closeness(desk.rules, precinct, sheet))
    return known[1]


def _since(
    rules: RuleSet, result: PrecinctResult, kinds: frozenset[QueueKind], waiting: StoredRuling | None
) -> datetime:
    """When the first of what needs a person began."""
    newest = max(report.at for report in result.heads.values())
    times = []
    if QueueKind.MISMATCH in kinds:
        times.append(differ_since(result.heads, rules.keys) or newest)
    if QueueKind.APPROVAL in kinds and waiting is not None:
        times.append(waiting.ruling.at)
    if QueueKind.UNCONFIRMED in kinds:
        times += [report.at for report in result.heads.values() if not report.confirmed]
    if QueueKind.ERROR in kinds:
        ruling = result.standing.ruling
        times.append(newest if ruling is None else ruling.at)
    if QueueKind.CORRECTION in kinds:
        times.append(newest)
    return min(times)


def _what(
    rules: RuleSet,
    result: PrecinctResult,
    kinds: frozenset[QueueKind],
    waiting: StoredRuling | None,
    errands: list[Errand],
) -> str:
    said = []
    if QueueKind.APPROVAL in kinds and waiting is not None:
        said.append(f"{waiting.ruling.by}'s ruling waits for approval")
    if QueueKind.MISMATCH in kinds:
        names = [field_label(rules, mismatch.field) for mismatch in result.mismatches]
        more = len(names) - 2
        if more > 1:
            names = [*names[:2], f"{more} more fields"]
        said.append(f"differs in {listed(names)}")
        several = Counter(report.channel for report in result.heads.values())
        said += [f"{count} {c} reports stand" for c in CHANNELS if (count := several[c]) > 1]
    if QueueKind.ERROR in kinds:
        said.append(f"{listed(list(result.open_errors))} not acknowledged")
    if QueueKind.UNCONFIRMED in kinds:
        waiting_for = {report.channel for report in result.heads.values() if not report.confirmed}
        channels = [str(channel) for channel in CHANNELS if channel in waiting_for]
        said.append(f"{listed(channels)} not confirmed: call back")
    if QueueKind.CORRECTION in kinds:
        said.append("changed after it was verified")
    for errand in errands:
        where = {
            ErrandKind.REKEY: f"to a clerk for {errand.channel}",
            ErrandKind.CALL_BACK: "to be called back",
            ErrandKind.FETCH: "to fetch the sheet",
        }[errand.kind]
        said.append(f"sent back {where} by {errand.by}")
    return "; ".join(said)
