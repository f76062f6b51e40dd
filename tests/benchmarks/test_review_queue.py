"""The review queue on a night with a hundred cases: it is asked for after every change."""

import shutil
from dataclasses import replace
from pathlib import Path

from caucus_desk.desk.cases import queue
from caucus_desk.desk.session import Desk, open_desk
from caucus_desk.desk.settling import derive, settle
from caucus_desk.store.records import NewReport
from caucus_desk.tally.report import Channel
from caucus_desk.tally.results import PrecinctResult
from caucus_desk.tally.sheet import ResultSheet
from caucus_desk.tally.state import State

from .conftest import in_turn, say

CASES = 100


def differing(result: PrecinctResult) -> ResultSheet | None:
    """The standing sheet with the delegates of its first two groups exchanged."""
    sheet = result.standing.sheet
    if sheet is None or len(sheet.groups) < 2:
        return None
    one, other, *rest = sorted(sheet.groups, key=lambda row: -(row.final or 0))
    if one.delegates == other.delegates:
        return None
    swapped = (replace(one, delegates=other.delegates), replace(other, delegates=one.delegates))
    return replace(sheet, groups=(*swapped, *rest))


def make_cases(desk: Desk, wanted: int) -> None:
    results = desk.overview().results
    have = sum(result.standing.state is State.MISMATCHED for result in results.values())
    new = []
    for result in results.values():
        if have + len(new) >= wanted:
            break
        sheet = differing(result) if result.standing.state is State.SINGLE else None
        if sheet is not None:
            channel = next(c for c in (Channel.PAPER, Channel.PHONE) if c not in result.reports)
            new.append(NewReport(result.precinct.id, channel, sheet, "Bench Mark"))
    with desk.store.write() as unit:
        unit.add_reports(new)
        settle(unit, desk.rules, [one.precinct_id for one in new], desk.precincts)


def test_the_queue_with_a_hundred_cases(sample: Path, tmp_path: Path) -> None:
    store = tmp_path / "store.sqlite"
    shutil.copy(sample, store)
    with open_desk(str(store)) as desk:
        make_cases(desk, CASES)
        overview = desk.overview()
        items = queue(desk, overview)
        mismatches = [item for item in items if "mismatch" in item.kinds]
        assert len(mismatches) >= CASES
        ids = [item.precinct.id for item in mismatches]

        def read_again() -> None:
            with desk.store.read() as unit:
                derive(unit, desk.rules, ids, desk.precincts)

        ours, bare = in_turn(lambda: queue(desk, overview), read_again, 15)
        say(f"Review queue with {len(items)} cases, against reading them anew", ours, bare, 0.75)
