"""chase and attach."""

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from python_calamine import CalamineWorkbook

Run = Callable[..., Any]
pytestmark = pytest.mark.usefixtures("qapp")


@pytest.fixture
def phoned(run: Run, store: str) -> str:
    """A-1, DES MOINES-42 and the satellite are in by phone; nothing is in on paper."""
    assert run("load", store, "results.csv", "--channel", "phone", "--by", "Anna").code == 0
    return store


def test_the_list_names_every_missing_sheet(run: Run, phoned: str) -> None:
    listed = run("chase", phoned)
    assert listed.code == 1  # something needs a person
    assert listed.out.startswith("5 worksheets to fetch, 0 here and not keyed.")
    assert "DES MOINES-42" in listed.out
    found = run("chase", phoned, "--county", "polk", "--json").json
    assert [(row["precinct_id"], row["stage"], row["phone_report"]) for row in found["missing"]] == [
        ("77-DM42", "missing", True),
        ("007", "missing", False),
    ]
    assert found["counties"] == [
        {"county": "Polk", "precincts": 2, "missing": 2, "here": 0, "keyed": 0, "asked_for": 0}
    ]
    assert run("chase", phoned, "--county", "Nowhere").code == 3


def test_when_all_paper_is_in_nothing_needs_a_person(run: Run, store: str) -> None:
    text = Path("results.csv").read_text(encoding="utf-8")
    text += "A-2,Sanders,50,50,5,50\n007,Sanders,9,9,1,9\n"
    Path("results.csv").write_text(text, encoding="utf-8")
    assert run("load", store, "results.csv", "--channel", "paper", "--by", "Bo").code == 0
    done = run("chase", store)
    assert (done.code, done.out.splitlines()[0]) == (0, "0 worksheets to fetch, 0 here and not keyed.")


def test_runners_attempts_and_receipt(run: Run, phoned: str) -> None:
    sent = run("chase", phoned, "--assign", "Rita", "--county", "Alpha", "--by", "Anna", "--json")
    assert [step["precinct_id"] for step in sent.json["steps"]] == ["A-1", "A-2"]
    tried = run("chase", phoned, "--attempt", "A-1", "--outcome", "no answer", "--by", "Anna")
    assert tried.out == "The sheet of North Ward (A-1) was tried: no answer.\n"
    came = run("chase", phoned, "--received", "A-1", "--note", "by hand", "--by", "Anna")
    assert came.out == "The sheet of North Ward (A-1) is here; its paper entry is due.\n"
    again = run("chase", phoned, "--received", "A-1", "--by", "Bo")
    assert again.code == 3
    assert again.err.startswith("Anna marked the sheet of North Ward, Alpha received at")
    [row, *_] = run("chase", phoned, "--county", "Alpha", "--json").json["missing"]
    assert (row["stage"], row["received"], row["runner"]) == ("entry due", True, "Rita")
    assert [step["note"] for step in row["attempts"]] == ["no answer"]
    back = run("chase", phoned, "--not-received", "A-1", "--by", "Anna")
    assert back.out == "The sheet of North Ward (A-1) is missing again.\n"
    one = run("chase", phoned, "--assign", "Otto", "--precinct", "007", "--by", "Anna")
    assert one.out == "The sheet of Walnut Township (007) is fetched by Otto.\n"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--received", "A-1"), "Say who does it, with --by NAME."),
        (("--attempt", "A-1", "--by", "Anna"), "Say how it ended, with --outcome"),
        (("--assign", "Rita", "--by", "Anna"), "Say where the runner goes"),
        (("--received", "A-1", "--assign", "Rita", "--by", "Anna"), "not allowed with"),
        (("--attempt", "A-1", "--outcome", "shrug", "--by", "Anna"), "invalid choice"),
    ],
)
def test_wrong_use_is_said(run: Run, phoned: str, words: tuple[str, ...], says: str) -> None:
    wrong = run("chase", phoned, *words)
    assert wrong.code == 2
    assert says in wrong.err


def test_the_list_as_a_workbook(run: Run, phoned: str) -> None:
    done = run("chase", phoned, "--county", "Polk", "--out", "polk.xlsx", "--by", "Anna")
    assert (done.code, done.out) == (0, "Wrote polk.xlsx: 2 missing worksheets.\n")
    rows = CalamineWorkbook.from_path("polk.xlsx").get_sheet_by_index(0).to_python()
    assert [row[1] for row in rows[-2:]] == ["77-DM42", "007"]
    assert "polk.xlsx" in run("audit", phoned).out
    assert run("chase", phoned, "--out", "polk.txt", "--by", "Anna").code == 3


def test_an_image_is_attached(run: Run, store: str, scans: ModuleType, tmp_path: Path) -> None:
    scan = scans.plain_pdf(tmp_path / "north ward.pdf")
    done = run("attach", store, "A-1", scan, "--by", "Anna", "--json")
    assert (done.json["name"], done.json["kind"]) == ("north ward.pdf", "pdf")
    again = run("attach", store, "A-1", scan, "--by", "Anna")
    assert (again.code, again.out) == (3, "")
    (tmp_path / "letter.txt").write_text("Dear chair")
    assert run("attach", store, "A-1", tmp_path / "letter.txt", "--by", "Anna").code == 3
    [row, *_] = run("chase", store, "--json").json["missing"]
    assert (row["photos"], row["stage"]) == (1, "entry due")
    assert run("check", store).code == 0
    copied = run("backup", store, "copy.db", "--json")
    assert copied.json["warnings"] == []
    assert run("check", "copy.db").code == 0
