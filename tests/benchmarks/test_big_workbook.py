"""A very large caucus in bounded memory: 200,000 precincts, against bare openpyxl in a process of its own.

The memory is what writing takes on top of the most that was needed before, to have the figures at all, which
both have. Seconds are the processor's: the processes run one after the other, whatever else the machine does.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

PRECINCTS = 200_000
_HERE = Path(__file__).parents[2]

_FIGURES = """
import gc, json, resource, sys, time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from caucus_desk.rules.loading import parse_rule_set
from caucus_desk.tally.assess import assess
from caucus_desk.tally.overview import Overview
from caucus_desk.tally.report import Channel, Report
from caucus_desk.tally.results import Counting
from caucus_desk.tally.roster import Precinct
from caucus_desk.tally.sheet import GroupCounts, ResultSheet

number, out, how = int(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
file = Path(sys.argv[4])
rules = parse_rule_set(file.read_text(encoding="utf-8"), file.name)
at = datetime(2020, 2, 4, 3, 4, tzinfo=UTC)


def sheet(n):
    # No two alike; three in a hundred give a delegate to the wrong group.
    first, second, moved = 300 + n % 450, 200 + n // 450, n % 33 == 0
    people = first + second
    given = (10 * first + people) // (2 * people)
    wrong = 1 if moved else 0
    return ResultSheet(
        people,
        (
            GroupCounts("Sanders", first, first, given - wrong),
            GroupCounts("Warren", second, second, 5 - given + wrong),
        ),
    )


def result(n):
    id, county, name = f"{n // 200:04d}-{n:06d}", f"County {n // 200}", f"Precinct {n}"
    precinct = Precinct(id, county, name, district=str(n % 4 + 1), delegates=5, county_state_delegates=20,
                        county_total_delegates=1000)
    report = Report(n + 1, id, Channel.PAPER, sheet(n), f"clerk {n % 40}", at)
    return assess(rules, precinct, [report], None, ())


overview = Overview(rules, "Very large", [result(n) for n in range(number)])
overview.findings()
gc.collect()


def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
"""

_OURS = """
from caucus_desk.reports.leadership import write_leadership
before, began = peak(), time.process_time()
write_leadership(out, overview, as_of=at, counting=Counting.REPORTED)
print(json.dumps({"seconds": time.process_time() - began, "kilobytes": peak() - before, "before": before}))
"""

_BARE = """
from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from caucus_desk.reports.book import Book
from caucus_desk.reports.contents import contents
from caucus_desk.reports.plan import Formula, Kind, SheetLink
from caucus_desk.reports.totals import expected

book = Book.of(overview, at, Counting.REPORTED)
planned = contents(book, expected(book))
rows = [
    (page.name, [block.columns for block in page.blocks], [block.rows for block in page.blocks])
    for page in planned.pages
]
formats = {Kind.COUNT: "#,##0", Kind.UNITS: "#,##0.0000", Kind.SHARE: "0.0%", Kind.ID: "@"}
before, began = peak(), time.process_time()
workbook = Workbook(write_only=True)
for name, columns, blocks in rows:
    page = workbook.create_sheet(name)
    for heads, block in zip(columns, blocks):
        looks = [formats.get(column.kind) for column in heads]
        for row in block:
            line = []
            for value, look in zip(row, looks):
                if isinstance(value, (Formula, SheetLink)):
                    value = str(value)
                if look is None or value is None:
                    line.append(value)
                else:
                    cell = WriteOnlyCell(page, value)
                    cell.number_format = look
                    line.append(cell)
            page.append(line)
workbook.save(out)
print(json.dumps({"seconds": time.process_time() - began, "kilobytes": peak() - before, "before": before}))
"""


def run(code: str, number: int, out: Path) -> dict[str, float]:
    rules = _HERE / "resources" / "rules" / "iowa-2020.toml"
    done = subprocess.run(
        [sys.executable, "-c", _FIGURES + code, str(number), str(out), "write", str(rules)],
        cwd=_HERE, capture_output=True, text=True, timeout=3000, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found: dict[str, float] = json.loads(done.stdout)
    return found


@pytest.mark.timeout(4000)
def test_200_000_precincts_are_written_in_bounded_memory(tmp_path: Path) -> None:
    small = run(_OURS, PRECINCTS // 10, tmp_path / "small.xlsx")
    ours = run(_OURS, PRECINCTS, tmp_path / "ours.xlsx")
    bare = run(_BARE, PRECINCTS, tmp_path / "bare.xlsx")
    ratio = ours["seconds"] / bare["seconds"]
    print(
        f"\n{PRECINCTS:,} precincts: {ours['seconds']:.0f} s against {bare['seconds']:.0f} s: {ratio:.2f} x; "
        f"{ours['kilobytes'] / 1024:.0f} MB on top of {ours['before'] / 1024:.0f} MB of figures, against "
        f"{bare['kilobytes'] / 1024:.0f} MB; {PRECINCTS // 10:,}: {small['kilobytes'] / 1024:.0f} MB"
    )
    assert ratio <= 2.0
    assert ours["kilobytes"] <= 100 * 1024, "whatever the number of precincts"
