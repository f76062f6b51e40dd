"""Ten real precincts of 2020, keyed for phone and for paper by key presses, each with a slip planted.

A slip that the worksheet's own arithmetic shows is flagged while it is keyed; every slip is flagged
when the second source is keyed; and what is left at the end is exactly what was planted.
"""

import csv
import importlib.util
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from caucus_desk.desk.creating import create_caucus
from caucus_desk.desk.sheetcheck import check_of
from caucus_desk.tally.finding import Severity
from caucus_desk.tally.form import field_label
from caucus_desk.tally.report import Channel
from caucus_desk.tally.sheet import COLUMNS, GroupCounts, ResultSheet
from caucus_desk.tally.state import State

PUBLISHED = ("first_alignment", "final_alignment", "county_delegates")
Rows = dict[str, tuple[int, int, int]]
Slip = Callable[[int, Rows], tuple[int, Rows]]


@dataclass(frozen=True)
class Planted:
    what: str
    slip: Slip
    channel: Channel
    alone: bool
    """The sheet alone shows it; otherwise only the other source can."""


def change(rows: Rows, group: str, column: int, count: int) -> Rows:
    counts = list(rows[group])
    counts[column] = count
    return {**rows, group: tuple(counts)}


def by_final(rows: Rows) -> list[str]:
    return sorted((group for group in rows if rows[group][2]), key=lambda group: -rows[group][1])


def transposed(people: int, rows: Rows) -> tuple[int, Rows]:
    """Two digits exchanged in the largest final."""
    top = by_final(rows)[0]
    return people, change(rows, top, 1, int(str(rows[top][1])[::-1]))


def row_slip(people: int, rows: Rows) -> tuple[int, Rows]:
    """The final of the largest group keyed one row off: Patrick holds Sanders's numbers."""
    top = by_final(rows)[0]
    moved = change(change(rows, top, 1, 0), "Patrick", 1, rows[top][1])
    return people, moved


def exchanged_rows(people: int, rows: Rows) -> tuple[int, Rows]:
    """Des Moines-14 as first published: the delegates of two groups exchanged."""
    top, *_, last = by_final(rows)
    a, b = rows[top][2], rows[last][2]
    return people, change(change(rows, top, 2, b), last, 2, a)


def one_too_many(people: int, rows: Rows) -> tuple[int, Rows]:
    top = by_final(rows)[0]
    return people, change(rows, top, 2, rows[top][2] + 1)


def one_short(people: int, rows: Rows) -> tuple[int, Rows]:
    top = by_final(rows)[0]
    return people, change(rows, top, 2, rows[top][2] - 1)


def columns_exchanged(people: int, rows: Rows) -> tuple[int, Rows]:
    return people, {group: (final, first, d) for group, (first, final, d) in rows.items()}


def attendance_low(people: int, rows: Rows) -> tuple[int, Rows]:
    return people - 10, rows


def shrunk(people: int, rows: Rows) -> tuple[int, Rows]:
    """A viable group loses people, as 22 sheets of 2020 say."""
    group = next(group for group in by_final(rows) if rows[group][0] == rows[group][1])
    return people, change(rows, group, 1, rows[group][1] - 1)


def first_off_by_one(people: int, rows: Rows) -> tuple[int, Rows]:
    """One fewer in a small group's first count: nothing in the sheet can show it."""
    group = min(
        (group for group in rows if rows[group][0] > 1 and not rows[group][2]), key=lambda g: rows[g][0]
    )
    return people, change(rows, group, 0, rows[group][0] - 1)


def attendance_high(people: int, rows: Rows) -> tuple[int, Rows]:
    return people + 1, rows


PLANTED = (
    Planted("digits exchanged", transposed, Channel.PHONE, True),
    Planted("one row off", row_slip, Channel.PHONE, True),
    Planted("delegates of two groups exchanged", exchanged_rows, Channel.PAPER, True),
    Planted("one delegate too many", one_too_many, Channel.PHONE, True),
    Planted("one delegate short", one_short, Channel.PAPER, True),
    Planted("first and final exchanged", columns_exchanged, Channel.PHONE, True),
    Planted("attendance ten too low", attendance_low, Channel.PAPER, True),
    Planted("a safe group lost one", shrunk, Channel.PHONE, True),
    Planted("one fewer in a small first count", first_off_by_one, Channel.PAPER, False),
    Planted("attendance one too high", attendance_high, Channel.PHONE, False),
)


def errors(rules, precinct, people: int, rows: Rows) -> list[str]:
    sheet = ResultSheet(people, tuple(GroupCounts(group, *counts) for group, counts in rows.items()))
    return [f.id for f in check_of(rules, precinct, sheet).findings if f.severity is Severity.ERROR]


def fits(planted: Planted, rules, precinct, people: int, rows: Rows) -> bool:
    """Whether the slip can be planted here and does what it is to show."""
    try:
        keyed_people, keyed = planted.slip(people, rows)
    except (StopIteration, ValueError, IndexError):
        return False
    if (keyed_people, keyed) == (people, rows):
        return False
    return bool(errors(rules, precinct, keyed_people, keyed)) is planted.alone


def real_sheets(folder: Path, rules) -> dict[str, Rows]:
    sheets: dict[str, Rows] = {}
    with (folder / "results_final.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            counts = tuple(
                int(row[name]) for name in ("first_alignment", "final_alignment", "county_delegates")
            )
            sheets.setdefault(row["precinct_id"], {})[row["candidate"]] = counts
    return sheets


@pytest.fixture
def keyboard(tmp_path, monkeypatch):
    monkeypatch.setenv("CAUCUS_DESK_DATA", str(tmp_path / "data"))
    name = "caucus_tests_keyboard"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, Path(__file__).parents[1] / "keyboard.py")
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
    return sys.modules[name]


@pytest.fixture
def desk(iowa2020, tmp_path) -> Iterator[object]:
    made = create_caucus(tmp_path / "iowa.caucus", "iowa-2020", iowa2020 / "precincts.csv", by="lead").desk
    yield made
    made.close()


def choose(desk, iowa2020: Path) -> list[tuple[Planted, str, int, Rows]]:
    """For each slip the first real precinct, from another county each, whose sheet is right in itself."""
    sheets = real_sheets(iowa2020, desk.rules)
    chosen, counties = [], set()
    for planted in PLANTED:
        for precinct in desk.precincts.values():
            if precinct.is_satellite or precinct.county in counties or (precinct.delegates or 0) < 5:
                continue
            rows = sheets.get(precinct.id, {})
            people = sum(first for first, _, _ in rows.values())
            if people < 60 or errors(desk.rules, precinct, people, rows):
                continue
            if fits(planted, desk.rules, precinct, people, rows):
                chosen.append((planted, precinct.id, people, rows))
                counties.add(precinct.county)
                break
    return chosen


def as_said(rows: Rows) -> dict[str, tuple[int, int, int]]:
    """What a caller reads out: a group with nobody at all is not mentioned."""
    return {group: counts for group, counts in rows.items() if any(counts)}


def differing(people: int, rows: Rows, keyed_people: int, keyed: Rows) -> list[str]:
    fields = ["attendance"] if people != keyed_people else []
    for group in rows:
        for column, right, wrong in zip(COLUMNS, rows[group], keyed[group], strict=True):
            if right != wrong:
                fields.append(f"{group}.{column}")
    return fields


@pytest.mark.timeout(300)
def test_each_planted_slip_is_flagged(qapp, desk, iowa2020, keyboard):
    chosen = choose(desk, iowa2020)
    assert len(chosen) == 10
    expected = {}
    first, second = keyboard.Clerk(desk, "clerk 07"), None
    # The clerk with the slip keys first, so that it is judged without the other source.
    for planted, precinct_id, people, rows in chosen:
        keyed_people, keyed = planted.slip(people, rows)
        first.key_sheet(precinct_id, planted.channel, keyed_people, as_said(keyed))
        marked = [words for words in first.marked().values() if "error" in words]
        shown = first.sees("Error.")
        assert shown is planted.alone, f"{planted.what} in {precinct_id}: {first.where} {first.screen()}"
        sums = ("too many", " over", " left")
        assert not planted.alone or marked or any(first.sees(words) for words in sums)
        first.enter()
        first.give_reasons("as it was read out")
        if planted.alone:
            first.enter()
        done = planted.channel in keyboard.reports(desk, precinct_id)
        assert done, f"{planted.what}: {first.where}: {first.screen()}"
        first.enter()
        expected[precinct_id] = differing(people, rows, keyed_people, keyed)
    first.leave()

    second = keyboard.Clerk(desk, "clerk 12")
    for planted, precinct_id, people, rows in chosen:
        other = Channel.PAPER if planted.channel is Channel.PHONE else Channel.PHONE
        second.key_sheet(precinct_id, other, people, as_said(rows))
        second.enter()
        fields = expected[precinct_id]
        names = [field_label(desk.rules, path) for path in fields]
        assert second.sees("Does not match in:"), f"{planted.what}: {second.screen()}"
        assert all(second.sees(name) for name in names)
        assert {name for name, words in second.marked().items() if "does not match" in words} == set(names)
        assert other not in keyboard.reports(desk, precinct_id)
        for name in names:  # a look at each of them, and nothing to correct
            assert second.where == name
            second.enter()
        second.enter()
        assert other in keyboard.reports(desk, precinct_id), planted.what
        second.enter()

    overview = desk.overview()
    found = {}
    for mismatch in overview.mismatches():
        found.setdefault(mismatch.precinct_id, []).append(mismatch.field)
    assert found == expected
    assert all(overview.results[one].standing.state is State.MISMATCHED for one in expected)
    assert overview.coverage().verified == 0

    second.page("review")
    listed = {row[0] for row in second.listed() if len(row) == 4}
    assert listed == {f"{desk.precinct(one).name}\n{desk.precinct(one).county}" for one in expected}
    second.leave()
