"""Speed as ratios in one run: machines are noisy, so each figure is held against a bare twin beside it."""

import statistics
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from caucus_desk.desk.sample import make_sample


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The full-size sample caucus; do not write to it, copy it."""
    return make_sample(tmp_path_factory.mktemp("sample"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.benchmark)
            item.add_marker(pytest.mark.timeout(600))


def seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def in_turn(ours: Callable[[], object], bare: Callable[[], object], rounds: int) -> tuple[float, float]:
    """Median seconds of each, run one after the other so that both meet the same noise."""
    pairs = [(seconds(ours), seconds(bare)) for _ in range(rounds)]
    return statistics.median(a for a, _ in pairs), statistics.median(b for _, b in pairs)


def say(what: str, ours: float, bare: float, bound: float) -> None:
    ratio = ours / bare
    print(f"\n{what}: {ours * 1000:.2f} ms against {bare * 1000:.2f} ms: {ratio:.2f} x (at most {bound} x)")
    assert ratio <= bound, f"{what}: {ratio:.2f} times, at most {bound}"
