"""Shared by all tests: no display needed, and Hypothesis profiles for a desk and for CI."""

import importlib.util
import os
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import HealthCheck, settings

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

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


@pytest.fixture(scope="session")
def scans() -> ModuleType:
    """The module tests/scans.py: photos and PDFs of worksheets. Test folders are no packages."""
    spec = importlib.util.spec_from_file_location("caucus_tests_scans", Path(__file__).with_name("scans.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
