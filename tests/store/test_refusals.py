"""Why a store is refused: each its own plain sentence and exit code 4, and nothing changed."""

import shutil
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from caucus_desk.store import connecting
from caucus_desk.store.errors import (
    NotAStore,
    StoreDamaged,
    StoreError,
    StoreExists,
    StoreFull,
    StoreLocked,
    StoreMissing,
    StoreReadOnly,
    StoreTooNew,
    StoreUnreachable,
    StoreUnsupported,
)
from caucus_desk.store.location import kind_of_mount, os_error, store_path
from caucus_desk.store.records import NewReport
from caucus_desk.store.schema import APPLICATION_ID
from caucus_desk.store.store import Store

pytestmark = pytest.mark.a_file


def refusal(path: object, kind: type[StoreError]) -> str:
    with pytest.raises(kind) as caught:
        Store.open(str(path), busy_seconds=0.2).close()
    sentence = caught.value.sentence
    assert caught.value.exit_code == 4
    assert "Traceback" not in sentence
    assert "sqlite3" not in sentence
    assert sentence.endswith(".")
    return sentence


def names(folder: Path) -> list[str]:
    return sorted(one.name for one in folder.iterdir())


def closed(make_store: Callable[..., Store], name: str = "caucus.db") -> Path:
    store = make_store(name)
    store.close()
    return store.path


def test_a_path_that_does_not_exist(tmp_path: Path) -> None:
    assert "Check the name" in refusal(tmp_path / "none.db", StoreMissing)
    assert names(tmp_path) == []


def test_a_folder_that_does_not_exist(tmp_path: Path) -> None:
    assert f"the folder {tmp_path / 'no'} does not exist" in refusal(tmp_path / "no" / "a.db", StoreMissing)
    with pytest.raises(StoreMissing, match="does not exist"):
        Store.create(tmp_path / "no" / "a.db", caucus="x", rules_name="y", rules_text="z", by="w")
    assert names(tmp_path) == []


def test_a_folder_is_no_store(tmp_path: Path) -> None:
    assert "is a folder" in refusal(tmp_path, NotAStore)


def test_no_name_at_all() -> None:
    assert "No store was named" in refusal("  ", StoreMissing)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty"),
        (b"hello, this is a letter " * 50, "not a Caucus Desk store"),
        (b"PK\3\4" * 99, "not a"),
    ],
)
def test_a_file_that_is_no_database(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "letter.db"
    path.write_bytes(content)
    assert words in refusal(path, NotAStore)
    assert path.read_bytes() == content
    assert names(tmp_path) == ["letter.db"]


@pytest.mark.parametrize("mark", [0, 1, 0x43445332])
def test_another_programs_database(tmp_path: Path, mark: int) -> None:
    path = tmp_path / "other.db"
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE caucus (id INTEGER)")
    other.execute(f"PRAGMA application_id = {mark}")
    other.commit()
    other.close()
    before = path.read_bytes()
    assert "another program's" in refusal(path, NotAStore)
    assert path.read_bytes() == before


def test_our_mark_and_nothing_of_ours_inside(tmp_path: Path) -> None:
    path = tmp_path / "hollow.db"
    hollow = sqlite3.connect(path)
    hollow.execute("CREATE TABLE t (a)")
    hollow.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    hollow.commit()
    hollow.close()
    assert "nothing of one inside" in refusal(path, NotAStore)


@pytest.mark.parametrize("left", [5, 60, 100, 4096, 5000, 20480])
def test_a_store_that_was_cut_off(make_store: Callable[..., Store], left: int) -> None:
    path = closed(make_store)
    whole = path.read_bytes()
    assert len(whole) > left
    path.write_bytes(whole[:left])
    sentence = refusal(path, StoreDamaged)
    assert "is damaged" in sentence
    assert "restore" in sentence
    assert path.read_bytes() == whole[:left]


def test_pages_that_were_overwritten(
    make_store: Callable[..., Store], new_report: Callable[..., NewReport]
) -> None:
    store = make_store()
    with store.write() as unit:
        unit.add_reports([new_report(base=base) for base in range(10, 300)])
    store.close()
    whole = bytearray(store.path.read_bytes())
    for page in range(8192, len(whole) - 4096, 4096 * 3):
        whole[page : page + 2048] = b"\xa5" * 2048
    store.path.write_bytes(whole)
    assert "is damaged" in refusal(store.path, StoreDamaged)
    assert store.path.read_bytes() == bytes(whole)


@pytest.mark.parametrize("version", ["0099", "2f6a"])
def test_a_newer_store(make_store: Callable[..., Store], version: str) -> None:
    path = closed(make_store)
    newer = sqlite3.connect(path)
    newer.execute("UPDATE alembic_version SET version_num = ?", (version,))
    newer.commit()
    newer.close()
    before = path.read_bytes()
    sentence = refusal(path, StoreTooNew)
    assert version in sentence
    assert "newer" in sentence
    assert path.read_bytes() == before
    assert names(path.parent) == ["caucus.db"]


def test_locked_by_another_program(
    make_store: Callable[..., Store], new_report: Callable[..., NewReport]
) -> None:
    path = closed(make_store)
    store = Store.open(path, busy_seconds=0.2)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        assert "stayed locked" in refusal(path, StoreLocked)
        with pytest.raises(StoreLocked, match="Nothing was saved"), store.write() as unit:
            unit.add_report(new_report())
        with store.read() as unit:  # readers are not held up
            assert unit.last_seq() == 1
    finally:
        other.execute("ROLLBACK")
        other.close()
    with store.write() as unit:
        unit.add_report(new_report())
    store.close()


def test_a_save_waits_for_another_program_that_finishes_in_time(
    make_store: Callable[..., Store], new_report: Callable[..., NewReport]
) -> None:
    store = make_store()
    other = sqlite3.connect(store.path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    timer = threading.Timer(0.4, lambda: other.execute("COMMIT"))
    timer.start()
    with store.write() as unit:
        unit.add_report(new_report())
    timer.join()
    other.close()
    with store.read() as unit:
        assert len(unit.reports()["77-DM42"]) == 1


def test_long_work_in_another_thread_beyond_the_timeout(
    make_store: Callable[..., Store], new_report: Callable[..., NewReport]
) -> None:
    path = closed(make_store)
    store = Store.open(path, busy_seconds=0.2)
    begun, finish = threading.Event(), threading.Event()

    def work() -> None:
        with store.write():
            begun.set()
            finish.wait(10)

    thread = threading.Thread(target=work)
    thread.start()
    begun.wait(10)
    with pytest.raises(StoreLocked, match="busy with long work"), store.write() as unit:
        unit.add_report(new_report())
    finish.set()
    thread.join()
    store.close()


def test_a_read_only_file(make_store: Callable[..., Store], seal: Callable[[Path], None]) -> None:
    path = closed(make_store)
    before = path.read_bytes()
    seal(path)
    assert "is read-only" in refusal(path, StoreReadOnly)
    assert path.read_bytes() == before


def test_a_read_only_folder(
    tmp_path: Path, make_store: Callable[..., Store], seal: Callable[[Path], None]
) -> None:
    folder = tmp_path / "sealed"
    folder.mkdir()
    store = make_store(folder=folder)
    store.close()
    before = store.path.read_bytes()
    seal(folder)
    assert "is read-only" in refusal(store.path, StoreReadOnly)
    with pytest.raises(StoreReadOnly, match=r"Nothing can be written into the folder .*sealed, so no store"):
        Store.create(folder / "new.db", caucus="x", rules_name="y", rules_text="z", by="w")
    assert store.path.read_bytes() == before
    assert names(folder) == ["caucus.db"]


def test_a_read_only_store_can_be_looked_at_and_not_written(
    tmp_path: Path,
    make_store: Callable[..., Store],
    new_report: Callable[..., NewReport],
    seal: Callable[[Path], None],
) -> None:
    archive = tmp_path / "archive"
    archive.mkdir()
    made = make_store(folder=archive)
    with made.write() as unit:
        unit.add_report(new_report())
    made.close()
    before = made.path.read_bytes()
    seal(archive)
    with Store.open_to_look(made.path) as store:
        assert store.read_only
        with store.read() as unit:
            assert len(unit.standing_reports()) == 1
        assert store.integrity().pages == ()
        with pytest.raises(StoreReadOnly, match="is read-only"), store.write():
            pass
    assert names(archive) == ["caucus.db"]
    assert made.path.read_bytes() == before


def test_a_read_only_file_is_looked_at_without_a_journal_beside_it(
    make_store: Callable[..., Store], seal: Callable[[Path], None]
) -> None:
    path = closed(make_store)
    seal(path)
    before = names(path.parent)
    with Store.open_to_look(path) as store, store.read() as unit:
        assert store.read_only
        assert unit.caucus().name
    assert names(path.parent) == before


def test_looking_at_what_may_be_written_opens_it_as_usual(make_store: Callable[..., Store]) -> None:
    with Store.open_to_look(closed(make_store)) as store:
        assert not store.read_only
        with store.write():
            pass


def test_an_older_read_only_store_is_refused_with_what_to_do(
    make_store: Callable[..., Store], seal: Callable[[Path], None]
) -> None:
    path = closed(make_store)
    with sqlite3.connect(path) as raw:
        raw.execute("UPDATE alembic_version SET version_num = '0000'")
    raw.close()
    seal(path)
    with pytest.raises(StoreReadOnly, match="older version and is read-only"):
        Store.open_to_look(path)


def test_no_permission_to_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "hers.db"
    path.write_bytes(b"x")
    monkeypatch.setattr("os.access", lambda *_: False)
    assert "You may not read" in os_error(PermissionError(13, "Permission denied"), path).sentence
    assert isinstance(os_error(OSError(36, "File name too long"), path), StoreUnreachable)


def test_a_name_that_is_too_long(tmp_path: Path) -> None:
    assert "File name too long" in refusal(tmp_path / ("x" * 300), StoreUnreachable)


def test_a_disk_that_fills_up_in_the_middle_of_a_save(
    make_store: Callable[..., Store], new_report: Callable[..., NewReport], monkeypatch: pytest.MonkeyPatch
) -> None:
    store = make_store()
    with store.write() as unit:
        unit.add_report(new_report())
        pages = unit._cursor.execute("PRAGMA page_count").fetchone()[0]
    store.close()
    monkeypatch.setattr(
        connecting, "_PRAGMAS", (*connecting._PRAGMAS, f"PRAGMA max_page_count = {pages + 2}")
    )
    full = Store.open(store.path)
    with pytest.raises(StoreFull, match=r"is full\. Nothing was saved"), full.write() as unit:
        unit.add_reports([new_report("007", base=base) for base in range(10, 900)])
    with full.read() as unit:
        assert list(unit.reports()) == ["77-DM42"]
        assert unit.last_seq() == 2
    assert full.integrity().pages == ()
    with full.write() as unit:  # a small save still fits
        unit.add_report(new_report("007"))
    full.close()


def test_a_really_full_disk(
    small_disk: Path,
    tmp_path: Path,
    make_store: Callable[..., Store],
    new_report: Callable[..., NewReport],
) -> None:
    store = make_store(folder=small_disk)
    reports = [new_report("007", base=base) for base in range(10, 100)]
    saved, refused = 0, ""
    while not refused:
        try:
            with store.write() as unit:
                unit.add_reports(reports)
            saved += len(reports)
        except StoreFull as full:
            refused = full.sentence
    assert "Nothing was saved, nothing was lost" in refused
    with store.read() as unit:
        assert len(unit.reports().get("007", ())) == saved
        assert unit.last_seq() == 1 + saved
    store.close()
    for file in small_disk.iterdir():  # the journal keeps what found no room in the store itself
        shutil.copy(file, tmp_path)
    with Store.open(tmp_path / store.path.name) as again, again.read() as unit:
        assert unit.last_seq() == 1 + saved
        assert again.integrity().pages == ()
    with pytest.raises(StoreFull):
        Store.create(small_disk / "second.db", caucus="x", rules_name="y", rules_text="z", by="w")
    assert not [name for name in names(small_disk) if "second" in name]


@pytest.mark.parametrize("url", ["sqlite:///a.db", "http://x/y", "mysql://clerk:geheim@db/caucus"])
def test_an_address_of_another_kind_is_refused(url: str) -> None:
    sentence = refusal(url, StoreUnsupported)
    assert "cannot be used" in sentence
    assert "geheim" not in sentence


@pytest.mark.parametrize(
    "name", ["Zoë Café #1.db", "50% ?mode=ro&x.db", "Влад и ко.db", "a b;c'd\"e.db", "雪.db"]
)
def test_odd_names_work(
    make_store: Callable[..., Store], tmp_path: Path, name: str, new_report: Callable[..., NewReport]
) -> None:
    folder = tmp_path / f"folder of {name}"
    folder.mkdir()
    store = make_store(name, folder)
    with store.write() as unit:
        unit.add_report(new_report())
    store.close()
    assert names(folder) == [name]
    with Store.open(folder / name) as again, again.read() as unit:
        assert unit.last_seq() == 2


def test_creating_never_overwrites(make_store: Callable[..., Store], tmp_path: Path) -> None:
    path = closed(make_store)
    before = path.read_bytes()
    with pytest.raises(StoreExists, match="already exists"):
        make_store()
    assert path.read_bytes() == before
    (tmp_path / "gone.db-wal").write_bytes(b"left over")
    with pytest.raises(StoreExists, match=r"gone\.db-wal already exists"):
        make_store("gone.db")
    (tmp_path / "link.db").symlink_to(tmp_path / "nowhere.db")
    with pytest.raises(StoreExists, match="already exists"):
        make_store("link.db")
    assert names(tmp_path) == ["caucus.db", "gone.db-wal", "link.db"]


def test_a_file_that_appears_while_the_store_is_made_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with pytest.raises(StoreExists, match="already exists"):
        Store.create(
            path,
            caucus="x",
            rules_name="y",
            rules_text="z",
            by="w",
            fill=lambda _: path.write_bytes(b"theirs"),
        )
    assert path.read_bytes() == b"theirs"
    assert names(tmp_path) == ["a.db"]


def test_creating_that_fails_leaves_no_file(tmp_path: Path) -> None:
    def fill(_: object) -> None:
        raise ValueError("the roster breaks off")

    with pytest.raises(ValueError, match="breaks off"):
        Store.create(tmp_path / "a.db", caucus="x", rules_name="y", rules_text="z", by="w", fill=fill)
    assert names(tmp_path) == []


def test_a_disk_without_hard_links(
    tmp_path: Path, make_store: Callable[..., Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_links(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr("os.link", no_links)
    make_store().close()
    assert names(tmp_path) == ["caucus.db"]


def test_an_sqlite_that_is_too_old(make_store: Callable[..., Store], monkeypatch: pytest.MonkeyPatch) -> None:
    path = closed(make_store)
    monkeypatch.setattr("caucus_desk.store.location.OLDEST_SQLITE", (99, 0))
    assert "Install a newer Python" in refusal(path, StoreUnsupported)


class Share(type(Path())):  # type: ignore[misc]
    def as_uri(self) -> str:
        return "file://server/share/a%20b.db"


def test_the_address_of_a_file_on_a_windows_share() -> None:
    assert connecting.uri_of(Share("x"), "rw") == "file:////server/share/a%20b.db?mode=rw"


MOUNTS = """/dev/sda1 / ext4 rw 0 0
server:/desk /mnt/call\\040center nfs4 rw 0 0
/dev/sdb1 /mnt/call\\040center/local ext4 rw 0 0
//hq/share /mnt/hq cifs rw 0 0
"""


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/home/a.db", "ext4"),
        ("/mnt/call center/a.db", "nfs4"),
        ("/mnt/call center/local/a.db", "ext4"),
        ("/mnt/hq/x/a.db", "cifs"),
        ("/mnt/hqx/a.db", "ext4"),
    ],
)
def test_a_network_drive_is_noticed(path: str, kind: str) -> None:
    assert kind_of_mount(Path(path), MOUNTS) == kind


def test_a_store_on_a_network_drive_opens_with_a_warning(
    make_store: Callable[..., Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = closed(make_store)
    monkeypatch.setattr("caucus_desk.store.location.kind_of_mount", lambda *_: "nfs4")
    with Store.open(path) as store:
        assert "network drive" in store.warnings[0]


def test_a_relative_path_is_made_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert store_path("a.db") == tmp_path / "a.db"


def test_a_fault_of_the_program_is_not_hidden(store: Store, new_report: Callable[..., NewReport]) -> None:
    with pytest.raises(sqlite3.IntegrityError, match="FOREIGN KEY"), store.write() as unit:
        unit.add_report(new_report("nowhere"))
    with store.read() as unit:
        assert unit.last_seq() == 1
