"""Making a release: the gate before it, and the second person after it.

What the gate holds back goes out only with a lead's reason for that very item, and the reason is kept
with the release. Nothing is held, or let through, in silence.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from caucus_desk.desk import gating
from caucus_desk.desk.again import again
from caucus_desk.desk.approving import waiting_rulings
from caucus_desk.desk.freezing import basis_text, freeze
from caucus_desk.desk.gating import GateItem
from caucus_desk.desk.guards import WORDLESS, in_words, remember
from caucus_desk.desk.naming import clean_name, clean_text, same_person
from caucus_desk.desk.people import allow, require
from caucus_desk.desk.readding import added_again, differences
from caucus_desk.desk.releases import (
    Release,
    compared,
    frozen_list,
    latest,
    overview_of,
    put_together,
    record_of,
    release,
    release_of,
    whole,
)
from caucus_desk.desk.roles import Job
from caucus_desk.desk.session import Desk
from caucus_desk.desk.settings import RELEASE_APPROVAL
from caucus_desk.desk.wording import clock
from caucus_desk.rules.errors import Refused
from caucus_desk.store.releases import Frozen, ReleaseRecord
from caucus_desk.store.units import WriteUnit
from caucus_desk.store.verifying import check_chain, check_figures
from caucus_desk.tally.bounds import outlook
from caucus_desk.tally.comparison import Comparison
from caucus_desk.tally.frozen import FrozenList
from caucus_desk.tally.outlook import Outlook
from caucus_desk.tally.overview import Overview
from caucus_desk.tally.results import Counting, Coverage
from caucus_desk.tally.scale import site_attendance

__all__ = ["Gate", "GateItem", "approve_release", "gate", "make_release"]

SITE_PEOPLE = 1_000
"""So many may come to a satellite site of which nothing is known; more where a known site has more."""
_TRIES = 3
"""Reports that come in while the gate looks make it look again; the last time nobody else can save."""


@dataclass(frozen=True)
class Gate:
    """What stands at one moment; `seq` is the audit event up to which it looked."""

    counting: Counting
    items: tuple[GateItem, ...]
    coverage: Coverage
    changed: Comparison | None
    """Since the last release; None before the first, or where the two cannot be compared."""
    since: int | None
    """Number of the last release."""
    outlook: Outlook
    seq: int

    @property
    def held(self) -> tuple[GateItem, ...]:
        """Items that need a reason."""
        return tuple(item for item in self.items if item.holds)

    @property
    def passable(self) -> bool:
        """Nothing is held: it can be released without a reason."""
        return not self.held

    def item(self, id: str) -> GateItem:
        return next(item for item in self.items if item.id == id)


def gate(desk: Desk, counting: Counting) -> Gate:
    """Looks at everything that a release made now would say. Takes a second or more on a whole state, so
    not for the window's own thread."""
    seq = desk.saved_seq()
    overview = desk.overview()
    held = FrozenList.of(overview, counting)
    with desk.store.read() as unit:
        chain, figures, events = check_chain(unit), check_figures(unit), unit.last_seq()
        rows, roster = unit.placed_rows(), unit.precincts()
        pending = [stored.ruling.precinct_id for stored in waiting_rulings(unit)]
    again = added_again(desk.rules, roster, rows, held, overview, counting)
    bounds = outlook(overview, counting, site_people=_site_people(overview))
    last = latest(desk)
    changed, other = None, False
    if last is not None:
        other = last.counting is not counting
        try:
            changed = compared(frozen_list(whole(desk, last.number)), held)
        except Refused:
            changed = None
    items = (
        gating.changes_item(None if last is None else last.number, changed, other),
        gating.share_item(overview, counting),
        gating.empty_counties_item(overview, counting),
        gating.doubt_item(overview, counting, bounds),
        gating.findings_item(overview, counting),
        gating.rulings_item(overview, pending),
        gating.unconfirmed_item(overview, counting),
        gating.totals_item(overview, counting, differences(overview, counting, again)),
        gating.audit_item(chain, figures, events),
    )
    number = None if last is None else last.number
    return Gate(counting, items, overview.coverage(), changed, number, bounds, seq)


def _site_people(overview: Overview) -> int:
    known = [
        site_attendance(overview.rules, result) or 0
        for result in overview.results.values()
        if result.precinct.is_satellite
    ]
    return max(SITE_PEOPLE, *known, 0)


@again
def make_release(
    desk: Desk,
    counting: Counting,
    *,
    note: str = "",
    passes: Mapping[str, str],
    by: str,
    seen: Gate | None = None,
) -> Release:
    """Freezes what stands now; saved when this returns.

    `passes`: a reason in words for each item of the gate that is held, by its id. With `seen`, the gate
    that the lead looked at, it is refused where the gate holds something else by now. For a lead only.
    """
    by = clean_name(by)
    note = clean_text(note, "note")
    require(desk, by, Job.RELEASE)
    given = {gating.OLD_NAMES.get(item, item): _reason(reason) for item, reason in passes.items()}
    for attempt in range(1, _TRIES + 1):
        found = gate(desk, counting) if attempt < _TRIES else None
        try:
            with desk.store.write() as unit:
                allow(desk, unit, by, Job.RELEASE)
                if found is None:
                    found = gate(desk, counting)
                elif _moved_on(unit, found):
                    continue
                return _make(desk, unit, found, note, given, by, seen)
        except Refused as refusal:
            remember(desk, refusal, by, None)
            raise
    raise AssertionError("the last try always ends")


def _moved_on(unit: WriteUnit, found: Gate) -> bool:
    """Whether anything was saved since the gate looked that a release would say."""
    changes = unit.changes_since(found.seq)
    made = unit.releases()
    newest = made[-1].number if made else None
    return changes.everything or bool(changes.precinct_ids) or newest != found.since


def _make(
    desk: Desk, unit: WriteUnit, found: Gate, note: str, given: Mapping[str, str], by: str, seen: Gate | None
) -> Release:
    _may_pass(found, given, seen)
    overview = desk.overview()
    controls = unit.control_totals()
    text = basis_text(unit.caucus(), desk.rules, controls, unit.newest_acknowledgement(), unit.now)
    held = freeze(overview, found.counting, text)
    needs = unit.setting_values().get(RELEASE_APPROVAL) == "on"
    number = unit.next_release()
    record = ReleaseRecord(
        number=number,
        seq=0,
        counting=str(found.counting),
        note=note,
        by=by,
        at=unit.now,
        needs_approval=needs,
        newest_report=unit.newest_report(),
        digest="",
        passes=tuple(sorted((item.id, item.detail, given[item.id]) for item in found.held)),
    )
    record = replace(record, digest=digest_of(unit, record, held))
    counted = sum(one.counted for one in held.precincts.values())
    passed = (
        f"; passed with a reason: {', '.join(item for item, _, _ in record.passes)}" if record.passes else ""
    )
    sentence = (
        f"{by} made release {number}, counting {found.counting}: {counted:,} precincts, digest "
        f"{record.digest[:16]}{passed}"
    )
    saved = unit.add_release(record, held, sentence=sentence)
    wrong = differences(overview, found.counting, unit.released_sums(number))
    if wrong:  # what was written does not add up to what was shown: nothing of it is kept
        raise Refused(f"The release does not add up to the tally, so it was not made: {gating.some(wrong)}.")
    return release_of(saved)


def digest_of(unit: WriteUnit, record: ReleaseRecord, held: Frozen) -> str:
    """Worked out from what is being kept, as any later reading works it out, not from the desk's figures."""
    overview, basis = overview_of(unit, held)
    return put_together(record, held, overview, basis).digest


def _may_pass(found: Gate, given: Mapping[str, str], seen: Gate | None) -> None:
    held = {item.id: item for item in found.held}
    lacking = [item for id, item in held.items() if not given.get(id)]
    if lacking:
        told = " ".join(f"{item.title}: {item.detail}" for item in lacking)
        word = "reason is" if len(lacking) == 1 else "reasons are"
        ids = ", ".join(item.id for item in lacking)
        raise Refused(f"The gate holds this release back, and a {word} needed for {ids}. {told}")
    unasked = [id for id in given if id not in {item.id for item in found.items}]
    if unasked:
        known = ", ".join(item.id for item in found.items)
        raise Refused(f"The gate has no item {', '.join(unasked)}. It has: {known}.")
    if seen is not None:
        before = {item.id: item.detail for item in seen.held}
        news = [item for id, item in held.items() if before.get(id) != item.detail]
        if news:
            told = " ".join(f"{item.title}: {item.detail}" for item in news)
            raise Refused(f"The gate finds something else by now. {told} Look at it again, then release.")


def _reason(text: str) -> str:
    reason = clean_text(text)
    if reason and not in_words(reason):
        raise Refused(WORDLESS)
    return reason


@again
def approve_release(desk: Desk, number: int, *, by: str) -> Release:
    """The second person's yes, where the caucus asks for one. Refused for whoever made it."""
    by = clean_name(by)
    try:
        with desk.store.write() as unit:
            allow(desk, unit, by, Job.RELEASE)
            record = record_of(unit, number)
            if not record.needs_approval:
                raise Refused(f"Release {number} needs no approval: it went out at {clock(record.at)}.")
            if record.approved_at is not None:
                raise Refused(
                    f"{record.approved_by} approved release {number} at {clock(record.approved_at)} already."
                )
            if same_person(record.by, by):
                raise Refused(f"{record.by} made release {number}: another person must approve it.")
            unit.approve_release(
                number, by=by, sentence=f"{by} approved release {number}, made by {record.by}"
            )
    except Refused as refusal:
        remember(desk, refusal, by, None)
        raise
    return release(desk, number)
