"""Checks of precincts against each other and against totals: C32 by the tally, C35, C36, C48, C50."""

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.rules.viability import threshold
from caucus_desk.tally.basis import attendance_basis, delegates_to_elect
from caucus_desk.tally.catalogue import severity_of
from caucus_desk.tally.checks.facts import Facts
from caucus_desk.tally.checks.wording import listing, people
from caucus_desk.tally.finding import Finding
from caucus_desk.tally.form import field_label
from caucus_desk.tally.results import ControlTotal, PrecinctResult
from caucus_desk.tally.sheet import COLUMNS, Column, ResultSheet, field_path

_MORE_THAN = 10
"""Small rooms are alike by chance."""
_NAMED = 3
Vector = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class _Rounds:
    """Both alignments of a sheet: the groups with people, and how many."""

    first: Vector
    final: Vector

    @classmethod
    def of(cls, sheet: ResultSheet) -> "_Rounds":
        return cls(
            tuple(sorted([(row.group, row.first) for row in sheet.groups if row.first])),
            tuple(sorted([(row.group, row.final) for row in sheet.groups if row.final])),
        )

    def alike(self, column: Column) -> Vector | None:
        """One round to compare with other precincts'; None where it is too small to prove anything."""
        vector = self.first if column is Column.FIRST else self.final
        return vector if sum([count for _, count in vector]) > _MORE_THAN else None

    @property
    def whole(self) -> tuple[Vector, Vector] | None:
        return (self.first, self.final) if self.first and self.alike(Column.FINAL) else None


def sheet_vectors(sheet: ResultSheet | None) -> Hashable | None:
    """What two sheets share if they are the same sheet keyed twice (C35); None where it proves nothing.

    Both alignments, group by group. Blank is nobody here: a sheet keyed twice may be blank in one place.
    """
    return None if sheet is None else _Rounds.of(sheet).whole


def cross_findings(rules: RuleSet, results: Iterable[PrecinctResult]) -> Mapping[str, tuple[Finding, ...]]:
    """Findings that only the whole caucus shows, by precinct id, on each precinct's standing sheet.

    C32 here names groups that have no strength in the tally; those that the rule set lists are
    `check_sheet`'s, and a sheet on which that check has spoken is left to it.
    """
    in_so_far = [result for result in results if result.reporting]
    rounds = {result.precinct.id: _Rounds.of(_sheet(result)) for result in in_so_far}
    found: dict[str, list[Finding]] = {}
    for id, finding in (
        *_weak_groups(rules, in_so_far),
        *_same_sheet(rules, in_so_far, rounds),
        *_same_round(rules, in_so_far, rounds),
        *_changed(rules, in_so_far),
    ):
        found.setdefault(id, []).append(finding)
    return {id: tuple(findings) for id, findings in found.items()}


# ---- C32: strength in the tally ----


def _weak_groups(rules: RuleSet, results: list[PrecinctResult]) -> Iterator[tuple[str, Finding]]:
    severity = severity_of(rules, "C32")
    if severity is None:
        return
    people_of: dict[str, int] = dict.fromkeys(rules.keys, 0)
    for result in results:
        for row in _sheet(result).groups:
            people_of[row.group] = people_of.get(row.group, 0) + (row.final or 0)
    total = sum(people_of.values())
    weak = {key: count for key, count in people_of.items() if 100 * count < total}
    minor = {group.key for group in rules.groups if group.minor}
    for result in results:
        here = _viable(rules, result, weak.keys())
        if not here or _viable(rules, result, minor):
            continue
        said = [f"{_label(rules, key)} ({people(weak[key])} of {total:,} statewide)" for key in here]
        one = len(here) == 1
        yield (
            result.precinct.id,
            Finding(
                "C32",
                severity,
                tuple(field_path(key, column) for key in here for column in (Column.FIRST, Column.FINAL)),
                f"{listing(said)} {'is' if one else 'are'} viable here, with less than 1 in 100 of all people"
                " of the final alignment in so far.",
                f"{listing([_label(rules, key) for key in here])} viable? Please read that row again, and the"
                " rows beside it.",
            ),
        )


def _viable(rules: RuleSet, result: PrecinctResult, keys: Iterable[str]) -> dict[str, None]:
    """Those of `keys` that are viable here in either alignment, in ballot order."""
    sheet = _sheet(result)
    attendance = attendance_basis(rules, result.precinct, sheet).count
    elects = delegates_to_elect(rules, result.precinct, attendance)
    if not attendance or not elects:
        return {}
    needed = threshold(rules, elects, attendance)
    wanted = set(keys)
    rows = sheet.by_group
    if needed == 0 or not any(
        max(row.first or 0, row.final or 0) >= needed for key in wanted if (row := rows.get(key)) is not None
    ):
        return {}
    facts = Facts(rules, result.precinct, sheet)
    places = sorted({*facts.viable_first, *facts.viable_final})
    return {facts.keys[place]: None for place in places if facts.keys[place] in wanted}


# ---- C35, C36: the same numbers elsewhere ----


def _same_sheet(
    rules: RuleSet, results: list[PrecinctResult], rounds: Mapping[str, _Rounds]
) -> Iterator[tuple[str, Finding]]:
    severity = severity_of(rules, "C35")
    if severity is None:
        return
    for result, others in _twins(results, {id: mine.whole for id, mine in rounds.items()}):
        total = _sheet(result).total(Column.FINAL) or 0
        yield (
            result.precinct.id,
            Finding(
                "C35",
                severity,
                _filled(_sheet(result), Column.FIRST, Column.FINAL),
                f"Both alignments are exactly those of {_places(others)}, group by group ({people(total)} in"
                " the final one). The same sheet seems to be keyed twice.",
                f"These are exactly the numbers of {_places(others)}. Which precinct is it?",
            ),
        )


def _same_round(
    rules: RuleSet, results: list[PrecinctResult], rounds: Mapping[str, _Rounds]
) -> Iterator[tuple[str, Finding]]:
    severity = severity_of(rules, "C36")
    if severity is None:
        return
    alike: dict[str, dict[Column, list[PrecinctResult]]] = {}
    for column in (Column.FIRST, Column.FINAL):
        for result, others in _twins(results, {id: mine.alike(column) for id, mine in rounds.items()}):
            mine = rounds[result.precinct.id]
            only = [o for o in others if mine.whole is None or rounds[o.precinct.id] != mine]
            if only:
                alike.setdefault(result.precinct.id, {})[column] = only
    sheets = {result.precinct.id: _sheet(result) for result in results}
    for id, by_column in alike.items():
        sheet = sheets[id]
        said = [
            f"the {column} alignment ({people(sheet.total(column) or 0)}) is exactly that of"
            f" {_places(others)}"
            for column, others in by_column.items()
        ]
        text = "; ".join(said)
        yield (
            id,
            Finding(
                "C36",
                severity,
                _filled(sheet, *by_column),
                f"{text[0].upper()}{text[1:]}, group by group.",
                f"Is it right that {listing(said)}?",
            ),
        )


def _twins(
    results: list[PrecinctResult], vectors: Mapping[str, Hashable | None]
) -> Iterator[tuple[PrecinctResult, list[PrecinctResult]]]:
    """Each precinct whose vector others share, with those others."""
    sharing: dict[Hashable, list[PrecinctResult]] = {}
    for result in results:
        vector = vectors[result.precinct.id]
        if vector is not None:
            sharing.setdefault(vector, []).append(result)
    for alike in sharing.values():
        if len(alike) > 1:
            for result in alike:
                yield result, [other for other in alike if other is not result]


def _places(results: list[PrecinctResult]) -> str:
    named = [f"{r.precinct.name}, {r.precinct.county}" for r in results[:_NAMED]]
    more = len(results) - len(named)
    return listing([*named, f"{more:,} more"] if more else named)


# ---- C50 ----


def _changed(rules: RuleSet, results: list[PrecinctResult]) -> Iterator[tuple[str, Finding]]:
    severity = severity_of(rules, "C50")
    if severity is None:
        return
    for result in results:
        if result.changed_after_verified:
            newest = max(result.heads.values(), key=lambda report: report.id, default=None)
            how = "" if newest is None else f" The newest report came by {newest.channel}."
            yield (
                result.precinct.id,
                Finding("C50", severity, (), f"This precinct was verified and has changed since.{how}"),
            )


# ---- C48: county totals ----


def county_findings(
    rules: RuleSet, results: Iterable[PrecinctResult], control_totals: Iterable[ControlTotal]
) -> tuple[tuple[str, Finding], ...]:
    """C48: county totals of a loaded file against the sum of the county's precincts as reported.

    One finding for a county. A later total of the same county and group replaces an earlier one; a
    column that no precinct of the county states is not compared.
    """
    severity = severity_of(rules, "C48")
    totals: dict[str, dict[str, ControlTotal]] = {}
    for total in control_totals:
        totals.setdefault(_folded(total.county), {})[total.group] = total
    if severity is None or not totals:
        return ()
    sheets: dict[str, list[ResultSheet]] = {county: [] for county in totals}
    awaited = dict.fromkeys(totals, 0)
    for result in results:
        county = _folded(result.precinct.county)
        if county in totals and not result.precinct.merged:
            if result.reporting:
                sheets[county].append(_sheet(result))
            else:
                awaited[county] += 1
    found = []
    for county, by_group in totals.items():
        finding = _compared(rules, by_group, sheets[county], awaited[county])
        if finding is not None:
            fields, text = finding
            name = next(iter(by_group.values())).county
            found.append((name, Finding("C48", severity, fields, text)))
    return tuple(found)


def _compared(
    rules: RuleSet, totals: Mapping[str, ControlTotal], sheets: list[ResultSheet], awaited: int
) -> tuple[tuple[str, ...], str] | None:
    order = {key: place for place, key in enumerate(rules.keys)}
    stated = [column for column in COLUMNS if any(sheet.states(column) for sheet in sheets)]
    fields, said = [], []
    for group in sorted(totals, key=lambda group: order.get(group, len(order))):
        for column in stated:
            total = getattr(totals[group], column)
            summed = sum(sheet.row(group).count(column) or 0 for sheet in sheets)
            if total is not None and total != summed:
                path = field_path(group, column)
                fields.append(path)
                said.append(f"{field_label(rules, path)} {total:,}, its precincts add to {summed:,}")
    if not fields:
        return None
    name = next(iter(totals.values())).county
    still = (
        ""
        if not awaited
        else f" {awaited:,} of its precincts {'is' if awaited == 1 else 'are'} still awaited."
    )
    return tuple(fields), f"The county total of {name} has {'; '.join(said)}.{still}"


# ---- shared ----


def _sheet(result: PrecinctResult) -> ResultSheet:
    assert result.standing.sheet is not None  # only asked of those reporting
    return result.standing.sheet


def _label(rules: RuleSet, key: str) -> str:
    return rules.label(key) if key in rules.by_key else key


def _filled(sheet: ResultSheet, *columns: Column) -> tuple[str, ...]:
    return tuple(
        field_path(row.group, column) for row in sheet.groups for column in columns if row.count(column)
    )


def _folded(name: str) -> str:
    return " ".join(name.casefold().split())
