"""Working the state of precincts out again after a change, in the change's own transaction.

The state is derived by `tally.assess`; what the store keeps of it is a cache, so that this is the
one place that writes it and `check` can rebuild and compare it.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from caucus_desk.desk.moot import end_moot_errands
from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.store.records import CachedState, Verification
from caucus_desk.store.units import ReadUnit, WriteUnit
from caucus_desk.store.work import MANY
from caucus_desk.tally.assess import assess
from caucus_desk.tally.catalogue import severity_of
from caucus_desk.tally.checks import sheet_vectors
from caucus_desk.tally.finding import Severity
from caucus_desk.tally.heads import beside, heads, leading
from caucus_desk.tally.report import Acknowledgement, Report, Ruling
from caucus_desk.tally.results import PrecinctResult
from caucus_desk.tally.roster import Precinct
from caucus_desk.tally.state import Standing, State, standing


def derive(
    unit: ReadUnit,
    rules: RuleSet,
    precinct_ids: Iterable[str] | None = None,
    roster: Mapping[str, Precinct] | None = None,
) -> dict[str, PrecinctResult]:
    """Results of the precincts named (None: all, in roster order) from what the store holds of them."""
    ids = None if precinct_ids is None else list(dict.fromkeys(precinct_ids))
    asked = None if ids is None or len(ids) > MANY else ids
    if roster is None:
        found = unit.precincts() if asked is None else tuple(map(unit.precinct, asked))
        roster = {precinct.id: precinct for precinct in found if precinct is not None}
    reports = _with_hands(unit, unit.reports(asked), asked)
    rulings = unit.rulings(asked)
    acknowledgements = unit.acknowledgements(asked)
    verifications = unit.verifications(asked)
    return {
        precinct_id: _result(
            rules,
            roster[precinct_id],
            reports.get(precinct_id, ()),
            rulings.get(precinct_id),
            acknowledgements.get(precinct_id, ()),
            verifications.get(precinct_id, ()),
        )
        for precinct_id in (roster if ids is None else ids)
    }


def _with_hands(
    unit: ReadUnit, reports: dict[str, list[Report]], asked: Iterable[str] | None
) -> dict[str, list[Report]]:
    """With everybody who typed in a sheet, where reports were made in several stores: there nobody saw to it
    that a hand in one channel's sheet keyed no other."""
    mixed = [one for one, found in reports.items() if any(report.over is not None for report in found)]
    if not mixed:
        return reports
    typists = unit.typists(asked)
    for one in mixed:
        reports[one] = [
            replace(report, typists=typists[report.id]) if report.id in typists else report
            for report in reports[one]
        ]
    return reports


def settle(
    unit: WriteUnit,
    rules: RuleSet,
    precinct_ids: Iterable[str],
    roster: Mapping[str, Precinct] | None = None,
) -> dict[str, PrecinctResult]:
    """Derives the precincts again, writes their cached states, and remembers which became verified.

    To be called in every unit that changes a report, a ruling or an acknowledgement. A precinct whose
    sheet is now, or no longer, the same as one of these (C35) is settled along.
    """
    results = derive(unit, rules, precinct_ids, roster)
    asked = None if len(results) > MANY else list(results)
    before = unit.states(asked)
    keys = {one: likeness(result) for one, result in results.items()}
    alike = _alike_now(unit, results, keys, before)
    neighbours = {
        one
        for members in alike.values()
        for one, state in members.items()
        if one not in results and state in (State.MATCHED, State.RULED)
    }
    settled = results | (derive(unit, rules, neighbours, roster) if neighbours else {})
    settled = with_twins(rules, settled, alike)
    if neighbours:
        before = before | unit.states(neighbours)
    _remember_verified(unit, [one for one in settled.values() if one.verified], before)
    unit.save_states(cached(result, keys.get(one)) for one, result in settled.items())
    end_moot_errands(unit, settled.values())
    return {one: settled[one] for one in results}


def derive_states(unit: ReadUnit, rules: RuleSet) -> dict[str, PrecinctResult]:
    """Every precinct's result with all that its state depends on, from reports and rulings alone."""
    results = derive(unit, rules)
    alike: dict[str, dict[str, State]] = {}
    for one, result in results.items():
        alike.setdefault(likeness(result), {})[one] = result.standing.state
    return with_twins(rules, results, alike)


def with_twins(
    rules: RuleSet, results: Mapping[str, PrecinctResult], alike: Mapping[str, Mapping[str, State]]
) -> dict[str, PrecinctResult]:
    """The same sheet in two precincts (C35) is an open error of both until it is answered with a reason."""
    if severity_of(rules, "C35") is not Severity.ERROR:
        return dict(results)
    marked = {}
    for one, result in results.items():
        settled = result.standing.state in (State.MATCHED, State.RULED)
        if settled and (key := likeness(result)) and len(alike.get(key, ())) > 1:
            answered = any(given.finding == "C35" and given.reason for given in result.acknowledgements)
            if not answered and "C35" not in result.open_errors:
                result = replace(result, open_errors=(*result.open_errors, "C35"))
        marked[one] = result
    return marked


def likeness(result: PrecinctResult) -> str:
    """A short text that two sheets share where they may be one sheet keyed twice; empty: proves nothing."""
    vectors = sheet_vectors(result.standing.sheet)
    return "" if vectors is None else hashlib.sha256(repr(vectors).encode()).hexdigest()[:32]


def cached(result: PrecinctResult, key: str | None = None) -> CachedState:
    """What the store keeps of a result; `key` is its likeness where it is known already."""
    stands = result.standing
    return CachedState(
        precinct_id=result.precinct.id,
        state=stands.state,
        verified=result.verified,
        report_id=None if stands.report is None else stands.report.id,
        ruling_id=None if stands.ruling is None else stands.ruling.id,
        fingerprint="" if stands.sheet is None else stands.sheet.fingerprint,
        open_errors=len(result.open_errors),
        changed_after_verified=result.changed_after_verified,
        likeness=likeness(result) if key is None else key,
    )


def nothing_yet(precinct_id: str) -> CachedState:
    """The state of a precinct that the cache does not know."""
    return CachedState(precinct_id, State.AWAITING, False, None, None, "", 0, False)


def _result(
    rules: RuleSet,
    precinct: Precinct,
    reports: Sequence[Report],
    ruling: Ruling | None,
    acknowledgements: Sequence[Acknowledgement],
    verifications: Sequence[Verification],
) -> PrecinctResult:
    changed = False
    if verifications:
        known = heads(reports)
        stands = standing(leading(known), ruling, rules.keys, rules.verifying_pairs, beside(known))
        changed = changed_since(verifications, stands, reports)
    return assess(rules, precinct, reports, ruling, acknowledgements, changed)


def changed_since(verifications: Iterable[Verification], stands: Standing, reports: Iterable[Report]) -> bool:
    """Whether anything that was once verified no longer holds as it was (C50).

    Other figures stand, or none that two sources agree on; or a newer report ended the force of the
    ruling. A further channel that agrees with matched figures changes nothing.
    """
    newest = max((report.id for alike in heads(reports).values() for report in alike), default=0)
    for was in verifications:
        if stands.sheet is None or stands.state not in (State.MATCHED, State.RULED):
            return True
        if stands.sheet.fingerprint != was.fingerprint:
            return True
        if was.state is State.RULED and newest > was.newest_report:
            return True
    return False


def _alike_now(
    unit: ReadUnit,
    results: Mapping[str, PrecinctResult],
    keys: Mapping[str, str],
    before: Mapping[str, CachedState],
) -> dict[str, dict[str, State]]:
    """Precincts by likeness as they are once these results are kept, for likenesses that come or go."""
    old = {one: before[one].likeness for one in results if one in before}
    alike = unit.alike((*keys.values(), *old.values()))
    for one, key in old.items():
        if key:
            alike[key].pop(one, None)
    for one, key in keys.items():
        if key:
            alike[key][one] = results[one].standing.state
    return alike


def _remember_verified(
    unit: WriteUnit, verified: Sequence[PrecinctResult], before: Mapping[str, CachedState]
) -> None:
    """A line for each precinct that was not verified before with these figures."""
    if not verified:
        return
    ids = [result.precinct.id for result in verified]
    known = unit.verifications(None if len(ids) > MANY else ids)
    new = []
    for result in verified:
        precinct, stands = result.precinct, result.standing
        assert stands.sheet is not None
        was = before.get(precinct.id)
        last = known[precinct.id][-1] if precinct.id in known else None
        fingerprint = stands.sheet.fingerprint
        if (
            was is not None
            and was.verified
            and last is not None
            and (last.state, last.fingerprint) == (stands.state, fingerprint)
        ):
            continue
        newest = max((report.id for report in result.heads.values()), default=0)
        one = Verification(precinct.id, stands.state, fingerprint, newest, unit.now)
        new.append((one, unit.last_actor(precinct.id) or _newest_by(result), _verified_sentence(result)))
    unit.add_verifications(new)


def _newest_by(result: PrecinctResult) -> str:
    """Where the unit itself did nothing that made it verified: the newest report's person, by its number."""
    if result.standing.ruling is not None:
        return result.standing.ruling.by
    return max(result.heads.values(), key=lambda report: report.id).by


def _verified_sentence(result: PrecinctResult) -> str:
    place = f"{result.precinct.name}, {result.precinct.county} ({result.precinct.id}) is verified"
    if result.standing.state is State.RULED:
        return f"{place} by a ruling"
    return f"{place}: {' and '.join(result.reports)} agree"
