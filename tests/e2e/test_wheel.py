"""A wheel that is installed elsewhere runs: it carries its rule sets, help, icons and migrations."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROSTER = "county,precinct,county_delegates,county_state_delegates\nPolk,Alpha,4,2\nPolk,Beta,3,2\n"


def test_a_wheel_runs_away_from_the_checkout(tmp_path: Path) -> None:
    built, home = tmp_path / "built", tmp_path / "elsewhere"
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(built)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(home)
    (tmp_path / "roster.csv").write_text(ROSTER, encoding="utf-8")

    def run(*arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "caucus_desk", *arguments],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(home), "CAUCUS_DESK_DATA": str(tmp_path / "data")},
            check=True,
            capture_output=True,
            text=True,
        )
        return done.stdout

    where = "import caucus_desk, caucus_desk.paths as p; print(caucus_desk.__file__); print(p.resources())"
    places = subprocess.run(
        [sys.executable, "-c", where],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(home)},
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split("\n")
    assert all(str(home) in place for place in places[:2])
    assert "Buttigieg" in run("math", "--delegates", "6", "161", "Buttigieg=52", "Sanders=50")
    assert "2 precincts" in run("new", "night.caucus", "--rules", "nevada-2020", "--roster", "roster.csv")
    assert "is sound" in run("check", "night.caucus")
    resources = home / "caucus_desk" / "resources"
    assert {entry.name for entry in resources.iterdir()} >= {"rules", "help", "icons", "style"}
