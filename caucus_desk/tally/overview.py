"""The overview: the one read model that pages, commands and workbooks take their figures from."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction

from caucus_desk.rules.national import NationalDelegates, national_delegates
from caucus_desk.rules.ruleset import RoundedSum, RuleSet, Unit
from caucus_desk.tally.checks import check_sheet, county_findings, cross_findings, sheet_vectors
from caucus_desk.tally.counting import Cell, add_cell, row_of
from caucus_desk.tally.finding import Finding, Severity
from caucus_desk.tally.mismatch import Mismatch
from caucus_desk.tally.report import Acknowledgement, Channel
from caucus_desk.tally.results import (
    By,
    ControlTotal,
    Counting,
    Coverage,
    PrecinctResult,
    SheetFinding,
    Tally,
    TallyRow,
)
from caucus_desk.tally.roster import Precinct
from caucus_desk.tally.scale import Scale, site_attendance
from caucus_desk.tally.sheet import ResultSheet
from caucus_desk.tally.state import State

OUT_OF_STATE = "out-of-state"
CellKey = tuple[str, str | None]
CheckedSheets = dict[str, tuple[tuple[ResultSheet, tuple[Finding, ...]], ...]]
"""By precinct id, the sheets checked last with what the checks said."""


class Overview:
    """Every precinct's result, and all that is added up from them. Sums are kept by county.

    Not safe for two threads at once: each thread asks the desk for its own.
    """

    def __init__(
        self,
        rules: RuleSet,
        caucus: str,
        results: Iterable[PrecinctResult],
        control_totals: Iterable[ControlTotal] = (),
        checked: CheckedSheets | None = None,
    ) -> None:
        self.rules = rules
        self.caucus = caucus
        self.control_totals = tuple(control_totals)
        self._results: dict[str, PrecinctResult] = {}
        self._members: dict[CellKey, dict[str, None]] = {}
        self._cells: dict[tuple[CellKey, Counting, RoundedSum], Cell] = {}
        self._worth: dict[str, Mapping[str, Fraction]] = {}
        # What a sheet's checks say never changes, so several threads' overviews may share it.
        self._sheet_findings: CheckedSheets = {} if checked is None else checked
        self._all_findings: tuple[SheetFinding, ...] | None = None
        self._twins: dict[object, set[str]] = {}
        for result in results:
            precinct = result.precinct
            self._results[precinct.id] = result
            if not precinct.merged:
                self._members.setdefault((precinct.county, precinct.district), {})[precinct.id] = None
        self._scale = Scale(rules, (result.precinct for result in self._results.values()))
        for result in self._results.values():
            self._note_twin(result)
        self._settle_twins(self._results)

    # ---- keeping up ----

    def replace(self, results: Iterable[PrecinctResult]) -> None:
        """Take over changed precincts; only their counties are added up again."""
        touched: set[str] = set()
        for result in results:
            precinct = result.precinct
            old = self._results.get(precinct.id)
            if old is None or old.precinct != precinct:
                raise KeyError(f"the roster changed at {precinct.id}: build the overview again")
            touched |= self._forget_twin(old)
            self._results[precinct.id] = result
            touched |= self._note_twin(result)
            self._drop_sums(precinct)
            self._all_findings = None
        self._settle_twins(touched)

    def _drop_sums(self, precinct: Precinct) -> None:
        self._worth.pop(precinct.county, None)
        members = [key for key in self._members if key[0] == precinct.county]
        for key in members:
            for counting in Counting:
                for sums in RoundedSum:
                    self._cells.pop((key, counting, sums), None)

    def _note_twin(self, result: PrecinctResult) -> set[str]:
        """Sheets with the same figures in two precincts are an error (C35) that only the whole shows."""
        vectors = sheet_vectors(result.standing.sheet)
        if vectors is None:
            return {result.precinct.id}
        twins = self._twins.setdefault(vectors, set())
        twins.add(result.precinct.id)
        return set(twins)

    def _forget_twin(self, result: PrecinctResult) -> set[str]:
        vectors = sheet_vectors(result.standing.sheet)
        twins = self._twins.get(vectors, set()) if vectors is not None else set()
        twins.discard(result.precinct.id)
        return set(twins)

    def _settle_twins(self, ids: Iterable[str]) -> None:
        if self._severity_of_c35() is not Severity.ERROR:
            return
        for id in ids:
            result = self._results[id]
            if result.standing.state not in (State.MATCHED, State.RULED):
                continue
            vectors = sheet_vectors(result.standing.sheet)
            twin = vectors is not None and len(self._twins.get(vectors, ())) > 1
            answered = any(entry.finding == "C35" and entry.reason for entry in result.acknowledgements)
            is_open = twin and not answered
            if is_open is not ("C35" in result.open_errors):
                others = tuple(error for error in result.open_errors if error != "C35")
                self._results[id] = replace(result, open_errors=(*others, "C35") if is_open else others)
                self._drop_sums(result.precinct)

    def _severity_of_c35(self) -> Severity | None:
        word = self.rules.severities.get("C35", Severity.ERROR)
        return None if word == "off" else Severity(word)

    # ---- reading ----

    @property
    def results(self) -> Mapping[str, PrecinctResult]:
        """By precinct id, in roster order; merged precincts are among them."""
        return self._results

    @property
    def unscaled_counties(self) -> tuple[str, ...]:
        """Counties and pools whose SDEs can't be worked out: the roster lacks their state delegates."""
        return self._scale.unscaled

    def unweighed_sites(self) -> tuple[Precinct, ...]:
        """Satellite sites that have awarded delegates but whose attendance nobody knows: 0 SDEs."""
        if self.rules.satellites is None or self.rules.unit is not Unit.SDE:
            return ()
        return tuple(
            result.precinct
            for result in self._results.values()
            if result.precinct.is_satellite
            and any(result.reported.values())
            and site_attendance(self.rules, result) is None
        )

    def coverage(self) -> Coverage:
        cells = [self._cell(key, Counting.REPORTED) for key in self._members]
        counties = {cell.county for cell in cells if not cell.satellite}
        return Coverage(
            total=sum(cell.precincts for cell in cells),
            reporting=sum(cell.reporting for cell in cells),
            verified=sum(cell.verified for cell in cells),
            counties_reporting=len({c.county for c in cells if not c.satellite and c.reporting}),
            counties=len(counties),
        )

    def banner(self) -> str:
        """The sentence on every page and sheet: what the figures are made of."""
        seen = self.coverage()
        if not seen.total:
            return "UNOFFICIAL, EMPTY: the roster has no precincts"
        complete = "COMPLETE" if seen.reporting == seen.total else "PARTIAL"
        if seen.counties_reporting == seen.counties > 1:
            counties = f"all {seen.counties:,} counties"
        else:
            word = "county" if seen.counties == 1 else "counties"
            counties = f"{seen.counties_reporting:,} of {seen.counties:,} {word}"
        share = percent(seen.reporting, seen.total)
        precincts = f"{seen.total:,} {'precinct' if seen.total == 1 else 'precincts'}"
        return f"UNOFFICIAL, {complete}: {seen.reporting:,} of {precincts} ({share}), {counties}"

    def tally(
        self,
        by: By = By.STATE,
        counting: Counting = Counting.REPORTED,
        sums: RoundedSum | None = None,
    ) -> Tally:
        """The tally; `sums` other than the rule set's is for comparing with a page that rounds first."""
        return Tally(counting, by, self.coverage(), tuple(self._rows(by, counting, sums)))

    def _rows(self, by: By, counting: Counting, sums: RoundedSum | None) -> Iterable[TallyRow]:
        if by is By.PRECINCT:
            for id in (id for members in self._members.values() for id in members):
                precinct = self._results[id].precinct
                worth = self._worth_of((precinct.county, precinct.district))
                cell = add_cell(self.rules, [self._results[id]], worth, counting, self._sums(sums))
                yield row_of(self.rules, id, precinct.name, [cell])
            return
        cells = [self._cell(key, counting, sums) for key in self._members]
        if by is By.STATE:
            yield row_of(self.rules, "state", "Statewide", cells)
        elif by is By.COUNTY:
            for county in dict.fromkeys(cell.county for cell in cells):
                yield row_of(self.rules, county, county, [c for c in cells if c.county == county])
        else:
            for key in sorted({_district_key(cell) for cell in cells}, key=_district_order):
                name = {OUT_OF_STATE: "Out of state", NO_DISTRICT: "No district stated"}.get(
                    key, f"District {key}"
                )
                yield row_of(self.rules, key, name, [c for c in cells if _district_key(c) == key])

    def national(self, counting: Counting = Counting.REPORTED) -> NationalDelegates:
        """National delegates from the sheets as reported; out-of-state sites count statewide only."""
        districts = self.tally(By.DISTRICT, counting).rows
        by_district = {
            row.key: {line.group: line.sde for line in row.groups}
            for row in districts
            if row.key not in (OUT_OF_STATE, NO_DISTRICT)
        }
        state = self.tally(By.STATE, counting).rows[0]
        return national_delegates(self.rules, by_district, {line.group: line.sde for line in state.groups})

    def sde(self, precinct_id: str) -> tuple[Mapping[str, Fraction], Mapping[str, Fraction]]:
        """Exact SDEs of one precinct's standing sheet by group: as reported, and as computed."""
        result = self._results[precinct_id]
        sheet = result.standing.sheet
        if self.rules.unit is Unit.VOTES:
            votes = {row.group: Fraction(row.final) for row in sheet.groups if row.final} if sheet else {}
            return votes, votes
        one = self.delegate_worth(precinct_id)
        return (
            {group: count * one for group, count in result.reported.items()},
            {group: count * one for group, count in result.computed.items()},
        )

    def delegate_worth(self, precinct_id: str) -> Fraction:
        """SDEs of one delegate of this precinct."""
        precinct = self._results[precinct_id].precinct
        return self._worth_of((precinct.county, precinct.district)).get(precinct_id, Fraction(0))

    def pool_of(self, precinct: Precinct) -> tuple[PrecinctResult, ...]:
        """Every site of a satellite's pool, itself among them: one site's attendance moves them all."""
        ids = (id for key, members in self._members.items() if key[0] == precinct.county for id in members)
        return tuple(self._results[id] for id in ids if self._results[id].precinct.is_satellite)

    def pool_worth(self, sites: Iterable[PrecinctResult]) -> Mapping[str, Fraction]:
        """SDEs of one delegate at each of these sites if they are a pool and stand so, by precinct id."""
        return self._scale.pool(sites)

    def mismatches(self) -> tuple[Mismatch, ...]:
        return tuple(mismatch for result in self._results.values() for mismatch in result.mismatches)

    def mismatched(self) -> tuple[PrecinctResult, ...]:
        return tuple(r for r in self._results.values() if r.standing.state is State.MISMATCHED)

    def awaiting(self) -> tuple[Precinct, ...]:
        return tuple(r.precinct for r in self._results.values() if not r.precinct.merged and not r.reports)

    def missing_paper(self) -> tuple[Precinct, ...]:
        return tuple(
            r.precinct
            for r in self._results.values()
            if not r.precinct.merged and Channel.PAPER not in r.reports
        )

    def differs(self) -> tuple[PrecinctResult, ...]:
        """Precincts whose delegates as computed are not those as reported."""
        return tuple(
            r for r in self._results.values() if r.reporting and not same_awards(r.reported, r.computed)
        )

    # ---- findings ----

    def findings(self, severity: Severity | None = None) -> tuple[SheetFinding, ...]:
        """Findings on the standing reports, or on a ruling's sheet, in roster order; each said once."""
        if self._all_findings is None:
            self._all_findings = tuple(self._find())
        if severity is None:
            return self._all_findings
        return tuple(entry for entry in self._all_findings if entry.severity is severity)

    def findings_of(self, precinct_id: str) -> tuple[SheetFinding, ...]:
        return tuple(f for f in self.findings() if f.precinct is not None and f.precinct.id == precinct_id)

    def _find(self) -> Iterable[SheetFinding]:
        cross = cross_findings(self.rules, self._results.values())
        for id, result in self._results.items():
            stake = None
            seen: set[Finding] = set()
            for channel, sheet in _sheets(result):
                standing = sheet is result.standing.sheet
                found = self._check(id, result.precinct, sheet)
                if standing:
                    found = (*found, *cross.get(id, ()))
                for finding in found:
                    if finding in seen:
                        continue
                    seen.add(finding)
                    stake = self.sdes_at_stake(id) if stake is None else stake
                    yield SheetFinding(
                        precinct=result.precinct,
                        county=result.precinct.county,
                        channel=channel,
                        standing=standing,
                        finding=finding,
                        acknowledged=_answer(result, finding) if standing else None,
                        sdes_at_stake=stake,
                    )
        for county, finding in county_findings(self.rules, self._results.values(), self.control_totals):
            yield SheetFinding(None, county, None, True, finding, None, Fraction(0))

    def _check(self, id: str, precinct: Precinct, sheet: ResultSheet) -> tuple[Finding, ...]:
        kept = self._sheet_findings.get(id, ())
        for known, found in kept:
            if known is sheet or known == sheet:
                return found
        found = check_sheet(self.rules, precinct, sheet)
        self._sheet_findings[id] = (*kept[-3:], (sheet, found))
        return found

    def sdes_at_stake(self, precinct_id: str) -> Fraction:
        """What a finding here can move: half the SDEs by which reported and computed differ, or one
        delegate's."""
        result = self._results[precinct_id]
        one = self.delegate_worth(precinct_id)
        moved = sum(
            abs(result.reported.get(group, 0) - result.computed.get(group, 0))
            for group in {*result.reported, *result.computed}
        )
        return one * moved / 2 if moved else one

    # ---- sums ----

    def _sums(self, sums: RoundedSum | None) -> RoundedSum:
        return sums or self.rules.rounding.sum

    def _cell(self, key: CellKey, counting: Counting, sums: RoundedSum | None = None) -> Cell:
        at = (key, counting, self._sums(sums))
        cell = self._cells.get(at)
        if cell is None:
            results = [self._results[id] for id in self._members[key]]
            cell = add_cell(self.rules, results, self._worth_of(key), counting, self._sums(sums))
            self._cells[at] = cell
        return cell

    def _worth_of(self, key: CellKey) -> Mapping[str, Fraction]:
        """SDEs of one delegate, by precinct id, for everything in the county or pool."""
        county = key[0]
        worth = self._worth.get(county)
        if worth is None:
            everything = [
                self._results[id] for k, ids in self._members.items() if k[0] == county for id in ids
            ]
            sites = [result for result in everything if result.precinct.is_satellite]
            ratio = self._scale.county(county)
            worth = {r.precinct.id: ratio for r in everything if not r.precinct.is_satellite}
            worth = {**worth, **self._scale.pool(sites)} if sites else worth
            self._worth[county] = worth
        return worth


NO_DISTRICT = "none"


def _district_key(cell: Cell) -> str:
    if cell.district is not None:
        return cell.district
    return OUT_OF_STATE if cell.satellite else NO_DISTRICT


def _district_order(key: str) -> tuple[int, int, str]:
    if key in (OUT_OF_STATE, NO_DISTRICT):
        return (1, 0, key)
    return (0, int(key) if key.isdecimal() else 0, key)


def _sheets(result: PrecinctResult) -> list[tuple[Channel | None, ResultSheet]]:
    """The sheets to check: a ruling's alone, else the standing one first, then the other channels'."""
    stands = result.standing
    if stands.sheet is None:
        return []
    heads = {} if stands.ruling else result.heads
    others = [(report.channel, report.sheet) for key, report in heads.items() if key != stands.channel]
    return [(stands.channel, stands.sheet), *others]


def _answer(result: PrecinctResult, finding: Finding) -> Acknowledgement | None:
    given = [a for a in result.acknowledgements if a.finding == finding.id]
    if finding.severity is Severity.ERROR:
        given = [a for a in given if a.reason]
    return given[-1] if given else None


def same_awards(one: Mapping[str, int], other: Mapping[str, int]) -> bool:
    """Equal delegates for every group; a group not named has none."""
    return all(one.get(group, 0) == other.get(group, 0) for group in {*one, *other})


def percent(part: int, whole: int) -> str:
    """`62.0%`, rounded half up, but never 100.0% of what is not complete."""
    if not whole:
        return "n/a"
    tenths = (2000 * part + whole) // (2 * whole)
    if part < whole:
        tenths = min(tenths, 999)
    return f"{tenths // 10}.{tenths % 10}%"
