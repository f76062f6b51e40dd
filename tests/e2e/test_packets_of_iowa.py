"""Counties of the published night of 2020, each keyed into a store of its own, put together by packets."""

from pathlib import Path

from tests.iowa_packets import put_together

SOME = ("Polk", "Adair", "Linn", "Ringgold", "O'Brien", "Story")


def test_some_counties_of_2020(iowa2020: Path, tmp_path: Path) -> None:
    """In both orders the same as loading their sheets at headquarters."""
    assert put_together(iowa2020, tmp_path, list(SOME)).startswith("6 counties")
