"""Commands run as a person types them, on a small caucus of our own."""

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from caucus_desk.commands import main

ROSTER = """county,precinct,precinct_id,county_delegates,kind,district,county_state_delegates,\
county_total_delegates,attendance
Alpha,North Ward,A-1,6,precinct,1,4,11,
Alpha,South Ward,A-2,5,precinct,1,4,11,
Alpha,Old Mill,A-3,0,precinct,1,4,11,
Polk,DES MOINES-42,77-DM42,4,precinct,3,3,5,
Polk,Walnut Township,007,1,precinct,3,3,5,
Satellite out of state,Union hall,SAT-1,,satellite,,2,,30
"""
RESULTS = """precinct_id,candidate,first_alignment,final_alignment,county_delegates,attendance
A-1,Biden,14,16,1,100
A-1,Buttigieg,36,38,2,
A-1,Sanders,24,24,2,
A-1,Warren,22,22,1,
A-1,Yang,4,0,0,
77-DM42,Sanders,20,22,2,40
77-DM42,Warren,18,18,2,
77-DM42,Yang,2,0,0,
SAT-1,Sanders,18,18,3,30
SAT-1,Warren,12,12,2,
"""


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Run = Callable[..., Ran]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command in this process; paths are relative to a folder of the test's own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CAUCUS_DESK_DATA", str(tmp_path / "data"))

    def go(*words: object) -> Ran:
        code = main([str(word) for word in words])
        said = capsys.readouterr()
        return Ran(code, said.out, said.err)

    return go


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for stores that are made once."""
    return tmp_path_factory.mktemp("template")


@pytest.fixture
def store(run: Run, tmp_path: Path, template: Path) -> str:
    """A store without reports, made by the command: once, for it is copied."""
    (tmp_path / "roster.csv").write_text(ROSTER, encoding="utf-8")
    (tmp_path / "results.csv").write_text(RESULTS, encoding="utf-8")
    kept = template / "small.sqlite"
    if not kept.exists():
        made = run("new", kept, "--rules", "iowa-2020", "--roster", "roster.csv", "--name", "Small")
        assert made.code == 0, made.err
    shutil.copyfile(kept, "small.sqlite")
    return "small.sqlite"


@pytest.fixture
def reported(run: Run, store: str) -> str:
    """The store with phone reports by Anna, and paper reports by Bo that differ in one field."""
    assert run("load", store, "results.csv", "--channel", "phone", "--by", "Anna").code == 0
    Path("paper.csv").write_text(RESULTS.replace("A-1,Biden,14,16", "A-1,Biden,13,16"), encoding="utf-8")
    assert run("load", store, "paper.csv", "--channel", "paper", "--by", "Bo").code == 0
    return store
