"""A small night with one of everything, and an independent reader of what was written."""

import shutil
import subprocess
import zipfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from python_calamine import CalamineWorkbook

from caucus_desk.reports.leadership import write_leadership
from caucus_desk.reports.totals import WorkbookTotals
from caucus_desk.rules.loading import parse_rule_set
from caucus_desk.rules.ruleset import Group, RuleSet
from caucus_desk.tally.assess import assess
from caucus_desk.tally.overview import Overview
from caucus_desk.tally.report import Acknowledgement, Channel, Report, Ruling
from caucus_desk.tally.results import Counting, PrecinctResult
from caucus_desk.tally.roster import Precinct, PrecinctKind
from caucus_desk.tally.sheet import GroupCounts, ResultSheet

FILE = Path(__file__).parents[2] / "resources" / "rules" / "iowa-2020.toml"
RULES: RuleSet = parse_rule_set(FILE.read_text(encoding="utf-8"), FILE.name)
SEEN = datetime(2020, 2, 4, 3, 4, tzinfo=UTC)
SHEETS = (
    "Summary", "National delegates", "Outlook", "Districts", "Counties", "Precincts", "Mismatches",
    "Findings", "Missing paper", "As computed", "Departures", "Working", "Method", "Checks",
)  # fmt: skip
TABLES = ("Districts", "Counties", "Precincts", "Mismatches", "Findings", "Missing paper", "As computed",
          "Working", "Checks")  # fmt: skip

Cell = str | int | float | bool | object


def sheet(attendance: int | None, **rows: tuple[int | None, int | None, int | None]) -> ResultSheet:
    return ResultSheet(attendance, tuple(GroupCounts(group, *counts) for group, counts in rows.items()))


def clean(tens: int) -> ResultSheet:
    """As the rules give for five delegates, 3.0 and 2.0; each number of people makes another sheet."""
    return sheet(10 * tens, Sanders=(6 * tens, 6 * tens, 3), Warren=(4 * tens, 4 * tens, 2))


def wrong(tens: int) -> ResultSheet:
    """The same people, with a delegate exchanged."""
    return sheet(10 * tens, Sanders=(6 * tens, 6 * tens, 2), Warren=(4 * tens, 4 * tens, 3))


OVER = sheet(100, Sanders=(60, 60, 4), Warren=(40, 40, 2))
TOSS = sheet(200, Sanders=(100, 100, 3), Warren=(50, 50, 2), Biden=(50, 50, 2))
"""Six delegates: a toss between Warren and Biden that the sheet doesn't settle."""
NO_FINAL = sheet(50, Sanders=(30, None, 2), Warren=(20, None, 1))
NOBODY = sheet(0, Sanders=(0, 0, 0))


def adair(number: int, **more: object) -> Precinct:
    base = Precinct(f"00{number}", "Adair", f"Adair {number}", district="3", delegates=5,
                    county_state_delegates=4, county_total_delegates=51)  # fmt: skip
    return replace(base, **more)  # type: ignore[arg-type]


def polk(number: int, **more: object) -> Precinct:
    base = Precinct(f"1-{number}", "Polk", f"Des Moines-{number}", district="3", delegates=6,
                    county_state_delegates=392, county_total_delegates=1401)  # fmt: skip
    return replace(base, **more)  # type: ignore[arg-type]


def site(number: int, **more: object) -> Precinct:
    base = Precinct(f"S{number}", "CD1 Satellite", f"Library {number}", PrecinctKind.SATELLITE, "1",
                    county_state_delegates=6, attendance=30)  # fmt: skip
    return replace(base, **more)  # type: ignore[arg-type]


MERGED = Precinct("M1", "Polk", "Merged away", district="3", delegates=0)
PARIS = Precinct("S9", "Out of State Satellite", "Paris", PrecinctKind.SATELLITE, None, None, 4)


def reported(
    precinct: Precinct,
    *sheets: tuple[Channel, ResultSheet, str],
    rules: RuleSet = RULES,
    ruling: Ruling | None = None,
    acknowledged: Iterable[Acknowledgement] = (),
) -> PrecinctResult:
    reports = [Report(i, precinct.id, c, s, by, SEEN) for i, (c, s, by) in enumerate(sheets, start=1)]
    return assess(rules, precinct, reports, ruling, acknowledged)


def pair(precinct: Precinct, figures: ResultSheet, **more: object) -> PrecinctResult:
    keyed = ((Channel.PHONE, figures, "Ann"), (Channel.PAPER, figures, "Bo"))
    return reported(precinct, *keyed, **more)  # type: ignore[arg-type]


def app(precinct: Precinct, figures: ResultSheet) -> PrecinctResult:
    return reported(precinct, (Channel.APP, figures, "Cy"))


def a_night() -> Overview:
    """Awaiting, single, mismatched, matched, ruled, merged; over-allocated, tossed, half blank, empty."""
    given = [
        Acknowledgement("005", id, OVER.fingerprint, "Dee", SEEN, "the room insists", False)
        for id in ("C14", "C20")
    ]
    ruling = Ruling(1, "1-3", clean(14), 9, "Eve", SEEN, "the chair confirmed by phone")
    results = [
        pair(adair(1), clean(11)),
        app(adair(2), wrong(12)),
        reported(adair(3)),
        reported(adair(4), (Channel.PHONE, clean(13), "Ann"), (Channel.PAPER, wrong(13), "Bo")),
        pair(adair(5), OVER, acknowledged=given),
        app(polk(1), TOSS),
        app(polk(2), NO_FINAL),
        pair(polk(3, delegates=5), wrong(14), ruling=ruling),
        reported(MERGED),
        app(site(1), sheet(24, Sanders=(14, 14, 3), Warren=(10, 10, 2))),
        app(site(2), sheet(76, Warren=(40, 40, 3), Buttigieg=(36, 36, 4))),
        app(site(3, attendance=0), NOBODY),
        app(PARIS, sheet(30, Klobuchar=(30, 30, 5))),
    ]
    return Overview(RULES, "Test caucus & friends", results)


def with_labels(labels: Iterable[str]) -> RuleSet:
    """The rules with another ballot; keys are plain, labels as given."""
    groups = tuple(Group(f"G{i}", label) for i, label in enumerate(labels))
    return replace(RULES, groups=groups)


@dataclass(frozen=True)
class Written:
    path: Path
    totals: WorkbookTotals

    @property
    def book(self) -> CalamineWorkbook:
        return CalamineWorkbook.from_path(self.path)

    def rows(self, name: str) -> list[list[Cell]]:
        return list(self.book.get_sheet_by_name(name).to_python(skip_empty_area=False))

    def table(self, name: str, first: str) -> list[dict[str, Cell]]:
        """The rows below the headings, by heading; `first` begins the first heading."""
        return table(self.rows(name), first)

    def xml(self, name: str) -> str:
        """The sheet's part of the file, as it is in there."""
        number = self.book.sheet_names.index(name) + 1
        with zipfile.ZipFile(self.path) as archive:
            return archive.read(f"xl/worksheets/sheet{number}.xml").decode()


def table(rows: list[list[Cell]], first: str) -> list[dict[str, Cell]]:
    at = next(i for i, row in enumerate(rows) if str(row[0]).startswith(first) and row[1] != "")
    headings = [str(cell) for cell in rows[at]]
    found = []
    for row in rows[at + 1 :]:
        if all(cell == "" for cell in row):
            break
        found.append(dict(zip(headings, row, strict=True)))
    return found


def write(overview: Overview, path: Path, counting: Counting = Counting.REPORTED) -> Written:
    return Written(path, write_leadership(path, overview, as_of=SEEN, counting=counting))


@pytest.fixture(scope="session")
def night(tmp_path_factory: pytest.TempPathFactory) -> Written:
    return write(a_night(), tmp_path_factory.mktemp("night") / "night.xlsx")


@pytest.fixture(scope="session")
def office(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path, str], Path]:
    """LibreOffice: opens a file, calculates it and saves it in another form."""
    program = shutil.which("soffice")
    if program is None:
        pytest.skip("LibreOffice is not installed here")
    profile = tmp_path_factory.mktemp("office")

    def convert(path: Path, form: str) -> Path:
        out = tmp_path_factory.mktemp("converted")
        done = subprocess.run(
            [program, f"-env:UserInstallation={profile.as_uri()}", "--headless", "--convert-to", form,
             "--outdir", str(out), str(path)],
            capture_output=True, text=True, timeout=300, check=False,
        )  # fmt: skip
        made = out / f"{path.stem}.{form}"
        assert made.exists(), done.stdout + done.stderr
        return made

    return convert
