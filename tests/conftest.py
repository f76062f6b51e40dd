"""Shared by all tests: no display needed, and Hypothesis profiles for a desk and for CI."""

import importlib.util
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from types import ModuleType
from typing import Protocol

import pytest
from hypothesis import HealthCheck, settings

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

SQLITE, POSTGRESQL = "sqlite", "postgresql"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--engine",
        choices=[SQLITE, POSTGRESQL],
        default=SQLITE,
        help="postgresql: only the tests that work on a store, and these on a shared one",
    )
    parser.addoption(
        "--account",
        choices=["owner", "lead"],
        default="owner",
        help="lead: with --engine postgresql, as a database account with the rights of `users grants`",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "a_file: about a store in a file, so not for --engine postgresql")
    address = os.environ.get("CAUCUS_DESK_TEST_POSTGRES", "")
    if config.getoption("--engine") == POSTGRESQL and address:
        # For what a test starts, which is told where the store lies without the password.
        os.environ["PGPASSWORD"] = address.rsplit("@", 1)[0].rsplit(":", 1)[1]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--engine") != POSTGRESQL:
        return
    left_out = [
        item
        for item in items
        if "place_for" not in getattr(item, "fixturenames", ()) or item.get_closest_marker("a_file")
    ]
    config.hook.pytest_deselected(items=left_out)
    gone = {id(item) for item in left_out}
    items[:] = [item for item in items if id(item) not in gone]


class PlaceFor(Protocol):
    """Where a store is to be made: the file itself or, with `--engine postgresql`, a database.

    The database is empty or, where `make` is given, has in it what `make` put into another one; `key`
    tells one such from the other. A file is never made here.
    """

    def __call__(self, path: Path, key: object = None, make: Callable[[str], None] | None = None) -> str: ...


@pytest.fixture
def place_for(request: pytest.FixtureRequest) -> Iterator[PlaceFor]:
    if request.config.getoption("--engine") == SQLITE:
        yield lambda path, key=None, make=None: str(path)
        return
    postgres = _beside("postgres")
    with ExitStack() as databases:

        def database(path: Path, key: object = None, make: Callable[[str], None] | None = None) -> str:
            like = ("template1",) if make is None else (postgres.model(key, make),)
            address: str = databases.enter_context(postgres.database(*like))
            if make is not None and request.config.getoption("--account") == "lead":
                address = postgres.as_account(address, "lead")
            return address

        yield database


def pytest_sessionfinish() -> None:
    if "caucus_tests_postgres" in sys.modules:
        _beside("postgres").drop_models()


@pytest.fixture(scope="session")
def postgres() -> ModuleType:
    """The module tests/postgres.py: fresh databases on the private server."""
    return _beside("postgres")


settings.register_profile(
    "desk", deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("desk")

SHARED_DATA = Path(__file__).parents[1] / ".." / "shared" / "data"


@pytest.fixture
def iowa2020() -> Path:
    """The published results of 2020, kept outside the repository."""
    folder = SHARED_DATA / "iowa2020"
    if not folder.is_dir():
        pytest.skip("the published 2020 results (shared/data/iowa2020) are not on this machine")
    return folder


@pytest.fixture(autouse=True)
def screen(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Callable[[int, int], None] | None:
    """The screen on which windows open, large unless a test says otherwise: `screen(911, 512)`."""
    if not {"qapp", "qtbot"} & set(request.fixturenames):
        return None  # the layers below the window need no Qt
    from PySide6.QtCore import QRect

    from caucus_desk.ui import fitting

    def of(width: int, height: int) -> None:
        monkeypatch.setattr(fitting, "available_area", lambda window: QRect(0, 0, width, height))

    of(3840, 2160)
    return of


def _beside(name: str) -> ModuleType:
    """A module of this folder; test folders are no packages, so it is loaded by its path, once."""
    full = f"caucus_tests_{name}"
    if full not in sys.modules:
        spec = importlib.util.spec_from_file_location(full, Path(__file__).with_name(f"{name}.py"))
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[full] = module
        spec.loader.exec_module(module)
    return sys.modules[full]


@pytest.fixture(scope="session")
def outage() -> ModuleType:
    """The module tests/outage.py: a network that can be cut."""
    return _beside("outage")


@pytest.fixture(scope="session")
def scans() -> ModuleType:
    """The module tests/scans.py: photos and PDFs of worksheets."""
    return _beside("scans")


@pytest.fixture(scope="session")
def made_once() -> ModuleType:
    """The module tests/made_once.py: stores that are copied."""
    return _beside("made_once")


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> object:
    """Reports of another store: `elsewhere.bring(desk, "A-1", "paper", sheet, "Bob")`."""
    return _beside("elsewhere").Elsewhere().watch(monkeypatch)
