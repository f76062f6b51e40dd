"""Rows of the paper chase and of attachments are told by an event each, and never change."""

from pathlib import Path

import pytest

from caucus_desk.store.attachments import copy_files, digest_of, folder_of, staged
from caucus_desk.store.errors import StoreReadOnly, StoreUnreachable
from caucus_desk.store.store import Store
from caucus_desk.store.verifying import check_chain, check_figures
from caucus_desk.tally.chase import StepKind
from tests.tampering import refuses, tamper


def step(store: Store, kind: StepKind, precinct_id: str, **more: str) -> None:
    with store.write() as unit:
        unit.add_chase_step(precinct_id, kind, by="Ann", sentence=f"{kind} {precinct_id}", **more)


@pytest.fixture
def place(store: Store) -> str:
    with store.read() as unit:
        return unit.precincts()[0].id


def test_every_kind_of_step_can_be_kept(store: Store, place: str) -> None:
    for kind in StepKind:
        step(store, kind, place, runner="Rita", note="a note")
    with store.read() as unit:
        steps = unit.chase_steps(place)[place]
        assert unit.chase_steps() == {place: steps}
        assert [one.kind for one in steps] == list(StepKind)
        assert {(one.runner, one.note, one.by) for one in steps} == {("Rita", "a note", "Ann")}
        assert not check_chain(unit)
        assert not check_figures(unit)


@pytest.mark.parametrize("change", ["UPDATE chase_step SET note = 'other'", "DELETE FROM chase_step"])
def test_steps_are_only_ever_added(store: Store, place: str, change: str) -> None:
    step(store, StepKind.RECEIVED, place)
    refuses(store, change, "only ever added to")
    tamper(store, change)
    with store.read() as unit:
        assert check_figures(unit)


def test_a_withdrawn_attachment_says_by_whom(store: Store, place: str) -> None:
    with store.write() as unit:
        given = unit.add_attachment(
            place, name="Scan 1.JPEG", sha256="ab", size=7, by="Ann", sentence="attached"
        )
        assert (given.kind, given.ending, given.file_name) == ("image", ".jpg", "ab.jpg")
        unit.withdraw_attachment(given, by="Ben", reason="not ours", sentence="withdrawn")
    with store.read() as unit:
        [found] = unit.attachments(place)
        assert unit.attachment(given.id) == found
        assert (found.withdrawn, found.withdrawn_by, found.withdrawn_reason) == (True, "Ben", "not ours")
        assert unit.attachment(given.id + 100) is None
        assert not check_figures(unit)


def test_a_file_is_there_whole_or_not_at_all(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "night.db")
    assert folder == tmp_path / "night.db.attachments"
    with staged(folder, b"one") as file:
        file.place("one.png")
    with pytest.raises(RuntimeError), staged(folder, b"two"):
        raise RuntimeError("the row was refused")
    assert [one.name for one in folder.iterdir()] == ["one.png"]
    assert (folder / "one.png").read_bytes() == b"one"


def test_files_are_copied_once_and_lost_ones_are_named(tmp_path: Path) -> None:
    source, out = tmp_path / "a.attachments", tmp_path / "b.attachments"
    names = []
    for text in (b"one", b"two", b"three"):
        with staged(source, text) as file:
            file.place(f"{text.decode()}.png")
        names.append((f"{text.decode()}.png", digest_of(source / f"{text.decode()}.png")))
    (source / "two.png").write_bytes(b"altered")
    (source / "three.png").unlink()
    made, lost = copy_files(names, source, out)
    assert [path.name for path in made] == ["one.png"]
    assert lost == ["two.png", "three.png"]
    assert copy_files(names[:1], source, out) == ([], [])
    (out / "one.png").write_bytes(b"altered")
    assert copy_files(names[:1], source, out)[0] == [out / "one.png"]
    assert (out / "one.png").read_bytes() == b"one"


def test_where_nothing_can_be_written_it_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file.attachments").write_text("no folder")
    with (
        pytest.raises(StoreUnreachable, match="Nothing was attached"),
        staged(tmp_path / "file.attachments", b"x"),
    ):
        pass

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "denied")

    monkeypatch.setattr(Path, "mkdir", refuse)
    with (
        pytest.raises(StoreReadOnly, match="keeps its attachments"),
        staged(tmp_path / "no.attachments", b"x"),
    ):
        pass
