"""A small caucus in a real store, behind a real window that keeps its settings to itself."""

import csv
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest
from PySide6.QtWidgets import QApplication

from caucus_desk.desk.loading import load_results
from caucus_desk.desk.session import Desk
from caucus_desk.tally.report import Channel
from caucus_desk.ui.app import build_window
from caucus_desk.ui.theme import ThemeName, theme
from caucus_desk.ui.window import MainWindow

ROSTER = """county,precinct,precinct_id,county_delegates,kind,district,county_state_delegates,\
county_total_delegates
Alpha,North Ward,A-1,6,precinct,1,4,11
Alpha,South Ward,A-2,5,precinct,1,4,11
Alpha,Old Mill,A-3,0,precinct,1,4,11
O'Brien,DES MOINES-42,77-DM42,4,precinct,3,3,5
O'Brien,Walnut Township,77-T01,1,precinct,3,3,5
"""

GOOD = {
    "Biden": (14, 16, 1),
    "Buttigieg": (36, 38, 2),
    "Sanders": (24, 24, 2),
    "Warren": (22, 22, 1),
    "Yang": (4, 0, 0),
}
"""100 people in A-1, which elects 6: everything as the rules give."""
SOUTH = {"Klobuchar": (30, 35, 3), "Sanders": (25, 25, 2), "Steyer": (5, 0, 0)}
"""60 people in A-2, which elects 5."""

Counts = dict[str, tuple[int, int, int]]


@pytest.fixture
def good() -> Counts:
    return dict(GOOD)


@pytest.fixture
def south() -> Counts:
    return dict(SOUTH)


@pytest.fixture(autouse=True)
def ui_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Settings, logs and samples of a test lie in its own folder."""
    folder = tmp_path / "data"
    monkeypatch.setenv("CAUCUS_DESK_DATA", str(folder))
    return folder


@pytest.fixture(scope="session", autouse=True)
def _clipboard(qapp: QApplication) -> Iterator[None]:
    """Nothing of Python's is left in it when the interpreter has gone; without a screen Qt keeps it."""
    yield
    qapp.clipboard().clear()


@pytest.fixture(autouse=True)
def _light(qapp: object) -> Iterator[None]:
    theme().apply(ThemeName.LIGHT)
    yield
    theme().apply(ThemeName.LIGHT)


@pytest.fixture
def roster(tmp_path: Path) -> Path:
    file = tmp_path / "roster.csv"
    file.write_text(ROSTER, encoding="utf-8")
    return file


@pytest.fixture
def store(tmp_path: Path, roster: Path, made_once: ModuleType) -> Path:
    """A store without reports."""
    location = tmp_path / "night of the caucus.sqlite"
    made_once.place(location, "iowa-2020", roster, by="maker", name="Small caucus")
    return location


@pytest.fixture
def desk(store: Path) -> Iterator[Desk]:
    from caucus_desk.desk.session import open_desk

    opened = open_desk(str(store))
    yield opened
    opened.close()


@pytest.fixture
def report(tmp_path: Path) -> Callable[..., Path]:
    """`report(desk, "A-1", counts, people, "phone", "clerk 07")` brings one sheet in."""

    def bring(desk: Desk, precinct_id: str, counts: Counts, people: int, channel: str, by: str) -> Path:
        file = tmp_path / f"{precinct_id}-{channel}.csv"
        results_file(file, {precinct_id: (counts, people)})
        load_results(desk, file, channel=Channel(channel), by=by)
        return file

    return bring


def results_file(file: Path, sheets: dict[str, tuple[Counts, int]]) -> None:
    with file.open("w", newline="", encoding="utf-8") as out:
        writer = csv.writer(out)
        writer.writerow(
            [
                "precinct_id",
                "candidate",
                "first_alignment",
                "final_alignment",
                "county_delegates",
                "attendance",
            ]
        )
        for precinct_id, (counts, people) in sheets.items():
            for group, three in counts.items():
                writer.writerow([precinct_id, group, *three, people])


@pytest.fixture
def window(qtbot: object, desk: Desk) -> Iterator[MainWindow]:
    """The window on the small caucus, with clerk 07 at the desk, at its usual size."""
    made = build_window(desk, person="clerk 07")
    qtbot.addWidget(made)  # type: ignore[attr-defined]
    made.resize(1280, 720)
    made.show()
    qtbot.waitExposed(made)  # type: ignore[attr-defined]
    yield made
    made.jobs.cancel_all()
    made.jobs.wait(10_000)


@pytest.fixture
def welcome(qtbot: object) -> Iterator[MainWindow]:
    """The window without a caucus."""
    made = build_window()
    qtbot.addWidget(made)  # type: ignore[attr-defined]
    made.resize(1280, 720)
    made.show()
    qtbot.waitExposed(made)  # type: ignore[attr-defined]
    yield made
    made.jobs.cancel_all()
    made.jobs.wait(10_000)
