"""A small caucus in a real store, and clerks at real windows."""

import importlib.util
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest


def _keyboard() -> object:
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


@pytest.fixture
def desk(tmp_path: Path, place_for: Callable[..., str]) -> Iterator[object]:
    made = keyboard.small_caucus(tmp_path, place_for=place_for)
    yield made
    made.close()


@pytest.fixture
def sit(qapp: object, desk: object) -> Iterator[Callable[..., object]]:
    """`sit("clerk 07")` sits somebody down at a window on the store; who sat before leaves, unless `beside`
    is True."""
    seated: list[object] = []

    def sit_down(name: str, at: object = None, *, beside: bool = False, **more: object) -> object:
        if not beside:
            for clerk in seated:
                clerk.leave()
            seated.clear()
        clerk = keyboard.Clerk(at or desk, name, **more)
        seated.append(clerk)
        return clerk

    yield sit_down
    for clerk in seated:
        clerk.leave()
