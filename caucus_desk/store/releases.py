"""Releases: added whole, approved, never changed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction

from sqlalchemy import Integer, bindparam, func, literal_column, select

from caucus_desk.store import schema
from caucus_desk.store.actions import Action
from caucus_desk.store.reports import ReportReading
from caucus_desk.store.schema import (
    acknowledgement,
    precinct,
    precinct_state,
    release,
    release_approval,
    release_basis,
    release_line,
    release_pass,
    release_precinct,
    release_row,
    report,
    report_correction,
    report_row,
    report_withdrawal,
    ruling,
    ruling_row,
)
from caucus_desk.store.statements import Prepared, adding, highest
from caucus_desk.store.times import from_text
from caucus_desk.store.told import ToldReading, ToldWriting
from caucus_desk.store.work import Row
from caucus_desk.tally.report import Acknowledgement, Report

_ADD_PASS, _ADD_PRECINCT, _ADD_ROW = adding(release_pass), adding(release_precinct), adding(release_row)
_ADD_BASIS, _ADD_LINE = adding(release_basis), adding(release_line)
_LAST = highest(release.c.id)
_NEWEST_REPORT = highest(report.c.id)
_NEWEST_ACKNOWLEDGEMENT = highest(acknowledgement.c.id)
_SAID = release_approval
_HEADS = Prepared(
    select(release, _SAID.c.by_name, _SAID.c.at)
    .outerjoin(_SAID, _SAID.c.release_id == release.c.id)
    .order_by(release.c.id)
)
_PASSES = Prepared(select(release_pass).order_by(release_pass.c.release_id, release_pass.c.item))
_ONE = bindparam("release", type_=Integer)
_BASIS = Prepared(select(release_basis.c.basis).where(release_basis.c.release_id == _ONE))
_LINES = Prepared(
    select(release_line.c.precinct_id, release_line.c.line)
    .where(release_line.c.release_id == _ONE)
    .order_by(release_line.c.place)
)
_PRECINCTS = Prepared(
    select(release_precinct)
    .where(release_precinct.c.release_id == _ONE)
    .order_by(release_precinct.c.precinct_id)
)
_COUNTED = Prepared(
    select(release_precinct.c.precinct_id).where(
        release_precinct.c.release_id == _ONE, release_precinct.c.counted == literal_column("1")
    )
)
_ROWS = Prepared(
    select(release_row)
    .where(release_row.c.release_id == _ONE)
    .order_by(release_row.c.precinct_id, release_row.c.group_id)
)
_SUMS = Prepared(
    select(
        release_row.c.group_id,
        func.sum(release_row.c.first),
        func.sum(release_row.c.final),
        func.sum(release_row.c.delegates),
    )
    .join(
        release_precinct,
        (release_precinct.c.release_id == release_row.c.release_id)
        & (release_precinct.c.precinct_id == release_row.c.precinct_id),
    )
    .where(release_row.c.release_id == _ONE, release_precinct.c.counted == literal_column("1"))
    .group_by(release_row.c.group_id)
)
_UNIT_SUMS = Prepared(
    select(release_row.c.group_id, release_row.c.sde_den, func.sum(release_row.c.sde_num))
    .where(release_row.c.release_id == _ONE, release_row.c.sde_num.is_not(None))
    .group_by(release_row.c.group_id, release_row.c.sde_den)
)
_ACKS_UPTO = Prepared(
    select(acknowledgement).where(acknowledgement.c.id <= bindparam("last")).order_by(acknowledgement.c.id)
)

# The second path: straight from the rows that the cached states point at, by place, without the tally.
_COUNTS = (precinct_state.c.precinct_id, precinct_state.c.verified)
_PLACED = (
    select(*_COUNTS, *(report_row.c[name] for name in ("group_id", "first", "final", "delegates")))
    .join(precinct_state, precinct_state.c.report_id == report_row.c.report_id)
    .union_all(
        select(*_COUNTS, *(ruling_row.c[name] for name in ("group_id", "first", "final", "delegates"))).join(
            precinct_state, precinct_state.c.ruling_id == ruling_row.c.ruling_id
        )
    )
    .subquery()
)
_BY_PLACE = Prepared(
    select(
        precinct.c.county,
        precinct.c.kind,
        _PLACED.c.precinct_id,
        _PLACED.c.verified,
        _PLACED.c.group_id,
        _PLACED.c.first,
        _PLACED.c.final,
        _PLACED.c.delegates,
    ).join(precinct, precinct.c.id == _PLACED.c.precinct_id)
)
_CORRECTED = Prepared(
    select(report.c.precinct_id, report_correction.c.seq, report.c.by_name, report_correction.c.reason)
    .join(report, report.c.id == report_correction.c.report_id)
    .order_by(report_correction.c.seq)
)
_RULED = Prepared(
    select(ruling.c.precinct_id, ruling.c.id, ruling.c.by_name, ruling.c.reason).order_by(ruling.c.id)
)
_WITHDRAWN = Prepared(
    select(
        report.c.precinct_id,
        report_withdrawal.c.at,
        report_withdrawal.c.by_name,
        report_withdrawal.c.reason,
    )
    .join(report, report.c.id == report_withdrawal.c.report_id)
    .order_by(report_withdrawal.c.at)
)
_RULING_WITHDRAWN = Prepared(
    select(
        ruling.c.precinct_id,
        schema.ruling_withdrawal.c.at,
        schema.ruling_withdrawal.c.by_name,
        schema.ruling_withdrawal.c.reason,
    )
    .join(ruling, ruling.c.id == schema.ruling_withdrawal.c.ruling_id)
    .order_by(schema.ruling_withdrawal.c.at)
)


@dataclass(frozen=True, slots=True)
class ReleaseRecord:
    """A release without its precincts. `passes`: item, what was found, the reason."""

    number: int
    seq: int
    counting: str
    note: str
    by: str
    at: datetime
    needs_approval: bool
    newest_report: int
    digest: str
    passes: tuple[tuple[str, str, str], ...] = ()
    approved_by: str | None = None
    approved_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class ReleasedRow:
    """One group's counts as frozen; `sde` where they are counted."""

    group: str
    first: int | None
    final: int | None
    delegates: int | None
    sde: Fraction | None


@dataclass(frozen=True, slots=True)
class ReleasedPrecinct:
    """One precinct as frozen, counted or not. `rows` are in ballot order."""

    precinct_id: str
    state: str
    verified: bool
    counted: bool
    report_id: int | None
    ruling_id: int | None
    reports: tuple[int, ...]
    fingerprint: str
    attendance: int | None
    rows: tuple[ReleasedRow, ...] = ()


@dataclass(frozen=True, slots=True)
class Frozen:
    """Everything of a release but its head: `basis` and `lines` are JSON of the desk's own."""

    basis: str
    lines: Mapping[str, str]
    """By precinct id, in the roster's order; merged precincts too."""
    precincts: Mapping[str, ReleasedPrecinct]


@dataclass(frozen=True, slots=True)
class PlacedRow:
    """A row of a standing sheet with where it is from, as the tables have it."""

    county: str
    satellite: bool
    precinct_id: str
    verified: bool
    group: str
    first: int
    final: int
    delegates: int


@dataclass(frozen=True, slots=True)
class Told:
    """What was said when a precinct's figures changed: `kind` is corrected, ruled, withdrawn or ruling
    withdrawn; `order` a number or time that says when."""

    kind: str
    precinct_id: str
    order: int | datetime
    by: str
    reason: str


@dataclass(frozen=True, slots=True)
class GroupSum:
    first: int
    final: int
    delegates: int
    sde: Fraction = field(default=Fraction(0))


class ReleaseReading(ReportReading, ToldReading):
    def releases(self) -> tuple[ReleaseRecord, ...]:
        """Oldest first."""
        passes: dict[int, list[tuple[str, str, str]]] = {}
        for number, item, found, reason in self._rows(_PASSES):
            passes.setdefault(number, []).append((item, found, reason))
        return tuple(
            ReleaseRecord(
                number,
                seq,
                counting,
                note,
                by,
                from_text(at),
                bool(needs),
                newest,
                digest,
                tuple(passes.get(number, ())),
                approver,
                None if approved is None else from_text(approved),
            )
            for number, seq, counting, note, by, at, needs, newest, digest, approver, approved in self._rows(
                _HEADS
            )
        )

    def frozen(self, number: int) -> Frozen:
        keys = self._ballot.keys
        rows: dict[str, list[ReleasedRow]] = {}
        for _, place, group, first, final, delegates, num, den in self._rows(_ROWS, number):
            sde = None if num is None else Fraction(num, den)
            rows.setdefault(place, []).append(ReleasedRow(keys[group], first, final, delegates, sde))
        basis = self._one(_BASIS, number)
        return Frozen(
            "" if basis is None else basis[0],
            dict(self._rows(_LINES, number)),
            {row[1]: _precinct(row, tuple(rows.get(row[1], ()))) for row in self._rows(_PRECINCTS, number)},
        )

    def counted_in(self, number: int) -> frozenset[str]:
        """The precincts that a release counts."""
        return frozenset(row[0] for row in self._rows(_COUNTED, number))

    def released_sums(self, number: int) -> dict[str, GroupSum]:
        """What a release counts, added up by the database: exact SDEs by their denominators."""
        keys = self._ballot.keys
        units: dict[int, Fraction] = {}
        for group, den, num in self._rows(_UNIT_SUMS, number):
            units[group] = units.get(group, Fraction(0)) + Fraction(num, den)
        return {
            keys[group]: GroupSum(first or 0, final or 0, delegates or 0, units.get(group, Fraction(0)))
            for group, first, final, delegates in self._rows(_SUMS, number)
        }

    def placed_rows(self) -> list[PlacedRow]:
        """The rows of all standing sheets, by the cached states; blanks as nobody."""
        keys = self._ballot.keys
        return [
            PlacedRow(
                county, kind == "satellite", place, bool(verified), keys[group],
                first or 0, final or 0, delegates or 0,
            )
            for county, kind, place, verified, group, first, final, delegates in self._rows(_BY_PLACE)
        ]  # fmt: skip

    def every_report(self) -> dict[int, Report]:
        """By id; superseded and withdrawn ones too."""
        return {stored.report.id: stored.report for stored in self._stored_reports(None)}

    def newest_report(self) -> int:
        return int(self._rows(_NEWEST_REPORT)[0][0])

    def newest_acknowledgement(self) -> int:
        return int(self._rows(_NEWEST_ACKNOWLEDGEMENT)[0][0])

    def acknowledgements_upto(self, last: int) -> dict[str, list[Acknowledgement]]:
        found: dict[str, list[Acknowledgement]] = {}
        for _, place, finding, fingerprint, by, at, reason, at_desk in self._rows(_ACKS_UPTO, last):
            found.setdefault(place, []).append(
                Acknowledgement(place, finding, fingerprint, by, from_text(at), reason, bool(at_desk))
            )
        return found

    def told_of_changes(self) -> tuple[Told, ...]:
        """Every reason that was given for another figure, each kind oldest first."""
        kinds = (
            ("corrected", _CORRECTED, False),
            ("ruled", _RULED, False),
            ("withdrawn", _WITHDRAWN, True),
            ("ruling withdrawn", _RULING_WITHDRAWN, True),
        )
        return tuple(
            Told(kind, place, from_text(order) if timed else order, by, reason)
            for kind, statement, timed in kinds
            for place, order, by, reason in self._rows(statement)
        )


class ReleaseWriting(ReleaseReading, ToldWriting):
    def next_release(self) -> int:
        return int(self._rows(_LAST)[0][0]) + 1

    def add_release(self, new: ReleaseRecord, frozen: Frozen, *, sentence: str) -> ReleaseRecord:
        """Adds the release with everything that it froze. Its number is `next_release()`, its time the
        unit's."""
        assert new.number == self.next_release()
        seq = self._tell(
            Action.RELEASED,
            sentence,
            new.by,
            {
                "id": new.number,
                "counting": new.counting,
                "note": new.note,
                "by_name": new.by,
                "at": self._now_text,
                "needs_approval": int(new.needs_approval),
                "newest_report": new.newest_report,
                "digest": new.digest,
            },
        )
        self._many(_ADD_PASS, [(new.number, *one) for one in new.passes])
        self._run(_ADD_BASIS, new.number, frozen.basis)
        places = enumerate(frozen.lines.items(), start=1)
        self._many(_ADD_LINE, [(new.number, id, place, line) for place, (id, line) in places])
        self._many(_ADD_PRECINCT, [_precinct_row(new.number, one) for one in frozen.precincts.values()])
        self._many(_ADD_ROW, list(self._group_rows(new.number, frozen.precincts.values())))
        return ReleaseRecord(
            new.number, seq, new.counting, new.note, new.by, self.now, new.needs_approval,
            new.newest_report, new.digest, new.passes,
        )  # fmt: skip

    def approve_release(self, number: int, *, by: str, sentence: str) -> None:
        columns = {"release_id": number, "by_name": by, "at": self._now_text}
        self._tell(Action.RELEASE_APPROVED, sentence, by, columns)

    def _group_rows(self, number: int, precincts: Iterable[ReleasedPrecinct]) -> Iterable[Row]:
        ids = self._ballot.ids
        for one in precincts:
            for row in one.rows:
                num, den = (None, None) if row.sde is None else (row.sde.numerator, row.sde.denominator)
                yield (
                    number, one.precinct_id, ids[row.group], row.first, row.final, row.delegates, num, den,
                )  # fmt: skip


def _precinct_row(number: int, one: ReleasedPrecinct) -> Row:
    return (
        number, one.precinct_id, one.state, int(one.verified), int(one.counted), one.report_id,
        one.ruling_id, " ".join(map(str, one.reports)), one.fingerprint, one.attendance,
    )  # fmt: skip


def _precinct(row: Row, rows: tuple[ReleasedRow, ...]) -> ReleasedPrecinct:
    _, place, state, verified, counted, report_id, ruling_id, reports, fingerprint, attendance = row
    return ReleasedPrecinct(
        place,
        state,
        bool(verified),
        bool(counted),
        report_id,
        ruling_id,
        tuple(map(int, str(reports).split())),
        fingerprint,
        attendance,
        rows,
    )
