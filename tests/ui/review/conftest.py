"""A small caucus in a real store with reports that differ, and reviewers at real windows."""

import importlib.util
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

from caucus_desk.desk import entry
from caucus_desk.desk.session import Desk
from caucus_desk.tally.report import Channel
from caucus_desk.tally.sheet import GroupCounts, ResultSheet
from caucus_desk.ui.theme import ThemeName, theme


def _keyboard() -> ModuleType:
    """The module beside tests/conftest.py; test folders are no packages, so it is loaded by its path."""
    if "caucus_tests_keyboard" not in sys.modules:
        file = Path(__file__).parents[2] / "keyboard.py"
        spec = importlib.util.spec_from_file_location("caucus_tests_keyboard", file)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules["caucus_tests_keyboard"] = module
        spec.loader.exec_module(module)
    return sys.modules["caucus_tests_keyboard"]


keyboard = _keyboard()


@pytest.fixture(autouse=True)
def _own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CAUCUS_DESK_DATA", str(tmp_path / "data"))


@pytest.fixture(autouse=True)
def _light(qapp: object) -> Iterator[None]:
    theme().apply(ThemeName.LIGHT)
    yield
    theme().apply(ThemeName.LIGHT)


@pytest.fixture
def desk(tmp_path: Path, place_for: Callable[..., str]) -> Iterator[Desk]:
    made = keyboard.small_caucus(tmp_path, place_for=place_for)
    yield made
    made.close()


@pytest.fixture
def sit(qapp: object, desk: Desk) -> Iterator[Callable[..., object]]:
    """`sit("reviewer 3")` sits somebody down at a window; who sat before leaves, unless `beside` is True."""
    seated: list[object] = []

    def sit_down(name: str, at: object = None, *, beside: bool = False, **more: object) -> object:
        if not beside:
            for clerk in seated:
                clerk.leave()  # type: ignore[attr-defined]
            seated.clear()
        clerk = keyboard.Clerk(at or desk, name, **more)
        seated.append(clerk)
        return clerk

    yield sit_down
    for clerk in seated:
        clerk.leave()  # type: ignore[attr-defined]


@pytest.fixture
def put(desk: Desk) -> Callable[..., entry.Submitted]:
    """`put("77-DM14", "paper", "clerk 12", Warren_final=30)`: Des Moines-14 as certified, but for what is
    said."""

    def bring(precinct_id: str, channel: str, by: str, people: int = 161, **fields: int | None) -> object:
        rows = {group: list(counts) for group, counts in keyboard.DM14.items()}
        for name, count in fields.items():
            group, column = name.split("_")
            rows[group][("first", "final", "delegates").index(column)] = count
        sheet = ResultSheet(people, tuple(GroupCounts(group, *counts) for group, counts in rows.items()))
        draft = entry.claim(desk, precinct_id, Channel(channel), by)
        reasons = {finding.id: "asked" for finding in entry.check(desk, precinct_id, sheet).findings}
        return entry.submit(
            desk, draft.id, sheet, by, reasons=reasons, confirmed=True, correcting="read it again"
        )

    return bring  # type: ignore[return-value]


@pytest.fixture
def differing(desk: Desk, put: Callable[..., object]) -> Desk:
    """Two precincts that differ, one with one report only."""
    put("77-DM14", "phone", "clerk 07")
    put("77-DM14", "paper", "clerk 12", Warren_final=30, Biden_first=19)
    put("77-DM42", "phone", "clerk 07")
    put("77-DM42", "paper", "clerk 12", people=162)
    put("56-K1", "phone", "clerk 07")
    return desk


@pytest.fixture
def swapped(desk: Desk, put: Callable[..., object]) -> Desk:
    """Des Moines-14, where paper has the rows of Sanders and Warren exchanged."""
    put("77-DM14", "phone", "clerk 07")
    put(
        "77-DM14",
        "paper",
        "clerk 12",
        Sanders_first=28,
        Sanders_final=31,
        Sanders_delegates=1,
        Warren_first=45,
        Warren_final=50,
        Warren_delegates=2,
    )
    return desk
