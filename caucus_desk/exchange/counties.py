"""Counties in a roster: one spelling each, and facts that every row of a county must agree on."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from caucus_desk.exchange.folding import fold, fold_county
from caucus_desk.exchange.problems import Problem, row_list
from caucus_desk.exchange.rosterlines import RosterLine
from caucus_desk.tally.roster import PrecinctKind


class Spellings:
    """The one spelling of each county: the most frequent one, before it one that is not all capitals."""

    def __init__(self, counties: Iterable[tuple[str, int]]) -> None:
        rows: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
        for name, row in counties:
            rows[fold_county(name)][name].append(row)
        self._rows = rows
        self._chosen = {key: max(names, key=lambda n: _rank(n, names[n])) for key, names in rows.items()}

    def of(self, name: str) -> str:
        return self._chosen[fold_county(name)]

    def warnings(self) -> Iterator[str]:
        for key, names in self._rows.items():
            chosen = self._chosen[key]
            changed = [f"“{name}” ({row_list(rows)})" for name, rows in names.items() if name != chosen]
            if changed:
                yield f"one county is spelled in several ways: {', '.join(changed)} is read as “{chosen}”."
        yield from self._lookalikes()

    def _lookalikes(self) -> Iterator[str]:
        keys = sorted(self._rows)
        for place, key in enumerate(keys):
            for other in keys[place + 1 :]:
                if _one_letter_apart(key, other):
                    a, b = self._chosen[key], self._chosen[other]
                    yield f"“{a}” and “{b}” are kept apart. If they are one county, give it one spelling."


def _rank(name: str, rows: Sequence[int]) -> tuple[bool, int, int, bool, int]:
    mixed = not name.isupper() and not name.islower()
    apostrophe = 2 if "'" in name else 1 if "’" in name else 0
    return mixed, len(rows), apostrophe, not fold(name).endswith("county"), -rows[0]


def _one_letter_apart(one: str, other: str) -> bool:
    """One letter changed, added or left out. Digits count as meant: pools are numbered."""
    if min(len(one), len(other)) < 5 or abs(len(one) - len(other)) > 1:
        return False
    start = 0
    while start < min(len(one), len(other)) and one[start] == other[start]:
        start += 1
    end = 0
    while end < min(len(one), len(other)) - start and one[-1 - end] == other[-1 - end]:
        end += 1
    left, right = one[start : len(one) - end], other[start : len(other) - end]
    return len(left) <= 1 and len(right) <= 1 and not any(sign.isdigit() for sign in left + right)


@dataclass(frozen=True, slots=True)
class _Stated:
    value: int
    line: RosterLine


def county_facts(lines: Sequence[RosterLine], problems: list[Problem]) -> list[RosterLine]:
    """The lines with their county's totals filled in; rows that contradict each other become problems."""
    stated: dict[tuple[PrecinctKind, str, str], _Stated] = {}
    kinds: dict[str, RosterLine] = {}
    for line in lines:
        precinct = line.precinct
        first = kinds.setdefault(precinct.county, line)
        if first.precinct.kind is not precinct.kind:
            expected = (
                f"a name of its own for the satellite pool: {first.where} has {precinct.county} for a "
                + ("county" if precinct.is_satellite else "pool")
            )
            problems.append(line.table.problem(line.row, "county", precinct.county, expected))
        for column in ("county_state_delegates", "county_total_delegates"):
            value: int | None = getattr(precinct, column)
            if value is None:
                continue
            known = stated.setdefault((precinct.kind, precinct.county, column), _Stated(value, line))
            if known.value != value:
                expected = f"{known.value}, as {known.line.where} says of {precinct.county}"
                problems.append(line.table.problem(line.row, column, str(value), expected))
    return [_filled(line, stated) for line in lines]


def _filled(line: RosterLine, stated: dict[tuple[PrecinctKind, str, str], _Stated]) -> RosterLine:
    precinct = line.precinct
    state = stated.get((precinct.kind, precinct.county, "county_state_delegates"))
    total = stated.get((precinct.kind, precinct.county, "county_total_delegates"))
    return replace(
        line,
        precinct=replace(
            precinct,
            county_state_delegates=state.value if state else None,
            county_total_delegates=total.value if total else None,
        ),
    )


def count_mismatches(lines: Iterable[RosterLine]) -> Iterator[str]:
    """Counties whose precincts elect another number of delegates than the county's total says."""
    sums: Counter[str] = Counter()
    totals: dict[str, int] = {}
    for line in lines:
        precinct = line.precinct
        if precinct.is_satellite:
            continue
        sums[precinct.county] += precinct.delegates or 0
        if precinct.county_total_delegates is not None:
            totals[precinct.county] = precinct.county_total_delegates
    for county, total in totals.items():
        if sums[county] != total:
            yield (
                f"the precincts of {county} elect {sums[county]:,} county delegates together, but "
                f"county_total_delegates is {total:,}. Is a precinct missing, or an allotment wrong?"
            )
