"""Small stores for the tests of the store, and files and folders that nobody can write, for root too."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from caucus_desk.rules.ruleset import Group, GroupKind
from caucus_desk.store.records import NewReport
from caucus_desk.store.store import Store
from caucus_desk.store.units import WriteUnit
from caucus_desk.tally.report import Channel
from caucus_desk.tally.roster import Precinct, PrecinctKind
from caucus_desk.tally.sheet import GroupCounts, ResultSheet

GROUPS = (
    Group("Biden", "Biden"),
    Group("Sanders", "Sanders"),
    Group("Warren", "Warren", minor=True),
    Group("Uncommitted", "Uncommitted", GroupKind.UNCOMMITTED),
)
PRECINCTS = (
    Precinct(
        "77-DM42", "Polk", "Des Moines-42", district="3", delegates=9, chair="Ann O'Brien", phone="555-0142"
    ),
    Precinct("007", "Adair", "1NW Zoë", district="3", delegates=4),
    Precinct("SAT-1-01", "Pool 1", "Café", PrecinctKind.SATELLITE, "1", None, 6, None, 41, 40, 900),
    Precinct("P4", "Polk", "Merged", delegates=0),
)


def create(location: Path | str) -> Store:
    """A store with four groups and four precincts."""

    def fill(unit: WriteUnit) -> None:
        unit.add_groups(GROUPS)
        unit.add_precincts(PRECINCTS, ("1234", "", "", ""))

    return Store.create(
        location, caucus="Test 2020", rules_name="test", rules_text="name = 'test'", by="Lead", fill=fill
    )


@pytest.fixture
def create_at() -> Callable[[Path | str], Store]:
    """`create` for a place of the test's own."""
    return create


@pytest.fixture
def make_store(tmp_path: Path) -> Iterator[Callable[..., Store]]:
    """Creates a store at `tmp_path / name`; all are closed at the end."""
    opened: list[Store] = []

    def make(name: str = "caucus.db", folder: Path | None = None) -> Store:
        opened.append(create((folder or tmp_path) / name))
        return opened[-1]

    yield make
    for store in opened:
        store.close()


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One store to copy, since making one takes longer than most tests."""
    path = tmp_path_factory.mktemp("template") / "caucus.db"
    create(path).close()
    return path


@pytest.fixture
def store(template: Path, tmp_path: Path, place_for: Callable[..., str]) -> Iterator[Store]:
    place = place_for(tmp_path / "caucus.db", "store", lambda address: create(address).close())
    if "://" not in place:
        shutil.copy(template, place)
    with Store.open(place) as store:
        yield store


@pytest.fixture
def sheet_of() -> Callable[..., ResultSheet]:
    """A sheet of the first three groups with counts from `base` on."""

    def make(base: int = 10, attendance: int | None = 100) -> ResultSheet:
        keys = ("Biden", "Sanders", "Warren")
        rows = tuple(GroupCounts(key, base + place, base - place, 1) for place, key in enumerate(keys))
        return ResultSheet(attendance, rows)

    return make


@pytest.fixture
def new_report(sheet_of: Callable[..., ResultSheet]) -> Callable[..., NewReport]:
    def make(
        precinct_id: str = "77-DM42", channel: Channel = Channel.PHONE, by: str = "Ann", base: int = 10
    ) -> NewReport:
        return NewReport(precinct_id, channel, sheet_of(base), by)

    return make


@pytest.fixture
def seal() -> Iterator[Callable[[Path], None]]:
    """Makes a file or folder unwritable, also for an administrator; undone at the end."""
    undo: list[Callable[[], object]] = []

    def make(path: Path) -> None:
        mode = path.stat().st_mode
        path.chmod(0o555 if path.is_dir() else 0o444)
        undo.append(lambda: path.chmod(mode))
        if not _writable(path):
            return
        if shutil.which("chattr"):
            done = subprocess.run(["chattr", "+i", str(path)], capture_output=True, check=False)
            if done.returncode == 0:
                undo.append(lambda: subprocess.run(["chattr", "-i", str(path)], check=True))
                if not _writable(path):
                    return
        pytest.skip("nothing can be made unwritable here: an administrator on a disk without immutable files")

    yield make
    for action in reversed(undo):
        action()


def _writable(path: Path) -> bool:
    try:
        if path.is_dir():
            with tempfile.TemporaryFile(dir=path):
                return True
        with path.open("r+b"):
            return True
    except OSError:
        return False


@pytest.fixture
def small_disk() -> Iterator[Path]:
    """A disk of 2 MB, where an administrator may mount one."""
    folder = Path(tempfile.mkdtemp(prefix="small-disk-"))
    done = (
        subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(folder)], capture_output=True, check=False
        )
        if hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("mount")
        else None
    )
    if done is None or done.returncode != 0:
        folder.rmdir()
        pytest.skip("a small disk can only be mounted by an administrator")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)
    folder.rmdir()
