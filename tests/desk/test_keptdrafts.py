"""What is kept on this computer while the store does not take it: whole, and for its person and its store."""

import json
import os
import stat
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import pytest

from caucus_desk.desk.creating import create_caucus
from caucus_desk.desk.keptdrafts import KeptDraft, KeptDrafts, can_keep
from caucus_desk.desk.session import Desk
from caucus_desk.rules.errors import Refused
from caucus_desk.tally.report import Channel

AT = datetime(2020, 2, 4, 3, 4, 12, tzinfo=UTC)
KEPT = KeptDraft(
    precinct_id="A-1",
    channel=Channel.PHONE,
    by="Ann",
    draft_id=7,
    seen=AT,
    window="w1",
    texts={"attendance": "100", "caller.name": "Zoë"},
    owed={"attendance": "100"},
    token="t1",
    submitting=True,
    at=AT,
)


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CAUCUS_DESK_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


def test_it_comes_back_as_it_was(desk: Desk) -> None:
    kept = KeptDrafts(desk)
    assert kept.keep(KEPT) == AT
    assert kept.of("Ann") == (KEPT,)
    newer = replace(KEPT, owed={"attendance": "101"}, submitting=False)
    kept.keep(newer)
    assert KeptDrafts(desk).of(" ann ") == (newer,), "one file for each sheet, and names are compared folded"
    kept.forget("A-1", Channel.PHONE, "Ann", "w1")
    assert kept.of("Ann") == ()
    kept.forget("A-1", Channel.PHONE, "Ann", "w1")


@pytest.mark.skipif(os.name != "posix", reason="modes of files are of Unix")
def test_nobody_else_of_this_computer_can_read_it(desk: Desk, data: Path) -> None:
    old = os.umask(0)
    try:
        KeptDrafts(desk).keep(KEPT)
    finally:
        os.umask(old)
    (file,) = data.rglob("*.json")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert {stat.S_IMODE(folder.stat().st_mode) for folder in (file.parent, file.parent.parent)} == {0o700}


def test_it_is_for_whoever_typed_it(desk: Desk) -> None:
    kept = KeptDrafts(desk)
    kept.keep(KEPT)
    bo = replace(KEPT, by="Bo", owed={"attendance": "9"})
    kept.keep(bo)
    assert kept.of("Ann") == (KEPT,)
    assert kept.of("Bo") == (bo,)
    assert kept.of("Cy") == ()


def test_it_is_for_its_own_store(desk: Desk, small_roster: Path, tmp_path: Path) -> None:
    KeptDrafts(desk).keep(KEPT)
    with create_caucus(str(tmp_path / "other.caucus"), "iowa-2020", small_roster, by="x").desk as other:
        assert KeptDrafts(other).of("Ann") == ()


@pytest.mark.parametrize("precinct_id", ["../../etc/passwd", "a" * 300, "Größe 1/2", ".", "CON", "x\\y:z"])
def test_any_id_of_a_precinct_makes_a_file_in_the_folder(desk: Desk, data: Path, precinct_id: str) -> None:
    kept = KeptDrafts(desk)
    one = replace(KEPT, precinct_id=precinct_id)
    kept.keep(one)
    assert kept.of("Ann") == (one,)
    (file,) = data.rglob("*.json")
    assert file.parent == kept.folder


def test_what_cannot_be_read_is_left_alone(desk: Desk) -> None:
    kept = KeptDrafts(desk)
    kept.keep(KEPT)
    (file,) = kept.folder.glob("*.json")
    good = json.loads(file.read_text(encoding="utf-8"))
    for number, text in enumerate(
        ["", "{", "[]", "null", json.dumps({**good, "version": 99}), json.dumps({**good, "channel": "fax"})]
    ):
        (kept.folder / f"broken {number}.json").write_text(text, encoding="utf-8")
    (kept.folder / "cut.json").write_bytes(file.read_bytes()[:100])
    assert kept.of("Ann") == (KEPT,)
    assert len(list(kept.folder.glob("*.json"))) == 8


def test_a_disk_that_takes_nothing_is_said(desk: Desk, data: Path) -> None:
    kept = KeptDrafts(desk)
    data.mkdir(exist_ok=True)
    (data / "drafts").write_text("a file, where the folder should be", encoding="utf-8")
    with pytest.raises(Refused, match="neither in the store nor on this computer"):
        kept.keep(KEPT)
    assert not can_keep()


def test_whether_a_sheet_could_be_kept_leaves_nothing_behind(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert can_keep()
    assert [file for file in data.rglob("*") if file.is_file()] == []

    def full(_number: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    assert not can_keep()
    assert [file for file in data.rglob("*") if file.is_file()] == []


def test_two_windows_of_a_person_keep_each_their_own(desk: Desk) -> None:
    kept = KeptDrafts(desk)
    other = replace(KEPT, window="w2", owed={"attendance": "7"}, at=AT.replace(hour=4))
    kept.keep(KEPT)
    kept.keep(other)
    assert kept.of("Ann") == (KEPT, other)
    kept.forget("A-1", Channel.PHONE, "Ann", "w2")
    assert kept.of("Ann") == (KEPT,)
    newer = replace(KEPT, owed={"attendance": "8"})
    kept.keep(newer)
    kept.forget_as_read(KEPT)
    assert kept.of("Ann") == (newer,), "its window has kept something newer since"
    kept.forget_as_read(newer)
    assert kept.of("Ann") == ()


@pytest.mark.parametrize(
    ("one", "two", "same"),
    [
        ("127.0.0.1:5432/night", "localhost:5432/night", True),
        ("db.example:5432/night", "db.example/night?sslmode=require", True),
        ("db.example:5432/night", "db.example:5432/rehearsal", False),
    ],
)
def test_however_the_server_is_spelled_it_is_the_same_store(
    desk: Desk, one: str, two: str, same: bool
) -> None:
    def at(place: str) -> KeptDrafts:
        store = SimpleNamespace(is_shared=True, read=desk.store.read)
        return KeptDrafts(SimpleNamespace(store=store, location=f"postgresql+psycopg://{place}"))  # type: ignore[arg-type]

    at(one).keep(KEPT)
    assert at(two).of("Ann") == ((KEPT,) if same else ())


def test_half_a_file_is_never_in_its_place(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = KeptDrafts(desk)
    kept.keep(KEPT)

    def full(_number: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(Refused, match="No space left"):
        kept.keep(replace(KEPT, owed={"attendance": "5"}))
    assert kept.of("Ann") == (KEPT,)
    assert [file.suffix for file in kept.folder.iterdir()] == [".json"]
