"""A whole store goes over from a file to a shared store and back, with its trail; nothing is left half."""

from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

from caucus_desk.desk import carrying
from caucus_desk.desk.attachments import attach, attachments, bytes_of
from caucus_desk.desk.entry import claim, drafts, save_draft
from caucus_desk.desk.integrity import CheckLine, check_store
from caucus_desk.desk.keeping import backup, restore
from caucus_desk.desk.loading import load_results
from caucus_desk.desk.moving import move
from caucus_desk.desk.people import make_account, make_first_administrator, sign_in
from caucus_desk.desk.places import taken
from caucus_desk.desk.roles import Role
from caucus_desk.desk.session import Desk, open_desk
from caucus_desk.desk.trail import audit_trail
from caucus_desk.rules.errors import Cancelled, Refused
from caucus_desk.store.errors import StoreDamaged, StoreExists
from caucus_desk.store.moving import TABLES, TableCopy, table_digest
from caucus_desk.tally.report import Channel
from caucus_desk.tally.results import Counting
from tests.postgres import database
from tests.tampering import administrator, tamper

pytestmark = [pytest.mark.a_file, pytest.mark.usefixtures("qapp")]
"""Both kinds are in each of these tests, so the night itself lies in a file."""

RESULTS = """precinct_id,candidate,first_alignment,final_alignment,county_delegates,attendance
A-1,Biden,14,16,1,100
A-1,Buttigieg,36,38,2,
A-1,Sanders,24,24,2,
A-1,Warren,22,22,1,
A-1,Yang,4,0,0,
77-DM42,Warren,20,20,4,20
"""


@pytest.fixture
def empty() -> Iterator[str]:
    with database() as address:
        yield address


@pytest.fixture
def other_empty() -> Iterator[str]:
    with database() as address:
        yield address


@pytest.fixture
def night(desk: Desk, tmp_path: Path, scans: ModuleType) -> Desk:
    """Reports, an attachment, a draft, and a number of a draft that is gone."""
    (tmp_path / "r.csv").write_text(RESULTS, encoding="utf-8")
    load_results(desk, tmp_path / "r.csv", channel=Channel.PAPER, by="Bo")
    load_results(desk, tmp_path / "r.csv", channel=Channel.APP, by="the app")
    attach(desk, "A-1", scans.png(tmp_path / "a.png"), by="Ann")
    draft = claim(desk, "A-2", Channel.PHONE, "Zoë")
    save_draft(desk, draft.id, {"attendance": "21", "caller.name": "Ño"})
    return desk


def tables(desk: Desk) -> tuple[TableCopy, ...]:
    with desk.store.read() as unit:
        return tuple(table_digest(unit, table) for table in TABLES)


def file_of_store(desk: Desk) -> bytes:
    return Path(desk.location).read_bytes() + Path(desk.location + "-wal").read_bytes()


def is_empty(address: str) -> bool:
    with administrator(address) as connection:
        row = connection.execute(
            "SELECT (SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace) + "
            "(SELECT count(*) FROM pg_proc WHERE pronamespace = 'public'::regnamespace)"
        ).fetchone()
    return row == (0,)


def test_a_night_moves_with_its_trail_and_goes_on_in_the_new_store(night: Desk, empty: str) -> None:
    before, figures = file_of_store(night), night.overview().tally()
    whole = tables(night)
    moved = move(night, empty, by="Lead")
    assert moved.tables == whole
    assert (moved.attachments, moved.lost) == (1, ())
    assert moved.events == night.saved_seq()
    assert file_of_store(night) == before, "the old store is not touched"
    with open_desk(empty) as there:
        assert all(line.ok for line in check_store(there))
        assert there.overview().tally() == figures
        assert there.overview().tally(counting=Counting.VERIFIED) == night.overview().tally(
            counting=Counting.VERIFIED
        )
        newest, *others = audit_trail(there, limit=500).events
        assert newest.sentence == f"Lead moved the store from {night.location} to {there.location}"
        assert others == list(audit_trail(night, limit=500).events)
        (given,) = attachments(there, "A-1")
        assert bytes_of(there, given) == bytes_of(night, given)
        (draft,) = drafts(there, "Zoë")
        assert draft.fields == {"attendance": "21", "caller.name": "Ño"}
        new = claim(there, "A-1", Channel.PHONE, "Di")
        assert new.id > draft.id
    claim(night, "SAT-1", Channel.PHONE, "Di")  # the old one can still be used


def test_there_and_back_is_the_same(night: Desk, empty: str, tmp_path: Path) -> None:
    move(night, empty, by="Lead")
    with open_desk(empty) as there:
        whole = tables(there)
        back = move(there, str(tmp_path / "back.caucus"), by="Lead")
        assert back.tables == whole
    with open_desk(str(tmp_path / "back.caucus")) as desk:
        assert all(line.ok for line in check_store(desk))
        assert desk.saved_seq() == night.saved_seq() + 2
        assert bytes_of(desk, attachments(desk, "A-1")[0]) == bytes_of(night, attachments(night, "A-1")[0])


def test_from_one_server_to_another(night: Desk, empty: str, other_empty: str) -> None:
    move(night, empty, by="Lead")
    with open_desk(empty) as there:
        moved = move(there, other_empty, by="Lead")
        assert moved.tables == tables(there)
    with open_desk(other_empty) as again:
        assert all(line.ok for line in check_store(again))


def test_a_backup_of_a_shared_store_is_a_file_and_is_put_back_anywhere(
    night: Desk, empty: str, other_empty: str, tmp_path: Path
) -> None:
    move(night, empty, by="Lead")
    with open_desk(empty) as there:
        whole = tables(there)
    copy = backup(taken(empty), tmp_path / "b.caucus")
    kept = copy.read_bytes()
    with open_desk(str(copy), looking=True) as desk:
        assert tables(desk) == whole
    restored = restore(copy, other_empty)
    assert restored == taken(other_empty)
    assert copy.read_bytes() == kept
    with open_desk(restored) as again:
        assert tables(again) == whole
        assert all(line.ok for line in check_store(again))
        assert bytes_of(again, attachments(again, "A-1")[0])
    with pytest.raises(Refused, match="use `move`"):
        backup(night.location, empty)
    with pytest.raises(Refused, match="is a shared store and no backup"):
        restore(empty, tmp_path / "x.caucus")


def test_a_file_does_not_move_to_a_file(night: Desk, tmp_path: Path) -> None:
    with pytest.raises(Refused, match="use `backup`"):
        move(night, str(tmp_path / "other.caucus"), by="Lead")
    assert not (tmp_path / "other.caucus").exists()


def test_what_is_there_is_never_written_over(night: Desk, empty: str, tmp_path: Path) -> None:
    with administrator(empty) as connection:
        connection.execute("CREATE TABLE mine (id int)")
    with pytest.raises(StoreExists, match="another program's tables"):
        move(night, empty, by="Lead")
    with administrator(empty) as connection:
        connection.execute("DROP TABLE mine")
    move(night, empty, by="Lead")
    with open_desk(empty) as there:
        before = tables(there)
        with pytest.raises(StoreExists, match="holds a caucus already"):
            move(night, empty, by="Lead")
        assert tables(there) == before
        with pytest.raises(StoreExists, match="already exists"):
            move(there, night.location, by="Lead")


@pytest.mark.parametrize(
    "stop", ["Copying the store", "Checking the copy", "Copying the attachments", "Checking the new store"]
)
@pytest.mark.parametrize("kind", [Cancelled, KeyboardInterrupt])
def test_interrupted_there_is_nothing_in_the_new_one(
    night: Desk, empty: str, stop: str, kind: Callable[[str], BaseException]
) -> None:
    whole = tables(night)

    def progress(done: int, total: int, what: str) -> None:
        if what == stop and (stop != "Copying the store" or done > total // 2):
            raise kind("Stopped.")

    with pytest.raises((Cancelled, KeyboardInterrupt)):
        move(night, empty, by="Lead", progress=progress)
    assert is_empty(empty)
    assert tables(night) == whole
    assert move(night, empty, by="Lead").tables == whole


def test_what_was_altered_does_not_move(night: Desk, empty: str) -> None:
    tamper(night, "UPDATE report_row SET final = 17 WHERE report_id = 1 AND final = 16")
    with pytest.raises(StoreDamaged, match="report 1 is not as event"):
        move(night, empty, by="Lead")
    assert is_empty(empty)


def test_a_new_store_that_does_not_stand_its_check_is_taken_away(
    night: Desk, empty: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(carrying, "check_store", lambda desk: (CheckLine("figures", False, "a row differs"),))
    with pytest.raises(StoreDamaged, match="a row differs"):
        move(night, empty, by="Lead")
    assert is_empty(empty)


def test_only_who_may_keep_copies_moves_a_store_with_accounts(night: Desk, empty: str) -> None:
    make_first_administrator(night, "Ada", "1357")
    make_account(night, "Cleo", Role.CLERK, "2468", by="Ada")
    sign_in(night, "Cleo", "2468")
    for by in ("Cleo", "Mallory"):
        with pytest.raises(Refused):
            move(night, empty, by=by)
    assert is_empty(empty)
    move(night, empty, by="Ada")
    with open_desk(empty) as there, pytest.raises(Refused, match="not signed in"):
        claim(there, "A-1", Channel.PHONE, "Cleo")


def test_a_lost_attachment_is_told_and_does_not_hinder(night: Desk, empty: str) -> None:
    (given,) = attachments(night, "A-1")
    (Path(night.location + ".attachments") / given.file_name).unlink()
    moved = move(night, empty, by="Lead")
    assert moved.lost == ("a.png of A-1",)
    with open_desk(empty) as there:
        assert [line.name for line in check_store(there) if not line.ok] == ["attachments"]
