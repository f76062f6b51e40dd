"""Releases as they were made: each a frozen list of precincts with the exact sheets that it counts.

What is read here never changes: later reports, another roster or other rules touch no release.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from caucus_desk.desk.freezing import Basis, basis_digest, read_basis, read_line, result_of, sheet_of
from caucus_desk.desk.session import Desk
from caucus_desk.rules.errors import Refused
from caucus_desk.store.errors import StoreDamaged
from caucus_desk.store.releases import Frozen, ReleaseRecord, Told
from caucus_desk.store.units import ReadUnit
from caucus_desk.tally.comparison import Comparison, Kind
from caucus_desk.tally.comparison import compare as compare_lists
from caucus_desk.tally.digest import DigestHead, digest, made_text, sheets_of, short, totals_digest, totals_of
from caucus_desk.tally.frozen import FrozenList
from caucus_desk.tally.overview import Overview
from caucus_desk.tally.results import Counting
from caucus_desk.tally.sheet import ResultSheet
from caucus_desk.tally.state import State


@dataclass(frozen=True, slots=True)
class Pass:
    """What the gate held back and a lead passed: the gate's item, what it found, the lead's reason."""

    item: str
    found: str
    reason: str


@dataclass(frozen=True, slots=True)
class Release:
    """One release, without its precincts. `at`, `approved_at` are UTC."""

    number: int
    counting: Counting
    note: str
    by: str
    at: datetime
    needs_approval: bool
    approved_by: str | None
    approved_at: datetime | None
    newest_report: int
    """The newest report of the whole store when it was made; 0: there was none."""
    digest: str
    """64 hex digits, of everything that it counts."""
    passes: tuple[Pass, ...]
    seq: int = 0
    """The audit event that tells of it; grows with time."""

    @property
    def waiting(self) -> bool:
        """Nothing of it may go out before a second person has approved it."""
        return self.needs_approval and self.approved_at is None

    @property
    def digest_short(self) -> str:
        """`1a2b 3c4d 5e6f 7a8b`, as it is printed on every sheet."""
        return short(self.digest)


@dataclass(frozen=True, slots=True)
class FrozenPrecinct:
    """One precinct as a release froze it; also one that it does not count."""

    precinct_id: str
    state: State
    verified: bool
    counted: bool
    report_id: int | None
    ruling_id: int | None
    reports: tuple[int, ...]
    """Ids of the reports that stood, also of those that were withdrawn since."""
    sheet: ResultSheet | None
    fingerprint: str


@dataclass(frozen=True)
class Whole:
    """A release with everything that it froze, as read from the store in one view."""

    release: Release
    basis: Basis
    basis_digest: str
    """Worked out from the rows as they stand."""
    overview: Overview
    totals: str
    digest: str
    """Worked out anew from the frozen sheets; that of the release, unless the store was altered."""


def releases(desk: Desk) -> tuple[Release, ...]:
    """Every release, the oldest first."""
    with desk.store.read() as unit:
        return tuple(map(release_of, unit.releases()))


def release(desk: Desk, number: int) -> Release:
    """Refused where there is none of this number."""
    with desk.store.read() as unit:
        return release_of(record_of(unit, number))


def latest(desk: Desk) -> Release | None:
    made = releases(desk)
    return made[-1] if made else None


def frozen(desk: Desk, number: int) -> Mapping[str, FrozenPrecinct]:
    """By precinct id, in the roster's order at the time; merged precincts are not among them."""
    with desk.store.read() as unit:
        record_of(unit, number)
        held = unit.frozen(number)
    return {
        id: FrozenPrecinct(
            id,
            State(one.state),
            one.verified,
            one.counted,
            one.report_id,
            one.ruling_id,
            one.reports,
            sheet_of(one, read_line(line)),
            one.fingerprint,
        )
        for id, line in held.lines.items()
        if (one := held.precincts.get(id)) is not None
    }


def released_overview(desk: Desk, number: int) -> Overview:
    """The tally exactly as released, from the frozen sheets alone. It belongs to the calling thread."""
    return whole(desk, number).overview


def whole(desk: Desk, number: int) -> Whole:
    """Raises StoreDamaged where what the release froze cannot be read."""
    with desk.store.read() as unit:
        record = record_of(unit, number)
        held = unit.frozen(number)
        overview, basis = overview_of(unit, held)
    return put_together(record, held, overview, basis)


def put_together(record: ReleaseRecord, held: Frozen, overview: Overview, basis: Basis) -> Whole:
    """With the digests as they come out of what is held."""
    counting = Counting(record.counting)
    inner = basis_digest(record, held)
    totals = totals_digest(totals_of(overview, counting))
    head = DigestHead(record.number, made_text(record.at), record.counting, inner)
    found = digest(head, totals, sheets_of(overview, counting))
    return Whole(release_of(record), basis, inner, overview, totals, found)


def overview_of(unit: ReadUnit, held: Frozen) -> tuple[Overview, Basis]:
    try:
        basis = read_basis(held.basis)
        every = unit.every_report()
        given = unit.acknowledgements_upto(basis.newest_acknowledgement)
        named = {one.ruling_id for one in held.precincts.values() if one.ruling_id is not None}
        rulings = {id: stored.ruling for id in named if (stored := unit.ruling(id)) is not None}
        results = [
            result_of(
                basis.rules, id, held.precincts.get(id), read_line(line), every, rulings, given.get(id, ())
            )
            for id, line in held.lines.items()
        ]
    except (ValueError, KeyError, TypeError) as error:
        raise StoreDamaged(
            f"This store is damaged: what a release froze cannot be read ({error}). Leave the file as it is "
            "and restore the last good backup to a new file."
        ) from error
    return Overview(basis.rules, basis.caucus, results, basis.controls), basis


def record_of(unit: ReadUnit, number: int) -> ReleaseRecord:
    made = unit.releases()
    for record in made:
        if record.number == number:
            return record
    if not made:
        raise Refused(
            "There is no release yet. A lead makes one under Releases.",
            typed="There is no release yet. A lead makes one with `release make`.",
        )
    raise Refused(f"There is no release {number}. The newest is release {made[-1].number}.")


def compare(desk: Desk, older: int, newer: int | None = None) -> Comparison:
    """What moved from one release to another, or (None) to what stands now, counted as `older` counts."""
    before = whole(desk, older)
    if newer is None:
        after = FrozenList.of(desk.overview(), before.release.counting)
    else:
        after = frozen_list(whole(desk, newer))
    return compared(frozen_list(before), after)


def frozen_list(one: Whole) -> FrozenList:
    return FrozenList.of(one.overview, one.release.counting)


def compared(before: FrozenList, after: FrozenList) -> Comparison:
    try:
        return compare_lists(before, after)
    except ValueError as error:
        raise Refused("The two have other groups on the ballot, so there is nothing to compare.") from error


def reasons(desk: Desk, comparison: Comparison, older: int, newer: int | None = None) -> Mapping[str, str]:
    """Why a precinct moved, in the words that were given at the time, by precinct id: of a correction, a
    ruling, a withdrawal. Precincts that simply came in are not among them."""
    with desk.store.read() as unit:
        first = record_of(unit, older)
        last = record_of(unit, newer) if newer is not None else None
        told = unit.told_of_changes()
        before = {id: one.ruling_id for id, one in unit.frozen(older).precincts.items()}
        after = None if newer is None else unit.frozen(newer).precincts
    now = desk.overview().results if after is None else None

    def ruling_of(id: str) -> int | None:
        if after is not None:
            return after[id].ruling_id if id in after else None
        result = now.get(id) if now is not None else None
        return result.standing.ruling.id if result is not None and result.standing.ruling else None

    within: dict[str, list[Told]] = {}
    for one in told:
        if _between(one, first, last):
            within.setdefault(one.precinct_id, []).append(one)
    rulings = {one.order: one for one in told if one.kind == "ruled"}
    found = {}
    for change in comparison.changes:
        id = change.precinct.id
        said = [_in_words(one) for one in within.get(id, ())]
        force = ruling_of(id)
        if force is not None and force != before.get(id) and force in rulings:
            said.append(_in_words(rulings[force]))
        if said and change.kind not in (Kind.ADDED, Kind.GONE, Kind.REWEIGHED):
            found[id] = "; ".join(said)
    return found


def _between(one: Told, first: ReleaseRecord, last: ReleaseRecord | None) -> bool:
    if isinstance(one.order, datetime):
        return first.at < one.order and (last is None or one.order <= last.at)
    if one.kind == "ruled":
        return False  # told by the release's own rulings
    return first.seq < one.order and (last is None or one.order < last.seq)


_WORDS = {
    "corrected": "Corrected by {by}: {reason}",
    "withdrawn": "Report withdrawn by {by}: {reason}",
    "ruling withdrawn": "Ruling withdrawn by {by}: {reason}",
    "ruled": "Ruled by {by}: {reason}",
}


def _in_words(one: Told) -> str:
    return _WORDS[one.kind].format(by=one.by, reason=one.reason)


def release_of(record: ReleaseRecord) -> Release:
    return Release(
        number=record.number,
        counting=Counting(record.counting),
        note=record.note,
        by=record.by,
        at=record.at,
        needs_approval=record.needs_approval,
        approved_by=record.approved_by,
        approved_at=record.approved_at,
        newest_report=record.newest_report,
        digest=record.digest,
        passes=tuple(Pass(*one) for one in record.passes),
        seq=record.seq,
    )
