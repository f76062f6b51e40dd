"""All counties of 2020 by packets: what a packet weighs, and how long headquarters takes over them."""

from pathlib import Path

import pytest

from tests.iowa_packets import put_together

pytestmark = [pytest.mark.benchmark, pytest.mark.timeout(1800)]


def test_every_county_of_2020(iowa2020: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = put_together(iowa2020, tmp_path, None)
    with capsys.disabled():
        print(f"\n{told}")
