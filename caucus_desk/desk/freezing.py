"""What a release keeps of a precinct, and how it is read again: nothing is looked up outside the release.

Figures and states are columns of the store. Beside them stands JSON: the roster's line, what a sheet says
besides figures, the errors that were open; and once for the release its rules, ballot and control totals.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Any

from caucus_desk.reports.book import zone_words
from caucus_desk.rules.loading import parse_rule_set, with_groups
from caucus_desk.rules.ruleset import Group, GroupKind, RuleSet
from caucus_desk.store.records import CaucusRecord
from caucus_desk.store.releases import Frozen, ReleasedPrecinct, ReleasedRow, ReleaseRecord
from caucus_desk.tally.assess import Awards
from caucus_desk.tally.counting import counts
from caucus_desk.tally.heads import beside, leading, led
from caucus_desk.tally.mismatch import mismatches
from caucus_desk.tally.overview import Overview
from caucus_desk.tally.report import Acknowledgement, Report, Ruling
from caucus_desk.tally.results import ControlTotal, Counting, PrecinctResult
from caucus_desk.tally.roster import Precinct, PrecinctKind
from caucus_desk.tally.sheet import ChanceRecord, GroupCounts, ResultSheet
from caucus_desk.tally.state import Standing, State

_as_text = json.JSONEncoder(ensure_ascii=True, separators=(",", ":"), sort_keys=True).encode
_ROSTER = (
    "county", "name", "kind", "district", "delegates", "county_state_delegates", "county_total_delegates",
    "attendance", "last_attendance", "registered", "chair", "phone",
)  # fmt: skip
_BESIDE = (
    "threshold", "delegates_to_elect", "second_attendance", "chair_signed", "secretary_signed", "overwritten",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Basis:
    """What a release froze once for all its precincts."""

    caucus: str
    rules: RuleSet
    controls: tuple[ControlTotal, ...]
    newest_acknowledgement: int
    zone_minutes: int
    zone_name: str


# ---- in ----


def basis_text(
    caucus: CaucusRecord, rules: RuleSet, controls: Iterable[ControlTotal], newest_ack: int, at: datetime
) -> str:
    here = at.astimezone()
    offset = here.utcoffset() or timedelta()
    return _as_text(
        {
            "caucus": caucus.name,
            "rules_name": caucus.rules_name,
            "rules_text": caucus.rules_text,
            "groups": [[g.key, g.label, str(g.kind), g.may_be_viable, g.minor] for g in rules.groups],
            "control_totals": [[c.county, c.group, c.first, c.final, c.delegates] for c in controls],
            "newest_acknowledgement": newest_ack,
            "zone_minutes": int(offset.total_seconds()) // 60,
            "zone_name": zone_words(here, offset),
        }
    )


def freeze(overview: Overview, counting: Counting, basis: str) -> Frozen:
    """Everything that stands in `overview`, counted or not."""
    lines, precincts = {}, {}
    for id, result in overview.results.items():
        lines[id] = _line(result)
        if not result.precinct.merged:
            precincts[id] = _precinct(overview, result, counting)
    return Frozen(basis, lines, precincts)


def _precinct(overview: Overview, result: PrecinctResult, counting: Counting) -> ReleasedPrecinct:
    stands, counted = result.standing, counts(result, counting)
    sheet = stands.sheet
    rows: list[ReleasedRow] = []
    if sheet is not None:
        given = overview.sde(result.precinct.id)[0] if counted else {}
        for key in overview.rules.keys:
            if key in sheet.by_group:
                row = sheet.by_group[key]
                units = given.get(key, Fraction(0)) if counted else None
                rows.append(ReleasedRow(key, row.first, row.final, row.delegates, units))
    return ReleasedPrecinct(
        result.precinct.id,
        str(stands.state),
        result.verified,
        counted,
        stands.report.id if stands.report is not None else None,
        stands.ruling.id if stands.ruling is not None else None,
        tuple(sorted(report.id for report in result.heads.values())),
        sheet.fingerprint if sheet is not None else "",
        sheet.attendance if sheet is not None else None,
        tuple(rows),
    )


def _line(result: PrecinctResult) -> str:
    precinct, sheet = result.precinct, result.standing.sheet
    document: dict[str, object] = {
        "roster": [getattr(precinct, name) for name in _ROSTER],
        "open_errors": list(result.open_errors),
        "changed": result.changed_after_verified,
        "unconfirmed": sorted(report.id for report in result.heads.values() if not report.confirmed),
    }
    if sheet is not None:
        document["extras"] = [list(one) for one in sheet.extras]
        document["beside"] = [getattr(sheet, name) for name in _BESIDE]
        document["chance"] = [[list(one.groups), list(one.winners)] for one in sheet.chance]
        document["said"] = {
            row.group: [None if row.sde is None else str(row.sde), row.signed]
            for row in sheet.groups
            if row.sde is not None or row.signed is not None
        }
    return _as_text(document)


def basis_digest(head: ReleaseRecord, frozen: Frozen) -> str:
    """Of everything that a release holds and its public text does not show."""
    whole = hashlib.sha256()
    passes = [list(one) for one in head.passes]
    first = [head.number, head.counting, head.note, head.by, head.needs_approval, head.newest_report, passes]
    whole.update(_as_text([*first, frozen.basis]).encode())
    for id, line in frozen.lines.items():
        one = frozen.precincts.get(id)
        held: list[object] = [id, line]
        if one is not None:
            held += [
                one.state, one.verified, one.counted, one.report_id, one.ruling_id, list(one.reports),
                one.fingerprint, one.attendance,
                [[r.group, r.first, r.final, r.delegates, _fraction(r.sde)] for r in one.rows],
            ]  # fmt: skip
        whole.update(b"\n" + _as_text(held).encode())
    return whole.hexdigest()


def _fraction(value: Fraction | None) -> str | None:
    return None if value is None else str(value)


# ---- out ----


def read_basis(text: str) -> Basis:
    document = json.loads(text)
    rules = parse_rule_set(document["rules_text"], document["rules_name"])
    groups = [
        Group(key, label, GroupKind(kind), viable, minor)
        for key, label, kind, viable, minor in document["groups"]
    ]
    return Basis(
        document["caucus"],
        with_groups(rules, groups, document["rules_name"]),
        tuple(ControlTotal(*one) for one in document["control_totals"]),
        document["newest_acknowledgement"],
        document["zone_minutes"],
        document["zone_name"],
    )


def sheet_of(one: ReleasedPrecinct, line: Mapping[str, Any]) -> ResultSheet | None:
    if "beside" not in line:
        return None
    said = line["said"]
    groups = []
    for row in one.rows:
        sde, signed = said.get(row.group, (None, None))
        groups.append(
            GroupCounts(
                row.group, row.first, row.final, row.delegates, None if sde is None else Fraction(sde), signed
            )
        )
    return ResultSheet(
        one.attendance,
        tuple(groups),
        tuple((key, count) for key, count in line["extras"]),
        chance=tuple(ChanceRecord(tuple(groups), tuple(won)) for groups, won in line["chance"]),
        **dict(zip(_BESIDE, line["beside"], strict=True)),
    )


def precinct_of(id: str, line: Mapping[str, Any]) -> Precinct:
    values = dict(zip(_ROSTER, line["roster"], strict=True))
    values["kind"] = PrecinctKind(values["kind"])
    return Precinct(id, **values)


def read_line(text: str) -> Mapping[str, Any]:
    document: Mapping[str, Any] = json.loads(text)
    return document


def result_of(
    rules: RuleSet,
    id: str,
    one: ReleasedPrecinct | None,
    line: Mapping[str, Any],
    every: Mapping[int, Report],
    rulings: Mapping[int, Ruling],
    given: Sequence[Acknowledgement],
) -> PrecinctResult:
    """The precinct as it stood: its sheet and state are the release's, its reports those that stood then."""
    precinct = precinct_of(id, line)
    if one is None:
        return _plain_result(rules, precinct)
    sheet = sheet_of(one, line)
    unconfirmed = frozenset(line["unconfirmed"])
    known = led(replace(every[number], confirmed=number not in unconfirmed) for number in one.reports)
    reports, rivals = leading(known), beside(known)
    stood = every.get(one.report_id) if one.report_id is not None else None
    ruling = rulings.get(one.ruling_id) if one.ruling_id is not None else None
    state = State(one.state)
    standing = Standing(state, sheet, stood.channel if stood is not None else None, stood, ruling)
    awards = Awards.of(rules, precinct, sheet)
    return PrecinctResult(
        precinct=precinct,
        reports=reports,
        standing=standing,
        mismatches=mismatches(reports, rules.keys, rivals) if state is State.MISMATCHED else (),
        acknowledgements=tuple(
            entry
            for entry in given
            if sheet is not None and entry.fingerprint == sheet.bound_to(entry.finding)
        ),
        open_errors=tuple(line["open_errors"]),
        delegates_to_elect=awards.delegates_to_elect,
        reported=awards.reported,
        computed=awards.computed,
        tie=awards.tie,
        not_computed=awards.not_computed,
        changed_after_verified=line["changed"],
        rivals=rivals,
    )


def _plain_result(rules: RuleSet, precinct: Precinct) -> PrecinctResult:
    awards = Awards.of(rules, precinct, None)
    return PrecinctResult(
        precinct=precinct,
        reports={},
        standing=Standing(State.AWAITING),
        mismatches=(),
        acknowledgements=(),
        open_errors=(),
        delegates_to_elect=awards.delegates_to_elect,
        reported=awards.reported,
        computed=awards.computed,
        tie=awards.tie,
        not_computed=awards.not_computed,
        changed_after_verified=False,
    )
