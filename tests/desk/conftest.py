"""A small caucus of our own, on which the jobs at the desk are tried."""

from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

from caucus_desk.desk.session import Desk
from caucus_desk.tally.sheet import GroupCounts, ResultSheet

SMALL_ROSTER = """county,precinct,precinct_id,county_delegates,kind,district,county_state_delegates,\
county_total_delegates,chair,phone,pin,attendance
Alpha,North Ward,A-1,6,precinct,1,4,11,Ada Fitch,515-555-0101,123456,
Alpha,South Ward,A-2,5,precinct,1,4,11,Ben Quist,515-555-0102,,
Alpha,Old Mill,A-3,0,precinct,1,4,11,,,,
Polk,DES MOINES-42,77-DM42,4,precinct,3,3,5,Cora Yoder,515-555-0103,,
Polk,Walnut Township,77-T01,1,precinct,3,3,5,,,,
Satellite district 3,Union hall,SAT-1,,satellite,3,2,,,,,30
"""


@pytest.fixture
def small_roster(tmp_path: Path) -> Path:
    file = tmp_path / "roster.csv"
    file.write_text(SMALL_ROSTER, encoding="utf-8")
    return file


@pytest.fixture
def desk(
    small_roster: Path, tmp_path: Path, made_once: ModuleType, place_for: Callable[..., str]
) -> Iterator[Desk]:
    """An open desk on a store without reports."""
    with made_once.create_at(
        place_for, tmp_path / "small.sqlite", "iowa-2020", small_roster, by="maker", name="Small"
    ) as desk:
        yield desk


@pytest.fixture
def good_sheet() -> ResultSheet:
    """What A-1 reports when all is well: 100 people, 6 delegates, one group became viable, one dissolved."""
    return ResultSheet(
        100,
        (
            GroupCounts("Biden", 14, 16, 1),
            GroupCounts("Buttigieg", 36, 38, 2),
            GroupCounts("Sanders", 24, 24, 2),
            GroupCounts("Warren", 22, 22, 1),
            GroupCounts("Yang", 4, 0, 0),
        ),
    )
