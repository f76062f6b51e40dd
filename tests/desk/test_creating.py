"""A caucus from a rule set and a roster: whole, or no file at all."""

from pathlib import Path

import pytest

from caucus_desk.desk.creating import create_caucus, rule_set, rule_set_names
from caucus_desk.desk.trail import audit_trail
from caucus_desk.exchange.problems import BadInput
from caucus_desk.rules.errors import Cancelled, Refused
from caucus_desk.store.errors import StoreExists, StoreMissing


def names(folder: Path) -> list[str]:
    return sorted(one.name for one in folder.iterdir())


def test_a_caucus_is_made(small_roster: Path, tmp_path: Path) -> None:
    seen: list[tuple[int, int, str]] = []
    made = create_caucus(
        str(tmp_path / "Zoë #1.db"),
        "iowa-2020",
        small_roster,
        by="  Lead   Person ",
        name=" Night  2020 ",
        progress=lambda *step: seen.append(step),
    )
    with made.desk as desk:
        assert made.precincts == len(desk.precincts) == 6
        assert desk.caucus == "Night 2020"
        assert desk.precincts["A-3"].merged
        first = audit_trail(desk).events[0]
        assert first.actor == "Lead Person"
        assert first.sentence == "Night 2020 begun under the rules iowa-2020 by Lead Person"
        with desk.store.read() as unit:
            assert unit.check_pin("A-1", "123456")
            assert unit.caucus().rules_name == "iowa-2020"
    assert {what for _, _, what in seen} >= {"Hiding the PINs", "Making the store"}


def test_rule_sets_are_named(tmp_path: Path) -> None:
    assert set(rule_set_names()) >= {"iowa-2020", "nevada-2020"}
    assert rule_set("nevada-2020").name == "nevada-2020"
    with pytest.raises(Refused, match=r"no rule set 'ohio'. There are: .*iowa-2020"):
        rule_set("ohio")
    with pytest.raises(Refused, match="no rule set"):
        rule_set("../iowa-2020")


def test_a_bad_roster_leaves_no_file(small_roster: Path, tmp_path: Path) -> None:
    small_roster.write_text(small_roster.read_text() + "Polk,Twin,77-DM42,x,precinct,3,3,5,,,,\n")
    with pytest.raises(BadInput):
        create_caucus(str(tmp_path / "a.db"), "iowa-2020", small_roster, by="Lead")
    assert names(tmp_path) == ["roster.csv"]


@pytest.mark.parametrize("stop", ["Hiding the PINs", "Making the store"])
def test_cancelling_leaves_no_file(small_roster: Path, tmp_path: Path, stop: str) -> None:
    def progress(done: int, total: int, what: str) -> None:
        if what == stop:
            raise Cancelled("Stopped.")

    with pytest.raises(Cancelled):
        create_caucus(str(tmp_path / "a.db"), "iowa-2020", small_roster, by="Lead", progress=progress)
    assert names(tmp_path) == ["roster.csv"]


def test_an_existing_file_is_never_overwritten(small_roster: Path, tmp_path: Path) -> None:
    with pytest.raises(StoreExists):
        create_caucus(str(small_roster), "iowa-2020", small_roster, by="Lead")
    assert small_roster.read_text().startswith("county,")
    with pytest.raises(StoreMissing):
        create_caucus(str(tmp_path / "no" / "a.db"), "iowa-2020", small_roster, by="Lead")


@pytest.mark.parametrize("by", ["", "   ", "\u0301", "x" * 81])
def test_somebody_makes_it(small_roster: Path, tmp_path: Path, by: str) -> None:
    with pytest.raises(Refused):
        create_caucus(str(tmp_path / "a.db"), "iowa-2020", small_roster, by=by)
    assert names(tmp_path) == ["roster.csv"]


def test_the_real_roster(iowa2020: Path, tmp_path: Path) -> None:
    made = create_caucus(str(tmp_path / "a.db"), "iowa-2020", iowa2020 / "precincts.csv", by="Lead")
    with made.desk as desk:
        assert made.precincts == 1765
        assert desk.overview().banner() == (
            "UNOFFICIAL, PARTIAL: 0 of 1,765 precincts (0.0%), 0 of 99 counties"
        )
        assert sum(one.delegates or 0 for one in desk.precincts.values() if not one.is_satellite) == 11_402
