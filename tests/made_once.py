"""Stores for tests, made once for the same roster and copied afterwards: making one takes longer than most
tests. What making a store does is tried with `create_caucus` itself."""

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from caucus_desk.desk.creating import create_caucus
from caucus_desk.desk.session import Desk, open_desk

_FOLDER = tempfile.TemporaryDirectory(prefix="caucus-made-once-")
_made: dict[tuple[str, bytes, str, str | None], Path] = {}


def place(location: Path, rules: str, roster: Path, *, by: str, name: str | None = None) -> None:
    """A store at `location`, as `create_caucus` makes it."""
    key = (rules, roster.read_bytes(), by, name)
    if key not in _made:
        made = Path(_FOLDER.name) / f"{len(_made)}.sqlite"
        create_caucus(str(made), rules, roster, by=by, name=name).desk.close()
        assert [one for one in made.parent.iterdir() if one.stem == made.stem] == [made], (
            "not all is in the file"
        )
        _made[key] = made
    assert not location.exists()
    shutil.copyfile(_made[key], location)


def create(location: Path | str, rules: str, roster: Path, *, by: str, name: str | None = None) -> Desk:
    """The same, open. At the address of an empty database it is made there."""
    if "://" in str(location):
        return create_caucus(str(location), rules, roster, by=by, name=name).desk
    place(Path(location), rules, roster, by=by, name=name)
    return open_desk(str(location))


def create_at(
    place_for: Callable[..., str], path: Path, rules: str, roster: Path, *, by: str, name: str | None = None
) -> Desk:
    """The same wherever the tests' stores lie: `place_for` is the fixture."""

    def make(address: str) -> None:
        create_caucus(address, rules, roster, by=by, name=name).desk.close()

    location = place_for(path, (rules, roster.read_bytes(), by, name), make)
    return open_desk(location) if "://" in location else create(location, rules, roster, by=by, name=name)
