"""Rule sets for the tests of the arithmetic."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from caucus_desk.paths import resources
from caucus_desk.rules.loading import parse_rule_set
from caucus_desk.rules.ruleset import Method, OneDelegate, OverViable, RuleSet, ShareBase


def _shipped(name: str) -> RuleSet:
    file = resources() / "rules" / f"{name}.toml"
    return parse_rule_set(file.read_text(encoding="utf-8"), file.name)


@pytest.fixture(scope="session")
def iowa() -> RuleSet:
    return _shipped("iowa-2020")


@pytest.fixture(scope="session")
def nevada() -> RuleSet:
    return _shipped("nevada-2020")


@pytest.fixture(scope="session")
def minnesota(iowa: RuleSet) -> RuleSet:
    """A walking subcaucus (rules.md 10): attendance / delegates to be viable, largest remainder."""
    return replace(
        iowa,
        name="minnesota-subcaucus",
        thresholds=(),
        per_delegate=True,
        share_base=ShareBase.VIABLE_TOTAL,
        method=Method.LARGEST_REMAINDER,
        one_delegate=OneDelegate.FORMULA,
        over_viable=OverViable.REALIGN,
        locked=False,
        rounds=("final",),
    )


@pytest.fixture(scope="session")
def iowa_text() -> str:
    return (resources() / "rules" / "iowa-2020.toml").read_text(encoding="utf-8")


@pytest.fixture
def changed(iowa: RuleSet) -> Callable[..., RuleSet]:
    """Iowa with some parameters changed."""

    def change(**parameters: object) -> RuleSet:
        return replace(iowa, **parameters)

    return change
