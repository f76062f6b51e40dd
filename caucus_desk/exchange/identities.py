"""Ids of a roster: unique in a store, made where they are missing, with the county where they repeat."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from caucus_desk.exchange.folding import fold_id, fold_name
from caucus_desk.exchange.problems import Problem
from caucus_desk.exchange.rosterlines import RosterLine


def settle_ids(lines: Sequence[RosterLine], problems: list[Problem]) -> list[RosterLine]:
    """The lines with their final ids.

    A missing id is made as `County-Precinct`; an id that stands in several counties becomes `County-id`. One
    id twice in a county, and two precincts of one name that ids do not tell apart, become problems.
    """
    by_id: dict[str, list[RosterLine]] = defaultdict(list)
    by_name: dict[tuple[str, str], list[RosterLine]] = defaultdict(list)
    for line in lines:
        by_name[line.precinct.county, fold_name(line.precinct.name)].append(line)
        if line.precinct.id:
            by_id[fold_id(line.precinct.id)].append(line)
    for same in by_name.values():
        _refuse_twins(same, problems)
    shared = set()
    for key, same in by_id.items():
        if len({line.precinct.county for line in same}) > 1:
            shared.add(key)
        _refuse_repeats(same, problems)
    settled = [_with_id(line, fold_id(line.precinct.id) in shared) for line in lines]
    _refuse_clashes(lines, settled, problems)
    return settled


def _refuse_twins(same: list[RosterLine], problems: list[Problem]) -> None:
    """Rows of one county and name, of which at least one has no id."""
    first = same[0]
    for line in same[1:]:
        if not line.precinct.id or not first.precinct.id:
            expected = (
                f"a name that stands once in {line.precinct.county}, or a precinct_id on both rows: "
                f"{first.where} has “{first.precinct.name}” too"
            )
            problems.append(line.table.problem(line.row, "precinct", line.precinct.name, expected))


def _refuse_repeats(same: list[RosterLine], problems: list[Problem]) -> None:
    first: dict[str, RosterLine] = {}
    for line in same:
        earlier = first.setdefault(line.precinct.county, line)
        if earlier is not line:
            expected = f"an id that stands once in {line.precinct.county}: {earlier.where} has it too"
            problems.append(line.table.problem(line.row, "precinct_id", line.precinct.id, expected))


def _with_id(line: RosterLine, shared: bool) -> RosterLine:
    precinct = line.precinct
    if precinct.id and not shared:
        return line
    settled = f"{precinct.county}-{precinct.id or precinct.name}"
    return replace(line, precinct=replace(precinct, id=settled))


def _refuse_clashes(
    given: Sequence[RosterLine], settled: Sequence[RosterLine], problems: list[Problem]
) -> None:
    """An id that was made may be the same as one that another row has of its own."""
    seen: dict[str, tuple[RosterLine, RosterLine]] = {}
    for before, after in zip(given, settled, strict=True):
        first = seen.setdefault(fold_id(after.precinct.id), (before, after))
        if first[1] is after:
            continue
        if before.precinct.id == after.precinct.id and first[0].precinct.id == first[1].precinct.id:
            continue  # one id twice in a county: told above
        if fold_name(before.precinct.name) == fold_name(first[0].precinct.name):
            continue  # twins: told above
        expected = f"another id: {after.precinct.id} would also be the id of {first[0].where}"
        problems.append(before.table.problem(before.row, "precinct_id", before.precinct.id, expected))
